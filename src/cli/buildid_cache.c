/* SPDX-License-Identifier: GPL-2.0-or-later */
/* `ptui buildid-cache`: the files that perf and ptui keep by their build-ids. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "base/i18n.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/out.h"
#include "cli/pager.h"
#include "cli/recording.h"
#include "session/buildid/buildid_entries.h"
#include "session/buildid/buildid_hits.h"
#include "session/buildid/buildid_table.h"

struct cache_opts {
	struct option_words add, remove, purge, update;
	const char *missing, *kcore;
	bool purge_all, list, verbose, force, debuginfod;
	uint64_t target_ns;
	char *usual; /* buildid.dir; owned */
};

enum verb { VERB_ADD, VERB_REMOVE, VERB_UPDATE };

struct cache_run {
	struct cli *cli;
	const struct cache_opts *o;
	char *dir;
	int status;
};

/* What was asked for cannot be done: the rest goes on, as in perf. */
static void cannot(struct cache_run *r, enum verb verb, int ret, const char *path)
{
	struct ptui_error err = PTUI_ERROR_INIT;

	if (ret == -ENOEXEC)
		ptui_error_set(&err, PTUI_ERROR_SYSTEM, ENOEXEC, path, _("%s is not an ELF file"),
			       path);
	else if (ret == -ENODATA)
		ptui_error_set(&err, PTUI_ERROR_SYSTEM, ENODATA, path,
			       _("%s has no build-id (it was linked without --build-id)"), path);
	else
		ptui_error_errno(&err, -ret, path,
				 verb == VERB_ADD ? _("cannot add %s to the build-id cache") :
				 verb == VERB_UPDATE ?
						    _("cannot update %s in the build-id cache") :
						    _("cannot remove %s from the build-id cache"),
				 path);
	r->status = cli_failed(r->cli, &err);
}

static void not_cached(struct cache_run *r, const char *path)
{
	cli_warn(r->cli, _("%s is not in the build-id cache"), path);
	if (r->status == CLI_OK)
		r->status = CLI_NONE;
}

/* ---- one file ---- */

static int add_item(struct cache_run *r, const struct data_build_id *item)
{
	int32_t pid = (int32_t)r->o->target_ns;
	int ret = buildid_cache_add(r->dir, &roots_system, item, pid);

	if (!ret)
		ret = buildid_cache_add_sdt(r->dir, item);
	if (!ret && r->o->debuginfod) {
		ret = buildid_cache_fetch_debug(r->dir, item);
		ret = ret == -ENOENT ? 0 : ret;
	}
	return ret;
}

static int do_verb(struct cache_run *r, enum verb verb, const struct data_build_id *item,
		   const char *id)
{
	int ret = verb == VERB_ADD ? 0 : buildid_cache_remove(r->dir, id);

	if (ret == -ENOENT && verb == VERB_UPDATE) /* as in perf */
		ret = 0;
	return ret || verb == VERB_REMOVE ? ret : add_item(r, item);
}

static void with_file(struct cache_run *r, enum verb verb, const char *path)
{
	char id[DSO_BUILD_ID_TEXT], *real;
	struct data_build_id item;
	int ret = buildid_of_file(&roots_system, path, (int32_t)r->o->target_ns, &item, &real);

	if (!ret) {
		dso_build_id_format(item.id, item.bytes, id);
		ret = do_verb(r, verb, &item, id);
		if (!ret && r->o->verbose)
			cli_warn(r->cli,
				 verb == VERB_ADD    ? _("added %s %s") :
				 verb == VERB_REMOVE ? _("removed %s %s") :
						       _("updated %s %s"),
				 id, real);
		if (ret == -ENOENT && verb == VERB_REMOVE) {
			not_cached(r, path);
			ret = 0;
		}
	}
	if (ret)
		cannot(r, verb, ret, path);
	free(real);
}

static void add_file(struct cache_run *r, const char *path)
{
	with_file(r, VERB_ADD, path);
}

static void remove_file(struct cache_run *r, const char *path)
{
	with_file(r, VERB_REMOVE, path);
}

static void update_file(struct cache_run *r, const char *path)
{
	with_file(r, VERB_UPDATE, path);
}

static void purged(void *ctx, const char *id, int ret)
{
	struct cache_run *r = ctx;

	if (!ret && r->o->verbose)
		cli_warn(r->cli, _("removed %s"), id);
}

static void purge_path(struct cache_run *r, const char *path)
{
	int ret = buildid_cache_purge(r->dir, path, purged, r);

	if (ret == -ENOENT)
		not_cached(r, path);
	else if (ret)
		cannot(r, VERB_REMOVE, ret, path);
}

/* Each word is a list of paths with commas between them, as in perf. */
static void each_path(struct cache_run *r, const struct option_words *w,
		      void (*fn)(struct cache_run *r, const char *path))
{
	for (size_t i = 0; i < w->n; i++) {
		char *list = strdup(w->words[i]), *rest = NULL;

		if (!list) {
			r->status = cli_nomem(r->cli);
			return;
		}
		for (char *path = strtok_r(list, ",", &rest); path;
		     path = strtok_r(NULL, ",", &rest))
			fn(r, path);
		free(list);
	}
}

/* ---- the whole cache ---- */

static bool read_entries(struct cache_run *r, struct cached_files *e)
{
	struct ptui_error err = PTUI_ERROR_INIT;

	if (!cached_files_read(e, r->dir, &roots_system, &err))
		return true;
	r->status = cli_failed(r->cli, &err);
	cached_files_release(e);
	return false;
}

static void purge_all(struct cache_run *r)
{
	struct cached_files e;

	if (!read_entries(r, &e))
		return;
	for (size_t i = 0; i < e.n; i++) {
		int ret = buildid_cache_remove(r->dir, e.v[i].id);

		if (ret)
			cannot(r, VERB_REMOVE, ret, e.v[i].path);
		else if (r->o->verbose)
			cli_warn(r->cli, _("removed %s %s"), e.v[i].id, e.v[i].path);
	}
	cached_files_release(&e);
}

/* As in perf, without -v: only what still is at its path. */
static void list_all(struct cache_run *r)
{
	struct buf out = BUF_INIT;
	struct cached_files e;

	if (!read_entries(r, &e))
		return;
	pager_start(r->cli);
	for (size_t i = 0; i < e.n; i++) {
		if (!e.v[i].valid && !r->o->verbose)
			continue;
		buf_addf(&out, "%s ", e.v[i].id);
		text_escape(&out, e.v[i].path);
		if (!e.v[i].valid)
			buf_addf(&out, " (%s)",
				 *e.v[i].path == '/' ? _("gone from its path") : _("copy"));
		buf_add_char(&out, '\n');
	}
	if (out.err)
		r->status = cli_nomem(r->cli);
	else
		cli_put(&out); /* a failure is reported at exit */
	buf_release(&out);
	cached_files_release(&e);
}

/* ---- what a recording needs ---- */

struct missing {
	const char *dir;
	struct buf *out;
};

static int add_missing(void *ctx, const struct data_build_id *item)
{
	struct missing *m = ctx;
	char id[DSO_BUILD_ID_TEXT];

	dso_build_id_format(item->id, item->bytes, id);
	if (!item->bytes || buildid_cache_has(m->dir, id))
		return 0;
	buf_addf(m->out, "%s ", id);
	text_escape(m->out, item->path);
	buf_add_char(m->out, '\n');
	return m->out->err;
}

/* The table of the recording; one without a table has build-ids in its maps: then of the DSOs with samples. */
static int find_missing(struct data_file *file, struct missing *m, struct ptui_error *err)
{
	struct data_build_id item;
	size_t i = 0;
	int ret = 0;

	for (; !ret && data_build_id_at(file, i, &item) == 0; i++)
		ret = add_missing(m, &item);
	if (!i)
		ret = buildid_hits_each(file, m->dir, false, add_missing, m, err);
	return ret;
}

static void print_missing(struct cache_run *r)
{
	struct ptui_error err = PTUI_ERROR_INIT;
	struct buf out = BUF_INIT;
	struct missing m = { r->dir, &out };
	struct data_file *file = cli_open_recording(r->cli, r->o->missing, &r->status);

	if (!file)
		return;
	if (find_missing(file, &m, &err)) {
		if (!ptui_error_is_set(&err))
			ptui_error_nomem(&err);
		r->status = cli_failed(r->cli, &err);
	} else {
		pager_start(r->cli);
		cli_put(&out);
		cli_warn_header(r->cli, file, r->o->missing);
	}
	buf_release(&out);
	data_close(file);
}

/* ---- the code of the kernel ---- */

static void add_kcore(struct cache_run *r)
{
	struct ptui_error err = PTUI_ERROR_INIT;
	struct buf where = BUF_INIT;
	int ret = buildid_cache_add_kcore(r->dir, r->o->kcore, r->o->force, &where, &err);

	if (ret < 0)
		r->status = cli_failed(r->cli, &err);
	else if (r->o->verbose)
		cli_warn(r->cli, ret ? _("the cache has it: %s") : _("copied to %s"),
			 buf_str(&where));
	buf_release(&where);
}

/* ---- the command ---- */

/* --debuginfod=URLS; without URLS those of the environment */
static int read_debuginfod(void *field, const char *value, bool unset, struct ptui_error *err)
{
	*(bool *)field = !unset;
	if (value && setenv("DEBUGINFOD_URLS", value, 1))
		return ptui_error_nomem(err);
	return 0;
}

static void run_all(struct cache_run *r)
{
	const struct cache_opts *o = r->o;

	each_path(r, &o->add, add_file);
	each_path(r, &o->remove, remove_file);
	each_path(r, &o->purge, purge_path);
	if (o->purge_all)
		purge_all(r);
	if (o->missing)
		print_missing(r);
	each_path(r, &o->update, update_file);
	if (o->kcore)
		add_kcore(r);
	if (o->list)
		list_all(r);
}

static bool has_work(const struct cache_opts *o)
{
	return o->add.n || o->remove.n || o->purge.n || o->update.n || o->missing || o->purge_all ||
	       o->kcore;
}

static int run_checked(struct cli *cli, struct cache_opts *o, const char *word)
{
	struct cache_run r = { .cli = cli, .o = o, .status = CLI_OK };

	if (word)
		return cli_invalid(cli, _("unexpected '%s'"), word);
	if (o->list && has_work(o))
		return cli_invalid(cli, _("-l cannot be used with other options"));
	if (!o->list && !has_work(o))
		return cli_invalid(cli, _("nothing to do"));
	if (o->debuginfod && !dso_debuginfod_enabled())
		return cli_invalid(cli, _("--debuginfod: no server is known; set DEBUGINFOD_URLS, "
					  "or give its URL"));
	r.dir = buildid_cache_dir(cli->buildid_dir ? cli->buildid_dir : o->usual);
	if (!r.dir)
		return cli_nomem(cli);
	run_all(&r);
	free(r.dir);
	return r.status;
}

static int run_buildid_cache(struct cli *cli, int argc, char **argv)
{
	struct cache_opts o = { 0 };
	struct option_result parsed;
	int status;

	if (cli_parse(cli, &o, argc, argv, 0, &parsed))
		status = run_checked(cli, &o, parsed.n_words ? argv[0] : NULL);
	else
		status = cli->status;
	option_words_release(&o.add);
	option_words_release(&o.remove);
	option_words_release(&o.purge);
	option_words_release(&o.update);
	free(o.usual);
	return status;
}

#define AT(member) .offset = offsetof(struct cache_opts, member)

static const struct option cache_options[] = {
	{ OPTION_MULTI, 'a', "add", N_("FILES"),
	  N_("add these files (separated by commas), with their SDT markers"), AT(add) },
	{ OPTION_MULTI, 'r', "remove", N_("FILES"),
	  N_("remove what has the build-ids of these files"), AT(remove) },
	{ OPTION_MULTI, 'p', "purge", N_("FILES"),
	  N_("remove all that was added from these paths, whatever its build-id"), AT(purge) },
	{ OPTION_FLAG, 'P', "purge-all", NULL, N_("remove everything"), AT(purge_all) },
	{ OPTION_MULTI, 'u', "update", N_("FILES"),
	  N_("add these files again, in place of what has their build-ids"), AT(update) },
	{ OPTION_STRING, 'k', "kcore", N_("FILE"),
	  N_("add a copy of the kernel's code, from /proc/kcore, with its symbols and modules"),
	  AT(kcore) },
	{ OPTION_STRING, 'M', "missing", N_("RECORDING"),
	  N_("list the build-ids of a recording that the cache lacks"), AT(missing) },
	{ OPTION_FLAG, 'l', "list", NULL,
	  N_("list files that still are at their paths; with -v all files"), AT(list) },
	{ OPTION_FLAG, 'f', "force", NULL,
	  N_("with -k: copy it again, even if the cache has a copy of this boot"), AT(force) },
	{ OPTION_CALL, 0, "debuginfod", N_("URLS"),
	  N_("also add debug information from debuginfod servers (default: DEBUGINFOD_URLS)"),
	  AT(debuginfod), OPTION_ATTACHED | OPTION_NO, .call = read_debuginfod },
	{ OPTION_NUMBER, 0, "target-ns", N_("PID"),
	  N_("take files as process PID sees them (its mount namespace)"), AT(target_ns), .min = 1,
	  .max = INT32_MAX },
	{ OPTION_FLAG, 'v', "verbose", NULL, N_("print what is added and removed"), AT(verbose) },
	{ .type = OPTION_END },
};

static const struct cli_setting cache_settings[] = {
	RECORDING_CACHE(AT(usual)),
	{ NULL },
};

#undef AT

static const char *const cache_usage[] = { N_("OPTION..."), NULL };

static const struct cli_example cache_examples[] = {
	{ "ptui buildid-cache -a ./prog",
	  N_("Keep this build of a program, to resolve its symbols after the next build.") },
	{ "ptui buildid-cache -M perf.data",
	  N_("Show which files of a recording are not in the cache.") },
	{ "ptui buildid-cache -l", N_("List the files in the cache.") },
	{ NULL, NULL },
};

const struct cli_command cmd_buildid_cache = {
	.name = "buildid-cache",
	.summary = N_("manage the cache of program files by build-id"),
	.usage = cache_usage,
	.text = N_(
		"perf and ptui keep copies of recorded program files in ~/.debug (--buildid-dir), "
		"where they are found by their build-ids when the original is gone or was built "
		"again. This command adds, lists and removes them, as perf buildid-cache does. Its "
		"copies are independent of the original, also where perf makes hard links."),
	.options = cache_options,
	.settings = cache_settings,
	.examples = cache_examples,
	.run = run_buildid_cache,
};
