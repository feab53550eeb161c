/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * From -s and -F to the keys of a view. perf's rules:
 *   - without -F the columns are [children] overhead [samples], then the sort keys;
 *   - -s puts overhead in front of the keys that were named;
 *   - -F alone: its columns are the sort keys, too, in their order;
 *   - with both, sort keys that are no column yet become columns;
 *   - "+key" adds to the default instead of replacing it;
 *   - in a hierarchy each sort key is a level, and those in braces are one: {comm,dso},sym. Measures that
 *     -s names are levels as well, but for overhead; a level of measures only has one node.
 */
#include <errno.h>
#include <string.h>
#include <strings.h>
#include "base/i18n.h"
#include "base/text.h"
#include "profile/hist/keys.h"

/* All keys that a view may have. */
static const struct hist_columns with_children = { .children = true };

const char *ptui_default_sort(enum ptui_mode mode)
{
	switch (mode) {
	case PTUI_MODE_BRANCHES:
		return "comm,dso_from,symbol_from,symbol_to,cycles";
	case PTUI_MODE_MEMORY:
		return "local_weight,mem,sym,dso,symbol_daddr,dso_daddr,snoop,tlb,locked,blocked,"
		       "local_ins_lat";
	default:
		return "comm,dso,sym";
	}
}

static bool has_key(const struct hist_key *const *keys, size_t n, const struct hist_key *key)
{
	for (size_t i = 0; i < n; i++) {
		if (keys[i] == key)
			return true;
	}
	return false;
}

/* There are fewer keys than HIST_KEYS_MAX. */
void hist_keys_add(const struct hist_key **keys, size_t *n, const struct hist_key *key)
{
	if (*n < HIST_KEYS_MAX && !has_key(keys, *n, key))
		keys[(*n)++] = key;
}

/* perf's keys that ptui does not have, and why. */
static const struct {
	const char *key, *why;
} perf_keys[] = {
	{ "symbol_iaddr", N_("'symbol' has the same rows") },
	{ "simd", N_("it comes from Arm SPE traces, which ptui does not decode") },
};

static const char *why_not(const char *key)
{
	for (size_t i = 0; i < sizeof(perf_keys) / sizeof(perf_keys[0]); i++)
		if (!strcasecmp(perf_keys[i].key, key))
			return _(perf_keys[i].why);
	return NULL;
}

static int unknown_key(const char *option, const char *word, size_t len, struct ptui_error *err)
{
	const char *names[HIST_KEYS_MAX], *best[3];
	char text[64];
	size_t n = 0, n_best;

	if (len >= sizeof(text))
		len = sizeof(text) - 1;
	memcpy(text, word, len);
	text[len] = '\0';
	if (why_not(text))
		return ptui_error_set(err, PTUI_ERROR_INPUT, EINVAL, text,
				      _("%s: ptui does not have perf's key '%s': %s"), option, text,
				      why_not(text));
	for (size_t i = 0; hist_key_at(i); i++)
		names[n++] = hist_key_at(i)->name;
	ptui_error_set(err, PTUI_ERROR_INPUT, EINVAL, text, _("%s: unknown key '%s'"), option,
		       text);
	n_best = text_nearest(text, names, n, best, 3);
	if (n_best)
		ptui_error_hint(err, _("did you mean '%s'?"), best[0]);
	else
		ptui_error_hint(err, _("'ptui report --help' lists the keys"));
	return -EINVAL;
}

static int too_many_fields(const struct hist_plan *plan, const struct hist_scope *scope,
			   const char *option, struct ptui_error *err)
{
	const struct ptui_profile *p = scope->profile;
	const struct trace_key *f = &p->trace.fields[plan->extra_field];
	const char *name = strpool_get(&p->names, f->name);

	return ptui_error_set(err, PTUI_ERROR_INPUT, E2BIG, name,
			      _("%s: no room for the field '%s' of %s: there are at most %d fields "
				"of tracepoints"),
			      option, name, p->events[f->event].name, HIST_FIELDS_MAX);
}

/* Parses a comma-separated list, without the leading '+'. */
static int parse_keys(struct hist_plan *plan, const struct hist_scope *scope, const char *option,
		      const char *text, const struct hist_key **keys, size_t *n,
		      struct ptui_error *err)
{
	for (;;) {
		size_t len = strcspn(text, ", {}");

		if (len) {
			const struct hist_key *key = hist_key_find(text, len);

			if (key)
				hist_keys_add(keys, n, key);
			plan->fields_last = !key;
			if (!key &&
			    (!scope || !hist_plan_add_fields(plan, scope, text, len, keys, n)))
				return unknown_key(option, text, len, err);
			if (plan->extra_field != PTUI_NONE)
				return too_many_fields(plan, scope, option, err);
		}
		text += len;
		if (!*text)
			return 0;
		text++;
	}
}

/* The number of the sort key at `end` of a list, counted from 0; keys in braces have one number. */
static unsigned level_at(const char *list, const char *end)
{
	unsigned level = 0;
	bool in_braces = false;

	for (const char *at = list; at < end; at++) {
		if (*at == '{' || *at == '}')
			in_braces = *at == '{';
		else if ((*at == ',' || *at == ' ') && !in_braces && at > list && at[-1] != *at)
			level++;
	}
	return level;
}

/* Whether a word of a list names the key. */
static bool is_key_of(const struct hist_plan *plan, const struct hist_key *key, const char *word,
		      size_t len)
{
	int i = hist_key_field_index(key);

	if (i < 0)
		return hist_key_find(word, len) == key;
	return plan->fields[i].word_len == len && !strncmp(plan->fields[i].word, word, len);
}

/* Sets the levels of the keys of a list that have none yet. The list was parsed before. */
static unsigned set_levels(struct hist_plan *plan, const char *list, unsigned first)
{
	unsigned next = first;

	for (const char *at = list; *at;) {
		size_t len = strcspn(at, ", {}");

		for (size_t i = 0; len && i < plan->n_sort; i++) {
			if (plan->level[i] != HIST_NO_LEVEL ||
			    !is_key_of(plan, plan->sort[i], at, len))
				continue;
			plan->level[i] = first + level_at(list, at);
			next = plan->level[i] + 1;
		}
		at += len + (at[len] != '\0');
	}
	return next;
}

static bool has_level(const struct hist_plan *plan, unsigned level)
{
	for (size_t i = 0; i < plan->n_sort; i++)
		if (plan->level[i] == level)
			return true;
	return false;
}

/* Numbers without a key are left out: those of measures, and of keys that are named twice. */
static void close_gaps(struct hist_plan *plan, unsigned n)
{
	for (unsigned level = n; level-- > 0;) {
		if (has_level(plan, level))
			continue;
		for (size_t i = 0; i < plan->n_sort; i++)
			if (plan->level[i] != HIST_NO_LEVEL && plan->level[i] > level)
				plan->level[i]--;
	}
}

/* As in perf, "overhead_us" has "overhead" in it, too. */
static bool names(const char *sort, const char *key)
{
	return sort && strstr(sort, key);
}

/* Whether the first sort key, or those in its braces, only measure. */
static bool begins_with_measures(const struct hist_plan *plan)
{
	bool ret = false;

	for (size_t i = 0; i < plan->n_sort; i++) {
		if (plan->level[i] == 0 && plan->sort[i]->value)
			return false;
		ret |= plan->level[i] == 0;
	}
	return ret;
}

static bool is_latency(const struct hist_key *key)
{
	return key == hist_key_latency || key == hist_key_latency_children;
}

/* As in perf, if overhead is named, the first of the list are the measures of all levels instead of it. */
static bool measures_all(const struct hist_plan *plan, size_t i, bool first)
{
	return first ? plan->level[i] == 0 :
		       !strncmp(plan->sort[i]->name, "overhead", strlen("overhead")) ||
			       is_latency(plan->sort[i]);
}

static void find_levels(struct hist_plan *plan, enum ptui_mode mode, const char *sort)
{
	unsigned next = 0;
	bool first;

	for (size_t i = 0; i < HIST_KEYS_MAX; i++)
		plan->level[i] = HIST_NO_LEVEL;
	if (!sort || *sort == '+')
		next = set_levels(plan, ptui_default_sort(mode), 0);
	if (sort)
		next = set_levels(plan, sort + (*sort == '+'), next);
	first = names(sort, "overhead") && begins_with_measures(plan);
	for (size_t i = 0; i < plan->n_sort; i++) { /* of -F, and what is added */
		if (measures_all(plan, i, first))
			plan->level[i] = HIST_NO_LEVEL;
		else if (plan->sort[i]->value && plan->level[i] == HIST_NO_LEVEL)
			plan->level[i] = next++;
	}
	close_gaps(plan, next);
}

static void add_default_columns(struct hist_plan *plan, const struct hist_columns *columns)
{
	if (columns->children)
		hist_keys_add(plan->show, &plan->n_show, hist_key_children);
	if (hist_plan_has(plan, hist_key_latency))
		hist_keys_add(plan->show, &plan->n_show, hist_key_latency);
	hist_keys_add(plan->show, &plan->n_show, hist_key_overhead);
	if (columns->modes) {
		hist_keys_add(plan->show, &plan->n_show, hist_key_sys);
		hist_keys_add(plan->show, &plan->n_show, hist_key_us);
	}
	if (columns->samples)
		hist_keys_add(plan->show, &plan->n_show, hist_key_sample);
	if (columns->period)
		hist_keys_add(plan->show, &plan->n_show, hist_key_period);
}

static int plan_sort(struct hist_plan *plan, enum ptui_mode mode, const struct hist_scope *scope,
		     const char *sort, bool strict_fields, bool children, struct ptui_error *err)
{
	const struct hist_key *named[HIST_KEYS_MAX];
	size_t n = 0;
	int ret = 0;

	if (sort && *sort != '+') {
		ret = parse_keys(plan, scope, "--sort", sort, named, &n, err);
	} else if (sort || !strict_fields) {
		ret = parse_keys(plan, scope, "--sort", ptui_default_sort(mode), named, &n, err);
		if (!ret && sort)
			ret = parse_keys(plan, scope, "--sort", sort + 1, named, &n, err);
	}
	if (ret)
		return ret;
	for (size_t i = 0; i < n; i++) { /* before overhead, wherever it is named */
		if (!is_latency(named[i]))
			continue;
		if (children && !strict_fields) {
			hist_keys_add(plan->sort, &plan->n_sort, hist_key_latency_children);
			hist_keys_add(plan->sort, &plan->n_sort, hist_key_children);
		}
		hist_keys_add(plan->sort, &plan->n_sort, named[i]);
	}
	if (!strict_fields) {
		if (children && !names(sort, "overhead_children"))
			hist_keys_add(plan->sort, &plan->n_sort, hist_key_children);
		if (!names(sort, "overhead"))
			hist_keys_add(plan->sort, &plan->n_sort, hist_key_overhead);
	}
	for (size_t i = 0; i < n; i++)
		hist_keys_add(plan->sort, &plan->n_sort, named[i]);
	return 0;
}

unsigned hist_plan_place(const struct hist_plan *plan, const struct hist_key *key)
{
	unsigned place = 0;

	while (place + 1 < plan->n_sort && plan->sort[place] != key)
		place++;
	return place;
}

bool hist_plan_has(const struct hist_plan *plan, const struct hist_key *key)
{
	return has_key(plan->sort, plan->n_sort, key);
}

static void use_own_addresses(const struct hist_key **keys, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!strcmp(keys[i]->name, hist_key_own_addr.name))
			keys[i] = &hist_key_own_addr;
}

int hist_plan_make(struct hist_plan *plan, enum ptui_mode mode, const struct hist_scope *scope,
		   const char *sort, const char *fields, const struct hist_columns *columns,
		   struct ptui_error *err)
{
	bool strict = fields && *fields != '+';
	int ret;

	memset(plan, 0, sizeof(*plan));
	plan->extra_field = PTUI_NONE;
	ret = plan_sort(plan, mode, scope, sort, strict, columns->children, err);
	if (ret)
		return ret;
	if (!strict) {
		if (plan->n_sort && is_latency(plan->sort[0]))
			hist_keys_add(plan->show, &plan->n_show, plan->sort[0]);
		add_default_columns(plan, columns);
	}
	if (fields)
		ret = parse_keys(plan, scope, "--fields", fields + !strict, plan->show,
				 &plan->n_show, err);
	if (ret)
		return ret;
	for (size_t i = 0; i < plan->n_sort; i++)
		hist_keys_add(plan->show, &plan->n_show, plan->sort[i]);
	for (size_t i = 0; i < plan->n_show; i++)
		hist_keys_add(plan->sort, &plan->n_sort, plan->show[i]);
	find_levels(plan, mode, sort);
	if (!columns->children) {
		use_own_addresses(plan->sort, plan->n_sort);
		use_own_addresses(plan->show, plan->n_show);
	}
	for (size_t i = 0; i < plan->n_sort; i++) {
		plan->needs |= plan->sort[i]->needs;
		plan->extras |= plan->sort[i]->extra;
	}
	if (!plan->n_show && plan->other_fields) {
		hist_keys_add(plan->show, &plan->n_show, hist_key_overhead);
		hist_keys_add(plan->sort, &plan->n_sort, hist_key_overhead);
		plan->level[plan->n_sort - 1] = HIST_NO_LEVEL;
	}
	if (!plan->n_show)
		return ptui_error_set(err, PTUI_ERROR_INPUT, EINVAL, NULL,
				      _("--fields: no key given"));
	return 0;
}

int ptui_hist_check_keys(const struct ptui_profile *p, const char *sort, const char *fields,
			 struct ptui_error *err)
{
	struct hist_scope scope = { p, PTUI_NONE };
	struct hist_plan plan;
	int ret = hist_plan_make(&plan, PTUI_MODE_SAMPLES, p ? &scope : NULL, sort, fields,
				 &with_children, err);

	/* each event has fields of its own */
	for (scope.event = 0; !ret && p && plan.other_fields && scope.event < p->n_events;
	     scope.event++)
		ret = hist_plan_make(&plan, PTUI_MODE_SAMPLES, &scope, sort, fields, &with_children,
				     err);
	return ret;
}

bool ptui_profile_lacks_fields(const struct ptui_profile *p, const char *sort, const char *fields)
{
	struct hist_plan plan;

	for (uint32_t e = 0; e < p->n_events; e++) {
		const struct hist_scope scope = { p, e };

		if (hist_plan_make(&plan, PTUI_MODE_SAMPLES, &scope, sort, fields, &with_children,
				   NULL))
			return false;
		for (size_t i = 0; i < plan.n_fields; i++)
			if (!p->trace.fields[plan.fields[i].field].loaded)
				return true;
	}
	return false;
}

int ptui_hist_check_names(const char *sort, const char *fields, bool *ret_fields,
			  struct ptui_error *err)
{
	const struct hist_scope scope = { NULL, PTUI_NONE };
	struct hist_plan plan;
	int ret = hist_plan_make(&plan, PTUI_MODE_SAMPLES, &scope, sort, fields, &with_children,
				 err);

	if (ret_fields)
		*ret_fields = !ret && plan.other_fields;
	return ret;
}

unsigned ptui_hist_keys_extras(const char *sort, const char *fields)
{
	const struct hist_scope scope = { NULL, PTUI_NONE };
	struct hist_plan plan;

	return hist_plan_make(&plan, PTUI_MODE_SAMPLES, &scope, sort, fields, &with_children,
			      NULL) ?
		       0 :
		       plan.extras | (plan.other_fields ? PTUI_EXTRA_FIELDS : 0);
}

const char *ptui_hist_extra_key(const char *sort, const char *fields, unsigned extras)
{
	const struct hist_scope scope = { NULL, PTUI_NONE };
	struct hist_plan plan;

	if (hist_plan_make(&plan, PTUI_MODE_SAMPLES, &scope, sort, fields, &with_children, NULL))
		return "";
	for (size_t i = 0; i < plan.n_sort; i++)
		if (plan.sort[i]->extra & extras)
			return plan.sort[i]->name;
	return "";
}

const char *ptui_hist_key_name(size_t i)
{
	const struct hist_key *key = hist_key_at(i);

	return key ? key->name : NULL;
}

const char *ptui_hist_key_help(size_t i)
{
	return _(hist_key_at(i)->help);
}

bool ptui_hist_key_applies(size_t i, const struct ptui_event_info *event)
{
	const struct hist_key *key = hist_key_at(i);

	if (key == hist_key_children)
		return event->has_callchains;
	if (key->needs & KEY_NEEDS_CYCLES || !strcmp(key->name, "ipc_null")) /* of texts only */
		return false;
	if (key->needs & KEY_NEEDS_PARENT && !event->has_callchains)
		return false;
	if (key->extra & ~event->extras)
		return false;
	return !(key->needs & KEY_NEEDS_CPU) || !event->lacks_cpu;
}

bool profile_event_is_dummy(const struct ptui_event_info *event)
{
	return !strncmp(event->name, "dummy", strlen("dummy"));
}

const char *ptui_profile_default_sort(const struct ptui_profile *p)
{
	bool any = false;

	if (ptui_profile_mode(p) != PTUI_MODE_SAMPLES)
		return NULL;
	for (size_t i = 0; i < p->n_events; i++) {
		if (profile_event_is_dummy(&p->events[i]))
			continue;
		if (!(p->events[i].extras & PTUI_EXTRA_TRACE))
			return NULL;
		any = true;
	}
	if (!any)
		return NULL;
	return p->raw_trace ? "trace_fields" : "trace";
}

bool ptui_hist_key_groups(size_t i)
{
	const struct hist_key *key = hist_key_at(i);

	return key && key->value;
}
