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
	picker_look(ctx);
	return WISH_RECALC;
}

/* ---- modifiers ---- */

static int judge_group_modifiers(const struct picker_screen *v, const char *line,
				 struct ptui_error *err)
{
	size_t i = picker_mark_of(&v->picker, v->edited);
	char *text = picker_text_with_group_modifiers(&v->picker, i, line);
	struct ptui_mistake mistake = { 0 };
	struct ptui_selector s;
	int ret = text ? ptui_selector_parse(v->catalog, text, &s, &mistake) : -ENOMEM;

	if (!ret)
		ptui_selector_release(&s);
	ret = answer(ret, text, &mistake, err);
	free(text);
	return ret;
}

static int judge_modifiers(void *ctx, const char *line, struct ptui_error *err)
{
	struct picker_screen *v = ctx;
	const struct picker_mark *m = edited_mark(v);
	struct ptui_mistake mistake = { 0 };
	bool is_member = false;
	size_t first;

	if (v->edited_group)
		return judge_group_modifiers(v, line, err);
	if (m && m->event.group) {
		picker_group_of(&v->picker, (size_t)(m - v->picker.marks.v), &first);
		is_member = m != &v->picker.marks.v[first];
	}
	return answer(ptui_selector_check_modifiers(v->catalog, edited_what(v), line, is_member,
						    &mistake),
		      line, &mistake, err);
}

static int apply_modifiers(void *ctx, const char *line, struct ptui_error *err)
{
	struct picker_screen *v = ctx;
	size_t i = edited_or_new(v);
	int ret;

	if (i == SIZE_MAX)
		return ptui_error_nomem(err);
	ret = v->edited_group ? picker_set_group_modifiers(&v->picker, i, line) :
				picker_set_modifiers(&v->picker, i, line);
	return ret ? ptui_error_nomem(err) : 0;
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

static int read_rate(struct picker_screen *v, const char *line, struct picker_rate *ret,
		     struct ptui_error *err)
{
	struct ptui_mistake mistake = { 0 };

	if (picker_rate_parse(line, ret))
		return ptui_error_set(err, PTUI_ERROR_INPUT, EINVAL, line,
				      _("'%s' is neither a period (100k) nor a frequency (999 Hz)"),
				      line);
	if (!ret->period && !ret->freq_hz)
		return 0;
	return answer(ptui_selector_check_period(v->catalog, edited_what(v), ret->period,
						 ret->freq_hz, &mistake),
		      line, &mistake, err);
}

static int judge_rate(void *ctx, const char *line, struct ptui_error *err)
{
	struct picker_rate rate;

	return read_rate(ctx, line, &rate, err);
}

static int apply_rate(void *ctx, const char *line, struct ptui_error *err)
{
	struct picker_screen *v = ctx;
	struct picker_rate rate;
	int ret = read_rate(v, line, &rate, err);
	size_t i;

	if (ret)
		return ret;
	i = edited_or_new(v);
	if (i == SIZE_MAX)
		return ptui_error_nomem(err);
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
	const struct picker_mark *m = edited_mark(v);
	struct ptui_mistake mistake = { 0 };
	size_t first = 0, n = 1;
	int ret = 0;

	if (!*line)
		return 0;
	if (!m)
		return answer(ptui_selector_check_filter(v->catalog, edited_what(v), line,
							 &mistake),
			      line, &mistake, err);
	n = picker_group_of(&v->picker, (size_t)(m - v->picker.marks.v), &first);
	for (size_t i = first; i < first + n && !ret; i++)
		ret = ptui_selector_check_filter(v->catalog, v->picker.marks.v[i].event.what, line,
						 &mistake);
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

/* "char prev_comm[16]": prev_comm; "__data_loc char[] parent_comm": parent_comm. */
static void field_name(const char *declaration, size_t len, char *buf, size_t size)
{
	const char *end = declaration + len, *at;

	if (len && end[-1] == ']')
		while (end > declaration && *end != '[')
			end--;
	while (end > declaration && end[-1] == ' ')
		end--;
	for (at = end; at > declaration && (isalnum((unsigned char)at[-1]) || at[-1] == '_'); at--)
		;
	snprintf(buf, size, "%.*s", (int)(end - at), at);
}

/* Fields that begin with the text before `at`. */
static int ways_filter(void *ctx, const char *line, size_t at, size_t *begin, struct words *ways)
{
	struct picker_screen *v = ctx;
	const char *field = v->description.details.fields;
	char name[128];

	for (*begin = at;
	     *begin && (isalnum((unsigned char)line[*begin - 1]) || line[*begin - 1] == '_');
	     --*begin)
		;
	for (; field && *field; field += strcspn(field, "\n"), field += *field == '\n') {
		field_name(field, strcspn(field, "\n"), name, sizeof(name));
		if (!strncmp(name, line + *begin, at - *begin) && words_add(ways, name))
			return -ENOMEM;
	}
	return 0;
}

/* "prev_comm prev_pid …": fields for filters. */
static void list_fields(const struct picker_screen *v, char *buf, size_t size)
{
	const char *field = v->description.details.fields;
	char name[128];
	size_t n = (size_t)snprintf(buf, size, "%s", _("fields:"));

	for (; field && *field && n < size;
	     field += strcspn(field, "\n"), field += *field == '\n') {
		field_name(field, strcspn(field, "\n"), name, sizeof(name));
		n += (size_t)snprintf(buf + n, size - n, " %s", name);
	}
	if (n < size)
		snprintf(buf + n, size - n, "\n%s",
			 _("such as pid > 0 && comm ~ \"cc*\"; empty: no filter; Tab completes"));
}

unsigned picker_ask_filter(struct picker_screen *v)
{
	const struct picker_mark *m;
	char label[128], note[1024];
	const struct picker_heading *h;
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
	if (!v->edited_group && !v->description.details.fields) {
		stack_say(v->stack, ROLE_NOTE,
			  _("%s (%s) has no fields to filter by: only tracepoints do"),
			  edited_what(v), h->title);
		return WISH_REDRAW;
	}
	m = edited_mark(v);
	q.line = m ? m->event.filter : NULL;
	list_fields(v, note, sizeof(note));
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
	struct picker_screen *v = ctx;
	struct ptui_mistake mistake = { 0 };
	struct ptui_selector s;
	int ret;

	if (!*line)
		return 0;
	ret = ptui_selector_parse(v->catalog, line, &s, &mistake);
	if (!ret)
		ptui_selector_release(&s);
	return answer(ret, line, &mistake, err);
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
