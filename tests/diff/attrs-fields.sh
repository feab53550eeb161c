# SPDX-License-Identifier: GPL-2.0-or-later
# ptui record opens the same attrs as perf record, field by field: options for the contents of
# samples.
. "$top_srcdir/tests/diff/attrs_lib.sh"

attrs -F max -e page-faults
attrs --group -e cpu-clock -e page-faults
attrs -n
attrs -n -a -e cpu-clock
attrs --all-user -e cpu-clock
attrs --all-kernel -e cpu-clock -e cs
attrs --call-graph fp -e cpu-clock
attrs --call-graph dwarf -e cpu-clock
attrs --call-graph dwarf,4097 -a -e cpu-clock
attrs --call-graph dwarf --user-regs=ax -e cpu-clock
attrs --call-graph dwarf -e page-faults -e cpu-clock
attrs -g --kernel-callchains -e cpu-clock
attrs -g --user-callchains -e cpu-clock
attrs --kernel-callchains -e cpu-clock
attrs -T -P -e page-faults -c 1
attrs --no-timestamp -e cpu-clock
attrs --no-period -e cpu-clock
attrs -P -c 1000 -e cpu-clock
attrs --no-period -e cpu-clock/freq=100/
attrs --sample-cpu -e cpu-clock
attrs -d -e page-faults
attrs -d -a -e page-faults
attrs --phys-data -e page-faults
attrs --data-page-size -e page-faults
attrs --code-page-size -e cpu-clock
attrs --code-page-size --data-page-size -a -e cpu-clock
attrs -R -e cpu-clock
attrs -W -e cpu-clock
attrs --transaction -e cpu-clock
attrs -I -e cpu-clock
attrs -Iax,ip -e cpu-clock -e dummy
attrs --intr-regs=r8 -a -e cpu-clock
attrs --user-regs -e cpu-clock
attrs --user-regs=ip,sp -e page-faults
attrs --sample-identifier -e cpu-clock
attrs --sample-identifier -e cpu-clock -e page-faults
attrs -k mono -e cpu-clock
attrs -k CLOCK_Monotonic_Raw -a -e cpu-clock
attrs -k 0 -e cpu-clock
attrs --running-time -e cpu-clock
attrs --running-time -e '{cpu-clock,page-faults}:S'
attrs -s -e cpu-clock
attrs -s -e cpu-clock -e page-faults -i
attrs --switch-events -e cpu-clock
attrs --namespaces -e cpu-clock
attrs --all-cgroups -e cpu-clock
attrs --all-cgroups --namespaces --switch-events -a -e page-faults
attrs --no-bpf-event -e cpu-clock
attrs -W -d --phys-data -R -I --transaction --sample-identifier --sample-cpu -g -e cpu-clock
attrs --call-graph dwarf -e page-faults/call-graph=fp/ -e cpu-clock/call-graph=no/
attrs -g -e cpu-clock/call-graph=dwarf,stack-size=4096/
attrs --call-graph dwarf -e cpu-clock/max-stack=7/
compare
all_differ
finish
