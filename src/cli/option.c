/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "base/i18n.h"
#include "base/vec.h"
#include "cli/option.h"
#include "cli/option_find.h"

struct parser {
	const struct option *table;
	char *values;
	char **argv;
	int argc;
	int at; /* index of the next word */
	struct ptui_error *err;
	const struct option_watch *watch; /* NULL: none */
};

/* One option on the command line. */
struct use {
	const struct option *opt;
	const char *spelled; /* "-F" or "--freq", for errors */
	const char *value;   /* in the same word, or NULL */
	bool unset;
	bool inner; /* a letter followed by others */
};

bool option_takes_value(const struct option *opt)
{
	return opt->type != OPTION_FLAG && !(opt->flags & OPTION_NO_VALUE);
}

int option_words_add(struct option_words *w, const char *word)
{
	int ret = vec_grow(&w->words, &w->cap, w->n + 1);

	if (ret)
		return ret;
	w->words[w->n++] = word;
	return 0;
}

void option_words_release(struct option_words *w)
{
	free(w->words);
	memset(w, 0, sizeof(*w));
}

int option_number(const char *text, uint64_t min, uint64_t max, uint64_t *ret)
{
	uint64_t n = 0;
	const char *p;
	bool over = false;

	for (p = text; *p >= '0' && *p <= '9'; p++)
		over |= __builtin_mul_overflow(n, 10, &n) ||
			__builtin_add_overflow(n, (uint64_t)(*p - '0'), &n);
	if (p == text || *p)
		return -EINVAL;
	if (over || n < min || n > max)
		return -ERANGE;
	*ret = n;
	return 0;
}

int option_store_unset(void *field, const char *value, bool unset, struct ptui_error *err)
{
	(void)value;
	(void)err;
	*(bool *)field = unset;
	return 0;
}

static int store_number(const struct use *use, uint64_t *field, struct ptui_error *err)
{
	const struct option *opt = use->opt;
	int ret = option_number(use->value, opt->min, opt->max, field);

	if (!ret)
		return 0;
	if (ret == -EINVAL)
		return ptui_error_set(err, PTUI_ERROR_INPUT, EINVAL, use->value,
				      _("%s expects a number, not '%s'"), use->spelled, use->value);
	if (opt->max == UINT64_MAX)
		return ptui_error_set(
			err, PTUI_ERROR_INPUT, EINVAL, use->value,
			_("%s expects a number of at least %llu and below 2^64, not %s"),
			use->spelled, (unsigned long long)opt->min, use->value);
	return ptui_error_set(err, PTUI_ERROR_INPUT, EINVAL, use->value,
			      _("%s expects a number from %llu to %llu, not %s"), use->spelled,
			      (unsigned long long)opt->min, (unsigned long long)opt->max,
			      use->value);
}

static int call(const struct use *use, void *field, struct ptui_error *err)
{
	int ret = use->opt->call(field, use->value, use->unset, err);

	if (ret)
		ptui_error_prefix(err, "%s", use->spelled);
	return ret;
}

static int refuse(const struct use *use, struct ptui_error *err)
{
	if (use->unset)
		return 0;
	return ptui_error_set(err, PTUI_ERROR_INPUT, ENOTSUP, use->spelled, "%s: %s", use->spelled,
			      _(use->opt->help));
}

static int store_value(struct parser *p, const struct use *use)
{
	void *field = p->values + use->opt->offset;

	switch (use->opt->type) {
	case OPTION_FLAG:
		*(bool *)field = !use->unset;
		return 0;
	case OPTION_STRING:
		*(const char **)field = use->value;
		return 0;
	case OPTION_NUMBER:
		return store_number(use, field, p->err);
	case OPTION_MULTI:
		if (option_words_add(field, use->value))
			return ptui_error_nomem(p->err);
		return 0;
	case OPTION_CALL:
		return call(use, field, p->err);
	case OPTION_REFUSED:
		return refuse(use, p->err);
	case OPTION_END:
	case OPTION_GROUP:
		break;
	}
	return -EINVAL; /* unreachable: headings never match */
}

static int store(struct parser *p, const struct use *use)
{
	int ret = store_value(p, use);

	if (!ret && p->watch)
		p->watch->seen(p->watch->ctx, use->opt, use->value, use->unset);
	return ret;
}

/* Stores the option, with its value if it takes one. */
static int parser_store(struct parser *p, struct use *use)
{
	bool wants = option_takes_value(use->opt) && !use->unset;

	if (use->opt->takes && !use->value && !use->inner && !use->unset && p->at < p->argc &&
	    use->opt->takes(p->argv[p->at])) {
		use->value = p->argv[p->at++];
		return store(p, use);
	}
	if (!wants && use->value)
		return ptui_error_set(p->err, PTUI_ERROR_INPUT, EINVAL, use->spelled,
				      _("%s takes no value"), use->spelled);
	if (wants && !use->value && !(use->opt->flags & OPTION_ATTACHED)) {
		const char *next = p->at < p->argc ? p->argv[p->at] : NULL;
		bool may_end = use->opt->flags & OPTION_MAY_END || use->opt->type == OPTION_REFUSED;

		if (next && !(may_end && next[0] == '-')) {
			use->value = next;
			p->at++;
		} else if (!may_end) {
			return ptui_error_set(p->err, PTUI_ERROR_INPUT, EINVAL, use->spelled,
					      _("%s requires a value: %s"), use->spelled,
					      use->opt->word ? _(use->opt->word) : "");
		}
	}
	return store(p, use);
}

/* The word "-agF99": letters, up to one that takes a value. */
static int read_letters(struct parser *p, const char *word, bool *ret_help)
{
	int ret;

	for (const char *at = word + 1; *at; at++) {
		char spelled[] = { '-', *at, '\0' };
		struct use use = { option_find_letter(p->table, *at), spelled, NULL, false,
				   at[1] != '\0' };

		if (!use.opt && *at == 'h') {
			*ret_help = true;
			return 0;
		}
		if (!use.opt)
			return option_unknown_letter(p->table, word, *at, p->err);
		if (!option_takes_value(use.opt)) {
			ret = parser_store(p, &use);
			if (ret)
				return ret;
			continue;
		}
		if (at[1])
			use.value = at + 1;
		return parser_store(p, &use);
	}
	return 0;
}

/* The word "--freq=99". */
static int read_name(struct parser *p, const char *word, bool *ret_help)
{
	const char *name = word + 2, *equals = strchr(name, '=');
	struct buf spelled = BUF_INIT;
	struct option_match match;
	struct use use;
	int ret = option_find_name(p->table, name, equals ? (size_t)(equals - name) : strlen(name),
				   &match, p->err);

	if (ret)
		return ret;
	if (!match.opt) {
		*ret_help = true;
		return 0;
	}
	option_spell(&match, &spelled);
	if (spelled.err) {
		buf_release(&spelled);
		return ptui_error_nomem(p->err);
	}
	use = (struct use){ match.opt, buf_str(&spelled), equals ? equals + 1 : NULL, match.unset,
			    false };
	ret = parser_store(p, &use);
	buf_release(&spelled);
	return ret;
}

/* Returns 0 if parsing is to continue after this error. */
static int parser_report(struct parser *p, int at, const char *word, int bad)
{
	struct ptui_error why;

	if (!p->watch || !p->watch->wrong || bad == -ENOMEM || !p->err)
		return bad;
	why = *p->err;
	memset(p->err, 0, sizeof(*p->err));
	bad = p->watch->wrong(p->watch->ctx, at, word, &why);
	if (bad)
		*p->err = why;
	return bad;
}

int option_parse(const struct option *table, void *ret_values, int argc, char **argv,
		 unsigned flags, struct option_result *ret, struct ptui_error *err)
{
	return option_parse_watched(table, ret_values, argc, argv, flags, ret, NULL, err);
}

int option_parse_watched(const struct option *table, void *ret_values, int argc, char **argv,
			 unsigned flags, struct option_result *ret,
			 const struct option_watch *watch, struct ptui_error *err)
{
	struct parser p = { table, ret_values, argv, argc, 0, err, watch };
	struct option_result result = { false, 0 };

	while (p.at < argc && !result.help) {
		char *word = argv[p.at];
		int bad, at = p.at;

		if (word[0] != '-' || !word[1]) {
			if (flags & OPTION_STOP_AT_WORD)
				break;
			p.at++;
			argv[result.n_words++] = word;
			continue;
		}
		p.at++;
		if (!strcmp(word, "--"))
			break;
		bad = word[1] == '-' ? read_name(&p, word, &result.help) :
				       read_letters(&p, word, &result.help);
		if (bad)
			bad = parser_report(&p, at, word, bad);
		if (bad)
			return bad;
	}
	while (p.at < argc)
		argv[result.n_words++] = argv[p.at++];
	*ret = result;
	return 0;
}
