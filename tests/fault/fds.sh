# SPDX-License-Identifier: GPL-2.0-or-later
# More counters than the limit of open files: the limit is raised, but not for the command; if that
# is not possible, the error says how many are needed.
. "$top_srcdir/tests/lib/tap.sh"
need perf root
. "$top_srcdir/tests/fault/lib.sh"

limited() { # SOFT HARD COMMAND...: no right to raise the hard limit
	local soft=$1 hard=$2
	shift 2
	setpriv --bounding-set=-sys_resource --inh-caps=-sys_resource \
		sh -c 'ulimit -Sn "$2" && ulimit -Hn "$1" && shift 2 && exec "$@"' sh "$hard" "$soft" "$@"
}
command -v setpriv >/dev/null || skip_all "there is no setpriv"
limited 64 128 true 2>/dev/null || skip_all "the limits cannot be set here"

storm_begin pool 100
threads=101
counters=$((threads * $(nproc) * 2))
rc=0
limited 64 2000 "$PTUI" record -e page-faults:u -c 1 -o f.data -p "$storm_pid" -- sh -c 'ulimit -Sn; ulimit -Hn' >out 2>err || rc=$?
if [ $counters -gt 1900 ]; then
	skip "a low limit is raised" "there are so many CPUs"
else
	expect "a low limit is raised: status 0" test $rc -eq 0
	printf '64\n2000\n' >limits
	same "a low limit is raised, but not for the command" limits out
	expect "a low limit is raised: no message" sh -c '! grep -i "open files" err'
fi

# each event on its own
events=page-faults:u$(printf ',page-faults:u%.0s' {1..99})
rc=0
limited 64 2000 "$PTUI" stat -e "$events" -- true >out 2>err || rc=$?
expect "a low limit is raised: stat: status 0" test $rc -eq 0
expect "a low limit is raised: stat: all events" test "$(grep -c page-faults err)" -eq 100

rc=0
rm -f f.data
limited 64 128 "$PTUI" record -e page-faults:u -c 1 -o f.data -p "$storm_pid" -- true >out 2>err || rc=$?
expect "a limit that stays: status 255" test $rc -eq 255
expect "a limit that stays: no file" test ! -e f.data
needed=$(sed -n 's/.*about \([0-9]*\) open files.*/\1/p' err)
expect "a fixed limit: the error has the number needed ($needed)" test "${needed:-0}" -ge "$counters"
expect "a limit that stays: and what the limit is" grep -q 'the limit is 128: ulimit -n' err
expect "a limit that stays: the target lives on" kill -0 "$storm_pid"
storm_end
finish
