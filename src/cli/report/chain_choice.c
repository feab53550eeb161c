/* SPDX-License-Identifier: GPL-2.0-or-later */
/* -g graph,0.5,caller,function,percent */
#include "cli/report/chain_choice.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "base/buf.h"
#include "base/i18n.h"
#include "cli/option.h"

enum chain_word {
	WORD_KEPT, /* has a single value here: graph, function, percent */
	WORD_NONE,
	WORD_CALLER,
	WORD_CALLEE,
};

static const struct {
	const char *word;
	enum chain_word means;
} chain_words[] = {
	{ "graph", WORD_KEPT }, { "function", WORD_KEPT }, { "percent", WORD_KEPT },
	{ "none", WORD_NONE },	{ "caller", WORD_CALLER }, { "callee", WORD_CALLEE },
};

static int chain_word(struct chain_choice *c, const char *word, size_t len, struct ptui_error *err)
{
	for (size_t i = 0; i < sizeof(chain_words) / sizeof(chain_words[0]); i++) {
		if (strncmp(chain_words[i].word, word, len))
			continue;
		if (chain_words[i].means == WORD_NONE)
			c->none = true;
		if (chain_words[i].means >= WORD_CALLER) {
			c->order_given = true;
			c->order = chain_words[i].means == WORD_CALLER ? PTUI_CALLER : PTUI_CALLEE;
		}
		return 0;
	}
	return ptui_error_set(
		err, PTUI_ERROR_INPUT, EINVAL, word,
		_("expected graph, none, caller, callee, function, percent or a number, not "
		  "'%.*s'"),
		(int)len, word);
}

/* The first number is the minimum share in percent, the second the entries per level. */
static bool chain_number(struct chain_choice *c, const char *word, size_t len, unsigned nth)
{
	char *end;
	double value = strtod(word, &end);

	if (end != word + len || value < 0 || value != value)
		return false;
	if (!nth)
		c->min_percent = value;
	else
		c->max_lines = (uint64_t)value;
	return true;
}

int chain_parse(void *field, const char *text, bool unset, struct ptui_error *err)
{
	struct chain_choice *c = field;
	unsigned numbers = 0;

	c->given = true;
	c->none = unset;
	while (text && *text) {
		size_t len = strcspn(text, ",");
		int ret = 0;

		if (len && numbers < 2 && chain_number(c, text, len, numbers))
			numbers++;
		else if (len)
			ret = chain_word(c, text, len, err);
		if (ret)
			return ret;
		text += len + (text[len] == ',');
	}
	return 0;
}

/* call-graph.print-type and similar settings: one word of -g each. */
static int chain_setting(struct chain_choice *c, const char *value, const char *const *words,
			 struct ptui_error *err)
{
	struct buf all = BUF_INIT;

	for (size_t i = 0; words[i]; i++) {
		if (!strcmp(words[i], value)) {
			buf_release(&all);
			return chain_word(c, value, strlen(value), err);
		}
		buf_addf(&all, "%s%s", i ? ", " : "", words[i]);
	}
	ptui_error_set(err, PTUI_ERROR_INPUT, EINVAL, value, _("expected one of %s, not '%s'"),
		       buf_str(&all), value);
	buf_release(&all);
	return -EINVAL;
}

int chain_set_type(void *field, const char *value, bool unset, struct ptui_error *err)
{
	static const char *const words[] = { "graph", "none", NULL };

	(void)unset;
	return chain_setting(field, value, words, err);
}

int chain_set_order(void *field, const char *value, bool unset, struct ptui_error *err)
{
	static const char *const words[] = { "caller", "callee", NULL };

	(void)unset;
	return chain_setting(field, value, words, err);
}

int chain_set_key(void *field, const char *value, bool unset, struct ptui_error *err)
{
	static const char *const words[] = { "function", NULL };

	(void)unset;
	return chain_setting(field, value, words, err);
}

int chain_set_limit(void *field, const char *value, bool unset, struct ptui_error *err)
{
	(void)unset;
	if (!option_number(value, 0, UINT32_MAX, field))
		return 0;
	return ptui_error_set(err, PTUI_ERROR_INPUT, EINVAL, value, _("not a number: '%s'"), value);
}

int chain_parse_percent(void *field, const char *text, bool unset, struct ptui_error *err)
{
	char *end;
	double value = strtod(text, &end);

	(void)unset;
	if (end == text || *end || !(value >= 0 && value <= 100))
		return ptui_error_set(err, PTUI_ERROR_INPUT, EINVAL, text,
				      _("expected a percentage from 0 to 100, not '%s'"), text);
	*(double *)field = value;
	return 0;
}
