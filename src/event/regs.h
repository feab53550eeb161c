/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sample registers of this architecture. */
#ifndef EVENT_REGS_H
#define EVENT_REGS_H

#include <stdint.h>

/* Registers needed for unwinding, which are also all that -I and --user-regs support; 0: none. */
uint64_t event_regs_all(void);
/* The stack and instruction pointers, which unwinding requires. */
uint64_t event_regs_minimal(void);

#endif
