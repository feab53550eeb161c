#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Snapshots of rings that are overwritten, while the recording goes on: what was in them is in the file
# from then on, though they turn over afterwards.

. "$top_srcdir/tests/lib/tap.sh"
need perf root
one_at_a_time
export LC_ALL=C.UTF-8 HOME=$tmp PERF_CONFIG=/dev/null
unset PTUI_PAGER PAGER PTUI_DEBUG XDG_CONFIG_HOME
cd "$tmp" || exit 1
cpu=$(taskset -cp $$ | sed 's/.*: //; s/[,-].*//')

# Phase A, then a wait until the test says so, then phase B: each many times what the ring holds.
cat >phases <<'END'
for i in $(seq 1 100); do /bin/true; done
: >a-done
until [ -e go-on ]; do /bin/sleep 0.05; done
for i in $(seq 1 100); do /bin/cat /dev/null; done
END

# until_so COMMAND...: at most 30 s
until_so() {
	for _ in $(seq 600); do
		"$@" >/dev/null 2>&1 && return
		sleep 0.05
	done
	echo "never came true: $*"
	return 1
}
has_phase() { perf script -i f.data -F comm 2>/dev/null | grep -qx " *$1 *"; }

# record OPTION...: in the background, up to the end of phase A
record() {
	rm -f f.data f.data.old a-done go-on
	timeout 120 "$PTUI" record -o f.data --overwrite -m 8K -e page-faults -c 1 "$@" \
		-- taskset -c "$cpu" sh phases 2>err &
	pid=$!
	until_so test -e a-done
}
end() {
	: >go-on
	wait "$pid"
}
by_signal() {
	local recorder
	record || return
	recorder=$(pgrep -P "$pid" ptui) && kill -USR2 "$recorder" && until_so has_phase true && end
}
none() { record && end; }
by_control() {
	mkfifo ctl ack && exec 7<>ctl 8<>ack || return
	record --control fifo:ctl,ack && echo snapshot >&7 && IFS= read -r -t 30 answer <&8 &&
		[ "$answer" = ack ] && until_so has_phase true && end
}

expect "without a snapshot" none
expect "phase B has overwritten phase A" sh -c '! perf script -i f.data -F comm 2>/dev/null | grep -qx " *true *"'
expect "and is there" has_phase cat
expect "no snapshot is told of" sh -c '! grep -q "snapshot at" err'

expect "SIGUSR2 while phase A is in the ring" by_signal
expect "phase A was kept" has_phase true
expect "phase B as well" has_phase cat
expect "it is told of" grep -qE 'snapshot at [0-9.]+ s: [0-9]+ samples of [0-9.]+ s, [0-9]+ of them new; the rings stood still' err
expect "perf finds every module" sh -c '! perf script -i f.data -F comm,ip,dso 2>/dev/null | grep "\[unknown\])"'
samples=$(perf script -i f.data -F comm 2>/dev/null | wc -l)
expect "no sample stands in it twice" sh -c 'test "$(perf script -i f.data -F tid,time,ip 2>/dev/null | sort | uniq -d | wc -l)" -eq 0'
expect "ptui counts what perf counts" sh -c "'$PTUI' report -i f.data --stdio -n --sort comm 2>/dev/null |
	awk '!/^#/ && NF { n += \$2 } END { exit n != $samples }'"

expect "the same by --control" by_control
expect "phase A was kept, too" has_phase true

# harmless where nothing is kept
plain() {
	rm -f f.data a-done go-on
	timeout 120 "$PTUI" record -o f.data -e page-faults -c 1 -- sh phases 2>err &
	pid=$!
	until_so test -e a-done && kill -USR2 "$(pgrep -P "$pid" ptui)" && end
}
expect "SIGUSR2 without such a ring does no harm" plain
expect "and all is there" has_phase true
finish
