/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>
#include "base/i18n.h"
#include "base/vec.h"
#include "probe/binary.h"
#include "ptui/log.h"
#include "symbol/debug_info.h"
#include "symbol/symtab.h"

#define KALLSYMS_BYTES_MAX (128u << 20)

/* ---- files ---- */

static int try_debug_file(void *ctx, const char *path, char origin)
{
	struct probe_binary *b = ctx;
	uint8_t id[DSO_BUILD_ID_MAX];
	uint8_t n = b->file ? dso_file_build_id(b->file, id) : 0;
	struct dso_file *f = dso_file_open(path, n ? id : NULL, n, NULL);

	(void)origin;
	if (f && debug_info_is_in(f)) {
		b->debug = f;
		return 1;
	}
	dso_file_unref(f);
	return 0;
}

static void find_debug_file(struct probe_binary *b, const struct probe_binary_opts *o)
{
	uint8_t id[DSO_BUILD_ID_MAX];
	struct dso_search search = {
		.path = b->path,
		.build_id = id,
		.build_id_bytes = dso_file_build_id(b->file, id),
		.cache_dir = o->cache_dir,
		.symfs = o->symfs,
	};
	char *fetched = NULL;
	int fd;

	if (debug_info_is_in(b->file)) {
		b->debug = dso_file_ref(b->file);
		return;
	}
	if (dso_search_each(&search, try_debug_file, b) > 0 || !search.build_id_bytes ||
	    !dso_debuginfod_enabled())
		return;
	fd = dso_debuginfod_fetch(id, search.build_id_bytes, false, NULL, NULL, &fetched);
	if (fd >= 0) {
		close(fd);
		try_debug_file(b, fetched, DSO_FROM_CACHE_DEBUG);
	}
	free(fetched);
}

static int no_other_file(Dwfl_Module *mod, void **userdata, const char *name, Dwarf_Addr base,
			 const char *file, const char *link, GElf_Word crc, char **ret_name)
{
	(void)mod;
	(void)userdata;
	(void)name;
	(void)base;
	(void)file;
	(void)link;
	(void)crc;
	(void)ret_name;
	return -1;
}

static const Dwfl_Callbacks callbacks = {
	.find_debuginfo = no_other_file,
	.section_address = dwfl_offline_section_address,
	.find_elf = dwfl_build_id_find_elf,
};

/* libdwfl applies the relocations of kernel modules. */
static void open_dwarf(struct probe_binary *b)
{
	Dwfl_Module *mod;
	Dwarf_Addr bias;
	GElf_Shdr shdr;

	if (!b->debug) {
		ptui_log(PTUI_LOG_INFO, "probe", _("%s: no debug information"), b->path);
		return;
	}
	ptui_log(PTUI_LOG_INFO, "probe", _("%s: using debug information from %s"), b->path,
		 dso_file_path(b->debug));
	b->dwfl = dwfl_begin(&callbacks);
	if (!b->dwfl)
		return;
	dwfl_report_begin(b->dwfl);
	mod = dwfl_report_offline(b->dwfl, "", dso_file_path(b->debug), -1);
	dwfl_report_end(b->dwfl, NULL, NULL);
	b->dwarf = mod ? dwfl_module_getdwarf(mod, &bias) : NULL;
	if (!b->dwarf)
		return;
	b->cfi_debug = dwarf_getcfi(b->dwarf);
	if (b->file && dso_file_section(b->file, SHT_PROGBITS, ".eh_frame", &shdr))
		b->cfi_eh = dwarf_getcfi_elf(dso_file_elf(b->file));
}

static struct dso_file *open_below(const char *path, const char *symfs, struct ptui_error *err)
{
	struct buf whole = BUF_INIT;
	struct dso_file *f = NULL;

	if (!symfs || !*symfs)
		return dso_file_open(path, NULL, 0, err);
	buf_addf(&whole, "%s/%s", symfs, path);
	if (whole.err)
		ptui_error_nomem(err);
	else
		f = dso_file_open(buf_str(&whole), NULL, 0, err);
	buf_release(&whole);
	return f;
}

static struct probe_binary *open_file(const char *path, bool is_kernel,
				      const struct probe_binary_opts *o, struct ptui_error *err)
{
	struct probe_binary *b = calloc(1, sizeof(*b));
	GElf_Ehdr header;

	if (!b) {
		ptui_error_nomem(err);
		return NULL;
	}
	arena_init(&b->mem);
	b->is_kernel = is_kernel;
	b->path = arena_strdup(&b->mem, path);
	b->file = b->path ? open_below(path, o->symfs, err) : NULL;
	if (!b->file) {
		if (!ptui_error_is_set(err))
			ptui_error_nomem(err);
		probe_binary_free(b);
		return NULL;
	}
	if (gelf_getehdr(dso_file_elf(b->file), &header))
		b->machine = header.e_machine;
	find_debug_file(b, o);
	open_dwarf(b);
	return b;
}

struct probe_binary *probe_binary_open(const char *path, const struct probe_binary_opts *o,
				       struct ptui_error *err)
{
	return open_file(path, false, o, err);
}

struct probe_binary *probe_binary_open_kernel(const char *path, const struct probe_binary_opts *o,
					      struct ptui_error *err)
{
	return open_file(path, true, o, err);
}

void probe_binary_free(struct probe_binary *b)
{
	if (!b)
		return;
	if (b->cfi_eh)
		dwarf_cfi_end(b->cfi_eh);
	if (b->dwfl)
		dwfl_end(b->dwfl);
	dso_file_unref(b->debug);
	dso_file_unref(b->file);
	free(b->symbols);
	arena_release(&b->mem);
	free(b);
}

int probe_binary_need_dwarf(const struct probe_binary *b, struct ptui_error *err)
{
	if (b->dwarf)
		return 0;
	ptui_error_set(err, PTUI_ERROR_SYSTEM, ENOENT, b->path,
		       _("'%s' has no debug information, which lines and variables need"), b->path);
	ptui_error_hint(err, _("install its debug package, or set DEBUGINFOD_URLS, or compile it "
			       "with -g; functions, offsets and registers work without"));
	return -ENOENT;
}

int probe_binary_need_functions(const struct probe_binary *b, struct ptui_error *err)
{
	for (size_t i = 0; i < b->n_symbols; i++)
		if (!b->symbols[i].plt)
			return 0;
	if (b->dwarf || !b->has_symbols)
		return 0;
	ptui_error_set(err, PTUI_ERROR_SYSTEM, ENOENT, b->path,
		       _("'%s' has neither symbols nor debug information"), b->path);
	ptui_error_hint(err,
			_("install its debug package, set DEBUGINFOD_URLS, or probe an address: "
			  "0x..."));
	return -ENOENT;
}

/* ---- symbols ---- */

static int add_symbol(struct probe_binary *b, const char *name, uint64_t addr, uint64_t bytes,
		      uint8_t type, bool plt)
{
	char *copy = arena_strdup(&b->mem, name);

	if (!copy || vec_grow(&b->symbols, &b->cap_symbols, b->n_symbols + 1))
		return -ENOMEM;
	b->symbols[b->n_symbols++] = (struct probe_symbol){ addr, bytes, copy, type, plt };
	return 0;
}

/* What perf takes for a symbol: functions, objects and visible labels that are defined. */
static bool is_wanted(const GElf_Sym *sym, const char *name)
{
	int type = GELF_ST_TYPE(sym->st_info), visible = GELF_ST_VISIBILITY(sym->st_other);

	if (!name || !*name || sym->st_shndx == SHN_UNDEF)
		return false;
	if (type == STT_FUNC || type == STT_GNU_IFUNC || type == STT_OBJECT)
		return true;
	return type == STT_NOTYPE && sym->st_shndx != SHN_ABS && visible != STV_HIDDEN &&
	       visible != STV_INTERNAL;
}

static int add_table(struct probe_binary *b, struct dso_file *f, uint32_t kind)
{
	GElf_Shdr shdr;
	Elf_Scn *section = f ? dso_file_section(f, kind, NULL, &shdr) : NULL;
	Elf_Data *data = section ? elf_getdata(section, NULL) : NULL;
	size_t n = data && shdr.sh_entsize ? shdr.sh_size / shdr.sh_entsize : 0;
	int ret = 0;

	for (size_t i = 0; i < n && i <= INT_MAX && !ret; i++) {
		GElf_Sym sym;
		const char *name;

		if (!gelf_getsym(data, (int)i, &sym))
			break;
		name = elf_strptr(dso_file_elf(f), shdr.sh_link, sym.st_name);
		if (is_wanted(&sym, name))
			ret = add_symbol(b, name, sym.st_value, sym.st_size,
					 GELF_ST_TYPE(sym.st_info), false);
	}
	return ret;
}

/* The slots of the PLT, as the symbol room names them. */
static int add_plt(struct probe_binary *b)
{
	struct symtab *t = symtab_from_elf(b->file, b->file, NULL);
	int ret = 0;

	for (size_t i = 0; t && i < symtab_n(t) && !ret; i++) {
		const struct symtab_entry *e = symtab_at(t, i);
		uint64_t addr;

		if (e->plt && dso_file_off_to_rva(b->file, e->start, &addr))
			ret = add_symbol(b, e->name, addr, e->end - e->start, STT_FUNC, true);
	}
	symtab_free(t);
	return ret;
}

static int by_address(const void *a, const void *b)
{
	const struct probe_symbol *x = a, *y = b;

	if (x->addr != y->addr)
		return x->addr < y->addr ? -1 : 1;
	return strcmp(x->name, y->name);
}

/* "ffffffff81000000 T _text", and a module's name for its symbols. With all aliases, unlike in the symbol room. */
static int add_running_line(struct probe_binary *b, char *line, bool *any)
{
	char *end, type;
	uint64_t addr = strtoull(line, &end, 16);

	if (end == line || *end != ' ' || !end[1] || end[2] != ' ')
		return 0;
	type = end[1];
	line = end + 3;
	if (strchr(line, '\t'))
		return 0;
	*any = *any || addr;
	return add_symbol(b, line, addr, 0, strchr("tTwW", type) ? STT_FUNC : STT_OBJECT, false);
}

static int add_running(struct probe_binary *b, const char *path, struct ptui_error *err)
{
	struct buf text = BUF_INIT;
	bool any = false;
	int ret = file_read(path, KALLSYMS_BYTES_MAX, &text, err);

	for (char *at = (char *)buf_str(&text), *end; *at && !ret; at = end) {
		end = at + strcspn(at, "\n");
		if (*end)
			*end++ = '\0';
		ret = add_running_line(b, at, &any) ? ptui_error_nomem(err) : 0;
	}
	if (!ret && !any) { /* the kernel hides them: the symbol room says why */
		kallsyms_unref(kallsyms_read(path, err));
		ret = -EPERM;
	}
	buf_release(&text);
	return ret;
}

int probe_binary_symbols(struct probe_binary *b, struct ptui_error *err)
{
	struct dso_file *hidden;
	int ret = 0;

	if (b->has_symbols)
		return 0;
	if (b->is_running)
		return -ENOENT;
	if (b->debug)
		ret = add_table(b, b->debug, SHT_SYMTAB);
	if (!ret && !b->n_symbols)
		ret = add_table(b, b->file, SHT_SYMTAB);
	if (!ret && !b->n_symbols) {
		hidden = dso_file_open_debugdata(b->file, NULL);
		ret = hidden ? add_table(b, hidden, SHT_SYMTAB) : 0;
		dso_file_unref(hidden);
		if (!ret)
			ret = add_table(b, b->file, SHT_DYNSYM);
	}
	if (!ret && !b->is_kernel)
		ret = add_plt(b);
	if (ret)
		return ptui_error_nomem(err);
	if (b->n_symbols)
		qsort(b->symbols, b->n_symbols, sizeof(*b->symbols), by_address);
	b->has_symbols = true;
	return 0;
}

const struct probe_symbol *probe_binary_symbol_at(const struct probe_binary *b, uint64_t addr)
{
	size_t n = bisect(i, b->n_symbols, b->symbols[i].addr <= addr);

	for (; n > 0; n--) { /* the nearest start; of several there, the first */
		const struct probe_symbol *s = &b->symbols[n - 1];

		if (n > 1 && b->symbols[n - 2].addr == s->addr)
			continue;
		return !s->bytes || addr - s->addr < s->bytes ? s : NULL;
	}
	return NULL;
}

const struct probe_symbol *probe_binary_symbol_named(const struct probe_binary *b, const char *name)
{
	for (size_t i = 0; i < b->n_symbols; i++)
		if (!strcmp(b->symbols[i].name, name))
			return &b->symbols[i];
	return NULL;
}

struct probe_binary *probe_binary_running_kernel(const struct roots *roots,
						 const struct probe_binary_opts *o,
						 struct ptui_error *err)
{
	struct probe_binary *b = calloc(1, sizeof(*b));
	uint8_t id[DSO_BUILD_ID_MAX];
	int n = dso_read_kernel_build_id(roots, id);
	struct dso_search search = { .build_id = id,
				     .build_id_bytes = n > 0 ? (uint8_t)n : 0,
				     .cache_dir = o->cache_dir,
				     .symfs = o->symfs };
	struct utsname host;
	struct buf path = BUF_INIT;

	if (!b) {
		ptui_error_nomem(err);
		return NULL;
	}
	arena_init(&b->mem);
	b->path = "[kernel.kallsyms]";
	b->is_kernel = b->is_running = true;
	if (n > 0 && !uname(&host))
		dso_search_vmlinux(&search, host.release, try_debug_file, b);
	if (b->debug)
		b->file = dso_file_ref(b->debug);
	open_dwarf(b);
	buf_addf(&path, "%s/kallsyms", roots->proc);
	n = path.err ? ptui_error_nomem(err) : add_running(b, buf_str(&path), err);
	buf_release(&path);
	if (n) {
		probe_binary_free(b);
		return NULL;
	}
	if (b->n_symbols)
		qsort(b->symbols, b->n_symbols, sizeof(*b->symbols), by_address);
	b->has_symbols = true;
	return b;
}

static int take_path(void *ctx, const char *path, char origin)
{
	struct buf *ret = ctx;

	(void)origin;
	buf_add_str(ret, path);
	return 1;
}

struct probe_binary *probe_binary_kernel_module(const char *name, const struct probe_binary_opts *o,
						struct ptui_error *err)
{
	struct dso_search search = { .path = name, .cache_dir = o->cache_dir, .symfs = o->symfs };
	struct probe_binary_opts plain = { .cache_dir = o->cache_dir };
	struct probe_binary *b = NULL;
	struct buf path = BUF_INIT;
	struct utsname host;

	if (uname(&host) ||
	    dso_search_kernel_module(&search, name, host.release, take_path, &path) <= 0) {
		ptui_error_set(err, PTUI_ERROR_SYSTEM, ENOENT, name,
			       _("the file of the kernel module '%s' was not found"), name);
		ptui_error_hint(err, _("name the file: -m /lib/modules/.../%s.ko"), name);
	} else if (path.err) {
		ptui_error_nomem(err);
	} else {
		b = probe_binary_open_kernel(buf_str(&path), &plain, err);
	}
	buf_release(&path);
	return b;
}

/* ---- source files ---- */

const char *probe_source_path(const char *path, const char *unit_dir, const char *prefix,
			      struct arena *mem, struct ptui_error *err)
{
	const char *whole, *tail = path;

	if (!prefix) {
		whole = *path == '/' || !unit_dir ? arena_strdup(mem, path) :
						    arena_printf(mem, "%s/%s", unit_dir, path);
		if (whole && !access(whole, R_OK))
			return whole;
	} else {
		for (whole = ""; whole && tail; tail = strchr(tail + 1, '/')) {
			whole = arena_printf(mem, "%s/%s", prefix, tail);
			if (whole && !access(whole, R_OK))
				return whole;
		}
	}
	if (!whole) {
		ptui_error_nomem(err);
		return NULL;
	}
	ptui_error_errno(err, errno, path, _("cannot read the source file '%s'"), path);
	ptui_error_hint(err, _("name the folder of the sources with --source"));
	return NULL;
}
