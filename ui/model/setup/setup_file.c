/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The saved choices: one name and value per line, control characters and \ as \xHH.
 *
 *	target command
 *	command make -j2
 *	event sched:sched_switch
 *	filter prev_state > 0		of the event above
 *	frequency 4000
 *	option sample-cpu		an option without a row; "delay=500", "bpf-event!"
 *	preset mine<tab>ptui record -g	a user preset
 *	past make -j2			a command of an earlier session, oldest first
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "model/setup/process.h"
#include "model/setup/setup.h"
#include "model/setup/setup_preset.h"
#include "text/i18n.h"

#define FILE_MAX_BYTES 0x100000 /* ignores the rest of the file */

static const char *const calls[N_SETUP_CALLS] = {
	[SETUP_CALLS_UNWOUND] = "unwound",
	[SETUP_CALLS_FP] = "fp",
	[SETUP_CALLS_OFF] = "off",
};
static const char *const rates[N_SETUP_RATES] = {
	[SETUP_RATE_DEFAULT] = "default",
	[SETUP_RATE_FREQUENCY] = "frequency",
	[SETUP_RATE_PERIOD] = "period",
};

static const char *const targets[N_SETUP_TARGETS] = {
	[SETUP_COMMAND] = "command", [SETUP_PROCESS] = "process",
	[SETUP_SYSTEM] = "system",   [SETUP_SYSTEM_COMMAND] = "system-command",
	[SETUP_OPTIONS] = "options",
};

char *setup_path(void)
{
	const char *state = getenv("XDG_STATE_HOME"), *home = getenv("HOME");
	char *path;

	/* By specification: a relative path counts as unset. */
	if (state && *state == '/')
		return asprintf(&path, "%s/ptui/setup", state) < 0 ? NULL : path;
	if (home && *home == '/')
		return asprintf(&path, "%s/.local/state/ptui/setup", home) < 0 ? NULL : path;
	return NULL;
}

/* ---- reading ---- */

struct reading {
	struct setup *s;
	const char *proc;
	enum setup_target target;
	struct words events, filters;
	size_t n_past;
	size_t n_bad; /* invalid lines */
};

static int hex_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* In place; false: invalid escape. */
static bool unescape(char *text)
{
	char *to = text;
	int high, low;

	for (; *text; text++) {
		if ((unsigned char)*text < ' ' || *text == 0x7f)
			return false;
		if (*text != '\\') {
			*to++ = *text;
			continue;
		}
		high = text[1] == 'x' ? hex_digit(text[2]) : -1;
		low = high < 0 ? -1 : hex_digit(text[3]);
		if (low < 0 || !(high | low))
			return false;
		*to++ = (char)(high << 4 | low);
		text += 3;
	}
	*to = '\0';
	return true;
}

static bool read_number(const char *text, uint64_t *ret)
{
	char *end;

	if (*text < '0' || *text > '9')
		return false;
	errno = 0;
	*ret = strtoull(text, &end, 10);
	return !errno && !*end;
}

/* Each takes a value or changes nothing: -EINVAL, invalid; -ENOMEM. */

/* The index of a name in a table; -EINVAL. */
static int read_name(const char *value, const char *const *names, int n)
{
	for (int i = 0; i < n; i++)
		if (!strcmp(value, names[i]))
			return i;
	return -EINVAL;
}

static int read_target(struct reading *r, const char *value)
{
	int i = read_name(value, targets, N_SETUP_TARGETS);

	r->target = i < 0 ? r->target : (enum setup_target)i;
	return i < 0 ? i : 0;
}

static int read_command(struct reading *r, const char *value)
{
	return setup_set_command(r->s, value, NULL);
}

/* PID START NAME */
static int read_process(struct reading *r, const char *value)
{
	unsigned long long start;
	int pid, at = 0;

	if (sscanf(value, "%d %llu %n", &pid, &start, &at) != 2 || !at || pid <= 0)
		return -EINVAL;
	if (!process_is(r->proc, (pid_t)pid, start))
		return 0;
	return setup_set_process(r->s, (pid_t)pid, start, value + at, NULL);
}

static int read_event(struct reading *r, const char *value)
{
	if (!*value || r->events.n >= SETUP_EVENTS_MAX)
		return -EINVAL;
	return words_add(&r->events, value);
}

/* Of the event above, if it has none yet. */
static int read_filter(struct reading *r, const char *value)
{
	if (!*value || r->filters.n >= r->events.n)
		return -EINVAL;
	while (r->filters.n + 1 < r->events.n)
		if (words_add(&r->filters, ""))
			return -ENOMEM;
	return words_add(&r->filters, value);
}

static int read_above_0(const char *value, uint64_t *ret)
{
	uint64_t number;

	if (!read_number(value, &number) || !number)
		return -EINVAL;
	*ret = number;
	return 0;
}

static int read_frequency(struct reading *r, const char *value)
{
	int ret = read_above_0(value, &r->s->freq_hz);

	/* overridden by a "rate" line that follows */
	if (!ret && r->s->freq_hz != SETUP_DEFAULT_HZ)
		r->s->rate = SETUP_RATE_FREQUENCY;
	return ret;
}

static int read_period(struct reading *r, const char *value)
{
	return read_above_0(value, &r->s->period);
}

static int read_rate(struct reading *r, const char *value)
{
	int i = read_name(value, rates, N_SETUP_RATES);

	r->s->rate = i < 0 ? r->s->rate : (enum setup_rate)i;
	return i < 0 ? i : 0;
}

static int read_callchain(struct reading *r, const char *value)
{
	int i = read_name(value, calls, N_SETUP_CALLS);

	r->s->calls = i < 0 ? r->s->calls : (enum setup_calls)i;
	/* "on": of older versions, the default */
	return i < 0 && strcmp(value, "on") ? i : 0;
}

static int read_output(struct reading *r, const char *value)
{
	return setup_set_output(r->s, value, NULL);
}

static int read_option(struct reading *r, const char *value)
{
	return setup_more_read(&r->s->more, value);
}

static int read_preset(struct reading *r, const char *value)
{
	return setup_read_preset(r->s, value);
}

static int read_history(struct reading *r, const char *value)
{
	if (!*value || r->n_past >= SETUP_HISTORY_MAX)
		return -EINVAL;
	r->n_past++;
	return words_add(&r->s->history, value);
}

static const struct {
	const char *name;
	int (*read)(struct reading *r, const char *value);
} lines[] = {
	{ "target", read_target }, { "command", read_command }, { "process", read_process },
	{ "event", read_event },   { "filter", read_filter },	{ "frequency", read_frequency },
	{ "period", read_period }, { "rate", read_rate },	{ "callchain", read_callchain },
	{ "output", read_output }, { "option", read_option },	{ "past", read_history },
	{ "preset", read_preset },
};

static int read_line(struct reading *r, char *line)
{
	char *value = strchr(line, ' ');

	if (!value)
		return -EINVAL;
	*value++ = '\0';
	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++)
		if (!strcmp(line, lines[i].name))
			return unescape(value) ? lines[i].read(r, value) : -EINVAL;
	return -EINVAL;
}

/* Counts and skips invalid lines. A last line without a newline is skipped: it may be truncated. */
static int read_lines(struct reading *r, char *text, size_t n)
{
	char *end = text + n, *next;
	int ret;

	for (; text < end; text = next) {
		next = memchr(text, '\n', (size_t)(end - text));
		ret = -EINVAL;
		if (next) {
			*next = '\0';
			if (strlen(text) == (size_t)(next - text))
				ret = read_line(r, text);
		}
		if (ret == -ENOMEM)
			return ret;
		r->n_bad += ret != 0;
		next = next ? next + 1 : end;
	}
	return 0;
}

static int read_all(const char *path, char *text, size_t *ret_n)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	ssize_t n;

	if (fd < 0)
		return -errno;
	n = file_read_full(fd, text, FILE_MAX_BYTES);
	close(fd);
	*ret_n = n < 0 ? 0 : (size_t)n;
	return n < 0 ? (int)n : 0;
}

int setup_load(struct setup *s, const char *path, const char *proc, struct ptui_error *err)
{
	struct reading r = { .s = s, .proc = proc, .target = s->target };
	char *text = malloc(FILE_MAX_BYTES);
	size_t n = 0;
	int ret;

	if (!text)
		return ptui_error_nomem(err);
	ret = read_all(path, text, &n);
	if (ret && ret != -ENOENT && ret != -ENOTDIR)
		ptui_error_errno(err, -ret, path, _("cannot read the saved setup from %s"), path);
	else
		ret = 0;
	if (!ret && read_lines(&r, text, n))
		ret = ptui_error_nomem(err);
	if (!ret && r.events.n)
		ret = setup_set_events(s, &r.events, &r.filters, err);
	/* setting a command or a process made it the target; the target line decides */
	if (!ret)
		s->target = r.target;
	if (!ret && r.n_bad)
		ret = ptui_error_set(err, PTUI_ERROR_INPUT, EBADMSG, path,
				     Q_("%zu invalid line of the saved setup in %s was ignored",
					"%zu invalid lines of the saved setup in %s were ignored",
					r.n_bad),
				     r.n_bad, path);
	words_release(&r.events);
	words_release(&r.filters);
	free(text);
	return ret;
}

int setup_from_text(struct setup *s, const char *text, const char *proc, struct ptui_error *err)
{
	struct setup fresh;
	struct reading r = { .s = &fresh, .proc = proc };
	char *copy = strdup(text);
	int ret;

	if (!copy || setup_init(&fresh)) {
		free(copy);
		return ptui_error_nomem(err);
	}
	words_release(&fresh.events);
	ret = read_lines(&r, copy, strlen(copy)) ? ptui_error_nomem(err) : 0;
	if (!ret && r.events.n)
		ret = setup_set_events(&fresh, &r.events, &r.filters, err);
	fresh.target = r.target;
	if (!ret) {
		struct setup before = *s;

		*s = fresh;
		s->history = before.history;
		before.history = (struct words)WORDS_INIT;
		fresh = before;
	}
	setup_release(&fresh);
	words_release(&r.events);
	words_release(&r.filters);
	free(copy);
	return ret;
}

/* ---- writing ---- */

static void put_line(FILE *out, const char *name, const char *value)
{
	fprintf(out, "%s ", name);
	for (; *value; value++) {
		if ((unsigned char)*value < ' ' || *value == 0x7f || *value == '\\')
			fprintf(out, "\\x%02x", (unsigned char)*value);
		else
			putc(*value, out);
	}
	putc('\n', out);
}

static void put_options(FILE *out, const struct setup *s)
{
	for (size_t i = 0; i < s->more.n; i++) {
		char *line = setup_use_line(&s->more.v[i]);

		if (line)
			put_line(out, "option", line);
		free(line);
	}
}

static void put_presets(FILE *out, const struct setup *s)
{
	for (size_t i = 0; i < s->preset_names.n; i++) {
		char *line;

		if (asprintf(&line, "%s\t%s", s->preset_names.v[i], s->preset_lines.v[i]) < 0)
			continue;
		put_line(out, "preset", line);
		free(line);
	}
}

static void put_choices(FILE *out, const struct setup *s)
{
	char *process = NULL;

	put_line(out, "target", targets[s->target]);
	put_line(out, "command", s->command);
	if (s->pid &&
	    asprintf(&process, "%d %" PRIu64 " %s", (int)s->pid, s->pid_start, s->pid_name) >= 0) {
		put_line(out, "process", process);
		free(process);
	}
	for (size_t i = 0; i < s->events.n; i++) {
		put_line(out, "event", s->events.v[i]);
		if (setup_filter(s, i))
			put_line(out, "filter", setup_filter(s, i));
	}
	fprintf(out, "frequency %" PRIu64 "\nperiod %" PRIu64 "\nrate %s\ncallchain %s\n",
		s->freq_hz, s->period, rates[s->rate], calls[s->calls]);
	put_line(out, "output", s->output);
	put_options(out, s);
	put_presets(out, s);
}

char *setup_to_text(const struct setup *s)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		return NULL;
	put_choices(out, s);
	if (!fclose(out))
		return text;
	free(text);
	return NULL;
}

static void put_all(FILE *out, const struct setup *s)
{
	put_choices(out, s);
	for (size_t i = 0; i < s->history.n; i++)
		put_line(out, "past", s->history.v[i]);
}

/* Creates all directories of `path`, accessible by the user only. */
static int make_folders(char *path)
{
	char *slash;
	int ret = 0;

	for (slash = strchr(path + 1, '/'); slash && !ret; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		if (mkdir(path, 0700) && errno != EEXIST)
			ret = -errno;
		*slash = '/';
	}
	return ret;
}

static int write_and_rename(const struct setup *s, char *temporary, const char *path)
{
	int fd = mkostemp(temporary, O_CLOEXEC), ret = 0;
	FILE *out;

	if (fd < 0)
		return -errno;
	out = fdopen(fd, "w");
	if (!out) {
		ret = -errno;
		close(fd);
	} else {
		put_all(out, s);
		if (fflush(out) || ferror(out) || fsync(fd))
			ret = errno ? -errno : -EIO;
		if (fclose(out) && !ret)
			ret = -errno;
	}
	if (!ret && rename(temporary, path))
		ret = -errno;
	if (ret)
		unlink(temporary);
	return ret;
}

int setup_save(const struct setup *s, const char *path, struct ptui_error *err)
{
	char *temporary = NULL;
	int ret;

	if (asprintf(&temporary, "%s.XXXXXX", path) < 0)
		return ptui_error_nomem(err);
	ret = make_folders(temporary);
	if (!ret)
		ret = write_and_rename(s, temporary, path);
	free(temporary);
	if (ret)
		ptui_error_errno(err, -ret, path, _("cannot save the setup to %s"), path);
	return ret;
}
