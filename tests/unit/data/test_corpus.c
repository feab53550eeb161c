/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The corpus of the fuzz target: each input as it is, truncated at every byte, and with bits flipped:
 * two of every byte, others each day (PTUI_FLIP=N: as on day N; all in four days). For sanitizer
 * builds.
 */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "lib/need.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define INPUT_BYTES_MAX ((size_t)1 << 16)

static void run(const uint8_t *bytes, size_t n)
{
	uint8_t *exact = malloc(n + !n); /* of exact size, for sanitizers */

	assert_non_null(exact);
	memcpy(exact, bytes, n);
	LLVMFuzzerTestOneInput(exact, n);
	free(exact);
}

static void run_variants(uint8_t *bytes, size_t n, unsigned day)
{
	for (size_t i = 0; i <= n; i++)
		run(bytes, i);
	for (size_t i = 0; i < n; i++)
		for (unsigned bit = day % 4; bit < 8; bit += 4) {
			bytes[i] ^= (uint8_t)(1u << bit);
			run(bytes, n);
			bytes[i] ^= (uint8_t)(1u << bit);
		}
}

static void corpus(void **state)
{
	const char *top = getenv("top_srcdir"), *flip = getenv("PTUI_FLIP");
	unsigned day = flip ? (unsigned)atoi(flip) : (unsigned)(time(NULL) / 86400);
	static uint8_t bytes[INPUT_BYTES_MAX];
	char folder[4096], path[8192];
	struct dirent *de;
	unsigned inputs = 0;
	DIR *dir;

	(void)state;
	print_message("bits as with PTUI_FLIP=%u\n", day % 4);
	snprintf(folder, sizeof(folder), "%s/tests/fuzz/corpus/data", top ? top : ".");
	dir = opendir(folder);
	if (!dir)
		fail_msg("cannot open %s", folder);
	while ((de = readdir(dir))) {
		FILE *file;
		size_t n;

		if (de->d_name[0] == '.')
			continue;
		snprintf(path, sizeof(path), "%s/%s", folder, de->d_name);
		file = fopen(path, "rb");
		assert_non_null(file);
		n = fread(bytes, 1, sizeof(bytes), file);
		fclose(file);
		run_variants(bytes, n, day);
		inputs++;
	}
	closedir(dir);
	assert_true(inputs >= 4);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(corpus),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
