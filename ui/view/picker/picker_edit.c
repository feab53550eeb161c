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

/* ---- the edited mark ---- */

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
	stack_say(v->stack, ROLE_NOTE, "%s", _("this is a heading: go to an event first"));
	return false;
}

static const struct picker_mark *edited_mark(const struct picker_screen *v)
{
	size_t i = picker_mark_of(&v->picker, v->edited);

	return i == SIZE_MAX ? NULL : &v->picker.marks.v[i];
}

/* As for -e, without modifiers, rate and filter. */
static const char *edited_what(const struct picker_screen *v)
{
	const struct picker_mark *m = edited_mark(v);

	return m ? m->event.what : v->picker.entries[v->edited].name;
}

/* Editing marks the entry. The index of its mark; SIZE_MAX: out of memory. */
static size_t edited_or_new(struct picker_screen *v)
{
	if (!edited_mark(v) && picker_mark_entry(&v->picker, v->edited))
		return SIZE_MAX;
	return picker_mark_of(&v->picker, v->edited);
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

/* ---- modifiers ---- */

static int judge_modifiers(void *ctx, const char *line, struct ptui_error *err)
{
	struct picker_screen *v = ctx;
	size_t i = picker_mark_of(&v->picker, v->edited), first = i;
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

static int apply_modifiers(void *ctx, const char *line, struct ptui_error *err)
{
	struct picker_screen *v = ctx;
	size_t i = edited_or_new(v);

	if (i == SIZE_MAX || (v->edited_group ? picker_set_group_modifiers(&v->picker, i, line) :
						picker_set_modifiers(&v->picker, i, line)))
		return ptui_error_nomem(err);
	return 0;
}

unsigned picker_ask_modifiers(struct picker_screen *v)
{
	const struct picker_mark *m;
	char label[128];
	struct prompt_opts q = {
		.label = label,
		.note = _("u user  k kernel  h hypervisor  G guest  H host\n"
			  "p pp ppp P precise  D pinned  e exclusive\n"
			  "for a group: S read its counts with each sample  W split it if needed"),
		.judge = judge_modifiers,
		.accept = apply_modifiers,
		.accepted = mark_changed,
		.ctx = v,
	};

	if (!edit_row(v))
		return WISH_REDRAW;
	m = edited_mark(v);
	if (v->edited_group) {
		snprintf(label, sizeof(label), _("modifiers of group {%u}: "), v->edited_group);
		q.line = v->picker.marks.groups[v->edited_group - 1].modifiers;
	} else {
		snprintf(label, sizeof(label), _("modifiers of %.60s: "), edited_what(v));
		q.line = m ? m->event.modifiers : NULL;
	}
	return prompt_open(v->stack, &q);
}

/* ---- period or frequency ---- */

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

static int apply_rate(void *ctx, const char *line, struct ptui_error *err)
{
	struct picker_screen *v = ctx;
	size_t i = edited_or_new(v);
	struct picker_rate rate;

	if (i == SIZE_MAX)
		return ptui_error_nomem(err);
	picker_rate_parse(line, &rate);
	picker_set_rate(&v->picker, i, rate.period, rate.freq_hz);
	return 0;
}

unsigned picker_ask_rate(struct picker_screen *v)
{
	const struct picker_mark *m;
	char label[128], line[48] = "";
	const struct prompt_opts q = {
		.label = label,
		.line = line,
		.note = _("a period in events, such as 100k, or a frequency, such as 999 Hz;\n"
			  "empty: the setting of the recording"),
		.judge = judge_rate,
		.accept = apply_rate,
		.accepted = mark_changed,
		.ctx = v,
	};

	if (!edit_row(v))
		return WISH_REDRAW;
	m = edited_mark(v);
	if (m)
		picker_rate_text(&(struct picker_rate){ m->event.period, m->event.freq_hz }, line,
				 sizeof(line));
	snprintf(label, sizeof(label), _("period of %.60s: "), edited_what(v));
	return prompt_open(v->stack, &q);
}

/* ---- filters ---- */

/* A group has one filter, which must be valid for all members. */
static int judge_filter(void *ctx, const char *line, struct ptui_error *err)
{
	struct picker_screen *v = ctx;
	size_t first = picker_mark_of(&v->picker, v->edited), n = 1;
	struct ptui_mistake mistake = { 0 };
	int ret = 0;

	if (first != SIZE_MAX)
		n = picker_group_of(&v->picker, first, &first);
	for (size_t i = 0; i < n && *line && !ret; i++)
		ret = ptui_selector_check_filter(v->catalog,
						 first == SIZE_MAX ?
							 edited_what(v) :
							 v->picker.marks.v[first + i].event.what,
						 line, &mistake);
	return answer(ret, line, &mistake, err);
}

static int apply_filter(void *ctx, const char *line, struct ptui_error *err)
{
	struct picker_screen *v = ctx;
	size_t i = edited_or_new(v);

	if (i == SIZE_MAX || picker_set_filter(&v->picker, i, line))
		return ptui_error_nomem(err);
	return 0;
}

/* Fields that begin with the text before `at`. */
static int ways_filter(void *ctx, const char *line, size_t at, size_t *begin, struct words *ways)
{
	struct picker_screen *v = ctx;
	const char *fields = v->description.details.fields;
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

unsigned picker_ask_filter(struct picker_screen *v)
{
	const struct picker_mark *m;
	char label[128], note[1024];
	const struct picker_heading *h;
	size_t n;
	struct prompt_opts q = {
		.label = label,
		.note = note,
		.ways = ways_filter,
		.judge = judge_filter,
		.accept = apply_filter,
		.accepted = mark_changed,
		.ctx = v,
	};

	if (!edit_row(v))
		return WISH_REDRAW;
	h = &v->picker.headings[v->picker.entries[v->edited].heading];
	picker_description_now(v);
	if (!v->edited_group && !v->description.details.fields)
		return stack_say(v->stack, ROLE_NOTE,
				 _("%s (%s) has no fields to filter by: only tracepoints do"),
				 edited_what(v), h->title);
	m = edited_mark(v);
	q.line = m ? m->event.filter : NULL;
	n = picker_field_names(v, note, sizeof(note));
	snprintf(note + n, sizeof(note) - n, "\n%s",
		 _("such as pid > 0 && comm ~ \"cc*\"; empty: no filter; Tab completes"));
	snprintf(label, sizeof(label), _("only %.60s with: "), edited_what(v));
	return prompt_open(v->stack, &q);
}

/* ---- groups ---- */

unsigned picker_group_events(struct picker_screen *v)
{
	size_t mark = picker_mark_at(&v->picker, v->table.cursor);
	int n;

	if (mark != SIZE_MAX && v->picker.marks.v[mark].event.group) {
		n = picker_ungroup(&v->picker, mark);
		stack_say(v->stack, n ? ROLE_BAD : ROLE_NOTE, "%s",
			  n ? _("out of memory") : _("the group is split"));
		return WISH_RECALC;
	}
	n = picker_group(&v->picker);
	if (n < 0)
		stack_no_memory(v->stack);
	else if (n < 2)
		stack_say(v->stack, ROLE_NOTE, "%s",
			  _("mark at least two events that are in no group and have no filter"));
	else
		stack_say(v->stack, ROLE_NOTE,
			  Q_("%d event is now one group: counted together or not at all",
			     "%d events are now one group: counted together or not at all",
			     (unsigned long)n),
			  n);
	return WISH_RECALC;
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
