#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Names of code that a JIT compiler made: jitdump files with their times, perf maps of a container.

. "$top_srcdir/tests/lib/tap.sh"
need perf root
export LC_ALL=C.UTF-8 HOME=$tmp PERF_CONFIG=/dev/null
unset PTUI_PAGER PAGER PTUI_DEBUG XDG_CONFIG_HOME
cd "$tmp" || exit 1
jit=$top_builddir/tests/cli/jit

report() { "$PTUI" report --stdio -i "$1" -n -s sym -F sample,sym "${@:2}" >out 2>err </dev/null; }
# samples of a symbol
samples() { awk -v name="$1" '$NF == name { n += $1 } END { print n + 0 }' out; }
# about NAME SAMPLES: within a fifth, or twenty
about() {
	local got limit
	got=$(samples "$1")
	limit=$(($2 / 5 > 20 ? $2 / 5 : 20))
	[ "$got" -ge $(($2 - limit)) ] && [ "$got" -le $(($2 + limit)) ] && return
	echo "$1: $got samples, not about $2"
	cat out err
	return 1
}

in_company perf record -q --no-bpf-event -k mono -F 1000 -e cpu-clock:u -o timed.data "$jit" dump "$tmp" >perf.out 2>&1 || cat perf.out
report timed.data
expect "jitdump: the code that was at the address first" about first 100
expect "jitdump: the code that was there next" about second 200
expect "jitdump: code that was moved" about third 300
if perf inject -j -i timed.data -o injected.data 2>perf.err && [ -s injected.data ]; then
	perf report --stdio -i injected.data -F sample,sym -s sym 2>/dev/null |
		awk '/first|second|third/ { print $NF, $1 }' | sort >wanted
	awk '/first|second|third/ { print $NF, $1 }' out | sort >got
	same "jitdump: what perf inject -j finds" wanted got
else
	skip "jitdump: what perf inject -j finds" "this perf has no jitdump support"
fi

# lines LINE SAMPLES: about as many of the row "LINE"
lines() {
	"$PTUI" report --stdio -i "$1" -n -s srcline -F sample,srcline >out 2>err </dev/null
	about "$2" "$3"
}
expect "jitdump: the lines of code" lines timed.data first.js:11 100
expect "jitdump: the lines of code that was moved" lines timed.data third.js:31 300
expect "jitdump: code without lines has none, though that before it has" eval '! grep -q "first.js:12" out && grep -q "second+" out'
"$PTUI" report --stdio -i timed.data -n -s srcfile -F sample,srcfile >out 2>err </dev/null
expect "jitdump: the source files" about third.js 300

# the bytes are in the jitdump file
"$PTUI" script -i timed.data -F ip,sym,insn >out 2>err
expect "jitdump: instructions" grep -Eq ' (first|second|third).* insn: [0-9a-f]{2}' out

in_company perf record -q --no-bpf-event -F 1000 -e cpu-clock:u -o untimed.data "$jit" dump "$tmp" >perf.out 2>&1 || cat perf.out
report untimed.data
expect "jitdump, times of another clock: names by address" test "$(samples second)" -gt 200
expect "jitdump, times of another clock: code that was moved" about third 300
expect "jitdump, times of another clock: lines by address" lines untimed.data third.js:31 300
expect "jitdump, times of another clock: no lines of code that was replaced" eval '! grep -q first.js out'

for file in jit-*.dump; do mv "$file" "$file.old"; head -c 300 "$file.old" >"$file"; done
report timed.data
expect "another file at the place: no names" test "$(samples second)" -eq 0
rm -f jit-*.dump

# a perf map that comes late, as of jcmd PID Compiler.perfmap: names from then on
sh -c 'exec "$0" after /tmp/perf-$$.map' "$jit" &
pid=$!
rm -f out # see until_so
timeout -s INT 40 "$PTUI" top --stdio -d 0.5 -E 5 -e cpu-clock:u -p "$pid" >out 2>err </dev/null &
top=$!
until grep -sq '\[\.\] after' out || ! kill -0 $top 2>/dev/null; do sleep 0.1; done
kill -INT $top 2>/dev/null
wait $top
kill -KILL "$pid"
wait "$pid" 2>/dev/null
rm -f "/tmp/perf-$pid.map"
expect "live: addresses before there is a perf map" grep -q '\[\.\] 0x' out
expect "live: names when it has come" grep -q '\[\.\] after' out

# a container: other numbers of processes, and another /tmp
cat >inner.sh <<'IN'
exec 3<"$1"
mount -t tmpfs none /tmp && exec /proc/self/fd/3 map /tmp/perf-$$.map
IN
if unshare -m -p -f --mount-proc true 2>/dev/null; then
	# not while others record system-wide: perf finds the program of a container only while that runs
	hold_lock --shared
	unshare -m -p -f --mount-proc --kill-child sh inner.sh "$jit" &
	shell=$!
	pid=
	until [ -n "$pid" ] || ! kill -0 $shell 2>/dev/null; do
		pid=$(pgrep -f -P $shell "map /tmp/perf-1.map")
		sleep 0.1
	done
	rm -f out # see until_so
	timeout -s INT 40 "$PTUI" top --stdio -d 0.5 -E 5 -e cpu-clock:u -p "$pid" >out 2>err </dev/null &
	top=$!
	until grep -sq 'late' out || ! kill -0 $top 2>/dev/null; do sleep 0.1; done
	kill -INT $top 2>/dev/null
	wait $top
	expect "live: the perf map of a process in a container" grep -q '\[\.\] mapped' out
	expect "live: code that was added to it later" grep -q '\[\.\] late' out
	in_company perf record -q --no-bpf-event -F 1000 -e cpu-clock:u -o inner.data -p "$pid" sleep 0.2 >perf.out 2>&1 || cat perf.out
	"$PTUI" report --stdio -i inner.data >out 2>err
	expect "a recording, while it lives: its perf map" grep -q '\[\.\] late' out
	kill -KILL "$pid"
	wait $shell 2>/dev/null
	next_turn
	"$PTUI" report --stdio -i inner.data >out 2>err
	expect "a recording, after it ended: addresses" eval '! grep -q late out'
else
	skip "the perf map of a process in a container" "unshare(1) cannot make one"
fi
finish
