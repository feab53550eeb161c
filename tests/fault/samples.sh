# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# For recordings that met something, behind tap.sh:
#
#	by_perf FILE	as many samples perf finds in it; fails when it has any complaint
#	by_ptui FILE	the same of ptui, what it says of the file in $tmp/ptui.err
#	size_of FILE	data.size in its header, or 0

export LC_ALL=C.UTF-8 HOME=$tmp PERF_CONFIG=/dev/null PERF_BUILDID_DIR=$tmp/debug
unset PTUI_DEBUG PTUI_PAGER PAGER XDG_CONFIG_HOME
work=$top_builddir/tests/diff/work

by_perf() {
	perf report --stats -i "$1" >"$tmp/perf.out" 2>"$tmp/perf.err" </dev/null || { cat "$tmp/perf.err" >&2; return 1; }
	[ ! -s "$tmp/perf.err" ] || { cat "$tmp/perf.err" >&2; return 1; }
	awk '/^ *SAMPLE events:/ { n += $3; exit } END { print n + 0 }' "$tmp/perf.out"
}
by_ptui() {
	"$PTUI" report --stdio -F sample,comm --no-children -g none -t '|' -i "$1" >"$tmp/ptui.out" 2>"$tmp/ptui.err" </dev/null || {
		cat "$tmp/ptui.err" >&2
		return 1
	}
	awk -F '|' '!/^#/ && NF > 1 { n += $1 } END { print n + 0 }' "$tmp/ptui.out"
}
size_of() {
	local size
	size=$(od -An -j48 -N8 -tu8 "$1" 2>/dev/null) || size=0
	echo "${size:-0}"
}
