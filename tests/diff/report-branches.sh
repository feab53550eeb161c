# SPDX-License-Identifier: GPL-2.0-or-later
# Branches and memory accesses in ptui report: the same rows as perf report, on recordings that
# tests/diff/branches writes, since no machine here can record them.
. "$top_srcdir/tests/lib/tap.sh"
. "$top_srcdir/tests/diff/lib.sh"
. "$top_srcdir/tests/diff/report_lib.sh"
need perf

{
	for i in 0 1 2 3 4 5; do echo "ffffffff81000${i}00 T kernel_$i"; done
	for i in 0 1 2; do echo "ffffffff810080${i}0 D kernel_data_$i"; done
	echo 'ffffffff81000000 T _stext'
	echo 'ffffffff8100ffff T _etext'
} | sort >"$tmp/kallsyms"
program=$(realpath "$work")
for kind in branch chains memory namespaces switches callers; do
	"$top_builddir/tests/diff/branches" $kind "$tmp/$kind.data" "$program" || not_ok "$kind.data is written"
done

report_meant=(header_hint tip user_stacks unverified branch_level data_cacheline tied_branches)
ptui_too=(--force-names)
kernel=--kallsyms=$tmp/kallsyms

# A level of code, and addresses of code that has no symbol.
meant_branch_level() { sed -E 's/\[[.kH]\] (0x)?[0-9a-f]{16}( *)/[?] nowhere/;s/\[[.kH]\] /[?] /g'; }

meant_data_cacheline() { sed -E 's/\+0x[0-9a-f]+ */+0x?/'; }

# --- branches: chosen because the recording has branch stacks ---

each "branches" "$tmp/branch.data" "$kernel" <<'END'

-b
-n
-t ,
-U
-c work
--no-branch-stack
--no-branch-stack -s comm,dso,addr
--percent-limit 0.2
-s dso_from
-s dso_to
-s dso_from,dso_to
-s dso_to,cycles,comm
-s cycles
-s comm,cpu,dso_from
-s time,dso_to
-s dso_size
-s pid,dso_size,dso
-s cgroup_id
-s comm,dso,sym
-s comm,dso,dso_from
-F overhead,symbol_from,comm
-F overhead,comm,symbol_to,sample
-F overhead,sample,comm,symbol_from,symbol_to
-F comm,overhead,dso_from,symbol_from
-F sample,comm,mispredict -t '|'
-F sample,comm,in_tx -t '|'
-F sample,comm,abort -t '|'
-s comm,dso_from -w 10,4,12
END

each "branches with callchains" "$tmp/chains.data" "$kernel" <<'END'

-g none
--no-children
-s weight,comm
-s local_weight,dso_to
--no-branch-stack
-s comm,parent -p main
END

# --- branches as part of callchains ---

# perf's are of the process, ptui's of the first process that had the code
meant_caller_process() { sed -E 's/0x5555[0-9a-f]{8}/0x?/'; }

# perf divides the iterations by one branch less than there were, so that of one it shows none
meant_iterations() { sed -E 's/ ?iter:[0-9]+ avg_cycles:[0-9]+//;s/ \(\)$//'; }

meant_hidden_rest() { sed -E 's/(\[\.\.+\]) \(calltrace\)$/\1/'; }

plain_meant=("${report_meant[@]}")
report_meant=(frame_line caller_process iterations hidden_rest "${report_meant[@]}")

each "branch history" "$tmp/branch.data" "$kernel" --branch-history <<'END'
-s comm --no-children
-s comm,pid -g callee
-s comm --no-children -g count
-s comm --no-children -g fractal,5
-s comm --no-children -c work
-s sym -g callee,flat,2
-s sym --no-children -g folded,3
-s comm --no-children -n --max-stack 3
END

each "branch history of callchains" "$tmp/chains.data" "$kernel" <<'END'
--branch-history -s comm --no-children
--branch-history -s comm --no-children -c work
--branch-history --no-children -n -s comm --max-stack 3
--no-branch-stack -g branch,address --no-children
END
report_meant=("${plain_meant[@]}")

each "namespaces" "$tmp/namespaces.data" "$kernel" --no-branch-stack <<'END'
-s cgroup_id
-s cgroup_id,comm
-s comm,cgroup_id,dso -t ,
END

# --- memory accesses ---

each "memory" "$tmp/memory.data" "$kernel" --mem-mode <<'END'

-n
-t '|'
-c work
-s +comm
-s mem
-s mem,snoop,tlb,locked,blocked
-s locked
-s tlb,mem --percent-limit 2
-s snoop
-s blocked
-s dso_daddr
-s sym,dso_daddr
-F overhead,symbol_daddr
-F overhead,sample,symbol_daddr,dso_daddr
-s comm,dcacheline
-s phys_daddr
-s data_page_size
-s phys_daddr,data_page_size,comm
-s transaction
-s local_weight
-s weight,comm
-s ins_lat
-s local_ins_lat,mem
END

each "memory, as samples" "$tmp/memory.data" "$kernel" <<'END'

-s comm,dso,addr
-s transaction,comm
END

# --- what perf shows otherwise ---

# of: the rows of these keys, without percentages
of() {
	local file=$1
	shift
	"$PTUI" report --stdio -q -t '|' "$kernel" --force-names -i "$file" "$@"
}

perf report --stdio -q -t '|' "$kernel" -i "$tmp/branch.data" -F sample,comm,addr_from 2>/dev/null |
	sed -E 's/\[[kH.]\] //;s/ +$//;/^$/d' | sort >"$tmp/perf.txt"
of "$tmp/branch.data" -F sample,comm,addr_from | sed -E 's/\[[kH.]\] //;s/ +$//;/^$/d;s/__do_global_dtors_aux/__do_global_dtors_/' |
	sort >"$tmp/ptui.txt"
same "addr_from: perf's addresses, but for the level and names that perf cuts" "$tmp/perf.txt" "$tmp/ptui.txt"

"$PTUI" report --stdio "$kernel" --force-names --branch-history -i "$tmp/branch.data" >"$tmp/out" 2>/dev/null
expect "branch history: rows by line, symbol and DSO" grep -q '^# Overhead  Source:Line *Symbol *Shared Object' "$tmp/out"
# perf leaves out as many callers as there are branches, and has callers inside of branches with -g caller.
of "$tmp/chains.data" --branch-history -s comm -g caller,0 >"$tmp/out"
expect "branch history: callers come before branches" \
	grep -A1 -Eq '^ *---[^ ]+ .*\(calltrace\)$' "$tmp/out"
of "$tmp/branch.data" --branch-history -s comm -g callee,fractal >"$tmp/out"
expect "branch history: iterations of loops, which are left out" grep -q ' (cycles:1 iter:1 avg_cycles:[0-9]*)$' "$tmp/out"
"$PTUI" report --json --branch-history -s comm -g callee "$kernel" -i "$tmp/branch.data" >"$tmp/out" 2>/dev/null
expect "branch history in JSON" grep -Eq '"functions": \["[^"]* \(predicted:' "$tmp/out"

of "$tmp/branch.data" -F sample,srcline_from,symbol_from >"$tmp/out"
expect "srcline_from is the line of the branch, or function and offset" grep -Eq '\|main\+[0-9]+ *\|\[\.\] main' "$tmp/out"
of "$tmp/branch.data" -F sample,srcline_to,symbol_to >"$tmp/out"
expect "srcline_to is that of its target" grep -Eq '\|spin\+[0-9]+ *\|\[\.\] spin' "$tmp/out"

# perf 6.1 has no such keys: five samples, of which two are of times at which two tasks ran.
plain() { of "$tmp/switches.data" "$@" | tr -d ' ' | sed '/^$/d'; }
plain -F latency,sample,parallelism >"$tmp/out"
expect "parallelism: tasks that run at a time; latency: the time that they share" \
	diff - "$tmp/out" <<<$'75.00%|3|1\n25.00%|2|2'
plain -s latency,comm >"$tmp/out"
expect "latency of commands" diff - "$tmp/out" <<<$'62.50%|60.00%|work\n37.50%|40.00%|other'
plain --latency -s comm >"$tmp/latency"
expect "--latency: the same with other keys" diff "$tmp/out" "$tmp/latency"
plain --latency -F sample,comm >"$tmp/out"
expect "--latency: the last column beside given ones" diff - "$tmp/out" <<<$'3|work|62.50%\n2|other|37.50%'
# Columns and order as in perf 6.15. Callers have the time of their callees, once.
of "$tmp/callers.data" --latency -s sym -g none | tr -d ' ' | sed '/^$/d' >"$tmp/out"
expect "--latency with callers" diff - "$tmp/out" <<'END'
100.00%|100.00%|0.00%|0.00%|[k]kernel_5
62.50%|60.00%|62.50%|60.00%|[k]kernel_0
37.50%|40.00%|37.50%|40.00%|[k]kernel_1
END
"$PTUI" report --stdio "$kernel" --latency -s sym -g callee,0 -i "$tmp/callers.data" >"$tmp/out" 2>/dev/null
expect "--latency with callers: the columns" grep -Eq '^# +Latency +Children +Latency +Self +Symbol' "$tmp/out"
expect "--latency with callers in callee order" grep -q '^ *62.50% *60.00% *62.50% *60.00% *\[k\] kernel_0 *$' "$tmp/out"
of "$tmp/callers.data" --latency --no-children -s sym -g none | tr -d ' ' | sed '/^$/d' >"$tmp/out"
expect "--latency --no-children" diff - "$tmp/out" <<<$'62.50%|60.00%|[k]kernel_0\n37.50%|40.00%|[k]kernel_1'
plain --parallelism 2-9 -F latency,overhead,sample >"$tmp/out"
expect "--parallelism: only samples of those times, as shares of all" diff - "$tmp/out" <<<'25.00%|40.00%|2'
plain --parallelism 1,7 -F latency,overhead,sample --percentage relative >"$tmp/out"
expect "--parallelism: as shares of those" diff - "$tmp/out" <<<'100.00%|100.00%|3'
"$PTUI" report --stdio -i "$tmp/switches.data" --latency -s parallelism,comm --hierarchy >"$tmp/out" 2>"$tmp/err"
expect "--latency --hierarchy: both are the measures" grep -Eq '^# +Latency +Overhead +Parallelism / Command$' "$tmp/out"
of "$tmp/memory.data" -F sample,symoff >"$tmp/out"
expect "symoff: a row for each offset" \
	[ "$(grep -c '|\[\.\] _start+0x[048c]$' "$tmp/out")" = 4 ]

sed 's/ kernel_0$/ _ZN4core4swapEi/' "$tmp/kallsyms" >"$tmp/mangled"
for option in --no-demangle --demangle-kernel; do
	"$PTUI" report --stdio -q --force-names --kallsyms="$tmp/mangled" -i "$tmp/memory.data" -s sym $option
done >"$tmp/out" 2>/dev/null
expect "names of the kernel: as they are" grep -q '\[k\] _ZN4core4swapEi' "$tmp/out"
expect "names of the kernel: demangled" grep -q '\[k\] core::swap' "$tmp/out"
"$PTUI" report --stats "$tmp/memory.data" "$tmp/branch.data" >"$tmp/out"
expect "--stats of several files: one after the other" \
	[ "$(grep -c -e "^# $tmp/memory.data$" -e "^# $tmp/branch.data$" -e '^Aggregated stats:$' "$tmp/out")" = 4 ]

# --- call stacks of the LBR that are deeper than it is ---

"$top_builddir/tests/diff/lbr" "$tmp/deep.data" deep
report_meant=(header_hint tip user_stacks)
each "stitched stacks" "$tmp/deep.data" --stitch-lbr --no-children <<'END'
-g callee,0
-s sym -g caller,0
-g flat,0
END
report_meant=("${plain_meant[@]}")

# --- refused ---

refused() {
	local name=$1 words=$2 status=0
	shift 2
	"$PTUI" report --stdio "$@" >"$tmp/out" 2>"$tmp/err" || status=$?
	expect "$name" [ $status -ne 0 ]
	expect "$name, and why" grep -q -e "$words" "$tmp/err"
}

refused "-b without branch stacks" "no event of the recording has branch stacks" -b -i "$tmp/memory.data"
refused "--mem-mode without data" "no event of the recording has sources of data" --mem-mode -i "$tmp/branch.data"
refused "parallelism without context switches" "have no data for 'parallelism'" -s parallelism -i "$tmp/memory.data"
refused "latency without context switches" "have no data for 'latency'" -F latency,comm -i "$tmp/memory.data"
refused "--latency without them: what records them" "'ptui record --latency' records what it needs" \
	--latency -i "$tmp/memory.data"
refused "--parallelism without them" "there are no context switches in" --parallelism 1 -i "$tmp/memory.data"
refused "--parallelism of no numbers" "expected numbers such as 3,7" --parallelism few -i "$tmp/switches.data"
refused "--stitch-lbr without call stacks" "has call stacks of the LBR with places in it, or its size is unknown" \
	--stitch-lbr -i "$tmp/branch.data"
refused "--branch-history without branch stacks" "no event of the recording has branch stacks that could be part of callchains" \
	--branch-history -i "$tmp/memory.data"
refused "both modes" "cannot be used together" -b --mem-mode -i "$tmp/branch.data"
refused "keys of branches in rows of samples" "have no data for 'dso_from'" --no-branch-stack -s comm,dso_from -i "$tmp/branch.data"
refused "keys of memory without its data" "have no data for 'mem'" -s mem -i "$tmp/branch.data"
refused "a key that only perf has" "does not have perf's key 'simd': it comes from Arm SPE traces" -s simd -i "$tmp/branch.data"

# --- what only some ask for takes no memory ---

# Rows of samples, without these keys, are the same rows as before: no column but those of the table.
of "$tmp/memory.data" >"$tmp/plain.txt"
of "$tmp/memory.data" -F overhead,comm,dso,sym,mem >"$tmp/out"
expect "keys of memory work without --mem-mode" grep -q '|L3 hit' "$tmp/out"

all_differ
finish
