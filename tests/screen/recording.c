/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "screen/recording.h"

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "base/buf.h"
#include "data/write/feature_payload.h"
#include "data/write/writer.h"
#include "lib/need.h"
#include "unit/dso/elf_make.h"

#define PROGRAM_BASE  0x400000 /* as linked, less CODE_OFF */
#define MODULES_MAX   80
#define FUNCTIONS_MAX 128 /* of a module: its code is 0x800 bytes */
#define STEP	      16
#define CHAIN_MAX     32
#define CODE_OFF      0x1000 /* of code in an ELF file, and in memory */
#define MODULE_BYTES  0x100000
#define JIT_START     0x7f0000000000u
#define CHUNK_BYTES   (1u << 20)

struct module {
	char *path;
	char *names[FUNCTIONS_MAX];
	size_t n;
	bool given; /* the file exists */
};

struct recording {
	char folder[256];
	struct data_writer *writer;
	struct perf_event_attr attr;
	size_t n_events;
	struct buf out;
	struct module modules[MODULES_MAX];
	size_t n_modules;
	size_t module; /* new functions go into it */
	int32_t pid, tid;
	uint64_t time_ns;
	uint64_t branch[3]; /* in each sample, with recording_new_branches() */
};

static void check(int ret, const struct ptui_error *err)
{
	if (ret)
		fail_msg("the recording cannot be written: %s (%d)", err->text, ret);
}

static void flush(struct recording *r)
{
	struct iovec iov = { .iov_base = r->out.data, .iov_len = r->out.len };
	struct ptui_error err = PTUI_ERROR_INIT;

	check(r->out.err, &err);
	if (r->out.len)
		check(data_writer_write(r->writer, &iov, 1, &err), &err);
	buf_clear(&r->out);
}

static struct recording *make_recording(const char *folder, const char *const *events,
					bool branches)
{
	struct recording *r = calloc(1, sizeof(*r));
	struct ptui_error err = PTUI_ERROR_INIT;
	char path[512];
	uint64_t id;

	assert_non_null(r);
	snprintf(r->folder, sizeof(r->folder), "%s", folder);
	snprintf(path, sizeof(path), "%s/perf.data", folder);
	r->attr = (struct perf_event_attr){
		.type = PERF_TYPE_SOFTWARE,
		.config = PERF_COUNT_SW_CPU_CLOCK,
		.size = PTUI_ATTR_SIZE_VER5,
		.sample_freq = 1000,
		.freq = 1,
		.sample_type = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID |
			       PERF_SAMPLE_TIME | PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_PERIOD,
		.read_format = PERF_FORMAT_ID,
		.mmap = 1,
		.mmap2 = 1,
		.comm = 1,
		.task = 1,
		.sample_id_all = 1,
		.build_id = 1,
	};
	if (branches) {
		r->attr.sample_type |= PERF_SAMPLE_BRANCH_STACK;
		r->attr.branch_sample_type = PERF_SAMPLE_BRANCH_USER | PERF_SAMPLE_BRANCH_ANY;
	}
	r->writer = data_writer_new(path, &err);
	if (!r->writer)
		fail_msg("%s", err.text);
	for (; events[r->n_events]; r->n_events++) {
		id = r->n_events + 1;
		check(data_writer_add_event(r->writer, &r->attr, events[r->n_events], &id, 1),
		      &err);
	}
	check(data_writer_begin(r->writer, &err), &err);
	r->time_ns = 1000000000;
	return r;
}

struct recording *recording_new(const char *folder, const char *const *events)
{
	return make_recording(folder, events, false);
}

struct recording *recording_new_branches(const char *folder, const char *const *events,
					 uint64_t from, uint64_t to, unsigned cycles)
{
	struct recording *r = make_recording(folder, events, true);

	r->branch[0] = from;
	r->branch[1] = to;
	r->branch[2] = (uint64_t)cycles << 4;
	return r;
}

/* The same for the map and the file: symbols are taken from no other file. */
static void module_build_id(size_t i, uint8_t id[DATA_BUILD_ID_MAX])
{
	memset(id, 0, DATA_BUILD_ID_MAX);
	id[0] = (uint8_t)(i + 1);
}

static uint64_t module_start(size_t i)
{
	return 0x400000 + i * MODULE_BYTES;
}

static void map_module(struct recording *r, size_t i)
{
	struct data_mmap m = {
		.pid = r->pid,
		.tid = r->pid,
		.start = module_start(i),
		.len = 0x1000,
		.pgoff = CODE_OFF,
		.prot = 5,
		.flags = 2, /* read and execute, private */
		.path = r->modules[i].path,
		.build_id_bytes = DATA_BUILD_ID_MAX,
	};

	module_build_id(i, m.build_id);
	assert_int_equal(data_put_mmap2(&r->out, &m, PERF_RECORD_MISC_USER, &r->attr, NULL), 0);
}

void recording_thread(struct recording *r, int32_t pid, int32_t tid, const char *comm)
{
	size_t i;

	r->pid = pid;
	r->tid = tid;
	if (tid != pid)
		assert_int_equal(data_put_fork(&r->out, pid, pid, tid, pid, &r->attr, NULL), 0);
	assert_int_equal(data_put_comm(&r->out, pid, tid, comm, 0, &r->attr, NULL), 0);
	for (i = 0; i < r->n_modules; i++)
		map_module(r, i);
}

void recording_module(struct recording *r, const char *name)
{
	char path[512];
	size_t i;

	snprintf(path, sizeof(path), "%s/%s", r->folder, name);
	for (i = 0; i < r->n_modules && strcmp(r->modules[i].path, path); i++)
		;
	r->module = i;
	if (i < r->n_modules)
		return;
	assert_in_range(i, 0, MODULES_MAX - 1);
	r->modules[i].path = strdup(path);
	assert_non_null(r->modules[i].path);
	r->n_modules++;
	map_module(r, i);
}

static uint64_t address(struct recording *r, const char *name)
{
	struct module *m;
	size_t i, k;

	for (i = 0; i < r->n_modules; i++) {
		m = &r->modules[i];
		for (k = 0; k < m->n; k++) {
			if (!strcmp(m->names[k], name))
				return module_start(i) + k * STEP;
		}
	}
	m = &r->modules[r->module];
	assert_in_range(m->n, 0, FUNCTIONS_MAX - 1);
	m->names[m->n] = strdup(name);
	assert_non_null(m->names[m->n]);
	return module_start(r->module) + m->n++ * STEP;
}

/* Addresses are outermost first; a call returns to after its place. */
static void put_sample(struct recording *r, size_t event, const uint64_t *addrs, size_t n,
		       uint64_t period)
{
	size_t start = r->out.len, i;
	uint16_t bytes;

	assert_in_range(event, 0, r->n_events - 1);
	buf_add_u32(&r->out, PERF_RECORD_SAMPLE);
	buf_add_u16(&r->out, PERF_RECORD_MISC_USER);
	buf_add_u16(&r->out, 0);
	buf_add_u64(&r->out, event + 1);
	buf_add_u64(&r->out, addrs[n - 1]);
	buf_add_u32(&r->out, (uint32_t)r->pid);
	buf_add_u32(&r->out, (uint32_t)r->tid);
	buf_add_u64(&r->out, r->time_ns += 1000000);
	buf_add_u64(&r->out, period);
	buf_add_u64(&r->out, n + 1);
	buf_add_u64(&r->out, PERF_CONTEXT_USER);
	for (i = n; i-- > 0;)
		buf_add_u64(&r->out, addrs[i] + (i + 1 < n ? 8 : 0));
	if (r->attr.sample_type & PERF_SAMPLE_BRANCH_STACK) {
		buf_add_u64(&r->out, 2);
		for (i = 0; i < 2 * 3; i++)
			buf_add_u64(&r->out, i % 3 < 2 ? module_start(r->module) - PROGRAM_BASE -
								 CODE_OFF + r->branch[i % 3] :
							 r->branch[2]);
	}
	assert_int_equal(r->out.err, 0);
	bytes = (uint16_t)(r->out.len - start);
	memcpy(r->out.data + start + 6, &bytes, sizeof(bytes));
	if (r->out.len > CHUNK_BYTES)
		flush(r);
}

void recording_sample(struct recording *r, size_t event, const char *chain, uint64_t period)
{
	char *copy = strdup(chain), *rest = copy, *word;
	uint64_t addrs[CHAIN_MAX];
	size_t n = 0;

	assert_non_null(copy);
	while ((word = strsep(&rest, ";"))) {
		assert_in_range(n, 0, CHAIN_MAX - 1);
		addrs[n++] = address(r, word);
	}
	free(copy);
	put_sample(r, event, addrs, n, period);
}

/* Without it the names in /tmp/perf-PID.map might belong to a process of another machine. */
static void add_host(struct recording *r)
{
	struct utsname u;
	const struct {
		unsigned feature;
		const char *text;
	} facts[] = { { PTUI_FEAT_HOSTNAME, u.nodename }, { PTUI_FEAT_ARCH, u.machine } };
	struct buf bytes = BUF_INIT;

	assert_int_equal(uname(&u), 0);
	for (size_t i = 0; i < sizeof(facts) / sizeof(facts[0]); i++) {
		buf_clear(&bytes);
		feature_string(&bytes, facts[i].text);
		assert_int_equal(data_writer_add_feature(r->writer, facts[i].feature, bytes.data,
							 bytes.len),
				 0);
	}
	buf_release(&bytes);
}

void recording_many(struct recording *r, size_t n)
{
	uint64_t addrs[3] = { address(r, "main"), address(r, "run"), 0 };
	struct data_mmap m = {
		.pid = r->pid,
		.tid = r->pid,
		.start = JIT_START,
		.len = n * STEP,
		.prot = 5,
		.flags = 2,
		.path = "//anon",
	};
	char path[64];
	FILE *map;
	size_t i;

	add_host(r);
	snprintf(path, sizeof(path), "/tmp/perf-%d.map", (int)r->pid);
	map = fopen(path, "w");
	if (!map)
		fail_msg("%s cannot be written", path);
	assert_int_equal(data_put_mmap2(&r->out, &m, PERF_RECORD_MISC_USER, &r->attr, NULL), 0);
	for (i = 0; i < n; i++) {
		addrs[2] = JIT_START + i * STEP;
		fprintf(map, "%zx %x f%06zu\n", (size_t)addrs[2], STEP, i);
		put_sample(r, 0, addrs, 3, 1000000 + n - i);
	}
	assert_int_equal(fclose(map), 0);
}

#define PROGRAM "annotate_work"

static const char *copy_source(const char *folder, const char *top)
{
	char command[1024];

	snprintf(command, sizeof(command),
		 "cp %s/tests/screen/" PROGRAM ".c %s && sed 's|@DIR@|%s|' %s/tests/screen/" PROGRAM
		 ".s >%s/" PROGRAM ".s",
		 top, folder, folder, top, folder);
	return system(command) ? "its source is not there" : NULL;
}

const char *recording_program(struct recording *r)
{
	const char *top = getenv("top_srcdir"), *why = copy_source(r->folder, top ? top : ".");
	uint8_t id[DATA_BUILD_ID_MAX];
	char command[1024], hex[2 * DATA_BUILD_ID_MAX + 1];
	struct utsname u;

	assert_int_equal(uname(&u), 0);
	if (strcmp(u.machine, "x86_64") != 0)
		return "it is of x86-64";
	if (why)
		return why;
	recording_module(r, PROGRAM);
	r->modules[r->module].given = true;
	module_build_id(r->module, id);
	for (size_t i = 0; i < sizeof(id); i++)
		snprintf(hex + 2 * i, 3, "%02x", id[i]);
	snprintf(command, sizeof(command),
		 "cd %s && cc -c " PROGRAM
		 ".s 2>cc.err && ld -e main -Ttext=0x401000 --build-id=0x%s "
		 "-o " PROGRAM " " PROGRAM ".o 2>>cc.err && rm " PROGRAM ".[so] cc.err",
		 r->folder, hex);
	return system(command) ? "there is no assembler for it" : NULL;
}

void recording_at(struct recording *r, size_t event, uint64_t addr, uint64_t period)
{
	uint64_t at = addr - PROGRAM_BASE - CODE_OFF + module_start(r->module);

	put_sample(r, event, &at, 1, period);
}

void recording_lost(struct recording *r, uint64_t n)
{
	assert_int_equal(data_put_lost(&r->out, 1, n, &r->attr, NULL), 0);
}

static void write_module(const struct module *m, const uint8_t *build_id)
{
	struct elf_made_sym syms[FUNCTIONS_MAX];
	struct elf_made elf = { .syms = syms, .n_syms = m->n, .build_id = build_id };
	size_t i;

	for (i = 0; i < m->n; i++) {
		syms[i] = (struct elf_made_sym){
			.name = m->names[i],
			.value = CODE_OFF + i * STEP,
			.size = STEP,
			.bind = STB_GLOBAL,
			.type = STT_FUNC,
			.shndx = MADE_TEXT,
		};
		if (!strcmp(m->names[i], "main")) { /* a program: its stacks begin there */
			elf.type = ET_EXEC;
			elf.entry = syms[i].value;
		}
	}
	if (elf_make_file(m->path, &elf))
		fail_msg("%s cannot be written", m->path);
}

void recording_close(struct recording *r)
{
	struct ptui_error err = PTUI_ERROR_INIT;
	uint8_t id[DATA_BUILD_ID_MAX];
	size_t i, k;

	flush(r);
	check(data_writer_finish(r->writer, &err), &err);
	data_writer_free(r->writer);
	for (i = 0; i < r->n_modules; i++) {
		module_build_id(i, id);
		if (!r->modules[i].given)
			write_module(&r->modules[i], id);
		for (k = 0; k < r->modules[i].n; k++)
			free(r->modules[i].names[k]);
		free(r->modules[i].path);
	}
	buf_release(&r->out);
	free(r);
}

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *where)
{
	(void)st;
	(void)type;
	(void)where;
	return remove(path);
}

void recording_remove(const char *folder)
{
	nftw(folder, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}
