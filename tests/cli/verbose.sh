#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# -v of record and report: opened attrs, sources of symbols, addresses.

. "$top_srcdir/tests/lib/tap.sh"
need perf root
unset PTUI_PAGER PAGER PTUI_DEBUG XDG_CONFIG_HOME
export LC_ALL=C.UTF-8 HOME=$tmp PERF_CONFIG=/dev/null
cd "$tmp" || exit 1

# bound when it starts: perf takes the head of the PLT for _init
LD_BIND_NOW=1 expect "record -v" sh -c '"$PTUI" record -v -o data -e page-faults -c 1 -- true 2>err'
perf evlist -v -i data 2>/dev/null </dev/null | grep '^page-faults' >wanted
sed -n 's/^ptui: record: \(page-faults: .*sample_type.*\)/\1/p' err >ours
same "record -v: the attr as the file has it" wanted ours
# The parts fit: the time is what a sample took times the samples.
n=$(perf script -F event -i data 2>/dev/null </dev/null | wc -l)
cost() {
	awk -v n="$n" '/^ptui: record: cost of the recorder thread: .* ms of CPU time, .* us per sample, .*% of a CPU \(counted by task-clock\)$/ {
		ok = $8 > 0 && $13 * n > $8 * 990 - 0.01 * n && $13 * n < $8 * 1010 + 0.01 * n }
		END { exit !ok }' err
}
expect "record -v: the cost of the recorder thread per sample" cost
"$PTUI" record -v -o none -e page-faults -c 1000000 -- true 2>err
expect "record -v: its cost without a sample" grep -qE '^ptui: record: cost of the recorder thread: .*, without any sample \(counted by task-clock\)$' err
LD_BIND_NOW=1 "$PTUI" record -o data -e page-faults -c 1 -- true 2>err
expect "without -v: no attr" sh -c '! grep -q sample_type err'
expect "without -v: no cost" sh -c '! grep -q cost err'

libc=$(ldd "$(type -P true)" | sed -n 's/.*=> \(.*libc\.so[^ ]*\) .*/\1/p')
"$PTUI" report --stdio -s sym -i data >plain.out 2>plain.err </dev/null
"$PTUI" report -v --stdio -s sym -i data >out 2>err </dev/null
expect "report: nothing about modules" test ! -s plain.err
for program in perf "$PTUI"; do
	"$program" report -v --stdio -g none -s comm,dso -i data 2>/dev/null </dev/null | grep -v '^#' | sed 's/ *$//' >"rows-${program##*/}"
done
expect "report -v: DSOs by their paths, as in perf" sh -c 'grep -q " /" rows-perf && diff rows-perf "rows-${PTUI##*/}"'
expect "report -v: where the kernel's symbols come from" grep -q '^ptui: report: \[kernel.kallsyms\]: using symbols from ' err
expect "report -v: where a library's symbols come from" grep -qE "^ptui: report: .*${libc##*/}: (using symbols from|no symbols: )" err
# perf 6.1 does not name the slots of IFUNCs: ifunc_slot in tests/diff/differences
rows_of() { sed -nE 's/^ +[0-9.]+% +(0x[0-9a-f]+ +[^ ] \[.\] .*[^ ]) *$/\1/p' | sed 's/ [^ ]*@plt$/ @plt/' | sort; }
perf report -v --stdio -s sym -i data 2>/dev/null </dev/null | rows_of >wanted
rows_of <out >ours
expect "report -v: rows with addresses" test -s ours
same "report -v: perf's addresses, and letters for where symbols are from" wanted ours
expect "report: no addresses" sh -c '! grep -qE "0x[0-9a-f]+ +. \[" plain.out'
"$PTUI" report -v --stdio -s dso --no-modules --symfs /none -i data >out 2>err </dev/null
expect "report -v: why a library has no symbols" grep -qE "^ptui: report: .*${libc##*/}: no symbols: .* does not exist" err
finish
