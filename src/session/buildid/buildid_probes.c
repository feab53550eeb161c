/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * SDT markers in perf's build-id cache, as definitions of uprobes (tools/perf/util/probe-file.c):
 *
 *	%sdt_libstdcxx:catch=catch
 *	p:sdt_libstdcxx/catch /usr/lib/libstdc++.so.6.0.30:0xa7f05 arg1=%dx:u64 arg2=-80(%bx):u64
 *
 * A marker with several places has several lines. An argument that a uprobe cannot read (a constant, a
 * symbol) is left out. perf writes an empty file if there are no markers.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "base/text.h"
#include "base/vec.h"
#include "dso/sdt.h"
#include "session/buildid/buildid_entries.h"

struct marker {
	char *name;  /* "sdt_libstdcxx:catch" */
	char *place; /* its line */
};

struct markers {
	struct marker *v;
	size_t n, cap;
	struct dso_file *file;
	const char *path;
};

/* Argument `i`: "-4@%edx" or "%edx". */
static void add_argument(struct buf *out, uint16_t machine, unsigned i, const char *argument)
{
	const char *at = strchr(argument, '@');
	struct buf operand = BUF_INIT;
	long bytes = at ? strtol(argument, NULL, 10) : 0;

	if (dso_sdt_fetch(machine, at ? at + 1 : argument, &operand) == DSO_SDT_PLACE) {
		buf_addf(out, " arg%u=%s", i, buf_str(&operand));
		if (bytes)
			buf_addf(out, ":%c%ld", bytes < 0 ? 's' : 'u', 8 * labs(bytes));
	}
	buf_release(&operand);
}

static int add_marker(void *ctx, const struct dso_sdt *sdt)
{
	struct markers *m = ctx;
	struct buf name = BUF_INIT, place = BUF_INIT;
	char *arguments = strdup(sdt->arguments), *rest = arguments, *argument;
	uint64_t semaphore;
	unsigned i = 0;

	buf_addf(&name, "sdt_%s:%s", sdt->provider, sdt->name);
	buf_addf(&place, "p:sdt_%s/%s %s:0x%llx", sdt->provider, sdt->name, m->path,
		 (unsigned long long)sdt->off);
	if (sdt->semaphore_rva && dso_file_rva_to_off(m->file, sdt->semaphore_rva, &semaphore))
		buf_addf(&place, "(0x%llx)", (unsigned long long)semaphore);
	while (arguments && (argument = dso_sdt_next_argument(&rest)))
		add_argument(&place, sdt->machine, ++i, argument);
	free(arguments);
	if (!arguments || name.err || place.err || vec_grow(&m->v, &m->cap, m->n + 1)) {
		buf_release(&name);
		buf_release(&place);
		return -ENOMEM;
	}
	if (sdt->off == UINT64_MAX) { /* in no segment */
		buf_release(&name);
		buf_release(&place);
		return 0;
	}
	m->v[m->n++] = (struct marker){ buf_take(&name), buf_take(&place) };
	return 0;
}

/* The places of a marker in the order of their text, without repetitions, as in perf. */
static int by_place(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static int add_places(struct markers *m, size_t first, struct buf *out)
{
	const char **places = calloc(m->n, sizeof(*places));
	size_t n = 0;

	if (!places)
		return -ENOMEM;
	for (size_t i = first; i < m->n; i++)
		if (!strcmp(m->v[i].name, m->v[first].name))
			places[n++] = m->v[i].place;
	qsort(places, n, sizeof(*places), by_place);
	buf_addf(out, "%%%s=%s\n", m->v[first].name, strchr(m->v[first].name, ':') + 1);
	for (size_t i = 0; i < n; i++)
		if (!i || strcmp(places[i], places[i - 1]))
			buf_addf(out, "%s\n", places[i]);
	free(places);
	return 0;
}

static int write_probes(void *ctx, int fd)
{
	const struct buf *text = ctx;

	return file_write_all(fd, buf_str(text), text->len);
}

int buildid_cache_add_sdt(const char *dir, const struct data_build_id *item)
{
	struct markers m = { .path = item->path };
	struct buf file = BUF_INIT, elf = BUF_INIT, text = BUF_INIT;
	char id[DSO_BUILD_ID_TEXT];
	int ret;

	dso_build_id_format(item->id, item->bytes, id);
	buf_addf(&file, "%s%s/%s/probes", dir, item->path, id);
	buf_addf(&elf, "%s%s/%s/elf", dir, item->path, id);
	ret = file.err || elf.err ? -ENOMEM : 0;
	if (!ret)
		m.file = dso_file_open(buf_str(&elf), NULL, 0, NULL);
	if (m.file)
		ret = dso_sdt_each(buf_str(&elf), add_marker, &m, NULL);
	for (size_t i = 0; i < m.n && ret != -ENOMEM; i++) {
		bool first = true;

		for (size_t k = 0; k < i && first; k++)
			first = strcmp(m.v[i].name, m.v[k].name) != 0;
		ret = first ? add_places(&m, i, &text) : 0;
	}
	if (ret != -ENOMEM)
		ret = text.err ? text.err :
				 buildid_cache_write(buf_str(&file), write_probes, &text, 0644);
	for (size_t i = 0; i < m.n; i++) {
		free(m.v[i].name);
		free(m.v[i].place);
	}
	free(m.v);
	dso_file_unref(m.file);
	buf_release(&file);
	buf_release(&elf);
	buf_release(&text);
	return ret;
}
