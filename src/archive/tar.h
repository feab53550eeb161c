/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The tar format (POSIX ustar with pax headers), as far as archives need it: regular files and symbolic
 * links. Packed with zstd.
 */
#ifndef ARCHIVE_TAR_H
#define ARCHIVE_TAR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* ---- writing; 0 or a negative errno ---- */

struct tar_writer;

struct tar_writer *tar_writer_new(int fd, bool packed); /* NULL: no memory */
void tar_writer_free(struct tar_writer *w);		/* NULL ok */
/* `size` bytes from `fd`; -ESTALE: it has fewer. */
int tar_put_file(struct tar_writer *w, const char *name, int fd, uint64_t size, mode_t mode);
int tar_put_link(struct tar_writer *w, const char *name, const char *target);
int tar_finish(struct tar_writer *w);

/* ---- reading ---- */

struct tar_reader;

enum tar_kind {
	TAR_FILE,
	TAR_LINK,
	TAR_FOLDER,
	TAR_OTHER,
};

/* Valid until the next call. */
struct tar_entry {
	enum tar_kind kind;
	const char *name, *target;
	uint64_t size;
	mode_t mode;
};

struct tar_reader *tar_reader_new(int fd, bool packed);
void tar_reader_free(struct tar_reader *r); /* NULL ok */
/* 0: *ret is the next entry. 1: the end. -EBADMSG: damaged; or another negative errno. */
int tar_next(struct tar_reader *r, struct tar_entry *ret);
/* Bytes of the current file; 0: its end. */
ssize_t tar_read(struct tar_reader *r, void *bytes, size_t n);

#endif
