/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "model/rows/rows_look.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "text/i18n.h"
#include "text/strings.h"

static const char *text_or_null(const char *text)
{
	return *text ? text : NULL;
}

struct ptui_hist_filter rows_only_filter(const struct rows_only *only)
{
	return (struct ptui_hist_filter){
		.comm = only->by_thread ? NULL : text_or_null(only->comm),
		.dso = text_or_null(only->dso),
		.symbol = text_or_null(only->function),
		.by_thread = only->by_thread,
		.tid = only->tid,
		.by_cpu = only->by_cpu,
		.cpu = only->cpu,
		.kernel = only->kernel,
		.resolved = only->resolved,
		.by_socket = only->by_socket,
		.socket = only->socket,
		.has_parent = only->has_parent,
		.comms = text_or_null(only->lists[ROWS_LIST_COMMS]),
		.pids = text_or_null(only->lists[ROWS_LIST_PIDS]),
		.tids = text_or_null(only->lists[ROWS_LIST_TIDS]),
		.cpus = text_or_null(only->lists[ROWS_LIST_CPUS]),
		.times = text_or_null(only->lists[ROWS_LIST_TIMES]),
		.dsos = text_or_null(only->lists[ROWS_LIST_DSOS]),
		.symbols = text_or_null(only->lists[ROWS_LIST_SYMBOLS]),
		.hide_dsos = text_or_null(only->lists[ROWS_LIST_HIDDEN]),
		.cgroups = text_or_null(only->lists[ROWS_LIST_CGROUPS]),
		.stack = text_or_null(only->lists[ROWS_LIST_STACK]),
		.fields = text_or_null(only->lists[ROWS_LIST_FIELDS]),
		.collapse_recursion = only->collapse_recursion,
	};
}

void rows_look_set_levels(struct rows_look *l)
{
	size_t n = strspn(l->fields, ", ");

	while (l->fields[n]) {
		size_t len = strcspn(l->fields + n, ", ");

		if (strncmp(l->fields + n, "overhead", strlen("overhead")) != 0 &&
		    (len != strlen("sample") || strncmp(l->fields + n, "sample", len) != 0) &&
		    (len != strlen("period") || strncmp(l->fields + n, "period", len) != 0))
			break;
		n += len + strspn(l->fields + n + len, ", ");
	}
	if (n && l->fields[n])
		snprintf(l->levels, sizeof(l->levels), "{%.*s},%s",
			 (int)(n - strspn(l->fields + n - 1, ", ")), l->fields, l->fields + n);
	else
		snprintf(l->levels, sizeof(l->levels), "%s", l->fields);
}

void rows_look_apply(const struct rows_look *l, struct ptui_hist_opts *ret)
{
	ret->sort = text_or_null(l->sort);
	ret->fields = text_or_null(l->fields);
	if (l->hierarchy) { /* as on the command line, it has sort keys only */
		ret->sort = ret->sort ? ret->sort : *l->levels ? l->levels : ret->fields;
		ret->fields = NULL;
	}
	ret->children = l->children && !l->hierarchy;
	ret->order = l->chain_order;
	ret->inlines = l->inlines;
	ret->group_sort = l->group_sort;
	ret->relative = l->relative;
	ret->filter = rows_only_filter(&l->only);
}

void rows_look_toggle_children(struct rows_look *l)
{
	l->children = !l->children;
	if (!l->chain_order_set)
		l->chain_order = l->children ? PTUI_CALLER : PTUI_CALLEE;
	l->order = (struct rows_order){ "", false };
}

void rows_look_toggle_hierarchy(struct rows_look *l)
{
	l->hierarchy = !l->hierarchy;
	l->order = (struct rows_order){ "", false };
}

void rows_look_toggle_chain_order(struct rows_look *l)
{
	l->chain_order = l->chain_order == PTUI_CALLER ? PTUI_CALLEE : PTUI_CALLER;
	l->chain_order_set = true;
}

int rows_look_set_sort(struct rows_look *l, const struct ptui_profile *p, const char *sort,
		       struct ptui_error *err)
{
	int ret = 0;

	if (!sort)
		sort = "";
	if (strlen(sort) >= sizeof(l->sort))
		return ptui_error_input(err, sort, _("too many sort keys"));
	if (*sort)
		ret = ptui_hist_check_keys(p, sort, NULL, err);
	if (ret)
		return ret;
	snprintf(l->sort, sizeof(l->sort), "%s", sort);
	l->fields[0] = '\0';
	l->order = (struct rows_order){ "", false };
	return 0;
}

int rows_look_width(const struct rows_widths *w, const char *key)
{
	for (size_t i = 0; i < w->n; i++)
		if (!strcmp(w->v[i].key, key))
			return w->v[i].width;
	return 0;
}

bool rows_look_set_width(struct rows_widths *w, const char *key, int width)
{
	size_t i = 0;

	if (width < 0 || width > ROWS_WIDTH_MAX || !*key || strlen(key) >= sizeof(w->v[0].key))
		return false;
	while (i < w->n && strcmp(w->v[i].key, key) != 0)
		i++;
	if (i == ROWS_WIDTHS_MAX)
		return !width;
	if (width) {
		snprintf(w->v[i].key, sizeof(w->v[i].key), "%s", key);
		w->v[i].width = width;
		w->n += i == w->n;
	} else if (i < w->n) {
		w->v[i] = w->v[--w->n];
	}
	return true;
}

/* The name of a key, which may be shortened; else the word. */
static const char *key_name(const char *word)
{
	const char *name, *found = NULL;

	for (size_t i = 0; (name = ptui_hist_key_name(i)); i++) {
		if (!strcasecmp(name, word))
			return name;
		if (!found && !strncasecmp(name, word, strlen(word)))
			found = name;
	}
	return found ? found : word;
}

/* "comm:20" becomes "comm". */
static int take_width(struct rows_widths *w, char *word, struct ptui_error *err)
{
	char *colon = strrchr(word, ':'), *end;
	long width = 0;

	/* sched:sched_switch.prev_comm is a key, too */
	if (colon && colon[1 + strspn(colon + 1, "0123456789")] == '\0') {
		*colon = '\0';
		width = strtol(colon + 1, &end, 10);
		if (end == colon + 1 || width < 1 || width > ROWS_WIDTH_MAX)
			return ptui_error_set(err, PTUI_ERROR_INPUT, ERANGE, word,
					      _("the width of a column is 1 to %d"),
					      ROWS_WIDTH_MAX);
	}
	return rows_look_set_width(w, key_name(word), (int)width) ?
		       0 :
		       ptui_error_input(err, word, _("too many columns have a width"));
}

int rows_look_set_columns(struct rows_look *l, const struct ptui_profile *p, const char *columns,
			  struct ptui_error *err)
{
	char copy[ROWS_TEXT_MAX], fields[ROWS_TEXT_MAX] = "", *rest = copy, *word;
	struct rows_widths widths = { .n = 0 };

	if (strlen(columns) >= sizeof(copy))
		return ptui_error_input(err, columns, _("too many columns"));
	snprintf(copy, sizeof(copy), "%s", columns);
	while ((word = strsep(&rest, ", "))) {
		if (!*word)
			continue;
		if (take_width(&widths, word, err))
			return -EINVAL;
		text_join(fields, sizeof(fields), ",", "%s", word);
	}
	if (*fields && ptui_hist_check_keys(p, NULL, fields, err))
		return -EINVAL;
	l->widths = widths;
	l->sort[0] = '\0';
	snprintf(l->fields, sizeof(l->fields), "%s", fields);
	l->order = (struct rows_order){ "", false };
	return 0;
}

/* "0.5", "1 %" */
int rows_look_set_limit(struct rows_look *l, const char *percent, struct ptui_error *err)
{
	char *end;
	double value = strtod(percent, &end);

	end += strspn(end, " %");
	if (end == percent || *end || !(value >= 0 && value <= 100))
		return ptui_error_input(err, percent, _("'%s' is not a percentage from 0 to 100"),
					percent);
	l->limits = (struct rows_limits){ value, value };
	return 0;
}

void rows_look_order_by(struct rows_look *l, const char *key)
{
	l->order.reverse = !strcmp(l->order.key, key) && !l->order.reverse;
	snprintf(l->order.key, sizeof(l->order.key), "%s", key);
}

/* ---- zooms ---- */

static bool set_text(char to[ROWS_TEXT_MAX], const char *text)
{
	snprintf(to, ROWS_TEXT_MAX, "%s", text ? text : "");
	return *to;
}

static bool is_list(enum rows_zoom kind)
{
	return kind >= ROWS_ZOOM_LISTS && kind < ROWS_ZOOM_RESOLVED;
}

/* The text of a zoom; NULL: it has none. */
static char *zoom_text(struct rows_only *only, enum rows_zoom kind)
{
	return is_list(kind)		  ? only->lists[kind - ROWS_ZOOM_LISTS] :
	       kind == ROWS_ZOOM_THREAD	  ? only->comm :
	       kind == ROWS_ZOOM_DSO	  ? only->dso :
	       kind == ROWS_ZOOM_FUNCTION ? only->function :
					    NULL;
}

/* Its flag; NULL: it has none. */
static bool *zoom_flag(struct rows_only *only, enum rows_zoom kind)
{
	bool *const flags[ROWS_ZOOMS] = {
		[ROWS_ZOOM_THREAD] = &only->by_thread,
		[ROWS_ZOOM_CPU] = &only->by_cpu,
		[ROWS_ZOOM_KERNEL] = &only->kernel,
		[ROWS_ZOOM_RESOLVED] = &only->resolved,
		[ROWS_ZOOM_SOCKET] = &only->by_socket,
		[ROWS_ZOOM_PARENT] = &only->has_parent,
		[ROWS_ZOOM_RECURSION] = &only->collapse_recursion,
	};

	return flags[kind];
}

static void clear_value(struct rows_only *only, enum rows_zoom kind)
{
	char *text = zoom_text(only, kind);
	bool *flag = zoom_flag(only, kind);

	if (text)
		*text = '\0';
	if (flag)
		*flag = false;
	if (kind == ROWS_ZOOM_THREAD)
		only->thread[0] = '\0';
}

/* Takes the node's value. False: it has none. */
static bool take_value(struct rows_only *only, enum rows_zoom kind, const struct rows *rows,
		       uint64_t node)
{
	struct ptui_row_origin from;
	char text[ROW_BYTES];
	int cpu;

	if (!rows || !rows_origin(rows, node, &from))
		return false;
	switch (kind) {
	case ROWS_ZOOM_THREAD:
		only->by_thread = from.has_thread;
		only->tid = from.tid;
		set_text(only->thread, from.thread);
		return set_text(only->comm, from.has_thread ? NULL : from.comm) || from.has_thread;
	case ROWS_ZOOM_DSO:
		return set_text(only->dso, rows_dso(rows, node));
	case ROWS_ZOOM_FUNCTION:
		return set_text(only->function, rows_function(rows, node, text, sizeof(text)));
	case ROWS_ZOOM_CPU:
		cpu = rows_cpu(rows, node);
		only->by_cpu = cpu >= 0;
		only->cpu = only->by_cpu ? (uint32_t)cpu : 0;
		return only->by_cpu;
	default:
		return false;
	}
}

bool rows_look_is_zoomed(const struct rows_look *l, enum rows_zoom kind)
{
	for (size_t i = 0; i < l->n_zooms; i++) {
		if (l->zooms[i] == kind)
			return true;
	}
	return false;
}

static void forget_zoom(struct rows_look *l, enum rows_zoom kind)
{
	size_t n = 0;

	for (size_t i = 0; i < l->n_zooms; i++) {
		if (l->zooms[i] != kind)
			l->zooms[n++] = l->zooms[i];
	}
	l->n_zooms = n;
	clear_value(&l->only, kind);
}

/* Zooms into a text; "" or NULL: does not. */
static void zoom_into_text(struct rows_look *l, enum rows_zoom kind, const char *text)
{
	char *to = zoom_text(&l->only, kind);

	if (to && set_text(to, text))
		l->zooms[l->n_zooms++] = kind;
}

static void zoom_into_flag(struct rows_look *l, enum rows_zoom kind, bool flag)
{
	*zoom_flag(&l->only, kind) = flag;
	if (flag)
		l->zooms[l->n_zooms++] = kind;
}

static int no_value(enum rows_zoom kind, struct ptui_error *err)
{
	static const char *const why[ROWS_ZOOMS] = {
		[ROWS_ZOOM_THREAD] = N_("rows combine several threads: sort by comm or pid first"),
		[ROWS_ZOOM_DSO] = N_("rows combine several DSOs: sort by dso or symbol first"),
		[ROWS_ZOOM_FUNCTION] = N_("rows combine several functions: sort by symbol first"),
		[ROWS_ZOOM_CPU] = N_("rows combine several CPUs: sort by cpu first"),
	};

	return ptui_error_set(err, PTUI_ERROR_INPUT, ENOENT, NULL, "%s", _(why[kind]));
}

int rows_look_zoom(struct rows_look *l, enum rows_zoom kind, const struct rows *rows, uint64_t node,
		   struct ptui_error *err)
{
	struct rows_only only = l->only;
	struct ptui_row_origin from;

	if (rows_look_is_zoomed(l, kind)) {
		forget_zoom(l, kind);
		return 0;
	}
	if (kind == ROWS_ZOOM_KERNEL)
		only.kernel = true;
	else if (!rows || !rows_origin(rows, node, &from))
		return ptui_error_set(err, PTUI_ERROR_INPUT, ENOENT, NULL,
				      _("no row to zoom into"));
	else if (!take_value(&only, kind, rows, node))
		return no_value(kind, err);
	l->only = only;
	l->zooms[l->n_zooms++] = kind;
	return 0;
}

static int zoom_into_name(struct rows_look *l, enum rows_zoom kind, const char *text,
			  struct ptui_error *err)
{
	if (strlen(text) >= ROWS_TEXT_MAX)
		return ptui_error_input(err, NULL, _("name too long"));
	forget_zoom(l, kind);
	zoom_into_text(l, kind, text);
	return 0;
}

int rows_look_zoom_dso(struct rows_look *l, const char *dso, struct ptui_error *err)
{
	return zoom_into_name(l, ROWS_ZOOM_DSO, dso, err);
}

int rows_look_zoom_text(struct rows_look *l, const char *text, struct ptui_error *err)
{
	return zoom_into_name(l, ROWS_ZOOM_FUNCTION, text, err);
}

/* ---- lists, as on the command line ---- */

/* Names may have blanks, and are separated by commas there. */
static bool has_names(enum rows_zoom kind)
{
	return kind == ROWS_ZOOM_LISTS + ROWS_LIST_COMMS ||
	       kind == ROWS_ZOOM_LISTS + ROWS_LIST_CGROUPS;
}

static void replace_char(char *text, char from, char to)
{
	while ((text = strchr(text, from)))
		*text++ = to;
}

static int set_socket(struct rows_only *only, const char *text, struct ptui_error *err)
{
	char *end;
	long n = strtol(text, &end, 10);

	if (end == text || *end || n < 0 || n > INT32_MAX)
		return ptui_error_input(err, text, _("expected the number of a socket, not '%s'"),
					text);
	only->socket = (int32_t)n;
	only->by_socket = true;
	return 0;
}

int rows_look_set_only(struct rows_look *l, enum rows_zoom kind, const char *text,
		       struct ptui_error *err)
{
	struct rows_only only = { .by_cpu = false };
	char *to = zoom_text(&only, kind); /* NULL: the number of a socket */
	struct ptui_hist_filter filter;

	if (strlen(text) >= ROWS_TEXT_MAX)
		return ptui_error_input(err, NULL, _("the filter is too long"));
	if (!to && *text && set_socket(&only, text, err))
		return -EINVAL;
	if (to && set_text(to, text) && has_names(kind))
		replace_char(to, ',', '\n');
	filter = rows_only_filter(&only);
	if (ptui_hist_check_filter(&filter, err))
		return -EINVAL;
	forget_zoom(l, kind);
	if (to)
		zoom_into_text(l, kind, to);
	else
		zoom_into_flag(l, kind, only.by_socket);
	l->only.socket = to ? l->only.socket : only.socket;
	return 0;
}

const char *rows_look_only_text(const struct rows_look *l, enum rows_zoom kind, char *buf,
				size_t size)
{
	buf[0] = '\0';
	if (is_list(kind))
		snprintf(buf, size, "%s", l->only.lists[kind - ROWS_ZOOM_LISTS]);
	else if (kind == ROWS_ZOOM_SOCKET && l->only.by_socket)
		snprintf(buf, size, "%d", (int)l->only.socket);
	replace_char(buf, '\n', ',');
	return buf;
}

/* ---- what is hidden ---- */

static int too_long(struct ptui_error *err)
{
	return ptui_error_input(err, NULL, _("too many DSOs to hide"));
}

static bool is_line_of(const char *lines, const char *text)
{
	size_t n = strlen(text);

	for (const char *at = lines; at && *at; at = strchr(at, '\n')) {
		at += *at == '\n';
		if (!strncmp(at, text, n) && (!at[n] || at[n] == '\n'))
			return true;
	}
	return false;
}

/* The list becomes the last zoom, so that its last pattern is undone first. */
int rows_look_hide(struct rows_look *l, const char *pattern, struct ptui_error *err)
{
	char *list = l->only.lists[ROWS_LIST_HIDDEN], lines[ROWS_TEXT_MAX];

	if (is_line_of(list, pattern))
		return ptui_error_set(err, PTUI_ERROR_INPUT, EEXIST, pattern,
				      _("%s is hidden already"), pattern);
	if ((size_t)snprintf(lines, sizeof(lines), "%s%s%s", list, *list ? "\n" : "", pattern) >=
	    sizeof(lines))
		return too_long(err);
	forget_zoom(l, ROWS_ZOOM_LISTS + ROWS_LIST_HIDDEN);
	zoom_into_text(l, ROWS_ZOOM_LISTS + ROWS_LIST_HIDDEN, lines);
	return 0;
}

int rows_look_set_hidden(struct rows_look *l, const char *patterns, struct ptui_error *err)
{
	char copy[ROWS_TEXT_MAX], *rest = copy, *word;

	if (strlen(patterns) >= sizeof(copy))
		return too_long(err);
	set_text(copy, patterns);
	forget_zoom(l, ROWS_ZOOM_LISTS + ROWS_LIST_HIDDEN);
	while ((word = strsep(&rest, ",")))
		if (*(word += strspn(word, " ")))
			(void)rows_look_hide(l, word, NULL); /* it fits; again: nothing to do */
	return 0;
}

void rows_look_toggle_recursion(struct rows_look *l)
{
	bool now = l->only.collapse_recursion;

	forget_zoom(l, ROWS_ZOOM_RECURSION);
	zoom_into_flag(l, ROWS_ZOOM_RECURSION, !now);
}

bool rows_look_is_shape(enum rows_zoom kind)
{
	return kind == ROWS_ZOOM_RECURSION || kind == ROWS_ZOOM_LISTS + ROWS_LIST_HIDDEN;
}

/* Forgets the last pattern of several. */
static bool show_last_hidden(struct rows_look *l)
{
	char *end = strrchr(l->only.lists[ROWS_LIST_HIDDEN], '\n');

	if (l->zooms[l->n_zooms - 1] != ROWS_ZOOM_LISTS + ROWS_LIST_HIDDEN || !end)
		return false;
	*end = '\0';
	return true;
}

/* ---- the zooms to begin with ---- */

void rows_look_begin(struct rows_look *l, const struct ptui_hist_filter *from)
{
	const char *const lists[ROWS_LISTS] = {
		[ROWS_LIST_COMMS] = from->comms,     [ROWS_LIST_PIDS] = from->pids,
		[ROWS_LIST_TIDS] = from->tids,	     [ROWS_LIST_CPUS] = from->cpus,
		[ROWS_LIST_TIMES] = from->times,     [ROWS_LIST_DSOS] = from->dsos,
		[ROWS_LIST_SYMBOLS] = from->symbols, [ROWS_LIST_HIDDEN] = from->hide_dsos,
		[ROWS_LIST_CGROUPS] = from->cgroups, [ROWS_LIST_STACK] = from->stack,
		[ROWS_LIST_FIELDS] = from->fields,
	};

	for (unsigned i = 0; i < ROWS_LISTS; i++)
		zoom_into_text(l, ROWS_ZOOM_LISTS + i, lists[i]);
	zoom_into_flag(l, ROWS_ZOOM_RESOLVED, from->resolved);
	zoom_into_flag(l, ROWS_ZOOM_SOCKET, from->by_socket);
	zoom_into_flag(l, ROWS_ZOOM_PARENT, from->has_parent);
	zoom_into_flag(l, ROWS_ZOOM_RECURSION, from->collapse_recursion);
	l->only.tid = from->tid;
	l->only.socket = from->socket;
	if (from->by_thread)
		zoom_into_flag(l, ROWS_ZOOM_THREAD, true);
	else
		zoom_into_text(l, ROWS_ZOOM_THREAD, from->comm);
	zoom_into_text(l, ROWS_ZOOM_DSO, from->dso);
	zoom_into_flag(l, ROWS_ZOOM_KERNEL, from->kernel);
	zoom_into_text(l, ROWS_ZOOM_FUNCTION, from->symbol);
}

bool rows_look_unzoom(struct rows_look *l)
{
	if (!l->n_zooms)
		return false;
	if (!show_last_hidden(l))
		forget_zoom(l, l->zooms[l->n_zooms - 1]);
	return true;
}

/* ---- texts ---- */

/* "comms a,b": lines as a list. */
static void list_name(const struct rows_only *only, enum rows_list list, char *buf, size_t size)
{
	static const char *const names[ROWS_LISTS] = {
		[ROWS_LIST_COMMS] = N_("comms"),     [ROWS_LIST_PIDS] = N_("processes"),
		[ROWS_LIST_TIDS] = N_("threads"),    [ROWS_LIST_CPUS] = N_("CPUs"),
		[ROWS_LIST_TIMES] = N_("times"),     [ROWS_LIST_DSOS] = N_("DSOs"),
		[ROWS_LIST_SYMBOLS] = N_("symbols"), [ROWS_LIST_HIDDEN] = N_("without"),
		[ROWS_LIST_CGROUPS] = N_("cgroups"), [ROWS_LIST_STACK] = N_("stacks with"),
		[ROWS_LIST_FIELDS] = N_("fields"),
	};

	snprintf(buf, size, "%s %s", _(names[list]), only->lists[list]);
	for (char *p = buf; *p; p++)
		if (*p == '\n')
			*p = ',';
}

static const char *value_name(const struct rows_only *only, enum rows_zoom kind, char *buf,
			      size_t size)
{
	static const char *const names[ROWS_ZOOMS] = {
		[ROWS_ZOOM_KERNEL] = N_("kernel"),
		[ROWS_ZOOM_RESOLVED] = N_("with symbols"),
		[ROWS_ZOOM_PARENT] = N_("with a parent"),
		[ROWS_ZOOM_RECURSION] = N_("without recursion"),
	};

	switch (kind) {
	case ROWS_ZOOM_THREAD:
		if (only->by_thread && *only->thread)
			snprintf(buf, size, _("thread %s %d"), only->thread, (int)only->tid);
		else if (only->by_thread)
			snprintf(buf, size, _("thread %d"), (int)only->tid);
		else
			snprintf(buf, size, _("thread %s"), only->comm);
		break;
	case ROWS_ZOOM_DSO:
		snprintf(buf, size, "%s", only->dso);
		break;
	case ROWS_ZOOM_FUNCTION:
		snprintf(buf, size, "'%s'", only->function);
		break;
	case ROWS_ZOOM_CPU:
		snprintf(buf, size, _("CPU %d"), (int)only->cpu);
		break;
	case ROWS_ZOOM_SOCKET:
		snprintf(buf, size, _("socket %d"), (int)only->socket);
		break;
	default:
		if (is_list(kind))
			list_name(only, kind - ROWS_ZOOM_LISTS, buf, size);
		else
			snprintf(buf, size, "%s", _(names[kind]));
		break;
	}
	return buf;
}

const char *rows_look_zoom_name(const struct rows_look *l, size_t i, char *buf, size_t size)
{
	return value_name(&l->only, l->zooms[i], buf, size);
}

const char *rows_look_zoom_offer(const struct rows_look *l, enum rows_zoom kind,
				 const struct rows *rows, uint64_t node, char *buf, size_t size)
{
	static const char *const outs[ROWS_ZOOMS] = {
		[ROWS_ZOOM_THREAD] = N_("zoom out of the thread"),
		[ROWS_ZOOM_DSO] = N_("zoom out of the DSO"),
		[ROWS_ZOOM_FUNCTION] = N_("zoom out of the function"),
		[ROWS_ZOOM_CPU] = N_("zoom out of the CPU"),
		[ROWS_ZOOM_KERNEL] = N_("zoom out of the kernel"),
	};
	struct rows_only only = { .by_cpu = false };
	char name[ROWS_TEXT_MAX + 32];

	if (size)
		buf[0] = '\0';
	if (rows_look_is_zoomed(l, kind))
		snprintf(buf, size, "%s", _(outs[kind]));
	else if (kind == ROWS_ZOOM_KERNEL)
		snprintf(buf, size, "%s", _("zoom into the kernel"));
	else if (take_value(&only, kind, rows, node))
		snprintf(buf, size, _("zoom into %s"), value_name(&only, kind, name, sizeof(name)));
	return buf;
}

const char *rows_look_crumbs(const struct rows_look *l, const char *first, char *buf, size_t size)
{
	char name[ROWS_TEXT_MAX + 32];

	snprintf(buf, size, "%s", first);
	for (size_t i = 0; i < l->n_zooms; i++)
		text_append(buf, size, " › %s", rows_look_zoom_name(l, i, name, sizeof(name)));
	return buf;
}
