/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The screens' gettext, in the same words as the core's: _() translates, N_() only marks, for
 * tables, Q_() is one of two, by number. cli/main.c has told gettext where the translations are.
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
 * While there are screens. Their text is UTF-8; in the locales of other character sets a terminal
 * is shown ASCII only, so that they speak English there, and errors with them.
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
