/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Numbers for the screens, with three digits and a unit: "1.24 M", "340 ms", "12.0 MB". NaN is "–".
 * All truncate to `size` and return buf.
 */
#ifndef TEXT_NUMBER_H
#define TEXT_NUMBER_H

#include <stddef.h>
#include <stdint.h>

/* Three digits and a decimal prefix: "999", "1.24 K", "38.9 G". */
char *number_count(char *buf, size_t size, double value);
/* Powers of 1024 with the usual names: "14.2 MB". */
char *number_bytes(char *buf, size_t size, uint64_t bytes);
/* "340 ns", "3.40 us", "12.5 s". */
char *number_span_ns(char *buf, size_t size, uint64_t ns);
/* As a clock: "00:12.4", "1:04:31". */
char *number_clock_ns(char *buf, size_t size, uint64_t ns);
/* As in perf: "11.82%". */
char *number_percent(char *buf, size_t size, double percent);

#endif
