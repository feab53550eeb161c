/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the options -k, --kallsyms and --modules of several commands share. */
#ifndef CLI_KERNEL_SYMBOLS_H
#define CLI_KERNEL_SYMBOLS_H

#include "cli/option.h"
#include "ptui/types.h"

/* The files that were given can be read. 0 or a negative errno, with the sentence. */
int kernel_symbols_check(const struct ptui_kernel_symbols *k, struct ptui_error *err);

/* option_call_fn of --[no-]modules; the field is no_modules. */
int kernel_symbols_read_modules(void *field, const char *value, bool unset, struct ptui_error *err);

#endif
