/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The annotate room: functions of a profile as machine code with source lines, and the samples of
 * each instruction (ptui/annotate.h).
 *
 *   profile->debug --code--> bytes --disasm.h--> instructions --annotate_lines.c--> lines
 *                  --scopes-> source path and line ---source.h---^ text
 *   profile->samples --annotate_count.c--> counts by event and line
 *
 * Which file has the code, and whether it is the recorded one, is known to the session room.
 */
#ifndef ANNOTATE_ANNOTATE_H
#define ANNOTATE_ANNOTATE_H

#include "base/strpool.h"
#include "profile/debug.h"
#include "ptui/annotate.h"

struct ptui_annotation {
	struct arena text;    /* of lines */
	struct strpool names; /* paths and functions */
	struct ptui_function function;
	struct ptui_annotation_info info;
	struct profile_code code;
	struct ptui_line *lines;
	size_t n_lines, cap_lines;
	const char **inlines;
	size_t n_inlines, cap_inlines;
	uint32_t *code_lines; /* the lines with code, by address; info.n_code */
};

/* annotate_lines.c: fills the lines from a->code. 0 or a negative errno with err set. */
int annotate_lines(struct ptui_annotation *a, struct ptui_profile *p,
		   const struct ptui_annotate_opts *opts, struct ptui_error *err);
/*
 * Whether a frame is in the module of a function: by id, or, if the ids have changed since, by path.
 */
bool annotate_is_in(const struct ptui_profile *p, const struct profile_frame *f,
		    const struct ptui_function *of);
#endif
