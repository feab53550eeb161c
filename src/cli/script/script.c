/* SPDX-License-Identifier: GPL-2.0-or-later */
/* `ptui script`: the samples of a recording as text, one after the other. */
#include "cli/script/script.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include "base/file.h"
#include "base/i18n.h"
#include "base/perf_abi.h"
#include "base/text.h"
#include "base/vec.h"
#include "cli/out.h"
#include "cli/pager.h"
#include "cli/script/line_writer.h"
#include "cli/script/report_records.h"
#include "session/header.h"

#define OUT_BYTES ((size_t)1 << 20) /* written at once */
#define MAX_STACK 127		    /* if the kernel does not say */

/* ---- what is ready before the first line ---- */

static int add_event(struct script *s, const struct data_event *ev)
{
	struct script_event e = {
		.kind = script_kind(ev),
		.chains = ev->sample_type & PERF_SAMPLE_CALLCHAIN && !s->opts->no_chains,
	};
	size_t n;

	if (vec_grow(&s->events, &s->cap_events, s->n_events + 1))
		return -ENOMEM;
	e.fields = s->fields.kinds[e.kind].fields;
	e.values = e.fields & ~SCRIPT_WITHOUT_VALUES &
		   ~(script_is_bpf_output(ev) ? 0 : SCRIPT_FIELD(BPF_OUTPUT));
	/* as perf tests it: the bit of `branches` is that of branch-misses, too */
	e.branch_trace = ev->type == PERF_TYPE_HARDWARE && ev->sample_period == 1 &&
			 ev->config & PERF_COUNT_HW_BRANCH_INSTRUCTIONS;
	e.default_fields = !s->fields.kinds[e.kind].user_set;
	e.simple = !(e.fields & (SCRIPT_FIELD(SRCLINE) | SCRIPT_FIELD(DSOFF))) && !s->opts->stop_bt;
	buf_clear(&s->scratch);
	text_escape(&s->scratch, ev->name);
	n = s->scratch.len;
	e.name_at = (uint32_t)s->lines.len;
	while (n++ < s->name_width)
		buf_add_char(&s->lines, ' ');
	buf_add_str(&s->lines, buf_str(&s->scratch));
	buf_add_str(&s->lines, ": ");
	e.name_n = (uint32_t)s->lines.len - e.name_at;
	s->events[s->n_events++] = e;
	return s->lines.err || s->scratch.err ? -ENOMEM : 0;
}

static int add_events(struct script *s, struct data_file *file)
{
	for (size_t i = 0; i < data_n_events(file); i++) {
		size_t n = strlen(data_event(file, i)->name);

		if (n > s->name_width)
			s->name_width = n;
	}
	for (size_t i = 0; i < data_n_events(file); i++)
		if (add_event(s, data_event(file, i)))
			return ptui_error_nomem(&s->err);
	s->lines_start = s->lines.len;
	return vec_reserve(&s->lines.data, &s->lines.cap, s->lines_start + PUT_PIECE, 1) ?
		       ptui_error_nomem(&s->err) :
		       0;
}

/* The function at a kernel address, for payloads with %pS. */
static const char *kernel_function(void *ctx, uint64_t addr, const char **ret_module,
				   uint64_t *ret_start)
{
	struct script *s = ctx;
	const struct resolver *r = stream_resolver(s->stream);
	uint32_t id = stream_frame_in(s->stream, -1, DATA_MODE_KERNEL, s->when, addr);
	const struct frame *f = id == PTUI_NONE ? NULL : &resolver_frames(r)[id];
	const struct symbol *sym = f && f->sym != PTUI_NONE ? resolver_symbol(r, f->sym) : NULL;
	const struct dso_info *dso = sym ? resolver_dso(r, f->dso) : NULL;

	if (!sym)
		return NULL;
	*ret_start = addr - (f->off - sym->start);
	if (dso && strcmp(stream_name(s->stream, dso->short_name), "[kernel.kallsyms]"))
		*ret_module = stream_name(s->stream, dso->short_name);
	return stream_name(s->stream, sym->name);
}

void script_add_kernel_symbol(struct script *s, uint64_t addr, uint64_t when, struct buf *out)
{
	const char *name, *module = NULL;
	uint64_t start;

	s->when = when;
	name = kernel_function(s, addr, &module, &start);
	if (!name)
		return;
	text_escape(out, name);
	buf_addf(out, "+0x%" PRIx64, addr - start);
}

static int read_formats(struct script *s, struct data_file *file)
{
	size_t n = 0;
	const void *bytes = data_feature(file, PTUI_FEAT_TRACING_DATA, &n);

	if (!bytes)
		return 0;
	s->formats = trace_formats_new(bytes, n, kernel_function, s, &s->err);
	return s->formats ? 0 : -ENOMEM;
}

static bool wants_sideband(const struct script_opts *o)
{
	return o->show_tasks || o->show_mmaps || o->show_switches || o->show_namespaces ||
	       o->show_lost || o->show_bpf || o->show_cgroups || o->show_text_pokes;
}

/* Whether some event shows one of these fields. */
static bool shows(const struct script *s, uint64_t fields)
{
	for (size_t i = 0; i < s->n_events; i++)
		if (s->events[i].fields & fields)
			return true;
	return false;
}

static int add_header(struct script *s, struct data_file *file)
{
	char *text = header_text(file, s->opts->in.info);

	if (!text)
		return ptui_error_nomem(&s->err);
	buf_add_str(&s->out, text);
	free(text);
	return s->out.err ? ptui_error_nomem(&s->err) : 0;
}

/*
 * Whether a thread makes the lines of callchains: only where nothing else in the output depends on
 * these, and what is printed besides samples comes from one thread.
 */
static bool wants_writer(const struct script *s, const struct data_file *file)
{
	bool chains = false;

	if (s->opts->dump || s->opts->per_event || s->opts->show_rounds || shows(s, SCRIPT_LINES) ||
	    wants_sideband(s->opts) || !stream_wants_threads(s->stream))
		return false;
	for (size_t i = 0; i < s->n_events; i++) {
		if (!s->events[i].simple || s->events[i].branch_trace ||
		    data_event(file, i)->sample_type & PERF_SAMPLE_STACK_USER)
			return false;
		chains |= s->events[i].chains;
	}
	return chains;
}

static int begin(void *ctx, struct stream *stream)
{
	struct script *s = ctx;
	struct data_file *file = stream_file(stream);
	size_t size;
	int ret;

	s->fields = s->opts->fields;
	s->has_build_ids = !data_is_pipe(file) && data_feature(file, PTUI_FEAT_BUILD_ID, &size);
	ret = script_fields_settle(&s->fields, file, !s->opts->no_chains, &s->err);
	if (!ret)
		ret = add_events(s, file);
	if (!ret && shows(s, SCRIPT_FIELD(TOD)) && script_clock(file, &s->clock))
		ret = ptui_error_set(&s->err, PTUI_ERROR_INPUT, EINVAL, "tod",
				     _("the recording has no clock data for the field 'tod'; "
				       "'ptui record -k CLOCK' records them"));
	if (!ret && shows(s, SCRIPT_INSN | SCRIPT_BLOCKS))
		ret = script_insns_new(stream, &s->insns, &s->err);
	if (!ret)
		ret = script_filter_new(s->opts, file, &s->filter, &s->err);
	if (!ret && s->opts->per_event)
		ret = script_files_open(s, s->opts->in.input, &s->err);
	if (!ret)
		ret = read_formats(s, file);
	if (!ret && s->opts->in.header)
		ret = add_header(s, file);
	if (!ret && wants_writer(s, file)) {
		stream_preload(stream);
		line_writer_start(s);
	}
	return ret;
}

/* ---- records ---- */

struct member {
	struct script *s;
	const struct data_sample *sample;
	uint64_t when;
	bool passes;
};

static int print_member(void *ctx, uint32_t event, uint64_t period)
{
	struct member *m = ctx;
	struct script *s = m->s;
	int ret;

	if (s->opts->dump)
		script_dump_place(s, m->sample, m->when);
	if (s->opts->dump_only || !m->passes)
		return 0;
	if (event >= s->n_events || !script_filter_event(s->filter, event))
		return 0;
	if (!s->events[event].file)
		return script_print_sample(s, m->sample, m->when, event, period);
	script_file_begin(s, &s->events[event]);
	ret = script_print_sample(s, m->sample, m->when, event, period);
	if (!ret)
		return script_file_end(s, &s->events[event], &s->err);
	return ret;
}

static bool passes_place(struct script *s, const struct data_sample *sample, uint64_t when)
{
	bool passes;

	if (!s->filter)
		return true;
	script_lock(s);
	passes = script_filter_place(s->filter, s, sample, when);
	script_unlock(s);
	return passes;
}

static int print_sample(struct script *s, const struct data_record *rec, uint64_t when)
{
	struct data_sample sample;
	struct member m = { s, &sample, when, true };
	int ret;

	s->samples++;
	ret = stream_sample(s->stream, rec, &sample);
	if (ret || sample.event >= s->n_events)
		return s->opts->dump ? script_dump_record(s, rec, NULL) : 0;
	if (s->opts->dump && script_dump_record(s, rec, &sample))
		return -ENOMEM;
	if (!script_filter_sample(s->filter, &sample))
		return 0;
	m.passes = passes_place(s, &sample, when);
	ret = m.passes || s->opts->dump ? stream_members(s->stream, &sample, print_member, &m) : 0;
	return ret || !m.passes ? ret : script_print_metrics(s, &sample, when);
}

/* An error of the output is reported at exit. */
static int writer_result(struct script *s, int ret)
{
	return ret == -ENOMEM ? ptui_error_nomem(&s->err) : ret;
}

static int record(void *ctx, struct stream *stream, const struct data_record *rec, uint64_t when)
{
	struct script *s = ctx;
	int ret = 0;

	(void)stream;
	s->when = when;
	if (rec->type == PERF_RECORD_SAMPLE)
		ret = print_sample(s, rec, when);
	else if (s->opts->dump)
		ret = script_dump_record(s, rec, NULL);
	if (!ret && rec->type != PERF_RECORD_SAMPLE)
		ret = script_print_record(s, rec, when);
	if (ret)
		return ptui_error_is_set(&s->err) ? ret : ptui_error_nomem(&s->err);
	if (s->writer)
		return line_writer_is_full(s) ? writer_result(s, line_writer_give(s)) : 0;
	return s->out.len >= OUT_BYTES ? cli_put(&s->out) : 0;
}

/* What comes from a pipe is shown at once. */
static int round_done(void *ctx, struct stream *stream)
{
	struct script *s = ctx;

	(void)stream;
	if (!s->at_once)
		return 0;
	if (cli_put(&s->out))
		return -EIO;
	return cli_flush();
}

/* ---- the command ---- */

/*
 * The table of code is looked up at random for each address, so it is one huge page if the kernel
 * has one: its address is then always known to the processor. NULL: no memory.
 */
struct script *script_new(void)
{
	struct script *s = calloc(1, sizeof(*s));
	uintptr_t at;

	if (!s)
		return NULL;
	s->code_map = mmap(NULL, 2 * SCRIPT_CODE_BYTES, PROT_READ | PROT_WRITE,
			   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (s->code_map == MAP_FAILED) {
		free(s);
		return NULL;
	}
	at = (uintptr_t)s->code_map + SCRIPT_CODE_BYTES - 1;
	s->code = (void *)(at & ~(uintptr_t)(SCRIPT_CODE_BYTES - 1));
	(void)madvise(s->code, SCRIPT_CODE_BYTES, MADV_HUGEPAGE);
	return s;
}

/* What both of two threads have. */
static void script_release_texts(struct script *s)
{
	for (size_t i = 0; i < 2 * SCRIPT_KINDS; i++)
		free(s->places[i].lines);
	for (size_t i = 0; i < SCRIPT_KINDS; i++) {
		free(s->heads[i].texts);
		free(s->tails[i].texts);
	}
	munmap(s->code_map, 2 * SCRIPT_CODE_BYTES);
	stack_cache_release(&s->stacks);
	buf_release(&s->out);
	buf_release(&s->lines);
	buf_release(&s->scratch);
	free(s);
}

static void script_release(struct script *s)
{
	if (!s)
		return;
	stream_free(s->stream);
	trace_formats_free(s->formats);
	script_filter_free(s->filter);
	script_insns_free(s->insns);
	script_sources_free(s->sources);
	script_metrics_free(s->metrics);
	script_files_release(s);
	for (size_t i = 0; i < s->n_cgroups; i++)
		free(s->cgroups[i].path);
	free(s->cgroups);
	index_table_release(&s->cgroup_index);
	free(s->events);
	script_release_texts(s);
}

struct script *script_second(const struct script *s)
{
	struct script *second = script_new();

	if (!second)
		return NULL;
	second->opts = s->opts;
	second->stream = s->stream;
	second->events = s->events;
	second->n_events = s->n_events;
	second->clock = s->clock;
	second->lines_start = s->lines_start;
	buf_add(&second->lines, s->lines.data, s->lines_start); /* names of events */
	if (second->lines.err ||
	    vec_reserve(&second->lines.data, &second->lines.cap, s->lines_start + PUT_PIECE, 1)) {
		script_second_free(second);
		return NULL;
	}
	return second;
}

void script_second_free(struct script *s)
{
	if (s)
		script_release_texts(s);
}

/* Control groups get their names from records. */
static bool wants_cgroups(const struct script_opts *o)
{
	for (size_t i = 0; i < SCRIPT_KINDS; i++)
		if (o->fields.kinds[i].fields & SCRIPT_FIELD(CGROUP))
			return true;
	return false;
}

static int script_file(const struct cli *cli, const struct script_opts *o, struct data_file *file)
{
	const struct stream_opts sopts = {
		.load = o->in.load,
		.sideband = wants_sideband(o) || wants_cgroups(o) || o->dump,
		.rounds = o->show_rounds || o->dump_unsorted,
		.all = o->dump,
		.unknown = o->dump,
		.simpleperf = o->dump,
	};
	struct script *s = script_new();
	const struct stream_callbacks cb = { begin, record, round_done, s };
	struct ptui_trust trust;
	int status = CLI_OK;

	if (!s || !(s->stream = stream_new(file, &sopts))) {
		script_release(s);
		return cli_nomem(cli);
	}
	s->cli = cli;
	s->opts = o;
	s->at_once = data_is_pipe(file);
	pager_start(cli);
	stream_run(s->stream, &cb, &s->err);
	writer_result(s, line_writer_finish(s));
	if (!ptui_error_is_set(&s->err) && !script_files_finish(s, &s->err))
		cli_put(&s->out); /* a failure is reported at exit */
	pager_finish();
	if (ptui_error_is_set(&s->err)) {
		status = cli_failed(cli, &s->err);
	} else {
		stream_trust(s->stream, &trust);
		cli_warn_trust(cli, &trust, s->samples, o->in.input);
		if (!s->samples)
			status = cli_warn_no_samples(cli, &trust, o->in.input);
		if (o->dump) /* shows all other records */
			status = CLI_OK;
	}
	script_release(s);
	return status;
}

static int script_show(struct cli *cli, struct script_opts *o)
{
	struct ptui_error err = PTUI_ERROR_INIT;
	struct data_file *file;
	int status;

	o->in.load.no_chains = o->no_chains;
	o->dump |= o->dump_unsorted;
	if (recording_opts_settle(cli, &o->in, &err))
		return cli_failed(cli, &err);
	file = cli_open_recording(cli, o->in.input, &status);
	if (!file)
		return status;
	status = o->in.header_only ? cli_print_header(cli, file, o->in.input, o->in.info) :
				     script_file(cli, o, file);
	data_close(file);
	return status;
}

/* The kernel's limit, as in perf. */
static uint64_t default_max_stack(void)
{
	long long n;

	return !file_read_long(&n, "%s/sys/kernel/perf_event_max_stack", roots_system.proc) &&
			       n > 0 && n <= UINT16_MAX ?
		       (uint64_t)n :
		       MAX_STACK;
}

int script_dump(struct cli *cli, const struct recording_opts *in, bool unsorted)
{
	struct script_opts o = {
		.in = *in, .dump = true, .dump_only = true, .dump_unsorted = unsorted
	};

	script_fields_init(&o.fields);
	return script_show(cli, &o);
}

/* perf runs Python and Perl programs in its own process. */
static int refuse_scripts(struct cli *cli, const char *word)
{
	struct ptui_error err = PTUI_ERROR_INIT;

	ptui_error_set(
		&err, PTUI_ERROR_INPUT, EINVAL, word,
		_("cannot run '%s': ptui contains no Python and no Perl, which perf's scripts "
		  "run in; pipe the text into a program instead"),
		word);
	return cli_failed(cli, &err);
}

static int run_script(struct cli *cli, int argc, char **argv)
{
	struct script_opts o = { .in.input = cli_default_input };
	struct option_result parsed;
	int status;

	script_fields_init(&o.fields);
	if (!cli_parse(cli, &o, argc, argv, 0, &parsed)) {
		status = cli->status;
	} else if (parsed.n_words) {
		status = refuse_scripts(cli, argv[0]);
	} else {
		cli_choose_input(cli, &o.in.input);
		if (!o.in.max_stack)
			o.in.max_stack = default_max_stack();
		status = script_show(cli, &o);
	}
	free(o.in.usual_cache);
	return status;
}

/* ---- options ---- */

#define AT(member) .offset = offsetof(struct script_opts, member)
#define IN(member) AT(in.member)

static int parse_fields(void *field, const char *value, bool unset, struct ptui_error *err)
{
	(void)unset;
	return script_fields_parse(field, value, err);
}

/* -f once was the letter of the fields; in today's perf it is --force, which ptui does not need. */
static int parse_force(void *field, const char *value, bool unset, struct ptui_error *err)
{
	(void)unset;
	return value ? script_fields_parse(field, value, err) : 0;
}

static const char not_aux[] = N_(
	"not supported: ptui does not decode AUX area traces; 'perf script --itrace' does, and "
	"without this option ptui shows the other records");
static const char not_guest[] = N_(
	"not supported: ptui resolves no addresses in guests, for which recordings have no maps");
static const char not_library[] =
	N_("not supported: ptui loads no filter libraries; pipe the text into a program instead");
static const char not_programs[] = N_(
	"not supported: ptui contains no Python and no Perl, which perf's scripts run in; "
	"pipe the text into a program instead");

#define NOT_AUX(name) OPTION_NOT(0, name, OPTION_MAY_END | OPTION_ATTACHED, not_aux)

static const struct option script_options[] = {
	{ OPTION_GROUP, .help = N_("Input") },
	RECORDING_FILES(IN),
	RECORDING_NAMES(IN),
	RECORDING_DEMANGLE(IN),
	OPTION_NOT('s', "script", 0, not_programs),
	OPTION_NOT('g', "gen-script", 0, not_programs),
	OPTION_NOT('l', "list", OPTION_NO_VALUE, not_programs),
	NOT_AUX("call-trace"),
	NOT_AUX("call-ret-trace"),
	NOT_AUX("insn-trace"),
	OPTION_NOT(0, "itrace", OPTION_MAY_END | OPTION_ATTACHED | OPTION_NO, not_aux),
	NOT_AUX("xed"),
	NOT_AUX("graph-function"),
	OPTION_NOT(0, "guest-code", OPTION_NO_VALUE, not_guest),
	OPTION_NOT(0, "guestkallsyms", 0, not_guest),
	OPTION_NOT(0, "guestmodules", 0, not_guest),
	OPTION_NOT(0, "guestmount", 0, not_guest),
	OPTION_NOT(0, "guestvmlinux", 0, not_guest),
	OPTION_NOT(0, "dlfilter", 0, not_library),
	OPTION_NOT(0, "dlarg", 0, not_library),
	OPTION_NOT(0, "list-dlfilters", OPTION_NO_VALUE, not_library),
	OPTION_NOT(
		'd', "debug-mode", OPTION_NO_VALUE,
		N_("not supported: ptui sorts samples by time and always reports what is lost or damaged")),
	OPTION_NOT('v', "verbose", OPTION_NO_VALUE,
		   N_("not supported: PTUI_DEBUG=1 in the environment prints a log")),
	OPTION_NOT('a', "all-cpus", OPTION_NO_VALUE,
		   N_("not supported: it is for perf's scripts that record; use 'ptui record -a'")),
	{ OPTION_GROUP, .help = N_("Fields") },
	{ OPTION_CALL, 'F', "fields", N_("[KIND:]FIELD[,FIELD...]"),
	  N_("output fields, of all events or of one kind (hw, sw, trace, raw, break); "
	     "+FIELD and -FIELD change the default. Fields: comm, tid, pid, time, cpu, "
	     "event, trace, ip, sym, symoff, dso, dsoff, srcline, addr, period, iregs, uregs, "
	     "brstack, brstacksym, brstackoff, data_src, weight, ins_lat, retire_lat, phys_addr, data_page_size, code_page_size, "
	     "cgroup, bpf-output, misc, tod, flags, insn, insnlen, disasm, brstackinsn, brstackinsnlen, "
	     "brstackdisasm, srccode, metric, machine_pid, vcpu, callindent, ipc, synth"),
	  AT(fields), .call = parse_fields },
	{ OPTION_CALL, 'f', "force", NULL,
	  N_("as in old versions of perf, same as -F if a list of fields follows; "
	     "otherwise no effect: ptui reads the files of any owner"),
	  AT(fields), OPTION_NO_VALUE, .call = parse_force, .takes = script_fields_is_list },
	{ OPTION_FLAG, 0, "ns", NULL, N_("show times with nine digits after the point"), AT(ns) },
	{ OPTION_FLAG, 0, "reltime", NULL, N_("show times relative to the first line"),
	  AT(reltime) },
	{ OPTION_FLAG, 0, "deltatime", NULL, N_("show times relative to the line before"),
	  AT(deltatime) },
	{ OPTION_FLAG, 'G', "hide-call-graph", NULL,
	  N_("show the sampled function only, without its callers"), AT(no_chains) },
	{ OPTION_NUMBER, 0, "max-stack", N_("N"),
	  N_("maximum number of frames in a callchain (default: the kernel's limit)"),
	  IN(max_stack), .min = 1, .max = UINT16_MAX },
	{ OPTION_FLAG, 0, "stitch-lbr", NULL,
	  N_("complete call stacks of --call-graph lbr that are deeper than the LBR with callers from "
	     "earlier samples of the thread, where both have calls in common; these may be wrong"),
	  IN(load.stitch_lbr), OPTION_NO },
	{ OPTION_NUMBER, 0, "max-blocks", N_("N"),
	  N_("with brstackinsn or brstackdisasm: maximum number of blocks of code per sample (default: all)"),
	  AT(max_blocks), .min = 1, .max = UINT16_MAX },
	{ OPTION_STRING, 0, "stop-bt", N_("SYMBOL[,SYMBOL...]"),
	  N_("end callchains after these functions"), AT(stop_bt) },
	{ OPTION_CALL, 0, "inline", NULL,
	  N_("show inlined functions in callchains of copied user stacks, from debug "
	     "information (default)"),
	  AT(no_inlines), OPTION_NO | OPTION_NO_VALUE, .call = option_store_unset },
	{ OPTION_FLAG, 'L', "Latency", NULL,
	  N_("show names of threads in eight columns, and CPUs without brackets"), AT(latency) },
	{ OPTION_FLAG, 0, "show-kernel-path", NULL, N_("show the whole path of kernel modules"),
	  AT(kernel_path) },
	{ OPTION_FLAG, 0, "full-source-path", NULL, N_("show the whole path of source files"),
	  AT(source_path) },
	{ OPTION_FLAG, 0, "per-event-dump", NULL,
	  N_("write the samples of each event into a file of their own, INPUT.EVENT.dump"),
	  AT(per_event) },
	{ OPTION_GROUP, .help = N_("Filters") },
	{ OPTION_STRING, 0, "time", N_("START,STOP"),
	  N_("only samples between these times in seconds; several ranges are separated "
	     "by spaces. Percentages of the recording: '10%-20%', or '10%/2' for its "
	     "second tenth"),
	  AT(times) },
	{ OPTION_STRING, 'C', "cpu", N_("CPU[,CPU-CPU...]"), N_("only these CPUs"), AT(cpus) },
	{ OPTION_STRING, 'c', "comms", N_("COMM[,COMM...]"), N_("only threads with these names"),
	  AT(comms) },
	{ OPTION_STRING, 0, "pid", N_("PID[,PID...]"), N_("only these processes"), AT(pids) },
	{ OPTION_STRING, 0, "tid", N_("TID[,TID...]"), N_("only these threads"), AT(tids) },
	{ OPTION_STRING, 0, "dsos", N_("DSO[,DSO...]"), N_("only samples in these DSOs"),
	  AT(dsos) },
	{ OPTION_STRING, 'S', "symbols", N_("SYMBOL[,SYMBOL...]"),
	  N_("only samples in these functions, or at these hexadecimal addresses"), AT(symbols) },
	{ OPTION_NUMBER, 0, "addr-range", N_("BYTES"),
	  N_("with -S: number of bytes that begin at each address (default: 1)"), AT(addr_range),
	  .max = UINT64_MAX },
	{ OPTION_STRING, 0, "switch-on", N_("EVENT"),
	  N_("no samples before the first one of this event"), AT(switch_on) },
	{ OPTION_STRING, 0, "switch-off", N_("EVENT"),
	  N_("no samples after one of this event, until --switch-on's event"), AT(switch_off) },
	{ OPTION_FLAG, 0, "show-on-off-events", NULL,
	  N_("also show the samples that switch on and off"), AT(show_switch) },
	{ OPTION_GROUP, .help = N_("Header") },
	RECORDING_HEADER(IN),
	{ OPTION_GROUP, .help = N_("Other records") },
	{ OPTION_FLAG, 0, "show-task-events", NULL,
	  N_("show new names of threads, and when threads begin and end"), AT(show_tasks) },
	{ OPTION_FLAG, 0, "show-mmap-events", NULL, N_("show maps"), AT(show_mmaps) },
	{ OPTION_FLAG, 0, "show-switch-events", NULL, N_("show context switches"),
	  AT(show_switches) },
	{ OPTION_FLAG, 0, "show-namespace-events", NULL, N_("show namespaces"),
	  AT(show_namespaces) },
	{ OPTION_FLAG, 0, "show-lost-events", NULL, N_("show where the kernel dropped records"),
	  AT(show_lost) },
	{ OPTION_FLAG, 0, "show-bpf-events", NULL,
	  N_("show BPF programs and other generated kernel code"), AT(show_bpf) },
	{ OPTION_FLAG, 0, "show-cgroup-events", NULL, N_("show new control groups"),
	  AT(show_cgroups) },
	{ OPTION_FLAG, 0, "show-text-poke-events", NULL, N_("show changes of the kernel's code"),
	  AT(show_text_pokes) },
	{ OPTION_FLAG, 'D', "dump-raw-trace", NULL, N_("show all records, as bytes and decoded"),
	  AT(dump) },
	{ OPTION_FLAG, 0, "dump-unsorted-raw-trace", NULL, N_("the same in the order of the file"),
	  AT(dump_unsorted) },
	{ OPTION_FLAG, 0, "show-round-events", NULL,
	  N_("show where rounds of records end; records are in the order of the file then, not of "
	     "their times"),
	  AT(show_rounds) },
	{ .type = OPTION_END },
};

static const struct cli_setting script_settings[] = {
	RECORDING_CACHE(IN(usual_cache)),
	{ .name = NULL },
};

#undef IN
#undef AT

static const char *const script_usage[] = { N_("[OPTION...]"), NULL };

static const struct cli_example script_examples[] = {
	{ "ptui script", N_("Print every sample of perf.data.") },
	{ "ptui script -F comm,tid,time,event,trace --ns",
	  N_("Print the payloads of tracepoints with times in nanoseconds.") },
	{ "ptui record -g -o - -- make | ptui script -i -",
	  N_("Print samples while they are recorded.") },
	{ "ptui script --comms make --time '10%/1'",
	  N_("Print the first tenth, and only threads named make.") },
	{ NULL, NULL },
};

const struct cli_command cmd_script = {
	.name = "script",
	.summary = N_("print the samples of a recording as text"),
	.usage = script_usage,
	.text = N_(
		"Prints the samples of a recording in the order of their times, one per line, with "
		"its callchain in the lines below: as perf script does, for the programs that read "
		"its text. -F chooses the fields. Payloads of tracepoints are formatted by "
		"libtraceevent with its installed plugins.\n\n"
		"Which fields are there by default depends on the kind of event and on what was "
		"recorded. A field that was asked for and not recorded is an error."),
	.options = script_options,
	.settings = script_settings,
	.examples = script_examples,
	.run = run_script,
};
