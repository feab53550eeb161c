/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The kernel's perf ABI: the installed <linux/perf_event.h>, and additions of newer kernels.
 * Numbers are from Linux v6.18, include/uapi/linux/perf_event.h; records from 64 on are perf's own
 * (tools/lib/perf/include/perf/event.h), and so are the feature bits (tools/perf/util/header.h).
 */
#ifndef BASE_PERF_ABI_H
#define BASE_PERF_ABI_H

/*
 * The installed header may be of another kernel, and its attr may lack the last members. Our struct
 * takes its name and has all of them; a file that includes the header directly gets the other one.
 */
#ifdef _UAPI_LINUX_PERF_EVENT_H
#error "base/perf_abi.h replaces <linux/perf_event.h>, which was included before it"
#endif
#define perf_event_attr installed_perf_event_attr
#include <linux/perf_event.h>
#undef perf_event_attr

struct perf_event_attr {
	__u32 type;
	__u32 size; /* one of PTUI_ATTR_SIZE_VER* */
	__u64 config;
	union {
		__u64 sample_period;
		__u64 sample_freq;
	};
	__u64 sample_type;
	__u64 read_format;
	__u64 disabled : 1, inherit : 1, pinned : 1, exclusive : 1, exclude_user : 1,
		exclude_kernel : 1, exclude_hv : 1, exclude_idle : 1, mmap : 1, comm : 1, freq : 1,
		inherit_stat : 1, enable_on_exec : 1, task : 1, watermark : 1, precise_ip : 2,
		mmap_data : 1, sample_id_all : 1, exclude_host : 1, exclude_guest : 1,
		exclude_callchain_kernel : 1, exclude_callchain_user : 1, mmap2 : 1, comm_exec : 1,
		use_clockid : 1, context_switch : 1, write_backward : 1, namespaces : 1,
		ksymbol : 1, bpf_event : 1, aux_output : 1, cgroup : 1, text_poke : 1, build_id : 1,
		inherit_thread : 1, remove_on_exec : 1, sigtrap : 1, defer_callchain : 1 /* 6.19 */,
		defer_output : 1 /* 6.19 */, reserved_1 : 24;
	union {
		__u32 wakeup_events;
		__u32 wakeup_watermark;
	};
	__u32 bp_type;
	union {
		__u64 bp_addr;
		__u64 kprobe_func;
		__u64 uprobe_path;
		__u64 config1;
	};
	union {
		__u64 bp_len;
		__u64 kprobe_addr;
		__u64 probe_offset;
		__u64 config2;
	};
	__u64 branch_sample_type;
	__u64 sample_regs_user;
	__u32 sample_stack_user;
	__s32 clockid;
	__u64 sample_regs_intr;
	__u32 aux_watermark;
	__u16 sample_max_stack;
	__u16 reserved_2;
	__u32 aux_sample_size;
	union {
		__u32 aux_action; /* 6.13 */
		struct {
			__u32 aux_start_paused : 1, aux_pause : 1, aux_resume : 1, reserved_3 : 29;
		};
	};
	__u64 sig_data;
	__u64 config3; /* 6.3 */
	__u64 config4; /* 6.19 */
};

/* Size of the attr by version. */
#define PTUI_ATTR_SIZE_VER0 64
#define PTUI_ATTR_SIZE_VER1 72	/* config2 (3.3) */
#define PTUI_ATTR_SIZE_VER2 80	/* branch_sample_type (3.4) */
#define PTUI_ATTR_SIZE_VER3 96	/* sample_regs_user, sample_stack_user (3.7) */
#define PTUI_ATTR_SIZE_VER4 104 /* sample_regs_intr (3.19) */
#define PTUI_ATTR_SIZE_VER5 112 /* aux_watermark, sample_max_stack (4.1, 4.8) */
#define PTUI_ATTR_SIZE_VER6 120 /* aux_sample_size (5.5) */
#define PTUI_ATTR_SIZE_VER7 128 /* sig_data (5.13) */
#define PTUI_ATTR_SIZE_VER8 136 /* config3 (6.3) */
#define PTUI_ATTR_SIZE_VER9 144 /* config4 (6.19) */

_Static_assert(sizeof(struct perf_event_attr) == PTUI_ATTR_SIZE_VER9, "the kernel's size");
_Static_assert(__builtin_offsetof(struct perf_event_attr, aux_watermark) ==
		       __builtin_offsetof(struct installed_perf_event_attr, aux_watermark),
	       "the kernel's layout");

/* read_format: 6.0 */
#ifndef PTUI_FORMAT_LOST
#define PTUI_FORMAT_LOST (1U << 4)
#endif

/* branch_sample_type: 6.8 */
#define PTUI_BRANCH_COUNTERS (1U << 19)

/* Records newer than the 6.1 header. */
#define PTUI_RECORD_AUX_OUTPUT_HW_ID   21 /* 5.16 */
#define PTUI_RECORD_CALLCHAIN_DEFERRED 22 /* 6.19 */

/* Context marker of a deferred user chain (6.19). */
#define PTUI_CONTEXT_USER_DEFERRED ((__u64)-640)

/* The tool's own records. */
enum ptui_user_record {
	PTUI_RECORD_HEADER_ATTR = 64,
	PTUI_RECORD_HEADER_EVENT_TYPE = 65, /* no longer written */
	PTUI_RECORD_HEADER_TRACING_DATA = 66,
	PTUI_RECORD_HEADER_BUILD_ID = 67,
	PTUI_RECORD_FINISHED_ROUND = 68,
	PTUI_RECORD_ID_INDEX = 69,
	PTUI_RECORD_AUXTRACE_INFO = 70, /* u32 PTUI_AUXTRACE_*, u32 0, words that depend on it */
	PTUI_RECORD_AUXTRACE = 71,
	PTUI_RECORD_AUXTRACE_ERROR = 72,
	PTUI_RECORD_THREAD_MAP = 73,
	PTUI_RECORD_CPU_MAP = 74,
	PTUI_RECORD_STAT_CONFIG = 75,
	PTUI_RECORD_STAT = 76,
	PTUI_RECORD_STAT_ROUND = 77,
	PTUI_RECORD_EVENT_UPDATE = 78,
	PTUI_RECORD_TIME_CONV = 79,
	PTUI_RECORD_HEADER_FEATURE = 80,
	PTUI_RECORD_COMPRESSED = 81,
	PTUI_RECORD_FINISHED_INIT = 82,
	PTUI_RECORD_COMPRESSED2 = 83,
	PTUI_RECORD_BPF_METADATA = 84,
};

/* What wrote AUX data, in AUXTRACE_INFO. */
enum ptui_auxtrace {
	PTUI_AUXTRACE_INTEL_PT = 1,
	PTUI_AUXTRACE_INTEL_BTS = 2,
	PTUI_AUXTRACE_CS_ETM = 3,
	PTUI_AUXTRACE_ARM_SPE = 4,
	PTUI_AUXTRACE_S390_CPUMSF = 5,
	PTUI_AUXTRACE_HISI_PTT = 6,
};

/* Records of simpleperf; misc is the upper half of their size. */
enum ptui_simpleperf_record {
	PTUI_SIMPLEPERF_TYPES = 32768, /* the first of 32 */
	PTUI_SIMPLEPERF_KERNEL_SYMBOL = 32769,
	PTUI_SIMPLEPERF_DSO = 32770,
	PTUI_SIMPLEPERF_SYMBOL = 32771,
	PTUI_SIMPLEPERF_SPLIT = 32772,
	PTUI_SIMPLEPERF_SPLIT_END = 32773,
	PTUI_SIMPLEPERF_EVENT_ID = 32774,
	PTUI_SIMPLEPERF_CALLCHAIN = 32775,
	PTUI_SIMPLEPERF_UNWINDING_RESULT = 32776,
	PTUI_SIMPLEPERF_TRACING_DATA = 32777,
	PTUI_SIMPLEPERF_DEBUG = 32778,
};

/* Feature bits of the file header. */
/* Events that perf makes from a processor trace (PERF_TYPE_SYNTH, tools/perf/util/event.h). */
#define PTUI_TYPE_SYNTH 0x80000000u
enum ptui_synth {
	PTUI_SYNTH_PTWRITE,
	PTUI_SYNTH_MWAIT,
	PTUI_SYNTH_PWRE,
	PTUI_SYNTH_EXSTOP,
	PTUI_SYNTH_PWRX,
	PTUI_SYNTH_CBR,
	PTUI_SYNTH_PSB,
	PTUI_SYNTH_EVT,
	PTUI_SYNTH_IFLAG_CHG,
};

enum ptui_feature {
	PTUI_FEAT_TRACING_DATA = 1,
	PTUI_FEAT_BUILD_ID = 2,
	PTUI_FEAT_HOSTNAME = 3,
	PTUI_FEAT_OSRELEASE = 4,
	PTUI_FEAT_VERSION = 5,
	PTUI_FEAT_ARCH = 6,
	PTUI_FEAT_NRCPUS = 7,
	PTUI_FEAT_CPUDESC = 8,
	PTUI_FEAT_CPUID = 9,
	PTUI_FEAT_TOTAL_MEM = 10,
	PTUI_FEAT_CMDLINE = 11,
	PTUI_FEAT_EVENT_DESC = 12,
	PTUI_FEAT_CPU_TOPOLOGY = 13,
	PTUI_FEAT_NUMA_TOPOLOGY = 14,
	PTUI_FEAT_BRANCH_STACK = 15,
	PTUI_FEAT_PMU_MAPPINGS = 16,
	PTUI_FEAT_GROUP_DESC = 17,
	PTUI_FEAT_AUXTRACE = 18,
	PTUI_FEAT_STAT = 19,
	PTUI_FEAT_CACHE = 20,
	PTUI_FEAT_SAMPLE_TIME = 21,
	PTUI_FEAT_MEM_TOPOLOGY = 22,
	PTUI_FEAT_CLOCKID = 23,
	PTUI_FEAT_DIR_FORMAT = 24,
	PTUI_FEAT_BPF_PROG_INFO = 25,
	PTUI_FEAT_BPF_BTF = 26,
	PTUI_FEAT_COMPRESSED = 27,
	PTUI_FEAT_CPU_PMU_CAPS = 28,
	PTUI_FEAT_CLOCK_DATA = 29,
	PTUI_FEAT_HYBRID_TOPOLOGY = 30,
	PTUI_FEAT_PMU_CAPS = 31,
	PTUI_FEAT_SIMPLEPERF_FILE = 128,
	PTUI_FEAT_SIMPLEPERF_META_INFO = 129,
	PTUI_FEAT_SIMPLEPERF_FILE2 = 132,
	PTUI_FEAT_SIMPLEPERF_INIT_MAP = 134,
	PTUI_FEAT_MAX = 256, /* bits in the header's bitmap */
};

/* Paths in kernel records are shorter than PATH_MAX. */
#define PTUI_RECORD_MAX_BYTES 65536 /* header.size is 16 bits */

#endif
