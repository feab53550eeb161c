# SPDX-License-Identifier: GPL-2.0-or-later
#
# ptui annotate --stdio has perf annotate's numbers for each instruction of each function: percentages of four types,
# samples, periods, groups, one CPU; on programs in C and C++, with and without source lines.
. "$top_srcdir/tests/lib/tap.sh"
. "$top_srcdir/tests/diff/lib.sh"
need perf root
cd "$tmp" || exit 1
command -v objdump >/dev/null || skip_all "perf annotate requires objdump"
"$top_builddir/tests/diff/disasm" "$PTUI" </dev/null >out 2>err || skip_all "no disassembler: $(cat err)"
src=$top_srcdir/tests/diff
unset PTUI_PAGER PAGER

cat >work.c <<'END'
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
static inline __attribute__((always_inline)) unsigned mix(unsigned a, unsigned b)
{
	a ^= b * 2654435761u;
	return a ^ (a >> 15);
}
__attribute__((noinline)) static unsigned hash(unsigned n)
{
	unsigned x = 1;

	for (unsigned i = 0; i < n; i++) {
		x = mix(x, i);
		if (x & 1)
			x += (unsigned)sqrt((double)x);
	}
	return x;
}
__attribute__((noinline)) static int before(const void *a, const void *b)
{
	return *(const int *)a < *(const int *)b ? -1 : *(const int *)a > *(const int *)b;
}
int main(void)
{
	static int numbers[1 << 16];
	unsigned sum = 0;

	for (int k = 0; k < 6; k++) {
		for (int i = 0; i < 1 << 16; i++)
			numbers[i] = rand();
		qsort(numbers, 1 << 16, sizeof(int), before);
		sum += (unsigned)numbers[5] + hash(3000000);
	}
	return printf("%u\n", sum) < 0;
}
END
cat >work.cc <<'END'
#include <map>
#include <string>
#include <vector>
template <class T> struct counter {
	std::map<std::string, T> numbers;
	__attribute__((noinline)) void add(const std::string &name) { numbers[name] += 1; }
};
int main()
{
	counter<unsigned> counts;
	std::vector<std::string> names;

	for (unsigned i = 0; i < 400000; i++) {
		names.push_back(std::string(i % 40, 'x'));
		counts.add(names.back());
	}
	return counts.numbers.size() != 40;
}
END
cc -O2 -fno-plt -w -o work-c work.c -lm 2>cc.err || skip_all "no C compiler: $(head -n 1 cc.err)"
cc -O2 -fno-plt -g -w -o work-lines work.c -lm
c++ -O2 -fno-plt -g -w -o work-cc work.cc 2>cc.err || cp work-c work-cc

# recorded NAME PERF-OPTION... -- COMMAND...
recorded() {
	local name=$1
	shift
	for _ in 1 2 3; do
		LD_BIND_NOW=1 in_turn perf record -q --no-bpf-event -F 2000 -o "$name.data" "$@" >"$name.out" 2>record.err && return
		note "perf record $*: status $?: $(tail -n 2 record.err)"
	done
}

# numbers NAME FILE OPTION...: the same in both
numbers() {
	local name=$1 file=$2
	shift 2
	perf annotate --stdio -i "$file.data" "$@" 2>perf.err | annotated_rows >perf.txt
	"$PTUI" annotate --stdio -i "$file.data" "$@" 2>ptui.err | annotated_rows >ptui.txt
	same_instructions "$name" perf.txt ptui.txt
	expect "$name: of many instructions" [ "$(wc -l <"$tmp/ptui.common")" -gt "${at_least:-50}" ]
	[ ! -s ptui.err ] || note "$(head -n 3 ptui.err)"
}

recorded c -e cpu-clock:u -- ./work-c
recorded lines -e cpu-clock:u -- ./work-lines
recorded cc -e cpu-clock:u -- ./work-cc
recorded group -e '{cpu-clock:u,task-clock:u}' -- ./work-c
recorded events -e cpu-clock:u -e task-clock:u --sample-cpu -- ./work-lines

numbers "C without debug information" c
numbers "C with source lines" lines
numbers "C++" cc
numbers "a group: a column for each event" group
"$PTUI" annotate --stdio --no-group -n -i group.data 2>err | grep -o ' for .*-clock:u' | sort -u >out
printf ' for %s\n' cpu-clock:u task-clock:u >wanted
same "--no-group: one event after the other" wanted out
numbers "events" events
numbers "-n" lines -n
numbers "--show-total-period" lines --show-total-period
numbers "-n of a group" group -n
for type in local-period local-hits global-period; do
	numbers "--percent-type $type" events --percent-type $type
done
# perf 6.1 prints 0.00 for all of these
"$PTUI" annotate --stdio -i c.data --percent-type global-hits 2>err | annotated_rows | sed 's/.*| //; s/ *$//' >out
samples=$("$PTUI" script -F ip -i c.data 2>err | grep -c .)
"$PTUI" annotate --stdio -i c.data -n 2>err | annotated_rows | sed 's/.*| //' |
	awk -v all="$samples" '{ printf "%.2f\n", $1 * 100 / all }' >wanted
same "--percent-type global-hits" wanted out
numbers "--no-source" lines --no-source
numbers "-M intel" c -M intel
numbers "-l" lines -l
# of how many functions depends on the load
at_least=10 numbers "--percent-limit" lines --percent-limit 10

# The text of the instructions, but for the names of targets, which objdump chooses among aliases by other rules. It
# leaves out the numbers of an instruction's eighth byte and later.
text() { sed -n 's/^ *[0-9.]* :  *\([0-9a-f]*:.*\)/\1/p' | sed 's/ <.*//; s/ *$//; s/  */ /g' | grep -v 'add %al,(%rax)$' | sort; }
for options in '' '-M intel' '--asm-raw'; do
	# shellcheck disable=SC2086
	perf annotate --stdio --no-source -i c.data $options 2>perf.err | text >perf.txt
	# shellcheck disable=SC2086
	"$PTUI" annotate --stdio --no-source -i c.data $options 2>ptui.err | text >ptui.txt
	awk -F: 'NR == FNR { known[$1]; next } $1 in known' perf.txt ptui.txt >common.txt
	awk -F: 'NR == FNR { known[$1]; next } $1 in known' ptui.txt perf.txt >perf.common
	mv perf.common perf.txt
	mv common.txt ptui.txt
	same "the text of instructions ${options:-by default}" perf.txt ptui.txt
done

# One function, and one DSO.
numbers_of() {
	perf annotate --stdio -i lines.data -s "$1" 2>perf.err | annotated_rows >perf.txt
	"$PTUI" annotate --stdio -i lines.data "$1" 2>ptui.err | annotated_rows >ptui.txt
	same "the function $1" perf.txt ptui.txt
}
hottest=$("$PTUI" report --stdio -q -g none -F sym -i lines.data 2>report.err | sed -n 's/^ *\[\.\] \([a-z_0-9]*\) *$/\1/p' |
	head -n 2)
for function in $hottest; do numbers_of "$function"; done
"$PTUI" annotate --stdio -i lines.data -d work-lines >out 2>err
expect "-d: only this DSO" sh -c 'grep -q "Disassembly of work-lines" out && ! grep -q "Disassembly of l" out'

# CPUs: together they are all.
cpus=$(("$(getconf _NPROCESSORS_CONF)" - 1))
"$PTUI" annotate --stdio -i events.data 2>err | annotated_rows >all.txt
"$PTUI" annotate --stdio -i events.data -C "0-$cpus" 2>err | annotated_rows >cpus.txt
same "-C with all CPUs" all.txt cpus.txt
perf annotate --stdio -i events.data -C 0 2>perf.err | annotated_rows >perf.txt
"$PTUI" annotate --stdio -i events.data -C 0 2>ptui.err | annotated_rows >ptui.txt
same_instructions "-C 0" perf.txt ptui.txt

# Source text: the line that each instruction of main is from, as objdump -l has it.
"$PTUI" annotate --stdio -i lines.data -l -P --no-source 2>err >out
expect "-l: names source lines" grep -q '[^ ] // /.*/work.c:[0-9]' out
expect "-l: sums them up" grep -q '^Sorted summary for file .*/work-lines$' out
finish
