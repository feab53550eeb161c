/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Recordings in all their forms are loaded and printed while allocations fail. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "base/perf_abi.h"
#include "fault/alloc.h"
#include "lib/need.h"
#include "profile/store.h"
#include "ptui/cli.h"
#include "ptui/live.h"
#include "screen/recording.h"
#include "unit/data/made.h"

#define TRIALS 100

static char folder[64], path[96], written[96];
static char piped[96], directory[96], simpleperf[96]; /* other forms */
static char counts[96], traced[96], large[96];

/* ---- other forms of recordings ---- */

static const struct made_event event = { .type = PERF_TYPE_SOFTWARE,
					 .period = 1,
					 .sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID |
							PERF_SAMPLE_TIME | PERF_SAMPLE_CALLCHAIN,
					 .flags = MADE_SAMPLE_ID_ALL,
					 .id = 3 };

static void put_records(struct made *m)
{
	made_begin(m, PERF_RECORD_MMAP, PERF_RECORD_MISC_USER);
	made_u32(m, 1);
	made_u32(m, 1);
	made_u64(m, 0x1000);
	made_u64(m, 0x10000);
	made_u64(m, 0);
	made_text(m, "/none", 8);
	made_u32(m, 1);
	made_u32(m, 1);
	made_u64(m, 5);
	made_end(m);
	for (uint64_t i = 0; i < 20; i++) {
		made_begin(m, PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER);
		made_u64(m, 0x1200 + i);
		made_u32(m, 1);
		made_u32(m, 1);
		made_u64(m, 10 + i);
		made_u64(m, 2);
		made_u64(m, PERF_CONTEXT_USER);
		made_u64(m, 0x1200 + i);
		made_end(m);
		if (i % 5 == 4) {
			made_begin(m, PTUI_RECORD_FINISHED_ROUND, 0);
			made_end(m);
		}
	}
}

static void save(const struct made *m, const char *to)
{
	FILE *out = fopen(to, "wb");

	assert_non_null(out);
	assert_int_equal(fwrite(m->out.data, 1, m->out.len, out), m->out.len);
	assert_int_equal(fclose(out), 0);
}

static void make_piped(void)
{
	struct made m;

	snprintf(piped, sizeof(piped), "%s/piped", folder);
	made_init(&m, false, true);
	made_events(&m, &event, 1, 112);
	made_begin(&m, PTUI_RECORD_HEADER_FEATURE, 0);
	made_u64(&m, PTUI_FEAT_HOSTNAME);
	made_u32(&m, 64);
	made_text(&m, "elsewhere", 64);
	made_end(&m);
	put_records(&m);
	save(&m, piped);
	made_release(&m);
}

/* DIR/data has the events, and DIR/data.0 more records. */
static void make_directory(void)
{
	const struct made_feature format = { PTUI_FEAT_DIR_FORMAT, "\1\0\0\0\0\0\0", 8 };
	struct made m, more = { .swap = false };
	char to[128];

	snprintf(directory, sizeof(directory), "%s/directory", folder);
	assert_int_equal(mkdir(directory, 0700), 0);
	made_init(&m, false, false);
	made_events(&m, &event, 1, 112);
	put_records(&m);
	made_finish_with(&m, &format, 1);
	snprintf(to, sizeof(to), "%s/data", directory);
	save(&m, to);
	put_records(&more);
	snprintf(to, sizeof(to), "%s/data.0", directory);
	save(&more, to);
	made_release(&more);
	made_release(&m);
}

static void make_simpleperf(void)
{
	struct made m, file = { .swap = false };
	struct made_feature features[2] = {
		{ PTUI_FEAT_SIMPLEPERF_FILE, NULL, 0 },
		{ PTUI_FEAT_SIMPLEPERF_META_INFO, "event_type_info\0cpu-clock-x,1,0\n", 33 },
	};
	size_t at;

	snprintf(simpleperf, sizeof(simpleperf), "%s/simpleperf", folder);
	made_u32(&file, 6 + 4 + 8 + 4 + 8 + 4 + 5);
	made_text(&file, "/none", 0);
	made_u32(&file, 2);
	made_u64(&file, 0);
	made_u32(&file, 1);
	made_u64(&file, 0x200);
	made_u32(&file, 64);
	made_text(&file, "name", 0);
	features[0].bytes = file.out.data;
	features[0].n = file.out.len;
	made_init(&m, false, false);
	made_events(&m, &event, 1, 112);
	at = m.out.len;
	made_begin(&m, PTUI_SIMPLEPERF_DSO, 0);
	made_u64(&m, 2);
	made_u64(&m, 1);
	made_u64(&m, 0);
	made_text(&m, "/other", 8);
	made_end(&m);
	made_begin(&m, PTUI_SIMPLEPERF_SYMBOL, 0);
	made_u64(&m, 0x100);
	made_u64(&m, 16);
	made_u64(&m, 1);
	made_text(&m, "other", 8);
	made_end(&m);
	/* the same once more, in parts */
	at = m.out.len - at;
	made_begin(&m, PTUI_SIMPLEPERF_SPLIT, 0);
	buf_add(&m.out, m.out.data + m.data_off, at / 2);
	made_end(&m);
	made_begin(&m, PTUI_SIMPLEPERF_SPLIT_END, 0);
	made_end(&m);
	put_records(&m);
	made_finish_with(&m, features, 2);
	save(&m, simpleperf);
	made_release(&file);
	made_release(&m);
}

/* Rounds of counts, as of `ptui stat record -I`. */
static void make_counts(void)
{
	static const struct made_event counter = { .type = PERF_TYPE_SOFTWARE,
						   .config = PERF_COUNT_SW_PAGE_FAULTS,
						   .sample_type = PERF_SAMPLE_IDENTIFIER,
						   .id = 7 };
	struct made m;

	snprintf(counts, sizeof(counts), "%s/counts", folder);
	made_init(&m, false, false);
	made_events(&m, &counter, 1, 112);
	made_begin(&m, PTUI_RECORD_EVENT_UPDATE, 0);
	made_u64(&m, 1); /* a unit */
	made_u64(&m, 7);
	made_text(&m, "ms", 8);
	made_end(&m);
	made_begin(&m, PTUI_RECORD_THREAD_MAP, 0);
	made_u64(&m, 40);
	for (uint64_t i = 0; i < 40; i++) {
		made_u64(&m, i);
		made_text(&m, "thread", 16);
	}
	made_end(&m);
	made_begin(&m, PTUI_RECORD_STAT_CONFIG, 0);
	made_u64(&m, 1);
	made_u64(&m, 0); /* sums by … */
	made_u64(&m, 5); /* … thread */
	made_end(&m);
	for (uint32_t i = 0; i < 120; i++) {
		made_begin(&m, PTUI_RECORD_STAT, 0);
		made_u64(&m, 7);
		made_u32(&m, 0);
		made_u32(&m, i % 40);
		made_u64(&m, i);
		made_u64(&m, 1);
		made_u64(&m, 1);
		made_end(&m);
		if (i % 40 != 39)
			continue;
		made_begin(&m, PTUI_RECORD_STAT_ROUND, 0);
		made_u64(&m, 0);
		made_u64(&m, 1000);
		made_end(&m);
	}
	made_finish(&m, NULL, 0);
	save(&m, counts);
	made_release(&m);
}

static void put_format(struct made *m, const char *text)
{
	made_u64(m, strlen(text));
	buf_add_str(&m->out, text);
}

static void put_formats(struct made *m)
{
	buf_add(&m->out, "\27\10\104tracing", 10);
	made_text(m, "0.5", 0);
	made_u8(m, 0);
	made_u8(m, 8);
	made_u32(m, 4096);
	made_text(m, "header_page", 0);
	put_format(m, "\tfield: u64 timestamp;\toffset:0;\tsize:8;\tsigned:0;\n"
		      "\tfield: local_t commit;\toffset:8;\tsize:8;\tsigned:1;\n"
		      "\tfield: int overwrite;\toffset:8;\tsize:1;\tsigned:1;\n"
		      "\tfield: char data;\toffset:16;\tsize:4080;\tsigned:1;\n");
	made_text(m, "header_event", 0);
	put_format(m, "");
	made_u32(m, 0);
	made_u32(m, 1);
	made_text(m, "made", 0);
	made_u32(m, 1);
	put_format(m, "name: up\nID: 9\nformat:\n"
		      "\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
		      "\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"
		      "\tfield:int floor;\toffset:8;\tsize:4;\tsigned:1;\n"
		      "\tfield:char who[8];\toffset:12;\tsize:8;\tsigned:1;\n\n"
		      "print fmt: \"%s goes to %d\", REC->who, REC->floor\n");
	made_u32(m, 0);
	made_u32(m, 0);
}

static void make_traced(void)
{
	static const struct made_event tracepoint = { .type = PERF_TYPE_TRACEPOINT,
						      .config = 9,
						      .period = 1,
						      .sample_type =
							      PERF_SAMPLE_IP | PERF_SAMPLE_TID |
							      PERF_SAMPLE_TIME | PERF_SAMPLE_RAW,
						      .flags = MADE_SAMPLE_ID_ALL,
						      .id = 3 };
	struct made_feature feature = { .bit = PTUI_FEAT_TRACING_DATA };
	struct made m, formats = { .swap = false };

	snprintf(traced, sizeof(traced), "%s/traced", folder);
	put_formats(&formats);
	feature.bytes = formats.out.data;
	feature.n = formats.out.len;
	made_init(&m, false, false);
	made_events(&m, &tracepoint, 1, 112);
	for (uint32_t i = 0; i < 20; i++) {
		made_begin(&m, PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER);
		made_u64(&m, 0x1200);
		made_u32(&m, 1);
		made_u32(&m, 1);
		made_u64(&m, 10 + i);
		made_u32(&m, 20);
		made_u16(&m, 9);
		made_u16(&m, 0);
		made_u32(&m, 1);
		made_u32(&m, i % 7);
		made_text(&m, i % 3 ? "ann" : "bob", 8);
		made_end(&m);
	}
	made_finish_with(&m, &feature, 1);
	save(&m, traced);
	made_release(&formats);
	made_release(&m);
}

/* As large as a file that is worth threads, by payloads which nothing shows; with counts of threads. */
static void make_large(void)
{
	static const struct made_event chains = { .type = PERF_TYPE_SOFTWARE,
						  .period = 1,
						  .sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID |
								 PERF_SAMPLE_TIME |
								 PERF_SAMPLE_CALLCHAIN |
								 PERF_SAMPLE_RAW,
						  .read_format = PERF_FORMAT_ID,
						  .flags = MADE_SAMPLE_ID_ALL,
						  .id = 3 };
	struct made m;

	snprintf(large, sizeof(large), "%s/large", folder);
	made_init(&m, false, false);
	made_events(&m, &chains, 1, 112);
	for (uint64_t i = 0; i < 150; i++) {
		made_begin(&m, PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER);
		made_u64(&m, 0x1200 + i);
		made_u32(&m, 1);
		made_u32(&m, 1);
		made_u64(&m, 10 + i);
		made_u64(&m, 61);
		made_u64(&m, PERF_CONTEXT_USER);
		for (uint64_t j = 0; j < 60;
		     j++) /* every other sample has the callers of one before */
			made_u64(&m, 0x1200 + (j ? j * (i / 2 % 5) : i) * 64);
		made_u32(&m, 60004);
		buf_add_zeros(&m.out, 60004);
		made_end(&m);
	}
	for (uint32_t i = 0; i < 10; i++) {
		made_begin(&m, PERF_RECORD_READ, 0);
		made_u32(&m, 1);
		made_u32(&m, 1 + i);
		made_u64(&m, 5);
		made_u64(&m, 3);
		made_u32(&m, 1);
		made_u32(&m, 1 + i);
		made_u64(&m, 1000);
		made_end(&m);
	}
	made_finish(&m, NULL, 0);
	save(&m, large);
	made_release(&m);
}

static int make(void **state)
{
	static const char *const events[] = { "cycles", "page-faults", NULL };
	struct recording *r;

	(void)state;
	snprintf(folder, sizeof(folder), "%s/ptui-alloc-XXXXXX",
		 getenv("TMPDIR") ? getenv("TMPDIR") : "/tmp");
	assert_non_null(mkdtemp(folder));
	snprintf(path, sizeof(path), "%s/perf.data", folder);
	r = recording_new(folder, events);
	recording_module(r, "app");
	recording_thread(r, 100, 100, "app");
	recording_sample(r, 0, "main;run;parse;_ZN3foo3barEv", 30);
	recording_sample(r, 0, "main;run;skip", 20);
	recording_module(r, "libdeep.so");
	recording_thread(r, 100, 101, "helper");
	recording_sample(r, 0, "main;work;deep", 40);
	recording_sample(r, 1, "main;work", 7);
	recording_lost(r, 3);
	recording_close(r);
	snprintf(written, sizeof(written), "%s/written", folder);
	make_piped();
	make_directory();
	make_simpleperf();
	make_counts();
	make_traced();
	make_large();
	return 0;
}

static int drop(void **state)
{
	(void)state;
	recording_remove(folder);
	return 0;
}

/* ---- the commands ---- */

struct command {
	const char *
		words; /* separated by spaces; FILE is replaced by `file`, OUT by a file of its own */
	const char *file;
	bool from_pipe; /* `file` is what comes from standard input */
};

/* All of it fits into the pipe. */
static void feed(void *ctx)
{
	const struct command *c = ctx;
	char bytes[65536];
	FILE *in;
	size_t n;
	int ends[2];

	if (!c->from_pipe)
		return;
	in = fopen(c->file, "rb");
	assert_non_null(in);
	n = fread(bytes, 1, sizeof(bytes), in);
	fclose(in);
	assert_int_equal(pipe(ends), 0);
	assert_int_equal(write(ends[1], bytes, n), n);
	close(ends[1]);
	assert_int_equal(dup2(ends[0], STDIN_FILENO), STDIN_FILENO);
	close(ends[0]);
}

static int run_command(void *ctx, struct ptui_error *err)
{
	static char program[] = "ptui";
	const struct command *c = ctx;
	char *argv[32] = { program }, line[256], *rest = line, *word;
	int argc = 1;

	(void)err;
	snprintf(line, sizeof(line), "%s", c->words);
	while ((word = strsep(&rest, " ")))
		argv[argc++] = !strcmp(word, "FILE") ? (char *)(uintptr_t)c->file :
			       !strcmp(word, "OUT")  ? written :
						       word;
	return ptui_cli_main(argc, argv, NULL);
}

static void try_command(const char *name, struct command c)
{
	const struct alloc_scenario s = {
		.name = name, .prepare = feed, .run = run_command, .ctx = &c
	};

	alloc_trials(&s, TRIALS);
}

static void test_report(void **state)
{
	(void)state;
	try_command("report", (struct command){ "report --stdio -i FILE", path, false });
}

static void test_report_options(void **state)
{
	const char *words = "report --stdio -i FILE -s comm,dso,sym,cpu --no-children -g caller "
			    "--percent-limit 1";

	(void)state;
	try_command("report -s -g", (struct command){ words, path, false });
}

static void test_header(void **state)
{
	(void)state;
	try_command("header",
		    (struct command){ "report --stdio --header-only -I -i FILE", path, false });
}

static void test_script(void **state)
{
	static const char *const words[] = { "script -i FILE",
					     "script -F +srccode,+srcline,+insn,+metric -i FILE" };

	(void)state;
	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		try_command(words[i], (struct command){ words[i], path, false });
}

static void test_evlist(void **state)
{
	(void)state;
	try_command("evlist", (struct command){ "evlist -v -i FILE", path, false });
}

static void test_pipe(void **state)
{
	(void)state;
	try_command("pipe", (struct command){ "report --stdio -i -", piped, true });
}

static void test_pipe_script(void **state)
{
	(void)state;
	try_command("pipe, script", (struct command){ "script -i -", piped, true });
}

/* As Live does on a terminal. */
static int follow_pipe(void *ctx, struct ptui_error *err)
{
	struct ptui_live *l = ptui_live_new_pipe("-", NULL, NULL, err);
	struct ptui_profile *p;
	int ret;

	(void)ctx;
	if (!l)
		return -ENOMEM;
	ret = ptui_live_start(l, err);
	if (!ret)
		ret = ptui_live_join(l, err);
	p = ret ? NULL : ptui_live_profile(l, NULL);
	if (p)
		printf("%llu samples\n", (unsigned long long)ptui_profile_event(p, 0)->samples);
	ptui_profile_unref(p);
	ptui_live_free(l);
	return ret;
}

static void test_live_pipe(void **state)
{
	struct command c = { "", piped, true };
	const struct alloc_scenario s = {
		.name = "live pipe", .prepare = feed, .run = follow_pipe, .ctx = &c
	};

	(void)state;
	alloc_trials(&s, TRIALS);
}

static void test_inject(void **state)
{
	static const char *const words[] = { "inject -b -i FILE -o OUT",
					     "inject --buildid-all -i FILE -o OUT" };

	(void)state;
	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		try_command(words[i], (struct command){ words[i], path, false });
}

static void test_inject_pipe(void **state)
{
	(void)state;
	try_command("inject, pipe", (struct command){ "inject -b -i - -o OUT", piped, true });
}

static void test_directory(void **state)
{
	(void)state;
	try_command("directory", (struct command){ "report --stdio -i FILE", directory, false });
}

static void test_simpleperf(void **state)
{
	(void)state;
	try_command("simpleperf", (struct command){ "report --stdio -i FILE", simpleperf, false });
}

static void test_stat_report(void **state)
{
	static const char *const words[] = { "stat -x , report -i FILE",
					     "stat -x , report -A -i FILE" };

	(void)state;
	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		try_command(words[i], (struct command){ words[i], counts, false });
}

static void test_payloads(void **state)
{
	static const char *const words[] = { "script -i FILE",
					     "report --stdio -s trace_fields,trace -i FILE" };

	(void)state;
	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		try_command(words[i], (struct command){ words[i], traced, false });
}

/* With the threads of the line writer, of the rows and of the symbols. */
static void test_threads(void **state)
{
	static const char *const words[] = { "script -i FILE", "report --stdio -T -i FILE" };

	(void)state;
	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		try_command(words[i], (struct command){ words[i], large, false });
}

/* ---- as the Browser does ---- */

static bool part_wanted(void *ctx, uint64_t samples)
{
	(void)ctx;
	return samples % 8 == 4;
}

static void take_part(void *ctx, struct ptui_profile *p)
{
	(void)ctx;
	ptui_profile_unref(p);
}

/* 0 or a negative errno. */
static int list_samples(struct ptui_profile *p, struct ptui_error *err)
{
	const struct ptui_hist_opts opts = { .sort = NULL };
	struct ptui_hist *h = ptui_hist_new(p, &opts, err);
	uint32_t *samples = NULL;
	struct ptui_sample s;
	size_t n = 0;
	char *chain;

	if (h)
		samples = ptui_hist_samples(h, 0, &n, NULL, NULL, err);
	for (size_t i = 0; i < n; i++) {
		ptui_profile_sample(p, samples[i], &s);
		chain = ptui_profile_sample_chain(p, samples[i]);
		if (!chain)
			ptui_error_nomem(err);
		free(chain);
		if (ptui_error_is_set(err))
			break;
	}
	free(samples);
	ptui_hist_free(h);
	return ptui_error_is_set(err) ? -ENOMEM : 0;
}

static int load_in_parts(void *ctx, struct ptui_error *err)
{
	struct ptui_load_opts opts = { .threads = 2,
				       .extras = PTUI_EXTRA_FIELDS | PTUI_EXTRA_TRACE,
				       .partial_wanted = part_wanted,
				       .partial = take_part };
	struct ptui_profile *p;
	int ret;

	opts.partial_bytes = 256;
	p = ptui_profile_load(ctx, &opts, err, NULL);
	if (!p)
		return -ENOMEM;
	ret = list_samples(p, err);
	ptui_profile_unref(p);
	return ret;
}

static void test_parts(void **state)
{
	char *const files[] = { path, traced, directory };

	(void)state;
	for (size_t i = 0; i < sizeof(files) / sizeof(*files); i++) {
		const struct alloc_scenario s = { .name = strrchr(files[i], '/') + 1,
						  .run = load_in_parts,
						  .ctx = files[i] };

		alloc_trials(&s, TRIALS);
	}
}

#define N_FRAMES 4096

/* Two addresses of each function. */
static void set_frame(void *ctx, size_t i, struct profile_frame *ret)
{
	(void)ctx;
	*ret = (struct profile_frame){
		.addr = i * 8, .why = PTUI_NONE, .no_cfi = PTUI_NONE, .level = '.'
	};
	frame_set_symbol(ret, 0, i / 2 * 16, i / 2 * 16 + 16);
}

/* Frames that could not be added can be added later. */
static int add_frames_again(void *ctx, struct ptui_error *err)
{
	const struct profile_frame *frames;
	struct profile_store s;
	size_t wrong = 0;
	int failed = 0, again;

	(void)ctx;
	if (profile_store_init(&s, STORE_UNBOUNDED))
		return ptui_error_nomem(err);
	for (size_t n = 16; n <= N_FRAMES && !failed; n *= 2)
		failed = profile_store_add_frames(&s, n, set_frame, NULL);
	alloc_pause();
	again = failed ? profile_store_add_frames(&s, N_FRAMES, set_frame, NULL) : 0;
	frames = store_array_at(&s.arrays[STORE_FRAMES], STORE_FRAMES, 0);
	for (uint32_t i = 0; i < N_FRAMES && !again; i++)
		wrong += frames[i].place != i / 2 || frames[i].func != i / 2 ||
			 frames[i].face != (i & ~1u);
	if (again || wrong) {
		fprintf(stderr, "added again: %d, %zu frames are wrong\n", again, wrong);
		abort();
	}
	profile_store_release(&s);
	alloc_resume();
	return failed ? ptui_error_nomem(err) : 0;
}

static void test_frames(void **state)
{
	const struct alloc_scenario s = { .name = "frames", .run = add_frames_again };

	(void)state;
	alloc_trials(&s, TRIALS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_report),	    cmocka_unit_test(test_report_options),
		cmocka_unit_test(test_header),	    cmocka_unit_test(test_script),
		cmocka_unit_test(test_evlist),	    cmocka_unit_test(test_pipe),
		cmocka_unit_test(test_pipe_script), cmocka_unit_test(test_live_pipe),
		cmocka_unit_test(test_inject),	    cmocka_unit_test(test_inject_pipe),
		cmocka_unit_test(test_directory),   cmocka_unit_test(test_simpleperf),
		cmocka_unit_test(test_stat_report), cmocka_unit_test(test_payloads),
		cmocka_unit_test(test_threads),	    cmocka_unit_test(test_parts),
		cmocka_unit_test(test_frames),
	};

	return cmocka_run_group_tests(tests, make, drop);
}
