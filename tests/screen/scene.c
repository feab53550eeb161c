/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "screen/scene.h"

#define GONE_MS	     20000
#define BUSY_SECONDS 60

int scene_set_up(void **state)
{
	struct scene *s = calloc(1, sizeof(*s));

	snprintf(s->folder, sizeof(s->folder), "/tmp/ptui-scene-XXXXXX");
	if (!mkdtemp(s->folder))
		return -1;
	*state = s;
	return 0;
}

int scene_tear_down(void **state)
{
	struct scene *s = *state;
	char command[128];

	screen_free(s->screen);
	snprintf(command, sizeof(command), "rm -rf '%s'", s->folder);
	if (system(command))
		return -1;
	free(s);
	return 0;
}

/* ---- the program ---- */

struct screen *scene_start(struct scene *s, const char *const *words)
{
	static char config[96], choices[96];
	const char *env[] = { config, choices, NULL, NULL, NULL };
	const char *argv[12] = { getenv("PTUI") };
	const struct screen_opts opts = { .argv = argv,
					  .env = env,
					  .folder = s->folder,
					  .rows = s->rows,
					  .cols = s->cols,
					  .locale = s->locale };

	need("perf");
	need("root");
	assert_non_null(argv[0]);
	snprintf(config, sizeof(config), "XDG_CONFIG_HOME=%s", s->folder);
	snprintf(choices, sizeof(choices), "XDG_STATE_HOME=%s", s->folder);
	for (size_t i = 0; s->env && s->env[i]; i++)
		env[i + 2] = s->env[i];
	for (size_t i = 0; words && words[i] && i < 10; i++)
		argv[i + 1] = words[i];
	screen_free(s->screen);
	s->screen = screen_start(&opts);
	return s->screen;
}

struct screen *scene_open(struct scene *s)
{
	struct screen *screen = scene_start(s, NULL);

	screen_wait_row(screen, 0, "Setup");
	return screen;
}

/* ---- Setup ---- */

static void type_line(struct screen *screen, const char *prompt, const char *line)
{
	screen_wait(screen, prompt);
	screen_keys(screen, "<C-e><C-u>");
	screen_send(screen, line, strlen(line));
	screen_keys(screen, "<Enter>");
	screen_wait_gone(screen, prompt);
}

void scene_command(struct scene *s, const char *line)
{
	screen_keys(s->screen, "c");
	type_line(s->screen, "command:", line);
}

static bool has_moved(struct screen *screen, void *ctx)
{
	return screen_cursor_row(screen) > *(int *)ctx;
}

void scene_events(struct scene *s, const char *events)
{
	int row;

	/* the initial one is the default of a first session */
	for (;;) {
		row = screen_cursor_row(s->screen);
		assert_true(row > 0);
		if (strstr(screen_row(s->screen, row), "Events"))
			break;
		screen_keys(s->screen, "<Down>");
		screen_wait_until(s->screen, has_moved, &row, "the cursor goes down");
	}
	screen_keys(s->screen, "<Enter>");
	type_line(s->screen, "event:", events);
}

struct wanted_row {
	pid_t pid;
	int row;
};

static bool is_on(struct screen *screen, void *ctx)
{
	const struct wanted_row *w = ctx;
	int y = screen_cursor_row(screen);

	return y > 0 && atoi(screen_row(screen, y)) == (int)w->pid;
}

static bool is_on_or_moved(struct screen *screen, void *ctx)
{
	const struct wanted_row *w = ctx;

	return is_on(screen, ctx) || screen_cursor_row(screen) > w->row;
}

void scene_process(struct scene *s, pid_t pid)
{
	struct wanted_row at = { pid, 0 };
	char text[32];

	screen_keys(s->screen, "p");
	screen_wait_row(s->screen, 0, "Process");
	snprintf(text, sizeof(text), "/%d<Enter>", (int)pid);
	screen_keys(s->screen, text);
	snprintf(text, sizeof(text), " %d ", (int)pid);
	screen_wait(s->screen, text);
	/* the number may be in other rows, too; and old rows may still be visible */
	while (!is_on(s->screen, &at)) {
		at.row = screen_cursor_row(s->screen);
		screen_keys(s->screen, "<Down>");
		screen_wait_until(s->screen, is_on_or_moved, &at,
				  "the cursor comes to the process");
	}
	screen_keys(s->screen, "<Enter>");
	snprintf(text, sizeof(text), "-p %d", (int)pid);
	screen_wait(s->screen, text);
}

void scene_record(struct scene *s)
{
	screen_keys(s->screen, "r");
	screen_wait_row(s->screen, 0, "Live");
}

/* ---- Live ---- */

/* Without the commas between thousands. */
static long number_at(const char *text)
{
	char digits[32];
	size_t n = 0;

	for (; (*text >= '0' && *text <= '9') || *text == ','; text++)
		if (*text != ',' && n < sizeof(digits) - 1)
			digits[n++] = *text;
	digits[n] = '\0';
	return n ? atol(digits) : -1;
}

long scene_samples(struct screen *s)
{
	int x, y = screen_find(s, "samples ", &x);
	const char *at = y < 0 ? NULL : strstr(screen_row(s, y), "samples ");

	return at ? number_at(at + strlen("samples ")) : -1;
}

int scene_seconds(struct screen *s)
{
	const char *at = strstr(screen_row(s, 0), "REC ");
	int minutes, seconds;

	if (!at || sscanf(at, "REC %d:%d", &minutes, &seconds) != 2)
		return -1;
	return minutes * 60 + seconds;
}

static bool has_samples(struct screen *s, void *ctx)
{
	(void)ctx;
	return scene_samples(s) > 0;
}

void scene_await_samples(struct scene *s)
{
	screen_wait_until(s->screen, has_samples, NULL, "samples come");
}

/* ---- the end ---- */

void scene_ended(struct scene *s, int status)
{
	int wstatus = screen_wait_end(s->screen);

	assert_true(WIFEXITED(wstatus));
	assert_int_equal(WEXITSTATUS(wstatus), status);
	screen_check_sane(s->screen);
}

void scene_ended_by(struct scene *s, int sig)
{
	int wstatus = screen_wait_end(s->screen);

#ifdef __SANITIZE_ADDRESS__
	/* what the sanitizer catches ends with a report */
	if (WIFEXITED(wstatus) && sig == SIGSEGV)
		wstatus = sig;
#endif
	assert_true(WIFSIGNALED(wstatus));
	assert_int_equal(WTERMSIG(wstatus), sig);
	screen_check_sane(s->screen);
}

/* What a command prints, into `text`; it must succeed. */
static void output_of(const char *command, char *text, size_t size)
{
	FILE *out = popen(command, "r");
	size_t n;

	assert_non_null(out);
	n = fread(text, 1, size - 1, out);
	text[n] = '\0';
	while (fgetc(out) != EOF)
		;
	if (pclose(out))
		fail_msg("failed: %s\n%s", command, text);
}

void scene_check_file(struct scene *s, const char *name, long samples)
{
	char command[1024], text[65536];
	const char *ptui = getenv("PTUI");

	snprintf(command, sizeof(command), "perf script -F time -i %s/%s 2>/dev/null | wc -l",
		 s->folder, name);
	output_of(command, text, sizeof(text));
	if (atol(text) < samples)
		fail_msg("perf finds %ld samples, not %ld", atol(text), samples);
	snprintf(command, sizeof(command), "perf report --stdio -i %s/%s 2>&1", s->folder, name);
	output_of(command, text, sizeof(text));
	if (samples > 0)
		assert_non_null(strstr(text, "# Samples: "));
	snprintf(command, sizeof(command), "'%s' report --stdio -i %s/%s 2>&1", ptui, s->folder,
		 name);
	output_of(command, text, sizeof(text));
	if (samples > 0)
		assert_non_null(strstr(text, "# Samples: "));
}

/* ---- the folder ---- */

struct wanted {
	struct scene *scene;
	const char *name;
	char text[4096];
};

static bool has_line(struct screen *screen, void *ctx)
{
	struct wanted *w = ctx;
	char path[PATH_MAX];
	FILE *in;
	size_t n;

	(void)screen;
	snprintf(path, sizeof(path), "%s/%s", w->scene->folder, w->name);
	in = fopen(path, "r");
	if (!in)
		return false;
	n = fread(w->text, 1, sizeof(w->text) - 1, in);
	w->text[n] = '\0';
	fclose(in);
	return strchr(w->text, '\n') != NULL;
}

const char *scene_text(struct scene *s, const char *name)
{
	static struct wanted w;

	w = (struct wanted){ .scene = s, .name = name };
	screen_wait_until(s->screen, has_line, &w, name);
	return w.text;
}

pid_t scene_pid(struct scene *s, const char *name)
{
	pid_t pid = (pid_t)atoi(scene_text(s, name));

	assert_true(pid > 1);
	return pid;
}

bool scene_has(struct scene *s, const char *name)
{
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s/%s", s->folder, name);
	return !access(path, F_OK);
}

/* ---- processes ---- */

pid_t scene_busy(void)
{
	static volatile unsigned long sink;
	pid_t pid = fork();

	assert_true(pid >= 0);
	if (pid)
		return pid;
	alarm(BUSY_SECONDS);
	for (;;)
		sink++;
}

void scene_await_gone(pid_t pid)
{
	int fd = (int)syscall(SYS_pidfd_open, pid, 0);
	struct pollfd gone = { .fd = fd, .events = POLLIN };

	if (fd < 0) {
		assert_int_equal(errno, ESRCH);
		return;
	}
	if (poll(&gone, 1, GONE_MS) != 1)
		fail_msg("process %d does not end", (int)pid);
	close(fd);
}

bool scene_lives(pid_t pid)
{
	return !kill(pid, 0);
}
