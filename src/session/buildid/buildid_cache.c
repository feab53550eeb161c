/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * perf's build-id cache. A file is written under a temporary name and renamed, since other
 * processes read and fill the cache at the same time.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <linux/fs.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>
#include "base/i18n.h"
#include "base/perf_abi.h"
#include "dso/dso.h"
#include "session/buildid/buildid_entries.h"
#include "session/buildid/buildid_table.h"
#include "symbol/symtab.h"

#define COPY_BYTES     (1 << 16)
#define MAPS_BYTES_MAX (64U << 20)
#define DEBUG_ROOT     "/usr/lib/debug/.build-id"

enum kind {
	KIND_ELF,
	KIND_KALLSYMS,
	KIND_VDSO,
};

/* With mode 0755, as perf's mkdir_p(). */
int buildid_cache_make_folders(char *path)
{
	for (char *p = path + 1; *p; p++) {
		if (*p != '/')
			continue;
		*p = '\0';
		if (mkdir(path, 0755) && errno != EEXIST) {
			int ret = -errno;

			*p = '/';
			return ret;
		}
		*p = '/';
	}
	return mkdir(path, 0755) && errno != EEXIST ? -errno : 0;
}

static int copy_buffered(int in, int out)
{
	char *bytes = malloc(COPY_BYTES);
	ssize_t n = bytes ? 0 : -ENOMEM;

	while (bytes && (n = file_read_full(in, bytes, COPY_BYTES)) > 0) {
		int ret = file_write_all(out, bytes, (size_t)n);

		if (ret) {
			n = ret;
			break;
		}
	}
	free(bytes);
	return n < 0 ? (int)n : 0;
}

/* A reflink if possible; never a hard link, which would change with the original. */
static int copy_bytes(int in, int out)
{
	ssize_t n;

	if (!ioctl(out, FICLONE, in))
		return 0;
	while ((n = copy_file_range(in, NULL, out, NULL, (size_t)1 << 30, 0)) > 0)
		;
	/* copy_file_range() sees files in /proc as empty */
	return copy_buffered(in, out);
}

static bool has_build_id(const char *path, const struct data_build_id *item)
{
	uint8_t id[DSO_BUILD_ID_MAX];
	int bytes = dso_read_build_id(path, id);

	return bytes > 0 && bytes == item->bytes && !memcmp(id, item->id, (size_t)bytes);
}

static bool fd_has_build_id(int fd, const struct data_build_id *item)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	return has_build_id(path, item);
}

int buildid_cache_write(const char *to, int (*make)(void *ctx, int fd), void *ctx, mode_t mode)
{
	struct buf name = BUF_INIT;
	int fd, ret;

	buf_addf(&name, "%s.XXXXXX", to);
	buf_add_str(&name, "");
	if (name.err)
		return -ENOMEM;
	fd = mkostemp(name.data, O_CLOEXEC);
	ret = fd < 0 ? -errno : make(ctx, fd);
	if (fd >= 0) {
		if (!ret && fchmod(fd, mode & 0777))
			ret = -errno;
		if (close(fd) && !ret)
			ret = -errno;
		if (!ret && rename(name.data, to))
			ret = -errno;
		if (ret)
			unlink(name.data);
	}
	buf_release(&name);
	return ret;
}

static int write_copy(void *ctx, int fd)
{
	int in = open(ctx, O_RDONLY | O_CLOEXEC), ret;

	if (in < 0)
		return -errno;
	ret = copy_buffered(in, fd);
	close(in);
	return ret;
}

struct elf_copy {
	const struct data_build_id *item;
	int in;
};

/* Checks the copy rather than the original, which may change during the check. */
static int write_elf(void *ctx, int fd)
{
	const struct elf_copy *c = ctx;
	int ret = copy_bytes(c->in, fd);

	return ret ? ret : fd_has_build_id(fd, c->item) ? 0 : -ESTALE;
}

static int write_vdso(void *ctx, int fd)
{
	const char *image;
	size_t n = 0;
	struct dso_file *vdso = dso_vdso_open(NULL, 0, NULL);
	int ret;

	(void)ctx;
	image = vdso ? elf_rawfile(dso_file_elf(vdso), &n) : NULL;
	ret = image ? file_write_all(fd, image, n) : -ENOENT;
	dso_file_unref(vdso);
	return ret;
}

static bool is_same_inode(const struct stat *a, const struct stat *b)
{
	return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

/* Replaces an entry with another build-id, and a hard link to the file (perf makes those). */
static int put_elf(const char *to, const struct data_build_id *item, int in)
{
	struct elf_copy copy = { .item = item, .in = in };
	struct stat st, had;

	if (fstat(in, &st))
		return -errno;
	if (!stat(to, &had) && !is_same_inode(&st, &had) && has_build_id(to, item))
		return 0;
	return buildid_cache_write(to, write_elf, &copy, st.st_mode);
}

/* The length of a path without the kernel's mark of a deleted file. */
static size_t path_length(const char *path)
{
	static const char mark[] = " (deleted)";
	size_t n = strcspn(path, "\n"), m = sizeof(mark) - 1;

	return n > m && !memcmp(path + n - m, mark, m) ? n - m : n;
}

/* -ESTALE: another file. */
static int fd_checked(int fd, const struct data_build_id *item)
{
	if (fd < 0 || fd_has_build_id(fd, item))
		return fd;
	close(fd);
	return -ESTALE;
}

static int open_at(const struct buf *path)
{
	int fd = path->err ? -1 : open(path->data, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);

	return fd < 0 ? -ENOENT : fd;
}

/* Opens a file that was deleted or replaced, as the process still has it. -errno. */
static int open_mapped(const struct roots *roots, const struct data_build_id *item, int32_t pid)
{
	struct buf maps = BUF_INIT, path = BUF_INIT;
	size_t n = path_length(item->path);
	uint64_t start, end;
	int fd;

	buf_addf(&path, "%s/%d/exe", roots->proc, (int)pid); /* requires fewer rights */
	fd = fd_checked(open_at(&path), item);
	if (fd < 0)
		file_readf(&maps, MAPS_BYTES_MAX, "%s/%d/maps", roots->proc, (int)pid);
	for (const char *line = buf_str(&maps); *line && fd < 0;
	     line += strcspn(line, "\n"), line += *line == '\n') {
		const char *at = strpbrk(line, "/\n");

		if (!at || *at != '/' || path_length(at) != n || memcmp(at, item->path, n) ||
		    sscanf(line, "%" SCNx64 "-%" SCNx64, &start, &end) != 2)
			continue;
		buf_clear(&path);
		buf_addf(&path, "%s/%d/map_files/%" PRIx64 "-%" PRIx64, roots->proc, (int)pid,
			 start, end);
		fd = fd_checked(open_at(&path), item);
	}
	buf_release(&maps);
	buf_release(&path);
	return fd;
}

/*
 * Opens the file with the build-id: at its path as seen by the process or by us, or as the process has it.
 * -errno.
 */
static int open_elf(const struct roots *roots, const struct data_build_id *item, int32_t pid)
{
	struct buf root = BUF_INIT;
	int fd = -ENOENT, mapped;

	buf_addf(&root, "%s/%d/root", roots->proc, (int)pid);
	for (int own = pid <= 0; own < 2 && fd < 0; own++) {
		fd = file_open_in_root(own ? "/" : buf_str(&root), item->path);
		if (fd == -ENOSYS)
			fd = open(item->path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
		fd = fd_checked(fd, item);
	}
	buf_release(&root);
	mapped = fd < 0 && pid > 0 ? open_mapped(roots, item, pid) : -ENOENT;
	return mapped >= 0 ? mapped : fd;
}

static int put_entry(const char *to, enum kind kind, const struct roots *roots,
		     const struct data_build_id *item, int32_t pid, const char *kallsyms)
{
	int in, ret;

	if (kind == KIND_ELF) {
		in = open_elf(roots, item, pid);
		ret = in < 0 ? in : put_elf(to, item, in);
		if (in >= 0)
			close(in);
		return ret;
	}
	/* the path contains the build-id, so an existing entry is right */
	if (!access(to, F_OK))
		return 0;
	if (kind == KIND_VDSO)
		return buildid_cache_write(to, write_vdso, NULL, 0644);
	return buildid_cache_write(to, write_copy, (void *)(uintptr_t)kallsyms, 0644);
}

/* If addresses are hidden, all of them read as zero for non-root users. */
static bool kallsyms_hidden(const char *kallsyms)
{
	FILE *f = fopen(kallsyms, "re");
	bool hidden = true;
	char line[512];

	for (int i = 0; f && hidden && i < 100 && fgets(line, sizeof(line), f); i++)
		hidden = strtoull(line, NULL, 16) == 0;
	if (f)
		fclose(f);
	return hidden;
}

/* DIR/.build-id/93/ac61… -> ../../usr/lib/libc.so.6/93ac61…; a wrong link is replaced. */
static int put_link(const char *dir, const char *rest, const char *id)
{
	struct buf link = BUF_INIT, target = BUF_INIT;
	char had[4096];
	ssize_t n;
	int ret;

	buf_addf(&link, "%s/.build-id/%.2s", dir, id);
	buf_addf(&target, "../..%s", rest);
	buf_add_str(&link, "");
	ret = link.err || target.err ? -ENOMEM : buildid_cache_make_folders(link.data);
	buf_addf(&link, "/%s", id + 2);
	if (!ret && link.err)
		ret = -ENOMEM;
	if (!ret && symlink(buf_str(&target), buf_str(&link)))
		ret = -errno;
	if (ret == -EEXIST) {
		n = readlink(buf_str(&link), had, sizeof(had));
		ret = 0;
		if ((n < 0 || (size_t)n != target.len ||
		     memcmp(had, buf_str(&target), target.len)) &&
		    (unlink(buf_str(&link)) || symlink(buf_str(&target), buf_str(&link))))
			ret = -errno;
	}
	buf_release(&link);
	buf_release(&target);
	return ret;
}

/* Adds the file's separate debug symbols, if they are installed. */
static int put_debug(const char *folder, const char *id, const struct data_build_id *item)
{
	struct buf from = BUF_INIT, to = BUF_INIT;
	int in = -1, ret;

	buf_addf(&from, DEBUG_ROOT "/%.2s/%s.debug", id, id + 2);
	buf_addf(&to, "%s/debug", folder);
	ret = from.err || to.err ? -ENOMEM : 0;
	if (!ret)
		in = open(buf_str(&from), O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	if (in >= 0) {
		if (fd_has_build_id(in, item))
			ret = put_elf(buf_str(&to), item, in);
		close(in);
	}
	buf_release(&from);
	buf_release(&to);
	return ret;
}

int buildid_cache_fetch_debug(const char *dir, const struct data_build_id *item)
{
	char id[DSO_BUILD_ID_TEXT], *fetched = NULL;
	struct buf to = BUF_INIT;
	int in, ret;

	dso_build_id_format(item->id, item->bytes, id);
	buf_addf(&to, "%s%s/%s/debug", dir, item->path, id);
	if (to.err)
		return -ENOMEM;
	if (has_build_id(buf_str(&to), item)) {
		buf_release(&to);
		return 0;
	}
	in = dso_debuginfod_fetch(item->id, item->bytes, false, NULL, NULL, &fetched);
	ret = in < 0 ? in : put_elf(buf_str(&to), item, in);
	if (in >= 0)
		close(in);
	free(fetched);
	buf_release(&to);
	return ret;
}

/* Whether the link leads to a vmlinux file, which has more symbols than kallsyms. */
static bool has_vmlinux(const char *dir, const char *id)
{
	struct buf path = BUF_INIT;
	bool has;

	buf_addf(&path, "%s/.build-id/%.2s/%s/elf", dir, id, id + 2);
	has = !path.err && !access(buf_str(&path), F_OK);
	buf_release(&path);
	return has;
}

int buildid_cache_add(const char *dir, const struct roots *roots, const struct data_build_id *item,
		      int32_t pid)
{
	static const char *const names[] = { "elf", "kallsyms", "vdso" };
	enum kind kind = *item->path == '/'		       ? KIND_ELF :
			 item->misc == PERF_RECORD_MISC_KERNEL ? KIND_KALLSYMS :
								 KIND_VDSO;
	struct buf folder = BUF_INIT, file = BUF_INIT, kallsyms = BUF_INIT;
	char id[DSO_BUILD_ID_TEXT];
	int ret = 0;

	dso_build_id_format(item->id, item->bytes, id);
	buf_addf(&kallsyms, "%s/kallsyms", roots->proc);
	buf_addf(&folder, "%s%s%s/%s", dir, kind == KIND_ELF ? "" : "/", item->path, id);
	buf_addf(&file, "%s/%s", buf_str(&folder), names[kind]);
	if (folder.err || file.err || kallsyms.err)
		ret = -ENOMEM;
	else if (kind == KIND_KALLSYMS &&
		 (strcmp(item->path, "[kernel.kallsyms]") || kallsyms_hidden(buf_str(&kallsyms))))
		goto out;
	if (!ret)
		ret = buildid_cache_make_folders(folder.data);
	if (!ret)
		ret = put_entry(buf_str(&file), kind, roots, item, pid, buf_str(&kallsyms));
	if (!ret && kind == KIND_ELF)
		ret = put_debug(buf_str(&folder), id, item);
	if (!ret && !(kind == KIND_KALLSYMS && has_vmlinux(dir, id)))
		ret = put_link(dir, buf_str(&folder) + strlen(dir), id);
out:
	buf_release(&folder);
	buf_release(&file);
	buf_release(&kallsyms);
	return ret;
}

int buildid_cache_add_vmlinux(const char *dir, const struct roots *roots, const char *path,
			      struct ptui_error *err)
{
	struct data_build_id item = { .pid = -1, .misc = PERF_RECORD_MISC_KERNEL };
	char have_text[DSO_BUILD_ID_TEXT], want_text[DSO_BUILD_ID_TEXT];
	uint8_t want[DSO_BUILD_ID_MAX];
	struct dso_file *f = dso_file_open(path, NULL, 0, err);
	struct symtab *table = f ? symtab_from_vmlinux(f, err) : NULL;
	char *real = NULL;
	int ret, n = dso_read_kernel_build_id(roots, want);

	if (f)
		item.bytes = dso_file_build_id(f, item.id);
	dso_file_unref(f);
	if (!table)
		return err->code ? -err->code : -EINVAL;
	symtab_free(table);
	if (n > 0 && (n != item.bytes || memcmp(item.id, want, (size_t)n))) {
		dso_build_id_format(item.id, item.bytes, have_text);
		dso_build_id_format(want, (uint8_t)n, want_text);
		ptui_error_set(err, PTUI_ERROR_INPUT, ESTALE, path,
			       _("%s has build-id %s, the running kernel has %s"), path,
			       item.bytes ? have_text : _("none"), want_text);
		ptui_error_hint(err, _("use the vmlinux of the running kernel, or omit --vmlinux"));
		return -ESTALE;
	}
	if (!dir || !item.bytes)
		return 0;
	real = realpath(path, NULL);
	item.path = real;
	ret = real ? buildid_cache_add(dir, roots, &item, 0) : -errno;
	if (ret)
		ptui_error_errno(err, -ret, path, _("cannot add %s to the build-id cache %s"), path,
				 dir);
	free(real);
	return ret;
}
