/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the commands that read a recording have in common: rows of their option tables, opening the
 * file, and warnings about what it lacks.
 */
#ifndef CLI_RECORDING_H
#define CLI_RECORDING_H

#include "base/i18n.h"
#include "cli/command.h"
#include "data/read/reader.h"
#include "ptui/profile.h"

extern const char cli_default_input[]; /* "perf.data" */

/* What report and script read. Initialize with zeros and the input. */
struct recording_opts {
	const char *input;
	struct ptui_load_opts load;
	uint64_t max_stack;
	bool header, header_only, info;
	char *usual_cache; /* buildid.dir; owned */
};

/* clang-format off */
/* Rows of option tables; AT(field) designates a field of the recording_opts. */
#define RECORDING_INPUT(at) \
	{ OPTION_STRING, 'i', "input", N_("FILE"), \
	  N_("recording to read, - for standard input (default: what is piped in, else perf.data)"), at }
#define RECORDING_FORCE(at) \
	{ OPTION_FLAG, 'f', "force", NULL, N_("no effect: ptui reads the files of any owner"), at }
#define RECORDING_FILES(AT) \
	RECORDING_INPUT(AT(input)), \
	{ OPTION_STRING, 0, "symfs", N_("DIR"), N_("look up program files below DIR"), \
	  AT(load.symfs) }, \
	{ OPTION_STRING, 'k', "vmlinux", N_("FILE"), \
	  N_("vmlinux file with the kernel symbols; its build-id must be the recorded one"), \
	  AT(load.kernel.vmlinux) }, \
	{ OPTION_STRING, 0, "kallsyms", N_("FILE"), \
	  N_("copy of /proc/kallsyms with the kernel symbols; overrides -k"), \
	  AT(load.kernel.kallsyms) }
#define RECORDING_IGNORE_VMLINUX(at) \
	{ OPTION_FLAG, 0, "ignore-vmlinux", NULL, \
	  N_("do not use a vmlinux file, even if one is found"), at, OPTION_NO }
#define RECORDING_MODULES(at) \
	{ OPTION_CALL, 'm', "modules", NULL, \
	  N_("symbols of kernel modules, from the running kernel (default)"), at, \
	  OPTION_NO | OPTION_NO_VALUE, .call = option_store_unset }
#define RECORDING_UNNAMED(at) \
	{ OPTION_FLAG, 0, "unnamed-functions", NULL, \
	  N_("functions without symbols are ranges of addresses such as 0x1150-0x1180, by call frame " \
	     "information, not single addresses; the screens always do this"), \
	  at, OPTION_NO }
#define RECORDING_NAMES(AT) \
	{ OPTION_FLAG, 0, "force-names", NULL, \
	  N_("use program files and a kernel that are not known to be the recorded ones, too; " \
	     "mark their names"), \
	  AT(load.force_names), OPTION_NO }, \
	OPTION_NOT(0, "addr2line", 0, N_("not supported: ptui reads debug information itself")), \
	RECORDING_UNNAMED(AT(load.unnamed_functions))
#define RECORDING_DEMANGLE(AT) \
	{ OPTION_CALL, 0, "demangle", NULL, \
	  N_("demangle the names of functions of programs (default); --no-demangle: show them as in " \
	     "their files"), \
	  AT(load.mangled_names), OPTION_NO | OPTION_NO_VALUE, .call = option_store_unset }, \
	{ OPTION_FLAG, 0, "demangle-kernel", NULL, \
	  N_("demangle the names of kernel functions, too"), AT(load.demangle_kernel), OPTION_NO }
#define RECORDING_HEADER(AT) \
	{ OPTION_FLAG, 0, "header", NULL, \
	  N_("print the header of the recording (machine, command, events) first"), AT(header), \
	  OPTION_NO }, \
	{ OPTION_FLAG, 0, "header-only", NULL, N_("print the header and nothing else"), \
	  AT(header_only), OPTION_NO }, \
	{ OPTION_FLAG, 'I', "show-info", NULL, \
	  N_("print the long parts of the header, too: topology, caches, memory"), AT(info), \
	  OPTION_NO }
/* A row of the settings. */
#define RECORDING_CACHE(at) \
	{ "buildid.dir", N_("DIR"), \
	  N_("Build-id cache, unless --buildid-dir is given; /dev/null disables it."), \
	  at, cli_setting_text }
/* clang-format on */

/*
 * Completes what the options gave, and checks that the files with kernel symbols can be read. 0, or a
 * negative errno with err set.
 */
int recording_opts_settle(const struct cli *cli, struct recording_opts *o, struct ptui_error *err);
int kernel_symbols_check(const struct ptui_kernel_symbols *k, struct ptui_error *err);

/* Without -i (still cli_default_input): "-" if a recording is piped in. */
void cli_choose_input(const struct cli *cli, const char **input);
/* NULL: the reason was printed, and *ret_status is the exit status. */
struct data_file *cli_open_recording(const struct cli *cli, const char *path, int *ret_status);
/* Prints why it cannot be opened (a negative errno); returns the exit status. */
int cli_cannot_open(const struct cli *cli, const char *path, int ret, struct ptui_error *err);

/* What opening it found missing or damaged, for commands that read no records. */
void cli_warn_header(const struct cli *cli, const struct data_file *file, const char *path);
void cli_warn_damage(const struct cli *cli, const struct data_damage *d, const char *path);
/* --header-only; returns the exit status. */
int cli_print_header(const struct cli *cli, struct data_file *file, const char *path, bool info);
/* If one of many samples has most of an event's count: it may be damaged, or a rare one. */
void cli_warn_largest(const struct cli *cli, const struct ptui_profile *p, const char *path);
void cli_warn_trust(const struct cli *cli, const struct ptui_trust *t, uint64_t samples,
		    const char *path);

/* For -C, which perf refuses, too, if no sample has the number of its CPU. 0, or -ENODATA with err set. */
int recording_check_cpus(const struct ptui_profile *p, const char *path, struct ptui_error *err);
int recording_lacks_cpus(const char *path, struct ptui_error *err);

/* Instead of samples: which records there are. Returns the exit status: a failure if some were lost to damage. */
int cli_warn_no_samples(const struct cli *cli, const struct ptui_trust *t, const char *path);

#endif
