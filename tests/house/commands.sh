# SPDX-License-Identifier: GPL-2.0-or-later
# ./run and ./check in a made tree, where building is a single line: when they build, what they pass
# on, and what they print on failure.
. "$top_srcdir/tests/lib/tap.sh"
unset PTUI_CHECK PTUI_REQUIRE PTUI_ALSO PTUI_RESULTS MAKEFLAGS MAKELEVEL MFLAGS

tree=$tmp/tree
mkdir -p "$tree/src/base" "$tree/ui" "$tree/include" "$tree/po" "$tree/tools" "$tree/tests/lib" "$tmp/else where"
cp "$top_srcdir/run" "$top_srcdir/check" "$tree/"
cp "$top_srcdir/tests/lib/summary" "$top_srcdir/tests/lib/copied_kallsyms" "$tree/tests/lib/"
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
expect "run: a first build is announced" grep -q '^ptui: building' "$tmp/err"

"$tree/run" </dev/null >/dev/null 2>"$tmp/err"
expect "run: the second time nothing is done" [ -z "$(calls)" ]
expect "run: without a message" [ ! -s "$tmp/err" ]

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

# The build creates a Makefile whose `check` leaves $results.
cat >"$tree/building" <<'E1'
mkdir -p "$top/$1/tests"
touch "$top/$1/tests/old.trs"
printf 'check:\n\t%s\ncheck-plain: check\nplain-tests:\n\t@echo tests/x.sh tests/y.sh\nmemory-tests:\n\t@echo tests/z\n' \
	"$(cat "$top/results")" >"$top/$1/Makefile"
E1
# check_with RECIPE
check_with() {
	echo "$1" >"$tree/results"
	rm -rf "$tree"/build-*
	"$tree/check" >"$tmp/got" 2>"$tmp/err" </dev/null
}
ends_with() { [ "$(tail -n 1 "$tmp/got")" = "$1" ] || { cat "$tmp/got" "$tmp/err"; return 1; }; }

check_with '@echo ":test-result: PASS" >tests/a.trs'
expect "check: all is well" [ $? -eq 0 ]
sanitized="build build-asan --enable-werror --enable-sanitizers=address,undefined CFLAGS=-O1 -g1;"
expect "check: two builds, one of them ahead of its tests" \
	[ "$(calls)" = "install build test;build build-check --enable-werror CFLAGS=-O2 -g1;$sanitized$sanitized" ]
expect "check: the count over both is the last line" ends_with "2 passed, 0 failed, 0 skipped"
expect "check: what ran once only is named" grep -qx 'run once, without sanitizers: tests/x.sh tests/y.sh' "$tmp/got"
expect "check: likewise" grep -qx 'run once, with sanitizers: tests/z' "$tmp/got"

check_with '@echo ":test-result: FAIL" >tests/a.trs; echo "FAIL: tests/a 1 - broken" >tests/a.log; exit 1'
expect "check: a failure is a failure" [ $? -eq 1 ]
expect "check: its log is shown" grep -qx -- '--- build-asan/tests/a.log' "$tmp/got"
expect "check: it is named" grep -qx 'FAILED: build-check/tests/a: broken' "$tmp/got"
expect "check: it is counted, at the end" ends_with "0 passed, 2 failed, 0 skipped"

check_with '@echo ":test-result: PASS" >tests/a.trs; echo "no rule" >&2; exit 1'
expect "check: make fails where no test does" [ $? -eq 1 ]
expect "check: the end of its log is shown" grep -qx 'no rule' "$tmp/err"
expect "check: that is counted" ends_with "2 passed, 2 failed, 0 skipped"

calls >/dev/null
PTUI_CHECK=plain check_with '@echo ":test-result: PASS" >tests/a.trs'
expect "check: one build only, on request" [ "$(calls)" = "install build test;build build-check --enable-werror CFLAGS=-O2 -g1;" ]

# What hangs is ended, with what it has started.
PTUI_CHECK=plain PTUI_CHECK_LIMIT=1 check_with \
	'@echo ":test-result: PASS" >tests/a.trs; sleep 1000 & echo $$! >sleeper; wait'
expect "check: a suite that hangs fails" [ $? -eq 1 ]
expect "check: it is named" grep -qx 'FAILED: build-check/tests/make: make check: status 124; build-check/check.log' "$tmp/got"
expect "check: and counted" ends_with "1 passed, 1 failed, 0 skipped"
gone() {
	local i
	for ((i = 0; i < 500; i++)); do
		kill -0 "$1" 2>/dev/null || return 0
		sleep 0.02
	done
	return 1
}
expect "check: and nothing is left running" gone "$(cat "$tree/build-check/sleeper")"

echo 'return 1' >"$tree/building"
check_with true
expect "check: a build that fails" [ $? -eq 1 ]
expect "check: is counted" ends_with "0 passed, 2 failed, 0 skipped"

# --- .ci/run (a tarball has none) ---------------------------------------------

if [ -e "$top_srcdir/.ci/run" ]; then
	mkdir "$tree/.ci"
	cp "$top_srcdir/.ci/run" "$tree/.ci/"
	rm -rf "$tree"/build-* "$tree/build"
	# The tarball contains $packed, distcheck is $release, and a suite leaves $results.
	cat >"$tree/building" <<-'E1'
	mkdir -p "$top/$1/tests"
	printf '%s:\n\t@%s\n' \
		dist 'tar cJf ptui-1.tar.xz -C .. --transform "s|^|ptui-1/|" $(PACKED)' \
		distcheck "$(cat "$top/release")" \
		check "$(cat "$top/results")" \
		check-plain "$(cat "$top/results")" \
		memory-tests : \
		plain-tests : >"$top/$1/Makefile"
	echo "PACKED = $(tr '\n' ' ' <"$top/packed")" >>"$top/$1/Makefile"
	E1
	good='echo ":test-result: PASS" >tests/a.trs'
	bad='echo ":test-result: FAIL" >tests/a.trs; echo "FAIL: tests/a 1 - broken" >tests/a.log; exit 1'
	# ci RELEASE RESULTS
	ci() {
		echo "$1" >"$tree/release"
		echo "$2" >"$tree/results"
		rm -rf "$tree"/build-*
		calls >/dev/null
		bash "$tree/.ci/run" >"$tmp/got" 2>"$tmp/err" </dev/null
	}
	(cd "$tree" && find . -type f ! -path './.ci/*' ! -name packed | sed 's|^\./||' >packed)

	ci true "$good"
	expect "ci: all is well" [ $? -eq 0 ]
	expect "ci: two builds, one of which makes the tarball, too" \
		[ "$(calls | tr ';' '\n' | sed -n 's/^build \([^ ]*\).*/\1/p' | sort -u | tr '\n' ' ')" = "build-asan build-check " ]
	expect "ci: the tarball is in the count" ends_with "3 passed, 0 failed, 0 skipped"
	ci '[ -n "$$PTUI_RETRY" ]' "[ -n \"\$\$PTUI_RETRY\" ] && $good"
	expect "ci: tests may try twice" [ $? -eq 0 ]
	ci true "$good; echo '# passed at the second try: b of two' >tests/a.log"
	expect "ci: what took two tries is no failure" [ $? -eq 0 ]
	expect "ci: but is named" grep -qx 'passed at the second try: build-check/tests/a: b of two' "$tmp/got"
	expect "ci: the end stays the count" ends_with "3 passed, 0 failed, 0 skipped"

	tarball='FAILED: build-dist/tests/tarball: the release tarball builds, installs and is complete'
	ci 'echo broken; exit 1' "$good"
	expect "ci: a release that fails" [ $? -eq 1 ]
	expect "ci: is named" grep -qx "$tarball" "$tmp/got"
	expect "ci: and counted" ends_with "2 passed, 1 failed, 0 skipped"
	expect "ci: its log is shown" grep -qx broken "$tmp/err"
	ci true "$bad"
	expect "ci: suites that fail" [ $? -eq 1 ]
	expect "ci: are counted" ends_with "1 passed, 2 failed, 0 skipped"
	if command -v git >/dev/null; then
		# with no config but the tree's own
		printf '/build*/\n/calls\n/packed\n/release\n/results\n' >"$tree/.gitignore"
		(cd "$tree" && HOME=/nonexistent git init -q . && git add -A) >/dev/null 2>&1
		ci true "$good"
		expect "ci: a complete tarball" [ $? -eq 0 ]
		sed -i '\|^src/base/vec.c$|d' "$tree/packed"
		ci true "$good"
		expect "ci: a tarball that lacks a file" [ $? -eq 1 ]
		expect "ci: is named" grep -qx "$tarball" "$tmp/got"
		expect "ci: with the file" grep -qx src/base/vec.c "$tmp/err"
	fi
fi
finish
