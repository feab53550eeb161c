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
