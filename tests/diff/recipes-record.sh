# SPDX-License-Identifier: GPL-2.0-or-later
#
# The tutorials' lines of perf record, run by ptui as they are written: perf reads what they record, and finds the
# events, the callchains and the samples of its own recording. What this machine cannot record is refused by both.
. "$top_srcdir/tests/lib/tap.sh"
. "$top_srcdir/tests/diff/lib.sh"
. "$top_srcdir/tests/diff/recipes_lib.sh"
need perf root tracefs
export LC_ALL=C
recipes_parts=2
one_at_a_time

# -p PID: it runs and sleeps
bash -c 'while :; do for ((i = 0; i < 3000; i++)); do :; done; read -rt 0.01 <>"$1"; done' - "$tmp/.pause" &
sleeper=$!

# Probes of programs that are here.
[ ! -e /sys/kernel/tracing/uprobe_events ] || {
	echo 'void usage(void) {} void pr_addr(void) {} int main(void) { usage(); pr_addr(); return 0; }' >"$tmp/ping.c"
	gcc -o "$tmp/bin/ping" "$tmp/ping.c"
	# In a group of this test: the other half of the lines makes its own at the same time.
	probe_group=probe_ping_$$
	made_probes=$(for probe in usage pr_addr; do
		perf probe -q -x "$tmp/bin/ping" "$probe_group:$probe=$probe" && echo "$probe_group:$probe"
	done 2>>"$tmp/probe.err")
	note "probes: $made_probes"
	# sleep runs it, so that each recording has five hits of its own
	printf '#!/bin/bash\nfor ((i = 0; i < 5; i++)); do ping; done\nexec %s 0.3\n' "$(type -P -a sleep | sed -n 2p)" >"$tmp/bin/sleep"
	trap 'for probe in $made_probes; do perf probe -q -d "$probe"; done; leave' EXIT
}

# Events with the fields of their samples. ptui has the dummy of its sideband beside them, and ids (own_sideband,
# ids_of_sideband in tests/diff/differences).
about() {
	attrs_of "$1" 2>/dev/null |
		sed -E 's/^([^:]*(:[^ :]+)?): .*(sample_type: [^,]*).*/\1 \3/
			s/\|ID(ENTIFIER)?(\||$)/\2/; s/: IDENTIFIER\|/: /; /^dummy:HG /d'
}
n_samples() { perf script -F event -i "$1" 2>/dev/null | grep -c ':'; }

# Lines that have samples whatever the machine does meanwhile.
is_busy() {
	case $1 in
	*'-F 99 -a'*sleep* | *'-F 99 command' | *context-switches*sleep* | *sched_process_\**sleep*) ;;
	*) return 1 ;;
	esac
}

hits() {
	local who n status=0
	for who in perf ptui; do
		n=$(n_samples "$tmp/$who/perf.data")
		[ "$n" -ge 5 ] || { echo "$who: $n of 5 hits; $(tail -n 2 "$tmp/$who/err")"; status=1; }
	done
	return $status
}
# Whatever the machine reads: small reads only, and perf's filter lets the same through.
small_reads() {
	local who
	for who in perf ptui; do
		perf script -F trace -i "$tmp/$who/perf.data" 2>/dev/null | sed -n 's/.*count: 0x0*\([0-9a-f]*\)$/\1/p' >"$tmp/$who.txt"
		! grep -vE '^[0-9]?$' "$tmp/$who.txt" || return
	done
}

record_line() {
	local line=$1 today=$2
	rm -f "$tmp"/{perf,ptui}/perf.data
	case $2 in
	-)
		ran ptui "$line"
		expect "$line: records" [ -s "$tmp/ptui/perf.data" ]
		expect "$line: perf reads it" perf script -i "$tmp/ptui/perf.data"
		return
		;;
	*' -F 99 -a'* | *:*' -a'*) both "$line" "$today" ;;
	*) # a command of its own (one_at_a_time), and software events: of two recordings the kernel confuses the ids
		ran ptui "$line"
		ptui_status=$status
		ran perf "$today"
		perf_status=$status
		;;
	esac
	if [ ! -s "$tmp/perf/perf.data" ]; then
		refused_as_by_perf "$line"
		return
	fi
	about "$tmp/perf/perf.data" >"$tmp/perf.txt"
	about "$tmp/ptui/perf.data" >"$tmp/ptui.txt"
	same "$line" "$tmp/perf.txt" "$tmp/ptui.txt"
	if [ "$ptui_status" -ne "$perf_status" ]; then
		not_ok "$line: status $ptui_status, perf $perf_status"
		note "$(cat "$tmp/ptui/err")"
	fi
	case $line in
	*'-e probe_ping:'*sleep*) expect "$line: all hits of the command" hits ;;
	*"--filter 'count < 10'"*) expect "$line: only what passes the filter" small_reads ;;
	esac
	! is_busy "$line" || expect "$line: has samples, as perf's" \
		[ "$(n_samples "$tmp/perf/perf.data")" -gt 0 -a "$(n_samples "$tmp/ptui/perf.data")" -gt 0 ]
}
each_recipe record record_line
finish
