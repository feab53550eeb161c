# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# Basics: events, targets, output.

effect_event() {
	rec -e page-faults -e sched:sched_process_exit true && has page-faults: && has sched:sched_process_exit:
}
effect_pfm_events() {
	rec --pfm-events PERF_COUNT_SW_PAGE_FAULTS true && has 'config: 0x2'
}
effect_filter() {
	rec -e sched:sched_process_exit --filter 'prio > 100000' -e page-faults true || return
	! perf script -i f.data 2>/dev/null | grep sched_process_exit && dump PERF_RECORD_SAMPLE
}
effect_exclude_perf() {
	rec -a -e raw_syscalls:sys_enter --exclude-perf sleep 0.2 || return
	dump PERF_RECORD_SAMPLE && ! perf script -i f.data -F comm 2>/dev/null | grep -x 'ptui *'
}

effect_all_cpus() {
	rec -a -e dummy true && bits | grep -x CPU || return
	perf script -D -i f.data 2>/dev/null | grep 'PERF_RECORD_COMM:' | cut -d: -f3- | sort -u >others
	[ "$(wc -l <others)" -gt 3 ]
}
effect_pid() {
	sleep 60 &
	rec -e dummy -p $! -- true
	local status=$?
	kill $!
	[ $status -eq 0 ] && dump "PERF_RECORD_COMM: sleep:$!/$!" && lacks 'enable_on_exec: 1'
}
effect_no_inherit() { rec -e page-faults true && has 'inherit: 1' && rec -i -e page-faults true && lacks 'inherit: 1'; }

effect_output() {
	rec -o other.data true && [ -s other.data ] && ! [ -e f.data ] || return
	rec -o - -e page-faults -c 1 echo hello && [ "$(head -c 8 out)" = PERFILE2 ] && ! [ -e f.data ] || return
	grep -qx hello err && perf report -i - --stdio <out 2>/dev/null | grep -q "event 'page-faults'" || return
	# a pipe, and no messages
	timeout 60 "$PTUI" record -e page-faults -c 1 true 2>err | perf script -i - 2>/dev/null | grep -q page-faults || return
	! [ -e perf.data ] && mkfifo named || return
	perf script -i - <named 2>/dev/null | grep -c page-faults >got &
	rec -o named -e page-faults -c 1 true && wait $! && [ -p named ] && [ "$(cat got)" -gt 0 ]
}
effect_quiet() { rec true && [ -s err ] && rec -q true && ! [ -s err ]; }
effect_verbose() {
	rec true && wc -l <err >plain && rec -v true && [ "$(wc -l <err)" -gt "$(cat plain)" ]
}
