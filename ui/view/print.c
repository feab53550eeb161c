/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "view/print.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "text/i18n.h"
#include "text/strings.h"
#include "text/utf8.h"

#define FILES_MAX 8192 /* as in perf */
#define INDENT	  3

static void print_failed(const char *path, struct ptui_error *err)
{
	ptui_error_set(err, PTUI_ERROR_SYSTEM, errno, path, _("cannot write %s: %s"), path,
		       strerror(errno));
}

FILE *print_create(const char *name, char *path, size_t size, struct ptui_error *err)
{
	FILE *out = NULL;
	int fd = -1;

	for (int i = 0; i < FILES_MAX && fd < 0; i++) {
		if (name && !i)
			snprintf(path, size, "%s", name);
		else
			snprintf(path, size, "%s.%d", name ? name : "perf.hist", i);
		fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
		if (fd < 0 && errno != EEXIST)
			break;
	}
	if (fd >= 0)
		out = fdopen(fd, "w");
	if (!out)
		print_failed(path, err);
	if (fd >= 0 && !out)
		close(fd);
	return out;
}

void print_close(FILE *out, const char *path, bool drop, struct ptui_error *err)
{
	bool failed = ferror(out);

	if (fclose(out) || failed)
		print_failed(path, err);
	if (drop || ptui_error_is_set(err))
		unlink(path);
}

unsigned print_report(struct stack *s, const char *path, bool dropped, const struct ptui_error *err)
{
	if (ptui_error_is_set(err))
		return stack_say(s, ROLE_BAD, "%s", err->text);
	if (dropped)
		return stack_note(s, _("Printing was stopped."));
	return stack_say(s, ROLE_GOOD, _("wrote %s"), path);
}

void print_file(struct stack *s, const char *name, void (*put)(void *ctx, FILE *out), void *ctx)
{
	struct ptui_error err = PTUI_ERROR_INIT;
	char path[288];
	FILE *out = print_create(name, path, sizeof(path), &err);

	if (out) {
		put(ctx, out);
		print_close(out, path, false, &err);
	}
	print_report(s, path, false, &err);
}

void print_text(FILE *out, const char *text)
{
	for (; *text; text++)
		fputc((unsigned char)*text < 0x20 || *text == 0x7f ? '?' : *text, out);
}

void print_cell(FILE *out, const struct table *t, size_t column, const char *text)
{
	const struct table_column *c = &t->columns[column];
	int fill = c->width - utf8_width(text);
	bool right = c->align == ALIGN_RIGHT;

	if (right && fill > 0)
		fprintf(out, "%*s", fill, "");
	print_text(out, text);
	if (!right && column + 1 < t->n_columns && fill > 0)
		fprintf(out, "%*s", fill, "");
}

/* Columns without a title are bars, which are not printed. */
static bool is_printed(const struct table *t, size_t column)
{
	return *t->columns[column].title;
}

void print_tree_titles(FILE *out, const struct tree *t)
{
	fputs(t->flat ? "# " : "#  ", out); /* above the signs, too */
	for (size_t k = 0; k < t->table.n_columns; k++) {
		if (!is_printed(&t->table, k))
			continue;
		fputs(k ? "  " : "", out);
		print_cell(out, &t->table, k, t->table.columns[k].title);
	}
	fputs("\n#\n", out);
}

static void put_deeper(FILE *out, const struct tree *t, uint64_t node)
{
	char buf[ROW_BYTES], head[128] = "";
	style_t style, head_style;
	const char *text = t->ops->label(t->ctx, node, buf, sizeof(buf), &style, head, sizeof(head),
					 &head_style);

	fprintf(out, " %s ", head);
	print_text(out, text);
	fputc('\n', out);
}

static void put_top(FILE *out, const struct tree *t, uint64_t node, print_cell_fn cell)
{
	char buf[ROW_BYTES];

	for (size_t k = 0; k < t->table.n_columns; k++) {
		style_t style = ROLE_TEXT;

		if (!is_printed(&t->table, k))
			continue;
		fputs("  ", out);
		print_cell(out, &t->table, k, cell(t->ctx, node, k, buf, sizeof(buf), &style));
	}
	fputc('\n', out);
}

void print_tree_row(FILE *out, const struct tree *t, size_t row, print_cell_fn cell)
{
	uint64_t node = tree_node(t, row);
	int depth = tree_depth(t, row);

	if (!t->flat)
		fprintf(out, "%*s%c", depth * INDENT, "",
			!t->ops->opens(t->ctx, node) ? ' ' :
			tree_is_open(t, node)	     ? '-' :
						       '+');
	if (depth)
		put_deeper(out, t, node);
	else
		put_top(out, t, node, cell);
}
