/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is tried instead when the kernel refuses an event. A table of rules: each looks at the
 * event and the errno, and changes the event or passes.
 *
 *	cycles:P  precise 3, 2, 1, 0      as precise as this machine can
 *	cycles    cpu-clock               no PMU (a virtual machine)
 *	any       :u                      perf_event_paranoid forbids the kernel's side
 *
 * What changes the meaning of a sample has a sentence, for when it is certain that there will be
 * samples: who cannot start hears why, and nothing else.
 */
#ifndef KERNEL_FALLBACK_H
#define KERNEL_FALLBACK_H

#include <stdbool.h>
#include "event/event.h"
#include "kernel/ops.h"

/*
 * After perf_event_open of `ev` failed with `errnum`. True: `ev` was changed, try again. False:
 * there is nothing else to try. -ENOMEM in *ret_error when it failed for that. `text` gets the
 * sentence, or "".
 */
bool fallback_find(const struct kernel_ops *ops, struct event *ev, int errnum, char *text,
		   size_t size, int *ret_error);

#endif
