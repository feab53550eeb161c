/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "unit/profile/made.h"
#include "unit/ui/view/live_made.h"

int ptui_live_start(struct ptui_live *l, struct ptui_error *err)
{
	sigset_t mask;
	char sink;

	pthread_sigmask(SIG_SETMASK, NULL, &mask);
	l->may_be_terminated = !sigismember(&mask, SIGTERM);
	assert_int_equal(read(l->start_gate[0], &sink, 1), 0);
	if (l->start)
		return ptui_error_set(err, PTUI_ERROR_SYSTEM, -l->start, NULL, "It is forbidden.");
	return 0;
}

void ptui_live_stop(struct ptui_live *l)
{
	l->stops++;
}

int ptui_live_pause(struct ptui_live *l, struct ptui_error *err)
{
	if (l->state == PTUI_LIVE_ENDED)
		return ptui_error_set(err, PTUI_ERROR_SYSTEM, ESRCH, NULL, "It has ended.");
	l->state = PTUI_LIVE_PAUSED;
	return 0;
}

int ptui_live_resume(struct ptui_live *l, struct ptui_error *err)
{
	(void)err;
	l->state = PTUI_LIVE_RUNNING;
	return 0;
}

int ptui_live_join(struct ptui_live *l, struct ptui_error *err)
{
	if (l->join)
		return ptui_error_set(err, PTUI_ERROR_SYSTEM, -l->join, NULL, "The disk is full.");
	return 0;
}

void ptui_live_free(struct ptui_live *l)
{
	if (l)
		l->freed = true;
}

enum ptui_live_state ptui_live_state(const struct ptui_live *l)
{
	return l->state;
}

int ptui_live_wake_fd(const struct ptui_live *l)
{
	return l->wake_fd;
}

void ptui_live_ack(struct ptui_live *l)
{
	uint64_t n;

	assert_int_equal(read(l->wake_fd, &n, sizeof(n)), sizeof(n));
}

size_t ptui_live_n_events(const struct ptui_live *l)
{
	return l->n_events;
}

void ptui_live_event(const struct ptui_live *l, size_t i, struct ptui_live_event *ret)
{
	*ret = l->events[i];
	ret->name = ret->name ? ret->name : "";
}

void ptui_live_get_stats(const struct ptui_live *l, struct ptui_live_stats *ret)
{
	*ret = l->stats;
}

struct ptui_profile *ptui_live_profile(const struct ptui_live *l,
				       struct ptui_live_profile_info *ret)
{
	if (ret)
		*ret = l->info;
	return l->profile ? ptui_profile_ref(l->profile) : NULL;
}

int ptui_live_snapshot(struct ptui_live *l, struct ptui_error *err)
{
	if (!l->has_ring)
		return ptui_error_set(err, PTUI_ERROR_INPUT, EOPNOTSUPP, NULL, "There is no ring.");
	taken(PTUI_SNAPSHOT_ASKED, NULL);
	return 0;
}

bool ptui_live_is_pipe(const struct ptui_live *l)
{
	(void)l;
	return false;
}

bool ptui_live_has_ring(const struct ptui_live *l)
{
	return l->has_ring;
}

bool ptui_live_get_snapshot(const struct ptui_live *l, size_t i, struct ptui_snapshot *ret)
{
	if (i >= l->n_snapshots)
		return false;
	*ret = l->snapshots[i];
	return true;
}

int ptui_live_arm(struct ptui_live *l, const char *condition, struct ptui_error *err)
{
	if (condition && strstr(condition, "wrong"))
		return ptui_error_set(err, PTUI_ERROR_INPUT, EINVAL, NULL, "It is no condition.");
	l->n_arms++;
	snprintf(l->condition, sizeof(l->condition), "%s", condition ? condition : "");
	l->armed.condition = condition ? l->condition : NULL;
	return 0;
}

void ptui_live_armed(struct ptui_live *l, struct ptui_armed *ret)
{
	*ret = l->armed;
}

void ptui_live_set_refresh(struct ptui_live *l, uint32_t refresh_ms)
{
	l->refresh_ms = refresh_ms;
}

uint32_t ptui_live_refresh(const struct ptui_live *l)
{
	return l->refresh_ms;
}

int ptui_live_command_fd(const struct ptui_live *l)
{
	return l->command_fd;
}

int ptui_live_set_size(struct ptui_live *l, unsigned short rows, unsigned short cols)
{
	l->rows = rows;
	l->cols = cols;
	return 0;
}

int ptui_live_child_status(const struct ptui_live *l)
{
	return l->status;
}

uint64_t ptui_live_unsaved(const struct ptui_live *l)
{
	return l->unsaved;
}

int ptui_live_save(struct ptui_live *l, const char *path, struct ptui_error *err)
{
	char sink;

	assert_string_equal(path, "perf.data");
	if (l->save_gate)
		assert_int_equal(read(l->save_gate, &sink, 1), 0);
	if (l->save)
		return ptui_error_set(err, PTUI_ERROR_SYSTEM, -l->save, NULL, "The disk is full.");
	l->unsaved = 0;
	l->saved++;
	return 0;
}

const char *ptui_live_output(const struct ptui_live *l)
{
	return l->no_file ? NULL : "/tmp/perf.data";
}

/* ---- a screen ---- */

struct live_world t;

static void below_draw(void *self, const struct canvas *c)
{
	(void)self;
	canvas_text(c, 0, 0, ROLE_TEXT, "what is below");
}

static const struct screen_ops below = { .title = "below",
					 .keymap = KEYMAP_LIST,
					 .draw = below_draw };

static void done(void *ctx, const char *path, struct ptui_profile *profile,
		 struct ptui_live *unsaved)
{
	assert_null(unsaved);
	(void)ctx;
	t.done++;
	snprintf(t.path, sizeof(t.path), "%s", path);
	t.profile = profile;
}

static void left(void *ctx, const char *text, bool quits)
{
	(void)ctx;
	snprintf(t.left, sizeof(t.left), "%s", text);
	t.quits = quits;
}

void set_event(size_t i, const char *name, double count, double rate, double share)
{
	t.live.events[i] = (struct ptui_live_event){
		.name = name,
		.state = PTUI_LIVE_COUNTING,
		.count = (uint64_t)count,
		.scaled = (uint64_t)count,
		.rate = rate,
		.enabled_ns = SECOND,
		.running_ns = SECOND,
		.running_share = share,
	};
	if (i >= t.live.n_events)
		t.live.n_events = i + 1;
}

struct ptui_snapshot *taken(enum ptui_snapshot_why why, const char *path)
{
	size_t i = t.live.n_snapshots++;

	assert_true(i < sizeof(t.live.snapshots) / sizeof(t.live.snapshots[0]));
	t.live.snapshots[i] = (struct ptui_snapshot){
		.why = why,
		.path = path,
		.taken_ns = (i + 1) * 3 * (uint64_t)SECOND,
		.samples = 1000 * (i + 1),
		.new_samples = 1000 * (i + 1),
		.bytes = 2202009,
		.span_ns = 4200000000u,
	};
	return &t.live.snapshots[i];
}

struct ptui_profile *made(uint64_t parse, uint64_t eval)
{
	struct made *m = made_new();

	made_sample(m, "main run parse", parse, 1);
	made_sample(m, "main run eval", eval, 2);
	return made_take(m);
}

void publish(struct ptui_profile *p)
{
	ptui_profile_unref(t.live.profile);
	t.live.profile = p;
	t.live.info.generation++;
}

int set_up(void **state)
{
	int fds[2];

	(void)state;
	memset(&t, 0, sizeof(t));
	assert_int_equal(pipe(fds), 0);
	fcntl(fds[0], F_SETFL, O_NONBLOCK);
	t.command = fds[1];
	t.live.command_fd = fds[0];
	t.live.wake_fd = eventfd(0, EFD_NONBLOCK);
	t.live.state = PTUI_LIVE_RUNNING;
	t.live.status = -1;
	t.live.stats = (struct ptui_live_stats){
		.elapsed_ns = 12400000000u, .samples = 96204, .bytes = 14890000, .cpu_share = 0.003
	};
	set_event(0, "cycles", 38.91e9, 3.12e9, 1);
	set_event(1, "instructions", 53.8e9, 4.31e9, 1);
	t.keys = keymaps_new(NULL);
	t.stack = stack_new(NULL, t.keys, NULL);
	assert_non_null(t.stack);
	t.grid = grid_new(24, 80);
	return stack_push(t.stack, &below, &t.below_closed);
}

int tear_down(void **state)
{
	(void)state;
	stack_free(t.stack);
	keymaps_free(t.keys);
	grid_free(t.grid);
	ptui_profile_unref(t.live.profile);
	ptui_profile_unref(t.profile);
	close(t.live.wake_fd);
	close(t.live.command_fd);
	close(t.command);
	assert_true(t.live.freed);
	return 0;
}

void open_live(void)
{
	struct live_view_opts opts = { .live = &t.live,
				       .target = "make -j2",
				       .rate = "4000 Hz",
				       .done = done,
				       .left = left,
				       .look = t.look };

	assert_int_equal(live_view_open(t.stack, &opts, NULL), 0);
}

void draw(int rows, int cols)
{
	assert_int_equal(grid_resize(t.grid, rows, cols), 0);
	stack_draw(t.stack, t.grid);
}

const char *row(int y)
{
	static char buf[12001];

	grid_row_text(t.grid, y, buf, sizeof(buf));
	return buf;
}

int row_of(const char *text)
{
	for (int y = 0; y < t.grid->rows; y++)
		if (strstr(row(y), text))
			return y;
	return -1;
}

void dump(void)
{
	for (int y = 0; y < t.grid->rows; y++)
		fprintf(stderr, "|%s\n", row(y));
}

void sees(const char *text)
{
	draw(t.grid->rows, t.grid->cols);
	if (row_of(text) >= 0)
		return;
	dump();
	fail_msg("the screen does not say: %s", text);
}

void does_not_see(const char *text)
{
	draw(t.grid->rows, t.grid->cols);
	if (row_of(text) < 0)
		return;
	dump();
	fail_msg("the screen says: %s", text);
}

void waits_for(const char *text)
{
	for (int i = 0; i < 1000; i++) {
		draw(t.grid->rows, t.grid->cols);
		if (row_of(text) >= 0)
			return;
		loop_turn(stack_loop(t.stack), 100);
	}
	dump();
	fail_msg("the screen never says: %s", text);
}

void key(key_code code)
{
	struct term_event e = { .kind = TERM_KEY, .key = code };

	stack_event(t.stack, &e);
}

void wake(void)
{
	uint64_t one = 1;

	assert_int_equal(write(t.live.wake_fd, &one, sizeof(one)), sizeof(one));
	loop_turn(stack_loop(t.stack), 1000);
}

void end(enum ptui_live_state state)
{
	t.live.state = state;
	wake();
}
