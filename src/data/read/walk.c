/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Walks over the records. There are two streams: the data section itself and, after each COMPRESSED
 * record, what was unpacked from it, which comes first as far as it has whole records.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "base/i18n.h"
#include "data/read/reader_private.h"

#define PAYLOAD_BYTES_MAX  ((uint64_t)256 << 20)
#define MISSING_BYTES_SANE ((uint64_t)1 << 40) /* beyond: damage, not a file that is cut */

struct data_walk {
	struct data_file *f;
	struct window win;	       /* of the file */
	uint64_t off;		       /* of the next record in the file */
	uint64_t last_off;	       /* of the previous one */
	uint64_t end;		       /* of data_walk_range(); 0: all of the file */
	uint64_t stop;		       /* of data_walk_stop_skipping() */
	const struct sample_run *runs; /* of data_walk_follow(): */
	size_t n_runs, next_run;       /* those before the next one start before `off` */
	bool last_known;	       /* whether that one had a known type */
	size_t part; /* 0: the data section; i + 1: parts[i] of the source; then INIT_MAP */
	struct window inner_win; /* of the unpacked stream */
	uint64_t inner_off, inner_end;
	uint64_t inner_outer_off; /* of the last COMPRESSED record */
	bool inner_lost;	  /* after a bad record in it: the next start is unknown */
	size_t n_packed;	  /* COMPRESSED records so far */
	uint64_t seq;
	bool ended, keeps_unknown, keeps_simpleperf;
	struct data_damage damage;
	struct sample_scratch scratch;
};

/* Result of a step of the walk. */
enum step {
	STEP_RECORD,
	STEP_AGAIN, /* no record to return: continue */
	STEP_END,   /* end of this stream */
};

struct data_walk *data_walk_new(struct data_file *f, struct ptui_error *err)
{
	struct data_walk *w = calloc(1, sizeof(*w));

	if (!w) {
		ptui_error_nomem(err);
		return NULL;
	}
	w->f = f;
	w->off = w->last_off = f->data_off;
	w->last_known = true;
	w->stop = UINT64_MAX;
	window_init(&w->win, &f->src);
	window_init(&w->inner_win, &f->unpacked);
	w->scratch.words = malloc(PTUI_RECORD_MAX_BYTES);
	if (!w->scratch.words) {
		ptui_error_nomem(err);
		data_walk_free(w);
		return NULL;
	}
	return w;
}

void data_walk_free(struct data_walk *w)
{
	if (!w)
		return;
	window_release(&w->win);
	window_release(&w->inner_win);
	free(w->scratch.words);
	free(w);
}

void data_walk_damage(const struct data_walk *w, struct data_damage *ret)
{
	const struct data_damage *a = &w->f->damage, *b = &w->damage;

	ret->truncated_bytes = a->truncated_bytes + b->truncated_bytes;
	ret->bad_records = a->bad_records + b->bad_records;
	ret->unknown_records = a->unknown_records + b->unknown_records;
	memcpy(ret->unknown_types, b->unknown_types, sizeof(ret->unknown_types));
	ret->unknown_ids = a->unknown_ids + b->unknown_ids;
	ret->skipped_bytes = a->skipped_bytes + b->skipped_bytes;
	ret->bad_sections = a->bad_sections + b->bad_sections;
	ret->cut_after_data = a->cut_after_data;
	memcpy(ret->missing_features, a->missing_features, sizeof(ret->missing_features));
	memcpy(ret->records, b->records, sizeof(ret->records));
	ret->unfinished = a->unfinished || b->unfinished;
}

bool data_walk_splits(const struct data_walk *w)
{
	const struct data_damage *d = &w->damage, *opened = &w->f->damage;

	return !w->f->pipe && !w->f->src.n_parts && !simpleperf_has_init_map(w->f) &&
	       !w->n_packed && !d->bad_records && !d->skipped_bytes && !d->truncated_bytes &&
	       !opened->truncated_bytes && !opened->unfinished;
}

void data_walk_range(struct data_walk *w, const struct data_place *from,
		     const struct data_place *to)
{
	if (from) {
		w->off = w->last_off = from->off;
		w->seq = from->seq;
	}
	w->end = to ? to->off : w->f->data_end;
}

void data_walk_stop_skipping(struct data_walk *w, uint64_t off)
{
	w->stop = off;
}

void data_walk_follow(struct data_walk *w, struct data_scout *s)
{
	w->n_runs = w->next_run = 0;
	if (s)
		w->runs = data_scout_runs(s, &w->n_runs);
}

void data_walk_join(struct data_walk *w, const struct data_walk *other)
{
	struct data_damage *to = &w->damage;
	const struct data_damage *d = &other->damage;

	to->truncated_bytes += d->truncated_bytes;
	to->bad_records += d->bad_records;
	to->unknown_records += d->unknown_records;
	to->unknown_ids += d->unknown_ids;
	to->skipped_bytes += d->skipped_bytes;
	for (size_t i = 0; i < PTUI_RECORD_TYPES; i++)
		to->records[i] += d->records[i];
}

static void set_record(struct data_record *rec, const struct record_head *h, const uint8_t *at)
{
	rec->type = h->type;
	rec->misc = h->misc;
	rec->bytes = h->size;
	rec->body = at + DATA_RECORD_HEADER_BYTES;
	rec->body_bytes = h->size - DATA_RECORD_HEADER_BYTES;
}

static void init_record(struct data_record *rec, const struct record_head *h, const uint8_t *at)
{
	memset(rec, 0, sizeof(*rec));
	set_record(rec, h, at);
}

/* Only once a record is whole: a walk that waited in vain for its rest comes back to it. */
static void count_type(struct data_walk *w, uint32_t type)
{
	unsigned at = record_count_index(type);

	if (at < PTUI_RECORD_TYPES)
		w->damage.records[at]++;
}

/* Skipped records cost only reading their header. */
static bool is_skipped(struct data_walk *w, const struct record_head *h, bool want_samples)
{
	bool known = record_type_known(h->type);

	if (known && w->keeps_simpleperf && h->type >= PTUI_SIMPLEPERF_TYPES)
		return false;
	/* once the event names of perf; ptui's tables: writer_file.c */
	if (known && h->type != PTUI_RECORD_HEADER_EVENT_TYPE &&
	    (h->type < PTUI_RECORD_TYPES || meta_is_record(h->type)) &&
	    (h->type != PERF_RECORD_SAMPLE || want_samples))
		return false;
	if (!known) {
		w->damage.unknown_records++;
		data_unknown_add(w->damage.unknown_types, h->type, 1);
		if (w->keeps_unknown)
			return false;
	}
	count_type(w, h->type);
	w->seq += h->size;
	window_skip(&w->win, h->size);
	return true;
}

/* Decodes a record that is to be returned. */
static enum step decode_record(struct data_walk *w, struct data_record *rec)
{
	rec->seq = w->seq;
	w->seq += rec->bytes;
	if (rec->type < PTUI_RECORD_HEADER_ATTR && rec->type != PERF_RECORD_SAMPLE &&
	    record_decode(w->f, rec)) {
		w->damage.bad_records++;
		return STEP_AGAIN;
	}
	return STEP_RECORD;
}

void data_walk_keep_unknown(struct data_walk *w)
{
	w->keeps_unknown = true;
}

void data_walk_keep_simpleperf(struct data_walk *w)
{
	w->keeps_simpleperf = true;
}

static int read_failed(const struct data_walk *w, int ret, struct ptui_error *err)
{
	return ptui_error_errno(err, -ret, w->f->path, _("cannot read %s"), w->f->path);
}

/* ---- the unpacked stream ---- */

/* After damage: skips up to the next record; if there is none yet, up to the end. */
static int find_next_inner(struct data_walk *w, struct ptui_error *err)
{
	uint64_t next = w->inner_end;
	int ret = resync_find(&w->inner_win, w->f->swap, w->inner_off + 1, 1, w->inner_end, &next);

	if (ret < 0)
		return read_failed(w, ret, err);
	w->damage.skipped_bytes += next - w->inner_off;
	w->inner_off = next;
	w->inner_lost = ret;
	return 0;
}

static int inner_next(struct data_walk *w, bool want_samples, struct data_record *rec,
		      enum step *ret_step, struct ptui_error *err)
{
	uint64_t left = w->inner_end - w->inner_off;
	const uint8_t *at;
	struct record_head h;
	size_t n;
	int ret = 0;

	*ret_step = STEP_END; /* until the next COMPRESSED record */
	if (left < DATA_RECORD_HEADER_BYTES)
		return 0;
	at = window_at(&w->inner_win, w->inner_off, DATA_RECORD_HEADER_BYTES, &n, &ret);
	if (!at || n < DATA_RECORD_HEADER_BYTES)
		return read_failed(w, ret ? ret : -EIO, err);
	h = record_decode_head(at, w->f->swap);
	if (!record_is_possible(&h)) {
		w->damage.bad_records++;
		*ret_step = STEP_AGAIN;
		return find_next_inner(w, err);
	}
	if (h.size > left)
		return 0;
	w->inner_off += h.size;
	*ret_step = STEP_AGAIN;
	if (is_skipped(w, &h, want_samples))
		return 0;
	at = window_at(&w->inner_win, w->inner_off - h.size, h.size, &n, &ret);
	if (!at || n < h.size)
		return read_failed(w, ret ? ret : -EIO, err);
	count_type(w, h.type);
	init_record(rec, &h, at);
	rec->off = w->inner_outer_off;
	*ret_step = decode_record(w, rec);
	return 0;
}

/* COMPRESSED2 has the size of its payload; the rest aligns the next record. */
static int walk_unpack(struct data_walk *w, const struct data_record *rec, struct ptui_error *err)
{
	const uint8_t *bytes = rec->body;
	size_t n = rec->body_bytes;
	uint64_t end;
	int ret;

	if (rec->type == PTUI_RECORD_COMPRESSED2) {
		struct cursor c;
		uint64_t size;

		cursor_init(&c, bytes, n, w->f->swap);
		size = cursor_u64(&c);
		bytes = c.p;
		n = size < cursor_left(&c) ? size : cursor_left(&c);
	}
	ret = unpack_record(w->f, w->n_packed, rec->off, bytes, n, &end);
	if (ret && ret != -EBADMSG)
		return read_failed(w, ret, err);
	w->n_packed++;
	w->inner_outer_off = rec->off;
	w->inner_end = end;
	if (ret)
		w->damage.bad_records++;
	if (ret) {
		/* the missing part may end within a record */
		w->damage.skipped_bytes += n;
		w->inner_off = end;
		w->inner_lost = true;
	}
	return w->inner_lost ? find_next_inner(w, err) : 0;
}

/* ---- the data section ---- */

/* The end of the current section. UINT64_MAX: of a pipe. */
static uint64_t section_end(const struct data_walk *w)
{
	const struct data_feature_slot *maps = &w->f->features[PTUI_FEAT_SIMPLEPERF_INIT_MAP];

	if (w->end)
		return w->end;
	if (w->part > w->f->src.n_parts)
		return maps->off + maps->size;
	return w->part ? w->f->src.parts[w->part - 1].end : w->f->data_end;
}

/*
 * Whether the data ends before its header says. The last record is then usually cut. The damage is
 * counted once: not if opening the file has already found it truncated.
 */
static bool ends_too_early(const struct data_walk *w)
{
	return w->f->pipe || w->part || w->f->damage.truncated_bytes || w->f->damage.unfinished;
}

/* Gives up on the rest: `have` bytes of it exist, `missing` ones do not. */
static void end_early(struct data_walk *w, uint64_t have, uint64_t missing)
{
	const struct data_damage *d = &w->f->damage;

	w->ended = true;
	w->damage.skipped_bytes += have;
	if (!d->truncated_bytes && !d->unfinished)
		w->damage.truncated_bytes += missing;
}

/*
 * The header at `off` cannot be one, or its record exceeds the data by `missing` bytes. Continues
 * where records start again, be it within the record at `last_off`, whose size may be the wrong one.
 * If they do not, this is the end: of a cut file, or of a damaged one.
 */
static int skip_damaged(struct data_walk *w, uint64_t last_off, uint64_t missing,
			enum step *ret_step, struct ptui_error *err)
{
	/* COMPRESSED records have any size, those of features a multiple of 4 bytes */
	unsigned align = w->n_packed ? 1 : 4;
	uint64_t end = section_end(w), next = 0;
	int ret = resync_find(&w->win, w->f->swap, last_off + align, align, end, &next);

	if (ret < 0)
		return read_failed(w, ret, err);
	*ret_step = ret ? STEP_END : STEP_AGAIN;
	if (end > w->f->src.size)
		end = w->f->src.size;
	if (ret && w->last_known && ends_too_early(w) && missing && missing < MISSING_BYTES_SANE) {
		end_early(w, end - w->off, missing);
		return 0;
	}
	w->damage.bad_records++;
	w->last_known = true;
	w->ended = ret;
	if (ret)
		next = end;
	if (next > w->off)
		w->damage.skipped_bytes += next - w->off;
	w->off = w->last_off = next;
	return 0;
}

static uint64_t left_in_section(const struct data_walk *w)
{
	return section_end(w) > w->off ? section_end(w) - w->off : 0;
}

/*
 * Only n bytes are left, less than a record header: the usual end of a pipe, or a file that was
 * truncated while it was read. If the last record was skipped, its end may not have been checked.
 */
static int end_at_source_end(struct data_walk *w, size_t n, enum step *ret_step,
			     struct ptui_error *err)
{
	uint64_t size = w->f->src.size, off = w->off;

	if (off > size && w->last_off <= size) {
		w->off = w->last_off;
		return skip_damaged(w, w->last_off, off - size, ret_step, err);
	}
	if (!w->f->pipe)
		end_early(w, n, left_in_section(w) - n);
	else
		end_early(w, n, n ? DATA_RECORD_HEADER_BYTES - n : 0);
	return 0;
}

/* Bytes that follow a record without being part of it, since header.size has only 16 bits. */
static uint64_t payload_bytes(const struct data_walk *w, const struct data_record *rec)
{
	struct cursor c;

	cursor_init(&c, rec->body, rec->body_bytes, w->f->swap);
	if (rec->type == PTUI_RECORD_AUXTRACE)
		return cursor_u64(&c);
	if (rec->type == PTUI_RECORD_HEADER_TRACING_DATA) {
		uint32_t n = cursor_u32(&c);

		/* simpleperf has them in the record */
		return n <= cursor_left(&c) ? 0 : n;
	}
	return 0;
}

static size_t tracing_bytes_inside(const struct data_walk *w, const struct data_record *rec)
{
	struct cursor c;
	uint32_t n;

	cursor_init(&c, rec->body, rec->body_bytes, w->f->swap);
	n = cursor_u32(&c);
	return n <= cursor_left(&c) ? n : 0;
}

/*
 * The first walk that reaches a metadata record applies it. Its bytes are read again, together with
 * the payload, and `rec` is set again.
 */
static int apply_meta(struct data_walk *w, const struct record_head *h, uint64_t payload,
		      struct data_record *rec)
{
	uint64_t whole = h->size + payload;
	const uint8_t *at;
	size_t n;
	int ret = 0;

	if (!meta_is_record(h->type))
		return 0;
	if (payload > PAYLOAD_BYTES_MAX)
		return 0;
	pthread_mutex_lock(&w->f->lock);
	if (w->off < w->f->meta_end)
		goto out;
	at = window_at(&w->win, w->off, whole, &n, &ret);
	if (!at)
		goto out;
	init_record(rec, h, at);
	if (n == whole && payload)
		ret = meta_apply_record(w->f, rec, at + h->size, payload);
	else if (n == whole)
		ret = meta_apply_record(w->f, rec, rec->body + 4, tracing_bytes_inside(w, rec));
	w->f->meta_end = w->off + whole;
out:
	pthread_mutex_unlock(&w->f->lock);
	return ret;
}

/* Applies a feature of the header that came as a record of its own type; it is not returned. */
static int header_record(struct data_walk *w, const struct data_record *rec, unsigned feature,
			 struct ptui_error *err)
{
	int ret = 0;

	pthread_mutex_lock(&w->f->lock);
	if (w->off >= w->f->meta_end) {
		ret = meta_set_feature(w->f, feature, rec->body, rec->body_bytes);
		w->f->meta_end = w->off + rec->bytes;
	}
	pthread_mutex_unlock(&w->f->lock);
	if (ret)
		return read_failed(w, ret, err);
	count_type(w, PTUI_RECORD_HEADER_FEATURE);
	w->off += rec->bytes;
	w->seq += rec->bytes;
	return 0;
}

static int outer_record(struct data_walk *w, const struct record_head *h, struct data_record *rec,
			enum step *ret_step, struct ptui_error *err)
{
	unsigned feature;
	uint64_t payload;
	size_t n;
	int ret = 0;
	const uint8_t *at = window_at(&w->win, w->off, h->size, &n, &ret);

	if (!at)
		return read_failed(w, ret, err);
	if (n < h->size)
		return skip_damaged(w, w->last_off, h->size - n, ret_step, err);
	init_record(rec, h, at);
	rec->off = w->off;
	if (header_record_feature(w->f, rec, &feature)) {
		*ret_step = STEP_AGAIN;
		return header_record(w, rec, feature, err);
	}
	payload = payload_bytes(w, rec);
	ret = apply_meta(w, h, payload, rec);
	if (ret)
		return read_failed(w, ret, err);
	count_type(w, h->type);
	rec->off = w->off;
	w->off += h->size;
	if (payload > left_in_section(w))
		return skip_damaged(w, rec->off, payload - left_in_section(w), ret_step, err);
	w->off += payload;
	if (rec->type == PTUI_RECORD_AUXTRACE) {
		rec->payload_bytes = payload;
		if (auxtrace_decode(w->f, rec->body, rec->body_bytes, &rec->auxtrace)) {
			w->damage.bad_records++;
			*ret_step = STEP_AGAIN;
			return 0;
		}
	}
	if (rec->type == PTUI_RECORD_COMPRESSED || rec->type == PTUI_RECORD_COMPRESSED2) {
		*ret_step = STEP_AGAIN;
		return walk_unpack(w, rec, err);
	}
	if (meta_is_record(rec->type) && rec->type >= PTUI_RECORD_TYPES && !w->keeps_simpleperf) {
		/* metadata of simpleperf, applied by now */
		w->seq += rec->bytes;
		*ret_step = STEP_AGAIN;
		return 0;
	}
	*ret_step = decode_record(w, rec);
	return 0;
}

static int outer_next(struct data_walk *w, bool want_samples, struct data_record *rec,
		      enum step *ret_step, struct ptui_error *err)
{
	uint64_t left = left_in_section(w);
	size_t want = left < DATA_RECORD_HEADER_BYTES ? left : DATA_RECORD_HEADER_BYTES, n;
	const uint8_t *at;
	struct record_head h;
	int ret = 0;

	*ret_step = STEP_END;
	if (w->ended || !left)
		return 0;
	at = window_at(&w->win, w->off, want, &n, &ret);
	if (!at)
		return read_failed(w, ret, err);
	if (n < DATA_RECORD_HEADER_BYTES)
		return end_at_source_end(w, n, ret_step, err);
	h = record_decode_head(at, w->f->swap);
	if (!record_is_possible(&h))
		return skip_damaged(w, w->last_off, 0, ret_step, err);
	w->last_known = w->last_known && record_type_known(h.type);
	if (h.size > left || (h.size > PTUI_RECORD_MAX_BYTES && w->f->pipe))
		return skip_damaged(w, w->last_off, h.size > left ? h.size - left : 0, ret_step,
				    err);
	w->last_off = w->off;
	w->last_known = record_type_known(h.type);
	*ret_step = STEP_AGAIN;
	if (is_skipped(w, &h, want_samples)) {
		w->off += h.size;
		return 0;
	}
	return outer_record(w, &h, rec, ret_step, err);
}

/*
 * The files of a directory recording have records only, and each its own compressed stream; so has
 * the section of simpleperf with the maps of processes that ran before. False: there is no further
 * one.
 */
static bool next_part(struct data_walk *w)
{
	const struct source *src = &w->f->src;

	/* what is left unpacked is not a whole record */
	w->damage.skipped_bytes += w->inner_end - w->inner_off;
	w->inner_off = w->inner_end;
	if (w->end || w->part > src->n_parts ||
	    (w->part == src->n_parts && !simpleperf_has_init_map(w->f)))
		return false;
	w->off = w->part < src->n_parts ? src->parts[w->part].off :
					  w->f->features[PTUI_FEAT_SIMPLEPERF_INIT_MAP].off;
	w->last_off = w->off;
	w->part++;
	w->last_known = true;
	w->ended = w->inner_lost = false;
	return true;
}

/* Whether samples may be in the window, where the two functions below look for them. */
static bool has_plain_samples(const struct data_walk *w)
{
	return w->inner_end - w->inner_off < DATA_RECORD_HEADER_BYTES && !w->f->swap && !w->ended;
}

/* The header at `off`, if it is that of a whole sample, and in the window. */
static inline const uint8_t *plain_sample(const struct data_walk *w, uint64_t off, uint64_t end,
					  struct perf_event_header *ret)
{
	const uint8_t *at = window_has(&w->win, off, DATA_RECORD_HEADER_BYTES);

	if (!at || off >= end)
		return NULL;
	memcpy(ret, at, sizeof(*ret));
	return ret->type == PERF_RECORD_SAMPLE && ret->size >= sizeof(*ret) &&
			       ret->size <= end - off ?
		       at :
		       NULL;
}

static void count_samples(struct data_walk *w, uint64_t n, uint64_t last_off, uint64_t off)
{
	w->damage.records[PERF_RECORD_SAMPLE] += n;
	w->last_off = last_off;
	w->last_known = true;
	w->seq += off - w->off;
	w->off = off;
}

/*
 * The next record, if it is a sample that is in the window: most records of most recordings. Does
 * for it what outer_next() does.
 */
static bool next_sample(struct data_walk *w, struct data_record *rec)
{
	struct perf_event_header h;
	const uint8_t *at;

	if (!has_plain_samples(w))
		return false;
	at = plain_sample(w, w->off, section_end(w), &h);
	if (!at || !window_has(&w->win, w->off, h.size))
		return false;
	/* the rest is for other types, and clearing it would take longest here */
	set_record(rec, &(struct record_head){ h.type, h.misc, h.size }, at);
	rec->id = (struct data_id){ 0 };
	rec->off = w->off;
	rec->seq = w->seq;
	count_samples(w, 1, w->off, w->off + h.size);
	return true;
}

/* Jumps over the run of samples that starts here, if a scout has found one and the walk need not stop in it. */
static bool skip_run(struct data_walk *w, uint64_t end)
{
	const struct sample_run *r;

	while (w->next_run < w->n_runs && w->runs[w->next_run].off < w->off)
		w->next_run++;
	r = &w->runs[w->next_run];
	if (w->next_run == w->n_runs || r->off != w->off || r->end > end)
		return false;
	window_skip(&w->win, r->end - r->off);
	count_samples(w, r->n, r->last_off, r->end);
	return true;
}

/* The same for samples that are not wanted, up to the one at which the walk stops. */
static void skip_samples(struct data_walk *w)
{
	const uint64_t end = section_end(w) < w->stop ? section_end(w) : w->stop;
	uint64_t off = w->off, last_off = off, n = 0;
	struct perf_event_header h;

	if (!has_plain_samples(w) || (w->n_runs && skip_run(w, end)))
		return;
	for (; plain_sample(w, off, end, &h); n++) {
		last_off = off;
		off += h.size;
		window_skip(&w->win, h.size);
	}
	if (n)
		count_samples(w, n, last_off, off);
}

int data_walk_next(struct data_walk *w, bool want_samples, struct data_record *rec,
		   struct ptui_error *err)
{
	enum step step;
	int ret;

	if (want_samples && next_sample(w, rec))
		return 0;
	do {
		do {
			if (!want_samples)
				skip_samples(w);
			if (w->off >= w->stop) {
				want_samples = true;
				w->stop = UINT64_MAX;
			}
			ret = inner_next(w, want_samples, rec, &step, err);
			if (!ret && step == STEP_END)
				ret = outer_next(w, want_samples, rec, &step, err);
			if (ret || step == STEP_RECORD)
				return ret;
		} while (step == STEP_AGAIN);
	} while (next_part(w));
	return 1;
}

ssize_t data_walk_payload(struct data_walk *w, const struct data_record *rec, uint64_t at,
			  void *bytes, size_t n)
{
	if (at >= rec->payload_bytes)
		return 0;
	if (n > rec->payload_bytes - at)
		n = (size_t)(rec->payload_bytes - at);
	return source_read(&w->f->src, rec->off + rec->bytes + at, bytes, n, n);
}

void data_walk_forget(struct data_walk *w)
{
	if (!w->f->pipe)
		return;
	source_forget(&w->f->src, w->last_off);
	source_forget(&w->f->unpacked, w->inner_off);
}

void data_walk_feed(struct data_walk *w, const void *bytes, size_t n)
{
	struct data_file *f = w->f;

	f->src.mem = bytes;
	f->src.size = n;
	f->data_off = 0;
	f->data_end = n;
	w->win.n = 0; /* it has the previous bytes */
	w->off = w->last_off = 0;
	w->last_known = true;
	w->ended = false;
}

int data_walk_sample(struct data_walk *w, const struct data_record *rec, struct data_sample *s)
{
	int ret = sample_decode(w->f, rec, &w->scratch, s);

	if (ret)
		w->damage.bad_records++;
	else if (s->event == PTUI_NONE)
		w->damage.unknown_ids++;
	return ret;
}

int data_walk_sample_time(struct data_walk *w, const struct data_record *rec, uint64_t *ret_time)
{
	return sample_time(w->f, rec, &w->scratch, ret_time);
}

/* The features of an old pipe follow its events, HOSTNAME (69) first. */
static bool is_leading(const struct data_file *f, uint32_t type)
{
	if (meta_is_record(type))
		return true;
	return f->pipe && type >= PTUI_RECORD_ID_INDEX &&
	       type <= (f->old_pipe ? PTUI_RECORD_COMPRESSED : PTUI_RECORD_ID_INDEX);
}

/* Stops at the first record that is not metadata: in a pipe it may arrive late. */
int walk_read_leading(struct data_file *f, struct ptui_error *err)
{
	struct data_walk *w = data_walk_new(f, err);
	struct data_record rec;
	enum step step = STEP_AGAIN;
	int ret = 0;

	if (!w)
		return -ENOMEM;
	while (!ret && step != STEP_END) {
		size_t n = 0;
		const uint8_t *at = window_at(&w->win, w->off, DATA_RECORD_HEADER_BYTES, &n, &ret);

		if (!at) {
			ret = read_failed(w, ret, err);
			break;
		}
		if (n < DATA_RECORD_HEADER_BYTES ||
		    !is_leading(f, record_decode_head(at, f->swap).type))
			break;
		ret = outer_next(w, true, &rec, &step, err);
	}
	data_walk_free(w);
	return ret;
}
