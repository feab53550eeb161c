/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Texts of a snapshot. */
#include <stdio.h>

#include "text/i18n.h"
#include "view/snapshots/snapshots_private.h"
#include "widget/number.h"

/* Appends sentences. */
struct sentences {
	char *buf;
	size_t n, size;
};

static void __attribute__((format(printf, 2, 3)))
put_sentence(struct sentences *w, const char *fmt, ...)
{
	va_list args;

	if (w->n && w->n + 1 < w->size)
		w->buf[w->n++] = ' ';
	va_start(args, fmt);
	w->n += (size_t)vsnprintf(w->buf + w->n, w->size - w->n, fmt, args);
	va_end(args);
	if (w->n >= w->size)
		w->n = w->size - 1;
}

char *snapshots_news(size_t number, const struct ptui_snapshot *facts, char *buf, size_t size)
{
	char samples[32], span[32], pause[32];

	number_full(samples, sizeof(samples), facts->samples);
	number_span_ns(span, sizeof(span), facts->span_ns);
	number_span_ns(pause, sizeof(pause), facts->pause_ns);
	if (facts->pause_ns)
		snprintf(buf, size,
			 Q_("Snapshot %zu (%s): %s sample, %s; rings paused for %s",
			    "Snapshot %zu (%s): %s samples, %s; rings paused for %s",
			    facts->samples),
			 number, snapshot_list_why(facts->why), samples, span, pause);
	else
		snprintf(buf, size,
			 Q_("Snapshot %zu (%s): %s sample, %s", "Snapshot %zu (%s): %s samples, %s",
			    facts->samples),
			 number, snapshot_list_why(facts->why), samples, span);
	return buf;
}

static const char *reason(enum ptui_snapshot_why why)
{
	static const char *const texts[] = {
		[PTUI_SNAPSHOT_ASKED] = N_("Requested with a key at %s."),
		[PTUI_SNAPSHOT_SIGNAL] = N_("Requested by SIGUSR2 at %s."),
		[PTUI_SNAPSHOT_CONTROL] = N_("Requested by a --control command at %s."),
		[PTUI_SNAPSHOT_EVENT] = N_("The event of --switch-output-event occurred at %s."),
		[PTUI_SNAPSHOT_WHEN] = N_("A condition (--snapshot-when) became true at %s."),
		[PTUI_SNAPSHOT_SIZE] = N_("The size limit of --switch-output was reached at %s."),
		[PTUI_SNAPSHOT_TIME] = N_("The time limit of --switch-output was reached at %s."),
	};

	return (size_t)why < sizeof(texts) / sizeof(texts[0]) ? _(texts[why]) : "%s";
}

static void put_overlap(struct sentences *w, const struct snapshot_row *r)
{
	const struct ptui_snapshot *f = &r->facts;
	char samples[32], span[32];

	if (f->samples > f->new_samples && f->overlap_ns) {
		number_full(samples, sizeof(samples), f->samples - f->new_samples);
		number_span_ns(span, sizeof(span), f->overlap_ns);
		put_sentence(w, _("%s of its samples (%s) are also in the previous snapshot."),
			     samples, span);
	} else if (f->samples > f->new_samples) {
		number_full(samples, sizeof(samples), f->samples - f->new_samples);
		put_sentence(w, _("%s of its samples are also in the previous snapshot."), samples);
	} else if (f->gap && r->number > 1) {
		put_sentence(
			w, "%s",
			_("The samples between the previous snapshot and this one were overwritten."));
	}
}

static void put_pause(struct sentences *w, const struct ptui_snapshot *f)
{
	char pause[32], react[32], lost[32];

	number_span_ns(pause, sizeof(pause), f->pause_ns);
	number_span_ns(react, sizeof(react), f->react_ns);
	number_full(lost, sizeof(lost), f->lost);
	if (f->pause_ns && f->lost)
		put_sentence(
			w,
			Q_("The ring buffers were paused for %s; %s sample was lost in that time.",
			   "The ring buffers were paused for %s; %s samples were lost in that time.",
			   f->lost),
			pause, lost);
	else if (f->pause_ns)
		put_sentence(w, _("The ring buffers were paused for %s; no samples were lost."),
			     pause);
	if (f->react_ns)
		put_sentence(w, _("It was taken %s after the request."), react);
}

char *snapshots_details(const struct snapshot_row *r, char *buf, size_t size)
{
	struct sentences w = { .buf = buf, .size = size };
	char clock[32], label[256], bytes[32];

	*buf = '\0';
	number_clock_ns(clock, sizeof(clock), r->facts.taken_ns);
	put_sentence(&w, "%s:", snapshot_list_label(r, label, sizeof(label)));
	/* the formats are those of reason() */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
	put_sentence(&w, reason(r->facts.why), clock);
#pragma GCC diagnostic pop
	if (r->path)
		put_sentence(&w, _("File: %s."), r->path);
	else
		put_sentence(
			&w, "%s",
			_("It has no file of its own, so it cannot be opened: its samples were added "
			  "to the file of the recording."));
	if (r->facts.aux_bytes) {
		number_bytes(bytes, sizeof(bytes), r->facts.aux_bytes);
		put_sentence(&w, _("It has %s of AUX data."), bytes);
	}
	put_overlap(&w, r);
	put_pause(&w, &r->facts);
	return buf;
}
