/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Annotated functions as text, in perf's layout. */
#ifndef CLI_ANNOTATE_TEXT_H
#define CLI_ANNOTATE_TEXT_H

#include "base/buf.h"
#include "ptui/annotate.h"

/* What the column of an event shows. */
enum annotate_column {
	ANNOTATE_PERCENT,
	ANNOTATE_SAMPLES,
	ANNOTATE_PERIOD,
};

struct annotate_style {
	enum annotate_column column;
	enum ptui_percent_type type;
	bool colour;
	bool raw;	 /* bytes of the instructions */
	bool lines;	 /* summary of the source lines, and the lines beside the code */
	bool full_paths; /* of DSOs and source files */
	bool histogram;	 /* samples by address first */
};

/* An annotated function, and the events that have a column. */
struct annotate_view {
	const struct ptui_annotation *annotation;
	const struct ptui_annotate_counts *counts;
	const struct ptui_profile *profile;
	const uint32_t *events; /* the leader of a group first */
	size_t n_events;
};

/* 0 or -ENOMEM. */
int annotation_print(const struct annotate_view *v, const struct annotate_style *style,
		     struct buf *out);

#endif
