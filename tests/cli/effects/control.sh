# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# When the events are on, and how the recorder runs.

# Nothing of the first second is recorded; nor is any part of a command that exits within it.
effect_delay() {
	rec -e page-faults -c 1 -D 60000 true || return
	lacks 'enable_on_exec: 1' && ! dump PERF_RECORD_SAMPLE && grep -qx 'Events disabled' err || return
	! grep -q enabled err || return
	rec -e page-faults -c 1 -D -1 true && ! dump PERF_RECORD_SAMPLE && lacks 'enable_on_exec: 1' || return
	# a command that begins its work when the events have been switched on, off and on again
	mkfifo go said
	(exec 3<said; n=0
	while read -r line <&3; do
		case $line in 'Events enabled') n=$((n + 1)) ;; esac
		[ $n -lt 2 ] || break
	done
	echo go >go; cat <&3 >/dev/null) &
	timeout 60 "$PTUI" record -o f.data -e page-faults -c 1 -D 1-2,5-60000 \
		-- sh -c 'read -r x <go; exec true' 2>said >out </dev/null || return
	wait
	dump PERF_RECORD_SAMPLE || return
	for bad in 0 x 5- 10-5 10-20,15-30 -2 1,2; do refused "-D$bad" true || return; done
}

effect_control() {
	mkfifo ctl ack
	exec 4<>ctl 5<>ack
	"$PTUI" record -o f.data -D -1 --control fifo:ctl,ack -e page-faults,cpu-clock -c 1000000 \
		sleep 60 2>err >out </dev/null &
	local pid=$! word answer
	for word in ping enable 'disable page-faults' 'enable nix' 'enablex' evlist 'evlist -F' 'evlist -x' \
		snapshot stop; do
		echo "$word" >&4
		IFS= read -rd '' -t 30 answer <&5 && [ "$answer" = ack$'\n' ] || { echo "$word: '$answer'"; return 1; }
	done
	wait $pid
	[ $? -eq 143 ] || return	# what sleep died of, as with perf
	exec 4>&- 5>&-
	sed '/^\[/d' err >got
	cat >want <<-'E1'
	Events disabled
	Events enabled
	Event page-faults disabled
	failed: can't find 'nix' event
	failed: wrong command
	page-faults
	cpu-clock
	dummy:HG
	page-faults: sample_period=1000000
	cpu-clock: sample_period=1000000
	dummy:HG: sample_period=1000000
	failed: wrong command
	failed: this recording takes no snapshots
	E1
	diff want got || return
	for bad in nix fd: fd:x fd:99 fd:1, fifo: fifo:nix; do refused --control "$bad" true || return; done
}

# The thread's policy (FIFO: 1) and priority are the 41st and the 40th field of its stat.
effect_realtime() {
	[ "$(ulimit -r)" = unlimited ] || [ "$(id -u)" -eq 0 ] || { echo "no right to it"; return 77; }
	chrt -f 1 true 2>/dev/null || { echo "no realtime here"; return 77; }
	# shellcheck disable=SC2016
	rec -r 7 -e dummy -- sh -c 'for t in /proc/$PPID/task/*; do sed "s/.*) //" $t/stat; done >threads' || return
	cut -d' ' -f38,39 threads | grep -x '7 1'
}

effect_no_buffering() { rec --no-buffering -e cpu-clock true && has 'wakeup_watermark }: 1'; }

effect_wakeup_events() {
	rec --wakeup-events 100 -e cpu-clock true && has 'wakeup_watermark }: 100' && lacks 'watermark: 1' || return
	refused --wakeup-events 0 true && refused --wakeup-events x true && refused --wakeup-events 4294967296 true &&
		refused --wakeup-events 2 --no-buffering true && refused --wakeup-events 2 --wakeup-watermark 4K true
}

effect_wakeup_watermark() {
	rec --wakeup-watermark 4K -e cpu-clock true && has 'wakeup_watermark }: 4096' && has 'watermark: 1' || return
	refused --wakeup-watermark 0 true && refused --wakeup-watermark 4G true &&
		refused --wakeup-watermark 4K --no-buffering true
}

# The CPUs where it may run, read from the kernel, after it has drained the ring of each CPU.
effect_affinity() {
	# shellcheck disable=SC2016
	local look='i=0; while [ $i -lt 200 ]; do
		cat /proc/$PPID/task/*/status | sed -n "s/^Cpus_allowed_list:.//p" | sort -u >bound
		! grep -qx "[0-9]*" bound || exit 0
		i=$((i + 1)); done; cat bound; exit 1'
	[ "$(nproc)" -gt 1 ] || { echo "one CPU only"; return 77; }
	rec -a --affinity=cpu --no-buffering -e cpu-clock -- sh -c "$look" || return
	rec -a --affinity=sys --no-buffering -e cpu-clock -- sh -c 'cat /proc/$PPID/task/*/status' || return
	! grep -qx 'Cpus_allowed_list:.[0-9]*' out || return
	rec -a --affinity=node --no-buffering -e cpu-clock -- true && refused --affinity=x true
}
