/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * need WHAT... for shell tests: status 0 when the machine has all of it, 1 (skip) or 2 (required, so
 * a failure) when it has not; the reason is printed.
 */
#include <stdio.h>

#include "lib/need.h"

int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++) {
		const char *lack = lack_of(argv[i]);

		if (!lack)
			continue;
		if (is_required(argv[i])) {
			printf("PTUI_REQUIRE wants %s: %s\n", argv[i], lack);
			return 2;
		}
		puts(lack);
		return 1;
	}
	return 0;
}
