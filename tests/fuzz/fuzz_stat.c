/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Any bytes as a recording of counts: u8 way | perf.data or a pipe. All rounds are printed: as text, CSV
 * and JSON, summed by what the recording says or by the mode in `way`. No crash, no endless loop.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include "base/file.h"
#include "stat/stat_data.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define AGGR_GIVEN   8
#define METRIC_ONLY  16
#define GROUP_DIGITS 32
#define ROUNDS_MAX   64

static void print_round(struct stat *s, const struct stat_round *round, uint8_t way)
{
	struct stat_format f = {
		.group_digits = way & GROUP_DIGITS,
		.metric_only = way & METRIC_ONLY,
		.n_runs = 1,
		.interval = round->interval,
		.time_ns = round->time_ns,
		.passed_ns = (double)round->passed_ns,
	};
	struct buf out = BUF_INIT;

	stat_print_heading(s, &f, &out);
	stat_print(s, &f, &out);
	f.separator = ",";
	stat_print(s, &f, &out);
	f.separator = NULL;
	f.json = true;
	stat_print(s, &f, &out);
	/* a NUL would end what a terminal or a file shows of it */
	if (!out.err && memchr(buf_str(&out), 0, out.len))
		abort();
	buf_release(&out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct ptui_record_opts what = { .events = NULL };
	struct ptui_error err = PTUI_ERROR_INIT;
	struct stat_reader_opts opts = { .what = &what };
	struct stat_reader *r;
	struct stat_round round;
	struct stat *s;
	char path[32];
	int fd;

	if (!size)
		return 0;
	opts.aggr = (enum stat_aggr)(data[0] % (STAT_NODE + 1));
	opts.aggr_given = data[0] & AGGR_GIVEN;
	/* the reader takes a path */
	fd = memfd_create("fuzz", MFD_CLOEXEC);
	if (fd < 0 || file_write_all(fd, data + 1, size - 1) < 0)
		abort();
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	r = stat_reader_new(path, &opts, &err);
	for (unsigned n = 0; r && n < ROUNDS_MAX && !stat_reader_next(r, &s, &round, &err); n++)
		print_round(s, &round, data[0]);
	if (r)
		stat_reader_cmdline(r);
	stat_reader_free(r);
	close(fd);
	return 0;
}
