/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How fast records are walked over: walk FILE RUNS. Prints the best run, with the file in the page cache. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include "data/read/reader.h"

static double now_s(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (double)ts.tv_sec + (double)ts.tv_nsec / 1e9;
}

/* The number of records, or 0. */
static unsigned long walk_once(struct data_file *f, struct ptui_error *err)
{
	struct data_walk *w = data_walk_new(f, err);
	struct data_record rec;
	unsigned long n = 0;

	while (w && data_walk_next(w, true, &rec, err) == 0)
		n++;
	data_walk_free(w);
	return n;
}

int main(int argc, char **argv)
{
	struct ptui_error err = PTUI_ERROR_INIT;
	struct data_file *f = argc == 3 ? data_open(argv[1], &err, NULL) : NULL;
	double best_s = 0;
	unsigned long n = 0;

	if (!f) {
		fprintf(stderr, "usage: walk FILE RUNS\n%s\n", err.text);
		return 1;
	}
	for (int i = 0; i < atoi(argv[2]); i++) {
		double start = now_s(), took;

		n = walk_once(f, &err);
		took = now_s() - start;
		if (!i || took < best_s)
			best_s = took;
	}
	printf("%-28s %lu records, %.0f MB: %.3f s, %.2f GB/s\n", "walk over all records", n,
	       (double)data_size_bytes(f) / 1e6, best_s, (double)data_size_bytes(f) / 1e9 / best_s);
	data_close(f);
	return 0;
}
