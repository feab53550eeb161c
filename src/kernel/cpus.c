/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "base/i18n.h"
#include "base/vec.h"
#include "kernel/cpus.h"

#define CPUS_MAX 65536 /* far above NR_CPUS of any kernel; limits ranges from files */

static int add_range(int **v, size_t *n, size_t *cap, long first, long last)
{
	if (first < 0 || last < first || last >= CPUS_MAX)
		return -EINVAL;
	for (; first <= last; first++) {
		if (vec_grow(v, cap, *n + 1))
			return -ENOMEM;
		(*v)[(*n)++] = (int)first;
	}
	return 0;
}

int cpus_parse(const char *text, int **ret_cpus, size_t *ret_n)
{
	int *v = NULL, ret = -EINVAL;
	size_t n = 0, cap = 0;
	const char *at = text;
	char *end;
	long first, last;

	do {
		first = last = strtol(at, &end, 10);
		if (end == at)
			goto out;
		if (*end == '-') {
			at = end + 1;
			last = strtol(at, &end, 10);
			if (end == at)
				goto out;
		}
		ret = add_range(&v, &n, &cap, first, last);
		if (ret)
			goto out;
		ret = -EINVAL;
		at = end + 1;
	} while (*end == ',');
	if (*end && *end != '\n')
		goto out;
	*ret_cpus = v;
	*ret_n = n;
	return 0;
out:
	free(v);
	return ret;
}

/* Frees the array. */
static bool has_cpu(int *cpus, size_t n, int cpu)
{
	bool found = false;

	for (size_t i = 0; i < n && !found; i++)
		found = cpus[i] == cpu;
	free(cpus);
	return found;
}

bool cpus_list_has(const char *text, int cpu)
{
	int *cpus;
	size_t n;

	return !text || (!cpus_parse(text, &cpus, &n) && has_cpu(cpus, n, cpu));
}

int cpus_list_pick(const char *text, int preferred)
{
	int *cpus, first;
	size_t n;

	if (cpus_list_has(text, preferred) || cpus_parse(text, &cpus, &n))
		return preferred;
	first = cpus[0];
	free(cpus);
	return first;
}

/* In a chroot or a container without sysfs: the lines "cpu0", "cpu1" ... of PROC/stat are the online CPUs. */
static int read_proc_stat(const struct roots *roots, int **ret_cpus, size_t *ret_n)
{
	struct buf text = BUF_INIT;
	size_t cap = 0, n = 0;
	long cpu;
	int *v = NULL, ret = file_readf(&text, 16U << 20, "%s/stat", roots->proc);

	for (const char *line = buf_str(&text); !ret && *line; line += *line == '\n') {
		if (!strncmp(line, "cpu", 3) && line[3] >= '0' && line[3] <= '9') {
			cpu = strtol(line + 3, NULL, 10);
			ret = add_range(&v, &n, &cap, cpu, cpu);
		}
		line += strcspn(line, "\n");
	}
	buf_release(&text);
	if (!ret && !n)
		ret = -ENOENT;
	if (ret) {
		free(v);
		return ret;
	}
	*ret_cpus = v;
	*ret_n = n;
	return 0;
}

int cpus_online(const struct roots *roots, int **ret_cpus, size_t *ret_n, struct ptui_error *err)
{
	struct buf text = BUF_INIT;
	int ret = file_readf(&text, 65536, "%s/devices/system/cpu/online", roots->sysfs);

	if (!ret)
		ret = cpus_parse(buf_str(&text), ret_cpus, ret_n);
	else if (ret == -ENOENT && !read_proc_stat(roots, ret_cpus, ret_n))
		ret = 0;
	buf_release(&text);
	if (ret)
		return ptui_error_errno(err, -ret, "online",
					_("cannot read which CPUs are online (%s%s)"), roots->sysfs,
					"/devices/system/cpu/online");
	return 0;
}

bool cpus_is_online(const struct roots *roots, int cpu)
{
	int *cpus;
	size_t n;

	/* If the list is unreadable, the CPU counts as online. */
	return cpus_online(roots, &cpus, &n, NULL) || has_cpu(cpus, n, cpu);
}
