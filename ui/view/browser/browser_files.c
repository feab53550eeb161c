/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * s, D: open or compare with a recording in this directory, or at any other path; w: save samples
 * that are in no file.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "model/complete.h"
#include "model/report_line.h"
#include "ptui/live.h"
#include "text/i18n.h"
#include "text/number.h"
#include "text/utf8.h"
#include "view/browser/browser_private.h"
#include "view/compare/compare.h"
#include "view/copy_row.h"
#include "widget/popup.h"

#define FILE_COLUMNS 30 /* of names in the menu, at least */

/* The magic of perf.data, in either byte order. */
static bool is_recording(const char *path)
{
	char magic[8] = "";
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	bool is;

	if (fd < 0)
		return false;
	is = read(fd, magic, sizeof(magic)) == sizeof(magic) &&
	     (!memcmp(magic, "PERFILE2", 8) || !memcmp(magic, "2ELIFREP", 8));
	close(fd);
	return is;
}

static int select_file(const struct dirent *e)
{
	struct stat st;

	return !stat(e->d_name, &st) && S_ISREG(st.st_mode) && is_recording(e->d_name);
}

static int newest_first(const struct dirent **a, const struct dirent **b)
{
	struct stat sa, sb;

	if (stat((*a)->d_name, &sa) || stat((*b)->d_name, &sb) || sa.st_mtime == sb.st_mtime)
		return strcmp((*a)->d_name, (*b)->d_name);
	return sa.st_mtime < sb.st_mtime ? 1 : -1;
}

/* ---- opening ---- */

/* True if the file is not newer, or the other recording has none (`than` is NULL). */
static bool is_before(const char *path, const char *than)
{
	struct stat a, b;

	if (!than || stat(path, &a) || stat(than, &b))
		return true;
	if (a.st_mtim.tv_sec != b.st_mtim.tv_sec)
		return a.st_mtim.tv_sec < b.st_mtim.tv_sec;
	return a.st_mtim.tv_nsec <= b.st_mtim.tv_nsec;
}

static bool is_whole(const struct browser_screen *b)
{
	return trust_loaded_percent(b->model->profile) == 100;
}

static unsigned compare_file(struct browser_screen *b, const char *path)
{
	const char *own = browser_path(b);
	bool before = is_before(path, own), whole = is_whole(b);
	/* if only a part of this one is loaded, it is loaded again */
	struct ptui_profile *profile = whole || !own ? b->model->profile : NULL;
	const struct compare_view_opts opts = {
		.before_path = before ? path : own,
		.after_path = before ? own : path,
		.before_name = before ? NULL : b->name,
		.after_name = before ? b->name : NULL,
		.before = before ? NULL : profile,
		.after = before ? profile : NULL,
		.load = b->model->opts.load,
		.probe_then = browser_probe_then(b),
	};
	struct ptui_error err = PTUI_ERROR_INIT;

	if (compare_view_open(b->stack, &opts, &err))
		rows_view_say_error(&b->view, &err);
	return WISH_REDRAW;
}

/* "0%-50%:50%-100%": sets the two parts. 0 or -EINVAL. */
static int split_times(char *line, const char *ret[2], struct ptui_error *err)
{
	char *colon = strchr(line, ':');

	if (!colon)
		return ptui_error_input(err, line,
					_("expected two ranges of time with a colon between them"));
	*colon = '\0';
	ret[0] = line;
	ret[1] = colon + 1;
	for (int i = 0; i < 2; i++)
		if (ptui_hist_check_filter(&(struct ptui_hist_filter){ .times = ret[i] }, err))
			return -EINVAL;
	return 0;
}

static int judge_times(void *ctx, const char *line, struct ptui_error *err)
{
	char copy[ROWS_TEXT_MAX];
	const char *times[2];

	(void)ctx;
	snprintf(copy, sizeof(copy), "%s", line);
	return split_times(copy, times, err);
}

static unsigned compare_times(void *ctx, const char *line)
{
	struct browser_screen *b = ctx;
	const char *own = browser_path(b), *times[2];
	char copy[ROWS_TEXT_MAX], names[2][ROWS_TEXT_MAX + PATH_MAX];
	struct ptui_profile *profile = is_whole(b) || !own ? b->model->profile : NULL;
	struct compare_view_opts opts = {
		.before_path = own,
		.after_path = own,
		.before = profile,
		.after = profile,
		.load = b->model->opts.load,
		.probe_then = browser_probe_then(b),
	};
	struct ptui_error err = PTUI_ERROR_INIT;

	if (!line)
		return WISH_REDRAW;
	snprintf(copy, sizeof(copy), "%s", line);
	if (split_times(copy, times, &err))
		return rows_view_say_error(&b->view, &err);
	for (int i = 0; i < 2; i++)
		snprintf(names[i], sizeof(names[i]), "%s %s", b->name, times[i]);
	opts.before_name = names[0];
	opts.after_name = names[1];
	opts.before_times = times[0];
	opts.after_times = times[1];
	if (compare_view_open(b->stack, &opts, &err))
		rows_view_say_error(&b->view, &err);
	return WISH_REDRAW;
}

static unsigned ask_times(struct browser_screen *b)
{
	const struct prompt_opts opts = {
		.label = _("times before and after: "),
		.line = "0%-50%:50%-100%",
		.note = _("12.5,13:20,21     seconds\n"
			  "0%-10%:40%-60%    of the recording"),
		.judge = judge_times,
		.done = compare_times,
		.ctx = b,
	};

	return prompt_open(b->stack, &opts);
}

/* `with`: the recordings become one profile; NULL: `path` alone. */
static unsigned open_file(struct browser_screen *b, const char *path, const char *with)
{
	char name[PATH_MAX + 64];
	struct browser_load load = {
		.path = path,
		.load = b->model->opts.load,
		.opts = b->model->opts, /* its texts live as long as this screen */
	};
	struct ptui_error err = PTUI_ERROR_INIT;

	load.opts.from_setup = false; /* made by something else */
	load.opts.no_file = false;
	if (with) { /* as for several files on the command line */
		snprintf(name, sizeof(name), "%s + %s", path, with);
		load.name = name;
		load.load.more = &with;
		load.load.n_more = 1;
		load.opts.no_file = true;
	}
	rows_look_set_levels(b->view.look);
	rows_look_apply(b->view.look, &load.opts.hist);
	load.opts.hist.children = b->view.look->children;
	load.opts.hierarchy = b->view.look->hierarchy;
	load.opts.order_given = b->view.look->chain_order_set;
	load.opts.limits = b->view.look->limits;
	/* on top: back returns here */
	if (browser_load_open(b->stack, &load, &err))
		rows_view_say_error(&b->view, &err);
	return WISH_REDRAW;
}

static unsigned choose_file(struct browser_screen *b, const char *path)
{
	if (b->file_use == FILE_COMPARE)
		return compare_file(b, path);
	return b->file_use == FILE_MERGE ? open_file(b, browser_path(b), path) :
					   open_file(b, path, NULL);
}

/* ---- path prompt ---- */

static unsigned path_typed(void *ctx, const char *line)
{
	struct browser_screen *b = ctx;

	if (!line || !*line)
		return WISH_REDRAW;
	return choose_file(b, line);
}

static unsigned chosen(void *ctx, int index)
{
	struct browser_screen *b = ctx;
	const struct prompt_opts opts = {
		.label = _("recording: "),
		.history = &b->opened,
		.ways = complete_path,
		.done = path_typed,
		.ctx = b,
	};

	if (index < 0)
		return WISH_REDRAW;
	if ((size_t)index < b->files.n)
		return choose_file(b, b->files.v[index]);
	if ((size_t)index > b->files.n)
		return ask_times(b);
	return prompt_open(b->stack, &opts);
}

/* ---- the menu ---- */

/* `b` may be NULL. */
static bool same_file(const char *a, const char *b)
{
	struct stat sa, sb;

	return b && !stat(a, &sa) && !stat(b, &sb) && sa.st_dev == sb.st_dev &&
	       sa.st_ino == sb.st_ino;
}

/* A recording is not compared or merged with itself. */
static bool is_offered(const struct browser_screen *b, const char *path)
{
	return b->files.n < BROWSER_FILES_MAX &&
	       !(b->file_use != FILE_OPEN && same_file(path, browser_path(b)));
}

static void read_folder(struct browser_screen *b)
{
	struct dirent **found = NULL;
	int n = scandir(".", &found, select_file, newest_first);

	words_release(&b->files);
	for (int i = 0; i < n; i++) {
		if (is_offered(b, found[i]->d_name))
			words_add(&b->files, found[i]->d_name);
		free(found[i]);
	}
	free(found);
}

unsigned browser_say_no_file(struct browser_screen *b)
{
	return stack_note(b->stack, browser_is_unsaved(b) ?
					    _("These samples are in no file yet: w saves them.") :
					    _("These samples are in no file."));
}

void browser_files_ask(struct browser_screen *b, enum browser_file_use use)
{
	static const struct {
		enum request req;
		const char *title;
	} uses[] = {
		[FILE_OPEN] = { REQ_SWITCH_FILE, N_("Recordings here, newest first") },
		[FILE_COMPARE] = { REQ_COMPARE_FILE, N_("Compare with, newest first") },
		[FILE_MERGE] = { REQ_MERGE_FILE, N_("Merge with, newest first") },
	};
	struct menu_item items[BROWSER_FILES_MAX + 2] = { { 0 } };
	char(*texts)[PATH_MAX + 32];
	size_t i;
	int fill;

	if (use == FILE_MERGE && !browser_path(b)) { /* both are loaded from their files */
		(void)browser_say_no_file(b);
		return;
	}
	b->file_use = use;
	read_folder(b);
	texts = calloc(b->files.n + 1, sizeof(*texts));
	if (!texts) {
		stack_no_memory(b->stack);
		return;
	}
	for (i = 0; i < b->files.n; i++) {
		struct stat st;
		char bytes[32] = "";

		if (!stat(b->files.v[i], &st))
			number_bytes(bytes, sizeof(bytes), (uint64_t)st.st_size);
		fill = FILE_COLUMNS - utf8_width(b->files.v[i]);
		snprintf(texts[i], sizeof(texts[i]), "%s%*s  %8s", b->files.v[i],
			 fill > 0 ? fill : 0, "", bytes);
		items[i].text = texts[i];
		items[i].current = same_file(b->files.v[i], browser_path(b));
	}
	items[i].text = _("another path …");
	items[i++].key = keymaps_letter(stack_keys(b->stack), KEYMAP_BROWSER, uses[use].req);
	if (use == FILE_COMPARE)
		items[i++] = (struct menu_item){ .text = _("two times of this recording …"),
						 .key = 't' };
	popup_menu(b->stack, _(uses[use].title), items, i, chosen, b);
	free(texts);
}

/* ---- unsaved samples ---- */

bool browser_is_unsaved(const struct browser_screen *b)
{
	return b->unsaved && (b->saver.worker || ptui_live_unsaved(b->unsaved));
}

static void save(struct browser_screen *b, const char *path, bool leaves)
{
	struct ptui_error err = PTUI_ERROR_INIT;

	b->leaves = leaves;
	if (sample_saver_start(&b->saver, b->unsaved, path, &err))
		rows_view_say_error(&b->view, &err);
}

void browser_saved(void *ctx, const char *path, const struct ptui_error *err)
{
	struct browser_screen *b = ctx;

	if (err)
		popup_error(b->stack, err);
	else
		stack_say(b->stack, ROLE_NOTE, _("The samples are in %s."), path);
	stack_wish(b->stack, b, !err && b->leaves ? WISH_POP : WISH_REDRAW);
}

static unsigned save_typed(void *ctx, const char *line)
{
	if (line && *line)
		save(ctx, line, false);
	return WISH_REDRAW;
}

unsigned browser_ask_to_save(struct browser_screen *b)
{
	const struct prompt_opts opts = {
		.label = _("save the samples as: "),
		.line = SAMPLE_SAVER_NAME,
		.ways = complete_path,
		.done = save_typed,
		.ctx = b,
	};

	if (!b->unsaved)
		return stack_note(b->stack, _("These samples are already in a file."));
	if (b->saver.worker)
		return stack_note(b->stack, _("The samples are being saved."));
	return prompt_open(b->stack, &opts);
}

static unsigned leave_answered(void *ctx, int index)
{
	if (index == 1)
		return WISH_POP;
	if (index == 0)
		save(ctx, SAMPLE_SAVER_NAME, true);
	rows_view_count(&((struct browser_screen *)ctx)->view); /* ESC may have stopped it */
	return WISH_RECALC;
}

unsigned browser_ask_to_leave(struct browser_screen *b)
{
	if (b->saver.worker) {
		b->leaves = true;
		return stack_note(
			b->stack,
			_("The samples are being saved; this screen closes when they are."));
	}
	return sample_saver_ask(&b->saver, leave_answered);
}

/* ---- the command line of this view ---- */

unsigned browser_copy_command(struct browser_screen *b)
{
	const struct browser_opts *o = &b->model->opts;
	const struct rows_tabs *tabs = b->view.tabs;
	struct ptui_hist_opts hist = o->hist;
	const struct report_line line = {
		.path = browser_path(b),
		.load = &o->load,
		.hist = &hist,
		.hierarchy = b->view.look->hierarchy,
		.percent_limit = b->view.look->limits.row_percent,
		.chain_min_percent = b->view.look->limits.chain_percent,
		.has_callchains = tabs->n && ptui_event_has_chains(browser_event(b)),
		.event = tabs->n > 1 && !browser_is_grouped(b->model) ? browser_event(b)->name :
									NULL,
	};
	struct words words = WORDS_INIT;
	unsigned wishes;
	char part[512];

	if (!line.path)
		return browser_say_no_file(b);
	rows_look_set_levels(b->view.look);
	rows_look_apply(b->view.look, &hist);
	hist.children = b->view.look->children;
	report_line_words(&line, &words);
	wishes = copy_command(b->stack, &words);
	if (*browser_loaded_text(b, part, sizeof(part)))
		wishes |= stack_say(b->stack, ROLE_NOTE,
				    _("%s here; the copied command loads all of it"), part);
	return wishes;
}
