/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "widget/prompt.h"

static void history_drop(struct history *h, size_t i)
{
	free(h->lines[i]);
	h->n--;
	memmove(h->lines + i, h->lines + i + 1, (h->n - i) * sizeof(*h->lines));
}

int history_add(struct history *h, const char *line)
{
	char **lines, *copy;

	if (!*line || !h->max)
		return 0;
	copy = strdup(line);
	lines = realloc(h->lines, (h->n + 1) * sizeof(*lines));
	if (lines)
		h->lines = lines;
	if (!copy || !lines) {
		free(copy);
		return -ENOMEM;
	}
	for (size_t i = h->n; i-- > 0;) {
		if (!strcmp(h->lines[i], line))
			history_drop(h, i);
	}
	while (h->n >= h->max)
		history_drop(h, 0);
	h->lines[h->n++] = copy;
	return 0;
}

void history_release(struct history *h)
{
	while (h->n)
		free(h->lines[--h->n]);
	free(h->lines);
	h->lines = NULL;
}
