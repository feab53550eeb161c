/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One option, as the Options screen shows and edits it. */
#include <stdlib.h>
#include <string.h>

#include "model/setup/setup.h"
#include "text/strings.h"

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
	return next_use(s, option, &(size_t){ 0 });
}

void setup_option_value(const struct setup *s, size_t option, char *buf, size_t size)
{
	const struct ptui_record_use *u;
	size_t at = 0;

	*buf = '\0';
	while ((u = next_use(s, option, &at)))
		text_join(buf, size, ", ", "%s", setup_use_value(u));
}

char *setup_option_line(const struct setup *s, size_t option)
{
	struct words values = WORDS_INIT;
	const struct ptui_record_use *u;
	char *line = NULL;
	size_t at = 0;
	int ret = 0;

	while (!ret && (u = next_use(s, option, &at)))
		ret = words_add(&values, u->value ? u->value : "");
	if (!ret)
		line = values.n > 1 ? words_join(&values) : strdup(values.n ? values.v[0] : "");
	words_release(&values);
	return line;
}

/* The values of a line, checked: one, or as many words if there were several before. */
static int read_values(const struct setup *s, size_t option, const char *line, struct words *ret,
		       struct ptui_error *err)
{
	size_t at = 0;
	bool several = next_use(s, option, &at) && next_use(s, option, &at);
	int failed = 0;

	if (several)
		failed = words_split(ret, line, err);
	else if (*line && words_add(ret, line))
		failed = ptui_error_nomem(err);
	for (size_t i = 0; i < ret->n && !failed; i++)
		failed = ptui_record_use_check(
			&(struct ptui_record_use){ option, ret->v[i], false }, err);
	return failed;
}

int setup_option_set(struct setup *s, size_t option, const char *line, bool only_check,
		     struct ptui_error *err)
{
	struct ptui_record_use use = { .option = option };
	struct ptui_record_option o;
	struct words values = WORDS_INIT;
	int ret = read_values(s, option, line, &values, err);

	if (!ret && !only_check) {
		setup_remove(s, option);
		/* "": given without a value, if allowed */
		if (!values.n && ptui_record_option(option, &o) && o.may_lack)
			ret = setup_put(s, &use, err);
		for (size_t i = 0; i < values.n && !ret; i++) {
			use.value = values.v[i];
			ret = setup_put(s, &use, err);
		}
	}
	words_release(&values);
	return ret;
}

int setup_option_turn(struct setup *s, size_t option, struct ptui_error *err)
{
	const struct ptui_record_use *u = setup_find(s, option);
	struct ptui_record_use use = { .option = option, .off = u && !u->off };
	bool was_off = u && u->off;
	struct ptui_record_option o;

	ptui_record_option(option, &o);
	setup_remove(s, option);
	return was_off || (use.off && !o.can_be_off) ? 0 : setup_put(s, &use, err);
}
