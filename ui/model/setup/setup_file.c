/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The saved choices, as lines of a state file:
 *
 *	target command
 *	command make -j2
 *	end timed			after this many seconds, or "manual"
 *	seconds 10
 *	event sched:sched_switch
 *	filter prev_state > 0		of the event above
 *	frequency 4000			the last one
 *	rate frequency
 *	option sample-cpu		an option without a row; "delay=500", "bpf-event!". One that
 *					belongs to the events before it is among the events
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

struct reading {
	struct setup *s;
	const char *proc;
	bool has_event; /* that replaced the default */
	int arg;	/* of the line, from the table */
};

/* Each takes a value or changes nothing: -EINVAL, invalid; -ENOMEM. */

/* PID START NAME */
static int read_process(struct reading *r, const char *value)
{
	unsigned long long start;
	int pid, at = 0;

	if (sscanf(value, "%d %llu %n", &pid, &start, &at) != 2 || !at || pid <= 0)
		return -EINVAL;
	if (!process_is(r->proc, (pid_t)pid, start))
		return 0;
	return setup_set_process(r->s, (pid_t)pid, start, value + at, NULL);
}

static int read_event(struct reading *r, const char *value)
{
	int ret;

	if (!*value)
		return -EINVAL;
	if (!r->has_event)
		while (setup_event(r->s, 0))
			setup_remove_event(r->s, 0);
	ret = setup_put_named(r->s, "event", value, NULL);
	r->has_event |= !ret;
	return ret;
}

/* Of the event above, if it has none yet. */
static int read_filter(struct reading *r, const char *value)
{
	size_t n = setup_n_events(r->s);

	if (!*value || !r->has_event || setup_filter(r->s, n - 1))
		return -EINVAL;
	return setup_set_filter(r->s, n - 1, value, NULL);
}

/* Above 0: the last number of a rate, also if another rate is chosen; or the seconds. */
static int read_number(struct reading *r, const char *value)
{
	uint64_t number, *to = r->arg ? &r->s->rates[r->arg] : &r->s->seconds;
	const char *end = text_number(value, UINT64_MAX, &number);

	if (!end || *end || !number)
		return -EINVAL;
	*to = number;
	return r->arg && setup_choice(r->s, SETUP_RATE) == r->arg ?
		       setup_set_choice(r->s, SETUP_RATE, r->arg, NULL) :
		       0;
}

static int read_choice(struct reading *r, const char *value)
{
	const struct setup_form_row *row = &setup_form[r->arg];

	for (int i = 0; i < row->n; i++)
		if (!strcmp(row->values[i].id, value))
			return setup_set_choice(r->s, (enum setup_row)r->arg, i, NULL);
	return -EINVAL;
}

/* "sample-cpu", "delay=500", "no-inherit!" */
static int read_option(struct reading *r, const char *value)
{
	size_t n = strcspn(value, "=!");
	char *name = strndup(value, n);
	struct ptui_record_use use = { .off = value[n] == '!' };
	const char *rest = value + n + use.off;
	int ret = -EINVAL;

	if (!name)
		return -ENOMEM;
	use.option = ptui_record_option_find(name);
	use.value = *rest ? rest + 1 : NULL;
	if (use.option != SIZE_MAX && (!*rest || (*rest == '=' && !use.off)))
		ret = ptui_record_use_check(&use, NULL);
	free(name);
	return ret ? ret : setup_put(r->s, &use, NULL);
}

static int read_history(struct reading *r, const char *value)
{
	if (!*value || r->s->history.n >= SETUP_HISTORY_MAX)
		return -EINVAL;
	return words_add(&r->s->history, value);
}

static const struct {
	const char *name;
	int (*read)(struct reading *r, const char *value); /* or: */
	int (*set)(struct setup *s, const char *value, struct ptui_error *err);
	int arg; /* choice, or rate */
} lines[] = {
	{ "target", .read = read_choice, .arg = SETUP_TARGET },
	{ "command", .set = setup_set_command },
	{ "process", .read = read_process },
	{ "end", .read = read_choice, .arg = SETUP_END },
	{ "seconds", .read = read_number },
	{ "event", .read = read_event },
	{ "filter", .read = read_filter },
	{ "frequency", .read = read_number, .arg = SETUP_RATE_FREQUENCY },
	{ "period", .read = read_number, .arg = SETUP_RATE_PERIOD },
	{ "rate", .read = read_choice, .arg = SETUP_RATE },
	{ "callchain", .read = read_choice, .arg = SETUP_CALLS },
	{ "output", .set = setup_set_output },
	{ "option", .read = read_option },
	{ "past", .read = read_history },
	{ "preset", .set = setup_read_preset },
};
#define N_LINES (sizeof(lines) / sizeof(lines[0]))

static int read_line(void *ctx, const char *name, const char *value)
{
	struct reading *r = ctx;
	enum setup_target target = r->s->target;
	size_t i = 0;
	int ret;

	while (i < N_LINES && strcmp(name, lines[i].name) != 0)
		i++;
	if (i == N_LINES)
		return -EINVAL;
	r->arg = lines[i].arg;
	ret = lines[i].set ? lines[i].set(r->s, value, NULL) : lines[i].read(r, value);
	/* setting a command or a process made it the target; only its own line decides */
	if (strcmp(name, "target") != 0)
		r->s->target = target;
	return ret;
}

/*
 * Reads a text into the choices; the names of events are not checked. *bad: the number of invalid
 * lines. 0 or -ENOMEM.
 */
static int read_text(struct setup *s, const char *proc, char *text, size_t n, size_t *bad,
		     struct ptui_error *err)
{
	struct reading r = { .s = s, .proc = proc };

	return state_lines(text, n, read_line, &r, bad) ? ptui_error_nomem(err) : 0;
}

int setup_load(struct setup *s, const char *path, const char *proc, struct ptui_error *err)
{
	size_t n = 0, n_bad = 0;
	char *text = NULL;
	int ret = state_read(path, &text, &n);

	if (ret == -ENOMEM)
		return ptui_error_nomem(err);
	if (ret)
		return ptui_error_errno(err, -ret, path, _("cannot read the saved setup from %s"),
					path);
	ret = read_text(s, proc, text, n, &n_bad, err);
	if (!ret && n_bad)
		ret = ptui_error_set(err, PTUI_ERROR_INPUT, EBADMSG, path,
				     Q_("%zu invalid line of the saved setup in %s was ignored",
					"%zu invalid lines of the saved setup in %s were ignored",
					n_bad),
				     n_bad, path);
	free(text);
	return ret;
}

int setup_from_text(struct setup *s, const char *text, const char *proc, struct ptui_error *err)
{
	struct setup fresh = { .target = SETUP_COMMAND };
	char *copy = strdup(text);
	int ret = copy && !setup_init(&fresh) ? 0 : ptui_error_nomem(err);
	size_t n_bad = 0;

	setup_clear(&fresh);
	if (!ret)
		ret = read_text(&fresh, proc, copy, strlen(copy), &n_bad, err);
	if (!ret)
		setup_replace(s, &fresh, false);
	setup_release(&fresh);
	free(copy);
	return ret;
}

/* ---- writing ---- */

/* Events with what belongs to them, the output, and options that no other line has. */
static void put_uses(struct buf *out, const struct setup *s)
{
	const struct ptui_record_use *more;
	struct ptui_record_option o;
	size_t at = 0;

	more = setup_more(s, &at);
	for (size_t i = 0; i < s->n_uses; i++) {
		const struct ptui_record_use *u = &s->uses[i].use;

		ptui_record_option(u->option, &o);
		if (u == more) {
			const char letter[] = { o.letter, '\0' };

			state_put(out, "option", "%s%s%s%s", o.name ? o.name : letter,
				  u->off ? "!" : "", u->value ? "=" : "", u->value ? u->value : "");
			more = setup_more(s, &at);
		} else if (s->uses[i].part >= SETUP_PART_EVENT) {
			state_put(out, o.name, "%s", u->value);
		}
	}
}

static void put_choices(struct buf *out, const struct setup *s)
{
	state_put(out, "command", "%s", s->command);
	if (s->pid)
		state_put(out, "process", "%d %" PRIu64 " %s", (int)s->pid, s->pid_start,
			  s->pid_name);
	state_put(out, "seconds", "%" PRIu64, s->seconds);
	state_put(out, "frequency", "%" PRIu64, s->rates[SETUP_RATE_FREQUENCY]);
	state_put(out, "period", "%" PRIu64, s->rates[SETUP_RATE_PERIOD]);
	for (int i = 0; i < N_SETUP_ROWS; i++) {
		int value = setup_form[i].key ? setup_choice(s, (enum setup_row)i) :
						SETUP_BY_OPTION;

		if (value != SETUP_BY_OPTION)
			state_put(out, setup_form[i].key, "%s", setup_form[i].values[value].id);
	}
	put_uses(out, s);
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
	if (ret == -ENOMEM)
		return ptui_error_nomem(err);
	return ret ? ptui_error_errno(err, -ret, path, _("cannot save the setup to %s"), path) : 0;
}
