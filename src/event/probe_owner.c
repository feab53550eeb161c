/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "event/probe_owner.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "base/i18n.h"
#include "base/text.h"
#include "base/vec.h"

#define PREFIX		"ptui_"
#define INITIAL_PID_NS	0xEFFFFFFCu /* the kernel's PROC_PID_INIT_INO */
#define LIST_BYTES_MAX	(64u << 20)
#define STAT_BYTES_MAX	4096
#define FIELDS_TO_START 19 /* from the state to the start time */

/* ---- names ---- */

/* A decimal number without a leading zero; NULL: there is none. */
static const char *read_number(const char *at, uint64_t *ret)
{
	char *end;

	if (*at < '1' || *at > '9')
		return NULL;
	errno = 0;
	*ret = strtoull(at, &end, 10);
	return errno ? NULL : end;
}

bool probe_owner_parse(const char *group, struct probe_owner *ret)
{
	uint64_t pid;
	const char *at;

	memset(ret, 0, sizeof(*ret));
	if (!text_starts_with(group, PREFIX))
		return false;
	at = read_number(group + strlen(PREFIX), &pid);
	if (!at || pid > INT32_MAX || *at++ != '_')
		return false;
	ret->pid = (pid_t)pid;
	at = read_number(at, &ret->start);
	if (at && *at == '_')
		at = read_number(at + 1, &ret->pid_ns);
	return at && !*at;
}

const char *probe_owner_group(const struct probe_owner *o, char buf[PROBE_OWNER_MAX])
{
	int n = snprintf(buf, PROBE_OWNER_MAX, PREFIX "%d_%llu", (int)o->pid,
			 (unsigned long long)o->start);

	if (o->pid_ns)
		snprintf(buf + n, PROBE_OWNER_MAX - (size_t)n, "_%llu",
			 (unsigned long long)o->pid_ns);
	return buf;
}

/* ---- processes ---- */

/* The pid namespace of this process; 0: the initial one, or not known. */
static uint64_t own_pid_ns(const struct roots *roots)
{
	char path[4096], link[64];
	unsigned long long inode;
	ssize_t n;

	snprintf(path, sizeof(path), "%s/self/ns/pid", roots->proc);
	n = readlink(path, link, sizeof(link) - 1);
	if (n < 0)
		return 0;
	link[n] = '\0';
	if (sscanf(link, "pid:[%llu]", &inode) != 1 || inode == INITIAL_PID_NS)
		return 0;
	return inode;
}

/* The start time of a process that runs; -ESRCH: there is none, or it is a zombie. */
static int start_of(const struct roots *roots, pid_t pid, uint64_t *ret)
{
	struct buf text = BUF_INIT;
	int error = file_readf(&text, STAT_BYTES_MAX, "%s/%d/stat", roots->proc, (int)pid);
	/* the name in parentheses may contain anything */
	const char *at = error ? NULL : strrchr(buf_str(&text), ')');

	if (at && (at[1] != ' ' || at[2] == 'Z' || at[2] == 'X'))
		at = NULL;
	for (int i = 0; at && i <= FIELDS_TO_START; i++)
		at = strchr(at + 1, ' ');
	error = error && error != -ENOENT ? error : at ? 0 : -ESRCH;
	if (at)
		*ret = strtoull(at, NULL, 10);
	buf_release(&text);
	return error;
}

int probe_owner_of(const struct roots *roots, pid_t pid, struct probe_owner *ret)
{
	memset(ret, 0, sizeof(*ret));
	ret->pid = pid ? pid : getpid();
	ret->pid_ns = own_pid_ns(roots);
	return start_of(roots, ret->pid, &ret->start);
}

bool probe_owner_has_ended(const struct roots *roots, const struct probe_owner *o)
{
	uint64_t start;
	int ret;

	if (o->pid_ns != own_pid_ns(roots))
		return false;
	ret = start_of(roots, o->pid, &start);
	return ret == -ESRCH || (!ret && start != o->start);
}

/* ---- what is left ---- */

static bool has_name(const struct probe_leftovers *l, const char *name)
{
	for (size_t i = 0; i < l->n; i++)
		if (!strcmp(l->names[i], name))
			return true;
	return false;
}

/* "p:GROUP/NAME PLACE" as "GROUP:NAME"; the letter may be followed by a number. */
static int add_line(const struct roots *roots, const char *line, size_t len,
		    struct probe_leftovers *ret)
{
	const char *colon = memchr(line, ':', len);
	size_t n = colon ? strcspn(colon + 1, " \n") : 0;
	struct probe_owner owner;
	char *name, *slash;

	if (!colon || colon + 1 + n > line + len)
		return 0;
	name = strndup(colon + 1, n);
	if (!name)
		return -ENOMEM;
	slash = strchr(name, '/');
	if (slash)
		*slash = '\0';
	if (!slash || !probe_owner_parse(name, &owner) || !probe_owner_has_ended(roots, &owner)) {
		free(name);
		return 0;
	}
	*slash = ':';
	if (has_name(ret, name)) { /* several addresses are one event */
		free(name);
		return 0;
	}
	if (vec_grow(&ret->names, &ret->cap, ret->n + 1)) {
		free(name);
		return -ENOMEM;
	}
	ret->names[ret->n++] = name;
	return 0;
}

int probe_leftovers_read(const struct roots *roots, const char *tracefs,
			 struct probe_leftovers *ret)
{
	static const char *const lists[] = { "kprobe_events", "uprobe_events" };
	int error = 0;

	memset(ret, 0, sizeof(*ret));
	for (size_t i = 0; i < 2 && !error; i++) {
		struct buf text = BUF_INIT;

		error = file_readf(&text, LIST_BYTES_MAX, "%s/%s", tracefs, lists[i]);
		if (error == -ENOENT) /* a kernel without these probes */
			error = 0;
		for (const char *at = buf_str(&text); *at && !error;) {
			size_t len = strcspn(at, "\n");

			error = add_line(roots, at, len, ret);
			at += len + (at[len] == '\n');
		}
		buf_release(&text);
	}
	if (error)
		probe_leftovers_release(ret);
	return error;
}

void probe_leftovers_release(struct probe_leftovers *l)
{
	for (size_t i = 0; i < l->n; i++)
		free(l->names[i]);
	free(l->names);
	memset(l, 0, sizeof(*l));
}

void probe_leftovers_names(const struct probe_leftovers *l, size_t most, struct buf *out)
{
	for (size_t i = 0; i < l->n && i < most; i++)
		buf_addf(out, "%s%s", i ? ", " : "", l->names[i]);
	if (l->n > most)
		buf_addf(out, _(" (+%zu more)"), l->n - most);
}

void probe_leftovers_command(const struct probe_leftovers *l, struct buf *out)
{
	buf_add_str(out, "ptui probe");
	for (size_t i = 0; i < l->n; i++) {
		size_t group = strcspn(l->names[i], ":") + 1;
		bool again = false;

		for (size_t k = 0; k < i && !again; k++)
			again = !strncmp(l->names[k], l->names[i], group);
		if (!again)
			buf_addf(out, " -d '%.*s*'", (int)group, l->names[i]);
	}
}
