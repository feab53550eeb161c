/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Payloads of tracepoints as text, as the formats in a recording's TRACING_DATA say. By
 * libtraceevent with its installed plugins, as in perf.
 */
#ifndef EVENT_TRACE_FORMAT_H
#define EVENT_TRACE_FORMAT_H

#include <stdbool.h>
#include "base/buf.h"
#include "ptui/error.h"

struct trace_formats;

/*
 * The name of the function at a kernel address, and of its module (NULL: none) and start; NULL:
 * unknown. The text must stay valid.
 */
typedef const char *(*trace_symbol_fn)(void *ctx, uint64_t addr, const char **ret_module,
				       uint64_t *ret_start);

/* `bytes`: the TRACING_DATA of a recording, which are not kept. */
struct trace_formats *trace_formats_new(const void *bytes, size_t n, trace_symbol_fn symbol,
					void *ctx, struct ptui_error *err);
void trace_formats_free(struct trace_formats *t); /* NULL ok */

/* Appends a payload; `id` is the config of the event's attr. Nothing if its format is unknown. */
void trace_formats_print(struct trace_formats *t, uint64_t id, uint32_t cpu, const void *raw,
			 size_t n, struct buf *out);
/* The same without the event's print format: " name=value" for each field. */
void trace_formats_print_raw(struct trace_formats *t, uint64_t id, const void *raw, size_t n,
			     struct buf *out);
/* The i-th field of an event; NULL: no more. */
const char *trace_formats_field(const struct trace_formats *t, uint64_t id, size_t i);

struct trace_field {
	const char *name;
	uint32_t bytes; /* as declared */
	bool text;
	bool common; /* all events have it */
};

/* The same with what is known of it, and after the event's own fields the common ones. False: no more. */
bool trace_formats_describe(const struct trace_formats *t, uint64_t id, size_t i,
			    struct trace_field *ret);
/* The bytes of that field in a payload. False: they are not in it. */
bool trace_formats_bytes(const struct trace_formats *t, uint64_t id, size_t i, const void *raw,
			 size_t n, const uint8_t **ret, size_t *ret_n);
/* Appends the value of that field. Nothing if it is not in the payload. */
void trace_formats_print_field(struct trace_formats *t, uint64_t id, size_t i, const void *raw,
			       size_t n, struct buf *out);

/*
 * Reads a number of a payload by the name of its field. False: the format is unknown, or has no such
 * field.
 */
bool trace_formats_number(const struct trace_formats *t, uint64_t id, const char *field,
			  const void *raw, size_t n, uint64_t *ret);

#endif
