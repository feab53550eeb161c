/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "model/report_line.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* An option with its value; NULL: not given. */
static int add_value(struct words *w, const char *option, const char *value)
{
	if (!value)
		return 0;
	return words_add(w, option) || words_add(w, value) ? -ENOMEM : 0;
}

static int add_flag(struct words *w, const char *option, bool given)
{
	return given ? words_add(w, option) : 0;
}

/* With a point, whatever the locale's. */
static const char *percent_text(double percent, char *buf, size_t size)
{
	snprintf(buf, size, "%.15g", percent);
	for (char *p = buf; *p; p++)
		if (*p == ',')
			*p = '.';
	return buf;
}

static int add_load(struct words *w, const struct ptui_load_opts *o)
{
	char frames[16];

	snprintf(frames, sizeof(frames), "%u", o->max_stack);
	return add_value(w, "--symfs", o->symfs) || add_value(w, "-k", o->kernel.vmlinux) ||
			       add_value(w, "--kallsyms", o->kernel.kallsyms) ||
			       add_flag(w, "--ignore-vmlinux", o->kernel.ignore_vmlinux) ||
			       add_flag(w, "--no-modules", o->kernel.no_modules) ||
			       add_flag(w, "--force-names", o->force_names) ||
			       add_flag(w, "--no-demangle", o->mangled_names) ||
			       add_flag(w, "--demangle-kernel", o->demangle_kernel) ||
			       add_flag(w, "--stitch-lbr", o->stitch_lbr) ||
			       add_flag(w, "-b", o->mode == PTUI_MODE_BRANCHES) ||
			       add_flag(w, "--mem-mode", o->mode == PTUI_MODE_MEMORY) ||
			       add_flag(w, "--no-branch-stack", o->no_branches) ||
			       add_value(w, "--max-stack", o->max_stack ? frames : NULL) ?
		       -ENOMEM :
		       0;
}

static const char *key_word(enum ptui_chain_key key)
{
	static const char *const words[] = {
		[PTUI_CHAIN_FUNCTION] = "",
		[PTUI_CHAIN_ADDRESS] = ",address",
		[PTUI_CHAIN_SRCLINE] = ",srcline",
	};

	return words[key];
}

/* Always explicit: the defaults depend on the config. */
static int add_chains(struct words *w, const struct report_line *l)
{
	const struct ptui_hist_opts *h = l->hist;
	char percent[32], text[64];

	if (words_add(w, h->children ? "--children" : "--no-children"))
		return -ENOMEM;
	if (h->no_chains)
		return add_value(w, "-g", "none");
	snprintf(text, sizeof(text), "graph,%s,%s%s%s",
		 percent_text(l->chain_min_percent, percent, sizeof(percent)),
		 h->order == PTUI_CALLER ? "caller" : "callee", key_word(h->chain_key),
		 l->load && l->load->history && !h->chain_counts ? ",branch" : "");
	return add_value(w, "-g", text) || add_flag(w, "--branch-history", h->chain_counts) ||
			       add_flag(w, "--inline", h->inlines == PTUI_INLINES_ON) ||
			       add_flag(w, "--no-inline",
					h->inlines == PTUI_INLINES_OFF && !h->chain_counts) ?
		       -ENOMEM :
		       0;
}

/* Lines as a list with commas. A name with a comma cannot be in such a list. */
static int add_list(struct words *w, const char *option, const char *lines)
{
	char *list = lines ? strdup(lines) : NULL;
	int ret;

	if (!list)
		return lines ? -ENOMEM : 0;
	for (char *p = list; *p; p++)
		if (*p == '\n')
			*p = ',';
	ret = add_value(w, option, list);
	free(list);
	return ret;
}

static int add_lists(const struct ptui_hist_filter *f, struct words *w)
{
	return add_list(w, "--comms", f->comms) || add_value(w, "--pid", f->pids) ||
			       add_value(w, "--tid", f->tids) || add_value(w, "--cpu", f->cpus) ||
			       add_value(w, "--time", f->times) || add_list(w, "--dsos", f->dsos) ||
			       add_list(w, "--symbols", f->symbols) ||
			       add_flag(w, "--hide-unresolved", f->resolved) ?
		       -ENOMEM :
		       0;
}

int report_line_filter(const struct ptui_hist_filter *f, bool relative, struct words *ret)
{
	char tid[16], socket[16];

	snprintf(socket, sizeof(socket), "%d", (int)f->socket);
	snprintf(tid, sizeof(tid), "%d", (int)f->tid);
	return add_lists(f, ret) || add_value(ret, "--comms", f->comm) ||
			       add_value(ret, "--tid", f->by_thread ? tid : NULL) ||
			       add_value(ret, "--dsos", f->dso) ||
			       add_value(ret, "--symbol-filter", f->symbol) ||
			       add_value(ret, "--socket-filter", f->by_socket ? socket : NULL) ||
			       add_flag(ret, "--exclude-other", f->has_parent) ||
			       add_flag(ret, "--hide_user_symbols", f->kernel) ||
			       add_list(ret, "--hide-dsos", f->hide_dsos) ||
			       add_flag(ret, "--collapse-recursion", f->collapse_recursion) ||
			       add_value(ret, "--percentage", relative ? "relative" : NULL) ?
		       -ENOMEM :
		       0;
}

int report_line_words(const struct report_line *l, struct words *ret)
{
	const struct ptui_hist_opts *h = l->hist;
	char percent[32], quantum[32] = "", group_sort[16] = "";

	percent_text(l->percent_limit, percent, sizeof(percent));
	if (words_add(ret, "ptui") ||
	    (l->load && l->load->buildid_dir &&
	     add_value(ret, "--buildid-dir", l->load->buildid_dir)) ||
	    words_add(ret, "report") || add_value(ret, "-i", l->path) ||
	    (l->load && add_load(ret, l->load)) || add_flag(ret, "-v", l->missing) ||
	    add_value(ret, "--event", l->event))
		return -ENOMEM;
	if (!h)
		return 0;
	if (h->quantum_ns)
		snprintf(quantum, sizeof(quantum), "%lluns", (unsigned long long)h->quantum_ns);
	if (h->group_sort)
		snprintf(group_sort, sizeof(group_sort), "%u", h->group_sort);
	return add_value(ret, "-s", h->sort) || add_value(ret, "-F", h->fields) ||
			       add_flag(ret, "--hierarchy", l->hierarchy) ||
			       add_flag(ret, "-n", h->show_samples) ||
			       add_flag(ret, "--show-total-period", h->show_period) ||
			       add_flag(ret, "--group", h->grouping == PTUI_GROUP_ALL) ||
			       add_value(ret, "--group-sort-idx",
					 *group_sort ? group_sort : NULL) ||
			       add_value(ret, "--parent", h->parent) ||
			       add_value(ret, "--ignore-callees", h->ignore_callees) ||
			       add_value(ret, "--time-quantum", *quantum ? quantum : NULL) ||
			       add_flag(ret, "--ns", h->show_ns) ||
			       add_flag(ret, "-v", h->show_addresses && !l->missing) ||
			       (l->has_callchains && add_chains(ret, l)) ||
			       add_value(ret, "--percent-limit",
					 l->percent_limit > 0 ? percent : NULL) ||
			       report_line_filter(&h->filter, h->relative, ret) ?
		       -ENOMEM :
		       0;
}
