/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Makes a recording from text, with the ELF files of its functions, for screens that look the same
 * on every machine: events, threads, callchains such as "main;run;parse" become a perf.data and ELF
 * files next to it. Each call fails the test on errors.
 */
#ifndef TESTS_SCREEN_RECORDING_H
#define TESTS_SCREEN_RECORDING_H

#include <stddef.h>
#include <stdint.h>

struct recording;

/* Writes FOLDER/perf.data; the directory must exist. Events: names, NULL-terminated. */
struct recording *recording_new(const char *folder, const char *const *events);
/*
 * With branch stacks: each sample has this branch twice, with these cycles. Its addresses are those in the
 * program of recording_program().
 */
struct recording *recording_new_branches(const char *folder, const char *const *events,
					 uint64_t from, uint64_t to, unsigned cycles);
/* Samples from here on are this thread's. */
void recording_thread(struct recording *r, int32_t pid, int32_t tid, const char *comm);
/* Functions named for the first time from now on are in FOLDER/NAME; a file has up to 128. */
void recording_module(struct recording *r, const char *name);
/* Functions from the outermost to the sampled one. */
void recording_sample(struct recording *r, size_t event, const char *chain, uint64_t period);
/*
 * FOLDER/annotate_work (annotate_work.c), with its source and debug information: a program with real
 * code, which is assembled. NULL, or why it cannot be made here. Samples of it are at addresses in
 * the program, without callers.
 */
const char *recording_program(struct recording *r);
void recording_at(struct recording *r, size_t event, uint64_t addr, uint64_t period);
/*
 * Functions f000000, f000001 … of JIT code, each called by run, called by main, with one sample of
 * event 0. The first has the largest period. Their names are in /tmp/perf-PID.map, which the test
 * must remove.
 */
void recording_many(struct recording *r, size_t n);
void recording_lost(struct recording *r, uint64_t n);
/* Writes the end, and frees. */
void recording_close(struct recording *r);
/* Removes a folder of recordings. */
void recording_remove(const char *folder);

#endif
