#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# A recording into one file after another (--switch-output): no record is missing or repeated, and
# each file can be read alone.

. "$top_srcdir/tests/lib/tap.sh"
need perf root tracefs
export LC_ALL=C.UTF-8 HOME=$tmp PERF_CONFIG=/dev/null
unset PTUI_PAGER PAGER PTUI_DEBUG XDG_CONFIG_HOME
cd "$tmp" || exit 1

files() { find . -name 'f.data*' | sort; }
# Of every file: perf reads it without a complaint, every sample in a program has its module.
whole() {
	local f
	for f in "$@"; do
		perf script -i "$f" -F comm,ip,dso >script 2>complaint || return
		! [ -s complaint ] || { echo "$f:"; cat complaint; return 1; }
		! grep '\[unknown\])' script || { echo "in $f"; return 1; }
		"$PTUI" report -i "$f" --stdio >/dev/null 2>complaint || return
	done
}
# The programs that were run, in all files together.
execs() { for f in $(files); do perf script -i "$f" -F event,trace 2>/dev/null; done | grep -c 'sched_process_exec:.*filename=/bin/true'; }
have() { [ "$(files | wc -l)" -ge "$1" ]; }

# ---- by size
by_size() {
	rm -f f.data*
	# few enough for the rings, however slow the recorder is; and drained often
	timeout 120 "$PTUI" record -o f.data --switch-output=30K --no-buffering -c 1 -e page-faults/period=10/ \
		-e sched:sched_process_exec "$@" \
		-- sh -c 'for i in $(seq 1 200); do /bin/true; done' 2>err
}
expect "a file each 30 KiB" by_size
expect "there are several" have 3
expect "each is whole" whole $(files)
expect "no program is missing, none is there twice" test "$(execs)" -eq 200
expect "all of them are reported" test "$(sed -nE 's/.*(Dump|MB) (f.data[^ ]*) .*/.\/\2/p' err)" = "$(files)"
expect "their headers have the times of their samples" sh -c 'for f in f.data.*; do [ "$(perf script -i $f 2>/dev/null | wc -l)" -eq 0 ] ||
	perf report --header-only -i $f 2>/dev/null | grep -q "time of first sample : [1-9]" || exit; done'
expect "compressed, and with a table of build-ids" by_size -z -N
expect "they are as whole" whole $(files)
expect "and none is missing" test "$(execs)" -eq 200
# Names and maps are at the start of each file; records of a moment, such as switches, are in one
# only.
moments() { for f in $(files); do perf script -i "$f" --ns --show-switch-events -F comm,tid,cpu,time,event 2>/dev/null; done | grep PERF_RECORD_SWITCH; }
expect "with reported switches" by_size --switch-events
expect "there are switches in several files" sh -c 'n=0; for f in f.data.*; do
	perf script -i $f --show-switch-events 2>/dev/null | grep -q PERF_RECORD_SWITCH && n=$((n + 1)); done; test $n -ge 2'
moments | sort | uniq -d >twice
expect "none is in two of them" diff -u /dev/null twice
expect "with existing tasks synthesized at the end of each" by_size --tail-synthesize
expect "each has the kernel's map" sh -c 'for f in f.data.*; do perf script --show-mmap-events -i $f 2>/dev/null | grep -q "kernel.kallsyms" || exit; done'

# ---- by signal, while it goes on: phases as in record-snapshot.sh, and a process that runs from the first
cat >phases <<'END'
phase() {
	for i in $(seq 1 30); do "$1" </dev/null >/dev/null; done
	: >"done-$2"
	read -r _ <"go-$2"
}
phase /bin/true 1
phase /bin/cat 2
phase /bin/env 3
END
record() {
	rm -f f.data* done-* go-*
	mkfifo go-1 go-2 go-3
	timeout 120 "$PTUI" record -o f.data "$@" -e page-faults -c 1 -- sh phases 2>err &
	pid=$!
	until_so test -e done-1
}
take() { kill -USR2 "$(pgrep -P "$pid" ptui)" && until_so have "$1"; }
next() { echo >"go-$1" && { [ "$1" = 3 ] || until_so test -e "done-$(($1 + 1))"; }; }
nth() { files | sed -n "$1p"; }
has() { perf script -i "$1" -F comm 2>/dev/null | grep -qx " *$2 *"; }
lacks() { ! has "$@"; }
three() { record --switch-output && take 2 && next 1 && take 3 && next 2 && take 4 && next 3 && wait "$pid"; }
expect "SIGUSR2 in each of three phases" three
expect "four files with a time in their names" test "$(ls f.data.* | grep -cE '^f\.data\.[0-9]{16}$')" -eq 4
expect "and no other" test "$(files | wc -l)" -eq 4
expect "each is whole on its own" whole $(files)
expect "the first has phase 1" has "$(nth 1)" true
expect "and not phase 2" lacks "$(nth 1)" cat
expect "the second has phase 2" has "$(nth 2)" cat
expect "and not phase 1" lacks "$(nth 2)" true
expect "the third has phase 3" has "$(nth 3)" env
expect "and not phase 2, either" lacks "$(nth 3)" cat
expect "one of the shell's, which runs from the first, has its name in the last" sh -c "perf script --show-task-events -i '$(nth 4)' 2>/dev/null | grep -q 'PERF_RECORD_COMM.*: sh:'"

# ---- by whoever writes to --control
by_control() {
	mkfifo ctl ack && exec 7<>ctl 8<>ack || return
	record --switch-output --control fifo:ctl,ack && echo snapshot >&7 && IFS= read -r -t 30 answer <&8 &&
		[ "$answer" = ack ] && until_so have 2 && next 1 && next 2 && next 3 && wait "$pid"
}
expect "the same by --control" by_control
expect "phase 1 is in the first file" has "$(nth 1)" true
expect "and phase 2 in the second" has "$(nth 2)" cat

# ---- by time
by_time() {
	rm -f f.data* stop
	timeout 120 "$PTUI" record -o f.data --switch-output=1s --switch-max-files 2 -e page-faults -c 1 \
		-- sh -c 'until [ -e stop ]; do /bin/sleep 0.1; done' 2>err &
	pid=$!
	until_so removed && : >stop && wait "$pid"
}
# the first was written and removed
removed() { have 2 && [ -n "${first:=$(ls f.data.* | head -n 1)}" ] && ! [ -e "$first" ]; }
expect "a file each second, of which two stay" by_time
expect "two are there" test "$(files | wc -l)" -eq 2
expect "they are whole" whole $(files)

# ---- rings that are overwritten, and a file that is there already
overwritten() {
	rm -f f.data*
	echo older >f.data
	timeout 120 "$PTUI" record -o f.data --overwrite -m 8K --switch-output=1s -e page-faults -c 1 \
		-- sh -c 'for i in 1 2 3 4 5 6; do /bin/true; /bin/sleep 0.3; done' 2>err
}
expect "a snapshot each second" overwritten
expect "and the last" test "$(ls f.data.2* | wc -l)" -ge 2
expect "all are whole" whole $(ls f.data.2*)
expect "what was there is kept beside" grep -qx older f.data.old
finish
