# SPDX-License-Identifier: GPL-2.0-or-later
# ptui script prints what perf script prints, by default: recordings of many kinds.
. "$top_srcdir/tests/lib/tap.sh"
. "$top_srcdir/tests/diff/lib.sh"
. "$top_srcdir/tests/diff/script_lib.sh"
need perf root tracefs

each '-F 1000 --no-inherit' \
	'-F 1000 -g --kernel-callchains' \
	'-F 1000 -g --user-callchains' \
	'-F 1000 -g --max-size 1M' \
	'-F 1000 -m 16' \
	'-F 1000 --mmap-flush 1K' \
	'-F 1000 -e {cpu-clock,page-faults}' \
	'-F 1000 -e {cpu-clock,page-faults}:S' \
	'-F 1000 -g -e {cpu-clock,page-faults,context-switches}:S' \
	'-e sched:sched_switch' \
	'-e sched:sched_switch -g' \
	'-e sched:* -e cpu-clock -g' \
	'-e raw_syscalls:*' \
	'-e syscalls:sys_enter_*' \
	'-e kmem:*' \
	'-e irq:*,timer:* -a' \
	'-e mem:0x1000:rw -e cpu-clock'

# Through a pipe.
piped pipe -F 2000 -g "$work"
scripts pipe
piped packed -z -F 2000 -g "$work"
scripts packed
"$PTUI" script -i - <"$tmp/pipe.data" >"$tmp/ptui.txt"
perf script -i - <"$tmp/pipe.data" >"$tmp/perf.txt" 2>/dev/null
alike "standard input" "$tmp/perf.txt" "$tmp/ptui.txt" "${script_meant[@]}"
# What has arrived gets printed before the pipe ends; small buffers make many rounds.
# A recorder that gets no CPU makes few rounds.
for ms in 300 1000 3000 9000; do
	piped rounds -m 4 -F 4000 -g "$work" spin "$ms"
	[ "$("$PTUI" report --stats -i "$tmp/rounds.data" | awk '/FINISHED_ROUND/ { print $3 }')" -lt 8 ] || break
done
(cat "$tmp/rounds.data"; exec sleep 3600) | "$PTUI" script -i - >"$tmp/early.txt" &
expect "samples are printed before the pipe ends" until_so test -s "$tmp/early.txt"

# Copied stacks, with inlined functions.
recorded dwarf -F 2000 --call-graph dwarf "$work" spin 100
scripts dwarf --no-inline
script_meant+=(debug_name_text)
scripts dwarf
scripts dwarf -F ip,sym,symoff
unset 'script_meant[-1]'

# Sideband of one CPU: ptui takes the first name that a thread gets later, perf has ":TID" until then.
recorded one-cpu -F 500 -C 0 "$work" spin 100
scripts one-cpu -F -comm

all_differ
finish
