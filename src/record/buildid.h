/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Build-ids for synthesized maps, each file read once. Who can read ELF gives the function; the
 * kernel's and its modules' notes are read here, from sysfs.
 */
#ifndef RECORD_BUILDID_H
#define RECORD_BUILDID_H

#include <stdint.h>
#include "base/file.h"
#include "base/hash.h"
#include "data/data.h"

/* Stores the build-id of the ELF file `path`, returns its bytes; 0: it has none or is no ELF. */
typedef int (*buildid_fn)(void *ctx, const char *path, uint8_t id[DATA_BUILD_ID_MAX]);

struct buildid_entry {
	uint64_t dev, ino;
	uint8_t bytes; /* 0: none */
	uint8_t id[DATA_BUILD_ID_MAX];
};

struct buildids {
	const struct roots *roots;
	buildid_fn fn; /* NULL: maps of files get none */
	void *ctx;
	bool off; /* nothing gets one */
	struct buildid_entry *v; /* what was asked, failures too */
	size_t n, cap;
	struct index_table index;
};

void buildids_init(struct buildids *b, const struct roots *roots, buildid_fn fn, void *ctx);
void buildids_release(struct buildids *b);

/*
 * For a map of process m->pid: fills m->build_id when the file at m->path still is the one that
 * is mapped (by its inode); looked for in the process's own root as well.
 */
void buildids_of_map(struct buildids *b, struct data_mmap *m);

/* The kernel's own (module NULL) or a module's. Fills m->build_id when there is one. */
void buildids_of_kernel(struct buildids *b, const char *module, struct data_mmap *m);

#endif
