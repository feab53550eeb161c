/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Synthesized records of the state before the recording: the kernel and its modules, processes,
 * threads and executable maps. Their time is 0, before all records of the rings. Everything is read
 * under roots.
 */
#ifndef RECORD_HEADER_SYNTH_H
#define RECORD_HEADER_SYNTH_H

#include "data/write/writer.h"
#include "kernel/ops.h"
#include "record/header/buildid.h"

struct bpf_programs;

struct synth {
	const struct roots *roots;
	const char *modules_dir;	    /* NULL: /lib/modules/<kernel release> */
	const struct perf_event_attr *attr; /* of the event whose id trailer the records get */
	struct buildids *buildids;	    /* NULL: maps get no build-ids */
	struct buf *out;
	bool no_maps;	  /* of processes */
	bool namespaces;  /* of threads */
	bool data_maps;	  /* also data maps */
	unsigned threads; /* reading in parallel; 0: one per CPU, at most 4; then the number used */
	struct bpf_programs *bpf;     /* collects the loaded programs; NULL: no BPF_EVENT records */
	const struct kernel_ops *ops; /* its clock limits the reading of maps; may be NULL */
	uint64_t maps_limit_ns;	      /* per process */
	uint64_t n_gone;	      /* processes that exited while being read */
	uint64_t n_late;	      /* processes whose maps are incomplete (time limit) */
};

/*
 * The kernel's text and modules. -ENOENT if addresses are hidden (kptr_restrict), else 0 or
 * -ENOMEM.
 */
int synth_kernel(struct synth *s);

/*
 * The functions of loaded BPF programs, and the programs; `samples_kernel`: also what only
 * /proc/kallsyms names. Requires s->ops. 0 or -ENOMEM.
 */
int synth_bpf(struct synth *s, bool samples_kernel);

/* All cgroups, with their ids as in samples; nothing if none are mounted. */
int synth_cgroups(struct synth *s);

/* COMM of one thread (and its namespaces), if it still exists. */
int synth_comm(struct synth *s, pid_t pid, pid_t tid);

/* A process: COMM of every thread and its maps; `with_forks`: FORK before each COMM. */
int synth_process(struct synth *s, pid_t pid, bool with_forks);

/* The same for many processes, by several threads; the records are in the order of `pids`. */
int synth_processes(struct synth *s, const pid_t *pids, size_t n, bool with_forks);

/* All processes. */
int synth_system(struct synth *s, struct ptui_error *err);

#endif
