/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "record/snapshot/snapshot_file.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include "base/i18n.h"
#include "ptui/log.h"
#include "record/output.h"

bool snapshot_makes_files(const struct snapshot_file *s)
{
	const struct ptui_record_output *out = &s->output->base->options->given.out;

	return data_writer_has_folder(s->output->sink.writer) &&
	       (out->change.on || s->output->watch || !out->memory_bytes);
}

static uint64_t file_bytes(const char *path)
{
	struct stat st;

	return stat(path, &st) ? 0 : (uint64_t)st.st_size;
}

/* Completes *ret after the file is finished. */
static int fill_file_info(const struct data_writer *w, struct ptui_snapshot *ret, char **ret_path,
			  struct ptui_error *err)
{
	*ret_path = strdup(data_writer_path(w));
	ret->bytes = file_bytes(data_writer_path(w));
	return *ret_path ? 0 : ptui_error_nomem(err);
}

/* ---- snapshot files of kept samples ---- */

/* First prunes the sideband log to what this and later snapshots need. */
static int put_sideband(struct snapshot_file *s, struct data_writer *w,
			const struct kept_samples *found, struct ptui_error *err)
{
	struct iovec records;

	if (pump_prune_sideband(s->pump, found))
		return ptui_error_nomem(err);
	records = sideband_log_records(s->output->sink.sideband_log);
	return records.iov_len ? data_writer_write(w, &records, 1, err) : 0;
}

static int write_kept(struct snapshot_file *s, struct data_writer *w,
		      const struct kept_samples *found, struct ptui_error *err)
{
	int ret = data_writer_begin(w, err);

	if (!ret)
		ret = put_sideband(s, w, found, err);
	if (!ret && found->n_all)
		ret = data_writer_write(w, found->all, found->n_all, err);
	return ret ? ret : output_finish(s->output, w, found->first_ns, found->last_ns, err);
}

/* A full disk does not end the recording: the next snapshot, or the end, may find space. */
static int write_snapshot_file(struct snapshot_file *s, const struct kept_samples *found,
			       struct ptui_snapshot *ret, char **ret_path, struct ptui_error *err)
{
	struct ptui_error why = PTUI_ERROR_INIT;
	struct data_writer *w = data_writer_again(s->output->sink.writer, true, &why);
	int failed = w ? write_kept(s, w, found, &why) : -EIO;

	if (!found->shown) {
		record_sink_show(&s->output->sink, found->fresh, found->n_fresh);
		s->pump->counts->samples += found->new_samples;
	}
	if (failed)
		ptui_log(PTUI_LOG_WARN, "record", _("cannot write the snapshot: %s"), why.text);
	else
		failed = fill_file_info(w, ret, ret_path, err);
	data_writer_free(w);
	return failed == -ENOMEM ? -ENOMEM : !failed;
}

/* ---- switching the output ---- */

static int begin_next(struct snapshot_file *s, struct data_writer *next, struct ptui_error *err)
{
	const struct kept_samples none = { .first_ns = s->pump->settled_ns };
	int ret = data_writer_begin(next, err);

	/* losses and switches are in the finished file: the next one must not count them again */
	if (!ret && sideband_log_drop_moments(s->output->sink.sideband_log))
		ret = ptui_error_nomem(err);
	if (!ret)
		ret = put_sideband(s, next, &none, err);
	return ret ? ret : data_writer_sync(next, err);
}

/* From the finished file to the next one. */
static void switch_to_next(struct snapshot_file *s, struct data_writer *next,
			   struct ptui_snapshot *ret)
{
	struct pump *p = s->pump;
	struct record_sink *o = &s->output->sink;

	ret->samples = ret->new_samples = s->pump->counts->samples - s->samples_before;
	ret->span_ns = p->last_ns - p->first_ns;
	s->samples_before = s->pump->counts->samples;
	p->first_ns = p->last_ns = 0;
	o->bytes_before += data_writer_bytes(o->writer);
	o->raw_before += data_writer_raw_bytes(o->writer);
	data_writer_free(o->writer);
	o->writer = next;
}

static int change_output(struct snapshot_file *s, struct ptui_snapshot *ret, char **ret_path,
			 struct ptui_error *err)
{
	struct pump *p = s->pump;
	struct data_writer *now = s->output->sink.writer, *next;
	struct ptui_error why = PTUI_ERROR_INIT;
	int failed;

	next = data_writer_again(now, false, &why);
	if (!next) {
		ptui_log(PTUI_LOG_WARN, "record",
			 _("cannot switch the output, continuing with "
			   "the current one: %s"),
			 why.text);
		return 0;
	}
	failed = output_finish(s->output, now, p->first_ns, p->last_ns, err);
	if (!failed)
		failed = fill_file_info(now, ret, ret_path, err);
	if (!failed)
		failed = begin_next(s, next, err);
	if (failed) {
		data_writer_free(next);
		return failed;
	}
	switch_to_next(s, next, ret);
	return 1;
}

int snapshot_deliver(void *ctx, const struct kept_samples *found, struct ptui_snapshot *ret,
		     char **ret_path, struct ptui_error *err)
{
	struct snapshot_file *s = ctx;
	int failed;

	if (!found && s->output->base->options->given.out.change.on)
		return change_output(s, ret, ret_path, err);
	if (!found) {
		/* AUX data, which is in the output now */
		ret->bytes = ret->aux_bytes;
		return ret->aux_bytes > 0;
	}
	if (snapshot_makes_files(s))
		return write_snapshot_file(s, found, ret, ret_path, err);
	failed = pump_write_kept(s->pump, found, true, err);
	ret->bytes = found->new_bytes;
	return failed < 0 ? failed : 1;
}

/* ---- samples in memory after the end ---- */

int snapshot_save_memory(struct snapshot_file *s, const char *path, struct ptui_error *err)
{
	const struct data_writer_opts opts = { .cancel_fd = -1 };
	struct pump *p = s->pump;
	struct kept_samples found;
	struct data_writer *w;
	int ret;

	if (!strcmp(path, "-"))
		return ptui_error_set(err, PTUI_ERROR_INPUT, EINVAL, path,
				      _("cannot save samples to a pipe: a file is required"));
	memory_router_read(&p->memory_router, UINT64_MAX, &found);
	w = data_writer_copy(s->output->sink.writer, path, &opts, err);
	if (!w)
		return err && err->domain == PTUI_ERROR_SYSTEM && err->code ? -err->code : -EIO;
	ret = write_kept(s, w, &found, err);
	data_writer_free(w);
	return ret;
}
