#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Kernel symbols from a vmlinux file: report -k, top -k and record --vmlinux. The file is made here:
# one function from _text to _etext, linked at another address than the running kernel's, as with
# KASLR.

. "$top_srcdir/tests/lib/tap.sh"
need perf root tracefs
one_at_a_time
unset PTUI_PAGER PAGER PTUI_DEBUG XDG_CONFIG_HOME
export LC_ALL=C.UTF-8 HOME=$tmp PERF_CONFIG=/dev/null
cd "$tmp" || exit 1
if ! command -v as >/dev/null || ! command -v ld >/dev/null; then
	skip "a vmlinux file" "there is no as(1) and ld(1) to make one"
	finish
fi

address_of() { awk -v name="$1" '$3 == name { print $1; exit }' /proc/kallsyms; }
text=$((16#$(address_of _text)))
size=$((16#$(address_of _etext) - text))

make_vmlinux() { # FILE BUILD-ID
	printf '.globl _text, _stext, _etext, in_vmlinux\n.type in_vmlinux,@function\n_text: _stext: in_vmlinux:\n.skip %d\n.size in_vmlinux, . - in_vmlinux\n_etext:\n' \
		"$size" | as -o made.o - &&
		ld -o "$1" --build-id="$2" -Ttext="$(printf '0x%x' $((text - 0x1000000)))" -e _text made.o 2>ld.err
}
"$PTUI" record -q -N -o data -e sched:sched_process_exec -- true
id=$(perf buildid-list -k)
expect "a vmlinux can be made" make_vmlinux right "0x$id"
make_vmlinux wrong 0x1111111111111111111111111111111111111111
make_vmlinux without none

report() {
	"$PTUI" report --stdio -i data -s dso,sym "$@" >out 2>err </dev/null
}
row() { # PATTERN: of the kernel
	grep -qE -- "\[kernel.kallsyms\] +\[k\] $1 *\$" out && return
	cat out err
	return 1
}
told() { # PATTERN: one line
	grep -qE -- "^ptui: [a-z]+: $1\$" err && [ "$(wc -l <err)" -eq 1 ] && return
	cat err
	return 1
}

report -k right
expect "-k: names of the file, at the place where the kernel ran" row in_vmlinux
expect "-k: no message" test ! -s err
if perf report --stdio -i data -s dso,sym -k right 2>perf.err >perf.out; then
	rows() { sed -E '/^(#|$)/d; s/ +$//' "$1"; }
	expect "-k: perf's rows" diff <(rows perf.out) <(rows out)
fi
report --vmlinux=right --ignore-vmlinux
expect "--ignore-vmlinux: names of the running kernel" row '(trace|bprm|sched|__trace|exec)[a-z_]+.*'
report -k right --kallsyms /proc/kallsyms
expect "--kallsyms overrides -k" row '(trace|bprm|sched|__trace|exec)[a-z_]+.*'
# perf record --kcore copies kallsyms into the recording; not every kernel has a kcore
if perf record -q --threads -o dir -e sched:sched_process_exec -- true >record.out 2>&1; then
	mkdir dir/kcore_dir
	sed -E 's/(.* [tTwW] )(.*)/\1from_copy_\2/; s/from_copy_(_text|_stext|_etext)$/\1/' /proc/kallsyms >dir/kcore_dir/kallsyms
	"$PTUI" report --stdio -i dir -s dso,sym >out 2>err </dev/null
	expect "kallsyms of a directory recording" row 'from_copy_[a-z_]+.*'
fi
report -k wrong
expect "a vmlinux of another kernel: no names" row '0x[0-9a-f]{16}'
expect "a vmlinux of another kernel: one line" told "wrong has build-id 1{40}, but the recording has $id; continuing without kernel symbols"
report -k without
expect "a vmlinux without a build-id: one line" told "without has no build-id, but the recording has $id; continuing without kernel symbols"
echo text >text
report -k text
expect "a file that is no vmlinux: one line" told 'text is not an ELF file; continuing without kernel symbols'
rc=0
report -k gone || rc=$?
expect "a file that is not there: status 255" test $rc -eq 255
expect "a file that is not there: one line" told "--vmlinux: cannot open 'gone': No such file or directory"
expect "a file that is not there: no report" test ! -s out

# --- found by its build-id

rm -rf .debug
expect "record --vmlinux" "$PTUI" record -q -o data --vmlinux right -e sched:sched_process_exec -- true
report
expect "record --vmlinux: the cache has it" row in_vmlinux
"$PTUI" record -q -o data --buildid-all --buildid-cache -e sched:sched_process_exec -- true
report
expect "a later recording does not take it out of the cache" row in_vmlinux
rm -rf .debug
"$PTUI" record -q -o data -N --vmlinux right -e sched:sched_process_exec -- true
expect "record --vmlinux -N: nothing is kept" test ! -e .debug
# perf names the kernel by that file in its table of build-ids
perf record -o data --vmlinux right -e sched:sched_process_exec -- true >perf.out 2>&1
report -k wrong
expect "perf's recording that names the vmlinux: its build-id counts" told "wrong has build-id 1{40}, but the recording has $id; .*"
rm -rf .debug data
rc=0
"$PTUI" record -o data --vmlinux wrong -e dummy -- true >out 2>err || rc=$?
expect "record --vmlinux of another kernel: refused" test $rc -eq 129 -a ! -e data
expect "record --vmlinux of another kernel: why" grep -qE "^ptui: record: --vmlinux: wrong has build-id 1{40}, the running kernel has $id\$" err

# --- top

top() {
	rm -f out # see until_so
	timeout -s INT 60 "$PTUI" top --stdio -d 0.5 -E 5 -e sched:sched_process_exec -c 1 "$@" >out 2>err </dev/null &
	pid=$!
	until grep -sq "$want" out || ! kill -0 $pid 2>/dev/null; do
		true
		sleep 0.1
	done
	kill -INT $pid 2>/dev/null
	wait $pid
	grep -q "$want" out || { cat out err; return 1; }
}
want='\[k\] in_vmlinux'
expect "top -k" top -k right
want='\[k\] 0xf'
expect "top -k with another kernel's: no names" top -k wrong
expect "top -k with another kernel's: one line" told "wrong has build-id 1{40}, but the recording has $id; continuing without kernel symbols"
# the advice about data of another machine: name its vmlinux
host=$(uname -n)
if [ "${#host}" -le 60 ]; then
	"$PTUI" record -q -N -B -o bare -e sched:sched_process_exec -- true
	LC_ALL=C sed "s/$host\x00/$(printf '%*s' "${#host}" '' | tr ' ' x)\x00/g" bare >data
	report
	expect "of another host, without build-ids: unverified" grep -q '^# Unverified samples: [1-9]' out
	report -k without
	expect "of another host: names with its vmlinux" row in_vmlinux
	expect "of another host: no longer unverified" eval '! grep -q "^# Unverified" out'
fi
finish
