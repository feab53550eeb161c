/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a recording will meet, told before it begins. Takes: the options of a recording. Gives: what
 * of them this machine will refuse or do otherwise, and what would lift that. It measures nothing
 * and leaves nothing behind: each event (of many tracepoints, a few) is opened once, as it would be
 * for the target, and closed.
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
	bool refused; /* it cannot be recorded so; false: it will be, but not as asked for */
	struct ptui_error what; /* object: the event as asked for, the process or path */
};

struct ptui_check {
	struct ptui_problem
		*problems; /* in the order of the options: target, events, rate, output */
	size_t n_problems;
	size_t n_events; /* that can be opened; of many tracepoints, some were tried */
	char first[128]; /* the first of these, as it will be recorded: "cpu-clock"; "" for none */
	bool kernel_samples;  /* one of them samples the kernel's side too */
	uint64_t max_freq_hz; /* samples a second that the kernel takes now; 0: not known */
	bool output_exists;   /* an older recording, which would be kept as its name with .old */
};

/*
 * Fills *ret (ptui_check_release() it, also on failure). 0: it was checked, whatever was found, a
 * selector that makes no sense included. Negative: it could not be. Takes some milliseconds, with
 * tracepoints some tens of them: not for the thread that paints. Any thread, several at a time.
 */
int ptui_record_check(const struct ptui_record_opts *opts, struct ptui_check *ret,
		      struct ptui_error *err);
void ptui_check_release(struct ptui_check *check);

enum ptui_event_state {
	PTUI_EVENT_UNTRIED,
	PTUI_EVENT_OPENS,
	PTUI_EVENT_REFUSED, /* also when its text is no event */
};

/*
 * Can this event be counted here, by whoever asks? It is opened once for the caller itself (a unit
 * that counts for a socket: on one of its CPUs) and closed, a tracepoint in a thread of its own,
 * since that takes the kernel some tens of milliseconds. What came of it is remembered: asked
 * again, nothing is opened. 0; negative with the reason and the remedy. Any thread.
 */
int ptui_event_try(const char *event, struct ptui_error *why);

/* ---- the whole machine ---- */

enum ptui_health {
	PTUI_HEALTH_GOOD,    /* nothing stands in the way */
	PTUI_HEALTH_NOTE,    /* good to know */
	PTUI_HEALTH_ABSENT,  /* this machine or kernel does not have it */
	PTUI_HEALTH_LIMITED, /* a setting or a lack of rights forbids some of it */
	PTUI_HEALTH_REFUSED, /* nothing can be recorded because of it */
};

/* One thing that recordings depend on. All texts are whole sentences but for the value. */
struct ptui_finding {
	const char *group; /* a heading, in the person's language */
	const char *key;   /* "perf_event_paranoid": what it is called everywhere */
	enum ptui_health health;
	char value[256];  /* as it is now; "" where there is none to say */
	char means[1600]; /* what that does to recordings */
	char lift[1600];  /* what changes it; "": nothing to change */
};

struct ptui_findings {
	struct ptui_finding *v; /* in the order in which they are told, groups together */
	size_t n;
};

/*
 * Looks at kernel, settings, rights and hardware of this machine, for who asks. Changes nothing; a
 * few events are opened for the caller itself, and closed. 0 or -ENOMEM; release it in any case.
 * Takes some milliseconds. Any thread.
 */
int ptui_doctor_look(struct ptui_findings *ret, struct ptui_error *err);
void ptui_findings_release(struct ptui_findings *findings);
/* "good", "note", "absent", "limited", "refused" */
const char *ptui_health_name(enum ptui_health health);

#ifdef __cplusplus
}
#endif
#endif
