/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Text for people goes through _(); N_() only marks it, for tables. */
#ifndef BASE_I18N_H
#define BASE_I18N_H

#include "config.h"

#if ENABLE_NLS
#include <libintl.h>
#define _(text)			gettext(text)
#define Q_(one, many, n)	ngettext(one, many, n)
#else
#define _(text)			(text)
#define Q_(one, many, n)	((n) == 1 ? (one) : (many))
#endif
#define N_(text) text

#endif
