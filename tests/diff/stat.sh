# SPDX-License-Identifier: GPL-2.0-or-later
#
# ptui stat prints what perf stat prints, but for the numbers; counts that a program fixes are equal.
. "$top_srcdir/tests/lib/tap.sh"
. "$top_srcdir/tests/diff/lib.sh"
. "$top_srcdir/tests/diff/stat_lib.sh"
need perf root tracefs
export LC_ALL=C HOME=$tmp PERF_CONFIG=/dev/null
cd "$tmp" || exit 1

# texts FORM OPTION... -- COMMAND...
texts() {
	local form=$1
	shift
	local perf_status ptui_status
	"$PTUI" stat "$@" >ptui.out 2>ptui.err
	ptui_status=$?
	for _ in 1 2 3; do # perf's status is 0 at times, whatever the command returns
		perf stat "$@" >perf.out 2>perf.err
		perf_status=$?
		[ $perf_status -ne $ptui_status ] || break
	done
	cat perf.out perf.err | masked "$form" >perf.txt
	cat ptui.out ptui.err | masked "$form" >ptui.txt
	same "stat $*" perf.txt ptui.txt
	[ "$perf_status" -eq "$ptui_status" ] || not_ok "stat $*: status $ptui_status, perf $perf_status"
}

for options in '' -d '-d -d' '-d -d -d' -n -B --no-big-num -i '-r 3' '-r 2 --no-big-num' \
	'-e task-clock' '-e cpu-clock,page-faults' '-e cs' '-e faults,minor-faults,major-faults' \
	'-e {task-clock,page-faults}' '-e cs -d' '-e cs -ddd' '--no-merge -e cs' \
	'-e task-clock:u -e page-faults:u' '-e page-faults:k' '-e duration_time,task-clock' \
	'-e sched:sched_switch' '-e sched:sched_switch,sched:sched_wakeup -e task-clock' \
	'-e context-switches,cpu-migrations' '-e instructions,cycles' '-e LLC-loads,LLC-load-misses' \
	'-e alignment-faults,emulation-faults,dummy' '--all-user' '--all-kernel' '-S' --scale --no-scale \
	'-a' '-a -e cpu-clock' '-a -e task-clock,cs' '-C 0' '-a -C 0' '-C 0 -e page-faults' \
	'-a -A' '-a -A -e cpu-clock,cs' '-C 0 -A' '-a --per-core' '-a --per-core -e cs' '-a --per-socket' \
	'-a --per-die' '-a --per-node' '-a --per-socket -e cpu-clock' '-C 0 --per-core' \
	'-I 5000' '-I 5000 -e task-clock' '-I 5000 -a -A' '-I 5000 -a --per-core' '-I 5000 -a --per-socket' \
	'-I 5000 --interval-count 3 -e cs' '-I 5000 -a --per-die' '-I 5000 -a --per-node' '-I 5000 --summary' '-g -e task-clock,cs' \
	'--for-each-cgroup / -a -e cpu-clock,cs'; do
	# shellcheck disable=SC2086
	texts text $options -- sleep 0.02
done
for options in '-x,' '-x;' '-x, -r 2' '-x, -d' '-x, -a -A' '-x, -a --per-core' '-x, -a --per-socket' '-x, -a --per-node' \
	'-x, -I 5000' '-x, -I 5000 -a -A' '-x, -e sched:sched_switch' '-x, -e duration_time' -j '-j -d' '-j -r 2' \
	'-j -a -A' '-j -a --per-core' '-j -a --per-socket' '-j -a --per-die' '-j -a --per-node' '-j -I 5000' \
	'-x, -I 5000 --summary -e cs' '-x, -I 5000 --summary --no-csv-summary -e cs' \
	'-x, -I 5000 --summary -a -A -e cs' '-x, --for-each-cgroup / -a -e cs'; do
	# shellcheck disable=SC2086
	texts fields $options -- sleep 0.02
done
texts fields -x '\t' -e page-faults -- sleep 0.02
texts text --table -r 3 -- sleep 0.02
# PMUs that refuse exclude_guest, and those that count no tasks
for event in msr/tsc/ power/energy-psys/ power/energy-pkg/; do
	perf stat -a -x, -e $event -- true 2>&1 | grep -q '^[0-9]' || continue
	texts fields -a -x, -e $event -- sleep 0.02
	texts text -e $event -- sleep 0.02
	expect "$event is counted" eval '! grep -q "<not supported>" ptui.txt'
done
texts text -e page-faults -- sh -c 'exit 3'
texts text --pre 'echo before' --post 'echo after' -e page-faults -- sleep 0.02

# --metric-only: perf's text, but for blanks: its headings are not above their columns
metric_only() {
	"$PTUI" stat --metric-only "$@" -- sleep 0.02 2>ptui.err
	perf stat --metric-only "$@" -- sleep 0.02 2>perf.err
	same "stat --metric-only $*" <(masked fields <perf.err | sed 's/  */ /g; s/^ *//; s/ *$//') \
		<(masked fields <ptui.err | sed 's/  */ /g; s/^ *//; s/ *$//')
}
for options in '-e cpu-clock,task-clock' '-e page-faults,cs' '-a -e cs' '-a -A -e cs' '-a --per-core -e cs' \
	'-a --per-socket -e cs' '-a --per-node -e cs' '-I 5000 -e cs' '-I 5000 -a -A -e cs' '-x, -a -A -e cs' \
	'-x, -a --per-core -e cs' '-x, -I 5000 -e cs'; do
	# shellcheck disable=SC2086
	metric_only $options
done
"$PTUI" stat -j -a -A -M software --metric-only -I 20 --interval-count 2 2>ptui.txt
expect "-j --metric-only: objects" perl -MJSON::PP -ne 'my $o = decode_json($_); $n += exists $o->{interval} && exists $o->{cpu} &&
	$o->{"CPUs  CPUs_utilized"} > 0; END { exit !$n }' ptui.txt
# Ratios are those of the printed counts.
"$PTUI" stat -x, -M cs_per_second,page_faults_per_second,CPUs_utilized -e duration_time -- \
	dd if=/dev/zero of=/dev/null bs=1M count=200 2>ptui.txt
expect "-M: ratios of the counts" awk -F, '{ v[$3] = $1; m[$7] = $6 } function near(a, b) { return a <= b * 1.01 + 0.1 && b <= a * 1.01 + 0.1 }
	END { t = v["task-clock"]
	exit !(t > 0 && near(m["cs/sec  cs_per_second"], v["context-switches"] / t * 1e3) &&
	near(m["faults/sec  page_faults_per_second"], v["page-faults"] / t * 1e3) &&
	near(m["CPUs  CPUs_utilized"], t * 1e6 / v["duration_time"])) }' ptui.txt
"$PTUI" stat -o ptui.file -M cs_per_second --metric-only -I 20 --summary -- sleep 0.1
expect "--metric-only with --summary: two headings" [ "$(grep -c cs_per_second ptui.file)" = 2 ]

perf stat -o perf.file -e page-faults -- true 2>perf.txt
"$PTUI" stat -o ptui.file -e page-faults -- true 2>ptui.txt
"$PTUI" stat -o ptui.file --append -e page-faults -- true
perf stat -o perf.file --append -e page-faults -- true
masked <perf.file >perf.txt
masked <ptui.file >ptui.txt
same "stat -o, --append" perf.txt ptui.txt
for tool in perf "$PTUI"; do
	"$tool" stat --log-fd 7 -e page-faults -- true 7>"${tool##*/}.seven"
	masked <"${tool##*/}.seven" >"${tool##*/}.txt"
done
expect "--log-fd: a count" grep -q page-faults ptui.txt
same "--log-fd" perf.txt ptui.txt

# Each line of JSON is an object with these keys, whatever else it has.
json_lines() {
	"$PTUI" stat -j "$@" -- sleep 0.05 2>ptui.txt
	expect "-j $*: objects" perl -MJSON::PP -ne 'my $o = decode_json($_); exists $o->{$_} or die "no $_\n" for qw(counter-value unit event);
		$n++; END { exit !$n }' ptui.txt
}
json_lines
json_lines -ddd
json_lines -a -A
json_lines -a --per-core
json_lines -a --per-thread
json_lines -I 20
json_lines -r 2
json_lines -M software
json_lines -a --for-each-cgroup /
json_lines -e 'sched:sched_switch,cs/name=a"b\c/'
# Intervals add up to the sum.
"$PTUI" stat -j -I 20 --summary -e page-faults -- sh -c 'sleep 0.05; ls / >ls.out; sleep 0.05; ls / >ls.out' 2>ptui.txt
expect "-j: intervals add up to the sum" perl -MJSON::PP -ne 'my $o = decode_json($_); my $v = $o->{"counter-value"};
	$v = 0 if $v eq "<not counted>"; if (exists $o->{interval}) { $sum += $v } else { $all = $v } END { exit !($sum > 50 && $sum == $all) }' ptui.txt
"$PTUI" stat -x, -I 20 --summary -e page-faults -- sh -c 'sleep 0.05; ls / >ls.out; sleep 0.05; ls / >ls.out' 2>ptui.txt
expect "-x: intervals add up to the sum" awk -F, '$4 == "page-faults" { if ($1 ~ /summary/) all = $2; else sum += $2 } END { exit !(sum > 50 && sum == all) }' ptui.txt

# --- exact counts

# fields of CSV: value,unit,name
value() { awk -F, -v name="$2" '$3 == name { print $1 }' "$1"; }
for event in raw_syscalls:sys_enter syscalls:sys_enter_write sched:sched_process_exit sched:sched_process_fork; do
	perf stat -x, -e $event -- dd if=/dev/zero of=/dev/null bs=1 count=1000 2>perf.txt >/dev/null
	"$PTUI" stat -x, -e $event -- dd if=/dev/zero of=/dev/null bs=1 count=1000 2>ptui.txt >/dev/null
	expect "$event: perf's count" [ "$(value perf.txt $event)" = "$(value ptui.txt $event)" ]
done
for tool in perf "$PTUI"; do
	"$tool" stat -x, -e syscalls:sys_enter_write --filter 'count == 1' -- dd if=/dev/zero of=/dev/null bs=1 count=500 2>"${tool##*/}.txt"
done
expect "--filter: perf's count" [ "$(value ptui.txt syscalls:sys_enter_write)" = "$(value perf.txt syscalls:sys_enter_write)" ]
# perf counts nothing of such a group, or ends
"$PTUI" stat -x, -e '{cycles,page-faults}' -- true 2>ptui.txt
expect "a group without the members that are not supported" [ "$(value ptui.txt page-faults)" -gt 0 ]
"$PTUI" stat -x, -e '{raw_syscalls:sys_enter,syscalls:sys_enter_write}' -- sh -c 'dd if=/dev/zero of=/dev/null bs=1 count=300 & wait' 2>ptui.txt
expect "children are counted" [ "$(value ptui.txt syscalls:sys_enter_write)" -ge 300 ]
"$PTUI" stat -x, -i -e syscalls:sys_enter_write -- sh -c 'dd if=/dev/zero of=/dev/null bs=1 count=300; :' 2>ptui.txt
expect "not with -i" [ "$(value ptui.txt syscalls:sys_enter_write)" -lt 100 ]

# Clocks agree with the kernel's own accounting.
"$PTUI" stat -x, -e task-clock,user_time,system_time -- sh -c 'i=0; while [ $i -lt 200000 ]; do i=$((i + 1)); done' 2>ptui.txt
expect "task-clock is user and system time" awk -F, '{ v[$3] = $1 } END {
	cpu = (v["user_time"] + v["system_time"]) / 1e6; d = v["task-clock"] - cpu
	exit !(cpu > 10 && d < cpu * 0.2 + 15 && d > -cpu * 0.2 - 15) }' ptui.txt

# --- targets

sleep 300 &
sleeper=$!
texts text -e page-faults -p $sleeper -- sleep 0.02
texts text -e page-faults -t $sleeper -- sleep 0.02
texts text --per-thread -e page-faults,dummy -p $sleeper -- sleep 0.02
# All threads: those that ran, the busiest first, and no others, as in perf (which fails when threads end while it
# starts). One is known: it wakes up all the time.
sh -c 'while :; do sleep 0.01; done' &
waker=$!
for options in '-a --per-thread' --per-thread; do
	# shellcheck disable=SC2086
	timeout -s INT 0.5 "$PTUI" stat $options -x, -e cs 2>ptui.txt
	expect "$options: a busy thread" grep -qE "^sh-$waker,[1-9][0-9]*,,cs," ptui.txt
	expect "$options: only those with counts" [ "$(grep -cvE '^[^,]*-[0-9]+,[1-9][0-9]*,,cs,' ptui.txt)" = 0 ]
	expect "$options: the busiest first" eval 'cut -d, -f2 ptui.txt | sort -rnc'
done
timeout -s INT 0.3 "$PTUI" stat -a --per-thread -e cs 2>ptui.txt
expect "-a --per-thread: its title" grep -q "stats for 'system wide':" ptui.txt
sh -c 'while [ ! -e end ]; do sleep 0.01; done' &
ending=$!
"$PTUI" stat -a --per-thread -x, -e cs -- sh -c 'sleep 0.1; touch end; while kill -0 '$ending'; do sleep 0.05; done' 2>ptui.txt
expect "--per-thread: a thread that has ended has its name" grep -q "^sh-$ending,[1-9]" ptui.txt
kill $waker $sleeper
wait $waker 2>/dev/null
wait $sleeper 2>/dev/null
"$PTUI" stat -e page-faults -p $sleeper 2>ptui.txt
expect "a process that is gone" [ $? -eq 255 ]
expect "is named" grep -q "$sleeper" ptui.txt

sleep 0.3 &
timeout 60 "$PTUI" stat -x, -e dummy -p $! 2>ptui.txt
expect "-p ends with the process" [ $? -eq 0 ]
timeout 60 "$PTUI" stat -x, -e cpu-clock -a --timeout 50 2>ptui.txt
expect "--timeout ends" awk -F, '$3 == "cpu-clock" { exit !($1 >= 50) }' ptui.txt
timeout 60 "$PTUI" stat -I 20 --interval-count 3 -e dummy -a 2>ptui.txt
expect "--interval-count ends" [ "$(grep -c dummy ptui.txt)" = 3 ]
for tool in perf "$PTUI"; do
	timeout 60 "$tool" stat -I 20 --interval-count 2 -e dummy -- sh -c 'sleep 0.2; echo done >"$0"' "${tool##*/}.done" 2>ptui.txt
	expect "${tool##*/}: --interval-count: the command goes on" test -e "${tool##*/}.done"
	expect "${tool##*/}: --interval-count: no more lines" [ "$(grep -c dummy ptui.txt)" = 2 ]
done
timeout 60 "$PTUI" stat -D -1 -x, -e page-faults -- true 2>ptui.txt
expect "-D -1 counts nothing" grep -q '^<not counted>' ptui.txt
timeout 60 "$PTUI" stat -a -D 300 -x, -e cpu-clock -- sleep 0.4 2>ptui.txt
expect "-D: ratios are of the time after it" awk -F, -v cpus="$(getconf _NPROCESSORS_ONLN)" \
	'$3 == "cpu-clock" { n++; if ($6 < 0.8 * cpus) exit 1 } END { exit !n }' ptui.txt
timeout 60 "$PTUI" stat -a -D 300 -I 50 -x, -e cpu-clock -- sleep 0.5 2>ptui.txt
expect "-D: intervals begin after it" awk -F, '$4 == "cpu-clock" { n++; if ($2 !~ /^[0-9]/) exit 1 } END { exit !n }' ptui.txt
timeout 60 "$PTUI" stat -D 1 -x, -e cpu-clock -- sleep 0.1 2>ptui.txt
expect "-D counts from then on" awk -F, '$3 == "cpu-clock" { n++ } END { exit !n }' ptui.txt
"$PTUI" stat -e page-faults -- sh -c 'kill -TERM $$' 2>ptui.txt
expect "a command that is killed: its signal" [ $? -eq 143 ]
expect "what it did is shown" grep -q page-faults ptui.txt
env --default-signal=INT "$PTUI" stat -a -e cpu-clock 2>ptui.txt &
counter=$!
catches_int() { [ $((0x$(awk '/^SigCgt/ { print $2 }' /proc/$counter/status) & 2)) -ne 0 ]; }
expect "it waits for Ctrl-C" until_so catches_int
kill -INT $counter
wait $counter
expect "Ctrl-C ends with the counts" grep -q cpu-clock ptui.txt

# Without a target the system is counted, whatever the sums.
for options in -A --per-core '--for-each-cgroup /' --per-cgroup; do
	# shellcheck disable=SC2086
	timeout 60 "$PTUI" stat $options -e dummy --timeout 20 2>ptui.txt
	expect "stat $options, without -a" grep -q dummy ptui.txt
done

# --- cgroups

cgroups=$(awk '$3 == "cgroup" && $4 ~ /(^|,)perf_event(,|$)/ { print $2; exit }' /proc/self/mounts)
cgroups=${cgroups:-$(awk '$3 == "cgroup2" { print $2; exit }' /proc/self/mounts)}
group=ptui-test-$$
if [ -n "$cgroups" ] && mkdir "$cgroups/$group" "$cgroups/$group/one" "$cgroups/$group/two" 2>/dev/null; then
	sh -c 'echo $$ >"$0"; while [ ! -e over ]; do sleep 0.01; done' "$cgroups/$group/one/cgroup.procs" &
	in_one=$!
	expect "a task is in the cgroup" until_so grep -q . "$cgroups/$group/one/cgroup.procs"
	cgroups_of() { awk -F, -v group="$group" '$3 == "cs" && index($4, group) { print $4 }' "$1" | sort; }
	# patterns, in perf's order of directories
	for names in "$group/one,$group/two" "$group/.*" "^$group/[ot]" "$group/[o],no_such_one"; do
		for tool in perf "$PTUI"; do
			"$tool" stat -a -x, -e cs --for-each-cgroup "$names" -- sleep 0.05 2>"${tool##*/}.txt"
		done
		same "--for-each-cgroup $names" <(cgroups_of perf.txt) <(cgroups_of ptui.txt)
		expect "--for-each-cgroup $names: those there are" grep -q "$group/one" ptui.txt
	done
	# the tasks of a cgroup, those of cgroups below it, and none; they are stopped while one counter after the other
	# is enabled and disabled
	kill -STOP $in_one
	sleep 0.1
	"$PTUI" stat -a -x, -e cs --per-cgroup -G "$group,,$group/one,$group/two" -- \
		sh -c "kill -CONT $in_one; sleep 0.2; kill -STOP $in_one; sleep 0.1" 2>ptui.txt
	kill -CONT $in_one
	expect "--per-cgroup -G: counts of each" awk -F, -v g="$group" '$3 == "cs" { n[$4] = $1 }
		END { exit !(n[g] + 0 > 0 && n[g] == n[g "/one"] && n[g "/two"] == "<not counted>") }' ptui.txt
	"$PTUI" stat -a -j -e cs -I 50 --per-cgroup -- sleep 0.1 2>ptui.txt
	expect "--per-cgroup: those with tasks" perl -MJSON::PP -ne 'my $o = decode_json($_); $n{$o->{cgroup}}++ if exists $o->{interval};
		END { my $g = "'"$group"'"; exit !($n{"$g/one"} > 1 && $n{"/"} > 1 && !$n{$g} && !$n{"$g/two"}) }' ptui.txt
	"$PTUI" stat record -a -o cgroups.data -e cs,task-clock --per-cgroup -G "$group/one,/" -- sleep 0.1 2>ptui.txt
	"$PTUI" stat report -i cgroups.data 2>report.txt
	same "record: cgroups are in the recording" <(grep '[0-9]  ' ptui.txt) <(grep '[0-9]  ' report.txt)
	# times that began before the counter, as Linux gives them to the first one of a cgroup: not for scaling
	perl -e 'local $/; my $f = <STDIN>; my ($at, $n) = unpack("x40 Q< Q<", $f); my $end = $at + $n;
		for (my $size; $at < $end; $at += $size) {
			(my $type, my $misc, $size) = unpack("L< S< S<", substr($f, $at, 8));
			next if $type != 76;
			substr($f, $at + 32, 16) = pack("Q< Q<", 1e12, 8e11);
		}
		print $f' <cgroups.data >earlier.data
	"$PTUI" stat report -i earlier.data 2>earlier.txt
	same "report: times before the counter are left out" <(grep '[0-9]  ' report.txt) <(grep '[0-9]  ' earlier.txt)
	expect "with their names" grep -q "cs  *$group/one " report.txt
	touch over
	wait $in_one
	rmdir "$cgroups/$group/one" "$cgroups/$group/two" "$cgroups/$group"
else
	skip "cgroups" "none can be made"
fi
if unshare -m true 2>/dev/null; then
	unshare -m sh -c 'umount -l -R /sys/fs/cgroup && exec "$@"' - "$PTUI" stat -a --per-cgroup -- true 2>ptui.txt
	expect "without a cgroup file system" [ $? -eq 255 ]
	expect "it says so" grep -q 'no cgroup file system' ptui.txt
else
	skip "without a cgroup file system" "no mount namespace can be made"
fi

# --- --control

mkfifo ctl ack
exec 5<>ctl 6<>ack
ask() { echo "$1" >&5; IFS= read -r -t 60 -u 6 answer && [ "${answer//[!a-z]/}" = ack ]; }
for tool in perf "$PTUI"; do
	who=${tool##*/}
	env --default-signal=INT "$tool" stat -D -1 --control fifo:ctl,ack -x, -e page-faults,dummy -a 2>$who.control &
	counter=$!
	expect "$who: --control: ping" ask ping
	expect "$who: --control: enable" ask enable
	for _ in 1 2 3; do /bin/true; done
	expect "$who: --control: disable" ask disable
	expect "$who: --control: evlist" ask evlist
	expect "$who: --control: evlist -g" ask 'evlist -g'
	expect "$who: --control: enable an event" ask 'enable dummy'
	expect "$who: --control: disable an event" ask 'disable dummy'
	kill -INT $counter # perf stat has no stop
	wait $counter
done
same "--control: perf's messages" <(grep -v '^[0-9]' perf.control) <(grep -v '^[0-9]' ptui.control)
expect "--control: what was enabled is counted" [ "$(value ptui.control page-faults)" -gt 0 ]
"$PTUI" stat -D -1 --control fifo:ctl,ack -e page-faults -- sleep 300 2>ptui.txt &
counter=$!
expect "--control: stop" ask stop
expect "ends with the counts" wait $counter
expect "of nothing" grep -q '<not counted>.*page-faults' ptui.txt
exec 5>&- 6>&-

# --- without rights

# Users may not count the kernel.
if [ "$(cat /proc/sys/kernel/perf_event_paranoid)" = 2 ] && command -v setpriv >/dev/null; then
	for options in '-e cs,page-faults' '-e {cs,page-faults}' '-r 2 -e cs' '-d' '-I 5000 -e cs' '-x, -e cs:u,cs'; do
		for tool in perf "$PTUI"; do
			# shellcheck disable=SC2086
			setpriv --reuid 65534 --regid 65534 --clear-groups "$tool" stat $options -- sleep 0.02 2>"${tool##*/}.err"
			masked "$([ "${options#-x}" = "$options" ] || echo fields)" <"${tool##*/}.err" >"${tool##*/}.txt"
		done
		same "as a user: stat $options" perf.txt ptui.txt
	done
else
	skip "as a user" "perf_event_paranoid is not 2, or there is no setpriv"
fi

# --- what cannot be

refused() {
	local why=$1
	shift
	"$PTUI" stat "$@" >ptui.out 2>ptui.txt
	expect "refused: stat $*" [ $? -eq 129 ]
	expect "with the reason" grep -q -e "$why" ptui.txt
}
refused "requires -a, -p, -t or -u" --per-thread -C 0
refused "require -a or -C" -A -- true
refused "counts with perf_event_open" --bpf-counters -- true
refused "counts with perf_event_open" -b 1
refused "has no place for them" record --per-cache -a -- true
refused "not the level of a cache" --per-cache=large -a -- true
for option in --per-cluster --per-cache --per-cache=L1; do # of perf 6.4 and later
	"$PTUI" stat $option -a -x, -e cs -- true 2>ptui.txt
	expect "$option: where each was counted" eval '[ -s ptui.txt ] && ! grep -vE "^S-?[0-9]+-D-?[0-9]+-(CLS|L-?[0-9]+-ID)-?[0-9]+,[0-9]+,[0-9]+,,cs," ptui.txt'
done
"$PTUI" stat --metric-no-threshold -M CPUs_utilized -- true 2>ptui.txt
expect "--metric-no-threshold: there are none" grep -q CPUs_utilized ptui.txt
refused "requires -a or -C" --per-cgroup -- true
refused "cannot be used with cgroups" -a --per-cgroup --per-thread -- true
refused "cannot be used with cgroups" -a --for-each-cgroup / --per-thread -- true
refused "requires -a or -C" -e dummy -G none -- true
refused "requires -a, -p, -t or -u" --per-thread -- true
refused "requires -a or -C" --for-each-cgroup / -- true
refused "cannot be used together" -a --for-each-cgroup / -G / -- true
refused "no cgroup matches 'no_such_" -a --for-each-cgroup 'no_such_[a-z]*,x*y' -- true
refused "is not a regular expression" -a --for-each-cgroup 'a[b' -- true
"$PTUI" stat -a --for-each-cgroup /,nothing_of_this_name -- true 2>ptui.txt
expect "a cgroup that does not exist" [ $? -eq 255 ]
expect "is named" grep -q nothing_of_this_name ptui.txt
refused "-r requires a command" -r 3 -a
refused "cannot be used together" -x, -j -- true
refused "cannot be used together" -o ptui.txt --log-fd 2 -e dummy -- true
refused "cannot be used together" --metric-only -r 2 -- true
refused "cannot be used together" --metric-only --per-thread -p $$ -- true
refused "no_such_metric" -M no_such_metric -- true
refused "requires -I" --interval-count 3 -- true
refused "nothing_of_this_name" -e nothing_of_this_name -- true
"$PTUI" stat -- /no/such/program 2>ptui.txt
expect "a command that does not exist" [ $? -ne 0 ]
expect "is named" grep -q /no/such/program ptui.txt
finish
