/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 *   "\027\010\104tracing" "0.6\0" | u8 big-endian | u8 sizeof(long) | u32 page size
 *   "header_page\0"  u64 n, text     "header_event\0"  u64 n, text
 *   u32 formats of ftrace's own events          { u64 n, text }
 *   u32 systems { name\0, u32 formats           { u64 n, text } }
 *   u32 n, /proc/kallsyms | u32 n, printk_formats | u64 n, saved_cmdlines
 *
 * /proc/kallsyms is left empty, as perf does: its readers take symbols from elsewhere, and it
 * is some 10 MB.
 */
#include "record/header/tracing_data.h"

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>
#include "base/file.h"
#include "base/i18n.h"

#define MAGIC	       "\027\010\104tracing"
#define VERSION	       "0.6"
#define FILE_BYTES_MAX ((size_t)16 << 20)

/* Appends the file's length in `size_bytes` bytes (4 or 8), then its text. */
static int add_file(struct buf *out, unsigned size_bytes, const char *tracefs, const char *name)
{
	size_t at = out->len, n;
	int ret;

	buf_add_zeros(out, size_bytes);
	if (out->err)
		return out->err;
	ret = file_readf(out, FILE_BYTES_MAX, "%s/%s", tracefs, name);
	if (ret)
		return ret;
	n = out->len - at - size_bytes;
	if (size_bytes == 4) {
		uint32_t n32 = (uint32_t)n;

		memcpy(out->data + at, &n32, 4);
	} else {
		uint64_t n64 = n;

		memcpy(out->data + at, &n64, 8);
	}
	return 0;
}

/* Files that not every kernel has are left empty. */
static int add_optional(struct buf *out, unsigned size_bytes, const char *tracefs, const char *name)
{
	size_t before = out->len;
	int ret = add_file(out, size_bytes, tracefs, name);

	if (!ret || ret == -ENOMEM)
		return ret;
	out->len = before;
	buf_add_zeros(out, size_bytes);
	return out->err;
}

static int add_header_file(struct buf *out, const char *tracefs, const char *name,
			   struct ptui_error *err)
{
	struct buf path = BUF_INIT;
	int ret;

	buf_addf(&path, "events/%s", name);
	buf_add(out, name, strlen(name) + 1);
	ret = path.err ? path.err : add_file(out, 8, tracefs, path.data);
	if (ret)
		ptui_error_errno(err, -ret, tracefs, _("cannot read %s/events/%s"), tracefs, name);
	buf_release(&path);
	return ret;
}

static bool same_tp(const struct tp_ref *a, const struct tp_ref *b)
{
	return !strcmp(a->system, b->system) && !strcmp(a->name, b->name);
}

static bool is_first_of_system(const struct tp_ref *tps, size_t i)
{
	for (size_t k = 0; k < i; k++)
		if (!strcmp(tps[k].system, tps[i].system))
			return false;
	return true;
}

static bool is_first_of_name(const struct tp_ref *tps, size_t i)
{
	for (size_t k = 0; k < i; k++)
		if (same_tp(&tps[k], &tps[i]))
			return false;
	return true;
}

static int add_format(struct buf *out, const char *tracefs, const struct tp_ref *tp,
		      struct ptui_error *err)
{
	struct buf path = BUF_INIT;
	int ret;

	buf_addf(&path, "events/%s/%s/format", tp->system, tp->name);
	ret = path.err ? path.err : add_file(out, 8, tracefs, path.data);
	if (ret)
		ptui_error_errno(err, -ret, tp->name,
				 _("cannot read the format of tracepoint %s:%s in %s"), tp->system,
				 tp->name, tracefs);
	buf_release(&path);
	return ret;
}

/* Appends the number of formats of the system of tps[first], then the formats. */
static int add_system(struct buf *out, const char *tracefs, const struct tp_ref *tps, size_t n,
		      size_t first, struct ptui_error *err)
{
	uint32_t formats = 0;
	size_t at = out->len;
	int ret = 0;

	buf_add_u32(out, 0);
	for (size_t i = first; i < n && !ret; i++) {
		if (strcmp(tps[i].system, tps[first].system) || !is_first_of_name(tps, i))
			continue;
		ret = add_format(out, tracefs, &tps[i], err);
		formats++;
	}
	if (!ret && !out->err)
		memcpy(out->data + at, &formats, 4);
	return ret;
}

static int add_systems(struct buf *out, const char *tracefs, const struct tp_ref *tps, size_t n,
		       struct ptui_error *err)
{
	uint32_t systems = 0;
	size_t at = out->len;
	int ret = 0;

	buf_add_u32(out, 0);
	for (size_t i = 0; i < n && !ret; i++) {
		if (!strcmp(tps[i].system, "ftrace") || !is_first_of_system(tps, i))
			continue;
		buf_add(out, tps[i].system, strlen(tps[i].system) + 1);
		ret = add_system(out, tracefs, tps, n, i, err);
		systems++;
	}
	if (!ret && !out->err)
		memcpy(out->data + at, &systems, 4);
	return ret;
}

/* ftrace's own formats are separate from the systems. */
static int add_ftrace(struct buf *out, const char *tracefs, const struct tp_ref *tps, size_t n,
		      struct ptui_error *err)
{
	for (size_t i = 0; i < n; i++)
		if (!strcmp(tps[i].system, "ftrace"))
			return add_system(out, tracefs, tps, n, i, err);
	buf_add_u32(out, 0);
	return 0;
}

static void add_preamble(struct buf *out)
{
	buf_add(out, MAGIC, 10);
	buf_add(out, VERSION, sizeof(VERSION));
	buf_add_u8(out, __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);
	buf_add_u8(out, sizeof(long));
	buf_add_u32(out, (uint32_t)sysconf(_SC_PAGESIZE));
}

int tracing_data_build(const char *tracefs, const struct tp_ref *tps, size_t n, struct buf *out,
		       struct ptui_error *err)
{
	size_t before = out->len;
	int ret;

	add_preamble(out);
	ret = add_header_file(out, tracefs, "header_page", err);
	if (!ret)
		ret = add_header_file(out, tracefs, "header_event", err);
	if (!ret)
		ret = add_ftrace(out, tracefs, tps, n, err);
	if (!ret)
		ret = add_systems(out, tracefs, tps, n, err);
	if (!ret) {
		buf_add_u32(out, 0);
		ret = add_optional(out, 4, tracefs, "printk_formats");
	}
	if (!ret)
		ret = add_optional(out, 8, tracefs, "saved_cmdlines");
	if (!ret)
		ret = out->err;
	if (ret == -ENOMEM)
		ptui_error_nomem(err);
	if (ret && out->data) {
		out->len = before;
		out->data[before] = '\0';
	}
	return ret;
}
