/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>
#include "base/i18n.h"
#include "base/text.h"
#include "cli/list.h"
#include "ptui/doctor.h"

#define BELOW "       " /* perf's indent of what stands below a name */

enum list_try list_try(const struct ptui_catalog_entry *entry, struct ptui_error *why)
{
	if (entry->form || !strcmp(entry->kind, "tracepoint"))
		return LIST_UNTRIED;
	return ptui_event_try(entry->name, why) ? LIST_REFUSED : LIST_OPENS;
}

/* "type 4, config 0x1cd, config1 0x3" */
static void add_encoding(struct buf *out, const struct ptui_event_details *d)
{
	buf_addf(out, "type %u, config %#llx", d->type, d->config);
	if (d->config1)
		buf_addf(out, ", config1 %#llx", d->config1);
	if (d->config2)
		buf_addf(out, ", config2 %#llx", d->config2);
}

/* A sentence on one line: causes are told with line breaks in them. */
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

static void print_details(struct buf *out, struct ptui_catalog *c,
			  const struct ptui_catalog_entry *entry)
{
	struct ptui_error err = PTUI_ERROR_INIT;
	struct ptui_event_details d;
	const char *line;

	if (entry->form)
		return;
	buf_add_str(out, BELOW);
	if (ptui_catalog_details(c, entry->name, &d, &err))
		add_flat(out, err.text);
	else
		add_encoding(out, &d);
	buf_add_char(out, '\n');
	for (line = d.fields ? d.fields : ""; *line; line += strcspn(line, "\n") + 1) {
		buf_add_str(out, BELOW "  ");
		buf_add(out, line, strcspn(line, "\n"));
		buf_add_char(out, '\n');
	}
	ptui_event_details_release(&d);
}

void list_print_text(struct buf *out, struct ptui_catalog *c, const struct list_style *style,
		     const struct ptui_catalog_entry *entry)
{
	struct buf names = BUF_INIT;

	text_escape(&names, entry->name);
	if (entry->alias) {
		buf_add_str(&names, " OR ");
		text_escape(&names, entry->alias);
	}
	buf_addf(out, "  %-50s [%s]\n", buf_str(&names), entry->heading);
	buf_release(&names);
	if (style->long_desc && entry->desc) {
		buf_add_str(out, BELOW "[");
		add_flat(out, entry->desc);
		buf_add_str(out, "]\n");
	}
	if (style->details)
		print_details(out, c, entry);
}

/* ---- JSON: perf's names where perf has one ---- */

static void add_string(struct buf *out, const char *text)
{
	buf_add_char(out, '"');
	for (const unsigned char *c = (const unsigned char *)text; *c; c++) {
		if (*c == '"' || *c == '\\')
			buf_addf(out, "\\%c", *c);
		else if (*c < 0x20 || *c == 0x7f)
			buf_addf(out, "\\u%04x", *c);
		else
			buf_add_char(out, (char)*c);
	}
	buf_add_char(out, '"');
}

static void add_member(struct buf *out, const char *name, const char *text)
{
	if (!text)
		return;
	buf_addf(out, ",\n\t\"%s\": ", name);
	add_string(out, text);
}

static void add_fields_json(struct buf *out, const char *fields)
{
	const char *line, *between = "";

	buf_add_str(out, ",\n\t\"Fields\": [");
	for (line = fields; *line; line += strcspn(line, "\n") + 1) {
		char *one = strndup(line, strcspn(line, "\n"));

		buf_add_str(out, between);
		add_string(out, one ? one : "");
		between = ", ";
		free(one);
	}
	buf_add_char(out, ']');
}

static void add_details_json(struct buf *out, struct ptui_catalog *c,
			     const struct ptui_catalog_entry *entry)
{
	struct ptui_error err = PTUI_ERROR_INIT;
	struct buf encoding = BUF_INIT;
	struct ptui_event_details d;

	if (!entry->form && !ptui_catalog_details(c, entry->name, &d, &err)) {
		add_encoding(&encoding, &d);
		add_member(out, "Encoding", buf_str(&encoding));
		if (d.fields)
			add_fields_json(out, d.fields);
	}
	if (!entry->form)
		ptui_event_details_release(&d);
	buf_release(&encoding);
}

void list_print_json(struct buf *out, struct ptui_catalog *c, const struct list_style *style,
		     const struct ptui_catalog_entry *entry)
{
	static const char *const words[] = { "untried", "yes", "no" };
	struct ptui_error why = PTUI_ERROR_INIT;
	enum list_try opens = list_try(entry, &why);

	buf_add_str(out, "{\n\t\"EventName\": ");
	add_string(out, entry->name);
	add_member(out, "EventAlias", entry->alias);
	add_member(out, "EventType", entry->heading);
	add_member(out, "Kind", entry->kind);
	add_member(out, "BriefDescription", entry->desc);
	if (!entry->form) {
		add_member(out, "Available", words[opens]);
		if (opens == LIST_REFUSED)
			add_member(out, "WhyNot", why.text);
	}
	if (style->details)
		add_details_json(out, c, entry);
	buf_add_str(out, "\n}");
}
