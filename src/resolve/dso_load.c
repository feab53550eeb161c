/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finding the symbol table of a DSO. Every failure is kept as its state with a sentence. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "base/i18n.h"
#include "ptui/log.h"
#include "resolve/private.h"

void dso_load_failed(struct dso_info *info, enum dso_state state, const struct ptui_error *err)
{
	size_t n = strnlen(err->text, sizeof(info->why) - 1);

	info->state = state;
	memcpy(info->why, err->text, n);
	info->why[n] = 0;
}

/* The files of a table. For each part the first that fits is taken, as in perf. */
struct pick {
	const struct dso_info *info;
	struct dso_file *symbols; /* has .symtab */
	struct dso_file *runtime; /* .dynsym: the file that ran or an equal one */
	struct dso_file *code;	  /* has machine code */
	struct ptui_error err;	  /* why the file itself cannot be used */
	bool found;		  /* the file itself exists */
};

static int pick_candidate(void *ctx, const char *path, bool is_debug)
{
	struct pick *p = ctx;
	struct ptui_error err = PTUI_ERROR_INIT;
	struct dso_file *f = dso_file_open(path, p->info->build_id, p->info->build_id_bytes, &err);
	GElf_Shdr shdr;

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
	if (!p->code && dso_file_section(f, SHT_PROGBITS, ".text", &shdr))
		p->code = dso_file_ref(f);
	dso_file_unref(f);
	return p->symbols && p->runtime && p->code;
}

/* Sets the build-id to search for: the recording's, else that of the file at `path`. */
static void find_build_id(const struct resolver *r, const char *path, struct dso_search *s,
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

/* A file that is not there needs no proof: that is said instead. */
static bool file_is_proven(struct resolver *r, struct dso_info *info, uint32_t dso)
{
	const char *path = strpool_get(r->names, info->name);
	struct ptui_error err = PTUI_ERROR_INIT;

	return access(path, F_OK) || proof_accept(r, info, proof_file(r, dso, path, &err), &err);
}

static struct symtab *load_file(struct resolver *r, uint32_t dso)
{
	struct dso_info *info = &r->dsos[dso];
	struct dso_work *w = &r->work[dso];
	const char *path = strpool_get(r->names, info->name);
	struct dso_search s = { .path = path,
				.build_id = info->build_id,
				.build_id_bytes = info->build_id_bytes,
				.home = r->home,
				.symfs = r->symfs,
				.cache_dir = r->buildid_dir };
	struct pick p = { .info = info, .err = PTUI_ERROR_INIT };
	uint8_t id[DSO_BUILD_ID_MAX];
	struct symtab *t = NULL;

	if (!file_is_proven(r, info, dso))
		return NULL;
	find_build_id(r, path, &s, id);
	if (dso_search_each(&s, pick_candidate, &p) < 0)
		ptui_error_nomem(&p.err);
	if (p.symbols || p.runtime)
		t = symtab_from_elf(p.runtime ? p.runtime : p.symbols,
				    p.symbols ? p.symbols : p.runtime, &p.err);
	if (r->starts && p.code)
		w->starts_known = !dso_starts(p.code, &w->starts, &w->n_starts);
	if (!t && !p.found && !ptui_error_is_set(&p.err)) {
		ptui_error_set(&p.err, PTUI_ERROR_SYSTEM, ENOENT, path,
			       _("%s does not exist (any more)"), path);
		dso_load_failed(info, DSO_NO_FILE, &p.err);
	} else if (!t) {
		if (!ptui_error_is_set(&p.err))
			ptui_error_set(&p.err, PTUI_ERROR_FORMAT, ENOENT, path,
				       _("%s has no symbols"), path);
		dso_load_failed(info,
				p.err.code == ESTALE ? DSO_STALE :
				p.err.code == EACCES ? DSO_NO_FILE :
						       DSO_NO_SYMBOLS,
				&p.err);
	}
	if (t)
		ptui_log(PTUI_LOG_INFO, "resolve", _("%s: using symbols from %s"), path,
			 dso_file_path(p.symbols ? p.symbols : p.runtime));
	dso_file_unref(p.symbols);
	dso_file_unref(p.runtime);
	dso_file_unref(p.code);
	return t;
}

/* Of the running kernel only. */
static struct symtab *load_vdso(struct resolver *r, uint32_t dso)
{
	struct dso_info *info = &r->dsos[dso];
	struct ptui_error err = PTUI_ERROR_INIT;
	struct dso_file *f;
	struct symtab *t;

	if (!proof_accept(r, info, proof_vdso(r, dso, &err), &err))
		return NULL;
	err = (struct ptui_error)PTUI_ERROR_INIT;
	f = dso_vdso_open(info->build_id, info->build_id_bytes, &err);
	t = f ? symtab_from_elf(f, f, &err) : NULL;
	if (!t)
		dso_load_failed(info, err.code == ESTALE ? DSO_STALE : DSO_NO_SYMBOLS, &err);
	dso_file_unref(f);
	return t;
}

static struct symtab *load_perf_map(struct resolver *r, struct dso_info *info)
{
	struct ptui_error err = PTUI_ERROR_INIT;
	struct buf path = BUF_INIT;
	struct symtab *t = NULL;

	buf_addf(&path, "%s%s", r->symfs ? r->symfs : "", strpool_get(r->names, info->name));
	if (!path.err && !access(buf_str(&path), F_OK) &&
	    !proof_accept(r, info, proof_perf_map(r, buf_str(&path), &err), &err)) {
		buf_release(&path);
		return NULL;
	}
	err = (struct ptui_error)PTUI_ERROR_INIT;
	if (path.err)
		ptui_error_nomem(&err);
	else
		t = symtab_from_perf_map(buf_str(&path), &err);
	if (!t)
		dso_load_failed(info,
				err.code == ENOENT && err.domain == PTUI_ERROR_SYSTEM ?
					DSO_NO_FILE :
					DSO_NO_SYMBOLS,
				&err);
	buf_release(&path);
	return t;
}

void dso_load(struct resolver *r, uint32_t dso)
{
	const struct module_ref *ref = machine_module(r->m, dso);
	struct dso_info *info = &r->dsos[dso];
	struct dso_work *w = &r->work[dso];

	if (ref->kernel)
		w->table = kernel_load(r, dso);
	else if (ref->pid >= 0)
		w->table = load_perf_map(r, info);
	else if (w->vdso)
		w->table = load_vdso(r, dso);
	else if (ref->memory) {
		info->state = DSO_NO_SYMBOLS;
		snprintf(info->why, sizeof(info->why), "%s", _("memory without a symbol file"));
	} else {
		w->table = load_file(r, dso);
	}
	if (w->table)
		info->state = DSO_OK;
	r->bytes += symtab_bytes(w->table);
	/* PTUI_NONE as well without memory */
	info->why_name = w->table || !*info->why ? PTUI_NONE : strpool_add(r->names, info->why);
	if (!w->table)
		ptui_log(PTUI_LOG_INFO, "resolve", _("%s: no symbols: %s"),
			 strpool_get(r->names, info->name), info->why);
}
