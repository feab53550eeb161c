/* SPDX-License-Identifier: GPL-2.0-or-later */
/* `ptui evlist`: the events of a recording. */
#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include "base/i18n.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/out.h"
#include "cli/recording.h"
#include "data/read/reader.h"
#include "event/attr_text.h"
#include "event/trace_format.h"

struct evlist_opts {
	const char *input;
	bool verbose, freq, group, trace_fields, force;
};

static void add_group(struct data_file *file, size_t leader, struct buf *out)
{
	size_t n = 0;

	for (size_t i = leader; i < data_n_events(file); i++)
		n += data_event(file, i)->leader == leader;
	buf_add_str(out, n > 1 ? "{" : "");
	for (size_t i = leader; i < data_n_events(file); i++) {
		if (data_event(file, i)->leader != leader)
			continue;
		buf_add_str(out, i == leader ? "" : ",");
		text_escape(out, data_event(file, i)->name);
	}
	buf_add_str(out, n > 1 ? "}\n" : "\n");
}

/* "sample_period=1, trace_fields: a,b", as far as asked for. */
static void add_details(const struct evlist_opts *o, struct trace_formats *formats,
			const struct data_event *e, const struct perf_event_attr *attr,
			struct buf *out)
{
	const char *between = ": ", *field;

	if (o->verbose) {
		struct buf fields = BUF_INIT;

		attr_text_fields(&fields, attr, ": ");
		if (fields.err)
			out->err = fields.err;
		else
			buf_addf(out, "%s%s", between, buf_str(&fields) + strlen(", "));
		buf_release(&fields);
		between = ", ";
	} else if (o->freq) {
		buf_addf(out, "%s%s=%" PRIu64, between, e->freq ? "sample_freq" : "sample_period",
			 e->sample_period);
		between = ", ";
	}
	if (!o->trace_fields)
		return;
	if (e->type != PERF_TYPE_TRACEPOINT) {
		buf_addf(out, "%s(not a tracepoint)", between);
		return;
	}
	field = trace_formats_field(formats, e->config, 0);
	buf_addf(out, "%s%s", between, field ? "trace_fields: " : "(no trace field)");
	for (size_t i = 0; field; field = trace_formats_field(formats, e->config, ++i))
		buf_addf(out, "%s%s", i ? "," : "", field);
}

static int print_events(const struct evlist_opts *o, struct data_file *file, struct ptui_error *err)
{
	struct trace_formats *formats = NULL;
	struct buf out = BUF_INIT;
	bool tracepoints = false;
	size_t n = 0;
	const void *tracing = data_feature(file, PTUI_FEAT_TRACING_DATA, &n);

	if (o->trace_fields && tracing) {
		formats = trace_formats_new(tracing, n, NULL, NULL, err);
		if (!formats)
			return -ENOMEM;
	}
	for (size_t i = 0; i < data_n_events(file); i++) {
		const struct data_event *e = data_event(file, i);

		tracepoints |= e->type == PERF_TYPE_TRACEPOINT;
		if (o->group) {
			if (e->leader == i)
				add_group(file, i, &out);
			continue;
		}
		text_escape(&out, e->name);
		add_details(o, formats, e, data_event_attr(file, i), &out);
		buf_add_char(&out, '\n');
	}
	if (tracepoints && !o->trace_fields)
		buf_add_str(&out, _("# Tip: use 'ptui evlist --trace-fields' to show fields for "
				    "tracepoint events\n"));
	cli_put(&out); /* a failure is reported at exit */
	trace_formats_free(formats);
	n = out.err ? 1 : 0;
	buf_release(&out);
	return n ? ptui_error_nomem(err) : 0;
}

static int run_evlist(struct cli *cli, int argc, char **argv)
{
	struct evlist_opts o = { .input = cli_default_input };
	struct ptui_error err = PTUI_ERROR_INIT;
	struct option_result parsed;
	struct data_file *file;
	int status = CLI_OK;

	if (!cli_parse(cli, &o, argc, argv, 0, &parsed))
		return cli->status;
	if (parsed.n_words)
		return cli_invalid(cli, _("unexpected argument '%s': -i names the recording"),
				   argv[0]);
	if (o.group && (o.verbose || o.freq || o.trace_fields))
		return cli_invalid(cli, "%s",
				   _("--group cannot be used together with -v, -F or "
				     "--trace-fields"));
	cli_choose_input(cli, &o.input);
	file = cli_open_recording(cli, o.input, &status);
	if (!file)
		return status;
	if (print_events(&o, file, &err))
		status = cli_failed(cli, &err);
	else
		cli_warn_header(cli, file, o.input);
	data_close(file);
	return status;
}

#define AT(member) .offset = offsetof(struct evlist_opts, member)

static const struct option evlist_options[] = {
	RECORDING_INPUT(AT(input)),
	{ OPTION_FLAG, 'v', "verbose", NULL,
	  N_("show the attr of each event, as the kernel got it"), AT(verbose) },
	{ OPTION_FLAG, 'F', "freq", NULL, N_("show the sampling frequency or period"), AT(freq) },
	{ OPTION_FLAG, 'g', "group", NULL, N_("show which events form a group"), AT(group) },
	{ OPTION_FLAG, 0, "trace-fields", NULL, N_("show the fields of tracepoints"),
	  AT(trace_fields) },
	RECORDING_FORCE(AT(force)),
	{ .type = OPTION_END },
};

#undef AT

static const char *const evlist_usage[] = { N_("[OPTION...]"), NULL };

static const struct cli_example evlist_examples[] = {
	{ "ptui evlist -F", N_("List the events of perf.data and how often they were sampled.") },
	{ NULL, NULL },
};

const struct cli_command cmd_evlist = {
	.name = "evlist",
	.summary = N_("list the events of a recording"),
	.usage = evlist_usage,
	.text = N_("Lists the events of a recording, one per line, as perf evlist does."),
	.options = evlist_options,
	.examples = evlist_examples,
	.run = run_evlist,
};
