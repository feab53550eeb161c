/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Pictures of screens, compared with approved ones.
 *
 *	80x24
 *	| Live  make -j2                        ● REC		the row
 *	:.****..............................y.yyy		its styles, unless plain
 */
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "screen/harness/private.h"
#include "text/utf8.h"

/* A row with all its columns: a mask may reach to the end. */
static char *whole_row(struct screen *s, int y)
{
	const char *text = screen_row(s, y);
	int blanks = s->cols - utf8_width(text);
	char *row;

	if (asprintf(&row, "%s%*s", text, blanks > 0 ? blanks : 0, "") < 0)
		fail_msg("out of memory");
	return row;
}

static void cut_end(char *row, char blank)
{
	size_t n = strlen(row);

	while (n && row[n - 1] == blank)
		row[--n] = '\0';
}

static int columns_of(const char *text, size_t bytes)
{
	char *part = strndup(text, bytes);
	int columns;

	assert_non_null(part);
	columns = utf8_width(part);
	free(part);
	return columns;
}

/*
 * Replaces matches by question marks, one per column, and their styles as well. A row that matches
 * completely, even an empty one, becomes one question mark.
 */
static void mask(char *row, char *looks, const char *expression)
{
	regmatch_t match;
	regex_t regex;
	char *from = row;

	if (regcomp(&regex, expression, REG_EXTENDED))
		fail_msg("not a regular expression: %s", expression);
	while (*from && regexec(&regex, from, 1, &match, from > row ? REG_NOTBOL : 0) == 0 &&
	       match.rm_eo > match.rm_so) {
		char *begin = from + match.rm_so, *end = from + match.rm_eo;
		size_t columns = (size_t)columns_of(begin, (size_t)(end - begin));

		if (begin == row && !*end) {
			strcpy(row, "?");
			*looks = '\0';
			break;
		}
		memset(looks + columns_of(row, (size_t)(begin - row)), '?', columns);
		memmove(begin + columns, end, strlen(end) + 1);
		memset(begin, '?', columns);
		from = begin + columns;
	}
	regfree(&regex);
}

static void add_row(FILE *out, struct screen *s, int y, const char *const *masks)
{
	char *row = whole_row(s, y), *looks = malloc((size_t)s->cols + 1);
	size_t i;
	int x;

	assert_non_null(looks);
	for (x = 0; x < s->cols; x++)
		looks[x] = screen_look(s, y, x);
	looks[x] = '\0';
	for (i = 0; masks && masks[i]; i++)
		mask(row, looks, masks[i]);
	cut_end(row, ' ');
	cut_end(looks, '.');
	fprintf(out, "|%s\n", row);
	if (*looks)
		fprintf(out, ":%s\n", looks);
	free(row);
	free(looks);
}

static char *picture(struct screen *s, const char *const *masks)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	int y;

	assert_non_null(out);
	fprintf(out, "%dx%d\n", s->cols, s->rows);
	for (y = 0; y < s->rows; y++)
		add_row(out, s, y, masks);
	fclose(out);
	return text;
}

static char *read_text(const char *path)
{
	FILE *in = fopen(path, "r");
	char *text = NULL;
	size_t size = 0;

	if (!in)
		return NULL;
	if (getdelim(&text, &size, '\0', in) < 0) {
		free(text);
		text = NULL;
	}
	fclose(in);
	return text;
}

/* The first line that differs, of both. */
static void show_difference(const char *want, const char *got)
{
	while (*want && *want == *got) {
		const char *want_end = strchrnul(want, '\n'), *got_end = strchrnul(got, '\n');

		if (want_end - want != got_end - got || memcmp(want, got, (size_t)(got_end - got)))
			break;
		want = *want_end ? want_end + 1 : want_end;
		got = *got_end ? got_end + 1 : got_end;
	}
	print_error("wanted: %.*s\n   got: %.*s\n", (int)(strchrnul(want, '\n') - want), want,
		    (int)(strchrnul(got, '\n') - got), got);
}

struct wanted {
	char *picture;
	const char *const *masks;
};

static bool is_as_wanted(struct screen *s, void *ctx)
{
	struct wanted *w = ctx;
	char *got = picture(s, w->masks);
	bool is = !strcmp(got, w->picture);

	free(got);
	return is;
}

/* Waits until the screen is unchanged for a while, or, since some never are, for a while. */
static void renew(struct screen *s, const char *path, const char *const *masks)
{
	char *got;
	FILE *out;
	int i;

	for (i = 0; i < 20 && screen_pump(s, 300); i++)
		;
	got = picture(s, masks);
	out = fopen(path, "w");
	if (!out || fputs(got, out) < 0 || fclose(out))
		fail_msg("%s cannot be written", path);
	free(got);
}

void screen_golden_at(struct screen *s, const char *name, const char *const *masks,
		      const char *file, int line)
{
	const char *how = getenv("PTUI_GOLDEN"), *top = getenv("top_srcdir");
	struct wanted w = { .masks = masks };
	char path[1024], *got;

	snprintf(path, sizeof(path), "%s/tests/screen/golden/%s", top ? top : ".", name);
	if (how && !strcmp(how, "renew")) {
		renew(s, path, masks);
		return;
	}
	w.picture = read_text(path);
	if (!w.picture)
		fail_msg("there is no %s: look at the screen with PTUI_GOLDEN=renew", path);
	if (!screen_wait_for(s, is_as_wanted, &w)) {
		got = picture(s, masks);
		show_difference(w.picture, got);
		free(w.picture);
		free(got);
		screen_fail(s, file, line, "the screen is not as in golden/%s", name);
	}
	free(w.picture);
}
