/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "model/butterfly/butterfly.h"

#include <stdlib.h>
#include <string.h>

#include "text/i18n.h"

struct ptui_hist *butterfly_count(struct ptui_profile *p, const struct butterfly_opts *opts,
				  struct ptui_error *err)
{
	struct ptui_hist_opts hist = opts->hist;

	rows_look_apply(&opts->look, &hist);
	hist.filter.user |= opts->user;
	hist.filter.kernel |= opts->kernel;
	hist.sort = "symbol";
	hist.fields = NULL;
	hist.children = false;
	hist.rows_only = hist.no_chains = true;
	hist.before = NULL;
	hist.grouping = PTUI_GROUP_NONE;
	hist.group_sort = 0;
	return ptui_hist_new(p, &hist, err);
}

static double percent(uint64_t part, uint64_t of)
{
	return of ? 100.0 * (double)part / (double)of : 0;
}

/* A function, unless `frame` is PTUI_NONE. */
static void add_row(struct butterfly *b, const struct ptui_hist *h,
		    const struct ptui_butterfly_info *info, enum butterfly_kind kind,
		    uint32_t frame, uint64_t period)
{
	struct butterfly_row *row = &b->rows[b->n++];
	char name[ROW_BYTES];

	*row = (struct butterfly_row){
		.kind = kind,
		.frame = frame,
		.of_function = percent(period, info->period),
		.of_total = percent(period, info->total),
	};
	if (frame == PTUI_NONE)
		return;
	ptui_hist_frame_name(h, frame, name, sizeof(name));
	row->name = words_keep(&b->texts, name);
	row->dso = words_keep(&b->texts, ptui_hist_frame_dso(h, frame));
}

static void fill(struct butterfly *b, const struct ptui_hist *h, const struct ptui_butterfly *of,
		 uint32_t frame)
{
	const struct ptui_butterfly_info *info = ptui_butterfly_info(of);

	if (info->outermost)
		add_row(b, h, info, BUTTERFLY_OUTERMOST, PTUI_NONE, info->outermost);
	for (size_t i = info->n_callers; i-- > 0;) {
		const struct ptui_call *c = ptui_butterfly_caller(of, i);

		add_row(b, h, info, BUTTERFLY_CALLER, c->frame, c->period);
	}
	b->centre = b->n;
	add_row(b, h, info, BUTTERFLY_FUNCTION, frame, info->period);
	if (info->self)
		add_row(b, h, info, BUTTERFLY_SELF, PTUI_NONE, info->self);
	for (size_t i = 0; i < info->n_callees; i++) {
		const struct ptui_call *c = ptui_butterfly_callee(of, i);

		add_row(b, h, info, BUTTERFLY_CALLEE, c->frame, c->period);
	}
	b->self_percent = percent(info->self, info->total);
}

struct butterfly *butterfly_new(const struct ptui_hist *h, uint32_t frame, struct ptui_error *err)
{
	struct ptui_butterfly *of = ptui_hist_butterfly(h, frame, err);
	struct butterfly *b = of ? calloc(1, sizeof(*b)) : NULL;

	if (b) {
		const struct ptui_butterfly_info *info = ptui_butterfly_info(of);

		b->rows = calloc(info->n_callers + info->n_callees + 3, sizeof(*b->rows));
		if (b->rows)
			fill(b, h, of, frame);
	}
	ptui_butterfly_free(of);
	if (b && b->rows && !b->texts.failed)
		return b;
	butterfly_free(b);
	ptui_error_nomem(err);
	return NULL;
}

void butterfly_free(struct butterfly *b)
{
	if (!b)
		return;
	words_release(&b->texts);
	free(b->rows);
	free(b);
}

const char *butterfly_role(enum butterfly_kind kind)
{
	static const char *const roles[] = {
		[BUTTERFLY_OUTERMOST] = N_("outermost"), [BUTTERFLY_CALLER] = N_("caller"),
		[BUTTERFLY_FUNCTION] = N_("function"),	 [BUTTERFLY_SELF] = N_("itself"),
		[BUTTERFLY_CALLEE] = N_("callee"),
	};

	return _(roles[kind]);
}

bool butterfly_leads_on(const struct butterfly *b, size_t row)
{
	return row < b->n &&
	       (b->rows[row].kind == BUTTERFLY_CALLER || b->rows[row].kind == BUTTERFLY_CALLEE) &&
	       strcmp(b->rows[row].name, b->rows[b->centre].name) != 0;
}
