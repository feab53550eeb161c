/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The state of the machine as recordings see it, for ptui/doctor.h: a table of looks, each of which
 * fills one finding. The looks stand in files by what they look at.
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
	bool may_all; /* perf_event_paranoid does not concern who asks */
};

/* Fills value, means and lift; false: there is nothing to say of it here. */
typedef bool (*doctor_look_fn)(const struct doctor *d, struct ptui_finding *f);

struct doctor_row {
	const char *group; /* N_() */
	const char *key;
	doctor_look_fn look;
};

/* The tables, each ended by a NULL key. */
extern const struct doctor_row doctor_settings[], doctor_rights[], doctor_hardware[],
	doctor_surroundings[];

#define DOCTOR_SAY(field, ...) ((void)snprintf((field), sizeof(field), __VA_ARGS__))

/* A text file below a root, without its newline; false: it cannot be read. */
bool doctor_read(char *ret, size_t size, const char *root, const char *name);
/* A number out of one. */
bool doctor_number(const char *root, const char *name, long long *ret);

/* ptui_doctor_look() with any kernel. */
int doctor_look(const struct kernel_ops *ops, struct ptui_findings *ret, struct ptui_error *err);

#endif
