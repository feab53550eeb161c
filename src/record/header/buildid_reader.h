/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The BUILD_ID table of a recording without attr.build_id: a thread reads the notes of each mapped
 * file, soon after it was mapped.
 *
 *	base records, each pass --> buildid_reader_add() --> queue --> thread: buildids_of_map()
 *	                                                                   |
 *	      each flush, the end <-- buildid_reader_table() <-- [ path | build-id ]
 *
 * The table has one build-id per path. It omits paths at which different files were mapped, files
 * that were gone before their notes could be read, and files that were changed in place after they
 * were mapped: a build-id would be wrong for some of the samples.
 *
 * A file was changed after the map if its ctime is later than the record's time. The clock of the
 * records cannot be read, but a record is older than its arrival:
 *
 *	CLOCK_MONOTONIC - record's clock  =  the least (arrival - time of the record) of the last minute
 */
#ifndef RECORD_HEADER_BUILDID_READER_H
#define RECORD_HEADER_BUILDID_READER_H

#include <stdbool.h>
#include <stdint.h>
#include "base/buf.h"
#include "data/write/writer.h"
#include "record/header/buildid.h"

struct buildid_reader;

/* `ids` is borrowed. NULL with err set on failure. */
struct buildid_reader *buildid_reader_new(struct buildids *ids, struct ptui_error *err);
void buildid_reader_free(struct buildid_reader *r); /* NULL ok */

/* Before the first record: where the MMAP2 records of these events have their time. */
struct event_list;
void buildid_reader_set_events(struct buildid_reader *r, const struct event_list *events);
/* A record with the time `record_ns` arrived no later than `now_ns` (CLOCK_MONOTONIC). */
void buildid_reader_note_time(struct buildid_reader *r, uint64_t record_ns, uint64_t now_ns);

/* Takes an MMAP2 record from the kernel or from synthesis. Never waits for a file. */
void buildid_reader_add(struct buildid_reader *r, const void *record, size_t bytes);
/* Takes every MMAP2 in a sequence of whole records. */
void buildid_reader_add_all(struct buildid_reader *r, const void *records, size_t bytes);

/* Waits until the queue is empty, at most `ms`. */
void buildid_reader_wait(struct buildid_reader *r, unsigned ms);
/* Appends the current table. 0 or -ENOMEM. */
int buildid_reader_table(struct buildid_reader *r, struct buf *out);
/* Rewrites the table in a growing file. NULL ok. 0, or a negative errno with err set. */
int buildid_reader_flush(struct buildid_reader *r, struct data_writer *w, struct ptui_error *err);
/* True if a process has a file that is not at its path, as we see it: in a container, or deleted. */
bool buildid_reader_has_hidden(struct buildid_reader *r);
/* Length of the build-id of the file mapped at `path`; 0: none, or unknown. */
int buildid_reader_find(struct buildid_reader *r, const char *path, uint8_t id[DATA_BUILD_ID_MAX]);

#endif
