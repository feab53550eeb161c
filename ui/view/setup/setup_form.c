/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The rows of the form: one table with what each shows and what the keys do in it. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "text/i18n.h"
#include "text/strings.h"
#include "view/setup/setup_private.h"

/* Text and style of a part of a row. */
#define PUT(row, part, style, ...) \
	((row)->part##_style = (style), snprintf((row)->part, sizeof((row)->part), __VA_ARGS__))

/* ---- target ---- */

static const struct {
	enum request request;
	const char *detail; /* without a command or process */
	unsigned (*open)(struct setup_screen *v);
} targets[N_SETUP_TARGETS] = {
	[SETUP_COMMAND] = { REQ_COMMAND, N_("press Enter to set one"), NULL },
	[SETUP_PROCESS] = { REQ_PROCESS, N_("press Enter to choose a process"),
			    setup_choose_process },
	[SETUP_SYSTEM] = { REQ_WHOLE_SYSTEM, N_("all CPUs"), NULL },
	[SETUP_SYSTEM_COMMAND] = { REQ_NONE, N_("while a command runs: press Enter to set one"),
				   NULL },
	[SETUP_OPTIONS] = { REQ_NONE, NULL, setup_choose_options },
};

/* The other targets, by their keys: "(p) process · (a) all" */
static void explain_target(const struct setup_screen *v, struct form_row *row)
{
	for (int i = 0; i < N_SETUP_TARGETS; i++) {
		struct key_text key = setup_key(v, targets[i].request);

		if (i == (int)v->setup.target || targets[i].request == REQ_NONE)
			continue;
		text_join(row->explanation, sizeof(row->explanation), " · ",
			  *key.text ? "(%s) %s" : "%s%s", key.text,
			  _(request_info(targets[i].request)->word));
	}
}

/* The options that setup_more() returns, or (`of_target`) those of them that set the target. */
static char *options_text(const struct setup *s, bool of_target)
{
	const struct ptui_record_use *use;
	struct words words = WORDS_INIT;
	char *text;
	size_t at = 0;

	while ((use = setup_more(s, &at)))
		if (!of_target || setup_sets_target(s->uses[at - 1].part))
			setup_use_words(use, &words);
	text = words_join(&words);
	words_release(&words);
	return text;
}

static void describe_target(const struct setup_screen *v, int target, struct form_row *row)
{
	const struct setup *s = &v->setup;
	bool by_command = target == SETUP_COMMAND || target == SETUP_SYSTEM_COMMAND;
	char *text;

	explain_target(v, row);
	if (target == SETUP_PROCESS && s->pid) {
		PUT(row, detail, v->target_ended ? ROLE_BAD : ROLE_FIELD, "%d  %s", (int)s->pid,
		    s->pid_name);
		if (v->target_ended)
			PUT(row, explanation, ROLE_BAD, "✗ %s", _("has ended"));
	} else if (by_command && *s->command) {
		PUT(row, detail, ROLE_FIELD,
		    target == SETUP_COMMAND ? "%s" : _("while this runs: %s"), s->command);
	} else if (target == SETUP_OPTIONS) {
		text = options_text(s, true);
		PUT(row, detail, ROLE_FIELD, "%s", text ? text : "");
		free(text);
	} else {
		PUT(row, detail, target == SETUP_SYSTEM ? ROLE_DIM : ROLE_NOTE, "%s",
		    _(targets[target].detail));
	}
}

unsigned setup_ask_target(struct setup_screen *v)
{
	enum setup_target target = v->setup.target;

	if (target == SETUP_SYSTEM)
		return stack_note(
			v->stack,
			_("the whole system has nothing to edit; Left and Right choose another target"));
	return targets[target].open ? targets[target].open(v) : setup_ask(v, SETUP_TARGET, target);
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

static void describe_event(const struct setup_screen *v, int index, struct form_row *row)
{
	const struct ptui_check *check = v->answer;
	const struct ptui_problem *problem = NULL;
	const char *event = setup_event(&v->setup, (size_t)index);
	const char *filter = setup_filter(&v->setup, (size_t)index);

	if (index)
		row->label = "";
	PUT(row, value, ROLE_FIELD, "%s", event);
	if (filter)
		PUT(row, detail, ROLE_DIM, _("filter %s"), filter);
	for (size_t k = 0; check && k < check->n_problems; k++)
		if (is_about(&check->problems[k], event) &&
		    (!problem || check->problems[k].refused))
			problem = &check->problems[k];
	if (check && !problem)
		PUT(row, explanation, ROLE_GOOD, "✓");
	else if (check && problem->refused)
		PUT(row, explanation, ROLE_BAD, "✗ %s", _("refused"));
	else if (check)
		PUT(row, explanation, ROLE_NOTE, "! %s", _("see below"));
}

static void describe_add(const struct setup_screen *v, int value, struct form_row *row)
{
	(void)value;
	PUT(row, value, ROLE_DIM, "%s", _("+ add from the catalog …"));
	if (setup_event(&v->setup, 0))
		row->label = "";
	else
		PUT(row, explanation, ROLE_DIM, "%s", _("default: cycles"));
}

/* ---- choices ---- */

static void describe_end(const struct setup_screen *v, int timed, struct form_row *row)
{
	const struct setup *s = &v->setup;

	if (timed)
		PUT(row, detail, ROLE_FIELD,
		    Q_("after %" PRIu64 " second", "after %" PRIu64 " seconds", s->seconds),
		    s->seconds);
	else
		PUT(row, detail, ROLE_DIM, "%s",
		    s->target == SETUP_PROCESS ? _("when it exits, or you stop it") :
						 _("until you stop it"));
}

/* "4000 Hz", "every event", or both. */
static void describe_default_rate(const struct setup_screen *v, struct form_row *row)
{
	size_t tracepoints = 0, others = 0;
	const char *event;

	for (size_t i = 0; (event = setup_event(&v->setup, i)); i++)
		setup_count_tracepoints(event, &tracepoints, &others);
	if (!tracepoints || others)
		PUT(row, detail, ROLE_FIELD, _("%d Hz"), SETUP_DEFAULT_HZ);
	if (tracepoints)
		text_join(row->detail, sizeof(row->detail), "; ", "%s",
			  others ? _("tracepoints: every event") : _("every event"));
}

static void describe_rate(const struct setup_screen *v, int rate, struct form_row *row)
{
	const struct ptui_check *check = v->answer;
	uint64_t number = v->setup.rates[rate];

	if (rate == SETUP_RATE_DEFAULT)
		describe_default_rate(v, row);
	else if (rate == SETUP_RATE_COUNT)
		PUT(row, detail, ROLE_FIELD, "%s", _("no samples, only totals"));
	else if (rate == SETUP_RATE_PERIOD)
		PUT(row, detail, ROLE_FIELD,
		    Q_("one sample every %" PRIu64 " event", "one sample every %" PRIu64 " events",
		       number),
		    number);
	else
		PUT(row, detail, ROLE_FIELD, _("%" PRIu64 " Hz"), number);
	if (rate == SETUP_RATE_FREQUENCY && check && check->max_freq_hz &&
	    number > check->max_freq_hz) {
		row->current = "";
		PUT(row, explanation, ROLE_NOTE, _("! at most %" PRIu64 " now"),
		    check->max_freq_hz);
	}
}

static void describe_keep(const struct setup_screen *v, int keep, struct form_row *row)
{
	const char *size = setup_choice_size(&v->setup, SETUP_KEEP);

	if (keep != SETUP_KEEP_OFF)
		PUT(row, detail, ROLE_FIELD,
		    keep == SETUP_KEEP_MEMORY ? _("the last %s, until a snapshot") :
		    size		      ? _("the last %s per CPU, until a snapshot") :
						_("the last samples, until a snapshot"),
		    size);
}

/* ---- other rows ---- */

static void describe_output(const struct setup_screen *v, int value, struct form_row *row)
{
	const char *path = setup_output(&v->setup);
	const struct ptui_check *check = v->answer;
	size_t most = sizeof(check->problems->what.object) - 1; /* a longer one was truncated */

	(void)value;
	PUT(row, value, ROLE_FIELD, "%s", path);
	if (check)
		PUT(row, explanation, ROLE_DIM, "%s",
		    check->output_exists ? _("existing file becomes .old") : _("new file"));
	for (size_t k = 0; check && k < check->n_problems; k++)
		if (check->problems[k].refused &&
		    !strncmp(check->problems[k].what.object, path, most))
			PUT(row, explanation, ROLE_BAD, "✗ %s", _("refused"));
}

/* "3 differ: -z --sample-cpu -D 500" */
static void describe_more(const struct setup_screen *v, int value, struct form_row *row)
{
	size_t n = setup_more_count(&v->setup), all = 0;
	struct ptui_record_option o;
	char *text;

	(void)value;
	for (size_t i = 0; ptui_record_option(i, &o); i++)
		all += !setup_option(i)->has_row;
	if (!n) {
		PUT(row, value, ROLE_DIM, _("%zu more options, all at their defaults"), all);
		return;
	}
	text = options_text(&v->setup, false);
	PUT(row, value, ROLE_FIELD, Q_("%zu differs: %s", "%zu differ: %s", n), n,
	    text ? text : "");
	PUT(row, explanation, ROLE_DIM, _("of %zu options"), all);
	free(text);
}

/* ---- the table ---- */

static const struct {
	/* Value and detail; `value`: of a choice, or the index of the event. */
	void (*describe)(const struct setup_screen *v, int value, struct form_row *row);
	/* NULL: asks for the number of a choice, or takes the next value. */
	unsigned (*open)(struct setup_screen *v);
} form_rows[N_SETUP_ROWS] = {
	[SETUP_TARGET] = { describe_target, setup_ask_target },
	[SETUP_END] = { describe_end, NULL },
	[SETUP_EVENT] = { describe_event, NULL },
	[SETUP_ADD] = { describe_add, setup_choose_events },
	[SETUP_RATE] = { describe_rate, NULL },
	[SETUP_KEEP] = { describe_keep, NULL },
	[SETUP_FILE] = { describe_output, NULL },
	[SETUP_MORE] = { describe_more, setup_choose_options },
};

static size_t count_rows(const struct setup_screen *v, int row)
{
	if (row == SETUP_EVENT)
		return setup_n_events(&v->setup);
	if (row == SETUP_END)
		return setup_can_be_timed(&v->setup);
	return !setup_form[row].for_samples || !v->setup.counts;
}

/* The row at a line of the table, which may still have lines that are gone: N_SETUP_ROWS. */
static enum setup_row row_at(const struct setup_screen *v, size_t line, size_t *ret_i)
{
	int row = 0;

	for (; row < N_SETUP_ROWS && line >= count_rows(v, row); row++)
		line -= count_rows(v, row);
	*ret_i = line;
	return (enum setup_row)row;
}

enum setup_row setup_row_here(const struct setup_screen *v, size_t *ret_i)
{
	return row_at(v, v->table.cursor, ret_i);
}

static size_t line_of(const struct setup_screen *v, enum setup_row row)
{
	size_t line = 0;

	for (int before = 0; before < (int)row; before++)
		line += count_rows(v, before);
	return line;
}

void setup_go_to(struct setup_screen *v, enum setup_row row)
{
	table_move_to(&v->table, line_of(v, row));
}

static size_t n_lines(void *ctx)
{
	return line_of(ctx, N_SETUP_ROWS);
}

/* The value of a choice. False: an option replaces it. */
static bool put_choice(const struct setup *s, enum setup_row row, int value, struct form_row *form)
{
	const struct ptui_record_use *use = setup_choice_use(s, row);
	struct ptui_record_option o = { .name = "" };

	form->is_choice = true;
	if (use) {
		ptui_record_option(use->option, &o);
		PUT(form, value, ROLE_FIELD, "%s", setup_use_value(use));
		PUT(form, explanation, ROLE_DIM, _("set by --%s"), o.name);
		return false;
	}
	form->current = _(setup_form[row].values[value].name);
	PUT(form, value, ROLE_FIELD, "%s", form->current);
	PUT(form, explanation, ROLE_DIM, "%s", _(setup_form[row].explain));
	return true;
}

static bool draw_line(void *ctx, size_t at, const struct canvas *line, style_t flags, int skip)
{
	struct setup_screen *v = ctx;
	struct form_row form = FORM_ROW_INIT;
	size_t i;
	enum setup_row row = row_at(v, at, &i);
	int value = (int)i;

	(void)flags;
	(void)skip;
	if (row == N_SETUP_ROWS)
		return true;
	form.label = _(setup_form[row].label);
	if (setup_form[row].n)
		value = setup_choice(&v->setup, row);
	if ((!setup_form[row].n || put_choice(&v->setup, row, value, &form)) &&
	    form_rows[row].describe)
		form_rows[row].describe(v, value, &form);
	form_row_draw(line, v->table.at.w, LABEL_COLUMNS, &form);
	return true;
}

const struct table_ops setup_row_ops = { .count = n_lines, .draw = draw_line };

/* ---- keys ---- */

/* An option that replaces the row goes first. */
unsigned setup_step_choice(struct setup_screen *v, enum setup_row c, int step)
{
	struct ptui_error err = PTUI_ERROR_INIT;
	int value = setup_choice(&v->setup, c), n = setup_form[c].n;

	for (int i = 0; value == SETUP_BY_OPTION && i < n; i++)
		if (!setup_form[c].values[i].option)
			value = i - step;
	do
		value = (value + step + n) % n;
	while (c == SETUP_TARGET && value == SETUP_OPTIONS && !setup_names_target(&v->setup));
	if (setup_set_choice(&v->setup, c, value, &err))
		popup_error(v->stack, &err);
	return setup_changed(v);
}

unsigned setup_open_row(struct setup_screen *v)
{
	size_t i;
	enum setup_row row = setup_row_here(v, &i);
	int value;

	if (row == N_SETUP_ROWS)
		return WISH_NONE;
	if (form_rows[row].open)
		return form_rows[row].open(v);
	value = setup_form[row].n ? setup_choice(&v->setup, row) : 0;
	return setup_form[row].values[value < 0 ? 0 : value].ask ? setup_ask(v, row, i) :
								   setup_step_choice(v, row, 1);
}

unsigned setup_step_row(struct setup_screen *v, int step)
{
	size_t i;
	enum setup_row row = setup_row_here(v, &i);

	return row < N_SETUP_ROWS && setup_form[row].n ? setup_step_choice(v, row, step) :
							 WISH_PASS;
}
