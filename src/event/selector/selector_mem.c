/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Breakpoints: mem:ADDRESS[/LENGTH][:ACCESS][/TERMS/][:MODS]
 *
 * The address is a number or the name of a kernel function or variable, which is resolved during
 * parsing. ACCESS consists of r, w and x, which are not modifiers.
 */
#include <ctype.h>
#include <errno.h>
#include <linux/hw_breakpoint.h>
#include <stdlib.h>
#include <string.h>
#include "base/i18n.h"
#include "event/selector/parser.h"

#define KALLSYMS_BYTES_MAX (64u << 20)

/* Address from a /proc/kallsyms line, "ffffffff81a00000 D jiffies"; 0: not found. */
static int find_symbol(struct parser *p, struct span name, uint64_t *ret)
{
	struct buf text = BUF_INIT;
	int error;

	*ret = 0;
	error = file_readf(&text, KALLSYMS_BYTES_MAX, "%s/kallsyms", catalog_roots(p->cat)->proc);
	for (const char *line = buf_str(&text); !error && *line; line += strcspn(line, "\n")) {
		const char *symbol;
		size_t len;

		line += *line == '\n';
		len = strcspn(line, " \n");
		if (strncmp(line + len, " ", 1) || !line[len + 1] || line[len + 2] != ' ')
			continue;
		symbol = line + len + 3;
		if (strcspn(symbol, " \t\n") == span_len(name) &&
		    !memcmp(symbol, name.at, span_len(name))) {
			*ret = strtoull(line, NULL, 16);
			error = *ret ? 0 : -EACCES;
			break;
		}
	}
	buf_release(&text);
	return error ? error : *ret ? 0 : -ENOENT;
}

static int parse_address(struct parser *p, struct span s, uint64_t *ret)
{
	int error;

	if (s.at == s.end)
		return parser_error(p, s.at, _("an address, or the name of a kernel symbol"),
				    _("mem: requires an address"));
	if (isdigit((unsigned char)*s.at)) {
		if (parser_take_number(s, UINT64_MAX, ret))
			return 0;
		return parser_error(p, s.at, _("a number, decimal or 0x..."), _("invalid address"));
	}
	error = find_symbol(p, s, ret);
	if (!error)
		return 0;
	if (error == -EACCES) {
		parser_error(p, s.at, _("an address"),
			     _("the kernel does not disclose the address of %.*s"),
			     (int)span_len(s), s.at);
		ptui_error_hint(
			p->err,
			_("as root: sysctl kernel.kptr_restrict=0; users without CAP_SYSLOG also "
			  "require kernel.perf_event_paranoid=1 or lower"));
		return -EINVAL;
	}
	return parser_error(p, s.at, _("an address, or the name of a kernel symbol"),
			    _("unknown kernel symbol '%.*s'"),
			    (int)(span_len(s) > 80 ? 80 : span_len(s)), s.at);
}

/* Access letters, or nothing: then the text is parsed as modifiers. */
static bool parse_access(struct span s, uint32_t *ret)
{
	*ret = 0;
	for (const char *c = s.at; c < s.end; c++) {
		uint32_t bit = *c == 'r' ? HW_BREAKPOINT_R :
			       *c == 'w' ? HW_BREAKPOINT_W :
			       *c == 'x' ? HW_BREAKPOINT_X :
					   0;

		if (!bit || *ret & bit)
			return false;
		*ret |= bit;
	}
	return *ret != 0;
}

/* What begins at `at`, up to a slash or colon. */
static struct span part_at(const char *at, const char *end)
{
	struct span part = { at, at };

	while (part.end < end && *part.end != '/' && *part.end != ':')
		part.end++;
	return part;
}

int mem_parse(struct parser *p, struct event_text *t)
{
	struct span all = t->all, address, part;
	const char *at = strchr(all.at, ':') + 1;
	uint64_t addr, len = 0;
	uint32_t access;
	struct event *ev;
	size_t from = p->list->n;
	int ret;

	address = part_at(at, all.end);
	ret = parse_address(p, address, &addr);
	if (ret)
		return ret;
	at = address.end;
	if (at < all.end && *at == '/' && isdigit((unsigned char)at[1])) {
		part = part_at(at + 1, all.end);
		if (!parser_take_number(part, 8, &len) || !len || len & (len - 1))
			return parser_error(
				p, part.at, _("1, 2, 4 or 8"),
				_("the length of a breakpoint must be 1, 2, 4 or 8 bytes"));
		at = part.end;
	}
	access = 0;
	if (at < all.end && *at == ':') {
		part = part_at(at + 1, all.end);
		if (parse_access(part, &access))
			at = part.end;
		else if (!modifiers_plausible(part))
			return parser_error(p, part.at, _("of r, w and x, each once, or modifiers"),
					    _("invalid access type"));
	}
	if (!access)
		access = HW_BREAKPOINT_RW;
	if (at < all.end && *at == '/') {
		t->has_terms = true;
		t->terms = span_before((struct span){ at + 1, all.end }, '/');
		if (t->terms.end == all.end)
			return parser_error(p, all.end, _("a slash"),
					    _("unterminated event terms"));
		at = t->terms.end + 1;
	}
	t->rest = (struct span){ at, all.end };
	ret = spec_add(p, t, EVENT_BREAKPOINT, PERF_TYPE_BREAKPOINT, 0);
	if (ret)
		return ret;
	ev = &p->list->v[p->list->n - 1];
	ev->attr.bp_addr = addr;
	ev->attr.bp_type = access;
	ev->attr.bp_len = len			    ? len :
			  access == HW_BREAKPOINT_X ? sizeof(long) :
						      HW_BREAKPOINT_LEN_4;
	return spec_apply_terms(p, t, from);
}
