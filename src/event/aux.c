/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "event/aux.h"

#include <stdlib.h>
#include <string.h>
#include "event/catalog.h"
#include "event/pmu.h"

#define S390_DIAG	 0xbd000 /* SF_CYCLES_BASIC_DIAG: the only one of its PMU with an AUX area */
#define SPE_PERIOD	 4096	 /* as in perf, unless the PMU names the least one */
#define PT_PERIOD_TARGET 3	 /* mtc_period, psb_period: the supported one that is nearest */

static const struct {
	const char *name; /* the beginning of it */
	uint32_t aux;
} aux_pmus[] = {
	{ "intel_pt", PTUI_AUXTRACE_INTEL_PT }, { "intel_bts", PTUI_AUXTRACE_INTEL_BTS },
	{ "cs_etm", PTUI_AUXTRACE_CS_ETM },	{ "arm_spe", PTUI_AUXTRACE_ARM_SPE },
	{ "hisi_ptt", PTUI_AUXTRACE_HISI_PTT }, { "cpum_sf", PTUI_AUXTRACE_S390_CPUMSF },
};

uint32_t aux_of_pmu(const char *pmu)
{
	for (size_t i = 0; i < sizeof(aux_pmus) / sizeof(*aux_pmus); i++)
		if (!strncmp(pmu, aux_pmus[i].name, strlen(aux_pmus[i].name)))
			return aux_pmus[i].aux;
	return 0;
}

/* ---- by default ---- */

static const char *find_cap(const struct pmu *pmu, const char *name)
{
	for (size_t i = 0; i < pmu->n_caps; i++)
		if (!strcmp(pmu->caps[i].name, name))
			return pmu->caps[i].value;
	return NULL;
}

static long read_cap(const struct pmu *pmu, const char *name, int base, long missing)
{
	const char *value = find_cap(pmu, name);
	char *end;
	long ret;

	if (!value)
		return missing;
	ret = strtol(value, &end, base);
	return end == value ? missing : ret;
}

/* The highest of the supported values up to PT_PERIOD_TARGET, else the lowest: perf's choice. */
static unsigned pick_period(unsigned long supported)
{
	unsigned pick = 0;
	bool any = false;

	for (unsigned bit = 0; supported >> bit && bit < 32; bit++) {
		if (!(supported >> bit & 1))
			continue;
		if (bit <= PT_PERIOD_TARGET || !any)
			pick = bit;
		any = true;
		if (bit >= PT_PERIOD_TARGET)
			break;
	}
	return pick;
}

static void set_term(struct event *ev, const struct pmu *pmu, const char *term, uint64_t value)
{
	const struct pmu_format *f = pmu_find_format(pmu, term, strlen(term));

	if (f && f->field < PMU_CONFIGS)
		*event_config(&ev->attr, f->field) |= pmu_format_spread(f->bits, value);
}

/* "tsc,mtc,mtc_period=3,psb_period=3,pt,branch", as far as the PMU has it. */
static void begin_pt(struct event *ev, const struct pmu *pmu)
{
	unsigned long mtc_periods = 0, psb_periods = 0;

	if (read_cap(pmu, "mtc", 10, 1))
		mtc_periods = (unsigned long)read_cap(pmu, "mtc_periods", 16, 0);
	if (read_cap(pmu, "psb_cyc", 10, 1) && mtc_periods)
		psb_periods = (unsigned long)read_cap(pmu, "psb_periods", 16, 0);
	set_term(ev, pmu, "tsc", 1);
	if (mtc_periods) {
		set_term(ev, pmu, "mtc", 1);
		set_term(ev, pmu, "mtc_period", pick_period(mtc_periods));
	}
	if (psb_periods)
		set_term(ev, pmu, "psb_period", pick_period(psb_periods));
	if (pmu_find_format(pmu, "pt", 2) && pmu_find_format(pmu, "branch", 6)) {
		set_term(ev, pmu, "pt", 1);
		set_term(ev, pmu, "branch", 1);
	}
}

void aux_begin_event(struct event *ev, const struct pmu *pmu)
{
	ev->aux = aux_of_pmu(pmu->name);
	if (ev->aux == PTUI_AUXTRACE_INTEL_PT)
		begin_pt(ev, pmu);
	if (ev->aux == PTUI_AUXTRACE_ARM_SPE)
		ev->aux_period = (uint64_t)read_cap(pmu, "min_interval", 10, SPE_PERIOD);
}

void aux_end_event(struct event *ev)
{
	if (ev->aux == PTUI_AUXTRACE_S390_CPUMSF && ev->attr.config != S390_DIAG)
		ev->aux = 0;
}

void aux_configure(struct event *ev, uint64_t period, bool per_thread)
{
	struct perf_event_attr *attr = &ev->attr;

	attr->freq = 0;
	attr->sample_type &= ~(uint64_t)PERF_SAMPLE_PERIOD;
	attr->sample_period = 1;
	if (ev->aux == PTUI_AUXTRACE_ARM_SPE) {
		attr->sample_period = period ? period : ev->aux_period;
		/* shows readers that there are data addresses: the PMU ignores it */
		attr->sample_type |= PERF_SAMPLE_DATA_SRC;
	}
	/* whose buffer it is */
	if (!per_thread)
		attr->sample_type |= PERF_SAMPLE_CPU;
}

/* ---- for AUXTRACE_INFO ---- */

static const struct pmu *pmu_of(struct catalog *cat, const struct event *ev)
{
	const struct pmus *pmus;

	if (!ev->pmu || catalog_pmus(cat, &pmus, NULL))
		return NULL;
	return pmus_find(pmus, ev->pmu, strlen(ev->pmu));
}

uint64_t aux_term_bits(struct catalog *cat, const struct event *ev, const char *term)
{
	const struct pmu *pmu = pmu_of(cat, ev);
	const struct pmu_format *f = pmu ? pmu_find_format(pmu, term, strlen(term)) : NULL;

	return f && !f->field ? f->bits : 0;
}

long aux_cap(struct catalog *cat, const struct event *ev, const char *cap, long missing)
{
	const struct pmu *pmu = pmu_of(cat, ev);

	return pmu ? read_cap(pmu, cap, 10, missing) : missing;
}
