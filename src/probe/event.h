/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Probe events: what a definition becomes, one line of kprobe_events or uprobe_events per address:
 *
 *	p:probe_bash/readline /usr/bin/bash:0xd5690 prompt=+0(%di):string
 *	r:probe/open__return do_sys_openat2+0 $retval
 */
#ifndef PROBE_EVENT_H
#define PROBE_EVENT_H

#include "probe/find.h"
#include "probe/variable.h"

struct probe_event {
	const char *group, *event;
	bool is_uprobe, returns;
	const char *module;   /* path of the file; name of the kernel module; NULL: the kernel */
	const char *symbol;   /* of the kernel; NULL: `address` */
	uint64_t offset;      /* from the symbol */
	uint64_t address;     /* in the file; of the kernel without a symbol */
	uint64_t rva;	      /* the address as in the file; 0: not known */
	uint64_t semaphore;   /* offset in the file of a marker's counter; 0: none */
	const char *function; /* for a name, if none is given */
	struct probe_value *values;
	size_t n_values;
};

struct probe_events {
	struct probe_event *v;
	size_t n, cap;
};

struct probe_make_opts {
	struct probe_find_opts find; /* find.mem: of all strings */
	size_t max_probes;
	const char *module; /* name of the kernel module; NULL: none */
	/* The symbol that kprobes are relative to ("_text"); NULL: the function's own. */
	const char *base_symbol;
	uint64_t base_addr;
};

/*
 * All addresses of a definition. Their groups and names are NULL unless the definition has them. 0, or a
 * negative errno with `err` set.
 */
int probe_events_make(struct probe_binary *b, const struct probe_definition *def,
		      const struct probe_make_opts *o, struct probe_events *ret,
		      struct ptui_error *err);
void probe_events_release(struct probe_events *events);

/* The line for the kernel, without a newline. */
void probe_event_format(const struct probe_event *e, struct buf *out);

/* "probe_NAME" for a file, "probe" for the kernel; in `mem`. NULL: out of memory. */
const char *probe_group_of(const char *path, struct arena *mem);
/*
 * The name of an event: that of the definition, else of the function. NAME_1 and so on if `is_taken`, which
 * -EEXIST refuses without `may_number`. 0, or a negative errno with `err` set.
 */
int probe_event_name(const struct probe_definition *def, const struct probe_event *e,
		     bool (*is_taken)(void *ctx, const char *name), void *ctx, bool may_number,
		     struct arena *mem, const char **ret, struct ptui_error *err);

/* A line of the kernel as an event, with strings in `mem`. False: it is none. */
bool probe_event_parse(const char *line, struct arena *mem, struct probe_event *ret);

#endif
