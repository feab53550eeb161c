/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finding the symbol table of a dso. Whatever goes wrong becomes its state and a sentence. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/i18n.h"
#include "ptui/log.h"
#include "resolve/private.h"

static void fail(struct dso_info *info, enum dso_state state, const struct ptui_error *err)
{
	size_t n = strnlen(err->text, sizeof(info->why) - 1);

	info->state = state;
	memcpy(info->why, err->text, n);
	info->why[n] = 0;
}

/* The two files that make a table: perf too takes the first fitting one for each. */
struct pick {
	const struct dso_info *info;
	struct dso_file *symbols; /* has .symtab */
	struct dso_file *runtime; /* has .dynsym: the file that ran, or its like */
	struct ptui_error err;	  /* why the file itself was of no use */
	bool found;		  /* the file itself is there */
};

static int pick_candidate(void *ctx, const char *path, bool is_debug)
{
	struct pick *p = ctx;
	struct ptui_error err = PTUI_ERROR_INIT;
	struct dso_file *f = dso_file_open(path, p->info->build_id, p->info->build_id_bytes, &err);

	if (!is_debug)
		p->found = true;
	if (!f) {
		if (!is_debug)
			p->err = err;
		return 0;
	}
	if (!p->symbols && dso_file_has_section(f, SHT_SYMTAB))
		p->symbols = dso_file_ref(f);
	if (!p->runtime && dso_file_has_section(f, SHT_DYNSYM))
		p->runtime = dso_file_ref(f);
	dso_file_unref(f);
	return p->symbols && p->runtime;
}

/* -> the build-id to search by: the recording's, else that of the file that is there. */
static void search_id(const struct resolver *r, const char *path, struct dso_search *s,
		      uint8_t id[DSO_BUILD_ID_MAX])
{
	struct buf full = BUF_INIT;
	int n;

	if (s->build_id_bytes)
		return;
	buf_addf(&full, "%s%s", r->symfs ? r->symfs : "", path);
	n = full.err ? 0 : dso_read_build_id(buf_str(&full), id);
	if (n > 0) {
		s->build_id = id;
		s->build_id_bytes = (uint8_t)n;
	}
	buf_release(&full);
}

static struct symtab *load_file(struct resolver *r, struct dso_info *info)
{
	const char *path = strpool_get(r->names, info->name);
	struct dso_search s = { .path = path,
				.build_id = info->build_id,
				.build_id_bytes = info->build_id_bytes,
				.home = r->home,
				.symfs = r->symfs, .cache_dir = r->buildid_dir };
	struct pick p = { .info = info, .err = PTUI_ERROR_INIT };
	uint8_t id[DSO_BUILD_ID_MAX];
	struct symtab *t = NULL;

	search_id(r, path, &s, id);
	if (dso_search_each(&s, pick_candidate, &p) < 0)
		ptui_error_nomem(&p.err);
	if (p.symbols || p.runtime)
		t = symtab_from_elf(p.runtime ? p.runtime : p.symbols,
				    p.symbols ? p.symbols : p.runtime, &p.err);
	if (!t && !p.found && !ptui_error_is_set(&p.err)) {
		ptui_error_set(&p.err, PTUI_ERROR_SYSTEM, ENOENT, path,
			       _("there is no file %s (any more)"), path);
		fail(info, DSO_NO_FILE, &p.err);
	} else if (!t) {
		if (!ptui_error_is_set(&p.err))
			ptui_error_set(&p.err, PTUI_ERROR_FORMAT, ENOENT, path,
				       _("%s has no symbols"), path);
		fail(info,
		     p.err.code == ESTALE ? DSO_STALE :
		     p.err.code == EACCES ? DSO_NO_FILE :
					    DSO_NO_SYMBOLS,
		     &p.err);
	}
	dso_file_unref(p.symbols);
	dso_file_unref(p.runtime);
	return t;
}

/* Of the running kernel only: `kernel_is_stale` asks whether that is the recorded one. */
static struct symtab *load_vdso(struct dso_info *info)
{
	struct ptui_error err = PTUI_ERROR_INIT;
	struct dso_file *f = dso_vdso_open(info->build_id, info->build_id_bytes, &err);
	struct symtab *t = f ? symtab_from_elf(f, f, &err) : NULL;

	if (!t)
		fail(info, err.code == ESTALE ? DSO_STALE : DSO_NO_SYMBOLS, &err);
	dso_file_unref(f);
	return t;
}

static struct symtab *load_perf_map(struct resolver *r, struct dso_info *info)
{
	struct ptui_error err = PTUI_ERROR_INIT;
	struct buf path = BUF_INIT;
	struct symtab *t = NULL;

	buf_addf(&path, "%s%s", r->symfs ? r->symfs : "", strpool_get(r->names, info->name));
	if (path.err)
		ptui_error_nomem(&err);
	else
		t = symtab_from_perf_map(buf_str(&path), &err);
	if (!t)
		fail(info, err.code == ENOENT && err.domain == PTUI_ERROR_SYSTEM ? DSO_NO_FILE :
										    DSO_NO_SYMBOLS,
		     &err);
	buf_release(&path);
	return t;
}

/* True when the running kernel is known to be another one than the recorded. */
static bool kernel_is_stale(struct resolver *r, struct dso_info *info, const struct dso_info *kernel)
{
	char have_text[DSO_BUILD_ID_TEXT], want_text[DSO_BUILD_ID_TEXT];
	struct ptui_error err = PTUI_ERROR_INIT;
	uint8_t have[DSO_BUILD_ID_MAX];
	int n;

	if (r->kallsyms || !kernel || !kernel->build_id_bytes)
		return false;
	n = dso_read_kernel_build_id(r->roots, have);
	if (n <= 0 || (n == kernel->build_id_bytes && !memcmp(have, kernel->build_id, (size_t)n)))
		return false;
	dso_build_id_format(have, (uint8_t)n, have_text);
	dso_build_id_format(kernel->build_id, kernel->build_id_bytes, want_text);
	ptui_error_set(&err, PTUI_ERROR_FORMAT, ESTALE, NULL,
		       _("the running kernel has build-id %s, the recording was of %s"), have_text,
		       want_text);
	fail(info, DSO_STALE, &err);
	return true;
}

static const struct dso_info *kernel_dso(const struct resolver *r)
{
	size_t i;

	for (i = 0; i < r->n_dsos; i++)
		if (dso_name_is_kernel(r->names, machine_module(r->m, (uint32_t)i)))
			return &r->dsos[i];
	return NULL;
}

/* Where PROC/modules says that a module lies now; 0: it does not say. */
static uint64_t module_base_now(const struct resolver *r, const char *name)
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
 * Addresses of the recording and of today differ when the kernel was started again in
 * between (KASLR), or a module was loaded again. Unsigned: the difference may wrap.
 */
static uint64_t kernel_shift(const struct resolver *r, const struct dso_work *w,
			     const struct symtab *t, const char *module)
{
	uint64_t now = module ? module_base_now(r, module) : symtab_kernel_start(t);

	if (module) /* its frames have offsets */
		return now ? now : w->base;
	return now && w->base ? now - w->base : 0;
}

static struct symtab *load_kernel(struct resolver *r, struct dso_info *info, struct dso_work *w,
				  bool itself)
{
	const char *name = strpool_get(r->names, info->short_name);
	char *module = NULL;
	struct ptui_error err = PTUI_ERROR_INIT;
	struct buf path = BUF_INIT;
	struct symtab *t = NULL;

	if (kernel_is_stale(r, info, kernel_dso(r)))
		return NULL;
	if (r->kallsyms)
		buf_add_str(&path, r->kallsyms);
	else
		buf_addf(&path, "%s/kallsyms", r->roots->proc);
	if (!itself) {
		size_t n = strlen(name);

		module = name[0] == '[' && n > 2 ? strndup(name + 1, n - 2) : strdup(name);
	}
	if (path.err || (!module && !itself))
		ptui_error_nomem(&err);
	else
		t = symtab_from_kallsyms(buf_str(&path), module, &err);
	if (t)
		w->shift = kernel_shift(r, w, t, module);
	else
		fail(info,
		     err.code == EPERM	? DSO_FORBIDDEN :
		     err.domain == PTUI_ERROR_FORMAT ? DSO_NO_SYMBOLS :
						       DSO_NO_FILE,
		     &err);
	free(module);
	buf_release(&path);
	return t;
}

void dso_load(struct resolver *r, uint32_t dso)
{
	const struct module_ref *ref = machine_module(r->m, dso);
	struct dso_info *info = &r->dsos[dso];
	struct dso_work *w = &r->work[dso];

	if (ref->kernel)
		w->table = load_kernel(r, info, w, dso_name_is_kernel(r->names, ref));
	else if (ref->pid >= 0)
		w->table = load_perf_map(r, info);
	else if (w->vdso)
		w->table = kernel_is_stale(r, info, kernel_dso(r)) ? NULL : load_vdso(info);
	else if (ref->memory) {
		info->state = DSO_NO_SYMBOLS;
		snprintf(info->why, sizeof(info->why), "%s", _("memory has no symbols"));
	} else {
		w->table = load_file(r, info);
	}
	if (w->table)
		info->state = DSO_OK;
	r->bytes += symtab_bytes(w->table);
	/* without memory it is not told */
	info->why_name = w->table || !*info->why ? PTUI_NONE : strpool_add(r->names, info->why);
	ptui_log(PTUI_LOG_DEBUG, "resolve", "%s: %s", strpool_get(r->names, info->name),
		 w->table ? "symbols loaded" : info->why);
}
