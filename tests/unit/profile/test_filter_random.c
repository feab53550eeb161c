/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Random profiles with random sort keys and filters: the rows are those that a loop over the samples
 * finds, and filtering before sorting gives the same rows as after it.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "lib/need.h"
#include "unit/profile/made.h"

#define N_SAMPLES 400
#define N_ROUNDS  60
#define QUANTUM	  16
#define LAST_NS	  255
#define DEEPEST	  4

static const char *const functions[] = { "main", "run",	       "lib:copy",   "lib:move",
					 "eval", "kernel:irq", "kernel:idle" };

#define N_FUNCTIONS (sizeof(functions) / sizeof(functions[0]))

struct one_sample {
	unsigned chain[DEEPEST], depth;
	int tid;
	unsigned cpu;
	uint64_t period, time_ns;
};

static struct one_sample samples[N_SAMPLES];
static uint32_t seed;

static unsigned any(unsigned n)
{
	seed = seed * 1664525 + 1013904223;
	return (seed >> 8) % n;
}

/* A thread has one name. */
static const char *comm_of(const struct one_sample *s)
{
	static const char *const comms[] = { "x", "y", "z" };

	return comms[s->tid % 3];
}

static struct ptui_profile *any_profile(void)
{
	struct made *m = made_new();

	for (unsigned i = 0; i < N_SAMPLES; i++) {
		struct one_sample *s = &samples[i];
		char chain[128] = "";

		*s = (struct one_sample){ .depth = 1 + any(DEEPEST),
					  .tid = 1 + (int)any(6),
					  .cpu = any(4),
					  .period = 1 + any(9),
					  .time_ns = i ? any(LAST_NS + 1) : 0 };
		if (i == 1)
			s->time_ns = LAST_NS;
		for (unsigned k = 0; k < s->depth; k++) {
			s->chain[k] = any(N_FUNCTIONS);
			snprintf(chain + strlen(chain), sizeof(chain) - strlen(chain), "%s%s",
				 k ? " " : "", functions[s->chain[k]]);
		}
		made_thread(m, comm_of(s), s->tid, s->cpu);
		made_sample(m, chain, s->period, s->time_ns);
	}
	return made_take(m);
}

/* ---- what keys and filters are for the loop ---- */

static const char *function_of(const struct one_sample *s)
{
	return functions[s->chain[s->depth - 1]];
}

static const char *name_of(const char *function)
{
	return strchr(function, ':') ? strchr(function, ':') + 1 : function;
}

static void dso_of(const struct one_sample *s, char *ret, size_t size)
{
	const char *f = function_of(s), *colon = strchr(f, ':');

	snprintf(ret, size, "%.*s", colon ? (int)(colon - f) : 4, colon ? f : "prog");
}

/* The innermost function named copy or eval. */
static const char *parent_of(const struct one_sample *s)
{
	for (unsigned k = s->depth; k-- > 0;) {
		const char *name = name_of(functions[s->chain[k]]);

		if (!strcmp(name, "copy") || !strcmp(name, "eval"))
			return name;
	}
	return NULL;
}

static void cell_of(const struct one_sample *s, const char *key, char *ret, size_t size)
{
	if (!strcmp(key, "comm"))
		snprintf(ret, size, "%s", comm_of(s));
	else if (!strcmp(key, "dso"))
		dso_of(s, ret, size);
	else if (!strcmp(key, "sym"))
		snprintf(ret, size, "[%c] %s", strncmp(function_of(s), "kernel", 6) ? '.' : 'k',
			 name_of(function_of(s)));
	else if (!strcmp(key, "pid"))
		snprintf(ret, size, "%7d:%s", s->tid, comm_of(s));
	else if (!strcmp(key, "cpu"))
		snprintf(ret, size, "%.3u", s->cpu);
	else if (!strcmp(key, "parent"))
		snprintf(ret, size, "%s", parent_of(s) ? parent_of(s) : "[other]");
	else
		snprintf(ret, size, "0.%09" PRIu64, s->time_ns / QUANTUM * QUANTUM);
}

static bool is_dropped(const struct one_sample *s, const struct ptui_hist_filter *f)
{
	if (f->cpus && s->cpu != 0 && s->cpu != 2 && s->cpu != 3)
		return true;
	return f->times && !(s->time_ns >= 30 && s->time_ns <= 90) && s->time_ns < 200;
}

static bool is_taken(const struct one_sample *s, const struct ptui_hist_filter *f)
{
	char dso[16];

	dso_of(s, dso, sizeof(dso));
	return !(f->comms && !strcmp(comm_of(s), "z")) && !(f->tids && s->tid != 2 && s->tid < 4) &&
	       !(f->dsos && !strcmp(dso, "prog")) &&
	       !(f->symbols && strcmp(name_of(function_of(s)), "copy") &&
		 strcmp(name_of(function_of(s)), "main")) &&
	       !(f->has_parent && !parent_of(s));
}

static const char *const key_lists[] = {
	"comm",	      "dso",	     "sym",	      "cpu",	      "pid",	 "time",
	"parent",     "comm,dso",    "cpu,sym",	      "time,cpu",     "pid,sym", "parent,comm",
	"sym,parent", "dso,sym,cpu", "comm,time,sym", "cpu,time,pid",
};

static struct ptui_hist_filter any_filter(void)
{
	struct ptui_hist_filter f = { .comms = NULL };

	f.comms = any(4) ? NULL : "x\ny";
	f.tids = any(4) ? NULL : "2,4-6";
	f.cpus = any(4) ? NULL : "0,2-3";
	f.times = any(4) ? NULL : "0.00000003,0.00000009 0.0000002,";
	f.dsos = any(4) ? NULL : "lib\n/opt/kernel";
	f.symbols = any(4) ? NULL : "copy\nmain";
	f.has_parent = !any(5);
	return f;
}

/* ---- rows ---- */

struct row {
	char cells[128];
	uint64_t period, samples;
};

static struct row naive[N_SAMPLES];
static size_t n_naive;

static void key_cells(const struct one_sample *s, const char *keys, char *ret, size_t size)
{
	char copy[64], *rest = copy, *key;
	size_t n = 0;

	snprintf(copy, sizeof(copy), "%s", keys);
	while ((key = strsep(&rest, ","))) {
		char cell[64];

		cell_of(s, key, cell, sizeof(cell));
		n += (size_t)snprintf(ret + n, size - n, "%s|", cell);
	}
}

/* Returns the total period. */
static uint64_t count_naively(const char *keys, const struct ptui_hist_filter *f)
{
	uint64_t total = 0;

	n_naive = 0;
	for (size_t i = 0; i < N_SAMPLES; i++) {
		const struct one_sample *s = &samples[i];
		char cells[128];
		size_t at = 0;

		if (is_dropped(s, f))
			continue;
		total += s->period;
		if (!is_taken(s, f))
			continue;
		key_cells(s, keys, cells, sizeof(cells));
		while (at < n_naive && strcmp(naive[at].cells, cells) != 0)
			at++;
		if (at == n_naive) {
			naive[n_naive++] = (struct row){ .period = 0 };
			snprintf(naive[at].cells, sizeof(naive[at].cells), "%s", cells);
		}
		naive[at].period += s->period;
		naive[at].samples++;
	}
	return total;
}

static struct row row_of(const struct ptui_hist *h, size_t row)
{
	struct row r = { .period = 0 };
	struct ptui_row numbers;
	size_t n = 0;

	ptui_hist_row(h, row, &numbers);
	r.period = numbers.period;
	r.samples = numbers.samples;
	for (size_t c = 0; c < ptui_hist_n_columns(h); c++) {
		char cell[64];

		if (!ptui_hist_column(h, c)->groups)
			continue;
		ptui_hist_cell(h, row, c, cell, sizeof(cell));
		n += (size_t)snprintf(r.cells + n, sizeof(r.cells) - n, "%s|", cell);
	}
	return r;
}

static struct ptui_hist *view(struct ptui_profile *p, const char *keys,
			      const struct ptui_hist_filter *f)
{
	const struct ptui_hist_opts o = { .sort = keys,
					  .filter = *f,
					  .parent = "^(copy|eval)$",
					  .quantum_ns = QUANTUM,
					  .show_ns = true };
	struct ptui_error err = PTUI_ERROR_INIT;
	struct ptui_hist *h = ptui_hist_new(p, &o, &err);

	if (!h)
		fail_msg("%s", err.text);
	return h;
}

static void check_rows(const struct ptui_hist *h, const char *keys)
{
	struct row before = { .period = UINT64_MAX };

	if (ptui_hist_n_rows(h) != n_naive)
		fail_msg("%s: %zu rows, not %zu", keys, ptui_hist_n_rows(h), n_naive);
	for (size_t i = 0; i < n_naive; i++) {
		struct row r = row_of(h, i);
		size_t at = 0;

		while (at < n_naive && strcmp(naive[at].cells, r.cells) != 0)
			at++;
		if (at == n_naive)
			fail_msg("%s: no sample has '%s'", keys, r.cells);
		assert_int_equal(r.period, naive[at].period);
		assert_int_equal(r.samples, naive[at].samples);
		if (r.period > before.period ||
		    (r.period == before.period && !strcmp(r.cells, before.cells)))
			fail_msg("%s: '%s' is not in order", keys, r.cells);
		before = r;
	}
}

/* The samples of a row are by time, and their periods are the row's, with callers or without. */
static void check_samples(struct ptui_profile *p, const char *keys,
			  const struct ptui_hist_filter *f, bool children, bool chains)
{
	const struct ptui_hist_opts o = { .sort = keys,
					  .filter = *f,
					  .children = children,
					  .no_chains = !chains,
					  .order = any(2) ? PTUI_CALLER : PTUI_CALLEE,
					  .parent = "^(copy|eval)$",
					  .quantum_ns = QUANTUM };
	struct ptui_error err = PTUI_ERROR_INIT;
	struct ptui_hist *h = ptui_hist_new(p, &o, &err);

	for (size_t i = 0; i < ptui_hist_n_rows(h); i++) {
		uint64_t period = 0, time_ns = 0;
		struct ptui_sample s;
		struct ptui_row row;
		size_t n;
		uint32_t *list = ptui_hist_samples(h, i, &n, NULL, NULL, &err);

		assert_non_null(list);
		ptui_hist_row(h, i, &row);
		for (size_t k = 0; k < n; k++) {
			ptui_profile_sample(p, list[k], &s);
			assert_true(s.time_ns >= time_ns);
			time_ns = s.time_ns;
			period += s.period;
		}
		if (period != row.period_children || (!children && n != row.samples))
			fail_msg("%s: %zu samples of %zu, period %zu, not %zu", keys, n,
				 (size_t)row.samples, (size_t)period, (size_t)row.period_children);
		free(list);
	}
	ptui_hist_free(h);
}

static void test_samples_of_rows(void **state)
{
	(void)state;
	for (unsigned round = 0; round < N_ROUNDS / 4; round++) {
		struct ptui_profile *p;

		seed = 2000 + round;
		p = any_profile();
		for (unsigned i = 0; i < 6; i++) {
			const char *keys = key_lists[any(sizeof(key_lists) / sizeof(key_lists[0]))];
			struct ptui_hist_filter f = any_filter();

			check_samples(p, keys, &f, i % 3, i % 2);
		}
		ptui_profile_unref(p);
	}
}

/* ---- callchains without hidden DSOs and recursion ---- */

static bool is_hidden(const char *function, int way)
{
	bool lib = !strncmp(function, "lib:", 4), kernel = !strncmp(function, "kernel:", 7);

	return way == 1 ? lib :
	       way == 2 ? kernel :
	       way == 3 ? lib || kernel :
	       way == 4 ? !kernel :
			  0;
}

static const char *const hide_ways[] = { NULL, "/opt/li?", "[kernel]", "!prog", "!kernel\nnone*" };

/* Sets the functions that are left of a sample's chain; returns their number. */
static unsigned shape_naively(const struct one_sample *s, int way, bool collapse,
			      unsigned ret[DEEPEST])
{
	unsigned n = 0;

	for (unsigned k = 0; k < s->depth; k++) {
		unsigned at = 0;

		if (is_hidden(functions[s->chain[k]], way))
			continue;
		while (collapse && at < n && ret[at] != s->chain[k])
			at++;
		n = collapse && at < n ? at + 1 : n;
		if (!n || !collapse || ret[n - 1] != s->chain[k])
			ret[n++] = s->chain[k];
	}
	if (!n)
		ret[n++] = s->chain[0];
	return n;
}

static void check_shape(struct ptui_profile *p, int way, bool collapse)
{
	const struct ptui_hist_opts o = { .sort = "sym",
					  .children = true,
					  .filter = { .hide_dsos = hide_ways[way],
						      .collapse_recursion = collapse } };
	struct ptui_error err = PTUI_ERROR_INIT;
	struct ptui_hist *h = ptui_hist_new(p, &o, &err);
	uint64_t self[N_FUNCTIONS] = { 0 }, all[N_FUNCTIONS] = { 0 }, total = 0, sum = 0;
	struct ptui_row row;
	char cell[64];

	for (size_t i = 0; i < N_SAMPLES; i++) {
		unsigned chain[DEEPEST], seen = 0;
		unsigned n = shape_naively(&samples[i], way, collapse, chain);

		self[chain[n - 1]] += samples[i].period;
		for (unsigned k = 0; k < n; k++) {
			all[chain[k]] += seen & 1U << chain[k] ? 0 : samples[i].period;
			seen |= 1U << chain[k];
		}
		total += samples[i].period;
	}
	assert_non_null(h);
	assert_int_equal(ptui_hist_total_period(h), total);
	for (size_t i = 0; i < ptui_hist_n_rows(h); i++) {
		size_t f = 0, symbol = 0;

		while (strcmp(ptui_hist_column(h, symbol)->name, "symbol") != 0)
			symbol++;
		ptui_hist_cell(h, i, symbol, cell, sizeof(cell));
		while (strcmp(name_of(functions[f]), cell + 4) != 0)
			f++;
		ptui_hist_row(h, i, &row);
		assert_int_equal(row.period, self[f]);
		assert_int_equal(row.period_children, all[f]);
		sum += row.period;
		all[f] = 0;
	}
	assert_int_equal(sum, total);
	for (size_t f = 0; f < N_FUNCTIONS; f++)
		assert_int_equal(all[f], 0);
	ptui_hist_free(h);
}

static void test_shapes_of_a_loop(void **state)
{
	(void)state;
	for (unsigned round = 0; round < N_ROUNDS / 4; round++) {
		struct ptui_profile *p;

		seed = 3000 + round;
		p = any_profile();
		for (int i = 0; i < 10; i++)
			check_shape(p, i % 5, i / 5);
		ptui_profile_unref(p);
	}
}

static void test_rows_of_a_loop(void **state)
{
	(void)state;
	for (unsigned round = 0; round < N_ROUNDS; round++) {
		struct ptui_profile *p;
		const char *keys;
		struct ptui_hist_filter f;
		struct ptui_hist *h;

		seed = round + 1;
		p = any_profile();
		for (unsigned i = 0; i < 4; i++) {
			keys = key_lists[any(sizeof(key_lists) / sizeof(key_lists[0]))];
			f = any_filter();
			h = view(p, keys, &f);
			assert_int_equal(ptui_hist_total_period(h), count_naively(keys, &f));
			check_rows(h, keys);
			ptui_hist_free(h);
		}
		ptui_profile_unref(p);
	}
}

/* ---- filter, then sort; or sort, then filter ---- */

/* `cells` begins with the cell of the key that is filtered by. */
static bool cell_is(const char *cells, const char *cell)
{
	return !strncmp(cells, cell, strlen(cell)) && cells[strlen(cell)] == '|';
}

static void check_order(struct ptui_profile *p, const char *keys, const struct ptui_hist_filter *f,
			const char *cell)
{
	const struct ptui_hist_filter none = { .comms = NULL };
	struct ptui_hist *some = view(p, keys, f), *all = view(p, keys, &none);
	size_t at = 0;

	for (size_t i = 0; i < ptui_hist_n_rows(all); i++) {
		struct row r = row_of(all, i), other;

		if (!cell_is(r.cells, cell))
			continue;
		assert_true(at < ptui_hist_n_rows(some));
		other = row_of(some, at++);
		assert_string_equal(other.cells, r.cells);
		assert_int_equal(other.period, r.period);
		assert_int_equal(other.samples, r.samples);
	}
	assert_int_equal(at, ptui_hist_n_rows(some));
	ptui_hist_free(some);
	ptui_hist_free(all);
}

static void test_filter_and_sort(void **state)
{
	static const struct {
		const char *keys;
		struct ptui_hist_filter filter;
		const char *cell;
	} ways[] = {
		{ "comm,sym", { .comms = "y" }, "y" },
		{ "comm,cpu,time", { .comms = "x" }, "x" },
		{ "comm,parent,dso", { .comm = "z" }, "z" },
		{ "pid,sym", { .tids = "3" }, "      3:x" },
		{ "dso,comm,sym", { .dsos = "lib" }, "lib" },
		{ "dso,cpu", { .dso = "kernel" }, "kernel" },
		{ "sym,time", { .symbols = "copy" }, "[.] copy" },
		{ "cpu,sym", { .by_cpu = true, .cpu = 2 }, "002" },
		{ "cpu,pid", { .cpus = "1" }, "001" },
	};

	(void)state;
	for (unsigned round = 0; round < N_ROUNDS / 4; round++) {
		struct ptui_profile *p;

		seed = 1000 + round;
		p = any_profile();
		for (size_t i = 0; i < sizeof(ways) / sizeof(ways[0]); i++)
			check_order(p, ways[i].keys, &ways[i].filter, ways[i].cell);
		ptui_profile_unref(p);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rows_of_a_loop),
		cmocka_unit_test(test_filter_and_sort),
		cmocka_unit_test(test_samples_of_rows),
		cmocka_unit_test(test_shapes_of_a_loop),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
