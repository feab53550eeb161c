/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A recording with its build-id readers, which need ELF files. */
#include <stdlib.h>
#include <string.h>
#include "dso/dso.h"
#include "probe/temporary.h"
#include "session/buildid_entries.h"
#include "session/buildid_table.h"
#include "session/live/live.h"
#include "session/live/live_unwind.h"

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

struct ptui_recording *session_recording_new(const struct ptui_record_opts *opts,
					     const struct kernel_ops *ops, struct ptui_error *err)
{
	struct ptui_recording *r = NULL;

	if (!opts->vmlinux || !cache_vmlinux(opts, &ops->roots, err))
		r = recording_new(opts, ops, err);
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
