# SPDX-License-Identifier: GPL-2.0-or-later
# The remedies that ptui prints work: sysctls and capabilities, for an unprivileged user.
. "$top_srcdir/tests/lib/real_kallsyms.sh"
. "${top_srcdir:?}/tests/lib/tap.sh"
need root
one_at_a_time
. "$top_srcdir/tests/fault/lib.sh"
. "$top_srcdir/tests/cli/remedies_lib.sh"
need_nobody
for tool in sysctl setcap; do
	command -v $tool >/dev/null || skip_all "there is no $tool"
done

changes perf_event_paranoid kptr_restrict
cp ptui ptui-capable
capable() { setcap "$1" ptui-capable; }
set_to perf_event_paranoid 2
set_to kptr_restrict 0

# --- perf_event_paranoid

remedy "kernel.perf_event_paranoid is %d; as root: sysctl kernel.perf_event_paranoid=%d, or run as root, or: setcap cap_perfmon+ep on this program"
# level OPTION...: the refusal, the level that it names, and what else it offers
level() {
	local wanted
	set_to perf_event_paranoid 2
	complains recorded "$@"
	wanted=$(sed -n 's/.*sysctl kernel.perf_event_paranoid=\([-0-9]*\).*/\1/p' err)
	set_to perf_event_paranoid "${wanted:-2}"
	helped recorded "$@"
	set_to perf_event_paranoid 2
	helped "$PTUI" record -o root.data "$@"
	if capable cap_perfmon+ep 2>/dev/null; then
		helped as_nobody "$tmp/ptui-capable" record -o open/f.data "$@"
	else
		skip "$remedy: setcap" "files have no capabilities here"
	fi
}
level -e cpu-clock:k -- true
level -a -e cpu-clock:u -- true
level --phys-data -e cpu-clock:u -- true

remedy "without these rights, add :u to the event to measure user code only"
complains recorded -e cpu-clock:k -- true
helped recorded -e cpu-clock:u -- true
remedy "without these rights, record your own processes and commands"
complains recorded -a -e cpu-clock:u -- true
helped recorded -e cpu-clock -- true
setpriv --reuid $nobody --regid $nobody --clear-groups --inh-caps=-all sleep 600 &
own=$!
until_so grep -qx sleep /proc/$own/comm
helped recorded -e cpu-clock -p $own -- true
remedy "without these rights, omit --phys-data"
complains recorded --phys-data -e cpu-clock:u -- true
helped recorded -e cpu-clock:u -- true

remedy "as root: sysctl kernel.perf_event_paranoid=1 (kernel mode), 0 (whole CPUs) or -1 (tracepoints); or run as root, or: setcap cap_perfmon+ep on this program"
complains as_nobody "$ptui" doctor --json
set_to perf_event_paranoid 1
helped recorded -e cpu-clock:k -- true
set_to perf_event_paranoid 0
helped recorded -a -e cpu-clock -- true
set_to perf_event_paranoid 2

# --- other users' processes

sleep 600 &
other=$!
remedy "run as that user, as root, or with CAP_PERFMON and CAP_SYS_PTRACE"
for target in "-p $other" "-t $other" "-p 1"; do
	# shellcheck disable=SC2086
	complains recorded $target -- true
	expect "$target: the owner is blamed" grep -q "belongs to another user" err
	expect "$target: and perf_event_paranoid is not" sh -c '! grep paranoid err'
done
helped "$PTUI" record -o root.data -p $other -- true
helped recorded -p $own -- true
remedy "run as root, or with CAP_PERFMON and CAP_SYS_PTRACE"
complains recorded -e cpu-clock:k -p $other -- true
helped "$PTUI" record -o root.data -e cpu-clock:k -p $other -- true
if capable cap_perfmon,cap_sys_ptrace+ep 2>/dev/null; then
	helped as_nobody "$tmp/ptui-capable" record -o open/f.data -e cpu-clock:k -p $other -- true
	helped as_nobody "$tmp/ptui-capable" record -o open/f.data -p $other -- true
fi
kill $own $other

# --- kernel symbols

remedy "as root: sysctl kernel.kptr_restrict=0; users without CAP_SYSLOG also require kernel.perf_event_paranoid=1 or lower"
for hidden in 0 1 2; do
	set_to kptr_restrict $hidden
	set_to perf_event_paranoid 2
	complains recorded -e mem:_text -- true
	set_to kptr_restrict 0
	set_to perf_event_paranoid 1
	as_nobody "$ptui" doctor >out 2>err
	expect "$remedy: helps the doctor, with kptr_restrict $hidden" sh -c '! grep kptr_restrict=0 out'
	recorded -e mem:_text -- true >out 2>err
	expect "$remedy: helps -e mem:, with kptr_restrict $hidden" sh -c '! grep kptr_restrict err'
done
set_to kptr_restrict 2
complains "$PTUI" record -o root.data -e mem:_text -- true
set_to kptr_restrict 0
"$PTUI" record -o root.data -e mem:_text -- true >out 2>err
expect "$remedy: helps root" sh -c '! grep kptr_restrict err'
set_to perf_event_paranoid 2

# --- names of kernel functions in a report: what the Browser's data quality advises for them
# (ui/model/browser/trust.c; its texts are shown by tests/unit/ui/model/test_trust.c)

"$PTUI" record -e cpu-clock:k -o open/kernel.data -- dd if=/dev/zero of=/dev/null bs=1 count=300000 >out 2>err
chmod 644 open/kernel.data
cat /proc/kallsyms >open/kallsyms
# named OPTION...: a user without rights sees the kernel's functions
named() { as_nobody "$ptui" report --stdio -F sample,sym -i open/kernel.data "$@" >out 2>err && grep -qE '\[k\] [a-z_]' out; }
hidden() { ! named "$@"; }
if set_to kptr_restrict 0 && set_to perf_event_paranoid 1 && named; then
	set_to kptr_restrict 1
	expect "kernel.kptr_restrict=1 hides the kernel's names" hidden
	expect "--kallsyms FILE shows them" named --kallsyms open/kallsyms
	set_to kptr_restrict 0
	set_to perf_event_paranoid 2
	expect "so does kernel.perf_event_paranoid=2" hidden
	expect "--kallsyms FILE shows them" named --kallsyms open/kallsyms
	set_to perf_event_paranoid 1
	expect "kernel.kptr_restrict=0 and kernel.perf_event_paranoid=1 show them" named
else
	cat out err
	skip "names of kernel functions" "root's recording has none here"
fi
set_to perf_event_paranoid 2

# --- programs whose counters the kernel ends

remedy "the kernel does not let you measure %s: it has more rights than you (setuid, file capabilities), or you may not read its file; run ptui as root"
work='i=0; while [ $i -lt 100000 ]; do i=$((i + 1)); done'
program=open/sh
cp "$(command -v sh)" $program
unmeasured() {
	complains recorded -e cpu-clock:u -- "$tmp/$program" -c "$work"
	expect "$1: there are no samples" sh -c '! grep "samples)" err'
	complains as_nobody "$ptui" stat -e task-clock:u -- "$tmp/$program" -c true
	helped "$PTUI" record -o root.data -e cpu-clock:u -- "$tmp/$program" -c "$work"
	expect "$1: root has samples" grep -q 'samples)' err
}
helped recorded -e cpu-clock:u -- "$tmp/$program" -c "$work"
expect "a program without rights has samples" grep -q 'samples)' err
chmod 4755 $program && unmeasured setuid
chmod 711 $program && unmeasured unreadable
chmod 755 $program
if setcap cap_net_raw+ep $program 2>/dev/null; then
	unmeasured capabilities
else
	skip "$remedy: setcap" "files have no capabilities here"
fi
finish
