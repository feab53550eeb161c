/* SPDX-License-Identifier: GPL-2.0-or-later */
/* -g graph,0.5,caller,function,percent */
#include "cli/report/chain_choice.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "base/buf.h"
#include "base/i18n.h"
#include "cli/option.h"

enum chain_part {
	PART_NONE,
	PART_TYPE,
	PART_ORDER,
	PART_KEY,
	PART_BRANCHES,
	PART_VALUE,
};

/* In perf's order: a word may be abbreviated. */
static const struct {
	const char *word;
	enum chain_part part;
	int value;
} chain_words[] = {
	{ "none", PART_NONE, 0 },
	{ "graph", PART_TYPE, CHAIN_GRAPH },
	{ "flat", PART_TYPE, CHAIN_FLAT },
	{ "fractal", PART_TYPE, CHAIN_FRACTAL },
	{ "folded", PART_TYPE, CHAIN_FOLDED },
	{ "caller", PART_ORDER, PTUI_CALLER },
	{ "callee", PART_ORDER, PTUI_CALLEE },
	{ "function", PART_KEY, PTUI_CHAIN_FUNCTION },
	{ "address", PART_KEY, PTUI_CHAIN_ADDRESS },
	{ "srcline", PART_KEY, PTUI_CHAIN_SRCLINE },
	{ "branch", PART_BRANCHES, 0 },
	{ "percent", PART_VALUE, CHAIN_PERCENT },
	{ "period", PART_VALUE, CHAIN_PERIOD },
	{ "count", PART_VALUE, CHAIN_COUNT },
};

static void chain_set(struct chain_choice *c, enum chain_part part, int value)
{
	switch (part) {
	case PART_NONE:
		c->none = true;
		break;
	case PART_TYPE:
		c->type = (enum chain_type)value;
		break;
	case PART_ORDER:
		c->order_given = true;
		c->order = (enum ptui_chain_order)value;
		break;
	case PART_KEY:
		c->key = (enum ptui_chain_key)value;
		break;
	case PART_BRANCHES:
		c->branches = true;
		break;
	case PART_VALUE:
		c->value = (enum chain_value)value;
		break;
	}
}

static int chain_word(struct chain_choice *c, const char *word, size_t len, struct ptui_error *err)
{
	for (size_t i = 0; i < sizeof(chain_words) / sizeof(chain_words[0]); i++) {
		if (strncmp(chain_words[i].word, word, len))
			continue;
		chain_set(c, chain_words[i].part, chain_words[i].value);
		return 0;
	}
	return ptui_error_set(
		err, PTUI_ERROR_INPUT, EINVAL, word,
		_("expected graph, fractal, flat, folded, none, caller, callee, function, address, "
		  "srcline, branch, percent, period, count or a number, not '%.*s'"),
		(int)len, word);
}

bool chain_is_text(const struct chain_choice *c)
{
	return c->given && !c->none && (c->type != CHAIN_GRAPH || c->value != CHAIN_PERCENT);
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
	static const char *const words[] = { "graph", "fractal", "flat", "folded", "none", NULL };

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
	static const char *const words[] = { "function", "address", "srcline", "branch", NULL };

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
