/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Any bytes as a perf.data file: opened, walked twice, with every sample decoded and every feature
 * read; then loaded as a profile by one thread, and in parts by several. Looks for crashes, hangs, and differences
 * between the two walks and between the two profiles.
 */
#include <stdint.h>
#include <stdlib.h>
#include "fuzz/read_all.h"
#include "profile/profile.h"
#include "session/load.h"

#define THREADS 3

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static struct ptui_profile *load(struct data_file *f, unsigned threads)
{
	const struct ptui_load_opts opts = { .threads = threads };

	return session_load(f, &opts, NULL, NULL);
}

static bool is_same(const struct ptui_profile *a, const struct ptui_profile *b)
{
	if (!a || !b)
		return !a && !b;
	if (a->samples.n != b->samples.n || a->stacks.n != b->stacks.n ||
	    a->n_frames != b->n_frames || a->names.n != b->names.n || a->n_events != b->n_events)
		return false;
	for (size_t i = 0; i < a->samples.n; i++)
		if (a->samples.frame[i] != b->samples.frame[i] ||
		    a->samples.comm[i] != b->samples.comm[i] ||
		    a->samples.stack[i] != b->samples.stack[i] ||
		    a->samples.how[i] != b->samples.how[i])
			return false;
	return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct data_file *f = data_open_memory(data, size, NULL, NULL);
	struct ptui_profile *one, *parts;
	uint64_t records[2];

	if (!f)
		return 0;
	read_features(f);
	read_all(f, &records[0]); /* may bring events that the second finds there */
	read_all(f, &records[1]);
	if (records[1] > records[0] && !data_is_pipe(f))
		abort();
	read_features(f);
	one = load(f, 1);
	parts = load(f, THREADS);
	if (!is_same(one, parts))
		abort();
	ptui_profile_unref(one);
	ptui_profile_unref(parts);
	data_close(f);
	return 0;
}
