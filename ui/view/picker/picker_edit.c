/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Editing marked events: modifiers, rate, filter, groups; and typed events. */
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/complete.h"
#include "model/setup/setup.h"
#include "ptui/selector.h"
#include "text/i18n.h"
#include "text/strings.h"
#include "view/picker/picker_private.h"
#include "widget/prompt.h"

static unsigned mark_changed(void *ctx)
{
	return picker_changed(ctx, 0);
}

/* `text` NULL: out of memory. */
static int judge_selector(const struct picker_screen *v, const char *text, struct ptui_error *err)
{
	struct ptui_selector s;
	int ret = text ? ptui_selector_parse(v->picker.catalog, text, &s, err) :
			 ptui_error_nomem(err);

	if (!ret)
		ptui_selector_release(&s);
	return ret;
}

/* ---- modifiers, period or frequency, filter ---- */

/* In the text of the group. */
static int judge_group_modifiers(const struct picker_screen *v, const char *line,
				 struct ptui_error *err)
{
	struct ptui_selector_group *group = picker_group(&v->picker, v->edited);
	char *before = group->modifiers, *text;
	int ret;

	group->modifiers = (char *)line; /* read only */
	text = picker_whole_text(&v->picker, v->edited);
	group->modifiers = before;
	ret = judge_selector(v, text, err);
	free(text);
	return ret;
}

/* A group has one filter, which must be valid for all members. */
static int judge_filter(const struct picker_screen *v, const char *line, struct ptui_error *err)
{
	const struct picker *p = &v->picker;
	int ret = ptui_selector_check_filter(v->picker.catalog, picker_what(v->edited), line, err);

	for (size_t i = 0; i < p->n_marks && !ret; i++)
		if (p->marks[i] != v->edited && picker_are_together(p->marks[i], v->edited))
			ret = ptui_selector_check_filter(v->picker.catalog, p->marks[i]->mark->what,
							 line, err);
	return ret;
}

static int judge_rate(const struct picker_screen *v, const char *line, struct ptui_error *err)
{
	struct picker_rate rate;

	if (picker_rate_parse(line, &rate))
		return ptui_error_input(
			err, line, _("'%s' is neither a period (100k) nor a frequency (999 Hz)"),
			line);
	if (!rate.period && !rate.freq_hz)
		return 0;
	return ptui_selector_check_period(v->picker.catalog, picker_what(v->edited), rate.period,
					  rate.freq_hz, err);
}

static int judge(void *ctx, const char *line, struct ptui_error *err)
{
	struct picker_screen *v = ctx;
	const struct picker_entry *e = v->edited;

	switch (v->edit) {
	case PICKER_MODIFIERS:
		return ptui_selector_check_modifiers(v->picker.catalog, picker_what(e), line,
						     e->mark && picker_place(&v->picker, e), err);
	case PICKER_GROUP_MODIFIERS:
		return judge_group_modifiers(v, line, err);
	case PICKER_RATE:
		return judge_rate(v, line, err);
	case PICKER_FILTER:
		break;
	}
	return *line ? judge_filter(v, line, err) : 0;
}

static int apply(void *ctx, const char *line, struct ptui_error *err)
{
	struct picker_screen *v = ctx;

	return picker_edit(&v->picker, v->edited, v->edit, line) ? ptui_error_nomem(err) : 0;
}

/* Fields that begin with the text before `at`. */
static int ways_filter(void *ctx, const char *line, size_t at, size_t *begin, struct words *ways)
{
	const struct words *names = picker_field_names(ctx);

	for (*begin = at;
	     *begin && (isalnum((unsigned char)line[*begin - 1]) || line[*begin - 1] == '_');
	     --*begin)
		;
	for (size_t i = 0; names && i < names->n; i++)
		if (!strncmp(names->v[i], line + *begin, at - *begin))
			words_add(ways, names->v[i]);
	return ways->failed ? -ENOMEM : 0;
}

/* The fields of the event, and an example. False: it has none, which is reported. */
static bool filter_note(struct picker_screen *v, char *buf, size_t size)
{
	picker_describe(v, true);
	if (picker_current(v)->entry && !picker_field_names(v)) {
		stack_say(v->stack, ROLE_NOTE,
			  _("%s (%s) has no fields to filter by: only tracepoints do"),
			  picker_what(v->edited), v->edited->heading->title);
		return false;
	}
	text_append(picker_fields_text(v, buf, size), size, "\n%s",
		    _("such as pid > 0 && comm ~ \"cc*\"; empty: no filter; Tab completes"));
	return true;
}

unsigned picker_ask(struct picker_screen *v, enum picker_edit edit)
{
	const struct picker_row *r = picker_current(v);
	const struct ptui_selector_event *mark;
	char label[128], note[1024], rate[48] = "";
	struct prompt_opts q = {
		.label = label, .judge = judge, .accept = apply, .accepted = mark_changed, .ctx = v
	};

	v->edit = r->leader && edit == PICKER_MODIFIERS ? PICKER_GROUP_MODIFIERS : edit;
	v->edited = r->leader ? r->leader : r->entry;
	if (!v->edited)
		return stack_note(v->stack, _("this is a heading: go to an event first"));
	mark = v->edited->mark;
	switch (v->edit) {
	case PICKER_MODIFIERS:
	case PICKER_GROUP_MODIFIERS:
		q.note = _("u user  k kernel  h hypervisor  G guest  H host\n"
			   "p pp ppp P precise  D pinned  e exclusive\n"
			   "for a group: S read its counts with each sample  W split it if needed");
		q.line = mark ? mark->modifiers : NULL;
		snprintf(label, sizeof(label), _("modifiers of %.60s: "), picker_what(v->edited));
		if (v->edit == PICKER_MODIFIERS)
			break;
		q.line = picker_group(&v->picker, v->edited)->modifiers;
		snprintf(label, sizeof(label), _("modifiers of group {%u}: "), mark->group);
		break;
	case PICKER_RATE:
		picker_describe(v, true);
		if (picker_field_names(v))
			return stack_note(v->stack,
					  _("a tracepoint has the period of the recording: "
					    "set it in Setup (Sampling)"));
		q.note = _("a period in events, such as 100k, or a frequency, such as 999 Hz;\n"
			   "empty: the setting of the recording");
		if (mark && mark->freq_hz)
			snprintf(rate, sizeof(rate), "%" PRIu64 " Hz", mark->freq_hz);
		else if (mark && mark->period)
			snprintf(rate, sizeof(rate), "%" PRIu64, mark->period);
		q.line = rate;
		snprintf(label, sizeof(label), _("period of %.60s: "), picker_what(v->edited));
		break;
	case PICKER_FILTER:
		if (!filter_note(v, note, sizeof(note)))
			return WISH_REDRAW;
		q.note = note;
		q.ways = ways_filter;
		q.line = mark ? mark->filter : NULL;
		snprintf(label, sizeof(label), _("only %.60s with: "), picker_what(v->edited));
		break;
	}
	return prompt_open(v->stack, &q);
}

/* ---- groups ---- */

unsigned picker_group_events(struct picker_screen *v)
{
	const struct picker_row *r = picker_current(v);
	const struct picker_entry *e = r->leader ? r->leader : r->entry;
	int n;

	if (e && e->mark && e->mark->group) {
		stack_note(v->stack, _("the group is split"));
		return picker_changed(v, picker_ungroup(&v->picker, e));
	}
	n = picker_make_group(&v->picker);
	if (n < 2)
		stack_note(v->stack,
			   _("mark at least two events that are in no group and have no filter"));
	else
		stack_say(v->stack, ROLE_NOTE,
			  Q_("%d event is now one group: counted together or not at all",
			     "%d events are now one group: counted together or not at all",
			     (unsigned long)n),
			  n);
	return picker_changed(v, n < 0);
}

/* ---- typed events ---- */

static int judge_typed(void *ctx, const char *line, struct ptui_error *err)
{
	return *line ? judge_selector(ctx, line, err) : 0;
}

static int apply_typed(void *ctx, const char *line, struct ptui_error *err)
{
	struct picker_screen *v = ctx;
	int ret = *line ? setup_check_event(line, NULL, err) : 0;

	if (ret || !*line)
		return ret;
	v->picker.touched = true;
	ret = picker_mark_text(&v->picker, line, "", &v->edited);
	return ret ? ptui_error_nomem(err) : 0;
}

/* Moves the cursor to it. */
static unsigned typed(void *ctx)
{
	struct picker_screen *v = ctx;

	table_recalc(&v->table);
	table_move_to_id(&v->table, (uintptr_t)v->edited);
	return WISH_RECALC;
}

unsigned picker_ask_type(struct picker_screen *v)
{
	const struct prompt_opts q = { .label = _("event: "),
				       .note = _("in the syntax of ptui record -e; Tab completes"),
				       .ways = complete_event,
				       .judge = judge_typed,
				       .accept = apply_typed,
				       .accepted = typed,
				       .ctx = v };

	v->edited = NULL;
	return prompt_open(v->stack, &q);
}
