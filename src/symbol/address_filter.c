/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "symbol/address_filter.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include "base/i18n.h"
#include "symbol/symtab.h"

#define SPACES " \t\n"

/* An address, a size, or a symbol: the n-th of that name (0: the only one), or the global one. */
struct place {
	char *symbol; /* NULL: a number */
	uint64_t number;
	unsigned long nth;
	bool global;
};

struct parser {
	const char *text, *at;
	const char *proc;
	struct ptui_error *err;
};

static int fail(const struct parser *p, const char *what)
{
	return ptui_error_set(p->err, PTUI_ERROR_INPUT, EINVAL, "--filter",
			      _("address filter '%s': %s"), p->text, what);
}

static void skip_spaces(struct parser *p)
{
	p->at += strspn(p->at, SPACES);
}

/* "#3", "#g": after a symbol. */
static int parse_nth(struct parser *p, struct place *ret)
{
	char *end;

	skip_spaces(p);
	if (*p->at != '#')
		return 0;
	p->at++;
	if (*p->at == 'g' || *p->at == 'G') {
		ret->global = true;
		p->at++;
		return 0;
	}
	if (!isdigit((unsigned char)*p->at))
		return fail(p, _("after # is a number, or g for the global symbol"));
	ret->nth = strtoul(p->at, &end, 10);
	ret->global = !ret->nth;
	p->at = end;
	return 0;
}

static int parse_place(struct parser *p, struct place *ret)
{
	char *end;
	size_t n;

	skip_spaces(p);
	if (isdigit((unsigned char)*p->at)) {
		errno = 0;
		ret->number = strtoull(p->at, &end, 0);
		p->at = end;
		return errno ? fail(p, _("the number is too large")) : 0;
	}
	/* names of C++ have anything but blanks */
	n = strcspn(p->at, SPACES);
	if (!n || strchr("/@,#", *p->at))
		return fail(p, _("an address or a symbol is missing"));
	ret->symbol = strndup(p->at, n);
	if (!ret->symbol)
		return ptui_error_nomem(p->err);
	p->at += n;
	return parse_nth(p, ret);
}

/* ---- symbols ---- */

static struct symtab *read_symbols(const struct parser *p, const char *file)
{
	struct buf path = BUF_INIT;
	struct symtab *t = NULL;
	struct dso_file *f;

	if (file) {
		f = dso_file_open(file, NULL, 0, p->err);
		t = f ? symtab_from_elf(f, f, p->err) : NULL;
		dso_file_unref(f);
		return t;
	}
	buf_addf(&path, "%s/kallsyms", p->proc);
	if (path.err)
		ptui_error_nomem(p->err);
	else
		t = symtab_from_kallsyms(buf_str(&path), NULL, p->err);
	buf_release(&path);
	return t;
}

static bool has_name(const struct symtab_entry *e, const char *name)
{
	char *shown;
	bool same;

	if (e->plt)
		return false;
	if (!strcmp(e->name, name))
		return true;
	if (e->name[0] != '_')
		return false;
	shown = symbol_demangle(e->name);
	same = shown && !strcmp(shown, name);
	free(shown);
	return same;
}

static const struct symtab_entry *find_symbol(const struct parser *p, const struct symtab *t,
					      const struct place *place, const char *file)
{
	const struct symtab_entry *ret = NULL;
	size_t n = 0;

	for (size_t i = 0; i < symtab_n(t); i++) {
		const struct symtab_entry *e = symtab_at(t, i);

		if (!has_name(e, place->symbol) || (place->global && e->binding != STB_GLOBAL))
			continue;
		n++;
		if (!ret || n == place->nth)
			ret = e;
	}
	if (n && (place->nth ? place->nth <= n : n == 1 || place->global))
		return ret;
	if (!n || place->nth)
		ptui_error_set(p->err, PTUI_ERROR_INPUT, ENOENT, "--filter",
			       _("address filter '%s': %s has no such symbol %s"), p->text,
			       file ? file : _("the kernel"), place->symbol);
	else
		ptui_error_set(p->err, PTUI_ERROR_INPUT, EINVAL, "--filter",
			       _("address filter '%s': %s has %zu symbols %s; choose one with #1 "
				 "to #%zu, or the global one with #g"),
			       p->text, file ? file : _("the kernel"), n, place->symbol, n);
	return NULL;
}

/* From the first symbol to the end of the last one. */
static void all_symbols(const struct symtab *t, uint64_t *ret_start, uint64_t *ret_end)
{
	*ret_start = symtab_n(t) ? symtab_at(t, 0)->start : 0;
	*ret_end = symtab_n(t) ? symtab_at(t, symtab_n(t) - 1)->end : 0;
}

/* ---- one filter ---- */

struct one {
	const char *action; /* the kernel's word */
	bool range;
	struct place from, size;
	char *file; /* NULL: the kernel */
	uint64_t start, bytes;
};

/* Numbers are left as they are; symbols become numbers. */
static int resolve(const struct parser *p, struct one *f)
{
	const struct symtab_entry *e;
	struct symtab *t = NULL;
	uint64_t end = 0;
	int ret = 0;

	if (f->from.symbol || f->size.symbol) {
		t = read_symbols(p, f->file);
		if (!t)
			return p->err->code > 0 ? -p->err->code : -ENOENT;
	}
	f->start = f->from.number;
	f->bytes = f->size.number;
	if (f->from.symbol && !strcmp(f->from.symbol, "*")) {
		all_symbols(t, &f->start, &end);
	} else if (f->from.symbol) {
		e = find_symbol(p, t, &f->from, f->file);
		ret = e ? 0 : -ENOENT;
		if (e) {
			f->start = e->start;
			end = e->end;
		}
	}
	if (f->size.symbol && !ret) {
		e = find_symbol(p, t, &f->size, f->file);
		ret = e ? 0 : -ENOENT;
		end = e ? e->end : 0;
	}
	if (f->range && !f->bytes && end > f->start)
		f->bytes = end - f->start;
	symtab_free(t);
	if (!ret && f->range && !f->bytes)
		ret = fail(p, _("a size is missing: a number above 0, or a later symbol"));
	return ret;
}

static int parse_file(struct parser *p, struct one *f)
{
	size_t n;
	char *name;

	skip_spaces(p);
	if (*p->at != '@')
		return 0;
	p->at++;
	skip_spaces(p);
	n = strcspn(p->at, SPACES ",");
	if (!n)
		return fail(p, _("a file is missing after @"));
	name = strndup(p->at, n);
	if (!name)
		return ptui_error_nomem(p->err);
	p->at += n;
	f->file = realpath(name, NULL);
	if (!f->file)
		ptui_error_errno(p->err, errno, name, _("cannot open %s"), name);
	free(name);
	return f->file ? 0 : -ENOENT;
}

static int parse_action(struct parser *p, struct one *f)
{
	static const struct {
		const char *word, *action;
		bool range;
	} words[] = {
		{ "filter", "filter", true },
		{ "start", "start", false },
		{ "stop", "stop", false },
		{ "tracestop", "stop", true },
	};
	size_t n = strcspn(p->at, SPACES);

	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++) {
		if (n != strlen(words[i].word) || strncmp(p->at, words[i].word, n))
			continue;
		f->action = words[i].action;
		f->range = words[i].range;
		p->at += n;
		return 0;
	}
	return fail(p, _("it begins with filter, start, stop or tracestop"));
}

static int add_one(struct parser *p, struct buf *out)
{
	struct one f = { .action = NULL };
	int ret = parse_action(p, &f);

	if (!ret)
		ret = parse_place(p, &f.from);
	if (!ret)
		skip_spaces(p);
	if (!ret && *p->at == '/') {
		p->at++;
		f.range = true;
		ret = parse_place(p, &f.size);
	}
	if (!ret)
		ret = parse_file(p, &f);
	if (!ret)
		ret = resolve(p, &f);
	if (!ret) {
		buf_addf(out, "%s%s 0x%" PRIx64, out->len ? "," : "", f.action, f.start);
		if (f.range)
			buf_addf(out, "/0x%" PRIx64, f.bytes);
		if (f.file)
			buf_addf(out, "@%s", f.file);
		if (out->err)
			ret = ptui_error_nomem(p->err);
	}
	free(f.from.symbol);
	free(f.size.symbol);
	free(f.file);
	return ret;
}

int address_filter_resolve(const char *text, const char *proc, struct buf *out,
			   struct ptui_error *err)
{
	struct parser p = { .text = text, .at = text, .proc = proc, .err = err };
	int ret;

	skip_spaces(&p);
	do {
		ret = add_one(&p, out);
		p.at += strspn(p.at, SPACES ",");
	} while (!ret && *p.at);
	return ret;
}
