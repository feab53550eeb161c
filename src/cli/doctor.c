/* SPDX-License-Identifier: GPL-2.0-or-later */
/* `ptui doctor`: the state of the machine, what it means and how to change it. */
#include <stddef.h>
#include <string.h>
#include "base/i18n.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/out.h"
#include "cli/wrap.h"
#include "ptui/doctor.h"

#define INDENT 6

struct doctor_options {
	bool json;
};

/* Unambiguous without colours. */
static const char *const marks[] = {
	[PTUI_HEALTH_GOOD] = "+",    [PTUI_HEALTH_NOTE] = " ",	  [PTUI_HEALTH_ABSENT] = "-",
	[PTUI_HEALTH_LIMITED] = "!", [PTUI_HEALTH_REFUSED] = "X",
};

/* Advice, with the arrow on its first line. */
static void add_lift(struct buf *out, const char *lift)
{
	for (size_t n; *lift; lift += n + (lift[n] != '\0')) {
		struct buf line = BUF_INIT;

		n = strcspn(lift, "\n");
		buf_add(&line, lift, n);
		buf_add_str(&line, "");
		wrap_beside(out, "    ->", INDENT + 2, buf_str(&line));
		buf_release(&line);
	}
}

static void add_text(struct buf *out, const struct ptui_findings *all)
{
	const char *group = "";

	for (size_t i = 0; i < all->n; i++) {
		const struct ptui_finding *f = &all->v[i];

		if (strcmp(group, f->group))
			buf_addf(out, "%s%s\n", i ? "\n" : "", f->group);
		group = f->group;
		buf_addf(out, "  %s %s: ", marks[f->health], f->key);
		text_escape(out, f->value);
		buf_add_char(out, '\n');
		wrap_beside(out, "", INDENT, f->means);
		add_lift(out, f->lift);
	}
	buf_addf(
		out, "\n%s\n",
		_("+ good   - not on this machine   ! limited by a setting or by rights   X nothing can be recorded"));
}

static void add_string(struct buf *out, const char *name, const char *text)
{
	buf_addf(out, ",\n\t\t\"%s\": ", name);
	text_json(out, text);
}

static void add_json(struct buf *out, const struct ptui_findings *all)
{
	buf_add_str(out, "[");
	for (size_t i = 0; i < all->n; i++) {
		const struct ptui_finding *f = &all->v[i];

		buf_addf(out, "%s\n\t{\n\t\t\"Key\": \"%s\"", i ? "," : "", f->key);
		add_string(out, "Health", ptui_health_name(f->health));
		add_string(out, "Group", f->group);
		add_string(out, "Value", f->value);
		add_string(out, "Means", f->means);
		add_string(out, "Lift", f->lift);
		buf_add_str(out, "\n\t}");
	}
	buf_add_str(out, "\n]\n");
}

static const struct option doctor_options[] = {
	{ OPTION_FLAG, 'j', "json", NULL, N_("everything as a JSON array"),
	  .offset = offsetof(struct doctor_options, json) },
	{ .type = OPTION_END },
};

/* The worst finding; missing hardware does not count as a failure. */
static int status_of(const struct ptui_findings *all)
{
	enum ptui_health worst = PTUI_HEALTH_GOOD;

	for (size_t i = 0; i < all->n; i++)
		if (all->v[i].health > worst)
			worst = all->v[i].health;
	if (worst == PTUI_HEALTH_REFUSED)
		return CLI_FAILED;
	return worst == PTUI_HEALTH_LIMITED ? CLI_NONE : CLI_OK;
}

static int run_doctor(struct cli *cli, int argc, char **argv)
{
	struct doctor_options o = { .json = false };
	struct ptui_error err = PTUI_ERROR_INIT;
	struct ptui_findings all;
	struct option_result words;
	struct buf out = BUF_INIT;
	int status;

	if (!cli_parse(cli, &o, argc, argv, 0, &words))
		return cli->status;
	if (words.n_words)
		return cli_invalid(cli, _("unexpected argument '%s'"), argv[0]);
	if (ptui_doctor_run(&all, &err)) {
		status = cli_failed(cli, &err);
	} else {
		(o.json ? add_json : add_text)(&out, &all);
		status = cli_put(&out) ? CLI_FAILED : status_of(&all);
	}
	ptui_findings_release(&all);
	buf_release(&out);
	return status;
}

static const char *const doctor_usage[] = {
	N_("[OPTIONS]"),
	NULL,
};

static const struct cli_example doctor_examples[] = {
	{ "ptui doctor", N_("Check what this machine can record, and what prevents the rest.") },
	{ NULL, NULL },
};

const struct cli_command cmd_doctor = {
	.name = "doctor",
	.summary = N_("check what this machine can record, and what prevents the rest"),
	.usage = doctor_usage,
	.text = N_("Checks the kernel, its settings, your privileges and the hardware, and "
		   "reports how each affects recording and what would change it. Nothing is "
		   "modified.\n"
		   "\n"
		   "Exits with 0 if you can record everything this machine supports, with 1 if "
		   "a setting or missing privileges prevent some of it, and with 255 if nothing "
		   "can be recorded."),
	.options = doctor_options,
	.examples = doctor_examples,
	.run = run_doctor,
};
