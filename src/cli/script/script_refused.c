/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The options of perf script that ptui does not have, with the reasons. */
#include <errno.h>
#include "base/i18n.h"
#include "cli/script/script.h"

#define REFUSED(name, why)                                                               \
	int script_refuse_##name(void *field, const char *value, bool unset,             \
				 struct ptui_error *err)                                 \
	{                                                                                \
		(void)field;                                                             \
		(void)unset;                                                             \
		return ptui_error_set(err, PTUI_ERROR_INPUT, ENOTSUP, value, "%s", why); \
	}

REFUSED(aux,
	_("not supported: ptui does not decode AUX area traces; 'perf script --itrace' does, and "
	  "without this option ptui shows the other records"))
REFUSED(guest,
	_("not supported: ptui resolves no addresses in guests, for which recordings have no maps"))
REFUSED(library,
	_("not supported: ptui loads no filter libraries; pipe the text into a program instead"))
REFUSED(programs,
	_("not supported: ptui contains no Python and no Perl, which perf's scripts run in; "
	  "pipe the text into a program instead"))
REFUSED(debug,
	_("not supported: ptui sorts samples by time and always reports what is lost or damaged"))
REFUSED(verbose, _("not supported: PTUI_DEBUG=1 in the environment prints a log"))
REFUSED(all_cpus, _("not supported: it is for perf's scripts that record; use 'ptui record -a'"))
