/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The command line, as one call. What it takes: main()'s arguments. What it gives: the
 * exit status. It owns stdout and stderr while it runs.
 */
#ifndef PTUI_CLI_H
#define PTUI_CLI_H

#include "ptui/types.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * What a front end with a screen hands to the command line. Every member may be NULL:
 * then the command prints text.
 */
struct ptui_cli_hooks {
	/* Opens the browser on a file; returns the exit status. */
	int (*browse)(void *ctx, const char *path);
	void *ctx;
};

/* Returns the process's exit status. May end by raising the signal its child died of. */
int ptui_cli_main(int argc, char **argv, const struct ptui_cli_hooks *hooks);

#ifdef __cplusplus
}
#endif
#endif
