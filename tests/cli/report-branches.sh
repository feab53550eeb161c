# SPDX-License-Identifier: GPL-2.0-or-later
# ptui report on branches and memory accesses that are damaged or impossible: every row has a text.
. "$top_srcdir/tests/lib/tap.sh"

program=$(realpath "$top_builddir/tests/diff/work")
for kind in hostile hostile-memory; do
	"$top_builddir/tests/diff/branches" $kind "$tmp/$kind.data" "$program" || not_ok "$kind.data is written"
done

shows() {
	local name=$1 file=$2 status=0
	shift 2
	"$PTUI" report --stdio -i "$tmp/$file.data" -t '|' "$@" >"$tmp/out" 2>"$tmp/err" || status=$?
	expect "$name: exit status 0" [ $status -eq 0 ]
	sed -E 's/ +\|/|/g;s/ +$//' "$tmp/out" >"$tmp/rows"
}

shows "branches" hostile -F sample,mispredict,in_tx,abort,cycles
expect "branches: impossible flags have a text" grep -q '1|N|T|A|65535$' "$tmp/rows"
expect "branches: no flags are N/A" grep -q '2|N/A|\.|\.|-$' "$tmp/rows"
expect "branches: records with more branches than bytes are counted" grep -q '4 damaged records' "$tmp/err"
shows "branches" hostile -F sample,dso_from,symbol_from,symbol_to,addr_from,addr_to
expect "branches: ends that are not mapped" grep -q '1|\[unknown\]|\[H\] 0xffffffffffffffff|\[H\] 0000000000000000' "$tmp/rows"
for keys in dso_to srcline_from,srcline_to sym,dso,comm addr,dso_size cgroup_id; do
	shows "branches, $keys" hostile -s "$keys"
done

shows "memory" hostile-memory --mem-mode
shows "memory" hostile-memory --mem-mode -F sample,mem
expect "memory: nothing is N/A" grep -q '|N/A$' "$tmp/rows"
expect "memory: a text of all bits is cut" awk -F '|' '/^ *[0-9]/ && length($2) > 62 { bad = 1 } END { exit bad }' "$tmp/rows"
for keys in symbol_daddr,dso_daddr dcacheline snoop,tlb,locked,blocked phys_daddr,data_page_size transaction weight,ins_lat; do
	shows "memory, $keys" hostile-memory --mem-mode -F "overhead,$keys"
done
finish
