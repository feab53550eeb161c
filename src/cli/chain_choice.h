/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is drawn of callchains. What it takes: the words of -g and of the settings call-graph.*. What
 * it gives: the choice. Not for what is recorded of them, nor for the drawing.
 */
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

/* For tables of options: the field is a struct chain_choice. */
int chain_parse(void *field, const char *text, bool unset, struct ptui_error *err);
/* For tables of settings: one word each, of a struct chain_choice. */
int chain_set_type(void *field, const char *value, bool unset, struct ptui_error *err);
int chain_set_order(void *field, const char *value, bool unset, struct ptui_error *err);
int chain_set_key(void *field, const char *value, bool unset, struct ptui_error *err);
/* The field is its max_lines. */
int chain_set_limit(void *field, const char *value, bool unset, struct ptui_error *err);
/* The field is a double: its min_percent, or any other share from 0 to 100. */
int chain_parse_percent(void *field, const char *text, bool unset, struct ptui_error *err);

#endif
