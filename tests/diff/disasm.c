/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Compares our disassembly of the functions of a file with objdump's:
 *
 *   objdump -d -z -w FILE | disasm [-v] FILE
 *
 * Prints "NAME COUNT" lines: functions, instructions, and of these
 *
 *   missing  objdump has no instruction at that address
 *   length   the instruction has another length
 *   text     the text differs, after this normalisation: names in <> are left out, as objdump chooses among aliases
 *            by other rules and names the nearest symbol where nothing is; spaces at the end are
 *   cut      our function ends within an instruction
 *   bad      bytes that are no instruction for us; objdump-bad: for objdump
 *
 * With -v the first instructions that differ are printed as well.
 */
#include <elf.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "annotate/disasm.h"
#include "base/vec.h"
#include "symbol/symtab.h"

#define SHOWN 20

struct insn {
	uint64_t addr;
	unsigned n_bytes;
	char *text;
};

static struct insn *theirs;
static size_t n_theirs, cap_theirs;
static uint64_t functions, instructions, missing, lengths, texts, cut, bad, their_bad;
static bool verbose;

static void fail(const char *what)
{
	fprintf(stderr, "disasm: %s\n", what);
	exit(2);
}

/* Leaves out what is in <>, and spaces at the end. */
static void normalise(char *text)
{
	char *to = text;
	unsigned depth = 0;

	for (const char *p = text; *p; p++) {
		if (*p == '<')
			depth++;
		if (!depth)
			*to++ = *p;
		if (*p == '>' && depth)
			depth--;
	}
	while (to > text && (to[-1] == ' ' || to[-1] == '\n'))
		to--;
	*to = '\0';
}

/* "    1270:\t85 ff                \ttest   %edi,%edi" */
static void read_objdump(void)
{
	char *line = NULL;
	size_t cap = 0;

	while (getline(&line, &cap, stdin) > 0) {
		char *end, *bytes, *text;
		uint64_t addr = strtoull(line, &end, 16);
		struct insn *insn;

		if (end == line || *end != ':' || end[1] != '\t')
			continue;
		bytes = end + 2;
		text = strchr(bytes, '\t');
		if (!text)
			continue;
		if (vec_grow(&theirs, &cap_theirs, n_theirs + 1))
			fail("out of memory");
		insn = &theirs[n_theirs++];
		*insn = (struct insn){ .addr = addr, .text = strdup(text + 1) };
		for (const char *p = bytes; p < text; p++)
			insn->n_bytes += *p != ' ' && (p + 1 == text || p[1] == ' ');
		if (strstr(text, "(bad)"))
			their_bad += insn->n_bytes;
		normalise(insn->text);
	}
	free(line);
}

static int by_addr(const void *va, const void *vb)
{
	const struct insn *a = va, *b = vb;

	return a->addr < b->addr ? -1 : a->addr > b->addr;
}

static void no_name(void *ctx, uint64_t addr, struct buf *out)
{
	(void)ctx;
	(void)addr;
	(void)out;
}

static void differs(uint64_t *count, const char *how, uint64_t addr, const char *ours,
		    const char *other)
{
	if (++*count <= SHOWN && verbose)
		printf("# %s %" PRIx64 ": %s | %s\n", how, addr, ours, other);
}

static void compare(const struct insn *ours)
{
	size_t n = bisect(i, n_theirs, theirs[i].addr < ours->addr);

	if (n == n_theirs || theirs[n].addr != ours->addr)
		differs(&missing, "missing", ours->addr, ours->text, "");
	else if (theirs[n].n_bytes != ours->n_bytes)
		differs(&lengths, "length", ours->addr, ours->text, theirs[n].text);
	else if (strcmp(theirs[n].text, ours->text))
		differs(&texts, "text", ours->addr, ours->text, theirs[n].text);
}

static void compare_function(struct disasm *d, uint64_t addr, const uint8_t *bytes, size_t n)
{
	struct buf text = BUF_INIT;

	functions++;
	for (size_t at = 0; at < n;) {
		struct disasm_insn insn;
		struct insn ours;

		buf_clear(&text);
		disasm_next(d, addr + at, bytes + at, n - at, &text, &insn);
		if (text.err)
			fail("out of memory");
		ours = (struct insn){ addr + at, insn.n_bytes, text.data };
		at += insn.n_bytes;
		instructions++;
		if (insn.bad && ours.text[0] == '.') {
			cut++;
			break;
		}
		if (insn.bad)
			bad += insn.n_bytes;
		normalise(ours.text);
		compare(&ours);
	}
	buf_release(&text);
}

static void compare_all(struct dso_file *f, struct disasm *d, const struct symtab *t)
{
	uint64_t end = 0;

	for (size_t i = 0; i < symtab_n(t); i++) {
		const struct symtab_entry *e = symtab_at(t, i);
		uint64_t to = dso_file_section_end(f, e->start), addr;
		Elf_Data *data;

		to = to < e->end ? to : e->end;
		if (e->type != STT_FUNC || e->plt || e->start < end || e->end <= e->start ||
		    !dso_file_off_to_rva(f, e->start, &addr))
			continue;
		data = elf_getdata_rawchunk(dso_file_elf(f), (int64_t)e->start, to - e->start,
					    ELF_T_BYTE);
		if (!data || data->d_size != to - e->start)
			continue;
		compare_function(d, addr, data->d_buf, data->d_size);
		end = to;
	}
}

int main(int argc, char **argv)
{
	struct disasm_target target = { 0 };
	struct ptui_error err = PTUI_ERROR_INIT;
	struct dso_file *f;
	struct symtab *t;
	struct disasm *d;
	GElf_Ehdr ehdr;

	verbose = argc > 2 && !strcmp(argv[1], "-v");
	if (argc != 2 + verbose)
		fail("usage: disasm [-v] FILE");
	f = dso_file_open(argv[argc - 1], NULL, 0, &err);
	t = f ? symtab_from_elf(f, f, &err) : NULL;
	if (!t || !gelf_getehdr(dso_file_elf(f), &ehdr))
		fail(err.text);
	target.machine = ehdr.e_machine;
	target.is_64 = ehdr.e_ident[EI_CLASS] == ELFCLASS64;
	target.big_endian = ehdr.e_ident[EI_DATA] == ELFDATA2MSB;
	d = disasm_new(&target, no_name, NULL, &err);
	if (!d)
		fail(err.text);
	read_objdump();
	if (n_theirs)
		qsort(theirs, n_theirs, sizeof(*theirs), by_addr);
	disasm_lock();
	compare_all(f, d, t);
	disasm_unlock();
	printf("functions %" PRIu64 "\ninstructions %" PRIu64 "\nmissing %" PRIu64
	       "\nlength %" PRIu64 "\ntext %" PRIu64 "\ncut %" PRIu64 "\nbad %" PRIu64
	       "\nobjdump-bad %" PRIu64 "\n",
	       functions, instructions, missing, lengths, texts, cut, bad, their_bad);
	for (size_t i = 0; i < n_theirs; i++)
		free(theirs[i].text);
	free(theirs);
	disasm_free(d);
	symtab_free(t);
	dso_file_unref(f);
	return 0;
}
