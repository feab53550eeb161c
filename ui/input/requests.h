/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Everything a person can ask for, once. The enum, the config names, the help screen, the hints in
 * the last line and the manual's section derive from this table; a request that has no row does
 * not exist. Nothing is in here that no screen does.
 *
 * X(ID, "config-name", GROUP, "word", "help", "default keys")
 *
 *	word	what the last line says beside the key; short
 *	help	what it does, for the help screen and the manual
 *	keys	in the config language: "VIEW: KEY KEY VIEW: KEY" is what
 *		`bind VIEW KEY config-name` would say for each of them. Keys are perf's where perf
 *		has them.
 */
#ifndef INPUT_REQUESTS_H
#define INPUT_REQUESTS_H

/* clang-format off */

/* X(ID, title): the sections of the help, in this order */
#define REQUEST_GROUPS(X) \
	X(GENERAL,	N_("Everywhere")) \
	X(MOVE,		N_("Moving")) \
	X(SEARCH,	N_("Searching")) \
	X(TREE,		N_("Opening and closing")) \
	X(SETUP,	N_("Setting up a recording")) \
	X(LIVE,		N_("While recording")) \
	X(SNAPSHOTS,	N_("Snapshots")) \
	X(BROWSER,	N_("Browsing a profile")) \
	X(COMPARE,	N_("Comparing two recordings")) \
	X(EDIT,		N_("Editing a line"))

/*
 * X(ID, "name", PARENT): the views that keys can be bound for. What a view does not bind is looked
 * up in its parent; the prompt has none, since there a letter is a letter.
 *
 *	general --- scroll -+- text -+- list -+- tree -+- live
 *	                    |        |        |        '- browser
 *	                    |        |        +- picker
 *	                    |        |        +- processes
 *	                    |        |        +- compare
 *	                    |        |        +- options
 *	                    |        |        '- snapshots
 *	                    |        +- output
 *	                    |        '- help
 *	                    +- form --- setup
 *	                    +- menu
 *	                    '- message
 */
#define KEYMAPS(X) \
	X(GENERAL,	"general",	NONE) \
	X(SCROLL,	"scroll",	GENERAL) \
	X(TEXT,		"text",		SCROLL) \
	X(LIST,		"list",		TEXT) \
	X(TREE,		"tree",		LIST) \
	X(FORM,		"form",		SCROLL) \
	X(MENU,		"menu",		SCROLL) \
	X(MESSAGE,	"message",	SCROLL) \
	X(HELP,		"help",		TEXT) \
	X(PROMPT,	"prompt",	NONE) \
	X(SETUP,	"setup",	FORM) \
	X(PICKER,	"picker",	LIST) \
	X(PROCESSES,	"processes",	LIST) \
	X(OPTIONS,	"options",	LIST) \
	X(SNAPSHOTS,	"snapshots",	LIST) \
	X(LIVE,		"live",		TREE) \
	X(OUTPUT,	"output",	TEXT) \
	X(BROWSER,	"browser",	TREE) \
	X(COMPARE,	"compare",	LIST)

#define REQUESTS(X) \
	X(HELP, "help", GENERAL, N_("help"), N_("list the keys that work here"), \
	  "general: ? h <F1> prompt: <F1>") \
	X(BACK, "back", GENERAL, N_("back"), N_("undo the last step, or leave this screen"), \
	  "general: <Esc> q message: <Enter>") \
	X(QUIT, "quit", GENERAL, N_("quit"), N_("leave ptui, without asking"), \
	  "general: <C-c> prompt: <C-c> setup: q") \
	X(SUSPEND, "suspend", GENERAL, N_("suspend"), N_("stop ptui; the shell's fg continues it"), \
	  "general: <C-z> prompt: <C-z>") \
	X(REDRAW, "redraw", GENERAL, N_("redraw"), N_("draw the whole screen again"), \
	  "general: <C-l> prompt: <C-l>") \
	X(MENU, "menu", GENERAL, N_("menu"), N_("list what can be done with this row"), \
	  "live: m browser: m") \
	X(NEXT_EVENT, "next-event", GENERAL, N_("next event"), N_("to the next event"), \
	  "live: <Tab> browser: <Tab> compare: <Tab>") \
	X(PREV_EVENT, "previous-event", GENERAL, N_("previous event"), N_("to the previous event"), \
	  "live: <S-Tab> browser: <S-Tab> compare: <S-Tab>") \
	X(NEXT_TAB, "next-tab", GENERAL, N_("next tab"), N_("to the next tab: another screen that is open"), \
	  "general: >") \
	X(PREV_TAB, "previous-tab", GENERAL, N_("previous tab"), N_("to the previous tab"), \
	  "general: <lt>") \
	\
	X(UP, "up", MOVE, N_("up"), N_("one row up"), "scroll: <Up>") \
	X(DOWN, "down", MOVE, N_("down"), N_("one row down"), "scroll: <Down>") \
	X(PAGE_UP, "page-up", MOVE, N_("page up"), N_("one page up"), "scroll: <PgUp>") \
	X(PAGE_DOWN, "page-down", MOVE, N_("page down"), N_("one page down"), "scroll: <PgDn> <Space>") \
	X(FIRST, "first", MOVE, N_("first"), N_("to the first row"), "scroll: <Home>") \
	X(LAST, "last", MOVE, N_("last"), N_("to the last row"), "scroll: <End>") \
	X(LEFT, "left", MOVE, N_("left"), N_("scroll to the left"), "text: <Left>") \
	X(RIGHT, "right", MOVE, N_("right"), N_("scroll to the right"), "text: <Right>") \
	X(PREV_VALUE, "previous-value", MOVE, N_("value before"), N_("choose the value before"), \
	  "form: <Left> menu: <Left> <S-Tab>") \
	X(NEXT_VALUE, "next-value", MOVE, N_("next value"), N_("choose the next value"), \
	  "form: <Right> <Space> menu: <Right> <Tab>") \
	X(OPEN, "open", MOVE, N_("open"), N_("open, edit or choose this row"), \
	  "list: <Enter> form: <Enter> menu: <Enter>") \
	\
	X(SEARCH, "search", SEARCH, N_("find"), N_("find rows that contain a text"), "text: /") \
	X(SEARCH_NEXT, "search-next", SEARCH, N_("next"), N_("to the next row found"), "text: n snapshots: <C-n>") \
	X(SEARCH_PREV, "search-previous", SEARCH, N_("previous"), N_("to the previous row found"), "text: N snapshots: <C-p>") \
	\
	X(TOGGLE, "toggle", TREE, N_("open"), N_("open or close one level"), "tree: +") \
	X(EXPAND_ENTRY, "toggle-entry", TREE, N_("open entry"), N_("open or close the whole entry"), "tree: e") \
	X(COLLAPSE_ENTRY, "collapse-entry", TREE, N_("close entry"), N_("close the whole entry"), "tree: c") \
	X(EXPAND_ALL, "expand-all", TREE, N_("open all"), N_("open everything"), "tree: E") \
	X(COLLAPSE_ALL, "collapse-all", TREE, N_("close all"), N_("close everything"), "tree: C") \
	X(OPEN_HEADING, "open-heading", TREE, N_("open"), N_("open the heading, or go into it; in what was found, scroll to the right"), \
	  "picker: <Right>") \
	X(CLOSE_HEADING, "close-heading", TREE, N_("close"), N_("close the heading; scroll back to the left"), \
	  "picker: <Left>") \
	\
	X(EDIT, "edit", SETUP, N_("edit"), N_("change this row, or choose for it from a list"), \
	  "setup: <Enter>") \
	X(RECORD, "record", SETUP, N_("record"), N_("start the recording"), "setup: r") \
	X(COMMAND, "command", SETUP, N_("command"), N_("record a command: say which"), "setup: c") \
	X(PROCESS, "process", SETUP, N_("process"), N_("record a process that runs: choose it from a list"), \
	  "setup: p") \
	X(WHOLE_SYSTEM, "whole-system", SETUP, N_("all"), N_("record the whole system"), "setup: a") \
	X(CHOOSE_EVENTS, "choose-events", SETUP, N_("events"), N_("choose events from the catalog"), \
	  "setup: e") \
	X(TYPE_EVENT, "type-event", SETUP, N_("type"), N_("add an event by its name, as record -e takes it"), \
	  "setup: t picker: t") \
	X(REMOVE, "remove", SETUP, N_("remove"), N_("take this event out"), "setup: d <Del>") \
	X(MARK, "mark", SETUP, N_("mark"), N_("mark or unmark this event"), "picker: <Space>") \
	X(TAKE, "take", SETUP, N_("done"), N_("take the marked events, or this one; open or close a heading"), \
	  "picker: <Enter>") \
	X(GROUP_EVENTS, "group-events", SETUP, N_("group"), N_("make one group of the marked events that are in none, or take this one's apart"), \
	  "picker: G") \
	X(MODIFIERS, "modifiers", SETUP, N_("modifiers"), N_("edit the modifiers of this event: user, kernel, precise"), \
	  "picker: m") \
	X(EVENT_RATE, "event-period", SETUP, N_("period"), N_("say how often this event alone is sampled"), \
	  "picker: p") \
	X(EVENT_FILTER, "event-filter", SETUP, N_("filter"), N_("say what must hold of this tracepoint's fields"), \
	  "picker: f") \
	X(AVAILABLE_ONLY, "available-only", SETUP, N_("available"), N_("only events that this machine has, or all"), \
	  "picker: A") \
	X(MARKED_ONLY, "marked-only", SETUP, N_("marked"), N_("only the marked events, in their order and groups, or all"), \
	  "picker: M") \
	X(PREVIEW, "preview", SETUP, N_("preview"), N_("count the marked events and this one while you look, or do not"), \
	  "picker: v") \
	X(TAKE_GROUPS, "take-groups", SETUP, N_("take groups"), N_("put the marked events into the groups that are proposed"), \
	  "picker: P") \
	X(DETAILS, "details", SETUP, N_("details"), N_("tell all of this event in a window"), \
	  "picker: i") \
	X(CHOOSE, "choose", SETUP, N_("choose"), N_("take this process"), \
	  "processes: <Enter>") \
	X(RATE, "rate", SETUP, N_("rate"), N_("say how often samples are taken"), "setup: f") \
	X(CALL_GRAPH, "call-graph", SETUP, N_("call graph"), N_("record call graphs, or do not"), "setup: g") \
	X(OUTPUT_FILE, "output-file", SETUP, N_("output"), N_("say which file is written"), "setup: o") \
	X(COPY, "copy", SETUP, N_("copy"), N_("copy the command line that does the same"), "setup: y") \
	X(BROWSE, "browse", SETUP, N_("browse"), N_("open a recording that exists"), "setup: b") \
	X(OPTIONS, "options", SETUP, N_("options"), N_("all other options of record: read, search, change them"), \
	  "setup: m") \
	X(PRESETS, "presets", SETUP, N_("presets"), N_("choose what is recorded often by its name, or keep what is chosen under one"), \
	  "setup: P") \
	X(PASTE_LINE, "paste-line", SETUP, N_("paste"), N_("take over a command line of perf record or ptui record"), \
	  "setup: l options: l") \
	X(EDIT_OPTION, "edit-option", SETUP, N_("change"), N_("turn this option on or off, or say its value"), \
	  "options: <Enter> <Space>") \
	X(USUAL, "usual", SETUP, N_("default"), N_("this option as record has it by itself"), \
	  "options: u <Del>") \
	X(WHY, "why", SETUP, N_("why"), N_("tell all that this machine refuses, and what would lift it"), \
	  "setup: w") \
	\
	X(STOP, "stop", LIVE, N_("stop & browse"), N_("end the recording and browse it; once more: kill a command that does not end"), "live: <Enter>") \
	X(SNAPSHOT, "snapshot", LIVE, N_("snapshot"), N_("write what is kept of the last seconds, and go on recording"), "live: s snapshots: s") \
	X(SNAPSHOTS, "snapshots", LIVE, N_("snapshots"), N_("list the snapshots: open, compare, name, save, delete them"), "live: S") \
	X(ARM, "arm", LIVE, N_("arm"), N_("take a snapshot when a condition comes true, as page-faults/s > 10k, or no more"), "live: A") \
	X(PAUSE, "pause", LIVE, N_("pause"), N_("switch the counters off, and on again"), "live: <Space>") \
	X(OUTPUT, "output", LIVE, N_("output"), N_("look at what the command writes"), "live: o") \
	X(ZERO, "zero", LIVE, N_("zero"), N_("show functions by what they take from now on"), "live: z") \
	X(WHOLE, "whole", LIVE, N_("whole"), N_("show functions by all that they took since the start"), "live: Z") \
	X(FREEZE, "freeze", LIVE, N_("freeze"), N_("let the functions stand still while the recording goes on, or move again"), "live: f") \
	X(DECAY, "decay", LIVE, N_("decay"), N_("let the past fade, show only what the last update brought, or add all up"), "live: D") \
	X(HIDE_KERNEL, "hide-kernel", LIVE, N_("hide kernel"), N_("leave out the functions of the kernel, or show them"), "live: K") \
	X(HIDE_USER, "hide-user", LIVE, N_("hide user"), N_("leave out the functions of programs, or show them"), "live: U") \
	X(BY_THREAD, "by-thread", LIVE, N_("threads"), N_("a row a thread, with its functions below, or a row a function"), "live: t") \
	X(BY_CPU, "by-cpu", LIVE, N_("CPUs"), N_("a row a CPU, with its functions below, or a row a function"), "live: p") \
	X(DELAY, "delay", LIVE, N_("delay"), N_("say how often the screen is brought up to date"), "live: d") \
	X(CHANGE_EVENTS, "change-events", LIVE, N_("record again"), N_("choose other events, and record again with them; what was recorded stays"), "live: r") \
	X(TYPE, "type", LIVE, N_("type"), N_("send a line to the command"), "output: i") \
	\
	X(OPEN_SNAPSHOT, "open-snapshot", SNAPSHOTS, N_("open in a tab"), N_("browse this snapshot in a tab of its own, while the recording goes on"), "snapshots: <Enter>") \
	X(MARK_SNAPSHOT, "mark-snapshot", SNAPSHOTS, N_("mark"), N_("mark this snapshot, or do not; two can be marked"), "snapshots: * <Space>") \
	X(COMPARE_SNAPSHOTS, "compare-snapshots", SNAPSHOTS, N_("compare"), N_("compare the two that are marked, or the marked one and this one, in a tab"), "snapshots: D") \
	X(NAME_SNAPSHOT, "name-snapshot", SNAPSHOTS, N_("name"), N_("give this snapshot a name"), "snapshots: n") \
	X(SAVE_SNAPSHOT, "save-snapshot", SNAPSHOTS, N_("save as"), N_("move the file of this snapshot to a path of your own"), "snapshots: w") \
	X(DELETE_SNAPSHOT, "delete-snapshot", SNAPSHOTS, N_("delete"), N_("delete the file of this snapshot"), "snapshots: x <Del>") \
	\
	X(ZOOM_THREAD, "zoom-thread", BROWSER, N_("thread"), N_("zoom into the thread of this row, or out of it"), "browser: t compare: t") \
	X(ZOOM_DSO, "zoom-module", BROWSER, N_("module"), N_("zoom into the module (DSO) of this function, or out of it"), "browser: d compare: d") \
	X(ZOOM_KERNEL, "zoom-kernel", BROWSER, N_("kernel"), N_("zoom into the kernel, or out of it"), "browser: k compare: k") \
	X(FILTER, "filter", BROWSER, N_("filter"), N_("keep only functions whose names contain a text"), "browser: f compare: f") \
	X(PERCENTAGE, "percentage", BROWSER, N_("percentage"), N_("percentages of what is zoomed into, or of everything"), "live: F browser: F") \
	X(LEFT_OR_BACK, "left-or-back", BROWSER, N_("left"), N_("scroll to the left; where nothing is scrolled, undo the last zoom"), "browser: <Left>") \
	X(SORT, "sort", BROWSER, N_("sort"), N_("choose what tells rows apart"), "browser: S compare: b") \
	X(CHILDREN, "children", BROWSER, N_("children"), N_("rows of callers too, or only what functions took themselves"), "browser: o compare: o") \
	X(CHAIN_ORDER, "chain-order", BROWSER, N_("turn chains"), N_("callchains from the caller down, or from the callee up"), "browser: G") \
	X(PERCENT_LIMIT, "percent-limit", BROWSER, N_("limit"), N_("leave out rows and branches below a percentage"), "live: L browser: L compare: L") \
	X(MODULES, "modules", BROWSER, N_("modules"), N_("the modules of functions in callchains, or not"), "live: V browser: V") \
	X(HEADER, "header", BROWSER, N_("titles"), N_("the titles of the columns, or not"), "live: H browser: H") \
	X(TRUST, "trust", BROWSER, N_("trust"), N_("what the trust line means, and what would help"), "browser: T compare: T") \
	X(HEADER_INFO, "recording-info", BROWSER, N_("recording"), N_("what the recording says about its machine, command and events"), "browser: i") \
	X(PRINT, "print", BROWSER, N_("print"), N_("write what is shown to the next perf.hist.N"), "live: P browser: P compare: P") \
	X(SAVE_SAMPLES, "save-samples", BROWSER, N_("save"), N_("write samples that are in no file (top) to a perf.data"), "browser: w") \
	X(SWITCH_FILE, "switch-file", BROWSER, N_("other file"), N_("browse another recording"), "browser: s") \
	X(COMPARE_FILE, "compare-file", BROWSER, N_("compare"), N_("compare this recording with another one"), "browser: D") \
	X(RECORD_AGAIN, "record-again", BROWSER, N_("record"), N_("make a new recording"), "browser: r") \
	X(LEAVE, "leave", BROWSER, N_("leave"), N_("leave the browser, also when zoomed in"), "browser: q") \
	\
	X(SWAP, "swap", COMPARE, N_("swap"), N_("let before and after change places"), "compare: x") \
	X(ORDER, "order", COMPARE, N_("order"), N_("choose which rows stand above"), "compare: S") \
	X(SURE_ONLY, "sure-only", COMPARE, N_("sure only"), N_("leave out the differences that chance may have made (~), or show them"), "compare: c") \
	\
	X(ACCEPT, "accept", EDIT, N_("done"), N_("take the line"), "prompt: <Enter>") \
	X(CANCEL, "cancel", EDIT, N_("cancel"), N_("leave the line as it was"), "prompt: <Esc> <C-g>") \
	X(COMPLETE, "complete", EDIT, N_("complete"), N_("complete the word"), "prompt: <Tab>") \
	X(HISTORY_PREV, "history-previous", EDIT, N_("earlier"), N_("the line that was typed before"), "prompt: <Up> <C-p>") \
	X(HISTORY_NEXT, "history-next", EDIT, N_("later"), N_("the line that was typed after"), "prompt: <Down> <C-n>") \
	X(EDIT_LEFT, "edit-left", EDIT, N_("left"), N_("one character to the left"), "prompt: <Left> <C-b>") \
	X(EDIT_RIGHT, "edit-right", EDIT, N_("right"), N_("one character to the right"), "prompt: <Right> <C-f>") \
	X(EDIT_WORD_LEFT, "edit-word-left", EDIT, N_("word left"), N_("one word to the left"), "prompt: <M-b> <C-Left>") \
	X(EDIT_WORD_RIGHT, "edit-word-right", EDIT, N_("word right"), N_("one word to the right"), "prompt: <M-f> <C-Right>") \
	X(EDIT_BEGIN, "edit-begin", EDIT, N_("begin"), N_("to the begin of the line"), "prompt: <Home> <C-a>") \
	X(EDIT_END, "edit-end", EDIT, N_("end"), N_("to the end of the line"), "prompt: <End> <C-e>") \
	X(EDIT_BACKSPACE, "edit-backspace", EDIT, N_("delete"), N_("delete the character before"), "prompt: <BS>") \
	X(EDIT_DELETE, "edit-delete", EDIT, N_("delete"), N_("delete the character under the cursor"), "prompt: <Del> <C-d>") \
	X(EDIT_KILL_WORD, "edit-kill-word", EDIT, N_("cut word"), N_("cut the word before"), "prompt: <C-w> <M-BS>") \
	X(EDIT_KILL_WORD_RIGHT, "edit-kill-word-right", EDIT, N_("cut word"), N_("cut the word behind"), "prompt: <M-d>") \
	X(EDIT_KILL_BEGIN, "edit-kill-begin", EDIT, N_("cut"), N_("cut what stands before"), "prompt: <C-u>") \
	X(EDIT_KILL_END, "edit-kill-end", EDIT, N_("cut"), N_("cut what stands behind"), "prompt: <C-k>") \
	X(EDIT_YANK, "edit-yank", EDIT, N_("put back"), N_("put back what was cut"), "prompt: <C-y>")

/* clang-format on */
#endif
