/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which samples `ptui script` prints. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "base/cursor.h"
#include "base/i18n.h"
#include "base/perf_abi.h"
#include "base/ranges.h"
#include "cli/script/script.h"

struct script_filter {
	const char *comms, *symbols, *dsos, *pids, *tids; /* lists as given; NULL: all */
	struct ranges cpus, times;			  /* none: all */
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
static int parse_cpus(struct script_filter *f, const struct script_opts *o, struct data_file *file,
		      struct ptui_error *err)
{
	int ret = ranges_parse_numbers(&f->cpus, o->cpus, UINT16_MAX);

	if (ret == -ENOMEM)
		return ptui_error_nomem(err);
	if (ret)
		return ptui_error_set(err, PTUI_ERROR_INPUT, EINVAL, "--cpu",
				      _("--cpu expects CPUs like 0-3,7, not '%s'"), o->cpus);
	for (size_t i = 0; i < data_n_events(file); i++)
		if (data_event(file, i)->sample_type & PERF_SAMPLE_CPU)
			return 0;
	return data_n_events(file) ? recording_lacks_cpus(o->in.input, err) : 0;
}

/* ---- times ---- */

/* First and last time of the recording's samples. */
static int sample_times(struct data_file *file, struct range *ret, struct ptui_error *err)
{
	struct cursor c;
	size_t n = 0;
	const void *bytes = data_feature(file, PTUI_FEAT_SAMPLE_TIME, &n);

	cursor_init(&c, bytes, n, data_swapped(file));
	ret->from = cursor_u64(&c);
	ret->to = cursor_u64(&c);
	if (!c.bad && ret->to && ret->from <= ret->to)
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

static int parse_times(struct script_filter *f, const char *text, struct data_file *file,
		       struct ptui_error *err)
{
	struct range all = { 0, 0 };
	int ret;

	if (ranges_are_percent(text) && sample_times(file, &all, err))
		return -EINVAL;
	ret = ranges_parse_times(&f->times, text, &all);
	return ret == -ENOMEM ? ptui_error_nomem(err) : ret ? bad_time(text, err) : 0;
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
		failed = parse_cpus(f, o, file, err);
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
	ranges_release(&f->cpus);
	ranges_release(&f->times);
	free(f);
}

bool script_filter_cpu(const struct script_filter *f, bool known, uint32_t cpu)
{
	return !f || !f->cpus.n || !known || ranges_have(&f->cpus, cpu);
}

bool script_filter_sample(const struct script_filter *f, const struct data_sample *s)
{
	if (!f)
		return true;
	return (!f->times.n || ranges_have(&f->times, s->time_ns)) &&
	       script_filter_cpu(f, s->has & DATA_HAS_CPU, s->cpu);
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
	if ((f->pids && !list_has_number(f->pids, s->pid)) ||
	    (f->tids && !list_has_number(f->tids, s->tid)))
		return false;
	if (f->comms) {
		uint32_t comm = stream_comm(script->stream, s->pid, data_sample_thread(s), when);

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
