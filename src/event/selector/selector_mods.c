/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Modifiers: the letters after the last colon of an event or a group. */
#include <stddef.h>
#include <string.h>
#include "base/i18n.h"
#include "event/selector/parser.h"

#define PRECISE_MAX	  3

#define SUPPORTED_LETTERS "ukhGHIpPSDWe"

#define FLAG(letter, field)                               \
	{                                                 \
		letter, offsetof(struct modifiers, field) \
	}

static const struct {
	char letter;
	size_t at; /* a bool */
} flags[] = {
	FLAG('u', user), FLAG('k', kernel), FLAG('h', hv),	    FLAG('G', guest),
	FLAG('H', host), FLAG('I', idle),   FLAG('P', precise_max), FLAG('S', sample_read),
	FLAG('W', weak), FLAG('D', pinned), FLAG('e', exclusive),
};

#define N_FLAGS (sizeof(flags) / sizeof(flags[0]))

/* Modifiers of perf that ptui lacks. */
static const struct {
	char letter;
	const char *why;
} unsupported[] = {
	{ 'b', N_("counting through BPF is not supported yet (modifier b)") },
	{ 'R', N_("retire latency is not supported yet (modifier R)") },
	{ 'X', N_("ptui never regroups events (modifier X)") },
};

#define N_UNSUPPORTED (sizeof(unsupported) / sizeof(unsupported[0]))

static const char *expected(void)
{
	return _("one of u k h G H I p P S D W e");
}

bool modifiers_plausible(struct span text)
{
	for (const char *c = text.at; c < text.end; c++) {
		bool known = strchr(SUPPORTED_LETTERS, *c) != NULL;

		for (size_t i = 0; i < N_UNSUPPORTED; i++)
			known |= unsupported[i].letter == *c;
		if (!known)
			return false;
	}
	return true;
}

static int wrong_letter(struct parser *p, const char *at)
{
	for (size_t i = 0; i < N_UNSUPPORTED; i++) {
		if (unsupported[i].letter == *at)
			return parser_error(p, at, expected(), "%s", _(unsupported[i].why));
	}
	if (*at == ':')
		return parser_error(p, at, _("a comma or the end"),
				    _("extra colon in the event selector"));
	return parser_error(p, at, expected(), _("unknown modifier in the event selector"));
}

/* 0 or -EINVAL, the error is set. */
static int parse_letter(struct parser *p, const char *at, struct modifiers *mods)
{
	bool *flag;
	size_t i = 0;

	if (*at == 'p') {
		if (++mods->precise > PRECISE_MAX)
			return parser_error(p, at, _("at most ppp"),
					    _("the maximum precise level is three"));
		return 0;
	}
	while (i < N_FLAGS && flags[i].letter != *at)
		i++;
	if (i == N_FLAGS)
		return wrong_letter(p, at);
	flag = (bool *)((char *)mods + flags[i].at);
	if (*flag)
		return parser_error(p, at, _("another letter or the end"),
				    _("the modifier %c is given twice"), *at);
	*flag = true;
	if (flag == &mods->pinned || flag == &mods->exclusive)
		mods->leader_only = at;
	return 0;
}

int modifiers_parse(struct parser *p, struct span text, struct modifiers *ret)
{
	memset(ret, 0, sizeof(*ret));
	if (text.at == text.end)
		return parser_error(p, text.at, expected(), _("modifier missing after the colon"));
	for (const char *at = text.at; at < text.end; at++) {
		int error = parse_letter(p, at, ret);

		if (error)
			return error;
	}
	return 0;
}

/* u, k, h: count only the named modes. A second letter adds to the first. */
static void apply_modes(const struct modifiers *mods, struct event *ev)
{
	struct perf_event_attr *attr = &ev->attr;

	if (!mods->user && !mods->kernel && !mods->hv)
		return;
	if (!attr->exclude_user && !attr->exclude_kernel && !attr->exclude_hv) {
		attr->exclude_user = 1;
		attr->exclude_kernel = 1;
		attr->exclude_hv = 1;
	}
	if (mods->user)
		attr->exclude_user = 0;
	if (mods->kernel)
		attr->exclude_kernel = 0;
	if (mods->hv)
		attr->exclude_hv = 0;
	ev->mode_given = true;
}

/*
 * G, H likewise. By default guests are excluded with user mode or a precise level, because guest
 * addresses would be attributed to the host.
 */
static void apply_guests(const struct modifiers *mods, struct event *ev)
{
	struct perf_event_attr *attr = &ev->attr;

	if (mods->guest || mods->host) {
		if (!ev->host_given) {
			attr->exclude_guest = 1;
			attr->exclude_host = 1;
		}
		if (mods->guest)
			attr->exclude_guest = 0;
		if (mods->host)
			attr->exclude_host = 0;
		ev->host_given = true;
	} else if ((mods->user || mods->precise) && !ev->host_given) {
		attr->exclude_guest = 1;
	}
}

int modifiers_apply(struct parser *p, const struct modifiers *mods, const char *where,
		    struct event *ev, bool is_leader, bool again)
{
	struct perf_event_attr *attr = &ev->attr;

	if (attr->precise_ip + mods->precise > PRECISE_MAX)
		return parser_error(
			p, where, _("fewer p"),
			_("the precise levels of event and group add up to more than three"));
	if (!again)
		attr->exclude_guest = 0;
	apply_modes(mods, ev);
	apply_guests(mods, ev);
	attr->precise_ip += mods->precise;
	ev->precise_max |= mods->precise_max;
	attr->exclude_idle |= mods->idle;
	ev->sample_read |= mods->sample_read;
	ev->weak |= mods->weak;
	if (is_leader) {
		attr->pinned |= mods->pinned;
		attr->exclusive |= mods->exclusive;
	}
	return 0;
}
