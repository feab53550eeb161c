/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * `ptui` alone in a directory of its own, from Setup on, and what it recorded there.
 *
 *	scene_open -> scene_command (or "p", "a") -> scene_record -> … -> scene_ended -> scene_check_file
 */
#ifndef TESTS_SCREEN_SCENE_H
#define TESTS_SCREEN_SCENE_H

#include "screen/harness/screen.h"

struct scene {
	char folder[64];
	struct screen *screen;	/* NULL: none is open */
	int rows, cols;		/* before scene_open(); 0: 24, 80 */
	const char *locale;	/* NULL: as screen_start() has it */
	const char *const *env; /* more of them, two at most; NULL: none */
};

/* For cmocka: creates one, and removes it with all files and processes. */
int scene_set_up(void **state);
int scene_tear_down(void **state);

/* Starts the program, and waits for Setup. */
struct screen *scene_open(struct scene *s);
/* The same with arguments (NULL-terminated); does not wait. */
struct screen *scene_start(struct scene *s, const char *const *words);

/* In Setup: sets the command. The line must not contain text like a named key. */
void scene_command(struct scene *s, const char *line);
/* In Setup: these events, with commas. */
void scene_events(struct scene *s, const char *events);
void scene_process(struct scene *s, pid_t pid);
/* From Setup to Live; waits for samples. */
void scene_record(struct scene *s);
void scene_await_samples(struct scene *s);

/* The number after "samples" on the screen; -1: not shown. */
long scene_samples(struct screen *s);
/* Elapsed seconds on the screen; -1: not shown. */
int scene_seconds(struct screen *s);

/* The program has ended with this status (by this signal), and the terminal is as it was. */
void scene_ended(struct scene *s, int status);
void scene_ended_by(struct scene *s, int sig);

/* perf and ptui can read the file (in the directory), with at least `samples` samples. */
void scene_check_file(struct scene *s, const char *name, long samples);

/* The contents of a file in the directory; waits for a line. Valid until the next call. */
const char *scene_text(struct scene *s, const char *name);
/* Of a line with a number. */
pid_t scene_pid(struct scene *s, const char *name);
bool scene_has(struct scene *s, const char *name);

/* A process that keeps a CPU busy, for at most a minute; ours to end. */
pid_t scene_busy(void);
/* Waits until the process is gone; not only for children. */
void scene_await_gone(pid_t pid);
bool scene_lives(pid_t pid);

#endif
