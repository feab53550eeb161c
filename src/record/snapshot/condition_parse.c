/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Parser of conditions. */
#include <errno.h>
#include <math.h>
#include <string.h>
#include "base/i18n.h"
#include "base/text.h"
#include "base/vec.h"
#include "event/selector/parser.h"
#include "record/snapshot/condition.h"

#define DEPTH_MAX \
	12 /* condition_evaluate() has a stack of 64; each level pushes one expr and one term */
#define PARTS_MAX  64
#define DIGITS_MAX 18 /* significant digits; further ones only move the point */
#define EXP_MAX	   60
#define LISTED_MAX 12 /* event names in a hint */

struct reading {
	struct parser p; /* text, position, error */
	const struct event_list *events;
	struct condition *ret;
};

static void skip_blanks(struct reading *r)
{
	while (*r->p.at == ' ' || *r->p.at == '\t')
		r->p.at++;
}

/* Skips `word` if it comes next; words of letters must end there. */
static bool skip_word(struct reading *r, const char *word)
{
	size_t n = strlen(word);
	char last = word[n - 1], next;

	skip_blanks(r);
	if (strncmp(r->p.at, word, n))
		return false;
	next = r->p.at[n];
	if (last >= 'a' && last <= 'z' && next && !strchr(" \t(,", next))
		return false;
	r->p.at += n;
	return true;
}

/* ---- events ---- */

/* True if an event name may end before `c`. */
static bool is_end_of_name(char c)
{
	return !c || strchr(" \t/<>=()&|", c);
}

/* "cycles/period=1000/": then a slash begins the terms, not a unit. */
static bool has_terms(const struct event *ev)
{
	return ev->kind == EVENT_HARDWARE || ev->kind == EVENT_SOFTWARE ||
	       ev->kind == EVENT_CACHE || ev->kind == EVENT_RAW;
}

/* Length of its name without terms and modifiers (":u"). */
static size_t bare_length(const struct event *ev)
{
	const char *colon = strrchr(ev->name, ':');
	size_t n = strlen(ev->name);

	if (has_terms(ev) && strchr(ev->name, '/'))
		return strcspn(ev->name, "/");
	/* the colon of a tracepoint is part of its name */
	if (!colon || !colon[1] || (ev->tp_name && strchr(ev->name, ':') == colon))
		return n;
	return modifiers_plausible((struct span){ colon + 1, ev->name + n }) ?
		       (size_t)(colon - ev->name) :
		       n;
}

static size_t fits(const char *at, const char *name, size_t n)
{
	return n && !strncmp(at, name, n) && is_end_of_name(at[n]) ? n : 0;
}

/* Lists the recorded events in the hint. */
static void hint_events(struct reading *r)
{
	struct buf list = BUF_INIT;
	size_t n = 0;

	for (size_t i = 0; i < r->events->n; i++) {
		if (r->events->v[i].sideband || n++ >= LISTED_MAX)
			continue;
		buf_addf(&list, "%s%s", list.len ? ", " : "", r->events->v[i].name);
	}
	if (n > LISTED_MAX)
		buf_addf(&list, ", ... (%zu)", n);
	if (!list.err)
		ptui_error_hint(r->p.err, _("recorded events: %s"), buf_str(&list));
	buf_release(&list);
}

static int unknown_event(struct reading *r)
{
	const char *at = r->p.at;
	struct buf word = BUF_INIT;
	size_t n = strcspn(at, " \t<>=()&|");

	if (!n) {
		parser_error(&r->p, at, _("an event name"),
			     *at ? _("event name expected") : _("the condition is incomplete"));
	} else if (at[0] >= '0' && at[0] <= '9') {
		parser_error(&r->p, at, _("an event name"),
			     _("write the event first, then the number"));
	} else {
		/* "cycles/s" is quoted as "cycles", "cpu/event=1/" unchanged */
		if (n > 2 && !strncmp(at + n - 2, "/s", 2))
			n -= 2;
		buf_add(&word, at, n < 120 ? n : text_utf8_floor(at, 120));
		parser_error(&r->p, at, _("a recorded event"),
			     _("this recording has no event '%s'"), buf_str(&word));
		buf_release(&word);
	}
	hint_events(r);
	return -EINVAL;
}

/* The longest matching name: the full name, or the one without modifiers if unambiguous. */
static int read_event(struct reading *r, uint32_t *ret)
{
	const struct event_list *events = r->events;
	size_t best = 0, best_bare = 0, n;
	uint32_t found = PTUI_NONE, bare = PTUI_NONE;
	bool several = false;

	skip_blanks(r);
	for (uint32_t i = 0; i < events->n; i++) {
		const struct event *ev = &events->v[i];

		if (ev->sideband)
			continue;
		n = fits(r->p.at, ev->name, strlen(ev->name));
		if (n > best) {
			best = n;
			found = i;
		}
		n = fits(r->p.at, ev->name, bare_length(ev));
		if (n && n == best_bare)
			several |= strcmp(ev->name, events->v[bare].name) != 0;
		if (n > best_bare) {
			best_bare = n;
			bare = i;
			several = false;
		}
	}
	if (found == PTUI_NONE && bare != PTUI_NONE && several) {
		parser_error(&r->p, r->p.at, _("the full name, with modifiers"),
			     _("'%.*s' matches several events of this recording"), (int)best_bare,
			     r->p.at);
		hint_events(r);
		return -EINVAL;
	}
	*ret = best >= best_bare ? found : bare;
	if (*ret == PTUI_NONE)
		return unknown_event(r);
	r->p.at += best >= best_bare ? best : best_bare;
	return 0;
}

/* ---- values and numbers ---- */

static bool skip_per_second(struct reading *r)
{
	const char *at = r->p.at;

	while (*at == ' ' || *at == '\t')
		at++;
	if (*at != 's' || !is_end_of_name(at[1]) || at[1] == '/')
		return false;
	r->p.at = at + 1;
	return true;
}

static int read_value(struct reading *r, struct condition_part *part)
{
	int ret = read_event(r, &part->event);

	if (ret)
		return ret;
	part->under = part->event;
	part->unit = PTUI_ARMED_COUNT;
	if (!skip_word(r, "/"))
		return 0;
	part->unit = PTUI_ARMED_RATE;
	if (skip_per_second(r))
		return 0;
	part->unit = PTUI_ARMED_RATIO;
	skip_blanks(r);
	if (is_end_of_name(*r->p.at))
		return parser_error(&r->p, r->p.at, _("s (per second) or another event"),
				    _("the divisor is missing"));
	return read_event(r, &part->under);
}

static int read_operator(struct reading *r, struct condition_part *part)
{
	const char *at;

	skip_blanks(r);
	at = r->p.at;
	if (*at != '<' && *at != '>')
		return parser_error(
			&r->p, at, _("one of > >= < <="),
			*at == '=' || *at == '!' ?
				_("a growing count is never exactly equal when it is checked") :
				_("comparison operator expected"));
	part->below = *r->p.at++ == '<';
	part->or_equal = *r->p.at == '=';
	r->p.at += part->or_equal;
	return 0;
}

/* strtod() depends on the locale's decimal point: do not use it. */
static double scaled(uint64_t digits, int exponent)
{
	double power = 1;

	for (int i = exponent < 0 ? -exponent : exponent; i; i--)
		power *= 10;
	return exponent < 0 ? (double)digits / power : (double)digits * power;
}

/*
 * Parses digits with an optional point at `at`, returns what follows; NULL: not a number, or too
 * large.
 */
static const char *read_digits(const char *at, uint64_t *ret_digits, int *ret_exponent)
{
	bool point = false, any = false;
	int n = 0;

	*ret_digits = 0;
	*ret_exponent = 0;
	for (; (*at >= '0' && *at <= '9') || (*at == '.' && !point); at++) {
		if (*at == '.') {
			point = true;
			continue;
		}
		any = true;
		if (n < DIGITS_MAX) {
			*ret_digits = *ret_digits * 10 + (uint64_t)(*at - '0');
			n += *ret_digits != 0;
			*ret_exponent -= point;
		} else {
			*ret_exponent += !point;
		}
		if (*ret_exponent > EXP_MAX || *ret_exponent < -EXP_MAX)
			return NULL;
	}
	return any ? at : NULL;
}

/* Parses "e6", "E-3"; leaves anything else. NULL: out of range. */
static const char *read_exponent(const char *at, int *exponent)
{
	const char *digits = at + 1;
	int sign = 1, value = 0;

	if (*at != 'e' && *at != 'E')
		return at;
	if (*digits == '+' || *digits == '-')
		sign = *digits++ == '-' ? -1 : 1;
	if (*digits < '0' || *digits > '9')
		return at;
	for (; *digits >= '0' && *digits <= '9'; digits++) {
		value = value * 10 + (*digits - '0');
		if (value > EXP_MAX)
			return NULL;
	}
	*exponent += sign * value;
	return digits;
}

static const struct {
	char letter;
	int exponent;
} suffixes[] = { { 'k', 3 }, { 'K', 3 }, { 'M', 6 }, { 'G', 9 } };

static int no_number(struct reading *r)
{
	return parser_error(&r->p, r->p.at, _("a number, such as 2000, 2k, 1.5M or 1e6"),
			    *r->p.at ? _("not a valid number to compare with") :
				       _("the number to compare with is missing"));
}

static int read_number(struct reading *r, struct condition_part *part)
{
	int exponent;
	uint64_t digits;
	const char *at;

	skip_blanks(r);
	at = read_digits(r->p.at, &digits, &exponent);
	at = at ? read_exponent(at, &exponent) : NULL;
	if (!at)
		return no_number(r);
	for (size_t i = 0; i < sizeof(suffixes) / sizeof(*suffixes); i++) {
		if (*at != suffixes[i].letter)
			continue;
		exponent += suffixes[i].exponent;
		at++;
		break;
	}
	if (*at == '%') {
		if (part->unit != PTUI_ARMED_RATIO)
			return parser_error(&r->p, at, _("a number without %"),
					    _("only the ratio of two events is compared with a "
					      "percentage"));
		part->unit = PTUI_ARMED_PERCENT;
		exponent -= 2;
		at++;
	}
	if (*at && !strchr(" \t)&|,", *at))
		return no_number(r);
	part->limit = scaled(digits, exponent);
	r->p.at = at;
	return 0;
}

/* ---- expressions ---- */

static int add_step(struct reading *r, enum condition_step step)
{
	struct condition *c = r->ret;

	if (vec_grow(&c->steps, &c->cap_steps, c->n_steps + 1))
		return ptui_error_nomem(r->p.err);
	c->steps[c->n_steps++] = (uint8_t)step;
	return 0;
}

static int read_comparison(struct reading *r)
{
	struct condition_part part = { .last_event = NAN, .last_under = NAN, .now = NAN };
	struct condition *c = r->ret;
	int ret;

	if (c->n_parts == PARTS_MAX)
		return parser_error(&r->p, r->p.at, _("fewer comparisons"),
				    _("too many comparisons in the condition"));
	ret = read_value(r, &part);
	ret = ret ? ret : read_operator(r, &part);
	ret = ret ? ret : read_number(r, &part);
	if (ret)
		return ret;
	if (vec_grow(&c->parts, &c->cap_parts, c->n_parts + 1))
		return ptui_error_nomem(r->p.err);
	c->parts[c->n_parts++] = part;
	return add_step(r, CONDITION_PART);
}

static int read_expr(struct reading *r, unsigned depth);

static int read_factor(struct reading *r, unsigned depth)
{
	const char *open;
	int ret;

	skip_blanks(r);
	open = r->p.at;
	if (*open != '(')
		return read_comparison(r);
	if (depth == DEPTH_MAX)
		return parser_error(&r->p, open, _("fewer parentheses"),
				    _("parentheses are nested too deeply"));
	r->p.at++;
	ret = read_expr(r, depth + 1);
	if (ret || skip_word(r, ")"))
		return ret;
	return parser_error(&r->p, r->p.at, _("), and, or"), _("closing parenthesis expected"));
}

static int read_term(struct reading *r, unsigned depth)
{
	int ret = read_factor(r, depth);

	while (!ret && (skip_word(r, "and") || skip_word(r, "&&"))) {
		ret = read_factor(r, depth);
		ret = ret ? ret : add_step(r, CONDITION_AND);
	}
	return ret;
}

static int read_expr(struct reading *r, unsigned depth)
{
	int ret = read_term(r, depth);

	while (!ret && (skip_word(r, "or") || skip_word(r, "||"))) {
		ret = read_term(r, depth);
		ret = ret ? ret : add_step(r, CONDITION_OR);
	}
	return ret;
}

/* ---- once, keep ---- */

static int read_keep(struct reading *r)
{
	uint64_t digits;
	int exponent;
	const char *end;

	skip_blanks(r);
	end = read_digits(r->p.at, &digits, &exponent);
	if (!end || exponent || !digits || digits > UINT32_MAX)
		return parser_error(&r->p, r->p.at, _("a number, such as 'keep 5'"),
				    _("the number of snapshots to keep is missing"));
	r->ret->keep = (unsigned)digits;
	r->p.at = end;
	return 0;
}

static int read_limits(struct reading *r)
{
	int ret = 0;

	skip_blanks(r);
	r->ret->expr_len = (size_t)(r->p.at - r->p.text);
	while (!ret && skip_word(r, ",")) {
		if (skip_word(r, "once"))
			r->ret->once = true;
		else if (skip_word(r, "keep"))
			ret = read_keep(r);
		else
			ret = parser_error(&r->p, r->p.at, "once, keep 5",
					   _("'once' or 'keep' expected after the comma"));
		skip_blanks(r);
	}
	return ret;
}

int condition_parse(const char *text, const struct event_list *events, struct condition *ret,
		    struct ptui_error *err)
{
	struct reading r = { .p = { .text = text, .at = text, .err = err },
			     .events = events,
			     .ret = ret };
	int failed;

	memset(ret, 0, sizeof(*ret));
	failed = read_expr(&r, 0);
	if (!failed)
		failed = read_limits(&r);
	if (!failed && *r.p.at)
		failed = parser_error(&r.p, r.p.at, _("and, or, a comma, or the end"),
				      _("unexpected text after the comparison"));
	if (!failed) {
		ret->text = strdup(text);
		if (!ret->text)
			failed = ptui_error_nomem(err);
	}
	if (failed)
		condition_release(ret);
	return failed;
}
