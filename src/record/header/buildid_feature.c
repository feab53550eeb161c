/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "record/header/buildid_feature.h"

#include <errno.h>
#include <string.h>
#include "base/i18n.h"
#include "data/write/writer.h"
#include "kernel/features.h"
#include "ptui/log.h"

#define WAIT_MS	     200  /* the ring buffers fill up during it */
#define LAST_WAIT_MS 5000 /* for slow file systems */

int buildid_feature_check(const struct buildid_feature *f, const struct kernel_ops *ops,
			  struct ptui_error *err)
{
	struct kernel_features features;

	kernel_features_init(&features, ops);
	if (f->given->buildid != PTUI_BUILDID_MMAP || kernel_has(&features, KERNEL_BUILD_ID))
		return 0;
	ptui_error_set(err, PTUI_ERROR_SYSTEM, EOPNOTSUPP, NULL,
		       _("--buildid-mmap is not supported by this kernel (requires Linux 5.12)"));
	ptui_error_hint(err, _("-N writes a build-id table at the end of the recording instead"));
	return -EOPNOTSUPP;
}

/* As in perf: /dev/null disables the cache. */
static bool has_cache(const struct ptui_record_opts *o)
{
	return strcmp(o->buildid_dir, "/dev/null") != 0;
}

int buildid_feature_start(struct buildid_feature *f, struct buildids *buildids,
			  const struct event_list *events, struct ptui_error *err)
{
	const struct ptui_record_opts *o = f->given;

	if (!buildids->fn || o->out.nowhere || o->buildid == PTUI_BUILDID_NONE ||
	    event_list_has_buildids(events))
		return 0;
	f->ids = buildids;
	f->reader = buildid_reader_new(buildids, err);
	if (!f->reader)
		return -EAGAIN;
	buildid_reader_set_events(f->reader, events);
	return 0;
}

void buildid_feature_release(struct buildid_feature *f)
{
	buildid_reader_free(f->reader);
	f->reader = NULL;
}

/* Writes the build-ids known so far. All are correct; the table may grow later. */
static int put_known(const struct buildid_feature *f, struct data_writer *w, bool may_be_empty)
{
	struct buf table = BUF_INIT;
	int ret = buildid_reader_table(f->reader, &table);

	if (!ret && (table.len || may_be_empty))
		ret = data_writer_add_feature(w, PTUI_FEAT_BUILD_ID, table.data, table.len);
	buf_release(&table);
	return ret;
}

/* Only a feature that exists from the start can be rewritten while the file grows. */
int buildid_feature_begin(const struct buildid_feature *f, struct data_writer *w)
{
	if (!f->reader || f->given->buildid != PTUI_BUILDID_USUAL || !data_writer_is_file(w))
		return 0;
	buildid_reader_wait(f->reader, WAIT_MS);
	return put_known(f, w, true);
}

/* Logs a failure: a missing table is no reason to fail the recording. */
static int put_table(const struct buildid_feature *f, struct data_writer *w)
{
	const struct ptui_record_opts *o = f->given;
	const struct buildid_cache cache = { .dir = o->buildid_dir };
	bool fills = o->buildid == PTUI_BUILDID_CACHE && has_cache(o);
	struct ptui_error err = PTUI_ERROR_INIT;
	struct buf table = BUF_INIT;
	int ret = 0;

	if (data_writer_sync(w, &err) ||
	    f->table(f->table_ctx, data_writer_place(w), f->roots, o->buildid_all,
		     fills ? &cache : NULL, f->reader, &table, &err))
		ptui_log(PTUI_LOG_WARN, "record", _("the file will have no build-id table: %s"),
			 err.text);
	else if (table.len)
		ret = data_writer_add_feature(w, PTUI_FEAT_BUILD_ID, table.data, table.len);
	buf_release(&table);
	return ret;
}

/*
 * Files in containers, and files that were deleted, are gone, or hidden by others of the same path, when the recording
 * is read: those with samples are kept. That they cannot be is no reason to fail the recording.
 */
static void keep_hidden(const struct buildid_feature *f, struct data_writer *w)
{
	const struct buildid_cache cache = { .dir = f->given->buildid_dir, .only_hidden = true };
	struct ptui_error err = PTUI_ERROR_INIT;
	struct buf table = BUF_INIT;

	if (!f->table || !has_cache(f->given) || !data_writer_is_file(w) ||
	    !buildid_reader_has_hidden(f->reader))
		return;
	if (data_writer_sync(w, &err) || f->table(f->table_ctx, data_writer_place(w), f->roots,
						  false, &cache, f->reader, &table, &err))
		ptui_log(PTUI_LOG_INFO, "record", "%s", err.text);
	buf_release(&table);
}

int buildid_feature_finish(const struct buildid_feature *f, struct data_writer *w, bool is_last)
{
	const struct ptui_record_opts *o = f->given;

	if (f->reader)
		buildid_reader_wait(f->reader, is_last ? LAST_WAIT_MS : WAIT_MS);
	if (o->buildid == PTUI_BUILDID_USUAL && f->reader) {
		keep_hidden(f, w);
		return put_known(f, w, false);
	}
	/* the table is made by reading the file, which a pipe does not allow; as in perf */
	if (!f->table || !data_writer_is_file(w) ||
	    (o->buildid != PTUI_BUILDID_TABLE && o->buildid != PTUI_BUILDID_CACHE))
		return 0;
	return put_table(f, w);
}
