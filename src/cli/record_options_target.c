/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Whom: -p and its like. */
#include <errno.h>
#include <string.h>
#include "base/i18n.h"
#include "base/vec.h"
#include "cli/record_options.h"

/* "12,345" */
int record_read_pids(void *field, const char *value, bool unset, struct ptui_error *err)
{
	struct pid_words *list = field;
	char one[16];

	(void)unset;
	for (;;) {
		size_t n = strcspn(value, ",");
		uint64_t pid;

		if (n >= sizeof(one))
			break;
		memcpy(one, value, n);
		one[n] = '\0';
		if (option_number(one, 1, INT32_MAX, &pid))
			break;
		if (vec_grow(&list->pids, &list->cap, list->n + 1))
			return ptui_error_nomem(err);
		list->pids[list->n++] = (pid_t)pid;
		if (!value[n])
			return 0;
		value += n + 1;
	}
	return ptui_error_set(err, PTUI_ERROR_INPUT, EINVAL, value,
			      _("'%.*s' is no process id"), (int)strcspn(value, ","), value);
}
