/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Allocation failures: a scenario runs in a child process again and again, and each time another one of
 * ptui's allocations fails, alone or with all that follow. It must end as if nothing had happened, with
 * less than usual, or with an error and its sentence; never with a crash, a hang or a leak.
 *
 * Only calls from what is linked into the test fail (the linker's --wrap), not those inside libraries.
 */
#ifndef TESTS_FAULT_ALLOC_H
#define TESTS_FAULT_ALLOC_H

#include <stdbool.h>
#include "ptui/error.h"

struct alloc_scenario {
	const char *name;
	/* In the child, before any allocation fails. */
	void (*prepare)(void *ctx);
	/* 0, or an error with its sentence in err; a positive exit status has printed it to stderr. */
	int (*run)(void *ctx, struct ptui_error *err);
	/* After the last failure: releases everything. */
	void (*finish)(void *ctx);
	void *ctx;
};

/* The allocations of `run` fail, at most `most` trials. Fails the test with the trials that went wrong. */
void alloc_trials(const struct alloc_scenario *s, unsigned most);

/* In `run`: what the scenario does itself from here on does not fail, and is not counted. */
void alloc_pause(void);
void alloc_resume(void);

#endif
