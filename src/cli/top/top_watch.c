/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The loop of `ptui top --stdio`: sleeps until a profile is published or a key is pressed. */
#include <poll.h>
#include <signal.h>
#include <unistd.h>
#include "base/clock.h"
#include "cli/out.h"
#include "cli/top/top.h"

/* Merges refreshes that follow closely. */
#define LOOK_PART 4

static struct ptui_live *volatile watched;
static volatile sig_atomic_t caught;

static void die_of(int number)
{
	struct sigaction plain = { .sa_handler = SIG_DFL };

	top_terminal_close();
	sigaction(number, &plain, NULL);
	raise(number);
}

static void end_watching(int number)
{
	struct ptui_live *live = watched;

	/* a second signal, since stopping takes a while: exit at once */
	if (caught || !live) {
		die_of(number);
		return;
	}
	caught = number;
	ptui_live_stop(live);
}

/* As in perf: ^C and a closed pipe are normal ends. There is no file to finish. */
static void handle_signals(void)
{
	static const int enders[] = { SIGINT, SIGQUIT, SIGTERM, SIGHUP };
	struct sigaction end = { .sa_handler = end_watching };
	struct sigaction at_once = { .sa_handler = die_of }, old;

	for (size_t i = 0; i < sizeof(enders) / sizeof(*enders); i++)
		if (enders[i] != SIGHUP || sigaction(SIGHUP, NULL, &old) ||
		    old.sa_handler != SIG_IGN)
			sigaction(enders[i], &end, NULL);
	sigaction(SIGPIPE, &at_once, NULL);
}

/* ---- one refresh ---- */

/* What is new since the last refresh. */
static void note_counts(struct top *t, const struct ptui_live_profile_info *info)
{
	struct ptui_live_stats stats;
	uint64_t at_ns = clock_monotonic_ns();

	ptui_live_get_stats(t->live, &stats);
	t->passed_s = t->looked_ns ? (double)(at_ns - t->looked_ns) / 1e9 :
				     (double)stats.elapsed_ns / 1e9;
	t->now = (struct top_counts){
		.samples = info->taken - t->info.taken,
		.kernel = info->kernel_taken - t->info.kernel_taken,
		.exact = info->exact_taken - t->info.exact_taken,
		.lost = stats.lost - t->stats.lost,
		.dropped = stats.dropped_samples - t->stats.dropped_samples,
	};
	if (t->look.zero && t->looked_ns)
		t->since_ns = t->info.last_ns + 1;
	t->info = *info;
	t->stats = stats;
	t->looked_ns = at_ns;
}

/* Prints the current profile. 0 or a negative errno. */
static int top_show(struct top *t, struct ptui_error *err)
{
	struct ptui_live_profile_info info;
	struct ptui_profile *p = ptui_live_profile(t->live, &info);
	struct buf out = BUF_INIT;
	int ret;

	if (!t->looked_ns || info.generation != t->info.generation)
		note_counts(t, &info);
	ret = top_text(t, p, &out, err);
	if (!ret)
		ret = cli_put(&out);
	if (!ret)
		ret = cli_flush();
	buf_release(&out);
	ptui_profile_unref(p);
	return ret;
}

/* ---- the loop ---- */

/* Handles keys typed together one by one. */
static void read_keys(struct top *t)
{
	char key;

	if (read(STDIN_FILENO, &key, 1) == 1)
		top_key(t, key);
	else
		t->keys = false;
}

/* A key redraws at once, a newly published profile when the delay has passed. */
static bool is_due(const struct top *t)
{
	uint64_t delay_ns = (uint64_t)t->look.delay_ms * 1000000;

	return !t->looked_ns || clock_monotonic_ns() - t->looked_ns > delay_ns / LOOK_PART;
}

static int watch(struct top *t, struct ptui_error *err)
{
	int ret = 0;

	while (!ret && !t->done && !caught) {
		struct pollfd fds[2] = { { .fd = ptui_live_wake_fd(t->live), .events = POLLIN },
					 { .fd = t->keys ? STDIN_FILENO : -1, .events = POLLIN } };

		if (poll(fds, 2, -1) < 0)
			continue;
		if (fds[1].revents) {
			read_keys(t);
			if (!t->done && !caught)
				ret = top_show(t, err);
		}
		if (!fds[0].revents)
			continue;
		ptui_live_ack(t->live);
		t->done |= ptui_live_is_over(t->live);
		if (!ret && !caught && (t->done || is_due(t)))
			ret = top_show(t, err);
	}
	return ret;
}

static int run(struct top *t)
{
	struct ptui_error err = PTUI_ERROR_INIT;
	int ret = ptui_live_start(t->live, &err), later;

	if (ret)
		return caught ? CLI_OK : cli_failed(t->cli, &err);
	while (t->event + 1 < ptui_live_n_events(t->live)) {
		struct ptui_live_event e;

		ptui_live_event(t->live, t->event, &e);
		if (e.profile_event != PTUI_NONE)
			break;
		t->event++;
	}
	t->keys = top_terminal_open();
	ret = watch(t, &err);
	top_terminal_close();
	ptui_live_stop(t->live);
	later = ptui_live_join(t->live, ptui_error_is_set(&err) ? NULL : &err);
	if (ptui_error_is_set(&err))
		return cli_failed(t->cli, &err);
	return ret || later ? CLI_FAILED : CLI_OK;
}

int top_watch(struct cli *cli, const struct top_options *o)
{
	struct ptui_live_opts how = { .refresh_ms = o->look.delay_ms,
				      .max_stack = (uint32_t)o->max_stack,
				      .stitch_lbr = o->stitch_lbr,
				      .unnamed_functions = o->unnamed_functions,
				      .kernel = o->kernel };
	struct ptui_error err = PTUI_ERROR_INIT;
	struct top t = { .cli = cli, .o = o, .look = o->look };
	int status;

	t.live = ptui_live_new(&o->record.opts, &how, &err);
	if (!t.live)
		return cli_failed(cli, &err);
	watched = t.live;
	handle_signals();
	status = run(&t);
	watched = NULL;
	ptui_live_free(t.live);
	if (caught == SIGHUP)
		cli->signal = SIGHUP;
	return status;
}
