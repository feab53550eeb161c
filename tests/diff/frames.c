/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Compares the stacks of a recording with those of perf:
 *
 *   perf script --no-inline -i FILE -F tid,time,ip | frames [-v] FILE
 *
 * Prints "NAME COUNT" lines: samples, how ours end, frames of perf, and how many of them are at the same
 * place in ours. Samples that differ are counted by class, and so are perf's frames in them that differ:
 *
 *   perf-stops   ours has all of perf's frames and goes on, to a start or the end of the copy
 *   perf-skips   as before, and ours has others between them: where perf finds no call frame information, it
 *                follows frame pointers
 *   perf-guesses ours goes on as before, and has all of perf's frames but the last, which is nonsense
 *   unmapped     ours ends in an address that is not mapped, which perf leaves out, as while a process execs
 *   by-one       only addresses of signal trampolines differ: perf shows them minus one, like those of callers
 *   we-stop      perf's stack has more frames
 *   other
 *
 * perf shows the end of a stack that is longer than its copy as ffffffffffffffff, which is not compared.
 * With -v the stacks that differ are printed as well.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/perf_abi.h"
#include "base/vec.h"
#include "data/read/reader.h"
#include "session/builder.h"
#include "session/buildid/buildid_table.h"

struct stack {
	uint64_t time_us;
	uint32_t tid, place; /* place in the file: the last tie breaker */
	uint8_t how;
	size_t first, n; /* of addrs */
};

struct stacks_of {
	struct stack *v;
	size_t n, cap;
	uint64_t *addrs;
	size_t n_addrs, cap_addrs;
};

static void fail(const char *what)
{
	fprintf(stderr, "frames: %s\n", what);
	exit(2);
}

static struct stack *stack_begin(struct stacks_of *s, uint64_t time_us, uint32_t tid)
{
	if (vec_grow(&s->v, &s->cap, s->n + 1))
		fail("out of memory");
	s->v[s->n] = (struct stack){
		.time_us = time_us, .tid = tid, .place = (uint32_t)s->n, .first = s->n_addrs
	};
	return &s->v[s->n++];
}

static void stack_push(struct stacks_of *s, uint64_t addr)
{
	if (vec_grow(&s->addrs, &s->cap_addrs, s->n_addrs + 1))
		fail("out of memory");
	s->addrs[s->n_addrs++] = addr;
	s->v[s->n - 1].n++;
}

static int stack_order(const void *va, const void *vb)
{
	const struct stack *a = va, *b = vb;

	if (a->time_us != b->time_us)
		return a->time_us < b->time_us ? -1 : 1;
	if (a->tid != b->tid)
		return a->tid < b->tid ? -1 : 1;
	return a->place < b->place ? -1 : 1;
}

/* "  4711   123.456789: " and below it lines of an address each, or all in one line without a chain. */
static void read_perf(struct stacks_of *s)
{
	char line[4096];
	unsigned long long sec, us, addr;
	unsigned tid;

	while (fgets(line, sizeof(line), stdin)) {
		int end = 0;

		if (sscanf(line, " %u %llu.%6llu:%n", &tid, &sec, &us, &end) == 3 && end) {
			stack_begin(s, sec * 1000000 + us, tid);
			if (sscanf(line + end, "%llx", &addr) == 1)
				stack_push(s, addr);
		} else if (s->n && sscanf(line, "%llx", &addr) == 1) {
			stack_push(s, addr);
		}
	}
}

static void add_sample(struct stacks_of *s, struct builder *b, const struct data_record *rec,
		       const struct data_sample *sample)
{
	uint64_t when = b->timed ? sample->time_ns : rec->seq;
	const struct data_event *e = data_event(b->file, sample->event);
	struct chain_user user = { NULL, 0, false };
	uint8_t how;
	int given = user_chain_get(&b->user_chains, e, sample, when, &user, &how);

	stack_begin(s, sample->time_ns / 1000, (uint32_t)sample->tid)->how = how;
	for (uint32_t i = 0; i < sample->n_chain; i++) {
		if (given && sample->chain[i] == (uint64_t)PERF_CONTEXT_USER)
			break;
		if (sample->chain[i] < (uint64_t)PERF_CONTEXT_MAX)
			stack_push(s, sample->chain[i]);
	}
	/* perf prints what it unwinds as offsets in files */
	for (size_t i = 0; given && i < user.n; i++) {
		uint64_t addr = user.addrs[i];
		const struct machine_map *map = machine_find_map(b->machine, sample->pid, when,
								 addr);

		stack_push(s, map ? addr - map->start + map->pgoff : addr);
	}
}

/* Reads a file as the session does, but collects only the frames. */
static void read_file(struct stacks_of *s, struct data_file *f)
{
	const struct builder_opts opts = { .file = f,
					   .resolver = { .roots = &roots_system },
					   .max_rows = STORE_UNBOUNDED };
	struct data_walk *sideband = data_walk_new(f, NULL), *samples;
	struct data_record rec;
	struct data_sample sample;
	struct builder b;

	if (builder_init(&b, &opts) || !sideband)
		fail("out of memory");
	b.timed = builder_is_timed(f);
	while (data_walk_next(sideband, false, &rec, NULL) == 0)
		builder_add_record(&b, &rec);
	b.resolver_opts.kernel_release = data_feature_text(f, PTUI_FEAT_OSRELEASE);
	b.resolver_opts.arch = data_feature_text(f, PTUI_FEAT_ARCH);
	b.resolver_opts.hostname = data_feature_text(f, PTUI_FEAT_HOSTNAME);
	b.resolver_opts.recorded_ns = data_mtime_ns(f);
	for (size_t i = 0; i < data_n_events(f); i++)
		builder_add_event(&b, data_event(f, i));
	buildid_add_recorded(f, b.machine, b.store.names);
	builder_seal(&b, UINT64_MAX);
	samples = data_walk_new(f, NULL);
	while (samples && data_walk_next(samples, true, &rec, NULL) == 0)
		if (rec.type == PERF_RECORD_SAMPLE && !data_walk_sample(samples, &rec, &sample))
			add_sample(s, &b, &rec, &sample);
	data_walk_free(sideband);
	data_walk_free(samples);
	builder_release(&b);
}

/* ---- comparing ---- */

enum difference {
	SAME,
	PERF_STOPS,
	PERF_SKIPS,
	PERF_GUESSES,
	UNMAPPED,
	BY_ONE,
	WE_STOP,
	OTHER,
	CLASSES
};

static const char *const class_names[CLASSES] = { "same",	  "perf-stops", "perf-skips",
						  "perf-guesses", "unmapped",	"by-one",
						  "we-stop",	  "other" };
static const char *const how_names[STACK_HOWS] = { "recorded",	  "reached",	 "cut",
						   "truncated",	  "other-stack", "broken",
						   "not-unwound", "lost",	 "late" };

struct counts {
	uint64_t frames, equal, samples[CLASSES], differ[CLASSES], hows[STACK_HOWS], init;
};

static void print_stack(const struct stacks_of *s, const struct stack *k, const char *whose)
{
	printf("# %s %u %" PRIu64 ".%06" PRIu64 " %s:", whose, k->tid, k->time_us / 1000000,
	       k->time_us % 1000000, how_names[k->how & STACK_HOW_MASK]);
	for (size_t i = 0; i < k->n; i++)
		printf(" %" PRIx64, s->addrs[k->first + i]);
	printf("\n");
}

/* Whether each of a's is in b, in the same order. */
static bool is_subsequence(const uint64_t *a, size_t n_a, const uint64_t *b, size_t n_b)
{
	size_t at = 0;

	for (size_t i = 0; i < n_b && at < n_a; i++)
		at += a[at] == b[i];
	return at == n_a;
}

static enum difference classify(const struct stacks_of *perf, const struct stack *p,
				const struct stacks_of *ours, const struct stack *o,
				size_t *ret_equal)
{
	size_t both = p->n < o->n ? p->n : o->n, equal = 0, near = 0;
	const uint64_t *pa = perf->addrs + p->first, *oa = ours->addrs + o->first;
	unsigned how = o->how & STACK_HOW_MASK;

	for (size_t i = 0; i < both; i++) {
		equal += pa[i] == oa[i];
		near += pa[i] == oa[i] || pa[i] == oa[i] - 1;
	}
	*ret_equal = equal;
	if (equal == p->n && equal == o->n)
		return SAME;
	if (near == p->n && near == o->n)
		return BY_ONE;
	if (near == p->n && how == STACK_BROKEN)
		return p->n + 1 == o->n ? UNMAPPED : OTHER;
	if (near == p->n)
		return PERF_STOPS;
	if (how != STACK_BROKEN && is_subsequence(pa, p->n, oa, o->n))
		return PERF_SKIPS;
	if (p->n && p->n <= o->n && how != STACK_BROKEN && is_subsequence(pa, p->n - 1, oa, o->n))
		return PERF_GUESSES;
	return near == o->n ? WE_STOP : OTHER;
}

/*
 * .init has no call frame information. It is the first section of its page, which its first instruction is
 * often the first to touch: a short run has such a sample now and then.
 */
static bool ends_in_init(const struct stacks_of *s, const struct stack *k)
{
	size_t n_user = 0;

	for (size_t i = 0; i < k->n; i++)
		n_user += s->addrs[k->first + i] >> 63 == 0;
	return (k->how & STACK_HOW_MASK) == STACK_BROKEN && n_user == 1 &&
	       s->addrs[k->first + k->n - 1] % 4096 == 0;
}

static void compare(const struct stacks_of *perf, struct stack *p, const struct stacks_of *ours,
		    const struct stack *o, struct counts *c, bool verbose)
{
	enum difference class;
	size_t equal;

	if (p->n && perf->addrs[p->first + p->n - 1] == UINT64_MAX)
		p->n--;
	class = classify(perf, p, ours, o, &equal);
	c->frames += p->n;
	c->equal += equal;
	c->samples[class]++;
	c->differ[class] += p->n - equal;
	c->hows[o->how & STACK_HOW_MASK]++;
	c->init += ends_in_init(ours, o);
	if (verbose && (class != SAME || (o->how & STACK_HOW_MASK) == STACK_BROKEN)) {
		printf("# %s\n", class_names[class]);
		print_stack(perf, p, "perf");
		print_stack(ours, o, "ptui");
	}
}

int main(int argc, char **argv)
{
	bool verbose = argc == 3 && !strcmp(argv[1], "-v");
	struct ptui_error err = PTUI_ERROR_INIT;
	struct stacks_of perf = { .n = 0 }, ours = { .n = 0 };
	struct counts c = { .frames = 0 };
	struct data_file *f;

	if (argc != 2 + verbose)
		fail("give a file");
	f = data_open(argv[argc - 1], &err, NULL);
	if (!f)
		fail(err.text);
	read_perf(&perf);
	read_file(&ours, f);
	data_close(f);
	if (perf.n != ours.n || !perf.n) {
		fprintf(stderr, "frames: perf has %zu samples, we have %zu\n", perf.n, ours.n);
		return 1;
	}
	qsort(perf.v, perf.n, sizeof(*perf.v), stack_order);
	qsort(ours.v, ours.n, sizeof(*ours.v), stack_order);
	for (size_t i = 0; i < perf.n; i++)
		compare(&perf, &perf.v[i], &ours, &ours.v[i], &c, verbose);
	printf("samples %zu\nframes %" PRIu64 "\nequal %" PRIu64 "\n", perf.n, c.frames, c.equal);
	for (int i = STACK_RECORDED; i < STACK_HOWS; i++)
		printf("%s %" PRIu64 "\n", how_names[i], c.hows[i]);
	printf("init %" PRIu64 "\n", c.init);
	for (int i = SAME; i < CLASSES; i++)
		printf("%s %" PRIu64 " %" PRIu64 "\n", class_names[i], c.samples[i], c.differ[i]);
	free(perf.v);
	free(perf.addrs);
	free(ours.v);
	free(ours.addrs);
	return 0;
}
