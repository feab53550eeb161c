/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Internals of inject, for the files of this room only.
 *
 *	inject.c	   records from the stream to the writer
 *	inject_buildid.c   the table of build-ids
 *	inject_sched.c	   sched_stat with sched_switch
 *	inject_callchain.c copied stacks to callchains
 *	inject_strip.c	   what is left out beside what these two make
 *	inject_jit.c	   maps of code from jitdump files; jit_elf.c writes it as ELF
 */
#ifndef INJECT_PRIVATE_H
#define INJECT_PRIVATE_H

#include "base/buf.h"
#include "base/perf_abi.h"
#include "data/write/writer.h"
#include "inject/inject.h"
#include "session/jit_maps.h"
#include "session/stream.h"

struct inject {
	struct data_file *file;
	const struct inject_opts *opts;
	struct inject_result *result;
	struct ptui_error *err;
	struct data_writer *writer;
	bool begun;
	struct buf out;	   /* records to be written */
	struct buf record; /* of a whole record */
	struct inject_sched *sched;
	struct inject_callchain *callchain;
	struct inject_strip *strip;
	struct jit_maps jit; /* those that were dealt with */
};

/* ---- inject.c ---- */
/* The record as in the file, with its header; valid until the next call. NULL: no memory. */
uint8_t *inject_bytes(struct inject *j, const struct data_record *rec, size_t *ret_n);
/* Adds a whole record to the output. 0, or a negative errno with err set. */
int inject_put(struct inject *j, const void *record, size_t n);

/* ---- inject_buildid.c ---- */
/* The payload of the output's BUILD_ID feature; empty: none. */
int inject_build_ids(struct inject *j, struct buf *out);

/* ---- inject_sched.c ---- */
int inject_sched_open(struct inject *j);
void inject_sched_free(struct inject_sched *s); /* NULL ok */
/* 1: the sample was dealt with. 0: it is to be copied. Or a negative errno with err set. */
int inject_sched_sample(struct inject *j, const struct data_record *rec,
			const struct data_sample *s);

/* Whether samples of this event are those that were merged. */
bool inject_sched_makes(const struct inject_sched *s, uint32_t event);

/* ---- inject_callchain.c ---- */
int inject_callchain_open(struct inject *j);
void inject_callchain_free(struct inject_callchain *c); /* NULL ok */
/* The attr of an event in the output. */
void inject_callchain_attr(const struct inject_callchain *c, struct perf_event_attr *attr);
int inject_callchain_sample(struct inject *j, struct stream *s, const struct data_record *rec,
			    const struct data_sample *sample, uint64_t when);

/* ---- inject_strip.c: with one of the two above ---- */
int inject_strip_open(struct inject *j);
void inject_strip_free(struct inject_strip *s); /* NULL ok */
bool inject_strip_has_event(const struct inject_strip *s, size_t event);
/* The attr of an event in the output. */
void inject_strip_attr(const struct inject *j, size_t event, struct perf_event_attr *attr);
/* Adds the GROUP_DESC feature of the output. 0 or -ENOMEM. */
int inject_strip_groups(struct inject *j);
/* 1: the record is left out, or was written. 0: it is to be copied. Or a negative errno with err set. */
int inject_strip_record(struct inject *j, const struct data_record *rec);

/* ---- inject_jit.c ---- */
int inject_jit_check(struct inject *j);
/* 1: the record maps a jitdump file, whose code is mapped instead. 0: it does not. */
int inject_jit_map(struct inject *j, const struct data_record *rec);

#endif
