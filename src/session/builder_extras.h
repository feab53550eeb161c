/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What sort keys need of the samples of a file besides the sample table (profile/extras.h). */
#ifndef SESSION_BUILDER_EXTRAS_H
#define SESSION_BUILDER_EXTRAS_H

#include "base/buf.h"
#include "data/read/reader.h"
#include "profile/extras.h"

struct builder;
struct ptui_load_opts;
struct ptui_profile;
struct trace_formats;

struct builder_cgroup {
	uint64_t id;
	uint32_t name; /* strpool id */
};

struct builder_namespace {
	int32_t tid;
	uint64_t when, dev, inode;
};

/* A shared map of a file, without code. */
struct builder_shared {
	int32_t pid;
	uint64_t start, end;
};

/* Fields of tracepoints. */
struct builder_trace {
	struct trace_values values;
	uint32_t *first; /* by event, and one more: its first of values.fields; NULL: not wanted */
	size_t n_events;
	uint32_t *at; /* by field: its number in the event's format */
	size_t cap_at;
	uint32_t *tuple; /* of one sample */
	size_t cap_tuple;
	bool raw; /* without the print formats of events */
};

/* A task begins or ceases to run: +1 or -1; then how many run from this time on. */
struct builder_switch {
	uint64_t when, seq;
	int64_t running;
	int32_t tid;
};

struct builder_extras {
	unsigned wanted; /* PTUI_EXTRA_...; 0: the rest is empty */
	struct extras table;
	uint32_t *of_row; /* by row of the store */
	size_t n_rows, cap_rows;
	struct trace_formats *formats; /* NULL: none */
	struct buf text;
	struct builder_trace trace;
	struct tuples history; /* with PTUI_EXTRA_HISTORY: words of branches */
	bool raw_trace;
	struct builder_cgroup *cgroups; /* in the order of their records */
	size_t n_cgroups, cap_cgroups;
	/* in the order of their records; sorted by builder_extras_start() */
	struct builder_switch *switches; /* by time */
	size_t n_switches, cap_switches;
	bool has_switches;
	int64_t first_running; /* at the start */
	uint32_t max_running;  /* number of CPUs */
	struct builder_namespace *namespaces;
	size_t n_namespaces, cap_namespaces;
	uint64_t kernel_start, kernel_bytes; /* of its map, as recorded; 0: unknown */
	struct builder_shared *shared;
	size_t n_shared, cap_shared;
};

/* All of these return 0 or -ENOMEM, unless said otherwise. */
/* After the events, before the samples: what no event has is not wanted. */
int builder_extras_start(struct builder *b, struct data_file *file,
			 const struct ptui_load_opts *opts, struct ptui_error *err);
void builder_extras_release(struct builder *b);
/* PTUI_EXTRA_...: what the samples of an event have. */
/* What is loaded of samples if they have it. */
unsigned builder_extras_wanted(const struct builder *b);
unsigned builder_extras_of(const struct data_event *e);
/* PERF_RECORD_CGROUP */
int builder_extras_cgroup(struct builder *b, const struct data_record *rec);
/* Other records that are needed: NAMESPACES, MMAP2. */
int builder_extras_record(struct builder *b, const struct data_record *rec);
/* The values of a sample; to be called if something is wanted. */
struct extra builder_extra_values(struct builder *b, const struct data_event *e,
				  const struct data_sample *s, uint64_t when);
/* Sets what depends on where an instruction is. */
void builder_extra_place(struct builder *b, const struct data_sample *s, uint64_t when,
			 uint64_t addr, uint32_t frame, struct extra *ret);
/* The number of these values, as far as they are wanted. */
uint32_t builder_extra_add(struct builder *b, const struct extra *values);
/* The next row has these values; to be called for each row if something is wanted. */
int builder_extras_row(struct builder *b, uint32_t extra);
/* ---- builder_trace.c ---- */
/* Chooses the fields of tracepoints. 0 or -ENOMEM. */
int builder_trace_start(struct builder *b, const struct ptui_load_opts *opts);
/* The place of the sample's values in values.tuples; 0: none, or out of memory, see extras.failed. */
uint32_t builder_trace_fields(struct builder *b, const struct data_event *e,
			      const struct data_sample *s);
void builder_trace_release(struct builder_trace *t);

/* Passes the values on to the profile of all rows. */
void builder_extras_give(struct builder *b, struct ptui_profile *p);
/* The same with a copy, for a profile of the rows so far. */
int builder_extras_copy(const struct builder *b, struct ptui_profile *p);

#endif
