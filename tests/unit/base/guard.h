/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Memory that ends at an inaccessible page, so that reading past its end faults. */
#ifndef TESTS_UNIT_BASE_GUARD_H
#define TESTS_UNIT_BASE_GUARD_H

#include <sys/mman.h>
#include <unistd.h>

/* The end of a page of zeros; the next page is inaccessible. Never freed. */
static inline char *guard_end(void)
{
	size_t page_bytes = (size_t)sysconf(_SC_PAGESIZE);
	char *at = mmap(NULL, 2 * page_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
			-1, 0);

	if (at == MAP_FAILED || mprotect(at + page_bytes, page_bytes, PROT_NONE))
		return NULL;
	return at + page_bytes;
}

#endif
