#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# ptui list and perf list side by side.

. "$top_srcdir/tests/lib/tap.sh"
need perf root tracefs
unset PTUI_PAGER PAGER PTUI_DEBUG
export HOME=$tmp # nobody's cache of markers

# perf also lists events of its own tables, and empty lines after some kinds.
perf_list() {
	perf list "$@" 2>/dev/null </dev/null |
		grep -E '\[(Hardware event|Software event|Tool event|Hardware cache event|Kernel PMU event|Raw hardware event descriptor|Hardware breakpoint|Tracepoint event)\]$'
}

pair() { # WORDS...
	"$PTUI" list --no-desc "$@" >"$tmp/ours" 2>"$tmp/err"
	perf_list "$@" >"$tmp/perf"
}

# Probes are tracepoints, which other tests may create meanwhile; ptui lists them last.
one_at_a_time
for words in sw software pmu 'sched:*' 'sched:sched_sw*' 's*:*switch' cs switch faults clock; do
	pair "$words"
	same "list $words" "$tmp/perf" "$tmp/ours"
done
pair tracepoint
sort "$tmp/ours" >"$tmp/ours.sorted"
sort "$tmp/perf" >"$tmp/perf.sorted"
same "list tracepoint" "$tmp/perf.sorted" "$tmp/ours.sorted"

# perf hides hardware and cache events that this processor does not have; ptui lists all names. So
# perf's lines are a subset, in the same order. Probes have their own order in ptui.
"$PTUI" list probe >"$tmp/probes" 2>/dev/null
unprobed() { grep -vFxf "$tmp/probes"; }
for words in hw hardware cache hwcache 'cpu-c*' ''; do
	pair ${words:+"$words"}
	grep -Fxf "$tmp/perf" "$tmp/ours" >"$tmp/both"
	same "list $words: has all of perf's" <(sort "$tmp/perf") <(sort "$tmp/both")
	same "list $words: has all of perf's, in its order" <(unprobed <"$tmp/perf") <(unprobed <"$tmp/both")
	grep -vFxf "$tmp/perf" "$tmp/ours" | grep -vE '\[(Hardware( cache)?|Vendor) event\]$' >"$tmp/more"
	: >"$tmp/none"
	same "list $words: has more of hardware, caches and vendors only" "$tmp/none" "$tmp/more"
done

finish
