#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Build-ids in recordings of existing processes: they disturb no concurrent recording, are those of
# the mapped files, and never those of a file that replaced one.

. "$top_srcdir/tests/lib/tap.sh"
need perf root
one_at_a_time
export LC_ALL=C.UTF-8 HOME=$tmp PERF_CONFIG=/dev/null PERF_BUILDID_DIR=$tmp/debug
unset PTUI_PAGER PAGER PTUI_DEBUG XDG_CONFIG_HOME
cd "$tmp" || exit 1

# Two programs of one name with different build-ids, which run until told to exit.
for i in 1 2; do
	cat >prog.c <<END
#include <unistd.h>
volatile int version = $i;
int main(void) { char c; return read(0, &c, 1) < 0; }
END
	${CC:-cc} -g -Wl,--build-id -o "prog$i" prog.c || { not_ok "a compiler"; finish; }
done
id_of() { readelf -n "$1" | sed -n 's/.*Build ID: //p'; }
# The table of the file; "none" without one.
ids_in() { perf buildid-list -i "$1" 2>/dev/null; }
id_at() { ids_in "$1" | awk -v path="$2" '{ id = $1; sub(/^[^ ]* /, "") } $0 == path { print id }'; }

# record OPTION...: in the background, until it records
record() {
	rm -f f.data ready
	timeout 60 "$PTUI" record -q -o f.data -F 49 "$@" 2>err &
	pid=$!
	until_so test -s f.data
}
end() { kill -INT "$pid" && { wait "$pid" || :; } && [ -s f.data ]; }
mapped() { grep -qF "$1" /proc/*/maps; }
# run PROGRAM: maps it while we record, and ends
run() {
	rm -f fifo && mkfifo fifo || return
	"$1" <fifo &
	exec 7>fifo
	until_so mapped "$(readlink -f "$1")"
	echo >&7
	exec 7>&-
	wait $!
	:
}

asks_no_kernel() { ! perf evlist -v -i f.data 2>/dev/null | grep -q 'build_id: 1'; }

# ---- others

alone() {
	local i status
	record -a || return
	for i in 1 2 3; do
		perf record -q -o "perf.$i" -e page-faults -c 1 -- sh -c ls >perf.out 2>&1
		status=$?
		[ "$status" = 0 ] || { cat perf.out; echo "status $status"; end; return 1; }
	done
	end && asks_no_kernel
}
expect "perf record beside ptui record -a" alone
of_pid() {
	record -p $$ && perf record -q -o perf.1 -e page-faults -c 1 -a -- sh -c ls >perf.out 2>&1 || { cat perf.out; end; return 1; }
	end && asks_no_kernel
}
expect "perf record -a beside ptui record -p" of_pid
other() {
	timeout 60 "$PTUI" record -q --buildid-mmap -a -o mmap.data -F 49 2>err.other &
	local asks=$!
	until_so test -s mmap.data && record -a && run ./prog1 && end || return
	kill -INT $asks
	wait $asks
	# perf 6.1 aborts when a record has the build-id flag, but device and inode
	perf script -i f.data --show-mmap-events >shown 2>&1 || { tail shown; return 1; }
	perf buildid-list -i f.data >shown 2>&1 || { tail shown; return 1; }
	[ "$(id_at f.data "$tmp/prog1")" = "$(id_of prog1)" ]
}
expect "ptui record -a beside one that asks the kernel for build-ids" other
expect "--buildid-mmap asks the kernel" sh -c "perf evlist -v -i mmap.data | grep -q 'build_id: 1'"
command_asks() { "$PTUI" record -q -o f.data -- true && perf evlist -v -i f.data | grep -q 'build_id: 1'; }
expect "so does the recording of a command" command_asks
both_asks_not() { "$PTUI" record -q -a -o f.data -- true && asks_no_kernel; }
expect "not if the command is not the target" both_asks_not

# ---- the build-ids

# Those of our files and of the system's in the table are those of the files, by readelf.
all_true() {
	local id path n=0
	while read -r id path; do
		case $path in
		"$tmp"/* | /usr/* | /lib/*) ;;
		# others may be in a chroot or a mount namespace, as those of other tests, or be built anew
		*) continue ;;
		esac
		n=$((n + 1))
		[ "$id" = "$(id_of "$path")" ] || { echo "$path: $id"; return 1; }
	done < <(ids_in "$1")
	[ "$n" -gt 1 ] || { echo "$n rows"; return 1; }
}
same_as_perf() {
	rm -rf perf.data
	record -a && run ./prog1 && end && all_true f.data || return
	[ "$(id_at f.data "$tmp/prog1")" = "$(id_of prog1)" ] || { ids_in f.data; return 1; }
	perf buildid-list -k | grep -qx "$(id_at f.data '[kernel.kallsyms]')" || { ids_in f.data; return 1; }
	perf record -q -a --buildid-all -F 49 -o perf.data -- sleep 0.2 2>/dev/null
	# the rows that both have
	join -j 2 <(ids_in f.data | sort -k 2) <(ids_in perf.data | sort -k 2) >both
	[ "$(wc -l <both)" -gt 3 ] && awk '$2 != $3 { print; bad = 1 } END { exit bad }' both
}
expect "-a: the build-ids of the files, as perf has them" same_as_perf
of_process() {
	rm -f fifo && mkfifo fifo && cp prog1 mapped-before || return
	./mapped-before <fifo &
	exec 7>fifo
	until_so mapped "$tmp/mapped-before"
	record -p $! && end
	exec 7>&-
	[ "$(id_at f.data "$tmp/mapped-before")" = "$(id_of prog1)" ]
}
expect "-p: what was mapped before" of_process

# The recording of $1 and then $2 under one name; the table must have neither.
replaced_by() { # HOW
	rm -f prog && cp prog1 prog && record -a && run ./prog && sleep 1.2 && "$1" && run ./prog && end || return
	[ -z "$(id_at f.data "$tmp/prog")" ] || { ids_in f.data; return 1; }
	perf script -i f.data >shown 2>&1 || { tail shown; return 1; }
}
rename_it() { cp prog2 new && mv new prog; }
write_over() { cp prog2 prog; }
expect "a file that is replaced has no build-id" replaced_by rename_it
expect "nor has one that is written over" replaced_by write_over
just_written() {
	rm -f fresh && record -a && cp prog1 fresh && run ./fresh && end || return
	[ "$(id_at f.data "$tmp/fresh")" = "$(id_of prog1)" ] || { ids_in f.data; return 1; }
}
expect "one that was written just before it ran has its own" just_written
# Before its notes are read, up to a second after the map: the table may have the first one's, or
# none.
written_over_at_once() {
	rm -f prog && cp prog1 prog && record -a && run ./prog && write_over && end || return
	[ "$(id_at f.data "$tmp/prog")" != "$(id_of prog2)" ] || { ids_in f.data; return 1; }
}
expect "nor has one that is written over at once" written_over_at_once
deleted() {
	rm -f prog && cp prog1 prog && rm -f fifo && mkfifo fifo || return
	./prog <fifo &
	exec 7>fifo
	until_so mapped "$tmp/prog"
	cp prog2 new && mv new prog # another file has its name before we look
	record -a && run ./prog1 && end
	exec 7>&-
	[ -z "$(id_at f.data "$tmp/prog")" ] && [ "$(id_at f.data "$tmp/prog1")" = "$(id_of prog1)" ] &&
		[ "$(id_at f.data "$tmp/prog (deleted)")" = "$(id_of prog1)" ]
}
expect "what was deleted before has its own, not that of the file that is there now" deleted
in_container() {
	mkdir -p root && mountpoint -q root || :
	record -a && unshare -m sh -c '
		mount -t tmpfs none root && cp prog2 root/hidden && cd root &&
		{ sleep 1.5; echo; } | ./hidden' && end || return
	[ "$(id_at f.data "$tmp/root/hidden")" = "$(id_of prog2)" ] || { ids_in f.data; return 1; }
}
expect "a file in another mount namespace" in_container

# ---- when they are written

row_in_time() { [ "$(id_at f.data "$tmp/prog1")" = "$(id_of prog1)" ]; }
killed() {
	record -a && run ./prog1 && until_so row_in_time || { end; cat err; ids_in f.data; return 1; }
	kill -KILL "$(pgrep -P "$pid" ptui)"
	wait "$pid"
	row_in_time && perf script -i f.data >shown 2>&1 && "$PTUI" report --stdio -i f.data >shown 2>err || {
		tail shown err
		return 1
	}
}
expect "a flush writes them: a recorder that is killed leaves them" killed
changed() {
	local f n=0
	record -a --switch-output=signal && run ./prog1 || return
	kill -USR2 "$(pgrep -P "$pid" ptui)"
	until_so sh -c 'ls f.data.[0-9]*' && run ./prog2 && end
	for f in f.data.[0-9]*; do
		n=$((n + 1))
		[ "$(id_at "$f" "$tmp/prog1")" = "$(id_of prog1)" ] && all_true "$f" || { echo "$f"; return 1; }
	done
	[ "$n" = 2 ] && [ "$(id_at "$f" "$tmp/prog2")" = "$(id_of prog2)" ]
}
expect "--switch-output: each file has them" changed
snapshot() {
	record -a --overwrite --switch-output=signal && run ./prog1 || return
	kill -USR2 "$(pgrep -P "$pid" ptui)"
	until_so sh -c 'ls f.data.[0-9]*'
	end
	f=$(find . -name 'f.data.[0-9]*' | head -n 1)
	[ "$(id_at "$f" "$tmp/prog1")" = "$(id_of prog1)" ] || { ids_in "$f"; return 1; }
}
expect "a snapshot has them" snapshot
piped() {
	timeout 60 "$PTUI" record -q -a -F 49 -o - -- sh -c "echo | ./prog1" >piped.data 2>err || { cat err; return 1; }
	perf script -i - <piped.data >shown 2>&1 && "$PTUI" report --stdio -i - <piped.data >shown 2>&1 || { tail shown; return 1; }
	grep -qa "$tmp/prog1" piped.data
}
expect "down a pipe" piped
packed() { record -a -z && run ./prog1 && until_so row_in_time && end && row_in_time && perf script -i f.data >shown; }
expect "compressed" packed
appended() {
	cp f.data older && "$PTUI" record -q -z -A -a -F 49 -o f.data -- sh -c "echo | ./prog2" 2>err || { cat err; return 1; }
	[ "$(id_at f.data "$tmp/prog2")" = "$(id_of prog2)" ] && row_in_time
}
expect "appended to an older recording" appended
in_table() {
	rm -f prog && cp prog1 prog && record -a -N --buildid-all && run ./prog && sleep 1.2 && rename_it && run ./prog && run ./prog1 && end || return
	[ -z "$(id_at f.data "$tmp/prog")" ] && row_in_time || { ids_in f.data; return 1; }
}
expect "-N: no build-id of a file that is replaced either" in_table
in_cache() {
	# it has run, and lives until the recorder has copied it
	rm -rf .debug prog fifo && cp prog1 prog && mkfifo fifo && exec 7<>fifo || return
	"$PTUI" record -q -a --buildid-cache -e page-faults -c 1 -o f.data -- unshare -m sh -c "
		mount --bind '$tmp/prog2' '$tmp/prog' && { ./prog <fifo & until grep -q /prog /proc/\$!/maps && grep -q '^State:.S' /proc/\$!/status; do sleep 0.1; done; }" 2>err || { cat err; return 1; }
	echo >&7
	exec 7>&-
	[ -e ".debug$tmp/prog/$(id_of prog2)/elf" ] && [ ! -e ".debug$tmp/prog/$(id_of prog1)" ] &&
		until_so cp prog1 prog2 && [ "$(id_of ".debug$tmp/prog/"*"/elf")" != "$(id_of prog1)" ]
}
expect "--buildid-cache: a copy of the file that the process sees" in_cache

finish
