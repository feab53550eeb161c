/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What was there before the recording began, told as records: the kernel and its modules, the
 * processes, their threads and executable maps. They bear time 0: the base layer under the
 * timed records of the rings. Everything is read under roots; nothing of it is sampled.
 */
#ifndef RECORD_SYNTH_H
#define RECORD_SYNTH_H

#include "record/buildid.h"
#include "data/writer.h"

struct synth {
	const struct roots *roots;
	const char *modules_dir; /* NULL: /lib/modules/<release of the kernel> */
	const struct perf_event_attr *attr; /* whose id trailer the records have */
	struct buildids *buildids;
	struct buf *out;
	bool no_maps;	 /* of processes */
	bool namespaces; /* of threads */
	uint64_t n_gone; /* processes that ended while they were read */
};

/*
 * The kernel's text, and modules when there are. Hidden addresses (kptr_restrict) give none,
 * -ENOENT. Else 0 or -ENOMEM.
 */
int synth_kernel(struct synth *s);

/* Every cgroup that there is, with the number that samples have of it. None mounted: none. */
int synth_cgroups(struct synth *s);

/* COMM of one thread (and its namespaces), as far as it still lives. */
int synth_comm(struct synth *s, pid_t pid, pid_t tid);

/* A process: COMM of every thread and the executable maps; `with_forks`: FORK before each COMM. */
int synth_process(struct synth *s, pid_t pid, bool with_forks);

/* All of them. */
int synth_system(struct synth *s, struct ptui_error *err);

#endif
