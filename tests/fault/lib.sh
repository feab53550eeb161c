# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# Behind tap.sh, in a folder that everybody may look into:
#
#	as_nobody COMMAND...	without any right, with a copy of the program as $ptui
#	storm_begin MODE N	see storm.c: $storm_pid; storm_end; storm_threads

export LC_ALL=C.UTF-8 HOME=$tmp PERF_CONFIG=/dev/null PERF_BUILDID_DIR=$tmp/debug
unset PTUI_DEBUG XDG_CONFIG_HOME PTUI_PAGER PAGER
storm=$top_builddir/tests/fault/storm
# A user of these tests alone, one at a time: the kernel limits the memory of ring buffers per user, and other tests
# record as 65534 without waiting for a turn.
nobody=65532
cd "$tmp" || exit 1

storm_ready() { grep -q ready storm.out; }
storm_begin() {
	rm -f storm.out
	"$storm" "$@" >storm.out &
	storm_pid=$!
	until_so storm_ready
}
storm_end() {
	kill -USR1 "$storm_pid"
	wait "$storm_pid"
	grep -v ready storm.out | sort | sed 's/$/ 3/' >wanted
}

need_nobody() {
	command -v setpriv >/dev/null || skip_all "there is no setpriv"
	chmod 755 "$tmp"
	cp "$PTUI" ptui
	mkdir open
	chown $nobody open
	ptui=$tmp/ptui
	as_nobody test -x "$ptui" || skip_all "nobody cannot look into $tmp"
}
as_nobody() { setpriv --reuid $nobody --regid $nobody --clear-groups --inh-caps=-all env HOME="$tmp/open" "$@"; }
