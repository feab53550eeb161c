/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include "base/i18n.h"
#include "base/text.h"
#include "probe/definition.h"

#define PLACE_ENDS ";:+@%"

static int wrong(struct ptui_error *err, const char *text, const char *why)
{
	ptui_error_set(err, PTUI_ERROR_INPUT, EINVAL, text, _("invalid probe definition '%s': %s"),
		       text, why);
	ptui_error_hint(err,
			_("write it as 'FUNC[@SRC][+OFFSET|%%return|:LINE|;PATTERN] [ARG...]' or "
			  "'SRC:LINE [ARG...]'"));
	return -EINVAL;
}

bool probe_name_is_valid(const char *name)
{
	if (!isalpha((unsigned char)*name) && *name != '_')
		return false;
	while (*++name)
		if (!isalnum((unsigned char)*name) && *name != '_')
			return false;
	return true;
}

static bool starts_name(char c)
{
	return isalpha((unsigned char)c) || c == '_';
}

bool probe_arg_is_variable(const struct probe_arg *arg)
{
	return starts_name(arg->var[0]);
}

bool probe_has_variables(const struct probe_definition *def)
{
	for (size_t i = 0; i < def->n_args; i++)
		if (probe_arg_is_variable(&def->args[i]) || !strcmp(def->args[i].var, "$vars") ||
		    !strcmp(def->args[i].var, "$params"))
			return true;
	return false;
}

bool probe_needs_debug_info(const struct probe_definition *def)
{
	return def->point.file || def->point.line || def->point.pattern || probe_has_variables(def);
}

bool probe_is_glob(const char *name)
{
	return strpbrk(name, "*?[") != NULL;
}

/* The first of the characters that no backslash quotes; NULL: none. */
static char *find_unquoted(char *s, const char *chars)
{
	for (; *s; s++) {
		if (*s == '\\' && s[1])
			s++;
		else if (strchr(chars, *s))
			return s;
	}
	return NULL;
}

/* In place. */
static char *unquote(char *s)
{
	char *to = s;

	for (const char *from = s; *from; from++) {
		if (*from == '\\' && from[1])
			from++;
		*to++ = *from;
	}
	*to = '\0';
	return s;
}

/* A whole number, decimal or 0x.... */
static bool read_number(const char *s, uint64_t max, uint64_t *ret)
{
	char *end;

	if (!isdigit((unsigned char)*s))
		return false;
	errno = 0;
	*ret = strtoull(s, &end, 0);
	return !errno && !*end && *ret <= max;
}

/* ---- the event's name ---- */

static int read_event_name(char *s, const char *text, struct probe_definition *ret,
			   struct ptui_error *err)
{
	char *colon = find_unquoted(s, ":");

	ret->event = s;
	if (colon) {
		*colon = '\0';
		ret->group = unquote(s);
		ret->event = colon + 1;
	}
	unquote((char *)ret->event);
	if (ret->is_sdt)
		return *ret->event ? 0 : wrong(err, text, _("the marker's name is missing"));
	if ((ret->group && !probe_name_is_valid(ret->group)) || !probe_name_is_valid(ret->event))
		return wrong(err, text,
			     _("names of groups and events consist of letters, digits and _"));
	if ((ret->group && strlen(ret->group) > PROBE_NAME_MAX) ||
	    strlen(ret->event) > PROBE_NAME_MAX)
		return wrong(err, text, _("the name is longer than the kernel allows"));
	return 0;
}

static bool names_marker(const char *s)
{
	return *s == '%' || (text_starts_with(s, "sdt_") && strchr(s, ':') && !strchr(s, '='));
}

/* "%PROVIDER:MARKER[@FILE]" */
static int read_marker(char *s, const char *text, struct arena *mem, struct probe_definition *ret,
		       struct ptui_error *err)
{
	char *end;
	int error;

	s += *s == '%';
	end = find_unquoted(s, ";=@+%");
	if (end && *end != '@')
		return wrong(err, text,
			     _("a marker (%PROVIDER:NAME) has no line, offset or event name"));
	if (end) {
		*end = '\0';
		ret->target = unquote(end + 1);
	}
	error = read_event_name(s, text, ret, err);
	if (error)
		return error;
	ret->point.function = arena_printf(mem, "%%%s", ret->event);
	return ret->point.function ? 0 : ptui_error_nomem(err);
}

/* ---- the place ---- */

/* What follows one of PLACE_ENDS, up to the next. */
static int read_place(char kind, char *s, const char *text, struct probe_point *ret,
		      struct ptui_error *err)
{
	uint64_t value;

	switch (kind) {
	case ':':
		if (!read_number(s, INT_MAX, &value))
			return wrong(err, text, _("a line number must follow ':'"));
		ret->line = (int)value;
		return 0;
	case '+':
		if (!read_number(s, UINT64_MAX, &ret->offset))
			return wrong(err, text, _("a number of bytes must follow '+'"));
		return 0;
	case '@':
		if (ret->file || !*s)
			return wrong(err, text, _("one source file must follow '@'"));
		ret->file = unquote(s);
		return 0;
	default:
		if (strcmp(s, "return"))
			return wrong(err, text, _("only %return may follow a function"));
		ret->returns = true;
		return 0;
	}
}

static int check_point(const struct probe_point *p, const char *text, struct ptui_error *err)
{
	if (!p->function && !p->file)
		return wrong(err, text, _("a function or a source file is missing"));
	if (p->pattern && !*p->pattern)
		return wrong(err, text, _("a pattern must follow ';'"));
	if (p->pattern && (p->line || p->offset))
		return wrong(err, text, _("a pattern cannot be combined with a line or an offset"));
	if (p->line && p->offset)
		return wrong(err, text, _("a line cannot be combined with an offset"));
	if (!p->function && !p->line && !p->pattern)
		return wrong(err, text, _("a source file needs a line number or a pattern"));
	if (!p->function && p->offset)
		return wrong(err, text, _("an offset needs a function"));
	if (p->returns && (p->line || p->offset || p->pattern))
		return wrong(err, text,
			     _("%return cannot be combined with a line, an offset or a pattern"));
	if (p->returns && !p->function)
		return wrong(err, text, _("%return needs a function"));
	return 0;
}

static int read_point(char *s, const char *text, struct probe_point *ret, struct ptui_error *err)
{
	bool is_file = false;
	char *end = find_unquoted(s, "+@%") ? NULL : find_unquoted(s, ";:");
	char kind = '\0';
	int error = 0;

	if (end)
		is_file = memchr(s, '.', (size_t)(end - s)) != NULL;
	end = find_unquoted(s, PLACE_ENDS);
	if (end) {
		kind = *end;
		*end++ = '\0';
	}
	if (*s)
		*(is_file ? &ret->file : &ret->function) = unquote(s);
	if (ret->function && text_starts_with(ret->function, "0x")) {
		ret->is_address = true;
		if (!read_number(ret->function, UINT64_MAX, &ret->address))
			return wrong(err, text, _("the address is not a number"));
	}
	while (end && !error) {
		s = end;
		if (kind == ';') { /* the last part, which keeps its backslashes */
			ret->pattern = s;
			break;
		}
		end = find_unquoted(s, PLACE_ENDS);
		if (end) {
			char next = *end;

			*end++ = '\0';
			error = read_place(kind, s, text, ret, err);
			kind = next;
		} else {
			error = read_place(kind, s, text, ret, err);
		}
	}
	return error ? error : check_point(ret, text, err);
}

static int read_place_of_event(char *s, const char *text, struct arena *mem,
			       struct probe_definition *ret, struct ptui_error *err)
{
	char *end;
	int error;

	ret->is_sdt = names_marker(s);
	if (ret->is_sdt)
		return read_marker(s, text, mem, ret, err);
	end = find_unquoted(s, ";=@+%");
	if (end && *end == '=') {
		*end = '\0';
		error = read_event_name(s, text, ret, err);
		if (error)
			return error;
		s = end + 1;
	}
	error = read_point(s, text, &ret->point, err);
	if (error || ret->event || !ret->point.function || !ret->point.line)
		return error;
	ret->event = arena_printf(mem, "%s_L%d", ret->point.function, ret->point.line);
	return ret->event ? 0 : ptui_error_nomem(err);
}

/* ---- arguments ---- */

/* From s, which is at '-', '.' or '['; NULL with `err` set: no member. */
static char *read_member(char *s, const char *text, struct arena *mem, struct probe_member **ret,
			 struct ptui_error *err)
{
	struct probe_member *m = arena_alloc(mem, sizeof(*m));
	char *end = NULL;
	const char *from = s;

	if (!m) {
		ptui_error_nomem(err);
		return NULL;
	}
	if (*s == '[') {
		m->arrow = true;
		errno = 0;
		m->index = strtol(s + 1, &end, 0);
		if (errno || end == s + 1 || *end != ']' || isspace((unsigned char)s[1])) {
			wrong(err, text, _("the index of an element must be a number"));
			return NULL;
		}
		end++;
		if (*end && !strchr("-.[", *end)) {
			wrong(err, text, _("'.', '->' or '[' must follow an element"));
			return NULL;
		}
	} else {
		m->arrow = *s == '-';
		if (m->arrow && s[1] != '>') {
			wrong(err, text, _("a member follows '.' or '->'"));
			return NULL;
		}
		from = s + 1 + m->arrow;
		end = (char *)from + strcspn(from, "-.[");
		if (end == from) {
			wrong(err, text, _("a member follows '.' or '->'"));
			return NULL;
		}
	}
	m->name = arena_memdup0(mem, from, (size_t)(end - from));
	if (!m->name) {
		ptui_error_nomem(err);
		return NULL;
	}
	*ret = m;
	return end;
}

static int read_members(char *s, const char *text, struct arena *mem, struct probe_arg *ret,
			struct ptui_error *err)
{
	struct probe_member **last = &ret->members;
	const char *good_name = ret->var;

	while (*s) {
		s = read_member(s, text, mem, last, err);
		if (!s)
			return -err->code;
		if ((*last)->name[0] != '[')
			good_name = (*last)->name;
		last = &(*last)->next;
	}
	if (!ret->name)
		ret->name = good_name;
	return 0;
}

static int read_arg(char *s, const char *text, struct arena *mem, struct probe_arg *ret,
		    struct ptui_error *err)
{
	char *at = strchr(s, '=');

	if (at) {
		*at = '\0';
		if (!probe_name_is_valid(s))
			return wrong(err, text,
				     _("names of arguments consist of letters, digits and _"));
		ret->name = s;
		s = at + 1;
	}
	at = strchr(s, '@');
	if (at && at != s && !strcmp(at, "@user")) {
		*at = '\0';
		ret->user = true;
	}
	at = strchr(s, ':');
	if (at) {
		*at = '\0';
		ret->type = at + 1;
		if (!*ret->type)
			return wrong(err, text, _("a type must follow ':'"));
	}
	if (!*s)
		return wrong(err, text, _("an argument is empty"));
	ret->var = s;
	if (!starts_name(*s) && ret->user && strcmp(s, "$vars") && strcmp(s, "$params"))
		return wrong(err, text,
			     _("@user is for variables; write +u0(...) for memory of user space"));
	if (!starts_name(*s))
		return 0;
	at = s + strcspn(s, "-.[");
	if (!*at)
		return 0;
	ret->var = arena_memdup0(mem, s, (size_t)(at - s));
	if (!ret->var)
		return ptui_error_nomem(err);
	return read_members(at, text, mem, ret, err);
}

static bool is_blank(char c)
{
	return c && isspace((unsigned char)c);
}

/* Cuts the next word off *at. NULL: none is left. */
static char *next_word(char **at)
{
	char *word = *at, *end;

	while (is_blank(*word))
		word++;
	if (!*word)
		return NULL;
	end = word;
	while (*end && !is_blank(*end))
		end++;
	*at = *end ? end + 1 : end;
	*end = '\0';
	return word;
}

static int read_args(char *at, const char *text, struct arena *mem, struct probe_definition *ret,
		     struct ptui_error *err)
{
	struct probe_arg *args = arena_alloc(mem, PROBE_ARGS_MAX * sizeof(*args));
	char *word;
	int error = 0;

	if (!args)
		return ptui_error_nomem(err);
	ret->args = args;
	while (!error && (word = next_word(&at))) {
		if (ret->n_args == PROBE_ARGS_MAX)
			return wrong(err, text, _("it has more arguments than the kernel allows"));
		error = read_arg(word, text, mem, &args[ret->n_args], err);
		if (!error && ret->point.returns && probe_arg_is_variable(&args[ret->n_args]))
			error = wrong(err, text,
				      _("variables are gone when a function returns; "
					"use $retval"));
		ret->n_args++;
	}
	return error;
}

int probe_definition_parse(const char *text, struct arena *mem, struct probe_definition *ret,
			   struct ptui_error *err)
{
	struct ptui_error unused = PTUI_ERROR_INIT;
	char *copy = arena_strdup(mem, text), *first;
	int error;

	memset(ret, 0, sizeof(*ret));
	err = err ? err : &unused;
	if (!copy)
		return ptui_error_nomem(err);
	first = next_word(&copy);
	if (!first)
		return wrong(err, text, _("it is empty"));
	error = read_place_of_event(first, text, mem, ret, err);
	if (!error && !ret->is_sdt)
		error = read_args(copy, text, mem, ret, err);
	else if (!error && next_word(&copy))
		error = wrong(err, text, _("a marker has arguments of its own"));
	return error;
}

/* ---- ranges of lines ---- */

static int wrong_range(struct ptui_error *err, const char *text, const char *why)
{
	ptui_error_set(err, PTUI_ERROR_INPUT, EINVAL, text, _("invalid range of lines '%s': %s"),
		       text, why);
	ptui_error_hint(err, _("write it as 'FUNC[@SRC][:LINE[+COUNT|-LINE]]' or "
			       "'SRC[:LINE[+COUNT|-LINE]]'"));
	return -EINVAL;
}

static bool read_line(const char **at, int *ret)
{
	char *end;
	long value;

	if (!isdigit((unsigned char)**at))
		return false;
	errno = 0;
	value = strtol(*at, &end, 0);
	if (errno || value < 0 || value > INT_MAX)
		return false;
	*at = end;
	*ret = (int)value;
	return true;
}

static int read_range(const char *at, const char *text, struct probe_line_range *ret,
		      struct ptui_error *err)
{
	char kind;
	int end;

	if (!read_line(&at, &ret->start))
		return wrong_range(err, text, _("a line number must follow ':'"));
	kind = *at;
	if (kind == '+' || kind == '-') {
		at++;
		if (!read_line(&at, &end))
			return wrong_range(err, text, _("a number must follow '+' or '-'"));
		if (kind == '+' && (!end || __builtin_add_overflow(end, ret->start - 1, &end)))
			return wrong_range(err, text, _("it has no lines"));
		ret->end = end;
	}
	if (*at)
		return wrong_range(err, text, _("nothing may follow the lines"));
	if (ret->start > ret->end)
		return wrong_range(err, text, _("its end is before its start"));
	return 0;
}

int probe_line_range_parse(const char *text, struct arena *mem, struct probe_line_range *ret,
			   struct ptui_error *err)
{
	char *name = arena_strdup(mem, text), *colon, *at;
	int error = 0;

	*ret = (struct probe_line_range){ .end = PROBE_LINES_END };
	if (!name)
		return ptui_error_nomem(err);
	/* C++ names have colons, too: the last one counts */
	colon = strrchr(name, ':');
	if (colon && colon > name && colon[-1] == ':')
		colon = NULL;
	if (colon) {
		*colon = '\0';
		error = read_range(colon + 1, text, ret, err);
	}
	if (error)
		return error;
	at = strchr(name, '@');
	if (!*name)
		return wrong_range(err, text, _("a function or a source file is missing"));
	if (at) {
		*at = '\0';
		ret->file = at + 1;
		ret->function = name;
		if (!*name || !at[1])
			return wrong_range(err, text, _("a function or a source file is missing"));
	} else if (strpbrk(name, "/.")) {
		ret->file = name;
	} else {
		ret->function = name;
	}
	return 0;
}

/* ---- as text again ---- */

void probe_point_format(const struct probe_point *p, struct buf *out)
{
	if (p->function) {
		buf_add_str(out, p->function);
		if (p->offset)
			buf_addf(out, "+%llu", (unsigned long long)p->offset);
		else if (p->line)
			buf_addf(out, ":%d", p->line);
		else if (p->returns)
			buf_add_str(out, "%return");
	}
	if (p->file) {
		size_t len = strlen(p->file);
		const char *tail = p->file;

		if (len > 30) { /* as in perf: the last 30 characters, from a '/' on */
			const char *slash = strchr(p->file + len - 30, '/');

			tail = slash ? slash + 1 : p->file + len - 30;
		}
		buf_addf(out, "@%s", tail);
		if (!p->function && p->line)
			buf_addf(out, ":%d", p->line);
	}
}

void probe_arg_format(const struct probe_arg *arg, struct buf *out)
{
	if (arg->name && arg->var)
		buf_addf(out, "%s=", arg->name);
	buf_add_str(out, arg->var ? arg->var : arg->name);
	for (const struct probe_member *m = arg->members; m; m = m->next) {
		if (m->name[0] != '[')
			buf_add_str(out, m->arrow ? "->" : ".");
		buf_add_str(out, m->name);
	}
	if (arg->type)
		buf_addf(out, ":%s", arg->type);
}
