/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How far the functions can be trusted: the facts with their remedies, and DSOs without symbols. */
#include <string.h>

#include "text/i18n.h"
#include "view/live/live_private.h"

/* Also of this recording: whether its event was counted all the time. */
static void live_trust_take(struct live_view *v)
{
	const struct ptui_live_event *e = &v->events[v->line];
	const struct trust_fact *facts = v->hot ? v->hot->facts : NULL;
	size_t n = v->hot ? v->hot->n_facts : 0;

	v->trust.n_facts = n;
	if (n)
		memcpy(v->trust.facts, facts, n * sizeof(*facts));
	for (size_t i = 0; i < n; i++)
		if (facts[i].kind == TRUST_RUNNING)
			return;
	if (n && n < TRUST_FACTS_MAX &&
	    trust_running(e->enabled_ns, e->running_ns, &v->trust.facts[n]))
		v->trust.n_facts++;
}

static unsigned remedy_chosen(void *ctx, enum trust_remedy remedy)
{
	struct live_view *v = ctx;

	return remedy == TRUST_RECORD_UNWOUND ? live_record_unwound(v) : live_symbols_show(v);
}

unsigned live_trust_show(struct live_view *v)
{
	bool unwinds;

	live_trust_take(v);
	if (!v->trust.n_facts)
		return stack_note(v->stack, _("No samples yet."));
	unwinds = v->opts.use_unwound && trust_wants_unwinding(v->trust.facts, v->trust.n_facts);
	v->trust.show = (struct trust_show){
		.stack = v->stack,
		.map = KEYMAP_LIVE,
		.req = { [TRUST_RECORD_UNWOUND] = unwinds ? REQ_CHANGE_EVENTS : REQ_NONE,
			 [TRUST_LIST_SYMBOLS] = v->hot->missing->n ? REQ_MISSING : REQ_NONE },
		.chosen = remedy_chosen,
		.ctx = v,
	};
	return trust_show(&v->trust.show, v->trust.facts, v->trust.n_facts);
}

/* ---- DSOs without symbols ---- */

static void symbols_closed(void *ctx)
{
	((struct live_view *)ctx)->trust.symbols = NULL;
}

unsigned live_symbols_show(struct live_view *v)
{
	const struct missing_list *list = v->hot ? v->hot->missing : NULL;
	struct symbols_opts opts = { .where = _("Live"), .closed = symbols_closed, .ctx = v };

	if (!list)
		return stack_note(v->stack, _("No samples yet."));
	opts.path = ptui_live_output(v->live);
	opts.list = missing_list_copy(list);
	v->trust.symbols = symbols_open(v->stack, &opts);
	return WISH_REDRAW;
}

void live_trust_refresh(struct live_view *v)
{
	const struct missing_list *list = v->hot ? v->hot->missing : NULL;

	/* without memory the old list stays */
	if (v->trust.symbols && list)
		symbols_update(v->trust.symbols, missing_list_copy(list));
}
