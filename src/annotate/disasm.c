/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "annotate/disasm.h"

#include <elf.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/i18n.h"
#include "base/text.h"

#ifndef EM_LOONGARCH
#define EM_LOONGARCH 258
#endif

static const struct {
	uint16_t machine;
	const char *name;
} arch_names[] = {
	{ EM_X86_64, "x86-64" },    { EM_386, "i386" },	    { EM_AARCH64, "AArch64" },
	{ EM_ARM, "ARM" },	    { EM_RISCV, "RISC-V" }, { EM_PPC64, "PowerPC 64" },
	{ EM_PPC, "PowerPC" },	    { EM_S390, "s390" },    { EM_MIPS, "MIPS" },
	{ EM_SPARCV9, "SPARC V9" }, { EM_SPARC, "SPARC" },  { EM_LOONGARCH, "LoongArch" },
};

const char *disasm_arch_name(uint16_t machine, char *buf, size_t size)
{
	for (size_t i = 0; i < sizeof(arch_names) / sizeof(arch_names[0]); i++)
		if (arch_names[i].machine == machine)
			return arch_names[i].name;
	snprintf(buf, size, _("machine %u"), machine);
	return buf;
}

static pthread_mutex_t library_lock = PTHREAD_MUTEX_INITIALIZER;

void disasm_lock(void)
{
	pthread_mutex_lock(&library_lock);
}

void disasm_unlock(void)
{
	pthread_mutex_unlock(&library_lock);
}

#ifdef HAVE_LIBOPCODES

#include <dis-asm.h>

/* ---- the library ---- */

static struct {
	pthread_once_t once;
	char why[256]; /* it cannot be used */
	__typeof__(disassembler) *find;
	__typeof__(init_disassemble_info) *init_info;
	__typeof__(disassemble_init_for_target) *init_target;
	__typeof__(disassemble_free_target) *free_target;
} lib = { .once = PTHREAD_ONCE_INIT };

#ifdef OPCODES_SONAME

#include <dlfcn.h>

/*
 * Debian's "-system" knows the processors of its machine only, "-multiarch" (package
 * binutils-multiarch) all.
 */
static void *open_library(void)
{
	const char *system = strstr(OPCODES_SONAME, "-system");
	char name[128];
	void *handle = NULL;

	if (system) {
		snprintf(name, sizeof(name), "%.*s-multiarch%s", (int)(system - OPCODES_SONAME),
			 OPCODES_SONAME, system + strlen("-system"));
		handle = dlopen(name, RTLD_NOW | RTLD_LOCAL);
	}
	return handle ? handle : dlopen(OPCODES_SONAME, RTLD_NOW | RTLD_LOCAL);
}

static void load_library(void)
{
	const struct {
		const char *name;
		void *at;
	} functions[] = {
		{ "disassembler", &lib.find },
		{ "init_disassemble_info", &lib.init_info },
		{ "disassemble_init_for_target", &lib.init_target },
		{ "disassemble_free_target", &lib.free_target },
	};
	void *handle = open_library();

	if (!handle) {
		snprintf(lib.why, sizeof(lib.why), "%s", dlerror());
		return;
	}
	for (size_t i = 0; i < sizeof(functions) / sizeof(functions[0]); i++) {
		void *symbol = dlsym(handle, functions[i].name);

		if (!symbol) {
			snprintf(lib.why, sizeof(lib.why), "%s", dlerror());
			dlclose(handle);
			return;
		}
		memcpy(functions[i].at, &symbol, sizeof(symbol));
	}
}

#else

static void load_library(void)
{
	lib.find = disassembler;
	lib.init_info = init_disassemble_info;
	lib.init_target = disassemble_init_for_target;
	lib.free_target = disassemble_free_target;
}

#endif

/* ---- targets ---- */

struct arch {
	uint16_t machine;
	enum bfd_architecture arch;
	unsigned long mach_32, mach_64;
};

static const struct arch arches[] = {
	{ EM_X86_64, bfd_arch_i386, bfd_mach_x64_32, bfd_mach_x86_64 },
	{ EM_386, bfd_arch_i386, bfd_mach_i386_i386, bfd_mach_i386_i386 },
	{ EM_AARCH64, bfd_arch_aarch64, bfd_mach_aarch64_ilp32, bfd_mach_aarch64 },
	{ EM_ARM, bfd_arch_arm, bfd_mach_arm_unknown, bfd_mach_arm_unknown },
	{ EM_RISCV, bfd_arch_riscv, bfd_mach_riscv32, bfd_mach_riscv64 },
	{ EM_PPC64, bfd_arch_powerpc, bfd_mach_ppc64, bfd_mach_ppc64 },
	{ EM_PPC, bfd_arch_powerpc, bfd_mach_ppc, bfd_mach_ppc },
	{ EM_S390, bfd_arch_s390, bfd_mach_s390_31, bfd_mach_s390_64 },
	{ EM_MIPS, bfd_arch_mips, bfd_mach_mipsisa32r2, bfd_mach_mipsisa64r2 },
	{ EM_SPARCV9, bfd_arch_sparc, bfd_mach_sparc_v9, bfd_mach_sparc_v9 },
	{ EM_SPARC, bfd_arch_sparc, bfd_mach_sparc, bfd_mach_sparc },
	{ EM_LOONGARCH, bfd_arch_loongarch, bfd_mach_loongarch32, bfd_mach_loongarch64 },
};

struct disasm {
	disassemble_info info;
	disassembler_ftype print;
	bool is_x86, intel;
	disasm_name_fn name;
	void *name_ctx;
	struct buf *text; /* of the instruction */
	bool has_target, failed;
	uint64_t target; /* first address that was printed */
};

/* Most pieces are texts, for which printf() takes a third of the time of all. */
PTUI_PRINTF(2, 0)
static void add_piece(struct buf *out, const char *fmt, va_list ap)
{
	const char *text;
	int len;

	if (!strcmp(fmt, "%s")) {
		buf_add_str(out, va_arg(ap, const char *));
	} else if (!strcmp(fmt, "%.*s")) {
		len = va_arg(ap, int);
		text = va_arg(ap, const char *);
		buf_add(out, text, len < 0 ? strlen(text) : strnlen(text, (size_t)len));
	} else {
		buf_vaddf(out, fmt, ap);
	}
}

PTUI_PRINTF(2, 3)
static int print_text(void *stream, const char *fmt, ...)
{
	struct disasm *d = stream;
	va_list ap;

	va_start(ap, fmt);
	add_piece(d->text, fmt, ap);
	va_end(ap);
	return 0;
}

#ifdef HAVE_STYLED_DISASSEMBLER
PTUI_PRINTF(3, 4)
static int print_styled(void *stream, enum disassembler_style style, const char *fmt, ...)
{
	struct disasm *d = stream;
	va_list ap;

	(void)style;
	va_start(ap, fmt);
	add_piece(d->text, fmt, ap);
	va_end(ap);
	return 0;
}
#endif

static void print_address(bfd_vma addr, disassemble_info *info)
{
	struct disasm *d = info->stream;
	size_t at;

	if (!d->has_target) {
		d->has_target = true;
		d->target = addr;
	}
	buf_addf(d->text, "%" PRIx64 " <", (uint64_t)addr);
	at = d->text->len;
	d->name(d->name_ctx, addr, d->text);
	if (d->text->len > at)
		buf_add_char(d->text, '>');
	else if (!d->text->err)
		d->text->data[d->text->len -= 2] = '\0';
}

static int read_memory(bfd_vma addr, bfd_byte *to, unsigned n, disassemble_info *info)
{
	uint64_t at = addr - info->buffer_vma;

	if (addr < info->buffer_vma || at > info->buffer_length || n > info->buffer_length - at)
		return EIO;
	memcpy(to, info->buffer + at, n);
	return 0;
}

/* The library's own prints a message. */
static void memory_error(int status, bfd_vma addr, disassemble_info *info)
{
	struct disasm *d = info->stream;

	(void)status;
	(void)addr;
	d->failed = true;
}

static void info_init(struct disasm *d, const struct disasm_target *t, const struct arch *a)
{
	disassemble_info *info = &d->info;

#ifdef HAVE_STYLED_DISASSEMBLER
	lib.init_info(info, d, print_text, print_styled);
#else
	lib.init_info(info, d, print_text);
#endif
	info->flavour = bfd_target_elf_flavour;
	info->arch = a->arch;
	info->mach = t->is_64 ? a->mach_64 : a->mach_32;
	if (d->intel)
		info->mach |= bfd_mach_i386_intel_syntax;
	info->endian = t->big_endian ? BFD_ENDIAN_BIG : BFD_ENDIAN_LITTLE;
	/* code of ARM is little-endian in big-endian files, too (BE8) */
	info->endian_code = t->machine == EM_ARM && t->flags & 0x00800000 ? BFD_ENDIAN_LITTLE :
									    info->endian;
	info->display_endian = info->endian;
	info->read_memory_func = read_memory;
	info->memory_error_func = memory_error;
	info->print_address_func = print_address;
	if (d->is_x86 && t->syntax != PTUI_ASM_DEFAULT)
		info->disassembler_options = d->intel ? "intel" : "att";
}

struct disasm *disasm_new(const struct disasm_target *t, disasm_name_fn name, void *ctx,
			  struct ptui_error *err)
{
	const struct arch *a = NULL;
	struct disasm *d;
	char buf[32];

	pthread_once(&lib.once, load_library);
	if (!lib.free_target) {
		ptui_error_set(err, PTUI_ERROR_SYSTEM, ENOENT, NULL,
			       _("the disassembler cannot be loaded: %s"), lib.why);
		ptui_error_hint(err,
				_("install binutils, of the version that ptui was built with"));
		return NULL;
	}
	for (size_t i = 0; i < sizeof(arches) / sizeof(arches[0]); i++)
		if (arches[i].machine == t->machine)
			a = &arches[i];
	d = a ? calloc(1, sizeof(*d)) : NULL;
	if (a && !d) {
		ptui_error_nomem(err);
		return NULL;
	}
	if (d) {
		d->is_x86 = a->arch == bfd_arch_i386;
		d->intel = d->is_x86 && t->syntax == PTUI_ASM_INTEL;
		d->name = name;
		d->name_ctx = ctx;
		info_init(d, t, a);
		disasm_lock();
		d->print = lib.find(a->arch, t->big_endian, d->info.mach, NULL);
		if (d->print)
			lib.init_target(&d->info);
		disasm_unlock();
	}
	if (d && d->print)
		return d;
	free(d);
	ptui_error_set(err, PTUI_ERROR_SYSTEM, ENOTSUP, NULL,
		       _("the disassembler here does not know the architecture %s"),
		       disasm_arch_name(t->machine, buf, sizeof(buf)));
	ptui_error_hint(err, _("install the binutils of all architectures (Debian package "
			       "binutils-multiarch), or annotate on such a machine"));
	return NULL;
}

void disasm_free(struct disasm *d)
{
	if (!d)
		return;
	disasm_lock();
	lib.free_target(&d->info);
	disasm_unlock();
	free(d);
}

/* ---- instructions ---- */

/* Words of x86 that stand before the mnemonic. */
static bool is_prefix(const char *word, size_t n)
{
	static const char *const prefixes[] = { "bnd",	  "notrack", "lock",   "rep",
						"repz",	  "repnz",   "ds",     "cs",
						"es",	  "ss",	     "fs",     "gs",
						"data16", "data32",  "addr32", "addr16" };

	for (size_t i = 0; i < sizeof(prefixes) / sizeof(prefixes[0]); i++)
		if (strlen(prefixes[i]) == n && !memcmp(prefixes[i], word, n))
			return true;
	return n >= 3 && !memcmp(word, "rex", 3);
}

static size_t word_length(const char *s)
{
	return strcspn(s, " \t");
}

/* The mnemonic of the text, after prefixes. */
static const char *find_mnemonic(const struct disasm *d, const char *text, size_t *ret_n)
{
	size_t n = word_length(text);

	while (d->is_x86 && text[n] && is_prefix(text, n)) {
		const char *next = text + n + strspn(text + n, " \t");

		if (!*next)
			break;
		text = next;
		n = word_length(text);
	}
	*ret_n = n;
	return text;
}

static bool starts_with(const char *s, size_t n, const char *with)
{
	return n >= strlen(with) && !memcmp(s, with, strlen(with));
}

/* The library does not say what instructions of x86 do. */
static enum ptui_flow x86_flow(const char *mnemonic, size_t n)
{
	if (starts_with(mnemonic, n, "jmp") || starts_with(mnemonic, n, "ljmp"))
		return PTUI_FLOW_JUMP;
	if (*mnemonic == 'j' || starts_with(mnemonic, n, "loop") ||
	    starts_with(mnemonic, n, "xbegin"))
		return PTUI_FLOW_BRANCH;
	if (starts_with(mnemonic, n, "call") || starts_with(mnemonic, n, "lcall"))
		return PTUI_FLOW_CALL;
	if (starts_with(mnemonic, n, "ret") || starts_with(mnemonic, n, "iret") ||
	    starts_with(mnemonic, n, "lret") || starts_with(mnemonic, n, "sysret"))
		return PTUI_FLOW_RETURN;
	return PTUI_FLOW_NEXT;
}

/* What the library does not say of other processors. The first row that fits counts. */
static const struct flow_rule {
	enum bfd_architecture arch;
	const char *mnemonic; /* ends in '*': the beginning of one */
	const char *operand;  /* NULL: any */
	enum ptui_flow flow;
} flow_rules[] = {
	{ bfd_arch_aarch64, "b", NULL, PTUI_FLOW_JUMP },
	{ bfd_arch_aarch64, "b.*", NULL, PTUI_FLOW_BRANCH },
	{ bfd_arch_aarch64, "bl*", NULL, PTUI_FLOW_CALL },
	{ bfd_arch_aarch64, "br*", NULL, PTUI_FLOW_JUMP },
	{ bfd_arch_aarch64, "cb*", NULL, PTUI_FLOW_BRANCH },
	{ bfd_arch_aarch64, "tb*", NULL, PTUI_FLOW_BRANCH },
	{ bfd_arch_arm, "b", NULL, PTUI_FLOW_JUMP },
	{ bfd_arch_arm, "b.n", NULL, PTUI_FLOW_JUMP },
	{ bfd_arch_arm, "b.w", NULL, PTUI_FLOW_JUMP },
	{ bfd_arch_arm, "bl", NULL, PTUI_FLOW_CALL },
	{ bfd_arch_arm, "blx", NULL, PTUI_FLOW_CALL },
	{ bfd_arch_arm, "bx", "lr", PTUI_FLOW_RETURN },
	{ bfd_arch_arm, "bx", NULL, PTUI_FLOW_JUMP },
	{ bfd_arch_arm, "cb*", NULL, PTUI_FLOW_BRANCH },
	{ bfd_arch_arm, "bfc*", NULL, PTUI_FLOW_NEXT },
	{ bfd_arch_arm, "bfi*", NULL, PTUI_FLOW_NEXT },
	{ bfd_arch_arm, "bic*", NULL, PTUI_FLOW_NEXT },
	{ bfd_arch_arm, "bkpt", NULL, PTUI_FLOW_NEXT },
	{ bfd_arch_arm, "b*", NULL, PTUI_FLOW_BRANCH },
	{ bfd_arch_powerpc, "b", NULL, PTUI_FLOW_JUMP },
	{ bfd_arch_powerpc, "ba", NULL, PTUI_FLOW_JUMP },
	{ bfd_arch_powerpc, "bctr", NULL, PTUI_FLOW_JUMP },
	{ bfd_arch_powerpc, "bctrl", NULL, PTUI_FLOW_CALL },
	{ bfd_arch_powerpc, "bl", NULL, PTUI_FLOW_CALL },
	{ bfd_arch_powerpc, "bla", NULL, PTUI_FLOW_CALL },
	{ bfd_arch_powerpc, "blr", NULL, PTUI_FLOW_RETURN },
	{ bfd_arch_powerpc, "blrl", NULL, PTUI_FLOW_CALL },
	{ bfd_arch_powerpc, "bpermd", NULL, PTUI_FLOW_NEXT },
	{ bfd_arch_powerpc, "br*", NULL, PTUI_FLOW_NEXT },
	{ bfd_arch_powerpc, "b*", NULL, PTUI_FLOW_BRANCH },
	{ bfd_arch_s390, "br", "%r14", PTUI_FLOW_RETURN },
	{ bfd_arch_s390, "br", NULL, PTUI_FLOW_JUMP },
	{ bfd_arch_s390, "bras*", NULL, PTUI_FLOW_CALL },
	{ bfd_arch_s390, "basr", NULL, PTUI_FLOW_CALL },
	{ bfd_arch_s390, "br*", NULL, PTUI_FLOW_BRANCH },
	{ bfd_arch_s390, "j", NULL, PTUI_FLOW_JUMP },
	{ bfd_arch_s390, "jg", NULL, PTUI_FLOW_JUMP },
	{ bfd_arch_s390, "j*", NULL, PTUI_FLOW_BRANCH },
	{ bfd_arch_s390, "c*j*", NULL, PTUI_FLOW_BRANCH },
};

static bool rule_fits(const struct flow_rule *rule, const char *mnemonic, size_t n)
{
	const char *operand = mnemonic + n + strspn(mnemonic + n, " \t");
	char word[16];

	snprintf(word, sizeof(word), "%.*s", (int)n, mnemonic);
	return text_glob(rule->mnemonic, word) &&
	       (!rule->operand || !strcmp(operand, rule->operand));
}

static enum ptui_flow library_flow(const disassemble_info *info)
{
	switch (info->insn_info_valid ? info->insn_type : dis_nonbranch) {
	case dis_branch:
		return PTUI_FLOW_JUMP;
	case dis_condbranch:
		return PTUI_FLOW_BRANCH;
	case dis_jsr:
	case dis_condjsr:
		return PTUI_FLOW_CALL;
	default:
		return PTUI_FLOW_NEXT;
	}
}

static enum ptui_flow insn_flow(const struct disasm *d, const char *mnemonic, size_t n)
{
	if (d->is_x86)
		return x86_flow(mnemonic, n);
	if (starts_with(mnemonic, n, "ret") || starts_with(mnemonic, n, "eret"))
		return PTUI_FLOW_RETURN;
	for (size_t i = 0; i < sizeof(flow_rules) / sizeof(flow_rules[0]); i++)
		if (flow_rules[i].arch == d->info.arch && rule_fits(&flow_rules[i], mnemonic, n))
			return flow_rules[i].flow;
	return library_flow(&d->info);
}

/* Removes spaces at the end, and what would break a line. */
static void text_clean(struct buf *text, size_t from)
{
	if (text->err || !text->data)
		return;
	for (size_t i = from; i < text->len; i++)
		if ((unsigned char)text->data[i] < ' ')
			text->data[i] = ' ';
	while (text->len > from && text->data[text->len - 1] == ' ')
		text->data[--text->len] = '\0';
}

void disasm_next(struct disasm *d, uint64_t addr, const uint8_t *bytes, size_t n, struct buf *text,
		 struct disasm_insn *ret)
{
	size_t from = text->len, word;
	const char *mnemonic;
	int used;

	memset(ret, 0, sizeof(*ret));
	d->text = text;
	d->has_target = d->failed = false;
	d->info.buffer = (bfd_byte *)bytes;
	d->info.buffer_vma = addr;
	d->info.buffer_length = n;
	d->info.stop_vma = addr + n;
	d->info.insn_info_valid = 0;
	d->info.insn_type = dis_nonbranch;
	used = d->print(addr, &d->info);
	if (used <= 0 || (size_t)used > n || d->failed || text->err) {
		/* the bytes end within an instruction */
		if (!text->err && text->data) {
			text->len = from;
			text->data[from] = '\0';
		}
		buf_addf(text, ".byte 0x%02x", bytes[0]);
		used = 1;
	}
	text_clean(text, from);
	ret->n_bytes = (uint32_t)used;
	/* objdump's ".byte 0x06", ".inst 0x00000000 ; undefined", ".word 0x..." */
	ret->bad = buf_str(text)[from] == '.' || strstr(buf_str(text) + from, "(bad)") != NULL;
	mnemonic = find_mnemonic(d, buf_str(text) + from, &word);
	ret->mnemonic = (unsigned)(mnemonic - (buf_str(text) + from) + word);
	ret->flow = ret->bad ? PTUI_FLOW_NEXT : insn_flow(d, mnemonic, word);
	ret->has_target = d->has_target && ret->flow != PTUI_FLOW_NEXT &&
			  ret->flow != PTUI_FLOW_RETURN &&
			  /* no address of a pointer; names of C++ have these as well */
			  strcspn(mnemonic + word, "*[") >= strcspn(mnemonic + word, "<");
	ret->target = ret->has_target ? d->target : 0;
}

#else

struct disasm *disasm_new(const struct disasm_target *target, disasm_name_fn name, void *ctx,
			  struct ptui_error *err)
{
	(void)target;
	(void)name;
	(void)ctx;
	ptui_error_set(err, PTUI_ERROR_SYSTEM, ENOTSUP, NULL,
		       _("this ptui was built without a disassembler"));
	ptui_error_hint(err, _("build it with libopcodes (Debian package binutils-dev)"));
	return NULL;
}

void disasm_free(struct disasm *d)
{
	(void)d;
}

void disasm_next(struct disasm *d, uint64_t addr, const uint8_t *bytes, size_t n, struct buf *text,
		 struct disasm_insn *ret)
{
	(void)d;
	(void)addr;
	(void)bytes;
	(void)n;
	(void)text;
	memset(ret, 0, sizeof(*ret));
	ret->n_bytes = 1;
}

#endif
