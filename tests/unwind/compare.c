/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * compare FILE [ROUNDS]: unwinds each dumped stack of a recording with ptui's unwinder, libunwind and libdwfl,
 * and prints how many are the same, by how ptui's ended, and what a frame costs each. -v prints the first
 * stacks that differ, -o unwinds with ptui's alone.
 *
 *	same       the same addresses
 *	longer     ptui has all of the other's, and more, and reached a start function
 *	differ     anything else
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "unwind/recording.h"

enum verdict {
	SAME,
	LONGER,
	DIFFER,
	VERDICTS,
};

static const char *const end_names[UNWIND_ENDS] = {
	[UNWIND_START] = "start",	[UNWIND_MAX] = "max",
	[UNWIND_DUMP_END] = "dump_end", [UNWIND_OTHER_STACK] = "other_stack",
	[UNWIND_NO_MAP] = "no_map",	[UNWIND_NO_ROW] = "no_row",
	[UNWIND_BAD] = "bad",		[UNWIND_NO_REGS] = "no_regs",
};

struct reference {
	const char *name;
	unsigned long verdicts[UNWIND_ENDS][VERDICTS];
	unsigned long printed;
	double seconds;
	unsigned long frames;
};

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static enum verdict judge(const struct stack *ours, const struct unwind_result *r,
			  const struct stack *theirs)
{
	uint32_t n = ours->n < theirs->n ? ours->n : theirs->n;

	if (memcmp(ours->addrs, theirs->addrs, n * sizeof(ours->addrs[0])) != 0)
		return DIFFER;
	if (ours->n == theirs->n)
		return SAME;
	return ours->n > theirs->n && r->end == UNWIND_START ? LONGER : DIFFER;
}

static void print_frame(struct recording *r, const struct stack *s, uint32_t i)
{
	const struct machine_map *map;
	uint64_t bias = 0;
	struct module *m = i < s->n ? recording_module(r, s->addrs[i], &map, &bias) : NULL;

	if (i >= s->n)
		printf("  %-50s", "-");
	else
		printf("  %-30.30s %#-18llx", m ? m->path : "?",
		       (unsigned long long)(s->addrs[i] - bias));
}

static void print_both(struct recording *r, const char *name, const struct stack *ours,
		       const struct unwind_result *result, const struct stack *theirs)
{
	uint32_t n = ours->n > theirs->n ? ours->n : theirs->n;

	printf("ptui (%s)%*s%s\n", end_names[result->end], 45, "", name);
	for (uint32_t i = 0; i < n; i++) {
		bool equal = i < ours->n && i < theirs->n && ours->addrs[i] == theirs->addrs[i];

		print_frame(r, ours, i);
		print_frame(r, theirs, i);
		printf("%s\n", equal ? "" : "  <--");
	}
}

/*
 * Each sample is copied first, as a reader of files does: then it is in the processor's caches. What only
 * that costs (u NULL) is not part of the result.
 */
static double unwind_all(struct recording *r, struct unwinder *u, struct stack *stacks,
			 struct unwind_result *results)
{
	static uint8_t copy[65536];
	double began = now();

	for (size_t i = 0; i < r->n; i++) {
		struct unwind_sample s = r->v[i].sample;

		r->now = &r->v[i];
		if (s.stack_bytes <= sizeof(copy))
			s.stack = memcpy(copy, s.stack, s.stack_bytes);
		if (!u)
			continue;
		unwind_stack(u, &s, stacks[i].addrs, FRAMES_MAX, &results[i]);
		stacks[i].n = results[i].n;
	}
	return now() - began;
}

static void compare_one(struct recording *r, struct reference *ref, const struct stack *ours,
			const struct unwind_result *result, const struct stack *theirs,
			bool verbose, bool *ret_agrees)
{
	enum verdict v = judge(ours, result, theirs);

	ref->verdicts[result->end][v]++;
	ref->frames += theirs->n;
	*ret_agrees |= v != DIFFER;
	if (v == DIFFER && verbose && ref->printed++ < 12)
		print_both(r, ref->name, ours, result, theirs);
}

static void compare_all(struct recording *r, const struct stack *ours,
			const struct unwind_result *results, struct reference refs[2], bool verbose,
			bool *agrees)
{
	struct by_libunwind *a = by_libunwind_new(r);
	struct by_libdwfl *b = by_libdwfl_new(r);
	struct stack theirs;

	for (size_t i = 0; a && i < r->n; i++) {
		double began = now();

		r->now = &r->v[i];
		by_libunwind_stack(a, &theirs);
		refs[0].seconds += now() - began;
		compare_one(r, &refs[0], &ours[i], &results[i], &theirs, verbose, &agrees[i]);
	}
	for (size_t i = 0; b && i < r->n; i++) {
		double began = now();

		r->now = &r->v[i];
		by_libdwfl_stack(b, &theirs);
		refs[1].seconds += now() - began;
		compare_one(r, &refs[1], &ours[i], &results[i], &theirs, verbose, &agrees[i]);
	}
	by_libunwind_free(a);
	by_libdwfl_free(b);
}

static void print_reference(const struct reference *ref, size_t n)
{
	unsigned long good = 0;

	printf("%-10s %10s %10s %10s %10s\n", ref->name, "end", "same", "longer", "differ");
	for (int end = 0; end < UNWIND_ENDS; end++) {
		const unsigned long *v = ref->verdicts[end];

		good += v[SAME] + v[LONGER];
		if (v[SAME] + v[LONGER] + v[DIFFER])
			printf("%-10s %10s %10lu %10lu %10lu\n", "", end_names[end], v[SAME],
			       v[LONGER], v[DIFFER]);
	}
	printf("agree %s %.4f %% of %zu\n", ref->name, n ? 100.0 * (double)good / (double)n : 0, n);
	printf("cost %s %.0f ns/frame\n", ref->name,
	       1e9 * ref->seconds / (double)(ref->frames ? ref->frames : 1));
}

static void print_ours(const struct recording *r, const struct unwind_result *results)
{
	unsigned long ends[UNWIND_ENDS] = { 0 }, guessed = 0;
	size_t tables = 0, bytes = 0;

	for (size_t i = 0; i < r->n; i++) {
		ends[results[i].end]++;
		guessed += results[i].n_guessed != 0;
	}
	for (int end = 0; end < UNWIND_ENDS; end++)
		if (ends[end])
			printf("end %s %lu\n", end_names[end], ends[end]);
	printf("guessed %lu\n", guessed);
	for (size_t i = 0; i < machine_n_modules(r->machine); i++) {
		if (!r->modules[i].table)
			continue;
		tables++;
		bytes += unwind_table_bytes(r->modules[i].table);
	}
	printf("tables %zu, %zu KB\n", tables, bytes / 1024);
}

static int compare(struct recording *r, int rounds, bool only_ours, bool verbose)
{
	struct stack *stacks = calloc(r->n + 1, sizeof(*stacks));
	struct unwind_result *results = calloc(r->n + 1, sizeof(*results));
	struct reference refs[2] = { { .name = "libunwind" }, { .name = "libdwfl" } };
	bool *agrees = calloc(r->n + 1, sizeof(*agrees));
	unsigned long frames = 0, differ = 0;

	if (!stacks || !results || !agrees)
		return 1;
	for (int round = 0; round < rounds; round++) {
		struct unwinder *u = unwinder_new(recording_find, r);
		double copying = unwind_all(r, NULL, stacks, results);
		double seconds = u ? unwind_all(r, u, stacks, results) - copying : 0;

		frames = 0;
		for (size_t i = 0; i < r->n; i++)
			frames += stacks[i].n;
		/* In the first round the files are opened as well. */
		printf("cost ptui %.0f ns/frame (%lu frames, round %d)\n",
		       1e9 * seconds / (double)(frames ? frames : 1), frames, round);
		unwinder_free(u);
	}
	print_ours(r, results);
	if (!only_ours) {
		compare_all(r, stacks, results, refs, verbose, agrees);
		print_reference(&refs[0], r->n);
		print_reference(&refs[1], r->n);
		for (size_t i = 0; i < r->n; i++)
			differ += !agrees[i];
		printf("agree either differ %lu of %zu\n", differ, r->n);
	}
	free(stacks);
	free(results);
	free(agrees);
	return 0;
}

int main(int argc, char **argv)
{
	struct recording r;
	bool verbose = argc > 1 && !strcmp(argv[1], "-v");
	bool only_ours = argc > 1 && !strcmp(argv[1], "-o");
	int ret;

	argv += verbose || only_ours;
	argc -= verbose || only_ours;
	if (argc < 2 || recording_read(&r, argv[1]))
		return 2;
	ret = compare(&r, argc > 2 ? atoi(argv[2]) : 2, only_ours, verbose);
	recording_release(&r);
	return ret;
}
