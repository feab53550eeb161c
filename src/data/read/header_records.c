/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Pipes of the perf of old Chrome OS (3.x). Before perf had a record for all features
 * (HEADER_FEATURE), Google's had one for each, with types that mean something else today:
 *
 *	69 HOSTNAME, OSRELEASE, VERSION, ARCH, NRCPUS, CPUDESC, CPUID, TOTAL_MEM,
 *	77 CMDLINE, EVENT_DESC, CPU_TOPOLOGY, NUMA_TOPOLOGY, 81 PMU_MAPPINGS
 *
 *	[ header | u32 len | text, NUL, padding: len bytes ]
 *
 * No record of today with one of these types consists of a length and as many bytes as that, so the
 * first text shows what a pipe is.
 */
#include "data/read/reader_private.h"

#define FIRST_TYPE 69

static const uint8_t features[] = {
	PTUI_FEAT_HOSTNAME,	PTUI_FEAT_OSRELEASE,	PTUI_FEAT_VERSION,
	PTUI_FEAT_ARCH,		PTUI_FEAT_NRCPUS,	PTUI_FEAT_CPUDESC,
	PTUI_FEAT_CPUID,	PTUI_FEAT_TOTAL_MEM,	PTUI_FEAT_CMDLINE,
	PTUI_FEAT_EVENT_DESC,	PTUI_FEAT_CPU_TOPOLOGY, PTUI_FEAT_NUMA_TOPOLOGY,
	PTUI_FEAT_PMU_MAPPINGS,
};

#define N_TYPES (sizeof(features) / sizeof(*features))

static bool is_text(unsigned feature)
{
	return (feature >= PTUI_FEAT_HOSTNAME && feature <= PTUI_FEAT_ARCH) ||
	       feature == PTUI_FEAT_CPUDESC || feature == PTUI_FEAT_CPUID;
}

static bool is_one_text(const struct data_file *f, const struct data_record *rec)
{
	struct cursor c;
	uint32_t n;

	cursor_init(&c, rec->body, rec->body_bytes, f->swap);
	n = cursor_u32(&c);
	return n && n == cursor_left(&c) && *c.p && memchr(c.p, 0, n);
}

bool header_record_feature(struct data_file *f, const struct data_record *rec,
			   unsigned *ret_feature)
{
	uint32_t i = rec->type - FIRST_TYPE;

	if (!f->pipe || rec->type < FIRST_TYPE || i >= N_TYPES)
		return false;
	if (!f->old_pipe && is_text(features[i]) && is_one_text(f, rec))
		f->old_pipe = true;
	*ret_feature = features[i];
	return f->old_pipe;
}
