/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What was there before the recording began, told as records: the kernel and its modules, the
 * processes, their threads and executable maps. They bear time 0: the base layer under the
 * timed records of the rings. Everything is read under roots; nothing of it is sampled.
 */
#ifndef RECORD_HEADER_SYNTH_H
#define RECORD_HEADER_SYNTH_H

#include "data/write/writer.h"
#include "kernel/ops.h"
#include "record/header/buildid.h"

struct bpf_programs;

struct synth {
	const struct roots *roots;
	const char *modules_dir;	    /* NULL: /lib/modules/<release of the kernel> */
	const struct perf_event_attr *attr; /* whose id trailer the records have */
	struct buildids *buildids;	    /* NULL: maps get no build-ids */
	struct buf *out;
	bool no_maps;	 /* of processes */
	bool namespaces; /* of threads */
	bool data_maps;	 /* those of data as well */
	unsigned
		threads; /* that read at once; 0: one for each CPU, at most 4; how many there were */
	struct bpf_programs *bpf;     /* takes the loaded programs; NULL: no BPF_EVENT records */
	const struct kernel_ops *ops; /* whose clock bounds the reading of maps, or NULL */
	uint64_t maps_limit_ns;	      /* for those of one process */
	uint64_t n_gone;	      /* processes that ended while they were read */
	uint64_t n_late;	      /* whose maps took too long: what was read of them is told */
};

/*
 * The kernel's text, and modules when there are. Hidden addresses (kptr_restrict) give none,
 * -ENOENT. Else 0 or -ENOMEM.
 */
int synth_kernel(struct synth *s);

/*
 * The functions of loaded BPF programs, and the programs; `samples_kernel`: also what only /proc/kallsyms
 * names. s->ops is needed. 0 or -ENOMEM.
 */
int synth_bpf(struct synth *s, bool samples_kernel);

/* Every cgroup that there is, with the number that samples have of it. None mounted: none. */
int synth_cgroups(struct synth *s);

/* COMM of one thread (and its namespaces), as far as it still lives. */
int synth_comm(struct synth *s, pid_t pid, pid_t tid);

/* A process: COMM of every thread and the executable maps; `with_forks`: FORK before each COMM. */
int synth_process(struct synth *s, pid_t pid, bool with_forks);

/* These, by several threads: the records are in their order, whatever the number of threads. */
int synth_processes(struct synth *s, const pid_t *pids, size_t n, bool with_forks);

/* All of them. */
int synth_system(struct synth *s, struct ptui_error *err);

#endif
