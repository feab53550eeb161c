/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the fuzz targets of recordings have in common. */
#ifndef TESTS_FUZZ_READ_ALL_H
#define TESTS_FUZZ_READ_ALL_H

#include "data/read/reader.h"

/*
 * Walks over a recording, decodes every sample, and reads all that records and samples point to, so
 * that a sanitizer detects invalid pointers. Returns a sum of it, and the number of records.
 */
uint64_t read_all(struct data_file *f, uint64_t *ret_records);
/* Reads every feature, build-id, symbol and name. */
void read_features(struct data_file *f);

#endif
