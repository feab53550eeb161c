# SPDX-License-Identifier: GPL-2.0-or-later
# ptui report --stats, --tasks and --mmaps print what perf report prints.
. "$top_srcdir/tests/lib/tap.sh"
. "$top_srcdir/tests/diff/lib.sh"
. "$top_srcdir/tests/diff/script_lib.sh"
need perf root tracefs

# contents LABEL OPTION...: as a file and from standard input
contents() {
	local label=$1
	shift
	perf report -i "$tmp/$label.data" "$@" >"$tmp/perf.txt" 2>"$tmp/perf.err"
	"$PTUI" report -i "$tmp/$label.data" "$@" >"$tmp/ptui.txt" 2>"$tmp/ptui.err" ||
		note "ptui: status $?: $(cat "$tmp/ptui.err")"
	[ -s "$tmp/perf.txt" ] || { not_ok "$label: $*: perf prints nothing"; return; }
	alike "$label: $*" "$tmp/perf.txt" "$tmp/ptui.txt" "${contents_meant[@]}"
}
contents_meant=(ino_of_build_id vdso32)

# The inode of a map that has a build-id: perf shows bytes of the build-id.
meant_ino_of_build_id() { sed -E 's/^( +[0-9a-f]+-[0-9a-f]+ .{4} [0-9a-f]{8}) [0-9]+ /\1 INO /'; }
# -a beside a 32-bit program of others.
meant_vdso32() { sed 's/\[vdso32\]$/[vdso]/'; }

all_contents() {
	contents "$1" --stats
	contents "$1" --tasks
	contents "$1" --mmaps
}

i=0
for options in '-F 1000' '-F 1000 -g' '-e cpu-clock,page-faults' '-e {cpu-clock,page-faults}:S -F 1000' '-z -F 2000 -g' \
	'-a -F 500' '-F 500 --namespaces --switch-events --all-cgroups' '-e sched:sched_switch' '-F 1000 -s' '-F 1000 -T' \
	'-F 1000 -d' '-F 1000 --buildid-mmap' '-F 1000 --per-thread'; do
	label=$((i += 1))
	# shellcheck disable=SC2086
	recorded "$label" $options "$work"
	all_contents "$label"
	[ "$tap_bad" -eq 0 ] || note "$label: $options"
	rm -f "$tmp/$label.data"
done
# a tree of processes, some of which share an id
recorded tree -F 1000 sh -c '(sh -c "true; sleep 0.1; true" & sh -c "(true & true); true"; wait); true'
all_contents tree
contents tree --tasks --mmaps

piped pipe -F 1000 -g "$work"
all_contents pipe
contents pipe --mmaps
for option in --stats --mmaps; do
	perf report -i - "$option" <"$tmp/pipe.data" >"$tmp/perf.txt" 2>/dev/null
	"$PTUI" report -i - "$option" <"$tmp/pipe.data" >"$tmp/ptui.txt"
	same "standard input: $option" "$tmp/perf.txt" "$tmp/ptui.txt"
done
"$PTUI" record -q -F 1000 -o "$tmp/ours.data" -- "$work" 2>"$tmp/err" || note "$(cat "$tmp/err")"
all_contents ours
"$top_builddir/tests/diff/fields" "$tmp/made.data"
contents made --stats

expect "--stats and --tasks together are an error" sh -c \
	'! "$0" report -i "$1" --stats --tasks 2>"$2" && grep -q "cannot be used together" "$2"' "$PTUI" "$tmp/ours.data" "$tmp/err"
both() { "$PTUI" report -i "$tmp/ours.data" --header --stats | grep -c '^# cmdline\|^Aggregated stats' | grep -qx 2; }
expect "--header: before the counts" both

# shellcheck disable=SC2016
expect "--stats -v: the memory of the report, for each of its samples" sh -c \
	'"$0" report -i "$1" --stats -v 2>"$2" | awk "/SAMPLE events/ { n = \$3 } /^Memory of the report/ { m = \$8 }
		/columns bytes/ { bytes = \$3 } END { exit !(n > 0 && m == n && bytes > 0) }"' "$PTUI" "$tmp/ours.data" "$tmp/err"

all_differ
finish
