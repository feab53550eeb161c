# SPDX-License-Identifier: GPL-2.0-or-later
# Each command that reads a recording or writes another, once and without perf: under sanitizers, where the
# comparisons with perf do not run.
. "$top_srcdir/tests/lib/tap.sh"
unset PTUI_PAGER PAGER PTUI_DEBUG XDG_CONFIG_HOME DEBUGINFOD_URLS
export LC_ALL=C.UTF-8 HOME=$tmp PERF_CONFIG=/dev/null
need perf root
cd "$tmp" || exit 1
work=$top_builddir/tests/diff/work

# does PATTERN COMMAND...: status 0, nothing on stderr, and such a line on stdout. A busy machine loses records, which
# is reported.
does() {
	local pattern=$1 rc=0
	shift
	"$PTUI" "$@" >out 2>err </dev/null || rc=$?
	sed -i -E '/: the kernel dropped [0-9]+ records? while it was recorded|: [0-9]+ of them (was a|were) sideband record/d' err
	[ $rc -eq 0 ] && [ ! -s err ] && grep -qE -- "$pattern" out && return
	echo "status $rc"
	head -n 20 out err
	return 1
}

in_company "$PTUI" record -q -e cpu-clock:u,page-faults:u -F 2000 -g -o a.data -- "$work" >out 2>err || cat err
in_company "$PTUI" record -q -e cpu-clock:u -F 2000 --call-graph dwarf -o copied.data -- "$work" spin 100 >out 2>err || cat err
for file in a copied; do
	expect "$file: report" does '\[\.\] leaf' report --stdio -i $file.data
	expect "$file: report -s srcline" does '%' report --stdio -g none -s srcline -i $file.data
	expect "$file: script" does 'leaf\+0x' script -i $file.data
	expect "$file: script -D" does 'RECORD_SAMPLE' script -D -i $file.data
	expect "$file: script, all fields" does leaf script -F +srcline,+period,+ip,+sym,+symoff,+dso -i $file.data
	expect "$file: evlist" does 'cpu-clock' evlist -v -i $file.data
	expect "$file: buildid-list -H" does "$work" buildid-list -H -i $file.data
	expect "$file: diff" does '\[\.\] leaf' diff -c ratio $file.data a.data
	if "$PTUI" annotate --stdio -i $file.data leaf 2>&1 | grep -q 'without the disassembler\|libopcodes'; then
		skip "$file: annotate" "there is no disassembler"
	else
		expect "$file: annotate" does ' : +[0-9a-f]+:' annotate --stdio -i $file.data leaf
		expect "$file: annotate -l" does ' : +[0-9a-f]+:' annotate --stdio -l -i $file.data leaf
	fi
	expect "$file: archive" "$PTUI" --buildid-dir cache archive -q -i $file.data -o $file.tar.zst
	rm -rf unpacked
	expect "$file: archive --unpack" "$PTUI" archive -q --unpack $file.tar.zst -o unpacked
	expect "$file: report of the archive" does '\[\.\] leaf' --buildid-dir cache report --stdio -i $file.tar.zst
	expect "$file: inject -b" "$PTUI" inject -b -i $file.data -o injected.data
	expect "$file: what it wrote" does '\[\.\] leaf' report --stdio -i injected.data
done
expect "inject --convert-callchain" "$PTUI" inject --convert-callchain -i copied.data -o converted.data
expect "what it wrote" does 'leaf\+0x' script -i converted.data
if in_company "$PTUI" record -q -a -e sched:sched_switch -e sched:sched_stat_runtime -o sched.data -- "$work" >out 2>err; then
	expect "inject -s" "$PTUI" inject -s -i sched.data -o merged.data
	expect "what it wrote" does sched_switch script -i merged.data
else
	skip "inject -s" "$(head -n 1 err)"
fi

expect "buildid-cache: add" "$PTUI" --buildid-dir cache buildid-cache -a "$work"
expect "buildid-cache: list" does "$work" --buildid-dir cache buildid-cache -l
expect "buildid-cache: purge" "$PTUI" --buildid-dir cache buildid-cache -p "$work"

expect "probe: functions" does '^leaf$' probe -x "$work" -F
expect "probe: definition" does '^p:probe_work/leaf' probe -x "$work" -D leaf

# --- counts: with the totals of the whole, by thread, by CPU and in intervals

counts() { # LABEL OPTION...
	local label=$1
	shift
	expect "$label: stat record" "$PTUI" stat record -o stat.data -e page-faults,context-switches "$@"
	expect "$label: stat report" eval '"$PTUI" stat report -i stat.data 2>text && grep -q page-faults text || ! cat text'
	expect "$label: script" "$PTUI" script -i stat.data
	expect "$label: evlist" does page-faults evlist -i stat.data
}
counts "a command" -- "$work" nothing
counts "threads" --per-thread -p $$ -- "$work" nothing
counts "CPUs" -a -A -- "$work" nothing
counts "cores" -a --per-core -- "$work" nothing
counts "intervals" -I 20 -a -- "$work" spin 60
for by in --per-core --per-die --per-socket --per-node -A; do
	expect "CPUs: stat report $by" eval '"$PTUI" stat report $by -i stat.data 2>text && grep -q page-faults text || ! cat text'
done
finish
