/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "base/i18n.h"
#include "kernel/counters.h"
#include "kernel/cpus.h"
#include "record/ring_size.h"

#define ALL_RINGS_BYTES ((size_t)256 << 20)
#define FLOOD_FACTOR	8
#define FLOOD_ALL_BYTES ((size_t)64 << 20)

/* 0 for an unknown unit. Without a unit the number counts pages. */
static uint64_t unit_bytes(const char *unit, size_t page)
{
	static const char units[] = "BKMG";
	const char *at;

	if (!*unit)
		return page;
	at = unit[1] ? NULL : strchr(units, *unit);
	return at ? 1ull << (10 * (at - units)) : 0;
}

static int no_size(const char *text, struct ptui_error *err)
{
	return ptui_error_set(
		err, PTUI_ERROR_INPUT, EINVAL, text,
		_("'%s' is not a valid ring buffer size: use pages, such as 128, or bytes, such "
		  "as 512K or 16M"),
		text);
}

static int parse_one(const char *text, const struct kernel_ops *ops, size_t *ret_bytes,
		     bool *ret_rounded, struct ptui_error *err)
{
	uint64_t memory = (uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE);
	uint64_t bytes, unit, asked;
	char *end;

	errno = 0;
	bytes = strtoull(text, &end, 10);
	unit = unit_bytes(end, ops->page_bytes);
	if (*text < '0' || *text > '9' || !unit)
		return no_size(text, err);
	if (errno || bytes > memory / unit)
		return ptui_error_set(err, PTUI_ERROR_INPUT, EINVAL, text,
				      _("a ring buffer of %s exceeds the memory of this machine"),
				      text);
	asked = bytes * unit;
	for (bytes = ops->page_bytes; bytes < asked; bytes *= 2)
		;
	*ret_rounded = bytes != asked;
	*ret_bytes = (size_t)bytes;
	return 0;
}

int ring_size_parse(const char *text, const struct kernel_ops *ops, size_t *ret_bytes,
		    size_t *ret_aux_bytes, bool *ret_rounded, struct ptui_error *err)
{
	const char *comma = strchr(text, ',');
	char *first = strndup(text, comma ? (size_t)(comma - text) : strlen(text));
	bool aux_rounded; /* said with the sizes, if it matters */
	int ret = 0;

	if (!first)
		return ptui_error_nomem(err);
	*ret_bytes = *ret_aux_bytes = 0;
	*ret_rounded = false;
	if (*first || !comma)
		ret = parse_one(first, ops, ret_bytes, ret_rounded, err);
	if (!ret && comma)
		ret = parse_one(comma + 1, ops, ret_aux_bytes, &aux_rounded, err);
	free(first);
	return ret;
}

size_t ring_size_default(const struct kernel_ops *ops, size_t n_rings)
{
	size_t bytes = counters_default_ring_bytes(ops);

	while (bytes > ops->page_bytes && n_rings && bytes > ALL_RINGS_BYTES / n_rings)
		bytes /= 2;
	return bytes;
}

size_t ring_size_flood(const struct kernel_ops *ops, size_t bytes)
{
	size_t n_cpus, most = bytes * FLOOD_FACTOR;
	int *cpus;

	/* unprivileged users get what perf_event_mlock_kb allows */
	if (ops->geteuid(ops->ctx) || cpus_online(&ops->roots, &cpus, &n_cpus, NULL))
		return bytes;
	free(cpus);
	while (most > bytes && most > FLOOD_ALL_BYTES / n_cpus)
		most /= 2;
	return most;
}
