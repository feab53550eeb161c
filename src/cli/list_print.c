/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>
#include "base/i18n.h"
#include "base/text.h"
#include "cli/list.h"

#define BELOW "       " /* perf's indentation below a name */

static bool is_tracepoint(const struct ptui_catalog_entry *entry)
{
	return !strcmp(entry->kind, "tracepoint") || !strcmp(entry->kind, "probe");
}

enum ptui_event_state list_try(const struct list_item *item, struct ptui_error *why)
{
	if (item->entry->form || (is_tracepoint(item->entry) && !item->named))
		return PTUI_EVENT_UNTRIED;
	return ptui_event_try(item->entry->name, why) ? PTUI_EVENT_REFUSED : PTUI_EVENT_OPENS;
}

/* Replaces line breaks, so that the text is one sentence. */
static void add_flat(struct buf *out, const char *text)
{
	struct buf safe = BUF_INIT;

	text_escape(&safe, text);
	for (const char *c = buf_str(&safe); *c; c++) {
		if (c[0] == '\\' && c[1] == 'n') {
			buf_add_char(out, ' ');
			c++;
		} else {
			buf_add_char(out, *c);
		}
	}
	buf_release(&safe);
}

/* Lines of `text` below the name, each after `mark`. */
static void add_lines(struct buf *out, const char *mark, const char *text)
{
	for (const char *line = text ? text : ""; *line; line += *line == '\n') {
		size_t len = strcspn(line, "\n");

		buf_addf(out, BELOW "%s%.*s\n", mark, (int)len, line);
		line += len;
	}
}

/* The meaning of the count, one line each. */
static void add_meaning(struct buf *out, const struct ptui_event_details *d)
{
	if (d->n_events > 1) {
		buf_add_str(out, BELOW);
		buf_addf(out, _("%zu events; of the first:"), d->n_events);
		buf_add_char(out, '\n');
	}
	add_lines(out, "", d->encoding);
	if (d->cpus) {
		buf_add_str(out, BELOW);
		buf_addf(out, _("opened on CPUs %s"), d->cpus);
		buf_add_char(out, '\n');
	}
	if (d->unit)
		add_lines(out, _("unit "), d->unit);
	if (d->scale != 1) {
		buf_add_str(out, BELOW);
		buf_addf(out, _("counted times %g"), d->scale);
		buf_add_char(out, '\n');
	}
	if (d->per_pkg)
		add_lines(out, "", _("one count for a whole socket"));
	if (d->snapshot)
		add_lines(out, "", _("the count is the current value, not an increase"));
	add_lines(out, _("term "), d->terms);
	add_lines(out, _("capability "), d->caps);
}

static void add_availability(struct buf *out, const struct list_item *item)
{
	struct ptui_error why = PTUI_ERROR_INIT;

	switch (list_try(item, &why)) {
	case PTUI_EVENT_OPENS:
		buf_addf(out, BELOW "%s\n", _("can be counted here"));
		break;
	case PTUI_EVENT_REFUSED:
		/* drop the selector and caret after the sentence: the name is already shown */
		why.text[strcspn(why.text, "\n")] = '\0';
		buf_addf(out, BELOW "%s ", _("cannot be counted here:"));
		add_flat(out, why.text);
		buf_add_char(out, '\n');
		add_lines(out, "  ", why.hint);
		break;
	default:
		break;
	}
}

static void print_details(struct buf *out, struct ptui_catalog *c, const struct list_item *item)
{
	struct ptui_error err = PTUI_ERROR_INIT;
	struct ptui_event_details d;

	if (item->entry->form)
		return;
	if (ptui_catalog_details(c, item->entry->name, &d, &err)) {
		/* markers: add_availability() prints the same reason */
		if (strcmp(item->entry->kind, "sdt")) {
			buf_add_str(out, BELOW);
			add_flat(out, err.text);
			buf_add_char(out, '\n');
		}
	} else {
		add_meaning(out, &d);
	}
	add_availability(out, item);
	add_lines(out, "  ", d.fields);
	ptui_event_details_release(&d);
}

void list_print_text(struct buf *out, struct ptui_catalog *c, const struct list_style *style,
		     const struct list_item *item)
{
	const struct ptui_catalog_entry *entry = item->entry;
	struct buf names = BUF_INIT;

	text_escape(&names, entry->name);
	if (entry->alias) {
		buf_add_str(&names, " OR ");
		text_escape(&names, entry->alias);
	}
	buf_addf(out, "  %-50s [%s]\n", buf_str(&names), entry->heading);
	buf_release(&names);
	if (entry->desc && (style->long_desc || (style->desc && !strcmp(entry->kind, "vendor")))) {
		buf_add_str(out, BELOW "[");
		add_flat(out, entry->desc);
		buf_add_str(out, "]\n");
	}
	if (style->details)
		print_details(out, c, item);
}

/* ---- JSON, with perf's keys where perf has them ---- */

static void add_member(struct buf *out, const char *name, const char *text)
{
	if (!text)
		return;
	buf_addf(out, ",\n\t\"%s\": ", name);
	text_json(out, text);
}

/* An array of the lines of a text. */
static void add_array(struct buf *out, const char *name, const char *lines)
{
	const char *between = "";

	buf_addf(out, ",\n\t\"%s\": [", name);
	for (const char *line = lines; *line; line += strcspn(line, "\n") + 1) {
		char *one = strndup(line, strcspn(line, "\n"));

		buf_add_str(out, between);
		text_json(out, one ? one : "");
		between = ", ";
		free(one);
	}
	buf_add_char(out, ']');
}

static void add_details_json(struct buf *out, struct ptui_catalog *c,
			     const struct ptui_catalog_entry *entry)
{
	struct ptui_error err = PTUI_ERROR_INIT;
	struct buf scale = BUF_INIT;
	struct ptui_event_details d;

	if (entry->form)
		return;
	if (!ptui_catalog_details(c, entry->name, &d, &err)) {
		add_member(out, "Encoding", d.encoding);
		add_member(out, "Unit", d.pmu);
		if (d.unit || d.scale != 1)
			buf_addf(&scale, "%g%s", d.scale, d.unit ? d.unit : "");
		add_member(out, "ScaleUnit", scale.len ? buf_str(&scale) : NULL);
		add_member(out, "PerPkg", d.per_pkg ? "1" : NULL);
		add_member(out, "Snapshot", d.snapshot ? "1" : NULL);
		add_member(out, "CPUs", d.cpus);
		if (d.terms)
			add_array(out, "Terms", d.terms);
		if (d.caps)
			add_array(out, "Capabilities", d.caps);
		if (d.fields)
			add_array(out, "Fields", d.fields);
	}
	ptui_event_details_release(&d);
	buf_release(&scale);
}

void list_print_json(struct buf *out, struct ptui_catalog *c, const struct list_style *style,
		     const struct list_item *item)
{
	static const char *const words[] = { "untried", "yes", "no" };
	const struct ptui_catalog_entry *entry = item->entry;
	struct ptui_error why = PTUI_ERROR_INIT;

	buf_add_str(out, "{\n\t\"EventName\": ");
	text_json(out, entry->name);
	add_member(out, "EventAlias", entry->alias);
	add_member(out, "EventType", entry->heading);
	add_member(out, "Kind", entry->kind);
	add_member(out, "BriefDescription", style->desc ? entry->desc : NULL);
	if (!entry->form) {
		enum ptui_event_state opens = list_try(item, &why);

		add_member(out, "Available", words[opens]);
		if (opens == PTUI_EVENT_REFUSED)
			add_member(out, "WhyNot", why.text);
	}
	if (style->details)
		add_details_json(out, c, entry);
	buf_add_str(out, "\n}");
}
