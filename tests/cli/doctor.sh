# SPDX-License-Identifier: GPL-2.0-or-later
# ptui doctor, and the same words from ptui record: users with and without rights.
. "$top_srcdir/tests/lib/tap.sh"
unset PTUI_PAGER PAGER PTUI_DEBUG XDG_CONFIG_HOME PERF_CONFIG
export LC_ALL=C.UTF-8 HOME=$tmp
cd "$tmp" || exit 1

run() {
	rc=0
	"$PTUI" "$@" >out 2>err </dev/null || rc=$?
}
run doctor
expect "doctor: status 0, 1 or 255" grep -qx '0\|1\|255' <(echo $rc)
expect "doctor: nothing on stderr" test ! -s err
expect "doctor: the kernel's version" grep -q "kernel: $(uname -r)" out
for key in perf_event_paranoid perf_event_mlock_kb open_files capabilities tracefs units cycles \
	branch_stacks cgroups debuginfod; do
	expect "doctor: $key" grep -q "^  . $key: " out
done
# Its parts make the sum, or it says why it is unknown.
cost() {
	awk '/^  . sample_cost: unknown$/ { unknown = 1 }
		/^  . sample_cost: [0-9.]+ us per sample, [0-9.]+% of a CPU at 4000 Hz$/ {
			sub(/.*sample_cost: /, ""); sum = $1; share = $5 + 0 }
		END { exit !(unknown || (sum > 0 && sum < 10000 && share > sum * 0.4 - 0.02 && share < sum * 0.4 + 0.02)) }' out
}
expect "doctor: what a sample costs, and its share of a CPU" cost
expect "doctor: where that is spent" grep -qE "us are in the|cost of a sample is unknown" <(tr '\n' ' ' <out | tr -s ' ')
run doctor --json
if command -v python3 >/dev/null; then
	expect "doctor --json is JSON" python3 -c '
import json, sys
rows = json.load(open("out"))
assert len(rows) > 12
for row in rows:
	assert set(row) == {"Key", "Health", "Group", "Value", "Means", "Lift"}, row
	assert row["Health"] in ("good", "note", "absent", "limited", "refused"), row
	assert row["Means"], row
	assert row["Lift"] or row["Health"] not in ("limited", "refused") or row["Key"] in ("cycles", "precise", "branch_stacks"), row
'
else
	skip "doctor --json is JSON" "no python3"
fi
run doctor word
expect "doctor WORD: misused" test $rc -eq 129
PERF_CONFIG=$tmp/its.config
export PERF_CONFIG
: >"$PERF_CONFIG"
run doctor
expect "doctor: perf's config is found" grep -q "perfconfig: $tmp/its.config" out
finish
