/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The keys of Live and the browser and of their screens; keys of the user. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "screen/key_proof.h"

/* --- Live --- */

static void open_live(const struct place *p)
{
	(void)p;
	open_setup(NULL);
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
	{ REQ_MENU, COMES, "zoom into work", "<Home>", NULL, "<Esc>" },
	{ REQ_ZOOM_THREAD, COMES, "only thread work (ESC)", "<Home>", NULL, "<Esc>" },
	{ REQ_ZOOM_DSO, COMES, "only work (ESC)", "<Home>", NULL, "<Esc>" },
	{ REQ_ZOOM_FUNCTION, COMES, "' (ESC)", "<Home>", NULL, "<Esc>C" },
	{ REQ_ZOOM_CPU, COMES, "combine several CPUs", "<Home>", NULL, "<Down><Home>" },
	{ REQ_ZOOM_KERNEL, COMES, "only kernel (ESC)", NULL, NULL, "<Esc>" },
	{ REQ_HIDE, COMES, "Time goes to the callers", "<Home>", NULL, "<Esc>" },
	{ REQ_CHILDREN, COMES, "Children", NULL, NULL, "O" },
	{ REQ_CHAIN_ORDER, COMES, "callees below (G)", NULL, NULL, "G" },
	{ REQ_FULL_NAMES, COMES, "names are shown in full", NULL, NULL, "v" },
	{ REQ_SORT, COMES, "Sort by", NULL, NULL, "<Esc>" },
	{ REQ_PERCENT_LIMIT, COMES, "from 50 % on (L)", NULL, "<C-u>50<Enter>", "L<C-u>0<Enter>" },
	{ REQ_MODULES, COMES, "parse  work", "<Home>e", NULL, "VC" },
	{ REQ_HEADER, GOES, "Overhead", NULL, NULL, "H" },
	{ REQ_PRINT, COMES, "perf.hist.", NULL, NULL, "<Down><Home>" },
	{ REQ_TRUST, COMES, "Data quality", NULL, NULL, "<Esc>" },
	{ REQ_MISSING, COMES, "› DSOs without symbols", NULL, NULL, "<Esc>" },
	{ REQ_COPY_ROW, COMES, "copied to the clipboard", "<Home>", NULL, "<Down><Home>" },
	{ REQ_ANNOTATE, COMES, "Live › ", "<Home>", NULL, "<Esc>" },
	{ REQ_PROBE, COMES, "Live › probe ", "<Home>", NULL, "<Esc>" },
	{ REQ_BUTTERFLY, COMES, "Live › Butterfly › ", "f<Home>", NULL, "<Esc>f" },
	{ REQ_JUMP, COMES, "This is the row of the function", "<Home>", NULL, "<Down><Home>" },
	{ REQ_COPY_COMMAND, COMES, "copied: ptui record --tui", NULL, NULL, "<Down><Home>" },
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
	.row = "<Home>",
	.opens = "-",
	.closes = "C",
	PROOFS(live_proofs),
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
	{ REQ_MERGE_SNAPSHOTS, COMES, "[#1 + #3]", "<Home>", NULL, "q" },
	{ REQ_NAME_SNAPSHOT, COMES, "name of #3:", "<Home>", NULL, "<Esc>" },
	{ REQ_SAVE_SNAPSHOT, COMES, "save #3 as:", "<Home>", NULL, "<Esc>" },
	{ REQ_DELETE_SNAPSHOT, COMES, "Delete #3?", "<Home>", NULL, "<Esc>" },
	{ REQ_COPY_COMMAND, COMES, "copied: ptui report", "<Home>", NULL, "<End><Home>" },
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
	.row = "<Home>",
	.opens = "[#3]",
	.closes = "q",
	PROOFS(snapshots_proofs),
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
	PROOFS(output_proofs),
};

/* --- counts --- */

static void open_counts(const struct place *p)
{
	static const char *const args[] = {
		"stat",
		"--tui",
		"-I100",
		"-edummy,sched:*",
		"sh",
		"-c",
		"echo counted; while sleep 0.02; do :; done", /* counts in every interval */
		NULL
	};

	start(args);
	screen_wait(s, p->base);
	screen_wait(s, "dummy ");
	screen_wait(s, "/s");
	type(" ");
	screen_wait(s, "paused");
	settle();
}

static const struct proof counts_proofs[] = {
	EVERYWHERE("<Esc>"),
	MOVING,
	SIDEWAYS,
	SEARCHING,
	{ REQ_BACK, COMES, "go on counting", NULL, NULL, "g" },
	{ REQ_OPEN, COMES, "Total: ", "<Home>", NULL, "<Esc>" },
	{ REQ_STOP_COUNTING, COMES, "✓ ended", NULL, NULL, NULL },
	{ REQ_PAUSE, GOES, "paused", NULL, NULL, NULL },
	{ REQ_OUTPUT, COMES, "Counts › Output", NULL, NULL, "<Esc>" },
	{ REQ_MENU, COMES, "(o) show the output", "<Home>", NULL, "<Esc>" },
	{ REQ_COPY_ROW, COMES, "copied to the clipboard", "<Home>", NULL, "<Down><Home>" },
	{ REQ_COPY_COMMAND, COMES, "copied: ptui stat --tui", NULL, NULL, "<Down><Home>" },
};

static const struct place counts = {
	.name = "the counts",
	.map = KEYMAP_COUNTS,
	.base = "Counts  sh",
	.open = open_counts,
	.help = "?",
	.leave = "<Esc>",
	.find = "sched",
	.unfind = "/<C-u><Enter>",
	.live = true,
	.row = "<Home>",
	.opens = "Total: ",
	.closes = "<Esc>",
	PROOFS(counts_proofs),
};

/* --- the browser --- */

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
	{ REQ_HIDE, COMES, "Time goes to the callers", "<Home>", NULL, "<Esc>" },
	{ REQ_ONLY, COMES, "Only samples by", NULL, NULL, "<Esc>" },
	{ REQ_ZOOM_FUNCTION, COMES, " › '", "<Home>", NULL, "<Esc>" },
	{ REQ_ZOOM_CPU, COMES, "combine several CPUs", "<Home>", NULL, "<Down><Home>" },
	{ REQ_FILTER, GOES, "eval", NULL, "lex<Enter>", "f<C-u><Enter>" },
	{ REQ_SORT, COMES, "Sort by", NULL, NULL, "<Esc>" },
	{ REQ_CHILDREN, GOES, "Children", NULL, NULL, "o" },
	{ REQ_HIERARCHY, COMES, "Command / Shared Object", NULL, NULL, "g" },
	{ REQ_COLUMNS, COMES, "columns: overhead", NULL, NULL, "<Esc>" },
	{ REQ_CHAIN_ORDER, GOES, "callees below", NULL, NULL, "G" },
	{ REQ_PERCENT_LIMIT, GOES, "idle", NULL, "<C-u>50<Enter>", NULL },
	{ REQ_MODULES, COMES, "lex  server", "E", NULL, "VC" },
	{ REQ_INLINES, COMES, "with inlined", NULL, NULL, "I" },
	{ REQ_HEADER, GOES, "Symbol", NULL, NULL, "H" },
	{ REQ_PATHS, COMES, "/server", NULL, NULL, "p" },
	{ REQ_FULL_NAMES, COMES, "names are shown in full", NULL, NULL, "v" },
	{ REQ_COPY_ROW, COMES, "copied to the clipboard", "<Home>", NULL, "<Down><Home>" },
	{ REQ_COPY_COMMAND, COMES, "copied: ptui report", NULL, NULL, "<Down><Home>" },
	{ REQ_TRUST, COMES, "Data quality", NULL, NULL, "<Esc>" },
	{ REQ_ANNOTATE, COMES, "cycles.data › main", "<Home>", NULL, "<Esc>" },
	{ REQ_PROBE, COMES, "cycles.data › probe main", "<Home>", NULL, "<Esc>" },
	{ REQ_BUTTERFLY, COMES, "cycles.data › Butterfly › main", "<Home>", NULL, "<Esc>" },
	{ REQ_SAMPLES, COMES, "cycles.data › Samples › main", "<Home>", NULL, "<Esc>" },
	{ REQ_JUMP, COMES, "This is the row of the function", "<Home>", NULL, "<Down><Home>" },
	{ REQ_MISSING, COMES, "DSOs without symbols", NULL, NULL, "<Esc>" },
	{ REQ_HEADER_INFO, COMES, "The recording", NULL, NULL, "<Esc>" },
	{ REQ_PRINT, COMES, "perf.hist.", NULL, NULL, "<Down><Home>" },
	{ REQ_RECORD_AGAIN, COMES, "ptui  Setup", NULL, NULL, NULL },
	{ REQ_SWITCH_FILE, COMES, "other.data", NULL, NULL, "<Esc>" },
	{ REQ_COMPARE_FILE, COMES, "Compare with, newest first", NULL, NULL, "<Esc>" },
	{ REQ_MERGE_FILE, COMES, "Merge with, newest first", NULL, NULL, "<Esc>" },
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
	.row = "<Home>",
	.opens = "-",
	.closes = "C",
	PROOFS(browser_proofs),
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
	{ REQ_ALL_DSOS, COMES, "Unnamed", NULL, NULL, "a" },
	{ REQ_ZOOM_DSO, COMES, "gone.data › libgone", NULL, NULL, "<Esc>M" },
	{ REQ_COPY_PATH, COMES, "copied to the clipboard", NULL, NULL, "<Home><Down>" },
	{ REQ_COPY_COMMAND, COMES, "copied: ptui report", NULL, NULL, "<Home><Down>" },
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
	.row = "<Home>",
	.opens = "Copy the file from the recorded machine",
	.closes = "<Esc>",
	PROOFS(symbols_proofs),
};

/* --- the code of a function --- */

static void open_annotate(const struct place *p)
{
	static const char *const args[] = { "report", "-i", "work.data", "--no-branch-stack",
					    NULL };

	if (lacks_program)
		skip_because("%s", lacks_program);
	start(args);
	screen_wait(s, "of event 'cycles'");
	wait_cursor(s, "work");
	type("a");
	screen_wait(s, p->base);
	check_frame(s);
	screen_resize(s, 30, 120); /* the function is longer than a page */
	settle();
}

static const struct proof annotate_proofs[] = {
	EVERYWHERE("<Esc>"),
	MOVING,
	{ REQ_RIGHT, MOVES, NULL, NULL, NULL, NULL },
	{ REQ_LEFT_OR_RETURN, GOES, "› work", NULL, NULL, "a" },
	SEARCHING,
	{ REQ_BACK, GOES, "› work", NULL, NULL, "a" },
	{ REQ_MENU, COMES, "(H) go to the hottest", NULL, NULL, "<Esc>" },
	{ REQ_FOLLOW, COMES, "work › leaf", "<Home>/call<Enter>", NULL, "<Esc>/<C-u><Enter>" },
	{ REQ_PROBE, COMES, "› probe work", "<Home>", NULL, "<Esc>" },
	{ REQ_HOTTEST, COMES, "annotate_work.c:23", "<Home>", NULL, "<Home>" },
	{ REQ_NEXT_HOT, COMES, "annotate_work.c:31", "H", NULL, "<Home>" },
	{ REQ_PREV_HOT, COMES, "annotate_work.c:29", "H", NULL, "<Home>" },
	{ REQ_SOURCE_LINES, GOES, "if (i & 1)", "H", NULL, "s" },
	{ REQ_LINE_NUMBERS, COMES, "  23  ", "H", NULL, "k" },
	{ REQ_SOURCE_PATHS, COMES, "annotate_work.c:24", "H", NULL, "l" },
	{ REQ_CODE_NUMBERS, COMES, "3,000,000", "H", NULL, "tt" },
	{ REQ_CODE_CYCLES, COMES, "Cycles (min/max)", NULL, NULL, "cc" },
	{ REQ_PERCENT_TYPE, COMES, "global period", NULL, NULL, "p" },
	{ REQ_PERCENT_BASE, COMES, "local samples", NULL, NULL, "b" },
	{ REQ_CODE_ADDRESSES, COMES, "401050:", "H", NULL, "oo" },
	{ REQ_CODE_OFFSETS, COMES, "targets and calls", NULL, NULL, "OO" },
	{ REQ_FULL_ADDRESSES, COMES, "401055:", "H", NULL, "f" },
	{ REQ_JUMP_ARROWS, COMES, "All jumps are drawn", NULL, NULL, "jj" },
	{ REQ_JUMP_SOURCES, COMES, "2  1e:", "H", NULL, "J" },
	{ REQ_COPY_ROW, COMES, "copied to the clipboard", NULL, NULL, "<Down><Home>" },
	{ REQ_COPY_COMMAND, COMES, "copied: ptui annotate", NULL, NULL, "<Down><Home>" },
	{ REQ_PRINT_CODE, COMES, "wrote work.annotation", NULL, NULL, "<Down><Home>" },
};

static const struct place annotate = {
	.name = "the code of a function",
	.map = KEYMAP_ANNOTATE,
	.base = "› work",
	.open = open_annotate,
	.help = "?",
	.leave = "<Esc>",
	.find = "sum",
	.unfind = "/<C-u><Enter>",
	.row = "<Home>/call<Enter>",
	.opens = "work › leaf",
	.closes = "<Esc>",
	PROOFS(annotate_proofs),
};

/* --- the callers and callees of a function --- */

static void open_butterfly(const struct place *p)
{
	open_browser(p);
	type("<Home><Down>B");
	screen_wait(s, p->base);
	wait_cursor(s, "function");
	settle();
}

static const struct proof butterfly_proofs[] = {
	EVERYWHERE("<Esc>"),
	MOVING,
	SIDEWAYS,
	SEARCHING,
	{ REQ_BACK, GOES, "› Butterfly", NULL, NULL, NULL },
	{ REQ_MENU, COMES, "(a) show the instructions", NULL, NULL, "<Esc>" },
	{ REQ_CENTRE, COMES, "› Butterfly › main", "<Home>", NULL, "<BS>" },
	{ REQ_GO_BACK, GOES, "› Butterfly", NULL, NULL, NULL },
	{ REQ_ANNOTATE, COMES, "cycles.data › serve", "<Home><Down>", NULL, "<Esc>" },
	{ REQ_PROBE, COMES, "cycles.data › probe serve", "<Home><Down>", NULL, "<Esc>" },
	{ REQ_COPY_ROW, COMES, "copied to the clipboard", NULL, NULL, "<Down><Home>" },
};

static const struct place butterfly = {
	.name = "a butterfly",
	.map = KEYMAP_BUTTERFLY,
	.base = "› Butterfly › serve",
	.open = open_butterfly,
	.help = "?",
	.leave = "<Esc>",
	.find = "e",
	.unfind = "/<C-u><Enter>",
	.row = "<Home>",
	.opens = "› Butterfly › main",
	.closes = "<BS>",
	PROOFS(butterfly_proofs),
};

/* --- the samples of a row --- */

static void open_samples(const struct place *p)
{
	open_browser(p);
	type("<Home>l");
	screen_wait(s, p->base);
	screen_wait_row(s, 0, " samples");
	settle();
}

static const struct proof samples_proofs[] = {
	EVERYWHERE("<Esc>"),
	MOVING,
	SIDEWAYS,
	SEARCHING,
	{ REQ_BACK, GOES, "› Samples", NULL, NULL, NULL },
	{ REQ_OPEN, COMES, "main+0x", NULL, NULL, "<Esc>" },
	{ REQ_COPY_ROW, COMES, "copied to the clipboard", NULL, NULL, "<Down><Home>" },
	{ REQ_PRINT, COMES, "perf.hist.", NULL, NULL, "<Down><Home>" },
};

static const struct place samples = {
	.name = "the samples of a row",
	.map = KEYMAP_SAMPLES,
	.base = "› Samples › main",
	.open = open_samples,
	.help = "?",
	.leave = "<Esc>",
	.find = "e",
	.unfind = "/<C-u><Enter>",
	.row = "<Home>",
	.opens = "main+0x",
	.closes = "<Esc>",
	PROOFS(samples_proofs),
};

/* --- a probe of a function --- */

static void open_probe(const struct place *p)
{
	static const char *const args[] = { "report", "-i", "work.data", "--no-branch-stack",
					    NULL };

	need("root");
	need("tracefs");
	if (lacks_program || access("/sys/kernel/tracing/uprobe_events", W_OK))
		skip_because("%s", lacks_program ? lacks_program : "this kernel has no uprobes");
	start(args);
	screen_wait(s, "of event 'cycles'");
	wait_cursor(s, "work");
	type("u");
	screen_wait(s, p->base);
	screen_wait(s, "p:ptui_");
	settle();
}

static const struct proof probe_proofs[] = {
	EVERYWHERE("<Esc>"),
	MOVING,
	{ REQ_RIGHT, MOVES, NULL, NULL, NULL, NULL },
	{ REQ_LEFT, MOVES, NULL, NULL, NULL, NULL },
	SEARCHING,
	{ REQ_BACK, GOES, "› probe work", NULL, NULL, "u" },
	{ REQ_MENU, COMES, "(k) keep the probe", NULL, NULL, "<Esc>" },
	{ REQ_PROBE_CHOOSE, COMES, "[x] $retval", "<Home>", NULL, "<Home><Space>" },
	{ REQ_PROBE_ALL, COMES, "2 variables", NULL, NULL, "a" },
	{ REQ_PROBE_RETURN, COMES, "return probe", NULL, NULL, "r" },
	{ REQ_PROBE_KEEP, COMES, "p:probe_annotate_work/work", NULL, NULL, "k" },
	{ REQ_COPY, COMES, "copied: ptui probe -x ", NULL, NULL, "<Down><Home>" },
	/* what it adds is in test_probe; here it has to be removed again */
	{ REQ_PROBE_ADD, ENDS, NULL, NULL, "<C-c>", NULL },
};

static const struct place probe = {
	.name = "a probe",
	.map = KEYMAP_PROBE,
	.base = "› probe work",
	.open = open_probe,
	.help = "?",
	.leave = "<Esc>",
	.find = "e",
	.unfind = "/<C-u><Enter>",
	PROOFS(probe_proofs),
};

/* --- two recordings side by side --- */

static void open_compare(const struct place *p)
{
	open_browser(NULL);
	type("D");
	screen_wait(s, "Compare with");
	type("D");
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
	{ REQ_HIDE, COMES, "Time goes to the callers", "<Home>", NULL, "<Esc>" },
	{ REQ_ZOOM_FUNCTION, COMES, " › '", "<Home>", NULL, "<Esc>" },
	{ REQ_MENU, COMES, "(b) choose", NULL, NULL, "<Esc>" },
	{ REQ_HEADER, GOES, "Symbol", NULL, NULL, "H" },
	{ REQ_PATHS, COMES, "/server", NULL, NULL, "p" },
	{ REQ_FULL_NAMES, COMES, "names are shown in full", NULL, NULL, "v" },
	{ REQ_COPY_ROW, COMES, "copied to the clipboard", "<Home>", NULL, "<Down><Home>" },
	{ REQ_ANNOTATE, COMES, "cycles.data › eval", "<Home>", NULL, "<Esc>" },
	{ REQ_PROBE, COMES, "cycles.data › probe eval", "<Home>", NULL, "<Esc>" },
	{ REQ_FILTER, GOES, "eval", NULL, "lex<Enter>", "f<C-u><Enter>" },
	{ REQ_CHILDREN, COMES, "with children", NULL, NULL, "o" },
	{ REQ_PERCENT_LIMIT, GOES, "idle", NULL, "<C-u>50<Enter>", "L<C-u>0.5<Enter>" },
	{ REQ_TRUST, COMES, "Data quality", NULL, NULL, "<Esc>" },
	{ REQ_PRINT, COMES, "perf.hist.", NULL, NULL, "<Down><Home>" },
	{ REQ_COPY_COMMAND, COMES, "copied: ptui report", NULL, NULL, "<Down><Home>" },
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
	.row = "<Home>",
	.opens = "Before and after",
	.closes = "<Esc>",
	PROOFS(compare_proofs),
};

/* ---- user-defined keys ---- */

/* ---- menus ---- */

static const struct menu_place menu_places[] = {
	{ &browser,
	  "<Home>m",
	  "(S) choose",
	  "",
	  { REQ_ZOOM_THREAD, REQ_ZOOM_DSO, REQ_ZOOM_FUNCTION, REQ_ZOOM_CPU, REQ_ZOOM_KERNEL } },
	{ &browser, "S", "Sort by", "", { REQ_SORT } },
	{ &browser, "s", "newest first", "", { REQ_SWITCH_FILE } },
	{ &browser, "D", "newest first", "", { REQ_COMPARE_FILE } },
	{ &browser, "A", "newest first", "", { REQ_MERGE_FILE } },
	{ &browser, "T", "Data quality", "", { REQ_MISSING, REQ_RECORD_AGAIN } },
	{ &live,
	  "<Home>m",
	  "zoom into work",
	  "",
	  { REQ_ZOOM_THREAD, REQ_ZOOM_DSO, REQ_ZOOM_FUNCTION, REQ_ZOOM_CPU, REQ_ZOOM_KERNEL } },
	{ &live,
	  "t<Home>m",
	  "zoom into",
	  "",
	  { REQ_ZOOM_THREAD, REQ_ZOOM_DSO, REQ_ZOOM_FUNCTION, REQ_ZOOM_CPU, REQ_ZOOM_KERNEL } },
	{ &live, "b", "Sort by", "", { REQ_SORT } },
	{ &live, "T", "Data quality", "", { REQ_MISSING, REQ_CHANGE_EVENTS } },
	{ &live, "q", "go on recording", "g", { REQ_BACK } },
	{ &compare,
	  "<Home>m",
	  "(b) choose",
	  "",
	  { REQ_ZOOM_THREAD, REQ_ZOOM_DSO, REQ_ZOOM_FUNCTION, REQ_ZOOM_CPU, REQ_ZOOM_KERNEL } },
	{ &symbols, "m", "(y) copy", "", { REQ_NONE } },
	{ &counts, "<Home>m", "(o) show", "", { REQ_NONE } },
	{ &annotate, "m", "(H) go", "", { REQ_NONE } },
	{ &butterfly, "m", "(a) show the instructions", "", { REQ_NONE } },
	{ &probe, "m", "(k) keep the probe", "", { REQ_NONE } },
	{ &compare, "b", "Sort by", "", { REQ_SORT } },
	{ &compare, "S", "Row order", "", { REQ_NONE } },
};

static void test_menu_letters(void **state)
{
	(void)state;
	prove_menus(menu_places, sizeof(menu_places) / sizeof(menu_places[0]));
}

static void test_own_keys(void **state)
{
	(void)state;
	write_file("ptui/config",
		   "# mine\nbind browser x sort\nbind general <Esc> none\n"
		   "bind text / none\nbind text <C-f> search\n",
		   0644);
	open_browser(NULL);
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

static int remove_config(void **state)
{
	char path[FOLDER_BYTES + 32];

	(void)state;
	stop();
	snprintf(path, sizeof(path), "%s/ptui/config", folder);
	return unlink(path);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		PLACE(live),
		PLACE(snapshots),
		PLACE(output),
		PLACE(counts),
		PLACE(browser),
		PLACE(symbols),
		PLACE(annotate),
		PLACE(butterfly),
		PLACE(samples),
		PLACE(probe),
		PLACE(compare),
		MOUSE_IN(live),
		MOUSE_IN(snapshots),
		MOUSE_IN(output),
		MOUSE_IN(counts),
		MOUSE_IN(browser),
		MOUSE_IN(symbols),
		MOUSE_IN(annotate),
		MOUSE_IN(butterfly),
		MOUSE_IN(samples),
		MOUSE_IN(compare),
		cmocka_unit_test_teardown(test_menu_letters, close_place),
		cmocka_unit_test_teardown(test_own_keys, remove_config),
		cmocka_unit_test_teardown(test_unknown_request, remove_config),
	};

	return cmocka_run_group_tests_name("screen/keys-live", tests, make_all, remove_all);
}
