/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The interface for the screens: event details, and selectors in parts. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "event/catalog_public.h"
#include "lib/need.h"
#include "ptui/selector.h"
#include "unit/event/tree.h"

static struct tree tree;
static struct ptui_catalog *catalog;

/* ---- details ---- */

static void test_details(void **state)
{
	struct ptui_error err = PTUI_ERROR_INIT;
	struct ptui_event_details d;

	(void)state;
	assert_int_equal(ptui_catalog_details(catalog, "uncore_imc_0/cas/", &d, &err), 0);
	assert_string_equal(d.kind, "pmu");
	assert_int_equal(d.type, 20);
	assert_int_equal(d.config, 4);
	assert_string_equal(d.encoding, "type 20, config 0x4");
	assert_string_equal(d.desc, "event=0x04; unit MiB");
	assert_string_equal(d.pmu, "uncore_imc_0");
	assert_string_equal(d.cpus, "0,28");
	assert_string_equal(d.unit, "MiB");
	assert_true(d.scale > 6.1e-5 && d.scale < 6.11e-5);
	assert_true(d.per_pkg && !d.snapshot);
	assert_string_equal(d.terms, "event  config:0-7\n");
	assert_null(d.caps);
	assert_null(d.fields);
	assert_int_equal(d.n_events, 1);
	ptui_event_details_release(&d);

	assert_int_equal(ptui_catalog_details(catalog, "cpu/far=7,farther=1/u", &d, &err), 0);
	assert_string_equal(d.encoding, "type 4, config 0, config3 0x7, config4 0x10");
	assert_string_equal(d.caps, "branches  32\nmax_precise  3\n");
	assert_null(d.cpus);
	assert_null(d.desc);
	ptui_event_details_release(&d);

	assert_int_equal(ptui_catalog_details(catalog, "faults:u", &d, &err), 0);
	assert_string_equal(d.kind, "software");
	assert_string_equal(d.desc, "all page faults");
	assert_null(d.pmu);
	ptui_event_details_release(&d);

	/* probes are described by their definition, markers by their locations */
	assert_int_equal(ptui_catalog_details(catalog, "probe:my_open:u", &d, &err), 0);
	assert_string_equal(d.kind, "probe");
	assert_string_equal(d.desc, "p:probe/my_open do_sys_openat2 name=+0(%si):string");
	ptui_event_details_release(&d);
	assert_int_equal(ptui_catalog_details(catalog, "sdt_bank:close", &d, &err), -EINVAL);
	assert_string_equal(d.kind, "sdt");
	assert_string_equal(d.desc, "/usr/bin/bank:0x1");
	ptui_event_details_release(&d);

	assert_int_equal(ptui_catalog_details(catalog, "no-such", &d, &err), -EINVAL);
	ptui_event_details_release(&d);
}

/* ---- selectors in parts ---- */

/* Lines "what|modifiers|period|freq|group", and the groups. */
static void describe(const struct ptui_selector *s, struct buf *out)
{
	for (size_t i = 0; i < s->n_events; i++) {
		const struct ptui_selector_event *ev = &s->events[i];

		buf_addf(out, "%s|%s|%d|%d|%u\n", ev->what, ev->modifiers, (int)ev->period,
			 (int)ev->freq_hz, ev->group);
	}
	for (size_t i = 0; i < s->n_groups; i++)
		buf_addf(out, "group %s|%s\n", s->groups[i].name ? s->groups[i].name : "",
			 s->groups[i].modifiers);
}

static void test_parts(void **state)
{
	static const struct {
		const char *text, *parts;
		const char *again; /* NULL: the same text */
	} cases[] = {
		{ "cycles", "cycles||0|0|0\n", NULL },
		{ "cycles:u,faults", "cycles|u|0|0|0\nfaults||0|0|0\n", NULL },
		{ "cycles/period=5/u", "cycles|u|5|0|0\n", NULL },
		{ "cycles/freq=6,period=5/:u", "cycles|u|5|0|0\n", "cycles/period=5/u" },
		{ "cycles/period=5,freq=6,name='a,b'/", "cycles/name='a,b'/||0|6|0\n",
		  "cycles/name='a,b',freq=6/" },
		{ "cpu/event=1,period=9,umask=2/ppp", "cpu/event=1,umask=2/|ppp|9|0|0\n",
		  "cpu/event=1,umask=2,period=9/ppp" },
		{ "cpu/period=9/", "cpu//||9|0|0\n", NULL },
		{ "uncore_imc//", "uncore_imc//||0|0|0\n", NULL },
		{ "mem-loads/period=3/", "mem-loads||3|0|0\n", NULL },
		{ "mem:0x1000/8:w:u", "mem:0x1000/8:w|u|0|0|0\n", NULL },
		{ "mem:0x1000/8:w/period=2/u", "mem:0x1000/8:w|u|2|0|0\n", NULL },
		{ "4:0x1a8:kp", "4:0x1a8|kp|0|0|0\n", NULL },
		{ "r1a8:u", "r1a8|u|0|0|0\n", NULL },
		{ "sched:sched_*:u", "sched:sched_*|u|0|0|0\n", NULL },
		{ "faults,team{sched:sched_switch,r1a8:u}:S,{cycles}",
		  "faults||0|0|0\nsched:sched_switch||0|0|1\nr1a8|u|0|0|1\ncycles||0|0|2\n"
		  "group team|S\ngroup |\n",
		  NULL },
		{ "{cycles},{faults}", "cycles||0|0|1\nfaults||0|0|2\ngroup |\ngroup |\n", NULL },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct ptui_error err = PTUI_ERROR_INIT;
		struct ptui_selector s, second;
		struct buf parts = BUF_INIT;
		char *text;

		if (ptui_selector_parse(catalog, cases[i].text, &s, &err))
			fail_msg("%s: %s", cases[i].text, err.text);
		describe(&s, &parts);
		assert_string_equal(buf_str(&parts), cases[i].parts);
		text = ptui_selector_text(&s);
		assert_non_null(text);
		assert_string_equal(text, cases[i].again ? cases[i].again : cases[i].text);
		/* the output is a selector with the same parts */
		assert_int_equal(ptui_selector_parse(catalog, text, &second, &err), 0);
		buf_clear(&parts);
		describe(&second, &parts);
		assert_string_equal(buf_str(&parts), cases[i].parts);
		free(text);
		buf_release(&parts);
		ptui_selector_release(&s);
		ptui_selector_release(&second);
	}
}

static void test_mistakes(void **state)
{
	struct ptui_error err = PTUI_ERROR_INIT;
	struct ptui_selector s;

	(void)state;
	assert_int_equal(ptui_selector_parse(catalog, "faults,cyclse:u", &s, &err), -EINVAL);
	assert_int_equal(s.n_events, 0);
	assert_int_equal(caret(&err), strlen("faults,"));
	assert_string_equal(err.text, "unknown event 'cyclse'\n  faults,cyclse:u\n"
				      "         ^ an event name");
	assert_non_null(strstr(err.hint, "cycles"));
	assert_int_equal(ptui_selector_parse(catalog, "{faults,cycles", &s, &err), -EINVAL);
	assert_int_equal(caret(&err), 0);
	/* errors of sysfs texts have no position; the name has */
	assert_int_equal(ptui_selector_parse(catalog, "", &s, NULL), -EINVAL);
	assert_int_equal(ptui_selector_parse(catalog, "cycles", &s, &err), 0);
	ptui_selector_release(&s);
}

static void test_modifiers(void **state)
{
	static const struct {
		const char *what, *modifiers;
		bool is_member;
		int at; /* -1: valid */
	} cases[] = {
		{ "cycles", "", false, -1 },	      { "cycles", "ukp", false, -1 },
		{ "cycles", "uZ", false, 1 },	      { "cycles", "uu", false, 1 },
		{ "cycles", "D", false, -1 },	      { "cycles", "uD", true, 1 },
		{ "cpu/event=1/", "pppp", false, 3 }, { "cycles", "u,k", false, 1 },
		{ "mem:0x1000/8:w", "k", false, -1 }, { "sched:sched_switch", "u", true, -1 },
		{ "cycles", "u}", true, 1 },	      { "cycles", "u:k", false, 1 },
	};
	struct ptui_error err = PTUI_ERROR_INIT;

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		int ret = ptui_selector_check_modifiers(catalog, cases[i].what, cases[i].modifiers,
							cases[i].is_member, &err);

		if ((ret == 0) != (cases[i].at < 0))
			fail_msg("%s:%s: %s", cases[i].what, cases[i].modifiers, err.text);
		if (ret && caret(&err) != (size_t)cases[i].at)
			fail_msg("%s:%s: at %zu", cases[i].what, cases[i].modifiers, caret(&err));
	}
}

static void test_filters(void **state)
{
	struct ptui_error err = PTUI_ERROR_INIT;

	(void)state;
	assert_int_equal(tree_write(&tree, "tracing/events/sched/sched_switch/format",
				    "name: sched_switch\n\tfield:int prev_pid;\toffset:8;\n"
				    "\tfield:__data_loc char[] who;\toffset:12;\n"
				    "\tfield:char comm_of[16];\toffset:16;\n"),
			 0);
	assert_int_equal(ptui_selector_check_filter(catalog, "sched:sched_switch",
						    "who ~ \"a*\" && comm_of == \"b\"", &err),
			 0);
	assert_int_equal(ptui_selector_check_filter(catalog, "sched:sched_switch", "prev_pid == 0",
						    &err),
			 0);
	assert_int_equal(ptui_selector_check_filter(catalog, "sched:sched_switch",
						    "prev_pid == 0 && prev_pidd > 1", &err),
			 -EINVAL);
	assert_int_equal(caret(&err), strlen("prev_pid == 0 && "));
	assert_non_null(strstr(err.hint, "prev_pid"));
	assert_int_equal(ptui_selector_check_filter(catalog, "cycles", "a == 0", &err), -EINVAL);
	assert_true(*err.text);
}

static void test_periods(void **state)
{
	struct ptui_error err = PTUI_ERROR_INIT;

	(void)state;
	assert_int_equal(ptui_selector_check_period(catalog, "cycles", 1000, 0, &err), 0);
	assert_int_equal(ptui_selector_check_period(catalog, "cpu//", 0, 99, &err), 0);
	assert_int_equal(ptui_selector_check_period(catalog, "sched:sched_switch", 1, 0, &err),
			 -EINVAL);
	assert_non_null(strstr(err.text, "\n  sched:sched_switch/period=1/\n"));
}

static int begin(void **state)
{
	(void)state;
	if (tree_make(&tree))
		return -1;
	catalog = catalog_public_new(&tree.roots);
	return catalog ? 0 : -1;
}

static int end(void **state)
{
	(void)state;
	ptui_catalog_free(catalog);
	tree_remove(&tree);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_details),	 cmocka_unit_test(test_parts),
		cmocka_unit_test(test_mistakes), cmocka_unit_test(test_modifiers),
		cmocka_unit_test(test_filters),	 cmocka_unit_test(test_periods),
	};

	return cmocka_run_group_tests(tests, begin, end);
}
