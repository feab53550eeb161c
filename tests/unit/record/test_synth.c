/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The base layer from a made /proc and /sys, read back by the data room. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>
#include "data/read/reader.h"
#include "fake/kernel.h"
#include "lib/need.h"
#include "record/header/synth.h"

#define NOTE "\x04\0\0\0\x04\0\0\0\x03\0\0\0GNU\0\xde\xad\xbe\xef"

struct world {
	struct fake_kernel kernel;
	struct buildids buildids;
	struct perf_event_attr attr;
	struct buf out;
	struct synth synth;
	char path[80];
	struct data_file *file;
	struct data_walk *walk;
	unsigned n_asked;
};

static int setup(void **state)
{
	struct world *w = calloc(1, sizeof(*w));

	fake_kernel_init(&w->kernel);
	buildids_init(&w->buildids, &w->kernel.ops.roots, NULL, NULL);
	w->attr.size = PTUI_ATTR_SIZE_VER0;
	w->attr.type = PERF_TYPE_SOFTWARE;
	w->attr.sample_id_all = 1;
	w->attr.build_id = 1; /* or the build-ids of the maps are ignored */
	w->attr.sample_type = PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_IDENTIFIER;
	w->synth = (struct synth){ .roots = &w->kernel.ops.roots,
				   .attr = &w->attr,
				   .buildids = &w->buildids,
				   .out = &w->out };
	*state = w;
	return 0;
}

static int teardown(void **state)
{
	struct world *w = *state;

	data_walk_free(w->walk);
	data_close(w->file);
	if (w->path[0])
		unlink(w->path);
	buf_release(&w->out);
	buildids_release(&w->buildids);
	fake_kernel_release(&w->kernel);
	free(w);
	return 0;
}

/* Reads the synthesized records through a file. */
static void read_back(struct world *w)
{
	struct iovec iov = { w->out.data, w->out.len };
	struct data_writer *writer;
	uint64_t id = 1;
	int ret;

	snprintf(w->path, sizeof(w->path), "%s.data", w->kernel.folder);
	writer = data_writer_new(w->path, NULL);
	assert_non_null(writer);
	assert_int_equal(data_writer_add_event(writer, &w->attr, "x", &id, 1), 0);
	assert_int_equal(data_writer_begin(writer, NULL), 0);
	if (iov.iov_len)
		assert_int_equal(data_writer_write(writer, &iov, 1, NULL), 0);
	assert_int_equal(data_writer_finish(writer, NULL), 0);
	data_writer_free(writer);
	w->file = data_open(w->path, NULL, &ret);
	assert_non_null(w->file);
	w->walk = data_walk_new(w->file, NULL);
	assert_non_null(w->walk);
}

static void next(struct world *w, struct data_record *rec, uint32_t type)
{
	assert_int_equal(data_walk_next(w->walk, true, rec, NULL), 0);
	assert_int_equal(rec->type, type);
	assert_int_equal(rec->id.time_ns, 0);
}

static void ends(struct world *w)
{
	struct data_record rec;

	assert_int_equal(data_walk_next(w->walk, true, &rec, NULL), 1);
}

static void synthesizes_the_kernel(void **state)
{
	struct world *w = *state;
	struct data_record rec;

	assert_int_equal(synth_kernel(&w->synth), 0);
	read_back(w);
	next(w, &rec, PERF_RECORD_MMAP);
	assert_int_equal(rec.misc & DATA_CPUMODE_MASK, DATA_MODE_KERNEL);
	assert_int_equal(rec.mmap.pid, -1);
	assert_string_equal(rec.mmap.path, "[kernel.kallsyms]_text");
	assert_true(rec.mmap.start == 0xffffffff81000000);
	assert_true(rec.mmap.pgoff == 0xffffffff81000000);
	assert_int_equal(rec.mmap.len, 0x800000);
	ends(w);
}

static void synthesizes_modules_and_build_ids(void **state)
{
	struct world *w = *state;
	struct data_record rec;
	char path[256];
	FILE *f;

	fake_file(&w->kernel, "proc/modules",
		  "ext4 1048576 1 - Live 0xffffffffc0a00000\n"
		  "snd_pcm 4096 0 - Live 0xffffffffc0b00000\n"
		  "outoftree 4096 0 - Live 0xffffffffc0c00000 (OE)\n"
		  "hidden 4096 0 - Live 0x0000000000000000\n");
	fake_file(&w->kernel, "modules/modules.dep",
		  "kernel/fs/ext4/ext4.ko.xz: kernel/fs/jbd2/jbd2.ko.xz\n"
		  "kernel/sound/core/snd-pcm.ko: kernel/sound/snd.ko\n");
	fake_file(&w->kernel, "sys/kernel/notes", "x");
	snprintf(path, sizeof(path), "%s/sys/kernel/notes", w->kernel.folder);
	f = fopen(path, "w");
	fwrite(NOTE, 1, sizeof(NOTE) - 1, f);
	fclose(f);
	snprintf(path, sizeof(path), "%s/modules", w->kernel.folder);
	w->synth.modules_dir = path;
	assert_int_equal(synth_kernel(&w->synth), 0);
	read_back(w);

	next(w, &rec, PERF_RECORD_MMAP2);
	assert_int_equal(rec.mmap.build_id_bytes, 4);
	assert_memory_equal(rec.mmap.build_id, "\xde\xad\xbe\xef", 4);
	next(w, &rec, PERF_RECORD_MMAP);
	assert_true(rec.mmap.start == 0xffffffffc0a00000);
	assert_int_equal(rec.mmap.len, 1048576);
	assert_non_null(strstr(rec.mmap.path, "/modules/kernel/fs/ext4/ext4.ko.xz"));
	next(w, &rec, PERF_RECORD_MMAP);
	assert_non_null(strstr(rec.mmap.path, "/sound/core/snd-pcm.ko"));
	next(w, &rec, PERF_RECORD_MMAP);
	assert_string_equal(rec.mmap.path, "[outoftree]");
	ends(w);
}

static void hidden_addresses_yield_nothing(void **state)
{
	struct world *w = *state;

	fake_file(&w->kernel, "proc/kallsyms",
		  "0000000000000000 T _text\n0000000000000000 T _etext\n");
	assert_int_equal(synth_kernel(&w->synth), -ENOENT);
	fake_remove(&w->kernel, "proc/kallsyms");
	assert_int_equal(synth_kernel(&w->synth), -ENOENT);
	assert_int_equal(w->out.len, 0);
}

static void synthesizes_a_process(void **state)
{
	static const pid_t tids[] = { 50, 51 };
	struct world *w = *state;
	struct data_record rec;

	fake_process(&w->kernel, "kworker/u8:0-events", tids, 2);
	fake_file(&w->kernel, "proc/50/maps",
		  "1000-3000 r-xp 00002000 fe:01 77        /usr/bin/two words\n"
		  "3000-4000 r--p 00000000 fe:01 77        /usr/bin/two words\n"
		  "4000-5000 rwxs 00000000 00:00 0 \n"
		  "6000-7000 r-xp 00000000 00:00 0                          [vdso]\n"
		  "8000-9000 r-xp 00000000 00:05 9         /tmp/new\\012line (deleted)\n"
		  "nonsense\n"
		  "a000-b000 r-xp 00000000 00:05 9         /anon_hugepage (deleted)\n");
	assert_int_equal(synth_process(&w->synth, 50, true), 0);
	read_back(w);

	next(w, &rec, PERF_RECORD_FORK);
	assert_int_equal(rec.task.pid, 50);
	assert_int_equal(rec.task.ppid, 1);
	next(w, &rec, PERF_RECORD_COMM);
	assert_string_equal(rec.comm.name, "kworker/u8:0-ev");
	assert_false(rec.comm.exec);
	next(w, &rec, PERF_RECORD_FORK);
	assert_int_equal(rec.task.tid, 51);
	assert_int_equal(rec.task.ptid, 50);
	next(w, &rec, PERF_RECORD_COMM);
	assert_int_equal(rec.comm.tid, 51);

	next(w, &rec, PERF_RECORD_MMAP2);
	assert_int_equal(rec.misc & DATA_CPUMODE_MASK, DATA_MODE_USER);
	assert_string_equal(rec.mmap.path, "/usr/bin/two words");
	assert_int_equal(rec.mmap.start, 0x1000);
	assert_int_equal(rec.mmap.len, 0x2000);
	assert_int_equal(rec.mmap.pgoff, 0x2000);
	assert_int_equal(rec.mmap.prot, 5);
	assert_int_equal(rec.mmap.flags, 2);
	assert_int_equal(rec.mmap.maj, 0xfe);
	assert_int_equal(rec.mmap.ino, 77);
	next(w, &rec, PERF_RECORD_MMAP2);
	assert_string_equal(rec.mmap.path, "//anon");
	assert_int_equal(rec.mmap.prot, 7);
	assert_int_equal(rec.mmap.flags, 1);
	next(w, &rec, PERF_RECORD_MMAP2);
	assert_string_equal(rec.mmap.path, "[vdso]");
	next(w, &rec, PERF_RECORD_MMAP2);
	assert_string_equal(rec.mmap.path, "/tmp/new\nline (deleted)");
	next(w, &rec, PERF_RECORD_MMAP2);
	assert_string_equal(rec.mmap.path, "//anon");
	ends(w);
}

static void synthesizes_the_system_and_skips_exited_processes(void **state)
{
	static const pid_t one[] = { 50 }, two[] = { 60 };
	struct world *w = *state;
	struct data_record rec;

	fake_process(&w->kernel, "one", one, 1);
	fake_process(&w->kernel, "two", two, 1);
	fake_file(&w->kernel, "proc/70/comm", "no threads: it is ending\n");
	assert_int_equal(synth_system(&w->synth, NULL), 0);
	assert_int_equal(w->synth.n_gone, 1);
	read_back(w);
	next(w, &rec, PERF_RECORD_FORK);
	next(w, &rec, PERF_RECORD_COMM);
	assert_string_equal(rec.comm.name, "one");
	next(w, &rec, PERF_RECORD_MMAP2);
	next(w, &rec, PERF_RECORD_FORK);
	next(w, &rec, PERF_RECORD_COMM);
	assert_string_equal(rec.comm.name, "two");
	next(w, &rec, PERF_RECORD_MMAP2);
	assert_string_equal(rec.mmap.path, "/usr/bin/two");
	ends(w);
}

static int answer(void *ctx, const char *path, uint8_t id[DATA_BUILD_ID_MAX])
{
	struct world *w = ctx;

	w->n_asked++;
	assert_non_null(strstr(path, "/proc/self/fd/"));
	memset(id, 0x5a, 16);
	return 16;
}

static void reads_a_build_id_once_a_file(void **state)
{
	static const pid_t one[] = { 50 };
	struct world *w = *state;
	struct data_record rec;
	struct stat st;
	char path[128];

	w->buildids.fn = answer;
	w->buildids.ctx = w;
	fake_process(&w->kernel, "one", one, 1);
	fake_file(&w->kernel, "elf", "x");
	snprintf(path, sizeof(path), "%s/elf", w->kernel.folder);
	assert_int_equal(stat(path, &st), 0);
	fake_file(&w->kernel, "proc/50/maps",
		  "1000-2000 r-xp 0 %02x:%02x %llu %s\n2000-3000 r-xp 0 %02x:%02x %llu %s\n"
		  "3000-4000 r-xp 0 %02x:%02x 1 %s\n",
		  major(st.st_dev), minor(st.st_dev), (unsigned long long)st.st_ino, path,
		  major(st.st_dev), minor(st.st_dev), (unsigned long long)st.st_ino, path,
		  major(st.st_dev), minor(st.st_dev), path);
	assert_int_equal(synth_process(&w->synth, 50, false), 0);
	assert_int_equal(w->n_asked, 1);
	read_back(w);
	next(w, &rec, PERF_RECORD_COMM);
	next(w, &rec, PERF_RECORD_MMAP2);
	assert_int_equal(rec.mmap.build_id_bytes, 16);
	next(w, &rec, PERF_RECORD_MMAP2);
	assert_int_equal(rec.mmap.build_id_bytes, 16);
	/* another file has that name now */
	next(w, &rec, PERF_RECORD_MMAP2);
	assert_int_equal(rec.mmap.build_id_bytes, 0);
	ends(w);
}

static uint64_t ten_ms_a_look(void *ctx)
{
	struct fake_kernel *k = ctx;

	return k->now_ns += 10000000;
}

/* If reading the maps of a process takes too long, those read are written, and marked. */
static void gives_up_in_time(void **state)
{
	static const pid_t one[] = { 50 };
	struct world *w = *state;
	struct data_record rec;
	struct buf maps = BUF_INIT;
	size_t n = 0;

	for (unsigned i = 1; i <= 4000; i++)
		buf_addf(&maps,
			 "%x000-%x000 r-xp 0 fe:01 7   /usr/bin/a-path-that-is-of-some-length\n", i,
			 i + 1);
	fake_process(&w->kernel, "one", one, 1);
	fake_file(&w->kernel, "proc/50/maps", "%s", buf_str(&maps));
	buf_release(&maps);
	w->kernel.ops.clock_ns = ten_ms_a_look;
	w->synth.ops = &w->kernel.ops;
	w->synth.maps_limit_ns = 25000000;
	assert_int_equal(synth_process(&w->synth, 50, false), 0);
	assert_int_equal(w->synth.n_late, 1);
	read_back(w);
	next(w, &rec, PERF_RECORD_COMM);
	while (!data_walk_next(w->walk, true, &rec, NULL)) {
		assert_int_equal(rec.type, PERF_RECORD_MMAP2);
		assert_int_equal(rec.mmap.len, 0x1000); /* no line was cut */
		n++;
	}
	assert_in_range(n, 100, 3000);
	assert_true(rec.misc & PERF_RECORD_MISC_PROC_MAP_PARSE_TIMEOUT);
}

#define MANY 50

/* The records and their order do not depend on the number of threads. */
static void many_threads_report_the_same(void **state)
{
	struct world *w = *state;
	struct buf first = BUF_INIT;
	pid_t pids[MANY];

	for (int i = 0; i < MANY; i++) {
		char path[32], comm[16];

		pids[i] = 100 + i;
		snprintf(comm, sizeof(comm), "p%d", i);
		fake_process(&w->kernel, comm, &pids[i], 1);
		snprintf(path, sizeof(path), "proc/%d/maps", pids[i]);
		fake_file(&w->kernel, path, "1000-2000 r-xp 0 fe:01 7   /usr/bin/%s\n", comm);
	}
	fake_remove(&w->kernel, "proc/120");
	for (unsigned threads = 1; threads < 6; threads += 2) {
		buf_clear(&w->out);
		w->synth.threads = threads;
		w->synth.n_gone = 0;
		assert_int_equal(synth_processes(&w->synth, pids, MANY, true), 0);
		assert_int_equal(w->synth.n_gone, 1);
		assert_int_equal(w->synth.threads, threads < 4 ? threads : 4); /* of 4 portions */
		if (!first.len)
			buf_add(&first, w->out.data, w->out.len);
		assert_int_equal(first.len, w->out.len);
		assert_memory_equal(first.data, w->out.data, first.len);
	}
	buf_release(&first);
}

static void synthesizes_data_namespaces_and_cgroups(void **state)
{
	static const pid_t one[] = { 50 };
	struct world *w = *state;
	struct data_record rec;
	char path[160];
	struct stat st;

	fake_process(&w->kernel, "one", one, 1);
	fake_file(&w->kernel, "proc/50/ns/net", "x");
	fake_file(&w->kernel, "proc/50/maps",
		  "1000-2000 r-xp 0 fe:01 7   /bin/a\n2000-3000 rw-p 0 fe:01 7   /bin/a\n"
		  "3000-4000 ---p 0 fe:01 7   /bin/a\n");
	fake_file(&w->kernel, "cg/inner/x", "x");
	fake_file(&w->kernel, "proc/self/mounts", "cgroup2 %s/cg cgroup2 rw 0 0\n",
		  w->kernel.folder);
	w->synth.data_maps = w->synth.namespaces = true;
	assert_int_equal(synth_cgroups(&w->synth), 0);
	assert_int_equal(synth_process(&w->synth, 50, false), 0);
	read_back(w);
	next(w, &rec, PERF_RECORD_CGROUP);
	assert_string_equal((const char *)rec.body + 8, "/");
	next(w, &rec, PERF_RECORD_CGROUP);
	snprintf(path, sizeof(path), "%s/cg/inner", w->kernel.folder);
	assert_int_equal(stat(path, &st), 0);
	assert_memory_equal(rec.body, &(uint64_t){ st.st_ino }, 8);
	assert_string_equal((const char *)rec.body + 8, "/inner");
	next(w, &rec, PERF_RECORD_NAMESPACES);
	snprintf(path, sizeof(path), "%s/50/ns/net", w->kernel.proc);
	assert_int_equal(stat(path, &st), 0);
	assert_memory_equal(rec.body + 8, &(uint64_t){ 7 }, 8);
	assert_memory_equal(rec.body + 24, &(uint64_t){ st.st_ino }, 8);
	next(w, &rec, PERF_RECORD_COMM);
	next(w, &rec, PERF_RECORD_MMAP2);
	assert_false(rec.misc & PERF_RECORD_MISC_MMAP_DATA);
	next(w, &rec, PERF_RECORD_MMAP2);
	assert_true(rec.misc & PERF_RECORD_MISC_MMAP_DATA);
	ends(w);
}

#define IN_WORLD(test) cmocka_unit_test_setup_teardown(test, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		IN_WORLD(synthesizes_the_kernel),
		IN_WORLD(synthesizes_modules_and_build_ids),
		IN_WORLD(hidden_addresses_yield_nothing),
		IN_WORLD(synthesizes_a_process),
		IN_WORLD(synthesizes_the_system_and_skips_exited_processes),
		IN_WORLD(reads_a_build_id_once_a_file),
		IN_WORLD(gives_up_in_time),
		IN_WORLD(many_threads_report_the_same),
		IN_WORLD(synthesizes_data_namespaces_and_cgroups),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
