/* SPDX-License-Identifier: GPL-2.0-or-later */
/* ptui(1) in roff, from the tables that are also parsed and printed as help. */
#include <string.h>
#include "base/i18n.h"
#include "base/text.h"
#include "cli/command.h"

/* One character of text; `start`: at the start of a line, where a dot begins a request. */
static void roff_char(struct buf *out, char c, bool start)
{
	switch (c) {
	case '\\':
		buf_add_str(out, "\\e");
		break;
	case '-':
		buf_add_str(out, "\\-");
		break;
	case '^': /* else printed as accents */
		buf_add_str(out, "\\(ha");
		break;
	case '~':
		buf_add_str(out, "\\(ti");
		break;
	case '\'':
		buf_add_str(out, "\\(aq");
		break;
	case '.':
		buf_add_str(out, start ? "\\&." : ".");
		break;
	default:
		buf_add_char(out, c);
	}
}

/* groff does not break lines at wide characters by itself: \: allows it. */
static void roff_lines(struct buf *out, const char *text, bool paragraphs)
{
	const char *p, *end = text; /* of text that must stay on one line */

	for (p = text; *p; p++) {
		if (paragraphs && p[0] == '\n' && p[1] == '\n') {
			buf_add_str(out, "\n.PP\n");
			p++;
			continue;
		}
		if (p >= end) {
			if (p > text && !strchr(" \n", p[-1]) && !strchr(" \n", *p))
				buf_add_str(out, "\\:");
			end = p + text_piece(p);
		}
		roff_char(out, *p, p == text || p[-1] == '\n');
	}
}

static void roff_words(struct buf *out, const char *text)
{
	roff_lines(out, text, false);
}

/* Paragraphs, separated by an empty line. */
static void roff_text(struct buf *out, const char *text)
{
	roff_lines(out, text, true);
	buf_add_char(out, '\n');
}

static void roff_font(struct buf *out, char font, const char *text)
{
	buf_addf(out, "\\f%c", font);
	roff_words(out, text);
	buf_add_str(out, "\\fR");
}

static void roff_heading(struct buf *out, const char *macro, const char *text)
{
	buf_addf(out, ".%s \"", macro);
	roff_words(out, text);
	buf_add_str(out, "\"\n");
}

static void add_option(struct buf *out, const struct option *opt)
{
	buf_add_str(out, ".TP\n");
	if (opt->letter)
		buf_addf(out, "\\fB\\-%c\\fR%s", opt->letter, opt->name ? ", " : "");
	if (opt->name) {
		buf_add_str(out, option_has_no(opt) ? "\\fB\\-\\-\\fR[\\fBno\\-\\fR]" :
						      "\\fB\\-\\-\\fR");
		roff_font(out, 'B', opt->name);
	}
	if (option_takes_value(opt)) {
		bool may_end = opt->flags & (OPTION_MAY_END | OPTION_ATTACHED);

		buf_add_str(out, opt->flags & OPTION_ATTACHED ? "[=" : may_end ? " [" : " ");
		roff_font(out, 'I', _(opt->word));
		buf_add_str(out, may_end ? "]" : "");
	}
	buf_add_char(out, '\n');
	roff_text(out, _(opt->help));
}

/* `groups`: with headings. */
static void add_options(struct buf *out, const struct option *opt, bool groups)
{
	for (; opt->type != OPTION_END; opt++) {
		if (opt->flags & OPTION_HIDDEN)
			continue;
		if (opt->type != OPTION_GROUP) {
			add_option(out, opt);
		} else if (groups) {
			buf_add_str(out, ".PP\n");
			roff_font(out, 'I', _(opt->help));
			buf_add_char(out, '\n');
		}
	}
}

static void add_synopsis(struct buf *out)
{
	roff_heading(out, "SH", _("SYNOPSIS"));
	buf_add_str(out, "\\fBptui\\fR\n.br\n"
			 "\\fBptui\\fR [\\fB\\-\\-version\\fR] [\\fB\\-\\-help\\fR]\n");
	for (size_t i = 0; cli_commands[i]; i++) {
		for (size_t k = 0; cli_commands[i]->usage[k]; k++) {
			buf_add_str(out, ".br\n\\fBptui ");
			roff_words(out, cli_commands[i]->name);
			buf_add_str(out, "\\fR ");
			roff_words(out, _(cli_commands[i]->usage[k]));
			buf_add_char(out, '\n');
		}
	}
}

static void add_commands(struct buf *out)
{
	roff_heading(out, "SH", _("COMMANDS"));
	for (size_t i = 0; cli_commands[i]; i++) {
		const struct cli_command *command = cli_commands[i];

		buf_add_str(out, ".SS \"ptui ");
		roff_words(out, command->name);
		buf_add_str(out, "\"\n");
		roff_text(out, _(command->text));
		add_options(out, command->options, true);
	}
}

static void add_term(struct buf *out, const char *word, const char *text);

/* Two commands may share a setting, which is printed once. */
static bool told_before(size_t command, const char *name)
{
	for (size_t i = 0; i < command; i++)
		for (const struct cli_setting *s = cli_commands[i]->settings; s && s->name; s++)
			if (!strcmp(s->name, name))
				return true;
	return false;
}

static void add_defaults(struct buf *out)
{
	struct buf word = BUF_INIT;

	roff_heading(out, "SH", _("DEFAULTS"));
	roff_text(out,
		  _("Defaults for the command line are read from ~/.config/ptui/config, then "
		    "from perf's configuration, for settings with the same meaning: "
		    "$PERF_CONFIG, or else ~/.perfconfig and /etc/perfconfig. An error in ptui's "
		    "file is fatal and reported with its line; an error in perf's is reported "
		    "and ignored. In ptui's file, sections follow the lines for the screens:"));
	buf_add_str(out, ".RS\n.nf\n[record]\nbuild\\-id = cache\n.fi\n.RE\n");
	for (size_t i = 0; cli_commands[i]; i++) {
		for (const struct cli_setting *s = cli_commands[i]->settings; s && s->name; s++) {
			if (told_before(i, s->name))
				continue;
			buf_clear(&word);
			buf_addf(&word, "%s = %s", s->name, _(s->word));
			add_term(out, buf_str(&word), _(s->help));
		}
	}
	buf_release(&word);
}

/* A bold word with its description. */
struct term {
	const char *word, *text;
};

static const struct term exit_terms[] = {
	{ "0",
	  N_("Success. A recording that is damaged or incomplete is shown as far as it can be read; what "
	     "is missing is reported on standard error.") },
	{ "1",
	  N_("No command, or no such command; no matching event; a file that is not in the build-id "
	     "cache. 'ptui doctor': a setting or missing privileges prevent part of what this machine "
	     "can record.") },
	{ "129",
	  N_("Invalid command line: an unknown option, an invalid value, an unknown event, or an "
	     "option that requires data which the recording does not have.") },
	{ "255",
	  N_("Failed; the reason is on standard error. 'ptui doctor': nothing can be recorded.") },
	{ NULL, NULL },
};

static const struct term environment_terms[] = {
	{ "PTUI_PAGER, PAGER",
	  N_("Pager for long output on a terminal, as a shell command; empty or 'cat' "
	     "disables it. The default is less(1), with LESS=FRSX if LESS is not set; none if "
	     "TERM is 'dumb'.") },
	{ "PTUI_DEBUG",
	  N_("Enables a debug log: 1 writes to standard error, any other value is the "
	     "name of a file to append to.") },
	{ "PERF_CONFIG, PERF_CONFIG_NOSYSTEM, PERF_CONFIG_NOGLOBAL",
	  N_("As in perf: the only perf configuration file to read; true: ignore "
	     "/etc/perfconfig; true: ignore ~/.perfconfig.") },
	{ "LC_ALL, LC_MESSAGES, LANG, LANGUAGE",
	  N_("Language of messages, and the character encoding.") },
	{ "PTUI_LOCALEDIR", N_("Directory of the translations, if ptui is not installed.") },
	{ NULL, NULL },
};

static const struct term file_terms[] = {
	{ "perf.data", N_("Default recording, written and read if no other file is given.") },
	{ "~/.perfconfig, /etc/perfconfig", N_("perf's defaults; see DEFAULTS.") },
	{ "/proc/sys/kernel/perf_event_paranoid",
	  N_("What the kernel allows unprivileged users to measure.") },
	{ "/sys/kernel/tracing", N_("tracefs, which contains the tracepoints.") },
	{ NULL, NULL },
};

static void add_term(struct buf *out, const char *word, const char *text)
{
	buf_add_str(out, ".TP\n");
	roff_font(out, 'B', word);
	buf_add_char(out, '\n');
	roff_text(out, text);
}

static void add_terms(struct buf *out, const char *heading, const char *text,
		      const struct term *term)
{
	roff_heading(out, "SH", heading);
	if (text)
		roff_text(out, text);
	for (; term->word; term++)
		add_term(out, term->word, _(term->text));
}

/* ---- sections written by the screens, if linked ---- */

struct paper {
	struct ptui_manual ops; /* first member: passed on as a pointer to the whole */
	struct buf *out;
};

static struct buf *out_of(struct ptui_manual *m)
{
	return ((struct paper *)m)->out;
}

static void paper_section(struct ptui_manual *m, const char *title)
{
	roff_heading(out_of(m), "SH", title);
}

static void paper_subsection(struct ptui_manual *m, const char *title)
{
	roff_heading(out_of(m), "SS", title);
}

static void paper_text(struct ptui_manual *m, const char *text)
{
	roff_text(out_of(m), text);
}

static void paper_example(struct ptui_manual *m, const char *lines)
{
	struct buf *out = out_of(m);

	buf_add_str(out, ".RS\n.nf\n");
	roff_words(out, lines);
	buf_add_str(out, "\n.fi\n.RE\n");
}

static void paper_term(struct ptui_manual *m, const char *word, const char *text)
{
	add_term(out_of(m), word, text);
}

static void add_part(const struct cli *cli, enum ptui_manual_part part, struct buf *out)
{
	struct paper paper = {
		.ops = {
			.section = paper_section,
			.subsection = paper_subsection,
			.text = paper_text,
			.example = paper_example,
			.term = paper_term,
		},
		.out = out,
	};

	if (cli->hooks && cli->hooks->manual)
		cli->hooks->manual(cli->hooks->ctx, part, &paper.ops);
}

static void add_examples(struct buf *out)
{
	roff_heading(out, "SH", _("EXAMPLES"));
	for (size_t i = 0; cli_commands[i]; i++) {
		for (const struct cli_example *e = cli_commands[i]->examples; e && e->line; e++) {
			add_term(out, e->line, _(e->text));
		}
	}
}

void cli_man(const struct cli *cli, struct buf *out)
{
	buf_add_str(out, ".\\\" Made by 'ptui --man'; the text is in src/cli.\n");
	/* without a date, for reproducible builds */
	buf_addf(out, ".TH PTUI 1 \"\" \"ptui %s\" \"User Commands\"\n.nh\n.ad l\n",
		 PACKAGE_VERSION);
	roff_heading(out, "SH", _("NAME"));
	buf_add_str(out, "ptui \\- ");
	roff_text(out, _("record and show where programs spend their time"));
	add_synopsis(out);
	roff_heading(out, "SH", _("DESCRIPTION"));
	roff_text(
		out,
		_("ptui is a profiler for the kernel's perf events. It accepts the options of "
		  "perf(1), writes files that perf reads, and reads files that perf writes.\n"
		  "\n"
		  "Without a command, on a terminal, it opens its screens: Setup, to choose "
		  "what to measure, with the equivalent command line; Live, which shows counts "
		  "and the hottest functions during the recording; and the Browser, which "
		  "'ptui report' opens too. The last line of each screen shows the keys that "
		  "apply there, '?' lists all of them. If no screen can be shown, ptui prints "
		  "text.\n"
		  "\n"
		  "One-letter options can be combined (-ag), with a value after the last one "
		  "(-F99). Long options can be abbreviated if they are unambiguous; their "
		  "value follows an equals sign or is the next argument. '--' ends the options."));
	roff_heading(out, "SH", _("OPTIONS"));
	add_options(out, cli_global_options, false);
	add_commands(out);
	add_defaults(out);
	add_part(cli, PTUI_MANUAL_SECTIONS, out);
	add_terms(
		out, _("EXIT STATUS"),
		_("'ptui record COMMAND' and 'ptui stat COMMAND' exit as the command did: with its "
		  "exit status, or by the same signal. Otherwise:"),
		exit_terms);
	add_terms(out, _("ENVIRONMENT"), NULL, environment_terms);
	add_part(cli, PTUI_MANUAL_ENVIRONMENT, out);
	add_terms(out, _("FILES"), NULL, file_terms);
	add_part(cli, PTUI_MANUAL_FILES, out);
	add_examples(out);
	roff_heading(out, "SH", _("SEE ALSO"));
	buf_add_str(out, "\\fBperf\\fR(1), \\fBperf\\-record\\fR(1), \\fBperf\\-list\\fR(1)\n");
}
