/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Any bytes from a pipe, which is followed as Live does. No crash, no hang; the last profile has as
 * many samples as were counted.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include "ptui/live.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define PIPE_BYTES 65536

static void check(struct ptui_live *l)
{
	struct ptui_live_profile_info info = { 0 };
	struct ptui_profile *p = ptui_live_profile(l, &info);
	uint64_t samples = 0;

	for (size_t i = 0; p && i < ptui_profile_n_events(p); i++)
		samples += ptui_profile_event(p, i)->samples;
	/* with the counts of a group, one sample is several rows or none */
	if (p && !samples && info.first_ns)
		abort();
	ptui_profile_unref(p);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct ptui_error err = PTUI_ERROR_INIT;
	struct ptui_live *l;
	char path[64];
	int ends[2];

	if (size > PIPE_BYTES)
		return 0;
	if (pipe(ends) || write(ends[1], data, size) != (ssize_t)size)
		abort();
	close(ends[1]);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", ends[0]);
	l = ptui_live_new_pipe(path, NULL, NULL, &err);
	if (!l)
		abort();
	if (ptui_live_start(l, &err) == 0) {
		ptui_live_join(l, &err);
		check(l);
	} else if (!ptui_error_is_set(&err)) {
		abort();
	}
	ptui_live_free(l);
	close(ends[0]);
	return 0;
}
