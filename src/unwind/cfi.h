/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reading the entries of a section of call frame information. */
#ifndef UNWIND_CFI_H
#define UNWIND_CFI_H

#include "base/cursor.h"
#include "unwind/private.h"

struct cfi_cie {
	uint32_t off;
	uint64_t code_align;
	int64_t data_align;
	uint32_t ra_column;
	uint8_t fde_encoding;
	bool has_z;
	bool signal_frame;
	struct cursor program; /* p NULL: nothing was read */
};

struct cfi_fde {
	uint64_t start, end;
	uint32_t next; /* offset of the next entry; 0: the section ends here or is damaged */
	struct cursor program;
};

/*
 * The FDE at `off` and its CIE; `cie` may hold the one of another FDE (else all 0), which is then not read
 * again. false: a CIE, a terminator, or damaged; ret->next is set if there may be entries after it.
 */
bool cfi_fde_read(const struct unwind_table *t, const struct cfi_section *s, uint32_t off,
		  struct cfi_cie *cie, struct cfi_fde *ret);
/*
 * An encoded pointer (DW_EH_PE_*); `data_base` is what DW_EH_PE_datarel is relative to. false: damaged, or
 * only a running process knows its value.
 */
bool cfi_pointer(const struct unwind_table *t, const struct cfi_section *s, struct cursor *c,
		 uint8_t encoding, uint64_t data_base, uint64_t *ret);

#endif
