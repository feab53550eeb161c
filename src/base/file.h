/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Small files of sysfs, /proc and tracefs, whose roots are parameters, for tests. */
#ifndef BASE_FILE_H
#define BASE_FILE_H

#include <stdarg.h>
#include <stddef.h>
#include <sys/types.h>
#include "base/buf.h"
#include "ptui/error.h"

struct roots {
	const char *sysfs;	 /* "/sys" */
	const char *proc;	 /* "/proc" */
	const char *tracefs;	 /* NULL: from the mounts file in `proc` */
	const char *buildid_dir; /* perf's build-id cache; NULL: ~/.debug */
};

extern const struct roots roots_system;

/*
 * Appends a whole file (of unknown size, at most `max_bytes`, else -EFBIG) to `out`. 0, or a
 * negative errno with `err` set.
 */
int file_read(const char *path, size_t max_bytes, struct buf *out, struct ptui_error *err);
/* The same, with a formatted path and without `err`. */
int file_readf(struct buf *out, size_t max_bytes, const char *fmt, ...) PTUI_PRINTF(3, 4);
int file_vreadf(struct buf *out, size_t max_bytes, const char *fmt, va_list ap) PTUI_PRINTF(3, 0);
/* Reads one number (decimal or 0x…). 0 or a negative errno (-EINVAL: not a number). */
int file_read_long(long long *ret_value, const char *fmt, ...) PTUI_PRINTF(2, 3);
/*
 * Opens the regular file `path` for reading as if `root` were the root directory: links and ".." do
 * not leave it. -EINVAL: not a regular file, which is not opened. An fd or a negative errno
 * (-ENOSYS: before Linux 5.6).
 */
int file_open_in_root(const char *root, const char *path);
/* Writes all n bytes, continuing after EINTR and short writes. 0 or a negative errno. */
int file_write_all(int fd, const void *bytes, size_t n);
/* Reads n bytes, or fewer at the end. The number of bytes or a negative errno. */
ssize_t file_read_full(int fd, void *bytes, size_t n);
ssize_t file_pread_full(int fd, void *bytes, size_t n, off_t off);

#endif
