/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Recordings with copies of user stacks (--call-graph dwarf) as recordings with callchains, in the
 * form that --call-graph dwarf,live writes (record/unwind/short_sample.h). Callers are return
 * addresses minus one, as in a report of the copies.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "base/i18n.h"
#include "inject/private.h"
#include "profile/samples.h"
#include "record/unwind/short_sample.h"

#define MAX_STACK 127 /* if the recording does not say */

struct inject_callchain {
	struct short_samples shorts;
	uint8_t *bytes; /* of a short sample */
	uint32_t hint;
};

static int open_events(struct inject *j, struct inject_callchain *c)
{
	size_t n = data_n_events(j->file), n_ids = 0, at = 0;
	const struct perf_event_attr **attrs = calloc(n + 1, sizeof(*attrs));
	struct short_id *ids;
	int ret;

	for (size_t i = 0; i < n; i++)
		n_ids += data_event(j->file, i)->n_ids;
	ids = calloc(n_ids + 1, sizeof(*ids));
	for (size_t i = 0; attrs && ids && i < n; i++) {
		const struct data_event *e = data_event(j->file, i);

		attrs[i] = data_event_attr(j->file, i);
		for (size_t k = 0; k < e->n_ids; k++)
			ids[at++] = (struct short_id){ e->ids[k], (uint32_t)i };
	}
	short_samples_init(&c->shorts, true, false, false);
	ret = attrs && ids ? short_samples_open_attrs(&c->shorts, attrs, n, ids, n_ids, MAX_STACK) :
			     -ENOMEM;
	free(attrs);
	free(ids);
	return ret ? ptui_error_nomem(j->err) : 0;
}

int inject_callchain_open(struct inject *j)
{
	const uint64_t need = PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_STACK_USER;
	struct inject_callchain *c = calloc(1, sizeof(*c));
	bool dumped = false;

	j->callchain = c;
	if (c)
		c->bytes = malloc(PTUI_RECORD_MAX_BYTES);
	if (!c || !c->bytes)
		return ptui_error_nomem(j->err);
	for (size_t i = 0; i < data_n_events(j->file); i++)
		dumped |= (data_event(j->file, i)->sample_type & need) == need;
	if (!dumped)
		return ptui_error_set(j->err, PTUI_ERROR_INPUT, ENOENT, NULL,
				      _("--convert-callchain: the recording has no copies of user "
					"stacks (--call-graph dwarf)"));
	return open_events(j, c);
}

void inject_callchain_free(struct inject_callchain *c)
{
	if (!c)
		return;
	short_samples_release(&c->shorts);
	free(c->bytes);
	free(c);
}

void inject_callchain_attr(const struct inject_callchain *c, struct perf_event_attr *attr)
{
	short_samples_attr(&c->shorts, attr);
}

static enum short_sample_end chain_end(uint8_t how)
{
	how &= STACK_HOW_MASK;
	return how == STACK_TRUNCATED ? SHORT_SAMPLE_TRUNCATED :
	       how == STACK_OTHER     ? SHORT_SAMPLE_OTHER_STACK :
					SHORT_SAMPLE_WHOLE;
}

int inject_callchain_sample(struct inject *j, struct stream *s, const struct data_record *rec,
			    const struct data_sample *sample, uint64_t when)
{
	struct inject_callchain *c = j->callchain;
	struct stream_chain chain;
	struct sample_parts parts;
	const uint8_t *bytes;
	uint32_t room, n = 0;
	size_t size;

	if (!(data_event(j->file, sample->event)->sample_type & PERF_SAMPLE_STACK_USER))
		return 0;
	if (stream_chain(s, sample, when, &chain))
		return ptui_error_nomem(j->err);
	bytes = inject_bytes(j, rec, &size);
	if (!bytes)
		return -ENOMEM;
	j->result->bytes_in += size;
	if (!short_sample_find(&c->shorts, bytes, &c->hint, &parts))
		return 1; /* damaged; the reader has counted it */
	if (chain.replaced) {
		room = short_sample_room(&parts, bytes);
		n = chain.n_user < room ? (uint32_t)chain.n_user : room;
		j->result->converted++;
	}
	size = short_sample_write(&parts, bytes, chain.user, n, chain_end(chain.how), c->bytes);
	return inject_put(j, c->bytes, size) ? -EIO : 1;
}
