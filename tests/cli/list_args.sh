#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# ptui list: arguments of perf list besides kinds and patterns: --raw-dump, --desc, -v,
# --deprecated, --cputype, --unit, metric, metricgroup.

. "$top_srcdir/tests/lib/tap.sh"
need perf
unset PTUI_PAGER PAGER PTUI_DEBUG
export HOME=$tmp LC_ALL=C.UTF-8
cd "$tmp" || exit 1

list() { # WORDS...
	rc=0
	"$PTUI" list "$@" >out 2>err </dev/null || rc=$?
}
ended() { [ "$rc" -eq "$1" ] || { echo "status $rc"; cat err; return 1; }; }
words() { tr -s ' \n' '\n' | sed '/^$/d'; }

# --- names only

for kind in pmu 'sched:sched_sw*'; do
	list --raw-dump "$kind"
	perf list --raw-dump "$kind" 2>/dev/null </dev/null | words >perf.out
	same "--raw-dump $kind: perf's names" perf.out <(words <out)
	expect "--raw-dump $kind: one line" test "$(wc -l <out)" -eq 1
done
list --raw-dump sw
perf list --raw-dump sw 2>/dev/null </dev/null | words | head -n "$(words <out | wc -l)" >perf.out
same "--raw-dump sw: perf's names" perf.out <(words <out)
list --raw-dump rNNN
expect "--raw-dump: no way of writing events" test -z "$(words <out)"

# --- metrics

for word in metric metrics metricgroup metricgroups; do
	list $word
	expect "$word: status 0" ended 0
	perf list $word 2>/dev/null </dev/null | head -n 3 >perf.out
	same "$word: perf's heading" perf.out <(head -n 3 out)
done
list metrics
grep -A 1 '^  [a-zA-Z_0-9]*$' out >pairs
expect "metrics: each has a description" sh -c '! grep -v "^--$\|^  [A-Za-z0-9_]*$\|^       \[.*\]$" pairs'
list --no-desc metrics
expect "--no-desc metrics: none has one" sh -c '! grep "\[" out'
list --raw-dump metrics
words <out >names
list --raw-dump metricgroups
words <out >groups
expect "metrics: more than their groups" test "$(wc -l <names)" -gt "$(wc -l <groups)"
while read -r name; do
	"$PTUI" stat -M "$name" -- true 2>err
	expect "stat -M $name: counts" grep -q ' seconds time elapsed' err
done < <(cat names groups)
list -j metrics metricgroups
expect "-j: metrics as JSON" perl -MJSON::PP -e 'local $/; my $n = shift; exit !(@{decode_json(<>)} == $n)' "$(cat names groups | wc -l)" out
list -j metrics sw
expect "-j: and events" perl -MJSON::PP -e 'local $/; decode_json(<>)' out
list -j -o written.json sw
expect "-o: nothing on standard output" test ! -s out
expect "-o: the file has it" cmp written.json <("$PTUI" list -j sw)
list -o nowhere/written.json sw
expect "-o: a file that cannot be written" sh -c 'grep -q "nowhere/written.json.*No such file" err && test '"$rc"' -ne 0'
list metric sw
expect "metric sw: the events as well" grep -q 'task-clock  *\[Software event\]' out

# --- descriptions

list -v cs
cp out v.out
list --long-desc cs
same "-v is --long-desc" v.out out
expect "-v: a line below the name" grep -qE '^       \[.+\]$' out
list --desc sw
cp out desc.out
list sw
same "--desc is the default" out desc.out
list --no-desc -j cs
expect "--no-desc: JSON has none" sh -c '! grep -q BriefDescription out'
if LIBPFM_FORCE_PMU=snb "$PTUI" list vendor >vendor.out 2>/dev/null </dev/null; then
	export LIBPFM_FORCE_PMU=snb
	expect "vendor events: descriptions" grep -qE '^       \[.+\]$' vendor.out
	list --no-desc vendor
	expect "--no-desc: none" sh -c '! grep -qE "^       \[" out'
	expect "no deprecated event" sh -c '! grep -q "(deprecated" vendor.out'
	list --deprecated vendor
	expect "--deprecated: those as well" grep -q '(deprecated' out
	expect "--deprecated: more of them" test "$(grep -c 'Vendor event' out)" -gt "$(grep -c 'Vendor event' vendor.out)"
	deprecated=$(grep -B1 -m1 '(deprecated' out | sed -n '1s/^  \([^ ]*\) .*/\1/p')
	list "$deprecated"
	expect "a deprecated event that is named whole" grep -qF "$deprecated" out
	unset LIBPFM_FORCE_PMU
else
	skip "vendor events" "no libpfm4"
fi

# --- hybrid machines

list --unit nosuch
expect "--unit of no PMU" sh -c '[ ! -s out ] && grep -q "no events found" err'
list --cputype core pmu
expect "--cputype elsewhere: status 0" ended 0
expect "--cputype elsewhere: one line" grep -q "^ptui: list: --cputype: this machine has no core type 'core'" err
list pmu
cp out all.out
list --cputype core pmu
same "--cputype elsewhere: all of them" all.out out

units=/sys/bus/event_source/devices
unit() { # NAME TYPE FILE=TEXT...
	local dir=$tmp/hybrid/$1 file
	mkdir -p "$dir/format" "$dir/events"
	echo "$2" >"$dir/type"
	shift 2
	for file; do
		echo "${file#*=}" >"$dir/${file%%=*}"
	done
}
if [ "$(id -u)" -eq 0 ] && unshare -m true 2>/dev/null; then
	unit cpu_core 4 cpus=0 format/event=config:0-7 events/on_core=event=0x3c events/both=event=0x3d
	unit cpu_atom 10 cpus=1 format/event=config:0-7 events/on_atom=event=0x3c events/both=event=0x3d
	unit msr 14 format/event=config:0-63 events/tsc=event=0x00
	unit breakpoint 5
	unit software 1
	unit tracepoint 2
	hybrid() { unshare -m sh -c 'mount --bind "$1/hybrid" '$units' && shift && exec "$@"' sh "$tmp" "$@" 2>err </dev/null; }
	for type in core atom; do
		hybrid "$PTUI" list --cputype $type --raw-dump pmu | words >out
		hybrid perf list --cputype $type --raw-dump pmu | words | grep -E "/(on_.*|both|tsc)/$" >perf.out # not its own tables
		same "--cputype $type: perf's events" <(sort perf.out) <(sort out)
		expect "--cputype $type: its own" grep -qx "cpu_$type/on_$type/" out
		expect "--cputype $type: what is of no core" grep -qx msr/tsc/ out
		expect "--cputype $type: not the other's" test "$(grep -c '^cpu_' out)" -eq 2
	done
	hybrid "$PTUI" list --unit cpu_core --raw-dump | words | grep -v '^cpu_core/' >out
	expect "--unit: events of that PMU only" test ! -s out
	hybrid "$PTUI" list --unit '*cpu*' --raw-dump | words | sort >out
	expect "--unit: a pattern" diff - out <<<$'cpu_atom/both/\ncpu_atom/on_atom/\ncpu_core/both/\ncpu_core/on_core/'
	hybrid "$PTUI" list --raw-dump pmu | words >out
	expect "without --cputype: both" test "$(grep -c '^cpu_' out)" -eq 4
else
	skip "hybrid machines" "sysfs is made in a mount namespace, which only root may have"
fi
finish
