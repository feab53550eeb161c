/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The header of a recording as text. */
#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include "base/buf.h"
#include "base/cursor.h"
#include "base/i18n.h"
#include "base/perf_abi.h"
#include "base/text.h"
#include "data/read/reader.h"
#include "ptui/profile.h"

struct header {
	struct data_file *file;
	struct buf out;
};

static void add_line(struct header *h, const char *label, const char *text)
{
	buf_addf(&h->out, "%s : ", label);
	text_escape(&h->out, text);
	buf_add_char(&h->out, '\n');
}

static void add_text(struct header *h, const char *label, unsigned feature)
{
	const char *text = data_feature_text(h->file, feature);

	if (text)
		add_line(h, label, text);
}

/* The header contains no date, but the recording ends with the last change of the file. */
static void add_time(struct header *h, const char *path)
{
	char text[64];
	struct tm tm;
	struct stat st;

	if (!stat(path, &st) && localtime_r(&st.st_mtime, &tm) &&
	    strftime(text, sizeof(text), "%Y-%m-%d %H:%M:%S", &tm))
		add_line(h, _("captured on"), text);
}

static bool feature_cursor(struct header *h, unsigned feature, struct cursor *c)
{
	size_t n = 0;
	const void *bytes = data_feature(h->file, feature, &n);

	if (bytes)
		cursor_init(c, bytes, n, data_swapped(h->file));
	return bytes;
}

static void add_machine(struct header *h)
{
	struct cursor c;
	uint32_t avail, online;
	uint64_t kib;

	add_text(h, _("hostname"), PTUI_FEAT_HOSTNAME);
	add_text(h, _("os release"), PTUI_FEAT_OSRELEASE);
	add_text(h, _("recorded by version"), PTUI_FEAT_VERSION);
	add_text(h, _("arch"), PTUI_FEAT_ARCH);
	if (feature_cursor(h, PTUI_FEAT_NRCPUS, &c)) {
		avail = cursor_u32(&c);
		online = cursor_u32(&c);
		if (!c.bad)
			buf_addf(&h->out, _("CPUs : %" PRIu32 " online of %" PRIu32 "\n"), online,
				 avail);
	}
	add_text(h, _("CPU"), PTUI_FEAT_CPUDESC);
	add_text(h, _("CPU id"), PTUI_FEAT_CPUID);
	if (feature_cursor(h, PTUI_FEAT_TOTAL_MEM, &c)) {
		kib = cursor_u64(&c);
		if (!c.bad)
			buf_addf(&h->out, _("total memory : %" PRIu64 " kB\n"), kib);
	}
	add_text(h, _("command line"), PTUI_FEAT_CMDLINE);
}

static void add_sample_time(struct header *h)
{
	uint64_t first_ns, last_ns;
	struct cursor c;

	if (!feature_cursor(h, PTUI_FEAT_SAMPLE_TIME, &c))
		return;
	first_ns = cursor_u64(&c);
	last_ns = cursor_u64(&c);
	if (c.bad || last_ns < first_ns)
		return;
	buf_addf(&h->out, _("samples : from %.6f s to %.6f s, over %.3f ms\n"),
		 (double)first_ns / 1e9, (double)last_ns / 1e9, (double)(last_ns - first_ns) / 1e6);
}

static void add_event(struct header *h, const struct data_event *e)
{
	buf_addf(&h->out, "%s : ", _("event"));
	text_escape(&h->out, e->name);
	buf_addf(&h->out, ", type = %" PRIu32 ", config = %#" PRIx64, e->type, e->config);
	if (e->freq)
		buf_addf(&h->out, _(", %" PRIu64 " Hz"), e->sample_period);
	else
		buf_addf(&h->out, _(", every %" PRIu64), e->sample_period);
	if (e->sample_type & PERF_SAMPLE_CALLCHAIN)
		buf_add_str(&h->out, _(", callchains"));
	if (e->exclude_user)
		buf_add_str(&h->out, _(", without user code"));
	if (e->exclude_kernel)
		buf_add_str(&h->out, _(", without the kernel"));
	if (e->inherit)
		buf_add_str(&h->out, _(", inherited by children"));
	if (e->precise_ip)
		buf_addf(&h->out, _(", precise %u"), (unsigned)e->precise_ip);
	buf_addf(&h->out, Q_(", %zu counter", ", %zu counters", e->n_ids), e->n_ids);
	buf_add_char(&h->out, '\n');
}

char *ptui_recording_header(const char *path, struct ptui_error *err)
{
	struct header h = { .out = BUF_INIT };
	char *text;

	if (!strcmp(path, "-")) {
		ptui_error_set(
			err, PTUI_ERROR_INPUT, ESPIPE, path,
			_("the recording was read from a pipe, so its header is not available"));
		return NULL;
	}
	h.file = data_open(path, err, NULL);
	if (!h.file)
		return NULL;
	add_time(&h, path);
	add_machine(&h);
	add_sample_time(&h);
	for (size_t i = 0; i < data_n_events(h.file); i++)
		add_event(&h, data_event(h.file, i));
	data_close(h.file);
	text = h.out.err ? NULL : strdup(buf_str(&h.out));
	buf_release(&h.out);
	if (!text)
		ptui_error_nomem(err);
	return text;
}
