/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The arguments of a marker are written for an assembler, "SIZE@OPERAND" with a negative size for a signed
 * one:
 *
 *	-4@%edi			%di:s32
 *	8@-16(%rbp)		-16(%bp):u64
 *	4@$5			\5:u32
 */
#include <ctype.h>
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

/* Of any of its widths: %rdi, %edi, %di, %dil; the kernel has only "%di". */
static bool x86_register(const char *name, size_t n, char *ret, size_t bytes)
{
	static const char *const pairs[] = { "a", "b", "c", "d" };
	static const char *const words[] = { "si", "di", "bp", "sp", "ip" };

	if (n && name[0] == 'r' && n > 1 && isdigit((unsigned char)name[1])) {
		while (n > 2 && strchr("dwb", name[n - 1]))
			n--;
		return snprintf(ret, bytes, "%%%.*s", (int)n, name) < (int)bytes;
	}
	if (n == 3 && (*name == 'r' || *name == 'e')) {
		name++;
		n--;
	}
	if (n == 3 && name[2] == 'l') /* %dil */
		n--;
	for (size_t i = 0; i < 4; i++)
		if (n == 2 && name[0] == *pairs[i] && strchr("xl", name[1])) {
			snprintf(ret, bytes, "%%%sx", pairs[i]);
			return true;
		}
	for (size_t i = 0; i < 5; i++)
		if (n == 2 && !strncmp(name, words[i], 2)) {
			snprintf(ret, bytes, "%%%s", words[i]);
			return true;
		}
	return false;
}

/* False: the kernel has nothing like it. */
static bool x86_operand(const char *op, struct buf *out)
{
	char reg[16], *end;
	long offset = 0;

	if (*op == '$') {
		offset = strtol(op + 1, &end, 0);
		buf_addf(out, "\\%ld", offset);
		return end != op + 1 && !*end;
	}
	if (*op == '%') {
		if (!x86_register(op + 1, strlen(op + 1), reg, sizeof(reg)))
			return false;
		buf_add_str(out, reg);
		return true;
	}
	if (*op != '(') {
		offset = strtol(op, &end, 0);
		if (end == op)
			return false;
		op = end;
	}
	end = strchr(op, ')');
	if (op[0] != '(' || op[1] != '%' || !end || end[1] ||
	    !x86_register(op + 2, (size_t)(end - op - 2), reg, sizeof(reg)))
		return false;
	buf_addf(out, "%+ld(%s)", offset, reg);
	return true;
}

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

static int add_argument(struct maker *m, struct probe_event *e, const char *text, size_t number)
{
	struct arena *mem = m->o->find.mem;
	struct probe_value *v = &e->values[e->n_values];
	const char *at = strchr(text, '@');
	struct buf fetch = BUF_INIT;
	bool known = m->b->machine == EM_X86_64 || m->b->machine == EM_386;
	int ret = 0;

	v->type = at ? type_of_size(strtol(text, NULL, 10)) : NULL;
	known = known && x86_operand(at ? at + 1 : text, &fetch);
	if (known) {
		v->name = arena_printf(mem, "arg%zu", number);
		v->fetch = arena_strdup(mem, buf_str(&fetch));
		ret = fetch.err || !v->name || !v->fetch ? -ENOMEM : 0;
		e->n_values++;
	} else {
		ptui_log(PTUI_LOG_WARN, "probe",
			 _("the kernel cannot fetch argument %zu of the marker ('%s'), so it is "
			   "left out"),
			 number, text);
	}
	buf_release(&fetch);
	return ret;
}

static int add_arguments(struct maker *m, struct probe_event *e, const char *arguments)
{
	char *at = arena_strdup(m->o->find.mem, arguments);
	int ret = 0;

	e->values = arena_alloc(m->o->find.mem, PROBE_ARGS_MAX * sizeof(*e->values));
	if (!at || !e->values)
		return -ENOMEM;
	for (size_t number = 1; !ret && *at && number <= PROBE_ARGS_MAX; number++) {
		char *word = at + strspn(at, " ");
		size_t n = strcspn(word, " ");

		at = word[n] ? word + n + 1 : word + n;
		word[n] = '\0';
		if (*word)
			ret = add_argument(m, e, word, number);
	}
	return ret;
}

static int add_marker(void *ctx, const struct dso_sdt *marker)
{
	struct maker *m = ctx;
	const char *provider = m->def->group;
	struct probe_event *e;

	if (provider && text_starts_with(provider, "sdt_"))
		provider += 4;
	if ((provider && !text_glob(provider, marker->provider)) ||
	    !text_glob(m->def->event, marker->name) || marker->off == UINT64_MAX)
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
