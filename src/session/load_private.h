/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Internals of loading a file: load.c has the first walk and the profile, load_samples.c the second walk. */
#ifndef SESSION_LOAD_PRIVATE_H
#define SESSION_LOAD_PRIVATE_H

#include "session/load.h"

#define LOAD_PARTS_MAX 8u

/* A load of a file into a builder. */
struct load {
	struct builder *b;
	struct data_file *file;
	const struct ptui_load_opts *opts;
	struct profile_debug *debug; /* shared by its profiles; NULL: none yet */
	bool asks;		     /* opts->partial_wanted(), after each sample */
	bool first;		     /* only the first part of the file, to be shown soon */
	uint64_t first_bytes;	     /* its size */
	/*
	 * Position (data_record.seq) up to which samples are loaded: the sideband of those before is complete.
	 * 0: of none.
	 */
	uint64_t until;
	uint64_t n_samples, off; /* loaded so far, and the offset of the last one */
	uint64_t shown;		 /* samples of the first part, which was shown */
	/*
	 * The file may be read in parts, at once: the positions of all but the first, found by the first walk, if it
	 * says that the file splits.
	 */
	unsigned n_parts;
	struct data_place cuts[LOAD_PARTS_MAX - 1];
	size_t n_cuts;
	bool splits;
	struct load_parts *parts; /* NULL: all is read by one */
	int failed; /* negative errno: the maps could not be read to the end, and `err` is set */
};

/* Records between two calls of the progress callback, powers of two; fewer if a screen shows the rows so far. */
#define LOAD_PROGRESS_RECORDS 16384
#define LOAD_PARTIAL_RECORDS  1024

/* Whether it is to be called; `n` counts the records. */
static inline bool load_progress_is_due(const struct ptui_load_opts *o, uint64_t *n)
{
	uint64_t mask = (o->partial ? LOAD_PARTIAL_RECORDS : LOAD_PROGRESS_RECORDS) - 1;

	return !((*n)++ & mask) && o->progress;
}

/* Calls it. 0, or -ECANCELED. */
int load_progress(const struct ptui_load_opts *o, const struct data_file *file, const char *what,
		  uint64_t done, struct ptui_error *err);
/* A profile of the samples so far. All of them are in the store. 0 or a negative errno. */
int load_publish_partial(struct load *l, struct ptui_error *err);
/* In how many parts, each with a thread, the samples of a file are worth to be read; at least 1. */
unsigned load_parts_wanted(const struct data_file *file, const struct ptui_load_opts *opts);
/* The second walk. 0 or a negative errno. */
int load_samples(struct load *l, struct ptui_error *err);

#endif
