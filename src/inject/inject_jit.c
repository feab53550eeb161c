/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Code of JIT compilers (symbol/jitdump.h). A compiler maps its jitdump file, which the recording has
 * as a map. As perf inject -j does, that map is replaced by one for each piece of code, of an ELF file
 * written beside the jitdump file:
 *
 *	MMAP2 /tmp/jit-17.dump  ->  MMAP2 time 5 [A, A+size) /tmp/jitted-17-0.so
 *				    MMAP2 time 9 [A, A+size) /tmp/jitted-17-1.so  ...
 *
 * Their times are later than that of their place in the file, so the output has no rounds, and readers
 * sort it as a whole.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include "base/file.h"
#include "base/hash.h"
#include "base/i18n.h"
#include "inject/jit_elf.h"
#include "inject/private.h"
#include "ptui/log.h"

struct jit_file {
	struct inject *j;
	const struct data_mmap *marker;
	struct jitdump *dump;
	int fd;
	struct index_table offsets, numbers; /* maps by the offset and the number of their code */
	struct buf path, elf, record;
};

int inject_jit_check(struct inject *j)
{
	if (jit_maps_same_clock(j->file))
		return 0;
	ptui_error_set(j->err, PTUI_ERROR_INPUT, EINVAL, NULL,
		       _("-j: the times of the recording are not those of jitdump files"));
	ptui_error_hint(j->err, _("record with -k mono"));
	return -EINVAL;
}

static bool same_offset(const void *owner, uint32_t i, const void *key)
{
	return jitdump_map(((const struct jit_file *)owner)->dump, i)->off ==
	       *(const uint64_t *)key;
}

static bool same_number(const void *owner, uint32_t i, const void *key)
{
	return jitdump_map(((const struct jit_file *)owner)->dump, i)->index ==
	       *(const uint64_t *)key;
}

/* The first map with this key; `i` itself if there is none. PTUI_NONE: no memory. */
static uint32_t first_of(struct jit_file *f, struct index_table *t,
			 bool (*same)(const void *owner, uint32_t i, const void *key), uint64_t key,
			 uint32_t i)
{
	uint32_t first = index_table_find(t, hash_u64(key), same, f, &key);

	if (first != PTUI_NONE)
		return first;
	return index_table_add(t, hash_u64(key), i) ? PTUI_NONE : i;
}

/* "/tmp/jitted-17-3.so"; a compiler that uses a number twice gets the offset into the second name. */
static void set_path(struct jit_file *f, const struct jitdump_map *map, bool again)
{
	const char *slash = strrchr(f->marker->path, '/');

	buf_clear(&f->path);
	buf_add(&f->path, f->marker->path, slash ? (size_t)(slash - f->marker->path) + 1 : 0);
	buf_addf(&f->path, "jitted-%d-%llu", (int)f->marker->pid, (unsigned long long)map->index);
	if (again)
		buf_addf(&f->path, "-%llx", (unsigned long long)map->off);
	buf_add_str(&f->path, ".so");
}

static int write_file(const char *path, const struct buf *bytes)
{
	struct buf temp = BUF_INIT;
	int fd, ret;

	buf_addf(&temp, "%s.XXXXXX", path);
	fd = temp.err ? -1 : mkostemp(temp.data, O_CLOEXEC);
	ret = temp.err ? -ENOMEM : fd < 0 ? -errno : file_write_all(fd, bytes->data, bytes->len);
	if (fd >= 0) {
		if (!ret && fchmod(fd, 0644))
			ret = -errno;
		if (close(fd) && !ret)
			ret = -errno;
		if (!ret && rename(temp.data, path))
			ret = -errno;
		if (ret)
			unlink(temp.data);
	}
	buf_release(&temp);
	return ret;
}

/* The bytes of the code come from the file. */
static int write_code(struct jit_file *f, const struct jitdump_map *map)
{
	struct jit_code code = { .name = map->name,
				 .machine = (uint16_t)jitdump_machine(f->dump),
				 .n = map->bytes,
				 .off = map->off };
	void *bytes = malloc(map->bytes);
	ssize_t n = bytes ? file_pread_full(f->fd, bytes, map->bytes, (off_t)map->off) : -ENOMEM;
	int ret = n < 0 ? (int)n : (uint64_t)n < map->bytes ? -EBADMSG : 0;

	code.bytes = bytes;
	code.lines = jitdump_lines(f->dump, map->off, map->bytes, &code.n_lines);
	buf_clear(&f->elf);
	if (!ret)
		ret = jit_elf_make(&code, &f->elf);
	free(bytes);
	if (!ret)
		ret = write_file(buf_str(&f->path), &f->elf);
	f->j->result->jit_functions += !ret;
	return ret;
}

static int put_map(struct jit_file *f, const struct jitdump_map *map)
{
	const struct data_event *e = data_event(f->j->file, 0);
	struct data_mmap m = { .pid = f->marker->pid,
			       .tid = f->marker->tid,
			       .start = map->addr,
			       .len = map->bytes,
			       .pgoff = JIT_ELF_TEXT_OFF,
			       .prot = PROT_READ | PROT_EXEC,
			       .flags = MAP_SHARED,
			       .path = buf_str(&f->path) };
	const struct data_id id = {
		.pid = m.pid, .tid = m.tid, .time_ns = map->time_ns, .id = e->n_ids ? e->ids[0] : 0
	};
	struct stat st;
	int ret;

	if (!stat(m.path, &st)) {
		m.maj = (uint32_t)(st.st_dev >> 8 & 0xfff);
		m.min = (uint32_t)(st.st_dev & 0xff);
		m.ino = st.st_ino;
	}
	buf_clear(&f->record);
	ret = data_put_mmap2(&f->record, &m, DATA_MODE_USER, data_event_attr(f->j->file, 0), &id);
	return ret ? ret : inject_put(f->j, f->record.data, f->record.len);
}

/* Code that was moved keeps its file. */
static int add_code(struct jit_file *f, uint32_t i)
{
	const struct jitdump_map *map = jitdump_map(f->dump, i);
	uint32_t same = first_of(f, &f->offsets, same_offset, map->off, i);
	uint32_t number = first_of(f, &f->numbers, same_number, map->index, i);
	int ret = 0;

	if (same == PTUI_NONE || number == PTUI_NONE)
		return -ENOMEM;
	set_path(f, map, jitdump_map(f->dump, number)->off != map->off);
	if (f->path.err)
		return -ENOMEM;
	if (same == i)
		ret = write_code(f, map);
	return ret ? ret : put_map(f, map);
}

static int add_codes(struct jit_file *f)
{
	int ret = 0;

	for (uint32_t i = 0; i < jitdump_n_maps(f->dump) && !ret; i++)
		ret = add_code(f, i);
	if (ret && !ptui_error_is_set(f->j->err))
		ptui_error_errno(f->j->err, -ret, buf_str(&f->path), _("cannot write %s"),
				 buf_str(&f->path));
	return ret;
}

/* A jitdump file that cannot be used is named in a warning; its map stays. */
static bool open_dump(struct jit_file *f)
{
	struct ptui_error err = PTUI_ERROR_INIT;
	const char *path = f->marker->path;

	f->fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	if (f->fd < 0) {
		ptui_log(PTUI_LOG_WARN, "inject", _("cannot open %s: %s"), path, strerror(errno));
		return false;
	}
	f->dump = jitdump_read(f->fd, path, &err);
	if (!f->dump)
		ptui_log(PTUI_LOG_WARN, "inject", "%s", err.text);
	else if (!jitdump_is_timed(f->dump))
		ptui_log(PTUI_LOG_WARN, "inject",
			 _("%s: its times are those of the processor's counter, not of -k mono"),
			 path);
	return f->dump && jitdump_is_timed(f->dump);
}

int inject_jit_map(struct inject *j, const struct data_record *rec)
{
	struct jit_file f = { .j = j, .marker = &rec->mmap, .fd = -1 };
	size_t known = j->jit.n;
	int ret = 0;

	if ((rec->type != PERF_RECORD_MMAP && rec->type != PERF_RECORD_MMAP2) || !rec->mmap.path ||
	    rec->mmap.pid <= 0 || !jitdump_is_name(rec->mmap.path))
		return 0;
	if (jit_maps_note(&j->jit, rec))
		return ptui_error_nomem(j->err);
	if (j->jit.n == known)
		return 1; /* mapped again */
	index_table_init(&f.offsets);
	index_table_init(&f.numbers);
	if (open_dump(&f)) {
		j->result->bytes_in += sizeof(struct perf_event_header) + rec->body_bytes;
		ret = add_codes(&f);
		ret = ret ? ret : 1;
	}
	jitdump_free(f.dump);
	if (f.fd >= 0)
		close(f.fd);
	index_table_release(&f.offsets);
	index_table_release(&f.numbers);
	buf_release(&f.path);
	buf_release(&f.elf);
	buf_release(&f.record);
	return ret;
}
