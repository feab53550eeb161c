/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Pseudo-random keys, text, mouse, pastes, sizes and broken bytes. The program must neither crash
 * nor hang; after each batch it must respond, and at the end Ctrl-C exits with status 0 and a
 * restored terminal.
 *
 *	PTUI_MONKEY_SEED=N	another sequence (its effect also depends on timing)
 *	PTUI_MONKEY_KEYS=N	length
 *	PTUI_MONKEY_TEST=NAME	only this test
 *
 * It can do no harm: it runs as nobody (if root runs the test), so it can neither signal other
 * processes nor open events for them; it has its own home and directory, types no / (search is
 * bound to &) and no digits, and finds no program except w.
 */
#include <dirent.h>
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "input/key_name.h"
#include "input/keymap.h"
#include "screen/harness/screen.h"
#include "screen/recording.h"
#include "text/utf8.h"

#define KEYS	   20000
#define NOBODY	   65534
#define A_HANDFUL  10
#define DEADLINE_S 30
#define MARK	   "\xe2\x98\xa0" /* what nothing in ptui draws */

static const struct {
	const char *title; /* text on this screen only */
	bool records;	   /* requires that recording is possible */
	const char *from,
		*key; /* where this key leads to it; NULL: keys are pressed often enough */
} places[] = {
	{ " ptui  Setup", false, NULL, NULL },
	{ " Setup › Events", false, " ptui  Setup", "e" },
	{ " Setup › Process", false, " ptui  Setup", "p" },
	{ " Help: ", false, " ptui  Setup", "?" },
	{ " Live  ", true, NULL, NULL },
	{ " Live › Output", true, " Live  ", "o" },
	{ " of event '", true, NULL, NULL },
};
/* The annotate screen, in the recording of test_report(). */
#define CODE_TITLE "percent of: "
#define N_PLACES   (sizeof(places) / sizeof(places[0]))

static char folder[64], program[128], recording[128];

static struct {
	char env[6][512];
	const char *envp[8];
	char keys[128][KEY_NAME_MAX]; /* all that are bound */
	size_t n_keys;

	struct screen *s;
	const char *argv[7];
	const char *first; /* seen when it has begun */
	uint64_t seed, random;
	unsigned sent, starts, visits[N_PLACES];
	bool has_code;	   /* the recording has a function to annotate */
	char last[64][96]; /* the last actions, a ring */
	unsigned n_last;
} m;

/* ---- chance ---- */

static uint64_t chance(void)
{
	m.random ^= m.random << 13;
	m.random ^= m.random >> 7;
	m.random ^= m.random << 17;
	return m.random * 2685821657736338717ull >> 16;
}

static unsigned below(unsigned n)
{
	return (unsigned)(chance() % n);
}

/* ---- what it does ---- */

static void note(const char *what, const char *bytes, size_t n)
{
	char *to = m.last[m.n_last++ % 64];
	size_t i, at = (size_t)snprintf(to, 96, "%s ", what);

	for (i = 0; i < n && at < 90; i++)
		at += (size_t)snprintf(to + at, 96 - at,
				       bytes[i] > ' ' && bytes[i] < 0x7f ? "%c" : "\\x%02x",
				       (unsigned char)bytes[i]);
}

static void send(const char *what, const char *bytes, size_t n)
{
	note(what, bytes, n);
	screen_send(m.s, bytes, n);
}

static void press(const char *key)
{
	note("key", key, strlen(key));
	screen_keys(m.s, key);
}

/* Letters and signs without / and digits; now and then anything else that Unicode has. */
static size_t some_char(char *to)
{
	uint32_t c;

	if (below(4)) {
		do
			c = ' ' + below(95);
		while (c == '/' || (c >= '0' && c <= '9'));
		return utf8_put(to, c);
	}
	switch (below(5)) {
	case 0:
		return utf8_put(to, 0x4e00 + below(0x5000)); /* wide */
	case 1:
		return utf8_put(to, 0x300 + below(0x70)); /* combining */
	case 2:
		return utf8_put(to, 0x1f300 + below(0x300));
	case 3:
		return utf8_put(to, 0x2000 + below(0x70)); /* marks of direction, odd blanks */
	default:
		return utf8_put(to, 0xa1 + below(0x500));
	}
}

static void type_text(void)
{
	char text[64];
	size_t n = 0, chars = 1 + below(8);

	while (chars--)
		n += some_char(text + n);
	send("text", text, n);
}

static void paste(void)
{
	char text[600];
	size_t n = 0, chars = below(100);

	while (chars--) {
		if (!below(12))
			text[n++] = "\n\r\t\033\001\177"[below(6)];
		n += some_char(text + n);
	}
	text[n] = '\0';
	note("paste", text, n);
	screen_paste(m.s, text);
}

static void use_mouse(void)
{
	static const int buttons[] = { 0, 0, 0, 64, 65, 1, 2, 32, 66, 128 };
	char text[64];
	int n = snprintf(text, sizeof(text), "\033[<%d;%u;%u%c", buttons[below(10)],
			 below(30) ? 1 + below((unsigned)screen_cols(m.s)) : below(99999),
			 below(30) ? 1 + below((unsigned)screen_rows(m.s)) : below(99999),
			 below(3) ? 'M' : 'm');

	send("mouse", text, (size_t)n);
}

static void garbage(void)
{
	char text[16];
	size_t n = 0, want = 1 + below(12);

	while (n < want) {
		char c = (char)below(256);

		/* excluded elsewhere; ends of sequences that may stand for keys */
		if (c == '/' || (c >= '0' && c <= '9') || c == 'u' || c == '~' || c == 3 ||
		    c == 26 || c == 28)
			continue;
		text[n++] = below(6) ? c : "\033[O"[below(3)];
	}
	send("bytes", text, n);
}

static void resize(void)
{
	int rows = 10 + (int)below(50), cols = 40 + (int)below(160);
	char text[32];

	if (!below(6)) {
		rows = 1 + (int)below(below(2) ? 100 : 9);
		cols = 1 + (int)below(below(2) ? 300 : 39);
	}
	snprintf(text, sizeof(text), "%dx%d", cols, rows);
	note("size", text, strlen(text));
	screen_resize(m.s, rows, cols);
}

/* Random keys rarely reach Live: go there. */
static void record_w(void)
{
	press("c");
	press("<C-u>");
	press("w");
	press("<Enter>");
	if (below(2))
		press("g");
	press("r");
	m.sent += 5;
}

static void do_something(bool in_setup)
{
	unsigned what = below(1000);
	const char *key;

	if (in_setup && what < 100) {
		record_w();
	} else if (in_setup && what < 160) {
		press(what < 130 ? "e" : "p");
	} else if (what < 600) {
		key = m.keys[below((unsigned)m.n_keys)];
		/* it would be out again and again */
		if (!in_setup || (strcmp(key, "q") && strcmp(key, "<Esc>")) || !below(12))
			press(key);
	} else if (what < 700) {
		static const char *const often[] = { "<Down>", "<Up>", "<PgDn>", "<Enter>",
						     "<End>" };

		press(often[below(5)]);
	} else if (what < 820) {
		type_text();
	} else if (what < 900) {
		use_mouse();
	} else if (what < 920) {
		paste();
	} else if (what < 945) {
		resize();
	} else {
		garbage();
	}
	m.sent++;
}

/* ---- signs of life ---- */

static void show_sanitizer(void)
{
	char path[512], line[512];
	DIR *dir = opendir(folder);
	struct dirent *entry;
	bool any = false;
	FILE *in;

	while (dir && (entry = readdir(dir))) {
		if (strncmp(entry->d_name, "sanitizer.", 10))
			continue;
		any = true;
		snprintf(path, sizeof(path), "%s/%s", folder, entry->d_name);
		in = fopen(path, "r");
		while (in && fgets(line, sizeof(line), in))
			print_error("%s", line);
		if (in)
			fclose(in);
	}
	if (dir)
		closedir(dir);
	if (any)
		fail_msg("a sanitizer found something (seed %llu)", (unsigned long long)m.seed);
}

static void __attribute__((noreturn)) give_up(const char *why, int status)
{
	int y;

	for (y = 0; y < screen_rows(m.s); y++) {
		if (*screen_row(m.s, y))
			print_error("%3d|%s\n", y, screen_row(m.s, y));
	}
	for (unsigned i = m.n_last > 64 ? m.n_last - 64 : 0; i < m.n_last; i++)
		print_error("%s\n", m.last[i % 64]);
	show_sanitizer();
	print_error("%s (status %x) after %u keys, PTUI_MONKEY_SEED=%llu, %dx%d\n", why, status,
		    m.sent, (unsigned long long)m.seed, screen_cols(m.s), screen_rows(m.s));
	fail();
	abort(); /* fail() does not return */
}

static int run(const char *format, ...) __attribute__((format(printf, 1, 2)));

static int run(const char *format, ...)
{
	char command[1024];
	va_list args;

	va_start(args, format);
	vsnprintf(command, sizeof(command), format, args);
	va_end(args);
	return system(command);
}

static void start(void)
{
	const struct screen_opts opts = {
		.argv = m.argv, .env = m.envp, .folder = folder, .user = geteuid() == 0 ? NOBODY : 0
	};

	/* saved choices may be impossible to record: start fresh at times */
	if (below(2))
		run("rm -rf %s/home/.local", folder);
	m.s = screen_start(&opts);
	m.starts++;
	screen_wait(m.s, m.first);
	/* nor do they often reach the code of a function: begin there every other time */
	if (!m.has_code || m.starts % 2 == 0)
		return;
	/* later the monkey has recorded something else there */
	if (m.starts == 1)
		screen_wait(m.s, "Children");
	press("a");
	if (m.starts == 1)
		screen_wait(m.s, CODE_TITLE);
}

/*
 * It exited successfully. During its exit, when the terminal is already restored, a Ctrl-C kills it,
 * and for that or a Ctrl-Z the kernel discards what the terminal has not read: that may be how the
 * screen is restored.
 */
static void check_end(void)
{
	int status = screen_wait_end(m.s);
	const char *last = m.last[(m.n_last - 1) % 64];
	bool killed = WIFSIGNALED(status) && WTERMSIG(status) == SIGINT &&
		      !strcmp(last, "key <C-c>");

	if (!killed && (!WIFEXITED(status) || WEXITSTATUS(status)))
		give_up("it did not end well", status);
	if (!killed && strcmp(last, "key <C-z>") != 0)
		screen_check_sane(m.s);
	screen_free(m.s);
	m.s = NULL;
}

/*
 * Ctrl-L redraws everything: the scribbled text disappears. Earlier keys may have begun a paste or
 * a sequence.
 */
static void ask_for_life(void)
{
	const char *env = getenv("PTUI_SCREEN_DEADLINE");
	time_t end = time(NULL) + (env && atoi(env) > 0 ? atoi(env) : DEADLINE_S);

	while (screen_pump(m.s, 0))
		;
	screen_scribble(m.s, 0, 0, MARK);
	screen_scribble(m.s, screen_rows(m.s) - 1, 0, MARK);
	screen_send(m.s, "\033[201~\f", 7);
	while (!screen_has_ended(m.s) &&
	       (!screen_is_open(m.s) || screen_find(m.s, MARK, NULL) >= 0)) {
		if (!screen_pump(m.s, 200) && time(NULL) > end)
			give_up("it does not answer", 0);
	}
	if (screen_has_ended(m.s)) {
		check_end();
		start();
	}
}

static void look_around(void)
{
	for (size_t i = 0; i < N_PLACES; i++)
		m.visits[i] += screen_find(m.s, places[i].title, NULL) >= 0;
}

/* What a handful of keys has not shown yet, some of it rarely by chance, is looked for. */
static void look_for_the_rest(void)
{
	for (size_t i = 0; i < N_PLACES; i++) {
		if (m.visits[i] || !places[i].from || screen_find(m.s, places[i].from, NULL) != 0)
			continue;
		press(places[i].key);
		m.sent++;
		ask_for_life();
		look_around();
		return;
	}
}

static bool is_stopped_or_ended(struct screen *s, void *ctx)
{
	(void)ctx;
	return screen_is_stopped(s) || screen_has_ended(s);
}

/* Stopping and ending the program is done separately: further keys would go to the shell. */
static void stop_something(void)
{
	unsigned what = below(100);

	if (what > 3)
		return;
	m.sent++;
	press(what < 2 ? "<C-z>" : "<C-c>");
	if (what < 2)
		screen_wait_until(m.s, is_stopped_or_ended, NULL, "it stops");
	if (screen_is_stopped(m.s))
		screen_continue(m.s);
	ask_for_life();
}

static void play(unsigned keys)
{
	bool in_setup = true;

	m.sent = 0;
	start();
	while (m.sent < keys) {
		stop_something();
		for (unsigned i = 0; i < A_HANDFUL; i++)
			do_something(in_setup);
		ask_for_life();
		look_around();
		look_for_the_rest();
		in_setup = strstr(screen_row(m.s, 0), "ptui  Setup");
	}
	screen_resize(m.s, 24, 80);
	ask_for_life();
	screen_keys(m.s, "<C-c>");
	while (!screen_has_ended(m.s)) {
		if (!screen_pump(m.s, DEADLINE_S * 1000))
			give_up("Ctrl-C does not leave", 0);
	}
	check_end();
	show_sanitizer();
}

/* ---- its cage ---- */

static void write_file(const char *name, const char *text, mode_t mode)
{
	char path[256];
	FILE *out;

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	out = fopen(path, "w");
	assert_non_null(out);
	assert_true(fputs(text, out) >= 0);
	assert_int_equal(fclose(out), 0);
	assert_int_equal(chmod(path, mode), 0);
}

static void make_folder(const char *name)
{
	char path[256];

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	assert_int_equal(mkdir(path, 0755), 0);
}

/* NAME=BEFORE:WHAT, folder and file */
static void set_env(size_t i, const char *name, const char *before, const char *what,
		    const char *file)
{
	snprintf(m.env[i], sizeof(m.env[i]), "%s=%s%s%s%s%s", name, before ? before : "",
		 before ? ":" : "", what, folder, file);
	m.envp[i] = m.env[i];
}

/* Every key that any screen has, once; quitting and stopping are for rare moments. */
static void learn_keys(void)
{
	struct keymaps *keys = keymaps_new(NULL);
	key_code found[16];

	assert_non_null(keys);
	for (int i = REQ_NONE + 1; i < N_REQUESTS; i++) {
		for (int map = KEYMAP_NONE + 1; map < N_KEYMAPS; map++) {
			size_t n = keymaps_keys(keys, (enum keymap)map, (enum request)i, found, 16);

			for (size_t k = 0; k < n; k++) {
				char name[KEY_NAME_MAX];
				size_t at = 0;

				if (found[k] == '/' || i == REQ_QUIT || i == REQ_SUSPEND)
					continue;
				key_format(found[k], name);
				while (at < m.n_keys && strcmp(m.keys[at], name))
					at++;
				if (at == m.n_keys && m.n_keys < 128)
					strcpy(m.keys[m.n_keys++], name);
			}
		}
	}
	keymaps_free(keys);
	assert_in_range(m.n_keys, 40, 127);
	strcpy(m.keys[m.n_keys++], "&");
}

static int make_cage(void **state)
{
	const char *seed = getenv("PTUI_MONKEY_SEED");

	(void)state;
	setlocale(LC_ALL, "C.UTF-8");
	memset(&m, 0, sizeof(m));
	m.seed = seed && atoll(seed) > 0 ? (uint64_t)atoll(seed) : 1;
	m.random = m.seed * 0x9e3779b97f4a7c15ull | 1;
	print_message("PTUI_MONKEY_SEED=%llu\n", (unsigned long long)m.seed);
	strcpy(folder, "/tmp/ptui-monkey-XXXXXX");
	assert_non_null(mkdtemp(folder));
	assert_int_equal(chmod(folder, 0755), 0);
	make_folder("home");
	make_folder("home/.config");
	make_folder("home/.config/ptui");
	make_folder("bin");
	write_file("home/.config/ptui/config", "bind text / none\nbind text & search\n", 0644);
	write_file("bin/w",
		   "#!/bin/sh\ni=0\nwhile [ $i -lt 20000 ]; do\n\ti=$((i + 1))\n"
		   "\t[ $((i % 500)) != 0 ] || echo \"line $i of 20000\"\ndone\n",
		   0755);
	set_env(0, "HOME", NULL, "", "/home");
	set_env(1, "PATH", NULL, "", "/bin");
	set_env(2, "ASAN_OPTIONS", getenv("ASAN_OPTIONS"), "log_path=", "/sanitizer");
	set_env(3, "UBSAN_OPTIONS", getenv("UBSAN_OPTIONS"), "log_path=", "/sanitizer");
	m.envp[4] = "XDG_CONFIG_HOME";
	m.envp[5] = "XDG_STATE_HOME";
	learn_keys();
	/* nobody has no access to the build directory */
	snprintf(program, sizeof(program), "%s/ptui", folder);
	assert_int_equal(run("cp \"$PTUI\" %s", program), 0);
	return 0;
}

static int remove_cage(void **state)
{
	(void)state;
	screen_free(m.s);
	return run("rm -rf %s", folder);
}

static void lock_out(void)
{
	if (geteuid() == 0)
		assert_int_equal(run("chown -R %d:%d %s", NOBODY, NOBODY, folder), 0);
}

static unsigned keys_wanted(void)
{
	const char *env = getenv("PTUI_MONKEY_KEYS");

	return env && atoi(env) > 0 ? (unsigned)atoi(env) : KEYS;
}

static bool may_record(void)
{
	FILE *in = fopen("/proc/sys/kernel/perf_event_paranoid", "r");
	int level = 9;

	if (in) {
		if (fscanf(in, "%d", &level) != 1)
			level = 9;
		fclose(in);
	}
	return level <= 2 && !lack_of("perf");
}

static void test_session(void **state)
{
	bool records = may_record();

	(void)state;
	m.argv[0] = program;
	m.first = "ptui  Setup";
	lock_out();
	play(keys_wanted());
	print_message("%u keys, %u starts\n", m.sent, m.starts);
	for (size_t i = 0; i < N_PLACES; i++) {
		print_message("%5u x%s\n", m.visits[i], places[i].title);
		if (!m.visits[i] && (records || !places[i].records) && m.sent >= 4000)
			fail_msg("the monkey never came to%s", places[i].title);
	}
}

/* All that a recording without branches and memory accesses can have. */
#define EVERY_COLUMN                                                                       \
	"overhead_children,overhead,overhead_sys,overhead_us,overhead_guest_sys,"          \
	"overhead_guest_us,sample,period,comm,comm_nodigit,pid,cpu,dso,sym,symoff,parent," \
	"srcline,srcfile,time,symbol_size,dso_size"

static void browse_with(const char *const *options)
{
	static const char *const events[] = { "cycles", "misses", NULL };
	struct recording *r = recording_new(folder, events);

	recording_thread(r, 4000000, 4000000, "server");
	recording_module(r, "server");
	for (int i = 0; i < 5; i++) {
		recording_sample(r, 0, "main;serve;parse;eval", 8000000);
		recording_sample(r, 0, "main;serve;parse;lex", 4000000);
		recording_sample(r, 1, "main;serve;send", 3000);
	}
	m.has_code = !recording_program(r);
	for (int i = 0; i < 5 && m.has_code; i++)
		recording_at(r, 0, i ? 0x401050 : 0x401082, 30000000);
	recording_close(r);
	snprintf(recording, sizeof(recording), "%s/perf.data", folder);
	m.argv[0] = program;
	m.argv[1] = "report";
	m.argv[2] = "-i";
	m.argv[3] = recording;
	for (size_t i = 0; options && options[i]; i++)
		m.argv[4 + i] = options[i];
	m.first = "perf.data";
	lock_out();
	play(keys_wanted() / 4);
	print_message("%u keys, %u starts\n", m.sent, m.starts);
}

static void test_report(void **state)
{
	(void)state;
	browse_with(NULL);
}

static void test_every_column(void **state)
{
	const char *const options[] = { "-F", EVERY_COLUMN, NULL };

	(void)state;
	browse_with(options);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_session, make_cage, remove_cage),
		cmocka_unit_test_setup_teardown(test_report, make_cage, remove_cage),
		cmocka_unit_test_setup_teardown(test_every_column, make_cage, remove_cage),
	};

	cmocka_set_test_filter(getenv("PTUI_MONKEY_TEST"));
	return cmocka_run_group_tests_name("screen/monkey", tests, NULL, NULL);
}
