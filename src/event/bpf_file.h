/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A BPF object file in a selector, and the events that its programs are attached to:
 *
 *	SEC("sched:sched_switch")  SEC("tp/sched/sched_switch")		tracepoint
 *	SEC("NAME=FUNC+OFF")  SEC("kprobe/FUNC")  SEC("kretprobe/FUNC")	probe in the kernel
 *	SEC("exec=FILE;NAME=FUNC")  SEC("uprobe/FILE:FUNC")		probe in a program
 *	SEC("module=NAME;NAME=FUNC")					probe in a kernel module
 *
 * The program decides: the kernel makes a sample when it returns something else than 0. Parsing opens the
 * file only; the record room makes the probes, loads the programs (record/bpf_load.h) and fills the maps.
 */
#ifndef EVENT_BPF_FILE_H
#define EVENT_BPF_FILE_H

#include "event/event.h"

/* The group of these probes in names of events, as in perf. */
#define BPF_PROBE_GROUP "perf_bpf_probe"

struct bpf_object;
struct bpf_program;

/* map:MAP.event=EVENT */
struct bpf_map_term {
	char *map, *event;
};

/* Shared by its events. */
struct bpf_file {
	struct bpf_object *object; /* libbpf's */
	char *path;
	struct bpf_map_term *terms;
	size_t n_terms, cap_terms;
	unsigned int refs;
	bool loaded;
};

struct event_bpf {
	struct bpf_file *file;
	struct bpf_program *program; /* libbpf's */
	char *probe;		     /* definition of a probe; NULL: a tracepoint */
	char *exec, *module;	     /* where the probe is; both NULL: the kernel */
	int fd;			     /* of the loaded program; -1: not loaded */
};

void event_bpf_free(struct event_bpf *b); /* NULL ok */

/* libbpf's first warning in this thread since bpf_begin_warnings(), or "". */
void bpf_begin_warnings(void);
const char *bpf_first_warning(void);

#endif
