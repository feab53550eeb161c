# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash

# Without a snapshot there are no samples, but all else; what has too little room or two places is refused.
effect_memory() {
	rec -M 1M -e page-faults -c 1 -- sh -c '/bin/true; /bin/cat /dev/null' || return
	[ "$(perf script -i f.data 2>/dev/null | wc -l)" -eq 0 ] && dump 'PERF_RECORD_COMM.*: cat:' &&
		dump 'PERF_RECORD_MMAP2.*/cat' && grep -q 'samples left the memory' err || return
	refused -M 65536 true && grep -q 65537 err && refused -M 1M --overwrite true &&
		refused -M 1M -e page-faults/overwrite/ true && refused -M lots true
}
