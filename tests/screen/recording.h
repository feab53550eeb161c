/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A recording out of text, with the files of its functions, for screens that look the same on every
 * machine.
 *
 * Takes: events, threads, chains such as "main;run;parse". Gives: a perf.data, and beside it the
 * ELF files its functions stand in. Each call fails the test when it cannot be done.
 */
#ifndef TESTS_SCREEN_RECORDING_H
#define TESTS_SCREEN_RECORDING_H

#include <stddef.h>
#include <stdint.h>

struct recording;

/* FOLDER/perf.data is written; the folder is there. Events: names, NULL at the end. */
struct recording *recording_new(const char *folder, const char *const *events);
/* Samples from here on are this thread's. */
void recording_thread(struct recording *r, int32_t pid, int32_t tid, const char *comm);
/* Functions that are named here first stand in FOLDER/NAME; a file has up to 128. */
void recording_module(struct recording *r, const char *name);
/* Functions from the outermost to where it fell. */
void recording_sample(struct recording *r, size_t event, const char *chain, uint64_t period);
/*
 * So many functions f000000, f000001 … of code made while the program ran, each called by run,
 * called by main, with one sample of event 0. The first has the greatest period. Their names stand
 * in /tmp/perf-PID.map, where JITs write them: it is the test's to remove.
 */
void recording_many(struct recording *r, size_t n);
void recording_lost(struct recording *r, uint64_t n);
/* Writes the end, and frees. */
void recording_close(struct recording *r);
/* Removes a folder of recordings. */
void recording_remove(const char *folder);

#endif
