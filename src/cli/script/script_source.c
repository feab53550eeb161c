/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The field srccode: the text of source lines, read from the files that debug information names. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "annotate/source.h"
#include "base/hash.h"
#include "base/text.h"
#include "base/vec.h"
#include "cli/script/script.h"
#include "profile/debug.h"

/* The line that a thread printed last. */
struct thread_line {
	int32_t pid, tid;
	const struct source_file *file; /* NULL: none */
	unsigned line;
};

struct script_sources {
	struct sources files;
	struct thread_line *threads;
	size_t n, cap;
	struct index_table by_thread;
};

static uint64_t thread_hash(int32_t pid, int32_t tid)
{
	return hash_u64((uint64_t)(uint32_t)pid << 32 | (uint32_t)tid);
}

static bool thread_is(const void *owner, uint32_t index, const void *key)
{
	const struct thread_line *t = &((const struct script_sources *)owner)->threads[index];
	const struct thread_line *wanted = key;

	return t->pid == wanted->pid && t->tid == wanted->tid;
}

/* NULL: no memory. */
static struct thread_line *thread_get(struct script_sources *src, int32_t pid, int32_t tid)
{
	const struct thread_line wanted = { .pid = pid, .tid = tid };
	uint64_t hash = thread_hash(pid, tid);
	uint32_t i = index_table_find(&src->by_thread, hash, thread_is, src, &wanted);

	if (i != PTUI_NONE)
		return &src->threads[i];
	if (vec_grow(&src->threads, &src->cap, src->n + 1) ||
	    index_table_add(&src->by_thread, hash, (uint32_t)src->n))
		return NULL;
	src->threads[src->n] = wanted;
	return &src->threads[src->n++];
}

/* Tabs stay. */
static void add_text(struct buf *out, const char *text)
{
	while (*text) {
		size_t n = strcspn(text, "\t");

		text_escape_n(out, text, n);
		if (text[n])
			buf_add_char(out, text[n++]);
		text += n;
	}
}

int script_print_srccode(struct script *s, const struct data_sample *sample, uint64_t when,
			 uint64_t addr)
{
	uint32_t frame = stream_frame_in(s->stream, sample->pid, data_sample_mode(sample, addr),
					 when, addr);
	struct profile_scope scopes[PROFILE_INLINE_MAX];
	struct thread_line *last;
	struct source_file *file;
	const char *text;

	if (!s->sources)
		s->sources = calloc(1, sizeof(*s->sources));
	if (!s->sources || frame == PTUI_NONE)
		return -ENOMEM;
	if (!stream_scopes(s->stream, frame, scopes, PROFILE_INLINE_MAX) || !scopes[0].path)
		return 0;
	file = source_get(&s->sources->files, scopes[0].path);
	last = file ? thread_get(s->sources, sample->pid, sample->tid) : NULL;
	if (!last)
		return -ENOMEM;
	text = source_line(file, scopes[0].line);
	if (!text || (last->file == file && last->line == scopes[0].line))
		return 0;
	last->file = file;
	last->line = scopes[0].line;
	buf_addf(&s->out, "|%-8u ", scopes[0].line);
	add_text(&s->out, text);
	buf_add_char(&s->out, '\n');
	return s->out.err;
}

void script_sources_free(struct script_sources *src)
{
	if (!src)
		return;
	sources_release(&src->files);
	index_table_release(&src->by_thread);
	free(src->threads);
	free(src);
}
