/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What recording costs on this machine. */
#include <errno.h>
#include <string.h>
#include "base/i18n.h"
#include "record/doctor/doctor.h"
#include "record/doctor/self_cost.h"

#define DEFAULT_HZ 4000

static bool report_unknown(struct ptui_finding *f, int error)
{
	char why[512];

	DOCTOR_SAY(f->value, "%s", _("unknown"));
	if (error == -ENODATA)
		return doctor_report(f, PTUI_HEALTH_ABSENT,
				     _("The cost of a sample is unknown: no sample of a page fault "
				       "arrived."),
				     NULL);
	if (error == -ERANGE)
		return doctor_report(f, PTUI_HEALTH_NOTE,
				     _("The cost of a sample is unknown: it is less than how much "
				       "the time of the test varies on this machine."),
				     NULL);
	DOCTOR_SAY(why,
		   _("The cost of a sample is unknown: the events to measure it were refused "
		     "(%s)."),
		   strerror(-error));
	return doctor_report(f, PTUI_HEALTH_ABSENT, why, NULL);
}

static void say_cycles(char *ret, size_t size, const struct self_cost *cost)
{
	if (!cost->cycles)
		snprintf(ret, size, "%s", _("There is no hardware counter to count its cycles."));
	else if (cost->by_page)
		snprintf(ret, size, _("That is %.0f cycles, counted with rdpmc."), cost->cycles);
	else
		snprintf(ret, size, _("That is %.0f cycles, counted with read()."), cost->cycles);
}

static bool check_cost(const struct doctor *d, struct ptui_finding *f)
{
	struct self_cost cost;
	char cycles[128], means[1200];
	double ns;
	int error = self_cost_measure(d->ops, &cost);

	if (error)
		return report_unknown(f, error);
	ns = cost.kernel_ns + cost.copy_ns;
	DOCTOR_SAY(f->value, _("%.2f us per sample, %.2f%% of a CPU at %d Hz"), ns / 1e3,
		   ns * DEFAULT_HZ / 1e7, DEFAULT_HZ);
	say_cycles(cycles, sizeof(cycles), &cost);
	DOCTOR_SAY(
		means,
		_("CPU time of a sample, of which %.2f us are in the kernel and %.2f us in ptui "
		  "(page faults of ptui, without callchains). The interrupt that takes a sample of "
		  "cycles or cpu-clock, callchains and the output file add to it; 'ptui record -v' "
		  "prints what a recording took."),
		cost.kernel_ns / 1e3, cost.copy_ns / 1e3);
	DOCTOR_SAY(f->means, "%s %s", means, cycles);
	f->health = PTUI_HEALTH_NOTE;
	return true;
}

const struct doctor_row doctor_cost[] = {
	{ N_("Cost"), "sample_cost", check_cost },
	{ NULL, NULL, NULL },
};
