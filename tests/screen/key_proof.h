/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Every key in a help screen does what it says, the letters of menus are these keys, and all lists
 * answer the mouse in the same way. Reads each screen's help from the terminal, row by
 * row; for each row there must be a proof, which is run with each of its keys: so a request without
 * a proof fails, and so does a proof without a help row. Shared by test_keys and test_keys_live.
 */
#ifndef TESTS_SCREEN_KEY_PROOF_H
#define TESTS_SCREEN_KEY_PROOF_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "input/keymap.h"
#include "screen/recording.h"
#include "screen/steps.h"

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
	/* A list: keys to a row with another one below; what a click on it opens ("-": its sign). */
	const char *row, *opens;
	const char *closes; /* keys back to the list */
	const struct proof *proofs;
	size_t n;
};

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

#define PROOFS(p) .proofs = (p), .n = sizeof(p) / sizeof((p)[0])

/* ---- key_steps.c: one folder and one program for all places ---- */

extern struct keymaps *keys;
extern char folder[FOLDER_BYTES];
extern struct screen *s; /* the program; NULL: none runs */

void give_up(const char *format, ...) __attribute__((noreturn, format(printf, 1, 2)));
/* All that was typed before has had its effect. */
void settle(void);
void type(const char *what);
void start(const char *const *args);
void stop(void);
void write_file(const char *name, const char *text, mode_t mode);
const char *state_path(void); /* of the choices of Setup */

/* Openers of places that lead to others; do not read the place. */
void open_setup(const struct place *p);
void open_browser(const struct place *p);

/* Group set-up: recordings and commands in the folder. */
int make_all(void **state);
int remove_all(void **state);
/* Why work.data, a recording of annotate_work.c, cannot be made here; NULL: it was. */
extern const char *lacks_program;
int close_place(void **state);

/* ---- key_proof.c ---- */

/* The state is the struct place. */
void test_place(void **state);
/*
 * The mouse in the place: a click selects, one on the cursor row and a double click open, the wheel
 * scrolls, a click on a hint presses its key.
 */
void test_mouse_in(void **state);

/* A menu, and the requests of its letters; no letter of it may be any other key of the screen. */
struct menu_place {
	const struct place *on;
	const char *keys; /* that open it */
	const char *there;
	const char *others;   /* letters whose lines are no request of the screen */
	enum request reqs[6]; /* of lines with words of their own; REQ_NONE at the end */
};
/* The letters of the menus are the keys of the screen for the same. */
void prove_menus(const struct menu_place *menus, size_t n);

#define PLACE(p)                                                      \
	{                                                             \
		"test_" #p, test_place, NULL, close_place, (void *)&p \
	}
#define MOUSE_IN(p)                                                               \
	{                                                                         \
		"test_mouse_in_" #p, test_mouse_in, NULL, close_place, (void *)&p \
	}

#endif
