/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Copies of the kernel's code in perf's build-id cache, with the names and modules of that time:
 *
 *	DIR/[kernel.kcore]/4a5a9b…/2026112316090542/kcore	the text of the kernel and of its modules
 *					      .../kallsyms
 *					      .../modules
 *
 * Each boot puts the kernel elsewhere (KASLR), and each set of modules is other code, so a build-id can have
 * several copies. Ranges are perf's: from _stext to _etext, and from the first module to the last symbol of one.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>
#include "base/i18n.h"
#include "base/text.h"
#include "session/buildid/buildid_entries.h"

#define KCORE_NAME  "[kernel.kcore]"
#define COPY_BYTES  ((size_t)64 << 10)
#define FILE_MODE   0400 /* as perf: kallsyms and code are root's secrets */
#define RANGES_MAX  2	 /* the kernel, its modules */
#define MODULES_MAX ((size_t)4 << 20)

struct range {
	uint64_t start, end; /* addresses; equal: none */
	uint64_t from, to;   /* offsets in the original and in the copy */
	bool found, shared;  /* shared: the bytes of the other range */
};

struct kcore_copy {
	const char *path;  /* of the original */
	struct buf folder; /* of the original */
	struct buf target; /* folder of the copy */
	struct range ranges[RANGES_MAX];
	struct ptui_error *err;
	int fd;
	Elf *elf;
};

/* ---- kallsyms and modules ---- */

struct kernel_symbols {
	uint64_t stext, etext, first, last, first_in_module, last_in_module;
	uint64_t reference; /* _text, or _stext: where this boot put the kernel */
};

static void add_symbol(struct kernel_symbols *s, uint64_t addr, char type, const char *name)
{
	if (!strcmp(name, "_text") || (!s->reference && !strcmp(name, "_stext")))
		s->reference = addr;
	if (!strchr("tTwW", type))
		return;
	if (strchr(name, '[')) {
		if (!s->first_in_module || addr < s->first_in_module)
			s->first_in_module = addr;
		if (addr > s->last_in_module)
			s->last_in_module = addr;
		return;
	}
	if (!s->first || addr < s->first)
		s->first = addr;
	if (addr > s->last)
		s->last = addr;
	if (!strcmp(name, "_stext"))
		s->stext = addr;
	if (!strcmp(name, "_etext"))
		s->etext = addr;
}

/* 0 or a negative errno. */
static int read_symbols(const char *folder, struct kernel_symbols *ret)
{
	struct buf path = BUF_INIT;
	char *line = NULL, *end;
	size_t cap = 0;
	FILE *f = NULL;
	int error = 0;

	memset(ret, 0, sizeof(*ret));
	buf_addf(&path, "%s/kallsyms", folder);
	if (!path.err)
		f = fopen(buf_str(&path), "re");
	if (!f)
		error = path.err ? -ENOMEM : -errno;
	while (f && getline(&line, &cap, f) > 0) {
		uint64_t addr = strtoull(line, &end, 16);

		line[strcspn(line, "\n")] = '\0';
		if (end > line && end[0] == ' ' && end[1] && end[2] == ' ')
			add_symbol(ret, addr, end[1], end + 3);
	}
	if (f)
		fclose(f);
	free(line);
	buf_release(&path);
	return error;
}

/* "NAME ADDRESS\n" of each module; *ret_first: the lowest address, 0 without modules. */
static int read_modules(const char *folder, struct buf *out, uint64_t *ret_first)
{
	struct buf text = BUF_INIT;
	int error = file_readf(&text, MODULES_MAX, "%s/modules", folder);
	char *rest = error ? NULL : (char *)(uintptr_t)buf_str(&text), *line;

	*ret_first = 0;
	while ((line = rest ? strsep(&rest, "\n") : NULL)) {
		const char *addr = strstr(line, " 0x");
		uint64_t start = addr ? strtoull(addr, NULL, 16) : 0;

		if (!start)
			continue;
		buf_addf(out, "%.*s %llx\n", (int)strcspn(line, " "), line,
			 (unsigned long long)start);
		if (!*ret_first || start < *ret_first)
			*ret_first = start;
	}
	buf_release(&text);
	return error ? error : out->err;
}

/* ---- what is copied ---- */

static uint64_t page_down(uint64_t addr)
{
	return addr & ~((uint64_t)sysconf(_SC_PAGESIZE) - 1);
}

static uint64_t page_up(uint64_t addr)
{
	return page_down(addr + (uint64_t)sysconf(_SC_PAGESIZE) - 1);
}

static int no_code(const struct kcore_copy *c)
{
	return ptui_error_set(c->err, PTUI_ERROR_FORMAT, ENOEXEC, c->path,
			      _("%s has no code at the addresses of %s/kallsyms"), c->path,
			      buf_str(&c->folder));
}

static int choose_ranges(struct kcore_copy *c)
{
	const uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
	struct buf modules = BUF_INIT;
	struct kernel_symbols s;
	uint64_t first = 0;
	int error = read_symbols(buf_str(&c->folder), &s);

	if (!error)
		error = read_modules(buf_str(&c->folder), &modules, &first);
	buf_release(&modules);
	if (error)
		return ptui_error_errno(c->err, -error, c->path,
					_("cannot read kallsyms and modules in %s"),
					buf_str(&c->folder));
	if (!s.last)
		return ptui_error_set(
			c->err, PTUI_ERROR_SYSTEM, EPERM, c->path,
			_("%s/kallsyms has no addresses: kernel.kptr_restrict hides them"),
			buf_str(&c->folder));
	c->ranges[0].start = page_down(s.stext ? s.stext : s.first);
	c->ranges[0].end = s.etext ? page_up(s.etext) : page_up(s.last) + page;
	if (s.first_in_module && (!first || s.first_in_module < first))
		first = s.first_in_module; /* code that is of no module, as of BPF */
	if (!first || !s.last_in_module)
		return 0;
	c->ranges[1].start = page_down(first);
	c->ranges[1].end = page_up(s.last_in_module) + page;
	return 0;
}

static void find_range(struct range *r, const GElf_Phdr *p)
{
	uint64_t bytes = p->p_filesz < p->p_memsz ? p->p_filesz : p->p_memsz;

	if (r->found || r->start == r->end || r->start < p->p_vaddr ||
	    r->start - p->p_vaddr >= bytes)
		return;
	r->found = true;
	r->from = p->p_offset + (r->start - p->p_vaddr);
	if (r->end - p->p_vaddr > bytes)
		r->end = p->p_vaddr + bytes;
}

static int find_ranges(struct kcore_copy *c)
{
	struct range *kernel = &c->ranges[0], *modules = &c->ranges[1];
	uint64_t kernel_bytes;
	GElf_Phdr phdr;
	size_t n = 0;

	if (elf_getphdrnum(c->elf, &n))
		n = 0;
	for (size_t i = 0; i < n; i++)
		if (gelf_getphdr(c->elf, (int)i, &phdr) && phdr.p_type == PT_LOAD &&
		    phdr.p_flags & PF_X)
			for (size_t k = 0; k < RANGES_MAX; k++)
				find_range(&c->ranges[k], &phdr);
	if (!kernel->found)
		return no_code(c);
	kernel_bytes = kernel->end - kernel->start;
	modules->to = kernel_bytes;
	if (modules->found && modules->from >= kernel->from &&
	    modules->from + (modules->end - modules->start) <= kernel->from + kernel_bytes) {
		modules->shared = true;
		modules->to = modules->from - kernel->from;
	}
	return 0;
}

/* ---- copying ---- */

static int copy_range(int in, uint64_t from, int out, uint64_t to, uint64_t bytes)
{
	char *part = malloc(COPY_BYTES);
	int error = part ? 0 : -ENOMEM;

	if (!error && lseek(out, (off_t)to, SEEK_SET) < 0)
		error = -errno;
	while (!error && bytes) {
		size_t want = bytes < COPY_BYTES ? (size_t)bytes : COPY_BYTES;
		ssize_t n = file_pread_full(in, part, want, (off_t)from);

		error = n < 0 ? (int)n : file_write_all(out, part, (size_t)n);
		if (n <= 0)
			break;
		from += (uint64_t)n;
		bytes -= (uint64_t)n;
	}
	free(part);
	return error;
}

/* As perf makes it: libelf writes the headers, the code follows at the next page. */
static int write_headers(struct kcore_copy *c, Elf *to, uint64_t *ret_bytes)
{
	GElf_Ehdr from, ehdr = { .e_phnum = 0 };
	int idx = 0, class = gelf_getclass(c->elf);

	if (!gelf_getehdr(c->elf, &from) || !gelf_newehdr(to, class))
		return -EIO;
	memcpy(ehdr.e_ident, from.e_ident, EI_NIDENT);
	ehdr.e_type = from.e_type;
	ehdr.e_machine = from.e_machine;
	ehdr.e_version = from.e_version;
	ehdr.e_flags = from.e_flags;
	for (size_t i = 0; i < RANGES_MAX; i++)
		ehdr.e_phnum += c->ranges[i].found;
	ehdr.e_ehsize = (GElf_Half)gelf_fsize(to, ELF_T_EHDR, 1, EV_CURRENT);
	ehdr.e_phentsize = (GElf_Half)gelf_fsize(to, ELF_T_PHDR, 1, EV_CURRENT);
	ehdr.e_phoff = ehdr.e_ehsize;
	*ret_bytes = page_up(ehdr.e_ehsize + (uint64_t)ehdr.e_phnum * ehdr.e_phentsize);
	if (!gelf_update_ehdr(to, &ehdr) || !gelf_newphdr(to, ehdr.e_phnum))
		return -EIO;
	for (size_t i = 0; i < RANGES_MAX; i++) {
		const struct range *r = &c->ranges[i];
		GElf_Phdr phdr = { .p_type = PT_LOAD,
				   .p_flags = PF_R | PF_W | PF_X,
				   .p_offset = *ret_bytes + r->to,
				   .p_vaddr = r->start,
				   .p_filesz = r->end - r->start,
				   .p_memsz = r->end - r->start,
				   .p_align = (GElf_Xword)sysconf(_SC_PAGESIZE) };

		if (r->found && !gelf_update_phdr(to, idx++, &phdr))
			return -EIO;
	}
	return elf_update(to, ELF_C_WRITE) < 0 ? -EIO : 0;
}

static int write_kcore(void *ctx, int fd)
{
	struct kcore_copy *c = ctx;
	Elf *to = elf_begin(fd, ELF_C_WRITE, NULL);
	uint64_t headers = 0;
	int error = to ? write_headers(c, to, &headers) : -EIO;

	for (size_t i = 0; i < RANGES_MAX && !error; i++) {
		const struct range *r = &c->ranges[i];

		if (r->found && !r->shared)
			error = copy_range(c->fd, r->from, fd, headers + r->to, r->end - r->start);
	}
	elf_end(to);
	return error;
}

static int write_text(void *ctx, int fd)
{
	int in = open(ctx, O_RDONLY | O_CLOEXEC), error;

	if (in < 0)
		return -errno;
	error = copy_range(in, 0, fd, 0, UINT64_MAX);
	close(in);
	return error;
}

static bool is_equal(const char *a, const char *b)
{
	FILE *x = fopen(a, "re"), *y = fopen(b, "re");
	bool equal = x && y;

	while (equal) {
		int c = getc_unlocked(x);

		equal = c == getc_unlocked(y);
		if (c == EOF)
			break;
	}
	if (x)
		fclose(x);
	if (y)
		fclose(y);
	return equal;
}

static int copy_text(const struct kcore_copy *c, const char *name)
{
	struct buf from = BUF_INIT, to = BUF_INIT;
	int error;

	buf_addf(&from, "%s/%s", buf_str(&c->folder), name);
	buf_addf(&to, "%s/%s", buf_str(&c->target), name);
	error = from.err || to.err ?
			-ENOMEM :
			buildid_cache_write(buf_str(&to), write_text, from.data, FILE_MODE);
	buf_release(&from);
	buf_release(&to);
	return error;
}

/* Whether the kernel's symbols are still those that were copied: a module may have been loaded. */
static bool is_unchanged(const struct kcore_copy *c)
{
	struct buf from = BUF_INIT, to = BUF_INIT;
	bool same;

	buf_addf(&from, "%s/kallsyms", buf_str(&c->folder));
	buf_addf(&to, "%s/kallsyms", buf_str(&c->target));
	same = !from.err && !to.err && is_equal(buf_str(&from), buf_str(&to));
	buf_release(&from);
	buf_release(&to);
	return same;
}

static int copy_all(struct kcore_copy *c)
{
	struct buf to = BUF_INIT;
	int error = copy_text(c, "kallsyms");

	if (!error)
		error = copy_text(c, "modules");
	buf_addf(&to, "%s/kcore", buf_str(&c->target));
	if (!error)
		error = to.err ? -ENOMEM :
				 buildid_cache_write(buf_str(&to), write_kcore, c, FILE_MODE);
	if (!error && !is_unchanged(c)) {
		unlink(buf_str(&to));
		error = -EAGAIN;
	}
	buf_release(&to);
	return error;
}

/* ---- the cache ---- */

/* Whether a copy in the cache is of the same boot and the same modules. */
static bool is_same_kernel(const struct kcore_copy *c, const char *copy)
{
	struct buf ours = BUF_INIT, theirs = BUF_INIT;
	struct kernel_symbols a, b;
	uint64_t first;
	bool same = !read_modules(buf_str(&c->folder), &ours, &first) &&
		    !read_modules(copy, &theirs, &first) &&
		    !strcmp(buf_str(&ours), buf_str(&theirs)) &&
		    !read_symbols(buf_str(&c->folder), &a) && !read_symbols(copy, &b) &&
		    a.reference == b.reference;

	buf_release(&ours);
	buf_release(&theirs);
	return same;
}

/* Appends the path of the copy to `out`. */
static bool find_copy(const struct kcore_copy *c, const char *parent, struct buf *out)
{
	DIR *d = opendir(parent);
	struct dirent *item;
	bool found = false;

	while (d && !found && (item = readdir(d))) {
		if (item->d_name[0] == '.')
			continue;
		buf_clear(out);
		buf_addf(out, "%s/%s", parent, item->d_name);
		found = !out->err && is_same_kernel(c, buf_str(out));
	}
	if (d)
		closedir(d);
	if (!found)
		buf_clear(out);
	return found;
}

/* PARENT/YYYYMMDDhhmmsscc, as perf names it. -EEXIST: another copy of this hundredth of a second. */
static int make_named_target(struct kcore_copy *c, const char *parent)
{
	struct timeval now;
	char text[32] = "";
	struct tm tm;

	gettimeofday(&now, NULL);
	if (localtime_r(&now.tv_sec, &tm))
		strftime(text, sizeof(text), "%Y%m%d%H%M%S", &tm);
	buf_clear(&c->target);
	buf_addf(&c->target, "%s/%s%02u", parent, text, (unsigned)now.tv_usec / 10000);
	if (c->target.err)
		return -ENOMEM;
	return mkdir(buf_str(&c->target), 0755) ? -errno : 0;
}

static int make_target(struct kcore_copy *c, struct buf *parent)
{
	const struct timespec pause = { .tv_nsec = 10000000 };
	int error = parent->err ? -ENOMEM : buildid_cache_make_folders(parent->data);

	if (!error)
		error = make_named_target(c, buf_str(parent));
	for (int i = 0; error == -EEXIST && i < 100; i++) {
		nanosleep(&pause, NULL);
		error = make_named_target(c, buf_str(parent));
	}
	return error;
}

static void remove_target(const struct kcore_copy *c)
{
	static const char *const names[] = { "kallsyms", "modules" };
	struct buf path = BUF_INIT;

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		buf_clear(&path);
		buf_addf(&path, "%s/%s", buf_str(&c->target), names[i]);
		unlink(buf_str(&path));
	}
	buf_clear(&path);
	buf_add_str(&path, buf_str(&c->target));
	for (int i = 0; i < 3 && !path.err && !rmdir(path.data); i++)
		*strrchr(path.data, '/') = '\0';
	buf_release(&path);
}

static int open_kcore(struct kcore_copy *c)
{
	elf_version(EV_CURRENT);
	c->fd = open(c->path, O_RDONLY | O_CLOEXEC);
	c->elf = c->fd < 0 ? NULL : elf_begin(c->fd, ELF_C_READ, NULL);
	if (c->fd < 0)
		return ptui_error_errno(c->err, errno, c->path,
					_("cannot add %s to the build-id cache"), c->path);
	if (!c->elf || elf_kind(c->elf) != ELF_K_ELF)
		return ptui_error_set(c->err, PTUI_ERROR_FORMAT, ENOEXEC, c->path,
				      _("%s is not an ELF file"), c->path);
	return 0;
}

/* Of the kernel whose /proc has the file: the sysfs is beside it. */
static int read_id(struct kcore_copy *c, char ret[DSO_BUILD_ID_TEXT])
{
	struct roots roots = { .proc = buf_str(&c->folder) };
	uint8_t id[DSO_BUILD_ID_MAX];
	struct buf sysfs = BUF_INIT;
	int n;

	buf_addf(&sysfs, "%s/../sys", buf_str(&c->folder));
	roots.sysfs = buf_str(&sysfs);
	n = sysfs.err ? -ENOMEM : dso_read_kernel_build_id(&roots, id);
	buf_release(&sysfs);
	if (n <= 0)
		return ptui_error_errno(c->err, n ? -n : ENODATA, c->path,
					_("cannot read the build-id of the kernel of %s"), c->path);
	dso_build_id_format(id, (uint8_t)n, ret);
	return 0;
}

static int add_kcore(struct kcore_copy *c, const char *dir, bool force, struct buf *ret_where)
{
	char id[DSO_BUILD_ID_TEXT];
	struct buf parent = BUF_INIT;
	int error = read_id(c, id);

	if (error)
		return error;
	buf_addf(&parent, "%s/" KCORE_NAME "/%s", dir, id);
	if (!parent.err && !force && find_copy(c, buf_str(&parent), ret_where)) {
		buf_release(&parent);
		return 1;
	}
	error = choose_ranges(c);
	if (!error)
		error = find_ranges(c);
	if (error) {
		buf_release(&parent);
		return error;
	}
	error = make_target(c, &parent);
	buf_release(&parent);
	if (!error)
		error = copy_all(c);
	if (error) {
		remove_target(c);
		return ptui_error_errno(c->err, -error, c->path,
					_("cannot add %s to the build-id cache"), c->path);
	}
	buf_add_str(ret_where, buf_str(&c->target));
	return 0;
}

int buildid_cache_add_kcore(const char *dir, const char *path, bool force, struct buf *ret_where,
			    struct ptui_error *err)
{
	struct kcore_copy c = { .path = path, .err = err, .fd = -1 };
	const char *name = strrchr(path, '/');
	int error;

	if (strcmp(name ? name + 1 : path, "kcore"))
		return ptui_error_set(
			err, PTUI_ERROR_INPUT, EINVAL, path,
			_("cannot add %s: a kcore file, such as /proc/kcore, is expected"), path);
	buf_addf(&c.folder, "%.*s", name ? (int)(name - path) : 1, name ? path : ".");
	error = open_kcore(&c);
	if (!error)
		error = add_kcore(&c, dir, force, ret_where);
	elf_end(c.elf);
	if (c.fd >= 0)
		close(c.fd);
	buf_release(&c.folder);
	buf_release(&c.target);
	return error;
}
