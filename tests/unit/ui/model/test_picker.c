/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The events to choose from: rows, search, marks that stay whatever is searched. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "lib/need.h"
#include "model/picker/picker.h"

static const struct ptui_catalog_entry entries[] = {
	{ "cpu-cycles", "cycles", NULL, "hardware", "Hardware event", 0 },
	{ "cache-misses", NULL, "Last-level cache accesses that missed.", "hardware",
	  "Hardware event", 0 },
	{ "cpu-clock", NULL, NULL, "software", "Software event", 0 },
	{ "irq:softirq_entry", NULL, NULL, "tracepoint", "Tracepoint event", 0 },
	{ "sched:sched_switch", NULL, NULL, "tracepoint", "Tracepoint event", 0 },
	{ "sched:sched_wakeup", NULL, NULL, "tracepoint", "Tracepoint event", 0 },
	{ "rNNN", NULL, NULL, "raw", "Raw hardware event descriptor", 1 },
};

static int setup(void **state)
{
	struct picker *p = calloc(1, sizeof(*p));

	p->search = "";
	p->catalog = ptui_catalog_new(); /* typed events are parsed with it */
	assert_non_null(p->catalog);
	for (size_t i = 0; i < sizeof(entries) / sizeof(entries[0]); i++)
		assert_int_equal(picker_add(p, &entries[i]), 0);
	assert_int_equal(picker_rebuild(p), 0);
	*state = p;
	return 0;
}

static int teardown(void **state)
{
	picker_release(*state);
	free(*state);
	return 0;
}

/* "#" before headings, ">" for the second level, "*" after marked entries. */
static const char *rows(const struct picker *p, char buf[1024])
{
	size_t n = 0;

	*buf = '\0';
	for (size_t i = 0; i < p->n_rows; i++) {
		const struct picker_row *r = &p->rows[i];
		const struct picker_entry *e = r->entry;
		const char *name = e ? e->name : r->leader ? "group" : r->heading->title;

		n += (size_t)snprintf(buf + n, 1024 - n, "%s%s%s%s ", e ? "" : "#",
				      !e && r->level ? ">" : "", name, e && e->mark ? "*" : "");
	}
	return buf;
}

/* Events with their filters; missing ones at the end: none. */
static void mark(struct picker *p, const char *texts, const char *filter_texts)
{
	struct words events = WORDS_INIT, filters = WORDS_INIT, all = WORDS_INIT;

	assert_int_equal(words_split(&events, texts, NULL), 0);
	assert_int_equal(words_split(&filters, filter_texts, NULL), 0);
	for (size_t i = 0; i < events.n; i++) {
		words_add(&all, events.v[i]);
		words_add(&all, i < filters.n ? filters.v[i] : "");
	}
	assert_int_equal(picker_mark_all(p, &all), 0);
	words_release(&events);
	words_release(&filters);
	words_release(&all);
}

/* "cycles:u --filter 'a > 0' cpu-clock" */
static const char *marked(struct picker *p, char buf[1024])
{
	const struct words *w = picker_marked(p);
	struct words all = WORDS_INIT;
	char *text;

	assert_non_null(w);
	for (size_t i = 0; i < w->n; i += 2) {
		words_add(&all, w->v[i]);
		if (*w->v[i + 1]) {
			words_add(&all, "--filter");
			words_add(&all, w->v[i + 1]);
		}
	}
	text = words_join(&all);
	snprintf(buf, 1024, "%s", text);
	free(text);
	words_release(&all);
	return buf;
}

static int search(struct picker *p, const char *text)
{
	p->search = text;
	return picker_rebuild(p);
}

/* By name or alias; NULL: there is none. */
static struct picker_entry *entry_of(const struct picker *p, const char *name)
{
	for (size_t i = 0; i < p->n_entries; i++) {
		struct picker_entry *e = p->entries[i];

		if (!strcmp(e->name, name) || (e->alias && !strcmp(e->alias, name)))
			return e;
	}
	return NULL;
}

static size_t row_with(const struct picker *p, const struct picker_entry *e)
{
	for (size_t i = 0; i < p->n_rows; i++)
		if (p->rows[i].entry == e)
			return i;
	return SIZE_MAX;
}

static size_t row_of(const struct picker *p, const char *name)
{
	const struct picker_entry *e = entry_of(p, name);
	size_t row;

	assert_non_null(e);
	row = row_with(p, e);
	assert_true(row != SIZE_MAX);
	return row;
}

static void show_available(struct picker *p, bool only)
{
	p->available_only = only;
	assert_int_equal(picker_rebuild(p), 0);
}

static void show_marked(struct picker *p, bool only)
{
	p->marked_only = only;
	assert_int_equal(picker_rebuild(p), 0);
}

static void toggle(struct picker *p, const char *name)
{
	assert_int_equal(picker_toggle(p, row_of(p, name)), 0);
}

static int edit(struct picker *p, const char *name, enum picker_edit what, const char *text)
{
	return picker_edit(p, entry_of(p, name), what, text);
}

static bool is_open(const struct picker *p, size_t row)
{
	return picker_is_open(p, p->rows[row].heading);
}

#define ALL                                                                   \
	"#Hardware cpu-cycles cache-misses #Software cpu-clock #Tracepoints " \
	"#>irq irq:softirq_entry #>sched sched:sched_switch sched:sched_wakeup "

static void test_rows(void **state)
{
	struct picker *p = *state;
	char buf[1024];

	assert_string_equal(rows(p, buf), ALL);
	assert_int_equal(p->rows[picker_above(p, 9)].heading->n, 2);
	assert_int_equal(picker_toggle(p, 0), 0);
	assert_string_equal(rows(p, buf), "#Hardware #Software cpu-clock #Tracepoints #>irq "
					  "irq:softirq_entry #>sched sched:sched_switch "
					  "sched:sched_wakeup ");
	assert_int_equal(picker_toggle(p, 3), 0);
	assert_string_equal(rows(p, buf), "#Hardware #Software cpu-clock #Tracepoints ");
	assert_int_equal(p->n_fits, 6);
	assert_null(picker_row(p, 0)->entry);
	assert_null(picker_row(p, 99)->entry);
	assert_int_equal(picker_toggle(p, 99), 0);
}

static void test_search(void **state)
{
	struct picker *p = *state;
	char buf[1024];
	const struct picker_entry *e;

	/* closed: a search finds its entries all the same */
	assert_int_equal(picker_toggle(p, 0), 0);
	assert_int_equal(search(p, "cache MI"), 0);
	assert_string_equal(rows(p, buf), "#Hardware cache-misses ");
	assert_int_equal(p->n_fits, 1);
	e = picker_row(p, 1)->entry;
	assert_int_equal(search(p, "accesses"), 0); /* in the description */
	assert_int_equal(p->n_fits, 1);
	assert_int_equal(row_with(p, e), 1);
	assert_int_equal(search(p, "switch"), 0);
	assert_string_equal(rows(p, buf), "#Tracepoints #>sched sched:sched_switch ");
	assert_int_equal(row_with(p, e), SIZE_MAX);
	assert_int_equal(search(p, "none available"), 0);
	assert_int_equal(p->n_rows, 0);
	assert_int_equal(search(p, ""), 0);
	assert_int_equal(p->n_fits, 6);
	assert_int_equal(row_with(p, e), SIZE_MAX); /* its heading is closed, until … */
	picker_reveal(p->entries[1]);
	assert_int_equal(picker_rebuild(p), 0);
	assert_int_equal(row_with(p, e), 2);
}

static void test_open_and_close(void **state)
{
	struct picker *p = *state;
	char buf[1024];

	assert_int_equal(picker_above(p, 2), 0);
	assert_int_equal(picker_above(p, 9), 8); /* the entry's subsystem, and what that is in */
	assert_int_equal(picker_above(p, 8), 5);
	assert_int_equal(picker_above(p, 5), 5);
	assert_true(is_open(p, 0));
	assert_int_equal(picker_set_open(p, p->rows[2].heading, false), 0);
	assert_false(is_open(p, 0));
	assert_int_equal(search(p, "cache"), 0);
	assert_true(is_open(p, 0)); /* a found entry stays visible */
	assert_int_equal(search(p, ""), 0);
	assert_int_equal(picker_set_open(p, p->rows[0].heading, true), 0);
	assert_string_equal(rows(p, buf), ALL);
}

/* Many entries: initially closed, with everything below. */
static void test_large_headings(void **state)
{
	struct ptui_catalog_entry e = { .kind = "tracepoint", .heading = "Tracepoint event" };
	struct picker *p = *state;
	char names[60][32], buf[1024];

	for (int i = 0; i < 60; i++) {
		snprintf(names[i], sizeof(names[i]), "sys%d:event_%d", i / 20, i);
		e.name = names[i];
		assert_int_equal(picker_add(p, &e), 0);
	}
	assert_int_equal(picker_rebuild(p), 0);
	assert_string_equal(rows(p, buf), "#Hardware cpu-cycles cache-misses #Software cpu-clock "
					  "#Tracepoints ");
	assert_int_equal(picker_set_open(p, p->rows[5].heading, true), 0);
	assert_string_equal(rows(p, buf), "#Hardware cpu-cycles cache-misses #Software cpu-clock "
					  "#Tracepoints #>irq #>sched #>sys0 #>sys1 #>sys2 ");
	assert_int_equal(p->rows[8].heading->n, 20);
}

static void test_marks(void **state)
{
	struct picker *p = *state;
	char buf[1024];

	assert_int_equal(picker_toggle(p, 0), 0);
	mark(p, "cycles task-clock:u sched:sched_wakeup", "");
	/* Marked entries are visible, with their original text. */
	assert_string_equal(rows(p, buf),
			    "#As typed task-clock* #Hardware cpu-cycles* cache-misses "
			    "#Software cpu-clock #Tracepoints #>irq irq:softirq_entry "
			    "#>sched sched:sched_switch sched:sched_wakeup* ");
	assert_string_equal(marked(p, buf), "cycles task-clock:u sched:sched_wakeup");
	assert_int_equal(picker_n_marked_in(p, p->rows[picker_above(p, 12)].heading), 1);
	assert_int_equal(picker_n_marked_in(p, p->rows[7].heading), 1);

	assert_int_equal(search(p, "cpu-clock"), 0);
	toggle(p, "cpu-clock");
	assert_int_equal(search(p, "cycles"), 0);
	toggle(p, "cpu-cycles");
	assert_string_equal(marked(p, buf), "task-clock:u sched:sched_wakeup cpu-clock");
	toggle(p, "cpu-cycles");
	assert_int_equal(search(p, ""), 0);
	toggle(p, "task-clock"); /* a typed event can be unmarked, and marked again */
	assert_string_equal(marked(p, buf), "sched:sched_wakeup cpu-clock cpu-cycles");
	toggle(p, "task-clock");
	assert_string_equal(marked(p, buf), "sched:sched_wakeup cpu-clock cpu-cycles task-clock");
}

static void test_twice_the_same(void **state)
{
	struct picker *p = *state;
	char buf[1024];

	mark(p, "cycles cpu-cycles cycles:u", "");
	assert_string_equal(marked(p, buf), "cycles cpu-cycles cycles:u");
}

/* Texts are unchanged after a round trip, even invalid ones. */
static void test_texts_come_back(void **state)
{
	static const char *const texts[] = {
		"cycles:u",
		"{cycles,cpu-clock}",
		"{cycles:u,cache-misses}:S",
		"x{cycles,cpu-clock}:k",
		"cycles/period=1000/u",
		"cpu-clock/freq=99/",
		"r1a8:u",
		"no-such:thing:u",
		"{broken",
		"{cycles,cpu-clock} page-faults {task-clock,cache-misses}:W",
	};
	char buf[1024], *joined;

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		struct words w = WORDS_INIT;
		struct picker *p = *state;

		assert_int_equal(words_split(&w, texts[i], NULL), 0);
		joined = words_join(&w);
		mark(p, texts[i], "");
		assert_string_equal(marked(p, buf), joined);
		words_release(&w);
		free(joined);
	}
}

/* A list is its events. */
static void test_list(void **state)
{
	struct picker *p = *state;
	char buf[1024];
	struct picker_entry *entry;

	assert_int_equal(picker_mark_text(p, "cache-misses,cpu-clock:u", "", &entry), 0);
	assert_string_equal(entry->name, "cache-misses");
	assert_string_equal(marked(p, buf), "cache-misses cpu-clock:u");
}

static void test_groups(void **state)
{
	struct picker *p = *state;
	char buf[1024];

	mark(p, "sched:sched_switch cycles cache-misses", "'prev_pid > 0'");
	assert_int_equal(picker_make_group(p), 2); /* events with a filter stay single */
	assert_string_equal(marked(p, buf), "sched:sched_switch --filter 'prev_pid > 0' "
					    "'{cycles,cache-misses}'");
	toggle(p, "cpu-clock");
	assert_int_equal(picker_make_group(p), 1); /* one event is not a group */
	toggle(p, "irq:softirq_entry");
	assert_int_equal(picker_make_group(p), 2);
	assert_string_equal(marked(p, buf),
			    "sched:sched_switch --filter 'prev_pid > 0' "
			    "'{cycles,cache-misses}' '{cpu-clock,irq:softirq_entry}'");
	assert_int_equal(edit(p, "cycles", PICKER_GROUP_MODIFIERS, "uS"), 0);
	assert_int_equal(edit(p, "cache-misses", PICKER_MODIFIERS, "k"), 0);
	show_marked(p, true);
	assert_string_equal(rows(p, buf), "sched:sched_switch* #group cpu-cycles* cache-misses* "
					  "#group cpu-clock* irq:softirq_entry* ");
	assert_ptr_equal(p->rows[1].leader, p->marks[1]); /* of the group's row, its first */
	assert_int_equal(picker_toggle(p, 4), 0); /* the heading of a group: unmarks all of it */
	assert_string_equal(rows(p, buf), "sched:sched_switch* #group cpu-cycles* cache-misses* ");
	assert_string_equal(marked(p, buf), "sched:sched_switch --filter 'prev_pid > 0' "
					    "'{cycles,cache-misses:k}:uS'");
	assert_int_equal(picker_ungroup(p, entry_of(p, "cache-misses")), 0);
	assert_string_equal(marked(p, buf), "sched:sched_switch --filter 'prev_pid > 0' "
					    "cycles:u cache-misses:k");
	show_marked(p, false);
}

/* Scattered members are moved to the first of them. */
static void test_group_gathers(void **state)
{
	struct picker *p = *state;
	char buf[1024];

	mark(p, "cycles sched:sched_switch cpu-clock irq:softirq_entry cache-misses",
	     "'' 'prev_pid > 0' '' 'vec == 1'");
	assert_int_equal(picker_make_group(p), 3);
	assert_string_equal(marked(p, buf), "'{cycles,cpu-clock,cache-misses}' sched:sched_switch "
					    "--filter 'prev_pid > 0' irq:softirq_entry --filter "
					    "'vec == 1'");
	toggle(p, "cpu-clock");
	assert_string_equal(marked(p, buf), "'{cycles,cache-misses}' sched:sched_switch --filter "
					    "'prev_pid > 0' irq:softirq_entry --filter 'vec == 1'");
}

static void test_parts(void **state)
{
	struct picker *p = *state;
	char buf[1024];

	toggle(p, "cpu-cycles");
	toggle(p, "sched:sched_switch");
	assert_int_equal(edit(p, "cycles", PICKER_MODIFIERS, "u"), 0);
	assert_int_equal(edit(p, "cycles", PICKER_RATE, "100k"), 0);
	assert_int_equal(edit(p, "sched:sched_switch", PICKER_FILTER, "prev_pid > 0"), 0);
	assert_string_equal(marked(p, buf),
			    "cpu-cycles/period=100000/u sched:sched_switch --filter "
			    "'prev_pid > 0'");
	assert_int_equal(edit(p, "cycles", PICKER_RATE, "99 Hz"), 0);
	assert_int_equal(edit(p, "sched:sched_switch", PICKER_FILTER, ""), 0);
	assert_string_equal(marked(p, buf), "cpu-cycles/freq=99/u sched:sched_switch");
	assert_int_equal(edit(p, "cycles", PICKER_RATE, ""), 0);
	assert_int_equal(edit(p, "cycles", PICKER_MODIFIERS, ""), 0);
	assert_string_equal(marked(p, buf), "cpu-cycles sched:sched_switch");
	/* of a group, the filter is of all */
	assert_int_equal(picker_make_group(p), 2);
	assert_int_equal(edit(p, "sched:sched_switch", PICKER_FILTER, "a > 0"), 0);
	assert_string_equal(marked(p, buf), "'{cpu-cycles,sched:sched_switch}' --filter 'a > 0'");
}

static void test_available(void **state)
{
	struct picker *p = *state;
	char buf[1024];

	toggle(p, "cpu-clock");
	picker_set_state(p, p->entries[1], PICKER_REFUSED, "this machine has no such unit");
	assert_string_equal(p->entries[1]->reason, "this machine has no such unit");
	picker_set_state(p, p->entries[2], PICKER_REFUSED, NULL);
	picker_set_state(p, p->entries[0], PICKER_AVAILABLE, NULL);
	show_available(p, true);
	assert_null(picker_why_none(p, p->entries[0]->heading));
	assert_string_equal(picker_why_none(p, p->entries[2]->heading), "");
	picker_set_state(p, p->entries[2], PICKER_REFUSED, "no clock");
	assert_string_equal(picker_why_none(p, p->entries[2]->heading), "no clock");
	assert_string_equal(picker_cause("no clock\nwind it", buf, sizeof(buf)), "no clock");
	assert_string_equal(picker_cause("cannot open s:x for you: no (2)\ntry: it", buf,
					 sizeof(buf)),
			    "no (2)");
	assert_string_equal(picker_cause("无法为线程打开 s:x：没有", buf, sizeof(buf)), "没有");
	/* marked and untried entries stay visible */
	assert_string_equal(rows(p, buf), "#Hardware cpu-cycles #Tracepoints #>irq "
					  "irq:softirq_entry #>sched sched:sched_switch "
					  "sched:sched_wakeup #Software cpu-clock* ");
	picker_set_state(p, p->entries[0], PICKER_REFUSED, NULL);
	assert_int_equal(picker_rebuild(p), 0);
	assert_string_equal(rows(p, buf), "#Tracepoints #>irq irq:softirq_entry #>sched "
					  "sched:sched_switch sched:sched_wakeup #Software "
					  "cpu-clock* ");
	/* with other modifiers it is untried */
	assert_int_equal(edit(p, "cpu-clock", PICKER_MODIFIERS, "u"), 0);
	assert_int_equal(p->entries[2]->state, PICKER_UNTRIED);
	show_available(p, false);
	assert_int_equal(p->n_fits, 6);
}

/* What can be opened here comes first, refused events and headings last; so do search results. */
static void test_available_first(void **state)
{
	struct picker *p = *state;
	char buf[1024];
	const struct picker_entry *e;

	picker_set_state(p, p->entries[3], PICKER_REFUSED, NULL); /* irq:softirq_entry */
	picker_set_state(p, p->entries[4], PICKER_REFUSED, NULL); /* sched:sched_switch */
	assert_int_equal(picker_rebuild(p), 0);
	assert_string_equal(rows(p, buf), "#Hardware cpu-cycles cache-misses #Software cpu-clock "
					  "#Tracepoints #>sched sched:sched_wakeup "
					  "sched:sched_switch #>irq irq:softirq_entry ");
	e = picker_row(p, 1)->entry;
	picker_set_state(p, p->entries[0], PICKER_REFUSED, NULL);
	picker_set_state(p, p->entries[1], PICKER_REFUSED, NULL);
	picker_set_state(p, p->entries[2], PICKER_AVAILABLE, NULL);
	assert_int_equal(picker_rebuild(p), 0);
	assert_string_equal(rows(p, buf), "#Software cpu-clock #Tracepoints #>sched "
					  "sched:sched_wakeup sched:sched_switch #>irq "
					  "irq:softirq_entry #Hardware cpu-cycles cache-misses ");
	assert_int_equal(row_with(p, e), 9); /* the cursor follows */
	assert_int_equal(search(p, "c"), 0);
	assert_string_equal(rows(p, buf), "#Software cpu-clock #Tracepoints #>sched "
					  "sched:sched_wakeup sched:sched_switch #Hardware "
					  "cpu-cycles cache-misses ");
	assert_int_equal(search(p, ""), 0);
	/* what was typed stays in front; a kind that cannot be read is last */
	mark(p, "task-clock", "");
	picker_set_state(p, p->entries[6], PICKER_REFUSED, NULL);
	assert_int_equal(picker_rebuild(p), 0);
	assert_true(!strncmp(rows(p, buf), "#As typed task-clock* #Software", 31));
}

static void test_rate(void **state)
{
	static const struct {
		const char *text;
		uint64_t period, freq_hz;
	} good[] = { { "", 0, 0 },	   { " 5000 ", 5000, 0 }, { "100k", 100000, 0 },
		     { "1M", 1000000, 0 }, { "999 Hz", 0, 999 },  { "2khz", 0, 2000 },
		     { "4 k Hz", 0, 4000 } };
	static const char *const bad[] = { "0",
					   "often",
					   "5 apples",
					   "-5",
					   "99999999999999999999",
					   "5G5",
					   "Hz",
					   "18446744073709551615k" };
	struct picker_rate rate;

	(void)state;
	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		assert_int_equal(picker_rate_parse(good[i].text, &rate), 0);
		assert_true(rate.period == good[i].period && rate.freq_hz == good[i].freq_hz);
	}
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		assert_int_equal(picker_rate_parse(bad[i], &rate), -EINVAL);
		assert_true(!rate.period && !rate.freq_hz);
	}
}

static void test_trouble(void **state)
{
	struct ptui_error err = PTUI_ERROR_INIT;
	struct picker *p = *state;

	ptui_error_set(&err, PTUI_ERROR_SYSTEM, 2, NULL, "tracefs is not mounted");
	ptui_error_hint(&err, "mount it");
	picker_add_trouble(p, "probe", &err);
	assert_int_equal(search(p, ""), 0);
	assert_string_equal(p->headings[p->n_headings - 1]->trouble,
			    "tracefs is not mounted; mount it");
}

static void test_of_this_machine(void **state)
{
	struct picker p = { .search = "" };
	char buf[1024];

	(void)state;
	assert_int_equal(picker_load(&p), 0);
	assert_true(p.n_entries > 20);
	mark(&p, "cpu-clock", "");
	assert_string_not_equal(p.marks[0]->heading->kind, "typed");
	assert_string_equal(marked(&p, buf), "cpu-clock");
	picker_release(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)
		TEST(test_rows),
		TEST(test_search),
		TEST(test_open_and_close),
		TEST(test_large_headings),
		TEST(test_marks),
		TEST(test_twice_the_same),
		TEST(test_texts_come_back),
		TEST(test_list),
		TEST(test_groups),
		TEST(test_group_gathers),
		TEST(test_parts),
		TEST(test_available),
		TEST(test_available_first),
		cmocka_unit_test(test_rate),
		TEST(test_trouble),
		cmocka_unit_test(test_of_this_machine),
#undef TEST
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
