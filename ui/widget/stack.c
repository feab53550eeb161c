/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "input/key_name.h"
#include "term/term.h"
#include "text/i18n.h"
#include "widget/help.h"
#include "widget/line.h"
#include "widget/stack.h"

#define RULES_FROM 16 /* rows; a smaller terminal keeps its rows for facts */
#define HINTS_MAX  32 /* told in the last line; it has not so much room */
#define FINISH_MS  50 /* how often a screen that is not finished is asked again */

/*
 * A screen by number, not by its address: it may be freed by its own handler, and the next one
 * made at the same place.
 */
struct layer {
	unsigned number, below; /* 0: nothing is below */
	const struct screen_ops *ops;
	void *self;
	bool stale;    /* recalc before it is drawn */
	bool finished; /* finish() said so */
};

struct stack {
	struct term *term;
	const struct keymaps *keys;
	struct loop *loop;
	struct layer *layers;
	size_t n, room;
	unsigned last_number;
	char said[512];
	style_t said_style;
	int body_y, body_h; /* of the whole screen, by the last draw */
	int hints_y, width; /* the last line; -1: there is none */
	struct term_event press; /* the last one, and whose it was */
	unsigned pressed;
	bool finishing;
	int signal; /* that asked for it; 0: a key did */
	unsigned finish_timer;
	bool quit;
};

/* ---- who is where ---- */

static struct layer *layer_of(const struct stack *s, unsigned number)
{
	size_t i;

	for (i = 0; i < s->n; i++) {
		if (s->layers[i].number == number)
			return &s->layers[i];
	}
	return NULL;
}

static struct layer *layer_with(const struct stack *s, const void *self)
{
	size_t i;

	for (i = s->n; i-- > 0;) {
		if (s->layers[i].self == self)
			return &s->layers[i];
	}
	return NULL;
}

/* The whole screen that is seen; what floats over it comes behind. */
static size_t base_of(const struct stack *s)
{
	size_t i = s->n;

	while (i > 0 && s->layers[--i].ops->floating)
		;
	return i;
}

static void dirty(struct stack *s)
{
	loop_dirty(s->loop);
}

static void pop_to(struct stack *s, unsigned number)
{
	while (layer_of(s, number)) {
		struct layer top = s->layers[--s->n];

		if (top.ops->close)
			top.ops->close(top.self);
	}
	dirty(s);
}

/* ---- wishes ---- */

/* A facts' change of what floats is one of what is seen below. */
static void make_stale(struct stack *s, struct layer *l)
{
	l->stale = true;
	while (l->ops->floating && l > s->layers)
		(--l)->stale = true;
}

/*
 * Does what the layer wishes. One that took itself off speaks for the one that was below it.
 */
static void fulfil(struct stack *s, unsigned number, unsigned below, unsigned wishes)
{
	struct layer *l = layer_of(s, number);

	if (!l)
		l = layer_of(s, below);
	if (wishes & WISH_QUIT) {
		s->quit = true;
		if (s->n)
			pop_to(s, s->layers[0].number);
		return;
	}
	if (l && wishes & WISH_RECALC)
		make_stale(s, l);
	if (wishes & (WISH_REDRAW | WISH_RECALC))
		dirty(s);
	if (l && wishes & WISH_POP)
		pop_to(s, l->number);
}

void stack_wish(struct stack *s, void *self, unsigned wishes)
{
	struct layer *l = layer_with(s, self);

	if (l)
		fulfil(s, l->number, l->below, wishes);
}

void stack_say(struct stack *s, style_t style, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	vsnprintf(s->said, sizeof(s->said), fmt, args);
	va_end(args);
	s->said_style = style;
	dirty(s);
}

int stack_copy(struct stack *s, const char *text)
{
	return s->term ? term_copy(s->term, text) : -ENOTTY;
}

/* ---- coming and going ---- */

int stack_push(struct stack *s, const struct screen_ops *ops, void *self)
{
	unsigned number, below = s->n ? s->layers[s->n - 1].number : 0;

	if (s->n == s->room) {
		size_t room = s->room ? s->room * 2 : 8;
		struct layer *layers = realloc(s->layers, room * sizeof(*layers));

		if (!layers) {
			if (ops->close)
				ops->close(self);
			return -ENOMEM;
		}
		s->layers = layers;
		s->room = room;
	}
	number = ++s->last_number;
	s->layers[s->n++] = (struct layer){ number, below, ops, self, true, false };
	dirty(s);
	if (ops->open)
		fulfil(s, number, below, ops->open(self, s));
	return 0;
}

void stack_remove(struct stack *s, void *self)
{
	struct layer *l = layer_with(s, self);

	if (l)
		pop_to(s, l->number);
}

bool stack_return_to(struct stack *s, const struct screen_ops *ops)
{
	size_t i = s->n;

	while (i > 0 && s->layers[i - 1].ops != ops)
		i--;
	if (i > 0 && i < s->n)
		pop_to(s, s->layers[i].number);
	return i > 0;
}

int stack_replace(struct stack *s, void *self, const struct screen_ops *ops, void *with)
{
	stack_remove(s, self);
	return stack_push(s, ops, with);
}

bool stack_has(const struct stack *s, const void *self)
{
	return layer_with(s, self) != NULL;
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

static void suspend(struct stack *s)
{
	if (s->term)
		term_suspend(s->term);
	dirty(s);
}

static void redraw(struct stack *s)
{
	if (s->term)
		term_forget(s->term);
	dirty(s);
}

static void begin_to_finish(struct stack *s, int sig);

/* What all screens know. False: nobody does. */
static bool request_of_all(struct stack *s, struct layer *top, enum request req)
{
	switch (req) {
	case REQ_BACK:
		pop_to(s, top->number);
		return true;
	case REQ_QUIT:
		/* Screens below may have something to finish. The second time nothing is waited for. */
		if (s->finishing)
			fulfil(s, top->number, 0, WISH_QUIT);
		else
			begin_to_finish(s, 0);
		return true;
	case REQ_HELP:
		if (help_open(s, top->ops, top->self) < 0)
			stack_say(s, ROLE_BAD, "%s", _("out of memory"));
		return true;
	case REQ_SUSPEND:
		suspend(s);
		return true;
	case REQ_REDRAW:
		redraw(s);
		return true;
	default:
		return false;
	}
}

/* Nobody wanted the key: a person who learns the keys is told where they are listed. */
static void say_unbound(struct stack *s, const struct layer *top, key_code key)
{
	char label[KEY_NAME_MAX], help[KEY_NAME_MAX];

	if (!*key_label(key, label))
		return;
	if (*keymaps_label(s->keys, top->ops->keymap, REQ_HELP, help, sizeof(help)))
		stack_say(s, ROLE_NOTE, _("%s does nothing here; %s lists the keys that do"), label,
			  help);
	else
		stack_say(s, ROLE_NOTE, _("%s does nothing here"), label);
}

/* A handler may push, and so move the layers: a copy says whom to ask. */
static void on_key(struct stack *s, key_code key)
{
	struct layer top = s->layers[s->n - 1];
	enum request req = keymaps_find(s->keys, top.ops->keymap, key);
	unsigned wishes = WISH_PASS;

	if (*s->said) {
		*s->said = '\0';
		dirty(s);
	}
	if (top.ops->has_key && top.ops->has_key(top.self, key))
		req = REQ_NONE;
	if (req != REQ_NONE && top.ops->request)
		wishes = top.ops->request(top.self, req);
	/* It may have gone, and what it was told then need not be for those that are left. */
	if (!layer_of(s, top.number))
		wishes &= ~WISH_PASS;
	if (wishes & WISH_PASS && req != REQ_NONE && request_of_all(s, &top, req))
		return;
	if (wishes & WISH_PASS && top.ops->key)
		wishes = top.ops->key(top.self, key);
	if (wishes & WISH_PASS && !top.ops->floating)
		say_unbound(s, &top, key);
	fulfil(s, top.number, top.below, wishes);
}

/* What the screen tells in the last line, as far as it does something now. */
static size_t hints_of(const struct layer *l, enum request offered[HINTS_MAX])
{
	size_t i, n = 0;

	for (i = 0; l->ops->hints && l->ops->hints[i] != REQ_NONE && n < HINTS_MAX; i++) {
		if (!l->ops->can || l->ops->can(l->self, l->ops->hints[i]))
			offered[n++] = l->ops->hints[i];
	}
	return n;
}

/* A click on a hint presses its key; one on a message ends it. False: that is not what was hit. */
static bool on_hint(struct stack *s, const struct layer *top, const struct term_event *e)
{
	enum request offered[HINTS_MAX], req;
	size_t n;
	key_code key;

	if (e->mouse != MOUSE_PRESS || e->button != 1 || e->y != s->hints_y)
		return false;
	if (*s->said) {
		*s->said = '\0';
		dirty(s);
		return true;
	}
	n = hints_of(top, offered);
	req = line_hint_at(s->keys, top->ops->keymap, offered, n, s->width, e->x);
	if (!keymaps_keys(s->keys, top->ops->keymap, req, &key, 1))
		return false;
	on_key(s, key);
	return true;
}

/* The second press of a double click is not meant for what the first one opened. */
static bool is_second_press(struct stack *s, const struct term_event *e)
{
	unsigned top = s->layers[s->n - 1].number;

	if (e->mouse != MOUSE_PRESS)
		return false;
	if (s->press.time_ns && e->time_ns - s->press.time_ns < MOUSE_DOUBLE_NS &&
	    e->y == s->press.y && e->x == s->press.x && top != s->pressed)
		return true;
	s->press = *e;
	s->pressed = top;
	return false;
}

static void on_mouse(struct stack *s, const struct term_event *e)
{
	struct layer top = s->layers[s->n - 1];
	unsigned (*hit)(void *self, const struct term_event *e) = top.ops->mouse;
	struct term_event in = *e;
	unsigned wishes;

	if (is_second_press(s, e) || on_hint(s, &top, e))
		return;
	if (!top.ops->floating && e->y == 0 && s->body_y) {
		hit = top.ops->head_mouse;
	} else if (!top.ops->floating) {
		in.y -= s->body_y;
		if (in.y < 0 || in.y >= s->body_h)
			return;
	}
	if (!hit)
		return;
	wishes = hit(top.self, &in);
	/* the screen may be gone, and its wishes are those of the one below */
	if (wishes & WISH_OPEN && top.ops->request && layer_of(s, top.number))
		wishes |= top.ops->request(top.self, REQ_OPEN);
	fulfil(s, top.number, top.below, wishes);
}

static void on_paste(struct stack *s, const char *text)
{
	struct layer top = s->layers[s->n - 1];

	if (top.ops->paste)
		fulfil(s, top.number, top.below, top.ops->paste(top.self, text));
}

void stack_event(struct stack *s, const struct term_event *e)
{
	if (!s->n)
		return;
	if (e->kind == TERM_KEY)
		on_key(s, e->key);
	else if (e->kind == TERM_MOUSE)
		on_mouse(s, e);
	else if (e->kind == TERM_PASTE)
		on_paste(s, e->text);
	else
		dirty(s);
}

/* ---- drawing ---- */

static void draw_hints(struct stack *s, const struct canvas *c, int y, const struct layer *top)
{
	enum request offered[HINTS_MAX];

	if (*s->said)
		canvas_cell(c, y, 1, c->at.w - 1, ALIGN_LEFT, s->said_style, s->said);
	else
		line_hints(c, y, s->keys, top->ops->keymap, offered, hints_of(top, offered));
}

static void draw_whole(struct stack *s, const struct canvas *c, const struct layer *l)
{
	int h = c->at.h, w = c->at.w;
	int rules = h >= RULES_FROM;
	int head = h >= 3, foot = h >= 2;
	struct canvas line = canvas_part(c, 0, 0, 1, w), body;

	s->width = w;
	s->hints_y = foot ? h - 1 : -1;
	s->body_y = head + rules;
	s->body_h = h - head - foot - 2 * rules;
	body = canvas_part(c, s->body_y, 0, s->body_h, w);
	if (head && l->ops->head)
		l->ops->head(l->self, &line);
	else if (head)
		line_head(c, 0, _(l->ops->title), "", ROLE_TEXT);
	if (rules) {
		canvas_rule(c, 1);
		canvas_rule(c, h - 2);
	}
	if (foot)
		draw_hints(s, c, h - 1, &s->layers[s->n - 1]);
	l->ops->draw(l->self, &body);
}

void stack_draw(struct stack *s, struct grid *g)
{
	struct canvas c = canvas_of(g);
	size_t i;

	grid_clear(g);
	for (i = base_of(s); i < s->n; i++) {
		struct layer *l = &s->layers[i];
		bool stale = l->stale;

		l->stale = false;
		/* may push and remove: `l` is not what it was */
		if (stale && l->ops->recalc)
			l->ops->recalc(l->self);
	}
	for (i = base_of(s); i < s->n; i++) {
		struct layer *l = &s->layers[i];

		g->cursor_y = -1;
		if (l->ops->floating)
			l->ops->draw(l->self, &c);
		else
			draw_whole(s, &c, l);
	}
}

void stack_body_size(const struct stack *s, int *ret_rows, int *ret_cols)
{
	*ret_rows = s->body_h;
	*ret_cols = s->width;
}

/* ---- the loop ---- */

static void on_event(void *ctx, const struct term_event *e)
{
	stack_event(ctx, e);
}

static void on_paint(void *ctx)
{
	struct stack *s = ctx;

	if (s->n && s->term)
		stack_draw(s, term_grid(s->term));
}

/* Asks those that have not finished yet; when all have, the session is over. */
static void ask_to_finish(void *ctx)
{
	struct stack *s = ctx;
	bool all = true;
	size_t i;

	for (i = s->n; i-- > 0;) {
		struct layer l = s->layers[i];

		if (l.finished || !l.ops->finish)
			continue;
		if (!l.ops->finish(l.self, s->signal)) {
			all = false;
		} else {
			struct layer *still = layer_of(s, l.number);

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
	fulfil(s, 0, 0, WISH_QUIT);
}

static void begin_to_finish(struct stack *s, int sig)
{
	if (sig)
		s->signal = sig;
	if (s->finishing)
		return;
	s->finishing = true;
	s->finish_timer = loop_every(s->loop, FINISH_MS, ask_to_finish, s);
	ask_to_finish(s);
	/* Without a timer nobody would ask again. */
	if (s->n && !s->finish_timer) {
		fulfil(s, 0, 0, WISH_QUIT);
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
	if (s->n)
		pop_to(s, s->layers[0].number);
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
	return rc < 0 ? rc : 0;
}
