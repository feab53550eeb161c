/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Other facilities that recordings use: BPF, cgroups, debuginfod servers, config files. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include "base/i18n.h"
#include "event/probe_owner.h"
#include "kernel/features.h"
#include "record/doctor/doctor.h"
#include "record/target/cgroup.h"

static bool check_bpf(const struct doctor *d, struct ptui_finding *f)
{
	char path[256];
	long long closed = 0;
	bool types;

	snprintf(path, sizeof(path), "%s/kernel/btf/vmlinux", d->ops->roots.sysfs);
	types = !access(path, F_OK);
	doctor_number(d->ops->roots.proc, "sys/kernel/unprivileged_bpf_disabled", &closed);
	DOCTOR_SAY(f->value, "%s", types ? "btf" : _("no"));
	if (!types)
		return doctor_report(
			f, PTUI_HEALTH_ABSENT,
			_("The kernel has no type information (BTF): BPF programs must be built for "
			  "this kernel."),
			NULL);
	if (closed)
		return doctor_report(f, PTUI_HEALTH_NOTE,
				     _("BPF programs can be loaded with privileges."), NULL);
	return doctor_report(f, PTUI_HEALTH_NOTE, _("BPF programs can be loaded."), NULL);
}

static bool check_cgroup(const struct doctor *d, struct ptui_finding *f)
{
	int version = cgroup_version(&d->ops->roots);
	char *path = NULL;

	if (!version) {
		DOCTOR_SAY(f->value, "%s", _("no"));
		return doctor_report(f, PTUI_HEALTH_ABSENT,
				     _("No cgroup file system is mounted for -G."),
				     _("as root: mount -t cgroup2 none /sys/fs/cgroup"));
	}
	cgroup_mount(&d->ops->roots, &path, NULL);
	DOCTOR_SAY(f->value, "v%d %s", version, path ? path : "");
	free(path);
	return doctor_report(f, PTUI_HEALTH_GOOD,
			     _("-G takes cgroup names relative to this directory."), NULL);
}

static bool check_features(const struct doctor *d, struct ptui_finding *f)
{
	struct kernel_features features;
	bool lost, ids;

	kernel_features_init(&features, d->ops);
	lost = kernel_has(&features, KERNEL_FORMAT_LOST);
	ids = kernel_has(&features, KERNEL_BUILD_ID);
	DOCTOR_SAY(f->value, "%s",
		   lost && ids ? "lost build_id" :
		   lost	       ? "lost" :
		   ids	       ? "build_id" :
				 _("no"));
	f->health = lost && ids ? PTUI_HEALTH_GOOD : PTUI_HEALTH_ABSENT;
	DOCTOR_SAY(
		f->means, "%s",
		lost && ids ?
			_("The kernel counts lost samples and reports the build-ids of mapped files.") :
			_("Not supported by this older kernel: build-ids are read from the "
			  "files, or lost samples are counted per ring buffer only."));
	return true;
}

static bool check_debuginfod(const struct doctor *d, struct ptui_finding *f)
{
	const char *urls = getenv("DEBUGINFOD_URLS");

	(void)d;
	DOCTOR_SAY(f->value, "%s", urls && *urls ? urls : _("none"));
	if (urls && *urls)
		return doctor_report(f, PTUI_HEALTH_NOTE,
				     _("Servers with debug information by build-id."), NULL);
	return doctor_report(f, PTUI_HEALTH_NOTE, _("DEBUGINFOD_URLS names no debuginfod server."),
			     NULL);
}

/* The config file in effect, if it exists. */
static bool find_config(char *path, size_t size, const char *named, const char *below)
{
	const char *home = getenv("HOME");

	if (named)
		snprintf(path, size, "%s", named);
	else
		snprintf(path, size, "%s/%s", home ? home : "", below);
	return !access(path, R_OK);
}

static bool check_perfconfig(const struct doctor *d, struct ptui_finding *f)
{
	(void)d;
	if (!find_config(f->value, sizeof(f->value), getenv("PERF_CONFIG"), ".perfconfig") &&
	    !find_config(f->value, sizeof(f->value), "/etc/perfconfig", ""))
		return false;
	return doctor_report(
		f, PTUI_HEALTH_NOTE,
		_("perf's configuration; settings with the same meaning apply to ptui."), NULL);
}

/* Probes that the screens could not remove, as they were killed. */
static bool check_probes(const struct doctor *d, struct ptui_finding *f)
{
	struct buf names = BUF_INIT, command = BUF_INIT;
	struct probe_leftovers left;
	const char *tracefs;

	if (catalog_tracefs(d->catalog, &tracefs, NULL) ||
	    probe_leftovers_read(&d->ops->roots, tracefs, &left) || !left.n)
		return false;
	probe_leftovers_names(&left, 4, &names);
	probe_leftovers_command(&left, &command);
	f->health = PTUI_HEALTH_NOTE;
	DOCTOR_SAY(f->value, "%zu", left.n);
	DOCTOR_SAY(
		f->means,
		Q_("%zu probe was left by a ptui that has ended: %s. It slows down what it probes.",
		   "%zu probes were left by a ptui that has ended: %s. They slow down what they "
		   "probe.",
		   left.n),
		left.n, buf_str(&names));
	DOCTOR_SAY(f->lift, _("as root: %s"), buf_str(&command));
	buf_release(&names);
	buf_release(&command);
	probe_leftovers_release(&left);
	return true;
}

const struct doctor_row doctor_surroundings[] = {
	{ N_("Environment"), "kernel_features", check_features },
	{ N_("Environment"), "bpf", check_bpf },
	{ N_("Environment"), "cgroups", check_cgroup },
	{ N_("Environment"), "debuginfod", check_debuginfod },
	{ N_("Environment"), "perfconfig", check_perfconfig },
	{ N_("Environment"), "leftover_probes", check_probes },
	{ .key = NULL },
};
