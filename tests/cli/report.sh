#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# ptui report as a command: invalid and incomplete files, options, and where the output goes. The
# rows are compared with perf's in tests/diff.

. "$top_srcdir/tests/lib/tap.sh"
unset PTUI_PAGER PAGER PTUI_DEBUG
cd "$tmp" || exit 1

# run WORDS...: ptui report, its status in $rc; as the user $as
as=
run() {
	rc=0
	$as "$PTUI" report "$@" >out 2>err </dev/null || rc=$?
}
ended() {
	[ "$rc" -eq "$1" ] && return
	echo "status $rc, not $1"
	cat err
	return 1
}
silent() { ! [ -s "$1" ] || { cat "$1"; return 1; }; }
one_line() { # PATTERN: one line on stderr, besides advice
	grep -v '^    ' err >told
	grep -qE -- "^ptui: report: $1\$" told && [ "$(wc -l <told)" -eq 1 ] && return
	cat err
	return 1
}
# bad NAME STATUS PATTERN WORDS...
bad() {
	local name=$1 want=$2 pattern=$3
	shift 3
	run "$@"
	expect "$name: status $want" ended "$want"
	expect "$name: one clear line" one_line "$pattern"
	expect "$name: no report" silent out
}

# --- not a recording

bad "no perf.data here" 255 "cannot open perf.data: No such file or directory" --stdio
expect "no perf.data here: how to make one" grep -q "^    'ptui record COMMAND'" err
: >empty
bad "an empty file" 255 "empty is a zero-sized file, nothing to do" --stdio -i empty
bad "a file that is not there" 255 "cannot open none: No such file or directory" --stdio -i none
expect "a file that is not there: no advice" test "$(wc -l <err)" -eq 1
bad "a folder" 255 '. is a directory, and not a recording: it has no file named "data"' --stdio -i .
bad "text" 255 "/etc/passwd is not a perf.data file: it looks like text" --stdio /etc/passwd
bad "a program" 255 ".* is not a perf.data file: it looks like an ELF file" --stdio "$PTUI"
printf '\001\377\376\003%.0s' {1..50} >binary
bad "bytes" 255 "binary is not a perf.data file.*" --stdio -i binary
: >closed
chmod 0 closed
chmod 755 .
cp "$PTUI" ptui
if [ "$(id -u)" -ne 0 ]; then
	bad "a file that may not be read" 255 "cannot open closed: Permission denied" -i closed
elif command -v setpriv >/dev/null; then
	as="setpriv --reuid=65534 --regid=65534 --clear-groups"
	PTUI=$tmp/ptui bad "a file that may not be read" 255 "cannot open closed: Permission denied" -i closed
	as=
else
	skip "a file that may not be read" "root may read it, and setpriv is not installed"
fi

# --- options

bad "nothing that could be a key" 129 "--sort: unknown key 'c:mm'" -s c:mm
"$PTUI" record -q -o keys -e page-faults:u true 2>/dev/null # it could be a field of a tracepoint
bad "no such key" 129 "--sort: unknown key 'cmm'" --stdio -i keys -s cmm
expect "no such key: the nearest" grep -q "^    did you mean 'comm'" err
bad "no such column" 129 "--fields: unknown key 'overhed'" --stdio -i keys -F overhed
bad "no such drawing" 129 "-g: expected graph, fractal, .*" -g bogus
bad "no percentage" 129 "--percent-limit: expected a percentage .*" --percent-limit x
bad "an empty separator" 129 "--field-separator: the separator is empty" -t ''
bad "no such CPUs" 129 "--cpu: expected numbers such as .*, not 'x'" -C x
bad "no such thread" 129 "--tid: expected numbers such as .*, not '1,a'" --tid 1,a
bad "no such time" 129 "--time: 'soon' is no range of time such as 12.5,13 \(seconds\), 10%-20% or 30%/2" --time soon
bad "no such pattern" 129 "--parent: '\(' is no regular expression: .*" -p '('
bad "-x alone" 129 "-x requires -p" -x
bad "no widths" 129 "-w: expected widths such as 10,8,20, not '3,x'" -w 3,x
bad "no socket" 129 "--socket-filter: expected the number of a socket, not 'a'" --socket-filter a
bad "no interval" 129 "--time-quantum: expected a time such as 100ms, not '5'" --time-quantum 5
bad "no names" 129 "-c: the list is empty" -c ,
bad "no file of names" 129 "-d: cannot read '/none': No such file or directory" -d file:///none
bad "an option of perf" 129 "--itrace: not supported: ptui does not decode .*" --itrace
bad "another program for lines" 129 "--addr2line: not supported: ptui reads debug information itself" --addr2line x
bad "no traces are decoded anyway" 255 ".*cannot open .*" --no-itrace -i none
bad "an order of nothing" 129 "--disable-order requires -D: .*" --disable-order
if command -v perf >/dev/null; then
	LC_ALL=C perf report -h 2>&1 | sed -nE 's/^    (-.,|  ) (--[a-z-]+).*/\2/p; s/^ +(--[a-z-]+).*/\1/p' | sort -u >options
	expect "perf's options: a list of them" test "$(wc -l <options)" -gt 60
	unknown=
	while read -r option; do
		run --stdio "$option" 1 -i none
		! grep -q 'no such option' err || unknown="$unknown $option"
	done <options
	expect "perf's options: each is known:$unknown" test -z "$unknown"
else
	skip "perf's options: each is known" "perf is not installed" perf
fi
bad "no such option" 129 "no such option --chidren; did you mean --children\?" --chidren

# --- a recording, and truncated ones

if ! "$PTUI" record -q -g -F 5000 -e cpu-clock:u -o whole sh -c \
	'i=0; while [ $i -lt 60000 ]; do i=$((i + 1)); done' 2>why; then
	skip "recordings" "nothing can be recorded here: $(head -n 1 why)" perf
	finish
	exit
fi
run --stdio -i whole
expect "a recording: status 0" ended 0
expect "a recording: not a word beside it" silent err
expect "a recording: its rows" grep -qE '^ +[0-9.]+% +[0-9.]+%  sh ' out
mv out want
run whole --stdio
same "the file as a word" want out
run -i - --stdio
bad "nothing on standard input" 255 "- is a zero-sized file, nothing to do" --stdio -i -
rc=0
"$PTUI" report --stdio -i - <whole >out 2>err || rc=$?
expect "standard input: status 0" ended 0
same "standard input: the same rows" <(grep '%' want) <(grep '%' out)

# without -i: a recording that is piped in, as in perf, but nothing else that is
"$PTUI" record -q -e page-faults:u -c 1 -o perf.data true 2>why || cat why
piped() { "$PTUI" report --stdio "$@" >out 2>err; }
of_the_file() { grep -qE '^ +[0-9.]+% +true ' out && ! grep -qE '% +sh ' out || { cat out err; return 1; }; }
cat whole | piped
same "piped in" <(grep '%' want) <(grep '%' out)
expect "piped in: not a word beside it" silent err
{ sleep 0.3; cat whole; } | piped
same "piped in later" <(grep '%' want) <(grep '%' out)
expect "piped in later: what it waits for" one_line "waiting for what is piped in; -i perf.data reads the file"
{ head -c 3 whole; sleep 0.3; tail -c +4 whole; } | piped
same "piped in, the first bytes before the others" <(grep '%' want) <(grep '%' out)
{ head -c 3 whole; sleep 0.3; echo SON; } | piped
expect "a line that begins as a recording does: perf.data" of_the_file
head -c 3 whole | piped
expect "piped in, cut after its first bytes: no other file is read" sh -c '! [ -s out ] && [ -s err ]'
echo line | piped
expect "a line is piped in: perf.data" of_the_file
sleep 0.1 | piped
expect "nothing is piped in: perf.data" of_the_file
mkfifo silent-pipe
exec 9<>silent-pipe
piped <silent-pipe
exec 9<&-
expect "a silent pipe: perf.data" of_the_file
expect "a silent pipe: says so" grep -q "nothing is piped in: reading perf.data" err
cat whole | piped perf.data
expect "a file, and a pipe: the file" of_the_file
cat whole | piped -i perf.data
expect "-i, and a pipe: the file" of_the_file
run --stdio -i perf.data whole
expect "-i perf.data and another file: both" sh -c 'grep -qE "%  true " out && grep -qE "%  sh " out'
for command in script evlist buildid-list 'annotate --stdio'; do
	# shellcheck disable=SC2086
	"$PTUI" $command -i whole >want.2 2>want.err </dev/null
	# shellcheck disable=SC2086
	cat whole | "$PTUI" $command >out 2>err
	same "$command: piped in" want.2 out
done
rm perf.data
for words in '--children' '--no-children' '--no-child' '-g' '-g none' '-g caller' '--call-graph=callee' \
	'--no-call-graph' '-n' '-G' '-q' '-s sym' '--sort comm,dso' '--fields=overhead,sym' \
	'-F sample,period,pid,cpu,comm' '-t ,' '--percent-limit 1'; do
	# shellcheck disable=SC2086
	run --stdio -i whole $words
	expect "$words: status 0" ended 0
	expect "$words: rows" grep -qvE '^(#|$)' out
	expect "$words: not a word beside them" silent err
done

bytes=$(stat -c %s whole)
head -c $((bytes / 2)) whole >half
run --stdio -i half
expect "half of it: status 0" ended 0
expect "half of it: a clear line" \
	grep -qE "half: the file is cut short, [0-9]+ bytes are missing at its end; this is what is left$" err
expect "half of it: a line about its header" \
	grep -qE 'half: sections of the header that cannot be read: .*HOSTNAME, .*CMDLINE' err
expect "half of it: no more lines" test "$(wc -l <err)" = 2
expect "half of it: its rows" grep -q '%' out

# cut within its last sections, or within their table: all samples are there, and what is missing is listed
"$PTUI" script -F time,event -i whole >all
data_end=$(od -An -tu8 -j40 -N16 whole | awk '{ print $1 + $2 }')
for cut in "$((data_end + 4))" "$((data_end + 100))" "$((bytes - 1))"; do
	head -c "$cut" whole >after
	for command in report script evlist buildid-list 'report --header-only' 'script --header-only' \
		'report --stats' 'buildid-cache -M' archive; do
		rc=0
		words='-i after'
		[ "$command" != report ] || words="$words --stdio"
		[ "${command#*cache}" = "$command" ] || words=after
		# shellcheck disable=SC2086
		"$PTUI" $command $words >out 2>err || rc=$?
		rm -f after.tar.zst
		sed -i '/after\.tar\.zst: .* MB, with/d; /: left out /d' err
		command=${command%% *}
		expect "cut at $cut, $command: status 0" ended 0
		expect "cut at $cut, $command: where it ends" grep -qE \
			"^ptui: $command: after: the file is cut short at byte $cut, after its samples; at least [0-9]+ bytes? (is|are) missing$" err
		expect "cut at $cut, $command: what is missing" grep -qE \
			"^ptui: $command: after: sections of the header that cannot be read: ([A-Z_]+, )*[A-Z_]+$" err
		expect "cut at $cut, $command: no more lines" test "$(wc -l <err)" = 2
	done
	"$PTUI" script -F time,event -i after >out 2>err
	expect "cut at $cut: all samples" test "$(wc -l <out)" = "$(wc -l <all)"
done
expect "cut at its last byte: only one section is missing" grep -qE ': [A-Z_]+$' err
"$PTUI" stat record -o counts -e page-faults:u true 2>/dev/null
head -c -1 counts >after
"$PTUI" stat report -i after >out 2>err
expect "cut counts are shown" grep -q page-faults:u out err
expect "cut counts: a line about it" grep -qE '^ptui: stat: after: the file is cut short at byte [0-9]+, ' err
head -c 104 whole >head
bad "its head" 255 "head: damaged header: .*" --stdio -i head
head -c 50 whole >stump
bad "half of its head" 255 "stump: damaged header: .*" --stdio -i stump

# a recorder that was killed: what it had written can be read
"$PTUI" record -q -e page-faults:u -c 1 -o killed sh -c 'echo $$ >up; exec sleep 60' &
recorder=$!
until_so test -s up -a -s killed
{ kill -9 "$recorder"; wait "$recorder"; } 2>/dev/null
kill "$(cat up)"
run --stdio -i killed
expect "a killed recorder: status 0" ended 0
expect "a killed recorder: reported" grep -qE \
	'^ptui: report: killed: (its recording was cut off|there are no samples)' err
if command -v perf >/dev/null; then
	perf script -i killed >script 2>complaints </dev/null || echo "status $?" >>complaints
	expect "a killed recorder: perf reads it" silent complaints
else
	skip "a killed recorder: perf reads it" "perf is not installed" perf
fi

# --- no samples: what there is instead

"$PTUI" record -q -N -e dummy -o none true
run --stdio -i none
expect "no samples: status 0" ended 0
expect "no samples: the records that there are" one_line \
	"none contains no samples \(records: ([0-9]+ [A-Z_0-9]+, )*[0-9]+ COMM, .*\)"
if command -v perf >/dev/null && perf stat record -o counts -e cpu-clock -- true >why 2>&1; then
	run --stdio -i counts
	expect "perf stat record: counts" one_line \
		"counts contains no samples, but counts of 'perf stat record' \(records: .* STAT, .*\)"
else
	skip "perf stat record: counts" "perf is not installed" perf
fi

# --- where the output goes

rc=0
"$PTUI" report --stdio -i whole >/dev/full 2>err || rc=$?
expect "a full disk: status 255" ended 255
: >out
expect "a full disk: one clear line" one_line "standard output: No space left on device"
"$PTUI" report --stdio -i whole 2>err | head -n 1 >out
expect "a reader that leaves: not a word" silent err

PTUI_DEBUG=$tmp/log run --stdio -i whole
expect "PTUI_DEBUG=FILE: what was loaded" grep -qE 'debug session: samples read: [1-9]' log
expect "PTUI_DEBUG=FILE: whose symbols" grep -q 'resolve: .*: using symbols from ' log
expect "PTUI_DEBUG=FILE: not on stderr" silent err

finish
