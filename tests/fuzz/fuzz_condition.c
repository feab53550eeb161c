/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Any text as a condition of --snapshot-when: no crash; an error leaves nothing allocated; a valid
 * condition can be evaluated, and uses existing events only.
 */
#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include "event/event.h"
#include "record/snapshot/condition.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char *const names[] = { "page-faults",	"cycles:u",    "cycles:k", "instructions:u",
				     "cpu/event=0x3c/", "cpu/cycles/", "a:b:u",	   "s" };
#define N_EVENTS (sizeof(names) / sizeof(*names))

static struct event_list events;

static void clean_up(void)
{
	event_list_release(&events);
}

static void set_up(void)
{
	event_list_init(&events);
	for (size_t i = 0; i < N_EVENTS; i++)
		if (!event_list_add(&events, names[i]))
			abort();
	events.v[4].kind = events.v[5].kind = EVENT_PMU;
	atexit(clean_up);
}

static void look(struct condition *c)
{
	double totals[N_EVENTS];

	for (size_t i = 0; i < c->n_parts; i++)
		if (c->parts[i].event >= N_EVENTS || c->parts[i].under >= N_EVENTS ||
		    !(c->parts[i].limit >= 0) || !condition_needs(c, c->parts[i].event))
			abort();
	for (int round = 0; round < 3; round++) {
		for (size_t i = 0; i < N_EVENTS; i++)
			totals[i] = i % 3 == 2 ? NAN : (double)(i + 1) * 1000 * round;
		condition_evaluate(c, totals, 100000000);
	}
	condition_reset(c);
	condition_never_known(c);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct ptui_error err = PTUI_ERROR_INIT;
	struct condition c;
	char *text = malloc(size + 1);
	int ret;

	if (!text)
		return 0;
	if (!events.n)
		set_up();
	memcpy(text, data, size);
	text[size] = '\0';
	ret = condition_parse(text, &events, &c, &err);
	if (ret ? ret != -EINVAL || c.text || !ptui_error_is_set(&err) : !c.n_parts || !c.n_steps)
		abort();
	if (!ret)
		look(&c);
	condition_release(&c);
	free(text);
	return 0;
}
