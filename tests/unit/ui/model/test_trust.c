/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdio.h>
#include <string.h>
#include "lib/need.h"
#include "base/buf.h"
#include "model/trust.h"
#include "unit/profile/made.h"

/* "text text …", "!" before what is to be noted and "!!" before what is bad. */
static void check(const struct ptui_trust *t, const char *chain, const char *expected)
{
	struct made *m = made_new();
	struct ptui_hist_opts o = { 0 };
	struct trust_fact facts[TRUST_FACTS_MAX];
	struct buf out = BUF_INIT;
	struct ptui_profile *p;
	struct ptui_hist *h;
	size_t n;

	made_sample(m, "main", 50, 1);
	made_sample(m, chain, 50, 2);
	p = made_take(m);
	p->trust = *t;
	h = ptui_hist_new(p, &o, NULL);
	assert_non_null(h);
	n = trust_facts(p, 0, h, facts);
	for (size_t i = 0; i < n; i++) {
		buf_addf(&out, "%s%.*s%s", i ? ", " : "", (int)facts[i].level, "!!", facts[i].text);
		assert_true(*facts[i].advice);
	}
	assert_string_equal(buf_str(&out), expected);
	buf_release(&out);
	ptui_hist_free(h);
	ptui_profile_unref(p);
}

static void test_facts(void **state)
{
	struct ptui_trust t = { 0 };

	(void)state;
	check(&t, "main run", "lost 0, unknown 0.0%, broken stacks 0.0%");
	check(&t, "lib:0x10", "!!unknown 50.0% (lib), lost 0, broken stacks 0.0%");
	t.lost_events = 2;
	check(&t, "main", "!!lost 2 (50.0%), unknown 0.0%, broken stacks 0.0%");
	t = (struct ptui_trust){ .throttled = 7, .broken_chains = 2, .truncated_bytes = 8,
				 .bad_records = 1, .unknown_event = 2, .unknown_records = 3 };
	check(&t, "main", "!!cut short, !!left out 3, !!broken stacks 100.0%, !new records 3, "
			  "!throttled 7, lost 0, unknown 0.0%");
	t = (struct ptui_trust){ .unfinished = true };
	check(&t, "main", "!!cut off, lost 0, unknown 0.0%, broken stacks 0.0%");
}

/* The module and why it has no names. */
static void test_unknown(void **state)
{
	struct made *m = made_new();
	struct ptui_hist_opts o = { 0 };
	struct trust_fact facts[TRUST_FACTS_MAX];
	struct ptui_profile *p;
	struct ptui_hist *h;

	(void)state;
	made_sample(m, "gone:0x10", 1, 1);
	p = made_take(m);
	h = ptui_hist_new(p, &o, NULL);
	assert_non_null(h);
	trust_facts(p, 0, h, facts);
	assert_string_equal(facts[0].text, "unknown 100.0% (gone)");
	assert_non_null(strstr(facts[0].advice, "in gone: there is no file /opt/gone (any more)."));
	assert_non_null(strstr(facts[0].advice, "debug package"));
	ptui_hist_free(h);
	ptui_profile_unref(p);
}

static const char *running(uint64_t enabled_ns, uint64_t running_ns)
{
	static char text[128];
	struct made *m = made_new();
	struct trust_fact facts[TRUST_FACTS_MAX];
	struct ptui_profile *p;
	size_t n;

	made_sample(m, "main", 50, 1);
	p = made_take(m);
	p->events[0].enabled_ns = enabled_ns;
	p->events[0].running_ns = running_ns;
	n = trust_facts(p, 0, NULL, facts);
	text[0] = '\0';
	for (size_t i = 0; i < n; i++) {
		if (strstr(facts[i].text, "running"))
			snprintf(text, sizeof(text), "%d %s", facts[i].level, facts[i].text);
	}
	ptui_profile_unref(p);
	return text;
}

/* What the file does not tell is not told. */
static void test_running(void **state)
{
	(void)state;
	assert_string_equal(running(0, 0), "");
	assert_string_equal(running(1000000, 1000000), "0 running 100%");
	assert_string_equal(running(1000000, 631000), "1 running 63.1%");
	assert_string_equal(running(1000000, 0), "2 running 0.0%");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_facts),
		cmocka_unit_test(test_unknown),
		cmocka_unit_test(test_running),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
