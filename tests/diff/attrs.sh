# SPDX-License-Identifier: GPL-2.0-or-later
# What ptui record asks of the kernel is what perf record asks, field by field.
. "$top_srcdir/tests/lib/tap.sh"
. "$top_srcdir/tests/diff/lib.sh"
need perf root tracefs
one_at_a_time

attrs_meant=(attr_size build_id ids_of_sideband own_sideband chain_left_over)

# fields: perf evlist -v, one field a line behind the event's name.
fields() {
	sed -e '/^# Tip/d' -e 's/{ sample_period, sample_freq }/sample_period_or_freq/' \
		-e 's/: type: /\n\ttype: /' -e 's/, /\n\t/g'
}

# record WHO FILE RECORD-OPTION...
record() {
	local who=$1 file=$2
	shift 2
	if [ "$who" = perf ]; then
		perf record -B -o "$file" "$@"
	else
		"$PTUI" record -o "$file" "$@"
	fi >"$file.out" 2>&1 || echo "status $?" >>"$file.out"
}

# attrs RECORD-OPTION...: both record the same. perf takes a second for its
# end, asleep: all record at once, and are compared then.
n=0
load=("$work" nothing)
attrs() {
	n=$((n + 1))
	titles[n]=$*
	record perf "$tmp/perf.$n" "$@" "${load[@]}" &
	recorders+=($!)
	record ptui "$tmp/ptui.$n" "$@" "${load[@]}"
}

compare() {
	local i who
	for ((i = 1; i <= n; i++)); do
		for who in perf ptui; do
			perf evlist -v -i "$tmp/$who.$i" 2>>"$tmp/$who.$i.out" | fields >"$tmp/$who.$i.attrs"
			[ -s "$tmp/$who.$i.attrs" ] || note "$(cat "$tmp/$who.$i.out")"
		done
		alike "${titles[i]:-no option}" "$tmp/perf.$i.attrs" "$tmp/ptui.$i.attrs" "${attrs_meant[@]}"
	done
}

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
# what shapes a sample
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
sleep 20 & sleeper=$!
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
wait "${recorders[@]}"
kill $sleeper
wait $sleeper 2>/dev/null
compare
all_differ
finish
