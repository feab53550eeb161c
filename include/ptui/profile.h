/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A loaded recording (profile) and the histograms computed from it.
 *
 *   file --load--> profile --hist_new--> rows (a histogram) --calltree--> callers/callees
 *
 * A profile is immutable: any number of threads may read it and compute histograms at the same
 * time. A histogram holds a reference to its profile and is immutable too; several threads may read
 * it and build calltrees of its rows. Strings are borrowed from the profile or histogram that
 * returned them. Names are returned as in the file: escape them before printing to a terminal.
 */
#ifndef PTUI_PROFILE_H
#define PTUI_PROFILE_H

#include <stdbool.h>
#include "ptui/error.h"

#ifdef __cplusplus
extern "C" {
#endif

struct ptui_profile;
struct ptui_hist;
struct ptui_calltree;
struct ptui_butterfly;

/* ---- loading ---- */

/* What samples may have besides what is always kept. */
enum {
	PTUI_EXTRA_WEIGHT = 1 << 0,
	PTUI_EXTRA_LATENCY = 1 << 1, /* of the instruction */
	PTUI_EXTRA_STAGE = 1 << 2,   /* cycles in a pipeline stage */
	PTUI_EXTRA_CODE_PAGE = 1 << 3,
	PTUI_EXTRA_CGROUP = 1 << 4,
	PTUI_EXTRA_TRACE = 1 << 5,    /* the payload of a tracepoint as text */
	PTUI_EXTRA_BRANCH = 1 << 6,   /* source and flags of a branch: PTUI_MODE_BRANCHES only */
	PTUI_EXTRA_DATA_SRC = 1 << 7, /* where a memory access was answered */
	PTUI_EXTRA_DATA_ADDR = 1 << 8,
	PTUI_EXTRA_PHYS_ADDR = 1 << 9,
	PTUI_EXTRA_DATA_PAGE = 1 << 10,
	PTUI_EXTRA_TRANSACTION = 1 << 11,
	PTUI_EXTRA_MAP = 1 << 12,	/* size of the map that the sample is in */
	PTUI_EXTRA_NAMESPACE = 1 << 13, /* namespace of control groups of the thread */
	PTUI_EXTRA_IP = 1 << 14,	/* address of the instruction in its process */
	PTUI_EXTRA_FIELDS = 1 << 15,	/* the fields of tracepoints, see ptui_load_opts.fields */
	/* all that take little memory */
	PTUI_EXTRA_NUMBERS = (PTUI_EXTRA_TRACE - 1) | PTUI_EXTRA_DATA_SRC | PTUI_EXTRA_DATA_PAGE |
			     PTUI_EXTRA_TRANSACTION,
	/*
	 * to load: PTUI_EXTRA_TRACE if all events are tracepoints, see ptui_profile_default_sort(); with
	 * PTUI_EXTRA_TRACE: unless the recording lacks their formats
	 */
	PTUI_EXTRA_TRACE_ALONE = 1 << 16,
	PTUI_EXTRA_RUNNING =
		1 << 17, /* how many tasks ran then: of recordings with context switches */
	PTUI_EXTRA_HISTORY = 1 << 18, /* what branches say in ptui_load_opts.history */
};

/* What a row of the profile's sample table is. */
enum ptui_mode {
	PTUI_MODE_SAMPLES,
	PTUI_MODE_BRANCHES, /* an entry of a branch stack, with a period of 1 */
	PTUI_MODE_MEMORY,   /* a sample with its weight as period */
	PTUI_MODE_AUTO,	    /* for loading: branches if the recording has them, else samples */
};

/*
 * Samples that are equal in event, command name, address and stack become one row of the sample table,
 * for views that ask for nothing else. What depends on single samples is unknown then: filters by time,
 * the numbers other than period and samples in struct ptui_hist_all. Has no effect on recordings with
 * copied stacks, unless no_chains is set, in other modes than SAMPLES, with extras that samples have, and
 * with `cycles` or `history`.
 */
struct ptui_merge {
	bool samples;
	bool by_thread, by_cpu; /* only those that are equal in this as well */
};

struct ptui_load_opts {
	enum ptui_mode mode;	   /* BRANCHES, MEMORY: fails if the recording has none */
	bool no_branches;	   /* SAMPLES was asked for, although AUTO may choose BRANCHES */
	ptui_progress_fn progress; /* may be NULL; unit: bytes of the data section */
	void *progress_ctx;
	const char *symfs;	 /* prefix for DSO paths; NULL: none */
	const char *buildid_dir; /* perf's build-id cache; NULL: ~/.debug */
	struct ptui_kernel_symbols kernel;
	bool no_chains; /* ignore callchains, as if the recording had none */
	bool callers;	/* keep them in the modes that show none: for the key "parent" */
	/*
	 * Take names from files and kernels that are not proven to be the recorded ones, too; they end
	 * in " (unverified)".
	 */
	bool force_names;
	bool full_names;      /* of C++ functions, with their parameters */
	bool mangled_names;   /* of functions of programs, as in their files */
	bool demangle_kernel; /* demangle names of kernel functions, too */
	/*
	 * Functions of programs that have no symbol are the ranges of addresses that call frame information gives
	 * them, such as "0x1150-0x1180"; else each address without a symbol is a function.
	 */
	bool unnamed_functions;
	/*
	 * Maximum number of frames in a callchain, and in an unwound user stack (--call-graph dwarf).
	 * 0: no limit, and 127 in an unwound stack.
	 */
	uint32_t max_stack;
	bool outermost; /* of a callchain with more, the outermost frames are kept, as perf does with -g caller */
	/* maximum number of threads; 0: as many as there are CPUs. The profile is the same with any. */
	unsigned threads;
	bool cycles;	 /* keep the cycles in branch stacks, see ptui_counts_line_cycles() */
	unsigned extras; /* PTUI_EXTRA_...: kept if samples have it; see ptui_hist_keys_extras() */
	/*
	 * With PTUI_EXTRA_FIELDS: lists of sort keys (each may be NULL) that name the fields to keep. NULL:
	 * all fields.
	 */
	const char *const *fields;
	size_t n_fields;
	bool raw_trace; /* payloads of tracepoints by field, without their print formats */
	bool full_paths; /* of source files, in the keys srcline and srcfile; else their base names */
	/*
	 * Branches of branch stacks become the innermost part of callchains: target and source of each,
	 * where loops of the same branches are one iteration. Fails if there are none.
	 */
	bool history;
	/*
	 * Call stacks of the LBR that are deeper than it is get their callers from earlier samples. Fails if
	 * the header does not have the size of the LBR, or samples not the place in it.
	 */
	bool stitch_lbr;
	struct ptui_merge merge;
	/*
	 * Further recordings (n_more paths) that become one profile with the first; see ptui_trust.repeated.
	 * There are no partial profiles then, `merge` and `cycles` have no effect, and PTUI_EXTRA_FIELDS is
	 * refused. Must stay valid during the load.
	 */
	const char *const *more;
	size_t n_more;
	/*
	 * For partial profiles while a file is loaded: each is the profile of the same file without the
	 * samples after some position, or (the first one of a large file) of a file that is cut there.
	 * partial_wanted() is asked after each sample, with their number so far; partial() takes over a
	 * reference. Both are called by the loading thread. After an error, partial() gets what could
	 * be read before. NULL: none.
	 */
	bool (*partial_wanted)(void *ctx, uint64_t samples);
	void (*partial)(void *ctx, struct ptui_profile *p);
	void *partial_ctx;
	/* Size of a file's first part that is shown first; smaller files have none. 0: 4 MiB */
	uint64_t partial_bytes;
};

/*
 * Loads a perf.data file, or "-" for standard input. NULL on failure with err set; *ret_error (may
 * be NULL) is then the negative errno. -ENODATA: the file is empty, which perf does not treat as an
 * error. Damaged files are loaded as far as they can be read: see ptui_profile_trust().
 */
struct ptui_profile *ptui_profile_load(const char *path, const struct ptui_load_opts *opts,
				       struct ptui_error *err, int *ret_error);
/* Reference counting; thread-safe. */
struct ptui_profile *ptui_profile_ref(struct ptui_profile *p);
void ptui_profile_unref(struct ptui_profile *p); /* NULL ok */

/* What an event counted for a thread, which `record -s` writes when the thread ends (PERF_RECORD_READ). */
struct ptui_thread_count {
	int32_t pid, tid;
	uint32_t event;
	uint64_t count; /* the sum of its records: one per counter that the thread had */
};

/*
 * All of them, in the order of their first records; *ret_n is their number. Valid as long as the profile.
 * Partial profiles have none.
 */
const struct ptui_thread_count *ptui_profile_thread_counts(const struct ptui_profile *p,
							   size_t *ret_n);

struct ptui_event_info {
	const char *name;
	uint64_t samples;
	uint64_t period;       /* sum over the samples */
	uint64_t lost_samples; /* LOST_SAMPLES records of this event */
	/*
	 * Time its counters were enabled, and time they were scheduled: less in case of
	 * multiplexing. Both 0: not recorded.
	 */
	uint64_t enabled_ns, running_ns;
	bool has_callchains; /* PERF_SAMPLE_CALLCHAIN was set */
	bool has_history;    /* branches are part of its callchains: ptui_load_opts.history */
	bool stacks_unwound; /* user stacks were unwound while recording (--call-graph dwarf,live) */
	bool stacks_dumped;  /* user stacks were copied (--call-graph dwarf) and are unwound */
	/* with stacks_dumped, a sentence: why some could not be unwound at all; NULL: all could */
	const char *stacks_why;
	uint32_t dump_bytes; /* with either: size of each copy; 0: unknown */
	uint16_t max_stack;  /* maximum number of frames in a callchain; 0: kernel default */
	bool lacks_cpu;	     /* PERF_SAMPLE_CPU was not set */
	unsigned extras;     /* PTUI_EXTRA_...: what of its samples was loaded */
	uint32_t leader;     /* index of the leader of its group; its own if it is in none */
	const char *group;   /* name of the group that it leads; NULL: none */
};

/* Whether its samples have callchains of any kind. */
static inline bool ptui_event_has_chains(const struct ptui_event_info *e)
{
	return e->has_callchains || e->has_history;
}

enum ptui_mode ptui_profile_mode(const struct ptui_profile *p);
/*
 * Of a live profile: code of a JIT compiler has no names in it, but there is a perf map now, as some virtual
 * machines write it when they exit. Loading the file finds the names.
 */
bool ptui_profile_has_late_map(const struct ptui_profile *p);
/* The sort keys of a mode if none are given: "comm,dso,sym". */
const char *ptui_default_sort(enum ptui_mode mode);

size_t ptui_profile_n_events(const struct ptui_profile *p);
const struct ptui_event_info *ptui_profile_event(const struct ptui_profile *p, size_t i);

/* Which events are shown side by side, as one table. */
enum ptui_grouping {
	PTUI_GROUP_NONE,
	PTUI_GROUP_RECORDED, /* event groups as they were recorded */
	PTUI_GROUP_ALL,	     /* the same; if there are none, all events are one group */
};

/* The first event of the table that shows this event; the event itself if it is shown alone. */
uint32_t ptui_profile_leader(const struct ptui_profile *p, uint32_t event,
			     enum ptui_grouping grouping);

/*
 * The sort keys that perf has by default: "trace" if all events are tracepoints, without the dummy that
 * has the sideband, and their payload was loaded; "trace_fields" with ptui_load_opts.raw_trace; else NULL.
 */
const char *ptui_profile_default_sort(const struct ptui_profile *p);

/* Completeness of the data. All zero but `records`: no known loss. */
struct ptui_trust {
	uint64_t lost_events;	 /* LOST: dropped because a ring was full */
	uint64_t lost_chunks;	 /* number of LOST records */
	uint64_t lost_samples;	 /* LOST_SAMPLES, all events */
	uint64_t lost_sideband;	 /* included in the larger of the two above */
	uint64_t throttled;	 /* THROTTLE: the kernel slowed sampling down */
	uint64_t aux_pieces;	 /* AUX: pieces that were written to AUX areas; of these … */
	uint64_t aux_truncated;	 /* … cut, because the AUX area was full */
	uint64_t aux_gaps;	 /* … with gaps, as while a virtual machine ran */
	uint64_t aux_collisions; /* … with samples that hit one another */
	uint64_t aux_records;	 /* AUXTRACE: AUX data that was copied from these areas */
	const char
		*aux_what; /* what wrote the AUX data, such as "Intel PT"; NULL: unknown, or none */
	uint64_t unknown_event;	  /* samples with an event id that the file does not define */
	uint64_t bad_records;	  /* malformed records, skipped */
	uint64_t unknown_records; /* records of unknown types */
	struct ptui_unknown_type unknown_types[PTUI_UNKNOWN_TYPES];
	uint64_t truncated_bytes; /* bytes missing at the end of the file */
	uint64_t skipped_bytes;	  /* bytes between a damaged record and the next good one */
	uint64_t bad_sections;	  /* sections of the header with impossible offsets or sizes */
	/* where the file ends, if it was cut after its samples; 0: it was not */
	uint64_t cut_after_samples;
	/* bit n: section n of the header cannot be read; ptui_missing_sections() */
	uint64_t missing_sections[4];
	uint64_t broken_chains;	 /* callchains with an unknown context marker, skipped */
	uint64_t largest_period; /* of all samples, and the event of that one */
	uint32_t largest_event;
	/*
	 * Samples in DSOs whose file here, or in a kernel that, is not proven to be the recorded one: shown
	 * as addresses, or, if `forced_names`, with names that end in " (unverified)".
	 */
	uint64_t unverified;
	bool forced_names;
	bool unfinished; /* the recorder did not finish the file */
	/*
	 * Of several recordings (ptui_load_opts.more): samples that an earlier one has as well, which count
	 * once; the number of recordings (0: one), of machines and of clocks; threads whose ids are also
	 * those of threads of another machine.
	 */
	uint64_t repeated;
	uint64_t files, hosts, clocks, shared_threads;
	/* Of a partial profile: the part of the file's data that is loaded. total_bytes 0: all of it. */
	uint64_t loaded_bytes, total_bytes;
	uint64_t records[PTUI_RECORD_TYPES]; /* number of records read from a file, by type */
};

void ptui_profile_trust(const struct ptui_profile *p, struct ptui_trust *ret);
/* The missing sections: "HOSTNAME, CMDLINE". The caller frees it. NULL: none, or out of memory. */
char *ptui_missing_sections(const struct ptui_trust *t);

/* The memory of a profile in bytes, as allocated, without debug information. */
struct ptui_profile_memory {
	uint64_t samples;   /* number of samples, */
	uint64_t rows;	    /* of rows of the sample table, */
	uint64_t row_bytes; /* and the bytes of a row in its columns */
	uint64_t columns;   /* of the sample table, with room for more rows */
	uint64_t stacks, frames, threads, names, extras;
	uint64_t total;
};

void ptui_profile_memory(const struct ptui_profile *p, struct ptui_profile_memory *ret);

/* ---- histograms ---- */

enum ptui_chain_order {
	PTUI_CALLEE, /* from the sampled function to main */
	PTUI_CALLER, /* from main down */
};

/*
 * Filter of a histogram. All zero: no filter. comm, tid and cpu select samples, as do comms, pids
 * and tids; dso, symbol and kernel select the functions that get rows, as do dsos and symbols: if
 * the sampled function has none, its callers still may, and callchains stay complete. What cpus,
 * times, switch_on, switch_off and resolved leave out is not counted at all, so it is not in the 100 % either. Strings are
 * borrowed for the call.
 */
#define PTUI_BROWSE_TEXT_MAX 256 /* bytes with NUL of a filter's text that screens take */

struct ptui_hist_filter {
	const char *comm;   /* NULL: any */
	const char *dso;    /* as displayed in a dso cell, or its path; NULL: any */
	const char *symbol; /* substring, case-insensitive; NULL: any */
	bool by_thread;	    /* only thread `tid` */
	bool by_cpu;	    /* only samples on `cpu` */
	bool kernel;	    /* only the kernel and its modules */
	bool user;	    /* only user space */
	int32_t tid;
	uint32_t cpu;
	/* Whole names, one per line; NULL: any. */
	const char *comms, *dsos, *symbols; /* a DSO by its name or path, a symbol also as 0x... */
	const char *pids, *tids, *cpus;	    /* numbers: "0-3,7"; NULL: any */
	const char
		*parallelism; /* the same: tasks that ran at the time; needs PTUI_EXTRA_RUNNING */
	const char *
		cgroups; /* control groups, one per line, with the wildcards of the shell; NULL: any */
	const char *stack;  /* functions of the callchain, or the sample's own: as `symbol` */
	const char *fields; /* of tracepoints: "prev_pid > 100 && prev_comm == sh"; NULL: any */
	const char *times;  /* "1.5,2 3,4" in seconds, "10%-20%,30%/2"; NULL: any */
	bool resolved;	    /* only functions with a symbol */
	bool has_parent;    /* only samples with a caller that ptui_hist_opts.parent matches */
	/*
	 * Names of events: samples are kept after one of the first and until one of the second. NULL: from
	 * the start; to the end. Like cpus and times, they leave samples out.
	 */
	const char *switch_on, *switch_off;
	bool show_switch; /* also keep the samples that switch */
	bool by_socket;	  /* only samples on the CPUs of processor socket `socket` */
	int32_t socket;
	/*
	 * Change callchains; no sample is left out. DSOs that match one of these patterns, one per line, are
	 * hidden: their time is that of the function that called them, or of the outermost function if the
	 * whole chain is hidden. A pattern is a name or path with the wildcards of the shell, "[kernel]",
	 * or "[unknown]" (functions without a symbol); "!" before it: all DSOs but those that match such a
	 * pattern.
	 */
	const char *hide_dsos;
	/* A function that calls itself, directly or through others, is one function in the callchain. */
	bool collapse_recursion;
};

/* What makes two frames of callchains one node of a call tree. */
enum ptui_chain_key {
	PTUI_CHAIN_FUNCTION, /* frames without a symbol: their address */
	PTUI_CHAIN_ADDRESS,
	PTUI_CHAIN_SRCLINE, /* frames without debug information: their function */
};

/* Whether callchains have the functions that the compiler inlined, as "name (inlined)". */
enum ptui_inlines {
	PTUI_INLINES_UNWOUND, /* if the event's user stacks were copied, as perf does */
	PTUI_INLINES_ON,
	PTUI_INLINES_OFF,
};

struct ptui_hist_opts {
	uint32_t event;	    /* index */
	const char *sort;   /* -s: ptui_default_sort() of the profile's mode when NULL */
	const char *fields; /* -F; NULL: default columns and the sort keys */
	bool children;	    /* accumulate samples in callers (--children) */
	bool show_samples;  /* -n */
	bool show_period;   /* --show-total-period */
	bool show_modes;    /* --show-cpu-utilization: shares of the kernel and of user space */
	bool show_addresses; /* -v: before each symbol its address in the DSO, and where it is from */
	/*
	 * They are read from the debug information of the DSOs, once per profile, which may take seconds.
	 * Live profiles have none.
	 */
	enum ptui_inlines inlines;
	/* extended regular expression for the key "parent"; NULL: perf's default */
	const char *parent;
	/*
	 * Extended regular expression: samples in callees of a function that matches count as its own, and
	 * their stacks end there. NULL: none.
	 */
	const char *ignore_callees;
	uint64_t quantum_ns; /* length of the intervals of the key "time"; 0: 100 ms */
	bool show_ns;	     /* times with nanoseconds */
	bool no_chains;	     /* -g none: sort equal rows by name instead of by callchain depth */
	enum ptui_chain_key chain_key; /* of call trees; Live profiles have FUNCTION only */
	/* count what call trees show, for ptui_calltree_branches(); needs PTUI_EXTRA_HISTORY */
	bool chain_counts;
	/* percentages are relative to the filtered samples, not to all of the event */
	bool relative;
	struct ptui_hist_filter filter;
	uint64_t since_ns; /* only samples at or after this time; 0: all */
	/*
	 * Exponential decay: a sample this much older than the newest one counts half. Periods are
	 * then in units of 1/256. 0: no decay.
	 */
	uint64_t half_life_ns;
	ptui_progress_fn progress; /* may be NULL; unit: samples, then accumulated entries */
	void *progress_ctx;
	/*
	 * Skip what only a full view needs: column widths are not computed, ptui_hist_unknown() only
	 * when it is called, and rows of equal period may be in any order after the first thousand, or if more than a
	 * thousand are equal.
	 */
	bool rows_only;
	/*
	 * Histogram with the same options of an earlier profile of the same ptui_live (NULL: none).
	 * What both have in common is taken over from it, so that only the difference is counted;
	 * afterwards it can only be freed. Any other histogram is ignored.
	 */
	struct ptui_hist *before;
	bool separated; /* -t: cells are joined by a separator: see ptui_column.width */
	enum ptui_chain_order order;
	/*
	 * If `event` leads a group: the columns that measure have a number for each of its events, and rows
	 * that only another event has are included. Filters apply to all of them.
	 */
	enum ptui_grouping grouping;
	unsigned
		group_sort; /* rows are sorted by this event of the group; 0: by all, the leader first */
};

/*
 * Checks -s and -F; ptui_hist_new() does so as well. 0, or -EINVAL with err set; the hint suggests
 * similar keys. The profile (may be NULL) has fields of tracepoints, which are keys, too: FIELD,
 * EVENT.FIELD, EVENT.*, trace_fields, and each with "/raw".
 */
int ptui_hist_check_keys(const struct ptui_profile *p, const char *sort, const char *fields,
			 struct ptui_error *err);
/*
 * The same before the recording is loaded: what may be the name of a field is accepted, and *ret_fields
 * (may be NULL) is set.
 */
int ptui_hist_check_names(const char *sort, const char *fields, bool *ret_fields,
			  struct ptui_error *err);
/*
 * True: the keys are right, and some are fields of which only the names were loaded, because
 * ptui_load_opts.fields did not name them.
 */
bool ptui_profile_lacks_fields(const struct ptui_profile *p, const char *sort, const char *fields);
/*
 * The i-th field of a tracepoint, without common ones, if its payload or fields were loaded, too; NULL: no
 * more.
 */
const char *ptui_profile_trace_field(const struct ptui_profile *p, uint32_t event, size_t i);
/* Checks the lists of numbers and times, by the names of perf's options. 0, or -EINVAL with err set. */
int ptui_hist_check_filter(const struct ptui_hist_filter *filter, struct ptui_error *err);
/* PTUI_EXTRA_... that a filter needs; the expression `fields` is one of ptui_load_opts.fields then. */
unsigned ptui_hist_filter_extras(const struct ptui_hist_filter *filter);
/*
 * -EINVAL: no event has what the filter compares. *ret_lacks: some has it, but its values were not
 * loaded.
 */
int ptui_profile_check_filter(const struct ptui_profile *p, const struct ptui_hist_filter *filter,
			      bool *ret_lacks, struct ptui_error *err);
/* Checks a regular expression of the option. 0, or -EINVAL with err set. */
int ptui_hist_check_pattern(const char *option, const char *pattern, struct ptui_error *err);

/* PTUI_EXTRA_...: what these keys need of the samples; 0 if the keys are wrong. */
unsigned ptui_hist_keys_extras(const char *sort, const char *fields);
/* The name of the first key that needs something of these; "" if none does. */
const char *ptui_hist_extra_key(const char *sort, const char *fields, unsigned extras);
/* Names of the keys that -s and -F accept, by index; NULL at the end. */
const char *ptui_hist_key_name(size_t i);
/* True: a grouping key (comm, dso, symbol …); false: a measuring one (overhead …). */
bool ptui_hist_key_groups(size_t i);
/* What it is, in a few translated words: "command name". */
const char *ptui_hist_key_help(size_t i);
/* False: this event has no data for it. */
bool ptui_hist_key_applies(size_t i, const struct ptui_event_info *event);

/*
 * Computes a histogram. `children` has no effect on an event without callchains. NULL on failure
 * with err set; if `progress` cancelled, err->code is ECANCELED.
 */
struct ptui_hist *ptui_hist_new(struct ptui_profile *p, const struct ptui_hist_opts *opts,
				struct ptui_error *err);
/*
 * For a histogram without callchains (opts.no_chains) whose rows stay: frees what only opts.before and
 * ptui_hist_missing() need. Neither is to be used afterwards.
 */
void ptui_hist_finish(struct ptui_hist *h);
void ptui_hist_free(struct ptui_hist *h); /* NULL ok */

struct ptui_column {
	const char *name;  /* name of the key: "overhead" */
	const char *title; /* "Overhead", or "Self" with children; not translated, for programs */
	/*
	 * terminal columns of the widest cell or the title; includes perf's minimum for DSOs of
	 * unknown symbols, unless `separated`
	 */
	unsigned width;
	bool number;	/* right-aligned */
	bool padded;	/* padded to the width even in the last column */
	bool groups;	/* it identifies rows; else it measures them */
	unsigned level; /* in a hierarchy; PTUI_NONE: a measure of all levels */
	unsigned place; /* among the keys that rows are sorted by: perf's order in a hierarchy */
	unsigned each;	/* of a group: width of the number of each event; 0: the cell is one text */
};

size_t ptui_hist_n_columns(const struct ptui_hist *h);
const struct ptui_column *ptui_hist_column(const struct ptui_hist *h, size_t col);

struct ptui_row {
	uint64_t period; /* self period */
	/* children period (self and callees); the self period without children */
	uint64_t period_children;
	uint64_t samples;     /* self samples */
	uint32_t chain_depth; /* frames of its longest callchain; 0: none */
	uint32_t n_chains;    /* distinct callchains: the cost of its calltree */
};

size_t ptui_hist_n_rows(const struct ptui_hist *h);
void ptui_hist_row(const struct ptui_hist *h, size_t row, struct ptui_row *ret);
/* The period of 100 %. */
uint64_t ptui_hist_total_period(const struct ptui_hist *h);

/* Number of events shown side by side; 1 without a group. */
size_t ptui_hist_n_grouped(const struct ptui_hist *h);
/* The i-th of them, counted alone; 0: the histogram itself, which is the leader's. */
const struct ptui_hist *ptui_hist_grouped(const struct ptui_hist *h, size_t i);
uint32_t ptui_hist_event(const struct ptui_hist *h); /* index */

/* Samples that have a row, their own or that of a caller. */
struct ptui_hist_shown {
	uint64_t samples, period;
};

void ptui_hist_shown(const struct ptui_hist *h, struct ptui_hist_shown *ret);

/* All samples of the event that the filter's cpus, times and resolved keep, before the rest of it. */
struct ptui_hist_all {
	uint64_t samples, period;
	uint64_t first_ns, last_ns; /* times of the oldest and newest sample; both 0: no samples */
	/*
	 * Effective sample size: the number of equally weighted samples with the same statistical
	 * error.
	 */
	double equal_samples;
};

void ptui_hist_all(const struct ptui_hist *h, struct ptui_hist_all *ret);

/* The values that all samples of a row have in common, given the sort keys: input for a filter. */
struct ptui_row_origin {
	const char *comm;     /* NULL: several */
	const char *dso;      /* as displayed in a dso cell; NULL: several */
	const char *dso_path; /* full path; NULL: unknown */
	bool has_thread;
	int32_t tid;
	const char *thread; /* the thread's name */
	bool kernel;	    /* with dso: kernel code */
};

void ptui_hist_row_origin(const struct ptui_hist *h, size_t row, struct ptui_row_origin *ret);
/* The profile that it was computed from; borrowed. */
struct ptui_profile *ptui_hist_profile(const struct ptui_hist *h);
bool ptui_hist_children(const struct ptui_hist *h); /* whether callers have rows */
/* Whether inlined functions were asked for, given the event. */
bool ptui_inlines_wanted(const struct ptui_profile *p, uint32_t event, enum ptui_inlines inlines);
/* Samples without a symbol, and the DSO that has most of them. */
struct ptui_unknown {
	uint64_t period;
	uint64_t module_period;
	/* short name; NULL: unknown, or no such samples */
	const char *module;
	/* a sentence why it has no symbols; NULL: it has some, or the reason is unknown */
	const char *why;
	bool kernel; /* it is of the kernel */
	bool hidden; /* the kernel hides its symbols (kptr_restrict, perf_event_paranoid) */
};

void ptui_hist_unknown(const struct ptui_hist *h, struct ptui_unknown *ret);

/* What became of the symbols of a DSO. */
enum ptui_symbols {
	PTUI_SYMBOLS_OK,
	PTUI_SYMBOLS_PARTIAL,	 /* its table, such as .dynsym alone, lacks the functions */
	PTUI_SYMBOLS_NO_MAP,	 /* no DSO is known at these addresses */
	PTUI_SYMBOLS_NO_FILE,	 /* the file does not exist or cannot be read */
	PTUI_SYMBOLS_STALE,	 /* the file has another build-id */
	PTUI_SYMBOLS_NONE,	 /* the file has no symbol table */
	PTUI_SYMBOLS_JIT,	 /* anonymous memory without a perf map or jitdump file */
	PTUI_SYMBOLS_FORBIDDEN,	 /* the kernel hides its symbols */
	PTUI_SYMBOLS_UNVERIFIED, /* nothing proves that the file is the recorded one */
};

/* A DSO without symbols, or with unproven ones. Texts are the histogram's. */
struct ptui_missing {
	const char *dso;
	const char *path; /* NULL: unknown */
	const char *why;  /* a sentence; NULL: none */
	enum ptui_symbols state;
	bool kernel;
	uint64_t period;  /* of its samples; PTUI_SYMBOLS_PARTIAL: of those without a function */
	uint64_t unnamed; /* of `period`: of samples without a function */
};

/* By period, the largest first. Fills at most `max`; returns how many there are. */
size_t ptui_hist_missing(const struct ptui_hist *h, struct ptui_missing *ret, size_t max);
/* The same for all DSOs with samples, each once; PTUI_SYMBOLS_OK: nothing is wrong. `period` is of all its samples. */
size_t ptui_hist_dsos(const struct ptui_hist *h, struct ptui_missing *ret, size_t max);

/*
 * Completeness of the user stacks of the samples that are shown:
 *
 *   stacks = reach       have a frame where a program or thread starts (_start, the caller of main,
 *                        start_thread, clone ...), or were unwound up to a function without a caller
 *          + cut         have the maximum number of frames
 *          + truncated   were unwound up to the end of their copy
 *          + other_stack lead to another stack, of which there is no copy (sigaltstack)
 *          + early       end in the DSOs of `ends`: in code without frame pointers, or, if they were
 *                        unwound, without call frame information
 */
#define PTUI_STACK_ENDS 3

struct ptui_hist_stacks {
	uint64_t stacks; /* samples with a user stack that could be classified */
	uint64_t reach, cut, truncated, other_stack, early;
	uint64_t unwound; /* of `stacks`: unwound from a copy of the stack */
	uint64_t guessed; /* of `unwound`: some callers were found by frame pointers, without CFI */
	uint64_t skipped; /* of `stacks`: the caller of the innermost function is missing */
	/* not in `stacks`: */
	uint64_t unread;      /* end in files that could not be read */
	uint64_t not_unwound; /* copies that could not be unwound: see ptui_event_info.stacks_why */
	uint64_t lost;	      /* the record with their user part (CALLCHAIN_DEFERRED) is missing */
	uint64_t late;	      /* not unwound while recording, for lack of time */
	uint32_t max_stack;   /* maximum number of frames */
	size_t n_ends;
	struct {
		const char *dso; /* as displayed in a dso cell */
		const char
			*why; /* a sentence: why it has no call frame information; NULL: it has */
		uint64_t stacks;
	} ends[PTUI_STACK_ENDS]; /* most stacks first */
};

void ptui_hist_stacks(const struct ptui_hist *h, struct ptui_hist_stacks *ret);
/* A cell in its parts, for what shows many. Texts are the histogram's. */
struct ptui_cell {
	enum {
		PTUI_CELL_TEXT,
		PTUI_CELL_NUMBER,
		PTUI_CELL_PERCENT, /* with two digits after the point */
	} kind;
	const char *text; /* after the prefix */
	/* Cells of a column with equal ids are equal. PTUI_NONE: no id. */
	uint32_t id;
	uint64_t number;
	double percent;
	char prefix[80]; /* printable ASCII; "" for most */
	char suffix[24]; /* after the text: the same */
};

/* Of a group: the leader's number. */
void ptui_hist_cell_parts(const struct ptui_hist *h, size_t row, size_t col, struct ptui_cell *ret);
/* The same for all columns. */
void ptui_hist_row_cells(const struct ptui_hist *h, size_t row, struct ptui_cell *ret);
/* Of a column with `each`: the number of the i-th event of the group. */
void ptui_hist_grouped_cell(const struct ptui_hist *h, size_t row, size_t col, size_t i,
			    struct ptui_cell *ret);
/* Writes the text of a cell to `buf`, the numbers of a group side by side. Returns like snprintf(). */
int ptui_hist_cell(const struct ptui_hist *h, size_t row, size_t col, char *buf, size_t size);

/* ---- the samples of a row ---- */

/* Texts are the profile's. */
struct ptui_sample {
	uint64_t time_ns, period;
	uint32_t event; /* index */
	uint32_t cpu;	/* PTUI_NONE: not recorded */
	int32_t pid, tid;
	const char *comm;
	const char *symbol, *dso; /* NULL: unknown */
	const char *payload;	  /* of a tracepoint, as text; NULL: none */
};

/*
 * Indexes of the samples that the row counts (with children: those of callees as well; of a group:
 * those of all its events), by time. The caller frees them. Takes as long as a pass over all samples.
 * NULL with err set: out of memory, or `progress` (may be NULL; unit: samples) cancelled: ECANCELED.
 */
uint32_t *ptui_hist_samples(struct ptui_hist *h, size_t row, size_t *ret_n,
			    ptui_progress_fn progress, void *ctx, struct ptui_error *err);
void ptui_profile_sample(const struct ptui_profile *p, uint32_t sample, struct ptui_sample *ret);
/*
 * Its callchain, a line per function from the sampled one to main: "memcpy+0x12 (libc.so.6)". The
 * caller frees it. NULL: out of memory.
 */
char *ptui_profile_sample_chain(const struct ptui_profile *p, uint32_t sample);

/* ---- blocks of code ---- */

/*
 * A block: code that ran from the target of a taken branch to the next taken branch of a branch stack. Of the
 * blocks of a function that end at one branch, the longest is shown.
 */
#define PTUI_BLOCK_RUNS 8

struct ptui_code_block {
	const char *symbol, *dso; /* the profile's */
	uint64_t start, end; /* offsets in the function; the start is 0 if it is in another one */
	uint64_t cycles;     /* of the longest block */
	uint64_t all_cycles, runs;	      /* of all blocks that end there; runs > 0 */
	uint16_t first_runs[PTUI_BLOCK_RUNS]; /* cycles of the first runs of the longest block */
	uint32_t n_first_runs;
	uint32_t frame;	 /* of the branch that ends it */
	char range[128]; /* its source lines, cut: "[main.c:3 -> main.c:9]" */
};

struct ptui_code_blocks {
	struct ptui_code_block *v; /* the largest number of cycles first */
	size_t n;
	uint64_t total_cycles; /* of all blocks, those without a function included */
	uint64_t
		mean_cycles; /* sum of the blocks' mean cycles, counted for each row of their function */
};

/*
 * The blocks in the functions of the rows (of a profile of branches: their targets) of a profile that was
 * loaded with ptui_load_opts.cycles; of samples that the histogram's filter leaves out, there are none. The caller frees
 * ret->v. 0, or -ENOMEM with err set.
 */
int ptui_hist_code_blocks(const struct ptui_hist *h, struct ptui_code_blocks *ret,
			  struct ptui_error *err);
/* Whether a profile that was loaded with ptui_load_opts.cycles has any. */
bool ptui_profile_has_cycles(const struct ptui_profile *p);

/* ---- rows as a hierarchy ---- */

/*
 * The rows by one sort key after the other (keys in braces are one: {comm,dso},sym). A node adds up the
 * rows below it; leaves are the rows themselves:
 *
 *	level 0   80.00%  work             ptui_hierarchy_level(0), row 0
 *	level 1     75.00%  libc.so.6      ptui_hierarchy_level(1), row 0
 *	level 2       70.00%  [.] memcpy   ptui_hierarchy_level(2), row 0, and a row of the histogram
 */
struct ptui_hierarchy;

struct ptui_hierarchy_node {
	uint32_t level;
	uint32_t row;	  /* in the histogram of its level */
	uint32_t leaf;	  /* row of the whole histogram; PTUI_NONE: other nodes are below it */
	uint32_t n_below; /* nodes below it, which follow it */
	uint32_t first;	  /* row of the whole histogram: the first one below it, or its own */
};

/*
 * Borrows `h`, whose callers must have no rows (without children). NULL with err set: out of memory, or
 * there are columns of CPU modes.
 */
struct ptui_hierarchy *ptui_hierarchy_new(const struct ptui_hist *h, struct ptui_error *err);
void ptui_hierarchy_free(struct ptui_hierarchy *t); /* NULL ok */
size_t ptui_hierarchy_n_levels(const struct ptui_hierarchy *t);
/* The nodes of a level as rows, with the columns of `h`; see ptui_column.level. They have no callchains. */
const struct ptui_hist *ptui_hierarchy_level(const struct ptui_hierarchy *t, size_t level);
/*
 * The rows of the whole histogram as if these were its only sort keys: those of a level and of the levels
 * above it. For what all rows below a node have in common: ptui_hist_row_origin(),
 * ptui_hist_row_function() and ptui_hist_row_frame() of its `first`.
 */
const struct ptui_hist *ptui_hierarchy_common(const struct ptui_hierarchy *t, size_t level);
/* In the order in which they are shown: each before those below it. */
size_t ptui_hierarchy_n_nodes(const struct ptui_hierarchy *t);
const struct ptui_hierarchy_node *ptui_hierarchy_node(const struct ptui_hierarchy *t, size_t i);

/* ---- the callchains of one row ---- */

/*
 * A compressed prefix tree: each node is a sequence of frames without a branch.
 *
 *        main ─ run            node 0: frames main, run
 *               ├─ parse       node 1     hits: samples that end in this node's last frame
 *               └─ eval ─ add  node 2     cumul: hits of it and of all below it
 *
 * Children are sorted by cumul, largest first. Nodes below min_period are omitted.
 */
struct ptui_callnode {
	uint64_t hits, cumul; /* periods */
	/* the same as numbers of samples, after ptui_calltree_count() */
	uint64_t hit_samples, cumul_samples;
	uint32_t first_frame, n_frames;
	uint32_t first_child, next, parent; /* PTUI_NONE: none */
};

/*
 * NULL: out of memory. Empty (no roots) for rows without callchains. The tree holds a reference to
 * the histogram's profile.
 */
struct ptui_calltree *ptui_hist_calltree(struct ptui_hist *h, size_t row, uint64_t min_period,
					 struct ptui_error *err);
void ptui_calltree_free(struct ptui_calltree *t);
uint32_t ptui_calltree_first(const struct ptui_calltree *t); /* first root or PTUI_NONE */
const struct ptui_callnode *ptui_calltree_node(const struct ptui_calltree *t, uint32_t node);
/* Writes the i-th frame of a node: the symbol, or 0x… if it has none. Returns like snprintf(). */
int ptui_calltree_frame(const struct ptui_calltree *t, const struct ptui_callnode *node, uint32_t i,
			char *buf, size_t size);
/*
 * Writes its source line, or without debug information its place in the symbol, "+12", if the chain_key
 * is not FUNCTION; else "". Returns like snprintf().
 */
int ptui_calltree_line(const struct ptui_calltree *t, const struct ptui_callnode *node, uint32_t i,
		       char *buf, size_t size);
/*
 * Counts the samples in the nodes of the tree of this row. Takes as long as a pass over all stacks for
 * the first tree of a histogram. 0, or -ENOMEM with err set.
 */
int ptui_calltree_count(struct ptui_calltree *t, struct ptui_hist *h, size_t row,
			struct ptui_error *err);
/*
 * What is known of the branches at that frame (ptui_hist_opts.chain_counts), in perf's words:
 * " (cycles:3)", " (calltrace)" if there are none, or "". Returns like snprintf().
 */
int ptui_calltree_branches(const struct ptui_calltree *t, const struct ptui_callnode *node,
			   uint32_t i, char *buf, size_t size);
/* The mean of the cycles there, as in ptui_calltree_branches(); 0: not known. */
uint64_t ptui_calltree_cycles(const struct ptui_calltree *t, const struct ptui_callnode *node,
			      uint32_t i);
/*
 * The nodes in which chains with a period of at least `min` end, the largest first. The caller frees them.
 * NULL: out of memory.
 */
uint32_t *ptui_calltree_ends(const struct ptui_calltree *t, uint64_t min, size_t *ret_n);
/* DSO of that frame, as displayed in a dso cell. */
const char *ptui_calltree_dso(const struct ptui_calltree *t, const struct ptui_callnode *node,
			      uint32_t i);

/* ---- callers and callees of a function ---- */

/*
 * Butterfly: a function between the functions that call it and those that it calls, over all
 * samples that a histogram counts. What its filter says of functions (dso, symbol ...) does not
 * matter. Functions are given as one of their frames.
 *
 *	main 70, run 30		callers: samples in which they call it
 *	parse 100		samples with it on their stack
 *	eval 60, parse 20	callees: samples in which it calls them; 40 are in parse itself
 *
 * Recursion is counted once: a sample counts once per caller and per callee, however many such
 * calls its stack has. So callers may add up to more than the function, and callees, too.
 */
struct ptui_call {
	uint32_t frame; /* of the caller or callee */
	uint64_t period;
};

struct ptui_butterfly_info {
	uint64_t total;	    /* ptui_hist_total_period() */
	uint64_t period;    /* of the samples with the function on their stack */
	uint64_t self;	    /* of these, in the function itself */
	uint64_t outermost; /* of these, without a caller of (the first call of) it */
	size_t n_callers, n_callees;
};

/* A frame of the function of a row. PTUI_NONE: one row has several. */
uint32_t ptui_hist_row_frame(const struct ptui_hist *h, size_t row);
#define PTUI_BUILD_ID_HEX 41
/*
 * If the function of a row is a range of addresses: the build-id of its DSO in hexadecimal, since other builds have other
 * functions there. Otherwise, or if it is unknown, "".
 */
void ptui_hist_row_build(const struct ptui_hist *h, size_t row, char ret[PTUI_BUILD_ID_HEX]);
/* The i-th frame of a node, for the histogram of the call tree. */
uint32_t ptui_calltree_frame_id(const struct ptui_calltree *t, const struct ptui_callnode *node,
				uint32_t i);
/* Whether two frames are of one function, or of one row of a list of functions. */
bool ptui_hist_is_function(const struct ptui_hist *h, uint32_t a, uint32_t b);
/* As ptui_calltree_frame(), ptui_calltree_dso() and ptui_calltree_function(). */
int ptui_hist_frame_name(const struct ptui_hist *h, uint32_t frame, char *buf, size_t size);
const char *ptui_hist_frame_dso(const struct ptui_hist *h, uint32_t frame);

/* Takes as long as a pass over all stacks of the profile. NULL: out of memory. */
struct ptui_butterfly *ptui_hist_butterfly(const struct ptui_hist *h, uint32_t frame,
					   struct ptui_error *err);
void ptui_butterfly_free(struct ptui_butterfly *b); /* NULL ok */
const struct ptui_butterfly_info *ptui_butterfly_info(const struct ptui_butterfly *b);
/* Largest period first. */
const struct ptui_call *ptui_butterfly_caller(const struct ptui_butterfly *b, size_t i);
const struct ptui_call *ptui_butterfly_callee(const struct ptui_butterfly *b, size_t i);

/* ---- the header of a recording ---- */

/*
 * The header of a recording (machine, command, events) in the words of perf report --header; each
 * line starts with "#". `info`: the long facts, too (-I: topology, caches, memory). The caller
 * frees it. NULL on failure with err set.
 */
char *ptui_recording_header(const char *path, bool info, struct ptui_error *err);
/*
 * The header of the recording that the profile was loaded from, which may have been a pipe.
 * Borrowed from the profile; NULL: it was not loaded from a file.
 */
const char *ptui_profile_header(const struct ptui_profile *p, bool info);

/*
 * The command line that made the recording, as words, NULL-terminated; one block, which the caller
 * frees. NULL with err set: unreadable, or the file does not have it.
 */
char **ptui_recording_command(const char *path, struct ptui_error *err);

#ifdef __cplusplus
}
#endif
#endif
