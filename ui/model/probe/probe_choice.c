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

struct probe_row probe_choice_row(struct probe_choice *c, size_t row)
{
	const char *type = "";
	bool returns = c->probe && ptui_probe_can_return(c->probe, &type);
	size_t i = row - returns;
	const struct ptui_probe_variable *v;

	if (returns && !row)
		return (struct probe_row){
			.kind = PROBE_ROW_RETURN,
			.name = "$retval",
			.type = type ? type : "",
			.note = _("return value: probes where the function returns"),
			.chosen = &c->returns
		};
	if (i >= ptui_probe_n_variables(c->probe))
		return (struct probe_row){
			.kind = PROBE_ROW_KEEP,
			.name = _("keep the probe"),
			.type = "",
			.note = c->keep ? _("stays after ptui exits; 'ptui probe -d' deletes it") :
					  _("removed when ptui exits"),
			.chosen = &c->keep,
		};
	v = ptui_probe_variable(c->probe, i);
	return (struct probe_row){
		.kind = PROBE_ROW_VARIABLE,
		.name = v->name,
		.type = v->type,
		.note = v->why		? v->why :
			v->is_parameter ? _("parameter") :
					  _("local variable"),
		.refusal = v->why,
		.chosen = &c->variables[i],
	};
}

bool probe_choice_toggle(struct probe_choice *c, size_t row)
{
	struct probe_row r = probe_choice_row(c, row);

	if (r.refusal)
		return false;
	*r.chosen = !*r.chosen;
	if (r.kind == PROBE_ROW_VARIABLE)
		c->returns = false;
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
