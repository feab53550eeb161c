/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cli/recording.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "archive/archive.h"
#include "archive/folder_guard.h"
#include "base/buf.h"
#include "cli/out.h"
#include "cli/pager.h"
#include "data/read/reader.h"
#include "session/builder.h"
#include "session/header.h"

const char cli_default_input[] = "perf.data";

#define MANY_SAMPLES 100 /* of so many one is no half of all */

static int check_readable(const char *path, const char *option, struct ptui_error *err)
{
	if (!path || !access(path, R_OK))
		return 0;
	ptui_error_errno(err, errno, path, _("%s: cannot open '%s'"), option, path);
	return -errno;
}

int kernel_symbols_check(const struct ptui_kernel_symbols *k, struct ptui_error *err)
{
	int ret = check_readable(k->vmlinux, "--vmlinux", err);

	return ret ? ret : check_readable(k->kallsyms, "--kallsyms", err);
}

int recording_lacks_cpus(const char *path, struct ptui_error *err)
{
	ptui_error_set(err, PTUI_ERROR_INPUT, ENODATA, "--cpu",
		       _("--cpu: the samples of %s have no CPU numbers"), path);
	ptui_error_hint(err, _("record with --sample-cpu"));
	return -ENODATA;
}

int recording_check_cpus(const struct ptui_profile *p, const char *path, struct ptui_error *err)
{
	for (size_t i = 0; i < ptui_profile_n_events(p); i++)
		if (!ptui_profile_event(p, i)->lacks_cpu)
			return 0;
	return recording_lacks_cpus(path, err);
}

/* ---- archives (ptui archive), which are read from a temporary folder ---- */

static const char *unpacked_archive; /* a command reads one */
static char unpacked_folder[PATH_MAX], unpacked_recording[PATH_MAX + 16],
	unpacked_cache[PATH_MAX + 16];

static struct folder_guard unpacked_guard = FOLDER_GUARD_INIT;

static void remove_unpacked(void)
{
	archive_remove_folder(unpacked_folder);
	folder_guard_end(&unpacked_guard);
}

/* Replaces the path of an archive by that of the recording in it. 0, or a negative errno with err set. */
static int unpack_archive(const char **path, struct ptui_error *err)
{
	const char *temp = getenv("TMPDIR");
	int ret;

	if (!*path || !archive_is(*path))
		return 0;
	if (unpacked_archive && strcmp(unpacked_archive, *path))
		return ptui_error_set(err, PTUI_ERROR_INPUT, EINVAL, *path,
				      _("only one archive can be read at a time: %s"), *path);
	unpacked_archive = *path;
	if (!*unpacked_folder) {
		if ((size_t)snprintf(unpacked_folder, sizeof(unpacked_folder),
				     "%s/ptui-archive-XXXXXX",
				     temp && *temp ? temp : "/tmp") >= sizeof(unpacked_folder))
			snprintf(unpacked_folder, sizeof(unpacked_folder),
				 "/tmp/ptui-archive-XXXXXX");
		if (!mkdtemp(unpacked_folder)) {
			ret = -errno;
			ptui_error_errno(err, -ret, unpacked_folder, _("cannot create %s"),
					 unpacked_folder);
			*unpacked_folder = '\0';
			return ret;
		}
		folder_guard_start(&unpacked_guard, unpacked_folder, NULL);
		atexit(remove_unpacked);
		ret = archive_unpack(*path, unpacked_folder, err);
		if (ret)
			return ret;
	}
	snprintf(unpacked_recording, sizeof(unpacked_recording), "%s/" ARCHIVE_RECORDING,
		 unpacked_folder);
	snprintf(unpacked_cache, sizeof(unpacked_cache), "%s/" ARCHIVE_CACHE, unpacked_folder);
	*path = unpacked_recording;
	return 0;
}

int recording_opts_settle(const struct cli *cli, struct recording_opts *o, struct ptui_error *err)
{
	int ret;

	o->load.buildid_dir = cli->buildid_dir ? cli->buildid_dir : o->usual_cache;
	o->load.max_stack = (uint32_t)o->max_stack;
	ret = unpack_archive(&o->input, err);
	if (ret)
		return ret;
	for (size_t i = 0; i < o->load.n_more; i++)
		if (archive_is(o->load.more[i]))
			return ptui_error_set(err, PTUI_ERROR_INPUT, EINVAL, o->load.more[i],
					      _("only one archive can be read at a time: %s"),
					      o->load.more[i]);
	if (*unpacked_cache)
		o->load.buildid_dir = unpacked_cache;
	return kernel_symbols_check(&o->load.kernel, err);
}

/* Without reading it. 1: a recording is piped in, or was cut off; 0: none; -EAGAIN: too little so far. */
static int peek_pipe(void)
{
	static const char magics[][8] = { "PERFILE2", "2ELIFREP" };
	struct pollfd fd = { .fd = STDIN_FILENO };
	char bytes[8];
	struct stat st;
	int copy[2], ret = 0;
	ssize_t n;

	if (fstat(STDIN_FILENO, &st) || !S_ISFIFO(st.st_mode) || pipe2(copy, O_CLOEXEC))
		return 0;
	poll(&fd, 1, 0); /* before the bytes are looked at: after its end no more come */
	n = tee(STDIN_FILENO, copy[1], sizeof(bytes), SPLICE_F_NONBLOCK);
	if (n < 0 && errno == EAGAIN)
		ret = -EAGAIN;
	if (n > 0)
		n = read(copy[0], bytes, sizeof(bytes));
	for (size_t i = 0; n > 0 && i < sizeof(magics) / sizeof(*magics); i++)
		ret |= !memcmp(bytes, magics[i], (size_t)n);
	if (ret > 0 && n < (ssize_t)sizeof(bytes) && !(fd.revents & POLLHUP))
		ret = -EAGAIN;
	close(copy[0]);
	close(copy[1]);
	return ret;
}

#define PIPE_WAIT_MS \
	3000 /* the pipe of a program that starts this one may be open, and stay silent */
#define PART_WAIT_MS 10

/*
 * As in perf, but another pipe, such as that of a loop that reads lines, is not taken for a recording, and if there is
 * a file, a silent one is not waited for without end.
 */
void cli_choose_input(const struct cli *cli, const char **input)
{
	struct pollfd fd = { .fd = STDIN_FILENO, .events = POLLIN };
	int ret = *input == cli_default_input ? peek_pipe() : 0;
	bool has_file = !access(cli_default_input, F_OK);

	if (ret == -EAGAIN && has_file)
		cli_warn(cli, _("waiting for what is piped in; -i %s reads the file"),
			 cli_default_input);
	for (int waits = 0; ret == -EAGAIN; waits++) {
		if (waits) /* poll() does not wait for more than one byte */
			poll(NULL, 0, PART_WAIT_MS);
		if ((has_file && waits > PIPE_WAIT_MS / PART_WAIT_MS) ||
		    !poll(&fd, 1, has_file ? PIPE_WAIT_MS : -1)) {
			cli_warn(cli, _("nothing is piped in: reading %s"), cli_default_input);
			return;
		}
		ret = peek_pipe();
	}
	if (ret)
		*input = "-";
}

int cli_cannot_open(const struct cli *cli, const char *path, int ret, struct ptui_error *err)
{
	if (ret == -ENOENT && !strcmp(path, cli_default_input))
		ptui_error_hint(err, _("'ptui record COMMAND' makes it; -i reads another file"));
	return cli_failed(cli, err);
}

struct data_file *cli_open_recording(const struct cli *cli, const char *path, int *ret_status)
{
	struct ptui_error err = PTUI_ERROR_INIT;
	struct data_file *file = NULL;
	int ret = unpack_archive(&path, &err);

	if (!ret)
		file = data_open(path, &err, &ret);
	if (!file)
		*ret_status = cli_cannot_open(cli, path, ret, &err);
	return file;
}

/* What the header does not have, or has wrong. */
static void warn_header(const struct cli *cli, const struct ptui_trust *t, const char *path)
{
	char *sections = ptui_missing_sections(t);

	if (t->unfinished)
		cli_warn(cli, _("%s: its recording was cut off; this is what had been written"),
			 path);
	if (t->cut_after_samples)
		cli_warn(cli,
			 Q_("%s: the file is cut short at byte %" PRIu64
			    ", after its samples; at least %" PRIu64 " byte is missing",
			    "%s: the file is cut short at byte %" PRIu64
			    ", after its samples; at least %" PRIu64 " bytes are missing",
			    t->truncated_bytes),
			 path, t->cut_after_samples, t->truncated_bytes);
	else if (t->truncated_bytes)
		cli_warn(cli,
			 Q_("%s: the file is cut short, %" PRIu64 " byte is missing at its end; "
			    "this is what is left",
			    "%s: the file is cut short, %" PRIu64 " bytes are missing at its end; "
			    "this is what is left",
			    t->truncated_bytes),
			 path, t->truncated_bytes);
	if (t->bad_sections)
		cli_warn(cli,
			 Q_("%s: the header is damaged: %" PRIu64
			    " section has an impossible offset or size",
			    "%s: the header is damaged: %" PRIu64
			    " sections have impossible offsets or sizes",
			    t->bad_sections),
			 path, t->bad_sections);
	if (sections)
		cli_warn(cli, _("%s: sections of the header that cannot be read: %s"), path,
			 sections);
	free(sections);
}

void cli_warn_header(const struct cli *cli, const struct data_file *file, const char *path)
{
	struct data_damage d;

	data_header_damage(file, &d);
	cli_warn_damage(cli, &d, path);
}

void cli_warn_damage(const struct cli *cli, const struct data_damage *d, const char *path)
{
	struct ptui_trust t = { .unfinished = false };

	trust_set_damage(&t, d);
	cli_warn_trust(cli, &t, 0, path);
}

int cli_print_header(const struct cli *cli, struct data_file *file, const char *path, bool info)
{
	char *text = header_text(file, info);

	if (!text)
		return cli_nomem(cli);
	pager_start(cli);
	cli_put_text(text); /* a failure is reported at exit */
	pager_finish();
	free(text);
	cli_warn_header(cli, file, path);
	return CLI_OK;
}

/* What several recordings as one profile have. */
static void warn_merged(const struct cli *cli, const struct ptui_trust *t, const char *path)
{
	if (t->repeated)
		cli_warn(cli,
			 Q_("%s: %" PRIu64 " sample is repeated in another file and counted once",
			    "%s: %" PRIu64 " samples are repeated in another file and counted once",
			    t->repeated),
			 path, t->repeated);
	if (t->shared_threads)
		cli_warn(cli,
			 Q_("%s: %" PRIu64 " thread id is used on several machines: rows by "
			    "pid and tid add these up",
			    "%s: %" PRIu64 " thread ids are used on several machines: rows by "
			    "pid and tid add these up",
			    t->shared_threads),
			 path, t->shared_threads);
}

static void warn_aux(const struct cli *cli, const struct ptui_trust *t, const char *path)
{
	if (t->aux_records)
		cli_warn(cli,
			 _("%s: ptui does not decode its AUX data (%s), only its other records are "
			   "shown; 'perf script --itrace' decodes them"),
			 path, t->aux_what ? t->aux_what : _("of an unknown kind"));
	if (t->aux_truncated)
		cli_warn(cli,
			 Q_("%s: AUX data was truncated %" PRIu64
			    " time, because the AUX area was full (larger: record -m ,SIZE)",
			    "%s: AUX data was truncated %" PRIu64
			    " times, because the AUX area was full (larger: record -m ,SIZE)",
			    t->aux_truncated),
			 path, t->aux_truncated);
	if (t->aux_gaps)
		cli_warn(cli,
			 Q_("%s: AUX data has gaps, %" PRIu64
			    " time, as while a virtual machine runs",
			    "%s: AUX data has gaps, %" PRIu64
			    " times, as while a virtual machine runs",
			    t->aux_gaps),
			 path, t->aux_gaps);
	if (t->aux_collisions)
		cli_warn(cli,
			 Q_("%s: samples of AUX data collided %" PRIu64
			    " time (fewer with a longer period)",
			    "%s: samples of AUX data collided %" PRIu64
			    " times (fewer with a longer period)",
			    t->aux_collisions),
			 path, t->aux_collisions);
}

/* "1 of type 90, 2 of type 200" */
static void add_unknown(struct buf *list, const struct ptui_trust *t)
{
	uint64_t others = t->unknown_records;

	for (size_t i = 0; i < PTUI_UNKNOWN_TYPES && t->unknown_types[i].records; i++) {
		buf_addf(list, "%s%" PRIu64 " ", list->len ? ", " : "",
			 t->unknown_types[i].records);
		buf_addf(list, _("of type %u"), t->unknown_types[i].type);
		others -= t->unknown_types[i].records;
	}
	if (others)
		buf_addf(list, _("%s%" PRIu64 " of other types"), list->len ? ", " : "", others);
}

static void warn_unknown(const struct cli *cli, const struct ptui_trust *t, const char *path)
{
	struct buf list = BUF_INIT;

	if (!t->unknown_records)
		return;
	add_unknown(&list, t);
	cli_warn(cli,
		 Q_("%s: %" PRIu64
		    " record of a type that this version of ptui does not know was skipped (%s)",
		    "%s: %" PRIu64 " records of types that this version of ptui does not know "
		    "were skipped (%s)",
		    t->unknown_records),
		 path, t->unknown_records, buf_str(&list));
	buf_release(&list);
}

void cli_warn_trust(const struct cli *cli, const struct ptui_trust *t, uint64_t samples,
		    const char *path)
{
	uint64_t lost = t->lost_events > t->lost_samples ? t->lost_events : t->lost_samples;

	warn_header(cli, t, path);
	if (t->skipped_bytes && !t->truncated_bytes) /* else it is the truncated record itself */
		cli_warn(cli,
			 Q_("%s: %" PRIu64 " byte after a damaged record could not be read",
			    "%s: %" PRIu64 " bytes after a damaged record could not be read",
			    t->skipped_bytes),
			 path, t->skipped_bytes);
	if (t->bad_records)
		cli_warn(cli,
			 Q_("%s: %" PRIu64 " damaged record was left out",
			    "%s: %" PRIu64 " damaged records were left out", t->bad_records),
			 path, t->bad_records);
	warn_unknown(cli, t, path);
	if (t->unknown_event)
		cli_warn(cli,
			 Q_("%s: %" PRIu64
			    " sample of an event that the file does not name was left out",
			    "%s: %" PRIu64 " samples of events that the file does not name were "
			    "left out",
			    t->unknown_event),
			 path, t->unknown_event);
	if (t->lost_events || t->lost_sideband)
		cli_warn(cli,
			 Q_("%s: the kernel dropped %" PRIu64
			    " record while it was recorded (lost chunks: %" PRIu64 ")",
			    "%s: the kernel dropped %" PRIu64
			    " records while it was recorded (lost chunks: %" PRIu64 ")",
			    lost),
			 path, lost, t->lost_chunks);
	if (t->lost_sideband)
		cli_warn(cli,
			 Q_("%s: %" PRIu64
			    " of them was a sideband record, which carries names and "
			    "maps: functions and processes may have wrong names or none",
			    "%s: %" PRIu64 " of them were sideband records, which carry names and "
			    "maps: functions and processes may have wrong names or none",
			    t->lost_sideband),
			 path, t->lost_sideband);
	warn_aux(cli, t, path);
	warn_merged(cli, t, path);
	/*
	 * frame pointers of code built without them: a few are usual, and the file is not damaged
	 */
	if (t->broken_chains > samples / 100)
		cli_warn(cli,
			 Q_("%s: %" PRIu64 " invalid callchain was skipped",
			    "%s: %" PRIu64 " invalid callchains were skipped", t->broken_chains),
			 path, t->broken_chains);
}

void cli_warn_largest(const struct cli *cli, const struct ptui_profile *p, const char *path)
{
	const struct ptui_event_info *e;
	struct ptui_trust t;

	ptui_profile_trust(p, &t);
	if (t.largest_event >= ptui_profile_n_events(p))
		return;
	e = ptui_profile_event(p, t.largest_event);
	if (e->samples >= MANY_SAMPLES && t.largest_period > e->period / 2)
		cli_warn(cli,
			 _("%s: one sample of '%s' has %.1f%% of the event count: its period is "
			   "%" PRIu64),
			 path, e->name, (double)t.largest_period * 100 / (double)e->period,
			 t.largest_period);
}

int cli_warn_no_samples(const struct cli *cli, const struct ptui_trust *t, const char *path)
{
	struct buf list = BUF_INIT;
	const char *what = data_records_instead(t->records);

	for (unsigned type = 0; type < PTUI_RECORD_TYPES; type++) {
		const char *name = data_record_type_name(type);

		if (t->records[type] && name)
			buf_addf(&list, "%s%" PRIu64 " %s", list.len ? ", " : "", t->records[type],
				 name);
	}
	add_unknown(&list, t);
	if (!list.len)
		cli_warn(cli, _("%s contains no samples, and no other records"), path);
	else if (what)
		cli_warn(cli, _("%s contains no samples, but %s (records: %s)"), path, _(what),
			 buf_str(&list));
	else
		cli_warn(cli, _("%s contains no samples (records: %s)"), path, buf_str(&list));
	buf_release(&list);
	return t->unknown_event || t->bad_records || t->skipped_bytes || t->truncated_bytes ?
		       CLI_FAILED :
		       CLI_OK;
}
