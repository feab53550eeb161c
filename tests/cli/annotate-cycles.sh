#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# annotate: cycles and instructions per cycle from branch stacks, of a made program. perf 6.1 crashes on such
# recordings, so the numbers are worked out here.

. "$top_srcdir/tests/lib/tap.sh"
export LC_ALL=C.UTF-8 HOME=$tmp PERF_CONFIG=/dev/null
unset PTUI_PAGER PAGER PTUI_DEBUG
cd "$tmp" || exit 1
if [ "$(uname -m)" != x86_64 ] || ! command -v as >/dev/null || ! command -v ld >/dev/null; then
	skip "a program with branches" "there is no as(1) and ld(1) for x86-64"
	finish
fi

cat >work.s <<'EOF'
.globl _start, work, helper
.type work,@function
.type helper,@function
.type _start,@function
.text
work:	mov $100,%ecx		# 401000
	xor %eax,%eax		# 401005
1:	add %ecx,%eax		# 401007
	nop			# 401009
	dec %ecx		# 40100a
	jne 1b			# 40100c
	call helper		# 40100e
	cmp $7,%eax		# 401013
	je 2f			# 401016
	inc %eax		# 401018
	inc %eax		# 40101a
2:	ret			# 40101c
.size work, .-work
helper:	lea 1(%rax),%eax	# 40101d
	ret			# 401020
.size helper, .-helper
_start:	call work		# 401021
	mov $60,%eax		# 401026
	syscall
.size _start, .-_start
EOF
as -o work.o work.s && ld --build-id -Ttext=0x401000 -o work work.o
id=$(readelf -n work | sed -n 's/.*Build ID: //p')
record() { # FILTER <samples
	"$top_builddir/tests/cli/branch_stacks" data "$tmp/work" "$id" 401000 1000 1000 "$1"
}
# The newest branch first. Blocks of work, with their cycles:
#	401000..40100c 4				6 instructions in 4 cycles
#	401007..40100c 2 2 3 2				shorter, so not counted
#	401007..40100e 5 5 5				5 in 5
#	401013..401016 1				2 in 1
#	401013..40101c 6				5 in 6
cat >samples <<'EOF'
0 401007 40100c/401007/2 40100c/401007/4 401021/401000/9
0 40100a 401020/401013/3 40100e/40101d/5 40100c/401007/2 40100c/401007/8
1 401018 401016/40101c/1 401020/401013/3 40100e/40101d/5 40100c/401007/2
1 401018 40101c/401026/6 401020/401013/3 40100e/40101d/5 40100c/401007/2
0 40100a 40100c/401007/2 40100c/401007/3 40100c/401007/2 0/0/0 0/0/0
EOF
annotate() {
	"$PTUI" annotate --stdio -i data "$@" work >out 2>err || cat err
	sed -nE 's/^( +[0-9.]+)(.{14}) : +(40[0-9a-f]+):.*/\3\2/p' out
}
has_columns() { diff <(annotate "${@:2}" | sed 's/ *$//') "$1" && return; cat out; return 1; }

record 9 <samples # PERF_SAMPLE_BRANCH_USER | ANY
cat >expected <<'EOF'
401000   1.50
401005   1.50
401007   1.00
401009   1.00
40100a   1.00
40100c   1.00      3
40100e   1.00      5
401013   0.83
401016   0.83      1
401018   0.83
40101a   0.83
40101c   0.83      6
EOF
expect "IPC of the longest block up to each branch, mean cycles of the branch" has_columns expected
expect "titles of the columns" grep -q '^ Percent    IPC  Cycle |' out
expect "average, each block as often as it ran: 28 instructions in 26 cycles" grep -q '(Average IPC: 1.08, IPC Coverage: 100.0%)$' out
sed -n '2,$p' expected >rest
sed -E '/^40(100[05])/s/ .*//; /^4010(07|09|0a)/s/ .*/   1.00/; /^40100c/s/ .*/   1.00      2/; s/(40101c   0.83).*/\1      6/' expected >cpu1
expect "-C: branches of that CPU" has_columns cpu1 -C 1
expect "-C: what is not known is blank, and says so" grep -q '(Average IPC: 1.00, IPC Coverage: 83.3%)$' out
# 67 cycles; of the rows of branches 7 lead to work, 1 to each of the others, so the mean cycles are 7 * 15 + 3 + 9
blocks() { "$PTUI" report --stdio -i data --total-cycles "$@" 2>err || cat err; }
cat >expected.blocks <<'EOF'
22.39%;15;4.27%;5;[work+7 -> work+14];work
13.43%;9;2.56%;3;[helper+0 -> helper+3];work
13.43%;9;7.69%;9;[_start+0 -> _start+0];work
8.96%;6;5.13%;6;[work+19 -> work+28];work
5.97%;27;2.56%;3;[work+0 -> work+12];work
1.49%;1;0.85%;1;[work+19 -> work+22];work
EOF
fields() { sed -nE 's/^ +//; s/  +/;/g; /^[0-9]/p'; }
expect "report --total-cycles: the longest block up to each branch, and its cycles" \
	diff <(blocks | fields) expected.blocks
expect "--total-cycles: perf's titles" grep -qE \
	'^# Sampled Cycles%  Sampled Cycles  Avg Cycles%  Avg Cycles +\[Program Block Range\] +Shared Object$' <(blocks)
expect "--total-cycles --percent-limit" diff <(blocks --percent-limit 6 | fields) <(head -n 4 expected.blocks)
expect "--total-cycles -t: without a title of its own" diff <(blocks -q -t ';' | sed -E 's/ *; */;/g; s/^ +//; /^$/d') \
	expected.blocks
expect "--total-cycles -C: branches of that CPU" eval 'blocks -C 0 | fields | grep -q "^10.00%;23;5.88%;3;.work+0 -> work+12.;work$" || { blocks -C 0; false; }'
for option in "-s sym" --json --tui --no-branch-stack; do
	# shellcheck disable=SC2086
	"$PTUI" report -i data --total-cycles $option >out 2>err
	expect "--total-cycles $option: refused" grep -q -e '--total-cycles cannot be used together with' err
done
# of each function, as in its annotation; helper has 2 instructions in 3 cycles
"$PTUI" report --stdio -q -t ';' -i data --no-branch-stack -F sym,ipc_lbr,ipc_null >out 2>err || cat err
expect "ipc_lbr: average and coverage" grep -qE '^\[\.\] work *;1\.08  \[100\.0%\] *;-      -' out
"$PTUI" report --stdio -i data -s symbol_to,sym,ipc_lbr >out 2>err || cat err
expect "ipc_lbr of branches: that of their targets" grep -qE ' \[\.\] helper +\[\.\] helper +0\.67  \[100\.0%\]' out
expect "ipc_lbr: perf's title" grep -q 'IPC   \[IPC Coverage\]' out
expect "ipc_lbr --tui: refused" eval '! "$PTUI" report --tui -s sym,ipc_lbr -i data >out 2>err && grep -q ipc_lbr err'

# --- diff -c cycles: the same program, linked elsewhere; perf 6.1 crashes on these as well ---

mkdir new
ld --build-id -Ttext=0x402000 -o new/work work.o
record 9 <samples
sed -E 's/401/402/g; s:40200e/40201d/5:40200e/40201d/9:g; s:40201c/402026/6:40201c/402026/1:; s:40200c/402007/8:40200c/402007/2:' samples >samples.new
"$top_builddir/tests/cli/branch_stacks" new.data "$tmp/new/work" "$(readelf -n new/work | sed -n 's/.*Build ID: //p')" \
	402000 1000 1000 9 <samples.new
cycles_diff() { "$PTUI" diff -c cycles "$@" 2>err || cat err; }
expect "diff -c cycles: a line for each block that both have, the largest difference first" diff <(cycles_diff -q data new.data | sed 's/^ *//;s/  */ /g') - <<'END'
100.00% [work+19 -> work+28] -5 work [.] work
100.00% [work+7 -> work+14] 4 work [.] work
100.00% [work+0 -> work+12] -1 work [.] work
100.00% [work+19 -> work+22] 0 work [.] work
END
expect "-c cycles: perf's titles" grep -q '^# Baseline  *\[Program Block Range\] Cycles Diff  Shared Object  Symbol' <(cycles_diff data new.data)
expect "-c cycles -F: sums and numbers of runs" grep -q ' (27 / 3) - (15 / 3)  ' <(cycles_diff -F data new.data)
expect "-c cycles of itself: no difference" eval '! cycles_diff -q data data | grep -vq "\]    0 "'
expect "-c cycles of three files: a column for each" grep -qE '\[work\+19 -> work\+28\]   -5 +\[work\+0 -> work\+12\]    0 ' \
	<(cycles_diff data new.data data)
expect "-c cycles -t" grep -q '^100.00;\[work+7 -> work+14\]    4;work;\[.\] work$' <(cycles_diff -t ';' data new.data)
# differences of the runs of work+19 -> work+22: none; of work+0 -> work+12 there is one run
expect "--cycles-hist: equal differences" grep -qE '^ +100.00% .* 4 +±  0.0% ▁▁▁ ' <(cycles_diff --cycles-hist data new.data)
sed -E '0,/40200e.40201d.9/s//40200e\/40201d\/6/' samples.new >samples.spread
"$top_builddir/tests/cli/branch_stacks" spread.data "$tmp/new/work" "$(readelf -n new/work | sed -n 's/.*Build ID: //p')" \
	402000 1000 1000 9 <samples.spread
# |6-5| |9-5| |9-5|: mean 3, deviation of the mean 1
expect "--cycles-hist: deviation and bars" grep -qE ' 3 +± 33.3% ▁██ ' <(cycles_diff --cycles-hist data spread.data)
expect "--cycles-hist: nothing for a single run" grep -qE '\[work\+19 -> work\+28\] +-5 +work' <(cycles_diff --cycles-hist data new.data)
expect "-c cycles: a row that only one of the files has" grep -qE '^ +100.00% +work +\[.\] helper|^ +work +\[.\] helper' \
	<(sed 's/^0 401007/0 40101d/' samples | record 9; cp data helper.data; record 9 <samples; cycles_diff -q -o 1 data helper.data)
for words in "--cycles-hist data new.data" "-c cycles -s comm data new.data" "--time 1,2:3,4:5,6 data new.data" "--time 1,2:x data new.data"; do
	# shellcheck disable=SC2086
	expect "diff $words: refused" eval '! "$PTUI" diff $words >out 2>err && [ -s err ] && [ ! -s out ]'
done

# --- diff --stream ---

# the hottest first; cycles are those of all its branches; d is too rare to be among the five of the other file
chain_a='0 401018 40101c/401026/6 401020/401013/3'
chain_b='0 40100a 40100e/40101d/5 40100c/401007/2'
chain_c='0 401007 401021/401000/9'
chain_d='0 401018 401016/40101c/1 401020/401013/3'
streams() { # TIMES CHAIN ...
	while [ $# -gt 0 ]; do
		for ((i = 0; i < $1; i++)); do echo "$2"; done
		shift 2
	done | record 9
}
streams 3 "$chain_a" 2 "$chain_b" 1 "$chain_c" && mv data old.data
streams 1 "${chain_a/\/6/\/8}" 5 "$chain_b" 2 "$chain_d"
"$PTUI" diff -q --stream old.data data >out 2>err || cat err
expect "--stream: chains of both recordings, and of one of them" diff out - <<'END'
[ Matched hot streams ]

hot chain pair 1:
            cycles: 9, hits: 50.00%	           cycles: 11, hits: 12.50%
        ---------------------------	         --------------------------
                          _start +5	                          _start +5
                           work +28	                           work +28
                           work +19	                           work +19
                          helper +3	                          helper +3

hot chain pair 2:
            cycles: 7, hits: 33.33%	            cycles: 7, hits: 62.50%
        ---------------------------	         --------------------------
                          helper +0	                          helper +0
                           work +14	                           work +14
                            work +7	                            work +7
                           work +12	                           work +12

[ Hot streams in old perf data only ]

hot chain 1:
            cycles: 9, hits: 16.67%
         --------------------------
                            work +0
                          _start +0

[ Hot streams in new perf data only ]

hot chain 1:
                                   	            cycles: 4, hits: 25.00%
                                   	         --------------------------
                                   	                           work +28
                                   	                           work +22
                                   	                           work +19
                                   	                          helper +3
END
"$PTUI" diff --stream -C nobody old.data data >out 2>err
expect "--stream -C: no chains of other commands" eval '! grep -q "hot chain" out && grep -q "^# Event" out'
streams 6 "$chain_a" 5 "$chain_b" 4 "$chain_c" 3 "$chain_d" 2 "0 401007 40100c/401007/2" 1 "0 401007 40100e/40101d/5"
expect "--stream: five of them" [ "$("$PTUI" diff --stream data data 2>err | grep -c '^hot chain pair')" = 5 ]
for words in "--stream old.data data data" "--stream -p old.data data" "--stream -c cycles old.data data" "--stream none.data data"; do
	# shellcheck disable=SC2086
	expect "diff $words: refused" eval '! "$PTUI" diff $words >out 2>err && [ -s err ] && [ ! -s out ]'
done
sed -E 's:/[0-9]+( |$):/0\1:g' samples | record 9
"$PTUI" report --stdio -q -i data --no-branch-stack -s sym,ipc_lbr >out 2>err
expect "ipc_lbr without cycles: unknown, and says so" eval 'grep -qE "work +-      -" out && grep -q "for ipc_lbr to print" err'
expect "-c cycles without cycles: refused" eval '! "$PTUI" diff -c cycles data data >out 2>err && grep -q "there are no cycles in the branch stacks of data" err'

record 11 <samples # USER | ANY_CALL
sed -E 's/^(......).{7}/\1       /; s/ *$//' expected >only
expect "with a branch filter blocks may contain other branches: cycles only" has_columns only
expect "with a branch filter: coverage 0" grep -q '(IPC Coverage: 0.0%)$' out
sed -E 's:/[0-9]+( |$):/0\1:g' samples | record 9
"$PTUI" annotate --stdio -i data work >out 2>err
blocks >out
expect "--total-cycles without cycles: says so" grep -q 'there are no cycles in its branch stacks' err
"$PTUI" annotate --stdio -i data work >out 2>err
expect "a CPU that does not measure cycles: no columns" eval '! grep -q IPC out && grep -qE "^   40.00 :   40100a:" out'
finish
