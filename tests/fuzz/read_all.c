/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "fuzz/read_all.h"

#include <stdlib.h>
#include <string.h>
#include "base/perf_abi.h"

/* Reads all that a decoded sample points to, so that a sanitizer detects invalid pointers. */
static uint64_t read_sample(const struct data_sample *s)
{
	uint64_t sum = s->ip + s->period + s->time_ns;
	uint64_t i;

	for (i = 0; i < s->n_chain; i++)
		sum += s->chain[i];
	for (i = 0; i < s->raw_bytes; i++)
		sum += s->raw[i];
	for (i = 0; i < s->n_branches * 24; i++)
		sum += s->branches[i];
	for (i = 0; i < s->stack_user_bytes; i++)
		sum += s->stack_user[i];
	for (i = 0; i < 2 * (uint64_t)s->n_reads; i++)
		sum += s->reads[i];
	for (i = 0; i < s->aux_bytes; i++)
		sum += s->aux[i];
	for (i = 0; s->regs_intr_abi && i < (unsigned)__builtin_popcountll(s->regs_intr_mask); i++)
		sum += s->regs_intr[i];
	for (i = 0; s->regs_user_abi && i < (unsigned)__builtin_popcountll(s->regs_user_mask); i++)
		sum += s->regs_user[i];
	return sum;
}

static uint64_t read_record(const struct data_record *rec)
{
	switch (rec->type) {
	case PERF_RECORD_MMAP:
	case PERF_RECORD_MMAP2:
		return strlen(rec->mmap.path) + rec->mmap.build_id_bytes;
	case PERF_RECORD_COMM:
		return strlen(rec->comm.name);
	case PERF_RECORD_KSYMBOL:
		return strlen(rec->ksymbol.name);
	case PTUI_RECORD_CALLCHAIN_DEFERRED:
		return rec->deferred.n ? data_word(rec->deferred.addrs, rec->deferred.n - 1,
						   rec->deferred.swapped) :
					 0;
	default:
		return rec->body_bytes ? rec->body[rec->body_bytes - 1] : 0;
	}
}

uint64_t read_all(struct data_file *f, uint64_t *ret_records)
{
	struct ptui_error err = PTUI_ERROR_INIT;
	struct data_walk *w = data_walk_new(f, &err);
	struct data_record rec;
	struct data_sample s;
	uint64_t sum = 0;

	*ret_records = 0;
	while (w && !data_walk_next(w, true, &rec, &err)) {
		sum = sum * 31 + rec.seq + read_record(&rec);
		if (rec.type == PERF_RECORD_SAMPLE && !data_walk_sample(w, &rec, &s))
			sum += read_sample(&s);
		++*ret_records;
	}
	data_walk_free(w);
	return sum;
}

static int read_symbols(void *ctx, const struct data_dso_symbols *dso)
{
	size_t *sum = ctx;

	*sum += strlen(dso->path);
	for (size_t i = 0; i < dso->n; i++)
		*sum += strlen(dso->v[i].name) + (dso->v[i].end < dso->v[i].start);
	return 0;
}

void read_features(struct data_file *f)
{
	struct data_build_id id;
	size_t sum = 0;
	unsigned i;

	for (i = 0; i < PTUI_FEAT_MAX; i++) {
		size_t n = 0;

		data_feature(f, i, &n);
		data_feature_text(f, i);
	}
	for (i = 0; !data_build_id_at(f, i, &id); i++)
		if (!strcmp(id.path, "not a path"))
			return;
	data_symbols_each(f, read_symbols, &sum);
	for (i = 0; i < data_n_events(f); i++)
		if (!data_event(f, i)->name[0])
			abort();
}
