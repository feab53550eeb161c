# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# How the file is written.

faults() { perf script -F event -i "${1-f.data}" 2>complaint </dev/null | grep -c page-faults; }

effect_compression_level() {
	rec -e page-faults -c 1 "$work" && ! header '^# compressed' || return
	rec -z -e page-faults -c 1 "$work" && header '^# compressed : Zstd, level = 1,' || return
	perf report --stats -i f.data 2>/dev/null | grep -q 'COMPRESSED events: *[1-9]' || return
	grep -q 'compressed (original .* ratio is' err && [ "$(faults)" -gt 0 ] || return
	said=$(sed -nE 's/.*\(([0-9]+) samples\).*/\1/p' err)
	[ "$(faults)" -eq "$said" ] && ! [ -s complaint ] || return
	rec -z --compression-level=19 true && header 'level = 19,' && rec -z22 true && header 'level = 22,' || return
	rec -z --no-compression-level true && ! header '^# compressed'
}
effect_append() {
	rec -e page-faults:u -c 1 "$work" && first=$(faults) && rec -A -e page-faults:u -c 1 "$work" || return
	[ "$(faults)" -gt "$first" ] && ! [ -s complaint ] && ! [ -e f.data.old ] || return
	cp f.data kept
	! rec -A -e page-faults:u -c 2 true && grep -q 'incompatible append' err && cmp f.data kept || return
	! rec -A -e page-faults:u,cpu-clock true && grep -q 'incompatible append' err && cmp f.data kept || return
	! rec -A -f true && grep -q 'cannot be used together' err && cmp f.data kept || return
	# compressed after uncompressed, and vice versa
	rec -A -z -e page-faults:u -c 1 "$work" && rec -A -z -e page-faults:u -c 1 "$work" &&
		rec -A -e page-faults:u -c 1 "$work" || return
	[ "$(faults)" -gt $((4 * first)) ] && ! [ -s complaint ] && [ -z "$(ls f.data.*)" ] || return
	rm f.data
	rec -A true && [ -s f.data ]
}
effect_force() {
	echo older >f.data
	rec true && grep -qx older f.data.old && rm f.data.old && rec -f true && ! [ -e f.data.old ] && rec true && [ -e f.data.old ]
}
effect_max_size() {
	rec --max-size 20K -e page-faults -c 1 sh -c 'while :; do /bin/true; done'
	grep -q 'size limit reached (20 KB)' err && [ "$(stat -c %s f.data)" -ge 20480 ] && dump PERF_RECORD_SAMPLE || return
	rec --max-size 1G true && ! grep 'size limit' err && refused --max-size 20 true && refused --max-size K true
}
effect_overflow_limit() {
	# exactly as many of each event, though the load goes on
	rec --overflow-limit 50 -e page-faults:u -c 1 sh -c 'while :; do /bin/true; done'
	grep -q 'limit of overflows reached (50 per counter), stopping' err && [ "$(faults)" -eq 50 ] || return
	header 'inherit: 1' && return 1
	rec --overflow-limit 7 -e page-faults/period=1/u -e cpu-clock/period=100000/ sh -c 'while :; do :; done'
	for event in page-faults cpu-clock; do
		[ "$(perf script -F event -i f.data 2>/dev/null </dev/null | grep -c "$event")" -eq 7 ] || return
	done
	# of whole CPUs: each of its counters
	rec --overflow-limit 9 -e cpu-clock -c 1000000 -C 0 sh -c 'while :; do :; done'
	[ "$(perf script -F event -i f.data 2>/dev/null </dev/null | grep -c cpu-clock)" -eq 9 ] || return
	# not reached: the recording ends with its command, and says nothing
	rec --overflow-limit 100000 -e page-faults:u -c 1 true && ! grep 'limit of overflows' err || return
	refused --overflow-limit 0 true && refused --overflow-limit 5 -n true && grep -q 'and -n cannot be used together' err &&
		refused --overflow-limit 5 --overwrite true
}
effect_timestamp_filename() {
	rec --timestamp-filename true && ! [ -e f.data ] || return
	name=$(ls f.data.*)
	[[ $name =~ ^f\.data\.[0-9]{16}$ ]] && grep -q " $name " err && perf script -i "$name" >/dev/null
}
# of each sample's time, what perf finds in the file
effect_timestamp_boundary() {
	rec --timestamp-boundary -F 5000 "$work" || return
	header '^# time of first sample' || return
	perf script -F time --ns -i f.data 2>/dev/null | tr -d ' :' | sort -n >times
	sed -nE 's/^# time of (first|last) sample : ([0-9.]+)$/\2/p' header >said
	# perf prints microseconds there, cut
	{ head -n 1 times; tail -n 1 times; } | sed 's/...$//' >are
	cmp said are
}
# A few records, of a command that then waits until it is released: whether they are in the file meanwhile.
flushed_early() { # OPTION...
	local recorder i
	rm -f f.data hold copy
	mkfifo hold
	"$PTUI" record -q -o f.data "$@" -e page-faults -c 1 -- sh -c '/bin/true; read -r x <hold' >/dev/null 2>err </dev/null &
	recorder=$!
	# at least three times as long as records wait by default
	for ((i = 0; i < 600; i++)); do
		sleep 0.05
		cp f.data copy 2>/dev/null && [ "$(faults copy)" -gt 0 ] && break
		[ "$2" = 1 ] || [ $i -lt 60 ] || break
	done
	early=$(faults copy)
	# open until it has ended: it may not have come to its read yet
	exec 9<>hold
	echo >&9
	wait $recorder
	i=$?
	exec 9>&-
	[ $i -eq 0 ] && [ "$(faults)" -gt 0 ]
}
effect_mmap_flush() {
	flushed_early --mmap-flush 1 && [ "$early" -gt 0 ] || return
	flushed_early --mmap-flush 1G && [ "$early" -eq 0 ] || return
	rec --mmap-flush 64K true && rec --mmap-flush 100 true && refused --mmap-flush many true
}
