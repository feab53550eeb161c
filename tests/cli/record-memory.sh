#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Samples kept in memory (-M): the last ones are written by a snapshot, and at the end of the
# recording in any case.

. "$top_srcdir/tests/lib/tap.sh"
need perf root
export LC_ALL=C.UTF-8 HOME=$tmp PERF_CONFIG=/dev/null
unset PTUI_PAGER PAGER PTUI_DEBUG XDG_CONFIG_HOME
cd "$tmp" || exit 1

# Phase A is 100 programs called "true", phase B 100 called "cat": each several times what 65 KiB
# hold. After each it waits for the test.
cat >phases <<'END'
phase() {
	: >"$1-done"
	read -r _ <"$1-go-on"
}
for i in $(seq 1 100); do /bin/true; done
phase a
for i in $(seq 1 100); do /bin/cat /dev/null; done
phase b
END

# comms [FILE]: a line a sample
comms() { perf script -i "${1-f.data}" -F comm 2>/dev/null | tr -d ' '; }
of() { comms | grep -cx "$1"; }

clear_up() {
	[ "${append-}" ] || rm -f f.data
	rm -f f.data.old piped ./*-done ./*-go-on
	mkfifo a-go-on b-go-on
}
# go_on PHASE: who waits there goes on
# shellcheck disable=SC2016
go_on() { timeout 30 sh -c 'echo >"$1-go-on"' - "$1"; }

# start OPTION...: in the background, up to the end of phase A
start() {
	clear_up
	timeout 120 "$PTUI" record -o f.data -e page-faults -c 1 "$@" -- sh phases 2>err &
	pid=$!
	until_so test -e a-done && recorder=$(pgrep -P "$pid" ptui)
}
end() {
	go_on b
	wait "$pid"
}
phase_b() { go_on a && until_so test -e b-done; }
# snapshot: by a signal; waits until it is taken
snapshot() {
	local before
	before=$(comms | wc -l)
	kill -USR2 "$recorder" && until_so more_than "$before"
}
more_than() { test "$(comms | wc -l)" -gt "$1"; }
told() { grep -cE 'snapshot at [0-9.]+ s: [0-9]+ samples in [0-9.]+ s, [0-9]+ of them new; taken [0-9.]+ ms after' err; }

only_b() {
	echo "true: $(of true) cat: $(of cat)"
	[ "$(of cat)" -gt 300 ] && [ "$(of true)" -eq 0 ]
}
resolves() {
	perf script -i f.data -F comm,ip,dso 2>/dev/null >script && [ -s script ] && ! grep '\[unknown\])' script
}

nobody_asks() { start -M 65K && phase_b && end; }
expect "no snapshot, and the command exits" nobody_asks
expect "the file has the end of B, and nothing of A" only_b
expect "each of its samples lies in a module" resolves
expect "perf finds nothing wrong with it" sh -c 'perf report -i f.data --stdio 2>complaint >/dev/null && ! [ -s complaint ]'
expect "it is printed how many samples are not in it" grep -qE '[1-9][0-9]* older samples did not fit into memory' err
expect "and how many are" grep -q "($(comms | wc -l) samples)" err

# ended SIGNAL: before the command is over
ended() {
	start -M 65K && phase_b && kill -"$1" "$recorder" || return
	wait "$pid"
	[ $? -gt 128 ]
}
for signal in INT TERM HUP; do
	expect "it is ended by SIG$signal" ended $signal
	expect "the file has the end of B, and nothing of A" only_b
	expect "each of its samples lies in a module" resolves
done

in_b() { start -M 65K "$@" && phase_b && snapshot && end; }
ordered() { perf script --ns -i f.data -F time 2>/dev/null | tr -d ': ' | sort -nc; }
expect "SIGUSR2 in phase B" in_b
expect "the file has the end of B, and nothing of A" only_b
expect "each of its samples lies in a module" resolves
expect "perf reads them in order" ordered
expect "it is reported once" test "$(told)" -eq 1
samples=$(comms | wc -l)
expect "ptui counts what perf counts" sh -c "'$PTUI' report -i f.data --stdio -n --sort comm 2>/dev/null |
	awk '!/^#/ && NF { n += \$2 } END { exit n != $samples }'"
expect "and their number is reported" grep -q "($samples samples)" err

expect "the same compressed" in_b -z
expect "the file has the end of B, and nothing of A" only_b
expect "each of its samples lies in a module" resolves

three() { start -M 1M && snapshot && phase_b && snapshot && end; }
both() { [ "$(of cat)" -gt 300 ] && [ "$(of true)" -gt 300 ]; }
no_doubles() { test "$(perf script --ns -i f.data -F tid,time,ip 2>/dev/null | sort | uniq -d | wc -l)" -eq 0; }
expect "one in A and one in B" three
expect "both phases are in the file" both
expect "no sample is repeated" no_doubles
expect "each of its samples lies in a module" resolves
expect "both are reported" test "$(told)" -eq 2

# appended to a file with samples
appended() {
	local before
	before=$(comms | wc -l)
	append=1
	in_b -A
	append=
	told=$(sed -n 's/.*f.data (\([0-9]*\) samples).*/\1/p' err)
	echo "$before and $told: $(comms | wc -l)"
	[ "$told" -gt 300 ] && [ "$(comms | wc -l)" -eq $((before + told)) ]
}
expect "-A: kept samples are appended to another recording" appended
expect "each of its samples lies in a module" resolves

# it is appended to a pipe as well
piped_has_a() { perf script -i - -F comm <piped 2>/dev/null | grep -q '^ *true'; }
piped() {
	clear_up
	timeout 120 "$PTUI" record -o - -M 1M -e page-faults -c 1 -- sh phases 2>err >piped &
	pid=$!
	until_so test -e a-done && recorder=$(pgrep -P "$pid" ptui) && kill -USR2 "$recorder" &&
		until_so piped_has_a && phase_b && end && piped_has_a
}
expect "into a pipe" piped
finish
