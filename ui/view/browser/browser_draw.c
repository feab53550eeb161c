/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdio.h>
#include <string.h>

#include "text/i18n.h"
#include "text/utf8.h"
#include "view/browser/browser_private.h"
#include "view/work_draw.h"
#include "widget/line.h"
#include "widget/number.h"
#include "widget/scroll.h"

#define RULE_ROWS  30 /* smaller terminals use the line for a row */
#define CRUMBS_MIN 12

static const struct ptui_event_info *event_of(const struct browser_screen *b)
{
	return ptui_profile_event(browser_profile(b->model),
				  browser_tab_event(b->model, browser_tab(b->model)));
}

/* ---- title ---- */

static size_t put_crumbs(const struct browser_screen *b, const char *name, char *buf, size_t size)
{
	size_t len = (size_t)snprintf(buf, size, "%s", name);
	char zoom[256];

	for (size_t i = 0; i < browser_n_zooms(b->model) && len < size; i++)
		len += (size_t)snprintf(buf + len, size - len, " › %s",
					browser_zoom_text(b->model, i, zoom, sizeof(zoom)));
	return len;
}

const char *browser_crumbs(const struct browser_screen *b, int width, char *buf, size_t size)
{
	const char *slash = strrchr(b->name, '/');

	put_crumbs(b, b->name, buf, size);
	if (slash && slash[1] && utf8_width(buf) > width)
		put_crumbs(b, slash + 1, buf, size);
	/* the zooms are more important than the file */
	if (browser_n_zooms(b->model) && utf8_width(buf) > width)
		put_crumbs(b, "…", buf, size);
	return buf;
}

void browser_head(void *self, const struct canvas *line)
{
	struct browser_screen *b = self;
	size_t n = browser_n_tabs(b->model);
	bool current = browser_is_current(b->model);
	char where[1024], doing[192] = "";
	struct canvas left = *line;
	struct worker_state work;
	int most = line->at.w * 2 / 3;

	b->tabs_w = n > 1 ? line_tabs_width(browser_tab_names(b->model), n) : 0;
	if (b->tabs_w > most)
		b->tabs_w = most;
	b->tabs_x = line->at.w - b->tabs_w - 1;
	if (n > 1)
		left = canvas_part(line, 0, 0, 1, b->tabs_x - 1);
	if (browser_get_work(b, &work) && work.total)
		snprintf(doing, sizeof(doing),
			 b->counting ? _("counting… %d%%") : _("opening… %d%%"),
			 (int)(100 * work.done / work.total));
	else if (b->counting || b->opening || b->expand_timer || !current)
		snprintf(doing, sizeof(doing), "%s",
			 b->opening || b->expand_timer ? _("opening…") : _("counting…"));
	if (sample_saver_is_busy(&b->saver))
		snprintf(doing, sizeof(doing), "%s", _("saving…"));
	browser_crumbs(b, left.at.w - CRUMBS_MIN, where, sizeof(where));
	line_head(&left, 0, where,
		  *doing ? doing :
		  n > 1	 ? "" :
			   _("✓ loaded"),
		  *doing ? ROLE_NOTE : ROLE_GOOD);
	if (n > 1)
		line_tabs(line, 0, b->tabs_x, b->tabs_w, browser_tab_names(b->model), n,
			  browser_tab(b->model));
}

/* ---- summary and view options ---- */

const char *browser_summary(const struct browser_screen *b, bool with_period, char *buf,
			    size_t size)
{
	const struct ptui_event_info *e = event_of(b);
	struct browser_rows *rows = browser_rows(b->model);
	struct ptui_hist_shown shown = { e->samples, e->period };
	char part[64], samples[64], period[64];
	int n;

	if (rows && browser_n_zooms(b->model))
		ptui_hist_shown(browser_rows_hist(rows), &shown);
	number_full(samples, sizeof(samples), e->samples);
	number_full(part, sizeof(part), shown.samples);
	/* clocks count nanoseconds */
	if (!strncmp(e->name, "cpu-clock", 9) || !strncmp(e->name, "task-clock", 10))
		number_span_ns(period, sizeof(period), shown.period);
	else
		number_full(period, sizeof(period), shown.period);
	if (shown.samples != e->samples)
		n = snprintf(buf, size, _("Samples: %s of %s of event '%s'"), part, samples,
			     e->name);
	else
		n = snprintf(buf, size, _("Samples: %s of event '%s'"), samples, e->name);
	if (with_period && n > 0 && (size_t)n < size)
		snprintf(buf + n, size - (size_t)n, _(", Event count (approx.): %s"), period);
	return buf;
}

#define WAYS_MAX 6

struct ways {
	char by[BROWSER_SORT_MAX + 32], below[96];
	const char *parts[WAYS_MAX]; /* most important first */
	size_t n;
};

static void find_ways(const struct browser_screen *b, struct ways *w)
{
	const struct browser_opts *o = browser_opts(b->model);
	size_t hidden = b->rows ? browser_rows_n_hidden(b->rows) : 0;

	w->n = 0;
	if (hidden) {
		snprintf(w->below, sizeof(w->below),
			 Q_("%zu row below %.4g%%", "%zu rows below %.4g%%", hidden), hidden,
			 o->limits.row_percent);
		w->parts[w->n++] = w->below;
	}
	if (o->hist.relative)
		w->parts[w->n++] = _("percentages of the zoom");
	if (o->hist.sort) {
		snprintf(w->by, sizeof(w->by), _("by %s"), o->hist.sort);
		w->parts[w->n++] = w->by;
	}
	if (event_of(b)->has_callchains && !o->hist.no_chains) {
		w->parts[w->n++] = o->hist.order == PTUI_CALLER ? _("callees below") :
								  _("callers below");
		w->parts[w->n++] = o->hist.children ? _("with children") : _("self only");
		if (o->hist.inlines == PTUI_INLINES_ON)
			w->parts[w->n++] = _("with inlined");
	}
}

/* Omits what does not fit. */
static void draw_ways(const struct ways *w, const struct canvas *c, int room)
{
	char text[1024] = "";
	size_t len = 0;
	int width = 0;

	for (size_t i = 0; i < w->n; i++) {
		int more = utf8_width(w->parts[i]) + (i ? 3 : 0);

		if (width + more > room)
			break;
		width += more;
		len += (size_t)snprintf(text + len, sizeof(text) - len, "%s%s", i ? " · " : "",
					w->parts[i]);
	}
	canvas_text(c, 0, c->at.w - 1 - width, ROLE_DIM, text);
}

static void draw_info(const struct browser_screen *b, const struct canvas *c)
{
	int width = c->at.w - 2, first;
	struct ways w;
	char text[512];

	if (!browser_n_tabs(b->model) || !c->at.h)
		return;
	find_ways(b, &w);
	if (b->counting || b->opening || b->expand_timer) {
		w.parts[0] = _("ESC stops it");
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
static const char *unwinding_key(const struct browser_screen *b, char *buf, size_t size)
{
	*buf = '\0';
	if (browser_opts(b->model)->record_again)
		keymaps_label(stack_keys(b->stack), KEYMAP_BROWSER, REQ_RECORD_AGAIN, buf, size);
	return buf;
}

static void draw_trust(const struct browser_screen *b, const struct canvas *c)
{
	static const style_t styles[] = { ROLE_DIM, ROLE_NOTE, ROLE_BAD };
	const struct trust_fact *facts = b->facts;
	struct line_fact shown[TRUST_FACTS_MAX + 1];
	char key[32];
	size_t n = 0;

	unwinding_key(b, key, sizeof(key));
	for (size_t i = 0; i < b->n_facts; i++) {
		bool remedy = *key && facts[i].unwinding_helps;
		const char *dsos = remedy && c->at.w < TRUST_ROOMY ? strstr(facts[i].text, " (") :
								     NULL;

		/* colour must not be the only sign */
		snprintf(shown[n].text, sizeof(shown[n].text), "%s%.*s",
			 facts[i].level == TRUST_FINE ? "" : "! ",
			 dsos ? (int)(dsos - facts[i].text) : 90, facts[i].text);
		shown[n].style = styles[facts[i].level];
		shown[n].hide = (int)i;
		n++;
		if (!remedy)
			continue;
		snprintf(shown[n].text, sizeof(shown[n].text), _("%s unwinds them"), key);
		shown[n].style = ROLE_KEY;
		shown[n].hide = (int)i;
		n++;
		*key = '\0';
	}
	if (n)
		line_facts(c, 0, _("trust"), shown, n);
}

/* ---- no rows ---- */

static void draw_text(const struct canvas *c, style_t style, const char *text)
{
	if (c->at.w > 4)
		scroll_text(c, c->at.h > 4 ? 1 : 0, 2, c->at.w - 4, style, text);
}

/* Explains what to do. */
static void draw_empty(struct browser_screen *b, const struct canvas *c)
{
	char text[1024], where[512];
	struct worker_state work;

	if (!browser_n_tabs(b->model)) {
		draw_text(c, ROLE_DIM, _("This recording has no events."));
	} else if (browser_error(b->model)) {
		draw_text(c, ROLE_BAD, browser_error(b->model)->text);
	} else if (!b->rows && browser_get_work(b, &work)) {
		work_draw(c, &work, _("ESC stops counting"));
	} else if (!b->rows) {
		return;
	} else if (!event_of(b)->samples) {
		draw_text(
			c, ROLE_DIM,
			browser_opts(b->model)->record_again ?
				_("No samples: the program may have been too short or idle. Press r to "
				  "record again.") :
				_("No samples: the program may have been too short or idle."));
	} else if (browser_rows_n_hidden(b->rows)) {
		draw_text(c, ROLE_DIM, _("All rows are below the limit: L changes it."));
	} else {
		put_crumbs(b, _("No rows"), where, sizeof(where));
		snprintf(text, sizeof(text), _("%s. ESC undoes the last step."), where);
		draw_text(c, ROLE_DIM, text);
	}
}

void browser_draw(void *self, const struct canvas *c)
{
	struct browser_screen *b = self;
	struct canvas at;

	b->boxes[BOX_RULE].off = c->at.h < RULE_ROWS;
	box_reflow(b->boxes, N_BROWSER_BOXES, c->at.h);
	at = box_canvas(&b->boxes[BOX_INFO], c);
	draw_info(b, &at);
	at = box_canvas(&b->boxes[BOX_BODY], c);
	if (b->rows && browser_rows_n(b->rows)) {
		if (b->columns_w != at.at.w)
			browser_set_columns(b, at.at.w);
		tree_draw(&b->tree, &at);
	} else {
		draw_empty(b, &at);
	}
	at = box_canvas(&b->boxes[BOX_RULE], c);
	if (at.at.h)
		canvas_rule(&at, 0);
	at = box_canvas(&b->boxes[BOX_TRUST], c);
	draw_trust(b, &at);
}
