/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The registers that a sample can have on this kind of machine. */
#ifndef EVENT_REGS_H
#define EVENT_REGS_H

#include <stdint.h>

/* Those that a stack can be unwound from, which is all that -I and --user-regs know; 0: none. */
uint64_t event_regs_all(void);
/* The stack's and the code's place: what unwinding cannot do without. */
uint64_t event_regs_minimal(void);

#endif
