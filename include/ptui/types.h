/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Types used by all public headers. */
#ifndef PTUI_TYPES_H
#define PTUI_TYPES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* printf-like format checks. */
#define PTUI_PRINTF(fmt, args) __attribute__((format(printf, fmt, args)))

/* The "none" value of all 32-bit indices. */
#define PTUI_NONE UINT32_MAX

/*
 * Progress of a long task. `done` and `total` are in a unit of the task (bytes, files); total 0:
 * unknown. Called from the working thread, at most a few times a second. A nonzero return value
 * cancels the task, which then fails with -ECANCELED.
 */
typedef int (*ptui_progress_fn)(void *ctx, const char *what, uint64_t done, uint64_t total);

/*
 * Source of kernel symbols. All zero: a vmlinux file with the build-id of the recorded kernel, then
 * /proc/kallsyms. Strings are borrowed.
 */
struct ptui_kernel_symbols {
	const char *kallsyms; /* use only this copy of /proc/kallsyms; NULL: not given */
	const char *vmlinux;  /* use only this ELF file; kallsyms takes precedence */
	bool ignore_vmlinux;  /* never use a vmlinux file, not even a given one */
	bool no_modules;      /* no symbols of kernel modules */
};

#ifdef __cplusplus
}
#endif

/*
 * Types of the records in a recording (PERF_RECORD_*) are below. When records are counted, those of
 * simpleperf, whose types start at 32768, are from PTUI_RECORD_SIMPLEPERF on.
 */
#define PTUI_RECORD_TYPES      128
#define PTUI_RECORD_SIMPLEPERF 112

/* Records of types that this version does not know; of more types than this, only their sum is counted. */
#define PTUI_UNKNOWN_TYPES 8
struct ptui_unknown_type {
	uint32_t type;
	uint64_t records; /* 0: unused, like those that follow */
};

#endif
