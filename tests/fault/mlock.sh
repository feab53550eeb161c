# SPDX-License-Identifier: GPL-2.0-or-later
# Rings exceed the limit of locked memory: all of them are made smaller, with a message.
. "$top_srcdir/tests/lib/tap.sh"
need perf root
one_at_a_time
. "$top_srcdir/tests/fault/lib.sh"
need_nobody
[ "$(cat /proc/sys/kernel/perf_event_paranoid)" -ge 0 ] || skip_all "anyone may lock anything: perf_event_paranoid is below 0"
kb=$(cat /proc/sys/kernel/perf_event_mlock_kb)
[ "$kb" -lt 8192 ] || skip_all "perf_event_mlock_kb is $kb"

rc=0
as_nobody sh -c 'ulimit -l 0; exec "$@"' sh "$ptui" record -e cpu-clock:u -o open/f.data -m 16M -- \
	sh -c 'grep "anon_inode:.perf_event" /proc/$PPID/maps' >out 2>err || rc=$?
expect "the recording is made: status 0" test $rc -eq 0
expect "it is reported" grep -q 'ring buffers have [0-9]* KiB instead of 16384' err
expect "with what forbids more" grep -q 'perf_event_mlock_kb' err
expect "and the other limit" grep -q 'ulimit -l' err
while IFS=' -' read -r from to _; do
	echo $((0x$to - 0x$from))
done <out | sort | uniq -c >sizes
expect "all rings have one size: $(cat sizes)" test "$(wc -l <sizes)" -eq 1
expect "one for each CPU" test "$(awk '{ print $1 }' sizes)" -eq "$(grep -c ^processor /proc/cpuinfo)"
chown 0 open/f.data
expect "perf reads it" perf script -i open/f.data

# Within the limit there is no message.
rc=0
as_nobody sh -c 'ulimit -l 0; exec "$@"' sh "$ptui" record -e cpu-clock:u -o open/g.data -- true >out 2>err || rc=$?
[ $rc -eq 0 ] || note "status $rc: $(cat out err)"
expect "the default size: status 0" test $rc -eq 0
expect "the default size: nothing about rings" sh -c '! grep rings err'
finish
