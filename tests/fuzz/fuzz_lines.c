/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Any bytes as an ELF file with DWARF: u64 address | the file. Looks up source lines and inlined
 * functions, at this address and where the file says that it has code. No crash, no endless loop.
 */
#include <stdlib.h>
#include <string.h>
#include "base/cursor.h"
#include "symbol/debug_info.h"
#include "symbol/symtab.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define SYMBOLS_MAX 16
#define STEPS	    32 /* of 4 bytes, from the start of each symbol on */

/* Reads a text to its end. */
static void use_text(const char *text)
{
	static volatile size_t bytes;

	if (text)
		bytes = strlen(text);
	(void)bytes;
}

static void look_up(struct debug_info *d, uint64_t addr)
{
	struct debug_inline in[DEBUG_INFO_INLINE_MAX];
	struct debug_line line;
	size_t n;

	if (debug_info_line(d, addr, &line))
		use_text(line.path);
	n = debug_info_inlines(d, addr, in);
	if (n > DEBUG_INFO_INLINE_MAX)
		abort();
	for (size_t i = 0; i < n; i++) {
		if (!in[i].name)
			abort();
		use_text(in[i].name);
		use_text(in[i].call.path);
	}
}

static void look_up_symbols(struct debug_info *d, struct dso_file *f)
{
	struct symtab *t = symtab_from_elf(f, f, NULL);
	size_t n = t ? symtab_n(t) : 0;

	for (size_t i = 0; i < n && i < SYMBOLS_MAX; i++)
		for (unsigned k = 0; k < STEPS; k++)
			look_up(d, symtab_at(t, i)->start + 4 * k);
	symtab_free(t);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct dso_file *f;
	struct debug_info *d;
	uint64_t addr;
	struct cursor c;

	cursor_init(&c, data, size, false);
	addr = cursor_u64(&c);
	f = dso_file_open_image("fuzz", c.p, cursor_left(&c), NULL, 0, NULL);
	if (!f)
		return 0;
	debug_info_is_in(f);
	d = debug_info_new(f, NULL);
	if (d) {
		look_up(d, addr);
		look_up(d, 0);
		look_up(d, UINT64_MAX);
		look_up_symbols(d, f);
	}
	debug_info_free(d);
	dso_file_unref(f);
	return 0;
}
