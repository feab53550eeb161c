/* SPDX-License-Identifier: GPL-2.0-or-later */
/* SDT markers of an ELF file: this program. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "base/buf.h"
#include "base/file.h"
#include "dso/dso.h"
#include "dso/sdt.h"
#include "lib/need.h"

#if __SIZEOF_POINTER__ == 8
#define ADDRESS ".8byte"
#else
#define ADDRESS ".4byte"
#endif

/* As DTRACE_PROBE() of SystemTap's <sys/sdt.h>: a nop, and a note about it. */
#define MARKER(provider, name, arguments)                                                        \
	__asm__ volatile("990:	nop\n"                                                            \
			 ".pushsection .note.stapsdt,\"\",\"note\"\n"                            \
			 "	.balign 4\n"                                                          \
			 "	.4byte 992f-991f, 994f-993f, 3\n"                                     \
			 "991:	.asciz \"stapsdt\"\n"                                             \
			 "992:	.balign 4\n"                                                      \
			 "993:	" ADDRESS " 990b\n"                                              \
			 "	" ADDRESS " _.stapsdt.base\n"                                    \
			 "	" ADDRESS " 0\n"                                                 \
			 "	.asciz \"" provider "\"\n"                                       \
			 "	.asciz \"" name "\"\n"                                           \
			 "	.asciz \"" arguments "\"\n"                                      \
			 "994:	.balign 4\n"                                                      \
			 ".popsection\n"                                                         \
			 ".ifndef _.stapsdt.base\n"                                              \
			 ".pushsection .stapsdt.base,\"aG\",\"progbits\",.stapsdt.base,comdat\n" \
			 "	.weak _.stapsdt.base\n"                                               \
			 "	.hidden _.stapsdt.base\n"                                             \
			 "_.stapsdt.base: .space 1\n"                                            \
			 "	.size _.stapsdt.base, 1\n"                                            \
			 ".popsection\n"                                                         \
			 ".endif\n")

static __attribute__((noinline, noclone)) void shop(void)
{
	MARKER("shop", "open", "");
	MARKER("shop", "sell", "8@%rdi -4@%rsi");
	MARKER("bank", "open", "");
}

static int add(void *ctx, const struct dso_sdt *marker)
{
	buf_addf(ctx, "%s:%s(%s)%s\n", marker->provider, marker->name, marker->arguments,
		 marker->semaphore_rva ? " semaphore" : "");
	return 0;
}

static void all_are_found(void **state)
{
	struct ptui_error err = PTUI_ERROR_INIT;
	struct buf got = BUF_INIT;

	(void)state;
	shop();
	assert_int_equal(dso_sdt_each("/proc/self/exe", add, &got, &err), 0);
	assert_string_equal(buf_str(&got), "shop:open()\nshop:sell(8@%rdi -4@%rsi)\nbank:open()\n");
	buf_release(&got);
}

/* Whether a marker is within this function. */
static int in_shop(void *ctx, const struct dso_sdt *marker)
{
	struct dso_file *file = dso_file_open("/proc/self/exe", NULL, 0, NULL);
	unsigned char byte = 0;
	int fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
	size_t *n = ctx;

	assert_non_null(file);
	assert_true(marker->off != UINT64_MAX);
	assert_int_equal(pread(fd, &byte, 1, (off_t)marker->off), 1);
#if defined(__x86_64__)
	assert_int_equal(byte, 0x90); /* nop */
#endif
	close(fd);
	dso_file_unref(file);
	(*n)++;
	return 0;
}

static void places_are_in_the_file(void **state)
{
	size_t n = 0;

	(void)state;
	assert_int_equal(dso_sdt_each("/proc/self/exe", in_shop, &n, NULL), 0);
	assert_int_equal(n, 3);
}

static int stop(void *ctx, const struct dso_sdt *marker)
{
	(void)marker;
	(*(int *)ctx)++;
	return 7;
}

static void it_can_be_ended(void **state)
{
	int n = 0;

	(void)state;
	assert_int_equal(dso_sdt_each("/proc/self/exe", stop, &n, NULL), 7);
	assert_int_equal(n, 1);
}

/* Notes with unterminated strings, or too short: skipped. */
static void damaged_notes(void **state)
{
	struct ptui_error err = PTUI_ERROR_INIT;
	char path[] = "/tmp/ptui-test-sdt-XXXXXX";
	struct buf image = BUF_INIT, got = BUF_INIT;
	int fd = mkstemp(path);
	size_t n_hit = 0;

	(void)state;
	assert_int_equal(file_read("/proc/self/exe", 64 << 20, &image, &err), 0);
	for (size_t i = 0; i + 10 < image.len; i++) {
		if (!memcmp(image.data + i, "shop\0sell", 10)) {
			memcpy(image.data + i, "\0hop\0", 5); /* a provider without a name */
			n_hit++;
		}
	}
	assert_true(n_hit > 0);
	assert_int_equal(file_write_all(fd, image.data, image.len), 0);
	close(fd);
	assert_int_equal(dso_sdt_each(path, add, &got, &err), 0);
	assert_string_equal(buf_str(&got), "shop:open()\nbank:open()\n");
	assert_int_equal(truncate(path, 64), 0);
	dso_sdt_each(path, add, &got, &err); /* no crash */
	unlink(path);
	buf_release(&image);
	buf_release(&got);
}

static void no_elf_file(void **state)
{
	struct ptui_error err = PTUI_ERROR_INIT;
	int n = 0;

	(void)state;
	assert_true(dso_sdt_each("/etc/passwd", stop, &n, &err) < 0);
	assert_true(ptui_error_is_set(&err));
	assert_true(dso_sdt_each("/nowhere", stop, &n, &err) < 0);
	assert_int_equal(n, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_are_found),   cmocka_unit_test(places_are_in_the_file),
		cmocka_unit_test(it_can_be_ended), cmocka_unit_test(damaged_notes),
		cmocka_unit_test(no_elf_file),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
