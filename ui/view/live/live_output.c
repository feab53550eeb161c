/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The output of the command that is recorded. */
#include <stdio.h>

#include "text/i18n.h"
#include "view/live/live_private.h"

static int child_status(void *ctx)
{
	return ptui_live_child_status(((struct live_view *)ctx)->live);
}

static void set_size(void *ctx, unsigned short rows, unsigned short cols)
{
	ptui_live_set_size(((struct live_view *)ctx)->live, rows, cols);
}

int live_output_init(struct live_view *v)
{
	struct command_output_opts opts = {
		.stack = v->stack,
		.fd = ptui_live_command_fd(v->live),
		.child_status = child_status,
		.set_size = set_size,
		.ctx = v,
	};

	snprintf(opts.title, sizeof(opts.title), _("Live › Output  %s"), v->opts.target);
	return command_output_init(&v->output, &opts);
}
