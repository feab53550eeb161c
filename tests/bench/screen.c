/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Keys and paints of the real program on a terminal: screen SCENARIO SIZE FILE
 *
 *	write key --> pty --> program --> pty --> first read after which the screen shows the answer
 *	|<------------------- latency --------------------->|
 *
 * SIZE is "24x80". Prints medians, 99th percentiles and maxima; asserts nothing. Then follow the
 * program's own statistics from its debug log (bytes and microseconds per paint, its slowest
 * handlers). Time spent in the terminal emulator is not counted. As root it does not depend on what else runs.
 */
#include <poll.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "screen/harness/private.h"

#define KEYS	   200
#define KEYS_MAX   4000
#define HELP	   "PgDn page down" /* a hint of the help */
#define SILENCE_MS 15		    /* a paint is complete after this silence */

/* Other keys during one operation, and operations while a recording is loaded. */
#define MEANWHILE    100
#define MEANWHILE_MS 4000
#define LOADING_KEYS 100

static const char *size_text, *file;
static int rows, cols;
static double answer_s = 240;
static bool by_address; /* without names, so that there are more rows */
static char log_path[256], log_env[300];

/* A title of the rows, ours and perf's; narrow ones have no room for DSOs. */
static const char *ready(void)
{
	return cols < 60 ? "Symbol" : "Shared Object";
}

static double now_ms(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (double)ts.tv_sec * 1e3 + (double)ts.tv_nsec / 1e6;
}

/* ---- the program ---- */

/*
 * With the right to: a thread that no other work on the machine delays. That is this program, and the
 * thread of the other one that handles keys and paints; its other threads compete as usual.
 */
static void urgent(pid_t thread)
{
	const struct sched_param param = { .sched_priority = 10 };

	(void)sched_setscheduler(thread, SCHED_FIFO | SCHED_RESET_ON_FORK, &param);
}

static struct screen *start(const char *const *argv)
{
	/* no sort keys that somebody chose */
	const char *env[] = { log_env, "XDG_CONFIG_HOME=/nonexistent", "XDG_STATE_HOME=/dev/null",
			      NULL };
	const struct screen_opts opts = { .argv = argv, .rows = rows, .cols = cols, .env = env };

	struct screen *s;

	unlink(log_path);
	s = screen_start(&opts);
	urgent(screen_pid(s));
	return s;
}

static struct screen *start_ptui(const char *path)
{
	const char *argv[] = {
		getenv("PTUI"), "report", "-i", path, by_address ? NULL : "--force-names", NULL
	};

	return start(argv);
}

static struct screen *start_perf(const char *path)
{
	const char *argv[] = { "perf", "report", "--tui", "-i", path, NULL };

	return start(argv);
}

static void tell_log(void)
{
	char line[1024];
	FILE *log = fopen(log_path, "r");

	while (log && fgets(line, sizeof(line), log)) {
		char *told = strstr(line, " screen: ");

		if (told)
			printf("      %s", told + 9);
	}
	if (log)
		fclose(log);
	unlink(log_path);
}

/* ---- answers ---- */

typedef bool (*answer_fn)(struct screen *s, const void *ctx);

/* Milliseconds until the answer is on the screen, -1: timeout. */
static double await(struct screen *s, double since_ms, answer_fn is_answer, const void *ctx)
{
	/* what it writes, and that it has ended */
	struct pollfd fds[2] = { { .fd = s->keeper.pty, .events = POLLIN },
				 { .fd = s->keeper.words, .events = POLLIN } };

	while (!s->ended && !is_answer(s, ctx)) {
		double at;

		if (poll(fds, 2, 200) < 0)
			return -1;
		at = now_ms() - since_ms;
		if (at > answer_s * 1e3)
			return -1;
		screen_pump(s, 0);
		if (is_answer(s, ctx))
			return at;
	}
	/* it was visible already, or came with the end */
	return is_answer(s, ctx) ? now_ms() - since_ms : -1;
}

static double press(struct screen *s, const char *key, answer_fn is_answer, const void *ctx)
{
	double since = now_ms();

	screen_keys(s, key);
	return await(s, since, is_answer, ctx);
}

static void calm(struct screen *s)
{
	while (!s->ended && screen_pump(s, SILENCE_MS))
		;
}

static bool any_bytes(struct screen *s, const void *ctx)
{
	return screen_bytes(s) > *(const uint64_t *)ctx;
}

static bool cursor_left(struct screen *s, const void *ctx)
{
	return screen_cursor_row(s) != *(const int *)ctx;
}

static bool shows(struct screen *s, const void *ctx)
{
	return screen_find(s, ctx, NULL) >= 0;
}

static bool hides(struct screen *s, const void *ctx)
{
	return !shows(s, ctx);
}

static bool has_ended(struct screen *s, const void *ctx)
{
	(void)ctx;
	return s->ended;
}

/* ---- numbers ---- */

struct times {
	double ms[KEYS_MAX];
	int n, unanswered;
	uint64_t bytes;
};

static void times_add(struct times *t, double ms)
{
	if (ms < 0)
		t->unanswered++;
	else if (t->n < KEYS_MAX)
		t->ms[t->n++] = ms;
}

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static double part(struct times *t, double share)
{
	int i = (int)(share * t->n);

	qsort(t->ms, (size_t)t->n, sizeof(t->ms[0]), by_value);
	return t->n ? t->ms[i < t->n ? i : t->n - 1] : 0;
}

static void tell(const char *what, const char *who, struct times *t)
{
	printf("%-26s %-6s %-5s %4d keys  median %8.2f ms  p99 %8.2f  max %8.2f", what, size_text,
	       who, t->n, part(t, 0.5), part(t, 0.99), part(t, 1));
	if (t->bytes && t->n)
		printf("  %6.0f bytes a key", (double)t->bytes / t->n);
	printf("%s\n", t->unanswered ? "  UNANSWERED" : "");
}

static void tell_one(const char *what, const char *who, double ms)
{
	printf("%-26s %-6s %-5s %10.2f ms%s\n", what, size_text, who, ms < 0 ? 0 : ms,
	       ms < 0 ? "  NEVER" : "");
}

static void tell_ratio(const char *what, struct times *perf, struct times *ours)
{
	printf("%-26s %-6s ratio            median %8.2f     p99 %8.2f", what, size_text,
	       part(perf, 0.5) / part(ours, 0.5), part(perf, 0.99) / part(ours, 0.99));
	if (ours->bytes)
		printf("                 %6.2f bytes",
		       (double)perf->bytes / perf->n * ours->n / (double)ours->bytes);
	printf("\n");
}

static void end(struct screen *s, const char *keys, const char *what, const char *who)
{
	tell_one(what, who, press(s, keys, has_ended, NULL));
	screen_free(s);
	tell_log();
}

/* ---- moving about ---- */

/* The same key again and again, until it moves nothing; the program paints nothing of itself. */
static void move(struct screen *s, const char *key, int n, struct times *ret)
{
	double usual_s = answer_s;

	memset(ret, 0, sizeof(*ret));
	calm(s);
	for (int i = 0; i < n && !ret->unanswered; i++) {
		uint64_t before = screen_bytes(s);

		answer_s = 5;
		times_add(ret, press(s, key, any_bytes, &before));
		answer_s = usual_s;
		calm(s);
		ret->bytes += screen_bytes(s) - before;
	}
}

/* Down and up again, while the program also paints on its own. */
static void step(struct screen *s, int n, struct times *ret)
{
	memset(ret, 0, sizeof(*ret));
	for (int i = 0; i < n; i++) {
		int row = screen_cursor_row(s);

		times_add(ret, press(s, i % 2 ? "<Up>" : "<Down>", cursor_left, &row));
		screen_pump(s, 7);
	}
}

static double open_ptui(struct screen **ret, const char *path)
{
	double since = now_ms();

	*ret = start_ptui(path);
	return await(*ret, since, shows, ready()) < 0 ? -1 : now_ms() - since;
}

static bool ready_or_warning(struct screen *s, const void *ctx)
{
	return shows(s, ctx) || shows(s, "Warning:");
}

/* perf waits for a key after a warning about this machine. */
static double open_perf(struct screen **ret, const char *path)
{
	double since = now_ms(), ms;

	*ret = start_perf(path);
	ms = await(*ret, since, ready_or_warning, ready());
	while (ms >= 0 && shows(*ret, "Warning:")) {
		screen_keys(*ret, "<Enter>");
		if (await(*ret, now_ms(), hides, "Warning:") < 0)
			return -1;
		ms = await(*ret, since, ready_or_warning, ready());
	}
	return ms;
}

/* Moving in the rows of a recording, compared with perf. */
static void browse(void)
{
	static struct times ours[3], perf[3];
	static const char *const keys[3] = { "<Down>", "<PgDn>", "<Up>" };
	static const char *const names[3] = { "cursor down", "page down", "cursor up" };
	double ms[2];
	struct screen *s;

	ms[0] = open_ptui(&s, file);
	for (int i = 0; i < 3; i++)
		move(s, keys[i], i == 1 ? KEYS / 10 : KEYS / 2, &ours[i]);
	end(s, "<C-c>", "quit the browser", "ptui");
	ms[1] = open_perf(&s, file);
	for (int i = 0; i < 3; i++)
		move(s, keys[i], i == 1 ? KEYS / 10 : KEYS / 2, &perf[i]);
	end(s, "q", "quit the browser", "perf");
	tell_one("until there are rows", "perf", ms[1]);
	tell_one("until there are rows", "ptui", ms[0]);
	if (ms[0] > 0 && ms[1] > 0)
		printf("%-26s %-6s ratio %10.1f\n", "until there are rows", size_text,
		       ms[1] / ms[0]);
	for (int i = 0; i < 3; i++) {
		tell(names[i], "perf", &perf[i]);
		tell(names[i], "ptui", &ours[i]);
		tell_ratio(names[i], &perf[i], &ours[i]);
	}
}

/* ---- a large file ---- */

#define LOADED "✓ loaded" /* only with one event */

static bool is_loading(struct screen *s)
{
	return !s->ended && !shows(s, LOADED);
}

/* Keys while it loads, over the rows so far: the help opens and closes. */
static void load_keys(void)
{
	static struct times help;
	struct screen *s = start_ptui(file);

	await(s, now_ms(), shows, ready());
	while (help.n < KEYS && is_loading(s)) {
		times_add(&help, press(s, "?", shows, HELP));
		times_add(&help, press(s, "q", hides, HELP));
	}
	tell("help while it loads", "ptui", &help);
	await(s, now_ms(), shows, LOADED);
	end(s, "<C-c>", "quit a large file", "ptui");
}

static void load_leave(const char *key, const char *what)
{
	struct screen *s = start_ptui(file);

	await(s, now_ms(), shows, ready());
	end(s, key, what, "ptui");
}

/* Not compared with perf, which takes minutes. */
static void load(void)
{
	double since = now_ms();
	uint64_t none = 0;
	struct screen *s = start_ptui(file);

	tell_one("large file: first paint", "ptui", await(s, since, any_bytes, &none));
	tell_one("large file: first rows", "ptui", await(s, since, shows, ready()));
	tell_one("large file: all rows", "ptui", await(s, since, shows, LOADED));
	end(s, "<C-c>", "quit a large file", "ptui");
	load_keys();
	s = start_ptui(file);
	await(s, now_ms(), shows, ready());
	if (is_loading(s))
		tell_one("ESC stops loading", "ptui", press(s, "<Esc>", shows, "is loaded"));
	end(s, "<C-c>", "quit a part of a file", "ptui");
	load_leave("q", "leave while it loads");
}

/* ---- very many rows ---- */

/* What the program takes at most. */
static void print_memory(struct screen *s)
{
	char path[64], line[256];
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/status", (int)screen_pid(s));
	f = fopen(path, "r");
	while (f && fgets(line, sizeof(line), f))
		if (!strncmp(line, "VmHWM:", 6))
			printf("%-26s %-6s ptui  %10.0f MB\n", "memory", size_text,
			       strtod(line + 6, NULL) / 1024);
	if (f)
		fclose(f);
}

static bool is_idle(struct screen *s, const void *ctx)
{
	(void)ctx;
	return hides(s, "ing…") && shows(s, ready());
}

/* From the key to the next change of the screen: the answer, or a mark of progress. */
static double key_to_paint(struct screen *s, const char *key)
{
	uint64_t before;
	double usual_s = answer_s, ret;

	screen_pump(s, 0);
	before = screen_bytes(s);
	answer_s = 5; /* if nothing changes */
	ret = press(s, key, any_bytes, &before);
	answer_s = usual_s;
	return ret;
}

/* What keys do, and the way back; the last key of each is the one that is measured. */
struct operation {
	const char *name, *to, *key, *back, *back_key;
	int times;
};

/* Other keys, while it works. */
static void keys_meanwhile(struct screen *s, struct times *t)
{
	double since = now_ms();

	for (int n = 0; n < MEANWHILE && now_ms() - since < MEANWHILE_MS && !is_idle(s, NULL);
	     n++) {
		/* in small ones the help has no hints */
		times_add(t, cols < 60 ? key_to_paint(s, "<Down>") : press(s, "?", shows, HELP));
		times_add(t, cols < 60 ? key_to_paint(s, "<Up>") : press(s, "q", hides, HELP));
		screen_pump(s, SILENCE_MS);
	}
}

/* The key of the operation, other keys while it works, and when it is done. */
static void operate(struct screen *s, const struct operation *o)
{
	static struct times key, other, done;

	memset(&key, 0, sizeof(key));
	memset(&other, 0, sizeof(other));
	memset(&done, 0, sizeof(done));
	for (int i = 0; i < (by_address ? 2 : o->times); i++) {
		bool back = o->back_key && i % 2;
		double since;

		screen_keys(s, back ? o->back : o->to);
		calm(s);
		since = now_ms();
		times_add(&key, key_to_paint(s, back ? o->back_key : o->key));
		if (strcmp(o->name, "print") != 0) /* which any key ends */
			keys_meanwhile(s, &other);
		await(s, now_ms(), is_idle, NULL);
		times_add(&done, now_ms() - since);
	}
	tell(o->name, "ptui", &key);
	if (other.n)
		tell("  other keys during that", "ptui", &other);
	tell("  done", "ptui", &done);
}

static const struct operation operations[] = {
	{ "tab", "", "<Tab>", "", "<Tab>", 6 },
	{ "sort", "S<Down>", "<Enter>", "S<Up>", "<Enter>", 6 },
	{ "filter", "", "d", "", "<Left>", 6 },
	{ "fold", "<Home>", "<Enter>", "", "<Enter>", 20 },
	{ "callers", "", "o", "", "o", 2 },
	{ "print", "", "P", NULL, NULL, 1 },
	{ "limit", "L<C-u>0.001", "<Enter>", "L<C-u>0.5", "<Enter>", 4 },
	{ "limit 0", "L<C-u>0", "<Enter>", NULL, NULL, 1 },
	{ "expand all", "", "E", NULL, NULL, 1 },
	{ "callers, all open", "", "o", NULL, NULL, 1 },
	{ "collapse all", "", "C", NULL, NULL, 1 },
	{ "jump", "<Home><Enter><Down>", "j", NULL, NULL, 1 },
};
#define N_OPERATIONS (sizeof(operations) / sizeof(operations[0]))

/* One operation after the other while the recording is loaded, over the rows so far; the program ends with it. */
static void many_loading(void)
{
	static const char *const names[] = { "search", "tab",  "sort",	    "filter",
					     "fold",   "none", "expand all" };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		static struct times key, other;
		struct screen *s = start_ptui(file);
		const struct operation *o = operations;
		char what[64];

		while (o < operations + N_OPERATIONS && strcmp(o->name, names[i]) != 0)
			o++;
		memset(&key, 0, sizeof(key));
		memset(&other, 0, sizeof(other));
		answer_s = 60;
		await(s, now_ms(), shows, ready());
		if (i == 0)
			screen_keys(s, "/");
		for (int n = 0; n < LOADING_KEYS && shows(s, "loading"); n++) {
			bool back = n % 2;

			if (i == 0) {
				times_add(&key, key_to_paint(s, n % 4 ? "4" : "<C-u>f"));
				screen_pump(s, 2 * SILENCE_MS);
				continue;
			}
			if (o < operations + N_OPERATIONS && (o->back_key || !n)) {
				screen_keys(s, back ? o->back : o->to);
				screen_pump(s, SILENCE_MS);
				times_add(&key, key_to_paint(s, back ? o->back_key : o->key));
			}
			times_add(&other, press(s, "?", shows, HELP));
			times_add(&other, press(s, "q", hides, HELP));
			screen_pump(s, SILENCE_MS);
		}
		await(s, now_ms(), hides, "loading");
		snprintf(what, sizeof(what), "loading: %s", names[i]);
		if (key.n)
			tell(what, "ptui", &key);
		if (other.n)
			tell(key.n ? "  other keys during that" : what, "ptui", &other);
		end(s, "<C-c>", "quit", "ptui");
	}
}

static void many(void)
{
	static struct times t;
	struct screen *s;
	double ms = open_ptui(&s, file);

	answer_s = 60;
	await(s, now_ms(), hides, "loading");
	await(s, now_ms(), is_idle, NULL);
	tell_one("rows", "ptui", ms);
	move(s, "<Down>", KEYS / 8, &t);
	tell("down", "ptui", &t);
	move(s, "<PgDn>", KEYS / 8, &t);
	tell("page down", "ptui", &t);
	memset(&t, 0, sizeof(t));
	for (int i = 0; i < 10; i++)
		times_add(&t, key_to_paint(s, i % 2 ? "<Home>" : "<End>"));
	tell("last, first", "ptui", &t);
	memset(&t, 0, sizeof(t));
	times_add(&t, key_to_paint(s, "/"));
	/* the last one of the rows, if they are sorted by name; and none */
	for (const char *c = "f49999x"; *c; c++) {
		char key[2] = { *c, '\0' };

		calm(s);
		times_add(&t, key_to_paint(s, key));
	}
	calm(s);
	times_add(&t, key_to_paint(s, "<C-u>"));
	screen_keys(s, "f1");
	calm(s);
	times_add(&t, key_to_paint(s, "<Enter>"));
	for (int i = 0; i < 10; i++) {
		calm(s);
		times_add(&t, key_to_paint(s, "n"));
	}
	tell("search", "ptui", &t);
	await(s, now_ms(), is_idle, NULL);
	for (size_t i = 0; i < N_OPERATIONS; i++)
		if (!by_address || operations[i].back_key || !strcmp(operations[i].name, "print"))
			operate(s, &operations[i]);
	print_memory(s);
	for (int i = 0; i < 2; i++) {
		char path[32];

		snprintf(path, sizeof(path), "perf.hist.%d", i);
		unlink(path);
	}
	end(s, "<C-c>", "quit", "ptui");
}

/* The same, but what takes minutes, of as many rows as there are addresses. */
static void huge(void)
{
	by_address = true;
	many();
}

/* Leaving in the middle of it. */
static void many_quit(void)
{
	static const char *const keys[] = { "E",       "S<Down><Down><Enter>", "o", "<Tab>",
					    "/f49999", "L<C-u>0.001<Enter>" };
	char both[64], what[64];
	struct screen *s;

	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		open_ptui(&s, file);
		/* until then Ctrl-C only stops loading */
		await(s, now_ms(), hides, "loading");
		calm(s);
		snprintf(both, sizeof(both), "%s<C-c>", keys[i]);
		snprintf(what, sizeof(what), "%.*s, quit at once", (int)strcspn(keys[i], "<"),
			 keys[i]);
		end(s, both, what, "ptui");
	}
}

/* ---- while it records ---- */

static char state_folder[256];

/* Writes saved choices instead of typing them. */
static void write_setup(void)
{
	char path[512];
	FILE *f;

	snprintf(path, sizeof(path), "mkdir -p %s/ptui", state_folder);
	if (system(path))
		exit(1);
	snprintf(path, sizeof(path), "%s/ptui/setup", state_folder);
	f = fopen(path, "w");
	if (!f)
		exit(1);
	fprintf(f,
		"target system\n"
		"options -F 10000 --call-graph dwarf,live -e cpu-clock -o %s/live.data\n",
		state_folder);
	fclose(f);
}

static struct screen *start_live(void)
{
	static char state_env[300];
	const char *argv[] = { getenv("PTUI"), NULL };
	const char *env[] = { log_env, "XDG_CONFIG_HOME=/nonexistent", state_env, NULL };
	const struct screen_opts opts = { .argv = argv, .rows = rows, .cols = cols, .env = env };
	struct screen *s;

	snprintf(state_env, sizeof(state_env), "XDG_STATE_HOME=%s", state_folder);
	write_setup();
	s = screen_start(&opts);
	await(s, now_ms(), shows, "whole system");
	calm(s);
	return s;
}

/* Some seconds of the cursor's moves; then the browser. */
static void live(void)
{
	static struct times ours, perf, opened;
	struct screen *s = start_live();
	const char *argv[] = { "perf", "top", "-a", "-g", "-F", "10000", "-e", "cpu-clock", NULL };
	uint64_t bytes;
	double since;

	tell_one("start of a recording", "ptui", press(s, "r", shows, "Live "));
	await(s, now_ms(), shows, ready());
	await(s, now_ms(), shows, "[k]");
	since = now_ms();
	bytes = screen_bytes(s);
	while (now_ms() - since < 6000) {
		struct times some;

		step(s, 10, &some);
		for (int i = 0; i < some.n; i++)
			times_add(&ours, some.ms[i]);
		ours.unanswered += some.unanswered;
	}
	printf("%-26s %-6s ptui  %.0f bytes a second\n", "recording at 10 kHz", size_text,
	       (double)(screen_bytes(s) - bytes) / (now_ms() - since) * 1e3);
	tell("cursor in Live", "ptui", &ours);
	for (int i = 0; i < 10; i++) {
		bytes = screen_bytes(s);
		times_add(&opened, press(s, "+", any_bytes, &bytes));
		screen_pump(s, 20);
	}
	tell("open a row in Live", "ptui", &opened);
	tell_one("stop, then the browser", "ptui", press(s, "<Enter>", shows, "of event"));
	end(s, "<C-c>", "quit behind Live", "ptui");
	s = start(argv);
	await(s, now_ms(), shows, "Samples");
	bytes = screen_bytes(s);
	since = now_ms();
	move(s, "<Down>", 50, &perf);
	printf("%-26s %-6s perf  %.0f bytes a second\n", "recording at 10 kHz", size_text,
	       (double)(screen_bytes(s) - bytes) / (now_ms() - since) * 1e3);
	tell("cursor in top", "perf", &perf);
	end(s, "q", "quit top", "perf");
}

static void live_quit(void)
{
	struct screen *s = start_live();

	press(s, "r", shows, "Live ");
	await(s, now_ms(), shows, "[k]");
	end(s, "<C-c>", "quit while it records", "ptui");
}

/* Through all events, and an incremental search. */
static void picker(void)
{
	static const char *const letters[] = { "s", "c", "h", "e", "d", "_", "s", "w", "<C-u>" };
	static struct times down, typed, opened;
	struct screen *s = start_live();

	times_add(&opened, press(s, "e", shows, "Setup › Events"));
	tell("open the events", "ptui", &opened);
	tell_one("until they are listed", "ptui", await(s, now_ms(), shows, " marked"));
	move(s, "<Down>", KEYS / 5, &down);
	tell("cursor in the events", "ptui", &down);
	screen_keys(s, "/");
	for (int i = 0; i < KEYS / 2; i++) {
		uint64_t before;

		calm(s);
		before = screen_bytes(s);
		times_add(&typed, press(s, letters[i % 9], any_bytes, &before));
	}
	tell("letters of a search", "ptui", &typed);
	screen_keys(s, "<C-u>syscalls:sys_enter<Enter>");
	move(s, "<Down>", KEYS / 2, &down);
	tell("cursor in tracepoints", "ptui", &down);
	end(s, "<C-c>", "quit the events", "ptui");
}

/* ---- the code of a large function ---- */

#define CODE "imul" /* an instruction that is on each of its pages */

/* From the key to the instructions, which are disassembled for it; then moving in them. */
static void annotate_with(struct screen *(*begin)(const char *path), const char *who,
			  const char *quit)
{
	static struct times opened, down, page;

	memset(&opened, 0, sizeof(opened));
	for (int i = 0; i < 5; i++) {
		struct screen *s = begin(file);

		await(s, now_ms(), shows, ready());
		calm(s);
		times_add(&opened, press(s, "a", shows, CODE));
		if (i == 4) {
			move(s, "<Down>", KEYS / 2, &down);
			move(s, "<PgDn>", KEYS / 10, &page);
		}
		end(s, quit, "quit the annotation", who);
	}
	tell("large function: code", who, &opened);
	tell("cursor down in code", who, &down);
	tell("page down in code", who, &page);
}

static void annotate(void)
{
	annotate_with(start_perf, "perf", "<Left>q");
	annotate_with(start_ptui, "ptui", "<C-c>");
}

static const struct {
	const char *name;
	void (*run)(void);
} scenarios[] = {
	{ "annotate", annotate },   { "browse", browse }, { "load", load },
	{ "many", many },	    { "huge", huge },	  { "many-loading", many_loading },
	{ "many-quit", many_quit }, { "live", live },	  { "live-quit", live_quit },
	{ "picker", picker },
};

int main(int argc, char **argv)
{
	size_t n = sizeof(scenarios) / sizeof(scenarios[0]);

	if (argc != 4 || sscanf(argv[2], "%dx%d", &rows, &cols) != 2) {
		fprintf(stderr, "usage: screen SCENARIO ROWSxCOLUMNS FILE\n");
		return 2;
	}
	size_text = argv[2];
	file = argv[3];
	snprintf(state_folder, sizeof(state_folder), "%.240s.d", file);
	snprintf(log_path, sizeof(log_path), "%.240s.log", file);
	snprintf(log_env, sizeof(log_env), "PTUI_DEBUG=%s", log_path);
	setvbuf(stdout, NULL, _IOLBF, 0);
	urgent(0);
	for (size_t i = 0; i < n; i++) {
		if (!strcmp(scenarios[i].name, argv[1])) {
			scenarios[i].run();
			return 0;
		}
	}
	fprintf(stderr, "screen: there is no scenario %s\n", argv[1]);
	return 2;
}
