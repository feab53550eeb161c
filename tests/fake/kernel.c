/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "fake/kernel.h"

#define PAGE 4096

static struct fake_fd *find_fd(struct fake_kernel *k, int fd)
{
	for (size_t i = 0; i < FAKE_FDS; i++)
		if (k->fds[i].used && k->fds[i].fd == fd)
			return &k->fds[i];
	return NULL;
}

/* ---- what perf_event_open minds ---- */

static bool is_dead(const struct fake_kernel *k, pid_t pid)
{
	for (size_t i = 0; i < k->n_dead; i++)
		if (k->dead[i] == pid)
			return true;
	return false;
}

static int refused_by_rule(struct fake_kernel *k, const struct perf_event_attr *attr, pid_t pid,
			   int cpu)
{
	for (size_t i = 0; i < k->n_refusals; i++) {
		struct fake_refusal *r = &k->refusals[i];

		if ((r->type >= 0 && (uint32_t)r->type != attr->type) ||
		    (r->config >= 0 && (uint64_t)r->config != attr->config) ||
		    (r->cpu >= 0 && r->cpu != cpu) || (r->tid && r->tid != pid) || !r->times)
			continue;
		if (r->times > 0)
			r->times--;
		return -r->errnum;
	}
	return 0;
}

static int refused(struct fake_kernel *k, const struct perf_event_attr *attr, pid_t pid, int cpu)
{
	int ret;

	if (k->no_perf)
		return -ENOSYS;
	if (attr->size > k->max_attr_bytes)
		return -E2BIG;
	ret = refused_by_rule(k, attr, pid, cpu);
	if (ret)
		return ret;
	if (is_dead(k, pid))
		return -ESRCH;
	if (attr->sample_type & k->no_sample_type ||
	    (k->before_4_1 &&
	     (attr->use_clockid || attr->context_switch || attr->namespaces || attr->cgroup)))
		return -EINVAL;
	if ((attr->read_format & PTUI_FORMAT_LOST && !k->has_lost) ||
	    (attr->build_id && !k->has_build_id))
		return -EINVAL;
	if (!k->privileged && (k->paranoid > 2 || (k->paranoid > 1 && !attr->exclude_kernel) ||
			       (k->paranoid > 0 && pid == -1) ||
			       (k->paranoid > -1 && attr->type == PERF_TYPE_TRACEPOINT)))
		return -EACCES;
	if (cpu == k->offline_cpu)
		return -ENODEV;
	if (attr->type == PERF_TYPE_HARDWARE && !k->has_pmu)
		return -ENOENT;
	if (attr->type != PERF_TYPE_SOFTWARE && (int)attr->precise_ip > k->max_precise)
		return -EOPNOTSUPP;
	if (k->no_modes && attr->type == k->no_modes &&
	    (attr->exclude_guest || attr->exclude_user || attr->exclude_kernel))
		return -EINVAL;
	if (k->n_open >= k->fd_limit.rlim_cur)
		return -EMFILE;
	return 0;
}

static bool fits_group(const struct fake_kernel *k, int group_fd)
{
	size_t n = 2; /* the leader and the new one */

	for (size_t i = 0; i < FAKE_FDS; i++)
		n += k->fds[i].used && k->fds[i].group_fd == group_fd;
	return group_fd < 0 || !k->max_group || n <= k->max_group;
}

/* ---- counters of a unit, when their number is minded ---- */

static bool takes_counter(const struct fake_fd *f)
{
	return f->attr.type != PERF_TYPE_SOFTWARE && f->attr.type != PERF_TYPE_TRACEPOINT &&
	       f->attr.type != PERF_TYPE_BREAKPOINT;
}

static bool is_member(const struct fake_fd *f, const struct fake_fd *leader)
{
	return f->used && (f == leader || f->group_fd == leader->fd);
}

static size_t counters_of(const struct fake_kernel *k, const struct fake_fd *leader)
{
	size_t n = 0;

	for (size_t i = 0; i < FAKE_FDS; i++)
		n += is_member(&k->fds[i], leader) && takes_counter(&k->fds[i]);
	return n;
}

static bool is_on(const struct fake_fd *f, int cpu)
{
	return f->used && f->enabled && !f->failed && f->group_fd < 0 &&
	       (f->cpu < 0 ? 0 : f->cpu) == cpu;
}

/* Pinned groups except `but`, plus `pmu_held`. */
static size_t pinned_beside(const struct fake_kernel *k, const struct fake_fd *but, int cpu)
{
	size_t n = k->pmu_held;

	for (size_t i = 0; i < FAKE_FDS; i++)
		if (&k->fds[i] != but && is_on(&k->fds[i], cpu) && k->fds[i].attr.pinned)
			n += counters_of(k, &k->fds[i]);
	return n;
}

/* A pinned group is on at once, or never. */
static void place_pinned(struct fake_kernel *k, struct fake_fd *leader)
{
	int cpu = leader->cpu < 0 ? 0 : leader->cpu;

	leader->failed = k->pmu_counters && leader->enabled && leader->attr.pinned &&
			 pinned_beside(k, leader, cpu) + counters_of(k, leader) > k->pmu_counters;
}

static void count_for_1ms(struct fake_kernel *k, const struct fake_fd *leader, bool runs)
{
	for (size_t i = 0; i < FAKE_FDS; i++) {
		struct fake_fd *f = &k->fds[i];

		if (!is_member(f, leader) || !f->enabled)
			continue;
		f->enabled_ns += 1000000;
		f->running_ns += runs ? 1000000 : 0;
		f->count += runs ? 1000 : 0;
	}
}

static void run_cpu(struct fake_kernel *k, int cpu)
{
	size_t left = k->pmu_counters - pinned_beside(k, NULL, cpu), n = 0, at = 0;
	struct fake_fd *turning[FAKE_FDS];
	bool room = true;

	for (size_t i = 0; i < FAKE_FDS; i++) {
		struct fake_fd *f = &k->fds[i];

		if (!is_on(f, cpu))
			continue;
		if (f->attr.pinned || !counters_of(k, f))
			count_for_1ms(k, f, true);
		else
			turning[n++] = f;
	}
	for (; at < n; at++) {
		struct fake_fd *f = turning[(k->turn + at) % n];
		size_t wanted = counters_of(k, f);

		room = room && wanted <= left;
		left -= room ? wanted : 0;
		count_for_1ms(k, f, room);
	}
}

void fake_run(struct fake_kernel *k, unsigned ms)
{
	pthread_mutex_lock(&k->lock);
	for (; ms; ms--, k->turn++) {
		for (int cpu = 0; cpu < 2; cpu++)
			run_cpu(k, cpu);
		k->now_ns += 1000000;
	}
	pthread_mutex_unlock(&k->lock);
}

static int fake_open(void *ctx, const struct perf_event_attr *attr, pid_t pid, int cpu,
		     int group_fd, unsigned long flags)
{
	struct fake_kernel *k = ctx;
	struct fake_fd *f = NULL;
	int ends[2], ret;

	assert_true(flags & PERF_FLAG_FD_CLOEXEC);
	if (k->on_open)
		k->on_open(k, pid, cpu, attr);
	pthread_mutex_lock(&k->lock);
	k->n_opens++;
	ret = refused(k, attr, pid, cpu);
	if (!ret && !fits_group(k, group_fd))
		ret = -EINVAL;
	if (ret)
		goto out;
	for (size_t i = 0; i < FAKE_FDS && !f; i++)
		f = k->fds[i].used ? NULL : &k->fds[i];
	assert_non_null(f);
	assert_int_equal(pipe2(ends, O_NONBLOCK | O_CLOEXEC), 0);
	*f = (struct fake_fd){ .used = true,
			       .enabled = !attr->disabled,
			       .fd = ends[0],
			       .wake_fd = ends[1],
			       .opener = gettid(),
			       .pid = pid,
			       .cpu = cpu,
			       .group_fd = group_fd,
			       .output_fd = -1,
			       .flags = flags,
			       .id = k->next_id++ };
	memcpy(&f->attr, attr, attr->size < sizeof(f->attr) ? attr->size : sizeof(f->attr));
	k->n_open++;
	place_pinned(k, f);
	ret = ends[0];
out:
	pthread_mutex_unlock(&k->lock);
	return ret;
}

/* ---- rings ---- */

static int fake_mmap(void *ctx, int fd, size_t bytes, bool writable, void **ret_base)
{
	struct fake_kernel *k = ctx;
	struct fake_fd *f;
	int ret = 0;

	pthread_mutex_lock(&k->lock);
	f = find_fd(k, fd);
	assert_non_null(f);
	assert_null(f->base);
	/* mapped for writing, it would be full one day */
	assert_int_equal(writable, !f->attr.write_backward);
	if (bytes - PAGE > k->max_ring_bytes ||
	    (k->max_locked_bytes && k->locked_bytes + bytes - PAGE > k->max_locked_bytes)) {
		ret = -EPERM;
	} else {
		f->base = calloc(1, bytes);
		ret = f->base ? 0 : -ENOMEM;
	}
	if (!ret) {
		f->bytes = bytes;
		k->locked_bytes += bytes - PAGE;
		*ret_base = f->base;
	}
	pthread_mutex_unlock(&k->lock);
	return ret;
}

static int fake_munmap(void *ctx, void *base, size_t bytes)
{
	struct fake_kernel *k = ctx;

	pthread_mutex_lock(&k->lock);
	for (size_t i = 0; i < FAKE_FDS; i++) {
		if (k->fds[i].aux == base && base) {
			assert_int_equal(k->fds[i].aux_bytes, bytes);
			k->fds[i].aux = NULL;
			k->locked_bytes -= bytes;
			break;
		}
		if (k->fds[i].base != base)
			continue;
		/* it would stay mapped in the kernel */
		assert_null(k->fds[i].aux);
		assert_int_equal(k->fds[i].bytes, bytes);
		k->fds[i].base = NULL;
		k->locked_bytes -= bytes - PAGE;
	}
	pthread_mutex_unlock(&k->lock);
	free(base);
	return 0;
}

static struct fake_fd *owner_of(struct fake_kernel *k, struct fake_fd *f)
{
	return f->base ? f : find_fd(k, f->output_fd);
}

/* What perf_mmap() of an AUX area checks. */
static int refused_aux(const struct fake_kernel *k, const struct fake_fd *f,
		       const struct fake_fd *owner, uint64_t off, size_t bytes)
{
	const struct perf_event_mmap_page *page;

	if (!k->aux_type || f->attr.type != k->aux_type)
		return -EOPNOTSUPP;
	if (!owner || !owner->base)
		return -EINVAL;
	page = owner->base;
	if (page->aux_offset != off || page->aux_size != bytes || off < owner->bytes ||
	    bytes & (bytes - 1) || bytes < PAGE || owner->aux)
		return -EINVAL;
	if ((k->max_aux_bytes && bytes > k->max_aux_bytes) ||
	    (k->max_locked_bytes && k->locked_bytes + bytes > k->max_locked_bytes))
		return -EPERM;
	return 0;
}

static int fake_mmap_aux(void *ctx, int fd, uint64_t off, size_t bytes, bool writable,
			 void **ret_base)
{
	struct fake_kernel *k = ctx;
	struct fake_fd *f, *owner;
	int ret;

	pthread_mutex_lock(&k->lock);
	f = find_fd(k, fd);
	assert_non_null(f);
	owner = owner_of(k, f);
	ret = refused_aux(k, f, owner, off, bytes);
	if (!ret) {
		owner->aux = calloc(1, bytes);
		ret = owner->aux ? 0 : -ENOMEM;
	}
	if (!ret) {
		owner->aux_bytes = bytes;
		owner->aux_writable = writable;
		owner->aux_written = 0;
		k->locked_bytes += bytes;
		*ret_base = owner->aux;
	}
	pthread_mutex_unlock(&k->lock);
	return ret;
}

static struct fake_fd *ring_owner(struct fake_kernel *k, int cpu, bool back)
{
	for (size_t i = 0; i < FAKE_FDS; i++)
		if (k->fds[i].used && k->fds[i].base && k->fds[i].cpu == cpu &&
		    k->fds[i].attr.write_backward == back)
			return &k->fds[i];
	return NULL;
}

static void copy_in(struct fake_fd *f, uint64_t head, const void *bytes, size_t n)
{
	size_t room = f->bytes - PAGE, at = head & (room - 1),
	       first = n < room - at ? n : room - at;
	uint8_t *data = (uint8_t *)f->base + PAGE;

	memcpy(data + at, bytes, first);
	memcpy(data, (const uint8_t *)bytes + first, n - first);
}

static void wake(struct fake_kernel *k, const struct fake_fd *owner)
{
	for (size_t i = 0; i < FAKE_FDS; i++) {
		struct fake_fd *f = &k->fds[i];

		if (f->used && f->wake_fd >= 0 && (f == owner || f->output_fd == owner->fd) &&
		    write(f->wake_fd, "", 1) < 0)
			assert_int_equal(errno, EAGAIN);
	}
}

static bool emit_locked(struct fake_kernel *k, struct fake_fd *f, const void *records, size_t bytes)
{
	struct perf_event_mmap_page *page = f->base;
	uint64_t head = page->data_head;
	uint64_t tail = __atomic_load_n(&page->data_tail, __ATOMIC_ACQUIRE);
	bool fits = head + bytes - tail <= f->bytes - PAGE;

	if (fits) {
		copy_in(f, head, records, bytes);
		__atomic_store_n(&page->data_head, head + bytes, __ATOMIC_RELEASE);
		wake(k, f);
	}
	return fits;
}

bool fake_emit_many(struct fake_kernel *k, int cpu, const void *records, size_t bytes)
{
	struct fake_fd *f;
	bool fits;

	pthread_mutex_lock(&k->lock);
	f = ring_owner(k, cpu, false);
	assert_non_null(f);
	fits = emit_locked(k, f, records, bytes);
	pthread_mutex_unlock(&k->lock);
	return fits;
}

/* The event that writes to the AUX area of this ring. */
static struct fake_fd *aux_event(struct fake_kernel *k, const struct fake_fd *owner)
{
	for (size_t i = 0; i < FAKE_FDS; i++)
		if (k->fds[i].used && k->fds[i].attr.type == k->aux_type &&
		    (&k->fds[i] == owner || k->fds[i].output_fd == owner->fd))
			return &k->fds[i];
	return NULL;
}

/* u64 offset, size, flags; then the sample id, as far as the event has it */
static void emit_aux_record(struct fake_kernel *k, struct fake_fd *owner, const struct fake_fd *ev,
			    uint64_t off, uint64_t n, uint64_t flags)
{
	uint64_t type = ev->attr.sample_type, words[16] = { 0 };
	size_t w = 1;
	struct perf_event_header h = { .type = PERF_RECORD_AUX };

	words[w++] = off;
	words[w++] = n;
	words[w++] = flags;
	if (type & PERF_SAMPLE_TID)
		words[w++] = (uint64_t)(uint32_t)ev->pid;
	if (type & PERF_SAMPLE_TIME)
		words[w++] = ++k->now_ns;
	if (type & PERF_SAMPLE_ID)
		words[w++] = ev->id;
	if (type & PERF_SAMPLE_CPU)
		words[w++] = (uint32_t)owner->cpu;
	if (type & PERF_SAMPLE_IDENTIFIER)
		words[w++] = ev->id;
	h.size = (uint16_t)(w * 8);
	memcpy(words, &h, sizeof(h));
	assert_true(emit_locked(k, owner, words, w * 8));
}

static void copy_aux(struct fake_fd *owner, uint64_t at, const void *bytes, size_t n)
{
	for (size_t i = 0; i < n; i++)
		((uint8_t *)owner->aux)[(at + i) & (owner->aux_bytes - 1)] =
			((const uint8_t *)bytes)[i];
}

size_t fake_emit_aux(struct fake_kernel *k, int cpu, const void *bytes, size_t n)
{
	struct perf_event_mmap_page *page;
	struct fake_fd *owner, *ev;
	uint64_t off, flags = 0;

	pthread_mutex_lock(&k->lock);
	owner = ring_owner(k, cpu, false);
	assert_non_null(owner);
	assert_non_null(owner->aux);
	ev = aux_event(k, owner);
	assert_non_null(ev);
	page = owner->base;
	off = owner->aux_written;
	if (!ev->enabled) {
		n = 0;
	} else if (owner->aux_writable) {
		uint64_t tail = __atomic_load_n(&page->aux_tail, __ATOMIC_ACQUIRE);
		size_t room = owner->aux_bytes - (size_t)(off - tail);

		if (n >= room) {
			flags = n > room ? PERF_AUX_FLAG_TRUNCATED : 0;
			ev->enabled = false;
			n = room;
		}
	} else {
		flags = PERF_AUX_FLAG_OVERWRITE;
	}
	if (n || flags & PERF_AUX_FLAG_TRUNCATED) {
		copy_aux(owner, off, bytes, n);
		owner->aux_written += n;
		emit_aux_record(k, owner, ev, off, n, flags);
		/* an offset in the area, as of Intel PT */
		__atomic_store_n(&page->aux_head,
				 owner->aux_writable ? owner->aux_written :
						       owner->aux_written & (owner->aux_bytes - 1),
				 __ATOMIC_RELEASE);
		wake(k, owner);
	}
	pthread_mutex_unlock(&k->lock);
	return n;
}

bool fake_aux_is_drained(struct fake_kernel *k, int cpu)
{
	struct perf_event_mmap_page *page;
	struct fake_fd *owner;
	bool ret;

	pthread_mutex_lock(&k->lock);
	owner = ring_owner(k, cpu, false);
	page = owner->base;
	ret = __atomic_load_n(&page->aux_tail, __ATOMIC_ACQUIRE) == page->aux_head;
	pthread_mutex_unlock(&k->lock);
	return ret;
}

bool fake_emit(struct fake_kernel *k, int cpu, uint32_t type, uint16_t misc, const void *body,
	       size_t body_bytes)
{
	struct perf_event_header header = { type, misc, (uint16_t)(8 + body_bytes) };
	uint8_t record[8 + UINT16_MAX];

	assert_true(body_bytes <= UINT16_MAX - 8);
	memcpy(record, &header, 8);
	memcpy(record + 8, body, body_bytes);
	return fake_emit_many(k, cpu, record, 8 + body_bytes);
}

bool fake_emit_back(struct fake_kernel *k, int cpu, const void *body, size_t body_bytes)
{
	struct perf_event_header header = { PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER,
					    (uint16_t)(8 + body_bytes) };
	struct perf_event_mmap_page *page;
	struct fake_fd *f;
	uint64_t head;
	bool taken;

	pthread_mutex_lock(&k->lock);
	f = ring_owner(k, cpu, true);
	assert_non_null(f);
	page = f->base;
	taken = !f->paused;
	if (taken) {
		head = page->data_head - header.size;
		copy_in(f, head, &header, 8);
		copy_in(f, head + 8, body, body_bytes);
		__atomic_store_n(&page->data_head, head, __ATOMIC_RELEASE);
	} else {
		f->lost++;
	}
	pthread_mutex_unlock(&k->lock);
	return taken;
}

bool fake_is_drained(struct fake_kernel *k, int cpu)
{
	struct perf_event_mmap_page *page;
	struct fake_fd *f;
	bool ret = true;

	pthread_mutex_lock(&k->lock);
	f = ring_owner(k, cpu, false);
	if (f) {
		page = f->base;
		ret = __atomic_load_n(&page->data_tail, __ATOMIC_ACQUIRE) == page->data_head;
	}
	pthread_mutex_unlock(&k->lock);
	return ret;
}

void fake_end_task(struct fake_kernel *k, pid_t pid)
{
	pthread_mutex_lock(&k->lock);
	for (size_t i = 0; i < FAKE_FDS; i++) {
		if (!k->fds[i].used || k->fds[i].pid != pid || k->fds[i].wake_fd < 0)
			continue;
		close(k->fds[i].wake_fd);
		k->fds[i].wake_fd = -1;
	}
	pthread_mutex_unlock(&k->lock);
}

/* ---- the other calls ---- */

static int fake_ioctl(void *ctx, int fd, unsigned long request, unsigned long arg)
{
	struct fake_kernel *k = ctx;
	struct fake_fd *f, *to;
	int ret = 0, cpu = -1;

	pthread_mutex_lock(&k->lock);
	f = find_fd(k, fd);
	assert_non_null(f);
	if (request == PERF_EVENT_IOC_ID) {
		memcpy((void *)arg, &f->id, sizeof(f->id));
	} else if (request == PERF_EVENT_IOC_SET_OUTPUT) {
		to = find_fd(k, (int)arg);
		assert_non_null(to);
		assert_int_equal(to->cpu, f->cpu);
		assert_int_equal(to->attr.write_backward, f->attr.write_backward);
		f->output_fd = (int)arg;
	} else if (request == PERF_EVENT_IOC_SET_FILTER) {
		snprintf(f->filter, sizeof(f->filter), "%s", (const char *)arg);
		/* as the kernel does with more than the PMU has, here 2 */
		ret = strchr(f->filter, ',') && strchr(strchr(f->filter, ',') + 1, ',') ?
			      -EOPNOTSUPP :
			      0;
	} else if (request == PERF_EVENT_IOC_ENABLE || request == PERF_EVENT_IOC_DISABLE) {
		f->enabled = request == PERF_EVENT_IOC_ENABLE;
		/* the error state persists while disabled */
		if (f->enabled)
			place_pinned(k, f);
	} else if (request == PERF_EVENT_IOC_PAUSE_OUTPUT) {
		assert_non_null(f->base);
		f->paused = arg;
		k->n_pauses += arg != 0;
		if (arg)
			cpu = f->cpu;
	} else {
		ret = -ENOTTY;
	}
	pthread_mutex_unlock(&k->lock);
	if (cpu >= 0 && k->on_pause)
		k->on_pause(k, cpu);
	return ret;
}

static int fake_switch_own(void *ctx, bool on)
{
	struct fake_kernel *k = ctx;

	if (k->no_own_switch)
		return -EPERM;
	pthread_mutex_lock(&k->lock);
	for (size_t i = 0; i < FAKE_FDS; i++) {
		struct fake_fd *f = &k->fds[i];

		if (!f->used || f->opener != gettid())
			continue;
		f->enabled = on;
		if (on)
			place_pinned(k, f);
	}
	k->n_own_switches++;
	pthread_mutex_unlock(&k->lock);
	return 0;
}

static ssize_t fake_read(void *ctx, int fd, void *bytes, size_t n)
{
	struct fake_kernel *k = ctx;
	uint64_t words[6];
	struct fake_fd *f;
	size_t w = 0;

	pthread_mutex_lock(&k->lock);
	f = find_fd(k, fd);
	assert_non_null(f);
	if (f->failed) {
		pthread_mutex_unlock(&k->lock);
		return 0;
	}
	if (f->attr.read_format & PERF_FORMAT_GROUP)
		words[w++] = 1;
	else
		words[w++] = f->count;
	if (f->attr.read_format & PERF_FORMAT_TOTAL_TIME_ENABLED)
		words[w++] = f->enabled_ns || k->pmu_counters ? f->enabled_ns : 1000;
	if (f->attr.read_format & PERF_FORMAT_TOTAL_TIME_RUNNING)
		words[w++] = k->never_runs		      ? 0 :
			     f->enabled_ns || k->pmu_counters ? f->running_ns :
								500;
	if (f->attr.read_format & PERF_FORMAT_GROUP)
		words[w++] = f->count;
	if (f->attr.read_format & PERF_FORMAT_ID)
		words[w++] = f->id;
	if (f->attr.read_format & PTUI_FORMAT_LOST)
		words[w++] = f->lost;
	pthread_mutex_unlock(&k->lock);
	assert_true(n >= w * 8);
	memcpy(bytes, words, w * 8);
	return (ssize_t)(w * 8);
}

static int fake_close(void *ctx, int fd)
{
	struct fake_kernel *k = ctx;
	struct fake_fd *f;

	pthread_mutex_lock(&k->lock);
	if (fake_bpf_close(&k->bpf, fd)) {
		pthread_mutex_unlock(&k->lock);
		return 0;
	}
	f = find_fd(k, fd);
	assert_non_null(f);
	assert_null(f->base);
	close(f->fd);
	if (f->wake_fd >= 0)
		close(f->wake_fd);
	f->used = false;
	k->n_open--;
	pthread_mutex_unlock(&k->lock);
	return 0;
}

/* Like the kernel, a poll that reports data clears the condition. */
static int fake_poll(void *ctx, struct pollfd *fds, size_t n, int timeout_ms)
{
	struct fake_kernel *k = ctx;
	int ret = poll(fds, n, timeout_ms);
	char sink[4096];

	if (ret < 0)
		return -errno;
	pthread_mutex_lock(&k->lock);
	for (size_t i = 0; i < n; i++)
		if (fds[i].fd >= 0 && fds[i].revents & POLLIN && find_fd(k, fds[i].fd))
			while (read(fds[i].fd, sink, sizeof(sink)) > 0)
				;
	pthread_mutex_unlock(&k->lock);
	return ret;
}

static uint64_t fake_clock(void *ctx)
{
	struct fake_kernel *k = ctx;
	uint64_t now;

	pthread_mutex_lock(&k->lock);
	now = k->now_ns += 1000;
	pthread_mutex_unlock(&k->lock);
	return now;
}

static uid_t fake_geteuid(void *ctx)
{
	return ((struct fake_kernel *)ctx)->privileged ? 0 : 1000;
}

static int fake_get_rlimit(void *ctx, int resource, struct rlimit *ret)
{
	struct fake_kernel *k = ctx;

	*ret = k->fd_limit;
	if (resource == RLIMIT_MEMLOCK)
		*ret = (struct rlimit){ 65536, 65536 };
	return 0;
}

static int fake_set_rlimit(void *ctx, int resource, const struct rlimit *limit)
{
	struct fake_kernel *k = ctx;

	assert_int_equal(resource, RLIMIT_NOFILE);
	k->fd_limit = *limit;
	return 0;
}

static int fake_bpf_call(void *ctx, int cmd, void *attr, unsigned attr_bytes)
{
	struct fake_kernel *k = ctx;
	int ret;

	pthread_mutex_lock(&k->lock);
	ret = fake_bpf(&k->bpf, cmd, attr, attr_bytes);
	pthread_mutex_unlock(&k->lock);
	return ret;
}

/* ---- the made tree ---- */

static void make_folders(char *path)
{
	char *slash;

	for (slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		if (mkdir(path, 0755))
			assert_int_equal(errno, EEXIST);
		*slash = '/';
	}
}

void fake_file(struct fake_kernel *k, const char *name, const char *fmt, ...)
{
	char path[512];
	va_list ap;
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s", k->folder, name);
	make_folders(path);
	f = fopen(path, "w");
	assert_non_null(f);
	va_start(ap, fmt);
	vfprintf(f, fmt, ap);
	va_end(ap);
	fclose(f);
}

static int remove_entry(const char *path, const struct stat *st, int flag, struct FTW *ftw)
{
	(void)st;
	(void)flag;
	(void)ftw;
	return remove(path);
}

void fake_remove(struct fake_kernel *k, const char *name)
{
	char path[512];

	snprintf(path, sizeof(path), "%s/%s", k->folder, name);
	nftw(path, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
}

void fake_process(struct fake_kernel *k, const char *comm, const pid_t *tids, size_t n)
{
	char name[128];

	for (size_t i = 0; i < n; i++) {
		snprintf(name, sizeof(name), "proc/%d/task/%d/comm", (int)tids[0], (int)tids[i]);
		fake_file(k, name, "%s\n", comm);
	}
	snprintf(name, sizeof(name), "proc/%d/status", (int)tids[0]);
	fake_file(k, name, "Name:\t%s\nTgid:\t%d\nPPid:\t1\n", comm, (int)tids[0]);
	snprintf(name, sizeof(name), "proc/%d/maps", (int)tids[0]);
	fake_file(k, name,
		  "55a000000000-55a000004000 r-xp 00002000 fe:00 77        /usr/bin/%s\n"
		  "55a000004000-55a000005000 rw-p 00006000 fe:00 77        /usr/bin/%s\n",
		  comm, comm);
}

void fake_set_paranoid(struct fake_kernel *k, int level)
{
	k->paranoid = level;
	fake_file(k, "proc/sys/kernel/perf_event_paranoid", "%d\n", level);
}

void fake_refuse(struct fake_kernel *k, struct fake_refusal refusal)
{
	assert_true(k->n_refusals < sizeof(k->refusals) / sizeof(k->refusals[0]));
	k->refusals[k->n_refusals++] = refusal;
}

struct fake_fd *fake_find(struct fake_kernel *k, uint32_t type, uint64_t config, pid_t pid, int cpu)
{
	for (size_t i = 0; i < FAKE_FDS; i++) {
		struct fake_fd *f = &k->fds[i];

		if (f->used && f->attr.type == type && f->attr.config == config && f->pid == pid &&
		    f->cpu == cpu)
			return f;
	}
	return NULL;
}

void fake_kernel_init(struct fake_kernel *k)
{
	memset(k, 0, sizeof(*k));
	pthread_mutex_init(&k->lock, NULL);
	snprintf(k->folder, sizeof(k->folder), "/tmp/ptui-fake-XXXXXX");
	assert_non_null(mkdtemp(k->folder));
	snprintf(k->proc, sizeof(k->proc), "%s/proc", k->folder);
	snprintf(k->sysfs, sizeof(k->sysfs), "%s/sys", k->folder);
	k->has_lost = k->has_build_id = k->privileged = true;
	k->max_attr_bytes = PTUI_ATTR_SIZE_VER8;
	k->max_ring_bytes = 1U << 20;
	k->fd_limit = (struct rlimit){ FAKE_FDS, FAKE_FDS };
	k->offline_cpu = -2;
	k->next_id = 100;
	k->ops = (struct kernel_ops){
		.ctx = k,
		.roots = { .sysfs = k->sysfs, .proc = k->proc, .tracefs = "/nonexistent" },
		.page_bytes = PAGE,
		.perf_event_open = fake_open,
		.mmap = fake_mmap,
		.mmap_aux = fake_mmap_aux,
		.munmap = fake_munmap,
		.ioctl = fake_ioctl,
		.switch_own = fake_switch_own,
		.read = fake_read,
		.close = fake_close,
		.bpf = fake_bpf_call,
		.poll = fake_poll,
		.clock_ns = fake_clock,
		.geteuid = fake_geteuid,
		.get_rlimit = fake_get_rlimit,
		.set_rlimit = fake_set_rlimit,
	};
	fake_set_paranoid(k, 2);
	fake_file(k, "sys/devices/system/cpu/online", "0-1\n");
	fake_file(k, "proc/sys/kernel/perf_event_mlock_kb", "516\n");
	fake_file(k, "proc/self/status", "Name:\tx\nCapEff:\t0000000000000000\nSeccomp:\t0\n");
	fake_file(
		k, "proc/kallsyms",
		"ffffffff81000000 T _stext\nffffffff81000000 T _text\nffffffff81800000 T _etext\n");
}

void fake_kernel_release(struct fake_kernel *k)
{
	assert_int_equal(k->n_open, 0);
	assert_int_equal(k->bpf.n_open, 0);
	fake_remove(k, "");
	pthread_mutex_destroy(&k->lock);
}
