#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Help, manual page, version, and errors of the command line.

. "$top_srcdir/tests/lib/tap.sh"
unset PTUI_PAGER PAGER PTUI_DEBUG

# run WORDS...: status in $rc, output in $tmp/out and $tmp/err.
run() {
	rc=0
	"$PTUI" "$@" >"$tmp/out" 2>"$tmp/err" </dev/null || rc=$?
}

ended() { # STATUS: of the last run
	[ "$rc" -eq "$1" ] && return
	echo "status $rc, not $1"
	cat "$tmp/out" "$tmp/err"
	return 1
}

silent() { # FILE...
	local f
	for f; do
		[ -s "$tmp/$f" ] || continue
		echo "$f is not empty:"
		cat "$tmp/$f"
		return 1
	done
}

says() { # PATTERN: stderr is this, and maybe a usage line
	grep -qE -- "^ptui: $1\$" "$tmp/err" || { cat "$tmp/err"; return 1; }
	[ "$(grep -cv '^    usage: ptui ' "$tmp/err")" -eq 1 ] || { cat "$tmp/err"; return 1; }
}

# --- help, version, man page

run --help
expect "--help ends with 0" ended 0
expect "--help prints nothing on stderr" silent err
cp "$tmp/out" "$tmp/help"
run -h
same "-h is --help" "$tmp/help" "$tmp/out"
run help
same "help is --help" "$tmp/help" "$tmp/out"
run
same "no words: the help" "$tmp/help" "$tmp/out"
expect "no words: ends with 1, as perf does" ended 1

commands=$(sed -n '/^Commands$/,/^$/s/^    \([a-z][a-z-]*\) .*/\1/p' "$tmp/help")
expect "--help names commands" test -n "$commands"
for c in $commands; do
	run "$c" --help
	expect "$c --help ends with 0" ended 0
	expect "$c --help prints nothing on stderr" silent err
	expect "$c --help begins with its usage" grep -q "^Usage: ptui $c" "$tmp/out"
	expect "$c --help fits 80 columns" awk 'length > 80 { print; bad = 1 } END { exit bad }' "$tmp/out"
	cp "$tmp/out" "$tmp/help.$c"
	run "$c" -h
	same "$c -h is the same" "$tmp/help.$c" "$tmp/out"
	run help "$c"
	same "help $c is the same" "$tmp/help.$c" "$tmp/out"
	run --help "$c"
	same "--help $c is the same" "$tmp/help.$c" "$tmp/out"
	run "$c" --bogus-option
	expect "$c --bogus-option ends with 129" ended 129
	expect "$c --bogus-option prints nothing" silent out
	expect "$c --bogus-option is reported in one line" says "$c: no such option --bogus-option"
	expect "$c --bogus-option shows the usage" grep -q "^    usage: ptui $c" "$tmp/err"
done

run --version
expect "--version ends with 0" ended 0
expect "--version prints it" grep -qE '^ptui version [0-9]+\.[0-9]+' "$tmp/out"
cp "$tmp/out" "$tmp/version"
run -v
same "-v is --version" "$tmp/version" "$tmp/out"
run version
expect "version ends with 0" ended 0
same "version is --version" "$tmp/version" "$tmp/out"
run version --build-options
same "version --build-options is --version" "$tmp/version" "$tmp/out"

run --man
expect "--man ends with 0" ended 0
expect "--man prints nothing on stderr" silent err
cp "$tmp/out" "$tmp/ptui.1"
run --man
same "--man is the same each time" "$tmp/ptui.1" "$tmp/out"
# every option of every help text is in the page
sed 's/\\f[BIR]//g; s/\\-/-/g' "$tmp/ptui.1" >"$tmp/page"
for c in $commands; do
	sed -nE 's/^    (-.|  ).*--(\[no-\])?([a-z][a-z-]*).*/--\2\3/p' "$tmp/help.$c" |
	while read -r name; do
		grep -qF -- "$name" "$tmp/page" || echo "$c $name"
	done
done >"$tmp/missing"
expect "the man page has every option" silent missing
# every request of the screens by its name, with keys; every view; what can be set
sed -n 's/^	X([A-Z_]*, "\([^"]*\)", [A-Z]*, N_(.*/\1: /p' "$top_srcdir/ui/input/requests.h" >"$tmp/want.words"
sed -n 's/^	X([A-Z]*,	*"\([^"]*\)",	*[A-Z]*).*/fB\1/p' "$top_srcdir/ui/input/requests.h" >>"$tmp/want.words"
printf '%s\n' 'set theme dark|light|high-contrast' 'set ascii on|off' 'set mouse on|off' \
	PTUI_THEME PTUI_ASCII NO_COLOR PTUI_DEBUG '~/.config/ptui/config' \
	'~/.local/state/ptui/setup' '<PgDn>' >>"$tmp/want.words"
expect "the table of requests is read" test "$(grep -c ': $' "$tmp/want.words")" -gt 30
sed 's/\\-/-/g; s/\\(ti/~/g' "$tmp/ptui.1" >"$tmp/page"
while IFS= read -r words; do
	grep -qF -- "$words" "$tmp/page" || echo "$words"
done <"$tmp/want.words" >"$tmp/missing"
expect "the man page has the keys, the config, the variables and the files" silent missing
grep -A1 '^\.TP$' "$tmp/ptui.1" | grep -x '\\fB\\fR' >"$tmp/empty"
expect "no request of the man page is without a key" silent empty
# another language, user bindings: the built page is the same
mkdir -p "$tmp/config/ptui"
echo "bind general x quit" >"$tmp/config/ptui/config"
XDG_CONFIG_HOME=$tmp/config run --man
same "--man does not look at the config" "$tmp/ptui.1" "$tmp/out"

if command -v man >/dev/null && man --version 2>&1 | grep -q '^man [0-9]'; then
	LC_ALL=C MANWIDTH=80 man --warnings -l "$tmp/ptui.1" >"$tmp/shown" 2>"$tmp/man"
	expect "man has no warnings about the man page" silent man
	expect "man shows its sections" grep -q '^CONFIGURATION' "$tmp/shown"
else
	skip "man has no warnings about the man page" "man-db is not installed"
fi
if command -v mandoc >/dev/null; then
	# it has no date, so that the same source makes the same page
	mandoc -T lint -W warning "$tmp/ptui.1" 2>&1 | grep -v 'WARNING: missing date' >"$tmp/mandoc"
	expect "mandoc has no warnings about the man page" silent mandoc
else
	skip "mandoc has no warnings about the man page" "mandoc is not installed"
fi
if command -v groff >/dev/null; then
	groff -ww -man -z "$tmp/ptui.1" >"$tmp/groff" 2>&1
	expect "groff has no warnings about the man page" silent groff
else
	skip "groff has no warnings about the man page" "groff is not installed"
fi

# --- mistakes

# mistake NAME STATUS PATTERN WORDS...
mistake() {
	local name=$1 want=$2 pattern=$3
	shift 3
	run "$@"
	expect "$name: status $want" ended "$want"
	expect "$name: one clear line" says "$pattern"
	expect "$name: nothing on stdout" silent out
}

mistake "a command with a typo" 1 "no such command 'lits'; did you mean 'list'\?" lits
mistake "the beginning of a command" 1 "no such command 'lis'; did you mean 'list'\?" lis
for command in mem sched c2c; do
	mistake "perf's command $command" 1 "command '$command' is not supported yet; use 'perf $command'" $command
done
mistake "no such command" 1 "no such command 'zzzz'; see 'ptui --help'" zzzz
mistake "an empty command" 1 "no such command ''; .*" ""
mistake "a command that drives terminals" 1 "no such command '.x1b\[2J'; .*" $'\e[2J'
mistake "help about no such command" 1 "help: no such command 'zzzz'; .*" help zzzz
mistake "help about two" 129 "help: too many arguments: expected one command" help list help
mistake "no such option before the command" 129 "no such option --bogus" --bogus list
mistake "an option with a typo" 129 "no such option --vresion; did you mean --version\?" --vresion
mistake "a value that is not wanted" 129 "--version takes no value" --version=3

run --vers
same "a beginning that fits one option is enough" "$tmp/version" "$tmp/out"

# --- with screens, and without

run report --tui
expect "the browser without a terminal: status 255" ended 255
expect "the browser without a terminal is an error" \
	grep -qx 'ptui: report: cannot open the browser: this terminal cannot show it' "$tmp/err"
expect "the browser without a terminal: nothing on stdout" silent out
for text in --stdio -q '-t,'; do
	run report --tui $text
	expect "--tui and $text exclude each other" ended 129
done
expect "--help explains when screens open" grep -q '^Without a command, on a terminal' "$tmp/help"
expect "report --help explains when text is printed" grep -q -- '--stdio, -t or -q' "$tmp/help.report"

# --- an output that is broken

rc=0
"$PTUI" --man >/dev/full 2>"$tmp/err" || rc=$?
expect "a full disk: status 255" ended 255
expect "a full disk is reported" says "standard output: No space left on device"
rc=0
"$PTUI" --man >&- 2>"$tmp/err" || rc=$?
expect "a closed stdout: status 255" ended 255
expect "a closed stdout is reported" says "standard output.*"
# a reader that is gone before the first byte
mkfifo "$tmp/fifo"
: <"$tmp/fifo" &
exec 3>"$tmp/fifo"
wait
rc=0
(trap '' PIPE; exec "$PTUI" --man) >&3 2>"$tmp/err" || rc=$?
expect "no reader, SIGPIPE ignored: status 255" ended 255
expect "no reader is reported" says "standard output: Broken pipe"
rc=0
("$PTUI" --man) >&3 2>"$tmp/err" || rc=$?
expect "no reader: killed by SIGPIPE" ended 141
exec 3>&-

# --- the pager

PTUI_PAGER="sed 's/^/P:/'" run --paginate --help
sed 's/^/P:/' "$tmp/help" >"$tmp/want"
same "--paginate goes through PTUI_PAGER" "$tmp/want" "$tmp/out"
expect "... and ends with 0" ended 0
PAGER="sed 's/^/Q:/'" run -p help
sed 's/^/Q:/' "$tmp/help" >"$tmp/want"
same "-p goes through PAGER" "$tmp/want" "$tmp/out"
PTUI_PAGER='' PAGER=false run -p --help
same "an empty PTUI_PAGER is none" "$tmp/help" "$tmp/out"
PTUI_PAGER=cat run -p --help
same "cat is none" "$tmp/help" "$tmp/out"
PTUI_PAGER=false run --help
same "no pager without a terminal" "$tmp/help" "$tmp/out"
PTUI_PAGER=false run -p --no-pager --help
same "--no-pager" "$tmp/help" "$tmp/out"
PTUI_PAGER="$tmp/no such" run -p --help
same "a pager that is not there: the text all the same" "$tmp/help" "$tmp/out"
expect "a missing pager is reported" says "pager '$tmp/no such' not found; continuing without one"
PTUI_PAGER='exec <&-; :' run -p list
expect "leaving the pager at once: status 0" ended 0
expect "leaving the pager at once: not a word" silent err out

mkdir "$tmp/bin"
printf '#!/bin/sh\necho PAGED\ncat >/dev/null\n' >"$tmp/bin/less"
chmod +x "$tmp/bin/less"
# on_terminal TERM
on_terminal() {
	PATH=$tmp/bin:$PATH TERM=$1 script -qec "$PTUI --help" /dev/null </dev/null >"$tmp/out" 2>"$tmp/err"
}
on_terminal xterm
expect "less is the pager of a terminal" grep -q PAGED "$tmp/out"
on_terminal dumb
expect "but not where it would wait for an answer" sh -c '! grep PAGED "$1" && grep -q Usage "$1"' - "$tmp/out"

finish
