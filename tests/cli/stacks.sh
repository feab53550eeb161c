#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# How many user stacks of real programs are complete. Symbols do not help: the programs are stripped
# where noted, and libc's debug files are hidden.

. "$top_srcdir/tests/lib/tap.sh"
need perf root
export LC_ALL=C.UTF-8 HOME=$tmp PERF_CONFIG=/dev/null
unset PTUI_PAGER PAGER PTUI_DEBUG XDG_CONFIG_HOME
cd "$tmp" || exit 1

work=$top_builddir/tests/cli/stacks
cp "$work" stripped && strip stripped

# Files for --symfs: the ones that ran, and none with symbols (/usr/lib/debug).
runtime_only() {
	local file
	perf script -i "$1" --show-mmap-events 2>/dev/null |
		sed -nE 's/.* (PERF_RECORD_MMAP|PERF_RECORD_MMAP2) .*: [-r]?[-w]?xp (\/.*)$/\2/p' | sort -u >names
	while read -r file; do
		[ -e "$file" ] && mkdir -p "only${file%/*}" && cp -Ln "$file" "only$file"
	done <names
	return 0
}

# -> the sentence about user stacks
stacks() {
	"$PTUI" report --stdio -i "$1" "${@:2}" 2>report.err | sed -n 's/^# User stacks: //p'
}
percent() { sed -nE 's/^([0-9]+)\.[0-9]% reach the start of their program or thread.*/\1/p'; }

# recorded LABEL [perf's options] -- PROGRAM ...
recorded() {
	local label=$1
	shift
	in_company perf record --no-bpf-event -o "$label.data" -F 2000 -e cpu-clock:u "$@" >record.out 2>&1 || cat record.out
	runtime_only "$label.data"
}

# reaches LABEL LEAST MOST: percentage, with debug files and without
reaches() {
	local label=$1 got say
	for say in with without; do
		[ "$say" = with ] && stacks "$label.data" >said || stacks "$label.data" --symfs only >said
		got=$(percent <said)
		if [ -z "$got" ] || [ "$got" -lt "$2" ] || [ "$got" -gt "$3" ]; then
			echo "$say debug files: $(cat said report.err)"
			return 1
		fi
	done
}

recorded call -g -- "$work" call
expect "a program with frame pointers: nearly all" reaches call 90 100
recorded call-stripped -g -- ./stripped call
expect "the same, stripped" reaches call-stripped 90 100
recorded threads -g -- ./stripped threads
expect "threads of a stripped program" reaches threads 90 100

recorded sort -g -- ./stripped sort
expect "a program that sorts: hardly any" reaches sort 0 30
expect "and the library in which they end is named" grep -q 'end in libc[.-]' said
expect "callers are reported as too low" grep -q 'inclusive times of callers are far too low' said
expect "nothing of it without callchains" [ -z "$(stacks sort.data -g none --no-children)" ]
expect "nothing of it with -q" [ -z "$(stacks sort.data -q)" ]

cat >leaf.c <<'END'
static volatile unsigned long sink;
static __attribute__((noipa)) unsigned long leaf(unsigned long n)
{
	unsigned long s = 0;
	for (unsigned long i = 0; i < n; i++)
		s += i * s + 7;
	return s;
}
static __attribute__((noipa)) void middle(unsigned long n) { sink += leaf(n); __asm__ volatile(""); }
int main(void) { for (int i = 0; i < 60; i++) middle(1000000); return 0; }
END
if [ "$(uname -m)" = x86_64 ] &&
	cc -O2 -fno-omit-frame-pointer -momit-leaf-frame-pointer -o leaf leaf.c 2>cc.err; then
	recorded leaf -g -- ./leaf
	stacks leaf.data >said
	expect "callers that frame pointers lead past are counted" \
		eval 'grep -Eq "(9[0-9]|100)\.[0-9]% lack the caller of the innermost function" said && reaches leaf 90 100'
	recorded leaf-dumped --call-graph dwarf -- ./leaf
	stacks leaf-dumped.data >said
	expect "unwound stacks lack none" eval '[ -s said ] && ! grep -q "lack the caller" said'
	# The kernel reads the caller of middle(), which pushes the frame pointer first, from the stack, but not that of leaf().
	group=ptui_stacks_$$
	kernel=$(uname -r | sed -E 's/^([0-9]+)\.([0-9]+).*/\1 * 1000 + \2/')
	probed() {
		local name
		"$PTUI" probe -q -x ./leaf -a "$group:middle=middle" -a "$group:leaf=leaf" || return
		for name in middle leaf; do
			"$PTUI" record -q -g -e "$group:$name" -o "probed-$name.data" -- ./leaf
		done
		"$PTUI" probe -q -d "$group:*"
	}
	if in_turn probed 2>probe.err; then
		stacks probed-leaf.data >said
		expect "at a uprobe, a function without a frame lacks its caller" grep -q '100.0% lack the caller' said
		stacks probed-middle.data >said
		if [ "$((kernel))" -ge 6012 ]; then
			expect "one that pushes the frame pointer first does not" \
				eval '[ -s said ] && ! grep -q "lack the caller" said && "$PTUI" script -i probed-middle.data | grep -q " main+"'
		else
			expect "nor does one that pushes the frame pointer first have it" grep -q '100.0% lack the caller' said
		fi
	else
		skip "callers at uprobes" "$(head -n 1 probe.err)"
	fi
else
	skip "callers that frame pointers lead past" "leaf functions cannot be built so here"
fi

recorded dumped --call-graph dwarf -- ./stripped sort
expect "copied stacks are unwound, through a library without frame pointers" reaches dumped 98 100
expect "no message about code without frame pointers" eval '! grep -q "end in libc" said'
recorded dumped-threads --call-graph dwarf -- ./stripped threads
expect "copied stacks of threads" reaches dumped-threads 98 100
recorded short --call-graph dwarf,512 -- "$work" deep
stacks short.data >said
expect "stacks that are deeper than their copy are counted" \
	grep -Eq '[0-9]% are deeper than their copy of 512 bytes' said
recorded deep-dumped --call-graph dwarf -- "$work" deep
stacks deep-dumped.data >said
expect "unwound stacks are cut at 127 frames" grep -Eq '[0-9]% are cut at 127 frames' said
stacks deep-dumped.data --max-stack 1000 >said
expect "--max-stack raises that" eval '! grep -q "are cut at" said && [ "$(percent <said)" -ge 98 ]'
stacks deep-dumped.data --max-stack 5 >said
expect "--max-stack lowers it" grep -Eq '[0-9]% are cut at 5 frames' said
HOME=/nowhere stacks dumped.data --symfs /nowhere >said # nor in the build-id cache
expect "the reason why a DSO cannot be unwound is given" \
	grep -q 'the others end in .*does not exist' said

recorded plain -- "$work" call
expect "nothing without callchains" [ -z "$(stacks plain.data)" ]
in_company perf record --no-bpf-event -o kernel.data -g --kernel-callchains -F 2000 -e cpu-clock -- "$work" call >/dev/null 2>&1
expect "nothing of a recording of the kernel's callchains" [ -z "$(stacks kernel.data)" ]

recorded deep -g -- "$work" deep
stacks deep.data >said
expect "chains that are cut are counted" grep -Eq '[0-9]% are cut at 127 frames' said

for kind in static static-pie; do
	if cc -O1 -fno-omit-frame-pointer -pthread "-$kind" -o $kind "$top_srcdir/tests/cli/stacks.c" 2>cc.err; then
		strip $kind
		recorded $kind -g -- ./$kind call
		expect "a stripped program, linked -$kind" reaches $kind 90 100
		recorded $kind-threads -g -- ./$kind threads
		expect "its threads" reaches $kind-threads 90 100
	else
		skip "a stripped program, linked -$kind" "no such program can be made here"
	fi
done

if python=$(command -v python3); then
	recorded python -g -- "$python" -c 'for i in range(2000000): pass'
	expect "python3 is spoken of" [ -n "$(stacks python.data | percent)" ]
fi

# The same by ptui's own recorder.
timeout 60 "$PTUI" record -o own.data -F 2000 -g -e cpu-clock:u -- ./stripped sort >/dev/null 2>&1
expect "a recording of ptui's own" reaches own 0 30

# --- user callchains that the kernel recorded after the samples: each belongs to its thread and cookie only

"$top_builddir/tests/cli/foreign_stacks" deferred deferred.data
"$PTUI" evlist -v -i deferred.data >out 2>err
expect "deferred callchains: the bits of the event" grep -q 'defer_callchain: 1, defer_output: 1' out
"$PTUI" script -F tid,ip -i deferred.data >out 2>err
# "TID: ADDRESS..." of each sample, those of the program from its start
awk '/^ *[0-9]+ *$/ { s = "" } NF { s = s (s == "" ? $1 ":" : " " $1); next } { print s; s = "" }' out >said
expect "deferred callchains: the stacks of script" diff - said <<'END'
11: ffffffff81000001 ffffffff81000002 10 1010
11: ffffffff81000001 ffffffff81000002 10 1010
12: ffffffff81000001 ffffffff81000002
11: 10 2010
11: ffffffff81000001 ffffffff81000002
END
"$PTUI" report --stdio --no-children -s comm -g folded,0,address,count -i deferred.data >out 2>err
grep 0x out >said
expect "deferred callchains: the stacks of report" diff - said <<'END'
2 0xffffffff81000001;0xffffffff81000002;0x2aa00001010;0x2aa00002010
1 0x2aa00001010;0x2aa00003010
1 0xffffffff81000001;0xffffffff81000002
1 0xffffffff81000001;0xffffffff81000002
END
expect "deferred callchains: what is missing is counted" grep -q '2 samples lack their deferred user callchain' out
"$PTUI" script -D -i deferred.data >out 2>err
expect "deferred callchains: script -D" grep -q 'PERF_RECORD_CALLCHAIN_DEFERRED(IP, 0x2): 10/11: 0x14$' out

# --- copied stacks of other architectures, with the program under --symfs; s390x has the other byte order

mkdir -p files/opt
for machine in aarch64 s390x; do
	"$top_builddir/tests/cli/foreign_stacks" $machine foreign.data files/opt/program
	"$PTUI" report --stdio -i foreign.data --symfs files -n -F overhead_children,sample,sym -s sym -g none >out 2>err
	expect "$machine: copied stacks reach their start" grep -q '^# User stacks: 100\.0% reach' out
	expect "$machine: the start is above all samples" grep -qE '^ *100\.00% .*0x0*f *$' out
	"$PTUI" report --stdio -i foreign.data --symfs files --unnamed-functions -s sym -g none >out 2>err
	for range in 0x1000-0x2000 0x2000-0x3000 0x3000-0x4000; do
		expect "$machine: --unnamed-functions: $range" grep -qE "^ *100\.00% .* $range *$" out
	done
	"$PTUI" report --stdio -i foreign.data >out 2>err
	expect "$machine: without the program they end in it" grep -q '^# User stacks: 0\.0% reach .*end in program (100\.0%' out
done
finish
