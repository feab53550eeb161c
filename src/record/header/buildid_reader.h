/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The BUILD_ID table of a recording that does not ask the kernel for build-ids (attr.build_id): a
 * thread reads the notes of each file that is mapped, soon after the map.
 *
 *	base records, each pass --> buildid_reader_add() --> queue --> thread: buildids_of_map()
 *	                                                                   |
 *	      each flush, the end <-- buildid_reader_table() <-- [ path | build-id ]
 *
 * The table has one build-id per path. A path at which different files were mapped, or a file that
 * was gone before its notes could be read, is not in the table: any build-id would be wrong for some
 * of its samples.
 */
#ifndef RECORD_HEADER_BUILDID_READER_H
#define RECORD_HEADER_BUILDID_READER_H

#include <sys/uio.h>
#include "base/buf.h"
#include "data/write/writer.h"
#include "record/header/buildid.h"

struct buildid_reader;

/* `ids` is borrowed. NULL: told in err. */
struct buildid_reader *buildid_reader_new(struct buildids *ids, struct ptui_error *err);
void buildid_reader_free(struct buildid_reader *r); /* NULL ok */

/* An MMAP2 record as the kernel writes it, or one of ours. Never waits for a file. */
void buildid_reader_add(struct buildid_reader *r, const void *record, size_t bytes);
/* Every MMAP2 of whole records. */
void buildid_reader_add_all(struct buildid_reader *r, const void *records, size_t bytes);

/* Waits until the queue is empty, at most so long. */
void buildid_reader_wait(struct buildid_reader *r, unsigned ms);
/* Appends the table as it is now. 0 or -ENOMEM. */
int buildid_reader_table(struct buildid_reader *r, struct buf *out);
/* Brings the table into a file that grows. NULL ok. 0 or a negative errno, told in err. */
int buildid_reader_flush(struct buildid_reader *r, struct data_writer *w, struct ptui_error *err);
/*
 * The build-id of the file that was mapped at `path`: how many bytes; 0: it has none, or this is
 * not known.
 */
int buildid_reader_find(struct buildid_reader *r, const char *path, uint8_t id[DATA_BUILD_ID_MAX]);

#endif
