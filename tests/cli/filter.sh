# SPDX-License-Identifier: GPL-2.0-or-later
# ptui record --filter and --exclude-perf.
. "$top_srcdir/tests/lib/tap.sh"
need perf root tracefs
one_at_a_time
export PERF_CONFIG=/dev/null HOME=$tmp
unset PTUI_DEBUG
cd "$tmp" || exit 1
mount=$(sed -n 's/^[^ ]* \([^ ]*\) tracefs .*/\1/p' /proc/mounts | head -n 1)

record() {
	status=0
	"$PTUI" record -o "$tmp/f.data" "$@" >"$tmp/out" 2>"$tmp/err" || status=$?
}
says() { grep -qF -- "$1" "$tmp/err"; }

record -e sched:sched_switch --filter 'prev_pidd == 5' true
expect "a field that is none: refused" [ $status -ne 0 ]
expect "... by its name" says 'sched:sched_switch has no field called prev_pidd'
expect "... with its place" says '      ^ the name of a field'
expect "... and what is near" says 'did you mean prev_pid'
record -e sched:sched_switch --filter 'common_pid != 0 && CPU >= 0 && (comm != "x" || !(nosuch > 2))' true
expect "every name is looked at" says 'has no field called nosuch'

record -e sched:sched_switch --filter 'prev_pid == abc' true
expect "what the kernel does not take: refused" [ $status -ne 0 ]
expect "... in the kernel's words" says 'invalid filter: Invalid value'
expect "... and nothing is left in tracefs" [ -z "$(find "$mount/instances" -mindepth 1 -maxdepth 1 -name 'ptui-*')" ]

record -e sched:sched_switch --filter 'prev_pid == 1 && (prev_comm ~ "x"' true
expect "what has no form: its place" says '                      ^ this one'

record -e page-faults --filter 'prev_pid == 5' true
expect "only tracepoints have filters" says 'page-faults is not a tracepoint'
record -e page-faults --exclude-perf true
expect "... for --exclude-perf too" says 'page-faults does not support filters'
record -e page-faults --filter "filter main @ $top_builddir/tests/diff/work" true
expect "a PMU without address filters" says 'page-faults has no address filters'
record -e page-faults --filter "filter no_such @ $top_builddir/tests/diff/work" true
expect "... a symbol that is none" says 'has no such symbol no_such'
record --filter 'prev_pid == 5' -e sched:sched_switch true
expect "it must follow its -e" says 'must follow the -e it applies to'
record -e sched:sched_switch --filter '' true
expect "an empty one is none" says 'is empty'

numbers() { perf script -i "$tmp/f.data" 2>/dev/null | sed -n 's/.*: NR \([0-9]*\) .*/\1/p' | sort -nu | tr '\n' ' '; }
# exit_group is what each program ends with, whatever the machine calls it
record -e raw_syscalls:sys_enter true
all=$(numbers)
one=${all%% *}
record -e raw_syscalls:sys_enter --filter "id == $one" true
expect "only what the filter lets through" [ "$(numbers)" = "$one " ]
record -e raw_syscalls:sys_enter --filter "id >= $one" --filter "id <= $one" true
expect "of two filters both hold" [ "$(numbers)" = "$one " ]
record -e raw_syscalls:sys_enter -e sched:sched_process_exit --filter 'prio > 100000' true
expect "it is for the -e before it only" [ "$(numbers)" = "$all" ]

"$PTUI" record -q -a -o "$tmp/f.data" -e raw_syscalls:sys_enter --exclude-perf -- sleep 0.3 2>"$tmp/err" &
self=$!
wait $self
perf script -i "$tmp/f.data" -F pid,tid 2>/dev/null | sed 's/ //g' >"$tmp/threads"
expect "--exclude-perf: others are there" [ -s "$tmp/threads" ]
expect "... and no thread of ptui" [ "$(grep -c "^$self/" "$tmp/threads")" -eq 0 ]

# With -a this is the default, combined with the user's filter.
"$PTUI" record -v -a -o "$tmp/f.data" -e raw_syscalls:sys_enter --filter 'id >= 0' \
	-e raw_syscalls:sys_exit -- sleep 0.3 2>"$tmp/err" &
self=$!
wait $self
perf script -i "$tmp/f.data" -F pid,tid 2>/dev/null | sed 's/ //g' >"$tmp/threads"
expect "-a: others are there" [ -s "$tmp/threads" ]
expect "... and no thread of ptui" [ "$(grep -c "^$self/" "$tmp/threads")" -eq 0 ]
expect "... which -v shows" says "tracepoints exclude ptui's own threads: common_pid != $self"
finish
