/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Every refusal has one sentence, and the right remedy for the machine. */
#include <errno.h>
#include <string.h>
#include "fake/kernel.h"
#include "kernel/diagnose.h"
#include "lib/need.h"

#define NO_CAPS	 "0000000000000000"
#define PERFMON	 "0000004000000000"
#define PTRACE	 "0000000000080000"
#define ALL_CAPS "000001ffffffffff"

static const struct {
	const char *label;
	/* the machine */
	int errnum, paranoid, seccomp;
	const char *caps, *lockdown;
	/* the event and its target */
	enum event_kind kind;
	uint32_t type;
	unsigned precise;
	bool exclude_kernel;
	pid_t tid;
	/* expected texts */
	const char *text, *hint;
} cases[] = {
	{ "paranoid, kernel", EACCES, 2, 0, NO_CAPS, "none", EVENT_SOFTWARE, 1, 0, false, 42,
	  "measuring the kernel requires privileges", "kernel.perf_event_paranoid is 2" },
	{ "paranoid, kernel, without", EACCES, 2, 0, NO_CAPS, "none", EVENT_SOFTWARE, 1, 0, false,
	  42, "Permission denied", "add :u" },
	{ "paranoid, system", EACCES, 1, 0, NO_CAPS, "none", EVENT_SOFTWARE, 1, 0, true, -1,
	  "measuring the whole system", "perf_event_paranoid=0" },
	{ "paranoid, tracepoint", EACCES, 1, 0, NO_CAPS, "none", EVENT_TRACEPOINT, 2, 0, true, 42,
	  "tracepoints require privileges", "perf_event_paranoid=-1" },
	{ "paranoid, everything", EACCES, 4, 0, NO_CAPS, "none", EVENT_SOFTWARE, 1, 0, true, 42,
	  "allows no measuring", "kernel.perf_event_paranoid is 4" },
	{ "paranoid, everything, and the system", EACCES, 4, 0, NO_CAPS, "none", EVENT_SOFTWARE, 1,
	  0, true, -1, "measuring the whole system", "perf_event_paranoid=0" },
	{ "seccomp, root", EACCES, 2, 2, ALL_CAPS, "none", EVENT_SOFTWARE, 1, 0, false, 42,
	  "seccomp", "--cap-add PERFMON" },
	{ "seccomp, EPERM", EPERM, 2, 2, NO_CAPS, "none", EVENT_SOFTWARE, 1, 0, false, 42,
	  "seccomp", "perf_event_open" },
	{ "lockdown", EPERM, 2, 0, ALL_CAPS, "confidentiality", EVENT_SOFTWARE, 1, 0, false, 42,
	  "lockdown", "booting" },
	{ "no reason known", EACCES, 2, 0, PERFMON, "none", EVENT_SOFTWARE, 1, 0, false, 42,
	  "the kernel forbids it", "" },
	{ "root, a security module", EPERM, 2, 0, ALL_CAPS, "none", EVENT_SOFTWARE, 1, 0, false, 42,
	  "a security module forbids it", "lockdown and lsm" },
	{ "no such hardware event", ENOENT, 2, 0, ALL_CAPS, "none", EVENT_HARDWARE, 0, 0, false, 42,
	  "does not have this hardware event", "cpu-clock" },
	{ "no such tracepoint", ENOENT, 2, 0, ALL_CAPS, "none", EVENT_TRACEPOINT, 2, 0, false, 42,
	  "tracepoint", "module" },
	{ "not precise", EOPNOTSUPP, 2, 0, ALL_CAPS, "none", EVENT_HARDWARE, 0, 2, false, 42,
	  "precisely", "modifiers" },
	{ "no sampling", EOPNOTSUPP, 2, 0, ALL_CAPS, "none", EVENT_HARDWARE, 0, 0, false, 42,
	  "counted but not sampled", "cpu-clock" },
	{ "bad settings", EINVAL, 2, 0, ALL_CAPS, "none", EVENT_SOFTWARE, 1, 0, false, 42,
	  "does not accept these settings", "perf_event_max_sample_rate" },
	{ "too big", E2BIG, 2, 0, ALL_CAPS, "none", EVENT_SOFTWARE, 1, 0, false, 42, "too old",
	  "" },
	{ "busy", EBUSY, 2, 0, ALL_CAPS, "none", EVENT_HARDWARE, 0, 0, false, 42, "in use",
	  "nmi_watchdog" },
	{ "dead", ESRCH, 2, 0, ALL_CAPS, "none", EVENT_SOFTWARE, 1, 0, false, 42, "has ended", "" },
	{ "no perf", ENOSYS, 2, 0, ALL_CAPS, "none", EVENT_SOFTWARE, 1, 0, false, 42,
	  "without perf events", "CONFIG_PERF_EVENTS" },
	{ "fds", EMFILE, 2, 0, ALL_CAPS, "none", EVENT_SOFTWARE, 1, 0, false, 42,
	  "too many open files", "about 99 open files" },
	{ "never heard of", ENOTBLK, 2, 0, ALL_CAPS, "none", EVENT_SOFTWARE, 1, 0, false, 42,
	  "Block device required", "" },
};

static void explains(void **state)
{
	struct fake_kernel k;

	(void)state;
	fake_kernel_init(&k);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char name[] = "some-event";
		struct event ev = { .name = name, .kind = cases[i].kind };
		struct ptui_error err = PTUI_ERROR_INIT;

		print_message("case: %s\n", cases[i].label);
		ev.attr.type = cases[i].type;
		ev.attr.precise_ip = cases[i].precise;
		ev.attr.exclude_kernel = cases[i].exclude_kernel;
		ev.attr.sample_period = 1;
		fake_set_paranoid(&k, cases[i].paranoid);
		fake_file(&k, "proc/self/status", "Name:\tx\nCapEff:\t%s\nSeccomp:\t%d\n",
			  cases[i].caps, cases[i].seccomp);
		fake_file(&k, "sys/kernel/security/lockdown", "%s",
			  strcmp(cases[i].lockdown, "none") ? "none integrity [confidentiality]\n" :
							      "[none] integrity confidentiality\n");
		assert_int_equal(diagnose_open(&k.ops, &ev, cases[i].tid, 1, cases[i].errnum, 99,
					       &err),
				 -cases[i].errnum);
		assert_string_equal(err.object, "some-event");
		assert_non_null(strstr(err.text, "some-event"));
		assert_non_null(strstr(err.text, cases[i].tid == -1 ? "CPU 1" : "thread 42"));
		assert_non_null(strstr(err.text, cases[i].text));
		assert_non_null(strstr(err.hint, cases[i].hint));
		assert_int_equal(err.code, cases[i].errnum);
	}
	fake_kernel_release(&k);
}

/* Of root in a user namespace the kernel asks for other capabilities. */
static void user_namespace(void **state)
{
	struct diagnose_rights rights;
	struct fake_kernel k;

	(void)state;
	fake_kernel_init(&k);
	fake_file(&k, "proc/self/status", "Name:\tx\nCapEff:\t%s\nSeccomp:\t0\n", ALL_CAPS);
	fake_file(&k, "proc/self/uid_map", "         0          0 4294967295\n");
	diagnose_rights(&k.ops, &rights);
	assert_true(diagnose_may_all(&rights));
	fake_file(&k, "proc/self/uid_map", "         0       1000          1\n");
	diagnose_rights(&k.ops, &rights);
	assert_false(diagnose_may_all(&rights));
	assert_true(diagnose_has_cap(&rights, CAP_BIT_SYS_PTRACE));
	/* no user is mapped */
	fake_file(&k, "proc/self/uid_map", "\n");
	diagnose_rights(&k.ops, &rights);
	assert_false(diagnose_may_all(&rights));
	fake_kernel_release(&k);
}

/* The owner of the process is checked before perf_event_paranoid. */
static void ownership(void **state)
{
	static const char mine[] = "1000\t1000\t1000\t1000", other[] = "0\t0\t0\t0",
			  setuid[] = "1000\t0\t0\t0", saved[] = "1000\t1000\t0\t1000",
			  another[] = "the process belongs to another user",
			  as_that_user[] = "run as that user",
			  as_root[] = "run as root, or with CAP_PERFMON";
	static const struct {
		int errnum, paranoid;
		const char *caps, *uids; /* NULL: the process has no status file */
		enum event_kind kind;
		char side; /* u, k, or both */
		const char *text, *hint, *not_in_hint;
	} rows[] = {
		{ EACCES, 2, NO_CAPS, other, EVENT_SOFTWARE, 'u', another, as_that_user,
		  "paranoid" },
		{ EACCES, 2, NO_CAPS, other, EVENT_SOFTWARE, 'b', another, as_that_user,
		  "paranoid" },
		{ EACCES, 2, NO_CAPS, other, EVENT_SOFTWARE, 'k', another, as_root, "that user" },
		{ EACCES, 3, NO_CAPS, other, EVENT_SOFTWARE, 'u', another, as_root, "paranoid" },
		{ EACCES, 1, NO_CAPS, other, EVENT_SOFTWARE, 'b', another, as_that_user,
		  "paranoid" },
		{ EPERM, 2, NO_CAPS, other, EVENT_TRACEPOINT, 'u', another, as_root, "that user" },
		{ EPERM, -1, NO_CAPS, other, EVENT_TRACEPOINT, 'u', another, as_that_user,
		  "paranoid" },
		{ EACCES, 2, NO_CAPS, setuid, EVENT_SOFTWARE, 'u', another, "CAP_SYS_PTRACE",
		  "paranoid" },
		{ EACCES, 2, NO_CAPS, saved, EVENT_SOFTWARE, 'u', another, "CAP_SYS_PTRACE",
		  "paranoid" },
		{ EACCES, 2, NO_CAPS, mine, EVENT_SOFTWARE, 'b', "measuring the kernel",
		  "paranoid=1", "PTRACE" },
		{ EACCES, 2, NO_CAPS, mine, EVENT_SOFTWARE, 'u', "not dumpable", "CAP_SYS_PTRACE",
		  "that user" },
		{ EPERM, 2, NO_CAPS, mine, EVENT_TRACEPOINT, 'u', "tracepoints require privileges",
		  "paranoid=-1", "PTRACE" },
		{ EACCES, 2, PERFMON, other, EVENT_SOFTWARE, 'u', "the kernel forbids it", "",
		  "user" },
		{ EACCES, 2, PTRACE, other, EVENT_SOFTWARE, 'b', "measuring the kernel",
		  "paranoid=1", "that user" },
		{ EACCES, 2, NO_CAPS, NULL, EVENT_SOFTWARE, 'b', "measuring the kernel",
		  "paranoid=1", "PTRACE" },
	};
	struct fake_kernel k;

	(void)state;
	fake_kernel_init(&k);
	k.privileged = false;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		char name[] = "some-event";
		struct event ev = { .name = name, .kind = rows[i].kind };
		struct ptui_error err = PTUI_ERROR_INIT;

		ev.attr.type = rows[i].kind == EVENT_TRACEPOINT ? PERF_TYPE_TRACEPOINT :
								  PERF_TYPE_SOFTWARE;
		ev.attr.exclude_kernel = rows[i].side == 'u';
		ev.attr.exclude_user = rows[i].side == 'k';
		fake_set_paranoid(&k, rows[i].paranoid);
		fake_file(&k, "proc/self/status", "Name:\tx\nCapEff:\t%s\nSeccomp:\t0\n",
			  rows[i].caps);
		fake_remove(&k, "proc/42");
		if (rows[i].uids)
			fake_file(&k, "proc/42/status", "Name:\tx\nUid:\t%s\n", rows[i].uids);
		diagnose_open(&k.ops, &ev, 42, 0, rows[i].errnum, 9, &err);
		print_message("row %zu: %s | %s\n", i, err.text, err.hint);
		assert_non_null(strstr(err.text, rows[i].text));
		assert_non_null(strstr(err.hint, rows[i].hint));
		assert_null(strstr(err.hint, rows[i].not_in_hint));
	}
	fake_kernel_release(&k);
}

/* Refused sample settings. */
static void shapes(void **state)
{
	static const struct {
		int errnum, paranoid;
		const char *caps;
		uint32_t type;
		uint64_t sample_type, branches;
		bool clock;
		const char *text, *hint;
	} rows[] = {
		{ EACCES, 2, NO_CAPS, PERF_TYPE_SOFTWARE, PERF_SAMPLE_PHYS_ADDR, 0, false,
		  "physical addresses require privileges", "omit --phys-data" },
		{ EOPNOTSUPP, 2, ALL_CAPS, PERF_TYPE_SOFTWARE, PERF_SAMPLE_BRANCH_STACK,
		  PERF_SAMPLE_BRANCH_ANY, false, "a software event has no branch stack", "cycles" },
		{ EOPNOTSUPP, 2, ALL_CAPS, PERF_TYPE_HARDWARE, PERF_SAMPLE_BRANCH_STACK,
		  PERF_SAMPLE_BRANCH_ANY, false, "this machine cannot sample branch stacks", "" },
		{ EOPNOTSUPP, 2, ALL_CAPS, PERF_TYPE_HARDWARE, PERF_SAMPLE_BRANCH_STACK,
		  PERF_SAMPLE_BRANCH_CALL_STACK, false, "does not record calls (LBR)", "dwarf" },
		{ EINVAL, 2, ALL_CAPS, PERF_TYPE_RAW, PERF_SAMPLE_BRANCH_STACK,
		  PERF_SAMPLE_BRANCH_IN_TX, false, "does not support this branch filter",
		  "-j any,u" },
		{ ENOENT, 2, ALL_CAPS, PERF_TYPE_HARDWARE, PERF_SAMPLE_BRANCH_STACK,
		  PERF_SAMPLE_BRANCH_ANY, false, "branch stacks require hardware events", "vPMU" },
		{ EINVAL, 2, ALL_CAPS, PERF_TYPE_HARDWARE, 0, 0, true, "does not accept this clock",
		  "monotonic_raw" },
	};
	struct fake_kernel k;

	(void)state;
	fake_kernel_init(&k);
	fake_file(&k, "sys/kernel/security/lockdown", "[none] integrity confidentiality\n");
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		char name[] = "some-event";
		struct event ev = { .name = name, .kind = EVENT_SOFTWARE };
		struct ptui_error err = PTUI_ERROR_INIT;

		ev.attr.type = rows[i].type;
		ev.attr.exclude_kernel = 1;
		ev.attr.sample_period = 1;
		ev.attr.sample_type = rows[i].sample_type;
		ev.attr.branch_sample_type = rows[i].branches;
		ev.attr.use_clockid = rows[i].clock;
		fake_set_paranoid(&k, rows[i].paranoid);
		fake_file(&k, "proc/self/status", "CapEff:\t%s\nSeccomp:\t0\n", rows[i].caps);
		diagnose_open(&k.ops, &ev, 42, 1, rows[i].errnum, 9, &err);
		print_message("row %zu: %s | %s\n", i, err.text, err.hint);
		assert_non_null(strstr(err.text, rows[i].text));
		assert_non_null(strstr(err.hint, rows[i].hint));
	}
	fake_kernel_release(&k);
}

/* A kernel may refuse the function tracer, but no other tracepoint. */
static void function_tracing(void **state)
{
	static const struct {
		const char *caps, *text, *hint;
	} rows[] = {
		{ ALL_CAPS, "this kernel forbids the function tracer", "other tracepoints" },
		{ NO_CAPS, "tracepoints require privileges", "perf_event_paranoid" },
	};
	char name[] = "ftrace:function:u", system[] = "ftrace", point[] = "function";
	struct event ev = {
		.name = name, .kind = EVENT_TRACEPOINT, .tp_system = system, .tp_name = point
	};
	struct fake_kernel k;

	(void)state;
	fake_kernel_init(&k);
	fake_set_paranoid(&k, 2);
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct ptui_error err = PTUI_ERROR_INIT;

		fake_file(&k, "proc/self/status", "Name:\tx\nCapEff:\t%s\nSeccomp:\t0\n",
			  rows[i].caps);
		assert_int_equal(diagnose_open(&k.ops, &ev, 42, 1, EPERM, 9, &err), -EPERM);
		print_message("row %zu: %s | %s\n", i, err.text, err.hint);
		assert_non_null(strstr(err.text, rows[i].text));
		assert_non_null(strstr(err.hint, rows[i].hint));
	}
	fake_kernel_release(&k);
}

static void manages_without_a_proc(void **state)
{
	char name[] = "x";
	struct event ev = { .name = name, .kind = EVENT_SOFTWARE };
	struct ptui_error err = PTUI_ERROR_INIT;
	struct fake_kernel k;

	(void)state;
	fake_kernel_init(&k);
	fake_remove(&k, "proc");
	fake_remove(&k, "sys");
	assert_int_equal(diagnose_paranoid(&k.ops), 2);
	assert_int_equal(diagnose_mlock_kb(&k.ops), 516);
	assert_int_equal(diagnose_open(&k.ops, &ev, -1, 0, EACCES, 1, &err), -EACCES);
	assert_true(ptui_error_is_set(&err));
	fake_kernel_release(&k);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(explains),	    cmocka_unit_test(ownership),
		cmocka_unit_test(user_namespace),   cmocka_unit_test(shapes),
		cmocka_unit_test(function_tracing), cmocka_unit_test(manages_without_a_proc),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
