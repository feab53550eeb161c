/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "model/browser/missing.h"

#include <stdlib.h>
#include <string.h>
#include "base/buf.h"
#include "base/hash.h"
#include "text/i18n.h"

#define MISSING_MAX 200

/* ---- the list ---- */

struct missing_list *missing_list_ref(struct missing_list *l)
{
	atomic_fetch_add_explicit(&l->refs, 1, memory_order_relaxed);
	return l;
}

void missing_list_unref(struct missing_list *l)
{
	if (!l || atomic_fetch_sub_explicit(&l->refs, 1, memory_order_acq_rel) != 1)
		return;
	missing_list_unref(l->all);
	words_release(&l->texts);
	free(l->rows);
	free(l);
}

static double share_of(uint64_t period, uint64_t total)
{
	return total ? 100.0 * (double)period / (double)total : 0.0;
}

static void add_row(struct missing_list *l, const struct ptui_missing *m, uint64_t total)
{
	const char *name = m->path ? m->path : m->dso;

	l->rows[l->n++] = (struct missing_row){
		.id = hash_pair(hash_bytes(name, strlen(name)), (uint64_t)m->state) | 1,
		.percent = share_of(m->period, total),
		.unnamed = share_of(m->unnamed, total),
		.dso = words_keep(&l->texts, m->dso),
		.path = words_keep(&l->texts, m->path),
		.why = words_keep(&l->texts, m->why),
		.state = m->state,
		.kernel = m->kernel,
	};
}

static struct missing_list *list_new(const struct ptui_hist *h, bool all)
{
	struct ptui_missing found[MISSING_MAX];
	size_t n = (all ? ptui_hist_dsos : ptui_hist_missing)(h, found, MISSING_MAX);
	size_t kept = n < MISSING_MAX ? n : MISSING_MAX;
	struct missing_list *l = calloc(1, sizeof(*l));

	if (!l)
		return NULL;
	atomic_init(&l->refs, 1);
	l->rows = calloc(kept + 1, sizeof(*l->rows));
	l->n_more = n - kept;
	for (size_t i = 0; l->rows && i < kept; i++)
		add_row(l, &found[i], ptui_hist_total_period(h));
	if (l->rows && !l->texts.failed)
		return l;
	missing_list_unref(l);
	return NULL;
}

struct missing_list *missing_list_new(const struct ptui_hist *h)
{
	struct missing_list *l = list_new(h, false);

	if (!l)
		return NULL;
	l->all = list_new(h, true);
	if (l->all)
		return l;
	missing_list_unref(l);
	return NULL;
}

/* ---- texts ---- */

/* What is wrong, and what to do: in a few words, and as a sentence. kernel_: NULL if it is the same. */
static const struct {
	const char *problem, *remedy, *advice, *kernel_remedy, *kernel_advice;
} texts[] = {
	[PTUI_SYMBOLS_OK] = { N_("none"), NULL, N_("All of its samples have function names.") },
	[PTUI_SYMBOLS_NO_MAP] = {
		N_("no DSO mapped there"), N_("a perf map (/tmp/perf-PID.map)"),
		N_("No DSO was mapped there: code of a JIT compiler, or lost sideband records."),
	},
	[PTUI_SYMBOLS_NO_FILE] = {
		N_("file not found"), N_("the recorded file (--symfs DIR)"),
		N_("Copy the file from the recorded machine, and set --symfs to the directory that "
		   "contains it."),
	},
	[PTUI_SYMBOLS_STALE] = {
		N_("another build-id"), N_("the recorded version, or DEBUGINFOD_URLS"),
		N_("Install the recorded version of the package, or set DEBUGINFOD_URLS to fetch "
		   "its symbols by build-id."),
		N_("the recorded vmlinux (-k FILE)"),
		N_("Give the vmlinux of the recorded kernel (-k FILE), or its debug package."),
	},
	[PTUI_SYMBOLS_PARTIAL] = {
		N_("some functions missing"), N_("its debug package, or DEBUGINFOD_URLS"),
		N_("Install its debug package, or set DEBUGINFOD_URLS to fetch its symbols by "
		   "build-id."),
	},
	[PTUI_SYMBOLS_NONE] = {
		N_("no symbol table"), N_("its debug package, or DEBUGINFOD_URLS"),
		N_("Install its debug package, or set DEBUGINFOD_URLS to fetch its symbols by "
		   "build-id."),
	},
	[PTUI_SYMBOLS_JIT] = {
		N_("JIT code, no perf map"), N_("a perf map (/tmp/perf-PID.map) or jitdump"),
		N_("Let the JIT compiler write a perf map (/tmp/perf-PID.map) or a jitdump file."),
	},
	[PTUI_SYMBOLS_FORBIDDEN] = {
		N_("hidden by the kernel"), N_("kernel.kptr_restrict=0, or --kallsyms FILE"),
		N_("Set sysctl kernel.kptr_restrict=0, or use --kallsyms FILE."),
	},
	[PTUI_SYMBOLS_UNVERIFIED] = {
		N_("unverified"), N_("record with build-ids, or --force-names"),
		N_("Record with build-ids, or accept the names with --force-names."),
	},
};

static const char *text_of(const struct missing_row *m, const char *text, const char *kernel)
{
	text = m->kernel && kernel ? kernel : text;
	return text ? _(text) : "";
}

const char *missing_problem(const struct missing_row *m)
{
	return text_of(m, texts[m->state].problem, NULL);
}

const char *missing_remedy(const struct missing_row *m)
{
	return text_of(m, texts[m->state].remedy, texts[m->state].kernel_remedy);
}

char *missing_text(const struct missing_row *m)
{
	struct buf out = BUF_INIT;

	buf_addf(&out, "%.2f%%  %s\n", m->percent, m->path ? m->path : m->dso);
	if (m->why && m->state != PTUI_SYMBOLS_OK)
		buf_addf(&out, "%s\n", m->why);
	buf_add_str(&out, text_of(m, texts[m->state].advice, texts[m->state].kernel_advice));
	return buf_take(&out);
}
