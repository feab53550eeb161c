/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A set of node ids: the open nodes of a tree. 0 is not an id. */
#ifndef WIDGET_TREE_IDS_H
#define WIDGET_TREE_IDS_H

#include <stdbool.h>
#include <stdint.h>

struct tree_ids;

/* NULL: out of memory. */
struct tree_ids *tree_ids_new(void);
void tree_ids_free(struct tree_ids *s); /* NULL ok */
/* 0, also if already present; or -ENOMEM. */
int tree_ids_add(struct tree_ids *s, uint64_t id);
void tree_ids_remove(struct tree_ids *s, uint64_t id);
bool tree_ids_has(const struct tree_ids *s, uint64_t id);
void tree_ids_clear(struct tree_ids *s);

#endif
