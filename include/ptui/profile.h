/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A loaded recording, and the views that are counted out of it.
 *
 *   file --load--> profile --hist_new--> rows (a histogram) --calltree--> callers/callees
 *
 * A profile never changes once it is loaded: any number of threads may read it and make
 * views of it at the same time. A view keeps its profile alive, and does not change either: several
 * threads may look at it and make trees of its rows.
 * Strings are borrowed from the profile or view they came from. Names come as the file has
 * them: escape before a terminal sees them.
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

/* ---- loading ---- */

struct ptui_load_opts {
	ptui_progress_fn progress; /* may be NULL; unit: bytes of the data section */
	void *progress_ctx;
	const char *symfs;	 /* prefix for module files; NULL: none */
	const char *buildid_dir; /* perf's cache of modules; NULL: ~/.debug */
	struct ptui_kernel_symbols kernel;
	bool no_chains; /* callchains are left aside, as if the recording had none */
};

/*
 * Loads "perf.data" or "-" (standard input). NULL on failure; *ret_error (may be NULL) is
 * then the negative errno: -ENODATA means the file has size zero, which is no mistake of
 * anybody's: there is nothing to do. Damaged files load as far as they can be read: see
 * ptui_profile_trust().
 */
struct ptui_profile *ptui_profile_load(const char *path, const struct ptui_load_opts *opts,
				       struct ptui_error *err, int *ret_error);
/* Thread-safe. */
struct ptui_profile *ptui_profile_ref(struct ptui_profile *p);
void ptui_profile_unref(struct ptui_profile *p); /* NULL ok */

struct ptui_event_info {
	const char *name;
	uint64_t samples;
	uint64_t period;       /* sum over the samples */
	uint64_t lost_samples; /* LOST_SAMPLES records of this event */
	/*
	 * How long its counters were switched on, and how long of that they really counted: less
	 * when more events wanted a counter than there are. Both 0: the recording does not tell.
	 */
	uint64_t enabled_ns, running_ns;
	bool has_callchains; /* its samples were asked to have them */
	bool stacks_dumped;  /* user stacks were copied to be unwound later (--call-graph dwarf) */
	uint16_t max_stack;  /* frames of a callchain, at most; 0: the kernel's usual number */
};

size_t ptui_profile_n_events(const struct ptui_profile *p);
const struct ptui_event_info *ptui_profile_event(const struct ptui_profile *p, size_t i);

/* How far the data can be trusted. All zero: nothing is known to be missing. */
struct ptui_trust {
	uint64_t lost_events;  /* LOST: dropped because a ring was full */
	uint64_t lost_chunks;  /* … in so many places */
	uint64_t lost_samples; /* LOST_SAMPLES, all events */
	uint64_t
		lost_sideband; /* of the larger of both: not samples, but records with names and maps */
	uint64_t throttled;	  /* THROTTLE: the kernel slowed sampling down */
	uint64_t unknown_event;	  /* samples whose event id the file does not name */
	uint64_t bad_records;	  /* records whose fields do not fit: left out */
	uint64_t unknown_records; /* of types that this version does not know */
	uint64_t truncated_bytes; /* the file ends so many bytes too early */
	uint64_t skipped_bytes;	  /* given up behind a record that could not be walked over */
	uint64_t broken_chains;	  /* callchains with an unknown context marker: left out */
	bool unfinished;	  /* the recorder did not get to finish the file */
};

void ptui_profile_trust(const struct ptui_profile *p, struct ptui_trust *ret);

/* ---- histograms ---- */

enum ptui_chain_order {
	PTUI_CALLEE, /* from the sampled function up to main */
	PTUI_CALLER, /* from main down */
};

/*
 * What a view is of. All zero: everything. By comm and thread, samples are chosen; by dso, symbol
 * and kernel, the functions that get rows: of a sample whose own function has none, the callers
 * still may, and a row's callchains are whole. Texts are the caller's for the call.
 */
struct ptui_hist_filter {
	const char *comm;   /* NULL: any */
	const char *dso;    /* as its cell says it; NULL: any */
	const char *symbol; /* a part of the name, in any case of letters; NULL: any */
	bool by_thread;	    /* only the thread `tid` */
	bool by_cpu;	    /* only what ran on `cpu` */
	bool kernel;	    /* only the kernel and its modules */
	bool user;	    /* only what is not the kernel */
	int32_t tid;
	uint32_t cpu;
};

struct ptui_hist_opts {
	uint32_t event;	     /* index */
	const char *sort;    /* -s: "comm,dso,sym" when NULL */
	const char *fields;  /* -F: NULL: the usual columns and the sort keys */
	bool children;	     /* rows of callers too, with what their callees took */
	bool show_samples;   /* -n */
	bool show_addresses; /* -v: the address in the module before each symbol */
	bool no_chains;	     /* -g none: equal rows stand by name, not callers above callees */
	bool relative;	     /* percentages are of the samples with a row, not of the event's */
	struct ptui_hist_filter filter;
	uint64_t since_ns; /* only samples of this time or later; 0: all */
	/*
	 * A sample that is so much older than the newest one of the event counts half, and so on; then
	 * periods are in parts of 1/256. 0: all count the same.
	 */
	uint64_t half_life_ns;
	ptui_progress_fn progress; /* may be NULL; unit: samples, then what they were added up to */
	void *progress_ctx;
	/*
	 * Nobody asks for widths of columns, nor for ptui_hist_unknown(); rows that took the same, behind
	 * the first thousand or more than a thousand of them, may stand in any order.
	 */
	bool rows_only;
	/*
	 * The same view of an earlier profile of the same Live recording (NULL: there is none). What both
	 * have is taken over from it, so that only what came and left since is counted; it can only be
	 * freed afterwards. Any other view will do no harm.
	 */
	struct ptui_hist *before;
	bool separated; /* -t: cells will be joined by a separator: see ptui_column.width */
	enum ptui_chain_order order;
};

/*
 * Checks -s and -F texts; `hist_new` does so as well. A key that does not exist is told
 * with the nearest ones. 0 or -EINVAL.
 */
int ptui_hist_check_keys(const char *sort, const char *fields, struct ptui_error *err);

/* The names -s and -F accept, one by one; NULL at the end. */
const char *ptui_hist_key_name(size_t i);
/* It tells rows apart (comm, dso, symbol …), and does not only measure them (overhead …). */
bool ptui_hist_key_groups(size_t i);

/*
 * Children on an event without callchains is off. NULL on failure; when `progress` cancelled it,
 * err->code is ECANCELED.
 */
struct ptui_hist *ptui_hist_new(struct ptui_profile *p, const struct ptui_hist_opts *opts,
				struct ptui_error *err);
void ptui_hist_free(struct ptui_hist *h); /* NULL ok */

struct ptui_column {
	const char *name;  /* of the key: "overhead" */
	const char *title; /* "Overhead", with children on "Self": English, as programs read it */
	unsigned width;	   /* columns of the widest cell and the title; perf's minimum, unless
			      the view is separated, for modules of unknown functions */
	bool number;	   /* right-aligned */
	bool padded;	   /* filled up to the width even as the last column */
};

size_t ptui_hist_n_columns(const struct ptui_hist *h);
const struct ptui_column *ptui_hist_column(const struct ptui_hist *h, size_t col);

struct ptui_row {
	uint64_t period;	  /* of samples in the function itself */
	uint64_t period_children; /* of samples in it or below it; = period without children */
	uint64_t samples;	  /* in the function itself */
	uint32_t chain_depth;	  /* functions in its longest callchain; 0: it has none */
	uint32_t n_chains;	  /* different ones: what making its tree costs */
};

size_t ptui_hist_n_rows(const struct ptui_hist *h);
void ptui_hist_row(const struct ptui_hist *h, size_t row, struct ptui_row *ret);
/* What 100 % are. */
uint64_t ptui_hist_total_period(const struct ptui_hist *h);

/* Samples that are in a row, in themselves or through a function that they were called from. */
struct ptui_hist_shown {
	uint64_t samples, period;
};

void ptui_hist_shown(const struct ptui_hist *h, struct ptui_hist_shown *ret);

/* All samples that the view looked at, whatever its filter took of them. */
struct ptui_hist_all {
	uint64_t samples, period;
	uint64_t first_ns, last_ns; /* times of the oldest and the newest; both 0: there are none */
	/*
	 * As many samples of equal weight would tell as much as these do: fewer, when some stand for
	 * far more than others.
	 */
	double equal_samples;
};

void ptui_hist_all(const struct ptui_hist *h, struct ptui_hist_all *ret);

/*
 * What all samples of a row have in common, as far as the view tells rows apart by it: what a
 * filter can take.
 */
struct ptui_row_origin {
	const char *comm;     /* NULL: several */
	const char *dso;      /* as its cell says it; NULL: several */
	const char *dso_path; /* the whole path; NULL: none is known */
	bool has_thread;
	int32_t tid;
	const char *thread; /* the thread's name */
	bool kernel;	    /* with dso: it is the kernel's code */
};

void ptui_hist_row_origin(const struct ptui_hist *h, size_t row, struct ptui_row_origin *ret);
bool ptui_hist_children(const struct ptui_hist *h); /* children are really on */
/* Samples whose own function has no name, and the module that most of them fell into. */
struct ptui_unknown {
	uint64_t period;
	uint64_t module_period;
	const char *
		module; /* short name; NULL: no module is known there, or there are no such samples */
	const char *why; /* a sentence: why it has no names; NULL: it has some, or nobody knows */
};

void ptui_hist_unknown(const struct ptui_hist *h, struct ptui_unknown *ret);

/*
 * How far the user stacks of a view's samples reach: `reach` counts those with a frame in which a
 * program or thread starts (_start, the caller of main, start_thread, clone ...). Of the others, `cut` are as long as
 * the kernel lets them be, and the rest ended early in the DSOs of `ends`: code without frame pointers.
 */
#define PTUI_STACK_ENDS 3

struct ptui_hist_stacks {
	uint64_t stacks; /* samples with a user stack that could be judged */
	uint64_t reach, cut;
	uint64_t unread;    /* not in `stacks`: they end in files that could not be read */
	uint32_t max_stack; /* frames at which they are cut */
	size_t n_ends;
	struct {
		const char *dso; /* as its cell says it */
		uint64_t stacks;
	} ends[PTUI_STACK_ENDS]; /* most stacks first */
};

void ptui_hist_stacks(const struct ptui_hist *h, struct ptui_hist_stacks *ret);
/* The cell's text; returns its length as snprintf does. */
int ptui_hist_cell(const struct ptui_hist *h, size_t row, size_t col, char *buf, size_t size);

/* ---- the callchains of one row ---- */

/*
 * A compressed prefix tree: a node is a run of frames without a branch.
 *
 *        main ─ run            node 0: frames main, run
 *               ├─ parse       node 1     hits: samples that end in this node's last frame
 *               └─ eval ─ add  node 2     cumul: hits of it and of all below it
 *
 * Children stand in order of cumul, heaviest first. Nodes below min_period are left out.
 */
struct ptui_callnode {
	uint64_t hits, cumul; /* periods */
	uint32_t first_frame, n_frames;
	uint32_t first_child, next; /* PTUI_NONE: none */
};

/* NULL: out of memory. Empty (no roots) for rows without chains. */
struct ptui_calltree *ptui_hist_calltree(struct ptui_hist *h, size_t row, uint64_t min_period,
					 struct ptui_error *err);
void ptui_calltree_free(struct ptui_calltree *t);
uint32_t ptui_calltree_first(const struct ptui_calltree *t); /* first root or PTUI_NONE */
const struct ptui_callnode *ptui_calltree_node(const struct ptui_calltree *t, uint32_t node);
/* Text of the i-th frame of a node: the function, or 0x… where it has no name. */
int ptui_calltree_frame(const struct ptui_calltree *t, const struct ptui_callnode *node, uint32_t i,
			char *buf, size_t size);
/* Its module, as the cell of a row says it. */
const char *ptui_calltree_dso(const struct ptui_calltree *t, const struct ptui_callnode *node,
			      uint32_t i);

/* ---- the header of a recording ---- */

/*
 * What the recorder wrote down about the machine, the command and the events, a line a fact
 * ("hostname : vm"), for people. To be freed. NULL on failure; for "-" as well, which can be read
 * only once.
 */
char *ptui_recording_header(const char *path, struct ptui_error *err);

#ifdef __cplusplus
}
#endif
#endif
