# SPDX-License-Identifier: GPL-2.0-or-later
# ./run and ./check in a made tree, where building is a matter of one line:
# when they build, what they hand on, and what they say of a failure.
. "$top_srcdir/tests/lib/tap.sh"
unset PTUI_CHECK PTUI_REQUIRE PTUI_ALSO PTUI_RESULTS MAKEFLAGS MAKELEVEL MFLAGS

tree=$tmp/tree
mkdir -p "$tree/src/base" "$tree/ui" "$tree/include" "$tree/po" "$tree/tools" "$tree/tests/lib" "$tmp/else where"
cp "$top_srcdir/run" "$top_srcdir/check" "$tree/"
cp "$top_srcdir/tests/lib/summary" "$tree/tests/lib/"
chmod -R u+w "$tree"
touch "$tree/configure.ac" "$tree/Makefile.am" "$tree/src/base/vec.c" "$tree/src/base/buf.c" \
	"$tree/po/xx.po"

# The real tools/setup.sh, but what it would install and build is made here.
{
	cat "$top_srcdir/tools/setup.sh"
	cat <<-'EOF'
	install_missing() { echo "install $*" >>"$top/calls"; }
	build() {
		echo "build $*" >>"$top/calls"
		mkdir -p "$top/$1"
		. "$top/building"
	}
	EOF
} >"$tree/tools/setup.sh"

cat >"$tree/building" <<'E1'
cat >"$top/build/ptui" <<-'EOF'
#!/bin/sh
printf '%s|' "$PWD" "$@"
cat
exit 7
EOF
chmod +x "$top/build/ptui"
E1

calls() { cat "$tree/calls" 2>/dev/null | tr '\n' ';'; rm -f "$tree/calls"; }
# Everything was made some time ago, so that what a step touches is newer.
age() { find "$tree" -exec touch -h -d '1 hour ago' {} +; }
age

(cd "$tmp/else where" && echo input | "$tree/run" report "two words" >"$tmp/got" 2>"$tmp/err")
expect "run: the program's exit status" [ $? -eq 7 ]
expect "run: installs, then builds" [ "$(calls)" = "install build;build build;" ]
expect "run: the caller's folder, arguments and input" \
	[ "$(cat "$tmp/got")" = "$tmp/else where|report|two words|input" ]
expect "run: a first build is told" grep -q '^ptui: building' "$tmp/err"

"$tree/run" </dev/null >/dev/null 2>"$tmp/err"
expect "run: the second time nothing is done" [ -z "$(calls)" ]
expect "run: and nothing is said" [ ! -s "$tmp/err" ]

ln -s "$tree/run" "$tmp/link"
"$tmp/link" </dev/null >/dev/null
expect "run: through a link" [ $? -eq 7 ]

# touched WHAT COMMAND...: after it, run builds again.
touched() {
	local what=$1
	shift
	age
	touch -d '30 minutes ago' "$tree/build/up-to-date"
	"$@"
	"$tree/run" </dev/null >/dev/null 2>&1
	expect "run: $what: it builds" [ "$(calls)" = "install build;build build;" ]
}
touched "a translation" touch "$tree/po/xx.po"
touched "a source has changed" touch "$tree/src/base/vec.c"
touched "a source is new" touch "$tree/src/base/new.c"
touched "a source is gone" rm "$tree/src/base/buf.c"
touched "Makefile.am has changed" touch "$tree/Makefile.am"
touched "the program is gone" rm "$tree/build/ptui"

touch "$tree/src/base/vec.c"
echo 'return 1' >"$tree/building"
"$tree/run" </dev/null >"$tmp/got" 2>/dev/null
expect "run: a build that fails ends it" [ $? -eq 1 ]
expect "run: the old program is not run" [ ! -s "$tmp/got" ]
calls >/dev/null
"$tree/run" </dev/null >/dev/null 2>&1
expect "run: and it is built again the next time" [ "$(calls)" = "install build;build build;" ]

# --- check --------------------------------------------------------------------

# The build makes a Makefile whose `check` leaves $results.
cat >"$tree/building" <<'E1'
mkdir -p "$top/$1/tests"
touch "$top/$1/tests/old.trs"
printf 'check:\n\t%s\n' "$(cat "$top/results")" >"$top/$1/Makefile"
E1
# check_with RECIPE
check_with() {
	echo "$1" >"$tree/results"
	"$tree/check" >"$tmp/got" 2>"$tmp/err"
}

check_with '@echo ":test-result: PASS" >tests/a.trs'
expect "check: all is well" [ $? -eq 0 ]
expect "check: two builds" [ "$(calls)" = "install build test;build build-check --enable-werror;build build-asan --enable-werror --enable-sanitizers=address,undefined CFLAGS=-O1 -g;" ]
expect "check: the count over both" [ "$(cat "$tmp/got")" = "2 passed, 0 failed, 0 skipped" ]

check_with '@echo ":test-result: FAIL" >tests/a.trs; echo "FAIL: tests/a 1 - broken" >tests/a.log; exit 1'
expect "check: a failure is a failure" [ $? -eq 1 ]
expect "check: its log is shown" grep -qx -- '--- build-asan/tests/a.log' "$tmp/got"
expect "check: it is named" grep -qx 'FAILED: build-check/tests/a: broken' "$tmp/got"
expect "check: it is counted, at the end" [ "$(tail -n 1 "$tmp/got")" = "0 passed, 2 failed, 0 skipped" ]

check_with '@echo ":test-result: PASS" >tests/a.trs; echo "no rule" >&2; exit 1'
expect "check: make fails where no test does" [ $? -eq 1 ]
expect "check: the end of its log is shown" grep -qx 'no rule' "$tmp/err"

calls >/dev/null
PTUI_CHECK=plain check_with '@echo ":test-result: PASS" >tests/a.trs'
expect "check: one build only, when asked" [ "$(calls)" = "install build test;build build-check --enable-werror;" ]

echo 'return 1' >"$tree/building"
check_with true
expect "check: a build that fails" [ $? -eq 1 ]

# --- .ci/run (a tarball has none) ---------------------------------------------

if [ -e "$top_srcdir/.ci/run" ]; then
	mkdir "$tree/.ci"
	cp "$top_srcdir/.ci/run" "$tree/.ci/"
	# The release's suite leaves $release, as make distcheck does when all is well and when not.
	cat >"$tree/building" <<-'E1'
	mkdir -p "$top/$1/tests"
	case $1 in
	build-dist) printf 'distcheck:\n\t%s\n' "$(cat "$top/release")" >"$top/$1/Makefile" ;;
	*) printf 'check:\n\t%s\n' "$(cat "$top/results")" >"$top/$1/Makefile" ;;
	esac
	E1
	good='echo ":test-result: PASS" >tests/a.trs'
	kept='mkdir -p $$PTUI_RESULTS/tests; echo ":test-result: PASS" >$$PTUI_RESULTS/tests/b.trs'
	# ci RELEASE SANITIZED
	ci() {
		printf '@%s\n' "$1" >"$tree/release"
		printf '@%s\n' "$2" >"$tree/results"
		rm -rf "$tree"/build-*
		bash "$tree/.ci/run" >"$tmp/got" 2>"$tmp/err"
	}
	ends_with() { [ "$(tail -n 1 "$tmp/got")" = "$1" ] || { cat "$tmp/got" "$tmp/err"; return 1; }; }

	calls >/dev/null
	ci "$kept" "$good"
	expect "ci: all is well" [ $? -eq 0 ]
	expect "ci: a release and a sanitized build, no third" [ "$(calls | tr ';' '\n' | grep -c ^build)" -eq 2 ]
	expect "ci: the count is over both" ends_with "2 passed, 0 failed, 0 skipped"
	ci "[ -n \"\$\$PTUI_RETRY\" ] && $kept" "[ -n \"\$\$PTUI_RETRY\" ] && $good"
	expect "ci: both may try twice" [ $? -eq 0 ]
	ci "$kept; echo '# passed at the second try: b of two' >\$\$PTUI_RESULTS/tests/b.log" "$good"
	expect "ci: what took two tries is no failure" [ $? -eq 0 ]
	expect "ci: but is named" grep -qx 'passed at the second try: build-dist/results/tests/b: b of two' "$tmp/got"
	expect "ci: the end stays the count" ends_with "2 passed, 0 failed, 0 skipped"
	ci 'mkdir -p ptui-1/_build/sub/tests; echo ":test-result: FAIL" >ptui-1/_build/sub/tests/c.trs; echo "FAIL: tests/c 1 - broken" >ptui-1/_build/sub/tests/c.log; exit 1' "$good"
	expect "ci: a release that fails" [ $? -eq 1 ]
	expect "ci: its failure is named" grep -qx 'FAILED: build-dist/ptui-1/_build/sub/tests/c: broken' "$tmp/got"
	expect "ci: and counted" ends_with "1 passed, 1 failed, 0 skipped"
	ci "$kept" 'echo ":test-result: FAIL" >tests/a.trs; echo "FAIL: tests/a 1 - broken" >tests/a.log; exit 1'
	expect "ci: a sanitized build that fails" [ $? -eq 1 ]
	expect "ci: it is counted, too" ends_with "1 passed, 1 failed, 0 skipped"
fi
finish
