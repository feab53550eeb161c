# SPDX-License-Identifier: GPL-2.0-or-later
# The user's home, environment and tracefs do not affect tests: they get an empty home and the
# variables of the suite.
. "$top_srcdir/tests/lib/tap.sh"
lib=$top_srcdir/tests/lib
chmod 755 "$tmp" # tests inside go on as another user

# --- a home that changes all that ptui and perf do --------------------------

poison=$tmp/poison
mkdir -p "$poison/.config/ptui" "$poison/.local/state/ptui" "$poison/state/ptui" "$poison/bin"
cat >"$poison/.perfconfig" <<-'END'
	[report]
		children = false
		percent-limit = 99
	[record]
		call-graph = dwarf
		build-id = skip
	[ui]
		show-headers = false
	[buildid]
		dir = /nonexistent
END
cat >"$poison/.config/ptui/config" <<-'END'
	[ui]
	theme = no-such-theme
	[keys]
	q = no-such-request
	[record]
	call-graph = no-such-way
	[report]
	percent-limit = 99
	[top]
	children = no
END
cp "$poison/.config/ptui/config" "$poison/state/ptui/"
marked=$(realpath "$top_builddir/tests/unit/dso/test_sdt")
HOME=$poison PERF_CONFIG=/dev/null perf buildid-cache --add "$marked" >/dev/null 2>&1
# perf's cache of a file with very many markers
mkdir -p "$poison/.debug/usr/bin/flood/0123456789012345678901234567890123456789"
seq -f 'sdt_flood:marker_with_a_long_name_%05g=flood' 3000 \
	>"$poison/.debug/usr/bin/flood/0123456789012345678901234567890123456789/probes"
mkdir -p "$poison/.debug/.build-id/01"
ln -s ../../usr/bin/flood/0123456789012345678901234567890123456789 \
	"$poison/.debug/.build-id/01/23456789012345678901234567890123456789"

poisoned() {
	env HOME="$poison" XDG_CONFIG_HOME="$poison/.config" XDG_STATE_HOME="$poison/state" \
		XDG_CACHE_HOME="$poison" XDG_DATA_HOME="$poison" XDG_RUNTIME_DIR="$poison" \
		PERF_CONFIG="$poison/.perfconfig" PERF_BUILDID_DIR="$poison/.debug" PERF_EXEC_PATH=/nonexistent \
		PERF_PAGER=false PAGER=false PTUI_PAGER=false LESS=-X EDITOR=false \
		DEBUGINFOD_URLS=http://127.0.0.1:1/ DEBUGINFOD_CACHE_PATH="$poison" \
		PTUI_DEBUG="$poison/debug.log" PTUI_THEME=mono PTUI_ASCII=1 PTUI_LOCALEDIR=/nonexistent \
		LC_ALL=zh_CN.UTF-8 LANG=zh_CN.UTF-8 LANGUAGE=zh_CN LC_MESSAGES=zh_CN.UTF-8 TZ=Asia/Shanghai \
		TERM=dumb COLORTERM=truecolor NO_COLOR=1 COLUMNS=20 LINES=5 POSIXLY_CORRECT=1 \
		MALLOC_PERTURB_=165 TMPDIR="$tmp" "$@"
}
clean() { env -u PTUI_DEBUG HOME=/nonexistent TMPDIR="$tmp" "$@"; }

# --- what a test gets to see ------------------------------------------------

cat >"$tmp/sees" <<'E1'
env | sed -e "s|${HOME%/home}|BOX|g" | grep -vE '^(_|PTUI_TEST_TMP|SHLVL|PWD)=' | sort >"$PTUI_TEST_SEEN"
(cd && find . -mindepth 1) >>"$PTUI_TEST_SEEN"
find "$TMPDIR" -mindepth 1 >>"$PTUI_TEST_SEEN"
echo "$HOME" >"$PTUI_TEST_SEEN.home"
touch "$HOME/left" "$TMPDIR/left"
echo "ok 1 - seen"; echo 1..1
E1
export PTUI_TEST_SEEN=$tmp/seen
clean sh "$lib/sh-tap" "$tmp/sees" >"$tmp/clean.tap"
mv "$tmp/seen" "$tmp/seen.clean"
poisoned sh "$lib/sh-tap" "$tmp/sees" >"$tmp/poisoned.tap"
expect "a test ran in both" grep -qx 'ok 1 - seen' "$tmp/clean.tap" "$tmp/poisoned.tap"
same "it sees one environment, and nothing in its folders" "$tmp/seen.clean" "$tmp/seen"
expect "its folders are gone with it" sh -c '! test -e "$0"' "$(cat "$tmp/seen.home")"
expect "PTUI_REQUIRE comes through" sh -c 'PTUI_REQUIRE=vterm sh "$1" "$2" && grep -qx PTUI_REQUIRE=vterm "$3"' \
	sh "$lib/sh-tap" "$tmp/sees" "$tmp/seen"

# `sh -c "... &"` and nohup ignore signals.
cat >"$tmp/signals" <<'E1'
trap 'echo "ok 1 - interrupted"; echo 1..1; exit' INT
kill -INT $$
echo 1..1
E1
expect "it gets signals that make ignores" sh -c 'trap "" INT; sh "$1" "$2" | grep -qx "ok 1 - interrupted"' \
	sh "$lib/sh-tap" "$tmp/signals"

# --- tests of everything that reads any of it -------------------------------

# results FOLDER: single cases and how they went, of each of these tests.
tests='unit/ui/view/test_picker unit/ui/model/test_setup_choice unit/ui/model/test_complete unit/ui/input/test_config
unit/base/test_config unit/event/test_catalog unit/session/test_buildid_cache unit/record/test_recording
unit/cli/test_record_line cli/config.sh cli/list.sh cli/list_forms.sh cli/list_perf.sh cli/help.sh'
results() {
	local test runner program
	for test in $tests; do
		case $test in
		*.sh) runner=sh-tap program=$top_srcdir/tests/$test ;;
		*) runner=cmocka-tap program=$top_builddir/tests/$test ;;
		esac
		echo "$test"
		"$@" sh "$lib/$runner" "$program" >"$tmp/log" 2>&1
		grep -E '^(ok|not ok|1\.\.)' "$tmp/log"
		grep -qE '^not ok' "$tmp/log" && sed 's/^/	/' "$tmp/log"
	done
}

# Other users' probes are machine-wide, so no comparison of two lists may run meanwhile.
one_at_a_time
unset PTUI_TEST_WAITS
group=ptui_poison_$$
tracing=/sys/kernel/tracing
probes=no
if [ -w $tracing/uprobe_events ]; then
	offset=$("$PTUI" list --long-desc sdt "$marked" | sed -n "s|.*\[$marked:\(0x[0-9a-f]*\) 8@.*|\1|p")
	for i in 1 2 3; do
		echo "p:$group/probe_$i $marked:$offset" >>$tracing/uprobe_events && probes=yes
	done 2>/dev/null
	trap 'for i in 1 2 3; do echo "-:$group/probe_$i" >>$tracing/uprobe_events; done 2>/dev/null; leave' EXIT
fi
note "probes of others in tracefs: $probes"
# The tests below have the turn of this one.
export PTUI_TEST_LOCK=$tmp/lock
results poisoned >"$tmp/results"
grep '^not ok' "$tmp/results" >"$tmp/failed"
expect "no test fails beside a poisoned home, environment and tracefs" test ! -s "$tmp/failed"
[ ! -s "$tmp/failed" ] || note "$(grep -A60 -B3 'not ok' "$tmp/results" | head -n 100)"
expect "all of them ran" [ "$(grep -c '^1\.\.[1-9]' "$tmp/results")" -eq "$(echo "$tests" | wc -w)" ]
expect "nothing was written at home" [ -z "$(find "$poison" -newer "$tmp/seen.clean" -type f ! -path '*/.debug/*' | head -n 3)" ]
finish
