/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Editing marked events: modifiers, rate, filter, groups; and typed events. */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/complete.h"
#include "model/picker/picker_rate.h"
#include "model/setup/setup.h"
#include "ptui/selector.h"
#include "text/i18n.h"
#include "text/strings.h"
#include "text/utf8.h"
#include "view/picker/picker_private.h"
#include "widget/prompt.h"

#define CARET_WINDOW 60 /* bytes of a long line shown around the error */

/* ---- errors ---- */

/* The line, a caret below the position, what was expected; then similar names. */
static int put_mistake(const char *line, const struct ptui_mistake *m, struct ptui_error *err)
{
	size_t from = m->at > CARET_WINDOW ? m->at - CARET_WINDOW : 0;
	char before[CARET_WINDOW + 8];

	while (from && (line[from] & 0xc0) == 0x80)
		from++;
	snprintf(before, sizeof(before), "%.*s", (int)(m->at - from), line + from);
	ptui_error_set(err, PTUI_ERROR_INPUT, EINVAL, line, "%s", m->what);
	if (*line)
		ptui_error_hint(err, "  %.70s\n  %*s^ %s", line + from, utf8_width(before), "",
				m->expected);
	if (*m->hint)
		ptui_error_hint(err, "%s", m->hint);
	return -EINVAL;
}

static int answer(int ret, const char *line, const struct ptui_mistake *m, struct ptui_error *err)
{
	if (ret == -ENOMEM)
		return ptui_error_nomem(err);
	return ret ? put_mistake(line, m, err) : 0;
}

/* ---- the edited entry ---- */

/* Selects what is under the cursor for editing: an entry or a group. False: neither. */
static bool edit_row(struct picker_screen *v)
{
	size_t row = v->table.cursor;

	v->edited = picker_entry_index(&v->picker, row);
	v->edited_group = v->edited == SIZE_MAX && row < v->picker.n_rows ?
				  v->picker.rows[row].group :
				  0;
	if (v->edited_group)
		v->edited = v->picker.marks.v[picker_mark_at(&v->picker, row)].entry;
	if (v->edited != SIZE_MAX)
		return true;
	stack_note(v->stack, _("this is a heading: go to an event first"));
	return false;
}

/* The index of its mark; SIZE_MAX: it is not marked. */
static size_t edited_mark(const struct picker_screen *v)
{
	return picker_mark_of(&v->picker, v->edited);
}

static const char *edited_what(const struct picker_screen *v)
{
	return picker_what(&v->picker, v->edited);
}

static unsigned mark_changed(void *ctx)
{
	picker_update(ctx);
	return WISH_RECALC;
}

/* `text` NULL: out of memory. */
static int judge_selector(const struct picker_screen *v, const char *text, struct ptui_error *err)
{
	struct ptui_mistake mistake = { 0 };
	struct ptui_selector s;
	int ret = text ? ptui_selector_parse(v->catalog, text, &s, &mistake) : -ENOMEM;

	if (!ret)
		ptui_selector_release(&s);
	return answer(ret, text, &mistake, err);
}

/* ---- modifiers, period or frequency, filter ---- */

static int judge_modifiers(void *ctx, const char *line, struct ptui_error *err)
{
	struct picker_screen *v = ctx;
	size_t i = edited_mark(v), first = i;
	struct ptui_mistake mistake = { 0 };
	char *text;
	int ret;

	if (v->edited_group) {
		text = picker_text_with_group_modifiers(&v->picker, i, line);
		ret = judge_selector(v, text, err);
		free(text);
		return ret;
	}
	if (i != SIZE_MAX)
		picker_group_of(&v->picker, i, &first);
	return answer(ptui_selector_check_modifiers(v->catalog, edited_what(v), line, i != first,
						    &mistake),
		      line, &mistake, err);
}

static int judge_rate(void *ctx, const char *line, struct ptui_error *err)
{
	struct picker_screen *v = ctx;
	struct ptui_mistake mistake = { 0 };
	struct picker_rate rate;

	if (picker_rate_parse(line, &rate))
		return ptui_error_set(err, PTUI_ERROR_INPUT, EINVAL, line,
				      _("'%s' is neither a period (100k) nor a frequency (999 Hz)"),
				      line);
	if (!rate.period && !rate.freq_hz)
		return 0;
	return answer(ptui_selector_check_period(v->catalog, edited_what(v), rate.period,
						 rate.freq_hz, &mistake),
		      line, &mistake, err);
}

/* A group has one filter, which must be valid for all members. */
static int judge_filter(void *ctx, const char *line, struct ptui_error *err)
{
	struct picker_screen *v = ctx;
	const struct picker_mark *marks = v->picker.marks.v;
	size_t first = edited_mark(v), n = 0;
	struct ptui_mistake mistake = { 0 };
	int ret = 0;

	if (first != SIZE_MAX)
		n = picker_group_of(&v->picker, first, &first);
	else if (*line)
		ret = ptui_selector_check_filter(v->catalog, edited_what(v), line, &mistake);
	for (size_t i = first; i < first + n && *line && !ret; i++)
		ret = ptui_selector_check_filter(v->catalog, marks[i].event.what, line, &mistake);
	return answer(ret, line, &mistake, err);
}

/* Editing marks the entry. */
static int apply(void *ctx, const char *line, struct ptui_error *err)
{
	struct picker_screen *v = ctx;
	struct picker *p = &v->picker;
	bool failed = edited_mark(v) == SIZE_MAX && picker_mark_entry(p, v->edited);
	size_t i = edited_mark(v);
	struct picker_rate rate;

	if (failed)
		return ptui_error_nomem(err);
	if (v->edit == PICKER_RATE) {
		picker_rate_parse(line, &rate);
		picker_set_rate(p, i, rate.period, rate.freq_hz);
	} else if (v->edit == PICKER_FILTER) {
		failed = picker_set_filter(p, i, line);
	} else {
		failed = v->edited_group ? picker_set_group_modifiers(p, i, line) :
					   picker_set_modifiers(p, i, line);
	}
	return failed ? ptui_error_nomem(err) : 0;
}

/* Fields that begin with the text before `at`. */
static int ways_filter(void *ctx, const char *line, size_t at, size_t *begin, struct words *ways)
{
	const char *fields = picker_fields(ctx);
	struct picker_field f;

	for (*begin = at;
	     *begin && (isalnum((unsigned char)line[*begin - 1]) || line[*begin - 1] == '_');
	     --*begin)
		;
	while (picker_next_field(&fields, &f))
		if (!strncmp(f.name, line + *begin, at - *begin) && words_add(ways, f.name))
			return -ENOMEM;
	return 0;
}

/* The fields of the event, and an example. False: it has none, which is reported. */
static bool filter_note(struct picker_screen *v, char *buf, size_t size)
{
	const struct picker *p = &v->picker;

	picker_description_now(v);
	if (!v->edited_group && !picker_fields(v)) {
		stack_say(v->stack, ROLE_NOTE,
			  _("%s (%s) has no fields to filter by: only tracepoints do"),
			  edited_what(v), p->headings[p->entries[v->edited].heading].title);
		return false;
	}
	text_append(picker_field_names(v, buf, size), size, "\n%s",
		    _("such as pid > 0 && comm ~ \"cc*\"; empty: no filter; Tab completes"));
	return true;
}

unsigned picker_ask(struct picker_screen *v, enum picker_edit edit)
{
	const struct ptui_selector_event *e;
	const struct picker_marks *marks = &v->picker.marks;
	char label[128], note[1024], rate[48] = "";
	struct prompt_opts q = {
		.label = label, .accept = apply, .accepted = mark_changed, .ctx = v
	};

	if (!edit_row(v) || (edit == PICKER_FILTER && !filter_note(v, note, sizeof(note))))
		return WISH_REDRAW;
	v->edit = edit;
	e = edited_mark(v) == SIZE_MAX ? NULL : &marks->v[edited_mark(v)].event;
	switch (edit) {
	case PICKER_MODIFIERS:
		q.note = _("u user  k kernel  h hypervisor  G guest  H host\n"
			   "p pp ppp P precise  D pinned  e exclusive\n"
			   "for a group: S read its counts with each sample  W split it if needed");
		q.judge = judge_modifiers;
		q.line = v->edited_group ? marks->groups[v->edited_group - 1].modifiers :
			 e		 ? e->modifiers :
					   NULL;
		snprintf(label, sizeof(label), _("modifiers of %.60s: "), edited_what(v));
		if (v->edited_group)
			snprintf(label, sizeof(label), _("modifiers of group {%u}: "),
				 v->edited_group);
		break;
	case PICKER_RATE:
		q.note = _("a period in events, such as 100k, or a frequency, such as 999 Hz;\n"
			   "empty: the setting of the recording");
		q.judge = judge_rate;
		if (e)
			picker_rate_text(&(struct picker_rate){ e->period, e->freq_hz }, rate,
					 sizeof(rate));
		q.line = rate;
		snprintf(label, sizeof(label), _("period of %.60s: "), edited_what(v));
		break;
	case PICKER_FILTER:
		q.note = note;
		q.ways = ways_filter;
		q.judge = judge_filter;
		q.line = e ? e->filter : NULL;
		snprintf(label, sizeof(label), _("only %.60s with: "), edited_what(v));
		break;
	}
	return prompt_open(v->stack, &q);
}

/* ---- groups ---- */

unsigned picker_group_events(struct picker_screen *v)
{
	size_t mark = picker_mark_at(&v->picker, v->table.cursor);
	int n;

	if (mark != SIZE_MAX && v->picker.marks.v[mark].event.group) {
		stack_note(v->stack, _("the group is split"));
		return picker_result(picker_ungroup(&v->picker, mark));
	}
	n = picker_group(&v->picker);
	if (n < 2)
		stack_note(v->stack,
			   _("mark at least two events that are in no group and have no filter"));
	else
		stack_say(v->stack, ROLE_NOTE,
			  Q_("%d event is now one group: counted together or not at all",
			     "%d events are now one group: counted together or not at all",
			     (unsigned long)n),
			  n);
	return picker_result(n < 0);
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
	return picker_mark_text(&v->picker, v->catalog, line, "", &v->edited) ?
		       ptui_error_nomem(err) :
		       0;
}

/* Moves the cursor to it. */
static unsigned typed(void *ctx)
{
	struct picker_screen *v = ctx;
	size_t row;

	table_recalc(&v->table);
	row = v->edited == SIZE_MAX ? SIZE_MAX :
				      picker_find(&v->picker, picker_entry_id(v->edited));
	if (row != SIZE_MAX)
		table_move_to(&v->table, row);
	return mark_changed(ctx);
}

static int ways_typed(void *ctx, const char *line, size_t at, size_t *begin, struct words *ret)
{
	struct picker_screen *v = ctx;

	return complete_event(v->catalog, line, at, begin, ret);
}

unsigned picker_ask_type(struct picker_screen *v)
{
	const struct prompt_opts q = { .label = _("event: "),
				       .note = _("in the syntax of ptui record -e; Tab completes"),
				       .ways = ways_typed,
				       .judge = judge_typed,
				       .accept = apply_typed,
				       .accepted = typed,
				       .ctx = v };

	v->edited = SIZE_MAX;
	return prompt_open(v->stack, &q);
}
