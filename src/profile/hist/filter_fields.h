/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Comparisons of fields of tracepoints, as text and parsed: those joined by && are a list, of which all
 * must be true; lists are joined by ||.
 */
#ifndef PROFILE_FILTER_FIELDS_H
#define PROFILE_FILTER_FIELDS_H

#include "profile/profile.h"

#define FILTER_TERMS_MAX 16

struct filter_number {
	bool negative;
	uint64_t bits;
};

struct filter_term {
	char field[64], value[128];
	struct filter_number number; /* the value, if it is one */
	bool is_number;
	bool begins; /* the first of a list */
	unsigned op;
};

struct filter_terms {
	struct filter_term v[FILTER_TERMS_MAX];
	size_t n;
};

/* 0 or -EINVAL. */
int filter_terms_parse(struct filter_terms *t, const char *text);
/* Of the values of a sample, struct extra.fields. */
bool filter_terms_match(const struct filter_terms *t, const struct ptui_profile *p, uint32_t tuple);
/* As ptui_hist_check_filter(). */
int filter_fields_check(const char *text, struct ptui_error *err);

#endif
