/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Adds the build-ids of a recording's table to the modules of its maps. */
#include <errno.h>
#include <string.h>
#include "data/read/reader.h"
#include "machine/machine.h"
#include "resolve/resolver.h"
#include "session/buildid/buildid_table.h"

#define KERNEL_NAME "[kernel.kallsyms]"

static bool is_kernel(const struct data_build_id *id)
{
	return (id->misc & DATA_CPUMODE_MASK) == PERF_RECORD_MISC_KERNEL;
}

int buildid_of_kernel(struct data_file *file, struct data_build_id *ret)
{
	struct buf module = BUF_INIT;
	int found = -1;

	for (size_t i = 0; found && !module.err && data_build_id_at(file, i, ret) == 0; i++) {
		buf_clear(&module);
		if (!is_kernel(ret))
			continue;
		resolver_kernel_module_name(&module, ret->path);
		if (!module.len)
			found = 0;
	}
	buf_release(&module);
	return found;
}

/* The table may have "/lib/modules/6.1/kernel/fs/nf-x.ko.xz" where the map has "[nf_x]", or the reverse. */
static int add_kernel_module(struct machine *m, const struct strpool *names, const char *name,
			     const struct data_build_id *id)
{
	size_t n = machine_n_modules(m);
	struct buf have = BUF_INIT;
	int ret = 0;

	for (uint32_t i = 0; i < n && !ret; i++) {
		const struct module_ref *ref = machine_module(m, i);
		const char *path = strpool_get(names, ref->path);

		if (!ref->kernel || ref->ksymbol)
			continue;
		buf_clear(&have);
		resolver_kernel_module_name(&have, path);
		if (have.err)
			ret = -ENOMEM;
		else if (!strcmp(buf_str(&have), name))
			ret = machine_add_build_id(m, path, id->id, id->bytes);
	}
	buf_release(&have);
	return ret;
}

/*
 * perf lists the kernel by the vmlinux file it found, "/boot/vmlinux-6.1" or ".../build/vmlinux",
 * as /proc/kcore, or as "[kernel.kallsyms]", possibly with a symbol appended.
 */
int buildid_add_recorded(struct data_file *file, struct machine *m, const struct strpool *names)
{
	struct buf name = BUF_INIT;
	struct data_build_id id;
	int ret = 0;

	for (size_t i = 0; !ret && data_build_id_at(file, i, &id) == 0; i++) {
		buf_clear(&name);
		if (is_kernel(&id))
			resolver_kernel_module_name(&name, id.path);
		if (name.err)
			ret = -ENOMEM;
		else if (name.len)
			ret = add_kernel_module(m, names, buf_str(&name), &id);
		else
			ret = machine_add_build_id(m, is_kernel(&id) ? KERNEL_NAME : id.path, id.id,
						   id.bytes);
	}
	buf_release(&name);
	return ret;
}
