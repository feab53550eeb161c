/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The saved choices, as lines of a state file:
 *
 *	target command
 *	command make -j2
 *	end timed			after this many seconds, or "manual"
 *	seconds 10
 *	frequency 4000			the last one
 *	period 1000000
 *	options -F 99 -g -e cs		all others, events among them: a command line without the target
 *	rate frequency			or "none": only counted
 *	preset mine<tab>ptui record -g	a user preset
 *	past make -j2			a command of an earlier session, oldest first
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/text.h"
#include "model/setup/process.h"
#include "model/setup/setup.h"
#include "model/state_file.h"
#include "text/i18n.h"

/* ---- reading ---- */

/* Each takes a value or changes nothing: -EINVAL, invalid; -ENOMEM. `arg`: of the line. */

/* PID START NAME */
static int read_process(struct setup *s, const char *value, int arg)
{
	unsigned long long start;
	int pid, at = 0;

	(void)arg;
	if (sscanf(value, "%d %llu %n", &pid, &start, &at) != 2 || !at || pid <= 0)
		return -EINVAL;
	if (!process_is(s->proc, (pid_t)pid, start))
		return 0;
	return setup_set_process(s, (pid_t)pid, start, value + at);
}

/* Above 0: the last number of a rate, also if another rate is chosen; or the seconds. */
static int read_number(struct setup *s, const char *value, int rate)
{
	uint64_t number, *to = rate ? &s->rates[rate] : &s->seconds;
	const char *end = text_number(value, UINT64_MAX, &number);

	if (!end || *end || !number)
		return -EINVAL;
	*to = number;
	return rate && setup_choice(s, SETUP_RATE) == rate ?
		       setup_set_choice(s, SETUP_RATE, rate, NULL) :
		       0;
}

static int read_choice(struct setup *s, const char *value, int c)
{
	const struct setup_form_row *row = &setup_form[c];

	for (int i = 0; i < row->n; i++)
		if (!strcmp(row->values[i].id, value))
			return setup_set_choice(s, (enum setup_row)c, i, NULL);
	return -EINVAL;
}

/* They are not checked with this machine: some may be refused today. */
static int read_options(struct setup *s, const char *value, int arg)
{
	const struct ptui_record_refusal *refusal;
	const struct ptui_record_use *use;
	struct ptui_record_line *line = NULL;
	struct words words = WORDS_INIT;
	int ret = words_split(&words, value, NULL);

	(void)arg;
	if (!ret)
		line = ptui_record_line_new((const char *const *)words.v, words.n,
					    PTUI_LINE_TOLERANT, NULL);
	if (line)
		setup_clear(s);
	for (size_t i = 0; line && !ret && (use = ptui_record_line_use(line, i)); i++)
		ret = setup_option(use->option)->part < SETUP_PART_SYSTEM ?
			      setup_put(s, use, NULL) :
			      -EINVAL;
	/* contradictions have no word: they are shown later */
	for (size_t i = 0; line && !ret && (refusal = ptui_record_line_refusal(line, i)); i++)
		ret = *refusal->word ? -EINVAL : 0;
	ptui_record_line_free(line);
	words_release(&words);
	return line ? ret : -EINVAL;
}

static int read_history(struct setup *s, const char *value, struct ptui_error *err)
{
	(void)err;
	return !*value || s->history.n >= SETUP_HISTORY_MAX ? -EINVAL :
							      words_add(&s->history, value);
}

static const struct {
	const char *name;
	int (*read)(struct setup *s, const char *value, int arg); /* or: */
	int (*set)(struct setup *s, const char *value, struct ptui_error *err);
	int arg; /* choice, or rate */
} lines[] = {
	{ "target", .read = read_choice, .arg = SETUP_TARGET },
	{ "command", .set = setup_set_command },
	{ "process", .read = read_process },
	{ "end", .read = read_choice, .arg = SETUP_END },
	{ "seconds", .read = read_number },
	{ "frequency", .read = read_number, .arg = SETUP_RATE_FREQUENCY },
	{ "period", .read = read_number, .arg = SETUP_RATE_PERIOD },
	{ "rate", .read = read_choice, .arg = SETUP_RATE },
	{ "options", .read = read_options },
	{ "past", .set = read_history },
	{ "preset", .set = setup_read_preset },
};
#define N_LINES (sizeof(lines) / sizeof(lines[0]))

static int read_line(void *ctx, const char *name, const char *value)
{
	struct setup *s = ctx;
	size_t i = 0;

	while (i < N_LINES && strcmp(name, lines[i].name) != 0)
		i++;
	if (i == N_LINES)
		return -EINVAL;
	return lines[i].set ? lines[i].set(s, value, NULL) : lines[i].read(s, value, lines[i].arg);
}

int setup_load(struct setup *s, const char *path, struct ptui_error *err)
{
	size_t n = 0, n_bad = 0;
	char *text = NULL;
	int ret = state_read(path, &text, &n);

	if (ret)
		return ptui_error_errno(err, -ret, path, _("cannot read the saved setup from %s"),
					path);
	ret = state_lines(text, n, read_line, s, &n_bad) ? ptui_error_nomem(err) : 0;
	/* as after a session that recorded temporary probes only */
	if (!ret && !setup_event(s, 0))
		(void)setup_set_event(s, 0, "cycles", NULL);
	if (!ret && n_bad)
		ret = ptui_error_set(err, PTUI_ERROR_INPUT, EBADMSG, path,
				     Q_("%zu invalid line of the saved setup in %s was ignored",
					"%zu invalid lines of the saved setup in %s were ignored",
					n_bad),
				     n_bad, path);
	free(text);
	return ret;
}

int setup_from_text(struct setup *s, const char *text, struct ptui_error *err)
{
	struct setup fresh = { .target = SETUP_COMMAND };
	char *copy = strdup(text);
	int ret = copy && !setup_init(&fresh) ? 0 : ptui_error_nomem(err);
	size_t n_bad = 0;

	setup_clear(&fresh);
	fresh.proc = s->proc;
	if (!ret && state_lines(copy, strlen(copy), read_line, &fresh, &n_bad))
		ret = ptui_error_nomem(err);
	if (!ret)
		setup_replace(s, &fresh, false);
	setup_release(&fresh);
	free(copy);
	return ret;
}

/* ---- writing ---- */

static void put_choices(struct buf *out, const struct setup *s)
{
	char *options = setup_options_text(s, false);

	out->err = options ? out->err : -ENOMEM;
	state_put(out, "command", "%s", s->command);
	if (s->pid)
		state_put(out, "process", "%d %" PRIu64 " %s", (int)s->pid, s->pid_start,
			  s->pid_name);
	state_put(out, "seconds", "%" PRIu64, s->seconds);
	state_put(out, "frequency", "%" PRIu64, s->rates[SETUP_RATE_FREQUENCY]);
	state_put(out, "period", "%" PRIu64, s->rates[SETUP_RATE_PERIOD]);
	state_put(out, "options", "%s", options ? options : "");
	free(options);
	for (int i = 0; i < N_SETUP_ROWS; i++) {
		int value = setup_form[i].key ? setup_choice(s, (enum setup_row)i) :
						SETUP_BY_OPTION;

		if (value != SETUP_BY_OPTION)
			state_put(out, setup_form[i].key, "%s", setup_form[i].values[value].id);
	}
	for (size_t i = 0; i < s->presets.n; i++)
		state_put(out, "preset", "%s", s->presets.v[i]);
}

char *setup_to_text(const struct setup *s)
{
	struct buf text = BUF_INIT;

	put_choices(&text, s);
	return buf_take(&text);
}

int setup_save(const struct setup *s, const char *path, struct ptui_error *err)
{
	struct buf text = BUF_INIT;
	int ret;

	put_choices(&text, s);
	for (size_t i = 0; i < s->history.n; i++)
		state_put(&text, "past", "%s", s->history.v[i]);
	ret = state_write(&text, path);
	buf_release(&text);
	return ret ? ptui_error_errno(err, -ret, path, _("cannot save the setup to %s"), path) : 0;
}
