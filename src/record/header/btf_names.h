/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names of types in BTF, as the kernel returns it (struct btf_header, then types and strings). */
#ifndef RECORD_HEADER_BTF_NAMES_H
#define RECORD_HEADER_BTF_NAMES_H

#include <stddef.h>
#include <stdint.h>

struct btf_names {
	const char *strings; /* borrowed */
	size_t strings_bytes;
	uint32_t *name_off; /* by type id - 1 */
	size_t n, cap;
};

/* Types after a damaged one, or one of an unknown kind, have no names. 0 or -ENOMEM. */
int btf_names_init(struct btf_names *names, const void *btf, size_t bytes);
void btf_names_release(struct btf_names *names);
/* NULL: no such type, or it has no name that ends within the strings. */
const char *btf_names_find(const struct btf_names *names, uint32_t type_id);

#endif
