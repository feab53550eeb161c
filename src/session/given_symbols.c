/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Recordings of simpleperf have the symbols of the device, whose files are not on this machine. */
#include "session/given_symbols.h"

#include <errno.h>
#include <stdlib.h>
#include "data/read/reader.h"
#include "resolve/resolver.h"
#include "symbol/symtab.h"

static struct symtab *table_of(const struct data_dso_symbols *dso)
{
	struct symtab_entry *v = calloc(dso->n, sizeof(*v));
	struct symtab *t;

	if (!v)
		return NULL;
	for (size_t i = 0; i < dso->n; i++)
		v[i] = (struct symtab_entry){ .start = dso->v[i].start,
					      .end = dso->v[i].end,
					      .name = dso->v[i].name,
					      .binding = STB_GLOBAL,
					      .type = STT_FUNC };
	t = symtab_from_entries(v, dso->n);
	free(v);
	return t;
}

static int give(void *ctx, const struct data_dso_symbols *dso)
{
	struct resolver_given given = {
		.name = dso->path,
		.as_mapped = dso->kind != DATA_DSO_ELF && dso->kind != DATA_DSO_KERNEL_MODULE,
		.addr = dso->addr,
		.off = dso->off,
	};

	if (dso->kind >= DATA_DSO_UNKNOWN)
		return 0;
	given.table = table_of(dso);
	return given.table ? resolver_give_symbols(ctx, &given) : -ENOMEM;
}

int given_symbols_add(const struct data_file *file, struct resolver *r)
{
	return data_symbols_each(file, give, r);
}
