/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "session/builder.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/perf_abi.h"
#include "base/vec.h"
#include "session/given_symbols.h"

#define MAX_FRAMES  ((size_t)1 << 20) /* frames; about 200 bytes each in all */
#define SPARE_BYTES ((size_t)8 << 20)
/* No sample has a larger period: that is two years of a clock. Sums must not overflow. */
#define PERIOD_MAX  ((uint64_t)1 << 56)
#define PERIODS_MAX ((uint64_t)1 << 62)

int builder_init(struct builder *b, const struct builder_opts *opts)
{
	memset(b, 0, sizeof(*b));
	b->file = opts->file;
	b->resolver_opts = opts->resolver;
	b->no_chains = opts->no_chains;
	b->max_stack = b->chain.max_stack = opts->max_stack;
	b->max_frames = MAX_FRAMES;
	b->spare_bytes = SPARE_BYTES;
	if (profile_store_init(&b->store, opts->max_rows))
		return -ENOMEM;
	row_writer_init(&b->rows, &b->store);
	b->leaf.frame = PTUI_NONE;
	for (size_t i = 0; i < BUILDER_COMMS; i++)
		b->comms[i].from = UINT64_MAX;
	b->borrows_machine = opts->machine != NULL;
	b->machine = opts->machine ? opts->machine : machine_new(b->store.names);
	if (b->machine && opts->track_ends)
		machine_track_ends(b->machine);
	return b->machine ? 0 : -ENOMEM;
}

void builder_release(struct builder *b)
{
	row_writer_release(&b->rows);
	chain_builder_release(&b->chain);
	user_chains_release(&b->user_chains);
	leaf_cache_release(&b->leaves);
	free(b->batch);
	free(b->lost_samples);
	free(b->times);
	index_table_release(&b->times_index);
	free(b->counters);
	index_table_release(&b->counters_index);
	builder_extras_release(b);
	blocks_release(&b->blocks);
	branch_history_release(&b->history);
	jit_maps_release(&b->jit);
	resolver_free(b->resolver);
	if (!b->borrows_machine)
		machine_free(b->machine);
	profile_store_release(&b->store);
	memset(b, 0, sizeof(*b));
}

int builder_add_event(struct builder *b, const struct data_event *e)
{
	bool chains = e->sample_type & PERF_SAMPLE_CALLCHAIN && !b->no_chains;
	bool history = b->with_history && e->sample_type & PERF_SAMPLE_BRANCH_STACK &&
		       !(e->branch_sample_type & PERF_SAMPLE_BRANCH_CALL_STACK);
	struct ptui_event_info info = {
		.name = e->name,
		.has_callchains = chains,
		.has_history = history,
		.stacks_dumped = chains && user_chain_is_dumped(e),
		.stacks_unwound = chains && user_chain_was_unwound(e),
		.dump_bytes = e->stack_user_bytes,
		.max_stack = e->max_stack,
		.lacks_cpu = !(e->sample_type & PERF_SAMPLE_CPU),
		.extras = builder_extras_of(e) & builder_extras_wanted(b),
		.leader = e->leader,
		.group = e->group,
	};

	if (info.stacks_dumped && !b->max_stack)
		info.max_stack = STACK_UNWINDER_MAX;
	if (b->max_stack && (!info.max_stack || b->max_stack < info.max_stack))
		info.max_stack = b->max_stack > UINT16_MAX ? UINT16_MAX : (uint16_t)b->max_stack;
	b->chains |= chains || history;
	b->resolver_opts.starts |= chains && !b->for_stream;
	return profile_store_add_event(&b->store, &info) == PTUI_NONE ? -ENOMEM : 0;
}

static bool has_dumps(const struct builder *b)
{
	for (size_t i = 0; i < b->store.n_events; i++)
		if (b->store.events[i].stacks_dumped)
			return true;
	return false;
}

static struct stack_unwinder *unwinder_for(const struct builder *b)
{
	const struct stack_unwinder_opts opts = { .arch = b->resolver_opts.arch,
						  .symfs = b->resolver_opts.symfs,
						  .buildid_dir = b->resolver_opts.buildid_dir,
						  .home = b->resolver_opts.home,
						  .max_stack = b->max_stack,
						  .swapped = data_swapped(b->file),
						  .no_dumps = !has_dumps(b),
						  .resolver = b->resolver };

	return stack_unwinder_new(b->machine, b->store.names, &opts);
}

static bool skips_caller(void *ctx, const struct row_leaf *leaf)
{
	struct builder *b = ctx;

	return leaf_skips_caller(&b->leaves, b->user_chains.unwinder, leaf);
}

void builder_find_skips_later(struct builder *b)
{
	b->rows.asks_later = b->store.merges && b->rows.skips_caller;
}

int builder_find_skips(struct builder *b)
{
	if (!b->rows.asks_later)
		return 0;
	b->rows.asks_later = false;
	if (merged_rows_end(&b->store.merged))
		return -ENOMEM;
	leaf_find_skips(&b->leaves, b->user_chains.unwinder, b->resolver, &b->store.stacks,
			&b->store.merged);
	return 0;
}

static int make_resolver(struct builder *b)
{
	if (b->resolver)
		return 0;
	b->resolver = resolver_new(b->machine, b->store.names, &b->resolver_opts);
	return b->resolver ? given_symbols_add(b->file, b->resolver) : -ENOMEM;
}

int builder_preload_kernel(struct builder *b, const uint8_t *id, uint8_t id_bytes)
{
	int ret = make_resolver(b);

	if (!ret) {
		resolver_preload(b->resolver);
		resolver_preload_kernel(b->resolver, id, id_bytes);
	}
	return ret;
}

/* What the samples need besides the sealed machine. 0 or -ENOMEM. */
static int start_resolving(struct builder *b)
{
	int ret = make_resolver(b);

	b->user_chains.swapped = data_swapped(b->file);
	if (!ret && b->chains && !b->user_chains.unwinder) {
		b->user_chains.unwinder = unwinder_for(b);
		ret = b->user_chains.unwinder ? 0 : -ENOMEM;
		b->uprobes_have_callers = leaf_has_uprobe_callers(b->resolver_opts.kernel_release);
		if (!has_dumps(b)) { /* else the unwinder is busy with them */
			b->rows.skips_caller = skips_caller;
			b->rows.skips_ctx = b;
		}
	}
	return ret;
}

int builder_seal(struct builder *b, uint64_t when)
{
	int ret = when == UINT64_MAX ? machine_seal(b->machine) :
				       machine_seal_until(b->machine, when);

	b->sealed = when == UINT64_MAX;
	return ret ? ret : start_resolving(b);
}

/* ---- parts of a file ---- */

int builder_init_part(struct builder *part, const struct builder *whole)
{
	const struct profile_store *store = &whole->store;
	int ret = builder_init(part, &(struct builder_opts){ .file = whole->file,
							     .resolver = whole->resolver_opts,
							     .max_rows = STORE_UNBOUNDED,
							     .max_stack = whole->max_stack,
							     .no_chains = whole->no_chains,
							     .machine = whole->machine });

	part->chain.outermost = whole->chain.outermost;
	part->timed = whole->timed;
	part->sealed = whole->sealed;
	part->mode = whole->mode;
	part->chains = whole->chains;
	part->n_shared_names = store->names->n;
	if (!ret)
		ret = strpool_share(part->store.names, store->names);
	for (size_t i = 0; i < store->n_events && !ret; i++)
		if (profile_store_add_event(&part->store, &store->events[i]) == PTUI_NONE)
			ret = -ENOMEM;
	return ret ? ret : start_resolving(part);
}

/* Modules whose call frame information was looked for, so that what is missing is known here as well. */
static void absorb_leaves(struct builder *b, const struct builder *part, const uint32_t *frames)
{
	for (size_t i = 0; i < resolver_n_frames(part->resolver); i++)
		if (leaf_is_known(&part->leaves, (uint32_t)i))
			(void)leaf_of_frame(&b->leaves, b->user_chains.unwinder, b->resolver,
					    frames[i]);
}

int builder_absorb_frames(struct builder *b, struct builder *part, bool last,
			  struct builder_ids *ret)
{
	const struct strpool *names = part->store.names;
	int err;

	ret->names = malloc((names->n + 1) * sizeof(*ret->names));
	ret->frames = malloc((resolver_n_frames(part->resolver) + 1) * sizeof(*ret->frames));
	err = ret->names && ret->frames ? 0 : -ENOMEM;
	for (uint32_t i = 0; i < names->n && !err; i++) {
		ret->names[i] = i < part->n_shared_names ?
					i :
					strpool_add(b->store.names, strpool_get(names, i));
		if (ret->names[i] == PTUI_NONE)
			err = -ENOMEM;
	}
	if (!err)
		err = resolver_absorb(b->resolver, part->resolver, last, ret->frames);
	if (!err)
		absorb_leaves(b, part, ret->frames);
	resolver_free(part->resolver); /* what comes next needs its memory */
	part->resolver = NULL;
	return err;
}

static void note_largest(struct builder *b, uint32_t event, uint64_t period)
{
	if (period <= b->trust.largest_period)
		return;
	b->trust.largest_period = period;
	b->trust.largest_event = event;
}

int builder_absorb_rows(struct builder *b, struct builder *part, bool last,
			const struct builder_ids *ids)
{
	b->n_rows += part->n_rows;
	b->bad_periods += part->bad_periods;
	b->trust.broken_chains += part->trust.broken_chains;
	note_largest(b, part->trust.largest_event, part->trust.largest_period);
	return profile_store_absorb(&b->store, &part->store, ids->names, ids->frames, last);
}

int builder_drop_ended(struct builder *b, uint64_t when)
{
	machine_drop_ended(b->machine, when);
	if (b->user_chains.unwinder)
		stack_unwinder_invalidate(b->user_chains.unwinder);
	return deferred_drop(&b->user_chains.deferred, when);
}

bool builder_is_timed(const struct data_file *f)
{
	for (size_t i = 0; i < data_n_events(f); i++) {
		const struct data_event *e = data_event(f, i);

		if (!e->sample_id_all || !(e->sample_type & PERF_SAMPLE_TIME))
			return false;
	}
	return true;
}

uint64_t builder_when(bool timed, const struct data_record *rec)
{
	if (!timed)
		return rec->seq;
	return rec->id.has & DATA_HAS_TIME ? rec->id.time_ns : 0;
}

static uint32_t sample_comm(struct builder *b, const struct data_sample *s, uint64_t when)
{
	int32_t tid = data_sample_thread(s);
	struct builder_comm *c = &b->comms[(uint32_t)tid % BUILDER_COMMS];
	struct builder_comm now = { .tid = tid };
	char text[32];

	if (b->sealed && c->tid == tid && c->from <= when && when <= c->last)
		return c->comm;
	now.comm = machine_comm_span(b->machine, tid, when, &now.from, &now.last);
	if (now.comm == PTUI_NONE) {
		snprintf(text, sizeof(text), ":%d", s->tid);
		now.comm = strpool_add(b->store.names, text);
	}
	if (b->sealed && now.comm != PTUI_NONE)
		*c = now;
	return now.comm;
}

/* False: it is damage, and counted as such. */
static bool is_possible_period(struct builder *b, uint32_t event, uint64_t period)
{
	if (period > PERIOD_MAX || b->periods > PERIODS_MAX - period) {
		b->bad_periods++;
		return false;
	}
	b->periods += period;
	note_largest(b, event, period);
	return true;
}

/* ---- samples with the counts of a group (PERF_SAMPLE_READ) ---- */

static bool counter_same(const void *owner, uint32_t index, const void *key)
{
	return ((const struct builder *)owner)->counters[index].id == *(const uint64_t *)key;
}

int builder_counter_growth(struct builder *b, uint64_t id, uint64_t value, uint64_t *ret)
{
	uint64_t hash = hash_u64(id);
	uint32_t i = index_table_find(&b->counters_index, hash, counter_same, b, &id);

	if (i == PTUI_NONE) {
		i = (uint32_t)b->n_counters;
		if (vec_grow(&b->counters, &b->cap_counters, b->n_counters + 1) ||
		    index_table_add(&b->counters_index, hash, i))
			return -ENOMEM;
		b->counters[b->n_counters++] = (struct builder_counter){ id, 0 };
	}
	*ret = value - b->counters[i].value;
	b->counters[i].value = value;
	return 0;
}

/* The next row of the store. */
static int add_row(struct builder *b, const struct sample_row *row, uint32_t extra)
{
	if (b->extras.wanted && builder_extras_row(b, extra))
		return -ENOMEM;
	b->n_rows++;
	return b->chains ? row_writer_row(&b->rows, row, &b->leaf) :
			   profile_store_add_row(&b->store, row);
}

/* One row for each event of the group that has counted something since the last sample. */
static int add_group(struct builder *b, const struct data_sample *s, struct sample_row *row,
		     uint32_t extra)
{
	for (uint32_t i = 0; i < s->n_reads; i++) {
		uint64_t value = s->reads[2 * i], id = s->reads[2 * i + 1];
		uint32_t event = data_event_of_id(b->file, id);

		if (builder_counter_growth(b, id, value, &row->period))
			return -ENOMEM;
		if (!row->period || event == PTUI_NONE || event > UINT16_MAX ||
		    !is_possible_period(b, event, row->period))
			continue;
		row->event = (uint16_t)event;
		if (add_row(b, row, extra))
			return -ENOMEM;
	}
	return 0;
}

/*
 * Tracepoints of the kernel have kernel addresses, but for syscalls:*: theirs follow a system call instruction, so they
 * never begin a function, which is what matters at uprobes (leaf.h).
 */
static bool is_at_uprobe(const struct data_event *e, const struct data_sample *s)
{
	return e->type == PERF_TYPE_TRACEPOINT &&
	       (s->misc & DATA_CPUMODE_MASK) == PERF_RECORD_MISC_USER;
}

/* The innermost user function of the chain: whether its caller is missing. */
static void set_leaf(struct builder *b, bool at_uprobe, struct sample_row *row)
{
	struct row_leaf leaf = leaf_of_frame(&b->leaves, b->user_chains.unwinder, b->resolver,
					     b->chain.first_user);

	if (at_uprobe && leaf.frame != PTUI_NONE) {
		const struct frame *f = &resolver_frames(b->resolver)[leaf.frame];

		leaf = (struct row_leaf){ leaf.frame, f->dso, f->off, b->uprobes_have_callers };
	}
	if (b->rows.skips_caller)
		b->leaf = leaf;
	else if (leaf.frame != PTUI_NONE && skips_caller(b, &leaf))
		row->how |= STACK_SKIPS;
}

static int add_chain(struct builder *b)
{
	const struct chain_builder *c = &b->chain;

	return row_writer_chain(&b->rows, &(struct row_chain){ .frames = c->frames,
							       .n = c->n_frames,
							       .known = c->known,
							       .same = c->same,
							       .kept_at = c->kept_at });
}

/* 0, -EBADMSG for a chain that is dropped, or -ENOMEM. */
static int add_stack(struct builder *b, const struct data_event *e, const struct data_sample *s,
		     struct sample_row *row)
{
	struct chain_user user;
	int given = user_chain_get(&b->user_chains, e, s, row->time_ns, &user, &row->how);
	int ret;

	if (given < 0)
		return given;
	b->chain.skip = b->history.skip;
	ret = chain_resolve(&b->chain, b->resolver, s, given ? &user : NULL, row->time_ns);
	if (!ret && b->history.n)
		ret = builder_history_frames(b);
	if (!ret && b->chain.n + b->history.n)
		row->stack = 0; /* the writer knows which */
	if (!ret)
		ret = add_chain(b);
	if (!ret && !given && row->how == STACK_RECORDED && !user_chain_was_unwound(e))
		set_leaf(b, is_at_uprobe(e, s), row);
	if (ret != -EBADMSG)
		return ret;
	b->trust.broken_chains++;
	row->how = STACK_RECORDED;
	return -EBADMSG;
}

/* ---- samples without stacks ---- */

static int write_batch(struct builder *b)
{
	struct builder_batch *batch = b->batch;
	size_t n = batch->n;
	int ret = resolver_resolve_each(b->resolver, batch->at, n);

	batch->n = 0;
	for (size_t i = 0; i < n; i++)
		batch->rows[i].frame = batch->at[i].frame;
	if (b->store.merges) {
		b->n_rows += n;
		return ret ? ret : profile_store_add_merged(&b->store, batch->rows, n);
	}
	for (size_t i = 0; i < n && !ret; i++)
		ret = add_row(b, &batch->rows[i], batch->extras[i]);
	return ret;
}

/* What batch->rows[batch->n] needs of the sample, which is gone when its frame is looked up. */
static int batch_add(struct builder *b, const struct data_sample *s, uint32_t extra)
{
	struct builder_batch *batch = b->batch;
	size_t i = batch->n++;

	batch->at[i] = (struct resolver_query){ .addr = s->ip,
						.when = batch->rows[i].time_ns,
						.pid = s->pid,
						.mode = s->misc & DATA_CPUMODE_MASK };
	batch->extras[i] = extra;
	return batch->n == BUILDER_BATCH ? write_batch(b) : 0;
}

/* Stacks of copies have inlined functions, which are looked for sample by sample. */
static bool can_merge(const struct builder *b)
{
	return b->mode == PTUI_MODE_SAMPLES && !b->extras.wanted && !b->with_blocks &&
	       !b->with_history && !has_dumps(b);
}

void builder_merge(struct builder *b, const struct ptui_merge *merge)
{
	if (merge->samples && can_merge(b))
		profile_store_merge(&b->store, b->chains, merge->by_thread, merge->by_cpu);
}

void builder_start_batches(struct builder *b)
{
	if (!b->with_blocks)
		b->batch = calloc(1, sizeof(*b->batch));
}

int builder_flush(struct builder *b)
{
	int ret = b->batch ? write_batch(b) : 0;

	free(b->batch);
	b->batch = NULL;
	return ret;
}

static bool has_stack(const struct builder *b, const struct data_sample *s)
{
	return !b->no_chains && s->present & PERF_SAMPLE_CALLCHAIN;
}

/* A stack of branches only. Not what the next chain may have parts of. 0 or -ENOMEM. */
static int add_history(struct builder *b, struct sample_row *row)
{
	struct chain_builder *c = &b->chain;

	c->n_frames = c->same = 0;
	c->known = false;
	c->kept_at = PTUI_NONE;
	chain_builder_invalidate(c);
	row->stack = 0;
	return builder_history_frames(b) ? -ENOMEM : add_chain(b);
}

/* Sets the frame of the sample, and its stack if it is to have one. 0 or -ENOMEM. */
static int add_frames(struct builder *b, const struct data_event *e, const struct data_sample *s,
		      struct sample_row *row)
{
	int ret = -EBADMSG;

	if (has_stack(b, s))
		ret = add_stack(b, e, s, row);
	else if (b->history.n && add_history(b, row))
		return -ENOMEM;
	if (ret == -EBADMSG)
		row->frame = resolver_frame(b->resolver, s->pid, s->misc & DATA_CPUMODE_MASK,
					    row->time_ns, s->ip);
	else if (!ret)
		row->frame = b->chain.leaf;
	else
		return ret;
	return row->frame == PTUI_NONE ? -ENOMEM : 0;
}

/* ---- branch stacks ---- */

/* Bits of the recorded word. On a big-endian machine bit-fields begin at the top. */
static uint32_t branch_bits(uint64_t v, unsigned at, unsigned n, bool big_endian)
{
	return (uint32_t)(v >> (big_endian ? 64 - at - n : at)) & ((1u << n) - 1);
}

static uint32_t branch_flags(uint64_t v, bool big)
{
	return (branch_bits(v, 0, 1, big) ? EXTRA_BRANCH_MISPREDICTED : 0) |
	       (branch_bits(v, 1, 1, big) ? EXTRA_BRANCH_PREDICTED : 0) |
	       (branch_bits(v, 2, 1, big) ? EXTRA_BRANCH_IN_TX : 0) |
	       (branch_bits(v, 3, 1, big) ? EXTRA_BRANCH_ABORT : 0) |
	       branch_bits(v, 4, 16, big) << EXTRA_CYCLES_SHIFT;
}

/* The mode is not recorded: an end in a user map is one of the process, else of the kernel. */
uint32_t builder_branch_frame(struct builder *b, const struct data_sample *s, uint64_t when,
			      uint64_t addr)
{
	static const unsigned modes[] = { DATA_MODE_USER, DATA_MODE_KERNEL };
	uint32_t frame = PTUI_NONE;

	for (size_t i = 0; i < 2; i++) {
		frame = resolver_frame(b->resolver, s->pid, modes[i], when, addr);
		if (frame == PTUI_NONE || resolver_frames(b->resolver)[frame].dso != PTUI_NONE)
			break;
	}
	return frame;
}

/* One row for each entry of the branch stack: its frame is the target, its source is in the extras. */
static int builder_add_branches(struct builder *b, const struct data_event *e,
				const struct data_sample *s, struct sample_row *row,
				struct extra *values)
{
	bool swapped = data_swapped(b->file);
	bool big = (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__) != swapped;

	if (!s->n_branches)
		return 0;
	if ((b->batch && write_batch(b)) || (has_stack(b, s) && add_frames(b, e, s, row)))
		return -ENOMEM;
	row->period = 1;
	values->weight = branch_bits(data_word(s->branches, 2, swapped), 4, 16, big);
	values->weight += !values->weight;
	for (uint64_t i = 0; i < s->n_branches; i++) {
		uint64_t from = data_word(s->branches, 3 * i, swapped);
		uint64_t to = data_word(s->branches, 3 * i + 1, swapped);

		values->from_frame = builder_branch_frame(b, s, row->time_ns, from);
		row->frame = builder_branch_frame(b, s, row->time_ns, to);
		if (values->from_frame == PTUI_NONE || row->frame == PTUI_NONE)
			return -ENOMEM;
		builder_extra_place(b, s, row->time_ns, to, row->frame, values);
		values->branch = branch_flags(data_word(s->branches, 3 * i + 2, swapped), big);
		if (add_row(b, row, builder_extra_add(b, values)))
			return -ENOMEM;
	}
	return 0;
}

/* If it has added rows, of which there were `n_rows` before. 0 or -ENOMEM. */
static int add_blocks(struct builder *b, const struct data_event *e, const struct data_sample *s,
		      uint64_t when, size_t n_rows)
{
	return b->with_blocks && s->n_branches && b->n_rows > n_rows ?
		       builder_add_blocks(b, e, s, when) :
		       0;
}

int builder_add_sample(struct builder *b, const struct data_record *rec,
		       const struct data_sample *s)
{
	const struct data_event *event = data_event(b->file, s->event);
	uint64_t when = b->timed ? s->time_ns : rec->seq;
	bool batched = b->batch && !s->n_reads && !has_stack(b, s) && !b->with_history &&
		       b->mode != PTUI_MODE_BRANCHES;
	struct sample_row of_one, *row = batched ? &b->batch->rows[b->batch->n] : &of_one;
	struct extra values;
	uint32_t extra = 0;
	size_t n_rows = b->n_rows;
	int ret;

	*row = (struct sample_row){
		.time_ns = when,
		.period = s->present & PERF_SAMPLE_PERIOD ? s->period :
			  event				  ? event->sample_period :
							    0,
		.cpu = s->has & DATA_HAS_CPU ? s->cpu : PTUI_NONE,
		.event = (uint16_t)s->event,
		.stack = PTUI_NONE,
	};
	if (s->event == PTUI_NONE || s->event > UINT16_MAX)
		return 0;
	if (b->mode == PTUI_MODE_MEMORY)
		row->period = s->weight ? s->weight : 1;
	if (b->mode != PTUI_MODE_BRANCHES && !s->n_reads &&
	    !is_possible_period(b, s->event, row->period))
		return 0;
	b->leaf.frame = PTUI_NONE;
	if (b->store.columns >> STORE_THREAD & 1)
		row->thread = samples_thread(&b->store.samples, s->pid, data_sample_thread(s));
	row->comm = sample_comm(b, s, when);
	if (row->thread == PTUI_NONE || row->comm == PTUI_NONE)
		return -ENOMEM;
	if (b->extras.wanted)
		values = builder_extra_values(b, event, s, when);
	if (b->mode == PTUI_MODE_BRANCHES) {
		if (!b->extras.wanted)
			values = (struct extra)EXTRA_NONE;
		ret = builder_add_branches(b, event, s, row, &values);
		return ret ? ret : add_blocks(b, event, s, when, n_rows);
	}
	if (b->with_history) {
		if (!b->extras.wanted)
			values = (struct extra)EXTRA_NONE;
		values.history = builder_read_history(b, event, s, when);
	}
	if (b->extras.wanted)
		extra = builder_extra_add(b, &values);
	if (batched)
		return batch_add(b, s, extra);
	/* rows stay in order */
	if ((b->batch && write_batch(b)) || add_frames(b, event, s, row))
		return -ENOMEM;
	ret = s->n_reads ? add_group(b, s, row, extra) : add_row(b, row, extra);
	return ret ? ret : add_blocks(b, event, s, when, n_rows);
}
