#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# ptui inject and perf inject; perf and ptui read what ptui wrote.

. "$top_srcdir/tests/lib/tap.sh"
. "$top_srcdir/tests/diff/lib.sh"
. "$top_srcdir/tests/cli/remedies_lib.sh"
need perf root
unset PTUI_PAGER PAGER XDG_CONFIG_HOME
cd "$tmp" || exit 1
jit=$top_builddir/tests/cli/jit

rows_of() { perf report --stdio -i "$1" --no-children -g none -F overhead,sample,comm,dso,sym "${@:2}" 2>/dev/null | grep -v '^#' | grep .; }
inject() { "$PTUI" inject "$@" >out 2>err || { echo "status $?"; cat err; return 1; }; }
silent() { [ ! -s err ] && [ ! -s out ] || { cat err out; return 1; }; }

in_turn perf record -q -B -F 1000 -g -o plain.data -- "$work" >/dev/null 2>&1
in_turn perf record -q -B -F 1000 -g -o - -- "$work" >pipe.data 2>/dev/null
in_turn perf record -q -F 1000 --call-graph dwarf -e cpu-clock:u -e page-faults:u -o dwarf.data -- "$work" >/dev/null 2>&1

# ---- a copy
expect "a copy" inject -i plain.data -o copy.data
expect "no word" silent
perf script -i plain.data --show-task-events --show-mmap-events >wanted 2>/dev/null
perf script -i copy.data --show-task-events --show-mmap-events >got 2>/dev/null
same "the same records" wanted got
header() { perf report --header-only -I -i "$1" 2>/dev/null | grep -vE '^# (captured on|header version|data offset|data size|feat offset) *:'; }
header plain.data >wanted
header copy.data >got
same "the same header" wanted got
"$PTUI" report --stdio -i plain.data >wanted 2>/dev/null
"$PTUI" report --stdio -i copy.data >got 2>/dev/null
same "ptui reads it" wanted got
inject <plain.data
cp out piped
perf script -i - <piped >got 2>/dev/null
perf script -i plain.data >wanted 2>/dev/null
same "file to pipe" wanted got
"$PTUI" inject -i piped -o back.data 2>err
perf script -i back.data >got 2>/dev/null
same "pipe to file" wanted got
"$PTUI" inject <pipe.data 2>err | perf script -i - >got 2>/dev/null
perf script -i - <pipe.data >wanted 2>/dev/null
same "pipe to pipe" wanted got
# 256 MB of records of an unknown type through a pipe, with half as much memory
large() {
	cat pipe.data
	{ printf '\170\0\0\0\0\0\370\377' && head -c 65520 /dev/zero; } >record
	for ((i = 0; i < 4000; i++)); do cat record; done
}
if (ulimit -v 131072 && exec "$PTUI" inject <pipe.data >/dev/null 2>&1); then
	large | (ulimit -v 131072 && exec "$PTUI" inject 2>err) | wc -c >got
	expect "a pipe is not kept in memory" [ "$(cat got)" -gt 262000000 ]
	mkfifo named
	large >named &
	(ulimit -v 131072 && exec "$PTUI" inject -i named 2>>err) | wc -c >got
	expect "nor is a named one" [ "$(cat got)" -gt 262000000 ]
else
	skip "a pipe is not kept in memory" "ptui itself needs more than 128 MB of addresses"
fi
expect "a folder for temporary files that is missing" eval 'cat pipe.data | TMPDIR=$tmp/missing "$PTUI" inject 2>&1 >/dev/null | grep -qx "ptui: inject: cannot keep the recording in a temporary file in $tmp/missing: No such file or directory"'
if "$PTUI" record -q -z -F 1000 -o z.data -- "$work" >/dev/null 2>&1; then
	inject -i z.data -o unpacked.data
	perf script -i z.data >wanted 2>/dev/null
	perf script -i unpacked.data >got 2>/dev/null
	same "a compressed recording" wanted got
fi

# ---- build-ids
ids() { perf buildid-list -i "$1" 2>/dev/null | sort; }
no_ids() { ! ids plain.data | grep "^[0-9a-f]"; }
expect "without build-ids" no_ids
for option in -b --buildid-all; do
	perf inject $option -i plain.data -o perf.data 2>/dev/null
	expect "$option" inject $option -i plain.data -o ids.data
	# perf has none of the kernel, nor of all that is mapped
	ids perf.data | grep '^[0-9a-f].* /' >wanted
	ids ids.data >got
	expect "$option: those of perf" eval '[ -s wanted ] && ! grep -vxFf got wanted'
	expect "$option: that of the kernel" eval 'grep "kernel.kallsyms" got | grep -q "^$(perf buildid-list -k) "'
	expect "$option: of the program" grep -q " $work\$" got
done
for option in "-B -b" "--mmap2-buildid-all --buildid-all"; do
	inject "${option% *}" -i plain.data -o new.data # of later perfs
	inject "${option#* }" -i plain.data -o ids.data
	same "${option% *}: the same" <(ids ids.data) <(ids new.data)
done
inject -b -i plain.data -o ids.data
inject -b -i plain.data
cp out piped
perf buildid-list -i - <piped 2>/dev/null | sort >got
expect "-b: in a pipe" grep -q " $work\$" got
inject -b -i ids.data -o twice.data
ids ids.data >wanted
ids twice.data >got
same "-b: what is there stays" wanted got
id=0123456789abcdef0123456789abcdef01234567
expect "--known-build-ids" inject -b --known-build-ids "$id $work,$id /other" -i plain.data -o known.data
ids known.data >got
expect "--known-build-ids: given one" grep -qx "$id $work" got
printf '%s %s\n' "$id" "$work" >list
inject -b --known-build-ids "file://$tmp/list" -i plain.data -o known.data
ids known.data >got
expect "--known-build-ids: from a file" grep -qx "$id $work" got
cp "$work" prog
ln -sf "$(dirname "$work")/libwork.so" . 2>/dev/null
in_turn perf record -q -B -F 1000 -o prog.data -- "$tmp/prog" >/dev/null 2>&1
touch -d '+1 hour' prog
inject -b -i prog.data -o changed.data
expect "-b: a file that changed since gets none" sh -c "! perf buildid-list -i changed.data | grep prog"
expect "-b: and is counted" grep -qx "ptui: inject: 1 file changed after the recording and got no build-id" err

# ---- where tasks slept
if [ "$(perf list 'sched:sched_stat_runtime' 2>/dev/null | grep -c sched_stat)" -gt 0 ]; then
	in_turn perf record -q -e sched:sched_stat_runtime -e sched:sched_switch -e sched:sched_process_exit -g -o raw.data -- \
		sh -c 'for i in 1 2 3; do sleep 0.02; ls; done' >/dev/null 2>&1
	perf inject -s -i raw.data -o perf.data 2>/dev/null
	expect "-s" inject -s -i raw.data -o sched.data
	for i in perf sched; do perf script -i $i.data -F comm,tid,time,event,period,ip,sym >$i.txt 2>/dev/null; done
	same "-s: the samples of perf" perf.txt sched.txt
	expect "-s: with callchains" grep -q schedule sched.txt
	expect "-s: no other events" sh -c "! grep -E 'sched_stat|sched_process' sched.txt"
	perf inject -s <raw.data >perf.pipe 2>/dev/null
	"$PTUI" inject -s <raw.data 2>err | perf script -i - -F comm,tid,time,event,period,ip,sym >got 2>/dev/null
	same "-s: to a pipe" sched.txt got
	"$PTUI" report --stdio -i sched.data >got 2>/dev/null
	"$PTUI" inject -s -i plain.data -o no.data 2>err
	events=$(sed -n "s/.* -e '\(.*\)'\$/\1/p" err)
	in_turn "$PTUI" record -q -g -e "$events" -o advised.data -- sleep 0.1 2>err
	expect "-s: what the error advises to record" inject -s -i advised.data -o advised.sched
	expect "-s: ptui reads it" grep -q "of event 'sched:sched_switch'" got
	# --strip: nothing else, as perf strips what is not made from AUX data
	in_turn perf record -q -e cs -e sched:sched_stat_runtime -e sched:sched_switch -e sched:sched_process_exit -g -o raw.data -- \
		sh -c 'for i in 1 2 3; do sleep 0.02; ls; done' >/dev/null 2>&1
	inject -s -i raw.data -o sched.data
	expect "-s --strip" inject -s --strip -v -i raw.data -o strip.data
	expect "-s --strip: others are counted" grep -Eq "other samples left out: [1-9]" err
	perf script -i sched.data -F comm,tid,time,event,period,ip,sym 2>/dev/null |
		awk -v RS= '/sched_switch/ { gsub(/ +/, " "); print }' >wanted
	perf script -i strip.data -F comm,tid,time,event,period,ip,sym 2>/dev/null |
		awk -v RS= '{ gsub(/ +/, " "); print }' >got
	same "-s --strip: the samples that were merged" wanted got
	perf evlist -i strip.data 2>/dev/null | grep -v '^#' >got
	expect "-s --strip: events without samples are gone" sh -c "grep -qx sched:sched_switch got && ! grep -E 'sched_stat|exit' got"
	perf script -i strip.data --show-task-events --show-mmap-events 2>/dev/null | grep -c PERF_RECORD_ >got
	perf script -i sched.data --show-task-events --show-mmap-events 2>/dev/null | grep -c PERF_RECORD_ >wanted
	same "-s --strip: the records of tasks stay" wanted got
else
	skip "-s" "no sched_stat_runtime" tracefs
fi

# ---- code of JIT compilers
mkdir code
in_turn perf record -q --no-bpf-event -k mono -F 1000 -e cpu-clock:u -o jit.data "$jit" dump "$tmp/code" >/dev/null 2>&1
expect "-j" inject -j -i jit.data -o ours.data
rows_of ours.data >got
cp -r code ours
jit_rows() { awk '/first|second|third/ { print $NF, $2 }' "$1" | sort; }
jit_rows got >ours.rows
expect "-j: perf names three functions" test "$(wc -l <ours.rows)" -eq 3
"$PTUI" report --stdio -n -i ours.data -s dso,sym >got 2>/dev/null
expect "-j: ptui names them, in ELF files" grep -Eq 'jitted-[0-9]+-[0-9]+\.so.* first' got
perf report --stdio -i ours.data -s srcline 2>/dev/null >got
expect "-j: their lines" grep -q 'third.js:31' got
readelf -s code/jitted-*-1.so >elf
expect "-j: ELF files with symbols" grep -q 'FUNC .* first' elf
expect "-j: ELF files that tools accept" eval 'for f in code/jitted-*.so; do readelf -aW "$f" >/dev/null 2>elf && [ ! -s elf ] || { cat elf; exit 1; }; done'
mv code/jit-*.dump "$tmp"
perf report --stdio -i ours.data -F overhead,sym -s sym 2>/dev/null >got
expect "-j: without the jitdump file" grep -q third got
mv jit-*.dump code/
if perf inject -j -i jit.data -o perf.data 2>/dev/null && [ -s perf.data ]; then
	rows_of perf.data >got
	jit_rows got >perf.rows
	same "-j: the samples of perf" perf.rows ours.rows
	"$PTUI" report --stdio -n -i perf.data -s dso,sym >got 2>/dev/null
	expect "-j: of perf: ptui names them, in the ELF files it made" grep -Eq 'jitted-[0-9]+-[0-9]+\.so.* first' got
fi
remedy "record with -k mono"
complains "$PTUI" inject -j -i plain.data -o no.data
expect "-j: another clock: no output" test ! -e no.data
in_turn "$PTUI" record -q -k mono -F 1000 -e cpu-clock:u -o mono.data -- "$work" >/dev/null 2>&1
helped "$PTUI" inject -j -i mono.data -o mono.out

# ---- copied stacks
expect "--convert-callchain" inject --convert-callchain -i dwarf.data -o chains.data
smaller() { [ $(($(stat -c %s chains.data) * 3)) -lt "$(stat -c %s dwarf.data)" ] || { ls -l dwarf.data chains.data; return 1; }; }
expect "--convert-callchain: much smaller" smaller
perf evlist -v -i chains.data >got
expect "--convert-callchain: no copies" sh -c '! grep -E "STACK_USER|REGS_USER|exclude_callchain_user" got && grep -q CALLCHAIN got'
rows_of dwarf.data >wanted
rows_of chains.data >got
same "--convert-callchain: perf's rows" wanted got
"$PTUI" report --stdio --no-inline -i dwarf.data --children -g caller 2>/dev/null | grep -v '^# User stacks' >wanted
"$PTUI" report --stdio --no-inline -i chains.data --children -g caller 2>/dev/null | grep -v '^# User stacks' >got
same "--convert-callchain: the stacks, in ptui" wanted got
# perf unwinds no forked child that has not executed a program (HACKING), and finds nothing at the start of a thread
deep() { awk -v RS= -F '\n' 'NF > 2'; }
perf script -i dwarf.data --comms work --no-inline -F comm,tid,time,event,ip,sym 2>/dev/null | deep >wanted
perf script -i chains.data --comms work --no-inline -F comm,tid,time,event,ip,sym 2>/dev/null | deep >got
same "--convert-callchain: each address, in perf" wanted got
inject --convert-callchain <dwarf.data
perf script -i - --comms work --no-inline -F comm,tid,time,event,ip,sym <out 2>/dev/null | deep >got
same "--convert-callchain: to a pipe" wanted got
in_turn perf record -q -F 1000 -e cpu-clock/call-graph=dwarf/u -e '{page-faults:u,minor-faults:u}' -o mixed.data -- "$work" >/dev/null 2>&1
inject --convert-callchain -i mixed.data -o chains.data
expect "--convert-callchain --strip" inject --convert-callchain --strip -i mixed.data -o strip.data
for i in chains strip; do
	perf script -i $i.data -F comm,tid,time,event,period,ip,sym 2>/dev/null | grep -v faults:u | grep . | sed 's/  */ /g' >$i.txt
done
same "--convert-callchain --strip: the stacks" chains.txt strip.txt
perf evlist -g -i strip.data 2>/dev/null | grep -v '^#' >got
expect "--convert-callchain --strip: one event" grep -qx 'cpu-clock/call-graph=dwarf/u' got
expect "--convert-callchain --strip: no other" [ "$(wc -l <got)" = 1 ]
expect "--convert-callchain without copies" eval '! inject --convert-callchain -i plain.data -o no.data && grep -q "has no copies of user stacks" err && [ ! -e no.data ]'

# ---- the output
echo old >out.data
inject -i plain.data -o out.data
expect "an older output is kept" grep -qx old out.data.old
bad() { # NAME STATUS PATTERN WORDS...
	local what=$1 wanted=$2 pattern=$3 got=0
	shift 3
	"$PTUI" inject "$@" >out 2>err </dev/null || got=$?
	one() { [ "$got" -eq "$wanted" ] && grep -qE -- "^ptui: inject: $pattern\$" err && [ "$(grep -c '^ptui: ' err)" -eq 1 ] || { echo "status $got"; cat err; return 1; }; }
	expect "$what" one
}
sum=$(cksum <plain.data)
ln -s plain.data link.data
bad "the input is not overwritten" 129 "plain.data is the input, which is not overwritten" -i plain.data -o plain.data
bad "nor by another name" 129 "plain.data is the input, which is not overwritten" -i link.data -o plain.data
expect "it is as before" test "$sum" = "$(cksum <plain.data)"
bad "a missing input" 255 "cannot open nothing: No such file or directory" -i nothing -o no.data
bad "a directory" 255 ".*" -i "$tmp" -o no.data
bad "a text" 255 "list is not a perf.data file: it looks like text" -i list -o no.data
bad "a folder that is missing" 255 "cannot create nowhere/x: No such file or directory" -i plain.data -o nowhere/x
bad "-o is a folder" 255 "cannot create $tmp: Is a directory" -i plain.data -o "$tmp"
bad "a word" 129 "unexpected 'x'" -i plain.data -o no.data x
bad "--itrace" 129 "--itrace: ptui does not decode AUX area traces" --itrace=i100us -i plain.data -o no.data
bad "--strip alone" 129 "--strip requires -s or --convert-callchain, whose samples it keeps" --strip -b -i plain.data -o no.data
bad "--guest-data" 129 "--guest-data: ptui does not merge recordings of virtual machines" --guest-data=x -i plain.data -o no.data
bad "--kallsyms" 129 "--kallsyms: ptui inject resolves no kernel symbols" --kallsyms x -i plain.data -o no.data
bad "a list of build-ids that is none" 129 "--known-build-ids expects 'BUILD-ID PATH', not 'x y'" --known-build-ids 'x y' -b -i plain.data -o no.data
bad "-s without the events" 129 "-s: the recording lacks sched:sched_switch: record with -g -e '.*'" -s -i plain.data -o no.data
bad "a full disk" 255 "cannot (write|finish) /dev/full: No space left on device" -i plain.data -o /dev/full
limited() {
	(ulimit -f 4; trap '' XFSZ; exec "$PTUI" inject -i dwarf.data -o limited.data) 2>err && return 1
	[ "$(grep -c '^ptui: inject: cannot' err)" -eq 1 ] && [ ! -e limited.data ] && [ -z "$(find . -name 'limited*')" ] || { cat err; ls; return 1; }
}
expect "no part of an output that does not fit" limited
gone() {
	"$PTUI" inject -i dwarf.data 2>err | head -c 100 >/dev/null
	[ "$(grep -c ^ptui: err)" -eq 1 ] && grep -q "^ptui: inject: the reader of the pipe is gone" err || { cat err; return 1; }
}
expect "a pipe whose reader is gone" gone
expect "no refused output was made" test ! -e no.data

# ---- damage
head -c 5000 plain.data >cut.data
expect "a recording that is cut" inject -i cut.data -o rest.data
expect "what is missing is said" grep -q "cut" err
perf script -i rest.data >got 2>err
expect "the rest can be read" eval '[ -s got ]'
printf 'xxxxxxxxxxxxxxxxxxxxxxxx' | dd of=dwarf.data bs=1 seek=20000 conv=notrunc 2>/dev/null
inject --convert-callchain -i dwarf.data -o rest.data
perf script -i rest.data >got 2>err
expect "a damaged recording" eval '[ -s got ]'

finish
