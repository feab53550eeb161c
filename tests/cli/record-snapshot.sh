#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Snapshots in overwrite mode while the recording continues: each is a complete file of its own,
# readable alone, with everything that was in the rings.

. "$top_srcdir/tests/lib/tap.sh"
need perf root
export LC_ALL=C.UTF-8 HOME=$tmp PERF_CONFIG=/dev/null
unset PTUI_PAGER PAGER PTUI_DEBUG XDG_CONFIG_HOME
cd "$tmp" || exit 1
cpu=$(taskset -cp $$ | sed 's/.*: //; s/[,-].*//')

# Phases of programs called "true", "cat" and "env", each many times what the ring holds. After each
# it waits for the test, without a page fault.
cat >phases <<'END'
phase() {
	for i in $(seq 1 100); do "$1" </dev/null >/dev/null; done
	: >"done-$2"
	read -r _ <"go-$2"
}
phase /bin/true 1
phase /bin/cat 2
phase /bin/env 3
END

snapshots() { find . -name 'f.data.[0-9]*' | sort; }
nth() { snapshots | sed -n "$1p"; }
has() { perf script -i "$1" -F comm 2>/dev/null | grep -qx " *$2 *"; }
have() { [ "$(snapshots | wc -l)" -ge "$1" ]; }

# record OPTION...: in the background, up to the end of the first phase
record() {
	rm -f f.data f.data.* done-* go-*
	mkfifo go-1 go-2 go-3
	timeout 120 "$PTUI" record -o f.data "$@" -e page-faults -c 1 -- taskset -c "$cpu" sh phases 2>err &
	pid=$!
	until_so test -e done-1
}
take() { kill -USR2 "$(pgrep -P "$pid" ptui)" && until_so have "$1"; }
next() { echo >"go-$1" && { [ "$1" = 3 ] || until_so test -e "done-$(($1 + 1))"; }; }
end() {
	next 1 && next 2 && next 3
	wait "$pid"
}
# For every file: perf reads it without errors, every sample of a program has its DSO, no sample is
# repeated, and ptui counts as many as perf.
whole() {
	local f n
	for f in "$@"; do
		perf script -i "$f" -F comm,tid,time,ip,dso >script 2>complaint || return
		[ -s script ] && ! [ -s complaint ] || { echo "$f:"; cat complaint; return 1; }
		! grep '\[unknown\])' script || return
		[ "$(perf script --ns -i "$f" -F tid,time,ip 2>/dev/null | sort | uniq -d | wc -l)" -eq 0 ] || return
		n=$("$PTUI" report -i "$f" --stdio -n --sort comm 2>/dev/null | awk '!/^#/ && NF { n += $2 } END { print n }')
		[ "$n" -eq "$(wc -l <script)" ] || { echo "$f: $n rows"; return 1; }
		perf report --header-only -i "$f" 2>/dev/null | grep -q '^# time of first sample' || return
	done
}

none() { record --overwrite -m 8K && end; }
expect "without a snapshot" none
expect "phase 1 has been overwritten" sh -c '! perf script -i f.data -F comm 2>/dev/null | grep -qx " *true *"'
expect "the last is there" has f.data env
expect "there is no other file" sh -c '! ls f.data.*'
expect "no snapshot is reported" sh -c '! grep -q "snapshot at" err'

three() { record --overwrite -m 8K && take 1 && next 1 && take 2 && next 2 && take 3 && next 3 && wait "$pid"; }
expect "SIGUSR2 in each of three phases" three
expect "three files" test "$(snapshots | wc -l)" -eq 3
expect "each is whole" whole $(snapshots) f.data
expect "the first has phase 1" has "$(nth 1)" true
expect "the second has phase 2" has "$(nth 2)" cat
expect "and nothing of phase 1" sh -c "! perf script -i '$(nth 2)' -F comm 2>/dev/null | grep -qx ' *true *'"
expect "the third has phase 3" has "$(nth 3)" env
expect "and nothing of phase 2" sh -c "! perf script -i '$(nth 3)' -F comm 2>/dev/null | grep -qx ' *cat *'"
expect "they are reported" test "$(grep -cE 'snapshot at [0-9.]+ s: [0-9]+ samples in [0-9.]+ s, [0-9]+ of them new; ring buffers paused' err)" -eq 3
expect "with their names" test "$(sed -n 's/^\[ ptui record: Dump \(.*\) \]$/.\/\1/p' err)" = "$(snapshots)"

dumped() { [ "$(grep -c 'ptui record: Dump f.data' err)" -eq "$1" ]; }
printed() {
	record --overwrite -m 8K && take 1 && until_so dumped 1 && next 1 && take 2 && until_so dumped 2 &&
		next 2 && next 3 && wait "$pid" && dumped 2
}
expect "each is printed when it is taken" printed

# nothing happens between two
twice() { record --overwrite -m 8K && take 1 && take 2 && end; }
expect "two of the same" twice
expect "are whole" whole $(snapshots)
expect "the overlap of the second with the first is reported" sh -c 'grep -c "s overlap the previous snapshot" err | grep -qx 1'
expect "and both hold all of the ring" sh -c "has() { perf script -i \"\$1\" -F comm 2>/dev/null | grep -qx ' *true *'; }; has '$(nth 1)' && has '$(nth 2)'"

by_control() {
	mkfifo ctl ack && exec 7<>ctl 8<>ack || return
	record --overwrite -m 8K --control fifo:ctl,ack && echo snapshot >&7 &&
		IFS= read -r -t 30 answer <&8 && [ "$answer" = ack ] && until_so have 1 && end
}
expect "the same by --control" by_control
expect "phase 1 was kept, too" has "$(nth 1)" true

packed() { record --overwrite -m 8K -z -N -s && take 1 && end; }
expect "compressed, with a table of build-ids" packed
expect "is as whole" whole $(snapshots) f.data
expect "and compressed" sh -c "perf report --header-only -i '$(nth 1)' 2>/dev/null | grep -q '^# compressed'"
expect "it names modules by their build-ids" sh -c "perf buildid-list -i '$(nth 1)' 2>/dev/null | grep -q libc"

# a tracepoint's format, and two events in a group
events() {
	record --overwrite -m 8K -e '{sched:sched_process_exec,sched:sched_process_exit}' && take 1 && end
}
if ! why=$("$top_builddir/tests/lib/need" tracefs); then
	skip "with tracepoints and a group" "$why" tracefs
else
	expect "with tracepoints and a group" events
	expect "perf reads the fields" sh -c "perf script -i '$(nth 1)' 2>/dev/null | grep -q 'sched_process_exec: .*filename='"
	expect "and has the group" sh -c "perf evlist -g -i '$(nth 1)' 2>/dev/null | grep -q '^{.*sched_process_exec,sched:sched_process_exit.*}'"
fi

# What only programs need that exited before the oldest sample is not in the file. All runs on one
# CPU from the start: in the ring of another one the first samples would stay the oldest.
many='for i in $(seq 600); do /bin/true; done; sleep 1.2; for i in $(seq 60); do /bin/cat /dev/null; done'
bounded() {
	rm -f f.data*
	timeout 120 taskset -c "$cpu" "$PTUI" record -o f.data "$@" -e page-faults -c 1 -- sh -c "$many" 2>err || return
	perf script -i f.data --show-task-events --show-mmap-events >all 2>complaint || return
	ls -l f.data
	! [ -s complaint ] && grep -q 'PERF_RECORD_COMM exec: cat' all && grep -q 'page-faults:' all &&
		! grep 'PERF_RECORD_COMM exec: true' all && [ "$(stat -c %s f.data)" -lt 400000 ] && whole f.data
}
expect "--overwrite: programs that have ended do not fill the file" bounded --overwrite -m 8K
expect "-M: neither" bounded -M 65K

# killed OPTION...: with the base records
killed() {
	record "$@" && next 1 && until_so test -e done-2 && kill -KILL "$(pgrep -P "$pid" ptui)"
	wait "$pid"
	next 2 && next 3 || return
	ls -l f.data && perf script -i f.data --show-task-events --show-mmap-events >all 2>complaint &&
		grep -q PERF_RECORD_COMM all && "$PTUI" report -i f.data --stdio >/dev/null 2>complaint
}
expect "--overwrite: what a kill leaves is readable" killed --overwrite -m 8K
expect "-M: as well" killed -M 65K

# ignored if nothing is kept
plain() { record && kill -USR2 "$(pgrep -P "$pid" ptui)" && end; }
expect "SIGUSR2 without such a ring does no harm" plain
expect "and all is there" sh -c 'for c in true cat env; do perf script -i f.data -F comm 2>/dev/null | grep -qx " *$c *" || exit; done'
expect "in one file" sh -c '! ls f.data.*'
finish
