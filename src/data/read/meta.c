/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Metadata: the feature sections of a file, and the corresponding records of a pipe. */
#include <errno.h>
#include <string.h>
#include "base/buf.h"
#include "base/vec.h"
#include "data/read/reader_private.h"

#define FEATURE_BYTES_MAX    ((uint64_t)1 << 30)
#define BUILD_ID_FIELD_BYTES 24
#define MISC_BUILD_ID_SIZE   (1u << 15)
#define UPDATE_NAME	     2 /* PERF_EVENT_UPDATE__NAME */

/* ---- a feature's bytes ---- */

const void *meta_feature(struct data_file *f, unsigned feature, size_t *ret_bytes)
{
	struct data_feature_slot *slot;
	char *bytes;
	ssize_t n;

	if (feature >= PTUI_FEAT_MAX || !f->features[feature].present)
		return NULL;
	slot = &f->features[feature];
	if (!slot->loaded) {
		slot->loaded = true; /* also after a failure: no second attempt */
		if (slot->size > FEATURE_BYTES_MAX)
			return NULL;
		bytes = arena_alloc(&f->arena, slot->size + 1);
		if (!bytes)
			return NULL;
		n = source_read(&f->src, slot->off, bytes, slot->size, slot->size);
		if (n < 0 || (uint64_t)n < slot->size)
			return NULL;
		slot->bytes = bytes;
	}
	*ret_bytes = slot->bytes ? slot->size : 0;
	return slot->bytes;
}

const void *data_feature(const struct data_file *f, unsigned feature, size_t *ret_bytes)
{
	struct data_file *file = (struct data_file *)(uintptr_t)f; /* loads on first use */
	const void *bytes;

	pthread_mutex_lock(&file->lock);
	bytes = meta_feature(file, feature, ret_bytes);
	pthread_mutex_unlock(&file->lock);
	return bytes;
}

const char *data_feature_name(unsigned feature)
{
	static const char *const names[PTUI_FEAT_MAX] = {
		[PTUI_FEAT_TRACING_DATA] = "TRACING_DATA",
		[PTUI_FEAT_BUILD_ID] = "BUILD_ID",
		[PTUI_FEAT_HOSTNAME] = "HOSTNAME",
		[PTUI_FEAT_OSRELEASE] = "OSRELEASE",
		[PTUI_FEAT_VERSION] = "VERSION",
		[PTUI_FEAT_ARCH] = "ARCH",
		[PTUI_FEAT_NRCPUS] = "NRCPUS",
		[PTUI_FEAT_CPUDESC] = "CPUDESC",
		[PTUI_FEAT_CPUID] = "CPUID",
		[PTUI_FEAT_TOTAL_MEM] = "TOTAL_MEM",
		[PTUI_FEAT_CMDLINE] = "CMDLINE",
		[PTUI_FEAT_EVENT_DESC] = "EVENT_DESC",
		[PTUI_FEAT_CPU_TOPOLOGY] = "CPU_TOPOLOGY",
		[PTUI_FEAT_NUMA_TOPOLOGY] = "NUMA_TOPOLOGY",
		[PTUI_FEAT_BRANCH_STACK] = "BRANCH_STACK",
		[PTUI_FEAT_PMU_MAPPINGS] = "PMU_MAPPINGS",
		[PTUI_FEAT_GROUP_DESC] = "GROUP_DESC",
		[PTUI_FEAT_AUXTRACE] = "AUXTRACE",
		[PTUI_FEAT_STAT] = "STAT",
		[PTUI_FEAT_CACHE] = "CACHE",
		[PTUI_FEAT_SAMPLE_TIME] = "SAMPLE_TIME",
		[PTUI_FEAT_MEM_TOPOLOGY] = "MEM_TOPOLOGY",
		[PTUI_FEAT_CLOCKID] = "CLOCKID",
		[PTUI_FEAT_DIR_FORMAT] = "DIR_FORMAT",
		[PTUI_FEAT_BPF_PROG_INFO] = "BPF_PROG_INFO",
		[PTUI_FEAT_BPF_BTF] = "BPF_BTF",
		[PTUI_FEAT_COMPRESSED] = "COMPRESSED",
		[PTUI_FEAT_CPU_PMU_CAPS] = "CPU_PMU_CAPS",
		[PTUI_FEAT_CLOCK_DATA] = "CLOCK_DATA",
		[PTUI_FEAT_HYBRID_TOPOLOGY] = "HYBRID_TOPOLOGY",
		[PTUI_FEAT_PMU_CAPS] = "PMU_CAPS",
		[PTUI_FEAT_SIMPLEPERF_FILE] = "FILE",
		[PTUI_FEAT_SIMPLEPERF_META_INFO] = "META_INFO",
		[PTUI_FEAT_SIMPLEPERF_FILE2] = "FILE2",
		[PTUI_FEAT_SIMPLEPERF_INIT_MAP] = "INIT_MAP",
	};

	return feature < PTUI_FEAT_MAX ? names[feature] : NULL;
}

/* u32 length, then text, NUL and padding of that length in all. */
static const char *read_string(struct cursor *c, size_t *ret_n)
{
	uint32_t n = cursor_u32(c);
	const char *at = cursor_bytes(c, n);

	*ret_n = at ? strnlen(at, n) : 0;
	return at;
}

static void decode_text(struct cursor *c, struct buf *out, uint32_t n)
{
	for (uint32_t i = 0; i < n && !c->bad && cursor_left(c); i++) {
		size_t len;
		const char *at = read_string(c, &len);

		if (!at)
			return;
		if (i)
			buf_add_char(out, ' ');
		buf_add(out, at, len);
	}
}

static const char *feature_text(struct data_file *f, unsigned feature)
{
	struct buf out = BUF_INIT;
	struct cursor c;
	const char *text;
	size_t n = 0;
	const void *bytes = meta_feature(f, feature, &n);

	if (!bytes)
		return NULL;
	cursor_init(&c, bytes, n, f->swap);
	decode_text(&c, &out, feature == PTUI_FEAT_CMDLINE ? cursor_u32(&c) : 1);
	text = out.err ? NULL : arena_strdup(&f->arena, buf_str(&out));
	buf_release(&out);
	return text;
}

const char *data_feature_text(struct data_file *f, unsigned feature)
{
	static const bool is_text[PTUI_FEAT_MAX] = {
		[PTUI_FEAT_HOSTNAME] = true, [PTUI_FEAT_OSRELEASE] = true,
		[PTUI_FEAT_VERSION] = true,  [PTUI_FEAT_ARCH] = true,
		[PTUI_FEAT_CPUDESC] = true,  [PTUI_FEAT_CPUID] = true,
		[PTUI_FEAT_CMDLINE] = true,
	};
	const char *text;

	if (feature >= PTUI_FEAT_MAX || !is_text[feature])
		return NULL;
	pthread_mutex_lock(&f->lock);
	if (!f->features[feature].text)
		f->features[feature].text = feature_text(f, feature);
	text = f->features[feature].text;
	pthread_mutex_unlock(&f->lock);
	return text;
}

/* ---- events: names and groups ---- */

/* u32 n, u32 attr bytes, { attr, u32 n ids, string, u64 ids … } × n */
static int read_event_desc(struct data_file *f, const void *bytes, size_t n)
{
	struct cursor c;
	uint32_t events, attr_bytes;

	cursor_init(&c, bytes, n, f->swap);
	events = cursor_u32(&c);
	attr_bytes = cursor_u32(&c);
	for (uint32_t i = 0; i < events && !c.bad; i++) {
		uint32_t n_ids, event = i;
		const char *name;
		struct cursor ids;
		size_t len;
		int ret;

		cursor_bytes(&c, attr_bytes);
		n_ids = cursor_u32(&c);
		name = read_string(&c, &len);
		if (c.bad || n_ids > cursor_left(&c) / 8)
			break;
		cursor_init(&ids, cursor_bytes(&c, (size_t)n_ids * 8), (size_t)n_ids * 8, f->swap);
		if (n_ids) {
			uint32_t by_id = event_table_find(&f->events, cursor_u64(&ids));

			event = by_id == PTUI_NONE ? i : by_id;
		}
		ret = event_table_name(&f->events, event, name, len);
		if (ret)
			return ret;
	}
	return 0;
}

/* u32 n, { string, u32 leader, u32 members } × n; the members follow their leader */
static void read_group_desc(struct data_file *f, const void *bytes, size_t n)
{
	struct cursor c;
	uint32_t groups;

	cursor_init(&c, bytes, n, f->swap);
	groups = cursor_u32(&c);
	for (uint32_t i = 0; i < groups && !c.bad; i++) {
		uint32_t leader, members;
		const char *name;
		size_t len;

		name = read_string(&c, &len);
		leader = cursor_u32(&c);
		members = cursor_u32(&c);
		if (c.bad || leader >= f->events.n)
			return;
		/* without memory it has none */
		if (len && strncmp(name, "{anon_group}", len) != 0)
			f->events.v[leader]->ev.group = arena_memdup0(f->events.arena, name,
								      strnlen(name, len));
		for (uint32_t k = 0; k < members && leader + k < f->events.n; k++)
			f->events.v[leader + k]->ev.leader = leader;
	}
}

static bool needs_tracepoint_names(const struct data_file *f)
{
	for (size_t i = 0; i < f->events.n; i++)
		if (f->events.v[i]->ev.type == PERF_TYPE_TRACEPOINT &&
		    !f->events.v[i]->named_by_file)
			return true;
	return false;
}

/* Applies a new feature to the events. */
static int apply_feature(struct data_file *f, unsigned feature)
{
	const void *bytes;
	size_t n = 0;

	if (feature == PTUI_FEAT_TRACING_DATA && !needs_tracepoint_names(f))
		return 0;
	bytes = meta_feature(f, feature, &n);
	if (!bytes)
		return 0;
	if (feature == PTUI_FEAT_EVENT_DESC)
		return read_event_desc(f, bytes, n);
	if (feature == PTUI_FEAT_TRACING_DATA)
		return tracepoint_names_read(&f->events, bytes, n);
	if (feature == PTUI_FEAT_GROUP_DESC)
		read_group_desc(f, bytes, n);
	return 0;
}

int meta_read_features(struct data_file *f)
{
	int ret = apply_feature(f, PTUI_FEAT_EVENT_DESC);

	if (!ret)
		ret = apply_feature(f, PTUI_FEAT_GROUP_DESC);
	if (!ret)
		ret = apply_feature(f, PTUI_FEAT_TRACING_DATA);
	return ret ? ret : simpleperf_name_events(f);
}

/* ---- build-ids ---- */

/* After the record header:  i32 pid, u8 id[20], u8 size, u8 0[3], path */
static int add_build_id(struct data_file *f, uint16_t misc, const uint8_t *body, size_t n)
{
	struct data_build_id item;
	struct cursor c;
	const uint8_t *id;
	const char *path;

	memset(&item, 0, sizeof(item));
	cursor_init(&c, body, n, f->swap);
	item.misc = misc;
	item.pid = (int32_t)cursor_u32(&c);
	id = cursor_bytes(&c, BUILD_ID_FIELD_BYTES);
	if (c.bad)
		return 0;
	item.bytes = misc & MISC_BUILD_ID_SIZE ? id[DATA_BUILD_ID_MAX] : DATA_BUILD_ID_MAX;
	if (item.bytes > DATA_BUILD_ID_MAX)
		return 0;
	memcpy(item.id, id, item.bytes);
	path = (const char *)c.p;
	item.path = arena_memdup0(&f->arena, path, strnlen(path, cursor_left(&c)));
	if (!item.path || vec_grow(&f->build_ids, &f->build_ids_cap, f->n_build_ids + 1))
		return -ENOMEM;
	f->build_ids[f->n_build_ids++] = item;
	return 0;
}

static int read_build_ids(struct data_file *f)
{
	struct cursor c;
	const void *bytes;
	size_t n = 0;
	int ret = 0;

	f->build_ids_read = true;
	bytes = meta_feature(f, PTUI_FEAT_BUILD_ID, &n);
	if (!bytes)
		return 0;
	cursor_init(&c, bytes, n, f->swap);
	while (!ret && cursor_left(&c) >= DATA_RECORD_HEADER_BYTES) {
		uint16_t misc, size;
		const void *body;

		cursor_u32(&c);
		misc = cursor_u16(&c);
		size = cursor_u16(&c);
		if (size <= DATA_RECORD_HEADER_BYTES)
			break;
		body = cursor_bytes(&c, size - DATA_RECORD_HEADER_BYTES);
		if (!body)
			break;
		ret = add_build_id(f, misc, body, size - DATA_RECORD_HEADER_BYTES);
	}
	return ret;
}

int data_build_id_at(const struct data_file *f, size_t i, struct data_build_id *ret)
{
	struct data_file *file = (struct data_file *)(uintptr_t)f; /* decodes on first use */
	int err = 0;

	pthread_mutex_lock(&file->lock);
	if (!file->build_ids_read)
		err = read_build_ids(file);
	if (!err) {
		err = i >= f->n_build_ids;
		if (!err)
			*ret = f->build_ids[i];
	}
	pthread_mutex_unlock(&file->lock);
	return err;
}

/* ---- the records of a pipe ---- */

static int apply_attr(struct data_file *f, const uint8_t *body, size_t n)
{
	uint32_t size;
	int ret;

	if (n < PTUI_ATTR_SIZE_VER0)
		return 0;
	size = attr_size_at(body, f->swap);
	if (size > n || size < PTUI_ATTR_SIZE_VER0)
		return 0;
	ret = event_table_add(&f->events, f->swap, body, size, body + size, (n - size) / 8);
	return ret == -EBADMSG ? 0 : ret;
}

int meta_set_feature(struct data_file *f, unsigned feature, const uint8_t *bytes, size_t n)
{
	struct data_feature_slot *slot = &f->features[feature];

	slot->bytes = arena_memdup0(&f->arena, bytes, n);
	if (!slot->bytes)
		return -ENOMEM;
	slot->present = slot->loaded = true;
	slot->size = n;
	slot->text = NULL;
	return apply_feature(f, feature);
}

static int apply_update(struct data_file *f, const uint8_t *body, size_t n)
{
	uint32_t event;
	struct cursor c;
	uint64_t what;

	cursor_init(&c, body, n, f->swap);
	what = cursor_u64(&c);
	event = event_table_find(&f->events, cursor_u64(&c));
	if (c.bad || what != UPDATE_NAME || event == PTUI_NONE)
		return 0;
	return event_table_name(&f->events, event, (const char *)c.p, cursor_left(&c));
}

/*
 * u64 n, { u64 id, u64 index, u64 cpu, u64 tid } × n, with guests { u64 machine pid, u64 vcpu } × n. Only
 * the last contain more than the attrs.
 */
static int apply_id_index(struct data_file *f, const uint8_t *body, size_t n_body)
{
	const uint8_t *ids = body + 8, *guests;
	struct cursor c;
	uint64_t n;
	int ret = 0;

	cursor_init(&c, body, n_body, f->swap);
	n = cursor_u64(&c);
	if (c.bad || n > cursor_left(&c) / 48)
		return 0;
	guests = ids + 32 * n;
	for (size_t i = 0; i < n && !ret; i++) {
		uint64_t pid = data_word(guests, 2 * i, f->swap);

		if (pid && pid <= INT32_MAX)
			ret = event_table_set_guest(
				&f->events, data_word(ids, 4 * i, f->swap), (int32_t)pid,
				(uint32_t)data_word(guests, 2 * i + 1, f->swap));
	}
	return ret;
}

bool meta_is_record(uint32_t type)
{
	return type == PTUI_RECORD_HEADER_ATTR || type == PTUI_RECORD_ID_INDEX ||
	       type == PTUI_RECORD_HEADER_FEATURE || type == PTUI_RECORD_HEADER_TRACING_DATA ||
	       type == PTUI_RECORD_EVENT_UPDATE || type == PTUI_RECORD_HEADER_BUILD_ID ||
	       type == PTUI_SIMPLEPERF_TRACING_DATA || simpleperf_is_meta(type);
}

int meta_apply_record(struct data_file *f, const struct data_record *rec, const uint8_t *payload,
		      size_t payload_bytes)
{
	struct cursor c;
	uint64_t feature;

	switch (rec->type) {
	case PTUI_RECORD_HEADER_ATTR:
		return apply_attr(f, rec->body, rec->body_bytes);
	case PTUI_RECORD_ID_INDEX:
		return apply_id_index(f, rec->body, rec->body_bytes);
	case PTUI_RECORD_EVENT_UPDATE:
		return apply_update(f, rec->body, rec->body_bytes);
	case PTUI_RECORD_HEADER_TRACING_DATA:
	case PTUI_SIMPLEPERF_TRACING_DATA:
		return meta_set_feature(f, PTUI_FEAT_TRACING_DATA, payload, payload_bytes);
	case PTUI_RECORD_HEADER_BUILD_ID:
		return add_build_id(f, rec->misc, rec->body, rec->body_bytes);
	case PTUI_RECORD_HEADER_FEATURE:
		cursor_init(&c, rec->body, rec->body_bytes, f->swap);
		feature = cursor_u64(&c);
		if (c.bad || feature >= PTUI_FEAT_MAX)
			return 0;
		return meta_set_feature(f, (unsigned)feature, c.p, cursor_left(&c));
	default:
		return simpleperf_apply_record(f, rec);
	}
}
