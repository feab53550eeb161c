/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "data/read/looks_like.h"

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include "base/i18n.h"

static const struct {
	const char *magic;
	size_t n;
	const char *what;
} kinds[] = {
	{ "\x7f"
	  "ELF",
	  4, N_("an ELF file") },
	{ "\x1f\x8b", 2, N_("a gzip file") },
	{ "BZh", 3, N_("a bzip2 file") },
	{ "\xfd"
	  "7zXZ",
	  5, N_("an xz file") },
	{ "\x28\xb5\x2f\xfd", 4, N_("a zstd file") },
	{ "PK\x03\x04", 4, N_("a zip file") },
	{ "SIMPLEPERF", 10, N_("a simpleperf report") },
	{ "\x17\x08"
	  "Dtracing",
	  9, N_("a trace-cmd file") },
	{ "{", 1, N_("JSON text") },
	{ "#!", 2, N_("a script") },
};

static bool all_zero(const uint8_t *p, size_t n)
{
	while (n && !*p) {
		p++;
		n--;
	}
	return !n;
}

static bool is_text(const uint8_t *p, size_t n)
{
	for (; n; p++, n--)
		if ((*p < ' ' && !strchr("\t\n\r\f", *p)) || *p == 0x7f || !*p)
			return false;
	return true;
}

static const char *detect_kind(const uint8_t *head, size_t n)
{
	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++)
		if (n >= kinds[i].n && !memcmp(head, kinds[i].magic, kinds[i].n))
			return _(kinds[i].what);
	if (all_zero(head, n))
		return _("a file that starts with zeros");
	if (n < 16 && n >= 4 && !memcmp(head, "PERFILE2", n < 8 ? n : 8))
		return _("a truncated one");
	if (is_text(head, n))
		return _("text");
	return NULL;
}

int looks_like_error(const char *path, const void *head, size_t n, struct ptui_error *err)
{
	const char *what = detect_kind(head, n);

	if (what)
		return ptui_error_set(err, PTUI_ERROR_FORMAT, EINVAL, path,
				      _("%s is not a perf.data file: it looks like %s"), path,
				      what);
	return ptui_error_set(err, PTUI_ERROR_FORMAT, EINVAL, path, _("%s is not a perf.data file"),
			      path);
}
