/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Any bytes as a perf.data file: opened, walked twice, with every sample decoded and every feature
 * read. Looks for crashes, hangs, and differences between the two walks.
 */
#include <stdint.h>
#include <stdlib.h>
#include "fuzz/read_all.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct data_file *f = data_open_memory(data, size, NULL, NULL);
	uint64_t records[2];

	if (!f)
		return 0;
	read_features(f);
	read_all(f, &records[0]); /* may bring events that the second finds there */
	read_all(f, &records[1]);
	if (records[1] > records[0] && !data_is_pipe(f))
		abort();
	read_features(f);
	data_close(f);
	return 0;
}
