/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * TRACING_DATA:
 *
 *   magic "tracing" version\0 | u8 big-endian | u8 sizeof(long) | u32 page size
 *   "header_page\0"  u64 n, bytes      "header_event\0"  u64 n, bytes
 *   u32 n of ftrace's own formats:     { u64 n, bytes }
 *   u32 n of systems:                  { name\0, u32 n of formats: { u64 n, bytes } }
 *   u32 n, kallsyms        u32 n, printk formats        u64 n, comms by pid
 */
#include "event/trace_format.h"

#include <ctype.h>
#include <event-parse.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <traceevent/trace-seq.h>
#include "base/cursor.h"

#define MAGIC_BYTES 10
#define PRINT_DEPTH 64 /* of brackets in a print format */

/*
 * Offset and length of a dynamic field are 16 bits each. A payload is printed from a buffer that has
 * zeros up to the largest sum, since libtraceevent trusts them.
 */
#define PAYLOAD_BYTES ((size_t)3 << 16)

struct trace_formats {
	struct tep_handle *tep;
	struct tep_plugin_list *plugins;
	struct trace_seq seq;
	trace_symbol_fn symbol;
	void *ctx;
	uint8_t *payload; /* PAYLOAD_BYTES; zeros from `filled` on */
	size_t filled;
};

/* ---- reading the formats ---- */

static const char *read_bytes(struct cursor *c, uint64_t n)
{
	if (n > cursor_left(c)) {
		c->bad = true;
		return NULL;
	}
	return cursor_bytes(c, n);
}

/* Moves past `text`, or past digits with NULL. */
static bool skip(const char **p, const char *end, const char *text)
{
	const char *at = *p;
	size_t n = text ? strlen(text) : 0;

	while (!text && *p < end && isdigit((unsigned char)**p))
		++*p;
	if (text && n <= (size_t)(end - *p) && !memcmp(*p, text, n))
		*p += n;
	return *p > at;
}

static bool is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

/* Moves past the number of a place in a payload, which is less than 64 KiB. */
static bool skip_place(const char **p, const char *end)
{
	const char *from = *p;
	uint64_t place = 0;

	if (!skip(p, end, NULL) || *p - from > 9)
		return false;
	for (; from < *p; from++)
		place = place * 10 + (uint64_t)(*from - '0');
	return place <= UINT16_MAX;
}

/* Whether a declaration has a name, "NAME[N]", and a type before it. */
static bool has_name(const char *p, const char *end)
{
	const char *name;

	while (end > p && end[-1] == ']') {
		end = memrchr(p, '[', (size_t)(end - p));
		if (!end)
			return false;
	}
	for (name = end; name > p && is_word(name[-1]);)
		name--;
	return name < end && name > p;
}

/* "\tfield:TYPE NAME[N];\toffset:N;\tsize:N;\tsigned:N;", as the kernel writes it. */
static bool is_field(const char *p, const char *end)
{
	unsigned brackets = 0, parens = 0, quotes = 0;
	const char *declared, *type;
	bool dynamic;

	if (!skip(&p, end, "\tfield:"))
		return false;
	declared = type = p;
	dynamic = skip(&type, end, "__data_loc ") || skip(&type, end, "__rel_loc ");
	for (; p < end && *p != ';'; p++) {
		/* beside words: pointers, and __attribute__((btf_type_tag("user"))) */
		if (!isprint((unsigned char)*p) || brackets > 1 ||
		    (!brackets && !is_word(*p) && !strchr(" *[()\"", *p)))
			return false;
		brackets += *p == '[' ? 1 : *p == ']' ? -1u : 0;
		parens += *p == '(' ? 1 : *p == ')' ? -1u : 0;
		quotes += *p == '"';
		if (*p == '"' && !parens)
			return false;
	}
	/* "__data_loc char[] name" */
	if (p > declared && p[-1] != ']' && memchr(declared, '[', (size_t)(p - declared)) &&
	    !dynamic)
		return false;
	if (brackets || parens || quotes % 2 || !has_name(type, p) ||
	    !skip(&p, end, ";\toffset:") || !skip_place(&p, end) || !skip(&p, end, ";\tsize:"))
		return false;
	/* a length and an offset of 16 bits */
	if (dynamic ? !skip(&p, end, "4;") : !skip_place(&p, end) || !skip(&p, end, ";"))
		return false;
	return p == end || (skip(&p, end, "\tsigned:") && skip(&p, end, NULL) &&
			    skip(&p, end, ";") && p == end);
}

/* Whether the name at `p` is that of a field in the lines from `fields` on: "\tfield:TYPE NAME[N];…" */
static bool is_declared(const char *fields, const char *p, const char *end)
{
	const char *eol, *at;
	size_t n = 0;

	while (p + n < end && is_word(p[n]))
		n++;
	for (; (eol = memchr(fields, '\n', (size_t)(p - fields))); fields = eol + 1) {
		at = memchr(fields, ';', (size_t)(eol - fields));
		while (at && at > fields && at[-1] == ']') /* arrays */
			at = memrchr(fields, '[', (size_t)(at - fields));
		if (at && n && (size_t)(at - fields) > n && !memcmp(at - n, p, n) &&
		    !is_word(*(at - n - 1)))
			return true;
	}
	return false;
}

/*
 * Whether what follows a "/" or "%" is a number other than 0, or the size of a type. libtraceevent divides
 * by whatever it is given, and groups "a / 8 * 0" from the right.
 */
static bool is_divisor(const char *p, const char *end)
{
	bool nonzero = false;

	while (skip(&p, end, " "))
		;
	if (skip(&p, end, "sizeof(")) {
		const char *type = p, *field = p;

		while (p < end && (is_word(*p) || *p == ' '))
			p++;
		nonzero = p > type && !skip(&field, end, "REC") && skip(&p, end, ")");
	} else {
		nonzero = p < end && *p != '0'; /* an octal number may end before an 8 */
		nonzero = skip(&p, end, NULL) && nonzero;
		while (p < end && strchr("uUlL", *p))
			p++;
	}
	while (skip(&p, end, " "))
		;
	return nonzero && p < end && strchr("\n,)]}+-", *p);
}

/* Whether "REC" or "(REC)" is before `p`. */
static bool is_of_rec(const char *from, const char *p)
{
	p -= p > from && p[-1] == ')';
	return p - from >= 3 && !memcmp(p - 3, "REC", 3);
}

/* An operator without its operand. "(char *)" has none. */
static bool lacks_operand(const char *p, const char *end)
{
	if (!strchr("+-/%~!&|^<>=", *p++))
		return false;
	while (skip(&p, end, " "))
		;
	return p == end || strchr("\n,)]}", *p);
}

static bool follows_operator(const char *from, const char *p)
{
	while (p > from && p[-1] == ' ')
		p--;
	return p > from && strchr("+-*/%~!&|^<>=", p[-1]);
}

/*
 * Whether a print format ends the text, is ASCII outside of strings, has its brackets and quotes in pairs,
 * semicolons in braces only, no field that does not exist or is not of REC, no operator in front of a string or
 * without an operand, and divides by numbers only: in others libtraceevent reads null pointers, divides by zero, or
 * leaks. Some strings have newlines (ext4_fc_stats).
 */
static bool is_print(const char *fields, const char *p, const char *end)
{
	char open[PRINT_DEPTH], quote = 0;
	size_t depth = 0;

	for (; p < end && (quote || *p != '\n'); p++) {
		const char *bracket = quote ? NULL : strchr("([{)]}", *p), *name = p;

		if (quote && *p == '\\' && p + 1 < end)
			p++;
		else if (quote)
			quote = *p == quote ? 0 : quote;
		else if (*p == '"' && follows_operator(fields, p))
			return false;
		else if (*p == '"' || *p == '\'')
			quote = *p;
		else if (*p != '\t' && (*p < ' ' || *p > '~'))
			return false;
		else if (skip(&name, end, "REC->") && !is_declared(fields, name, end))
			return false;
		else if (skip(&name, end, "->") && !is_of_rec(fields, p))
			return false;
		else if (lacks_operand(p, end))
			return false;
		else if (*p == ';' && (!depth || open[depth - 1] != '{'))
			return false;
		else if ((*p == '/' || *p == '%') && !is_divisor(p + 1, end))
			return false;
		else if (bracket && strchr("([{", *p)) {
			if (depth == PRINT_DEPTH)
				return false;
			open[depth++] = *p;
		} else if (bracket && (!depth-- || open[depth] != bracket[-3])) {
			return false;
		}
	}
	while (skip(&p, end, "\n"))
		;
	return p == end && !depth && !quote;
}

/*
 * Whether the fields are as the kernel writes them. libtraceevent does not expect anything else: it reads
 * null pointers.
 */
static bool has_kernel_fields(const char *text, size_t n)
{
	static const char begin[] = "\nformat:\n", print[] = "print fmt:";
	const char *p = memmem(text, n, begin, strlen(begin)), *end = text + n, *fields = p;

	if (!p || memchr(text, 0, n))
		return false;
	for (p += strlen(begin); p < end;) {
		const char *eol = memchr(p, '\n', (size_t)(end - p));

		if (!eol)
			eol = end;
		if (skip(&p, end, print))
			return is_print(fields, p, end);
		if (p < eol && !is_field(p, eol))
			return false;
		p = eol + 1;
	}
	return true;
}

static void read_formats(struct trace_formats *t, struct cursor *c, const char *sys, bool ftrace)
{
	uint32_t n = cursor_u32(c);

	for (uint32_t i = 0; i < n && !c->bad; i++) {
		uint64_t size = cursor_u64(c);
		const char *text = read_bytes(c, size);

		/* what it cannot parse, it prints as hexadecimal fields */
		if (text && has_kernel_fields(text, size))
			tep_parse_event(t->tep, text, (unsigned long)size, ftrace ? "ftrace" : sys);
	}
}

/*
 * libtraceevent drops quotes and a newline (\n) at the end, and looks for that before the start of texts
 * that are shorter.
 */
static void add_printk(struct trace_formats *t, char *string, unsigned long long addr)
{
	char *begin = string + (*string == '"'), text[8];
	size_t n = strlen(begin);

	n -= n && begin[n - 1] == '"';
	if (n < 3) {
		snprintf(text, sizeof(text), "\"%.*s\\n\"", (int)n, begin);
		string = text;
	}
	tep_register_print_string(t->tep, string, addr);
}

/* "0xffffffff81e3b8f8 : \"text\"" by line. */
static void read_printks(struct trace_formats *t, char *text)
{
	char *next = NULL, *line = strtok_r(text, "\n", &next);

	for (; line; line = strtok_r(NULL, "\n", &next)) {
		char *colon = strchr(line, ':'), *string;

		if (!colon)
			continue;
		*colon = '\0';
		string = colon + 1 + strspn(colon + 1, " ");
		add_printk(t, string, strtoull(line, NULL, 16));
	}
}

/* "17 bash" by line. */
static void read_comms(struct trace_formats *t, char *text)
{
	char *next = NULL, *line = strtok_r(text, "\n", &next);

	for (; line; line = strtok_r(NULL, "\n", &next)) {
		char *comm;
		long pid = strtol(line, &comm, 10);

		if (comm != line && *comm == ' ')
			tep_register_comm(t->tep, comm + 1, (int)pid);
	}
}

static void read_text(struct trace_formats *t, struct cursor *c, uint64_t n,
		      void (*read)(struct trace_formats *t, char *text))
{
	const char *bytes = read_bytes(c, n);
	char *text = bytes && n ? strndup(bytes, n) : NULL;

	if (text)
		read(t, text);
	free(text);
}

static void read_all(struct trace_formats *t, struct cursor *c)
{
	const char *page;
	uint64_t n;
	uint32_t systems;
	uint8_t long_bytes;
	bool big;

	cursor_bytes(c, MAGIC_BYTES);
	cursor_cstr(c);
	big = cursor_u8(c);
	c->swap = big != (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);
	long_bytes = cursor_u8(c);
	tep_set_file_bigendian(t->tep, big ? TEP_BIG_ENDIAN : TEP_LITTLE_ENDIAN);
	tep_set_long_size(t->tep, long_bytes);
	tep_set_page_size(t->tep, (int)cursor_u32(c));
	cursor_cstr(c);
	n = cursor_u64(c);
	page = read_bytes(c, n);
	/* the kernel's long is that of the page header, also below a 32-bit perf */
	if (page &&
	    !tep_parse_header_page(t->tep, (char *)(uintptr_t)page, (unsigned long)n, long_bytes))
		tep_set_long_size(t->tep, tep_get_header_page_size(t->tep));
	cursor_cstr(c);
	n = cursor_u64(c);
	read_bytes(c, n);
	read_formats(t, c, "ftrace", true);
	systems = cursor_u32(c);
	for (uint32_t i = 0; i < systems && !c->bad; i++)
		read_formats(t, c, cursor_cstr(c), false);
	n = cursor_u32(c);
	read_bytes(c, n); /* kallsyms, which perf leaves empty */
	n = cursor_u32(c);
	read_text(t, c, n, read_printks);
	if (cursor_left(c) >= 8) {
		n = cursor_u64(c);
		read_text(t, c, n, read_comms);
	}
}

/* ---- names of functions ---- */

static char *resolve(void *priv, unsigned long long *addr, char **module)
{
	struct trace_formats *t = priv;
	const char *in = NULL, *name;
	uint64_t start = *addr;

	name = t->symbol(t->ctx, *addr, &in, &start);
	*module = (char *)(uintptr_t)in;
	if (name)
		*addr = start;
	return (char *)(uintptr_t)name;
}

struct trace_formats *trace_formats_new(const void *bytes, size_t n, trace_symbol_fn symbol,
					void *ctx, struct ptui_error *err)
{
	struct trace_formats *t = calloc(1, sizeof(*t));
	struct cursor c;

	if (t) {
		t->payload = calloc(1, PAYLOAD_BYTES);
		t->tep = tep_alloc();
	}
	if (!t || !t->tep || !t->payload) {
		if (t) {
			tep_free(t->tep);
			free(t->payload);
		}
		free(t);
		ptui_error_nomem(err);
		return NULL;
	}
	tep_set_loglevel(TEP_LOG_NONE);
	t->symbol = symbol;
	t->ctx = ctx;
	t->plugins = tep_load_plugins(t->tep);
	trace_seq_init(&t->seq);
	cursor_init(&c, bytes, n, false);
	read_all(t, &c);
	tep_set_function_resolver(t->tep, resolve, t);
	return t;
}

void trace_formats_free(struct trace_formats *t)
{
	if (!t)
		return;
	trace_seq_destroy(&t->seq);
	free(t->payload);
	tep_unload_plugins(t->plugins, t->tep);
	tep_reset_function_resolver(t->tep);
	tep_free(t->tep);
	free(t);
}

/* ---- payloads ---- */

static struct tep_event *find_event(const struct trace_formats *t, uint64_t id)
{
	return id > INT32_MAX ? NULL : tep_find_event(t->tep, (int)id);
}

/* Copies a payload to where it can be printed. False: it is too long. */
static bool take_payload(struct trace_formats *t, const void *raw, size_t n)
{
	if (n > PAYLOAD_BYTES / 3)
		return false;
	memcpy(t->payload, raw, n);
	if (t->filled > n)
		memset(t->payload + n, 0, t->filled - n);
	t->filled = n;
	trace_seq_reset(&t->seq);
	return true;
}

static void add_printed(struct trace_formats *t, struct buf *out)
{
	trace_seq_terminate(&t->seq);
	buf_add(out, t->seq.buffer, t->seq.len);
}

void trace_formats_print(struct trace_formats *t, uint64_t id, uint32_t cpu, const void *raw,
			 size_t n, struct buf *out)
{
	struct tep_record record = { .cpu = (int)cpu, .size = (int)n, .data = t->payload };

	if (!find_event(t, id) || !take_payload(t, raw, n))
		return;
	tep_print_event(t->tep, &t->seq, &record, "%s", TEP_PRINT_INFO);
	add_printed(t, out);
}

/* Whether a payload of n bytes has the field, or the place of a dynamic one. */
static bool has_field(const struct tep_format_field *f, size_t n)
{
	return f->offset >= 0 && f->size >= 0 && (size_t)f->offset + (size_t)f->size <= n;
}

/* Reads the place of a dynamic field. False: it is not in the payload. */
static bool find_dynamic(const struct tep_format_field *f, const void *raw, size_t n,
			 size_t *ret_offset, size_t *ret_bytes)
{
	unsigned long long place;
	size_t base = 0;

	if (tep_read_number_field((struct tep_format_field *)(uintptr_t)f, raw, &place))
		return false;
#ifdef TEP_FIELD_IS_RELATIVE
	if (f->flags & TEP_FIELD_IS_RELATIVE)
		base = (size_t)f->offset + (size_t)f->size;
#endif
	*ret_offset = base + (place & 0xffff);
	*ret_bytes = place >> 16 & 0xffff;
	return *ret_offset <= n && *ret_bytes <= n - *ret_offset;
}

/* A number as the event declares it: longs in hexadecimal, since they are mostly pointers. */
static void print_number(struct trace_formats *t, const struct tep_format_field *f,
			 unsigned long long value)
{
	bool hex = f->flags & (TEP_FIELD_IS_POINTER | TEP_FIELD_IS_LONG);

	if (f->flags & TEP_FIELD_IS_POINTER || !(f->flags & TEP_FIELD_IS_SIGNED))
		trace_seq_printf(&t->seq, hex ? "0x%llx" : "%llu", value);
	else if (f->size == 4)
		trace_seq_printf(&t->seq, hex ? "0x%x" : "%d", (int)value);
	else if (f->size == 2)
		trace_seq_printf(&t->seq, "%2d", (short)value);
	else if (f->size == 1)
		trace_seq_printf(&t->seq, "%1d", (signed char)value);
	else
		trace_seq_printf(&t->seq, "%lld", (long long)value);
}

/*
 * tep_print_field() of newer libraries takes the conversion of a number from the print format of the event;
 * perf's does not.
 */
static void print_value(struct trace_formats *t, struct tep_format_field *f)
{
	unsigned long long value;

	if (f->flags & TEP_FIELD_IS_ARRAY)
		tep_print_field_content(&t->seq, t->payload, (int)t->filled, f);
	else if (!tep_read_number_field(f, t->payload, &value))
		print_number(t, f, value);
}

/* Where a field is in a payload. False: it is not in it. */
static bool find_bytes(const struct tep_format_field *f, const void *raw, size_t n,
		       size_t *ret_offset, size_t *ret_bytes)
{
	if (!has_field(f, n))
		return false;
	if (f->flags & TEP_FIELD_IS_DYNAMIC)
		return find_dynamic(f, raw, n, ret_offset, ret_bytes);
	*ret_offset = (size_t)f->offset;
	*ret_bytes = (size_t)f->size;
	return true;
}

void trace_formats_print_raw(struct trace_formats *t, uint64_t id, const void *raw, size_t n,
			     struct buf *out)
{
	const struct tep_event *event = find_event(t, id);
	size_t offset, bytes;

	if (!event || !take_payload(t, raw, n))
		return;
	for (struct tep_format_field *f = event->format.fields; f; f = f->next) {
		trace_seq_printf(&t->seq, " %s=", f->name);
		if (find_bytes(f, raw, n, &offset, &bytes))
			print_value(t, f);
	}
	add_printed(t, out);
}

/* The i-th field, with the common ones at the end; NULL: no more. */
static struct tep_format_field *field_at(const struct trace_formats *t, uint64_t id, size_t i,
					 bool *ret_common)
{
	const struct tep_event *event = t ? find_event(t, id) : NULL;
	struct tep_format_field *f = event ? event->format.fields : NULL;

	*ret_common = false;
	for (; f && i; f = f->next)
		i--;
	if (f || !event)
		return f;
	*ret_common = true;
	for (f = event->format.common_fields; f && i; f = f->next)
		i--;
	return f;
}

bool trace_formats_describe(const struct trace_formats *t, uint64_t id, size_t i,
			    struct trace_field *ret)
{
	bool common;
	const struct tep_format_field *f = field_at(t, id, i, &common);

	if (f)
		*ret = (struct trace_field){ f->name, f->size > 0 ? (uint32_t)f->size : 0,
					     f->flags & TEP_FIELD_IS_STRING, common };
	return f;
}

bool trace_formats_bytes(const struct trace_formats *t, uint64_t id, size_t i, const void *raw,
			 size_t n, const uint8_t **ret, size_t *ret_n)
{
	bool common;
	const struct tep_format_field *f = field_at(t, id, i, &common);
	size_t offset;

	if (!f || !find_bytes(f, raw, n, &offset, ret_n))
		return false;
	*ret = (const uint8_t *)raw + offset;
	return true;
}

void trace_formats_print_field(struct trace_formats *t, uint64_t id, size_t i, const void *raw,
			       size_t n, struct buf *out)
{
	bool common;
	struct tep_format_field *f = field_at(t, id, i, &common);
	size_t offset, bytes;

	if (!f || !find_bytes(f, raw, n, &offset, &bytes) || !take_payload(t, raw, n))
		return;
	print_value(t, f);
	add_printed(t, out);
}

const char *trace_formats_field(const struct trace_formats *t, uint64_t id, size_t i)
{
	const struct tep_event *event = t ? find_event(t, id) : NULL;
	const struct tep_format_field *field = event ? event->format.fields : NULL;

	while (field && i--)
		field = field->next;
	return field ? field->name : NULL;
}

bool trace_formats_number(const struct trace_formats *t, uint64_t id, const char *field,
			  const void *raw, size_t n, uint64_t *ret)
{
	struct tep_event *event = t ? find_event(t, id) : NULL;
	struct tep_format_field *f = event ? tep_find_field(event, field) : NULL;
	unsigned long long value;

	if (!f || f->offset < 0 || f->size < 0 || (size_t)f->offset + (size_t)f->size > n ||
	    tep_read_number_field(f, raw, &value))
		return false;
	*ret = value;
	return true;
}
