# SPDX-License-Identifier: GPL-2.0-or-later
# The sort keys of ptui report for what only some recordings have: as in perf report.
. "$top_srcdir/tests/lib/tap.sh"
. "$top_srcdir/tests/diff/lib.sh"
. "$top_srcdir/tests/diff/report_lib.sh"
need perf root tracefs

recorded switches -e sched:sched_switch,sched:sched_wakeup "$work"
recorded weights -F 1000 -W -d -e cpu-clock:u "$work"
recorded pages -F 1000 --code-page-size -g -e cpu-clock:u "$work"
recorded groups -F 1000 --all-cgroups -e cpu-clock "$work"

each "forms of callchains" "$tmp/pages.data" <<'END'
--no-children -g flat
--no-children -g folded,0.5,1
--no-children -g fractal
--no-children -g fractal,5,2,count
--no-children -g graph,5,period
--no-children -g fl,caller,count
--no-children -g graph,5,address
--no-children -g flat,address,2,2
-g fractal,20
-g folded -t ,
-g fold,count
-g graph,5,count
-g fractal,address
END

each "tracepoints" "$tmp/switches.data" <<'END'

-n
-s +comm
-F +sample
-F overhead,comm
-s trace
-s trace,comm
-s comm,trace
-s trace -t ,
-s trace -n
-F overhead,sample,trace
-F trace,overhead -t '|'
-s comm,trace -c work
-s trace,sym,comm -c work,left
-s trace --time 10%-50%
-s trace --percent-limit 2
-s cpu,trace
END

each "weights" "$tmp/weights.data" <<'END'
-s weight
-s local_weight
-s weight,sym
-s local_weight,weight,comm
-s weight -t ,
-s sym,weight
-s weight,dso -d work
-F overhead,local_weight,dso,sym
END

each "pages" "$tmp/pages.data" -g none --no-children <<'END'
-s code_page_size
-s code_page_size,sym
-s sym,code_page_size
-s code_page_size,dso -t ,
-s code_page_size -n
END

each "control groups" "$tmp/groups.data" <<'END'
-s cgroup
-s cgroup,comm
-s comm,cgroup
-s cgroup,sym -t ,
-s cgroup,dso -n
END

# ptui's own recordings have a dummy event for the sideband, which has no samples.
in_company "$PTUI" record -q -e sched:sched_switch -o "$tmp/ours.data" "$work" >"$tmp/record.out" 2>&1
"$PTUI" report --stdio -i "$tmp/ours.data" >"$tmp/out" 2>"$tmp/err"
expect "a recording by ptui: by trace as well" grep -q '^# Overhead  Trace output' "$tmp/out"
# So has a system-wide one by perf.
recorded whole -a -e sched:sched_process_exec sh -c "$work spin 10; true"
asked dummy_event -s trace -- reports "tracepoints of the whole system" "$tmp/whole.data"
"$PTUI" report --stdio -i "$tmp/weights.data" >"$tmp/out" 2>"$tmp/err"
expect "another event: by function" grep -q '^# Overhead  Command  Shared Object' "$tmp/out"

# What no sample has is refused.
"$PTUI" report --stdio -i "$tmp/groups.data" -s trace >"$tmp/out" 2>"$tmp/err"
expect "no tracepoint: refused" grep -q "the samples of .* have no data for 'trace'" "$tmp/err"
"$PTUI" report --stdio -i "$tmp/groups.data" -s comm,simd >"$tmp/out" 2>"$tmp/err"
expect "a key that only perf has: refused by name" grep -q "ptui does not have perf's key 'simd'" "$tmp/err"

all_differ
finish
