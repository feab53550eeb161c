# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# What shapes events and samples. That the attrs are perf's, bit for bit, shows tests/diff/attrs.sh.

# rec_bit BIT OPTION...: with the option sample_type has BIT, without it has not; perf reads it.
rec_bit() {
	local bit=$1
	shift
	rec -c 100000 -e cpu-clock "$work" nothing && ! bits | grep -qx "$bit" &&
		rec -c 100000 -e cpu-clock "$@" "$work" nothing && bits | grep -qx "$bit" || {
		echo "not so: $bit with $* only"
		attrs
		return 1
	}
	perf script -i f.data 2>script.err >script || return
	! [ -s script.err ] || { cat script.err; return 1; }
}
# rec_flag FIELD OPTION...: the same with a line of the attrs
rec_flag() {
	local field=$1
	shift
	rec -e cpu-clock true && lacks "$field" && rec -e cpu-clock "$@" true && has "$field" && dump COMM
}

effect_freq() {
	rec -F 99 -e page-faults true && has 'sample_period: 99' && has 'freq: 1' || return
	max=$(cat /proc/sys/kernel/perf_event_max_sample_rate)
	rec -F max -e page-faults true && has "sample_period: $max" && has 'freq: 1' || return
	rec -F $((max + 1)) -e page-faults true && has "sample_period: $max" && grep -q "recording at $max Hz" err
}
effect_strict_freq() {
	refused --strict-freq -F 4000000000 -e page-faults true && grep -q 'exceeds the current kernel limit' err
}
effect_count() {
	rec -e page-faults -c 7 true && has 'sample_period: 7' && lacks 'freq: 1' || return
	# 0 keeps the default sampling frequency, as in perf
	rec -e page-faults -c 0 true && has 'freq: 1'
}
effect_group() {
	rec --group -e cpu-clock -e page-faults true || return
	[ "$(attrs | grep -cx 'disabled: 1')" -eq 1 ] || { attrs; return 1; }
	header 'group: {cpu-clock,page-faults}'
}
effect_no_samples() { rec -n -e page-faults true && lacks 'sample_period: .*' && ! dump PERF_RECORD_SAMPLE; }
effect_all_kernel() {
	rec --all-kernel -e page-faults -c 1 true && has 'exclude_user: 1' || return
	! perf script -D -i f.data 2>/dev/null | grep 'PERF_RECORD_SAMPLE(IP, 0x[^1])'
}
effect_all_user() {
	rec --all-user -e page-faults -c 1 true && has 'exclude_kernel: 1' && dump PERF_RECORD_SAMPLE || return
	! perf script -D -i f.data 2>/dev/null | grep 'PERF_RECORD_SAMPLE(IP, 0x[^2])'
}

effect_g() {
	rec -g -e page-faults -c 1 true && bits | grep -x CALLCHAIN && dump '\.\.\. FP chain: nr:' || return
	rec -g dwarf -e page-faults -c 1 -- true && bits | grep -x STACK_USER && grep -q 'reading it as --call-graph' err
}
effect_call_graph() {
	rec --call-graph fp -e page-faults -c 1 true && bits | grep -x CALLCHAIN && ! bits | grep -x STACK_USER || return
	rec --call-graph dwarf,4096 -e page-faults:u -c 1 "$work" nothing && bits | grep -x STACK_USER &&
		has 'sample_stack_user: 4096' && dump 'ustack: size' || return
	# perf can unwind the stack
	perf script -i f.data -F comm,ip,sym 2>/dev/null | grep -q ' main$' || { echo "no main"; return 1; }
	rec --call-graph dwarf,live -e page-faults:u -c 1 "$work" nothing && bits | grep -x CALLCHAIN &&
		! bits | grep -x STACK_USER || return
	perf script -i f.data -F comm,ip,sym 2>/dev/null | grep -q ' main$' || { echo "no main"; return 1; }
	refused --call-graph lbr -e cpu-clock true && grep -q 'branch' err
}
effect_kernel_callchains() { rec_flag 'exclude_callchain_user: 1' -g --kernel-callchains; }
effect_user_callchains() { rec_flag 'exclude_callchain_kernel: 1' -g --user-callchains; }

effect_timestamp() {
	rec -T -e page-faults -c 1 true && bits | grep -x TIME && rec --no-timestamp -e page-faults -c 1 true &&
		! bits | grep -x TIME && dump PERF_RECORD_SAMPLE
}
effect_period() {
	rec_bit PERIOD -P && rec -e cpu-clock true && bits | grep -qx PERIOD &&
		rec --no-period -e cpu-clock true && ! bits | grep -x PERIOD
}
effect_sample_cpu() { rec_bit CPU --sample-cpu; }
effect_data() {
	rec_bit ADDR -d && has 'mmap_data: 1' && rec -d -e page-faults -c 1 true || return
	perf script -i f.data -F addr 2>/dev/null | grep -q '[1-9a-f]'
}
effect_phys_data() { rec_bit PHYS_ADDR --phys-data; }
effect_data_page_size() { rec_bit DATA_PAGE_SIZE --data-page-size; }
effect_code_page_size() {
	rec_bit CODE_PAGE_SIZE --code-page-size && rec --code-page-size -e page-faults:u -c 1 true || return
	perf script -i f.data -F code_page_size 2>/dev/null | grep -q '4K'
}
effect_raw_samples() { rec_bit RAW -R; }
effect_weight() { rec_bit WEIGHT_STRUCT -W; }
effect_transaction() { # of which perf evlist 6.1 does not know the name
	rec -e page-faults -c 1 true && ! dump '\.\.\. transaction:' && rec --transaction -e page-faults -c 1 true &&
		dump '\.\.\. transaction:'
}
effect_branch_any() { refused -b -e cpu-clock true && grep -q 'branch' err; }
effect_branch_filter() {
	refused -j any,u -e cpu-clock true && grep -q 'branch' err && refused -j nonsense true &&
		grep -q "unknown branch filter 'nonsense'" err
}
effect_intr_regs() {
	rec_bit REGS_INTR -I && rec -Iip,sp -e cpu-clock -F 1000 "$work" 20 && dump 'intr regs: mask 0x180' || return
	refused '-I?' && grep -q 'available registers: AX BX CX' err
}
effect_user_regs() {
	rec_bit REGS_USER --user-regs && rec --user-regs=ax,r15 -e page-faults:u -c 1 true &&
		dump 'user regs: mask 0x800001' || return
	refused '--user-regs=?' && grep -q 'available registers: AX BX CX' err
}
effect_sample_identifier() { rec_bit IDENTIFIER --sample-identifier; }
effect_clockid() {
	local before after at
	before=$(sed 's/[. ].*//' /proc/uptime)
	rec -k mono -e page-faults -c 1 true && has 'use_clockid: 1' && has 'clockid: 1' || return
	after=$(($(sed 's/[. ].*//' /proc/uptime) + 1))
	at=$(perf script -i f.data -F time 2>/dev/null | tail -n 1 | tr -d ' ' | sed 's/\..*//')
	[ "$at" -ge "$before" ] && [ "$at" -le "$after" ] || { echo "$before $at $after"; return 1; }
	header 'clockid: monotonic (1)' && header 'clockid frequency:'
}
effect_running_time() {
	rec --running-time -e '{page-faults,cs}:S' -c 1 true &&
		has 'read_format: TOTAL_TIME_ENABLED|TOTAL_TIME_RUNNING|ID|GROUP|LOST' && dump 'time enabled'
}
effect_stat() {
	rec -s -e page-faults -c 1 sh -c '"$1" nothing; exit 0' sh "$work" && has 'inherit_stat: 1' || return
	dump PERF_RECORD_READ && perf report -T --stdio -i f.data 2>/dev/null | grep -q '^# *PID *TID *page-faults *$'
}
effect_switch_events() { rec --switch-events -e dummy sleep 0.01 && dump 'PERF_RECORD_SWITCH OUT'; }
effect_latency() { rec --latency -e dummy sleep 0.01 && dump 'PERF_RECORD_SWITCH OUT'; }
effect_namespaces() { rec --namespaces -e dummy true && has 'namespaces: 1' && dump PERF_RECORD_NAMESPACES; }
effect_all_cgroups() { rec_bit CGROUP --all-cgroups && has 'cgroup: 1' && dump PERF_RECORD_CGROUP; }
effect_no_bpf_event() { rec -e page-faults true && has 'bpf_event: 1' && rec --no-bpf-event -e page-faults true && lacks 'bpf_event: 1'; }
effect_synth() {
	sleep 60 &
	local sleeper=$! status=0
	synth_of all && grep -q MMAP2 told && grep -q COMM told && synth_of task && ! grep MMAP2 told &&
		grep -q COMM told && synth_of no && ! [ -s told ] && synth_of mmap && grep -q MMAP2 told || status=1
	kill $sleeper
	return $status
}
synth_of() {
	rec --synth="$1" -e dummy -p "$sleeper" -- true || return
	perf script -D -i f.data 2>/dev/null | grep -E "PERF_RECORD_(COMM|MMAP2).*[ :]$sleeper/$sleeper" >told
	true
}

effect_tail_synthesize() { # a process from before stands behind the samples of the command
	sleep 60 &
	rec --tail-synthesize -e page-faults -c 1 -p $! -- sh -c 'kill -CONT $1; true' sh $! && rec_order || {
		kill $!
		return 1
	}
	kill $!
}
rec_order() {
	perf script -D -i f.data 2>/dev/null | grep -oE '(PERF_RECORD_MMAP -1|PERF_RECORD_THREAD_MAP|FINISHED_ROUND|COMM: sleep)' | uniq >order
	# of the base records only the maps of counters come first
	[ "$(head -n 1 order)" = PERF_RECORD_THREAD_MAP ] && [ "$(tail -n 1 order)" = 'COMM: sleep' ] || { cat order; return 1; }
}
effect_num_thread_synthesize() {
	rec -v --num-thread-synthesize 3 -a -e dummy true && grep -q 'threads reading /proc: 3' err || { cat err; return 1; }
	rec -v --num-thread-synthesize 1 -a -e dummy true && grep -q 'threads reading /proc: 1' err && dump "PERF_RECORD_COMM: .*:$$/$$"
}
effect_proc_map_timeout() { # thousands of maps take longer than a millisecond
	local up there all some status=0
	mkfifo end up
	"$work" maps 20000 <end >up &
	there=$!
	exec 8>end
	read -r up <up && [ "$up" = up ] && rec --proc-map-timeout 60000 -e dummy -p $there -- true &&
		all=$(dump "MMAP2 $there/") && rec --proc-map-timeout 1 -e dummy -p $there -- true &&
		grep -q -e --proc-map-timeout err || status=1
	some=$(dump "MMAP2 $there/")
	exec 8>&-
	wait $there
	[ $status -eq 0 ] && [ "$all" -ge 20000 ] && [ "$some" -lt "$all" ] && return
	echo "$all maps, in a millisecond $some"
	cat err
	return 1
}

# without a terminal; tests/screen/test_live_command.c has one
effect_tui() {
	! timeout 60 "$PTUI" record --tui -o f.data -- true >out 2>err </dev/null && ! [ -e f.data ] &&
		grep -q 'cannot open the screen' err || return
	for only in --quiet --verbose --dry-run; do
		! timeout 60 "$PTUI" record --tui "$only" -o f.data -- true 2>err && ! [ -e f.data ] &&
			grep -q -e "$only cannot be used together with --tui" err || return
	done
}
effect_dry_run() {
	rec --dry-run -e page-faults true && ! [ -e f.data ] || return
	refused --dry-run -e no_such_event true || return
	! timeout 60 "$PTUI" record --dry-run -o f.data -- ./no-such-program 2>err && grep -q no-such-program err
}
