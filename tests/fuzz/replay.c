/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Passes the named files (or all files of directories) to a fuzz target, for builds without
 * libFuzzer. With libFuzzer, omit this file:
 *
 *	clang -fsanitize=fuzzer,address ... tests/fuzz/fuzz_selector.c tests/unit/event/tree.c
 */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int replay_file(const char *path)
{
	FILE *file = fopen(path, "rb");
	uint8_t *data = NULL;
	struct stat st;
	int ret = -1;

	if (!file || fstat(fileno(file), &st))
		goto out;
	/* exactly the file's size, to detect overruns */
	data = malloc(st.st_size ? (size_t)st.st_size : 1);
	if (!data || fread(data, 1, (size_t)st.st_size, file) != (size_t)st.st_size)
		goto out;
	printf("# %s\n", path);
	fflush(stdout);
	LLVMFuzzerTestOneInput(data, (size_t)st.st_size);
	ret = 0;
out:
	if (ret)
		perror(path);
	free(data);
	if (file)
		fclose(file);
	return ret;
}

/* How many were replayed, or -1. */
static int replay(const char *path)
{
	struct dirent **items;
	struct stat st;
	int n, count = 0;

	if (stat(path, &st)) {
		perror(path);
		return -1;
	}
	if (!S_ISDIR(st.st_mode))
		return replay_file(path) ? -1 : 1;
	n = scandir(path, &items, NULL, alphasort);
	if (n < 0) {
		perror(path);
		return -1;
	}
	for (int i = 0; i < n; i++) {
		char file[4096];

		snprintf(file, sizeof(file), "%s/%s", path, items[i]->d_name);
		if (count >= 0 && items[i]->d_name[0] != '.')
			count = replay_file(file) ? -1 : count + 1;
		free(items[i]);
	}
	free(items);
	return count;
}

int main(int argc, char **argv)
{
	int total = 0;

	for (int i = 1; i < argc; i++) {
		int n = replay(argv[i]);

		if (n < 0)
			return 1;
		total += n;
	}
	printf("# %d inputs\n", total);
	return total ? 0 : 1;
}
