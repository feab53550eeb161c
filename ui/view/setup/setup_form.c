/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The rows of the form. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/setup/setup_keep.h"
#include "text/i18n.h"
#include "view/setup/setup_private.h"

enum part setup_part_of(const struct setup_screen *v, size_t row)
{
	size_t n = v->setup.events.n;

	if (!row)
		return PART_TARGET;
	return row <= n ? PART_EVENT : (enum part)(PART_ADD + (row - 1 - n));
}

size_t setup_row_of(const struct setup_screen *v, enum part part)
{
	if (part <= PART_EVENT)
		return part;
	return 1 + v->setup.events.n + (part - PART_ADD);
}

size_t setup_event_of(size_t row)
{
	return row - 1;
}

size_t setup_form_count(void *ctx)
{
	struct setup_screen *v = ctx;

	return setup_row_of(v, PART_MORE) + 1;
}

/* ---- target ---- */

static const struct {
	const char *name;
	enum request request;
} targets[N_SETUP_TARGETS] = {
	[SETUP_COMMAND] = { N_("command"), REQ_COMMAND },
	[SETUP_PROCESS] = { N_("process"), REQ_PROCESS },
	[SETUP_SYSTEM] = { N_("whole system"), REQ_WHOLE_SYSTEM },
	[SETUP_SYSTEM_COMMAND] = { N_("whole system"), REQ_NONE },
	[SETUP_OPTIONS] = { N_("by options"), REQ_NONE },
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

	for (size_t i = 0; i < s->more.n && !ret; i++)
		if (setup_option_targets(s->more.v[i].option))
			ret = setup_use_words(&s->more.v[i], &words);
	if (!ret)
		text = words_join(&words);
	snprintf(row->detail, sizeof(row->detail), "%s", text ? text : "");
	free(text);
	words_release(&words);
}

static void describe_target(const struct setup_screen *v, struct form_row *row)
{
	const struct setup *s = &v->setup;
	const char *detail;

	row->kind = FORM_CHOICE;
	row->label = _("Target");
	snprintf(row->value, sizeof(row->value), "%s", _(targets[s->target].name));
	explain_target(v, row);
	if (s->target == SETUP_PROCESS && s->pid) {
		snprintf(row->detail, sizeof(row->detail), "%d  %s", (int)s->pid, s->pid_name);
		if (!v->target_ended)
			return;
		row->detail_style = ROLE_BAD;
		snprintf(row->explanation, sizeof(row->explanation), "✗ %s", _("has ended"));
		row->explanation_style = ROLE_BAD;
		return;
	}
	if (s->target == SETUP_COMMAND && *s->command) {
		snprintf(row->detail, sizeof(row->detail), "%s", s->command);
		return;
	}
	if (s->target == SETUP_SYSTEM_COMMAND && *s->command) {
		snprintf(row->detail, sizeof(row->detail), _("while this runs: %s"), s->command);
		return;
	}
	if (s->target == SETUP_OPTIONS) {
		describe_target_options(s, row);
		return;
	}
	row->detail_style = s->target == SETUP_SYSTEM ? ROLE_DIM : ROLE_NOTE;
	if (s->target == SETUP_COMMAND || s->target == SETUP_SYSTEM_COMMAND)
		detail = _("press Enter to set one");
	else if (s->target == SETUP_PROCESS)
		detail = _("press Enter to choose a process");
	else
		detail = _("until you stop it");
	snprintf(row->detail, sizeof(row->detail), "%s", detail);
}

/* ---- other rows ---- */

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

static void describe_event(const struct setup_screen *v, size_t i, struct form_row *row)
{
	const struct ptui_check *check = setup_checker_answer(v->checker);
	const struct ptui_problem *problem = NULL;

	row->label = i ? "" : _("Events");
	snprintf(row->value, sizeof(row->value), "%s", v->setup.events.v[i]);
	if (setup_filter(&v->setup, i)) {
		row->detail_style = ROLE_DIM;
		snprintf(row->detail, sizeof(row->detail), _("filter %s"),
			 setup_filter(&v->setup, i));
	}
	for (size_t k = 0; check && k < check->n_problems; k++)
		if (is_about(&check->problems[k], v->setup.events.v[i]) &&
		    (!problem || check->problems[k].refused))
			problem = &check->problems[k];
	if (!check)
		return;
	if (!problem) {
		row->explanation_style = ROLE_GOOD;
		snprintf(row->explanation, sizeof(row->explanation), "✓");
	} else if (problem->refused) {
		row->explanation_style = ROLE_BAD;
		snprintf(row->explanation, sizeof(row->explanation), "✗ %s", _("refused"));
	} else {
		row->explanation_style = ROLE_NOTE;
		snprintf(row->explanation, sizeof(row->explanation), "! %s", _("see below"));
	}
}

static void describe_add(const struct setup_screen *v, struct form_row *row)
{
	row->kind = FORM_TEXT;
	row->label = v->setup.events.n ? "" : _("Events");
	row->value_style = ROLE_DIM;
	snprintf(row->value, sizeof(row->value), "%s", _("+ add from the catalog …"));
	if (!v->setup.events.n)
		snprintf(row->explanation, sizeof(row->explanation), "%s", _("default: cycles"));
}

/* An option replaces this row. */
static bool describe_said(const struct setup_screen *v, const char *name, struct form_row *row)
{
	const struct setup_use *u = setup_more_named(&v->setup.more, name);

	if (!u)
		return false;
	snprintf(row->value, sizeof(row->value), "%s",
		 u->off	  ? _("off") :
		 u->value ? u->value :
			    _("on"));
	snprintf(row->explanation, sizeof(row->explanation), _("set by --%s"), name);
	return true;
}

static void describe_choice(struct form_row *row, const char *now, const char *all)
{
	snprintf(row->value, sizeof(row->value), "%s", now);
	memcpy(row->current, row->value, sizeof(row->current));
	snprintf(row->explanation, sizeof(row->explanation), "%s", all);
}

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

static void describe_rate(const struct setup_screen *v, struct form_row *row)
{
	const struct ptui_check *check = setup_checker_answer(v->checker);
	static const char *const names[N_SETUP_RATES] = {
		[SETUP_RATE_DEFAULT] = N_("auto"),
		[SETUP_RATE_FREQUENCY] = N_("frequency"),
		[SETUP_RATE_PERIOD] = N_("period"),
	};
	enum setup_rate rate = v->setup.rate;

	row->kind = FORM_CHOICE;
	row->label = _("Sampling");
	if (describe_said(v, "freq", row) || describe_said(v, "count", row))
		return;
	describe_choice(row, _(names[rate]), _("auto · period · frequency"));
	if (rate == SETUP_RATE_DEFAULT)
		describe_default_rate(v, row->detail, sizeof(row->detail));
	else if (rate == SETUP_RATE_PERIOD)
		snprintf(row->detail, sizeof(row->detail),
			 Q_("one sample every %" PRIu64 " event",
			    "one sample every %" PRIu64 " events", v->setup.period),
			 v->setup.period);
	else
		snprintf(row->detail, sizeof(row->detail), _("%" PRIu64 " Hz"), v->setup.freq_hz);
	if (rate == SETUP_RATE_FREQUENCY && check && check->max_freq_hz &&
	    v->setup.freq_hz > check->max_freq_hz) {
		*row->current = '\0';
		row->explanation_style = ROLE_NOTE;
		snprintf(row->explanation, sizeof(row->explanation), _("! at most %" PRIu64 " now"),
			 check->max_freq_hz);
	}
}

static void describe_calls(const struct setup_screen *v, struct form_row *row)
{
	static const char *const names[N_SETUP_CALLS] = {
		[SETUP_CALLS_UNWOUND] = N_("unwound"),
		[SETUP_CALLS_FP] = N_("frame pointers"),
		[SETUP_CALLS_OFF] = N_("off"),
	};

	row->kind = FORM_TOGGLE;
	row->label = _("Call graph");
	if (describe_said(v, "call-graph", row))
		return;
	describe_choice(row, _(names[v->setup.calls]), _("unwound · fp · off"));
}

static void describe_keep(const struct setup_screen *v, struct form_row *row)
{
	static const char *const names[N_SETUP_KEEPS] = {
		[SETUP_KEEP_OFF] = N_("off"),
		[SETUP_KEEP_MEMORY] = N_("memory"),
		[SETUP_KEEP_RINGS] = N_("rings"),
	};
	enum setup_keep keep = setup_keep(&v->setup);
	const char *size = setup_keep_size(&v->setup);

	row->kind = FORM_CHOICE;
	row->label = _("Flight rec.");
	describe_choice(row, _(names[keep]), _("off · memory · rings"));
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

static void describe_output(const struct setup_screen *v, struct form_row *row)
{
	const char *path = *v->setup.output ? v->setup.output : SETUP_OUTPUT;
	const struct ptui_check *check = setup_checker_answer(v->checker);
	size_t most = sizeof(check->problems->what.object) - 1, k; /* a longer one was truncated */

	row->label = _("Output");
	snprintf(row->value, sizeof(row->value), "%s", path);
	if (!check)
		return;
	for (k = 0; k < check->n_problems; k++) {
		if (check->problems[k].refused &&
		    !strncmp(check->problems[k].what.object, path, most)) {
			row->explanation_style = ROLE_BAD;
			snprintf(row->explanation, sizeof(row->explanation), "✗ %s", _("refused"));
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
static void describe_more(const struct setup_screen *v, struct form_row *row)
{
	size_t n = setup_more_count(&v->setup.more), all = n_other_options();
	struct words words = WORDS_INIT;
	char *text;

	row->label = _("More");
	if (!n) {
		row->value_style = ROLE_DIM;
		snprintf(row->value, sizeof(row->value),
			 _("%zu more options, all at their defaults"), all);
		return;
	}
	text = setup_more_words(&v->setup.more, &words) ? NULL : words_join(&words);
	snprintf(row->value, sizeof(row->value), Q_("%zu differs: %s", "%zu differ: %s", n), n,
		 text ? text : "");
	snprintf(row->explanation, sizeof(row->explanation), _("of %zu options"), all);
	free(text);
	words_release(&words);
}

static void (*const describe[])(const struct setup_screen *v, struct form_row *row) = {
	[PART_TARGET] = describe_target, [PART_ADD] = describe_add,
	[PART_RATE] = describe_rate,	 [PART_CALLS] = describe_calls,
	[PART_KEEP] = describe_keep,	 [PART_OUTPUT] = describe_output,
	[PART_MORE] = describe_more,
};

void setup_form_row(void *ctx, size_t i, struct form_row *row)
{
	enum part part = setup_part_of(ctx, i);

	if (part == PART_EVENT)
		describe_event(ctx, setup_event_of(i), row);
	else if ((size_t)part <
		 sizeof(describe) / sizeof(*describe)) /* the form may have more rows */
		describe[part](ctx, row);
}
