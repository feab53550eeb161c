/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "model/annotate/annotate.h"
#include "text/grouped.h"
#include "text/i18n.h"
#include "text/strings.h"
#include "text/utf8.h"

/* ---- code ---- */

/* The jumps within the function, malloc()ed; NULL: out of memory. */
static struct annotate_jump *find_jumps(const struct ptui_annotation *a, size_t *ret_n)
{
	size_t n = ptui_annotation_n_lines(a);
	struct annotate_jump *jumps = calloc(n + 1, sizeof(*jumps));

	*ret_n = 0;
	for (uint32_t i = 0; jumps && i < n; i++) {
		const struct ptui_line *l = ptui_annotation_line(a, i);

		if (l->kind == PTUI_LINE_CODE && l->target_line != PTUI_NONE &&
		    (l->flow == PTUI_FLOW_JUMP || l->flow == PTUI_FLOW_BRANCH))
			jumps[(*ret_n)++] = (struct annotate_jump){ i, l->target_line };
	}
	return jumps;
}

static void measure_code(struct annotate_code *c)
{
	size_t n = ptui_annotation_n_lines(c->annotation);
	uint32_t bytes = 0;
	unsigned jumps = 0;

	for (uint32_t i = 0; i < n; i++) {
		const struct ptui_line *l = ptui_annotation_line(c->annotation, i);

		if (l->kind == PTUI_LINE_CODE && l->n_bytes > bytes)
			bytes = l->n_bytes;
	}
	for (size_t i = 0; i < c->jumps.n; i++)
		if (c->jumps.arrows[i].n > jumps)
			jumps = c->jumps.arrows[i].n;
	c->bytes_width = bytes ? 3 * (int)bytes - 1 : 0;
	c->jump_count_width = jumps ? snprintf(NULL, 0, "%u", jumps) : 0;
}

struct annotate_code *annotate_code_new(struct ptui_annotation *a)
{
	struct annotate_code *c = calloc(1, sizeof(*c));
	struct annotate_jump *jumps;
	size_t n;

	if (!c) {
		ptui_annotation_free(a);
		return NULL;
	}
	atomic_init(&c->refs, 1);
	c->annotation = a;
	jumps = find_jumps(a, &n);
	if (!jumps || annotate_jumps_init(&c->jumps, jumps, n)) {
		annotate_code_unref(c);
		return NULL;
	}
	measure_code(c);
	return c;
}

struct annotate_code *annotate_code_ref(struct annotate_code *c)
{
	atomic_fetch_add_explicit(&c->refs, 1, memory_order_relaxed);
	return c;
}

void annotate_code_unref(struct annotate_code *c)
{
	if (!c || atomic_fetch_sub_explicit(&c->refs, 1, memory_order_acq_rel) != 1)
		return;
	annotate_jumps_release(&c->jumps);
	ptui_annotation_free(c->annotation);
	free(c);
}

/* ---- rows ---- */

static const struct ptui_line *annotate_line(const struct annotate *a, uint32_t line)
{
	return ptui_annotation_line(a->code->annotation, line);
}

static bool is_shown(const struct ptui_line *l, const struct annotate_look *look)
{
	if (l->kind == PTUI_LINE_CODE)
		return true;
	return !look->no_source && (!l->no_text || look->line_numbers);
}

/* NULL: out of memory. */
static uint32_t *make_rows(const struct annotate *a, const struct annotate_look *look,
			   size_t *ret_n)
{
	size_t n = ptui_annotation_n_lines(a->code->annotation);
	uint32_t *rows = malloc((n + 1) * sizeof(*rows));

	*ret_n = 0;
	for (uint32_t i = 0; rows && i < n; i++)
		if (is_shown(annotate_line(a, i), look))
			rows[(*ret_n)++] = i;
	return rows;
}

static void set_events(struct annotate *a, const struct annotate_event *events, size_t n)
{
	a->n_events = n < ANNOTATE_EVENTS_MAX ? n : ANNOTATE_EVENTS_MAX;
	for (size_t i = 0; i < a->n_events; i++)
		a->events[i] = events[i];
}

struct annotate *annotate_new(struct annotate_code *code, struct ptui_annotate_counts *counts,
			      const struct annotate_event *events, size_t n_events)
{
	struct annotate *a = calloc(1, sizeof(*a));

	if (!a) {
		ptui_annotate_counts_free(counts);
		return NULL;
	}
	a->code = annotate_code_ref(code);
	a->counts = counts;
	set_events(a, events, n_events);
	a->rows = make_rows(a, &a->look, &a->n_rows);
	if (a->rows)
		return a;
	annotate_free(a);
	return NULL;
}

void annotate_free(struct annotate *a)
{
	if (!a)
		return;
	annotate_code_unref(a->code);
	ptui_annotate_counts_free(a->counts);
	free(a->rows);
	free(a);
}

void annotate_set_counts(struct annotate *a, struct ptui_annotate_counts *counts,
			 const struct annotate_event *events, size_t n_events)
{
	ptui_annotate_counts_free(a->counts);
	a->counts = counts;
	set_events(a, events, n_events);
}

int annotate_set_look(struct annotate *a, const struct annotate_look *look)
{
	uint32_t *rows;
	size_t n;

	if (look->no_source != a->look.no_source || look->line_numbers != a->look.line_numbers) {
		rows = make_rows(a, look, &n);
		if (!rows)
			return -ENOMEM;
		free(a->rows);
		a->rows = rows;
		a->n_rows = n;
	}
	a->look = *look;
	return 0;
}

uint32_t annotate_line_of(const struct annotate *a, size_t row)
{
	return row < a->n_rows ? a->rows[row] : PTUI_NONE;
}

size_t annotate_row_of(const struct annotate *a, uint32_t line)
{
	size_t row = bisect(i, a->n_rows, a->rows[i] < line);

	return row < a->n_rows ? row : a->n_rows ? a->n_rows - 1 : 0;
}

uint32_t annotate_first_code(const struct annotate *a)
{
	for (size_t i = 0; i < a->n_rows; i++)
		if (annotate_line(a, a->rows[i])->kind == PTUI_LINE_CODE)
			return a->rows[i];
	return PTUI_NONE;
}

/* ---- events ---- */

/*
 * A newer profile has all events of the older one; a broken file may have none, and the counts have
 * nothing of PTUI_NONE.
 */
static uint32_t event_of(const struct annotate *a, size_t column)
{
	return column < a->n_events ? a->events[column].event : PTUI_NONE;
}

struct ptui_annotate_count annotate_local(const struct annotate *a, size_t column)
{
	return ptui_counts_local(a->counts, event_of(a, column));
}

struct ptui_annotate_count annotate_global(const struct annotate *a, size_t column)
{
	return ptui_counts_global(a->counts, event_of(a, column));
}

static struct ptui_annotate_count annotate_count(const struct annotate *a, uint32_t line,
						 size_t column)
{
	return ptui_counts_line(a->counts, event_of(a, column), line);
}

static enum ptui_percent_type percent_type(const struct annotate_look *l)
{
	if (l->global)
		return l->by_samples ? PTUI_PERCENT_GLOBAL_HITS : PTUI_PERCENT_GLOBAL_PERIOD;
	return l->by_samples ? PTUI_PERCENT_LOCAL_HITS : PTUI_PERCENT_LOCAL_PERIOD;
}

const char *annotate_percent_type(const struct annotate *a)
{
	static const char *const texts[] = {
		[PTUI_PERCENT_LOCAL_PERIOD] = N_("local period"),
		[PTUI_PERCENT_LOCAL_HITS] = N_("local samples"),
		[PTUI_PERCENT_GLOBAL_PERIOD] = N_("global period"),
		[PTUI_PERCENT_GLOBAL_HITS] = N_("global samples"),
	};

	return _(texts[percent_type(&a->look)]);
}

/* ---- moving ---- */

/* Of the first column that has samples here; sorted, the hottest first. */
static const uint32_t *hot_lines(const struct annotate *a, size_t *ret_n)
{
	const uint32_t *lines = NULL;

	*ret_n = 0;
	for (size_t i = 0; i < a->n_events && !*ret_n; i++)
		lines = ptui_counts_hottest(a->counts, a->events[i].event, a->look.by_samples,
					    ret_n);
	return lines;
}

uint32_t annotate_hottest(const struct annotate *a)
{
	size_t n;
	const uint32_t *lines = hot_lines(a, &n);

	return n ? lines[0] : PTUI_NONE;
}

uint32_t annotate_next_hot(const struct annotate *a, uint32_t line, int direction)
{
	size_t n, i = 0;
	const uint32_t *lines = hot_lines(a, &n);

	while (i < n && lines[i] != line)
		i++;
	if (i == n)
		return n ? lines[0] : PTUI_NONE;
	return lines[direction > 0 ? (i + 1) % n : (i + n - 1) % n];
}

#define TAB_COLUMNS   4
#define MNEMONIC_MIN  6	 /* as objdump pads it */
#define PERCENT_WIDTH 6	 /* "100.00" */
#define NAME_WIDTH    10 /* of an event */
#define CODE_WIDTH    20 /* at least */
#define IPC_WIDTH     5
#define CYCLES_WIDTH  6
#define RANGE_WIDTH   19 /* as perf has it: "24 (12/80)" */
#define NAME_COLUMNS  56 /* of an inlined function; with paths, names are whole */
#define TEXT_SIZE     1024

/* ---- numbers ---- */

const char *annotate_number(const struct annotate *a, uint32_t line, size_t column, char *buf,
			    size_t size, double *ret_percent)
{
	struct ptui_annotate_count count = annotate_count(a, line, column);
	bool any = false;

	*buf = '\0';
	*ret_percent = 0;
	for (size_t i = 0; i < a->n_events; i++)
		any |= annotate_count(a, line, i).samples;
	if (!any)
		return buf;
	*ret_percent = ptui_counts_percent(a->counts, event_of(a, column), line,
					   percent_type(&a->look));
	if (a->look.numbers == ANNOTATE_PERCENT)
		snprintf(buf, size, "%.2f", *ret_percent);
	else
		snprintf(buf, size, "%s",
			 grouped(a->look.numbers == ANNOTATE_PERIOD ? count.period : count.samples)
				 .text);
	return buf;
}

const char *annotate_column_title(const struct annotate *a, size_t column)
{
	return a->n_events > 1 ? a->events[column].name : annotate_number_title(a);
}

int annotate_number_width(const struct annotate *a, size_t column)
{
	struct ptui_annotate_count most = annotate_local(a, column);
	uint64_t n = a->look.numbers == ANNOTATE_PERIOD ? most.period : most.samples;
	int width = PERCENT_WIDTH, title = utf8_width(annotate_column_title(a, column));

	if (a->look.numbers != ANNOTATE_PERCENT)
		width = utf8_widest(width, grouped(n).text);
	if (title > NAME_WIDTH)
		title = NAME_WIDTH;
	return title > width ? title : width;
}

const char *annotate_number_title(const struct annotate *a)
{
	static const char *const titles[N_ANNOTATE_NUMBERS] = {
		[ANNOTATE_PERCENT] = N_("Percent"),
		[ANNOTATE_PERIOD] = N_("Period"),
		[ANNOTATE_SAMPLES] = N_("Samples"),
	};

	return _(titles[a->look.numbers]);
}

/* ---- cycles ---- */

static bool shows_cycles(const struct annotate *a)
{
	return a->look.cycles != ANNOTATE_NO_CYCLES && ptui_counts_cycles(a->counts).branches;
}

static void cycles_text(const struct annotate *a, uint32_t line, char *buf, size_t size)
{
	struct ptui_line_cycles c = ptui_counts_line_cycles(a->counts, line);
	unsigned long long mean = c.branches ? c.sum / c.branches : 0;

	if (c.sum && a->look.cycles == ANNOTATE_CYCLES_RANGE)
		snprintf(buf, size, "%llu (%u/%u)", mean, c.min, c.max);
	else if (c.sum)
		snprintf(buf, size, "%llu", mean);
}

const char *annotate_ipc_summary(const struct annotate *a, char *buf, size_t size)
{
	struct ptui_function_cycles c = ptui_counts_cycles(a->counts);

	*buf = '\0';
	if (!shows_cycles(a))
		return buf;
	if (c.ipc > 0)
		snprintf(buf, size, _("IPC %.2f for %.0f%% of the code"), c.ipc, c.coverage);
	else
		snprintf(buf, size, "%s", _("IPC unknown"));
	return buf;
}

/* ---- addresses ---- */

static const struct ptui_annotation_info *info_of(const struct annotate *a)
{
	return ptui_annotation_info(a->code->annotation);
}

static uint64_t shown_address(const struct annotate *a, uint64_t addr)
{
	return a->look.places == ANNOTATE_OFFSETS && !a->look.full_addresses ?
		       addr - info_of(a)->start :
		       addr;
}

static bool has_label(const struct annotate *a, uint32_t line, const struct ptui_line *l)
{
	if (a->look.places != ANNOTATE_OFFSETS || a->look.offsets == ANNOTATE_AT_ALL)
		return true;
	return annotate_jumps_to(&a->code->jumps, line) ||
	       (a->look.offsets == ANNOTATE_AT_CALLS && l->flow == PTUI_FLOW_CALL);
}

static void label_text(const struct annotate *a, uint32_t line, char *buf, size_t size)
{
	const struct ptui_line *l = annotate_line(a, line);

	if (l->kind == PTUI_LINE_CODE && has_label(a, line, l))
		snprintf(buf, size, "%llx:", (unsigned long long)shown_address(a, l->addr));
	else if (l->kind == PTUI_LINE_SOURCE && a->look.line_numbers && l->line)
		snprintf(buf, size, "%u", l->line);
}

static int label_width(const struct annotate *a)
{
	const struct ptui_annotation_info *info = info_of(a);
	int width = snprintf(NULL, 0, "%llx:",
			     (unsigned long long)shown_address(a, info->end ? info->end - 1 : 0));

	return a->look.line_numbers && width < 6 ? 6 : width;
}

/* ---- code and source ---- */

/* The direction in which control leaves. */
static const char *flow_mark(const struct ptui_line *l, uint32_t line)
{
	bool jumps = l->flow == PTUI_FLOW_JUMP || l->flow == PTUI_FLOW_BRANCH;

	if (l->flow == PTUI_FLOW_RETURN)
		return "← ";
	if (l->flow == PTUI_FLOW_CALL)
		return "→ ";
	if (jumps && l->has_target)
		return l->target_line == PTUI_NONE ? "→ " : l->target_line > line ? "↓ " : "↑ ";
	return "  ";
}

/* "jmp    38", "call   leaf": only what leads somewhere is shortened. */
static void code_text(const struct annotate *a, uint32_t line, const struct ptui_line *l, char *buf,
		      size_t size)
{
	const char *mark = flow_mark(l, line);
	int mnemonic = (int)l->mnemonic;

	if (a->look.places != ANNOTATE_OFFSETS || !l->has_target || l->flow == PTUI_FLOW_NEXT)
		snprintf(buf, size, "%s%s", mark, l->text);
	else if (l->target_line != PTUI_NONE)
		snprintf(buf, size, "%s%-*.*s %llx", mark, MNEMONIC_MIN, mnemonic, l->text,
			 (unsigned long long)shown_address(a, l->target));
	else if (l->target_symbol && l->target_offset)
		snprintf(buf, size, "%s%-*.*s %s+0x%llx", mark, MNEMONIC_MIN, mnemonic, l->text,
			 l->target_symbol, (unsigned long long)l->target_offset);
	else if (l->target_symbol)
		snprintf(buf, size, "%s%-*.*s %s", mark, MNEMONIC_MIN, mnemonic, l->text,
			 l->target_symbol);
	else
		snprintf(buf, size, "%s%s", mark, l->text);
}

/* Copies, and expands tabs. */
static void source_text(const char *text, char *buf, size_t size)
{
	size_t n = strlen(buf);
	int column = 0;

	for (; *text && n + TAB_COLUMNS < size; text++) {
		if (*text != '\t') {
			buf[n++] = *text;
			column += ((unsigned char)*text & 0xc0) != 0x80;
			continue;
		}
		do
			buf[n++] = ' ';
		while (++column % TAB_COLUMNS);
	}
	while (n && (buf[n - 1] == '\r' || buf[n - 1] == ' '))
		n--;
	buf[n] = '\0';
}

static const char *shown_name(const struct annotate *a, const char *name, char *buf, size_t size)
{
	return a->look.paths ? name : name_short(name, NAME_COLUMNS, buf, size);
}

static void line_text(const struct annotate *a, uint32_t line, char *buf, size_t size)
{
	const struct ptui_line *l = annotate_line(a, line);
	const char *symbol = ptui_annotation_function(a->code->annotation)->symbol;
	char name[TEXT_SIZE];

	switch (l->kind) {
	case PTUI_LINE_CODE:
		code_text(a, line, l, buf, size);
		return;
	case PTUI_LINE_FUNCTION:
		snprintf(buf, size,
			 symbol && !strcmp(symbol, l->text) ? "%s():" : _("%s() (inlined):"),
			 shown_name(a, l->text, name, sizeof(name)));
		return;
	default:
		if (a->look.paths && l->path)
			snprintf(buf, size, "%s:%u  ", l->path, l->line);
		source_text(l->text, buf, size);
	}
}

const char *annotate_place(const struct annotate *a, enum annotate_place place, uint32_t line,
			   uint32_t cursor, char *buf, size_t size)
{
	const struct ptui_line *l = annotate_line(a, line);
	unsigned jumps = annotate_jumps_to(&a->code->jumps, line);

	*buf = '\0';
	switch (place) {
	case PLACE_IPC:
		if (ptui_counts_line_cycles(a->counts, line).ipc > 0)
			snprintf(buf, size, "%.2f", ptui_counts_line_cycles(a->counts, line).ipc);
		break;
	case PLACE_CYCLES:
		cycles_text(a, line, buf, size);
		break;
	case PLACE_ARROWS:
		if (annotate_place_width(a, place))
			return a->look.arrows == ANNOTATE_ALL_ARROWS ?
				       annotate_jumps_all(&a->code->jumps, line, buf) :
				       annotate_jumps_one(&a->code->jumps, line, cursor, buf);
		break;
	case PLACE_COUNT:
		if (a->look.jump_counts && jumps)
			snprintf(buf, size, "%u", jumps);
		break;
	case PLACE_LABEL:
		label_text(a, line, buf, size);
		break;
	case PLACE_BYTES:
		for (uint32_t i = 0; l->kind == PTUI_LINE_CODE && i < l->n_bytes; i++)
			text_join(buf, size, " ", "%02x", l->bytes[i]);
		break;
	case PLACE_CODE:
	case N_PLACES:
		line_text(a, line, buf, size);
		break;
	}
	return buf;
}

int annotate_place_width(const struct annotate *a, enum annotate_place place)
{
	bool all = a->look.arrows == ANNOTATE_ALL_ARROWS;
	const int widths[N_PLACES] = {
		[PLACE_IPC] = shows_cycles(a) ? IPC_WIDTH : 0,
		[PLACE_CYCLES] = !shows_cycles(a)			 ? 0 :
				 a->look.cycles == ANNOTATE_CYCLES_RANGE ? RANGE_WIDTH :
									   CYCLES_WIDTH,
		[PLACE_ARROWS] = !a->code->jumps.n || a->look.arrows == ANNOTATE_NO_ARROWS ? 0 :
				 all ? (int)a->code->jumps.lanes + 2 :
				       3,
		[PLACE_COUNT] = a->look.jump_counts ? a->code->jump_count_width : 0,
		[PLACE_LABEL] = label_width(a),
		[PLACE_BYTES] = a->look.places == ANNOTATE_BYTES ? a->code->bytes_width : 0,
		[PLACE_CODE] = CODE_WIDTH,
	};

	return widths[place];
}

const char *annotate_origin(const struct annotate *a, uint32_t line, char *buf, size_t size)
{
	const struct ptui_line *l = annotate_line(a, line);
	char name[TEXT_SIZE];

	*buf = '\0';
	if (l->path && l->line)
		snprintf(buf, size, "%s:%u", text_file_name(l->path), l->line);
	for (uint32_t i = 0; l->kind == PTUI_LINE_CODE && i < l->n_inlines; i++) {
		const char *of = ptui_annotation_inline(a->code->annotation, l->first_inline + i);

		text_join(buf, size, " · ", _("%s (inlined)"),
			  shown_name(a, of, name, sizeof(name)));
	}
	return buf;
}

bool annotate_matches(const struct annotate *a, uint32_t line, const char *text)
{
	char buf[TEXT_SIZE];
	size_t bytes;

	return utf8_find(annotate_place(a, PLACE_CODE, line, line, buf, sizeof(buf)), text,
			 &bytes) ||
	       utf8_find(annotate_place(a, PLACE_LABEL, line, line, buf, sizeof(buf)), text,
			 &bytes);
}
