/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <stdlib.h>
#include <time.h>
#include "base/buf.h"
#include "base/clock.h"
#include "data/write/feature_payload.h"
#include "record/header/features.h"

int features_add(struct data_writer *w, unsigned feature, struct buf *out)
{
	int ret = out->err;

	if (!ret)
		ret = data_writer_add_feature(w, feature, out->data, out->len);
	buf_release(out);
	return ret;
}

int features_add_cmdline(struct data_writer *w, const char *words, size_t n)
{
	struct buf out = BUF_INIT;

	if (!n)
		return 0;
	feature_cmdline(&out, words, n);
	return features_add(w, PTUI_FEAT_CMDLINE, &out);
}

int features_add_clock(struct data_writer *w, int clockid)
{
	struct timespec res = { 0, 0 }, now, wall;
	struct buf out = BUF_INIT;
	int ret;

	/* unknown to the C library: times are not converted */
	if (clock_gettime(clockid, &now) || clock_gettime(CLOCK_REALTIME, &wall))
		return 0;
	if (!clock_getres(clockid, &res) && clock_timespec_ns(res)) {
		buf_add_u64(&out, clock_timespec_ns(res));
		ret = features_add(w, PTUI_FEAT_CLOCKID, &out);
		if (ret)
			return ret;
	}
	buf_add_u32(&out, 1); /* version of the feature */
	buf_add_u32(&out, (uint32_t)clockid);
	buf_add_u64(&out, clock_timespec_ns(wall));
	buf_add_u64(&out, clock_timespec_ns(now));
	return features_add(w, PTUI_FEAT_CLOCK_DATA, &out);
}

static uint32_t members_of(const struct event_list *events, size_t leader)
{
	uint32_t n = 0;

	for (size_t i = 0; i < events->n; i++)
		n += events->v[i].leader == leader;
	return n;
}

int features_add_groups(struct data_writer *w, const struct event_list *events)
{
	struct feature_group *groups = calloc(events->n + 1, sizeof(*groups));
	struct buf out = BUF_INIT;
	size_t n = 0;

	if (!groups)
		return -ENOMEM;
	for (size_t i = 0; i < events->n; i++) {
		const char *name = events->v[i].group_name;
		uint32_t members = members_of(events, i);

		if (members > 1)
			groups[n++] = (struct feature_group){ name ? name : "{anon_group}",
							      (uint32_t)i, members };
	}
	if (n)
		feature_group_desc(&out, groups, n);
	free(groups);
	return n ? features_add(w, PTUI_FEAT_GROUP_DESC, &out) : 0;
}

int features_add_sample_time(struct data_writer *w, uint64_t first_ns, uint64_t last_ns)
{
	struct buf out = BUF_INIT;

	if (!last_ns)
		return 0;
	feature_sample_time(&out, first_ns, last_ns);
	return features_add(w, PTUI_FEAT_SAMPLE_TIME, &out);
}
