/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finding the functions in which stacks start, without their names:
 *
 *   _start                  e_entry of a program or of the dynamic loader. .eh_frame has its range; in
 *                           the loader, which has no entry for it, the gap between two functions.
 *   clone, clone3           in the child the caller is undefined, as .eh_frame shows.
 *   __libc_start_main       in libc's .dynsym; in a static program, called by _start.
 *   __libc_start_call_main  called by __libc_start_main (or the function in front of it); in it an
 *                           indirect call, of main, is followed by exit(result).
 *   start_thread            its address is the first or second argument of a call of clone, of
 *                           clone3, or of the small function around them (__clone_internal).
 *
 * The last two need machine code, of x86-64 only. Other architectures have the function in front of
 * __libc_start_main, and names.
 */
#include "dso/starts.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "base/vec.h"

#define ENTRY_BYTES    64 /* assumed size of a _start that is not described */
#define ENTRY_GAP_MAX  4096
#define WRAPPER_BYTES  512 /* of __clone_internal, at most */
#define ARGUMENT_BYTES 128 /* before a call, where its arguments are set */
#define NEAR_BYTES     64  /* between two functions, or two parts of one */

struct function {
	uint64_t start, end; /* virtual addresses */
	bool outermost;	     /* its caller is undefined from the first instruction on */
};

struct code {
	struct dso_file *f;
	GElf_Ehdr ehdr;
	struct function *v; /* by address */
	size_t n, cap;
	const uint8_t *text;
	uint64_t text_addr, text_bytes;
	struct dso_range *out;
	size_t n_out, cap_out;
	uint64_t libc_start_main, exit; /* 0: not known */
};

/* ---- functions in .eh_frame ---- */

/* Encoding of the pointers of an FDE, by its CIE: 'R' of "zPLR". */
static uint8_t pointer_encoding(const Dwarf_CIE *cie, bool is64)
{
	const uint8_t sizes[8] = { [DW_EH_PE_absptr] = is64 ? 8 : 4,
				   [DW_EH_PE_udata2] = 2,
				   [DW_EH_PE_udata4] = 4,
				   [DW_EH_PE_udata8] = 8 };
	const uint8_t *at = cie->augmentation_data;
	const uint8_t *end = at ? at + cie->augmentation_data_size : NULL;
	const char *a = cie->augmentation;

	if (*a != 'z')
		return DW_EH_PE_absptr;
	for (a++; *a && at < end; a++) {
		if (*a == 'R')
			return *at;
		if (*a == 'P')
			at += 1 + sizes[*at & 7];
		else if (*a == 'L')
			at++;
	}
	return DW_EH_PE_absptr;
}

static bool read_int(const struct code *c, const uint8_t **at, const uint8_t *end, uint8_t format,
		     uint64_t *ret)
{
	bool is64 = c->ehdr.e_ident[EI_CLASS] == ELFCLASS64;
	bool swap = (c->ehdr.e_ident[EI_DATA] == ELFDATA2MSB) !=
		    (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);
	uint64_t u64 = 0;
	uint32_t u32 = 0;
	uint16_t u16 = 0;
	int bytes = (format & 7) == DW_EH_PE_udata2				? 2 :
		    (format & 7) == DW_EH_PE_udata4 || (!(format & 7) && !is64) ? 4 :
										  8;

	if ((format & 7) == DW_EH_PE_uleb128 || end - *at < bytes)
		return false;
	memcpy(&u64, *at, bytes == 8 ? 8 : 0);
	memcpy(&u32, *at, bytes == 4 ? 4 : 0);
	memcpy(&u16, *at, bytes == 2 ? 2 : 0);
	if (swap) {
		u64 = __builtin_bswap64(u64);
		u32 = __builtin_bswap32(u32);
		u16 = __builtin_bswap16(u16);
	}
	if (bytes == 8)
		*ret = u64;
	else if (bytes == 4)
		*ret = format & DW_EH_PE_signed ? (uint64_t)(int64_t)(int32_t)u32 : u32;
	else
		*ret = format & DW_EH_PE_signed ? (uint64_t)(int64_t)(int16_t)u16 : u16;
	*at += bytes;
	return true;
}

/* Whether the first CFI instruction after nops makes the return address undefined. */
static bool caller_is_undefined(const Dwarf_FDE *fde, const Dwarf_CIE *cie, const uint8_t *at)
{
	if (cie->augmentation[0] == 'z') { /* one byte: size of the augmentation */
		if (at >= fde->end || *at > 127)
			return false;
		at += 1 + *at;
	}
	while (at < fde->end && *at == DW_CFA_nop)
		at++;
	return fde->end - at >= 2 && at[0] == DW_CFA_undefined &&
	       at[1] == cie->return_address_register;
}

static int add_fde(struct code *c, const Dwarf_FDE *fde, const Dwarf_CIE *cie, uint64_t section,
		   const uint8_t *bytes)
{
	bool is64 = c->ehdr.e_ident[EI_CLASS] == ELFCLASS64;
	uint8_t encoding = pointer_encoding(cie, is64);
	const uint8_t *at = fde->start;
	struct function fn = { 0 };
	uint64_t len;

	if ((encoding & 0x70) != DW_EH_PE_absptr && (encoding & 0x70) != DW_EH_PE_pcrel)
		return 0;
	if (!read_int(c, &at, fde->end, encoding, &fn.start) ||
	    !read_int(c, &at, fde->end, encoding & 7, &len) || !len)
		return 0;
	if ((encoding & 0x70) == DW_EH_PE_pcrel)
		fn.start += section + (uint64_t)(fde->start - bytes);
	fn.end = fn.start + len < fn.start ? UINT64_MAX : fn.start + len;
	fn.outermost = caller_is_undefined(fde, cie, at);
	if (vec_grow(&c->v, &c->cap, c->n + 1))
		return -ENOMEM;
	c->v[c->n++] = fn;
	return 0;
}

static int function_order(const void *va, const void *vb)
{
	const struct function *a = va, *b = vb;

	if (a->start != b->start)
		return a->start < b->start ? -1 : 1;
	return a->end < b->end ? -1 : a->end > b->end;
}

static int read_functions(struct code *c)
{
	Dwarf_Off off = 0, next, cie_off = (Dwarf_Off)-1;
	Dwarf_CFI_Entry entry, cie = { 0 };
	Elf_Data *data;
	GElf_Shdr shdr;
	Elf_Scn *scn = dso_file_section(c->f, 0, ".eh_frame", &shdr);
	int ret = 0;

	/* empty in a file of debug information */
	data = scn && shdr.sh_type != SHT_NOBITS ? elf_rawdata(scn, NULL) : NULL;
	if (!data || !data->d_buf)
		return 0;
	while (!ret && dwarf_next_cfi(c->ehdr.e_ident, data, true, off, &next, &entry) == 0) {
		off = next;
		if (dwarf_cfi_cie_p(&entry))
			continue;
		if (entry.fde.CIE_pointer != cie_off) {
			Dwarf_Off after;

			cie_off = entry.fde.CIE_pointer;
			if (dwarf_next_cfi(c->ehdr.e_ident, data, true, cie_off, &after, &cie) ||
			    !dwarf_cfi_cie_p(&cie)) {
				cie_off = (Dwarf_Off)-1;
				continue;
			}
		}
		ret = add_fde(c, &entry.fde, &cie.cie, shdr.sh_addr, data->d_buf);
	}
	if (c->n)
		qsort(c->v, c->n, sizeof(*c->v), function_order);
	return ret;
}

/* Index of the first function that starts after `addr`. */
static size_t next_function(const struct code *c, uint64_t addr)
{
	return bisect(i, c->n, c->v[i].start <= addr);
}

static const struct function *function_with(const struct code *c, uint64_t addr)
{
	size_t i = next_function(c, addr);

	return i && addr < c->v[i - 1].end ? &c->v[i - 1] : NULL;
}

static const struct function *function_at(const struct code *c, uint64_t addr)
{
	const struct function *fn = function_with(c, addr);

	return fn && fn->start == addr ? fn : NULL;
}

/* ---- ELF headers and symbols ---- */

static int add_range(struct code *c, uint64_t start, uint64_t end)
{
	uint64_t off;

	if (!dso_file_rva_to_off(c->f, start, &off))
		return 0;
	for (size_t i = 0; i < c->n_out; i++)
		if (c->out[i].start == off && c->out[i].end == off + (end - start))
			return 0;
	if (vec_grow(&c->out, &c->cap_out, c->n_out + 1))
		return -ENOMEM;
	c->out[c->n_out++] = (struct dso_range){ off, off + (end - start) };
	return 0;
}

/* The loader has no interpreter but an entry point; its soname distinguishes it. */
static bool is_loader(const char *soname)
{
	return soname && (!strncmp(soname, "ld-", 3) || !strncmp(soname, "ld.", 3) ||
			  !strncmp(soname, "ld64.", 5));
}

struct linkage {
	bool interpreter, is_static, loader;
};

static void read_linkage(const struct code *c, struct linkage *ret)
{
	Elf *elf = dso_file_elf(c->f);
	Elf_Scn *scn;
	GElf_Shdr shdr;
	Elf_Data *data;
	size_t n = 0;
	bool pie = false, needs = false;

	memset(ret, 0, sizeof(*ret));
	if (elf_getphdrnum(elf, &n))
		n = 0;
	for (size_t i = 0; i < n && i <= INT32_MAX; i++) {
		GElf_Phdr phdr;

		if (gelf_getphdr(elf, (int)i, &phdr) && phdr.p_type == PT_INTERP)
			ret->interpreter = true;
	}
	scn = dso_file_section(c->f, SHT_DYNAMIC, NULL, &shdr);
	data = scn ? elf_getdata(scn, NULL) : NULL;
	n = data && shdr.sh_entsize ? data->d_size / shdr.sh_entsize : 0;
	for (size_t i = 0; i < n && i <= INT32_MAX; i++) {
		GElf_Dyn dyn;

		if (!gelf_getdyn(data, (int)i, &dyn))
			break;
		if (dyn.d_tag == DT_FLAGS_1)
			pie = dyn.d_un.d_val & DF_1_PIE;
		else if (dyn.d_tag == DT_NEEDED)
			needs = true;
		else if (dyn.d_tag == DT_SONAME)
			ret->loader = is_loader(elf_strptr(elf, shdr.sh_link, dyn.d_un.d_val));
	}
	ret->is_static = !ret->interpreter && !needs && (c->ehdr.e_type == ET_EXEC || pie);
}

/* Most names are none of those looked for: a C++ library has 100000 that begin with "_Z". */
static bool may_be_start(const char *name)
{
	return name[0] == 'e' || name[0] == 'c' || (name[0] == '_' && name[1] == '_');
}

/* Finds libc's start functions in .dynsym. */
static int read_exported(struct code *c)
{
	GElf_Shdr shdr;
	Elf_Scn *scn = dso_file_section(c->f, SHT_DYNSYM, NULL, &shdr);
	Elf_Data *data = scn ? elf_getdata(scn, NULL) : NULL;
	size_t n = data && shdr.sh_entsize ? data->d_size / shdr.sh_entsize : 0;
	int ret = 0;

	for (size_t i = 0; i < n && i <= INT32_MAX && !ret; i++) {
		const char *name;
		GElf_Sym sym;

		if (!gelf_getsym(data, (int)i, &sym) || sym.st_shndx == SHN_UNDEF)
			continue;
		name = elf_strptr(dso_file_elf(c->f), shdr.sh_link, sym.st_name);
		if (!name || !may_be_start(name))
			continue;
		if (!strcmp(name, "exit"))
			c->exit = sym.st_value;
		else if (!strcmp(name, "__libc_start_main"))
			c->libc_start_main = sym.st_value;
		if (!strncmp(name, "__libc_start_", 13) || !strcmp(name, "clone") ||
		    !strcmp(name, "__clone"))
			ret = add_range(c, sym.st_value, sym.st_value + sym.st_size);
	}
	return ret;
}

/*
 * Looks up the entry point in the table of .eh_frame_hdr, without reading all of a large .eh_frame.
 * The result is a row of the function's CFI table; _start has only one row.
 */
static bool entry_by_table(const struct code *c, uint64_t *ret_start, uint64_t *ret_end)
{
	Dwarf_CFI *cfi = dwarf_getcfi_elf(dso_file_elf(c->f));
	Dwarf_Frame *frame = NULL;
	Dwarf_Addr start = 0, end = 0;
	bool found = cfi && dwarf_cfi_addrframe(cfi, c->ehdr.e_entry, &frame) == 0 &&
		     dwarf_frame_info(frame, &start, &end, NULL) >= 0 && end > start;

	free(frame);
	if (cfi)
		dwarf_cfi_end(cfi);
	*ret_start = start;
	*ret_end = end;
	return found;
}

static int add_entry(struct code *c)
{
	uint64_t at = c->ehdr.e_entry;
	const struct function *fn = function_with(c, at);
	size_t next = next_function(c, at);

	if (!at)
		return 0;
	if (fn)
		return add_range(c, fn->start, fn->end);
	if (next < c->n && c->v[next].start - at <= ENTRY_GAP_MAX)
		return add_range(c, at, c->v[next].start);
	return add_range(c, at, at + ENTRY_BYTES);
}

/* ---- machine code of x86-64 ---- */

static bool read_text(struct code *c)
{
	GElf_Shdr shdr;
	Elf_Scn *scn = dso_file_section(c->f, SHT_PROGBITS, ".text", &shdr);
	Elf_Data *data = scn ? elf_rawdata(scn, NULL) : NULL;

	if (c->ehdr.e_machine != EM_X86_64 || !data || !data->d_buf)
		return false;
	c->text = data->d_buf;
	c->text_addr = shdr.sh_addr;
	c->text_bytes = data->d_size;
	return true;
}

/* The part of a range within .text, as offsets in it. */
static void text_span(const struct code *c, uint64_t start, uint64_t end, uint64_t *ret_from,
		      uint64_t *ret_to)
{
	*ret_from = start > c->text_addr ? start - c->text_addr : 0;
	*ret_to = end > c->text_addr ? end - c->text_addr : 0;
	if (*ret_to > c->text_bytes)
		*ret_to = c->text_bytes;
}

static uint64_t branch_target(const struct code *c, uint64_t off)
{
	int32_t by;

	memcpy(&by, c->text + off, sizeof(by));
	return c->text_addr + off + sizeof(by) + (uint64_t)(int64_t)by;
}

/*
 * The next `call` or `jmp` with a 32-bit displacement from `from` on; UINT64_MAX: none. Bytes of
 * another instruction may look like one: callers check the target.
 */
static uint64_t next_call(const struct code *c, uint64_t from, uint64_t to, uint64_t *ret_target)
{
	for (uint64_t off = from; off + 5 <= to; off++) {
		if ((c->text[off] & 0xfe) != 0xe8)
			continue;
		*ret_target = branch_target(c, off + 1);
		return off;
	}
	return UINT64_MAX;
}

static bool ends_with_indirect_call(const struct code *c, uint64_t off)
{
	/* call *%reg; *(%reg); *8(%rsp) and *8(%reg); *0x100(%reg) */
	static const uint8_t lengths[] = { 2, 3, 4, 6, 7 };

	for (size_t i = 0; i < sizeof(lengths); i++) {
		const uint8_t *at = c->text + off - lengths[i];

		if (off >= lengths[i] && at[0] == 0xff && (at[1] & 0x38) == 0x10)
			return true;
	}
	return false;
}

/* call *main; mov %eax,%edi; call exit */
static bool calls_main(const struct code *c, const struct function *fn)
{
	uint64_t from, to;

	text_span(c, fn->start, fn->end, &from, &to);
	for (uint64_t off = from; off + 7 <= to; off++) {
		if (c->text[off] == 0x89 && c->text[off + 1] == 0xc7 && c->text[off + 2] == 0xe8 &&
		    ends_with_indirect_call(c, off) &&
		    (!c->exit || branch_target(c, off + 3) == c->exit))
			return true;
	}
	return false;
}

/* ---- the caller of main ---- */

static int add_caller_of_main(struct code *c)
{
	const struct function *start_main = function_at(c, c->libc_start_main), *fn;
	uint64_t off, to, target;
	int ret;

	if (!start_main)
		return 0;
	ret = add_range(c, start_main->start, start_main->end);
	fn = start_main > c->v ? start_main - 1 : NULL;
	if (!ret && fn && start_main->start - fn->end <= NEAR_BYTES &&
	    (!c->text || calls_main(c, fn)))
		ret = add_range(c, fn->start, fn->end);
	if (ret || !c->text)
		return ret;
	text_span(c, start_main->start, start_main->end, &off, &to);
	for (; !ret && (off = next_call(c, off, to, &target)) != UINT64_MAX; off++) {
		fn = function_at(c, target);
		if (fn && calls_main(c, fn))
			ret = add_range(c, fn->start, fn->end);
	}
	return ret;
}

/* The function that _start calls, in a static program. */
static uint64_t called_by_entry(const struct code *c)
{
	const struct function *entry = function_with(c, c->ehdr.e_entry);
	uint64_t off, to, target;

	if (!entry || !c->text)
		return 0;
	text_span(c, entry->start, entry->end, &off, &to);
	for (; (off = next_call(c, off, to, &target)) != UINT64_MAX; off++)
		if (function_at(c, target))
			return target;
	return 0;
}

/* ---- start functions of threads ---- */

struct cloners {
	uint64_t v[8]; /* starts of clone, clone3 and their wrappers */
	size_t n;
};

static bool cloners_have(const struct cloners *k, uint64_t addr)
{
	for (size_t i = 0; i < k->n; i++)
		if (k->v[i] == addr)
			return true;
	return false;
}

static void cloners_add(struct cloners *k, uint64_t addr)
{
	if (k->n < sizeof(k->v) / sizeof(k->v[0]) && !cloners_have(k, addr))
		k->v[k->n++] = addr;
}

/* The child's part of clone() has its own entry in .eh_frame, after the system call. */
static int add_outermost(struct code *c, struct cloners *k)
{
	int ret = 0;

	for (size_t i = 0; i < c->n && !ret; i++) {
		if (!c->v[i].outermost)
			continue;
		ret = add_range(c, c->v[i].start, c->v[i].end);
		if (i && c->v[i].start - c->v[i - 1].end <= NEAR_BYTES)
			cloners_add(k, c->v[i - 1].start);
	}
	return ret;
}

/* Adds the function of the nearest "lea function(%rip), %rdi" (or %rsi) before the call. */
static int add_argument(struct code *c, uint64_t call)
{
	uint64_t first = call > ARGUMENT_BYTES ? call - ARGUMENT_BYTES : 0;

	for (uint64_t off = call < 7 ? 0 : call - 6; off-- > first;) {
		const struct function *fn;

		if (c->text[off] != 0x48 || c->text[off + 1] != 0x8d ||
		    (c->text[off + 2] != 0x35 && c->text[off + 2] != 0x3d))
			continue;
		fn = function_at(c, branch_target(c, off + 3));
		if (fn)
			return add_range(c, fn->start, fn->end);
	}
	return 0;
}

static int add_threads(struct code *c, struct cloners *k)
{
	size_t n_bare = k->n;
	uint64_t off, target;
	int ret = 0;

	if (!c->text || !k->n)
		return 0;
	for (off = 0; (off = next_call(c, off, c->text_bytes, &target)) != UINT64_MAX; off++) {
		const struct function *fn;
		bool known = false;

		for (size_t i = 0; i < n_bare; i++)
			known |= k->v[i] == target;
		fn = known ? function_with(c, c->text_addr + off) : NULL;
		if (fn && fn->end - fn->start <= WRAPPER_BYTES)
			cloners_add(k, fn->start);
	}
	for (off = 0; !ret && (off = next_call(c, off, c->text_bytes, &target)) != UINT64_MAX;
	     off++)
		if (cloners_have(k, target))
			ret = add_argument(c, off);
	return ret;
}

/* ---- put together ---- */

static int find_starts(struct code *c)
{
	struct cloners cloners = { .n = 0 };
	struct linkage linkage;
	uint64_t start, end;
	int ret;

	read_linkage(c, &linkage);
	ret = read_exported(c);
	if (!ret && !c->libc_start_main && !linkage.interpreter && !linkage.is_static &&
	    !linkage.loader)
		return 0; /* an ordinary library */
	if (!ret && linkage.interpreter && !c->libc_start_main && entry_by_table(c, &start, &end))
		return add_range(c, start, end);
	if (!ret)
		ret = read_functions(c);
	if (!ret && (linkage.interpreter || linkage.is_static || linkage.loader))
		ret = add_entry(c);
	if (ret || (!linkage.is_static && !c->libc_start_main))
		return ret;
	read_text(c);
	if (!c->libc_start_main)
		c->libc_start_main = called_by_entry(c);
	ret = add_caller_of_main(c);
	if (!ret)
		ret = add_outermost(c, &cloners);
	return ret ? ret : add_threads(c, &cloners);
}

/* False: the header cannot be read. */
static bool code_init(struct code *c, struct dso_file *f)
{
	*c = (struct code){ .f = f };
	return gelf_getehdr(dso_file_elf(f), &c->ehdr);
}

/* Number i; false: it is not in one segment of the file. A function ends where the next one starts. */
static bool function_range(const struct code *c, size_t i, struct dso_range *ret)
{
	uint64_t start = c->v[i].start, end = c->v[i].end, last;

	if (i + 1 < c->n && c->v[i + 1].start < end)
		end = c->v[i + 1].start;
	if (end <= start || !dso_file_rva_to_off(c->f, start, &ret->start))
		return false;
	ret->end = ret->start + (end - start);
	return dso_file_off_to_rva(c->f, ret->end - 1, &last) && last == end - 1;
}

int dso_functions(struct dso_file *f, struct dso_range **ret, size_t *ret_n)
{
	struct code c;
	int err;

	*ret = NULL;
	*ret_n = 0;
	if (!code_init(&c, f))
		return -ENOTSUP;
	err = read_functions(&c);
	if (!err && c.n)
		*ret = malloc(c.n * sizeof(**ret));
	if (c.n && !*ret)
		err = -ENOMEM;
	for (size_t i = 0; i < c.n && !err; i++)
		*ret_n += function_range(&c, i, &(*ret)[*ret_n]);
	free(c.v);
	return err;
}

int dso_starts(struct dso_file *f, struct dso_range **ret, size_t *ret_n)
{
	struct code c;
	int err;

	if (!code_init(&c, f))
		return -ENOTSUP;
	err = find_starts(&c);
	free(c.v);
	if (err) {
		free(c.out);
		return err;
	}
	*ret = c.out;
	*ret_n = c.n_out;
	return 0;
}

bool dso_starts_has(const struct dso_range *ranges, size_t n, uint64_t off)
{
	for (size_t i = 0; i < n; i++)
		if (off >= ranges[i].start && off < ranges[i].end)
			return true;
	return false;
}
