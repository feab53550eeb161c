#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Real programs, recorded with dumped stacks: ptui's unwinder finds what libunwind or libdwfl finds. A stack
# that is longer than theirs and reaches a start function counts as the same.

. "$top_srcdir/tests/lib/tap.sh"
[ "$(uname -m)" = x86_64 ] || skip_all "the comparison knows the registers of x86-64 only"
[ -x "$top_builddir/tests/unwind/compare" ] || skip_all "libunwind was not installed at configure"
need perf root
export LC_ALL=C.UTF-8 HOME=$tmp PERF_CONFIG=/dev/null
cd "$tmp" || exit 1

# recorded NAME COMMAND...
recorded() {
	local name=$1
	shift
	in_company perf record -q -o "$name.data" -F 3000 -e cpu-clock:u --call-graph dwarf,16384 -- "$@" \
		>record.out 2>&1 || true
	[ -s "$name.data" ] || cat record.out
}

# agrees NAME: all but 1 of 1000 samples, and of fewer at most 1
agrees() {
	"$top_builddir/tests/unwind/compare" -v "$1.data" >"$1.out" 2>&1
	grep -E '^(agree|end|guessed|cost)' "$1.out" | sed 's/^/# /' >&3
	awk '/^agree either/ { n = $NF; differ = $4; if (n >= 5 && differ <= 1 + n / 1000) good = 1 }
		END { exit !good }' "$1.out" || { head -n 60 "$1.out"; return 1; }
}
exec 3>&1

recorded sorts "$top_builddir/tests/unwind/sorts" 60
expect "qsort and snprintf" agrees sorts
if c++ -O2 -fomit-frame-pointer -o throws "$top_srcdir/tests/unwind/throws.cc" 2>/dev/null; then
	recorded throws ./throws 300
	expect "C++ with exceptions" agrees throws
else
	skip "C++ with exceptions" "no C++ compiler is installed"
fi

# program NAME COMMAND...: if installed on this machine
program() {
	local name=$1
	shift
	if type -P "$1" >/dev/null; then
		recorded "$name" "$@"
		expect "$name" agrees "$name"
	else
		skip "$name" "$1 is not installed"
	fi
}

# tests/diff/frames.c explains in which of these stacks perf is wrong
if cc -O2 -w -pthread -o work "$top_srcdir/tests/diff/unwind_work.c" 2>/dev/null; then
	recorded forks ./work fork 10
	expect "children that only fork" agrees forks
else
	skip "children that only fork" "no C compiler is installed"
fi

{
	echo '#include <stdio.h>'
	for i in {1..300}; do
		echo "int f$i(int a, int b) { for (int i = 0; i < b; i++) a += i * $i; return printf(\"%d\", a) + b; }"
	done
} >many.c
program gcc gcc -O2 -c -o /dev/null many.c
program python3 python3 -c 'import ast, json, re
for i in range(40):
    json.loads(json.dumps({str(k): [k] * 9 for k in range(400)}))
    ast.parse("x = 1 + 2 * (3 + 4)\n" * 60)
    re.sub("(a|b)+c", "d", "abababc" * 500)'
if type -P git >/dev/null; then
	git init -q repository && cp many.c repository && git -C repository add many.c
fi
# No libc, so that it can be linked without one for 32 bits: an x86-64 kernel samples it with its own registers.
cat >narrow.c <<'EOF'
static volatile unsigned sink;
__attribute__((noinline)) static unsigned leaf(unsigned n)
{
	for (unsigned i = 0; i < 20000; i++)
		n = n * 1103515245 + 12345;
	return sink = n;
}
__attribute__((noinline)) static unsigned caller(unsigned n, unsigned depth)
{
	return (depth ? caller(n + 1, depth - 1) : leaf(n)) ^ leaf(n + depth);
}
__attribute__((noinline, used)) int run(void)
{
	for (unsigned i = 0; i < 1000; i++)
		caller(i, 6);
	return 0;
}
__asm__(".globl _start\n.type _start,@function\n_start:\n.cfi_startproc\n.cfi_undefined eip\n"
	"call run\nmov $1,%eax\nxor %ebx,%ebx\nint $0x80\n.cfi_endproc\n.size _start,.-_start\n");
EOF
# reach_start NAME: all stacks
reach_start() {
	"$top_builddir/tests/unwind/compare" -o "$1.data" >"$1.out" 2>&1
	awk '/^end/ { if ($2 == "start") good = $3; else bad = 1 } END { exit bad || good < 5 }' "$1.out" ||
		{ cat "$1.out"; return 1; }
}
if cc -m32 -O2 -fomit-frame-pointer -nostdlib -static -fno-pic -no-pie -o narrow narrow.c 2>/dev/null && ./narrow; then
	recorded narrow ./narrow
	expect "a 32-bit program" reach_start narrow
else
	skip "a 32-bit program" "the compiler makes none, or the kernel runs none"
fi
program git git -C repository hash-object -w --stdin-paths < <(yes "$PWD/many.c" | head -n 1500)
finish
