/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "profile/hist/data_src.h"

#define COUNT(array) (sizeof(array) / sizeof(*(array)))

/* The union in the kernel's header lays out the bits alike in both byte orders. */
static unsigned bits(uint64_t v, unsigned at, unsigned n)
{
	return (unsigned)(v >> at) & ((1u << n) - 1);
}

static const char *const levels[] = {
	"N/A",
	"HIT",
	"MISS",
	"L1",
	"LFB/MAB",
	"L2",
	"L3",
	"Local RAM",
	"Remote RAM (1 hop)",
	"Remote RAM (2 hops)",
	"Remote Cache (1 hop)",
	"Remote Cache (2 hops)",
	"I/O",
	"Uncached",
};
#define LEVEL_HIT  (1u << 1)
#define LEVEL_MISS (1u << 2)

static const char *const level_numbers[16] = {
	[9] = "CXL",  [10] = "I/O",  [11] = "Any cache", [12] = "LFB/MAB",
	[13] = "RAM", [14] = "PMEM", [15] = "N/A",
};

static const char *const hops[8] = {
	"N/A", "core, same node", "node, same socket", "socket, same board", "board",
};

static const char *const snoops[] = { "N/A", "None", "Hit", "Miss", "HitM" };
static const char *const more_snoops[] = { "Fwd", "Peer" };
static const char *const tlbs[] = { "N/A", "HIT", "MISS", "L1", "L2", "Walker", "Fault" };

/* The names of set bits. Returns whether there were any. */
static bool add_names(struct buf *out, unsigned set, const char *const *names, size_t n, bool any)
{
	for (size_t i = 0; i < n; i++) {
		if (!(set >> i & 1))
			continue;
		buf_addf(out, "%s%s", any ? " or " : "", names[i]);
		any = true;
	}
	return any;
}

static void add_op(struct buf *out, unsigned op)
{
	static const char *const names[] = { "N/A", "LOAD", "STORE", "PFETCH", "EXEC" };

	for (size_t i = 0; i < COUNT(names); i++) {
		if (op >> i & 1) {
			buf_add_str(out, names[i]);
			return;
		}
	}
	buf_add_str(out, "No");
}

static void add_level(struct buf *out, uint64_t v)
{
	unsigned level = bits(v, 5, 14), number = bits(v, 33, 4);
	unsigned hop = bits(v, 43, 3);
	size_t from = out->len;
	bool any = false;

	if (bits(v, 37, 1))
		buf_add_str(out, "Remote ");
	if (hop)
		buf_addf(out, "%s ", hops[hop] ? hops[hop] : "N/A");
	else
		any = add_names(out, level & ~(LEVEL_HIT | LEVEL_MISS), levels, COUNT(levels),
				false);
	if (number) {
		buf_add_str(out, any ? " or " : "");
		if (level_numbers[number])
			buf_add_str(out, level_numbers[number]);
		else
			buf_addf(out, "L%u", number);
	}
	if (out->len == from)
		buf_add_str(out, "N/A");
	if (level & LEVEL_HIT)
		buf_add_str(out, " hit");
	if (level & LEVEL_MISS)
		buf_add_str(out, " miss");
}

static void add_tlb(struct buf *out, unsigned tlb)
{
	if (!add_names(out, tlb & ~(LEVEL_HIT | LEVEL_MISS), tlbs, COUNT(tlbs), false))
		buf_add_str(out, "N/A");
	if (tlb & LEVEL_HIT)
		buf_add_str(out, " hit");
	if (tlb & LEVEL_MISS)
		buf_add_str(out, " miss");
}

static void add_block(struct buf *out, unsigned block)
{
	if (!block || block & 1)
		buf_add_str(out, " N/A");
	else
		buf_addf(out, "%s%s", block & 2 ? " Data" : "", block & 4 ? " Addr" : "");
}

static void add_snoop(struct buf *out, uint64_t v)
{
	bool any = add_names(out, bits(v, 19, 5), snoops, COUNT(snoops), false);

	if (!add_names(out, bits(v, 38, 2), more_snoops, COUNT(more_snoops), any))
		buf_add_str(out, "N/A");
}

static void add_lock(struct buf *out, unsigned lock)
{
	buf_add_str(out, lock & 1 ? "N/A" : lock & 2 ? "Yes" : "No");
}

void data_src_add(struct buf *out, enum data_src_part part, uint64_t v)
{
	switch (part) {
	case DATA_SRC_OP:
		add_op(out, bits(v, 0, 5));
		break;
	case DATA_SRC_LEVEL:
		add_level(out, v);
		break;
	case DATA_SRC_SNOOP:
		add_snoop(out, v);
		break;
	case DATA_SRC_TLB:
		add_tlb(out, bits(v, 26, 7));
		break;
	case DATA_SRC_LOCK:
		add_lock(out, bits(v, 24, 2));
		break;
	case DATA_SRC_BLOCK:
		add_block(out, bits(v, 40, 3));
		break;
	case DATA_SRC_PARTS:
		break;
	}
}

uint64_t data_src_bits(enum data_src_part part, uint64_t v)
{
	switch (part) {
	case DATA_SRC_OP:
		return bits(v, 0, 5);
	case DATA_SRC_LEVEL: /* what old processors set comes first */
		return (uint64_t)bits(v, 5, 14) << 16 | bits(v, 33, 5) << 3 | bits(v, 43, 3);
	case DATA_SRC_SNOOP:
		return bits(v, 19, 5) << 2 | bits(v, 38, 2);
	case DATA_SRC_TLB:
		return bits(v, 26, 7);
	case DATA_SRC_LOCK:
		return bits(v, 24, 2);
	case DATA_SRC_BLOCK:
		return bits(v, 40, 3);
	case DATA_SRC_PARTS:
		break;
	}
	return 0;
}
