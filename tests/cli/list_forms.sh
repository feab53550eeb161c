# SPDX-License-Identifier: GPL-2.0-or-later
# The other forms of ptui list: details, descriptions, JSON, available events.
. "$top_srcdir/tests/lib/tap.sh"
unset PTUI_PAGER PAGER PTUI_DEBUG

list() { "$PTUI" list "$@" >"$tmp/out" 2>"$tmp/err" </dev/null; }
has() { grep -qxF -- "$1" "$tmp/out"; }

list --details page-faults msr/tsc/ rNNN
expect "--details: what a name is to the kernel" has "       type 1, config 0x2"
expect "--details: nothing below a way of writing" grep -A1 '^  rNNN ' "$tmp/out" -q
list --long-desc page-faults
expect "--long-desc: what it counts" has "       [all page faults]"
list page-faults
expect "neither by default" [ "$(wc -l <"$tmp/out")" -eq "$(grep -c '\]$' "$tmp/out")" ]

json() {
	perl -MJSON::PP -e 'local $/; my $l = decode_json(<STDIN>); print scalar(@$l), "\n";
		for my $e (@$l) { print join("|", map { $e->{$_} // "" } @ARGV), "\n" }' "$@" <"$tmp/out"
}
list -j page-faults context-switches
expect "--json can be read" json EventName EventAlias EventType Available
json EventName EventAlias EventType Available >"$tmp/got"
expect "--json: perf's member names" grep -qxF 'context-switches|cs|Software event|yes' "$tmp/got"
list -j nothing-is-called-so
expect "--json of nothing is an empty array" [ "$(json | head -n 1)" = 0 ]
list --json --details page-faults
json EventName Encoding >"$tmp/got"
expect "--json --details: encodings" grep -qxF 'page-faults|type 1, config 0x2' "$tmp/got"

if ! "$top_builddir/tests/lib/need" perf root tracefs >"$tmp/why" 2>&1; then
	skip "the fields of a tracepoint" "$(cat "$tmp/why")" tracefs
	skip "what opens here is what perf lists" "$(cat "$tmp/why")" perf
	finish
fi
list --details sched:sched_switch
sed -n 's/^\tfield:\([^;]*\);.*/         \1/p' /sys/kernel/tracing/events/sched/sched_switch/format |
	grep -v ' common_' >"$tmp/fields"
grep '^         ' "$tmp/out" >"$tmp/got"
same "the fields of a tracepoint" "$tmp/fields" "$tmp/got"

# A machine with an uncore PMU: the meaning of its counts, and its formats
imc=$tmp/units/uncore_imc_0
mkdir -p "$imc/events" "$imc/format" "$imc/caps"
(
	cd "$imc" || exit 1
	echo 123456 >type # nobody has that
	echo 0,28 >cpumask
	echo config:0-7,32-35 >format/event
	echo config3:0-11 >format/threshold
	echo event=0x04 >events/cas
	echo MiB >events/cas.unit
	echo 6.103515625e-5 >events/cas.scale
	echo 1 >events/cas.per-pkg
	echo 1 >events/cas.snapshot
	echo 3 >caps/max_precise
)
in_machine() {
	unshare -m sh -c 'mount --bind "$1" /sys/bus/event_source/devices && shift && exec "$@"' \
		sh "$tmp/units" "$PTUI" list "$@" >"$tmp/out" 2>"$tmp/err" </dev/null
}
if ! unshare -m true 2>/dev/null; then
	skip "a unit of another machine" "mount namespaces are not allowed here"
	skip "... in JSON" "mount namespaces are not allowed here"
else
	in_machine --details pmu
	cat >"$tmp/want" <<-END
		  uncore_imc_0/cas/                                  [Kernel PMU event]
		       type 123456, config 0x4
		       opened on CPUs 0,28
		       unit MiB
		       counted times 6.10352e-05
		       one count for a whole socket
		       the count is the current value, not an increase
		       term event  config:0-7,32-35
		       term threshold  config3:0-11
		       capability max_precise  3
	END
	sed '/cannot be counted here:/,$d' "$tmp/out" >"$tmp/got"
	same "a unit of another machine" "$tmp/want" "$tmp/got"
	expect "... which this one does not have, with the reason" grep -q '^ *cannot be counted here: .' "$tmp/out"
	in_machine --json --details pmu
	json EventName Unit ScaleUnit PerPkg Snapshot CPUs Available >"$tmp/got"
	expect "... in JSON" grep -qxF 'uncore_imc_0/cas/|uncore_imc_0|6.10352e-05MiB|1|1|0,28|no' "$tmp/got"
	in_machine --available pmu
	expect "... is left out of what is available" [ ! -s "$tmp/out" ]
fi

# perf lists only the hardware and cache events that open here
list --available hw cache
perf list hw cache 2>/dev/null </dev/null | grep -E '\[Hardware (cache )?event\]$' >"$tmp/perf"
same "what opens here is what perf lists" "$tmp/perf" "$tmp/out"
list --available cs sched:sched_switch
expect "what was not tried is listed" grep -q '^  sched:sched_switch ' "$tmp/out"
finish
