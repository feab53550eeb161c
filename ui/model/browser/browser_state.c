/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "model/browser/browser_state.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/state_file.h"
#include "text/i18n.h"

static const char *const kinds[BROWSER_KINDS] = {
	[BROWSER_SAMPLES] = "samples",
	[BROWSER_TRACEPOINTS] = "tracepoints",
	[BROWSER_BRANCHES] = "branches",
	[BROWSER_MEMORY] = "memory",
};

static enum browser_kind kind_of(const struct ptui_profile *p)
{
	switch (ptui_profile_mode(p)) {
	case PTUI_MODE_BRANCHES:
		return BROWSER_BRANCHES;
	case PTUI_MODE_MEMORY:
		return BROWSER_MEMORY;
	default:
		return ptui_profile_default_sort(p) ? BROWSER_TRACEPOINTS : BROWSER_SAMPLES;
	}
}

/* ---- reading ---- */

/* "KIND KEYS": fields of tracepoints are checked when there is a recording. */
static int read_keys(struct browser_state *s, const char *value, bool columns)
{
	const char *keys = strchr(value, ' ');
	size_t n = keys ? (size_t)(keys - value) : 0;

	if (!n || strlen(++keys) >= ROWS_TEXT_MAX || !*keys ||
	    ptui_hist_check_names(columns ? NULL : keys, columns ? keys : NULL, NULL, NULL))
		return -EINVAL;
	for (size_t i = 0; i < BROWSER_KINDS; i++) {
		if (strlen(kinds[i]) != n || strncmp(kinds[i], value, n) != 0)
			continue;
		snprintf(columns ? s->of[i].columns : s->of[i].sort, ROWS_TEXT_MAX, "%s", keys);
		return 0;
	}
	return -EINVAL;
}

/* "KEY WIDTH" */
static int read_width(struct browser_state *s, const char *value)
{
	char key[32];
	int width, end = 0;

	if (sscanf(value, "%31[^ ] %4d%n", key, &width, &end) != 2 || value[end] || width < 1)
		return -EINVAL;
	return rows_look_set_width(&s->widths, key, width) ? 0 : -EINVAL;
}

static int read_line(void *ctx, const char *name, const char *value)
{
	if (!strcmp(name, "sort") || !strcmp(name, "columns"))
		return read_keys(ctx, value, *name == 'c');
	return strcmp(name, "width") ? -EINVAL : read_width(ctx, value);
}

int browser_state_load(struct browser_state *s, const char *path, struct ptui_error *err)
{
	char *text = NULL;
	size_t n, bad = 0;
	int ret = state_read(path, &text, &n);

	memset(s, 0, sizeof(*s));
	if (ret)
		return ptui_error_errno(err, -ret, path, _("cannot read the saved columns from %s"),
					path);
	ret = state_lines(text, n, read_line, s, &bad);
	free(text);
	if (ret)
		return ptui_error_nomem(err);
	return bad ? ptui_error_set(err, PTUI_ERROR_INPUT, EBADMSG, path,
				    Q_("%zu invalid line ignored in %s",
				       "%zu invalid lines ignored in %s", bad),
				    bad, path) :
		     0;
}

bool browser_state_has_fields(void)
{
	char *path = state_path("browser");
	struct browser_state s = { .widths.n = 0 };
	bool ret = false;

	if (path)
		(void)browser_state_load(&s, path, NULL);
	for (size_t i = 0; i < BROWSER_KINDS; i++)
		ret |= (ptui_hist_keys_extras(s.of[i].sort, NULL) & PTUI_EXTRA_FIELDS) ||
		       (*s.of[i].columns &&
			ptui_hist_keys_extras(NULL, s.of[i].columns) & PTUI_EXTRA_FIELDS);
	free(path);
	return ret;
}

/* ---- using and writing ---- */

/* Whether some event has what these keys need. */
static bool is_recorded(const struct ptui_profile *p, const char *sort, const char *columns)
{
	unsigned missing = ptui_hist_keys_extras(sort, columns) & ~(unsigned)PTUI_EXTRA_FIELDS;

	for (size_t i = 0; i < ptui_profile_n_events(p); i++)
		missing &= ~ptui_profile_event(p, i)->extras;
	return !missing && !ptui_hist_check_keys(p, sort, columns, NULL) &&
	       !ptui_profile_lacks_fields(p, sort, columns);
}

void browser_state_use(const struct browser_state *s, const struct ptui_profile *p,
		       struct rows_look *ret)
{
	enum browser_kind kind = kind_of(p);
	const char *sort = *s->of[kind].sort ? s->of[kind].sort : NULL;
	const char *columns = *s->of[kind].columns ? s->of[kind].columns : NULL;

	ret->widths = s->widths;
	if ((!sort && !columns) || !is_recorded(p, sort, columns))
		return;
	snprintf(ret->sort, sizeof(ret->sort), "%s", sort ? sort : "");
	snprintf(ret->fields, sizeof(ret->fields), "%s", columns ? columns : "");
}

void browser_state_keep(struct browser_state *s, const struct ptui_profile *p,
			const struct rows_look *look)
{
	enum browser_kind kind = kind_of(p);

	snprintf(s->of[kind].sort, ROWS_TEXT_MAX, "%s", look->sort);
	snprintf(s->of[kind].columns, ROWS_TEXT_MAX, "%s", look->fields);
	s->widths = look->widths;
}

int browser_state_save(const struct browser_state *s, const char *path, struct ptui_error *err)
{
	struct buf text = BUF_INIT;
	int ret;

	for (size_t i = 0; i < BROWSER_KINDS; i++) {
		if (*s->of[i].sort)
			state_put(&text, "sort", "%s %s", kinds[i], s->of[i].sort);
		if (*s->of[i].columns)
			state_put(&text, "columns", "%s %s", kinds[i], s->of[i].columns);
	}
	for (size_t i = 0; i < s->widths.n; i++)
		state_put(&text, "width", "%s %d", s->widths.v[i].key, s->widths.v[i].width);
	ret = state_write(&text, path);
	buf_release(&text);
	return ret ? ptui_error_errno(err, -ret, path, _("cannot save the columns to %s"), path) :
		     0;
}
