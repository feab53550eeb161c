/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Setup's initial choices, without the user's configuration: setup and teardown of tests. */
#ifndef UNIT_UI_MODEL_SETUP_MADE_H
#define UNIT_UI_MODEL_SETUP_MADE_H

#include <stdlib.h>
#include "lib/need.h"
#include "model/setup/setup.h"

static inline int setup_made_begin(void **state)
{
	struct setup *s = malloc(sizeof(*s));

	setenv("PERF_CONFIG", "/dev/null", 1);
	setenv("XDG_CONFIG_HOME", "/dev/null", 1);
	assert_int_equal(setup_init(s), 0);
	*state = s;
	return 0;
}

static inline int setup_made_end(void **state)
{
	setup_release(*state);
	free(*state);
	return 0;
}

/* The command line; free() it. */
static inline char *setup_made_line(const struct setup *s)
{
	struct words words = WORDS_INIT;
	char *text;

	assert_int_equal(setup_words(s, &words, NULL), 0);
	text = words_join(&words);
	assert_non_null(text);
	words_release(&words);
	return text;
}

#endif
