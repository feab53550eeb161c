/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "model/browser/missing.h"

#include <stdlib.h>
#include <string.h>
#include "base/buf.h"
#include "text/i18n.h"

#define MISSING_MAX 100

static const char *advice_of(const struct ptui_missing *m)
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

static void add_one(struct buf *out, const struct ptui_missing *m, uint64_t total)
{
	buf_addf(out, "%s%.1f%%  %s\n", out->len ? "\n\n" : "",
		 total ? 100.0 * (double)m->period / (double)total : 0.0,
		 m->path ? m->path : m->dso);
	if (m->why)
		buf_addf(out, "%s\n", m->why);
	buf_add_str(out, advice_of(m));
}

char *missing_text(const struct ptui_hist *h)
{
	struct ptui_missing list[MISSING_MAX];
	size_t n = ptui_hist_missing(h, list, MISSING_MAX);
	struct buf out = BUF_INIT;

	for (size_t i = 0; i < n && i < MISSING_MAX; i++)
		add_one(&out, &list[i], ptui_hist_total_period(h));
	if (n > MISSING_MAX) {
		buf_add_str(&out, "\n\n");
		buf_addf(&out, Q_("and %zu more DSO", "and %zu more DSOs", n - MISSING_MAX),
			 n - MISSING_MAX);
	}
	if (!n)
		buf_add_str(&out, _("All DSOs with samples have symbols."));
	return buf_take(&out);
}
