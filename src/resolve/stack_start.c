/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Functions in which user stacks start: by the ranges found in the file, and by name. */
#include <string.h>
#include "resolve/private.h"

/* Names of glibc, musl and Go. */
bool stack_start_name(const char *name)
{
	static const char *const names[] = {
		"_start",	  "_start_c",
		"_dl_start_user", "start_thread",
		"clone",	  "clone3",
		"__clone",	  "__clone2",
		"__clone3",	  "__clone_internal",
		"runtime.goexit", "runtime.goexit.abi0",
		"runtime.mstart", "runtime.mstart.abi0",
		"runtime.rt0_go", "runtime.rt0_go.abi0",
	};

	if (!strncmp(name, "__libc_start_", strlen("__libc_start_")))
		return true;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (!strcmp(name, names[i]))
			return true;
	return false;
}

enum frame_start resolver_frame_start(const struct resolver *r, const struct frame *f)
{
	const struct dso_work *w;
	const struct module_ref *ref;

	if (!r->starts || f->mode != DATA_MODE_USER || f->dso == PTUI_NONE)
		return FRAME_INSIDE;
	w = &r->work[f->dso];
	ref = machine_module(r->m, f->dso);
	if (dso_starts_has(w->starts, w->n_starts, f->off))
		return FRAME_START;
	if (f->sym != PTUI_NONE && r->symbols[f->sym].starts)
		return FRAME_START;
	/* generated code and the vdso have callers */
	if (w->starts_known || w->vdso || ref->memory || ref->pid >= 0 || ref->ksymbol)
		return FRAME_INSIDE;
	return FRAME_START_UNKNOWN;
}
