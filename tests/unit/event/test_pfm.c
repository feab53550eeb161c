/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Vendor events as on a Skylake server, on any machine. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "config.h"
#include "event/selector/selector.h"
#include "lib/need.h"

static struct catalog *catalog;

#ifdef HAVE_LIBPFM
static int set_up(void **state)
{
	(void)state;
	setenv("LIBPFM_FORCE_PMU", "skx", 1);
	catalog = catalog_new(&roots_system);
	return catalog ? 0 : -1;
}

static int tear_down(void **state)
{
	(void)state;
	catalog_free(catalog);
	return 0;
}

static const struct catalog_entry *entry(const char *name)
{
	return catalog_find(catalog, name, strlen(name));
}

static void test_names(void **state)
{
	const struct catalog_entry *entries;
	size_t n;

	(void)state;
	assert_int_equal(catalog_entries(catalog, EVENT_VENDOR, &entries, &n, NULL), 0);
	assert_true(n > 300);
	for (size_t i = 0; i < n; i++) {
		assert_memory_equal(entries[i].name, "pfm:", 4);
		assert_non_null(entries[i].desc);
		if (i)
			assert_true(strcmp(entries[i - 1].name, entries[i].name) <= 0);
	}
	assert_non_null(entry("pfm:L1D_PEND_MISS:PENDING"));
	assert_non_null(strstr(entry("pfm:ARITH:DIVIDER_ACTIVE")->desc, "divider"));
	/* generic names are listed as kernel events */
	assert_null(entry("pfm:PERF_COUNT_HW_CPU_CYCLES"));
}

static void test_encodings(void **state)
{
	static const struct {
		const char *text;
		uint64_t config, config1;
		bool no_user, no_kernel;
		uint64_t period;
	} cases[] = {
		{ "pfm:L1D_PEND_MISS:PENDING", 0x148, 0, false, false, 0 },
		{ "pfm:L1D_PEND_MISS:PENDING:u", 0x148, 0, false, true, 0 },
		{ "pfm:L1D_PEND_MISS:PENDING:k:c=2", 0x2000148, 0, true, false, 0 },
		{ "pfm:OFFCORE_RESPONSE_0:DMND_DATA_RD", 0x1b7, 0x10001, false, false, 0 },
		{ "pfm:BACLEARS:ANY:period=5000", 0x1e6, 0, false, false, 5000 },
	};
	struct ptui_error err = PTUI_ERROR_INIT;
	struct event_list list;

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const struct event *ev;

		event_list_init(&list);
		assert_int_equal(selector_parse(catalog, cases[i].text, &list, &err), 0);
		assert_int_equal(list.n, 1);
		ev = &list.v[0];
		assert_string_equal(ev->name, cases[i].text);
		assert_int_equal(ev->kind, EVENT_VENDOR);
		assert_int_equal(ev->attr.type, PERF_TYPE_RAW);
		assert_int_equal(ev->attr.config, cases[i].config);
		assert_int_equal(ev->attr.config1, cases[i].config1);
		assert_int_equal(ev->attr.exclude_user, cases[i].no_user);
		assert_int_equal(ev->attr.exclude_kernel, cases[i].no_kernel);
		assert_int_equal(ev->terms.given, cases[i].period ? EVENT_TERM_PERIOD : 0);
		assert_int_equal(ev->terms.period, cases[i].period);
		event_list_release(&list);
	}
	event_list_init(&list);
	assert_int_equal(selector_parse(catalog, "{pfm:ARITH:DIVIDER_ACTIVE:u,cs},pfm:BACLEARS:ANY",
					&list, &err),
			 0);
	assert_int_equal(list.n, 3);
	assert_int_equal(list.v[1].leader, 0);
	assert_string_equal(list.v[2].name, "pfm:BACLEARS:ANY");
	event_list_release(&list);
}

static void test_mistakes(void **state)
{
	static const char *const texts[] = { "pfm:", "pfm:NO_SUCH_EVENT", "pfm:ARITH:NOTHING",
					     "pfm:ARITH:DIVIDER_ACTIVE:z", "pfm::::" };
	struct event_list list;

	(void)state;
	event_list_init(&list);
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		struct ptui_error err = PTUI_ERROR_INIT;

		assert_int_equal(selector_parse(catalog, texts[i], &list, &err), -EINVAL);
		assert_non_null(strstr(err.text, "libpfm4 rejected this event"));
		assert_non_null(strstr(err.hint, "ptui list vendor"));
		assert_int_equal(list.n, 0);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_encodings),
		cmocka_unit_test(test_mistakes),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
#else
/* Reports that it is missing. */
static void test_without(void **state)
{
	struct ptui_error err = PTUI_ERROR_INIT;
	struct event_list list;

	(void)state;
	catalog = catalog_new(&roots_system);
	event_list_init(&list);
	assert_int_equal(selector_parse(catalog, "pfm:ANY", &list, &err), -EINVAL);
	assert_non_null(strstr(err.text, "built without libpfm4"));
	catalog_free(catalog);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_without) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
#endif
