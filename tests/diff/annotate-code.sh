# SPDX-License-Identifier: GPL-2.0-or-later
#
# The machine code of at least ten files of this machine, instruction by instruction as objdump has it: address,
# length, text (but for names), and which bytes are no instruction.
. "$top_srcdir/tests/lib/tap.sh"
disasm=$top_builddir/tests/diff/disasm
cd "$tmp" || exit 1
command -v objdump >/dev/null || skip_all "objdump is not installed"
"$disasm" "$PTUI" </dev/null >out 2>err || skip_all "no disassembler: $(cat err)"

compared() { objdump -d -z -w "$1" 2>objdump.err | "$disasm" -v "$1" >out 2>err; }
is_equal() {
	awk '{ n[$1] = $2 }
	     END { exit !(n["instructions"] > 0 && !(n["missing"] + n["length"] + n["text"] + n["cut"]) &&
			  n["bad"] <= n["objdump-bad"]) }' out && return
	cat out err
	return 1
}

n=0 seen=
libs=$(dirname "$(ldd "$PTUI" 2>/dev/null | sed -n 's|.*libc\.so\.[0-9]* => \([^ ]*\) .*|\1|p' | head -n 1)")
for file in "$libs"/{libc,libstdc++,libm,libncursesw,libdw,libelf,libcrypto}.so.? /bin/bash "$PTUI" "$libs"/*.so.?; do
	[ -r "$file" ] && [ "$(stat -Lc %s "$file")" -lt 16000000 ] || continue
	file=$(readlink -f "$file")
	case $seen in *" $file "*) continue ;; esac
	seen="$seen $file "
	compared "$file"
	[ "$(awk '$1 == "instructions" { print $2 }' out)" -ge 1000 ] || continue # no symbols
	n=$((n + 1))
	expect "$(basename "$file"): as objdump has it ($(awk '/^instructions|^bad/ { print $2, $1 }' out | paste -sd,))" is_equal
	[ $n -lt 12 ] || break
done
note "$n files"
if [ "$n" -ge 10 ]; then ok "ten files"; else skip "ten files" "only $n of the files are here"; fi

# The comparison can fail: this is another syntax, and code of which a byte is gone.
objdump -d -z -w -M intel "$PTUI" | "$disasm" "$PTUI" >out
expect "another syntax is found" awk '$1 == "text" && $2 > 1000 { found = 1 } END { exit !found }' out
objdump -d -z -w "$PTUI" | sed 's/^\( *[0-9a-f]*\)2:\t/\13:\t/' | "$disasm" "$PTUI" >out
expect "other addresses are found" awk '$1 == "missing" && $2 > 1000 { found = 1 } END { exit !found }' out
finish
