/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Growing arrays: pointer, count and capacity are in the owner's struct. */
#ifndef BASE_VEC_H
#define BASE_VEC_H

#include <stddef.h>

/*
 * Makes room for `need` elements of `elem_bytes` in *items (capacity *cap), at least doubling it.
 * 0, or -ENOMEM or -EOVERFLOW with everything unchanged.
 */
int vec_reserve(void *items_ptr, size_t *cap, size_t need, size_t elem_bytes);

/* The same, for loops in which there mostly is room. */
static inline int vec_room(void *items_ptr, size_t *cap, size_t need, size_t elem_bytes)
{
	return need <= *cap ? 0 : vec_reserve(items_ptr, cap, need, elem_bytes);
}

/* Usually: vec_grow(&t->v, &t->cap, t->n + 1) */
#define vec_grow(items_ptr, cap_ptr, need) \
	vec_room((items_ptr), (cap_ptr), (need), sizeof(**(items_ptr)))

/*
 * For programs that load a file and print: large arrays that are freed are used again by whichever thread, instead of
 * getting new memory from the kernel, which takes longer than filling it. Before the first thread. Not where another
 * thread must be quick: all threads share one lock then, which is held while arrays grow.
 */
void memory_setup(void);
/* Returns to the kernel what was freed so far, after work that needed far more than what follows. */
void memory_trim(void);
/*
 * Large memory that was just allocated, all of which will be used, at random: the kernel is asked for huge pages, where
 * a lookup costs less. Memory below a few MB, and what is not a whole huge page, stays as it is.
 */
void memory_at_random(void *p, size_t bytes);

/*
 * Memory of a large array that is filled next, in order: the kernel is asked for its pages at once, which takes two
 * thirds of the time of one after the other. Some ten KB each time.
 */
void memory_next(void *p, size_t bytes);

/* Frees memory if the capacity is more than twice `n`. Never fails. */
void vec_shrink(void *items_ptr, size_t *cap, size_t n, size_t elem_bytes);
#define vec_fit(items_ptr, cap_ptr, n) \
	vec_shrink((items_ptr), (cap_ptr), (n), sizeof(**(items_ptr)))

/*
 * Binary search: of how many elements `before` is true, an expression in their index `i`. It is
 * true from the first element up to some element, and false from there on.
 *
 *   n_started = bisect(i, n, v[i].start <= addr);
 */
#define bisect(i, n, before)                                \
	({                                                  \
		size_t i##_from = 0, i##_to = (n);          \
                                                            \
		while (i##_from < i##_to) {                 \
			size_t i = (i##_from + i##_to) / 2; \
                                                            \
			if (before)                         \
				i##_from = i + 1;           \
			else                                \
				i##_to = i;                 \
		}                                           \
		i##_from;                                   \
	})

#endif
