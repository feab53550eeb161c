/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Small files of sysfs, /proc and tracefs, and the roots they are read under. The roots are
 * handed in, so that a test brings a made tree and the rest of the house never names /sys.
 */
#ifndef BASE_FILE_H
#define BASE_FILE_H

#include <stddef.h>
#include <sys/types.h>
#include "base/buf.h"
#include "ptui/error.h"

struct roots {
	const char *sysfs;	 /* "/sys" */
	const char *proc;	 /* "/proc" */
	const char *tracefs;	 /* NULL: where the mounts file of `proc` says */
	const char *buildid_dir; /* perf's cache; NULL: ~/.debug */
};

extern const struct roots roots_system;

/*
 * Reads a whole file (of unknown size, at most `max_bytes`, -EFBIG above) into `out`
 * (appended). 0 or a negative errno, told in err.
 */
int file_read(const char *path, size_t max_bytes, struct buf *out, struct ptui_error *err);
/* The same, path made by a format. */
int file_readf(struct buf *out, size_t max_bytes, const char *fmt, ...) PTUI_PRINTF(3, 4);
/* One number (decimal or 0x…). 0 or a negative errno (-EINVAL: no number). */
int file_read_long(const char *path, long long *ret_value);
/*
 * Opens the regular file `path` for reading, as a process whose root directory is `root` finds it: links
 * and ".." do not lead out of it. Anything else than a regular file is -EINVAL, and not opened. An fd or
 * a negative errno (-ENOSYS: before Linux 5.6).
 */
int file_open_in_root(const char *root, const char *path);
/* Writes all n bytes, going on after EINTR and short writes. 0 or a negative errno. */
int file_write_all(int fd, const void *bytes, size_t n);
/* Reads until n bytes, the end or an error: bytes read or a negative errno. */
ssize_t file_read_full(int fd, void *bytes, size_t n);
ssize_t file_pread_full(int fd, void *bytes, size_t n, off_t off);

#endif
