/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/config.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#ifdef HAVE_INIH
#include <ini.h>
#endif
#include "base/buf.h"
#include "base/i18n.h"
#include "ptui/config.h"

#define BLANKS " \t\r\n"

struct config_file {
	FILE *f;
	const char *path;
	unsigned flags;
	config_fn fn;
	void *ctx;
	struct ptui_error *err;
	char *text; /* the current line, and its capacity */
	size_t room;
	unsigned line;
	bool in_sections;
	unsigned skipped;  /* lines before the first section */
	int ret;	   /* result of the callback */
	unsigned bad_line; /* the first line that is too long; 0: none */
};

int config_wrong(const struct config_entry *at, struct ptui_error *err, const char *fmt, ...)
{
	char text[512];
	va_list args;

	va_start(args, fmt);
	vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	return ptui_error_set(err, PTUI_ERROR_INPUT, EINVAL, at->file, "%s:%u: %s", at->file,
			      at->line, text);
}

int config_bool(const char *value, bool *ret)
{
	static const char *const words[][2] = {
		{ "false", "true" },
		{ "no", "yes" },
		{ "off", "on" },
		{ "0", "1" },
	};

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		for (int is = 0; is < 2; is++) {
			if (strcasecmp(value, words[i][is]))
				continue;
			*ret = is;
			return 0;
		}
	}
	return -EINVAL;
}

/* The next line of a section, or its header, trimmed and without comment; NULL at the end. */
static char *next_line(struct config_file *c)
{
	char *at, *p;

	do {
		if (c->ret || getline(&c->text, &c->room, c->f) < 0)
			return NULL;
		c->line++;
		at = c->text + strspn(c->text, BLANKS);
		if (!c->in_sections && *at == '[') {
			c->in_sections = true;
			c->skipped = c->flags & CONFIG_SECTIONS_ONLY ? c->line - 1 : 0;
		}
	} while (c->flags & CONFIG_SECTIONS_ONLY && !c->in_sections);
	for (p = at; *p && *p != '#' && *p != ';'; p++) {
		if (*p != '"')
			continue;
		for (p++; *p && *p != '"'; p++)
			p += *p == '\\' && p[1];
		if (!*p)
			break;
	}
	*p = '\0';
	while (p > at && strchr(BLANKS, p[-1]))
		*--p = '\0';
	return at;
}

#ifdef HAVE_INIH

/* A line for libinih: not indented (a continuation), and a name alone is "true", as in perf. */
static char *read_ini_line(char *ret, int size, void *stream)
{
	struct config_file *c = stream;
	char *text = next_line(c);
	const char *more;
	int n;

	if (!text)
		return NULL;
	more = *text && *text != '[' && !strchr(text, '=') ? " = true" : "";
	n = snprintf(ret, (size_t)size, "%s%s\n", text, more);
	if (n >= size) {
		ret[0] = '\0';
		if (!c->bad_line)
			c->bad_line = c->line;
	}
	return ret;
}

/* Appends the value without quotes and their backslashes. */
static void add_unquoted(struct buf *out, const char *value)
{
	bool quoted = false;

	for (; *value; value++) {
		if (*value == '"') {
			quoted = !quoted;
			continue;
		}
		if (*value == '\\' && value[1])
			value++;
		buf_add_char(out, *value);
	}
	buf_add_str(out, "");
}

/* Returns 1, which means success for libinih. */
static int add_variable(void *ctx, const char *section, const char *name, const char *value)
{
	struct config_file *c = ctx;
	struct buf full = BUF_INIT, plain = BUF_INIT;
	struct config_entry entry = { .file = c->path, .line = c->line };

	if (c->ret)
		return 1;
	if (!*section)
		return 0;
	buf_addf(&full, "%s.%s", section, name);
	add_unquoted(&plain, value);
	if (full.err || plain.err) {
		c->ret = ptui_error_nomem(c->err);
	} else {
		entry.name = buf_str(&full);
		entry.value = buf_str(&plain);
		c->ret = c->fn(c->ctx, &entry, c->err);
	}
	buf_release(&full);
	buf_release(&plain);
	return 1;
}

static int parse(struct config_file *c)
{
	int bad = ini_parse_stream(read_ini_line, c, add_variable, c);
	struct config_entry at = { .file = c->path };

	if (c->ret)
		return c->ret;
	if (bad < 0)
		return ptui_error_nomem(c->err);
	if (!bad && !c->bad_line)
		return 0;
	/* libinih counts the lines it has read */
	at.line = (unsigned)bad + c->skipped;
	if (bad && (!c->bad_line || at.line < c->bad_line))
		return config_wrong(&at, c->err,
				    _("expected [SECTION] or, below one, NAME = VALUE"));
	at.line = c->bad_line;
	return config_wrong(&at, c->err, _("this line is too long"));
}

#else

static int parse(struct config_file *c)
{
	char *line;

	while ((line = next_line(c)))
		if (*line == '[')
			return ptui_error_set(
				c->err, PTUI_ERROR_INPUT, ENOSYS, c->path,
				_("%s:%u: ptui was built without libinih, which reads the sections of config files"),
				c->path, c->line);
	return 0;
}

#endif

int config_each(const char *path, unsigned flags, config_fn fn, void *ctx, struct ptui_error *err)
{
	struct config_file c = { .path = path, .flags = flags, .fn = fn, .ctx = ctx, .err = err };
	struct stat st;
	int ret;

	c.f = fopen(path, "re");
	/* an unreadable directory may be that of another user, whose HOME was inherited */
	if (!c.f && (errno == ENOENT || errno == ENOTDIR || (errno == EACCES && stat(path, &st))))
		return 0;
	if (!c.f)
		return ptui_error_errno(err, errno, path, _("%s cannot be read"), path);
	ret = parse(&c);
	if (!ret && ferror(c.f))
		ret = ptui_error_errno(err, EIO, path, _("%s cannot be read"), path);
	free(c.text);
	fclose(c.f);
	return ret;
}

bool ptui_config_path(char *buf, size_t size)
{
	const char *base = getenv("XDG_CONFIG_HOME"), *home = getenv("HOME");
	int n;

	if (base && *base == '/')
		n = snprintf(buf, size, "%s/ptui/config", base);
	else if (home && *home)
		n = snprintf(buf, size, "%s/.config/ptui/config", home);
	else
		return false;
	return n >= 0 && (size_t)n < size;
}
