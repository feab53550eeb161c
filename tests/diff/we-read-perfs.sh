# SPDX-License-Identifier: GPL-2.0-or-later
# ptui report of perf's recordings prints what perf report prints.
. "$top_srcdir/tests/lib/tap.sh"
. "$top_srcdir/tests/diff/lib.sh"
. "$top_srcdir/tests/diff/report_lib.sh"
need perf root tracefs

# options LABEL FILE: every option with a comparison.
options() {
	rows "$@"
	reports "$@"
	reports "$@" --no-children
	reports "$@" --children -n
	reports "$@" -g none
	reports "$@" -n --no-children -g none
	reports "$@" -s sym
	reports "$@" -s dso
	reports "$@" -s comm,dso --no-children
	reports "$@" -s pid,cpu -g none
	reports "$@" -t, -g none
}

recorded user -F 2000 -g -e cpu-clock:u "$work"
options "callchains" "$tmp/user.data"
reports "callchains" "$tmp/user.data" -g caller --no-children
reports "callchains" "$tmp/user.data" -g callee
reports "callchains" "$tmp/user.data" -G

recorded flat -F 2000 -e cpu-clock,page-faults "$work"
options "two events" "$tmp/flat.data"

recorded kernel -F 2000 -g "$work"
rows "the kernel's too" "$tmp/kernel.data"
reports "the kernel's too" "$tmp/kernel.data"
reports "the kernel's too" "$tmp/kernel.data" --no-children

recorded faults -e page-faults -c 1 -g "$work"
rows "every page fault" "$tmp/faults.data"
reports "every page fault" "$tmp/faults.data"
reports "every page fault" "$tmp/faults.data" --no-children

recorded switches -e sched:sched_switch "$work"
rows "a tracepoint" "$tmp/switches.data"
reports "a tracepoint" "$tmp/switches.data"

recorded packed -z -F 2000 -g -e cpu-clock:u "$work"
rows "compressed" "$tmp/packed.data"
reports "compressed" "$tmp/packed.data"

recorded packed_switches -z22 -e sched:sched_switch "$work"
rows "compressed, a tracepoint" "$tmp/packed_switches.data"

# Down a pipe, and kept in a file, which both read as one.
piped() {
	local label=$1
	shift
	LD_BIND_NOW=1 in_company perf record --no-bpf-event -o - "$@" >"$tmp/$label.data" 2>"$tmp/record.out" ||
		note "perf record $*: status $?: $(cat "$tmp/record.out")"
}
piped pipe -F 2000 -g -e cpu-clock:u "$work"
rows "a pipe" "$tmp/pipe.data"
# Rows of callers, which perf shows of a file with the same records.
"$PTUI" inject -i "$tmp/pipe.data" -o "$tmp/stored.data"
for options in "" "-g caller" "-s sym --hierarchy"; do
	# shellcheck disable=SC2086
	perf report --stdio -i "$tmp/stored.data" $options >"$tmp/perf.txt" 2>"$tmp/perf.err"
	# shellcheck disable=SC2086
	"$PTUI" report --stdio -i "$tmp/pipe.data" $options >"$tmp/ptui.txt" 2>"$tmp/ptui.err"
	alike "a pipe, callers: $options" "$tmp/perf.txt" "$tmp/ptui.txt" "${report_meant[@]}"
	# shellcheck disable=SC2086
	perf report --stdio -i "$tmp/pipe.data" $options 2>"$tmp/perf.err" | cmp -s - "$tmp/perf.txt" || did_differ[pipe_callers]=yes
done
piped pipe_packed -z -F 2000 -g -e cpu-clock:u "$work"
rows "a pipe, compressed" "$tmp/pipe_packed.data"

recorded group -F 1000 -e '{cpu-clock,page-faults}' "$work"
rows "a group" "$tmp/group.data"
reports "a group" "$tmp/group.data"

recorded counts -F 1000 -g -e '{cpu-clock,page-faults,context-switches}:S' "$work"
rows "a group's counts in its leader's samples" "$tmp/counts.data"
reports "a group's counts in its leader's samples" "$tmp/counts.data" --no-children

# Without the user's callchains: functions without a name of several processes of one program
# are several branches in perf, by address, and one in ptui.
recorded system -F 500 -a -g --kernel-callchains -- "$work" spin 200
# the processes and their stacks are unknown
reports "the whole system" "$tmp/system.data" -F overhead,sample,dso,sym -t '|' --no-children -g none
reports "the whole system" "$tmp/system.data" -s dso -g none --no-children
reports "the whole system" "$tmp/system.data" -s cpu,pid -g none

recorded per-thread -F 1000 -g --per-thread "$work"
rows "a ring a thread" "$tmp/per-thread.data"
reports "a ring a thread" "$tmp/per-thread.data"

# Sample fields that no row shows: what follows them must be found all the same.
for fields in '-d --phys-data --data-page-size --code-page-size' '-W --transaction --sample-cpu -R' \
	'-I --user-regs=ip,sp' '--call-graph dwarf,1024' '--sample-identifier -T -P' '-s --running-time' \
	'-k mono --namespaces --switch-events --all-cgroups' '--tail-synthesize'; do
	# shellcheck disable=SC2086
	recorded fields -F 1000 $fields -e cpu-clock:u -e page-faults:u "$work"
	rows "$fields" "$tmp/fields.data"
done

recorded one-cpu -F 500 -C 0 -- "$work" spin 200
# without comm, which perf may cut (comm_cut)
reports "one CPU" "$tmp/one-cpu.data" -F overhead,sample,dso,sym -t '|' --no-children -g none
reports "one CPU" "$tmp/one-cpu.data" -s cpu,pid -g none

one_at_a_time
"$work" spin 60000 &
recorded process -F 1000 -p $! -- sleep 0.1
next_turn
{ kill $!; wait $!; } 2>/dev/null
rows "a process" "$tmp/process.data"
reports "a process" "$tmp/process.data"

all_differ
finish
