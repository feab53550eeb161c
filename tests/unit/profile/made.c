/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "unit/profile/made.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/buf.h"
#include "profile/store.h"

struct made {
	struct profile_store store;
	struct strpool words;
	uint32_t comm, cpu;
	int32_t tid;
	uint16_t event;
	uint8_t how;
};

struct made *made_new(void)
{
	static const struct ptui_event_info event = { .name = "made", .has_callchains = true };
	struct made *m = calloc(1, sizeof(*m));

	assert(m);
	assert(!profile_store_init(&m->store, STORE_UNBOUNDED) && !strpool_init(&m->words));
	assert(!profile_store_add_event(&m->store, &event));
	made_thread(m, "a", 1, 0);
	return m;
}

void made_event(struct made *m, const char *name, uint32_t leader)
{
	const struct ptui_event_info event = { .name = name,
					       .has_callchains = true,
					       .leader = leader };

	m->event = (uint16_t)profile_store_add_event(&m->store, &event);
}

void made_thread(struct made *m, const char *comm, int32_t tid, uint32_t cpu)
{
	m->comm = strpool_add(m->store.names, comm);
	m->tid = tid;
	m->cpu = cpu;
}

void made_last_comm(struct made *m, int32_t tid, const char *comm)
{
	uint32_t thread = samples_thread(&m->store.samples, 1, tid);

	m->store.samples.threads[thread].last_comm = strpool_add(m->store.names, comm);
}

void made_how(struct made *m, unsigned how)
{
	m->how = (uint8_t)how;
}

void made_sample(struct made *m, const char *chain, uint64_t period, uint64_t time_ns)
{
	struct sample_row row = { .time_ns = time_ns,
				  .period = period,
				  .comm = m->comm,
				  .cpu = m->cpu,
				  .stack = PTUI_NONE,
				  .event = m->event,
				  .how = m->how };
	char *copy = strdup(chain), *rest = copy, *word;

	assert(copy);
	row.thread = samples_thread(&m->store.samples, 1, m->tid);
	while ((word = strsep(&rest, " "))) {
		row.frame = strpool_add(&m->words, word) - 1; /* id 0 is "" */
		row.stack = stacks_push(&m->store.stacks, row.stack, row.frame);
		assert(row.stack != PTUI_NONE);
	}
	assert(!profile_store_add_row(&m->store, &row));
	free(copy);
}

static void make_frame(struct made *m, size_t i, struct profile_frame *ret)
{
	const char *word = strpool_get(&m->words, (uint32_t)i + 1), *colon = strchr(word, ':');
	const char *name = colon ? colon + 1 : word, *plus = strchr(word, '+');
	uint64_t start = i * 16;
	uint32_t sym_name = PTUI_NONE;

	*ret = (struct profile_frame){ .addr = i * 16,
				       .raw_addr = 0x1000 + i * 16,
				       .path = PTUI_NONE,
				       .why = PTUI_NONE,
				       .no_cfi = PTUI_NONE,
				       .sym_name = PTUI_NONE,
				       .level = '.' };
	ret->short_name = colon ? strpool_add_n(m->store.names, word, (size_t)(colon - word)) :
				  strpool_add(m->store.names, "prog");
	ret->dso = ret->short_name;
	if (!strcmp(strpool_get(m->store.names, ret->short_name), "kernel"))
		ret->level = 'k';
	if (!strcmp(name, "_start"))
		ret->start = FRAME_START;
	if (!strcmp(strpool_get(m->store.names, ret->short_name), "unread"))
		ret->start = FRAME_START_UNKNOWN;
	if (!strcmp(strpool_get(m->store.names, ret->short_name), "gone")) {
		ret->symbols = PTUI_SYMBOLS_NO_FILE;
		ret->why = ret->no_cfi = strpool_add(m->store.names,
						     "/opt/gone does not exist (any more)");
	}
	if (colon) {
		char path[64];

		snprintf(path, sizeof(path), "/opt/%.*s", (int)(colon - word), word);
		ret->path = strpool_add(m->store.names, path);
	}
	if (plus) {
		uint32_t at = strpool_add_n(&m->words, word, (size_t)(plus - word)) - 1;

		start = at * 16;
		ret->addr = start + strtoull(plus + 1, NULL, 10);
		ret->raw_addr = 0x1000 + ret->addr;
		sym_name = strpool_add_n(m->store.names, name, (size_t)(plus - name));
	} else if (strncmp(name, "0x", 2) || strchr(name, '-')) {
		sym_name = strpool_add(m->store.names, name);
		ret->unnamed = !strncmp(name, "0x", 2);
	} else
		ret->addr = strtoull(name, NULL, 16);
	if (sym_name != PTUI_NONE)
		frame_set_symbol(ret, sym_name, start, start + 16);
	if (!strncmp(word, "nowhere:", strlen("nowhere:")))
		ret->short_name = ret->dso = ret->path = PTUI_NONE;
}

/* Two threads may do that at once. */
static void set_frame(void *ctx, size_t i, struct profile_frame *ret)
{
	*ret = ((const struct profile_frame *)ctx)[i];
}

struct ptui_profile *made_take(struct made *m)
{
	static const struct ptui_trust trust;
	size_t n = m->words.n - 1;
	struct profile_frame *frames = calloc(n + 1, sizeof(*frames));
	struct ptui_profile *p;

	assert(frames);
	for (size_t i = 0; i < n; i++)
		make_frame(m, i, &frames[i]);
	assert(!profile_store_add_frames(&m->store, n, set_frame, frames));
	free(frames);
	p = profile_store_publish(&m->store, &trust);
	assert(p);
	profile_store_release(&m->store);
	strpool_release(&m->words);
	free(m);
	return p;
}

static char text[8192];

const char *made_rows(const struct ptui_hist *h)
{
	struct buf b = BUF_INIT;

	for (size_t r = 0; r < ptui_hist_n_rows(h); r++) {
		for (size_t c = 0; c < ptui_hist_n_columns(h); c++) {
			char cell[256];

			ptui_hist_cell(h, r, c, cell, sizeof(cell));
			buf_addf(&b, "%s%s", c ? "|" : "", cell);
		}
		buf_add_char(&b, '\n');
	}
	snprintf(text, sizeof(text), "%s", buf_str(&b));
	buf_release(&b);
	return text;
}

static void add_nodes(struct buf *b, const struct ptui_calltree *t, uint32_t first, bool nested)
{
	for (uint32_t at = first; at != PTUI_NONE;) {
		const struct ptui_callnode *n = ptui_calltree_node(t, at);

		buf_addf(b, "%s%" PRIu64, nested ? "(" : at == first ? "" : " ", n->cumul);
		for (uint32_t i = 0; i < n->n_frames; i++) {
			char name[64];

			ptui_calltree_frame(t, n, i, name, sizeof(name));
			buf_addf(b, " %s", name);
		}
		add_nodes(b, t, n->first_child, true);
		if (nested)
			buf_add_char(b, ')');
		at = n->next;
	}
}

const char *made_tree(struct ptui_hist *h, size_t row, uint64_t min_period)
{
	struct ptui_calltree *t = ptui_hist_calltree(h, row, min_period, NULL);
	struct buf b = BUF_INIT;

	assert(t);
	add_nodes(&b, t, ptui_calltree_first(t), false);
	ptui_calltree_free(t);
	snprintf(text, sizeof(text), "%s", buf_str(&b));
	buf_release(&b);
	return text;
}
