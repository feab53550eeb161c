#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# What each option of ptui record does to the file. The options are those of its help; each has a
# function effect_NAME (with _ for -, or the letter of one that has no name) in one of effects/*.sh.
# An option without one fails here, and so does a function without an option.
#
# Each of record-effects.sh, record-effects-2.sh and record-effects-3.sh takes every third option.
#
# A function is called in an empty folder of its own, and its status is the result; what it prints
# is shown when it fails. 77: skipped, its last line says why. It has:
#
#	rec OPTION... [-- COMMAND...]	records into f.data; stderr in err. Fails when ptui does
#	refused OPTION... 		ptui records nothing, and says why in err
#	perf_rec OPTION... 		perf the same into perf.data
#	attrs [FILE]		perf evlist -v, a field a line behind "EVENT:"
#	has PATTERN [FILE]	a line of attrs is PATTERN, a basic regular expression
#	lacks PATTERN [FILE]	none is
#	bits [FILE]		the names in sample_type of the first event, one a line, sorted
#	dump PATTERN		as many lines of perf script -D have it (status 1: none)
#	header PATTERN		perf report --header-only has such a line

. "$top_srcdir/tests/lib/tap.sh"
need perf root tracefs
export LC_ALL=C.UTF-8 HOME=$tmp PERF_CONFIG=/dev/null PERF_BUILDID_DIR=$tmp/debug
unset PTUI_PAGER PAGER PTUI_DEBUG XDG_CONFIG_HOME
work=$top_builddir/tests/diff/work

rec() {
	timeout 60 "$PTUI" record -o f.data "$@" >out 2>err </dev/null && return
	echo "ptui record $*: status $?"
	cat err
	return 1
}
refused() {
	rm -f f.data
	! timeout 60 "$PTUI" record -o f.data "$@" >out 2>err </dev/null && ! [ -e f.data ] && [ -s err ] && return
	echo "ptui record $*: not refused"
	return 1
}
perf_rec() {
	timeout 60 perf record -o perf.data "$@" >perf.out 2>perf.err </dev/null && return
	echo "perf record $*: status $?"
	cat perf.err
	return 1
}
attrs() {
	perf evlist -v -i "${1-f.data}" 2>/dev/null </dev/null |
		sed -e '/^# Tip/d' -e 's/: type: /:\ntype: /' -e 's/{ sample_period, sample_freq }/sample_period/' \
			-e 's/, /\n/g'
}
has() {
	attrs "${2-f.data}" >attrs
	grep -qx -- "$1" attrs && return
	echo "no '$1' in the attrs of ${2-f.data}:"
	cat attrs
	return 1
}
lacks() {
	attrs "${2-f.data}" >attrs
	! grep -qx -- "$1" attrs && return
	echo "'$1' in the attrs of ${2-f.data}:"
	cat attrs
	return 1
}
bits() { attrs "${1-f.data}" | sed -n 's/^sample_type: //p' | head -n 1 | tr '|' '\n' | sort; }
dump() {
	local n
	n=$(perf script -D -i f.data 2>/dev/null </dev/null | grep -c -- "$1")
	echo "$n"
	[ "$n" -gt 0 ]
}
header() {
	perf report --header-only -i f.data >header 2>/dev/null </dev/null
	grep -q -- "$1" header && return
	echo "no '$1' in the header:"
	cat header
	return 1
}

for file in "$top_srcdir"/tests/cli/effects/*.sh; do
	. "$file"
done

# The names: of "    -e, --event EVENT", "        --[no-]synth …", "    -g   …".
"$PTUI" record --help | sed -nE -e '/^Examples/,$d' \
	-e 's/^ {4}(-., | {4})--(\[no-\])?([a-z0-9-]+).*/\3/p' -e 's/^ {4}-(.)( .*|$)/\1/p' \
	>"$tmp/options"
expect "the help has options" test -s "$tmp/options"

# Words of effects that record system-wide, use perf to record, or change settings.
of_the_machine=' -a |--all-cpus| -C | -u |--uid|like_perf|perf_rec|perf record|/proc/sys|tracing'

effect() { # NAME
	local status=0
	mkdir "$tmp/effect-$1"
	! declare -f "effect_${1//-/_}" | grep -qE "$of_the_machine" || one_at_a_time
	(cd "$tmp/effect-$1" && "effect_${1//-/_}") >"$tmp/effect.out" 2>&1 || status=$?
	if [ "$status" -eq 77 ]; then
		skip "$1" "$(tail -n 1 "$tmp/effect.out")"
	else
		expect "$1" sh -c "cat '$tmp/effect.out'; exit $status"
	fi
	[ -z "$lock_holder" ] || next_turn
	rm -rf "$tmp/effect-$1"
}

# EFFECTS='synth namespaces' in the environment, without tests/lib/sh-tap: these only
third=${third-0} n=0
while read -r option; do
	n=$((n + 1))
	if [ -n "${EFFECTS-}" ]; then
		[[ " $EFFECTS " = *" $option "* ]] || continue
	else
		[ $((n % 3)) -eq "$third" ] || continue
	fi
	if declare -F "effect_${option//-/_}" >/dev/null; then
		effect "$option"
	else
		not_ok "$option: no effect_${option//-/_} in tests/cli/effects"
	fi
done <"$tmp/options"
stale=
for name in $(declare -F | sed -n 's/^declare -f effect_//p'); do
	tr - _ <"$tmp/options" | grep -qx "$name" || stale="$stale $name"
done
expect "every effect belongs to an option:$stale" test -z "$stale"
finish
