/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "record/aux_area.h"

#include <errno.h>
#include <time.h>
#include "base/clock.h"
#include "base/file.h"
#include "base/i18n.h"
#include "data/write/writer.h"
#include "event/aux.h"
#include "record/auxtrace_cpu.h"

#define KIB ((size_t)1024)

/* perf's sizes: privileged users, others, and the ring buffer beside the latter. */
#define AUX_BYTES	  (4096 * KIB)
#define AUX_BYTES_PTT	  (16384 * KIB)
#define AUX_BYTES_FEW	  (128 * KIB)
#define RING_BYTES_FEW	  (256 * KIB)
#define AUX_BYTES_MIN	  (8 * KIB)
#define AUX_BYTES_MIN_OLD (4 * KIB) /* of data that is overwritten */

/* ---- which event ---- */

static int find_event(const struct event_list *events, uint32_t *ret, struct ptui_error *err)
{
	*ret = PTUI_NONE;
	for (uint32_t i = 0; i < events->n; i++) {
		if (!events->v[i].aux)
			continue;
		if (*ret != PTUI_NONE)
			return ptui_error_set(
				err, PTUI_ERROR_INPUT, EINVAL, events->v[i].name,
				_("%s and %s cannot be recorded together: each ring buffer has one "
				  "AUX area"),
				events->v[*ret].name, events->v[i].name);
		*ret = i;
	}
	return 0;
}

/* Terms and options that have no meaning without an AUX area. */
static int check_without(const struct options *o, const struct event_list *events, uint32_t aux,
			 struct ptui_error *err)
{
	const char *option = o->given.aux.snapshot     ? "-S" :
			     o->given.aux.sample_bytes ? "--aux-sample" :
							 NULL;
	bool sampled = false;

	for (uint32_t i = 0; i < events->n; i++) {
		const struct event *ev = &events->v[i];
		bool in_group = aux != PTUI_NONE && ev->leader == aux && i != aux;

		sampled |= in_group;
		if (!(ev->terms.given & EVENT_TERM_AUX) || ev->aux || in_group)
			continue;
		ptui_error_set(err, PTUI_ERROR_INPUT, EINVAL, ev->name,
			       _("%s: its AUX terms require a group that an event with an AUX area "
				 "leads"),
			       ev->name);
		ptui_error_hint(err,
				_("such as -e '{intel_pt//,branch-misses/aux-sample-size=4096/}'"));
		return -EINVAL;
	}
	if (option && aux == PTUI_NONE) {
		ptui_error_set(err, PTUI_ERROR_INPUT, EINVAL, option,
			       _("%s requires an event with an AUX area, such as intel_pt//"),
			       option);
		ptui_error_hint(err, _("'ptui doctor' lists those of this machine"));
		return -EINVAL;
	}
	if (o->given.aux.sample_bytes && !sampled) {
		ptui_error_set(err, PTUI_ERROR_INPUT, EINVAL, "--aux-sample",
			       _("--aux-sample requires a group that an event with an AUX area "
				 "leads: its other events get the data"));
		ptui_error_hint(err,
				_("such as -e '{intel_pt//,branch-misses/aux-sample-size=4096/}'"));
		return -EINVAL;
	}
	return 0;
}

static int check_together(const struct options *o, const struct event *ev, struct ptui_error *err)
{
	const struct ptui_record_opts *given = &o->given;
	const char *with = given->out.memory_bytes ? "-M" :
			   given->shape.overwrite  ? "--overwrite" :
			   given->shape.no_samples ? "-n" :
			   given->overflow_limit   ? "--overflow-limit" :
			   given->shape.use_clockid && ev->aux == PTUI_AUXTRACE_INTEL_PT ? "-k" :
											   NULL;

	if (given->aux.snapshot && given->aux.sample_bytes)
		return ptui_error_set(err, PTUI_ERROR_INPUT, EINVAL, "-S",
				      _("%s and %s cannot be used together"), "-S", "--aux-sample");
	if (with) {
		ptui_error_set(err, PTUI_ERROR_INPUT, EINVAL, with,
			       _("%s and %s cannot be used together"), ev->name, with);
		if (given->out.memory_bytes || given->shape.overwrite)
			ptui_error_hint(err, _("-S keeps the newest AUX data until a snapshot"));
		return -EINVAL;
	}
	if (given->out.nowhere)
		return ptui_error_set(err, PTUI_ERROR_INPUT, EINVAL, ev->name,
				      _("%s: AUX data requires an output file"), ev->name);
	if (ev->aux == PTUI_AUXTRACE_INTEL_BTS && !o->target.per_thread) {
		ptui_error_set(err, PTUI_ERROR_INPUT, EINVAL, ev->name,
			       _("%s cannot be recorded per CPU"), ev->name);
		ptui_error_hint(err, _("add --per-thread"));
		return -EINVAL;
	}
	if (ev->aux == PTUI_AUXTRACE_CS_ETM)
		return ptui_error_set(err, PTUI_ERROR_INPUT, EOPNOTSUPP, ev->name,
				      _("%s: ptui does not record CoreSight traces, whose trace "
					"units it cannot describe in the file"),
				      ev->name);
	return 0;
}

/* ---- sizes ---- */

static bool is_privileged(const struct kernel_ops *ops)
{
	long long level;

	return !ops->geteuid(ops->ctx) ||
	       (!file_read_long(&level, "%s/sys/kernel/perf_event_paranoid", ops->roots.proc) &&
		level < 0);
}

/* A dummy event of all tasks, without the kernel. */
static bool can_see_all(const struct kernel_ops *ops)
{
	long long level;

	return !ops->geteuid(ops->ctx) ||
	       (!file_read_long(&level, "%s/sys/kernel/perf_event_paranoid", ops->roots.proc) &&
		level <= 0);
}

static int settle_sizes(struct aux_area *a, const struct options *o, const struct event *ev,
			const struct kernel_ops *ops, struct ptui_error *err)
{
	const struct ptui_record_aux *given = &o->given.aux;
	size_t least = given->snapshot || given->sample_bytes ? AUX_BYTES_MIN_OLD : AUX_BYTES_MIN;

	a->bytes = o->aux_bytes;
	if (!a->bytes && given->snapshot_bytes)
		for (a->bytes = ops->page_bytes; a->bytes < given->snapshot_bytes; a->bytes *= 2)
			;
	if (!a->bytes && is_privileged(ops))
		a->bytes = ev->aux == PTUI_AUXTRACE_HISI_PTT ? AUX_BYTES_PTT : AUX_BYTES;
	if (!a->bytes)
		a->bytes = AUX_BYTES_FEW;
	if (!o->ring_bytes && !is_privileged(ops))
		a->ring_bytes = RING_BYTES_FEW;
	if (a->bytes < least)
		return ptui_error_set(err, PTUI_ERROR_INPUT, EINVAL, o->given.ring_pages,
				      _("the AUX area of %s must have at least %zu KiB (-m ,SIZE)"),
				      ev->name, least / KIB);
	if (given->snapshot_bytes > a->bytes)
		return ptui_error_set(err, PTUI_ERROR_INPUT, EINVAL, "-S",
				      _("a snapshot of %zu KiB is larger than the AUX area, which "
					"has %zu KiB (-m ,SIZE)"),
				      (size_t)given->snapshot_bytes / KIB, a->bytes / KIB);
	if (given->snapshot)
		a->snapshot_bytes = given->snapshot_bytes ? (size_t)given->snapshot_bytes :
							    a->bytes;
	return 0;
}

int aux_area_settle(struct aux_area *ret, const struct options *o, const struct event_list *events,
		    const struct kernel_ops *ops, struct ptui_error *err)
{
	const struct event *ev;
	int failed;

	*ret = (struct aux_area){ .event = PTUI_NONE };
	failed = find_event(events, &ret->event, err);
	if (!failed)
		failed = check_without(o, events, ret->event, err);
	if (failed || ret->event == PTUI_NONE)
		return failed;
	ev = &events->v[ret->event];
	failed = check_together(o, ev, err);
	if (!failed)
		failed = settle_sizes(ret, o, ev, ops, err);
	/* the others wake the recorder at half of the area, which is what the kernel does */
	if (ev->aux == PTUI_AUXTRACE_INTEL_PT && !o->given.aux.snapshot &&
	    !o->given.aux.sample_bytes)
		ret->watermark = (uint32_t)(ret->bytes / 4);
	ret->switches = !o->target.per_thread &&
			(ev->aux == PTUI_AUXTRACE_INTEL_PT || ev->aux == PTUI_AUXTRACE_ARM_SPE);
	/* what ran beside the targets is of use, if it may be seen (perf_can_record_cpu_wide()) */
	if (ev->aux == PTUI_AUXTRACE_INTEL_PT && can_see_all(ops)) {
		ret->switches_of_all = ret->switches && !o->target.system_wide && !o->target.cpus;
		ret->text_poke = !ev->attr.exclude_kernel && !o->given.shape.all_user;
	}
	return failed;
}

/* ---- AUXTRACE_INFO ---- */

struct info {
	const struct options *o;
	struct catalog *catalog;
	const struct counters *counters;
	const struct event *ev;
	bool has_switches, has_all_switches;
	struct buf *out;
};

/* How the time stamp counter becomes times of the kernel; zeros if the kernel does not say it. */
static void put_clock(const struct info *f)
{
	const struct perf_event_mmap_page *page = f->counters->n_rings ?
							  f->counters->rings[0].base :
							  NULL;
	bool known = page && page->cap_user_time_zero && page->time_mult;

	buf_add_u64(f->out, known ? page->time_shift : 0);
	buf_add_u64(f->out, known ? page->time_mult : 0);
	buf_add_u64(f->out, known ? page->time_zero : 0);
	buf_add_u64(f->out, known);
}

static uint64_t term(const struct info *f, const char *name)
{
	return aux_term_bits(f->catalog, f->ev, name);
}

static uint64_t nonturbo_ratio(const struct info *f)
{
	long long ratio;

	return file_read_long(&ratio, "%s/bus/event_source/devices/%s/max_nonturbo_ratio",
			      f->counters->ops->roots.sysfs, f->ev->pmu) ||
			       ratio < 0 ?
		       0 :
		       (uint64_t)ratio;
}

/* The order of perf's enum in intel-pt.h, then no filter, and the capability of event traces. */
static void put_pt(const struct info *f)
{
	uint32_t ctc_n, ctc_d;

	auxtrace_cpu_tsc_ratio(&ctc_n, &ctc_d);
	buf_add_u64(f->out, f->ev->attr.type);
	put_clock(f);
	buf_add_u64(f->out, term(f, "tsc"));
	buf_add_u64(f->out, term(f, "noretcomp"));
	/* 3: of whole CPUs, 2: of the recorded tasks */
	buf_add_u64(f->out, !f->has_switches ? 0 : f->has_all_switches ? 3 : 2);
	buf_add_u64(f->out, f->o->given.aux.snapshot);
	buf_add_u64(f->out, !f->o->target.per_thread);
	buf_add_u64(f->out, term(f, "mtc"));
	buf_add_u64(f->out, term(f, "mtc_period"));
	buf_add_u64(f->out, ctc_n);
	buf_add_u64(f->out, ctc_d);
	buf_add_u64(f->out, term(f, "cyc"));
	buf_add_u64(f->out, nonturbo_ratio(f));
	buf_add_u64(f->out, 0);
	buf_add_u64(f->out, aux_cap(f->catalog, f->ev, "event_trace", 0) > 0);
}

static void put_bts(const struct info *f)
{
	buf_add_u64(f->out, f->ev->attr.type);
	put_clock(f);
	buf_add_u64(f->out, f->o->given.aux.snapshot);
}

static void put_spe(const struct info *f)
{
	buf_add_u64(f->out, f->ev->attr.type);
	buf_add_u64(f->out, !f->o->target.per_thread);
}

static void put_type(const struct info *f)
{
	buf_add_u64(f->out, f->ev->attr.type);
}

static void (*const puts_of[])(const struct info *f) = {
	[PTUI_AUXTRACE_INTEL_PT] = put_pt,
	[PTUI_AUXTRACE_INTEL_BTS] = put_bts,
	[PTUI_AUXTRACE_ARM_SPE] = put_spe,
	[PTUI_AUXTRACE_HISI_PTT] = put_type,
};

int aux_area_put_info(const struct options *o, struct catalog *catalog,
		      const struct counters *counters, struct buf *out)
{
	const struct event_list *events = counters->events;
	struct buf words = BUF_INIT;
	struct info f = { .o = o, .catalog = catalog, .counters = counters, .out = &words };
	int ret;

	f.has_all_switches = o->target.system_wide;
	for (size_t i = 0; i < events->n; i++) {
		f.has_switches |= events->v[i].attr.context_switch;
		f.has_all_switches |= events->v[i].attr.context_switch && events->v[i].on_all_cpus;
		if (events->v[i].aux)
			f.ev = &events->v[i];
	}
	if (!f.ev || !counters->aux_bytes)
		return 0;
	buf_add_u32(&words, f.ev->aux);
	buf_add_u32(&words, 0);
	if (f.ev->aux < sizeof(puts_of) / sizeof(*puts_of) && puts_of[f.ev->aux])
		puts_of[f.ev->aux](&f);
	ret = words.err;
	if (!ret)
		ret = data_put_user(out, PTUI_RECORD_AUXTRACE_INFO, words.data, words.len);
	buf_release(&words);
	return ret;
}

uint64_t aux_area_reference(void)
{
	uint64_t tsc = auxtrace_cpu_tsc();

	return tsc ? tsc : clock_read_ns(CLOCK_MONOTONIC_RAW);
}
