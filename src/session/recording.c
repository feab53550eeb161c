/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A recording with what it needs from rooms behind it: who reads build-ids of ELF files. */
#include "dso/dso.h"
#include "session/buildid_table.h"
#include "session/live.h"

_Static_assert(DSO_BUILD_ID_MAX == DATA_BUILD_ID_MAX, "one size of build-id in all rooms");

static int read_build_id(void *ctx, const char *path, uint8_t id[DATA_BUILD_ID_MAX])
{
	int bytes = dso_read_build_id(path, id);

	(void)ctx;
	return bytes > 0 ? bytes : 0;
}

struct ptui_recording *session_recording_new(const struct ptui_record_opts *opts,
					     const struct kernel_ops *ops, struct ptui_error *err)
{
	struct ptui_recording *r = recording_new(opts, ops, err);

	if (!r)
		return NULL;
	recording_set_buildid(r, read_build_id, NULL);
	recording_set_buildid_table(r, buildid_table_of_recording, NULL);
	return r;
}

struct ptui_recording *ptui_recording_new(const struct ptui_record_opts *opts,
					  struct ptui_error *err)
{
	return session_recording_new(opts, kernel_ops_real(), err);
}
