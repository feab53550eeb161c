#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# ptui list: contents, format, and errors.

. "$top_srcdir/tests/lib/tap.sh"
unset PTUI_PAGER PAGER PTUI_DEBUG

run() {
	rc=0
	"$PTUI" list "$@" >"$tmp/out" 2>"$tmp/err" </dev/null || rc=$?
}

ended() {
	[ "$rc" -eq "$1" ] && return
	echo "status $rc, not $1"
	cat "$tmp/out" "$tmp/err"
	return 1
}

silent() { ! [ -s "$tmp/$1" ] || { cat "$tmp/$1"; return 1; }; }
names() { sed -E 's/^  (.*[^ ]) +\[.*\]$/\1/' "$tmp/out"; }

run sw
expect "sw: status 0" ended 0
expect "sw: nothing on stderr" silent err
cp "$tmp/out" "$tmp/sw"
grep -F "  context-switches OR cs                             [Software event]" "$tmp/sw" >"$tmp/got"
expect "two names, the heading in column 53" test -s "$tmp/got"
grep -vE '^  [a-z_-]+( OR [a-z-]+)? +\[(Software|Tool) event\]$' "$tmp/sw" >"$tmp/out"
expect "sw: software events and the tool's own only" silent out
run software
same "software is sw" "$tmp/sw" "$tmp/out"
for pair in hw:hardware cache:hwcache; do
	run "${pair#*:}"
	cp "$tmp/out" "$tmp/long"
	run "${pair%:*}"
	same "${pair#*:} is ${pair%:*}" "$tmp/long" "$tmp/out"
done

run cs
expect "a part of an alias finds it" grep -q '^  context-switches OR cs ' "$tmp/out"
run 'page-f*s'
names >"$tmp/got"
echo "page-faults OR faults" >"$tmp/want"
same "a pattern" "$tmp/want" "$tmp/got"
run cpu-clock task-clock
names >"$tmp/got"
printf 'cpu-clock\ntask-clock\n' >"$tmp/want"
same "two words: what matches either" "$tmp/want" "$tmp/got"
run sw cpu-clock
same "a kind and a word: each event once" "$tmp/sw" "$tmp/out"

run zzzz-none
if [ -s "$tmp/err" ] && grep -q '^ptui: list: cannot read the tracepoints in ' "$tmp/err"; then
	expect "nothing matches, a source cannot be read: status 255" ended 255
else
	expect "nothing matches: status 1" ended 1
	echo "ptui: list: no matching event; 'ptui list' without arguments lists all" >"$tmp/want"
	same "nothing matches: one line" "$tmp/want" "$tmp/err"
fi
expect "nothing matches: nothing on stdout" silent out

"$PTUI" list sw >/dev/full 2>"$tmp/err"
rc=$?
expect "a full disk: status 255" ended 255

# A user who may not read tracefs.
if [ "$(id -u)" -ne 0 ]; then
	skip "tracefs is refused" "not root, so it cannot be somebody else" root
elif ! command -v setpriv >/dev/null; then
	skip "tracefs is refused" "setpriv is not installed"
else
	chmod 755 "$tmp"
	cp "$PTUI" "$tmp/ptui"
	other() {
		rc=0
		setpriv --reuid=65534 --regid=65534 --clear-groups "$tmp/ptui" list "$@" \
			>"$tmp/out" 2>"$tmp/err" </dev/null || rc=$?
	}
	other
	if ! [ -s "$tmp/err" ]; then
		skip "tracefs is refused" "here everybody may read it"
	else
		expect "tracefs is refused: the rest is listed, status 0" ended 0
		expect "... with the software events" grep -q 'cpu-clock' "$tmp/out"
		expect "... the reason in one line" test "$(wc -l <"$tmp/err")" -eq 1
		expect "... which names the source" grep -q '^ptui: list: cannot read the tracepoints in ' "$tmp/err"
		expect "... whose remedies are joined" grep -q ' /sys[^ ;]*; to record them, ' "$tmp/err"
		other sw
		same "sw: the same as root's" "$tmp/sw" "$tmp/out"
		expect "sw: tracefs is not needed, so no message" silent err
		other tracepoint
		expect "only that source: status 255" ended 255
		expect "only that source: one line" test "$(wc -l <"$tmp/err")" -eq 1
		other 'sched:*'
		expect "only its events: status 255" ended 255
		other zzzz-none
		expect "a name that is nowhere: status 255" ended 255
	fi
fi

finish
