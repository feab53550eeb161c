/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Probes from the screens: at a function, a source line or an instruction of a profile, with variables.
 *
 *	place --ptui_probe_open()--> the variables there --choice--> definition, lines for the kernel
 *	                                                        '--> tracepoints, temporary or kept
 *
 * Temporary probes are in the group ptui_PID_START of this process and removed by ptui_probes_remove(), or
 * at exit; on a fatal signal by ptui_probes_fault(). What a killed process leaves is found by its group.
 * Kept ones are in perf's group, probe_NAME, and stay.
 *
 * Debug information is read: use a thread. An object may be used by one thread at a time, but its variables
 * may always be read.
 */
#ifndef PTUI_PROBE_H
#define PTUI_PROBE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "ptui/error.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Strings are copied. */
struct ptui_probe_place {
	const char *path;     /* of the program or library; NULL: the kernel */
	const char *function; /* as it is displayed */
	uint64_t start;	      /* its file offset; of the kernel the address */
	uint64_t offset;      /* of an instruction in it; 0: its entry */
	const char *source;   /* path of a source file; NULL: none */
	unsigned line;	      /* in `source` */
	bool kernel;
};

struct ptui_probe_variable {
	const char *name, *type;
	bool is_parameter;
	const char *why; /* a sentence: why its value cannot be fetched; NULL: it can */
};

struct ptui_probe;

/* NULL with `err` set: no such file or place, not permitted, or the kernel has no such probes. */
struct ptui_probe *ptui_probe_open(const struct ptui_probe_place *place, struct ptui_error *err);
void ptui_probe_free(struct ptui_probe *p); /* NULL ok */

/* Why there are no variables: a sentence; NULL: debug information is there. */
const char *ptui_probe_no_variables(const struct ptui_probe *p);
size_t ptui_probe_n_variables(const struct ptui_probe *p);
const struct ptui_probe_variable *ptui_probe_variable(const struct ptui_probe *p, size_t i);
/* Whether the place is a function that returns, and the type of what it returns; NULL: nothing, or unknown. */
bool ptui_probe_can_return(const struct ptui_probe *p, const char **ret_type);

struct ptui_probe_choice {
	const bool *variables; /* by index; NULL: none */
	bool returns;	       /* where the function returns, with its value; no variables */
	bool keep;	       /* not temporary */
};

/* What a choice becomes. */
struct ptui_probe_plan {
	char *definition; /* "work:3 sum": as `ptui probe` takes it */
	char *lines;	  /* for the kernel, one per address, without a newline at the end */
	size_t n_lines;
};

/* 0, or a negative errno with `err` set. ptui_probe_plan_release() in any case. */
int ptui_probe_plan(struct ptui_probe *p, const struct ptui_probe_choice *choice,
		    struct ptui_probe_plan *ret, struct ptui_error *err);
void ptui_probe_plan_release(struct ptui_probe_plan *plan);

/*
 * Adds the probes. *ret_events: "GROUP:NAME", one per line; free() it. 0, or a negative errno with `err` set
 * and nothing added.
 */
int ptui_probe_add(struct ptui_probe *p, const struct ptui_probe_choice *choice, char **ret_events,
		   struct ptui_error *err);

/* ---- temporary probes ---- */

/*
 * Removes those of this process. One that is still in use is left to a child process, which removes it as
 * soon as the kernel has closed its counters. Later ones are refused.
 */
void ptui_probes_remove(void);
/* For a handler of fatal signals: leaves all to a child process that removes them after this one's end. */
void ptui_probes_fault(void);
/* Whether an event ("ptui_12_345:work") is a temporary probe, of any process. */
bool ptui_probe_is_temporary(const char *event);

/* Probes of processes that have ended. */
struct ptui_probe_leftovers {
	size_t n;
	char *names;   /* "ptui_1_2:fact, ptui_1_2:main (+3 more)" */
	char *command; /* removes them: "ptui probe -d 'ptui_1_2:*'" */
};

/* n is 0 if there are none, or the lists cannot be read. Takes less than a millisecond. */
void ptui_probe_leftovers(struct ptui_probe_leftovers *ret);
void ptui_probe_leftovers_release(struct ptui_probe_leftovers *l);
/* Removes them. 0, or a negative errno with `err` set. */
int ptui_probe_leftovers_remove(struct ptui_error *err);

#ifdef __cplusplus
}
#endif
#endif
