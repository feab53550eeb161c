/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Arrays that grow: pointer, count and capacity stand in the owner's struct. */
#ifndef BASE_VEC_H
#define BASE_VEC_H

#include <stddef.h>

/*
 * Makes room for `need` elements of `elem_bytes` in *items (capacity *cap elements), at
 * least doubling. 0, or -ENOMEM / -EOVERFLOW with everything as it was.
 */
int vec_reserve(void *items_ptr, size_t *cap, size_t need, size_t elem_bytes);

/* The usual call: vec_grow(&t->v, &t->cap, t->n + 1) */
#define vec_grow(items_ptr, cap_ptr, need) \
	vec_reserve((items_ptr), (cap_ptr), (need), sizeof(**(items_ptr)))

/* Gives back room when the capacity is more than twice what is needed. Never fails. */
void vec_shrink(void *items_ptr, size_t *cap, size_t n, size_t elem_bytes);
#define vec_fit(items_ptr, cap_ptr, n) \
	vec_shrink((items_ptr), (cap_ptr), (n), sizeof(**(items_ptr)))

#endif
