/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reading the build-id of a file with few reads, for many files. */
#include <elf.h>
#include <elfutils/libdwelf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "base/buf.h"
#include "base/cursor.h"
#include "base/file.h"
#include "dso/dso.h"

#define NOTES_MAX 65536 /* bytes of one PT_NOTE that are read */
#define PHDRS_MAX 512

void dso_build_id_format(const uint8_t *id, uint8_t bytes, char ret_text[DSO_BUILD_ID_TEXT])
{
	static const char digits[] = "0123456789abcdef";

	if (bytes > DSO_BUILD_ID_MAX)
		bytes = DSO_BUILD_ID_MAX;
	for (size_t i = 0; i < bytes; i++) {
		ret_text[2 * i] = digits[id[i] >> 4];
		ret_text[2 * i + 1] = digits[id[i] & 15];
	}
	ret_text[2 * bytes] = 0;
}

int dso_notes_build_id(const void *bytes, size_t n, bool swap, uint8_t ret_id[DSO_BUILD_ID_MAX])
{
	struct cursor c;

	cursor_init(&c, bytes, n, swap);
	while (cursor_left(&c) >= 12) {
		uint32_t name_bytes = cursor_u32(&c), desc_bytes = cursor_u32(&c);
		uint32_t type = cursor_u32(&c);
		const void *name = cursor_bytes(&c, ((uint64_t)name_bytes + 3) & ~3ULL);
		size_t padded = ((size_t)desc_bytes + 3) & ~(size_t)3;
		const void *desc;

		if (padded > cursor_left(&c)) /* the last one may lack padding */
			padded = desc_bytes;
		desc = cursor_bytes(&c, padded);
		if (!name || !desc)
			return 0;
		if (type != NT_GNU_BUILD_ID || name_bytes != 4 || memcmp(name, "GNU", 4))
			continue;
		if (!desc_bytes || desc_bytes > DSO_BUILD_ID_MAX)
			return 0;
		memcpy(ret_id, desc, desc_bytes);
		return (int)desc_bytes;
	}
	return 0;
}

struct note_seg {
	uint64_t off, bytes;
};

/* Finds the PT_NOTEs (at most `max`). Returns their number, or -1: no program headers. */
static int note_segs(int fd, const uint8_t *head, size_t n, bool wide, bool swap,
		     struct note_seg *segs, int max)
{
	uint8_t table[PHDRS_MAX * sizeof(Elf64_Phdr)];
	struct cursor c;
	uint64_t off;
	size_t entry, count;
	ssize_t got;
	int found = 0;

	cursor_init(&c, head, n, swap);
	cursor_bytes(&c, wide ? 32 : 28);
	off = wide ? cursor_u64(&c) : cursor_u32(&c);
	cursor_bytes(&c, wide ? 14 : 10); /* e_shoff, e_flags, e_ehsize */
	entry = cursor_u16(&c);
	count = cursor_u16(&c);
	if (c.bad || !count || entry < (wide ? sizeof(Elf64_Phdr) : sizeof(Elf32_Phdr)) ||
	    entry > sizeof(Elf64_Phdr) || off > INT64_MAX)
		return -1;
	if (count > PHDRS_MAX)
		count = PHDRS_MAX;
	got = file_pread_full(fd, table, count * entry, (off_t)off);
	for (size_t i = 0; got > 0 && (i + 1) * entry <= (size_t)got && found < max; i++) {
		cursor_init(&c, table + i * entry, entry, swap);
		if (cursor_u32(&c) != PT_NOTE)
			continue;
		if (wide)
			cursor_u32(&c); /* p_flags */
		segs[found].off = wide ? cursor_u64(&c) : cursor_u32(&c);
		cursor_bytes(&c, wide ? 16 : 8); /* p_vaddr, p_paddr */
		segs[found].bytes = wide ? cursor_u64(&c) : cursor_u32(&c);
		if (segs[found].off <= INT64_MAX)
			found++;
	}
	return found;
}

static int read_notes(int fd, const struct note_seg *seg, bool swap,
		      uint8_t ret_id[DSO_BUILD_ID_MAX])
{
	uint8_t small[1024], *notes = small;
	size_t n = seg->bytes < NOTES_MAX ? (size_t)seg->bytes : NOTES_MAX;
	ssize_t got;
	int ret = 0;

	if (n > sizeof(small))
		notes = malloc(n);
	if (!notes)
		return -ENOMEM;
	got = file_pread_full(fd, notes, n, (off_t)seg->off);
	if (got > 0)
		ret = dso_notes_build_id(notes, (size_t)got, swap, ret_id);
	if (notes != small)
		free(notes);
	return ret;
}

/* For relocatable files (kernel modules), which have only sections. */
static int build_id_by_sections(int fd, uint8_t ret_id[DSO_BUILD_ID_MAX])
{
	const void *id = NULL;
	ssize_t n = -1;
	Elf *elf;

	elf_version(EV_CURRENT);
	elf = elf_begin(fd, ELF_C_READ, NULL);
	if (elf && elf_kind(elf) == ELF_K_ELF)
		n = dwelf_elf_gnu_build_id(elf, &id);
	if (n > 0 && n <= DSO_BUILD_ID_MAX)
		memcpy(ret_id, id, (size_t)n);
	else
		n = 0;
	if (elf)
		elf_end(elf);
	return (int)n;
}

int dso_read_build_id(const char *path, uint8_t ret_id[DSO_BUILD_ID_MAX])
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	uint8_t head[sizeof(Elf64_Ehdr)];
	struct note_seg segs[16];
	struct stat st;
	ssize_t got;
	bool wide, swap;
	int ret, n;

	if (fd < 0)
		return -errno;
	ret = -ENOEXEC;
	if (fstat(fd, &st) < 0 || !S_ISREG(st.st_mode))
		goto out;
	got = file_pread_full(fd, head, sizeof(head), 0);
	if (got < (ssize_t)sizeof(Elf32_Ehdr) || memcmp(head, ELFMAG, SELFMAG))
		goto out;
	wide = head[EI_CLASS] == ELFCLASS64;
	swap = (head[EI_DATA] == ELFDATA2MSB) != (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);
	n = note_segs(fd, head, (size_t)got, wide, swap, segs, 16);
	ret = n < 0 ? build_id_by_sections(fd, ret_id) : 0;
	for (int i = 0; i < n && !ret; i++)
		ret = read_notes(fd, &segs[i], swap, ret_id);
out:
	close(fd);
	return ret;
}

int dso_read_kernel_build_id(const struct roots *roots, uint8_t ret_id[DSO_BUILD_ID_MAX])
{
	struct buf notes = BUF_INIT;
	int ret = file_readf(&notes, NOTES_MAX, "%s/kernel/notes", roots->sysfs);

	if (!ret)
		ret = dso_notes_build_id(notes.data, notes.len, false, ret_id);
	buf_release(&notes);
	return ret;
}
