# SPDX-License-Identifier: GPL-2.0-or-later
# ptui evlist, ptui buildid-list and the header of ptui script print what perf prints.
. "$top_srcdir/tests/lib/tap.sh"
. "$top_srcdir/tests/diff/lib.sh"
. "$top_srcdir/tests/diff/script_lib.sh"
need perf root tracefs
one_at_a_time

# Meant differences: the name of the program in a hint; perf, when a sample lies in the vdso, prints the name of the
# temporary file that it unpacked the vdso into.
# lists LABEL COMMAND...
lists() {
	local label=$1
	shift
	perf "$@" -i "$tmp/$label.data" 2>/dev/null |
		sed "s/'perf evlist/'ptui evlist/; s,/[^ ]*/perf-vdso\\.so-[[:alnum:]]*,[vdso],g" >"$tmp/perf.txt"
	"$PTUI" "$@" -i "$tmp/$label.data" >"$tmp/ptui.txt" 2>"$tmp/ptui.err"
	[ -s "$tmp/perf.txt" ] || { not_ok "$label: $*: perf prints nothing"; return; }
	same "$label: $*" "$tmp/perf.txt" "$tmp/ptui.txt"
}

all() {
	recorded "$@" "$work"
	for options in '' -v -F -g --trace-fields '-F --trace-fields' '-v --trace-fields'; do
		# shellcheck disable=SC2086
		lists "$1" evlist $options
	done
	lists "$1" buildid-list
	lists "$1" buildid-list -H
	lists "$1" script --header-only
	lists "$1" script --header-only -I
}

all plain -F 1000
all chains -F 1000 -g -e cpu-clock:u -e page-faults
all trace -e sched:sched_switch -e raw_syscalls:sys_enter
all group -F 1000 -e '{cpu-clock,page-faults}' -e task-clock
all noids -F 1000 -B
all mmap_ids -F 1000 --buildid-mmap
all fields -F 1000 -d -W -I -k mono --namespaces --switch-events --all-cgroups

# The maps of the shell come first, but the ring buffer of its CPU later in the file.
if [ "$(nproc)" -gt 1 ] && taskset -c 1 true 2>/dev/null; then
	recorded moved -B -e page-faults:u -c 1 taskset -c 1 sh -c "taskset -cp 0 \$\$ >taskset.out; exec '$work'"
	lists moved buildid-list -H
else
	skip "moved: buildid-list -H" "one CPU only"
fi

piped pipe -F 1000 -g "$work"
for options in '' -v -F -g; do
	# shellcheck disable=SC2086
	lists pipe evlist $options
done
lists pipe buildid-list
scripts plain --header

perf buildid-list -k >"$tmp/perf.txt" 2>/dev/null
"$PTUI" buildid-list -k >"$tmp/ptui.txt"
same "buildid-list -k" "$tmp/perf.txt" "$tmp/ptui.txt"
perf buildid-list -i "$work" >"$tmp/perf.txt"
expect "buildid-list of a program: perf prints its build-id" grep -qE '^[0-9a-f]{40}$' "$tmp/perf.txt"
quiet "buildid-list of a program" "$PTUI" buildid-list -i "$work"
same "buildid-list of a program: as perf" "$tmp/perf.txt" "$tmp/out"
head -c 64 "$work" >"$tmp/head" # an ELF header, and nothing that it refers to
rc=0
"$PTUI" buildid-list -i "$tmp/head" >"$tmp/out" 2>"$tmp/err" || rc=$?
expect "buildid-list of a program without a build-id" \
	test "$rc $(cat "$tmp/out" "$tmp/err")" = "255 ptui: buildid-list: $tmp/head has no build-id"
finish
