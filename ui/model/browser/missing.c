/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "model/browser/missing.h"

#include <stdlib.h>
#include <string.h>
#include "base/buf.h"
#include "base/hash.h"
#include "text/i18n.h"

#define MISSING_MAX 200

/* ---- the list ---- */

void missing_list_free(struct missing_list *l)
{
	if (!l)
		return;
	for (size_t i = 0; i < l->n; i++) {
		free(l->rows[i].dso);
		free(l->rows[i].path);
		free(l->rows[i].why);
	}
	free(l->rows);
	free(l);
}

static int copy_text(char **to, const char *text)
{
	*to = text ? strdup(text) : NULL;
	return text && !*to ? -1 : 0;
}

static int add_row(struct missing_list *l, const struct missing_row *from)
{
	struct missing_row *m = &l->rows[l->n++];

	*m = *from;
	m->dso = m->path = m->why = NULL;
	return copy_text(&m->dso, from->dso) || copy_text(&m->path, from->path) ||
			       copy_text(&m->why, from->why) ?
		       -1 :
		       0;
}

static struct missing_list *list_new(size_t n)
{
	struct missing_list *l = calloc(1, sizeof(*l));

	if (l)
		l->rows = calloc(n + 1, sizeof(*l->rows));
	if (l && !l->rows) {
		free(l);
		l = NULL;
	}
	return l;
}

static struct missing_row row_of(const struct ptui_missing *m, uint64_t total)
{
	const char *name = m->path ? m->path : m->dso;

	return (struct missing_row){
		.id = hash_pair(hash_bytes(name, strlen(name)), (uint64_t)m->state) | 1,
		.percent = total ? 100.0 * (double)m->period / (double)total : 0.0,
		.dso = (char *)(uintptr_t)m->dso,
		.path = (char *)(uintptr_t)m->path,
		.why = (char *)(uintptr_t)m->why,
		.state = m->state,
		.kernel = m->kernel,
	};
}

struct missing_list *missing_list_new(const struct ptui_hist *h)
{
	struct ptui_missing found[MISSING_MAX];
	size_t n = ptui_hist_missing(h, found, MISSING_MAX);
	size_t kept = n < MISSING_MAX ? n : MISSING_MAX;
	struct missing_list *l = list_new(kept);

	for (size_t i = 0; l && i < kept; i++) {
		struct missing_row m = row_of(&found[i], ptui_hist_total_period(h));

		if (add_row(l, &m)) {
			missing_list_free(l);
			return NULL;
		}
	}
	if (l)
		l->n_more = n - kept;
	return l;
}

struct missing_list *missing_list_copy(const struct missing_list *from)
{
	struct missing_list *l = list_new(from->n);

	for (size_t i = 0; l && i < from->n; i++) {
		if (add_row(l, &from->rows[i])) {
			missing_list_free(l);
			return NULL;
		}
	}
	if (l)
		l->n_more = from->n_more;
	return l;
}

/* ---- texts ---- */

const char *missing_problem(const struct missing_row *m)
{
	switch (m->state) {
	case PTUI_SYMBOLS_NO_MAP:
		return _("no DSO mapped there");
	case PTUI_SYMBOLS_NO_FILE:
		return _("file not found");
	case PTUI_SYMBOLS_STALE:
		return _("another build-id");
	case PTUI_SYMBOLS_PARTIAL:
		return _("some functions missing");
	case PTUI_SYMBOLS_NONE:
		return _("no symbol table");
	case PTUI_SYMBOLS_JIT:
		return _("JIT code, no perf map");
	case PTUI_SYMBOLS_FORBIDDEN:
		return _("hidden by the kernel");
	case PTUI_SYMBOLS_UNVERIFIED:
		return _("unverified");
	case PTUI_SYMBOLS_OK:
		break;
	}
	return "";
}

const char *missing_remedy(const struct missing_row *m)
{
	switch (m->state) {
	case PTUI_SYMBOLS_NO_MAP:
		return _("a perf map (/tmp/perf-PID.map)");
	case PTUI_SYMBOLS_NO_FILE:
		return _("the recorded file (--symfs DIR)");
	case PTUI_SYMBOLS_STALE:
		return m->kernel ? _("the recorded vmlinux (-k FILE)") :
				   _("the recorded version, or DEBUGINFOD_URLS");
	case PTUI_SYMBOLS_PARTIAL:
	case PTUI_SYMBOLS_NONE:
		return _("its debug package, or DEBUGINFOD_URLS");
	case PTUI_SYMBOLS_JIT:
		return _("a perf map (/tmp/perf-PID.map) or jitdump");
	case PTUI_SYMBOLS_FORBIDDEN:
		return _("kernel.kptr_restrict=0, or --kallsyms FILE");
	case PTUI_SYMBOLS_UNVERIFIED:
		return _("record with build-ids, or --force-names");
	case PTUI_SYMBOLS_OK:
		break;
	}
	return "";
}

static const char *advice_of(const struct missing_row *m)
{
	switch (m->state) {
	case PTUI_SYMBOLS_NO_MAP:
		return _(
			"No DSO was mapped there: code of a JIT compiler, or lost sideband records.");
	case PTUI_SYMBOLS_NO_FILE:
		return _(
			"Copy the file from the recorded machine, and set --symfs to the directory that "
			"contains it.");
	case PTUI_SYMBOLS_STALE:
		return m->kernel ?
			       _("Give the vmlinux of the recorded kernel (-k FILE), or its debug package.") :
			       _("Install the recorded version of the package, or set DEBUGINFOD_URLS to fetch "
				 "its symbols by build-id.");
	case PTUI_SYMBOLS_PARTIAL:
	case PTUI_SYMBOLS_NONE:
		return _(
			"Install its debug package, or set DEBUGINFOD_URLS to fetch its symbols by "
			"build-id.");
	case PTUI_SYMBOLS_JIT:
		return _(
			"Let the JIT compiler write a perf map (/tmp/perf-PID.map) or a jitdump file.");
	case PTUI_SYMBOLS_FORBIDDEN:
		return _("Set sysctl kernel.kptr_restrict=0, or use --kallsyms FILE.");
	case PTUI_SYMBOLS_UNVERIFIED:
		return _("Record with build-ids, or accept the names with --force-names.");
	case PTUI_SYMBOLS_OK:
		break;
	}
	return "";
}

char *missing_text(const struct missing_row *m)
{
	struct buf out = BUF_INIT;

	buf_addf(&out, "%.2f%%  %s\n", m->percent, m->path ? m->path : m->dso);
	if (m->why)
		buf_addf(&out, "%s\n", m->why);
	buf_add_str(&out, advice_of(m));
	return buf_take(&out);
}
