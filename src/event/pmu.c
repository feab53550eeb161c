/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads the counting units of a sysfs. What is damaged there is left out, not guessed. */
#include "event/pmu.h"
#include "base/text.h"
#include "base/vec.h"
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define DEVICES	       "bus/event_source/devices"
#define FILE_BYTES_MAX 65536
#define UNCORE	       "uncore_"

struct reader {
	const struct roots *roots;
	struct arena *arena;
	const char *name; /* of the unit that is read */
	struct buf text;
	int ret;
};

/* A small file of the unit without its newline; NULL: there is none. */
static const char *read_text(struct reader *r, const char *folder, const char *file)
{
	size_t len;

	buf_clear(&r->text);
	if (file_readf(&r->text, FILE_BYTES_MAX, "%s/" DEVICES "/%s/%s%s%s", r->roots->sysfs,
		       r->name, folder, *folder ? "/" : "", file))
		return NULL;
	len = r->text.len;
	while (len && isspace((unsigned char)r->text.data[len - 1]))
		r->text.data[--len] = '\0';
	return buf_str(&r->text);
}

static const char *keep(struct reader *r, const char *text)
{
	const char *copy = arena_strdup(r->arena, text);

	if (!copy)
		r->ret = -ENOMEM;
	return copy;
}

static DIR *open_folder(const struct reader *r, const char *folder)
{
	struct buf path = BUF_INIT;
	DIR *dir;

	buf_addf(&path, "%s/" DEVICES "/%s/%s", r->roots->sysfs, r->name, folder);
	dir = path.err ? NULL : opendir(buf_str(&path));
	buf_release(&path);
	return dir;
}

/* ---- terms ---- */

static int format_by_name(const void *a, const void *b)
{
	const struct pmu_format *x = a, *y = b;

	return strcmp(x->name, y->name);
}

static void read_formats(struct reader *r, struct pmu *pmu)
{
	DIR *dir = open_folder(r, "format");
	struct pmu_format *v = NULL, format, *copy;
	size_t n = 0, cap = 0;
	struct dirent *item;

	while (dir && !r->ret && (item = readdir(dir))) {
		const char *text = item->d_name[0] == '.' ? NULL :
							    read_text(r, "format", item->d_name);

		if (!text || pmu_format_parse(text, &format.field, &format.bits))
			continue;
		format.name = keep(r, item->d_name);
		if (vec_grow(&v, &cap, n + 1))
			r->ret = -ENOMEM;
		else
			v[n++] = format;
	}
	if (dir)
		closedir(dir);
	copy = r->ret ? NULL : arena_alloc(r->arena, (n + 1) * sizeof(*copy));
	if (!copy) {
		r->ret = -ENOMEM;
	} else if (n) {
		memcpy(copy, v, n * sizeof(*copy));
		qsort(copy, n, sizeof(*copy), format_by_name);
		pmu->formats = copy;
		pmu->n_formats = n;
	}
	free(v);
}

/* ---- named events ---- */

static bool ends_with(const char *name, const char *end)
{
	size_t n = strlen(name), m = strlen(end);

	return n > m && !strcmp(name + n - m, end);
}

/* event.unit and its like tell of another file's event. */
static bool is_aside(const char *name)
{
	return ends_with(name, ".unit") || ends_with(name, ".scale") ||
	       ends_with(name, ".per-pkg") || ends_with(name, ".snapshot");
}

static const char *read_aside(struct reader *r, const char *event, const char *what)
{
	struct buf file = BUF_INIT;
	const char *text;

	buf_addf(&file, "%s%s", event, what);
	text = file.err ? NULL : read_text(r, "events", buf_str(&file));
	buf_release(&file);
	return text;
}

/* strtod() heeds the locale's decimal point; sysfs does not. */
static double parse_scale(const char *text)
{
	double value = 0, step = 1;
	char *end;
	long exponent;

	for (; isdigit((unsigned char)*text); text++)
		value = value * 10 + (*text - '0');
	if (*text == '.') {
		for (text++; isdigit((unsigned char)*text); text++)
			value += (*text - '0') * (step /= 10);
	}
	if (*text == 'e' || *text == 'E') {
		exponent = strtol(text + 1, &end, 10);
		for (; exponent > 0; exponent--)
			value *= 10;
		for (; exponent < 0; exponent++)
			value /= 10;
	}
	return value > 0 ? value : 1;
}

static int event_by_name(const void *a, const void *b)
{
	const struct pmu_event *x = a, *y = b;

	return strcmp(x->name, y->name);
}

static void read_event(struct reader *r, const char *name, struct pmu_event *ev)
{
	const char *text = read_text(r, "events", name);

	memset(ev, 0, sizeof(*ev));
	ev->scale = 1;
	if (!text)
		return;
	ev->text = keep(r, text);
	ev->name = keep(r, name);
	text = read_aside(r, name, ".unit");
	if (text && *text)
		ev->unit = keep(r, text);
	text = read_aside(r, name, ".scale");
	if (text)
		ev->scale = parse_scale(text);
	text = read_aside(r, name, ".per-pkg");
	ev->per_pkg = text && *text == '1';
	text = read_aside(r, name, ".snapshot");
	ev->snapshot = text && *text == '1';
}

static void read_events(struct reader *r, struct pmu *pmu)
{
	DIR *dir = open_folder(r, "events");
	struct pmu_event *v = NULL, *copy, ev;
	size_t n = 0, cap = 0;
	struct dirent *item;

	while (dir && !r->ret && (item = readdir(dir))) {
		if (item->d_name[0] == '.' || is_aside(item->d_name))
			continue;
		read_event(r, item->d_name, &ev);
		if (!ev.name)
			continue;
		if (vec_grow(&v, &cap, n + 1))
			r->ret = -ENOMEM;
		else
			v[n++] = ev;
	}
	if (dir)
		closedir(dir);
	copy = r->ret ? NULL : arena_alloc(r->arena, (n + 1) * sizeof(*copy));
	if (!copy) {
		r->ret = -ENOMEM;
	} else if (n) {
		memcpy(copy, v, n * sizeof(*copy));
		qsort(copy, n, sizeof(*copy), event_by_name);
		pmu->events = copy;
		pmu->n_events = n;
	}
	free(v);
}

/* ---- units ---- */

/* A unit without a type cannot be asked for. */
static void read_pmu(struct reader *r, const char *name, struct pmus *pmus)
{
	struct pmu pmu = { 0 };
	const char *text;
	char *end;

	r->name = name;
	text = read_text(r, "", "type");
	if (!text)
		return;
	pmu.type = (uint32_t)strtoul(text, &end, 10);
	if (end == text)
		return;
	pmu.name = keep(r, name);
	text = read_text(r, "", "cpus");
	pmu.core = text && *text;
	if (!text)
		text = read_text(r, "", "cpumask");
	if (text && *text)
		pmu.cpus = keep(r, text);
	read_formats(r, &pmu);
	read_events(r, &pmu);
	if (!r->ret && vec_grow(&pmus->v, &pmus->cap, pmus->n + 1))
		r->ret = -ENOMEM;
	if (r->ret)
		return;
	pmus->v[pmus->n++] = pmu;
	pmus->n_core += pmu.core;
}

static int pmu_by_name(const void *a, const void *b)
{
	const struct pmu *x = a, *y = b;

	return strcmp(x->name, y->name);
}

int pmus_load(struct pmus *pmus, const struct roots *roots, struct arena *arena,
	      struct ptui_error *err)
{
	struct reader r = { .roots = roots, .arena = arena, .text = BUF_INIT };
	struct buf path = BUF_INIT;
	struct dirent *item;
	DIR *dir;

	buf_addf(&path, "%s/" DEVICES, roots->sysfs);
	dir = path.err ? NULL : opendir(buf_str(&path));
	while (dir && !r.ret && (item = readdir(dir))) {
		if (item->d_name[0] != '.')
			read_pmu(&r, item->d_name, pmus);
	}
	if (dir)
		closedir(dir);
	if (path.err)
		r.ret = -ENOMEM;
	buf_release(&path);
	buf_release(&r.text);
	if (r.ret) {
		pmus_release(pmus);
		return ptui_error_nomem(err);
	}
	if (pmus->n)
		qsort(pmus->v, pmus->n, sizeof(*pmus->v), pmu_by_name);
	pmus->loaded = true;
	return 0;
}

void pmus_release(struct pmus *pmus)
{
	free(pmus->v);
	memset(pmus, 0, sizeof(*pmus));
}

/* ---- finding ---- */

struct key {
	const char *name;
	size_t len;
};

static int compare(const struct key *key, const char *name)
{
	int order = strncmp(key->name, name, key->len);

	return order ? order : name[key->len] ? -1 : 0;
}

static int compare_pmu(const void *key, const void *pmu)
{
	return compare(key, ((const struct pmu *)pmu)->name);
}

static int compare_format(const void *key, const void *format)
{
	return compare(key, ((const struct pmu_format *)format)->name);
}

static int compare_event(const void *key, const void *event)
{
	return compare(key, ((const struct pmu_event *)event)->name);
}

const struct pmu *pmus_find(const struct pmus *pmus, const char *name, size_t len)
{
	struct key key = { name, len };

	return pmus->n ? bsearch(&key, pmus->v, pmus->n, sizeof(*pmus->v), compare_pmu) : NULL;
}

const struct pmu_format *pmu_find_format(const struct pmu *pmu, const char *name, size_t len)
{
	struct key key = { name, len };

	return pmu->n_formats ? bsearch(&key, pmu->formats, pmu->n_formats, sizeof(*pmu->formats),
					compare_format) :
				NULL;
}

const struct pmu_event *pmu_find_event(const struct pmu *pmu, const char *name, size_t len)
{
	struct key key = { name, len };

	return pmu->n_events ? bsearch(&key, pmu->events, pmu->n_events, sizeof(*pmu->events),
				       compare_event) :
			       NULL;
}

/* imc for imc_0 and imc1: what follows is a number. */
static bool is_with_number(const char *full, const char *name)
{
	size_t n = strlen(name);

	if (!n || strncmp(full, name, n))
		return false;
	full += n;
	/* imc_1 is not imc_12 */
	if (isdigit((unsigned char)name[n - 1]) && *full != '_')
		return false;
	full += *full == '_';
	if (!*full)
		return false;
	return full[strspn(full, "0123456789")] == '\0';
}

bool pmu_is_called(const struct pmu *pmu, const char *name)
{
	const char *full = pmu->name;

	if (!*name)
		return false;
	for (;;) {
		if (!strcmp(full, name) || is_with_number(full, name) || text_glob(name, full))
			return true;
		if (strncmp(full, UNCORE, strlen(UNCORE)))
			return false;
		full += strlen(UNCORE);
	}
}
