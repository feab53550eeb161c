/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The header's facts about this recording (those about the machine: hostinfo.h), as perf lays
 * them out: command line, groups, the span of the samples.
 */
#ifndef RECORD_HEADER_FEATURES_H
#define RECORD_HEADER_FEATURES_H

#include "data/write/writer.h"
#include "event/event.h"

/* `words` as feature_cmdline() takes them, `n` bytes. Nothing is added for n = 0. */
int facts_add_cmdline(struct data_writer *w, const char *words, size_t n);
/* -k: how fine the clock is, and what it said when it was so late by the wall. */
int facts_add_clock(struct data_writer *w, int clockid);
/* Nothing is added without groups. */
int facts_add_groups(struct data_writer *w, const struct event_list *events);
/* Nothing is added for last_ns = 0. */
int facts_add_sample_time(struct data_writer *w, uint64_t first_ns, uint64_t last_ns);

#endif
