# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# The flight recorder.

# Phase A is 300 programs called "true", phase B 40 called "cat"; all on one CPU, in a ring of some
# 170 samples: A is gone, and all that is left has a name and a DSO.
phases='for i in $(seq 1 300); do /bin/true; done; for i in $(seq 1 40); do /bin/cat /dev/null; done'
effect_overwrite() {
	local cpu
	cpu=$(taskset -cp $$ | sed 's/.*: //; s/[,-].*//')
	rec -m 8K -e page-faults -c 1 -- taskset -c "$cpu" sh -c "$phases" && lacks 'write_backward: 1' || return
	perf script -i f.data -F comm 2>/dev/null | grep -qx ' *true *' || { echo "no phase A"; return 1; }
	rec --overwrite -m 8K -e page-faults -c 1 -- taskset -c "$cpu" sh -c "$phases" &&
		has 'write_backward: 1' && dump 'PERF_RECORD_COMM.*: true:' || return
	perf script -i f.data -F comm,ip,dso 2>/dev/null >script
	[ "$(wc -l <script)" -ge 50 ] && grep -q '^ *cat ' script && ! grep '^ *true ' script &&
		! grep '\[unknown\])' script
}
