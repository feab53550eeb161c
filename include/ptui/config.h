/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Location of the user's config file. Screens read the lines before its first [section] (ui/input),
 * commands read their defaults from the sections (src/cli/config.h).
 */
#ifndef PTUI_CONFIG_H
#define PTUI_CONFIG_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Writes $XDG_CONFIG_HOME/ptui/config, or ~/.config/ptui/config, to `buf`; does not check that the
 * file exists. False: neither variable is set, or the path does not fit into `size` bytes.
 * Thread-safe as long as no thread changes the environment.
 */
bool ptui_config_path(char *buf, size_t size);

#ifdef __cplusplus
}
#endif
#endif
