# SPDX-License-Identifier: GPL-2.0-or-later
# The programs that run the tests see what can go wrong in one.
. "$top_srcdir/tests/lib/tap.sh"

lib=$top_srcdir/tests/lib

# case NAME RUNNER WANTED: the output of RUNNER for the script on stdin.
case_of() {
	local name=$1 runner=$2 wanted=$3
	cat >"$tmp/program"
	chmod +x "$tmp/program"
	sh "$lib/$runner" "$tmp/program" 2>/dev/null >"$tmp/got"
	echo "status $?" >>"$tmp/got"
	printf '%s\n' "$wanted" >"$tmp/wanted"
	grep -v '^#' "$tmp/got" >"$tmp/got.results"
	same "$name" "$tmp/wanted" "$tmp/got.results"
}

case_of "cmocka: passed, skipped and failed" cmocka-tap 'ok 1 - a
ok 2 - b # SKIP no root here
not ok 3 - c
1..3
status 0' <<'E1'
#!/bin/sh
echo "[==========] Running 3 test(s)."
echo "[ RUN      ] a"
printf 'no newline at the end of this'
echo "[       OK ] a"
echo "[ RUN      ] b"
echo "skip: no root here"
echo "[  SKIPPED ] b"
echo "[ RUN      ] c"
echo "[  ERROR   ] --- 0x1 != 0x2" >&2
echo "[  FAILED  ] c"
echo "[==========] 3 test(s) run."
echo "[  FAILED  ] 1 test(s), listed below:"
echo "[  FAILED  ] c"
exit 1
E1

case_of "cmocka: a program that crashes" cmocka-tap 'ok 1 - a
not ok 2 - b (the program ended in it, status 139)
1..2
status 0' <<'E1'
#!/bin/sh
echo "[==========] Running 3 test(s)."
echo "[ RUN      ] a"
echo "[       OK ] a"
echo "[ RUN      ] b"
kill -SEGV $$
E1

case_of "cmocka: tests that are not run" cmocka-tap 'ok 1 - a
not ok 2 - only 1 of 2 tests were run, status 0
1..2
status 0' <<'E1'
#!/bin/sh
echo "[==========] Running 2 test(s)."
echo "[ RUN      ] a"
echo "[       OK ] a"
E1

case_of "cmocka: a leak after the last test" cmocka-tap 'ok 1 - a
not ok 2 - the program failed, status 86
1..2
status 0' <<'E1'
#!/bin/sh
echo "[==========] Running 1 test(s)."
echo "[ RUN      ] a"
echo "[       OK ] a"
exit 86
E1

case_of "cmocka: a program without tests" cmocka-tap 'not ok 1 - the program ran no test
1..1
status 0' <<'E1'
#!/bin/sh
exit 0
E1

PTUI_TEST_TIMEOUT=1 case_of "cmocka: a program that hangs" cmocka-tap \
'not ok 1 - a (the program ended in it, status 124)
1..1
status 0' <<'E1'
#!/bin/sh
echo "[==========] Running 1 test(s)."
echo "[ RUN      ] a"
exec sleep 60
E1

case_of "script: TAP goes through" sh-tap 'ok 1 - a
not ok 2 - b
1..2
status 0' <<'E1'
echo "ok 1 - a"; echo "not ok 2 - b"; echo 1..2; exit 1
E1

case_of "script: ends before its plan" sh-tap 'ok 1 - a
not ok 2 - ended before its plan, status 3
1..2
status 0' <<'E1'
echo "ok 1 - a"; exit 3
E1

case_of "script: fails after all was good" sh-tap 'ok 1 - a
1..1
status 3' <<'E1'
echo "ok 1 - a"; echo 1..1; exit 3
E1

case_of "script: without TAP, 77 skips with the last line" sh-tap 'one
no bash here
1..0 # SKIP no bash here
status 0' <<'E1'
echo one; echo "no bash here"; exit 77
E1

case_of "script: without TAP, its status" sh-tap 'not ok 1 - exit status 4
1..1
status 0' <<'E1'
exit 4
E1

# A test that skips.
cat >"$tmp/skips" <<'E1'
. "$top_srcdir/tests/lib/tap.sh"
skip "one" "not root" root
skip "other" "no counters" pmu
finish
E1
PTUI_REQUIRE=perf,root bash "$tmp/skips" >"$tmp/got"
expect "skip: fails where it is required" grep -qx 'not ok 1 - one' "$tmp/got"
expect "skip: skips where it is not" grep -qx 'ok 2 - other # SKIP no counters' "$tmp/got"

# Requirements that this machine cannot meet.
export PTUI_REQUIRE=
cat >"$tmp/needy" <<'E1'
. "$top_srcdir/tests/lib/tap.sh"
top_builddir=$fake need root
ok "went on"
finish
E1
mkdir -p "$tmp/tests/lib"
needy() { fake=$tmp "${BASH:-bash}" "$tmp/needy" >"$tmp/got"; }
fake_need() {
	printf '#!/bin/sh\necho "%s"\nexit %d\n' "$1" "$2" >"$tmp/tests/lib/need"
	chmod +x "$tmp/tests/lib/need"
}
fake_need "" 0; needy
expect "a need that is met: it goes on" grep -qx 'ok 1 - went on' "$tmp/got"
fake_need "not root" 1; needy
expect "one that is not: all is skipped" grep -qx '1..0 # SKIP not root' "$tmp/got"
fake_need "not root" 2; needy
expect "one that is required: a failure" grep -q '^not ok 1 - need root: not root' "$tmp/got"

if [ "$(id -u)" -eq 0 ]; then
	run_need=(setpriv --reuid=65534 --clear-groups "$top_builddir/tests/lib/need")
else
	run_need=("$top_builddir/tests/lib/need")
fi
if "${run_need[@]}" >/dev/null 2>&1; then
	"${run_need[@]}" root >"$tmp/got"
	expect "need: not root, not required" [ "$? $(cat "$tmp/got")" = "1 not root" ]
	PTUI_REQUIRE=perf,root "${run_need[@]}" root >"$tmp/got"
	expect "need: not root, but required" [ "$? $(cat "$tmp/got")" = "2 PTUI_REQUIRE wants root: not root" ]
	PTUI_REQUIRE=perf,rootless "${run_need[@]}" root >"$tmp/got"
	expect "need: another word is required" [ $? -eq 1 ]
else
	skip "need, as someone else" "the build folder cannot be entered by others"
fi

# The count at the end.
mkdir -p "$tmp/one/tests" "$tmp/two/tests"
printf ':test-result: %s\n' PASS PASS SKIP >"$tmp/one/tests/a.trs"
echo "SKIP: tests/a.sh 3 - the third # SKIP no root" >"$tmp/one/tests/a.log"
(cd "$tmp" && sh "$lib/summary" one two >got)
expect "summary: nothing failed" [ $? -eq 0 ]
printf '%s\n' "skipped: one/tests/a: the third: no root" "2 passed, 0 failed, 1 skipped" >"$tmp/wanted"
same "summary: the skipped with reasons, the count" "$tmp/wanted" "$tmp/got"
printf ':test-result: %s\n' PASS ERROR FAIL >"$tmp/two/tests/b.trs"
printf '%s\n' "ERROR: tests/b.sh - too few tests run" "FAIL: tests/b.sh 2 - the second" >"$tmp/two/tests/b.log"
(cd "$tmp" && sh "$lib/summary" one two >got)
expect "summary: something failed" [ $? -eq 1 ]
printf '%s\n' "skipped: one/tests/a: the third: no root" "FAILED: two/tests/b: too few tests run" \
	"FAILED: two/tests/b: the second" "3 passed, 2 failed, 1 skipped" >"$tmp/wanted"
same "summary: over two folders" "$tmp/wanted" "$tmp/got"
sh "$lib/summary" "$tmp/three" >/dev/null
expect "summary: nothing run is not good" [ $? -eq 1 ]

# --- tried once more --------------------------------------------------------

# twice NAME WANTED: the output of sh-tap for the script on stdin with PTUI_RETRY.
twice() {
	local name=$1 wanted=$2
	cat >"$tmp/program"
	rm -f "$tmp/count"
	PTUI_TEST_COUNT=$tmp/count PTUI_RETRY=$tmp/alone sh "$lib/sh-tap" "$tmp/program" >"$tmp/said" 2>/dev/null
	echo "status $?" >>"$tmp/said"
	grep -v '^# took ' "$tmp/said" >"$tmp/log"
	printf '%s\n' "$wanted" >"$tmp/wanted"
	same "$name" "$tmp/wanted" "$tmp/log"
}

twice "tried twice: what passes is not" 'ok 1 - a
1..1
status 0' <<'E1'
echo x >>"$PTUI_TEST_COUNT"; echo "ok 1 - a"; echo 1..1
E1
expect "it ran once" [ "$(wc -l <"$tmp/count")" -eq 1 ]

twice "tried twice: what fails once passes, and is named with what it said" '# --- first try: failed
# first try: ok 1 - a
# first try: not ok 2 - b of two
# first try: # three is no four
# first try: 1..2
# --- second try: alone
# passed at the second try: b of two
ok 1 - a
ok 2 - b of two
1..2
status 0' <<'E1'
echo "ok 1 - a"
if [ -e "$PTUI_TEST_COUNT" ]; then
	echo "ok 2 - b of two"
else
	echo "not ok 2 - b of two"; echo "# three is no four"
	touch "$PTUI_TEST_COUNT"
fi
echo 1..2
E1
mkdir -p "$tmp/again/tests"
cp "$tmp/log" "$tmp/again/tests/a.log"
printf ':test-result: %s\n' PASS PASS >"$tmp/again/tests/a.trs"
(cd "$tmp" && sh "$lib/summary" again >got)
expect "the summary takes it for passed" [ $? -eq 0 ]
printf '%s\n' "passed at the second try: again/tests/a: b of two" "2 passed, 0 failed, 0 skipped" >"$tmp/wanted"
same "and names it" "$tmp/wanted" "$tmp/got"

twice "tried twice: what fails twice fails" '# --- first try: failed
# first try: not ok 1 - a, time 1
# first try: 1..1
# --- second try: alone
not ok 1 - a, time 2
1..1
status 0' <<'E1'
echo x >>"$PTUI_TEST_COUNT"; echo "not ok 1 - a, time $(grep -c x "$PTUI_TEST_COUNT")"; echo 1..1
E1

twice "tried twice: one that ends badly" '# --- first try: failed
# first try: ok 1 - a
# first try: 1..1
# --- second try: alone
# passed at the second try: status 3
ok 1 - a
1..1
status 0' <<'E1'
echo "ok 1 - a"; echo 1..1
[ -e "$PTUI_TEST_COUNT" ] || { touch "$PTUI_TEST_COUNT"; exit 3; }
E1

# The first fails while the second runs: it is tried again after that has ended, and nothing else
# runs meanwhile.
mkfifo "$tmp/went_on"
cat >"$tmp/fails" <<'E1'
echo "fails $([ -e "$PTUI_TEST_COUNT" ] && echo again)" >>"$PTUI_TEST_ORDER"
if [ -e "$PTUI_TEST_COUNT" ]; then
	sleep 0.3
	echo "ok 1 - a"
else
	touch "$PTUI_TEST_COUNT"
	echo "not ok 1 - a"
fi
echo "fails ended" >>"$PTUI_TEST_ORDER"
echo 1..1
E1
cat >"$tmp/runs" <<'E1'
echo "runs" >>"$PTUI_TEST_ORDER"
echo on >"$PTUI_TEST_WENT_ON"
while ! grep -q "fails ended" "$PTUI_TEST_ORDER"; do sleep 0.02; done
sleep 0.3
echo "runs ended" >>"$PTUI_TEST_ORDER"
echo "ok 1 - b"; echo 1..1
E1
export PTUI_TEST_ORDER=$tmp/order PTUI_TEST_WENT_ON=$tmp/went_on
rm -f "$tmp/count"
PTUI_RETRY=$tmp/alone sh "$lib/sh-tap" "$tmp/runs" >"$tmp/log.runs" 2>&1 &
read -r _ <"$tmp/went_on"
PTUI_TEST_COUNT=$tmp/count PTUI_RETRY=$tmp/alone sh "$lib/sh-tap" "$tmp/fails" >"$tmp/log" 2>&1
wait
printf '%s\n' runs "fails " "fails ended" "runs ended" "fails again" "fails ended" >"$tmp/wanted"
same "the second try is alone" "$tmp/wanted" "$PTUI_TEST_ORDER"

# --- left-over processes ---------------------------------------------------

# A script that leaves processes of all kinds.
cat >"$tmp/leaves" <<'E1'
. "$top_srcdir/tests/lib/tap.sh"
one_at_a_time
mkfifo "$tmp/up" "$tmp/never"
sleep 1000 & echo $! >>"$left"
(while :; do read -rt 1000 <>"$tmp/never"; done) & echo $! >>"$left"
(setsid bash -c 'echo $$ >>"$left"; echo up >&3; read -rt 1000 <>"$0"' "$tmp/never" 3>"$tmp/up" &)
read -r _ <"$tmp/up"
ok "a"
eval "$ending"
E1
export PTUI_TEST_LOCK=$tmp/lock left=$tmp/left
alive() {
	local pid
	while read -r pid; do
		case $(ps -o stat= -p "$pid") in '' | Z*) ;; *) ps -o pid,args -p "$pid"; return 0 ;; esac
	done <"$left"
	return 1
}
none_alive() { ! alive; }
is_free() { flock --timeout 20 "$PTUI_TEST_LOCK" true; }
for ending in finish 'exit 3' 'kill -TERM $$'; do
	: >"$left"
	ending=$ending "${BASH:-bash}" "$tmp/leaves" >"$tmp/got" 2>&1
	expect "$ending: it began" grep -qx 'ok 1 - a' "$tmp/got"
	expect "$ending: three processes were left" [ "$(wc -l <"$left")" -eq 3 ]
	expect "$ending: and ended with it" none_alive
	expect "$ending: the lock is free" is_free
done
: >"$left"
ending='kill -KILL $$' "${BASH:-bash}" "$tmp/leaves" >/dev/null 2>&1
expect "a script that is killed: the lock is free, whatever it left running" is_free
# shellcheck disable=SC2046
kill -KILL $(cat "$left") 2>/dev/null
ending='read -rt 1000 <>"$tmp/never"' "${BASH:-bash}" "$tmp/leaves" >"$tmp/held" 2>&1 &
holds=$!
while ! grep -qx 'ok 1 - a' "$tmp/held"; do sleep 0.02; done
PTUI_TEST_PATIENCE=0.2 ending=finish "${BASH:-bash}" "$tmp/leaves" >"$tmp/got" 2>&1
expect "waiting too long is reported" \
	grep -qx "not ok 1 - waited 0.2 s in vain for other tests that record ($tmp/lock)" "$tmp/got"
kill "$holds"
wait

# A command that has its turn, and what follows it.
cat >"$tmp/turns" <<'E1'
. "$top_srcdir/tests/lib/tap.sh"
is_free() { flock -n "$PTUI_TEST_LOCK" true; }
is_held() { ! is_free; }
expect "held by a command" in_turn is_held
expect "free after it" until_so is_free
! in_turn false
expect "the status of the command" [ $? -eq 0 ]
one_at_a_time
expect "held" in_turn is_held
expect "still held" is_held
next_turn
expect "free" until_so is_free
is_shared() { is_held && flock -n --shared "$PTUI_TEST_LOCK" true; }
is_alone() { ! flock -n --shared "$PTUI_TEST_LOCK" true; }
expect "shared by a recording" in_company is_shared --per-thread -e cpu-clock -- ls -a
expect "not by a system-wide one" in_company is_alone -ag
expect "nor by one of a CPU" in_company is_alone -C 0
expect "free at the end" until_so is_free
mkdir "$tmp/bin"
printf '#!/bin/sh\n' >"$tmp/bin/sleep"
chmod +x "$tmp/bin/sleep"
PATH=$tmp/bin:$PATH
one_at_a_time
pause
expect "whatever sleep the script has" is_held
finish
E1
PTUI_TEST_LOCK=$tmp/turns.lock sh "$lib/sh-tap" "$tmp/turns" >"$tmp/got" 2>&1
expect "a script may need the machine for some commands only" eval '[ "$(grep -c "^ok" "$tmp/got")" -eq 11 ] || { cat "$tmp/got"; false; }'

# --- the time limit -----------------------------------------------------------

# A test that hangs in a child with its own session, which keeps the output open.
cat >"$tmp/hangs" <<'E1'
setsid sleep 1000 &
echo $! >>"$PTUI_TEST_LEFT"
echo "ok 1 - a"
exec sleep 1000
E1
: >"$left"
PTUI_TEST_LEFT=$left PTUI_TEST_TIMEOUT=1 sh "$lib/sh-tap" "$tmp/hangs" >"$tmp/got" 2>&1
expect "a script that hangs: ended at its limit" grep -qx 'not ok 2 - ended before its plan, status 124' "$tmp/got"
expect "... with a child in a session of its own" none_alive
expect "... and its time is reported" grep -qE '^# took [0-9.]+ s \(CPU [0-9.]+ s, waited 0\.0 s\)$' "$tmp/got"

# Processes left without $tmp in their command line.
printf 'setsid sleep 1000 & echo $! >>"$PTUI_TEST_LEFT"; echo "ok 1 - a"; echo 1..1\n' >"$tmp/careless"
: >"$left"
PTUI_TEST_LEFT=$left sh "$lib/sh-tap" "$tmp/careless" >"$tmp/got" 2>&1
expect "processes left by a script end with it" none_alive

# Time spent waiting for the lock is not counted: the lock is held for longer than the limit.
cat >"$tmp/waits" <<'E1'
. "$top_srcdir/tests/lib/tap.sh"
one_at_a_time
ok "had its turn"
finish
E1
flock "$PTUI_TEST_LOCK" sh -c 'echo held >"$0"; exec sleep 3' "$tmp/up" &
until [ -s "$tmp/up" ]; do sleep 0.02; done
PTUI_TEST_TIMEOUT=2 sh "$lib/sh-tap" "$tmp/waits" >"$tmp/got" 2>&1
wait
expect "the time it waits for the lock is not counted" grep -qx 'ok 1 - had its turn' "$tmp/got"

time_limit_of() { sh -c '. "$1/tries"; time_limit "$2"; echo "$limit"' "$lib/tries" "$lib" "$1"; }
# On a busy machine time counts less.
printf '#!/bin/bash\nsleep 2\necho "ok 1 - a"; echo 1..1\n' >"$tmp/two-seconds"
echo "0.00 0.00 0.00 1/100 5" >"$tmp/idle"
echo "99.00 99.00 99.00 9999/10000 5" >"$tmp/busy"
for load in idle busy; do
	PTUI_TEST_LOADAVG=$tmp/$load PTUI_TEST_TIMEOUT=1 sh "$lib/sh-tap" "$tmp/two-seconds" >"$tmp/got.$load" 2>&1
done
expect "a test that takes too long on an idle machine fails" grep -q '^not ok 1 - ended before its plan, status 124\|^not ok 1 - exit status 124' "$tmp/got.idle"
expect "but not on a busy one" grep -qx 'ok 1 - a' "$tmp/got.busy"
expect "a test has a minute" [ "$(unset PTUI_TEST_TIMEOUT; time_limit_of tests/cli/list.sh)" -eq 60 ]
expect "one that is named long has longer" [ "$(time_limit_of tests/screen/long_monkey)" -eq 3600 ]

mkdir -p "$tmp/slow/tests"
printf ':test-result: PASS\n' | tee "$tmp/slow/tests/a.trs" >"$tmp/slow/tests/b.trs"
echo "# took 1.5 s (CPU 0.3 s, waited 0.0 s)" >"$tmp/slow/tests/a.log"
echo "# took 12.0 s (CPU 3.0 s, waited 4.0 s)" >"$tmp/slow/tests/b.log"
(cd "$tmp" && sh "$lib/summary" slow >got)
printf '%s\n' "slowest tests:     wall      CPU   waited for the lock" \
	"                 12.0 s    3.0 s    4.0 s   slow/tests/b" \
	"                  1.5 s    0.3 s    0.0 s   slow/tests/a" "2 passed, 0 failed, 0 skipped" >"$tmp/wanted"
same "summary: the slowest tests" "$tmp/wanted" "$tmp/got"
finish
