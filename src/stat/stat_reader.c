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

#define COST_MIN ((uint64_t)4 << 20) /* lines that any recording may have */

/* What one counter has counted: since the start, and at the round before. */
struct reading {
	uint32_t event, thread;
	int cpu;
	struct counter_value now, before;
	bool read; /* in this round: see stat_reader.read */
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
	struct index_table units_index; /* by id */
	struct reading *readings;
	size_t n_readings, cap_readings;
	struct index_table index; /* of them */
	uint32_t *read;		  /* those of this round */
	size_t n_read, cap_read;
	uint64_t aggr, interval_ms, scale, last_ns, n_rounds;
	uint64_t bytes, cost; /* of the records so far; of all rounds, see check_cost() */
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
	index_table_release(&r->units_index);
	index_table_release(&r->index);
	free(r->units);
	free(r->readings);
	free(r->read);
	data_walk_free(r->walk);
	data_close(r->file);
	free(r);
}

const char *stat_reader_cmdline(struct stat_reader *r)
{
	return data_is_pipe(r->file) ? "pipe" : data_feature_text(r->file, PTUI_FEAT_CMDLINE);
}

void stat_reader_damage(const struct stat_reader *r, struct data_damage *ret)
{
	data_walk_damage(r->walk, ret);
}

/* ---- events ---- */

static bool unit_is_of(const void *owner, uint32_t index, const void *key)
{
	return ((const struct stat_reader *)owner)->units[index].id == *(const uint64_t *)key;
}

/*
 * Those that come after the first count are ignored, since events refer to the others by then. NULL: also
 * out of memory, with *ret set.
 */
static struct unit *unit_of(struct stat_reader *r, uint64_t id, int *ret)
{
	uint32_t i = index_table_find(&r->units_index, hash_u64(id), unit_is_of, r, &id);

	if (i != PTUI_NONE)
		return &r->units[i];
	if (r->stat)
		return NULL;
	if (vec_grow(&r->units, &r->cap_units, r->n_units + 1) ||
	    index_table_add(&r->units_index, hash_u64(id), (uint32_t)r->n_units)) {
		*ret = -ENOMEM;
		return NULL;
	}
	r->units[r->n_units] = (struct unit){ .id = id, .scale = 1 };
	return &r->units[r->n_units++];
}

/* u64 what, u64 id, then a text or a double. */
static int read_update(struct stat_reader *r, struct cursor *c)
{
	uint64_t what = cursor_u64(c), id = cursor_u64(c), bits;
	struct unit *u;
	const char *text;
	int ret = 0;

	if (what != DATA_UPDATE_UNIT && what != DATA_UPDATE_SCALE)
		return 0;
	u = unit_of(r, id, &ret);
	if (!u)
		return ret;
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

/* The first unit of an event. */
static void set_units(struct stat_reader *r)
{
	for (size_t i = r->n_units; i-- > 0;) {
		uint32_t event = data_event_of_id(r->file, r->units[i].id);

		if (event >= stat_n_events(r->stat))
			continue;
		stat_event(r->stat, event)->unit = r->units[i].name;
		stat_event(r->stat, event)->scale = r->units[i].scale;
	}
}

/* "cs [a/b]": see add_event() of stat_writer.c. 0 or -ENOMEM. */
static int split_cgroup(struct event *ev)
{
	char *at = strstr(ev->name, " [");
	size_t n = strlen(ev->name);

	if (!at || at == ev->name || ev->name[n - 1] != ']' || at + 2 == ev->name + n - 1)
		return 0;
	ev->name[n - 1] = *at = '\0';
	ev->cgroup = strdup(at + 2);
	return ev->cgroup ? 0 : -ENOMEM;
}

static int add_events(struct stat_reader *r)
{
	for (size_t i = 0; i < data_n_events(r->file); i++) {
		const struct data_event *from = data_event(r->file, i);
		struct event *ev = event_list_add(&r->stat->list, from->name);

		if (!ev || split_cgroup(ev))
			return -ENOMEM;
		ev->attr = *data_event_attr(r->file, i);
		ev->leader = from->leader;
		if (from->n_ids && from->ids[0] == stat_tool_id((uint32_t)i))
			ev->kind = EVENT_TOOL;
	}
	if (stat_prepare_events(r->stat))
		return -ENOMEM;
	set_units(r);
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

static uint64_t reading_hash(const struct reading *k)
{
	return hash_pair((uint64_t)k->event << 32 | (uint32_t)k->cpu, k->thread);
}

static bool reading_is(const void *owner, uint32_t index, const void *key)
{
	const struct reading *a = &((const struct stat_reader *)owner)->readings[index], *b = key;

	return a->event == b->event && a->cpu == b->cpu && a->thread == b->thread;
}

/* NULL: out of memory. */
static struct reading *reading_of(struct stat_reader *r, const struct reading *key)
{
	uint64_t hash = reading_hash(key);
	uint32_t i = index_table_find(&r->index, hash, reading_is, r, key);

	if (i == PTUI_NONE) {
		i = (uint32_t)r->n_readings;
		if (vec_grow(&r->readings, &r->cap_readings, r->n_readings + 1) ||
		    index_table_add(&r->index, hash, i))
			return NULL;
		r->readings[r->n_readings++] = *key;
	}
	if (!r->readings[i].read) {
		if (vec_grow(&r->read, &r->cap_read, r->n_read + 1))
			return NULL;
		r->read[r->n_read++] = i;
		r->readings[i].read = true;
	}
	return &r->readings[i];
}

/* u64 id, u32 cpu, u32 thread, u64 value, u64 enabled, u64 running. */
static int read_stat(struct stat_reader *r, struct cursor *c)
{
	uint32_t event = data_event_of_id(r->file, cursor_u64(c));
	struct reading key = { .event = event }, *k;
	int ret;

	key.cpu = (int)cursor_u32(c);
	key.thread = cursor_u32(c);
	if (event == PTUI_NONE || cursor_left(c) < 24)
		return 0;
	ret = need_stat(r);
	if (ret)
		return ret;
	/* the events of a pipe must be known before their counts */
	if (event >= stat_n_events(r->stat))
		return 0;
	k = reading_of(r, &key);
	if (!k)
		return -ENOMEM;
	k->now.value = cursor_u64(c);
	k->now.enabled_ns = cursor_u64(c);
	k->now.running_ns = cursor_u64(c);
	return 0;
}

/*
 * Each round has lines for all that was ever counted, but a damaged recording may have rounds without
 * counts, as many as it likes. What a round costs must be in proportion to the bytes.
 */
static int check_cost(struct stat_reader *r)
{
	const char *title = r->interval_ms ? NULL : stat_reader_cmdline(r);

	r->cost += stat_sums_cost(r->stat) + (title ? strlen(title) / 64 : 0);
	return r->cost > COST_MIN + r->bytes ? -EOVERFLOW : 0;
}

static int sum_up(struct stat_reader *r, uint64_t passed_ns)
{
	int ret = need_stat(r);

	if (ret)
		return ret;
	stat_begin_sums(r->stat, passed_ns);
	for (size_t i = 0; i < r->n_read && !ret; i++) {
		struct reading *k = &r->readings[r->read[i]];
		struct stat_value v = {
			.event = k->event, .cpu = k->cpu, .tid = -1, .now = &k->now
		};

		if (k->thread < r->places.n_threads)
			v.tid = r->places.threads[k->thread].tid;
		stat_event(r->stat, k->event)->supported = true;
		ret = stat_add_value(r->stat, &v, &k->before);
		if (r->interval_ms)
			k->before = k->now;
		k->read = false;
	}
	r->n_read = 0;
	if (!ret)
		ret = check_cost(r);
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
	return sum_up(r, round->passed_ns);
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
		r->bytes += rec.bytes;
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
		if (ret == -EOVERFLOW)
			return ptui_error_set(
				err, PTUI_ERROR_FORMAT, EOVERFLOW, NULL,
				_("the recording is damaged: too many rounds for its counts"));
		if (ret)
			return ptui_error_nomem(err);
		if (rec.type == PTUI_RECORD_STAT_ROUND) {
			*ret_stat = r->stat;
			return 0;
		}
	}
	return ret < 0 ? ret : no_counts(r, err);
}
