# SPDX-License-Identifier: GPL-2.0-or-later
# Users without rights at each level of kernel.perf_event_paranoid: what they may is recorded, what
# they may not is refused with the reason and the remedy. The level is put back in any case.
. "$top_srcdir/tests/lib/real_kallsyms.sh"
. "$top_srcdir/tests/lib/tap.sh"
need perf root
one_at_a_time
. "$top_srcdir/tests/fault/lib.sh"
need_nobody
file=/proc/sys/kernel/perf_event_paranoid
before=$(cat $file)
{ echo "$before" >$file; } 2>/dev/null || skip_all "perf_event_paranoid cannot be set here"
trap 'echo "$before" >$file; rm -rf "$tmp"' EXIT

# recorded OPTION...: as user nobody; $rc, err
recorded() {
	rc=0
	rm -f open/f.data
	as_nobody "$ptui" record -o open/f.data "$@" >out 2>err </dev/null || rc=$?
	[ ! -e open/f.data ] || chown 0 open/f.data # perf minds whose it is
}
# may NAME OPTION...
may() {
	local name=$1
	shift
	recorded "$@"
	expect "$name: status 0" test $rc -eq 0
	expect "$name: perf reads it" perf evlist -i open/f.data
}
# may_not NAME WORDS LEVEL OPTION...: refused with these words; this level would lift it
may_not() {
	local name=$1 words=$2 level=$3
	shift 3
	recorded "$@"
	expect "$name: status 255" test $rc -eq 255
	expect "$name: no file" test ! -e open/f.data
	expect "$name: the reason" grep -q "$words" err
	[ "$level" = - ] || expect "$name: the remedy" \
		grep -q "kernel.perf_event_paranoid is $(cat $file); as root: sysctl kernel.perf_event_paranoid=$level" err
}

sleep 600 &
other=$!
echo 2 >$file
may "level 2, a command" -e cpu-clock -- true
expect "level 2, a command: without the kernel, with a message" \
	grep -q "perf_event_paranoid is 2: measuring cpu-clock without the kernel" err
expect "level 2, a command: the event name shows it" grep -qx 'cpu-clock:u.*' <(perf evlist -i open/f.data)
may_not "level 2, the kernel alone" "requires privileges" 1 -e cpu-clock:k -- true
may_not "level 2, the whole system" "requires privileges" 0 -a -e cpu-clock:u -- true
may_not "level 2, one CPU" "requires privileges" 0 -C 0 -e cpu-clock:u -- true
may_not "level 2, the process of another" "belongs to another user" - -e cpu-clock:u -p $other -- true
may_not "level 2, a thread of another" "belongs to another user" - -e cpu-clock:u -t $other -- true
may_not "level 2, the processes of another" "belongs to another user" - -e cpu-clock:u -u root -- true
echo 1 >$file
may "level 1, a command" -e cpu-clock -- true
expect "level 1, a command: with the kernel" sh -c '! grep "without the kernel" err'
may_not "level 1, the whole system" "requires privileges" 0 -a -e cpu-clock -- true
echo 0 >$file
may "level 0, the whole system" -a -e cpu-clock -- true
may "level 0, one CPU" -C 0 -e cpu-clock -- true
# Some distributions refuse everything from this level on, which is not in mainline.
echo 3 >$file
recorded -e cpu-clock -- true
if [ $rc -eq 0 ]; then
	expect "level 3: as level 2" grep -q "perf_event_paranoid is 3: measuring" err
else
	expect "level 3: refused, with the level" grep -q "kernel.perf_event_paranoid is 3" err
	expect "level 3: no file" test ! -e open/f.data
fi
kill $other

# The doctor reports the same.
echo 2 >$file
rc=0
as_nobody "$ptui" doctor >out || rc=$?
expect "the doctor: status 1" test $rc -eq 1
expect "the doctor: the level" grep -q '! perf_event_paranoid: 2' out
finish
