/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * BPF programs of -e (event/bpf_file.h), before the counters are opened:
 *
 *	probes made, as the sections name them	 --> tracepoints
 *	programs loaded				 --> a descriptor per event, attached by counters_open()
 */
#ifndef RECORD_BPF_LOAD_H
#define RECORD_BPF_LOAD_H

#include "event/event.h"

struct catalog;

/*
 * Makes temporary probes: of a definition in a program, in a kernel module or in the kernel (both NULL).
 * *ret_events: "GROUP:NAME", one per line; the caller frees it. 0, or a negative errno with `err` set.
 */
typedef int (*probe_adder_fn)(const char *definition, const char *exec, const char *module,
			      char **ret_events, struct ptui_error *err);

/* `add_probe` NULL: programs cannot have probes. 0 or a negative errno with err set. */
int bpf_load_events(struct event_list *events, struct catalog *catalog, probe_adder_fn add_probe,
		    struct ptui_error *err);

#endif
