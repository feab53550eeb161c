/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Settings of config files for recordings. */
#include <errno.h>
#include <string.h>
#include "base/i18n.h"
#include "cli/record/record_options.h"

#define AT(field) offsetof(struct record_options, field)

/* The mode of plain -g; "dwarf,4096" as well. Does not enable callchains. */
static int read_mode(void *field, const char *value, bool unset, struct ptui_error *err)
{
	struct record_usual_chains *u = field;

	(void)unset;
	return ptui_callgraph_parse(value, &u->mode, &u->stack_bytes, err);
}

/* Of the mode before it, as in perf. */
static int read_dump_size(void *field, const char *value, bool unset, struct ptui_error *err)
{
	struct record_usual_chains *u = field;
	enum ptui_callgraph mode;
	char text[64];

	(void)unset;
	if (!*value || strlen(value) > 20)
		return ptui_error_set(err, PTUI_ERROR_INPUT, EINVAL, value,
				      _("expected a number of bytes, not '%s'"), value);
	snprintf(text, sizeof(text), "dwarf,%s", value);
	return ptui_callgraph_parse(text, &mode, &u->stack_bytes, err);
}

const struct cli_setting record_settings[] = {
	{ "record.build-id", N_("cache|no-cache|skip|mmap"),
	  N_("Build-id handling of ptui record: table in the file and cache, table only, "
	     "none, or MMAP2 records by the kernel (--buildid-mmap)."),
	  AT(buildids.usual), record_buildid_setting },
	{ "record.call-graph", N_("MODE[,BYTES]"),
	  N_("Callchain mode of -g in ptui record, as for --call-graph."), AT(usual_chains),
	  read_mode },
	{ "call-graph.record-mode", N_("MODE[,BYTES]"), N_("Same as record.call-graph."),
	  AT(usual_chains), read_mode },
	{ "call-graph.dump-size", N_("BYTES"),
	  N_("Bytes of the user stack that -g copies, if a setting above selects dwarf."),
	  AT(usual_chains), read_dump_size },
	{ "buildid.dir", N_("DIR"),
	  N_("Build-id cache, unless --buildid-dir is given; /dev/null disables it."),
	  AT(buildids.dir), cli_setting_text },
	{ .name = NULL },
};
