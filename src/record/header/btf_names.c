/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "record/header/btf_names.h"

#include <stdlib.h>
#include <string.h>
#include "base/cursor.h"
#include "base/vec.h"

#define BTF_MAGIC	  0xeb9f
#define BTF_KIND(info)	  ((info) >> 24 & 0x1f)
#define BTF_MEMBERS(info) ((info)&0xffff)

/*
 * What follows the 12 bytes of struct btf_type: `fixed` bytes, and `member` bytes for each member.
 */
static const struct btf_kind_size {
	uint8_t known, fixed, member;
} kind_sizes[] = {
	[1] = { 1, 4, 0 },   /* INT */
	[2] = { 1, 0, 0 },   /* PTR */
	[3] = { 1, 12, 0 },  /* ARRAY */
	[4] = { 1, 0, 12 },  /* STRUCT */
	[5] = { 1, 0, 12 },  /* UNION */
	[6] = { 1, 0, 8 },   /* ENUM */
	[7] = { 1, 0, 0 },   /* FWD */
	[8] = { 1, 0, 0 },   /* TYPEDEF */
	[9] = { 1, 0, 0 },   /* VOLATILE */
	[10] = { 1, 0, 0 },  /* CONST */
	[11] = { 1, 0, 0 },  /* RESTRICT */
	[12] = { 1, 0, 0 },  /* FUNC */
	[13] = { 1, 0, 8 },  /* FUNC_PROTO */
	[14] = { 1, 4, 0 },  /* VAR */
	[15] = { 1, 0, 12 }, /* DATASEC */
	[16] = { 1, 0, 0 },  /* FLOAT */
	[17] = { 1, 4, 0 },  /* DECL_TAG */
	[18] = { 1, 0, 0 },  /* TYPE_TAG */
	[19] = { 1, 0, 12 }, /* ENUM64 */
};
enum { N_KINDS = sizeof(kind_sizes) / sizeof(*kind_sizes) };

static int read_types(struct btf_names *names, struct cursor *c)
{
	while (cursor_left(c)) {
		uint32_t name_off = cursor_u32(c), info = cursor_u32(c);
		uint32_t kind = BTF_KIND(info);
		int ret;

		cursor_u32(c); /* size, or another type */
		if (kind >= N_KINDS || !kind_sizes[kind].known)
			return 0;
		cursor_bytes(c, kind_sizes[kind].fixed +
					(size_t)kind_sizes[kind].member * BTF_MEMBERS(info));
		if (c->bad)
			return 0;
		ret = vec_grow(&names->name_off, &names->cap, names->n + 1);
		if (ret)
			return ret;
		names->name_off[names->n++] = name_off;
	}
	return 0;
}

/* NULL unless the section lies within the bytes after the header. */
static const uint8_t *btf_section(const struct cursor *after_header, uint32_t off, uint32_t len)
{
	size_t n = cursor_left(after_header);

	return off <= n && len <= n - off ? after_header->p + off : NULL;
}

int btf_names_init(struct btf_names *names, const void *btf, size_t bytes)
{
	uint32_t header_bytes, type_off, type_len, string_off, string_len;
	const uint8_t *types, *strings;
	struct cursor c;
	uint16_t magic;

	memset(names, 0, sizeof(*names));
	if (!bytes)
		return 0;
	cursor_init(&c, btf, bytes, false);
	magic = cursor_u16(&c);
	cursor_u16(&c); /* version, flags */
	header_bytes = cursor_u32(&c);
	type_off = cursor_u32(&c);
	type_len = cursor_u32(&c);
	string_off = cursor_u32(&c);
	string_len = cursor_u32(&c);
	if (c.bad || magic != BTF_MAGIC || header_bytes > bytes)
		return 0;
	cursor_init(&c, (const uint8_t *)btf + header_bytes, bytes - header_bytes, false);
	types = btf_section(&c, type_off, type_len);
	strings = btf_section(&c, string_off, string_len);
	if (!types || !strings)
		return 0;
	names->strings = (const char *)strings;
	names->strings_bytes = string_len;
	cursor_init(&c, types, type_len, false);
	return read_types(names, &c);
}

void btf_names_release(struct btf_names *names)
{
	free(names->name_off);
	memset(names, 0, sizeof(*names));
}

const char *btf_names_find(const struct btf_names *names, uint32_t type_id)
{
	size_t off;

	if (!type_id || type_id > names->n)
		return NULL;
	off = names->name_off[type_id - 1];
	if (off >= names->strings_bytes || !names->strings[off] ||
	    !memchr(names->strings + off, 0, names->strings_bytes - off))
		return NULL;
	return names->strings + off;
}
