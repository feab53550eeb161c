/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A thread that reads symbols while samples are resolved.
 *
 *   resolve: first frame of a module --> job: QUEUED --thread--> RUNNING --> DONE
 *   the recorded kernel, before all ---^
 *   symbolize: takes the module's job; one that is still queued is done at once, and one that runs is waited for
 *
 * Jobs use what does not change while the resolver lives. What they find is the same in any thread,
 * so the symbols do not depend on which one does them.
 */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include "base/thread.h"
#include "resolve/private.h"

/* The symbols of a file, or kallsyms. */
struct job {
	struct job *next;
	enum { JOB_QUEUED, JOB_RUNNING, JOB_DONE } state;
	uint32_t dso;
	struct file_symbols *file; /* NULL: kallsyms */
	char *path;		   /* of kallsyms */
	struct kallsyms *k;
	struct ptui_error err;
	bool read; /* kallsyms: k or err is set */
};

struct preload {
	const struct resolver *r;
	uint8_t kernel_id[DSO_BUILD_ID_MAX];
	uint8_t kernel_id_bytes;
	bool has_kernel; /* its job was added, or there is none for it */
	pthread_t thread;
	pthread_mutex_t lock;
	pthread_cond_t changed;
	struct job *jobs, **end; /* in the order of their frames; the last next pointer */
	bool ended;
};

static void job_free(struct job *job)
{
	file_symbols_free(job->file);
	kallsyms_finish(job->k);
	free(job->path);
	free(job);
}

static void job_run(const struct preload *p, struct job *job)
{
	if (job->file) {
		file_symbols_read(job->file);
	} else if (p->r->kallsyms ||
		   !kernel_finds_vmlinux(p->r, p->kernel_id, p->kernel_id_bytes)) {
		job->k = kallsyms_read(job->path, &job->err);
		job->read = true;
	}
}

static struct job *next_queued(const struct preload *p)
{
	struct job *job = p->jobs;

	while (job && job->state != JOB_QUEUED)
		job = job->next;
	return job;
}

static void *preload_main(void *ctx)
{
	struct preload *p = ctx;
	struct job *job;

	pthread_mutex_lock(&p->lock);
	for (;;) {
		while (!p->ended && !next_queued(p))
			pthread_cond_wait(&p->changed, &p->lock);
		if (p->ended)
			break;
		job = next_queued(p);
		job->state = JOB_RUNNING;
		pthread_mutex_unlock(&p->lock);
		job_run(p, job);
		pthread_mutex_lock(&p->lock);
		job->state = JOB_DONE;
		pthread_cond_broadcast(&p->changed);
	}
	pthread_mutex_unlock(&p->lock);
	return NULL;
}

static void preload_free(struct preload *p)
{
	struct job *next;

	for (struct job *job = p->jobs; job; job = next) {
		next = job->next;
		job_free(job);
	}
	pthread_mutex_destroy(&p->lock);
	pthread_cond_destroy(&p->changed);
	free(p);
}

void resolver_preload(struct resolver *r)
{
	struct preload *p = r->preload ? NULL : calloc(1, sizeof(*p));

	if (!p)
		return;
	p->r = r;
	p->end = &p->jobs;
	pthread_mutex_init(&p->lock, NULL);
	pthread_cond_init(&p->changed, NULL);
	if (thread_start(&p->thread, preload_main, p))
		preload_free(p);
	else
		r->preload = p;
}

void preload_finish(struct resolver *r)
{
	struct preload *p = r->preload;

	if (!p)
		return;
	pthread_mutex_lock(&p->lock);
	p->ended = true;
	pthread_cond_broadcast(&p->changed);
	pthread_mutex_unlock(&p->lock);
	pthread_join(p->thread, NULL);
	preload_free(p);
	r->preload = NULL;
}

/* ---- jobs ---- */

/* Symbols that come from a file at its path, as dso_load() decides. */
static bool is_plain_file(const struct resolver *r, uint32_t dso)
{
	const struct module_ref *ref = machine_module(r->m, dso);

	return !r->n_given && !ref->kernel && ref->pid < 0 && !r->work[dso].vdso && !ref->memory &&
	       !ref->ksymbol && !jit_is_dump(r, dso);
}

/* Takes over the file or the path; both NULL: there is nothing to do. */
static void add_job(struct preload *p, uint32_t dso, struct file_symbols *file, char *path)
{
	struct job *job = file || path ? calloc(1, sizeof(*job)) : NULL;

	if (!job) {
		file_symbols_free(file);
		free(path);
		return;
	}
	*job = (struct job){ .dso = dso, .file = file, .path = path, .err = PTUI_ERROR_INIT };
	pthread_mutex_lock(&p->lock);
	*p->end = job;
	p->end = &job->next;
	pthread_cond_broadcast(&p->changed);
	pthread_mutex_unlock(&p->lock);
}

/* `dso` may be PTUI_NONE: there is no module of the kernel yet. */
static void add_kernel(struct resolver *r, uint32_t dso, const uint8_t *id, uint8_t id_bytes)
{
	struct preload *p = r->preload;

	/* once: the thread looks at it without the lock */
	if (p->has_kernel || r->n_given)
		return;
	p->has_kernel = true;
	p->kernel_id_bytes = id_bytes;
	memcpy(p->kernel_id, id, id_bytes);
	add_job(p, dso, NULL, kernel_kallsyms_path(r, id, id_bytes));
}

void preload_module(struct resolver *r, uint32_t dso)
{
	r->work[dso].preloaded = true;
	if (is_plain_file(r, dso))
		add_job(r->preload, dso, file_symbols_new(r, dso), NULL);
	else if (dso_name_is_kernel(r->names, machine_module(r->m, dso)))
		add_kernel(r, dso, r->dsos[dso].build_id, r->dsos[dso].build_id_bytes);
}

void resolver_preload_kernel(struct resolver *r, const uint8_t *id, uint8_t id_bytes)
{
	if (r->preload && id_bytes <= DSO_BUILD_ID_MAX)
		add_kernel(r, PTUI_NONE, id, id_bytes);
}

/* Returns once it is done. */
static void job_finish(struct preload *p, struct job *job)
{
	bool queued;

	pthread_mutex_lock(&p->lock);
	while (job->state == JOB_RUNNING)
		pthread_cond_wait(&p->changed, &p->lock);
	queued = job->state == JOB_QUEUED;
	job->state = JOB_DONE;
	pthread_mutex_unlock(&p->lock);
	if (queued)
		job_run(p, job);
}

void resolver_preload_wait(struct resolver *r, uint32_t dso)
{
	struct preload *p = r->preload;
	struct job *job;

	if (!p)
		return;
	pthread_mutex_lock(&p->lock);
	job = p->jobs;
	while (job && (job->dso != dso || job->state == JOB_DONE))
		job = job->next;
	pthread_mutex_unlock(&p->lock);
	if (job)
		job_finish(p, job);
}

struct file_symbols *preload_take(struct resolver *r, uint32_t dso)
{
	struct job *job = r->preload ? r->preload->jobs : NULL;
	struct file_symbols *file;

	while (job && (job->dso != dso || !job->file))
		job = job->next;
	if (!job)
		return NULL;
	job_finish(r->preload, job);
	file = job->file;
	job->file = NULL;
	return file;
}

bool preload_take_kallsyms(struct resolver *r, const char *path, struct kallsyms **ret,
			   struct ptui_error *err)
{
	struct job *job = r->preload ? r->preload->jobs : NULL;

	while (job && (!job->path || strcmp(job->path, path)))
		job = job->next;
	if (!job)
		return false;
	job_finish(r->preload, job);
	if (!job->read)
		return false;
	*ret = job->k;
	*err = job->err;
	job->k = NULL;
	job->read = false;
	return true;
}
