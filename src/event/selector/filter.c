/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "base/i18n.h"
#include "event/selector/filter.h"
#include "event/selector/filter_parse.h"
#include "event/selector/parser.h"

#define FORMAT_BYTES_MAX (1u << 20)
#define NAMES_MAX	 256

/* Generic fields: kernel/trace/trace_events.c, trace_define_generic_fields(). */
static const char *const generic[] = { "CPU", "cpu", "COMM", "comm", "stacktrace", "STACKTRACE" };

#define N_GENERIC (sizeof(generic) / sizeof(generic[0]))

struct fields {
	struct buf text; /* the names, each with its NUL */
	const char *names[NAMES_MAX];
	size_t n;
};

/* "char prev_comm[16]": prev_comm; "__data_loc char[] parent_comm": parent_comm. */
static struct span field_name(const char *declaration, size_t len)
{
	const char *end = declaration + len, *bracket, *at;

	bracket = len && end[-1] == ']' ? memrchr(declaration, '[', len) : NULL;
	if (bracket && bracket > declaration)
		end = bracket;
	while (end > declaration && isspace((unsigned char)end[-1]))
		end--;
	for (at = end; at > declaration && (isalnum((unsigned char)at[-1]) || at[-1] == '_'); at--)
		;
	return (struct span){ at, end };
}

int event_format_read(struct catalog *cat, const struct event *ev, struct buf *out,
		      struct ptui_error *err)
{
	struct buf path = BUF_INIT;
	const char *tracefs;
	int ret = catalog_tracefs(cat, &tracefs, err);

	if (ret)
		return ret;
	buf_addf(&path, "%s/events/%s/%s/format", tracefs, ev->tp_system, ev->tp_name);
	ret = path.err ? ptui_error_nomem(err) :
			 file_read(buf_str(&path), FORMAT_BYTES_MAX, out, err);
	if (ret == -EACCES)
		catalog_tracefs_hint(tracefs, err);
	buf_release(&path);
	return ret;
}

static int fields_read(struct catalog *cat, const struct event *ev, struct fields *f,
		       struct ptui_error *err)
{
	struct buf format = BUF_INIT;
	int ret = event_format_read(cat, ev, &format, err);

	for (const char *at = buf_str(&format); !ret && (at = strstr(at, "field:"));) {
		struct span name;

		at += strlen("field:");
		name = field_name(at, strcspn(at, ";\n"));
		buf_add(&f->text, name.at, span_len(name));
		buf_add(&f->text, "", 1);
	}
	if (f->text.err)
		ret = ptui_error_nomem(err);
	for (size_t at = 0; !ret && at < f->text.len && f->n + N_GENERIC < NAMES_MAX;
	     at += strlen(f->text.data + at) + 1)
		f->names[f->n++] = f->text.data + at;
	for (size_t i = 0; i < N_GENERIC; i++)
		f->names[f->n++] = generic[i];
	buf_release(&format);
	return ret;
}

int event_filter_also(struct event *ev, const char *text)
{
	struct buf whole = BUF_INIT;

	if (ev->filter)
		buf_addf(&whole, "(%s) && (%s)", ev->filter, text);
	else
		buf_add_str(&whole, text);
	return buf_replace(&whole, &ev->filter);
}

/* "start == 3" compares a field. */
bool event_filter_is_address(const char *filter)
{
	static const char *const words[] = { "filter", "start", "stop", "tracestop" };

	filter += strspn(filter, " \t\n");
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		size_t n = strlen(words[i]), blanks;

		if (strncmp(filter, words[i], n))
			continue;
		blanks = strspn(filter + n, " \t\n");
		if (blanks && filter[n + blanks] && !strchr("=!<>&|~)", filter[n + blanks]))
			return true;
	}
	return false;
}

static int check_address(struct catalog *cat, const struct event *ev, struct ptui_error *err)
{
	long long n;

	if (ev->pmu &&
	    !file_read_long(&n, "%s/bus/event_source/devices/%s/nr_addr_filters",
			    catalog_roots(cat)->sysfs, ev->pmu) &&
	    n > 0)
		return 0;
	return ptui_error_set(err, PTUI_ERROR_INPUT, EOPNOTSUPP, ev->name,
			      _("%s has no address filters: its PMU has none (nr_addr_filters)"),
			      ev->name);
}

int event_filter_check(struct catalog *cat, const struct event *ev, const char *filter,
		       struct ptui_error *err)
{
	struct parser p = { .cat = cat, .text = filter, .at = filter, .err = err };
	struct fields fields = { .text = BUF_INIT };
	int ret;

	if (ev->kind != EVENT_TRACEPOINT && event_filter_is_address(filter))
		return check_address(cat, ev, err);
	if (ev->kind != EVENT_TRACEPOINT)
		return ptui_error_set(err, PTUI_ERROR_INPUT, EINVAL, ev->name,
				      _("%s is not a tracepoint: only tracepoints have filters"),
				      ev->name);
	if (!filter[strspn(filter, " \t")])
		return ptui_error_set(err, PTUI_ERROR_INPUT, EINVAL, ev->name,
				      _("the filter for %s is empty"), ev->name);
	ret = fields_read(cat, ev, &fields, err);
	if (!ret)
		ret = filter_parse(&p, fields.names, fields.n, ev);
	buf_release(&fields.text);
	return ret;
}

int event_filter_set(struct catalog *cat, struct event *ev, const char *filter,
		     struct ptui_error *err)
{
	int ret = event_filter_check(cat, ev, filter, err);

	if (!ret && ev->kind != EVENT_TRACEPOINT) {
		free(ev->filter);
		ev->filter = strdup(filter);
		return ev->filter ? 0 : ptui_error_nomem(err);
	}
	if (!ret && event_filter_also(ev, filter))
		ret = ptui_error_nomem(err);
	return ret;
}

/* ---- the kernel's error message ---- */

/*
 *	[   12.345] event filter parse error: error: Field not found
 *	  Command: prev_pidd == 5
 *	                     ^
 */
static int report_kernel_error(const char *log, const struct event *ev, struct ptui_error *err)
{
	static const char error_mark[] = "error: error: ", command_mark[] = "Command: ";
	const char *sentence = strstr(log, error_mark), *command, *caret;
	struct parser p = { .text = ev->filter, .at = ev->filter, .err = err };
	size_t at;

	if (!sentence)
		return -ENOENT;
	sentence += strlen(error_mark);
	command = strstr(sentence, command_mark);
	if (!command)
		return -ENOENT;
	command += strlen(command_mark);
	caret = strchr(command, '\n');
	if (!caret)
		return -ENOENT;
	/* the caret marks the column; the command line starts after a mark and two spaces */
	at = strcspn(caret + 1, "^");
	at -= at < strlen("  Command: ") ? at : strlen("  Command: ");
	if (at > strlen(ev->filter))
		at = strlen(ev->filter);
	return parser_error(&p, ev->filter + at, _("here"), _("invalid filter: %.*s"),
			    (int)strcspn(sentence, "\n"), sentence);
}

static int set_in_instance(const char *instance, const struct event *ev, struct buf *log)
{
	struct buf path = BUF_INIT;
	FILE *file;
	int ret = -ENOMEM;

	buf_addf(&path, "%s/events/%s/%s/filter", instance, ev->tp_system, ev->tp_name);
	file = path.err ? NULL : fopen(buf_str(&path), "we");
	if (file) {
		fputs(ev->filter, file);
		ret = fclose(file) ? -errno : 0;
		/* accepted here */
		if (!ret)
			ret = -ENOENT;
		else
			ret = file_readf(log, FORMAT_BYTES_MAX, "%s/error_log", instance);
	}
	buf_release(&path);
	return ret;
}

int event_filter_why(struct catalog *cat, const struct event *ev, struct ptui_error *err)
{
	struct buf instance = BUF_INIT, log = BUF_INIT;
	const char *tracefs;
	bool reported = false;

	if (ev->kind == EVENT_TRACEPOINT && !catalog_tracefs(cat, &tracefs, NULL)) {
		buf_addf(&instance, "%s/instances/ptui-%d", tracefs, (int)getpid());
		if (!instance.err && !mkdir(buf_str(&instance), 0700)) {
			reported = !set_in_instance(buf_str(&instance), ev, &log) &&
				   report_kernel_error(buf_str(&log), ev, err) == -EINVAL;
			rmdir(buf_str(&instance));
		}
	}
	buf_release(&instance);
	buf_release(&log);
	if (!reported)
		ptui_error_set(err, PTUI_ERROR_INPUT, EINVAL, ev->name,
			       _("the kernel rejected the filter '%s' of %s"), ev->filter,
			       ev->name);
	return -EINVAL;
}
