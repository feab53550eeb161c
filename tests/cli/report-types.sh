#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Sort keys type, typeoff and typecln: the types of the data that a program with known structures accesses.

. "$top_srcdir/tests/lib/tap.sh"
need perf root
export LC_ALL=C.UTF-8 HOME=$tmp PERF_CONFIG=/dev/null
unset PTUI_PAGER PAGER PTUI_DEBUG XDG_CONFIG_HOME
cd "$tmp" || exit 1

cat >program.c <<'END'
#include <stdlib.h>
struct point { long x, y; };
struct item { struct item *next; volatile int key; struct point at; };
struct total { unsigned long sum, count; };
typedef struct { char name[8]; volatile long number; } unnamed;
static volatile struct total total;
#define OUTSIDE __attribute__((noinline, noclone))
/* so many accesses that most samples are at one */
#define MANY(x) x; x; x; x; x; x; x; x; x; x; x; x; x; x; x; x;
OUTSIDE static void walk(struct item *i) { for (; i; i = i->next) { MANY(i->key++) } }
OUTSIDE static void count(unsigned n) { while (n--) { MANY(total.count++) } }
OUTSIDE static long on_stack(int n) { volatile struct point p = { 1, 2 }; while (n--) { MANY(p.y++) } return p.y; }
OUTSIDE static void alias(unnamed **all, int n) { while (n--) { unnamed *u = all[n & 1]; MANY(u->number++) } }
OUTSIDE static void bytes(volatile char **all, int n) { while (n--) { volatile char *c = all[n & 1]; MANY((*c)++) } }
OUTSIDE static int down(int n) { MANY(__asm__ volatile("push %rax; pop %rax")) return n; }
static unnamed one, *ones[] = { &one, &one };
int main(void)
{
	struct item *items = NULL;
	volatile char text[8] = "", *texts[] = { text, text + 4 };
	for (int i = 0; i < 1000; i++) {
		struct item *more = calloc(1, sizeof(*more));
		more->next = items;
		items = more;
	}
	for (int i = 0; i < 1500; i++) {
		for (int k = 0; k < 10; k++)
			walk(items);
		count(10000);
		on_stack(10000);
		alias(ones, 10000);
		bytes(texts, 10000);
		for (int k = 0; k < 10000; k++)
			down(k);
	}
	return 0;
}
END
if [ "$(uname -m)" != x86_64 ] || ! ${CC:-cc} -g -O1 -o program program.c 2>cc.err; then
	cat cc.err
	skip "types of data" "no compiler for x86-64"
	finish
	exit
fi
in_company perf record -q -N --no-bpf-event -F 2000 -e cpu-clock:u -o perf.data ./program >perf.out 2>&1 || cat perf.out

rows() { "$PTUI" report --stdio -i perf.data -q -t ';' -s "$1" "${@:2}" 2>err | sed 's/ *; */;/g; s/^ *//; s/ *$//; /^$/d'; }

rows typeoff,sym -S "${functions=walk,count,on_stack,alias,bytes,down}" >places
cat places err
has() { grep -q "%;$1;\[\.\] $2\$" places; }
expect "a member through a pointer" has 'struct item +0x8 (key)' walk
expect "a member of a global" has 'struct total +0x8 (count)' count
expect "a member of a variable on the stack" has 'struct point +0x8 (y)' on_stack
expect "a structure without a name has that of the typedef" has 'unnamed +0x8 (number)' alias
expect "what has no members" has 'char +0 (no field)' bytes
expect "push and pop" has '(stack operation)' down
expect "what has no operand in memory is unknown" grep -q '%;(unknown);' places
# only these types are in these functions
sed -E 's/^[^;]*;//' places | grep -vE '^(struct item \+(0|0x8) \((next|key)\);\[\.\] walk|struct total \+0x8 \(count\);\[\.\] count|struct point \+(0|0x8) \([xy]\);\[\.\] on_stack|(unnamed \+0x8 \(number\)|unnamed\* .*);\[\.\] alias|char\*? \+.*;\[\.\] bytes|\((unknown|stack operation)\);.*)$' >others
expect "no other types" [ ! -s others ]
cat others

"$PTUI" annotate --stdio -i perf.data --code-with-type walk >code 2>err
if grep -q 'built without a disassembler\|cannot be loaded' err; then
	skip "annotate --code-with-type" "$(head -n 1 err)"
else
	expect "annotate --code-with-type" grep -qE '^ +[0-9.]+ : .*mov.*0x8\(.*# data-type: struct item \+0x8 \(key\)$' code
	expect "annotate --code-with-type: not of what accesses none" sh -c "! grep -E '(ret|nop|test|push) .*# data-type' code"
	"$PTUI" annotate --stdio -i perf.data walk >code 2>err
	expect "annotate without it" sh -c '! grep data-type code'
fi

# each sample has one type
total() { "$PTUI" report --stdio -i perf.data -q -t ';' -F sample,"$1" 2>/dev/null | awk -F ';' '{ n += $1 } END { print n }'; }
expect "every sample has a type" [ "$(total type)" = "$(total sym)" ]
expect "every sample has a cache line" [ "$(total typecln)" = "$(total sym)" ]
rows type >types
expect "type: without the member" eval 'grep -q "%;struct item$" types && ! grep -q "+0x8" types'
expect "-s type,typeoff as a hierarchy" eval '"$PTUI" report --stdio -i perf.data --hierarchy -s type,typeoff 2>&1 | grep -q "^     .*struct item +0x8 (key)"'
cp perf.data copy.data
"$PTUI" report --stdio -i perf.data -i copy.data -q -s type >merged 2>err
expect "several files" grep -q 'struct item' merged

# pointers that are in no variable: loaded from structures, returned by functions, chosen, on the stack
cat >chains.c <<'END'
#include <stddef.h>
struct leaf { long pad[9]; volatile long value; };
struct mid { long pad; struct leaf *leaf; };
struct top { long pad[2]; struct mid *mid; };
#define OUTSIDE __attribute__((noinline, noclone))
#define MANY(x) x; x; x; x; x; x; x; x; x; x; x; x; x; x; x; x;
/* one instruction */
#define INC(x) __asm__ volatile("incq %0" : "+m"(x))
/* what the kernel does with variables of CPUs; the base of %gs is 0 here */
#ifdef __PIE__
#define GS
#else
#define GS MANY(__asm__ volatile("incq %%gs:%0" : "+m"(of_cpu.value)))
#endif
#define CLOBBER __asm__ volatile("" ::: "rax", "rbx", "rcx", "rdx", "rsi", "rdi", "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15")
static struct leaf leaves[2], of_cpu;
static struct mid mids[2] = { { 0, leaves }, { 0, leaves + 1 } };
static struct top tops[2] = { { { 0 }, mids }, { { 0 }, mids + 1 } }, *the_top = tops;
OUTSIDE void loaded(struct top *t, int n) { while (n--) { MANY(INC(t->mid->leaf->value)) } }
OUTSIDE struct leaf *get(int n) { return &leaves[n & 1]; }
OUTSIDE void returned(int n) { while (n--) { __asm__ volatile("" ::: "memory"); struct leaf *l = get(n); MANY(INC(l->value)) } }
OUTSIDE void by_global(int n) { while (n--) { MANY(INC(the_top->mid->leaf->value)) } }
OUTSIDE void chosen(struct top *a, struct top *b, int n) { while (n--) { struct mid *m = (n & 1 ? a : b)->mid; MANY(INC(m->leaf->value)) } }
OUTSIDE void spilled(struct top *t, int n) { struct mid *m = t->mid; while (n--) { CLOBBER; MANY(INC(m->leaf->value)) } }
OUTSIDE void stepped(struct leaf *l, int n) { struct leaf *end = l + 2; while (n--) for (struct leaf *i = l; i < end; i++) { MANY(INC(i->value)) } }
static struct table { struct leaf *v; long n; } table = { leaves, 2 };
OUTSIDE void summed(struct table *t, int n) { while (n--) { struct leaf *l = &t->v[t->n & 1]; INC(l->value); MANY(INC(t->v[n & 1].value)) } }
static __thread struct mid before; static __thread struct leaf of_thread;
OUTSIDE void threads(int n) { while (n--) { MANY(INC(of_thread.value)) } }
OUTSIDE void thread_pointer(struct leaf *l, int n) { if (n > 1) l = &of_thread; while (n--) { MANY(INC(l->value)) } }
/* its number is not an offset of a thread */
OUTSIDE void negative(unsigned long base, int n) { base += 0x48; while (n--) { long at; __asm__ volatile("mov $-0x48, %0" : "=r"(at)); MANY(__asm__ volatile("incb (%0,%1)" : : "r"(base), "r"(at) : "memory")) } }
OUTSIDE void cpus(int n) { while (n--) { GS } }
OUTSIDE void canary(int n) { while (n--) { MANY(__asm__ volatile("mov %%fs:0x28, %%rax" ::: "rax")) } }
int main(void)
{
	for (int i = 0; i < 1500; i++) {
		loaded(tops, 5000);
		returned(5000);
		by_global(5000);
		chosen(tops, tops + 1, 5000);
		spilled(tops, 5000);
		stepped(leaves, 2500);
		summed(&table, 5000);
		threads(5000);
		thread_pointer(&of_thread, 5000);
		cpus(5000);
		negative((unsigned long)leaves, 5000);
		before.pad++;
		canary(5000);
	}
	return 0;
}
END
mv perf.data of-program.data
for level in -O0 -O1 -O2 "-O2 -fomit-frame-pointer -no-pie -fno-pie" "-O1 -gdwarf-4"; do
	# shellcheck disable=SC2086
	${CC:-cc} -g $level -o chains chains.c 2>cc.err || { note "$level: $(head -1 cc.err)"; continue; }
	in_company perf record -q -N --no-bpf-event -F 1500 -e cpu-clock:u -o perf.data ./chains >perf.out 2>&1 || cat perf.out
	for function in loaded returned by_global chosen spilled stepped summed threads thread_pointer cpus; do
		[ $function != cpus ] || [[ $level = *-no-pie* ]] || continue
		rows typeoff -F sample,typeoff -S "$function" >places
		# which of the instructions that follow each other has the samples depends on the processor
		expect "$level, $function: a member" grep -qE ';struct (leaf [+]0x48 [(]value[)]|mid [+]0x8 [(]leaf[)]|table [+]0 [(]v[)]|(leaf|mid)[*] [+]0 [(]no field[)])$' places
		# elements are looked for by many instructions without an operand in memory
		[ $function = summed ] ||
			expect "$level, $function: most samples have a type" eval 'awk -F ";" "{ n += \$1 } \$2 == \"(unknown)\" { no += \$1 } END { exit !(n > 20 && no * 2 < n) }" places'
		expect "$level, $function: no other types" eval '! grep -vE ";(struct leaf \+0x48 \(value\)|struct mid \+0x8 \(leaf\)|struct top \+0x10 \(mid\)|struct table \+(0 \(v\)|0x8 \(n\))|struct (top|mid|leaf|table)\* \+0 \(no field\)|struct top\[\] \+0x10 \(no field\)|int \+0 \(no field\)|\((unknown|stack operation)\))\$" places'
	done
	rows type -F sample,type -S negative >places
	expect "$level: a negative number" eval '! grep -q "struct" places'
	rows type -F sample,type -S canary >places
	expect "$level: the stack canary" grep -q ';(stack canary)$' places
	rows typecln -F sample,typecln -S loaded >places
	expect "$level: cache lines" eval 'grep -qE ";struct (leaf: cache-line 1|mid: cache-line 0|top[*]?: cache-line 0)\$" places && ! grep -q "struct leaf: cache-line 0" places'
done
expect "-s type,typecln,typeoff as a hierarchy" eval '"$PTUI" report --stdio -i perf.data --hierarchy -s type,typecln,typeoff 2>&1 | grep -q "^       .*struct leaf: cache-line 1"'
mv of-program.data perf.data

# a variable of a frame, whose base and offset may be any numbers
cat >far.s <<'END'
	.text
	.globl main
main:	push %rbp
	mov %rsp, %rbp
	sub $64, %rsp
	call touch
	.type touch, @function
touch:	push %rbp
	mov %rsp, %rbp
1:	.rept 64
	incl 16(%rbp)
	.endr
	jmp 1b
end:	.size touch, end - touch
	.section .note.GNU-stack
	.section .debug_abbrev
	.byte 1, 0x11, 1, 0x03, 0x08, 0x11, 0x01, 0x12, 0x07, 0, 0 # unit: name, low_pc, high_pc
	.byte 2, 0x2e, 1, 0x03, 0x08, 0x11, 0x01, 0x12, 0x07, 0x40, 0x18, 0, 0 # function: the same, frame_base
	.byte 3, 0x34, 0, 0x03, 0x08, 0x49, 0x13, 0x02, 0x18, 0, 0 # variable: name, type, location
	.byte 4, 0x24, 0, 0x03, 0x08, 0x0b, 0x0b, 0x3e, 0x0b, 0, 0, 0 # base type: name, size, encoding
	.section .debug_info
unit:	.long 5f - 1f
1:	.value 4
	.long 0
	.byte 8, 1
	.string "far.c"
	.quad touch, end - touch
	.byte 2
	.string "touch"
	.quad touch, end - touch
	.uleb128 3f - 2f
2:	.byte 0x76 # breg6: %rbp
	.sleb128 BASE
3:	.byte 3
	.string "variable"
	.long 4f - unit
	.uleb128 3f - 2f
2:	.byte 0x91 # fbreg
	.sleb128 OFFSET
3:	.byte 0
4:	.byte 4
	.string "number"
	.byte 4, 5, 0
5:
END
least=-9223372036854775808 most=9223372036854775807
while read -r base offset what; do
	sed "s/BASE/$base/; s/OFFSET/$offset/" far.s >this.s && ${CC:-cc} -o far this.s 2>&1
	in_company perf record -q -N --no-bpf-event -F 500 -e cpu-clock:u -o far.data timeout 0.3 ./far >perf.out 2>&1
	"$PTUI" report --stdio -i far.data -q -S touch -t ';' -s type >far.out 2>far.err
	expect "a variable at $base and $offset: $what" eval 'head -1 far.out | grep -q "; *$what *$" && [ ! -s far.err ]'
	cat far.out far.err
done <<END
0 16 number
8 8 number
$most 100 (unknown)
0 $least (unknown)
$least $least (unknown)
$most $most (unknown)
END

# without debug information nothing is guessed; libraries may have theirs
mv program whole
strip -g -o program whole
rows type -S "$functions" >out
expect "without debug information: unknown" eval '! grep -q "struct" out && grep -q "(unknown)" out'

# damaged debug information: each 50th byte becomes another one
damage() { # SEED
	rm -f program
	objcopy --dump-section .debug_info=info whole program 2>/dev/null || return
	awk -v seed="$1" -v n="$(stat -c %s info)" 'BEGIN { srand(seed); for (i = 0; i < n / 50; i++) print int(rand() * n), int(rand() * 256) }' |
		while read -r at value; do
			# shellcheck disable=SC2059
			printf "\\x$(printf %x "$value")" | dd of=info bs=1 seek="$at" conv=notrunc status=none
		done
	objcopy --update-section .debug_info=info whole program 2>/dev/null
}
crashed=0
for seed in 1 2 3 4 5 6 7 8; do
	damage "$seed" || note "objcopy failed"
	timeout 30 "$PTUI" report --stdio -i perf.data -s type,typeoff >out 2>err || {
		crashed=1
		cat err
	}
done
expect "damaged debug information" [ $crashed = 0 ]
finish
