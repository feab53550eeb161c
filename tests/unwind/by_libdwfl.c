/* SPDX-License-Identifier: GPL-2.0-or-later */
/* libdwfl over a sample: modules are reported when an address in them is met, as perf does. */
#include <elfutils/libdwfl.h>
#include <stdlib.h>
#include "unwind/recording.h"

struct by_libdwfl {
	struct recording *r;
	Dwfl *dwfl;
	uint64_t generation; /* of which it knows the modules */
	struct stack *out;
};

static char *no_debuginfo;

static const Dwfl_Callbacks callbacks = {
	.find_debuginfo = dwfl_standard_find_debuginfo,
	.debuginfo_path = &no_debuginfo,
	.find_elf = dwfl_build_id_find_elf,
	.section_address = dwfl_offline_section_address,
};

static void report_module(struct by_libdwfl *b, uint64_t addr)
{
	const struct machine_map *map;
	uint64_t bias;
	struct module *m = recording_module(b->r, addr, &map, &bias);

	if (!m || !m->file || m->path[0] != '/' || dwfl_addrmodule(b->dwfl, addr))
		return;
	dwfl_report_begin_add(b->dwfl);
	dwfl_report_elf(b->dwfl, m->path, m->path, -1, bias, false);
	dwfl_report_end(b->dwfl, NULL, NULL);
}

static pid_t next_thread(Dwfl *dwfl, void *arg, void **thread_arg)
{
	struct by_libdwfl *b = arg;

	(void)dwfl;
	if (*thread_arg)
		return 0;
	*thread_arg = b;
	return b->r->now->tid;
}

static bool memory_read(Dwfl *dwfl, Dwarf_Addr addr, Dwarf_Word *ret, void *arg)
{
	struct by_libdwfl *b = arg;
	uint64_t v;

	(void)dwfl;
	b->r->read_from = NULL;
	if (!recording_read_word(b->r, addr, &v))
		return false;
	*ret = v;
	return true;
}

static bool set_registers(Dwfl_Thread *thread, void *arg)
{
	struct by_libdwfl *b = arg;
	Dwarf_Word regs[17] = { 0 };

	for (unsigned i = 0; i < 17; i++) {
		uint64_t v = 0;

		recording_reg(b->r, i, &v);
		regs[i] = v;
	}
	return dwfl_thread_state_registers(thread, 0, 17, regs);
}

static const Dwfl_Thread_Callbacks thread_callbacks = {
	.next_thread = next_thread,
	.memory_read = memory_read,
	.set_initial_registers = set_registers,
};

static int frame(Dwfl_Frame *state, void *arg)
{
	struct by_libdwfl *b = arg;
	Dwarf_Addr pc;
	bool activation;

	if (!dwfl_frame_pc(state, &pc, &activation) || !pc)
		return DWARF_CB_ABORT;
	report_module(b, pc - !activation);
	b->out->addrs[b->out->n++] = pc;
	return b->out->n < FRAMES_MAX ? DWARF_CB_OK : DWARF_CB_ABORT;
}

struct by_libdwfl *by_libdwfl_new(struct recording *r)
{
	struct by_libdwfl *b = calloc(1, sizeof(*b));

	if (b)
		b->r = r;
	return b;
}

void by_libdwfl_free(struct by_libdwfl *b)
{
	if (b && b->dwfl)
		dwfl_end(b->dwfl);
	free(b);
}

void by_libdwfl_stack(struct by_libdwfl *b, struct stack *ret)
{
	const struct dumped *now = b->r->now;
	uint64_t ip = 0;

	ret->n = 0;
	b->out = ret;
	recording_reg(b->r, 16, &ip);
	if (!b->dwfl || b->generation != now->generation) {
		if (b->dwfl)
			dwfl_end(b->dwfl);
		b->dwfl = dwfl_begin(&callbacks);
		b->generation = now->generation;
		report_module(b, ip);
		if (!dwfl_attach_state(b->dwfl, NULL, now->pid, &thread_callbacks, b)) {
			dwfl_end(b->dwfl);
			b->dwfl = NULL;
			ret->addrs[ret->n++] = ip;
			return;
		}
	}
	report_module(b, ip);
	dwfl_getthread_frames(b->dwfl, now->tid, frame, b);
}
