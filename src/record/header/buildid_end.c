/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The BUILD_ID table: build-ids that are not in MMAP2 records. */
#include <errno.h>
#include <string.h>
#include "base/i18n.h"
#include "kernel/features.h"
#include "ptui/log.h"
#include "record/recording_private.h"

#define WAIT_MS	     200  /* the ring buffers fill up meanwhile */
#define LAST_WAIT_MS 5000 /* for slow file systems */

void recording_set_buildid_table(struct ptui_recording *r, recording_table_fn fn, void *ctx)
{
	r->buildid_table = fn;
	r->buildid_table_ctx = ctx;
}

int recording_check_buildids(const struct ptui_recording *r, struct ptui_error *err)
{
	struct kernel_features features;

	kernel_features_init(&features, r->ops);
	if (r->options.given.buildid != PTUI_BUILDID_MMAP || kernel_has(&features, KERNEL_BUILD_ID))
		return 0;
	ptui_error_set(
		err, PTUI_ERROR_SYSTEM, EOPNOTSUPP, NULL,
		_("--buildid-mmap: this kernel puts no build-ids into the records of what is "
		  "mapped (Linux 5.12 does)"));
	ptui_error_hint(err, _("-N makes a table of them at the end of the recording"));
	return -EOPNOTSUPP;
}

/* As in perf: /dev/null disables the cache. */
static const char *cache_dir(const struct options *o)
{
	bool filled = o->given.buildid == PTUI_BUILDID_CACHE &&
		      strcmp(o->given.buildid_dir, "/dev/null") != 0;

	return filled ? o->given.buildid_dir : NULL;
}

static bool uses_kernel_buildids(const struct ptui_recording *r)
{
	for (size_t i = 0; i < r->events.n; i++)
		if (r->events.v[i].attr.build_id)
			return true;
	return false;
}

int recording_start_buildids(struct ptui_recording *r, struct ptui_error *err)
{
	const struct options *o = &r->options;

	if (!r->buildids.fn || o->given.out.nowhere || o->given.buildid == PTUI_BUILDID_NONE ||
	    uses_kernel_buildids(r))
		return 0;
	r->buildid_reader = buildid_reader_new(&r->buildids, err);
	return r->buildid_reader ? 0 : -EAGAIN;
}

/* Writes the build-ids known so far. All are correct; the table may grow later. */
static int put_known(struct ptui_recording *r, struct data_writer *w, bool may_be_empty)
{
	struct buf table = BUF_INIT;
	int ret = buildid_reader_table(r->buildid_reader, &table);

	if (!ret && (table.len || may_be_empty))
		ret = data_writer_add_feature(w, PTUI_FEAT_BUILD_ID, table.data, table.len);
	buf_release(&table);
	return ret;
}

/* Only a feature that exists from the start can be rewritten while the file grows. */
int recording_begin_buildids(struct ptui_recording *r)
{
	if (!r->buildid_reader || r->options.given.buildid != PTUI_BUILDID_USUAL ||
	    !data_writer_is_file(r->sink.writer))
		return 0;
	buildid_reader_wait(r->buildid_reader, WAIT_MS);
	return put_known(r, r->sink.writer, true);
}

/* Logs a failure: a missing table is no reason to fail the recording. */
static int put_table(struct ptui_recording *r, struct data_writer *w)
{
	const struct options *o = &r->options;
	struct ptui_error err = PTUI_ERROR_INIT;
	struct buf table = BUF_INIT;
	int ret = 0;

	if (data_writer_sync(w, &err) ||
	    r->buildid_table(r->buildid_table_ctx, data_writer_place(w), &r->ops->roots,
			     o->given.buildid_all, cache_dir(o), r->buildid_reader, &table, &err))
		ptui_log(PTUI_LOG_WARN, "record", _("the file will have no table of build-ids: %s"),
			 err.text);
	else if (table.len)
		ret = data_writer_add_feature(w, PTUI_FEAT_BUILD_ID, table.data, table.len);
	buf_release(&table);
	return ret;
}

int recording_put_buildids(struct ptui_recording *r, struct data_writer *w)
{
	const struct options *o = &r->options;
	bool is_last = w == r->sink.writer && !o->given.out.change.on;

	if (r->buildid_reader)
		buildid_reader_wait(r->buildid_reader, is_last ? LAST_WAIT_MS : WAIT_MS);
	if (o->given.buildid == PTUI_BUILDID_USUAL)
		return r->buildid_reader ? put_known(r, w, false) : 0;
	/* the table is made by reading the file, which a pipe does not allow; as in perf */
	if (!r->buildid_table || !data_writer_is_file(w) ||
	    (o->given.buildid != PTUI_BUILDID_TABLE && o->given.buildid != PTUI_BUILDID_CACHE))
		return 0;
	return put_table(r, w);
}
