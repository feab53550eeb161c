/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A day on a made machine, as long as one likes: what its kernel tells, and what is true of each sample.
 *
 *	every BIRTH samples   a process is born and another one ends, each with a program of its own that
 *	                      lies in no file; some do not exec, and live on their parent's maps
 *	in the middle of it   it is called otherwise, makes code anew over old code, and starts a thread
 *	beside them           a server of eight threads that never ends: its threads are renamed, its code
 *	                      is replaced piece by piece; and programs in the kernel that come and go
 *	some callers          are nonsense, as code without frame pointers tells them: at no place twice
 *
 * A sample is a function of its number, and so is what a profile must say of it.
 */
#ifndef TESTS_UNIT_SESSION_DAY_H
#define TESTS_UNIT_SESSION_DAY_H

#include "fake/kernel.h"
#include "ptui/live.h"

#define DAY_STEP_NS 500000ull /* between two samples: two CPUs, a thousand a second each */
#define DAY_BASE_NS 10000000000ull
#define DAY_BIRTH   20 /* samples from one birth to the next */
#define DAY_LIVING  16 /* processes at a time, the server not counted */
#define DAY_DEPTH   4  /* frames of a chain, at most */

struct day {
	struct fake_kernel *kernel;
	uint64_t n; /* samples so far */
	uint64_t sideband;
	uint64_t n_beside; /* of these since the last sample */
	uint8_t *run;	   /* records that are not emitted yet */
	size_t n_run, n_records;
	int cpu;
};

/* The processes that are there before the recording: to be made before it starts. */
void day_init(struct day *d, struct fake_kernel *k);
void day_release(struct day *d);
/* What is recorded of it. */
void day_record_opts(struct ptui_record_opts *ret, const char *output);

/*
 * `n` more samples, with all that happens meanwhile. They come in runs, now on one CPU and now on the
 * other, and the next run only when the one before was read: so they arrive in order.
 */
void day_live(struct day *d, uint64_t n);

struct day_place {
	char dso[48];	 /* "[unknown]": at no map */
	char symbol[32]; /* "": without a name */
	uint64_t off;
};

/* What is true of sample `i`. */
struct day_sample {
	uint64_t time_ns;
	int cpu;
	int32_t pid, tid;
	char comm[16];
	struct day_place at, chain[DAY_DEPTH]; /* the chain innermost first */
	size_t n_chain;
};

void day_expect(uint64_t i, struct day_sample *ret);

/*
 * That each row of the profile is what was sampled then, none is there twice, and they are the last of
 * `fed` but for `left`. Then that a view of it has the rows that these samples make.
 */
void assert_day_is_true(struct ptui_profile *p, uint64_t fed, uint64_t left);

/* Bytes that the program holds from malloc(). */
size_t day_heap_bytes(void);

#endif
