/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The BPF programs in the header of a recording, as perf prints them. */
#ifndef RECORD_HEADER_BPF_TEXT_H
#define RECORD_HEADER_BPF_TEXT_H

#include "base/buf.h"
#include "data/read/reader.h"

/* Nothing for a recording of the other byte order, as in perf. */
void bpf_text_add(struct data_file *file, struct buf *out);

#endif
