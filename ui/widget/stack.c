/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "input/key_name.h"
#include "term/term.h"
#include "text/i18n.h"
#include "widget/stack_private.h"

#define FINISH_MS 50 /* interval between calls of finish() */

/* ---- layers ---- */

struct layer *stack_layer(const struct stack *s, unsigned number)
{
	for (size_t i = 0; i < s->n; i++) {
		if (s->layers[i].number == number)
			return &s->layers[i];
	}
	return NULL;
}

struct layer *stack_layer_with(const struct stack *s, const void *self)
{
	for (size_t i = s->n; i-- > 0;) {
		if (s->layers[i].self == self)
			return &s->layers[i];
	}
	return NULL;
}

static void stack_take_layer(struct stack *s, size_t i)
{
	struct layer l = s->layers[i];

	s->n--;
	memmove(s->layers + i, s->layers + i + 1, (s->n - i) * sizeof(*s->layers));
	if (l.ops->close)
		l.ops->close(l.self);
}

/* Closing a screen may close others: look it up again each time. */
static void pop_to(struct stack *s, unsigned number)
{
	struct layer *l;

	while ((l = stack_layer(s, number)))
		stack_take_layer(s, stack_end_of(s, (size_t)(l - s->layers)) - 1);
	loop_dirty(s->loop);
}

static void pop_all(struct stack *s)
{
	while (s->n)
		stack_take_layer(s, s->n - 1);
	loop_dirty(s->loop);
}

/* ---- wishes ---- */

/* A popup that changes invalidates the view under it. */
static void make_stale(struct stack *s, struct layer *l)
{
	l->stale = true;
	while (l->ops->floating && l > s->layers)
		(--l)->stale = true;
}

/* Parts of two screens: all of both. */
static void dirty_part(struct stack *s, const struct layer *l)
{
	if (s->part && s->part != l->number)
		loop_dirty(s->loop);
	s->part = l->number;
	loop_dirty_part(s->loop);
}

void stack_fulfil(struct stack *s, unsigned number, unsigned below, unsigned wishes)
{
	struct layer *l = stack_layer(s, number);

	if (!l)
		l = stack_layer(s, below);
	if (wishes & WISH_QUIT) {
		s->quit = true;
		pop_all(s);
		return;
	}
	if (l && wishes & WISH_RECALC)
		make_stale(s, l);
	if (wishes & (WISH_REDRAW | WISH_RECALC))
		loop_dirty(s->loop);
	if (l && wishes & WISH_PART)
		dirty_part(s, l);
	if (wishes & WISH_NO_MEM)
		stack_no_memory(s);
	if (l && wishes & WISH_POP)
		pop_to(s, l->number);
}

unsigned stack_no_memory(struct stack *s)
{
	return stack_say(s, ROLE_BAD, _("Out of memory."));
}

void stack_wish(struct stack *s, void *self, unsigned wishes)
{
	struct layer *l = stack_layer_with(s, self);

	s->changed |= (wishes & WISH_RECALC) != 0;
	if (l)
		stack_fulfil(s, l->number, l->below, wishes);
}

unsigned stack_say(struct stack *s, style_t style, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	vsnprintf(s->said, sizeof(s->said), fmt, args);
	va_end(args);
	s->said_style = style;
	loop_dirty(s->loop);
	return WISH_REDRAW;
}

unsigned stack_note(struct stack *s, const char *text)
{
	return stack_say(s, ROLE_NOTE, "%s", text);
}

void stack_set_light(struct stack *s, struct stack_light light)
{
	s->light = light;
	loop_dirty(s->loop);
}

void stack_forget_light(struct stack *s, const void *ctx)
{
	if (s->light.ctx == ctx)
		stack_set_light(s, (struct stack_light){ 0 });
}

int stack_copy(struct stack *s, const char *text)
{
	return s->term ? term_copy(s->term, text) : -ENOTTY;
}

/* ---- push, remove ---- */

static int insert(struct stack *s, size_t at, const struct screen_ops *ops, void *self,
		  const struct layer *instead)
{
	unsigned below = at ? s->layers[at - 1].number : 0;
	struct layer *l;

	if (vec_grow(&s->layers, &s->room, s->n + 1)) {
		if (ops->close)
			ops->close(self);
		return -ENOMEM;
	}
	l = s->layers + at;
	memmove(l + 1, l, (s->n++ - at) * sizeof(*l));
	*l = (struct layer){
		.number = ++s->last_number, .below = below, .ops = ops, .self = self, .stale = true
	};
	if (instead && instead->tab) {
		l->below = 0;
		l->tab = instead->tab;
		memcpy(l->tab_name, instead->tab_name, sizeof(l->tab_name));
	}
	loop_dirty(s->loop);
	return 0;
}

int stack_push(struct stack *s, const struct screen_ops *ops, void *self)
{
	return insert(s, s->n, ops, self, NULL);
}

void stack_remove(struct stack *s, void *self)
{
	struct layer *l = stack_layer_with(s, self);

	if (l)
		pop_to(s, l->number);
}

void *stack_find(const struct stack *s, const struct screen_ops *ops)
{
	for (size_t i = s->n; i-- > 0;)
		if (s->layers[i].ops == ops)
			return s->layers[i].self;
	return NULL;
}

bool stack_return_to(struct stack *s, const struct screen_ops *ops)
{
	size_t i = s->n, end;
	unsigned number;

	while (i > 0 && s->layers[i - 1].ops != ops)
		i--;
	if (!i)
		return false;
	number = s->layers[i - 1].number;
	stack_raise(s, s->layers[i - 1].self);
	while (stack_layer(s, number)) {
		i = (size_t)(stack_layer(s, number) - s->layers);
		end = stack_end_of(s, i);
		if (end == i + 1)
			break;
		stack_take_layer(s, end - 1);
	}
	loop_dirty(s->loop);
	return true;
}

int stack_replace(struct stack *s, void *self, const struct screen_ops *ops, void *with)
{
	struct layer *l = stack_layer_with(s, self), gone = { 0 };
	size_t at = s->n;

	if (l) {
		gone = *l;
		at = (size_t)(l - s->layers);
		pop_to(s, gone.number);
	}
	/* a closed screen may have closed others: the position may be gone */
	if (at > s->n || (at < s->n && !s->layers[at].tab))
		at = s->n;
	return insert(s, at, ops, with, &gone);
}

bool stack_has(const struct stack *s, const void *self)
{
	return stack_layer_with(s, self) != NULL;
}

bool stack_is_top(const struct stack *s, const void *self)
{
	return s->n && s->layers[s->n - 1].self == self;
}

bool stack_is_bottom(const struct stack *s, const void *self)
{
	return s->n && s->layers[0].self == self;
}

bool stack_is_done(const struct stack *s)
{
	return !s->n;
}

/* ---- events ---- */

void stack_redraw(struct stack *s)
{
	if (s->term)
		term_forget(s->term);
	loop_dirty(s->loop);
}

static void begin_to_finish(struct stack *s, int sig);

/* Requests common to all screens. False: not handled. */
static bool request_of_all(struct stack *s, struct layer *top, enum request req)
{
	switch (req) {
	case REQ_BACK:
		pop_to(s, top->number);
		return true;
	case REQ_QUIT:
		/* Screens below may have to finish something. The second request quits at once. */
		if (s->finishing)
			stack_fulfil(s, top->number, 0, WISH_QUIT);
		else
			begin_to_finish(s, 0);
		return true;
	case REQ_HELP:
		if (help_open(s, top->ops, top->self) < 0)
			stack_no_memory(s);
		return true;
	case REQ_NEXT_TAB:
	case REQ_PREV_TAB:
		return !top->ops->floating && stack_next_tab(s, req == REQ_NEXT_TAB ? 1 : -1);
	case REQ_SUSPEND:
		if (s->term)
			term_suspend(s->term);
		loop_dirty(s->loop);
		return true;
	case REQ_REDRAW:
		stack_redraw(s);
		return true;
	default:
		return false;
	}
}

bool stack_answers(enum request req)
{
	return req == REQ_BACK || req == REQ_QUIT || req == REQ_HELP || req == REQ_NEXT_TAB ||
	       req == REQ_PREV_TAB || req == REQ_SUSPEND || req == REQ_REDRAW;
}

bool stack_offers(const struct stack *s, const struct screen_ops *ops, void *self, enum request req)
{
	if (req == REQ_NEXT_TAB || req == REQ_PREV_TAB)
		return !ops->floating && stack_n_tabs(s) > 1;
	return !ops->can || ops->can(self, req);
}

const struct request_info *stack_request_info(const struct screen_ops *ops, void *self,
					      enum request req)
{
	const struct request_info *info = ops->info ? ops->info(self, req) : NULL;

	return info ? info : request_info(req);
}

/* No screen handled the key: show where keys are listed. */
static void show_unbound(struct stack *s, const struct layer *top, key_code key)
{
	struct key_text help = keymaps_label(s->keys, top->ops->keymap, REQ_HELP);
	char label[KEY_NAME_MAX];

	if (!*key_label(key, label))
		return;
	if (*help.text)
		stack_say(s, ROLE_NOTE,
			  _("%s has no effect here; %s lists the keys of this screen"), label,
			  help.text);
	else
		stack_say(s, ROLE_NOTE, _("%s has no effect here"), label);
}

/* The screen itself, then its widgets and its menu, if it is still there. */
unsigned stack_request(struct stack *s, const struct layer *top, enum request req)
{
	unsigned wishes = top->ops->request ? top->ops->request(top->self, req) : WISH_PASS;

	if (wishes & WISH_PASS && stack_layer(s, top->number))
		wishes = stack_widget_request(top, req);
	if (wishes & WISH_PASS && req == REQ_MENU && top->ops->menu)
		wishes = stack_show_menu(s, top);
	return wishes;
}

/* A handler may push and so move the layers: use a copy. */
void stack_key(struct stack *s, key_code key)
{
	struct layer top = s->layers[s->n - 1];
	enum request req = keymaps_find(s->keys, top.ops->keymap, key);
	unsigned wishes = WISH_PASS;
	bool offered;

	if (*s->said) {
		*s->said = '\0';
		loop_dirty(s->loop);
	}
	if (top.ops->has_key && top.ops->has_key(top.self, key))
		req = REQ_NONE;
	offered = req == REQ_NONE || stack_offers(s, top.ops, top.self, req);
	if (req != REQ_NONE)
		wishes = stack_request(s, &top, req);
	/* The screen may be gone; then WISH_PASS does not apply to those below. */
	if (!stack_layer(s, top.number))
		wishes &= ~WISH_PASS;
	if (wishes & WISH_PASS && req != REQ_NONE && request_of_all(s, &top, req))
		return;
	if (wishes & WISH_PASS && top.ops->key)
		wishes = top.ops->key(top.self, key);
	/* the same for what is impossible here, unless it was said why */
	if (!offered && !*s->said && !(wishes & (WISH_POP | WISH_QUIT)) && s->n &&
	    s->layers[s->n - 1].number == top.number)
		wishes |= WISH_PASS;
	if (wishes & WISH_PASS && !top.ops->floating)
		show_unbound(s, &top, key);
	stack_fulfil(s, top.number, top.below, wishes);
}

static void on_paste(struct stack *s, const char *text)
{
	struct layer top = s->layers[s->n - 1];

	if (top.ops->paste)
		stack_fulfil(s, top.number, top.below, top.ops->paste(top.self, text));
}

void stack_event(struct stack *s, const struct term_event *e)
{
	const struct layer *top = s->n ? &s->layers[s->n - 1] : NULL;

	/*
	 * A key refers to rows that are there: those drawn may be gone, also by the key before it. A popup
	 * has none that change; it would be recalculated for each letter that is typed.
	 */
	if (s->changed || (top && top->stale && !top->ops->floating))
		stack_recalc_stale(s);
	if (!s->n)
		return;
	if (e->kind == TERM_KEY)
		stack_key(s, e->key);
	else if (e->kind == TERM_MOUSE)
		stack_mouse(s, e);
	else if (e->kind == TERM_PASTE)
		on_paste(s, e->text);
	else
		loop_dirty(s->loop);
}

/* ---- the loop ---- */

static void on_event(void *ctx, const struct term_event *e)
{
	stack_event(ctx, e);
}

static void on_paint(void *ctx)
{
	struct stack *s = ctx;

	if (!s->n || !s->term)
		return;
	if (!loop_paints_part(s->loop) || !stack_draw_part(s, term_grid(s->term)))
		stack_draw(s, term_grid(s->term));
}

/* Calls finish() of the remaining screens; quits when all have finished. */
static void finish_screens(void *ctx)
{
	struct stack *s = ctx;
	bool all = true;

	for (size_t i = s->n; i-- > 0;) {
		struct layer l = s->layers[i];

		if (l.finished || !l.ops->finish)
			continue;
		if (!l.ops->finish(l.self, s->signal)) {
			all = false;
		} else {
			struct layer *still = stack_layer(s, l.number);

			if (still)
				still->finished = true;
		}
		/* It may have closed some. */
		if (i > s->n)
			i = s->n;
	}
	if (!all)
		return;
	loop_remove(s->loop, s->finish_timer);
	s->finish_timer = 0;
	stack_fulfil(s, 0, 0, WISH_QUIT);
}

static void begin_to_finish(struct stack *s, int sig)
{
	if (sig)
		s->signal = sig;
	if (s->finishing)
		return;
	s->finishing = true;
	s->finish_timer = loop_every(s->loop, FINISH_MS, finish_screens, s);
	finish_screens(s);
	/* Without a timer this would never be called again. */
	if (s->n && !s->finish_timer) {
		stack_fulfil(s, 0, 0, WISH_QUIT);
	}
}

static void on_finish(void *ctx, int sig)
{
	begin_to_finish(ctx, sig);
}

static const struct loop_ops stack_loop_ops = {
	.event = on_event,
	.paint = on_paint,
	.finish = on_finish,
};

struct stack *stack_new(struct term *term, const struct keymaps *keys, struct ptui_error *err)
{
	struct stack *s = calloc(1, sizeof(*s));

	if (!s) {
		ptui_error_nomem(err);
		return NULL;
	}
	s->term = term;
	s->keys = keys;
	s->loop = loop_new(term, &stack_loop_ops, s, err);
	if (!s->loop) {
		free(s);
		return NULL;
	}
	return s;
}

void stack_free(struct stack *s)
{
	if (!s)
		return;
	pop_all(s);
	loop_free(s->loop);
	free(s->layers);
	free(s);
}

struct loop *stack_loop(struct stack *s)
{
	return s->loop;
}

const struct keymaps *stack_keys(const struct stack *s)
{
	return s->keys;
}

int stack_run(struct stack *s)
{
	int rc = 0;

	while (s->n && !s->quit && !rc)
		rc = loop_turn(s->loop, -1);
	return rc;
}
