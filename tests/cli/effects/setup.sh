# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# Build-ids: the table in the file compared with perf's, and perf's cache.

# The header's table; status 1: none.
buildid_table() {
	perf report --header-only -i "$1" 2>/dev/null | grep '^# missing features' | grep -qw BUILD_ID && return 1
	perf buildid-list -i "$1" | sort
}
# The table and the attr as with perf, and what is added to the cache; either without samples (the
# vdso is in the table then) or with one per touched page.
like_perf() { # OPTION...
	local event
	mkdir -p ours perfs # perf makes .debug, but not what it lies in
	for event in dummy page-faults; do
		HOME=$PWD/ours rec -e $event -c 1 "$@" -- true || return
		HOME=$PWD/perfs perf_rec -e $event -c 1 "$@" -- true || return
		buildid_table f.data >table
		buildid_table perf.data >wanted
		diff wanted table || return
		(cd ours/.debug 2>/dev/null && find . -type f ! -name probes | sort) >cache
		(cd perfs/.debug 2>/dev/null && find . -type f ! -name probes | sort) >wanted
		diff wanted cache || return
		(cd ours/.debug 2>/dev/null && find . -type l -printf '%p %l\n' | sort) >cache
		(cd perfs/.debug 2>/dev/null && find . -type l -printf '%p %l\n' | sort) >wanted
		diff wanted cache || return
	done
}
cache_is_empty() { ! [ -e ours/.debug ] || ! ls -R ours/.debug; }

effect_no_buildid_cache() {
	like_perf -N && lacks 'build_id: 1' && [ -s table ] && cache_is_empty || return
	like_perf --buildid-cache && lacks 'build_id: 1' || return
	HOME=$PWD/ours perf buildid-cache -l >listed
	grep -q "$(readlink -f "$(type -P true)")" listed || { cat listed; return 1; }
	# perf reads the recording with the cache only
	cmp "$(find ours/.debug -path "*/bin/true/*/elf")" "$(type -P true)"
}
effect_no_buildid() {
	like_perf -B && lacks 'build_id: 1' && ! [ -s table ] && cache_is_empty || return
	rec -e page-faults true && has 'build_id: 1'
}
effect_buildid_all() {
	like_perf --buildid-all -N && cache_is_empty || return
	HOME=$PWD/ours rec -e dummy --buildid-all true && buildid_table f.data >table || return
	grep -q "$(readlink -f "$(type -P true)")" table && [ -d ours/.debug/.build-id ] || { cat table; return 1; }
}
effect_buildid_mmap() {
	like_perf --buildid-mmap && has 'build_id: 1' && ! [ -s table ] && cache_is_empty || return
	rm -rf ours perfs
	HOME=$PWD/ours rec -e page-faults --no-buildid-mmap true && lacks 'build_id: 1' && buildid_table f.data &&
		[ -d ours/.debug/.build-id ]
}
# The rest is in tests/cli/vmlinux.sh: a vmlinux has to be made.
effect_vmlinux() {
	refused --vmlinux /no/such/vmlinux -e dummy true &&
		grep -q '^ptui: record: --vmlinux: cannot open /no/such/vmlinux: ' err &&
		refused --vmlinux "$PTUI" -e dummy true && grep -qE 'has build-id .*, the running kernel has' err
}
