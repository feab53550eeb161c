/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The keys of Setup and of its screens, of menus, questions, messages, lines and the help. */
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "screen/key_proof.h"

/* --- Setup --- */

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
	.row = "<Home>",
	.opens = "command: ",
	.closes = "<Esc>",
	PROOFS(setup_proofs),
};

/* On an event, Enter sets one, and it can be removed; there are no choices to cycle through. */
static void open_event(const struct place *p)
{
	(void)p;
	open_setup(NULL);
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
	PROOFS(event_proofs),
};

/* --- the event picker --- */

static void open_picker(const struct place *p)
{
	(void)p;
	open_setup(NULL);
	type("e");
	screen_wait(s, "Setup › Events");
	screen_wait_row(s, 0, " marked");
	screen_wait(s, " [");
	settle();
}

static const struct proof picker_proofs[] = {
	EVERYWHERE("<Esc>"),
	MOVING,
	SEARCHING,
	{ REQ_BACK, COMES, "ptui  Setup", NULL, NULL, NULL },
	{ REQ_OPEN_HEADING, GOES, "▸ Software", "/cpu-clock<Enter><Esc><Left>", NULL, "<Home>" },
	{ REQ_CLOSE_HEADING, COMES, "▸ Software", "/cpu-clock<Enter><Esc>", NULL, "<Right>" },
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
	.row = "/<C-u>faults<Enter><Home><Down>",
	.opens = "[x] ",
	.closes = "<Home><Down><Space>",
	PROOFS(picker_proofs),
};

/* --- the options --- */

static void open_options(const struct place *p)
{
	(void)p;
	open_setup(NULL);
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
	.row = "/<C-u>buildid<Enter><Home><Down>",
	.opens = " *  ",
	.closes = "u",
	PROOFS(options_proofs),
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
	open_setup(NULL);
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
	.row = "/<C-u>napping<Enter><Home>",
	.opens = "‹ process ›",
	.closes = "p",
	PROOFS(process_proofs),
};

/* --- what floats over it --- */

static void open_menu(const struct place *p)
{
	open_browser(NULL);
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
	PROOFS(menu_proofs),
};

/* Choices that cannot be kept: their file is a directory now. */
static void open_question(const struct place *p)
{
	open_setup(NULL);
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
	PROOFS(question_proofs),
};

/* A message that is longer than the screen is high. */
static void open_message(const struct place *p)
{
	open_browser(NULL);
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
	PROOFS(message_proofs),
};

/* --- a line to be typed --- */

static void open_prompt(const struct place *p)
{
	open_setup(NULL);
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
	PROOFS(prompt_proofs),
};

/* --- the help itself --- */

static void open_help(const struct place *p)
{
	open_browser(NULL);
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
	PROOFS(help_proofs),
};

/* ---- menus ---- */

static const struct menu_place menu_places[] = {
	{ &setup, "P", "flight recorder", "+-", { REQ_NONE } },
	{ &picker,
	  "/page-faults<Enter><Space><Esc><Esc>",
	  "The marks were changed",
	  "g",
	  { REQ_BACK } },
};

static void test_menu_letters(void **state)
{
	(void)state;
	prove_menus(menu_places, sizeof(menu_places) / sizeof(menu_places[0]));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
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
		MOUSE_IN(setup),
		MOUSE_IN(picker),
		MOUSE_IN(options),
		{ "test_mouse_in_processes", test_mouse_in, start_nappers, end_nappers,
		  (void *)&processes },
		MOUSE_IN(help),
		cmocka_unit_test_teardown(test_menu_letters, close_place),
	};

	return cmocka_run_group_tests_name("screen/keys", tests, make_all, remove_all);
}
