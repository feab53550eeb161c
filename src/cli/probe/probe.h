/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The options of `ptui probe`. */
#ifndef CLI_PROBE_H
#define CLI_PROBE_H

#include "cli/option.h"

/* Where probes are set. All NULL: the running kernel. */
struct probe_target {
	const char *exec;   /* -x */
	const char *module; /* -m: name, or path of its file */
};

/* One -a, -D, -d, -l, -V, -L or -F with the target that was given before it. */
struct probe_request {
	char kind; /* its letter */
	const char *text;
	struct probe_target target;
};

struct probe_command {
	struct probe_request *requests;
	size_t n_requests, cap_requests;
	struct probe_target target; /* the last one */
	const char *vmlinux, *source, *symfs, *filter;
	uint64_t max_probes, namespace_pid;
	bool force, dry_run, no_inlines, externals, ranges, demangle, demangle_kernel;
	bool verbose, quiet, bootconfig;
};

extern const struct option probe_options[];

#endif
