/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "view/annotate/annotate.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "input/keymap.h"
#include "model/report_line.h"
#include "text/i18n.h"
#include "view/annotate/annotate_private.h"
#include "view/copy_row.h"
#include "view/print.h"

#define NEWEST_MS 250 /* looking for a newer profile */
#define TEXT_SIZE 1024

/* ---- moving ---- */

static unsigned go_to(struct annotate_screen *s, uint32_t line)
{
	table_show(&s->table, annotate_row_of(s->model, line));
	return WISH_REDRAW;
}

static unsigned go_to_hot(struct annotate_screen *s, uint32_t line)
{
	if (line != PTUI_NONE)
		return go_to(s, line);
	return stack_note(s->stack, _("This function has no samples."));
}

static unsigned follow_call(struct annotate_screen *s, uint32_t line, const struct ptui_line *l)
{
	struct ptui_function callee;

	if (ptui_annotation_callee(s->model->code->annotation, line, s->opts.profile, &callee))
		return annotate_open_callee(s, &callee);
	if (l->target_symbol)
		return stack_say(s->stack, ROLE_NOTE,
				 _("Cannot follow the call: %s is in no DSO that has samples."),
				 l->target_symbol);
	return stack_note(s->stack,
			  _("Cannot follow the call: its target is only known at run time."));
}

/* Jumps are followed within the function, others lead to another one. */
static unsigned follow(struct annotate_screen *s)
{
	uint32_t line = annotate_cursor(s);
	const struct ptui_line *l = line == PTUI_NONE ?
					    NULL :
					    ptui_annotation_line(s->model->code->annotation, line);

	if (!l)
		return WISH_NONE;
	if (l->kind != PTUI_LINE_CODE || l->flow == PTUI_FLOW_NEXT)
		return stack_note(s->stack, _("There is no jump, call or return on this line."));
	if (l->flow == PTUI_FLOW_RETURN)
		return WISH_POP;
	if (l->target_line != PTUI_NONE)
		return go_to(s, l->target_line);
	return follow_call(s, line, l);
}

/* ---- the look ---- */

/* What the request has changed, for a message; NULL: the screen shows it. */
static const char *changed_text(const struct annotate_look *l, enum request req)
{
	static const char *const offsets[N_ANNOTATE_OFFSETS] = {
		[ANNOTATE_AT_TARGETS] = N_("Offsets of jump targets are shown."),
		[ANNOTATE_AT_CALLS] = N_("Offsets of jump targets and calls are shown."),
		[ANNOTATE_AT_ALL] = N_("Offsets of all instructions are shown."),
	};
	static const char *const arrows[N_ANNOTATE_ARROWS] = {
		[ANNOTATE_ONE_ARROW] = N_("The jumps of the line under the cursor are drawn."),
		[ANNOTATE_ALL_ARROWS] = N_("All jumps are drawn, as far as there is room."),
		[ANNOTATE_NO_ARROWS] = N_("No jumps are drawn."),
	};
	static const char *const cycles[N_ANNOTATE_CYCLES] = {
		[ANNOTATE_CYCLES] = N_("Mean cycles up to each branch are shown."),
		[ANNOTATE_CYCLES_RANGE] = N_("Mean, minimum and maximum cycles are shown."),
		[ANNOTATE_NO_CYCLES] = N_("Cycles are hidden."),
	};

	return req == REQ_CODE_OFFSETS && l->places == ANNOTATE_OFFSETS ? _(offsets[l->offsets]) :
	       req == REQ_JUMP_ARROWS					? _(arrows[l->arrows]) :
	       req == REQ_CODE_CYCLES					? _(cycles[l->cycles]) :
									  NULL;
}

/* The next value. False: not a request of the look. */
static bool change_look(struct annotate_look *l, enum request req)
{
	const struct {
		enum request req;
		unsigned *value, n;
	} all[] = {
		{ REQ_SOURCE_LINES, &l->no_source, 2 },
		{ REQ_LINE_NUMBERS, &l->line_numbers, 2 },
		{ REQ_SOURCE_PATHS, &l->paths, 2 },
		{ REQ_CODE_ADDRESSES, &l->places, N_ANNOTATE_PLACES },
		{ REQ_CODE_OFFSETS, &l->offsets, N_ANNOTATE_OFFSETS },
		{ REQ_FULL_ADDRESSES, &l->full_addresses, 2 },
		{ REQ_JUMP_ARROWS, &l->arrows, N_ANNOTATE_ARROWS },
		{ REQ_JUMP_SOURCES, &l->jump_counts, 2 },
		{ REQ_CODE_NUMBERS, &l->numbers, N_ANNOTATE_NUMBERS },
		{ REQ_CODE_CYCLES, &l->cycles, N_ANNOTATE_CYCLES },
		{ REQ_PERCENT_TYPE, &l->global, 2 },
		{ REQ_PERCENT_BASE, &l->by_samples, 2 },
	};

	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		if (all[i].req != req)
			continue;
		*all[i].value = (*all[i].value + 1) % all[i].n;
		return true;
	}
	return false;
}

/* Why a change has no effect; NULL: it has. */
static const char *no_effect(const struct annotate_screen *s, enum request req)
{
	const struct ptui_annotation_info *info = ptui_annotation_info(s->model->code->annotation);
	bool source = req == REQ_SOURCE_LINES || req == REQ_LINE_NUMBERS || req == REQ_SOURCE_PATHS;
	bool jumps = req == REQ_JUMP_ARROWS || req == REQ_JUMP_SOURCES;

	if (source && !info->n_source)
		return info->no_source ? info->no_source : _("There are no source lines.");
	if (jumps && !s->model->code->jumps.n)
		return _("There are no jumps within this function.");
	if (req == REQ_CODE_CYCLES && !ptui_counts_cycles(s->model->counts).branches)
		return _(
			"No branch stack with cycles has a branch of this function (record with -b).");
	return NULL;
}

static unsigned look_request(struct annotate_screen *s, enum request req)
{
	struct annotate_look look = s->model->look;
	const char *why = no_effect(s, req);

	if (!change_look(&look, req))
		return WISH_PASS;
	if (why)
		return stack_note(s->stack, why);
	if (annotate_set_look(s->model, &look))
		return stack_no_memory(s->stack);
	if (changed_text(&look, req))
		stack_note(s->stack, changed_text(&look, req));
	s->columns_w = 0;
	return WISH_RECALC;
}

/* ---- other requests ---- */

static unsigned print(struct annotate_screen *s)
{
	char name[256];
	size_t n = (size_t)snprintf(name, sizeof(name), "%.200s.annotation", s->function.symbol);

	for (size_t i = 0; i < n; i++)
		if (name[i] == '/' || (unsigned char)name[i] < ' ' || (!i && name[i] == '.'))
			name[i] = '_';
	print_file(s->stack, name, annotate_put, s);
	return WISH_REDRAW;
}

/* As far as `ptui annotate` has options for it. False: it has none for some of it. */
static bool line_filter(const struct rows_only *only, char cpu[16], struct ptui_hist_filter *ret)
{
	const struct ptui_hist_filter all = rows_only_filter(only);

	/* what was zoomed into is in the lists */
	*ret = (struct ptui_hist_filter){
		.comm = all.comm,
		.comms = all.comm ? NULL : all.comms,
		.by_thread = all.by_thread,
		.tid = all.tid,
		.pids = all.pids,
		.tids = all.by_thread ? NULL : all.tids,
		.cpus = all.by_cpu ? cpu : all.cpus,
		.times = all.times,
	};
	snprintf(cpu, 16, "%u", (unsigned)all.cpu);
	return !all.by_socket && !all.has_parent && !all.resolved && !all.cgroups && !all.stack &&
	       !all.fields;
}

static unsigned copy_line(struct annotate_screen *s)
{
	struct words words = WORDS_INIT;
	struct ptui_hist_filter filter;
	char cpu[16];

	if (!s->opts.path)
		return stack_note(s->stack, _("These samples are in no file."));
	if (!line_filter(&s->opts.only, cpu, &filter))
		return stack_note(s->stack,
				  _("ptui annotate has no options for the filter of this list."));
	words_add(&words, "ptui");
	words_add(&words, "annotate");
	if (strcmp(s->opts.path, "perf.data") != 0)
		words_add_option(&words, "-i", s->opts.path);
	report_line_filter(&filter, false, &words);
	if (!strncmp(s->function.symbol, "0x", 2)) /* a range of addresses */
		words_add(&words, "--unnamed-functions");
	words_add(&words, s->function.symbol);
	return copy_command(s->stack, &words);
}

/* An instruction at its offset, a line of source code as such; the name of a function at its entry. */
static unsigned probe_line(struct annotate_screen *s)
{
	const struct ptui_annotation *a = s->model->code->annotation;
	uint32_t line = annotate_cursor(s);
	const struct ptui_line *l = line == PTUI_NONE ? NULL : ptui_annotation_line(a, line);
	struct probe_opts opts = {
		.where = s->opts.where,
		.function = &s->function,
		.then = s->opts.probe_then,
	};

	if (l && l->kind == PTUI_LINE_CODE)
		opts.offset = l->addr - ptui_annotation_info(a)->start;
	if (l && l->kind == PTUI_LINE_SOURCE) {
		opts.source = l->path;
		opts.line = l->line;
	}
	return probe_open(s->stack, &opts);
}

static const enum request menu_requests[] = { REQ_FOLLOW,	REQ_PROBE,
					      REQ_HOTTEST,	REQ_NEXT_HOT,
					      REQ_PREV_HOT,	REQ_SEARCH,
					      REQ_SOURCE_LINES, REQ_LINE_NUMBERS,
					      REQ_SOURCE_PATHS, REQ_CODE_NUMBERS,
					      REQ_CODE_CYCLES,	REQ_PERCENT_TYPE,
					      REQ_PERCENT_BASE, REQ_CODE_ADDRESSES,
					      REQ_CODE_OFFSETS, REQ_FULL_ADDRESSES,
					      REQ_JUMP_ARROWS,	REQ_JUMP_SOURCES,
					      REQ_COPY_ROW,	REQ_COPY_COMMAND,
					      REQ_PRINT_CODE,	REQ_NONE };

static const char *menu_title(void *self)
{
	return ((struct annotate_screen *)self)->function.symbol;
}

static bool can(void *self, enum request req)
{
	const struct annotate_screen *s = self;

	if (s->model && req == REQ_PROBE)
		return s->opts.probe_then.added;
	return s->model ? !no_effect(s, req) : stack_answers(req);
}

static unsigned request(void *self, enum request req)
{
	struct annotate_screen *s = self;
	char text[TEXT_SIZE];
	unsigned wishes;

	if (!s->model) /* nothing to act on, but the way back */
		return req == REQ_LEFT_OR_RETURN ? WISH_POP : can(s, req) ? WISH_PASS : WISH_NONE;
	wishes = look_request(s, req);
	if (!(wishes & WISH_PASS))
		return wishes;
	switch (req) {
	case REQ_FOLLOW:
		return follow(s);
	case REQ_PROBE:
		return probe_line(s);
	case REQ_HOTTEST:
		return go_to_hot(s, annotate_hottest(s->model));
	case REQ_NEXT_HOT:
		return go_to_hot(s, annotate_next_hot(s->model, annotate_cursor(s), 1));
	case REQ_PREV_HOT:
		return go_to_hot(s, annotate_next_hot(s->model, annotate_cursor(s), -1));
	case REQ_LEFT_OR_RETURN:
		return s->table.skip ? table_request(&s->table, REQ_LEFT) : WISH_POP;
	case REQ_COPY_ROW:
		return copy_text(s->stack, annotate_row_text(s, text, sizeof(text)));
	case REQ_COPY_COMMAND:
		return copy_line(s);
	case REQ_PRINT_CODE:
		return print(s);
	default:
		return WISH_PASS;
	}
}

/* ---- the screen ---- */

static void close_screen(void *self)
{
	struct annotate_screen *s = self;

	worker_abandon(&s->reading);
	worker_abandon(&s->counting);
	loop_remove(stack_loop(s->stack), s->timer);
	find_release(&s->find);
	annotate_free(s->model);
	ptui_profile_unref(s->opts.profile);
	words_release(&s->texts);
	free(s);
}

static const enum request hints[] = { REQ_FOLLOW,	REQ_HOTTEST,	  REQ_NEXT_HOT,
				      REQ_SOURCE_LINES, REQ_CODE_NUMBERS, REQ_CODE_ADDRESSES,
				      REQ_JUMP_ARROWS,	REQ_SEARCH,	  REQ_MENU,
				      REQ_HELP,		REQ_BACK,	  REQ_NONE };

static const struct screen_ops screen = {
	.title = N_("Annotate"),
	.keymap = KEYMAP_ANNOTATE,
	.hints = hints,
	.head = annotate_head,
	.draw = annotate_draw,
	.menu = menu_requests,
	.menu_title = menu_title,
	.request = request,
	.can = can,
	.table = offsetof(struct annotate_screen, table),
	.find = offsetof(struct annotate_screen, find),
	.opens = REQ_FOLLOW,
	.close = close_screen,
};

static const struct box boxes[ANNOTATE_BOXES] = {
	[ANNOTATE_INFO] = { .size = 1, .hide = 2 },
	[ANNOTATE_BODY] = { .size = 6, .fill = true },
	[ANNOTATE_RULE] = { .size = 1, .hide = 3 },
	[ANNOTATE_NOTE] = { .size = 1, .hide = 1 },
};

/* NULL: out of memory. */
static struct annotate_screen *screen_new(struct stack *stack, const struct annotate_opts *opts)
{
	struct annotate_screen *s = calloc(1, sizeof(*s));

	if (!s)
		return NULL;
	s->stack = stack;
	memcpy(s->boxes, boxes, sizeof(boxes));
	table_init(&s->table, &annotate_rows, s);
	find_init_table(&s->find, stack, &s->table);
	s->find.in_slices = true;
	s->opts = *opts;
	s->opts.profile = ptui_profile_ref(opts->profile);
	s->opts.where = words_keep(&s->texts, opts->where);
	s->opts.path = words_keep(&s->texts, opts->path);
	s->opts.symbol = words_keep(&s->texts, opts->symbol);
	if (opts->function)
		s->function = annotate_function_copy(opts->function, &s->texts);
	if (!s->texts.failed)
		return s;
	close_screen(s);
	return NULL;
}

unsigned annotate_open(struct stack *stack, const struct annotate_opts *opts)
{
	struct annotate_screen *s = screen_new(stack, opts);
	struct ptui_error err = PTUI_ERROR_INIT;

	if (!s || stack_push(stack, &screen, s))
		return stack_no_memory(stack);
	if (opts->newest)
		s->timer = loop_every(stack_loop(stack), NEWEST_MS, annotate_refresh, s);
	if (annotate_read(s, &err))
		s->err = err;
	return WISH_REDRAW;
}

unsigned annotate_open_callee(struct annotate_screen *s, const struct ptui_function *f)
{
	char where[TEXT_SIZE];
	struct annotate_opts opts = s->opts;

	opts.where = where;
	opts.function = f;
	opts.symbol = NULL;
	snprintf(where, sizeof(where), "%s › %s", s->opts.where, s->function.symbol);
	return annotate_open(s->stack, &opts);
}
