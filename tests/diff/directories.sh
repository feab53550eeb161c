# SPDX-License-Identifier: GPL-2.0-or-later
# Recordings that are directories: ptui report prints what perf report prints.
. "$top_srcdir/tests/lib/tap.sh"
. "$top_srcdir/tests/diff/lib.sh"
. "$top_srcdir/tests/diff/report_lib.sh"
need perf root tracefs

recorded() { # LABEL OPTION...: a directory, if this perf can make one
	local label=$1
	shift
	LD_BIND_NOW=1 in_company perf record -q --no-bpf-event -o "$tmp/$label.data" "$@" >"$tmp/record.out" 2>&1 ||
		skip_all "perf record $*: $(cat "$tmp/record.out")"
}

# A directory with a file per thread of the recorder.
recorded threads --threads -F 1000 -g -e cpu-clock:u "$work"
rows "a directory" "$tmp/threads.data"
reports "a directory" "$tmp/threads.data"
recorded packed_threads -z --threads -F 1000 -g -e cpu-clock:u "$work"
rows "a compressed directory" "$tmp/packed_threads.data"
by_its_file() {
	local name
	for name in threads.data threads.data/data; do
		"$PTUI" report --stdio -s comm,dso,sym -i "$tmp/packed_$name" >"$tmp/rows.$(basename "$name")" || return
	done
	grep -q work "$tmp/rows.data" && diff "$tmp/rows.threads.data" "$tmp/rows.data"
}
expect "a directory by its file, which perf does not read" by_its_file

all_differ
finish
