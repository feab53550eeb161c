/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "base/i18n.h"
#include "base/text.h"
#include "base/vec.h"
#include "probe/event.h"

#define NUMBERS_MAX 1024 /* as in perf */

/* ---- lines ---- */

void probe_event_format(const struct probe_event *e, struct buf *out)
{
	buf_addf(out, "%c:%s/%s ", e->returns ? 'r' : 'p', e->group, e->event);
	if (e->module)
		buf_addf(out, "%s:", e->module);
	if (!e->is_uprobe && e->symbol)
		buf_addf(out, "%s+%llu", e->symbol, (unsigned long long)e->offset);
	else
		buf_addf(out, "0x%llx", (unsigned long long)e->address);
	if (e->semaphore)
		buf_addf(out, "(0x%llx)", (unsigned long long)e->semaphore);
	for (size_t i = 0; i < e->n_values; i++) {
		const struct probe_value *v = &e->values[i];

		buf_add_char(out, ' ');
		if (v->name)
			buf_addf(out, "%s=", v->name);
		buf_add_str(out, v->fetch);
		if (v->type)
			buf_addf(out, ":%s", v->type);
	}
}

static char *cut_word(char **at)
{
	char *word = *at + strspn(*at, " \t");
	char *end = word + strcspn(word, " \t\n");

	*at = *end ? end + 1 : end;
	*end = '\0';
	return *word ? word : NULL;
}

/* "FILE:0xOFFSET(SEMAPHORE)", "MODULE:SYMBOL+OFFSET", "0xADDRESS" */
static bool parse_place(char *s, struct probe_event *ret)
{
	char *colon = strrchr(s, ':'), *end;

	if (colon) {
		*colon = '\0';
		ret->module = s;
		ret->is_uprobe = *s == '/';
		s = colon + 1;
	}
	if (isdigit((unsigned char)*s)) {
		ret->address = strtoull(s, &end, 0);
		if (*end == '(')
			ret->semaphore = strtoull(end + 1, NULL, 0);
		if (text_starts_with(end, "%return"))
			ret->returns = true;
		return true;
	}
	ret->symbol = s;
	end = strchr(s, '+');
	if (end) {
		*end = '\0';
		ret->offset = strtoull(end + 1, NULL, 0);
	}
	return *s != '\0';
}

static bool parse_values(char *at, struct arena *mem, struct probe_event *ret)
{
	char *word;

	ret->values = arena_alloc(mem, PROBE_ARGS_MAX * sizeof(*ret->values));
	while (ret->values && ret->n_values < PROBE_ARGS_MAX && (word = cut_word(&at))) {
		struct probe_value *v = &ret->values[ret->n_values++];
		char *equals = strchr(word, '=');

		v->fetch = equals ? equals + 1 : word;
		v->name = word;
		if (equals)
			*equals = '\0';
	}
	return ret->values != NULL;
}

bool probe_event_parse(const char *line, struct arena *mem, struct probe_event *ret)
{
	char *copy = arena_strdup(mem, line), *word, *colon, *slash;

	memset(ret, 0, sizeof(*ret));
	if (!copy)
		return false;
	word = cut_word(&copy);
	if (!word || (*word != 'p' && *word != 'r'))
		return false;
	ret->returns = *word == 'r';
	colon = strchr(word, ':');
	slash = colon ? strchr(colon, '/') : NULL;
	if (!slash)
		return false;
	*slash = '\0';
	ret->group = colon + 1;
	ret->event = slash + 1;
	word = cut_word(&copy);
	return *ret->group && *ret->event && word && parse_place(word, ret) &&
	       parse_values(copy, mem, ret);
}

/* ---- names ---- */

const char *probe_group_of(const char *path, struct arena *mem)
{
	const char *name;
	size_t n;

	if (!path)
		return "probe";
	name = strrchr(path, '/');
	name = name ? name + 1 : path;
	for (n = 0; isalnum((unsigned char)name[n]) || name[n] == '_';)
		n++;
	return arena_printf(mem, "probe_%.*s", (int)n, name);
}

/* Of "operator<<" and "f.isra.0": what the kernel accepts as a name. */
static const char *base_name(const char *name, struct arena *mem)
{
	char *ret, *end;

	name += *name == '.';
	ret = arena_strdup(mem, name);
	if (!ret || probe_name_is_valid(ret))
		return ret;
	end = strpbrk(ret, ".@");
	if (end && end != ret)
		*end = '\0';
	for (char *c = ret; *c; c++)
		if (!isalnum((unsigned char)*c))
			*c = '_';
	if (isdigit((unsigned char)*ret))
		*ret = '_';
	return ret;
}

int probe_event_name(const struct probe_definition *def, const struct probe_event *e,
		     bool (*is_taken)(void *ctx, const char *name), void *ctx, bool may_number,
		     struct arena *mem, const char **ret, struct ptui_error *err)
{
	const struct probe_point *p = &def->point;
	const char *base = def->event && !def->is_sdt ? def->event : e->event;

	if (!base)
		base = p->function && !p->is_address && !probe_is_glob(p->function) ? p->function :
										      e->function;
	base = base_name(base, mem);
	*ret = base ? arena_printf(mem, "%s%s", base, e->returns ? "__return" : "") : NULL;
	if (!*ret)
		return ptui_error_nomem(err);
	if (!is_taken || !is_taken(ctx, *ret))
		return 0;
	if (!may_number) {
		ptui_error_set(err, PTUI_ERROR_INPUT, EEXIST, *ret,
			       _("the event '%s' already exists"), *ret);
		ptui_error_hint(err,
				_("delete it with 'ptui probe -d %s', give another name "
				  "(NAME=...), or number it with --force"),
				*ret);
		return -EEXIST;
	}
	for (int i = 1; i < NUMBERS_MAX; i++) {
		*ret = arena_printf(mem, "%s_%d", base, i);
		if (!*ret)
			return ptui_error_nomem(err);
		if (!is_taken(ctx, *ret))
			return 0;
	}
	return ptui_error_set(err, PTUI_ERROR_INPUT, ERANGE, base,
			      _("there are already %d events of the name '%s'"), NUMBERS_MAX, base);
}
