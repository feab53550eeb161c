#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Symbols come only from files and kernels proven to be the recorded ones: none of this machine's
# for recordings of other machines (PTUI_PERFDATA, as in tests/diff/other-machines.sh), all of them
# for local recordings without build-ids.

. "$top_srcdir/tests/lib/tap.sh"
unset PTUI_PAGER PAGER PTUI_DEBUG
export HOME=$tmp
cd "$tmp" || exit 1

folder=${PTUI_PERFDATA:-$top_srcdir/../shared/perfdata}
sources() { # WORDS: of report; the files that names were taken from
	rm -f log
	PTUI_DEBUG=$tmp/log "$PTUI" report --stdio "$@" >out 2>err </dev/null
	sed -n 's/.*using symbols from //p' log
}
if [ -d "$folder" ]; then
	while IFS= read -r file; do
		expect "${file#"$folder/"}: no names of this machine" test -z "$(sources -i "$file")"
	done < <(find "$folder" -type f ! -name '*.md' ! -name '*.gz' | sort)
else
	skip "recordings of other machines" "there is no folder $folder (PTUI_PERFDATA)"
fi

need perf root
one_at_a_time
record() { perf record -q "$@" -e page-faults -c 1 -- sort /etc/passwd >/dev/null 2>&1; }
named() { # the C library's rows have names
	grep -q "libc.*\\[\\.\\] [a-zA-Z_]" out && ! grep -q '^# Unverified' out && return
	cat out err
	return 1
}
record -o with.data
"$PTUI" report --stdio -i with.data >out 2>err
expect "recorded here with build-ids: names" named
record -B -N -o without.data
"$PTUI" report --stdio -i without.data >out 2>err
expect "recorded here without build-ids: names" named
perf record -q -e page-faults -c 1 -o - -- sort /etc/passwd 2>/dev/null >piped.data
"$PTUI" report --stdio -i - <piped.data >out 2>err
expect "recorded here into a pipe: names" named

# the same file by another host's word
host=$(uname -n)
if [ "${#host}" -le 60 ]; then
	LC_ALL=C sed "s/$host\x00/$(printf '%*s' "${#host}" '' | tr ' ' x)\x00/g" without.data >other.data
	"$PTUI" report --stdio -i other.data >out 2>err
	expect "of another host: counted as unverified" grep -q '^# Unverified samples: [1-9][0-9]*, without names' out
	expect "of another host: no names" eval '! grep -q "\[\.\] [a-z_]" out'
	"$PTUI" report --stdio --force-names -i other.data >out 2>err
	expect "--force-names: names, marked" grep -q '(unverified)' out
	expect "--force-names: counted" grep -q '^# Unverified samples: [1-9][0-9]*, names may be wrong' out
fi
finish
