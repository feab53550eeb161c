/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Loading a recording: its thread, and the progress screen until there are rows. */
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "model/browser/browser_state.h"
#include "text/i18n.h"
#include "view/browser/browser_private.h"
#include "widget/line.h"
#include "widget/popup.h"

#define LOOK_MS	     50 /* interval of progress updates, and of looks for rows */
#define ASK_SAMPLES  64 /* between two looks at the clock */
#define FIRST_NS     150000000ull
#define INTERVAL_NS  500000000ull /* between two partial profiles, at least … */
#define INTERVAL_ALL 5 /* … this part of the time so far, so that counting does not take over */

/* Data of the thread. */
struct load_task {
	struct words texts, more; /* of all below; opts.more */
	const char *path;
	const char *keys[3]; /* that name fields of tracepoints */
	struct ptui_load_opts opts;
	struct ptui_profile *(*source)(const char *path, const struct ptui_load_opts *opts,
				       struct ptui_error *err, int *ret_error);
	struct ptui_profile *profile;
	struct ptui_error err;
	int ret;
	uint64_t began_ns, next_ns;

	pthread_mutex_t lock;	      /* of all below */
	struct ptui_profile *partial; /* not shown yet; NULL: none */
};

struct browser_loading {
	struct stack *stack;
	struct browser_screen *browser; /* gets the profiles; NULL: this is the screen, … */
	struct browser_load what;	/* … for which its path and name are copies, … */
	struct words texts;		/* … in these */
	struct worker *worker;		/* NULL: it has ended */
	struct load_task *task;		/* the worker's */
	/* the result, until the Browser takes it */
	bool ended;
	struct ptui_profile *all; /* NULL: loading failed */
	struct ptui_error err;
	unsigned timer;
};

/* ---- in the thread ---- */

/* Only when the one before is shown, so that the rows so far cost little time. */
static bool partial_wanted(void *ctx, uint64_t samples)
{
	struct load_task *t = ctx;
	uint64_t now_ns;
	bool wanted;

	if (samples % ASK_SAMPLES)
		return false;
	now_ns = clock_monotonic_ns();
	if (now_ns < t->next_ns)
		return false;
	pthread_mutex_lock(&t->lock);
	wanted = !t->partial;
	pthread_mutex_unlock(&t->lock);
	return wanted;
}

static void take_partial(void *ctx, struct ptui_profile *p)
{
	struct load_task *t = ctx;
	struct ptui_profile *before;
	uint64_t now_ns = clock_monotonic_ns(), part_ns = (now_ns - t->began_ns) / INTERVAL_ALL;

	pthread_mutex_lock(&t->lock);
	before = t->partial;
	t->partial = p;
	pthread_mutex_unlock(&t->lock);
	ptui_profile_unref(before);
	t->next_ns = now_ns + (part_ns > INTERVAL_NS ? part_ns : INTERVAL_NS);
}

static void load_run(void *task, struct worker *w)
{
	struct load_task *t = task;

	t->began_ns = clock_monotonic_ns();
	t->next_ns = t->began_ns + FIRST_NS;
	t->opts.progress = worker_progress;
	t->opts.progress_ctx = w;
	t->profile = t->source(t->path, &t->opts, &t->err, &t->ret);
}

static void load_release(void *task)
{
	struct load_task *t = task;

	ptui_profile_unref(t->profile);
	ptui_profile_unref(t->partial);
	pthread_mutex_destroy(&t->lock);
	words_release(&t->texts);
	words_release(&t->more);
	free(t);
}

void load_opts_keep(struct ptui_load_opts *o, struct words *texts)
{
	o->unnamed_functions = true; /* on all screens: single addresses say little */
	o->symfs = words_keep(texts, o->symfs);
	o->kernel.kallsyms = words_keep(texts, o->kernel.kallsyms);
	o->kernel.vmlinux = words_keep(texts, o->kernel.vmlinux);
	o->buildid_dir = words_keep(texts, o->buildid_dir);
}

static struct load_task *load_task_new(const struct browser_load *what)
{
	struct load_task *t = calloc(1, sizeof(*t));

	if (!t)
		return NULL;
	t->opts = what->load;
	load_opts_keep(&t->opts, &t->texts);
	t->path = words_keep(&t->texts, what->path);
	for (size_t i = 0; i < t->opts.n_more; i++)
		words_add(&t->more, what->load.more[i]);
	t->opts.more = (const char *const *)t->more.v;
	t->opts.cycles = true;
	if (!what->opts.hist.sort && !what->opts.hist.fields && browser_state_has_fields())
		t->opts.extras |= PTUI_EXTRA_FIELDS;
	t->ret = -ENOMEM;
	t->source = what->source ? what->source : ptui_profile_load;
	pthread_mutex_init(&t->lock, NULL);
	/* the hottest function is known only at the end */
	if (!what->opts.annotates) {
		t->opts.partial_wanted = partial_wanted;
		t->opts.partial = take_partial;
		t->opts.partial_ctx = t;
	}
	if (!t->texts.failed && !t->more.failed)
		return t;
	load_release(t);
	return NULL;
}

/* ---- on the loop ---- */

/* NULL: none is new. */
static struct ptui_profile *newest_partial(struct browser_loading *l)
{
	struct ptui_profile *p = NULL;

	/* the thread may have lost its CPU while it has the lock: then at the next look */
	if (l->task && !pthread_mutex_trylock(&l->task->lock)) {
		p = l->task->partial;
		l->task->partial = NULL;
		pthread_mutex_unlock(&l->task->lock);
	}
	return p;
}

void browser_loading_free(struct browser_loading *l)
{
	if (!l)
		return;
	worker_abandon(&l->worker);
	loop_remove(stack_loop(l->stack), l->timer);
	ptui_profile_unref(l->all);
	words_release(&l->texts);
	free(l);
}

/* Closes the screen, if it is still there; `l` is freed. */
static void load_failed(struct browser_loading *l, const struct browser_load *of,
			struct stack *stack, int ret, const struct ptui_error *err)
{
	struct browser_load what = *of;

	stack_remove(stack, l);
	if (what.failed)
		what.failed(what.ctx, ret, err);
	else if (ret != -ECANCELED)
		popup_error(stack, err);
}

/* The Browser takes over; if `more` follows, with `l`, which is freed otherwise. False: it failed, and `l` is freed. */
static bool open_on(struct browser_loading *l, struct ptui_profile *p, bool more,
		    struct ptui_error *err)
{
	/* copies: `l` is closed while the Browser replaces it */
	struct browser_load what = l->what;
	struct stack *stack = l->stack;

	if (browser_replace(stack, l, p, what.name, &what.opts, more ? l : NULL, err))
		return true;
	load_failed(l, &what, stack, -ENOMEM, err);
	return false;
}

/* Whether it has samples, of the event to begin with. */
static bool is_showable(const struct browser_loading *l, const struct ptui_profile *p)
{
	const char *event = l->what.opts.event;

	for (uint32_t i = 0; i < ptui_profile_n_events(p); i++)
		if (ptui_profile_event(p, i)->samples &&
		    (!event || !strcmp(event, ptui_profile_event(p, i)->name)))
			return true;
	return false;
}

/* False: `l` is freed. */
static bool show_partial(struct browser_loading *l, struct ptui_error *err)
{
	struct ptui_profile *p = newest_partial(l);
	bool ret = !p || !is_showable(l, p) || open_on(l, p, true, err);

	ptui_profile_unref(p);
	return ret;
}

static void load_look(void *ctx)
{
	struct browser_loading *l = ctx;
	struct ptui_error err = PTUI_ERROR_INIT;
	struct ptui_profile *p;

	if (!l->browser) {
		stack_wish(l->stack, l, WISH_REDRAW);
		(void)show_partial(l, &err);
		return;
	}
	if (!browser_can_replace(l->browser)) {
		stack_wish(l->stack, l->browser, WISH_REDRAW);
		return;
	}
	if (l->ended) {
		browser_loaded(l->browser, l->all, &l->err); /* frees `l` */
		return;
	}
	p = newest_partial(l);
	if (p)
		browser_set_newer(l->browser, p);
	else
		stack_wish(l->stack, l->browser, WISH_REDRAW);
	ptui_profile_unref(p);
}

static void load_done(void *task, void *owner)
{
	struct browser_loading *l = owner;
	struct load_task *t = task;
	struct ptui_profile *partial;

	/* what could be read before an error */
	if (!l->browser && !t->profile && !show_partial(l, &t->err))
		return;
	if (!l->browser) {
		l->task = NULL;
		if (t->profile)
			(void)open_on(l, t->profile, false, &t->err);
		else
			load_failed(l, &l->what, l->stack, t->ret, &t->err);
		return;
	}
	partial = t->profile ? NULL : newest_partial(l);
	l->ended = true;
	l->err = t->err;
	l->all = t->profile;
	t->profile = NULL;
	l->task = NULL;
	if (partial && browser_can_replace(l->browser))
		browser_set_newer(l->browser, partial);
	ptui_profile_unref(partial);
}

static const struct worker_ops load_worker = { load_run, load_done, load_release };

static void load_head(void *self, const struct canvas *line)
{
	line_head(line, ((struct browser_loading *)self)->what.name, _("loading…"), ROLE_NOTE);
}

static void load_draw(void *self, const struct canvas *c)
{
	struct browser_loading *l = self;

	if (l->worker)
		worker_draw(c, l->worker, _("ESC stops loading and leaves"));
}

/* The thread continues until its next step, without being waited for. */
static unsigned load_request(void *self, enum request req)
{
	struct browser_loading *l = self;
	struct ptui_error none = PTUI_ERROR_INIT;

	if (req != REQ_BACK && req != REQ_QUIT)
		return WISH_PASS;
	load_failed(l, &l->what, l->stack, -ECANCELED, &none);
	return req == REQ_QUIT ? WISH_QUIT : WISH_REDRAW;
}

static void load_close(void *self)
{
	struct browser_loading *l = self;

	if (!l->browser)
		browser_loading_free(l);
}

static const enum request load_hints[] = { REQ_BACK, REQ_NONE };

static const struct screen_ops load_ops = {
	.title = N_("Loading"),
	.keymap = KEYMAP_GENERAL,
	.hints = load_hints,
	.head = load_head,
	.draw = load_draw,
	.request = load_request,
	.close = load_close,
};

/* Owns the task, also on failure. 0, or a negative errno with err set. */
static int loading_start(struct browser_loading *l, struct load_task *task, struct ptui_error *err)
{
	if (!worker_start(&l->worker, stack_loop(l->stack), &load_worker, task, l, err))
		return -EAGAIN;
	l->task = task;
	l->timer = loop_every(stack_loop(l->stack), LOOK_MS, load_look, l);
	return 0;
}

void browser_loading_to(struct browser_loading *l, struct browser_screen *b)
{
	l->browser = b;
}

int browser_loading_percent(const struct browser_loading *l)
{
	int percent = worker_percent(l->worker);

	return percent >= 0 ? percent : l->worker ? 0 : 100;
}

bool browser_loads(void *self, const struct rows_look *wanted)
{
	struct browser_screen *b = self;
	const struct browser_load what = { .path = browser_path(b), .load = b->model->opts.load };
	const char *sort = *wanted->sort ? wanted->sort : NULL;
	const char *fields = *wanted->fields ? wanted->fields : NULL;
	const struct ptui_hist_filter filter = rows_only_filter(&wanted->only);
	struct ptui_error err = PTUI_ERROR_INIT;
	struct browser_loading *l = NULL;
	struct load_task *task;
	bool lacks;

	(void)ptui_profile_check_filter(b->model->profile, &filter, &lacks, NULL);
	if (!lacks && !ptui_profile_lacks_fields(b->model->profile, sort, fields))
		return false;
	if (!what.path || b->loading) {
		stack_note(b->stack,
			   b->loading ?
				   _("Fields of tracepoints can be chosen when all is loaded.") :
				   _("These samples are in no file, from which their fields could "
				     "be loaded."));
		return true;
	}
	task = load_task_new(&what);
	b->wanted = malloc(sizeof(*b->wanted));
	if (task) {
		task->keys[0] = words_keep(&task->texts, sort);
		task->keys[1] = words_keep(&task->texts, fields);
		task->keys[2] = words_keep(&task->texts, filter.fields);
	}
	if (task && b->wanted && !task->texts.failed) {
		*b->wanted = *wanted;
		task->opts.partial = NULL; /* all of it is shown */
		task->opts.partial_wanted = NULL;
		task->opts.extras |= PTUI_EXTRA_FIELDS;
		task->opts.fields = task->keys;
		task->opts.n_fields = 3;
		l = calloc(1, sizeof(*l));
	}
	if (l) {
		*l = (struct browser_loading){ .stack = b->stack, .browser = b };
		if (!loading_start(l, task, &err)) {
			b->loading = l;
			return true;
		}
	} else if (task) {
		load_release(task);
	}
	free(l);
	free(b->wanted);
	b->wanted = NULL;
	stack_no_memory(b->stack);
	return true;
}

int browser_load_open(struct stack *s, const struct browser_load *what, struct ptui_error *err)
{
	struct browser_loading *l = calloc(1, sizeof(*l));
	struct load_task *task = load_task_new(what);
	int ret;

	if (l) {
		l->stack = s;
		l->what = *what;
		l->what.path = words_keep(&l->texts, what->path);
		l->what.name = words_keep(&l->texts, what->name ? what->name : what->path);
	}
	if (!l || !task || l->texts.failed) {
		if (task)
			load_release(task);
		browser_loading_free(l);
		return ptui_error_nomem(err);
	}
	if (stack_push(s, &load_ops, l)) {
		load_release(task);
		return ptui_error_nomem(err);
	}
	ret = loading_start(l, task, err);
	if (ret)
		stack_remove(s, l);
	return ret;
}
