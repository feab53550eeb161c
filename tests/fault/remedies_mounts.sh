# SPDX-License-Identifier: GPL-2.0-or-later
# The remedies that ptui prints work: mounting tracefs and cgroups, in a mount namespace of this
# script. Group and mode of tracefs are the same in all namespaces: they are restored.
if [ -z "${PTUI_MOUNTS_OF_ITS_OWN-}" ] && unshare -m true 2>/dev/null; then
	export PTUI_MOUNTS_OF_ITS_OWN=1
	exec unshare -m bash "$0"
fi
. "${top_srcdir:?}/tests/lib/tap.sh"
need root tracefs
[ -n "${PTUI_MOUNTS_OF_ITS_OWN-}" ] || skip_all "there are no mount namespaces here"
one_at_a_time
. "$top_srcdir/tests/fault/lib.sh"
. "$top_srcdir/tests/cli/remedies_lib.sh"
need_nobody
for tool in sysctl setcap mountpoint; do
	command -v $tool >/dev/null || skip_all "there is no $tool"
done
changes perf_event_paranoid
tracing=/sys/kernel/tracing
mountpoint -q $tracing || skip_all "tracefs is not at $tracing"
options=$(stat -c 'gid=%g,mode=%a' $tracing)
trap 'mount_tracing; put_back; leave' EXIT
mount_tracing() {
	mountpoint -q $tracing || mount -t tracefs tracefs $tracing
	mount -o "remount,$options" $tracing
}
unmount_tracing() {
	local at
	for at in $(awk '$3 == "tracefs" || $3 == "debugfs" { print $2 }' /proc/mounts | sort -r); do
		umount "$at"
	done
}
# in_group COMMAND...: as user nobody, in the group called GROUP in the remedies
in_group() { setpriv --reuid $nobody --regid 12345 --clear-groups --inh-caps=-all env HOME="$tmp/open" "$@"; }
# The command of the last hint, for that group.
follow() {
	sed -n 's/.*sudo \(mount .*\)$/\1/p; s/.*as root: \(mount .*\)$/\1/p' err | sed 's/GROUP/12345/' >command
	expect "$remedy: followed: $(cat command)" sh -e command
}
group_records() { in_group "$ptui" record -o open/f.data -e sched:sched_switch -- true; }
not_again() { expect "$remedy: not printed again" sh -c '! grep -E -- "$1" err' sh "$pattern"; }
cp ptui ptui-capable

for mode in 700 755; do
	set_to perf_event_paranoid 2
	mount -o remount,gid=0,mode=$mode $tracing
	remedy "run ptui as root, or let a group of yours read them: sudo mount -o remount,gid=GROUP,mode=750 %s"
	complains group_records
	helped "$PTUI" record -o root.data -e sched:sched_switch -- true
	complains group_records
	remedy "to record them, users also require kernel.perf_event_paranoid=-1 or CAP_PERFMON"
	complains group_records
	remedy "run ptui as root, or let a group of yours read them: sudo mount -o remount,gid=GROUP,mode=750 %s"
	follow
	complaint=$pattern
	remedy "without these rights, use software events such as cpu-clock:u"
	complains group_records
	expect "mode=$mode: tracefs is no longer complained of" sh -c '! grep -E -- "$1" err' sh "$complaint"
	helped recorded -e cpu-clock:u -- true
	remedy "to record them, users also require kernel.perf_event_paranoid=-1 or CAP_PERFMON"
	if setcap cap_perfmon+ep ptui-capable 2>/dev/null; then
		helped in_group "$tmp/ptui-capable" record -o open/f.data -e sched:sched_switch -- true
	fi
	remedy "as root: sysctl kernel.perf_event_paranoid=-1"
	complains in_group "$ptui" doctor --json
	set_to perf_event_paranoid -1
	in_group "$ptui" doctor --json >out 2>err
	expect "$remedy: helps" grep -q 'Tracepoints can be recorded' out
	remedy "to record them, users also require kernel.perf_event_paranoid=-1 or CAP_PERFMON"
	helped group_records
done

remedy "ptui list --details %s:%s lists its fields"
complains "$PTUI" record -o root.data -e sched:sched_switch --filter 'nonsense == 1' -- true
helped "$PTUI" list --details sched:sched_switch
field=$(grep -ow prev_pid out | head -n 1)
helped "$PTUI" record -o root.data -e sched:sched_switch --filter "$field > 0" -- true
remedy "system %s exists: ptui list '%s:*'"
complains "$PTUI" record -o root.data -e schedd:zzz -- true
helped "$PTUI" list 'sched:*'
expect "$remedy: they are there" grep -q sched:sched_switch out
remedy "add period=, such as cycles/period=1000000000/"
complains "$PTUI" record --overwrite --switch-output-event cpu-clock -e cpu-clock -o root.data -- true
helped "$PTUI" record --overwrite --switch-output-event cpu-clock/period=1000000000/ -e cpu-clock -o root.data -- true

remedy "mount it: sudo mount -t tracefs tracefs %s/kernel/tracing"
unmount_tracing
complains "$PTUI" record -o root.data -e sched:sched_switch -- true
follow
helped "$PTUI" record -o root.data -e sched:sched_switch -- true

remedy "run ptui as root, or mount them outside debugfs for a group of yours: sudo mount -t tracefs -o gid=GROUP,mode=750 tracefs %s/kernel/tracing"
mount -o "remount,$options" $tracing
unmount_tracing
if mount -t debugfs -o mode=700 debugfs /sys/kernel/debug 2>/dev/null && [ -e /sys/kernel/debug/tracing/events ]; then
	complains group_records
	follow
	helped group_records
	umount -R /sys/kernel/debug
else
	skip "$remedy" "there is no debugfs here"
fi

remedy "as root: mount -t cgroup2 none /sys/fs/cgroup"
if umount -l -R /sys/fs/cgroup 2>/dev/null; then
	complains "$PTUI" record -o root.data -a -e cpu-clock -G none -- true
	follow
	"$PTUI" record -o root.data -a -e cpu-clock -G none -- true >out 2>err
	not_again
else
	skip "$remedy" "there are no control groups here"
fi
finish
