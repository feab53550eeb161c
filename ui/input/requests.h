/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The table of all requests. The enum, the config names, the help screen, the hints in the last
 * line and the manual's section are generated from it. Each request is implemented by some screen.
 *
 * X(ID, "config-name", GROUP, "word", "help", "default keys")
 *
 *	word	label next to the key in the last line; short
 *	help	what it does, for the help screen and the manual
 *	keys	in the config syntax: "VIEW: KEY KEY VIEW: KEY" stands for
 *		`bind VIEW KEY config-name` for each. Keys are perf's where perf
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
	X(TREE,		N_("Expanding and collapsing")) \
	X(SETUP,	N_("Setting up a recording")) \
	X(LIVE,		N_("While recording")) \
	X(SNAPSHOTS,	N_("Snapshots")) \
	X(BROWSER,	N_("Browsing a profile")) \
	X(ANNOTATE,	N_("Reading the code of a function")) \
	X(PROBE,	N_("Probing a function")) \
	X(COMPARE,	N_("Comparing two recordings")) \
	X(EDIT,		N_("Editing a line"))

/*
 * X(ID, "name", PARENT): the views that keys can be bound for. Keys that a view does not bind are
 * looked up in its parent; the prompt has none, since letters are typed there.
 *
 *	general --- scroll -+- text -+- list -+- tree --- rows -+- live
 *	                    |        |        |                 +- browser
 *	                    |        |        |                 '- compare
 *	                    |        |        +- picker
 *	                    |        |        +- processes
 *	                    |        |        +- options
 *	                    |        |        +- symbols
 *	                    |        |        +- counts
 *	                    |        |        +- annotate
 *	                    |        |        +- butterfly
 *	                    |        |        +- samples
 *	                    |        |        +- probe
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
	X(ROWS,		"rows",		TREE) \
	X(LIVE,		"live",		ROWS) \
	X(OUTPUT,	"output",	TEXT) \
	X(BROWSER,	"browser",	ROWS) \
	X(COMPARE,	"compare",	ROWS) \
	X(SYMBOLS,	"symbols",	LIST) \
	X(COUNTS,	"counts",	LIST) \
	X(ANNOTATE,	"annotate",	LIST) \
	X(BUTTERFLY,	"butterfly",	LIST) \
	X(SAMPLES,	"samples",	LIST) \
	X(PROBE,	"probe",	LIST)

#define REQUESTS(X) \
	X(HELP, "help", GENERAL, N_("help"), N_("list the keys of this screen"), \
	  "general: ? h <F1> prompt: <F1>") \
	X(BACK, "back", GENERAL, N_("back"), N_("undo the last step, or leave this screen"), \
	  "general: <Esc> q message: <Enter> setup: q") \
	X(QUIT, "quit", GENERAL, N_("quit"), N_("quit ptui without asking"), \
	  "general: <C-c> prompt: <C-c>") \
	X(SUSPEND, "suspend", GENERAL, N_("suspend"), N_("suspend ptui; fg in the shell resumes it"), \
	  "general: <C-z> prompt: <C-z>") \
	X(REDRAW, "redraw", GENERAL, N_("redraw"), N_("redraw the whole screen"), \
	  "general: <C-l> prompt: <C-l>") \
	X(MENU, "menu", GENERAL, N_("menu"), N_("list the actions for this row"), \
	  "rows: m symbols: m annotate: m counts: m probe: m butterfly: m") \
	X(NEXT_EVENT, "next-event", GENERAL, N_("next event"), N_("go to the next event"), \
	  "rows: <Tab>") \
	X(PREV_EVENT, "previous-event", GENERAL, N_("previous event"), N_("go to the previous event"), \
	  "rows: <S-Tab>") \
	X(NEXT_TAB, "next-tab", GENERAL, N_("next tab"), N_("go to the next tab (another open screen)"), \
	  "general: >") \
	X(PREV_TAB, "previous-tab", GENERAL, N_("previous tab"), N_("go to the previous tab"), \
	  "general: <lt>") \
	\
	X(UP, "up", MOVE, N_("up"), N_("move up one row"), "scroll: <Up>") \
	X(DOWN, "down", MOVE, N_("down"), N_("move down one row"), "scroll: <Down>") \
	X(PAGE_UP, "page-up", MOVE, N_("page up"), N_("move up one page"), "scroll: <PgUp>") \
	X(PAGE_DOWN, "page-down", MOVE, N_("page down"), N_("move down one page"), "scroll: <PgDn> <Space>") \
	X(FIRST, "first", MOVE, N_("first"), N_("go to the first row"), "scroll: <Home>") \
	X(LAST, "last", MOVE, N_("last"), N_("go to the last row"), "scroll: <End>") \
	X(LEFT, "left", MOVE, N_("left"), N_("scroll left"), "text: <Left>") \
	X(RIGHT, "right", MOVE, N_("right"), N_("scroll right"), "text: <Right>") \
	X(PREV_VALUE, "previous-value", MOVE, N_("previous value"), N_("choose the previous value"), \
	  "form: <Left> menu: <Left> <S-Tab>") \
	X(NEXT_VALUE, "next-value", MOVE, N_("next value"), N_("choose the next value"), \
	  "form: <Right> <Space> menu: <Right> <Tab>") \
	X(OPEN, "open", MOVE, N_("open"), N_("open, edit or choose this row"), \
	  "list: <Enter> form: <Enter> menu: <Enter>") \
	\
	X(SEARCH, "search", SEARCH, N_("find"), N_("find rows that contain a string"), "text: /") \
	X(SEARCH_NEXT, "search-next", SEARCH, N_("next"), N_("go to the next match"), "text: n snapshots: <C-n>") \
	X(SEARCH_PREV, "search-previous", SEARCH, N_("previous"), N_("go to the previous match"), "text: N snapshots: <C-p>") \
	\
	X(TOGGLE, "toggle", TREE, N_("expand"), N_("expand or collapse one level"), "tree: +") \
	X(EXPAND_ENTRY, "toggle-entry", TREE, N_("expand entry"), N_("expand or collapse the whole entry"), "tree: e") \
	X(COLLAPSE_ENTRY, "collapse-entry", TREE, N_("collapse entry"), N_("collapse the whole entry"), "tree: c") \
	X(EXPAND_ALL, "expand-all", TREE, N_("expand all"), N_("expand all entries"), "tree: E") \
	X(COLLAPSE_ALL, "collapse-all", TREE, N_("collapse all"), N_("collapse all entries"), "tree: C") \
	X(OPEN_HEADING, "open-heading", TREE, N_("expand"), N_("expand the heading or enter it; in search results, scroll right"), \
	  "picker: <Right>") \
	X(CLOSE_HEADING, "close-heading", TREE, N_("collapse"), N_("collapse the heading; in search results, scroll left"), \
	  "picker: <Left>") \
	\
	X(EDIT, "edit", SETUP, N_("edit"), N_("edit this row, or choose its value from a list"), \
	  "setup: <Enter>") \
	X(RECORD, "record", SETUP, N_("record"), N_("start recording"), "setup: r") \
	X(COMMAND, "command", SETUP, N_("command"), N_("record a command"), "setup: c") \
	X(PROCESS, "process", SETUP, N_("process"), N_("record a running process, chosen from a list"), \
	  "setup: p") \
	X(WHOLE_SYSTEM, "whole-system", SETUP, N_("all"), N_("record the whole system"), "setup: a") \
	X(CHOOSE_EVENTS, "choose-events", SETUP, N_("events"), N_("choose events from the catalog"), \
	  "setup: e") \
	X(TYPE_EVENT, "type-event", SETUP, N_("type"), N_("add an event by name, in the syntax of record -e"), \
	  "setup: t picker: t") \
	X(REMOVE, "remove", SETUP, N_("remove"), N_("remove this event"), "setup: d <Del>") \
	X(MARK, "mark", SETUP, N_("mark"), N_("mark or unmark this event"), "picker: <Space>") \
	X(TAKE, "take", SETUP, N_("done"), N_("use the marked events, or this one; expand or collapse a heading"), \
	  "picker: <Enter>") \
	X(GROUP_EVENTS, "group-events", SETUP, N_("group"), N_("group the marked events that are in no group, or split this event's group"), \
	  "picker: G") \
	X(MODIFIERS, "modifiers", SETUP, N_("modifiers"), N_("edit the modifiers of this event: user, kernel, precise"), \
	  "picker: m") \
	X(EVENT_RATE, "event-period", SETUP, N_("period"), N_("set the period or sampling frequency of this event"), \
	  "picker: p") \
	X(EVENT_FILTER, "event-filter", SETUP, N_("filter"), N_("set a filter on the fields of this tracepoint"), \
	  "picker: f") \
	X(AVAILABLE_ONLY, "available-only", SETUP, N_("available"), N_("show only the events available on this machine, or all"), \
	  "picker: A") \
	X(MARKED_ONLY, "marked-only", SETUP, N_("marked"), N_("show only the marked events, in their order and groups, or all"), \
	  "picker: M") \
	X(PREVIEW, "preview", SETUP, N_("preview"), N_("start or stop counting the marked events and this one"), \
	  "picker: v") \
	X(TAKE_GROUPS, "take-groups", SETUP, N_("apply groups"), N_("put the marked events into the proposed groups"), \
	  "picker: P") \
	X(DETAILS, "details", SETUP, N_("details"), N_("show the details of this event in a window"), \
	  "picker: i") \
	X(CHOOSE, "choose", SETUP, N_("choose"), N_("choose this process"), \
	  "processes: <Enter>") \
	X(SORT_COLUMN, "sort-column", SETUP, N_("sort"), N_("sort by the next column"), "processes: S") \
	X(RATE, "rate", SETUP, N_("frequency"), N_("set the sampling frequency or period"), "setup: f") \
	X(CALL_GRAPH, "call-graph", SETUP, N_("call graph"), N_("choose how call graphs are recorded"), "setup: g") \
	X(OUTPUT_FILE, "output-file", SETUP, N_("output"), N_("set the output file"), "setup: o") \
	X(COPY, "copy", SETUP, N_("copy"), N_("copy the equivalent command line"), "setup: y probe: y") \
	X(BROWSE, "browse", SETUP, N_("browse"), N_("open an existing recording"), "setup: b") \
	X(OPTIONS, "options", SETUP, N_("options"), N_("list, search and change all other record options"), \
	  "setup: m") \
	X(PRESETS, "presets", SETUP, N_("presets"), N_("choose a preset, or save the current setup as one"), \
	  "setup: P") \
	X(UNDO, "undo", SETUP, N_("undo"), N_("undo the last change of the setup, such as a pasted line or a preset"), \
	  "setup: u") \
	X(PASTE_LINE, "paste-line", SETUP, N_("paste"), N_("set up from a perf record or ptui record command line"), \
	  "setup: l options: l") \
	X(EDIT_OPTION, "edit-option", SETUP, N_("change"), N_("turn this option on or off, or set its value"), \
	  "options: <Enter> <Space>") \
	X(USUAL, "usual", SETUP, N_("default"), N_("reset this option to its default"), \
	  "options: u <Del>") \
	X(WHY, "why", SETUP, N_("why"), N_("list what this machine refuses, and how to allow it"), \
	  "setup: w") \
	\
	X(STOP, "stop", LIVE, N_("stop & browse"), N_("stop the recording and browse it; press again to kill a command that does not exit"), "live: <Enter>") \
	X(SNAPSHOT, "snapshot", LIVE, N_("snapshot"), N_("write the samples of the last seconds to a file and go on recording"), "live: s snapshots: s") \
	X(SNAPSHOTS, "snapshots", LIVE, N_("snapshots"), N_("list the snapshots: open, compare, name, save or delete them"), "live: S") \
	X(ARM, "arm", LIVE, N_("arm"), N_("take a snapshot when a condition becomes true, such as page-faults/s > 10k, or disarm"), "live: A") \
	X(PAUSE, "pause", LIVE, N_("pause"), N_("pause or resume the counters"), "live: <Space> counts: <Space>") \
	X(STOP_COUNTING, "stop-counting", LIVE, N_("stop"), N_("stop counting; press again to kill a command that does not exit"), "counts: s") \
	X(OUTPUT, "output", LIVE, N_("output"), N_("show the output of the command"), "live: o output: o counts: o") \
	X(ZERO, "zero", LIVE, N_("zero"), N_("rank functions by the samples from now on"), "live: z") \
	X(WHOLE, "whole", LIVE, N_("whole"), N_("rank functions by all samples since the start"), "live: Z") \
	X(FREEZE, "freeze", LIVE, N_("freeze"), N_("freeze or resume the function list while the recording goes on"), "live: f") \
	X(DECAY, "decay", LIVE, N_("decay"), N_("let old samples decay, show only the last update, or accumulate all samples"), "live: D") \
	X(HIDE_KERNEL, "hide-kernel", LIVE, N_("hide kernel"), N_("hide or show kernel functions"), "live: K") \
	X(HIDE_USER, "hide-user", LIVE, N_("hide user"), N_("hide or show user-space functions"), "live: U") \
	X(BY_THREAD, "by-thread", LIVE, N_("threads"), N_("group functions by thread, or list them directly"), "live: t") \
	X(BY_CPU, "by-cpu", LIVE, N_("CPUs"), N_("group functions by CPU, or list them directly"), "live: p") \
	X(DELAY, "delay", LIVE, N_("delay"), N_("set the time between screen updates"), "live: d") \
	X(CHANGE_EVENTS, "change-events", LIVE, N_("record again"), N_("choose other events and record again with them; the old recording is kept"), "live: r") \
	X(TYPE, "type", LIVE, N_("type"), N_("send a line to the command"), "output: i") \
	\
	X(OPEN_SNAPSHOT, "open-snapshot", SNAPSHOTS, N_("open in a tab"), N_("browse this snapshot in its own tab while the recording goes on"), "snapshots: <Enter>") \
	X(MARK_SNAPSHOT, "mark-snapshot", SNAPSHOTS, N_("mark"), N_("mark or unmark this snapshot"), "snapshots: * <Space>") \
	X(COMPARE_SNAPSHOTS, "compare-snapshots", SNAPSHOTS, N_("compare"), N_("compare the two snapshots marked last, or the marked one and this one, in a tab"), "snapshots: D") \
	X(MERGE_SNAPSHOTS, "merge-snapshots", SNAPSHOTS, N_("merge"), N_("browse the marked snapshots (one: with this one; none: all) as one profile, in a tab"), "snapshots: M") \
	X(NAME_SNAPSHOT, "name-snapshot", SNAPSHOTS, N_("name"), N_("name this snapshot"), "snapshots: n") \
	X(SAVE_SNAPSHOT, "save-snapshot", SNAPSHOTS, N_("save as"), N_("move the file of this snapshot to another path"), "snapshots: w") \
	X(DELETE_SNAPSHOT, "delete-snapshot", SNAPSHOTS, N_("delete"), N_("delete the file of this snapshot"), "snapshots: x <Del>") \
	\
	X(ZOOM_THREAD, "zoom-thread", BROWSER, N_("thread"), N_("zoom into or out of the thread of this row"), "rows: 1 browser: t compare: t") \
	X(ZOOM_DSO, "zoom-module", BROWSER, N_("DSO"), N_("zoom into or out of the DSO of this function"), "rows: 2 browser: d compare: d symbols: d") \
	X(ZOOM_FUNCTION, "zoom-function", BROWSER, N_("function"), N_("zoom into or out of functions of this name"), "rows: 3") \
	X(ZOOM_CPU, "zoom-cpu", BROWSER, N_("CPU"), N_("zoom into or out of the CPU of this row"), "rows: 4") \
	X(ZOOM_KERNEL, "zoom-kernel", BROWSER, N_("kernel"), N_("zoom into or out of the kernel"), "rows: k") \
	X(FILTER, "filter", BROWSER, N_("filter"), N_("show only functions whose names contain a string"), "browser: f compare: f") \
	X(ONLY, "only", BROWSER, N_("only"), N_("show only the samples of some processes, times, callchains or fields"), "browser: x") \
	X(HIDE, "hide", BROWSER, N_("hide"), N_("hide DSOs or recursion in callchains: their time goes to the callers"), "rows: X") \
	X(PERCENTAGE, "percentage", BROWSER, N_("percentage"), N_("show percentages relative to the zoom or to the total"), "rows: F") \
	X(LEFT_OR_BACK, "left-or-back", BROWSER, N_("left"), N_("scroll left; at the left edge, undo the last zoom, then list the events"), "browser: <Left>") \
	X(SORT, "sort", BROWSER, N_("sort"), N_("choose sort keys"), "rows: b browser: S") \
	X(COLUMNS, "columns", BROWSER, N_("columns"), N_("choose the columns, their order and widths"), "browser: W") \
	X(HIERARCHY, "hierarchy", BROWSER, N_("hierarchy"), N_("show rows by one sort key after the other, or by all at once"), "browser: g") \
	X(CHILDREN, "children", BROWSER, N_("children"), N_("toggle children (accumulated) and self-only overhead"), "rows: O browser: o compare: o") \
	X(CHAIN_ORDER, "chain-order", BROWSER, N_("chain order"), N_("toggle the callchain order: caller first or callee first"), "rows: G") \
	X(PERCENT_LIMIT, "percent-limit", BROWSER, N_("limit"), N_("hide rows and branches below a percentage"), "rows: L") \
	X(MODULES, "modules", BROWSER, N_("DSOs"), N_("show or hide DSOs in callchains"), "rows: V") \
	X(INLINES, "inlines", BROWSER, N_("inlined"), N_("show or hide inlined functions in callchains, from debug information"), "browser: I") \
	X(PATHS, "paths", BROWSER, N_("paths"), N_("show the paths of DSOs, or their names"), "rows: p") \
	X(FULL_NAMES, "full-names", BROWSER, N_("full names"), N_("show function names in full, or without their middle"), "rows: v") \
	X(COPY_ROW, "copy-row", BROWSER, N_("copy"), N_("copy this row"), "rows: y annotate: y counts: y butterfly: y samples: y") \
	X(COPY_COMMAND, "copy-command", BROWSER, N_("copy line"), N_("copy the command line that shows this"), \
	  "rows: Y snapshots: Y symbols: Y annotate: Y counts: Y") \
	X(HEADER, "header", BROWSER, N_("titles"), N_("show or hide the column titles"), "rows: H") \
	X(TRUST, "trust", BROWSER, N_("trust"), N_("explain the trust line and what would improve it"), "rows: T") \
	X(MISSING, "missing-symbols", BROWSER, N_("symbols"), N_("list the DSOs without symbols, and what to install or fetch"), "live: M browser: M") \
	X(ALL_DSOS, "all-dsos", BROWSER, N_("all DSOs"), N_("list all DSOs with samples, or only those without symbols"), "symbols: a") \
	X(COPY_PATH, "copy-path", BROWSER, N_("copy"), N_("copy the path of this DSO"), "symbols: y") \
	X(HEADER_INFO, "recording-info", BROWSER, N_("recording"), N_("show the machine, command and events of the recording"), "browser: i") \
	X(PRINT, "print", BROWSER, N_("print"), N_("write the displayed rows to the next perf.hist.N"), "rows: P samples: P") \
	X(SAVE_SAMPLES, "save-samples", BROWSER, N_("save"), N_("save the samples that are only in memory (top) to a perf.data file"), "browser: w") \
	X(SWITCH_FILE, "switch-file", BROWSER, N_("other file"), N_("browse another recording"), "browser: s") \
	X(COMPARE_FILE, "compare-file", BROWSER, N_("compare"), N_("compare this recording with another one"), "browser: D") \
	X(MERGE_FILE, "merge-file", BROWSER, N_("merge"), N_("browse this recording and another one as one profile"), "browser: A") \
	X(RECORD_AGAIN, "record-again", BROWSER, N_("record"), N_("start a new recording"), "browser: r") \
	X(LEAVE, "leave", BROWSER, N_("leave"), N_("leave the browser, even when zoomed in"), "browser: q") \
	\
	X(ANNOTATE, "annotate", BROWSER, N_("annotate"), N_("show the instructions and source lines of this function with their samples"), "rows: a butterfly: a") \
	X(BUTTERFLY, "butterfly", BROWSER, N_("butterfly"), N_("show the callers and callees of this function on one screen"), "browser: B live: B") \
	X(SAMPLES, "samples", BROWSER, N_("samples"), N_("list the samples of this row, with time, CPU and thread"), "browser: l") \
	X(CENTRE, "centre", BROWSER, N_("centre"), N_("show the callers and callees of this caller or callee"), "butterfly: <Enter>") \
	X(JUMP, "jump", BROWSER, N_("jump"), N_("go from a function in a callchain to its row in the list"), "browser: j live: j") \
	X(GO_BACK, "go-back", BROWSER, N_("go back"), N_("go back to the callchain or function before"), "browser: <BS> live: <BS> butterfly: <BS>") \
	X(PROBE, "probe", BROWSER, N_("probe"), N_("probe this function or line: choose variables to record whenever it runs"), "rows: u annotate: u butterfly: u") \
	\
	X(FOLLOW, "follow", ANNOTATE, N_("follow"), N_("go to the target of this jump, open the function of this call, or leave at a return"), "annotate: <Enter>") \
	X(LEFT_OR_RETURN, "left-or-return", ANNOTATE, N_("left"), N_("scroll left; at the left edge, go back"), "annotate: <Left>") \
	X(HOTTEST, "hottest", ANNOTATE, N_("hottest"), N_("go to the hottest instruction"), "annotate: H") \
	X(NEXT_HOT, "next-hot", ANNOTATE, N_("next hot"), N_("go to the next hottest instruction"), "annotate: <Tab>") \
	X(PREV_HOT, "previous-hot", ANNOTATE, N_("previous hot"), N_("go to the previous hottest instruction"), "annotate: <S-Tab>") \
	X(SOURCE_LINES, "source-lines", ANNOTATE, N_("source"), N_("show or hide source lines"), "annotate: s") \
	X(LINE_NUMBERS, "line-numbers", ANNOTATE, N_("line numbers"), N_("show or hide the numbers of source lines"), "annotate: k") \
	X(SOURCE_PATHS, "source-paths", ANNOTATE, N_("source files"), N_("show paths of source files and whole names of inlined functions, or hide them"), "annotate: l") \
	X(CODE_NUMBERS, "code-numbers", ANNOTATE, N_("numbers"), N_("show percentages, periods or numbers of samples"), "annotate: t") \
	X(CODE_CYCLES, "code-cycles", ANNOTATE, N_("cycles"), N_("show cycles and instructions per cycle (IPC), the range of cycles as well, or neither"), "annotate: c") \
	X(PERCENT_TYPE, "percent-type", ANNOTATE, N_("local/global"), N_("show percentages of the function (local) or of the whole event (global)"), "annotate: p") \
	X(PERCENT_BASE, "percent-base", ANNOTATE, N_("period/samples"), N_("compute percentages from periods or from numbers of samples"), "annotate: b") \
	X(CODE_ADDRESSES, "code-addresses", ANNOTATE, N_("addresses"), N_("show offsets and short operands, addresses as objdump does, or bytes as well"), "annotate: o") \
	X(CODE_OFFSETS, "code-offsets", ANNOTATE, N_("offsets"), N_("show offsets of jump targets, of calls as well, or of all instructions"), "annotate: O") \
	X(FULL_ADDRESSES, "full-addresses", ANNOTATE, N_("full addresses"), N_("show addresses instead of offsets, or offsets again"), "annotate: f") \
	X(JUMP_ARROWS, "jump-arrows", ANNOTATE, N_("arrows"), N_("draw the jumps of this line, all jumps, or none"), "annotate: j") \
	X(JUMP_SOURCES, "jump-sources", ANNOTATE, N_("jump counts"), N_("show or hide how many jumps lead to each target"), "annotate: J") \
	X(PRINT_CODE, "print-code", ANNOTATE, N_("print"), N_("write the displayed lines to FUNCTION.annotation"), "annotate: P") \
	\
	X(PROBE_ADD, "probe-add", PROBE, N_("add & record"), N_("add this probe, and set up a recording of it"), "probe: <Enter>") \
	X(PROBE_CHOOSE, "probe-choose", PROBE, N_("choose"), N_("choose or leave out this row"), "probe: <Space>") \
	X(PROBE_ALL, "probe-all", PROBE, N_("variables"), N_("choose all variables, or none"), "probe: a") \
	X(PROBE_RETURN, "probe-return", PROBE, N_("return"), N_("probe where the function returns, or where it is entered"), "probe: r") \
	X(PROBE_KEEP, "probe-keep", PROBE, N_("keep"), N_("keep the probe after ptui exits, or remove it then"), "probe: k") \
	\
	X(SWAP, "swap", COMPARE, N_("swap"), N_("swap before and after"), "compare: x") \
	X(ORDER, "order", COMPARE, N_("order"), N_("choose the row order"), "compare: S") \
	X(SURE_ONLY, "sure-only", COMPARE, N_("significant"), N_("hide or show the differences that may be due to chance (~)"), "compare: c") \
	\
	X(ACCEPT, "accept", EDIT, N_("done"), N_("accept the line"), "prompt: <Enter>") \
	X(CANCEL, "cancel", EDIT, N_("cancel"), N_("discard the changes to the line"), "prompt: <Esc> <C-g>") \
	X(COMPLETE, "complete", EDIT, N_("complete"), N_("complete the word"), "prompt: <Tab>") \
	X(HISTORY_PREV, "history-previous", EDIT, N_("previous"), N_("recall the previous line of the history"), "prompt: <Up> <C-p>") \
	X(HISTORY_NEXT, "history-next", EDIT, N_("next"), N_("recall the next line of the history"), "prompt: <Down> <C-n>") \
	X(EDIT_LEFT, "edit-left", EDIT, N_("left"), N_("move left one character"), "prompt: <Left> <C-b>") \
	X(EDIT_RIGHT, "edit-right", EDIT, N_("right"), N_("move right one character"), "prompt: <Right> <C-f>") \
	X(EDIT_WORD_LEFT, "edit-word-left", EDIT, N_("word left"), N_("move left one word"), "prompt: <M-b> <C-Left>") \
	X(EDIT_WORD_RIGHT, "edit-word-right", EDIT, N_("word right"), N_("move right one word"), "prompt: <M-f> <C-Right>") \
	X(EDIT_BEGIN, "edit-begin", EDIT, N_("start"), N_("go to the start of the line"), "prompt: <Home> <C-a>") \
	X(EDIT_END, "edit-end", EDIT, N_("end"), N_("go to the end of the line"), "prompt: <End> <C-e>") \
	X(EDIT_BACKSPACE, "edit-backspace", EDIT, N_("delete"), N_("delete the character before the cursor"), "prompt: <BS>") \
	X(EDIT_DELETE, "edit-delete", EDIT, N_("delete"), N_("delete the character under the cursor"), "prompt: <Del> <C-d>") \
	X(EDIT_KILL_WORD, "edit-kill-word", EDIT, N_("cut word"), N_("cut the word before the cursor"), "prompt: <C-w> <M-BS>") \
	X(EDIT_KILL_WORD_RIGHT, "edit-kill-word-right", EDIT, N_("cut word"), N_("cut the word after the cursor"), "prompt: <M-d>") \
	X(EDIT_KILL_BEGIN, "edit-kill-begin", EDIT, N_("cut"), N_("cut the text before the cursor"), "prompt: <C-u>") \
	X(EDIT_KILL_END, "edit-kill-end", EDIT, N_("cut"), N_("cut the text after the cursor"), "prompt: <C-k>") \
	X(EDIT_YANK, "edit-yank", EDIT, N_("paste"), N_("paste the text that was cut"), "prompt: <C-y>")

/* clang-format on */
#endif
