/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The rows of the form: one table with what each shows and what the keys do in it. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "text/i18n.h"
#include "view/setup/setup_private.h"
#include "widget/popup.h"

/* ---- target ---- */

static const struct {
	const char *name;
	enum request request;
	const char *detail; /* without a command or process; NULL: has another one */
} targets[N_SETUP_TARGETS] = {
	[SETUP_COMMAND] = { N_("command"), REQ_COMMAND, N_("press Enter to set one") },
	[SETUP_PROCESS] = { N_("process"), REQ_PROCESS, N_("press Enter to choose a process") },
	[SETUP_SYSTEM] = { N_("whole system"), REQ_WHOLE_SYSTEM, N_("all CPUs") },
	[SETUP_SYSTEM_COMMAND] = { N_("whole system"), REQ_NONE,
				   N_("while a command runs: press Enter to set one") },
	[SETUP_OPTIONS] = { N_("by options"), REQ_NONE, NULL },
};

/* The other targets, by their keys: "(p) process · (a) all" */
static void explain_target(const struct setup_screen *v, struct form_row *row)
{
	char key[32];
	size_t n = 0;

	for (int i = 0; i < N_SETUP_TARGETS && n < sizeof(row->explanation); i++) {
		if (i == (int)v->setup.target || targets[i].request == REQ_NONE)
			continue;
		keymaps_label(stack_keys(v->stack), KEYMAP_SETUP, targets[i].request, key,
			      sizeof(key));
		n += (size_t)snprintf(row->explanation + n, sizeof(row->explanation) - n,
				      *key ? "%s(%s) %s" : "%s%s%s", n ? " · " : "", key,
				      _(request_info(targets[i].request)->word));
	}
}

/* "-p 12,13" */
static void describe_target_options(const struct setup *s, struct form_row *row)
{
	struct words words = WORDS_INIT;
	char *text = NULL;
	int ret = 0;

	for (size_t i = 0; i < s->uses.n && !ret; i++)
		if (setup_option_part(s->uses.v[i].use.option) == SETUP_PART_TARGET)
			ret = setup_use_words(&s->uses.v[i].use, &words);
	if (!ret)
		text = words_join(&words);
	snprintf(row->detail, sizeof(row->detail), "%s", text ? text : "");
	free(text);
	words_release(&words);
}

static void describe_target(const struct setup_screen *v, size_t i, struct form_row *row)
{
	const struct setup *s = &v->setup;
	bool by_command = s->target == SETUP_COMMAND || s->target == SETUP_SYSTEM_COMMAND;

	(void)i;
	snprintf(row->value, sizeof(row->value), "%s", _(targets[s->target].name));
	explain_target(v, row);
	if (s->target == SETUP_PROCESS && s->pid) {
		snprintf(row->detail, sizeof(row->detail), "%d  %s", (int)s->pid, s->pid_name);
		if (!v->target_ended)
			return;
		row->detail_style = ROLE_BAD;
		snprintf(row->explanation, sizeof(row->explanation), "✗ %s", _("has ended"));
		row->explanation_style = ROLE_BAD;
	} else if (by_command && *s->command) {
		snprintf(row->detail, sizeof(row->detail),
			 s->target == SETUP_COMMAND ? "%s" : _("while this runs: %s"), s->command);
	} else if (s->target == SETUP_OPTIONS) {
		describe_target_options(s, row);
	} else {
		row->detail_style = s->target == SETUP_SYSTEM ? ROLE_DIM : ROLE_NOTE;
		snprintf(row->detail, sizeof(row->detail), "%s", _(targets[s->target].detail));
	}
}

unsigned setup_set_target(struct setup_screen *v, enum setup_target target)
{
	v->setup.target = target;
	return setup_changed(v);
}

unsigned setup_ask_target(struct setup_screen *v)
{
	switch (v->setup.target) {
	case SETUP_COMMAND:
	case SETUP_SYSTEM_COMMAND:
		return setup_ask_command(v, v->setup.target);
	case SETUP_PROCESS:
		return setup_ask_process(v);
	case SETUP_OPTIONS:
		return setup_open_options(v);
	default:
		stack_say(
			v->stack, ROLE_NOTE, "%s",
			_("the whole system has nothing to edit; Left and Right choose another target"));
		return WISH_REDRAW;
	}
}

static unsigned act_target(struct setup_screen *v, size_t i, enum form_act act)
{
	int step = act == FORM_PREV ? N_SETUP_TARGETS - 1 : 1, target = v->setup.target;

	(void)i;
	if (act == FORM_EDIT)
		return setup_ask_target(v);
	do
		target = (target + step) % N_SETUP_TARGETS;
	while (target == SETUP_OPTIONS && !setup_names_target(&v->setup));
	return setup_set_target(v, (enum setup_target)target);
}

/* ---- end ---- */

static size_t count_end(const struct setup_screen *v)
{
	return setup_can_be_timed(&v->setup);
}

static void describe_end(const struct setup_screen *v, size_t i, struct form_row *row)
{
	static const char *const names[] = { N_("manual"), N_("timed") };
	const struct setup *s = &v->setup;

	(void)i;
	snprintf(row->value, sizeof(row->value), "%s", _(names[s->timed]));
	snprintf(row->current, sizeof(row->current), "%s", _(names[s->timed]));
	snprintf(row->explanation, sizeof(row->explanation), "%s", _("manual · timed"));
	if (s->timed)
		snprintf(row->detail, sizeof(row->detail),
			 Q_("after %" PRIu64 " second", "after %" PRIu64 " seconds", s->seconds),
			 s->seconds);
	else
		snprintf(row->detail, sizeof(row->detail), "%s",
			 s->target == SETUP_PROCESS ? _("when it exits, or you stop it") :
						      _("until you stop it"));
	row->detail_style = s->timed ? ROLE_FIELD : ROLE_DIM;
}

static unsigned act_end(struct setup_screen *v, size_t i, enum form_act act)
{
	(void)i;
	if (act == FORM_EDIT)
		return setup_ask_seconds(v);
	v->setup.timed = !v->setup.timed;
	return setup_changed(v);
}

/* ---- events ---- */

/* True if the problem is about this -e; for a group or a list, about one of its events. */
static bool is_about(const struct ptui_problem *p, const char *event)
{
	const char *object = p->what.object, *at = event;
	size_t len = strlen(object);

	if (!strcmp(object, event))
		return true;
	while (len && (at = strstr(at, object))) {
		if ((at == event || strchr("{,", at[-1])) && strchr(",}:", at[len]))
			return true;
		at++;
	}
	return false;
}

static void explain(struct form_row *row, style_t style, const char *mark, const char *text)
{
	row->explanation_style = style;
	snprintf(row->explanation, sizeof(row->explanation), "%s%s%s", mark, *text ? " " : "",
		 text);
}

static size_t count_events(const struct setup_screen *v)
{
	return v->setup.events.n;
}

static void describe_event(const struct setup_screen *v, size_t i, struct form_row *row)
{
	const struct ptui_check *check = setup_checker_answer(v->checker);
	const struct ptui_problem *problem = NULL;
	const char *filter = setup_filter(&v->setup, i);

	if (i)
		row->label = "";
	snprintf(row->value, sizeof(row->value), "%s", v->setup.events.v[i]);
	if (filter) {
		row->detail_style = ROLE_DIM;
		snprintf(row->detail, sizeof(row->detail), _("filter %s"), filter);
	}
	for (size_t k = 0; check && k < check->n_problems; k++)
		if (is_about(&check->problems[k], v->setup.events.v[i]) &&
		    (!problem || check->problems[k].refused))
			problem = &check->problems[k];
	if (check && !problem)
		explain(row, ROLE_GOOD, "✓", "");
	else if (check && problem->refused)
		explain(row, ROLE_BAD, "✗", _("refused"));
	else if (check)
		explain(row, ROLE_NOTE, "!", _("see below"));
}

static unsigned act_event(struct setup_screen *v, size_t i, enum form_act act)
{
	(void)act;
	return setup_ask_event(v, i);
}

static void describe_add(const struct setup_screen *v, size_t i, struct form_row *row)
{
	(void)i;
	row->value_style = ROLE_DIM;
	snprintf(row->value, sizeof(row->value), "%s", _("+ add from the catalog …"));
	if (v->setup.events.n)
		row->label = "";
	else
		snprintf(row->explanation, sizeof(row->explanation), "%s", _("default: cycles"));
}

/* ---- choices made by options ---- */

/* "4000 samples a second", "every hit", or both. */
static void describe_default_rate(const struct setup_screen *v, char *buf, size_t size)
{
	size_t tracepoints, others, n;

	setup_count_tracepoints((const char *const *)v->setup.events.v, v->setup.events.n,
				&tracepoints, &others);
	if (tracepoints && !others) {
		snprintf(buf, size, "%s", _("every event"));
		return;
	}
	snprintf(buf, size, _("%d Hz"), SETUP_DEFAULT_HZ);
	n = strlen(buf);
	if (tracepoints)
		snprintf(buf + n, size - n, "; %s", _("tracepoints: every event"));
}

static void describe_rate(const struct setup_screen *v, int rate, struct form_row *row)
{
	const struct ptui_check *check = setup_checker_answer(v->checker);
	uint64_t number = v->setup.rates[rate];

	if (rate == SETUP_RATE_COUNT)
		snprintf(row->detail, sizeof(row->detail), "%s", _("no samples, only totals"));
	else if (rate == SETUP_RATE_DEFAULT)
		describe_default_rate(v, row->detail, sizeof(row->detail));
	else if (rate == SETUP_RATE_PERIOD)
		snprintf(row->detail, sizeof(row->detail),
			 Q_("one sample every %" PRIu64 " event",
			    "one sample every %" PRIu64 " events", number),
			 number);
	else
		snprintf(row->detail, sizeof(row->detail), _("%" PRIu64 " Hz"), number);
	if (rate == SETUP_RATE_FREQUENCY && check && check->max_freq_hz &&
	    number > check->max_freq_hz) {
		*row->current = '\0';
		row->explanation_style = ROLE_NOTE;
		snprintf(row->explanation, sizeof(row->explanation), _("! at most %" PRIu64 " now"),
			 check->max_freq_hz);
	}
}

static void describe_keep(const struct setup_screen *v, int keep, struct form_row *row)
{
	const char *size = setup_choice_size(&v->setup, SETUP_KEEP);

	if (keep == SETUP_KEEP_MEMORY)
		snprintf(row->detail, sizeof(row->detail), _("the last %s, until a snapshot"),
			 size);
	else if (keep == SETUP_KEEP_RINGS && size)
		snprintf(row->detail, sizeof(row->detail),
			 _("the last %s per CPU, until a snapshot"), size);
	else if (keep == SETUP_KEEP_RINGS)
		snprintf(row->detail, sizeof(row->detail), "%s",
			 _("the last samples, until a snapshot"));
}

static void describe_choice(const struct setup_screen *v, enum setup_choice c, struct form_row *row)
{
	const struct setup_choice_row *info = &setup_choices[c];
	const struct ptui_record_use *use = setup_choice_use(&v->setup, c);
	int value = setup_choice(&v->setup, c);

	row->label = _(info->label);
	if (value == SETUP_BY_OPTION) {
		struct ptui_record_option o = { .name = "" };

		ptui_record_option(use->option, &o);
		snprintf(row->value, sizeof(row->value), "%s",
			 use->off   ? _("off") :
			 use->value ? use->value :
				      _("on"));
		snprintf(row->explanation, sizeof(row->explanation), _("set by --%s"), o.name);
		return;
	}
	snprintf(row->value, sizeof(row->value), "%s", _(info->values[value].name));
	snprintf(row->current, sizeof(row->current), "%s", _(info->values[value].name));
	snprintf(row->explanation, sizeof(row->explanation), "%s", _(info->explain));
	if (c == SETUP_RATE)
		describe_rate(v, value, row);
	else if (c == SETUP_KEEP)
		describe_keep(v, value, row);
}

/* An option that replaces the row goes first. */
unsigned setup_step_choice(struct setup_screen *v, enum setup_choice c, int step)
{
	struct ptui_error err = PTUI_ERROR_INIT;
	int value = setup_choice(&v->setup, c), n = setup_choice_n(c);

	for (int i = 0; value == SETUP_BY_OPTION && i < n; i++)
		if (!setup_choices[c].values[i].option)
			value = i - step;
	value = (value + step + n) % n;
	if (setup_set_choice(&v->setup, c, value, &err))
		popup_error(v->stack, &err);
	return setup_changed(v);
}

static unsigned act_choice(struct setup_screen *v, enum setup_choice c, enum form_act act)
{
	int value = setup_choice(&v->setup, c);

	if (act == FORM_EDIT && setup_choices[c].values[value < 0 ? 0 : value].ask)
		return setup_ask_size(v, c);
	return setup_step_choice(v, c, act == FORM_PREV ? -1 : 1);
}

/* ---- other rows ---- */

static void describe_output(const struct setup_screen *v, size_t i, struct form_row *row)
{
	const char *path = setup_output(&v->setup);
	const struct ptui_check *check = setup_checker_answer(v->checker);
	size_t most = sizeof(check->problems->what.object) - 1, k; /* a longer one was truncated */

	(void)i;
	snprintf(row->value, sizeof(row->value), "%s", path);
	if (!check)
		return;
	for (k = 0; k < check->n_problems; k++) {
		if (check->problems[k].refused &&
		    !strncmp(check->problems[k].what.object, path, most)) {
			explain(row, ROLE_BAD, "✗", _("refused"));
			return;
		}
	}
	snprintf(row->explanation, sizeof(row->explanation), "%s",
		 check->output_exists ? _("existing file becomes .old") : _("new file"));
}

static size_t n_other_options(void)
{
	struct ptui_record_option o;
	size_t n = 0;

	for (size_t i = 0; ptui_record_option(i, &o); i++)
		n += !setup_has_row(i);
	return n;
}

/* "3 differ: -z --sample-cpu -D 500" */
static void describe_more(const struct setup_screen *v, size_t i, struct form_row *row)
{
	size_t n = setup_more_count(&v->setup), all = n_other_options(), at = 0;
	const struct ptui_record_use *use;
	struct words words = WORDS_INIT;
	char *text = NULL;
	int ret = 0;

	(void)i;
	if (!n) {
		row->value_style = ROLE_DIM;
		snprintf(row->value, sizeof(row->value),
			 _("%zu more options, all at their defaults"), all);
		return;
	}
	while (!ret && (use = setup_more(&v->setup, &at)))
		ret = setup_use_words(use, &words);
	if (!ret)
		text = words_join(&words);
	snprintf(row->value, sizeof(row->value), Q_("%zu differs: %s", "%zu differ: %s", n), n,
		 text ? text : "");
	snprintf(row->explanation, sizeof(row->explanation), _("of %zu options"), all);
	free(text);
	words_release(&words);
}

/* Counts have no callchains, no flight recorder and no file. */
static size_t count_sampling(const struct setup_screen *v)
{
	return !v->setup.counts;
}

/* ---- the table ---- */

/* A row without describe() is one of setup_choices. Rows that Enter opens have open(). */
static const struct {
	const char *label; /* N_() */
	enum form_kind kind;
	enum setup_choice choice;
	size_t (*count)(const struct setup_screen *v); /* NULL: one row */
	void (*describe)(const struct setup_screen *v, size_t i, struct form_row *row);
	unsigned (*open)(struct setup_screen *v);
	unsigned (*act)(struct setup_screen *v, size_t i, enum form_act act);
} form_rows[N_PARTS] = {
	[PART_TARGET] = { N_("Target"), FORM_CHOICE, .describe = describe_target,
			  .act = act_target },
	[PART_END] = { N_("End"), FORM_CHOICE, .count = count_end, .describe = describe_end,
		       .act = act_end },
	[PART_EVENT] = { N_("Events"), FORM_TEXT, .count = count_events, .describe = describe_event,
			 .act = act_event },
	[PART_ADD] = { N_("Events"), FORM_TEXT, .describe = describe_add,
		       .open = setup_choose_events },
	[PART_RATE] = { "", FORM_CHOICE, .choice = SETUP_RATE },
	[PART_CALLS] = { "", FORM_TOGGLE, .count = count_sampling, .choice = SETUP_CALLS },
	[PART_KEEP] = { "", FORM_CHOICE, .count = count_sampling, .choice = SETUP_KEEP },
	[PART_OUTPUT] = { N_("Output"), FORM_TEXT, .count = count_sampling,
			  .describe = describe_output, .open = setup_ask_output },
	[PART_MORE] = { N_("More"), FORM_TEXT, .describe = describe_more,
			.open = setup_open_options },
};

static size_t count_rows(const struct setup_screen *v, enum part part)
{
	return form_rows[part].count ? form_rows[part].count(v) : 1;
}

enum part setup_part_of(const struct setup_screen *v, size_t row, size_t *ret_i)
{
	int part = 0;

	for (; part < N_PARTS && row >= count_rows(v, (enum part)part); part++)
		row -= count_rows(v, (enum part)part);
	*ret_i = row;
	return (enum part)part;
}

size_t setup_row_of(const struct setup_screen *v, enum part part)
{
	size_t row = 0;

	for (int before = 0; before < (int)part; before++)
		row += count_rows(v, (enum part)before);
	return row;
}

bool setup_part_has_values(enum part part)
{
	return part < N_PARTS && form_rows[part].kind != FORM_TEXT;
}

size_t setup_form_count(void *ctx)
{
	return setup_row_of(ctx, N_PARTS);
}

/* The form may still have rows that are gone: they are empty, and do nothing. */
void setup_form_row(void *ctx, size_t row, struct form_row *ret)
{
	size_t i;
	enum part part = setup_part_of(ctx, row, &i);

	if (part == N_PARTS)
		return;
	ret->kind = form_rows[part].kind;
	ret->label = *form_rows[part].label ? _(form_rows[part].label) : "";
	if (form_rows[part].describe)
		form_rows[part].describe(ctx, i, ret);
	else
		describe_choice(ctx, form_rows[part].choice, ret);
}

unsigned setup_form_act(void *ctx, size_t row, enum form_act act)
{
	size_t i;
	enum part part = setup_part_of(ctx, row, &i);

	if (part == N_PARTS)
		return WISH_NONE;
	if (form_rows[part].open)
		return form_rows[part].open(ctx);
	return form_rows[part].act ? form_rows[part].act(ctx, i, act) :
				     act_choice(ctx, form_rows[part].choice, act);
}
