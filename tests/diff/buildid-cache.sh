#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# ptui buildid-cache and perf buildid-cache: each lists, purges and updates what the other one added.

. "$top_srcdir/tests/lib/tap.sh"
. "$top_srcdir/tests/diff/lib.sh"
need perf
unset DEBUGINFOD_URLS PTUI_PAGER PAGER XDG_CONFIG_HOME
cd "$tmp" || exit 1

printf 'int main(void) { return 0; }\n' >prog.c
build() { ${CC:-cc} -g "-DV=$1" -x c -Wl,--build-id -o prog - <<<"int v = V; int main(void) { return 0; }"; }
build 1 || { not_ok "a compiler"; finish; }
ls_path=$(type -P ls)
cxx=$(${CC:-cc} -print-file-name=libstdc++.so.6)
id_of() { readelf -n "$1" | sed -n 's/.*Build ID: //p'; }

p() { perf --buildid-dir "$tmp/by-perf" buildid-cache "$@"; }
q() { "$PTUI" --buildid-dir "$tmp/by-ptui" buildid-cache "$@"; }
both() { p "$@" >perf.out 2>perf.err; q "$@" >ptui.out 2>ptui.err; }
# Names, links and text of a cache; perf hard-links some files, whose modes are those of the originals.
tree() { (cd "$1" && find . | sort && find . -type l -printf '%p -> %l\n' | sort && find . -name probes -print0 | sort -z | xargs -0 cat); }
alike_trees() {
	tree by-perf >perf.tree
	tree by-ptui >ptui.tree
	diff -u perf.tree ptui.tree
}

both -a "$ls_path,$tmp/prog" -a "$cxx"
# perf takes the last -a only
p -a "$ls_path,$tmp/prog"
expect "-a: the same tree, links and SDT probes" alike_trees
expect "with SDT probes" grep -q '^p:sdt_libstdcxx/throw .* arg1=%di:u64' ptui.tree
expect "no word" sh -c '! [ -s ptui.out ] && ! [ -s ptui.err ]'
p -l >perf.out
q -l >ptui.out
same "-l" perf.out ptui.out
expect "-l lists three" test "$(wc -l <ptui.out)" -eq 3
perf --buildid-dir "$tmp/by-ptui" buildid-cache -l >cross.out
same "perf lists ours" perf.out cross.out
"$PTUI" --buildid-dir "$tmp/by-perf" buildid-cache -l >cross.out
same "we list perf's" perf.out cross.out
apart() { ! [ "by-ptui$tmp/prog/$(id_of prog)/elf" -ef prog ]; }
expect "copies, no hard links" apart

# ---- another build under the same name
first=$(id_of prog)
build 2
p -l >perf.out
q -l >ptui.out
same "-l leaves out what is gone from its path" perf.out ptui.out
q -l -v >ptui.out
expect "-l -v has it" grep -qx "$first $tmp/prog (gone from its path)" ptui.out
both -u "$tmp/prog"
expect "-u: two builds of one path" alike_trees
cp "by-ptui$tmp/prog/$(id_of prog)/elf" kept
chmod u+w "by-ptui$tmp/prog/$(id_of prog)/elf" && : >"by-ptui$tmp/prog/$(id_of prog)/elf"
q -u "$tmp/prog"
expect "-u replaces a damaged copy" cmp kept "by-ptui$tmp/prog/$(id_of prog)/elf"

both -r "$ls_path"
expect "-r" alike_trees
q -r "$ls_path" 2>err
expect "-r of what is not there: status 1" test $? -eq 1
expect "-r says so" grep -qx "ptui: buildid-cache: $ls_path is not in the build-id cache" err
both -p "$tmp/prog"
expect "-p removes all builds" alike_trees
expect "-p leaves none" test ! -e "by-ptui/.build-id/${first:0:2}/${first:2}"
q -p "$tmp/prog" 2>err
expect "-p of what is not there: status 1" test $? -eq 1
p -a "$ls_path"
q -a "$ls_path"
"$PTUI" --buildid-dir "$tmp/by-perf" buildid-cache -P
perf --buildid-dir "$tmp/by-ptui" buildid-cache -P
expect "-P: each removes all of the other" alike_trees
expect "-P: nothing is listed" sh -c "! '$PTUI' --buildid-dir '$tmp/by-perf' buildid-cache -l -v | grep ."

# ---- -M
perf record -q -N -e page-faults:u -c 1 -o f.data -- "$tmp/prog" 2>/dev/null
both -M f.data
same "-M: all are missing" perf.out ptui.out
expect "-M: some" grep -q "$tmp/prog" ptui.out
both -a "$tmp/prog"
both -M f.data
same "-M: all but one" perf.out ptui.out
expect "-M: not the program" sh -c '! grep -q "/prog$" ptui.out'
"$PTUI" record -q --buildid-mmap -e page-faults:u -c 1 -o m.data -- "$ls_path" >/dev/null
q -M m.data >ptui.out
expect "-M: a recording with its build-ids in the maps" grep -qx "$(id_of "$ls_path") $ls_path" ptui.out

# ---- -k: a made kcore, with the kallsyms and modules beside it
made_kernel() {
	mkdir -p made/proc made/sys/kernel
	${CC:-cc} -nostdlib -static -no-pie -Wl,--build-id=sha1 -Wl,-e,0 -Wl,-z,noseparate-code \
		-Wl,-Ttext=0xffffffff81000000 -Wl,--section-start=.mod=0xffffffffa0000000 \
		-Wl,--section-start=.data=0xffffffffb0000000 -x assembler -o made/proc/kcore - <<-'END' &&
		.text
		.fill 20000, 1, 0x11
		.section .mod, "ax"
		.fill 9000, 1, 0x22
		.data
		.fill 5000, 1, 0x33
	END
		objcopy -O binary -j .note.gnu.build-id made/proc/kcore made/sys/kernel/notes || return 1
	cat >made/proc/kallsyms <<-'END'
		ffffffff81000000 T _stext
		ffffffff81000040 T first_function
		ffffffff81003000 t second_function
		ffffffff81003800 T _etext
		ffffffffb0000000 D some_data
		ffffffffa0000010 t in_module	[made_mod]
		ffffffffa0001000 t later_in_module	[made_mod]
	END
	printf 'made_mod 16384 0 - Live 0xffffffffa0000000 (E)\n' >made/proc/modules
}
# The folder is named by the time; its files by what they are copies of.
kcore_tree() {
	(cd "$1/[kernel.kcore]" && for file in */*/*; do
		printf '%s %s %s\n' "$(sed -E 's|/[0-9]{16}/|/TIME/|' <<<"$file")" "$(stat -c %a "$file")" "$(sha1sum <"$file")"
	done)
}
both_kcores() {
	p "$@" >perf.out 2>perf.err
	q "$@" >ptui.out 2>ptui.err
	kcore_tree by-perf >perf.tree
	kcore_tree by-ptui >ptui.tree
	diff -u perf.tree ptui.tree
}
n_kcores() { find "$1/[kernel.kcore]" -name kcore 2>/dev/null | wc -l; }
if [ "$(getconf LONG_BIT)" = 64 ] && made_kernel 2>cc.err; then
	expect "-k: perf's copy of the code, and of what is beside it" both_kcores -k made/proc/kcore
	expect "-k: one" [ "$(wc -l <ptui.tree)" -eq 3 ]
	expect "-k: without data" sh -c "! readelf -lW by-ptui/*kcore*/*/*/kcore | grep -i b0000000"
	expect "-k: the same again is not copied" both_kcores -k made/proc/kcore
	expect "-k: still one" [ "$(n_kcores by-ptui)" -eq 1 ]
	q -v -k made/proc/kcore 2>ptui.err
	expect "-v -k: says where it is" grep -q 'the cache has it: .*by-ptui/\[kernel.kcore\]/' ptui.err
	expect "-f -k: copied again, as perf does" both_kcores -f -k made/proc/kcore
	expect "-f -k: two" [ "$(n_kcores by-ptui)" -eq 2 ]
	sed -i 's/a0000000/a0000800/' made/proc/modules
	expect "-k: another set of modules is another copy, as in perf" both_kcores -k made/proc/kcore
	expect "-k: three" [ "$(n_kcores by-ptui)" -eq 3 ]
	sed -i 's/^ffffffff81/ffffffff82/' made/proc/kallsyms
	q -k made/proc/kcore 2>ptui.err
	expect "-k: no code at those addresses: status 255" [ $? -eq 255 ]
	expect "-k: the reason" grep -q '^ptui: buildid-cache: made/proc/kcore has no code at the addresses' ptui.err
	expect "-k: nothing is left of it" [ "$(n_kcores by-ptui)" -eq 3 ]
else
	skip "-k" "no made kernel: $(head -n 1 cc.err 2>/dev/null)"
fi

# ---- another mount namespace
in_namespace() {
	local id
	build 3
	cp prog inner
	build 4
	mkdir -p ns
	mkfifo wait.fifo
	unshare -m sh -c "mount --bind inner prog && exec cat wait.fifo" &
	exec 7>wait.fifo
	until_so sh -c "cmp inner /proc/$!/root$tmp/prog"
	q --target-ns $! -a "$tmp/prog"
	id=$(id_of inner)
	exec 7>&-
	wait $!
	cmp inner "by-ptui$tmp/prog/$id/elf" || cmp inner "by-ptui$tmp/inner/$id/elf"
}
if [ "$(id -u)" -eq 0 ]; then
	expect "--target-ns" in_namespace
else
	skip "--target-ns" "no root" root
fi

# ---- links that lead elsewhere
mkdir -p victim/aa01020304050607 evil/.build-id/aa evil/sub
echo precious >victim/aa01020304050607/file
ln -s ../../../victim/aa01020304050607 evil/.build-id/aa/01020304050607
mkdir -p evil/.build-id/bb
ln -s "$tmp/victim" evil/out
ln -s ../../out/bb01020304050607 evil/.build-id/bb/01020304050607
mkdir -p victim/bb01020304050607 && echo precious >victim/bb01020304050607/file
"$PTUI" --buildid-dir "$tmp/evil" buildid-cache -P 2>err
expect "a link out of the cache removes nothing there" sh -c 'cat victim/aa*/file victim/bb*/file'

# ---- errors: one line each, and the rest goes on
bad() { # NAME STATUS PATTERN WORDS...
	local what=$1 wanted=$2 pattern=$3 got=0
	shift 3
	"$PTUI" --buildid-dir "$tmp/by-ptui" buildid-cache "$@" >out 2>err || got=$?
	one() { [ "$got" -eq "$wanted" ] && grep -qE -- "^ptui: buildid-cache: $pattern\$" err && [ "$(grep -c '^ptui: ' err)" -eq 1 ] || { echo "status $got"; cat err; return 1; }; }
	expect "$what" one
}
echo text >text
mkdir -p folder
bad "no option" 129 "nothing to do"
bad "-l with others" 129 "-l cannot be used with other options" -l -r x
bad "a word" 129 "unexpected 'x'" -l x
bad "a missing file" 255 "cannot add nothing to the build-id cache: No such file or directory" -a "nothing,$ls_path"
expect "the next one was added" test -e "by-ptui$(readlink -f "$ls_path")"
bad "not an ELF file" 255 "text is not an ELF file" -a text
bad "a directory" 255 "folder is not an ELF file" -a folder
bad "-k of another file" 129 "cannot add ./text: a kcore file, such as /proc/kcore, is expected" -k ./text
bad "-k of a missing one" 255 "cannot add ./none/kcore to the build-id cache: No such file or directory" -k ./none/kcore
bad "a recording that is missing" 255 "cannot open nothing: No such file or directory" -M nothing
bad "a recording that is none" 255 ".*text.*" -M text
bad "--debuginfod without a server" 129 "--debuginfod: no server is known; set DEBUGINFOD_URLS, or give its URL" --debuginfod -a "$ls_path"
"$PTUI" --buildid-dir /proc/nowhere buildid-cache -a "$ls_path" 2>err
expect "a cache that cannot be written" grep -q "^ptui: buildid-cache: cannot add $ls_path to the build-id cache: " err

finish
