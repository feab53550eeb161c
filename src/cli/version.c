/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/i18n.h"
#include "cli/command.h"
#include "cli/wrap.h"

#define FEATURE_COLUMN 36

#ifdef ENABLE_NLS
#define NLS_IS "gettext"
#else
#define NLS_IS N_("not built in")
#endif

/* Libraries that this binary was built with. */
static const struct {
	const char *what, *with;
} features[] = {
	{ N_("    symbols of programs:"), "libelf" },
	{ N_("    languages besides English:"), NLS_IS },
};

void cli_version(const struct cli *cli, struct buf *out)
{
	(void)cli;
	buf_addf(out, "ptui version %s\n", PACKAGE_VERSION);
	for (size_t i = 0; i < sizeof(features) / sizeof(*features); i++)
		wrap_beside(out, _(features[i].what), FEATURE_COLUMN, _(features[i].with));
}
