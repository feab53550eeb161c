/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "base/i18n.h"
#include "base/text.h"
#include "cli/option_find.h"

/* --help is implied in every table. */
static const struct option help_option = { .type = OPTION_FLAG, .name = "help" };

/*
 * One spelling of one option. "quiet" with OPTION_NO has two, "quiet" and the implied
 * "no-quiet"; "no-inherit" has "no-inherit" and the implied "inherit".
 */
struct spelling {
	char prefix[4]; /* "no-" or "" */
	const char *rest;
	struct option_match match;
};

static struct spelling spelling_plain(const struct option *opt)
{
	return (struct spelling){ "", opt->name, { opt, false, false } };
}

static struct spelling spelling_implied(const struct option *opt)
{
	if (text_starts_with(opt->name, "no-"))
		return (struct spelling){ "", opt->name + 3, { opt, true, true } };
	return (struct spelling){ "no-", opt->name, { opt, true, true } };
}

/* Compares `name` with the spelling: 0 mismatch, 1 prefix, 2 equal. */
static int spelling_fit(const struct spelling *s, const char *name, size_t len)
{
	size_t n_prefix = strlen(s->prefix);

	/* "--n" alone must not match every implied --no-… */
	if (len <= n_prefix && n_prefix)
		return 0;
	if (strncmp(s->prefix, name, n_prefix))
		return 0;
	if (strncmp(s->rest, name + n_prefix, len - n_prefix))
		return 0;
	return strlen(s->rest) == len - n_prefix ? 2 : 1;
}

/*
 * Iterates over the spellings of a table: first all explicit ones, then all implied ones, so that a
 * prefix of a real name takes precedence over an implied --no-….
 */
struct walk {
	const struct option *next;
	const struct option *table;
	bool help_done;
	bool implied;
};

static bool walk_next(struct walk *w, struct spelling *ret)
{
	for (;;) {
		const struct option *opt = w->next;

		if (opt->type == OPTION_END) {
			if (w->implied)
				return false;
			if (!w->help_done) {
				w->help_done = true;
				*ret = spelling_plain(&help_option);
				ret->match.opt = NULL;
				return true;
			}
			w->implied = true;
			w->next = w->table;
			continue;
		}
		w->next++;
		if (opt->type == OPTION_GROUP || !opt->name)
			continue;
		if (w->implied && !(opt->flags & OPTION_NO))
			continue;
		*ret = w->implied ? spelling_implied(opt) : spelling_plain(opt);
		return true;
	}
}

static struct walk walk_init(const struct option *table)
{
	return (struct walk){ .next = table, .table = table };
}

const struct option *option_find_letter(const struct option *table, char letter)
{
	for (; table->type != OPTION_END; table++)
		if (table->type != OPTION_GROUP && table->letter == letter)
			return table;
	return NULL;
}

static void spell(const struct spelling *s, struct buf *out)
{
	buf_addf(out, "--%s%s", s->prefix, s->rest);
}

void option_spell(const struct option_match *match, struct buf *out)
{
	struct spelling s = match->implied ? spelling_implied(match->opt) :
					     spelling_plain(match->opt);

	spell(&s, out);
}

/* "--event, --freq or --help" */
static void add_to_list(struct buf *list, const char *word, size_t i, size_t n)
{
	if (i)
		buf_add_str(list, i + 1 == n ? _(" or ") : ", ");
	buf_add_str(list, word);
}

static int ambiguous(const struct option *table, const char *name, size_t len, bool implied,
		     size_t n, struct ptui_error *err)
{
	struct walk w = walk_init(table);
	struct buf list = BUF_INIT, one = BUF_INIT;
	struct spelling s;
	size_t i = 0;

	while (walk_next(&w, &s)) {
		if (s.match.implied != implied || !spelling_fit(&s, name, len))
			continue;
		buf_clear(&one);
		spell(&s, &one);
		add_to_list(&list, buf_str(&one), i++, n);
	}
	ptui_error_set(err, PTUI_ERROR_INPUT, EINVAL, name,
		       _("--%.*s is ambiguous: it could be %s"), (int)len, name, buf_str(&list));
	buf_release(&one);
	buf_release(&list);
	return -EINVAL;
}

#define MAX_NAMES 128

/* All spellings without dashes; the caller frees them. */
static size_t list_names(const struct option *table, char **names)
{
	struct walk w = walk_init(table);
	struct spelling s;
	size_t n = 0;

	while (n < MAX_NAMES && walk_next(&w, &s)) {
		struct buf one = BUF_INIT;

		buf_addf(&one, "%s%s", s.prefix, s.rest);
		names[n] = buf_take(&one);
		if (names[n])
			n++;
	}
	return n;
}

static int unknown_name(const struct option *table, const char *name, size_t len,
			struct ptui_error *err)
{
	char *names[MAX_NAMES], word[64];
	const char *best[1];
	size_t n = 0, n_best = 0;

	if (len < sizeof(word)) {
		memcpy(word, name, len);
		word[len] = '\0';
		n = list_names(table, names);
		n_best = text_nearest(word, (const char *const *)names, n, best, 1);
	}
	if (n_best)
		ptui_error_set(err, PTUI_ERROR_INPUT, EINVAL, name,
			       _("no such option --%.*s; did you mean --%s?"), (int)len, name,
			       best[0]);
	else
		ptui_error_set(err, PTUI_ERROR_INPUT, EINVAL, name, _("no such option --%.*s"),
			       (int)len, name);
	for (size_t i = 0; i < n; i++)
		free(names[i]);
	return -EINVAL;
}

int option_unknown_letter(const struct option *table, const char *word, char letter,
			  struct ptui_error *err)
{
	char *names[MAX_NAMES];
	size_t n = list_names(table, names);
	const char *meant = NULL;

	/* "-freq" probably meant "--freq" */
	for (size_t i = 0; i < n; i++)
		if (word[2] && !strcmp(names[i], word + 1))
			meant = names[i];
	if (meant)
		ptui_error_set(err, PTUI_ERROR_INPUT, EINVAL, word,
			       _("no such option -%c; did you mean --%s?"), letter, meant);
	else if (word[2])
		ptui_error_set(err, PTUI_ERROR_INPUT, EINVAL, word, _("no such option -%c (in %s)"),
			       letter, word);
	else
		ptui_error_set(err, PTUI_ERROR_INPUT, EINVAL, word, _("no such option -%c"),
			       letter);
	for (size_t i = 0; i < n; i++)
		free(names[i]);
	return -EINVAL;
}

/* "--no-no-buildid" is "--buildid", as in perf. */
static bool is_double_negation(const struct option *table, const char *name, size_t len,
			       struct option_match *ret)
{
	if (len <= 6 || !text_starts_with(name, "no-no-") ||
	    option_find_name(table, name + 3, len - 3, ret, NULL) || ret->implied || !ret->opt ||
	    !(ret->opt->flags & OPTION_NO))
		return false;
	*ret = (struct option_match){ ret->opt, true, true };
	return true;
}

int option_find_name(const struct option *table, const char *name, size_t len,
		     struct option_match *ret, struct ptui_error *err)
{
	struct walk w = walk_init(table);
	struct option_match begin[2] = { 0 };
	size_t n_begin[2] = { 0, 0 };
	struct spelling s;

	if (!len)
		return unknown_name(table, name, len, err);
	if (is_double_negation(table, name, len, ret))
		return 0;
	while (walk_next(&w, &s)) {
		int fit = spelling_fit(&s, name, len);

		if (fit == 2) {
			*ret = s.match;
			return 0;
		}
		if (fit == 1 && !n_begin[s.match.implied]++)
			begin[s.match.implied] = s.match;
	}
	if (!n_begin[0] && !n_begin[1])
		return unknown_name(table, name, len, err);
	if (n_begin[0] > 1 || (!n_begin[0] && n_begin[1] > 1))
		return ambiguous(table, name, len, !n_begin[0], n_begin[!n_begin[0]], err);
	*ret = begin[!n_begin[0]];
	return 0;
}
