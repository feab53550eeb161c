/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What to count and how to show it: sort keys, zooms, limits. The Browser, Live and Compare have
 * one each, and count their rows again when it changes.
 *
 *	look --rows_look_apply--> options of a histogram --> rows (rows.h)
 */
#ifndef MODEL_ROWS_ROWS_LOOK_H
#define MODEL_ROWS_ROWS_LOOK_H

#include "model/rows/rows.h"

#define ROWS_TEXT_MAX	PTUI_BROWSE_TEXT_MAX
#define ROWS_WIDTHS_MAX 16
#define ROWS_WIDTH_MAX	500 /* terminal columns */

/* Lists of ptui_hist_filter. */
enum rows_list {
	ROWS_LIST_COMMS,
	ROWS_LIST_PIDS,
	ROWS_LIST_TIDS,
	ROWS_LIST_CPUS,
	ROWS_LIST_TIMES,
	ROWS_LIST_DSOS,
	ROWS_LIST_SYMBOLS,
	ROWS_LIST_HIDDEN,
	ROWS_LIST_CGROUPS,
	ROWS_LIST_STACK,
	ROWS_LIST_FIELDS,
	ROWS_LISTS,
};

/* Zooms: each at most once, undone in reverse order. */
enum rows_zoom {
	ROWS_ZOOM_THREAD, /* a thread, if rows are threads; else all threads of a name */
	ROWS_ZOOM_DSO,
	ROWS_ZOOM_FUNCTION, /* functions whose names contain a text */
	ROWS_ZOOM_CPU,
	ROWS_ZOOM_KERNEL,
	/* filters of the command line, which no row has; in the order of enum rows_list */
	ROWS_ZOOM_LISTS,
	ROWS_ZOOM_RESOLVED = ROWS_ZOOM_LISTS + ROWS_LISTS,
	ROWS_ZOOM_SOCKET,
	ROWS_ZOOM_PARENT,
	ROWS_ZOOM_RECURSION,
	ROWS_ZOOMS,
};

/* The values of zooms. All zero: none. */
struct rows_only {
	char comm[ROWS_TEXT_MAX], dso[ROWS_TEXT_MAX], function[ROWS_TEXT_MAX];
	char thread[ROWS_TEXT_MAX]; /* the name of `tid` */
	char lists[ROWS_LISTS][ROWS_TEXT_MAX];
	bool by_thread, by_cpu, kernel, resolved, by_socket, has_parent;
	bool collapse_recursion;
	int32_t tid, socket;
	uint32_t cpu;
};

/* Widths of columns that the user has set. */
struct rows_widths {
	struct {
		char key[32];
		int width; /* in terminal columns */
	} v[ROWS_WIDTHS_MAX];
	size_t n;
};

struct rows_look {
	char sort[ROWS_TEXT_MAX], fields[ROWS_TEXT_MAX]; /* as in ptui_hist_opts; "": default */
	char levels[ROWS_TEXT_MAX + 4];			 /* see rows_look_set_levels() */
	struct rows_widths widths;
	bool children, relative;
	bool hierarchy; /* see rows_opts; as in perf, callers have no rows then, whatever `children` is */
	bool chain_order_set; /* else it follows `children`: callers first with them */
	enum ptui_chain_order chain_order;
	enum ptui_inlines inlines;
	unsigned group_sort; /* event of a group that rows are sorted by, see ptui_hist_opts */
	struct rows_limits limits;
	struct rows_order order;
	enum rows_zoom zooms[ROWS_ZOOMS]; /* in the order they were set */
	size_t n_zooms;
	/* of two recordings (model/compare): an enum compare_order, and what is shown */
	unsigned compare_order;
	bool swapped, sure_only;
	struct rows_only only; /* may also have values without a zoom, which are never undone */
};

/* As a filter, whose texts are borrowed. */
struct ptui_hist_filter rows_only_filter(const struct rows_only *only);

/*
 * Call it before rows_look_apply() if they may be a hierarchy: by "overhead,sample,dso" it is one by
 * {overhead,sample},dso, since columns that measure are no levels.
 */
void rows_look_set_levels(struct rows_look *l);

/* Sets what the look has; texts are borrowed from it. */
void rows_look_apply(const struct rows_look *l, struct ptui_hist_opts *ret);

void rows_look_toggle_children(struct rows_look *l);
void rows_look_toggle_hierarchy(struct rows_look *l);
void rows_look_toggle_chain_order(struct rows_look *l);
/*
 * NULL or "": the default keys. Columns follow. `p` (may be NULL) has fields of tracepoints, as in
 * ptui_hist_check_keys(). 0, or -EINVAL for unknown keys.
 */
int rows_look_set_sort(struct rows_look *l, const struct ptui_profile *p, const char *sort,
		       struct ptui_error *err);
/*
 * The columns in their order, each with its width after a colon or as wide as needed: "overhead,comm:20".
 * Those that identify rows are the sort keys. "": the default. 0 or -EINVAL.
 */
int rows_look_set_columns(struct rows_look *l, const struct ptui_profile *p, const char *columns,
			  struct ptui_error *err);
/* The width of a key's column; 0: as wide as needed. */
int rows_look_width(const struct rows_widths *w, const char *key);
/* Width 0 forgets it. False: too many, or not a width. */
bool rows_look_set_width(struct rows_widths *w, const char *key, int width);
/* Minimum share of rows and branches, "0.5". 0 or -EINVAL. */
int rows_look_set_limit(struct rows_look *l, const char *percent, struct ptui_error *err);
/* By the column of this key; again: in reverse order. "": by overhead. */
void rows_look_order_by(struct rows_look *l, const char *key);

/* ---- zooms ---- */

/*
 * Zooms into the node's value of this kind, or out if already zoomed by that kind. -ENOENT: it has
 * none. `rows` may be NULL.
 */
int rows_look_zoom(struct rows_look *l, enum rows_zoom kind, const struct rows *rows, uint64_t node,
		   struct ptui_error *err);
/* Begins with the zooms of a filter; its texts are shorter than ROWS_TEXT_MAX. */
void rows_look_begin(struct rows_look *l, const struct ptui_hist_filter *from);
/* Functions of this DSO, as a dso cell has it. 0 or -EINVAL. */
int rows_look_zoom_dso(struct rows_look *l, const char *dso, struct ptui_error *err);
/* Functions with this text; "": all. 0 or -EINVAL. */
int rows_look_zoom_text(struct rows_look *l, const char *text, struct ptui_error *err);
/*
 * Only samples of these processes, times, control groups …: `kind` is a list or ROWS_ZOOM_SOCKET, `text` as on
 * the command line; "": of all. 0 or -EINVAL.
 */
int rows_look_set_only(struct rows_look *l, enum rows_zoom kind, const char *text,
		       struct ptui_error *err);
/* What it has of this kind, as rows_look_set_only() takes it. Returns buf. */
const char *rows_look_only_text(const struct rows_look *l, enum rows_zoom kind, char *buf,
				size_t size);
/* Undoes the last zoom; false: there is none. */
bool rows_look_unzoom(struct rows_look *l);
/*
 * Hides DSOs from callchains, one more pattern of ptui_hist_filter.hide_dsos; each is undone on its own.
 * -EEXIST: it is hidden already; -EINVAL: the list is too long.
 */
int rows_look_hide(struct rows_look *l, const char *pattern, struct ptui_error *err);
/* Replaces all patterns, separated by commas; "": none. 0 or -EINVAL. */
int rows_look_set_hidden(struct rows_look *l, const char *patterns, struct ptui_error *err);
void rows_look_toggle_recursion(struct rows_look *l);
/* True: a zoom that changes callchains and leaves out nothing. */
bool rows_look_is_shape(enum rows_zoom kind);
bool rows_look_is_zoomed(const struct rows_look *l, enum rows_zoom kind);
/* Name of the i-th zoom: "thread cc1", "libc.so.6", "kernel", "'alloc'". Returns buf. */
const char *rows_look_zoom_name(const struct rows_look *l, size_t i, char *buf, size_t size);
/* Label of rows_look_zoom(): "zoom into thread cc1". "": not available. Returns buf. */
const char *rows_look_zoom_offer(const struct rows_look *l, enum rows_zoom kind,
				 const struct rows *rows, uint64_t node, char *buf, size_t size);
/* "perf.data › thread cc1 › libc.so.6". Returns buf. */
const char *rows_look_crumbs(const struct rows_look *l, const char *first, char *buf, size_t size);

#endif
