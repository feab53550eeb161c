/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What can be counted and sampled here: tried with events on this process. */
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/i18n.h"
#include "event/aux.h"
#include "kernel/event_open.h"
#include "record/doctor/doctor.h"

#define PRECISE_MAX 3

/* A sampled user-mode event, which needs no rights. */
static struct perf_event_attr cycles(void)
{
	struct perf_event_attr attr = { .type = PERF_TYPE_HARDWARE };

	attr.size = sizeof(attr) < PTUI_ATTR_SIZE_VER5 ? sizeof(attr) : PTUI_ATTR_SIZE_VER5;
	attr.config = PERF_COUNT_HW_CPU_CYCLES;
	attr.sample_period = 1000000;
	attr.sample_type = PERF_SAMPLE_IP;
	attr.disabled = attr.exclude_kernel = attr.exclude_hv = 1;
	return attr;
}

static bool is_forbidden(int ret)
{
	return ret == -EACCES || ret == -EPERM;
}

/* If rights are missing, the row "kernel" has the reason. */
static void fill_missing(struct ptui_finding *f, int ret, const char *means)
{
	f->health = is_forbidden(ret) ? PTUI_HEALTH_LIMITED : PTUI_HEALTH_ABSENT;
	DOCTOR_SAY(f->value, "%s", _("no"));
	DOCTOR_SAY(f->means, "%s",
		   is_forbidden(ret) ? _("Cannot be tested without privileges.") : means);
}

static bool check_cycles(const struct doctor *d, struct ptui_finding *f)
{
	struct perf_event_attr attr = cycles();
	int ret = event_open_probe(d->ops, &attr);

	if (!ret) {
		DOCTOR_SAY(f->value, "%s", _("yes"));
		return doctor_report(f, PTUI_HEALTH_GOOD, _("Cycles can be sampled."), NULL);
	}
	fill_missing(f, ret,
		     _("This machine has no hardware counters: cpu-clock replaces cycles."));
	if (!is_forbidden(ret))
		DOCTOR_SAY(
			f->lift, "%s",
			_("virtual machines often have no hardware counters; the hypervisor can pass them on (vPMU)"));
	return true;
}

static bool check_precise(const struct doctor *d, struct ptui_finding *f)
{
	struct perf_event_attr attr = cycles();
	int ret = 0, level;

	for (level = PRECISE_MAX; level; level--) {
		attr.precise_ip = (unsigned)level & 3;
		ret = event_open_probe(d->ops, &attr);
		if (!ret)
			break;
	}
	DOCTOR_SAY(f->value, "%d", level);
	if (level)
		DOCTOR_SAY(f->means,
			   _("Cycles can be sampled with precise modifiers up to level %d (p)."),
			   level);
	else
		fill_missing(f, ret,
			     _("No precise sampling: addresses are a few instructions "
			       "late (skid)."));
	return true;
}

static bool check_branches(const struct doctor *d, struct ptui_finding *f)
{
	struct perf_event_attr attr = cycles();
	int ret;

	attr.sample_type |= PERF_SAMPLE_BRANCH_STACK;
	attr.branch_sample_type = PERF_SAMPLE_BRANCH_USER | PERF_SAMPLE_BRANCH_ANY;
	ret = event_open_probe(d->ops, &attr);
	if (ret) {
		fill_missing(
			f, ret,
			_("Branch stacks (-b, -j) and callchains from them (lbr) cannot be recorded."));
		return true;
	}
	DOCTOR_SAY(f->value, "%s", _("yes"));
	return doctor_report(f, PTUI_HEALTH_GOOD, _("Branch stacks can be recorded (-b, -j)."),
			     NULL);
}

static int by_text(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static char **list_pmus(const struct doctor *d, size_t *ret_n)
{
	char path[256], **names = NULL;
	struct dirent *entry;
	size_t n = 0;
	DIR *dir;

	snprintf(path, sizeof(path), "%s/bus/event_source/devices", d->ops->roots.sysfs);
	dir = opendir(path);
	while (dir && (entry = readdir(dir))) {
		char **more = entry->d_name[0] == '.' ? NULL :
							realloc(names, (n + 1) * sizeof(*names));

		if (!more)
			continue;
		names = more;
		names[n] = strdup(entry->d_name);
		n += names[n] != NULL;
	}
	if (dir)
		closedir(dir);
	if (n)
		qsort(names, n, sizeof(*names), by_text);
	*ret_n = n;
	return names;
}

static void free_pmus(char **names, size_t n)
{
	while (n)
		free(names[--n]);
	free(names);
}

static bool check_pmus(const struct doctor *d, struct ptui_finding *f)
{
	size_t n, at = 0;
	char **names = list_pmus(d, &n);

	for (size_t i = 0; i < n && at < sizeof(f->value); i++)
		at += (size_t)snprintf(f->value + at, sizeof(f->value) - at, "%s%s", i ? " " : "",
				       names[i]);
	free_pmus(names, n);
	return doctor_report(f, n ? PTUI_HEALTH_GOOD : PTUI_HEALTH_ABSENT,
			     _("PMUs of this machine; 'ptui list pmu' lists their events."), NULL);
}

/* AUX area: traces written separately from samples. */
static bool check_aux(const struct doctor *d, struct ptui_finding *f)
{
	size_t n, at = 0;
	char **names = list_pmus(d, &n);

	for (size_t i = 0; i < n; i++)
		if (aux_of_pmu(names[i]) && at < sizeof(f->value))
			at += (size_t)snprintf(f->value + at, sizeof(f->value) - at, "%s%s",
					       at ? " " : "", names[i]);
	free_pmus(names, n);
	if (at)
		return doctor_report(
			f, PTUI_HEALTH_GOOD,
			_("PMUs that write traces into AUX areas: 'ptui record -e NAME//' records them, "
			  "'perf script --itrace' decodes them."),
			NULL);
	DOCTOR_SAY(f->value, "%s", _("no"));
	return doctor_report(f, PTUI_HEALTH_ABSENT, _("The processor has no trace unit."), NULL);
}

static bool check_probes(const struct doctor *d, struct ptui_finding *f)
{
	char type[32];
	bool k = doctor_read(type, sizeof(type), d->ops->roots.sysfs,
			     "bus/event_source/devices/kprobe/type");
	bool u = doctor_read(type, sizeof(type), d->ops->roots.sysfs,
			     "bus/event_source/devices/uprobe/type");

	DOCTOR_SAY(f->value, "%s",
		   k && u ? "kprobe uprobe" :
		   k	  ? "kprobe" :
		   u	  ? "uprobe" :
			    _("no"));
	return doctor_report(f, k || u ? PTUI_HEALTH_GOOD : PTUI_HEALTH_ABSENT,
			     _("Dynamic probes (kprobes, uprobes) that this kernel supports."),
			     NULL);
}

const struct doctor_row doctor_hardware[] = {
	{ N_("Hardware"), "units", check_pmus },
	{ N_("Hardware"), "cycles", check_cycles },
	{ N_("Hardware"), "precise", check_precise },
	{ N_("Hardware"), "branch_stacks", check_branches },
	{ N_("Hardware"), "aux", check_aux },
	{ N_("Hardware"), "probes", check_probes },
	{ .key = NULL },
};
