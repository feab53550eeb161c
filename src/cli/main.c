/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <locale.h>
#include <stdio.h>
#include <string.h>

#include "base/i18n.h"
#include "ptui/cli.h"

int ptui_cli_main(int argc, char **argv, const struct ptui_cli_hooks *hooks)
{
	(void)hooks;
	setlocale(LC_ALL, "");
	i18n_init();

	if (argc == 2 && !strcmp(argv[1], "--version")) {
		printf("ptui version %s\n", PACKAGE_VERSION);
		return 0;
	}
	if (argc == 2 && !strcmp(argv[1], "--man")) {
		printf(".TH PTUI 1 \"\" \"ptui %s\"\n.SH NAME\nptui \\- a profiler cockpit\n",
		       PACKAGE_VERSION);
		return 0;
	}
	fprintf(stderr, _("usage: ptui --version\n"));
	return 129;
}
