/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "lib/need.h"

static char reason[256];

static bool can_open(uint32_t type, uint64_t config)
{
	struct perf_event_attr attr = {
		.type = type,
		.size = PERF_ATTR_SIZE_VER0,
		.config = config,
		.disabled = 1,
		.exclude_kernel = 1,
		.exclude_hv = 1,
	};
	long fd = syscall(SYS_perf_event_open, &attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);

	if (fd >= 0)
		close((int)fd);
	return fd >= 0;
}

static const char *lack_of_perf(void)
{
	if (system("perf --version >/dev/null 2>&1"))
		return "the perf tool is not installed";
	if (can_open(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK))
		return NULL;
	snprintf(reason, sizeof(reason), "perf events are not allowed here (%s)", strerror(errno));
	return reason;
}

static const char *lack_of_root(void)
{
	return geteuid() ? "not root" : NULL;
}

static const char *lack_of_tracefs(void)
{
	static const char events[] = "/sys/kernel/tracing/events";

	if (access(events, R_OK | X_OK) && errno == ENOENT && !geteuid())
		mount("tracefs", "/sys/kernel/tracing", "tracefs", 0, NULL);
	if (!access(events, R_OK | X_OK))
		return NULL;
	snprintf(reason, sizeof(reason), "cannot read %s (%s)", events, strerror(errno));
	return reason;
}

static const char *lack_of_pmu(void)
{
	if (can_open(PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES))
		return NULL;
	snprintf(reason, sizeof(reason), "cycles cannot be opened here (%s)", strerror(errno));
	return reason;
}

static const struct {
	const char *what;
	const char *(*lack)(void);
} needs[] = {
	{ "perf", lack_of_perf },
	{ "pmu", lack_of_pmu },
	{ "root", lack_of_root },
	{ "tracefs", lack_of_tracefs },
};

const char *lack_of(const char *what)
{
	for (size_t i = 0; i < sizeof(needs) / sizeof(needs[0]); i++) {
		if (!strcmp(needs[i].what, what))
			return needs[i].lack();
	}
	fprintf(stderr, "tests/lib/need: no such need: %s\n", what);
	abort();
}

bool is_required(const char *what)
{
	const char *list = getenv("PTUI_REQUIRE");
	size_t len = strlen(what);

	while (list && *list) {
		size_t word = strcspn(list, ",");

		if (word == len && !strncmp(list, what, len))
			return true;
		list += word + (list[word] == ',');
	}
	return false;
}
