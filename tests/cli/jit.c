/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A JIT compiler as far as profilers see it, for jit.sh and screens. Its code is copies of a function of its own.
 *
 *   jit dump FOLDER   writes FOLDER/jit-PID.dump: "first" and then "second" run at one address, "third" at
 *                     another one after it was moved there. "first" is line 11 of first.js, "third" line 31
 *                     of third.js; "second" has no lines
 *   jit map FILE      writes FILE as a perf map: "mapped" runs for a second, then "late", which is added
 *                     only then, until it is killed
 *   jit after FILE    "after" runs for two seconds, then FILE is written as a perf map, then it runs until it is killed
 *   jit exit FILE     "at_exit" runs for half a second, then FILE is written as a perf map
 */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#define CODE_BYTES 512

struct header {
	uint32_t magic, version, bytes, machine, padding, pid;
	uint64_t time, flags;
};

struct record {
	uint32_t id, bytes;
	uint64_t time;
};

static FILE *dump;

/* It calls nothing, so that it runs anywhere. */
__attribute__((noipa, noinline, aligned(64))) static uint64_t spin(uint64_t n)
{
	uint64_t x = n;

	for (uint64_t i = 0; i < n; i++)
		x = x * 6364136223846793005u + 1442695040888963407u;
	return x;
}

static uint64_t now(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static void put(uint32_t id, const void *body, size_t n, const char *name, const void *code)
{
	size_t tail = name ? strlen(name) + 1 + CODE_BYTES : 0;
	struct record r = { id, (uint32_t)(sizeof(r) + n + tail), now(CLOCK_MONOTONIC) };

	fwrite(&r, sizeof(r), 1, dump);
	fwrite(body, n, 1, dump);
	if (name) {
		fwrite(name, strlen(name) + 1, 1, dump);
		fwrite(code, CODE_BYTES, 1, dump);
	}
	fflush(dump);
}

static void put_load(const char *name, uint64_t index, const void *code)
{
	struct {
		uint32_t pid, tid;
		uint64_t vma, addr, bytes, index;
	} body = { (uint32_t)getpid(), (uint32_t)getpid(), (uintptr_t)code,
		   (uintptr_t)code,    CODE_BYTES,	   index };

	put(0, &body, sizeof(body), name, code);
}

/* Of the next code: `line` from its start on, and a later one that is not reached. */
static void put_lines(const char *file, uint32_t line, const void *code)
{
	size_t name = strlen(file) + 1;
	char body[256];
	uint64_t at[2] = { (uintptr_t)code, 2 };
	uint32_t place[2] = { line, 0 };
	size_t n = 0;

	memcpy(body, at, sizeof(at));
	n += sizeof(at);
	for (int i = 0; i < 2; i++) {
		uint64_t addr = (uintptr_t)code + (i ? CODE_BYTES - 1 : 0);

		memcpy(body + n, &addr, sizeof(addr));
		memcpy(body + n + 8, place, sizeof(place));
		memcpy(body + n + 16, i ? "\xff" : file, i ? 2 : name);
		n += 16 + (i ? 2 : name);
		place[0]++;
	}
	put(2, body, n, NULL, NULL);
}

static void put_move(uint64_t index, const void *from, const void *to)
{
	struct {
		uint32_t pid, tid;
		uint64_t vma, from, to, bytes, index;
	} body = { (uint32_t)getpid(), (uint32_t)getpid(), (uintptr_t)to, (uintptr_t)from,
		   (uintptr_t)to,      CODE_BYTES,	   index };

	put(1, &body, sizeof(body), NULL, NULL);
}

static void make(void *at)
{
	memcpy(at, (const void *)(uintptr_t)spin, CODE_BYTES);
	__builtin___clear_cache((char *)at, (char *)at + CODE_BYTES);
}

static void run(const void *code, unsigned ms)
{
	uint64_t (*volatile function)(uint64_t) = (uint64_t(*)(uint64_t))(uintptr_t)code;
	uint64_t until = now(CLOCK_PROCESS_CPUTIME_ID) + ms * 1000000ull;

	while (!ms || now(CLOCK_PROCESS_CPUTIME_ID) < until)
		function(100000);
}

static int write_dump(const char *folder, char *code)
{
	struct header h = { 0x4A695444, 1, sizeof(h), 0, 0, (uint32_t)getpid(), 0, 0 };
	char path[512];

	snprintf(path, sizeof(path), "%s/jit-%d.dump", folder, (int)getpid());
	dump = fopen(path, "w+");
	if (!dump)
		return 1;
	fwrite(&h, sizeof(h), 1, dump);
	fflush(dump);
	if (mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE, fileno(dump), 0) == MAP_FAILED)
		return 1;
	make(code);
	put_lines("/src/first.js", 11, code);
	put_load("first", 1, code);
	run(code, 100);
	make(code);
	put_load("second", 2, code);
	run(code, 200);
	make(code + 4096);
	put_lines("/src/third.js", 31, code + 4096);
	put_load("third", 3, code + 4096);
	make(code + 8192);
	put_move(3, code + 4096, code + 8192);
	run(code + 8192, 300);
	return fclose(dump) != 0;
}

static int write_map(const char *path, char *code)
{
	FILE *f = fopen(path, "w");

	if (!f)
		return 1;
	make(code);
	fprintf(f, "%llx %x mapped\n", (unsigned long long)(uintptr_t)code, CODE_BYTES);
	fflush(f);
	run(code, 1000);
	make(code + 4096);
	fprintf(f, "%llx %x late\n", (unsigned long long)(uintptr_t)code + 4096, CODE_BYTES);
	fclose(f);
	run(code + 4096, 0);
	return 0;
}

static int write_map_late(const char *path, char *code, unsigned ms, const char *name)
{
	FILE *f;

	make(code);
	run(code, ms);
	f = fopen(path, "w");
	if (!f)
		return 1;
	fprintf(f, "%llx %x %s\n", (unsigned long long)(uintptr_t)code, CODE_BYTES, name);
	return fclose(f) != 0;
}

static int write_map_after(const char *path, char *code)
{
	int ret = write_map_late(path, code, 2000, "after");

	if (!ret)
		run(code, 0);
	return ret;
}

int main(int argc, char **argv)
{
	char *code = mmap(NULL, 16384, PROT_READ | PROT_WRITE | PROT_EXEC,
			  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (argc != 3 || code == MAP_FAILED)
		return 2;
	return !strcmp(argv[1], "dump")	 ? write_dump(argv[2], code) :
	       !strcmp(argv[1], "exit")	 ? write_map_late(argv[2], code, 500, "at_exit") :
	       !strcmp(argv[1], "after") ? write_map_after(argv[2], code) :
					   write_map(argv[2], code);
}
