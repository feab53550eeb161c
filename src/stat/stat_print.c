/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The lines of `ptui stat`: perf's columns, CSV fields and JSON keys, which are not translated. */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/text.h"
#include "stat/stat.h"

#define VALUE_WIDTH  18
#define NAME_WIDTH   32
#define REFUSED_NAME 25 /* perf's width of a name without a count */
#define METRIC_WIDTH 35
#define UNIT_WIDTH   4
#define COLUMN_WIDTH 20 /* of --metric-only */

struct line {
	struct stat *s;
	const struct stat_format *f;
	const struct stat_event *e;
	const struct stat_cell *c;
	struct buf *out;
};

/* How places are printed. */
static const struct place_kind {
	const char *key;    /* of JSON and in the heading of CSV; NULL: no place */
	const char *prefix; /* of the number */
	int width;	    /* of the number */
	bool counted;	    /* followed by the number of CPUs */
	const char *heading;
} place_kinds[] = {
	[STAT_GLOBAL] = { NULL, "", 0, false, "" },
	[STAT_CPU] = { "cpu", "CPU", 7, false, " CPU       " },
	[STAT_THREAD] = { "thread", "", 8, false, "             comm-pid     " },
	[STAT_CORE] = { "core", "", 8, true, " core            cpus" },
	[STAT_DIE] = { "die", "", 8, true, " die          cpus" },
	[STAT_CLUSTER] = { "cluster", "", 8, true, " cluster           cpus" },
	[STAT_CACHE] = { "cache", "", 8, true, " cache               cpus" },
	[STAT_SOCKET] = { "socket", "S", 5, true, " socket cpus" },
	[STAT_NODE] = { "node", "N", 5, true, " node   cpus" },
};

static const char *separator(const struct stat_format *f)
{
	return f->separator ? f->separator : " ";
}

static int unit_width(struct stat *s)
{
	size_t w = UNIT_WIDTH;

	for (size_t i = 0; i < stat_n_events(s); i++)
		if (strlen(stat_event(s, i)->unit) > w)
			w = strlen(stat_event(s, i)->unit);
	return (int)w;
}

static void add_time(const struct line *l)
{
	const struct stat_format *f = l->f;
	unsigned long long s = f->time_ns / 1000000000, ns = f->time_ns % 1000000000;

	if (f->summary && f->separator)
		buf_addf(l->out, "%16s%s", "summary", f->separator);
	if (!f->interval)
		return;
	if (f->json)
		buf_addf(l->out, "\"interval\" : %llu.%09llu, ", s, ns);
	else
		buf_addf(l->out, "%6llu.%09llu%s", s, ns, separator(f));
}

/* What precedes the number of a place: "S0-D0-C". A thread may call itself anything. */
static void place_prefix(const struct line *l, struct buf *ret)
{
	const struct stat_id *id = &l->c->id;
	bool text = !l->f->separator && !l->f->json;

	switch (stat_aggr(l->s)) {
	case STAT_CORE:
		buf_addf(ret, "S%d-D%d-C", id->socket, id->die);
		break;
	case STAT_CLUSTER:
		buf_addf(ret, "S%d-D%d-CLS", id->socket, id->die);
		break;
	case STAT_CACHE:
		buf_addf(ret, "S%d-D%d-L%d-ID", id->socket, id->die, id->level);
		break;
	case STAT_DIE:
		buf_addf(ret, "S%d-D", id->socket);
		break;
	case STAT_THREAD: {
		struct buf name = BUF_INIT;

		if (l->f->json)
			buf_add_str(&name, l->c->comm);
		else
			text_escape(&name, l->c->comm);
		buf_addf(ret, "%*s-", text ? 16 : 0, buf_str(&name));
		buf_release(&name);
		break;
	}
	default:
		buf_add_str(ret, place_kinds[stat_aggr(l->s)].prefix);
	}
}

static int place_number(const struct line *l)
{
	const struct stat_id *id = &l->c->id;
	const int numbers[] = {
		[STAT_GLOBAL] = -1,	[STAT_CPU] = id->cpu,	   [STAT_THREAD] = (int)id->tid,
		[STAT_CORE] = id->core, [STAT_DIE] = id->die,	   [STAT_SOCKET] = id->socket,
		[STAT_NODE] = id->node, [STAT_CLUSTER] = id->core, [STAT_CACHE] = id->core,
	};

	return numbers[stat_aggr(l->s)];
}

/* Where it was counted, with the number of CPUs. */
static void add_place(const struct line *l)
{
	const struct place_kind *k = &place_kinds[stat_aggr(l->s)];
	unsigned n = l->c->n_counters;
	bool text = !l->f->separator;
	struct buf prefix = BUF_INIT;

	if (!k->key)
		return;
	place_prefix(l, &prefix);
	if (l->f->json) {
		struct buf name = BUF_INIT;

		/* perf has the CPU as a number in a string */
		buf_addf(&name, "%s%d", stat_aggr(l->s) == STAT_CPU ? "" : buf_str(&prefix),
			 place_number(l));
		buf_addf(l->out, "\"%s\" : ", k->key);
		text_json(l->out, buf_str(&name));
		buf_add_str(l->out, ", ");
		buf_release(&name);
		if (k->counted)
			buf_addf(l->out, "\"aggregate-number\" : %u, ", n);
	} else {
		buf_addf(l->out, "%s%*d%s", buf_str(&prefix), text ? -k->width : 0, place_number(l),
			 separator(l->f));
		if (k->counted)
			buf_addf(l->out, "%*u%s", text ? 4 : 0, n, separator(l->f));
	}
	buf_release(&prefix);
}

static double value_of(const struct line *l)
{
	return l->f->n_runs > 1 ? l->c->values.mean : l->c->value;
}

static double running_of(const struct line *l)
{
	return l->f->n_runs > 1 ? l->c->running.mean : (double)l->c->running_ns;
}

static double enabled_of(const struct line *l)
{
	return l->f->n_runs > 1 ? l->c->enabled.mean : (double)l->c->enabled_ns;
}

static void add_value(const struct line *l)
{
	bool decimals = floor(l->e->scale) != l->e->scale;
	double value = value_of(l);
	char number[64], digits[64];

	if (l->f->json) {
		buf_addf(l->out, "\"counter-value\" : \"%f\", ", value);
		return;
	}
	snprintf(number, sizeof(number), decimals ? "%.2f" : "%.0f", value);
	if (l->f->separator) {
		buf_addf(l->out, "%s%s", number, l->f->separator);
		return;
	}
	if (l->f->group_digits && value >= 0 && value < 1e18) {
		const char *point = strchr(number, '.');

		text_grouped_from(4, digits, sizeof(digits), strtoull(number, NULL, 10));
		buf_addf(l->out, "%*s%s ", VALUE_WIDTH - (int)(point ? strlen(point) : 0), digits,
			 point ? point : "");
		return;
	}
	buf_addf(l->out, "%*s ", VALUE_WIDTH, number);
}

static void add_name(const struct line *l, int width)
{
	struct buf name = BUF_INIT;

	if (l->f->json) {
		buf_add_str(l->out, "\"unit\" : ");
		text_json(l->out, l->e->unit);
		buf_add_str(l->out, ", ");
		if (l->e->event->cgroup) {
			buf_add_str(l->out, "\"cgroup\" : ");
			text_json(l->out, l->e->event->cgroup);
			buf_add_str(l->out, ", ");
		}
		buf_add_str(l->out, "\"event\" : ");
		text_json(l->out, l->e->event->name);
		buf_add_str(l->out, ", ");
		return;
	}
	text_escape(&name, l->e->event->name);
	if (l->f->separator)
		buf_addf(l->out, "%s%s%s", l->e->unit, l->f->separator, buf_str(&name));
	else
		buf_addf(l->out, "%-*s %-*s", unit_width(l->s), l->e->unit, width, buf_str(&name));
	if (l->e->event->cgroup) {
		buf_clear(&name);
		text_escape(&name, l->e->event->cgroup);
		buf_addf(l->out, "%s%s", separator(l->f), buf_str(&name));
	}
	buf_release(&name);
}

static void add_noise(const struct line *l)
{
	double percent;

	if (l->f->n_runs < 2)
		return;
	percent = l->c->values.mean != 0 ?
			  100 * stat_mean_error(&l->c->values) / l->c->values.mean :
			  0;
	if (l->f->json)
		buf_addf(l->out, "\"variance\" : %.2f, ", percent);
	else if (l->f->separator)
		buf_addf(l->out, "%s%.2f%%", l->f->separator, percent);
	else if (percent != 0)
		buf_addf(l->out, "  ( +-%6.2f%% )", percent);
}

static void add_running(const struct line *l)
{
	double running = running_of(l), enabled = enabled_of(l);
	double percent = enabled > 0 && running != enabled ? 100 * running / enabled : 100;

	if (l->f->json)
		buf_addf(l->out, "\"event-runtime\" : %.0f, \"pcnt-running\" : %.2f, ", running,
			 percent);
	else if (l->f->separator)
		buf_addf(l->out, "%s%.0f%s%.2f", l->f->separator, running, l->f->separator,
			 percent);
	else if (running != enabled && enabled > 0)
		buf_addf(l->out, "  (%.2f%%)", percent);
}

static void add_metric(const struct line *l, const struct stat_metric *m)
{
	char number[64] = "";
	const char *digits = number;

	if (m)
		snprintf(number, sizeof(number), "%*.*f%s", m->width, m->decimals, m->value,
			 m->percent);
	if (l->f->json) {
		buf_addf(l->out, "\"metric-value\" : %f, \"metric-unit\" : \"%s\"",
			 m ? m->value : 0, m ? m->unit : "");
		return;
	}
	if (l->f->separator) {
		size_t len;

		while (*digits == ' ')
			digits++;
		len = strcspn(digits, " %");
		buf_addf(l->out, "%s%.*s%s%s", l->f->separator, (int)len, digits, l->f->separator,
			 m ? m->unit : "");
		return;
	}
	if (m)
		buf_addf(l->out, " # %s %-*s", number, METRIC_WIDTH - 1 - 3 - (int)strlen(number),
			 m->unit);
	else
		buf_addf(l->out, "%*s", METRIC_WIDTH, "");
}

/* A further ratio has a line of its own, with empty fields before it. */
static void add_further(const struct line *l, const struct stat_metric *m)
{
	int n_fields = 4 + (l->e->event->cgroup != NULL) + (l->f->n_runs > 1);

	buf_add_str(l->out, l->f->json ? "}\n{" : "\n");
	add_time(l);
	if (l->f->separator || l->f->json || stat_aggr(l->s) != STAT_GLOBAL)
		add_place(l);
	for (int i = 0; l->f->separator && i < n_fields; i++)
		buf_add_str(l->out, l->f->separator);
	if (!l->f->separator && !l->f->json)
		buf_addf(l->out, "%*s", VALUE_WIDTH + 1 + unit_width(l->s) + 1 + NAME_WIDTH, "");
	add_metric(l, m);
}

static void add_line(const struct line *l)
{
	struct stat_metric metrics[STAT_METRICS_MAX];
	size_t n = 0;

	if (l->f->json)
		buf_add_char(l->out, '{');
	add_time(l);
	add_place(l);
	if (enabled_of(l) <= 0 || running_of(l) <= 0) {
		const char *what = l->e->supported ? "<not counted>" : "<not supported>";

		if (l->f->json)
			buf_addf(l->out, "\"counter-value\" : \"%s\", ", what);
		else if (l->f->separator)
			buf_addf(l->out, "%s%s", what, l->f->separator);
		else
			buf_addf(l->out, "%*s ", VALUE_WIDTH, what);
		add_name(l, REFUSED_NAME);
		if (l->f->json || l->f->separator) {
			add_noise(l);
			add_running(l);
		}
		add_metric(l, NULL);
	} else {
		add_value(l);
		add_name(l, NAME_WIDTH);
		n = stat_metrics(l->s, l->e, l->c, l->f->passed_ns, metrics);
		if (l->f->json || l->f->separator) {
			add_noise(l);
			add_running(l);
			add_metric(l, n ? &metrics[0] : NULL);
		} else {
			add_metric(l, n ? &metrics[0] : NULL);
			add_noise(l);
			add_running(l);
		}
		for (size_t i = 1; i < n; i++)
			add_further(l, &metrics[i]);
	}
	buf_add_str(l->out, l->f->json ? "}\n" : "\n");
}

/* ---- order ---- */

static int compared(int a, int b)
{
	return (a > b) - (a < b);
}

static int by_place(const void *a, const void *b)
{
	const struct stat_id *x = &((const struct stat_cell *)a)->id,
			     *y = &((const struct stat_cell *)b)->id;

	/* numbers of a recording may be any */
	return x->node != y->node     ? compared(x->node, y->node) :
	       x->socket != y->socket ? compared(x->socket, y->socket) :
	       x->die != y->die	      ? compared(x->die, y->die) :
	       x->core != y->core     ? compared(x->core, y->core) :
	       x->cpu != y->cpu	      ? compared(x->cpu, y->cpu) :
					compared(x->tid, y->tid);
}

/* The busiest thread first. */
static int by_value(const void *a, const void *b)
{
	double x = ((const struct stat_cell *)a)->value, y = ((const struct stat_cell *)b)->value;

	return x != y ? (x < y) - (x > y) : by_place(a, b);
}

/* ---- --metric-only ---- */

static void add_column(const struct line *l, const struct stat_metric *m, bool *first)
{
	char number[64] = "";
	const char *digits = number;
	int width = (int)strlen(m->unit);

	if (m->known)
		snprintf(number, sizeof(number), "%*.*f%s", m->width, m->decimals, m->value,
			 m->percent);
	digits += strspn(number, " ");
	if (l->f->json) {
		buf_add_str(l->out, *first ? "" : ", ");
		text_json(l->out, m->unit);
		buf_addf(l->out, " : \"%.*s\"", (int)strcspn(digits, " %"), digits);
	} else if (l->f->separator) {
		buf_addf(l->out, "%.*s%s", (int)strcspn(digits, " %"), digits, l->f->separator);
	} else {
		buf_addf(l->out, "%*s ", width > COLUMN_WIDTH ? width : COLUMN_WIDTH, number);
	}
	*first = false;
}

static void add_columns(struct line *l, size_t place)
{
	struct stat_metric m[STAT_METRICS_MAX];
	bool first = true;

	for (size_t i = 0; i < stat_n_events(l->s); i++) {
		struct stat_event *e = stat_event(l->s, i);
		const struct stat_cell *c = place < e->n_cells ? &e->cells[place] : NULL;
		size_t n = stat_metric_columns(l->s, e, c, l->f->passed_ns, m);

		for (size_t j = 0; j < n; j++)
			add_column(l, &m[j], &first);
	}
}

static void print_columns(struct line *l, size_t n_places)
{
	size_t like = 0;

	while (like < stat_n_events(l->s) && stat_event(l->s, like)->n_cells < n_places)
		like++;
	for (size_t i = 0; i < n_places; i++) {
		l->e = stat_event(l->s, like);
		l->c = &l->e->cells[i];
		if (l->f->json)
			buf_add_char(l->out, '{');
		add_time(l);
		add_place(l);
		add_columns(l, i);
		buf_add_str(l->out, l->f->json ? "}\n" : "\n");
	}
}

/* ---- all lines ---- */

/* Sorted by place; the number of places. */
static size_t sort_places(struct stat *s, struct buf *out)
{
	size_t n_cells = 0;

	for (size_t i = 0; i < stat_n_events(s); i++) {
		struct stat_event *e = stat_event(s, i);

		qsort(e->cells, e->n_cells, sizeof(*e->cells),
		      stat_aggr(s) == STAT_THREAD ? by_value : by_place);
		if (stat_index_cells(e))
			out->err = -ENOMEM;
		if (e->n_cells > n_cells)
			n_cells = e->n_cells;
	}
	return n_cells;
}

void stat_print(struct stat *s, const struct stat_format *f, struct buf *out)
{
	enum stat_aggr aggr = stat_aggr(s);
	bool by_event = aggr == STAT_GLOBAL || aggr == STAT_CPU || aggr == STAT_THREAD;
	struct line l = { .s = s, .f = f, .out = out };
	size_t n_cells = sort_places(s, out);

	if (f->metric_only) {
		print_columns(&l, n_cells);
		return;
	}
	for (size_t i = 0; by_event && i < stat_n_events(s); i++) {
		l.e = stat_event(s, i);
		for (size_t j = 0; j < l.e->n_cells; j++) {
			l.c = &l.e->cells[j];
			/* of all threads only those that did something */
			if (!stat_is_of_all_threads(s) || value_of(&l) > 0)
				add_line(&l);
		}
	}
	/* a core after the other, with all events */
	for (size_t j = 0; !by_event && j < n_cells; j++) {
		for (size_t i = 0; i < stat_n_events(s); i++) {
			l.e = stat_event(s, i);
			if (j >= l.e->n_cells)
				continue;
			l.c = &l.e->cells[j];
			add_line(&l);
		}
	}
}

/* JSON has the titles in each line. */
static void add_titles(struct stat *s, const struct stat_format *f, struct buf *out)
{
	const struct place_kind *k = &place_kinds[stat_aggr(s)];
	struct stat_metric m[STAT_METRICS_MAX];

	if (f->separator && f->interval)
		buf_addf(out, "time%s", f->separator);
	if (f->separator && k->key)
		buf_addf(out, "%s%s%s%s", k->key, f->separator, k->counted ? "cpus" : "",
			 k->counted ? f->separator : "");
	if (!f->separator && f->interval)
		buf_addf(out, "#           time%s ", k->heading);
	else if (!f->separator)
		buf_addf(out, "%*s", (int)strlen(k->heading), "");
	for (size_t i = 0; i < stat_n_events(s); i++) {
		size_t n = stat_metric_columns(s, stat_event(s, i), NULL, 0, m);

		for (size_t j = 0; j < n && f->separator; j++)
			buf_addf(out, "%s%s", m[j].unit, f->separator);
		for (size_t j = 0; j < n && !f->separator; j++)
			buf_addf(out, "%*s ", COLUMN_WIDTH, m[j].unit);
	}
	buf_add_char(out, '\n');
}

void stat_print_heading(struct stat *s, const struct stat_format *f, struct buf *out)
{
	if (f->json)
		return;
	if (f->metric_only)
		add_titles(s, f, out);
	else if (f->interval && !f->separator)
		buf_addf(out, "#           time%s             counts unit events\n",
			 place_kinds[stat_aggr(s)].heading);
}
