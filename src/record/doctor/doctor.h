/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Checks of the machine for ptui/doctor.h: tables of functions that each fill one finding. One file
 * per group.
 */
#ifndef RECORD_DOCTOR_DOCTOR_H
#define RECORD_DOCTOR_DOCTOR_H

#include "event/catalog.h"
#include "kernel/diagnose.h"
#include "ptui/doctor.h"

struct doctor {
	const struct kernel_ops *ops;
	struct catalog *catalog;
	struct diagnose_rights rights;
	int paranoid;
	bool may_all; /* perf_event_paranoid does not restrict this user */
};

/* Fills value, means and lift; false: nothing to report on this machine. */
typedef bool (*doctor_check_fn)(const struct doctor *d, struct ptui_finding *f);

struct doctor_row {
	const char *group; /* N_() */
	const char *key;
	doctor_check_fn check;
};

/* The tables, each terminated by a NULL key. */
extern const struct doctor_row doctor_settings[], doctor_rights[], doctor_hardware[],
	doctor_surroundings[], doctor_cost[];

#define DOCTOR_SAY(field, ...) ((void)snprintf((field), sizeof(field), __VA_ARGS__))

/* The end of a check; `lift` NULL: nothing to do about it. Returns true. */
bool doctor_report(struct ptui_finding *f, enum ptui_health health, const char *means,
		   const char *lift);

/* Reads a text file below a root, without its newline; false: unreadable. */
bool doctor_read(char *ret, size_t size, const char *root, const char *name);
/* Reads a number from one. */
bool doctor_number(const char *root, const char *name, long long *ret);

/* ptui_doctor_run() for any kernel. */
int doctor_run(const struct kernel_ops *ops, struct ptui_findings *ret, struct ptui_error *err);

#endif
