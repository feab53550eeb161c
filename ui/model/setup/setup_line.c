/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A command line that was typed elsewhere, as the choices of Setup. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "model/setup/process.h"
#include "model/setup/setup.h"
#include "text/i18n.h"

/* What only makes sense where text is printed. */
static const char *const not_here[] = { "quiet", "verbose", "dry-run" };

struct taking {
	struct setup *to;
	struct setup_taken *taken;
	const struct ptui_record_opts *opts;
	const char *proc;
};

void setup_taken_release(struct setup_taken *t)
{
	words_release(&t->left_out);
	t->n_options = 0;
}

static int leave_out(struct taking *t, const char *what, const char *why)
{
	char *text;
	int ret;

	/* most sentences begin with the option's name */
	if (asprintf(&text, *what && !strstr(why, what) ? "%s: %s" : "%.0s%s", what, why) < 0)
		return -ENOMEM;
	ret = words_add(&t->taken->left_out, text);
	free(text);
	return ret;
}

/* How a person would call it. */
static int leave_out_use(struct taking *t, const struct ptui_record_use *use, const char *why)
{
	char first[256];
	bool follows;

	if (ptui_record_use_words(use, first, sizeof(first), &follows))
		snprintf(first, sizeof(first), "?");
	return leave_out(t, first, why);
}

/* ---- options that have a row ---- */

static int take_number(struct taking *t, const struct ptui_record_use *use, enum setup_rate rate)
{
	enum setup_rate before = t->to->rate;

	t->to->rate = rate;
	if (!setup_set_rate(t->to, use->value, NULL))
		return 0;
	/* "max" and the like */
	t->to->rate = before;
	return setup_more_add(&t->to->more, use->option, use->value, use->off);
}

static int take_freq(struct taking *t, const struct ptui_record_use *use)
{
	return take_number(t, use, SETUP_RATE_FREQUENCY);
}

static int take_count(struct taking *t, const struct ptui_record_use *use)
{
	return take_number(t, use, SETUP_RATE_PERIOD);
}

static int take_event(struct taking *t, const struct ptui_record_use *use)
{
	struct ptui_error why = PTUI_ERROR_INIT;
	int ret = setup_set_event(t->to, t->to->events.n, use->value, &why);

	return ret && ret != -ENOMEM ? leave_out_use(t, use, why.text) : ret;
}

/* Of the last event; the record line has put several for one together. */
static int take_filter(struct taking *t, const struct ptui_record_use *use)
{
	struct setup *s = t->to;
	size_t i = s->events.n - 1, k;
	struct ptui_error why = PTUI_ERROR_INIT;
	char *both;
	int ret;

	if (!s->events.n)
		return leave_out_use(t, use, _("its event was left out"));
	for (k = s->filters.n; k <= i; k++)
		if (words_add(&s->filters, ""))
			return -ENOMEM;
	if (asprintf(&both, *s->filters.v[i] ? "(%s) && (%s)" : "%s%s", s->filters.v[i],
		     use->value) < 0)
		return -ENOMEM;
	ret = setup_check_event(s->events.v[i], both, &why);
	if (ret) {
		free(both);
		return ret == -ENOMEM ? ret : leave_out_use(t, use, why.text);
	}
	free(s->filters.v[i]);
	s->filters.v[i] = both;
	return 0;
}

static int take_callchain(struct taking *t, const struct ptui_record_use *use)
{
	t->to->callchain = !use->off;
	return 0;
}

static int take_output(struct taking *t, const struct ptui_record_use *use)
{
	struct ptui_error why = PTUI_ERROR_INIT;
	int ret = setup_set_output(t->to, use->value, &why);

	return ret && ret != -ENOMEM ? leave_out_use(t, use, why.text) : ret;
}

/* The target comes when all are seen. */
static int take_system(struct taking *t, const struct ptui_record_use *use)
{
	(void)t;
	(void)use;
	return 0;
}

/* One process, of which a row tells; others are what the option says. */
static int take_pid(struct taking *t, const struct ptui_record_use *use)
{
	if (t->opts->n_pids == 1 && !t->opts->argv)
		return 0;
	return setup_more_add(&t->to->more, use->option, use->value, use->off);
}

static const struct {
	const char *name;
	int (*take)(struct taking *t, const struct ptui_record_use *use);
} with_rows[] = {
	{ "event", take_event },     { "filter", take_filter }, { "freq", take_freq },
	{ "count", take_count },     { "g", take_callchain },	{ "output", take_output },
	{ "all-cpus", take_system }, { "pid", take_pid },
};

bool setup_has_row(size_t option)
{
	for (size_t i = 0; i < sizeof(with_rows) / sizeof(with_rows[0]); i++)
		if (strcmp(with_rows[i].name, "pid") != 0 &&
		    ptui_record_option_find(with_rows[i].name) == option)
			return true;
	for (size_t i = 0; i < sizeof(not_here) / sizeof(not_here[0]); i++)
		if (ptui_record_option_find(not_here[i]) == option)
			return true;
	return false;
}

static int take_use(struct taking *t, const struct ptui_record_use *use)
{
	int ret;

	for (size_t i = 0; i < sizeof(not_here) / sizeof(not_here[0]); i++)
		if (ptui_record_option_find(not_here[i]) == use->option)
			return leave_out_use(t, use, _("only for the command line"));
	t->taken->n_options++;
	for (size_t i = 0; i < sizeof(with_rows) / sizeof(with_rows[0]); i++)
		if (ptui_record_option_find(with_rows[i].name) == use->option)
			return with_rows[i].take(t, use);
	ret = setup_more_add(&t->to->more, use->option, use->value, use->off);
	return ret == -E2BIG ? leave_out_use(t, use, _("too many options")) : ret;
}

/* ---- the target ---- */

/* -a holds: options that name tasks override it, as in perf. */
static bool is_system_wide(const struct ptui_record_opts *o)
{
	return o->system_wide && !o->n_pids && !o->n_tids && !o->user;
}

static int take_command(struct taking *t)
{
	struct words words = WORDS_INIT;
	struct ptui_error why = PTUI_ERROR_INIT;
	char *text;
	int ret = 0;

	for (char *const *word = t->opts->argv; *word && !ret; word++)
		ret = words_add(&words, *word);
	text = ret ? NULL : words_join(&words);
	words_release(&words);
	if (!text)
		return -ENOMEM;
	ret = setup_set_command(t->to, text, &why);
	if (is_system_wide(t->opts))
		t->to->target = SETUP_SYSTEM_COMMAND;
	if (ret && ret != -ENOMEM)
		ret = leave_out(t, text, why.text);
	free(text);
	return ret;
}

static int take_process(struct taking *t)
{
	pid_t pid = t->opts->pids[0];
	char what[32], *name;
	uint64_t start;
	int ret;

	if (!process_identify(t->proc, pid, &start, &name)) {
		snprintf(what, sizeof(what), "-p %d", (int)pid);
		t->to->target = SETUP_PROCESS;
		return leave_out(t, what, _("no such process"));
	}
	ret = setup_set_process(t->to, pid, start, name, NULL);
	free(name);
	return ret;
}

static int take_target(struct taking *t)
{
	if (t->opts->argv)
		return take_command(t);
	if (t->opts->n_pids == 1)
		return take_process(t);
	t->to->target = setup_names_target(t->to) ? SETUP_OPTIONS : SETUP_SYSTEM;
	return 0;
}

/* ---- all of it ---- */

/* What the line does not say is as record has it by itself; the past and the presets stay. */
static int begin(struct setup *fresh, const struct setup *old)
{
	int ret = setup_init(fresh);

	if (ret)
		return ret;
	fresh->callchain = false;
	words_release(&fresh->events);
	if (words_add_all(&fresh->preset_names, &old->preset_names) ||
	    words_add_all(&fresh->preset_lines, &old->preset_lines))
		return -ENOMEM;
	return words_add_all(&fresh->past, &old->past);
}

static int take_all(struct taking *t, const struct ptui_record_line *line)
{
	const struct ptui_record_refusal *refusal;
	const struct ptui_record_use *use;
	int ret = 0;

	for (size_t i = 0; !ret && (refusal = ptui_record_line_refusal(line, i)); i++)
		ret = leave_out(t, refusal->word, refusal->why.text);
	for (size_t i = 0; !ret && (use = ptui_record_line_use(line, i)); i++)
		ret = take_use(t, use);
	return ret ? ret : take_target(t);
}

/* The patterns of a command are for a shell: it would run with other words than were meant. */
static int check_globs(const struct words *words, const struct words_glob *glob,
		       const struct ptui_record_opts *o, struct ptui_error *err)
{
	size_t n = 0;

	while (o->argv && o->argv[n])
		n++;
	return glob->c && glob->word >= words->n - n ? words_need_shell(glob->c, err) : 0;
}

int setup_take_line(struct setup *s, const char *text, const char *proc, struct setup_taken *ret,
		    struct ptui_error *err)
{
	struct words words = WORDS_INIT;
	struct ptui_record_line *line = NULL;
	struct setup fresh = { .target = SETUP_COMMAND };
	struct taking t = { .to = &fresh, .taken = ret, .proc = proc };
	struct words_glob glob = { 0, 0 };
	int failed;

	memset(ret, 0, sizeof(*ret));
	failed = words_split_line(&words, text, &glob, err);
	if (!failed && !words.n)
		failed = ptui_error_set(err, PTUI_ERROR_INPUT, EINVAL, "",
					_("expected a line such as 'perf record -g -- make'"));
	if (!failed) {
		line = ptui_record_line_new((const char *const *)words.v, words.n,
					    PTUI_LINE_TOLERANT, err);
		failed = line ? check_globs(&words, &glob, ptui_record_line_opts(line), err) :
				-EINVAL;
	}
	if (!failed) {
		t.opts = ptui_record_line_opts(line);
		failed = begin(&fresh, s);
		if (!failed)
			failed = take_all(&t, line);
		if (failed)
			ptui_error_nomem(err);
	}
	ptui_record_line_free(line);
	words_release(&words);
	if (failed) {
		setup_release(&fresh);
		setup_taken_release(ret);
		return failed;
	}
	setup_release(s);
	*s = fresh;
	return 0;
}
