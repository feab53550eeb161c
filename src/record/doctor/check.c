/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Dry run of a recording: opens its events on one CPU and one thread, and reports the kernel's
 * answer. The command is not started; this process has the same rights.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "base/i18n.h"
#include "base/vec.h"
#include "event/bpf_file.h"
#include "event/catalog.h"
#include "kernel/counters.h"
#include "kernel/cpus.h"
#include "kernel/diagnose.h"
#include "kernel/event_open.h"
#include "record/doctor/check.h"
#include "record/options.h"
#include "record/select.h"
#include "record/snapshot/trigger_check.h"
#include "record/target/cgroup.h"
#include "record/target/tasks.h"
#include "record/target/workload.h"

/*
 * Closing a tracepoint takes the kernel tens of milliseconds, and all are refused for the same
 * reasons: of "syscalls:*" try a few only.
 */
#define TRACEPOINTS_MAX 8

struct check {
	const struct kernel_ops *ops;
	struct options options;
	struct catalog *catalog;
	struct event_list events;
	struct cgroups cgroups;
	int *fds; /* by event; -1: not open. Open until the end, for their groups */
	int cpu;
	size_t n_cpus;
	size_t n_tracepoints; /* opened so far */
	struct ptui_check *ret;
	size_t cap;
};

static int add_problem(struct check *c, bool refused, const struct ptui_error *what)
{
	if (vec_grow(&c->ret->problems, &c->cap, c->ret->n_problems + 1))
		return -ENOMEM;
	c->ret->problems[c->ret->n_problems++] = (struct ptui_problem){ refused, *what };
	return 0;
}

/* ---- the target ---- */

/* As in the shell: a name with a slash is a path, others are searched for in PATH. */
static int find_command(const char *name)
{
	const char *path = getenv("PATH"), *end;
	char full[PATH_MAX];
	int ret = -ENOENT;
	struct stat st;

	if (!*name)
		return -ENOENT;
	if (strchr(name, '/')) {
		if (access(name, X_OK) || stat(name, &st))
			return -errno;
		return S_ISDIR(st.st_mode) ? -EISDIR : 0;
	}
	for (; path; path = end ? end + 1 : NULL) {
		end = strchr(path, ':');
		snprintf(full, sizeof(full), "%.*s/%s", end ? (int)(end - path) : (int)strlen(path),
			 path, name);
		if (stat(full, &st) || !S_ISREG(st.st_mode))
			continue;
		if (!access(full, X_OK))
			return 0;
		ret = -EACCES;
	}
	return ret;
}

/* Checks that the given tasks exist. */
static int check_tasks(struct check *c)
{
	const struct target *w = &c->options.target;
	pid_t *tids;
	size_t n;

	for (size_t i = 0; i < w->n_pids + w->n_tids; i++) {
		struct ptui_error what = PTUI_ERROR_INIT;
		pid_t task = i < w->n_pids ? w->pids[i] : w->tids[i - w->n_pids];
		int ret = tasks_threads(&c->ops->roots, task, &tids, &n, &what);

		if (!ret)
			free(tids);
		else if (ret == -ENOMEM || add_problem(c, true, &what))
			return -ENOMEM;
	}
	return 0;
}

/* Reports options that override others. */
static int check_conflicts(struct check *c)
{
	const char *at = buf_str(&c->options.target.conflicts);
	int ret = 0;

	for (size_t n; *at && !ret; at += n + (at[n] != '\0')) {
		struct ptui_error what = PTUI_ERROR_INIT;

		n = strcspn(at, "\n");
		ptui_error_set(&what, PTUI_ERROR_INPUT, EINVAL, NULL, "%.*s", (int)n, at);
		ret = add_problem(c, false, &what);
	}
	return ret;
}

static int check_target(struct check *c)
{
	const struct options *o = &c->options;
	struct ptui_error what = PTUI_ERROR_INIT;
	int ret;

	if (o->given.argv) {
		ret = find_command(o->given.argv[0]);
		if (ret) {
			workload_cannot_run(o->given.argv[0], -ret, &what);
			return add_problem(c, true, &what);
		}
	}
	ret = options_settle(&c->options, c->ops, &what);
	if (ret == -ENOMEM || (ret && add_problem(c, true, &what)))
		return -ENOMEM;
	return check_tasks(c) || check_conflicts(c) ? -ENOMEM : 0;
}

/* The thread to try events on: -1 all, 0 the command, else the first existing process. */
static pid_t one_thread(const struct check *c)
{
	const struct options *o = &c->options;
	pid_t *tids, tid = -1;
	size_t n;

	if (o->target.system_wide)
		return -1;
	if (o->target.n_tids && !o->target.n_pids)
		return o->target.tids[0];
	for (size_t i = 0; i < o->target.n_pids; i++) {
		if (tasks_threads(&c->ops->roots, o->target.pids[i], &tids, &n, NULL))
			continue;
		tid = tids[0];
		free(tids);
		return tid;
	}
	return 0;
}

/* ---- events ---- */

/* Applies -G to the first `n` of -e. */
static int add_cgroups(struct check *c, size_t n)
{
	const struct options *o = &c->options;

	for (size_t i = 0; i < o->given.n_cgroups; i++) {
		struct ptui_error what = PTUI_ERROR_INIT;
		int ret = o->given.cgroup_after[i] != n ?
				  0 :
				  cgroups_add(&c->cgroups, &c->ops->roots, o->given.cgroups[i],
					      &c->events, &what);

		if (ret == -ENOMEM || (ret && add_problem(c, true, &what)))
			return -ENOMEM;
	}
	return 0;
}

/* Parses each -e separately, so that one error does not hide the others. */
static int parse_events(struct check *c)
{
	struct ptui_error what = PTUI_ERROR_INIT;
	int ret = add_cgroups(c, 0);

	if (ret)
		return ret;
	if (!c->options.given.n_events)
		return catalog_add_default(c->catalog, &c->events);
	for (size_t i = 0; i < c->options.given.n_events; i++) {
		ret = record_select(c->catalog, c->options.given.events[i], &c->events, &what);
		if (ret == -ENOMEM || (ret && add_problem(c, true, &what)))
			return -ENOMEM;
		memset(&what, 0, sizeof(what));
		if (add_cgroups(c, i + 1))
			return -ENOMEM;
	}
	return 0;
}

/* Reports what is recorded instead of the requested event, one problem per line. */
static int report_fallbacks(struct check *c, const char *name, const struct buf *lines)
{
	const char *at = buf_str(lines);
	int ret = lines->err;

	for (size_t n; *at && !ret; at += n + (at[n] != '\0')) {
		struct ptui_error what = PTUI_ERROR_INIT;

		n = strcspn(at, "\n");
		ptui_error_set(&what, PTUI_ERROR_SYSTEM, EOPNOTSUPP, name, "%.*s", (int)n, at);
		ret = add_problem(c, false, &what);
	}
	return ret;
}

/*
 * Reports a refusal of the requested event. Fallbacks tried before are dropped, and a refused
 * sideband is not reported: the reason is the same as for the others.
 */
static int report_refusal(struct check *c, const struct event *ev, char *asked, size_t n_before,
			  pid_t tid, int errnum)
{
	struct ptui_error what = PTUI_ERROR_INIT;
	struct event shown = *ev;

	c->ret->n_problems = n_before;
	for (size_t i = 0; ev->sideband && i < n_before; i++)
		if (c->ret->problems[i].refused)
			return 0;
	shown.name = asked;
	diagnose_open(c->ops, &shown, tid, c->cpu, errnum, c->events.n * c->n_cpus, &what);
	return add_problem(c, true, &what);
}

static int open_event(struct check *c, uint32_t i, pid_t tid)
{
	struct event *ev = &c->events.v[i];
	const struct event *leader = &c->events.v[ev->leader];
	struct event_open how = { .ops = c->ops,
				  .tid = tid,
				  .cpu = cpus_list_pick(ev->cpus, c->cpu),
				  .group_fd = leader == ev ? -1 : c->fds[ev->leader],
				  .weak = leader != ev && leader->weak,
				  .fallbacks = FALLBACK_ALL };
	size_t n_before = c->ret->n_problems;
	struct buf given_up = BUF_INIT;
	char asked[256];
	int fd, ret;

	/* its leader was refused and reported already */
	if (leader != ev && how.group_fd < 0)
		return 0;
	/* its probe does not exist yet */
	if ((ev->bpf && ev->bpf->probe) ||
	    (ev->attr.type == PERF_TYPE_TRACEPOINT && c->n_tracepoints == TRACEPOINTS_MAX)) {
		c->ret->n_events++;
		return 0;
	}
	snprintf(asked, sizeof(asked), "%s", ev->name);
	fd = event_open(&how, ev, &given_up);
	/* as counters_open.c splits such a group */
	if (fd == -EINVAL && how.weak) {
		buf_addf(&given_up, _("%s does not fit into the group of %s: it is counted alone"),
			 asked, leader->name);
		buf_add_char(&given_up, '\n');
		how.group_fd = -1;
		how.weak = false;
		fd = event_open(&how, ev, &given_up);
	}
	ret = fd < 0 ? report_refusal(c, ev, asked, n_before, tid, -fd) :
		       report_fallbacks(c, asked, &given_up);
	buf_release(&given_up);
	if (ret || fd < 0)
		return ret;
	c->fds[i] = fd;
	c->n_tracepoints += ev->attr.type == PERF_TYPE_TRACEPOINT;
	if (ev->sideband)
		return 0;
	if (!c->ret->n_events++)
		snprintf(c->ret->first, sizeof(c->ret->first), "%s", ev->name);
	if (!ev->attr.exclude_kernel)
		c->ret->kernel_samples = true;
	return 0;
}

static int open_events(struct check *c)
{
	pid_t tid = one_thread(c);
	int ret = 0;

	c->fds = malloc((c->events.n + 1) * sizeof(*c->fds));
	if (!c->fds)
		return -ENOMEM;
	memset(c->fds, 0xff, (c->events.n + 1) * sizeof(*c->fds)); /* -1 each */
	for (uint32_t i = 0; i < c->events.n && !ret; i++)
		ret = open_event(c, i, tid);
	return ret;
}

static int check_events(struct check *c, struct ptui_error *err)
{
	struct ptui_error what = PTUI_ERROR_INIT;
	uint64_t lowered_hz = 0;
	int *cpus = NULL, ret;

	ret = parse_events(c);
	if (ret || !c->events.n)
		return ret;
	ret = options_configure(&c->options, c->ops, &c->events, &lowered_hz, &what);
	if (ret)
		return ret == -ENOMEM ? ret : add_problem(c, true, &what);
	ret = cpus_online(&c->ops->roots, &cpus, &c->n_cpus, err);
	if (ret)
		return ret;
	c->cpu = c->options.target.per_thread ? -1 : cpus[0];
	if (c->options.target.n_cpus)
		c->cpu = c->options.target.cpus[0];
	free(cpus);
	ret = open_events(c);
	if (ret || !lowered_hz)
		return ret;
	ptui_error_set(&what, PTUI_ERROR_SYSTEM, EINVAL, "kernel.perf_event_max_sample_rate",
		       _("%llu Hz exceeds what the kernel currently allows: recording at %llu Hz"),
		       (unsigned long long)c->options.given.freq_hz,
		       (unsigned long long)lowered_hz);
	ptui_error_hint(&what, _("as root: sysctl kernel.perf_event_max_sample_rate=%llu"),
			(unsigned long long)c->options.given.freq_hz);
	return add_problem(c, false, &what);
}

/* ---- the file ---- */

/*
 * Checks whether a file can be created, with O_TMPFILE, so that it is never visible; else with one
 * that is removed at once. Permissions are not enough: root passes access() on /proc, which takes
 * no files. 0 or a negative errno.
 */
static int try_directory(const char *folder)
{
	char *path;
	int fd = open(folder, O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600), ret = 0;

	if (fd >= 0) {
		close(fd);
		return 0;
	}
	if (errno != EOPNOTSUPP && errno != EISDIR)
		return -errno;
	if (asprintf(&path, "%s/.ptui-XXXXXX", folder) < 0)
		return -ENOMEM;
	fd = mkostemp(path, O_CLOEXEC);
	if (fd < 0) {
		ret = -errno;
	} else {
		close(fd);
		unlink(path);
	}
	free(path);
	return ret;
}

/* Checks whether the output can be created at this path; 0 or a negative errno. */
static int try_output(struct check *c, const char *path, const char *folder)
{
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
	char old[PATH_MAX];
	struct stat st;

	if (!*name)
		return -EISDIR;
	/* the temporary name is longer: "perf.data.12345-0.new" */
	if (strlen(name) + 24 > NAME_MAX || strlen(path) + 24 > PATH_MAX)
		return -ENAMETOOLONG;
	if (!stat(path, &st)) {
		if (S_ISDIR(st.st_mode))
			return -EISDIR;
		if (!S_ISREG(st.st_mode))
			return access(path, R_OK | W_OK) ? -errno : 0;
		c->ret->output_exists = st.st_size > 0;
		snprintf(old, sizeof(old), "%s.old", path);
		if (st.st_size && !stat(old, &st) && S_ISDIR(st.st_mode))
			return -EEXIST;
	}
	return try_directory(folder);
}

static int check_output(struct check *c)
{
	const char *path = c->options.given.output, *slash = strrchr(path, '/');
	struct ptui_error what = PTUI_ERROR_INIT;
	char *folder;
	int ret;

	folder = slash ? strndup(path, slash == path ? 1 : (size_t)(slash - path)) : strdup(".");
	if (!folder)
		return -ENOMEM;
	ret = try_output(c, path, folder);
	free(folder);
	if (!ret || ret == -ENOMEM)
		return ret;
	if (ret == -EEXIST)
		ptui_error_set(&what, PTUI_ERROR_SYSTEM, EEXIST, path,
			       _("cannot keep %s as %s.old, which is a directory"), path, path);
	else if (ret == -EISDIR || ret == -ENAMETOOLONG)
		ptui_error_errno(&what, -ret, path, _("cannot write %s"), path);
	else
		ptui_error_errno(&what, -ret, path,
				 _("cannot create a file in the directory of "
				   "%s"),
				 path);
	ptui_error_hint(&what, _("choose another output file"));
	return add_problem(c, true, &what);
}

/* ---- all checks ---- */

static int add_refusal(void *ctx, const struct ptui_error *what)
{
	return add_problem(ctx, true, what);
}

static void close_events(struct check *c)
{
	struct counters set = { .ops = c->ops, .events = &c->events };

	set.v = c->fds ? calloc(c->events.n + 1, sizeof(*set.v)) : NULL;
	/* members before leaders: closing a leader first would make its members independent */
	for (size_t i = c->fds ? c->events.n : 0; i-- > 0;) {
		if (c->fds[i] < 0)
			continue;
		if (set.v)
			set.v[set.n++] = (struct counter){ .fd = c->fds[i], .event = (uint32_t)i };
		else
			c->ops->close(c->ops->ctx, c->fds[i]);
	}
	counters_release_aside(&set);
	free(c->fds);
}

int record_check(const struct ptui_record_opts *opts, const struct kernel_ops *ops,
		 struct ptui_check *ret_check, struct ptui_error *err)
{
	struct check c = { .ops = ops, .ret = ret_check };
	int ret;

	memset(ret_check, 0, sizeof(*ret_check));
	event_list_init(&c.events);
	c.catalog = catalog_new(&ops->roots);
	if (c.catalog)
		catalog_allow_bpf(c.catalog, true);
	ret = c.catalog ? options_copy(&c.options, opts) : -ENOMEM;
	if (!ret)
		ret = check_target(&c);
	ret_check->max_freq_hz = options_max_freq_hz(ops);
	if (!ret)
		ret = check_events(&c, err);
	if (!ret)
		ret = trigger_check(&c.options, c.catalog, &c.events, add_refusal, &c);
	if (!ret)
		ret = check_output(&c);
	if (ret == -ENOMEM)
		ptui_error_nomem(err);
	close_events(&c);
	event_list_release(&c.events);
	cgroups_release(&c.cgroups);
	catalog_free(c.catalog);
	options_release(&c.options);
	return ret;
}

int ptui_record_check(const struct ptui_record_opts *opts, struct ptui_check *ret)
{
	return record_check(opts, kernel_ops_real(), ret, &ret->error);
}

void ptui_check_release(struct ptui_check *check)
{
	free(check->problems);
	memset(check, 0, sizeof(*check));
}
