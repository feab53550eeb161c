/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Every key in a help screen does what it says. Reads each screen's help from the terminal, row by
 * row; for each row there must be a proof, which is run with each of its keys: so a request without
 * a proof fails, and so does a proof without a help row.
 */
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "input/key_name.h"
#include "input/keymap.h"
#include "screen/recording.h"
#include "screen/steps.h"
#include "text/utf8.h"

#define ROWS	    50
#define COLS	    120
#define WHERE_BYTES 32768

struct place;

/*
 * The expected effect. COMES, GOES: a text, after the key and not before. LINE: the last line
 * afterwards, with | at the text cursor.
 */
enum effect { NONE, COMES, GOES, LINE, SIGN, ENDS, MOVES };

struct proof {
	enum request req;
	enum effect effect;
	const char *text;
	const char *before; /* keys first; NULL: none */
	const char *then;   /* keys after the tested one */
	const char *after;  /* keys that lead back; NULL: a new program is started */
};

struct place {
	const char *name;
	enum keymap map;
	const char *base; /* text visible there, and not on related screens */
	void (*open)(const struct place *p);
	const char *help, *leave;  /* keys to its help, and back */
	const char *find, *unfind; /* a text in several rows; keys that end the search */
	const char *next, *prev;   /* keys to the next found and the one before; NULL: n, N */
	bool live;		   /* numbers change by themselves */
	bool no_help_of_its_own;   /* the help screen: its rows are those of the keymap */
	int rows, cols;		   /* to be proved in; 0: as it was opened */
	const struct proof *proofs;
	size_t n;
};

static struct keymaps *keys;
static char folder[FOLDER_BYTES], work[4096];
static struct screen *s;

/* ---- steps ---- */

static void __attribute__((noreturn, format(printf, 1, 2))) give_up(const char *format, ...)
{
	va_list args;
	char why[1024];

	va_start(args, format);
	vsnprintf(why, sizeof(why), format, args);
	va_end(args);
	for (int y = 0; y < screen_rows(s); y++) {
		if (*screen_row(s, y))
			print_error("%3d|%s\n", y, screen_row(s, y));
	}
	print_error("%s\n", why);
	fail();
	abort(); /* fail() does not return */
}

/* The picture is complete, and no thread has results pending. */
static bool is_drawn(struct screen *screen, void *ctx)
{
	return screen_find(screen, ctx, NULL) < 0 && screen_find(screen, "counting…", NULL) < 0 &&
	       screen_find(screen, "checking …", NULL) < 0 &&
	       screen_find(screen, "reading the processes …", NULL) < 0 &&
	       *screen_row(screen, screen_rows(screen) - 1);
}

/* All that was typed before has had its effect. */
static void settle(void)
{
	static char mark[] = "\xe2\x98\xa0";

	while (screen_pump(s, 0))
		;
	screen_scribble(s, 0, screen_cols(s) - 1, mark);
	screen_scribble(s, screen_rows(s) - 1, screen_cols(s) - 2, mark);
	screen_send(s, "\f", 1);
	screen_wait_until(s, is_drawn, mark, "Ctrl-L is answered");
}

static void type(const char *what)
{
	const char *esc;

	/* in the form that cannot be taken for the beginning of another key */
	while (what && (esc = strstr(what, "<Esc>"))) {
		char part[256];

		snprintf(part, sizeof(part), "%.*s", (int)(esc - what), what);
		screen_keys(s, part);
		screen_send(s, "\033[27u", 5);
		what = esc + 5;
	}
	if (what)
		screen_keys(s, what);
}

static void start(const char *const *args)
{
	const struct visit how = { .folder = folder, .args = args, .rows = ROWS, .cols = COLS };

	s = visit(&how);
}

static void stop(void)
{
	screen_free(s);
	s = NULL;
}

static void write_file(const char *name, const char *text, mode_t mode)
{
	char path[FOLDER_BYTES + 64];
	FILE *out;

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	out = fopen(path, "w");
	assert_non_null(out);
	assert_true(fputs(text, out) >= 0);
	assert_int_equal(fclose(out), 0);
	assert_int_equal(chmod(path, mode), 0);
}

/* ---- the help ---- */

static enum request request_of_label(enum keymap map, const char *label)
{
	key_code found[16];
	char text[KEY_NAME_MAX];

	for (int i = REQ_NONE + 1; i < N_REQUESTS; i++) {
		size_t n = keymaps_keys(keys, map, (enum request)i, found, 16);

		while (n--) {
			if (!strcmp(key_label(found[n], text), label))
				return (enum request)i;
		}
	}
	return REQ_NONE;
}

/* "  ?  h  F1      list the keys": the request, if all of its keys are bound to it. */
static enum request read_row(const struct place *p, const char *row)
{
	enum request req = REQ_NONE;
	char word[512];

	if (strncmp(row, "  ", 2) || row[2] == ' ' || !row[2])
		return REQ_NONE;
	for (row += 2; *row; row += strspn(row, " ")) {
		const char *end = strstr(row, "  ");
		enum request of;

		snprintf(word, sizeof(word), "%.*s", end ? (int)(end - row) : (int)strlen(row),
			 row);
		of = request_of_label(p->map, word);
		if (of == REQ_NONE)
			break;
		if (req != REQ_NONE && of != req)
			give_up("help of %s: %s is said to do what %s does", p->name, word,
				request_info(req)->name);
		req = of;
		row += strlen(word);
	}
	if (req == REQ_NONE)
		give_up("help of %s: no such key: %s", p->name, row);
	/* a scroll bar may follow */
	if (strncmp(row, request_info(req)->help, strlen(request_info(req)->help)))
		give_up("help of %s: '%s' is not what %s does", p->name, row,
			request_info(req)->name);
	return req;
}

/* Reads the whole help; told[] is set for listed requests. */
static void read_help(const struct place *p, bool told[N_REQUESTS])
{
	if (p->no_help_of_its_own) {
		for (size_t i = 0; i < p->n; i++)
			told[p->proofs[i].req] = true;
		return;
	}
	type(p->help);
	screen_wait_row(s, 0, "Help: ");
	for (;;) {
		char before[1024];

		settle();
		for (int y = 1; y < screen_rows(s) - 1; y++)
			told[read_row(p, screen_row(s, y))] = true;
		snprintf(before, sizeof(before), "%s", screen_row(s, 2));
		type("<PgDn>");
		settle();
		if (!strcmp(before, screen_row(s, 2)))
			break;
	}
	type(p->leave);
	screen_wait(s, p->base);
}

/* ---- proofs ---- */

struct seen {
	const char *text;
	bool there;
};

static bool is_so(struct screen *screen, void *ctx)
{
	const struct seen *w = ctx;

	return (screen_find(screen, w->text, NULL) >= 0) == w->there;
}

static bool line_is(struct screen *screen, void *ctx)
{
	char shown[1024];
	int y, x, at = 0;
	const char *row;
	size_t n;

	if (!screen_cursor(screen, &y, &x) || y != screen_rows(screen) - 1)
		return false;
	row = screen_row(screen, y);
	for (n = 0; row[n] && at < x; at++)
		n++; /* the lines are of ASCII */
	snprintf(shown, sizeof(shown), "%.*s%*s|%s", (int)n, row, x - at, "", row + n);
	return !strcmp(shown, ctx);
}

static bool sign_is(struct screen *screen, void *ctx)
{
	int y = screen_cursor_row(screen);

	return y >= 0 && *screen_row(screen, y) == *(char *)ctx;
}

/*
 * The current position: visible and highlighted rows; the cursor row on screens with changing
 * numbers.
 */
static void where(const struct place *p, char buf[WHERE_BYTES])
{
	size_t n = 0;

	if (p->live) {
		snprintf(buf, WHERE_BYTES, "%d", screen_cursor_row(s));
		return;
	}
	for (int y = 1; y < screen_rows(s) - 1; y++) {
		n += (size_t)snprintf(buf + n, WHERE_BYTES - n, "%s\n", screen_row(s, y));
		assert_true(n < WHERE_BYTES);
		n += (size_t)snprintf(buf + n, WHERE_BYTES - n, "%s\n", screen_row_looks(s, y));
		assert_true(n < WHERE_BYTES);
	}
}

static void expect_where(const struct place *p, enum request req, const char *key, const char *text,
			 bool same)
{
	char now[WHERE_BYTES];

	for (int i = 0; i < 50; i++) {
		where(p, now);
		if (!strcmp(now, text) == same)
			return;
		settle();
	}
	give_up("%s: %s (%s) %s", p->name, key, request_info(req)->name,
		same ? "does not lead where it should" : "does not move");
}

static void prove_move(const struct place *p, enum request req, const char *key)
{
	char first[WHERE_BYTES], second[WHERE_BYTES], last[WHERE_BYTES];
	bool up = req == REQ_UP || req == REQ_PAGE_UP || req == REQ_FIRST;

	type("<Home>");
	settle();
	where(p, first);
	type("<Down>");
	settle();
	where(p, second);
	type("<End>");
	settle();
	where(p, last);
	if (!strcmp(first, second) || !strcmp(first, last))
		give_up("%s: there is nowhere to move to", p->name);
	if (!up) {
		type("<Home>");
		settle();
	}
	type(key);
	settle();
	if (req == REQ_FIRST || req == REQ_LAST)
		expect_where(p, req, key, up ? first : last, true);
	else if (req == REQ_DOWN)
		expect_where(p, req, key, second, true);
	else
		expect_where(p, req, key, up ? last : first, false);
	if (req == REQ_PAGE_DOWN && !p->live)
		expect_where(p, req, key, second, false);
	type("<Home>");
	settle();
}

/* The right half of the rows, which scrolls horizontally. */
static void right_half(char buf[8192])
{
	size_t n = 0;

	*buf = '\0';
	for (int y = 2; y < screen_rows(s) - 2; y++) {
		const char *row = screen_row(s, y);
		size_t skip = strlen(row) > 60 ? 60 : strlen(row);

		n += (size_t)snprintf(buf + n, n < 8192 ? 8192 - n : 0, "%.50s\n", row + skip);
	}
}

static void prove_sideways(const struct place *p, enum request req, const char *key)
{
	char before[8192], after[8192], back[8192];

	if (p->live)
		type("<Home>");
	settle();
	right_half(before);
	type(req == REQ_RIGHT ? key : "<Right>");
	settle();
	right_half(after);
	type(req == REQ_LEFT ? key : "<Left>");
	settle();
	right_half(back);
	if (!p->live && (!strcmp(before, after) || strcmp(before, back)))
		give_up("%s: %s (%s) does not scroll and back", p->name, key,
			request_info(req)->name);
}

/* The cursor row, or a highlighted one, contains the searched text. */
static bool has_found(struct screen *screen, void *ctx)
{
	int y = screen_cursor_row(screen);
	size_t bytes;

	return y > 0 && utf8_find(screen_row(screen, y), ctx, &bytes);
}

static void prove_search(const struct place *p, enum request req, const char *key)
{
	char first[WHERE_BYTES], next[WHERE_BYTES];

	type("<Home>");
	type(req == REQ_SEARCH ? key : "/");
	type(p->find);
	type("<Enter>");
	screen_wait_until(s, has_found, (char *)p->find, "what was searched is found");
	settle();
	if (req != REQ_SEARCH) {
		where(p, first);
		type(req == REQ_SEARCH_NEXT ? key : p->next ? p->next : "n");
		screen_wait_until(s, has_found, (char *)p->find, "the next is found");
		expect_where(p, req, key, first, false);
		where(p, next);
		type(req == REQ_SEARCH_PREV ? key : p->prev ? p->prev : "N");
		expect_where(p, req, key, first, true);
	}
	type(p->unfind);
	settle();
	screen_wait(s, p->base);
}

static void prove_suspend(const struct place *p, const char *key)
{
	type(key);
	screen_wait_stopped(s);
	screen_check_sane(s);
	screen_continue(s);
	screen_wait(s, p->base);
}

static void prove_redraw(const struct place *p, const char *key)
{
	settle();
	screen_scribble(s, 3, 10, "somebody else's words");
	assert_true(screen_find(s, "somebody else's words", NULL) >= 0);
	type(key);
	screen_wait_gone(s, "somebody else's words");
	screen_wait(s, p->base);
}

static void end(const struct place *p)
{
	int status = screen_wait_end(s);

	if (!WIFEXITED(status) || WEXITSTATUS(status))
		give_up("%s: it ended with status %x", p->name, (unsigned)status);
	screen_check_sane(s);
	stop();
	p->open(p);
}

static void prove_text(const struct place *p, const struct proof *proof, const char *key)
{
	struct seen seen = { proof->text, proof->effect == COMES };
	char what[256], *sign = (char *)proof->text;

	type(proof->before);
	settle();
	if (proof->effect != LINE && proof->effect != SIGN && is_so(s, &seen))
		give_up("%s: \"%s\" is%s there before %s is pressed", p->name, proof->text,
			seen.there ? "" : " not", key);
	if (proof->effect == SIGN && sign_is(s, sign))
		give_up("%s: the row has the sign %s before %s is pressed", p->name, sign, key);
	type(key);
	type(proof->then);
	snprintf(what, sizeof(what), "%s: %s (%s) %s %s", p->name, key,
		 request_info(proof->req)->name, seen.there ? "shows" : "leads to", proof->text);
	screen_wait_until(s,
			  proof->effect == LINE ? line_is :
			  proof->effect == SIGN ? sign_is :
						  is_so,
			  proof->effect == LINE || proof->effect == SIGN ? (void *)sign : &seen,
			  what);
	if (!proof->after) {
		stop();
		p->open(p);
		return;
	}
	type(proof->after);
	settle();
	screen_wait(s, p->base);
}

static void prove(const struct place *p, const struct proof *proof, const char *key)
{
	switch (proof->req) {
	case REQ_UP:
	case REQ_DOWN:
	case REQ_PAGE_UP:
	case REQ_PAGE_DOWN:
	case REQ_FIRST:
	case REQ_LAST:
		prove_move(p, proof->req, key);
		return;
	case REQ_LEFT:
	case REQ_RIGHT:
		prove_sideways(p, proof->req, key);
		return;
	case REQ_SEARCH:
	case REQ_SEARCH_NEXT:
	case REQ_SEARCH_PREV:
		prove_search(p, proof->req, key);
		return;
	case REQ_SUSPEND:
		prove_suspend(p, key);
		return;
	case REQ_REDRAW:
		prove_redraw(p, key);
		return;
	default:
		break;
	}
	if (proof->effect != ENDS) {
		prove_text(p, proof, key);
		return;
	}
	type(key);
	type(proof->then);
	end(p);
}

static void test_place(void **state)
{
	const struct place *p = *state;
	bool told[N_REQUESTS] = { false };
	key_code found[16];
	char name[KEY_NAME_MAX];

	p->open(p);
	read_help(p, told);
	told[REQ_NONE] = false;
	for (int i = REQ_NONE + 1; i < N_REQUESTS; i++) {
		size_t k, n = keymaps_keys(keys, p->map, (enum request)i, found, 16);
		const struct proof *proof = NULL;

		for (size_t at = 0; at < p->n; at++) {
			if (p->proofs[at].req == (enum request)i)
				proof = &p->proofs[at];
		}
		if (told[i] && !proof)
			give_up("the help of %s lists %s, and nothing proves it", p->name,
				request_info((enum request)i)->name);
		if (!told[i] && proof)
			give_up("%s does %s, and its help does not tell", p->name,
				request_info((enum request)i)->name);
		for (k = 0; told[i] && k < n; k++) {
			if (p->rows)
				screen_resize(s, p->rows, p->cols);
			prove(p, proof, key_format(found[k], name));
		}
	}
	stop();
}

static int close_place(void **state)
{
	(void)state;
	stop();
	return 0;
}

/* ---- the places ---- */

#define EVERYWHERE(help_after)                                 \
	{ REQ_HELP, COMES, "Help: ", NULL, NULL, help_after }, \
		{ REQ_QUIT, ENDS, NULL, NULL, NULL, NULL },    \
		{ REQ_SUSPEND, NONE, NULL, NULL, NULL, NULL }, \
	{                                                      \
		REQ_REDRAW, NONE, NULL, NULL, NULL, NULL       \
	}
#define MOVING                                                                                  \
	{ REQ_UP, MOVES, NULL, NULL, NULL, NULL }, { REQ_DOWN, MOVES, NULL, NULL, NULL, NULL }, \
		{ REQ_PAGE_UP, MOVES, NULL, NULL, NULL, NULL },                                 \
		{ REQ_PAGE_DOWN, MOVES, NULL, NULL, NULL, NULL },                               \
		{ REQ_FIRST, MOVES, NULL, NULL, NULL, NULL },                                   \
	{                                                                                       \
		REQ_LAST, MOVES, NULL, NULL, NULL, NULL                                         \
	}
#define SIDEWAYS                                         \
	{ REQ_LEFT, MOVES, NULL, NULL, NULL, NULL },     \
	{                                                \
		REQ_RIGHT, MOVES, NULL, NULL, NULL, NULL \
	}
#define SEARCHING                                                   \
	{ REQ_SEARCH, MOVES, NULL, NULL, NULL, NULL },              \
		{ REQ_SEARCH_NEXT, MOVES, NULL, NULL, NULL, NULL }, \
	{                                                           \
		REQ_SEARCH_PREV, MOVES, NULL, NULL, NULL, NULL      \
	}
#define FOLDING                                                          \
	{ REQ_EXPAND_ENTRY, SIGN, "-", "<Home>", NULL, "C" },            \
		{ REQ_COLLAPSE_ENTRY, SIGN, "+", "<Home>e", NULL, "C" }, \
		{ REQ_EXPAND_ALL, SIGN, "-", "<Home>", NULL, "C" },      \
	{                                                                \
		REQ_COLLAPSE_ALL, SIGN, "+", "<Home>E", NULL, "C"        \
	}

/* --- Setup --- */

static const char *state_path(void)
{
	static char path[FOLDER_BYTES + 64];

	snprintf(path, sizeof(path), "%s/ptui/setup", folder);
	return path;
}

/* Writes saved choices: target and output. */
static void open_setup(const struct place *p)
{
	rmdir(state_path()); /* of open_question() */
	write_file("ptui/setup", "# ptui setup\n", 0600);
	start(NULL);
	screen_wait(s, "ptui  Setup");
	type("c<C-u>./w<Enter>");
	screen_wait_gone(s, "command: ");
	screen_wait(s, "-- ./w");
	screen_wait(s, p->base);
	type("<Home>");
	settle();
}

static const struct proof setup_proofs[] = {
	EVERYWHERE("<Esc>"),
	MOVING,
	{ REQ_BACK, ENDS, NULL, NULL, NULL, NULL },
	{ REQ_UNDO, COMES, " dwarf,live ", "g", NULL, NULL },
	{ REQ_PREV_VALUE, COMES, "while this runs: ./w", "<Home>", NULL, "<Right>" },
	{ REQ_NEXT_VALUE, COMES, "press Enter to choose a process", "<Home>", NULL, "<Left>" },
	{ REQ_EDIT, COMES, "command: ", "<Home>", NULL, "<Esc>" },
	{ REQ_RECORD, COMES, " Live  ", NULL, NULL, NULL },
	{ REQ_COMMAND, COMES, "command: ", NULL, NULL, "<Esc>" },
	{ REQ_PROCESS, COMES, "Setup › Process", NULL, NULL, "<Esc><Home>" },
	{ REQ_WHOLE_SYSTEM, COMES, "until you stop it", NULL, NULL, "<Home><Right><Right>" },
	{ REQ_CHOOSE_EVENTS, COMES, "Setup › Events", NULL, NULL, "<Esc><Home>" },
	{ REQ_TYPE_EVENT, COMES, "-e page-faults", NULL, "page-faults<Enter>", NULL },
	{ REQ_RATE, COMES, "sampling frequency in Hz: ", NULL, NULL, "<Esc><Home>" },
	{ REQ_CALL_GRAPH, GOES, " dwarf,live ", NULL, NULL, "gg" },
	{ REQ_OUTPUT_FILE, COMES, "output file: ", NULL, NULL, "<Esc><Home>" },
	{ REQ_COPY, COMES, "copied to the clipboard", NULL, NULL, "<Home><Down><Home>" },
	{ REQ_BROWSE, COMES, "recording: ", NULL, NULL, "<Esc>" },
	{ REQ_WHY, COMES, "roblems on this machine", NULL, NULL, "<Esc>" },
	{ REQ_OPTIONS, COMES, "Setup › Options", NULL, NULL, "<Esc><Home>" },
	{ REQ_PRESETS, COMES, "flight recorder", NULL, NULL, "<Esc>" },
	{ REQ_PASTE_LINE, COMES, "line:", NULL, NULL, "<Esc>" },
};

static const struct place setup = {
	.name = "Setup",
	.map = KEYMAP_SETUP,
	.base = "ptui  Setup",
	.open = open_setup,
	.help = "?",
	.leave = "<Esc>",
	.proofs = setup_proofs,
	.n = sizeof(setup_proofs) / sizeof(setup_proofs[0]),
};

/* On an event, Enter sets one, and it can be removed; there are no choices to cycle through. */
static void open_event(const struct place *p)
{
	open_setup(p);
	type("<Down>");
	settle();
}

static const struct proof event_proofs[] = {
	EVERYWHERE("<Esc>"),
	MOVING,
	{ REQ_BACK, ENDS, NULL, NULL, NULL, NULL },
	{ REQ_UNDO, COMES, " dwarf,live ", "g", NULL, NULL },
	{ REQ_EDIT, COMES, "event: ", "<Home><Down>", NULL, "<Esc>" },
	{ REQ_RECORD, COMES, " Live  ", NULL, NULL, NULL },
	{ REQ_COMMAND, COMES, "command: ", NULL, NULL, "<Esc>" },
	{ REQ_PROCESS, COMES, "Setup › Process", NULL, NULL, "<Esc>" },
	{ REQ_WHOLE_SYSTEM, COMES, "until you stop it", NULL, NULL, "<Home><Right><Right>" },
	{ REQ_CHOOSE_EVENTS, COMES, "Setup › Events", NULL, NULL, "<Esc>" },
	{ REQ_TYPE_EVENT, COMES, "-e page-faults", NULL, "page-faults<Enter>", NULL },
	{ REQ_REMOVE, GOES, "-e cycles", "<Home><Down>", NULL, NULL },
	{ REQ_RATE, COMES, "sampling frequency in Hz: ", NULL, NULL, "<Esc>" },
	{ REQ_CALL_GRAPH, GOES, " dwarf,live ", NULL, NULL, "gg" },
	{ REQ_OUTPUT_FILE, COMES, "output file: ", NULL, NULL, "<Esc>" },
	{ REQ_COPY, COMES, "copied to the clipboard", NULL, NULL, "<Home><Down>" },
	{ REQ_BROWSE, COMES, "recording: ", NULL, NULL, "<Esc>" },
	{ REQ_WHY, COMES, "roblems on this machine", NULL, NULL, "<Esc>" },
	{ REQ_OPTIONS, COMES, "Setup › Options", NULL, NULL, NULL },
	{ REQ_PRESETS, COMES, "flight recorder", NULL, NULL, "<Esc>" },
	{ REQ_PASTE_LINE, COMES, "line:", NULL, NULL, "<Esc>" },
};

static const struct place event = {
	.name = "Setup, on an event",
	.map = KEYMAP_SETUP,
	.base = "ptui  Setup",
	.open = open_event,
	.help = "?",
	.leave = "<Esc>",
	.proofs = event_proofs,
	.n = sizeof(event_proofs) / sizeof(event_proofs[0]),
};

/* --- the event picker --- */

static void open_picker(const struct place *p)
{
	(void)p;
	open_setup(&setup);
	type("e");
	screen_wait(s, "Setup › Events");
	screen_wait(s, " [");
	settle();
}

static const struct proof picker_proofs[] = {
	EVERYWHERE("<Esc>"),
	MOVING,
	SEARCHING,
	{ REQ_BACK, COMES, "ptui  Setup", NULL, NULL, NULL },
	{ REQ_OPEN_HEADING, GOES, "▸ Hardware", "<Home><Left>", NULL, "<Home>" },
	{ REQ_CLOSE_HEADING, COMES, "▸ Hardware", "<Home>", NULL, "<Right>" },
	{ REQ_TYPE_EVENT, COMES, "event:", NULL, NULL, "<Esc>" },
	{ REQ_MARK, COMES, "[x] page-faults", "/page-faults<Enter>", NULL, NULL },
	{ REQ_TAKE, COMES, "-e page-faults", "/page-faults<Enter>", NULL, NULL },
	{ REQ_GROUP_EVENTS, COMES, "[x] page-faults  {1}", "/page-faults<Enter><Space>", NULL,
	  NULL },
	{ REQ_MODIFIERS, COMES, "modifiers of page-faults:", "/page-faults<Enter>", NULL,
	  "<Esc><Esc>" },
	{ REQ_EVENT_RATE, COMES, "period of page-faults:", "/page-faults<Enter>", NULL,
	  "<Esc><Esc>" },
	{ REQ_EVENT_FILTER, COMES, "has no fields to filter by", "/page-faults<Enter>", NULL,
	  "<Esc>" },
	{ REQ_AVAILABLE_ONLY, COMES, "available only · ", NULL, NULL, "A" },
	{ REQ_MARKED_ONLY, COMES, "marked only · ", NULL, NULL, "M" },
	{ REQ_PREVIEW, COMES, "counting the whole system · ", NULL, NULL, "v" },
	{ REQ_TAKE_GROUPS, COMES, "start the preview to check whether the marked events fit", NULL,
	  NULL, NULL },
	{ REQ_DETAILS, COMES, " page-faults ─", "/page-faults<Enter>", NULL, NULL },
};

static const struct place picker = {
	.name = "the event picker",
	.map = KEYMAP_PICKER,
	.base = "Setup › Events",
	.open = open_picker,
	.help = "?",
	.leave = "<Esc>",
	.find = "faults",
	.unfind = "<Esc>",
	.proofs = picker_proofs,
	.n = sizeof(picker_proofs) / sizeof(picker_proofs[0]),
};

/* --- the options --- */

static void open_options(const struct place *p)
{
	(void)p;
	open_setup(&setup);
	type("m");
	screen_wait(s, "Setup › Options");
	settle();
}

static const struct proof options_proofs[] = {
	EVERYWHERE("<Esc>"),
	MOVING,
	SEARCHING,
	{ REQ_BACK, COMES, "ptui  Setup", NULL, NULL, NULL },
	{ REQ_EDIT_OPTION, COMES, " *      --buildid-mmap", "/buildid-mmap<Enter>", NULL, NULL },
	{ REQ_USUAL, GOES, " *      --buildid-mmap", "/buildid-mmap<Enter><Enter>", NULL, NULL },
	{ REQ_PASTE_LINE, COMES, "line:", NULL, NULL, "<Esc>" },
};

static const struct place options = {
	.name = "the options",
	.map = KEYMAP_OPTIONS,
	.base = "Setup › Options",
	.open = open_options,
	.help = "?",
	.leave = "<Esc>",
	.find = "build",
	.unfind = "<Esc>",
	.proofs = options_proofs,
	.n = sizeof(options_proofs) / sizeof(options_proofs[0]),
};

/* --- the process list --- */

static pid_t nappers[3];

static int start_nappers(void **state)
{
	(void)state;
	for (int i = 0; i < 3; i++) {
		nappers[i] = fork();
		if (!nappers[i]) {
			execl("/bin/sleep", "napping", "300", NULL);
			_exit(127);
		}
	}
	return 0;
}

static int end_nappers(void **state)
{
	for (int i = 0; i < 3; i++) {
		kill(nappers[i], SIGKILL);
		waitpid(nappers[i], NULL, 0);
	}
	return close_place(state);
}

static void open_processes(const struct place *p)
{
	(void)p;
	open_setup(&setup);
	type("p");
	screen_wait(s, "Setup › Process");
	settle();
}

static const struct proof process_proofs[] = {
	EVERYWHERE("<Esc>"),
	MOVING,
	SIDEWAYS,
	SEARCHING,
	{ REQ_BACK, COMES, "ptui  Setup", NULL, NULL, NULL },
	{ REQ_CHOOSE, COMES, "‹ process ›", NULL, NULL, NULL },
	{ REQ_SORT_COLUMN, COMES, "CPU time↓", NULL, NULL, "SSSS" },
};

static const struct place processes = {
	.name = "the process list",
	.map = KEYMAP_PROCESSES,
	.base = "Setup › Process",
	.open = open_processes,
	.help = "?",
	.leave = "<Esc>",
	.find = "napping",
	.unfind = "<Esc>",
	.live = true,
	.proofs = process_proofs,
	.n = sizeof(process_proofs) / sizeof(process_proofs[0]),
};

/* --- Live --- */

static void open_live(const struct place *p)
{
	(void)p;
	open_setup(&setup);
	type("<Home><Down><Enter><C-u>cpu-clock,task-clock,page-faults/overwrite/<Enter>");
	screen_wait(s, "-e cpu-clock,task-clock,page-faults/overwrite/");
	type("r");
	screen_wait(s, " Live  ");
	screen_wait(s, "hot_loop");
	screen_wait(s, "warm_loop");
	/* the numbers do not change */
	type("<Space>");
	screen_wait(s, "paused");
	settle();
}

static const struct proof live_proofs[] = {
	EVERYWHERE("<Esc>"),
	MOVING,
	SIDEWAYS,
	SEARCHING,
	FOLDING,
	{ REQ_BACK, COMES, "go on recording", NULL, NULL, "g" },
	{ REQ_NEXT_EVENT, COMES, "▸ task-clock", NULL, NULL, "<S-Tab>" },
	{ REQ_PREV_EVENT, COMES, "▸ page-faults", NULL, NULL, "<Tab>" },
	{ REQ_TOGGLE, SIGN, "-", "<Home>", NULL, "+" },
	{ REQ_STOP, COMES, "of event 'cpu-clock", NULL, NULL, NULL },
	{ REQ_PAUSE, GOES, "paused", NULL, NULL, NULL },
	{ REQ_OUTPUT, COMES, "Live › Output", NULL, NULL, "<Esc>" },
	{ REQ_SNAPSHOT, COMES, "snapshots 1", NULL, NULL, NULL },
	{ REQ_SNAPSHOTS, COMES, "[Snapshots]", NULL, NULL, "q" },
	{ REQ_ARM, COMES, "armed: page-faults > 1G (now ", NULL, "<C-u>page-faults > 1G<Enter>",
	  "A<C-u><Enter>" },
	{ REQ_ZERO, COMES, "(Z: all)", NULL, NULL, "Z" },
	{ REQ_WHOLE, GOES, "(Z: all)", "z", NULL, NULL },
	{ REQ_FREEZE, COMES, "list is frozen (f)", NULL, NULL, "f" },
	{ REQ_DECAY, COMES, "decay: half every", NULL, NULL, "DD" },
	{ REQ_HIDE_KERNEL, COMES, "without the kernel", NULL, NULL, "K" },
	{ REQ_HIDE_USER, COMES, "only the kernel", NULL, NULL, "U" },
	{ REQ_BY_THREAD, COMES, "Thread", NULL, NULL, "t" },
	{ REQ_BY_CPU, COMES, "CPUs are not recorded", NULL, NULL, "p" },
	{ REQ_CHANGE_EVENTS, COMES, "Live › Events", NULL, NULL, "<Esc>" },
	{ REQ_DELAY, COMES, "is not a delay", NULL, "<C-u>soon<Enter>", NULL },
	{ REQ_MENU, COMES, "only DSO work", "<Home>", NULL, "<Esc>" },
	{ REQ_SORT, COMES, "Sort by", NULL, NULL, "<Esc>" },
	{ REQ_PERCENTAGE, COMES, "percentages of these (F)", "<Home>m2", NULL, "<Esc>" },
	{ REQ_PERCENT_LIMIT, COMES, "from 50 % on (L)", NULL, "<C-u>50<Enter>", "L<C-u>0<Enter>" },
	{ REQ_MODULES, COMES, "parse  work", "<Home>e", NULL, "VC" },
	{ REQ_HEADER, GOES, "Overhead", NULL, NULL, "H" },
	{ REQ_PRINT, COMES, "perf.hist.", NULL, NULL, "<Down><Home>" },
	{ REQ_TRUST, COMES, "Data quality", NULL, NULL, "<Esc>" },
	{ REQ_MISSING, COMES, "› DSOs without symbols", NULL, NULL, "<Esc>" },
	{ REQ_COPY_ROW, COMES, "copied to the clipboard", "<Home>", NULL, "<Down><Home>" },
};

static const struct place live = {
	.name = "Live",
	.map = KEYMAP_LIVE,
	.base = " Live  ",
	.open = open_live,
	.help = "?",
	.leave = "<Esc>",
	.find = "loop",
	.unfind = "/<C-u><Enter>",
	.live = true,
	.proofs = live_proofs,
	.n = sizeof(live_proofs) / sizeof(live_proofs[0]),
};

/* --- the snapshots --- */

/* Three snapshots, the last one marked, next to Live. */
static void open_snapshots(const struct place *p)
{
	open_live(&live);
	type("s");
	screen_wait(s, "snapshots 1");
	type("s");
	screen_wait(s, "snapshots 2");
	type("s");
	screen_wait(s, "snapshots 3");
	type("S");
	screen_wait(s, p->base);
	screen_wait_row(s, 0, "3 files");
	type("<End>*<Home>");
	screen_wait(s, "#3: ");
	settle();
}

static const struct proof snapshots_proofs[] = {
	EVERYWHERE("<Esc>"),
	MOVING,
	SIDEWAYS,
	SEARCHING,
	{ REQ_BACK, GOES, "[Snapshots]", NULL, NULL, "S" },
	{ REQ_NEXT_TAB, COMES, "[Live]", NULL, NULL, "<lt>" },
	{ REQ_PREV_TAB, COMES, "[Live]", NULL, NULL, ">" },
	{ REQ_SNAPSHOT, COMES, "4 files", NULL, NULL, NULL },
	{ REQ_OPEN_SNAPSHOT, COMES, "[#3]", "<Home>", NULL, "q" },
	{ REQ_MARK_SNAPSHOT, SIGN, "*", "<Home>", NULL, "*" },
	{ REQ_COMPARE_SNAPSHOTS, COMES, "[#1 → #3]", "<Home>", NULL, "q" },
	{ REQ_NAME_SNAPSHOT, COMES, "name of #3:", "<Home>", NULL, "<Esc>" },
	{ REQ_SAVE_SNAPSHOT, COMES, "save #3 as:", "<Home>", NULL, "<Esc>" },
	{ REQ_DELETE_SNAPSHOT, COMES, "Delete #3?", "<Home>", NULL, "<Esc>" },
};

static const struct place snapshots = {
	.name = "the snapshots",
	.map = KEYMAP_SNAPSHOTS,
	.base = "[Snapshots]",
	.open = open_snapshots,
	.help = "?",
	.leave = "<Esc>",
	.find = "key",
	.unfind = "/<C-u><Enter>",
	.next = "<C-n>",
	.prev = "<C-p>",
	.live = true,
	.proofs = snapshots_proofs,
	.n = sizeof(snapshots_proofs) / sizeof(snapshots_proofs[0]),
};

/* --- the output of the command --- */

static void open_output(const struct place *p)
{
	(void)p;
	open_live(&live);
	type("o");
	screen_wait(s, "Live › Output");
	screen_wait(s, "line 90 of");
	settle();
}

static const struct proof output_proofs[] = {
	EVERYWHERE("<Esc>"),
	MOVING,
	SIDEWAYS,
	SEARCHING,
	{ REQ_BACK, GOES, "Live › Output", NULL, NULL, "o" },
	{ REQ_OUTPUT, GOES, "Live › Output", NULL, NULL, "o" },
	{ REQ_TYPE, COMES, "heard: hello", "<End>", "hello<Enter>", NULL },
};

static const struct place output = {
	.name = "the output",
	.map = KEYMAP_OUTPUT,
	.base = "Live › Output",
	.open = open_output,
	.help = "?",
	.leave = "<Esc>",
	.find = "5 of",
	.unfind = "/<C-u><Enter>",
	.proofs = output_proofs,
	.n = sizeof(output_proofs) / sizeof(output_proofs[0]),
};

/* --- the browser --- */

static void open_browser(const struct place *p)
{
	static const char *const args[] = { "report", "-i", "cycles.data", NULL };

	start(args);
	screen_wait(s, p->base);
	check_frame(s);
	settle();
}

static const struct proof browser_proofs[] = {
	EVERYWHERE("<Esc>"),
	MOVING,
	{ REQ_RIGHT, MOVES, NULL, NULL, NULL, NULL },
	{ REQ_LEFT_OR_BACK, GOES, " › ", "<Home>d", NULL, "<Home>" },
	SEARCHING,
	FOLDING,
	{ REQ_BACK, ENDS, NULL, NULL, NULL, NULL },
	{ REQ_LEAVE, ENDS, NULL, NULL, NULL, NULL },
	{ REQ_MENU, COMES, "(S) choose", NULL, NULL, "<Esc>" },
	{ REQ_NEXT_EVENT, COMES, "[misses]", NULL, NULL, "<S-Tab>" },
	{ REQ_PREV_EVENT, COMES, "[misses]", NULL, NULL, "<Tab>" },
	{ REQ_OPEN, SIGN, "-", "<Home>", NULL, "C" },
	{ REQ_TOGGLE, SIGN, "-", "<Home>", NULL, "C" },
	{ REQ_ZOOM_THREAD, COMES, " › ", "<Home>", NULL, "<Esc>" },
	{ REQ_ZOOM_DSO, COMES, " › ", "<Home>", NULL, "<Esc>" },
	{ REQ_ZOOM_KERNEL, COMES, " › ", "<Home>", NULL, "<Esc>" },
	{ REQ_FILTER, GOES, "eval", NULL, "lex<Enter>", "f<C-u><Enter>" },
	{ REQ_SORT, COMES, "Sort by", NULL, NULL, "<Esc>" },
	{ REQ_CHILDREN, GOES, "Children", NULL, NULL, "o" },
	{ REQ_CHAIN_ORDER, GOES, "callees below", NULL, NULL, "G" },
	{ REQ_PERCENT_LIMIT, GOES, "idle", NULL, "<C-u>50<Enter>", NULL },
	{ REQ_MODULES, COMES, "lex  server", "E", NULL, "VC" },
	{ REQ_INLINES, COMES, "with inlined", NULL, NULL, "I" },
	{ REQ_HEADER, GOES, "Symbol", NULL, NULL, "H" },
	{ REQ_PATHS, COMES, "/server", NULL, NULL, "p" },
	{ REQ_FULL_NAMES, COMES, "names are shown in full", NULL, NULL, "v" },
	{ REQ_COPY_ROW, COMES, "copied to the clipboard", "<Home>", NULL, "<Down><Home>" },
	{ REQ_TRUST, COMES, "Data quality", NULL, NULL, "<Esc>" },
	{ REQ_MISSING, COMES, "DSOs without symbols", NULL, NULL, "<Esc>" },
	{ REQ_HEADER_INFO, COMES, "The recording", NULL, NULL, "<Esc>" },
	{ REQ_PRINT, COMES, "perf.hist.", NULL, NULL, "<Down><Home>" },
	{ REQ_RECORD_AGAIN, COMES, "ptui  Setup", NULL, NULL, NULL },
	{ REQ_SWITCH_FILE, COMES, "other.data", NULL, NULL, "<Esc>" },
	{ REQ_COMPARE_FILE, COMES, "Compare with, newest first", NULL, NULL, "<Esc>" },
};

static const struct place browser = {
	.name = "the browser",
	.map = KEYMAP_BROWSER,
	.base = "of event 'cycles'",
	.open = open_browser,
	.help = "?",
	.leave = "<Esc>",
	.find = "e",
	.unfind = "/<C-u><Enter>",
	.proofs = browser_proofs,
	.n = sizeof(browser_proofs) / sizeof(browser_proofs[0]),
};

/* --- DSOs without symbols --- */

static void open_symbols(const struct place *p)
{
	static const char *const args[] = { "report", "-i", "gone.data", NULL };

	start(args);
	screen_wait(s, "of event 'cycles'");
	screen_wait(s, "libgone");
	type("M");
	screen_wait(s, p->base);
	check_frame(s);
	settle();
}

static const struct proof symbols_proofs[] = {
	EVERYWHERE("<Esc>"),
	MOVING,
	SIDEWAYS,
	SEARCHING,
	{ REQ_BACK, GOES, "› DSOs without symbols", NULL, NULL, "M" },
	{ REQ_OPEN, COMES, "Copy the file from the recorded machine", NULL, NULL, "<Esc>" },
	{ REQ_MENU, COMES, "(y) copy the path", NULL, NULL, "<Esc>" },
	{ REQ_COPY_PATH, COMES, "copied to the clipboard", NULL, NULL, "<Home><Down>" },
};

static const struct place symbols = {
	.name = "the DSOs without symbols",
	.map = KEYMAP_SYMBOLS,
	.base = "› DSOs without symbols",
	.open = open_symbols,
	.help = "?",
	.leave = "<Esc>",
	.find = "libgone",
	.unfind = "/<C-u><Enter>",
	.proofs = symbols_proofs,
	.n = sizeof(symbols_proofs) / sizeof(symbols_proofs[0]),
};

/* --- two recordings side by side --- */

static void open_compare(const struct place *p)
{
	open_browser(&browser);
	type("D");
	screen_wait(s, "Compare with");
	type("/");
	screen_wait(s, "recording:");
	type("other.data<Enter>");
	screen_wait(s, p->base);
	screen_wait(s, "eval");
	check_frame(s);
	settle();
}

static const struct proof compare_proofs[] = {
	EVERYWHERE("<Esc>"),
	MOVING,
	SIDEWAYS,
	SEARCHING,
	{ REQ_BACK, GOES, "Compare  ", NULL, NULL, NULL },
	{ REQ_NEXT_EVENT, COMES, "[misses]", NULL, NULL, "<S-Tab>" },
	{ REQ_PREV_EVENT, COMES, "[misses]", NULL, NULL, "<Tab>" },
	{ REQ_OPEN, COMES, "Before and after", NULL, NULL, "<Esc>" },
	{ REQ_SWAP, COMES, "cycles.data → other.data", NULL, NULL, "x" },
	{ REQ_ORDER, COMES, "Row order", NULL, NULL, "<Esc>" },
	{ REQ_SORT, COMES, "Sort by", NULL, NULL, "<Esc>" },
	{ REQ_SURE_ONLY, COMES, "hidden: may be due to chance", NULL, NULL, "c" },
	{ REQ_ZOOM_THREAD, COMES, " › ", "<Home>", NULL, "<Esc>" },
	{ REQ_ZOOM_DSO, COMES, " › ", "<Home>", NULL, "<Esc>" },
	{ REQ_ZOOM_KERNEL, COMES, " › ", "<Home>", NULL, "<Esc>" },
	{ REQ_FILTER, GOES, "eval", NULL, "lex<Enter>", "f<C-u><Enter>" },
	{ REQ_CHILDREN, COMES, "with children", NULL, NULL, "o" },
	{ REQ_PERCENT_LIMIT, GOES, "idle", NULL, "<C-u>50<Enter>", "L<C-u>0.5<Enter>" },
	{ REQ_TRUST, COMES, "Data quality", NULL, NULL, "<Esc>" },
	{ REQ_PRINT, COMES, "perf.hist.", NULL, NULL, "<Down><Home>" },
};

static const struct place compare = {
	.name = "the comparison",
	.map = KEYMAP_COMPARE,
	.base = "Compare  other.data → cycles.data",
	.open = open_compare,
	.help = "?",
	.leave = "<Esc>",
	.find = "e",
	.unfind = "/<C-u><Enter>",
	.proofs = compare_proofs,
	.n = sizeof(compare_proofs) / sizeof(compare_proofs[0]),
};

/* --- what floats over it --- */

static void open_menu(const struct place *p)
{
	open_browser(&browser);
	type("S");
	screen_wait(s, p->base);
	settle();
}

static const struct proof menu_proofs[] = {
	EVERYWHERE("<Esc>"),
	MOVING,
	{ REQ_BACK, GOES, "Sort by", NULL, NULL, "S" },
	{ REQ_OPEN, COMES, "by dso,symbol", "<Home><Down>", NULL, NULL },
};

static const struct place menu = {
	.name = "a menu",
	.map = KEYMAP_MENU,
	.base = "Sort by",
	.open = open_menu,
	.help = "?",
	.leave = "<Esc>",
	.proofs = menu_proofs,
	.n = sizeof(menu_proofs) / sizeof(menu_proofs[0]),
};

/* Choices that cannot be kept: their file is a directory now. */
static void open_question(const struct place *p)
{
	open_setup(&setup);
	unlink(state_path());
	assert_int_equal(mkdir(state_path(), 0700), 0);
	type("<Esc>");
	screen_wait(s, p->base);
	settle();
}

static const struct proof question_proofs[] = {
	EVERYWHERE("<Esc>"),
	{ REQ_BACK, GOES, "Leave and lose the changes?", NULL, NULL, "<Esc>" },
	{ REQ_OPEN, ENDS, NULL, NULL, NULL, NULL },
	{ REQ_PREV_VALUE, GOES, "Leave and lose the changes?", NULL, "<Enter>", "<Esc>" },
	{ REQ_NEXT_VALUE, GOES, "Leave and lose the changes?", NULL, "<Enter>", "<Esc>" },
};

static const struct place question = {
	.name = "a question",
	.map = KEYMAP_MENU,
	.base = "Leave and lose the changes?",
	.open = open_question,
	.help = "?",
	.leave = "<Esc>",
	.proofs = question_proofs,
	.n = sizeof(question_proofs) / sizeof(question_proofs[0]),
};

/* A message that is longer than the screen is high. */
static void open_message(const struct place *p)
{
	open_browser(&browser);
	screen_resize(s, p->rows, p->cols);
	screen_wait_row(s, p->rows - 1, "help");
	type("i");
	screen_wait(s, p->base);
	settle();
}

static const struct proof message_proofs[] = {
	EVERYWHERE("<Esc>"),
	MOVING,
	{ REQ_BACK, GOES, "The recording", NULL, NULL, "i" },
};

static const struct place message = {
	.name = "a message",
	.map = KEYMAP_MESSAGE,
	.base = "The recording",
	.open = open_message,
	.help = "?",
	.leave = "<Esc>",
	.rows = 5,
	.cols = 100,
	.proofs = message_proofs,
	.n = sizeof(message_proofs) / sizeof(message_proofs[0]),
};

/* --- a line to be typed --- */

static void open_prompt(const struct place *p)
{
	open_setup(&setup);
	type("c<C-u>first<Enter>c<C-u>second<Enter>c");
	screen_wait(s, p->base);
	settle();
}

#define AGAIN "<End><C-u>"

static const struct proof prompt_proofs[] = {
	EVERYWHERE("<Esc>"),
	{ REQ_ACCEPT, GOES, "command: ", "<C-u>one", NULL, NULL },
	{ REQ_CANCEL, GOES, "command: ", "<C-u>one", NULL, "c" },
	{ REQ_COMPLETE, LINE, "command: ./longname|", "<C-u>./longn", NULL, AGAIN },
	{ REQ_HISTORY_PREV, LINE, "command: second|", "<C-u>x", NULL, NULL },
	{ REQ_HISTORY_NEXT, LINE, "command: x|", "<C-u>x<Up>", NULL, NULL },
	{ REQ_EDIT_LEFT, LINE, "command: one tw|o", "<C-u>one two", NULL, AGAIN },
	{ REQ_EDIT_RIGHT, LINE, "command: o|ne two", "<C-u>one two<Home>", NULL, AGAIN },
	{ REQ_EDIT_WORD_LEFT, LINE, "command: one |two", "<C-u>one two", NULL, AGAIN },
	{ REQ_EDIT_WORD_RIGHT, LINE, "command: one| two", "<C-u>one two<Home>", NULL, AGAIN },
	{ REQ_EDIT_BEGIN, LINE, "command: |one two", "<C-u>one two", NULL, AGAIN },
	{ REQ_EDIT_END, LINE, "command: one two|", "<C-u>one two<Home>", NULL, AGAIN },
	{ REQ_EDIT_BACKSPACE, LINE, "command: one tw|", "<C-u>one two", NULL, AGAIN },
	{ REQ_EDIT_DELETE, LINE, "command: |ne two", "<C-u>one two<Home>", NULL, AGAIN },
	{ REQ_EDIT_KILL_WORD, LINE, "command: one |", "<C-u>one two", NULL, AGAIN },
	{ REQ_EDIT_KILL_WORD_RIGHT, LINE, "command: | two", "<C-u>one two<Home>", NULL, AGAIN },
	{ REQ_EDIT_KILL_BEGIN, LINE, "command: |o", "<C-u>one two<Left>", NULL, AGAIN },
	{ REQ_EDIT_KILL_END, LINE, "command: o|", "<C-u>one two<Home><Right>", NULL, AGAIN },
	{ REQ_EDIT_YANK, LINE, "command: two two |", "<C-u>two <C-w><C-y>", NULL, AGAIN },
};

static const struct place prompt = {
	.name = "a line",
	.map = KEYMAP_PROMPT,
	.base = "command:",
	.open = open_prompt,
	.help = "<F1>",
	.leave = "<Esc>",
	.proofs = prompt_proofs,
	.n = sizeof(prompt_proofs) / sizeof(prompt_proofs[0]),
};

/* --- the help itself --- */

static void open_help(const struct place *p)
{
	open_browser(&browser);
	screen_resize(s, p->rows, p->cols);
	type("?");
	screen_wait(s, p->base);
	settle();
}

static const struct proof help_proofs[] = {
	{ REQ_HELP, GOES, "Help: ", NULL, NULL, "?" },
	{ REQ_QUIT, ENDS, NULL, NULL, NULL, NULL },
	{ REQ_SUSPEND, NONE, NULL, NULL, NULL, NULL },
	{ REQ_REDRAW, NONE, NULL, NULL, NULL, NULL },
	MOVING,
	SEARCHING,
	{ REQ_BACK, GOES, "Help: ", NULL, NULL, "?" },
};

static const struct place help = {
	.name = "the help",
	.map = KEYMAP_HELP,
	.base = "Help: ",
	.open = open_help,
	.find = "row",
	.unfind = "/<C-u><Enter>",
	.no_help_of_its_own = true,
	.rows = 20,
	.cols = 100,
	.proofs = help_proofs,
	.n = sizeof(help_proofs) / sizeof(help_proofs[0]),
};

/* ---- user-defined keys ---- */

static void test_own_keys(void **state)
{
	(void)state;
	write_file("ptui/config",
		   "# mine\nbind browser x sort\nbind general <Esc> none\n"
		   "bind text / none\nbind text <C-f> search\n",
		   0644);
	open_browser(&browser);
	type("x");
	screen_wait(s, "Sort by");
	type("q");
	screen_wait_gone(s, "Sort by");
	type("/");
	screen_wait(s, "/ has no effect here; ? lists the keys of this screen");
	type("<Esc>");
	screen_wait(s, "ESC has no effect here");
	type("<C-f>");
	screen_wait(s, "find:");
	type("<Enter>?");
	screen_wait(s, "Help: ");
	screen_wait(s, "S  x ");
	screen_wait(s, "  Ctrl-F ");
	assert_int_equal(screen_find(s, "ESC  ", NULL), -1);
	type("<C-c>");
	finish(s, 0);
	s = NULL;
}

static void test_unknown_request(void **state)
{
	(void)state;
	write_file("ptui/config", "bind browser x no-such-thing\n", 0644);
	start(NULL);
	screen_wait(s, "ptui/config:1: unknown request 'no-such-thing'");
	finish(s, 129);
	s = NULL;
}

/* Changing numbers would look like moves. */
static void write_config(void)
{
	write_file("ptui/config", "set preview off\n", 0644);
}

static int remove_config(void **state)
{
	char path[FOLDER_BYTES + 32];

	(void)state;
	stop();
	snprintf(path, sizeof(path), "%s/ptui/config", folder);
	return unlink(path);
}

/* ---- the folder ---- */

static void make_recording(const char *name)
{
	static const char *const events[] = { "cycles", "misses", NULL };
	char from[FOLDER_BYTES + 16], to[FOLDER_BYTES + 64];
	struct recording *r = recording_new(folder, events);

	recording_thread(r, 4000000, 4000000, "server");
	recording_module(r, "server");
	for (int i = 0; i < 5; i++) {
		recording_sample(r, 0, "main;serve;parse;eval", 8000000);
		recording_sample(r, 0, "main;serve;parse;lex", 4000000);
		recording_sample(r, 0, "main;idle", 3000000);
		recording_sample(r, 0, "main;serve;send", 5000000);
		recording_sample(r, 0,
				 "main;serve;a_function_whose_name_reaches_into_the_right_half",
				 1000000);
		recording_sample(r, 1, "main;serve;send", 3000);
	}
	recording_close(r);
	snprintf(from, sizeof(from), "%s/perf.data", folder);
	snprintf(to, sizeof(to), "%s/%s", folder, name);
	assert_int_equal(rename(from, to), 0);
}

/* Its DSOs no longer exist. */
static void make_gone_recording(void)
{
	static const char *const events[] = { "cycles", NULL };
	char inner[FOLDER_BYTES + 8], from[FOLDER_BYTES + 32], to[FOLDER_BYTES + 32], name[32];
	struct recording *r;

	snprintf(inner, sizeof(inner), "%s/gone", folder);
	assert_int_equal(mkdir(inner, 0755), 0);
	r = recording_new(inner, events);
	recording_thread(r, 4000000, 4000000, "server");
	for (int i = 0; i < 60; i++) {
		snprintf(name, sizeof(name), "libgone%02d.so", i);
		recording_module(r, name);
		snprintf(name, sizeof(name), "f%02d", i);
		recording_sample(r, 0, name, 1000);
	}
	recording_close(r);
	snprintf(from, sizeof(from), "%s/perf.data", inner);
	snprintf(to, sizeof(to), "%s/gone.data", folder);
	assert_int_equal(rename(from, to), 0);
	recording_remove(inner);
}

static int make_all(void **state)
{
	char path[FOLDER_BYTES + 16], script[8192];
	const char *top = getenv("top_builddir");

	(void)state;
	setlocale(LC_ALL, "C.UTF-8");
	keys = keymaps_new(NULL);
	assert_non_null(keys);
	make_folder(folder);
	make_recording("other.data");
	make_recording("cycles.data");
	make_gone_recording();
	snprintf(path, sizeof(path), "%s/ptui", folder);
	assert_int_equal(mkdir(path, 0755), 0);
	snprintf(work, sizeof(work), "%s/tests/screen/work", top ? top : ".");
	snprintf(
		script, sizeof(script),
		"#!/bin/sh\ni=0\nwhile [ $i -lt 100 ]; do\n"
		"\techo \"line $i of what the command writes, which is longer than the screen is wide, so "
		"that there is something to be seen at the right of it: $i\"\n"
		"\ti=$((i + 1))\ndone\nexec %s\n",
		work);
	write_file("w", script, 0755);
	write_file("longname", "#!/bin/sh\n", 0755);
	write_config();
	return 0;
}

static int remove_all(void **state)
{
	(void)state;
	keymaps_free(keys);
	recording_remove(folder);
	return 0;
}

#define PLACE(p)                                                      \
	{                                                             \
		"test_" #p, test_place, NULL, close_place, (void *)&p \
	}

/* Two programs are built from this: test_keys, and test_keys_2 from Live on. */
int main(int argc, char **argv)
{
	const struct CMUnitTest setup_tests[] = {
		PLACE(setup),
		PLACE(event),
		PLACE(picker),
		PLACE(options),
		{ "test_processes", test_place, start_nappers, end_nappers, (void *)&processes },
		PLACE(menu),
		PLACE(question),
		PLACE(message),
		PLACE(prompt),
		PLACE(help),
	};
	const struct CMUnitTest live_tests[] = {
		PLACE(live),
		PLACE(snapshots),
		PLACE(output),
		PLACE(browser),
		PLACE(symbols),
		PLACE(compare),
		cmocka_unit_test_teardown(test_own_keys, remove_config),
		cmocka_unit_test_teardown(test_unknown_request, remove_config),
	};

	if (argc > 0 && strstr(argv[0], "_2"))
		return cmocka_run_group_tests_name("screen/keys-2", live_tests, make_all,
						   remove_all);
	return cmocka_run_group_tests_name("screen/keys", setup_tests, make_all, remove_all);
}
