/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Adds the SDT markers of a program to the catalog, which reads no ELF files. */
#include <errno.h>
#include <stdlib.h>
#include "base/buf.h"
#include "base/i18n.h"
#include "dso/sdt.h"
#include "event/catalog_public.h"

struct adder {
	struct catalog *catalog;
	const char *path;
	size_t n;
};

/* "/usr/lib/libstdc++.so.6:0xa7f05 8@%rdx 8@-80(%rbx)" */
static int add_marker(void *ctx, const struct dso_sdt *marker)
{
	struct adder *a = ctx;
	struct buf place = BUF_INIT;
	int ret;

	buf_add_str(&place, a->path);
	if (marker->off != UINT64_MAX)
		buf_addf(&place, ":%#llx", (unsigned long long)marker->off);
	if (*marker->arguments)
		buf_addf(&place, " %s", marker->arguments);
	a->n++;
	ret = place.err ?
		      place.err :
		      catalog_add_sdt(a->catalog, marker->provider, marker->name, buf_str(&place));
	buf_release(&place);
	return ret;
}

int ptui_catalog_add_sdt(struct ptui_catalog *c, const char *path, struct ptui_error *err)
{
	struct adder adder = { .catalog = c->catalog };
	char *whole = realpath(path, NULL);
	int ret;

	if (!whole)
		return ptui_error_errno(err, errno, path, _("cannot read SDT markers of %s"), path);
	adder.path = whole;
	ret = dso_sdt_each(whole, add_marker, &adder, err);
	if (ret == -ENOMEM)
		ptui_error_nomem(err);
	else if (!ret && !adder.n)
		ret = ptui_error_set(
			err, PTUI_ERROR_INPUT, ENOENT, path,
			_("%s has no markers (it was built without SystemTap's sys/sdt.h)"), path);
	free(whole);
	return ret;
}
