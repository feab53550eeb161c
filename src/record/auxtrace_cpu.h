/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What only the processor itself says of its time stamp counter. */
#ifndef RECORD_AUXTRACE_CPU_H
#define RECORD_AUXTRACE_CPU_H

#include <stdint.h>

#if defined(__x86_64__) || defined(__i386__)
#include <cpuid.h>

static inline uint64_t auxtrace_cpu_tsc(void)
{
	return __builtin_ia32_rdtsc();
}

/* Its ratio to the core crystal clock; zeros if unknown. */
static inline void auxtrace_cpu_tsc_ratio(uint32_t *ret_n, uint32_t *ret_d)
{
	unsigned eax = 0, ebx = 0, ecx = 0, edx = 0;

	__get_cpuid(0x15, &eax, &ebx, &ecx, &edx);
	*ret_n = ebx;
	*ret_d = eax;
}
#else
static inline uint64_t auxtrace_cpu_tsc(void)
{
	return 0; /* none */
}

static inline void auxtrace_cpu_tsc_ratio(uint32_t *ret_n, uint32_t *ret_d)
{
	*ret_n = *ret_d = 0;
}
#endif

#endif
