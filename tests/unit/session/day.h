/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A day of any length on a fake machine: the records of its kernel, and what is true of each
 * sample.
 *
 *	every BIRTH samples   a process is born and another one ends, each with a program of its own that
 *	                      has no file; some do not exec, and keep their parent's maps
 *	in its middle         it is renamed, generates code over old code, and starts a thread
 *	besides               a server of eight threads that never ends: its threads are renamed, its code
 *	                      is replaced piece by piece; and BPF programs that come and go
 *	some callers          are bogus, as from code without frame pointers: never twice at one address
 *
 * A sample is a function of its number, and so is what a profile must contain of it.
 */
#ifndef TESTS_UNIT_SESSION_DAY_H
#define TESTS_UNIT_SESSION_DAY_H

#include "fake/kernel.h"
#include "ptui/live.h"

#define DAY_STEP_NS 500000ull /* between two samples: two CPUs at 1000 Hz */
#define DAY_BASE_NS 10000000000ull
#define DAY_BIRTH   20 /* samples between two births */
#define DAY_LIVING  16 /* processes at a time, without the server */
#define DAY_DEPTH   4  /* maximum depth of chains */

struct day {
	struct fake_kernel *kernel;
	uint64_t n; /* samples so far */
	uint64_t sideband;
	uint64_t n_beside; /* sideband records since the last sample */
	uint8_t *run;	   /* records that are not emitted yet */
	size_t n_run, n_records;
	int cpu;
};

/* The processes that exist before the recording; to be called before it starts. */
void day_init(struct day *d, struct fake_kernel *k);
void day_release(struct day *d);
/* The options of the recording. */
void day_record_opts(struct ptui_record_opts *ret, const char *output);

/*
 * Emits `n` more samples, with the records in between. They come in runs, alternating between two
 * CPUs; a run starts only when the previous one was read, so they arrive in order.
 */
void day_live(struct day *d, uint64_t n);

struct day_place {
	char dso[48];	 /* "[unknown]": no map */
	char symbol[32]; /* "": no name */
	uint64_t off;
};

/* The expected sample `i`. */
struct day_sample {
	uint64_t time_ns;
	int cpu;
	int32_t pid, tid;
	char comm[16];
	struct day_place at, chain[DAY_DEPTH]; /* chain: innermost first */
	size_t n_chain;
};

void day_expect(uint64_t i, struct day_sample *ret);

/*
 * Checks that each row of the profile is an expected sample, none twice, and that they are the last
 * of `fed` except `left`; then that a view of it has the rows of these samples.
 */
void assert_day_is_true(struct ptui_profile *p, uint64_t fed, uint64_t left);

/* Bytes allocated with malloc(). */
size_t day_heap_bytes(void);

#endif
