# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# Targets: threads, users, CPUs, cgroups; and ring sizes.

storm=$top_builddir/tests/fault/storm

# storm_begin MODE N: $storm_pid, its threads in $storm_tids
storm_begin() {
	"$storm" "$@" >storm.out &
	storm_pid=$!
	until_so grep -q ready storm.out
	storm_tids=($(ls "/proc/$storm_pid/task"))
}
# Lets its threads do what they do, and waits for it.
storm_end() {
	kill -USR1 "$storm_pid"
	wait "$storm_pid"
}
begun_or_ended() { [ -s f.data ] || ! kill -0 "$1"; }
# recorded_storm OPTION...: from before its threads touch their pages to their end
recorded_storm() {
	rm -f f.data
	timeout 60 "$PTUI" record -o f.data -e page-faults:u -c 1 "$@" >out 2>err </dev/null &
	local recorder=$!
	until_so begun_or_ended $recorder
	storm_end
	wait $recorder && return
	cat err
	return 1
}
# The threads that have all three of their faults, one a line.
whole() {
	perf script -i f.data -F tid,ip,sym 2>/dev/null |
		awk '$3 == "marker" { n[$1]++ } END { for (t in n) if (n[t] == 3) print t; else print "bad " t, n[t] }' |
		sort -n
}
cpus_of() { perf script -i f.data -F cpu 2>/dev/null | tr -d '[] ' | sort -u; }

effect_tid() {
	storm_begin pool 6
	recorded_storm -t "${storm_tids[2]},${storm_tids[4]}" || return
	lacks 'inherit: 1' || return
	printf '%s\n' "${storm_tids[2]}" "${storm_tids[4]}" >wanted
	whole >got
	diff wanted got
}
effect_uid() {
	# processes of an unused user: the one started here, and no other
	chmod 755 . .. && command -v setpriv >/dev/null || { echo "no setpriv"; return 77; }
	setpriv --reuid 65534 --regid 65534 --clear-groups sleep 60 &
	local sleeper=$! status
	while [ "$(stat -c %u "/proc/$sleeper" 2>/dev/null)" != 65534 ]; do pause; done
	rec -e dummy -u 65534 -- true
	status=$?
	kill $sleeper
	[ $status -eq 0 ] && has 'inherit: 1' && dump "PERF_RECORD_COMM: sleep:$sleeper/$sleeper" || return
	! perf script -D -i f.data 2>/dev/null | grep 'PERF_RECORD_COMM:' | grep ":$$/"
}
effect_cpu() {
	rec -e cpu-clock -F 1000 -C 0 -- "$work" spin 200 && bits | grep -x CPU || return
	cpus_of >got && printf '000\n' >wanted && diff wanted got || return
	perf script -D -i f.data 2>/dev/null | grep PERF_RECORD_CPU_MAP | head -n 1
	lacks 'enable_on_exec: 1' && refused -C 4095 true && grep -q 'no CPU 4095' err && refused -C x true
}
effect_cgroup() {
	local mount group status
	mount=$(awk '$3 == "cgroup2" { print $2; exit }' /proc/self/mounts)
	group=ptui-test-$$
	[ -n "$mount" ] && mkdir "$mount/$group" 2>/dev/null || { echo "no control group can be made"; return 77; }
	storm_begin pool 4
	echo "$storm_pid" >"$mount/$group/cgroup.procs"
	status=0
	# the first event is for its tasks, the second one for all
	rm -f f.data
	"$PTUI" record -a -e page-faults:u -c 1 -e dummy -G "$group," -o f.data -- sh -c "kill -USR1 $storm_pid; while kill -0 $storm_pid 2>/dev/null; do sleep 0.02; done" >out 2>err &
	local recorder=$!
	wait "$storm_pid"
	wait $recorder || status=1
	rmdir "$mount/$group"
	cat err
	[ $status -eq 0 ] || return
	# others fault meanwhile, such as the shell above
	perf script -i f.data -F comm 2>/dev/null | sort -u >got
	printf '%s\n' storm >wanted
	tr -d ' ' <got | diff wanted - || { perf script -i f.data | head; return 1; }
	[ "$(whole | wc -l)" -eq 5 ] || { whole; return 1; }
	refused -e dummy -G "$group" true && grep -q -e '-a' err
	refused -a -e dummy -G no-such-group true && refused -a -G x -e dummy true
}
effect_per_thread() {
	storm_begin pool 4
	recorded_storm --per-thread -p "$storm_pid" || return
	lacks 'inherit: 1' && bits | tr '\n' ' ' | grep -q '^ID IP TID $\|^IDENTIFIER IP TID $' || { bits; return 1; }
	printf '%s\n' "${storm_tids[@]}" >wanted
	whole >got
	diff wanted got || return
	# one counter an event and thread, for any CPU
	perf script -D -i f.data 2>/dev/null | grep -A 40 PERF_RECORD_ID_INDEX | grep -c 'cpu: -1' >n
	[ "$(cat n)" -eq $((2 * ${#storm_tids[@]})) ]
}
# The size of the ring, by the maps of perf's files.
effect_mmap_pages() {
	rec -m 16 -- sh -c 'grep "anon_inode:.perf_event" "/proc/$PPID/maps"' || return
	local from to rings=0
	while IFS=' -' read -r from to _; do
		[ $((0x$to - 0x$from)) -eq $((17 * $(getconf PAGESIZE))) ] || { cat out; return 1; }
		rings=$((rings + 1))
	done <out
	[ $rings -gt 0 ] || return
	rec -m 100K -- true && grep -q '128 KiB' err && rec -m 1,1M -- true && rec -m ,1M -- true && refused -m 1,x true && refused -m x true
}
