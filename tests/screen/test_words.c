/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The screens in Chinese: every character is two columns wide, and columns stay aligned. The locale
 * is created here, since test machines have few.
 */
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "screen/harness/screen.h"
#include "text/utf8.h"

static char scratch[] = "/tmp/ptui-words-XXXXXX";
static char recording[sizeof(scratch) + 16];
static const char *lack; /* NULL: there is a Chinese locale, and a translation */

static bool made(const char *locale, const char *charset)
{
	char command[256], path[sizeof(scratch) + 64];

	snprintf(command, sizeof(command), "localedef -i zh_CN -f %s %s/%s >/dev/null 2>&1",
		 charset, scratch, locale);
	snprintf(path, sizeof(path), "%s/%s/LC_MESSAGES", scratch, locale);
	return system(command) != -1 && !access(path, R_OK);
}

static int prepare(void **state)
{
	char mo[4096];

	(void)state;
	setlocale(LC_CTYPE, "C.UTF-8");
	if (!mkdtemp(scratch))
		return -1;
	snprintf(recording, sizeof(recording), "%s/perf.data", scratch);
	snprintf(mo, sizeof(mo), "%s/locale/zh_CN/LC_MESSAGES/ptui.mo", getenv("top_builddir"));
	if (access(mo, R_OK))
		lack = "this build has no translations (--disable-nls, or no msgfmt)";
	else if (!made("zh_CN.UTF-8", "UTF-8"))
		lack = "localedef cannot make zh_CN.UTF-8 (Debian package locales)";
	return 0;
}

static int clean_up(void **state)
{
	char command[64];

	(void)state;
	snprintf(command, sizeof(command), "rm -rf %s", scratch);
	return system(command);
}

/* In a Chinese locale, with arguments. */
static struct screen *start(const char *locale, const char *words[3])
{
	static char locpath[64], state[64], localedir[4096];
	static const char *env[] = { locpath, state, localedir, "XDG_CONFIG_HOME=/nonexistent",
				     NULL };
	const char *argv[] = { getenv("PTUI"), words[0], words[1], words[2], NULL };
	const struct screen_opts opts = {
		.argv = argv, .env = env, .locale = locale, .folder = scratch
	};

	assert_non_null(argv[0]);
	snprintf(locpath, sizeof(locpath), "LOCPATH=%s", scratch);
	snprintf(state, sizeof(state), "XDG_STATE_HOME=%s/state", scratch);
	snprintf(localedir, sizeof(localedir), "PTUI_LOCALEDIR=%s/locale", getenv("top_builddir"));
	return screen_start(&opts);
}

static struct screen *open_setup(void)
{
	const char *none[3] = { NULL };
	struct screen *s;

	if (lack)
		skip_because("%s", lack);
	s = start("zh_CN.UTF-8", none);
	screen_wait(s, "ptui  设置");
	return s;
}

/* The column in which the text begins, in the first row that has it. */
static int column(struct screen *s, const char *text)
{
	int x = -1;

	if (screen_find(s, text, &x) < 0)
		fail_msg("\"%s\" is not on the screen", text);
	return x;
}

static void finish(struct screen *s)
{
	int status;

	screen_keys(s, "<C-c>");
	status = screen_wait_end(s);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 0);
	screen_check_sane(s);
	screen_free(s);
}

static void test_setup(void **state)
{
	struct screen *s = open_setup();

	(void)state;
	screen_wait(s, "r 记录"); /* the last line */
	assert_int_equal(column(s, "展开"), column(s, "perf.data"));
	assert_int_equal(column(s, "目标"), column(s, "调用链"));
	assert_int_equal(column(s, "目标"), column(s, "采样"));
	finish(s);
}

static void test_prompt(void **state)
{
	struct screen *s = open_setup();
	int y, x;

	(void)state;
	screen_keys(s, "c");
	screen_wait(s, "命令：");
	screen_keys(s, "/打印 中文");
	screen_wait(s, "命令：/打印 中文");
	assert_true(screen_cursor(s, &y, &x));
	assert_int_equal(x, column(s, "命令：/") + utf8_width("命令：/打印 中文"));
	screen_keys(s, "<BS><BS>x");
	screen_wait(s, "命令：/打印 x");
	assert_int_equal(screen_find(s, "中文", NULL), -1);
	finish(s);
}

static void test_help(void **state)
{
	struct screen *s = open_setup();

	(void)state;
	screen_keys(s, "?");
	screen_wait(s, "帮助：设置");
	screen_resize(s, 60, 80); /* its own keys come first */
	screen_wait(s, "列出此界面的按键");
	screen_wait(s, "重绘整个屏幕");
	assert_int_equal(column(s, "列出此界面的按键"), column(s, "撤销上一步"));
	assert_int_equal(column(s, "撤销上一步"), column(s, "重绘整个屏幕"));
	finish(s);
}

static void test_picker(void **state)
{
	struct screen *s = open_setup();

	(void)state;
	screen_keys(s, "e");
	screen_wait(s, "设置 › 事件");
	screen_wait(s, "Space 标记");
	/* descriptions of events that every machine has, next to names of different width */
	screen_keys(s, "/-faults<Enter>");
	screen_wait(s, "两种缺页异常之和");
	screen_wait(s, "不需要磁盘 I/O 的缺页异常");
	assert_int_equal(column(s, "两种缺页异常之和"), column(s, "不需要磁盘 I/O 的缺页异常"));
	assert_int_equal(column(s, "两种缺页异常之和"), column(s, " 需要磁盘 I/O 的缺页异常") + 1);
	finish(s);
}

/* A terminal that cannot show Chinese gets English, not question marks. */
static void test_other_charset(void **state)
{
	const char *none[3] = { NULL };
	struct screen *s;

	(void)state;
	if (lack)
		skip_because("%s", lack);
	if (!made("zh_CN.GBK", "GBK"))
		skip_because("localedef cannot make zh_CN.GBK");
	s = start("zh_CN.GBK", none);
	screen_wait(s, "ptui  Setup");
	screen_wait(s, "Target");
	finish(s);
}

static void record(void)
{
	char command[512];

	need("perf");
	if (!access(recording, R_OK))
		return;
	snprintf(command, sizeof(command),
		 "\"$PTUI\" record -q -g -e cpu-clock -F 2000 -o %s -- "
		 "sh -c 'i=0; while [ $i -lt 60000 ]; do i=$((i+1)); done' >/dev/null 2>&1",
		 recording);
	assert_int_equal(system(command), 0);
}

static void test_browser(void **state)
{
	const char *words[3] = { "report", "-i", recording };
	struct screen *s;
	int y;

	(void)state;
	if (lack)
		skip_because("%s", lack);
	record();
	s = start("zh_CN.UTF-8", words);
	screen_wait(s, "事件 'cpu-clock'");
	screen_wait(s, "[.]");
	/* titles above their columns */
	assert_int_equal(column(s, "符号"), column(s, "[.]"));
	y = screen_find(s, "符号", NULL); /* the line above may have the same words, if they fit */
	assert_int_equal(screen_column(s, y, "含子调用") + utf8_width("含子调用"),
			 column(s, "%") + 1);
	screen_keys(s, "T");
	screen_wait(s, "数据质量");
	screen_keys(s, "q");
	screen_wait_gone(s, "数据质量");
	finish(s);
}

/* Without screens the command line prints this text, and exits. */
static void prints(const char *term, const char *line, const char *text, int want)
{
	static const char *const env[] = { "PTUI_PAGER=", "XDG_CONFIG_HOME=/nonexistent", NULL };
	const char *argv[] = { "sh", "-c", line, NULL };
	const struct screen_opts opts = {
		.argv = argv, .env = env, .term = term, .folder = scratch, .rows = 40
	};
	struct screen *s = screen_start(&opts);
	int status;

	screen_wait(s, text);
	status = screen_wait_end(s);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), want);
	screen_check_sane(s);
	screen_free(s);
}

static void test_without_screens(void **state)
{
	(void)state;
	prints("dumb", "\"$PTUI\"", "Without a command, on a terminal", 1);
	prints(NULL, "\"$PTUI\" | head -n 40", "Without a command, on a terminal", 0);
	prints(NULL, "\"$PTUI\" </dev/null", "Without a command, on a terminal", 1);
	record();
	prints("dumb", "\"$PTUI\" report | head -n 12", "Children      Self", 0);
	prints("dumb", "\"$PTUI\" report -g none --percent-limit 90; true", "Children      Self",
	       0);
	prints("dumb", "\"$PTUI\" report --tui", "cannot open the browser", 255);
	prints(NULL, "\"$PTUI\" report | head -n 12", "Children      Self", 0);
	prints(NULL, "\"$PTUI\" report --stdio -g none --percent-limit 90", "Children      Self",
	       0);
}

/* What programs read is perf's text, in every language. */
static void test_report(void **state)
{
	char command[1024];

	(void)state;
	if (lack)
		skip_because("%s", lack);
	record();
	snprintf(command, sizeof(command),
		 "cd %s && export LOCPATH=. PTUI_LOCALEDIR=\"$top_builddir/locale\" && "
		 "\"$PTUI\" report --stdio >english 2>&1 && "
		 "LC_ALL=zh_CN.UTF-8 \"$PTUI\" report --stdio >chinese 2>&1 && "
		 "grep -q 'Symbol' english && cmp english chinese",
		 scratch);
	assert_int_equal(system(command), 0);
}

/* An error in the config, or in a variable: no screen opens, and the message names it. */
static void wrong_config(const char *line, const char *variable, const char *told)
{
	static char config[64], state[64];
	const char *env[] = { config, state, variable, NULL };
	const char *argv[] = { getenv("PTUI"), NULL };
	const struct screen_opts opts = { .argv = argv, .env = env };
	char path[128];
	struct screen *s;
	FILE *f;
	int status;

	snprintf(config, sizeof(config), "XDG_CONFIG_HOME=%s", scratch);
	snprintf(state, sizeof(state), "XDG_STATE_HOME=%s/state", scratch);
	snprintf(path, sizeof(path), "%s/ptui", scratch);
	mkdir(path, 0700);
	snprintf(path, sizeof(path), "%s/ptui/config", scratch);
	f = fopen(path, "w");
	assert_non_null(f);
	fprintf(f, "%s\n", line);
	fclose(f);
	s = screen_start(&opts);
	screen_wait(s, told);
	status = screen_wait_end(s);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 129);
	screen_check_sane(s);
	screen_free(s);
}

static void test_config(void **state)
{
	(void)state;
	wrong_config("set theme lihgt", NULL, "/ptui/config: unknown theme 'lihgt'");
	wrong_config("set colour on", NULL, "/ptui/config:1: unknown setting 'colour'");
	wrong_config("bind list x dwon", NULL, "/ptui/config:1: unknown request 'dwon'");
	wrong_config("", "PTUI_THEME=contrast", "the themes are dark, light and high-contrast");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_setup),
		cmocka_unit_test(test_prompt),
		cmocka_unit_test(test_help),
		cmocka_unit_test(test_picker),
		cmocka_unit_test(test_other_charset),
		cmocka_unit_test(test_browser),
		cmocka_unit_test(test_report),
		cmocka_unit_test(test_config),
		cmocka_unit_test(test_without_screens),
	};

	return cmocka_run_group_tests_name("screen/words", tests, prepare, clean_up);
}
