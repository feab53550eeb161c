/* SPDX-License-Identifier: GPL-2.0-or-later */
/* libunwind over a sample: its accessors read the sample's registers, its stack bytes, and the files. */
#include <libunwind.h>
#include <stdlib.h>
#include "unwind/recording.h"

/* Of libunwind, without a declaration in its headers: what perf uses as well. */
extern int UNW_OBJ(dwarf_search_unwind_table)(unw_addr_space_t as, unw_word_t ip,
					      unw_dyn_info_t *di, unw_proc_info_t *pi,
					      int need_unwind_info, void *arg);

struct by_libunwind {
	struct recording *r;
	unw_addr_space_t space;
	uint64_t generation; /* whose rules it has cached */
};

static int find_proc_info(unw_addr_space_t as, unw_word_t ip, unw_proc_info_t *pi,
			  int need_unwind_info, void *arg)
{
	struct recording *r = arg;
	const struct machine_map *map;
	unw_dyn_info_t di = { .format = UNW_INFO_FORMAT_REMOTE_TABLE };
	uint64_t bias, words;
	struct module *m = recording_module(r, ip, &map, &bias);

	if (!m || !m->hdr_bytes)
		return -UNW_ENOINFO;
	r->read_from = m;
	r->read_bias = bias;
	if (!recording_read_word(r, m->hdr_rva + bias + 8, &words))
		return -UNW_ENOINFO;
	di.start_ip = map->start;
	di.end_ip = map->end;
	di.u.rti.segbase = m->hdr_rva + bias;
	di.u.rti.table_data = di.u.rti.segbase + 12;
	di.u.rti.table_len = (uint32_t)words; /* one pair of 32-bit numbers is a word */
	return UNW_OBJ(dwarf_search_unwind_table)(as, ip, &di, pi, need_unwind_info, arg);
}

static void put_unwind_info(unw_addr_space_t as, unw_proc_info_t *pi, void *arg)
{
	(void)as;
	(void)pi;
	(void)arg;
}

static int get_dyn_info_list_addr(unw_addr_space_t as, unw_word_t *ret, void *arg)
{
	(void)as;
	(void)ret;
	(void)arg;
	return -UNW_ENOINFO;
}

static int access_mem(unw_addr_space_t as, unw_word_t addr, unw_word_t *value, int write, void *arg)
{
	uint64_t v;

	(void)as;
	if (write || !recording_read_word(arg, addr, &v))
		return -UNW_EINVAL;
	*value = v;
	return 0;
}

static int access_reg(unw_addr_space_t as, unw_regnum_t reg, unw_word_t *value, int write,
		      void *arg)
{
	uint64_t v;

	(void)as;
	if (write || reg < 0 || !recording_reg(arg, (unsigned)reg, &v))
		return -UNW_EBADREG;
	*value = v;
	return 0;
}

static int access_fpreg(unw_addr_space_t as, unw_regnum_t reg, unw_fpreg_t *value, int write,
			void *arg)
{
	(void)as;
	(void)reg;
	(void)value;
	(void)write;
	(void)arg;
	return -UNW_EBADREG;
}

static int resume(unw_addr_space_t as, unw_cursor_t *cursor, void *arg)
{
	(void)as;
	(void)cursor;
	(void)arg;
	return -UNW_EINVAL;
}

static int get_proc_name(unw_addr_space_t as, unw_word_t addr, char *name, size_t bytes,
			 unw_word_t *off, void *arg)
{
	(void)as;
	(void)addr;
	(void)name;
	(void)bytes;
	(void)off;
	(void)arg;
	return -UNW_EINVAL;
}

struct by_libunwind *by_libunwind_new(struct recording *r)
{
	static unw_accessors_t accessors = {
		.find_proc_info = find_proc_info,
		.put_unwind_info = put_unwind_info,
		.get_dyn_info_list_addr = get_dyn_info_list_addr,
		.access_mem = access_mem,
		.access_reg = access_reg,
		.access_fpreg = access_fpreg,
		.resume = resume,
		.get_proc_name = get_proc_name,
	};
	struct by_libunwind *b = calloc(1, sizeof(*b));

	if (!b)
		return NULL;
	b->r = r;
	b->space = unw_create_addr_space(&accessors, 0);
	unw_set_caching_policy(b->space, UNW_CACHE_GLOBAL);
	return b;
}

void by_libunwind_free(struct by_libunwind *b)
{
	if (b)
		unw_destroy_addr_space(b->space);
	free(b);
}

void by_libunwind_stack(struct by_libunwind *b, struct stack *ret)
{
	unw_cursor_t cursor;
	unw_word_t ip;

	ret->n = 0;
	b->r->read_from = NULL;
	if (b->generation != b->r->now->generation) {
		unw_flush_cache(b->space, 0, 0);
		b->generation = b->r->now->generation;
	}
	if (unw_init_remote(&cursor, b->space, b->r))
		return;
	do {
		unw_get_reg(&cursor, UNW_REG_IP, &ip);
		if (!ip)
			break;
		ret->addrs[ret->n++] = ip;
	} while (ret->n < FRAMES_MAX && unw_step(&cursor) > 0);
}
