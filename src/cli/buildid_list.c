/* SPDX-License-Identifier: GPL-2.0-or-later */
/* `ptui buildid-list`: the build-ids in a recording. */
#include <errno.h>
#include <sys/stat.h>
#include "base/i18n.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/out.h"
#include "cli/recording.h"
#include "dso/dso.h"
#include "event/event.h"
#include "session/buildid/buildid_hits.h"

struct buildid_opts {
	const char *input, *buildid_dir;
	bool force, with_hits, kernel;
};

static void add_build_id(struct buf *out, const uint8_t *id, size_t n, const char *path)
{
	for (size_t i = 0; i < n; i++)
		buf_addf(out, "%02x", id[i]);
	buf_addf(out, "%*s ", n ? 0 : 40, "");
	text_escape(out, path);
	buf_add_char(out, '\n');
}

/* Those that the recorder listed at its end. */
static int add_listed(struct data_file *file, struct buf *out)
{
	struct data_build_id id;
	int ret;

	for (size_t i = 0; !(ret = data_build_id_at(file, i, &id)); i++)
		add_build_id(out, id.id, id.bytes, id.path);
	return ret < 0 ? ret : 0;
}

static int add_hit(void *ctx, const struct data_build_id *item)
{
	add_build_id(ctx, item->id, item->bytes, item->path);
	return 0;
}

/* As in perf: a recording without the list, as from a pipe, has the build-ids in its maps or nowhere. */
static int print_build_ids(struct data_file *file, const struct buildid_opts *o,
			   struct ptui_error *err)
{
	struct buf out = BUF_INIT;
	size_t n;
	int ret = o->with_hits || !data_feature(file, PTUI_FEAT_BUILD_ID, &n) ?
			  buildid_hits_each(file, o->buildid_dir, false, add_hit, &out, err) :
			  add_listed(file, &out);

	if (!ret)
		ret = out.err;
	if (!ret)
		cli_put(&out); /* a failure is reported at exit */
	else if (!ptui_error_is_set(err))
		ptui_error_nomem(err);
	buf_release(&out);
	return ret;
}

static int print_id(const uint8_t *id, int n)
{
	char text[DSO_BUILD_ID_TEXT];
	struct buf out = BUF_INIT;

	dso_build_id_format(id, (uint8_t)n, text);
	buf_addf(&out, "%s\n", text);
	cli_put(&out);
	buf_release(&out);
	return CLI_OK;
}

static int print_kernel(struct cli *cli)
{
	uint8_t id[DSO_BUILD_ID_MAX];
	struct ptui_error err = PTUI_ERROR_INIT;
	int n = dso_read_kernel_build_id(&roots_system, id);

	if (n > 0)
		return print_id(id, n);
	ptui_error_errno(&err, n ? -n : ENODATA, NULL,
			 _("cannot read the build-id of the running kernel"));
	return cli_failed(cli, &err);
}

static bool is_regular(const char *path)
{
	struct stat st;

	return !stat(path, &st) && S_ISREG(st.st_mode);
}

static int run_buildid_list(struct cli *cli, int argc, char **argv)
{
	struct buildid_opts o = { .input = cli_default_input };
	struct ptui_error err = PTUI_ERROR_INIT;
	struct option_result parsed;
	uint8_t id[DSO_BUILD_ID_MAX];
	struct data_file *file;
	int status = CLI_OK, n;

	if (!cli_parse(cli, &o, argc, argv, 0, &parsed))
		return cli->status;
	if (parsed.n_words)
		return cli_invalid(cli, _("unexpected argument '%s': -i names the recording"),
				   argv[0]);
	if (o.kernel)
		return print_kernel(cli);
	cli_choose_input(cli, &o.input);
	/* As in perf, -i also names an executable or a library; a recording and a pipe are none. */
	n = is_regular(o.input) ? dso_read_build_id(o.input, id) : -ENOEXEC;
	if (n > 0)
		return print_id(id, n);
	if (!n) {
		ptui_error_set(&err, PTUI_ERROR_FORMAT, ENODATA, o.input, _("%s has no build-id"),
			       o.input);
		return cli_failed(cli, &err);
	}
	file = cli_open_recording(cli, o.input, &status);
	if (!file)
		return status;
	o.buildid_dir = cli->buildid_dir;
	if (print_build_ids(file, &o, &err))
		status = cli_failed(cli, &err);
	else
		cli_warn_header(cli, file, o.input);
	data_close(file);
	return status;
}

#define AT(member) .offset = offsetof(struct buildid_opts, member)

static const struct option buildid_options[] = {
	RECORDING_INPUT(AT(input)),
	{ OPTION_FLAG, 'H', "with-hits", NULL, N_("list only files with samples"), AT(with_hits) },
	{ OPTION_FLAG, 'k', "kernel", NULL, N_("print the build-id of the running kernel"),
	  AT(kernel) },
	RECORDING_FORCE(AT(force)),
	OPTION_NOT(
		'm', "kernel-maps", OPTION_NO_VALUE,
		N_("not supported: -k prints the build-id of the running kernel; those of its modules "
		   "are in recordings that used them")),
	OPTION_NOT('v', "verbose", OPTION_NO_VALUE,
		   N_("not supported: PTUI_DEBUG=1 in the environment prints a log")),
	{ .type = OPTION_END },
};

#undef AT

static const char *const buildid_usage[] = { N_("[OPTION...]"), NULL };

static const struct cli_example buildid_examples[] = {
	{ "ptui buildid-list -i old.data",
	  N_("Show which builds of which files are needed for the names of a recording.") },
	{ NULL, NULL },
};

const struct cli_command cmd_buildid_list = {
	.name = "buildid-list",
	.summary = N_("list the build-ids in a recording"),
	.usage = buildid_usage,
	.text = N_(
		"Lists the build-ids of the kernel and of the files that were sampled, as far as "
		"the recording has them, one per line, as perf buildid-list does. If -i names an "
		"executable or a library, prints its build-id."),
	.options = buildid_options,
	.examples = buildid_examples,
	.run = run_buildid_list,
};
