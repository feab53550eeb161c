/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "symbol/jitdump.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "base/cursor.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/i18n.h"
#include "base/vec.h"
#include "symbol/builder.h"

#define MAGIC		 0x4A695444u
#define MAX_BYTES	 ((uint64_t)1 << 30)
#define RECORD_HEADER	 16u
#define FLAG_CPU_CLOCK	 1u /* times are from the processor's counter */
#define MAX_HEADER_BYTES 4096u

enum record_id {
	RECORD_LOAD,
	RECORD_MOVE,
	RECORD_DEBUG_INFO,
	RECORD_CLOSE,
	RECORD_UNWINDING_INFO,
};

struct code {
	const char *name;
	uint64_t addr, bytes, off, index;
};

struct jitdump {
	struct arena names;
	struct code *codes; /* by offset */
	size_t n_codes, cap_codes;
	struct index_table codes_index; /* by the compiler's code id */
	uint32_t *by_addr;		/* codes, sorted by their last address and then by age */
	struct jitdump_map *maps;
	size_t n_maps, cap_maps;
	struct jitdump_line *lines; /* sorted by offset */
	size_t n_lines, cap_lines;
	size_t n_new_lines; /* of the next code: `off` is still an address */
	bool swap, timed;
	uint16_t machine;
};

bool jitdump_is_name(const char *path)
{
	const char *slash = strrchr(path, '/'), *p = slash ? slash + 1 : path;
	size_t digits;

	if (strncmp(p, "jit-", 4))
		return false;
	p += 4;
	digits = strspn(p, "0123456789");
	return digits && !strcmp(p + digits, ".dump");
}

/* A string that ends within the record. */
static const char *cursor_text(struct cursor *c)
{
	const char *text = (const char *)c->p;
	size_t n = strnlen(text, cursor_left(c));

	if (n == cursor_left(c)) {
		c->bad = true;
		return NULL;
	}
	cursor_bytes(c, n + 1);
	return text;
}

static int add_map(struct jitdump *d, uint64_t time_ns, const struct code *code, uint64_t addr)
{
	if (!code->bytes || addr + code->bytes < addr)
		return 0;
	if (vec_grow(&d->maps, &d->cap_maps, d->n_maps + 1) < 0)
		return -ENOMEM;
	d->maps[d->n_maps++] = (struct jitdump_map){ .time_ns = time_ns,
						     .addr = addr,
						     .bytes = code->bytes,
						     .off = code->off,
						     .name = code->name,
						     .index = code->index };
	return 0;
}

/* Line records precede their code and have addresses: converts them to offsets. */
static void place_lines(struct jitdump *d, const struct code *code)
{
	size_t from = d->n_lines - d->n_new_lines, kept = from;

	for (size_t i = from; i < d->n_lines; i++) {
		uint64_t addr = d->lines[i].off;

		if (addr < code->addr || addr - code->addr >= code->bytes)
			continue;
		d->lines[kept] = d->lines[i];
		d->lines[kept++].off = addr - code->addr + code->off;
	}
	d->n_lines = kept;
	d->n_new_lines = 0;
}

static bool same_code(const void *owner, uint32_t i, const void *key)
{
	return ((const struct jitdump *)owner)->codes[i].index == *(const uint64_t *)key;
}

static int add_load(struct jitdump *d, struct cursor *c, uint64_t time_ns, const uint8_t *file)
{
	struct code code;
	const char *name;

	cursor_bytes(c, 4 + 4 + 8); /* pid, tid, vma */
	code.addr = cursor_u64(c);
	code.bytes = cursor_u64(c);
	code.index = cursor_u64(c);
	name = cursor_text(c);
	if (c->bad || code.bytes > cursor_left(c))
		return -EBADMSG;
	code.off = (uint64_t)(c->p - file);
	code.name = arena_strdup(&d->names, name);
	if (!code.name || vec_grow(&d->codes, &d->cap_codes, d->n_codes + 1) < 0)
		return -ENOMEM;
	if (d->n_codes >= PTUI_NONE ||
	    index_table_add(&d->codes_index, hash_u64(code.index), (uint32_t)d->n_codes) < 0)
		return -ENOMEM;
	d->codes[d->n_codes++] = code;
	place_lines(d, &code);
	return add_map(d, time_ns, &code, code.addr);
}

static struct code *find_code(struct jitdump *d, uint64_t index)
{
	uint32_t i = index_table_find(&d->codes_index, hash_u64(index), same_code, d, &index);

	return i == PTUI_NONE ? NULL : &d->codes[i];
}

static int add_move(struct jitdump *d, struct cursor *c, uint64_t time_ns)
{
	uint64_t addr, index;
	struct code *code;

	cursor_bytes(c, 4 + 4 + 8 + 8); /* pid, tid, vma, old address */
	addr = cursor_u64(c);
	cursor_u64(c); /* bytes */
	index = cursor_u64(c);
	if (c->bad)
		return -EBADMSG;
	code = find_code(d, index);
	if (!code)
		return 0;
	code->addr = addr;
	return add_map(d, time_ns, code, addr);
}

static int add_lines(struct jitdump *d, struct cursor *c)
{
	uint64_t n;

	cursor_u64(c); /* address of the code */
	n = cursor_u64(c);
	d->n_lines -= d->n_new_lines; /* their code is missing */
	d->n_new_lines = 0;
	for (uint64_t i = 0; i < n && !c->bad; i++) {
		struct jitdump_line line = { .off = cursor_u64(c), .line = cursor_u32(c) };
		const char *name;

		cursor_u32(c); /* discriminator */
		name = cursor_text(c);
		if (c->bad)
			return -EBADMSG;
		/* 0xff 0: the same file as before */
		if (!strcmp(name, "\xff") && d->n_lines)
			line.file = d->lines[d->n_lines - 1].file;
		else
			line.file = arena_strdup(&d->names, name);
		if (!line.file || vec_grow(&d->lines, &d->cap_lines, d->n_lines + 1) < 0)
			return -ENOMEM;
		d->lines[d->n_lines++] = line;
		d->n_new_lines++;
	}
	return 0;
}

static int read_records(struct jitdump *d, const uint8_t *file, size_t at, size_t size)
{
	int ret = 0;

	while (!ret && size - at >= RECORD_HEADER) {
		struct cursor c;
		uint32_t id, bytes;
		uint64_t time_ns;

		cursor_init(&c, file + at, size - at, d->swap);
		id = cursor_u32(&c);
		bytes = cursor_u32(&c);
		time_ns = cursor_u64(&c);
		if (bytes < RECORD_HEADER || bytes > size - at)
			break;
		cursor_init(&c, file + at + RECORD_HEADER, bytes - RECORD_HEADER, d->swap);
		if (id == RECORD_LOAD)
			ret = add_load(d, &c, time_ns, file);
		else if (id == RECORD_MOVE)
			ret = add_move(d, &c, time_ns);
		else if (id == RECORD_DEBUG_INFO)
			ret = add_lines(d, &c);
		else if (id == RECORD_CLOSE)
			break;
		at += bytes;
	}
	return ret == -ENOMEM ? ret : 0;
}

static int line_order(const void *va, const void *vb)
{
	const struct jitdump_line *a = va, *b = vb;

	return a->off < b->off ? -1 : a->off > b->off;
}

static int addr_order(const void *va, const void *vb, void *ctx)
{
	uint32_t a = *(const uint32_t *)va, b = *(const uint32_t *)vb;
	const struct code *codes = ctx;

	if (codes[a].addr != codes[b].addr)
		return codes[a].addr < codes[b].addr ? -1 : 1;
	return a < b ? -1 : a > b;
}

static int sort_codes(struct jitdump *d)
{
	d->by_addr = calloc(d->n_codes + 1, sizeof(*d->by_addr));
	if (!d->by_addr)
		return -ENOMEM;
	for (size_t i = 0; i < d->n_codes; i++)
		d->by_addr[i] = (uint32_t)i;
	qsort_r(d->by_addr, d->n_codes, sizeof(*d->by_addr), addr_order, d->codes);
	return 0;
}

static int parse(struct jitdump *d, const uint8_t *file, size_t size)
{
	uint32_t magic, header;
	struct cursor c;
	int ret;

	cursor_init(&c, file, size, false);
	magic = cursor_u32(&c);
	d->swap = magic == bswap_32(MAGIC);
	if (magic != MAGIC && !d->swap)
		return -EINVAL;
	cursor_init(&c, file + 4, size - 4, d->swap);
	if (cursor_u32(&c) != 1) /* version */
		return -EINVAL;
	header = cursor_u32(&c);
	d->machine = (uint16_t)cursor_u32(&c);
	cursor_bytes(&c, 4 + 4 + 8); /* padding, pid, time */
	d->timed = !(cursor_u64(&c) & FLAG_CPU_CLOCK);
	if (c.bad || header < 40 || header > MAX_HEADER_BYTES || header > size)
		return -EINVAL;
	ret = read_records(d, file, header, size);
	d->n_lines -= d->n_new_lines;
	d->n_new_lines = 0;
	if (d->n_lines)
		qsort(d->lines, d->n_lines, sizeof(*d->lines), line_order);
	return ret ? ret : sort_codes(d);
}

struct jitdump *jitdump_read(int fd, const char *path, struct ptui_error *err)
{
	struct jitdump *d = calloc(1, sizeof(*d));
	uint8_t *file = NULL;
	struct stat st;
	ssize_t n = -1;
	int ret = d ? 0 : -ENOMEM;

	if (d) {
		arena_init(&d->names);
		index_table_init(&d->codes_index);
	}
	if (!ret && (fstat(fd, &st) || !S_ISREG(st.st_mode) || (uint64_t)st.st_size > MAX_BYTES))
		ret = -EINVAL;
	if (!ret) {
		file = malloc((size_t)st.st_size + 1);
		ret = file ? 0 : -ENOMEM;
	}
	if (!ret) {
		n = file_pread_full(fd, file, (size_t)st.st_size, 0);
		ret = n < 4 ? -EINVAL : parse(d, file, (size_t)n);
	}
	free(file);
	if (!ret)
		return d;
	jitdump_free(d);
	if (ret == -ENOMEM)
		ptui_error_nomem(err);
	else
		ptui_error_set(err, PTUI_ERROR_FORMAT, EINVAL, path, _("%s is not a jitdump file"),
			       path);
	return NULL;
}

struct jitdump *jitdump_open(const char *symfs, const char *path, struct ptui_error *err)
{
	struct buf whole = BUF_INIT;
	struct jitdump *d = NULL;
	int fd;

	buf_addf(&whole, "%s%s", symfs ? symfs : "", path);
	fd = whole.err ? -1 : open(buf_str(&whole), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	if (fd >= 0) {
		d = jitdump_read(fd, buf_str(&whole), err);
		close(fd);
	}
	buf_release(&whole);
	return d;
}

void jitdump_free(struct jitdump *d)
{
	if (!d)
		return;
	arena_release(&d->names);
	index_table_release(&d->codes_index);
	free(d->codes);
	free(d->by_addr);
	free(d->maps);
	free(d->lines);
	free(d);
}

bool jitdump_is_timed(const struct jitdump *d)
{
	return d->timed;
}

size_t jitdump_n_maps(const struct jitdump *d)
{
	return d->n_maps;
}

const struct jitdump_map *jitdump_map(const struct jitdump *d, size_t i)
{
	return &d->maps[i];
}

/* The code that contains a file offset; NULL: none. */
static const struct code *code_at_offset(const struct jitdump *d, uint64_t off)
{
	size_t n = bisect(i, d->n_codes, d->codes[i].off <= off);

	return n && off - d->codes[n - 1].off < d->codes[n - 1].bytes ? &d->codes[n - 1] : NULL;
}

const struct jitdump_line *jitdump_find_line(const struct jitdump *d, uint64_t off)
{
	const struct code *code = code_at_offset(d, off);
	size_t n = bisect(i, d->n_lines, d->lines[i].off <= off);

	return code && n && d->lines[n - 1].off >= code->off ? &d->lines[n - 1] : NULL;
}

const struct jitdump_line *jitdump_lines(const struct jitdump *d, uint64_t off, uint64_t bytes,
					 size_t *ret_n)
{
	size_t from = bisect(i, d->n_lines, d->lines[i].off < off);
	size_t to = bisect(i, d->n_lines, d->lines[i].off < off + bytes);

	*ret_n = to - from;
	return to > from ? &d->lines[from] : NULL;
}

bool jitdump_find_offset(const struct jitdump *d, uint64_t addr, uint64_t *ret_off)
{
	size_t n = bisect(i, d->n_codes, d->codes[d->by_addr[i]].addr <= addr);
	const struct code *code = n ? &d->codes[d->by_addr[n - 1]] : NULL;

	if (!code || addr - code->addr >= code->bytes)
		return false;
	*ret_off = code->off + (addr - code->addr);
	return true;
}

bool jitdump_find_code(const struct jitdump *d, uint64_t off, struct jitdump_map *ret)
{
	const struct code *code = code_at_offset(d, off);

	if (!code)
		return false;
	*ret = (struct jitdump_map){ .addr = code->addr,
				     .bytes = code->bytes,
				     .off = code->off,
				     .name = code->name,
				     .index = code->index };
	return true;
}

uint16_t jitdump_machine(const struct jitdump *d)
{
	return d->machine;
}

bool jitdump_is_big_endian(const struct jitdump *d)
{
	return (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__) != d->swap;
}

struct symtab *symtab_from_jitdump(const struct jitdump *d, bool by_address, struct ptui_error *err)
{
	struct symtab *t = symtab_new();
	int ret = t ? 0 : -ENOMEM;

	for (size_t i = 0; i < d->n_codes && !ret; i++) {
		const struct code *code = &d->codes[i];
		struct symtab_entry e = { .start = by_address ? code->addr : code->off,
					  .binding = STB_GLOBAL,
					  .type = STT_FUNC };

		e.end = e.start + code->bytes;
		if (e.end > e.start)
			ret = symtab_add(t, &e, code->name, strlen(code->name));
	}
	if (!ret)
		ret = symtab_finish_code(t);
	if (!ret && t->n)
		return t;
	symtab_free(t);
	if (ret)
		ptui_error_nomem(err);
	else
		ptui_error_set(err, PTUI_ERROR_FORMAT, ENOENT, NULL,
			       _("the jitdump file has no code"));
	return NULL;
}
