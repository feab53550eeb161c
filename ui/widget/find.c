/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdio.h>
#include <string.h>

#include "text/grouped.h"
#include "text/i18n.h"
#include "text/utf8.h"
#include "widget/find.h"
#include "widget/table.h"

void find_init(struct find *f, struct stack *s, const struct find_ops *ops, void *ctx)
{
	*f = (struct find){ .stack = s, .ops = ops, .ctx = ctx, .history = HISTORY_INIT };
}

/* ---- a table ---- */

static enum find_found table_more(void *ctx)
{
	struct table *t = ctx;

	if (!t->look_left)
		return t->look_ended ? FIND_NOWHERE : FIND_GIVEN_UP;
	if (table_search_more(t))
		return FIND_HERE;
	return t->look_left ? FIND_LATER : FIND_NOWHERE;
}

static uint64_t table_place(void *ctx)
{
	return ((struct table *)ctx)->cursor;
}

static void table_go(void *ctx, uint64_t place)
{
	table_move_to(ctx, (size_t)place);
}

void find_init_table(struct find *f, struct stack *s, struct table *t)
{
	static const struct find_ops ops = { .search = table_search,
					     .more = table_more,
					     .again = table_search_again,
					     .count = table_count_matches,
					     .place = table_place,
					     .go = table_go };

	find_init(f, s, &ops, t);
}

/* ---- searching ---- */

void find_release(struct find *f)
{
	if (f->timer)
		loop_remove(stack_loop(f->stack), f->timer);
	history_release(&f->history);
}

static void find_continue(void *ctx);

/* Continues later if there may be more, or to count; else reports the result. */
static void find_report(struct find *f, enum find_found found)
{
	bool later = found == FIND_LATER;

	f->last = found;
	f->n = 0;
	if (found == FIND_NOWHERE && f->report)
		stack_say(f->stack, ROLE_NOTE, _("No row contains “%s”."), f->text);
	if (found == FIND_HERE && f->typing && f->ops->count)
		later = !f->ops->count(f->ctx, &f->at, &f->n);
	if (later && !f->timer)
		f->timer = loop_after(stack_loop(f->stack), 1, find_continue, f);
}

void find_count_text(size_t at, size_t n, char *buf, size_t size, style_t *style)
{
	if (n) {
		snprintf(buf, size, _("%s of %s"), grouped(at).text, grouped(n).text);
	} else {
		*style = ROLE_NOTE;
		snprintf(buf, size, "%s", _("not found"));
	}
}

static void find_state(void *ctx, char *buf, size_t size, style_t *style)
{
	const struct find *f = ctx;

	if (f->n || f->last == FIND_NOWHERE)
		find_count_text(f->at, f->n, buf, size, style);
}

static void find_continue(void *ctx)
{
	struct find *f = ctx;

	f->timer = 0;
	find_report(f, f->last == FIND_LATER ? f->ops->more(f->ctx) : f->last);
	loop_dirty(stack_loop(f->stack));
}

/* Result of the first search; of a short list at once. */
static enum find_found find_first_result(const struct find *f, bool found)
{
	return found ? FIND_HERE : f->ops->more ? f->ops->more(f->ctx) : FIND_NOWHERE;
}

static unsigned typed(void *ctx, const char *line)
{
	struct find *f = ctx;

	/* a longer text is searched for from the start position, not from the last match */
	f->ops->go(f->ctx, f->began);
	f->report = false;
	find_report(f, find_first_result(f, f->ops->search(f->ctx, line)));
	if (!*line) { /* nothing is searched for */
		f->last = FIND_GIVEN_UP;
		f->n = 0;
	}
	return WISH_REDRAW;
}

static unsigned done(void *ctx, const char *line)
{
	struct find *f = ctx;

	f->typing = false;
	f->ops->go(f->ctx, f->began);
	find_copy(f->text, line ? line : "");
	f->report = true;
	find_report(f, find_first_result(f, f->ops->search(f->ctx, f->text)));
	return WISH_REDRAW;
}

static unsigned find_open_prompt(struct find *f)
{
	const struct prompt_opts opts = {
		.label = _("find: "),
		.history = &f->history,
		.changed = typed,
		.state = find_state,
		.done = done,
		.ctx = f,
	};

	f->began = f->ops->place(f->ctx);
	f->typing = true;
	f->last = FIND_GIVEN_UP;
	f->n = 0;
	return prompt_open(f->stack, &opts);
}

static unsigned again(struct find *f, int direction)
{
	if (!*f->text)
		return find_open_prompt(f);
	f->report = true;
	find_report(f, find_first_result(f, f->ops->again(f->ctx, direction)));
	return WISH_REDRAW;
}

unsigned find_request(struct find *f, enum request req)
{
	switch (req) {
	case REQ_SEARCH:
		return find_open_prompt(f);
	case REQ_SEARCH_NEXT:
		return again(f, 1);
	case REQ_SEARCH_PREV:
		return again(f, -1);
	default:
		return WISH_PASS;
	}
}

void find_copy(char to[FIND_SIZE], const char *text)
{
	size_t n = strlen(text), at = 0;

	while (at < n) {
		uint32_t c;
		size_t bytes = utf8_next(text + at, n - at, &c);

		if (at + bytes >= FIND_SIZE)
			break;
		at += bytes;
	}
	memcpy(to, text, at);
	to[at] = '\0';
}

size_t find_line(size_t n, size_t from, int direction, bool (*matches)(void *ctx, size_t i),
		 void *ctx)
{
	if (from >= n)
		from = 0;
	for (size_t i = 0; i < n; i++) {
		if (matches(ctx, from))
			return from;
		if (direction > 0)
			from = from + 1 < n ? from + 1 : 0;
		else
			from = from ? from - 1 : n - 1;
	}
	return FIND_NONE;
}
