/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Whether a file or kernel of this machine is the recorded one: names from another one would look
 * just as plausible.
 *
 *                     by build-id                else
 *   kernel            sysfs: kernel/notes        host, release and address equal, and booted before
 *   kernel module     sysfs: module/NAME/notes   kernel proven, and loaded at the same address
 *   [vdso]            ours                       kernel proven
 *   file              its note                   host, device, inode equal, and not written since
 *   perf-PID.map      -                          host equal, and made before the recording ended
 *
 * Files named by the user (--symfs, --kallsyms, -k) need no proof, and a live recording is of this
 * machine. The feature VERSION is that of the recorder, not of the kernel: the hostname is used
 * instead.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <linux/fs.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/utsname.h>
#include <unistd.h>
#include "base/clock.h"
#include "base/i18n.h"
#include "ptui/log.h"
#include "resolve/private.h"

#define NOTES_MAX 65536

/* ---- the host ---- */

static bool same_text(const char *recorded, const char *running)
{
	return recorded && *recorded && !strcmp(recorded, running);
}

static bool is_same_host(const struct resolver *r)
{
	struct utsname u;

	return !uname(&u) && same_text(r->arch, u.machine) && same_text(r->hostname, u.nodename);
}

static bool is_same_release(const struct resolver *r)
{
	struct utsname u;

	return !uname(&u) && same_text(r->kernel_release, u.release);
}

/* Boot time of the running kernel, in seconds since the epoch; 0: unknown. */
static uint64_t boot_time(const struct resolver *r)
{
	struct buf text = BUF_INIT;
	const char *line;
	uint64_t seconds = 0;

	if (!file_readf(&text, 1u << 20, "%s/stat", r->roots->proc)) {
		line = strstr(buf_str(&text), "\nbtime ");
		if (line)
			seconds = strtoull(line + strlen("\nbtime "), NULL, 10);
	}
	buf_release(&text);
	return seconds;
}

/* ---- the kernel ---- */

static enum proof by_build_id(const char *what, const uint8_t *have, uint8_t have_bytes,
			      const struct dso_info *want, struct ptui_error *err)
{
	char have_text[DSO_BUILD_ID_TEXT], want_text[DSO_BUILD_ID_TEXT];

	if (have_bytes == want->build_id_bytes && !memcmp(have, want->build_id, have_bytes))
		return PROOF_SAME;
	dso_build_id_format(have, have_bytes, have_text);
	dso_build_id_format(want->build_id, want->build_id_bytes, want_text);
	ptui_error_set(err, PTUI_ERROR_FORMAT, ESTALE, NULL,
		       _("%s has build-id %s, but the recording has %s"), what, have_text,
		       want_text);
	return PROOF_OTHER;
}

/* Without a build-id: the same boot of the same machine. */
static enum proof kernel_by_host(struct resolver *r, struct ptui_error *err)
{
	uint32_t dso = kernel_dso(r);
	uint64_t then = dso == PTUI_NONE ? 0 : r->work[dso].base, now;
	struct ptui_error unread = PTUI_ERROR_INIT;
	struct kallsyms *k;

	if (!r->kernel_release || !r->arch || !r->hostname) {
		ptui_error_set(err, PTUI_ERROR_FORMAT, ESTALE, NULL,
			       _("the recording does not say on which kernel it was made"));
		return PROOF_NONE;
	}
	if (!is_same_host(r) || !is_same_release(r) ||
	    (r->recorded_ns && r->recorded_ns / 1000000000u < boot_time(r))) {
		ptui_error_set(
			err, PTUI_ERROR_FORMAT, ESTALE, NULL,
			_("the recording has no build-id of its kernel (%s %s on host %s), which is "
			  "not known to be the running one"),
			r->kernel_release, r->arch, r->hostname);
		return PROOF_NONE;
	}
	if (!then)
		return PROOF_SAME;
	k = kallsyms_running(r, &unread);
	if (!k)
		return PROOF_SAME; /* there are no names either */
	now = kallsyms_ref_address(k, machine_module(r->m, dso)->ref_stext);
	if (!now || now == then)
		return PROOF_SAME;
	ptui_error_set(err, PTUI_ERROR_FORMAT, ESTALE, NULL,
		       _("the recorded kernel was at %#" PRIx64 ", the running one is at %#" PRIx64
			 ", and the recording has no build-id of it"),
		       then, now);
	return PROOF_NONE;
}

enum proof proof_kernel(struct resolver *r, struct ptui_error *err)
{
	uint32_t dso = kernel_dso(r);
	const struct dso_info *info = dso == PTUI_NONE ? NULL : &r->dsos[dso];
	uint8_t have[DSO_BUILD_ID_MAX];
	int n;

	if (info && info->build_id_bytes) {
		n = dso_read_kernel_build_id(r->roots, have);
		if (n > 0)
			return by_build_id(_("the running kernel"), have, (uint8_t)n, info, err);
	}
	return r->live ? PROOF_SAME : kernel_by_host(r, err);
}

enum proof proof_kernel_module(struct resolver *r, uint32_t dso, const char *module,
			       struct ptui_error *err)
{
	const struct dso_info *info = &r->dsos[dso];
	uint8_t have[DSO_BUILD_ID_MAX];
	struct buf notes = BUF_INIT;
	uint64_t now;
	enum proof kernel;
	int n = 0;

	if (info->build_id_bytes && !file_readf(&notes, NOTES_MAX, "%s/module/%s/notes/%s",
						r->roots->sysfs, module, ".note.gnu.build-id"))
		n = dso_notes_build_id(notes.data, notes.len, false, have);
	buf_release(&notes);
	if (n > 0)
		return by_build_id(strpool_get(r->names, info->short_name), have, (uint8_t)n, info,
				   err);
	kernel = proof_kernel(r, err);
	if (kernel != PROOF_SAME || r->live)
		return kernel;
	now = module_base_now(r, module);
	if (!now || now == r->work[dso].base)
		return PROOF_SAME;
	ptui_error_set(
		err, PTUI_ERROR_FORMAT, ESTALE, NULL,
		_("the recording has no build-id of module %s, which was loaded again since"),
		module);
	return PROOF_NONE;
}

enum proof proof_vdso(struct resolver *r, uint32_t dso, struct ptui_error *err)
{
	const struct dso_work *w = &r->work[dso];

	if (r->dsos[dso].build_id_bytes) /* compared when it is opened */
		return PROOF_SAME;
	if (sizeof(void *) > 4 && w->vdso_low) {
		ptui_error_set(err, PTUI_ERROR_FORMAT, ESTALE, NULL,
			       _("the recording has no build-id of the vdso of 32-bit processes"));
		return PROOF_NONE;
	}
	return proof_kernel(r, err);
}

/* ---- files ---- */

/*
 * Device and inode of maps differ from those of stat() on btrfs and overlayfs, so the file is
 * mapped and looked up in /proc/self/maps.
 */
static bool map_identity(int fd, unsigned *ret_maj, unsigned *ret_min, uint64_t *ret_ino)
{
	struct buf maps = BUF_INIT;
	void *at = mmap(NULL, 1, PROT_READ, MAP_PRIVATE, fd, 0);
	char *line, *rest = NULL;
	bool found = false;

	if (at == MAP_FAILED)
		return false;
	if (!file_readf(&maps, 16u << 20, "/proc/self/maps") && maps.data)
		for (line = strtok_r(maps.data, "\n", &rest); line && !found;
		     line = strtok_r(NULL, "\n", &rest))
			found = strtoull(line, NULL, 16) == (uintptr_t)at &&
				sscanf(line, "%*s %*s %*s %x:%x %" SCNu64, ret_maj, ret_min,
				       ret_ino) == 3;
	buf_release(&maps);
	munmap(at, 1);
	return found;
}

static bool is_same_inode(int fd, const struct stat *st, const struct module_ref *ref)
{
	unsigned maj = major(st->st_dev), min = minor(st->st_dev);
	uint64_t ino = st->st_ino;
	int generation;

	if ((maj != ref->maj || min != ref->min || ino != ref->ino) &&
	    (!map_identity(fd, &maj, &min, &ino) || maj != ref->maj || min != ref->min ||
	     ino != ref->ino))
		return false;
	/* a reused inode has another generation, if supported; perf inject -j writes 1 for the files it makes */
	return ref->ino_generation <= 1 || ioctl(fd, FS_IOC_GETVERSION, &generation) ||
	       (uint32_t)generation == (uint32_t)ref->ino_generation;
}

static bool is_recorded_inode(const struct resolver *r, uint32_t dso, int fd, struct stat *st)
{
	const struct module_ref *ref = machine_module(r->m, dso);

	return ref->ino && !ref->several_files && !fstat(fd, st) && S_ISREG(st->st_mode) &&
	       is_same_inode(fd, st, ref);
}

bool proof_is_mapped_file(const struct module_ref *ref, int fd)
{
	struct stat st;

	if (ref->build_id_bytes || !ref->ino || ref->several_files)
		return true;
	return !fstat(fd, &st) && S_ISREG(st.st_mode) && is_same_inode(fd, &st, ref);
}

bool proof_is_recorded_file(const struct resolver *r, uint32_t dso, int fd)
{
	struct stat st;

	return is_recorded_inode(r, dso, fd, &st) &&
	       (!r->recorded_ns || clock_timespec_ns(st.st_mtim) <= r->recorded_ns);
}

static bool is_recorded_path(const struct resolver *r, uint32_t dso, const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	bool same = fd >= 0 && proof_is_recorded_file(r, dso, fd);

	if (fd >= 0)
		close(fd);
	return same;
}

enum proof proof_file(struct resolver *r, uint32_t dso, const char *path, struct ptui_error *err)
{
	const struct module_ref *ref = machine_module(r->m, dso);

	if (r->symfs || ref->build_id_bytes || (r->live && !ref->ino))
		return PROOF_SAME;
	if ((r->live || is_same_host(r)) && is_recorded_path(r, dso, path))
		return PROOF_SAME;
	ptui_error_set(
		err, PTUI_ERROR_FORMAT, ESTALE, path,
		_("the recording has no build-id of %s, and the file here is not known to be "
		  "the recorded one"),
		path);
	return PROOF_NONE;
}

enum proof proof_dump(struct resolver *r, uint32_t dso, int fd, const char *path,
		      struct ptui_error *err)
{
	struct stat st;

	if (r->symfs || ((r->live || is_same_host(r)) && is_recorded_inode(r, dso, fd, &st)))
		return PROOF_SAME;
	ptui_error_set(err, PTUI_ERROR_FORMAT, ESTALE, path,
		       _("%s is not known to be of a recorded process"), path);
	return PROOF_NONE;
}

bool proof_is_process(const struct resolver *r, int32_t pid)
{
	long ticks = sysconf(_SC_CLK_TCK);
	struct buf text = BUF_INIT;
	uint64_t started = 0;
	const char *p;

	if (r->live)
		return true;
	if (!is_same_host(r) || !r->recorded_ns || ticks <= 0)
		return false;
	/* field 22 is the start in ticks since boot; the name, field 2, may contain spaces */
	if (!file_readf(&text, 4096, "%s/%d/stat", r->roots->proc, (int)pid)) {
		p = strrchr(buf_str(&text), ')');
		for (int field = 2; p && field < 22; field++)
			p = strchr(p + 1, ' ');
		started = p ? strtoull(p + 1, NULL, 10) / (uint64_t)ticks + boot_time(r) : 0;
	}
	buf_release(&text);
	return started && started <= r->recorded_ns / 1000000000u;
}

/* Whether the file is younger than the recording: the pid may have been reused. */
static bool is_younger(const struct resolver *r, const char *path)
{
	struct statx x;

	return r->recorded_ns && !statx(AT_FDCWD, path, 0, STATX_BTIME, &x) &&
	       x.stx_mask & STATX_BTIME &&
	       (uint64_t)x.stx_btime.tv_sec * 1000000000u + x.stx_btime.tv_nsec > r->recorded_ns;
}

enum proof proof_perf_map(struct resolver *r, const char *path, struct ptui_error *err)
{
	if (r->live || r->symfs || (is_same_host(r) && !is_younger(r, path)))
		return PROOF_SAME;
	ptui_error_set(err, PTUI_ERROR_FORMAT, ESTALE, path,
		       _("%s is not known to be of a recorded process"), path);
	return PROOF_NONE;
}

bool proof_accept(struct resolver *r, struct dso_info *info, enum proof proof,
		  const struct ptui_error *err)
{
	if (proof == PROOF_SAME)
		return true;
	if (proof == PROOF_NONE && r->force_names) {
		info->forced = true;
		ptui_log(PTUI_LOG_WARN, "resolve", "%s", err->text);
		return true;
	}
	dso_load_failed(info, proof == PROOF_OTHER ? DSO_STALE : DSO_UNVERIFIED, err);
	return false;
}

bool resolver_may_use(struct resolver *r, uint32_t module, struct ptui_error *err)
{
	const struct module_ref *ref = machine_module(r->m, module);
	const char *path = strpool_get(r->names, ref->path);
	enum proof proof;

	if (!dso_name_is_vdso(path))
		proof = proof_file(r, module, path, err);
	else
		proof = ref->build_id_bytes ? PROOF_SAME : proof_kernel(r, err);
	return proof == PROOF_SAME || (proof == PROOF_NONE && r->force_names);
}
