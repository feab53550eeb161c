/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The kernel's filter grammar (kernel/trace/trace_events_filter.c), by recursive descent:
 *
 *   filter    := term { ( '&&' | '||' ) term }
 *   term      := '!' term  |  '(' filter ')'  |  FIELD ['.' WORD] OP VALUE
 *   OP        := '==' '!=' '<=' '<' '>=' '>' '&' '~'
 *   VALUE     := "TEXT" | 'TEXT' | NUMBER | CPUS{LIST} | WORD
 */
#include <ctype.h>
#include <errno.h>
#include "base/i18n.h"
#include "event/selector/filter_parse.h"

#define DEPTH_MAX 64 /* nesting of parentheses; the kernel's limit is lower */

struct fields {
	const char *const *names;
	size_t n;
	const struct event *ev;
};

static int parse_filter(struct parser *p, const struct fields *f, unsigned int depth);

static void skip_spaces(struct parser *p)
{
	while (isspace((unsigned char)*p->at))
		p->at++;
}

static bool is_name_char(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

static struct span parse_name(struct parser *p)
{
	struct span name = { p->at, p->at };

	while (is_name_char(*name.end))
		name.end++;
	p->at = name.end;
	return name;
}

static bool is_field(const struct fields *f, struct span name)
{
	for (size_t i = 0; i < f->n; i++) {
		if (span_is(name, f->names[i]))
			return true;
	}
	return false;
}

static int unknown_field(struct parser *p, struct span name, const struct fields *f)
{
	parser_error(p, name.at, _("the name of a field"), _("%s has no field called %.*s"),
		     f->ev->name, (int)(span_len(name) > 80 ? 80 : span_len(name)), name.at);
	parser_hint_nearest(p, name, f->names, f->n);
	if (p->err && !*p->err->hint)
		ptui_error_hint(p->err, _("ptui list --details %s:%s lists its fields"),
				f->ev->tp_system, f->ev->tp_name);
	return -EINVAL;
}

static int parse_field(struct parser *p, const struct fields *f)
{
	struct span name;

	skip_spaces(p);
	name = parse_name(p);
	if (name.at == name.end || isdigit((unsigned char)*name.at))
		return parser_error(p, name.at, _("the name of a field"),
				    _("field name missing in the filter"));
	if (!is_field(f, name))
		return unknown_field(p, name, f);
	/* access method: filename.ustring */
	if (*p->at == '.') {
		p->at++;
		parse_name(p);
	}
	return 0;
}

static int parse_operator(struct parser *p)
{
	/* the longer ones first */
	static const char *const operators[] = { "==", "!=", "<=", ">=", "<", ">", "&", "~" };

	skip_spaces(p);
	for (size_t i = 0; i < sizeof(operators) / sizeof(operators[0]); i++) {
		size_t len = strlen(operators[i]);

		/* && is between two of them */
		if (strncmp(p->at, operators[i], len) || !strncmp(p->at, "&&", 2))
			continue;
		p->at += len;
		return 0;
	}
	return parser_error(p, p->at, "== != < <= > >= & ~", _("comparison operator missing"));
}

static int parse_quoted(struct parser *p)
{
	const char *open = p->at, *end = strchr(open + 1, *open);

	if (!end)
		return parser_error(p, open, _("text in matching quotes"), _("unterminated quote"));
	p->at = end + 1;
	return 0;
}

static int parse_value(struct parser *p)
{
	const char *begin;

	skip_spaces(p);
	begin = p->at;
	if (*begin == '"' || *begin == '\'')
		return parse_quoted(p);
	if (!strncmp(begin, "CPUS{", 5)) {
		p->at = strchr(begin, '}');
		if (p->at) {
			p->at++;
			return 0;
		}
		p->at = begin;
		return parser_error(p, begin, _("a closing brace"), _("unterminated brace"));
	}
	p->at += *begin == '-' || *begin == '+';
	/* a pattern of functions (ftrace:function) has no quotes */
	while (is_name_char(*p->at) || (*p->at && strchr("*?.:", *p->at)))
		p->at++;
	if (p->at == begin)
		return parser_error(p, begin, _("a number, or quoted text"),
				    _("value missing in the filter"));
	return 0;
}

static int parse_term(struct parser *p, const struct fields *f, unsigned int depth)
{
	const char *open;
	int ret;

	skip_spaces(p);
	open = p->at;
	if (depth > DEPTH_MAX)
		return parser_error(p, open, _("fewer parentheses"),
				    _("parentheses nested too deeply in the filter"));
	if (*open == '!' || *open == '(')
		p->at++;
	if (*open == '!')
		return parse_term(p, f, depth + 1);
	if (*open != '(') {
		ret = parse_field(p, f);
		ret = ret ? ret : parse_operator(p);
		return ret ? ret : parse_value(p);
	}
	ret = parse_filter(p, f, depth + 1);
	skip_spaces(p);
	if (!ret && *p->at != ')')
		return parser_error(p, open, _("this one"), _("missing closing parenthesis"));
	p->at += !ret;
	return ret;
}

static int parse_filter(struct parser *p, const struct fields *f, unsigned int depth)
{
	for (;;) {
		int ret = parse_term(p, f, depth);

		if (ret)
			return ret;
		skip_spaces(p);
		if (strncmp(p->at, "&&", 2) && strncmp(p->at, "||", 2))
			return 0;
		p->at += 2;
	}
}

int filter_parse(struct parser *p, const char *const *names, size_t n, const struct event *ev)
{
	int ret = parse_filter(p, &(struct fields){ names, n, ev }, 0);

	if (!ret && *p->at)
		ret = parser_error(p, p->at, _("&&, || or the end"),
				   *p->at == ')' ? _("unmatched closing parenthesis") :
						   _("unexpected text after a comparison"));
	return ret;
}
