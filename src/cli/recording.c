/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cli/recording.h"

#include <errno.h>
#include <string.h>
#include "base/i18n.h"
#include "cli/out.h"

struct data_file *cli_open_recording(const struct cli *cli, const char *path, int *ret_status)
{
	struct ptui_error err = PTUI_ERROR_INIT;
	int ret = 0;
	struct data_file *file = data_open(path, &err, &ret);

	if (file)
		return file;
	if (ret == -ENODATA) { /* no error, as in perf */
		cli_warn(cli, _("%s: zero-sized file, nothing to do"), path);
		*ret_status = CLI_OK;
		return NULL;
	}
	if (ret == -ENOENT && !strcmp(path, CLI_DEFAULT_INPUT))
		ptui_error_hint(&err, _("'ptui record COMMAND' makes it; -i reads another file"));
	*ret_status = cli_failed(cli, &err);
	return NULL;
}
