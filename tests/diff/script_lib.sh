# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# For the scripts that compare ptui script with perf script, after lib.sh:
#
#	piped LABEL OPTION...		as recorded, through a pipe
#	scripts LABEL OPTION...		the texts of that recording; the differences in
#					script_meant are taken out
#	each OPTIONS...			the text of a recording with these options of perf record,
#					for each word

script_meant=(ifunc_slot_text plt_head_text before_exec_text unnamed_thread_text vdso_file)

piped() {
	local label=$1
	shift
	LD_BIND_NOW=1 in_company perf record --no-bpf-event -o - "$@" >"$tmp/$label.data" 2>"$tmp/record.out" ||
		note "perf record $*: status $?: $(cat "$tmp/record.out")"
}

scripts() {
	local label=$1
	shift
	perf script -i "$tmp/$label.data" "$@" >"$tmp/perf.txt" 2>"$tmp/perf.err"
	"$PTUI" script -i "$tmp/$label.data" "$@" >"$tmp/ptui.txt" 2>"$tmp/ptui.err" ||
		note "ptui: status $?: $(cat "$tmp/ptui.err")"
	[ -s "$tmp/perf.txt" ] || { not_ok "$label: ${*:-default}: perf prints nothing"; return; }
	alike "$label: ${*:-default}" "$tmp/perf.txt" "$tmp/ptui.txt" "${script_meant[@]}"
}

n_each=0
each() {
	local options
	for options; do
		n_each=$((n_each + 1))
		# shellcheck disable=SC2086
		recorded "r$n_each" $options "$work"
		scripts "r$n_each"
		[ "$tap_bad" -eq 0 ] || note "r$n_each: $options"
		rm -f "$tmp/r$n_each.data"
	done
}

# --- the differences ---

meant_ifunc_slot_text() { sed -E 's/ [^ ]*@plt(\+0x| \(|$)/ @plt\1/'; }

meant_plt_head_text() {
	sed -E 's/ (_init|\[unknown\]|[^ ]*@plt)(\+0x[0-9a-f]+)?( \(\/|$)/ (head of the PLT)\3/'
}

# User addresses of a sample inside exec, with all that is printed of them or only the address. And addresses of the
# program before exec, whose maps perf keeps.
meant_before_exec_text() {
	sed -E 's/^\t +[0-9a-f]+ (__GI___execve|execve|\[unknown\]|\(head of the PLT\))([+ ].*)?$/\t(before exec)/; s/^\t +[0-9a-f]{1,12}$/\t(user)/'
}

# Up to the first page fault.
meant_until_switch_off() { sed '/ page-faults:/q'; }

# Threads to which perf gives no name (":TID").
meant_unnamed_thread_text() {
	awk -v perf="$tmp/perf.txt" '
	function tid() {
		return match($0, / [0-9]+(\/[0-9]+)? +\[[0-9]+\]/) ? substr($0, RSTART + 1, RLENGTH - 1) : ""
	}
	BEGIN {
		while ((getline < perf) > 0)
			if (/^ *:[0-9]/)
				unnamed[tid()] = 1
	}
	{
		t = tid()
		if (t != "" && t in unnamed)
			print "(unnamed)" substr($0, RSTART)
		else
			print
	}'
}

meant_third_latency() { sed -E 's/^(\.\.\. weight: [0-9]+,0x[0-9a-f]+),0x[0-9a-f]+$/\1/'; }

# The source line of an address without debug information: perf takes a file from the symbol table; and the file of a
# function in a header, for which perf takes that of the compilation.
meant_line_of_symbol_file() { sed -E '/^  ([^ :]*:0|[^ ]+\[[0-9a-f]+\])$/d; s/^  [^ :]+:([0-9]+)$/  FILE:\1/'; }

meant_guest_dso() { sed -E 's,(\(|dso: )/nowhere/in-guest,\1[unknown],; s/dso: <not found>/dso: [unknown]/'; }

# -D: perf's temporary file of the vdso.
meant_vdso_file() { sed -E 's,^( \.{6} dso: )/tmp/perf-vdso\.so-.*,\1[vdso],'; }

# The name of a function with debug information, the last of its address.
meant_debug_name_text() {
	awk 'function flush() {
		if (last != "") {
			sub(/ [^\t]*\+0x/, " NAME+0x", last)
			sub(/ \([^(]*\)$/, "", last)
			print last
		}
		last = ""
	}
	/^\t/ { if (last != "" && $1 == ip) { print last; last = "" } flush(); ip = $1; last = $0; next }
	{ flush(); print }
	END { flush() }'
}
