# SPDX-License-Identifier: GPL-2.0-or-later
# The remedies that ptui prints work: limits of an unprivileged user.
. "${top_srcdir:?}/tests/lib/tap.sh"
need root
one_at_a_time
. "$top_srcdir/tests/fault/lib.sh"
. "$top_srcdir/tests/cli/remedies_lib.sh"
need_nobody
for tool in sysctl prlimit; do
	command -v $tool >/dev/null || skip_all "there is no $tool"
done
changes perf_event_paranoid perf_event_mlock_kb
set_to perf_event_paranoid 2

remedy "about %zu open files are needed, the limit is %llu: ulimit -n"
events=page-faults:u
for ((i = 0; i < 19; i++)); do
	events=$events,page-faults:u
done
complains recorded_within --nofile=24:24 -e $events -c 1 -- true
needed() { sed -n 's/.*about \([0-9]*\) open files.*/\1/p' err; }
limit=$(needed)
helped recorded_within "--nofile=$limit:$limit" -e $events -c 1 -- true
counted_within() {
	local limit=$1
	shift
	prlimit "$limit" setpriv --reuid $nobody --regid $nobody --clear-groups --inh-caps=-all "$ptui" stat "$@"
}
events=$events,$events,$events,{$events,$events}
complains counted_within --nofile=80:80 -e "$events" -- true
limit=$(needed)
helped counted_within "--nofile=$limit:$limit" -e "$events" -- true

remedy "raise the limit of open files: ulimit -n"
complains counted_within --nofile=12:12 -e "$events" -- true
helped counted_within "--nofile=$limit:$limit" -e "$events" -- true

# raises LIMIT: this root may
raises() { prlimit "$1" true 2>/dev/null || { skip "$remedy: $1" "no right to raise it"; return 1; }; }

remedy "this requires CAP_SYS_NICE, or a sufficient 'ulimit -r'"
if chrt -f 1 true 2>/dev/null; then
	complains recorded_within --rtprio=0:0 -r 7 -e dummy -- true
	! raises --rtprio=7:7 || helped recorded_within --rtprio=7:7 -r 7 -e dummy -- true
	helped "$PTUI" record -o root.data -r 7 -e dummy -- true
else
	skip "$remedy" "no realtime here"
fi

remedy "ring buffers have %zu KiB instead of %zu: kernel.perf_event_mlock_kb is %ld, the locked-memory limit (ulimit -l) %llu KiB"
set_to perf_event_mlock_kb 516
complains recorded_within --memlock=0:0 -m 8M -e cpu-clock:u -- true
set_to perf_event_mlock_kb 16384
helped recorded_within --memlock=0:0 -m 8M -e cpu-clock:u -- true
set_to perf_event_mlock_kb 516
! raises --memlock=unlimited:unlimited ||
	helped recorded_within --memlock=unlimited:unlimited -m 8M -e cpu-clock:u -- true
helped recorded_within --memlock=0:0 -m 256K -e cpu-clock:u -- true

remedy "as root: sysctl kernel.perf_event_mlock_kb=16384; or a higher ulimit -l"
complains as_nobody "$ptui" doctor --json
finish
