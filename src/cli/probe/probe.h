/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Shared by the files of `ptui probe`.
 *
 *	probe.c		the command; -V, -L and -F
 *	probe_options.c	its options
 *	probe_target.c	the file or kernel of a request
 *	probe_add.c	-a and -D
 *	probe_list.c	-d and -l
 */
#ifndef CLI_PROBE_H
#define CLI_PROBE_H

#include "cli/command.h"
#include "cli/option.h"
#include "probe/event.h"

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

struct probe_run {
	const struct cli *cli;
	const struct probe_command *c;
	struct arena mem;
	struct probe_binary *binary; /* of `target` */
	struct probe_target target;
	const char *module; /* its name in definitions; NULL: none */
	struct buf out;	    /* to stdout */
	struct buf note;    /* to stderr */
};

/* ---- probe_target.c ---- */
/* Opens the target; once for several requests. 0, or a negative errno with `err` set. */
int probe_use_target(struct probe_run *r, const struct probe_target *t, struct ptui_error *err);
struct probe_find_opts probe_find_opts(struct probe_run *r);

/* ---- probe_add.c: 0, or a negative errno with `err` set ---- */
int probe_print_definition(struct probe_run *r, const struct probe_request *q,
			   struct ptui_error *err);
/* All definitions of the command. */
int probe_add_all(struct probe_run *r, struct ptui_error *err);
/* "  probe_bash:readline  (on readline in /usr/bin/bash with prompt)" */
void probe_describe(struct buf *out, const struct probe_event *e, const struct probe_point *point,
		    const struct probe_arg *args, size_t n_args);

/* ---- probe_list.c: 0, or a negative errno with `err` set ---- */
int probe_delete(struct probe_run *r, const struct probe_request *q, struct ptui_error *err);
int probe_list(struct probe_run *r, const struct probe_request *q, struct ptui_error *err);

#endif
