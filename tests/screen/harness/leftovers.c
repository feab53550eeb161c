/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Probes of a test that was killed: Setup would show them in the tests that follow. */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "event/probe_owner.h"
#include "screen/harness/leftovers.h"

#define LIST "/sys/kernel/tracing/uprobe_events"

bool leftovers_line(const char *line, char *ret, size_t size)
{
	char group[64], name[64];
	struct probe_owner owner;
	int path = 0;

	if (sscanf(line, "%*[pr]:%63[^/]/%63s %n", group, name, &path) != 2 || !path ||
	    strncmp(line + path, LEFTOVERS_PATH, strlen(LEFTOVERS_PATH)) ||
	    !probe_owner_parse(group, &owner) || !probe_owner_has_ended(&roots_system, &owner))
		return false;
	return snprintf(ret, size, "-:%s/%s\n", group, name) < (int)size;
}

void leftovers_remove(void)
{
	FILE *list = fopen(LIST, "re");
	int fd = list ? open(LIST, O_WRONLY | O_APPEND | O_CLOEXEC) : -1;
	char line[8192], remove[160];

	while (fd >= 0 && fgets(line, sizeof(line), list))
		if (leftovers_line(line, remove, sizeof(remove)) &&
		    write(fd, remove, strlen(remove)) < 0)
			perror(LIST); /* another test was faster */
	if (fd >= 0)
		close(fd);
	if (list)
		fclose(list);
}
