/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where counts were taken, on this machine or as a recording has it: topology of the CPUs, names of threads. */
#ifndef STAT_STAT_PLACES_H
#define STAT_STAT_PLACES_H

#include "base/hash.h"
#include "data/read/reader.h"
#include "stat/stat.h"

struct cursor;

struct stat_cpu {
	int core, socket, die, node;
};

struct stat_thread {
	pid_t tid; /* -1: any */
	char comm[16];
};

struct stat_places {
	struct stat_cpu *cpus; /* by number */
	size_t n_cpus;
	struct stat_thread *threads; /* STAT records have indexes of them */
	size_t n_threads, cap_threads;
	struct index_table by_tid; /* the last one with each tid */
};

/* Reads the topology features. 0 or -ENOMEM. */
int stat_places_read(struct stat_places *p, const struct data_file *f);
/* Adds those of a THREAD_MAP record. 0 or -ENOMEM. */
int stat_places_add_threads(struct stat_places *p, struct cursor *c);
void stat_places_release(struct stat_places *p);

/* The name of a thread, here (p NULL) or in the recording; unchanged if not known. */
void stat_comm(const struct roots *roots, const struct stat_places *p, pid_t tid, char *ret,
	       size_t size);
/* CPU topology of the recording; -1 where it is not known. */
void stat_recorded_topology(const struct stat_places *p, int cpu, enum stat_aggr aggr,
			    struct stat_id *ret);

#endif
