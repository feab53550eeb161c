/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Symbols of the running kernel: "ffffffff81000000 T _text" or "… t name\t[module]". */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "base/buf.h"
#include "base/file.h"
#include "base/i18n.h"
#include "symbol/builder.h"

#define KALLSYMS_MAX_BYTES (512u << 20)
#define PAGE		   4096u

/* The parts of a line; the name is not terminated. */
struct line {
	uint64_t addr;
	char kind;
	const char *name;
	size_t name_len;
	const char *module; /* "[nf_tables]", or NULL */
	size_t module_len;
};

/* One text, parsed; its modules' tables borrow the names. */
struct kallsyms {
	unsigned refs;
	char *path;
	struct symtab *all; /* of the kernel and of all modules */
	bool any_addr;
	bool whole; /* has the end of the kernel's code */
};

/* The rest of the text. */
struct reader {
	const char *p, *end;
};

/* False: not a symbol; the line is skipped in any case. */
static bool read_line(struct reader *r, struct line *l)
{
	const char *eol = memchr(r->p, '\n', (size_t)(r->end - r->p));
	const char *p, *tab;
	bool ok;

	if (!eol)
		eol = r->end;
	ok = symtab_read_hex(&r->p, r->end, &l->addr) && eol - r->p > 3 && r->p[0] == ' ' &&
	     r->p[2] == ' ';
	p = r->p;
	r->p = eol < r->end ? eol + 1 : eol;
	if (!ok)
		return false;
	l->kind = p[1];
	l->name = p + 3;
	tab = memchr(l->name, '\t', (size_t)(eol - l->name));
	l->name_len = (size_t)((tab ? tab : eol) - l->name);
	l->module = tab ? tab + 1 : NULL;
	l->module_len = tab ? (size_t)(eol - tab - 1) : 0;
	return l->name_len > 0;
}

/* Functions and data; "$d" and the like are markers in ARM code. */
static bool is_code_or_data(const struct line *l)
{
	return strchr("TWDB", toupper((unsigned char)l->kind)) && l->name[0] != '$';
}

/* The name is followed by its module: "name\0[module]\0", or "name\0\0". */
static int add_line(struct symtab *t, const struct line *l)
{
	int lower = tolower((unsigned char)l->kind);
	struct symtab_entry e = { .start = l->addr, .end = l->addr };
	char *copy = arena_memdup0(&t->names, l->name, l->name_len + 1 + l->module_len);

	if (!copy)
		return -ENOMEM;
	copy[l->name_len] = 0;
	e.name = copy;
	e.type = lower == 't' || lower == 'w' ? STT_FUNC : STT_OBJECT;
	if (l->kind == 'W')
		e.binding = STB_WEAK;
	else
		e.binding = isupper((unsigned char)l->kind) ? STB_GLOBAL : STB_LOCAL;
	return symtab_push(t, &e);
}

static const char *module_of(const struct symtab_entry *e)
{
	return e->name + strlen(e->name) + 1;
}

/*
 * There are no sizes. An entry ends where the next one starts; the last one of the kernel and of
 * each module ends with its page, since what follows belongs to another module.
 */
static void fix_ends(struct symtab *t)
{
	for (size_t i = 0; i + 1 < t->n; i++) {
		struct symtab_entry *e = &t->v[i];

		if (strcmp(module_of(e), module_of(e + 1)))
			e->end = (e->start + 2 * PAGE - 1) & ~(uint64_t)(PAGE - 1);
		else
			e->end = e[1].start;
	}
	symtab_fix_ends(t); /* the last one of all */
}

static int read_table(struct kallsyms *k, const struct buf *text)
{
	struct symtab *t = k->all;
	struct reader r = { .p = text->data, .end = text->data + text->len };
	struct line l;

	while (r.p < r.end) {
		if (!read_line(&r, &l))
			continue;
		k->any_addr |= l.addr != 0;
		if (l.name_len == 5 && !memcmp(l.name, "_text", 5))
			t->kernel_text = l.addr;
		else if (l.name_len == 6 && !memcmp(l.name, "_stext", 6))
			t->kernel_stext = l.addr;
		else if (l.name_len == 6 && !memcmp(l.name, "_etext", 6))
			k->whole = true;
		if (is_code_or_data(&l) && add_line(t, &l) < 0)
			return -ENOMEM;
	}
	return 0;
}

/*
 * PROC/kallsyms is beside PROC/sys/kernel/kptr_restrict. If that is 0, perf_event_paranoid decides for users without
 * CAP_SYSLOG.
 */
static void set_forbidden_error(const char *path, struct ptui_error *err)
{
	static const char *const names[] = { "kptr_restrict", "perf_event_paranoid" };
	const char *slash = strrchr(path, '/');
	int dir = slash ? (int)(slash - path) : 0;
	const char *name = names[0];
	long long value;
	int ret = file_read_long(&value, "%.*s/sys/kernel/%s", dir, path, name);

	if (!ret && !value) {
		name = names[1];
		ret = file_read_long(&value, "%.*s/sys/kernel/%s", dir, path, name);
	}
	if (!ret)
		ptui_error_set(err, PTUI_ERROR_SYSTEM, EPERM, path,
			       _("addresses in %s are hidden (kernel.%s is %lld)"), path, name,
			       value);
	else
		ptui_error_set(err, PTUI_ERROR_SYSTEM, EPERM, path,
			       _("addresses in %s are hidden (see kernel.%s)"), path, name);
	ptui_error_hint(err,
			_("as root: sysctl kernel.kptr_restrict=0; users without CAP_SYSLOG also "
			  "require kernel.perf_event_paranoid=1 or lower"));
}

static bool is_of_module(const struct symtab_entry *e, const char *module, size_t len)
{
	const char *mod = module_of(e);

	if (!module)
		return !*mod;
	return mod[0] == '[' && !strncmp(mod + 1, module, len) && !strcmp(mod + 1 + len, "]");
}

struct kallsyms *kallsyms_read(const char *path, struct ptui_error *err)
{
	struct kallsyms *k = calloc(1, sizeof(*k));
	struct buf text = BUF_INIT;
	int ret;

	if (k) {
		k->refs = 1;
		k->path = strdup(path);
		k->all = symtab_new();
	}
	if (!k || !k->path || !k->all) {
		ptui_error_nomem(err);
		kallsyms_unref(k);
		return NULL;
	}
	ret = file_read(path, KALLSYMS_MAX_BYTES, &text, err);
	if (ret < 0)
		goto fail;
	if (read_table(k, &text) < 0 || symtab_sort(k->all) < 0) {
		ptui_error_nomem(err);
		goto fail;
	}
	if (k->all->n && !k->any_addr) {
		set_forbidden_error(path, err);
		goto fail;
	}
	fix_ends(k->all);
	symtab_drop_aliases(k->all);
	buf_release(&text);
	return k;
fail:
	buf_release(&text);
	kallsyms_unref(k);
	return NULL;
}

void kallsyms_finish(struct kallsyms *k)
{
	if (!k)
		return;
	free(k->all->v);
	k->all->v = NULL;
	k->all->n = k->all->cap = 0;
	kallsyms_unref(k);
}

void kallsyms_unref(struct kallsyms *k)
{
	if (!k || --k->refs)
		return;
	symtab_free(k->all);
	free(k->path);
	free(k);
}

bool kallsyms_is_whole(const struct kallsyms *k)
{
	return k->whole;
}

uint64_t kallsyms_ref_address(const struct kallsyms *k, bool stext)
{
	return symtab_kernel_ref(k->all, stext);
}

struct symtab *symtab_of_kallsyms(struct kallsyms *k, const char *module, struct ptui_error *err)
{
	struct symtab *t = symtab_new();
	size_t len = module ? strlen(module) : 0;

	if (!t)
		goto nomem;
	for (size_t i = 0; i < k->all->n; i++)
		if (is_of_module(&k->all->v[i], module, len) && symtab_push(t, &k->all->v[i]) < 0)
			goto nomem;
	if (!t->n) {
		ptui_error_set(err, PTUI_ERROR_FORMAT, ENOENT, k->path,
			       module ? _("%s has no symbols of %s") : _("%s has no symbols"),
			       k->path, module);
		symtab_free(t);
		return NULL;
	}
	t->kernel_text = k->all->kernel_text;
	t->kernel_stext = k->all->kernel_stext;
	t->names_of = k;
	k->refs++;
	if (symtab_finish(t) < 0)
		goto nomem;
	return t;
nomem:
	symtab_free(t);
	ptui_error_nomem(err);
	return NULL;
}

struct symtab *symtab_from_kallsyms(const char *path, const char *module, struct ptui_error *err)
{
	struct kallsyms *k = kallsyms_read(path, err);
	struct symtab *t = k ? symtab_of_kallsyms(k, module, err) : NULL;

	kallsyms_finish(k);
	return t;
}

uint64_t symtab_kernel_ref(const struct symtab *t, bool stext)
{
	uint64_t wanted = stext ? t->kernel_stext : t->kernel_text;

	return wanted ? wanted : stext ? t->kernel_text : t->kernel_stext;
}
