/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The output fields of `ptui script`, and perf's language for them:
 *
 *	-F comm,ip,sym		these, for all kinds of events
 *	-F trace:time,trace	these, for tracepoints
 *	-F +addr,-period	the default ones with or without some
 */
#ifndef CLI_SCRIPT_FIELDS_H
#define CLI_SCRIPT_FIELDS_H

#include <stdbool.h>
#include <stdint.h>
#include "data/read/reader.h"
#include "ptui/error.h"

/* name as in -F */
#define SCRIPT_FIELDS(F)                    \
	F(COMM, "comm")                     \
	F(TID, "tid")                       \
	F(PID, "pid")                       \
	F(TIME, "time")                     \
	F(CPU, "cpu")                       \
	F(EVENT, "event")                   \
	F(TRACE, "trace")                   \
	F(IP, "ip")                         \
	F(SYM, "sym")                       \
	F(DSO, "dso")                       \
	F(DSOFF, "dsoff")                   \
	F(ADDR, "addr")                     \
	F(SYMOFF, "symoff")                 \
	F(PERIOD, "period")                 \
	F(IREGS, "iregs")                   \
	F(UREGS, "uregs")                   \
	F(BRSTACK, "brstack")               \
	F(BRSTACKSYM, "brstacksym")         \
	F(BRSTACKOFF, "brstackoff")         \
	F(SRCLINE, "srcline")               \
	F(DATA_SRC, "data_src")             \
	F(WEIGHT, "weight")                 \
	F(BPF_OUTPUT, "bpf-output")         \
	F(PHYS_ADDR, "phys_addr")           \
	F(MISC, "misc")                     \
	F(TOD, "tod")                       \
	F(DATA_PAGE_SIZE, "data_page_size") \
	F(CODE_PAGE_SIZE, "code_page_size") \
	F(INS_LAT, "ins_lat")               \
	F(CGROUP, "cgroup")                 \
	F(RETIRE_LAT, "retire_lat")         \
	F(INSN, "insn")                     \
	F(INSNLEN, "insnlen")               \
	F(DISASM, "disasm")                 \
	F(MACHINE_PID, "machine_pid")       \
	F(VCPU, "vcpu")                     \
	F(FLAGS, "flags")                   \
	F(BRSTACKINSN, "brstackinsn")       \
	F(BRSTACKINSNLEN, "brstackinsnlen") \
	F(BRSTACKDISASM, "brstackdisasm")   \
	F(SRCCODE, "srccode")               \
	F(METRIC, "metric")                 \
	F(CALLINDENT, "callindent")         \
	F(IPC, "ipc")                       \
	F(SYNTH, "synth")

enum {
#define SCRIPT_FIELD_BIT(id, name) SCRIPT_BIT_##id,
	SCRIPT_FIELDS(SCRIPT_FIELD_BIT)
#undef SCRIPT_FIELD_BIT
		SCRIPT_N_FIELDS
};

#define SCRIPT_FIELD(id) (1ULL << SCRIPT_BIT_##id)

/* What script_print.c prints; script_values.c prints the others. */
#define SCRIPT_WITHOUT_VALUES                                                                      \
	(SCRIPT_FIELD(COMM) | SCRIPT_FIELD(TID) | SCRIPT_FIELD(PID) | SCRIPT_FIELD(TIME) |         \
	 SCRIPT_FIELD(CPU) | SCRIPT_FIELD(EVENT) | SCRIPT_FIELD(TRACE) | SCRIPT_FIELD(IP) |        \
	 SCRIPT_FIELD(SYM) | SCRIPT_FIELD(DSO) | SCRIPT_FIELD(SYMOFF) | SCRIPT_FIELD(PERIOD) |     \
	 SCRIPT_FIELD(MISC) | SCRIPT_FIELD(TOD) | SCRIPT_FIELD(MACHINE_PID) | SCRIPT_FIELD(VCPU) | \
	 SCRIPT_FIELD(FLAGS) | SCRIPT_FIELD(SRCCODE) | SCRIPT_FIELD(METRIC) | SCRIPT_FROM_TRACE)

/*
 * Only decoding a processor trace gives samples counts of instructions and cycles, and calls and
 * returns by which to indent. No sample in a file has them, so these fields are empty, as in perf.
 */
#define SCRIPT_FROM_TRACE (SCRIPT_FIELD(IPC) | SCRIPT_FIELD(CALLINDENT))

/* The code at the address of the sample; and that between branches. */
#define SCRIPT_INSN (SCRIPT_FIELD(INSN) | SCRIPT_FIELD(INSNLEN) | SCRIPT_FIELD(DISASM))
#define SCRIPT_BLOCKS \
	(SCRIPT_FIELD(BRSTACKINSN) | SCRIPT_FIELD(BRSTACKINSNLEN) | SCRIPT_FIELD(BRSTACKDISASM))

/* Fields in lines of their own, or that follow a line. */
#define SCRIPT_LINES (SCRIPT_BLOCKS | SCRIPT_FIELD(SRCCODE) | SCRIPT_FIELD(METRIC))

/* Kinds of events that have their own fields: the types of perf_event_attr, and all others. */
enum script_kind {
	SCRIPT_HARDWARE,
	SCRIPT_SOFTWARE,
	SCRIPT_TRACEPOINT,
	SCRIPT_CACHE,
	SCRIPT_RAW,
	SCRIPT_BREAKPOINT,
	SCRIPT_SYNTH, /* PTUI_TYPE_SYNTH */
	SCRIPT_OTHER,
	SCRIPT_KINDS
};

struct script_fields {
	struct {
		uint64_t fields;
		uint64_t asked;	  /* by name: an error if the recording lacks them */
		uint64_t refused; /* by -field */
		bool user_set, for_all;
	} kinds[SCRIPT_KINDS];
};

void script_fields_init(struct script_fields *f);
/* Adds a value of -F. -EINVAL. */
int script_fields_parse(struct script_fields *f, const char *text, struct ptui_error *err);
/* Whether a word can be a value of -F: what follows -f. */
bool script_fields_is_list(const char *text);

enum script_kind script_kind(const struct data_event *e);
/*
 * Leaves what the recording has; `chains`: callchains are shown. An error if it lacks a field that
 * was asked for. -EINVAL.
 */
int script_fields_settle(struct script_fields *f, struct data_file *file, bool chains,
			 struct ptui_error *err);

#endif
