/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef BASE_PREFETCH_H
#define BASE_PREFETCH_H

/*
 * Loads a cache line that is needed soon. For functions that do nothing else: gcc 12 takes one in which only
 * __builtin_prefetch() is called for one without effect, and removes its calls.
 */
static inline void prefetch_line(const void *at)
{
	__builtin_prefetch(at);
	__asm__ volatile("");
}

#endif
