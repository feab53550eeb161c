# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# For the comparisons of report's options with perf's, after lib.sh:
#
#	recorded LABEL OPTION...	by perf, as $tmp/LABEL.data
#	each LABEL FILE OPTIONS... <<END	a comparison for each line of further options

report_meant=(header_hint tip user_stacks comm_cut level_of_nowhere before_exec caller_offset
	plt_head ifunc_slot tied_rows tied_branches)

# perf has a thread for new BPF programs, which takes a second to end. Tried again if perf aborted: see
# one_at_a_time.
recorded() {
	local label=$1
	shift
	for _ in 1 2 3; do
		in_company perf record -q --no-bpf-event -o "$tmp/$label.data" "$@" >"$tmp/record.out" 2>&1 && return
		note "perf record $*: status $?: $(cat "$tmp/record.out")"
	done
}

each() {
	local label=$1 file=$2 line
	shift 2
	while IFS= read -r line; do
		local options=()
		eval "options=($line)"
		reports "$label" "$file" "$@" "${options[@]}"
	done
}
