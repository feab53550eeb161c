# SPDX-License-Identifier: GPL-2.0-or-later
# What ptui record asks of the kernel is what perf record asks, field by field.
. "$top_srcdir/tests/lib/tap.sh"
. "$top_srcdir/tests/diff/lib.sh"
need perf root tracefs
one_at_a_time

attrs_meant=(attr_size build_id ids_of_sideband own_sideband)

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
attrs -a
attrs -a -F 99
attrs -a -c 1000000 -e cpu-clock:u
attrs -a -e page-faults -e cpu-clock
attrs -ag -F 49 -e cpu-clock
attrs -a -e sched:sched_switch
# perf waits for the process as well when the command ends too soon for it.
sleep 20 & sleeper=$!
load=(sleep 0.2)
attrs -p $sleeper --
attrs -g -e page-faults -p $sleeper --
wait "${recorders[@]}"
kill $sleeper
wait $sleeper 2>/dev/null
compare
all_differ
finish
