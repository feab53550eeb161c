# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# For the comparisons of report's options with perf's, after lib.sh:
#
#	each LABEL FILE OPTIONS... <<END	a comparison for each line of further options

report_meant=(header_hint tip user_stacks without_symbols comm_cut unnamed_thread level_of_nowhere before_exec plt_head
	ifunc_slot caller_offset caller_place vdso_place frame_line rest_inlined trace_cut caller_rows tied_rows tied_branches)

# Static functions of libc and its loader have names only where its debug symbols are installed.
loader=$(ldd "$work" 2>/dev/null | grep -o '/[^ ]*/ld-[^ ]*')
loader_id=$(readelf -n "$loader" 2>/dev/null | sed -n 's/.*Build ID: //p')
readelf -SW "$loader" 2>/dev/null | grep -q ' \.symtab ' || [ -e "/usr/lib/debug/.build-id/${loader_id:0:2}/${loader_id:2}.debug" ] ||
	report_meant=("${report_meant[@]:0:${#report_meant[@]}-2}" nameless_rows tied_rows tied_branches)

each() {
	local label=$1 file=$2 line
	shift 2
	while IFS= read -r line; do
		local options=()
		eval "options=($line)"
		reports "$label" "$file" "$@" "${options[@]}"
	done
}
