# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# For test scripts (bash):
#
#	. "$top_srcdir/tests/lib/tap.sh"
#	need perf root			# or the whole script skips, see need.h
#	one_at_a_time			# from here on, needs the machine for itself, see below
#	in_turn COMMAND...		# only this command does
#	in_company COMMAND...		# this recording does, if it is system-wide
#	expect "what should hold" COMMAND...
#	same "these two are one" WANTED GOT	# two files; the diff is shown
#	until_so COMMAND...		# waits until the command succeeds
#	ok NAME; not_ok NAME; skip NAME REASON [WORD]; note TEXT
#	finish
#
# $PTUI is the program that was built, $top_builddir and $top_srcdir are
# absolute, $tmp is a folder of this script's own that goes when it ends; so do
# the processes that the script has started and left behind.

set -u
: "${top_srcdir:?}" "${top_builddir:?}" "${PTUI:?}"

tap_n=0
tap_bad=0
lock_holder=
lock_sleep=$(type -P sleep) # a script may have one of its own later
tmp=$(mktemp -d "${TMPDIR:-/tmp}/ptui-test.XXXXXX") || exit 1
mkfifo "$tmp/.pause" || exit 1
export PTUI_TEST_TMP=$tmp
trap leave EXIT
trap 'exit 129' HUP
trap 'exit 130' INT
trap 'exit 143' TERM

# Remaining processes of this script: jobs, and all with $tmp in their command line.
left_behind() {
	local pid
	for pid in $(jobs -p) $(grep -slzxF "PTUI_TEST_TMP=$tmp" /proc/[0-9]*/environ | cut -d/ -f3); do
		case $pid in $$ | "$lock_holder") continue ;; esac
		kill -0 "$pid" 2>/dev/null && printf '%s\n' "$pid"
	done
}

# Recorders get time to finish, others at most two seconds.
leave() {
	local pids i
	trap '' HUP INT TERM
	pids=$(left_behind)
	for ((i = 0; i < 40; i++)); do
		[ -n "$pids" ] || break
		# shellcheck disable=SC2086
		case $i in
		0) kill -TERM $pids; kill -CONT $pids ;;
		39) kill -KILL $pids ;;
		esac 2>/dev/null
		sleep 0.05
		pids=$(left_behind)
	done
	[ -z "$lock_holder" ] || kill -KILL "$lock_holder"
	rm -rf "$tmp"
} 2>/dev/null

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

# skip NAME REASON [WORD]: requires WORD (need.h); a failure if that is in PTUI_REQUIRE.
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
	local diff
	# Read once: they may be pipes.
	if diff=$(diff -u "$2" "$3"); then
		ok "$1"
	else
		not_ok "$1"
		head -n 60 <<<"$diff" | sed 's/^/# /'
	fi
}

# until_so COMMAND...: runs it again and again until it succeeds, but not forever: at least half a
# minute, and longer on a busy machine. Start a program that is to write a file with no such file there: `program >file &` does
# not empty a file of an earlier run before the shell goes on.
until_shows=() # the files that it shows if it fails
until_so() {
	local n_pauses=0
	until "$@" >/dev/null 2>&1; do
		if [ $((n_pauses += 1)) -gt 1500 ]; then
			echo "never came true: $*"
			[ ${#until_shows[@]} -eq 0 ] || tail -n 40 "${until_shows[@]}"
			return 1
		fi
		pause
	done
}
# 20 ms, without a process of its own
pause() { ! read -rt 0.02 <>"$tmp/.pause"; }

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

# Waits for other tests that need the machine to themselves, also of other builds: those that change
# its settings or probes or compare two lists of them, and those that record system-wide or run perf
# while others record. (A recording with attr.build_id, by --buildid-mmap or of a command, makes the
# kernel set the build-id flag in the records of concurrent recordings of the same processes: perf
# 6.1 record aborts when it reads that.) A test that records only its own processes does not need
# the lock.
#
# A separate process holds the lock, and ends with this script in any case: left-over processes
# cannot keep the lock. Who waits for it alone comes before those who ask later to share it: they
# queue at the door.
one_at_a_time() { hold_lock --exclusive; }

hold_lock() {
	local lock=${PTUI_TEST_LOCK:-/tmp/ptui-tests.$(id -u).lock} patience=${PTUI_TEST_PATIENCE:-600}
	mkfifo "$tmp/turn"
	# Waiting is not counted against the test's time limit (bounded.c).
	[ -z "${PTUI_TEST_WAITS-}" ] || : >"$PTUI_TEST_WAITS"
	# shellcheck disable=SC2016
	setpriv --pdeathsig KILL sh -c 'exec 8>>"$1.door" 9>>"$1"
		flock --timeout "$2" 8 && flock "$3" --timeout "$2" 9 || exit
		exec 8>&-
		echo mine >&3
		exec "$4" 3600 3>&-' sh "$lock" "$patience" "$1" "$lock_sleep" 3>"$tmp/turn" >/dev/null 2>&1 </dev/null &
	lock_holder=$!
	disown "$lock_holder"
	if ! grep -q mine "$tmp/turn"; then
		not_ok "waited $patience s in vain for other tests that record ($lock)"
		note "$(fuser -v "$lock" 2>&1 | grep -v '^Cannot stat')"
		finish
	fi
	rm -f "$tmp/turn" ${PTUI_TEST_WAITS:+"$PTUI_TEST_WAITS"}
}

# Ends one_at_a_time. Do so before long work on what was recorded: other tests wait for it.
next_turn() {
	kill -KILL "$lock_holder"
	lock_holder=
} 2>/dev/null

while_held() {
	local how=$1 status=0
	shift
	[ -z "$lock_holder" ] || { "$@"; return; }
	hold_lock "$how"
	"$@" || status=$?
	next_turn
	return $status
}

in_turn() { while_held --exclusive "$@"; }

# in_company COMMAND...: a recording. One that is system-wide (-a, -C) has the machine to itself,
# others run beside one another: in_turn and one_at_a_time keep them away.
in_company() {
	local word
	for word; do
		case $word in
		--) break ;;
		--all-cpus | --cpu | --cpu=*) in_turn "$@"; return ;;
		--*) ;;
		-*[aC]*) in_turn "$@"; return ;;
		esac
	done
	while_held --shared "$@"
}

finish() {
	printf '1..%d\n' "$tap_n"
	exit $((tap_bad > 0))
}
