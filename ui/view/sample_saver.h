/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Saves the samples of a recording that has no file (ptui_live_save()), in a thread. The recording
 * is freed by the saver, since it must outlive the thread.
 */
#ifndef VIEW_SAMPLE_SAVER_H
#define VIEW_SAMPLE_SAVER_H

#include "ptui/live.h"
#include "view/worker.h"
#include "widget/stack.h"

#define SAMPLE_SAVER_NAME "perf.data" /* unless another one was typed */

struct sample_saver {
	struct stack *stack;
	struct worker *worker; /* NULL: not saving */
	struct save_task *task;
	/* On the loop: saved to `path`, or failed (err not NULL). May free the saver's owner. */
	void (*done)(void *ctx, const char *path, const struct ptui_error *err);
	void *ctx;
};

/* Shows a message; done() follows. 0, or a negative errno with err set. */
int sample_saver_start(struct sample_saver *s, struct ptui_live *live, const char *path,
		       struct ptui_error *err);
/*
 * Asks before unsaved samples are lost; answered() gets 0: save them as SAMPLE_SAVER_NAME and leave, 1:
 * leave, else: stay. Returns wishes.
 */
unsigned sample_saver_ask(struct sample_saver *s, unsigned (*answered)(void *ctx, int index));
/* Frees the recording, after it is saved if that is being done. done() does not come. */
void sample_saver_release(struct sample_saver *s, struct ptui_live *live);

#endif
