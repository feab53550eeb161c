/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * User-defined tracepoints: kprobes, uprobes and synthetic events. tracefs lists the definition of
 * each in one line of a file:
 *
 *	p:probe/my_open do_sys_openat2 name=+0(%si):string
 *	p:probe_bash/readline /usr/bin/bash:0x000d5690
 */
#include <errno.h>
#include <string.h>
#include "base/i18n.h"
#include "event/source/source.h"

#define FILE_BYTES_MAX (8u << 20)

static int add(struct catalog *cat, struct catalog_rows *rows, const char *line, size_t len)
{
	const char *colon = memchr(line, ':', len), *slash, *end;
	struct catalog_entry *entry;

	/* "p:GROUP/NAME DEFINITION"; the letter may be followed by a number: r16:… */
	slash = colon ? memchr(colon, '/', len - (size_t)(colon - line)) : NULL;
	if (!slash)
		return 0;
	end = slash;
	while (end < line + len && *end != ' ')
		end++;
	entry = catalog_rows_add(rows);
	if (!entry)
		return -ENOMEM;
	entry->name = arena_printf(&cat->text, "%.*s:%.*s", (int)(slash - colon - 1), colon + 1,
				   (int)(end - slash - 1), slash + 1);
	entry->desc = arena_memdup0(&cat->text, line, len);
	entry->kind = EVENT_PROBE;
	entry->type = PERF_TYPE_TRACEPOINT;
	entry->config = UINT64_MAX;
	return entry->name && entry->desc ? 0 : -ENOMEM;
}

/* All, or first kprobes, then uprobes. */
static int read_lines(const char *tracefs, struct buf *out)
{
	static const char *const halves[] = { "kprobe_events", "uprobe_events" };
	int ret = file_readf(out, FILE_BYTES_MAX, "%s/dynamic_events", tracefs);

	if (ret != -ENOENT)
		return ret;
	ret = 0;
	for (size_t i = 0; i < 2; i++) {
		int error = file_readf(out, FILE_BYTES_MAX, "%s/%s", tracefs, halves[i]);

		ret = error && error != -ENOENT ? error : ret; /* a kernel without these probes */
	}
	return ret;
}

static int load(struct catalog *cat, struct catalog_rows *rows, struct ptui_error *err)
{
	struct buf lines = BUF_INIT;
	const char *tracefs;
	int ret = catalog_tracefs(cat, &tracefs, err);

	if (ret)
		return ret;
	ret = read_lines(tracefs, &lines);
	if (ret) {
		ptui_error_errno(err, -ret, tracefs, _("cannot read the list of probes in %s"),
				 tracefs);
		if (ret == -EACCES)
			catalog_tracefs_hint(tracefs, err);
		goto out;
	}
	for (const char *line = buf_str(&lines); *line && !ret;) {
		size_t len = strcspn(line, "\n");

		ret = add(cat, rows, line, len) ? ptui_error_nomem(err) : 0;
		line += len + (line[len] == '\n');
	}
	if (!ret)
		catalog_rows_sort(rows);
out:
	buf_release(&lines);
	return ret;
}

const struct catalog_source source_probe = {
	.kind = EVENT_PROBE,
	.heading = N_("Tracepoint event"),
	.has_colon = true,
	.aside = true,
	.load = load,
};
