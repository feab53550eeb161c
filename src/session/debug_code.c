/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Machine code for annotations, from where the symbols of a DSO are from:
 *
 *   file        the executed file, one of the same build, or what debuginfod has for the build-id
 *   [vdso]      our own
 *   JIT         the jitdump file: code follows the name of each function
 *   kernel      vmlinux if its symbols are used; else /proc/kcore if the recorded kernel runs, or a copy
 *               of it in perf's cache (buildid-cache -k)
 *   its modules the same; else the module's file
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>
#include "base/buf.h"
#include "base/i18n.h"
#include "session/debug_private.h"

/* A longer function is one with a wrong size. */
#define CODE_MAX ((uint64_t)64 << 20)

enum debug_code debug_code_of(const struct dso_info *info, const struct module_ref *ref,
			      const char *path)
{
	if (info->jitdump != PTUI_NONE)
		return DEBUG_CODE_JITDUMP;
	if (ref->ksymbol)
		return DEBUG_CODE_BPF;
	if (info->kernel && strcmp(path, "[kernel.kallsyms]"))
		return info->running || info->kcore != PTUI_NONE	  ? DEBUG_CODE_KCORE :
		       info->vmlinux != PTUI_NONE || info->build_id_bytes ? DEBUG_CODE_MODULE :
									    DEBUG_CODE_KERNEL;
	if (info->kernel)
		return info->vmlinux != PTUI_NONE		 ? DEBUG_CODE_VMLINUX :
		       info->running || info->kcore != PTUI_NONE ? DEBUG_CODE_KCORE :
								   DEBUG_CODE_KERNEL;
	if (ref->memory || info->jit)
		return DEBUG_CODE_MEMORY;
	if (!strcmp(path, "[vdso]"))
		return info->state == DSO_OK ? DEBUG_CODE_VDSO : DEBUG_CODE_NONE;
	if (path[0] != '/' || (info->state != DSO_OK && !info->unnamed && !info->build_id_bytes))
		return DEBUG_CODE_NONE;
	return DEBUG_CODE_FILE;
}

uint16_t debug_machine(const char *arch)
{
	static const struct {
		const char *arch;
		uint16_t machine;
	} names[] = {
		{ "x86_64", EM_X86_64 },      { "i386", EM_386 },      { "i486", EM_386 },
		{ "i586", EM_386 },	      { "i686", EM_386 },      { "aarch64", EM_AARCH64 },
		{ "aarch64_be", EM_AARCH64 }, { "arm64", EM_AARCH64 }, { "riscv64", EM_RISCV },
		{ "riscv32", EM_RISCV },      { "s390x", EM_S390 },    { "ppc64", EM_PPC64 },
		{ "ppc64le", EM_PPC64 },
	};
	struct utsname here;

	if (!arch && !uname(&here))
		arch = here.machine;
	for (size_t i = 0; arch && i < sizeof(names) / sizeof(names[0]); i++)
		if (!strcmp(names[i].arch, arch))
			return names[i].machine;
	return EM_NONE;
}

void debug_code_release(struct debug_dso *d)
{
	symtab_free(d->symbols);
	dso_file_unref(d->code);
	free(d->code_err);
	free(d->placed);
	d->placed = NULL;
	d->symbols = NULL;
	d->code = NULL;
	d->code_err = NULL;
	d->code_opened = false;
}

/* ---- opening ---- */

/* The files that have the code and the symbols, as file_load() in the resolve room picks them. */
struct code_pick {
	struct dso_file *code, *symbols, *dynamic;
	const struct debug_dso *d;
};

static void pick_file(struct code_pick *p, struct dso_file *f)
{
	if (!p->code && dso_file_has_code(f))
		p->code = dso_file_ref(f);
	if (!p->symbols && dso_file_has_section(f, SHT_SYMTAB))
		p->symbols = dso_file_ref(f);
	if (!p->dynamic && dso_file_has_section(f, SHT_DYNSYM))
		p->dynamic = dso_file_ref(f);
}

static int pick_candidate(void *ctx, const char *path, char origin)
{
	struct code_pick *p = ctx;
	struct dso_file *f = dso_file_open(path, p->d->build_id, p->d->build_id_bytes, NULL);

	(void)origin;
	if (!f)
		return 0;
	pick_file(p, f);
	dso_file_unref(f);
	return p->code && p->symbols;
}

/* The executable of debuginfod servers. */
static void pick_from_servers(struct session_debug *s, struct code_pick *p)
{
	char *path = NULL;
	int fd = s->may_fetch ? dso_debuginfod_fetch(p->d->build_id, p->d->build_id_bytes, true,
						     NULL, NULL, &path) :
				-ENOENT;
	struct dso_file *f = fd >= 0 ? dso_file_open_fd(fd, path, p->d->build_id,
							p->d->build_id_bytes, NULL) :
				       NULL;

	if (f)
		pick_file(p, f);
	dso_file_unref(f);
	free(path);
}

static struct symtab *pick_symbols(const struct code_pick *p, struct ptui_error *err)
{
	struct dso_file *debugdata;
	struct symtab *t;

	if (p->symbols)
		return symtab_from_elf(p->code, p->symbols, err);
	debugdata = dso_file_open_debugdata(p->code, NULL);
	if (!debugdata)
		return p->dynamic ? symtab_from_elf(p->code, p->dynamic, err) : NULL;
	t = symtab_from_debugdata(p->code, debugdata, err);
	dso_file_unref(debugdata);
	return t;
}

static void set_only_debug(struct debug_dso *d)
{
	ptui_error_set(d->code_err, PTUI_ERROR_FORMAT, ENOENT, d->path,
		       _("only the debug information of %s is here, not its machine code"),
		       d->path);
}

static void open_file(struct session_debug *s, struct debug_dso *d)
{
	struct code_pick p = { .d = d };

	debug_search(s, d, pick_candidate, &p);
	if (d->fetched)
		pick_candidate(&p, d->fetched, DSO_FROM_CACHE_DEBUG);
	if (!p.code)
		pick_from_servers(s, &p);
	if (p.code) {
		d->symbols = pick_symbols(&p, d->code_err);
		if (s->unnamed_functions && !symtab_add_unnamed(&d->symbols, p.code) && d->symbols)
			*d->code_err = (struct ptui_error)PTUI_ERROR_INIT;
		d->code = dso_file_ref(p.code);
	} else if (p.symbols) {
		set_only_debug(d);
		ptui_error_hint(d->code_err,
				_("copy the program or library from the recorded machine, below a "
				  "folder that --symfs names"));
	}
	dso_file_unref(p.code);
	dso_file_unref(p.symbols);
	dso_file_unref(p.dynamic);
}

static void open_vdso(struct debug_dso *d)
{
	d->code = dso_vdso_open(d->build_id, d->build_id_bytes, d->code_err);
	if (d->code)
		d->symbols = symtab_from_elf(d->code, d->code, d->code_err);
}

static void open_jitdump(struct session_debug *s, struct debug_dso *d)
{
	if (!d->opened)
		debug_dso_open(s, d);
	if (d->jitdump)
		d->symbols = symtab_from_jitdump(d->jitdump, d->by_address, d->code_err);
	else
		ptui_error_set(d->code_err, PTUI_ERROR_SYSTEM, ENOENT, d->path, _("cannot open %s"),
			       d->path);
}

static void open_vmlinux(struct debug_dso *d)
{
	d->code = dso_file_open(d->path, d->build_id, d->build_id_bytes, d->code_err);
	if (d->code && !dso_file_has_code(d->code)) {
		set_only_debug(d);
		ptui_error_hint(d->code_err,
				_("name the vmlinux of the recorded kernel (-k FILE)"));
	} else if (d->code) {
		d->symbols = symtab_from_vmlinux(d->code, d->code_err);
	}
}

static void open_module(struct session_debug *s, struct debug_dso *d)
{
	struct code_pick p = { .d = d };
	int failed;

	debug_search(s, d, pick_candidate, &p);
	if (!p.code)
		pick_from_servers(s, &p);
	failed = p.code ? dso_file_place_sections(p.code, &d->placed, &d->n_placed) : 0;
	if (p.code && !failed) {
		d->symbols = symtab_from_kernel_module(p.symbols ? p.symbols : p.code, d->code_err);
		d->code = dso_file_ref(p.code);
	} else if (failed == -ENOMEM) {
		ptui_error_nomem(d->code_err);
	} else {
		ptui_error_set(d->code_err, PTUI_ERROR_FORMAT, ENOENT, d->path,
			       _("the file of the kernel module '%s' was not found"), d->module);
		ptui_error_hint(d->code_err,
				_("copy it from the recorded machine, to the same path below a "
				  "folder that --symfs names"));
	}
	dso_file_unref(p.code);
	dso_file_unref(p.symbols);
	dso_file_unref(p.dynamic);
}

static void open_kcore(struct session_debug *s, struct debug_dso *d)
{
	struct buf path = BUF_INIT;

	buf_addf(&path, "%s/kallsyms", d->kcore ? d->kcore : s->roots->proc);
	if (!path.err)
		d->symbols = symtab_from_kallsyms(buf_str(&path), d->module, d->code_err);
	buf_release(&path);
}

static void open_none(struct debug_dso *d)
{
	struct ptui_error *err = d->code_err;

	switch (d->code_is) {
	case DEBUG_CODE_MEMORY:
		ptui_error_set(err, PTUI_ERROR_FORMAT, ENOENT, NULL,
			       _("the machine code of a JIT compiler is in no file"));
		ptui_error_hint(err, _("make the compiler write a jitdump file, and record with -k "
				       "mono"));
		break;
	case DEBUG_CODE_BPF:
		ptui_error_set(err, PTUI_ERROR_FORMAT, ENOTSUP, NULL,
			       _("the machine code of BPF programs cannot be annotated"));
		ptui_error_hint(err, _("bpftool prog dump jited prints it while the program is "
				       "loaded"));
		break;
	case DEBUG_CODE_KERNEL:
		ptui_error_set(err, PTUI_ERROR_FORMAT, ENOENT, NULL,
			       _("the machine code of the recorded kernel is not here"));
		ptui_error_hint(err, _("name the vmlinux of the recorded kernel (-k FILE)"));
		break;
	default:
		break;
	}
}

static void code_open(struct session_debug *s, struct debug_dso *d)
{
	d->code_err = calloc(1, sizeof(*d->code_err));
	if (!d->code_err)
		return;
	d->code_opened = true;
	switch (d->code_is) {
	case DEBUG_CODE_FILE:
		open_file(s, d);
		break;
	case DEBUG_CODE_VDSO:
		open_vdso(d);
		break;
	case DEBUG_CODE_JITDUMP:
		open_jitdump(s, d);
		break;
	case DEBUG_CODE_VMLINUX:
		open_vmlinux(d);
		break;
	case DEBUG_CODE_KCORE:
		open_kcore(s, d);
		break;
	case DEBUG_CODE_MODULE:
		open_module(s, d);
		break;
	default:
		open_none(d);
	}
}

/* ---- reading ---- */

static int set_file(struct profile_code *ret, const char *file)
{
	ret->file = strdup(file);
	return ret->file ? 0 : -ENOMEM;
}

/* libelf would keep what it reads of a file, and search that list each time. */
static int copy_bytes(struct dso_file *f, uint64_t off, size_t n, uint8_t *bytes)
{
	int fd = dso_file_fd(f);
	const char *image;
	size_t size;

	if (off > INT64_MAX)
		return -EBADMSG;
	if (fd >= 0)
		return file_pread_full(fd, bytes, n, (off_t)off) == (ssize_t)n ? 0 : -EBADMSG;
	image = elf_rawfile(dso_file_elf(f), &size);
	if (!image || off > size || n > size - off)
		return -EBADMSG;
	memcpy(bytes, image + off, n);
	return 0;
}

/* n bytes at an offset of an ELF file. */
static int read_elf(struct dso_file *f, uint64_t off, size_t n, struct profile_code *ret)
{
	Elf *elf = dso_file_elf(f);
	const char *ident = elf_getident(elf, NULL);
	GElf_Ehdr ehdr;
	int done;

	if (!ident || !gelf_getehdr(elf, &ehdr))
		return -EBADMSG;
	ret->bytes = malloc(n);
	done = ret->bytes ? copy_bytes(f, off, n, ret->bytes) : -ENOMEM;
	if (done)
		return done;
	ret->n = n;
	ret->machine = ehdr.e_machine;
	ret->flags = ehdr.e_flags;
	ret->is_64 = ident[EI_CLASS] == ELFCLASS64;
	ret->big_endian = ident[EI_DATA] == ELFDATA2MSB;
	return set_file(ret, dso_file_path(f));
}

/* A symbol without a size reaches to the next one, which may be in another section. */
static size_t code_bytes(struct dso_file *f, uint64_t off, const struct symtab_entry *e)
{
	uint64_t n = e->end - e->start, rest = dso_file_section_end(f, off) - off;

	return (size_t)(n < rest ? n : rest);
}

static int read_file(struct debug_dso *d, const struct symtab_entry *e, struct profile_code *ret)
{
	if (!dso_file_off_to_rva(d->code, e->start, &ret->addr))
		return -EBADMSG;
	ret->off = e->start;
	return read_elf(d->code, e->start, code_bytes(d->code, e->start, e), ret);
}

/* Addresses in the table are those of the file. */
static int read_vmlinux(struct debug_dso *d, const struct symtab_entry *e, struct profile_code *ret)
{
	uint64_t off;

	if (!dso_file_rva_to_off(d->code, e->start, &off))
		return -EBADMSG;
	ret->addr = e->start;
	ret->off = e->start - d->shift;
	return read_elf(d->code, off, code_bytes(d->code, off, e), ret);
}

/* Both are offsets in the loaded module. */
static int read_module(struct debug_dso *d, const struct symtab_entry *e, struct profile_code *ret)
{
	uint32_t i = dso_placed_find(d->placed, d->n_placed, e->start);
	const struct dso_placed *p = i == PTUI_NONE ? NULL : &d->placed[i];
	uint64_t n = e->end - e->start, inside;

	if (!p)
		return -EBADMSG;
	inside = e->start - p->at;
	if (n > p->bytes - inside)
		n = p->bytes - inside;
	ret->addr = ret->off = e->start;
	return p->off > UINT64_MAX - inside ? -EBADMSG :
					      read_elf(d->code, p->off + inside, (size_t)n, ret);
}

static int read_kcore(struct session_debug *s, struct debug_dso *d, const struct symtab_entry *e,
		      struct profile_code *ret, struct ptui_error *err)
{
	size_t n = (size_t)(e->end - e->start);
	struct buf path = BUF_INIT;
	int done;

	buf_addf(&path, "%s/kcore", d->kcore ? d->kcore : "/proc");
	ret->bytes = malloc(n);
	done = path.err || !ret->bytes || set_file(ret, buf_str(&path)) ? -ENOMEM : 0;
	buf_release(&path);
	if (done)
		return done;
	ret->n = n;
	ret->addr = e->start;
	ret->off = e->start - d->shift;
	ret->is_64 = sizeof(void *) == 8;
	ret->big_endian = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__;
	done = dso_kcore_read(d->kcore ? d->kcore : s->roots->proc, e->start, ret->bytes, n,
			      &ret->machine, err);
	if (done && err)
		ptui_error_hint(
			err,
			done == -EACCES || done == -EPERM ?
				_("run as root, or name the vmlinux of this kernel (-k FILE)") :
				_("name the vmlinux of the recorded kernel (-k FILE)"));
	return done;
}

static int read_jitdump(struct session_debug *s, struct debug_dso *d, const struct symtab_entry *e,
			struct profile_code *ret)
{
	uint64_t off = e->start;
	struct jitdump_map code;
	struct buf path = BUF_INIT;
	int fd = -1, done = -EBADMSG;

	if (d->by_address && !jitdump_find_offset(d->jitdump, e->start, &off))
		return -EBADMSG;
	if (!jitdump_find_code(d->jitdump, off, &code) || !code.bytes || code.bytes > CODE_MAX)
		return -EBADMSG;
	/* compilers that do not care leave it empty */
	ret->machine = jitdump_machine(d->jitdump) ? jitdump_machine(d->jitdump) : s->machine;
	ret->is_64 = ret->machine != EM_386 && ret->machine != EM_ARM && ret->machine != EM_PPC;
	ret->big_endian = jitdump_is_big_endian(d->jitdump);
	ret->addr = code.addr;
	ret->off = d->by_address ? code.addr : code.off;
	ret->bytes = malloc(code.bytes);
	ret->n = code.bytes;
	buf_addf(&path, "%s%s", s->symfs ? s->symfs : "", d->path);
	if (!ret->bytes || path.err)
		done = -ENOMEM;
	else
		fd = open(buf_str(&path), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	if (fd >= 0) {
		done = file_pread_full(fd, ret->bytes, ret->n, (off_t)code.off) == (ssize_t)ret->n ?
			       set_file(ret, buf_str(&path)) :
			       -EBADMSG;
		close(fd);
	}
	buf_release(&path);
	return done;
}

/* From an offset of a frame to the unit of the symbol table. */
static uint64_t in_table(const struct debug_dso *d, uint64_t off)
{
	return d->code_is == DEBUG_CODE_VMLINUX || d->code_is == DEBUG_CODE_KCORE ? off + d->shift :
										    off;
}

static int read_code(struct session_debug *s, struct debug_dso *d, const struct symtab_entry *e,
		     struct profile_code *ret, struct ptui_error *err)
{
	if (!e || e->end - e->start > CODE_MAX)
		return -ENOENT;
	switch (d->code_is) {
	case DEBUG_CODE_FILE:
	case DEBUG_CODE_VDSO:
		return read_file(d, e, ret);
	case DEBUG_CODE_VMLINUX:
		return read_vmlinux(d, e, ret);
	case DEBUG_CODE_MODULE:
		return read_module(d, e, ret);
	case DEBUG_CODE_KCORE:
		return read_kcore(s, d, e, ret, err);
	case DEBUG_CODE_JITDUMP:
		return read_jitdump(s, d, e, ret);
	default:
		return -ENOENT;
	}
}

int debug_code(struct profile_debug *ops, uint32_t dso, uint64_t start, struct profile_code *ret,
	       struct ptui_error *err)
{
	struct session_debug *s = (struct session_debug *)ops;
	struct ptui_error why = PTUI_ERROR_INIT;
	struct debug_dso *d;
	int done = -ENOENT;

	memset(ret, 0, sizeof(*ret));
	pthread_mutex_lock(&s->lock);
	if (dso < s->n_dsos) {
		d = &s->dsos[dso];
		if (!d->code_opened)
			code_open(s, d);
		if (!d->code_opened)
			done = ptui_error_nomem(&why);
		else if (ptui_error_is_set(d->code_err))
			why = *d->code_err;
		else
			done = read_code(s, d,
					 d->symbols ? symtab_find(d->symbols, in_table(d, start)) :
						      NULL,
					 ret, &why);
	}
	pthread_mutex_unlock(&s->lock);
	if (!done)
		return 0;
	profile_code_release(ret);
	if (ptui_error_is_set(&why) && err)
		*err = why;
	return ptui_error_is_set(&why) && why.code > 0 ? -why.code : done;
}

static bool has_code(const struct debug_dso *d)
{
	return d->code || d->code_is == DEBUG_CODE_KCORE ||
	       (d->code_is == DEBUG_CODE_JITDUMP && d->jitdump);
}

int debug_code_at(struct session_debug *s, uint32_t dso, uint64_t off, size_t n,
		  struct profile_code *ret)
{
	struct symtab_entry e = { .start = off, .end = off + n };
	int done = -ENOENT;

	memset(ret, 0, sizeof(*ret));
	if (dso < s->n_dsos) {
		struct debug_dso *d = &s->dsos[dso];

		if (!d->code_opened)
			code_open(s, d);
		e.start = in_table(d, off);
		e.end = e.start + n;
		if (d->code_opened && has_code(d))
			done = read_code(s, d, &e, ret, NULL);
	}
	if (!done && (off < ret->off || off - ret->off >= ret->n))
		done = -EBADMSG;
	if (done)
		profile_code_release(ret);
	return done;
}

int session_debug_code_at(struct profile_debug *debug, uint32_t dso, uint64_t off, size_t n,
			  struct profile_code *ret)
{
	struct session_debug *s = (struct session_debug *)debug;
	int done;

	pthread_mutex_lock(&s->lock);
	done = debug_code_at(s, dso, off, n, ret);
	pthread_mutex_unlock(&s->lock);
	return done;
}

uint16_t session_debug_machine(const struct profile_debug *debug)
{
	return ((const struct session_debug *)debug)->machine;
}

/* ---- names ---- */

/* From an address to the unit of the symbol table. */
static bool to_table(const struct debug_dso *d, uint64_t addr, uint64_t *ret)
{
	*ret = addr;
	if (d->code_is == DEBUG_CODE_FILE || d->code_is == DEBUG_CODE_VDSO)
		return dso_file_rva_to_off(d->code, addr, ret);
	if (d->code_is == DEBUG_CODE_JITDUMP && !d->by_address)
		return jitdump_find_offset(d->jitdump, addr, ret);
	return true;
}

bool debug_symbol(struct profile_debug *ops, uint32_t dso, uint64_t addr,
		  struct profile_symbol *ret)
{
	struct session_debug *s = (struct session_debug *)ops;
	const struct symtab_entry *e = NULL;
	struct debug_dso *d;
	uint64_t at;

	pthread_mutex_lock(&s->lock);
	d = dso < s->n_dsos ? &s->dsos[dso] : NULL;
	if (d && d->symbols && to_table(d, addr, &at))
		e = symtab_find(d->symbols, at);
	if (e) {
		ret->name = debug_shown_name(s, e->name);
		ret->inside = at - e->start;
		ret->start = e->start;
		if (d->code_is == DEBUG_CODE_VMLINUX || d->code_is == DEBUG_CODE_KCORE)
			ret->start -= d->shift;
	}
	pthread_mutex_unlock(&s->lock);
	return e && ret->name;
}
