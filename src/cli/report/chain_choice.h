/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How callchains are printed: parses -g of report and the call-graph.* settings. */
#ifndef CLI_CHAIN_CHOICE_H
#define CLI_CHAIN_CHOICE_H

#include <stdbool.h>
#include <stdint.h>
#include "ptui/error.h"
#include "ptui/profile.h"

struct chain_choice {
	bool given;
	bool none;
	bool order_given;
	enum ptui_chain_order order;
	double min_percent;
	uint64_t max_lines;
};

/* For option tables: the field is a struct chain_choice. */
int chain_parse(void *field, const char *text, bool unset, struct ptui_error *err);
/* For setting tables: one word each, into a struct chain_choice. */
int chain_set_type(void *field, const char *value, bool unset, struct ptui_error *err);
int chain_set_order(void *field, const char *value, bool unset, struct ptui_error *err);
int chain_set_key(void *field, const char *value, bool unset, struct ptui_error *err);
/* The field is its max_lines. */
int chain_set_limit(void *field, const char *value, bool unset, struct ptui_error *err);
/* The field is a double: its min_percent, or any other percentage. */
int chain_parse_percent(void *field, const char *text, bool unset, struct ptui_error *err);

#endif
