/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The table of build-ids in the output: that of the input, and with -b those of the DSOs that it
 * lacks. In the order of preference: known (--known-build-ids), recorded in the maps, read from the
 * file now, unless it changed after the recording.
 *
 *	u32 type 0, u16 misc, u16 size | s32 pid | 20 bytes of id, u8 their number, 3 zeros | path ...
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "base/i18n.h"
#include "base/text.h"
#include "base/vec.h"
#include "data/write/feature_payload.h"
#include "dso/dso.h"
#include "inject/private.h"
#include "session/buildid/buildid_table.h"

#define KNOWN_BYTES_MAX (64u << 20)
#define KERNEL_NAME	"[kernel.kallsyms]"

struct known {
	uint8_t id[DATA_BUILD_ID_MAX], bytes;
	char *path;
};

struct ids {
	struct inject *j;
	struct buf *out;
	struct known *known, *have; /* those given; the paths that the table has */
	size_t n_known, cap_known, n_have, cap_have;
	int ret;
};

static int nibble(char c)
{
	const char *digits = "0123456789abcdef", *at = c ? strchr(digits, c) : NULL;

	return at ? (int)(at - digits) : -1;
}

/* "93ac61... /usr/lib/libc.so.6" */
static int add_known(struct ids *ids, const char *pair)
{
	struct known k = { .bytes = 0 };
	const char *p = pair + strspn(pair, " \t");

	for (; k.bytes < DATA_BUILD_ID_MAX && nibble(p[0]) >= 0 && nibble(p[1]) >= 0; p += 2)
		k.id[k.bytes++] = (uint8_t)(nibble(p[0]) << 4 | nibble(p[1]));
	if (!k.bytes || *p != ' ' || !p[strspn(p, " \t")])
		return ptui_error_set(ids->j->err, PTUI_ERROR_INPUT, EINVAL, pair,
				      _("--known-build-ids expects 'BUILD-ID PATH', not '%s'"),
				      pair);
	k.path = strdup(p + strspn(p, " \t"));
	if (!k.path || vec_grow(&ids->known, &ids->cap_known, ids->n_known + 1)) {
		free(k.path);
		return ptui_error_nomem(ids->j->err);
	}
	ids->known[ids->n_known++] = k;
	return 0;
}

/* With commas between them, or the lines of a file, as perf buildid-list prints them. */
static int read_known(struct ids *ids, const char *text)
{
	struct buf file = BUF_INIT;
	bool is_file = text_starts_with(text, "file://");
	char *list, *rest = NULL;
	int ret = 0;

	if (is_file)
		ret = file_read(text + strlen("file://"), KNOWN_BYTES_MAX, &file, ids->j->err);
	list = ret ? NULL : strdup(is_file ? buf_str(&file) : text);
	if (!ret && !list)
		ret = ptui_error_nomem(ids->j->err);
	for (char *pair = list ? strtok_r(list, is_file ? "\n" : ",", &rest) : NULL; pair && !ret;
	     pair = strtok_r(NULL, is_file ? "\n" : ",", &rest))
		ret = add_known(ids, pair);
	free(list);
	buf_release(&file);
	return ret;
}

static bool find_known(const struct ids *ids, struct data_build_id *item)
{
	for (size_t i = 0; i < ids->n_known; i++) {
		if (strcmp(ids->known[i].path, item->path))
			continue;
		item->bytes = ids->known[i].bytes;
		memcpy(item->id, ids->known[i].id, sizeof(item->id));
		return true;
	}
	return false;
}

static bool has_path(const struct ids *ids, const char *path)
{
	for (size_t i = 0; i < ids->n_have; i++)
		if (!strcmp(ids->have[i].path, path))
			return true;
	return false;
}

static int put_item(struct ids *ids, const struct data_build_id *item)
{
	int ret = feature_build_id(ids->out, item);
	char *path;

	if (ret == -E2BIG)
		return 0; /* a path that the table cannot have */
	path = ret ? NULL : strdup(item->path);
	if (!path || vec_grow(&ids->have, &ids->cap_have, ids->n_have + 1)) {
		free(path);
		return -ENOMEM;
	}
	ids->have[ids->n_have++].path = path;
	return 0;
}

static int copy_table(struct ids *ids)
{
	struct data_build_id item;
	int ret = 0;

	for (size_t i = 0; !ret && data_build_id_at(ids->j->file, i, &item) == 0; i++) {
		find_known(ids, &item);
		ret = put_item(ids, &item);
	}
	return ret;
}

/* `item` has no id if neither the recording nor a file has it. */
static void add_module(void *ctx, const struct data_build_id *module, int32_t pid)
{
	const struct inject_opts *o = ((struct ids *)ctx)->j->opts;
	struct data_build_id item = *module;
	struct ids *ids = ctx;

	(void)pid;
	if (ids->ret || has_path(ids, item.path))
		return;
	if (!find_known(ids, &item) && o->vmlinux && !strcmp(item.path, KERNEL_NAME)) {
		int bytes = dso_read_build_id(o->vmlinux, item.id);

		item.bytes = bytes > 0 ? (uint8_t)bytes : item.bytes;
	}
	if (!item.bytes)
		return;
	ids->ret = put_item(ids, &item);
	ids->j->result->build_ids++;
}

static void changed_file(void *ctx, const char *path)
{
	(void)path;
	((struct ids *)ctx)->j->result->changed_files++;
}

static int add_modules(struct ids *ids)
{
	const struct inject_opts *o = ids->j->opts;
	const struct buildid_modules which = { .all = o->buildid_all,
					       .until_ns = data_mtime_ns(ids->j->file),
					       .each = add_module,
					       .changed = changed_file,
					       .ctx = ids };
	int ret = buildid_modules_each(ids->j->file, &roots_system, &which, ids->j->err);

	return ret ? ret : ids->ret;
}

static void release(struct known *v, size_t n)
{
	for (size_t i = 0; i < n; i++)
		free(v[i].path);
	free(v);
}

int inject_build_ids(struct inject *j, struct buf *out)
{
	struct ids ids = { .j = j, .out = out };
	int ret = j->opts->known_ids ? read_known(&ids, j->opts->known_ids) : 0;

	if (!ret)
		ret = copy_table(&ids);
	if (!ret && j->opts->build_ids)
		ret = add_modules(&ids);
	if (ret && !ptui_error_is_set(j->err))
		ptui_error_nomem(j->err);
	release(ids.known, ids.n_known);
	release(ids.have, ids.n_have);
	return ret;
}
