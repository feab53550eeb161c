/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Header features about the recording, in perf's layout: command line, groups, time span of the
 * samples. For those about the machine see hostinfo.h.
 */
#ifndef RECORD_HEADER_FEATURES_H
#define RECORD_HEADER_FEATURES_H

#include "base/buf.h"
#include "data/write/writer.h"
#include "event/event.h"

/* Adds what is in `out`, or returns its error; releases it in any case. */
int features_add(struct data_writer *w, unsigned feature, struct buf *out);
/* `words`: `n` bytes as of feature_cmdline(). Adds nothing for n = 0. */
int features_add_cmdline(struct data_writer *w, const char *words, size_t n);
/* -k: resolution of the clock, and its offset to wall time. */
int features_add_clock(struct data_writer *w, int clockid);
/* Adds nothing without groups. */
int features_add_groups(struct data_writer *w, const struct event_list *events);
/* Adds nothing for last_ns = 0. */
int features_add_sample_time(struct data_writer *w, uint64_t first_ns, uint64_t last_ns);

#endif
