/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "text/words.h"

#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/vec.h"
#include "text/i18n.h"
#include "text/utf8.h"

int words_add(struct words *w, const char *word)
{
	char *copy = word ? strdup(word) : NULL;

	if (!copy || vec_grow(&w->v, &w->cap, w->n + 2)) {
		free(copy);
		w->failed = true;
		return -ENOMEM;
	}
	w->v[w->n++] = copy;
	w->v[w->n] = NULL;
	return 0;
}

const char *words_keep(struct words *w, const char *text)
{
	return text && !words_add(w, text) ? w->v[w->n - 1] : NULL;
}

int words_addf(struct words *w, const char *fmt, ...)
{
	va_list args;
	char *word;
	int ret;

	va_start(args, fmt);
	ret = words_add(w, vasprintf(&word, fmt, args) < 0 ? (word = NULL) : word);
	va_end(args);
	free(word);
	return ret;
}

int words_add_option(struct words *w, const char *option, const char *value)
{
	return value && (words_add(w, option) || words_add(w, value)) ? -ENOMEM : 0;
}

int words_add_all(struct words *w, const struct words *from)
{
	int ret = 0;

	for (size_t i = 0; i < from->n && !ret; i++)
		ret = words_add(w, from->v[i]);
	return ret;
}

void words_remove(struct words *w, size_t i)
{
	free(w->v[i]);
	memmove(&w->v[i], &w->v[i + 1], (w->n - i) * sizeof(*w->v)); /* including the NULL */
	w->n--;
}

int words_remember(struct words *w, const char *line, size_t max)
{
	if (!*line || !max)
		return 0;
	if (words_add(w, line))
		return -ENOMEM;
	for (size_t i = w->n - 1; i-- > 0;)
		if (!strcmp(w->v[i], w->v[w->n - 1]))
			words_remove(w, i);
	while (w->n > max)
		words_remove(w, 0);
	return 0;
}

void words_release(struct words *w)
{
	for (size_t i = 0; i < w->n; i++)
		free(w->v[i]);
	free(w->v);
	memset(w, 0, sizeof(*w));
}

/* ---- parsing ---- */

int words_need_shell(char c, struct ptui_error *err)
{
	char object[2] = { c, '\0' };

	ptui_error_input(err, object, _("%c requires a shell, and this line is run without one"),
			 c);
	ptui_error_hint(err, _("quote it ('%c') to use it literally, or run a shell: sh -c '...'"),
			c);
	return -EINVAL;
}

static int no_end(char quote, struct ptui_error *err)
{
	char object[2] = { quote, '\0' };

	return ptui_error_input(err, object, _("the quote %c is not closed"), quote);
}

/* Copies a quoted part from the opening quote; returns what follows it, NULL: error. */
static const char *read_quoted(const char *at, char **out, struct ptui_error *err)
{
	char quote = *at++;

	for (; *at && *at != quote; at++) {
		/* inside "…", \ escapes only these */
		if (quote == '"' && *at == '\\' && at[1] && strchr("$`\"\\", at[1])) {
			at++;
		} else if (quote == '"' && (*at == '$' || *at == '`')) {
			words_need_shell(*at, err);
			return NULL;
		}
		*(*out)++ = *at;
	}
	if (!*at) {
		no_end(quote, err);
		return NULL;
	}
	return at + 1;
}

/*
 * One word, from its first character, or from after its ~ (`begun`); returns what follows it, NULL:
 * error. The first unquoted glob character goes to *ret_glob; if that is NULL, it is an error.
 */
static const char *read_word(const char *at, char *out, bool begun, char *ret_glob,
			     struct ptui_error *err)
{
	const char *begin = begun ? NULL : at;

	while (*at && !strchr(" \t\n", *at)) {
		if (*at == '\'' || *at == '"') {
			at = read_quoted(at, &out, err);
			if (!at)
				return NULL;
		} else if (*at == '\\') {
			if (!at[1]) {
				no_end('\\', err);
				return NULL;
			}
			*out++ = at[1];
			at += 2;
		} else if (ret_glob && strchr("*?[", *at)) {
			if (!*ret_glob)
				*ret_glob = *at;
			*out++ = *at++;
		} else if (strchr("|&;<>()$`*?[", *at) || (at == begin && strchr("~#", *at))) {
			words_need_shell(*at, err);
			return NULL;
		} else {
			*out++ = *at++;
		}
	}
	*out = '\0';
	return at;
}

/* The home directory for a leading ~; NULL: no such ~, or no home. */
static const char *home_of(const char *word)
{
	const char *home = getenv("HOME");

	if (word[0] != '~' || (word[1] && !strchr("/ \t\n", word[1])))
		return NULL;
	return home && *home == '/' ? home : NULL;
}

static size_t most_bytes(const char *text)
{
	const char *home = home_of("~");
	size_t n = strlen(text) + 1;

	return home ? n + strlen(home) : n; /* at most one ~ per word */
}

int words_split(struct words *w, const char *text, struct ptui_error *err)
{
	return words_split_line(w, text, NULL, err);
}

int words_split_line(struct words *w, const char *text, struct words_glob *ret_glob,
		     struct ptui_error *err)
{
	char *word = malloc(most_bytes(text)), *out;
	int ret = word ? 0 : -ENOMEM;
	const char *home;
	char glob;

	while (!ret) {
		text += strspn(text, " \t\n");
		if (!*text)
			break;
		home = home_of(text);
		out = home ? stpcpy(word, home) : word;
		glob = '\0';
		text = read_word(text + (home != NULL), out, home != NULL, ret_glob ? &glob : NULL,
				 err);
		if (glob)
			*ret_glob = (struct words_glob){ w->n, glob };
		ret = text ? words_add(w, word) : -EINVAL;
	}
	free(word);
	return ret == -ENOMEM ? ptui_error_nomem(err) : ret;
}

char *words_path(const char *path)
{
	const char *home = home_of(path);
	char *expanded;

	if (!home)
		return strdup(path);
	return asprintf(&expanded, "%s%s", home, path + 1) < 0 ? NULL : expanded;
}

/* ---- quoting ---- */

static bool is_plain(const char *word)
{
	if (!*word || *word == '~' || *word == '#')
		return false;
	for (const char *c = word; *c; c++)
		if (strchr(" \t\n\r|&;<>()$`\\\"'*?[]{}!", *c))
			return false;
	return true;
}

/* One word in shell syntax, quoted only if needed. */
static void quote(struct buf *out, const char *word)
{
	if (is_plain(word)) {
		buf_add_str(out, word);
		return;
	}
	/* inside '…' only the quote is special: close, escape, open again */
	buf_add_char(out, '\'');
	for (; *word; word++) {
		if (*word == '\'')
			buf_add_str(out, "'\\''");
		else
			buf_add_char(out, *word);
	}
	buf_add_char(out, '\'');
}

char *words_join_part(const struct words *w, size_t first, size_t n)
{
	struct buf text = BUF_INIT;
	char *joined;

	if (w->failed)
		return NULL;
	buf_add_str(&text, "");
	for (size_t i = first; i < first + n; i++) {
		if (i > first)
			buf_add_char(&text, ' ');
		quote(&text, w->v[i]);
	}
	joined = buf_take(&text);
	buf_release(&text);
	return joined;
}

char *words_join(const struct words *w)
{
	return words_join_part(w, 0, w->n);
}

int words_set(char **text, const char *to)
{
	char *copy = strdup(to);

	if (!copy)
		return -ENOMEM;
	free(*text);
	*text = copy;
	return 0;
}

/* ---- completion and search ---- */

char *words_common(const struct words *ways, char *buf, size_t size)
{
	size_t i, n = 0;

	if (ways->n)
		n = strlen(ways->v[0]);
	for (i = 1; i < ways->n; i++) {
		size_t same = 0;

		while (same < n && ways->v[i][same] == ways->v[0][same])
			same++;
		n = same;
	}
	if (n >= size)
		n = 0;
	/* not within a character, nor after a \ */
	while (n && ((unsigned char)ways->v[0][n] & 0xc0) == 0x80)
		n--;
	for (i = n; i && ways->v[0][i - 1] == '\\';)
		i--;
	if ((n - i) % 2)
		n--;
	memcpy(buf, ways->n ? ways->v[0] : "", n);
	buf[n] = '\0';
	return buf;
}

bool words_are_in(const char *text, const char *wanted)
{
	char word[128];
	size_t n, bytes;

	for (;; wanted += n) {
		wanted += strspn(wanted, " ");
		n = strcspn(wanted, " ");
		if (!n)
			return true;
		if (n >= sizeof(word))
			return false;
		memcpy(word, wanted, n);
		word[n] = '\0';
		if (!utf8_find(text, word, &bytes))
			return false;
	}
}
