/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Probes on SDT markers of a file, whose notes say where they are and where their arguments are. */
#ifndef PROBE_MARKERS_H
#define PROBE_MARKERS_H

#include <stdbool.h>
#include "probe/event.h"

struct dso_sdt;

/* Whether a definition with `is_sdt` names this marker, which has a place in its file. */
bool probe_marker_matches(const struct probe_definition *def, const struct dso_sdt *marker);

/* As probe_events_make(), for a definition with `is_sdt`. */
int probe_markers_make(struct probe_binary *b, const struct probe_definition *def,
		       const struct probe_make_opts *o, struct probe_events *ret,
		       struct ptui_error *err);

#endif
