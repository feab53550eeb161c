/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * When a program starts with more rights than its user has, or from a file that the user may not read,
 * the kernel removes the counters of the process: others must not learn what it does.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/xattr.h>
#include <unistd.h>
#include "base/buf.h"
#include "base/i18n.h"
#include "ptui/log.h"
#include "record/target/workload.h"

/* As execvp() finds it; empty: not found. */
static void find_program(const char *name, struct buf *ret)
{
	const char *path = getenv("PATH");

	if (strchr(name, '/'))
		buf_add_str(ret, name);
	for (; !ret->len && path && *path; path += *path == ':') {
		size_t n = strcspn(path, ":");

		buf_addf(ret, "%.*s/%s", (int)n, path, name);
		if (ret->err || access(buf_str(ret), X_OK))
			buf_clear(ret);
		path += n;
	}
}

static bool file_gives_rights(const char *file)
{
	struct statvfs fs;
	struct stat st;

	if (stat(file, &st) || !S_ISREG(st.st_mode))
		return false;
	if (access(file, R_OK))
		return true;
	if (statvfs(file, &fs) || fs.f_flag & ST_NOSUID || prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0))
		return false;
	return (st.st_mode & S_ISUID && st.st_uid != geteuid()) ||
	       (st.st_mode & S_ISGID && st.st_gid != getegid()) ||
	       (geteuid() && getxattr(file, "security.capability", NULL, 0) > 0);
}

void workload_warn_of_rights(const char *name)
{
	struct buf file = BUF_INIT;

	find_program(name, &file);
	if (!file.err && file.len && file_gives_rights(buf_str(&file)))
		ptui_log(
			PTUI_LOG_WARN, "record",
			_("the kernel does not let you measure %s: it has more rights than you (setuid, file "
			  "capabilities), or you may not read its file; run ptui as root"),
			name);
	buf_release(&file);
}
