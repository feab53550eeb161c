/* SPDX-License-Identifier: GPL-2.0-or-later */
/* AUX areas: drained like the rings, or, in overwrite mode, copied for a snapshot. */
#include <errno.h>
#include "base/i18n.h"
#include "record/aux_area.h"
#include "record/pump.h"

static int put_piece(struct pump *p, size_t ring, uint64_t off, const struct iovec *iov, int n,
		     struct ptui_error *err)
{
	const struct counter_ring *r = &p->counters->rings[ring];
	const struct data_auxtrace a = {
		.off = off,
		.reference = aux_area_reference(),
		.idx = (uint32_t)ring,
		.tid = r->tid,
		.cpu = r->cpu,
	};
	int ret = record_sink_put_aux(p->sink, &a, iov, n, err);

	for (int i = 0; i < n && !ret; i++)
		p->counts->aux_bytes += iov[i].iov_len;
	return ret;
}

/* One area: read, then released to the kernel, which may go on then. 1, 0, or negative with err set. */
static int drain_ring(struct pump *p, size_t ring, struct ptui_error *err)
{
	struct ring_aux *aux = &p->counters->rings[ring].aux;
	struct iovec iov[2];
	int n, ret;
	size_t bytes = ring_aux_peek(aux, iov, &n);

	if (!bytes)
		return 0;
	affinity_move(&p->affinity, p->counters->rings[ring].cpu);
	ret = put_piece(p, ring, aux->tail, iov, n, err);
	if (ret)
		return ret;
	ring_aux_consume(aux, bytes);
	/* it may have ended, with its task: that is no error */
	counters_resume_aux(p->counters, (uint32_t)ring);
	return 1;
}

int pump_drain_aux(struct pump *p, struct ptui_error *err)
{
	bool any = false;
	int ret = 0;

	if (p->aux_snapshot_bytes || p->aux_sampled || p->sink->waits_for_base)
		return 0;
	for (size_t i = 0; i < p->counters->n_rings && ret >= 0; i++) {
		ret = drain_ring(p, i, err);
		any |= ret > 0;
	}
	if (ret < 0)
		return ret;
	if (any) {
		p->idle = false;
		pump_note_written(p, 0, 0);
	}
	return any;
}

int64_t pump_snapshot_aux(struct pump *p, struct ptui_error *err)
{
	struct counters *c = p->counters;
	int64_t all = 0;
	int ret = 0;

	counters_pause_aux(c);
	for (size_t i = 0; i < c->n_rings && !ret; i++) {
		struct iovec iov[2];
		uint64_t off;
		int n;
		size_t bytes = ring_aux_snapshot(&c->rings[i].aux, p->aux_snapshot_bytes, iov, &n,
						 &off);

		if (bytes)
			ret = put_piece(p, i, off, iov, n, err);
		all += (int64_t)bytes;
	}
	counters_resume_aux(c, PTUI_NONE);
	if (ret)
		return ret;
	pump_note_written(p, 0, 0);
	return all;
}
