/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "session/debug_private.h"
#include "symbol/data_type.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/buf.h"
#include "base/vec.h"
#include "ptui/log.h"

/* ---- the files of a DSO ---- */

static int open_candidate(void *ctx, const char *path, char origin)
{
	struct debug_dso *d = ctx;
	struct dso_file *f = dso_file_open(path, d->build_id, d->build_id_bytes, NULL);

	if (!f)
		return 0;
	if (!d->runtime && !dso_origin_is_debug(origin))
		d->runtime = dso_file_ref(f);
	if (!d->info && debug_info_is_in(f))
		d->info = debug_info_new(f, NULL);
	dso_file_unref(f);
	return d->info && (d->runtime || d->module);
}

/* Module files are packed, and read as a whole: only if nothing else is known. */
static int module_build_id(const char *path, uint8_t ret_id[DSO_BUILD_ID_MAX])
{
	struct dso_file *f = path ? dso_file_open(path, NULL, 0, NULL) : NULL;
	int n = f ? dso_file_build_id(f, ret_id) : 0;

	dso_file_unref(f);
	return n;
}

/* Files must be of one build: without a recorded build-id, uses that of the file itself. */
static void find_build_id(const struct session_debug *s, struct debug_dso *d)
{
	struct buf path = BUF_INIT;
	int n;

	if (d->build_id_bytes)
		return;
	buf_addf(&path, "%s%s", s->symfs ? s->symfs : "", d->path);
	n = d->module ? module_build_id(d->fetched, d->build_id) :
	    path.err  ? 0 :
			dso_read_build_id(buf_str(&path), d->build_id);
	if (n > 0)
		d->build_id_bytes = (uint8_t)n;
	buf_release(&path);
}

int debug_search(struct session_debug *s, struct debug_dso *d,
		 int (*fn)(void *ctx, const char *path, char origin), void *ctx)
{
	struct dso_search search = { .path = d->path,
				     .build_id = d->build_id,
				     .home = s->home,
				     .symfs = s->symfs,
				     .cache_dir = s->buildid_dir };

	int found = 0;

	find_build_id(s, d);
	search.build_id_bytes = d->build_id_bytes;
	if (!d->module)
		return dso_search_each(&search, fn, ctx);
	if (d->build_id_bytes)
		found = dso_search_kernel_module(&search, d->module, s->release, fn, ctx);
	return found || !d->fetched ? found : fn(ctx, d->fetched, DSO_FROM_CACHE_DEBUG);
}

/* The vmlinux that the symbols are from, else a separate file with the debug information of that build. */
static void open_vmlinux(struct session_debug *s, struct debug_dso *d)
{
	struct dso_search search = { .build_id = d->build_id,
				     .home = s->home,
				     .symfs = s->symfs,
				     .cache_dir = s->buildid_dir };

	int n;

	if (open_candidate(d, d->path, DSO_FROM_VMLINUX))
		return;
	n = d->build_id_bytes ? 0 : dso_read_build_id(d->path, d->build_id);
	if (n > 0)
		d->build_id_bytes = (uint8_t)n;
	search.build_id_bytes = d->build_id_bytes;
	if (search.build_id_bytes)
		dso_search_vmlinux(&search, NULL, open_candidate, d);
}

void debug_dso_open(struct session_debug *s, struct debug_dso *d)
{
	d->opened = true;
	if (!d->path)
		return;
	if (d->code_is == DEBUG_CODE_JITDUMP) {
		d->jitdump = jitdump_open(s->symfs, d->path, NULL);
		return;
	}
	if (d->code_is == DEBUG_CODE_VMLINUX)
		open_vmlinux(s, d);
	else if (d->module)
		debug_search(s, d, open_candidate, d);
	else if (d->code_is != DEBUG_CODE_FILE)
		return;
	else if (!debug_search(s, d, open_candidate, d) && d->fetched)
		open_candidate(d, d->fetched, DSO_FROM_CACHE_DEBUG);
	ptui_log(PTUI_LOG_DEBUG, "session", "debug information of %s: %s", d->path,
		 d->info ? "found" : "none");
}

/* ---- the functions at a place ---- */

const char *debug_shown_name(struct session_debug *s, const char *name)
{
	char *shown = symbol_demangle(name);
	uint32_t id = shown ? strpool_add(&s->names, shown) : PTUI_NONE;

	free(shown);
	return id == PTUI_NONE ? NULL : strpool_get(&s->names, id);
}

static size_t find_scopes(struct session_debug *s, struct debug_dso *d, uint64_t addr,
			  struct profile_scope *ret, size_t max)
{
	struct debug_inline in[DEBUG_INFO_INLINE_MAX];
	struct debug_line at = { NULL, 0 };
	size_t n;

	if (!debug_info_line(d->info, addr, &at))
		at.path = NULL;
	n = debug_info_inlines(d->info, addr, in);
	/* Drops the innermost of too many: the others have lines in functions that are shown. */
	if (n > max - 1) {
		size_t drop = n - (max - 1);

		at = in[drop - 1].call;
		memmove(in, in + drop, (max - 1) * sizeof(*in));
		n = max - 1;
	}
	for (size_t i = 0; i < n; i++) {
		const char *name = debug_shown_name(s, in[i].name);

		if (!name)
			return 0;
		ret[i] = (struct profile_scope){ name, at.path, at.line };
		at = in[i].call;
	}
	ret[n] = (struct profile_scope){ NULL, at.path, at.line };
	return n + 1;
}

/* JIT-compiled code: only lines. */
static size_t find_jit_line(const struct debug_dso *d, uint64_t off, bool before,
			    struct profile_scope *ret)
{
	const struct jitdump_line *line;

	if (d->by_address && !jitdump_find_offset(d->jitdump, off - before, &off))
		return 0;
	line = jitdump_find_line(d->jitdump, d->by_address ? off : off - before);
	if (!line)
		return 0;
	*ret = (struct profile_scope){ NULL, line->file, line->line };
	return 1;
}

static size_t scopes(struct profile_debug *ops, const struct profile_frame *f, bool before,
		     struct profile_scope *ret, size_t max)
{
	struct session_debug *s = (struct session_debug *)ops;
	struct debug_dso *d;
	uint64_t addr;
	size_t n = 0;

	if (f->dso >= s->n_dsos)
		return 0;
	pthread_mutex_lock(&s->lock);
	d = &s->dsos[f->dso];
	if (f->level != (d->module || d->code_is == DEBUG_CODE_VMLINUX ? 'k' : '.')) {
		pthread_mutex_unlock(&s->lock);
		return 0;
	}
	if (!d->opened)
		debug_dso_open(s, d);
	if (d->code_is == DEBUG_CODE_VMLINUX && d->info)
		n = find_scopes(s, d, f->addr + d->shift - before, ret, max);
	else if (d->module && d->info)
		n = find_scopes(s, d, f->addr - before, ret, max);
	else if (d->jitdump)
		n = find_jit_line(d, f->addr, before, ret);
	else if (d->info && d->runtime && dso_file_off_to_rva(d->runtime, f->addr, &addr))
		n = find_scopes(s, d, addr - before, ret, max);
	pthread_mutex_unlock(&s->lock);
	return n;
}

/* ---- types of data ---- */

#define INSN_MAX     16		/* bytes */
#define FUNCTION_MAX (1U << 18) /* the same; of larger ones, instructions are looked at alone */

/* From the unit of frames to that of the debug information. */
static bool debug_addr(const struct debug_dso *d, uint64_t off, uint64_t *ret)
{
	*ret = off + (d->code_is == DEBUG_CODE_VMLINUX ? d->shift : 0);
	return d->code_is == DEBUG_CODE_VMLINUX || d->module ||
	       (d->runtime && dso_file_off_to_rva(d->runtime, off, ret));
}

/* What is not kept is found out again. */
#define ACCESSES_MAX ((size_t)1 << 20)

static bool is_access(const void *owner, uint32_t i, const void *key)
{
	const struct debug_access *a = &((const struct session_debug *)owner)->accesses[i];
	const struct profile_frame *f = key;

	return a->off == f->addr && a->dso == f->dso;
}

static uint64_t access_hash(const struct profile_frame *f)
{
	return hash_pair(f->addr, f->dso);
}

/* With s->lock held. False: not kept. */
static bool access_find(const struct session_debug *s, const struct profile_frame *f,
			enum profile_access *ret_access, struct profile_type *ret)
{
	uint32_t i = index_table_find(&s->access_index, access_hash(f), is_access, s, f);
	const struct debug_access *a;

	if (i == PTUI_NONE)
		return false;
	a = &s->accesses[i];
	*ret_access = a->access;
	if (a->access != PROFILE_ACCESS_TYPE)
		return true;
	snprintf(ret->name, sizeof(ret->name), "%s", strpool_get(&s->names, a->name));
	snprintf(ret->members, sizeof(ret->members), "%s", strpool_get(&s->names, a->members));
	ret->offset = a->offset;
	return true;
}

/* With s->lock held. */
static void access_keep(struct session_debug *s, const struct profile_frame *f,
			enum profile_access access, const struct profile_type *type)
{
	struct debug_access a = { .dso = f->dso, .off = f->addr, .access = access };

	if (access == PROFILE_ACCESS_TYPE) {
		a.name = strpool_add(&s->names, type->name);
		a.members = strpool_add(&s->names, type->members);
		a.offset = type->offset;
		if (a.name == PTUI_NONE || a.members == PTUI_NONE)
			return;
	}
	if (s->n_accesses >= ACCESSES_MAX ||
	    vec_grow(&s->accesses, &s->cap_accesses, s->n_accesses + 1) ||
	    index_table_add(&s->access_index, access_hash(f), (uint32_t)s->n_accesses))
		return;
	s->accesses[s->n_accesses++] = a;
}

/* With s->lock held. Without debug information, or a function, the instruction alone. */
static enum data_access find_access(struct session_debug *s, const struct profile_frame *f,
				    struct data_type *ret)
{
	struct debug_dso *d = &s->dsos[f->dso];
	uint64_t start = frame_sym_start(f);
	struct data_code in = { .n = 0 };
	struct profile_code code;
	enum data_access access;
	bool whole;

	if (!d->opened)
		debug_dso_open(s, d);
	whole = d->info && f->sym_offset < f->sym_size && f->sym_size <= FUNCTION_MAX &&
		debug_addr(d, start, &in.addr);
	if (whole && !d->types)
		d->types = data_types_new(d->info, d->runtime);
	if (!whole || !d->types) {
		whole = false;
		start = f->addr;
	} else if (data_types_has(d->types, in.addr)) {
		return data_types_find(d->types, &in, in.addr + f->sym_offset, ret);
	}
	if (debug_code_at(s, f->dso, start, whole ? f->sym_size : INSN_MAX, &code))
		return DATA_ACCESS_UNKNOWN;
	in.machine = code.machine;
	in.bytes = code.bytes + (start - code.off);
	in.n = code.n - (size_t)(start - code.off);
	access = whole ? data_types_find(d->types, &in, in.addr + f->sym_offset, ret) :
			 data_access_of(&in);
	profile_code_release(&code);
	return access;
}

static enum profile_access data_type(struct profile_debug *ops, const struct profile_frame *f,
				     struct profile_type *ret)
{
	static const enum profile_access accesses[] = {
		[DATA_ACCESS_UNKNOWN] = PROFILE_ACCESS_UNKNOWN,
		[DATA_ACCESS_STACK] = PROFILE_ACCESS_STACK,
		[DATA_ACCESS_CANARY] = PROFILE_ACCESS_CANARY,
		[DATA_ACCESS_TYPE] = PROFILE_ACCESS_TYPE,
	};
	struct session_debug *s = (struct session_debug *)ops;
	enum profile_access access = PROFILE_ACCESS_UNKNOWN;
	struct data_type type;

	pthread_mutex_lock(&s->lock);
	if (f->dso < s->n_dsos && !access_find(s, f, &access, ret)) {
		access = accesses[find_access(s, f, &type)];
		if (access == PROFILE_ACCESS_TYPE) {
			memcpy(ret->name, type.name, sizeof(ret->name));
			memcpy(ret->members, type.members, sizeof(ret->members));
			ret->offset = type.offset;
		}
		access_keep(s, f, access, ret);
	}
	pthread_mutex_unlock(&s->lock);
	return access;
}

/* ---- lifetime ---- */

static const uint8_t *build_id(struct profile_debug *ops, uint32_t dso, size_t *ret_n)
{
	const struct session_debug *s = (const struct session_debug *)ops;

	if (dso >= s->n_dsos)
		return NULL;
	*ret_n = s->dsos[dso].build_id_bytes;
	return s->dsos[dso].build_id;
}

static void session_debug_free(struct profile_debug *ops)
{
	struct session_debug *s = (struct session_debug *)ops;

	if (atomic_fetch_sub_explicit(&s->refs, 1, memory_order_acq_rel) != 1)
		return;
	for (size_t i = 0; i < s->n_dsos; i++) {
		data_types_free(s->dsos[i].types);
		debug_info_free(s->dsos[i].info);
		jitdump_free(s->dsos[i].jitdump);
		debug_code_release(&s->dsos[i]);
		dso_file_unref(s->dsos[i].runtime);
		free(s->dsos[i].path);
		free(s->dsos[i].module);
		free(s->dsos[i].fetched);
		free(s->dsos[i].kcore);
	}
	free(s->dsos);
	strpool_release(&s->names);
	free(s->accesses);
	index_table_release(&s->access_index);
	pthread_mutex_destroy(&s->lock);
	free(s->symfs);
	free(s->buildid_dir);
	free(s->home);
	free(s->release);
	free(s);
}

static int copy_text(char **to, const char *from)
{
	*to = from ? strdup(from) : NULL;
	return from && !*to ? -1 : 0;
}

/* "[nf_tables]" */
static int set_module(struct debug_dso *d, const char *name)
{
	size_t n = strlen(name);

	d->module = name[0] == '[' && n > 2 ? strndup(name + 1, n - 2) : strdup(name);
	return d->module ? 0 : -1;
}

/* Files with shown symbols are proven to be the recorded ones; others need a build-id. */
static int set_dso(struct debug_dso *d, const struct dso_info *info, const struct module_ref *ref,
		   const struct strpool *names)
{
	const char *path = info ? strpool_get(names, info->name) : "";
	uint32_t file;

	if (!info) /* no frame is in it */
		return 0;
	memcpy(d->build_id, info->build_id, info->build_id_bytes);
	d->build_id_bytes = info->build_id_bytes;
	d->shift = info->shift;
	d->code_is = debug_code_of(info, ref, path);
	if (info->kernel && !ref->ksymbol && strcmp(path, "[kernel.kallsyms]") && !d->module &&
	    set_module(d, strpool_get(names, info->short_name)))
		return -1;
	switch (d->code_is) {
	case DEBUG_CODE_JITDUMP:
		d->by_address = info->jit;
		path = strpool_get(names, info->jitdump);
		break;
	case DEBUG_CODE_VMLINUX:
		path = strpool_get(names, info->vmlinux);
		break;
	case DEBUG_CODE_KCORE:
		if (!info->running && copy_text(&d->kcore, strpool_get(names, info->kcore)))
			return -1;
		break;
	case DEBUG_CODE_MODULE:
	case DEBUG_CODE_FILE:
		break;
	default:
		path = NULL;
	}
	file = d->code_is == DEBUG_CODE_FILE ? info->fetched :
	       d->module		     ? info->vmlinux :
					       PTUI_NONE;
	if (file != PTUI_NONE && !d->fetched && copy_text(&d->fetched, strpool_get(names, file)))
		return -1;
	return copy_text(&d->path, path);
}

struct profile_debug *session_debug_new(const struct resolver *r, const struct machine *m,
					const struct strpool *names,
					const struct resolver_opts *opts)
{
	struct session_debug *s = calloc(1, sizeof(*s));
	size_t n = machine_n_modules(m);
	bool failed;

	if (!s)
		return NULL;
	atomic_init(&s->refs, 1);
	s->ops = (struct profile_debug){ .scopes = scopes,
					 .code = debug_code,
					 .symbol = debug_symbol,
					 .data_type = data_type,
					 .free = session_debug_free,
					 .build_id = build_id };
	s->roots = opts->roots ? opts->roots : &roots_system;
	s->may_fetch = !opts->live;
	s->unnamed_functions = opts->unnamed_functions;
	s->machine = debug_machine(opts->arch);
	pthread_mutex_init(&s->lock, NULL);
	index_table_init(&s->access_index);
	s->dsos = calloc(n ? n : 1, sizeof(*s->dsos));
	failed = !s->dsos || strpool_init(&s->names) || copy_text(&s->symfs, opts->symfs) ||
		 copy_text(&s->buildid_dir, opts->buildid_dir) || copy_text(&s->home, opts->home) ||
		 copy_text(&s->release, opts->kernel_release);
	s->n_dsos = failed ? 0 : n;
	for (uint32_t i = 0; i < n && !failed; i++)
		failed = set_dso(&s->dsos[i], resolver_dso(r, i), machine_module(m, i), names);
	if (failed) {
		session_debug_free(&s->ops);
		return NULL;
	}
	return &s->ops;
}

struct profile_debug *session_debug_ref(struct profile_debug *debug)
{
	struct session_debug *s = (struct session_debug *)debug;

	atomic_fetch_add_explicit(&s->refs, 1, memory_order_relaxed);
	return debug;
}

int session_debug_update(struct profile_debug *debug, const struct resolver *r,
			 const struct machine *m, const struct strpool *names)
{
	struct session_debug *s = (struct session_debug *)debug;
	size_t n = machine_n_modules(m);
	struct debug_dso *dsos;
	int failed = 0;

	pthread_mutex_lock(&s->lock);
	dsos = n > s->n_dsos ? reallocarray(s->dsos, n, sizeof(*dsos)) : s->dsos;
	if (!dsos) {
		pthread_mutex_unlock(&s->lock);
		return -ENOMEM;
	}
	s->dsos = dsos;
	if (n > s->n_dsos) {
		memset(dsos + s->n_dsos, 0, (n - s->n_dsos) * sizeof(*dsos));
		s->n_dsos = n;
	}
	for (uint32_t i = 0; i < s->n_dsos && !failed; i++) {
		enum debug_code was = dsos[i].code_is;

		if (dsos[i].path)
			continue;
		dsos[i].opened = false;
		failed = set_dso(&dsos[i], resolver_dso(r, i), machine_module(m, i), names);
		if (dsos[i].code_is != was) /* looked for before its symbols were there */
			debug_code_release(&dsos[i]);
	}
	pthread_mutex_unlock(&s->lock);
	return failed ? -ENOMEM : 0;
}
