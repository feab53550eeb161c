/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * AUX areas of a recording: which event has one, how large they are, and what AUXTRACE_INFO says of
 * it, by perf's rules for each kind.
 */
#ifndef RECORD_AUX_AREA_H
#define RECORD_AUX_AREA_H

#include "base/buf.h"
#include "event/catalog.h"
#include "kernel/counters.h"
#include "record/options.h"

struct aux_area {
	uint32_t event;	       /* index; PTUI_NONE: no event has an AUX area */
	size_t bytes;	       /* of each AUX area; 0: none */
	size_t ring_bytes;     /* of each ring buffer beside it; 0: as without an AUX area */
	size_t snapshot_bytes; /* of each AUX area; 0: all data is written */
	uint32_t watermark;
	/* decoding requires records of context switches; of all tasks, even if only some are recorded */
	bool switches, switches_of_all;
	bool text_poke; /* decoding requires the kernel's code as it was */
};

/* Only reads: the same options give the same result. 0, or a negative errno with err set. */
int aux_area_settle(struct aux_area *ret, const struct options *o, const struct event_list *events,
		    const struct kernel_ops *ops, struct ptui_error *err);

/*
 * Appends the AUXTRACE_INFO record of the event with an AUX area; nothing if there is none. The counters
 * are open. 0, -ENOMEM, -E2BIG.
 */
int aux_area_put_info(const struct options *o, struct catalog *catalog,
		      const struct counters *counters, struct buf *out);

/* What perf has as `reference` of AUX data: the time stamp counter, or nanoseconds. */
uint64_t aux_area_reference(void);

#endif
