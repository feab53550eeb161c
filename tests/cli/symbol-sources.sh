#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Where the names of a stripped program come from: .gnu_debuglink, .gnu_debugdata, a debuginfod server; of one
# that is deleted, or is in another mount namespace, from the process itself; and of another kernel and a module
# of it, from a debuginfod server.

. "$top_srcdir/tests/lib/tap.sh"
. "$top_srcdir/tests/cli/remedies_lib.sh"
need perf root
export LC_ALL=C.UTF-8 HOME=$tmp PERF_CONFIG=/dev/null
unset PTUI_PAGER PAGER PTUI_DEBUG XDG_CONFIG_HOME DEBUGINFOD_URLS DEBUGINFOD_CACHE_PATH XDG_CACHE_HOME
cd "$tmp" || exit 1
for tool in objcopy strip nm; do
	command -v $tool >/dev/null || { skip "stripped programs" "there is no $tool(1)"; finish; }
done

program=$top_builddir/tests/diff/work
if ! readelf -n "$program" | grep -q 'Build ID'; then
	skip "stripped programs" "this compiler gives programs no build-id"
	finish
fi
id=$(readelf -n "$program" | sed -n 's/.*Build ID: //p')

objcopy --only-keep-debug "$program" program.debug
strip -o bare "$program"

# recorded COMMAND...
recorded() { in_company perf record -q --no-bpf-event -N -o data -F 2000 -e cpu-clock:u -- "$1" "${@:2}" >record.out 2>&1 || cat record.out; }
report() { "$PTUI" report --stdio -i data -s dso,sym "$@" >out 2>err </dev/null; }
row() { grep -qE -- "\[\.\] $1 *\$" out && return; cat out err; return 1; }
no_row() { ! row "$1" >/dev/null; }

cp bare linked
objcopy --add-gnu-debuglink=program.debug linked
recorded ./linked spin 200
report
expect ".gnu_debuglink: a static function" row leaf
mv program.debug kept.debug
cp "$top_builddir/tests/cli/stacks" program.debug
report
expect ".gnu_debuglink: not to a file of another build" no_row leaf
rm program.debug
mv kept.debug program.debug

# as rpm's find-debuginfo makes it: what .dynsym does not have
nm -D program.debug --format=posix --defined-only 2>/dev/null | cut -d' ' -f1 | sort >dynamic
nm program.debug --format=posix --defined-only | awk '$2 ~ /[TtD]/ { print $1 }' | sort >all
comm -13 dynamic all >keep
objcopy -S --remove-section .comment --keep-symbols=keep program.debug mini
if command -v xz >/dev/null; then
	xz -f mini
	objcopy --add-section .gnu_debugdata=mini.xz bare mini-program
	recorded ./mini-program spin 200
	report
	expect ".gnu_debugdata: a static function" row leaf
	head -c 100 mini.xz >mini.cut
	objcopy --remove-section .gnu_debugdata --add-section .gnu_debugdata=mini.cut mini-program 2>/dev/null
	recorded ./mini-program spin 200
	report
	expect ".gnu_debugdata that is damaged: no names, no crash" no_row leaf
else
	skip ".gnu_debugdata" "there is no xz(1)"
fi

# --- functions without symbols

recorded ./bare spin 200
report
expect "a stripped program: no names" no_row leaf
# range NAME: of the function, as ptui writes it
range() { nm -S --defined-only "$program" | awk -v name="$1" '$4 == name { printf "0x%x-0x%x\n", strtonum("0x" $1), strtonum("0x" $1) + strtonum("0x" $2) }'; }
# shares TEXT...: "number of samples, symbol" of the rows of the program
shares() { "$PTUI" report --stdio -i data -n -F sample,sym -s sym --dsos bare "$@" 2>err </dev/null | sed -n 's/^ *\([0-9][0-9]*\) *\[\.\] */\1 /p' | sort; }
leaf=$(range leaf)
report --unnamed-functions
expect "--unnamed-functions: the range of one" row "$leaf"
report --unnamed-functions -w 0,0,12
expect "... -w cuts it as a name" row "${leaf:0:8}"
shares --unnamed-functions >ranges
shares >addresses
expect "... of which there are fewer" test "$(wc -l <ranges)" -lt "$(wc -l <addresses)"
total() { awk '{ sum += $1 } END { print sum }' "$1"; }
expect "... with as many samples" test "$(total ranges)" = "$(total addresses)"
"$PTUI" report --stdio -i data -v -n -s sym --dsos bare --unnamed-functions -g none 2>err >verbose
expect "... and its symbols are missing still" grep -q "Without symbols: .*/bare" verbose
"$PTUI" report --stdio -i data -U -s sym --dsos bare --unnamed-functions 2>err >resolved
expect "... -U hides them" eval '! grep -q -- "$leaf" resolved'
"$PTUI" annotate --stdio -i data --unnamed-functions "$leaf" >out 2>err
expect "... annotate: the code of one" grep -Eq "^ *[0-9]+\.[0-9]+ :.*$(printf '%s' "${leaf%-*}" | sed 's/^0x//')" out
expect "... annotate: not without it" eval '! "$PTUI" annotate --stdio -i data "$leaf" >out 2>&1'
"$PTUI" script -i data -F ip,sym,symoff --unnamed-functions 2>err >out
expect "... script: with the offset in it" grep -q -- "$leaf+0x" out
"$PTUI" archive -i data -o data.tar >out 2>err
mv bare kept.bare
report --unnamed-functions
expect "... without the file: no ranges" no_row "$leaf"
"$PTUI" report --stdio -i data.tar -s dso,sym --unnamed-functions >out 2>err </dev/null
expect "... of the file in an archive" row "$leaf"
mkdir -p "root$tmp" && cp kept.bare "root$tmp/bare"
report --unnamed-functions --symfs "$tmp/root"
expect "... of the file below --symfs" row "$leaf"
rm -rf root
# of another build: with --force-names only, and marked
strip -o bare "$top_builddir/tests/cli/stacks"
cp data data.ids && in_company perf record -q -B --no-bpf-event -N -o data -F 2000 -e cpu-clock:u -- ./kept.bare spin 200 >record.out 2>&1
mv kept.bare kept && mv bare kept.bare
report --unnamed-functions
expect "... of a file of another build: no ranges" no_row '0x[0-9a-f]+-0x[0-9a-f]+.*'
report --unnamed-functions --force-names
expect "... --force-names: ranges, unverified" row '0x[0-9a-f]+-0x[0-9a-f]+ \(unverified\)'
mv data.ids data
mv kept kept.bare
mv kept.bare bare
# what has symbols keeps them
mv bare kept.bare
cp "$program" bare
report --unnamed-functions
expect "... of a program with symbols: names" row leaf
mv kept.bare bare

# --- debuginfod
report -v
expect "a stripped program: -v lists it" grep -qE "^# Without symbols: [0-9.]+% in $tmp/bare" out
# What tests/cli/foreign_kernel.c writes the build-ids of; the kernel is linked at another address, as with KASLR.
make_kernel() {
	printf '.globl _text, _stext, in_vmlinux\n.type in_vmlinux,@function\n_text: _stext: in_vmlinux:\n.skip 4096\n.size in_vmlinux, . - in_vmlinux\n' |
		as -o kernel.o - && ld -o served/vmlinux --build-id="0x$(printf '11%.0s' {1..20})" -Ttext=0xffffffff80000000 -e _text kernel.o &&
		printf '.text\n.skip 16\n.globl in_module\n.type in_module,@function\nin_module: nop\n.skip 63\n.size in_module, . - in_module\n.section .note.gnu.build-id,"a",@note\n.balign 4\n.long 4, 20, 3\n.asciz "GNU"\n.fill 20, 1, 0x22\n' |
		as -g -o served/made.ko -
}
kernel_report() { "$PTUI" report --stdio -i kernel.data -s dso,sym "$@" >out 2>err </dev/null; }
# It has this file; that it has walked the folder does not mean that it has read them all.
is_served() { # FILE
	local id kind version= status=
	id=$(readelf -n "$1" | sed -n 's/.*Build ID: //p')
	for kind in debuginfo executable; do
		{ printf 'GET /buildid/%s/%s HTTP/1.0\r\n\r\n' "$id" $kind >&4 && read -r version status <&4; } 4<>"/dev/tcp/127.0.0.1/$port" 2>/dev/null
		case $version$status in HTTP/*200*) return 0 ;; esac
	done
	return 1
}
all_served() {
	local file
	kill -0 $server || return 0
	for file in served/*; do is_served "$file" || return 1; done
}
serve() {
	mkdir -p served
	cp program.debug served/
	make_kernel
	if readelf -SW "$top_builddir/tests/cli/stacks" | grep -q '\.debug_line'; then
		objcopy --only-keep-debug "$top_builddir/tests/cli/stacks" served/stacks.debug
		strip -o bare-stacks "$top_builddir/tests/cli/stacks"
	fi
	for port in $(shuf -i 20000-50000 -n 5); do
		rm -f server.log
		debuginfod -d "$tmp/server.sqlite" -p "$port" -F "$tmp/served" -v >server.log 2>&1 &
		server=$!
		until_so all_served && kill -0 $server && return
	done
	cat server.log
	return 1
}
# A copy of the recorded kernel's code in perf's cache, as buildid-cache -k makes it.
copied_kernel() {
	local copy="$tmp/home/.debug/[kernel.kcore]/$(printf '11%.0s' {1..20})/2026112316090542"
	mkdir -p "$copy"
	printf '.skip 4096, 0x90\n.section .modules,"ax"\n.skip 4096, 0x90\n' | as -o copy.o - &&
		ld -o "$copy/kcore" -Ttext=0xffffffff91000000 --section-start=.modules=0xffffffffc0400000 -e 0 copy.o &&
		printf '%s\n' 'ffffffff91000000 T _text' 'ffffffff91000000 T in_copy' 'ffffffff91001000 T _etext' \
			$'ffffffffc0400000 t in_copied_module\t[made]' >"$copy/kallsyms" && echo 'made 4096 0 - Live 0xffffffffc0400000' >"$copy/modules"
}
copy_is_used() {
	copied_kernel && "$top_builddir/tests/cli/foreign_kernel" kernel.data || return
	HOME=$tmp/home "$PTUI" report --stdio -i kernel.data -s dso,sym >out 2>err </dev/null
	grep -qE '\[kernel\.kallsyms\] +\[k\] in_copy *$' out && grep -qE '\[made\] +\[k\] in_copied_module *$' out || { cat out err; return 1; }
	for symbol in in_copy in_copied_module; do
		HOME=$tmp/home "$PTUI" annotate --stdio -i kernel.data $symbol >out 2>err </dev/null
		grep -q 'nop' out || { cat out err; return 1; }
	done
}
if [ "$(uname -m)" = x86_64 ]; then
	expect "the copy of another kernel's code in perf's cache: names and machine code" copy_is_used
else
	skip "the copy of another kernel's code" "the test has code of x86-64"
fi
# The module's file in the cache or below --symfs, packed or not: names, source lines, machine code; and a bomb.
module_source() {
	mkdir -p src served root
	printf 'int other(int n);\n__attribute__((section(".text.hot"))) int early(int n)\n{\n\treturn n + 2;\n}\n' >src/made.c
	printf 'static int leafy(int n)\n{\n\treturn n * n + 3;\n}\nint in_file(int n)\n{\n\tint sum = other(n);\n\tfor (int i = 0; i < n; i++)\n\t\tsum += leafy(i ^ sum);\n\treturn sum;\n}\n' >>src/made.c
	printf '.section .note.gnu.build-id,"a",@note\n.balign 4\n.long 4, 20, 3\n.asciz "GNU"\n.fill 20, 1, 0x22\n' >id.s
	cc -O1 -g -c -fno-pie -fno-inline -ffunction-sections -o src/code.o src/made.c && as -o id.o id.s && ld -r -o made.ko src/code.o id.o
}
# libelf 0.188 loses the build-id's note of a relocatable file
module_report() { HOME=$tmp/home ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0 "$PTUI" "$@" >out 2>err </dev/null; }
module_shown() { # [OPTION...]
	module_report report --stdio -i kernel.data -s dso,sym,srcline "$@" && grep -qE '\[made\] +\[k\] in_file +made\.c:[0-9]+ *$' out &&
		module_report annotate --stdio -l -i kernel.data "$@" in_file && grep -q 'int sum = other(n);' out && grep -qE 'made\.c:1[0-9]' out &&
		grep -qE '[0-9.]+ .* ret' out && return
	cat out err
	return 1
}
module_packed() { # SUFFIX COMMAND...
	local id=$tmp/home/.debug/.build-id/22/$(printf '22%.0s' {1..19})
	rm -rf home && mkdir -p "$id" && "${@:2}" <made.ko >"$id/elf" && module_shown
}
module_bomb() {
	local id=$tmp/home/.debug/.build-id/22/$(printf '22%.0s' {1..19})
	rm -rf home && mkdir -p "$id" && { cat made.ko && head -c 300M /dev/zero; } | "$@" >"$id/elf" || return
	module_report report --stdio -i kernel.data -s dso,sym && grep -qE '\[made\] +\[k\] 0x' out || { cat out err; return 1; }
}
if [ "$(uname -m)" = x86_64 ] && module_source; then
	"$top_builddir/tests/cli/foreign_kernel" kernel.data
	expect "a module's file in the cache: names, lines, code" module_packed "" cat
	for pack in 'gzip -1c' 'xz -0c' 'zstd -q1c'; do
		if command -v ${pack%% *} >/dev/null; then
			expect "a module's file with ${pack%% *}" module_packed "" $pack
			[ "${pack%% *}" != zstd ] || expect "... that is a bomb: no names" module_bomb $pack
		else
			skip "a module's file with ${pack%% *}" "there is no ${pack%% *}(1)"
		fi
	done
	rm -rf home
	mkdir -p root/lib/modules/6.6.0-made/extra && xz -0c <made.ko >root/lib/modules/6.6.0-made/extra/made.ko.xz
	echo 'extra/made.ko.xz:' >root/lib/modules/6.6.0-made/modules.dep
	expect "a module's file below --symfs, by modules.dep" module_shown --symfs "$tmp/root"
	objcopy --only-keep-debug made.ko made.debug && mkdir -p root/usr/lib/debug/.build-id/22 &&
		cp made.debug "root/usr/lib/debug/.build-id/22/$(printf '22%.0s' {1..19}).debug" &&
		objcopy -g made.ko bare.ko && xz -0c <bare.ko >root/lib/modules/6.6.0-made/extra/made.ko.xz
	expect "a module without debug information, and its debug file" module_shown --symfs "$tmp/root"
	printf '%s\n' 'ffffffff91000000 T _text' $'ffffffffc040000b t in_file\t[made]' >kallsyms
	rm -rf home
	module_report annotate --stdio -i kernel.data --kallsyms kallsyms in_file
	expect "a module whose file is not here: says so" grep -q 'the file of the kernel module .made. was not found' err
	remedy "copy it from the recorded machine, to the same path below a folder that --symfs names"
	expect "... and what to do" grep -qE -- "$pattern" err
	expect "... which helps" module_shown --kallsyms kallsyms --symfs "$tmp/root"
else
	skip "the file of a kernel module" "there is no compiler, or the test has code of x86-64"
fi
if ! command -v debuginfod >/dev/null; then
	skip "debuginfod" "there is no debuginfod(8)"
elif serve; then
	export DEBUGINFOD_CACHE_PATH=$tmp/cache
	report
	expect "debuginfod: no query without DEBUGINFOD_URLS" eval 'no_row leaf && [ ! -e cache ]'
	export DEBUGINFOD_URLS="http://127.0.0.1:$port"
	report -v
	expect "debuginfod: a static function" row leaf
	expect "debuginfod: -v names the source" grep -q "using symbols from $tmp/cache/.*/debuginfo" err
	if [ -e served/stacks.debug ]; then
		recorded ./bare-stacks call
		"$PTUI" report --stdio -i data -s srcline >out 2>err </dev/null
		expect "debuginfod: source lines" grep -qE ' stacks\.c:[0-9]+ *$' out
		recorded ./bare spin 200
	else
		skip "debuginfod: source lines" "the test programs are built without debug information"
	fi
	"$top_builddir/tests/cli/foreign_kernel" kernel.data
	DEBUGINFOD_URLS= kernel_report
	expect "debuginfod: of another kernel there are no names without it" eval '! grep -qE "\] in_(vmlinux|module)" out'
	kernel_report --ignore-vmlinux
	expect "debuginfod: --ignore-vmlinux asks for no vmlinux" eval '! grep -q in_vmlinux out'
	kernel_report
	expect "debuginfod: a function of another kernel" grep -qE '\[kernel\.kallsyms\] +\[k\] in_vmlinux *$' out
	expect "debuginfod: a function of a kernel module" grep -qE '\[made\] +\[k\] in_module *$' out
	kill $server
	wait $server 2>/dev/null
	report
	expect "debuginfod: the cache does without the server" row leaf
	rm -rf cache
	report
	expect "debuginfod: a server that does not answer: no names, no error" eval '[ $? -eq 0 ] && no_row leaf'
	unset DEBUGINFOD_URLS
else
	skip "debuginfod" "the server does not start"
fi

# --- live: as the process has the file

top_until() { # PATTERN PID
	rm -f out # see until_so
	timeout -s INT 40 "$PTUI" top --stdio -d 0.5 -E 5 -e cpu-clock:u -p "$2" >out 2>err </dev/null &
	local top=$!
	until grep -sqE "$1" out || ! kill -0 $top 2>/dev/null; do sleep 0.1; done
	kill -INT $top 2>/dev/null
	wait $top
	grep -qE "$1" out && return
	cat out err
	return 1
}
cp "$program" gone
./gone spin 60000 &
pid=$!
until [ "$(readlink /proc/$pid/exe)" = "$tmp/gone" ]; do sleep 0.05; done
rm gone
expect "live: a program that is deleted" top_until '\[\.\] leaf' $pid
# the names of what was deleted before and while it was recorded, from the copies in the cache
kept() { # PID FILE OPTION...
	local pid=$1 file=$2
	shift 2
	rm -rf .debug
	"$PTUI" record -q -o data -F 2000 -e cpu-clock:u "$@" || return
	kill "$pid"
	while [ -e "/proc/$pid/maps" ] && [ "$(awk '{print $3}' "/proc/$pid/stat")" != Z ]; do sleep 0.05; done
	report && row leaf && [ "$(find .debug -type f)" = ".debug$tmp/$file/$id/elf" ]
}
expect "record -p: a program that was deleted before" kept $pid 'gone (deleted)' -p $pid -- sleep 0.5
cp "$program" gone
./gone spin 60000 &
pid=$!
until [ "$(readlink /proc/$pid/exe)" = "$tmp/gone" ]; do sleep 0.05; done
expect "record -p: a program that is deleted meanwhile" kept $pid gone -p $pid -- sh -c 'sleep 0.3; rm gone; sleep 0.2'
cp "$program" gone
./gone spin 60000 &
pid=$!
until [ "$(readlink /proc/$pid/exe)" = "$tmp/gone" ]; do sleep 0.05; done
cp "$top_builddir/tests/cli/stacks" new
expect "record -p: a program that is replaced meanwhile" kept $pid gone -p $pid -- sh -c 'sleep 0.3; mv new gone; sleep 0.2'

cp "$program" gone
./gone spin 60000 &
pid=$!
until [ "$(readlink /proc/$pid/exe)" = "$tmp/gone" ]; do sleep 0.05; done
rm gone
cp "$top_builddir/tests/cli/stacks" gone
expect "live: a program that was replaced by another one" top_until '\[\.\] leaf' $pid
kill $pid

mkdir -p inside
cat >inner.sh <<'IN'
mount -t tmpfs none inside && cp "$1" inside/hidden && exec ./inside/hidden spin 60000
IN
if unshare -m true 2>/dev/null; then
	unshare -m sh inner.sh "$program" &
	pid=$!
	until [ "$(readlink /proc/$pid/exe)" = "$tmp/inside/hidden" ] || ! kill -0 $pid; do sleep 0.05; done
	expect "live: a program in another mount namespace" top_until '\[\.\] leaf' $pid
	rm -rf .debug
	"$PTUI" record -q -B -o data -F 2000 -e cpu-clock:u -p $pid -- sleep 0.5
	report
	expect "record -p: names while the process lives" row leaf
	expect "record -B: nothing in the cache" [ ! -e .debug ]
	"$PTUI" record -q -N -o data -F 2000 -e cpu-clock:u -p $pid -- sleep 0.1
	expect "record -N: nothing in the cache" [ ! -e .debug ]
	"$PTUI" record -q -o data -F 2000 -e cpu-clock:u -p $pid -- sleep 0.5
	kill $pid
	wait $pid
	report
	expect "record -p: names of what has ended with its namespace" row leaf
	find .debug -type f >found
	expect "record -p: only what is not outside is kept" sh -c 'grep -q "/inside/hidden/" found && [ "$(wc -l <found)" -eq 1 ]'
	rm -rf .debug
	# a bind mount hides a file of the same path, which is another program outside
	cp "$top_builddir/tests/cli/stacks" same
	cat >bind.sh <<-'IN'
	mount --bind "$1" same && exec ./same spin "$2"
	IN
	unshare -m sh bind.sh "$program" 60000 &
	pid=$!
	until [ "$(head -c 4096 /proc/$pid/exe | cksum)" = "$(head -c 4096 "$program" | cksum)" ] || ! kill -0 $pid; do sleep 0.05; done
	expect "live: a program whose path is another one outside" top_until '\[\.\] leaf' $pid
	rm -rf .debug
	"$PTUI" record -q -o data -F 2000 -e cpu-clock:u -p $pid -- sleep 0.5
	report
	expect "record -p: its names, from the copy in the cache" row leaf
	kill $pid
	wait $pid
	rm -rf .debug
	report
	expect "without the copy: not the names of the file outside" eval '! grep -qE "same +\[\.\] [a-z_]+ *\$" out && row "0x[0-9a-f]+"'
else
	skip "live: a program in another mount namespace" "unshare(1) cannot make one"
fi
finish
