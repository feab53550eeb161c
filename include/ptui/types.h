/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Plain types that every other header of the contract may use.
 */
#ifndef PTUI_TYPES_H
#define PTUI_TYPES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* printf-like checking for our own functions. */
#define PTUI_PRINTF(fmt, args) __attribute__((format(printf, fmt, args)))

/* An id that stands for "none" in every 32-bit index of ptui. */
#define PTUI_NONE UINT32_MAX

/*
 * Progress of a long task. `done` and `total` are in the task's own unit (bytes, files);
 * total 0: not known. Called from the thread that does the work, some times a second at
 * most. A return value other than 0 cancels the task, which then ends with -ECANCELED.
 */
typedef int (*ptui_progress_fn)(void *ctx, const char *what, uint64_t done, uint64_t total);

/*
 * Where kernel symbols come from. All zero: a vmlinux file with the build-id of the recorded kernel,
 * then /proc/kallsyms.
 */
struct ptui_kernel_symbols {
	const char *kallsyms; /* only this copy of /proc/kallsyms; NULL: not given */
	const char *vmlinux;  /* only this ELF file; kallsyms wins when both are given */
	bool ignore_vmlinux;  /* never a vmlinux file, not even the one that is given */
	bool no_modules;      /* no symbols of kernel modules */
};

#ifdef __cplusplus
}
#endif
#endif
