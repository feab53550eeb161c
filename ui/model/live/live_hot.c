/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "model/live/live_hot.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/live/live_hot_private.h"
#include "text/utf8.h"

/* Column widths depend on these rows only. */
#define HOTTEST 100

void live_hot_free(struct live_hot *h)
{
	if (!h)
		return;
	free(h->rows);
	free(h->text);
	index_table_release(&h->index);
	missing_list_free(h->missing);
	free(h);
}

uint64_t hot_id(uint64_t seed, const char *text)
{
	uint64_t id = hash_pair(seed, hash_bytes(text, strlen(text)));

	return id ? id : 1;
}

static bool is_row(const void *owner, uint32_t row, const void *id)
{
	return ((const struct live_hot *)owner)->rows[row].id == *(const uint64_t *)id;
}

uint32_t hot_find(const struct live_hot *h, uint64_t id)
{
	return h ? index_table_find(&h->index, hash_u64(id), is_row, h, &id) : HOT_NONE;
}

int hot_index(struct live_hot *h)
{
	while (h->index.n < h->n_all) {
		struct hot_row *r = &h->rows[h->index.n];

		/* equal texts of different rows: distinguish by order */
		while (!r->id || hot_find(h, r->id) != HOT_NONE)
			r->id = hash_u64(r->id + 1);
		if (index_table_add(&h->index, hash_u64(r->id), h->index.n))
			return -ENOMEM;
	}
	return 0;
}

int hot_add_rows(struct live_hot *h, size_t n, size_t *ret_first)
{
	if (n > h->room - h->n_all) {
		size_t room = (h->n_all + n) * 2;
		struct hot_row *rows;

		if (room >= HOT_NONE)
			return -ENOMEM;
		rows = reallocarray(h->rows, room, sizeof(*rows));
		if (!rows)
			return -ENOMEM;
		h->rows = rows;
		h->room = room;
	}
	if (n)
		memset(h->rows + h->n_all, 0, n * sizeof(*h->rows));
	*ret_first = h->n_all;
	h->n_all += n;
	return 0;
}

int hot_add_text(struct live_hot *h, const char *text, size_t *ret_at)
{
	size_t n = strlen(text) + 1;

	if (n > h->text_room - h->text_bytes) {
		size_t room = (h->text_bytes + n) * 2;
		char *bigger = realloc(h->text, room);

		if (!bigger)
			return -ENOMEM;
		h->text = bigger;
		h->text_room = room;
	}
	memcpy(h->text + h->text_bytes, text, n);
	*ret_at = h->text_bytes;
	h->text_bytes += n;
	return 0;
}

void hot_measure(struct live_hot *h)
{
	for (size_t i = 0; i < h->n_shown && i < HOTTEST; i++) {
		const char *cell = h->text + h->rows[i].text;

		for (size_t c = 0; c < h->n_columns; c++) {
			int width = utf8_width(cell);

			if (width > h->columns[c].width)
				h->columns[c].width = width;
			cell += strlen(cell) + 1;
		}
	}
}

bool live_hot_get(const struct live_hot *h, uint64_t id, struct live_hot_entry *ret)
{
	uint32_t i = hot_find(h, id);
	const struct hot_row *r;

	if (i == HOT_NONE)
		return false;
	r = &h->rows[i];
	*ret = (struct live_hot_entry){ .percent = r->percent,
					.now = r->now,
					.samples = r->samples,
					.busy = i < h->n_rows && h->has_busy ? r->busy : NAN,
					.text = h->text + (i < h->n_rows ? r->last : r->text),
					.dso = h->text + r->dso };
	return true;
}

static void copy(char to[LIVE_HOT_TEXT_MAX], const char *text)
{
	snprintf(to, LIVE_HOT_TEXT_MAX, "%s", text);
}

bool live_hot_get_origin(const struct live_hot *h, uint64_t id, struct live_hot_origin *ret)
{
	uint32_t i = hot_find(h, id);
	const struct hot_row *r;
	const char *text;

	if (i == HOT_NONE)
		return false;
	/*
	 * callers have the samples of their row; functions of a thread have an origin of their own
	 */
	r = &h->rows[h->rows[i].has_origin ? i : h->rows[i].entry];
	*ret = (struct live_hot_origin){
		.has_thread = r->has_thread, .has_cpu = r->has_cpu, .tid = r->tid, .cpu = r->cpu
	};
	text = h->text + r->from;
	copy(ret->comm, text);
	text += strlen(text) + 1;
	copy(ret->dso, text);
	copy(ret->function, text + strlen(text) + 1);
	return true;
}

size_t live_hot_n_columns(const struct live_hot *h)
{
	return h ? h->n_columns : 0;
}

const struct live_hot_column *live_hot_column(const struct live_hot *h, size_t i)
{
	return &h->columns[i];
}

const char *live_hot_cell(const struct live_hot *h, uint64_t id, size_t column)
{
	uint32_t i = hot_find(h, id);
	const char *cell;

	if (i == HOT_NONE || i >= h->n_rows || column >= h->n_columns)
		return "";
	for (cell = h->text + h->rows[i].text; column; column--)
		cell += strlen(cell) + 1;
	return cell;
}

size_t live_hot_count(const struct live_hot *h, uint64_t id)
{
	uint32_t i;

	if (!h)
		return 0;
	if (!id)
		return h->n_shown;
	i = hot_find(h, id);
	return i == HOT_NONE ? 0 : h->rows[i].n_children;
}

uint64_t live_hot_child(const struct live_hot *h, uint64_t id, size_t i)
{
	uint32_t row;

	if (i >= live_hot_count(h, id))
		return 0;
	if (!id)
		return h->rows[i].id;
	row = hot_find(h, id);
	return h->rows[h->rows[row].first_child + i].id;
}

bool live_hot_opens(const struct live_hot *h, uint64_t id)
{
	uint32_t i = hot_find(h, id);

	if (i == HOT_NONE)
		return false;
	return h->rows[i].n_children || (h->opens && i < h->n_rows && !h->rows[i].made);
}

bool live_hot_may_open(const struct live_hot *h)
{
	return h && h->opens;
}

bool live_hot_has_now(const struct live_hot *h)
{
	return h && h->has_now;
}

bool live_hot_has_busy(const struct live_hot *h)
{
	return h && h->has_busy;
}

bool live_hot_is_unmade(const struct live_hot *h, uint64_t id)
{
	uint32_t i = hot_find(h, id);

	return i != HOT_NONE && h->opens && i < h->n_rows && !h->rows[i].made;
}

uint32_t live_hot_event(const struct live_hot *h)
{
	return h ? h->event : 0;
}

uint64_t live_hot_generation(const struct live_hot *h)
{
	return h ? h->generation : 0;
}

const struct trust_fact *live_hot_facts(const struct live_hot *h, size_t *ret_n)
{
	*ret_n = h ? h->n_facts : 0;
	return h ? h->facts : NULL;
}

const struct missing_list *live_hot_missing(const struct live_hot *h)
{
	return h ? h->missing : NULL;
}
