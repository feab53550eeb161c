/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Named events of PMUs: PMU/NAME/. */
#include <errno.h>
#include <string.h>
#include "base/i18n.h"
#include "event/source/source.h"

static int add(struct catalog *cat, struct catalog_rows *rows, const struct pmu *pmu,
	       const struct pmu_event *ev)
{
	struct catalog_entry *entry = catalog_rows_add(rows);

	if (!entry)
		return -ENOMEM;
	entry->name = arena_printf(&cat->text, "%s/%s/", pmu->name, ev->name);
	/* events of the core PMU need no PMU prefix */
	if (entry->name && !strcmp(pmu->name, "cpu")) {
		entry->alias = entry->name;
		entry->name = ev->name;
	}
	entry->desc = ev->text;
	if (ev->unit)
		entry->desc = arena_printf(&cat->text, _("%s; unit %s"), ev->text, ev->unit);
	entry->kind = EVENT_PMU;
	entry->type = pmu->type;
	entry->pmu = pmu;
	entry->pmu_event = ev;
	return entry->name && entry->desc ? 0 : -ENOMEM;
}

static int load(struct catalog *cat, struct catalog_rows *rows, struct ptui_error *err)
{
	const struct pmus *pmus;
	int ret = catalog_pmus(cat, &pmus, err);

	for (size_t i = 0; !ret && i < pmus->n; i++) {
		for (size_t k = 0; !ret && k < pmus->v[i].n_events; k++) {
			if (add(cat, rows, &pmus->v[i], &pmus->v[i].events[k]))
				ret = ptui_error_nomem(err);
		}
	}
	if (!ret)
		catalog_rows_sort(rows);
	return ret;
}

const struct catalog_source source_pmu = {
	.kind = EVENT_PMU,
	.heading = N_("Kernel PMU event"),
	.load = load,
};
