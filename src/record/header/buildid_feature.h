/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The BUILD_ID feature of a file: the build-ids that are not in MMAP2 records. */
#ifndef RECORD_HEADER_BUILDID_FEATURE_H
#define RECORD_HEADER_BUILDID_FEATURE_H

#include <stdbool.h>
#include "base/buf.h"
#include "base/file.h"
#include "event/event.h"
#include "kernel/ops.h"
#include "ptui/record.h"
#include "record/header/buildid_reader.h"

struct data_writer;

/* perf's cache that is to be filled. */
struct buildid_cache {
	const char *dir;
	bool only_hidden; /* files that are not at their path outside of a container or a chroot, or any more */
};

/*
 * Makes the table of the file at `path` after its last record, and fills the cache (NULL: none). `known`: the
 * build-ids read while recording (NULL: none). 0, or a negative errno with err set: there is no table then.
 */
typedef int (*buildid_feature_fn)(void *ctx, const char *path, const struct roots *roots, bool all,
				  const struct buildid_cache *cache, struct buildid_reader *known,
				  struct buf *out, struct ptui_error *err);

struct buildid_feature {
	const struct ptui_record_opts *given; /* borrowed, as all but the reader */
	const struct roots *roots;
	struct buildids *ids;
	struct buildid_reader *reader; /* NULL: no table, or the kernel provides the build-ids */
	buildid_feature_fn table;      /* NULL: no table is made from the file */
	void *table_ctx;
};

/* Checks that build-ids can be stored as the options require. 0, or -EOPNOTSUPP with err set. */
int buildid_feature_check(const struct buildid_feature *f, const struct kernel_ops *ops,
			  struct ptui_error *err);
/* Starts the build-id reader thread if needed; the events must be configured. */
int buildid_feature_start(struct buildid_feature *f, struct buildids *buildids,
			  const struct event_list *events, struct ptui_error *err);
void buildid_feature_release(struct buildid_feature *f); /* zeros are fine */

/* Adds the build-ids known so far to a file before its data. 0 or -ENOMEM. */
int buildid_feature_begin(const struct buildid_feature *f, struct data_writer *w);
/*
 * Adds the table to a file about to be finished, and fills the cache, if the options say so.
 * `is_last`: no ring buffer fills up during it. 0 or -ENOMEM.
 */
int buildid_feature_finish(const struct buildid_feature *f, struct data_writer *w, bool is_last);

#endif
