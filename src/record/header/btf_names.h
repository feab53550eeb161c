/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names of types in BTF, as read from the kernel (struct btf_header, types, strings). */
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

/* Types after a damaged or unknown one have no names. 0 or -ENOMEM. */
int btf_names_init(struct btf_names *names, const void *btf, size_t bytes);
void btf_names_release(struct btf_names *names);
/* NULL: no such type, or its name is missing or not terminated. */
const char *btf_names_find(const struct btf_names *names, uint32_t type_id);

#endif
