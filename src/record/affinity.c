/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "record/affinity.h"

int affinity_init(struct affinity *a, enum ptui_record_affinity mode, const struct roots *roots)
{
	long n = sysconf(_SC_NPROCESSORS_CONF);

	memset(a, 0, sizeof(*a));
	a->cpu = -1;
	if (mode == PTUI_AFFINITY_SYS || n <= 0)
		return 0;
	a->roots = roots;
	a->n_cpus = (int)n;
	a->bytes = CPU_ALLOC_SIZE(a->n_cpus);
	a->now = calloc(1, a->bytes);
	a->next = calloc(1, a->bytes);
	if (!a->now || !a->next) {
		affinity_release(a);
		return -ENOMEM;
	}
	a->mode = mode;
	return 0;
}

void affinity_release(struct affinity *a)
{
	free(a->now);
	free(a->next);
	memset(a, 0, sizeof(*a));
}

/* "node0" is a link in the CPU's directory; the node's CPUs are listed in its own. */
static int node_of(const struct roots *roots, int cpu)
{
	struct buf path = BUF_INIT;
	struct dirent *item;
	int node = -1;
	DIR *dir;

	buf_addf(&path, "%s/devices/system/cpu/cpu%d", roots->sysfs, cpu);
	dir = path.err ? NULL : opendir(buf_str(&path));
	buf_release(&path);
	while (dir && node < 0 && (item = readdir(dir)))
		if (!strncmp(item->d_name, "node", 4) && item->d_name[4] >= '0' &&
		    item->d_name[4] <= '9')
			node = atoi(item->d_name + 4);
	if (dir)
		closedir(dir);
	return node;
}

/* The CPUs of its node; only the CPU itself without NUMA nodes. */
static void add_node(struct affinity *a, int cpu)
{
	int node = node_of(a->roots, cpu);

	for (int i = 0; i < a->n_cpus; i++)
		if (i == cpu || (node >= 0 && node_of(a->roots, i) == node))
			CPU_SET_S((size_t)i, a->bytes, a->next);
}

void affinity_move(struct affinity *a, int cpu)
{
	cpu_set_t *was = a->now;

	if (a->mode == PTUI_AFFINITY_SYS || cpu < 0 || cpu >= a->n_cpus || cpu == a->cpu)
		return;
	a->cpu = cpu;
	CPU_ZERO_S(a->bytes, a->next);
	if (a->mode == PTUI_AFFINITY_CPU)
		CPU_SET_S((size_t)cpu, a->bytes, a->next);
	else
		add_node(a, cpu);
	if (CPU_EQUAL_S(a->bytes, a->now, a->next) || sched_setaffinity(0, a->bytes, a->next))
		return;
	a->now = a->next;
	a->next = was;
}
