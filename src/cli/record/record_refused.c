/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The options of perf record that ptui does not have, with the reasons. */
#include <errno.h>
#include "base/i18n.h"
#include "cli/record/record_options.h"

/* --no-aio and the like: what is not there is off. */
#define REFUSED(name, why)                                                                       \
	int record_refuse_##name(void *field, const char *value, bool unset,                     \
				 struct ptui_error *err)                                         \
	{                                                                                        \
		(void)field;                                                                     \
		return unset ? 0 :                                                               \
			       ptui_error_set(err, PTUI_ERROR_INPUT, ENOTSUP, value, "%s", why); \
	}

REFUSED(threads, _("not supported: one thread drains all ring buffers; larger ones (-m) bridge "
		   "its delays"))
REFUSED(aio, _("not supported: the recording is written while the kernel fills the ring buffers; "
	       "larger ones (-m) bridge delays of the disk"))
REFUSED(kcore, _("not supported: a recording is one file; 'ptui buildid-cache -k /proc/kcore' "
		 "keeps a copy of the kernel's code"))
REFUSED(off_cpu, _("not supported: it requires a BPF program of perf; the event "
		   "sched:sched_switch with -g shows where tasks leave the CPU"))
REFUSED(clang, _("not supported: ptui compiles no BPF programs"))
REFUSED(debuginfod, _("not supported: report asks the servers in DEBUGINFOD_URLS when it needs a "
		      "file"))
REFUSED(latency, _("not supported: ptui computes no latency profile of the samples"))
