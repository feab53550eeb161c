/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdio.h>
#include <string.h>

#include "model/amount.h"
#include "text/grouped.h"
#include "text/i18n.h"
#include "text/number.h"
#include "text/strings.h"
#include "text/utf8.h"
#include "view/browser/browser_private.h"
#include "view/print.h"
#include "widget/line.h"
#include "widget/scroll.h"

#define CRUMBS_MIN 12

/* ---- title ---- */

const char *browser_crumbs(const struct browser_screen *b, int width, char *buf, size_t size)
{
	const char *file = text_file_name(b->name);

	rows_look_crumbs(b->view.look, b->name, buf, size);
	if (*file && utf8_width(buf) > width)
		rows_look_crumbs(b->view.look, file, buf, size);
	/* the zooms are more important than the file */
	if (b->view.look->n_zooms && utf8_width(buf) > width)
		rows_look_crumbs(b->view.look, "…", buf, size);
	return buf;
}

const char *browser_loaded_text(const struct browser_screen *b, char *buf, size_t size)
{
	int percent = trust_loaded_percent(b->model->profile);

	*buf = '\0';
	if (percent < 100)
		snprintf(buf, size, _("%d%% of %s is loaded"), percent, b->name);
	return buf;
}

/* "loading…  7% of 1.0 GB": as wide all the time. */
static void put_loading(const struct browser_screen *b, char *buf, size_t size)
{
	struct ptui_trust t;
	char bytes[32];

	ptui_profile_trust(b->model->profile, &t);
	number_bytes(bytes, sizeof(bytes), t.total_bytes);
	snprintf(buf, size, _("loading… %2d%% of %s"), trust_loaded_percent(b->model->profile),
		 bytes);
}

/* What is done for a request; "": nothing. */
static void put_work(struct browser_screen *b, char *buf, size_t size)
{
	int percent = worker_percent(b->view.counting ? b->view.counting : b->opening);

	if (*rows_walk_text(&b->view, buf, size))
		return;
	if (percent >= 0 && !b->expand_timer)
		snprintf(buf, size, b->view.counting ? _("counting… %d%%") : _("opening… %d%%"),
			 percent);
	else if (b->opening || b->expand_timer)
		snprintf(buf, size, "%s", _("opening…"));
	else if (b->view.counting || !rows_tabs_is_current(b->view.tabs))
		snprintf(buf, size, "%s", _("counting…"));
	if (b->saver.worker)
		snprintf(buf, size, "%s", _("saving…"));
}

static void put_doing(struct browser_screen *b, char *buf, size_t size)
{
	char work[64];

	put_work(b, work, sizeof(work));
	if (!b->loading) {
		snprintf(buf, size, "%s", work);
	} else if (b->wanted) {
		snprintf(buf, size, _("loading fields… %d%%"), browser_loading_percent(b->loading));
	} else {
		put_loading(b, buf, size);
		/* rows of newer samples are counted all the time */
		if (*work && (b->view.asked || !b->view.counting))
			text_join(buf, size, " · ", "%s", work);
	}
}

void browser_head(void *self, const struct canvas *line)
{
	struct browser_screen *b = self;
	struct canvas left = rows_view_draw_tabs(&b->view, line);
	int percent = trust_loaded_percent(b->model->profile);
	char where[1024], doing[192], part[64] = "";

	put_doing(b, doing, sizeof(doing));
	if (percent < 100)
		snprintf(part, sizeof(part), _("%d%% loaded"), percent);
	browser_crumbs(b, left.at.w - CRUMBS_MIN, where, sizeof(where));
	line_head(&left, where,
		  *doing	      ? doing :
		  *part		      ? part :
		  b->view.tabs->n > 1 ? "" :
					_("✓ loaded"),
		  *doing ? ROLE_NOTE :
		  *part	 ? ROLE_BAD :
			   ROLE_GOOD);
}

/* ---- summary and view options ---- */

/* Of all events of a group. */
static void add_shown(const struct ptui_hist *h, struct ptui_hist_shown *ret)
{
	*ret = (struct ptui_hist_shown){ .period = 0 };
	for (size_t i = 0; i < ptui_hist_n_grouped(h); i++) {
		struct ptui_hist_shown one;

		ptui_hist_shown(ptui_hist_grouped(h, i), &one);
		ret->samples += one.samples;
		ret->period += one.period;
	}
}

static const char *browser_summary(const struct browser_screen *b, bool with_period, char *buf,
				   size_t size)
{
	const struct ptui_event_info *e = browser_event(b);
	const struct rows *rows = b->view.rows;
	const char *name = b->view.tabs->names[b->view.tabs->at];
	struct ptui_hist_shown shown = { .period = 0 };
	bool is_group = browser_is_grouped(b->model);
	struct grouped samples, part;
	char period[64];
	uint64_t all;

	all = browser_samples(b->model, browser_tab_event(b->model), &shown.period);
	shown.samples = all;
	if (rows && b->view.look->n_zooms)
		add_shown(rows_hist(rows), &shown);
	samples = grouped(all);
	part = grouped(shown.samples);
	amount_exact_text(e->name, shown.period, period, sizeof(period));
	if (shown.samples != all)
		snprintf(buf, size,
			 is_group ? _("Samples: %s of %s of the events '%s'") :
				    _("Samples: %s of %s of event '%s'"),
			 part.text, samples.text, name);
	else
		snprintf(buf, size,
			 is_group ? _("Samples: %s of the events '%s'") :
				    _("Samples: %s of event '%s'"),
			 samples.text, name);
	/* the events of a group count different things */
	if (with_period && !is_group)
		text_append(buf, size, _(", Event count (approx.): %s"), period);
	return buf;
}

#define WAYS_MAX 8

struct ways {
	char by[ROWS_TEXT_MAX + 32], below[96];
	const char *parts[WAYS_MAX]; /* most important first */
	size_t n;
};

static void find_ways(const struct browser_screen *b, struct ways *w)
{
	const struct rows_look *l = b->view.look;
	size_t hidden = b->view.rows ? rows_n_hidden(b->view.rows) : 0;

	w->n = 0;
	if (hidden) {
		snprintf(w->below, sizeof(w->below),
			 Q_("%s row below %.4g%%", "%s rows below %.4g%%", hidden),
			 grouped(hidden).text, l->limits.row_percent);
		w->parts[w->n++] = w->below;
	}
	if (l->relative)
		w->parts[w->n++] = _("percentages of the zoom");
	if (*l->sort) {
		snprintf(w->by, sizeof(w->by), _("by %s"), l->sort);
		w->parts[w->n++] = w->by;
	}
	if (l->hierarchy)
		w->parts[w->n++] = _("hierarchy");
	if (browser_event(b)->has_callchains && !b->model->opts.hist.no_chains) {
		w->parts[w->n++] = l->chain_order == PTUI_CALLER ? _("callees below") :
								   _("callers below");
		if (!l->hierarchy)
			w->parts[w->n++] = l->children ? _("with children") : _("self only");
		if (l->inlines == PTUI_INLINES_ON)
			w->parts[w->n++] = _("with inlined");
	}
}

/* Omits what does not fit. */
static void draw_ways(const struct ways *w, const struct canvas *c, int room)
{
	char text[1024] = "";
	int width = 0;

	for (size_t i = 0; i < w->n; i++) {
		int more = utf8_width(w->parts[i]) + (i ? 3 : 0);

		if (width + more > room)
			break;
		width += more;
		text_join(text, sizeof(text), " · ", "%s", w->parts[i]);
	}
	canvas_text(c, 0, c->at.w - 1 - width, ROLE_DIM, text);
}

void browser_draw_info(void *self, const struct canvas *c)
{
	const struct browser_screen *b = self;
	int width = c->at.w - 2, first;
	struct ways w;
	char text[512];

	if (!b->view.tabs->n || !c->at.h)
		return;
	find_ways(b, &w);
	if (b->loading || !browser_can_replace(b)) {
		w.parts[0] = b->loading && !b->view.walk.step ? _("ESC stops loading") :
								_("ESC stops it");
		w.n = 1;
	}
	/* the view options are more important than the total count */
	first = w.n ? utf8_width(w.parts[0]) + 2 : 0;
	if (utf8_width(browser_summary(b, true, text, sizeof(text))) + first > width)
		browser_summary(b, false, text, sizeof(text));
	canvas_cell(c, 0, 1, width, ALIGN_LEFT, ROLE_TITLE, text);
	draw_ways(&w, c, width - 2 - utf8_width(text));
}

#define TRUST_ROOMY 100 /* narrower lines name the remedy instead of the DSOs */

/* The key that records again with unwound stacks; "": not available. */
static struct key_text unwinding_key(const struct browser_screen *b)
{
	return keymaps_label(stack_keys(b->stack), KEYMAP_BROWSER,
			     b->model->opts.record_again ? REQ_RECORD_AGAIN : REQ_NONE);
}

void browser_draw_trust(void *self, const struct canvas *c)
{
	const struct browser_screen *b = self;
	static const style_t styles[] = { ROLE_DIM, ROLE_NOTE, ROLE_BAD };
	struct line_fact shown[TRUST_FACTS_MAX + 1];
	struct key_text key = unwinding_key(b);
	size_t n = 0;

	for (size_t i = 0; i < b->n_facts; i++) {
		const struct trust_fact *f = &b->facts[i];
		bool remedy = *key.text && f->unwinding_helps;
		const char *dsos = remedy && c->at.w < TRUST_ROOMY ? strstr(f->text, " (") : NULL;

		/* colour must not be the only sign */
		line_add_fact(shown, &n, styles[f->level], (int)i, "%s%.*s",
			      f->level == TRUST_FINE ? "" : "! ", dsos ? (int)(dsos - f->text) : 90,
			      f->text);
		if (!remedy)
			continue;
		line_add_fact(shown, &n, ROLE_KEY, (int)i, _("%s unwinds them"), key.text);
		*key.text = '\0';
	}
	if (n)
		line_facts(c, _("trust"), shown, n);
}

/* ---- no rows ---- */

static void draw_text(const struct canvas *c, style_t style, const char *text)
{
	if (c->at.w > 4)
		scroll_text(c, c->at.h > 4 ? 1 : 0, 2, c->at.w - 4, style, text);
}

/* Explains what to do. */
void browser_draw_empty(void *self, const struct canvas *c)
{
	struct browser_screen *b = self;
	char text[1024], where[512];

	if (!b->view.tabs->n) {
		draw_text(c, ROLE_DIM, _("This recording has no events."));
	} else if (rows_tabs_error(b->view.tabs)) {
		draw_text(c, ROLE_BAD, rows_tabs_error(b->view.tabs)->text);
	} else if (!b->view.rows && b->view.counting) {
		worker_draw(c, b->view.counting,
			    b->loading ? _("ESC stops loading") : _("ESC stops counting"));
	} else if (!b->view.rows) {
		return;
	} else if (!browser_samples(b->model, browser_tab_event(b->model), NULL)) {
		draw_text(
			c, ROLE_DIM,
			b->model->opts.record_again ?
				_("No samples: the program may have been too short or idle. Press r to "
				  "record again.") :
				_("No samples: the program may have been too short or idle."));
	} else if (rows_n_hidden(b->view.rows)) {
		draw_text(c, ROLE_DIM, _("All rows are below the limit: L changes it."));
	} else {
		rows_look_crumbs(b->view.look, _("No rows"), where, sizeof(where));
		snprintf(text, sizeof(text), _("%s. ESC undoes the last step."), where);
		draw_text(c, ROLE_DIM, text);
	}
}

void browser_print_head(void *self, FILE *out)
{
	const struct browser_screen *b = self;
	char text[1024];

	fputs("# ", out);
	print_text(out, browser_crumbs(b, INT32_MAX, text, sizeof(text)));
	if (*browser_loaded_text(b, text, sizeof(text))) {
		fputs("\n# ", out);
		print_text(out, text);
	}
	fputs("\n# ", out);
	print_text(out, browser_summary(b, true, text, sizeof(text)));
	fputc('\n', out);
}
