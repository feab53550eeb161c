/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Counts in perf.data, as perf stat record writes them:
 *
 *	EVENT_UPDATE ... THREAD_MAP CPU_MAP STAT_CONFIG | STAT ... STAT_ROUND | STAT ... STAT_ROUND | ...
 *	(units)                              once       | a round: INTERVAL each -I, or one that is FINAL
 *
 * A STAT has what one counter has counted since the start, so an interval is the difference of two rounds.
 */
#ifndef STAT_STAT_DATA_H
#define STAT_STAT_DATA_H

#include "data/read/reader.h"
#include "stat/stat.h"

/* ---- writing ---- */

struct stat_writer;

struct stat_writer_opts {
	const char *path; /* "-": standard output, as a pipe */
	const char *cmdline;
	size_t cmdline_bytes; /* words with a NUL each */
	uint64_t interval_ms; /* 0: one round at the end */
	bool no_scale;
};

/* `s` must outlive it, and be open until the first round. NULL with err set. */
struct stat_writer *stat_writer_new(struct stat *s, const struct roots *roots,
				    const struct stat_writer_opts *opts, struct ptui_error *err);
/* After stat_open(): writes what precedes the rounds, and takes the values of each stat_read(). */
int stat_writer_begin(struct stat_writer *w, struct ptui_error *err);
/* Ends a round with the values of stat_read(). `time_ns`: since the start. */
int stat_writer_round(struct stat_writer *w, bool final, uint64_t time_ns, struct ptui_error *err);
int stat_writer_finish(struct stat_writer *w, struct ptui_error *err);
void stat_writer_free(struct stat_writer *w); /* NULL ok */

/* ---- reading ---- */

struct stat_reader_opts {
	const struct ptui_record_opts *what; /* an empty one: nothing is opened */
	enum stat_aggr aggr;		     /* with aggr_given; else that of the recording */
	bool aggr_given;
};

struct stat_reader;
/* NULL with err set: the file cannot be read, or has no counts. "-": standard input. */
struct stat_reader *stat_reader_new(const char *path, const struct stat_reader_opts *opts,
				    struct ptui_error *err);
void stat_reader_free(struct stat_reader *r); /* NULL ok */
/* What was damaged or missing so far. */
void stat_reader_damage(const struct stat_reader *r, struct data_damage *ret);

struct stat_round {
	bool final, interval; /* interval: the recording has rounds of -I */
	uint64_t time_ns;     /* since the start */
	uint64_t passed_ns;   /* since the last round */
};
/* 0: the cells of *ret_stat, which stays owned, are those of the next round; 1: there is none. */
int stat_reader_next(struct stat_reader *r, struct stat **ret_stat, struct stat_round *ret_round,
		     struct ptui_error *err);
/* "perf stat record -a", or NULL. "pipe" for a pipe, as perf has it. */
const char *stat_reader_cmdline(struct stat_reader *r);

#endif
