# SPDX-License-Identifier: GPL-2.0-or-later
#
# Copied stacks (--call-graph dwarf) of real programs: frame by frame those that perf script finds, main as
# long as the program's own clock says, and how each stack ends is known.
. "$top_srcdir/tests/lib/tap.sh"
. "$top_srcdir/tests/diff/lib.sh"
need perf root
export LC_ALL=C.UTF-8 HOME=$tmp PERF_CONFIG=/dev/null PERF_BUILDID_DIR=$tmp/debug
unset PTUI_DEBUG PTUI_PAGER PAGER
cd "$tmp" || exit 1

src=$top_srcdir/tests/diff
frames=$top_builddir/tests/diff/frames
cc -O2 -w -pthread -o work "$src/unwind_work.c" 2>cc.err || skip_all "no C compiler: $(head -n 1 cc.err)"

# recorded LABEL [PERF-OPTION...] -- COMMAND...: three tries, as perf may die of others' recordings
recorded() {
	local label=$1
	shift
	for _ in 1 2 3; do
		in_company perf record -q --no-bpf-event -F 2000 --call-graph dwarf -e cpu-clock -o "$label.data" "$@" \
			>"$label.out" 2>record.err && return
		note "perf record $*: status $?: $(tail -n 2 record.err)"
	done
}

# counted LABEL: the numbers of tests/diff/frames.c, in $label.counts
counted() {
	perf script --no-inline -i "$1.data" -F tid,time,ip 2>/dev/null | "$frames" -v "$1.data" >"$1.all" 2>&1
	grep -v '^#' "$1.all" >"$1.counts"
}
count() { awk -v name="$2" -v field="${3:-2}" '$1 == name { print $field }' "$1.counts"; }

# equal LABEL: 998 of 1000 of perf's frames, and those of one stack, but for those for which perf is known to be wrong
equal() {
	counted "$1"
	awk '{ n[$1] = $2; differ[$1] = $3 }
	     END {
		print n["frames"] " frames, differ: we-stop " differ["we-stop"] ", other " differ["other"] > "/dev/stderr"
		exit !(n["samples"] > 20 && n["we-stop"] + n["other"] <= n["samples"] / 100 + 1 &&
		       differ["we-stop"] + differ["other"] <= n["frames"] * 0.002 + 32)
	     }' "$1.counts" || { grep -A 2 -e '^# other' -e '^# we-stop' "$1.all" | head -n 9; return 1; }
}
# exact LABEL: the same of all of perf's frames, but for signal trampolines
exact() {
	equal "$1" &&
		awk '{ n[$1] = $2; differ[$1] = $3 }
		     END { exit !(n["equal"] + differ["by-one"] >= n["frames"] * 0.998) }' "$1.counts" ||
		{ cat "$1.counts"; return 1; }
}
# ends LABEL PERCENT: so many stacks reach a start, are longer than their copy, or end in unmapped memory or in .init
ends() {
	awk -v least="$2" '{ n[$1] = $2 }
		END { exit !((n["reached"] + n["truncated"] + n["other-stack"] + n["cut"] + n["unmapped"] + n["init"]) * 100 >= n["samples"] * least) }' "$1.counts" ||
		{ cat "$1.counts"; grep -B 2 '^# ptui.*broken:' "$1.all" | head -n 9; return 1; }
}
reaches() {
	awk -v least="$2" '{ n[$1] = $2 } END { exit !(n["reached"] * 100 >= n["samples"] * least) }' "$1.counts" ||
		{ cat "$1.counts"; return 1; }
}

# said LABEL: the line about user stacks
said() { "$PTUI" report --stdio -i "$1.data" "${@:2}" 2>report.err | sed -n 's/^# User stacks: //p'; }
# children LABEL FUNCTION: its inclusive percentage, of all functions of that name
children() {
	"$PTUI" report --stdio -i "$1.data" --children -g none -s sym -t "|" 2>report.err |
		awk -F "|" -v name="[.] $2" '{ gsub(/ +$/, "", $3) } $3 == name { sum += $1 } END { print sum + 0 }'
}

# --- a program that sorts and prints, against its own clock

recorded qsort -- ./work qsort 60
expect "qsort and snprintf: perf's frames" exact qsort
expect "they reach a start" reaches qsort 99
expect "and that is reported" eval 'said qsort | grep -Eq "^(100.0|99.[0-9])% reach the start"'
# Where a sample falls is chance: four standard deviations of the share are allowed.
as_the_clock_says() {
	local part=$1 got
	got=$(children qsort "$2")
	awk -v part="$part" -v got="${got:-0}" -v n="$(count qsort samples)" '{ ns[$1] = $2 }
		END { p = ns[part] / ns["all"]; s = 400 * sqrt(p * (1 - p) / n)
		      printf "clock %.2f %%, ptui %.2f %%, allowed %.2f\n", 100 * p, got, 1 + s
		      d = 100 * p - got; exit !(d < 1 + s && d > -1 - s) }' qsort.out
}
expect "main has the share of its clock" eval '[ "$(children qsort main | cut -d. -f1)" -ge 98 ]'
expect "what calls qsort as well" as_the_clock_says sort sort_part
expect "and what calls snprintf" as_the_clock_says print print_part

# --- C++, and programs that distributions build without frame pointers

if c++ -O2 -w -o workcc "$src/unwind_work.cc" 2>cc.err; then
	recorded sort -- ./workcc sort 300
	expect "std::sort: perf's frames" exact sort
	expect "they reach a start" reaches sort 99
	# Which functions are inlined is not compared: perf asks addr2line.
	report_meant=(header_hint tip user_stacks tied_rows tied_branches plt_head)
	reports "names and trees" sort.data --no-inline --no-children
	reports "names and trees" sort.data --no-inline --no-children --max-stack 3
	reports "names and trees" sort.data --no-inline --no-children --no-demangle
	recorded throw -- ./workcc throw 300
	expect "exceptions: perf's frames" exact throw
	expect "they reach a start" reaches throw 99
	recorded cc -- c++ -O1 -S -o /dev/null "$src/unwind_work.cc"
	expect "a compiler: perf's frames" equal cc
	expect "how its stacks end is known" ends cc 99
else
	skip "C++" "no C++ compiler: $(head -n 1 cc.err)"
fi
if [ -x /usr/bin/python3 ]; then
	recorded python -- /usr/bin/python3 -c 'import json
for i in range(150): json.loads(json.dumps({str(k): [k] * 10 for k in range(300)}))'
	expect "python3: perf's frames" equal python
	expect "how its stacks end is known" ends python 99
fi
if command -v git >/dev/null && git init -q repo 2>/dev/null; then
	seq 20000 >repo/a
	cp "$src"/*.c repo
	git -C repo add . && git -C repo -c user.name=a -c user.email=a@b commit -qm a
	seq 3 3 60000 >repo/a
	recorded git -- sh -c 'for i in 1 2 3 4 5 6 7 8; do git -C repo diff --stat --patience; done'
	expect "git: perf's frames" equal git
	expect "how its stacks end is known" ends git 99
fi

# --- what makes stacks hard

recorded signal -- ./work signal 30
expect "signal handlers: perf's frames" exact signal
expect "through the handler they reach a start" reaches signal 99
expect "the trampoline has its name" eval '[ "$(children signal __restore_rt)" != 0 ] ||
	! grep -q "[0-9a-f]" <(nm -D /lib/x86_64-linux-gnu/libc.so.6 2>/dev/null | grep __restore_rt)'
recorded altstack -- ./work altstack 60
expect "handlers with a stack of their own: perf's frames" equal altstack
expect "how they end is known" ends altstack 99
expect "what they interrupted is on another stack, and counted as such" eval '[ "$(count altstack other-stack)" -gt 5 ] &&
	[ "$(count altstack truncated)" -eq 0 ] && said altstack | grep -q "% lead to another stack, which is not copied" || ! cat altstack.counts'
timeout 50 "$PTUI" record -N -F 2000 --call-graph dwarf,live -e cpu-clock -o altlive.data -- ./work altstack 30 >altlive.out 2>&1
expect "the same if they are unwound while recording" eval 'said altlive | grep -q "% lead to another stack, which is not copied" &&
	! said altlive | grep -q "deeper than"'
expect "no caller is reported missing: frame pointers were not used" eval '! said altlive | grep -q "lack the caller"'
recorded threads -- ./work threads
expect "threads: perf's frames" exact threads
expect "they reach a start" reaches threads 99
recorded fork -- ./work fork 24
expect "fork with and without exec: perf's frames" equal fork
expect "how they end is known" ends fork 97

cc -O2 -w -shared -fPIC -DFRAME=64 -o liba.so "$src/unwind_lib.c"
cc -O2 -w -shared -fPIC -DFRAME=900 -o libb.so "$src/unwind_lib.c"
recorded remap -- ./work remap 300 ./liba.so ./libb.so
expect "the libraries were at one address" [ "$(sort -u remap.out | wc -l)" -lt "$(wc -l <remap.out)" ]
expect "two libraries at one address: perf's frames" equal remap
# nothing else calls burn
through=$(children remap unwind_lib) burn=$(children remap burn)
expect "their stacks are not confused" awk -v through="$through" -v burn="$burn" \
	'BEGIN { print through " of " burn; exit !(burn > 10 && through >= burn * 0.99 && through <= burn + 4) }'

"$top_builddir/tests/diff/lbr" lbr.data
expect "call stacks of the LBR, in a made recording: perf's frames" exact lbr

# --- files that are elsewhere, stripped, gone

strip -o stripped work
recorded stripped -- ./stripped qsort 20
expect "a stripped program" eval 'counted stripped; reaches stripped 99'
cc -O2 -g -w -pthread -fno-asynchronous-unwind-tables -o noframe "$src/unwind_work.c"
objcopy --only-keep-debug noframe noframe.debug
objcopy --strip-debug --add-gnu-debuglink=noframe.debug noframe
recorded debuglink -- ./noframe qsort 20
expect "call frame information in a separate debug file" eval 'counted debuglink; reaches debuglink 99'
mv noframe.debug elsewhere
rm -rf debug .debug
counted debuglink
expect "without it they end in the program" eval '! reaches debuglink 99 >/dev/null'
expect "and the report shows it" eval 'said debuglink | grep -q "end in noframe"'

cp work gone
recorded gone -- ./gone qsort 10
rm -rf gone debug .debug
expect "a deleted program is the reason" eval \
	'said gone | grep -Eq "end in .*gone \([0-9.]+%: .*/gone does not exist"'

finish
