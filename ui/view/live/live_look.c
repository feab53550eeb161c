/* SPDX-License-Identifier: GPL-2.0-or-later */
/* View of the hottest functions: time range, decay, freezing, grouping. */
#include <stdio.h>
#include <string.h>

#include "model/report_line.h"
#include "text/i18n.h"
#include "text/number.h"
#include "view/copy_row.h"
#include "view/live/live_private.h"

/* ---- Y: copies the command line that shows this ---- */

/* A flag that is not as the view began. */
static void add_change(struct words *w, bool now, bool first, const char *on, const char *off)
{
	if (now != first)
		words_add(w, now ? on : off);
}

static const char *sort_of(const struct live_hot_view *view)
{
	return view->by == LIVE_HOT_THREADS ? "pid" :
	       view->by == LIVE_HOT_CPUS    ? "cpu" :
	       *view->look.sort		    ? view->look.sort :
					      NULL;
}

/* Later options override those that were given. */
static void add_view(const struct live_view *v, struct words *w)
{
	const struct live_hot_view *now = &v->look.view, *first = &v->look.first;
	const struct ptui_hist_filter only = {
		.comm = *now->look.only.comm ? now->look.only.comm : NULL,
		.dso = *now->look.only.dso ? now->look.only.dso : NULL,
		.symbol = *now->look.only.function ? now->look.only.function : NULL,
		.hide_dsos = *now->look.only.lists[ROWS_LIST_HIDDEN] ?
				     now->look.only.lists[ROWS_LIST_HIDDEN] :
				     NULL,
		.collapse_recursion = now->look.only.collapse_recursion,
	};
	uint32_t ms = ptui_live_refresh(v->live);
	char delay[32], percent[32];

	snprintf(delay, sizeof(delay), "%u.%03u", ms / 1000, ms % 1000);
	snprintf(percent, sizeof(percent), "%.15g", now->look.limits.row_percent);
	words_add_option(w, "-s", sort_of(now));
	words_add_option(w, "-d", delay);
	add_change(w, now->each_update, first->each_update, "-z", "--no-zero");
	add_change(w, now->hide_kernel, first->hide_kernel, "-K", "--no-hide_kernel_symbols");
	add_change(w, now->hide_user, first->hide_user, "-U", "--no-hide_user_symbols");
	if (now->look.limits.row_percent != first->look.limits.row_percent)
		words_add_option(w, "--percent-limit", percent);
	if (first->look.relative && !now->look.relative)
		words_add_option(w, "--percentage", "absolute");
	report_line_filter(&only, now->look.relative && !first->look.relative, w);
}

static void add_words(const struct live_view *v, struct words *w)
{
	bool record = false, top = false;

	for (size_t at = 0; at < v->opts.cmdline_bytes; at += strlen(v->opts.cmdline + at) + 1) {
		const char *word = v->opts.cmdline + at;
		bool command = !record && !top && at;

		words_add(w, word);
		top |= command && !strcmp(word, "top");
		if (!command || strcmp(word, "record") != 0)
			continue;
		record = true;
		word += strlen(word) + 1;
		if (word >= v->opts.cmdline + v->opts.cmdline_bytes || strcmp(word, "--tui") != 0)
			words_add(w, "--tui");
	}
	if (top)
		add_view(v, w);
}

/* Copies the `ptui record` or `ptui top` line that shows this. Returns wishes. */
static unsigned live_copy_command(struct live_view *v)
{
	struct words words = WORDS_INIT;

	if (!v->opts.cmdline_bytes)
		return stack_note(v->stack, _("the command line cannot be copied"));
	add_words(v, &words);
	return copy_command(v->stack, &words);
}

/* Half-life of decaying samples: a phase that ends disappears within about ten seconds. */
#define HALF_LIFE_NS 2000000000ull

/* Wakeups earlier than this share of the delay are changes of the state, not updates. */
#define UPDATE_PART(ms) ((ms)*1000000ull * 3 / 4)

#define DELAY_MIN_MS	50
#define DELAY_MAX_MS	3600000

static unsigned restart_view(struct live_view *v)
{
	live_tree_submit(v);
	return WISH_REDRAW;
}

static void thaw(struct live_view *v)
{
	ptui_profile_unref(v->look.frozen);
	v->look.frozen = NULL;
}

struct ptui_profile *live_look_profile(struct live_view *v, struct ptui_live_profile_info *ret)
{
	if (!v->look.frozen)
		return ptui_live_profile(v->live, ret);
	*ret = v->look.frozen_info;
	return ptui_profile_ref(v->look.frozen);
}

/*
 * Uses what was published since the last update. If there is nothing new, with each_update the
 * functions disappear.
 */
bool live_look_update(struct live_view *v)
{
	struct ptui_live_profile_info before = v->info;
	uint64_t now_ns = loop_now_ns();

	ptui_profile_unref(live_look_profile(v, &v->info));
	if (v->look.frozen)
		return false;
	if (v->info.generation == before.generation &&
	    (!v->look.view.each_update || v->model.phase != LIVE_RECORDING ||
	     now_ns - v->look.updated_ns < UPDATE_PART(ptui_live_refresh(v->live))))
		return false;
	v->look.updated_ns = now_ns;
	v->look.update_since_ns = before.last_ns ? before.last_ns + 1 : 0;
	return true;
}

struct live_hot_view live_look_view(const struct live_view *v)
{
	struct live_hot_view view = v->look.view;

	if (view.each_update && v->look.update_since_ns > view.since_ns)
		view.since_ns = v->look.update_since_ns;
	return view;
}

/* The recording continues; only the view is frozen. */
static unsigned freeze(struct live_view *v)
{
	if (v->look.frozen) {
		thaw(v);
		return restart_view(v);
	}
	v->look.frozen = ptui_live_profile(v->live, &v->look.frozen_info);
	if (!v->look.frozen)
		stack_note(v->stack, _("Nothing to freeze yet."));
	return WISH_REDRAW;
}

static unsigned zero(struct live_view *v)
{
	struct ptui_live_profile_info info = { 0 };

	thaw(v);
	ptui_profile_unref(ptui_live_profile(v->live, &info));
	v->look.view.since_ns = info.seen_ns + 1;
	v->look.since_elapsed_ns = v->model.stats.elapsed_ns;
	return restart_view(v);
}

/* Cycles through: all samples, decaying, only the latest. */
static unsigned decay(struct live_view *v)
{
	struct live_hot_view *view = &v->look.view;

	if (view->each_update) {
		view->each_update = false;
	} else if (view->half_life_ns) {
		view->half_life_ns = 0;
		view->each_update = true;
	} else {
		view->half_life_ns = HALF_LIFE_NS;
	}
	return restart_view(v);
}

/* Hiding both would show nothing: hiding one shows the other. */
static unsigned hide(struct live_view *v, bool kernel)
{
	struct live_hot_view *view = &v->look.view;
	bool *one = kernel ? &view->hide_kernel : &view->hide_user;

	*one = !*one;
	if (*one)
		*(kernel ? &view->hide_user : &view->hide_kernel) = false;
	return restart_view(v);
}

/* The same again: back to functions. */
static unsigned group_by(struct live_view *v, enum live_hot_by by)
{
	v->look.view.by = v->look.view.by == by ? LIVE_HOT_FUNCTIONS : by;
	return restart_view(v);
}

/* ---- the delay between updates ---- */

/* "2", "0.5", "250ms" to milliseconds; 0: invalid. */
static uint32_t read_delay(const char *text)
{
	uint64_t ms = 0, part = 1000;
	const char *p = text + strspn(text, " ");
	bool digits = false;

	for (; *p >= '0' && *p <= '9' && ms <= DELAY_MAX_MS; p++, digits = true)
		ms = ms * 10 + (uint64_t)(*p - '0');
	if (!strncmp(p, "ms", 2)) {
		p += 2;
	} else {
		ms *= 1000;
		if (*p == '.' || *p == ',') {
			for (p++; *p >= '0' && *p <= '9'; p++, digits = true)
				ms += (uint64_t)(*p - '0') * (part /= 10);
		}
		p += *p == 's';
	}
	p += strspn(p, " ");
	if (!digits || *p || ms < DELAY_MIN_MS || ms > DELAY_MAX_MS)
		return 0;
	return (uint32_t)ms;
}

static unsigned delay_done(void *ctx, const char *line)
{
	struct live_view *v = ctx;
	uint32_t ms;

	if (!line || !*line)
		return WISH_REDRAW;
	ms = read_delay(line);
	if (ms)
		ptui_live_set_refresh(v->live, ms);
	else
		stack_say(v->stack, ROLE_BAD,
			  _("“%s” is not a delay: use seconds from 0.05 to 3600, or 250ms."), line);
	return WISH_REDRAW;
}

static unsigned prompt_delay(struct live_view *v)
{
	return prompt_number(v->stack, _("seconds between updates: "),
			     ptui_live_refresh(v->live) / 1000.0, delay_done, v);
}

/* ---- requests ---- */

unsigned live_look_request(struct live_view *v, enum request req)
{
	switch (req) {
	case REQ_FREEZE:
		return freeze(v);
	case REQ_ZERO:
		return zero(v);
	case REQ_WHOLE:
		thaw(v);
		v->look.view.since_ns = 0;
		return restart_view(v);
	case REQ_DECAY:
		return decay(v);
	case REQ_HIDE_KERNEL:
		return hide(v, true);
	case REQ_HIDE_USER:
		return hide(v, false);
	case REQ_BY_THREAD:
		return group_by(v, LIVE_HOT_THREADS);
	case REQ_BY_CPU:
		return group_by(v, LIVE_HOT_CPUS);
	case REQ_DELAY:
		return prompt_delay(v);
	case REQ_COPY_COMMAND:
		return live_copy_command(v);
	default:
		return WISH_PASS;
	}
}

/* True if functions are filtered: percentages may be relative then. */
static bool is_narrow(const struct live_view *v)
{
	const struct live_hot_view *view = &v->look.view;

	return view->look.n_zooms || view->hide_kernel || view->hide_user;
}

bool live_look_can(const struct live_view *v, enum request req)
{
	bool opens = v->hot && rows_may_open(v->hot->rows);
	bool ended = v->model.phase == LIVE_ENDED || v->model.phase == LIVE_FAILED;

	switch (req) {
	case REQ_FREEZE:
	case REQ_ZERO:
	case REQ_DELAY:
		return !ended || v->look.frozen;
	case REQ_CHILDREN:
	case REQ_CHAIN_ORDER:
		return opens && v->look.view.by == LIVE_HOT_FUNCTIONS;
	case REQ_PERCENTAGE:
		return is_narrow(v);
	default:
		return rows_view_can(&v->rows, req, opens);
	}
}

static void add_rows_text(const struct live_view *v, char *buf, size_t size)
{
	const struct rows_look *l = &v->look.view.look;
	char name[ROWS_TEXT_MAX + 32];

	for (size_t i = 0; i < l->n_zooms; i++) {
		bool last = i + 1 == l->n_zooms;

		rows_look_zoom_name(l, i, name, sizeof(name));
		if (rows_look_is_shape(l->zooms[i]))
			live_add_text(buf, size, last ? _("%s (ESC)") : "%s", name);
		else
			live_add_text(buf, size, last ? _("only %s (ESC)") : _("only %s"), name);
	}
	if (l->relative && is_narrow(v))
		live_add_text(buf, size, _("percentages of these (F)"));
	if (l->children)
		live_add_text(buf, size, _("with children (O)"));
	if (l->chain_order == PTUI_CALLER)
		live_add_text(buf, size, _("callees below (G)"));
	if (l->limits.row_percent > 0)
		live_add_text(buf, size, _("from %g %% on (L)"), l->limits.row_percent);
}

void live_look_text(const struct live_view *v, char *buf, size_t size)
{
	const struct live_hot_view *view = &v->look.view;
	char clock[32];

	add_rows_text(v, buf, size);
	if (v->look.frozen)
		live_add_text(buf, size, _("the function list is frozen (f)"));
	if (view->since_ns)
		live_add_text(buf, size, _("since %s (Z: all)"),
			      number_clock_ns(clock, sizeof(clock), v->look.since_elapsed_ns));
	if (view->half_life_ns)
		live_add_text(buf, size, _("decay: half every %s (D)"),
			      number_span_ns(clock, sizeof(clock), view->half_life_ns));
	if (view->each_update)
		live_add_text(buf, size, _("only since the last update (D)"));
	if (view->hide_kernel)
		live_add_text(buf, size, _("without the kernel (K)"));
	if (view->hide_user)
		live_add_text(buf, size, _("only the kernel (U)"));
}
