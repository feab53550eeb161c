/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include "base/cursor.h"
#include "base/vec.h"
#include "record/buildid.h"

#define NOTE_GNU_BUILD_ID 3 /* the gABI's NT_GNU_BUILD_ID */

void buildids_init(struct buildids *b, const struct roots *roots, buildid_fn fn, void *ctx)
{
	memset(b, 0, sizeof(*b));
	b->roots = roots;
	b->fn = fn;
	b->ctx = ctx;
	index_table_init(&b->index);
}

void buildids_release(struct buildids *b)
{
	index_table_release(&b->index);
	free(b->v);
	memset(b, 0, sizeof(*b));
}

static bool same_file(const void *owner, uint32_t index, const void *key)
{
	const struct buildids *b = owner;
	const struct buildid_entry *k = key;

	return b->v[index].dev == k->dev && b->v[index].ino == k->ino;
}

/* Whether `path` is the mapped file. Devices are not compared: overlayfs and btrfs give others. */
static bool is_mapped_file(const char *path, const struct data_mmap *m)
{
	struct stat st;

	return !stat(path, &st) && S_ISREG(st.st_mode) && st.st_ino == m->ino;
}

static void ask(struct buildids *b, const struct data_mmap *m, struct buildid_entry *entry)
{
	struct buf path = BUF_INIT;
	const char *at = m->path;
	int bytes;

	if (!is_mapped_file(at, m)) {
		/* Another mount namespace, as in a container. */
		buf_addf(&path, "%s/%d/root%s", b->roots->proc, (int)m->pid, m->path);
		at = path.err || !is_mapped_file(buf_str(&path), m) ? NULL : buf_str(&path);
	}
	if (at) {
		bytes = b->fn(b->ctx, at, entry->id);
		if (bytes > 0 && bytes <= DATA_BUILD_ID_MAX)
			entry->bytes = (uint8_t)bytes;
	}
	buf_release(&path);
}

static void apply(const struct buildid_entry *entry, struct data_mmap *m)
{
	m->build_id_bytes = entry->bytes;
	memcpy(m->build_id, entry->id, sizeof(m->build_id));
}

void buildids_of_map(struct buildids *b, struct data_mmap *m)
{
	struct buildid_entry entry;
	uint64_t hash;
	uint32_t i;

	if (b->off || !b->fn || m->path[0] != '/' || !m->ino)
		return;
	memset(&entry, 0, sizeof(entry));
	entry.dev = makedev(m->maj, m->min);
	entry.ino = m->ino;
	hash = hash_pair(entry.dev, entry.ino);
	i = index_table_find(&b->index, hash, same_file, b, &entry);
	if (i != PTUI_NONE) {
		apply(&b->v[i], m);
		return;
	}
	ask(b, m, &entry);
	apply(&entry, m);
	/* Out of memory here only means to ask again. */
	if (vec_grow(&b->v, &b->cap, b->n + 1) == 0 &&
	    index_table_add(&b->index, hash, (uint32_t)b->n) == 0)
		b->v[b->n++] = entry;
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

	if (b->off)
		return;
	if (module)
		ret = file_readf(&notes, 65536, "%s/module/%s/notes/.note.gnu.build-id",
				 b->roots->sysfs, module);
	else
		ret = file_readf(&notes, 65536, "%s/kernel/notes", b->roots->sysfs);
	if (!ret && notes.len)
		find_build_id_note(&notes, m);
	buf_release(&notes);
}
