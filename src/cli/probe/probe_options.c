/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <stddef.h>
#include <string.h>
#include "base/i18n.h"
#include "base/vec.h"
#include "cli/probe/probe.h"

static int add_request(void *field, char kind, const char *value, struct ptui_error *err)
{
	struct probe_command *c = field;

	if (vec_grow(&c->requests, &c->cap_requests, c->n_requests + 1))
		return ptui_error_nomem(err);
	c->requests[c->n_requests++] = (struct probe_request){ kind, value, c->target };
	return 0;
}

#define REQUEST(name, letter)                                                               \
	static int name(void *field, const char *value, bool unset, struct ptui_error *err) \
	{                                                                                   \
		(void)unset;                                                                \
		return add_request(field, letter, value, err);                              \
	}

REQUEST(read_add, 'a')
REQUEST(read_definition, 'D')
REQUEST(read_delete, 'd')
REQUEST(read_list, 'l')
REQUEST(read_lines, 'L')
REQUEST(read_variables, 'V')
REQUEST(read_functions, 'F')

/* What was asked for before the first -x or -m has it as its target, too. */
static int set_target(struct probe_command *c, const char *exec, const char *module)
{
	c->target = (struct probe_target){ exec, module };
	for (size_t i = 0; i < c->n_requests; i++)
		if (!c->requests[i].target.exec && !c->requests[i].target.module)
			c->requests[i].target = c->target;
	return 0;
}

static int read_exec(void *field, const char *value, bool unset, struct ptui_error *err)
{
	(void)unset;
	(void)err;
	return set_target(field, value, NULL);
}

static int read_module(void *field, const char *value, bool unset, struct ptui_error *err)
{
	(void)unset;
	(void)err;
	return set_target(field, NULL, value);
}

static int refuse_cache(void *field, const char *value, bool unset, struct ptui_error *err)
{
	(void)field;
	(void)value;
	(void)unset;
	ptui_error_set(
		err, PTUI_ERROR_INPUT, ENOTSUP, NULL,
		_("there is no probe cache: ptui reads definitions and markers from the files"));
	ptui_error_hint(err, _("leave it out; for a marker name the file with -x"));
	return -ENOTSUP;
}

#define AT(member) .offset = offsetof(struct probe_command, member)

const struct option probe_options[] = {
	{ OPTION_GROUP, .help = N_("What to do") },
	{ OPTION_CALL, 'a', "add", N_("DEFINITION"), N_("add a probe; may be repeated"),
	  .offset = 0, .call = read_add },
	{ OPTION_CALL, 'D', "definition", N_("DEFINITION"),
	  N_("print the lines for the kernel that --add would write"), .offset = 0,
	  .call = read_definition },
	{ OPTION_CALL, 'd', "del", N_("[GROUP:]EVENT"),
	  N_("delete the probes that match a filter of globs; may be repeated"), .offset = 0,
	  .call = read_delete },
	{ OPTION_CALL, 'l', "list", N_("[GROUP:]EVENT"),
	  N_("list all probes, or those that match a filter"), .offset = 0, .flags = OPTION_MAY_END,
	  .call = read_list },
	{ OPTION_CALL, 'V', "vars", N_("POINT"),
	  N_("list the variables that are available at a probe point"), .offset = 0,
	  .call = read_variables },
	{ OPTION_CALL, 'L', "line", N_("FUNC[:LINE[+COUNT|-LINE]]|SRC:LINE"),
	  N_("print source lines; those with a number can be probed"), .offset = 0,
	  .call = read_lines },
	{ OPTION_CALL, 'F', "funcs", N_("FILTER"),
	  N_("list the functions that can be probed, or those that match a filter"), .offset = 0,
	  .flags = OPTION_MAY_END, .call = read_functions },

	{ OPTION_GROUP, .help = N_("Target") },
	{ OPTION_CALL, 'x', "exec", N_("FILE"), N_("program or library (default: the kernel)"),
	  .offset = 0, .call = read_exec },
	{ OPTION_CALL, 'm', "module", N_("NAME|FILE"), N_("kernel module, or its file"),
	  .offset = 0, .call = read_module },
	{ OPTION_STRING, 'k', "vmlinux", N_("FILE"),
	  N_("vmlinux file with the debug information of the kernel"), AT(vmlinux) },
	{ OPTION_STRING, 's', "source", N_("DIR"), N_("folder of the source files"), AT(source) },
	{ OPTION_STRING, 0, "symfs", N_("DIR"), N_("look up program files below DIR"), AT(symfs) },
	{ OPTION_NUMBER, 0, "target-ns", N_("PID"),
	  N_("the file of -x is in the mount namespace of this process"), AT(namespace_pid),
	  .min = 1, .max = INT32_MAX },

	{ OPTION_GROUP, .help = N_("How") },
	{ OPTION_FLAG, 'f', "force", NULL, N_("number events whose name exists: NAME_1"),
	  AT(force) },
	{ OPTION_FLAG, 'n', "dry-run", NULL, N_("change nothing in the kernel"), AT(dry_run) },
	{ OPTION_NUMBER, 0, "max-probes", N_("N"),
	  N_("most addresses of a definition (default: 128)"), AT(max_probes), .min = 1,
	  .max = 1 << 20 },
	{ OPTION_FLAG, 0, "no-inlines", NULL, N_("do not probe inlined functions"),
	  AT(no_inlines) },
	{ OPTION_FLAG, 0, "externs", NULL, N_("with -V: also variables outside of functions"),
	  AT(externals) },
	{ OPTION_FLAG, 0, "range", NULL,
	  N_("with -V: where in the function each variable is available"), AT(ranges) },
	{ OPTION_STRING, 0, "filter", N_("FILTER"),
	  N_("with -V and -F: only names that match globs with !, & and | "
	     "(default: '!__k???tab_* & !__crc_*', '!_* & !*@plt')"),
	  AT(filter) },
	{ OPTION_FLAG, 0, "demangle", NULL, N_("with -F: demangle names"), AT(demangle),
	  OPTION_NO },
	{ OPTION_FLAG, 0, "demangle-kernel", NULL, N_("with -F: demangle names of the kernel"),
	  AT(demangle_kernel), OPTION_NO },
	{ OPTION_FLAG, 0, "bootconfig", NULL,
	  N_("with -D: print the definition as a boot configuration"), AT(bootconfig) },
	{ OPTION_CALL, 0, "cache", NULL, N_("not supported: there is no probe cache"), .offset = 0,
	  .flags = OPTION_NO_VALUE, .call = refuse_cache },
	{ OPTION_FLAG, 'q', "quiet", NULL, N_("print no messages"), AT(quiet) },
	{ OPTION_FLAG, 'v', "verbose", NULL, N_("print which files are used, and what is written"),
	  AT(verbose) },
	{ OPTION_END },
};

#undef AT
