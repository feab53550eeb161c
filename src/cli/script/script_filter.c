/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which samples `ptui script` prints. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "base/cursor.h"
#include "base/i18n.h"
#include "base/perf_abi.h"
#include "base/vec.h"
#include "cli/script/script.h"

struct time_range {
	uint64_t start_ns, end_ns; /* both included */
};

struct script_filter {
	const char *comms, *symbols, *dsos, *pids, *tids; /* lists as given; NULL: all */
	uint8_t *cpus;		   /* by number, UINT16_MAX + 1 of them; NULL: all */
	struct time_range *ranges; /* none: all */
	size_t n_ranges, cap_ranges;
	uint64_t addr_range;
	uint32_t on, off; /* events that switch; PTUI_NONE: none */
	bool off_now,
		show_switch; /* samples are dropped until `on`; the switching ones are shown */
};

/* ---- lists ---- */

bool script_list_has(const char *list, const char *word)
{
	size_t n = strlen(word);

	while (list && *list) {
		size_t len = strcspn(list, ",");

		if (len == n && !memcmp(list, word, n))
			return true;
		list += len + (list[len] == ',');
	}
	return false;
}

static bool list_has_number(const char *list, int32_t number)
{
	while (list && *list) {
		size_t len = strcspn(list, ",");

		if (len && strtol(list, NULL, 10) == number)
			return true;
		list += len + (list[len] == ',');
	}
	return false;
}

static int check_numbers(const char *list, const char *option, struct ptui_error *err)
{
	if (!list || (*list && !list[strspn(list, "0123456789,")]))
		return 0;
	return ptui_error_set(err, PTUI_ERROR_INPUT, EINVAL, option,
			      _("%s expects a list of numbers, not '%s'"), option, list);
}

/* "0-3,7" */
static int parse_cpus(struct script_filter *f, const char *list, struct ptui_error *err)
{
	const char *at = list;

	while (*at) {
		char *end;
		unsigned long first = strtoul(at, &end, 10), last = first;

		if (end == at || first > UINT16_MAX)
			break;
		if (*end == '-') {
			at = end + 1;
			last = strtoul(at, &end, 10);
			if (end == at || last < first || last > UINT16_MAX)
				break;
		}
		if (!f->cpus)
			f->cpus = calloc(1, UINT16_MAX + 1);
		if (!f->cpus)
			return ptui_error_nomem(err);
		memset(f->cpus + first, 1, last - first + 1);
		at = end + (*end == ',');
		if (*end && *end != ',')
			break;
		if (!*end)
			return 0;
	}
	return ptui_error_set(err, PTUI_ERROR_INPUT, EINVAL, "--cpu",
			      _("--cpu expects CPUs like 0-3,7, not '%s'"), list);
}

/* ---- times ---- */

/* "12.345678" to ns. */
static bool parse_time(const char *text, size_t n, uint64_t *ret)
{
	uint64_t sec = 0, ns = 0, unit = 100000000;
	size_t i = 0;

	for (; i < n && text[i] >= '0' && text[i] <= '9'; i++)
		sec = sec * 10 + (uint64_t)(text[i] - '0');
	if (i < n && text[i] == '.')
		for (i++; i < n && text[i] >= '0' && text[i] <= '9'; i++, unit /= 10)
			ns += (uint64_t)(text[i] - '0') * unit;
	*ret = sec * 1000000000 + ns;
	return n && i == n;
}

/* First and last time of the recording's samples. */
static int sample_times(struct data_file *file, struct time_range *ret, struct ptui_error *err)
{
	struct cursor c;
	size_t n = 0;
	const void *bytes = data_feature(file, PTUI_FEAT_SAMPLE_TIME, &n);

	cursor_init(&c, bytes, n, data_swapped(file));
	ret->start_ns = cursor_u64(&c);
	ret->end_ns = cursor_u64(&c);
	if (!c.bad && ret->start_ns < ret->end_ns)
		return 0;
	return ptui_error_set(err, PTUI_ERROR_INPUT, EINVAL, "--time",
			      _("--time with percentages: the recording does not say when it began "
				"and ended"));
}

static int bad_time(const char *text, struct ptui_error *err)
{
	return ptui_error_set(err, PTUI_ERROR_INPUT, EINVAL, "--time",
			      _("--time expects START,STOP in seconds, or percentages such as "
				"10%%-20%% or 30%%/2, not '%s'"),
			      text);
}

/* "10%-20%" or "30%/2", the second 30 percent. */
static int parse_percent(const char *text, size_t n, const struct time_range *all,
			 struct time_range *ret)
{
	double length = (double)(all->end_ns - all->start_ns);
	char *end;
	double first = strtod(text, &end), last;

	if (end == text || *end != '%' || first < 0 || first > 100)
		return -EINVAL;
	if (end[1] == '/') {
		unsigned long nth = strtoul(end + 2, &end, 10);

		if (!nth || first * (double)nth > 100)
			return -EINVAL;
		last = first * (double)nth;
		first = last - first;
	} else if (end[1] == '-') {
		char *from = end + 2;

		last = strtod(from, &end);
		if (end == from || *end++ != '%' || last <= first || last > 100)
			return -EINVAL;
	} else {
		last = first;
		first = 0;
		end++;
	}
	if ((size_t)(end - text) != n)
		return -EINVAL;
	ret->start_ns = all->start_ns + (uint64_t)(first / 100 * length);
	ret->end_ns = all->start_ns + (uint64_t)(last / 100 * length);
	/* the last slice takes the end, the others stop before the next one */
	if (last < 100)
		ret->end_ns--;
	else
		ret->end_ns = all->end_ns;
	return 0;
}

static int parse_range(const char *text, size_t n, struct time_range *ret)
{
	size_t comma = strcspn(text, ",");

	*ret = (struct time_range){ 0, UINT64_MAX };
	if (comma >= n)
		return parse_time(text, n, &ret->start_ns) ? 0 : -EINVAL;
	if (comma && !parse_time(text, comma, &ret->start_ns))
		return -EINVAL;
	if (comma + 1 < n && !parse_time(text + comma + 1, n - comma - 1, &ret->end_ns))
		return -EINVAL;
	return ret->end_ns < ret->start_ns ? -EINVAL : 0;
}

static int parse_times(struct script_filter *f, const char *text, struct data_file *file,
		       struct ptui_error *err)
{
	bool percent = strchr(text, '%');
	const char *between = percent ? ", " : " ", *at = text + strspn(text, between);
	struct time_range all = { 0, 0 }, one;

	if (percent && sample_times(file, &all, err))
		return -EINVAL;
	while (*at) {
		size_t n = strcspn(at, between);

		if (percent ? parse_percent(at, n, &all, &one) : parse_range(at, n, &one))
			return bad_time(text, err);
		if (vec_grow(&f->ranges, &f->cap_ranges, f->n_ranges + 1))
			return ptui_error_nomem(err);
		f->ranges[f->n_ranges++] = one;
		at += n;
		at += strspn(at, between);
	}
	return f->n_ranges ? 0 : bad_time(text, err);
}

/* ---- events that switch ---- */

static int find_event(struct data_file *file, const char *name, const char *option, uint32_t *ret,
		      struct ptui_error *err)
{
	*ret = PTUI_NONE;
	if (!name)
		return 0;
	for (size_t i = 0; i < data_n_events(file); i++) {
		if (!strcmp(data_event(file, i)->name, name)) {
			*ret = (uint32_t)i;
			return 0;
		}
	}
	ptui_error_set(err, PTUI_ERROR_INPUT, EINVAL, option,
		       _("%s: the recording has no event '%s'"), option, name);
	ptui_error_hint(err, _("'ptui evlist' lists its events"));
	return -EINVAL;
}

bool script_filter_event(struct script_filter *f, uint32_t event)
{
	if (!f)
		return true;
	if (f->off_now && event == f->on) {
		f->off_now = false;
		return f->show_switch;
	}
	if (f->off_now)
		return false;
	if (event != f->off)
		return true;
	f->off_now = true;
	return f->show_switch;
}

/* ---- the filter ---- */

int script_filter_new(const struct script_opts *o, struct data_file *file,
		      struct script_filter **ret, struct ptui_error *err)
{
	struct script_filter *f;
	int failed;

	*ret = NULL;
	if (!o->comms && !o->symbols && !o->dsos && !o->cpus && !o->pids && !o->tids && !o->times &&
	    !o->switch_on && !o->switch_off)
		return 0;
	f = calloc(1, sizeof(*f));
	if (!f)
		return ptui_error_nomem(err);
	*f = (struct script_filter){ .comms = o->comms,
				     .symbols = o->symbols,
				     .dsos = o->dsos,
				     .pids = o->pids,
				     .tids = o->tids,
				     .addr_range = o->addr_range,
				     .off_now = o->switch_on,
				     .show_switch = o->show_switch };
	failed = check_numbers(o->pids, "--pid", err);
	if (!failed)
		failed = check_numbers(o->tids, "--tid", err);
	if (!failed && o->cpus)
		failed = parse_cpus(f, o->cpus, err);
	if (!failed && o->times)
		failed = parse_times(f, o->times, file, err);
	if (!failed)
		failed = find_event(file, o->switch_on, "--switch-on", &f->on, err);
	if (!failed)
		failed = find_event(file, o->switch_off, "--switch-off", &f->off, err);
	if (failed)
		script_filter_free(f);
	else
		*ret = f;
	return failed;
}

void script_filter_free(struct script_filter *f)
{
	if (!f)
		return;
	free(f->cpus);
	free(f->ranges);
	free(f);
}

static bool in_ranges(const struct script_filter *f, uint64_t time_ns)
{
	for (size_t i = 0; i < f->n_ranges; i++)
		if (time_ns >= f->ranges[i].start_ns && time_ns <= f->ranges[i].end_ns)
			return true;
	return !f->n_ranges;
}

bool script_filter_cpu(const struct script_filter *f, bool known, uint32_t cpu)
{
	return !f || !f->cpus || !known || (cpu <= UINT16_MAX && f->cpus[cpu]);
}

bool script_filter_sample(const struct script_filter *f, const struct data_sample *s)
{
	if (!f)
		return true;
	return in_ranges(f, s->time_ns) && script_filter_cpu(f, s->has & DATA_HAS_CPU, s->cpu) &&
	       (!f->pids || list_has_number(f->pids, s->pid)) &&
	       (!f->tids || list_has_number(f->tids, s->tid));
}

/* Addresses among the symbols, with those that follow them. */
static bool list_has_address(const struct script_filter *f, uint64_t addr)
{
	const char *list = f->symbols;

	while (*list) {
		size_t len = strcspn(list, ",");
		char *end;
		uint64_t v = strtoull(list, &end, 16);

		if (len && end == list + len && (addr == v || addr - v < f->addr_range))
			return true;
		list += len + (list[len] == ',');
	}
	return false;
}

static bool has_place(const struct script_filter *f, struct stream *stream,
		      const struct frame *frame, uint64_t ip)
{
	const struct resolver *r = stream_resolver(stream);
	const struct dso_info *dso = frame->dso == PTUI_NONE ? NULL : resolver_dso(r, frame->dso);
	const struct symbol *sym = frame->sym == PTUI_NONE ? NULL : resolver_symbol(r, frame->sym);

	if (f->dsos && !(dso && (script_list_has(f->dsos, stream_name(stream, dso->short_name)) ||
				 script_list_has(f->dsos, stream_name(stream, dso->name)))))
		return false;
	if (!f->symbols || (sym && script_list_has(f->symbols, stream_name(stream, sym->name))))
		return true;
	return dso && list_has_address(f, ip);
}

bool script_filter_place(const struct script_filter *f, struct script *script,
			 const struct data_sample *s, uint64_t when)
{
	uint32_t frame;

	if (!f)
		return true;
	if (f->comms) {
		uint32_t comm = stream_comm(script->stream, s->pid, s->tid, when);

		if (comm == PTUI_NONE ||
		    !script_list_has(f->comms, stream_name(script->stream, comm)))
			return false;
	}
	if (!f->dsos && !f->symbols)
		return true;
	frame = stream_frame(script->stream, s, when, s->ip);
	return frame != PTUI_NONE &&
	       has_place(f, script->stream,
			 &resolver_frames(stream_resolver(script->stream))[frame], s->ip);
}
