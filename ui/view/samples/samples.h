/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The Samples screen, above the Browser: the samples of a row, by time.
 *
 *	 perf.data › Samples › main                                                    96,204 samples
 *	             Time  CPU  Command  TID      Period  Trace output
 *	     12345.678901    0  make     1234          1  prev_comm=make prev_pid=1234 ...
 *
 * Tracepoints have a column with their payload, other events one with the function and its DSO.
 * Enter shows the callchain of a sample. They are listed once, in a thread.
 */
#ifndef VIEW_SAMPLES_SAMPLES_H
#define VIEW_SAMPLES_SAMPLES_H

#include "model/rows/rows.h"
#include "widget/stack.h"

/*
 * `where`: where it belongs to: "perf.data". The rows are referenced until their samples are listed. `max`:
 * number of samples that are listed, spread over all; 0: all.
 */
unsigned samples_open(struct stack *s, const char *where, struct rows *rows, uint64_t node,
		      uint64_t max);

#endif
