/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "session/jit_maps.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include "base/perf_abi.h"
#include "base/vec.h"
#include "ptui/log.h"
#include "symbol/jitdump.h"

int jit_maps_note(struct jit_maps *j, const struct data_record *rec)
{
	const struct data_mmap *map = &rec->mmap;
	struct jit_marker *marker;

	if ((rec->type != PERF_RECORD_MMAP && rec->type != PERF_RECORD_MMAP2) || !map->path ||
	    map->pid <= 0 || !jitdump_is_name(map->path))
		return 0;
	for (size_t i = 0; i < j->n; i++)
		if (j->markers[i].map.pid == map->pid && !strcmp(j->markers[i].map.path, map->path))
			return 0;
	if (vec_grow(&j->markers, &j->cap, j->n + 1) < 0)
		return -ENOMEM;
	marker = &j->markers[j->n];
	marker->map = *map;
	marker->map.path = strdup(map->path);
	if (!marker->map.path)
		return -ENOMEM;
	j->n++;
	return 0;
}

bool jit_maps_same_clock(const struct data_file *f)
{
	for (size_t i = 0; i < data_n_events(f); i++) {
		const struct data_event *e = data_event(f, i);

		if (!e->use_clockid || e->clockid != CLOCK_MONOTONIC || !e->sample_id_all ||
		    !(e->sample_type & PERF_SAMPLE_TIME))
			return false;
	}
	return data_n_events(f) > 0;
}

static int add_maps(struct machine *m, const struct data_mmap *marker, const struct jitdump *d)
{
	struct data_record rec = { .type = PERF_RECORD_MMAP2,
				   .misc = DATA_MODE_USER,
				   .mmap = *marker };
	int ret = 0;

	rec.mmap.prot = PROT_READ | PROT_EXEC;
	rec.seq = UINT64_MAX; /* after a map of the memory with the same time */
	for (size_t i = 0; i < jitdump_n_maps(d) && !ret; i++) {
		const struct jitdump_map *map = jitdump_map(d, i);

		rec.mmap.start = map->addr;
		rec.mmap.len = map->bytes;
		rec.mmap.pgoff = map->off;
		ret = machine_add(m, &rec, map->time_ns);
	}
	return ret;
}

int jit_maps_add(struct jit_maps *j, struct machine *m, const struct data_file *file,
		 const char *symfs)
{
	int ret = 0;

	if (!j->n || !jit_maps_same_clock(file))
		return 0;
	for (size_t i = 0; i < j->n && !ret; i++) {
		const struct data_mmap *marker = &j->markers[i].map;
		struct ptui_error err = PTUI_ERROR_INIT;
		struct jitdump *d = jitdump_open(symfs, marker->path, &err);

		if (d && jitdump_is_timed(d))
			ret = add_maps(m, marker, d);
		else
			ptui_log(PTUI_LOG_INFO, "session", "%s: not used: %s", marker->path,
				 err.text);
		jitdump_free(d);
	}
	return ret;
}

void jit_maps_release(struct jit_maps *j)
{
	for (size_t i = 0; i < j->n; i++)
		free((char *)(uintptr_t)j->markers[i].map.path);
	free(j->markers);
	memset(j, 0, sizeof(*j));
}
