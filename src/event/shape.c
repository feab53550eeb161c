/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Parsing of the options that shape samples, with perf's syntax. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <time.h>
#include "base/i18n.h"
#include "base/text.h"
#include "event/selector/terms.h"
#include "ptui/shape.h"

/* All of the text. */
static bool read_number(const char *text, uint64_t max, uint64_t *ret)
{
	const char *end = text_number(text, max, ret);

	return end && !*end;
}

/* What may follow "dwarf": ",BYTES", ",live", or both in this order. */
static int read_dwarf(const char *text, const char *words, uint64_t *ret_bytes, bool *ret_live,
		      struct ptui_error *err)
{
	size_t len = strcspn(words, ",");
	char number[16];

	*ret_live = !strcmp(words, "live");
	if (*ret_live)
		return 0;
	snprintf(number, sizeof(number), "%.*s", (int)len, words);
	if (len < sizeof(number) && read_number(number, PTUI_STACK_BYTES_MAX, ret_bytes) &&
	    *ret_bytes) {
		*ret_live = !strcmp(words + len, ",live");
		if (*ret_live || !words[len])
			return 0;
	}
	return ptui_error_set(
		err, PTUI_ERROR_INPUT, EINVAL, text,
		_("dwarf expects a stack size of 1 to %u bytes, live, or both, not '%s'"),
		PTUI_STACK_BYTES_MAX, words);
}

int ptui_callgraph_parse(const char *text, enum ptui_callgraph *ret, uint32_t *ret_stack_bytes,
			 struct ptui_error *err)
{
	static const struct {
		const char *name;
		enum ptui_callgraph is;
	} modes[] = {
		{ "fp", PTUI_CALLGRAPH_FP },
		{ "dwarf", PTUI_CALLGRAPH_DWARF },
		{ "lbr", PTUI_CALLGRAPH_LBR },
	};
	size_t len = strcspn(text, ","), i;
	uint64_t bytes = 0;
	bool live = false;

	for (i = 0; i < sizeof(modes) / sizeof(*modes); i++)
		if (strlen(modes[i].name) == len && !memcmp(modes[i].name, text, len))
			break;
	if (i == sizeof(modes) / sizeof(*modes))
		return ptui_error_set(
			err, PTUI_ERROR_INPUT, EINVAL, text,
			_("unknown callchain method '%s': use fp, dwarf[,BYTES][,live] or lbr"),
			text);
	if (modes[i].is == PTUI_CALLGRAPH_FP && !strcmp(text + len, ",defer"))
		return ptui_error_set(
			err, PTUI_ERROR_INPUT, EINVAL, text,
			_("deferred user callchains can be read but not recorded: use "
			  "fp, not '%s'"),
			text);
	if (text[len] && modes[i].is != PTUI_CALLGRAPH_DWARF)
		return ptui_error_set(err, PTUI_ERROR_INPUT, EINVAL, text,
				      _("only dwarf accepts a size or live: '%s'"), text);
	if (text[len] && read_dwarf(text, text + len + 1, &bytes, &live, err))
		return -EINVAL;
	*ret = live ? PTUI_CALLGRAPH_LIVE : modes[i].is;
	*ret_stack_bytes = (uint32_t)((bytes + 7) & ~7ull);
	return 0;
}

int ptui_branch_filter_parse(const char *text, uint64_t *ret, struct ptui_error *err)
{
	uint64_t all = 0, bits;

	for (; text; text = *text ? text + 1 : NULL) {
		size_t len = strcspn(text, ",");

		if (!branch_filter_find(text, len, &bits))
			return ptui_error_set(
				err, PTUI_ERROR_INPUT, EINVAL, text,
				_("unknown branch filter '%.*s': any, any_call, any_ret, ind_call, ind_jmp, call, cond, u, k, hv, in_tx, no_tx, abort_tx, stack, no_flags, no_cycles, hw_index, save_type, priv, counter"),
				(int)len, text);
		all |= bits;
		text += len;
	}
	*ret = branch_filter_complete(all);
	return 0;
}

int ptui_clockid_parse(const char *text, int32_t *ret, struct ptui_error *err)
{
	static const struct {
		const char *name;
		int32_t id;
	} clocks[] = {
		{ "monotonic", CLOCK_MONOTONIC },
		{ "mono", CLOCK_MONOTONIC },
		{ "monotonic_raw", CLOCK_MONOTONIC_RAW },
		{ "raw", CLOCK_MONOTONIC_RAW },
		{ "realtime", CLOCK_REALTIME },
		{ "real", CLOCK_REALTIME },
		{ "boottime", CLOCK_BOOTTIME },
		{ "boot", CLOCK_BOOTTIME },
		{ "tai", CLOCK_TAI },
	};
	const char *name = text;
	uint64_t number;

	if (read_number(text, INT32_MAX, &number)) {
		*ret = (int32_t)number;
		return 0;
	}
	if (!strncasecmp(name, "CLOCK_", 6))
		name += 6;
	for (size_t i = 0; i < sizeof(clocks) / sizeof(*clocks); i++) {
		if (strcasecmp(clocks[i].name, name))
			continue;
		*ret = clocks[i].id;
		return 0;
	}
	return ptui_error_set(
		err, PTUI_ERROR_INPUT, EINVAL, text,
		_("unknown clock '%s': monotonic, monotonic_raw, realtime, boottime, tai, or its number"),
		text);
}

int ptui_synth_parse(const char *text, unsigned *ret, struct ptui_error *err)
{
	static const struct {
		const char *name;
		unsigned bits;
	} words[] = {
		{ "no", 0 },
		{ "all", PTUI_SYNTH_ALL },
		{ "task", PTUI_SYNTH_TASK },
		/* the records must identify their event */
		{ "mmap", PTUI_SYNTH_TASK | PTUI_SYNTH_MMAP },
		{ "cgroup", PTUI_SYNTH_CGROUP },
	};
	unsigned all = 0;

	for (; text; text = *text ? text + 1 : NULL) {
		size_t len = strcspn(text, ","), i, n = sizeof(words) / sizeof(*words);

		for (i = 0; i < n; i++)
			if (strlen(words[i].name) == len && !strncasecmp(words[i].name, text, len))
				break;
		if (i == n)
			return ptui_error_set(
				err, PTUI_ERROR_INPUT, EINVAL, text,
				_("cannot synthesize '%.*s': no, all, task, mmap, cgroup"),
				(int)len, text);
		if (!words[i].bits) { /* "no" must be the last word */
			all = 0;
			break;
		}
		all |= words[i].bits;
		text += len;
	}
	*ret = all;
	return 0;
}
