# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# Automatic snapshots.

# A command that runs until there is a snapshot: in a file of its own, or in the output.
is_kept() { ls f.data.[0-9][0-9][0-9][0-9][0-9][0-9][0-9][0-9]*; }
until_kept() {
	until_so is_kept
	: >stop
}
rec_until_kept() {
	rm -f stop f.data*
	until_kept &
	rec --overwrite -m 8K -e page-faults -c 1 "$@" -- sh -c 'until [ -e stop ]; do /bin/true; done'
	wait
}
snapshots() { grep -c 'ptui record: snapshot at' err; }

effect_snapshot_when() {
	# a count is passed only once
	rec_until_kept --snapshot-when 'page-faults > 1G' --snapshot-when 'page-faults > 2k' &&
		[ "$(snapshots)" = 1 ] || return
	rec --overwrite -e page-faults --snapshot-when 'page-faults/s > 1G' true && [ "$(snapshots)" = 0 ] || return
	refused --overwrite -e page-faults --snapshot-when 'cycles/s > 1' true &&
		grep -q "this recording has no event 'cycles'" err || return
	refused -e page-faults --snapshot-when 'page-faults/s > 1' true && grep -q -- '--overwrite or -M SIZE' err
}
# One is larger than the limit, so it is the only one.
effect_snapshot_max_size() {
	rec --overwrite -m 8K -e page-faults -c 1 --snapshot-when 'page-faults/s > 1k' --snapshot-max-size 1K -- \
		sh -c 'sleep 0.5; for n in 1 2 3; do for i in $(seq 300); do /bin/true; done; sleep 1.2; done' || return
	[ "$(snapshots)" = 1 ] && grep -q 'it takes no more (--snapshot-max-size)' err || return
	refused --overwrite -e page-faults --snapshot-max-size 5 true && grep -q 'a size with unit' err
}
# The command's own exec is one hit, and there are two more; the file does not contain the event.
effect_switch_output_event() {
	rec_until_kept --switch-output-event sched:sched_process_exec && [ "$(snapshots)" -ge 1 ] &&
		! attrs "$(ls f.data* | tail -n 1)" | grep 'sched_process_exec' || return
	refused --overwrite -e page-faults --switch-output-event cpu-clock true &&
		grep -q 'cpu-clock occurs all the time' err || return
	refused --overwrite -e page-faults --switch-output-event no-such-event true &&
		grep -q "switch-output-event: unknown event" err
}
effect_switch_output_filter() {
	rec_until_kept --switch-output-event sched:sched_process_exec --switch-output-filter 'filename == "/bin/true"' &&
		[ "$(snapshots)" -ge 1 ] || return
	rec --overwrite -e page-faults --switch-output-event sched:sched_process_exec \
		--switch-output-filter 'filename == "/no/such/program"' true && [ "$(snapshots)" = 0 ] || return
	refused --overwrite -e page-faults --switch-output-filter 'pid == 1' true &&
		grep -q 'must follow the --switch-output-event' err || return
	refused --overwrite -e page-faults --switch-output-event sched:sched_process_exec \
		--switch-output-filter 'no_field == 1' true && grep -q 'no field called' err
}
