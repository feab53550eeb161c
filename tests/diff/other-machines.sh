# SPDX-License-Identifier: GPL-2.0-or-later
# Recordings of other machines and versions: ptui's report of each equals perf's. They are not part
# of the source; PTUI_PERFDATA is their directory.
. "$top_srcdir/tests/lib/tap.sh"
. "$top_srcdir/tests/diff/lib.sh"
need perf

folder=${PTUI_PERFDATA:-$top_srcdir/../shared/perfdata}
[ -d "$folder" ] || skip_all "there is no folder $folder (PTUI_PERFDATA)"
report_meant=(header_hint tip user_stacks negative_cycles comm_cut foreign_vdso data_offset level_of_nowhere
	tied_rows tied_branches unverified simpleperf_event)
ptui_too=(--force-names)

meant_negative_cycles() {
	sed -E 's/ (-23395|42141) *$/ 42141/'
}

# refused FILE WHAT-PTUI-DOES
refused() {
	local status=0
	perf report "${row_options[@]}" -i "$folder/$1" >"$tmp/perf.txt" 2>"$tmp/perf.err" || status=$?
	expect "$1: perf still does not" \
		eval "[ $status -ne 0 ] || grep -q '^Error:' '$tmp/perf.err'"
	status=0
	"$PTUI" report "${row_options[@]}" -i "$folder/$1" >"$tmp/ptui.txt" 2>"$tmp/ptui.err" || status=$?
	note "$(cat "$tmp/ptui.err")"
	case $2 in
	reads) expect "$1: ptui does" eval "[ $status -eq 0 ] && grep -q '^ .*|.*|' '$tmp/ptui.txt'" ;;
	"reads a part") expect "$1: ptui reads a part, and says so" eval \
		"[ $status -eq 0 ] && [ -s '$tmp/ptui.err' ] && grep -q '^ .*|.*|' '$tmp/ptui.txt'" ;;
	*) expect "$1: ptui says why not" eval "[ $status -eq 255 ] && [ -s '$tmp/ptui.err' ]" ;;
	esac
}

# Each address of the samples, with its name and DSO.
frames() {
	perf script -F ip,sym,dso -i "$2" >"$tmp/perf.txt" 2>"$tmp/perf.err"
	"$PTUI" script --force-names -F ip,sym,dso -i "$2" >"$tmp/ptui.txt" 2>"$tmp/ptui.err"
	[ ! -s "$tmp/perf.txt" ] || alike "$1: script" "$tmp/perf.txt" "$tmp/ptui.txt" unverified foreign_vdso
}

both() {
	rows "$@"
	reports "$@" --no-children
	case $1 in *callgraph* | *perf_g_fp* | *meta_info*)
		# callers, in modules that are not here
		local report_meant=("${report_meant[@]}" nameless_callers) ;;
	esac
	reports "$@"
}

while IFS= read -r file; do
	name=${file#"$folder/"}
	does=$(awk -F ' [|] ' -v file="$name" '$1 == file { print $2 }' "$top_srcdir/tests/diff/refused")
	case $name:$does in
	*:?*) refused "$name" "$does" ;;
	*perf_with_symbols*) # perf does not read simpleperf's symbols
		reports "$name" "$file" --no-children -g none -s comm,dso
		"$PTUI" report --stdio -g none -i "$file" >"$tmp/ptui.txt" 2>&1
		expect "$name: names that the recording brings" grep -q '\[\.\] func2' "$tmp/ptui.txt" ;;
	*branch*)
		both "$name" "$file" --no-branch-stack
		reports "$name" "$file"
		reports "$name" "$file" -s dso_from,dso_to ;;
	*intel_pt*) asked itrace --no-itrace -- both "$name" "$file" ;;
	*)
		both "$name" "$file"
		frames "$name" "$file" ;;
	esac
done < <(find "$folder" -type f ! -name '*.md' ! -name '*.gz' | sort)
all_differ
finish
