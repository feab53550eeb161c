/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>
#include "base/i18n.h"
#include "base/text.h"
#include "base/vec.h"
#include "event/catalog.h"
#include "probe/tracefs.h"
#include "ptui/log.h"

#define LIST_BYTES_MAX	(64u << 20)
#define ERROR_BYTES_MAX (1u << 20)
#define BUSY_MS		20
#define BUSY_TRIES	25

int probe_tracefs(const struct roots *roots, struct arena *mem, const char **ret_path,
		  struct ptui_error *err)
{
	struct catalog *cat;
	const char *path;
	int ret;

	if (roots->tracefs) {
		*ret_path = roots->tracefs;
		return 0;
	}
	cat = catalog_new(roots);
	if (!cat)
		return ptui_error_nomem(err);
	ret = catalog_tracefs(cat, &path, err);
	if (!ret) {
		*ret_path = arena_strdup(mem, path);
		ret = *ret_path ? 0 : ptui_error_nomem(err);
	} else if ((ret == -EACCES || ret == -EPERM) && err) {
		/* reading them as a group's member, which the catalog advises, is not enough here */
		err->hint[0] = '\0';
		ptui_error_hint(err, _("probes need root: run it with sudo"));
	}
	catalog_free(cat);
	return ret;
}

static const char *list_name(bool uprobes)
{
	return uprobes ? "uprobe_events" : "kprobe_events";
}

int probe_tracefs_read(const char *tracefs, bool uprobes, struct arena *mem,
		       struct probe_events *ret, struct ptui_error *err)
{
	struct buf text = BUF_INIT;
	int error = file_readf(&text, LIST_BYTES_MAX, "%s/%s", tracefs, list_name(uprobes));

	if (error == -ENOENT && !access(tracefs, F_OK)) {
		error = 0;
	} else if (error) {
		ptui_error_errno(err, -error, tracefs, _("cannot read %s/%s"), tracefs,
				 list_name(uprobes));
		if (error == -EACCES || error == -EPERM)
			ptui_error_hint(err, _("probes need root: run it with sudo"));
	}
	for (char *at = (char *)buf_str(&text); *at && !error;) {
		char *end = at + strcspn(at, "\n");
		bool more = *end != '\0';

		*end = '\0';
		if (vec_grow(&ret->v, &ret->cap, ret->n + 1))
			error = ptui_error_nomem(err);
		else if (probe_event_parse(at, mem, &ret->v[ret->n]))
			ret->v[ret->n++].is_uprobe = uprobes;
		at = end + more;
	}
	buf_release(&text);
	return error;
}

/* ---- writing ---- */

/* The kernel's own word on the last refused line: "  Error: Failed to register probe event". */
static void add_kernel_error(const char *tracefs, struct ptui_error *err)
{
	struct buf text = BUF_INIT;
	const char *last = NULL, *end;

	if (!file_readf(&text, ERROR_BYTES_MAX, "%s/error_log", tracefs))
		for (const char *at = buf_str(&text); (at = strstr(at, "error: ")); at++)
			last = at + strlen("error: ");
	if (last) {
		end = last + strcspn(last, "\n");
		ptui_error_hint(err, _("the kernel says: %.*s"), (int)(end - last), last);
	}
	buf_release(&text);
}

static void explain(const char *tracefs, const struct probe_event *e, int error,
		    struct ptui_error *err)
{
	switch (error) {
	case -EACCES:
	case -EPERM:
	case -EROFS:
		ptui_error_hint(err, _("probes need root: run it with sudo, with a tracefs that is "
				       "mounted for writing"));
		break;
	case -EBUSY:
		ptui_error_hint(err, _("a recording or trace uses it: end that first"));
		break;
	case -ENOENT:
		if (e->is_uprobe)
			ptui_error_hint(err,
					_("this kernel has no uprobes (CONFIG_UPROBE_EVENTS)"));
		else
			ptui_error_hint(err, _("this kernel has no kprobes (CONFIG_KPROBE_EVENTS); "
					       "probes in programs (-x FILE) work"));
		break;
	default:
		add_kernel_error(tracefs, err);
	}
}

/* 0 or a negative errno. */
static int write_line(const char *path, const struct buf *line)
{
	int fd = open(path, O_WRONLY | O_APPEND | O_CLOEXEC);
	int ret = fd < 0 || write(fd, line->data, line->len) < 0 ? -errno : 0;

	if (fd >= 0 && close(fd) && !ret)
		ret = -errno;
	return ret;
}

static int append(const char *tracefs, const struct probe_event *e, const struct buf *line,
		  bool dry_run, struct ptui_error *err)
{
	struct buf path = BUF_INIT;
	int ret;

	buf_addf(&path, "%s/%s", tracefs, list_name(e->is_uprobe));
	if (path.err || line->err) {
		buf_release(&path);
		return ptui_error_nomem(err);
	}
	ptui_log(PTUI_LOG_INFO, "probe",
		 dry_run ? _("would write to %s: %s") : _("writing to %s: %s"), buf_str(&path),
		 buf_str(line));
	if (dry_run) {
		buf_release(&path);
		return 0;
	}
	ret = write_line(buf_str(&path), line);
	/* the kernel may still be closing the counters of a program that has just ended */
	for (int tries = 0; ret == -EBUSY && tries < BUSY_TRIES; tries++) {
		poll(NULL, 0, BUSY_MS);
		ret = write_line(buf_str(&path), line);
	}
	if (ret) {
		ptui_error_errno(err, -ret, buf_str(&path), _("cannot write '%.*s' to %s"),
				 (int)line->len, buf_str(line), buf_str(&path));
		explain(tracefs, e, ret, err);
	}
	buf_release(&path);
	return ret;
}

int probe_tracefs_add(const char *tracefs, const struct probe_event *e, bool dry_run,
		      struct ptui_error *err)
{
	struct buf line = BUF_INIT;
	int ret;

	probe_event_format(e, &line);
	ret = append(tracefs, e, &line, dry_run, err);
	buf_release(&line);
	return ret;
}

int probe_tracefs_delete(const char *tracefs, const struct probe_event *e, struct ptui_error *err)
{
	struct buf line = BUF_INIT;
	int ret;

	buf_addf(&line, "-:%s/%s", e->group, e->event);
	ret = append(tracefs, e, &line, false, err);
	buf_release(&line);
	return ret;
}
