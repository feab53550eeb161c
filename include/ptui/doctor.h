/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Checks before a recording. Takes the options of a recording; reports which of them this machine
 * would refuse or change, and the remedy. Measures nothing and changes nothing: each event (of many
 * tracepoints, a few) is opened once for the target, and closed.
 */
#ifndef PTUI_DOCTOR_H
#define PTUI_DOCTOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "ptui/error.h"
#include "ptui/record.h"

#ifdef __cplusplus
extern "C" {
#endif

struct ptui_problem {
	bool refused;		/* it cannot be recorded; false: it will be, but not as requested */
	struct ptui_error what; /* object: the event as requested, the process or path */
};

struct ptui_check {
	struct ptui_problem
		*problems; /* in the order of the options: target, events, rate, output */
	size_t n_problems;
	size_t n_events;      /* that can be opened; only some of many tracepoints are tried */
	char first[128];      /* the first of these, as recorded: "cpu-clock"; "" for none */
	bool kernel_samples;  /* at least one of them samples the kernel as well */
	uint64_t max_freq_hz; /* kernel.perf_event_max_sample_rate; 0: unknown */
	bool output_exists;   /* an older recording, which would be renamed to its name with .old */
	struct ptui_error error; /* why the check could not be made; unset: it was */
};

/*
 * Fills *ret; call ptui_check_release() in any case. Returns 0 if the check was made, even if it
 * found problems or an invalid selector; a negative errno with `error` set if it could not be made.
 * Takes milliseconds, or tens of milliseconds with tracepoints: do not call it from the UI thread.
 * Thread-safe.
 */
int ptui_record_check(const struct ptui_record_opts *opts, struct ptui_check *ret);
void ptui_check_release(struct ptui_check *check);

enum ptui_event_state {
	PTUI_EVENT_UNTRIED,
	PTUI_EVENT_OPENS,
	PTUI_EVENT_REFUSED, /* also if the text is not an event */
};

/*
 * Checks whether the caller may count this event. It is opened once for the calling process (an
 * uncore event: on a CPU of its cpumask) and closed; a tracepoint in a separate thread, because the
 * kernel needs tens of milliseconds for it. The result is cached. Returns 0, or a negative errno
 * with the reason and remedy in `why`. Thread-safe.
 */
int ptui_event_try(const char *event, struct ptui_error *why);

/* ---- the whole machine ---- */

enum ptui_health {
	PTUI_HEALTH_GOOD,    /* no restriction */
	PTUI_HEALTH_NOTE,    /* informational */
	PTUI_HEALTH_ABSENT,  /* not available on this machine or kernel */
	PTUI_HEALTH_LIMITED, /* a setting or missing privileges forbid part of it */
	PTUI_HEALTH_REFUSED, /* it prevents all recording */
};

/* One property that recordings depend on. All texts but the value are complete sentences. */
struct ptui_finding {
	const char *group; /* a heading, translated */
	const char *key;   /* its usual name: "perf_event_paranoid" */
	enum ptui_health health;
	char value[256];  /* current value; "" if none */
	char means[1600]; /* effect on recordings */
	char lift[1600];  /* remedy; "": none needed */
};

struct ptui_findings {
	struct ptui_finding *v; /* in display order, groups together */
	size_t n;
};

/*
 * Examines kernel, settings, privileges and hardware of this machine for the calling process.
 * Changes nothing; opens and closes a few events for itself. Takes milliseconds. Returns 0 or
 * -ENOMEM; call ptui_findings_release() in any case. Thread-safe.
 */
int ptui_doctor_run(struct ptui_findings *ret, struct ptui_error *err);
void ptui_findings_release(struct ptui_findings *findings);
/* "good", "note", "absent", "limited", "refused" */
const char *ptui_health_name(enum ptui_health health);

#ifdef __cplusplus
}
#endif
#endif
