# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash

# The file has the last samples, and not all; too little memory, and both kinds of keeping, are
# refused.
effect_memory() {
	rec -M 65K -e page-faults -c 1 -- sh -c 'for i in $(seq 50); do /bin/true; done; for i in $(seq 50); do /bin/cat /dev/null; done' ||
		return
	perf script -i f.data -F comm 2>/dev/null >comms && grep -q cat comms && ! grep -q true comms &&
		grep -q 'older samples did not fit into memory' err || return
	refused -M 65536 true && grep -q 65537 err && refused -M 1M --overwrite true &&
		refused -M 1M -e page-faults/overwrite/ true && refused -M lots true
}

# AUX areas: those of a fake PMU are in tests/unit/record/test_aux.c.
effect_snapshot() {
	refused -S -e cpu-clock true && grep -q 'S requires an event with an AUX area' err &&
		refused -Se64K --overwrite -e cpu-clock true && grep -q 'AUX area' err &&
		refused -Slots true && grep -q "expected e, a size up to 1G" err
}
effect_aux_sample() {
	refused --aux-sample -e cpu-clock true && grep -q 'requires an event with an AUX area' err &&
		refused --aux-sample=61441 true && grep -q 'from 1 to 61440' err
}
