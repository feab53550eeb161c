/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Any bytes as a perf.data file: opened, walked twice, with every sample decoded and every feature
 * read. Looks for crashes, hangs, and differences between the two walks.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include "base/perf_abi.h"
#include "data/read/reader.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

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
	default:
		return rec->body_bytes ? rec->body[rec->body_bytes - 1] : 0;
	}
}

static uint64_t walk(struct data_file *f, uint64_t *ret_records)
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

static void read_features(struct data_file *f)
{
	struct data_build_id id;
	unsigned i;

	for (i = 0; i < PTUI_FEAT_MAX; i++) {
		size_t n = 0;

		data_feature(f, i, &n);
		data_feature_text(f, i);
	}
	for (i = 0; !data_build_id_at(f, i, &id); i++)
		if (!strcmp(id.path, "not a path"))
			return;
	for (i = 0; i < data_n_events(f); i++)
		if (!data_event(f, i)->name[0])
			abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct data_file *f = data_open_memory(data, size, NULL, NULL);
	uint64_t records[2];

	if (!f)
		return 0;
	read_features(f);
	walk(f, &records[0]); /* may bring events that the second finds there */
	walk(f, &records[1]);
	if (records[1] > records[0] && !data_is_pipe(f))
		abort();
	read_features(f);
	data_close(f);
	return 0;
}
