/* SPDX-License-Identifier: GPL-2.0-or-later */
/* `ptui list`: the available events, in the format of perf list. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "base/i18n.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/list.h"
#include "cli/out.h"
#include "cli/pager.h"
#include "event/catalog_public.h"
#include "ptui/catalog.h"
#include "stat/stat_metric_table.h"

/* perf's words for kinds of events. */
static const struct {
	const char *word, *kinds[2];
} kinds[] = {
	{ "hw", { "hardware", NULL } },
	{ "hardware", { "hardware", NULL } },
	{ "sw", { "software", "tool" } },
	{ "software", { "software", "tool" } },
	{ "cache", { "cache", NULL } },
	{ "hwcache", { "cache", NULL } },
	{ "tracepoint", { "tracepoint", "probe" } },
	{ "pmu", { "pmu", NULL } },
	{ "probe", { "probe", NULL } },
	{ "sdt", { "sdt", NULL } },
	{ "vendor", { "vendor", NULL } },
	{ "pfm", { "vendor", NULL } },
	{ "tool", { "tool", NULL } },
	{ "raw", { "raw", "breakpoint" } },
};

/* perf's words for metrics, with perf's headings. */
static const struct {
	const char *word, *heading;
	bool groups;
} metrics[] = {
	{ "metric", "Metrics:", false },
	{ "metrics", "Metrics:", false },
	{ "metricgroup", "Metric Groups:", true },
	{ "metricgroups", "Metric Groups:", true },
};

/* One argument: kinds, or a pattern for names. */
struct wanted {
	const char *kinds[2]; /* both NULL: any */
	struct buf pattern;   /* empty: all of the kinds */
	/* list only this file's markers: the argument after sdt was a path. Real path; owned */
	char *file;
	bool ignored;	     /* "sdt" before files: only restricts to these */
	const char *metrics; /* heading of metrics or their groups; NULL: events */
	bool groups;
};

struct listing {
	const struct cli *cli;
	struct ptui_catalog *catalog;
	struct roots roots; /* of the catalog */
	struct list_style style;
	const struct wanted *wanted;
	size_t n_wanted;
	const char *last_kind;
	struct buf out;
	size_t n_printed;
	bool only_metrics;		   /* no argument selects events */
	size_t n_unreadable;		   /* requested sources that were unreadable */
	struct ptui_error last_unreadable; /* two sources may fail for the same reason */
};

static void wanted_parse(struct wanted *w, const char *word, struct wanted *for_sdt)
{
	buf_init(&w->pattern);
	w->kinds[0] = w->kinds[1] = w->file = NULL;
	w->ignored = false;
	w->metrics = NULL;
	for (size_t i = 0; i < sizeof(metrics) / sizeof(*metrics); i++) {
		if (strcmp(word, metrics[i].word))
			continue;
		w->metrics = metrics[i].heading;
		w->groups = metrics[i].groups;
	}
	if (w->metrics)
		return;
	if (for_sdt && strchr(word, '/')) {
		w->kinds[0] = "sdt";
		w->file = realpath(word, NULL);
		if (!w->file)
			w->file = strdup(word);
		for_sdt->ignored = true;
		return;
	}
	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++) {
		if (!strcmp(word, kinds[i].word)) {
			w->kinds[0] = kinds[i].kinds[0];
			w->kinds[1] = kinds[i].kinds[1];
			return;
		}
	}
	/* as in perf: SYSTEM:EVENT must match completely, other patterns match substrings */
	if (!strncmp(word, "pfm:", 4)) {
		w->kinds[0] = "vendor";
		buf_add_str(&w->pattern, word);
	} else if (!strncmp(word, "sdt_", 4) || !strncmp(word, "%sdt_", 5)) {
		w->kinds[0] = "sdt";
		w->kinds[1] = "probe";
		buf_add_str(&w->pattern, word + (*word == '%'));
	} else if (strchr(word, ':')) {
		w->kinds[0] = "tracepoint";
		w->kinds[1] = "probe";
		buf_add_str(&w->pattern, word);
	} else {
		buf_addf(&w->pattern, "*%s*", word);
	}
}

static void wanted_release(struct wanted *w)
{
	buf_release(&w->pattern);
	free(w->file);
}

static bool wants_kind(const struct wanted *w, const char *kind)
{
	return !w->kinds[0] || !strcmp(w->kinds[0], kind) ||
	       (w->kinds[1] && !strcmp(w->kinds[1], kind));
}

/* "/usr/lib/libstdc++.so.6:0xa7f05 …; /opt/lib/…": locations of a marker */
static bool has_place(const char *places, const char *file)
{
	size_t len = strlen(file);

	for (const char *at = places; at; at = strstr(at, "; ")) {
		at += *at == ';' ? 2 : 0;
		if (!strncmp(at, file, len) && (!at[len] || strchr(": ;", at[len])))
			return true;
	}
	return false;
}

static bool wants_entry(const struct wanted *w, const struct ptui_catalog_entry *entry)
{
	const char *pattern = buf_str(&w->pattern);

	if (w->ignored || w->metrics || !wants_kind(w, entry->kind))
		return false;
	if (w->file)
		return has_place(entry->desc, w->file);
	return !*pattern || text_glob(pattern, entry->name) ||
	       (entry->alias && text_glob(pattern, entry->alias));
}

static bool is_wanted(const struct listing *l, const struct ptui_catalog_entry *entry)
{
	for (size_t i = 0; i < l->n_wanted; i++)
		if (wants_entry(&l->wanted[i], entry))
			return true;
	return !l->n_wanted;
}

/* True if an argument is the full name. */
static bool is_named(const struct listing *l, const struct ptui_catalog_entry *entry)
{
	for (size_t i = 0; i < l->n_wanted; i++)
		if (!strcmp(buf_str(&l->wanted[i].pattern), entry->name))
			return true;
	return false;
}

/* libpfm4 and kernels mark it in the description: "... (deprecated use MEM_UOPS_RETIRED)". */
static bool is_deprecated(const struct ptui_catalog_entry *entry)
{
	return entry->desc &&
	       (strstr(entry->desc, "deprecated") || strstr(entry->desc, "Deprecated")) &&
	       !strcmp(entry->kind, "vendor");
}

/* "cpu_core/cycles/": 8, the length of "cpu_core"; 0 if the event is not of one core type. */
static size_t core_unit_len(const struct ptui_catalog_entry *entry)
{
	size_t len = strcspn(entry->name, "/");

	return strcmp(entry->kind, "pmu") || strncmp(entry->name, "cpu_", 4) || !entry->name[len] ?
		       0 :
		       len;
}

static bool is_of_cputype(const char *cputype, const struct ptui_catalog_entry *entry)
{
	size_t len = core_unit_len(entry);

	return !len || (len - 4 == strlen(cputype) && !strncmp(entry->name + 4, cputype, len - 4));
}

/* Named events of PMUs that match the pattern. */
static bool is_of_unit(const char *unit, const struct ptui_catalog_entry *entry)
{
	char pmu[64];

	snprintf(pmu, sizeof(pmu), "%.*s", (int)strcspn(entry->name, "/"), entry->name);
	return !strcmp(entry->kind, "pmu") && text_glob(unit, pmu);
}

static bool is_hidden(const struct listing *l, const struct ptui_catalog_entry *entry)
{
	return (!l->style.deprecated && is_deprecated(entry) && !is_named(l, entry)) ||
	       (l->style.cputype && !is_of_cputype(l->style.cputype, entry)) ||
	       (l->style.unit && !is_of_unit(l->style.unit, entry)) ||
	       (l->style.raw_dump && entry->form);
}

static void begin(struct listing *l)
{
	pager_start(l->cli);
	if (l->style.raw_dump)
		return;
	if (l->style.json)
		buf_add_str(&l->out, "[\n");
	else if (pager_runs())
		buf_addf(&l->out, "\n%s\n\n", _("List of pre-defined events (to be used in -e):"));
}

/* "  cpu-cycles OR cycles                               [Hardware event]" */
static int print_entry(void *ctx, const struct ptui_catalog_entry *entry)
{
	struct ptui_error why = PTUI_ERROR_INIT;
	struct listing *l = ctx;
	const struct list_item item = { entry, is_named(l, entry) };

	if (!is_wanted(l, entry) || is_hidden(l, entry) ||
	    (l->style.available && list_try(&item, &why) == PTUI_EVENT_REFUSED))
		return 0;
	if (!l->n_printed++)
		begin(l);
	else if (l->style.json)
		buf_add_str(&l->out, ",\n");
	else if (l->style.raw_dump)
		buf_add_char(&l->out, ' ');
	else if (pager_runs() && strcmp(l->last_kind, entry->kind))
		buf_add_char(&l->out, '\n');
	l->last_kind = entry->kind;
	if (l->style.raw_dump)
		text_escape(&l->out, entry->name);
	else
		(l->style.json ? list_print_json : list_print_text)(&l->out, l->catalog, &l->style,
								    &item);
	return cli_put(&l->out);
}

/* ---- metrics ---- */

static void print_metric(struct listing *l, const struct stat_metric_def *def)
{
	if (l->style.raw_dump) {
		buf_addf(&l->out, "%s%s", l->n_printed ? " " : "", def->name);
	} else if (l->style.json) {
		buf_addf(&l->out, "%s{\n\t\"MetricName\": \"%s\",\n\t\"MetricGroup\": \"%s\"",
			 l->n_printed ? ",\n" : "", def->name, def->groups);
		buf_addf(&l->out, ",\n\t\"MetricEvents\": \"%s%s%s\"", def->over,
			 def->under ? "," : "", def->under ? def->under : "");
		buf_add_str(&l->out, ",\n\t\"BriefDescription\": ");
		text_json(&l->out, _(def->desc));
		buf_add_str(&l->out, "\n}");
	} else {
		buf_addf(&l->out, "  %s\n", def->name);
		if (l->style.desc || l->style.long_desc)
			buf_addf(&l->out, "       [%s]\n", _(def->desc));
	}
	l->n_printed++;
}

static void print_metric_group(struct listing *l, const char *name)
{
	if (l->style.raw_dump)
		buf_addf(&l->out, "%s%s", l->n_printed ? " " : "", name);
	else if (l->style.json)
		buf_addf(&l->out, "%s{\n\t\"MetricGroup\": \"%s\"\n}", l->n_printed ? ",\n" : "",
			 name);
	else
		buf_addf(&l->out, "%s\n", name);
	l->n_printed++;
}

/* The metrics of `ptui stat -M`: ratios of events. */
static int print_metrics(struct listing *l)
{
	bool any = false, only = true;
	const char *group;

	for (size_t i = 0; i < l->n_wanted; i++) {
		if (!l->wanted[i].metrics) {
			only = false;
			continue;
		}
		if (!any && l->style.json)
			begin(l);
		any = true;
		if (!l->style.json && !l->style.raw_dump)
			buf_addf(&l->out, "\n%s\n\n", l->wanted[i].metrics);
		for (size_t k = 0; !l->wanted[i].groups && k < stat_n_metric_defs(); k++)
			print_metric(l, stat_metric_def(k));
		for (size_t k = 0; l->wanted[i].groups && (group = stat_metric_group(k)); k++)
			print_metric_group(l, group);
	}
	l->only_metrics = any && only;
	return cli_put(&l->out);
}

/* ---- core types ---- */

static int note_cputype(void *ctx, const struct ptui_catalog_entry *entry)
{
	const struct listing *l = ctx;

	return core_unit_len(entry) && is_of_cputype(l->style.cputype, entry);
}

/* As in perf: an unknown core type lists everything. */
static void check_cputype(struct listing *l)
{
	if (!l->style.cputype || ptui_catalog_each(l->catalog, note_cputype, NULL, l) > 0)
		return;
	cli_warn(l->cli,
		 _("--cputype: this machine has no core type '%s'; listing the events of all "
		   "CPUs"),
		 l->style.cputype);
	l->style.cputype = NULL;
}

/* The error and its hint on one line. */
static void report_unreadable(void *ctx, const char *kind, const struct ptui_error *err)
{
	struct listing *l = ctx;
	struct buf hint = BUF_INIT;
	bool asked = !l->n_wanted;

	for (size_t i = 0; i < l->n_wanted; i++)
		asked |= wants_kind(&l->wanted[i], kind);
	if (!asked)
		return;
	if (l->n_unreadable++ && !strcmp(l->last_unreadable.text, err->text))
		return;
	l->last_unreadable = *err;
	for (const char *p = err->hint, *end = p; *p; p = end + (*end != '\0')) {
		end = strchrnul(p, '\n');
		buf_addf(&hint, "%s%.*s", hint.len ? "; " : "", (int)(end - p), p);
	}
	if (hint.len)
		cli_warn(l->cli, "%s (%s)", err->text, buf_str(&hint));
	else
		cli_warn(l->cli, "%s", err->text);
	buf_release(&hint);
}

/*
 * Reads the markers of the given files. A file without markers is an error message only. Negative:
 * out of memory.
 */
static int read_marker_files(struct listing *l)
{
	for (size_t i = 0; i < l->n_wanted; i++) {
		struct ptui_error err = PTUI_ERROR_INIT;
		int ret = 0;

		if (l->wanted[i].file)
			ret = ptui_catalog_add_sdt(l->catalog, l->wanted[i].file, &err);
		if (ret == -ENOMEM)
			return ret;
		if (!ret)
			continue;
		cli_warn(l->cli, "%s", err.text);
		l->n_unreadable++;
	}
	return 0;
}

static const char *nothing_listed(const struct listing *l)
{
	const struct wanted *w = l->wanted;

	if (!l->n_wanted)
		return _("no events found");
	/* "sdt" alone; a pattern for markers also matches probes */
	if (l->n_wanted == 1 && w->kinds[0] && !strcmp(w->kinds[0], "sdt") && !w->kinds[1])
		return _(
			"no SDT markers in the build-id cache; 'ptui buildid-cache -a FILE' adds those "
			"of a file, 'ptui list sdt FILE' only lists them");
	return _("no matching event; 'ptui list' without arguments lists all");
}

static int print_all(struct listing *l)
{
	bool only_unreadable = true;
	int ret;

	l->roots = roots_system;
	l->roots.buildid_dir = l->cli->buildid_dir;
	l->catalog = catalog_public_new(&l->roots);
	if (!l->catalog)
		return cli_nomem(l->cli);
	check_cputype(l);
	ret = print_metrics(l);
	if (!ret && !l->only_metrics)
		ret = read_marker_files(l) ?
			      -ENOMEM :
			      ptui_catalog_each(l->catalog, print_entry, report_unreadable, l);
	ptui_catalog_free(l->catalog);
	if (ret == -ENOMEM)
		return cli_nomem(l->cli);
	if (l->style.json && !l->n_printed)
		begin(l);
	if (l->style.json)
		buf_add_str(&l->out, "\n]\n");
	else if (l->style.raw_dump)
		buf_add_char(&l->out, '\n');
	if ((l->style.json || l->style.raw_dump) && cli_put(&l->out))
		return CLI_FAILED;
	if (l->n_printed || l->only_metrics)
		return CLI_OK;
	/* unreadable sources were reported; others may still have been listed */
	for (size_t i = 0; i < l->n_wanted; i++)
		only_unreadable &= l->wanted[i].kinds[0] != NULL;
	if (!only_unreadable || !l->n_unreadable)
		cli_warn(l->cli, "%s", nothing_listed(l));
	return l->n_unreadable ? CLI_FAILED : CLI_NONE;
}

static const struct option list_options[] = {
	OPTION_NOT(0, "debug", OPTION_NO_VALUE | OPTION_NO,
		   N_("not supported: PTUI_DEBUG=1 in the environment prints a log")),
	{ OPTION_FLAG, 'd', "desc", NULL,
	  N_("descriptions of vendor events below their names (default)"),
	  .offset = offsetof(struct list_style, desc), OPTION_NO },
	{ OPTION_FLAG, 'v', "long-desc", NULL, N_("descriptions of all events below their names"),
	  .offset = offsetof(struct list_style, long_desc) },
	{ OPTION_FLAG, 0, "details", NULL,
	  N_("event encoding, whether the event can be counted here (or why not), and the "
	     "fields of tracepoints"),
	  .offset = offsetof(struct list_style, details) },
	{ OPTION_FLAG, 0, "deprecated", NULL, N_("include deprecated events"),
	  .offset = offsetof(struct list_style, deprecated), OPTION_NO },
	{ OPTION_STRING, 0, "cputype", N_("TYPE"),
	  N_("on hybrid machines, list CPU events of this core type only: core or atom"),
	  .offset = offsetof(struct list_style, cputype) },
	{ OPTION_STRING, 0, "unit", N_("PMU"), N_("list events of this PMU only (a pattern)"),
	  .offset = offsetof(struct list_style, unit) },
	{ OPTION_FLAG, 0, "raw-dump", NULL, N_("names only, on one line, for completion scripts"),
	  .offset = offsetof(struct list_style, raw_dump) },
	{ OPTION_FLAG, 'j', "json", NULL,
	  N_("everything as a JSON array; with --details encodings and fields too"),
	  .offset = offsetof(struct list_style, json) },
	{ OPTION_STRING, 'o', "output", N_("FILE"), N_("write to FILE instead of standard output"),
	  .offset = offsetof(struct list_style, output) },
	{ OPTION_FLAG, 0, "available", NULL,
	  N_("omit events that this machine refuses; tracepoints are tested only if given "
	     "by their full name"),
	  .offset = offsetof(struct list_style, available) },
	{ .type = OPTION_END },
};

/* -o. 0, or the exit status after the message. */
static int redirect(const struct cli *cli, const char *path)
{
	struct ptui_error err = PTUI_ERROR_INIT;
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);

	if (fd < 0 || dup2(fd, STDOUT_FILENO) < 0)
		ptui_error_errno(&err, errno, path, _("cannot open %s"), path);
	if (fd >= 0)
		close(fd);
	return err.code ? cli_failed(cli, &err) : CLI_OK;
}

static int run_list(struct cli *cli, int argc, char **argv)
{
	struct listing l = { .cli = cli, .style.desc = true, .out = BUF_INIT };
	struct option_result words;
	struct wanted *wanted;
	struct wanted *for_sdt = NULL;
	bool no_memory = false;
	int status;

	if (!cli_parse(cli, &l.style, argc, argv, 0, &words))
		return cli->status;
	status = l.style.output ? redirect(cli, l.style.output) : CLI_OK;
	if (status)
		return status;
	wanted = calloc(words.n_words + 1, sizeof(*wanted));
	for (size_t i = 0; wanted && i < words.n_words; i++) {
		wanted_parse(&wanted[i], argv[i], for_sdt);
		if (!strcmp(argv[i], "sdt"))
			for_sdt = &wanted[i];
		no_memory |= wanted[i].pattern.err != 0;
	}
	if (!wanted || no_memory) {
		status = cli_nomem(cli);
	} else {
		l.wanted = wanted;
		l.n_wanted = words.n_words;
		status = print_all(&l);
	}
	for (size_t i = 0; wanted && i < words.n_words; i++)
		wanted_release(&wanted[i]);
	free(wanted);
	buf_release(&l.out);
	return status;
}

static const char *const list_usage[] = {
	N_("[hw|sw|cache|pmu|tracepoint|probe|sdt|vendor|PATTERN]..."),
	N_("sdt FILE..."),
	"metric|metricgroup",
	NULL,
};

static const struct cli_example list_examples[] = {
	{ "ptui list", N_("All events.") },
	{ "ptui list sw 'sched:*'",
	  N_("The software events, and the tracepoints of the scheduler.") },
	{ "ptui list --details sched:sched_switch",
	  N_("The fields of a tracepoint, for a filter.") },
	{ "ptui list sdt /usr/lib/libstdc++.so.6", N_("The markers in a library.") },
	{ "ptui list fault", N_("Every event with \"fault\" in its name.") },
	{ NULL, NULL },
};

const struct cli_command cmd_list = {
	.name = "list",
	.summary = N_("list the events that can be measured on this machine"),
	.usage = list_usage,
	.text = N_(
		"Lists the events that -e of 'ptui record' accepts, by kind: hardware and "
		"software events, events counted by the tool itself, cache events, named "
		"events of the PMUs of this machine, the syntax of raw events and "
		"breakpoints, and tracepoints. If an event has two names, both are shown.\n"
		"\n"
		"The arguments select kinds: hw (hardware), sw (software), tool, cache "
		"(hwcache), pmu, raw, tracepoint, probe (user-defined tracepoints), sdt "
		"(markers in programs, from perf's build-id cache) and vendor (events of the "
		"processor manual, from libpfm4). Metrics (metrics) and their groups "
		"(metricgroups) are those of 'ptui stat -M'. An argument with a colon is a shell pattern for the "
		"full name of a tracepoint; an argument with a slash after sdt is a file "
		"whose markers are listed too; any other argument is a shell pattern for "
		"part of a name. An event is listed if any argument matches.\n"
		"\n"
		"Tracepoints are read from tracefs, which often only root can read. They are "
		"tested only if given by their full name, because the kernel takes long to "
		"close one."),
	.options = list_options,
	.examples = list_examples,
	.run = run_list,
};
