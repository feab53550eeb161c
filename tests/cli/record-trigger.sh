#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Automatic snapshots: by a condition, and by a trigger event. For a program with a quiet and a busy
# phase they contain the busy one, however small the rings are.

. "$top_srcdir/tests/lib/tap.sh"
need perf root
export LC_ALL=C.UTF-8 HOME=$tmp PERF_CONFIG=/dev/null
unset PTUI_PAGER PAGER PTUI_DEBUG XDG_CONFIG_HOME
cd "$tmp" || exit 1
cpu=$(taskset -cp $$ | sed 's/.*: //; s/[,-].*//')

snapshots() { find . -name 'f.data.[0-9]*' | sort; }
nth() { snapshots | sed -n "$1p"; }
comms() { perf script -i "$1" -F comm 2>/dev/null | sed 's/ *$//; s/^ *//' | sort | uniq -c | sort -rn; }
count() { snapshots | grep -c .; }
told() { grep -c 'ptui record: snapshot at' err; }

# enough N: true if there are N snapshots; unfinished files have a shorter name. Without a process
# of its own, whose page faults would be recorded.
cat >enough <<'END'
enough() {
	local wanted=$1
	set -- f.data.[0-9][0-9][0-9][0-9][0-9][0-9][0-9][0-9][0-9][0-9][0-9][0-9][0-9][0-9][0-9][0-9]
	[ -e "$1" ] && [ $# -ge "$wanted" ]
}
END
# A command waits for N itself, a minute at most.
cat >await <<'END'
. ./enough
n=0
until enough "$1" || [ $n -ge 1200 ]; do
	/bin/sleep 0.05
	n=$((n + 1))
done
END
# A program with so many page faults (one per page of a buffer that is too small for huge pages) that it crosses
# every threshold here on a machine that is twenty times slower, too.
cp /bin/dd cat
faults='./cat if=/dev/zero of=/dev/null bs=1900K count=1'
# Repeats the command "$1" until there are N.
cat >until <<'END'
. ./enough
n=0
until enough "$2" || [ $n -ge 3000 ]; do
	for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do $1 2>/dev/null; done
	n=$((n + 1))
done
END

# record OPTION... -- a shell's text
record() {
	local text=${!#}
	rm -f f.data f.data.*
	timeout 120 taskset -c "$cpu" "$PTUI" record -o f.data -e page-faults -c 1 "${@:1:$#-1}" -- sh -c "$text" \
		>out 2>err </dev/null && return
	cat err
	return 1
}

# ---- a condition ----

# The quiet phase has so few page faults that even all of them within 100 ms are below the
# threshold.
quiet='for i in 1 2; do /bin/true; done; /bin/sleep 0.3'
busy="sh until '$faults' 1"
expect "a threshold that the busy phase crosses" record --overwrite -m 8K --snapshot-when 'page-faults/s > 8k' "$quiet; $busy"
# on a slow machine the phase outlasts the second after which the condition may fire again
expect "there is a snapshot" test "$(count)" -ge 1
expect "each is reported" test "$(told)" -eq "$(count)"
comms "$(nth 1)" >comms
expect "it has the busy phase" grep -q ' cat$' comms
expect "and nothing of the quiet one" sh -c '! grep -E " (true|sleep)$" comms'
expect "perf finds every module" sh -c "! perf script -i '$(nth 1)' -F comm,ip,dso 2>&1 | grep '\[unknown\])'"
expect "ptui counts what perf counts" sh -c "
	'$PTUI' report -i '$(nth 1)' --stdio -n --sort comm 2>/dev/null | awk '!/^#/ && NF { n += \$2 } END { print n }' >ours
	perf script -i '$(nth 1)' -F comm 2>/dev/null | wc -l | cmp - ours"

expect "without it: a plain recording" record "$quiet; for i in 1 2 3; do $faults 2>/dev/null; done"
comms f.data >comms
expect "has both phases" sh -c 'grep -q " true$" comms && grep -q " cat$" comms'

# busy for a short time and quiet for longer, until the threshold was crossed twice
twice=". ./enough; until enough 2; do
	for i in \$(seq 1 80); do $faults 2>/dev/null; done; /bin/sleep 1; done"
expect "a threshold that is crossed twice" record --overwrite -m 8K --snapshot-when 'page-faults/s > 8k' "$twice"
expect "there are two snapshots" test "$(count)" -ge 2
expect "each has a busy phase" sh -c 'for f in f.data.[0-9]*; do perf script -i $f -F comm 2>/dev/null | grep -qx " *cat *" || exit 1; done'

# One long busy phase, then short ones: a snapshot in each would have the long one again and again.
busy_for() { echo "for i in \$(seq $1); do $faults 2>/dev/null; done; /bin/sleep 1.2;"; }
# half_is_new: checks every reported snapshot
half_is_new() {
	grep 'snapshot at' err
	sed -n 's/.*snapshot at .*: \([0-9]*\) samples in .*, \([0-9]*\) of them new.*/\1 \2/p' err |
		awk '2.2 * $2 < $1 { bad = 1 } END { exit bad || !NR }'
}
for kept in "-M 64M --switch-output" "--overwrite -m 16M"; do
	expect "$kept: short busy phases after a long one" record $kept --snapshot-when 'page-faults/s > 1k' \
		"/bin/sleep 0.5; $(busy_for 200) $(busy_for 25) $(busy_for 25) $(busy_for 25)"
	expect "of what a snapshot has, half is new" half_is_new
done

again_and_again="for n in 1 2 3 4; do for i in \$(seq 80); do $faults 2>/dev/null; done; /bin/sleep 1.2; done"
expect "once" record --overwrite -m 8K --snapshot-when 'page-faults/s > 1k, once' "/bin/sleep 0.5; $again_and_again"
expect "there is one snapshot" test "$(count)" -eq 1
expect "keep 2" record --overwrite -m 8K --snapshot-when 'page-faults/s > 1k, keep 2' "/bin/sleep 0.5; $again_and_again"
expect "of three or more, two are there" test "$(count)" -eq 2 -a "$(told)" -ge 3
expect "it is printed how many were removed" grep -q "$(($(told) - 2)) older files\? w[a-z]* removed" err
expect "perf reads both" sh -c 'for f in f.data.[0-9]*; do perf script -i $f -F comm | grep -q . || exit 1; done'

expect "one event for each of another" record --overwrite -e context-switches --snapshot-when 'page-faults/context-switches > 1%' \
	"sh until '$faults' 1"
expect "there is a snapshot" test "$(count)" -ge 1

expect "--switch-output: the output changes" record --switch-output --snapshot-when 'page-faults > 2k' "sh until '$faults' 1; /bin/true"
expect "there are two files" test "$(count)" -eq 2
expect "perf reads both" sh -c 'for f in f.data.[0-9]*; do perf script -i $f -F comm | grep -q . || exit 1; done'

# with all registers in them, some 250 samples have room: fewer than cross the threshold
expect "-M: the last samples, in memory" record -M 70K -I --switch-output --snapshot-when 'page-faults/s > 8k' "$quiet; $busy"
comms "$(nth 1)" >comms
expect "the first file has the busy phase alone" sh -c 'grep -q " cat$" comms && ! grep -E " (true|sleep)$" comms'

# ---- an event ----

if ! why=$("$top_builddir/tests/lib/need" tracefs); then
	skip "the program that is watched for is begun twice" "$why" tracefs
	finish
	exit
fi
cp /bin/cat culprit
watched='/bin/true; ./culprit /dev/null; sh await 1; /bin/true; ./culprit /dev/null; sh await 2; /bin/true'
expect "the program that is watched for is begun twice" record --overwrite -m 64K --switch-output-event sched:sched_process_exec \
	--switch-output-filter 'filename == "./culprit"' "$watched"
expect "there is a snapshot each" test "$(told)" -eq 2
expect "the first has what was before it" sh -c "perf script -i '$(nth 1)' -F comm 2>/dev/null | grep -qx ' *true *'"
expect "the event is in none of them" sh -c '! for f in f.data.[0-9]*; do perf evlist -i $f; done | grep sched'

expect "a plain recording: another file each time" record --switch-output-event sched:sched_process_exec \
	--switch-output-filter 'filename == "./culprit"' "$watched"
expect "as many as it happened, and the last" test "$(count)" -eq 3
expect "perf reads all of them" sh -c 'for f in f.data.[0-9]*; do perf script -i $f -F comm | grep -q . || exit 1; done'

# of a running process: its hits, and not those of others
cat >other <<'END'
until [ -e go ]; do /bin/sleep 0.05; done
/bin/true
END
of_a_process() {
	local target
	rm -f f.data f.data.* go
	(exec sh other) &
	target=$!
	timeout 120 "$PTUI" record -o f.data --overwrite -m 8K -e page-faults -c 1 -p $target \
		--switch-output-event sched:sched_process_fork -D -1 -- sh -c ': >go; sh await 1' >out 2>err </dev/null
	wait $target
	[ "$(count)" -ge 1 ] || { cat err; return 1; }
}
expect "a fork of the process that is recorded" of_a_process
finish
