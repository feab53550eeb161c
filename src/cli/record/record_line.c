/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The option table of `ptui record` for the screens: ptui/record_line.h. */
#include "ptui/record_line.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/buf.h"
#include "base/i18n.h"
#include "base/text.h"
#include "base/vec.h"
#include "cli/record/record_options.h"
#include "cli/stat/stat_options.h"

static const struct cli nobody = { .command = &cmd_record };

/* ---- the table ---- */

/* Hides perf's options that ptui lacks, and options without effect. */
static bool is_shown(const struct option *opt)
{
	return opt->type != OPTION_GROUP && !(opt->flags & OPTION_HIDDEN);
}

/* Events and target: stat has these, too. */
static bool is_for_counts(const struct option *opt)
{
	static const char *const names[] = { "event", "filter", "all-cpus", "pid",	 "tid",
					     "uid",   "cpu",	"cgroup",   "no-inherit" };

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (opt->name && !strcmp(names[i], opt->name))
			return true;
	return false;
}

static const struct option *option_at(size_t i, const char **ret_group)
{
	*ret_group = "";
	for (const struct option *opt = record_options; opt->type != OPTION_END; opt++) {
		if (opt->type == OPTION_GROUP)
			*ret_group = opt->help;
		else if (is_shown(opt) && !i--)
			return opt;
	}
	return NULL;
}

/* SIZE_MAX: hidden. */
static size_t index_of(const struct option *wanted)
{
	size_t i = 0;

	for (const struct option *opt = record_options; opt != wanted; opt++)
		i += is_shown(opt);
	return is_shown(wanted) ? i : SIZE_MAX;
}

bool ptui_record_option(size_t i, struct ptui_record_option *ret)
{
	const char *group;
	const struct option *opt = option_at(i, &group);

	if (!opt)
		return false;
	*ret = (struct ptui_record_option){
		.group = _(group),
		.name = opt->name,
		.letter = opt->letter,
		.word = option_takes_value(opt) && opt->word ? _(opt->word) : NULL,
		.help = _(opt->help),
		.kind = !option_takes_value(opt)   ? PTUI_OPTION_FLAG :
			opt->type == OPTION_NUMBER ? PTUI_OPTION_NUMBER :
						     PTUI_OPTION_TEXT,
		.min = opt->min,
		.max = opt->max,
		.may_lack = opt->flags & (OPTION_MAY_END | OPTION_ATTACHED),
		.attached = opt->flags & OPTION_ATTACHED,
		.for_counts = is_for_counts(opt),
		.can_be_off = opt->type == OPTION_CALL && opt->flags & OPTION_NO && opt->name,
	};
	return true;
}

size_t ptui_record_option_find(const char *name)
{
	size_t i = 0;

	for (const struct option *opt = record_options; opt->type != OPTION_END; opt++) {
		if (!is_shown(opt))
			continue;
		if (opt->name ? !strcmp(opt->name, name) : name[0] == opt->letter && !name[1])
			return i;
		i++;
	}
	return SIZE_MAX;
}

/* ---- one option ---- */

char *ptui_record_use_word(const struct ptui_record_use *use, bool *ret_value_follows)
{
	struct ptui_record_option o = { .name = "" };
	bool is_letter, is_no;
	struct buf word = BUF_INIT;

	ptui_record_option(use->option, &o);
	is_letter = o.letter && !use->off;
	is_no = use->off && text_starts_with(o.name, "no-");
	if (is_letter)
		buf_addf(&word, "-%c", o.letter);
	else
		buf_addf(&word, "--%s%s", use->off && !is_no ? "no-" : "",
			 o.name + (is_no ? 3 : 0));
	*ret_value_follows = use->value && !o.attached;
	if (use->value && o.attached)
		buf_addf(&word, "%s%s", is_letter ? "" : "=", use->value);
	return buf_take(&word);
}

int ptui_record_use_check(const struct ptui_record_use *use, struct ptui_error *err)
{
	/* some options must follow an event */
	char option[] = "-e", event[] = "dummy";
	char *argv[5] = { option, event };
	struct record_options o = { 0 };
	struct option_result result;
	bool follows;
	char *first = ptui_record_use_word(use, &follows);
	int argc = 3, ret;

	if (!first)
		return ptui_error_nomem(err);
	argv[2] = first;
	if (follows)
		argv[argc++] = (char *)use->value;
	ret = option_parse(record_options, &o, argc, argv, OPTION_STOP_AT_WORD, &result, err);
	if (!ret && result.n_words)
		ret = ptui_error_set(err, PTUI_ERROR_INPUT, EINVAL, use->value,
				     _("'%s' is not accepted as its value"), argv[0]);
	record_options_release(&o);
	free(first);
	return ret;
}

/* ---- a line ---- */

struct ptui_record_line {
	char **words; /* copies of the words */
	size_t n_words;
	char **argv; /* the same; parsing reorders it */
	struct buf cmdline;
	struct record_options options;
	unsigned flags;
	bool counts; /* "perf stat" */
	/*
	 * "sudo -E perf record", "env A=b /usr/bin/perf record", "ptui record": the number of
	 * words; or -EINVAL.
	 */
	size_t skipped;
	struct ptui_record_use *uses;
	size_t n_uses, cap_uses;
	struct ptui_record_refusal *refusals;
	size_t n_refusals, cap_refusals;
	bool no_memory;
};

static bool is_name(const char *word, const char *name)
{
	const char *slash = strrchr(word, '/');

	return !strcmp(slash ? slash + 1 : word, name);
}

/* "sudo -E perf record", "env A=b /usr/bin/perf record", "ptui record": how many words; or -EINVAL. */
static int skip_program(const char *const *words, size_t n, struct ptui_record_line *l,
			struct ptui_error *err)
{
	size_t i = 0, *ret = &l->skipped;

	*ret = 0;
	if (!n || *words[0] == '-')
		return 0;
	if (is_name(words[0], "sudo") || is_name(words[0], "doas") || is_name(words[0], "env"))
		for (i = 1; i < n && !is_name(words[i], "perf") && !is_name(words[i], "ptui"); i++)
			if (*words[i] != '-' && !strchr(words[i], '='))
				break;
	if (i >= n || (!is_name(words[i], "perf") && !is_name(words[i], "ptui")))
		return ptui_error_set(
			err, PTUI_ERROR_INPUT, EINVAL, words[i < n ? i : 0],
			_("expected a line such as 'perf record -g -- make', not '%s'"),
			words[i < n ? i : 0]);
	i++;
	l->counts = l->flags & PTUI_LINE_STAT && i < n && !strcmp(words[i], "stat");
	if (i >= n || (strcmp(words[i], "record") != 0 && !l->counts))
		return ptui_error_set(err, PTUI_ERROR_INPUT, EINVAL, i < n ? words[i] : "",
				      _("only 'record' can be set up here, not '%s %s'"),
				      words[i - 1], i < n ? words[i] : "");
	*ret = i + 1;
	return 0;
}

static int refuse(struct ptui_record_line *l, size_t at, const char *word,
		  const struct ptui_error *why)
{
	if (!(l->flags & PTUI_LINE_TOLERANT))
		return -EINVAL;
	if (vec_grow(&l->refusals, &l->cap_refusals, l->n_refusals + 1)) {
		l->no_memory = true;
		return -ENOMEM;
	}
	l->refusals[l->n_refusals++] = (struct ptui_record_refusal){ word, at, *why };
	return 0;
}

/* Options of stat that neither choose events nor a target. */
static void refuse_of_stat(struct ptui_record_line *l, const struct option *opt)
{
	struct ptui_error why = PTUI_ERROR_INIT;
	char name[64];

	snprintf(name, sizeof(name), "--%s", opt->name);
	ptui_error_set(&why, PTUI_ERROR_INPUT, ENOTSUP, name, _("%s: only for the command line"),
		       name);
	refuse(l, l->skipped, "", &why);
}

static void seen(void *ctx, const struct option *opt, const char *value, bool unset)
{
	struct ptui_record_line *l = ctx;
	size_t i = l->counts ? SIZE_MAX : index_of(opt);

	if (l->counts && is_for_counts(opt))
		i = ptui_record_option_find(opt->name);
	else if (l->counts)
		refuse_of_stat(l, opt);

	/* "-g dwarf", as in tutorials */
	if (value && !option_takes_value(opt) && !l->counts)
		i = ptui_record_option_find("call-graph");
	if (i == SIZE_MAX)
		return;
	if (vec_grow(&l->uses, &l->cap_uses, l->n_uses + 1)) {
		l->no_memory = true;
		return;
	}
	l->uses[l->n_uses++] = (struct ptui_record_use){ i, value, unset };
}

static int wrong(void *ctx, int at, const char *word, const struct ptui_error *why)
{
	struct ptui_record_line *l = ctx;

	return refuse(l, l->skipped + (size_t)at, word, why);
}

void record_add_cmdline(const char *const *words, size_t n, struct buf *out)
{
	for (size_t i = 0; i < n; i++)
		buf_add(out, words[i], strlen(words[i]) + 1);
}

static int copy_words(struct ptui_record_line *l, const char *const *words, size_t n)
{
	l->words = calloc(n + 1, sizeof(*l->words));
	l->argv = calloc(n + 1, sizeof(*l->argv));
	if (!l->words || !l->argv)
		return -ENOMEM;
	for (l->n_words = 0; l->n_words < n; l->n_words++) {
		l->words[l->n_words] = strdup(words[l->n_words]);
		if (!l->words[l->n_words])
			return -ENOMEM;
		l->argv[l->n_words] = l->words[l->n_words];
	}
	return 0;
}

/* The options of stat, of which record has the events and the target. */
static int parse_stat(struct ptui_record_line *l, const struct option_watch *watch,
		      struct option_result *result, struct ptui_error *err)
{
	struct stat_command o = { .record = l->options };
	int ret = option_parse_watched(stat_options, &o, (int)l->n_words, l->argv,
				       OPTION_STOP_AT_WORD, result, watch, err);

	l->options = o.record;
	option_words_release(&o.metrics);
	return ret;
}

static int parse(struct ptui_record_line *l, struct ptui_error *err)
{
	const struct option_watch watch = { seen, wrong, l };
	struct ptui_error why = PTUI_ERROR_INIT, nowhere;
	struct option_result result = { false, 0 };
	int ret;

	/* a dropped option needs its error message even if the caller does not */
	if (!err)
		err = &nowhere;
	memset(err, 0, sizeof(*err));
	ret = cli_config_read(record_settings, &l->options, err);

	if (!ret)
		ret = l->counts ? parse_stat(l, &watch, &result, err) :
				  option_parse_watched(record_options, &l->options, (int)l->n_words,
						       l->argv, OPTION_STOP_AT_WORD, &result,
						       &watch, err);
	if (!ret && result.help)
		ret = ptui_error_set(err, PTUI_ERROR_INPUT, EINVAL, "--help",
				     _("--help works on the command line only; press ? here"));
	if (ret)
		return ret;
	l->argv[result.n_words] = NULL;
	ret = record_options_settle(&nobody, &l->options, &why);
	/* contradictions are reported, and left to the check of the whole */
	if (ret == -EINVAL && !refuse(l, l->skipped, "", &why))
		ret = 0;
	if (ret)
		*err = why;
	if (result.n_words)
		l->options.opts.argv = l->argv;
	/* say is for text output on a terminal */
	l->options.opts.control.say = NULL;
	l->options.opts.cmdline = l->cmdline.data;
	l->options.opts.cmdline_bytes = l->cmdline.len;
	return l->no_memory || l->cmdline.err ? ptui_error_nomem(err) : ret;
}

struct ptui_record_line *ptui_record_line_new(const char *const *words, size_t n, unsigned flags,
					      struct ptui_error *err)
{
	struct ptui_record_line *l = calloc(1, sizeof(*l));
	int ret = l ? 0 : ptui_error_nomem(err);

	if (!ret) {
		l->flags = flags;
		ret = skip_program(words, n, l, err);
	}
	if (!ret) {
		record_add_cmdline(words, n, &l->cmdline);
		ret = copy_words(l, words + l->skipped, n - l->skipped) ? ptui_error_nomem(err) :
									  parse(l, err);
	}
	if (!ret)
		return l;
	ptui_record_line_free(l);
	return NULL;
}

void ptui_record_line_free(struct ptui_record_line *l)
{
	if (!l)
		return;
	for (size_t i = 0; i < l->n_words; i++)
		free(l->words[i]);
	free(l->words);
	free(l->argv);
	buf_release(&l->cmdline);
	record_options_release(&l->options);
	free(l->uses);
	free(l->refusals);
	free(l);
}

bool ptui_record_line_counts(const struct ptui_record_line *l)
{
	return l->counts;
}

const struct ptui_record_opts *ptui_record_line_opts(const struct ptui_record_line *l)
{
	return &l->options.opts;
}

const struct ptui_record_use *ptui_record_line_use(const struct ptui_record_line *l, size_t i)
{
	return i < l->n_uses ? &l->uses[i] : NULL;
}

const struct ptui_record_refusal *ptui_record_line_refusal(const struct ptui_record_line *l,
							   size_t i)
{
	return i < l->n_refusals ? &l->refusals[i] : NULL;
}
