/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Rounds of counts out of perf.data, into the cells that stat_print() shows. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/cursor.h"
#include "base/i18n.h"
#include "base/text.h"
#include "base/vec.h"
#include "data/read/reader.h"
#include "data/write/writer.h"
#include "stat/stat_data.h"
#include "stat/stat_layout.h"
#include "stat/stat_private.h"

/* What one counter has counted: since the start, and at the round before. */
struct reading {
	uint32_t event, thread;
	int cpu;
	struct counter_value now, before;
	bool read; /* in this round */
};

struct unit {
	uint64_t id;
	char name[16];
	double scale;
};

struct stat_reader {
	struct stat_reader_opts opts;
	struct data_file *file;
	struct data_walk *walk;
	struct stat *stat; /* NULL until the first STAT: a pipe has its events before that */
	struct stat_places places;
	struct unit *units; /* of the EVENT_UPDATEs */
	size_t n_units, cap_units;
	struct reading *readings;
	size_t n_readings, cap_readings;
	uint64_t aggr, interval_ms, scale, last_ns, n_rounds;
};

struct stat_reader *stat_reader_new(const char *path, const struct stat_reader_opts *opts,
				    struct ptui_error *err)
{
	struct stat_reader *r = calloc(1, sizeof(*r));
	int ret;

	if (!r) {
		ptui_error_nomem(err);
		return NULL;
	}
	r->opts = *opts;
	r->scale = 1;
	r->aggr = stat_aggr_in_file(STAT_GLOBAL);
	r->file = data_open(path, err, &ret);
	r->walk = r->file ? data_walk_new(r->file, err) : NULL;
	if (!r->walk) {
		stat_reader_free(r);
		return NULL;
	}
	return r;
}

void stat_reader_free(struct stat_reader *r)
{
	if (!r)
		return;
	stat_free(r->stat);
	stat_places_release(&r->places);
	free(r->units);
	free(r->readings);
	data_walk_free(r->walk);
	data_close(r->file);
	free(r);
}

const char *stat_reader_cmdline(struct stat_reader *r)
{
	return data_is_pipe(r->file) ? "pipe" : data_feature_text(r->file, PTUI_FEAT_CMDLINE);
}

/* ---- events ---- */

/* u64 what, u64 id, then a text or a double. */
static int read_update(struct stat_reader *r, struct cursor *c)
{
	uint64_t what = cursor_u64(c), id = cursor_u64(c), bits;
	struct unit *u = NULL;
	const char *text;

	if (what != DATA_UPDATE_UNIT && what != DATA_UPDATE_SCALE)
		return 0;
	for (size_t i = 0; i < r->n_units && !u; i++)
		if (r->units[i].id == id)
			u = &r->units[i];
	if (!u) {
		if (vec_grow(&r->units, &r->cap_units, r->n_units + 1))
			return -ENOMEM;
		u = &r->units[r->n_units++];
		*u = (struct unit){ .id = id, .scale = 1 };
	}
	if (what == DATA_UPDATE_SCALE) {
		bits = cursor_u64(c);
		memcpy(&u->scale, &bits, sizeof(bits));
		return 0;
	}
	text = cursor_str(c, cursor_left(c));
	if (text && text_is_plain(text, strlen(text))) /* it is printed as it is */
		snprintf(u->name, sizeof(u->name), "%s", text);
	return 0;
}

static void set_unit(struct stat_reader *r, size_t i)
{
	const struct data_event *from = data_event(r->file, i);
	struct stat_event *e = stat_event(r->stat, i);

	for (size_t j = 0; j < r->n_units; j++)
		for (size_t k = 0; k < from->n_ids; k++)
			if (from->ids[k] == r->units[j].id) {
				e->unit = r->units[j].name;
				e->scale = r->units[j].scale;
				return;
			}
}

static int add_events(struct stat_reader *r)
{
	for (size_t i = 0; i < data_n_events(r->file); i++) {
		const struct data_event *from = data_event(r->file, i);
		struct event *ev = event_list_add(&r->stat->list, from->name);

		if (!ev)
			return -ENOMEM;
		ev->attr = *data_event_attr(r->file, i);
		ev->leader = from->leader;
		if (from->n_ids && from->ids[0] == stat_tool_id((uint32_t)i))
			ev->kind = EVENT_TOOL;
	}
	if (stat_prepare_events(r->stat))
		return -ENOMEM;
	for (size_t i = 0; i < data_n_events(r->file); i++)
		set_unit(r, i);
	return 0;
}

static int need_stat(struct stat_reader *r)
{
	const uint64_t n_modes = sizeof(stat_aggr_modes) / sizeof(*stat_aggr_modes);

	if (r->stat)
		return 0;
	r->stat = calloc(1, sizeof(*r->stat));
	if (!r->stat)
		return -ENOMEM;
	event_list_init(&r->stat->list);
	r->stat->places = &r->places;
	r->stat->opts.what = r->opts.what;
	r->stat->opts.no_scale = !r->scale;
	r->stat->opts.aggr = r->opts.aggr_given ? r->opts.aggr :
			     r->aggr < n_modes	? stat_aggr_modes[r->aggr] :
						  STAT_GLOBAL;
	return stat_places_read(&r->places, r->file) ? -ENOMEM : add_events(r);
}

/* ---- rounds ---- */

static void read_config(struct stat_reader *r, struct cursor *c)
{
	uint64_t n = cursor_u64(c);

	for (uint64_t i = 0; i < n && cursor_left(c) >= 16; i++) {
		uint64_t tag = cursor_u64(c), value = cursor_u64(c);

		if (tag == STAT_CONFIG_AGGR)
			r->aggr = value;
		else if (tag == STAT_CONFIG_INTERVAL)
			r->interval_ms = value;
		else if (tag == STAT_CONFIG_SCALE)
			r->scale = value;
	}
}

static struct reading *reading_of(struct stat_reader *r, uint32_t event, int cpu, uint32_t thread)
{
	struct reading *k;

	for (size_t i = 0; i < r->n_readings; i++) {
		k = &r->readings[i];
		if (k->event == event && k->cpu == cpu && k->thread == thread)
			return k;
	}
	if (vec_grow(&r->readings, &r->cap_readings, r->n_readings + 1))
		return NULL;
	k = &r->readings[r->n_readings++];
	*k = (struct reading){ .event = event, .thread = thread, .cpu = cpu };
	return k;
}

/* u64 id, u32 cpu, u32 thread, u64 value, u64 enabled, u64 running. */
static int read_stat(struct stat_reader *r, struct cursor *c)
{
	uint32_t event = data_event_of_id(r->file, cursor_u64(c));
	int cpu = (int)cursor_u32(c);
	uint32_t thread = cursor_u32(c);
	struct reading *k;
	int ret;

	if (event == PTUI_NONE || cursor_left(c) < 24)
		return 0;
	ret = need_stat(r);
	if (ret)
		return ret;
	/* the events of a pipe must be known before their counts */
	if (event >= stat_n_events(r->stat))
		return 0;
	k = reading_of(r, event, cpu, thread);
	if (!k)
		return -ENOMEM;
	k->now.value = cursor_u64(c);
	k->now.enabled_ns = cursor_u64(c);
	k->now.running_ns = cursor_u64(c);
	k->read = true;
	return 0;
}

static int sum_up(struct stat_reader *r)
{
	int ret = need_stat(r);

	if (ret)
		return ret;
	stat_begin_sums(r->stat);
	for (size_t i = 0; i < r->n_readings && !ret; i++) {
		struct reading *k = &r->readings[i];
		struct stat_value v = {
			.event = k->event, .cpu = k->cpu, .tid = -1, .now = &k->now
		};

		if (!k->read)
			continue;
		if (k->thread < r->places.n_threads)
			v.tid = r->places.threads[k->thread].tid;
		stat_event(r->stat, k->event)->supported = true;
		ret = stat_add_value(r->stat, &v, &k->before);
		if (r->interval_ms)
			k->before = k->now;
		k->read = false;
	}
	return ret ? ret : stat_end_sums(r->stat);
}

/* u64 type, u64 time. */
static int read_round(struct stat_reader *r, struct cursor *c, struct stat_round *round)
{
	round->final = cursor_u64(c) == STAT_ROUND_FINAL;
	round->interval = r->interval_ms != 0;
	round->time_ns = cursor_u64(c);
	round->passed_ns = round->time_ns - (r->interval_ms ? r->last_ns : 0);
	r->last_ns = round->time_ns;
	r->n_rounds++;
	return sum_up(r);
}

static int no_counts(const struct stat_reader *r, struct ptui_error *err)
{
	if (r->n_rounds)
		return 1;
	ptui_error_set(err, PTUI_ERROR_FORMAT, ENODATA, NULL,
		       _("the recording has no counts: 'ptui stat record' makes one that has"));
	return -ENODATA;
}

int stat_reader_next(struct stat_reader *r, struct stat **ret_stat, struct stat_round *ret_round,
		     struct ptui_error *err)
{
	struct data_record rec;
	int ret;

	while (!(ret = data_walk_next(r->walk, false, &rec, err))) {
		struct cursor c;

		cursor_init(&c, rec.body, rec.body_bytes, data_swapped(r->file));
		if (rec.type == PTUI_RECORD_EVENT_UPDATE)
			ret = read_update(r, &c);
		else if (rec.type == PTUI_RECORD_THREAD_MAP)
			ret = stat_places_add_threads(&r->places, &c);
		else if (rec.type == PTUI_RECORD_STAT_CONFIG)
			read_config(r, &c);
		else if (rec.type == PTUI_RECORD_STAT)
			ret = read_stat(r, &c);
		else if (rec.type == PTUI_RECORD_STAT_ROUND)
			ret = read_round(r, &c, ret_round);
		if (ret)
			return ptui_error_nomem(err);
		if (rec.type == PTUI_RECORD_STAT_ROUND) {
			*ret_stat = r->stat;
			return 0;
		}
	}
	return ret < 0 ? ret : no_counts(r, err);
}
