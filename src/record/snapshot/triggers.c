/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "record/snapshot/triggers.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "base/buf.h"
#include "base/i18n.h"
#include "base/wake.h"
#include "ptui/log.h"

#define EVALUATE_NS 100000000ULL  /* between two evaluations */
#define LEAST_NS    1000000000ULL /* between two snapshots by the condition */
/*
 * Reading a counter costs a system call, and may interrupt its CPU. With many counters evaluations
 * are less frequent, so that they take at most 1/EVALUATE_SHARE of the time.
 */
#define EVALUATE_SHARE 50

int triggers_init(struct triggers *t, struct ptui_error *err)
{
	memset(t, 0, sizeof(*t));
	trigger_event_init(&t->event);
	pthread_mutex_init(&t->lock, NULL);
	t->fd = wake_open(err);
	if (t->fd < 0)
		return t->fd;
	return 0;
}

void triggers_release(struct triggers *t)
{
	if (t->fd >= 0)
		close(t->fd);
	t->fd = -1;
	condition_release(&t->when.condition);
	trigger_event_release(&t->event);
	free(t->totals);
	t->totals = NULL;
	t->begun = false;
	pthread_mutex_destroy(&t->lock);
}

/* ---- arming ---- */

static bool is_armed(const struct triggers *t)
{
	return t->when.condition.text != NULL;
}

/* The next evaluation only starts an interval. */
static void triggers_replace(struct triggers *t, struct condition *with)
{
	struct condition old;

	pthread_mutex_lock(&t->lock);
	old = t->when.condition;
	t->when = (struct trigger_when){ .condition = *with };
	if (t->snapshots)
		t->snapshots->keep_when = with->keep;
	pthread_mutex_unlock(&t->lock);
	condition_release(&old);
	wake_set(t->fd);
}

int triggers_arm(struct triggers *t, const char *text, struct ptui_error *err)
{
	struct condition condition = { .text = NULL };
	int ret = text ? condition_parse(text, t->counters->events, &condition, err) : 0;

	if (!ret)
		triggers_replace(t, &condition);
	return ret;
}

void triggers_get_armed(struct triggers *t, struct ptui_armed *ret)
{
	const struct condition *c = &t->when.condition;

	memset(ret, 0, sizeof(*ret));
	pthread_mutex_lock(&t->lock);
	ret->condition = c->text;
	ret->holds = t->when.holds;
	ret->fired = t->when.fired;
	ret->over = t->when.over;
	for (size_t i = 0; i < c->n_parts && i < PTUI_ARMED_VALUES; i++) {
		ret->values[i].unit = c->parts[i].unit;
		ret->values[i].value = c->parts[i].now;
		ret->n_values++;
	}
	pthread_mutex_unlock(&t->lock);
}

/* Limits apply to all conditions: the lowest `once`, the highest `keep`. */
static void add_limits(struct buf *all, bool once, unsigned keep)
{
	if (once)
		buf_add_str(all, ", once");
	if (keep)
		buf_addf(all, ", keep %u", keep);
}

/* Parses each condition separately first, for its position in an error. */
static int arm_conditions(struct triggers *t, const char *const *when, size_t n,
			  struct ptui_error *err)
{
	struct condition alone;
	struct buf all = BUF_INIT;
	unsigned keep = 0;
	bool once = false;
	int ret = 0;

	for (size_t i = 0; i < n && !ret; i++) {
		ret = condition_parse(when[i], t->counters->events, &alone, err);
		if (ret) {
			ptui_error_prefix(err, "--snapshot-when");
			break;
		}
		buf_addf(&all, "%s%.*s", i ? " or " : "", (int)alone.expr_len, when[i]);
		once |= alone.once;
		keep = alone.keep > keep ? alone.keep : keep;
		condition_release(&alone);
	}
	add_limits(&all, once, keep);
	if (!ret && n)
		ret = all.err ? ptui_error_nomem(err) : triggers_arm(t, buf_str(&all), err);
	buf_release(&all);
	return ret;
}

int triggers_begin(struct triggers *t, struct counters *counters, struct snapshots *snapshots,
		   const char *const *when, size_t n_when, struct ptui_error *err)
{
	t->counters = counters;
	t->snapshots = snapshots;
	t->totals = calloc(counters->events->n + 1, sizeof(*t->totals));
	if (!t->totals)
		return ptui_error_nomem(err);
	t->begun = true;
	return arm_conditions(t, when, n_when, err);
}

/* ---- evaluation ---- */

static uint64_t now_ns(const struct triggers *t)
{
	const struct kernel_ops *ops = t->counters->ops;

	return ops->clock_ns(ops->ctx);
}

/* Events of the same name in different cgroups are counted separately. */
static bool is_same_in_other_cgroup(const struct event *ev, const struct event *other)
{
	return !other->sideband && !strcmp(ev->name, other->name) && ev->cgroup && other->cgroup &&
	       strcmp(ev->cgroup, other->cgroup) != 0;
}

/* NaN: never scheduled. */
static double total(const struct triggers *t, uint32_t event)
{
	const struct event *v = t->counters->events->v;
	struct counter_sum sum;
	double ret = NAN;

	for (uint32_t i = 0; i < t->counters->events->n; i++) {
		if (i != event && !is_same_in_other_cgroup(&v[event], &v[i]))
			continue;
		counters_sum(t->counters, i, &sum);
		if (sum.running_ns)
			ret = (isnan(ret) ? 0 : ret) + (double)sum.scaled;
	}
	return ret;
}

static void read_totals(struct triggers *t)
{
	for (uint32_t i = 0; i < t->counters->events->n; i++)
		t->totals[i] = condition_needs(&t->when.condition, i) ? total(t, i) : NAN;
}

static bool is_too_soon(const struct triggers *t, uint64_t at_ns)
{
	return t->fired_ns && at_ns - t->fired_ns < LEAST_NS;
}

/* True if most of a snapshot would already be in the last one. */
static bool is_too_old(const struct triggers *t)
{
	return t->pump && !pump_is_half_new(t->pump);
}

static void log_waiting(struct triggers *t, bool soon)
{
	bool *logged = soon ? &t->logged_often : &t->logged_old;

	if (*logged)
		return;
	*logged = true;
	if (soon)
		ptui_log(PTUI_LOG_WARN, "record",
			 _("'%s' became true again within a second: it takes at most one snapshot "
			   "per second"),
			 t->when.condition.text);
	else
		ptui_log(PTUI_LOG_WARN, "record",
			 _("'%s' became true again, but less than half of the kept samples are "
			   "new: the next snapshot waits for more"),
			 t->when.condition.text);
}

/* Limits the disk space of unattended snapshots. */
static bool is_full(struct triggers *t)
{
	if (!t->max_bytes || t->snapshots->when_bytes < t->max_bytes)
		return false;
	t->when.over = true;
	ptui_log(PTUI_LOG_WARN, "record",
		 _("the snapshots of '%s' have reached %llu MB: it takes no more "
		   "(--snapshot-max-size)"),
		 t->when.condition.text, (unsigned long long)t->snapshots->when_bytes >> 20);
	return true;
}

/*
 * Takes a snapshot when the condition becomes true; if that is too soon, as soon as possible while
 * it still holds.
 */
static void triggers_fire(struct triggers *t, bool holds, uint64_t at_ns)
{
	struct trigger_when *w = &t->when;
	bool came_true = holds && !w->holds, soon;

	w->holds = holds;
	if (!holds)
		w->waiting = false;
	if (!came_true && !w->waiting)
		return;
	soon = is_too_soon(t, at_ns);
	if (soon || is_too_old(t)) {
		log_waiting(t, soon);
		w->waiting = true;
		return;
	}
	w->waiting = false;
	if (is_full(t))
		return;
	w->fired++;
	w->over = w->condition.once;
	t->fired_ns = at_ns;
	snapshots_ask(t->snapshots, PTUI_SNAPSHOT_WHEN);
}

/*
 * The first evaluation only starts an interval. None takes place while the counters are disabled:
 * rates would be 0.
 */
static void triggers_evaluate(struct triggers *t, uint64_t at_ns)
{
	struct trigger_when *w = &t->when;
	uint64_t last_ns = w->evaluated_ns;
	bool holds;

	if (t->counters->off) {
		condition_reset(&w->condition);
		w->evaluated_ns = 0;
		return;
	}
	read_totals(t);
	holds = condition_evaluate(&w->condition, t->totals, last_ns ? at_ns - last_ns : 0);
	w->evaluated_ns = at_ns;
	if (last_ns)
		triggers_fire(t, holds, at_ns);
}

static void triggers_evaluate_due(struct triggers *t)
{
	uint64_t at_ns = now_ns(t), took_ns;

	pthread_mutex_lock(&t->lock);
	/* a condition armed since then has no interval yet */
	if (is_armed(t) && !t->when.over && (at_ns >= t->next_ns || !t->when.evaluated_ns)) {
		triggers_evaluate(t, at_ns);
		took_ns = now_ns(t) - at_ns;
		t->next_ns = at_ns + (took_ns * EVALUATE_SHARE > EVALUATE_NS ?
					      took_ns * EVALUATE_SHARE :
					      EVALUATE_NS);
	}
	pthread_mutex_unlock(&t->lock);
}

/* ---- in the recorder thread ---- */

size_t triggers_n_fds(const struct triggers *t)
{
	return 1 + trigger_event_n_fds(&t->event);
}

void triggers_fill_poll(const struct triggers *t, struct pollfd *fds)
{
	fds[0] = (struct pollfd){ .fd = t->fd, .events = POLLIN };
	trigger_event_fill_poll(&t->event, fds + 1);
}

int triggers_wait_ms(struct triggers *t, int ms)
{
	uint64_t at_ns = now_ns(t);
	bool armed;
	int until;

	pthread_mutex_lock(&t->lock);
	armed = is_armed(t) && !t->when.over;
	pthread_mutex_unlock(&t->lock);
	if (!armed)
		return ms;
	until = at_ns >= t->next_ns ? 0 : (int)((t->next_ns - at_ns) / 1000000) + 1;
	return until < ms ? until : ms;
}

void triggers_turn(struct triggers *t, const struct pollfd *fds)
{
	if (fds[0].revents)
		wake_clear(t->fd);
	if (trigger_event_hits(&t->event, fds + 1))
		snapshots_ask(t->snapshots, PTUI_SNAPSHOT_EVENT);
	triggers_evaluate_due(t);
}

void triggers_end(struct triggers *t)
{
	const struct condition *c = &t->when.condition;
	uint32_t event;

	pthread_mutex_lock(&t->lock);
	event = is_armed(t) ? condition_never_known(c) : PTUI_NONE;
	if (event != PTUI_NONE)
		ptui_log(PTUI_LOG_WARN, "record", _("'%s' was never evaluated: %s had no value"),
			 c->text, t->counters->events->v[event].name);
	pthread_mutex_unlock(&t->lock);
}
