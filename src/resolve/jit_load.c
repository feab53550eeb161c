/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Symbols of JIT-compiled code: jit-PID.dump, whose code was added as maps of it (by offset); for
 * anonymous memory perf-PID.map, else jit-PID.dump by address.
 *
 * A process in a container writes to its own /tmp, with its pid in the container:
 *
 *   /tmp/perf-17.map                  in our namespaces
 *   /proc/17/root/tmp/perf-4.map      in its own, while it lives
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "base/clock.h"
#include "base/i18n.h"
#include "resolve/private.h"
#include "symbol/jitdump.h"

#define REFRESH_NS 1000000000u

/* The last number of a line of PROC/PID/status: "NStgid:\t17\t4" -> 4; 0: unknown. */
static int32_t pid_inside(const struct resolver *r, int32_t pid)
{
	struct buf text = BUF_INIT;
	int32_t inside = 0;
	char *line, *end;

	if (!file_readf(&text, 1u << 16, "%s/%d/status", r->roots->proc, (int)pid) && text.data) {
		line = strstr(text.data, "\nNStgid:");
		end = line ? strchr(line + 1, '\n') : NULL;
		if (end) {
			*end = 0;
			line = strrchr(line, '\t');
			inside = line ? (int32_t)strtol(line + 1, NULL, 10) : 0;
		}
	}
	buf_release(&text);
	return inside;
}

/* Opens a file of the process through its root directory. An fd, or -1. */
static int open_inside(struct resolver *r, int32_t pid, const char *path)
{
	struct buf root = BUF_INIT;
	int fd = -1;

	buf_addf(&root, "%s/%d/root", r->roots->proc, (int)pid);
	if (!root.err)
		fd = file_open_in_root(buf_str(&root), path);
	buf_release(&root);
	return fd < 0 ? -1 : fd;
}

/* Whether the file belongs to the owner of the process: others must not name its code. */
static bool is_owned(struct resolver *r, int32_t pid, int fd)
{
	struct stat file, process;
	char path[300];

	snprintf(path, sizeof(path), "%s/%d", r->roots->proc, (int)pid);
	return !fstat(fd, &file) && (!file.st_uid || file.st_uid == geteuid() ||
				     (!stat(path, &process) && file.st_uid == process.st_uid));
}

static struct symtab *perf_map_inside(struct resolver *r, int32_t pid, struct ptui_error *err)
{
	int32_t inside = proof_is_process(r, pid) ? pid_inside(r, pid) : 0;
	char path[64], open_path[64];
	struct symtab *t = NULL;
	int fd;

	if (inside <= 0)
		return NULL;
	snprintf(path, sizeof(path), "/tmp/perf-%d.map", (int)inside);
	fd = open_inside(r, pid, path);
	if (fd < 0)
		return NULL;
	snprintf(open_path, sizeof(open_path), "/proc/self/fd/%d", fd);
	if (is_owned(r, pid, fd))
		t = symtab_from_perf_map(open_path, true, err);
	close(fd);
	return t;
}

static struct symtab *perf_map_here(struct resolver *r, struct dso_info *info,
				    struct ptui_error *err)
{
	struct buf path = BUF_INIT;
	struct symtab *t = NULL;
	enum proof proof;

	buf_addf(&path, "%s%s", r->symfs ? r->symfs : "", strpool_get(r->names, info->name));
	if (path.err) {
		ptui_error_nomem(err);
	} else if (access(buf_str(&path), F_OK)) {
		ptui_error_errno(err, errno, buf_str(&path), _("cannot open %s"), buf_str(&path));
	} else {
		proof = proof_perf_map(r, buf_str(&path), err);
		if (proof_accept(r, info, proof, err)) {
			*err = (struct ptui_error)PTUI_ERROR_INIT;
			t = symtab_from_perf_map(buf_str(&path), false, err);
		}
	}
	buf_release(&path);
	return t;
}

/* ---- jitdump ---- */

/* Opens the file that was mapped as a marker, by its inode. */
static struct jitdump *dump_open(struct resolver *r, uint32_t dso, int32_t pid,
				 struct ptui_error *err)
{
	const char *path = strpool_get(r->names, machine_module(r->m, dso)->path);
	struct jitdump *d = NULL;
	struct buf full = BUF_INIT;
	int fd = -1;

	buf_addf(&full, "%s%s", r->symfs ? r->symfs : "", path);
	if (!full.err)
		fd = open(buf_str(&full), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	if (fd >= 0 && proof_dump(r, dso, fd, path, err) != PROOF_SAME) {
		close(fd);
		fd = -1;
	}
	if (fd < 0 && pid > 0 && proof_is_process(r, pid)) {
		fd = open_inside(r, pid, path);
		if (fd >= 0 && proof_dump(r, dso, fd, path, err) != PROOF_SAME) {
			close(fd);
			fd = -1;
		}
	}
	if (fd >= 0)
		d = jitdump_read(fd, path, err);
	else if (!ptui_error_is_set(err))
		ptui_error_errno(err, ENOENT, path, _("cannot open %s"), path);
	if (fd >= 0)
		close(fd);
	buf_release(&full);
	return d;
}

static struct symtab *dump_table(struct resolver *r, uint32_t dso, int32_t pid, bool by_address,
				 struct ptui_error *err)
{
	struct jitdump *d = dump_open(r, dso, pid, err);
	struct symtab *t = d ? symtab_from_jitdump(d, by_address, err) : NULL;

	jitdump_free(d);
	return t;
}

bool jit_is_dump(const struct resolver *r, uint32_t dso)
{
	const struct module_ref *ref = machine_module(r->m, dso);

	return !ref->kernel && !ref->memory && jitdump_is_name(strpool_get(r->names, ref->path));
}

struct symtab *jit_dump_load(struct resolver *r, uint32_t dso)
{
	struct dso_info *info = &r->dsos[dso];
	struct ptui_error err = PTUI_ERROR_INIT;
	struct symtab *t = dump_table(r, dso, r->work[dso].pid, false, &err);

	r->work[dso].starts_known = true; /* none: this code has callers */
	if (t) {
		info->jitdump = machine_module(r->m, dso)->path;
		info->origin = DSO_FROM_JIT;
	} else {
		dso_load_failed(info,
				err.code == ESTALE ? DSO_UNVERIFIED :
				err.code == ENOENT ? DSO_NO_FILE :
						     DSO_NO_SYMBOLS,
				&err);
	}
	return t;
}

/* The dump of a process, found by name: others may belong to any process. */
static struct symtab *dump_by_address(struct resolver *r, struct dso_info *info, int32_t pid)
{
	struct symtab *t;
	char name[32];

	snprintf(name, sizeof(name), "/jit-%d.dump", (int)pid);
	for (size_t i = 0; i < r->n_dsos; i++) {
		struct ptui_error err = PTUI_ERROR_INIT;
		const char *path;

		if (!jit_is_dump(r, (uint32_t)i))
			continue;
		path = strpool_get(r->names, machine_module(r->m, (uint32_t)i)->path);
		if (strlen(path) < strlen(name) || strcmp(path + strlen(path) - strlen(name), name))
			continue;
		t = dump_table(r, (uint32_t)i, pid, true, &err);
		if (t)
			info->jitdump = machine_module(r->m, (uint32_t)i)->path;
		return t;
	}
	return NULL;
}

struct symtab *jit_memory_load(struct resolver *r, uint32_t dso)
{
	struct dso_info *info = &r->dsos[dso];
	int32_t pid = machine_module(r->m, dso)->pid;
	struct ptui_error err = PTUI_ERROR_INIT;
	struct symtab *t = perf_map_inside(r, pid, &err);

	if (!t) {
		err = (struct ptui_error)PTUI_ERROR_INIT;
		t = perf_map_here(r, info, &err);
	}
	if (!t)
		t = dump_by_address(r, info, pid);
	if (t)
		info->origin = DSO_FROM_JIT;
	else if (info->state != DSO_UNVERIFIED)
		dso_load_failed(info,
				err.code == ENOENT && err.domain == PTUI_ERROR_SYSTEM ?
					DSO_NO_FILE :
					DSO_NO_SYMBOLS,
				&err);
	return t;
}

void jit_refresh(struct resolver *r, uint32_t dso)
{
	struct dso_work *w = &r->work[dso];
	struct dso_info *info = &r->dsos[dso];
	uint64_t now;

	if (machine_module(r->m, dso)->pid < 0 && !jit_is_dump(r, dso))
		return;
	now = clock_monotonic_ns();
	if (info->state != DSO_UNTRIED && now - w->loaded_ns < REFRESH_NS)
		return;
	w->loaded_ns = now;
	r->bytes -= symtab_bytes(w->table);
	symtab_free(w->table);
	w->table = NULL;
	free(w->entry_symbols);
	w->entry_symbols = NULL;
	info->state = DSO_UNTRIED;
	info->why[0] = '\0';
}
