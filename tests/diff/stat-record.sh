# SPDX-License-Identifier: GPL-2.0-or-later
#
# ptui stat record and report: each reads what the other tool recorded, and prints the same text of one recording.
. "$top_srcdir/tests/lib/tap.sh"
. "$top_srcdir/tests/diff/lib.sh"
. "$top_srcdir/tests/diff/stat_lib.sh"
need perf root tracefs
export LC_ALL=C HOME=$tmp PERF_CONFIG=/dev/null
cd "$tmp" || exit 1

ptui() { "$PTUI" "$@"; }

# ptui groups digits, perf only in a locale that does. With -I perf 6.1 has no elapsed time here, and the ratios are to
# the sums of all intervals.
no_groups() { perl -pe 's/( *)(\d{1,3}(?:,\d{3})+)/my ($n, $w) = ($2, length("$1$2")); $n =~ tr#,##d; sprintf("%*s", $w, $n)/ge'; }

# reported LABEL FILE OPTION...: perf's and ptui's text of one recording
reported() {
	local label=$1 file=$2
	shift 2
	perf stat report -i "$file" "$@" >perf.out 2>perf.err
	local perf_status=$?
	"$PTUI" stat report -i "$file" "$@" >ptui.out 2>ptui.err
	local ptui_status=$?
	expect "$label: report $*: has counts" grep -q '[1-9]' perf.err
	cat perf.out perf.err | no_groups >perf.txt
	cat ptui.out ptui.err | no_groups >ptui.txt
	case $label in *-I*) sed -i -E '/^# +time/!s/ +#  .*//; s/ +$//' perf.txt ptui.txt ;; esac
	same "$label: report $*" perf.txt ptui.txt
	[ $perf_status -eq $ptui_status ] || not_ok "$label: status $ptui_status, perf $perf_status"
}

# of_intervals LABEL: how many there are, and in which one there are counts, is up to time
of_intervals() {
	case $1 in
	*-I*) sed -E 's/<not counted>/########/; s/ {3,}#{10} .*//; s/ +$//; s/#+/#/g; s/ +/ /g' | awk '!seen[$0]++' ;;
	*) cat ;;
	esac
}

# recorded LABEL OPTION...: by both, and read by both
n=0
recorded() {
	local label=$* who
	n=$((n + 1))
	for who in perf ptui; do
		$who stat record -o $who.$n "$@" >$who.text 2>&1
		expect "$label: $who records" [ -s $who.$n ]
		reported "$label: of $who" $who.$n
	done
	same "$label: the text while recording" <(masked <perf.text | of_intervals "$label") <(masked <ptui.text | of_intervals "$label")
	# the same events, records and values but for numbers
	for who in perf ptui; do
		perf evlist -i $who.$n >$who.events
		# values of as many counters
		perf script -D -i $who.$n 2>/dev/null | grep -ao 'PERF_RECORD_\(STAT\|STAT_CONFIG\|THREAD_MAP\|CPU_MAP\)\>' |
			sort | uniq -c >$who.records
	done
	same "$label: the events" perf.events ptui.events
	case $label in
	*-I*) ;; # the number of intervals is up to time
	*) same "$label: the records" perf.records ptui.records ;;
	esac
}

recorded -e page-faults,task-clock -- sleep 0.02
recorded -e duration_time,page-faults -- sleep 0.02
recorded -e '{context-switches,page-faults}' -- sleep 0.02
recorded -- sleep 0.02
recorded -a -e cpu-clock,context-switches -- sleep 0.02
reported "of CPUs" ptui.$n -A
reported "of CPUs" ptui.$n --per-core
reported "of CPUs" ptui.$n --per-socket
reported "of CPUs" ptui.$n --per-die
reported "of CPUs" ptui.$n --per-node
reported "of CPUs, perf's" perf.$n --per-core
reported "of CPUs, perf's" perf.$n -A
recorded -a -A -e cpu-clock -- sleep 0.02
recorded -a --per-core -e cpu-clock -- sleep 0.02
recorded -C 1 -e cpu-clock,page-faults -- sleep 0.02
recorded -I 100 -e task-clock,page-faults -- sleep 0.25
recorded -I 100 -a -A -e cpu-clock -- sleep 0.25
bash -c 'while :; do read -rt 0.01 <>"$1"; done' - "$tmp/.pause" &
sleeper=$!
recorded -p $sleeper -e page-faults,dummy -- sleep 0.05
recorded --per-thread -p $sleeper -e page-faults,context-switches -- sleep 0.05

# perf 6.1 cannot read a recording of its own with tracepoints.
"$PTUI" stat record -o tracepoints -e 'sched:sched_process_*,page-faults' -- sh -c true >text 2>&1
reported "tracepoints: of ptui" tracepoints

# --- pipes

perf stat record -o - -e page-faults,task-clock -- sleep 0.02 2>/dev/null | cat >perf.pipe
"$PTUI" stat record -o - -e page-faults,task-clock -- sleep 0.02 2>/dev/null | cat >ptui.pipe
for who in perf ptui; do
	# perf 6.1 ends a report of a pipe with the names of the features
	perf stat report -i - <$who.pipe 2>&1 | no_groups >perf.txt
	"$PTUI" stat report -i - <$who.pipe 2>&1 | no_groups >ptui.txt
	expect "a pipe of $who: has counts" grep -q 'page-faults' ptui.txt
	same "a pipe of $who" perf.txt ptui.txt
done

# --- the same numbers in every form

"$PTUI" stat record -o exact -e raw_syscalls:sys_enter,page-faults -- dd if=/dev/zero of=/dev/null bs=1 count=1000 >text 2>&1
"$PTUI" stat -x, report -i exact 2>csv
"$PTUI" stat -j report -i exact 2>json
"$PTUI" stat -o out report -i exact
value() { awk -F, -v name="$1" '$3 == name { print $1 }' csv; }
for event in raw_syscalls:sys_enter page-faults; do
	expect "$event: CSV has the recorded count" grep -Eq "^ *$(value $event) +$event" <(tr -d , <text)
	expect "$event: so has JSON" grep -Eq "\"$(value $event)\.0+\".*\"$event\"" json
	expect "$event: so has -o" grep -Eq "^ *$(value $event) +$event" <(tr -d , <out)
done
perf stat record -o perf.exact -e raw_syscalls:sys_enter -- dd if=/dev/zero of=/dev/null bs=1 count=1000 >text 2>&1
"$PTUI" stat -x, report -i perf.exact 2>csv
expect "perf's count is read" grep -Eq "^ *$(value raw_syscalls:sys_enter) +raw_syscalls" text

# --- what cannot be

refused() {
	local why=$1
	shift
	"$PTUI" stat "$@" >ptui.out 2>ptui.txt
	expect "refused: stat $*" [ $? -ge 129 ]
	expect "with the reason" grep -q -e "$why" ptui.txt
}
refused "cannot be used together" record -r 3 -- true
refused "do not apply" -e page-faults report -i exact
refused "unexpected argument" report -i exact more
refused "No such file" report -i missing
perf record -q -o samples true 2>/dev/null
refused "has no counts" report -i samples
head -c 700 exact >cut
"$PTUI" stat report -i cut >ptui.out 2>&1
status=$?
expect "a recording that is cut: no counts" [ $status -eq 0 -o $status -eq 129 -o $status -eq 255 ]
# Whatever is in the records: no signal, and nothing that a terminal would obey.
perl -e '
	open(my $in, "<:raw", $ARGV[0]); local $/; my $whole = <$in>;
	srand(7);
	for my $i (1 .. 60) {
		my $bytes = $whole;
		substr($bytes, 104 + int(rand(length($bytes) - 104)), 1) = chr(int(rand(256))) for 1 .. 20;
		open(my $out, ">:raw", "damaged.$i"); print $out $bytes;
	}' ptui.5
worst=0
for i in {1..60}; do
	"$PTUI" stat report -A -i damaged.$i >ptui.out 2>&1
	status=$?
	[ $status -ne 255 ] && [ $status -gt $worst ] && worst=$status
	! grep -q $'[\e\r]' ptui.out || not_ok "damaged.$i: control characters"
done
expect "60 damaged recordings end without a signal" [ $worst -le 129 ]
perl -pe 's/msec\0/m\eec\0/' <ptui.5 >escapes
"$PTUI" stat report -i escapes >ptui.out 2>&1
expect "a unit with an escape sequence is not shown" [ "$(grep -c $'\e' ptui.out)" = 0 ]
expect "its count is" grep -q cpu-clock ptui.out
finish
