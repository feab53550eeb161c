/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "inject/inject.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include "base/i18n.h"
#include "inject/private.h"

#define BATCH_BYTES	    ((size_t)256 << 10)
#define PAYLOAD_PIECE_BYTES ((size_t)1 << 20)

/* ---- the output ---- */

uint8_t *inject_bytes(struct inject *j, const struct data_record *rec, size_t *ret_n)
{
	const uint32_t bytes = (uint32_t)sizeof(struct perf_event_header) + rec->body_bytes;
	const struct perf_event_header header = {
		.type = rec->type,
		/* simpleperf's records have the upper half of their size there */
		.misc = bytes > UINT16_MAX ? (uint16_t)(bytes >> 16) : rec->misc,
		.size = (uint16_t)bytes,
	};

	buf_clear(&j->record);
	buf_add(&j->record, &header, sizeof(header));
	buf_add(&j->record, rec->body, rec->body_bytes);
	*ret_n = j->record.len;
	if (j->record.err)
		ptui_error_nomem(j->err);
	return j->record.err ? NULL : (uint8_t *)j->record.data;
}

static int flush(struct inject *j)
{
	const struct iovec v = { j->out.data, j->out.len };
	int ret = 0;

	if (j->out.err)
		ret = ptui_error_nomem(j->err);
	else if (j->out.len)
		ret = data_writer_write(j->writer, &v, 1, j->err);
	buf_clear(&j->out);
	return ret;
}

int inject_put(struct inject *j, const void *record, size_t n)
{
	buf_add(&j->out, record, n);
	return j->out.len >= BATCH_BYTES || j->out.err ? flush(j) : 0;
}

static int add_event(struct inject *j, size_t i)
{
	const struct data_event *e = data_event(j->file, i);
	struct perf_event_attr attr = *data_event_attr(j->file, i);

	attr.size = e->attr_size < sizeof(attr) ? e->attr_size : (uint32_t)sizeof(attr);
	if (j->callchain)
		inject_callchain_attr(j->callchain, &attr);
	if (j->strip)
		inject_strip_attr(j, i, &attr);
	return data_writer_add_event(j->writer, &attr, e->name, e->ids, e->n_ids);
}

/* Those that describe how the input is stored are not copied, nor those whose records are. */
static bool is_copied(const struct inject *j, unsigned feature)
{
	return !(j->strip && feature == PTUI_FEAT_GROUP_DESC) && feature != PTUI_FEAT_EVENT_DESC &&
	       feature != PTUI_FEAT_COMPRESSED && feature != PTUI_FEAT_DIR_FORMAT &&
	       feature != PTUI_FEAT_BUILD_ID && feature != PTUI_FEAT_SIMPLEPERF_INIT_MAP &&
	       feature != PTUI_FEAT_AUXTRACE;
}

static int add_features(struct inject *j)
{
	int ret = 0;

	for (unsigned i = 1; i < PTUI_FEAT_MAX && !ret; i++) {
		size_t n = 0;
		const void *bytes = is_copied(j, i) ? data_feature(j->file, i, &n) : NULL;

		if (bytes)
			ret = data_writer_add_feature(j->writer, i, bytes, n);
	}
	return ret;
}

static int begin_output(struct inject *j)
{
	struct buf ids = BUF_INIT;
	int ret = inject_build_ids(j, &ids);

	if (ret) {
		buf_release(&ids);
		return ret;
	}
	for (size_t i = 0; i < data_n_events(j->file) && !ret; i++)
		if (!j->strip || inject_strip_has_event(j->strip, i))
			ret = add_event(j, i);
	if (!ret)
		ret = add_features(j);
	if (!ret && j->strip)
		ret = inject_strip_groups(j);
	else if (!ret && data_has_feature(j->file, PTUI_FEAT_AUXTRACE))
		ret = data_writer_expect_aux(j->writer);
	if (!ret && ids.len)
		ret = data_writer_add_feature(j->writer, PTUI_FEAT_BUILD_ID, ids.data, ids.len);
	buf_release(&ids);
	if (ret)
		return ptui_error_nomem(j->err);
	j->begun = true;
	return data_writer_begin_unnamed(j->writer, j->err);
}

/* ---- records ---- */

static int begin(void *ctx, struct stream *s)
{
	struct inject *j = ctx;
	int ret = 0;

	(void)s;
	if (j->opts->sched_stat)
		ret = inject_sched_open(j);
	if (!ret && j->opts->convert_callchain)
		ret = inject_callchain_open(j);
	if (!ret && j->opts->strip)
		ret = inject_strip_open(j);
	if (!ret && j->opts->jit)
		ret = inject_jit_check(j);
	return ret ? ret : begin_output(j);
}

static int put_as_is(struct inject *j, const struct data_record *rec)
{
	size_t n;
	const uint8_t *bytes = inject_bytes(j, rec, &n);

	j->result->bytes_in += n;
	return bytes ? inject_put(j, bytes, n) : -ENOMEM;
}

static int take_sample(struct inject *j, struct stream *s, const struct data_record *rec,
		       uint64_t when)
{
	struct data_sample sample;
	int ret = 0;

	if (!j->sched && !j->callchain)
		return put_as_is(j, rec);
	if (stream_sample(s, rec, &sample))
		return 0; /* damaged, and counted */
	if (j->sched && sample.event != PTUI_NONE)
		ret = inject_sched_sample(j, rec, &sample);
	if (!ret && j->callchain && sample.event != PTUI_NONE)
		ret = inject_callchain_sample(j, s, rec, &sample, when);
	if (!ret && j->strip) {
		j->result->bytes_in += sizeof(struct perf_event_header) + rec->body_bytes;
		j->result->stripped++;
		return 0;
	}
	return ret < 0 ? ret : ret ? 0 : put_as_is(j, rec);
}

/* Reads all that follows an AUXTRACE record into j->record. 0, or a negative errno. */
static int read_payload(struct inject *j, struct stream *s, const struct data_record *rec)
{
	uint8_t *piece = malloc(PAYLOAD_PIECE_BYTES);
	ssize_t n = piece ? 0 : -ENOMEM;

	buf_clear(&j->record);
	while (n >= 0 && j->record.len < rec->payload_bytes && !j->record.err) {
		n = stream_payload(s, rec, j->record.len, piece, PAYLOAD_PIECE_BYTES);
		if (n <= 0)
			break;
		buf_add(&j->record, piece, (size_t)n);
	}
	free(piece);
	return n < 0 ? (int)n : j->record.err;
}

/* With the data that follows it, and in its place among the records. */
static int take_auxtrace(struct inject *j, struct stream *s, const struct data_record *rec)
{
	struct iovec data;
	int ret = read_payload(j, s, rec);

	if (ret == -ENOMEM)
		return ptui_error_nomem(j->err);
	if (ret)
		return ptui_error_errno(j->err, -ret, NULL,
					_("cannot read the AUX data of the recording"));
	if (j->record.len < rec->payload_bytes)
		return 0; /* the recording ends within it: damage, which the reader counts */
	j->result->bytes_in += rec->bytes + j->record.len;
	data = (struct iovec){ j->record.data, j->record.len };
	ret = flush(j);
	return ret ? ret : data_writer_write_aux(j->writer, &rec->auxtrace, &data, 1, j->err);
}

/* The output's header has what these say. */
static bool is_of_header(uint32_t type)
{
	return type == PTUI_RECORD_HEADER_ATTR || type == PTUI_RECORD_HEADER_EVENT_TYPE ||
	       type == PTUI_RECORD_HEADER_TRACING_DATA || type == PTUI_RECORD_HEADER_BUILD_ID ||
	       type == PTUI_RECORD_HEADER_FEATURE;
}

/* Records in another order than they were written in have no rounds: a reader then sorts them all. */
static bool is_sorted_out(const struct inject *j, uint32_t type)
{
	return type == PTUI_RECORD_FINISHED_ROUND && (j->opts->sched_stat || j->opts->jit);
}

static int take_record(void *ctx, struct stream *s, const struct data_record *rec, uint64_t when)
{
	struct inject *j = ctx;
	int ret;

	if (rec->type == PERF_RECORD_SAMPLE)
		return take_sample(j, s, rec, when);
	if (is_of_header(rec->type) || is_sorted_out(j, rec->type))
		return 0;
	ret = j->strip ? inject_strip_record(j, rec) : 0;
	if (!ret && rec->type == PTUI_RECORD_AUXTRACE)
		return take_auxtrace(j, s, rec);
	if (!ret && j->opts->jit)
		ret = inject_jit_map(j, rec);
	return ret < 0 ? ret : ret ? 0 : put_as_is(j, rec);
}

static int finish(struct inject *j)
{
	int ret = j->begun ? 0 : begin(j, NULL); /* there were no records */

	if (!ret)
		ret = flush(j);
	/* those at the end of a pipe */
	if (!ret && add_features(j))
		ret = ptui_error_nomem(j->err);
	if (!ret) {
		j->result->bytes_out = data_writer_bytes(j->writer);
		ret = data_writer_finish(j->writer, j->err);
	}
	return ret;
}

static int run_stream(struct inject *j)
{
	const struct stream_opts opts = { .load = j->opts->load,
					  .sideband = true,
					  .all = true,
					  .unknown = true,
					  .simpleperf = true,
					  .rounds = !j->opts->sched_stat };
	const struct stream_callbacks cb = { begin, take_record, NULL, j };
	struct stream *s = stream_new(j->file, &opts);
	int ret = s ? stream_run(s, &cb, j->err) : -ENOMEM;

	if (!ret)
		ret = finish(j);
	if (s)
		stream_trust(s, &j->result->trust);
	stream_free(s);
	return ret;
}

int inject_run(struct data_file *file, const struct inject_opts *opts, struct inject_result *result,
	       struct ptui_error *err)
{
	const struct data_writer_opts wopts = { .whole = true, .cancel_fd = -1 };
	struct inject j = { .file = file, .opts = opts, .result = result, .err = err };
	int ret;

	memset(result, 0, sizeof(*result));
	if (data_swapped(file))
		return ptui_error_set(err, PTUI_ERROR_INPUT, ENOTSUP, NULL,
				      _("the recording has the byte order of another machine, "
					"which only that one can write"));
	j.writer = data_writer_open(opts->output, &wopts, err);
	ret = j.writer ? run_stream(&j) : -EIO;
	if (ret < 0 && !ptui_error_is_set(err))
		ptui_error_nomem(err);
	data_writer_free(j.writer);
	inject_sched_free(j.sched);
	inject_callchain_free(j.callchain);
	inject_strip_free(j.strip);
	jit_maps_release(&j.jit);
	buf_release(&j.out);
	buf_release(&j.record);
	return ret;
}
