/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cli/script/report_records.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include "base/i18n.h"
#include "base/perf_abi.h"
#include "base/text.h"
#include "base/vec.h"
#include "cli/out.h"
#include "cli/pager.h"
#include "cli/recording.h"
#include "machine/task_list.h"
#include "session/header.h"
#include "session/stream.h"

/* Of one event. */
struct event_counts {
	uint64_t samples, lost;
};

struct records {
	const struct report_records *what;
	struct stream *stream;
	struct event_counts *events;
	size_t n_events, cap_events;
	uint64_t n_samples;
	struct task_list tasks;
	struct buf out;
};

/* ---- the walk ---- */

static int count_event(struct records *r, uint32_t event, uint64_t samples, uint64_t lost)
{
	if (event == PTUI_NONE)
		return 0;
	if (event >= r->n_events) {
		if (vec_grow(&r->events, &r->cap_events, (size_t)event + 1))
			return -ENOMEM;
		memset(r->events + r->n_events, 0, (event + 1 - r->n_events) * sizeof(*r->events));
		r->n_events = (size_t)event + 1;
	}
	r->events[event].samples += samples;
	r->events[event].lost += lost;
	return 0;
}

static int count_member(void *ctx, uint32_t event, uint64_t period)
{
	(void)period;
	return count_event(ctx, event, 1, 0);
}

static int count_record(struct records *r, const struct data_record *rec)
{
	struct data_sample sample;

	if (rec->type == PERF_RECORD_LOST_SAMPLES)
		return count_event(r,
				   rec->id.has & DATA_HAS_ID ?
					   data_event_of_id(stream_file(r->stream), rec->id.id) :
					   0,
				   0, rec->lost.lost);
	if (rec->type != PERF_RECORD_SAMPLE || stream_sample(r->stream, rec, &sample))
		return 0;
	return stream_members(r->stream, &sample, count_member, r);
}

static int records_begin(void *ctx, struct stream *s)
{
	(void)ctx;
	(void)s;
	return 0;
}

static int records_record(void *ctx, struct stream *s, const struct data_record *rec, uint64_t when)
{
	struct records *r = ctx;
	struct data_guest guest;

	(void)when;
	r->n_samples += rec->type == PERF_RECORD_SAMPLE;
	if (r->what->stats)
		return count_record(r, rec);
	/* guests have tasks of their own */
	return rec->id.has & DATA_HAS_ID && data_guest_of_id(stream_file(s), rec->id.id, &guest) ?
		       0 :
		       task_list_add(&r->tasks, rec);
}

/* ---- --stats ---- */

static void add_type(struct buf *out, const char *name, uint64_t n, uint64_t total)
{
	if (n)
		buf_addf(out, "%16s events: %10" PRIu64 "  (%4.1f%%)\n", name, n,
			 100.0 * (double)n / (double)total);
}

static void add_stats(struct records *r, const struct ptui_trust *trust)
{
	struct data_file *file = stream_file(r->stream);
	uint64_t total = trust->unknown_records, others = trust->unknown_records;
	char name[32];

	for (unsigned type = 0; type < PTUI_RECORD_TYPES; type++)
		total += data_record_type_name(type) ? trust->records[type] : 0;
	buf_addf(
		&r->out, "\nAggregated stats:%s\n",
		data_has_feature(file, PTUI_FEAT_AUXTRACE) ?
			" (excludes AUX area (e.g. instruction trace) decoded / synthesized events)" :
			"");
	if (total)
		buf_addf(&r->out, "%16s events: %10" PRIu64 "\n", "TOTAL", total);
	for (unsigned type = 0; type < PTUI_RECORD_TYPES; type++)
		if (data_record_type_name(type))
			add_type(&r->out, data_record_type_name(type), trust->records[type], total);
	for (size_t i = 0; i < PTUI_UNKNOWN_TYPES; i++) {
		snprintf(name, sizeof(name), "UNKNOWN_%u", trust->unknown_types[i].type);
		add_type(&r->out, name, trust->unknown_types[i].records, total);
		others -= trust->unknown_types[i].records;
	}
	add_type(&r->out, "UNKNOWN", others, total);
	for (size_t i = 0; i < r->n_events && i < data_n_events(file); i++) {
		if (!r->events[i].samples && !r->events[i].lost)
			continue;
		text_escape(&r->out, data_event(file, i)->name);
		buf_add_str(&r->out, " stats:\n");
		if (r->events[i].samples)
			buf_addf(&r->out, "%16s events: %10" PRIu64 "\n", "SAMPLE",
				 r->events[i].samples);
		if (r->events[i].lost)
			buf_addf(&r->out, "%16s events: %10" PRIu64 "\n", "LOST_SAMPLES",
				 r->events[i].lost);
	}
}

/* ---- --tasks, --mmaps ---- */

static void add_maps(struct records *r, const struct task_space *s, size_t indent)
{
	for (size_t i = 0; i < s->n; i++) {
		const struct task_map *m = &s->maps[i];

		buf_addf(&r->out,
			 "%*s  %" PRIx64 "-%" PRIx64 " %c%c%c%c %08" PRIx64 " %" PRIu64 " ",
			 (int)indent, "", m->start, m->end, m->prot & PROT_READ ? 'r' : '-',
			 m->prot & PROT_WRITE ? 'w' : '-', m->prot & PROT_EXEC ? 'x' : '-',
			 m->flags & MAP_SHARED ? 's' : 'p', m->pgoff, m->ino);
		text_escape(&r->out, strpool_get(&r->tasks.names, m->name));
		buf_add_char(&r->out, '\n');
	}
}

static int add_task(void *ctx, const struct task *t, unsigned level)
{
	struct records *r = ctx;
	size_t from = r->out.len, indent;

	buf_addf(&r->out, "  %8d %8d %8d |%*s", t->pid, t->tid, t->ppid, (int)level, "");
	indent = r->out.len - from;
	if (t->comm == PTUI_NONE)
		buf_addf(&r->out, ":%d", t->tid);
	else
		text_escape(&r->out, strpool_get(&r->tasks.names, t->comm));
	buf_add_char(&r->out, '\n');
	add_maps(r, &r->tasks.spaces[t->space], indent);
	return r->out.err;
}

static int add_tasks(struct records *r)
{
	buf_addf(&r->out, "# %8s %8s %8s  %s\n", "pid", "tid", "ppid", "comm");
	return task_list_walk(&r->tasks, add_task, r);
}

/* ---- both ---- */

/* 0, or a negative errno; `err` is set unless memory was missing. */
static int records_print(const struct cli *cli, struct records *r, const struct ptui_trust *trust,
			 struct ptui_error *err)
{
	char *header;
	int ret = 0;

	if (r->what->header) {
		header = header_text(stream_file(r->stream), r->what->info);
		if (!header)
			return -ENOMEM;
		buf_add_str(&r->out, header);
		free(header);
	}
	if (r->what->stats)
		add_stats(r, trust);
	else
		ret = add_tasks(r);
	if (!ret && r->what->stats && r->what->more)
		ret = r->what->more(r->what->more_ctx, &r->out, err);
	if (ret || r->out.err)
		return -ENOMEM;
	pager_start(cli);
	cli_put(&r->out); /* a failure is reported at exit */
	pager_finish();
	return 0;
}

static int records_run(const struct cli *cli, struct records *r, struct data_file *file,
		       const char *path, struct ptui_error *err)
{
	/* all records, also those of pipes */
	const struct stream_opts opts = { .sideband = true };
	const struct stream_callbacks cb = { records_begin, records_record, NULL, r };
	struct ptui_trust trust;

	r->stream = stream_new(file, &opts);
	if (!r->stream || task_list_init(&r->tasks, r->what->mmaps) ||
	    stream_run(r->stream, &cb, err) < 0)
		return ptui_error_is_set(err) ? -EIO : ptui_error_nomem(err);
	stream_trust(r->stream, &trust);
	cli_warn_trust(cli, &trust, r->n_samples, path);
	if (!records_print(cli, r, &trust, err))
		return 0;
	return ptui_error_is_set(err) ? -EIO : ptui_error_nomem(err);
}

int report_records(const struct cli *cli, const char *path, const struct report_records *what)
{
	struct records r = { .what = what, .out = BUF_INIT };
	struct ptui_error err = PTUI_ERROR_INIT;
	int status;
	struct data_file *file = cli_open_recording(cli, path, &status);

	if (!file)
		return status;
	status = records_run(cli, &r, file, path, &err) ? cli_failed(cli, &err) : CLI_OK;
	stream_free(r.stream);
	task_list_release(&r.tasks);
	buf_release(&r.out);
	free(r.events);
	data_close(file);
	return status;
}
