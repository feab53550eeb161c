/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Functions that do not know the size of their buffer, or that have hidden state: their names do
 * not compile. Included after the headers that declare them.
 */
#ifndef BASE_BANNED_H
#define BASE_BANNED_H

#ifndef __cplusplus
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#pragma GCC poison strcpy strcat sprintf vsprintf strtok gets
#endif

#endif
