# SPDX-License-Identifier: GPL-2.0-or-later
#
# The tutorials' lines that read a recording, list events or watch the system, run by ptui as they are written: perf's
# text, without the differences that are meant.
. "$top_srcdir/tests/lib/tap.sh"
. "$top_srcdir/tests/diff/lib.sh"
. "$top_srcdir/tests/diff/report_lib.sh"
. "$top_srcdir/tests/diff/script_lib.sh"
. "$top_srcdir/tests/diff/recipes_lib.sh"
need perf root tracefs
sleeper=

for _ in 1 2 3; do # perf 6.1 may abort: one_at_a_time
	LD_BIND_NOW=1 in_turn perf record -q --no-bpf-event -F 500 -g -e cpu-clock:u -o "$tmp/perf/perf.data" "$work" 2>"$tmp/err" && break
done
cp "$tmp/perf/perf.data" "$tmp/ptui/"
cp "$tmp/perf/perf.data" "$tmp/first.data"

# read_line LINE TODAY DIFFERENCE...
read_line() {
	local line=$1
	both "$line" "$2"
	shift 2
	[ -s "$tmp/perf/out" ] || not_ok "$line: perf prints nothing: $(cat "$tmp/perf/err")"
	alike "$line" "$tmp/perf/out" "$tmp/ptui/out" "$@"
	[ "$ptui_status" -eq "$perf_status" ] || not_ok "$line: status $ptui_status, perf $perf_status"
}
report_line() { read_line "$@" "${report_meant[@]}"; }
script_line() {
	case $1 in
	*' -f '*) # perf does not print what a tracepoint has for events that have none
		in_turn perf record -q --no-bpf-event -e 'sched:sched_process_e*' -o "$tmp/perf/perf.data" true 2>"$tmp/err"
		cp "$tmp/perf/perf.data" "$tmp/ptui/" ;;
	esac
	read_line "$@" "${script_meant[@]}"
}
list_line() {
	both "$1" "$2"
	grep -F '[Tracepoint event]' "$tmp/perf/out" >"$tmp/perf.txt"
	grep -F '[Tracepoint event]' "$tmp/ptui/out" >"$tmp/ptui.txt"
	same "$1" "$tmp/perf.txt" "$tmp/ptui.txt"
}

# The screens as text: their title, and rows with a share, a number and a comm.
top_line() {
	local line=$1 who
	for who in perf ptui; do
		in_turn ran $who "$2"
		grep -ao 'PerfTop: .*irqs/sec.*raw_syscalls:sys_enter\], *(all, [0-9]* CPUs)' "$tmp/$who/out" | sed 's/[0-9.]\+/#/g' |
			head -n 1 >"$tmp/$who.txt"
	done
	same "$line" "$tmp/perf.txt" "$tmp/ptui.txt"
	expect "$line: has a title" [ -s "$tmp/ptui.txt" ]
}
# perf's numbers for each instruction; its source lines have wrong numbers, and no indentation
annotate_line() {
	local who
	for who in perf ptui; do
		cp "$tmp/first.data" "$tmp/$who/perf.data"
	done
	both "$1" "$2"
	for who in perf ptui; do
		annotated_rows <"$tmp/$who/out" >"$tmp/$who.txt"
	done
	same_instructions "$1" "$tmp/perf.txt" "$tmp/ptui.txt"
	expect "$1: of many instructions" [ "$(wc -l <"$tmp/ptui.txt")" -gt 20 ]
}

each_recipe report report_line
each_recipe script script_line
each_recipe list list_line
each_recipe top top_line
! has_verb annotate || each_recipe annotate annotate_line
finish
