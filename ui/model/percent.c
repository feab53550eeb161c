/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "model/percent.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "text/i18n.h"

int percent_read(const char *text, double *ret, struct ptui_error *err)
{
	char *end;
	double value = strtod(text, &end);

	end += strspn(end, " %");
	if (end == text || *end || !(value >= 0 && value <= 100))
		return ptui_error_set(err, PTUI_ERROR_INPUT, EINVAL, text,
				      _("'%s' is not a percentage from 0 to 100"), text);
	*ret = value;
	return 0;
}
