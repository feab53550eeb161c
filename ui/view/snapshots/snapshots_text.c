/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Texts of a snapshot. */
#include <stdio.h>

#include "text/grouped.h"
#include "text/i18n.h"
#include "text/strings.h"
#include "view/snapshots/snapshots_private.h"
#include "widget/number.h"

char *snapshots_news(size_t number, const struct ptui_snapshot *facts, char *buf, size_t size)
{
	struct grouped samples = grouped(facts->samples);
	char span[32], pause[32];

	number_span_ns(span, sizeof(span), facts->span_ns);
	number_span_ns(pause, sizeof(pause), facts->pause_ns);
	if (facts->pause_ns)
		snprintf(buf, size,
			 Q_("Snapshot %zu (%s): %s sample, %s; rings paused for %s",
			    "Snapshot %zu (%s): %s samples, %s; rings paused for %s",
			    facts->samples),
			 number, snapshot_list_why(facts->why), samples.text, span, pause);
	else
		snprintf(buf, size,
			 Q_("Snapshot %zu (%s): %s sample, %s", "Snapshot %zu (%s): %s samples, %s",
			    facts->samples),
			 number, snapshot_list_why(facts->why), samples.text, span);
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

static void put_overlap(const struct snapshot_row *r, char *buf, size_t size)
{
	const struct ptui_snapshot *f = &r->facts;
	struct grouped shared = grouped(f->samples - f->new_samples);
	char span[32];

	number_span_ns(span, sizeof(span), f->overlap_ns);
	if (f->samples > f->new_samples && f->overlap_ns)
		text_join(buf, size, " ",
			  _("%s of its samples (%s) are also in the previous snapshot."),
			  shared.text, span);
	else if (f->samples > f->new_samples)
		text_join(buf, size, " ", _("%s of its samples are also in the previous snapshot."),
			  shared.text);
	else if (f->gap && r->number > 1)
		text_join(
			buf, size, " ", "%s",
			_("The samples between the previous snapshot and this one were overwritten."));
}

static void put_pause(const struct ptui_snapshot *f, char *buf, size_t size)
{
	char pause[32], react[32];

	number_span_ns(pause, sizeof(pause), f->pause_ns);
	number_span_ns(react, sizeof(react), f->react_ns);
	if (f->pause_ns && f->lost)
		text_join(
			buf, size, " ",
			Q_("The ring buffers were paused for %s; %s sample was lost in that time.",
			   "The ring buffers were paused for %s; %s samples were lost in that time.",
			   f->lost),
			pause, grouped(f->lost).text);
	else if (f->pause_ns)
		text_join(buf, size, " ",
			  _("The ring buffers were paused for %s; no samples were lost."), pause);
	if (f->react_ns)
		text_join(buf, size, " ", _("It was taken %s after the request."), react);
}

char *snapshots_details(const struct snapshot_row *r, char *buf, size_t size)
{
	char clock[32], label[256], bytes[32];

	number_clock_ns(clock, sizeof(clock), r->facts.taken_ns);
	snprintf(buf, size, "%s:", snapshot_list_label(r, label, sizeof(label)));
	/* the formats are those of reason() */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
	text_join(buf, size, " ", reason(r->facts.why), clock);
#pragma GCC diagnostic pop
	if (r->path)
		text_join(buf, size, " ", _("File: %s."), r->path);
	else
		text_join(
			buf, size, " ", "%s",
			_("It has no file of its own, so it cannot be opened: its samples were added "
			  "to the file of the recording."));
	if (r->facts.aux_bytes)
		text_join(buf, size, " ", _("It has %s of AUX data."),
			  number_bytes(bytes, sizeof(bytes), r->facts.aux_bytes));
	put_overlap(r, buf, size);
	put_pause(&r->facts, buf, size);
	return buf;
}
