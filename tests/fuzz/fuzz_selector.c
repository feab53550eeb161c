/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Any text as an event selector: no crash, and a mistake leaves the list as it was. */
#include "event/attr.h"
#include "event/selector.h"
#include "unit/event/tree.h"
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static struct tree tree;
static struct catalog *catalog;

static void clean_up(void)
{
	catalog_free(catalog);
	tree_remove(&tree);
}

static void set_up(void)
{
	if (tree_make(&tree))
		abort();
	catalog = catalog_new(&tree.roots);
	if (!catalog)
		abort();
	atexit(clean_up);
}

static void check(const char *text)
{
	const struct attr_options opts = { .freq_hz = 4000, .shape.callgraph = PTUI_CALLGRAPH_FP };
	struct ptui_error err = PTUI_ERROR_INIT;
	struct event_list list;

	event_list_init(&list);
	if (selector_parse(catalog, text, &list, &err)) {
		if (list.n || !ptui_error_is_set(&err))
			abort();
	} else {
		size_t n = list.n;

		if (!n || event_attrs_configure(&list, &opts) || list.n != n + 1)
			abort();
	}
	event_list_release(&list);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = malloc(size + 1);

	if (!text)
		return 0;
	if (!catalog)
		set_up();
	memcpy(text, data, size);
	text[size] = '\0';
	check(text);
	free(text);
	return 0;
}
