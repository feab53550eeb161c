/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A profile out of text, for tests: functions are words, a chain is "main run parse" from
 * the outermost to where the sample fell.
 */
#ifndef UNIT_PROFILE_MADE_H
#define UNIT_PROFILE_MADE_H

#include "profile/profile.h"

struct made;

struct made *made_new(void);
/* Adds a sample of event 0 at `time`; comm "a", thread (1, 1), cpu 0 unless made_thread() said else. */
void made_sample(struct made *m, const char *chain, uint64_t period, uint64_t time_ns);
void made_thread(struct made *m, const char *comm, int32_t tid, uint32_t cpu);
/* How the user part of the stacks of later samples was found: enum stack_how, and flags. */
void made_how(struct made *m, unsigned how);
/* The name of a thread at the end, after its last sample. */
void made_last_comm(struct made *m, int32_t tid, const char *comm);
/*
 * The profile; words become frames of module "prog": "lib:f" is one of module "lib" (its path is
 * "/opt/lib"), "kernel:f" one of the kernel, "gone:0x10" one whose file is not there (nor its call frame information), "unread:f" one whose
 * starts are unknown, "nowhere:0x10" one outside of all modules, and a word that begins with "0x" has no
 * symbol. Stacks begin in functions named "_start". The
 * maker is gone afterwards.
 */
struct ptui_profile *made_take(struct made *m);

/* The view as text: a line a row, cells joined by '|'. Static memory, until the next call. */
const char *made_rows(const struct ptui_hist *h);
/* A row's tree as text: "50 main run(30 parse)(20 eval add)". Static memory as well. */
const char *made_tree(struct ptui_hist *h, size_t row, uint64_t min_period);

#endif
