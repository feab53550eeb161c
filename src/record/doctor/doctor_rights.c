/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The rights of the calling user, and what else restricts them. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include "base/i18n.h"
#include "record/doctor/doctor.h"

static const struct {
	int bit;
	const char *name;
} capabilities[] = {
	{ CAP_BIT_PERFMON, "perfmon" },		  { CAP_BIT_SYS_ADMIN, "sys_admin" },
	{ CAP_BIT_SYS_PTRACE, "sys_ptrace" },	  { CAP_BIT_SYSLOG, "syslog" },
	{ CAP_BIT_IPC_LOCK, "ipc_lock" },	  { CAP_BIT_BPF, "bpf" },
	{ CAP_BIT_SYS_RESOURCE, "sys_resource" }, { CAP_BIT_DAC_READ_SEARCH, "dac_read_search" },
};

static bool check_user(const struct doctor *d, struct ptui_finding *f)
{
	uid_t uid = d->ops->geteuid(d->ops->ctx);

	DOCTOR_SAY(f->value, "%u", (unsigned)uid);
	if (d->may_all)
		return doctor_report(f, PTUI_HEALTH_GOOD, _("You may measure all processes."),
				     NULL);
	return doctor_report(f, PTUI_HEALTH_LIMITED, _("You may measure your own processes."),
			     _("run as root, or with CAP_PERFMON and CAP_SYS_PTRACE"));
}

static bool check_capabilities(const struct doctor *d, struct ptui_finding *f)
{
	size_t n = 0;

	for (size_t i = 0; i < sizeof(capabilities) / sizeof(*capabilities); i++)
		if (diagnose_has_cap(&d->rights, capabilities[i].bit) && n < sizeof(f->value))
			n += (size_t)snprintf(f->value + n, sizeof(f->value) - n, "%s%s",
					      n ? " " : "", capabilities[i].name);
	if (!n)
		DOCTOR_SAY(f->value, "%s", _("none"));
	return doctor_report(
		f, PTUI_HEALTH_NOTE,
		_("Relevant capabilities: perfmon allows measuring everything, sys_ptrace "
		  "other users' processes, syslog shows kernel addresses, ipc_lock allows "
		  "large ring buffers."),
		NULL);
}

/* A filter may still allow perf_event_open(): the row "kernel" shows whether it does. */
static bool check_seccomp(const struct doctor *d, struct ptui_finding *f)
{
	DOCTOR_SAY(f->value, "%d", d->rights.seccomp);
	if (!d->rights.seccomp)
		return doctor_report(f, PTUI_HEALTH_GOOD, _("System calls are not filtered."),
				     NULL);
	return doctor_report(
		f, PTUI_HEALTH_NOTE,
		_("System calls are filtered, as in a container: perf_event_open may be refused."),
		_("in a container: start it with --cap-add PERFMON and a seccomp profile that allows perf_event_open"));
}

static bool check_lsm(const struct doctor *d, struct ptui_finding *f)
{
	if (!doctor_read(f->value, sizeof(f->value), d->ops->roots.sysfs, "kernel/security/lsm"))
		return false;
	if (!strstr(f->value, "selinux"))
		return doctor_report(f, PTUI_HEALTH_GOOD,
				     _("None of these security modules has rules for perf events."),
				     NULL);
	return doctor_report(
		f, PTUI_HEALTH_NOTE,
		_("SELinux has rules for perf events: if an event is refused in spite of "
		  "sufficient rights, see the audit log."),
		NULL);
}

static bool check_lockdown(const struct doctor *d, struct ptui_finding *f)
{
	if (!*d->rights.lockdown)
		return false;
	DOCTOR_SAY(f->value, "%s", d->rights.lockdown);
	if (strcmp(d->rights.lockdown, "confidentiality"))
		return doctor_report(f, PTUI_HEALTH_GOOD, _("Perf events are not restricted."),
				     NULL);
	return doctor_report(f, PTUI_HEALTH_LIMITED,
			     _("Confidentiality: no kernel samples and no tracepoints."),
			     _("lockdown can only be lifted by booting without it"));
}

static bool check_container(const struct doctor *d, struct ptui_finding *f)
{
	static const char *const marks[] = { "/.dockerenv", "/run/.containerenv",
					     "/run/systemd/container" };

	(void)d;
	for (size_t i = 0; i < sizeof(marks) / sizeof(*marks); i++) {
		if (access(marks[i], F_OK))
			continue;
		DOCTOR_SAY(f->value, "%s", marks[i]);
		return doctor_report(
			f, PTUI_HEALTH_NOTE,
			_("This is a container: the kernel, its settings and the CPUs belong to "
			  "the host."),
			NULL);
	}
	return false;
}

static bool check_tracefs(const struct doctor *d, struct ptui_finding *f)
{
	struct ptui_error why = PTUI_ERROR_INIT;
	const char *path;

	if (catalog_tracefs(d->catalog, &path, &why)) {
		f->health = why.code == ENOENT ? PTUI_HEALTH_ABSENT : PTUI_HEALTH_LIMITED;
		DOCTOR_SAY(f->means, _("Tracepoints are not available: %s"), why.text);
		DOCTOR_SAY(f->lift, "%s", why.hint);
		return true;
	}
	DOCTOR_SAY(f->value, "%s", path);
	if (d->may_all || d->paranoid < 0)
		return doctor_report(f, PTUI_HEALTH_GOOD, _("Tracepoints can be recorded."), NULL);
	return doctor_report(
		f, PTUI_HEALTH_LIMITED,
		_("Tracepoints can be listed, but not recorded: kernel.perf_event_paranoid is not -1."),
		_("as root: sysctl kernel.perf_event_paranoid=-1"));
}

const struct doctor_row doctor_rights[] = {
	{ N_("Rights"), "user", check_user },
	{ N_("Rights"), "capabilities", check_capabilities },
	{ N_("Rights"), "seccomp", check_seccomp },
	{ N_("Rights"), "security_modules", check_lsm },
	{ N_("Rights"), "lockdown", check_lockdown },
	{ N_("Rights"), "container", check_container },
	{ N_("Rights"), "tracefs", check_tracefs },
	{ .key = NULL },
};
