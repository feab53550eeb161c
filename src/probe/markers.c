/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The arguments of a marker are written for an assembler, "SIZE@OPERAND" with a negative size for a signed
 * one (dso_sdt_fetch() has the operands):
 *
 *	-4@%edi			%di:s32
 *	4@$5			\5:u32
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "base/i18n.h"
#include "base/text.h"
#include "base/vec.h"
#include "dso/sdt.h"
#include "probe/markers.h"
#include "ptui/log.h"

struct maker {
	struct probe_binary *b;
	const struct probe_definition *def;
	const struct probe_make_opts *o;
	struct probe_events *ret;
	struct ptui_error *err;
	int error;
};

static const char *type_of_size(long size)
{
	static const struct {
		long size;
		const char *type;
	} types[] = { { -8, "s64" }, { -4, "s32" }, { -2, "s16" }, { -1, "s8" },
		      { 8, "u64" },  { 4, "u32" },  { 2, "u16" },  { 1, "u8" } };

	for (size_t i = 0; i < sizeof(types) / sizeof(*types); i++)
		if (types[i].size == size)
			return types[i].type;
	return NULL;
}

static const char *why_left_out(const char *operand)
{
	static const char *const high[] = { "%ah", "%bh", "%ch", "%dh" };

	for (size_t i = 0; i < sizeof(high) / sizeof(*high); i++)
		if (!strcmp(operand, high[i]))
			return _("the kernel fetches a register from its lowest byte on");
	if (strchr(operand, '(') && strchr(operand, ','))
		return _("the kernel adds no index register to an address");
	return _("the kernel cannot fetch it");
}

static int add_argument(struct maker *m, struct probe_event *e, const char *text, size_t number)
{
	struct arena *mem = m->o->find.mem;
	struct probe_value *v = &e->values[e->n_values];
	const char *at = strchr(text, '@');
	struct buf fetch = BUF_INIT;
	int ret = 0;

	v->type = at ? type_of_size(strtol(text, NULL, 10)) : NULL;
	if (dso_sdt_fetch((uint16_t)m->b->machine, at ? at + 1 : text, &fetch) != DSO_SDT_OTHER) {
		v->name = arena_printf(mem, "arg%zu", number);
		v->fetch = arena_strdup(mem, buf_str(&fetch));
		ret = fetch.err || !v->name || !v->fetch ? -ENOMEM : 0;
		e->n_values++;
	} else {
		ptui_log(PTUI_LOG_WARN, "probe",
			 _("argument %zu of the marker ('%s') is left out: %s"), number, text,
			 why_left_out(at ? at + 1 : text));
	}
	buf_release(&fetch);
	return ret;
}

static int add_arguments(struct maker *m, struct probe_event *e, const char *arguments)
{
	char *rest = arena_strdup(m->o->find.mem, arguments), *text;
	int ret = 0;

	e->values = arena_alloc(m->o->find.mem, PROBE_ARGS_MAX * sizeof(*e->values));
	if (!rest || !e->values)
		return -ENOMEM;
	for (size_t number = 1; !ret && number <= PROBE_ARGS_MAX; number++) {
		text = dso_sdt_next_argument(&rest);
		if (!text)
			break;
		ret = add_argument(m, e, text, number);
	}
	return ret;
}

bool probe_marker_matches(const struct probe_definition *def, const struct dso_sdt *marker)
{
	const char *provider = def->group;

	if (provider && text_starts_with(provider, "sdt_"))
		provider += 4;
	return (!provider || text_glob(provider, marker->provider)) &&
	       text_glob(def->event, marker->name) && marker->off != UINT64_MAX;
}

static int add_marker(void *ctx, const struct dso_sdt *marker)
{
	struct maker *m = ctx;
	struct probe_event *e;

	if (!probe_marker_matches(m->def, marker))
		return 0;
	if (m->ret->n >= m->o->max_probes)
		return ptui_error_set(m->err, PTUI_ERROR_INPUT, ERANGE, NULL,
				      _("the definition has more than %zu addresses"),
				      m->o->max_probes);
	if (vec_grow(&m->ret->v, &m->ret->cap, m->ret->n + 1))
		return ptui_error_nomem(m->err);
	e = &m->ret->v[m->ret->n++];
	*e = (struct probe_event){ .is_uprobe = true,
				   .module = m->b->path,
				   .address = marker->off };
	e->group = arena_printf(m->o->find.mem, "sdt_%s", marker->provider);
	e->event = arena_strdup(m->o->find.mem, marker->name);
	e->function = e->event;
	if (marker->semaphore_rva &&
	    !dso_file_rva_to_off(m->b->file, marker->semaphore_rva, &e->semaphore))
		e->semaphore = 0;
	if (!e->group || !e->event || add_arguments(m, e, marker->arguments))
		return ptui_error_nomem(m->err);
	return 0;
}

int probe_markers_make(struct probe_binary *b, const struct probe_definition *def,
		       const struct probe_make_opts *o, struct probe_events *ret,
		       struct ptui_error *err)
{
	struct maker m = { b, def, o, ret, err, 0 };
	int error;

	if (b->is_kernel)
		return ptui_error_set(err, PTUI_ERROR_INPUT, EINVAL, def->event,
				      _("markers are in programs and libraries: name one with -x"));
	error = dso_sdt_each(dso_file_path(b->file), add_marker, &m, err);
	if (error || ret->n)
		return error;
	ptui_error_set(err, PTUI_ERROR_INPUT, ENOENT, def->event, _("no marker '%s' in %s"),
		       def->event, b->path);
	ptui_error_hint(err, _("'ptui list sdt' lists the markers"));
	return -ENOENT;
}
