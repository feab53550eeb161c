/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The rows of the form. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "text/i18n.h"
#include "view/setup_private.h"

enum part setup_part_of(const struct setup_screen *v, size_t row)
{
	size_t n = v->setup.events.n;

	if (row < 2)
		return row ? PART_WHOM : PART_TARGET;
	if (row < 2 + n)
		return PART_EVENT;
	return (enum part)(PART_ADD + (row - 2 - n));
}

size_t setup_row_of(const struct setup_screen *v, enum part part)
{
	if (part <= PART_EVENT)
		return part;
	return 2 + v->setup.events.n + (part - PART_ADD);
}

static const char *const target_names[N_SETUP_TARGETS] = {
	[SETUP_COMMAND] = N_("command"),
	[SETUP_PROCESS] = N_("process"),
	[SETUP_SYSTEM] = N_("whole system"),
};

size_t setup_form_count(void *ctx)
{
	struct setup_screen *v = ctx;

	return setup_row_of(v, PART_OUTPUT) + 1;
}

static void describe_target(const struct setup_screen *v, struct form_row *row)
{
	row->kind = FORM_CHOICE;
	row->label = _("Target");
	snprintf(row->value, sizeof(row->value), "%s", _(target_names[v->setup.target]));
	snprintf(row->explanation, sizeof(row->explanation), "%s · %s · %s",
		 _(target_names[SETUP_COMMAND]), _(target_names[SETUP_PROCESS]),
		 _(target_names[SETUP_SYSTEM]));
}

static void describe_whom(const struct setup_screen *v, struct form_row *row)
{
	const struct setup *s = &v->setup;

	row->label = "";
	if (s->target == SETUP_COMMAND && *s->command) {
		snprintf(row->value, sizeof(row->value), "%s", s->command);
	} else if (s->target == SETUP_COMMAND) {
		snprintf(row->value, sizeof(row->value), "%s", _("Enter says which"));
		row->value_style = ROLE_NOTE;
	} else if (s->target == SETUP_PROCESS && s->pid) {
		snprintf(row->value, sizeof(row->value), "%d  %s", (int)s->pid, s->pid_name);
		snprintf(row->explanation, sizeof(row->explanation), "%s",
			 _("with all its threads"));
	} else if (s->target == SETUP_PROCESS) {
		snprintf(row->value, sizeof(row->value), "%s", _("Enter lists those that run"));
		row->value_style = ROLE_NOTE;
	} else {
		row->kind = FORM_NOTE;
		row->value_style = ROLE_DIM;
		snprintf(row->value, sizeof(row->value), "%s",
			 _("every process on every CPU, until you stop it"));
	}
}

static void describe_event(const struct setup_screen *v, size_t i, struct form_row *row)
{
	const struct ptui_check *check = setup_checker_answer(v->checker);
	size_t k;

	row->label = i ? "" : _("Events");
	snprintf(row->value, sizeof(row->value), "%s", v->setup.events.v[i]);
	for (k = 0; check && k < check->n_problems; k++)
		if (check->problems[k].refused &&
		    !strcmp(check->problems[k].what.object, v->setup.events.v[i]))
			snprintf(row->explanation, sizeof(row->explanation), "✗ %s", _("refused"));
}

static void describe_rate(const struct setup_screen *v, struct form_row *row)
{
	row->kind = FORM_CHOICE;
	row->label = _("Rate");
	if (v->setup.by_period)
		snprintf(row->value, sizeof(row->value), _("one sample every %" PRIu64 " events"),
			 v->setup.period);
	else
		snprintf(row->value, sizeof(row->value), _("%" PRIu64 " samples a second"),
			 v->setup.freq_hz);
	snprintf(row->explanation, sizeof(row->explanation), "%s", _("frequency · period"));
}

void setup_form_row(void *ctx, size_t i, struct form_row *row)
{
	struct setup_screen *v = ctx;

	switch (setup_part_of(v, i)) {
	case PART_TARGET:
		describe_target(v, row);
		break;
	case PART_WHOM:
		describe_whom(v, row);
		break;
	case PART_EVENT:
		describe_event(v, i - 2, row);
		break;
	case PART_ADD:
		row->kind = FORM_ACTION;
		row->label = v->setup.events.n ? "" : _("Events");
		snprintf(row->value, sizeof(row->value), "%s", _("+ add from the catalog …"));
		break;
	case PART_RATE:
		describe_rate(v, row);
		break;
	case PART_CALLS:
		row->kind = FORM_TOGGLE;
		row->label = _("Call graph");
		snprintf(row->value, sizeof(row->value), "%s",
			 v->setup.callchain ? _("frame pointers") : _("off"));
		snprintf(row->explanation, sizeof(row->explanation), "%s",
			 _("frame pointers · off"));
		break;
	case PART_OUTPUT:
		row->label = _("Output");
		snprintf(row->value, sizeof(row->value), "%s",
			 *v->setup.output ? v->setup.output : SETUP_OUTPUT);
		snprintf(row->explanation, sizeof(row->explanation), "%s",
			 _("an old one is kept as .old"));
		break;
	}
}
