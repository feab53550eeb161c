/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The header of a recording as text, in the words of perf report --header, which scripts read.
 * Format of the features: tools/perf/Documentation/perf.data-file-format.txt.
 */
#include "session/header.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "base/buf.h"
#include "base/cursor.h"
#include "base/i18n.h"
#include "base/perf_abi.h"
#include "base/text.h"
#include "base/vec.h"
#include "data/read/reader.h"
#include "event/attr_text.h"
#include "ptui/profile.h"
#include "record/header/bpf_text.h"

#define LIST_MAX	65536  /* items of one list: more is damage */
#define AUX_RECORDS_MAX 262144 /* that are read for the sizes of AUX data */
#define AUX_PLACES_MAX	1024

struct header {
	struct data_file *file;
	struct buf out;
	struct cursor c; /* of the current feature */
};

/* ---- parts of a payload ---- */

/* u32 length, then text with NUL and padding of that length. Appends it escaped. */
static void add_string(struct header *h, struct buf *out)
{
	uint32_t n = cursor_u32(&h->c);
	const char *at = cursor_bytes(&h->c, n);

	if (at)
		text_escape_n(out, at, strnlen(at, n));
}

static uint32_t list_length(struct header *h)
{
	uint32_t n = cursor_u32(&h->c);

	if (n > LIST_MAX)
		h->c.bad = true;
	return h->c.bad ? 0 : n;
}

/* "name=value, name=value" */
static void add_pairs(struct header *h, struct buf *out)
{
	uint32_t n = list_length(h);

	for (uint32_t i = 0; i < n && !h->c.bad; i++) {
		buf_add_str(out, i ? ", " : "");
		add_string(h, out);
		buf_add_char(out, '=');
		add_string(h, out);
	}
}

/* A line per item: the label, then the text. Without a label they are skipped. */
static void add_strings(struct header *h, const char *label)
{
	uint32_t n = list_length(h);

	for (uint32_t i = 0; i < n && !h->c.bad; i++) {
		if (!label) {
			cursor_bytes(&h->c, cursor_u32(&h->c));
			continue;
		}
		buf_add_str(&h->out, label);
		add_string(h, &h->out);
		buf_add_char(&h->out, '\n');
	}
}

/* ---- one function per feature ---- */

static void add_nrcpus(struct header *h)
{
	uint32_t avail = cursor_u32(&h->c), online = cursor_u32(&h->c);

	buf_addf(&h->out, "# nrcpus online : %" PRIu32 "\n# nrcpus avail : %" PRIu32 "\n", online,
		 avail);
}

static void add_total_mem(struct header *h)
{
	buf_addf(&h->out, "# total memory : %" PRIu64 " kB\n", cursor_u64(&h->c));
}

static void add_cmdline(struct header *h)
{
	uint32_t n = list_length(h);

	buf_add_str(&h->out, "# cmdline : ");
	for (uint32_t i = 0; i < n && !h->c.bad; i++) {
		uint32_t bytes = cursor_u32(&h->c);
		const char *at = cursor_bytes(&h->c, bytes);

		for (size_t k = 0; at && k < strnlen(at, bytes); k++) {
			buf_add_str(&h->out, at[k] == '\'' ? "\\" : "");
			text_escape_n(&h->out, at + k, 1);
		}
		buf_add_char(&h->out, ' ');
	}
	buf_add_char(&h->out, '\n');
}

static void add_event(struct header *h, size_t i)
{
	const struct data_event *e = data_event(h->file, i);

	buf_add_str(&h->out, "# event : name = ");
	text_escape(&h->out, e->name);
	buf_add_str(&h->out, ", ");
	for (size_t k = 0; k < e->n_ids; k++)
		buf_addf(&h->out, "%s%" PRIu64, k ? ", " : ", id = { ", e->ids[k]);
	buf_add_str(&h->out, e->n_ids ? " }" : "");
	attr_text_fields(&h->out, data_event_attr(h->file, i), " = ");
	buf_add_char(&h->out, '\n');
}

/* The attrs are those of the file, which the feature repeats. */
static void add_event_desc(struct header *h)
{
	for (size_t i = 0; i < data_n_events(h->file); i++)
		add_event(h, i);
	cursor_bytes(&h->c, cursor_left(&h->c));
}

static void add_cpus(struct header *h, uint32_t n, struct cursor dies)
{
	bool has_dies = n && cursor_left(&dies) >= (size_t)n * 4;

	if (!n)
		buf_add_str(&h->out, "# Core ID and Socket ID information is not available\n");
	for (uint32_t i = 0; i < n; i++) {
		uint32_t core = cursor_u32(&h->c), socket = cursor_u32(&h->c);

		buf_addf(&h->out, "# CPU %" PRIu32 ": Core ID %" PRId32, i, (int32_t)core);
		if (has_dies)
			buf_addf(&h->out, ", Die ID %" PRId32, (int32_t)cursor_u32(&dies));
		buf_addf(&h->out, ", Socket ID %" PRId32 "\n", (int32_t)socket);
	}
}

static uint32_t count_cpus(const struct header *h)
{
	size_t n = 0;
	const void *bytes = data_feature(h->file, PTUI_FEAT_NRCPUS, &n);
	struct cursor c;

	if (!bytes)
		return 0;
	cursor_init(&c, bytes, n, data_swapped(h->file));
	return cursor_u32(&c);
}

/*
 *   [ sockets: strings ][ threads: strings ][ core, socket × CPUs ][ dies: strings ][ die × CPUs ]
 *
 * The dies are printed before the threads. Files lack them before Linux 5.3, and ids before 4.5.
 */
static void add_cpu_topology(struct header *h)
{
	struct cursor threads, ids, dies;
	uint32_t cpus = count_cpus(h);

	add_strings(h, "# sibling sockets : ");
	threads = h->c;
	add_strings(h, NULL);
	ids = h->c;
	if (cpus > cursor_left(&h->c) / 8)
		cpus = 0;
	cursor_bytes(&h->c, (size_t)cpus * 8);
	dies = h->c;
	if (cpus && cursor_left(&h->c) >= 4) {
		add_strings(h, "# sibling dies    : ");
		dies = h->c;
	}
	h->c = threads;
	add_strings(h, "# sibling threads : ");
	h->c = ids;
	add_cpus(h, cpus, dies);
}

static void add_numa_topology(struct header *h)
{
	uint32_t n = list_length(h);

	for (uint32_t i = 0; i < n && !h->c.bad; i++) {
		uint32_t node = cursor_u32(&h->c);
		uint64_t total = cursor_u64(&h->c), free_kb = cursor_u64(&h->c);

		buf_addf(&h->out,
			 "# node%" PRIu32 " meminfo  : total = %" PRIu64 " kB, free = %" PRIu64
			 " kB\n# node%" PRIu32 " cpu list : ",
			 node, total, free_kb, node);
		add_string(h, &h->out);
		buf_add_char(&h->out, '\n');
	}
}

static void add_pmu_mappings(struct header *h)
{
	uint32_t n = list_length(h);

	buf_add_str(&h->out, n ? "# pmu mappings: " : "# pmu mappings: not available");
	for (uint32_t i = 0; i < n && !h->c.bad; i++) {
		uint32_t type = cursor_u32(&h->c);

		buf_add_str(&h->out, i ? ", " : "");
		add_string(h, &h->out);
		buf_addf(&h->out, " = %" PRIu32, type);
	}
	buf_add_char(&h->out, '\n');
}

static void add_group_desc(struct header *h)
{
	uint32_t n = list_length(h);

	for (uint32_t i = 0; i < n && !h->c.bad; i++) {
		uint32_t bytes = cursor_u32(&h->c), leader, members;
		const char *name = cursor_bytes(&h->c, bytes);

		leader = cursor_u32(&h->c);
		members = cursor_u32(&h->c);
		if (h->c.bad || leader >= data_n_events(h->file) || members < 2)
			continue;
		buf_add_str(&h->out, "# group: ");
		if (strnlen(name, bytes) != strlen("{anon_group}") ||
		    memcmp(name, "{anon_group}", strlen("{anon_group}")))
			text_escape_n(&h->out, name, strnlen(name, bytes));
		for (uint32_t k = 0; k < members && leader + k < data_n_events(h->file); k++) {
			buf_add_char(&h->out, k ? ',' : '{');
			text_escape(&h->out, data_event(h->file, leader + k)->name);
		}
		buf_add_str(&h->out, "}\n");
	}
}

static void add_cache(struct header *h)
{
	uint32_t version = cursor_u32(&h->c), n;

	if (version != 1)
		return;
	n = list_length(h);
	buf_add_str(&h->out, "# CPU cache info:\n");
	for (uint32_t i = 0; i < n && !h->c.bad; i++) {
		uint32_t level = cursor_u32(&h->c);
		struct buf type = BUF_INIT, size = BUF_INIT;

		cursor_bytes(&h->c, 3 * 4); /* line size, sets, ways */
		add_string(h, &type);
		add_string(h, &size);
		buf_addf(&h->out, "#  L%" PRIu32 " %-15s %8s [", level, buf_str(&type),
			 buf_str(&size));
		add_string(h, &h->out);
		buf_add_str(&h->out, "]\n");
		buf_release(&type);
		buf_release(&size);
	}
}

static void add_time(struct header *h, const char *label, uint64_t ns)
{
	buf_addf(&h->out, "# %s : %" PRIu64 ".%06" PRIu64 "\n", label, ns / 1000000000,
		 ns % 1000000000 / 1000);
}

static void add_sample_time(struct header *h)
{
	uint64_t first_ns = cursor_u64(&h->c), last_ns = cursor_u64(&h->c);

	add_time(h, "time of first sample", first_ns);
	add_time(h, "time of last sample", last_ns);
	buf_addf(&h->out, "# sample duration : %10.3f ms\n", (double)(last_ns - first_ns) / 1e6);
}

/* A bitmap as "0-3,7". */
static void add_ranges(struct header *h, uint64_t bits)
{
	uint64_t start = UINT64_MAX, word = 0;
	const char *comma = "";

	for (uint64_t i = 0; i <= bits && !h->c.bad; i++) {
		if (i % 64 == 0 && i < bits)
			word = cursor_u64(&h->c);
		if (i < bits && word >> i % 64 & 1) {
			if (start == UINT64_MAX)
				start = i;
			continue;
		}
		if (start == UINT64_MAX)
			continue;
		buf_addf(&h->out, "%s%" PRIu64, comma, start);
		if (i - 1 > start)
			buf_addf(&h->out, "-%" PRIu64, i - 1);
		comma = ",";
		start = UINT64_MAX;
	}
}

static uint64_t count_bits(struct cursor c, uint64_t bits)
{
	uint64_t n = 0;

	for (uint64_t i = 0; i < bits && !c.bad; i += 64)
		n += (uint64_t)__builtin_popcountll(cursor_u64(&c));
	return n;
}

static void add_mem_topology(struct header *h)
{
	uint64_t version = cursor_u64(&h->c), block = cursor_u64(&h->c), n = cursor_u64(&h->c);

	if (version != 1)
		return;
	buf_addf(&h->out, "# memory nodes (nr %" PRIu64 ", block size %#" PRIx64 "):\n", n, block);
	for (uint64_t i = 0; i < n && i < LIST_MAX && !h->c.bad; i++) {
		uint64_t node = cursor_u64(&h->c), size = cursor_u64(&h->c), bits, bytes;
		unsigned unit = 0;

		(void)size;
		bits = cursor_u64(&h->c);
		bytes = block * count_bits(h->c, bits);
		for (; bytes >= 1024 && unit < 3; unit++)
			bytes /= 1024;
		buf_addf(&h->out, "#  %3" PRIu64 " [%" PRIu64 "%c]: ", node, bytes, "BKMG"[unit]);
		add_ranges(h, bits);
		buf_add_char(&h->out, '\n');
	}
}

static void add_clockid(struct header *h)
{
	buf_addf(&h->out, "# clockid frequency: %" PRIu64 " MHz\n", cursor_u64(&h->c) * 1000);
}

static const char *clock_name(uint32_t clockid)
{
	static const char *const names[] = {
		[CLOCK_REALTIME] = "realtime",
		[CLOCK_MONOTONIC] = "monotonic",
		[CLOCK_PROCESS_CPUTIME_ID] = "process_cputime_id",
		[CLOCK_THREAD_CPUTIME_ID] = "thread_cputime_id",
		[CLOCK_MONOTONIC_RAW] = "monotonic_raw",
		[CLOCK_REALTIME_COARSE] = "realtime_coarse",
		[CLOCK_MONOTONIC_COARSE] = "monotonic_coarse",
		[CLOCK_BOOTTIME] = "boottime",
		[CLOCK_TAI] = "tai",
	};

	return clockid < sizeof(names) / sizeof(*names) && names[clockid] ? names[clockid] :
									    "(not found)";
}

static void add_clock_data(struct header *h)
{
	uint32_t version = cursor_u32(&h->c), clockid = cursor_u32(&h->c);
	uint64_t tod_ns = cursor_u64(&h->c), clock_ns = cursor_u64(&h->c);
	time_t seconds = (time_t)(tod_ns / 1000000000);
	char text[64] = "";
	struct tm tm;

	if (version != 1)
		return;
	if (localtime_r(&seconds, &tm))
		strftime(text, sizeof(text), "%F %T", &tm);
	buf_addf(&h->out, "# clockid: %s (%" PRIu32 ")\n", clock_name(clockid), clockid);
	buf_addf(&h->out,
		 "# reference time: %s.%06" PRIu64 " = %" PRIu64 ".%06" PRIu64 " (TOD) = %" PRIu64
		 ".%09" PRIu64 " (%s)\n",
		 text, tod_ns % 1000000000 / 1000, tod_ns / 1000000000, tod_ns % 1000000000 / 1000,
		 clock_ns / 1000000000, clock_ns % 1000000000, clock_name(clockid));
}

struct aux_place {
	int32_t cpu, tid;
	uint64_t records, bytes;
};

static struct aux_place *find_place(struct aux_place *v, size_t n, const struct data_auxtrace *a)
{
	for (size_t i = 0; i < n; i++)
		if (v[i].cpu == a->cpu && v[i].tid == a->tid)
			return &v[i];
	return NULL;
}

/* perf's line, and a line of ours for each CPU and thread that the index has data of. */
static void add_auxtrace(struct header *h)
{
	struct aux_place *v = NULL, *place;
	size_t n = 0, cap = 0;
	struct data_auxtrace a;
	int ret = 0;

	buf_add_str(&h->out, "# contains AUX area data (e.g. instruction trace)\n");
	for (size_t i = 0; i < AUX_RECORDS_MAX && !ret; i++) {
		ret = data_auxtrace_at(h->file, i, &a);
		if (ret)
			break;
		place = find_place(v, n, &a);
		if (!place && (n == AUX_PLACES_MAX || vec_grow(&v, &cap, n + 1)))
			break;
		if (!place) {
			place = &v[n++];
			*place = (struct aux_place){ .cpu = a.cpu, .tid = a.tid };
		}
		place->records++;
		place->bytes += a.bytes;
	}
	for (size_t i = 0; i < n; i++) {
		buf_add_str(&h->out, "#  AUX area data");
		if (v[i].cpu >= 0)
			buf_addf(&h->out, " of CPU %" PRId32, v[i].cpu);
		if (v[i].tid >= 0)
			buf_addf(&h->out, " of thread %" PRId32, v[i].tid);
		buf_addf(&h->out, ": %" PRIu64 " bytes in AUXTRACE records: %" PRIu64 "\n",
			 v[i].bytes, v[i].records);
	}
	free(v);
	h->c.bad |= ret == -EBADMSG;
}

static void add_dir_format(struct header *h)
{
	buf_addf(&h->out, "# directory data version : %" PRIu64 "\n", cursor_u64(&h->c));
}

static void add_bpf_prog_info(struct header *h)
{
	bpf_text_add(h->file, &h->out);
}

static void add_bpf_btf(struct header *h)
{
	uint32_t n = list_length(h);

	for (uint32_t i = 0; i < n && !h->c.bad; i++) {
		uint32_t id = cursor_u32(&h->c), bytes = cursor_u32(&h->c);

		cursor_bytes(&h->c, bytes);
		buf_addf(&h->out, "# btf info of id %" PRIu32 "\n", id);
	}
}

static void add_compressed(struct header *h)
{
	uint32_t type, level, ratio;

	cursor_u32(&h->c); /* version */
	type = cursor_u32(&h->c);
	level = cursor_u32(&h->c);
	ratio = cursor_u32(&h->c);
	buf_addf(&h->out, "# compressed : %s, level = %" PRIu32 ", ratio = %" PRIu32 "\n",
		 type == 1 ? "Zstd" : "Unknown", level, ratio);
}

static void add_cpu_pmu_caps(struct header *h)
{
	buf_add_str(&h->out, "# cpu pmu capabilities: ");
	add_pairs(h, &h->out);
	buf_add_char(&h->out, '\n');
}

/* u32 n, { pairs, string pmu } × n; the name is printed first */
static void add_pmu_caps(struct header *h)
{
	uint32_t n = list_length(h);

	for (uint32_t i = 0; i < n && !h->c.bad; i++) {
		struct buf caps = BUF_INIT;

		add_pairs(h, &caps);
		buf_add_str(&h->out, "# ");
		add_string(h, &h->out);
		buf_addf(&h->out, " pmu capabilities: %s\n", buf_str(&caps));
		buf_release(&caps);
	}
}

static void add_hybrid_topology(struct header *h)
{
	uint32_t n = list_length(h);

	buf_add_str(&h->out, "# hybrid cpu system:\n");
	for (uint32_t i = 0; i < n && !h->c.bad; i++) {
		buf_add_str(&h->out, "# ");
		add_string(h, &h->out);
		buf_add_str(&h->out, " cpu list : ");
		add_string(h, &h->out);
		buf_add_char(&h->out, '\n');
	}
}

/* simpleperf: { key NUL, value NUL } … */
static void add_meta_info(struct header *h)
{
	while (cursor_left(&h->c)) {
		const char *key = (const char *)h->c.p;
		size_t n = strnlen(key, cursor_left(&h->c)) + 1, left;
		const char *value = key + n;

		if (!cursor_bytes(&h->c, n))
			return;
		left = cursor_left(&h->c);
		if (!cursor_bytes(&h->c, strnlen(value, left) + 1))
			return;
		buf_add_str(&h->out, "# meta info : ");
		text_escape(&h->out, key);
		buf_add_str(&h->out, " = ");
		text_escape(&h->out, value);
		buf_add_char(&h->out, '\n');
	}
}

/* ---- the table ---- */

struct feature {
	const char *label; /* of a text feature */
	void (*add)(struct header *h);
	bool info_only;	  /* long: only with -I */
	const char *text; /* says that the feature is there */
};

#define SIMPLEPERF_META_INFO 129
#define PERF_FEATURES	     32 /* those that perf 6.1 knows, and lists as missing */

static const struct feature features[SIMPLEPERF_META_INFO + 1] = {
	[PTUI_FEAT_HOSTNAME] = { .label = "hostname" },
	[PTUI_FEAT_OSRELEASE] = { .label = "os release" },
	[PTUI_FEAT_VERSION] = { .label = "perf version" },
	[PTUI_FEAT_ARCH] = { .label = "arch" },
	[PTUI_FEAT_NRCPUS] = { .add = add_nrcpus },
	[PTUI_FEAT_CPUDESC] = { .label = "cpudesc" },
	[PTUI_FEAT_CPUID] = { .label = "cpuid" },
	[PTUI_FEAT_TOTAL_MEM] = { .add = add_total_mem },
	[PTUI_FEAT_CMDLINE] = { .add = add_cmdline },
	[PTUI_FEAT_EVENT_DESC] = { .add = add_event_desc },
	[PTUI_FEAT_CPU_TOPOLOGY] = { .add = add_cpu_topology, .info_only = true },
	[PTUI_FEAT_NUMA_TOPOLOGY] = { .add = add_numa_topology, .info_only = true },
	[PTUI_FEAT_BRANCH_STACK] = { .text = "contains samples with branch stack" },
	[PTUI_FEAT_PMU_MAPPINGS] = { .add = add_pmu_mappings },
	[PTUI_FEAT_GROUP_DESC] = { .add = add_group_desc },
	[PTUI_FEAT_AUXTRACE] = { .add = add_auxtrace },
	[PTUI_FEAT_STAT] = { .text = "contains stat data" },
	[PTUI_FEAT_CACHE] = { .add = add_cache, .info_only = true },
	[PTUI_FEAT_SAMPLE_TIME] = { .add = add_sample_time },
	[PTUI_FEAT_MEM_TOPOLOGY] = { .add = add_mem_topology, .info_only = true },
	[PTUI_FEAT_CLOCKID] = { .add = add_clockid },
	[PTUI_FEAT_DIR_FORMAT] = { .add = add_dir_format },
	[PTUI_FEAT_BPF_PROG_INFO] = { .add = add_bpf_prog_info },
	[PTUI_FEAT_BPF_BTF] = { .add = add_bpf_btf },
	[PTUI_FEAT_COMPRESSED] = { .add = add_compressed },
	[PTUI_FEAT_CPU_PMU_CAPS] = { .add = add_cpu_pmu_caps },
	[PTUI_FEAT_CLOCK_DATA] = { .add = add_clock_data },
	[PTUI_FEAT_HYBRID_TOPOLOGY] = { .add = add_hybrid_topology, .info_only = true },
	[PTUI_FEAT_PMU_CAPS] = { .add = add_pmu_caps },
	[SIMPLEPERF_META_INFO] = { .add = add_meta_info },
};

static void add_feature(struct header *h, unsigned i, bool info)
{
	const struct feature *f = &features[i];
	size_t n = 0, start = h->out.len;
	const void *bytes = data_feature(h->file, i, &n);

	if (!bytes || (!f->label && !f->add && !f->text))
		return;
	if (f->info_only && !info) {
		buf_addf(&h->out, "# %s info available, use -I to display\n", data_feature_name(i));
		return;
	}
	cursor_init(&h->c, bytes, n, data_swapped(h->file));
	if (f->label) {
		buf_addf(&h->out, "# %s : ", f->label);
		add_string(h, &h->out);
		buf_add_char(&h->out, '\n');
	} else if (f->text) {
		buf_addf(&h->out, "# %s\n", f->text);
	} else {
		f->add(h);
	}
	if (h->c.bad) {
		h->out.len = start;
		buf_addf(&h->out, "# %s: damaged\n", data_feature_name(i));
	}
}

static void add_missing(struct header *h)
{
	buf_add_str(&h->out, "# missing features: ");
	for (unsigned i = PTUI_FEAT_TRACING_DATA; i < PERF_FEATURES; i++) {
		if (!data_has_feature(h->file, i))
			buf_addf(&h->out, "%s ", data_feature_name(i));
	}
	buf_add_char(&h->out, '\n');
}

/* The header has no date, but the recording ends with the last change of the file. */
static void add_file(struct header *h)
{
	time_t mtime = (time_t)(data_mtime_ns(h->file) / 1000000000);
	struct data_layout layout;
	char text[64];
	struct tm tm;

	data_layout(h->file, &layout);
	if (mtime && localtime_r(&mtime, &tm) &&
	    strftime(text, sizeof(text), "%a %b %e %T %Y", &tm))
		buf_addf(&h->out, "# captured on    : %s\n", text);
	buf_addf(&h->out, "# header version : %u\n", 1);
	buf_addf(&h->out, "# data offset    : %" PRIu64 "\n", layout.data_off);
	buf_addf(&h->out, "# data size      : %" PRIu64 "\n", layout.data_bytes);
	buf_addf(&h->out, "# feat offset    : %" PRIu64 "\n", layout.features_off);
}

unsigned header_max_branches(struct data_file *file)
{
	static const char name[] = ", branches=";
	struct header h = { .file = file, .out = BUF_INIT };
	size_t n = 0;
	const void *bytes = data_feature(file, PTUI_FEAT_CPU_PMU_CAPS, &n);
	const char *at;
	unsigned ret = 0;

	if (!bytes)
		return 0;
	cursor_init(&h.c, bytes, n, data_swapped(file));
	buf_add_str(&h.out, ", ");
	add_pairs(&h, &h.out);
	at = strstr(buf_str(&h.out), name);
	if (at)
		ret = (unsigned)strtoul(at + strlen(name), NULL, 10);
	buf_release(&h.out);
	return ret;
}

char *header_text(struct data_file *file, bool info)
{
	struct header h = { .file = file, .out = BUF_INIT };

	buf_add_str(&h.out, "# ========\n");
	add_file(&h);
	if (data_is_pipe(file))
		buf_add_str(&h.out, "# ========\n#\n");
	for (unsigned i = 0; i <= SIMPLEPERF_META_INFO; i++)
		add_feature(&h, i, info);
	if (!data_is_pipe(file)) {
		add_missing(&h);
		buf_add_str(&h.out, "# ========\n#\n");
	}
	return buf_take(&h.out);
}

char *ptui_recording_header(const char *path, bool info, struct ptui_error *err)
{
	struct data_file *file = data_open(path, err, NULL);
	char *text;

	if (!file)
		return NULL;
	text = header_text(file, info);
	data_close(file);
	if (!text)
		ptui_error_nomem(err);
	return text;
}

/* u32 words, { u32 length, text with NUL and padding } × words. */
static char **read_command(struct cursor *c)
{
	const struct cursor begin = *c;
	uint32_t n = cursor_u32(c);
	size_t bytes = 0;
	char **words, *to;

	for (uint32_t i = 0; i < n && !c->bad; i++) {
		uint32_t len = cursor_u32(c);
		const char *at = cursor_bytes(c, len);

		bytes += at ? strnlen(at, len) + 1 : 0;
	}
	if (c->bad || !n)
		return NULL;
	words = calloc(1, ((size_t)n + 1) * sizeof(*words) + bytes);
	if (!words)
		return NULL;
	to = (char *)(words + n + 1);
	*c = begin;
	cursor_u32(c);
	for (uint32_t i = 0; i < n; i++) {
		uint32_t len = cursor_u32(c);
		const char *at = cursor_bytes(c, len);

		len = (uint32_t)strnlen(at, len);
		memcpy(to, at, len);
		words[i] = to;
		to += len + 1;
	}
	return words;
}

char *ptui_missing_sections(const struct ptui_trust *t)
{
	struct buf out = BUF_INIT;

	for (unsigned i = 0; i < PTUI_FEAT_MAX; i++) {
		const char *name = data_feature_name(i);

		if (!(t->missing_sections[i / 64] >> i % 64 & 1))
			continue;
		buf_addf(&out, "%s", out.len ? ", " : "");
		if (name)
			buf_add_str(&out, name);
		else
			buf_addf(&out, "%u", i);
	}
	return buf_take(&out);
}

char **ptui_recording_command(const char *path, struct ptui_error *err)
{
	struct data_file *file = data_open(path, err, NULL);
	const void *bytes;
	char **words = NULL;
	struct cursor c;
	size_t n = 0;

	if (!file)
		return NULL;
	bytes = data_feature(file, PTUI_FEAT_CMDLINE, &n);
	if (bytes) {
		cursor_init(&c, bytes, n, data_swapped(file));
		words = read_command(&c);
	}
	if (!words)
		ptui_error_set(err, PTUI_ERROR_FORMAT, ENODATA, path,
			       _("%s does not contain the command line of its recording"), path);
	data_close(file);
	return words;
}
