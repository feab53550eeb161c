/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Parses command lines; each row has the expected values and remaining words, or the error. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "cli/option.h"
#include "lib/need.h"

struct values {
	bool all;
	bool group;
	bool no_inherit;
	bool children;
	bool verbose;
	const char *output;
	uint64_t freq;
	uint64_t count;
	struct option_words events;
	char call[64];
};

/* Notes its calls; "x" fails. */
static int note_call(void *field, const char *value, bool unset, struct ptui_error *err)
{
	size_t n = strlen(field);

	if (value && !strcmp(value, "x"))
		return ptui_error_set(err, PTUI_ERROR_INPUT, EINVAL, NULL, "no x here");
	snprintf((char *)field + n, 64 - n, "%s%s", n ? "+" : "",
		 unset ? "(unset)" :
		 value ? value :
			 "(none)");
	return 0;
}

#define AT(field) .offset = offsetof(struct values, field)

static const struct option table[] = {
	{ OPTION_GROUP, .help = "heading" },
	{ OPTION_FLAG, 'a', "all-cpus", .help = "h", AT(all), .flags = OPTION_NO },
	{ OPTION_FLAG, 'g', NULL, .help = "h", AT(group) },
	{ OPTION_FLAG, 'i', "no-inherit", .help = "h", AT(no_inherit), .flags = OPTION_NO },
	{ OPTION_FLAG, 0, "children", .help = "h", AT(children), .flags = OPTION_NO },
	{ OPTION_FLAG, 'v', "verbose", .help = "h", AT(verbose) },
	{ OPTION_STRING, 'o', "output", "FILE", "h", AT(output), .flags = OPTION_NO },
	{ OPTION_NUMBER, 'F', "freq", "HZ", "h", AT(freq), .min = 1, .max = 1000 },
	{ OPTION_NUMBER, 'c', "count", "N", "h", AT(count), .min = 5, .max = UINT64_MAX },
	{ OPTION_GROUP, .help = "other heading" },
	{ OPTION_MULTI, 'e', "event", "EVENT", "h", AT(events) },
	{ OPTION_CALL, 'G', "graph", "KIND", "h", AT(call), .flags = OPTION_NO | OPTION_MAY_END,
	  .call = note_call },
	{ OPTION_CALL, 'x', "expire", .help = "h", AT(call), .flags = OPTION_NO_VALUE,
	  .call = note_call },
	{ OPTION_CALL, 'k', "key", "KEY", "h", AT(call), .call = note_call },
	{ OPTION_FLAG, 0, "freeze", .help = "h", AT(verbose) },
	OPTION_NOT('M', "missing", OPTION_NO, "the reason"),
	OPTION_NOT(0, "wanting", OPTION_NO_VALUE, "not here"),
	{ .type = OPTION_END },
};

#define STOP OPTION_STOP_AT_WORD

struct row {
	const char *line; /* separated by spaces; _ is the empty word */
	const char *want; /* the values that are not 0, then | and the words; or ? and the error */
	unsigned flags;
};

static const struct row rows[] = {
	/* no options */
	{ "", "|", 0 },
	{ "a b", "|a b", 0 },
	{ "-", "|-", 0 },
	{ "_", "|_", 0 },
	{ "--", "|", 0 },
	{ "-- -a", "|-a", 0 },
	{ "-- --", "|--", 0 },
	{ "a -- -a b", "|a -a b", 0 },
	{ "-a", "all|", 0 },
	{ "-a x", "all|x", 0 },
	{ "x -a", "all|x", 0 },
	{ "x -a y -g z", "all group|x y z", 0 },
	{ "- -a", "all|-", 0 },
	{ "-a --no-all-cpus", "|", 0 },
	{ "-a -a", "all|", 0 },
	/* parsing ends at the first word */
	{ "x -a", "|x -a", STOP },
	{ "-a x -g", "all|x -g", STOP },
	{ "-a -- x -g", "all|x -g", STOP },
	{ "-a - -g", "all|- -g", STOP },
	{ "-o x -g y", "group output=x|y", STOP },
	{ "-a x -- y", "all|x -- y", STOP },
	{ "-a -- -- y", "all|-- y", STOP },
	{ "_ -a", "|_ -a", STOP },
	/* letters together */
	{ "-ag", "all group|", 0 },
	{ "-agi", "all group no_inherit|", 0 },
	{ "-gF99", "group freq=99|", 0 },
	{ "-gF 99", "group freq=99|", 0 },
	{ "-F99", "freq=99|", 0 },
	{ "-F 99 x", "freq=99|x", 0 },
	{ "-ofile", "output=file|", 0 },
	{ "-o file", "output=file|", 0 },
	{ "-o -a", "output=-a|", 0 },
	{ "-o --", "output=--|", 0 },
	{ "-o=file", "output==file|", 0 },
	{ "-oag", "output=ag|", 0 },
	{ "-agoag", "all group output=ag|", 0 },
	{ "-o _", "output=|", 0 },
	{ "-ea -eb", "event=a event=b|", 0 },
	{ "-e a,b --event=c --event d", "event=a,b event=c event=d|", 0 },
	{ "-o a -o b", "output=b|", 0 },
	{ "-xa", "all call=(none)|", 0 },
	/* names */
	{ "--all-cpus", "all|", 0 },
	{ "--freq 99", "freq=99|", 0 },
	{ "--freq=99", "freq=99|", 0 },
	{ "--output=", "output=|", 0 },
	{ "--output=a=b", "output=a=b|", 0 },
	{ "--output --freq", "output=--freq|", 0 },
	{ "--no-inherit", "no_inherit|", 0 },
	{ "--inherit", "|", 0 },
	{ "--no-inherit --inherit", "|", 0 },
	{ "--no-inherit --no-no-inherit", "|", 0 },
	{ "--children", "children|", 0 },
	{ "--children --no-children", "|", 0 },
	{ "--no-children --children", "children|", 0 },
	{ "-o x --no-output", "|", 0 },
	{ "--expire", "call=(none)|", 0 },
	{ "--key k1 -kk2", "call=k1+k2|", 0 },
	/* options of perf that are refused, with their values */
	{ "--missing x", "?--missing: the reason", 0 },
	{ "-Mx", "?-M: the reason", 0 },
	{ "-a -M", "?-M: the reason", 0 },
	{ "--no-missing x", "|x", 0 },
	{ "--wanting x", "?--wanting: not here", 0 },
	/* abbreviated names */
	{ "--all", "all|", 0 },
	{ "--a", "all|", 0 },
	{ "--freq 7 --free", "verbose freq=7|", 0 },
	{ "--out=f", "output=f|", 0 },
	{ "--ch", "children|", 0 },
	{ "--no-ch", "|", 0 },
	{ "--children --no-c", "|", 0 },
	{ "--no-i", "no_inherit|", 0 },
	{ "--no", "no_inherit|", 0 },
	{ "--n", "no_inherit|", 0 },
	{ "--no-", "no_inherit|", 0 },
	{ "-i --inh", "|", 0 },
	{ "--ev cycles", "event=cycles|", 0 },
	{ "-o x --no-o", "|", 0 },
	{ "--fre=1", "?--fre is ambiguous: it could be --freq or --freeze", 0 },
	{ "--f", "?--f is ambiguous: it could be --freq or --freeze", 0 },
	{ "--c", "?--c is ambiguous: it could be --children or --count", 0 },
	{ "--e", "?--e is ambiguous: it could be --event or --expire", 0 },
	/* optional values */
	{ "-G", "call=(none)|", 0 },
	{ "-G caller", "call=caller|", 0 },
	{ "-Gcaller", "call=caller|", 0 },
	{ "-G -a", "all call=(none)|", 0 },
	{ "-G -- x", "call=(none)|x", 0 },
	{ "--graph", "call=(none)|", 0 },
	{ "--graph=caller,0.5", "call=caller,0.5|", 0 },
	{ "--graph caller -a", "all call=caller|", 0 },
	{ "--no-graph", "call=(unset)|", 0 },
	{ "--gr --no-gr", "call=(none)+(unset)|", 0 },
	/* help */
	{ "-h", "help|", 0 },
	{ "--help", "help|", 0 },
	{ "--he", "help|", 0 },
	{ "-ah", "all help|", 0 },
	{ "-a --help -Z", "all help|-Z", 0 },
	{ "x --help", "help|x", 0 },
	{ "x --help", "|x --help", STOP },
	{ "-- --help", "|--help", 0 },
	{ "-o -h", "output=-h|", 0 },
	/* numbers */
	{ "-F 1", "freq=1|", 0 },
	{ "-F 1000", "freq=1000|", 0 },
	{ "-F 007", "freq=7|", 0 },
	{ "-c 18446744073709551615", "count=18446744073709551615|", 0 },
	{ "-F 0", "?-F expects a number from 1 to 1000, not 0", 0 },
	{ "-F 1001", "?-F expects a number from 1 to 1000, not 1001", 0 },
	{ "--freq=1001", "?--freq expects a number from 1 to 1000, not 1001", 0 },
	{ "-c 4", "?-c expects a number of at least 5", 0 },
	{ "-c 18446744073709551616", "?-c expects a number of at least 5", 0 },
	{ "-c 99999999999999999999999", "?-c expects a number of at least 5", 0 },
	{ "-F max", "?-F expects a number, not 'max'", 0 },
	{ "-F 9x", "?-F expects a number, not '9x'", 0 },
	{ "-F 0x10", "?-F expects a number, not '0x10'", 0 },
	{ "-F -1", "?-F expects a number, not '-1'", 0 },
	{ "-F +1", "?-F expects a number, not '+1'", 0 },
	{ "-F 1.5", "?-F expects a number, not '1.5'", 0 },
	{ "-F _", "?-F expects a number, not ''", 0 },
	{ "--freq=", "?--freq expects a number, not ''", 0 },
	/* errors */
	{ "-Z", "?no such option -Z", 0 },
	{ "-agZ", "?no such option -Z (in -agZ)", 0 },
	{ "-freq", "?no such option -f; did you mean --freq?", 0 },
	{ "--bogus", "?no such option --bogus", 0 },
	{ "--frek", "?no such option --frek; did you mean --freq?", 0 },
	{ "--frek=3", "?no such option --frek; did you mean --freq?", 0 },
	{ "--chidlren", "?no such option --chidlren; did you mean --children?", 0 },
	{ "--no-chidlren", "?no such option --no-chidlren; did you mean --no-children?", 0 },
	{ "--freqq", "?no such option --freqq; did you mean --freq?", 0 },
	{ "--no-freq", "?no such option --no-freq", 0 },
	{ "--no-verbose", "?no such option --no-verbose", 0 },
	{ "--=x", "?no such option --", 0 },
	{ "---", "?no such option ---", 0 },
	{ "--heading", "?no such option --heading", 0 },
	{ "-o", "?-o requires a value: FILE", 0 },
	{ "-ago", "?-o requires a value: FILE", 0 },
	{ "--output", "?--output requires a value: FILE", 0 },
	{ "--out", "?--output requires a value: FILE", 0 },
	{ "-a --event", "?--event requires a value: EVENT", 0 },
	{ "--all-cpus=1", "?--all-cpus takes no value", 0 },
	{ "--all=", "?--all-cpus takes no value", 0 },
	{ "--no-output=x", "?--no-output takes no value", 0 },
	{ "--inherit=x", "?--inherit takes no value", 0 },
	{ "--expire=x", "?--expire takes no value", 0 },
	{ "-kx", "?-k: no x here", 0 },
	{ "--key=x", "?--key: no x here", 0 },
	{ "--ke x", "?--key: no x here", 0 },
};

#define MAX_WORDS 16

/* Splits in place; the values point into the line. */
static int split(char *line, char **argv)
{
	char *save, *word;
	int n = 0;

	for (word = strtok_r(line, " ", &save); word; word = strtok_r(NULL, " ", &save)) {
		assert_true(n < MAX_WORDS);
		argv[n++] = strcmp(word, "_") ? word : word + 1;
	}
	return n;
}

static void show(const struct values *v, const struct option_result *r, char **argv,
		 struct buf *out)
{
	size_t i;

	buf_add_str(out, v->all ? " all" : "");
	buf_add_str(out, v->group ? " group" : "");
	buf_add_str(out, v->no_inherit ? " no_inherit" : "");
	buf_add_str(out, v->children ? " children" : "");
	buf_add_str(out, v->verbose ? " verbose" : "");
	if (v->output)
		buf_addf(out, " output=%s", v->output);
	if (v->freq)
		buf_addf(out, " freq=%llu", (unsigned long long)v->freq);
	if (v->count)
		buf_addf(out, " count=%llu", (unsigned long long)v->count);
	for (i = 0; i < v->events.n; i++)
		buf_addf(out, " event=%s", v->events.words[i]);
	if (*v->call)
		buf_addf(out, " call=%s", v->call);
	buf_add_str(out, r->help ? " help" : "");
	buf_add_str(out, "|");
	for (i = 0; i < r->n_words; i++)
		buf_addf(out, "%s%s", i ? " " : "", *argv[i] ? argv[i] : "_");
}

/* The beginning of an error is enough. */
static bool is_wanted(const char *got, const char *want)
{
	return *want == '?' ? !strncmp(got, want, strlen(want)) : !strcmp(got, want);
}

static void check_row(const struct row *row)
{
	char *line = strdup(row->line), *argv[MAX_WORDS];
	struct ptui_error err = PTUI_ERROR_INIT;
	struct values v = { 0 };
	struct option_result r;
	struct buf got = BUF_INIT;
	const char *text;
	int argc, ret;

	assert_non_null(line);
	argc = split(line, argv);
	ret = option_parse(table, &v, argc, argv, row->flags, &r, &err);
	if (ret) {
		assert_int_equal(ret, -err.code);
		assert_true(ret == -EINVAL || ret == -ENOTSUP);
		assert_int_equal(err.domain, PTUI_ERROR_INPUT);
		buf_addf(&got, "?%s", err.text);
	} else {
		assert_false(ptui_error_is_set(&err));
		show(&v, &r, argv, &got);
	}
	text = buf_str(&got);
	if (!is_wanted(text + (*text == ' '), row->want))
		fail_msg("'%s' gives '%s', not '%s'", row->line, text, row->want);
	option_words_release(&v.events);
	buf_release(&got);
	free(line);
}

static void test_rows(void **state)
{
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		check_row(&rows[i]);
}

static void test_number(void **state)
{
	uint64_t n = 42;

	(void)state;
	assert_int_equal(option_number("12", 0, 12, &n), 0);
	assert_int_equal(n, 12);
	assert_int_equal(option_number("13", 0, 12, &n), -ERANGE);
	assert_int_equal(option_number("", 0, 12, &n), -EINVAL);
	assert_int_equal(option_number(" 1", 0, 12, &n), -EINVAL);
	assert_int_equal(option_number("1 ", 0, 12, &n), -EINVAL);
	assert_int_equal(option_number("18446744073709551616", 0, UINT64_MAX, &n), -ERANGE);
	assert_int_equal(n, 12);
}

static void test_help(void **state)
{
	static const struct option some[] = {
		{ OPTION_GROUP, .help = "Some" },
		{ OPTION_FLAG, 'a', "all-cpus", .help = "all of them", .flags = OPTION_NO },
		{ OPTION_FLAG, 'i', "no-inherit", .help = "none", .flags = OPTION_NO },
		{ OPTION_FLAG, 'g', NULL, .help = "chains" },
		{ OPTION_GROUP, .help = "Others" },
		{ OPTION_STRING, 'o', "output-file-name", "FILE",
		  .help = "words that go on until the line is full and then go on in the next" },
		OPTION_NOT('M', "missing", 0, "the reason"),
		{ OPTION_CALL, 0, "graph", "KIND", .help = "maybe", .flags = OPTION_MAY_END },
		{ .type = OPTION_END },
	};
	struct buf out = BUF_INIT;

	(void)state;
	option_help(some, &out);
	assert_string_equal(
		buf_str(&out),
		"Some\n"
		"    -a, --[no-]all-cpus     all of them\n"
		"    -i, --no-inherit        none\n"
		"    -g                      chains\n"
		"\nOthers\n"
		"    -o, --output-file-name FILE\n"
		"                            words that go on until the line is full and then go\n"
		"                            on in the next\n"
		"        --graph [KIND]      maybe\n");
	buf_release(&out);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rows),
		cmocka_unit_test(test_number),
		cmocka_unit_test(test_help),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
