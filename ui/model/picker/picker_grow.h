/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Growth of the picker's arrays. */
#ifndef MODEL_PICKER_PICKER_GROW_H
#define MODEL_PICKER_PICKER_GROW_H

#include <errno.h>
#include <stdlib.h>

/* Makes room for more than `n`; `v_ptr` is the address of the array's pointer. 0 or -ENOMEM. */
static inline int picker_grow(void *v_ptr, size_t n, size_t *cap, size_t bytes)
{
	void **v = v_ptr, *grown;
	size_t wanted = *cap ? *cap * 2 : 64;

	if (n < *cap)
		return 0;
	grown = reallocarray(*v, wanted, bytes);
	if (!grown)
		return -ENOMEM;
	*v = grown;
	*cap = wanted;
	return 0;
}

#endif
