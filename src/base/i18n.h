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
#include <stdbool.h>
/*
 * The language has a translation. gettext() does not remember that there is none: it looks for the
 * locale's catalog again each time, which was half of the CPU time of the screens.
 */
extern _Atomic bool i18n_translates;
#define _(text)		 (i18n_translates ? gettext(text) : (text))
#define Q_(one, many, n) (i18n_translates ? ngettext(one, many, n) : (n) == 1 ? (one) : (many))
#else
#define _(text)		 (text)
#define Q_(one, many, n) ((n) == 1 ? (one) : (many))
#endif
#define N_(text) text

/* Sets the directory of the translations. Called once, after setlocale(). */
void i18n_init(void);
/* Sets the domain: PACKAGE, or one that does not exist, for English. */
void i18n_use(const char *domain);

#endif
