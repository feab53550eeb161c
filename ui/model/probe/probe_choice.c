/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "model/probe/probe_choice.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "text/i18n.h"

int probe_choice_init(struct probe_choice *c, const struct ptui_probe *probe)
{
	memset(c, 0, sizeof(*c));
	c->variables = calloc(ptui_probe_n_variables(probe) + 1, sizeof(*c->variables));
	c->probe = c->variables ? probe : NULL;
	return c->variables ? 0 : -ENOMEM;
}

void probe_choice_release(struct probe_choice *c)
{
	free(c->variables);
	memset(c, 0, sizeof(*c));
}

bool probe_choice_can_return(const struct probe_choice *c)
{
	const char *type;

	return c->probe && ptui_probe_can_return(c->probe, &type);
}

size_t probe_choice_n_rows(const struct probe_choice *c)
{
	return c->probe ? ptui_probe_n_variables(c->probe) + 1 + probe_choice_can_return(c) : 0;
}

enum probe_row probe_choice_row(const struct probe_choice *c, size_t row, size_t *ret_variable)
{
	if (probe_choice_can_return(c) && row-- == 0)
		return PROBE_ROW_RETURN;
	*ret_variable = row;
	return row < ptui_probe_n_variables(c->probe) ? PROBE_ROW_VARIABLE : PROBE_ROW_KEEP;
}

bool probe_choice_is_chosen(const struct probe_choice *c, size_t row)
{
	size_t i;

	switch (probe_choice_row(c, row, &i)) {
	case PROBE_ROW_RETURN:
		return c->returns;
	case PROBE_ROW_VARIABLE:
		return c->variables[i];
	default:
		return c->keep;
	}
}

const char *probe_choice_refusal(const struct probe_choice *c, size_t row)
{
	size_t i;

	if (probe_choice_row(c, row, &i) != PROBE_ROW_VARIABLE)
		return NULL;
	return ptui_probe_variable(c->probe, i)->why;
}

bool probe_choice_toggle(struct probe_choice *c, size_t row)
{
	size_t i;

	if (probe_choice_refusal(c, row))
		return false;
	switch (probe_choice_row(c, row, &i)) {
	case PROBE_ROW_RETURN:
		c->returns = !c->returns;
		break;
	case PROBE_ROW_VARIABLE:
		c->variables[i] = !c->variables[i];
		c->returns = false;
		break;
	default:
		c->keep = !c->keep;
	}
	if (c->returns)
		memset(c->variables, 0, ptui_probe_n_variables(c->probe) * sizeof(*c->variables));
	return true;
}

bool probe_choice_toggle_all(struct probe_choice *c)
{
	size_t n = c->probe ? ptui_probe_n_variables(c->probe) : 0, n_possible = 0, n_chosen = 0;

	for (size_t i = 0; i < n; i++) {
		n_possible += !ptui_probe_variable(c->probe, i)->why;
		n_chosen += c->variables[i];
	}
	for (size_t i = 0; i < n; i++)
		c->variables[i] = n_chosen < n_possible && !ptui_probe_variable(c->probe, i)->why;
	if (n_possible)
		c->returns = false;
	return n_possible;
}

size_t probe_choice_n_chosen(const struct probe_choice *c)
{
	size_t n = 0;

	for (size_t i = 0; c->probe && i < ptui_probe_n_variables(c->probe); i++)
		n += c->variables[i];
	return n;
}

const char *probe_choice_name(const struct probe_choice *c, size_t row)
{
	size_t i;

	switch (probe_choice_row(c, row, &i)) {
	case PROBE_ROW_RETURN:
		return "$retval";
	case PROBE_ROW_VARIABLE:
		return ptui_probe_variable(c->probe, i)->name;
	default:
		return _("keep the probe");
	}
}

const char *probe_choice_type(const struct probe_choice *c, size_t row)
{
	const char *type;
	size_t i;

	switch (probe_choice_row(c, row, &i)) {
	case PROBE_ROW_RETURN:
		ptui_probe_can_return(c->probe, &type);
		return type ? type : "";
	case PROBE_ROW_VARIABLE:
		return ptui_probe_variable(c->probe, i)->type;
	default:
		return "";
	}
}

const char *probe_choice_note(const struct probe_choice *c, size_t row)
{
	size_t i;

	switch (probe_choice_row(c, row, &i)) {
	case PROBE_ROW_RETURN:
		return _("return value: probes where the function returns");
	case PROBE_ROW_VARIABLE:
		if (ptui_probe_variable(c->probe, i)->why)
			return ptui_probe_variable(c->probe, i)->why;
		return ptui_probe_variable(c->probe, i)->is_parameter ? _("parameter") :
									_("local variable");
	default:
		return c->keep ? _("stays after ptui exits; 'ptui probe -d' deletes it") :
				 _("removed when ptui exits");
	}
}
