/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * SDT markers of programs (SystemTap's, note .stapsdt): sdt_PROVIDER:NAME. They come from perf's
 * cache, filled by `perf buildid-cache --add FILE`,
 *
 *	~/.debug/.build-id/28/9ee3…/probes	%sdt_libstdcxx:catch=catch
 *						p:sdt_libstdcxx/catch /usr/lib/…:0xa7f05 arg1=%dx:u64
 *
 * and from ELF files added at run time. An SDT marker with a probe is a tracepoint.
 */
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "base/i18n.h"
#include "event/source/source.h"

#define FILE_BYTES_MAX (8u << 20)
#define SDT	       "sdt_"

static struct catalog_entry *add(struct catalog_rows *rows, struct arena *text, const char *name,
				 size_t len, const char *desc, size_t desc_len)
{
	struct catalog_entry *entry = catalog_rows_add(rows);

	if (!entry)
		return NULL;
	entry->name = arena_memdup0(text, name, len);
	entry->desc = arena_memdup0(text, desc, desc_len);
	entry->kind = EVENT_SDT;
	entry->type = PERF_TYPE_TRACEPOINT;
	entry->config = UINT64_MAX;
	return entry->name && entry->desc ? entry : NULL;
}

/* One file of the cache: a line for the SDT marker, and one for each of its locations. */
static int add_file(struct catalog *cat, struct catalog_rows *rows, const char *text)
{
	const char *name = NULL;
	size_t name_len = 0;

	for (const char *line = text; *line;) {
		size_t len = strcspn(line, "\n");

		if (*line == '%') {
			name = line + 1;
			name_len = strcspn(name, "=\n");
		} else if (*line == '#') {
			name = NULL; /* a user-defined probe */
		} else if (name && len) {
			const char *place = memchr(line, ' ', len);

			place = place ? place + 1 : line;
			if (!add(rows, &cat->text, name, name_len, place,
				 len - (size_t)(place - line)))
				return -ENOMEM;
			name = NULL; /* the first location represents all */
		}
		line += len + (line[len] == '\n');
	}
	return 0;
}

static int add_folder(struct catalog *cat, struct catalog_rows *rows, const char *folder)
{
	DIR *dir = opendir(folder);
	struct buf text = BUF_INIT;
	struct dirent *item;
	int ret = 0;

	while (dir && !ret && (item = readdir(dir))) {
		buf_clear(&text);
		if (item->d_name[0] != '.' &&
		    !file_readf(&text, FILE_BYTES_MAX, "%s/%s/probes", folder, item->d_name))
			ret = add_file(cat, rows, buf_str(&text));
	}
	if (dir)
		closedir(dir);
	buf_release(&text);
	return ret;
}

/* ~/.debug/.build-id; false: no home directory. */
static bool cache_folder(const struct catalog *cat, struct buf *out)
{
	const char *dir = cat->roots->buildid_dir, *home = getenv("HOME");

	if (dir)
		buf_addf(out, "%s/.build-id", dir);
	else if (home && *home)
		buf_addf(out, "%s/.debug/.build-id", home);
	return out->len != 0;
}

static int add_cache(struct catalog *cat, struct catalog_rows *rows)
{
	struct buf path = BUF_INIT;
	struct dirent *item;
	DIR *dir = cache_folder(cat, &path) ? opendir(buf_str(&path)) : NULL;
	size_t len = path.len;
	int ret = path.err;

	/* two digits of the build-id each */
	while (dir && !ret && (item = readdir(dir))) {
		if (item->d_name[0] == '.')
			continue;
		path.len = len;
		buf_addf(&path, "/%s", item->d_name);
		ret = path.err ? path.err : add_folder(cat, rows, buf_str(&path));
	}
	if (dir)
		closedir(dir);
	buf_release(&path);
	return ret;
}

/* Equal names: added files come first. */
static int by_name(const void *a, const void *b)
{
	const struct catalog_entry *x = a, *y = b;
	int order = strcmp(x->name, y->name);

	return order ? order : (x->seq > y->seq) - (x->seq < y->seq);
}

/* Merge the locations of an SDT marker into one entry. */
static int join_places(struct catalog *cat, struct catalog_rows *rows)
{
	struct buf places = BUF_INIT;
	size_t n = 0;
	int ret = 0;

	for (size_t i = 0, next; i < rows->n && !ret; i = next) {
		struct catalog_entry *entry = &rows->v[n++];

		buf_clear(&places);
		buf_add_str(&places, rows->v[i].desc);
		for (next = i + 1; next < rows->n && !strcmp(rows->v[next].name, rows->v[i].name);
		     next++)
			buf_addf(&places, "; %s", rows->v[next].desc);
		*entry = rows->v[i];
		if (next > i + 1)
			entry->desc = places.err ? NULL :
						   arena_strdup(&cat->text, buf_str(&places));
		ret = entry->desc ? 0 : -ENOMEM;
	}
	rows->n = n;
	buf_release(&places);
	return ret;
}

static int load(struct catalog *cat, struct catalog_rows *rows, struct ptui_error *err)
{
	int ret = 0;

	for (size_t i = 0; !ret && i < cat->sdt_files.n; i++) {
		struct catalog_entry *entry = catalog_rows_add(rows);

		if (entry)
			*entry = cat->sdt_files.v[i];
		else
			ret = -ENOMEM;
	}
	if (!ret)
		ret = add_cache(cat, rows);
	if (rows->n)
		qsort(rows->v, rows->n, sizeof(*rows->v), by_name);
	return ret || join_places(cat, rows) ? ptui_error_nomem(err) : 0;
}

int catalog_add_sdt(struct catalog *cat, const char *provider, const char *name, const char *place)
{
	struct catalog_rows *rows = &cat->rows[EVENT_SDT];
	struct buf whole = BUF_INIT;
	int ret;

	buf_addf(&whole, SDT "%s:%s", provider, name);
	ret = whole.err || !add(&cat->sdt_files, &cat->markers, buf_str(&whole), whole.len, place,
				strlen(place)) ?
		      -ENOMEM :
		      0;
	buf_release(&whole);
	/* reloaded on the next use */
	free(rows->v);
	memset(rows, 0, sizeof(*rows));
	return ret;
}

const struct catalog_source source_sdt = {
	.kind = EVENT_SDT,
	.heading = N_("SDT event"),
	.has_colon = true,
	.aside = true,
	.load = load,
};
