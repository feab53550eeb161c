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
record 11 <samples # USER | ANY_CALL
sed -E 's/^(......).{7}/\1       /; s/ *$//' expected >only
expect "with a branch filter blocks may contain other branches: cycles only" has_columns only
expect "with a branch filter: coverage 0" grep -q '(IPC Coverage: 0.0%)$' out
sed -E 's:/[0-9]+( |$):/0\1:g' samples | record 9
"$PTUI" annotate --stdio -i data work >out 2>err
expect "a CPU that does not measure cycles: no columns" eval '! grep -q IPC out && grep -qE "^   40.00 :   40100a:" out'
finish
