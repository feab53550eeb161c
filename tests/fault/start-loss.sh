#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Commands that emit from their first instruction, recorded with the default ring buffers: what a start has to do
# meanwhile (replace an older file of 1 GB, copy a large recording, take large samples) costs no samples. How
# many are lost depends on the machine, so each is compared with the same command without it, run in between.

. "$top_srcdir/tests/lib/tap.sh"
. "$top_srcdir/tests/fault/samples.sh"
need perf root tracefs
one_at_a_time
cd "$tmp" || exit 1

[ "$(df --output=avail -B1M . | tail -1)" -gt 4000 ] || skip_all "less than 4 GB of disk are free"
fallocate -l 1M probe 2>/dev/null || skip_all "this file system has no fallocate()"
rm probe

event=raw_syscalls:sys_enter
calls=100000 # of each dd below: a read and a write per byte
tolerance=$((calls / 10))
# 1 GB that is slow to free: in the page cache, too
older() { fallocate -l 1G "$1" && cat "$1" >/dev/null; }
bursts() { echo timeout 60 dd if=/dev/zero of=/dev/null bs=1 count="$1" status=none; }

# record NAME ARG...: appends the number of samples to NAME.counts; a recording that fails counts none.
record() {
	local name=$1
	shift
	timeout 60 "$PTUI" record "$@" >out 2>err </dev/null || { sed 's/^/# /' err >&2; echo 0 >>"$name.counts"; return; }
	sed -nE 's/.* \(([0-9]+) samples\).*/\1/p' err >>"$name.counts"
}
lowest() { sort -n "$1.counts" | head -1; }
median() { sort -n "$1.counts" | sed -n 2p; }
best() { sort -n "$1.counts" | tail -1; }
# no_more_lost NAME WITH WITHOUT TOLERANCE: of three runs each, the best is as good as the worst without. Other
# programs make a run lose more, none makes it lose less, and what ptui does at the start it does in all three.
no_more_lost() {
	note "$1: $(paste -sd ' ' "$2.counts") samples; without: $(paste -sd ' ' "$3.counts")"
	expect "$1" test "$(best "$2")" -ge $(($(lowest "$3") - $4))
}

# --- an older file, and an older recording

# shellcheck disable=SC2046
record base -e $event -o base -- $(bursts 1000000)
expect "the recording to append to has 100 MB and more" test "$(stat -c %s base)" -gt 100000000
for _ in 1 2 3; do
	rm -f p.data*
	# shellcheck disable=SC2046
	record plain -e $event -o p.data -- $(bursts $((calls / 2)))
	older p.data.old
	# shellcheck disable=SC2046
	record old -e $event -o p.data -- $(bursts $((calls / 2)))
	# -A writes a new file, so `base` is unchanged
	ln -f base a.data
	# shellcheck disable=SC2046
	record append -A -e $event -o a.data -- $(bursts $((calls / 2)))
	expect "the older recording was appended to" test "$(stat -c %s a.data)" -gt "$(stat -c %s base)"
done
no_more_lost "FILE.old of 1 GB: no more samples are lost" old plain $tolerance
no_more_lost "-A onto a large recording: no more samples are lost" append plain $tolerance
rm -f p.data* a.data base

# --- 8 KiB per sample; the workload does a fixed amount of work, so that the number of samples is nearly fixed

burn=(bash -c 'for ((i = 0; i < 150000; i++)); do :; done')
for _ in 1 2 3; do
	rm -f d.data*
	perf record -e cpu-clock --call-graph dwarf -F 4000 -o p.data -- "${burn[@]}" >out 2>perf.err </dev/null
	sed -nE 's/.* \(([0-9]+) samples\).*/\1/p' perf.err >>perf.counts
	record dwarf -e cpu-clock --call-graph dwarf -F 4000 -o d.data -- "${burn[@]}"
	older d.data.old
	record dwarf_old -e cpu-clock --call-graph dwarf -F 4000 -o d.data -- "${burn[@]}"
done
no_more_lost "--call-graph dwarf at 4 kHz: no more samples are lost than by perf" dwarf perf $(($(median perf) / 5))
no_more_lost "... and with a FILE.old of 1 GB" dwarf_old dwarf $(($(median perf) / 5))
finish
