/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is told of a view beside its cells. */
#include <stdlib.h>
#include <string.h>
#include "profile/hist.h"

static bool tells_apart(const struct ptui_hist *h, const struct hist_key *key)
{
	for (size_t i = 0; i < h->plan.n_sort; i++) {
		if (h->plan.sort[i] == key)
			return true;
	}
	return false;
}

void ptui_hist_row_origin(const struct ptui_hist *h, size_t row, struct ptui_row_origin *ret)
{
	const struct hist_item *item = &h->rows[row].item;
	const struct profile_frame *f = &h->profile->frames[item->frame];
	const struct strpool *names = &h->profile->names;

	memset(ret, 0, sizeof(*ret));
	if (tells_apart(h, hist_key_comm))
		ret->comm = strpool_get(names, item->comm);
	if (tells_apart(h, hist_key_thread)) {
		ret->has_thread = true;
		ret->tid = h->profile->samples.threads[item->thread].tid;
		ret->thread = strpool_get(names, h->last_comm[item->thread]);
	}
	/* the rows of functions are of one module each as well */
	if (!tells_apart(h, hist_key_dso) && !tells_apart(h, hist_key_symbol))
		return;
	ret->dso = f->short_name == PTUI_NONE ? HIST_UNKNOWN_DSO :
						strpool_get(names, f->short_name);
	ret->dso_path = f->path == PTUI_NONE ? NULL : strpool_get(names, f->path);
	ret->kernel = f->level == 'k' || f->level == 'g';
}

/* What unknown functions took, by the module's name. */
struct unknown_module {
	uint32_t name, why;
	uint64_t period;
};

static int unknown_order(const void *va, const void *vb)
{
	const struct unknown_module *a = va, *b = vb;

	return a->name < b->name ? -1 : a->name > b->name;
}

void ptui_hist_unknown(const struct ptui_hist *h, struct ptui_unknown *ret)
{
	*ret = h->unknown;
}

void hist_find_unknown(struct ptui_hist *h)
{
	struct ptui_unknown *ret = &h->unknown;
	const struct profile_frame *frames = h->profile->frames;
	struct unknown_module *m = calloc(h->n_classes + 1, sizeof(*m));
	uint64_t sum = 0;
	size_t n = 0;

	for (size_t i = 0; i < h->n_classes; i++) {
		const struct profile_frame *f = &frames[h->classes[i].item.frame];

		if (f->sym_name != PTUI_NONE ||
		    !hist_filter_shows(&h->filter, h->classes[i].item.frame))
			continue;
		ret->period += h->classes[i].period;
		if (m) /* else the share is told without the module */
			m[n++] = (struct unknown_module){ f->short_name, f->why,
							  h->classes[i].period };
	}
	if (m)
		qsort(m, n, sizeof(*m), unknown_order);
	for (size_t i = 0; i < n; i++) {
		sum = i && m[i - 1].name == m[i].name ? sum + m[i].period : m[i].period;
		if (sum <= ret->module_period)
			continue;
		ret->module_period = sum;
		ret->module = m[i].name == PTUI_NONE ? NULL :
						       strpool_get(&h->profile->names, m[i].name);
		ret->why = m[i].why == PTUI_NONE ? NULL :
						   strpool_get(&h->profile->names, m[i].why);
	}
	free(m);
}
