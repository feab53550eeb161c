/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What events have counted, as text: clocks count nanoseconds. */
#ifndef MODEL_AMOUNT_H
#define MODEL_AMOUNT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* True if the event with this name, modifiers included, counts nanoseconds. */
bool amount_is_time(const char *event);
/* "1.24 M", or "340 ms" of a clock. NaN is "–". Returns buf. */
char *amount_text(const char *event, double value, char *buf, size_t size);
/* "1,240,112", or "340 ms" of a clock. Returns buf. */
char *amount_exact_text(const char *event, uint64_t value, char *buf, size_t size);

#endif
