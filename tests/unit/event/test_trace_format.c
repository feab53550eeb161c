/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Print formats: those that libtraceevent gets, and those that would make it crash or leak. */
#include <string.h>
#include "event/trace_format.h"
#include "lib/need.h"

#define FIELDS_AND(more)                                                       \
	"name: up\nID: 9\nformat:\n"                                           \
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n" \
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"           \
	"\tfield:int floor;\toffset:8;\tsize:4;\tsigned:1;\n" more "\n"
#define FIELDS	FIELDS_AND("")
#define PLACE	";\toffset:4;\tsize:2;\tsigned:0;\n"
#define DYNAMIC ";\toffset:4;\tsize:4;\tsigned:0;\n"
#define PRINT	"print fmt: \"to %d\", REC->floor\n"

static void put_u32(struct buf *b, uint32_t v)
{
	buf_add(b, &v, sizeof(v));
}

static void put_file(struct buf *b, const char *text)
{
	uint64_t n = strlen(text);

	buf_add(b, &n, sizeof(n));
	buf_add_str(b, text);
}

/* The tracing data of a recording with one format. */
static void put_tracing(struct buf *b, const char *format)
{
	buf_add(b, "\27\10\104tracing", 10);
	buf_add(b, "0.6", 4);
	buf_add(b, "\0\10", 2);
	put_u32(b, 4096);
	buf_add(b, "header_page", 12);
	put_file(b, "\tfield: u64 timestamp;\toffset:0;\tsize:8;\tsigned:0;\n"
		    "\tfield: local_t commit;\toffset:8;\tsize:8;\tsigned:1;\n"
		    "\tfield: int overwrite;\toffset:8;\tsize:1;\tsigned:1;\n"
		    "\tfield: char data;\toffset:16;\tsize:4080;\tsigned:1;\n");
	buf_add(b, "header_event", 13);
	put_file(b, "");
	put_u32(b, 0);
	put_u32(b, 1);
	buf_add(b, "made", 5);
	put_u32(b, 1);
	put_file(b, format);
	put_u32(b, 0);
	put_u32(b, 0);
}

/* The payload of floor 7, printed by this format. */
static void print(const char *format, struct buf *ret)
{
	const uint32_t raw[3] = { 9, 1, 7 };
	struct ptui_error err = PTUI_ERROR_INIT;
	struct buf tracing = BUF_INIT;
	struct trace_formats *t;

	put_tracing(&tracing, format);
	t = trace_formats_new(tracing.data, tracing.len, NULL, NULL, &err);
	assert_non_null(t);
	buf_clear(ret);
	trace_formats_print(t, 9, 0, raw, sizeof(raw), ret);
	trace_formats_free(t);
	buf_release(&tracing);
}

static void test_formats(void **state)
{
	static const struct {
		const char *format, *text; /* "": not given to libtraceevent */
	} rows[] = {
		{ FIELDS "print fmt: \"to %d\", REC->floor\n", "to 7" },
		/* as in ext4_fc_stats */
		{ FIELDS "print fmt: \"to\n%d\", REC->floor\n", "to\n7" },
		{ FIELDS "print fmt: \"to %d\", REC->floor / 2\n", "to 3" },
		{ FIELDS "print fmt: \"to %d\", REC->floor / 0\n", "" },
		{ FIELDS "print fmt: \"to %d\", REC->floor / 1\n\ta/x : 0\n", "" },
		{ FIELDS "print fmt: \"to %d\", REC->floor / 1\n* 0\n", "" },
		{ FIELDS "print fmt: \"to %d, REC->floor\n", "" },
		{ FIELDS "print fmt: \"to %d\", - \302\265 REC->floor\n", "" },
		{ FIELDS_AND("\tfield:__data_loc char[] name" DYNAMIC) PRINT, "to 7" },
		{ FIELDS_AND("\tfield:__rel_loc char[] name" DYNAMIC) PRINT, "to 7" },
		{ FIELDS_AND("\tfield:__data_loc char[] name" PLACE) PRINT, "" },
		{ FIELDS_AND("\tfield:char[2]" PLACE) PRINT, "" },
		{ FIELDS_AND("\tfield:[2]" PLACE) PRINT, "" },
		{ FIELDS_AND("\tfield:__data_loc \"\"\"\"char[] name" DYNAMIC) PRINT, "" },
		{ FIELDS_AND("\tfield:char (\"\"\") name" PLACE) PRINT, "" },
	};
	struct buf text = BUF_INIT;

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		print(rows[i].format, &text);
		assert_string_equal(buf_str(&text), rows[i].text);
	}
	buf_release(&text);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_formats) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
