/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "text/i18n.h"
#include "text/utf8.h"
#include "widget/number.h"
#include "widget/popup.h"
#include "widget/popup_frame.h"
#include "widget/scroll.h"
#include "widget/spark.h"

#define PROGRESS_WIDTH 56

struct progress {
	struct stack *stack; /* NULL: the screen is gone, the owner has not closed it yet */
	char title[128], escape_does[256], what[256];
	uint64_t done, total;
	void (*cancel)(void *ctx);
	void *ctx;
	bool cancelled;
};

void progress_bar(const struct canvas *c, int y, int x, int width, uint64_t done, uint64_t total,
		  style_t style)
{
	double part = total ? (double)done / (double)total : 0.0;

	spark_bar(c, y, x, width, part < 1.0 ? part : 1.0, style);
}

/* How far it is, as a bar or, where the end is not known, as a number. */
static void draw_done(const struct progress *p, const struct canvas *in, int y)
{
	char number[32];
	double part;

	if (p->total) {
		part = (double)p->done / (double)p->total;
		progress_bar(in, y, 0, in->at.w - 7, p->done, p->total, ROLE_NOTE);
		canvas_printf(in, y, in->at.w - 5, ROLE_TEXT, "%3d %%",
			      part < 1.0 ? (int)(part * 100.0) : 100);
	} else if (p->done) {
		canvas_text(in, y, 0, ROLE_TEXT, number_full(number, sizeof(number), p->done));
	}
}

static void progress_draw(void *self, const struct canvas *c)
{
	struct progress *p = self;
	const char *does = p->cancelled ? _("Stopping…") : p->escape_does;
	int w = c->at.w - 4 < PROGRESS_WIDTH ? c->at.w - 4 : PROGRESS_WIDTH, y = 0;
	struct canvas in;

	if (w < 1)
		return;
	in = popup_frame(c, p->title, 1 + (*p->what ? 1 : 0) + (int)scroll_wrap_count(does, w), w);
	/* Where there is no room for all of it, how far it is comes first. */
	if (*p->what && in.at.h > 2)
		canvas_cell(&in, y++, 0, in.at.w, ALIGN_LEFT, ROLE_TEXT, p->what);
	draw_done(p, &in, y++);
	while (does) {
		char line[sizeof(p->escape_does)];
		size_t n;
		const char *next = scroll_wrap(does, w, &n);

		snprintf(line, sizeof(line), "%.*s", (int)n, does);
		canvas_text(&in, y++, 0, ROLE_DIM, line);
		does = next;
	}
}

static unsigned progress_request(void *self, enum request req)
{
	struct progress *p = self;

	if (req != REQ_BACK)
		return WISH_PASS;
	if (!p->cancel || p->cancelled)
		return WISH_NONE;
	p->cancelled = true;
	/* It may close us. */
	p->cancel(p->ctx);
	return WISH_REDRAW;
}

/* Freed by its owner, who may still tell it how far he is. */
static void progress_gone(void *self)
{
	struct progress *p = self;

	p->stack = NULL;
}

static const struct screen_ops progress_ops = {
	.title = N_("Progress"),
	.keymap = KEYMAP_GENERAL,
	.floating = true,
	.draw = progress_draw,
	.request = progress_request,
	.close = progress_gone,
};

struct progress *progress_open(struct stack *s, const char *title, const char *escape_does,
			       void (*cancel)(void *ctx), void *ctx)
{
	struct progress *p = calloc(1, sizeof(*p));

	if (!p)
		return NULL;
	p->stack = s;
	p->cancel = cancel;
	p->ctx = ctx;
	snprintf(p->title, sizeof(p->title), "%s", title);
	snprintf(p->escape_does, sizeof(p->escape_does), "%s", escape_does);
	if (stack_push(s, &progress_ops, p) < 0) {
		free(p);
		return NULL;
	}
	return p;
}

void progress_set(struct progress *p, const char *what, uint64_t done, uint64_t total)
{
	if (what)
		snprintf(p->what, sizeof(p->what), "%s", what);
	p->done = done;
	p->total = total;
	if (p->stack)
		stack_wish(p->stack, p, WISH_REDRAW);
}

void progress_close(struct progress *p)
{
	if (!p)
		return;
	if (p->stack)
		stack_remove(p->stack, p);
	free(p);
}
