/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdio.h>
#include <string.h>

#include "input/key_name.h"
#include "input/keymap.h"
#include "term/theme.h"
#include "text/i18n.h"
#include "text/strings.h"

#define KEYS_MAX       16 /* per request and view */
#define LINE_MAX_BYTES 512

/* ---- the keys ---- */

/* "Right, Space"; "": none. Only the view's own bindings: its parent's are listed there. */
static void add_view_keys(char *line, const struct keymaps *k, enum keymap map, enum request req)
{
	key_code keys[KEYS_MAX];
	char label[KEY_NAME_MAX];
	size_t n = keymaps_keys(k, map, req, keys, KEYS_MAX);

	for (size_t i = 0; i < n; i++)
		if (keymaps_find(k, keymap_parent(map), keys[i]) != req)
			text_join(line, LINE_MAX_BYTES, ", ", "%s", key_label(keys[i], label));
}

/* "Right (list), Space (form)", "Ctrl-C (general, prompt)" */
static void request_keys(char *line, const struct keymaps *k, enum request req)
{
	char before[LINE_MAX_BYTES] = "", keys[LINE_MAX_BYTES];

	*line = '\0';
	for (int map = KEYMAP_NONE + 1; map < N_KEYMAPS; map++) {
		*keys = '\0';
		add_view_keys(keys, k, (enum keymap)map, req);
		if (!*keys)
			continue;
		if (!strcmp(keys, before)) /* another view with the same keys */
			line[strlen(line) - 1] = '\0';
		else
			text_join(line, LINE_MAX_BYTES, ", ", "%s (", keys);
		text_append(line, LINE_MAX_BYTES, "%s%s)", strcmp(keys, before) ? "" : ", ",
			    keymap_name((enum keymap)map));
		memcpy(before, keys, sizeof(before));
	}
}

static void write_request(struct ptui_manual *m, const struct keymaps *k, enum request req)
{
	const struct request_info *info = request_info(req);
	char keys[LINE_MAX_BYTES], text[LINE_MAX_BYTES];

	request_keys(keys, k, req);
	snprintf(text, sizeof(text), "%s: %s", info->name, _(info->help));
	m->term(m, keys, text);
}

static void write_keys(struct ptui_manual *m)
{
	struct keymaps *k = keymaps_new(NULL); /* the defaults, not the user's */

	m->section(m, _("KEYS"));
	m->text(m, _("The keys of the screens, with the views in which they work in "
		     "parentheses. '?' lists the keys of the current screen. The name before "
		     "each description is the request, to which other keys can be bound (see "
		     "CONFIGURATION)."));
	for (int group = 0; k && group < N_GROUPS; group++) {
		m->subsection(m, _(request_group_title((enum request_group)group)));
		for (int i = REQ_NONE + 1; i < N_REQUESTS; i++) {
			if (request_info((enum request)i)->group == (enum request_group)group)
				write_request(m, k, (enum request)i);
		}
	}
	keymaps_free(k);
}

/* ---- the config ---- */

static void theme_names(char *line, const char *between)
{
	const char *name;

	*line = '\0';
	for (size_t i = 0; (name = theme_name(i)); i++)
		text_join(line, LINE_MAX_BYTES, between, "%s", name);
}

static void write_key_names(struct ptui_manual *m)
{
	char line[LINE_MAX_BYTES] = "";
	const char *name;

	for (size_t i = 0; (name = key_name_at(i)); i++)
		text_join(line, sizeof(line), " ", "<%s>", name);
	m->term(m, "KEY",
		_("A single character, or a key name in angle brackets. The prefixes C-, M- "
		  "and S- inside the brackets stand for Ctrl, Alt and Shift, as in <C-r>, "
		  "<M-f> and <S-Tab>. The key names are:"));
	m->text(m, line);
}

/* The views, each with its parents. */
static void write_views(struct ptui_manual *m)
{
	char line[LINE_MAX_BYTES];
	enum keymap at;

	m->term(m, "VIEW",
		_("The view in which the key works. A key that is not bound in a view is "
		  "looked up in the views listed after it:"));
	for (int map = KEYMAP_NONE + 1; map < N_KEYMAPS; map++) {
		*line = '\0';
		for (at = keymap_parent((enum keymap)map); at != KEYMAP_NONE;
		     at = keymap_parent(at))
			text_join(line, sizeof(line), ", ", "%s", keymap_name(at));
		m->term(m, keymap_name((enum keymap)map), *line ? line : _("no other views"));
	}
}

static void write_config(struct ptui_manual *m)
{
	char values[LINE_MAX_BYTES], line[LINE_MAX_BYTES + 64];
	const struct config_setting *s;

	m->section(m, _("CONFIGURATION"));
	m->text(m, _("The screens read ptui/config in $XDG_CONFIG_HOME (default: ~/.config) up "
		     "to its first [section]; the sections contain the DEFAULTS of the "
		     "commands. A # starts a comment. Every other line is one of:"));
	m->term(m, "bind VIEW KEY REQUEST",
		_("Bind the key to the request in this view; 'none' removes the binding."));
	for (size_t i = 0; (s = config_setting(i)); i++) {
		theme_names(values, "|");
		snprintf(line, sizeof(line), "set %s %s", s->name, s->on_off ? "on|off" : values);
		m->term(m, line, _(s->help));
	}
	m->subsection(m, _("Arguments of bind"));
	write_views(m);
	write_key_names(m);
	m->term(m, "REQUEST", _("A name from the section KEYS, or none."));
	m->subsection(m, _("Example"));
	m->example(m, "# keys of vi\n"
		      "bind list j down\n"
		      "bind list k up\n"
		      "bind browser <C-f> search\n"
		      "bind general q none\n"
		      "set theme light");
}

/* ---- the environment and the files ---- */

static void write_environment(struct ptui_manual *m)
{
	char names[LINE_MAX_BYTES], line[LINE_MAX_BYTES];

	theme_names(names, ", ");
	snprintf(line, sizeof(line),
		 _("The colours of the screens, unless the configuration sets them: %s."), names);
	m->term(m, "PTUI_THEME", line);
	m->term(m, "PTUI_ASCII",
		_("If set to anything but an empty string or 0, the screens are drawn with "
		  "ASCII characters only."));
	m->term(m, "NO_COLOR", _("If not empty, colours are off; words and marks show the same."));
	m->term(m, "TERM",
		_("The terminal type. On a terminal that cannot move its cursor, such as "
		  "'dumb', text is printed instead of screens. A direct-colour type, such as "
		  "xterm-direct, gets exact colours, others the nearest of theirs."));
	m->term(m, "XDG_CONFIG_HOME, XDG_STATE_HOME, HOME",
		_("The directories of the files listed below."));
}

static void write_files(struct ptui_manual *m)
{
	m->term(m, "~/.config/ptui/config",
		_("Keys and settings of the screens, and defaults of "
		  "the commands; see CONFIGURATION and DEFAULTS."));
	m->term(m, "~/.local/state/ptui/setup",
		_("The last setup, which the Setup screen restores."));
	m->term(m, "~/.local/state/ptui/browser",
		_("The sort keys, columns and widths that were last chosen in the Browser. It begins with "
		  "them, unless the command line or the configuration has others."));
}

void manual_write(struct ptui_manual *m, enum ptui_manual_part part)
{
	switch (part) {
	case PTUI_MANUAL_SECTIONS:
		write_keys(m);
		write_config(m);
		break;
	case PTUI_MANUAL_ENVIRONMENT:
		write_environment(m);
		break;
	case PTUI_MANUAL_FILES:
		write_files(m);
		break;
	}
}
