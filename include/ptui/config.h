/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where the person's config is. The screens read the lines before its first [section] (ui/input),
 * the commands' defaults stand in the sections (src/cli/config.h).
 */
#ifndef PTUI_CONFIG_H
#define PTUI_CONFIG_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * $XDG_CONFIG_HOME/ptui/config, or ~/.config/ptui/config; whether there is such a file is not
 * looked at. False: neither variable says where, or it does not fit. Any thread, as far as
 * nobody changes the environment.
 */
bool ptui_config_path(char *buf, size_t size);

#ifdef __cplusplus
}
#endif
#endif
