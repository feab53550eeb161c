/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Shared by the selector's files. Private to its room, except for the error functions:
 * conditions of the record room report positions too.
 *
 *   selector.c	    lists, groups, splitting of an event's text
 *   selector_spec.c  events by name or number
 *   selector_pmu.c  events of PMUs, and of several core types
 *   selector_bpf.c   BPF object files
 *   selector_mem.c   breakpoints
 *   terms.c, terms_general.c  terms between slashes
 *   selector_mods.c  modifiers after the last colon
 *   selector_error.c the sentence, the caret, the nearest names
 */
#ifndef EVENT_PARSER_H
#define EVENT_PARSER_H

#include <string.h>
#include "event/catalog.h"
#include "ptui/selector.h"

/* A piece of the selector's text. */
struct span {
	const char *at;
	const char *end;
};

static inline size_t span_len(struct span s)
{
	return (size_t)(s.end - s.at);
}

struct parser;
struct event_text;

/* Callbacks for the parts of a selector, in order. 0, or a negative errno to stop. */
struct parser_listener {
	int (*event)(struct parser *p, const struct event_text *t);
	void (*group_begins)(struct parser *p);
	int (*group_ends)(struct parser *p, struct span name, struct span modifiers);
	void *ctx;
};

struct parser {
	struct catalog *cat;
	const char *text; /* what errors show: the whole selector, or from where it is edited */
	const char *at;	  /* what is read next */
	struct event_list *list;
	struct ptui_error *err;
	const struct parser_listener *listener; /* may be NULL */
};

/*
 * One event:
 *
 *	cpu/event=0xa8,umask=1/u	sched:sched_switch:u	cycles
 *	`spec' `--- terms ---' rest	`----- spec -----'	`spec'
 *
 * Text of a spec after its own colons is cut off into `rest`.
 */
struct event_text {
	struct span all;
	struct span spec;
	struct span terms;
	bool has_terms;
	struct span rest; /* modifiers, with their colon if they have one */
	bool is_bpf;	  /* the spec is the path of a BPF program */
	bool is_pmu;	  /* the name before the terms is a PMU, not an event */
};

/* Parses all of a selector; after a failure, p->list keeps the events added so far. */
int parser_read(struct parser *p);

static inline bool span_starts_with(struct span s, const char *word)
{
	size_t len = strlen(word);

	return span_len(s) >= len && !memcmp(s.at, word, len);
}

static inline bool span_is(struct span s, const char *word)
{
	return span_len(s) == strlen(word) && span_starts_with(s, word);
}

/* Up to the first `c`, or to the end. */
static inline struct span span_before(struct span s, char c)
{
	struct span front = { s.at, s.at };

	while (front.end < s.end && *front.end != c)
		front.end++;
	return front;
}

/* All of `s` as one number, decimal or 0x…; false when it is none or does not fit. */
bool parser_take_number(struct span s, uint64_t max, uint64_t *ret);
/* One to sixteen hexadecimal digits, and no more. */
bool parser_take_hex(struct span s, uint64_t *ret);

/*
 * Appends the event or events of `t`; their modifiers stay in t->rest. 0, or negative with err set.
 */
int spec_parse(struct parser *p, struct event_text *t);
/* Appends an event of that text. */
int spec_add(struct parser *p, const struct event_text *t, enum event_kind kind, uint32_t type,
	     uint64_t config);
/* Applies the terms of an event without a PMU to the events from index `from` on. */
int spec_apply_terms(struct parser *p, const struct event_text *t, size_t from);

/* UNIT/TERMS/. */
int unit_parse(struct parser *p, struct event_text *t);
/* A named event of any PMU: added for each PMU that has it. 1: none has it. */
int unit_parse_name(struct parser *p, struct event_text *t, struct span name);
/* A generic kernel event, once per core type that counts it. */
int unit_add_legacy(struct parser *p, struct event_text *t, const struct catalog_entry *entry);
/* Splits groups by PMU. 0 or -ENOMEM. */
int unit_split_group(struct parser *p, size_t leader);

#define PFM_PREFIX "pfm:"
/* pfm:EVENT, whose modifiers are libpfm4's own. */
bool pfm_is_meant(struct span spec);
int pfm_parse(struct parser *p, struct event_text *t);

/* End of the path of a BPF object file or source that starts at `at`; NULL: it is another event. */
const char *bpf_path_end(const char *at);
/* FILE.o[/map:MAP.event=EVENT/]: an event per program. */
int bpf_parse(struct parser *p, struct event_text *t);

/* End of the path of a BPF object file or source that starts at `at`; NULL: it is another event. */
const char *bpf_path_end(const char *at);
/* FILE.o[/map:MAP.event=EVENT/]: an event per program. */
int bpf_parse(struct parser *p, struct event_text *t);

/* mem:ADDRESS[/LENGTH][:ACCESS][/TERMS/] */
int mem_parse(struct parser *p, struct event_text *t);

/*
 * Fills the parser's error with "SENTENCE", the text, and a caret under `where` beside
 * `expected` (already translated). Returns -EINVAL.
 */
int parser_error(struct parser *p, const char *where, const char *expected, const char *fmt, ...)
	PTUI_PRINTF(4, 5);

/* Unknown event: sets the error and up to three similar names. -EINVAL. */
int parser_unknown_event(struct parser *p, struct span name);
/* Sets the hint to up to three of `names` that are similar to `word`. */
void parser_hint_nearest(struct parser *p, struct span word, const char *const *names, size_t n);
/* The same for a tracepoint; `name` is all of SYSTEM:NAME. */
int parser_unknown_tracepoint(struct parser *p, struct span system, struct span name);

/* The same for a probe or an SDT marker, by its full name. */
int parser_unknown_probe(struct parser *p, struct span name);

bool parser_is_glob(struct span s);
/* False also if the tracepoints cannot be read. */
bool parser_system_exists(struct parser *p, struct span system);

/* A parsed string of modifier letters. */
struct modifiers {
	bool user, kernel, hv;
	bool guest, host;
	bool idle;
	unsigned int precise;
	bool precise_max;
	bool pinned, exclusive;
	bool sample_read, weak;
	const char *leader_only; /* position of the D or e, for errors; or NULL */
};

/* Letters of `text`, which may not be empty. 0 or -EINVAL. */
int modifiers_parse(struct parser *p, struct span text, struct modifiers *ret);
/* Whether `text` could be meant as modifiers: it has no other letters. */
bool modifiers_plausible(struct span text);
/*
 * Applies modifiers to an event; `again` if they are its group's and it may have its own. `where`
 * is for the error. 0 or -EINVAL.
 */
int modifiers_apply(struct parser *p, const struct modifiers *mods, const char *where,
		    struct event *ev, bool is_leader, bool again);

#endif
