/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The keys of perf top --stdio, without annotation (F, s, S), which ptui does not have yet. */
#include <inttypes.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>
#include "base/i18n.h"
#include "base/text.h"
#include "cli/out.h"
#include "cli/top/top.h"

static void print_text(struct buf *text)
{
	/* a write error is reported at the next refresh */
	(void)cli_put(text);
	(void)cli_flush();
	buf_release(text);
}

/* Waits for input or for the end. True: stdin is readable. */
static bool await_input(struct top *t)
{
	struct pollfd fds[2] = { { .fd = STDIN_FILENO, .events = POLLIN },
				 { .fd = ptui_live_wake_fd(t->live), .events = POLLIN } };

	while (!ptui_live_is_over(t->live)) {
		if (poll(fds, 2, -1) < 0)
			continue;
		if (fds[1].revents)
			ptui_live_ack(t->live);
		if (fds[0].revents)
			return true;
	}
	return false;
}

/* Reads a line, without its newline. False: none. */
static bool read_answer(struct top *t, const char *what, char *line, size_t size)
{
	struct buf text = BUF_INIT;
	bool there;
	ssize_t n;

	buf_addf(&text, "\n%s: ", what);
	print_text(&text);
	top_terminal_lines(true);
	there = await_input(t);
	n = there ? read(STDIN_FILENO, line, size - 1) : 0;
	top_terminal_lines(false);
	line[n > 0 ? n : 0] = '\0';
	line[strcspn(line, "\n")] = '\0';
	return *line != '\0';
}

static void read_number_answer(struct top *t, const char *what, uint64_t *value)
{
	char line[32];

	if (read_answer(t, what, line, sizeof(line)))
		option_number(line, 0, UINT32_MAX, value);
}

/* ---- actions ---- */

static void set_delay(struct top *t)
{
	uint64_t seconds = 0;

	read_number_answer(t, _("Enter display delay"), &seconds);
	if (!seconds || seconds > UINT32_MAX / 1000)
		return;
	t->look.delay_ms = (uint32_t)seconds * 1000;
	ptui_live_set_refresh(t->live, t->look.delay_ms);
}

static void set_entries(struct top *t)
{
	read_number_answer(t, _("Enter display entries (lines)"), &t->look.entries);
}

static void set_filter(struct top *t)
{
	read_number_answer(t, _("Enter display event count filter"), &t->look.min_samples);
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
	print_text(&text);
	read_number_answer(t, _("Enter details event counter"), &chosen);
	ptui_live_event(t->live, chosen, &e);
	if (e.name && e.profile_event != PTUI_NONE)
		t->event = chosen;
}

/* Hiding both would show nothing: hiding one shows the other. */
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

/* ---- current values ---- */

static void put_delay(const struct top *t, struct buf *out)
{
	buf_addf(out, "%g", t->look.delay_ms / 1000.0);
}

static void put_entries(const struct top *t, struct buf *out)
{
	if (t->look.entries)
		buf_addf(out, "%" PRIu64, t->look.entries);
	else
		buf_add_str(out, _("as many as fit"));
}

static void put_event(const struct top *t, struct buf *out)
{
	struct ptui_live_event e;

	ptui_live_event(t->live, t->event, &e);
	text_escape(out, e.name ? e.name : "");
}

static void put_filter(const struct top *t, struct buf *out)
{
	buf_addf(out, "%" PRIu64, t->look.min_samples);
}

static void put_kernel(const struct top *t, struct buf *out)
{
	buf_add_str(out, t->look.hide_kernel ? _("yes") : _("no"));
}

static void put_user(const struct top *t, struct buf *out)
{
	buf_add_str(out, t->look.hide_user ? _("yes") : _("no"));
}

static void put_zero(const struct top *t, struct buf *out)
{
	buf_add_str(out, t->look.zero ? _("yes") : _("no"));
}

static const struct {
	char key, same;
	const char *text;
	void (*act)(struct top *t);
	void (*put_value)(const struct top *t, struct buf *out); /* NULL: no value */
	bool (*can)(const struct top *t);			 /* NULL: always available */
} keys[] = {
	{ 'd', 0, N_("display refresh delay"), set_delay, put_delay, NULL },
	{ 'e', 0, N_("display entries (lines)"), set_entries, put_entries, NULL },
	{ 'E', 0, N_("active event counter"), set_event, put_event, has_events },
	{ 'f', 0, N_("display only with more samples than"), set_filter, put_filter, NULL },
	{ 'K', 0, N_("hide kernel symbols"), hide_kernel, put_kernel, NULL },
	{ 'U', 0, N_("hide user symbols"), hide_user, put_user, NULL },
	{ 'z', 0, N_("toggle sample zeroing"), zero, put_zero, NULL },
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

/* As in perf: shows the help, and reads the next key. */
static size_t help(struct top *t)
{
	struct buf text = BUF_INIT;
	char key;

	buf_addf(&text, "\n%s:\n", _("Mapped keys"));
	for (size_t i = 0; i < N_KEYS; i++) {
		if (keys[i].can && !keys[i].can(t))
			continue;
		buf_addf(&text, "\t[%c%.1s]\t%s", keys[i].key, &keys[i].same, _(keys[i].text));
		if (keys[i].put_value) {
			buf_add_str(&text, "\t(");
			keys[i].put_value(t, &text);
			buf_add_char(&text, ')');
		}
		buf_add_char(&text, '\n');
	}
	buf_addf(&text, "\n%s ", _("Enter selection, or unmapped key to continue:"));
	print_text(&text);
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
