# SPDX-License-Identifier: GPL-2.0-or-later
#
# The tutorials' lines of perf stat, run by ptui as they are written: perf's text but for the numbers.
. "$top_srcdir/tests/lib/tap.sh"
. "$top_srcdir/tests/diff/lib.sh"
. "$top_srcdir/tests/diff/recipes_lib.sh"
. "$top_srcdir/tests/diff/stat_lib.sh"
need perf root tracefs
recipes_parts=2
export LC_ALL=C

"$(type -P -a sleep | sed -n 2p)" 300 &
sleeper=$!

# Closing a tracepoint's counter takes the kernel 20 ms. perf does not run the lines that count all system calls: what
# it lists is compared with what ptui counts.
stat_line() {
	local line=$1 events
	events=$(grep -o 'syscalls:[a-z_]*\*' <<<"$line")
	if [ -n "$events" ]; then
		ran ptui "$line"
		perf list "$events" 2>/dev/null | grep -o "${events%\*}[a-z_0-9]*" | sort >"$tmp/perf.txt"
		grep -o "${events%\*}[a-z_0-9]*" "$tmp/ptui/err" | sort >"$tmp/ptui.txt"
		same "$line: the events" "$tmp/perf.txt" "$tmp/ptui.txt"
		return
	fi
	both "$line" "$line"
	masked <"$tmp/ptui/err" >"$tmp/ptui.txt"
	masked <"$tmp/perf/err" >"$tmp/perf.txt"
	same "$line" "$tmp/perf.txt" "$tmp/ptui.txt"
	[ "$ptui_status" -eq "$perf_status" ] || not_ok "$line: status $ptui_status, perf $perf_status"
}
each_recipe stat stat_line
finish
