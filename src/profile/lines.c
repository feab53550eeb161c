/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/i18n.h"
#include "profile/debug.h"

#define PROGRESS_FRAMES 256

void profile_release_debug(struct ptui_profile *p)
{
	struct ptui_profile *inlined = p->inlined;

	if (inlined && inlined != p)
		inlined->release(inlined);
	profile_texts_free(p->lines);
	profile_texts_free(p->types);
	if (p->debug)
		p->debug->free(p->debug);
}

static const char *shown_path(const struct ptui_profile *p, const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash && !(p->owner ? p->owner : p)->full_paths ? slash + 1 : path;
}

/* Marks the innermost frame of the stack, with the functions inlined there. */
static void mark_exact(const struct ptui_profile *p, uint32_t node, bool *exact)
{
	for (; node != PTUI_NONE; node = p->stacks.nodes[node].parent) {
		uint32_t frame = p->stacks.nodes[node].frame;

		exact[frame] = true;
		if (!p->frames[frame].inlined)
			return;
	}
}

bool *profile_find_exact(const struct ptui_profile *p)
{
	bool *exact = calloc(p->n_frames + 1, sizeof(*exact));

	if (!exact)
		return NULL;
	for (size_t i = 0; i < p->samples.n; i++) {
		exact[p->samples.frame[i]] = true;
		mark_exact(p, samples_stack(&p->samples, i), exact);
	}
	/* where the kernel was entered */
	for (size_t i = 0; i < p->stacks.n; i++) {
		const struct stack_node *node = &p->stacks.nodes[i];

		if (p->frames[node->frame].level == 'k' && node->parent != PTUI_NONE &&
		    p->frames[p->stacks.nodes[node->parent].frame].level == '.')
			mark_exact(p, node->parent, exact);
	}
	return exact;
}

/* The source line of a frame (path NULL: unknown), and that in a chain in which the functions inlined there follow it. */
static struct profile_scope find_line(struct ptui_profile *p, const struct profile_frame *f,
				      bool exact, struct profile_scope *ret_in_chain)
{
	struct profile_scope scopes[PROFILE_INLINE_MAX + 1] = { { .path = NULL } };
	size_t level = f->inlined ? f->inlined - 1u : 0, n = 0;

	if (p->debug && !p->code_only)
		n = p->debug->scopes(p->debug, f, !exact, scopes, PROFILE_INLINE_MAX + 1);
	if (level >= n)
		return *ret_in_chain = (struct profile_scope){ .path = NULL };
	*ret_in_chain = scopes[p->owner && !f->inlined ? n - 1 : level];
	return scopes[level];
}

/* perf's text for code without debug information. */
static void format_place(const struct ptui_profile *p, const struct profile_frame *f, char *buf,
			 size_t size)
{
	if (f->sym_name != PTUI_NONE)
		snprintf(buf, size, "%s+%" PRIu64, strpool_get(&p->names, f->sym_name),
			 (uint64_t)f->sym_offset);
	else
		snprintf(buf, size, "%s[%" PRIx64 "]",
			 f->short_name == PTUI_NONE ? "" : strpool_get(&p->names, f->short_name),
			 f->addr);
}

void profile_line_text(struct ptui_profile *p, const struct profile_frame *f, bool exact, char *buf,
		       size_t size)
{
	struct profile_scope in_chain, at = find_line(p, f, exact, &in_chain);

	if (at.path)
		snprintf(buf, size, "%s:%u", shown_path(p, at.path), at.line);
	else
		format_place(p, f, buf, size);
}

static int add_line(struct ptui_profile *p, size_t i, bool exact, struct profile_texts *t)
{
	const struct profile_frame *f = &p->frames[i];
	struct profile_scope in_chain, at = find_line(p, f, exact, &in_chain);
	char text[PATH_MAX + 16];

	if (at.path)
		snprintf(text, sizeof(text), "%s:%u", shown_path(p, at.path), at.line);
	else
		format_place(p, f, text, sizeof(text));
	t->part[i] = strpool_add(&t->names, at.path ? shown_path(p, at.path) : "");
	t->whole[i] = strpool_add(&t->names, text);
	if (in_chain.path)
		snprintf(text, sizeof(text), "%s:%u", shown_path(p, in_chain.path), in_chain.line);
	t->within[i] = strpool_add(&t->names, in_chain.path ? text : "");
	return t->whole[i] == PTUI_NONE || t->part[i] == PTUI_NONE || t->within[i] == PTUI_NONE ?
		       -ENOMEM :
		       0;
}

const struct profile_texts *profile_lines(struct ptui_profile *p, ptui_progress_fn progress,
					  void *ctx, int *ret_error)
{
	return profile_texts(p, &p->lines, _("reading source lines"), PROGRESS_FRAMES, add_line,
			     progress, ctx, ret_error);
}

/* ---- a text per frame ---- */

void profile_texts_free(struct profile_texts *t)
{
	if (!t)
		return;
	strpool_release(&t->names);
	free(t->whole);
	free(t->part);
	free(t->within);
	free(t);
}

static struct profile_texts *texts_new(size_t n)
{
	struct profile_texts *t = calloc(1, sizeof(*t));

	if (!t)
		return NULL;
	t->whole = calloc(n + 1, sizeof(*t->whole));
	t->part = calloc(n + 1, sizeof(*t->part));
	t->within = calloc(n + 1, sizeof(*t->within));
	if (!t->whole || !t->part || !t->within || strpool_init(&t->names)) {
		free(t->whole);
		free(t->part);
		free(t->within);
		free(t);
		return NULL;
	}
	return t;
}

const struct profile_texts *
profile_texts(struct ptui_profile *p, _Atomic(struct profile_texts *) *kept, const char *what,
	      size_t each,
	      int (*add)(struct ptui_profile *p, size_t i, bool exact, struct profile_texts *t),
	      ptui_progress_fn progress, void *ctx, int *ret_error)
{
	struct profile_texts *t = atomic_load_explicit(kept, memory_order_acquire), *none = NULL;
	bool *exact;
	int ret = 0;

	if (t)
		return t;
	exact = profile_find_exact(p);
	t = exact ? texts_new(p->n_frames) : NULL;
	if (!t) {
		free(exact);
		*ret_error = -ENOMEM;
		return NULL;
	}
	for (size_t i = 0; i < p->n_frames && !ret; i++) {
		if (progress && i % each == 0 && progress(ctx, what, i, p->n_frames))
			ret = -ECANCELED;
		else
			ret = add(p, i, exact[i], t);
	}
	free(exact);
	if (ret) {
		profile_texts_free(t);
		*ret_error = ret;
		return NULL;
	}
	/* another thread may have been faster */
	if (!atomic_compare_exchange_strong(kept, &none, t)) {
		profile_texts_free(t);
		t = none;
	}
	return t;
}
