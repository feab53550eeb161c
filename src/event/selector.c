/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The selector, by recursive descent:
 *
 *   selector := item { ',' item }
 *   item     := [NAME] '{' event { ',' event } '}' [':' MODS]  |  event
 *   event    := spec [':' MODS]
 *   spec     := NAME  |  SYSTEM ':' NAME (globs)  |  'r' HEX  |  NUMBER ':' NUMBER
 *
 * Blanks around events are skipped. An event's text ends at one of , { } and is looked at
 * from the left: what stands before its first colon says which spec it is.
 */
#include "event/selector.h"
#include "base/i18n.h"
#include "base/text.h"
#include "base/vec.h"
#include "event/parser.h"
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define RAW_DIGITS_MAX 16 /* of a 64-bit number */

static void skip_blanks(struct parser *p)
{
	p->at += strspn(p->at, " \t\n");
}

static bool starts_with(struct span s, const char *word)
{
	size_t len = strlen(word);

	return span_len(s) >= len && !memcmp(s.at, word, len);
}

static bool is_word(struct span s, const char *word)
{
	return span_len(s) == strlen(word) && starts_with(s, word);
}

/* Up to the first `c`, or to the end. */
static struct span before(struct span s, char c)
{
	struct span front = { s.at, s.at };

	while (front.end < s.end && *front.end != c)
		front.end++;
	return front;
}

/* --- what ptui knows of, and does not take yet ------------------------------ */

static const char *const tool_events[] = { "duration_time", "user_time", "system_time" };

static int refuse_later(struct parser *p, struct span spec)
{
	const char *expected = _("an event that ptui takes");

	if (starts_with(spec, "mem:") || starts_with(spec, "\\mem:"))
		return parser_error(p, spec.at, expected,
				    _("ptui does not take breakpoints (mem:ADDRESS) yet"));
	if (memchr(spec.at, '/', span_len(spec)))
		return parser_error(p, spec.at, expected,
				    _("ptui does not take events by their unit and terms "
				      "(UNIT/TERM=VALUE/) yet"));
	for (size_t i = 0; i < sizeof(tool_events) / sizeof(tool_events[0]); i++) {
		if (is_word(before(spec, ':'), tool_events[i]))
			return parser_error(p, spec.at, expected,
					    _("ptui does not take the events that the tool itself "
					      "counts (%s) yet"),
					    tool_events[i]);
	}
	return 0;
}

/* User-made probes are tracepoints once they exist; ptui makes none. */
static bool is_probe_system(struct span system)
{
	return is_word(system, "probe") || starts_with(system, "probe_") ||
	       starts_with(system, "sdt_") || starts_with(system, "%sdt");
}

/* --- events ----------------------------------------------------------------- */

/* Appends an event of that text. */
static int add_event(struct parser *p, struct span name, enum event_kind kind, uint32_t type,
		     uint64_t config)
{
	char *text = strndup(name.at, span_len(name));
	struct event *ev = text ? event_list_add(p->list, text) : NULL;

	free(text);
	if (!ev)
		return ptui_error_nomem(p->err);
	ev->kind = kind;
	ev->attr.type = type;
	ev->attr.config = config;
	ev->attr.exclude_guest = 1;
	return 0;
}

static int add_tracepoint(struct parser *p, const struct catalog_entry *entry)
{
	size_t system_len = strcspn(entry->name, ":");
	struct span name = { entry->name, entry->name + strlen(entry->name) };
	struct event *ev;
	uint64_t id;
	int ret;

	ret = catalog_resolve(p->cat, entry, &id, p->err);
	if (!ret)
		ret = add_event(p, name, EVENT_TRACEPOINT, entry->type, id);
	if (ret)
		return ret;
	ev = &p->list->v[p->list->n - 1];
	ev->tp_system = strndup(entry->name, system_len);
	ev->tp_name = strdup(entry->name + system_len + 1);
	if (!ev->tp_system || !ev->tp_name)
		return ptui_error_nomem(p->err);
	return 0;
}

static int by_seq(const void *a, const void *b)
{
	const struct catalog_entry *const *x = a, *const *y = b;

	return ((*x)->seq > (*y)->seq) - ((*x)->seq < (*y)->seq);
}

/*
 * In the kernel's order, as perf has them. A name has one colon and so has the pattern, so
 * that the whole matches exactly when both sides do.
 */
static int add_tracepoints(struct parser *p, struct span system, struct span name)
{
	char *pattern = strndup(system.at, (size_t)(name.end - system.at));
	const struct catalog_entry *entries, **found = NULL;
	size_t n, n_found = 0, cap = 0;
	int ret;

	ret = pattern ? catalog_entries(p->cat, EVENT_TRACEPOINT, &entries, &n, p->err) :
			ptui_error_nomem(p->err);
	for (size_t i = 0; !ret && i < n; i++) {
		if (!text_glob(pattern, entries[i].name))
			continue;
		if (vec_grow(&found, &cap, n_found + 1))
			ret = ptui_error_nomem(p->err);
		else
			found[n_found++] = &entries[i];
	}
	if (!ret && !n_found)
		ret = parser_unknown_tracepoint(p, system, name);
	if (n_found)
		qsort(found, n_found, sizeof(*found), by_seq);
	for (size_t i = 0; !ret && i < n_found; i++)
		ret = add_tracepoint(p, found[i]);
	free(found);
	free(pattern);
	return ret;
}

/* SYSTEM:NAME; *rest gets what follows it. */
static int parse_tracepoint(struct parser *p, struct span spec, struct span *rest)
{
	struct span system = before(spec, ':');
	struct span name = before((struct span){ system.end + 1, spec.end }, ':');
	const struct catalog_entry *entry;

	*rest = (struct span){ name.end, spec.end };
	if (system.at == system.end)
		return parser_error(p, spec.at, _("an event"),
				    _("nothing stands before the colon"));
	if (name.at == name.end)
		return parser_error(p, name.at, _("the name of a tracepoint"),
				    _("nothing stands behind the colon"));
	entry = catalog_find(p->cat, spec.at, (size_t)(name.end - spec.at));
	if (entry)
		return add_tracepoint(p, entry);
	if (is_probe_system(system))
		return parser_error(p, spec.at, _("a tracepoint that exists"),
				    _("there is no such probe, and ptui does not make probes yet"));
	/* a mistyped name with modifiers looks like a tracepoint: cyclse:u */
	if (name.end == spec.end && modifiers_plausible(name) && !parser_is_glob(system) &&
	    !parser_system_exists(p, system))
		return parser_unknown_event(p, system);
	return add_tracepoints(p, system, name);
}

/* All of `s` as one number, decimal or 0x…; false when it is none or does not fit. */
static bool take_number(struct span s, uint64_t max, uint64_t *ret)
{
	int base = 10;

	if (starts_with(s, "0x")) {
		s.at += 2;
		base = 16;
	}
	if (s.at == s.end)
		return false;
	*ret = 0;
	for (; s.at < s.end; s.at++) {
		unsigned int digit;

		if (!isxdigit((unsigned char)*s.at) ||
		    (base == 10 && !isdigit((unsigned char)*s.at)))
			return false;
		digit = isdigit((unsigned char)*s.at) ?
				(unsigned int)(*s.at - '0') :
				(unsigned int)(tolower((unsigned char)*s.at) - 'a' + 10);
		if (*ret > (max - digit) / (unsigned int)base)
			return false;
		*ret = *ret * (unsigned int)base + digit;
	}
	return true;
}

/* 'r' and up to sixteen hexadecimal digits. */
static bool is_raw(struct span head)
{
	if (span_len(head) < 2 || span_len(head) > 1 + RAW_DIGITS_MAX || *head.at != 'r')
		return false;
	for (const char *c = head.at + 1; c < head.end; c++) {
		if (!isxdigit((unsigned char)*c))
			return false;
	}
	return true;
}

static uint64_t raw_config(struct span head)
{
	char digits[RAW_DIGITS_MAX + 1] = "";

	memcpy(digits, head.at + 1, span_len(head) - 1);
	return strtoull(digits, NULL, 16);
}

/* TYPE:CONFIG, the two numbers of perf_event_attr. */
static int parse_numbers(struct parser *p, struct span spec, uint64_t type, struct span *rest)
{
	struct span head = before(spec, ':'), second;
	uint64_t config;

	if (head.end == spec.end)
		return parser_error(p, head.end, _("a colon and the event's config"),
				    _("a number alone is no event"));
	second = before((struct span){ head.end + 1, spec.end }, ':');
	if (!take_number(second, UINT64_MAX, &config))
		return parser_error(p, second.at, _("a number of 64 bits, decimal or 0x..."),
				    _("the event's config is not a number"));
	*rest = (struct span){ second.end, spec.end };
	return add_event(p, spec, EVENT_RAW, (uint32_t)type, config);
}

/* Appends what `spec` names, without modifiers, which stay in *rest with their colon. */
static int parse_spec(struct parser *p, struct span spec, struct span *rest)
{
	struct span head = before(spec, ':');
	const struct catalog_entry *entry;
	uint64_t type;
	int ret;

	ret = refuse_later(p, spec);
	if (ret)
		return ret;
	*rest = (struct span){ head.end, spec.end };
	entry = catalog_find(p->cat, head.at, span_len(head));
	if (entry)
		return add_event(p, spec, entry->kind, entry->type, entry->config);
	if (is_raw(head))
		return add_event(p, spec, EVENT_RAW, PERF_TYPE_RAW, raw_config(head));
	if (take_number(head, UINT32_MAX, &type))
		return parse_numbers(p, spec, type, rest);
	if (head.end < spec.end)
		return parse_tracepoint(p, spec, rest);
	if (parser_is_glob(head))
		return parser_error(p, head.end, _("a colon and the name of a tracepoint"),
				    _("patterns are for tracepoints only: SYSTEM:NAME"));
	return parser_unknown_event(p, head);
}

/* One event (several, from a pattern). `leader` is the index of its group's first, or NULL. */
static int parse_event(struct parser *p, const size_t *leader)
{
	size_t len, from = p->list->n;
	struct modifiers mods;
	struct span spec, rest;
	int ret;

	skip_blanks(p);
	len = strcspn(p->at, ",{}");
	spec = (struct span){ p->at, p->at + len };
	p->at = spec.end;
	while (spec.end > spec.at && isspace((unsigned char)spec.end[-1]))
		spec.end--;
	if (*p->at == '{')
		return parser_error(p, p->at, _("a comma or a closing brace"),
				    _("a group cannot stand inside of a group"));
	if (spec.at == spec.end)
		return parser_error(p, spec.at, _("the name of an event"),
				    _("an event is missing in the selector"));
	for (const char *c = spec.at; c < spec.end; c++) {
		if (isspace((unsigned char)*c))
			return parser_error(p, c, _("a comma or the end"),
					    _("an event has no blanks in it"));
	}
	ret = parse_spec(p, spec, &rest);
	if (ret || rest.at == rest.end)
		return ret;
	rest.at++;
	ret = modifiers_parse(p, rest, &mods);
	if (!ret && mods.leader_only && leader && from != *leader)
		ret = parser_error(p, mods.leader_only,
				   _("the modifier at the group's first event"),
				   _("only the first event of a group can be pinned or exclusive"));
	for (size_t i = from; !ret && i < p->list->n; i++)
		ret = modifiers_apply(p, &mods, rest.at, &p->list->v[i], !leader || i == *leader,
				      false);
	return ret;
}

/* --- groups and lists ------------------------------------------------------- */

/* What stands behind the closing brace. */
static int parse_group_modifiers(struct parser *p, size_t leader)
{
	struct modifiers mods;
	struct span text;
	int ret;

	if (*p->at != ':')
		return 0;
	p->at++;
	text = (struct span){ p->at, p->at + strcspn(p->at, ",{} \t\n") };
	p->at = text.end;
	ret = modifiers_parse(p, text, &mods);
	for (size_t i = leader; !ret && i < p->list->n; i++)
		ret = modifiers_apply(p, &mods, text.at, &p->list->v[i], i == leader, true);
	return ret;
}

/* "{a,b}:MODS", from the opening brace on. */
static int parse_group(struct parser *p, struct span name)
{
	const char *open = p->at;
	size_t leader = p->list->n;
	int ret;

	do {
		p->at++;
		ret = parse_event(p, &leader);
		if (ret)
			return ret;
	} while (*p->at == ',');
	if (*p->at != '}')
		return parser_error(p, open, _("this one"), _("a brace is opened and not closed"));
	p->at++;
	for (size_t i = leader; i < p->list->n; i++)
		p->list->v[i].leader = (uint32_t)leader;
	if (name.at < name.end) {
		p->list->v[leader].group_name = strndup(name.at, span_len(name));
		if (!p->list->v[leader].group_name)
			return ptui_error_nomem(p->err);
	}
	return parse_group_modifiers(p, leader);
}

static int parse_item(struct parser *p)
{
	struct span name;

	skip_blanks(p);
	name = (struct span){ p->at, p->at + strcspn(p->at, ",{}:/ \t\n") };
	if (*name.end != '{')
		return parse_event(p, NULL);
	p->at = name.end;
	return parse_group(p, name);
}

static int parse_list(struct parser *p)
{
	for (;;) {
		int ret = parse_item(p);

		if (ret)
			return ret;
		skip_blanks(p);
		switch (*p->at) {
		case '\0':
			return 0;
		case ',':
			p->at++;
			break;
		case '}':
			return parser_error(p, p->at, _("a comma or the end"),
					    _("a brace is closed that was not opened"));
		default:
			return parser_error(p, p->at, _("a comma or the end"),
					    _("something follows an event without a comma"));
		}
	}
}

int selector_parse(struct catalog *cat, const char *text, struct event_list *list,
		   struct ptui_error *err)
{
	struct parser p = { .cat = cat, .text = text, .at = text, .list = list, .err = err };
	size_t before_n = list->n;
	int ret = parse_list(&p);

	if (ret)
		event_list_truncate(list, before_n);
	return ret;
}
