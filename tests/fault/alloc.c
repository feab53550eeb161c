/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "fault/alloc.h"

#include <dirent.h>
#include <errno.h>
#include <execinfo.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include "lib/need.h"

#define HANG_S	   20
#define TEXT_MAX   8192
#define REPORT_MAX 4

/* ---- in the child ---- */

static _Atomic bool armed;
static _Atomic uint64_t *count; /* shared with the parent */
static uint64_t fail_at;	/* 0: none */
static bool fail_on;		/* also fail all that follow */
static bool traced;

static bool fails(void)
{
	void *frames[24];
	uint64_t n;

	if (!armed)
		return false;
	n = ++*count;
	if (!fail_at || (n != fail_at && !(fail_on && n > fail_at)))
		return false;
	if (traced && n == fail_at) {
		int depth = backtrace(frames, 24);

		backtrace_symbols_fd(frames + 1, depth - 1, STDERR_FILENO);
	}
	errno = ENOMEM;
	return true;
}

/* clang-format off */
#define WRAP(type, failed, name, params, args)	\
	type __real_##name params;		\
	type __wrap_##name params;		\
	type __wrap_##name params		\
	{					\
		return fails() ? (failed) : __real_##name args; \
	}
/* clang-format on */

#pragma GCC diagnostic ignored "-Wmissing-prototypes"

WRAP(void *, NULL, malloc, (size_t n), (n))
WRAP(void *, NULL, calloc, (size_t n, size_t size), (n, size))
WRAP(void *, NULL, realloc, (void *p, size_t n), (p, n))
WRAP(void *, NULL, reallocarray, (void *p, size_t n, size_t size), (p, n, size))
WRAP(char *, NULL, strdup, (const char *s), (s))
WRAP(char *, NULL, strndup, (const char *s, size_t n), (s, n))
WRAP(FILE *, NULL, fopen, (const char *path, const char *mode), (path, mode))
WRAP(FILE *, NULL, fdopen, (int fd, const char *mode), (fd, mode))
WRAP(FILE *, NULL, open_memstream, (char **text, size_t *n), (text, n))
WRAP(DIR *, NULL, opendir, (const char *path), (path))
WRAP(DIR *, NULL, fdopendir, (int fd), (fd))
WRAP(ssize_t, -1, getline, (char **line, size_t *n, FILE *f), (line, n, f))
WRAP(int, -1, vasprintf, (char **ret, const char *format, va_list args), (ret, format, args))

int __wrap_asprintf(char **ret, const char *format, ...);
int __wrap_asprintf(char **ret, const char *format, ...)
{
	va_list args;
	int n;

	va_start(args, format);
	n = __wrap_vasprintf(ret, format, args);
	va_end(args);
	return n;
}

void alloc_pause(void)
{
	armed = false;
}

void alloc_resume(void)
{
	armed = true;
}

static _Noreturn void child(const struct alloc_scenario *s)
{
	static const int crashes[] = { SIGSEGV, SIGBUS, SIGILL, SIGFPE };
	struct ptui_error err = PTUI_ERROR_INIT;
	int ret;

	alarm(HANG_S);
	/* cmocka would go on with the parent's tests after a crash */
	for (size_t i = 0; i < sizeof(crashes) / sizeof(*crashes); i++)
		signal(crashes[i], SIG_DFL);
	if (s->prepare)
		s->prepare(s->ctx);
	armed = true;
	ret = s->run(s->ctx, &err);
	armed = false;
	if (ret < 0)
		fprintf(stderr, "%s\n", err.text);
	if (s->finish)
		s->finish(s->ctx);
	/* exit() checks for leaks, under AddressSanitizer */
	exit(ret < 0 ? EXIT_FAILURE : ret);
}

/* ---- in the parent ---- */

struct outcome {
	int status;
	uint64_t allocations;
	char text[TEXT_MAX];   /* stderr */
	char output[TEXT_MAX]; /* stdout */
};

static void read_back(int fd, char *ret, size_t size)
{
	ssize_t n = pread(fd, ret, size - 1, 0);

	ret[n < 0 ? 0 : n] = '\0';
	close(fd);
}

static void trial(const struct alloc_scenario *s, uint64_t at, bool on, bool trace,
		  struct outcome *ret)
{
	int out = memfd_create("stdout", 0), fd = memfd_create("stderr", 0);
	pid_t pid;

	assert_true(out >= 0 && fd >= 0);
	*count = 0;
	fflush(NULL);
	pid = fork();
	assert_true(pid >= 0);
	if (!pid) {
		fail_at = at;
		fail_on = on;
		traced = trace;
		dup2(out, STDOUT_FILENO);
		dup2(fd, STDERR_FILENO);
		child(s);
	}
	assert_int_equal(waitpid(pid, &ret->status, 0), pid);
	ret->allocations = *count;
	read_back(out, ret->output, sizeof(ret->output));
	read_back(fd, ret->text, sizeof(ret->text));
}

/* NULL: the outcome is as expected. */
static const char *complaint(const struct outcome *o, const struct outcome *good)
{
	if (WIFSIGNALED(o->status))
		return WTERMSIG(o->status) == SIGALRM ? "it hangs" : "it crashed";
	if (strstr(o->text, "[  ERROR"))
		return "an assertion failed";
	if (strstr(o->text, "Sanitizer") || strstr(o->text, "runtime error"))
		return "a sanitizer complains";
	if (!WEXITSTATUS(o->status))
		return !*o->text && strcmp(o->output, good->output) ?
			       "it shows something else, and does not say so" :
			       NULL;
	return !strchr(o->text, '\n') || *o->text == '\n' ? "it failed without a sentence" : NULL;
}

static void report(const struct alloc_scenario *s, uint64_t at, bool on, const char *what)
{
	struct outcome o;

	trial(s, at, on, true, &o);
	print_error("%s: allocation %llu%s: %s (status %x)\n%s\n", s->name, (unsigned long long)at,
		    on ? " and all that follow" : "", what, (unsigned)o.status, o.text);
}

/*
 * PTUI_ALLOC_STEP=1 tries every allocation; PTUI_ALLOC_FROM is the first one, by default it depends
 * on the date.
 */
static uint64_t from_env(const char *name, uint64_t otherwise)
{
	const char *text = getenv(name);

	return text && *text ? strtoull(text, NULL, 10) : otherwise;
}

static bool is_good(const struct alloc_scenario *s, uint64_t at, bool on,
		    const struct outcome *good)
{
	struct outcome o;
	const char *what;

	trial(s, at, on, false, &o);
	what = complaint(&o, good);
	if (what)
		report(s, at, on, what);
	return !what;
}

void alloc_trials(const struct alloc_scenario *s, unsigned most)
{
	struct outcome good;
	uint64_t step, from;
	unsigned bad = 0;

	count = mmap(NULL, sizeof(*count), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1,
		     0);
	assert_true(count != MAP_FAILED);
	trial(s, 0, false, false, &good);
	if (complaint(&good, &good) || WEXITSTATUS(good.status))
		fail_msg("%s: it fails by itself: %s", s->name, good.text);
	assert_true(good.allocations > 10);
	step = from_env("PTUI_ALLOC_STEP", 2 * good.allocations / most + 1);
	from = from_env("PTUI_ALLOC_FROM", (uint64_t)time(NULL) / 86400) % step;
	print_message("%s: %llu allocations, from %llu in steps of %llu\n", s->name,
		      (unsigned long long)good.allocations, (unsigned long long)from + 1,
		      (unsigned long long)step);
	for (uint64_t at = from + 1; at <= good.allocations && bad < REPORT_MAX; at += step)
		bad += !is_good(s, at, false, &good) + !is_good(s, at, true, &good);
	munmap(count, sizeof(*count));
	if (bad)
		fail_msg("%s: %u trials went wrong", s->name, bad);
}
