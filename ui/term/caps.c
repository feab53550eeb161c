/* SPDX-License-Identifier: GPL-2.0-or-later */
/* terminfo, the only part of ncurses that is used: the terminal's capabilities. */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "term/private.h"
#include "text/i18n.h"

/* After ours, since <term.h> defines macros with common names, and a struct term. */
#include <curses.h>
#define term curses_term
#include <term.h>
#undef term

void out_add(struct out *o, const char *bytes, size_t n)
{
	if (!n)
		return;
	if (o->n + n > o->room) {
		size_t room = (o->n + n) * 2 + 1024;
		char *grown = realloc(o->bytes, room);

		if (!grown) {
			o->failed = true;
			return;
		}
		o->bytes = grown;
		o->room = room;
	}
	memcpy(o->bytes + o->n, bytes, n);
	o->n += n;
}

void out_text(struct out *o, const char *text)
{
	out_add(o, text, strlen(text));
}

void out_printf(struct out *o, const char *fmt, ...)
{
	char buf[128];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(buf, sizeof(buf), fmt, ap);
	va_end(ap);
	out_text(o, buf);
}

/* Copies without padding ($<5/>), which no terminal needs any more. Too long: "". */
static void copy_cap(char *to, size_t size, const char *from)
{
	size_t at = 0;

	while (from && *from) {
		if (from[0] == '$' && from[1] == '<' && strchr(from, '>')) {
			from = strchr(from, '>') + 1;
			continue;
		}
		if (at + 1 >= size) {
			at = 0;
			break;
		}
		to[at++] = *from++;
	}
	to[at] = '\0';
}

static const char *cap(const char *name)
{
	const char *s = tigetstr(name);

	return s == (const char *)-1 ? NULL : s;
}

static void read_cap(char *to, size_t size, const char *name)
{
	copy_cap(to, size, cap(name));
}

static void read_keys(struct input *in)
{
	static const struct {
		const char *name;
		key_code key;
	} keys[] = {
		{ "kcuu1", K_UP },
		{ "kcud1", K_DOWN },
		{ "kcub1", K_LEFT },
		{ "kcuf1", K_RIGHT },
		{ "khome", K_HOME },
		{ "kend", K_END },
		{ "kpp", K_PGUP },
		{ "knp", K_PGDN },
		{ "kich1", K_INSERT },
		{ "kdch1", K_DELETE },
		{ "kent", K_ENTER },
		{ "kcbt", K_SHIFT | K_TAB },
		{ "kf1", K_F1 },
		{ "kf2", K_F2 },
		{ "kf3", K_F3 },
		{ "kf4", K_F4 },
		{ "kf5", K_F5 },
		{ "kf6", K_F6 },
		{ "kf7", K_F7 },
		{ "kf8", K_F8 },
		{ "kf9", K_F9 },
		{ "kf10", K_F10 },
		{ "kf11", K_F11 },
		{ "kf12", K_F12 },
		{ "kLFT", K_SHIFT | K_LEFT },
		{ "kRIT", K_SHIFT | K_RIGHT },
	};
	size_t i;

	for (i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		const char *text = cap(keys[i].name);

		if (text && text[0] == '\033')
			input_add_key(in, text, keys[i].key);
	}
}

/* Mouse clicks and wheel in SGR encoding, bracketed paste; only for terminals with a mouse. */
static void read_modes(struct caps *c, bool mouse)
{
	char smcup[64], rmcup[64];
	bool xterm = cap("kmous") != NULL;

	read_cap(smcup, sizeof(smcup), "smcup");
	read_cap(rmcup, sizeof(rmcup), "rmcup");
	snprintf(c->enter, sizeof(c->enter), "%s%s%s%s", smcup, c->civis,
		 xterm ? "\033[?2004h" : "", xterm && mouse ? "\033[?1000h\033[?1006h" : "");
	/* Without an alternate screen, the shell continues below the last frame. */
	snprintf(c->leave, sizeof(c->leave), "%s%s%s%s%s%s", *c->csr ? CSR_WHOLE : "", c->sgr0,
		 xterm && mouse ? "\033[?1006l\033[?1000l" : "", xterm ? "\033[?2004l" : "",
		 c->cnorm, *rmcup ? rmcup : "\033[999;1H\r\n");
}

static void read_scrolling(struct caps *c)
{
	read_cap(c->csr, sizeof(c->csr), "csr");
	read_cap(c->ind, sizeof(c->ind), "ind");
	read_cap(c->ri, sizeof(c->ri), "ri");
	/* restoring must not depend on the number of rows */
	if (!*c->ind || !*c->ri || strcmp(c->csr, "\033[%i%p1%d;%p2%dr"))
		*c->csr = '\0';
}

int caps_read(struct caps *c, int fd, bool mouse, struct input *in, struct ptui_error *err)
{
	const char *name = getenv("TERM");
	int status = 0;

	memset(c, 0, sizeof(*c));
	if (setupterm(NULL, fd, &status) != OK) {
		return ptui_error_set(err, PTUI_ERROR_INPUT, ENOTTY, name ? name : "",
				      _("Unknown terminal: TERM is \"%s\"."), name ? name : "");
	}
	read_cap(c->cup, sizeof(c->cup), "cup");
	read_cap(c->clear, sizeof(c->clear), "clear");
	if (!*c->cup || !*c->clear) {
		return ptui_error_set(err, PTUI_ERROR_INPUT, ENOTTY, name,
				      _("This terminal (TERM is \"%s\") cannot move its cursor."),
				      name ? name : "");
	}
	read_cap(c->el, sizeof(c->el), "el");
	read_cap(c->civis, sizeof(c->civis), "civis");
	read_cap(c->cnorm, sizeof(c->cnorm), "cnorm");
	read_cap(c->sgr0, sizeof(c->sgr0), "sgr0");
	read_cap(c->bold, sizeof(c->bold), "bold");
	read_cap(c->dim, sizeof(c->dim), "dim");
	read_cap(c->smul, sizeof(c->smul), "smul");
	read_cap(c->rev, sizeof(c->rev), "rev");
	if (!*c->rev)
		read_cap(c->rev, sizeof(c->rev), "smso");
	read_cap(c->setaf, sizeof(c->setaf), "setaf");
	read_cap(c->setab, sizeof(c->setab), "setab");
	read_scrolling(c);
	c->colors = *c->setaf && *c->setab ? tigetnum("colors") : 0;
	c->wraps_at_once = tigetflag("am") > 0 && tigetflag("xenl") <= 0;
	c->bce = tigetflag("bce") > 0;
	read_modes(c, mouse);
	read_keys(in);
	return 0;
}

void caps_cup(const struct caps *c, struct out *o, int y, int x)
{
	const char *text = tiparm(c->cup, y, x);

	if (text)
		out_text(o, text);
}

void caps_csr(const struct caps *c, struct out *o, int first, int last)
{
	const char *text = tiparm(c->csr, first, last);

	if (text)
		out_text(o, text);
}

void caps_color(const struct caps *c, struct out *o, bool background, int color)
{
	const char *text = tiparm(background ? c->setab : c->setaf, color);

	if (text)
		out_text(o, text);
}
