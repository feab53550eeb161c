/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A recording with its build-id readers, which need ELF files. */
#include <stdlib.h>
#include <string.h>
#include "base/buf.h"
#include "base/i18n.h"
#include "dso/dso.h"
#include "event/selector/filter.h"
#include "probe/temporary.h"
#include "ptui/log.h"
#include "session/buildid/buildid_entries.h"
#include "session/buildid/buildid_table.h"
#include "session/live/live.h"
#include "session/live/live_unwind.h"
#include "symbol/address_filter.h"

_Static_assert(DSO_BUILD_ID_MAX == DATA_BUILD_ID_MAX, "one size of build-id in all rooms");

int session_read_build_id(void *ctx, const char *path, uint8_t id[DATA_BUILD_ID_MAX])
{
	int bytes = dso_read_build_id(path, id);

	(void)ctx;
	return bytes > 0 ? bytes : 0;
}

/* Symbols are looked up when the recording is read: by then the cache has the file. */
static int cache_vmlinux(const struct ptui_record_opts *o, const struct roots *roots,
			 struct ptui_error *err)
{
	bool keeps = o->buildid != PTUI_BUILDID_TABLE && o->buildid != PTUI_BUILDID_NONE;
	char *dir = buildid_cache_dir(o->buildid_dir);
	int ret;

	if (!dir)
		return ptui_error_nomem(err);
	ret = buildid_cache_add_vmlinux(keeps && strcmp(dir, "/dev/null") ? dir : NULL, roots,
					o->vmlinux, err);
	if (ret)
		ptui_error_prefix(err, "--vmlinux");
	free(dir);
	return ret;
}

/* Address filters with offsets and addresses instead of symbols; `made` are to be freed. */
static int resolve_filters(const struct ptui_record_opts *o, const struct roots *roots,
			   const char **ret, char **made, struct ptui_error *err)
{
	int failed = 0;

	for (size_t i = 0; o->filters && i < o->n_events && !failed; i++) {
		struct buf text = BUF_INIT;

		ret[i] = o->filters[i];
		if (!ret[i] || !event_filter_is_address(ret[i]))
			continue;
		failed = address_filter_resolve(ret[i], roots->proc, &text, err);
		if (!failed)
			failed = buf_replace(&text, &made[i]);
		buf_release(&text);
		ret[i] = made[i];
		if (!failed)
			ptui_log(PTUI_LOG_INFO, "record", _("address filter: %s"), made[i]);
	}
	return failed;
}

struct ptui_recording *session_recording_new(const struct ptui_record_opts *opts,
					     const struct kernel_ops *ops, struct ptui_error *err)
{
	struct ptui_record_opts resolved = *opts;
	struct ptui_recording *r = NULL;
	const char **filters = calloc(opts->n_events + 1, sizeof(*filters));
	char **made = calloc(opts->n_events + 1, sizeof(*made));

	resolved.filters = filters;
	if (!filters || !made)
		ptui_error_nomem(err);
	else if (!resolve_filters(opts, &ops->roots, filters, made, err) &&
		 (!opts->vmlinux || !cache_vmlinux(opts, &ops->roots, err)))
		r = recording_new(&resolved, ops, err);
	for (size_t i = 0; made && i < opts->n_events; i++)
		free(made[i]);
	free(made);
	free(filters);
	if (!r)
		return NULL;
	recording_set_unwinding(r, &session_stack_unwinding);
	recording_set_probe_adder(r, probe_temporary_add);
	recording_set_buildid(r, session_read_build_id, NULL);
	recording_set_buildid_table(r, buildid_table_of_recording, NULL);
	return r;
}

struct ptui_recording *ptui_recording_new(const struct ptui_record_opts *opts,
					  struct ptui_error *err)
{
	return session_recording_new(opts, kernel_ops_real(), err);
}
