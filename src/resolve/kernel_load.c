/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Symbols of the kernel and its modules, from the sources that perf uses, in its order
 * (tools/perf/util/symbol.c, dso__load_kernel_sym):
 *
 *   --kallsyms FILE, -k FILE    exclusively: a wrong file must not go unnoticed
 *   a vmlinux file              the build-id cache, /boot, /lib/modules, /usr/lib/debug
 *   PROC/kallsyms               of the running kernel, if it is the recorded one; a copy in the
 *                               cache is the same, and read ten times as fast
 *   kcore in the cache          a copy of the code, with kallsyms, of a kernel that ran then
 *   kallsyms in the cache       of a kernel that ran during an earlier recording
 *   debuginfod                  a vmlinux by its build-id, if nothing else was found: it is large
 *
 * Unlike perf, ptui uses a vmlinux file that was not named only if its build-id matches.
 */
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "base/i18n.h"
#include "base/vec.h"
#include "ptui/log.h"
#include "resolve/private.h"

uint32_t kernel_dso(const struct resolver *r)
{
	for (size_t i = 0; i < r->n_dsos; i++)
		if (dso_name_is_kernel(r->names, machine_module(r->m, (uint32_t)i)))
			return (uint32_t)i;
	return PTUI_NONE;
}

/* ---- addresses ---- */

uint64_t module_base_now(const struct resolver *r, const char *name)
{
	struct buf text = BUF_INIT;
	uint64_t base = 0;
	char *line, *rest = NULL;

	if (!file_readf(&text, 1u << 22, "%s/modules", r->roots->proc) && text.data)
		for (line = strtok_r(text.data, "\n", &rest); line && !base;
		     line = strtok_r(NULL, "\n", &rest)) {
			const char *addr = strstr(line, " 0x");
			size_t n = strlen(name);

			if (addr && !strncmp(line, name, n) && line[n] == ' ')
				base = strtoull(addr + 1, NULL, 16);
		}
	buf_release(&text);
	return base;
}

/*
 * The recorded address of the reference symbol (_text or _stext) and that in the table differ if
 * the kernel was booted at another address in between (KASLR), or, for a vmlinux file, linked at
 * another one. Unsigned: the difference may wrap.
 */
static uint64_t kernel_shift(const struct resolver *r, uint32_t dso, const struct symtab *t)
{
	uint64_t now = symtab_kernel_ref(t, machine_module(r->m, dso)->ref_stext);
	uint64_t then = r->work[dso].base;

	return now && then ? now - then : 0;
}

/* ---- vmlinux ---- */

struct vmlinux_search {
	struct resolver *r;
	struct dso_info *info;
	const uint8_t *build_id; /* required build-id; build_id_bytes 0: any */
	uint8_t build_id_bytes;
	uint8_t running[DSO_BUILD_ID_MAX];
	struct symtab *table;
	struct ptui_error err;
};

/* For the likely mistake: naming the compressed boot image. */
static void vmlinux_hint(struct ptui_error *err)
{
	if (err->domain == PTUI_ERROR_ELF || err->domain == PTUI_ERROR_FORMAT)
		ptui_error_hint(
			err, err->code == ESTALE ?
				     _("use the vmlinux of the recorded kernel") :
				     _("use the uncompressed vmlinux, not a boot image (vmlinuz)"));
}

/* Takes over `f`; NULL: s->err is set. */
static int vmlinux_use(struct vmlinux_search *s, struct dso_file *f, const char *path)
{
	if (f)
		s->table = symtab_from_vmlinux(f, &s->err);
	if (s->table) {
		s->info->vmlinux = strpool_add(s->r->names, path);
		s->info->origin = DSO_FROM_VMLINUX;
	}
	if (s->table)
		ptui_log(PTUI_LOG_INFO, "resolve", _("%s: using symbols from %s"),
			 "[kernel.kallsyms]", path);
	else
		ptui_log(PTUI_LOG_INFO, "resolve", "%s", s->err.text);
	dso_file_unref(f);
	return s->table != NULL;
}

static int vmlinux_try(void *ctx, const char *path, char origin)
{
	struct vmlinux_search *s = ctx;

	(void)origin;
	s->err = (struct ptui_error)PTUI_ERROR_INIT;
	return vmlinux_use(s, dso_file_open(path, s->build_id, s->build_id_bytes, &s->err), path);
}

static void vmlinux_search_init(struct vmlinux_search *s, struct resolver *r, struct dso_info *info)
{
	struct ptui_error err = PTUI_ERROR_INIT;

	memset(s, 0, sizeof(*s));
	s->r = r;
	s->info = info;
	s->build_id = info->build_id;
	s->build_id_bytes = info->build_id_bytes;
	if (!s->build_id_bytes && proof_kernel(r, &err) == PROOF_SAME) {
		int n = dso_read_kernel_build_id(r->roots, s->running);

		s->build_id = s->running;
		s->build_id_bytes = n > 0 ? (uint8_t)n : 0;
	}
}

/* The named file or none: falling back to another one would hide that it does not fit. */
static struct symtab *load_named_vmlinux(struct resolver *r, struct dso_info *info)
{
	struct vmlinux_search s;

	vmlinux_search_init(&s, r, info);
	if (!vmlinux_try(&s, r->vmlinux, DSO_FROM_VMLINUX)) {
		vmlinux_hint(&s.err);
		dso_load_failed(info,
				s.err.code == ESTALE		  ? DSO_STALE :
				s.err.domain == PTUI_ERROR_SYSTEM ? DSO_NO_FILE :
								    DSO_NO_SYMBOLS,
				&s.err);
		ptui_log(PTUI_LOG_WARN, "resolve", _("%s; continuing without kernel symbols"),
			 s.err.text);
	}
	return s.table;
}

static struct symtab *find_vmlinux(struct resolver *r, struct dso_info *info)
{
	struct dso_search where = { .home = r->home,
				    .symfs = r->symfs,
				    .cache_dir = r->buildid_dir };
	struct vmlinux_search s;

	vmlinux_search_init(&s, r, info);
	if (!s.build_id_bytes)
		return NULL;
	where.build_id = s.build_id;
	where.build_id_bytes = s.build_id_bytes;
	if (dso_search_vmlinux(&where, r->kernel_release, vmlinux_try, &s) < 0)
		return NULL;
	return s.table;
}

static struct symtab *fetch_vmlinux(struct resolver *r, struct dso_info *info)
{
	struct vmlinux_search s;
	struct dso_file *f;

	vmlinux_search_init(&s, r, info);
	/* to a server it is an executable if it has no debug information */
	for (int executable = 0; executable < 2 && !s.table; executable++) {
		f = fetch_file(r, info->short_name, s.build_id, s.build_id_bytes, executable);
		if (f)
			vmlinux_use(&s, f, dso_file_path(f));
	}
	return s.table;
}

/* ---- kallsyms ---- */

struct kallsyms *kallsyms_of(struct resolver *r, const char *path, struct ptui_error *err)
{
	struct kallsyms_source *s;

	for (size_t i = 0; i < r->n_kallsyms; i++) {
		s = &r->kallsyms_sources[i];
		if (strcmp(s->path, path))
			continue;
		if (!s->k)
			*err = s->err;
		return s->k;
	}
	if (vec_grow(&r->kallsyms_sources, &r->cap_kallsyms, r->n_kallsyms + 1) < 0) {
		ptui_error_nomem(err);
		return NULL;
	}
	s = &r->kallsyms_sources[r->n_kallsyms];
	memset(s, 0, sizeof(*s));
	s->path = strdup(path);
	if (!s->path) {
		ptui_error_nomem(err);
		return NULL;
	}
	r->n_kallsyms++;
	if (!preload_take_kallsyms(r, path, &s->k, &s->err))
		s->k = kallsyms_read(path, &s->err);
	if (!s->k)
		*err = s->err;
	return s->k;
}

struct kallsyms *kallsyms_running(struct resolver *r, struct ptui_error *err)
{
	struct buf path = BUF_INIT;
	struct kallsyms *k = NULL;

	buf_addf(&path, "%s/kallsyms", r->roots->proc);
	if (path.err)
		ptui_error_nomem(err);
	else
		k = kallsyms_of(r, buf_str(&path), err);
	buf_release(&path);
	return k;
}

void kallsyms_forget(struct resolver *r)
{
	for (size_t i = 0; i < r->n_kallsyms; i++) {
		kallsyms_finish(r->kallsyms_sources[i].k);
		free(r->kallsyms_sources[i].path);
	}
	r->n_kallsyms = 0;
}

struct symtab *kernel_load_kallsyms(struct resolver *r, struct dso_info *info, const char *path,
				    const char *module)
{
	struct ptui_error err = PTUI_ERROR_INIT;
	struct kallsyms *k = kallsyms_of(r, path, &err);
	struct symtab *t = k ? symtab_of_kallsyms(k, module, &err) : NULL;

	if (t) {
		info->origin = DSO_FROM_KALLSYMS;
		ptui_log(PTUI_LOG_INFO, "resolve", _("%s: using symbols from %s"),
			 module ? module : "[kernel.kallsyms]", path);
		return t;
	}
	dso_load_failed(info,
			err.code == EPERM		? DSO_FORBIDDEN :
			err.domain == PTUI_ERROR_FORMAT ? DSO_NO_SYMBOLS :
							  DSO_NO_FILE,
			&err);
	return NULL;
}

/* CACHE/NAME/BUILD-ID of a kernel. False: there is no cache, or no build-id. */
static bool add_cache_folder(const struct resolver *r, const char *name, const uint8_t *id,
			     uint8_t id_bytes, struct buf *out)
{
	const char *home = r->home ? r->home : getenv("HOME");
	char text[DSO_BUILD_ID_TEXT];

	if (!id_bytes || (!r->buildid_dir && (!home || !*home)))
		return false;
	dso_build_id_format(id, id_bytes, text);
	buf_addf(out, "%s%s/%s/%s", r->buildid_dir ? r->buildid_dir : home,
		 r->buildid_dir ? "" : "/.debug", name, text);
	return !out->err;
}

/* The same of the recorded one. */
static bool add_kernel_folder(const struct resolver *r, const char *name, struct buf *out)
{
	uint32_t kernel = kernel_dso(r);

	return kernel != PTUI_NONE && add_cache_folder(r, name, r->dsos[kernel].build_id,
						       r->dsos[kernel].build_id_bytes, out);
}

/* The copy of kallsyms in the cache; NULL: there is none. To be freed. */
static char *cached_kallsyms_path(const struct resolver *r, const uint8_t *id, uint8_t id_bytes)
{
	struct buf path = BUF_INIT;

	if (add_cache_folder(r, "[kernel.kallsyms]", id, id_bytes, &path))
		buf_add_str(&path, "/kallsyms");
	if (!path.err && path.len && !access(buf_str(&path), R_OK))
		return buf_take(&path);
	buf_release(&path);
	return NULL;
}

static char *recorded_kallsyms_path(const struct resolver *r)
{
	uint32_t kernel = kernel_dso(r);

	return kernel == PTUI_NONE ? NULL :
				     cached_kallsyms_path(r, r->dsos[kernel].build_id,
							  r->dsos[kernel].build_id_bytes);
}

/* Where the kernel, or the module, is by these symbols: as recorded, if they are of that boot. */
static bool is_of_boot(const struct resolver *r, uint32_t dso, const struct symtab *t,
		       const char *module)
{
	uint64_t base = module ? module_base_in(t) :
				 symtab_kernel_ref(t, machine_module(r->m, dso)->ref_stext);

	return base == r->work[dso].base;
}

/* The symbols of one copy of kcore; NULL: they are no use. */
static struct symtab *load_copy(struct resolver *r, struct dso_info *info, const char *folder,
				const char *module, bool any_boot)
{
	uint32_t dso = (uint32_t)(info - r->dsos);
	struct symtab *t = NULL;
	struct buf path = BUF_INIT;

	buf_addf(&path, "%s/kcore", folder);
	if (!path.err && !access(buf_str(&path), R_OK)) {
		buf_clear(&path);
		buf_addf(&path, "%s/kallsyms", folder);
		if (!path.err && !access(buf_str(&path), R_OK))
			t = kernel_load_kallsyms(r, info, buf_str(&path), module);
	}
	buf_release(&path);
	if (t && !any_boot && !is_of_boot(r, dso, t, module)) {
		symtab_free(t);
		t = NULL;
	}
	if (t)
		info->kcore = strpool_add(r->names, folder);
	return t;
}

/*
 * A copy of the code and the symbols that was made while the recorded kernel ran: of the same boot, or
 * (but for modules) of another one.
 */
static struct symtab *load_cached_kcore(struct resolver *r, struct dso_info *info,
					const char *module)
{
	struct symtab *t = NULL;
	struct buf parent = BUF_INIT, folder = BUF_INIT;
	bool known = add_kernel_folder(r, "[kernel.kcore]", &parent);

	for (int any_boot = 0; any_boot < (module ? 1 : 2) && known && !t; any_boot++) {
		DIR *d = opendir(buf_str(&parent));
		struct dirent *item;

		while (d && !t && (item = readdir(d))) {
			if (item->d_name[0] == '.')
				continue;
			buf_clear(&folder);
			buf_addf(&folder, "%s/%s", buf_str(&parent), item->d_name);
			t = folder.err ? NULL :
					 load_copy(r, info, buf_str(&folder), module, any_boot);
		}
		if (d)
			closedir(d);
	}
	buf_release(&parent);
	buf_release(&folder);
	return t;
}

struct symtab *kernel_load_cached_kallsyms(struct resolver *r, struct dso_info *info,
					   const char *module)
{
	struct symtab *t = load_cached_kcore(r, info, module);
	char *path = t ? NULL : recorded_kallsyms_path(r);

	if (path)
		t = kernel_load_kallsyms(r, info, path, module);
	free(path);
	return t;
}

struct symtab *kernel_load_proc_kallsyms(struct resolver *r, struct dso_info *info,
					 const char *module)
{
	struct ptui_error err = PTUI_ERROR_INIT;
	struct buf path = BUF_INIT;
	struct symtab *t = NULL;

	buf_addf(&path, "%s/kallsyms", r->roots->proc);
	if (path.err) {
		ptui_error_nomem(&err);
		dso_load_failed(info, DSO_NO_FILE, &err);
	} else {
		t = kernel_load_kallsyms(r, info, buf_str(&path), module);
	}
	buf_release(&path);
	return t;
}

/*
 * The kernel prints PROC/kallsyms again for each reader, which takes it longer than all else in a small
 * report. A copy that is cut has no end of the code: functions after the cut would have a wrong name.
 */
static struct symtab *load_running_kallsyms(struct resolver *r, struct dso_info *info)
{
	struct ptui_error err = PTUI_ERROR_INIT;
	char *path = recorded_kallsyms_path(r);
	struct kallsyms *k = path ? kallsyms_of(r, path, &err) : NULL;
	struct symtab *t = NULL;

	if (k && kallsyms_is_whole(k))
		t = kernel_load_kallsyms(r, info, path, NULL);
	free(path);
	return t ? t : kernel_load_proc_kallsyms(r, info, NULL);
}

/* ---- read before they are needed ---- */

static int vmlinux_opens(void *ctx, const char *path, char origin)
{
	const struct dso_search *s = ctx;
	struct dso_file *f = dso_file_open(path, s->build_id, s->build_id_bytes, NULL);

	(void)origin;
	dso_file_unref(f);
	return f != NULL;
}

bool kernel_finds_vmlinux(const struct resolver *r, const uint8_t *id, uint8_t id_bytes)
{
	struct dso_search s = { .home = r->home,
				.symfs = r->symfs,
				.cache_dir = r->buildid_dir,
				.build_id = id,
				.build_id_bytes = id_bytes };

	return !r->ignore_vmlinux &&
	       dso_search_vmlinux(&s, r->kernel_release, vmlinux_opens, &s) > 0;
}

char *kernel_kallsyms_path(const struct resolver *r, const uint8_t *id, uint8_t id_bytes)
{
	uint8_t running[DSO_BUILD_ID_MAX];
	char *path;

	if (r->kallsyms)
		return strdup(r->kallsyms);
	if (!id_bytes || (r->vmlinux && !r->ignore_vmlinux) ||
	    dso_read_kernel_build_id(r->roots, running) != id_bytes ||
	    memcmp(running, id, id_bytes))
		return NULL;
	path = cached_kallsyms_path(r, id, id_bytes);
	if (path)
		return path;
	return asprintf(&path, "%s/kallsyms", r->roots->proc) < 0 ? NULL : path;
}

/* ---- the kernel ---- */

static struct symtab *load_kernel(struct resolver *r, struct dso_info *info)
{
	struct ptui_error err = PTUI_ERROR_INIT;
	struct symtab *t = NULL;
	enum proof proof;

	if (r->kallsyms) {
		t = kernel_load_kallsyms(r, info, r->kallsyms, NULL);
		if (!t)
			ptui_log(PTUI_LOG_WARN, "resolve",
				 _("%s; continuing without kernel symbols"), info->why);
		return t;
	}
	if (r->vmlinux && !r->ignore_vmlinux)
		return load_named_vmlinux(r, info);
	if (!r->ignore_vmlinux)
		t = find_vmlinux(r, info);
	if (t)
		return t;
	proof = proof_kernel(r, &err);
	if (proof == PROOF_SAME) {
		t = load_running_kallsyms(r, info);
		info->running = t != NULL;
	} else {
		t = kernel_load_cached_kallsyms(r, info, NULL);
	}
	if (!t && !r->ignore_vmlinux)
		t = fetch_vmlinux(r, info);
	if (!t && proof != PROOF_SAME && proof_accept(r, info, proof, &err))
		t = kernel_load_proc_kallsyms(r, info, NULL);
	return t;
}

struct symtab *kernel_load(struct resolver *r, uint32_t dso)
{
	struct dso_info *info = &r->dsos[dso];
	bool itself = dso_name_is_kernel(r->names, machine_module(r->m, dso));
	struct symtab *t = itself ? load_kernel(r, info) : kernel_module_load(r, dso);

	if (t)
		info->why[0] = '\0'; /* left from a source tried before */
	if (t && itself)
		r->work[dso].shift = kernel_shift(r, dso, t);
	info->shift = r->work[dso].shift;
	return t;
}
