/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Options for the samples: frequency, callchains, fields. */
#include <errno.h>
#include <string.h>
#include "base/buf.h"
#include "base/i18n.h"
#include "cli/out.h"
#include "cli/record/record_options.h"

int record_read_freq(void *o, const char *value, bool unset, struct ptui_error *err)
{
	struct ptui_record_opts *opts = &((struct record_options *)o)->opts;
	int ret;

	(void)unset;
	opts->max_freq = !strcmp(value, "max");
	if (opts->max_freq) {
		opts->freq_hz = 0;
		return 0;
	}
	ret = option_number(value, 1, UINT64_MAX, &opts->freq_hz);
	if (!ret)
		return 0;
	if (ret == -ERANGE)
		return ptui_error_set(err, PTUI_ERROR_INPUT, EINVAL, value,
				      _("must be at least 1 and below 2^64, not %s"), value);
	return ptui_error_set(err, PTUI_ERROR_INPUT, EINVAL, value,
			      _("expected a number or max, not '%s'"), value);
}

int record_read_said(void *said, const char *value, bool unset, struct ptui_error *err)
{
	(void)value;
	(void)err;
	*(enum ptui_said *)said = unset ? PTUI_SAID_NO : PTUI_SAID_YES;
	return 0;
}

bool record_takes_mode(const char *next)
{
	struct ptui_error err = PTUI_ERROR_INIT;
	enum ptui_callgraph mode;
	uint32_t bytes;

	return !ptui_callgraph_parse(next, &mode, &bytes, &err);
}

int record_read_g(void *o, const char *value, bool unset, struct ptui_error *err)
{
	struct record_options *options = o;

	if (value) {
		options->tutorial_mode = true;
		return record_read_callgraph(&options->opts.shape, value, unset, err);
	}
	/* keep a mode that was given before */
	if (options->opts.shape.callgraph != PTUI_CALLGRAPH_NONE)
		return 0;
	options->opts.shape.callgraph = PTUI_CALLGRAPH_FP;
	if (options->usual_chains.mode != PTUI_CALLGRAPH_NONE) {
		options->opts.shape.callgraph = options->usual_chains.mode;
		options->opts.shape.stack_bytes = options->usual_chains.stack_bytes;
	}
	return 0;
}

int record_read_callgraph(void *shape, const char *value, bool unset, struct ptui_error *err)
{
	struct ptui_shape *s = shape;

	if (unset) {
		s->callgraph = PTUI_CALLGRAPH_NONE;
		return 0;
	}
	return ptui_callgraph_parse(value, &s->callgraph, &s->stack_bytes, err);
}

int record_read_branch(void *branch_filter, const char *value, bool unset, struct ptui_error *err)
{
	uint64_t *mask = branch_filter;

	(void)unset;
	if (*mask)
		return ptui_error_set(err, PTUI_ERROR_INPUT, EINVAL, value,
				      _("-b and -j can be given only once, and not together"));
	return ptui_branch_filter_parse(value ? value : "any", mask, err);
}

/* Lists all registers as the error, and does not record. */
static int list_registers(struct ptui_error *err)
{
	struct buf names = BUF_INIT;
	int ret;

	for (unsigned i = 0; i < 64; i++)
		if (ptui_register_name(i))
			buf_addf(&names, " %s", ptui_register_name(i));
	ret = ptui_error_set(err, PTUI_ERROR_INPUT, EINVAL, NULL, _("available registers:%s"),
			     buf_str(&names));
	buf_release(&names);
	return ret;
}

int record_read_registers(void *mask, const char *value, bool unset, struct ptui_error *err)
{
	(void)unset;
	if (value && !strcmp(value, "?"))
		return list_registers(err);
	return ptui_registers_parse(value, mask, err);
}

int record_read_clockid(void *shape, const char *value, bool unset, struct ptui_error *err)
{
	struct ptui_shape *s = shape;

	(void)unset;
	if (s->use_clockid)
		return ptui_error_set(err, PTUI_ERROR_INPUT, EINVAL, value,
				      _("can be given only once: all events share one clock"));
	if (ptui_clockid_parse(value, &s->clockid, err))
		return -EINVAL;
	s->use_clockid = true;
	return 0;
}

int record_read_synth(void *skip, const char *value, bool unset, struct ptui_error *err)
{
	unsigned kinds;

	(void)unset;
	if (ptui_synth_parse(value, &kinds, err))
		return -EINVAL;
	*(unsigned *)skip = PTUI_SYNTH_ALL & ~kinds;
	return 0;
}

#define THREADS_MAX 1024

int record_read_threads(void *number, const char *value, bool unset, struct ptui_error *err)
{
	uint64_t n;

	(void)unset;
	if (option_number(value, 1, THREADS_MAX, &n))
		return ptui_error_set(err, PTUI_ERROR_INPUT, EINVAL, value,
				      _("expected a number of threads from 1 to %d, not '%s'"),
				      THREADS_MAX, value);
	*(unsigned *)number = (unsigned)n;
	return 0;
}

void record_warn_shape(const struct cli *cli, const struct record_options *o)
{
	const struct ptui_shape *s = &o->opts.shape;

	if (o->tutorial_mode)
		cli_warn(cli, _("-g takes no value; reading it as --call-graph"));
	if (s->callgraph == PTUI_CALLGRAPH_LBR && s->branch_filter)
		cli_warn(
			cli,
			_("--call-graph lbr requires the branch stack, which -b and -j use otherwise: "
			  "falling back to frame pointers"));
	if (s->callgraph == PTUI_CALLGRAPH_LBR && s->all_kernel)
		cli_warn(cli,
			 _("--call-graph lbr records user mode only, and --all-kernel excludes it: "
			   "falling back to frame pointers"));
	if ((s->callgraph == PTUI_CALLGRAPH_DWARF || s->callgraph == PTUI_CALLGRAPH_LIVE) &&
	    s->user_regs)
		cli_warn(cli,
			 _("--call-graph dwarf may need registers that --user-regs leaves out; the "
			   "stack pointer and the instruction pointer are always recorded"));
	if (s->callgraph == PTUI_CALLGRAPH_NONE && (s->kernel_callchains || s->user_callchains))
		cli_warn(cli,
			 _("--kernel-callchains and --user-callchains have no effect without -g or "
			   "--call-graph"));
}
