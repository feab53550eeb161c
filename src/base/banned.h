/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Functions that cannot be told the size of what they write into, or that hide state: their
 * names do not compile. The headers that declare them come first, as they may not name them
 * afterwards.
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
