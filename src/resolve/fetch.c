/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Files of a DSO from debuginfod servers, with the progress of resolver_symbolize(). */
#include <errno.h>
#include <stdlib.h>
#include "base/i18n.h"
#include "resolve/private.h"

struct fetch {
	struct resolver *r;
	struct buf what;
};

static int fetch_progress(void *ctx, uint64_t done, uint64_t total)
{
	struct fetch *f = ctx;

	return f->r->progress && f->r->progress(f->r->progress_ctx, buf_str(&f->what), done, total);
}

bool fetch_is_enabled(const struct resolver *r)
{
	return !r->live && !r->cancelled && dso_debuginfod_enabled();
}

struct dso_file *fetch_file(struct resolver *r, uint32_t name, const uint8_t *id, uint8_t id_bytes,
			    bool executable)
{
	struct fetch f = { .r = r, .what = BUF_INIT };
	struct dso_file *file = NULL;
	char *path = NULL;
	int fd = -ENOENT;

	if (!id_bytes || !fetch_is_enabled(r))
		return NULL;
	buf_addf(&f.what, _("fetching symbols of %s"), strpool_get(r->names, name));
	if (!f.what.err)
		fd = dso_debuginfod_fetch(id, id_bytes, executable, fetch_progress, &f, &path);
	if (fd == -ECANCELED)
		r->cancelled = true;
	if (fd >= 0)
		file = dso_file_open_fd(fd, path, id, id_bytes, NULL);
	free(path);
	buf_release(&f.what);
	return file;
}
