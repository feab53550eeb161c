/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The Setup screen: target, events, rate, output of a recording. Starts with the choices of the
 * last session.
 *
 *	 Target      ‹ command ›  make -j2           (p) process · (a) all
 *	 Events        cycles                        ✓
 *	               + add from the catalog …
 *	 Sampling    ‹ frequency ›  4000 Hz          auto · period · frequency
 *	 Call graph  ‹ unwound ›                     unwound · fp · off
 *	 Flight rec. ‹ off ›                         off · memory · rings
 *	 Output        perf.data                     existing file becomes .old
 *	 More          2 differ: -z --sample-cpu     of 69 options
 *
 *	 Same as       ptui record -F 4000 -g -e cycles -z --sample-cpu -- make -j2   (y) copy
 *
 *	  ! this machine cannot count cycles: cpu-clock is recorded instead
 */
#ifndef VIEW_SETUP_SETUP_H
#define VIEW_SETUP_SETUP_H

#include "ptui/record.h"
#include "text/words.h"
#include "widget/stack.h"

struct setup_screen_opts {
	/*
	 * Starts the recording: `opts` is valid during the call. Setup stays below what is opened
	 * here. Returns wishes for Setup.
	 */
	unsigned (*start)(void *ctx, const struct ptui_record_opts *opts);
	/* The same without samples: counts them. `words`: the command line of `ptui stat`. */
	unsigned (*count)(void *ctx, const struct ptui_record_opts *opts,
			  const struct words *words);
	/* Browses the readable recording at `path`. Returns wishes. */
	unsigned (*browse)(void *ctx, const char *path);
	void *ctx;
	bool preview;		/* the picker starts with a preview */
	const char *state_path; /* file of the saved choices; NULL: the usual one; "": not saved */
};

/* Opens it. 0, or negative with nothing opened. Strings of `opts` are copied. */
int setup_open(struct stack *s, const struct setup_screen_opts *opts, struct ptui_error *err);
/*
 * The functions below do nothing if there is no Setup below. For a screen above that shows what it
 * started: opens a picker with Setup's events. If valid events are chosen, Setup takes them and
 * taken() is called.
 */
void setup_change_events(struct stack *s, const char *where, unsigned (*taken)(void *ctx),
			 void *ctx);
/* Records again, like its key. */
void setup_record_again(struct stack *s);
/* Back to a Setup below, closing all above. False: there is none. */
bool setup_return(struct stack *s);

/* What is to be recorded next. */
struct setup_like {
	const char *path; /* like this recording; NULL: … */
	const char *line; /* … like this command line; NULL: as it is set up */
	const char *
		probes; /* these ("GROUP:NAME", one per line) and no other events; NULL: no change */
	bool unwound;	/* with unwound callchains */
	bool quiet;	/* Setup is not shown */
};
/* Prepares the Setup on the stack for it. Reports what it did; its undo takes it back. */
void setup_prepare(struct stack *s, const struct setup_like *like);

#endif
