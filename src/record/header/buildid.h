/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Build-ids of mapped files. A file is read only if it is the mapped one: same device, inode and,
 * if the file system supports it, generation. Each file is read once, until it changes. Where the kernel
 * still has a file that was deleted is in /proc/PID. Notes of the kernel and its modules are read from sysfs.
 *
 * buildid_fn reads the notes of one ELF file.
 */
#ifndef RECORD_HEADER_BUILDID_H
#define RECORD_HEADER_BUILDID_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include "base/file.h"
#include "base/hash.h"
#include "data/data.h"

/*
 * Stores the build-id of the ELF file `path` and returns its length; 0: no build-id, or no ELF
 * file.
 */
typedef int (*buildid_fn)(void *ctx, const char *path, uint8_t id[DATA_BUILD_ID_MAX]);

struct buildid_entry {
	uint64_t dev, ino;	 /* as of stat() */
	uint64_t map_dev;	 /* as in the map */
	uint64_t generation;	 /* 0: unknown */
	struct timespec changed; /* st_ctim when the notes were read */
	uint8_t bytes;		 /* 0: none */
	uint8_t id[DATA_BUILD_ID_MAX];
};

struct buildids {
	const struct roots *roots;
	buildid_fn fn; /* NULL: files get no build-ids */
	void *ctx;
	size_t max_entries;	 /* 0: unlimited; else the cache is emptied when it is full */
	pthread_mutex_t lock;	 /* of all below */
	struct buildid_entry *v; /* files that were read, including those without a build-id */
	size_t n, cap;
	struct index_table index;
};

void buildids_init(struct buildids *b, const struct roots *roots, buildid_fn fn, void *ctx);
void buildids_release(struct buildids *b);

/*
 * Sets m->build_id for a map of process m->pid if the file at m->path, below our root or the
 * process's, or the one that the process still has, is the mapped one. Thread-safe. Returns false if the mapped file cannot be
 * found, so that its build-id is unknown. *ret_changed (may be NULL): st_ctim of a file that was
 * found, else zeros.
 */
bool buildids_of_map(struct buildids *b, struct data_mmap *m, struct timespec *ret_changed);

/* Sets m->build_id for the kernel (module NULL) or a module, if it has one. */
void buildids_of_kernel(struct buildids *b, const char *module, struct data_mmap *m);

#endif
