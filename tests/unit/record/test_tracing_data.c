/* SPDX-License-Identifier: GPL-2.0-or-later */
/* TRACING_DATA out of a made tracefs, and the names that the reader finds in it. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "base/cursor.h"
#include "data/read/reader.h"
#include "data/write/writer.h"
#include "lib/need.h"
#include "record/header/tracing_data.h"

static char top[64];

static void file(const char *name, const char *text)
{
	char path[512], *slash;
	FILE *out;

	snprintf(path, sizeof(path), "%s/%s", top, name);
	for (slash = strchr(path + strlen(top) + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		mkdir(path, 0700);
		*slash = '/';
	}
	out = fopen(path, "w");
	assert_non_null(out);
	fputs(text, out);
	fclose(out);
}

static int make_tree(void **state)
{
	(void)state;
	strncpy(top, "/tmp/ptui-test-XXXXXX", sizeof(top) - 1);
	if (!mkdtemp(top))
		return -1;
	file("events/header_page", "page");
	file("events/header_event", "event");
	file("events/sched/sched_switch/format", "name: sched_switch\nID: 316\nformat:\n");
	file("events/sched/sched_wakeup/format", "name: sched_wakeup\nID: 317\nformat:\n");
	file("events/irq/irq_entry/format", "name: irq_entry\nID: 99\nformat:\n");
	file("events/ftrace/print/format", "name: print\nID: 5\nformat:\n");
	file("printk_formats", "0x1 : \"x\"\n");
	return 0;
}

static int drop_tree(void **state)
{
	char command[96];

	(void)state;
	snprintf(command, sizeof(command), "rm -r %s", top);
	return system(command);
}

static void expect_text(struct cursor *c, unsigned size_bytes, const char *want)
{
	uint64_t n = size_bytes == 8 ? cursor_u64(c) : cursor_u32(c);
	const char *text = cursor_bytes(c, n);

	assert_int_equal(n, strlen(want));
	assert_memory_equal(text, want, n);
}

static void expect_name(struct cursor *c, const char *want)
{
	const char *text = cursor_bytes(c, strlen(want) + 1);

	assert_non_null(text);
	assert_string_equal(text, want);
}

static void layout(void **state)
{
	static const struct tp_ref tps[] = {
		{ "sched", "sched_wakeup" }, { "irq", "irq_entry" }, { "sched", "sched_switch" },
		{ "sched", "sched_wakeup" }, { "ftrace", "print" },
	};
	struct ptui_error err = PTUI_ERROR_INIT;
	struct buf out = BUF_INIT;
	struct cursor c;

	(void)state;
	if (tracing_data_build(top, tps, 5, &out, &err))
		fail_msg("%s", err.text);
	cursor_init(&c, out.data, out.len, false);
	assert_memory_equal(cursor_bytes(&c, 10), "\027\010\104tracing", 10);
	expect_name(&c, "0.6");
	assert_int_equal(cursor_u8(&c), __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);
	assert_int_equal(cursor_u8(&c), sizeof(long));
	assert_int_equal(cursor_u32(&c), sysconf(_SC_PAGESIZE));
	expect_name(&c, "header_page");
	expect_text(&c, 8, "page");
	expect_name(&c, "header_event");
	expect_text(&c, 8, "event");
	assert_int_equal(cursor_u32(&c), 1);
	expect_text(&c, 8, "name: print\nID: 5\nformat:\n");
	assert_int_equal(cursor_u32(&c), 2);
	expect_name(&c, "sched");
	assert_int_equal(cursor_u32(&c), 2);
	expect_text(&c, 8, "name: sched_wakeup\nID: 317\nformat:\n");
	expect_text(&c, 8, "name: sched_switch\nID: 316\nformat:\n");
	expect_name(&c, "irq");
	assert_int_equal(cursor_u32(&c), 1);
	expect_text(&c, 8, "name: irq_entry\nID: 99\nformat:\n");
	expect_text(&c, 4, "");
	expect_text(&c, 4, "0x1 : \"x\"\n");
	expect_text(&c, 8, "");
	assert_false(c.bad);
	assert_int_equal(cursor_left(&c), 0);
	buf_release(&out);
}

static void no_such_tracepoint(void **state)
{
	static const struct tp_ref tps[] = { { "sched", "sched_switch" }, { "sched", "none" } };
	struct ptui_error err = PTUI_ERROR_INIT;
	struct buf out = BUF_INIT;

	(void)state;
	buf_add_str(&out, "before");
	assert_int_equal(tracing_data_build(top, tps, 2, &out, &err), -ENOENT);
	assert_non_null(strstr(err.text, "sched:none"));
	assert_string_equal(buf_str(&out), "before");
	assert_int_equal(tracing_data_build("/nonexistent", tps, 1, &out, &err), -ENOENT);
	assert_string_equal(buf_str(&out), "before");
	buf_release(&out);
}

/* A pipe names its tracepoints nowhere else: the reader finds them in the formats. */
static void names_for_the_reader(void **state)
{
	static const struct tp_ref tps[] = { { "sched", "sched_switch" }, { "irq", "irq_entry" } };
	static const uint64_t configs[] = { 99, 316, 1000 };
	struct ptui_error err = PTUI_ERROR_INIT;
	struct buf out = BUF_INIT, formats = BUF_INIT;
	struct data_file *f;

	(void)state;
	assert_int_equal(tracing_data_build(top, tps, 2, &formats, &err), 0);
	buf_align(&formats, 8);
	buf_add(&out, "PERFILE2", 8);
	buf_add_u64(&out, 16);
	for (unsigned i = 0; i < 3; i++) {
		struct perf_event_attr attr;

		memset(&attr, 0, sizeof(attr));
		attr.type = PERF_TYPE_TRACEPOINT;
		attr.size = PTUI_ATTR_SIZE_VER5;
		attr.config = configs[i];
		data_put_user(&out, PTUI_RECORD_HEADER_ATTR, &attr, PTUI_ATTR_SIZE_VER5);
	}
	buf_add_u32(&out, PTUI_RECORD_HEADER_TRACING_DATA);
	buf_add_u16(&out, 0);
	buf_add_u16(&out, 12);
	buf_add_u32(&out, (uint32_t)formats.len);
	buf_add(&out, formats.data, formats.len);
	f = data_open_memory(out.data, out.len, &err, NULL);
	assert_non_null(f);
	assert_string_equal(data_event(f, 0)->name, "irq:irq_entry");
	assert_string_equal(data_event(f, 1)->name, "sched:sched_switch");
	assert_string_equal(data_event(f, 2)->name, "unknown tracepoint");
	data_close(f);
	buf_release(&out);
	buf_release(&formats);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(layout),
		cmocka_unit_test(no_such_tracepoint),
		cmocka_unit_test(names_for_the_reader),
	};

	return cmocka_run_group_tests(tests, make_tree, drop_tree);
}
