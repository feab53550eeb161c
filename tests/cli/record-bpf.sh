#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# BPF programs: those that were loaded before the recording have names and are in the header as in perf's
# recordings, and so are those that are loaded while it runs. Programs as events (-e prog.o).

. "$top_srcdir/tests/lib/real_kallsyms.sh"
. "$top_srcdir/tests/lib/tap.sh"
. "$top_srcdir/tests/cli/remedies_lib.sh"
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

# ---- programs as events ----

# made NAME SECTION RETURNS: NAME.o has an event array "channel" and a program, which writes "hello bpf".
made() {
	cat >"$1.c" <<-END
		#include <linux/bpf.h>
		#include <bpf/bpf_helpers.h>
		struct {
			__uint(type, BPF_MAP_TYPE_PERF_EVENT_ARRAY);
			__uint(key_size, 4);
			__uint(value_size, 4);
		} channel SEC(".maps");
		SEC("$2") int program(void *ctx)
		{
			char text[12] = "hello bpf";

			bpf_perf_event_output(ctx, &channel, BPF_F_CURRENT_CPU, text, sizeof(text));
			return $3;
		}
		char _license[] SEC("license") = "GPL";
	END
	clang -O2 -g -target bpf "-I/usr/include/$(uname -m)-linux-gnu" -c "$1.c" -o "$1.o" 2>err
}
kill_20=(bash -c 'for ((i = 0; i < 20; i++)); do kill -0 $$; done')
# Without the process, the CPU and the time.
script_of() { "$@" 2>/dev/null | sed 's/^ *bash *[0-9]* .[0-9]*. *[0-9.]*: *//; s/pid: 0x[0-9a-f]*/pid:/; s/[0-9a-f]\{12,\}/ADDRESS/'; }

as_perf() {
	rec ours.data -e bpf-output/no-inherit=1,name=evt/ -e ./kept.o/map:channel.event=evt/ -- "${kill_20[@]}" || return
	perf_rec perf.data -e bpf-output/no-inherit=1,name=evt/ -e ./kept.o/map:channel.event=evt/ -- "${kill_20[@]}" || return
	for file in ours perf; do
		script_of perf script -i $file.data >$file.perf
		script_of "$PTUI" script -i $file.data >$file.ours
		diff -u $file.perf $file.ours || return
	done
	diff -u perf.ours ours.ours || return
	[ "$(grep -c 'BPF output: 0000: 68 65 6c 6c 6f 20 62 70  hello bp' ours.ours)" = 20 ] && [ "$(grep -c sys_enter_kill: ours.ours)" = 20 ] ||
		{ cat ours.ours; return 1; }
}

shown() {
	perf report -i ours.data --stdio -n -s comm 2>/dev/null | grep -v '^#' >perf.txt
	"$PTUI" report -i ours.data --stdio -n -s comm 2>/dev/null | grep -v '^#' >ours.txt
	diff -u perf.txt ours.txt && [ "$(grep -c ' 20 ' ours.txt)" = 2 ]
}

dropped() {
	rec ours.data -e ./dropped.o -- "${kill_20[@]}" || return
	"$PTUI" script -i ours.data >ours.txt 2>&1
	[ "$(grep -c 'BPF string: "hello bpf"' ours.txt)" = 20 ] && [ "$(grep -c 'channel:' ours.txt)" = 20 ] && ! grep sys_enter_kill ours.txt ||
		{ cat ours.txt; return 1; }
}

probed() {
	ln -sf "$top_builddir/tests/cli/bpf_load" probed
	for section in 'exec=./probed;started=main' 'uprobe/./probed:main' 'uretprobe/./probed:main'; do
		made probe "$section" 1 || { cat err; return 1; }
		rec ours.data -e ./probe.o -- ./probed </dev/null >/dev/null || return
		"$PTUI" script -i ours.data -F event 2>/dev/null | sort | uniq -c | sed 's/^ *//; s/  */ /g; s/ $//' >events.ours
		[ "$(paste -sd' ' events.ours | sed 's/started/main/')" = "1 channel: 1 perf_bpf_probe:main:" ] || { cat events.ours; return 1; }
	done
	perf script -i ours.data -F event,trace 2>/dev/null | grep -q '^ *perf_bpf_probe:main: ([0-9a-f]* <- [0-9a-f]*)' || return
	until_so probes_gone
}
probes_gone() { ! grep -q 'probed:' /sys/kernel/tracing/uprobe_events; }

# count OPTION...: what is counted of each event, "NAME COUNT" per line
count() { timeout 60 "$PTUI" stat -x, "$@" 2>err >out || { cat out err; return 1; }; awk -F, 'NF > 3 { print $3, $1 }' err; }
counted() {
	[ "$(count -e ./kept.o,syscalls:sys_enter_kill -- "${kill_20[@]}")" = "syscalls:sys_enter_kill 20
syscalls:sys_enter_kill 20" ] || { count -e ./kept.o -- "${kill_20[@]}"; return 1; }
	# what a program drops is not counted
	[ "$(count -e ./dropped.o -- "${kill_20[@]}")" = "syscalls:sys_enter_kill 0" ] ||
		{ count -e ./dropped.o -- "${kill_20[@]}"; return 1; }
	[ "$(count -r 3 -e ./kept.o -- "${kill_20[@]}")" = "syscalls:sys_enter_kill 20" ] || { count -r 3 -e ./kept.o -- "${kill_20[@]}"; return 1; }
	timeout 60 "$PTUI" stat record -o counts.data -e ./kept.o -- "${kill_20[@]}" >out 2>&1 &&
		"$PTUI" stat report -i counts.data 2>out && grep -qE '^ +20 +syscalls:sys_enter_kill' out || { cat out; return 1; }
}

counted_at_probes() {
	ln -sf "$top_builddir/tests/cli/bpf_load" probed
	made probe 'exec=./probed;started=main' 1 || { cat err; return 1; }
	[ "$(count -r 2 -e ./probe.o -- ./probed </dev/null)" = "perf_bpf_probe:started 1" ] || { cat err; return 1; }
	until_so probes_gone
}

# However ptui ends, but by SIGKILL.
removed_at() { # SIGNAL VERB...
	local signal=$1
	shift
	rm -f err
	ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}handle_segv=0:detect_leaks=0 env --default-signal="$signal" timeout -s KILL 60 "$PTUI" "$@" -e ./probe.o -- sh -c 'echo $$ >command; exec ./probed <fifo' >out 2>err &
	local killer=$!
	until_so test -s command && until_so grep -q 'probed:' /sys/kernel/tracing/uprobe_events || { cat err; return 1; }
	local ptui
	ptui=$(ps -o ppid= -p "$(cat command)" | tr -d ' ')
	kill -"$signal" "$ptui"
	[ "$signal" != INT ] || kill "$(cat command)" # a terminal sends it to both
	wait "$killer" 2>/dev/null
	until_so probes_gone || { echo "$signal $*"; cat err; return 1; }
	kill "$(cat command)" 2>/dev/null
	rm -f command
}
removed_at_any_end() {
	ln -sf "$top_builddir/tests/cli/bpf_load" probed
	made probe 'exec=./probed;started=main' 1 || { cat err; return 1; }
	rm -f fifo command && mkfifo fifo || return
	exec 7<>fifo
	for signal in INT TERM HUP QUIT SEGV ABRT; do
		removed_at $signal stat && removed_at $signal record -q -o ours.data || return
	done
	exec 7>&-
}

refusals() {
	while IFS='|' read -r event error; do
		! timeout 60 "$PTUI" record -o ours.data -e "$event" -- true 2>err && grep -qF -- "$error" err || { cat err; return 1; }
	done <<-END
		./absent.o|cannot open ./absent.o: No such file or directory
		./other.o|section "xdp" of ./other.o does not name an event
		./arguments.o|has arguments, which ptui does not pass to programs
		./kept.o/map:nothing.event=evt/|./kept.o has no map named 'nothing'
		./kept.o/map:channel.event=nothing/|no event is named 'nothing', for the map 'channel' of ./kept.o
		./kept.o/map:channel.value=1/|map:MAP.event=EVENT
	END
	! timeout 60 "$PTUI" record --switch-output-event ./kept.o -- true 2>err &&
		grep -q 'BPF programs can only be events of' err || { cat err; return 1; }
}

remedies() {
	record=(timeout 60 "$PTUI" record -q -o ours.data)
	remedy "libbpf: %s"
	complains "${record[@]}" -e ./text.o -- true
	helped "${record[@]}" -e ./kept.o -- true
	remedy "compile it: clang -O2 -g -target bpf -c %.*s"
	complains "${record[@]}" -e ./kept.c -- true
	helped "${record[@]}" -e ./kept.o -- true
	remedy "give %s the term no-inherit=1"
	complains "${record[@]}" -e bpf-output/name=evt/ -e ./kept.o/map:channel.event=evt/ -- true
	helped "${record[@]}" -e bpf-output/no-inherit=1,name=evt/ -e ./kept.o/map:channel.event=evt/ -- true
	remedy "BPF programs require root: run it with sudo"
	complains setpriv --bounding-set=-all --inh-caps=-all "${record[@]}" -e ./kept.o -- true
	helped "${record[@]}" -e ./kept.o -- true
	remedy "record the whole system (-a), a command or a single thread (-t)"
	complains "${record[@]}" -e ./kept.o -p "$$,$BASHPID,$PPID" --no-inherit -- true
	helped "${record[@]}" -e ./kept.o -t "$$" -- true
}

why=
command -v clang >/dev/null || why="no clang, which compiles BPF programs"
[ -e /usr/include/bpf/bpf_helpers.h ] || why="no libbpf-dev"
! "$PTUI" record -e ./absent.o true 2>&1 | grep -q 'built without libbpf' || why="ptui was built without libbpf"
[ -e /sys/kernel/tracing/events/syscalls/sys_enter_kill ] || why="this kernel has no tracepoints of system calls"
tries() { if [ -n "$why" ]; then skip "$1" "$why"; else expect "$@"; fi; }
echo text >text.o
if [ -z "$why" ] && ! { made kept syscalls:sys_enter_kill 1 && made dropped tp/syscalls/sys_enter_kill 0 && made other xdp 1 && made arguments 'f=g a b' 1; }; then
	cat err
	not_ok "programs are compiled"
	finish
fi
tries "a program and its output are recorded as by perf" as_perf
tries "report has both events" shown
tries "a program that returns 0 makes no samples; an array without an event gets one" dropped
tries "stat counts what programs let pass" counted
tries "what a program cannot be is refused with the reason" refusals
[ -n "$why" ] || remedies
[ -n "$why" ] || [ -e /sys/kernel/tracing/uprobe_events ] || why="this kernel has no uprobes"
tries "programs at probes, which are removed at the end" probed
tries "stat counts at probes" counted_at_probes
tries "probes are removed at any end" removed_at_any_end

finish
