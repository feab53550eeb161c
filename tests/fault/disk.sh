#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Full and failing disks, file size limits, pipes without a reader: the recording ends with an
# error, and what was written is valid, for perf and for ptui.

. "$top_srcdir/tests/lib/tap.sh"
. "$top_srcdir/tests/fault/samples.sh"
need perf root tracefs
one_at_a_time
cd "$tmp" || exit 1
hook=$top_builddir/tests/fault/hook.so
disk=
trap '[ -z "$disk" ] || umount "$disk"; rm -rf "$tmp"' EXIT

# More samples than there is room for; exits by itself.
flood=(timeout 60 dd if=/dev/zero of=/dev/null bs=1 count=300000 status=none)

# stopped NAME FILE ERROR: ptui has exited with it, and left a valid file.
stopped() {
	local name=$1 file=$2 error=$3 perf ptui said
	expect "$name: an exit status" test "$rc" -eq 255
	expect "$name: why" grep -q "^ptui: record: .*$error" err
	perf=$(by_perf "$file" 2>&1)
	ptui=$(by_ptui "$file" 2>&1)
	said=$(sed -nE 's/.* \(([0-9]+) samples\).*/\1/p' err)
	expect "$name: perf reads it ($perf)" test "$perf" -gt 0
	expect "$name: ptui finds the same ($ptui)" test "$ptui" = "$perf"
	expect "$name: as many as ptui reported ($said)" test "$said" = "$perf"
}
record() { rc=0; timeout 60 "$PTUI" record "$@" >out 2>err </dev/null || rc=$?; }

# --- a full disk

mkdir small
if mount -t tmpfs -o size=2M tmpfs small 2>/dev/null; then
	disk=$tmp/small
	record -o small/f.data -e raw_syscalls:sys_enter -- "${flood[@]}"
	stopped "a full disk" small/f.data 'No space left on device'
	rm small/*
	record -z -o small/f.data -a -g -e raw_syscalls:sys_enter -- timeout 60 dd if=/dev/zero of=/dev/null bs=1 count=3000000 status=none
	if [ "$rc" -eq 0 ]; then
		ok "a full disk, -z: it was large enough"
	else
		expect "a full disk, -z: why" grep -q "^ptui: record: .*No space left" err
		expect "a full disk, -z: perf reads it" by_perf small/f.data
		expect "a full disk, -z: ptui finds the same" test "$(by_ptui small/f.data)" = "$(by_perf small/f.data)"
	fi
	rm small/*
	# no room at all: the old file is unchanged
	echo older >small/f.data
	dd if=/dev/zero of=small/fill bs=4096 status=none 2>/dev/null
	record -o small/f.data -e page-faults true
	expect "no room at all: an exit status" test "$rc" -eq 255
	expect "no room at all: why" grep -q "^ptui: record: .*No space left on device" err
	expect "no room at all: the older recording is there" grep -qx older small/f.data
	expect "no room at all: no file remains" test "$(ls small)" = "$(printf 'f.data\nfill')"
else
	skip "a full disk" "no tmpfs can be mounted" root
fi

# --- a limit to files

(
	ulimit -f 1000
	"$PTUI" record -o limit.data -e raw_syscalls:sys_enter -- "${flood[@]}" >out 2>err </dev/null
	echo $? >rc
)
rc=$(cat rc)
stopped "a limit to files" limit.data 'File too large'

# --- a pipe, cut within a record: all have a multiple of 4 bytes, and one that ends between two of them is complete

rc=0
{ "$PTUI" record -o - -e raw_syscalls:sys_enter -- "${flood[@]}" 2>err || echo $? >rc; } | head -c 999997 >part
rc=$(cat rc)
expect "a reader that goes: an exit status" test "$rc" -eq 255
expect "a reader that goes: why" grep -q '^ptui: record: .*the reader of the pipe is gone' err
"$PTUI" report --stdio -F sample,comm --no-children -g none -t '|' -i part 2>ptui.err </dev/null |
	awk -F '|' '!/^#/ && NF > 1 { n += $1 } END { print n + 0 }' >n
expect "a reader that goes: what it had is readable ($(cat n))" test "$(cat n)" -gt 1000
expect "... and ptui reports that it is truncated" grep -q 'cut short' ptui.err

# --- a directory with files planted by others

if command -v setpriv >/dev/null; then
	mkdir -m 1777 common
	chmod 755 .
	echo precious >precious
	setpriv --reuid=65534 --regid=65534 --clear-groups ln -s "$tmp/precious" common/perf.data
	setpriv --reuid=65534 --regid=65534 --clear-groups mkfifo common/named
	record -o common/perf.data -e page-faults -c 1 true
	expect "a planted link is not followed" grep -qx precious precious
	expect "... but replaced" test ! -L common/perf.data
	expect "... by a file that is ours alone" test "$(stat -c '%a %u' common/perf.data)" = "600 $(id -u)"
	record -o common/named -e page-faults -c 1 true
	expect "a planted pipe is not written to" test "$rc" -eq 255
else
	skip "a folder where others plant things" "setpriv is not installed" root
fi

# --- files that cannot be replaced

# in_place NAME FILE OPTION...: FILE keeps its type, and has the recording.
in_place() {
	local name=$1 file=$2 before
	shift 2
	before=$(stat -c %i "$file")
	record -o "$file" "$@" -e page-faults -c 1 true
	expect "$name: an exit status" test "$rc" -eq 0
	expect "$name: it is the same file" test "$(stat -c %i "$file")" = "$before"
	expect "$name: perf reads it" test "$(by_perf "$file")" -gt 0
}
cat >places.sh <<'EOF'
mount --bind inner outer || exit 77
mount --bind locked locked && mount -o remount,ro,bind locked || exit 77
mount --bind inside locked/f.data || exit 77
EOF
mkdir locked
: >inner
: >outer
: >inside
: >locked/f.data
if unshare -m sh places.sh 2>/dev/null; then
	in_place_all() {
		in_place "a file that is mounted" outer
		in_place "a file in a folder that is read-only" locked/f.data
		record -o outer -e page-faults true
		expect "... which has something in it is refused" grep -q 'cannot keep the older outer' err
		expect "... and stays" test "$(by_perf outer)" -gt 0
		in_place "... unless it may be lost" outer -f
		record -A -o outer -e page-faults -c 1 true
		expect "... and nothing is appended to it" grep -q 'cannot append to outer' err
		printf '%d %d\n' "$tap_n" "$tap_bad" >counts
	}
	export -f in_place_all in_place record expect ok not_ok note by_perf by_ptui size_of
	export tap_n tap_bad tmp PTUI
	unshare -m bash -c '. ./places.sh && in_place_all'
	read -r tap_n tap_bad <counts
else
	skip "files that cannot be replaced" "nothing can be mounted" root
fi
ln -s /proc/self/fd/1 stdout
"$PTUI" record -o stdout -e page-faults -c 1 true >through.data 2>err </dev/null
expect "a link to the standard output stays one" test -L stdout
expect "... and is written through" test "$(by_perf through.data)" -gt 0

# --- pipes

# The command runs until its samples have filled the pipe, and then until it is ended.
mkfifo stalled
exec 8<>stalled
"$PTUI" record -o - -e page-faults -c 1 -- sh -c 'while :; do /bin/true; done' >stalled 2>err </dev/null &
recorder=$!
is_full() { ! dd if=/dev/zero of=stalled bs=1 count=1 oflag=nonblock 2>/dev/null; }
has_ended() { ! kill -0 "$recorder" 2>/dev/null; }
expect "a pipe without a reader fills up" until_so is_full
kill -INT "$recorder"
expect "... which does not keep the recording from ending" until_so has_ended
wait "$recorder"
expect "... with an error" grep -q 'has stopped reading' err
exec 8>&-

# --- every write in turn

[ -r "$hook" ] || { skip "every write in turn" "the hook was not built"; finish; }
export FAULT_FILE=$tmp/f.data FAULT_LOG=$tmp/log
events=(-e page-faults -c 1)

every_write() { # LABEL ERRNO TEXT ON OPTION...
	local label=$1 errno=$2 text=$3 on=$4 n perf ptui flushed bad=
	shift 4
	for ((n = 1; n < 100; n++)); do
		rm -f f.data log
		rc=0
		ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}verify_asan_link_order=0 \
			env FAULT_AT=$n FAULT_ERRNO="$errno" ${on:+FAULT_ON=1} LD_PRELOAD="$hook" \
			timeout 60 "$PTUI" record -o f.data "$@" "${events[@]}" "$work" >out 2>err </dev/null || rc=$?
		grep -q '^failed' log || break
		grep -q "^ptui: record: .*$text" err || { bad="$n: not told: $(cat err)"; break; }
		[ "$rc" -eq 255 ] || { bad="$n: status $rc"; break; }
		# it did not begin
		[ -e f.data ] || continue
		flushed=$(sed -n 's/^flushed //p' log | tail -n 1)
		[ "$(size_of f.data)" -ge "${flushed:-0}" ] || { bad="$n: $flushed bytes were said, $(size_of f.data) are"; break; }
		# nothing was written yet: perf warns that there is no data
		[ "$(size_of f.data)" -gt 0 ] || continue
		perf=$(by_perf f.data 2>&1) && ptui=$(by_ptui f.data 2>&1) && [ "$ptui" -ge "$perf" ] || { bad="$n: perf $perf, ptui $ptui"; break; }
	done
	expect "$label: each of $((n - 1)) writes fails in turn${bad:+: $bad}" test -z "$bad"
	expect "$label: there are some" test "$n" -gt 8
	expect "$label: without a failure all is well" test "$rc" -eq 0
}
every_write "one write fails" 5 'Input/output error' ''
every_write "a disk that goes on failing" 28 'No space left on device' yes
every_write "-z, a disk that goes on failing" 5 'Input/output error' yes -z
finish
