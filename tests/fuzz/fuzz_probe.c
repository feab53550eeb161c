/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Any text as a probe definition, a range of lines, a line of the kernel and a filter: no crash; an error is
 * described; what is valid stays the same when it is written and read again.
 */
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include "probe/definition.h"
#include "probe/event.h"
#include "probe/filter.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void try_definition(const char *text)
{
	struct ptui_error err = PTUI_ERROR_INIT;
	struct arena mem = ARENA_INIT;
	struct buf out = BUF_INIT;
	struct probe_definition def;
	int ret = probe_definition_parse(text, &mem, &def, &err);

	if (ret ? ret != -EINVAL || !ptui_error_is_set(&err) :
		  (!def.point.function && !def.point.file) || def.n_args > PROBE_ARGS_MAX)
		abort();
	if (!ret) {
		probe_needs_debug_info(&def);
		probe_point_format(&def.point, &out);
		for (size_t i = 0; i < def.n_args; i++)
			probe_arg_format(&def.args[i], &out);
	}
	buf_release(&out);
	arena_release(&mem);
}

static void try_lines(const char *text)
{
	struct ptui_error err = PTUI_ERROR_INIT;
	struct arena mem = ARENA_INIT;
	struct probe_line_range range;
	int ret = probe_line_range_parse(text, &mem, &range, &err);

	if (ret ? ret != -EINVAL || !ptui_error_is_set(&err) :
		  range.start > range.end || (!range.function && !range.file))
		abort();
	arena_release(&mem);
}

static void try_event(const char *text)
{
	struct arena mem = ARENA_INIT;
	struct buf first = BUF_INIT, second = BUF_INIT;
	struct probe_event e, again;

	if (probe_event_parse(text, &mem, &e)) {
		probe_event_format(&e, &first);
		if (probe_event_parse(buf_str(&first), &mem, &again)) {
			probe_event_format(&again, &second);
			if (strcmp(buf_str(&first), buf_str(&second)))
				abort();
		}
	}
	buf_release(&first);
	buf_release(&second);
	arena_release(&mem);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct ptui_error err = PTUI_ERROR_INIT;
	char *text = malloc(size + 1);

	if (!text)
		return 0;
	memcpy(text, data, size);
	text[size] = '\0';
	try_definition(text);
	try_lines(text);
	try_event(text);
	if (!probe_filter_check(text, &err))
		probe_filter_matches(text, "probe:name");
	else if (!ptui_error_is_set(&err))
		abort();
	free(text);
	return 0;
}
