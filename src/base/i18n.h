/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Texts for users go through _(); N_() only marks a text, for tables; Q_() selects by number. Not
 * for what programs read: option names, column keys, numbers.
 */
#ifndef BASE_I18N_H
#define BASE_I18N_H

#include "config.h"

#ifdef ENABLE_NLS
#include <libintl.h>
#include <stdlib.h>
#define _(text)		 gettext(text)
#define Q_(one, many, n) ngettext(one, many, n)
#else
#define _(text)		 (text)
#define Q_(one, many, n) ((n) == 1 ? (one) : (many))
#endif
#define N_(text) text

/* Sets the directory of the translations. Called once, after setlocale(). */
static inline void i18n_init(void)
{
#ifdef ENABLE_NLS
	const char *folder = getenv("PTUI_LOCALEDIR"); /* for a build that is not installed */

	bindtextdomain(PACKAGE, folder && *folder ? folder : LOCALEDIR);
	textdomain(PACKAGE);
#endif
}

#endif
