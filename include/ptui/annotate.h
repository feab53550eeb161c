/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Annotation: the machine code of a function, with its source lines and the samples of each
 * instruction.
 *
 *   profile, function --ptui_annotate_new()----> annotation: lines (code and source); never changes
 *   annotation, profile --ptui_annotate_count()-> counts: samples and periods by event and line
 *
 * The code is read and disassembled once; counts of a newer profile of the same recording (Live)
 * are then made without opening a file. Both are immutable, hold no reference to a profile, and own
 * their strings. Making them takes time (files are read, samples are walked): use a thread. Any
 * number of threads may do so for one profile at the same time, and read what they made.
 */
#ifndef PTUI_ANNOTATE_H
#define PTUI_ANNOTATE_H

#include "ptui/profile.h"

#ifdef __cplusplus
extern "C" {
#endif

struct ptui_annotation;
struct ptui_annotate_counts;

/* ---- functions ---- */

/*
 * A function of a profile, which may have no samples. Strings are borrowed from the profile; to
 * keep it longer, use ptui_annotation_function(), whose strings are the annotation's.
 */
struct ptui_function {
	const char *symbol; /* NULL: unknown, so it cannot be annotated */
	const char *dso;    /* as displayed in a dso cell */
	const char *path;   /* full path; NULL: unknown */
	uint64_t start;	    /* file offset; of the kernel and of memory the address */
	uint32_t module;    /* id in profiles of the same `lineage` */
	uint64_t lineage;
	bool kernel;
};

/*
 * The function of a row of a histogram. False: its samples are in no DSO, or, given its sort keys, in
 * several functions. The row of an inlined function is that of the function it is inlined into.
 */
bool ptui_hist_row_function(const struct ptui_hist *h, size_t row, struct ptui_function *ret);
/* The function of the i-th frame of a node of a call tree. */
bool ptui_calltree_function(const struct ptui_calltree *t, const struct ptui_callnode *node,
			    uint32_t i, struct ptui_function *ret);
/* The function of a frame (ptui_hist_row_frame(), struct ptui_call). */
bool ptui_hist_frame_function(const struct ptui_hist *h, uint32_t frame, struct ptui_function *ret);

/* Selects samples. All zero: all of the profile. */
struct ptui_annotate_filter {
	const uint32_t *cpus; /* NULL: any */
	size_t n_cpus;
	/* As in ptui_hist_opts. What selects functions (dso, symbol, kernel, user ...) is ignored. */
	struct ptui_hist_filter samples;
	const char *parent;
	uint64_t since_ns; /* only samples at or after this time; 0: all */
};

struct ptui_function_samples {
	struct ptui_function function;
	uint64_t samples, period;
};

/*
 * The functions that have samples of an event (PTUI_NONE: of any), by period, the largest first.
 * The caller frees the array; *ret_n is its length. NULL: out of memory, with err set.
 */
struct ptui_function_samples *ptui_annotate_functions(struct ptui_profile *p, uint32_t event,
						      const struct ptui_annotate_filter *filter,
						      size_t *ret_n, struct ptui_error *err);

/* ---- annotations ---- */

enum ptui_asm_syntax {
	PTUI_ASM_DEFAULT, /* as objdump: AT&T on x86 */
	PTUI_ASM_ATT,
	PTUI_ASM_INTEL,
};

struct ptui_annotate_opts {
	enum ptui_asm_syntax syntax; /* other processors than x86 ignore it */
	bool no_source;		     /* no source lines and no inlined calls; faster */
	bool types;		     /* of the data that instructions access: x86-64 only */
	bool no_text;		     /* paths and line numbers, but no lines of source text */
	const char *prefix;	     /* to be put in front of source paths (--prefix); NULL: none */
	unsigned prefix_strip;	     /* number of leading directories to drop before that */
	ptui_progress_fn progress;   /* may be NULL; unit: bytes of machine code; cancels */
	void *progress_ctx;
};

/*
 * Annotates a function. NULL on failure with err set to one sentence and a hint: no disassembler for
 * the architecture, no file with the machine code or only one with another build-id. err->code is
 * ECANCELED if `progress` cancelled.
 */
struct ptui_annotation *ptui_annotate_new(struct ptui_profile *p, const struct ptui_function *f,
					  const struct ptui_annotate_opts *opts,
					  struct ptui_error *err);
void ptui_annotation_free(struct ptui_annotation *a); /* NULL ok */

/* The annotated function, with the strings of the annotation. */
const struct ptui_function *ptui_annotation_function(const struct ptui_annotation *a);

struct ptui_annotation_info {
	const char *file;   /* the code is from: a path, "/proc/kcore", "[vdso]" */
	const char *arch;   /* "x86-64" */
	uint64_t start;	    /* first address, as objdump prints it */
	uint64_t end;	    /* address after the last instruction */
	size_t n_code;	    /* number of lines with an instruction */
	size_t n_source;    /* number of lines with source text */
	uint64_t bad_bytes; /* bytes that are no valid instruction */
	/* a sentence: why there are no source lines; NULL: there are, or they were not asked for */
	const char *no_source;
	/* a sentence: a source file is newer than the program, or is missing; NULL: all is well */
	const char *source_note;
};

const struct ptui_annotation_info *ptui_annotation_info(const struct ptui_annotation *a);

/*
 * Lines are in the order of `objdump -d -S`: source text stands above the code that was made from
 * it, and may appear several times.
 */
enum ptui_line_kind {
	PTUI_LINE_CODE,	    /* an instruction */
	PTUI_LINE_SOURCE,   /* a line of a source file */
	PTUI_LINE_FUNCTION, /* the code below is of this function: "mix" (inlined), or the symbol */
};

enum ptui_flow {
	PTUI_FLOW_NEXT,	  /* goes on with the next instruction */
	PTUI_FLOW_JUMP,	  /* always */
	PTUI_FLOW_BRANCH, /* conditional jump */
	PTUI_FLOW_CALL,
	PTUI_FLOW_RETURN,
};

struct ptui_line {
	enum ptui_line_kind kind;
	/*
	 * CODE: "call   1070 <sqrt@plt>", as objdump prints it; SOURCE: the text, without a newline;
	 * FUNCTION: its name. Source text and names are as in the file: escape them before printing.
	 */
	const char *text;
	/* source of the code; of a source line its own; NULL and 0: unknown */
	const char *path;
	unsigned line;
	bool no_text; /* SOURCE: the file is missing or too short, so the text is "PATH:LINE" */

	/* the rest is of CODE only */
	unsigned mnemonic; /* length of the mnemonic in `text` */
	uint64_t addr;	   /* as objdump prints it */
	uint64_t offset; /* of the first byte in the file; of memory and the kernel: the address */
	const uint8_t *bytes;
	uint32_t n_bytes;
	bool bad; /* no valid instruction */
	/* with opts.types, of the data that it accesses: "struct page +0x8 (lru.next)"; NULL: none, or unknown */
	const char *type;
	enum ptui_flow flow;
	bool has_target;
	uint64_t target; /* address of a jump or call */
	uint32_t
		target_line; /* its line if it is in this function; PTUI_NONE: elsewhere, unknown */
	const char *target_symbol;	  /* function there; NULL: unknown */
	uint64_t target_offset;		  /* in that function */
	uint32_t first_inline, n_inlines; /* inlined functions it belongs to, see below */
};

size_t ptui_annotation_n_lines(const struct ptui_annotation *a);
/* Its address stays valid; lines are one array. */
const struct ptui_line *ptui_annotation_line(const struct ptui_annotation *a, size_t i);
/*
 * Inlined functions of a line of code: index `first_inline` is the innermost, `n_inlines` - 1 later
 * is the outermost. Returns the demangled name.
 */
const char *ptui_annotation_inline(const struct ptui_annotation *a, uint32_t i);
/* The line with the instruction that contains an address; PTUI_NONE: none. */
uint32_t ptui_annotation_find(const struct ptui_annotation *a, uint64_t addr);

/*
 * The function that a line jumps to or calls, if it is another one: of the same DSO, or by name
 * through the PLT of a DSO that has samples in `p`. False: unknown. Strings are borrowed from the
 * annotation and the profile.
 */
bool ptui_annotation_callee(const struct ptui_annotation *a, size_t line, struct ptui_profile *p,
			    struct ptui_function *ret);

/* ---- counts ---- */

struct ptui_annotate_count {
	uint64_t samples, period;
};

/*
 * Counts the samples of a profile: the one of the annotation, or another one of the same recording.
 * `filter` may be NULL. NULL on failure with err set.
 */
struct ptui_annotate_counts *ptui_annotate_count(const struct ptui_annotation *a,
						 struct ptui_profile *p,
						 const struct ptui_annotate_filter *filter,
						 struct ptui_error *err);
void ptui_annotate_counts_free(struct ptui_annotate_counts *c); /* NULL ok */

size_t ptui_counts_n_events(const struct ptui_annotate_counts *c);
/* Samples of a line: zero for lines without code. Here and below nothing of an event that there is not. */
struct ptui_annotate_count ptui_counts_line(const struct ptui_annotate_counts *c, size_t event,
					    size_t line);
/* Samples of the function. */
struct ptui_annotate_count ptui_counts_local(const struct ptui_annotate_counts *c, size_t event);
/* Samples of the event in the whole profile, after the filter. */
struct ptui_annotate_count ptui_counts_global(const struct ptui_annotate_counts *c, size_t event);

enum ptui_percent_type {
	PTUI_PERCENT_LOCAL_PERIOD,  /* of the periods of the function */
	PTUI_PERCENT_LOCAL_HITS,    /* of its samples */
	PTUI_PERCENT_GLOBAL_PERIOD, /* of the periods of the event */
	PTUI_PERCENT_GLOBAL_HITS,
};

double ptui_counts_percent(const struct ptui_annotate_counts *c, size_t event, size_t line,
			   enum ptui_percent_type type);
/*
 * From branch stacks with cycles, of a profile that was loaded with `cycles`. Of a line:
 */
struct ptui_line_cycles {
	/* instructions per cycle of the block that the instruction is in; 0: unknown */
	double ipc;
	uint64_t branches; /* how often a branch here was seen ... */
	uint64_t sum;	   /* ... and the cycles since the branches before */
	uint32_t min, max; /* of one branch; 0: the CPU did not measure it */
};

struct ptui_line_cycles ptui_counts_line_cycles(const struct ptui_annotate_counts *c, size_t line);

/* Of the function. */
struct ptui_function_cycles {
	uint64_t branches; /* number of branches seen; 0: nothing is known about cycles */
	double ipc;	   /* of its blocks, each as often as it ran; 0: unknown */
	double coverage;   /* percentage of its instructions that have an `ipc` */
};

struct ptui_function_cycles ptui_counts_cycles(const struct ptui_annotate_counts *c);

/*
 * Lines with samples of the event, hottest first: by samples, or by period. The array is borrowed;
 * *ret_n is its length.
 */
const uint32_t *ptui_counts_hottest(const struct ptui_annotate_counts *c, size_t event,
				    bool by_samples, size_t *ret_n);

#ifdef __cplusplus
}
#endif
#endif
