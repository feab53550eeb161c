#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# ptui record as a command: its output, its exit status, and that it leaves no processes or files;
# compared with perf.

. "$top_srcdir/tests/lib/tap.sh"
need perf
one_at_a_time
unset PTUI_PAGER PAGER PTUI_DEBUG
cd "$tmp" || exit 1

# run WORDS...: ptui record, its status as a shell sees it in $rc
run() {
	rc=0
	{ "$PTUI" record "$@" >out 2>err </dev/null; } 2>/dev/null || rc=$?
}
# -B: it may abort because of build-ids during concurrent system-wide recordings. If stdout is not a
# terminal, perf writes the recording there
run_perf() {
	perf_rc=0
	{ perf record -B -o perf.perf "$@" >perf.out 2>perf.err </dev/null; } 2>/dev/null || perf_rc=$?
}

ended() {
	[ "$rc" -eq "$1" ] && return
	echo "status $rc, not $1"
	cat err
	return 1
}
silent() { ! [ -s "$1" ] || { cat "$1"; return 1; }; }
one_line() { # PATTERN: one line on stderr, besides advice
	grep -vE '^    ' err >told
	grep -qE -- "^ptui: record: $1\$" told && [ "$(wc -l <told)" -eq 1 ] && return
	cat err
	return 1
}
# perf reads it, without a complaint. An empty recording is one too.
readable() {
	perf script -i "$1" >script.out 2>script.err </dev/null || { cat script.err; return 1; }
	silent script.err
}
gone() { until_so eval "! kill -0 $1"; } # waits for the end of a process
mkfifo never up

# --- closing lines

run true
expect "true: status 0" ended 0
expect "nothing on stdout" silent out
grep -vE 'cpu-clock' err >got
sed -E 's/[0-9]+ times/N times/; s/[0-9]+\.[0-9]{3} MB/X.XXX MB/; s/[0-9]+ samples/N samples/' got >told
cat >want <<'END'
[ ptui record: Woken up N times to write data ]
[ ptui record: Captured and wrote X.XXX MB perf.data (N samples) ]
END
same "perf's closing lines" want told
expect "perf reads it" readable perf.data
run -e page-faults -c 1 -o other.data true
expect "-o names the file" readable other.data
expect "-o is in the closing line" grep -q ' MB other.data (' err
samples=$(sed -nE 's/.*\(([0-9]+) samples\).*/\1/p' err)
expect "the samples of the closing line are those that perf finds ($samples)" \
	test "$(perf script -i other.data 2>/dev/null | grep -c .)" = "$samples"
run -q true
expect "-q: not a word" silent err
run -- sh -c 'echo to stdout; echo to stderr >&2'
expect "the command's stdout is its own" grep -qx 'to stdout' out
expect "the command's stderr is its own" grep -qx 'to stderr' err

printf '#!/bin/sh\nexit 0\n' >here
run -o p.data here
expect "a command that is not in PATH" grep -q 'not found in PATH; use ./here' err
run -o p.data ./here
expect "one that is not executable" grep -q 'not executable: chmod +x' err
chmod +x here
run -q -o p.data ./here
expect "that helps" ended 0

# --- the command's end

for command in true false 'exit 3' 'exit 255' 'kill -9 $$' 'kill -TERM $$' 'kill -INT $$' \
	'kill -HUP $$' 'kill -SEGV $$' 'kill -PIPE $$' 'sleep 0.01 & exit 7'; do
	run -q -o p.data sh -c "$command"
	run_perf -q sh -c "$command"
	expect "$command: ends as under perf ($perf_rc)" ended "$perf_rc"
	expect "$command: the file is whole" readable p.data
done
if [ "$(id -u)" -eq 0 ]; then
	run -q -F 99 -a sh -c 'exit 4'
	expect "-a with a command: its status" ended 4
else
	skip "-a with a command: its status" "not root" root
fi

# --- targets

sleep 60 &
target=$!
run -q -p "$target" sh -c 'exit 5'
expect "-p with a command: its status" ended 5
expect "-p with a command: the process lives on" kill -0 "$target"
run -a -p "$target" true
expect "-a with -p is reported" grep -q '^ptui: record: -p and -t override -a' err
expect "-a with -p: status 0" ended 0
# without a command: while the process runs
"$PTUI" record -q -o target.data -p "$target" >out 2>err &
recorder=$!
until_so test -s target.data
kill "$target"
rc=0
wait "$recorder" || rc=$?
wait "$target" 2>/dev/null
expect "-p alone ends with the process, status 0" ended 0
expect "-p alone: the file is whole" readable target.data

# the first process of a server: its children work
if [ -e /proc/$$/task/$$/children ]; then
	sh -c 'sh -c "while :; do :; done" & sh -c "while :; do :; done" & wait' &
	target=$!
	both_run() { read -r one two _ <"/proc/$target/task/$target/children" && [ -n "$two" ]; }
	until_so both_run
	run -p "$target" sleep 0.1
	expect "-p of an idle process names its children" \
		grep -q "no samples of process $target; its children must be selected as well: -p $one,$two\$" err
	"$PTUI" stat -e task-clock:u -p "$target" -- sleep 0.1 >out 2>err
	expect "stat of an idle process names its children" \
		grep -q "nothing was counted of process $target; its children must be selected as well: -p $one,$two\$" err
	"$PTUI" stat -e task-clock:u -p "$one,$two" -- sleep 0.1 >out 2>err
	expect "... which are counted so" sh -c '! grep -q "nothing was counted" err'
	run -p "$one,$two" sleep 0.1
	expect "... which are recorded so" eval 'grep -q "samples)" err && ! grep -q "no samples" err'
	kill "$one" "$two" "$target"
else
	skip "children of an idle process" "the kernel does not list them"
fi

# From here on, perf reads no build-ids, or only ptui records.
next_turn

# --- signals

for how in INT:sleep TERM:sleep HUP:sleep USR1:sleep INT:trap; do
	signal=${how%:*}
	first=: end="exec sleep 60"
	# not one long read: a signal just before it would wait for its end
	[ "${how#*:}" = trap ] && first="trap 'exit 6' TERM" end="while :; do sleep 0.05; done"
	for tool in "$PTUI" perf; do
		# background jobs of a script have SIGINT ignored; both tools handle it anyway
		"$tool" record -B -o s.data sh -c "$first; echo \$\$ >up; $end" >out 2>err </dev/null &
		recorder=$!
		# also open for writing, so that a failing recorder does not block this script
		read -rt 30 command <>up || echo "the command was never started" >>err
		kill -s "$signal" "$recorder"
		# perf waits for the command then
		[ "$tool$signal" != perfUSR1 ] || kill -KILL "$command"
		rc=0
		wait "$recorder" 2>/dev/null || rc=$?
		# perf leaves it running after some
		[ "$tool" = perf ] && { kill -KILL "$command" 2>/dev/null; continue; }
		gone "$command" || echo "the command lives" >>err
		our_rc=$rc
		mv s.data ours.data
		mv err our.err
	done
	cp our.err err
	perf_rc=$rc rc=$our_rc
	# perf does not catch SIGHUP, and leaves the command alone at SIGUSR1; ptui treats them like SIGTERM
	case $signal in HUP | USR1) perf_rc=143 ;; esac
	expect "SIG$signal, $how: ends as perf does ($perf_rc)" ended "$perf_rc"
	expect "SIG$signal, $how: the file is whole" readable ours.data
	expect "SIG$signal, $how: the closing line" grep -q '^\[ ptui record: Captured' our.err
	expect "SIG$signal, $how: the command is gone" test "$(grep -c 'command lives' our.err)" -eq 0
done

# A command that ignores SIGTERM: a second ^C ends it; SIGUSR2 does nothing.
"$PTUI" record -B -o s.data sh -c "trap '' TERM; echo \$\$ >up; while :; do read -r x <>never; done" \
	>out 2>err </dev/null &
recorder=$!
read -rt 30 command <>up
kill -s USR2 "$recorder"
kill -s USR2 "$recorder"
kill -s INT "$recorder"
while kill -s INT "$recorder" 2>/dev/null; do pause; done
rc=0
wait "$recorder" 2>/dev/null || rc=$?
expect "^C again and again: the command that will not is killed" gone "$command"
expect "its end is ours" ended 137
expect "the file is whole" readable s.data

# --- what cannot be

rm -f perf.data
# bad NAME STATUS PATTERN WORDS...
bad() {
	local name=$1 want=$2 pattern=$3
	shift 3
	run "$@"
	expect "$name: status $want" ended "$want"
	expect "$name: one clear line" one_line "$pattern"
	expect "$name: nothing on stdout" silent out
	expect "$name: no file" test ! -e perf.data
}

run_perf no-such-command
bad "a command that does not exist" "$perf_rc" ".*no-such-command.*No such file or directory.*" \
	no-such-command
bad "a path that does not exist" 255 ".*/no/such.*No such file or directory.*" /no/such
bad "a command that may not be run" 255 ".*/etc/passwd.*Permission denied.*" /etc/passwd
sh -c 'echo $$' >pid
bad "a process that is gone" 255 ".*$(cat pid).*" -p "$(cat pid)"
bad "a process that is gone, with a command" 255 ".*$(cat pid).*" -p "$(cat pid)" true
bad "an event with a typo" 129 ".*'cyclse'.*" -e cyclse true
expect "an event with a typo: the nearest" grep -qE "^    .*cycles" err
bad "the second event with a typo" 129 ".*'cyclse'.*" -e cpu-clock,cyclse true
expect "the second event with a typo: where" grep -qE '^ +\^' err
bad "a tracepoint with a typo" 129 ".*sched_swich.*" -e sched:sched_swich true
bad "no event" 129 ".*" -e '' true
bad "no number" 129 "-F: expected a number or max, not 'often'" -F often true
bad "a frequency of 0" 129 "-F: must be at least 1 .*" -F 0 true
bad "-F and -c" 129 "-F and -c cannot be used together.*" -F 9 -c 9 true
bad "no process id" 129 "-p: invalid process ID 'init'" -p init true
bad "an empty process id" 129 "-p: invalid process ID ''" -p 1, true
bad "no option" 129 "no such option --frq; did you mean --freq\?" --frq 9 true
bad "no value" 129 "-e requires a value: EVENT" -e
bad "no name" 129 "-o requires a file name, not ''" -o '' true
bad "to append to a pipe" 129 "-A requires a file: .*" -A -o - true
bad "to append and to overwrite" 129 "-A and -f cannot be used together.*" -A -f true
bad "a folder that does not exist" 255 ".*nofolder/x.*No such file or directory.*" -o nofolder/x true
bad "a folder as the file" 255 ".*" -o "$tmp" true

if [ "$(id -u)" -eq 0 ] && command -v setpriv >/dev/null; then
	mkdir closed
	echo old >closed/perf.data
	chmod 755 . closed
	cp "$PTUI" ptui
	rc=0
	(cd closed && setpriv --reuid=65534 --regid=65534 --clear-groups ../ptui record \
		-e page-faults:u true >../out 2>../err </dev/null) || rc=$?
	expect "a folder that may not be written: status 255" ended 255
	expect "a folder that may not be written: one line" one_line ".*perf.data.*Permission denied.*"
	expect "... and what was there is there" grep -qx old closed/perf.data
	expect "... and nothing else" test "$(ls -A closed)" = perf.data
else
	skip "a folder that may not be written" "not root, or setpriv is not installed" root
fi

# --- options in perf's ways

for words in '-gF99' '-g -F 99' '--freq=99' '--freq 99' '--fr 99' '-c 100000' '--count=100000' \
	'-i' '--no-inherit' '--inherit' '--no-inh' '-q --no-quiet' '-e cpu-clock -e page-faults' \
	'-e cpu-clock,page-faults' '--event=task-clock'; do
	# shellcheck disable=SC2086
	run -o w.data $words -- true
	expect "$words" ended 0
done

# --- the debug log

PTUI_DEBUG=$tmp/log run true
expect "PTUI_DEBUG=FILE logs, a line each" grep -qE '^ +[0-9]+\.[0-9]{6} [a-z]+ +[a-z]+: .' log

# --- a program that another CPU executed before the CPU that is recorded ran it

cat >moves.c <<'END'
#define _GNU_SOURCE
#include <sched.h>
#include <stdlib.h>
#include <time.h>
__attribute__((noinline)) void moved(void) { while (clock() < CLOCKS_PER_SEC / 10) ; }
int main(int n, char **argv)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(n > 1 ? atoi(argv[1]) : 0, &set);
	if (sched_setaffinity(0, sizeof(set), &set))
		return 1;
	moved();
	return 0;
}
END
IFS=, read -r first second _ < <(taskset -cp $$ | sed -E 's/.*: //; s/([0-9]+)-([0-9]+)/\1,\2/g')
if [ -z "$second" ]; then
	skip "-C: the sideband of all CPUs" "there is one CPU"
elif [ "$(id -u)" -ne 0 ]; then
	skip "-C: the sideband of all CPUs" "whole CPUs need root" root
else
	${CC:-cc} -o moves moves.c 2>err || cat err
	run -C "$first" -e cpu-clock:u -F 1000 -o moved.data -- taskset -c "$second" ./moves "$first"
	expect "-C: recorded" ended 0
	"$PTUI" report --stdio -q -i moved.data -s comm,dso -c moves >rows 2>err
	expect "-C: the sideband of all CPUs" grep -Eq '^ *[0-9.]+% +(moves|libc|\[vdso\])' rows
	"$PTUI" script -i moved.data -F cpu >cpus 2>err
	expect "-C: samples of that CPU only" sh -c '! grep -v "\[0*$1\]" cpus' sh "$first"
fi

finish
