# SPDX-License-Identifier: GPL-2.0-or-later
# perf reads what ptui record appends to a file, writes to a pipe, or adds to samples on request.
. "$top_srcdir/tests/diff/perf-reads_lib.sh"

appends "appended" -F 2000 -g -- "$work"
appends "appended, a tracepoint and a clock" -g -F 1000 -e sched:sched_switch -e cpu-clock -- "$work"
appends "appended, compressed" -z -F 2000 -g -- "$work"
pipes "a pipe" -F 2000 -g -- "$work"
pipes "a pipe, two events" -F 2000 -g -e cpu-clock,page-faults -- "$work"
pipes "a pipe, a tracepoint and a clock" -g -F 1000 -e sched:sched_switch -e cpu-clock -- "$work"
pipes "a pipe, a ring a thread" --per-thread -F 2000 -- "$work"
pipes "a pipe, the whole system" -F 500 -ag -- sleep 0.5
pipes "a pipe, compressed" -z -g -F 1000 -e sched:sched_switch -e cpu-clock -- "$work"
reads "addresses and sizes of pages" -F 1000 -e cpu-clock -d --phys-data --data-page-size --code-page-size -- "$work"
reads "weight, transaction, CPU, raw data" -F 1000 -e cpu-clock -W --transaction --sample-cpu -R -- "$work"
reads "registers" -F 1000 -e cpu-clock -I --user-regs=ip,sp -- "$work"
reads "stacks" -F 500 -e cpu-clock --call-graph dwarf,1024 -- "$work"
reads "stacks of one of two events" -F 500 -e page-faults/call-graph=dwarf,stack-size=512/ -e cpu-clock -- "$work"
reads "no times" -F 1000 -e cpu-clock --no-timestamp -- "$work"
reads "ids at a fixed place" -F 1000 -e cpu-clock -e page-faults --sample-identifier -g -- "$work"
reads "another clock" -F 1000 -e cpu-clock -k monotonic_raw -- "$work"
reads "each thread's counts" -s -e page-faults -c 1 -- "$work"
reads "all that is told besides" -F 1000 -e cpu-clock --namespaces --switch-events --all-cgroups -- "$work"
reads "told at the end" -F 500 -ag --tail-synthesize -e cpu-clock -- "$work" spin 200
reads "nothing told" -F 1000 --synth no -e cpu-clock -- "$work"
finish
