/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Pictures that were looked at once and are compared ever after.
 *
 *	80x24
 *	| Live  make -j2                        ● REC		the row
 *	:.****..............................y.yyy		its looks, if it has any but plain
 */
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "screen/harness/private.h"
#include "text/utf8.h"

/* What matches becomes question marks, one a column. */
static void mask(char *row, const char *expression)
{
	regmatch_t match;
	regex_t regex;
	char *from = row;

	if (regcomp(&regex, expression, REG_EXTENDED))
		fail_msg("not a regular expression: %s", expression);
	while (*from && regexec(&regex, from, 1, &match, from > row ? REG_NOTBOL : 0) == 0 &&
	       match.rm_eo > match.rm_so) {
		size_t begin = (size_t)match.rm_so, end = (size_t)match.rm_eo, columns;
		char *found = strndup(from + begin, end - begin);

		assert_non_null(found);
		columns = (size_t)utf8_width(found);
		free(found);
		memmove(from + begin + columns, from + end, strlen(from + end) + 1);
		memset(from + begin, '?', columns);
		from += begin + columns;
	}
	regfree(&regex);
}

static char *picture(struct screen *s, const char *const *masks)
{
	char *text = NULL;
	size_t size, i;
	FILE *out = open_memstream(&text, &size);
	int y;

	assert_non_null(out);
	fprintf(out, "%dx%d\n", s->cols, s->rows);
	for (y = 0; y < s->rows; y++) {
		char *row = strdup(screen_row(s, y));
		const char *looks;

		assert_non_null(row);
		for (i = 0; masks && masks[i]; i++)
			mask(row, masks[i]);
		fprintf(out, "|%s\n", row);
		free(row);
		looks = screen_row_looks(s, y);
		if (*looks)
			fprintf(out, ":%s\n", looks);
	}
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

void screen_golden_at(struct screen *s, const char *name, const char *const *masks,
		      const char *file, int line)
{
	const char *renew = getenv("PTUI_GOLDEN"), *top = getenv("top_srcdir");
	char path[1024], *got = picture(s, masks), *want;
	FILE *out;

	snprintf(path, sizeof(path), "%s/tests/screen/golden/%s", top ? top : ".", name);
	if (renew && !strcmp(renew, "renew")) {
		out = fopen(path, "w");
		if (!out || fputs(got, out) < 0 || fclose(out))
			fail_msg("%s cannot be written", path);
		free(got);
		return;
	}
	want = read_text(path);
	if (!want)
		fail_msg("there is no %s: look at the screen with PTUI_GOLDEN=renew", path);
	if (strcmp(want, got)) {
		show_difference(want, got);
		free(want);
		free(got);
		screen_fail(s, file, line, "the screen is not as in golden/%s", name);
	}
	free(want);
	free(got);
}
