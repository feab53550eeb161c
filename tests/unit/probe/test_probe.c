/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Definitions, filters, the kernel's lines, and probes of a kernel: a made tracefs, and this program as vmlinux. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "base/file.h"
#include "lib/need.h"
#include "probe/event.h"
#include "probe/filter.h"
#include "probe/show.h"
#include "probe/tracefs.h"

/* ---- definitions ---- */

static void test_definitions(void **state)
{
	/* group, event; function, file, pattern; line, offset, returns; arguments */
	static const struct {
		const char *text, *wanted;
	} rows[] = {
		{ "work", "- - | work - - 0 0 0 |" },
		{ "  work \t a  b ", "- - | work - - 0 0 0 | a b" },
		{ "g:e=work+0x10", "g e | work - - 0 16 0 |" },
		{ "e=work@dir/f.c:3", "- e | work dir/f.c - 3 0 0 |" },
		{ "work:3", "- work_L3 | work - - 3 0 0 |" },
		{ "f.c:12 i", "- - | - f.c - 12 0 0 | i" },
		{ "f.c;a=*b", "- - | - f.c a=*b 0 0 0 |" },
		{ "work;x*", "- - | work - x* 0 0 0 |" },
		{ "work@f.c;x*:1", "- - | work f.c x*:1 0 0 0 |" },
		{ "work%return $retval", "- - | work - - 0 0 1 | $retval" },
		{ "0x1234 %ax", "- - | 0x1234 - - 0 0 0 | %ax" },
		{ "a\\:b", "- - | a:b - - 0 0 0 |" },
		{ "%shop:sell", "shop sell | %sell - - 0 0 0 |" },
		{ "sdt_shop:sell", "sdt_shop sell | %sell - - 0 0 0 |" },
		{ "sdt_shop", "- - | sdt_shop - - 0 0 0 |" },
		{ "f n=a.b->c[2]:x8", "- - | f - - 0 0 0 | n=a.b->c[2]:x8" },
		{ "f a.b", "- - | f - - 0 0 0 | b=a.b" },
		{ "f a[1]:string@user", "- - | f - - 0 0 0 | a=a[1]:string" },
		{ "f +8(%sp):u64 @glob $vars", "- - | f - - 0 0 0 | +8(%sp):u64 @glob $vars" },
	};
	(void)state;

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct ptui_error err = PTUI_ERROR_INIT;
		struct arena mem = ARENA_INIT;
		struct probe_definition d;
		struct buf out = BUF_INIT;

		if (probe_definition_parse(rows[i].text, &mem, &d, &err))
			fail_msg("%s: %s", rows[i].text, err.text);
		buf_addf(&out, "%s %s | %s %s %s %d %d %d |", d.group ? d.group : "-",
			 d.event ? d.event : "-", d.point.function ? d.point.function : "-",
			 d.point.file ? d.point.file : "-", d.point.pattern ? d.point.pattern : "-",
			 d.point.line, (int)d.point.offset, d.point.returns);
		for (size_t k = 0; k < d.n_args; k++) {
			buf_add_char(&out, ' ');
			probe_arg_format(&d.args[k], &out);
		}
		assert_string_equal(buf_str(&out), rows[i].wanted);
		buf_release(&out);
		arena_release(&mem);
	}
}

static void test_refused(void **state)
{
	static const char *const texts[] = {
		"",
		" ",
		"=work",
		"1a=work",
		"a-b=work",
		"a:b:c=work",
		"work:",
		"work:x",
		"work:1x",
		"work+",
		"work+-1",
		"work+1:2",
		"work;",
		"work+x",
		"work:1;x",
		"work%exit",
		"work%return:1",
		"work%return+1",
		"f.c",
		"@f.c",
		":3",
		";x",
		"f@a@b",
		"f@",
		"0x12z",
		"f a=",
		"f a:",
		"f 1a=b",
		"f a.",
		"f a->",
		"f a-b",
		"f a[]",
		"f a[x]",
		"f a[1",
		"f a[1]b",
		"f a..b",
		"f%return a",
		"%shop:sell x",
		"%",
		"%shop:sell+1",
		"f %ax@user",
		"f =",
	};
	(void)state;

	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
		struct ptui_error err = PTUI_ERROR_INIT;
		struct arena mem = ARENA_INIT;
		struct probe_definition d;
		int ret = probe_definition_parse(texts[i], &mem, &d, &err);

		if (!strcmp(texts[i], "f.c")) { /* a function of this name, as in perf */
			assert_int_equal(ret, 0);
		} else {
			if (ret != -EINVAL)
				fail_msg("'%s' is accepted", texts[i]);
			assert_true(*err.text && *err.hint);
		}
		arena_release(&mem);
	}
}

static void test_lines(void **state)
{
	static const struct {
		const char *text, *function, *file;
		int start, end;
	} rows[] = {
		{ "work", "work", NULL, 0, PROBE_LINES_END },
		{ "work:3", "work", NULL, 3, PROBE_LINES_END },
		{ "work:3+4", "work", NULL, 3, 6 },
		{ "work@f.c:3-9", "work", "f.c", 3, 9 },
		{ "f.c:10", NULL, "f.c", 10, PROBE_LINES_END },
		{ "a::b:2-2", "a::b", NULL, 2, 2 },
	};
	static const char *const refused[] = { "",     ":",	"f:",		"f:x",
					       "f:3-", "f:3+0", "f:3-2",	"f:3+2x",
					       "@f.c", "f@",	"f:99999999999" };
	struct probe_line_range r;
	struct arena mem = ARENA_INIT;
	(void)state;

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		assert_int_equal(probe_line_range_parse(rows[i].text, &mem, &r, NULL), 0);
		assert_true(!rows[i].function == !r.function && !rows[i].file == !r.file);
		if (r.function)
			assert_string_equal(r.function, rows[i].function);
		if (r.file)
			assert_string_equal(r.file, rows[i].file);
		assert_int_equal(r.start, rows[i].start);
		assert_int_equal(r.end, rows[i].end);
	}
	for (size_t i = 0; i < sizeof(refused) / sizeof(*refused); i++)
		assert_int_equal(probe_line_range_parse(refused[i], &mem, &r, NULL), -EINVAL);
	arena_release(&mem);
}

static void test_filters(void **state)
{
	static const struct {
		const char *filter, *name;
		bool matches;
	} rows[] = {
		{ "read*", "readline", true },	{ "read*", "bread", false },
		{ "!_*", "a", true },		{ "!_* & !*@plt", "malloc@plt", false },
		{ "a | b & c", "a", true },	{ "(a | b) & c", "a", false },
		{ "!(a|b)", "c", true },	{ "!!a", "a", true },
		{ "[a-c]? & !b*", "cx", true },
	};
	static const char *const refused[] = { "", "&", "a &", "(a", "a)", "!", "a b", "a||b" };
	(void)state;

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		assert_int_equal(probe_filter_check(rows[i].filter, NULL), 0);
		assert_true(probe_filter_matches(rows[i].filter, rows[i].name) == rows[i].matches);
	}
	for (size_t i = 0; i < sizeof(refused) / sizeof(*refused); i++)
		assert_int_equal(probe_filter_check(refused[i], NULL), -EINVAL);
}

/* ---- the kernel's lines ---- */

static void test_kernel_lines(void **state)
{
	static const char *const lines[] = {
		"p:probe_x/a /usr/bin/x:0x1234 n=%di:s32 s=+0(-24(%bp)):string",
		"r:probe_x/a__return /usr/bin/x y:0x10", /* a path with a blank is cut */
		"p:sdt_a/b /lib/a.so:0x99(0x40)",
		"p:probe/open _text+4096 arg1=%di",
		"r:probe/x__return ext4:x+0 arg1=$retval",
	};
	struct arena mem = ARENA_INIT;
	(void)state;

	for (size_t i = 0; i < sizeof(lines) / sizeof(*lines); i++) {
		struct probe_event e;
		struct buf out = BUF_INIT;

		if (i == 1)
			continue;
		assert_true(probe_event_parse(lines[i], &mem, &e));
		probe_event_format(&e, &out);
		assert_string_equal(buf_str(&out), lines[i]);
		buf_release(&out);
	}
	for (size_t i = 0; i < 4; i++) {
		static const char *const others[] = { "", "e:a/b x.y", "p:x 0x1", "p:a/b" };
		struct probe_event e;

		assert_false(probe_event_parse(others[i], &mem, &e));
	}
	assert_string_equal(probe_group_of("/usr/lib/libc-2.15.so", &mem), "probe_libc");
	assert_string_equal(probe_group_of("/opt/a_b+c", &mem), "probe_a_b");
	assert_string_equal(probe_group_of(NULL, &mem), "probe");
	arena_release(&mem);
}

static bool is_taken(void *ctx, const char *name)
{
	const char *const *v = ctx;

	for (; *v; v++)
		if (!strcmp(*v, name))
			return true;
	return false;
}

static void test_names(void **state)
{
	const char *taken[] = { "work", "work_1", NULL }, *name;
	struct probe_definition d = { .point = { .function = "work" } };
	struct probe_event e = { .function = "other" };
	struct ptui_error err = PTUI_ERROR_INIT;
	struct arena mem = ARENA_INIT;
	(void)state;

	assert_int_equal(probe_event_name(&d, &e, is_taken, taken, false, &mem, &name, &err),
			 -EEXIST);
	assert_non_null(strstr(err.hint, "--force"));
	assert_int_equal(probe_event_name(&d, &e, is_taken, taken, true, &mem, &name, &err), 0);
	assert_string_equal(name, "work_2");
	d.point.function = "wo*";
	assert_int_equal(probe_event_name(&d, &e, NULL, NULL, false, &mem, &name, &err), 0);
	assert_string_equal(name, "other");
	d.point.function = "largest<int>";
	assert_int_equal(probe_event_name(&d, &e, NULL, NULL, false, &mem, &name, &err), 0);
	assert_string_equal(name, "largest_int_");
	d.point.function = "f.isra.0";
	e.returns = true;
	assert_int_equal(probe_event_name(&d, &e, NULL, NULL, false, &mem, &name, &err), 0);
	assert_string_equal(name, "f__return");
	arena_release(&mem);
}

/* ---- a kernel ---- */

/* Of its own, because the test may have no debug information of variables. */
static const char kernel_source[] =
	"struct list { struct list *next; unsigned low : 3, high : 5; const char *name; };\n"
	"int probed(struct list *list, long number);\n"
	"__attribute__((noinline, noclone)) int probed(struct list *list, long number)\n"
	"{ return list->high + (int)number; }\n"
	"int main(int argc, char **argv) { struct list l = { 0 }; (void)argv; return probed(&l, argc); }\n";

static char *make_kernel(struct arena *mem)
{
	char dir[] = "/tmp/ptui-probe.XXXXXX", command[512], *path;
	FILE *compiler;

	assert_non_null(mkdtemp(dir));
	snprintf(command, sizeof(command), "%s/vmlinux", dir);
	path = arena_strdup(mem, command);
	snprintf(command, sizeof(command), "${CC:-cc} -g -O1 -fno-ipa-sra -o %s -x c -", path);
	compiler = popen(command, "w");
	assert_non_null(compiler);
	fputs(kernel_source, compiler);
	assert_int_equal(pclose(compiler), 0);
	return path;
}

static void drop_kernel(char *path)
{
	unlink(path);
	*strrchr(path, '/') = '\0';
	rmdir(path);
}

static char *line_of(const char *kernel, const char *definition, struct arena *mem)
{
	const struct probe_binary_opts o = { .symfs = NULL };
	struct probe_make_opts make = { .find = { .mem = mem }, .max_probes = 8 };
	struct ptui_error err = PTUI_ERROR_INIT;
	struct probe_binary *b = probe_binary_open_kernel(kernel, &o, &err);
	struct probe_definition def;
	struct probe_events events;
	struct buf out = BUF_INIT;
	char *ret;

	assert_non_null(b);
	assert_int_equal(probe_definition_parse(definition, mem, &def, &err), 0);
	if (probe_events_make(b, &def, &make, &events, &err))
		fail_msg("%s", err.text);
	assert_int_equal(events.n, 1);
	events.v[0].group = "probe";
	assert_int_equal(probe_event_name(&def, &events.v[0], NULL, NULL, false, mem,
					  &events.v[0].event, &err),
			 0);
	probe_event_format(&events.v[0], &out);
	ret = arena_strdup(mem, buf_str(&out));
	buf_release(&out);
	probe_events_release(&events);
	probe_binary_free(b);
	return ret;
}

static void test_vmlinux(void **state)
{
	struct arena mem = ARENA_INIT;
	char *kernel = make_kernel(&mem), *line;
	(void)state;

	line = line_of(kernel, "probed list->next->name:string number", &mem);
	if (!strstr(line, "probe/probed probed+"))
		fail_msg("%s", line);
	assert_non_null(strstr(line, ":string number="));
	assert_non_null(strstr(line, " name=+0(+16(+0("));
	line = line_of(kernel, "probed list->high", &mem);
	assert_non_null(strstr(line, ":b5@3/32"));
	assert_string_equal(line_of(kernel, "probed%return $retval", &mem),
			    "r:probe/probed__return probed+0 $retval");
	drop_kernel(kernel);
	arena_release(&mem);
}

static void put(const char *dir, const char *name, const char *text)
{
	char path[512];
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	f = fopen(path, "w");
	assert_non_null(f);
	fputs(text, f);
	fclose(f);
}

static void test_tracefs(void **state)
{
	char dir[] = "/tmp/ptui-probe.XXXXXX", path[64];
	struct probe_events events = { NULL, 0, 0 };
	struct ptui_error err = PTUI_ERROR_INIT;
	struct probe_event e = { .group = "probe", .event = "open", .symbol = "do_open" };
	struct arena mem = ARENA_INIT;
	struct buf text = BUF_INIT;
	(void)state;

	assert_non_null(mkdtemp(dir));
	e.is_uprobe = true;
	e.module = "/bin/x";
	assert_int_equal(probe_tracefs_add(dir, &e, false, &err), -ENOENT);
	assert_non_null(strstr(err.hint, "CONFIG_UPROBE_EVENTS"));
	e.is_uprobe = false;
	e.module = NULL;
	memset(&err, 0, sizeof(err));
	put(dir, "uprobe_events", "p:probe_x/a /usr/bin/x:0x12 n=%di:s32\nnonsense\n");
	assert_int_equal(probe_tracefs_read(dir, true, &mem, &events, &err), 0);
	/* a kernel without kprobes has no such list: none are there, and none can be added */
	assert_int_equal(probe_tracefs_read(dir, false, &mem, &events, &err), 0);
	assert_int_equal(events.n, 1);
	assert_true(events.v[0].is_uprobe && events.v[0].address == 0x12);
	assert_int_equal(probe_tracefs_add(dir, &e, false, &err), -ENOENT);
	assert_non_null(strstr(err.hint, "CONFIG_KPROBE_EVENTS"));
	put(dir, "kprobe_events", "p:probe/other x+0\n");
	assert_int_equal(probe_tracefs_add(dir, &e, false, &err), 0);
	assert_int_equal(probe_tracefs_delete(dir, &events.v[0], &err), 0);
	assert_int_equal(file_readf(&text, 4096, "%s/kprobe_events", dir), 0);
	assert_string_equal(buf_str(&text), "p:probe/other x+0\np:probe/open do_open+0");
	buf_clear(&text);
	assert_int_equal(file_readf(&text, 4096, "%s/uprobe_events", dir), 0);
	assert_non_null(strstr(buf_str(&text), "nonsense\n-:probe_x/a"));
	snprintf(path, sizeof(path), "%s/kprobe_events", dir);
	unlink(path);
	snprintf(path, sizeof(path), "%s/uprobe_events", dir);
	unlink(path);
	rmdir(dir);
	assert_int_equal(probe_tracefs_read(dir, true, &mem, &events, &err), -ENOENT);
	buf_release(&text);
	probe_events_release(&events);
	arena_release(&mem);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(test_definitions),  cmocka_unit_test(test_refused),
	cmocka_unit_test(test_lines),	     cmocka_unit_test(test_filters),
	cmocka_unit_test(test_kernel_lines), cmocka_unit_test(test_names),
	cmocka_unit_test(test_vmlinux),	     cmocka_unit_test(test_tracefs),
};

int main(void)
{
	return cmocka_run_group_tests_name("probe", tests, NULL, NULL);
}
