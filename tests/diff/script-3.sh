# SPDX-License-Identifier: GPL-2.0-or-later
# ptui script prints what perf script prints, by default: recordings of many kinds.
. "$top_srcdir/tests/lib/tap.sh"
. "$top_srcdir/tests/diff/lib.sh"
. "$top_srcdir/tests/diff/script_lib.sh"
need perf root tracefs

each '-F 1000 -R' \
	'-F 1000 --sample-cpu' \
	'-F 1000 --sample-identifier -P' \
	'-F 1000 -W' \
	'-F 1000 -d' \
	'-F 1000 --phys-data' \
	'-F 1000 --data-page-size' \
	'-F 1000 --code-page-size' \
	'-F 1000 -I' \
	'-F 1000 --user-regs=ip,sp,bp' \
	'-F 1000 --namespaces' \
	'-F 1000 --switch-events' \
	'-F 1000 --all-cgroups' \
	'-F 1000 -k mono' \
	'-F 1000 -k raw' \
	'-F 1000 --running-time' \
	'-F 1000 --transaction' \
	'-F 1000 --tail-synthesize' \
	'-F 1000 --buildid-all' \
	'-F 1000 --buildid-mmap'

finish
