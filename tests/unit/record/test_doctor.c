/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The doctor on fake machines. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "fake/kernel.h"
#include "lib/need.h"
#include "record/doctor/doctor.h"

struct ward {
	struct fake_kernel kernel;
	struct ptui_findings all;
};

static int setup(void **state)
{
	struct ward *w = calloc(1, sizeof(*w));

	fake_kernel_init(&w->kernel);
	fake_file(&w->kernel, "proc/sys/kernel/osrelease", "9.9.9-made\n");
	fake_file(&w->kernel, "proc/sys/kernel/kptr_restrict", "1\n");
	fake_file(&w->kernel, "proc/sys/kernel/perf_event_max_sample_rate", "100000\n");
	fake_file(&w->kernel, "proc/kallsyms", "ffffffff81000000 T _text\n");
	*state = w;
	return 0;
}

static int teardown(void **state)
{
	struct ward *w = *state;

	ptui_findings_release(&w->all);
	fake_kernel_release(&w->kernel);
	free(w);
	return 0;
}

static const struct ptui_finding *find(const struct ward *w, const char *key)
{
	const struct ptui_finding *found = NULL;

	for (size_t i = 0; i < w->all.n; i++)
		if (!strcmp(w->all.v[i].key, key)) {
			assert_null(found); /* keys are unique */
			found = &w->all.v[i];
		}
	if (!found)
		fail_msg("there is no %s", key);
	return found;
}

static const struct ptui_finding *look(struct ward *w, const char *key)
{
	ptui_findings_release(&w->all);
	assert_int_equal(doctor_run(&w->kernel.ops, &w->all, NULL), 0);
	return find(w, key);
}

/* As in /proc/self/status. */
static void status(struct ward *w, unsigned long long caps, int seccomp)
{
	fake_file(&w->kernel, "proc/self/status", "Name:\tptui\nCapEff:\t%016llx\nSeccomp:\t%d\n",
		  caps, seccomp);
}

static void a_machine_where_all_is_allowed(void **state)
{
	struct ward *w = *state;

	status(w, ~0ull, 0);
	w->kernel.has_pmu = true;
	w->kernel.max_precise = 2;
	assert_int_equal(look(w, "kernel")->health, PTUI_HEALTH_GOOD);
	assert_string_equal(find(w, "kernel")->value, "9.9.9-made");
	assert_int_equal(find(w, "perf_event_paranoid")->health, PTUI_HEALTH_GOOD);
	assert_int_equal(find(w, "kptr_restrict")->health, PTUI_HEALTH_GOOD);
	assert_int_equal(find(w, "cycles")->health, PTUI_HEALTH_GOOD);
	assert_string_equal(find(w, "precise")->value, "2");
	for (size_t i = 0; i < w->all.n; i++)
		assert_int_not_equal(w->all.v[i].health, PTUI_HEALTH_REFUSED);
	assert_int_equal(w->kernel.n_open, 0);
}

static void levels_of_paranoid(void **state)
{
	struct ward *w = *state;
	static const enum ptui_health health[] = { PTUI_HEALTH_GOOD, PTUI_HEALTH_LIMITED,
						   PTUI_HEALTH_LIMITED, PTUI_HEALTH_LIMITED,
						   PTUI_HEALTH_REFUSED };

	w->kernel.privileged = false;
	status(w, 0, 0);
	for (int level = -1; level <= 3; level++) {
		const struct ptui_finding *f;

		fake_set_paranoid(&w->kernel, level);
		f = look(w, "perf_event_paranoid");
		assert_int_equal(f->health, health[level + 1]);
		assert_int_equal(!*f->lift, level == -1);
		assert_int_equal(find(w, "kernel")->health,
				 level == 3 ? PTUI_HEALTH_REFUSED : PTUI_HEALTH_GOOD);
	}
	/* the same text as the error of record */
	assert_non_null(strstr(find(w, "kernel")->means, "allows no measuring"));
	assert_non_null(strstr(find(w, "kernel")->lift, "kernel.perf_event_paranoid=2"));
}

static void a_filter_of_system_calls(void **state)
{
	struct ward *w = *state;

	status(w, ~0ull, 2);
	fake_refuse(&w->kernel,
		    (struct fake_refusal){
			    .errnum = EPERM, .type = -1, .config = -1, .cpu = -1, .times = -1 });
	assert_int_equal(look(w, "kernel")->health, PTUI_HEALTH_REFUSED);
	assert_non_null(strstr(find(w, "kernel")->means, "seccomp"));
	assert_string_equal(find(w, "seccomp")->value, "2");
	assert_int_equal(find(w, "cycles")->health, PTUI_HEALTH_LIMITED);
}

static void hidden_addresses_and_lockdown(void **state)
{
	struct ward *w = *state;

	status(w, 0, 0);
	fake_file(&w->kernel, "proc/kallsyms", "0000000000000000 T _text\n");
	fake_file(&w->kernel, "sys/kernel/security/lockdown", "none integrity [confidentiality]\n");
	assert_int_equal(look(w, "kptr_restrict")->health, PTUI_HEALTH_LIMITED);
	assert_int_equal(find(w, "lockdown")->health, PTUI_HEALTH_LIMITED);
	assert_string_equal(find(w, "lockdown")->value, "confidentiality");
}

static void a_low_rate_and_a_watchdog(void **state)
{
	struct ward *w = *state;

	status(w, 0, 0);
	fake_file(&w->kernel, "proc/sys/kernel/perf_event_max_sample_rate", "1000\n");
	fake_file(&w->kernel, "proc/sys/kernel/nmi_watchdog", "1\n");
	assert_int_equal(look(w, "perf_event_max_sample_rate")->health, PTUI_HEALTH_LIMITED);
	assert_non_null(strstr(find(w, "nmi_watchdog")->lift, "nmi_watchdog=0"));
}

/* Applies each remedy: the finding has no remedy then. */
static void remedies_resolve_the_findings(void **state)
{
	static const struct {
		const char *key, *bad, *lift, *good;
	} rows[] = {
		{ "perf_event_max_sample_rate", "1000",
		  "as root: sysctl kernel.perf_event_max_sample_rate=100000", "100000" },
		{ "perf_event_max_stack", "64", "as root: sysctl kernel.perf_event_max_stack=127",
		  "127" },
		{ "nmi_watchdog", "1", "as root: sysctl kernel.nmi_watchdog=0", "0" },
	};
	struct ward *w = *state;
	char name[64];

	status(w, 0, 0);
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		snprintf(name, sizeof(name), "proc/sys/kernel/%s", rows[i].key);
		fake_file(&w->kernel, name, "%s\n", rows[i].bad);
		assert_string_equal(look(w, rows[i].key)->lift, rows[i].lift);
		assert_int_not_equal(find(w, rows[i].key)->health, PTUI_HEALTH_GOOD);
		fake_file(&w->kernel, name, "%s\n", rows[i].good);
		assert_string_equal(look(w, rows[i].key)->lift, "");
		assert_int_equal(find(w, rows[i].key)->health, PTUI_HEALTH_GOOD);
	}
}

static void control_groups_by_mount(void **state)
{
	struct ward *w = *state;

	status(w, 0, 0);
	fake_file(&w->kernel, "proc/self/mounts", "none /sys tmpfs rw 0 0\n");
	assert_int_equal(look(w, "cgroups")->health, PTUI_HEALTH_ABSENT);
	fake_file(&w->kernel, "proc/self/mounts", "a /cg2 cgroup2 rw 0 0\n");
	assert_string_equal(look(w, "cgroups")->value, "v2 /cg2");
	fake_file(
		&w->kernel, "proc/self/mounts",
		"a /cg2 cgroup2 rw 0 0\nb /cpu cgroup rw,cpu 0 0\nc /p\\040e cgroup rw,perf_event 0 0\n");
	assert_string_equal(look(w, "cgroups")->value, "v1 /p e");
}

#define IN_WARD(test) cmocka_unit_test_setup_teardown(test, setup, teardown)

/* Of a process that runs, of one whose pid was used again, and of perf. */
static void probes_of_a_killed_ptui(void **state)
{
	struct ward *w = *state;
	const struct ptui_finding *f;
	char tracefs[128];

	snprintf(tracefs, sizeof(tracefs), "%s/tracing", w->kernel.proc);
	w->kernel.ops.roots.tracefs = tracefs;
	fake_file(&w->kernel, "proc/tracing/events/header_page", "\n");
	fake_file(&w->kernel, "proc/7/stat",
		  "7 (ptui) S 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 70 0\n");
	fake_file(&w->kernel, "proc/tracing/uprobe_events",
		  "p:probe_x/a /bin/x:0x1\np:ptui_7_70/b /bin/x:0x1\n");
	look(w, "bpf");
	for (size_t i = 0; i < w->all.n; i++)
		assert_string_not_equal(w->all.v[i].key, "leftover_probes");
	fake_file(&w->kernel, "proc/tracing/uprobe_events",
		  "p:probe_x/a /bin/x:0x1\np:ptui_7_69/b /bin/x:0x1\np:ptui_7_69/c /bin/x:0x2\n");
	f = look(w, "leftover_probes");
	assert_int_equal(f->health, PTUI_HEALTH_NOTE);
	assert_string_equal(f->value, "2");
	assert_non_null(strstr(f->means, "ptui_7_69:b, ptui_7_69:c"));
	assert_string_equal(f->lift, "as root: ptui probe -d 'ptui_7_69:*'");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		IN_WARD(a_machine_where_all_is_allowed), IN_WARD(levels_of_paranoid),
		IN_WARD(a_filter_of_system_calls),	 IN_WARD(hidden_addresses_and_lockdown),
		IN_WARD(a_low_rate_and_a_watchdog),	 IN_WARD(remedies_resolve_the_findings),
		IN_WARD(control_groups_by_mount),	 IN_WARD(probes_of_a_killed_ptui),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
