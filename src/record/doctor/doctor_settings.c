/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The kernel, its sysctls and limits. */
#include <fcntl.h>
#include <string.h>
#include <unistd.h>
#include "base/file.h"
#include "base/i18n.h"
#include "kernel/event_open.h"
#include "record/doctor/doctor.h"

#define SYSCTL	    "sys/kernel/"
#define USUAL_HZ    4000
#define USUAL_STACK 127

static bool check_kernel(const struct doctor *d, struct ptui_finding *f)
{
	struct event ev = { .name = (char *)"dummy:u", .kind = EVENT_SOFTWARE };
	struct ptui_error why = PTUI_ERROR_INIT;
	int ret;

	doctor_read(f->value, sizeof(f->value), d->ops->roots.proc, SYSCTL "osrelease");
	ev.attr.size = PTUI_ATTR_SIZE_VER0;
	ev.attr.type = PERF_TYPE_SOFTWARE;
	ev.attr.config = PERF_COUNT_SW_DUMMY;
	ev.attr.disabled = ev.attr.exclude_kernel = ev.attr.exclude_hv = 1;
	ret = event_open_probe(d->ops, &ev.attr);
	if (!ret)
		return doctor_report(f, PTUI_HEALTH_GOOD, _("Perf events can be opened."), NULL);
	f->health = PTUI_HEALTH_REFUSED;
	diagnose_open(d->ops, &ev, 0, -1, -ret, 1, &why);
	DOCTOR_SAY(f->means, _("Recording is not possible: %s"), why.text);
	DOCTOR_SAY(f->lift, "%s", why.hint);
	return true;
}

static bool check_paranoid(const struct doctor *d, struct ptui_finding *f)
{
	static const char *const levels[] = {
		N_("All users may measure the whole system, except raw tracepoint data."),
		N_("Users may measure their own processes in user and kernel mode, but not whole "
		   "CPUs."),
		N_("Users may measure their own processes in user mode only."),
		N_("Unprivileged users may not measure anything."),
	};
	int level = d->paranoid > 3 ? 3 : d->paranoid;

	DOCTOR_SAY(f->value, "%d", d->paranoid);
	if (level < 0)
		return doctor_report(f, PTUI_HEALTH_GOOD, _("All users may measure everything."),
				     NULL);
	if (d->may_all) {
		DOCTOR_SAY(f->means, _("%s This does not restrict you."), _(levels[level]));
		return true;
	}
	return doctor_report(
		f, level == 3 ? PTUI_HEALTH_REFUSED : PTUI_HEALTH_LIMITED, _(levels[level]),
		_("as root: sysctl kernel.perf_event_paranoid=1 (kernel mode), 0 (whole CPUs) or "
		  "-1 (tracepoints); or run as root, or: setcap cap_perfmon+ep on this program"));
}

/* Reads only the start of a long file. */
static bool read_start(char *ret, size_t size, const char *root, const char *name)
{
	struct buf path = BUF_INIT;
	ssize_t got = -1;
	int fd = -1;

	buf_addf(&path, "%s/%s", root, name);
	if (!path.err)
		fd = open(buf_str(&path), O_RDONLY | O_CLOEXEC);
	if (fd >= 0) {
		got = file_read_full(fd, ret, size - 1);
		close(fd);
	}
	buf_release(&path);
	ret[got > 0 ? got : 0] = '\0';
	return got > 0;
}

/* Besides the sysctl, other settings hide addresses too: read some. */
static bool check_kptr(const struct doctor *d, struct ptui_finding *f)
{
	char first[128] = "";

	if (!doctor_read(f->value, sizeof(f->value), d->ops->roots.proc, SYSCTL "kptr_restrict"))
		return false;
	if (!read_start(first, sizeof(first), d->ops->roots.proc, "kallsyms"))
		return doctor_report(
			f, PTUI_HEALTH_LIMITED,
			_("Kernel symbols cannot be read: kernel functions are shown as "
			  "addresses."),
			NULL);
	if (strspn(first, "0") < strcspn(first, " "))
		return doctor_report(f, PTUI_HEALTH_GOOD, _("Kernel symbols are readable."), NULL);
	return doctor_report(
		f, PTUI_HEALTH_LIMITED,
		_("Kernel addresses are hidden: kernel functions are shown as addresses."),
		_("as root: sysctl kernel.kptr_restrict=0; users without CAP_SYSLOG also "
		  "require kernel.perf_event_paranoid=1 or lower"));
}

static bool check_mlock(const struct doctor *d, struct ptui_finding *f)
{
	struct rlimit limit = { 0, 0 };

	DOCTOR_SAY(f->value, "%ld KiB", diagnose_mlock_kb(d->ops));
	if (d->may_all || diagnose_has_cap(&d->rights, CAP_BIT_IPC_LOCK) || d->paranoid < 0)
		return doctor_report(
			f, PTUI_HEALTH_GOOD,
			_("This does not limit you: ring buffers may have any size (-m)."), NULL);
	f->health = PTUI_HEALTH_NOTE;
	d->ops->get_rlimit(d->ops->ctx, RLIMIT_MEMLOCK, &limit);
	if (limit.rlim_cur == RLIM_INFINITY)
		DOCTOR_SAY(f->means, "%s",
			   _("Memory for ring buffers per CPU; your locked memory is unlimited."));
	else
		DOCTOR_SAY(f->means,
			   _("Memory for ring buffers per CPU, for all recordings of a user "
			     "together; beyond that ulimit -l applies: %llu KiB."),
			   (unsigned long long)limit.rlim_cur / 1024);
	DOCTOR_SAY(f->lift, "%s",
		   _("as root: sysctl kernel.perf_event_mlock_kb=16384; or a higher ulimit -l"));
	return true;
}

static bool check_rate(const struct doctor *d, struct ptui_finding *f)
{
	long long hz, percent = 0;

	if (!doctor_number(d->ops->roots.proc, SYSCTL "perf_event_max_sample_rate", &hz))
		return false;
	doctor_number(d->ops->roots.proc, SYSCTL "perf_cpu_time_max_percent", &percent);
	f->health = hz < USUAL_HZ ? PTUI_HEALTH_LIMITED : PTUI_HEALTH_GOOD;
	DOCTOR_SAY(f->value, "%lld", hz);
	DOCTOR_SAY(f->means,
		   _("Maximum sampling frequency in Hz (-F max). The kernel lowers it when "
		     "sampling takes more than %lld%% of a CPU."),
		   percent);
	if (hz < USUAL_HZ)
		DOCTOR_SAY(f->lift, _("as root: sysctl kernel.perf_event_max_sample_rate=%d"),
			   100000);
	return true;
}

static bool check_stack(const struct doctor *d, struct ptui_finding *f)
{
	long long frames;

	if (!doctor_number(d->ops->roots.proc, SYSCTL "perf_event_max_stack", &frames))
		return false;
	DOCTOR_SAY(f->value, "%lld", frames);
	return doctor_report(
		f, frames < USUAL_STACK ? PTUI_HEALTH_LIMITED : PTUI_HEALTH_GOOD,
		_("Maximum number of frames in a callchain; deeper callchains are truncated."),
		frames < USUAL_STACK ? _("as root: sysctl kernel.perf_event_max_stack=127") : NULL);
}

static bool check_watchdog(const struct doctor *d, struct ptui_finding *f)
{
	long long on;

	if (!doctor_number(d->ops->roots.proc, SYSCTL "nmi_watchdog", &on))
		return false;
	DOCTOR_SAY(f->value, "%lld", on);
	if (on)
		return doctor_report(
			f, PTUI_HEALTH_NOTE,
			_("The NMI watchdog occupies one hardware counter on each CPU."),
			_("as root: sysctl kernel.nmi_watchdog=0"));
	return doctor_report(f, PTUI_HEALTH_GOOD,
			     _("The NMI watchdog is off and occupies no hardware counter."), NULL);
}

static bool check_files(const struct doctor *d, struct ptui_finding *f)
{
	struct rlimit limit = { 0, 0 };

	d->ops->get_rlimit(d->ops->ctx, RLIMIT_NOFILE, &limit);
	DOCTOR_SAY(f->value, "%llu (%llu)", (unsigned long long)limit.rlim_cur,
		   (unsigned long long)limit.rlim_max);
	return doctor_report(
		f, PTUI_HEALTH_NOTE,
		_("Each counter is an open file: one per event, CPU and attached thread. ptui "
		  "raises the limit up to the number in parentheses."),
		NULL);
}

const struct doctor_row doctor_settings[] = {
	{ N_("Kernel"), "kernel", check_kernel },
	{ N_("Kernel"), "perf_event_paranoid", check_paranoid },
	{ N_("Kernel"), "kptr_restrict", check_kptr },
	{ N_("Kernel"), "perf_event_mlock_kb", check_mlock },
	{ N_("Kernel"), "perf_event_max_sample_rate", check_rate },
	{ N_("Kernel"), "perf_event_max_stack", check_stack },
	{ N_("Kernel"), "nmi_watchdog", check_watchdog },
	{ N_("Kernel"), "open_files", check_files },
	{ .key = NULL },
};
