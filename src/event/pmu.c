/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads the PMUs of a sysfs. Malformed entries are skipped. */
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "base/text.h"
#include "base/vec.h"
#include "event/pmu.h"

#define DEVICES		   "bus/event_source/devices"
#define FILE_BYTES_MAX	   65536
#define UNCORE		   "uncore_"
#define ADDRESS_DIGITS_MIN 3
#define SCALE_EXPONENT_MAX 60

struct reader {
	const struct roots *roots;
	struct arena *arena;
	const char *name; /* of the PMU being read */
	struct buf text;
	int ret;
};

/* A small file of the PMU without its newline; NULL: not found. */
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

_Static_assert(!offsetof(struct pmu, name) && !offsetof(struct pmu_format, name) &&
		       !offsetof(struct pmu_cap, name) && !offsetof(struct pmu_event, name),
	       "all that is sorted by name begins with it");

static int by_name(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Parses one file of a directory into *ret; false: skip it. */
typedef bool (*read_one_fn)(struct reader *r, const char *name, void *ret);

/* Parses all files of a directory into a sorted array in the arena. */
static const void *read_folder(struct reader *r, const char *folder, read_one_fn read_one,
			       size_t one_bytes, size_t *ret_n)
{
	struct buf path = BUF_INIT, found = BUF_INIT;
	uint64_t one[8]; /* aligned for any of them */
	struct dirent *item;
	void *copy = NULL;
	DIR *dir;

	buf_addf(&path, "%s/" DEVICES "/%s/%s", r->roots->sysfs, r->name, folder);
	dir = path.err ? NULL : opendir(buf_str(&path));
	while (dir && !r->ret && (item = readdir(dir))) {
		if (item->d_name[0] != '.' && read_one(r, item->d_name, one))
			buf_add(&found, one, one_bytes);
	}
	if (dir)
		closedir(dir);
	if (!r->ret && found.len) {
		copy = arena_alloc(r->arena, found.len);
		if (copy)
			memcpy(copy, found.data, found.len);
	}
	if (path.err || found.err || (found.len && !copy && !r->ret))
		r->ret = -ENOMEM;
	*ret_n = copy ? found.len / one_bytes : 0;
	if (*ret_n)
		qsort(copy, *ret_n, one_bytes, by_name);
	buf_release(&path);
	buf_release(&found);
	return copy;
}

/* ---- terms ---- */

static bool read_format(struct reader *r, const char *name, void *ret)
{
	struct pmu_format *format = ret;
	const char *text = read_text(r, "format", name);

	if (!text || pmu_format_parse(text, &format->field, &format->bits))
		return false;
	format->text = keep(r, text);
	format->name = keep(r, name);
	return true;
}

/* ---- capabilities ---- */

static bool read_cap(struct reader *r, const char *name, void *ret)
{
	struct pmu_cap *cap = ret;
	const char *text = read_text(r, "caps", name);

	if (!text)
		return false;
	cap->value = keep(r, text);
	cap->name = keep(r, name);
	return true;
}

/* ---- named events ---- */

static bool ends_with(const char *name, const char *end)
{
	size_t n = strlen(name), m = strlen(end);

	return n > m && !strcmp(name + n - m, end);
}

/* EVENT.unit and similar files describe another file's event. */
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
	long exponent = 0;

	for (; isdigit((unsigned char)*text); text++)
		value = value * 10 + (*text - '0');
	if (*text == '.') {
		for (text++; isdigit((unsigned char)*text); text++)
			value += (*text - '0') * (step /= 10);
	}
	if (*text == 'e' || *text == 'E')
		exponent = strtol(text + 1, NULL, 10);
	if (exponent < -SCALE_EXPONENT_MAX || exponent > SCALE_EXPONENT_MAX)
		return 1;
	for (; exponent > 0; exponent--)
		value *= 10;
	for (; exponent < 0; exponent++)
		value /= 10;
	return value > 0 ? value : 1;
}

static bool read_event(struct reader *r, const char *name, void *ret)
{
	struct pmu_event *ev = ret;
	const char *text = is_aside(name) ? NULL : read_text(r, "events", name);

	if (!text)
		return false;
	memset(ev, 0, sizeof(*ev));
	ev->scale = 1;
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
	return true;
}

_Static_assert(sizeof(struct pmu_event) <= 64 && sizeof(struct pmu_format) <= 64,
	       "what read_folder() has room for");

/* ---- PMUs ---- */

/* A PMU without a type cannot be opened. */
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
	if (!text) {
		text = read_text(r, "", "cpumask");
		pmu.uncore = text && *text;
	}
	if (text && *text)
		pmu.cpus = keep(r, text);
	pmu.formats = read_folder(r, "format", read_format, sizeof(struct pmu_format),
				  &pmu.n_formats);
	pmu.events = read_folder(r, "events", read_event, sizeof(struct pmu_event), &pmu.n_events);
	pmu.caps = read_folder(r, "caps", read_cap, sizeof(struct pmu_cap), &pmu.n_caps);
	if (!r->ret && vec_grow(&pmus->v, &pmus->cap, pmus->n + 1))
		r->ret = -ENOMEM;
	if (r->ret)
		return;
	pmus->v[pmus->n++] = pmu;
	pmus->n_core += pmu.core;
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
		qsort(pmus->v, pmus->n, sizeof(*pmus->v), by_name);
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

/* The key with the name that such a struct begins with. */
static int compare(const void *key_ptr, const void *item)
{
	const struct key *key = key_ptr;
	const char *name = *(const char *const *)item;
	int order = strncmp(key->name, name, key->len);

	return order ? order : name[key->len] ? -1 : 0;
}

const struct pmu *pmus_find(const struct pmus *pmus, const char *name, size_t len)
{
	struct key key = { name, len };

	return pmus->n ? bsearch(&key, pmus->v, pmus->n, sizeof(*pmus->v), compare) : NULL;
}

const struct pmu_format *pmu_find_format(const struct pmu *pmu, const char *name, size_t len)
{
	struct key key = { name, len };

	return pmu->n_formats ?
		       bsearch(&key, pmu->formats, pmu->n_formats, sizeof(*pmu->formats), compare) :
		       NULL;
}

const struct pmu_event *pmu_find_event(const struct pmu *pmu, const char *name, size_t len)
{
	struct key key = { name, len };

	return pmu->n_events ?
		       bsearch(&key, pmu->events, pmu->n_events, sizeof(*pmu->events), compare) :
		       NULL;
}

/* imc for imc_0 and imc1: what follows is a number, or an address as in smmuv3_pmcg_2b442. */
static bool is_with_number(const char *full, const char *name)
{
	size_t n = strlen(name);

	if (!n || strncmp(full, name, n))
		return false;
	full += n;
	/* imc_1 is not imc_12 */
	if (isdigit((unsigned char)name[n - 1]) && *full != '_')
		return false;
	if (*full == '_' && strlen(full + 1) >= ADDRESS_DIGITS_MIN &&
	    !full[1 + strspn(full + 1, "0123456789abcdef")])
		return true;
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
