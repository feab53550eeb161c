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

# Of the events in a text of stat: their numbers, without separators.
count_of() { sed -n "s/^ *\([0-9,]*\) *$2 .*/\1/p; s/^ *\([0-9,]*\) *$2\$/\1/p" "$1" | tr -d , | head -n 1; }
at_least() { [ "${2:-0}" -ge "$1" ] || { echo "'$2'"; return 1; }; }

# dd makes the same calls each time.
same_calls() {
	local call
	perf stat -e syscalls:sys_enter_read,syscalls:sys_enter_write dd if=/dev/zero of=/dev/null bs=512 count=10000k 2>"$tmp/perf/err"
	for call in read write; do
		at_least 2000 "$(count_of "$tmp/ptui/err" syscalls:sys_enter_$call)" &&
			[ "$(count_of "$tmp/ptui/err" syscalls:sys_enter_$call)" = "$(count_of "$tmp/perf/err" syscalls:sys_enter_$call)" ] ||
			{ cat "$tmp/perf/err"; return 1; }
	done
}
# The command is a script that executes sleep.
own_processes() {
	local who
	for who in perf ptui; do
		at_least 2 "$(count_of "$tmp/$who/err" sched:sched_process_exec)" || return
	done
}

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
		case $line in *' dd '*) expect "$line: perf's numbers" same_calls ;; esac
		return
	fi
	both "$line" "$line"
	masked <"$tmp/ptui/err" >"$tmp/ptui.txt"
	masked <"$tmp/perf/err" >"$tmp/perf.txt"
	same "$line" "$tmp/perf.txt" "$tmp/ptui.txt"
	case $line in *'sched_process_*'*) expect "$line: both count the command" own_processes ;; esac
	[ "$ptui_status" -eq "$perf_status" ] || not_ok "$line: status $ptui_status, perf $perf_status"
}
each_recipe stat stat_line
finish
