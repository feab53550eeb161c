/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "screen/steps.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define ARGS_MAX 8
#define ENV_MAX	 4

void make_folder(char folder[FOLDER_BYTES])
{
	snprintf(folder, FOLDER_BYTES, "/tmp/ptui-screen-XXXXXX");
	assert_non_null(mkdtemp(folder));
}

void make_language(struct language *l, const char *lang, const char *folder)
{
	const char *top = getenv("top_builddir");
	char mo[4096], make_locale[256];

	top = top ? top : ".";
	snprintf(l->locale, sizeof(l->locale), "%s.UTF-8", lang);
	snprintf(make_locale, sizeof(make_locale), "localedef -i %s -f UTF-8 %s/%s >/dev/null 2>&1",
		 strcmp(lang, "de") ? lang : "de_DE", folder, l->locale);
	snprintf(mo, sizeof(mo), "%s/locale/%s/LC_MESSAGES/ptui.mo", top, lang);
	if (access(mo, R_OK))
		skip_because("this build has no translations (--disable-nls, or no msgfmt)");
	if (system(make_locale) > 0)
		skip_because("localedef cannot make %s (Debian package locales)", l->locale);
	snprintf(l->localedir, sizeof(l->localedir), "PTUI_LOCALEDIR=%s/locale", top);
	snprintf(l->locpath, sizeof(l->locpath), "LOCPATH=%s", folder);
	l->env[0] = l->locpath;
	l->env[1] = l->localedir;
	l->env[2] = NULL;
}

struct screen *visit(const struct visit *how)
{
	static const char *const places[] = { "HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME",
					      "XDG_CACHE_HOME", "XDG_DATA_HOME" };
	enum { N_PLACES = sizeof(places) / sizeof(places[0]) };
	const char *argv[ARGS_MAX + 2] = { getenv("PTUI") };
	const char *env[N_PLACES + ENV_MAX + 1] = { NULL };
	char texts[N_PLACES][FOLDER_BYTES + 32], state[FOLDER_BYTES + 32];
	const struct screen_opts opts = {
		.argv = argv,
		.rows = how->rows,
		.cols = how->cols,
		.term = how->term,
		.locale = how->locale,
		.env = env,
		.folder = how->folder,
	};
	size_t i, n = 0;

	assert_non_null(argv[0]);
	snprintf(state, sizeof(state), "%s/ptui/browser", how->folder);
	if (!how->again)
		(void)unlink(state);
	for (i = 0; how->args && how->args[i]; i++) {
		assert_in_range(i, 0, ARGS_MAX - 1);
		argv[i + 1] = how->args[i];
	}
	for (; n < N_PLACES; n++) {
		snprintf(texts[n], sizeof(texts[n]), "%s=%s", places[n], how->folder);
		env[n] = texts[n];
	}
	for (i = 0; how->env && how->env[i]; i++) {
		assert_in_range(i, 0, ENV_MAX - 1);
		env[n++] = how->env[i];
	}
	return screen_start(&opts);
}

struct screen *visit_report(const struct visit *how)
{
	static const char *const args[] = { "report", "-i", "perf.data", NULL };
	struct visit with = *how;
	struct screen *s;

	with.args = args;
	s = visit(&with);
	check_frame(s);
	return s;
}

/* A completely drawn screen. */
static bool has_frame(struct screen *s, void *ctx)
{
	(void)ctx;
	return screen_cursor_row(s) > 0 && *screen_row(s, 0) &&
	       strstr(screen_row(s, screen_rows(s) - 1), "help");
}

void check_frame_at(struct screen *s, const char *file, int line)
{
	screen_wait_until_at(s, has_frame, NULL,
			     "a first line, one row in reverse, hints in the last", file, line);
}

const char *cursor_row(struct screen *s)
{
	int y = screen_cursor_row(s);

	return y < 0 ? "" : screen_row(s, y);
}

static bool cursor_has(struct screen *s, void *ctx)
{
	return strstr(cursor_row(s), ctx) != NULL;
}

void wait_cursor_at(struct screen *s, const char *text, const char *file, int line)
{
	char what[256];

	snprintf(what, sizeof(what), "the cursor is on \"%s\"", text);
	screen_wait_until_at(s, cursor_has, (char *)text, what, file, line);
}

void finish(struct screen *s, int status)
{
	int wstatus = screen_wait_end(s);

	if (!WIFEXITED(wstatus) || WEXITSTATUS(wstatus) != status)
		fail_msg("wait status %x, not exit %d", (unsigned)wstatus, status);
	screen_check_sane(s);
	screen_free(s);
}
