/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Synthesizes many processes in parallel: reading /proc is work for the kernel, per process.
 * Threads take portions of the list; each portion has its own buffer, and the buffers are joined in
 * order.
 */
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>
#include "base/buf.h"
#include "record/header/synth.h"

#define THREADS_DEFAULT 4 /* upper limit of the default */
#define PORTION_PIDS	16

struct portion {
	struct buf out;
	uint64_t n_gone, n_late;
	int result;
};

struct synth_job {
	const struct synth *synth;
	const pid_t *pids;
	size_t n_pids;
	bool with_forks;
	struct portion *portions;
	size_t n_portions;
	_Atomic size_t next;
};

static void synth_portion(struct synth_job *c, size_t index)
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

static void *synth_portions(void *arg)
{
	struct synth_job *c = arg;
	size_t index;

	while ((index = atomic_fetch_add(&c->next, 1)) < c->n_portions)
		synth_portion(c, index);
	return NULL;
}

static unsigned n_threads(const struct synth *s, size_t n_portions)
{
	unsigned n = s->threads;

	if (!n) {
		long cpus = sysconf(_SC_NPROCESSORS_ONLN);

		n = cpus < 1 ? 1 : cpus < THREADS_DEFAULT ? (unsigned)cpus : THREADS_DEFAULT;
	}
	return n < n_portions ? n : n_portions ? (unsigned)n_portions : 1;
}

/* This thread is one of them; if no other can be created, it does all the work. */
static unsigned run_threads(struct synth_job *c, unsigned n)
{
	pthread_t *threads = calloc(n, sizeof(*threads));
	unsigned started = 0;

	for (unsigned i = 1; threads && i < n; i++)
		if (!pthread_create(&threads[started], NULL, synth_portions, c))
			started++;
	synth_portions(c);
	for (unsigned i = 0; i < started; i++)
		pthread_join(threads[i], NULL);
	free(threads);
	return started + 1;
}

static int join_buffers(struct synth *s, struct synth_job *c)
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
	struct synth_job c = { .synth = s, .pids = pids, .n_pids = n, .with_forks = with_forks };
	int ret;

	c.n_portions = (n + PORTION_PIDS - 1) / PORTION_PIDS;
	c.portions = calloc(c.n_portions + 1, sizeof(*c.portions));
	if (!c.portions)
		return -ENOMEM;
	s->threads = run_threads(&c, n_threads(s, c.n_portions));
	ret = join_buffers(s, &c);
	free(c.portions);
	return ret;
}
