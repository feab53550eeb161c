/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Symbols of generated code: /tmp/perf-PID.map, as JIT compilers write it. */
#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "base/buf.h"
#include "base/file.h"
#include "base/i18n.h"
#include "symbol/builder.h"

#define PERF_MAP_MAX_BYTES (1u << 30)

/* Java's begin with 0x. */
static bool read_number(const char **p, const char *end, uint64_t *ret)
{
	if (end - *p > 2 && (*p)[0] == '0' && ((*p)[1] | 32) == 'x')
		*p += 2;
	return symtab_read_hex(p, end, ret);
}

/* "start size name with spaces"; other lines are skipped. */
static int add_map_line(struct symtab *t, const char *p, const char *eol)
{
	struct symtab_entry e = { .binding = STB_GLOBAL, .type = STT_FUNC };
	uint64_t bytes;

	if (!read_number(&p, eol, &e.start) || p == eol || *p++ != ' ' ||
	    !read_number(&p, eol, &bytes) || p == eol || *p++ != ' ' || p == eol)
		return 0;
	e.end = e.start + bytes < e.start ? UINT64_MAX : e.start + bytes;
	return symtab_add(t, &e, p, (size_t)(eol - p));
}

/* /tmp is world-writable: refuses files of other users. */
static int owner_check(const char *path, struct ptui_error *err)
{
	struct stat st;

	if (stat(path, &st) < 0)
		return ptui_error_errno(err, errno, path, _("cannot open %s"), path);
	if (!S_ISREG(st.st_mode))
		return ptui_error_set(err, PTUI_ERROR_FORMAT, EINVAL, path,
				      _("%s is not a regular file"), path);
	if (st.st_uid && st.st_uid != geteuid())
		return ptui_error_set(err, PTUI_ERROR_SYSTEM, EPERM, path,
				      _("%s belongs neither to you nor to root"), path);
	return 0;
}

struct symtab *symtab_from_perf_map(const char *path, bool any_owner, struct ptui_error *err)
{
	struct buf text = BUF_INIT;
	const char *p, *eol;
	struct symtab *t;
	int ret = 0;

	if ((!any_owner && owner_check(path, err) < 0) ||
	    file_read(path, PERF_MAP_MAX_BYTES, &text, err) < 0) {
		buf_release(&text);
		return NULL;
	}
	t = symtab_new();
	if (!t)
		ret = -ENOMEM;
	p = buf_str(&text);
	for (const char *end = p + text.len; p < end && !ret; p = eol + 1) {
		eol = memchr(p, '\n', (size_t)(end - p));
		if (!eol)
			eol = end;
		ret = add_map_line(t, p, eol);
	}
	buf_release(&text);
	if (!ret)
		ret = symtab_finish_code(t);
	if (!ret && t->n)
		return t;
	symtab_free(t);
	if (ret)
		ptui_error_nomem(err);
	else
		ptui_error_set(err, PTUI_ERROR_FORMAT, ENOENT, path, _("%s has no symbols"), path);
	return NULL;
}
