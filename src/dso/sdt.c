/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The note of a marker (owner "stapsdt", type 3):
 *
 *	pc | base | semaphore | provider \0 name \0 arguments \0	three addresses, three strings
 *
 * Tools that move sections afterwards (prelink) do not update notes: `base` is where the section
 * .stapsdt.base was before, so the difference to where it is now corrects the addresses.
 */
#include <errno.h>
#include <string.h>
#include "dso/dso.h"
#include "dso/sdt.h"

#define NT_STAPSDT 3
#define OWNER	   "stapsdt"

struct reader {
	struct dso_file *file;
	Elf *elf;
	size_t word; /* bytes of an address */
	uint16_t machine;
	GElf_Addr base; /* address of .stapsdt.base; 0: none */
	dso_sdt_fn fn;
	void *ctx;
};

/* The next string of the note; NULL: not terminated within it. */
static const char *next_string(const char **at, const char *end)
{
	const char *string = *at, *nul = memchr(string, 0, (size_t)(end - string));

	if (!nul)
		return NULL;
	*at = nul + 1;
	return string;
}

static uint64_t note_address(const void *bytes, size_t i, size_t word)
{
	uint32_t narrow;
	uint64_t wide;

	if (word == sizeof(wide)) {
		memcpy(&wide, (const char *)bytes + i * word, sizeof(wide));
		return wide;
	}
	memcpy(&narrow, (const char *)bytes + i * word, sizeof(narrow));
	return narrow;
}

static int read_note(struct reader *r, const void *desc, size_t bytes)
{
	struct dso_sdt marker = { .off = UINT64_MAX, .machine = r->machine };
	const char *at = (const char *)desc + 3 * r->word, *end = (const char *)desc + bytes;
	Elf_Data from = { .d_buf = (void *)desc,
			  .d_type = ELF_T_ADDR,
			  .d_size = 3 * r->word,
			  .d_version = EV_CURRENT };
	uint64_t addresses[3];
	Elf_Data to = { .d_buf = addresses,
			.d_type = ELF_T_ADDR,
			.d_size = sizeof(addresses),
			.d_version = EV_CURRENT };
	uint64_t pc, base;

	if (bytes < 3 * r->word ||
	    !gelf_xlatetom(r->elf, &to, &from, elf_getident(r->elf, NULL)[EI_DATA]))
		return 0;
	pc = note_address(addresses, 0, r->word);
	base = note_address(addresses, 1, r->word);
	marker.semaphore_rva = note_address(addresses, 2, r->word);
	marker.provider = next_string(&at, end);
	marker.name = marker.provider ? next_string(&at, end) : NULL;
	marker.arguments = marker.name ? next_string(&at, end) : NULL;
	if (!marker.arguments || !*marker.provider || !*marker.name)
		return 0;
	if (r->base && base) {
		pc += r->base - base;
		if (marker.semaphore_rva)
			marker.semaphore_rva += r->base - base;
	}
	dso_file_rva_to_off(r->file, pc, &marker.off);
	return r->fn(r->ctx, &marker);
}

static int read_notes(struct reader *r, Elf_Data *data)
{
	size_t off = 0, name_off, desc_off;
	GElf_Nhdr note;
	int ret = 0;

	while (!ret && (off = gelf_getnote(data, off, &note, &name_off, &desc_off))) {
		const char *bytes = data->d_buf;

		if (note.n_type == NT_STAPSDT && note.n_namesz == sizeof(OWNER) &&
		    !memcmp(bytes + name_off, OWNER, sizeof(OWNER)))
			ret = read_note(r, bytes + desc_off, note.n_descsz);
	}
	return ret;
}

int dso_sdt_each(const char *path, dso_sdt_fn fn, void *ctx, struct ptui_error *err)
{
	struct reader r = { .file = dso_file_open(path, NULL, 0, err), .fn = fn, .ctx = ctx };
	GElf_Ehdr ehdr;
	GElf_Shdr shdr;
	Elf_Scn *section;
	Elf_Data *data;
	int ret = 0;

	if (!r.file)
		return err && err->domain == PTUI_ERROR_SYSTEM && err->code > 0 ? -err->code :
										  -EINVAL;
	r.elf = dso_file_elf(r.file);
	r.word = gelf_getclass(r.elf) == ELFCLASS32 ? 4 : 8;
	r.machine = gelf_getehdr(r.elf, &ehdr) ? ehdr.e_machine : EM_NONE;
	if (dso_file_section(r.file, 0, ".stapsdt.base", &shdr))
		r.base = shdr.sh_addr;
	section = dso_file_section(r.file, SHT_NOTE, ".note.stapsdt", &shdr);
	data = section ? elf_getdata(section, NULL) : NULL;
	if (data)
		ret = read_notes(&r, data);
	dso_file_unref(r.file);
	return ret;
}
