/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Symbols of kernel modules:
 *
 *   --kallsyms FILE            exclusively
 *   PROC/kallsyms              if the loaded module is the recorded one
 *   the module's file          by build-id: the cache, /usr/lib/debug, /lib/modules; may be compressed
 *   kallsyms in the cache      of the recorded kernel, if the module was at the same address
 *   debuginfod                 the module's file by its build-id
 *
 * With --symfs a file needs no build-id, as for programs.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "base/i18n.h"
#include "ptui/log.h"
#include "resolve/private.h"

/* The start of a module in a kallsyms table: its code is page-aligned. */
uint64_t module_base_in(const struct symtab *t)
{
	for (size_t i = 0; i < symtab_n(t); i++)
		if (symtab_at(t, i)->type == STT_FUNC)
			return symtab_at(t, i)->start & ~(uint64_t)0xfff;
	return 0;
}

/* ---- the module's file ---- */

struct module_search {
	struct resolver *r;
	struct dso_info *info;
	struct symtab *table;
};

/* Takes over `f`, which may be NULL. */
static struct symtab *module_table(struct resolver *r, struct dso_info *info, struct dso_file *f,
				   char origin)
{
	struct ptui_error err = PTUI_ERROR_INIT;
	struct symtab *t = NULL;

	if (f && dso_file_has_section(f, SHT_SYMTAB))
		t = symtab_from_kernel_module(f, &err);
	if (t) {
		info->vmlinux = strpool_add(r->names, dso_file_path(f));
		info->origin = origin;
		ptui_log(PTUI_LOG_INFO, "resolve", _("%s: using symbols from %s"), "kernel module",
			 dso_file_path(f));
	}
	dso_file_unref(f);
	return t;
}

static int module_try(void *ctx, const char *path, char origin)
{
	struct module_search *s = ctx;

	s->table = module_table(
		s->r, s->info,
		dso_file_open(path, s->info->build_id, s->info->build_id_bytes, NULL), origin);
	return s->table != NULL;
}

static struct symtab *load_module_file(struct resolver *r, uint32_t dso, const char *module)
{
	struct dso_info *info = &r->dsos[dso];
	const struct dso_search where = { .path = strpool_get(r->names, info->name),
					  .build_id = info->build_id,
					  .build_id_bytes = info->build_id_bytes,
					  .home = r->home,
					  .symfs = r->symfs,
					  .cache_dir = r->buildid_dir };
	struct module_search s = { .r = r, .info = info };

	/* --symfs says that its files are the recorded ones */
	if ((!info->build_id_bytes && !r->symfs) ||
	    dso_search_kernel_module(&where, module, r->kernel_release, module_try, &s) < 0)
		return NULL;
	return s.table;
}

/* As for the kernel itself: a server may have only the module without debug information. */
static struct symtab *fetch_module(struct resolver *r, uint32_t dso)
{
	struct dso_info *info = &r->dsos[dso];
	struct symtab *t = NULL;

	for (int executable = 0; executable < 2 && !t; executable++)
		t = module_table(r, info,
				 fetch_file(r, info->short_name, info->build_id,
					    info->build_id_bytes, executable),
				 executable ? DSO_FROM_CACHE : DSO_FROM_CACHE_DEBUG);
	return t;
}

/* ---- all sources ---- */

static struct symtab *load_running(struct resolver *r, uint32_t dso, const char *module)
{
	struct symtab *t = kernel_load_proc_kallsyms(r, &r->dsos[dso], module);
	uint64_t base = t ? module_base_now(r, module) : 0;

	r->work[dso].shift = base ? base : r->work[dso].base;
	return t;
}

static struct symtab *load_cached(struct resolver *r, uint32_t dso, const char *module)
{
	struct symtab *t = kernel_load_cached_kallsyms(r, &r->dsos[dso], module);

	/* of another boot, and maybe another build */
	if (t && module_base_in(t) != r->work[dso].base) {
		symtab_free(t);
		return NULL;
	}
	r->work[dso].shift = r->work[dso].base;
	return t;
}

/* Frames of a module have offsets. */
static struct symtab *load_module(struct resolver *r, uint32_t dso, const char *module)
{
	struct ptui_error err = PTUI_ERROR_INIT;
	enum proof proof;
	struct symtab *t;

	if (r->kallsyms) { /* of the recorded boot */
		r->work[dso].shift = r->work[dso].base;
		return kernel_load_kallsyms(r, &r->dsos[dso], r->kallsyms, module);
	}
	proof = proof_kernel_module(r, dso, module, &err);
	if (proof == PROOF_SAME) {
		t = load_running(r, dso, module);
		r->dsos[dso].running = t != NULL;
		return t;
	}
	t = load_module_file(r, dso, module);
	if (t) {
		r->work[dso].shift = 0;
		return t;
	}
	t = load_cached(r, dso, module);
	if (!t) {
		t = fetch_module(r, dso);
		if (t)
			r->work[dso].shift = 0;
	}
	if (!t && proof_accept(r, &r->dsos[dso], proof, &err))
		t = load_running(r, dso, module);
	return t;
}

struct symtab *kernel_module_load(struct resolver *r, uint32_t dso)
{
	struct dso_info *info = &r->dsos[dso];
	const char *name = strpool_get(r->names, info->short_name);
	size_t n = strlen(name);
	struct ptui_error err = PTUI_ERROR_INIT;
	struct symtab *t;
	char *module;

	if (r->no_modules) {
		ptui_error_set(&err, PTUI_ERROR_INPUT, ENOENT, name,
			       _("symbols of kernel modules are disabled (--no-modules)"));
		dso_load_failed(info, DSO_NO_SYMBOLS, &err);
		return NULL;
	}
	module = name[0] == '[' && n > 2 ? strndup(name + 1, n - 2) : strdup(name);
	if (!module) {
		ptui_error_nomem(&err);
		dso_load_failed(info, DSO_NO_FILE, &err);
		return NULL;
	}
	t = load_module(r, dso, module);
	free(module);
	return t;
}
