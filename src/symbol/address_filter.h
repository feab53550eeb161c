/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Address filters of PMUs that trace (AUX areas): from the text of --filter to the kernel's. */
#ifndef SYMBOL_ADDRESS_FILTER_H
#define SYMBOL_ADDRESS_FILTER_H

#include "base/buf.h"
#include "ptui/error.h"

/*
 * "filter main / 64 @ prog, stop exit @ libc.so.6" to "filter 0x1139/0x40@/home/me/prog,stop ...", as in
 * perf-record(1): offsets in the named files, which are looked for here, else addresses of the kernel, whose
 * symbols are in `proc`/kallsyms. Appends to `out`. 0, or negative with err set.
 */
int address_filter_resolve(const char *text, const char *proc, struct buf *out,
			   struct ptui_error *err);

#endif
