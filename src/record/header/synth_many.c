/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Many processes at once. /proc is the kernel's work, a process at a time: threads take turns at
 * portions of the list, each portion has a buffer of its own, and these are put together in order.
 */
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>
#include "base/buf.h"
#include "record/header/synth.h"

#define THREADS_DEFAULT 4 /* at most, when nobody says how many */
#define PORTION_PIDS	16

struct portion {
	struct buf out;
	uint64_t n_gone, n_late;
	int result;
};

struct crowd {
	const struct synth *synth;
	const pid_t *pids;
	size_t n_pids;
	bool with_forks;
	struct portion *portions;
	size_t n_portions;
	_Atomic size_t next;
};

static void tell_portion(struct crowd *c, size_t index)
{
	struct portion *p = &c->portions[index];
	struct synth s = *c->synth;
	size_t at = index * PORTION_PIDS, end = at + PORTION_PIDS;

	s.out = &p->out;
	s.n_gone = s.n_late = 0;
	for (; at < end && at < c->n_pids && !p->result; at++)
		p->result = synth_process(&s, c->pids[at], c->with_forks);
	p->n_gone = s.n_gone;
	p->n_late = s.n_late;
}

static void *tell(void *arg)
{
	struct crowd *c = arg;
	size_t index;

	while ((index = atomic_fetch_add(&c->next, 1)) < c->n_portions)
		tell_portion(c, index);
	return NULL;
}

static unsigned how_many(const struct synth *s, size_t n_portions)
{
	unsigned n = s->threads;

	if (!n) {
		long cpus = sysconf(_SC_NPROCESSORS_ONLN);

		n = cpus < 1 ? 1 : cpus < THREADS_DEFAULT ? (unsigned)cpus : THREADS_DEFAULT;
	}
	return n < n_portions ? n : n_portions ? (unsigned)n_portions : 1;
}

/* This thread is one of them; where no other can be had, it does all of it. */
static unsigned run(struct crowd *c, unsigned n)
{
	pthread_t *threads = calloc(n, sizeof(*threads));
	unsigned i, started = 0;

	for (i = 1; threads && i < n; i++)
		if (!pthread_create(&threads[started], NULL, tell, c))
			started++;
	tell(c);
	for (i = 0; i < started; i++)
		pthread_join(threads[i], NULL);
	free(threads);
	return started + 1;
}

static int gather(struct synth *s, struct crowd *c)
{
	int ret = 0;

	for (size_t i = 0; i < c->n_portions; i++) {
		struct portion *p = &c->portions[i];

		if (!ret)
			ret = p->result ? p->result : p->out.err;
		if (!ret && p->out.len)
			buf_add(s->out, p->out.data, p->out.len);
		s->n_gone += p->n_gone;
		s->n_late += p->n_late;
		buf_release(&p->out);
	}
	return ret ? ret : s->out->err;
}

int synth_processes(struct synth *s, const pid_t *pids, size_t n, bool with_forks)
{
	struct crowd c = { .synth = s, .pids = pids, .n_pids = n, .with_forks = with_forks };
	int ret;

	c.n_portions = (n + PORTION_PIDS - 1) / PORTION_PIDS;
	c.portions = calloc(c.n_portions + 1, sizeof(*c.portions));
	if (!c.portions)
		return -ENOMEM;
	s->threads = run(&c, how_many(s, c.n_portions));
	ret = gather(s, &c);
	free(c.portions);
	return ret;
}
