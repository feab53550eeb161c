/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "model/setup/setup_options.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "text/i18n.h"

/* ---- the rows ---- */

/* Options with a row in Setup are listed only if they say what the row cannot. */
static bool is_listed(const struct setup_options *o, size_t option)
{
	return !setup_has_row(option) || setup_option_is_given(o->setup, option);
}

static bool matches(const struct setup_options *o, size_t i,
		    const struct ptui_record_option *option)
{
	char names[128], value[256], *all;
	bool does;

	if (!*o->search)
		return true;
	setup_option_names(option, names, sizeof(names));
	setup_option_value(o->setup, i, value, sizeof(value));
	if (asprintf(&all, "%s %s %s %s %s", option->group, names, option->word ? option->word : "",
		     value, option->help) < 0)
		return true;
	does = words_are_in(all, o->search);
	free(all);
	return does;
}

static size_t count_options(void)
{
	struct ptui_record_option option;
	size_t n = 0;

	while (ptui_record_option(n, &option))
		n++;
	return n;
}

void setup_options_refresh(struct setup_options *o)
{
	struct ptui_record_option option;
	const char *group = NULL;

	o->n = o->n_options = o->n_all = 0;
	for (size_t i = 0; ptui_record_option(i, &option); i++) {
		if (!is_listed(o, i))
			continue;
		o->n_all++;
		if (!matches(o, i, &option))
			continue;
		if (!group || strcmp(group, option.group) != 0)
			o->rows[o->n++] = OPTIONS_HEADING;
		group = option.group;
		o->rows[o->n++] = i;
		o->n_options++;
	}
}

void setup_options_search(struct setup_options *o, const char *text)
{
	snprintf(o->search, sizeof(o->search), "%s", text);
	setup_options_refresh(o);
}

int setup_options_init(struct setup_options *o, struct setup *s)
{
	memset(o, 0, sizeof(*o));
	o->setup = s;
	/* at most one heading per option */
	o->rows = calloc(2 * count_options() + 1, sizeof(*o->rows));
	if (!o->rows)
		return -ENOMEM;
	setup_options_refresh(o);
	return 0;
}

void setup_options_release(struct setup_options *o)
{
	free(o->rows);
	memset(o, 0, sizeof(*o));
}

bool setup_options_row(const struct setup_options *o, size_t row, struct ptui_record_option *ret)
{
	bool heading = o->rows[row] == OPTIONS_HEADING;

	ptui_record_option(o->rows[row + heading], ret);
	return !heading;
}

size_t setup_options_find(const struct setup_options *o, size_t option)
{
	for (size_t i = 0; i < o->n; i++)
		if (o->rows[i] == option)
			return i;
	return SIZE_MAX;
}

/* ---- one option ---- */

void setup_option_names(const struct ptui_record_option *o, char *buf, size_t size)
{
	if (o->letter && o->name)
		snprintf(buf, size, "-%c, --%s", o->letter, o->name);
	else if (o->letter)
		snprintf(buf, size, "-%c", o->letter);
	else
		snprintf(buf, size, "    --%s", o->name);
}

/* The next use of the option from index *at on. */
static const struct ptui_record_use *next_use(const struct setup *s, size_t option, size_t *at)
{
	const struct ptui_record_use *use;

	while ((use = setup_more(s, at)) && use->option != option)
		;
	return use;
}

bool setup_option_is_given(const struct setup *s, size_t option)
{
	size_t at = 0;

	return next_use(s, option, &at);
}

void setup_option_value(const struct setup *s, size_t option, char *buf, size_t size)
{
	const struct ptui_record_use *u;
	size_t n = 0, at = 0;

	*buf = '\0';
	while (n < size && (u = next_use(s, option, &at)))
		n += (size_t)snprintf(buf + n, size - n, "%s%s", n ? ", " : "",
				      u->off   ? _("off") :
				      u->value ? u->value :
						 _("on"));
}

/* The values of the option; 0 or -ENOMEM. */
static int get_values(const struct setup *s, size_t option, struct words *ret)
{
	const struct ptui_record_use *u;
	size_t at = 0;
	int err = 0;

	while (!err && (u = next_use(s, option, &at)))
		err = words_add(ret, u->value ? u->value : "");
	return err;
}

char *setup_option_line(const struct setup *s, size_t option)
{
	struct words values = WORDS_INIT;
	char *line = NULL;

	if (!get_values(s, option, &values))
		line = values.n > 1 ? words_join(&values) : strdup(values.n ? values.v[0] : "");
	words_release(&values);
	return line;
}

/* The values of a line: one, or as many words if there were several before. */
static int split_values(const struct setup *s, size_t option, const char *line, struct words *ret,
			struct ptui_error *err)
{
	struct words before = WORDS_INIT;
	int failed = get_values(s, option, &before);
	size_t n = before.n;

	words_release(&before);
	if (!failed && n > 1)
		return words_split(ret, line, err);
	return failed || (*line && words_add(ret, line)) ? ptui_error_nomem(err) : 0;
}

static int judge_values(size_t option, const struct words *values, struct ptui_error *err)
{
	int ret = 0;

	for (size_t i = 0; i < values->n && !ret; i++) {
		const struct ptui_record_use use = { option, values->v[i], false };

		ret = ptui_record_use_check(&use, err);
	}
	return ret;
}

int setup_option_judge(const struct setup *s, size_t option, const char *line,
		       struct ptui_error *err)
{
	struct words values = WORDS_INIT;
	int ret = split_values(s, option, line, &values, err);

	if (!ret)
		ret = judge_values(option, &values, err);
	words_release(&values);
	return ret;
}

static int put_values(struct setup *s, size_t option, const struct words *values)
{
	struct ptui_record_use use = { .option = option };
	struct ptui_record_option o;
	int ret = 0;

	for (size_t i = 0; i < values->n && !ret; i++) {
		use.value = values->v[i];
		ret = setup_put(s, &use);
	}
	/* "": given without a value, if allowed */
	if (!values->n && ptui_record_option(option, &o) && o.may_lack)
		ret = setup_put(s, &use);
	return ret;
}

int setup_option_set(struct setup *s, size_t option, const char *line, struct ptui_error *err)
{
	struct words values = WORDS_INIT;
	int ret = split_values(s, option, line, &values, err);

	if (!ret)
		ret = judge_values(option, &values, err);
	if (!ret) {
		setup_uses_remove(&s->uses, option);
		ret = put_values(s, option, &values);
		if (ret == -E2BIG)
			ptui_error_set(err, PTUI_ERROR_INPUT, E2BIG, NULL, _("too many options"));
		else if (ret)
			ptui_error_nomem(err);
	}
	words_release(&values);
	return ret;
}

int setup_option_turn(struct setup *s, size_t option)
{
	const struct ptui_record_use *u = setup_uses_find(&s->uses, option, 0);
	struct ptui_record_use use = { .option = option, .off = u && !u->off };
	bool was_off = u && u->off;
	struct ptui_record_option o;

	ptui_record_option(option, &o);
	setup_uses_remove(&s->uses, option);
	return was_off || (use.off && !o.can_be_off) ? 0 : setup_put(s, &use);
}
