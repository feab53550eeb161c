/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Errors of selectors: the sentence, the position and suggestions. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/arena.h"
#include "base/i18n.h"
#include "base/text.h"
#include "base/vec.h"
#include "event/selector/parser.h"

#define NEAREST_MAX    3
#define BEFORE_COLUMNS 56  /* of a long selector: columns shown before the position … */
#define AFTER_BYTES    40  /* … and after it */
#define NAME_BYTES     120 /* of an unknown name in the error */

/* Copies `n` bytes of `from`, escaped for a terminal; truncates between characters. */
static void add_text(struct buf *out, const char *from, size_t len)
{
	struct buf copy = BUF_INIT;

	buf_add(&copy, from, len);
	text_escape(out, buf_str(&copy));
	buf_release(&copy);
}

/*
 *   …,cyclse:u,page-faults
 *     ^ expected
 */
static void add_caret(struct buf *out, const struct parser *p, const char *where,
		      const char *expected)
{
	size_t len = strlen(where), before = (size_t)(where - p->text), line;
	const char *from = p->text;

	buf_add_str(out, "\n  ");
	line = out->len;
	if (before > BEFORE_COLUMNS) {
		from = p->text + text_utf8_floor(p->text, before - BEFORE_COLUMNS);
		buf_add_str(out, "...");
	}
	add_text(out, from, (size_t)(where - from));
	if (!out->err) {
		size_t columns = text_width(out->data + line);

		add_text(out, where, len > AFTER_BYTES ? text_utf8_floor(where, AFTER_BYTES) : len);
		buf_add_str(out, len > AFTER_BYTES ? "...\n  " : "\n  ");
		buf_addf(out, "%*s^ %s", (int)columns, "", expected);
	}
}

int parser_error(struct parser *p, const char *where, const char *expected, const char *fmt, ...)
{
	struct buf text = BUF_INIT;
	va_list ap;

	va_start(ap, fmt);
	buf_vaddf(&text, fmt, ap);
	va_end(ap);
	add_caret(&text, p, where < p->text ? p->text : where, expected);
	if (text.err)
		ptui_error_nomem(p->err);
	else
		ptui_error_set(p->err, PTUI_ERROR_INPUT, EINVAL, p->text, "%s", buf_str(&text));
	buf_release(&text);
	return -EINVAL;
}

/* Names to choose the nearest from. */
struct names {
	const char **v;
	size_t n;
	size_t cap;
};

static void names_add(struct names *names, const char *name)
{
	if (name && !vec_grow(&names->v, &names->cap, names->n + 1))
		names->v[names->n++] = name;
}

static void names_add_kind(struct names *names, struct catalog *cat, enum event_kind kind)
{
	const struct catalog_entry *entries;
	size_t n;

	if (catalog_entries(cat, kind, &entries, &n, NULL))
		return;
	for (size_t i = 0; i < n; i++) {
		names_add(names, entries[i].name);
		names_add(names, entries[i].alias);
	}
}

static size_t nearest(const struct names *names, struct span word, const char **best)
{
	char *copy = strndup(word.at, span_len(word));
	size_t n = copy ? text_nearest(copy, names->v, names->n, best, NEAREST_MAX) : 0;

	free(copy);
	return n;
}

/* "did you mean a, b or c?" */
static void hint_names(struct parser *p, const char *const *best, size_t n)
{
	switch (n) {
	case 0:
		break;
	case 1:
		ptui_error_hint(p->err, _("did you mean %s?"), best[0]);
		break;
	case 2:
		ptui_error_hint(p->err, _("did you mean %s or %s?"), best[0], best[1]);
		break;
	default:
		ptui_error_hint(p->err, _("did you mean %s, %s or %s?"), best[0], best[1], best[2]);
	}
}

void parser_hint_nearest(struct parser *p, struct span word, const char *const *names, size_t n)
{
	const char *best[NEAREST_MAX];
	char *copy = strndup(word.at, span_len(word));

	if (copy)
		hint_names(p, best, text_nearest(copy, names, n, best, NEAREST_MAX));
	free(copy);
}

/* Tracepoints with a name after the colon similar to `word`. */
static size_t nearest_events(struct parser *p, struct span word, const char **best)
{
	const struct catalog_entry *entries;
	struct names names = { NULL, 0, 0 };
	size_t n, found;

	if (catalog_entries(p->cat, EVENT_TRACEPOINT, &entries, &n, NULL))
		return 0;
	for (size_t i = 0; i < n; i++)
		names_add(&names, strchr(entries[i].name, ':') + 1);
	found = nearest(&names, word, best);
	for (size_t k = 0; k < found; k++) {
		size_t i = 0;

		while (strchr(entries[i].name, ':') + 1 != best[k])
			i++;
		best[k] = entries[i].name;
	}
	free(names.v);
	return found;
}

/* Formats a name for an error message: at most one line, escaped for a terminal. */
static void quote(struct buf *out, struct span name)
{
	size_t len = span_len(name);

	if (len <= NAME_BYTES) {
		add_text(out, name.at, len);
	} else {
		add_text(out, name.at, text_utf8_floor(name.at, NAME_BYTES));
		buf_add_str(out, "...");
	}
}

int parser_unknown_event(struct parser *p, struct span name)
{
	struct names names = { NULL, 0, 0 };
	struct buf quoted = BUF_INIT;
	const char *best[NEAREST_MAX];
	size_t n;

	quote(&quoted, name);
	parser_error(p, name.at, _("an event name"), _("unknown event '%s'"), buf_str(&quoted));
	names_add_kind(&names, p->cat, EVENT_HARDWARE);
	names_add_kind(&names, p->cat, EVENT_SOFTWARE);
	names_add_kind(&names, p->cat, EVENT_CACHE);
	names_add_kind(&names, p->cat, EVENT_TOOL);
	names_add_kind(&names, p->cat, EVENT_PMU);
	n = nearest(&names, name, best);
	if (!n)
		n = nearest_events(p, name, best);
	hint_names(p, best, n);
	free(names.v);
	buf_release(&quoted);
	return -EINVAL;
}

/* Systems with a name near to `system`; the strings are in `text`. */
static size_t nearest_systems(struct parser *p, struct span system, struct arena *text,
			      const char **best)
{
	const struct catalog_entry *entries;
	struct names names = { NULL, 0, 0 };
	const char *last = "";
	size_t n, found;

	if (catalog_entries(p->cat, EVENT_TRACEPOINT, &entries, &n, NULL))
		return 0;
	for (size_t i = 0; i < n; i++) {
		size_t len = strcspn(entries[i].name, ":");

		if (strlen(last) == len && !strncmp(last, entries[i].name, len))
			continue;
		last = arena_memdup0(text, entries[i].name, len);
		if (!last)
			break;
		names_add(&names, last);
	}
	found = nearest(&names, system, best);
	free(names.v);
	return found;
}

bool parser_system_exists(struct parser *p, struct span system)
{
	const struct catalog_entry *entries;
	size_t n;

	if (catalog_entries(p->cat, EVENT_TRACEPOINT, &entries, &n, NULL))
		return false;
	for (size_t i = 0; i < n; i++) {
		size_t len = strcspn(entries[i].name, ":");

		if (len == span_len(system) && !memcmp(entries[i].name, system.at, len))
			return true;
	}
	return false;
}

bool parser_is_glob(struct span s)
{
	return memchr(s.at, '*', span_len(s)) || memchr(s.at, '?', span_len(s)) ||
	       memchr(s.at, '[', span_len(s));
}

int parser_unknown_tracepoint(struct parser *p, struct span system, struct span name)
{
	struct span whole = { system.at, name.end };
	struct names names = { NULL, 0, 0 };
	struct arena text = ARENA_INIT;
	struct buf quoted = BUF_INIT;
	const char *best[NEAREST_MAX];
	bool no_system = !parser_is_glob(system) && !parser_system_exists(p, system);
	size_t n;

	quote(&quoted, no_system ? system : whole);
	if (no_system)
		parser_error(p, system.at, _("an event, or the system of a tracepoint"),
			     _("unknown event or tracepoint system '%s'"), buf_str(&quoted));
	else if (parser_is_glob(whole))
		parser_error(p, system.at, _("a pattern that matches a tracepoint"),
			     _("no tracepoint matches '%s'"), buf_str(&quoted));
	else
		parser_error(p, name.at, _("the name of a tracepoint"),
			     _("unknown tracepoint '%s'"), buf_str(&quoted));
	names_add_kind(&names, p->cat, EVENT_TRACEPOINT);
	n = nearest(&names, whole, best);
	hint_names(p, best, n);
	if (!n && no_system) {
		n = nearest_systems(p, system, &text, best);
		for (size_t i = 0; i < n; i++)
			ptui_error_hint(p->err, _("system %s exists: ptui list '%s:*'"), best[i],
					best[i]);
	}
	free(names.v);
	arena_release(&text);
	buf_release(&quoted);
	return -EINVAL;
}

int parser_unknown_probe(struct parser *p, struct span name)
{
	struct names names = { NULL, 0, 0 };
	const char *best[NEAREST_MAX];

	parser_error(p, name.at, _("an existing tracepoint"),
		     _("no such probe: 'ptui probe' creates them"));
	names_add_kind(&names, p->cat, EVENT_PROBE);
	names_add_kind(&names, p->cat, EVENT_SDT);
	hint_names(p, best, nearest(&names, name, best));
	free(names.v);
	return -EINVAL;
}
