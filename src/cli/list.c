/* SPDX-License-Identifier: GPL-2.0-or-later */
/* `ptui list`: the events that can be measured here, as perf's list prints them. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "base/i18n.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/list.h"
#include "cli/out.h"
#include "cli/pager.h"
#include "ptui/catalog.h"

/* The words that ask for whole kinds; perf's. */
static const struct {
	const char *word, *kinds[2];
} kinds[] = {
	{ "hw", { "hardware", NULL } },		{ "hardware", { "hardware", NULL } },
	{ "sw", { "software", "tool" } },	{ "software", { "software", "tool" } },
	{ "cache", { "cache", NULL } },		{ "hwcache", { "cache", NULL } },
	{ "tracepoint", { "tracepoint", NULL } }, { "pmu", { "pmu", NULL } },
	{ "vendor", { "vendor", NULL } },	{ "pfm", { "vendor", NULL } },
	{ "tool", { "tool", NULL } },		{ "raw", { "raw", "breakpoint" } },
};

/* One word of the command line: whole kinds, or a pattern for names. */
struct wanted {
	const char *kinds[2]; /* both NULL: any */
	struct buf pattern;   /* empty: all of the kinds */
};

struct listing {
	const struct cli *cli;
	struct ptui_catalog *catalog;
	struct list_style style;
	const struct wanted *wanted;
	size_t n_wanted;
	const char *last_kind;
	struct buf out;
	size_t n_printed;
	size_t n_unreadable; /* sources that were asked for */
};

static void wanted_parse(struct wanted *w, const char *word)
{
	size_t i;

	buf_init(&w->pattern);
	w->kinds[0] = w->kinds[1] = NULL;
	for (i = 0; i < sizeof(kinds) / sizeof(*kinds); i++) {
		if (!strcmp(word, kinds[i].word)) {
			w->kinds[0] = kinds[i].kinds[0];
			w->kinds[1] = kinds[i].kinds[1];
			return;
		}
	}
	/* perf's habit: SYSTEM:EVENT is meant whole, anything else may stand inside a name */
	if (!strncmp(word, "pfm:", 4)) {
		w->kinds[0] = "vendor";
		buf_add_str(&w->pattern, word);
	} else if (strchr(word, ':')) {
		w->kinds[0] = "tracepoint";
		buf_add_str(&w->pattern, word);
	} else {
		buf_addf(&w->pattern, "*%s*", word);
	}
}

static bool wants_kind(const struct wanted *w, const char *kind)
{
	return !w->kinds[0] || !strcmp(w->kinds[0], kind) ||
	       (w->kinds[1] && !strcmp(w->kinds[1], kind));
}

static bool wants_entry(const struct wanted *w, const struct ptui_catalog_entry *entry)
{
	const char *pattern = buf_str(&w->pattern);

	if (!wants_kind(w, entry->kind))
		return false;
	return !*pattern || text_glob(pattern, entry->name) ||
	       (entry->alias && text_glob(pattern, entry->alias));
}

static bool is_wanted(const struct listing *l, const struct ptui_catalog_entry *entry)
{
	size_t i;

	for (i = 0; i < l->n_wanted; i++)
		if (wants_entry(&l->wanted[i], entry))
			return true;
	return !l->n_wanted;
}

static void begin(struct listing *l)
{
	pager_start(l->cli);
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

	if (!is_wanted(l, entry) ||
	    (l->style.available && list_try(entry, &why) == LIST_REFUSED))
		return 0;
	if (!l->n_printed++)
		begin(l);
	else if (l->style.json)
		buf_add_str(&l->out, ",\n");
	else if (pager_runs() && strcmp(l->last_kind, entry->kind))
		buf_add_char(&l->out, '\n');
	l->last_kind = entry->kind;
	(l->style.json ? list_print_json : list_print_text)(&l->out, l->catalog, &l->style, entry);
	return cli_put(&l->out);
}

/* One line: the sentence and the remedy behind it. */
static void tell_unreadable(void *ctx, const char *kind, const struct ptui_error *err)
{
	struct listing *l = ctx;
	struct buf hint = BUF_INIT;
	bool asked = !l->n_wanted;
	size_t i;
	char *p;

	for (i = 0; i < l->n_wanted; i++)
		asked |= wants_kind(&l->wanted[i], kind);
	if (!asked)
		return;
	l->n_unreadable++;
	buf_add_str(&hint, err->hint);
	for (p = hint.data; p && *p; p++)
		if (*p == '\n')
			*p = ' ';
	if (hint.len)
		cli_warn(l->cli, "%s (%s)", err->text, buf_str(&hint));
	else
		cli_warn(l->cli, "%s", err->text);
	buf_release(&hint);
}

static int print_all(struct listing *l)
{
	bool only_unreadable = true;
	size_t i;
	int ret;

	l->catalog = ptui_catalog_new();
	if (!l->catalog) {
		cli_warn(l->cli, "%s", _("out of memory"));
		return CLI_FAILED;
	}
	ret = ptui_catalog_each(l->catalog, print_entry, tell_unreadable, l);
	ptui_catalog_free(l->catalog);
	if (ret == -ENOMEM) {
		cli_warn(l->cli, "%s", _("out of memory"));
		return CLI_FAILED;
	}
	if (l->style.json) {
		if (!l->n_printed)
			begin(l);
		buf_add_str(&l->out, "\n]\n");
		if (cli_put(&l->out))
			return CLI_FAILED;
	}
	if (l->n_printed)
		return CLI_OK;
	/* what could not be read was told; it need not be all that was looked for */
	for (i = 0; i < l->n_wanted; i++)
		only_unreadable &= l->wanted[i].kinds[0] != NULL;
	if (!only_unreadable || !l->n_unreadable)
		cli_warn(l->cli, "%s", l->n_wanted ?
			 _("no event matches; 'ptui list' without words lists all") :
			 _("there are no events here"));
	return l->n_unreadable ? CLI_FAILED : CLI_NONE;
}

static const struct option list_options[] = {
	{ .type = OPTION_FLAG,
	  .letter = 'v',
	  .name = "details",
	  .help = N_("what each event is to the kernel, and the fields of tracepoints"),
	  .offset = offsetof(struct list_style, details) },
	{ .type = OPTION_FLAG,
	  .name = "long-desc",
	  .help = N_("what each event counts, below its name"),
	  .offset = offsetof(struct list_style, long_desc) },
	{ .type = OPTION_FLAG,
	  .letter = 'j',
	  .name = "json",
	  .help = N_("everything as a JSON array; with -v encodings and fields too"),
	  .offset = offsetof(struct list_style, json) },
	{ .type = OPTION_FLAG,
	  .name = "available",
	  .help = N_("leave out what this machine refuses; tracepoints are not tried"),
	  .offset = offsetof(struct list_style, available) },
	{ .type = OPTION_END },
};

static int run_list(struct cli *cli, int argc, char **argv)
{
	struct listing l = { .cli = cli, .out = BUF_INIT };
	struct option_result words;
	struct wanted *wanted;
	bool no_memory = false;
	int status;
	size_t i;

	if (!cli_parse(cli, &l.style, argc, argv, 0, &words))
		return cli->status;
	wanted = calloc(words.n_words + 1, sizeof(*wanted));
	for (i = 0; wanted && i < words.n_words; i++) {
		wanted_parse(&wanted[i], argv[i]);
		no_memory |= wanted[i].pattern.err != 0;
	}
	if (!wanted || no_memory) {
		cli_warn(cli, "%s", _("out of memory"));
		status = CLI_FAILED;
	} else {
		l.wanted = wanted;
		l.n_wanted = words.n_words;
		status = print_all(&l);
	}
	for (i = 0; wanted && i < words.n_words; i++)
		buf_release(&wanted[i].pattern);
	free(wanted);
	buf_release(&l.out);
	return status;
}

static const char *const list_usage[] = {
	N_("[hw|sw|cache|pmu|tracepoint|vendor|PATTERN]..."),
	NULL,
};

static const struct cli_example list_examples[] = {
	{ "ptui list", N_("All events.") },
	{ "ptui list sw 'sched:*'", N_("The software events, and the tracepoints of the scheduler.") },
	{ "ptui list -v sched:sched_switch", N_("The fields of a tracepoint, for a filter.") },
	{ "ptui list fault", N_("Every event with \"fault\" in its name.") },
	{ NULL, NULL },
};

const struct cli_command cmd_list = {
	.name = "list",
	.summary = N_("list the events that can be measured on this machine"),
	.usage = list_usage,
	.text = N_("Lists the events that can be given to -e of 'ptui record', kind by kind: "
		   "hardware and software events, those that the tool itself counts, cache events, "
		   "what the counting units of this machine have names for, how raw events and "
		   "breakpoints are written, and tracepoints. Where an event has two names, both "
		   "are shown.\n\n"
		   "The words choose: hw (hardware), sw (software), tool, cache (hwcache), pmu, raw, "
		   "tracepoint and vendor (what the processor's manual has, by libpfm4) are the "
		   "kinds; a word with a colon is a shell pattern for the whole name of a "
		   "tracepoint; any other is a shell pattern for a part of a name. Events that match "
		   "one of the words are listed.\n\n"
		   "Tracepoints are read from tracefs, which often only root may read."),
	.options = list_options,
	.examples = list_examples,
	.run = run_list,
};
