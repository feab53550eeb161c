/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gettext for the screens, with the same names as in src: _() translates, N_() only marks (for
 * tables), Q_() is for plurals. cli/main.c initializes gettext.
 */
#ifndef TEXT_I18N_H
#define TEXT_I18N_H

#include <langinfo.h>
#include <stdbool.h>
#include <string.h>

#include "config.h"

#ifdef ENABLE_NLS
#include <libintl.h>
#define _(text)		 gettext(text)
#define Q_(one, many, n) ngettext(one, many, n)
#else
#define _(text)		 (text)
#define Q_(one, many, n) ((n) == 1 ? (one) : (many))
#endif
#define N_(text) text

/*
 * Call while screens are open. Their text is UTF-8; in locales with other character sets the
 * screens are ASCII, hence in English, including error messages.
 */
static inline void i18n_screens(bool on)
{
#ifdef ENABLE_NLS
	textdomain(on && strcmp(nl_langinfo(CODESET), "UTF-8") ? "no-language" : PACKAGE);
#else
	(void)on;
#endif
}

#endif
