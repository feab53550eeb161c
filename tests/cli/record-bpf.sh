#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# BPF programs: those that were loaded before the recording have names and are in the header as in perf's
# recordings, and so are those that are loaded while it runs.

. "$top_srcdir/tests/lib/tap.sh"
need perf root
one_at_a_time
export LC_ALL=C.UTF-8 HOME=$tmp PERF_CONFIG=/dev/null PERF_BUILDID_DIR=$tmp/debug
unset PTUI_PAGER PAGER PTUI_DEBUG XDG_CONFIG_HOME
cd "$tmp" || exit 1

[ "$(cat /proc/sys/net/core/bpf_jit_enable 2>/dev/null)" != 0 ] || skip_all "the kernel interprets BPF programs"

# load: two programs, until the fifo is written or closed; sets $loader, $plain and $typed
load() {
	rm -f fifo ids && mkfifo fifo || return
	"$top_builddir/tests/cli/bpf_load" <fifo >ids 2>&1 &
	loader=$!
	exec 7>fifo
	until_so grep -q . ids || return
	read -r plain typed <ids
	[[ $plain =~ ^[0-9]+$ ]]
}
unload() { exec 7>&- && wait "$loader"; }

load || skip_all "$(cat ids)"

rec() { timeout 60 "$PTUI" record -q -o "$@" 2>err || { cat err; return 1; }; }
perf_rec() { timeout 60 perf record -q -o "$@" 2>err || { cat err; return 1; }; }
# What readers see of the two programs; other programs may come and go.
events() { perf script -i "$1" --show-bpf-events 2>/dev/null | grep -oE 'PERF_RECORD_(KSYMBOL .*_ptui_.*|BPF_EVENT .* id '"($plain|$typed)"')$'; }
infos() { perf report -i "$1" --header-only -I 2>/dev/null | grep -E "_ptui_|bpf_prog_info ($plain|$typed):" | grep -v cmdline; }
types() { perf report -i "$1" --header-only -I -v 2>/dev/null | grep -E '^# (bpf_)?btf info' | sort; }
dump() { perf report -i "$1" -D 2>/dev/null | grep -E 'PERF_RECORD_(KSYMBOL.*_ptui_|BPF_EVENT.* id '"($plain|$typed)"'$)' | sed 's/^.*PERF/PERF/'; }

compare() {
	rec ours.data "$@" || return
	perf_rec perf.data "$@" || return
	for what in events infos types dump; do
		$what perf.data >"$what.perf"
		$what ours.data >"$what.ours"
		diff -u "$what.perf" "$what.ours" || return
	done
	[ "$(wc -l <events.ours)" = 5 ] && grep -q '_ptui_typed_sub$' events.ours && grep -q '_ptui_plain$' events.ours &&
		[ "$(grep -c sub_prog infos.ours)" = 2 ]
}
expect "programs of a command's recording are as perf's" compare -e cpu-clock -F 99 -- true
expect "of the whole machine's" compare -a -e cpu-clock -F 99 -- true
expect "of user space" compare -e cpu-clock:u -F 99 -- true
expect "with --synth=no" compare --synth=no -e cpu-clock -F 99 -- true
expect "with --tail-synthesize" compare --tail-synthesize -e cpu-clock -F 99 -- true

# The header's lines of programs and of their types, as perf prints them of the same file.
lines() { "$@" --header-only -I 2>/dev/null | grep -aE '^#.*(sub_prog|bpf_prog_info|btf info) '; }
same_lines() {
	for file in ours.data perf.data; do
		lines perf report -i "$file" >lines.perf
		lines "$PTUI" report -i "$file" >lines.ours
		diff -u lines.perf lines.ours || return
		grep -q "^# bpf_prog_info $plain: " lines.ours && grep -q "^# bpf_prog_info $typed:" lines.ours &&
			grep -q 'sub_prog 1: .*_ptui_' lines.ours && grep -q '^# btf info of id ' lines.ours || { cat lines.ours; return 1; }
	done
}
expect "report prints them as perf does" same_lines

names_only() {
	rec ours.data --no-bpf-event -e cpu-clock -F 99 -- true && perf_rec perf.data --no-bpf-event -e cpu-clock -F 99 -- true || return
	events ours.data >events.ours
	events perf.data >events.perf
	diff -u events.perf events.ours && [ "$(wc -l <events.ours)" = 3 ] && [ -z "$(infos ours.data)" ]
}
expect "--no-bpf-event keeps the names alone, as perf does" names_only

piped() {
	timeout 60 "$PTUI" record -q -o - -e cpu-clock -F 99 -- true 2>err >pipe.data || { cat err; return 1; }
	perf script -i - --show-bpf-events <pipe.data 2>/dev/null | grep -q '_ptui_typed_main$'
}
expect "down a pipe" piped

# CAP_PERFMON shows the kernel, CAP_SYSLOG its addresses; bpf(2) needs another right.
refused() {
	setpriv --bounding-set=-all,+perfmon,+syslog,+dac_override --inh-caps=-all,+perfmon,+syslog,+dac_override \
		"$PTUI" record -q -o ours.data -e cpu-clock -F 99 -- true 2>err || { cat err; return 1; }
	perf script -i ours.data --show-bpf-events 2>/dev/null >events.ours
	for function in plain typed_main typed_sub; do
		grep -q "PERF_RECORD_KSYMBOL.* bpf_prog_[0-9a-f]*_ptui_$function$" events.ours || { cat events.ours; return 1; }
	done
	! grep -q PERF_RECORD_BPF_EVENT events.ours
}
if setpriv --bounding-set=-all,+perfmon,+syslog,+dac_override true 2>/dev/null; then
	expect "where bpf(2) is refused, kallsyms has the names" refused
else
	skip "where bpf(2) is refused, kallsyms has the names" "no setpriv that knows CAP_PERFMON"
fi

# The program runs for half a second of CPU time, whatever the load.
samples() {
	timeout 60 "$PTUI" record -q -o ours.data -e cpu-clock -F 999 -p "$loader" 2>err &
	recorder=$!
	until_so test -s ours.data && echo >&7 && unload && wait "$recorder" || { cat err; return 1; }
	"$PTUI" report -i ours.data --stdio --sort symbol >ours.txt 2>&1
	perf report -i ours.data --stdio --sort symbol >perf.txt 2>&1
	grep -q 'bpf_prog_[0-9a-f]*_ptui_typed_sub' perf.txt && grep -q 'bpf_prog_[0-9a-f]*_ptui_typed_sub' ours.txt ||
		{ cat ours.txt perf.txt; return 1; }
}
rm -f ours.data
expect "samples in a program have its name" samples

loaded_meanwhile() {
	rm -f ours.data
	timeout 60 "$PTUI" record -q -o ours.data -a -e cpu-clock -F 49 2>err &
	recorder=$!
	until_so test -s ours.data && load || { cat err; return 1; }
	# the record comes before the end of the recording, and its information is read while the
	# program is loaded
	until_so in_use || return
	kill -INT "$recorder" && wait "$recorder"
	unload
	infos ours.data >infos.ours
	grep -q "bpf_prog_info $plain: bpf_prog_[0-9a-f]*_ptui_plain" infos.ours && grep -q 'ptui_typed_sub' infos.ours ||
		{ cat infos.ours; perf report -i ours.data --header-only -I | tail -3; return 1; }
}
in_use() { kill -0 "$recorder" && kill -0 "$loader" && grep -q _ptui_typed_sub /proc/kallsyms; }
expect "a program that is loaded meanwhile is in the header" loaded_meanwhile

finish
