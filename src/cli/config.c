/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cli/config.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>
#include "base/config.h"
#include "base/i18n.h"
#include "base/text.h"
#include "cli/command.h"
#include "ptui/config.h"
#include "ptui/log.h"

#define PERF_SYSTEM "/etc/perfconfig"
#define NAMES_MAX   64

struct reading {
	const struct cli_setting *settings;
	char *values;
	bool own; /* ptui's own file, not perf's */
};

int cli_setting_text(void *field, const char *value, bool unset, struct ptui_error *err)
{
	char **text = field, *copy = strdup(value);

	(void)unset;
	if (!copy)
		return ptui_error_nomem(err);
	free(*text);
	*text = copy;
	return 0;
}

int cli_setting_bool(void *field, const char *value, bool unset, struct ptui_error *err)
{
	(void)unset;
	if (!config_bool(value, field))
		return 0;
	return ptui_error_set(err, PTUI_ERROR_INPUT, EINVAL, value,
			      _("expected true or false, not '%s'"), value);
}

/* perf's variable names are case-insensitive. */
static const struct cli_setting *find_setting(const struct cli_setting *s, const char *name)
{
	for (; s && s->name; s++)
		if (!strcasecmp(s->name, name))
			return s;
	return NULL;
}

static bool known_elsewhere(const char *name)
{
	for (size_t i = 0; cli_commands[i]; i++)
		if (find_setting(cli_commands[i]->settings, name))
			return true;
	return false;
}

static int no_such_name(const struct config_entry *e, struct ptui_error *err)
{
	const char *names[NAMES_MAX], *best[1];
	size_t n = 0;

	for (size_t i = 0; cli_commands[i]; i++)
		for (const struct cli_setting *s = cli_commands[i]->settings; s && s->name; s++)
			if (n < NAMES_MAX)
				names[n++] = s->name;
	if (text_nearest(e->name, names, n, best, 1))
		config_wrong(e, err, _("no such setting '%s'; did you mean '%s'?"), e->name,
			     best[0]);
	else
		config_wrong(e, err, _("no such setting '%s'"), e->name);
	ptui_error_hint(err, _("'ptui --man' lists them under DEFAULTS"));
	return -EINVAL;
}

static int set_entry(void *ctx, const struct config_entry *e, struct ptui_error *err)
{
	struct reading *r = ctx;
	const struct cli_setting *s = find_setting(r->settings, e->name);
	struct ptui_error why = PTUI_ERROR_INIT;
	int ret;

	if (!s)
		return !r->own || known_elsewhere(e->name) ? 0 : no_such_name(e, err);
	ret = s->call(r->values + s->offset, e->value, false, &why);
	if (ret) {
		ptui_error_prefix(&why, "%s:%u: %s", e->file, e->line, e->name);
		if (!r->own && why.domain == PTUI_ERROR_INPUT) {
			ptui_log(PTUI_LOG_WARN, "config", "%s", why.text);
			return 0;
		}
		if (err)
			*err = why;
	}
	return ret;
}

/* An error that concerns the whole file is only a warning. */
static void read_perf_file(struct reading *r, const char *path)
{
	struct ptui_error err = PTUI_ERROR_INIT;
	int ret = config_each(path, 0, set_entry, r, &err);

	if (ret == -ENOSYS)
		ptui_log(PTUI_LOG_INFO, "config", "%s", err.text);
	else if (ret)
		ptui_log(PTUI_LOG_WARN, "config", "%s", err.text);
}

static bool env_true(const char *name)
{
	const char *text = getenv(name);
	bool is = false;

	return text && !config_bool(text, &is) && is;
}

/* As in perf: ignores an empty file, and one owned by another user. */
static void read_perf_user(struct reading *r, const char *home)
{
	char path[4096];
	struct stat st;
	int n = snprintf(path, sizeof(path), "%s/.perfconfig", home);

	if (n < 0 || (size_t)n >= sizeof(path) || stat(path, &st) || !st.st_size)
		return;
	if (st.st_uid && st.st_uid != geteuid())
		ptui_log(PTUI_LOG_WARN, "config",
			 _("ignoring %s: it is owned neither by you nor by root"), path);
	else
		read_perf_file(r, path);
}

static void read_perf(struct reading *r)
{
	const char *only = getenv("PERF_CONFIG"), *home = getenv("HOME");

	if (only) {
		read_perf_file(r, only);
		return;
	}
	if (!env_true("PERF_CONFIG_NOSYSTEM") && !access(PERF_SYSTEM, R_OK))
		read_perf_file(r, PERF_SYSTEM);
	if (!env_true("PERF_CONFIG_NOGLOBAL") && home && *home)
		read_perf_user(r, home);
}

int cli_config_read(const struct cli_setting *settings, void *values, struct ptui_error *err)
{
	struct reading r = { .settings = settings, .values = values };
	char path[4096];

	if (!settings)
		return 0;
	read_perf(&r);
	r.own = true;
	return ptui_config_path(path, sizeof(path)) ?
		       config_each(path, CONFIG_SECTIONS_ONLY, set_entry, &r, err) :
		       0;
}
