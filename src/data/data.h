/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The data room: from perf.data bytes to records and back.
 *
 * Reads a file, a pipe or memory, of either byte order and any perf version, into decoded events
 * (attrs), features and records; and writes the same. Does not interpret records (machine) or
 * addresses (resolve), and does not sort by time. Results have our own types, in host byte order.
 *
 *   file:  [ header | attrs | ids ][ data: records … ][ feature table | features … ]
 *   pipe:  [ 16-byte header ][ HEADER_ATTR … HEADER_FEATURE … records … ]
 *
 * Format: tools/perf/Documentation/perf.data-file-format.txt, and include/uapi/linux/perf_event.h
 * for the records below 64.
 */
#ifndef DATA_DATA_H
#define DATA_DATA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "ptui/error.h"
#include "ptui/types.h"

/* One event of a recording. Owned by the data_file; valid until that is closed. */
struct data_event {
	const char *name; /* from the file, or made from type and config; never NULL or "" */
	uint32_t type;
	uint64_t config, config1, config2, config3, config4;
	uint64_t sample_type; /* PERF_SAMPLE_* bits */
	uint64_t read_format;
	uint64_t sample_period; /* or a frequency in Hz, see freq */
	uint64_t branch_sample_type;
	uint64_t regs_user, regs_intr; /* masks of the registers in samples */
	uint32_t stack_user_bytes;
	uint32_t attr_size; /* in bytes, as in the file */
	unsigned freq : 1, inherit : 1, sample_id_all : 1, precise_ip : 2, build_id : 1;
	unsigned exclude_user : 1, exclude_kernel : 1, exclude_hv : 1, exclude_guest : 1,
		exclude_host : 1, sideband : 1 /* attr.mmap/comm/task set */,
		exclude_callchain_user : 1, use_clockid : 1;
	int32_t clockid;     /* of times, if use_clockid */
	uint16_t max_stack;  /* maximum depth of callchains; 0: unknown */
	uint32_t leader;     /* index of the group's leader; its own if it is alone */
	const char *group;   /* name of the group that it leads; NULL: none */
	const uint64_t *ids; /* kernel ids of its counters */
	size_t n_ids;
};

/* The id fields that every record may have (sample_id_all), as far as set in `has`. */
enum {
	DATA_HAS_TID = 1 << 0,
	DATA_HAS_TIME = 1 << 1,
	DATA_HAS_ID = 1 << 2,
	DATA_HAS_STREAM = 1 << 3,
	DATA_HAS_CPU = 1 << 4,
};

struct data_id {
	unsigned has; /* DATA_HAS_* */
	int32_t pid, tid;
	uint64_t time_ns; /* 0 if the record has none */
	uint64_t id, stream_id;
	uint32_t cpu;
};

#define DATA_BUILD_ID_MAX 20

/* MMAP and MMAP2. */
struct data_mmap {
	int32_t pid, tid; /* pid -1: the kernel */
	uint64_t start, len, pgoff;
	uint32_t prot, flags; /* MMAP: prot is PROT_EXEC or 0 by misc's DATA bit */
	uint32_t maj, min;    /* 0 if the record has a build-id instead */
	uint64_t ino, ino_generation;
	uint8_t build_id_bytes; /* 0: none */
	uint8_t build_id[DATA_BUILD_ID_MAX];
	const char *path;
};

/*
 * The fields of an AUXTRACE record. What follows it is a piece of the AUX area of a ring buffer, as the
 * hardware wrote it.
 */
struct data_auxtrace {
	uint64_t bytes;	    /* of the piece, a multiple of 8 */
	uint64_t off;	    /* of the piece in all that was written to this AUX area */
	uint64_t reference; /* a number of the recorder, such as a time stamp counter */
	uint32_t idx;	    /* of the ring buffer */
	int32_t tid, cpu;   /* -1: any */
};

/* One record. Valid, with everything it points to, until the next data_walk_next(). */
struct data_record {
	uint32_t type; /* PERF_RECORD_* or PTUI_RECORD_* */
	uint16_t misc;
	uint32_t bytes; /* header.size */
	uint64_t off;	/* file offset of its header (of the COMPRESSED record, if it was in
				one) */
	uint64_t seq;	/* position in the uncompressed stream: increases with each record */
	/* of AUXTRACE: bytes that follow the record, not part of it; data_walk_payload() */
	uint64_t payload_bytes;
	const uint8_t *body; /* after the header, in the file's byte order, body_bytes long */
	uint32_t body_bytes;
	struct data_id id; /* for kernel records other than SAMPLE */
	union {
		struct data_mmap mmap;
		struct {
			int32_t pid, tid;
			const char *name;
			bool exec;
		} comm;
		struct {
			int32_t pid, ppid, tid, ptid;
			uint64_t time_ns;
		} task; /* FORK, EXIT */
		struct {
			uint64_t id, lost;
		} lost; /* LOST; LOST_SAMPLES with id 0 */
		struct {
			uint64_t time_ns, id, stream_id;
		} throttle; /* THROTTLE, UNTHROTTLE */
		struct {
			uint64_t off, bytes, flags; /* PERF_AUX_FLAG_* */
		} aux;				    /* AUX: what the kernel added to the AUX area */
		struct data_auxtrace auxtrace;	    /* AUXTRACE */
		struct {
			int32_t pid, tid;
			uint64_t enabled_ns, running_ns; /* both 0 if the record lacks them */
			uint64_t value;
			bool has_value; /* false: values of a group */
		} read;			/* READ, of the event in `id` */
		struct {
			uint64_t addr;
			uint32_t len;
			uint16_t ksym_type, flags; /* flags bit 0: unregister */
			const char *name;
		} ksymbol;
		struct {
			uint64_t cookie;      /* the samples it belongs to end in it */
			const uint8_t *addrs; /* n words in the file's byte order: data_word() */
			uint32_t n;
			bool swapped;
		} deferred; /* CALLCHAIN_DEFERRED: a thread's user callchain, for its samples before */
	};
};

/* The word for a type of record as in perf report --stats ("MMAP2"); NULL: unknown. */
const char *data_record_type_name(unsigned type);
/* Counts records of an unknown type. */
void data_unknown_add(struct ptui_unknown_type v[PTUI_UNKNOWN_TYPES], uint32_t type, uint64_t n);
/*
 * What a recording without samples has instead, by its number of records of each type; to be
 * translated. NULL: nothing special.
 */
const char *data_records_instead(const uint64_t records[PTUI_RECORD_TYPES]);

/* What wrote AUX data, by the type in AUXTRACE_INFO: "Intel PT"; NULL: unknown. */
const char *data_auxtrace_name(uint32_t type);

/* Word i of bytes that are in the file's byte order. */
uint64_t data_word(const uint8_t *bytes, size_t i, bool swapped);

/* Bits of data_record.misc and data_sample.misc; the same in all versions. */
#define DATA_CPUMODE_MASK 7u
enum data_cpumode {
	DATA_MODE_UNKNOWN = 0,
	DATA_MODE_KERNEL = 1,
	DATA_MODE_USER = 2,
	DATA_MODE_HYPERVISOR = 3,
	DATA_MODE_GUEST_KERNEL = 4,
	DATA_MODE_GUEST_USER = 5,
};

/* A guest machine whose recording was merged into that of its host (perf inject --guest-data). */
struct data_guest {
	int32_t machine_pid; /* of the process that it runs in; 0: no guest */
	uint32_t vcpu;
	uint32_t number; /* of the machine, from 1 on; 0: there are too many */
};

/*
 * Threads of guests have the same ids as those of the host. data_guest_thread() is another one for each
 * machine, of which the thread's own is the rest of a division by DATA_TIDS.
 */
#define DATA_TIDS (1 << 22) /* more than Linux has */

/*
 * A decoded PERF_RECORD_SAMPLE. Pointers are into the record if byte order and alignment allow,
 * otherwise into a buffer of the walk: valid until the next data_walk_next().
 */
struct data_sample {
	uint32_t event;	  /* index of the event; PTUI_NONE: unknown id */
	uint16_t misc;	  /* cpumode: misc & DATA_CPUMODE_MASK */
	unsigned has;	  /* DATA_HAS_* */
	uint64_t present; /* the event's sample_type */
	uint64_t ip, addr, time_ns, id, stream_id, period, weight, data_src, transaction;
	uint64_t phys_addr, cgroup, data_page_size, code_page_size;
	uint16_t
		latency[2]; /* of PERF_SAMPLE_WEIGHT_STRUCT: of the instruction, and of the stage or
			retirement */
	int32_t pid, tid;
	uint32_t cpu;
	struct data_guest guest; /* its addresses have a mode of guests, as in `chain` */
	const uint64_t *chain;	 /* callchain with context markers, n_chain entries */
	uint32_t n_chain;
	const uint8_t *raw; /* tracepoint fields in the file's byte order */
	uint32_t raw_bytes;
	uint64_t read_value, read_enabled_ns, read_running_ns; /* PERF_SAMPLE_READ without a
								  group */
	const uint64_t *reads; /* with a group: pairs of value and id; needs FORMAT_ID */
	uint32_t n_reads;
	const uint64_t *reads_lost; /* the lost samples of each; NULL without FORMAT_LOST */
	const uint8_t *branches;    /* the branch stack as in the record */
	uint64_t n_branches;
	/* of each branch, a word in the file's order: event counts, with PTUI_BRANCH_COUNTERS; or NULL */
	const uint8_t *branch_counters;
	uint64_t branch_hw_index; /* with PERF_SAMPLE_BRANCH_HW_INDEX */
	const uint64_t *regs_user, *regs_intr;
	uint64_t regs_user_abi, regs_user_mask;
	uint64_t regs_intr_abi, regs_intr_mask;
	const uint8_t *stack_user;
	uint64_t stack_user_bytes, stack_user_dyn_bytes;
	const uint8_t *aux; /* a part of an AUX trace, not decoded */
	uint64_t aux_bytes;
};

#endif
