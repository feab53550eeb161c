/* SPDX-License-Identifier: GPL-2.0-or-later */
/* An open ELF file. */
#include "dso/dso.h"

#include <elfutils/libdwelf.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "base/file.h"
#include "base/i18n.h"
#include "dso/unpack.h"

#define PACKED_MAX (64 << 20) /* bytes of a packed file */

struct dso_file {
	atomic_uint refs;
	int fd; /* -1: an image in memory */
	char *image;
	bool packed;
	char *path;
	Elf *elf;
	struct dso_load *loads;
	size_t n_loads;
	uint8_t build_id[DSO_BUILD_ID_MAX];
	uint8_t build_id_bytes;
};

static void file_destroy(struct dso_file *f)
{
	if (!f)
		return;
	if (f->elf)
		elf_end(f->elf);
	if (f->fd >= 0)
		close(f->fd);
	free(f->image);
	free(f->loads);
	free(f->path);
	free(f);
}

static struct dso_file *file_new(const char *path, struct ptui_error *err)
{
	struct dso_file *f = calloc(1, sizeof(*f));

	if (f) {
		f->fd = -1;
		atomic_init(&f->refs, 1);
		f->path = strdup(path);
	}
	if (!f || !f->path) {
		ptui_error_nomem(err);
		file_destroy(f);
		return NULL;
	}
	return f;
}

static int loads_read(struct dso_file *f, struct ptui_error *err)
{
	size_t n = 0;

	if (elf_getphdrnum(f->elf, &n) < 0 || !n)
		return 0; /* relocatable file */
	f->loads = calloc(n, sizeof(*f->loads));
	if (!f->loads)
		return ptui_error_nomem(err);
	for (size_t i = 0; i < n && i <= INT_MAX; i++) {
		GElf_Phdr phdr;

		if (!gelf_getphdr(f->elf, (int)i, &phdr) || phdr.p_type != PT_LOAD)
			continue;
		f->loads[f->n_loads++] = (struct dso_load){ .vaddr = phdr.p_vaddr,
							    .off = phdr.p_offset,
							    .mem_bytes = phdr.p_memsz,
							    .file_bytes = phdr.p_filesz };
	}
	return 0;
}

static void build_id_read(struct dso_file *f)
{
	const void *id = NULL;
	ssize_t n = dwelf_elf_gnu_build_id(f->elf, &id);

	if (n <= 0 || n > DSO_BUILD_ID_MAX)
		return;
	memcpy(f->build_id, id, (size_t)n);
	f->build_id_bytes = (uint8_t)n;
}

static int build_id_check(const struct dso_file *f, const uint8_t *want, uint8_t n,
			  struct ptui_error *err)
{
	char have_text[DSO_BUILD_ID_TEXT], want_text[DSO_BUILD_ID_TEXT];

	if (!n || (n == f->build_id_bytes && !memcmp(want, f->build_id, n)))
		return 0;
	dso_build_id_format(want, n, want_text);
	if (!f->build_id_bytes)
		return ptui_error_set(err, PTUI_ERROR_FORMAT, ESTALE, f->path,
				      _("%s has no build-id, but the recording has %s"), f->path,
				      want_text);
	dso_build_id_format(f->build_id, f->build_id_bytes, have_text);
	return ptui_error_set(err, PTUI_ERROR_FORMAT, ESTALE, f->path,
			      _("%s has build-id %s, but the recording has %s"), f->path, have_text,
			      want_text);
}

/* The common part for files and images; f->elf may be NULL. */
static int file_finish(struct dso_file *f, const uint8_t *build_id, uint8_t build_id_bytes,
		       struct ptui_error *err)
{
	GElf_Ehdr ehdr;
	int ret;

	if (!f->elf || elf_kind(f->elf) != ELF_K_ELF || !gelf_getehdr(f->elf, &ehdr))
		return ptui_error_set(err, PTUI_ERROR_ELF, ENOEXEC, f->path,
				      _("%s is not an ELF file"), f->path);
	ret = loads_read(f, err);
	if (ret)
		return ret;
	build_id_read(f);
	return build_id_check(f, build_id, build_id_bytes, err);
}

/* What a kernel module may be packed with. */
struct packing {
	const char *magic, *name;
	int (*unpack)(const void *bytes, size_t n, struct buf *out);
};

/* NULL: not packed. */
static const struct packing *file_packing(int fd)
{
	static const struct packing packings[] = {
		{ "\x1f\x8b", "gzip", dso_unpack_gzip },
		{ "\xfd\x37zXZ", "xz", dso_unpack_xz },
		{ "\x28\xb5\x2f\xfd", "zstd", dso_unpack_zstd },
	};
	char head[6];
	ssize_t n = file_pread_full(fd, head, sizeof(head), 0);

	for (size_t i = 0; i < sizeof(packings) / sizeof(packings[0]); i++)
		if (n == (ssize_t)sizeof(head) &&
		    !memcmp(head, packings[i].magic, strlen(packings[i].magic)))
			return &packings[i];
	return NULL;
}

/* The image takes over the bytes. 0, or negative with err set. */
static int unpack(struct dso_file *f, const struct packing *p, size_t n, struct ptui_error *err)
{
	struct buf image = BUF_INIT;
	char *bytes = malloc(n);
	int ret = !bytes					    ? -ENOMEM :
		  file_pread_full(f->fd, bytes, n, 0) != (ssize_t)n ? -EBADMSG :
								      p->unpack(bytes, n, &image);

	free(bytes);
	n = image.len;
	if (!ret)
		f->image = buf_take(&image);
	if (f->image)
		f->elf = elf_memory(f->image, n);
	buf_release(&image);
	if (ret == -ENOTSUP)
		ptui_error_set(err, PTUI_ERROR_FORMAT, ENOTSUP, f->path,
			       _("%s is packed with %s, which this ptui was built without"),
			       f->path, p->name);
	else if (ret == -EFBIG)
		ptui_error_set(err, PTUI_ERROR_FORMAT, EFBIG, f->path,
			       _("%s has more than %u MiB when it is unpacked"), f->path,
			       (unsigned)(DSO_UNPACKED_MAX >> 20));
	else if (ret == -EBADMSG)
		ptui_error_set(err, PTUI_ERROR_FORMAT, EBADMSG, f->path,
			       _("%s is packed with %s, and damaged"), f->path, p->name);
	else if (ret)
		ptui_error_nomem(err);
	return ret;
}

/* Not mapped: the file may be truncated while it is read. */
static int file_begin(struct dso_file *f, const struct stat *st, struct ptui_error *err)
{
	const struct packing *p = st->st_size <= PACKED_MAX ? file_packing(f->fd) : NULL;

	f->packed = p != NULL;
	if (p)
		return unpack(f, p, (size_t)st->st_size, err);
	f->elf = elf_begin(f->fd, ELF_C_READ, NULL);
	return 0;
}

struct dso_file *dso_file_open_fd(int fd, const char *path, const uint8_t *build_id,
				  uint8_t build_id_bytes, struct ptui_error *err)
{
	struct dso_file *f = file_new(path, err);
	struct stat st;

	if (!f) {
		close(fd);
		return NULL;
	}
	f->fd = fd;
	if (fstat(f->fd, &st) < 0) {
		ptui_error_errno(err, errno, path, _("cannot open %s"), path);
		goto fail;
	}
	if (!S_ISREG(st.st_mode)) {
		ptui_error_set(err, PTUI_ERROR_FORMAT, ENOEXEC, path, _("%s is not a regular file"),
			       path);
		goto fail;
	}
	elf_version(EV_CURRENT);
	if (file_begin(f, &st, err) < 0 || file_finish(f, build_id, build_id_bytes, err) < 0)
		goto fail;
	return f;
fail:
	file_destroy(f);
	return NULL;
}

struct dso_file *dso_file_open(const char *path, const uint8_t *build_id, uint8_t build_id_bytes,
			       struct ptui_error *err)
{
	/* O_NONBLOCK: do not wait for the writer of a FIFO. */
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);

	if (fd < 0) {
		ptui_error_errno(err, errno, path, _("cannot open %s"), path);
		return NULL;
	}
	return dso_file_open_fd(fd, path, build_id, build_id_bytes, err);
}

struct dso_file *dso_file_open_image(const char *path, const void *bytes, size_t n,
				     const uint8_t *build_id, uint8_t build_id_bytes,
				     struct ptui_error *err)
{
	struct dso_file *f = file_new(path, err);

	if (!f)
		return NULL;
	f->image = malloc(n ? n : 1);
	if (!f->image) {
		ptui_error_nomem(err);
		goto fail;
	}
	memcpy(f->image, bytes, n);
	elf_version(EV_CURRENT);
	f->elf = elf_memory(f->image, n);
	if (file_finish(f, build_id, build_id_bytes, err) < 0)
		goto fail;
	return f;
fail:
	file_destroy(f);
	return NULL;
}

struct dso_file *dso_file_ref(struct dso_file *f)
{
	atomic_fetch_add_explicit(&f->refs, 1, memory_order_relaxed);
	return f;
}

void dso_file_unref(struct dso_file *f)
{
	if (f && atomic_fetch_sub_explicit(&f->refs, 1, memory_order_acq_rel) == 1)
		file_destroy(f);
}

Elf *dso_file_elf(struct dso_file *f)
{
	return f->elf;
}

const char *dso_file_path(const struct dso_file *f)
{
	return f->path;
}

int dso_file_fd(const struct dso_file *f)
{
	return f->packed || f->image ? -1 : f->fd;
}

uint8_t dso_file_build_id(struct dso_file *f, uint8_t ret_id[DSO_BUILD_ID_MAX])
{
	memcpy(ret_id, f->build_id, f->build_id_bytes);
	return f->build_id_bytes;
}

const struct dso_load *dso_file_loads(const struct dso_file *f, size_t *ret_n)
{
	*ret_n = f->n_loads;
	return f->loads;
}

/*
 * Uses the size in memory: .bss has no bytes in the file, but its symbols get offsets after it,
 * where they are not mistaken for code (as in tools/perf/util/symbol-elf.c).
 */
bool dso_file_rva_to_off(const struct dso_file *f, uint64_t rva, uint64_t *ret_off)
{
	for (size_t i = 0; i < f->n_loads; i++) {
		const struct dso_load *l = &f->loads[i];

		if (rva >= l->vaddr && rva - l->vaddr < l->mem_bytes) {
			*ret_off = rva - l->vaddr + l->off;
			return true;
		}
	}
	return false;
}

bool dso_file_off_to_rva(const struct dso_file *f, uint64_t off, uint64_t *ret_rva)
{
	for (size_t i = 0; i < f->n_loads; i++) {
		const struct dso_load *l = &f->loads[i];

		if (off >= l->off && off - l->off < l->file_bytes) {
			*ret_rva = off - l->off + l->vaddr;
			return true;
		}
	}
	return false;
}

Elf_Scn *dso_file_section(struct dso_file *f, uint32_t type, const char *name, GElf_Shdr *ret_shdr)
{
	Elf_Scn *scn = NULL;
	size_t names;

	if (elf_getshdrstrndx(f->elf, &names) < 0)
		return NULL;
	while ((scn = elf_nextscn(f->elf, scn))) {
		const char *have;

		if (!gelf_getshdr(scn, ret_shdr) || (type && ret_shdr->sh_type != type))
			continue;
		if (!name)
			return scn;
		have = elf_strptr(f->elf, names, ret_shdr->sh_name);
		if (have && !strcmp(have, name))
			return scn;
	}
	return NULL;
}

bool dso_file_has_section(struct dso_file *f, uint32_t type)
{
	GElf_Shdr shdr;

	return dso_file_section(f, type, NULL, &shdr);
}

uint64_t dso_file_section_end(struct dso_file *f, uint64_t off)
{
	Elf_Scn *scn = NULL;
	GElf_Shdr shdr;

	while ((scn = elf_nextscn(f->elf, scn)))
		if (gelf_getshdr(scn, &shdr) && shdr.sh_type != SHT_NOBITS &&
		    off >= shdr.sh_offset && off - shdr.sh_offset < shdr.sh_size)
			return shdr.sh_offset + shdr.sh_size;
	return UINT64_MAX;
}

bool dso_file_has_code(struct dso_file *f)
{
	GElf_Shdr shdr;
	Elf_Scn *scn = NULL;

	if (!elf_nextscn(f->elf, NULL))
		return f->n_loads > 0;
	while ((scn = elf_nextscn(f->elf, scn))) {
		if (gelf_getshdr(scn, &shdr) && shdr.sh_type == SHT_PROGBITS &&
		    shdr.sh_flags & SHF_EXECINSTR)
			return true;
	}
	return false;
}

int dso_file_place_sections(struct dso_file *f, struct dso_placed **ret, size_t *ret_n)
{
	const uint64_t code = SHF_ALLOC | SHF_EXECINSTR;
	struct dso_placed *v;
	Elf_Scn *scn = NULL;
	size_t names, n;
	uint64_t size = 0;

	if (elf_getshdrnum(f->elf, &n) < 0 || elf_getshdrstrndx(f->elf, &names) < 0)
		return -EINVAL;
	v = malloc((n + 1) * sizeof(*v));
	if (!v)
		return -ENOMEM;
	for (size_t i = 0; i < n; i++)
		v[i].at = UINT64_MAX;
	while ((scn = elf_nextscn(f->elf, scn))) {
		uint64_t align;
		const char *name;
		GElf_Shdr shdr;

		if (!gelf_getshdr(scn, &shdr) || (shdr.sh_flags & code) != code)
			continue;
		name = elf_strptr(f->elf, names, shdr.sh_name);
		if (!name || !strncmp(name, ".init", strlen(".init")))
			continue;
		align = shdr.sh_addralign ? shdr.sh_addralign : 1;
		if ((align & (align - 1)) || size + align < size)
			goto fail;
		size = (size + align - 1) & ~(align - 1);
		if (elf_ndxscn(scn) >= n || size + shdr.sh_size < size)
			goto fail;
		v[elf_ndxscn(scn)] = (struct dso_placed){ size, shdr.sh_size, shdr.sh_offset };
		size += shdr.sh_size;
	}
	*ret = v;
	*ret_n = n;
	return 0;
fail:
	free(v);
	return -EINVAL;
}

uint32_t dso_placed_find(const struct dso_placed *v, size_t n, uint64_t at)
{
	for (size_t i = 0; i < n; i++)
		if (v[i].at != UINT64_MAX && at >= v[i].at && at - v[i].at < v[i].bytes)
			return (uint32_t)i;
	return PTUI_NONE;
}

bool dso_file_debuglink(struct dso_file *f, char *ret_name, size_t bytes)
{
	GElf_Shdr shdr;
	Elf_Scn *scn = dso_file_section(f, SHT_PROGBITS, ".gnu_debuglink", &shdr);
	Elf_Data *data = scn ? elf_rawdata(scn, NULL) : NULL;
	const char *end;

	if (!data || !data->d_buf)
		return false;
	end = memchr(data->d_buf, 0, data->d_size);
	if (!end || end == data->d_buf || (size_t)(end - (const char *)data->d_buf) >= bytes)
		return false;
	memcpy(ret_name, data->d_buf, (size_t)(end - (const char *)data->d_buf) + 1);
	return true;
}

struct dso_file *dso_file_open_debugdata(struct dso_file *f, struct ptui_error *err)
{
	GElf_Shdr shdr;
	Elf_Scn *scn = dso_file_section(f, SHT_PROGBITS, ".gnu_debugdata", &shdr);
	Elf_Data *data = scn ? elf_rawdata(scn, NULL) : NULL;
	struct buf image = BUF_INIT;
	struct dso_file *ret = NULL;
	int failed;

	if (!data || !data->d_buf)
		return NULL;
	failed = dso_unpack_xz(data->d_buf, data->d_size, &image);
	if (failed == -ENOTSUP)
		ptui_error_set(
			err, PTUI_ERROR_FORMAT, ENOTSUP, f->path,
			_("%s has symbols in .gnu_debugdata, which this ptui was built without "
			  "liblzma to read"),
			f->path);
	else if (failed)
		ptui_error_set(err, PTUI_ERROR_FORMAT, EBADMSG, f->path,
			       _("section .gnu_debugdata of %s is damaged"), f->path);
	else
		ret = dso_file_open_image(f->path, image.data, image.len, NULL, 0, err);
	buf_release(&image);
	return ret;
}
