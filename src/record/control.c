/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <poll.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "base/i18n.h"
#include "event/attr_text.h"
#include "ptui/log.h"
#include "record/control.h"

#define MS_NS 1000000ULL

int control_init(struct control *c, const struct ptui_record_control *how, struct ptui_error *err)
{
	int ret = 0;

	memset(c, 0, sizeof(*c));
	c->fd = c->ack_fd = -1;
	c->how = *how;
	if (how->delay)
		ret = control_parse_delay(c, how->delay, err);
	if (!ret && how->channel)
		ret = control_parse_channel(c, how->channel, err);
	c->how.delay = c->how.channel = NULL;
	return ret;
}

static void close_channel(struct control *c)
{
	if (c->own_fds && c->fd >= 0)
		close(c->fd);
	if (c->own_fds && c->ack_fd >= 0)
		close(c->ack_fd);
	c->fd = c->ack_fd = -1;
}

void control_release(struct control *c)
{
	close_channel(c);
	free(c->stretches);
	memset(c, 0, sizeof(*c));
	c->fd = c->ack_fd = -1;
}

bool control_starts_off(const struct control *c)
{
	return c->delayed;
}

bool control_starts_late(const struct control *c)
{
	return c->n_stretches == 1 && c->stretches[0].off_ms == UINT64_MAX;
}

int control_fd(const struct control *c)
{
	return c->fd;
}

/* Logs one line for the user, without a newline. */
static void PTUI_PRINTF(2, 3) control_say(struct control *c, const char *fmt, ...)
{
	struct buf line = BUF_INIT;
	va_list args;

	if (!c->how.say)
		return;
	va_start(args, fmt);
	buf_vaddf(&line, fmt, args);
	va_end(args);
	if (!line.err)
		c->how.say(c->how.say_ctx, buf_str(&line));
	buf_release(&line);
}

/* ---- timed switching (-D) ---- */

static uint64_t elapsed_ms(const struct control *c)
{
	const struct kernel_ops *ops = c->target.ops;

	return (ops->clock_ns(ops->ctx) - c->began_ns) / MS_NS;
}

static void switch_all(struct control *c, bool on)
{
	int ret = c->target.switch_all(c->target.ctx, on);

	if (ret)
		ptui_log(PTUI_LOG_WARN, "record", _("cannot switch the counters (%s)"),
			 strerror(-ret));
	control_say(c, "%s", on ? _("Events enabled") : _("Events disabled"));
}

static int switch_counters(void *ctx, bool on)
{
	return on ? counters_enable(ctx) : counters_disable(ctx);
}

static int switch_counter(void *ctx, uint32_t event, bool on)
{
	counters_switch(ctx, event, on);
	return 0;
}

void control_begin(struct control *c, struct counters *counters, struct snapshots *snapshots)
{
	const struct control_target target = { counters->ops, counters->events, switch_counters,
					       switch_counter, counters };

	c->snapshots = snapshots;
	counters->off = c->delayed;
	control_begin_target(c, &target);
}

void control_begin_target(struct control *c, const struct control_target *target)
{
	c->target = *target;
	c->at = 0;
	c->on = false;
	c->began_ns = target->ops->clock_ns(target->ops->ctx);
	if (c->delayed)
		control_say(c, "%s", _("Events disabled"));
}

/* When the counters are switched next; UINT64_MAX: never. */
static uint64_t next_ms(const struct control *c)
{
	if (c->at >= c->n_stretches)
		return UINT64_MAX;
	return c->on ? c->stretches[c->at].off_ms : c->stretches[c->at].on_ms;
}

int control_wait_ms(const struct control *c, int ms)
{
	uint64_t next = next_ms(c), now;

	if (next == UINT64_MAX)
		return ms;
	now = elapsed_ms(c);
	if (next <= now)
		return 0;
	return next - now < (uint64_t)ms ? (int)(next - now) : ms;
}

static void switch_by_time(struct control *c)
{
	while (next_ms(c) != UINT64_MAX && next_ms(c) <= elapsed_ms(c)) {
		c->on = !c->on;
		switch_all(c, c->on);
		if (!c->on)
			c->at++;
	}
}

/* ---- commands ---- */

/*
 * "enable" has no argument (NULL), "enable NAME" has one. False: the word only begins like the
 * command.
 */
static bool control_parse_argument(const char *rest, const char **ret)
{
	*ret = NULL;
	if (!*rest)
		return true;
	if (*rest != ' ')
		return false;
	*ret = rest + 1;
	return true;
}

static void switch_named(struct control *c, const char *name, bool on)
{
	const struct event_list *events = c->target.events;
	bool found = false;

	for (uint32_t i = 0; i < events->n; i++) {
		if (events->v[i].sideband || strcmp(events->v[i].name, name))
			continue;
		found = true;
		c->target.switch_event(c->target.ctx, i, on);
	}
	if (!found)
		control_say(c, _("failed: can't find '%s' event"), name);
	else if (on)
		control_say(c, _("Event %s enabled"), name);
	else
		control_say(c, _("Event %s disabled"), name);
}

static void switch_on_command(struct control *c, const char *rest, bool on)
{
	const char *name;

	if (!control_parse_argument(rest, &name))
		control_say(c, "%s", _("failed: wrong command"));
	else if (name)
		switch_named(c, name, on);
	else
		switch_all(c, on);
}

static bool do_enable(struct control *c, const char *rest)
{
	switch_on_command(c, rest, true);
	return false;
}

static bool do_disable(struct control *c, const char *rest)
{
	switch_on_command(c, rest, false);
	return false;
}

/* ---- evlist ---- */

static void put_name(struct buf *out, const struct event_list *events, uint32_t i)
{
	buf_addf(out, "%s\n", events->v[i].name);
}

static void put_attr(struct buf *out, const struct event_list *events, uint32_t i)
{
	attr_text(out, &events->v[i]);
}

static void put_freq(struct buf *out, const struct event_list *events, uint32_t i)
{
	const struct perf_event_attr *attr = &events->v[i].attr;

	buf_addf(out, "%s: %s=%llu\n", events->v[i].name,
		 attr->freq ? "sample_freq" : "sample_period",
		 (unsigned long long)attr->sample_period);
}

/* A group on one line: "{a,b}". */
static void put_group(struct buf *out, const struct event_list *events, uint32_t i)
{
	uint32_t m = i + 1;

	if (events->v[i].leader != i)
		return;
	if (m == events->n || events->v[m].leader != i) {
		put_name(out, events, i);
		return;
	}
	buf_addf(out, "{%s", events->v[i].name);
	for (; m < events->n && events->v[m].leader == i; m++)
		buf_addf(out, ",%s", events->v[m].name);
	buf_add_str(out, "}\n");
}

static const struct {
	const char *option;
	void (*put)(struct buf *out, const struct event_list *events, uint32_t i);
} lists[] = {
	{ "", put_name },
	{ "-v", put_attr },
	{ "-g", put_group },
	{ "-F", put_freq },
};

static bool do_evlist(struct control *c, const char *rest)
{
	const struct event_list *events = c->target.events;
	struct buf out = BUF_INIT;
	const char *option;
	size_t k = sizeof(lists) / sizeof(*lists);

	if (control_parse_argument(rest, &option))
		for (k = 0; k < sizeof(lists) / sizeof(*lists); k++)
			if (!strcmp(option ? option : "", lists[k].option))
				break;
	if (k == sizeof(lists) / sizeof(*lists)) {
		control_say(c, "%s", _("failed: wrong command"));
		return false;
	}
	for (uint32_t i = 0; i < events->n; i++)
		lists[k].put(&out, events, i);
	if (!out.err && out.len)
		control_say(c, "%.*s", (int)out.len - 1, buf_str(&out));
	buf_release(&out);
	return false;
}

/* ---- other commands ---- */

static bool do_nothing(struct control *c, const char *rest)
{
	(void)c;
	(void)rest;
	return false;
}

static bool do_snapshot(struct control *c, const char *rest)
{
	(void)rest;
	if (c->snapshots)
		snapshots_ask(c->snapshots, PTUI_SNAPSHOT_CONTROL);
	else
		control_say(c, "%s", _("failed: this recording takes no snapshots"));
	return false;
}

static bool do_stop(struct control *c, const char *rest)
{
	(void)c;
	(void)rest;
	return true;
}

/* Matched by prefix, as in perf. "ack" itself gets no reply. */
static const struct {
	const char *word;
	bool answered;
	bool (*act)(struct control *c, const char *rest); /* true: stop recording */
} commands[] = {
	{ "enable", true, do_enable }, { "disable", true, do_disable },
	{ "ack", false, do_nothing },  { "snapshot", true, do_snapshot },
	{ "evlist", true, do_evlist }, { "stop", true, do_stop },
	{ "ping", true, do_nothing },
};

static void control_send_ack(struct control *c)
{
	static const char ack[] = "ack\n"; /* with its \0, as perf writes it */

	if (c->ack_fd >= 0 && write(c->ack_fd, ack, sizeof(ack)) < 0)
		ptui_log(PTUI_LOG_WARN, "record",
			 _("cannot write to the ack file of --control "
			   "(%s)"),
			 strerror(errno));
}

static bool control_run_command(struct control *c)
{
	bool end = false;

	c->line[c->len] = '\0';
	c->len = 0;
	for (size_t k = 0; k < sizeof(commands) / sizeof(*commands); k++) {
		size_t n = strlen(commands[k].word);

		if (strncmp(c->line, commands[k].word, n))
			continue;
		end = commands[k].act(c, c->line + n);
		if (commands[k].answered)
			control_send_ack(c);
		return end;
	}
	if (*c->line)
		ptui_log(PTUI_LOG_INFO, "record", _("--control: unknown command '%s'"), c->line);
	return false;
}

/* One read() only, which never blocks, whatever the type of the file. */
static bool read_commands(struct control *c, bool *ret_stop)
{
	char bytes[256];
	ssize_t got = read(c->fd, bytes, sizeof(bytes));

	if (got < 0)
		return errno == EAGAIN || errno == EINTR;
	for (ssize_t i = 0; i < got && !*ret_stop; i++) {
		bool end = bytes[i] == '\n' || !bytes[i];

		if (!end)
			c->line[c->len++] = bytes[i];
		if (end || c->len == CONTROL_LINE_MAX - 1)
			*ret_stop = control_run_command(c);
	}
	return got > 0;
}

bool control_turn(struct control *c, short revents)
{
	bool stop = false, open = true;

	switch_by_time(c);
	if (c->fd < 0)
		return false;
	if (revents & POLLIN)
		open = read_commands(c, &stop);
	else if (revents & (POLLHUP | POLLERR | POLLNVAL))
		open = false;
	if (!open)
		close_channel(c);
	return stop;
}
