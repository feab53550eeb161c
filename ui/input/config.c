/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The bind and set lines of the user's config. They come before the first [section]; sections are
 * read by the command line (ptui/config.h).
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/config.h"
#include "input/key_name.h"
#include "input/keymap.h"
#include "text/i18n.h"
#include "text/strings.h"

#define BLANKS	  " \t\r\n"
#define WORDS_MAX 5 /* one more than any line needs */

struct line {
	struct keymaps *keys;
	struct config *config;
	struct config_entry at;
	char words[WORDS_MAX][64];
	size_t n;
	struct ptui_error *err;
};

/* Splits up to a comment; a # in the place of a key is a key. */
static int split(struct line *l, const char *text)
{
	text += strspn(text, BLANKS);
	while (*text && l->n < WORDS_MAX) {
		size_t n = strcspn(text, BLANKS);

		if (*text == '#' && !(n == 1 && l->n == 2 && !strcmp(l->words[0], "bind")))
			break;
		if (n >= sizeof(l->words[0]))
			return config_wrong(&l->at, l->err, _("word too long: '%.20s…'"), text);
		memcpy(l->words[l->n], text, n);
		l->words[l->n++][n] = '\0';
		text += n;
		text += strspn(text, BLANKS);
	}
	return 0;
}

static int parse_bind(struct line *l)
{
	enum request req = REQ_NONE;
	enum keymap map;
	key_code key;

	if (l->n != 4)
		return config_wrong(&l->at, l->err, _("expected: bind VIEW KEY REQUEST"));
	map = keymap_find(l->words[1]);
	if (map == KEYMAP_NONE)
		return config_wrong(&l->at, l->err, _("unknown view '%s'"), l->words[1]);
	if (key_parse(l->words[2], &key) < 0)
		return config_wrong(&l->at, l->err, _("unknown key '%s'"), l->words[2]);
	if (strcmp(l->words[3], "none")) {
		req = request_find(l->words[3]);
		if (req == REQ_NONE)
			return config_wrong(&l->at, l->err, _("unknown request '%s'"), l->words[3]);
	}
	if (keymaps_bind(l->keys, map, key, req) < 0)
		return ptui_error_nomem(l->err);
	return 0;
}

static const struct config_setting settings[] = {
	{ "theme", N_("The colours of the screens."), 0 },
	{ "ascii", N_("Draw with ASCII characters only, or with all characters of the locale."),
	  offsetof(struct config, ascii) },
	{ "mouse", N_("Handle clicks and the wheel, or leave the mouse to the terminal."),
	  offsetof(struct config, mouse) },
	{ "preview", N_("Count events in the event picker: always, or only on request."),
	  offsetof(struct config, preview) },
};
#define N_SETTINGS (sizeof(settings) / sizeof(settings[0]))

const struct config_setting *config_setting(size_t i)
{
	return i < N_SETTINGS ? &settings[i] : NULL;
}

static int no_such_setting(const struct line *l)
{
	char names[128] = "";

	for (size_t i = 0; i < N_SETTINGS; i++)
		text_join(names, sizeof(names), ", ", "%s", settings[i].name);
	return config_wrong(&l->at, l->err, _("unknown setting '%s'; the settings are: %s"),
			    l->words[1], names);
}

static int parse_switch(struct line *l, int *ret)
{
	if (!strcmp(l->words[2], "on"))
		*ret = 1;
	else if (!strcmp(l->words[2], "off"))
		*ret = 0;
	else
		return config_wrong(&l->at, l->err, _("%s must be on or off, not '%s'"),
				    l->words[1], l->words[2]);
	return 0;
}

static int parse_set(struct line *l)
{
	const struct config_setting *set = settings;
	size_t n;

	if (l->n != 3)
		return config_wrong(&l->at, l->err, _("expected: set NAME VALUE"));
	while (set < settings + N_SETTINGS && strcmp(l->words[1], set->name))
		set++;
	if (set == settings + N_SETTINGS)
		return no_such_setting(l);
	if (set->on_off)
		return parse_switch(l, (int *)((char *)l->config + set->on_off));
	n = strlen(l->words[2]);
	if (n >= sizeof(l->config->theme))
		return config_wrong(&l->at, l->err, _("unknown theme '%s'"), l->words[2]);
	memcpy(l->config->theme, l->words[2], n + 1);
	return 0;
}

int config_parse_line(struct keymaps *k, struct config *c, const char *text, const char *file,
		      unsigned line, struct ptui_error *err)
{
	struct line l = {
		.keys = k, .config = c, .at = { .file = file, .line = line }, .err = err
	};
	int rc = split(&l, text);

	if (rc < 0 || !l.n)
		return rc;
	if (!strcmp(l.words[0], "bind"))
		return parse_bind(&l);
	if (!strcmp(l.words[0], "set"))
		return parse_set(&l);
	return config_wrong(&l.at, err, _("a line must start with bind or set, not '%s'"),
			    l.words[0]);
}

int config_read(struct keymaps *k, struct config *c, const char *path, struct ptui_error *err)
{
	FILE *f = fopen(path, "re");
	char *text = NULL;
	size_t room = 0;
	unsigned line = 0;
	bool sections = false;
	int rc = 0;

	if (!f && (errno == ENOENT || errno == ENOTDIR))
		return 0;
	if (!f)
		return ptui_error_errno(err, errno, path, _("cannot read '%s'"), path);
	errno = 0;
	while (!rc && !sections && getline(&text, &room, f) >= 0) {
		sections = text[strspn(text, BLANKS)] == '[';
		if (!sections)
			rc = config_parse_line(k, c, text, path, ++line, err);
	}
	if (!rc && !sections && !feof(f)) {
		int errnum = errno ? errno : EIO;

		rc = ptui_error_errno(err, errnum, path, _("cannot read '%s'"), path);
	}
	free(text);
	fclose(f);
	return rc;
}
