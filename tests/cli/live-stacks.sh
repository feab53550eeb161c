#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Stacks that are unwound while recording (--call-graph dwarf,live), as perf reads them: main has the
# share of the samples that the program measures itself, with qsort and printf between it and the samples,
# which have no frame pointers.

. "$top_srcdir/tests/lib/tap.sh"
need perf root
one_at_a_time
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
	awk -v a="$perf" -v b="$(cat said)" 'BEGIN { exit !(a != "" && a - b < 1 && b - a < 1) }' ||
		{ echo "perf: $perf, the program: $(cat said)"; cat record.out report.err; return 1; }
}
recorded() {
	local file=$1
	shift
	timeout 50 "$PTUI" record -o "$file" "${live[@]}" "$@" -- "$work" share >said 2>record.out
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
finish
