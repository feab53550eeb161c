# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# For test scripts (bash):
#
#	. "$top_srcdir/tests/lib/tap.sh"
#	need perf root			# or the whole script skips, see need.h
#	one_at_a_time			# recordings disturb each other
#	expect "what should hold" COMMAND...
#	same "these two are one" WANTED GOT	# two files; the diff is shown
#	ok NAME; not_ok NAME; skip NAME REASON [WORD]; note TEXT
#	finish
#
# $PTUI is the program that was built, $top_builddir and $top_srcdir are
# absolute, $tmp is a folder of this script's own that goes when it ends.

set -u
: "${top_srcdir:?}" "${top_builddir:?}" "${PTUI:?}"

tap_n=0
tap_bad=0
tmp=$(mktemp -d "${TMPDIR:-/tmp}/ptui-test.XXXXXX") || exit 1
trap 'rm -rf "$tmp"' EXIT
trap 'exit 129' HUP
trap 'exit 130' INT
trap 'exit 143' TERM

note() { printf '%s\n' "$*" | sed 's/^/# /'; }

ok() {
	tap_n=$((tap_n + 1))
	printf 'ok %d - %s\n' "$tap_n" "$*"
}

not_ok() {
	tap_n=$((tap_n + 1))
	tap_bad=$((tap_bad + 1))
	printf 'not ok %d - %s\n' "$tap_n" "$*"
}

# skip NAME REASON [WORD]: for want of WORD (need.h), which fails where that is required.
skip() {
	case ",${PTUI_REQUIRE-}," in
	*,"${3-none}",*) not_ok "$1"; note "PTUI_REQUIRE wants $3: $2"; return ;;
	esac
	tap_n=$((tap_n + 1))
	printf 'ok %d - %s # SKIP %s\n' "$tap_n" "$1" "$2"
}

# expect NAME COMMAND...: the command's status is the test; its output is shown
# when it fails.
expect() {
	local name=$1 status=0
	shift
	"$@" >"$tmp/expect.out" 2>&1 || status=$?
	if [ "$status" -eq 0 ]; then
		ok "$name"
	else
		not_ok "$name"
		note "status $status of: $*"
		sed 's/^/# /' "$tmp/expect.out"
	fi
}

# same NAME WANTED GOT: the two files are equal.
same() {
	if cmp -s "$2" "$3"; then
		ok "$1"
	else
		not_ok "$1"
		diff -u "$2" "$3" | head -n 60 | sed 's/^/# /'
	fi
}

skip_all() {
	printf '1..0 # SKIP %s\n' "$*"
	exit 0
}

need() {
	local why status=0
	why=$("$top_builddir/tests/lib/need" "$@") || status=$?
	case $status in
	0) return ;;
	1) skip_all "$why" ;;
	*) not_ok "need $*: $why"; finish ;;
	esac
}

# Waits for other scripts that record to end, of other builds too. A system-wide
# recording of ours asks for build-ids, and the kernel then says in the records
# of everyone else that there is one where there is none: perf 6.1 record dies
# of that.
one_at_a_time() {
	exec 9>>"/tmp/ptui-tests.$(id -u).lock"
	flock 9
}

finish() {
	printf '1..%d\n' "$tap_n"
	exit $((tap_bad > 0))
}
