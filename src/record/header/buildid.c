/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <fcntl.h>
#include <inttypes.h>
#include <linux/fs.h>
#include <linux/magic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/sysmacros.h>
#include <unistd.h>
#include "base/cursor.h"
#include "base/vec.h"
#include "record/header/buildid.h"

#define NOTE_GNU_BUILD_ID 3 /* NT_GNU_BUILD_ID of the gABI */

void buildids_init(struct buildids *b, const struct roots *roots, buildid_fn fn, void *ctx)
{
	memset(b, 0, sizeof(*b));
	b->roots = roots;
	b->fn = fn;
	b->ctx = ctx;
	pthread_mutex_init(&b->lock, NULL);
	index_table_init(&b->index);
}

void buildids_release(struct buildids *b)
{
	index_table_release(&b->index);
	free(b->v);
	pthread_mutex_destroy(&b->lock);
	memset(b, 0, sizeof(*b));
}

/* ---- the mapped file ---- */

/*
 * The device of the file system as in /proc/PID/maps: btrfs and overlayfs report others in stat().
 */
static dev_t device_of_mount(struct buildids *b, int fd)
{
	struct buf text = BUF_INIT;
	unsigned maj = 0, min = 0, id;
	struct statx x;
	const char *line;

	if (statx(fd, "", AT_EMPTY_PATH, STATX_MNT_ID, &x) || !(x.stx_mask & STATX_MNT_ID) ||
	    file_readf(&text, 16U << 20, "%s/self/mountinfo", b->roots->proc)) {
		buf_release(&text);
		return 0;
	}
	for (line = buf_str(&text); *line; line += strcspn(line, "\n"), line += *line == '\n')
		if (sscanf(line, "%u %*u %u:%u", &id, &maj, &min) == 3 && id == x.stx_mnt_id)
			break;
	if (!*line)
		maj = min = 0;
	buf_release(&text);
	return makedev(maj, min);
}

/* Only the kernel knows the device below an overlay. */
static bool is_overlay(int fd)
{
	struct statfs fs;

	return !fstatfs(fd, &fs) && (unsigned long)fs.f_type == OVERLAYFS_SUPER_MAGIC;
}

static bool is_same_device(struct buildids *b, int fd, const struct stat *st,
			   const struct data_mmap *m)
{
	dev_t dev = makedev(m->maj, m->min);

	return st->st_dev == dev || device_of_mount(b, fd) == dev || is_overlay(fd);
}

/* 0: not supported by the file system. */
static uint64_t generation_of(int fd)
{
	unsigned long generation = 0; /* the kernel writes an int */

	return ioctl(fd, FS_IOC_GETVERSION, &generation) ? 0 : (uint32_t)generation;
}

/* /proc/PID/maps has no generation: 0 matches any. */
static bool is_same_generation(uint64_t of_file, const struct data_mmap *m)
{
	return !of_file || !m->ino_generation || of_file == m->ino_generation;
}

static bool is_same_inode(const struct stat *st, const struct data_mmap *m)
{
	return S_ISREG(st->st_mode) && st->st_ino == m->ino;
}

/* Opens `path` if it is the mapped file, else returns -1. Opens regular files only. */
static int open_mapped_file(struct buildids *b, const char *path, const struct data_mmap *m,
			    struct stat *st, struct buildid_entry *entry)
{
	int fd;

	if (stat(path, st) || !is_same_inode(st, m))
		return -1;
	fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	if (fd < 0)
		return -1;
	if (!fstat(fd, st) && is_same_inode(st, m) && is_same_device(b, fd, st, m)) {
		entry->generation = generation_of(fd);
		if (is_same_generation(entry->generation, m))
			return fd;
	}
	close(fd);
	return -1;
}

/* ---- the cache of files ---- */

static bool same_file(const void *owner, uint32_t index, const void *key)
{
	const struct buildids *b = owner;
	const struct buildid_entry *k = key;

	return b->v[index].dev == k->dev && b->v[index].ino == k->ino;
}

static uint64_t entry_hash(const struct buildid_entry *e)
{
	return hash_pair(e->dev, e->ino);
}

static bool is_unchanged(const struct buildid_entry *e, const struct stat *st)
{
	return e->changed.tv_sec == st->st_ctim.tv_sec && e->changed.tv_nsec == st->st_ctim.tv_nsec;
}

static void entry_apply(const struct buildid_entry *entry, struct data_mmap *m,
			struct timespec *ret_changed)
{
	*ret_changed = entry->changed;
	m->build_id_bytes = entry->bytes;
	memcpy(m->build_id, entry->id, sizeof(m->build_id));
}

/* Uses one stat(), without opening the file. */
static bool find_entry(struct buildids *b, const char *path, struct data_mmap *m,
		       struct timespec *ret_changed)
{
	struct buildid_entry key, *e;
	struct stat st;
	uint32_t i;

	if (stat(path, &st) || !is_same_inode(&st, m))
		return false;
	key.dev = st.st_dev;
	key.ino = st.st_ino;
	i = index_table_find(&b->index, entry_hash(&key), same_file, b, &key);
	if (i == PTUI_NONE)
		return false;
	e = &b->v[i];
	if (e->map_dev != makedev(m->maj, m->min) || !is_unchanged(e, &st) ||
	    !is_same_generation(e->generation, m))
		return false;
	entry_apply(e, m, ret_changed);
	return true;
}

static void forget_entries(struct buildids *b)
{
	index_table_release(&b->index);
	index_table_init(&b->index);
	b->n = 0;
}

/* Out of memory only means that the file is read again. */
static void keep_entry(struct buildids *b, const struct buildid_entry *entry)
{
	uint64_t hash = entry_hash(entry);
	uint32_t i = index_table_find(&b->index, hash, same_file, b, entry);

	if (i != PTUI_NONE) {
		b->v[i] = *entry;
		return;
	}
	if (b->max_entries && b->n >= b->max_entries)
		forget_entries(b);
	if (vec_grow(&b->v, &b->cap, b->n + 1) == 0 &&
	    index_table_add(&b->index, hash, (uint32_t)b->n) == 0)
		b->v[b->n++] = *entry;
}

/* Reads the notes through the open fd: the path may be replaced in between. */
static bool read_file(struct buildids *b, const char *path, struct data_mmap *m,
		      struct timespec *ret_changed)
{
	struct buildid_entry entry;
	struct stat before, after;
	char open_path[64];
	int fd, bytes;
	bool is_stable;

	memset(&entry, 0, sizeof(entry));
	fd = open_mapped_file(b, path, m, &before, &entry);
	if (fd < 0)
		return false;
	snprintf(open_path, sizeof(open_path), "/proc/self/fd/%d", fd);
	bytes = b->fn(b->ctx, open_path, entry.id);
	entry.bytes = bytes > 0 && bytes <= DATA_BUILD_ID_MAX ? (uint8_t)bytes : 0;
	entry.map_dev = makedev(m->maj, m->min);
	entry.dev = before.st_dev;
	entry.ino = before.st_ino;
	entry.changed = before.st_ctim;
	is_stable = !fstat(fd, &after) && is_unchanged(&entry, &after);
	close(fd);
	if (!is_stable)
		return false;
	keep_entry(b, &entry);
	entry_apply(&entry, m, ret_changed);
	return true;
}

static bool find_file(struct buildids *b, const char *path, struct data_mmap *m,
		      struct timespec *ret_changed)
{
	return find_entry(b, path, m, ret_changed) || read_file(b, path, m, ret_changed);
}

/* As the process sees it. */
static bool find_file_of_process(struct buildids *b, struct data_mmap *m,
				 struct timespec *ret_changed)
{
	struct buf folder = BUF_INIT, paths[3] = { BUF_INIT, BUF_INIT, BUF_INIT };
	bool found = false;

	buf_addf(&folder, "%s/%d", b->roots->proc, (int)m->pid);
	/* another mount namespace, as in a container */
	buf_addf(&paths[0], "%s/root%s", buf_str(&folder), m->path);
	/* deleted, or replaced */
	buf_addf(&paths[1], "%s/exe", buf_str(&folder));
	buf_addf(&paths[2], "%s/map_files/%" PRIx64 "-%" PRIx64, buf_str(&folder), m->start,
		 m->start + m->len);
	for (size_t i = 0; i < 3; i++) {
		found = found || (!folder.err && !paths[i].err &&
				  find_file(b, buf_str(&paths[i]), m, ret_changed));
		buf_release(&paths[i]);
	}
	buf_release(&folder);
	return found;
}

bool buildids_of_map(struct buildids *b, struct data_mmap *m, struct timespec *ret_changed)
{
	struct timespec changed = { 0, 0 };
	bool found;

	if (ret_changed)
		*ret_changed = changed;
	if (!b->fn || m->path[0] != '/' || !m->ino)
		return true; /* cannot have a build-id */
	pthread_mutex_lock(&b->lock);
	found = find_file(b, m->path, m, &changed) || find_file_of_process(b, m, &changed);
	pthread_mutex_unlock(&b->lock);
	if (ret_changed)
		*ret_changed = changed;
	return found;
}

/* ELF notes: u32 name bytes, u32 content bytes, u32 type, name, content, each padded to 4. */
static void find_build_id_note(const struct buf *notes, struct data_mmap *m)
{
	struct cursor c;

	cursor_init(&c, notes->data, notes->len, false);
	while (!c.bad && cursor_left(&c) >= 12) {
		uint32_t name_bytes = cursor_u32(&c);
		uint32_t bytes = cursor_u32(&c);
		uint32_t type = cursor_u32(&c);
		const char *name = cursor_bytes(&c, ((size_t)name_bytes + 3) & ~(size_t)3);
		const uint8_t *id = cursor_bytes(&c, ((size_t)bytes + 3) & ~(size_t)3);

		if (!name || !id || type != NOTE_GNU_BUILD_ID || name_bytes != 4 ||
		    memcmp(name, "GNU", 4) || !bytes || bytes > DATA_BUILD_ID_MAX)
			continue;
		m->build_id_bytes = (uint8_t)bytes;
		memcpy(m->build_id, id, bytes);
		return;
	}
}

void buildids_of_kernel(struct buildids *b, const char *module, struct data_mmap *m)
{
	struct buf notes = BUF_INIT;
	int ret;

	if (module)
		ret = file_readf(&notes, 65536, "%s/module/%s/notes/.note.gnu.build-id",
				 b->roots->sysfs, module);
	else
		ret = file_readf(&notes, 65536, "%s/kernel/notes", b->roots->sysfs);
	if (!ret && notes.len)
		find_build_id_note(&notes, m);
	buf_release(&notes);
}
