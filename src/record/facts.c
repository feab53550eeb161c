/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>
#include "base/buf.h"
#include "record/facts.h"

#define NAME_ALIGN 64 /* a string of the header: u32 bytes, text, padded to this */

static void add_string(struct buf *out, const char *text, size_t len)
{
	size_t padded = (len + 1 + NAME_ALIGN - 1) / NAME_ALIGN * NAME_ALIGN;

	buf_add_u32(out, (uint32_t)padded);
	buf_add(out, text, len);
	buf_add_zeros(out, padded - len);
}

static int add_feature(struct data_writer *w, unsigned feature, struct buf *out)
{
	int ret = out->err;

	if (!ret)
		ret = data_writer_add_feature(w, feature, out->data, out->len);
	buf_release(out);
	return ret;
}

int facts_add_cmdline(struct data_writer *w, const char *words, size_t n)
{
	struct buf out = BUF_INIT;
	const char *at, *end = words + n;
	uint32_t count = 0;
	size_t len;

	if (!n)
		return 0;
	for (at = words; at < end; at += strnlen(at, (size_t)(end - at)) + 1)
		count++;
	buf_add_u32(&out, count);
	for (at = words; at < end; at += len + 1) {
		len = strnlen(at, (size_t)(end - at));
		add_string(&out, at, len);
	}
	return add_feature(w, PTUI_FEAT_CMDLINE, &out);
}

static uint32_t members_of(const struct event_list *events, size_t leader)
{
	uint32_t n = 0;
	size_t i;

	for (i = 0; i < events->n; i++)
		n += events->v[i].leader == leader;
	return n;
}

int facts_add_groups(struct data_writer *w, const struct event_list *events)
{
	struct buf out = BUF_INIT;
	const char *name;
	uint32_t groups = 0;
	size_t i;

	for (i = 0; i < events->n; i++)
		groups += members_of(events, i) > 1;
	if (!groups)
		return 0;
	buf_add_u32(&out, groups);
	for (i = 0; i < events->n; i++) {
		uint32_t n = members_of(events, i);

		if (n < 2)
			continue;
		name = events->v[i].group_name ? events->v[i].group_name : "{anon_group}";
		add_string(&out, name, strlen(name));
		buf_add_u32(&out, (uint32_t)i);
		buf_add_u32(&out, n);
	}
	return add_feature(w, PTUI_FEAT_GROUP_DESC, &out);
}

int facts_add_sample_time(struct data_writer *w, uint64_t first_ns, uint64_t last_ns)
{
	struct buf out = BUF_INIT;

	if (!last_ns)
		return 0;
	buf_add_u64(&out, first_ns);
	buf_add_u64(&out, last_ns);
	return add_feature(w, PTUI_FEAT_SAMPLE_TIME, &out);
}
