/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cli/kernel_symbols.h"

#include <errno.h>
#include <unistd.h>
#include "base/i18n.h"

static int check_readable(const char *path, const char *option, struct ptui_error *err)
{
	if (!path || !access(path, R_OK))
		return 0;
	ptui_error_errno(err, errno, path, _("%s: cannot open '%s'"), option, path);
	return -errno;
}

int kernel_symbols_check(const struct ptui_kernel_symbols *k, struct ptui_error *err)
{
	int ret = check_readable(k->vmlinux, "--vmlinux", err);

	return ret ? ret : check_readable(k->kallsyms, "--kallsyms", err);
}

int kernel_symbols_read_modules(void *field, const char *value, bool unset, struct ptui_error *err)
{
	(void)value;
	(void)err;
	*(bool *)field = unset;
	return 0;
}
