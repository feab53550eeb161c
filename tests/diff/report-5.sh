# SPDX-License-Identifier: GPL-2.0-or-later
# ptui report --hierarchy, --ignore-callees and --skip-empty, fields of tracepoints as sort keys,
# --show-cpu-utilization, --switch-on and --switch-off: rows, sums, order, text and widths as in perf report.
. "$top_srcdir/tests/lib/tap.sh"
. "$top_srcdir/tests/diff/lib.sh"
. "$top_srcdir/tests/diff/report_lib.sh"
need perf root tracefs

recorded user -F 2000 -g -e cpu-clock:u "$work"
recorded group -F 2000 -e '{cpu-clock:u,page-faults:u}' "$work"

each "a hierarchy" "$tmp/user.data" --hierarchy <<'END'

--no-children
-g caller
-G --no-children
-g none
-g none -n
-g none -n --show-total-period
-g none -t ,
-g none -t '|' -n
-g none -s dso,sym
-g none -s '{comm,dso},sym'
-g none -s 'comm,{dso,sym}' -n
-g none -s '{comm,dso,sym}'
-g none -s comm
-g none -s +cpu
-g none -s pid,cpu,dso
-g none -s time,'{comm,dso}'
-g none -s cpu,time,sym --ns
-g none -s parent,sym
-g none -p spin
-g none -w 10,5,8
-g none --percent-limit 3
-g none --percent-limit 8 -n -s comm,dso,sym,cpu
-g none --percent-limit 3 -t ,
-g none -s sample,sym
-g none -s comm,period,sym -t ,
-g none -s 'comm,{sample,period},dso,sym'
-g none -s '{period,sample}'
-g none -s +sample -n
-g none -s 'dso,{sample,sym}' -w 5,6
-g none -s overhead,sample,sym
-g none -s period,comm,overhead,sym
-g none -s sample,overhead
--no-children -s comm,sample
--percent-limit 20
-C 0 -g none
--time 20%-70% -g none
-q -g none
END

each "a group" "$tmp/group.data" --hierarchy <<'END'

-n
-t ,
-s dso,comm
--percent-limit 2
--group-sort-idx 1
--no-group
END

recorded modes -F 2000 -e cpu-clock sh -c "$work; dd if=/dev/zero of=/dev/null bs=1M count=300 2>/dev/null"
each "CPU modes" "$tmp/modes.data" <<'END'
--show-cpu-utilization
--show-cpu-utilization -n -s comm
--show-cpu-utilization -t , -s dso
-s overhead_sys,comm
-F comm,overhead_us,overhead_guest_sys -t ,
END
recorded group-modes -F 2000 -e '{cpu-clock,page-faults}' "$work"
for recording in modes group-modes; do
	each "CPU modes as a hierarchy, $recording" "$tmp/$recording.data" --hierarchy <<'END'
--show-cpu-utilization
--showcpuutilization -n --show-total-period -s comm
--show-cpu-utilization -t , -s comm,dso
--show-cpu-utilization -s 'pid,{dso,sym}' --percent-limit 3
--show-cpu-utilization -s sample,dso
-s overhead_sys,comm
-s overhead_us,comm --show-cpu-utilization
-s overhead,overhead_us,sym
-s overhead_us,overhead_sys,dso,sym
-s overhead_sys,overhead,dso
-s overhead_us,comm,overhead_sys,sym
-s overhead_guest_us,overhead_guest_sys,sym -n
END
done
# Rows are in the order of the text then.
meant_text_before_overhead() { awk '/^ / { print | "sort"; next } { print }'; }
asked text_before_overhead -s overhead,comm,dso -- reports "text before overhead" "$tmp/modes.data" --hierarchy -s comm,dso,overhead
asked text_before_overhead -s overhead_sys,comm,sym -- reports "text before overhead" "$tmp/modes.data" --hierarchy -s comm,overhead_sys,sym

each "callees" "$tmp/user.data" --no-children <<'END'
--ignore-callees spin
--ignore-callees '^recurse'
--ignore-callees 'spin|recurse' -g none
--ignore-callees spin -s dso -g none
--ignore-callees spin --hierarchy -g none
--ignore-callees 'no such function'
--ignore-callees main -n -t , -g none
END

ptui_too=(-g none)
asked ignored_callers -g callee -g none -- each "callees of callers" "$tmp/user.data" --children <<'END'
--ignore-callees spin
--ignore-callees '^recurse' -n
END
ptui_too=()
each "a part of the frames" "$tmp/user.data" <<'END'
--max-stack 2
--max-stack 3 --no-children
--max-stack 3 --no-children -g caller
--max-stack 3 --children -g callee
--max-stack 1 -s dso
--max-stack 4 -g folded,caller --no-children
--max-stack 3 --hierarchy
--max-stack 100
END

# The rows of events after the first one.
meant_other_events() { awk '/^# Samples: / { n++ } n < 2'; }
# perf's rows; ptui has none.
meant_socket_rows() {
	[ "$1" = perf ] || { cat; return; }
	sed 's/^# Overhead,.*/# Overhead,Trace output/; /^ *[0-9.]*% ,/d'
}
recorded events -F 2000 -g -e cpu-clock:u -e page-faults:u "$work"
report_meant+=(other_events)
each "a filter of the first event" "$tmp/events.data" <<'END'
--symbol-filter spin
--symbol-filter main --no-children -g none -n
END
"$PTUI" report --stdio -i "$tmp/events.data" --symbol-filter 'no such function' >"$tmp/out" 2>&1
expect "--symbol-filter: of all events" [ "$(grep -c '^# Samples' "$tmp/out"):$(grep -c '%' "$tmp/out")" = 2:0 ]

recorded traces -e sched:sched_switch sh -c 'cat /dev/null; ls / >/dev/null'
report_meant+=(socket_rows)
each "a socket of tracepoints" "$tmp/traces.data" <<'END'
--socket-filter 0
--socket-filter 0 -s trace,comm
--socket-filter 7 -s comm,trace
--socket-filter 7 -t ,
END

recorded empty -F 500 -e cpu-clock:u,alignment-faults:u "$work"
each "an event without samples" "$tmp/empty.data" --stdio-color never <<'END'
--no-skip-empty
--skip-empty
--no-skip-empty -t ,
END
"$PTUI" report --stdio -i "$tmp/user.data" --ignore-callees '(' >"$tmp/out" 2>"$tmp/err"
expect "--ignore-callees (: refused" grep -q -e "--ignore-callees: '(' is no regular expression" "$tmp/err"

recorded fields -e sched:sched_switch -e sched:sched_process_exec -e syscalls:sys_enter_openat \
	sh -c 'cat /dev/null; ls / >/dev/null; cat /dev/null'
each "fields of tracepoints" "$tmp/fields.data" <<'END'
-s trace_fields
--raw-trace
-s trace --raw-trace
-s prev_state,prev_comm/raw
-s prev_state/raw,prev_state -n
-s 'sched_process_exec.*' -t '|'
-s comm,'%3.flags',sched:sched_process_exec.pid/raw
-s +filename
END
each "events that switch" "$tmp/fields.data" -s comm -n <<'END'
--switch-on sched:sched_process_exec
--switch-on sched:sched_process_exec --switch-off sched:sched_switch
--switch-on sched:sched_process_exec --switch-off sched:sched_switch --show-on-off-events
--switch-on syscalls:sys_enter_openat --switch-off syscalls:sys_enter_openat --show-on-off-events
END
"$PTUI" report --stdio -i "$tmp/fields.data" --switch-off nosuch >"$tmp/out" 2>"$tmp/err"
expect "--switch-off nosuch: refused" grep -qF -e "--switch-off: the recording has no event 'nosuch'" "$tmp/err"
"$PTUI" report --stdio -i "$tmp/fields.data" --switch-off sched:sched_process_exec --show-on-off-events >"$tmp/out" 2>"$tmp/err"
expect "--switch-off alone: nothing after the first one" \
	grep -q "^# Samples: 1  of event 'sched:sched_process_exec'" "$tmp/out"
for key in nosuch sched_switch.nosuch nosuch.prev_comm prev_comm/text .prev_comm prev_comm.; do
	status=0
	"$PTUI" report --stdio -i "$tmp/fields.data" -s "$key" >"$tmp/out" 2>"$tmp/err" || status=$?
	expect "-s $key: refused" [ "$status" -eq 129 ]
	expect "-s $key: by name" grep -qF -e "--sort: unknown key '$key'" "$tmp/err"
done
"$PTUI" report --stdio -i "$tmp/user.data" -s prev_comm >"$tmp/out" 2>"$tmp/err"
expect "-s prev_comm without tracepoints: refused" grep -qF -e "--sort: unknown key 'prev_comm'" "$tmp/err"
"$PTUI" report --json -i "$tmp/fields.data" --event sched:sched_switch -s prev_pid,next_comm >"$tmp/out" 2>"$tmp/err"
expect "--json: fields by their names" grep -q '"prev_pid": "[0-9]*", "next_comm": "' "$tmp/out"

# the row of cat with all samples, and the rows that --field-filter leaves
"$PTUI" report --stdio -i "$tmp/fields.data" --event sched:sched_switch -s prev_comm -n -t '|' 2>"$tmp/err" |
	sed -n 's/ //g; /|cat$/p' >"$tmp/want"
"$PTUI" report --stdio -i "$tmp/fields.data" -s prev_comm -n -t '|' --field-filter "prev_comm == cat && prev_pid > 0" \
	2>"$tmp/err" | sed 's/ //g; /^#/d; /^$/d' >"$tmp/out"
expect "--field-filter: only such samples" cmp "$tmp/want" "$tmp/out"
expect "--field-filter: some samples" grep -q cat "$tmp/out"
"$PTUI" report --stdio -i "$tmp/fields.data" --field-filter "nosuch == 1" >"$tmp/out" 2>"$tmp/err"
expect "--field-filter by an unknown field: refused" grep -qF "no event has a field 'nosuch'" "$tmp/err"

# perf adds samples that a filter hides to the rows above them, and ptui does not.
"$PTUI" report --stdio --no-group --hierarchy -t '|' -s dso,sym -S leaf -i "$tmp/group.data" >"$tmp/out" 2>"$tmp/err"
expect "-S: the rows above have the samples of that function only" awk -F'|' '
	/^ *[0-9]/ { share[NF ? ++n : n] = $1 + 0 }
	END { exit !(n == 2 && share[1] == share[2] && share[1] > 0 && share[1] < 100) }' \
	<(sed '/^# Samples:.*page-faults/,$d' "$tmp/out")
"$PTUI" report --stdio --hierarchy -F overhead,sym -i "$tmp/group.data" >"$tmp/out" 2>"$tmp/err"
expect "--fields: refused" grep -q -e '--hierarchy cannot be used together with --fields' "$tmp/err"
"$PTUI" report --tui -q -i "$tmp/group.data" >"$tmp/out" 2>"$tmp/err"
expect "--tui: refused" grep -q -e '--tui cannot be used together with' "$tmp/err"

# ---- counts of threads
recorded counts -s -F 500 -e page-faults,cpu-clock:u sh -c '"$0"; "$0" spin 5; true' "$work"
each "counts of threads" "$tmp/counts.data" -n <<'END'
-T
-T -s comm -g none
--threads --no-group -s sym
END
expect "-T: lines of threads" awk '/^# *PID *TID/ { ok = 1 } /^ +[0-9]+ +[0-9]+ +[0-9]+ +[0-9]+$/ && ok { n++ } END { exit !(n >= 2) }' "$tmp/ptui.txt"
report_meant=(raw_counts "${report_meant[@]}")
each "counts of threads" "$tmp/counts.data" -T <<'END'
--pretty normal
--pretty raw
END
"$PTUI" report -T --pretty raw --stdio -i "$tmp/counts.data" >"$tmp/out" 2>"$tmp/err"
expect "--pretty raw: a line for each count" awk '/^# *PID *TID *Name *Raw *Count$/ { ok = 1 } ok && !/^#/ { n++; bad += NF != 5 } END { exit !(n >= 4 && !bad) }' "$tmp/out"
"$PTUI" report -T -i "$tmp/user.data" >"$tmp/out" 2>"$tmp/err"
expect "-T: no counts" grep -qF "there are no counts of threads in it for -T to print" "$tmp/err"
expect "-T --json: refused" eval '! "$PTUI" report -T --json -i "$tmp/counts.data" >"$tmp/out" 2>"$tmp/err" &&
	grep -qF -e "--threads cannot be used together with" "$tmp/err"'

# ---- folders of source files
mkdir -p "$tmp/folder"
cat >"$tmp/folder/lines.c" <<'END'
static volatile unsigned long n;
int main(void)
{
	for (n = 0; n < 60000000;)
		n++;
	return 0;
}
END
if gcc -g -o "$tmp/lines" "$tmp/folder/lines.c" 2>/dev/null; then
	recorded lines -F 1000 -e cpu-clock:u "$tmp/lines"
	each "source files" "$tmp/lines.data" -S main <<'END'
-s srcfile
-s srcfile --full-source-path
-s srcline --full-source-path
END
	expect "--full-source-path: with the folder" grep -qF "$tmp/folder/lines.c:" "$tmp/ptui.txt"
fi

# ---- several files as one profile ----

# csv FILE...: samples and names, a line per row
csv() {
	"$PTUI" report --stdio --csv -g none --no-children -F sample,comm,dso,sym "$@" 2>"$tmp/err" | sed 1d
}
# What the events of several files add up to.
sums() {
	awk -F, '{ n = $2; $1 = $2 = ""; sum[$0] += n } END { for (k in sum) print sum[k], k }' | sort
}
csv "$tmp/user.data" >"$tmp/one"
csv "$tmp/empty.data" >>"$tmp/one"
csv "$tmp/modes.data" >>"$tmp/one"
sums <"$tmp/one" >"$tmp/expected"
csv "$tmp/user.data" "$tmp/empty.data" "$tmp/modes.data" | sums >"$tmp/got"
expect "several files: the sum of their rows" cmp "$tmp/expected" "$tmp/got"
expect "... and there are rows" [ -s "$tmp/expected" ]
for options in "" "-g none -n" "--no-children -s pid,cpu,sym" "--no-children -G"; do
	# shellcheck disable=SC2086 # words
	"$PTUI" report --stdio $options "$tmp/user.data" >"$tmp/expected" 2>"$tmp/err"
	# shellcheck disable=SC2086
	"$PTUI" report --stdio $options "$tmp/user.data" "$tmp/user.data" >"$tmp/got" 2>"$tmp/err"
	expect "a file twice is that file: $options" cmp "$tmp/expected" "$tmp/got"
done
expect "... and its samples are counted as repeated" grep -q 'samples are repeated in another file and counted once' "$tmp/err"
for option in --stats --tasks --mmaps; do
	for file in user empty; do
		echo "# $tmp/$file.data"
		"$PTUI" report $option -i "$tmp/$file.data"
	done 2>"$tmp/err" | grep . >"$tmp/expected"
	"$PTUI" report $option "$tmp/user.data" "$tmp/empty.data" 2>"$tmp/err" | grep . >"$tmp/got"
	expect "several files: $option of one after the other" cmp "$tmp/expected" "$tmp/got"
done
for options in --header-only "--switch-on x"; do
	status=0
	# shellcheck disable=SC2086
	"$PTUI" report --stdio $options "$tmp/user.data" "$tmp/empty.data" >"$tmp/out" 2>"$tmp/err" || status=$?
	expect "several files: $options is refused by name" [ "$status" -eq 129 ]
	expect "... with the reason" grep -q -e "${options%% *}" "$tmp/err"
done

csv -i "$tmp/user.data" "$tmp/empty.data" "$tmp/modes.data" | sums >"$tmp/got2"
csv "$tmp/user.data" "$tmp/empty.data" "$tmp/modes.data" | sums >"$tmp/got"
expect "... -i is the first of them" cmp "$tmp/got" "$tmp/got2"
# A program that was built again: other names at the same addresses. perf's cache has both.
i=0
for name in alpha omega; do
	i=$((i + 1))
	printf 'unsigned __attribute__((noinline)) %s(unsigned n)\n{\n\twhile (n--) __asm__ volatile("");\n\treturn %d;\n}\n' $name $i >"$tmp/built.c"
	printf 'int main(void)\n{\n\treturn (int)%s(200000000);\n}\n' $name >>"$tmp/built.c"
	${CC:-cc} -O1 -fno-omit-frame-pointer -Wl,--build-id -o "$tmp/built" "$tmp/built.c" &&
		in_company "$PTUI" record -q -F 999 -g -e cpu-clock:u -o "$tmp/built.$name" -- "$tmp/built" 2>"$tmp/err" || note "$(cat "$tmp/err")"
	HOME=$tmp perf buildid-cache -a "$tmp/built" >"$tmp/out" 2>&1 || note "$(cat "$tmp/out")"
done
HOME=$tmp "$PTUI" report --stdio --no-children -s sym "$tmp/built.alpha" "$tmp/built.omega" >"$tmp/out" 2>"$tmp/err"
for name in alpha omega; do
	expect "a program that was built again: $name" grep -q "\\] $name" "$tmp/out"
done

all_differ
finish
