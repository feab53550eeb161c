/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The manual is true: its examples are valid, and no request is missing. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "input/key_name.h"
#include "input/keymap.h"
#include "lib/need.h"
#include "term/theme.h"

#define TERMS_MAX 256

/* What was written: the terms of a section, and the example. */
struct note {
	struct ptui_manual ops; /* the first: handed out as the whole */
	char section[64];
	struct {
		char section[64], word[512], text[1024];
	} terms[TERMS_MAX];
	size_t n;
	char example[1024];
};

static void note_section(struct ptui_manual *m, const char *title)
{
	struct note *n = (struct note *)m;

	snprintf(n->section, sizeof(n->section), "%s", title);
}

static void note_text(struct ptui_manual *m, const char *text)
{
	(void)m;
	assert_true(*text);
}

static void note_example(struct ptui_manual *m, const char *lines)
{
	struct note *n = (struct note *)m;

	snprintf(n->example, sizeof(n->example), "%s", lines);
}

static void note_term(struct ptui_manual *m, const char *word, const char *text)
{
	struct note *n = (struct note *)m;

	assert_true(n->n < TERMS_MAX);
	assert_true(*word && *text);
	snprintf(n->terms[n->n].section, sizeof(n->section), "%s", n->section);
	snprintf(n->terms[n->n].word, sizeof(n->terms[0].word), "%s", word);
	snprintf(n->terms[n->n].text, sizeof(n->terms[0].text), "%s", text);
	n->n++;
}

static struct note *written(enum ptui_manual_part part)
{
	struct note *n = calloc(1, sizeof(*n));

	assert_non_null(n);
	n->ops = (struct ptui_manual){ note_section, note_text, note_text, note_example,
				       note_term };
	manual_write(&n->ops, part);
	return n;
}

/* The term whose text begins with the request's name; fails if there is not exactly one. */
static const char *keys_of(const struct note *n, enum request req)
{
	const char *name = request_info(req)->name, *keys = NULL;
	size_t len = strlen(name);

	for (size_t i = 0; i < n->n; i++) {
		if (strcmp(n->terms[i].section, "KEYS") || strncmp(n->terms[i].text, name, len) ||
		    strncmp(n->terms[i].text + len, ": ", 2))
			continue;
		if (keys)
			fail_msg("%s is told twice", name);
		keys = n->terms[i].word;
	}
	if (!keys)
		fail_msg("%s is not told", name);
	return keys;
}

static void test_keys(void **state)
{
	struct note *n = written(PTUI_MANUAL_SECTIONS);

	(void)state;
	for (int i = REQ_NONE + 1; i < N_REQUESTS; i++)
		assert_non_null(keys_of(n, (enum request)i));
	assert_string_equal(keys_of(n, REQ_SUSPEND), "Ctrl-Z (general, prompt)");
	free(n);
}

/* Every key bound in a view itself is listed with its request. */
static void test_every_key(void **state)
{
	struct keymaps *k = keymaps_new(NULL);
	struct note *n = written(PTUI_MANUAL_SECTIONS);
	char label[KEY_NAME_MAX];
	key_code keys[32];

	(void)state;
	assert_non_null(k);
	for (int map = KEYMAP_NONE + 1; map < N_KEYMAPS; map++) {
		for (int req = REQ_NONE + 1; req < N_REQUESTS; req++) {
			size_t i, n_keys = keymaps_keys(k, (enum keymap)map, (enum request)req,
							keys, 32);

			for (i = 0; i < n_keys; i++) {
				key_label(keys[i], label);
				if (!strstr(keys_of(n, (enum request)req), label))
					fail_msg("%s of %s is not told in \"%s\"", label,
						 request_info((enum request)req)->name,
						 keys_of(n, (enum request)req));
			}
		}
	}
	free(n);
	keymaps_free(k);
}

static void right(struct keymaps *k, const char *line)
{
	struct config config = CONFIG_INIT;
	struct ptui_error err = PTUI_ERROR_INIT;

	if (config_parse_line(k, &config, line, "manual", 1, &err))
		fail_msg("\"%s\": %s", line, err.text);
	if (*config.theme && !theme_find(config.theme))
		fail_msg("\"%s\": there is no such theme", line);
}

/* The example, line by line; and "set NAME A|B|C" with each of A, B and C. */
static void test_config(void **state)
{
	struct note *n = written(PTUI_MANUAL_SECTIONS);
	struct keymaps *k = keymaps_new(NULL);
	char line[768], *at, *save = NULL;
	size_t i, settings = 0;

	(void)state;
	assert_true(*n->example);
	for (at = strtok_r(n->example, "\n", &save); at; at = strtok_r(NULL, "\n", &save))
		right(k, at);
	for (i = 0; i < n->n; i++) {
		char *word = n->terms[i].word, *values = strrchr(word, ' ');

		if (strncmp(word, "set ", 4))
			continue;
		*values++ = '\0';
		for (at = strtok_r(values, "|", &save); at; at = strtok_r(NULL, "|", &save)) {
			snprintf(line, sizeof(line), "%s %s", word, at);
			right(k, line);
		}
		settings++;
	}
	for (i = 0; config_setting(i); i++)
		;
	assert_int_equal(settings, i);
	keymaps_free(k);
	free(n);
}

/* A name for each key that can be bound, and each reads as itself. */
static void test_key_names(void **state)
{
	char text[KEY_NAME_MAX + 2];
	key_code key;
	size_t i;

	(void)state;
	for (i = 0; key_name_at(i); i++) {
		snprintf(text, sizeof(text), "<%s>", key_name_at(i));
		assert_int_equal(key_parse(text, &key), 0);
	}
	assert_true(i > 20);
}

static void test_other_parts(void **state)
{
	struct note *env = written(PTUI_MANUAL_ENVIRONMENT), *files = written(PTUI_MANUAL_FILES);

	(void)state;
	/* terms only: the headings are the page's */
	assert_false(*env->section || *files->section);
	assert_true(env->n >= 5);
	assert_true(files->n >= 2);
	free(env);
	free(files);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_keys),	    cmocka_unit_test(test_every_key),
		cmocka_unit_test(test_config),	    cmocka_unit_test(test_key_names),
		cmocka_unit_test(test_other_parts),
	};

	return cmocka_run_group_tests_name("ui/manual", tests, NULL, NULL);
}
