/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gettext for the screens, with src's names for it: _(), N_(), Q_(). cli/main.c initializes it.
 */
#ifndef TEXT_I18N_H
#define TEXT_I18N_H

#include <langinfo.h>
#include <stdbool.h>
#include <string.h>

#include "base/i18n.h"

/*
 * Call while screens are open. Their text is UTF-8; in locales with other character sets the
 * screens are ASCII, hence in English, including error messages.
 */
static inline void i18n_screens(bool on)
{
	i18n_use(on && strcmp(nl_langinfo(CODESET), "UTF-8") ? "no-language" : PACKAGE);
}

#endif
