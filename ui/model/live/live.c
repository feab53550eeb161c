/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "model/live/live.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "model/live/live_derived.h"
#include "text/grouped.h"
#include "text/i18n.h"
#include "text/strings.h"

static void history_add(struct live_history *h, double value)
{
	h->values[h->next] = value;
	h->next = (h->next + 1) % LIVE_HISTORY;
	if (h->n < LIVE_HISTORY)
		h->n++;
}

double live_history_at(const struct live_history *h, size_t i)
{
	return h->values[(h->next + LIVE_HISTORY - h->n + i) % LIVE_HISTORY];
}

void live_model_init(struct live_model *m)
{
	memset(m, 0, sizeof(*m));
}

static void lines_free(struct live_line *lines, size_t n)
{
	for (size_t i = 0; lines && i < n; i++) {
		free(lines[i].name);
		free(lines[i].reason);
	}
	free(lines);
}

void live_model_release(struct live_model *m)
{
	lines_free(m->lines, m->n_lines);
	free(m->derived);
	live_model_init(m);
}

/* Creates the lines once: the events do not change while recording. */
static int lines_make(struct live_model *m, const struct ptui_live_event *events, size_t n)
{
	struct live_line *lines = calloc(n ? n : 1, sizeof(*lines));
	struct live_derived *derived = calloc(LIVE_DERIVED_MAX, sizeof(*derived));
	bool whole = lines && derived;

	for (size_t i = 0; whole && i < n; i++) {
		lines[i].name = strdup(events[i].name ? events[i].name : "");
		whole = lines[i].name;
		if (whole && events[i].reason) {
			lines[i].reason = strdup(events[i].reason);
			whole = lines[i].reason;
		}
		if (whole && live_is_clock(lines[i].name))
			lines[i].unit = LIVE_UNIT_NS;
	}
	if (!whole) {
		lines_free(lines, n);
		free(derived);
		return -ENOMEM;
	}
	m->lines = lines;
	m->n_lines = n;
	m->derived = derived;
	m->n_derived = live_derived_find(lines, n, m->whole_system, derived, LIVE_DERIVED_MAX);
	return 0;
}

static enum live_phase phase_of(const struct live_model *m, enum ptui_live_state state,
				bool target_gone)
{
	switch (state) {
	case PTUI_LIVE_ENDED:
		return LIVE_ENDED;
	case PTUI_LIVE_FAILED:
		return LIVE_FAILED;
	default:
		break;
	}
	if (m->stop_asked)
		return LIVE_STOPPING;
	if (target_gone)
		return LIVE_TARGET_GONE;
	return state == PTUI_LIVE_PAUSED ? LIVE_PAUSED : LIVE_RECORDING;
}

/* Pauses add no point: histories cover measured time only. */
static bool is_point(const struct live_model *m)
{
	return m->phase != LIVE_PAUSED && m->phase != LIVE_ENDED && m->phase != LIVE_FAILED &&
	       m->stats.elapsed_ns >= m->fed_ns + LIVE_POINT_NS;
}

int live_model_update(struct live_model *m, const struct ptui_live_event *events, size_t n,
		      const struct ptui_live_stats *stats, enum ptui_live_state state,
		      bool target_gone)
{
	bool point;

	if (!m->lines && lines_make(m, events, n))
		return -ENOMEM;
	m->stats = *stats;
	m->phase = phase_of(m, state, target_gone);
	point = is_point(m);
	for (size_t i = 0; i < n && i < m->n_lines; i++) {
		struct live_line *l = &m->lines[i];

		l->facts = events[i];
		if (l->facts.state == PTUI_LIVE_COUNTING && l->facts.running_share < 0.995)
			m->shares = true;
		if (point)
			history_add(&l->rates,
				    l->facts.state == PTUI_LIVE_COUNTING ? l->facts.rate : NAN);
	}
	for (size_t i = 0; i < m->n_derived; i++) {
		struct live_derived *d = &m->derived[i];

		d->value = live_derived_value(d, m->lines, stats, m->phase == LIVE_RECORDING);
		if (point)
			history_add(&d->values, d->value);
	}
	if (point)
		m->fed_ns = stats->elapsed_ns;
	return 0;
}

const char *live_phase_text(enum live_phase phase, bool has_file)
{
	static const char *const texts[] = {
		[LIVE_RECORDING] = N_("● REC"),	    [LIVE_PAUSED] = N_("⏸ paused"),
		[LIVE_STOPPING] = N_("● stopping"), [LIVE_TARGET_GONE] = N_("● target gone"),
		[LIVE_ENDED] = N_("✓ ended"),	    [LIVE_FAILED] = N_("✗ failed"),
	};

	return phase == LIVE_RECORDING && !has_file ? _("● LIVE") : _(texts[phase]);
}

char *live_child_text(int status, char *buf, size_t size)
{
	if (size)
		buf[0] = 0;
	if (status == -1)
		return buf;
	if (WIFSIGNALED(status))
		snprintf(buf, size, _("killed by signal %d (%s)"), WTERMSIG(status),
			 strsignal(WTERMSIG(status)));
	else
		snprintf(buf, size, _("exit %d"), WEXITSTATUS(status));
	return buf;
}

char *live_missing_text(uint64_t left, uint64_t dropped, char *buf, size_t size)
{
	if (size)
		buf[0] = 0;
	if (left && dropped)
		snprintf(
			buf, size,
			Q_("only in the file: the oldest %s sample, and %s that came too fast to be shown",
			   "only in the file: the oldest %s samples, and %s that came too fast to be shown",
			   left),
			grouped(left).text, grouped(dropped).text);
	else if (left)
		snprintf(buf, size,
			 Q_("only in the file: the oldest %s sample",
			    "only in the file: the oldest %s samples", left),
			 grouped(left).text);
	else if (dropped)
		snprintf(buf, size,
			 Q_("only in the file: %s sample that came too fast to be shown",
			    "only in the file: %s samples that came too fast to be shown", dropped),
			 grouped(dropped).text);
	return buf;
}

char *live_gone_text(uint64_t left, uint64_t dropped, char *buf, size_t size)
{
	if (size)
		buf[0] = 0;
	if (left && dropped)
		snprintf(
			buf, size,
			Q_("the oldest %s sample is no longer shown, and %s came too fast to be shown",
			   "the oldest %s samples are no longer shown, and %s came too fast to be shown",
			   left),
			grouped(left).text, grouped(dropped).text);
	else if (left)
		snprintf(buf, size,
			 Q_("the oldest %s sample is no longer shown",
			    "the oldest %s samples are no longer shown", left),
			 grouped(left).text);
	else if (dropped)
		snprintf(buf, size,
			 Q_("%s sample came too fast to be shown",
			    "%s samples came too fast to be shown", dropped),
			 grouped(dropped).text);
	return buf;
}

uint64_t live_lost(const struct ptui_live_stats *s)
{
	return (s->lost > s->lost_samples ? s->lost : s->lost_samples) - s->lost_sideband;
}

bool live_rings_are_full(const struct ptui_live_stats *s)
{
	return s->ring_fill_max > 0.8;
}

void live_trouble_text(const struct ptui_live_stats *s, char *buf, size_t size)
{
	if (s->lost_sideband)
		live_add_text(
			buf, size,
			_("sideband lost, names may be wrong: enlarge the ring buffers (-m)"));
	if (live_lost(s))
		live_add_text(
			buf, size,
			_("samples are lost: lower the frequency (-F) or enlarge the ring buffers "
			  "(-m)"));
	else if (!s->lost_sideband && live_rings_are_full(s))
		live_add_text(
			buf, size,
			_("the ring buffers are nearly full: lower the frequency (-F) or enlarge "
			  "them (-m)"));
	if (s->not_unwound)
		live_add_text(buf, size,
			      _("stacks are not unwound in time: lower the frequency (-F), or "
				"record frame pointers (-g)"));
	if (s->throttled)
		live_add_text(buf, size, _("the kernel throttles: lower the frequency (-F)"));
}
