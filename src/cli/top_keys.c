/* SPDX-License-Identifier: GPL-2.0-or-later */
/* perf top --stdio's keys; annotation (F, s, S) is not there yet, and so not offered. */
#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include "base/i18n.h"
#include "base/text.h"
#include "cli/out.h"
#include "cli/top.h"

static void say(struct buf *text)
{
	/* what cannot be written is told at the next look */
	(void)cli_put(text);
	(void)cli_flush();
	buf_release(text);
}

/* Waits for something on stdin, or for the end. True: it can be read. */
static bool await_input(struct top *t)
{
	struct pollfd fds[2] = { { .fd = STDIN_FILENO, .events = POLLIN },
				 { .fd = ptui_live_wake_fd(t->live), .events = POLLIN } };
	enum ptui_live_state state;

	for (;;) {
		state = ptui_live_state(t->live);
		if (state == PTUI_LIVE_ENDED || state == PTUI_LIVE_FAILED)
			return false;
		if (poll(fds, 2, -1) < 0)
			continue;
		if (fds[1].revents)
			ptui_live_ack(t->live);
		if (fds[0].revents)
			return true;
	}
}

/* A line, without its end. False: there is none. */
static bool ask(struct top *t, const char *what, char *line, size_t size)
{
	struct buf text = BUF_INIT;
	bool there;
	ssize_t n;

	buf_addf(&text, "\n%s: ", what);
	say(&text);
	top_terminal_lines(true);
	there = await_input(t);
	n = there ? read(STDIN_FILENO, line, size - 1) : 0;
	top_terminal_lines(false);
	line[n > 0 ? n : 0] = '\0';
	line[strcspn(line, "\n")] = '\0';
	return *line != '\0';
}

static void ask_number(struct top *t, const char *what, uint64_t *value)
{
	char line[32];

	if (ask(t, what, line, sizeof(line)))
		option_number(line, 0, UINT32_MAX, value);
}

/* ---- what the keys do ---- */

static void set_delay(struct top *t)
{
	uint64_t seconds = 0;

	ask_number(t, _("Enter display delay"), &seconds);
	if (!seconds || seconds > UINT32_MAX / 1000)
		return;
	t->look.delay_ms = (uint32_t)seconds * 1000;
	ptui_live_set_refresh(t->live, t->look.delay_ms);
}

static void set_entries(struct top *t)
{
	ask_number(t, _("Enter display entries (lines)"), &t->look.entries);
}

static void set_filter(struct top *t)
{
	ask_number(t, _("Enter display event count filter"), &t->look.min_samples);
}

static bool has_events(const struct top *t)
{
	return ptui_live_n_events(t->live) > 1;
}

static void set_event(struct top *t)
{
	struct buf text = BUF_INIT;
	struct ptui_live_event e;
	uint64_t chosen = t->event;

	buf_addf(&text, "\n\n%s:", _("Available events"));
	for (size_t i = 0; i < ptui_live_n_events(t->live); i++) {
		ptui_live_event(t->live, i, &e);
		if (e.profile_event == PTUI_NONE)
			continue;
		buf_addf(&text, "\n\t%zu ", i);
		text_escape(&text, e.name);
	}
	buf_add_char(&text, '\n');
	say(&text);
	ask_number(t, _("Enter details event counter"), &chosen);
	ptui_live_event(t->live, chosen, &e);
	if (e.name && e.profile_event != PTUI_NONE)
		t->event = chosen;
}

/* Without either there would be nothing: what is hidden now replaces what was. */
static void hide_kernel(struct top *t)
{
	t->look.hide_kernel = !t->look.hide_kernel;
	t->look.hide_user &= !t->look.hide_kernel;
}

static void hide_user(struct top *t)
{
	t->look.hide_user = !t->look.hide_user;
	t->look.hide_kernel &= !t->look.hide_user;
}

static void zero(struct top *t)
{
	t->look.zero = !t->look.zero;
}

static void quit(struct top *t)
{
	t->done = true;
}

/* ---- what it is now ---- */

static void tell_delay(const struct top *t, struct buf *out)
{
	buf_addf(out, "%g", t->look.delay_ms / 1000.0);
}

static void tell_entries(const struct top *t, struct buf *out)
{
	if (t->look.entries)
		buf_addf(out, "%" PRIu64, t->look.entries);
	else
		buf_add_str(out, _("as many as fit"));
}

static void tell_event(const struct top *t, struct buf *out)
{
	struct ptui_live_event e;

	ptui_live_event(t->live, t->event, &e);
	text_escape(out, e.name ? e.name : "");
}

static void tell_filter(const struct top *t, struct buf *out)
{
	buf_addf(out, "%" PRIu64, t->look.min_samples);
}

static void tell_kernel(const struct top *t, struct buf *out)
{
	buf_add_str(out, t->look.hide_kernel ? _("yes") : _("no"));
}

static void tell_user(const struct top *t, struct buf *out)
{
	buf_add_str(out, t->look.hide_user ? _("yes") : _("no"));
}

static void tell_zero(const struct top *t, struct buf *out)
{
	buf_add_str(out, t->look.zero ? _("yes") : _("no"));
}

static const struct {
	char key, same;
	const char *text;
	void (*act)(struct top *t);
	void (*tell)(const struct top *t, struct buf *out); /* NULL: nothing to be told */
	bool (*can)(const struct top *t);		    /* NULL: always */
} keys[] = {
	{ 'd', 0, N_("display refresh delay"), set_delay, tell_delay, NULL },
	{ 'e', 0, N_("display entries (lines)"), set_entries, tell_entries, NULL },
	{ 'E', 0, N_("active event counter"), set_event, tell_event, has_events },
	{ 'f', 0, N_("display only with more samples than"), set_filter, tell_filter, NULL },
	{ 'K', 0, N_("hide kernel symbols"), hide_kernel, tell_kernel, NULL },
	{ 'U', 0, N_("hide user symbols"), hide_user, tell_user, NULL },
	{ 'z', 0, N_("toggle sample zeroing"), zero, tell_zero, NULL },
	{ 'q', 'Q', N_("quit"), quit, NULL, NULL },
};

#define N_KEYS (sizeof(keys) / sizeof(keys[0]))

static size_t find_key(const struct top *t, char key)
{
	for (size_t i = 0; i < N_KEYS; i++)
		if ((key == keys[i].key || (keys[i].same && key == keys[i].same)) &&
		    (!keys[i].can || keys[i].can(t)))
			return i;
	return N_KEYS;
}

/* As with perf: what stands here, and the next key counts. */
static size_t help(struct top *t)
{
	struct buf text = BUF_INIT;
	char key;

	buf_addf(&text, "\n%s:\n", _("Mapped keys"));
	for (size_t i = 0; i < N_KEYS; i++) {
		if (keys[i].can && !keys[i].can(t))
			continue;
		buf_addf(&text, "\t[%c%.1s]\t%s", keys[i].key, &keys[i].same, _(keys[i].text));
		if (keys[i].tell) {
			buf_add_str(&text, "\t(");
			keys[i].tell(t, &text);
			buf_add_char(&text, ')');
		}
		buf_add_char(&text, '\n');
	}
	buf_addf(&text, "\n%s ", _("Enter selection, or unmapped key to continue:"));
	say(&text);
	if (!await_input(t) || read(STDIN_FILENO, &key, 1) != 1)
		return N_KEYS;
	return find_key(t, key);
}

void top_key(struct top *t, char key)
{
	size_t i = find_key(t, key);

	if (i == N_KEYS)
		i = help(t);
	if (i < N_KEYS)
		keys[i].act(t);
}
