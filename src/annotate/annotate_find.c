/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The functions that are called. */
#include <string.h>
#include "annotate/annotate.h"

/* "puts@plt" -> length of "puts"; 0: no PLT slot. */
static size_t plt_name(const char *name)
{
	size_t n = strlen(name), tail = strlen("@plt");

	return n > tail && !strcmp(name + n - tail, "@plt") ? n - tail : 0;
}

/* A function of another DSO with this name. */
static bool find_exported(const struct ptui_profile *p, const char *name, size_t n, uint32_t module,
			  struct ptui_function *ret)
{
	for (size_t i = 0; i < p->n_frames; i++) {
		const struct profile_frame *f = &p->frames[i];
		const char *symbol;

		if (f->sym_name == PTUI_NONE || f->dso == module || f->dso == PTUI_NONE ||
		    f->level != '.')
			continue;
		symbol = strpool_get(&p->names, f->sym_name);
		if (strncmp(symbol, name, n) || symbol[n])
			continue;
		profile_frame_function(p, f, ret);
		return true;
	}
	return false;
}

bool ptui_annotation_callee(const struct ptui_annotation *a, size_t at,
			    struct ptui_profile *profile, struct ptui_function *ret)
{
	const struct ptui_profile *p = profile_base(profile);
	const struct ptui_line *line = ptui_annotation_line(a, at);
	size_t n;

	if (!line || !line->has_target || line->target_line != PTUI_NONE || !line->target_symbol)
		return false;
	n = plt_name(line->target_symbol);
	if (n)
		return find_exported(p, line->target_symbol, n, a->function.module, ret);
	*ret = a->function;
	ret->symbol = line->target_symbol;
	ret->start = a->code.off + (line->target - line->target_offset - a->code.addr);
	return ret->start != a->function.start;
}
