/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "model/report_line.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void add_flag(struct words *w, const char *option, bool given)
{
	if (given)
		words_add(w, option);
}

/* An option with a number, if it is given. */
static void add_number(struct words *w, const char *option, bool given, long long number)
{
	char text[32];

	snprintf(text, sizeof(text), "%lld", number);
	words_add_option(w, option, given ? text : NULL);
}

static void add_load(struct words *w, const struct ptui_load_opts *o)
{
	words_add_option(w, "--symfs", o->symfs);
	words_add_option(w, "-k", o->kernel.vmlinux);
	words_add_option(w, "--kallsyms", o->kernel.kallsyms);
	add_flag(w, "--ignore-vmlinux", o->kernel.ignore_vmlinux);
	add_flag(w, "--no-modules", o->kernel.no_modules);
	add_flag(w, "--force-names", o->force_names);
	add_flag(w, "--no-demangle", o->mangled_names);
	add_flag(w, "--demangle-kernel", o->demangle_kernel);
	add_flag(w, "--stitch-lbr", o->stitch_lbr);
	add_flag(w, "-b", o->mode == PTUI_MODE_BRANCHES);
	add_flag(w, "--mem-mode", o->mode == PTUI_MODE_MEMORY);
	add_flag(w, "--no-branch-stack", o->no_branches);
	add_number(w, "--max-stack", o->max_stack, o->max_stack);
}

/* Always explicit: the defaults depend on the config. */
static void add_chains(struct words *w, const struct report_line *l)
{
	static const char *const keys[] = {
		[PTUI_CHAIN_FUNCTION] = "",
		[PTUI_CHAIN_ADDRESS] = ",address",
		[PTUI_CHAIN_SRCLINE] = ",srcline",
	};
	const struct ptui_hist_opts *h = l->hist;
	char text[64];

	words_add(w, h->children ? "--children" : "--no-children");
	snprintf(text, sizeof(text), "graph,%.15g,%s%s%s", l->chain_min_percent,
		 h->order == PTUI_CALLER ? "caller" : "callee", keys[h->chain_key],
		 l->load && l->load->history && !h->chain_counts ? ",branch" : "");
	words_add_option(w, "-g", h->no_chains ? "none" : text);
	if (h->no_chains)
		return;
	add_flag(w, "--branch-history", h->chain_counts);
	add_flag(w, "--inline", h->inlines == PTUI_INLINES_ON);
	add_flag(w, "--no-inline", h->inlines == PTUI_INLINES_OFF && !h->chain_counts);
}

/* Lines as a list with commas. A name with a comma cannot be in such a list. */
static void add_list(struct words *w, const char *option, const char *lines)
{
	char *list = lines ? strdup(lines) : NULL;

	w->failed |= lines && !list;
	for (char *p = list; p && *p; p++)
		if (*p == '\n')
			*p = ',';
	words_add_option(w, option, list);
	free(list);
}

void report_line_filter(const struct ptui_hist_filter *f, bool relative, struct words *ret)
{
	add_list(ret, "--comms", f->comms);
	words_add_option(ret, "--pid", f->pids);
	words_add_option(ret, "--tid", f->tids);
	words_add_option(ret, "--cpu", f->cpus);
	words_add_option(ret, "--time", f->times);
	add_list(ret, "--dsos", f->dsos);
	add_list(ret, "--symbols", f->symbols);
	add_flag(ret, "--hide-unresolved", f->resolved);
	words_add_option(ret, "--comms", f->comm);
	add_number(ret, "--tid", f->by_thread, f->tid);
	words_add_option(ret, "--dsos", f->dso);
	words_add_option(ret, "--symbol-filter", f->symbol);
	add_number(ret, "--socket-filter", f->by_socket, f->socket);
	add_list(ret, "--cgroup-filter", f->cgroups);
	words_add_option(ret, "--stack-filter", f->stack);
	words_add_option(ret, "--field-filter", f->fields);
	add_flag(ret, "--exclude-other", f->has_parent);
	add_flag(ret, "--hide_user_symbols", f->kernel);
	add_list(ret, "--hide-dsos", f->hide_dsos);
	add_flag(ret, "--collapse-recursion", f->collapse_recursion);
	words_add_option(ret, "--percentage", relative ? "relative" : NULL);
}

void report_line_words(const struct report_line *l, struct words *ret)
{
	const struct ptui_hist_opts *h = l->hist;
	char text[32];

	words_add(ret, "ptui");
	words_add_option(ret, "--buildid-dir", l->load ? l->load->buildid_dir : NULL);
	words_add(ret, "report");
	words_add_option(ret, "-i", l->path);
	if (l->load)
		add_load(ret, l->load);
	add_flag(ret, "-v", l->missing);
	words_add_option(ret, "--event", l->event);
	if (!h)
		return;
	words_add(ret, "--unnamed-functions"); /* as on all screens */
	words_add_option(ret, "-s", h->sort);
	words_add_option(ret, "-F", h->fields);
	add_flag(ret, "--hierarchy", l->hierarchy);
	add_flag(ret, "-n", h->show_samples);
	add_flag(ret, "--show-total-period", h->show_period);
	add_flag(ret, "--group", h->grouping == PTUI_GROUP_ALL);
	add_number(ret, "--group-sort-idx", h->group_sort, h->group_sort);
	words_add_option(ret, "--parent", h->parent);
	words_add_option(ret, "--ignore-callees", h->ignore_callees);
	snprintf(text, sizeof(text), "%lluns", (unsigned long long)h->quantum_ns);
	words_add_option(ret, "--time-quantum", h->quantum_ns ? text : NULL);
	add_flag(ret, "--ns", h->show_ns);
	add_flag(ret, "-v", h->show_addresses && !l->missing);
	if (l->has_callchains)
		add_chains(ret, l);
	snprintf(text, sizeof(text), "%.15g", l->percent_limit);
	words_add_option(ret, "--percent-limit", l->percent_limit > 0 ? text : NULL);
	report_line_filter(&h->filter, h->relative, ret);
}
