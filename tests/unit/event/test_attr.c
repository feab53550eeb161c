/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The rows of tests/attr/record.attrs: a command line of record ("$ ..."), and the attrs of its
 * events as written by `perf evlist -v`. A failing row prints the actual attrs.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/buf.h"
#include "event/attr.h"
#include "event/attr_text.h"
#include "event/selector/selector.h"
#include "lib/need.h"

#define TRACEPOINT_ID 372 /* id of every tracepoint */

struct row {
	char *command;
	struct buf expected;
};

/* Adds SYSTEM:NAME without tracefs. */
static void add_tracepoint(struct event_list *list, const char *name)
{
	struct event *ev = event_list_add(list, name);

	ev->kind = EVENT_TRACEPOINT;
	ev->attr.type = PERF_TYPE_TRACEPOINT;
	ev->attr.config = TRACEPOINT_ID;
	ev->attr.exclude_guest = 1;
	ev->tp_system = strndup(name, strcspn(name, ":"));
	ev->tp_name = strdup(strchr(name, ':') + 1);
}

static void add_selector(struct event_list *list, const char *text)
{
	struct roots roots = { .sysfs = "/sys", .proc = "/nowhere", .tracefs = "/nowhere" };
	struct catalog *cat = catalog_new(&roots);
	struct ptui_error err = PTUI_ERROR_INIT;

	assert_non_null(cat);
	if (!strncmp(text, "sched:", 6) || !strncmp(text, "ftrace:", 7))
		add_tracepoint(list, text);
	else if (selector_parse(cat, text, list, &err))
		fail_msg("%s", err.text);
	catalog_free(cat);
}

static bool set_flag(struct ptui_shape *s, const char *word)
{
	const struct {
		const char *option;
		bool *flag;
	} flags[] = {
		{ "-d", &s->data },
		{ "--phys-data", &s->phys_data },
		{ "--data-page-size", &s->data_page_size },
		{ "--code-page-size", &s->code_page_size },
		{ "--sample-cpu", &s->sample_cpu },
		{ "--sample-identifier", &s->sample_identifier },
		{ "-R", &s->raw_samples },
		{ "-W", &s->weight },
		{ "--transaction", &s->transaction },
		{ "-n", &s->no_samples },
		{ "--group", &s->group },
		{ "-s", &s->stat },
		{ "--running-time", &s->running_time },
		{ "--all-kernel", &s->all_kernel },
		{ "--all-user", &s->all_user },
		{ "--switch-events", &s->switch_events },
		{ "--namespaces", &s->namespaces },
		{ "--all-cgroups", &s->all_cgroups },
		{ "--no-bpf-event", &s->no_bpf_event },
		{ "--kernel-callchains", &s->kernel_callchains },
		{ "--user-callchains", &s->user_callchains },
	};

	for (size_t i = 0; i < sizeof(flags) / sizeof(*flags); i++) {
		if (!strcmp(word, flags[i].option)) {
			*flags[i].flag = true;
			return true;
		}
	}
	return false;
}

static bool set_value(struct ptui_shape *s, const char *word, char **save)
{
	struct ptui_error err = PTUI_ERROR_INIT;
	int ret = 0;

	if (!strcmp(word, "-g"))
		s->callgraph = PTUI_CALLGRAPH_FP;
	else if (!strcmp(word, "--call-graph"))
		ret = ptui_callgraph_parse(strtok_r(NULL, " ", save), &s->callgraph,
					   &s->stack_bytes, &err);
	else if (!strcmp(word, "-b"))
		ret = ptui_branch_filter_parse("any", &s->branch_filter, &err);
	else if (!strcmp(word, "-j"))
		ret = ptui_branch_filter_parse(strtok_r(NULL, " ", save), &s->branch_filter, &err);
	else if (!strcmp(word, "-I"))
		s->intr_regs = 0x180;
	else if (!strcmp(word, "--user-regs"))
		s->user_regs = 0x1;
	else if (!strcmp(word, "-k"))
		ret = ptui_clockid_parse(strtok_r(NULL, " ", save), &s->clockid, &err);
	else if (!strcmp(word, "-T") || !strcmp(word, "--no-timestamp"))
		s->timestamp = word[1] == 'T' ? PTUI_SAID_YES : PTUI_SAID_NO;
	else if (!strcmp(word, "-P") || !strcmp(word, "--no-period"))
		s->period = word[1] == 'P' ? PTUI_SAID_YES : PTUI_SAID_NO;
	else
		return false;
	s->use_clockid |= !strcmp(word, "-k");
	assert_int_equal(ret, 0);
	return true;
}

/* Parses the options of record, and configures the events. */
static void configure(char *command, struct event_list *list)
{
	struct attr_options opts = { .freq_hz = 4000,
				     .inherit = true,
				     .kernel_lost = true,
				     .kernel_weight_struct = true,
				     .enable_on_exec = true };
	char *save = NULL;

	for (char *word = strtok_r(command, " ", &save); word; word = strtok_r(NULL, " ", &save)) {
		if (!strcmp(word, "record")) {
			continue;
		} else if (!strcmp(word, "-e")) {
			add_selector(list, strtok_r(NULL, " ", &save));
		} else if (!strcmp(word, "-F")) {
			opts.freq_hz = strtoull(strtok_r(NULL, " ", &save), NULL, 10);
			opts.freq_given = true;
		} else if (!strcmp(word, "-c")) {
			opts.period = strtoull(strtok_r(NULL, " ", &save), NULL, 10);
			opts.period_given = true;
			opts.freq_hz = 0;
		} else if (set_flag(&opts.shape, word) || set_value(&opts.shape, word, &save)) {
			continue;
		} else if (!strcmp(word, "-i")) {
			opts.inherit = false;
		} else if (!strcmp(word, "-a")) {
			opts.per_cpu_target = true;
			opts.enable_on_exec = false;
		} else if (!strcmp(word, "-p")) {
			opts.enable_on_exec = false;
		} else if (!strcmp(word, "[live]")) {
			opts.live = true;
		} else if (!strcmp(word, "[build-id]")) {
			opts.kernel_build_id = true;
		} else if (!strcmp(word, "[old-kernel]")) {
			opts.kernel_lost = opts.kernel_weight_struct = false;
		} else {
			fail_msg("%s is no option of this test", word);
		}
	}
	if (!list->n)
		assert_int_equal(event_list_add_default(list), 0);
	assert_int_equal(event_attrs_configure(list, &opts), 0);
	/* again, as after a change of options: nothing is added twice */
	assert_int_equal(event_attrs_configure(list, &opts), 0);
}

/* Without the bit for data maps. */
static char *without_data_maps(const char *attrs)
{
	static const char bit[] = " mmap_data: 1,";
	char *ret = strdup(attrs), *at = strstr(ret, bit);

	if (at)
		memmove(at, at + strlen(bit), strlen(at + strlen(bit)) + 1);
	return ret;
}

/*
 * Unwinding while recording changes what is written, not what the kernel is asked for, apart from
 * data maps.
 */
static char *with_live(const char *command)
{
	const char *dwarf = strstr(command, "--call-graph dwarf");
	size_t n = dwarf ? (size_t)(dwarf - command) + strlen("--call-graph ") : 0;
	size_t size = strlen(command) + sizeof(",live");
	char *ret = malloc(size);

	n += strcspn(command + n, " ");
	snprintf(ret, size, "%.*s,live%s", (int)n, command, command + n);
	return ret;
}

static void check_row(const struct row *row, char *command, const char *expected)
{
	struct event_list list;
	struct buf got = BUF_INIT;

	event_list_init(&list);
	configure(command, &list);
	for (size_t i = 0; i < list.n; i++) {
		assert_int_equal(list.v[i].sideband,
				 i == list.n - 1 && !strstr(row->command, " -s"));
		attr_text(&got, &list.v[i]);
	}
	if (strcmp(buf_str(&got), expected))
		fail_msg("\n$ %s\n%s", row->command, buf_str(&got));
	buf_release(&got);
	event_list_release(&list);
	free(command);
}

static void test_row(void **state)
{
	struct row *row = *state;

#ifndef __x86_64__
	/* the table has the register masks of one architecture */
	if (strstr(row->command, "dwarf") || strstr(row->command, "regs"))
		skip();
#endif
	check_row(row, strdup(row->command), buf_str(&row->expected));
	if (strstr(row->command, "--call-graph dwarf")) {
		char *expected = without_data_maps(buf_str(&row->expected));

		check_row(row, with_live(row->command), expected);
		free(expected);
	}
}

static void test_size(void **state)
{
	struct perf_event_attr attr = { .type = 1, .config = 1, .config1 = 1 };

	(void)state;
	assert_int_equal(attr_size_min(&(struct perf_event_attr){ 0 }), 64);
	assert_int_equal(attr_size_min(&attr), 64);
	attr.config2 = 1ull << 63;
	assert_int_equal(attr_size_min(&attr), 72);
	attr.branch_sample_type = 1;
	assert_int_equal(attr_size_min(&attr), 80);
	attr.sample_regs_user = 1;
	assert_int_equal(attr_size_min(&attr), 96);
	attr.clockid = 1;
	assert_int_equal(attr_size_min(&attr), 96);
	attr.sample_regs_intr = 1;
	assert_int_equal(attr_size_min(&attr), 104);
	attr.aux_watermark = 1;
	assert_int_equal(attr_size_min(&attr), 112);
	attr.sample_max_stack = 127;
	assert_int_equal(attr_size_min(&attr), 112);
	attr.aux_sample_size = 1;
	assert_int_equal(attr_size_min(&attr), 120);
	attr.sig_data = 1;
	assert_int_equal(attr_size_min(&attr), 128);
}

#define ROWS_MAX 100

static struct row rows[ROWS_MAX];
static struct CMUnitTest tests[ROWS_MAX + 1];

static int read_table(void)
{
	const char *top = getenv("top_srcdir");
	char path[512], line[1024];
	int n = 0;
	FILE *file;

	snprintf(path, sizeof(path), "%s/tests/attr/record.attrs", top ? top : ".");
	file = fopen(path, "r");
	if (!file)
		return -1;
	while (n < ROWS_MAX && fgets(line, sizeof(line), file)) {
		if (*line == '\n' || *line == '#')
			continue;
		if (!strncmp(line, "$ ", 2)) {
			line[strcspn(line, "\n")] = '\0';
			rows[n++].command = strdup(line + 2);
		} else if (n) {
			buf_add_str(&rows[n - 1].expected, line);
		}
	}
	fclose(file);
	return n;
}

int main(void)
{
	int n = read_table(), ret;

	if (n < 1) {
		fprintf(stderr, "no table: run in make check, or with top_srcdir set\n");
		return 1;
	}
	for (int i = 0; i < n; i++)
		tests[i] = (struct CMUnitTest){ rows[i].command, test_row, NULL, NULL, &rows[i] };
	tests[n] = (struct CMUnitTest)cmocka_unit_test(test_size);
	ret = _cmocka_run_group_tests("attr", tests, (size_t)n + 1, NULL, NULL);
	for (int i = 0; i < n; i++) {
		free(rows[i].command);
		buf_release(&rows[i].expected);
	}
	return ret;
}
