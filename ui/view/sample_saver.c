/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "view/sample_saver.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "text/i18n.h"
#include "widget/popup.h"

/* Data of the thread. */
struct save_task {
	struct ptui_live *live;
	bool owns_live; /* the saver was freed */
	char *path;
	struct ptui_error err;
	int ret;
};

static void save_run(void *task, struct worker *w)
{
	struct save_task *t = task;

	(void)w; /* it is short, and half a file is none */
	t->ret = ptui_live_save(t->live, t->path, &t->err);
}

static void save_done(void *task, void *owner)
{
	struct sample_saver *s = owner;
	struct save_task *t = task;

	s->task = NULL;
	s->done(s->ctx, t->path, t->ret ? &t->err : NULL);
}

static void save_release(void *task)
{
	struct save_task *t = task;

	if (t->owns_live)
		ptui_live_free(t->live);
	free(t->path);
	free(t);
}

static const struct worker_ops save_ops = { save_run, save_done, save_release };

int sample_saver_start(struct sample_saver *s, struct ptui_live *live, const char *path,
		       struct ptui_error *err)
{
	struct save_task *t = calloc(1, sizeof(*t));

	if (t)
		t->path = strdup(path);
	if (!t || !t->path) {
		free(t);
		return ptui_error_nomem(err);
	}
	t->live = live;
	if (!worker_start(&s->worker, stack_loop(s->stack), &save_ops, t, s, err))
		return err && err->code ? -err->code : -EAGAIN;
	s->task = t;
	stack_say(s->stack, ROLE_NOTE, _("Saving the samples to %s …"), path);
	return 0;
}

unsigned sample_saver_ask(struct sample_saver *s, unsigned (*answered)(void *ctx, int index))
{
	const struct menu_item items[] = {
		{ .text = _("save the samples to perf.data and leave"),
		  .key = 'w',
		  .current = true },
		{ .text = _("leave; the samples are lost"), .key = 'q' },
		{ .text = _("stay"), .key = 'g' },
	};

	return popup_menu(s->stack, _("These samples are in no file"), items, 3, answered, s->ctx);
}

void sample_saver_release(struct sample_saver *s, struct ptui_live *live)
{
	if (!s->worker) {
		ptui_live_free(live);
		return;
	}
	s->task->owns_live = true;
	worker_abandon(&s->worker);
	s->task = NULL;
}
