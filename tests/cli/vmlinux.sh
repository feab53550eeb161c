#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Kernel symbols from a vmlinux file: report -k, top -k and record --vmlinux. The file is made here:
# one function from _text to _etext, linked at another address than the running kernel's, as with
# KASLR.

. "$top_srcdir/tests/lib/real_kallsyms.sh"
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

# --- source lines and inlined functions, where the file has debug information

# The kernel's function of the samples, at its distance from _text, so that it can be disassembled.
make_vmlinux_with_lines() { # FILE START BYTES
	cat >lines.c <<-EOF
	__asm__(".globl _text, _stext, _etext\n.text\n_text: _stext: .skip $(($2 - text))");
	static inline __attribute__((always_inline)) void in_header(void)
	{
		__asm__ volatile(".skip $(($3 - 1)), 0x90");
	}
	void in_lines(void)
	{
		in_header();
	}
	__asm__(".skip $((size - $2 + text - $3))\n_etext:");
	EOF
	${CC:-cc} -g -O2 -fno-toplevel-reorder -fomit-frame-pointer -fcf-protection=none -ffreestanding -fno-pie -mcmodel=kernel \
		-falign-functions=1 -c -o lines.o lines.c &&
		ld -o "$1" --build-id="0x$id" -Ttext="$(printf '0x%x' $((text - 0x1000000)))" -e _text lines.o 2>ld.err
}
if [ "$(uname -m)" != x86_64 ] || ! command -v ${CC:-cc} >/dev/null; then
	skip "source lines of the kernel" "there is no compiler for the made one"
else
	"$PTUI" record -q -N -g -o lines.data -e sched:sched_process_exec -- true
	ip=$((16#$("$PTUI" script -i lines.data -F ip | awk 'NF { print $1; exit }')))
	read -r start end < <(awk '{ print $1 }' /proc/kallsyms | sort -u | awk -v ip="$(printf '%016x' $ip)" '$1 > ip { print last, $1; exit } { last = $1 }')
	start=$((16#$start))
	bytes=$((16#$end - start))
	expect "a vmlinux with debug information can be made" make_vmlinux_with_lines lines $start $bytes
	line=$(grep -n '__asm__ volatile' lines.c | cut -d: -f1)
	lines_of() { # TOOL ARGS...: the kernel's rows with samples
		"$@" 2>err </dev/null | sed -E '/^(#|$)/d; s/ +$//; s/^ +//'
	}
	expect "report -s srcline -k: a line of the kernel's source" eval 'lines_of "$PTUI" report --stdio -i lines.data -k lines -g none -s srcline | tee out | grep -qE "lines\.c:$line\$" || { cat out err; false; }'
	expect "report -s srcline -k: perf's line" diff <(lines_of perf report --stdio -i lines.data -k "$tmp/lines" -g none --no-children -s srcline) \
		<(lines_of "$PTUI" report --stdio -i lines.data -k lines -g none --no-children -s srcline)
	expect "script -F srcline -k: perf's lines of frames in a function" diff <(lines_of perf script -i lines.data -k "$tmp/lines" -F ip,sym,srcline | grep -A1 in_lines) \
		<(lines_of "$PTUI" script -i lines.data -k lines -F ip,sym,srcline | grep -A1 in_lines)
	expect "report --inline -k: an inlined function of the kernel" eval '"$PTUI" report --stdio -i lines.data -k lines -G --inline -s sym >out 2>err; grep -qE "^ +in_header \(inlined\)$" out || { cat out err; false; }'
	expect "annotate -k: source and inlined function above the code" eval '"$PTUI" annotate --stdio -i lines.data -k lines in_lines >out 2>err; grep -q "in_header():" out && grep -qE ": $line .*__asm__ volatile" out && grep -qE "^ +[1-9][0-9.]+ +: .*nop" out || { head -30 out; cat err; false; }'
	# as distributions pack it: the code and the names in one file, debug information in another
	mkdir -p tree/boot "tree/usr/lib/debug/.build-id/${id:0:2}"
	objcopy --only-keep-debug lines "tree/usr/lib/debug/.build-id/${id:0:2}/${id:2}.debug"
	objcopy --strip-debug lines tree/boot/vmlinux
	expect "--symfs: debug information of a vmlinux by its build-id" eval '"$PTUI" report --stdio -i lines.data --symfs tree -g none -s srcline >out 2>err; grep -qE "lines\.c:$line *\$" out || { cat out err; false; }'
	rm tree/boot/vmlinux
	rc=0
	"$PTUI" annotate --stdio -i lines.data --symfs tree in_lines >out 2>err || rc=$?
	expect "annotate: a vmlinux of debug information only has no code" eval '[ $rc -eq 255 ] && grep -q "only the debug information of .* is here, not its machine code" err || { head -30 out; cat err; false; }'
fi

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
