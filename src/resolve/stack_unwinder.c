/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "resolve/stack_unwinder.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>
#include "base/hash.h"
#include "base/i18n.h"
#include "base/vec.h"
#include "ptui/log.h"
#include "resolve/private.h"

#define SPAN_SLOTS 256u /* of the cache of times by process; a power of two */
#define ABIS	   3u	/* PERF_SAMPLE_REGS_ABI_NONE, _32, _64 */

/* A module of the machine; same ids. */
struct unwind_module {
	struct unwind_table *table;
	struct dso_load *loads; /* of its file */
	size_t n_loads;
	char *why; /* a sentence: why it has no table */
	bool tried;
	uint8_t **
		skips; /* by LEAF_CHUNK of the file; NULL: none is known. By LEAF_BYTES of that: enum leaf */
	size_t n_skips;
};

/* Of LEAF_BYTES of a file, if it is the same in all of them. */
enum leaf { LEAF_UNKNOWN, LEAF_COMPLETE, LEAF_SKIPS };

#define LEAF_BYTES    32u
#define LEAF_CHUNK    8192u
#define LEAF_FILE_MAX (256u << 20) /* beyond, nothing is kept */

/* A range of times in which the maps of a process do not change. */
struct span {
	int32_t pid;
	uint64_t from, last; /* both included; from > last: empty */
	uint64_t generation;
};

struct stack_unwinder {
	const struct machine *m;
	const struct strpool *names;
	char *arch, *symfs, *buildid_dir, *home;
	uint32_t max_stack;
	bool swapped, no_dumps;
	struct resolver *resolver;

	struct unwinder *unwinder;
	uint64_t *addrs; /* max_stack */
	struct {
		bool tried;
		const struct unwind_arch *arch;
	} archs[ABIS];
	char *why; /* a sentence: why an architecture is not supported */

	struct unwind_module *modules;
	size_t n_modules, cap_modules;
	struct span spans[SPAN_SLOTS];

	/* of the current sample, for find_place() */
	int32_t pid;
	uint64_t when;
};

/* ---- the rows of a module ---- */

struct pick {
	const struct module_ref *ref;
	bool live; /* of the process that is being recorded */
	uint8_t id[DSO_BUILD_ID_MAX];
	uint8_t id_bytes;	/* 0: any */
	struct dso_file *code;	/* has machine code */
	struct dso_file *debug; /* has .debug_frame */
	struct ptui_error err;	/* why the file itself cannot be used */
};

/* Takes over the reference. */
static void pick_use(struct pick *p, struct dso_file *f)
{
	GElf_Shdr shdr;

	if (!p->debug && dso_file_section(f, SHT_PROGBITS, ".debug_frame", &shdr))
		p->debug = dso_file_ref(f);
	if (!p->code && dso_file_has_code(f))
		p->code = dso_file_ref(f);
	dso_file_unref(f);
}

/* Whether the file at `path` is the mapped one; it may be that of another mount namespace. */
static bool is_mapped_path(const struct module_ref *ref, const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	bool is = fd >= 0 && proof_is_mapped_file(ref, fd);

	if (fd >= 0)
		close(fd);
	return is;
}

static int pick_candidate(void *ctx, const char *path, char origin)
{
	struct pick *p = ctx;
	struct ptui_error err = PTUI_ERROR_INIT;
	struct dso_file *f;

	if (p->live && !dso_origin_is_debug(origin) && (p->code || !is_mapped_path(p->ref, path)))
		return 0;
	f = dso_file_open(path, p->id, p->id_bytes, &err);
	if (f)
		pick_use(p, f);
	else if (!dso_origin_is_debug(origin))
		p->err = err;
	return p->code && p->debug;
}

/* Takes over the fd. */
static void pick_process_file(struct pick *p, int fd, const char *name)
{
	struct dso_file *f;

	if (!proof_is_mapped_file(p->ref, fd)) {
		close(fd);
		return;
	}
	f = dso_file_open_fd(fd, name, p->id, p->id_bytes, NULL);
	if (f)
		pick_use(p, f);
}

/* The file as the process has it: in its mount namespace or chroot, deleted or replaced. */
static void pick_from_process(struct pick *p, const char *path, int32_t pid,
			      const struct machine_map *map)
{
	struct buf name = BUF_INIT;
	int fd;

	buf_addf(&name, "%s/%d/root", roots_system.proc, (int)pid);
	fd = name.err ? -ENOMEM : file_open_in_root(buf_str(&name), path);
	if (fd >= 0)
		pick_process_file(p, fd, path);
	if (!p->code && map) {
		buf_clear(&name);
		buf_addf(&name, "%s/%d/map_files/%" PRIx64 "-%" PRIx64, roots_system.proc, (int)pid,
			 map->start, map->end);
		fd = name.err ? -1 : open(buf_str(&name), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
		if (fd >= 0)
			pick_process_file(p, fd, path);
	}
	/* other files must be of the same build */
	if (p->code && !p->id_bytes)
		p->id_bytes = dso_file_build_id(p->code, p->id);
	buf_release(&name);
}

static bool is_vdso(const struct stack_unwinder *u, const struct module_ref *ref)
{
	return !ref->kernel && dso_name_is_vdso(strpool_get(u->names, ref->path));
}

static void pick_file(const struct stack_unwinder *u, const char *path,
		      const struct machine_map *map, struct pick *p)
{
	struct dso_search s = { .path = path,
				.build_id = p->id,
				.home = u->home,
				.symfs = u->symfs,
				.cache_dir = u->buildid_dir };

	if (is_vdso(u, p->ref)) {
		p->code = dso_vdso_open(p->ref->build_id, p->ref->build_id_bytes, &p->err);
		return;
	}
	if (p->live && u->pid > 0)
		pick_from_process(p, path, u->pid, map);
	s.build_id_bytes = p->id_bytes;
	if (dso_search_each(&s, pick_candidate, p) < 0)
		ptui_error_nomem(&p->err);
	if (!p->code && !ptui_error_is_set(&p->err))
		ptui_error_set(&p->err, PTUI_ERROR_SYSTEM, ENOENT, path,
			       _("%s does not exist (any more)"), path);
}

static int copy_loads(struct unwind_module *m, const struct dso_file *f)
{
	const struct dso_load *loads = dso_file_loads(f, &m->n_loads);

	m->loads = malloc((m->n_loads + 1) * sizeof(*m->loads));
	if (!m->loads)
		return -ENOMEM;
	if (m->n_loads)
		memcpy(m->loads, loads, m->n_loads * sizeof(*m->loads));
	return 0;
}

/* Code without a file: stacks are followed by frame pointers. */
static bool has_no_file(const struct module_ref *ref)
{
	return ref->kernel || ref->ksymbol || ref->memory || ref->pid >= 0;
}

/* `map` is one of u->pid; NULL: unknown. */
static void module_load(struct stack_unwinder *u, uint32_t id, const struct machine_map *map)
{
	struct unwind_module *m = &u->modules[id];
	const struct module_ref *ref = machine_module(u->m, id);
	const char *path = strpool_get(u->names, ref->path);
	struct pick p = { .ref = ref, .live = !u->resolver, .err = PTUI_ERROR_INIT };

	m->tried = true;
	memcpy(p.id, ref->build_id, ref->build_id_bytes);
	p.id_bytes = ref->build_id_bytes;
	if (has_no_file(ref) && !is_vdso(u, ref))
		ptui_error_set(&p.err, PTUI_ERROR_FORMAT, ENOENT, path,
			       _("code without a file has no call frame information"));
	else if (!u->resolver || resolver_may_use(u->resolver, id, &p.err))
		pick_file(u, path, map, &p);
	if (p.code && copy_loads(m, p.code))
		ptui_error_nomem(&p.err);
	else if (p.code)
		m->table = (u->no_dumps ? unwind_table_new_lazy : unwind_table_new)(p.code, p.debug,
										    &p.err);
	dso_file_unref(p.code);
	dso_file_unref(p.debug);
	if (!m->table) { /* `why` may be NULL: out of memory */
		m->why = strdup(p.err.text);
		ptui_log(PTUI_LOG_INFO, "resolve", _("%s: no call frame information: %s"), path,
			 p.err.text);
	}
}

/* ---- what is mapped at an address ---- */

/* The segment with this offset in the file; whole pages are mapped. */
static const struct dso_load *find_load(const struct unwind_module *m, uint64_t off)
{
	const struct dso_load *found = NULL;

	for (size_t i = 0; i < m->n_loads; i++) {
		const struct dso_load *l = &m->loads[i];

		if (off >= l->off && off - l->off < l->mem_bytes)
			return l;
		if (off >= (l->off & ~(uint64_t)4095) && off < l->off + l->mem_bytes)
			found = l;
	}
	return found;
}

/* Limits the place to the segment: the bias of another one may differ. */
static void clip_to_load(const struct dso_load *l, uint64_t addr, uint64_t off,
			 struct unwind_place *place)
{
	uint64_t first = addr - off + l->off, end = first + l->mem_bytes;

	if (first > place->start && first <= addr)
		place->start = first;
	if (end < place->end && end > addr)
		place->end = end;
}

static void place_in_module(struct stack_unwinder *u, const struct machine_map *map, uint64_t addr,
			    struct unwind_place *place)
{
	const struct module_ref *ref = machine_module(u->m, map->module);
	struct unwind_module *m = &u->modules[map->module];
	const struct dso_load *l;
	uint64_t off;

	if (!m->tried)
		module_load(u, map->module, map);
	if (!m->table)
		return;
	/* the pgoff of the vdso does not refer to a file */
	off = addr - map->start + (is_vdso(u, ref) ? 0 : map->pgoff);
	l = find_load(m, off);
	if (!l)
		return;
	place->table = m->table;
	place->bias = addr - (off - l->off + l->vaddr);
	clip_to_load(l, addr, off, place);
}

static int modules_catch_up(struct stack_unwinder *u)
{
	size_t n = machine_n_modules(u->m);

	if (vec_grow(&u->modules, &u->cap_modules, n + 1))
		return -ENOMEM;
	if (n > u->n_modules)
		memset(u->modules + u->n_modules, 0, (n - u->n_modules) * sizeof(*u->modules));
	u->n_modules = n;
	return 0;
}

static bool find_place(void *ctx, uint64_t addr, struct unwind_place *ret)
{
	struct stack_unwinder *u = ctx;
	struct machine_place place;
	const struct machine_map *map = machine_find_place(u->m, u->pid, u->when, addr, &place);

	*ret = (struct unwind_place){ .table = NULL };
	if (!map)
		return false;
	ret->start = place.start;
	ret->end = place.end;
	if (map->module < u->n_modules || !modules_catch_up(u))
		place_in_module(u, map, addr, ret);
	return true;
}

/* ---- lifetime ---- */

static int copy_string(char **dst, const char *src)
{
	*dst = src ? strdup(src) : NULL;
	return src && !*dst ? -ENOMEM : 0;
}

void stack_unwinder_invalidate(struct stack_unwinder *u)
{
	for (size_t i = 0; i < SPAN_SLOTS; i++)
		u->spans[i] = (struct span){ .from = UINT64_MAX };
	unwinder_forget(u->unwinder);
}

struct stack_unwinder *stack_unwinder_new(const struct machine *m, const struct strpool *names,
					  const struct stack_unwinder_opts *opts)
{
	struct stack_unwinder *u = calloc(1, sizeof(*u));
	struct utsname here;

	if (!u)
		return NULL;
	u->m = m;
	u->names = names;
	u->max_stack = opts->max_stack ? opts->max_stack : STACK_UNWINDER_MAX;
	u->swapped = opts->swapped;
	u->no_dumps = opts->no_dumps;
	u->resolver = opts->resolver;
	u->addrs = malloc(u->max_stack * sizeof(*u->addrs));
	u->unwinder = unwinder_new(find_place, u);
	if (!u->addrs || !u->unwinder || modules_catch_up(u) ||
	    copy_string(&u->arch, opts->arch   ? opts->arch :
				  uname(&here) ? "" :
						 here.machine) ||
	    copy_string(&u->symfs, opts->symfs) || copy_string(&u->home, opts->home) ||
	    copy_string(&u->buildid_dir, opts->buildid_dir)) {
		stack_unwinder_free(u);
		return NULL;
	}
	stack_unwinder_invalidate(u);
	return u;
}

static void module_release(struct unwind_module *m)
{
	unwind_table_free(m->table);
	free(m->loads);
	free(m->why);
	for (size_t i = 0; i < m->n_skips; i++)
		free(m->skips[i]);
	free(m->skips);
}

void stack_unwinder_free(struct stack_unwinder *u)
{
	if (!u)
		return;
	unwinder_free(u->unwinder);
	for (size_t i = 0; i < u->n_modules; i++)
		module_release(&u->modules[i]);
	free(u->modules);
	free(u->addrs);
	free(u->arch);
	free(u->symfs);
	free(u->buildid_dir);
	free(u->home);
	free(u->why);
	free(u);
}

int stack_unwinder_compact(struct stack_unwinder *u, const uint32_t *modules,
			   const struct strpool *names)
{
	size_t n = 0;

	for (size_t i = 0; i < u->n_modules; i++) {
		struct unwind_module m = u->modules[i];

		if (modules[i] == PTUI_NONE)
			module_release(&m);
		else
			u->modules[n++] = m; /* in the same order */
	}
	u->n_modules = n;
	u->names = names;
	vec_fit(&u->modules, &u->cap_modules, n);
	stack_unwinder_invalidate(u);
	return modules_catch_up(u);
}

size_t stack_unwinder_bytes(const struct stack_unwinder *u)
{
	size_t bytes = u->n_modules * sizeof(*u->modules);

	for (size_t i = 0; i < u->n_modules; i++) {
		const struct unwind_module *m = &u->modules[i];

		bytes += m->table ? unwind_table_bytes(m->table) : 0;
		for (size_t k = 0; k < m->n_skips; k++)
			bytes += m->skips[k] ? LEAF_CHUNK / LEAF_BYTES : sizeof(*m->skips);
	}
	return bytes;
}

/* ---- unwinding ---- */

static const struct unwind_arch *sample_arch(struct stack_unwinder *u, uint64_t abi)
{
	struct ptui_error err = PTUI_ERROR_INIT;

	if (abi >= ABIS)
		return NULL;
	if (!u->archs[abi].tried) {
		u->archs[abi].tried = true;
		u->archs[abi].arch = unwind_arch_of_uname(u->arch, abi, &err);
		if (!u->archs[abi].arch && !u->why)
			u->why = strdup(err.text);
	}
	return u->archs[abi].arch;
}

static uint64_t sample_generation(struct stack_unwinder *u, int32_t pid, uint64_t when)
{
	struct span *s = &u->spans[hash_u64((uint32_t)pid) & (SPAN_SLOTS - 1)];
	uint64_t to;

	if (s->pid == pid && s->from <= when && when <= s->last)
		return s->generation;
	machine_maps_validity(u->m, pid, when, &s->generation, &s->from, &to);
	s->pid = pid;
	s->last = to == UINT64_MAX ? to : to - 1;
	if (s->last > machine_known_until(u->m))
		s->last = machine_known_until(u->m);
	return s->generation;
}

void stack_unwinder_unwind(struct stack_unwinder *u, const struct data_sample *s, uint64_t when,
			   struct unwound_stack *ret)
{
	struct unwind_sample sample = {
		.arch = sample_arch(u, s->regs_user_abi),
		.regs_mask = s->regs_user_mask,
		.regs = s->regs_user,
		.stack = s->stack_user,
		.stack_bytes = s->stack_user_dyn_bytes,
		.swapped = u->swapped,
		.dump_full = s->stack_user_dyn_bytes == s->stack_user_bytes,
	};

	*ret = (struct unwound_stack){
		.addrs = u->addrs, .result = { .end = UNWIND_NO_REGS, .first_guessed = UINT32_MAX }
	};
	if (!sample.arch || !sample.regs)
		return;
	sample.generation = sample_generation(u, s->pid, when);
	u->pid = s->pid;
	u->when = when;
	unwind_stack(u->unwinder, &sample, u->addrs, u->max_stack, &ret->result);
}

bool stack_unwinder_is_return(const struct stack_unwinder *u, uint32_t i)
{
	return unwinder_is_return(u->unwinder, i);
}

/* The chunk of what is known that has `off`; NULL: out of memory. */
static uint8_t *skips_chunk(struct unwind_module *m, uint64_t off)
{
	size_t had = m->n_skips, i = off / LEAF_CHUNK;

	if (vec_grow(&m->skips, &m->n_skips, i + 1))
		return NULL;
	if (m->n_skips > had)
		memset(m->skips + had, 0, (m->n_skips - had) * sizeof(*m->skips));
	if (!m->skips[i])
		m->skips[i] = calloc(LEAF_CHUNK / LEAF_BYTES, 1);
	return m->skips[i];
}

/* Keeps what holds in [from, to), as far as it is in the chunk of `off`. Without memory, nothing. */
static void keep_skips(struct unwind_module *m, uint64_t off, uint64_t from, uint64_t to,
		       bool skips)
{
	uint64_t begin = off / LEAF_CHUNK * LEAF_CHUNK;
	uint8_t *chunk;

	from = from > begin ? from - begin : 0;
	to = to < begin + LEAF_CHUNK ? to - begin : LEAF_CHUNK;
	from = (from + LEAF_BYTES - 1) / LEAF_BYTES;
	to /= LEAF_BYTES;
	chunk = from < to && off < LEAF_FILE_MAX ? skips_chunk(m, off) : NULL;
	if (chunk)
		memset(chunk + from, skips ? LEAF_SKIPS : LEAF_COMPLETE, to - from);
}

/* LEAF_UNKNOWN: nothing is kept of that place. */
static enum leaf kept_skips(const struct unwind_module *m, uint64_t off)
{
	const uint8_t *chunk = off / LEAF_CHUNK < m->n_skips ? m->skips[off / LEAF_CHUNK] : NULL;

	return chunk ? (enum leaf)chunk[off % LEAF_CHUNK / LEAF_BYTES] : LEAF_UNKNOWN;
}

bool stack_unwinder_open(struct stack_unwinder *u, uint32_t module)
{
	if (module >= u->n_modules && (modules_catch_up(u) || module >= u->n_modules))
		return false;
	if (!u->modules[module].tried)
		module_load(u, module, NULL);
	return u->modules[module].table != NULL;
}

bool stack_unwinder_skips_caller(struct stack_unwinder *u, uint32_t module, uint64_t off)
{
	struct unwind_module *m = &u->modules[module];
	const struct dso_load *l = find_load(m, off);
	uint64_t from, to;
	enum leaf kept;
	bool skips;

	if (!l)
		return false;
	kept = kept_skips(m, off);
	if (kept != LEAF_UNKNOWN)
		return kept == LEAF_SKIPS;
	skips = unwind_table_skips_caller(m->table, off - l->off + l->vaddr, &from, &to);
	from = from - l->vaddr + l->off;
	to = to - l->vaddr + l->off;
	if (from <= off && off < to)
		keep_skips(m, off, from, to, skips);
	return skips;
}

bool stack_unwinder_pushes_fp(const struct stack_unwinder *u, uint32_t module, uint64_t off)
{
	const struct unwind_module *m = &u->modules[module];
	const struct dso_load *l = find_load(m, off);

	return l && unwind_table_pushes_fp(m->table, off - l->off + l->vaddr);
}

const char *stack_unwinder_why(const struct stack_unwinder *u)
{
	return u->why;
}

const char *stack_unwinder_module_why(const struct stack_unwinder *u, uint32_t module)
{
	return module < u->n_modules ? u->modules[module].why : NULL;
}
