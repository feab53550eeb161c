/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Any text as an event selector: no crash, and an error leaves the list unchanged; a round trip
 * through the parsed form is the identity. And as a filter.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include "event/attr.h"
#include "event/catalog_public.h"
#include "event/selector/filter.h"
#include "event/selector/selector.h"
#include "ptui/selector.h"
#include "unit/event/tree.h"

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

static void check_parts(const char *text)
{
	struct ptui_catalog c = { catalog };
	struct ptui_error err = PTUI_ERROR_INIT;
	struct ptui_selector s;
	char *once, *twice;

	if (ptui_selector_parse(&c, text, &s, &err)) {
		if (!ptui_error_is_set(&err))
			abort();
		return;
	}
	once = ptui_selector_text(&s);
	ptui_selector_release(&s);
	if (!once || ptui_selector_parse(&c, once, &s, &err))
		abort();
	twice = ptui_selector_text(&s);
	ptui_selector_release(&s);
	if (!twice || strcmp(once, twice))
		abort();
	free(once);
	free(twice);
}

static void check_filter(const char *text)
{
	struct ptui_catalog c = { catalog };
	struct ptui_error err = PTUI_ERROR_INIT;

	if (ptui_selector_check_filter(&c, "sched:sched_switch", text, &err) &&
	    !ptui_error_is_set(&err))
		abort();
	if (ptui_selector_check_modifiers(&c, "cycles", text, true, &err) &&
	    !ptui_error_is_set(&err))
		abort();
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
	check_parts(text);
	check_filter(text);
	free(text);
	return 0;
}
