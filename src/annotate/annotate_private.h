/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Shared by annotate_count.c and annotate_cycles.c. */
#ifndef ANNOTATE_ANNOTATE_PRIVATE_H
#define ANNOTATE_ANNOTATE_PRIVATE_H

#include "annotate/annotate.h"
#include "base/vec.h"

struct sample_filter;

/* Whether the sample of a row is counted. */
bool sample_filter_shows(const struct sample_filter *s, const struct ptui_profile *p, size_t i);

struct annotate_cycles {
	struct ptui_line_cycles *lines; /* NULL: the profile has no cycles */
	uint64_t branches;
	uint64_t insns, cycles; /* of blocks with an IPC */
	size_t covered;		/* instructions that have one */
};

/* `lines`: by frame, the line of the function. 0 or -ENOMEM. */
int annotate_cycles_count(struct annotate_cycles *c, const struct ptui_annotation *a,
			  const struct ptui_profile *p, const uint32_t *lines,
			  const struct sample_filter *shows);

#endif
