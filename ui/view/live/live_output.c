/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "text/i18n.h"
#include "view/live/live_private.h"
#include "widget/line.h"

#define OUTPUT_LINES_MAX 20000

/* Reads the command's output, a limited amount per turn so that keys are handled in between. */
static void on_output(void *ctx, int fd, short revents)
{
	struct live_view *v = ctx;
	char buf[16384];
	ssize_t n = read(fd, buf, sizeof(buf));

	(void)revents;
	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return;
	if (n <= 0) {
		/* the other side is closed */
		loop_remove(stack_loop(v->stack), v->output.watch);
		v->output.watch = 0;
		return;
	}
	if (pane_write(v->output.pane, buf, (size_t)n))
		stack_say(v->stack, ROLE_BAD, _("Out of memory: some of the output is lost."));
	if (stack_has(v->stack, &v->output))
		stack_wish(v->stack, &v->output, WISH_REDRAW);
}

/* ---- searching ---- */

static bool search(void *ctx, const char *text)
{
	return pane_search(((struct live_output *)ctx)->pane, text);
}

static bool search_again(void *ctx, int direction)
{
	return pane_search_again(((struct live_output *)ctx)->pane, direction);
}

static uint64_t place(void *ctx)
{
	return pane_place(((struct live_output *)ctx)->pane);
}

static void go(void *ctx, uint64_t to)
{
	pane_go(((struct live_output *)ctx)->pane, to);
}

static const struct find_ops find_ops = {
	.search = search,
	.again = search_again,
	.place = place,
	.go = go,
};

/* ---- opened with the Live screen ---- */

int live_output_init(struct live_view *v)
{
	int fd = ptui_live_command_fd(v->live);

	v->output.view = v;
	find_init(&v->output.find, v->stack, &find_ops, &v->output);
	v->output.typed = (struct history)HISTORY_INIT;
	if (fd < 0)
		return 0;
	v->output.pane = pane_new(OUTPUT_LINES_MAX);
	if (!v->output.pane)
		return -ENOMEM;
	v->output.watch = loop_watch(stack_loop(v->stack), fd, POLLIN, on_output, v);
	return v->output.watch ? 0 : -ENOMEM;
}

void live_output_release(struct live_view *v)
{
	loop_remove(stack_loop(v->stack), v->output.watch);
	pane_free(v->output.pane);
	find_release(&v->output.find);
	history_release(&v->output.typed);
}

void live_output_set_size(struct live_view *v, int rows, int cols)
{
	struct live_output *o = &v->output;

	if (!o->pane || (o->rows == rows && o->cols == cols))
		return;
	o->rows = (unsigned short)rows;
	o->cols = (unsigned short)cols;
	/* works without a size, too */
	ptui_live_set_size(v->live, o->rows, o->cols);
}

static void output_head(void *self, const struct canvas *line)
{
	struct live_output *o = self;
	char where[512], state[256] = "";

	snprintf(where, sizeof(where), _("Live › Output  %s"), o->view->target);
	if (!o->watch)
		live_child_text(ptui_live_child_status(o->view->live), state, sizeof(state));
	else if (!pane_follows(o->pane))
		snprintf(state, sizeof(state), "%s", _("scrolled back: End follows"));
	line_head(line, 0, where, state, ROLE_NOTE);
}

static void output_draw(void *self, const struct canvas *c)
{
	struct live_output *o = self;

	live_output_set_size(o->view, c->at.h, c->at.w);
	if (pane_lines(o->pane))
		pane_draw(o->pane, c);
	else
		canvas_text(c, 0, 1, ROLE_DIM, _("No output from the command yet."));
}

static unsigned typed(void *ctx, const char *line)
{
	struct live_output *o = ctx;
	int fd = ptui_live_command_fd(o->view->live);
	char *text;
	int n;

	if (!line)
		return WISH_REDRAW;
	n = asprintf(&text, "%s\n", line);
	if (n < 0 || write(fd, text, (size_t)n) != n)
		stack_say(o->view->stack, ROLE_BAD, _("The command does not read its input."));
	if (n >= 0)
		free(text);
	return WISH_REDRAW;
}

static unsigned prompt_line(struct live_output *o)
{
	const struct prompt_opts opts = {
		.label = _("type: "),
		.history = &o->typed,
		.done = typed,
		.ctx = o,
	};

	if (!o->watch)
		return stack_say(o->view->stack, ROLE_NOTE,
				 _("The command has ended and reads no more input."));
	return prompt_open(o->view->stack, &opts);
}

static unsigned output_request(void *self, enum request req)
{
	struct live_output *o = self;
	unsigned wishes;

	switch (req) {
	case REQ_TYPE:
		return prompt_line(o);
	case REQ_BACK:
	case REQ_OUTPUT:
		return WISH_POP;
	default:
		wishes = pane_request(o->pane, req);
		return wishes & WISH_PASS ? find_request(&o->find, req) : wishes;
	}
}

static bool output_can(void *self, enum request req)
{
	const struct live_output *o = self;

	return req != REQ_TYPE || o->watch;
}

static unsigned output_mouse(void *self, const struct term_event *e)
{
	struct live_output *o = self;

	return pane_mouse(o->pane, e);
}

static const enum request output_hints[] = { REQ_TYPE, REQ_SEARCH, REQ_PAGE_UP, REQ_LAST,
					     REQ_HELP, REQ_BACK,   REQ_NONE };

static const struct screen_ops output_ops = {
	.title = N_("Output of the command"),
	.keymap = KEYMAP_OUTPUT,
	.hints = output_hints,
	.head = output_head,
	.draw = output_draw,
	.request = output_request,
	.can = output_can,
	.mouse = output_mouse,
};

int live_output_open(struct live_view *v)
{
	return stack_push(v->stack, &output_ops, &v->output);
}
