/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The Browser's messages: data quality, DSOs without symbols, the recording's header. */
#include <stdlib.h>

#include "model/browser/missing.h"
#include "text/i18n.h"
#include "text/strings.h"
#include "view/browser/browser_private.h"
#include "widget/popup.h"

static unsigned symbols_show(struct browser_screen *b)
{
	struct symbols_opts opts = { .where = text_file_name(b->name) };
	const struct rows *rows = b->view.rows;

	if (!rows)
		return stack_note(b->stack, _("counting…"));
	opts.path = browser_path(b);
	opts.list = missing_list_new(rows_hist(rows));
	symbols_open(b->stack, &opts);
	return WISH_REDRAW;
}

static unsigned remedy_chosen(void *ctx, enum trust_remedy remedy)
{
	return remedy == TRUST_RECORD_UNWOUND ? browser_record_again(ctx) : symbols_show(ctx);
}

static bool has_missing(const struct browser_screen *b)
{
	const struct rows *rows = b->view.rows;
	struct ptui_missing one;

	return rows && ptui_hist_missing(rows_hist(rows), &one, 1);
}

static unsigned trust_tell(struct browser_screen *b)
{
	bool unwinds = b->model->opts.record_again && trust_wants_unwinding(b->facts, b->n_facts);

	b->trust_show = (struct trust_show){
		.stack = b->stack,
		.map = KEYMAP_BROWSER,
		.req = { [TRUST_RECORD_UNWOUND] = unwinds ? REQ_RECORD_AGAIN : REQ_NONE,
			 [TRUST_LIST_SYMBOLS] = has_missing(b) ? REQ_MISSING : REQ_NONE },
		.chosen = remedy_chosen,
		.ctx = b,
	};
	return trust_show(&b->trust_show, b->facts, b->n_facts);
}

static unsigned header_show(struct browser_screen *b)
{
	struct ptui_error err = PTUI_ERROR_INIT;
	const char *header = ptui_profile_header(b->model->profile, true);
	char *text = header ? NULL : ptui_recording_header(b->name, true, &err);
	unsigned wishes;

	if (!header && !text)
		return rows_view_say_error(&b->view, &err);
	wishes = popup_message(b->stack, _("The recording"), header ? header : text);
	free(text);
	return wishes;
}

unsigned browser_ask(struct browser_screen *b, enum request req)
{
	switch (req) {
	case REQ_TRUST:
		return trust_tell(b);
	case REQ_MISSING:
		return symbols_show(b);
	case REQ_HEADER_INFO:
		return header_show(b);
	case REQ_SWITCH_FILE:
		browser_files_ask(b, FILE_OPEN);
		return WISH_REDRAW;
	case REQ_COMPARE_FILE:
		browser_files_ask(b, FILE_COMPARE);
		return WISH_REDRAW;
	case REQ_MERGE_FILE:
		browser_files_ask(b, FILE_MERGE);
		return WISH_REDRAW;
	default:
		return WISH_PASS;
	}
}
