# SPDX-License-Identifier: GPL-2.0-or-later
# perf reads what ptui record writes, without a word of complaint, and counts
# the same samples and periods in it as ptui.
# (perf-reads-fields.sh: appended to, through pipes, and with what shapes a sample.)
. "$top_srcdir/tests/diff/perf-reads_lib.sh"

reads "no event named" -F 2000 -- "$work"
reads "no event named, -g" -F 2000 -g -- "$work"
reads "cpu-clock" -e cpu-clock -F 1000 -- "$work"
reads "cpu-clock -c" -e cpu-clock -c 1000000 -g -- "$work"
reads "page-faults -c 1" -e page-faults -c 1 -- "$work"
reads "two events" -F 2000 -e cpu-clock -e page-faults -- "$work"
reads "two events -g" -F 2000 -g -e cpu-clock,page-faults -- "$work"
reads "a tracepoint" -e sched:sched_switch -- "$work"
reads "a tracepoint and a clock" -g -F 1000 -e sched:sched_switch -e cpu-clock -- "$work"
reads "user only" -F 2000 -e cpu-clock:u -- "$work"
reads "the whole system" -F 500 -ag -- sleep 0.5
reads "a ring a thread" --per-thread -F 2000 -- "$work"
reads "a ring a thread, two events" --per-thread -F 2000 -g -e cpu-clock,page-faults -- "$work"
reads "one CPU" -C 0 -F 500 -g -- "$work" spin 300
reads "a group" -F 2000 -e '{cpu-clock,page-faults}' -- "$work"
reads "without children" -i -F 2000 -g -- "$work"
reads "compressed" -z -F 2000 -g -- "$work"
reads "compressed, a tracepoint and a clock" -z19 -g -F 1000 -e sched:sched_switch -e cpu-clock -- "$work"
reads "compressed, a ring a thread" -z --per-thread -F 2000 -- "$work"
reads "compressed, the whole system" -z -F 500 -ag -- sleep 0.5
follow "a process" -F 1000
follow "the threads of a process" -F 1000 --per-thread
follow "a process -g" -F 1000 -g
finish
