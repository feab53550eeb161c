/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Build-ids at the end of a recording, where perf looks for them when it has none in MMAP2 records. */
#include <errno.h>
#include <string.h>
#include "base/i18n.h"
#include "kernel/features.h"
#include "ptui/log.h"
#include "record/private.h"

void recording_set_buildid_table(struct ptui_recording *r, recording_table_fn fn, void *ctx)
{
	r->buildid_table = fn;
	r->buildid_table_ctx = ctx;
}

int recording_check_buildids(const struct ptui_recording *r, struct ptui_error *err)
{
	struct kernel_features features;

	kernel_features_init(&features, r->ops);
	if (r->options.buildid != PTUI_BUILDID_MMAP || kernel_has(&features, KERNEL_BUILD_ID))
		return 0;
	ptui_error_set(err, PTUI_ERROR_SYSTEM, EOPNOTSUPP, NULL,
		       _("--buildid-mmap: this kernel puts no build-ids into the records of what is "
			 "mapped (Linux 5.12 does)"));
	ptui_error_hint(err, _("-N makes a table of them at the end of the recording"));
	return -EOPNOTSUPP;
}

/* As in perf: a cache in /dev/null is none. */
static const char *cache_dir(const struct options *o)
{
	bool filled = o->buildid == PTUI_BUILDID_CACHE && strcmp(o->buildid_dir, "/dev/null") != 0;

	return filled ? o->buildid_dir : NULL;
}

/* A table that cannot be made is told, and is no reason to lose the recording. */
int recording_put_buildids(struct ptui_recording *r, struct data_writer *w)
{
	const struct options *o = &r->options;
	struct ptui_error err = PTUI_ERROR_INIT;
	struct buf table = BUF_INIT;
	int ret = 0;

	if (!r->buildid_table || (o->buildid != PTUI_BUILDID_TABLE && o->buildid != PTUI_BUILDID_CACHE))
		return 0;
	if (data_writer_sync(w, &err) ||
	    r->buildid_table(r->buildid_table_ctx, data_writer_place(w), &r->ops->roots,
			     o->buildid_all, cache_dir(o), &table, &err))
		ptui_log(PTUI_LOG_WARN, "record", _("the file will have no table of build-ids: %s"),
			 err.text);
	else if (table.len)
		ret = data_writer_add_feature(w, PTUI_FEAT_BUILD_ID, table.data, table.len);
	buf_release(&table);
	return ret;
}
