/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Saving and deleting snapshot files. Overwrites a file only after a question. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "model/complete.h"
#include "text/i18n.h"
#include "text/number.h"
#include "text/strings.h"
#include "view/snapshots/snapshots_private.h"
#include "widget/popup.h"

#define COPY_BYTES (256 * 1024)

static void said(struct snapshots_view *v, int error, const char *path)
{
	stack_say(v->stack, ROLE_BAD, _("cannot use %s: %s"), path, strerror(error));
}

/* ---- to another file system: copied in a thread ---- */

struct copy_task {
	char *from, *to, *part; /* written to `part`, which replaces `to` when complete */
	size_t number;
	int error;
};

static void copy_release(void *task)
{
	struct copy_task *t = task;

	free(t->from);
	free(t->to);
	free(t->part);
	free(t);
}

/* 0 or a positive errno; ECANCELED if cancelled. */
static int copy_bytes(int from, int to, uint64_t total, struct worker *w)
{
	char *buf = malloc(COPY_BYTES);
	uint64_t done = 0;
	int error = buf ? 0 : ENOMEM;

	while (!error) {
		ssize_t n = file_read_full(from, buf, COPY_BYTES);

		if (n <= 0) {
			error = (int)-n;
			break;
		}
		error = -file_write_all(to, buf, (size_t)n);
		done += (uint64_t)n;
		if (!error && worker_progress(w, NULL, done, total))
			error = ECANCELED;
	}
	free(buf);
	return error;
}

static void copy_run(void *task, struct worker *w)
{
	struct copy_task *t = task;
	int from = open(t->from, O_RDONLY | O_CLOEXEC), to;
	struct stat st;

	if (from < 0 || fstat(from, &st)) {
		t->error = errno;
		if (from >= 0)
			close(from);
		return;
	}
	to = open(t->part, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, st.st_mode & 0777);
	t->error = to < 0 ? errno : copy_bytes(from, to, (uint64_t)st.st_size, w);
	if (to >= 0 && close(to) && !t->error)
		t->error = errno;
	if (to >= 0 && !t->error && rename(t->part, t->to))
		t->error = errno;
	if (to >= 0 && t->error)
		unlink(t->part);
	close(from);
}

static void moved(struct snapshots_view *v, size_t number, const char *path)
{
	struct snapshot_row *r = snapshot_list_find(v->list, number);

	if (r && snapshot_row_moved(r, path)) {
		stack_no_memory(v->stack);
		return;
	}
	stack_say(v->stack, ROLE_NOTE, _("#%zu is in %s now."), number, path);
}

static void copy_done(void *task, void *owner)
{
	struct copy_task *t = task;
	struct snapshots_view *v = owner;

	if (t->error == ECANCELED) {
		stack_note(v->stack, _("Cancelled: the file was not moved."));
	} else if (t->error) {
		said(v, t->error, t->to);
	} else {
		unlink(t->from);
		moved(v, t->number, t->to);
	}
	stack_wish(v->stack, v, WISH_RECALC);
}

static const struct worker_ops copy_ops = { copy_run, copy_done, copy_release };

static unsigned copy(struct snapshots_view *v, const struct snapshot_row *r, const char *to)
{
	struct copy_task *t = calloc(1, sizeof(*t));
	struct ptui_error err = PTUI_ERROR_INIT;

	if (!t)
		return stack_no_memory(v->stack);
	t->number = r->number;
	t->from = strdup(r->path);
	t->to = strdup(to);
	if (!t->from || !t->to || asprintf(&t->part, "%s.part", to) < 0) {
		copy_release(t);
		return stack_no_memory(v->stack);
	}
	return worker_start_shown(&v->saving, v->stack, &copy_ops, t, v, &err) ?
		       WISH_REDRAW :
		       stack_say(v->stack, ROLE_BAD, "%s", err.text);
}

/* ---- save as ---- */

/*
 * If the file system does not support RENAME_NOREPLACE, uses link(), which does not replace either.
 */
static int move_to_new(const char *from, const char *to)
{
	if (!renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE))
		return 0;
	if (errno != EINVAL && errno != ENOSYS)
		return errno;
	if (link(from, to))
		return errno;
	return unlink(from) ? errno : 0;
}

static unsigned save(struct snapshots_view *v, const struct snapshot_row *r, const char *to,
		     bool replace);

static unsigned replace_answered(void *ctx, bool yes)
{
	struct snapshots_view *v = ctx;
	const struct snapshot_row *r = snapshot_list_find(v->list, v->asked);

	return yes && r && v->save_to ? save(v, r, v->save_to, true) : WISH_REDRAW;
}

static unsigned confirm_replace(struct snapshots_view *v, const char *to)
{
	char question[PATH_MAX + 64];

	if (words_set(&v->save_to, to))
		return stack_no_memory(v->stack);
	snprintf(question, sizeof(question), _("%s already exists. Replace it?"), to);
	return popup_ask(v->stack, question, _("replace it"), _("keep it unchanged"),
			 replace_answered, v);
}

static unsigned save(struct snapshots_view *v, const struct snapshot_row *r, const char *to,
		     bool replace)
{
	int error = replace ? (rename(r->path, to) ? errno : 0) : move_to_new(r->path, to);

	switch (error) {
	case 0:
		moved(v, r->number, to);
		break;
	case EEXIST:
		return confirm_replace(v, to);
	case EXDEV:
		if (!replace && !access(to, F_OK))
			return confirm_replace(v, to);
		return copy(v, r, to);
	default:
		said(v, error, to);
	}
	return WISH_RECALC;
}

static bool same_file(const char *a, const char *b)
{
	struct stat sa, sb;

	return !stat(a, &sa) && !stat(b, &sb) && sa.st_dev == sb.st_dev && sa.st_ino == sb.st_ino;
}

/* If the target is a directory: the same name in it. NULL: out of memory. */
static char *target_of(const char *line, const char *from)
{
	char *path = words_path(line), *in = NULL;
	struct stat st;

	if (!path || stat(path, &st) || !S_ISDIR(st.st_mode))
		return path;
	if (asprintf(&in, "%s/%s", path, text_file_name(from)) < 0)
		in = NULL;
	free(path);
	return in;
}

static unsigned path_done(void *ctx, const char *line)
{
	struct snapshots_view *v = ctx;
	const struct snapshot_row *r = snapshot_list_find(v->list, v->asked);
	unsigned wishes;
	char *to;

	if (!line || !*line || !r)
		return WISH_REDRAW;
	to = target_of(line, r->path);
	if (!to)
		return stack_no_memory(v->stack);
	wishes = same_file(to, r->path) ? stack_note(v->stack, _("It already exists.")) :
					  save(v, r, to, false);
	free(to);
	return wishes;
}

unsigned snapshots_ask_path(struct snapshots_view *v, const struct snapshot_row *r)
{
	char label[64], path[PROMPT_MAX];
	const struct prompt_opts opts = { .label = label,
					  .line = path,
					  .history = &v->paths,
					  .ways = complete_path,
					  .done = path_done,
					  .ctx = v };

	if (!r->path || v->saving)
		return stack_note(v->stack, r->path ? _("Another snapshot is being copied.") :
						      _("It has no file of its own."));
	v->asked = r->number;
	snprintf(label, sizeof(label), _("save #%zu as: "), r->number);
	snapshot_list_save_path(r, path, sizeof(path));
	return prompt_open(v->stack, &opts);
}

/* ---- delete ---- */

static unsigned delete_answered(void *ctx, bool yes)
{
	struct snapshots_view *v = ctx;
	struct snapshot_row *r = snapshot_list_find(v->list, v->asked);

	if (!yes || !r)
		return WISH_REDRAW;
	/* already removed: nothing to do */
	if (unlink(r->path) && errno != ENOENT) {
		said(v, errno, r->path);
		return WISH_REDRAW;
	}
	snapshot_list_forget(v->list, r);
	snapshots_view_changed(v);
	return WISH_REDRAW;
}

unsigned snapshots_ask_delete(struct snapshots_view *v, const struct snapshot_row *r)
{
	char question[PATH_MAX + 512], label[256], bytes[32];

	if (!r->path)
		return stack_note(v->stack, _("It has no file of its own."));
	v->asked = r->number;
	snprintf(question, sizeof(question), _("Delete %s? Its file, %s, has %s."),
		 snapshot_list_label(r, label, sizeof(label)), r->path,
		 number_bytes(bytes, sizeof(bytes), r->facts.bytes));
	return popup_ask(v->stack, question, _("delete it"), _("keep it"), delete_answered, v);
}
