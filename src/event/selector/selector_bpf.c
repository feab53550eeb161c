/* SPDX-License-Identifier: GPL-2.0-or-later */
/* BPF object files in -e: opened, and one event per program. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/i18n.h"
#include "base/vec.h"
#include "config.h"
#include "event/bpf_file.h"
#include "event/selector/terms.h"
#include "event/source/source.h"
#include "ptui/log.h"
#ifdef HAVE_LIBBPF
#include <bpf/libbpf.h>
#include <pthread.h>
#endif

#define MAP_TERM "map:"

/* "x.o", "x.o/map:...": ends at its suffix; NULL: not a BPF program. */
const char *bpf_path_end(const char *at)
{
	const char *end = at + strcspn(at, ",{}' \t\n");

	for (const char *c = at + 1; c + 1 < end; c++) {
		if (*c != '.' || !strchr("oc", c[1]))
			continue;
		if (c + 2 == end || !strncmp(c + 2, "/" MAP_TERM, 1 + strlen(MAP_TERM)))
			return c + 2;
	}
	return NULL;
}

#ifndef HAVE_LIBBPF

void event_bpf_free(struct event_bpf *b)
{
	(void)b;
}

const char *bpf_first_warning(void)
{
	return "";
}

void bpf_begin_warnings(void)
{
}

static int open_file(struct parser *p, struct event_text *t)
{
	return parser_error(p, t->spec.at, _("another event"),
			    _("ptui was built without libbpf, which loads BPF programs"));
}

#else

/* ---- libbpf ---- */

static _Thread_local char first_warning[512];

const char *bpf_first_warning(void)
{
	return first_warning;
}

void bpf_begin_warnings(void)
{
	*first_warning = '\0';
}

PTUI_PRINTF(2, 0)
static int log_line(enum libbpf_print_level level, const char *fmt, va_list args)
{
	char line[sizeof(first_warning)];
	const char *text = line;

	vsnprintf(line, sizeof(line), fmt, args);
	line[strcspn(line, "\n")] = '\0';
	if (!strncmp(line, "libbpf: ", 8))
		text += 8;
	ptui_log(PTUI_LOG_DEBUG, "bpf", "%s", text);
	if (level == LIBBPF_WARN && !*first_warning)
		snprintf(first_warning, sizeof(first_warning), "%s", text);
	return 0;
}

/* Sections that libbpf does not know are perf's. */
static void begin_once(void)
{
	libbpf_set_print(log_line);
	libbpf_register_prog_handler(NULL, BPF_PROG_TYPE_KPROBE, (enum bpf_attach_type)0, NULL);
}

static void file_unref(struct bpf_file *f)
{
	if (!f || --f->refs)
		return;
	for (size_t i = 0; i < f->n_terms; i++) {
		free(f->terms[i].map);
		free(f->terms[i].event);
	}
	bpf_object__close(f->object);
	free(f->terms);
	free(f->path);
	free(f);
}

void event_bpf_free(struct event_bpf *b)
{
	if (!b)
		return;
	file_unref(b->file);
	free(b->probe);
	free(b->exec);
	free(b->module);
	free(b);
}

/* ---- a section as an event ---- */

struct section {
	struct span system, name; /* of a tracepoint */
	struct span probe, exec, module;
	bool returns;
};

static bool cut_prefix(struct span *s, const char *prefix)
{
	if (!span_starts_with(*s, prefix))
		return false;
	s->at += strlen(prefix);
	return true;
}

/* SYSTEM and NAME on both sides of `c`. */
static bool cut_tracepoint(struct span s, char c, struct section *ret)
{
	ret->system = span_before(s, c);
	ret->name = (struct span){ ret->system.end + 1, s.end };
	return ret->system.end < s.end && span_len(ret->system) && span_len(ret->name);
}

/* FILE:FUNC, from the last colon. */
static bool cut_uprobe(struct span s, struct section *ret)
{
	const char *colon = s.end;

	while (colon > s.at && colon[-1] != ':')
		colon--;
	ret->exec = (struct span){ s.at, colon - 1 };
	ret->probe = (struct span){ colon, s.end };
	return colon > s.at + 1 && span_len(ret->probe);
}

/* "exec=FILE;NAME=FUNC": perf's keys, then the definition or the tracepoint. */
static bool cut_perf(struct span s, struct section *ret)
{
	for (struct span key; (key = span_before(s, ';')).end < s.end; s.at = key.end + 1) {
		if (cut_prefix(&key, "exec="))
			ret->exec = key;
		else if (cut_prefix(&key, "module="))
			ret->module = key;
		else
			return false;
	}
	if (span_before(s, '=').end == s.end)
		return cut_tracepoint(s, ':', ret);
	ret->probe = s;
	return true;
}

static bool parse_section(const char *text, struct section *ret)
{
	struct span s = { text, text + strlen(text) };

	memset(ret, 0, sizeof(*ret));
	if (cut_prefix(&s, "tp/") || cut_prefix(&s, "tracepoint/"))
		return cut_tracepoint(s, '/', ret);
	if (cut_prefix(&s, "kprobe/") || (ret->returns = cut_prefix(&s, "kretprobe/"))) {
		ret->probe = s;
		return span_len(s) > 0;
	}
	if (cut_prefix(&s, "uprobe/") || (ret->returns = cut_prefix(&s, "uretprobe/")))
		return cut_uprobe(s, ret);
	return cut_perf(s, ret);
}

/* ---- events ---- */

static char *span_dup(struct span s)
{
	return s.at && s.at < s.end ? strndup(s.at, span_len(s)) : NULL;
}

/* "perf_bpf_probe:NAME": of "NAME=FUNC", or the function. */
static int add_probe(struct parser *p, const struct section *s)
{
	struct span name = { s->probe.at, s->probe.at };
	struct buf text = BUF_INIT;
	struct event *ev;
	int ret;

	while (name.end < s->probe.end && !strchr("=+%@;: ", *name.end))
		name.end++;
	buf_add_str(&text, BPF_PROBE_GROUP ":");
	buf_add(&text, name.at, span_len(name));
	ev = text.err ? NULL : event_list_add(p->list, buf_str(&text));
	buf_release(&text);
	if (!ev)
		return ptui_error_nomem(p->err);
	ev->kind = EVENT_TRACEPOINT;
	ev->attr.type = PERF_TYPE_TRACEPOINT;
	ev->tp_system = strdup(BPF_PROBE_GROUP);
	ev->tp_name = strndup(name.at, span_len(name));
	ret = ev->tp_system && ev->tp_name ? 0 : -ENOMEM;
	return ret ? ptui_error_nomem(p->err) : 0;
}

static int add_section_event(struct parser *p, const struct section *s, const char *path)
{
	struct parser inner = *p;
	char *tracepoint;
	int ret;

	if (s->probe.at)
		return add_probe(p, s);
	tracepoint = NULL;
	if (asprintf(&tracepoint, "%.*s:%.*s", (int)span_len(s->system), s->system.at,
		     (int)span_len(s->name), s->name.at) < 0)
		return ptui_error_nomem(p->err);
	/* the position of an error is in the section's text, not in the selector */
	inner.text = inner.at = tracepoint;
	inner.listener = NULL;
	ret = parser_read(&inner);
	if (ret)
		ptui_error_prefix(p->err, "%s", path);
	free(tracepoint);
	return ret;
}

static int set_program(struct parser *p, struct event *ev, struct bpf_file *f,
		       struct bpf_program *program, const struct section *s)
{
	struct event_bpf *b = calloc(1, sizeof(*b));
	bool whole;

	if (!b)
		return ptui_error_nomem(p->err);
	ev->bpf = b;
	b->fd = -1;
	b->file = f;
	f->refs++;
	b->program = program;
	if (!s->probe.at) {
		bpf_program__set_type(program, BPF_PROG_TYPE_TRACEPOINT);
		return 0;
	}
	if (asprintf(&b->probe, "%.*s%s", (int)span_len(s->probe), s->probe.at,
		     s->returns ? "%return" : "") < 0)
		b->probe = NULL;
	b->exec = span_dup(s->exec);
	b->module = span_dup(s->module);
	whole = b->probe && (b->exec || !s->exec.at) && (b->module || !s->module.at);
	return whole ? 0 : ptui_error_nomem(p->err);
}

static bool makes_events(const struct bpf_program *program)
{
	enum bpf_prog_type type = bpf_program__type(program);

	return type == BPF_PROG_TYPE_KPROBE || type == BPF_PROG_TYPE_TRACEPOINT;
}

static int add_program(struct parser *p, const struct event_text *t, struct bpf_file *f,
		       struct bpf_program *program)
{
	const char *text = bpf_program__section_name(program);
	size_t from = p->list->n;
	struct section s;
	int ret;

	if (!makes_events(program) || !parse_section(text, &s))
		return parser_error(p, t->spec.at, _("programs for tracepoints and probes"),
				    _("section \"%s\" of %s does not name an event"), text,
				    f->path);
	if (s.probe.at && span_before(s.probe, ' ').end < s.probe.end)
		return parser_error(p, t->spec.at, _("a probe without arguments"),
				    _("section \"%s\" of %s has arguments, which ptui does not "
				      "pass to programs"),
				    text, f->path);
	ret = add_section_event(p, &s, f->path);
	for (size_t i = from; i < p->list->n && !ret; i++)
		ret = set_program(p, &p->list->v[i], f, program, &s);
	return ret;
}

/* ---- terms ---- */

/* map:MAP.event=EVENT */
static int add_map_term(struct parser *p, struct bpf_file *f, const struct term *t)
{
	struct span map = { t->name.at + strlen(MAP_TERM), t->name.end };
	const size_t key = strlen(".event");
	struct bpf_map_term *term;

	if (span_len(map) <= key || memcmp(map.end - key, ".event", key) || !t->value.at)
		return parser_error(p, t->name.at, _("map:MAP.event=EVENT"),
				    _("BPF maps take an event only"));
	map.end -= key;
	if (vec_grow(&f->terms, &f->cap_terms, f->n_terms + 1))
		return ptui_error_nomem(p->err);
	term = &f->terms[f->n_terms++];
	*term = (struct bpf_map_term){ span_dup(map), span_dup(t->value) };
	if (!term->map || !term->event)
		return ptui_error_nomem(p->err);
	if (!bpf_object__find_map_by_name(f->object, term->map))
		return parser_error(p, map.at, _("a map of the program"),
				    _("%s has no map named '%s'"), f->path, term->map);
	return 0;
}

static int apply_terms(struct parser *p, const struct event_text *t, struct bpf_file *f,
		       size_t from)
{
	struct terms all = { NULL, 0, 0 };
	int ret = t->has_terms ? terms_split(p, t->terms, &all) : 0;

	for (size_t i = 0; i < all.n && !ret; i++) {
		const struct term *term = &all.v[i];
		struct terms one = { &all.v[i], 1, 1 };

		if (span_starts_with(term->name, MAP_TERM))
			ret = add_map_term(p, f, term);
		for (size_t k = from; k < p->list->n && !ret; k++)
			if (!span_starts_with(term->name, MAP_TERM))
				ret = terms_apply_general(p, &one, &p->list->v[k]);
	}
	terms_release(&all);
	return ret;
}

/* ---- the file ---- */

static int cannot_open(struct parser *p, const struct event_text *t, const char *path, int errnum)
{
	if (errnum == ENOENT || errnum == EACCES || errnum == EISDIR)
		return ptui_error_errno(p->err, errnum, path, _("cannot open %s"), path);
	parser_error(p, t->spec.at, _("an object file for the target bpf"),
		     _("%s is not a BPF program"), path);
	if (*first_warning)
		ptui_error_hint(p->err, "libbpf: %s", first_warning);
	return -EINVAL;
}

static int open_file(struct parser *p, struct event_text *t)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	struct bpf_file *f = calloc(1, sizeof(*f));
	struct bpf_program *program;
	size_t from = p->list->n;
	int ret = 0;

	if (!f)
		return ptui_error_nomem(p->err);
	pthread_once(&once, begin_once);
	f->refs = 1;
	f->path = span_dup(t->spec);
	bpf_begin_warnings();
	errno = 0;
	f->object = f->path ? bpf_object__open_file(f->path, NULL) : NULL;
	if (!f->path)
		ret = ptui_error_nomem(p->err);
	else if (!f->object)
		ret = cannot_open(p, t, f->path, errno);
	if (!ret) {
		bpf_object__for_each_program(program, f->object)
		{
			if (ret || !bpf_program__autoload(program))
				continue;
			ret = add_program(p, t, f, program);
		}
	}
	if (!ret && p->list->n == from)
		ret = parser_error(p, t->spec.at, _("an object file with programs"),
				   _("%s has no BPF programs"), f->path);
	if (!ret)
		ret = apply_terms(p, t, f, from);
	file_unref(f);
	return ret;
}

#endif

int bpf_parse(struct parser *p, struct event_text *t)
{
	if (t->spec.end[-1] == 'c') {
		parser_error(p, t->spec.at, _("a compiled program"),
			     _("%.*s is the source of a BPF program"), (int)span_len(t->spec),
			     t->spec.at);
		ptui_error_hint(p->err, _("compile it: clang -O2 -g -target bpf -c %.*s"),
				(int)span_len(t->spec), t->spec.at);
		return -EINVAL;
	}
	if (!p->cat->loads_bpf)
		return parser_error(p, t->spec.at, _("another event"),
				    _("BPF programs can only be events of ptui record and ptui "
				      "stat: %.*s"),
				    (int)span_len(t->spec), t->spec.at);
	return open_file(p, t);
}
