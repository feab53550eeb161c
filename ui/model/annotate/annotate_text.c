/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdio.h>
#include <string.h>

#include "model/annotate/annotate_private.h"
#include "text/grouped.h"
#include "text/i18n.h"
#include "text/names.h"
#include "text/strings.h"
#include "text/utf8.h"

#define TAB_COLUMNS   4
#define MNEMONIC_MIN  6	 /* as objdump pads it */
#define PERCENT_WIDTH 6	 /* "100.00" */
#define NAME_WIDTH    10 /* of an event */
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
	*ret_percent = annotate_percent(a, line, column);
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

int annotate_ipc_width(const struct annotate *a)
{
	return shows_cycles(a) ? IPC_WIDTH : 0;
}

int annotate_cycles_width(const struct annotate *a)
{
	return !shows_cycles(a)			       ? 0 :
	       a->look.cycles == ANNOTATE_CYCLES_RANGE ? RANGE_WIDTH :
							 CYCLES_WIDTH;
}

const char *annotate_ipc(const struct annotate *a, uint32_t line, char *buf, size_t size)
{
	double ipc = ptui_counts_line_cycles(a->counts, line).ipc;

	*buf = '\0';
	if (ipc > 0)
		snprintf(buf, size, "%.2f", ipc);
	return buf;
}

const char *annotate_cycles_text(const struct annotate *a, uint32_t line, char *buf, size_t size)
{
	struct ptui_line_cycles c = ptui_counts_line_cycles(a->counts, line);
	unsigned long long mean = c.branches ? c.sum / c.branches : 0;

	*buf = '\0';
	if (c.sum && a->look.cycles == ANNOTATE_CYCLES_RANGE)
		snprintf(buf, size, "%llu (%u/%u)", mean, c.min, c.max);
	else if (c.sum)
		snprintf(buf, size, "%llu", mean);
	return buf;
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

const char *annotate_label(const struct annotate *a, uint32_t line, char *buf, size_t size)
{
	const struct ptui_line *l = annotate_line(a, line);

	*buf = '\0';
	if (l->kind == PTUI_LINE_CODE && has_label(a, line, l))
		snprintf(buf, size, "%llx:", (unsigned long long)shown_address(a, l->addr));
	else if (l->kind == PTUI_LINE_SOURCE && a->look.line_numbers && l->line)
		snprintf(buf, size, "%u", l->line);
	return buf;
}

int annotate_label_width(const struct annotate *a)
{
	const struct ptui_annotation_info *info = info_of(a);
	int width = snprintf(NULL, 0, "%llx:",
			     (unsigned long long)shown_address(a, info->end ? info->end - 1 : 0));

	return a->look.line_numbers && width < 6 ? 6 : width;
}

const char *annotate_jump_count(const struct annotate *a, uint32_t line, char *buf, size_t size)
{
	unsigned n = a->look.jump_counts ? annotate_jumps_to(&a->code->jumps, line) : 0;

	*buf = '\0';
	if (n)
		snprintf(buf, size, "%u", n);
	return buf;
}

int annotate_jump_count_width(const struct annotate *a)
{
	return a->look.jump_counts ? a->code->jump_count_width : 0;
}

const char *annotate_bytes(const struct annotate *a, uint32_t line, char *buf, size_t size)
{
	const struct ptui_line *l = annotate_line(a, line);

	*buf = '\0';
	for (uint32_t i = 0; l->kind == PTUI_LINE_CODE && i < l->n_bytes; i++)
		text_join(buf, size, " ", "%02x", l->bytes[i]);
	return buf;
}

int annotate_bytes_width(const struct annotate *a)
{
	return a->look.places == ANNOTATE_BYTES ? a->code->bytes_width : 0;
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

const char *annotate_text(const struct annotate *a, uint32_t line, char *buf, size_t size)
{
	const struct ptui_line *l = annotate_line(a, line);
	const char *symbol = ptui_annotation_function(a->code->annotation)->symbol;
	char name[TEXT_SIZE];

	*buf = '\0';
	switch (l->kind) {
	case PTUI_LINE_CODE:
		code_text(a, line, l, buf, size);
		return buf;
	case PTUI_LINE_FUNCTION:
		snprintf(buf, size,
			 symbol && !strcmp(symbol, l->text) ? "%s():" : _("%s() (inlined):"),
			 shown_name(a, l->text, name, sizeof(name)));
		return buf;
	default:
		if (a->look.paths && l->path)
			snprintf(buf, size, "%s:%u  ", l->path, l->line);
		source_text(l->text, buf, size);
		return buf;
	}
}

const char *annotate_arrows_text(const struct annotate *a, uint32_t line, uint32_t cursor,
				 char buf[ANNOTATE_ARROW_MAX])
{
	*buf = '\0';
	if (a->look.arrows == ANNOTATE_ALL_ARROWS && a->code->jumps.n)
		return annotate_jumps_all(&a->code->jumps, line, buf);
	if (a->look.arrows == ANNOTATE_ONE_ARROW && a->code->jumps.n)
		return annotate_jumps_one(&a->code->jumps, line, cursor, buf);
	return buf;
}

int annotate_arrows_width(const struct annotate *a)
{
	if (!a->code->jumps.n || a->look.arrows == ANNOTATE_NO_ARROWS)
		return 0;
	return a->look.arrows == ANNOTATE_ALL_ARROWS ? (int)a->code->jumps.lanes + 2 : 3;
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

	return utf8_find(annotate_text(a, line, buf, sizeof(buf)), text, &bytes) ||
	       utf8_find(annotate_label(a, line, buf, sizeof(buf)), text, &bytes);
}
