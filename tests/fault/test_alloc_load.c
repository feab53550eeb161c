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
#include "ptui/cli.h"
#include "ptui/live.h"
#include "screen/recording.h"
#include "unit/data/made.h"

#define TRIALS 100

static char folder[64], path[96], written[96];
static char piped[96], directory[96], simpleperf[96]; /* other forms */

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
	(void)state;
	try_command("script", (struct command){ "script -i FILE", path, false });
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_report),	    cmocka_unit_test(test_report_options),
		cmocka_unit_test(test_header),	    cmocka_unit_test(test_script),
		cmocka_unit_test(test_evlist),	    cmocka_unit_test(test_pipe),
		cmocka_unit_test(test_pipe_script), cmocka_unit_test(test_live_pipe),
		cmocka_unit_test(test_inject),	    cmocka_unit_test(test_inject_pipe),
		cmocka_unit_test(test_directory),   cmocka_unit_test(test_simpleperf),
	};

	return cmocka_run_group_tests(tests, make, drop);
}
