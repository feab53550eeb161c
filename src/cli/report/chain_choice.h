/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How callchains are printed: parses -g of report and the call-graph.* settings. */
#ifndef CLI_CHAIN_CHOICE_H
#define CLI_CHAIN_CHOICE_H

#include <stdbool.h>
#include <stdint.h>
#include "ptui/error.h"
#include "ptui/profile.h"

enum chain_type {
	CHAIN_GRAPH,
	CHAIN_FRACTAL, /* a graph with percentages of the callers */
	CHAIN_FLAT,    /* a list of chains */
	CHAIN_FOLDED,  /* the same, one line per chain */
};

enum chain_value {
	CHAIN_PERCENT,
	CHAIN_PERIOD,
	CHAIN_COUNT, /* of samples */
};

struct chain_choice {
	bool given;
	bool none;
	enum chain_type type;
	enum chain_value value;
	enum ptui_chain_key key;
	bool branches; /* branch stacks are part of callchains */
	bool order_given;
	enum ptui_chain_order order;
	double min_percent;
	uint64_t max_lines;
};

/* Whether it was asked for by -g what only text shows. */
bool chain_is_text(const struct chain_choice *c);

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
