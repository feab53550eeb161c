/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The pump's look at the rings that are overwritten. */
#include <errno.h>
#include <stdlib.h>
#include "base/i18n.h"
#include "kernel/ring_back.h"
#include "record/pump.h"

static void note_sample(const struct pump *p, const struct ring *ring, uint64_t at,
			struct pump_snapshot *ret)
{
	uint64_t ns;

	ret->samples++;
	if (!p->time_off)
		return;
	ns = ring_u64(ring, at, p->time_off);
	if (!ret->first_ns || ns < ret->first_ns)
		ret->first_ns = ns;
	if (ns > ret->last_ns)
		ret->last_ns = ns;
}

static void count(const struct pump *p, const struct ring *ring, const struct ring_back_look *look,
		  struct pump_snapshot *ret)
{
	struct ring_hop hop = { .ring = ring, .at = look->head, .end = look->head + look->bytes };
	struct perf_event_header header;
	uint64_t at;

	ret->bytes += look->bytes;
	ret->new_bytes += look->n_new;
	ret->gap |= look->gap;
	while (ring_hop_next(&hop, &header, &at)) {
		if (header.type != PERF_RECORD_SAMPLE)
			continue;
		note_sample(p, ring, at, ret);
		ret->new_samples += at - look->head < look->n_new;
	}
}

/* The first `bytes` of what was found. */
static int add_pieces(struct iovec *iov, const struct ring_back_look *look, size_t bytes)
{
	int n = 0;

	for (int i = 0; i < look->n_iov && bytes; i++) {
		iov[n] = look->iov[i];
		if (iov[n].iov_len > bytes)
			iov[n].iov_len = bytes;
		bytes -= iov[n++].iov_len;
	}
	return n;
}

static void note_span(struct pump *p, const struct pump_snapshot *s)
{
	if (s->first_ns && (!p->first_ns || s->first_ns < p->first_ns))
		p->first_ns = s->first_ns;
	if (s->last_ns > p->last_ns)
		p->last_ns = s->last_ns;
}

/* With the output paused. */
static int write_back(struct pump *p, bool only_new, struct pump_snapshot *ret,
		      struct ptui_error *err)
{
	struct counters *c = p->counters;
	struct ring_back_look look;
	int n = 0, failed;

	for (size_t i = 0; i < c->n_rings; i++) {
		if (!c->rings[i].back)
			continue;
		ring_back_look(&c->rings[i].ring, p->seen[i], &look);
		count(p, &c->rings[i].ring, &look, ret);
		n += add_pieces(p->iov + n, &look, only_new ? look.n_new : look.bytes);
		p->seen[i] = look.head;
	}
	if (!n)
		return 0;
	failed = outlet_put(p->outlet, p->iov, n, err);
	if (failed)
		return failed;
	note_span(p, ret);
	p->counts->samples += only_new ? ret->new_samples : ret->samples;
	p->counts->bytes = outlet_bytes(p->outlet);
	return 1;
}

int pump_back(struct pump *p, bool only_new, struct pump_snapshot *ret, struct ptui_error *err)
{
	const struct kernel_ops *ops = p->counters->ops;
	uint64_t began_ns = ops->clock_ns(ops->ctx);
	int written, failed;

	*ret = (struct pump_snapshot){ .bytes = 0 };
	if (p->rounds)
		return 0;
	failed = counters_pause_back(p->counters, true);
	if (failed) {
		counters_pause_back(p->counters, false);
		return ptui_error_errno(err, -failed, NULL,
					_("cannot pause the rings that are overwritten"));
	}
	written = write_back(p, only_new, ret, err);
	counters_pause_back(p->counters, false);
	ret->pause_ns = ops->clock_ns(ops->ctx) - began_ns;
	return written;
}
