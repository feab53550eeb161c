/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes the corpus of fuzz_data: `corpus_data FOLDER`. Run it again when the reader supports
 * something that these files lack; findings of a fuzzer are added by hand.
 */
#include <stdio.h>
#include <string.h>
#include <zstd.h>
#include "base/perf_abi.h"
#include "data/write/writer.h"
#include "unit/data/made.h"

static const struct made_event events[] = {
	{ .type = PERF_TYPE_SOFTWARE,
	  .period = 1,
	  .id = 3,
	  .flags = MADE_SAMPLE_ID_ALL,
	  .read_format = PERF_FORMAT_GROUP | PERF_FORMAT_ID | PTUI_FORMAT_LOST,
	  .regs_user = 5,
	  .stack_user = 8,
	  .branch_type = PERF_SAMPLE_BRANCH_HW_INDEX,
	  .sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_READ |
			 PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_RAW | PERF_SAMPLE_BRANCH_STACK |
			 PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER | PERF_SAMPLE_IDENTIFIER },
	{ .type = PERF_TYPE_TRACEPOINT,
	  .config = 316,
	  .id = 4,
	  .flags = MADE_SAMPLE_ID_ALL,
	  .sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME |
			 PERF_SAMPLE_IDENTIFIER },
};

static void put_trailer(struct made *m, uint64_t id)
{
	made_u64(m, 0);
	made_u64(m, 1000);
	made_u64(m, id);
}

static void put_sample(struct made *m)
{
	made_begin(m, PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER);
	made_u64(m, 3);
	made_u64(m, 0x401000);
	made_u32(m, 1);
	made_u32(m, 2);
	made_u64(m, 2000);
	made_u64(m, 2);
	for (uint64_t member = 0; member < 2; member++) {
		made_u64(m, 9 + member);
		made_u64(m, 3 + member);
		made_u64(m, 5 - member);
	}
	made_u64(m, 2);
	made_u64(m, PERF_CONTEXT_USER);
	made_u64(m, 0x401000);
	made_u32(m, 4);
	made_u32(m, 0x01020304);
	made_u64(m, 1);
	made_u64(m, 0);
	made_u64(m, 1);
	made_u64(m, 2);
	made_u64(m, 0);
	made_u64(m, 2);
	made_u64(m, 11);
	made_u64(m, 12);
	made_u64(m, 8);
	made_u64(m, 13);
	made_u64(m, 8);
	made_end(m);
}

static void put_records(struct made *m)
{
	made_begin(m, PERF_RECORD_MMAP2, PERF_RECORD_MISC_USER | PERF_RECORD_MISC_MMAP_BUILD_ID);
	made_u32(m, 1);
	made_u32(m, 2);
	made_u64(m, 0x400000);
	made_u64(m, 0x2000);
	made_u64(m, 0);
	made_u8(m, 20);
	buf_add_zeros(&m->out, 23);
	made_u32(m, 5);
	made_u32(m, 2);
	made_text(m, "/bin/true", 16);
	put_trailer(m, 3);
	made_end(m);
	made_begin(m, PERF_RECORD_COMM, 0);
	made_u32(m, 1);
	made_u32(m, 2);
	made_text(m, "true", 8);
	put_trailer(m, 4);
	made_end(m);
	put_sample(m);
	made_begin(m, PTUI_RECORD_AUXTRACE, 0);
	made_u64(m, 16);
	buf_add_zeros(&m->out, 32);
	made_end(m);
	buf_add_zeros(&m->out, 16);
	made_begin(m, PERF_RECORD_EXIT, 0);
	made_u64(m, 1);
	made_u64(m, 2);
	made_u64(m, 3000);
	put_trailer(m, 3);
	made_end(m);
}

/* A sample in two COMPRESSED records, cut in its middle. */
static void put_packed(struct made *m)
{
	static const uint32_t types[] = { PTUI_RECORD_COMPRESSED, PTUI_RECORD_COMPRESSED2 };
	ZSTD_CStream *stream = ZSTD_createCStream();
	struct made plain;
	unsigned i;

	made_init(&plain, m->swap, false);
	put_sample(&plain);
	ZSTD_initCStream(stream, 1);
	for (i = 0; i < 2; i++) {
		size_t half = plain.out.len / 2, at = i ? half : 0;
		ZSTD_inBuffer in = { plain.out.data + at, i ? plain.out.len - half : half, 0 };
		char packed[1024];
		ZSTD_outBuffer out = { packed, sizeof(packed), 0 };

		ZSTD_compressStream(stream, &out, &in);
		ZSTD_flushStream(stream, &out);
		made_begin(m, types[i], 0);
		if (i)
			made_u64(m, out.pos);
		buf_add(&m->out, packed, out.pos);
		made_end(m);
	}
	ZSTD_freeCStream(stream);
	made_release(&plain);
}

static void put_pipe_meta(struct made *m)
{
	made_begin(m, PTUI_RECORD_EVENT_UPDATE, 0);
	made_u64(m, 2);
	made_u64(m, 3);
	made_text(m, "a name", 8);
	made_end(m);
	made_begin(m, PTUI_RECORD_HEADER_FEATURE, 0);
	made_u64(m, PTUI_FEAT_GROUP_DESC);
	made_u32(m, 1);
	made_u32(m, 8);
	made_text(m, "group", 8);
	made_u32(m, 0);
	made_u32(m, 2);
	made_end(m);
	made_begin(m, PTUI_RECORD_HEADER_BUILD_ID, 0);
	made_u32(m, 1);
	buf_add_zeros(&m->out, 24);
	made_text(m, "/bin/true", 12);
	made_end(m);
}

static int save(const struct made *m, const char *folder, const char *name)
{
	char path[4096];
	FILE *file;
	size_t n;

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	file = fopen(path, "wb");
	if (!file)
		return -1;
	n = fwrite(m->out.data, 1, m->out.len, file);
	return fclose(file) || n != m->out.len ? -1 : 0;
}

/* What an interrupted recorder leaves, compressed or not: two flushes, and some more. */
static int save_cut_off(const char *folder, const char *name, int level)
{
	static const uint64_t ids[] = { 3, 4 };
	struct data_writer_opts opts = { .compress_level = level,
					 .overwrite = true,
					 .cancel_fd = -1 };
	struct perf_event_attr attr = { .type = PERF_TYPE_SOFTWARE,
					.size = PTUI_ATTR_SIZE_VER0,
					.sample_period = 1,
					.sample_id_all = 1,
					.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID |
						       PERF_SAMPLE_TIME | PERF_SAMPLE_IDENTIFIER };
	struct ptui_error err = PTUI_ERROR_INIT;
	struct data_writer *w;
	struct iovec iov;
	struct made m;
	char path[4096];
	int ret;

	made_init(&m, false, false);
	put_records(&m);
	iov = (struct iovec){ m.out.data, m.out.len };
	snprintf(path, sizeof(path), "%s/%s", folder, name);
	w = data_writer_open(path, &opts, &err);
	ret = !w || data_writer_add_event(w, &attr, "clock", ids, 1) ||
	      data_writer_add_event(w, &attr, "other", ids + 1, 1) ||
	      data_writer_add_feature(w, PTUI_FEAT_HOSTNAME, "\4\0\0\0vm\0", 8) ||
	      data_writer_begin(w, &err) || data_writer_write(w, &iov, 1, &err) ||
	      data_writer_sync(w, &err) || data_writer_write(w, &iov, 1, &err);
	data_writer_free(w);
	made_release(&m);
	return ret;
}

int main(int argc, char **argv)
{
	static const char *const names[] = { "file", "file-swapped", "pipe", "pipe-swapped" };
	const char *features[PTUI_FEAT_MAX] = { [PTUI_FEAT_HOSTNAME] = "vm",
						[PTUI_FEAT_CMDLINE] = "x",
						[PTUI_FEAT_EVENT_DESC] = "x",
						[PTUI_FEAT_BUILD_ID] = "x" };
	unsigned how;
	int ret = argc == 2 ? 0 : 1;

	for (how = 0; how < 4 && !ret; how++) {
		struct made m;

		made_init(&m, how & 1, how & 2);
		made_events(&m, events, 2, 112);
		if (m.pipe)
			put_pipe_meta(&m);
		put_records(&m);
		put_packed(&m);
		made_finish(&m, features, 32);
		ret = save(&m, argv[1], names[how]) ? 1 : 0;
		made_release(&m);
	}
	if (!ret)
		ret = save_cut_off(argv[1], "cut-off", 0);
	if (!ret)
		ret = save_cut_off(argv[1], "cut-off-packed", 1);
	return ret;
}
