/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Unwinds user stacks for the recorder (record/unwind/unwind_queue.h): a machine that follows the
 * sideband, and a stack_unwinder. Ended processes are dropped, as in the live view, so nothing
 * grows with the length of the recording.
 */
#ifndef SESSION_LIVE_UNWIND_H
#define SESSION_LIVE_UNWIND_H

#include "record/unwind/unwind_queue.h"

/* Any number of recordings at a time. */
extern const struct stack_unwinding session_stack_unwinding;

#endif
