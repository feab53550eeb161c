/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>
#include "base/file.h"
#include "lib/need.h"

static char dir[] = "/tmp/ptui-test-file-XXXXXX";
static char path[64];

static int make_dir(void **state)
{
	(void)state;
	if (!mkdtemp(dir))
		return -1;
	snprintf(path, sizeof(path), "%s/file", dir);
	return 0;
}

static int remove_dir(void **state)
{
	(void)state;
	unlink(path);
	return rmdir(dir);
}

static void put(const char *bytes, size_t n)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);

	assert_true(fd >= 0);
	assert_int_equal(file_write_all(fd, bytes, n), 0);
	assert_int_equal(close(fd), 0);
}

static void test_read_sizes(void **state)
{
	static const size_t sizes[] = { 0, 1, 4096, 16383, 16384, 16385, 100000 };
	static char want[100000];

	(void)state;
	for (size_t i = 0; i < sizeof(want); i++)
		want[i] = (char)(i * 7 >> 3);
	for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes); i++) {
		struct ptui_error err = PTUI_ERROR_INIT;
		struct buf b = BUF_INIT;
		size_t n = sizes[i];

		put(want, n);
		buf_add_str(&b, "before");
		/* exactly the maximum */
		assert_int_equal(file_read(path, n, &b, &err), 0);
		assert_int_equal(b.len, 6 + n);
		assert_memory_equal(b.data, "before", 6);
		assert_memory_equal(b.data + 6, want, n);
		assert_false(ptui_error_is_set(&err));
		if (n) {
			buf_clear(&b);
			buf_add_str(&b, "before");
			assert_int_equal(file_read(path, n - 1, &b, &err), -EFBIG);
			assert_string_equal(buf_str(&b), "before");
			assert_string_equal(err.object, path);
			assert_int_equal(err.code, EFBIG);
		}
		buf_release(&b);
	}
}

/* st_size is 0 there. */
static void test_read_proc(void **state)
{
	struct buf b = BUF_INIT;

	(void)state;
	assert_int_equal(file_read("/proc/self/status", 1 << 20, &b, NULL), 0);
	assert_non_null(strstr(buf_str(&b), "Name:"));
	assert_non_null(strstr(buf_str(&b), "Threads:"));
	buf_clear(&b);
	assert_int_equal(file_readf(&b, 1 << 20, "%s/%d/stat", roots_system.proc, getpid()), 0);
	assert_int_equal(atoi(buf_str(&b)), getpid());
	buf_release(&b);
}

static void test_read_failures(void **state)
{
	struct ptui_error err = PTUI_ERROR_INIT;
	struct buf b = BUF_INIT;

	(void)state;
	assert_int_equal(file_read("/nowhere/at/all", 10, &b, &err), -ENOENT);
	assert_string_equal(err.object, "/nowhere/at/all");
	assert_non_null(strstr(err.text, "/nowhere/at/all"));
	assert_non_null(strstr(err.text, strerror(ENOENT)));
	assert_null(b.data);
	assert_int_equal(file_read(dir, 10, &b, &err), -EISDIR);
	assert_int_equal(file_readf(&b, 10, "/nowhere/%d", 1), -ENOENT);
	/* a failed buffer stays failed, and reports it */
	buf_add(&b, "", SIZE_MAX);
	put("x", 1);
	assert_int_equal(file_read(path, 10, &b, &err), -ENOMEM);
	buf_release(&b);
}

static void test_numbers(void **state)
{
	static const struct {
		const char *text;
		int ret;
		long long value;
	} table[] = {
		{ "0\n", 0, 0 },
		{ "42", 0, 42 },
		{ "-1\n", 0, -1 },
		{ "  17  \n", 0, 17 },
		{ "0x1f\n", 0, 31 },
		{ "0XFf", 0, 255 },
		{ "010\n", 0, 10 }, /* no octal */
		{ "9223372036854775807\n", 0, 9223372036854775807LL },
		{ "9223372036854775808\n", -ERANGE, 0 },
		{ "", -EINVAL, 0 },
		{ "\n", -EINVAL, 0 },
		{ "abc\n", -EINVAL, 0 },
		{ "12abc\n", -EINVAL, 0 },
		{ "12 13\n", -EINVAL, 0 },
		{ "0x\n", -EINVAL, 0 },
		{ "- 1\n", -EINVAL, 0 },
		{ "1.5\n", -EINVAL, 0 },
	};
	char zeros[1000];
	long long value;

	(void)state;
	for (size_t i = 0; i < sizeof(table) / sizeof(*table); i++) {
		int ret;

		put(table[i].text, strlen(table[i].text));
		value = 77;
		ret = file_read_long(&value, "%s", path);
		if (ret != table[i].ret || value != (ret ? 77 : table[i].value))
			fail_msg("'%s' gives %d, %lld", table[i].text, ret, value);
	}
	memset(zeros, '0', sizeof(zeros));
	put(zeros, sizeof(zeros));
	assert_int_equal(file_read_long(&value, "%s", path), -EINVAL);
	put("1\0002", 3);
	assert_int_equal(file_read_long(&value, "%s", path), -EINVAL);
	assert_int_equal(file_read_long(&value, "%s", "/nowhere/at/all"), -ENOENT);
	assert_int_equal(file_read_long(&value, "%s", "/proc/sys/kernel/pid_max"), 0);
	assert_true(value > 0);
}

static int pipe_fds[2];
static volatile sig_atomic_t alarms;

/* The signal handler that interrupts the read is the writer: two bytes per alarm. */
static void feed_pipe(int signum)
{
	(void)signum;
	alarms++;
	if (write(pipe_fds[1], "ab", 2) != 2)
		abort();
}

static void count_alarm(int signum)
{
	(void)signum;
	alarms++;
}

static void set_alarms(void (*handler)(int), int interval_us)
{
	struct sigaction act = { .sa_handler = handler }; /* no SA_RESTART */
	struct itimerval every = { { 0, interval_us }, { 0, interval_us } };

	alarms = 0;
	assert_int_equal(sigaction(SIGALRM, &act, NULL), 0);
	assert_int_equal(setitimer(ITIMER_REAL, &every, NULL), 0);
}

static void stop_alarms(void)
{
	struct itimerval never = { { 0, 0 }, { 0, 0 } };

	setitimer(ITIMER_REAL, &never, NULL);
	signal(SIGALRM, SIG_DFL);
}

static void test_read_goes_on_after_signals(void **state)
{
	char bytes[7];
	ssize_t got;

	(void)state;
	assert_int_equal(pipe(pipe_fds), 0);
	set_alarms(feed_pipe, 2000);
	got = file_read_full(pipe_fds[0], bytes, 6);
	stop_alarms();
	assert_int_equal(got, 6);
	assert_memory_equal(bytes, "ababab", 6);
	assert_true(alarms >= 3);
	close(pipe_fds[0]);
	close(pipe_fds[1]);
}

/* A full pipe with a slow reader, and continuous signals. */
static void test_write_goes_on_after_signals(void **state)
{
	enum { N = 1 << 20 };
	static char bytes[N], back[N];
	int status, ret;
	pid_t child;

	(void)state;
	for (int i = 0; i < N; i++)
		bytes[i] = (char)(i % 251);
	assert_int_equal(pipe(pipe_fds), 0);
	child = fork();
	assert_true(child >= 0);
	if (!child) {
		close(pipe_fds[1]);
		for (int i = 0; i < N; i += 997)
			if (file_read_full(pipe_fds[0], back + i, N - i < 997 ? N - i : 997) <= 0)
				_exit(1);
		_exit(memcmp(bytes, back, N) ? 2 : 0);
	}
	close(pipe_fds[0]);
	set_alarms(count_alarm, 100);
	ret = file_write_all(pipe_fds[1], bytes, N);
	stop_alarms();
	close(pipe_fds[1]);
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(ret, 0);
	assert_int_equal(status, 0);
}

static void test_ends_and_errors(void **state)
{
	char bytes[16];
	int fd;

	(void)state;
	put("0123456789", 10);
	fd = open(path, O_RDONLY);
	assert_true(fd >= 0);
	assert_int_equal(file_pread_full(fd, bytes, 4, 3), 4);
	assert_memory_equal(bytes, "3456", 4);
	assert_int_equal(file_pread_full(fd, bytes, 16, 8), 2);
	assert_int_equal(file_pread_full(fd, bytes, 16, 10), 0);
	assert_int_equal(file_pread_full(fd, bytes, 16, -1), -EINVAL);
	assert_int_equal(file_read_full(fd, bytes, 16), 10);
	assert_int_equal(file_read_full(fd, bytes, 16), 0);
	assert_int_equal(file_read_full(fd, bytes, SIZE_MAX), -EINVAL);
	assert_int_equal(file_write_all(fd, "x", 1), -EBADF);
	assert_int_equal(file_write_all(fd, "x", 0), 0);
	close(fd);
	assert_int_equal(file_read_full(-1, bytes, 1), -EBADF);
	assert_int_equal(file_pread_full(-1, bytes, 1, 0), -EBADF);
}

static void test_write_to_a_full_device(void **state)
{
	int fd = open("/dev/full", O_WRONLY);

	(void)state;
	if (fd < 0)
		skip_because("no /dev/full here");
	assert_int_equal(file_write_all(fd, "x", 1), -ENOSPC);
	close(fd);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_read_sizes),
		cmocka_unit_test(test_read_proc),
		cmocka_unit_test(test_read_failures),
		cmocka_unit_test(test_numbers),
		cmocka_unit_test(test_read_goes_on_after_signals),
		cmocka_unit_test(test_write_goes_on_after_signals),
		cmocka_unit_test(test_ends_and_errors),
		cmocka_unit_test(test_write_to_a_full_device),
	};

	return cmocka_run_group_tests(tests, make_dir, remove_dir);
}
