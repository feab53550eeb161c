#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Stacks that are unwound while recording (--call-graph dwarf,live), as perf reads them: main has the
# share of the samples that the program measures itself, with qsort and printf between it and the samples,
# which have no frame pointers.

. "$top_srcdir/tests/lib/tap.sh"
need perf root
export LC_ALL=C.UTF-8 HOME=$tmp PERF_CONFIG=/dev/null
unset PTUI_PAGER PAGER PTUI_DEBUG XDG_CONFIG_HOME
cd "$tmp" || exit 1

work=$top_builddir/tests/cli/stacks
live=(--call-graph dwarf,live -e cpu-clock -F 1999 -N)

# main in percent of the samples of the program, as perf shows it
share_of_main() {
	perf report -i "$1" --children --stdio -g none --comm stacks --percentage relative 2>report.err |
		sed -nE 's/^ *([0-9.]+)% +[0-9.]+% .*\[\.\] main *$/\1/p'
}

# agrees FILE: perf reads it without complaint, and main is within 1 % of what the program said
agrees() {
	local perf
	perf script -i "$1" >script.out 2>script.err || { cat script.err; return 1; }
	[ -s script.err ] && cat script.err && return 1
	perf=$(share_of_main "$1")
	# where a sample falls is chance: four standard deviations are allowed
	awk -v a="$perf" -v b="$(cat said)" -v n="$(grep -c ^stacks script.out)" 'BEGIN {
		limit = 1 + 4 * sqrt(b * (100 - b) / (n > 0 ? n : 1))
		exit !(a != "" && n > 40 && a - b < limit && b - a < limit) }' ||
		{ echo "perf: $perf, the program: $(cat said)"; cat record.out report.err; return 1; }
}
recorded() {
	local file=$1
	shift
	in_company timeout 50 "$PTUI" record -o "$file" "${live[@]}" "$@" -- "$work" share >said 2>record.out
}
no_dumps() { ! perf evlist -v -i "$1" | grep -Eq 'STACK_USER|REGS_USER|exclude_callchain_user|ADDR'; }

expect "a command is recorded" recorded command
expect "main has the share that it measures itself" agrees command
expect "the events have no stacks" no_dumps command
expect "samples are short" eval '[ $(stat -c %s command) -lt $((1000 + 400 * $(grep -c "^stacks" script.out))) ]'
expect "no sample is missing" eval '! grep -q "not unwound" record.out'
expect "ptui reads it: stacks reach their start" eval \
	'"$PTUI" report --stdio -i command | grep -Eq "^# User stacks: (9[89]|100)\.[0-9]% reach"'
# rings that hold all of it: the machine may be busy
expect "system-wide" recorded wide -a -m 16M
expect "main has the share that it measures itself, system-wide" agrees wide
expect "with -M" recorded memory -M 4M
expect "main, out of memory" agrees memory
expect "compressed" recorded small -z
expect "main, compressed" agrees small
expect "without times" recorded timeless --no-timestamp
expect "main, without times" agrees timeless
expect "with maps at the end" recorded tail --tail-synthesize
expect "main, with maps at the end" agrees tail
timeout 50 "$PTUI" record -o last --overwrite "${live[@]}" -- "$work" call >record.out 2>&1
expect "a ring buffer in overwrite mode" eval 'perf script -i last >script.out && grep -q " main+" script.out &&
	no_dumps last'

timeout 50 "$PTUI" record -o - "${live[@]}" -- "$work" share 2>record.out >piped
expect "a pipe" eval 'perf script -i piped >script.out 2>script.err && [ ! -s script.err ] &&
	grep -q " main+" script.out'

"$work" share >said &
pid=$!
timeout 50 "$PTUI" record -o process "${live[@]}" -p $pid >record.out 2>&1
wait $pid
expect "a process that runs already" agrees process

timeout 50 "$PTUI" record -o deep --call-graph dwarf,512,live -e cpu-clock:u -F 1999 -N -- "$work" deep >/dev/null 2>&1
expect "stacks that are deeper than their copy are counted" eval \
	'"$PTUI" report --stdio -i deep | grep -Eq "^# User stacks: .*[0-9]% are deeper than their copy"'
expect "perf reads them as well" eval 'perf script -i deep >script.out 2>script.err && [ ! -s script.err ] &&
	grep -q " deep+" script.out'

timeout 50 "$PTUI" record -o more "${live[@]}" -- "$work" call >/dev/null 2>&1
cp more more.once
timeout 50 "$PTUI" record -o more -A "${live[@]}" -- "$work" call >record.out 2>&1
expect "more is appended" eval '[ $(perf script -i more | grep -c ^stacks) -gt $(perf script -i more.once | grep -c ^stacks) ]'

# reaches FILE [OPTION...]: nearly all stacks do, and no caller is missing
reaches() {
	local said
	said=$("$PTUI" report --stdio -i "$@" 2>report.err | grep '^# User stacks')
	grep -Eq "^# User stacks: (9[89]|100)\.[0-9]% reach" <<<"$said" && ! grep -q 'lack the caller' <<<"$said" && return
	echo "$said"
	cat record.out report.err
	return 1
}

# above CALLER FUNCTION: in `out` the caller has all that the function has
above() {
	awk -v caller="$1" -v name="$2" '$NF == caller { c = $1 + 0 } $NF == name { f = $1 + 0 }
		END { exit !(f > 20 && c >= f) }' out && return
	head -n 30 out
	return 1
}

# near SHARE SAMPLES: within 1 % and what chance allows of what the program said; its turns of 20 ms make any
# part of the run alike
near() {
	awk -v a="$1" -v b="$(cat said)" -v n="$2" 'BEGIN {
		limit = 1 + 2 * sqrt(b * (100 - b) / (n > 0 ? n : 1))
		printf "%s of %s samples, the program: %s, allowed: %.2f\n", a, n, b, limit
		exit !(a != "" && n > 40 && a - b < limit && b - a < limit) }'
}

# --- in Live, and in a snapshot while the recording goes on

"$work" turns 1.5 >said &
pid=$!
timeout -s INT 50 "$PTUI" top --stdio -d 0.5 -e cpu-clock -F 1999 --call-graph dwarf --children -p $pid \
	>top.out 2>record.out </dev/null
wait $pid
shown=$(sed -nE 's/^ *([0-9.]+)% +[0-9.]+% .*\[\.\] main *$/\1/p' top.out | tail -n 1)
expect "Live: main has the share that it measures itself" near "$shown" 1000

timeout 50 "$PTUI" record -o turning -M 16M --switch-output "${live[@]}" -- "$work" turns 3 >said 2>record.out &
recording=$!
worker=
while kill -0 $recording 2>/dev/null && [ -z "$worker" ]; do worker=$(pgrep -f "^$work turns"); sleep 0.05; done
# half of it has run
until [ "$(awk '{ print $14 + $15 >= 150 }' "/proc/$worker/stat" 2>/dev/null || echo 1)" = 1 ]; do sleep 0.05; done
kill -USR2 "$(pgrep -P $recording ptui)"
wait $recording
snapshot=$(find . -name 'turning.[0-9]*' | sort | head -n 1)
expect "a snapshot is written while it records" [ -s "${snapshot:-none}" ]
n=$(perf script -i "$snapshot" -F comm 2>/dev/null | grep -c stacks)
expect "a snapshot: main has the share that it measures itself" near "$(share_of_main "$snapshot")" "$n"

# --- files that only the process has

mkdir root
cp "$work" root/stacks
for file in $(ldd "$work" | grep -o '/[^ ]*'); do
	mkdir -p "root${file%/*}"
	cp "$file" "root$file"
done
if chroot root /stacks call 2>/dev/null; then
	timeout 50 "$PTUI" record -o inside "${live[@]}" -- chroot root /stacks share >said 2>record.out
	expect "in a chroot: stacks reach their start" reaches inside --symfs root
else
	skip "in a chroot: stacks reach their start" "the program does not run there"
fi

cp "$work" gone
./gone share >said &
pid=$!
until [ "$(readlink /proc/$pid/exe)" = "$tmp/gone" ]; do sleep 0.05; done
rm gone
cp "$top_builddir/tests/cli/jit" gone
timeout 50 "$PTUI" record -o deleted "${live[@]}" -p $pid >record.out 2>&1
wait $pid
expect "a program that was replaced by another: stacks reach their start" reaches deleted

# --- other compilers

if rustc -o rust - 2>rust.err <<'IN'
fn main() {
    let mut s = 0u64;
    for r in 0..60u64 {
        let mut v: Vec<u64> = (0..20000u64).map(|i| (i * 2654435761 + r) ^ (i << 7)).collect();
        v.sort_unstable_by(|a, b| b.cmp(a));
        s += v.iter().take(2000).map(|x| format!("{:x}", x).len() as u64).sum::<u64>();
    }
    println!("{}", s);
}
IN
then
	timeout 50 "$PTUI" record -o rust.data "${live[@]}" -- ./rust >record.out 2>&1
	expect "Rust: stacks reach their start" reaches rust.data
else
	skip "Rust: stacks reach their start" "rustc does not run here: $(head -n 1 rust.err)"
fi

# Where the runtime switches stacks there is no caller to find: those are counted.
cat >a.go <<'IN'
package main

import (
	"fmt"
	"sort"
)

//go:noinline
func work(r int) int {
	v := make([]int, 20000)
	for i := range v {
		v[i] = (i*2654435761 + r) ^ (i << 7)
	}
	sort.Slice(v, func(i, j int) bool { return v[i] > v[j] })
	return len(fmt.Sprint(v[:2000]))
}

func main() {
	s := 0
	for r := 0; r < 60; r++ {
		s += work(r)
	}
	fmt.Println(s)
}
IN
if command -v go >/dev/null && GOCACHE=$tmp/gocache GOFLAGS=-mod=mod go build -o go a.go 2>go.err; then
	timeout 50 "$PTUI" record -o go.data "${live[@]}" -- ./go >record.out 2>&1
	"$PTUI" report --stdio -i go.data --children -g none -s sym >out 2>report.err
	expect "Go: main.main is above its work" above main.main main.work
	expect "Go: what reaches no start is counted" eval '"$PTUI" report --stdio -i go.data | grep -Eq "^# User stacks: .*(100\.0% reach|the others end in )"'
else
	skip "Go" "there is no go(1), or it does not compile"
fi

if cc -m32 -O2 -w -pthread -o work32 "$top_srcdir/tests/diff/unwind_work.c" 2>cc.err; then
	timeout 50 "$PTUI" record -o 32.data "${live[@]}" -- ./work32 threads >record.out 2>&1
	expect "a 32-bit program: stacks reach their start" reaches 32.data
else
	skip "a 32-bit program" "the compiler makes none: $(head -n 1 cc.err)"
fi
finish
