/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Unwinding user stacks while recording: whether it is done, and what is needed for it. */
#include <errno.h>
#include "base/file.h"
#include "base/i18n.h"
#include "ptui/log.h"
#include "record/recording_private.h"

#define MAX_STACK 127 /* PERF_MAX_STACK_DEPTH of the kernel */

void recording_set_unwinding(struct ptui_recording *r, const struct stack_unwinding *unwinding)
{
	r->unwinding = unwinding;
}

static uint32_t kernel_max_stack(const struct roots *roots)
{
	long long n;

	return !file_read_long(&n, "%s/sys/kernel/perf_event_max_stack", roots->proc) && n > 0 &&
			       n <= UINT16_MAX ?
		       (uint32_t)n :
		       MAX_STACK;
}

static struct unwind_queue *new_queue(struct ptui_recording *r, struct ptui_error *err)
{
	const struct ptui_shape *s = &r->options.given.shape;
	struct short_samples shorts;

	if (!r->unwinding) {
		ptui_error_set(err, PTUI_ERROR_INPUT, ENOTSUP, NULL,
			       _("stacks cannot be unwound while recording"));
		return NULL;
	}
	short_samples_init(&shorts, s->data, s->user_regs != 0, s->kernel_callchains);
	return unwind_queue_new(r->unwinding, &shorts, kernel_max_stack(&r->ops->roots),
				r->options.given.unwind_queue_bytes, err);
}

void recording_start_unwinding(struct ptui_recording *r)
{
	struct ptui_error why = PTUI_ERROR_INIT;

	if (r->options.given.shape.callgraph != PTUI_CALLGRAPH_LIVE)
		return;
	r->unwind_queue = new_queue(r, &why);
	if (r->unwind_queue)
		return;
	r->options.given.shape.callgraph = PTUI_CALLGRAPH_FP;
	ptui_log(PTUI_LOG_WARN, "record", _("callchains are recorded by frame pointers: %s"),
		 why.text);
}

int recording_open_unwinding(struct ptui_recording *r, struct ptui_error *err)
{
	if (r->unwind_queue && unwind_queue_open(r->unwind_queue, &r->counters))
		return ptui_error_nomem(err);
	return 0;
}

/* With --tail-synthesize the maps are not in the base records, but they are needed now. */
int recording_put_unwinding(struct ptui_recording *r, const struct buf *base,
			    struct ptui_error *err)
{
	struct buf maps = BUF_INIT;
	int ret;

	if (!r->unwind_queue)
		return 0;
	ret = base_records_put_tail(&r->base, &maps, err);
	if (!ret && (unwind_queue_push_sideband(r->unwind_queue, base->data, base->len) ||
		     unwind_queue_push_sideband(r->unwind_queue, maps.data, maps.len)))
		ret = ptui_error_nomem(err);
	buf_release(&maps);
	return ret;
}
