/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include "base/i18n.h"
#include "record/header/synth.h"
#include "record/target/tasks.h"

#define COMM_MAX       16 /* including NUL: TASK_COMM_LEN */
#define MAPS_MAX_BYTES (256U << 20)
#define ANON_NAME      "//anon"

static bool is_gone(int ret)
{
	return ret == -ENOENT || ret == -ESRCH || ret == -EACCES || ret == -EPERM;
}

/* Cut to 15 characters as in samples: /proc shows longer names of workqueue threads. */
static int read_comm(struct synth *s, pid_t pid, pid_t tid, char comm[COMM_MAX])
{
	struct buf text = BUF_INIT;
	size_t len;
	int ret = file_readf(&text, 4096, "%s/%d/task/%d/comm", s->roots->proc, (int)pid, (int)tid);

	if (!ret) {
		len = strcspn(buf_str(&text), "\n");
		if (len >= COMM_MAX)
			len = COMM_MAX - 1;
		memcpy(comm, buf_str(&text), len);
		comm[len] = '\0';
	}
	buf_release(&text);
	return ret;
}

static int put_namespaces(struct synth *s, pid_t pid, pid_t tid)
{
	static const char *const names[] = { "net", "uts", "ipc", "pid", "user", "mnt", "cgroup" };
	enum { N = sizeof(names) / sizeof(*names) };
	struct data_namespace spaces[N] = { { 0, 0 } };
	struct buf path = BUF_INIT;
	struct stat st;
	int ret = 0;

	for (size_t i = 0; i < N && !ret; i++) {
		buf_clear(&path);
		buf_addf(&path, "%s/%d/ns/%s", s->roots->proc, (int)pid, names[i]);
		ret = path.err;
		if (!ret && !stat(buf_str(&path), &st))
			spaces[i] = (struct data_namespace){ st.st_dev, st.st_ino };
	}
	buf_release(&path);
	return ret ? ret : data_put_namespaces(s->out, pid, tid, spaces, N, s->attr, NULL);
}

int synth_comm(struct synth *s, pid_t pid, pid_t tid)
{
	char comm[COMM_MAX];
	int ret = read_comm(s, pid, tid, comm);

	if (!ret && s->namespaces)
		ret = put_namespaces(s, pid, tid);
	if (ret)
		return is_gone(ret) ? 0 : ret;
	return data_put_comm(s->out, pid, tid, comm, 0, s->attr, NULL);
}

/* The number after "\nKEY" in /proc/PID/status; 0 if not found. */
static pid_t status_number(struct synth *s, pid_t pid, const char *key)
{
	struct buf text = BUF_INIT;
	const char *at;
	pid_t ret = 0;

	if (file_readf(&text, 65536, "%s/%d/status", s->roots->proc, (int)pid) == 0) {
		at = strstr(buf_str(&text), key);
		if (at)
			ret = (pid_t)strtol(at + strlen(key), NULL, 10);
	}
	buf_release(&text);
	return ret;
}

/* ---- maps ---- */

/* /proc escapes only newlines in a path, as "\012". */
static void unescape(char *path)
{
	char *to = path;

	while (*path) {
		if (!strncmp(path, "\\012", 4)) {
			*to++ = '\n';
			path += 4;
		} else {
			*to++ = *path++;
		}
	}
	*to = '\0';
}

/* Parses a number followed by the character `end_char`; NULL on mismatch. */
static char *parse_number(char *at, int base, char end_char, uint64_t *ret)
{
	char *end;

	*ret = strtoull(at, &end, base);
	return end != at && *end == end_char ? end + 1 : NULL;
}

/* "55a0-55b0 r-xp 00002000 fe:00 248056   /usr/bin/sleep"; false: not understood. */
static bool parse_map(char *line, struct data_mmap *m)
{
	uint64_t end, maj, min;
	char *at = line, *perms;

	if (!(at = parse_number(at, 16, '-', &m->start)) || !(at = parse_number(at, 16, ' ', &end)))
		return false;
	perms = at;
	if (strlen(perms) < 5 || perms[4] != ' ')
		return false;
	at += 5;
	if (!(at = parse_number(at, 16, ' ', &m->pgoff)) ||
	    !(at = parse_number(at, 16, ':', &maj)) || !(at = parse_number(at, 16, ' ', &min)))
		return false;
	m->ino = strtoull(at, &at, 10);
	at += strspn(at, " ");
	m->len = end - m->start;
	m->maj = (uint32_t)maj;
	m->min = (uint32_t)min;
	m->prot = (perms[0] == 'r' ? PROT_READ : 0) | (perms[1] == 'w' ? PROT_WRITE : 0) |
		  (perms[2] == 'x' ? PROT_EXEC : 0);
	m->flags = perms[3] == 's' ? MAP_SHARED : MAP_PRIVATE;
	unescape(at);
	m->path = *at ? at : ANON_NAME;
	return true;
}

static int put_map(struct synth *s, pid_t pid, char *line)
{
	uint16_t misc = PERF_RECORD_MISC_USER;
	struct data_mmap m;
	int ret;

	memset(&m, 0, sizeof(m));
	m.pid = m.tid = pid;
	if (!parse_map(line, &m))
		return 0;
	/* data maps, if requested: readable but not executable */
	if (!(m.prot & PROT_EXEC) && (!s->data_maps || !(m.prot & PROT_READ)))
		return 0;
	if (!strncmp(m.path, "/anon_hugepage", 14))
		m.path = ANON_NAME;
	if (m.prot & PROT_EXEC && s->buildids)
		buildids_of_map(s->buildids, &m, NULL);
	if (!(m.prot & PROT_EXEC))
		misc |= PERF_RECORD_MISC_MMAP_DATA;
	ret = data_put_mmap2(s->out, &m, misc, s->attr, NULL);
	return ret == -E2BIG ? 0 : ret;
}

static bool is_late(const struct synth *s, uint64_t began_ns)
{
	return s->ops && s->ops->clock_ns(s->ops->ctx) - began_ns > s->maps_limit_ns;
}

/*
 * Reads whole lines until the time limit: the kernel needs long for a process with many maps.
 * *ret_late: incomplete.
 */
static int read_maps(struct synth *s, pid_t pid, struct buf *text, bool *ret_late)
{
	uint64_t began_ns = s->ops ? s->ops->clock_ns(s->ops->ctx) : 0;
	char part[16384];
	struct buf path = BUF_INIT;
	ssize_t n = 0;
	int fd;

	buf_addf(&path, "%s/%d/maps", s->roots->proc, (int)pid);
	fd = path.err ? -1 : open(buf_str(&path), O_RDONLY | O_CLOEXEC);
	if (fd < 0) {
		n = path.err ? path.err : -errno;
		buf_release(&path);
		return (int)n;
	}
	buf_release(&path);
	while (!(*ret_late = is_late(s, began_ns)) && text->len < MAPS_MAX_BYTES) {
		n = read(fd, part, sizeof(part));
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			break;
		buf_add(text, part, (size_t)n);
	}
	n = n < 0 ? -errno : text->err;
	close(fd);
	while (*ret_late && text->len && text->data[text->len - 1] != '\n')
		text->len--;
	if (text->data)
		text->data[text->len] = '\0';
	return (int)n;
}

/* Marks the last map of an incomplete list, as perf does. */
static void mark_late(struct synth *s, size_t last)
{
	uint16_t misc;

	s->n_late++;
	if (last == s->out->len)
		return;
	memcpy(&misc, s->out->data + last + 4, sizeof(misc));
	misc |= PERF_RECORD_MISC_PROC_MAP_PARSE_TIMEOUT;
	memcpy(s->out->data + last + 4, &misc, sizeof(misc));
}

static int synth_maps(struct synth *s, pid_t pid)
{
	struct buf text = BUF_INIT;
	size_t last = s->out->len;
	bool late = false;
	int ret = read_maps(s, pid, &text, &late);
	char *line, *rest = text.data;

	while (!ret && (line = strsep(&rest, "\n"))) {
		size_t before = s->out->len;

		ret = put_map(s, pid, line);
		if (s->out->len > before)
			last = before;
	}
	if (!ret && late)
		mark_late(s, last);
	buf_release(&text);
	return ret;
}

/* ---- processes ---- */

static int synth_thread(struct synth *s, pid_t pid, pid_t tid, pid_t ppid, bool with_forks)
{
	pid_t parent = tid == pid ? ppid : pid;
	char comm[COMM_MAX];
	int ret = read_comm(s, pid, tid, comm);

	if (!ret && with_forks)
		ret = data_put_fork(s->out, pid, parent, tid, parent, s->attr, NULL);
	if (!ret && s->namespaces)
		ret = put_namespaces(s, pid, tid);
	if (!ret)
		ret = data_put_comm(s->out, pid, tid, comm, 0, s->attr, NULL);
	return is_gone(ret) ? 0 : ret;
}

int synth_process(struct synth *s, pid_t pid, bool with_forks)
{
	pid_t *tids, ppid = 0;
	size_t n;
	int ret = tasks_threads(s->roots, pid, &tids, &n, NULL);

	if (is_gone(ret)) {
		s->n_gone++;
		return 0;
	}
	if (ret)
		return ret;
	if (with_forks)
		ppid = status_number(s, pid, "\nPPid:");
	for (size_t i = 0; i < n && !ret; i++)
		ret = synth_thread(s, pid, tids[i], ppid, with_forks);
	free(tids);
	if (!ret && !s->no_maps)
		ret = synth_maps(s, pid);
	if (is_gone(ret)) {
		s->n_gone++;
		ret = 0;
	}
	return ret;
}

int synth_system(struct synth *s, struct ptui_error *err)
{
	pid_t *pids;
	size_t n;
	int ret = tasks_processes(s->roots, &pids, &n, err);

	if (ret)
		return ret;
	ret = synth_processes(s, pids, n, true);
	free(pids);
	if (ret)
		return ptui_error_errno(err, -ret, s->roots->proc,
					_("cannot read the processes in %s"), s->roots->proc);
	return 0;
}
