#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# kill -9 at any time: perf and ptui read all that the header covered before, and perf reports no
# error.

. "$top_srcdir/tests/lib/tap.sh"
. "$top_srcdir/tests/fault/samples.sh"
need perf root tracefs
cd "$tmp" || exit 1
mkfifo never
RANDOM=4711
# PTUI_TEST_KILLS: how often each kind of recording is killed; ./check --long does it more often
kills=${PTUI_TEST_KILLS:-6}

# Has the file grown beyond that?
grown() { kill -0 "$recorder" 2>/dev/null && [ "$(size_of f.data)" -gt "$1" ]; }

# killed LABEL N OPTION... -- COMMAND...: N times
killed() {
	local label=$1 n=$2 i kept=0 said=0 base recorder command before perf ptui bad=
	shift 2
	for ((i = 0; i < n; i++)); do
		rm -f f.data f.data.old
		export ALIVE=alive.$i
		: >"$ALIVE"
		"$PTUI" record -q -o f.data "$@" >/dev/null 2>err </dev/null &
		recorder=$!
		# what it begins with, and something more
		if ! until_so grown 0 || ! base=$(size_of f.data) || ! until_so grown "$base"; then
			bad="run $i: it has recorded nothing: $(cat err)"
			kill -9 "$recorder"
			wait "$recorder" 2>/dev/null
			break
		fi
		read -rt "0.$((RANDOM % 4))$((RANDOM % 10))" <>never
		# a copy begins with the header: the rest is at least as long as that says
		cp f.data before.data
		kill -9 "$recorder"
		wait "$recorder" 2>/dev/null
		rm "$ALIVE"
		before=$(by_perf before.data 2>&1) && perf=$(by_perf f.data 2>&1) && ptui=$(by_ptui f.data 2>&1) || {
			bad="run $i: $before $perf $ptui"
			break
		}
		[ "$before" -gt 0 ] && kept=$((kept + 1))
		grep -q 'was cut off' ptui.err && said=$((said + 1))
		if [ "$perf" -lt "$before" ] || [ "$ptui" -lt "$perf" ] ||
			grep -v 'was cut off\|callchains\|dropped\|lost\|sideband' ptui.err; then
			bad="run $i: $before samples, then perf found $perf, ptui $ptui"
			break
		fi
	done
	expect "$label: $n times killed, nothing is lost${bad:+: $bad}" test -z "$bad"
	expect "$label: there were samples in all of them ($kept)" test "$kept" -eq "$n"
	expect "$label: ptui reports that it was cut off ($said)" test "$said" -eq "$n"
}

# Data too small to fill a buffer is soon in the file all the same.
"$PTUI" record -q -o slow.data -e sched:sched_process_exec -c 1 -- \
	sh -c 'for i in 1 2 3 4 5; do /bin/true; done; : >ran; read -r x <>never' >/dev/null 2>err </dev/null &
recorder=$!
all_there() { [ -e ran ] && cp slow.data before.data && [ "$(by_perf before.data 2>/dev/null || echo 0)" -ge 6 ]; }
expect "a few samples are in the file before it ends" until_so all_there
kill -9 "$recorder"
wait "$recorder" 2>/dev/null
echo >never & # the command's end
expect "... and when it was killed" test "$(by_perf slow.data)" -ge 6

# A truncated recording can be appended to.
before=$(by_ptui slow.data)
"$PTUI" record -q -A -o slow.data -e sched:sched_process_exec -c 1 -- /bin/true >/dev/null 2>err </dev/null
expect "... and it can be appended to" test "$(by_perf slow.data)" -gt "$before"

# They exit on request: a killed recorder cannot end them.
flood=(timeout 60 sh -c 'while [ -e "$ALIVE" ]; do dd if=/dev/zero of=/dev/null bs=1 count=50000 status=none; done')
killed "plain" "$kills" -e page-faults -c 1 -- timeout 60 sh -c 'while [ -e "$ALIVE" ]; do /bin/true; done'
killed "a tracepoint" "$kills" -e raw_syscalls:sys_enter -- "${flood[@]}"
killed "-z" "$kills" -z -e raw_syscalls:sys_enter -- "${flood[@]}"
finish
