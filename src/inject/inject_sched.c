/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where tasks sleep, and for how long. sched_switch has the callchain of a task that goes to sleep,
 * sched_stat_* the time that it slept, when it is woken. As perf inject -s does, each sched_stat
 * sample is replaced by the last sched_switch sample of its task, with the period and the time of
 * the sched_stat sample:
 *
 *	sched_switch     tid 7  time 1          callchain ...  -+
 *	sched_stat_sleep pid=7  time 9  period 8               -+-> sched_switch tid 7 time 9
 *									 period 8 callchain ...
 *	sched_process_exit tid 7: forget it
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "base/hash.h"
#include "base/i18n.h"
#include "base/text.h"
#include "base/vec.h"
#include "event/trace_format.h"
#include "inject/private.h"

#define WORD_BYTES 8u
#define STAT	   "sched:sched_stat_"

enum role { ROLE_NONE, ROLE_SWITCH, ROLE_STAT, ROLE_EXIT };

/* The last switch of a task. */
struct task_switch {
	int32_t tid;
	uint32_t event;
	uint8_t *bytes; /* the sample; NULL: none */
	size_t n;
};

struct inject_sched {
	struct trace_formats *formats;
	uint8_t *roles; /* by event */
	struct task_switch *tasks;
	size_t n_tasks, cap_tasks;
	struct index_table index; /* by tid */
};

static enum role role_of(const char *name)
{
	if (!strcmp(name, "sched:sched_switch"))
		return ROLE_SWITCH;
	if (!strcmp(name, "sched:sched_process_exit"))
		return ROLE_EXIT;
	return text_starts_with(name, STAT) ? ROLE_STAT : ROLE_NONE;
}

static int check_fields(struct inject *j, const struct data_event *e)
{
	const uint64_t need = PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_PERIOD;

	if ((e->sample_type & need) == need)
		return 0;
	return ptui_error_set(j->err, PTUI_ERROR_INPUT, EINVAL, NULL,
			      _("-s: samples of %s lack the thread, the time or the period"),
			      e->name);
}

static int find_roles(struct inject *j, struct inject_sched *s)
{
	unsigned found = 0;

	for (size_t i = 0; i < data_n_events(j->file); i++) {
		const struct data_event *e = data_event(j->file, i);
		enum role role = role_of(e->name);

		if (role == ROLE_SWITCH && check_fields(j, e))
			return -EINVAL;
		s->roles[i] = (uint8_t)role;
		found |= 1u << role;
	}
	if (found & 1u << ROLE_SWITCH && found & 1u << ROLE_STAT)
		return 0;
	ptui_error_set(j->err, PTUI_ERROR_INPUT, ENOENT, NULL,
		       _("-s: the recording lacks %s: record with -g -e "
			 "'sched:sched_switch,sched:sched_process_exit,sched:sched_stat_*'"),
		       found & 1u << ROLE_SWITCH ? STAT "*" : "sched:sched_switch");
	return -ENOENT;
}

bool inject_sched_makes(const struct inject_sched *s, uint32_t event)
{
	return s->roles[event] == ROLE_SWITCH;
}

int inject_sched_open(struct inject *j)
{
	struct inject_sched *s = calloc(1, sizeof(*s));
	size_t n = 0;
	const void *formats = data_feature(j->file, PTUI_FEAT_TRACING_DATA, &n);

	j->sched = s;
	if (s) {
		index_table_init(&s->index);
		s->roles = calloc(data_n_events(j->file) + 1, 1);
	}
	if (!s || !s->roles)
		return ptui_error_nomem(j->err);
	s->formats = formats ? trace_formats_new(formats, n, NULL, NULL, j->err) : NULL;
	if (!s->formats && ptui_error_is_set(j->err))
		return -EIO;
	return find_roles(j, s);
}

void inject_sched_free(struct inject_sched *s)
{
	if (!s)
		return;
	for (size_t i = 0; i < s->n_tasks; i++)
		free(s->tasks[i].bytes);
	free(s->tasks);
	index_table_release(&s->index);
	trace_formats_free(s->formats);
	free(s->roles);
	free(s);
}

static bool same_task(const void *owner, uint32_t i, const void *key)
{
	return ((const struct inject_sched *)owner)->tasks[i].tid == *(const int32_t *)key;
}

static struct task_switch *find_task(struct inject_sched *s, int32_t tid)
{
	uint32_t i = index_table_find(&s->index, hash_u64((uint32_t)tid), same_task, s, &tid);

	return i == PTUI_NONE ? NULL : &s->tasks[i];
}

static struct task_switch *add_task(struct inject_sched *s, int32_t tid)
{
	struct task_switch *t = find_task(s, tid);

	if (t)
		return t;
	if (vec_grow(&s->tasks, &s->cap_tasks, s->n_tasks + 1) ||
	    index_table_add(&s->index, hash_u64((uint32_t)tid), (uint32_t)s->n_tasks))
		return NULL;
	t = &s->tasks[s->n_tasks++];
	*t = (struct task_switch){ .tid = tid };
	return t;
}

static int keep_switch(struct inject *j, const struct data_record *rec, const struct data_sample *s)
{
	struct task_switch *t = add_task(j->sched, s->tid);
	size_t n;
	const uint8_t *bytes = t ? inject_bytes(j, rec, &n) : NULL;
	uint8_t *copy = bytes ? malloc(n) : NULL;

	if (!copy)
		return ptui_error_nomem(j->err);
	memcpy(copy, bytes, n);
	free(t->bytes);
	t->bytes = copy;
	t->n = n;
	t->event = s->event;
	return 1;
}

/* The fields up to the period are a word each. */
static size_t field_off(uint64_t sample_type, uint64_t field)
{
	static const uint64_t order[] = { PERF_SAMPLE_IDENTIFIER, PERF_SAMPLE_IP,
					  PERF_SAMPLE_TID,	  PERF_SAMPLE_TIME,
					  PERF_SAMPLE_ADDR,	  PERF_SAMPLE_ID,
					  PERF_SAMPLE_STREAM_ID,  PERF_SAMPLE_CPU,
					  PERF_SAMPLE_PERIOD };
	size_t off = sizeof(struct perf_event_header);

	for (size_t i = 0; order[i] != field; i++)
		off += sample_type & order[i] ? WORD_BYTES : 0;
	return off;
}

static int put_merged(struct inject *j, const struct task_switch *t, const struct data_sample *stat)
{
	uint64_t type = data_event(j->file, t->event)->sample_type;

	/* a decoded sample has all of them */
	memcpy(t->bytes + field_off(type, PERF_SAMPLE_TIME), &stat->time_ns, WORD_BYTES);
	memcpy(t->bytes + field_off(type, PERF_SAMPLE_PERIOD), &stat->period, WORD_BYTES);
	j->result->merged++;
	return inject_put(j, t->bytes, t->n) ? -EIO : 1;
}

static int merge(struct inject *j, const struct data_record *rec, const struct data_sample *s)
{
	const struct data_event *e = data_event(j->file, s->event);
	const struct task_switch *t;
	uint64_t pid;

	j->result->bytes_in += sizeof(struct perf_event_header) + rec->body_bytes;
	t = trace_formats_number(j->sched->formats, e->config, "pid", s->raw, s->raw_bytes, &pid) ?
		    find_task(j->sched, (int32_t)pid) :
		    NULL;
	if (t && t->bytes)
		return put_merged(j, t, s);
	j->result->unmerged++;
	return 1; /* left out, as in perf */
}

int inject_sched_sample(struct inject *j, const struct data_record *rec,
			const struct data_sample *s)
{
	struct task_switch *t;

	switch ((enum role)j->sched->roles[s->event]) {
	case ROLE_SWITCH:
		j->result->bytes_in += sizeof(struct perf_event_header) + rec->body_bytes;
		return keep_switch(j, rec, s);
	case ROLE_STAT:
		return merge(j, rec, s);
	case ROLE_EXIT:
		j->result->bytes_in += sizeof(struct perf_event_header) + rec->body_bytes;
		t = find_task(j->sched, s->tid);
		if (t) {
			free(t->bytes);
			t->bytes = NULL;
		}
		return 1;
	case ROLE_NONE:
		break;
	}
	return 0;
}
