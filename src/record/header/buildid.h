/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Build-ids of mapped files. A file is read only if it is the mapped one: device, inode and, where
 * the file system tells it, generation are those of the map. Each file is read once, until it changes.
 * The notes of the kernel and its modules are read here, from sysfs.
 *
 * buildid_fn, given by who can read ELF, reads the notes of one file.
 */
#ifndef RECORD_HEADER_BUILDID_H
#define RECORD_HEADER_BUILDID_H

#include <pthread.h>
#include <stdint.h>
#include <sys/stat.h>
#include "base/file.h"
#include "base/hash.h"
#include "data/data.h"

/* Stores the build-id of the ELF file `path`, returns its bytes; 0: it has none or is no ELF. */
typedef int (*buildid_fn)(void *ctx, const char *path, uint8_t id[DATA_BUILD_ID_MAX]);

struct buildid_entry {
	uint64_t dev, ino;	 /* as stat() has them */
	uint64_t map_dev;	 /* as the maps have it */
	uint64_t generation;	 /* 0: the file system does not tell it */
	struct timespec changed; /* st_ctim, when the notes were read */
	uint8_t bytes;		 /* 0: none */
	uint8_t id[DATA_BUILD_ID_MAX];
};

struct buildids {
	const struct roots *roots;
	buildid_fn fn; /* NULL: maps of files get none */
	void *ctx;
	size_t max_entries;	 /* 0: any number; else all are forgotten when there are more */
	pthread_mutex_t lock;	 /* of what follows */
	struct buildid_entry *v; /* files that have been read, also those without a build-id */
	size_t n, cap;
	struct index_table index;
};

void buildids_init(struct buildids *b, const struct roots *roots, buildid_fn fn, void *ctx);
void buildids_release(struct buildids *b);

/*
 * For a map of process m->pid: sets m->build_id when the file at m->path, in our root or in that of
 * the process, still is the mapped one. May be called by several threads. Returns false if the
 * mapped file cannot be found, so that its build-id, if it has one, is unknown.
 */
bool buildids_of_map(struct buildids *b, struct data_mmap *m);

/* The kernel's own (module NULL) or a module's. Fills m->build_id when there is one. */
void buildids_of_kernel(struct buildids *b, const char *module, struct data_mmap *m);

#endif
