/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The symbol table of a mapped file. Its parts may be in different files, which all must have the
 * recorded build-id:
 *
 *   where perf looks     debuglink, ~/.debug, /usr/lib/debug, the file itself (dso/search.c)
 *   the process lives    its own file: /proc/PID/root
 *   live                 a file that was deleted or replaced: /proc/PID/map_files
 *   debuginfod           if DEBUGINFOD_URLS is set, and not while recording
 *   .gnu_debugdata       in stripped files of distributions, with .dynsym
 *
 * The first .symtab is used; if there is none, .dynsym.
 *
 * Of a file with a recorded build-id that is not of a live recording, all that is slow can be done by
 * a thread (preload.c): file_symbols_read().
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "base/i18n.h"
#include "ptui/log.h"
#include "resolve/private.h"

/* The files of a table, and what was read from them. For each part the first that fits is taken, as in perf. */
struct file_symbols {
	const struct resolver *r;
	uint32_t dso;
	const char *path;
	uint8_t id[DSO_BUILD_ID_MAX]; /* required build-id; id_bytes 0: unknown */
	uint8_t id_bytes;
	struct dso_file *symbols;	 /* has .symtab */
	struct dso_file *debugdata;	 /* without `symbols`: from .gnu_debugdata */
	struct dso_file *runtime;	 /* .dynsym: the file that ran or an equal one */
	struct dso_file *code;		 /* has machine code */
	char symbols_from, runtime_from; /* enum dso_origin */
	struct ptui_error err;		 /* why the file itself cannot be used */
	bool found;			 /* the file itself exists */
	struct symtab *table;
	bool named;	  /* the table has symbols */
	char *table_path; /* of the file that they are from */
	char origin;	  /* of that file: enum dso_origin */
	bool starts_known;
	struct dso_range *starts;
	size_t n_starts;
};

static bool pick_is_complete(const struct file_symbols *p)
{
	return p->symbols && p->runtime && p->code;
}

/* Takes over the reference. */
static void pick_file(struct file_symbols *p, struct dso_file *f, char origin)
{
	if (!p->symbols && dso_file_has_section(f, SHT_SYMTAB)) {
		p->symbols = dso_file_ref(f);
		p->symbols_from = origin;
	}
	if (!p->runtime && dso_file_has_section(f, SHT_DYNSYM)) {
		p->runtime = dso_file_ref(f);
		p->runtime_from = origin;
	}
	if (!p->code && dso_file_has_code(f))
		p->code = dso_file_ref(f);
	dso_file_unref(f);
}

static void close_files(struct file_symbols *p)
{
	dso_file_unref(p->symbols);
	dso_file_unref(p->debugdata);
	dso_file_unref(p->runtime);
	dso_file_unref(p->code);
	p->symbols = p->debugdata = p->runtime = p->code = NULL;
}

static void file_symbols_release(struct file_symbols *p)
{
	close_files(p);
	symtab_free(p->table);
	free(p->table_path);
	free(p->starts);
}

/* ---- where perf looks ---- */

static int pick_candidate(void *ctx, const char *path, char origin)
{
	struct file_symbols *p = ctx;
	struct ptui_error err = PTUI_ERROR_INIT;
	struct dso_file *f = dso_file_open(path, p->id, p->id_bytes, &err);

	if (!dso_origin_is_debug(origin))
		p->found = true;
	if (!f) {
		if (!dso_origin_is_debug(origin))
			p->err = err;
		return 0;
	}
	pick_file(p, f, origin);
	return pick_is_complete(p);
}

/*
 * The recorded build-id, else that of the file at `path`, which is proven to be the recorded one.
 */
static void find_build_id(struct file_symbols *p)
{
	const struct dso_info *info = &p->r->dsos[p->dso];
	struct buf full = BUF_INIT;
	int n;

	p->id_bytes = info->build_id_bytes;
	memcpy(p->id, info->build_id, info->build_id_bytes);
	if (p->id_bytes)
		return;
	buf_addf(&full, "%s%s", p->r->symfs ? p->r->symfs : "", p->path);
	n = full.err ? 0 : dso_read_build_id(buf_str(&full), p->id);
	p->id_bytes = n > 0 ? (uint8_t)n : 0;
	buf_release(&full);
}

static void search_files(struct file_symbols *p)
{
	const struct resolver *r = p->r;
	const struct dso_search s = { .path = p->path,
				      .build_id = p->id,
				      .build_id_bytes = p->id_bytes,
				      .home = r->home,
				      .symfs = r->symfs,
				      .cache_dir = r->buildid_dir };

	if (dso_search_each(&s, pick_candidate, p) < 0)
		ptui_error_nomem(&p->err);
}

/* ---- the process's own file, while it lives ---- */

/* Accepts the file by its build-id or, if none was recorded, by its inode. Takes over the fd. */
static void pick_process_file(struct file_symbols *p, int fd, const char *name)
{
	const struct dso_info *info = &p->r->dsos[p->dso];
	struct dso_file *f;

	if (!info->build_id_bytes && !proof_is_recorded_file(p->r, p->dso, fd)) {
		close(fd);
		return;
	}
	f = dso_file_open_fd(fd, name, info->build_id, info->build_id_bytes, NULL);
	if (!f)
		return;
	p->found = true;
	p->err = (struct ptui_error)PTUI_ERROR_INIT;
	pick_file(p, f, DSO_FROM_FILE);
}

static void pick_from_process(struct file_symbols *p)
{
	const struct dso_work *w = &p->r->work[p->dso];
	struct buf path = BUF_INIT;
	int fd;

	if (w->pid <= 0 || p->r->symfs || !proof_is_process(p->r, w->pid))
		return;
	/* another mount namespace, a chroot */
	buf_addf(&path, "%s/%d/root", p->r->roots->proc, (int)w->pid);
	fd = path.err ? -ENOMEM : file_open_in_root(buf_str(&path), p->path);
	buf_add_str(&path, p->path);
	if (fd >= 0)
		pick_process_file(p, fd, buf_str(&path));
	/* deleted, or replaced */
	if (!p->code && !p->symbols && p->r->live) {
		buf_clear(&path);
		buf_addf(&path, "%s/%d/map_files/%" PRIx64 "-%" PRIx64, p->r->roots->proc,
			 (int)w->pid, w->map_start, w->map_end);
		fd = path.err ? -1 : open(buf_str(&path), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
		if (fd >= 0)
			pick_process_file(p, fd, buf_str(&path));
	}
	buf_release(&path);
}

/* ---- debuginfod ---- */

static void pick_from_server(struct resolver *r, struct file_symbols *p, bool executable)
{
	struct dso_file *f = fetch_file(r, r->dsos[p->dso].short_name, p->id, p->id_bytes,
					executable);

	if (f)
		pick_file(p, f, executable ? DSO_FROM_CACHE : DSO_FROM_CACHE_DEBUG);
}

/* Without the executed file, its headers are fetched, too. */
static void pick_from_servers(struct resolver *r, struct file_symbols *p)
{
	if (p->symbols || !p->id_bytes)
		return;
	pick_from_server(r, p, false);
	if (p->symbols)
		r->dsos[p->dso].fetched = strpool_add(r->names, dso_file_path(p->symbols));
	if (!p->runtime)
		pick_from_server(r, p, true);
}

/* ---- all sources ---- */

static struct symtab *pick_table(struct file_symbols *p)
{
	struct dso_file *runtime = p->runtime ? p->runtime : p->code;

	if (p->symbols)
		return symtab_from_elf(runtime ? runtime : p->symbols, p->symbols, &p->err);
	p->debugdata = runtime ? dso_file_open_debugdata(runtime, &p->err) : NULL;
	if (p->debugdata)
		return symtab_from_debugdata(runtime, p->debugdata, &p->err);
	return p->runtime ? symtab_from_elf(p->runtime, p->runtime, &p->err) : NULL;
}

/* Reads the table and the starts, and closes the files. */
static void read_files(struct file_symbols *p)
{
	if (!p->r->cancelled)
		p->table = pick_table(p);
	p->origin = p->symbols	 ? p->symbols_from :
		    p->debugdata ? (char)DSO_FROM_DEBUGDATA :
				   p->runtime_from;
	p->named = p->table != NULL;
	if (p->named)
		p->table_path = strdup(dso_file_path(p->symbols ? p->symbols :
						     p->runtime ? p->runtime :
								  p->code));
	if (p->r->unnamed_functions && p->code && !p->r->cancelled)
		(void)symtab_add_unnamed(&p->table, p->code); /* without memory, there are fewer */
	if (p->r->starts && p->code)
		p->starts_known = !dso_starts(p->code, &p->starts, &p->n_starts);
	close_files(p);
}

static void set_failed(const struct file_symbols *p, struct dso_info *info, struct ptui_error *err)
{

	if (!p->found && !ptui_error_is_set(err)) {
		ptui_error_set(err, PTUI_ERROR_SYSTEM, ENOENT, p->path,
			       _("%s does not exist (any more)"), p->path);
		dso_load_failed(info, DSO_NO_FILE, err);
		return;
	}
	if (!ptui_error_is_set(err))
		ptui_error_set(err, PTUI_ERROR_FORMAT, ENOENT, p->path, _("%s has no symbols"),
			       p->path);
	dso_load_failed(info,
			err->code == ESTALE ? DSO_STALE :
			err->code == EACCES ? DSO_NO_FILE :
					      DSO_NO_SYMBOLS,
			err);
}

/* True: files at the path of the recording may be used. */
static bool is_proven(struct resolver *r, struct file_symbols *p)
{
	enum proof proof = PROOF_SAME;

	if (!access(p->path, F_OK)) /* a file that does not exist needs no proof */
		proof = proof_file(r, p->dso, p->path, &p->err);
	if (!proof_accept(r, &r->dsos[p->dso], proof, &p->err))
		return false;
	p->err = (struct ptui_error)PTUI_ERROR_INIT;
	return true;
}

static struct file_symbols file_symbols_of(const struct resolver *r, uint32_t dso)
{
	return (struct file_symbols){ .r = r,
				      .dso = dso,
				      .path = strpool_get(r->names, r->dsos[dso].name),
				      .err = PTUI_ERROR_INIT };
}

/* ---- read by a thread ---- */

struct file_symbols *file_symbols_new(const struct resolver *r, uint32_t dso)
{
	struct file_symbols *p;

	if (!r->dsos[dso].build_id_bytes || r->live || fetch_is_enabled(r))
		return NULL;
	p = malloc(sizeof(*p));
	if (!p)
		return NULL;
	*p = file_symbols_of(r, dso);
	find_build_id(p);
	return p;
}

void file_symbols_read(struct file_symbols *p)
{
	search_files(p);
	read_files(p);
}

void file_symbols_free(struct file_symbols *p)
{
	if (p)
		file_symbols_release(p);
	free(p);
}

/* ---- loading ---- */

/* Finds and reads the files here. */
static void read_now(struct resolver *r, struct file_symbols *p, bool proven)
{
	if (proven) {
		find_build_id(p);
		search_files(p);
	}
	if (!pick_is_complete(p))
		pick_from_process(p);
	if (proven)
		pick_from_servers(r, p);
	read_files(p);
}

struct symtab *file_load(struct resolver *r, uint32_t dso)
{
	struct dso_work *w = &r->work[dso];
	struct file_symbols p = file_symbols_of(r, dso), *ready;
	struct symtab *t;
	bool proven = is_proven(r, &p);

	ready = proven ? preload_take(r, dso) : NULL;
	if (ready) {
		p = *ready;
		free(ready);
		if (!p.table && !p.starts_known) {
			pick_from_process(&p);
			read_files(&p);
		}
	} else {
		read_now(r, &p, proven);
	}
	t = p.table;
	r->dsos[dso].origin = p.origin;
	if (p.starts_known) {
		w->starts = p.starts;
		w->n_starts = p.n_starts;
		w->starts_known = true;
		p.starts = NULL;
	}
	r->dsos[dso].unnamed = t && !p.named;
	if (p.named)
		ptui_log(PTUI_LOG_INFO, "resolve", _("%s: using symbols from %s"), p.path,
			 p.table_path ? p.table_path : "");
	else if (proven)
		set_failed(&p, &r->dsos[dso], &p.err);
	p.table = NULL;
	file_symbols_release(&p);
	return t;
}
