/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Shared by the files of `ptui script`. */
#ifndef CLI_SCRIPT_SCRIPT_H
#define CLI_SCRIPT_SCRIPT_H

#include <pthread.h>
#include "base/buf.h"
#include "base/hash.h"
#include "base/vec.h"
#include "cli/recording.h"
#include "cli/script/address_ranges.h"
#include "cli/script/put.h"
#include "cli/script/script_fields.h"
#include "cli/script/stack_cache.h"
#include "event/trace_format.h"
#include "session/stream.h"

struct script_opts {
	struct recording_opts in;
	struct script_fields fields;
	bool no_chains; /* -G */
	bool no_inlines;
	bool ns, reltime, deltatime, kernel_path, source_path, dump;
	bool show_tasks, show_mmaps, show_switches, show_namespaces, show_lost, show_bpf,
		show_cgroups, show_rounds, show_text_pokes;
	const char *comms, *symbols, *dsos, *cpus, *pids, *tids, *times;
	uint64_t addr_range; /* bytes from an address among `symbols` on */
	const char *switch_on, *switch_off;
	bool show_switch; /* also the events that switch */
	const char *stop_bt;
	uint64_t max_blocks; /* of brstackinsn; 0: all */
	bool latency;
	bool dump_unsorted;
	bool dump_only; /* with `dump`: without the lines of samples */
	bool per_event;
};

#define SCRIPT_LINES_MAX ((size_t)256 << 20) /* bytes of `lines`; then they are made again */

/* The line of a frame in a callchain, made once. */
struct script_line {
	uint32_t at, n; /* in `lines`; n 0: not made yet */
	uint32_t tail;	/* from where on it is " symbol+0xoff (dso)" */
	uint32_t place; /* length of that; the source line and the end of the line follow */
	bool stops;	/* --stop-bt: no callers are printed */
};

struct script_places {
	struct script_line *lines; /* by frame */
	size_t cap;
};

/* An address whose line is known. */
#define SCRIPT_CACHED_BITS 12
struct script_cached {
	uint64_t addr;
	uint32_t key; /* stream_maps(), the kind of the event, and whether with inlines */
	uint32_t at, n;
	bool stops; /* as in script_line */
};

/*
 * A part of a function in one block of a module: its lines differ in two numbers only.
 *
 *	"\t           1183 leaf+0x1a (/tmp/w)\n"
 *	                  '-head-'   '-tail---'
 */
#define SCRIPT_CODE_BITS 15
#define SCRIPT_CODE_WAYS 2
struct script_code {
	uint64_t block; /* number of the block */
	uint32_t module;
	int32_t start;	     /* offset of the block in the function */
	uint32_t head, tail; /* in `lines` */
	uint16_t n_head, n_tail;
	uint8_t from, to; /* bytes of the block; to 0: free */
	uint8_t kind;
	bool offset : 1; /* is between head and tail */
	bool kernel : 1; /* shown with its address */
};
#define SCRIPT_CODE_BYTES \
	(((size_t)SCRIPT_CODE_WAYS << SCRIPT_CODE_BITS) * sizeof(struct script_code))
_Static_assert(sizeof(struct script_code) * SCRIPT_CODE_WAYS == 64, "one cache line");
_Static_assert(SCRIPT_CODE_BYTES == (size_t)2 << 20, "one huge page");

/* A text in `lines`; n 0: not made yet. */
struct script_text {
	uint32_t at, n;
};

struct script_texts {
	struct script_text *texts;
	size_t cap;
};

/* --per-event-dump: the text of the events with one name. */
struct script_file {
	char *path;
	int fd;
	struct buf out;
	uint64_t bytes, samples; /* written; printed */
};

/* One event, as it is printed. */
struct script_event {
	uint64_t fields;
	enum script_kind kind;
	bool chains;
	bool values;	   /* has fields that script_values.c prints */
	bool simple;	   /* nothing in the line of an address depends on more than its function */
	bool branch_trace; /* each branch is a sample (BTS): "from => to" */
	bool default_fields;	  /* -F does not change them */
	uint32_t name_at, name_n; /* in `lines`: "      cycles: " */
	struct script_file *file; /* NULL: standard output */
};

struct script_comm {
	uint32_t id; /* of the stream's names */
	char text[64];
	uint32_t n;
};

/* "comm 17/18 ", with which the lines of a thread begin. */
struct script_thread {
	const struct script_event *event; /* NULL: unused */
	int32_t pid, tid;
	uint64_t from, last; /* when the thread has this name */
	unsigned seals;	     /* stream_seals() */
	uint32_t n;
	char text[128]; /* with room for put_line() */
};

/* "  123.", with which the times of a second begin. */
struct script_seconds {
	uint64_t seconds;
	uint32_t n; /* 0: none yet */
	char text[2 * PUT_PIECE];
};

/* The same moment by both clocks. */
struct script_clock {
	uint64_t wall_ns, clock_ns;
};

struct script_cgroup {
	uint64_t id;
	char *path;
};

/* Where the addresses of a callchain are. */
struct chain_place {
	bool inlines;	   /* with inlined functions */
	bool without_user; /* user addresses are not printed */
	bool uncached;	   /* an address of unknown maps was printed */
	int32_t pid;
	unsigned mode;
	uint32_t maps; /* stream_maps(); 0: not to be cached */
	uint64_t when;
	struct address_ranges *ranges; /* of these maps; NULL: the line depends on more than that */
};

struct script_filter;
struct script_insns;
struct script_sources;
struct script_metrics;
struct line_batch;

struct script {
	const struct cli *cli;
	const struct script_opts *opts;
	struct script_fields fields; /* as far as the recording has them */
	struct stream *stream;
	struct ptui_error err;
	struct buf out;	  /* output not written yet */
	struct buf lines; /* texts that are used again */
	struct buf scratch;
	struct script_event *events;
	size_t n_events, cap_events;
	struct script_file *files; /* --per-event-dump: as many as events, n_files of them in use */
	size_t n_files;
	size_t name_width;
	struct script_places places[2 * SCRIPT_KINDS]; /* by kind; without and with inlines */
	size_t lines_start;			       /* what stays in `lines` */
	struct script_cached cached[1 << SCRIPT_CACHED_BITS];
	struct script_code (*code)[SCRIPT_CODE_WAYS]; /* aligned part of code_map */
	void *code_map;
	struct address_spaces spaces;
	struct script_text unmapped[SCRIPT_KINDS]; /* " [unknown] ([unknown])\n" */
	struct script_texts heads[SCRIPT_KINDS];   /* of script_code, by symbol + 1 */
	struct script_texts tails[SCRIPT_KINDS];   /* by DSO */
	struct stack_cache stacks;
	struct script_comm comms[256]; /* by hash of the id */
	struct script_thread threads[256];
	struct script_seconds seconds;
	struct trace_formats *formats;
	struct script_filter *filter; /* NULL: all samples */
	struct script_clock clock;
	struct script_insns *insns;	/* NULL: no field needs them */
	struct script_sources *sources; /* NULL: none was printed */
	struct script_metrics *metrics; /* NULL: none was computed */
	struct script_cgroup *cgroups;
	size_t n_cgroups, cap_cgroups;
	struct index_table cgroup_index; /* the last one with each id */
	uint64_t samples;		 /* read so far */
	size_t data_src_width;		 /* of the widest text so far */
	uint64_t first_ns, previous_ns;
	bool timed;		    /* first_ns, previous_ns are set */
	bool at_once;		    /* flush at each round */
	bool has_build_ids;	    /* the header has those of DSOs */
	uint64_t when;		    /* of the current record, for names in payloads */
	struct line_writer *writer; /* NULL: lines are written at once */
	pthread_mutex_t *names;	    /* held by one of two threads; NULL: there is only one */
};

/* Around what finds a frame or a name: see stream_preload(). */
static inline void script_lock(const struct script *s)
{
	if (s->names)
		pthread_mutex_lock(s->names);
}

static inline void script_unlock(const struct script *s)
{
	if (s->names)
		pthread_mutex_unlock(s->names);
}

/* ---- script.c ---- */
struct script *script_new(void); /* NULL: no memory */
/* Another one that prints lines of the same recording. Does not own what `s` has. */
struct script *script_second(const struct script *s);
void script_second_free(struct script *s); /* NULL ok */

/* ---- script_print.c ---- */
/* Room for n bytes at the end of the output; NULL: no memory. */
static inline char *script_room(struct script *s, size_t n)
{
	if (s->out.cap - s->out.len <= n &&
	    vec_reserve(&s->out.data, &s->out.cap, s->out.len + n + 1, 1))
		return NULL;
	return s->out.data + s->out.len;
}

static inline void script_wrote(struct script *s, const char *end)
{
	s->out.len = (size_t)(end - s->out.data);
}

/* One sample as perf's text; `period` and `event` may be those of another member of its group. */
int script_print_sample(struct script *s, const struct data_sample *sample, uint64_t when,
			uint32_t event, uint64_t period);
/* The beginning of each line: "comm pid [cpu] time: ". */
struct script_start {
	uint32_t type; /* of the record */
	uint16_t misc;
	int32_t pid, tid;
	int32_t comm_pid, comm_tid; /* whose name */
	struct data_guest guest;
	uint32_t cpu;
	uint64_t time_ns, when;
};
int script_print_start(struct script *s, const struct script_event *e,
		       const struct script_start *start);
/* The same of a sample, up to the name of its event. */
int script_print_begin(struct script *s, const struct script_event *e,
		       const struct script_start *start, uint64_t period);
int script_print_sample_start(struct script *s, const struct script_event *e,
			      const struct data_sample *sample, uint64_t when);
/* The name of a thread, escaped; valid until the next call. */
const struct script_comm *script_comm(struct script *s, int32_t pid, int32_t tid, uint64_t when);
/* ---- script_frame.c ---- */
/* Append " (dso)", and " symbol+0xoff (dso)", to `lines`. */
const char *script_dso_name(const struct script *s, const struct dso_info *dso);
void script_add_dso(struct script *s, uint64_t fields, const struct frame *f);
void script_add_place(struct script *s, uint64_t fields, const struct frame *f);
/* NULL: no memory. */
const struct script_line *script_line_of(struct script *s, const struct script_event *e,
					 uint32_t frame, bool inlines);
/* Drops `lines`, and what refers to them. */
void script_forget_lines(struct script *s);
/*
 * "file.c:12" of a frame in a module; without debug information "libc.so.6[1234]". `level` 0: of the function that was
 * inlined innermost; 1: of the one that called it, and so on.
 */
#define SCRIPT_OUTERMOST SIZE_MAX
void script_add_srcline(struct script *s, uint32_t frame, size_t level, struct buf *out);
/* " symbol+0xoff (dso)" of an address, as far as the event has these fields. */
int script_print_place(struct script *s, const struct script_event *e, uint32_t frame, bool source);

/* ---- script_chain.c ---- */
int script_print_chain(struct script *s, const struct script_event *e,
		       const struct data_sample *sample, uint64_t when);
/* What the thread does with a batch. 0 or -ENOMEM. */
int script_write_lines(struct script *s, const struct line_batch *b);

/* ---- script_values.c ---- */
int script_print_tod(struct script *s, uint64_t time_ns);
/* The data address, with its symbol if it can have one. */
int script_print_addr(struct script *s, const struct script_event *e, const struct data_event *ev,
		      const struct data_sample *sample, uint64_t when);
/* The fields before the address, and those after it. */
int script_print_values(struct script *s, const struct script_event *e, const struct data_event *ev,
			const struct data_sample *sample, uint64_t when);
int script_print_last_values(struct script *s, const struct script_event *e,
			     const struct data_event *ev, const struct data_sample *sample,
			     uint64_t when);
bool script_is_bpf_output(const struct data_event *ev);
void script_add_page_size(struct buf *out, uint64_t size); /* " 4K" */
/* CLOCK_DATA, for the field tod. -ENODATA: the recording has none. */
int script_clock(struct data_file *file, struct script_clock *ret);

/* ---- script_insn.c ---- */
/* An error if there is no disassembler for the recorded machine. 0 or -errno. */
int script_insns_new(struct stream *stream, struct script_insns **ret, struct ptui_error *err);
void script_insns_free(struct script_insns *i); /* NULL ok */
/* The fields of SCRIPT_INSN; and of SCRIPT_BLOCKS. */
int script_print_insn(struct script *s, uint64_t fields, const struct data_sample *sample,
		      uint64_t when);
int script_print_blocks(struct script *s, const struct script_event *e, const struct data_event *ev,
			const struct data_sample *sample, uint64_t when);

/* ---- script_source.c ---- */
/* "|12       text of the line\n", unless it is the last one that the thread printed. */
int script_print_srccode(struct script *s, const struct data_sample *sample, uint64_t when,
			 uint64_t addr);
void script_sources_free(struct script_sources *src); /* NULL ok */

/* ---- script_synth.c ---- */
/* The payload of an event of PTUI_TYPE_SYNTH. */
int script_print_synth(struct script *s, const struct data_event *ev,
		       const struct data_sample *sample);

/* ---- script_metric.c ---- */
/* A member of the group of a sample has counted this much; when all have, the group's metrics. */
int script_metric_add(struct script *s, uint32_t event, uint64_t period);
int script_print_metrics(struct script *s, const struct data_sample *sample, uint64_t when);
void script_metrics_free(struct script_metrics *m); /* NULL ok */

/* ---- script_memory.c ---- */
struct script_branch {
	uint64_t from, to;
	bool missed, predicted, in_tx, abort;
	unsigned cycles;
	const char *type; /* "CALL" */
};
void script_branch(const struct script *s, const struct data_sample *sample, size_t i,
		   struct script_branch *ret);
int script_print_branches(struct script *s, const struct script_event *e,
			  const struct data_sample *sample, uint64_t when);
int script_print_data_src(struct script *s, uint64_t data_src);
void script_dump_branches(struct script *s, const struct data_event *ev,
			  const struct data_sample *sample);

/* ---- script_event.c ---- */
/* A record other than a sample, if it is to be shown. */
int script_print_record(struct script *s, const struct data_record *rec, uint64_t when);
/* "symbol+0xoff" of a kernel address; nothing if it is not known. */
void script_add_kernel_symbol(struct script *s, uint64_t addr, uint64_t when, struct buf *out);
/* The path of a control group; "unknown". */
const char *script_cgroup_name(const struct script *s, uint64_t id);

/* The fields of a record that has a type of its own there, without the end of the line. */
bool script_add_record_fields(struct script *s, const struct data_record *rec);

/* ---- script_dump.c ---- */
/* -D; `sample`: decoded, NULL if the record is none. */
int script_dump_record(struct script *s, const struct data_record *rec,
		       const struct data_sample *sample);
/* The thread and the DSO of a sample, before its line. */
void script_dump_place(struct script *s, const struct data_sample *sample, uint64_t when);

/* ---- script_filter.c ---- */
int script_filter_new(const struct script_opts *o, struct data_file *file,
		      struct script_filter **ret, struct ptui_error *err);
void script_filter_free(struct script_filter *f); /* NULL ok */
/* Whether records of this CPU are shown. */
bool script_filter_cpu(const struct script_filter *f, bool known, uint32_t cpu);
/* By time and CPU; by thread, name and place, of which -D prints what is left out, too. NULL: accepts all. */
bool script_filter_sample(const struct script_filter *f, const struct data_sample *s);
bool script_filter_place(const struct script_filter *f, struct script *script,
			 const struct data_sample *s, uint64_t when);
/* --switch-on, --switch-off: whether a sample of this event is shown, after which others may be. */
bool script_filter_event(struct script_filter *f, uint32_t event);
/* Whether a list "A,B" has this word. */
bool script_list_has(const char *list, const char *word);

/* ---- script_files.c ---- */
/* Creates the files of all events. 0 or -errno. */
int script_files_open(struct script *s, const char *input, struct ptui_error *err);
/* Between both, what is printed goes to the file of an event. */
void script_file_begin(struct script *s, struct script_event *e);
int script_file_end(struct script *s, struct script_event *e, struct ptui_error *err);
/* Writes what is left, and reports the files. 0 or -errno. */
int script_files_finish(struct script *s, struct ptui_error *err);
void script_files_release(struct script *s);

/* ---- script_refused.c ---- */
/* Options of perf script that ptui does not have, each with its reason: option_call_fn. */
int script_refuse_aux(void *field, const char *value, bool unset, struct ptui_error *err);
int script_refuse_guest(void *field, const char *value, bool unset, struct ptui_error *err);
int script_refuse_library(void *field, const char *value, bool unset, struct ptui_error *err);
int script_refuse_programs(void *field, const char *value, bool unset, struct ptui_error *err);
int script_refuse_verbose(void *field, const char *value, bool unset, struct ptui_error *err);
int script_refuse_debug(void *field, const char *value, bool unset, struct ptui_error *err);
int script_refuse_all_cpus(void *field, const char *value, bool unset, struct ptui_error *err);

#endif
