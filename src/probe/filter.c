/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <ctype.h>
#include <errno.h>
#include <string.h>
#include "base/i18n.h"
#include "base/text.h"
#include "probe/filter.h"

#define DEPTH_MAX 64
#define GLOB_MAX  512

/* Evaluates while it parses; `ok` is false after an error. */
struct parser {
	const char *at;
	const char *name;
	int depth;
	bool ok;
};

static bool parse_any(struct parser *p);

static char peek(struct parser *p)
{
	while (isspace((unsigned char)*p->at))
		p->at++;
	return *p->at;
}

static bool parse_glob(struct parser *p)
{
	char glob[GLOB_MAX];
	size_t n = strcspn(p->at, "&|!() \t\n");

	if (!n || n >= sizeof(glob)) {
		p->ok = false;
		return false;
	}
	memcpy(glob, p->at, n);
	glob[n] = '\0';
	p->at += n;
	return text_glob(glob, p->name);
}

static bool parse_one(struct parser *p)
{
	bool ret;
	char c = peek(p);

	if (p->depth >= DEPTH_MAX) {
		p->ok = false;
		return false;
	}
	p->depth++;
	if (c == '!') {
		p->at++;
		ret = !parse_one(p);
	} else if (c == '(') {
		p->at++;
		ret = parse_any(p);
		if (peek(p) == ')')
			p->at++;
		else
			p->ok = false;
	} else {
		ret = parse_glob(p);
	}
	p->depth--;
	return ret;
}

static bool parse_all(struct parser *p)
{
	bool ret = parse_one(p);

	while (p->ok && peek(p) == '&') {
		p->at++;
		ret = parse_one(p) && ret;
	}
	return ret;
}

static bool parse_any(struct parser *p)
{
	bool ret = parse_all(p);

	while (p->ok && peek(p) == '|') {
		p->at++;
		ret = parse_all(p) || ret;
	}
	return ret;
}

int probe_filter_check(const char *filter, struct ptui_error *err)
{
	struct parser p = { filter, "", 0, true };

	parse_any(&p);
	if (p.ok && !peek(&p))
		return 0;
	ptui_error_set(err, PTUI_ERROR_INPUT, EINVAL, filter, _("invalid filter '%s' at '%s'"),
		       filter, p.at);
	ptui_error_hint(err, _("a filter is a glob; several are joined by & and |, ! negates one, "
			       "and parentheses group them"));
	return -EINVAL;
}

bool probe_filter_matches(const char *filter, const char *name)
{
	struct parser p = { filter, name, 0, true };

	return parse_any(&p) && p.ok;
}
