/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Event selectors, parsed by recursive descent:
 *
 *   selector := item { ',' item }
 *   item     := [NAME] '{' event { ',' event } '}' [':' MODS]  |  event
 *   event    := spec [':' MODS]
 *   spec     := PMU '/' TERMS '/'  |  NAME  |  SYSTEM ':' NAME (globs)  |  'r' HEX
 *             |  NUMBER ':' NUMBER  |  'mem:' …        each may be followed by '/' TERMS '/'
 *
 * Spaces around events are skipped. An event's text ends at the first , { or } outside of terms and
 * quotes. It is parsed from the left: the text before its first colon selects the kind of spec.
 */
#include <ctype.h>
#include <string.h>
#include "base/i18n.h"
#include "event/selector/parser.h"
#include "event/selector/selector.h"

static void skip_spaces(struct parser *p)
{
	p->at += strspn(p->at, " \t\n");
}

/* End of the event's text that starts here: the next delimiter of the list. */
static const char *find_end(const char *at, bool is_mem)
{
	bool in_terms = false, quoted = false;

	for (; *at; at++) {
		if (*at == '\'')
			quoted = !quoted;
		else if (quoted)
			continue;
		else if (*at == '/' && !is_mem)
			in_terms = !in_terms;
		else if (!in_terms && strchr(",{}", *at))
			break;
	}
	return at;
}

/* Splits the event's text off the list, and at its slashes. */
static int cut_event(struct parser *p, struct event_text *t)
{
	struct span all = { p->at, p->at };
	const char *bpf_end;
	bool is_mem;

	skip_spaces(p);
	all.at = p->at;
	is_mem = !strncmp(p->at, "mem:", 4) || !strncmp(p->at, "\\mem:", 5);
	bpf_end = bpf_path_end(p->at);
	/* the slashes of the path do not enclose terms */
	all.end = find_end(bpf_end ? bpf_end : p->at, is_mem);
	p->at = all.end;
	while (all.end > all.at && isspace((unsigned char)all.end[-1]))
		all.end--;
	if (*p->at == '{')
		return parser_error(p, p->at, _("a comma or a closing brace"),
				    _("groups cannot be nested"));
	if (all.at == all.end)
		return parser_error(p, all.at, _("an event name"),
				    _("event missing in the selector"));
	memset(t, 0, sizeof(*t));
	t->all = all;
	t->spec = is_mem ? all : span_before(all, '/');
	if (bpf_end)
		t->spec.end = bpf_end;
	t->is_bpf = bpf_end;
	t->rest = (struct span){ all.end, all.end };
	if (t->spec.end < all.end) {
		bool quoted = false;

		t->has_terms = true;
		t->terms = (struct span){ t->spec.end + 1, t->spec.end + 1 };
		for (; t->terms.end < all.end && (quoted || *t->terms.end != '/'); t->terms.end++)
			quoted ^= *t->terms.end == '\'';
		if (t->terms.end == all.end)
			return parser_error(p, all.end, _("a slash"),
					    _("unterminated event terms"));
		t->rest.at = t->terms.end + 1;
	}
	for (const char *c = all.at; c < all.end; c++) {
		if (isspace((unsigned char)*c))
			return parser_error(p, c, _("a comma or the end"),
					    _("unexpected space in an event"));
	}
	return 0;
}

/* One event (several, from a pattern). `leader` is the index of its group's first, or NULL. */
static int parse_event(struct parser *p, const size_t *leader)
{
	size_t from = p->list->n;
	struct modifiers mods;
	struct event_text t;
	int ret = cut_event(p, &t);

	if (!ret)
		ret = spec_parse(p, &t);
	if (!ret && p->listener)
		ret = p->listener->event(p, &t);
	if (ret || t.rest.at == t.rest.end)
		return ret;
	if (*t.rest.at == ':')
		t.rest.at++;
	ret = modifiers_parse(p, t.rest, &mods);
	if (!ret && mods.leader_only && leader && from != *leader)
		ret = parser_error(p, mods.leader_only,
				   _("the modifier at the group's first event"),
				   _("only the first event of a group can be pinned or exclusive"));
	for (size_t i = from; !ret && i < p->list->n; i++)
		ret = modifiers_apply(p, &mods, t.rest.at, &p->list->v[i], !leader || i == *leader,
				      false);
	return ret;
}

/* --- groups and lists ------------------------------------------------------- */

/* Modifiers after the closing brace. */
static int parse_group_modifiers(struct parser *p, size_t leader, struct span *ret_text)
{
	struct modifiers mods;
	struct span text;
	int ret;

	*ret_text = (struct span){ p->at, p->at };
	if (*p->at != ':')
		return 0;
	p->at++;
	text = (struct span){ p->at, p->at + strcspn(p->at, ",{} \t\n") };
	*ret_text = text;
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
	struct span modifiers;
	int ret;

	if (p->listener)
		p->listener->group_begins(p);
	do {
		p->at++;
		ret = parse_event(p, &leader);
		if (ret)
			return ret;
	} while (*p->at == ',');
	if (*p->at != '}')
		return parser_error(p, open, _("this one"), _("unterminated brace"));
	p->at++;
	for (size_t i = leader; i < p->list->n; i++)
		p->list->v[i].leader = (uint32_t)leader;
	if (name.at < name.end) {
		p->list->v[leader].group_name = strndup(name.at, span_len(name));
		if (!p->list->v[leader].group_name)
			return ptui_error_nomem(p->err);
	}
	ret = parse_group_modifiers(p, leader, &modifiers);
	if (!ret && p->listener)
		ret = p->listener->group_ends(p, name, modifiers);
	return ret ? ret : unit_split_group(p, leader);
}

static int parse_item(struct parser *p)
{
	struct span name;

	skip_spaces(p);
	name = (struct span){ p->at, p->at + strcspn(p->at, ",{}:/ \t\n") };
	if (*name.end != '{')
		return parse_event(p, NULL);
	p->at = name.end;
	return parse_group(p, name);
}

int parser_read(struct parser *p)
{
	for (;;) {
		int ret = parse_item(p);

		if (ret)
			return ret;
		skip_spaces(p);
		switch (*p->at) {
		case '\0':
			return 0;
		case ',':
			p->at++;
			break;
		case '}':
			return parser_error(p, p->at, _("a comma or the end"),
					    _("unmatched closing brace"));
		default:
			return parser_error(p, p->at, _("a comma or the end"),
					    _("comma missing after an event"));
		}
	}
}

int selector_parse(struct catalog *cat, const char *text, struct event_list *list,
		   struct ptui_error *err)
{
	struct parser p = { .cat = cat, .text = text, .at = text, .list = list, .err = err };
	size_t before_n = list->n;
	int ret = parser_read(&p);

	if (ret)
		event_list_truncate(list, before_n);
	return ret;
}
