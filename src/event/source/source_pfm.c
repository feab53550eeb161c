/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Vendor events of the CPU, through libpfm4:
 *
 *	pfm:EVENT[:UMASK][:MODIFIER…]		in -e; perf's --pfm-events without "pfm:"
 *
 * libpfm4 detects the CPU itself; LIBPFM_FORCE_PMU=skx overrides it.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "base/i18n.h"
#include "config.h"
#include "event/selector/parser.h"
#include "event/source/source.h"
#ifdef HAVE_LIBPFM
#include <perfmon/pfmlib_perf_event.h>
#include <pthread.h>
#endif

bool pfm_is_meant(struct span spec)
{
	return span_starts_with(spec, PFM_PREFIX);
}

#ifndef HAVE_LIBPFM

static int load(struct catalog *cat, struct catalog_rows *rows, struct ptui_error *err)
{
	(void)cat;
	(void)rows;
	(void)err;
	return 0;
}

int pfm_parse(struct parser *p, struct event_text *t)
{
	return parser_error(p, t->spec.at, _("another event"),
			    _("ptui was built without libpfm4, which provides these events"));
}

#else

/* libpfm4 has global state: calls are serialized. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static int begin(void)
{
	static bool begun;
	int ret = PFM_SUCCESS;

	if (!begun)
		ret = pfm_initialize();
	begun = ret == PFM_SUCCESS;
	return ret;
}

static int add(struct catalog *cat, struct catalog_rows *rows, const pfm_event_info_t *ev,
	       const pfm_event_attr_info_t *mask)
{
	struct catalog_entry *entry = catalog_rows_add(rows);

	if (!entry)
		return -ENOMEM;
	entry->kind = EVENT_VENDOR;
	entry->name = arena_printf(&cat->text, PFM_PREFIX "%s%s%s", ev->name, mask ? ":" : "",
				   mask ? mask->name : "");
	entry->desc = arena_printf(&cat->text, "%s%s%s", ev->desc ? ev->desc : "",
				   mask && mask->desc ? ": " : "",
				   mask && mask->desc ? mask->desc : "");
	return entry->name && entry->desc ? 0 : -ENOMEM;
}

static int add_event(struct catalog *cat, struct catalog_rows *rows, int index)
{
	pfm_event_info_t ev = { .size = sizeof(ev) };
	size_t before = rows->n;
	int ret = 0;

	if (pfm_get_event_info(index, PFM_OS_NONE, &ev) != PFM_SUCCESS)
		return 0;
	for (int i = 0; i < ev.nattrs && !ret; i++) {
		pfm_event_attr_info_t mask = { .size = sizeof(mask) };

		if (pfm_get_event_attr_info(index, i, PFM_OS_NONE, &mask) == PFM_SUCCESS &&
		    mask.type == PFM_ATTR_UMASK)
			ret = add(cat, rows, &ev, &mask);
	}
	return ret || rows->n > before ? ret : add(cat, rows, &ev, NULL);
}

/* Generic kernel events come from another source. */
static bool is_of_processor(const pfm_pmu_info_t *pmu)
{
	return pmu->is_present &&
	       (pmu->type == PFM_PMU_TYPE_CORE || pmu->type == PFM_PMU_TYPE_UNCORE);
}

static int load(struct catalog *cat, struct catalog_rows *rows, struct ptui_error *err)
{
	int ret = 0;

	pthread_mutex_lock(&lock);
	for (int i = PFM_PMU_NONE; begin() == PFM_SUCCESS && !ret && i < PFM_PMU_MAX; i++) {
		pfm_pmu_info_t pmu = { .size = sizeof(pmu) };

		if (pfm_get_pmu_info((pfm_pmu_t)i, &pmu) != PFM_SUCCESS || !is_of_processor(&pmu))
			continue;
		for (int k = pmu.first_event; !ret && k != -1; k = pfm_get_event_next(k))
			ret = add_event(cat, rows, k);
	}
	pthread_mutex_unlock(&lock);
	if (ret)
		return ptui_error_nomem(err);
	catalog_rows_sort(rows);
	return 0;
}

static int encode(const char *text, struct perf_event_attr *attr)
{
	pfm_perf_encode_arg_t arg = { .attr = attr, .size = sizeof(arg) };
	int ret;

	pthread_mutex_lock(&lock);
	ret = begin();
	if (ret == PFM_SUCCESS)
		ret = pfm_get_os_event_encoding(text, PFM_PLM0 | PFM_PLM3, PFM_OS_PERF_EVENT_EXT,
						&arg);
	pthread_mutex_unlock(&lock);
	return ret;
}

int pfm_parse(struct parser *p, struct event_text *t)
{
	struct perf_event_attr attr = { 0 };
	char *text = strndup(t->all.at + strlen(PFM_PREFIX), span_len(t->all) - strlen(PFM_PREFIX));
	struct event *ev;
	int ret;

	if (!text)
		return ptui_error_nomem(p->err);
	ret = encode(text, &attr);
	free(text);
	if (ret != PFM_SUCCESS) {
		ret = parser_error(p, t->spec.at + strlen(PFM_PREFIX),
				   _("a libpfm4 event of this CPU"),
				   _("libpfm4 rejected this event: %s"), pfm_strerror(ret));
		ptui_error_hint(p->err, _("ptui list vendor lists the available events"));
		return ret;
	}
	ret = spec_add(p, t, EVENT_VENDOR, attr.type, attr.config);
	if (ret)
		return ret;
	ev = &p->list->v[p->list->n - 1];
	ev->attr.config1 = attr.config1;
	ev->attr.config2 = attr.config2;
	ev->attr.exclude_user = attr.exclude_user;
	ev->attr.exclude_kernel = attr.exclude_kernel;
	ev->attr.exclude_hv = attr.exclude_hv;
	ev->attr.exclude_guest = attr.exclude_guest;
	ev->attr.exclude_host = attr.exclude_host;
	ev->attr.precise_ip = attr.precise_ip;
	ev->attr.pinned = attr.pinned;
	if (attr.sample_period) {
		ev->terms.given |= attr.freq ? EVENT_TERM_FREQ : EVENT_TERM_PERIOD;
		ev->terms.period = ev->terms.freq_hz = attr.sample_period;
	}
	/* its modifiers were libpfm4's */
	t->rest.at = t->rest.end = t->all.end;
	return 0;
}

#endif

const struct catalog_source source_pfm = {
	.kind = EVENT_VENDOR,
	.heading = N_("Vendor event"),
	.has_colon = true,
	.load = load,
};
