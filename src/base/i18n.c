/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/i18n.h"

#include <stdlib.h>

#ifdef ENABLE_NLS

_Atomic bool i18n_translates;

void i18n_use(const char *domain)
{
	textdomain(domain);
	/* the header of the catalog */
	i18n_translates = *gettext("") != '\0';
}

void i18n_init(void)
{
	const char *folder = getenv("PTUI_LOCALEDIR"); /* for a build that is not installed */

	bindtextdomain(PACKAGE, folder && *folder ? folder : LOCALEDIR);
	i18n_use(PACKAGE);
}

#else

void i18n_use(const char *domain)
{
	(void)domain;
}

void i18n_init(void)
{
}

#endif
