/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the writer wrote, read back. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include "base/buf.h"
#include "data/read/reader.h"
#include "data/write/feature_payload.h"
#include "data/write/writer.h"
#include "lib/need.h"

static char dir[64], path[96], old[112];

static int make_dir(void **state)
{
	(void)state;
	strncpy(dir, "/tmp/ptui-test-XXXXXX", sizeof(dir) - 1);
	if (!mkdtemp(dir))
		return -1;
	snprintf(path, sizeof(path), "%s/perf.data", dir);
	snprintf(old, sizeof(old), "%s.old", path);
	return 0;
}

static int drop_dir(void **state)
{
	(void)state;
	unlink(path);
	unlink(old);
	return rmdir(dir); /* fails if a file is left */
}

static int drop_dir_with_all(void **state)
{
	struct dirent *item;
	DIR *d = opendir(dir);

	while ((item = readdir(d)))
		if (item->d_name[0] != '.')
			unlinkat(dirfd(d), item->d_name, 0);
	closedir(d);
	return drop_dir(state);
}

static struct perf_event_attr attr_of(uint32_t size, uint64_t config)
{
	struct perf_event_attr attr;

	memset(&attr, 0, sizeof(attr));
	attr.type = PERF_TYPE_SOFTWARE;
	attr.config = config;
	attr.size = size;
	attr.sample_period = 1;
	attr.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU |
			   PERF_SAMPLE_IDENTIFIER;
	attr.sample_id_all = 1;
	return attr;
}

static struct data_writer *writer_new(void)
{
	static const uint64_t ids[2][2] = { { 10, 11 }, { 20, 21 } };
	struct perf_event_attr a = attr_of(PTUI_ATTR_SIZE_VER5, PERF_COUNT_SW_CPU_CLOCK);
	struct perf_event_attr b = attr_of(PTUI_ATTR_SIZE_VER0, PERF_COUNT_SW_DUMMY);
	struct ptui_error err = PTUI_ERROR_INIT;
	struct data_writer *w = data_writer_new(path, &err);

	if (!w)
		fail_msg("%s", err.text);
	assert_int_equal(data_writer_add_event(w, &a, "my clock", ids[0], 2), 0);
	assert_int_equal(data_writer_add_event(w, &b, "dummy:HG", ids[1], 2), 0);
	return w;
}

static void write_buf(struct data_writer *w, const struct buf *b)
{
	struct ptui_error err = PTUI_ERROR_INIT;
	struct iovec iov[2] = { { b->data, b->len / 2 },
				{ b->data + b->len / 2, b->len - b->len / 2 } };

	if (data_writer_write(w, iov, 2, &err))
		fail_msg("%s", err.text);
}

static struct data_file *open_it(void)
{
	struct ptui_error err = PTUI_ERROR_INIT;
	struct data_file *f = data_open(path, &err, NULL);

	if (!f)
		fail_msg("%s", err.text);
	return f;
}

static void next(struct data_walk *w, uint32_t type, struct data_record *rec)
{
	struct ptui_error err = PTUI_ERROR_INIT;

	assert_int_equal(data_walk_next(w, true, rec, &err), 0);
	assert_int_equal(rec->type, type);
	assert_int_equal(rec->bytes % 8, 0);
}

static void put_all(struct buf *out)
{
	static const struct data_id_index_entry index[] = { { 10, 0, 0, -1 }, { 11, 0, 1, -1 } };
	static const char *const comms[] = { "true", "a name that is too long for it" };
	static const int32_t tids[] = { 7, 8 }, cpus[] = { 0, 1, 5 };
	struct perf_event_attr attr = attr_of(112, 9);
	struct data_id id = { .pid = 7, .tid = 8, .time_ns = 99, .id = 20, .cpu = 1 };
	struct data_mmap m = { .pid = 7,
			       .tid = 8,
			       .start = 0x1000,
			       .len = 0x2000,
			       .pgoff = 0x3000,
			       .prot = 5,
			       .flags = 2,
			       .maj = 8,
			       .min = 1,
			       .ino = 4711,
			       .ino_generation = 3,
			       .path = "/bin/true" };

	assert_int_equal(data_put_mmap(out, &m, PERF_RECORD_MISC_USER, &attr, &id), 0);
	assert_int_equal(data_put_mmap2(out, &m, PERF_RECORD_MISC_USER, &attr, &id), 0);
	m.build_id_bytes = 20;
	memcpy(m.build_id, "01234567890123456789", 20);
	assert_int_equal(data_put_mmap2(out, &m, PERF_RECORD_MISC_USER, &attr, NULL), 0);
	assert_int_equal(data_put_comm(out, 7, 8, "true", PERF_RECORD_MISC_COMM_EXEC, &attr, &id),
			 0);
	assert_int_equal(data_put_fork(out, 7, 6, 8, 5, &attr, &id), 0);
	assert_int_equal(data_put_lost(out, 10, 44, &attr, &id), 0);
	assert_int_equal(data_put_user(out, PTUI_RECORD_FINISHED_ROUND, NULL, 0), 0);
	assert_int_equal(data_put_id_index(out, index, 2), 0);
	assert_int_equal(data_put_thread_map(out, tids, comms, 2), 0);
	assert_int_equal(data_put_cpu_map(out, cpus, 3), 0);
}

static void check_mmap(const struct data_record *rec)
{
	assert_int_equal(rec->mmap.pid, 7);
	assert_int_equal(rec->mmap.tid, 8);
	assert_int_equal(rec->mmap.start, 0x1000);
	assert_int_equal(rec->mmap.len, 0x2000);
	assert_int_equal(rec->mmap.pgoff, 0x3000);
	assert_string_equal(rec->mmap.path, "/bin/true");
}

static void check_id(const struct data_record *rec)
{
	assert_int_equal(rec->id.pid, 7);
	assert_int_equal(rec->id.tid, 8);
	assert_int_equal(rec->id.time_ns, 99);
	assert_int_equal(rec->id.id, 20);
	assert_int_equal(rec->id.cpu, 1);
}

static void check_all(struct data_file *f)
{
	struct ptui_error err = PTUI_ERROR_INIT;
	struct data_walk *w = data_walk_new(f, &err);
	struct data_damage damage, none;
	struct data_record rec;

	next(w, PERF_RECORD_MMAP, &rec);
	check_mmap(&rec);
	check_id(&rec);
	next(w, PERF_RECORD_MMAP2, &rec);
	check_mmap(&rec);
	check_id(&rec);
	assert_int_equal(rec.mmap.ino, 4711);
	next(w, PERF_RECORD_MMAP2, &rec);
	check_mmap(&rec);
	assert_int_equal(rec.id.time_ns, 0);
	assert_int_equal(rec.mmap.build_id_bytes, 20);
	assert_memory_equal(rec.mmap.build_id, "01234567890123456789", 20);
	assert_int_equal(rec.mmap.prot, 5);
	next(w, PERF_RECORD_COMM, &rec);
	assert_string_equal(rec.comm.name, "true");
	assert_true(rec.comm.exec);
	next(w, PERF_RECORD_FORK, &rec);
	assert_int_equal(rec.task.ppid, 6);
	assert_int_equal(rec.task.ptid, 5);
	assert_int_equal(rec.task.time_ns, 99);
	next(w, PERF_RECORD_LOST, &rec);
	assert_int_equal(rec.lost.lost, 44);
	next(w, PTUI_RECORD_FINISHED_ROUND, &rec);
	assert_int_equal(rec.bytes, 8);
	next(w, PTUI_RECORD_ID_INDEX, &rec);
	assert_int_equal(rec.bytes, 8 + 8 + 2 * 32);
	next(w, PTUI_RECORD_THREAD_MAP, &rec);
	assert_int_equal(rec.bytes, 8 + 8 + 2 * 24);
	next(w, PTUI_RECORD_CPU_MAP, &rec);
	assert_int_equal(data_walk_next(w, true, &rec, &err), 1);
	memset(&none, 0, sizeof(none));
	memset(&damage, 0, sizeof(damage));
	data_walk_damage(w, &damage);
	assert_memory_equal(&damage, &none, offsetof(struct data_damage, records));
	data_walk_free(w);
}

static void round_trip(void **state)
{
	struct ptui_error err = PTUI_ERROR_INIT;
	struct buf records = BUF_INIT, feature = BUF_INIT;
	struct data_build_id id = { "/bin/true", 7, 2, 3, { 1, 2, 3 } }, got;
	struct data_writer *w = writer_new();
	struct data_file *f;
	struct stat st;

	(void)state;
	assert_int_equal(data_writer_begin(w, &err), 0);
	put_all(&records);
	write_buf(w, &records);
	assert_int_equal(data_writer_bytes(w), records.len);
	feature_string(&feature, "vm");
	data_writer_add_feature(w, PTUI_FEAT_HOSTNAME, feature.data, feature.len);
	buf_clear(&feature);
	feature_cmdline(&feature, "ptui\0record\0unended", 19);
	data_writer_add_feature(w, PTUI_FEAT_CMDLINE, feature.data, feature.len);
	buf_clear(&feature);
	assert_int_equal(feature_build_id(&feature, &id), 0);
	assert_int_equal(feature_build_id(&feature, &id), 0);
	data_writer_add_feature(w, PTUI_FEAT_BUILD_ID, feature.data, feature.len);
	buf_clear(&feature);
	feature_group_desc(&feature, &(struct feature_group){ "{anon_group}", 0, 2 }, 1);
	data_writer_add_feature(w, PTUI_FEAT_GROUP_DESC, feature.data, feature.len);
	assert_int_equal(data_writer_add_feature(w, PTUI_FEAT_MAX, "", 0), -EINVAL);
	assert_int_equal(data_writer_finish(w, &err), 0);
	data_writer_free(w);

	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(st.st_mode & 07777, 0600);
	f = open_it();
	check_all(f);
	assert_int_equal(data_n_events(f), 2);
	assert_string_equal(data_event(f, 0)->name, "my clock");
	assert_string_equal(data_event(f, 1)->name, "dummy:HG");
	assert_int_equal(data_event(f, 0)->attr_size, PTUI_ATTR_SIZE_VER5);
	assert_int_equal(data_event(f, 1)->attr_size, PTUI_ATTR_SIZE_VER5);
	assert_int_equal(data_event(f, 1)->leader, 0);
	assert_int_equal(data_event_of_id(f, 21), 1);
	assert_string_equal(data_feature_text(f, PTUI_FEAT_HOSTNAME), "vm");
	assert_string_equal(data_feature_text(f, PTUI_FEAT_CMDLINE), "ptui record unended");
	assert_int_equal(data_build_id_at(f, 1, &got), 0);
	assert_string_equal(got.path, "/bin/true");
	assert_int_equal(got.bytes, 3);
	assert_memory_equal(got.id, id.id, 3);
	assert_int_equal(data_build_id_at(f, 2, &got), 1);
	data_close(f);
	buf_release(&records);
	buf_release(&feature);
}

/* Counts the records of this type; checks the rest of the file as well. */
static unsigned count(uint32_t type, bool unfinished)
{
	struct ptui_error err = PTUI_ERROR_INIT;
	struct data_file *f = open_it();
	struct data_walk *walk = data_walk_new(f, &err);
	struct data_damage damage;
	struct data_record rec;
	unsigned n = 0;

	while (!data_walk_next(walk, true, &rec, &err))
		n += rec.type == type;
	data_walk_damage(walk, &damage);
	assert_int_equal(damage.unfinished, unfinished);
	assert_int_equal(damage.bad_records + damage.truncated_bytes + damage.skipped_bytes, 0);
	assert_int_equal(damage.unknown_records, 0);
	assert_string_equal(data_event(f, 0)->name, "my clock");
	assert_int_equal(data_event_of_id(f, 21), 1);
	data_walk_free(walk);
	data_close(f);
	return n;
}

static uint64_t header_u64(off_t off)
{
	uint64_t v = 0;
	int fd = open(path, O_RDONLY);

	assert_int_equal(pread(fd, &v, sizeof(v), off), sizeof(v));
	close(fd);
	return v;
}

#define DATA_OFF    40 /* in the header */
#define DATA_SIZE   48
#define TABLE_BYTES (2 * 16) /* with EVENT_DESC */

/* At every moment after begin() the file is readable. */
static void true_while_it_grows(void **state)
{
	struct ptui_error err = PTUI_ERROR_INIT;
	struct data_writer *w = writer_new();
	struct buf records = BUF_INIT, one = BUF_INIT;
	uint64_t said;

	(void)state;
	assert_int_equal(access(path, F_OK), -1);
	assert_int_equal(data_writer_add_feature(w, PTUI_FEAT_HOSTNAME, "\2\0\0\0v", 6), 0);
	assert_int_equal(data_writer_begin(w, &err), 0);
	assert_int_equal(count(PERF_RECORD_COMM, true), 0);
	put_all(&records);
	write_buf(w, &records);
	assert_int_equal(data_writer_sync(w, &err), 0);
	said = header_u64(DATA_SIZE);
	assert_true(said >= records.len);
	assert_int_equal(count(PERF_RECORD_COMM, true), 1);
	/* too little to update the header: recovered, and updated by the sync */
	assert_int_equal(data_put_comm(&one, 7, 8, "next", 0, &(struct perf_event_attr){ 0 }, NULL),
			 0);
	write_buf(w, &one);
	assert_int_equal(header_u64(DATA_SIZE), said);
	assert_int_equal(count(PERF_RECORD_COMM, true), 2);
	assert_int_equal(data_writer_sync(w, &err), 0);
	assert_true(header_u64(DATA_SIZE) > said);
	said = header_u64(DATA_SIZE);
	assert_int_equal(data_writer_sync(w, &err), 0);
	assert_int_equal(header_u64(DATA_SIZE), said);
	for (unsigned i = 0; i < 100; i++)
		write_buf(w, &records);
	assert_int_equal(count(PERF_RECORD_COMM, true), 102);
	assert_true(header_u64(DATA_SIZE) > said + 99 * records.len);
	data_writer_free(w);
	assert_int_equal(count(PERF_RECORD_COMM, true), 102);
	buf_release(&records);
	buf_release(&one);
}

/* Killed at any byte: everything covered by the header is intact. */
static void cut_at_every_byte(void **state)
{
	struct ptui_error err = PTUI_ERROR_INIT;
	struct data_writer *w = writer_new();
	struct buf records = BUF_INIT;
	uint64_t size, said, n;
	int fd;

	(void)state;
	assert_int_equal(data_writer_begin(w, &err), 0);
	put_all(&records);
	write_buf(w, &records);
	data_writer_sync(w, &err);
	said = header_u64(DATA_OFF) + header_u64(DATA_SIZE) + TABLE_BYTES;
	n = header_u64(DATA_SIZE);
	write_buf(w, &records);
	write_buf(w, &records);
	data_writer_sync(w, &err);
	fd = open(path, O_RDWR);
	size = (uint64_t)lseek(fd, 0, SEEK_END);
	assert_int_equal(pwrite(fd, &n, sizeof(n), DATA_SIZE), sizeof(n));
	for (n = size; n >= said; n--) {
		unsigned comms;

		assert_int_equal(ftruncate(fd, (off_t)n), 0);
		comms = count(PERF_RECORD_COMM, true);
		assert_in_range(comms, 1, 3);
		if (n >= said + records.len)
			assert_in_range(comms, 2, 3);
	}
	close(fd);
	data_writer_free(w);
	buf_release(&records);
}

static void write_text(const char *name, const char *text)
{
	FILE *file = fopen(name, "w");

	assert_non_null(file);
	fputs(text, file);
	fclose(file);
}

static bool is_text(const char *name, const char *text)
{
	char line[64] = "";
	FILE *file = fopen(name, "r");

	if (!file)
		return false;
	if (!fgets(line, sizeof(line), file))
		line[0] = '\0';
	fclose(file);
	return !strcmp(line, text);
}

static void an_older_recording(void **state)
{
	struct ptui_error err = PTUI_ERROR_INIT;
	struct data_writer *w;

	(void)state;
	write_text(path, "one");
	write_text(old, "two");
	/* abandoned before begin(): nothing has changed, no file is left */
	w = writer_new();
	data_writer_free(w);
	assert_true(is_text(path, "one"));
	assert_true(is_text(old, "two"));
	w = writer_new();
	assert_int_equal(data_writer_begin(w, &err), 0);
	assert_true(is_text(old, "one"));
	assert_int_equal(data_writer_finish(w, &err), 0);
	data_writer_free(w);
}

static void where_nothing_can_be_written(void **state)
{
	struct ptui_error err = PTUI_ERROR_INIT;
	char bad[128];

	(void)state;
	snprintf(bad, sizeof(bad), "%s/none/perf.data", dir);
	assert_null(data_writer_new(bad, &err));
	assert_int_equal(err.code, ENOENT);
	assert_non_null(strstr(err.text, bad));
	assert_null(data_writer_new(dir, &err));
	assert_int_equal(err.code, EISDIR);
}

static void to_a_device(void **state)
{
	struct perf_event_attr attr = attr_of(112, 0);
	struct ptui_error err = PTUI_ERROR_INIT;
	struct buf records = BUF_INIT;
	struct data_writer *w;
	struct stat st;

	(void)state;
	w = data_writer_new("/dev/null", &err);
	assert_non_null(w);
	data_writer_add_event(w, &attr, "x", NULL, 0);
	assert_int_equal(data_writer_begin(w, &err), 0);
	put_all(&records);
	write_buf(w, &records);
	assert_int_equal(data_writer_finish(w, &err), 0);
	data_writer_free(w);
	assert_int_equal(stat("/dev/null", &st), 0);
	assert_true(S_ISCHR(st.st_mode));
	w = data_writer_new("/dev/full", &err);
	assert_non_null(w);
	assert_int_equal(data_writer_begin(w, &err), -ENOSPC);
	assert_non_null(strstr(err.text, "/dev/full"));
	data_writer_free(w);
	buf_release(&records);
}

/* RLIMIT_FSIZE simulates a full disk: the write ends in the middle. */
static void a_full_disk(void **state)
{
	struct ptui_error err = PTUI_ERROR_INIT;
	struct data_writer *w = writer_new();
	struct buf records = BUF_INIT;
	struct rlimit before, small;
	struct iovec iov;

	(void)state;
	assert_int_equal(data_writer_begin(w, &err), 0);
	put_all(&records);
	write_buf(w, &records);
	signal(SIGXFSZ, SIG_IGN);
	getrlimit(RLIMIT_FSIZE, &before);
	small = before;
	small.rlim_cur = header_u64(DATA_OFF) + records.len + records.len / 2;
	setrlimit(RLIMIT_FSIZE, &small);
	iov.iov_base = records.data;
	iov.iov_len = records.len;
	assert_int_equal(data_writer_write(w, &iov, 1, &err), -EFBIG);
	assert_non_null(strstr(err.text, path));
	assert_int_equal(data_writer_write(w, &iov, 1, &err), -EPIPE);
	assert_int_equal(data_writer_bytes(w), records.len);
	assert_int_equal(count(PERF_RECORD_COMM, true), 1);
	/* no room for the last table either: the file stays as it is */
	small.rlim_cur = header_u64(DATA_OFF) + records.len + 2 * TABLE_BYTES;
	setrlimit(RLIMIT_FSIZE, &small);
	assert_int_equal(data_writer_finish(w, &err), -EFBIG);
	setrlimit(RLIMIT_FSIZE, &before);
	data_writer_free(w);
	assert_int_equal(count(PERF_RECORD_COMM, true), 1);
	buf_release(&records);
}

static void records_too_long(void **state)
{
	struct perf_event_attr attr = attr_of(112, 9);
	struct buf out = BUF_INIT;
	struct data_mmap m = { .pid = 1 };
	struct data_id_index_entry *many;
	char *text = malloc(70001);
	size_t len;

	(void)state;
	memset(text, 'x', 70000);
	text[70000] = '\0';
	m.path = text;
	assert_int_equal(data_put_comm(&out, 1, 1, "short", 0, &attr, NULL), 0);
	len = out.len;
	assert_int_equal(data_put_mmap2(&out, &m, 0, &attr, NULL), -E2BIG);
	assert_int_equal(data_put_comm(&out, 1, 1, text, 0, &attr, NULL), -E2BIG);
	assert_int_equal(data_put_user(&out, 80, text, 70000), -E2BIG);
	assert_int_equal(out.len, len);
	many = calloc(5000, sizeof(*many));
	assert_int_equal(data_put_id_index(&out, many, 5000), 0);
	assert_int_equal(out.len - len, 5000 * 32 + 3 * 16);
	free(many);
	free(text);
	buf_release(&out);
}

/* The last fields of an attr, which the installed header or an older kernel may lack. */
static void last_fields_come_back(void **state)
{
	static const uint64_t ids[] = { 10 };
	struct perf_event_attr a = attr_of(PTUI_ATTR_SIZE_VER9, 1),
			       b = attr_of(PTUI_ATTR_SIZE_VER1, 2);
	struct ptui_error err = PTUI_ERROR_INIT;
	struct data_writer *w = data_writer_new(path, &err);
	struct data_file *f;

	(void)state;
	assert_non_null(w);
	a.config1 = 11;
	a.config2 = 22;
	a.config3 = 0x3333333333333333;
	a.config4 = 0x8000000000000000;
	b.config1 = 7;
	assert_int_equal(data_writer_add_event(w, &a, "a", ids, 1), 0);
	assert_int_equal(data_writer_add_event(w, &b, "b", ids, 1), 0);
	assert_int_equal(data_writer_begin(w, &err), 0);
	assert_int_equal(data_writer_finish(w, &err), 0);
	data_writer_free(w);
	f = open_it();
	assert_int_equal(data_event(f, 0)->attr_size, PTUI_ATTR_SIZE_VER9);
	assert_int_equal(data_event(f, 0)->config1, 11);
	assert_int_equal(data_event(f, 0)->config2, 22);
	assert_true(data_event(f, 0)->config3 == 0x3333333333333333);
	assert_true(data_event(f, 0)->config4 == 0x8000000000000000);
	assert_int_equal(data_event(f, 1)->config1, 7);
	assert_int_equal(data_event(f, 1)->config3, 0);
	data_close(f);
}

/* ---- output files ---- */

static int n_files(void)
{
	struct dirent *item;
	DIR *d = opendir(dir);
	int n = 0;

	while ((item = readdir(d)))
		n += item->d_name[0] != '.';
	closedir(d);
	return n;
}

static struct data_writer *open_for_writing(const char *to, bool overwrite, struct ptui_error *err)
{
	struct data_writer_opts opts = { .overwrite = overwrite, .cancel_fd = -1 };
	struct perf_event_attr attr = attr_of(112, 0);
	struct data_writer *w = data_writer_open(to, &opts, err);

	if (w)
		assert_int_equal(data_writer_add_event(w, &attr, "x", NULL, 0), 0);
	return w;
}

/* A process killed before its file has a name leaves none. */
static void killed_before_it_has_a_name(void **state)
{
	struct ptui_error err = PTUI_ERROR_INIT;
	struct data_writer *w;
	int status;
	pid_t pid = fork();

	(void)state;
	if (!pid) {
		w = open_for_writing(path, false, &err);
		_exit(!w || data_writer_begin_unnamed(w, &err));
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
	assert_int_equal(n_files(), 0);
	/* and it is readable before that */
	w = open_for_writing(path, false, &err);
	assert_int_equal(data_writer_begin_unnamed(w, &err), 0);
	assert_int_equal(data_writer_sync(w, &err), 0);
	assert_int_equal(access(data_writer_place(w), R_OK), 0);
	assert_int_equal(data_writer_name_file(w, &err), 0);
	assert_int_equal(n_files(), 1);
	assert_string_equal(data_writer_place(w), path);
	data_writer_free(w);
	/* replacing an older one atomically */
	w = open_for_writing(path, true, &err);
	assert_int_equal(data_writer_begin(w, &err), 0);
	assert_int_equal(n_files(), 1);
	assert_int_equal(data_writer_finish(w, &err), 0);
	data_writer_free(w);
	assert_int_equal(n_files(), 1);
}

static void write_to(const char *to)
{
	struct ptui_error err = PTUI_ERROR_INIT;
	struct data_writer *w = open_for_writing(to, false, &err);

	if (!w || data_writer_begin(w, &err) || data_writer_finish(w, &err))
		fail_msg("%s", err.text);
	data_writer_free(w);
}

/* "/dev/stdout" and the like: links that are not replaced. */
static void through_links_into_proc(void **state)
{
	static const char *const names[] = { "fd", "stdout", "far" };
	struct ptui_error err = PTUI_ERROR_INIT;
	char link[96], to[96];
	struct stat st, target;
	int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);

	(void)state;
	for (size_t i = 0; i < 3; i++) {
		snprintf(link, sizeof(link), "%s/%s", dir, names[i]);
		if (i)
			snprintf(to, sizeof(to), "%s", names[i - 1]);
		else
			snprintf(to, sizeof(to), "/proc/self/fd/%d", fd);
		assert_int_equal(symlink(to, link), 0);
		assert_int_equal(ftruncate(fd, 0), 0);
		write_to(link);
		assert_int_equal(lstat(link, &st), 0);
		assert_true(S_ISLNK(st.st_mode));
		assert_int_equal(stat(link, &st), 0);
		assert_int_equal(fstat(fd, &target), 0);
		assert_int_equal(st.st_ino, target.st_ino);
		assert_true(target.st_size > 0);
		assert_int_equal(n_files(), (int)i + 2);
	}
	/* its contents cannot be kept */
	assert_null(open_for_writing(link, false, &err));
	assert_int_equal(err.code, EEXIST);
	snprintf(to, sizeof(to), "/proc/self/fd/%d", fd);
	assert_int_equal(ftruncate(fd, 0), 0);
	write_to(to);
	close(fd);
	/* other links are replaced, as by perf */
	snprintf(link, sizeof(link), "%s/other", dir);
	assert_int_equal(symlink("perf.data", link), 0);
	assert_int_equal(truncate(path, 0), 0);
	write_to(link);
	assert_int_equal(lstat(link, &st), 0);
	assert_true(S_ISREG(st.st_mode));
}

static void not_to_a_block_device(void **state)
{
	struct ptui_error err = PTUI_ERROR_INIT;
	char name[96];

	(void)state;
	snprintf(name, sizeof(name), "%s/disk", dir);
	/* of a missing driver: opening it would fail */
	if (mknod(name, S_IFBLK | 0600, makedev(240, 0)))
		skip();
	assert_null(open_for_writing(name, true, &err));
	assert_non_null(strstr(err.text, "block device"));
}

/* A pipe whose reader does not read is given up after the end was requested. */
static void to_a_pipe_without_a_reader(void **state)
{
	struct data_writer_opts opts = { .cancel_fd = eventfd(1, EFD_CLOEXEC) };
	struct perf_event_attr attr = attr_of(112, 0);
	struct ptui_error err = PTUI_ERROR_INIT;
	static char noise[4096];
	struct iovec iov = { noise, sizeof(noise) };
	struct data_writer *w;
	int reader, ret = 0;

	(void)state;
	assert_int_equal(mkfifo(path, 0600), 0);
	reader = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	w = data_writer_open(path, &opts, &err);
	assert_non_null(w);
	data_writer_add_event(w, &attr, "x", NULL, 0);
	assert_int_equal(data_writer_begin(w, &err), 0);
	for (int i = 0; i < 10000 && !ret; i++)
		ret = data_writer_write(w, &iov, 1, &err);
	assert_int_equal(ret, -ECANCELED);
	assert_int_equal(data_writer_finish(w, &err), 0);
	data_writer_free(w);
	close(reader);
	close(opts.cancel_fd);
}

/* ---- names with a timestamp ---- */

static time_t frozen_at; /* 0: the clock runs */

/* Replaces libc's. */
int gettimeofday(struct timeval *restrict now, void *restrict zone)
{
	struct timespec t;

	(void)zone;
	clock_gettime(CLOCK_REALTIME, &t);
	*now = (struct timeval){ .tv_sec = frozen_at ? frozen_at : t.tv_sec,
				 .tv_usec = frozen_at ? 0 : t.tv_nsec / 1000 };
	return 0;
}

static char *write_stamped(void)
{
	static const struct data_writer_opts opts = { .timestamp = true, .cancel_fd = -1 };
	struct perf_event_attr attr = attr_of(112, 0);
	struct ptui_error err = PTUI_ERROR_INIT;
	struct data_writer *w = data_writer_open(path, &opts, &err);
	char *name;

	assert_non_null(w);
	data_writer_add_event(w, &attr, "x", NULL, 0);
	assert_int_equal(data_writer_begin(w, &err), 0);
	if (data_writer_finish(w, &err))
		fail_msg("%s", err.text);
	name = strdup(data_writer_path(w));
	data_writer_free(w);
	return name;
}

/* However many files are created within a hundredth of a second, each name sorts last. */
static void many_files_at_once(void **state)
{
	char *before, *name;

	(void)state;
	frozen_at = 2000000000;
	before = write_stamped();
	for (int i = 0; i < 300; i++) {
		name = write_stamped();
		assert_true(strcmp(before, name) < 0);
		free(before);
		before = name;
	}
	/* the clock is set back: names that exist are skipped */
	frozen_at -= 3600;
	name = write_stamped();
	assert_true(strcmp(before, name) > 0);
	free(name);
	frozen_at += 3600;
	for (int i = 0; i < 400; i++)
		free(write_stamped());
	free(before);
	frozen_at = 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(round_trip, make_dir, drop_dir),
		cmocka_unit_test_setup_teardown(true_while_it_grows, make_dir, drop_dir),
		cmocka_unit_test_setup_teardown(cut_at_every_byte, make_dir, drop_dir),
		cmocka_unit_test_setup_teardown(an_older_recording, make_dir, drop_dir),
		cmocka_unit_test_setup_teardown(where_nothing_can_be_written, make_dir, drop_dir),
		cmocka_unit_test(to_a_device),
		cmocka_unit_test_setup_teardown(a_full_disk, make_dir, drop_dir),
		cmocka_unit_test(records_too_long),
		cmocka_unit_test_setup_teardown(killed_before_it_has_a_name, make_dir,
						drop_dir_with_all),
		cmocka_unit_test_setup_teardown(through_links_into_proc, make_dir,
						drop_dir_with_all),
		cmocka_unit_test_setup_teardown(not_to_a_block_device, make_dir, drop_dir_with_all),
		cmocka_unit_test_setup_teardown(to_a_pipe_without_a_reader, make_dir,
						drop_dir_with_all),
		cmocka_unit_test_setup_teardown(many_files_at_once, make_dir, drop_dir_with_all),
		cmocka_unit_test_setup_teardown(last_fields_come_back, make_dir, drop_dir),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
