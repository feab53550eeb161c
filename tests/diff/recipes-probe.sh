# SPDX-License-Identifier: GPL-2.0-or-later
#
# The tutorials' lines of perf probe, run by ptui as they are written, each on the probes that perf left for it: the
# same probes afterwards and the same text, or both refuse.
. "$top_srcdir/tests/lib/tap.sh"
. "$top_srcdir/tests/diff/lib.sh"
. "$top_srcdir/tests/diff/recipes_lib.sh"
need perf root tracefs
sleeper=
has_verb probe || finish
one_at_a_time

events=/sys/kernel/tracing
definitions() { cat $events/kprobe_events $events/uprobe_events 2>/dev/null | sort; }
definitions >"$tmp/before"
# Those of this test go, whoever made them.
remove_ours() {
	local probe
	definitions | comm -13 "$tmp/before" - | sed -E 's/^[pr][0-9]*:([^ ]*) .*/\1/' | while read -r probe; do
		perf probe -q -d "${probe/\//:}"
	done
}
trap 'remove_ours; leave' EXIT

probe_line() {
	local line=$1
	ran perf "$line"
	perf_status=$status
	definitions >"$tmp/perf.txt"
	remove_ours
	ran ptui "$line"
	ptui_status=$status
	definitions >"$tmp/ptui.txt"
	remove_ours
	if [ "$perf_status" -ne 0 ]; then
		refused_as_by_perf "$line"
		same "$line: leaves no probe" "$tmp/before" "$tmp/ptui.txt"
		return
	fi
	expect "$line: succeeds" [ "$ptui_status" -eq 0 ]
	same "$line: perf's probes" "$tmp/perf.txt" "$tmp/ptui.txt"
	same "$line: perf's text" "$tmp/perf/out" "$tmp/ptui/out"
}
each_recipe probe probe_line
finish
