/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What recordings of simpleperf (Android) have besides those of perf: symbols, names of events,
 * and records with the types from 32768 on. See record_file_format.h and record_file.proto there.
 *
 *   FILE        { u32 bytes, path\0, u32 kind, u64 first address, u32 n,
 *                 { u64 start, u32 len, name\0 } × n, [ offsets in a DEX file ], [ u64 offset ] } …
 *   FILE2       { u32 bytes, protocol buffer FileFeature } …
 *   INIT_MAP    MMAP, MMAP2 and COMM records of what ran before, also as COMPRESSED
 *   META_INFO   { key\0 value\0 } …; event_type_info is "name,type,config\n" …
 *
 * Old versions have records instead: KERNEL_SYMBOL (kallsyms), DSO, SYMBOL. Large records may come
 * in parts: SPLIT …, SPLIT_END.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/buf.h"
#include "base/vec.h"
#include "data/read/reader_private.h"

#define SPLIT_BYTES_MAX ((size_t)256 << 20)

/* A DSO that came as records. */
struct simpleperf_dso {
	struct data_dso_symbols dso;
	struct data_symbol *v;
	size_t cap;
	uint64_t id;
};

void simpleperf_release(struct data_file *f)
{
	for (size_t i = 0; i < f->n_dsos; i++)
		free(f->dsos[i].v);
	free(f->dsos);
	buf_release(&f->split);
}

/* ---- META_INFO ---- */

static const char *read_cstr(struct cursor *c)
{
	size_t n = strnlen((const char *)c->p, cursor_left(c));

	if (n == cursor_left(c)) {
		c->bad = true;
		return NULL;
	}
	return cursor_bytes(c, n + 1);
}

/* "cpu-cycles,0,0" names its events; as simpleperf shows them, with :u or :k. */
static int name_event_type(struct data_file *f, const char *line, size_t n)
{
	const char *comma = memchr(line, ',', n);
	unsigned long long config;
	unsigned type;
	char rest[64] = "", name[256];
	size_t rest_n, name_n = comma ? (size_t)(comma - line) : 0;
	int ret = 0;

	rest_n = comma ? n - name_n - 1 : 0;
	if (!name_n || name_n > sizeof(name) - 8 || rest_n >= sizeof(rest))
		return 0;
	memcpy(rest, comma + 1, rest_n);
	if (sscanf(rest, "%u,%llu", &type, &config) != 2)
		return 0;
	for (uint32_t i = 0; i < f->events.n && !ret; i++) {
		const struct data_event_slot *e = f->events.v[i];

		if (e->named_by_file || e->ev.type != type || e->ev.config != config)
			continue;
		snprintf(name, sizeof(name), "%.*s%s", (int)name_n, line,
			 e->ev.exclude_user == e->ev.exclude_kernel ? "" :
			 e->ev.exclude_user			    ? ":k" :
								      ":u");
		ret = event_table_name(&f->events, i, name, strlen(name));
	}
	return ret;
}

static int name_event_types(struct data_file *f, const char *text)
{
	int ret = 0;

	while (*text && !ret) {
		size_t n = strcspn(text, "\n");

		ret = name_event_type(f, text, n);
		text += n + (text[n] == '\n');
	}
	return ret;
}

int simpleperf_name_events(struct data_file *f)
{
	size_t n = 0;
	const void *bytes = meta_feature(f, PTUI_FEAT_SIMPLEPERF_META_INFO, &n);
	struct cursor c;
	int ret = 0;

	if (!bytes)
		return 0;
	cursor_init(&c, bytes, n, f->swap);
	while (cursor_left(&c) && !c.bad && !ret) {
		const char *key = read_cstr(&c), *value = key ? read_cstr(&c) : NULL;

		if (value && !strcmp(key, "event_type_info"))
			ret = name_event_types(f, value);
	}
	return ret;
}

/* ---- FILE ---- */

/* Entries in a growing array that is used for one DSO after another. */
struct symbols {
	struct data_symbol *v;
	size_t n, cap;
};

static int add_symbol(struct symbols *s, uint64_t start, uint64_t len, const char *name)
{
	if (vec_grow(&s->v, &s->cap, s->n + 1))
		return -ENOMEM;
	s->v[s->n++] = (struct data_symbol){
		.start = start,
		.end = start + len < start ? UINT64_MAX : start + len,
		.name = name,
	};
	return 0;
}

static bool has_offset(unsigned kind)
{
	return kind == DATA_DSO_ELF || kind == DATA_DSO_KERNEL_MODULE;
}

/* -EBADMSG: damaged. */
static int read_file(struct cursor *c, struct symbols *s, struct data_dso_symbols *ret)
{
	uint32_t n;
	int err = 0;

	*ret = (struct data_dso_symbols){ .off = UINT64_MAX };
	ret->path = read_cstr(c);
	ret->kind = cursor_u32(c);
	ret->addr = cursor_u64(c);
	n = cursor_u32(c);
	for (uint32_t i = 0; i < n && !c->bad && !err; i++) {
		uint64_t start = cursor_u64(c);
		uint32_t len = cursor_u32(c);
		const char *name = read_cstr(c);

		if (name)
			err = add_symbol(s, start, len, name);
	}
	if (has_offset(ret->kind) && cursor_left(c) >= 8)
		ret->off = cursor_u64(c);
	return err ? err : c->bad ? -EBADMSG : 0;
}

/* ---- FILE2 ---- */

struct field {
	unsigned number;
	uint64_t value;
	struct cursor bytes;
	const char *text; /* the same; not terminated */
	size_t n;
};

static uint64_t read_varint(struct cursor *c)
{
	uint64_t v = 0;

	for (unsigned shift = 0; shift < 64; shift += 7) {
		uint8_t byte = cursor_u8(c);

		v |= (uint64_t)(byte & 0x7f) << shift;
		if (!(byte & 0x80))
			return v;
	}
	c->bad = true;
	return 0;
}

/* False: the end of the message, or damage. */
static bool next_field(struct cursor *c, struct field *ret)
{
	uint64_t tag;

	if (!cursor_left(c))
		return false;
	memset(ret, 0, sizeof(*ret));
	tag = read_varint(c);
	ret->number = (unsigned)(tag >> 3);
	switch (tag & 7) {
	case 0:
		ret->value = read_varint(c);
		break;
	case 1:
		ret->value = cursor_u64(c);
		break;
	case 2:
		ret->value = read_varint(c);
		ret->n = ret->value > cursor_left(c) ? SIZE_MAX : (size_t)ret->value;
		ret->text = cursor_bytes(c, ret->n);
		if (ret->text)
			cursor_init(&ret->bytes, ret->text, ret->n, false);
		break;
	case 5:
		ret->value = cursor_u32(c);
		break;
	default:
		c->bad = true;
	}
	return !c->bad;
}

/* Symbol { vaddr = 1, len = 2, name = 3 } */
static int read_symbol(struct arena *names, struct cursor *c, struct symbols *s)
{
	uint64_t start = 0, len = 0;
	const char *name = "";
	struct field field;

	while (next_field(c, &field)) {
		if (field.number == 1)
			start = field.value;
		else if (field.number == 2)
			len = field.value;
		else if (field.number == 3 && field.text)
			name = arena_memdup0(names, field.text, strnlen(field.text, field.n));
		if (!name)
			return -ENOMEM;
	}
	return c->bad ? -EBADMSG : add_symbol(s, start, len, name);
}

/* ElfFile and KernelModule { offset = 1 } */
static uint64_t read_offset(struct cursor *c)
{
	uint64_t off = 0; /* the default is not written */
	struct field field;

	while (next_field(c, &field))
		if (field.number == 1)
			off = field.value;
	return off;
}

/*
 * FileFeature { path = 1, type = 2, min_vaddr = 3, symbol = 4, dex_file = 5, elf_file = 6,
 * kernel_module = 7 }
 */
static int read_file2(struct arena *names, struct cursor *c, struct symbols *s,
		      struct data_dso_symbols *ret)
{
	struct field field;
	int err = 0;

	c->swap = false; /* in any file */
	*ret = (struct data_dso_symbols){ .path = "", .off = UINT64_MAX };
	while (!err && next_field(c, &field)) {
		if (field.number == 1 && field.text)
			ret->path = arena_memdup0(names, field.text, strnlen(field.text, field.n));
		else if (field.number == 2)
			ret->kind = (unsigned)field.value;
		else if (field.number == 3)
			ret->addr = field.value;
		else if (field.number == 4 && field.text)
			err = read_symbol(names, &field.bytes, s);
		else if ((field.number == 6 || field.number == 7) && field.text)
			ret->off = read_offset(&field.bytes);
		if (!ret->path)
			err = -ENOMEM;
	}
	return err ? err : c->bad ? -EBADMSG : 0;
}

/* ---- all of them ---- */

static int each_file(struct data_file *f, unsigned feature, data_symbols_fn fn, void *ctx)
{
	struct symbols symbols = { NULL, 0, 0 };
	size_t n = 0;
	const void *bytes = data_feature(f, feature, &n);
	struct cursor c;
	int ret = 0;

	if (!bytes)
		return 0;
	cursor_init(&c, bytes, n, f->swap);
	while (cursor_left(&c) && !ret) {
		struct data_dso_symbols dso;
		struct arena names;
		struct cursor one;
		uint32_t size = cursor_u32(&c);
		const void *at = cursor_bytes(&c, size);

		if (!at) {
			ret = -EBADMSG;
			break;
		}
		cursor_init(&one, at, size, f->swap);
		symbols.n = 0;
		arena_init(&names);
		ret = feature == PTUI_FEAT_SIMPLEPERF_FILE ?
			      read_file(&one, &symbols, &dso) :
			      read_file2(&names, &one, &symbols, &dso);
		dso.v = symbols.v;
		dso.n = symbols.n;
		if (!ret && dso.n)
			ret = fn(ctx, &dso);
		arena_release(&names);
	}
	free(symbols.v);
	return ret;
}

int data_symbols_each(const struct data_file *file, data_symbols_fn fn, void *ctx)
{
	struct data_file *f =
		(struct data_file *)(uintptr_t)file; /* loads and counts on first use */
	static const unsigned features[] = { PTUI_FEAT_SIMPLEPERF_FILE,
					     PTUI_FEAT_SIMPLEPERF_FILE2 };
	int ret = 0;

	for (size_t i = 0; i < 2 && !ret; i++) {
		ret = each_file(f, features[i], fn, ctx);
		if (ret == -EBADMSG) {
			f->damage.bad_sections++;
			ret = 0;
		}
	}
	for (size_t i = 0; i < f->n_dsos && !ret; i++) {
		f->dsos[i].dso.v = f->dsos[i].v;
		if (f->dsos[i].dso.n)
			ret = fn(ctx, &f->dsos[i].dso);
	}
	return ret;
}

/* ---- records ---- */

static struct simpleperf_dso *add_dso(struct data_file *f, uint64_t id, unsigned kind,
				      const char *path)
{
	struct simpleperf_dso *d;
	const char *copy = arena_strdup(&f->arena, path);

	if (!copy || vec_grow(&f->dsos, &f->dsos_cap, f->n_dsos + 1))
		return NULL;
	d = &f->dsos[f->n_dsos++];
	memset(d, 0, sizeof(*d));
	d->id = id;
	d->dso.kind = kind;
	d->dso.path = copy;
	d->dso.off = UINT64_MAX;
	return d;
}

static int add_dso_symbol(struct data_file *f, struct simpleperf_dso *d, uint64_t start,
			  uint64_t len, const char *name, size_t n)
{
	struct symbols s = { d->v, d->dso.n, d->cap };
	const char *copy = arena_memdup0(&f->arena, name, n);
	int ret = copy ? add_symbol(&s, start, len, copy) : -ENOMEM;

	d->v = s.v;
	d->cap = s.cap;
	d->dso.n = s.n;
	return ret;
}

/* u64 kind, u64 id, u64 first address, path */
static int apply_dso(struct data_file *f, struct cursor *c)
{
	uint64_t kind = cursor_u64(c), id = cursor_u64(c), addr = cursor_u64(c);
	const char *path = c->bad ? NULL : read_cstr(c);
	struct simpleperf_dso *d;

	if (!path)
		return 0;
	d = add_dso(f, id, kind > DATA_DSO_UNKNOWN ? DATA_DSO_UNKNOWN : (unsigned)kind, path);
	if (d)
		d->dso.addr = addr;
	return d ? 0 : -ENOMEM;
}

/* u64 address, u64 len, u64 id of the DSO, name */
static int apply_symbol(struct data_file *f, struct cursor *c)
{
	uint64_t start = cursor_u64(c), len = cursor_u64(c), id = cursor_u64(c);
	const char *name = c->bad ? NULL : read_cstr(c);

	for (size_t i = f->n_dsos; name && i-- > 0;)
		if (f->dsos[i].id == id)
			return add_dso_symbol(f, &f->dsos[i], start, len, name, strlen(name));
	return 0;
}

/* "ffffffff81000000 T name [module]"; the lengths are not known. */
static int add_kallsyms_line(struct data_file *f, struct simpleperf_dso *d, const char *line,
			     const char *eol)
{
	char *rest;
	uint64_t start = strtoull(line, &rest, 16);
	const char *name = rest + 3, *end;

	if (rest == line || eol - rest < 4 || rest[0] != ' ' || !strchr("tTwW", rest[1]) ||
	    rest[2] != ' ')
		return 0;
	end = memchr(name, '\t', (size_t)(eol - name));
	return end ? 0 : add_dso_symbol(f, d, start, 0, name, (size_t)(eol - name));
}

/* u32 bytes, the text of kallsyms */
static int apply_kernel_symbols(struct data_file *f, struct cursor *c)
{
	uint32_t n = cursor_u32(c);
	const char *bytes = cursor_bytes(c, n), *text;
	struct simpleperf_dso *d;
	int ret = 0;

	if (!bytes)
		return 0;
	text = arena_memdup0(&f->arena, bytes, n);
	d = text ? add_dso(f, UINT64_MAX, DATA_DSO_KERNEL, "[kernel.kallsyms]") : NULL;
	if (!d)
		return -ENOMEM;
	while (*text && !ret) {
		const char *eol = strchrnul(text, '\n');

		ret = add_kallsyms_line(f, d, text, eol);
		text = eol + (*eol == '\n');
	}
	return ret;
}

/* u64 n, { u64 event, u64 id } × n: ids of events that were opened later */
static int apply_event_ids(struct data_file *f, struct cursor *c)
{
	uint64_t n = cursor_u64(c);
	int ret = 0;

	for (uint64_t i = 0; i < n && cursor_left(c) >= 16 && !ret; i++) {
		uint64_t event = cursor_u64(c), id = cursor_u64(c);

		if (event < f->events.n)
			ret = event_table_add_id(&f->events, id, (uint32_t)event);
	}
	return ret;
}

static int apply(struct data_file *f, uint32_t type, const uint8_t *body, size_t n)
{
	struct cursor c;

	cursor_init(&c, body, n, f->swap);
	switch (type) {
	case PTUI_SIMPLEPERF_KERNEL_SYMBOL:
		return apply_kernel_symbols(f, &c);
	case PTUI_SIMPLEPERF_DSO:
		return apply_dso(f, &c);
	case PTUI_SIMPLEPERF_SYMBOL:
		return apply_symbol(f, &c);
	case PTUI_SIMPLEPERF_EVENT_ID:
		return apply_event_ids(f, &c);
	default:
		return 0;
	}
}

/* The record that the parts make up. */
static int apply_split(struct data_file *f)
{
	const uint8_t *at = (const uint8_t *)f->split.data;
	struct record_head h;
	int ret = 0;

	if (f->split.len >= DATA_RECORD_HEADER_BYTES) {
		h = record_decode_head(at, f->swap);
		if (h.size == f->split.len)
			ret = apply(f, h.type, at + DATA_RECORD_HEADER_BYTES,
				    h.size - DATA_RECORD_HEADER_BYTES);
	}
	buf_clear(&f->split);
	return ret;
}

int simpleperf_apply_record(struct data_file *f, const struct data_record *rec)
{
	if (rec->type == PTUI_SIMPLEPERF_SPLIT_END)
		return apply_split(f);
	if (rec->type != PTUI_SIMPLEPERF_SPLIT)
		return apply(f, rec->type, rec->body, rec->body_bytes);
	if (f->split.len + rec->body_bytes > SPLIT_BYTES_MAX)
		return 0;
	buf_add(&f->split, rec->body, rec->body_bytes);
	return f->split.err ? -ENOMEM : 0;
}

bool simpleperf_has_init_map(const struct data_file *f)
{
	const struct data_feature_slot *maps = &f->features[PTUI_FEAT_SIMPLEPERF_INIT_MAP];

	return !f->pipe && maps->present && maps->size;
}

bool simpleperf_is_meta(uint32_t type)
{
	return type >= PTUI_SIMPLEPERF_KERNEL_SYMBOL && type <= PTUI_SIMPLEPERF_EVENT_ID;
}
