/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "view/command_output.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "model/live/live.h"
#include "text/i18n.h"
#include "widget/line.h"
#include "widget/stack.h"

#define OUTPUT_LINES_MAX 20000

/* Reads the command's output, a limited amount per turn so that keys are handled in between. */
static void on_output(void *ctx)
{
	struct command_output *o = ctx;
	char buf[16384];
	ssize_t n = read(o->opts.fd, buf, sizeof(buf));

	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return;
	if (n <= 0) {
		/* the other side is closed */
		loop_remove(stack_loop(o->opts.stack), o->watch);
		o->watch = 0;
		return;
	}
	if (pane_write(o->pane, buf, (size_t)n))
		stack_say(o->opts.stack, ROLE_BAD, _("Out of memory: some of the output is lost."));
	if (stack_has(o->opts.stack, o))
		stack_wish(o->opts.stack, o, WISH_REDRAW);
}

/* ---- opened with the screen of the command ---- */

int command_output_init(struct command_output *o, const struct command_output_opts *opts)
{
	o->opts = *opts;
	o->pane = opts->fd < 0 ? NULL : pane_new(OUTPUT_LINES_MAX);
	find_init(&o->find, opts->stack, &pane_find_ops, o->pane);
	if (opts->fd < 0)
		return 0;
	if (!o->pane)
		return -ENOMEM;
	o->watch = loop_watch(stack_loop(opts->stack), opts->fd, on_output, o);
	return o->watch ? 0 : -ENOMEM;
}

void command_output_release(struct command_output *o)
{
	if (!o->opts.stack)
		return;
	loop_remove(stack_loop(o->opts.stack), o->watch);
	pane_free(o->pane);
	find_release(&o->find);
	words_release(&o->typed);
}

void command_output_set_size(struct command_output *o, int rows, int cols)
{
	if (!o->pane || (o->rows == rows && o->cols == cols))
		return;
	o->rows = (unsigned short)rows;
	o->cols = (unsigned short)cols;
	/* works without a size, too */
	o->opts.set_size(o->opts.ctx, o->rows, o->cols);
}

static void output_head(void *self, const struct canvas *line)
{
	struct command_output *o = self;
	char state[256] = "";

	if (!o->watch)
		live_child_text(o->opts.child_status(o->opts.ctx), state, sizeof(state));
	else if (!pane_follows(o->pane))
		snprintf(state, sizeof(state), "%s", _("scrolled back: End follows"));
	line_head(line, o->opts.title, state, ROLE_NOTE);
}

static void output_draw(void *self, const struct canvas *c)
{
	struct command_output *o = self;

	command_output_set_size(o, c->at.h, c->at.w);
	if (pane_lines(o->pane))
		pane_draw(o->pane, c);
	else
		canvas_text(c, 0, 1, ROLE_DIM, _("No output from the command yet."));
}

static unsigned typed(void *ctx, const char *line)
{
	struct command_output *o = ctx;
	int fd = o->opts.fd;
	char *text;
	int n;

	if (!line)
		return WISH_REDRAW;
	n = asprintf(&text, "%s\n", line);
	if (n < 0 || write(fd, text, (size_t)n) != n)
		stack_say(o->opts.stack, ROLE_BAD, _("The command does not read its input."));
	if (n >= 0)
		free(text);
	return WISH_REDRAW;
}

static unsigned prompt_line(struct command_output *o)
{
	const struct prompt_opts opts = {
		.label = _("type: "),
		.history = &o->typed,
		.done = typed,
		.ctx = o,
	};

	if (!o->watch)
		return stack_note(o->opts.stack,
				  _("The command has ended and reads no more input."));
	return prompt_open(o->opts.stack, &opts);
}

static unsigned output_request(void *self, enum request req)
{
	struct command_output *o = self;
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
	const struct command_output *o = self;

	return req != REQ_TYPE || o->watch;
}

static unsigned output_mouse(void *self, const struct term_event *e)
{
	struct command_output *o = self;

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

unsigned command_output_open(struct command_output *o)
{
	if (!o->pane)
		return stack_note(o->opts.stack, _("No output: ptui did not start this process."));
	return stack_push(o->opts.stack, &output_ops, o) ? stack_no_memory(o->opts.stack) :
							   WISH_REDRAW;
}
