/* SPDX-License-Identifier: GPL-2.0-or-later */
/* -k, --kallsyms and --modules, shared by several commands. */
#ifndef CLI_KERNEL_SYMBOLS_H
#define CLI_KERNEL_SYMBOLS_H

#include "cli/option.h"
#include "ptui/types.h"

/* Checks that the given files are readable. 0, or a negative errno with err set. */
int kernel_symbols_check(const struct ptui_kernel_symbols *k, struct ptui_error *err);

/* option_call_fn of --[no-]modules; the field is no_modules. */
int kernel_symbols_read_modules(void *field, const char *value, bool unset, struct ptui_error *err);

#endif
