/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Profiles from text, for tests: functions are words, a chain is "main run parse" from the
 * outermost frame to the sample's.
 */
#ifndef UNIT_PROFILE_MADE_H
#define UNIT_PROFILE_MADE_H

#include "profile/profile.h"

struct made;

struct made *made_new(void);
/* Adds a sample of event 0; comm "a", thread (1, 1), cpu 0 unless made_thread() was called. */
void made_sample(struct made *m, const char *chain, uint64_t period, uint64_t time_ns);
/* Adds an event, of the group that event `leader` leads (itself: none); later samples are of it. */
void made_event(struct made *m, const char *name, uint32_t leader);
void made_thread(struct made *m, const char *comm, int32_t tid, uint32_t cpu);
/* How the user part of the stacks of later samples was found: enum stack_how, and flags. */
void made_how(struct made *m, unsigned how);
/* Sets the name of a thread after its last sample. */
void made_last_comm(struct made *m, int32_t tid, const char *comm);
/*
 * Finishes the profile and frees the maker. Words become frames of module "prog": "lib:f" is in
 * module "lib" (path "/opt/lib"), "kernel:f" in the kernel, "gone:0x10" in a module whose file does
 * not exist (and so has no call frame information), "unread:f" in one whose start functions are
 * unknown, "nowhere:0x10" outside of all modules. A word that begins with "0x" has no symbol, and is a range if it
 * has a "-".
 * Stacks start in functions named "_start". "f+4" is four bytes into the function of an earlier word "f".
 */
struct ptui_profile *made_take(struct made *m);

/* The view as text: a line per row, cells joined by '|'. Static memory, until the next call. */
const char *made_rows(const struct ptui_hist *h);
/* The call tree of a row as text: "50 main run(30 parse)(20 eval add)". Static memory as well. */
const char *made_tree(struct ptui_hist *h, size_t row, uint64_t min_period);

#endif
