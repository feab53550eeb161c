/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Recordings of simpleperf: names come from the symbols in them, for none of whose DSOs there is a
 * file here, and events are named by META_INFO.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>
#include "base/perf_abi.h"
#include "lib/need.h"
#include "ptui/profile.h"
#include "session/load.h"
#include "unit/data/made.h"

#define KERNEL_ADDR 0xffffff8088e81408u
#define MODULE_ADDR 0xffffff9c6f68a000u
#define LIB_ADDR    0x7dc5700000u
#define OLD_ADDR    0x7dc5800000u
#define JIT_ADDR    0x7000000000u
#define DEX_ADDR    0x6000000000u

static const struct made_event events[] = {
	{ .type = PERF_TYPE_HARDWARE,
	  .period = 10,
	  .sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_ID,
	  .flags = MADE_SAMPLE_ID_ALL | 1 << 5,
	  .id = 7 },
	{ .type = PERF_TYPE_RAW,
	  .config = 0x1b,
	  .period = 10,
	  .sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_ID,
	  .flags = MADE_SAMPLE_ID_ALL,
	  .id = 8 },
};

static const char meta_info[] =
	"simpleperf_version\0"
	"1.fa84957c632c\0event_type_info\0"
	"cpu-cycles,0,0\nraw-inst-spec,4,27\nbad line\n\0clockid\0monotonic";

/* ---- the recording ---- */

static void trailer(struct made *m, uint64_t time)
{
	made_u32(m, 5);
	made_u32(m, 6);
	made_u64(m, time);
	made_u64(m, 7);
}

static void put_map(struct made *m, int32_t pid, uint64_t start, uint64_t len, uint64_t pgoff,
		    const char *path)
{
	made_begin(m, PERF_RECORD_MMAP, pid < 0 ? PERF_RECORD_MISC_KERNEL : PERF_RECORD_MISC_USER);
	made_u32(m, (uint32_t)pid);
	made_u32(m, pid < 0 ? 0 : 6);
	made_u64(m, start);
	made_u64(m, len);
	made_u64(m, pgoff);
	made_text(m, path, (strlen(path) + 8) & ~7u);
	trailer(m, 1);
	made_end(m);
}

static void put_sample(struct made *m, uint64_t ip, bool kernel, uint64_t id)
{
	made_begin(m, PERF_RECORD_SAMPLE, kernel ? PERF_RECORD_MISC_KERNEL : PERF_RECORD_MISC_USER);
	made_u64(m, ip);
	made_u32(m, 5);
	made_u32(m, 6);
	made_u64(m, 100);
	made_u64(m, id);
	made_end(m);
}

static void put_maps(struct made *m)
{
	put_map(m, -1, 0, UINT64_MAX, 0, "[kernel.kallsyms]");
	put_map(m, -1, MODULE_ADDR, 0x6000, 0, "/vendor/lib/modules/touch.ko");
	put_map(m, 5, LIB_ADDR, 0x10000, 0x2000, "/system/lib64/libnone.so");
	put_map(m, 5, OLD_ADDR, 0x10000, 0x9000, "/system/lib64/libold.so");
	put_map(m, 5, DEX_ADDR, 0x10000, 0x4000, "/system/app/none.vdex");
}

static const struct wanted {
	uint64_t ip;
	bool kernel;
	const char *name;
} wanted[] = {
	{ KERNEL_ADDR + 8, true, "[k] do_mem_abort" },
	{ MODULE_ADDR + 0x110, true, "[k] touch_irq" },
	/* linked at 0x12000, where the file has offset 0x2000 */
	{ LIB_ADDR + 0x44, false, "[.] first" },
	{ LIB_ADDR + 0x84, false, "[.] second" },
	/* an old file without that offset: the map starts at its lowest address, 0x6000 */
	{ OLD_ADDR + 0x24, false, "[.] old_way" },
	{ DEX_ADDR + 0x18, false, "[.] app.Main.run" },
	{ LIB_ADDR + 0x200, false, NULL }, /* in no symbol */
};
#define N_WANTED (sizeof(wanted) / sizeof(*wanted))

struct file {
	const char *path;
	uint32_t kind;
	uint64_t addr, off; /* off UINT64_MAX: none */
	struct {
		uint64_t start;
		uint32_t len;
		const char *name;
	} symbols[2];
};

static const struct file files[] = {
	{ "[kernel.kallsyms]", 0, 0, UINT64_MAX, { { KERNEL_ADDR, 200, "do_mem_abort" } } },
	{ "/vendor/lib/modules/touch.ko", 1, 0x100, 0, { { 0x200, 0x40, "touch_irq" } } },
	{ "/system/lib64/libnone.so",
	  2,
	  0x12000,
	  0x2000,
	  { { 0x12040, 0x40, "_Z5firsti" }, { 0x12080, 0x40, "second" } } },
	{ "/system/lib64/libold.so", 2, 0x6000, UINT64_MAX, { { 0x6020, 0x40, "old_way" } } },
	{ "/system/app/none.vdex", 3, 0, UINT64_MAX, { { 0x4010, 0x20, "app.Main.run" } } },
};
#define N_FILES (sizeof(files) / sizeof(*files))

static unsigned n_symbols(const struct file *f)
{
	return f->symbols[1].name ? 2 : 1;
}

/* The feature FILE. */
static void put_files(struct made *m)
{
	for (size_t i = 0; i < N_FILES; i++) {
		const struct file *f = &files[i];
		struct made one = { .swap = m->swap };

		made_text(&one, f->path, 0);
		made_u32(&one, f->kind);
		made_u64(&one, f->addr);
		made_u32(&one, n_symbols(f));
		for (unsigned k = 0; k < n_symbols(f); k++) {
			made_u64(&one, f->symbols[k].start);
			made_u32(&one, f->symbols[k].len);
			made_text(&one, f->symbols[k].name, 0);
		}
		if (f->kind == 3) {
			made_u32(&one, 1);
			made_u64(&one, 0x28);
		} else if (f->off != UINT64_MAX) {
			made_u64(&one, f->off);
		}
		made_u32(m, (uint32_t)one.out.len);
		buf_add(&m->out, one.out.data, one.out.len);
		made_release(&one);
	}
}

/* ---- FILE2: protocol buffers ---- */

static void put_varint(struct buf *b, uint64_t v)
{
	for (; v >= 0x80; v >>= 7)
		buf_add_u8(b, (uint8_t)(v | 0x80));
	buf_add_u8(b, (uint8_t)v);
}

static void put_number(struct buf *b, unsigned field, uint64_t v)
{
	put_varint(b, field << 3);
	put_varint(b, v);
}

static void put_bytes(struct buf *b, unsigned field, const void *bytes, size_t n)
{
	put_varint(b, field << 3 | 2);
	put_varint(b, n);
	buf_add(b, bytes, n);
}

static void put_files2(struct made *m)
{
	for (size_t i = 0; i < N_FILES; i++) {
		const struct file *f = &files[i];
		struct buf one = BUF_INIT, part = BUF_INIT;

		put_bytes(&one, 1, f->path, strlen(f->path));
		put_number(&one, 2, f->kind);
		put_number(&one, 3, f->addr);
		for (unsigned k = 0; k < n_symbols(f); k++) {
			buf_clear(&part);
			put_number(&part, 1, f->symbols[k].start);
			put_number(&part, 2, f->symbols[k].len);
			put_bytes(&part, 3, f->symbols[k].name, strlen(f->symbols[k].name));
			put_bytes(&one, 4, part.data, part.len);
		}
		buf_clear(&part);
		if (f->off != UINT64_MAX && f->off)
			put_number(&part, 1, f->off);
		if (f->off != UINT64_MAX)
			put_bytes(&one, f->kind == 1 ? 7 : 6, buf_str(&part), part.len);
		put_varint(&one, 99 << 3 | 5); /* a field of the future */
		buf_add_u32(&one, 1);
		made_u32(m, (uint32_t)one.len);
		buf_add(&m->out, one.data, one.len);
		buf_release(&one);
		buf_release(&part);
	}
}

/* ---- symbols as records ---- */

static void begin_big(struct made *m, uint32_t type)
{
	made_begin(m, type, 0);
}

/* The size has 32 bits: the lower 16 are where others have theirs, the upper 16 in misc. */
static void end_big(struct made *m)
{
	uint32_t size = (uint32_t)(m->out.len - m->record);
	struct made parts = { .swap = m->swap };

	made_u16(&parts, (uint16_t)(size >> 16));
	made_u16(&parts, (uint16_t)size);
	memcpy(m->out.data + m->record + 4, parts.out.data, 4);
	made_release(&parts);
}

static void put_symbol_records(struct made *m)
{
	for (size_t i = 1; i < N_FILES; i++) {
		begin_big(m, PTUI_SIMPLEPERF_DSO);
		made_u64(m, files[i].kind);
		made_u64(m, 40 + i);
		made_u64(m, files[i].kind == 2 ? files[i].addr : 0);
		made_text(m, files[i].path, 64);
		end_big(m);
		for (unsigned k = 0; k < n_symbols(&files[i]); k++) {
			begin_big(m, PTUI_SIMPLEPERF_SYMBOL);
			made_u64(m, files[i].symbols[k].start);
			made_u64(m, files[i].symbols[k].len);
			made_u64(m, 40 + i);
			made_text(m, files[i].symbols[k].name, 64);
			end_big(m);
		}
	}
}

/* KERNEL_SYMBOL with text of more than 64 KiB, whole or in parts. */
static void put_kernel_symbols(struct made *m, bool parts)
{
	struct made text = { .swap = m->swap }, whole = { .swap = m->swap };
	char line[128];

	snprintf(line, sizeof(line), "%llx T do_mem_abort\n", (unsigned long long)KERNEL_ADDR);
	buf_add_str(&text.out, line);
	snprintf(line, sizeof(line), "%llx t next_one\n", (unsigned long long)KERNEL_ADDR + 200);
	buf_add_str(&text.out, line);
	snprintf(line, sizeof(line), "%llx t touch_irq\t[touch]\n",
		 (unsigned long long)MODULE_ADDR + 0x100);
	buf_add_str(&text.out, line);
	for (unsigned i = 0; i < 4000; i++) {
		snprintf(line, sizeof(line), "%llx d data_%u\n",
			 (unsigned long long)KERNEL_ADDR + 0x100000 + i, i);
		buf_add_str(&text.out, line);
	}
	begin_big(&whole, PTUI_SIMPLEPERF_KERNEL_SYMBOL);
	made_u32(&whole, (uint32_t)text.out.len);
	buf_add(&whole.out, text.out.data, text.out.len);
	end_big(&whole);
	assert_true(whole.out.len > 65536);
	if (!parts)
		buf_add(&m->out, whole.out.data, whole.out.len);
	for (size_t at = 0; parts && at < whole.out.len; at += 60000) {
		size_t n = whole.out.len - at < 60000 ? whole.out.len - at : 60000;

		begin_big(m, PTUI_SIMPLEPERF_SPLIT);
		buf_add(&m->out, whole.out.data + at, n);
		end_big(m);
	}
	if (parts) {
		begin_big(m, PTUI_SIMPLEPERF_SPLIT_END);
		end_big(m);
	}
	made_release(&text);
	made_release(&whole);
}

/* ---- the checks ---- */

static bool has_row(struct ptui_profile *p, uint32_t event, const char *name)
{
	const struct ptui_hist_opts opts = { .event = event, .sort = "sym" };
	struct ptui_error err = PTUI_ERROR_INIT;
	struct ptui_hist *h = ptui_hist_new(p, &opts, &err);
	bool found = false;
	char text[256];

	assert_non_null(h);
	for (size_t i = 0; i < ptui_hist_n_rows(h); i++) {
		ptui_hist_cell(h, i, 1, text, sizeof(text));
		found |= !strncmp(text, name, strlen(name));
	}
	for (size_t i = 0; i < ptui_hist_n_rows(h) && !found; i++) {
		ptui_hist_cell(h, i, 1, text, sizeof(text));
		print_message("# row: '%s'\n", text);
	}
	ptui_hist_free(h);
	return found;
}

static struct ptui_profile *load(const struct made *m)
{
	struct ptui_error err = PTUI_ERROR_INIT;
	struct data_file *f = made_open(m);
	struct ptui_profile *p = session_load(f, NULL, &err, NULL);

	if (!p)
		fail_msg("%s", err.text);
	data_close(f);
	return p;
}

static struct ptui_trust trust_of(const struct ptui_profile *p)
{
	struct ptui_trust trust;

	ptui_profile_trust(p, &trust);
	return trust;
}

static void check_names(struct ptui_profile *p)
{
	for (size_t i = 0; i < N_WANTED; i++)
		if (wanted[i].name && !has_row(p, 0, wanted[i].name))
			fail_msg("no row for %s", wanted[i].name);
	assert_int_equal(ptui_profile_event(p, 0)->samples, N_WANTED);
	assert_true(has_row(p, 0, "[.] 0x"));
	assert_int_equal(trust_of(p).unknown_records, 0);
	assert_int_equal(trust_of(p).bad_sections, 0);
}

static void put_samples(struct made *m)
{
	for (size_t i = 0; i < N_WANTED; i++)
		put_sample(m, wanted[i].ip, wanted[i].kernel, 7);
}

static void symbols_in_features(void **state)
{
	(void)state;
	for (unsigned how = 0; how < 4; how++) {
		struct made m, files_at = { .swap = how & 1 };
		struct made_feature features[2];
		struct ptui_profile *p;
		bool two = how & 2;

		(two ? put_files2 : put_files)(&files_at);
		features[!two] = (struct made_feature){ PTUI_FEAT_SIMPLEPERF_META_INFO, meta_info,
							sizeof(meta_info) };
		features[two] = (struct made_feature){ two ? PTUI_FEAT_SIMPLEPERF_FILE2 :
							     PTUI_FEAT_SIMPLEPERF_FILE,
						       files_at.out.data, files_at.out.len };
		made_init(&m, how & 1, false);
		made_events(&m, events, 2, 112);
		put_maps(&m);
		put_samples(&m);
		put_sample(&m, LIB_ADDR, false, 8);
		made_finish_with(&m, features, 2);
		p = load(&m);
		check_names(p);
		assert_string_equal(ptui_profile_event(p, 0)->name, "cpu-cycles:u");
		assert_string_equal(ptui_profile_event(p, 1)->name, "raw-inst-spec");
		ptui_profile_unref(p);
		made_release(&m);
		made_release(&files_at);
	}
}

/* As old versions wrote them; without offsets, so those of libnone.so start with its map. */
static void symbols_in_records(void **state)
{
	(void)state;
	for (unsigned how = 0; how < 4; how++) {
		struct ptui_profile *p;
		struct made m;

		made_init(&m, how & 1, false);
		made_events(&m, events, 2, 112);
		put_kernel_symbols(&m, how & 2);
		put_symbol_records(&m);
		put_maps(&m);
		put_samples(&m);
		made_finish(&m, NULL, 0);
		p = load(&m);
		assert_true(has_row(p, 0, "[k] do_mem_abort"));
		assert_true(has_row(p, 0, "[.] first"));
		assert_true(has_row(p, 0, "[.] old_way"));
		assert_int_equal(trust_of(p).unknown_records, 0);
		assert_int_equal(trust_of(p).records[PTUI_RECORD_SIMPLEPERF + PTUI_SIMPLEPERF_DSO -
						     PTUI_SIMPLEPERF_TYPES],
				 4);
		ptui_profile_unref(p);
		made_release(&m);
	}
}

/* Ids of counters that were opened while it recorded. Records of callchains are named and counted. */
static void other_records(void **state)
{
	(void)state;
	for (unsigned swap = 0; swap < 2; swap++) {
		const unsigned callchain = PTUI_RECORD_SIMPLEPERF + PTUI_SIMPLEPERF_CALLCHAIN -
					   PTUI_SIMPLEPERF_TYPES;
		struct ptui_profile *p;
		struct made m;

		made_init(&m, swap, false);
		made_events(&m, events, 2, 112);
		begin_big(&m, PTUI_SIMPLEPERF_EVENT_ID);
		made_u64(&m, 2);
		made_u64(&m, 1);
		made_u64(&m, 4711);
		made_u64(&m, 77); /* no such event */
		made_u64(&m, 4712);
		end_big(&m);
		put_maps(&m);
		begin_big(&m, PTUI_SIMPLEPERF_CALLCHAIN);
		made_u64(&m, 0);
		end_big(&m);
		put_sample(&m, LIB_ADDR, false, 4711);
		put_sample(&m, LIB_ADDR, false, 4712);
		made_finish(&m, NULL, 0);
		p = load(&m);
		assert_int_equal(ptui_profile_event(p, 1)->samples, 1);
		assert_int_equal(trust_of(p).unknown_event, 1);
		assert_int_equal(trust_of(p).records[callchain], 1);
		assert_string_equal(data_record_type_name(callchain), "SIMPLEPERF_CALLCHAIN");
		ptui_profile_unref(p);
		made_release(&m);
	}
}

static void put_packed(struct made *m, const struct made *plain)
{
	char packed[4096];
	size_t n = ZSTD_compress(packed, sizeof(packed), plain->out.data, plain->out.len, 1);

	assert_false(ZSTD_isError(n));
	made_begin(m, PTUI_RECORD_COMPRESSED, 0);
	buf_add(&m->out, packed, n);
	made_end(m);
}

/* Maps in a section of their own, as `simpleperf record -a` writes them; packed with -z. */
static void maps_in_a_feature(void **state)
{
	(void)state;
	for (unsigned how = 0; how < 8; how++) {
		bool swap = how & 1, packed = how & 2;
		struct made files_at = { .swap = swap }, maps = { .swap = swap },
			    plain = { .swap = swap };
		struct made_feature features[2];
		struct ptui_profile *p;
		struct made m;

		put_files(&files_at);
		put_maps(packed ? &plain : &maps);
		if (packed)
			put_packed(&maps, &plain);
		features[0] = (struct made_feature){ PTUI_FEAT_SIMPLEPERF_FILE, files_at.out.data,
						     files_at.out.len };
		features[1] = (struct made_feature){ PTUI_FEAT_SIMPLEPERF_INIT_MAP, maps.out.data,
						     maps.out.len };
		made_init(&m, swap, false);
		made_events(&m, events, 2, 112);
		if (how & 4) {
			buf_clear(&plain.out);
			put_samples(&plain);
			put_packed(&m, &plain);
		} else {
			put_samples(&m);
		}
		made_finish_with(&m, features, 2);
		p = load(&m);
		check_names(p);
		assert_int_equal(trust_of(p).records[PERF_RECORD_MMAP], 5);
		ptui_profile_unref(p);
		made_release(&m);
		made_release(&files_at);
		made_release(&maps);
		made_release(&plain);
	}
}

/* Cut at any byte: the maps before are used, the samples are complete, and the damage is counted. */
static void a_damaged_feature_of_maps(void **state)
{
	struct made maps = { .swap = false };

	(void)state;
	put_maps(&maps);
	for (size_t n = 0; n < maps.out.len; n += 4) {
		struct ptui_profile *p;
		struct made m;

		made_init(&m, false, false);
		made_events(&m, events, 2, 112);
		put_samples(&m);
		made_finish_with(&m,
				 &(struct made_feature){ PTUI_FEAT_SIMPLEPERF_INIT_MAP,
							 maps.out.data, n },
				 1);
		p = load(&m);
		assert_int_equal(ptui_profile_event(p, 0)->samples, N_WANTED);
		assert_in_range(trust_of(p).records[PERF_RECORD_MMAP], 0, 4);
		ptui_profile_unref(p);
		made_release(&m);
	}
	made_release(&maps);
}

/* Cut at any byte: what is before is used, and nothing beyond is read. */
static void damaged_features(void **state)
{
	(void)state;
	for (unsigned how = 0; how < 2; how++) {
		struct made files_at = { .swap = false };

		if (how)
			put_files2(&files_at);
		else
			put_files(&files_at);
		for (size_t n = 0; n < files_at.out.len; n++) {
			char *copy = malloc(n ? n : 1);
			struct ptui_profile *p;
			struct made m;

			memcpy(copy, files_at.out.data, n);
			made_init(&m, false, false);
			made_events(&m, events, 2, 112);
			put_maps(&m);
			put_samples(&m);
			made_finish_with(&m,
					 &(struct made_feature){ how ? PTUI_FEAT_SIMPLEPERF_FILE2 :
								       PTUI_FEAT_SIMPLEPERF_FILE,
								 copy, n },
					 1);
			p = load(&m);
			assert_int_equal(ptui_profile_event(p, 0)->samples, N_WANTED);
			assert_in_range(trust_of(p).bad_sections, 0, 1);
			ptui_profile_unref(p);
			made_release(&m);
			free(copy);
		}
		made_release(&files_at);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(symbols_in_features),
		cmocka_unit_test(symbols_in_records),
		cmocka_unit_test(other_records),
		cmocka_unit_test(maps_in_a_feature),
		cmocka_unit_test(a_damaged_feature_of_maps),
		cmocka_unit_test(damaged_features),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
