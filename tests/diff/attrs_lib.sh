# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# For attrs.sh and attrs-fields.sh.
. "$top_srcdir/tests/lib/tap.sh"
. "$top_srcdir/tests/diff/lib.sh"
need perf root tracefs
one_at_a_time

attrs_meant=(attr_size build_id ids_of_sideband own_sideband chain_left_over)

# fields: perf evlist -v, one field per line after the event's name.
fields() {
	sed -e '/^# Tip/d' -e 's/{ sample_period, sample_freq }/sample_period_or_freq/' \
		-e 's/: type: /\n\ttype: /' -e 's/, /\n\t/g'
}

# record WHO FILE RECORD-OPTION...
record() {
	local who=$1 file=$2
	shift 2
	if [ "$who" = perf ]; then
		perf record -B -o "$file" "$@"
	else
		"$PTUI" record -o "$file" "$@"
	fi >"$file.out" 2>&1 || echo "status $?" >>"$file.out"
}

# attrs RECORD-OPTION...: both record the same. perf sleeps for a second at its end, so all
# recordings run in parallel, and are compared afterwards.
n=0
load=("$work" nothing)
attrs() {
	n=$((n + 1))
	titles[n]=$*
	record perf "$tmp/perf.$n" "$@" "${load[@]}" &
	recorders+=($!)
	record ptui "$tmp/ptui.$n" "$@" "${load[@]}"
}

compare() {
	local i who
	wait "${recorders[@]}"
	next_turn
	for ((i = 1; i <= n; i++)); do
		for who in perf ptui; do
			attrs_of "$tmp/$who.$i" 2>>"$tmp/$who.$i.out" | fields >"$tmp/$who.$i.attrs"
			[ -s "$tmp/$who.$i.attrs" ] || note "$(cat "$tmp/$who.$i.out")"
		done
		alike "${titles[i]:-no option}" "$tmp/perf.$i.attrs" "$tmp/ptui.$i.attrs" "${attrs_meant[@]}"
	done
}
