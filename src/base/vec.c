/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Growing arrays. */
#include <errno.h>
#include <malloc.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include "base/vec.h"

#define VEC_MIN	   8
#define HUGE_PAGE  ((uintptr_t)2 << 20)
#define HUGE_BYTES ((size_t)4 << 20)

void memory_setup(void)
{
#ifdef M_ARENA_MAX /* glibc */
	mallopt(M_ARENA_MAX, 1);
	mallopt(M_MMAP_THRESHOLD, 32 << 20);
	mallopt(M_TRIM_THRESHOLD, 64 << 20);
#endif
}

void memory_trim(void)
{
#ifdef M_ARENA_MAX
	malloc_trim(0);
#endif
}

void memory_at_random(void *p, size_t bytes)
{
	uintptr_t first = ((uintptr_t)p + HUGE_PAGE - 1) & ~(HUGE_PAGE - 1);
	uintptr_t end = ((uintptr_t)p + bytes) & ~(HUGE_PAGE - 1);

	if (bytes >= HUGE_BYTES && first < end)
		(void)madvise((void *)first, end - first, MADV_HUGEPAGE);
}

void memory_next(void *p, size_t bytes)
{
#ifdef MADV_POPULATE_WRITE /* Linux 5.14 */
	uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
	uintptr_t first = (uintptr_t)p & ~(page - 1), end = ((uintptr_t)p + bytes) & ~(page - 1);

	if (first < end)
		(void)madvise((void *)first, end - first, MADV_POPULATE_WRITE);
#else
	(void)p;
	(void)bytes;
#endif
}

int vec_reserve(void *items_ptr, size_t *cap, size_t need, size_t elem_bytes)
{
	size_t max = PTRDIFF_MAX / elem_bytes;
	size_t new_cap;
	void *items;

	if (need <= *cap)
		return 0;
	if (need > max)
		return -EOVERFLOW;
	new_cap = *cap <= max / 2 ? *cap * 2 : max;
	if (new_cap < VEC_MIN && VEC_MIN <= max)
		new_cap = VEC_MIN;
	if (new_cap < need)
		new_cap = need;
	/* memcpy(): the owner's pointer has another type than void * */
	memcpy(&items, items_ptr, sizeof(items));
	items = realloc(items, new_cap * elem_bytes);
	if (!items)
		return -ENOMEM;
	memcpy(items_ptr, &items, sizeof(items));
	*cap = new_cap;
	return 0;
}

void vec_shrink(void *items_ptr, size_t *cap, size_t n, size_t elem_bytes)
{
	size_t fits = n < VEC_MIN ? VEC_MIN : n;
	void *items;

	if (*cap / 2 <= fits)
		return;
	memcpy(&items, items_ptr, sizeof(items));
	items = realloc(items, fits * elem_bytes);
	if (!items)
		return;
	memcpy(items_ptr, &items, sizeof(items));
	*cap = fits;
}
