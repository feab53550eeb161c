# SPDX-License-Identifier: GPL-2.0-or-later
# ptui script prints what perf script prints, by default: recordings of many kinds.
. "$top_srcdir/tests/lib/tap.sh"
. "$top_srcdir/tests/diff/lib.sh"
. "$top_srcdir/tests/diff/script_lib.sh"
need perf root tracefs

each '-F 1000' \
	'-F 1000 -g' \
	'-F 4000 -e cpu-clock:u' \
	'-F 1000 -g -e cpu-clock:k' \
	'-F 1000 -e task-clock' \
	'-c 100000 -e cpu-clock' \
	'-e page-faults -c 1' \
	'-e page-faults -c 1 -g -d' \
	'-e minor-faults,major-faults' \
	'-e context-switches -c 1 -g' \
	'-e cpu-migrations -c 1 -e cpu-clock' \
	'-F 1000 -e cpu-clock,task-clock' \
	'-z -F 2000 -g' \
	'-z22 -F 1000' \
	'-F 500 -a' \
	'-F 500 -a -z -g' \
	'-F 1000 --per-thread' \
	'-F 1000 -g --per-thread' \
	'-F 1000 -T' \
	'-F 1000 -P' \
	'-F 1000 -s'

finish
