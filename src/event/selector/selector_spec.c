/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Event specs: generic kernel events, numbers, tracepoints, PMU events. */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "base/i18n.h"
#include "base/text.h"
#include "base/vec.h"
#include "event/cpu_list.h"
#include "event/selector/parser.h"
#include "event/selector/terms.h"

#define RAW_DIGITS_MAX 16 /* of a 64-bit number */

/* Existing user-defined probes are tracepoints; ptui creates none. */
static bool is_probe_system(struct span system)
{
	return span_is(system, "probe") || span_starts_with(system, "probe_") ||
	       span_starts_with(system, "sdt_");
}

/* --- events ----------------------------------------------------------------- */

int spec_add(struct parser *p, const struct event_text *t, enum event_kind kind, uint32_t type,
	     uint64_t config)
{
	char *text = strndup(t->all.at, span_len(t->all));
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

int spec_apply_terms(struct parser *p, const struct event_text *t, size_t from)
{
	struct terms terms = { NULL, 0, 0 };
	int ret = t->has_terms ? terms_split(p, t->terms, &terms) : 0;

	for (size_t i = from; !ret && i < p->list->n; i++)
		ret = terms_apply_general(p, &terms, &p->list->v[i]);
	terms_release(&terms);
	return ret;
}

static int add_tracepoint(struct parser *p, const struct catalog_entry *entry)
{
	size_t system_len = strcspn(entry->name, ":");
	const struct event_text t = {
		.all = { entry->name, entry->name + strlen(entry->name) },
	};
	struct event *ev;
	uint64_t id;
	int ret = catalog_resolve(p->cat, entry, &id, p->err);

	if (!ret)
		ret = spec_add(p, &t, EVENT_TRACEPOINT, entry->type, id);
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
 * Adds tracepoints in the kernel's order, as perf does. Names and patterns have one colon, so the
 * whole matches exactly if both sides do.
 */
static int add_tracepoints(struct parser *p, struct span system, struct span name)
{
	char *pattern = strndup(system.at, (size_t)(name.end - system.at));
	const struct catalog_entry *entries, **found = NULL;
	size_t n, n_found = 0, cap = 0;
	int ret = pattern ? catalog_entries(p->cat, EVENT_TRACEPOINT, &entries, &n, p->err) :
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

static struct span skip_percent(struct span spec)
{
	if (span_starts_with(spec, "%sdt_"))
		spec.at++;
	return spec;
}

/* The error for a known SDT marker without a probe, or an unknown one. */
static int probe_missing(struct parser *p, struct span name)
{
	const struct catalog_entry *marker = catalog_find_aside(p->cat, EVENT_SDT, name.at,
								span_len(name));
	int ret = marker ? parser_error(p, name.at, _("an SDT marker with a probe"),
					_("no probe exists for SDT marker %s"), marker->name) :
			   parser_unknown_probe(p, name);

	if (marker || (span_starts_with(name, "sdt_") && p->err && !*p->err->hint))
		ptui_error_hint(
			p->err,
			_("make one: sudo ptui probe %.*s ('sudo ptui buildid-cache --add FILE' "
			  "first, if no file in the build-id cache has the marker)"),
			(int)(span_len(name) > 80 ? 80 : span_len(name)), name.at);
	return ret;
}

/* An error if something is between the name, which ends there, and the terms. */
static int check_end(struct parser *p, const struct event_text *t, const char *end)
{
	if (!t->has_terms || end == t->spec.end)
		return 0;
	return parser_error(p, end, _("a slash"), _("modifiers must follow the terms of an event"));
}

/* SYSTEM:NAME, or %sdt_PROVIDER:NAME as markers are also written; t->rest gets what follows it. */
static int parse_tracepoint(struct parser *p, struct event_text *t)
{
	struct span spec = skip_percent(t->spec), system = span_before(spec, ':');
	struct span name = span_before((struct span){ system.end + 1, spec.end }, ':');
	const struct catalog_entry *entry;

	if (!t->has_terms)
		t->rest = (struct span){ name.end, spec.end };
	if (check_end(p, t, name.end))
		return -EINVAL;
	if (system.at == system.end)
		return parser_error(p, spec.at, _("an event"), _("name missing before the colon"));
	if (name.at == name.end)
		return parser_error(p, name.at, _("the name of a tracepoint"),
				    _("name missing after the colon"));
	entry = catalog_find(p->cat, spec.at, (size_t)(name.end - spec.at));
	if (entry)
		return add_tracepoint(p, entry);
	if (is_probe_system(system) && !parser_is_glob((struct span){ spec.at, name.end }))
		return probe_missing(p, (struct span){ spec.at, name.end });
	/* a mistyped name with modifiers looks like a tracepoint: cyclse:u */
	if (name.end == spec.end && modifiers_plausible(name) && !parser_is_glob(system) &&
	    !parser_system_exists(p, system))
		return parser_unknown_event(p, system);
	return add_tracepoints(p, system, name);
}

bool parser_take_number(struct span s, uint64_t max, uint64_t *ret)
{
	int base = 10;

	if (span_starts_with(s, "0x")) {
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

bool parser_take_hex(struct span s, uint64_t *ret)
{
	char digits[RAW_DIGITS_MAX + 1] = "";

	if (s.at >= s.end || span_len(s) > RAW_DIGITS_MAX)
		return false;
	for (const char *c = s.at; c < s.end; c++) {
		if (!isxdigit((unsigned char)*c))
			return false;
	}
	memcpy(digits, s.at, span_len(s));
	*ret = strtoull(digits, NULL, 16);
	return true;
}

/* TYPE:CONFIG, the two numbers of perf_event_attr. */
static int parse_numbers(struct parser *p, struct event_text *t, uint64_t type)
{
	struct span head = span_before(t->spec, ':'), second;
	uint64_t config;

	if (head.end == t->spec.end)
		return parser_error(p, head.end, _("a colon and the event's config"),
				    _("an event number requires a config"));
	second = span_before((struct span){ head.end + 1, t->spec.end }, ':');
	if (!parser_take_number(second, UINT64_MAX, &config))
		return parser_error(p, second.at, _("a 64-bit number, decimal or 0x..."),
				    _("invalid event config"));
	if (!t->has_terms)
		t->rest = (struct span){ second.end, t->all.end };
	if (check_end(p, t, second.end))
		return -EINVAL;
	return unit_add_legacy(p, t,
			       &(struct catalog_entry){
				       .kind = EVENT_RAW,
				       .type = (uint32_t)type,
				       .config = config,
			       });
}

/* Parses the event by the text before its first colon. */
static int parse_by_head(struct parser *p, struct event_text *t)
{
	struct span head = span_before(t->spec, ':'), digits = { head.at + 1, head.end };
	const struct catalog_entry *entry;
	uint64_t number;
	int ret;

	if (!t->has_terms)
		t->rest = (struct span){ head.end, t->all.end };
	entry = head.at < head.end ? catalog_find_legacy(p->cat, head.at, span_len(head)) : NULL;
	if (entry)
		return check_end(p, t, head.end) ? -EINVAL : unit_add_legacy(p, t, entry);
	if (head.at < head.end && *head.at == 'r' && parser_take_hex(digits, &number)) {
		const struct catalog_entry raw = {
			.kind = EVENT_RAW,
			.type = PERF_TYPE_RAW,
			.config = number,
		};

		return check_end(p, t, head.end) ? -EINVAL : unit_add_legacy(p, t, &raw);
	}
	if (parser_take_number(head, UINT32_MAX, &number))
		return parse_numbers(p, t, number);
	if (t->has_terms && head.end == t->spec.end)
		return unit_parse(p, t);
	entry = head.at < head.end ? catalog_find(p->cat, head.at, span_len(head)) : NULL;
	if (entry && entry->kind == EVENT_TOOL)
		return check_end(p, t, head.end) ?
			       -EINVAL :
			       spec_add(p, t, entry->kind, entry->type, entry->config);
	ret = unit_parse_name(p, t, head);
	if (ret <= 0)
		return ret ? ret : check_end(p, t, head.end);
	if (head.end < t->spec.end)
		return parse_tracepoint(p, t);
	if (parser_is_glob(head))
		return parser_error(p, head.end, _("a colon and the name of a tracepoint"),
				    _("patterns are for tracepoints and units: SYSTEM:NAME, "
				      "UNIT/TERMS/"));
	return parser_unknown_event(p, head);
}

/* cpu=: the requested subset of the PMU's CPUs. 1: empty. */
static int limit_cpus(struct parser *p, struct event *ev)
{
	struct buf cpus = BUF_INIT;

	if (ev->cpus)
		cpu_list_add_common(&cpus, ev->cpus, ev->asked_cpus);
	else
		buf_add_str(&cpus, ev->asked_cpus);
	if (!cpus.err && !cpus.len)
		return 1;
	return buf_replace(&cpus, &ev->cpus) ? ptui_error_nomem(p->err) : 0;
}

/* A PMU without any of the requested CPUs does not count; at least one PMU must count. */
static int limit_all_cpus(struct parser *p, const struct event_text *t, size_t from)
{
	size_t n_asked = 0;

	for (size_t i = from; i < p->list->n;) {
		struct event *ev = &p->list->v[i];
		int ret = ev->asked_cpus ? limit_cpus(p, ev) : 0;

		if (ret < 0)
			return ret;
		n_asked++;
		if (ret)
			event_list_drop(p->list, i);
		else
			i++;
	}
	if (n_asked && p->list->n == from)
		return parser_error(p, t->spec.at, _("an event of these CPUs"),
				    _("the event is not available on any CPU in cpu="));
	return 0;
}

static int parse_any(struct parser *p, struct event_text *t)
{
	size_t from = p->list->n;
	int ret;

	if (span_starts_with(t->spec, "mem:") || span_starts_with(t->spec, "\\mem:"))
		return mem_parse(p, t);
	if (t->is_bpf)
		return bpf_parse(p, t);
	if (pfm_is_meant(t->spec))
		return pfm_parse(p, t);
	ret = parse_by_head(p, t);
	/* PMU terms are applied already */
	if (!ret && p->list->n > from && p->list->v[from].kind != EVENT_PMU)
		ret = spec_apply_terms(p, t, from);
	return ret;
}

int spec_parse(struct parser *p, struct event_text *t)
{
	size_t from = p->list->n;
	int ret = parse_any(p, t);

	return ret ? ret : limit_all_cpus(p, t, from);
}
