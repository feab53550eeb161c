/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How a typed line may go on, in a folder made for it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "lib/need.h"
#include "model/complete.h"
#include "ptui/catalog.h"

static char folder[64];

static void make_file(const char *name, mode_t mode)
{
	char path[192];
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	f = fopen(path, "w");
	assert_non_null(f);
	assert_int_equal(fclose(f), 0);
	assert_int_equal(chmod(path, mode), 0);
}

static int make_folder(void **state)
{
	char path[128];

	(void)state;
	snprintf(folder, sizeof(folder), "/tmp/ptui-complete-XXXXXX");
	assert_non_null(mkdtemp(folder));
	snprintf(path, sizeof(path), "%s/bin", folder);
	assert_int_equal(mkdir(path, 0700), 0);
	make_file("bin/prog-one", 0700);
	make_file("bin/prog-two", 0700);
	make_file("bin/prog-text", 0600);
	make_file("perf.data", 0600);
	make_file("perf.data.old", 0600);
	make_file("it's here", 0600);
	make_file(".hidden", 0600);
	make_file("\xe4\xb8\xad\xe6\x96\x87", 0600); /* 中文 */
	make_file("\xe4\xb8\xad\xe6\x96\x88", 0600); /* differs in its last byte */
	assert_int_equal(chdir(folder), 0);
	setenv("HOME", folder, 1);
	return 0;
}

static int remove_folder(void **state)
{
	char command[128];

	(void)state;
	assert_int_equal(chdir("/"), 0);
	snprintf(command, sizeof(command), "rm -rf %s", folder);
	return system(command);
}

typedef int (*complete_fn)(void *ctx, const char *line, size_t at, size_t *begin,
			   struct words *ways);

/* "BEGIN: COMMON: WAY|WAY" for the line up to |. */
static const char *try(complete_fn complete, const char *line)
{
	static char buf[1024];
	char text[256], common[256];
	struct words ways = WORDS_INIT;
	size_t begin = 99, i, n, at = strcspn(line, "|");

	snprintf(text, sizeof(text), "%.*s%s", (int)at, line, line[at] ? line + at + 1 : "");
	assert_int_equal(complete(NULL, text, at, &begin, &ways), 0);
	n = (size_t)snprintf(buf, sizeof(buf), "%zu: %s:", begin,
			     words_common(&ways, common, sizeof(common)));
	for (i = 0; i < ways.n; i++)
		n += (size_t)snprintf(buf + n, sizeof(buf) - n, "%c%s", i ? '|' : ' ', ways.v[i]);
	words_release(&ways);
	return buf;
}

static void test_path(void **state)
{
	(void)state;
	assert_string_equal(try(complete_path, "per"), "0: perf.data: perf.data|perf.data.old");
	assert_string_equal(try(complete_path, "b|xx"), "0: bin/: bin/");
	assert_string_equal(try(complete_path, "bin/prog-t"),
			    "0: bin/prog-t: bin/prog-text|bin/prog-two");
	assert_string_equal(try(complete_path, "~/perf.data."),
			    "0: ~/perf.data.old: ~/perf.data.old");
	assert_string_equal(try(complete_path, "it's"), "0: it's here: it's here");
	assert_string_equal(try(complete_path, ".h"), "0: .hidden: .hidden");
	assert_string_equal(try(complete_path, "nothing/of"), "0: :");
	assert_null(strstr(try(complete_path, ""), ".hidden"));
	/* no half characters */
	assert_string_equal(try(complete_path, "\xe4\xb8\xad"),
			    "0: \xe4\xb8\xad: \xe4\xb8\xad\xe6\x96\x87|\xe4\xb8\xad\xe6\x96\x88");
}

static void test_command(void **state)
{
	char path[256], *before = strdup(getenv("PATH"));

	(void)state;
	assert_non_null(before);
	snprintf(path, sizeof(path), "/no/such:%s/bin::%s/bin", folder, folder);
	setenv("PATH", path, 1);
	assert_string_equal(try(complete_command, "prog"), "0: prog-: prog-one|prog-two");
	assert_string_equal(try(complete_command, "  prog-o"), "2: prog-one: prog-one");
	assert_string_equal(try(complete_command, "bin/prog"),
			    "0: bin/prog-: bin/prog-one|bin/prog-two");
	assert_string_equal(try(complete_command, "./b"), "0: ./bin/: ./bin/");
	assert_string_equal(try(complete_command, ""), "0: :");
	assert_string_equal(try(complete_command, "x it"), "2: it\\'s\\ here: it\\'s\\ here");
	assert_string_equal(try(complete_command, "x 'it"), "2: it\\'s\\ here: it\\'s\\ here");
	assert_string_equal(try(complete_command, "x \"it'\"s\\ h"),
			    "2: it\\'s\\ here: it\\'s\\ here");
	assert_string_equal(try(complete_command, "x 'a b' bin/prog-te"),
			    "8: bin/prog-text: bin/prog-text");
	assert_string_equal(try(complete_command, "x ~/bin/prog-te"),
			    "2: ~/bin/prog-text: ~/bin/prog-text");
	setenv("PATH", before, 1);
	free(before);
}

static void test_event(void **state)
{
	(void)state;
	assert_string_equal(try(complete_event, "page-f"), "0: page-faults: page-faults");
	assert_string_equal(try(complete_event, "{cycles,page-f|:u}"),
			    "8: page-faults: page-faults");
	assert_string_equal(try(complete_event, "cpu-c"), "0: cpu-c: cpu-clock|cpu-cycles");
	assert_string_equal(try(complete_event, "zzz"), "0: :");
}

static void test_common(void **state)
{
	struct words ways = WORDS_INIT;
	char buf[8];

	(void)state;
	assert_string_equal(words_common(&ways, buf, sizeof(buf)), "");
	assert_int_equal(words_add(&ways, "a\\ b"), 0);
	assert_int_equal(words_add(&ways, "a\\'b"), 0);
	assert_string_equal(words_common(&ways, buf, sizeof(buf)), "a");
	words_release(&ways);
	assert_int_equal(words_add(&ways, "longer than it"), 0);
	assert_string_equal(words_common(&ways, buf, sizeof(buf)), "");
	words_release(&ways);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_path),
		cmocka_unit_test(test_command),
		cmocka_unit_test(test_event),
		cmocka_unit_test(test_common),
	};

	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
