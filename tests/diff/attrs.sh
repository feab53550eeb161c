# SPDX-License-Identifier: GPL-2.0-or-later
# ptui record opens the same attrs as perf record, field by field: events and targets. (For sample
# contents see attrs-fields.sh.)
. "$top_srcdir/tests/diff/attrs_lib.sh"

attrs
attrs -g
attrs -F 99
attrs -c 100000
attrs -i
attrs -e cpu-clock
attrs -e cpu-clock:u
attrs -e cpu-clock:k
attrs -e cpu-clock:uH
attrs -e task-clock -c 200000
attrs -e page-faults
attrs -e page-faults -c 1 -g
attrs -e context-switches -F 1000
attrs -e faults -e cs
attrs -e cpu-clock,page-faults
attrs -e cpu-clock -e page-faults -g
attrs -e '{cpu-clock,page-faults}'
attrs -e '{cpu-clock,page-faults}' -c 1000000
attrs -e sched:sched_switch
attrs -e sched:sched_switch -g
attrs -e sched:sched_switch,sched:sched_wakeup
attrs -e sched:sched_switch -e cpu-clock -F 500
attrs -e 'sched:sched_process_*' -c 1
attrs -e dummy
attrs -a
attrs -a -F 99
attrs -a -c 1000000 -e cpu-clock:u
attrs -a -e page-faults -e cpu-clock
attrs -ag -F 49 -e cpu-clock
attrs -a -e sched:sched_switch
attrs --per-thread
attrs --per-thread -e cpu-clock,page-faults -g
attrs --per-thread -e '{cpu-clock,page-faults}'
attrs --per-thread -e sched:sched_switch
# perf waits for the process as well when the command ends too soon for it.
sleep 300 & sleeper=$!
load=(sleep 0.2)
attrs -p $sleeper --
attrs -g -e page-faults -p $sleeper --
attrs -t $sleeper --
attrs --inherit -e page-faults -t $sleeper --
attrs -i -p $sleeper --
attrs --per-thread -p $sleeper --
attrs --per-thread -e cpu-clock,page-faults -t $sleeper --
attrs -C 0 -e cpu-clock --
attrs -C 0,1 -a --per-thread -e page-faults -g --
attrs -p $sleeper -a -C 0 -e cpu-clock --
attrs -m 16 --
compare
kill $sleeper
wait $sleeper 2>/dev/null
all_differ
finish
