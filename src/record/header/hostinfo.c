/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A table of features and their finders. A finder appends the payload, or leaves the buffer empty
 * if the machine does not provide it.
 */
#include "record/header/hostinfo.h"

#include <ctype.h>
#include <string.h>
#include <sys/utsname.h>
#include "base/perf_abi.h"
#include "data/write/feature_payload.h"
#include "record/header/hostinfo_parts.h"

#if defined(__x86_64__) || defined(__i386__)
#include <cpuid.h>
#endif

static int find_hostname(const struct roots *roots, struct buf *out)
{
	struct utsname uts;

	(void)roots;
	if (!uname(&uts))
		feature_string(out, uts.nodename);
	return 0;
}

static int find_osrelease(const struct roots *roots, struct buf *out)
{
	struct utsname uts;

	(void)roots;
	if (!uname(&uts))
		feature_string(out, uts.release);
	return 0;
}

static int find_arch(const struct roots *roots, struct buf *out)
{
	struct utsname uts;

	(void)roots;
	if (!uname(&uts))
		feature_string(out, uts.machine);
	return 0;
}

static int find_version(const struct roots *roots, struct buf *out)
{
	(void)roots;
	feature_string(out, PACKAGE_STRING);
	return 0;
}

static int find_nrcpus(const struct roots *roots, struct buf *out)
{
	uint32_t present = hostinfo_cpus(roots, "present", NULL), online = 0;

	hostinfo_cpus(roots, "online", &online);
	if (present)
		feature_nrcpus(out, present, online ? online : 1);
	return 0;
}

/* The value of the first line "key : value", with runs of blanks reduced to one. */
static bool proc_value(const char *text, const char *key, struct buf *out)
{
	size_t key_n = strlen(key);
	const char *p;

	for (const char *line = text; line && *line; line = strchr(line, '\n')) {
		line += *line == '\n';
		if (strncmp(line, key, key_n))
			continue;
		p = line + key_n;
		p += strspn(p, " \t");
		if (*p++ != ':')
			continue;
		for (p += strspn(p, " \t"); *p && *p != '\n'; p++)
			if (!isspace((unsigned char)*p))
				buf_add_char(out, *p);
			else if (p[1] && !isspace((unsigned char)p[1]))
				buf_add_char(out, ' ');
		return true;
	}
	return false;
}

/* Each architecture has its own key. */
static int find_cpudesc(const struct roots *roots, struct buf *out)
{
	static const char *const keys[] = { "model name", "Model Name", "vendor_id", "cpu",
					    "Processor",  "cpu model",	"uarch" };
	struct buf text = BUF_INIT, value = BUF_INIT;

	if (!file_readf(&text, (size_t)16 << 20, "%s/cpuinfo", roots->proc))
		for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++)
			if (proc_value(buf_str(&text), keys[i], &value))
				break;
	if (value.len)
		feature_string(out, buf_str(&value));
	buf_release(&text);
	buf_release(&value);
	return 0;
}

#if defined(__x86_64__) || defined(__i386__)
/* "AuthenticAMD,25,17,1": vendor, family, model, stepping, including the extended parts. */
static int find_cpuid(const struct roots *roots, struct buf *out)
{
	unsigned level, a, b, c, d, family, model;
	struct buf text = BUF_INIT;
	char vendor[13] = "";

	(void)roots;
	if (!__get_cpuid(0, &level, &b, &c, &d))
		return 0;
	memcpy(vendor, &b, 4);
	memcpy(vendor + 4, &d, 4);
	memcpy(vendor + 8, &c, 4);
	if (!__get_cpuid(1, &a, &b, &c, &d))
		return 0;
	family = a >> 8 & 0xf;
	model = a >> 4 & 0xf;
	if (family >= 6)
		model |= (a >> 16 & 0xf) << 4;
	if (family == 0xf)
		family += a >> 20 & 0xff;
	buf_addf(&text, "%s,%u,%u,%u", vendor, family, model, a & 0xf);
	feature_string(out, buf_str(&text));
	buf_release(&text);
	return 0;
}
#else
/* ARM64: the MIDR register in sysfs, if it exists. */
static int find_cpuid(const struct roots *roots, struct buf *out)
{
	struct buf text = BUF_INIT;

	if (!hostinfo_line(&text, "%s/devices/system/cpu/cpu0/regs/identification/midr_el1",
			   roots->sysfs))
		feature_string(out, buf_str(&text));
	buf_release(&text);
	return 0;
}
#endif

static int find_total_mem(const struct roots *roots, struct buf *out)
{
	struct buf text = BUF_INIT, value = BUF_INIT;

	if (!file_readf(&text, 1 << 20, "%s/meminfo", roots->proc) &&
	    proc_value(buf_str(&text), "MemTotal", &value))
		feature_total_mem(out, strtoull(buf_str(&value), NULL, 10));
	buf_release(&text);
	buf_release(&value);
	return 0;
}

static const struct {
	unsigned feature;
	int (*find)(const struct roots *roots, struct buf *out);
} finders[] = {
	{ PTUI_FEAT_HOSTNAME, find_hostname },
	{ PTUI_FEAT_OSRELEASE, find_osrelease },
	{ PTUI_FEAT_VERSION, find_version },
	{ PTUI_FEAT_ARCH, find_arch },
	{ PTUI_FEAT_NRCPUS, find_nrcpus },
	{ PTUI_FEAT_CPUDESC, find_cpudesc },
	{ PTUI_FEAT_CPUID, find_cpuid },
	{ PTUI_FEAT_TOTAL_MEM, find_total_mem },
	{ PTUI_FEAT_CPU_TOPOLOGY, hostinfo_cpu_topology },
	{ PTUI_FEAT_NUMA_TOPOLOGY, hostinfo_numa_topology },
	{ PTUI_FEAT_PMU_MAPPINGS, hostinfo_pmu_mappings },
	{ PTUI_FEAT_CACHE, hostinfo_caches },
	{ PTUI_FEAT_MEM_TOPOLOGY, hostinfo_mem_topology },
	{ PTUI_FEAT_CPU_PMU_CAPS, hostinfo_cpu_pmu_caps },
	{ PTUI_FEAT_PMU_CAPS, hostinfo_pmu_caps },
};

int hostinfo_features(const struct roots *roots,
		      int (*put)(void *ctx, unsigned feature, const void *bytes, size_t n),
		      void *ctx, struct ptui_error *err)
{
	struct buf out = BUF_INIT;
	int ret = 0;

	for (size_t i = 0; i < sizeof(finders) / sizeof(*finders) && !ret; i++) {
		buf_clear(&out);
		ret = finders[i].find(roots, &out);
		if (!ret)
			ret = out.err;
		if (ret)
			ptui_error_nomem(err);
		else if (out.len)
			ret = put(ctx, finders[i].feature, out.data, out.len);
	}
	buf_release(&out);
	return ret;
}
