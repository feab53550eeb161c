# SPDX-License-Identifier: GPL-2.0-or-later
# ptui report --header prints what perf report --header prints, of recordings by either.
. "$top_srcdir/tests/lib/tap.sh"
. "$top_srcdir/tests/diff/lib.sh"
need perf root tracefs

# header LABEL FILE: the header, without and with the long facts. ptui's may have lines of
# simpleperf's own, which perf does not read, and of AUX data, which perf lists with -D only.
header() {
	local label=$1 file=$2 info
	for info in "" --show-info; do
		# shellcheck disable=SC2086
		perf report --header-only $info -i "$file" >"$tmp/perf.out" 2>/dev/null
		# shellcheck disable=SC2086
		"$PTUI" report --header-only $info -i "$file" >"$tmp/ptui.raw" 2>"$tmp/ptui.err"
		grep -v '^# meta info : \|^#  AUX area data of ' "$tmp/ptui.raw" >"$tmp/ptui.out"
		expect "$label${info:+, $info}" same_text
	done
}
same_text() {
	[ -s "$tmp/perf.out" ] && diff "$tmp/perf.out" "$tmp/ptui.out"
}

i=0
for options in '-e cpu-clock,page-faults -g' '-z -k mono -e cpu-clock' '-k boottime -e task-clock:u' \
	'-e {cpu-clock,page-faults}' '-e sched:sched_switch -R' '-d -W --call-graph dwarf,1024 -I' \
	'-s -T -P --phys-data -c 10000' '--switch-events --namespaces --all-cgroups -F 100' '--threads'; do
	for recorder in perf "$PTUI"; do
		[ "$recorder $options" != "$PTUI --threads" ] || continue
		file=$tmp/$((i += 1)).data
		# shellcheck disable=SC2086
		in_company "$recorder" record -q -o "$file" $options -- "$work" "it's" >"$tmp/record.out" 2>&1 ||
			note "$recorder record $options: $(cat "$tmp/record.out")"
		header "$(basename "$recorder") record $options" "$file"
	done
done
in_company perf record -o - -e cpu-clock -- true 2>/dev/null >"$tmp/pipe.data"
header "a pipe" "$tmp/pipe.data"

"$PTUI" report --stdio --header -I -g none -i "$tmp/1.data" >"$tmp/ptui.out"
"$PTUI" report --header-only -I -i "$tmp/1.data" >"$tmp/header.out"
first_lines() { diff <(head -n "$(wc -l <"$tmp/header.out")" "$tmp/ptui.out") "$tmp/header.out" && grep -q '^# Overhead\|^# Children' "$tmp/ptui.out"; }
expect "--header: before the rows" first_lines
"$PTUI" report --stdio --header -i - <"$tmp/pipe.data" >"$tmp/ptui.out" 2>&1
expect "--header: of a pipe" grep -q '^# cmdline : .*perf record -o - -e cpu-clock -- true' "$tmp/ptui.out"

recordings=${PTUI_PERFDATA:-$top_srcdir/../shared/perfdata} # not part of the source
for file in "$recordings"/*/*data*; do
	case $file in
	*.gz | *.md | *expected) continue ;;
	esac
	# of a newer perf, or damaged
	text=$(perf report --header-only -i "$file" 2>&1) || continue
	case $text in
	*'incompatible file format'* | *'(null)'*) continue ;;
	'#'*) ;;
	*) continue ;;
	esac
	header "${file#"$recordings/"}" "$file"
done
finish
