# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# For the comparisons with perf, behind tap.sh:
#
#	quiet NAME COMMAND...	exit 0 and no word on stderr; its output is in $tmp/out
#	alike NAME PERF PTUI DIFFERENCE...
#			two texts are the same but for the differences meant
#	all_differ	every difference listed for this script made one
#
# A difference has a line in tests/diff/differences, and a filter here of its
# name: meant_NAME WHO reads the text of WHO (perf or ptui) from stdin.

differences=$top_srcdir/tests/diff/differences
work=$top_builddir/tests/diff/work

# No user configuration, and a build-id cache of the test only. Comms of concurrent processes may
# contain any characters.
export LC_ALL=C.UTF-8
export HOME=$tmp PERF_CONFIG=/dev/null PERF_BUILDID_DIR=$tmp/debug
unset PTUI_DEBUG

# attrs_of FILE: perf evlist -v. The default event of perf, cycles or a clock instead, has exclude_guest in 6.1.192; it
# has not before and since 6.13, nor in ptui.
attrs_of() { LC_ALL=C perf evlist -v -i "$1" | sed -E '/^(cpu-clock:pppH|cycles): /{ s/pppH/ppp/; s/, exclude_guest: 1//; }'; }

quiet() {
	local name=$1 status=0
	shift
	"$@" >"$tmp/out" 2>"$tmp/err" || status=$?
	if [ "$status" -eq 0 ] && [ ! -s "$tmp/err" ]; then
		ok "$name"
	else
		not_ok "$name"
		note "status $status of: $*"
		head -n 20 "$tmp/err" | sed 's/^/# /'
	fi
}

# filtered FROM TO WHO DIFFERENCE...
filtered() {
	local from=$1 to=$2 who=$3
	shift 3
	cp "$from" "$to"
	for difference; do
		"meant_$difference" "$who" <"$to" >"$to.new" && mv "$to.new" "$to"
	done
}

declare -A did_differ=()

# same_without PERF PTUI DIFFERENCE...: the texts are the same without these.
same_without() {
	local perf=$1 ptui=$2
	shift 2
	filtered "$perf" "$tmp/alike.perf" perf "$@"
	filtered "$ptui" "$tmp/alike.ptui" ptui "$@"
	cmp -s "$tmp/alike.perf" "$tmp/alike.ptui"
}

# Applies one difference after the other, until the texts are equal: so that no difference is hidden
# needlessly.
alike() {
	local name=$1 perf=$2 ptui=$3 all_perf=$2 all_ptui=$3 taken=()
	shift 3
	until cmp -s "$perf" "$ptui"; do
		if [ $# -eq 0 ]; then
			same "$name" "$perf" "$ptui"
			return
		fi
		declare -F "meant_$1" >/dev/null || { not_ok "$name: there is no filter meant_$1"; return; }
		"meant_$1" perf <"$perf" >"$tmp/alike.perf.$#"
		"meant_$1" ptui <"$ptui" >"$tmp/alike.ptui.$#"
		perf=$tmp/alike.perf.$# ptui=$tmp/alike.ptui.$#
		taken+=("$1")
		shift
	done
	ok "$name"
	for without in "${taken[@]}"; do
		[ -n "${did_differ[$without]:-}" ] || differs_without "$without" "$all_perf" "$all_ptui" "${taken[@]}"
	done
}

# Was this difference needed among those applied?
differs_without() {
	local without=$1 perf=$2 ptui=$3 others=()
	shift 3
	for difference; do
		[ "$difference" = "$without" ] || others+=("$difference")
	done
	same_without "$perf" "$ptui" "${others[@]}" || did_differ[$without]=yes
}

all_differ() {
	local script name scripts stale=
	script=$(basename "$0" .sh)
	while IFS='| ' read -r name scripts _; do
		case " ${scripts//,/ } " in *" $script "*)
			[ -n "${did_differ[$name]:-}" ] || stale="$stale $name" ;;
		esac
	done < <(grep -v '^#' "$differences")
	expect "every difference listed for $script is one:$stale" [ -z "$stale" ]
}

# recorded LABEL OPTION...: by perf, as $tmp/LABEL.data. perf has a thread for new BPF programs,
# which takes a second to end. Tried again if perf aborted: see one_at_a_time. Functions are bound when the program
# starts: the head of the PLT, which perf names _init and hides otherwise than ptui, never runs.
recorded() {
	local label=$1
	shift
	for _ in 1 2 3; do
		LD_BIND_NOW=1 in_company perf record -q --no-bpf-event -o "$tmp/$label.data" "$@" >"$tmp/record.out" 2>&1 && return
		note "perf record $*: status $?: $(cat "$tmp/record.out")"
	done
}

# reports LABEL FILE OPTION...: the texts of perf and ptui. perf_instead: other options for perf,
# with the name of that difference in instead; other differences are in report_meant. Additional
# options for ptui only are in ptui_too.
perf_instead=()
ptui_too=()
instead=
report_meant=()

reports() {
	local label=$1 file=$2 meant=("${report_meant[@]}")
	shift 2
	[ -z "$instead" ] || ! declare -F "meant_$instead" >/dev/null || meant=("$instead" "${meant[@]}")
	perf report --stdio -i "$file" "$@" "${perf_instead[@]}" >"$tmp/perf.txt" 2>"$tmp/perf.err"
	"$PTUI" report --stdio -i "$file" "$@" "${ptui_too[@]}" >"$tmp/ptui.txt" 2>"$tmp/ptui.err" ||
		note "ptui: status $?: $(cat "$tmp/ptui.err")"
	alike "$label: ${*:-default}" "$tmp/perf.txt" "$tmp/ptui.txt" "${meant[@]}"
	[ -n "$instead" ] && [ -z "${did_differ[$instead]:-}" ] || return
	perf report --stdio -i "$file" "$@" >"$tmp/perf.txt" 2>/dev/null
	only_meant "$tmp/perf.txt" "$tmp/ptui.txt" "${report_meant[@]}" || did_differ[$instead]=yes
}

# rows LABEL FILE: names, counts, percentages and their order.
row_options=(--stdio -F "overhead,sample,comm,dso,sym" -t "|" --no-children -g none)
rows() { reports "$@" "${row_options[@]}"; }

# asked DIFFERENCE OPTION... -- COMMAND...: with other options for perf.
asked() {
	instead=$1
	perf_instead=()
	while shift; [ "$1" != -- ]; do perf_instead+=("$1"); done
	shift
	"$@"
	instead=
	perf_instead=()
}

# --- the differences ---

meant_header_hint() {
	[ "$1" = perf ] || { cat; return; }
	sed '/^# To display the perf.data header info, please use --header/{N;d}'
}

meant_tip() {
	[ "$1" = perf ] || { cat; return; }
	sed '/^#$/{N;/^#\n# (Tip: /{N;d}
		P;D}'
}

meant_user_stacks() { sed '/^# User stacks: /d'; }

# With -v.
meant_without_symbols() { sed '/^# Without symbols: /d'; }

# Rows of one weight in order of their text, each with its chains.
meant_tied_rows() {
	awk 'function flush(  i, j, t) {
		for (i = 2; i <= n; i++)
			for (j = i; j > 1 && block[j - 1] > block[j]; j--) {
				t = block[j]; block[j] = block[j - 1]; block[j - 1] = t
			}
		for (i = 1; i <= n; i++) printf "%s", block[i]
		n = 0
	}
	/^ +[0-9.]+%/ { if ($1 != weight) flush(); weight = $1; block[++n] = $0 "\n"; next }
	n && !/^#/ { block[n] = block[n] $0 "\n"; next }
	{ flush(); weight = ""; print }
	END { flush() }'
}

# Sorts branches of equal weight by their text. The drawing shows depth and which one is the last;
# neither is compared here.
meant_tied_branches() {
	awk 'function flush(  i, j, t) {
		for (i = 2; i <= n; i++)
			for (j = i; j > 1 && line[j - 1] > line[j]; j--) {
				t = line[j]; line[j] = line[j - 1]; line[j - 1] = t
			}
		for (i = 1; i <= n; i++) print line[i]
		n = 0
	}
	/^ +[0-9.]+%/ || /^#/ { flush(); print; next }
	/^[ |]*$/ { next }
	{ gsub(/[|]/, " "); sub(/^ +--/, "--"); sub(/^ +/, ""); line[++n] = $0 }
	END { flush() }'
}

meant_caller_offset() { sed -E '/ 0\.00% /s/(\[[.k]\]) 0x[0-9a-f]{16}$/\1 0x?/'; }

# Callers without a name, and what is below them: perf has a row for each process, and another for samples at that place.
meant_caller_rows() {
	awk '/\[[.k]\] / || /^#/ { nameless = /(^ *0| 0\.00%) |\] 0x[0-9a-f?]+( +0)+ *$/ && /\[\.\] 0x[0-9a-f?]+( |,|\||$)/ }
	     !nameless' | squeezed
}

meant_raw_counts() { sed '/^#.* TID  *Name  *Raw /,$s/$/ /' | awk '/^#.* TID  *Name  *Raw / { raw = 1; print; next } raw { printf "%s", $0; next } { print }' | sed 's/   */ /g'; }

# Of a caller, with -v.
meant_caller_place() { sed -E '/^ /s/0x[57][0-9a-f]{11}( +[a-zA-Z!] \[)/0x?\1/'; }

# With -v.
meant_vdso_place() { sed -E '/ \[vdso\] |__vdso_|\[\.\] 0x0{12}[0-9a-f]{4}$/s/ [Bbd] (\[\.\])/ ? \1/'; }

# Of "-s dso_size,dso"; no other size may be so.
# Its digits count for the width of the column, too.
meant_kernel_size() { sed -E 's/[0-9]+([ ,]+\[kernel\.kallsyms\])/SIZE\1/; s/, +/,/g'; }

meant_frame_line() { sed -E 's/ ([^ ]*:[0-9]+|\+[0-9]+)(( \(.*\))?)$/\2/'; }

# A row that is alone has the width of the title.
meant_trace_cut() { sed -E -e 's/( target_cpu=)[0-9]*$/\1/' -e 's/^( *100\.00% +.{12}).*/\1/'; }

meant_rest_inlined() { sed -E 's/(\[\.\.+\]) \(inlined\)$/\1/'; }

# Without the debug symbols of libc it has the second name.
meant_before_exec() {
	awk '/^ +[0-9.]+%/ || /^#/ { old = /\[\.\] (__GI___)?execve( |$)/ || /\[unknown\] +\[.\] 0x00007/ }
	     !old' |
		sed -E 's/(^|[^_a-zA-Z0-9])((__GI___)?execve|0x7[0-9a-f]+)$/\1(before exec)/'
}

# With -U: perf has a name for such an address, and ptui hides it.
meant_hidden_before_exec() { meant_before_exec | sed '/(before exec)$/d'; }

meant_level_of_nowhere() {
	[ "$1" = perf ] || { cat; return; }
	sed -E -e '/\[unknown\]/s/\[k\] (0x[0-7]|0000)/[.] \1/' -e 's/((0x[0-7][0-9a-f]*|0) +! )\[k\] /\1[.] /'
}

# Addresses in a module that only perf's text has, of those that alike compares: slots in .plt.got of any program that
# ran. As "|0x...|0x...".
plt_got() {
	local who
	for who in perf ptui; do
		local text=all_$who
		grep -oE '\[\.\] 0x0{8}[0-9a-f]{8}( |,|\||$)' "${!text:-/dev/null}" | grep -oE '0x[0-9a-f]+' | sort -u >"$tmp/nameless.$who"
	done
	comm -23 "$tmp/nameless.perf" "$tmp/nameless.ptui" | sed 's/^/|/' | tr -d '\n'
}

# The head of the PLT has no symbol; the one before it has no size. perf 6.1 knows no slots in .plt.got.
# It is at the start of any page, after .init.
# Rows that begin with it are last, with their chains: they are in the order of their names.
meant_plt_head() {
	sed -E 's/(\[\.\] )(_init|0x00000000[0-9a-f]{5}0[0-2][0-9a-f]'"$(plt_got)"'|[^ ]*@plt)( +|$)/\1(head of the PLT)\3/' |
		awk '/^ *\[\.\] \(head of the PLT\)/ { head = 1 }
		     head && (/^#/ || /^ *\[[.k]\] / && !/\(head of the PLT\)/) { head = 0 }
		     head { held = held $0 "\n"; next }
		     /^#/ { printf "%s", held; held = "" }
		     { print }
		     END { printf "%s", held }' | squeezed
}

# Without the names of slots, and the widths that they make.
meant_ifunc_slot() { sed -E -e 's/(\[\.\] )[^ ]*@plt *$/\1(slot of the PLT)/' -e 's/([ -])[^ -]*@plt$/\1@plt/' | squeezed; }

meant_data_offset() {
	[ "$1" = perf ] || { cat; return; }
	sed '/^ *[0-9.]*%/s/+0x[0-9a-f]*$//'
}

meant_simpleperf_event() {
	sed "/^# Samples:/s/of event 'cycles:HG'/of event 'cpu-cycles'/"
}

# The widths of columns go with it.
squeezed() { sed -E -e 's/ +/ /g' -e 's/\.\.+/../g' -e 's/ (\||$)/\1/g'; }

meant_comm_cut() { sed 's/perf-ex\(ec\)*/perf-exec/' | squeezed; }

# Threads that perf shows as "TID::TID" with -s pid.
meant_unnamed_thread() {
	awk -v perf="$tmp/perf.txt" '
	BEGIN {
		while ((getline < perf) > 0)
			if (match($0, /[0-9]+::[0-9]+/))
				unnamed[substr($0, RSTART, index(substr($0, RSTART), ":") - 1)] = 1
	}
	match($0, /[0-9]+:[^ ]/) {
		tid = substr($0, RSTART, RLENGTH - 2)
		if (tid in unnamed)
			sub(tid "::?[^ |,]+", tid ":(unnamed)")
	}
	{ print }' | squeezed
}

meant_foreign_vdso() { sed '/\[vdso\]/d' | squeezed; }

# With --force-names, which uses the same names as perf.
meant_unverified() { sed -e '/^# Unverified samples: /d' -e 's/ (unverified)//' | squeezed; }

# In rows of callers: removes nameless rows, and what is below the others.
meant_nameless_callers() {
	awk '/^ +[0-9.]+%/ { nameless = /\[[.k]\] 0x/ && !/kernel.kallsyms/; if (!nameless) print; next }
	     /^#/ { print }' | squeezed
}

# Rows of functions without a name, and what is below them. Added where libc has none.
meant_nameless_rows() {
	awk '/\[[.k]\] / || /^#/ { nameless = /\[\.\] 0x[0-9a-f?]+( |,|\||$)/ }
	     !nameless' | squeezed
}

# --- of attrs: "\tFIELD: VALUE" lines behind the line of an event's name ---

meant_attr_size() { sed '/^\tsize: /d'; }

meant_build_id() {
	[ "$1" = ptui ] || { cat; return; }
	sed '/^\tbuild_id: 1/d'
}

# mem:ADDRESS/LENGTH:ACCESS, of which perf 6.1 keeps the part before the slash.
meant_breakpoint_name() { sed '/^mem:/s,/.*,,'; }

# For cache events perf 6.1 keeps the name only.
meant_cache_name() { sed -E '/^(L1-[di]cache|LLC|[di]TLB|branch|node)-/s,[:/].*,,'; }

# Of several kinds of cores.
meant_kind_name() {
	sed -E -e 's,^(cpu_(core|atom)/)?(cycles|instructions|cache-misses|L1-dcache-loads|r1a8)[:/\,]*.*,\3,' \
		-e 's,^cpu_core/4:0x3c/$,4:0x3c,' -e 's,^cpu_atom/4:0x3c/$,10:0x3c,'
}

meant_unit_order() {
	awk '!/^\t/ && NR > 1 { print "" } { printf "%s\001", $0 } END { print "" }' | sort | tr '\001' '\n'
}

meant_ids_of_sideband() { sed '/^\tsample_type: /s/|ID\(ENTIFIER\)*//g'; }

# The bits of ptui's last event are on perf's first one; the rest of it must equal perf's if perf
# has such an event, as with -a.
meant_own_sideband() {
	awk -v who="$1" '
	!/^\t/ { events++; name[events] = $0; next }
	{ if (name[events] ~ /^dummy:/ && who == "ptui") {
		if (/^\t(mmap|comm|task|mmap_data|mmap2|comm_exec|context_switch|namespaces|ksymbol|bpf_event|cgroup): 1$/) fields[1] = fields[1] $0 "\n"
	  } else fields[events] = fields[events] $0 "\n" }
	END {
		for (e = 1; e <= events; e++) {
			if (name[e] ~ /^dummy:/ && who == "ptui") continue
			print name[e]
			printf "%s", fields[e] | "sort"
			close("sort")
		}
	}'
}

meant_dummy_branches() {
	awk '!/^\t/ { dummy = /^dummy:/ }
	     !(dummy && /^\tbranch_sample_type: /)'
}

# For events with a callchain term of their own.
meant_chain_left_over() {
	awk '!/^\t/ { own = /call-graph=(fp|no)|max-stack=/ }
	     !(own && /^\t(exclude_callchain_user|sample_regs_user|sample_stack_user): /)'
}

# The rows of perf annotate with code: event and DSO, address, numbers, sorted. Runs of zeros, which objdump leaves
# out, are no code.
annotated_rows() {
	awk '/^ (Percent|Samples|Period) .*\|/ {
		title = $0
		sub(/.*Disassembly of /, "", title)
		sub(/ \([0-9]* samples, /, " (", title)
		next
	}
	/^ +[0-9.]+.* : +[0-9a-f]+: / && !/add +%al,\(%rax\)$/ {
		split($0, part, " : ")
		addr = part[2]
		sub(/:.*/, "", addr)
		print title "|" addr "|" part[1]
	}' | sed 's/  */ /g' | sort
}

# common_rows OF FILE: rows of FILE whose instruction is in OF
common_rows() { awk -F'|' 'NR == FNR { known[$1 "|" $2] = 1; next } ($1 "|" $2) in known' "$1" "$2"; }

# same_instructions NAME PERF PTUI: annotated_rows of both. Samples in a PLT are of a neighbouring function for perf, and
# of NAME@plt for ptui. perf leaves out functions in which only the other events of a group have samples.
same_instructions() {
	common_rows "$3" "$2" >"$tmp/perf.common"
	common_rows "$2" "$3" >"$tmp/ptui.common"
	same "$1" "$tmp/perf.common" "$tmp/ptui.common"
	expect "$1: nearly all" [ $(($(wc -l <"$tmp/perf.common") * 10)) -ge $(($(wc -l <"$2") * 9)) ]
}
