#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# ptui top as text: the effect of each option on a load with a known profile, compared with perf
# top; refusals, and how it exits. The screen is tested in tests/screen.

. "$top_srcdir/tests/lib/tap.sh"
need perf root
export LC_ALL=C.UTF-8 HOME=$tmp PERF_CONFIG=/dev/null TERM=vt100
unset PTUI_PAGER PAGER PTUI_DEBUG XDG_CONFIG_HOME LINES COLUMNS
mkdir "$tmp/empty"
cd "$tmp/empty" || exit 1
out=$tmp/out err=$tmp/err
until_shows=("$out" "$err")

# The load: most of its time in 数える, some in hot_loop, a little in warm_loop.
load() { # NAME: its process in $load
	rm -f "$tmp/$1.says"
	timeout -k 1 300 "$top_builddir/tests/screen/work" "$1" >"$tmp/$1.says" <"$tmp/silence" &
	until_so test -s "$tmp/$1.says" || return
	load=$(pgrep -P $!)
	test -n "$load"
}
mkfifo "$tmp/silence"
exec 8<>"$tmp/silence"
expect "a load" load known
known=$load
: >"$out"
: >"$err"

# watch OPTION...: in the background, as in a pipe
watch() {
	: >"$out" >"$err"
	"$PTUI" top --stdio -e cpu-clock -c 1000000 -d 0.2 "$@" >"$out" 2>"$err" </dev/null &
	top=$!
}
# end: by ^C; its output is complete then
end() {
	local rc=0
	kill -INT "$top"
	wait "$top" || rc=$?
	[ "$rc" -eq 0 ] && return
	echo "status $rc"
	cat "$err"
	return 1
}
rows() { # of the last look
	awk '/^   PerfTop:/ { n = 0 } { line[++n] = $0 }
	     END { for (i = 4; i <= n; i++) if (line[i] != "") print line[i] }' "$out"
}
head_line() { grep '^   PerfTop:' "$out" | tail -n 1; }
says() { rows | grep -qE -- "$1"; }
looks() { [ "$(grep -c '^   PerfTop:' "$out")" -ge "$1" ]; }
# seen PATTERN OPTION...: a refresh contains such a row
seen() {
	local pattern=$1
	shift
	watch "$@"
	until_so says "$pattern" && end && says "$pattern"
}
only() { # PATTERN: all rows of the last look, and there are some
	rows >"$tmp/rows"
	[ -s "$tmp/rows" ] && ! grep -vqE -- "$1" "$tmp/rows" && return
	cat "$tmp/rows"
	return 1
}
none() { # PATTERN: no row of the last look
	! rows | grep -E -- "$1"
}
header() { # PATTERN
	head_line | grep -qE -- "$1" && return
	head_line
	return 1
}

# --- the listing

many() { # samples of the hottest: enough to tell the three apart
	[ "$(rows | awk '/数える/ { print $2; exit }')" -ge 300 ]
}
watch -p "$known" -n
expect "functions come" until_so many
expect "^C ends it, with 0" end
rows | grep -oE '数える|hot_loop|warm_loop' | head -n 3 >"$tmp/ours"
printf '数える\nhot_loop\nwarm_loop\n' >"$tmp/wanted"
same "the hottest come first" "$tmp/wanted" "$tmp/ours"
expect "rows: share, samples, module, function" \
	only '^ +[0-9]+\.[0-9][0-9]% +[0-9]+  [^ ]+ +\[[.k]\] [^ ]+'
# A test may set kernel.kptr_restrict in these moments.
expect "nothing on stderr" sh -c '! grep -v "kernel addresses are hidden" "$1"' - "$err"
head_line >"$tmp/header"
expect "the first line is the known form" header \
	'^   PerfTop: +[0-9]+ irqs/sec  kernel: ?[0-9.]+%  exact: +0\.0% lost: 0/0 drop: 0/0 \[1000000 cpu-clock(:ppp)?\],  \(target_pid: [0-9]+\)$'

# perf top requires a terminal for input.
shape() { tr -d '\r' | sed -E 's/\x1b\[[0-9;]*[A-Za-z]//g; s/ *[0-9]+(\.[0-9]+)?/ N/g; s/:p+\]/]/'; }
perfs() {
	: >"$tmp/perf"
	timeout -k 1 60 script -qfec "stty rows 40 cols 200; exec perf top --stdio -e cpu-clock -c 1000000 -d 1 -n -p $known" \
		"$tmp/perf" >/dev/null 2>&1 <"$tmp/silence" &
	perf=$!
	until_so grep -qE '%.*warm_loop' "$tmp/perf"
	kill "$perf" 2>/dev/null
	wait "$perf" 2>/dev/null
	grep -q 'warm_loop' "$tmp/perf"
}
if command -v script >/dev/null; then
	expect "perf top shows it" in_turn perfs
	grep -a 'PerfTop:' "$tmp/perf" | head -n 1 | shape >"$tmp/wanted"
	shape <"$tmp/header" >"$tmp/got"
	same "perf top has the same first line" "$tmp/wanted" "$tmp/got"
	grep -a 'warm_loop' "$tmp/perf" | head -n 1 | shape | tr -s ' ' >"$tmp/wanted"
	rows | grep -a 'warm_loop' | shape | tr -s ' ' >"$tmp/got"
	same "and the same columns" "$tmp/wanted" "$tmp/got"
else
	skip "perf top beside it" "there is no script(1)"
fi

# --- rows

expect "-s comm" seen '^ +100\.00%  known *$' -p "$known" -s comm
expect "-s +comm: after the default keys" seen '\[\.\] hot_loop +known' -p "$known" -s +comm
expect "--fields" seen '^  hot_loop +[0-9.]+% *$|^  \[\.\] hot_loop +[0-9.]+%$' -p "$known" --fields sym,overhead
expect "--show-total-period" seen '^ +[0-9.]+% +[0-9]+00  ' -p "$known" --show-total-period
first() {
	watch -p "$known" -n -E 1
	until_so many && end
}
expect "-E 1" first
expect "-E 1: one row" test "$(rows | wc -l)" -eq 1
limited() {
	watch -p "$known" -n --percent-limit 50
	until_so many && end
}
expect "--percent-limit 50: only the hottest" limited
expect "--percent-limit 50: not the others" none 'hot_loop|warm_loop'
expect "-f: only rows with more samples" seen '数える' -p "$known" -n -f 30
expect "-f 30: each has more" sh -c 'echo "$1" | awk "\$2 <= 30 { print; bad = 1 } END { exit bad }"' - "$(rows)"
expect "-K: without the kernel" seen '\[\.\]' -a -K
expect "-K: no function of the kernel" none '\[k\]'
expect "-U: only the kernel" seen '\[k\]' -a -U
expect "-U: no function of a program" none '\[\.\]'
expect "-a: the header shows it" header '\(all, [0-9]+ CPUs?\)$'

expect "-g: callers too, as rows" seen '^ +[0-9.]+% +0\.00%  .*\[\.\] main' -p "$known" -g
expect "-g: drawn below" says '\|--[0-9.]+%--(parse|warm_loop|serve)|--(main|serve|parse|__libc_start)'
expect "-g --no-children: functions and callers" \
	seen '^ +[0-9.]+%  .*\[\.\] hot_loop' -p "$known" -g --no-children
expect "--no-children: no row of mere callers" none '%.*\[\.\] serve'
expect "--call-graph dwarf: callers by unwinding" \
	seen '^ +[0-9.]+% +0\.00%  .*\[\.\] _start' -p "$known" --call-graph dwarf,4096,live,graph
expect "--max-stack 1: functions without callers" \
	seen '^ +[0-9.]+% +[0-9.]+%  .*\[\.\] hot_loop' -p "$known" -g --max-stack 1
expect "--max-stack 1: no row of mere callers" none '%.*\[\.\] (serve|main)'
expect "--call-graph none: nothing drawn" seen '\[\.\] main' -p "$known" --call-graph fp,none
expect "--call-graph none: rows only" only '^ +[0-9.]+% '
printf '[top]\n\tchildren = false\n' >"$tmp/perfconfig"
PERF_CONFIG=$tmp/perfconfig
expect "top.children of perf's config" seen '^ +[0-9.]+%  .*\[\.\] hot_loop' -p "$known" -g
expect "top.children = false: no row of mere callers" none '%.*\[\.\] serve'
PERF_CONFIG=/dev/null

# Two loads, of which one is shown: it has half of all, or all of itself.
expect "another load" load other
other=$load
half() {
	watch -p "$known,$other" -s comm --comms other "$@"
	until_so says "$pattern" && end && only '^ +[0-9.]+%  other *$'
}
pattern='^ +[1-9]?[0-9]\.[0-9]+%  other *$' # less than 100
expect "--comms" half
pattern='^ +100\.00%  other *$'
expect "--comms --percentage relative" half --percentage relative
expect "--dsos" seen '\[\.\] warm_loop' -a --dsos work
expect "--dsos: only of this module" only '%  work +\['
kill "$other"

# --- sampling

expect "--no-bpf-event -m -r" seen 'hot_loop' -p "$known" --no-bpf-event -m 64 -r 1
expect "-c: the header shows it" header '\[1000000 cpu-clock'
freq() {
	: >"$out"
	"$PTUI" top --stdio -e cpu-clock -F 500 -d 0.2 "$@" >"$out" 2>"$err" </dev/null &
	top=$!
	until_so looks 2 && end
}
expect "-F 500" freq -p "$known"
expect "-F 500: the header shows it" header '\[500Hz cpu-clock'
expect "-t" seen 'hot_loop' -t "$known"
expect "-t: the header shows it" header "\\(target_tid: $known\\)\$"
expect "-u" seen '\[[.k]\]' -u root -i
expect "-u: the header shows it" header '\(uid: root, '
cpu=$(taskset -cp $$ | sed 's/.*: //; s/[,-].*//')
expect "-C" seen '\[[.k]\]' -C "$cpu"
expect "-C: the header shows it" header "\\(all, CPU: $cpu\\)\$"
expect "-s cpu of a process: where it ran" seen '^ +[0-9.]+% +0*[0-9]+ *$' -p "$known" -s cpu
two() {
	: >"$out"
	"$PTUI" top --stdio -e cpu-clock -e page-faults -c 1000000 --group -d 0.2 -p "$known" >"$out" \
		2>"$err" </dev/null &
	top=$!
	until_so says hot_loop && end
}
expect "two events: the first is listed" two
expect "two events: the header names the current one" header ' \[cpu-clock(:ppp)?\], '

# --- age of samples

both() { says alpha && says beta; }
without() { ! says alpha && says beta; }
# With half a second between refreshes the half-life is 2.6 s: old samples decay slowly enough to be
# seen.
fades() { # OPTION...
	load alpha && alpha=$load && load beta && beta=$load || return
	watch -p "$alpha,$beta" -s comm -d 0.5 "$@"
	until_so both || return
	kill "$alpha"
	until_so sh -c '! kill -0 "$1" 2>/dev/null' - "$alpha"
	n=$(grep -c '^   PerfTop:' "$out")
}
expect "two loads, one of which ends" fades
expect "what was is still there" until_so looks $((n + 3))
expect "and it has ended" sh -c '! kill -0 "$1" 2>/dev/null' - "$alpha"
end
expect "and fades: it is shown yet" both
kill "$beta"
expect "-z: two loads, one of which ends" fades -z
expect "-z: what was is gone with the next look" until_so without
end
kill "$beta"

# --- how it ends

by_signal() { # NAME STATUS
	local rc=0
	watch -p "$known"
	until_so looks 1 || return
	kill "-$1" "$top"
	wait "$top" || rc=$?
	[ "$rc" -eq "$2" ] || { echo "status $rc"; return 1; }
}
expect "SIGTERM ends it, with 0" by_signal TERM 0
expect "SIGQUIT ends it, with 0" by_signal QUIT 0
expect "SIGHUP ends it as the signal" by_signal HUP 129
gone() {
	local rc=0
	load leaves || return
	watch -p "$load"
	until_so looks 1 || return
	kill "$load"
	wait "$top" || rc=$?
	[ "$rc" -eq 0 ]
}
expect "it ends when no target is left" gone
closed() {
	timeout -k 1 60 "$PTUI" top --stdio -e cpu-clock -c 1000000 -d 0.1 -p "$known" 2>"$err" </dev/null | head -n 1 >"$out"
	[ "${PIPESTATUS[0]}" -eq 141 ] && ! [ -s "$err" ]
}
expect "it ends without a reader" closed

# --- keys

typed() { printf %s "$1" >&9; }
shown() { grep -qaE -- "$1" "$tmp/tty"; }
# on a terminal: its state before and after, and keys typed in between
terminal() { # COMMANDS: of sh, with $top for ptui
	: >"$tmp/tty"
	rm -f "$tmp/keys"
	mkfifo "$tmp/keys"
	cat >"$tmp/session" <<-END
	stty rows 24 cols 80
	stty -g >"$tmp/before"
	"$PTUI" top --stdio -e cpu-clock -c 1000000 -d 0.2 -p $known &
	wait_for=\$!
	fg >/dev/null 2>&1 || wait \$wait_for
	echo "status \$?"
	stty -g >"$tmp/after"
	END
	sed -i 's/ &$//; /wait_for/d; /^fg/d' "$tmp/session"
	timeout -k 1 120 script -qfec "sh $tmp/session" "$tmp/tty" >/dev/null 2>&1 <"$tmp/keys" &
	session=$!
	exec 9>"$tmp/keys"
	until_so shown 'hot_loop'
}
left() { # STATUS
	wait "$session"
	exec 9>&-
	shown "^status $1" && cmp "$tmp/before" "$tmp/after"
}
of_it() { pgrep -f "top --stdio -e cpu-clock -c 1000000 -d 0.2 -p $known\$" | while read -r p; do
	[ "$(readlink "/proc/$p/exe")" = "$(readlink -f "$PTUI")" ] && echo "$p"; done; }
key_h() { typed h && until_so shown '\[K\].*hide kernel symbols.*\(no\)' && ! shown '\[s\]' && typed x; }
key_z() { typed z; typed h; until_so shown '\[z\].*zeroing.*\(yes\)' && typed x; }
key_e() { typed e && until_so shown 'Enter display entries' && typed "1"$'\n' && typed h && until_so shown '\[e\].*\(1\)' && typed x; }
key_d() { typed d && until_so shown 'Enter display delay' && typed "1"$'\n' && typed h && until_so shown '\[d\].*\(1\)' && typed x; }
key_f() { typed f && until_so shown 'event count filter' && typed "7"$'\n' && typed h && until_so shown '\[f\].*\(7\)' && typed x; }
key_K() { typed K && typed h && until_so shown '\[K\].*\(yes\)' && typed x; }
key_U() { typed U && typed h && until_so shown '\[U\].*\(yes\)' && typed x; }
if command -v script >/dev/null; then
	expect "on a terminal" terminal
	for key in h z e d f K U; do
		expect "key $key" "key_$key"
	done
	typed q
	expect "key q ends it with 0, and the terminal is as it was" left 0
	expect "on a terminal, once more" terminal
	kill -TERM $(of_it)
	expect "SIGTERM: the terminal is as it was" left 0
else
	skip "keys" "there is no script(1)"
fi

# --- refusals

refused() { # STATUS PATTERN WORDS...
	local want=$1 pattern=$2 rc=0
	shift 2
	timeout -k 1 60 "$PTUI" top "$@" >"$out" 2>"$err" </dev/null || rc=$?
	[ "$rc" -eq "$want" ] && grep -qE -- "^ptui: top: $pattern" "$err" && ! [ -s "$out" ] && return
	echo "status $rc"
	cat "$err"
	return 1
}
for option in -b -jany -D -Mintel -w9 --addr2line=x --all-cgroups --comms=x,y --symbols=x --hierarchy \
	--namespaces --overwrite --raw-trace \
	--switch-on=x --sym-annotate=x; do
	expect "$option is refused" refused 129 ".*(not supported: |ptui does not support lists yet; use perf)" --stdio $option
done
lbr_as_record() { # the same hints, word for word
	refused 255 'cannot open cpu-clock .*: a software event has no branch stack' \
		--stdio -e cpu-clock --call-graph lbr -p "$known" || return
	"$PTUI" record --call-graph lbr -e cpu-clock -p "$known" -o "$tmp/lbr.data" 2>"$tmp/says" && return 1
	tail -n +2 "$err" >"$tmp/wanted"
	tail -n +2 "$tmp/says" | cmp - "$tmp/wanted" && grep -q 'frame pointers' "$tmp/wanted"
}
expect "--call-graph lbr of a software event is refused as by record" lbr_as_record
expect "--stitch-lbr of other stacks" refused 129 '--stitch-lbr requires --call-graph lbr' --stdio --stitch-lbr -g
expect "a command" refused 129 "unexpected argument 'sleep'" --stdio sleep 1
expect "-K -U" refused 129 '-K and -U exclude each other' --stdio -K -U
expect "-F -c" refused 129 '-F and -c cannot be used together' --stdio -F 99 -c 99
expect "-d x" refused 129 ".*'x' is not a delay" --stdio -d x
expect "-s nonsense" refused 129 ".*unknown key 'nonsense'" --stdio -s nonsense
expect "-s parallelism: no live sample has it" refused 129 ".*'parallelism' needs a recording: 'ptui report' has it" --stdio -s dso,parallelism
expect "--stdio --tui" refused 129 '--tui and --stdio cannot be used together' --stdio --tui
expect "--tui without a terminal" refused 255 'cannot open the screen' --tui
expect "--tui -E" refused 129 '-E: not supported on the screen yet' --tui -E 5
expect "a process that is not there" refused 255 '.*' --stdio -p 2147483647
expect "no such event" refused 129 '.*' --stdio -e no-such-event

# perf's options are all known, whether supported or not.
perf top -h 2>&1 | sed -nE 's/^    (    |-([a-zA-Z])(, )?)?(--([a-z0-9_-]+))?([ [].*)?$/\2 \5/p' |
	awk NF >"$tmp/options"
expect "perf top lists its options" test "$(wc -l <"$tmp/options")" -gt 60
known_options() {
	local letter name bad=0
	while read -r letter name; do
		# a single word: the letter or the name
		for word in "${letter:+$letter}" "$name"; do
			case $word in
			'') continue ;;
			?) word=-$word ;;
			*) word=--$word ;;
			esac
			"$PTUI" top --stdio --tui "$word" 1 </dev/null >/dev/null 2>"$err"
			grep -q 'no such option' "$err" && { cat "$err"; bad=1; }
		done
	done <"$tmp/options"
	return "$bad"
}
expect "perf top's options are known" known_options

expect "no file was written" test -z "$(ls -A .)"
finish
