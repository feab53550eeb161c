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

/* Operands as GCC writes them. */
static void operands_are_fetched(void **state)
{
	static const struct {
		uint16_t machine;
		const char *operand, *fetch; /* "": cannot be fetched */
	} table[] = {
		{ EM_X86_64, "%rdi", "%di" },
		{ EM_X86_64, "%r8d", "%r8" },
		{ EM_X86_64, "%dil", "%di" },
		{ EM_X86_64, "%al", "%ax" },
		{ EM_X86_64, "%ah", "" }, /* not the low bits */
		{ EM_X86_64, "%r7", "" },
		{ EM_X86_64, "%r16", "" },
		{ EM_X86_64, "%xmm0", "" },
		{ EM_X86_64, "(%rbx)", "+0(%bx)" },
		{ EM_X86_64, "-16(%rbp)", "-16(%bp)" },
		{ EM_X86_64, "8(%rax,%rbx,4)", "" },
		{ EM_X86_64, "x(%rip)", "" },
		{ EM_X86_64, "8(%rax", "" },
		{ EM_X86_64, "8(%rax)x", "" },
		{ EM_X86_64, "$-5", "\\-5" },
		{ EM_X86_64, "5", "" },
		{ EM_X86_64, "$", "" },
		{ EM_X86_64, "%", "" },
		{ EM_X86_64, "", "" },
		{ EM_386, "%eax", "%ax" },
		{ EM_386, "12(%esp)", "+12(%sp)" },
		{ EM_AARCH64, "x0", "%x0" },
		{ EM_AARCH64, "w29", "%x29" },
		{ EM_AARCH64, "sp", "%sp" },
		{ EM_AARCH64, "x31", "" },
		{ EM_AARCH64, "xzr", "" },
		{ EM_AARCH64, "d0", "" },
		{ EM_AARCH64, "[sp]", "+0(%sp)" },
		{ EM_AARCH64, "[sp, 60]", "+60(%sp)" },
		{ EM_AARCH64, "[x29,-8]", "-8(%x29)" },
		{ EM_AARCH64, "[x0, #16]", "+16(%x0)" },
		{ EM_AARCH64, "[x0, x1]", "" },
		{ EM_AARCH64, "[x0], 16", "" },
		{ EM_AARCH64, "[x0, 16]!", "" },
		{ EM_AARCH64, "[x0", "" },
		{ EM_AARCH64, "7", "\\7" },
		{ EM_ARM, "r3", "%r3" },
		{ EM_ARM, "r11", "%fp" },
		{ EM_ARM, "[sp, #4]", "+4(%sp)" },
		{ EM_ARM, "#7", "\\7" },
		{ EM_PPC64, "%r3", "%gpr3" },
		{ EM_PPC64, "31", "%gpr31" },
		{ EM_PPC64, "32", "" },
		{ EM_PPC64, "32(%r1)", "+32(%gpr1)" },
		{ EM_PPC64, "-8(31)", "-8(%gpr31)" },
		{ EM_PPC64, "i-7", "\\-7" },
		{ EM_S390, "%r15", "%r15" },
		{ EM_S390, "%r16", "" },
		{ EM_S390, "160(%r15)", "+160(%r15)" },
		{ EM_S390, "8(%r1,%r2)", "" },
		{ EM_S390, "7", "\\7" },
		{ EM_RISCV, "a0", "%a0" },
		{ EM_RISCV, "s11", "%s11" },
		{ EM_RISCV, "t7", "" },
		{ EM_RISCV, "fa0", "" },
		{ EM_RISCV, "-20(s0)", "-20(%s0)" },
		{ EM_RISCV, "-7", "\\-7" },
		{ EM_MIPS, "$5", "" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(table) / sizeof(*table); i++) {
		struct buf out = BUF_INIT;
		enum dso_sdt_operand kind = dso_sdt_fetch(table[i].machine, table[i].operand, &out);

		assert_string_equal(buf_str(&out), table[i].fetch);
		assert_int_equal(kind, !*table[i].fetch	       ? DSO_SDT_OTHER :
				       *table[i].fetch == '\\' ? DSO_SDT_CONSTANT :
								 DSO_SDT_PLACE);
		buf_release(&out);
	}
}

static void arguments_are_split(void **state)
{
	char text[] = "  -4@[sp, 60] 8@x0  4@5", open[] = "8@[sp, 8", none[] = " ";
	char *rest = text;

	(void)state;
	assert_string_equal(dso_sdt_next_argument(&rest), "-4@[sp, 60]");
	assert_string_equal(dso_sdt_next_argument(&rest), "8@x0");
	assert_string_equal(dso_sdt_next_argument(&rest), "4@5");
	assert_null(dso_sdt_next_argument(&rest));
	assert_null(dso_sdt_next_argument(&rest));
	rest = open;
	assert_string_equal(dso_sdt_next_argument(&rest), "8@[sp, 8");
	assert_null(dso_sdt_next_argument(&rest));
	rest = none;
	assert_null(dso_sdt_next_argument(&rest));
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
		cmocka_unit_test(all_are_found),       cmocka_unit_test(places_are_in_the_file),
		cmocka_unit_test(it_can_be_ended),     cmocka_unit_test(damaged_notes),
		cmocka_unit_test(no_elf_file),	       cmocka_unit_test(operands_are_fetched),
		cmocka_unit_test(arguments_are_split),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
