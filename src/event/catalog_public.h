/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Shared by the implementations of ptui/catalog.h and ptui/selector.h. Private to the event room.
 */
#ifndef EVENT_CATALOG_PUBLIC_H
#define EVENT_CATALOG_PUBLIC_H

#include "event/catalog.h"
#include "ptui/catalog.h"

struct ptui_catalog {
	struct catalog *catalog;
};

/* ptui_catalog_new() of another machine. `roots` must outlive it. NULL: out of memory. */
struct ptui_catalog *catalog_public_new(const struct roots *roots);

#endif
