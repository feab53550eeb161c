/* SPDX-License-Identifier: GPL-2.0-or-later */
/* main calls qsort, which calls back, which calls snprintf: through a libc without frame pointers. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int compare(const void *a, const void *b)
{
	char x[32], y[32];

	snprintf(x, sizeof(x), "%d", *(const int *)a);
	snprintf(y, sizeof(y), "%d", *(const int *)b);
	return strcmp(x, y);
}

int main(int argc, char **argv)
{
	static int v[2000];
	int rounds = argc > 1 ? atoi(argv[1]) : 60;

	for (int round = 0; round < rounds; round++) {
		for (int i = 0; i < 2000; i++)
			v[i] = (i * 7919 + round) % 2000;
		qsort(v, 2000, sizeof(v[0]), compare);
	}
	return v[0] == 1;
}
