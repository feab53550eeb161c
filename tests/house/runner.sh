# SPDX-License-Identifier: GPL-2.0-or-later
# The programs that run the tests see what can go wrong in one.
. "$top_srcdir/tests/lib/tap.sh"

lib=$top_srcdir/tests/lib

# case NAME RUNNER WANTED: what RUNNER makes of the script on stdin.
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

# One test of a script that is skipped for want of something.
cat >"$tmp/skips" <<'E1'
. "$top_srcdir/tests/lib/tap.sh"
skip "one" "not root" root
skip "other" "no counters" pmu
finish
E1
PTUI_REQUIRE=perf,root bash "$tmp/skips" >"$tmp/got"
expect "skip: fails where it is required" grep -qx 'not ok 1 - one' "$tmp/got"
expect "skip: skips where it is not" grep -qx 'ok 2 - other # SKIP no counters' "$tmp/got"

# What a test says of needs that this machine cannot have.
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
finish
