# SPDX-License-Identifier: GPL-2.0-or-later
#
# ptui probe -D prints what perf probe -D prints, for programs in C and C++ with DWARF 4 and 5, with and
# without optimization; what perf does wrong is listed with the reason.
. "$top_srcdir/tests/lib/tap.sh"
need perf
export LC_ALL=C HOME=$tmp PERF_CONFIG=/dev/null PERF_BUILDID_DIR=$tmp/debug
unset DEBUGINFOD_URLS PTUI_DEBUG
cd "$tmp" || exit 1

for dwarf in 4 5; do
	for level in 0 2; do
		${CC:-cc} -w -g -gdwarf-$dwarf -O$level -o c-$dwarf-$level "$top_srcdir/tests/diff/probe_work.c" 2>cc.err &&
			${CXX:-c++} -w -g -gdwarf-$dwarf -O$level -o cxx-$dwarf-$level "$top_srcdir/tests/diff/probe_work.cc" 2>cc.err ||
			skip_all "no compilers: $(head -n 1 cc.err)"
	done
done

# define PROGRAM DEFINITION: perf.out and ptui.out
define() {
	perf_status=0 ptui_status=0
	perf probe -x "$1" -D "$2" >perf.out 2>perf.err </dev/null || perf_status=$?
	"$PTUI" probe -x "$1" -D "$2" >ptui.out 2>ptui.err </dev/null || ptui_status=$?
}

n_same=0
# equal PROGRAM... -- DEFINITION...
equal() {
	local programs=() program definition
	while [ "$1" != -- ]; do
		programs+=("$1")
		shift
	done
	shift
	for program in "${programs[@]}"; do
		for definition; do
			define "$program" "$definition"
			same "$program: $definition" perf.out ptui.out
			[ "$((perf_status == 0))" -eq "$((ptui_status == 0))" ] ||
				not_ok "$program: $definition: status $ptui_status, perf $perf_status"
			[ ! -s ptui.out ] || n_same=$((n_same + 1))
			[ "$ptui_status" -eq 0 ] || [ "$(wc -l <ptui.err)" -le 2 ] ||
				not_ok "$program: $definition: one line and a hint: $(cat ptui.err)"
		done
	done
}

# better PROGRAM DEFINITION REASON PATTERN: perf prints something else, and ptui a line like the pattern
better() {
	define "$1" "$2"
	if cmp -s perf.out ptui.out; then
		not_ok "$1: $2: no difference any more ($3)"
	elif grep -qE -- "$4" ptui.out ptui.err; then
		ok "$1: $2: $3"
	else
		not_ok "$1: $2: $3"
		sed 's/^/# /' ptui.out ptui.err
	fi
}

# shellcheck disable=SC2016
equal c-4-0 c-4-2 c-5-0 c-5-2 -- \
	sum_nodes 'sum_nodes list' 'sum_nodes title:string limit' \
	'sum_nodes list->name list->name:string list->wide' \
	'sum_nodes list->at.x list->corners[2].y list->corners list->at' \
	'sum_nodes list->next->next->wide' \
	'sum_nodes list->number.i list->number.bytes[3] list->hidden list->deep' \
	'sum_nodes list->colour list->text:string list->callback' \
	'sum_nodes list->small list->half list->ratio' 'sum_nodes $params' 'sum_nodes:5 n' 'sum_nodes:8' \
	'sum_nodes;limit*' 'sum_nodes;*weight*' 'sum_nodes+4' 'sum_nodes+4 %di' square square:3 helper \
	'helper n->at.x depth' 'move by:u8' 'many a b c d e f g h' \
	'many g h:x16' 'words_of list[1]:string argv[0]:string' 'words_of list argv' \
	'main argc argv[0]:string' 'sum*' '*m*' 'g1:e1=main %ax $stack2 $comm +8(+0(%sp)):u32' \
	'0x1200 %ip' 'sum_nodes@probe_work.c limit' 'sum_nodes limit:x limit:s limit:u limit:x8 limit:s16' \
	'sum_nodes a=limit b=list->wide' 'sum_nodes list[0]' 'sum_nodes list[1].wide' 'sum_nodes title[2]' \
	'sum_nodes%return +0($retval):string $retval:s32' 'move%return' 'many%return r=$retval:x64' \
	'main%return $retval' 'sum_nodes title@user title:ustring@user' 'new=sum_nodes' \
	'probe_work.c;sum+=*' 'sum_nodes title:x8 list->name[3]' 'probe_work.c:68' 'sum_nodes:12 sum' \
	'sum_nodes:2' 'sum_nodes:9 weight' nosuch 'nosuch*' 'sum_nodes nosuch' 'sum_nodes list->nosuch' \
	'sum_nodes list.wide' 'sum_nodes list->at->x' 'sum_nodes limit:string' 'sum_nodes:3' \
	'sum_nodes limit->x' 'sum_nodes list->at.x.y' 'sum_nodes+100000' 'nofile.c:3' 'sum_nodes list[x]' \
	'sum_nodes+1:2' 'sum_nodes%exit' '1bad=sum_nodes' 'many%return a'
# shellcheck disable=SC2016
equal c-4-0 c-5-0 -- 'sum_nodes $vars' 'sum_nodes:4 sum' 'square value' 'square twice' 'helper%return $retval' \
	'move p by factor' 'move p.x' 'main:9 i p.x first.wide' 'main second.name:string first.next->wide' \
	'sum_nodes:9 $vars' 'probe_work.c:78 sum' 'probe_work.c;*twice*'
# shellcheck disable=SC2016
equal cxx-4-0 cxx-4-2 cxx-5-0 cxx-5-2 -- cost 'cost pieces' 'cost total' 'cost $params' cost:4 'cost:4 total' \
	largest 'by_reference thing' 'by_reference pieces' inlined 'c_name flag letter half' \
	'_ZNK4shop4item4costEi pieces' 'main;total*' 'c_name%return $retval:u8' 'c*' item \
	'probe_work.cc;*cost*' 'probe_work.cc:35' 'cost:5 total'
equal cxx-4-0 cxx-5-0 -- 'inlined value' 'cost $vars'
expect "at least 60 definitions are equal" [ "$n_same" -ge 60 ]
note "$n_same definitions have equal lines"

better c-4-0 'sum_nodes list->count' "perf counts a bit field from the top, the kernel from the bottom" ':b7@3/32$'
better c-5-0 'sum_nodes list->count' "perf cannot find a bit field in DWARF 5" ':b7@3/32$'
better c-5-0 'main exported' "the kernel knows no symbols in a uprobe" ' exported=@\+[0-9]+:s32$'
better c-5-0 'sum_nodes counter' "the kernel knows no symbols in a uprobe" ' counter=@\+[0-9]+:s32$'
better c-5-0 'sum_nodes list->grid[1][2]' "perf knows no arrays of arrays" ' grid=\+[0-9]+\(-[0-9]+\(%bp\)\):s32$'
better c-5-2 'square twice' "perf takes a computed value for an address" 'the compiler computes it'
# shellcheck disable=SC2016
better c-5-2 'sum_nodes $vars' "perf leaves out constants" ' sum=\\0:s64'
better cxx-5-0 'cost this->price' "perf knows no classes" ' price=\+16\(-24\(%bp\)\):s32$'
better cxx-5-0 'cost this->id' "perf knows no base classes" ' id=\+0\(-24\(%bp\)\):s32$'
better cxx-5-0 'by_reference thing.price' "perf knows no references" ' price=\+16\(-[0-9]+\(%bp\)\):s32$'
better cxx-5-0 'largest<int>' "perf makes an invalid name of it" '^p:probe_cxx/largest_int_ '
better cxx-5-0 'cost%return' "perf looks for the name in the symbols" '^r:probe_cxx/cost__return '

# Functions of a library, without debug information; a "kernel" that is any file with it.
libc=$(ldd "$PTUI" | sed -n 's/.*libc\.so\.6 => \([^ ]*\).*/\1/p')
for definition in malloc 'malloc%return $retval' 'read+0 %di %dx:u32' 'fput*'; do
	perf probe -x "$libc" -D "$definition" >perf.out 2>perf.err </dev/null
	"$PTUI" probe -x "$libc" -D "$definition" >ptui.out 2>ptui.err </dev/null
	sort -o perf.out perf.out
	sort -o ptui.out ptui.out
	same "a library: $definition" perf.out ptui.out
done
for definition in 'sum_nodes list->wide limit' 'sum_nodes:8' 'sum_nodes%return $retval' square 'sum_nodes counter' \
	'move+4 %di' 'helper n->at.x'; do
	for program in c-4-2 c-5-2 c-5-0; do
		perf probe -k $program -D "$definition" >perf.out 2>perf.err </dev/null
		"$PTUI" probe -k $program -D "$definition" >ptui.out 2>ptui.err </dev/null
		same "-k $program: $definition" perf.out ptui.out
	done
done

# The running kernel, by its symbols (as root: others see no addresses).
if [ "$(id -u)" -eq 0 ] && grep -q ' T vfs_read$' /proc/kallsyms; then
	# shellcheck disable=SC2016
	for definition in vfs_read 'vfs_read+8 %di' memcpy 'ksys_*' 'schedule%return $retval'; do
		perf probe -D "$definition" 2>perf.err </dev/null | sort >perf.out
		"$PTUI" probe -D "$definition" 2>ptui.err </dev/null | sort >ptui.out
		same "the kernel: $definition" perf.out ptui.out
	done
else
	skip "the kernel's functions" "its symbols cannot be read" root
fi

# The other views of the same. (With optimization perf lists variables that it then fetches wrongly.)
views() {
	local program view programs=$1
	shift
	for program in $programs; do
		for view; do
			# shellcheck disable=SC2086
			perf probe -x "$tmp/$program" $view >perf.out 2>perf.err </dev/null
			# shellcheck disable=SC2086
			"$PTUI" probe -x "$tmp/$program" $view >ptui.out 2>ptui.err </dev/null
			same "$program $view" perf.out ptui.out
		done
	done
}
views 'c-4-0 c-5-0 c-4-2 c-5-2 cxx-4-0 cxx-5-2' '-L main' '-L main:3+4' '-L main:2-5' '-L probe_work.c:60-80' \
	'-L sum_nodes' '-V many' '-L cost' '-V cost' '-V cost --range' '-L nosuch' '-L probe_work.cc' '-V nosuch'
views 'c-4-0 c-5-0 cxx-5-0' '-V main' '-V sum_nodes' '-V main:4 --externs' '-V sum_nodes --range' '-V cost:4' '-L square' '-V sum_nodes:9' \
	'-V main --externs --range'

# Markers by name: their files are those of the build-id cache.
cat >marked.c <<'END'
#if __SIZEOF_POINTER__ == 8
#define ADDRESS ".8byte"
#else
#define ADDRESS ".4byte"
#endif
#define MARKER(name, arguments) \
	__asm__ volatile("990: nop\n.pushsection .note.stapsdt,\"\",\"note\"\n.balign 4\n" \
		".4byte 992f-991f, 994f-993f, 3\n991: .asciz \"stapsdt\"\n992: .balign 4\n" \
		"993: " ADDRESS " 990b\n" ADDRESS " _.stapsdt.base\n" ADDRESS " 0\n" \
		".asciz \"made\"\n.asciz \"" name "\"\n.asciz \"" arguments "\"\n994: .balign 4\n.popsection\n" \
		".ifndef _.stapsdt.base\n" \
		".pushsection .stapsdt.base,\"aG\",\"progbits\",.stapsdt.base,comdat\n" \
		".weak _.stapsdt.base\n.hidden _.stapsdt.base\n_.stapsdt.base: .space 1\n" \
		".size _.stapsdt.base, 1\n.popsection\n.endif\n")
int main(void)
{
	MARKER("one", "8@%rdi -4@%rsi");
	MARKER("high", "8@%rdi 1@%ah -4@16(%rsp)");
	MARKER("many", "4@%eax");
	MARKER("many", "4@%ebx");
	return 0;
}
END
by_name() { "$PTUI" --buildid-dir "$tmp/markers" probe "$@" >ptui.out 2>ptui.err </dev/null; }
if ${CC:-cc} -Wl,--build-id -o marked-a marked.c 2>cc.err && ${CC:-cc} -g -Wl,--build-id -DB=1 -o marked-b marked.c; then
	by_name -D sdt_made:one
	expect "a marker whose file is not in the cache: status 255" [ $? -eq 255 ]
	expect "... says so" grep -q "^ptui: probe: no file in the build-id cache has the marker 'sdt_made:one'" ptui.err
	for file in marked-a marked-b; do
		perf --buildid-dir "$tmp/markers" buildid-cache --add "$tmp/$file" >perf.out 2>&1
	done
	"$PTUI" --buildid-dir "$tmp/markers" list sdt 2>/dev/null | sed 's/ *\[.*//' >ptui.out
	printf '  sdt_made:%s\n' high many one >wanted
	same "list sdt: perf's cache" wanted ptui.out
	for definition in sdt_made:one %sdt_made:one 'sdt_made:m*' "sdt_made:one@$tmp/marked-b"; do
		perf --buildid-dir "$tmp/markers" probe -D "$definition" 2>perf.err </dev/null | sort >perf.out
		by_name -D "$definition"
		sort -o ptui.out ptui.out
		same "by name: $definition" perf.out ptui.out
		expect "by name: $definition: some" test -s ptui.out
	done
	by_name -D sdt_made:none
	expect "by name: no such marker: status 255" [ $? -eq 255 ]
	by_name -D sdt_made:high
	expect "a part of a register is left out, where perf fetches another one" \
		grep -q '^p:sdt_made/high .*/marked-a:0x[0-9a-f]* arg1=%di:u64 arg3=+16(%sp):s32$' ptui.out
	expect "... with the reason" \
		grep -q "argument 2 of the marker ('1@%ah').*: the kernel fetches a register from its lowest byte on" ptui.err
	${CC:-cc} -Wl,--build-id -DB=2 -O2 -o marked-b marked.c
	by_name -D sdt_made:one
	expect "a file that was built again is left out" [ "$(wc -l <ptui.out)" -eq 1 ]
	expect "... says so" grep -q "marked-b is not the file in the build-id cache any more" ptui.err
	by_name -D sdt_made:one -x "$tmp/marked-b"
	expect "-x takes another file" grep -q marked-b ptui.out
else
	skip "markers by name" "no compiler: $(head -n 1 cc.err)"
fi

# ---- copies of functions that the compiler made
cat >clone.c <<'EOS'
#include <stdlib.h>
__attribute__((noinline)) static unsigned spin(unsigned times)
{
	unsigned sum = times;

	for (unsigned i = 0; i < times; i++)
		sum += (i * 3) ^ sum;
	return sum;
}
static inline int grow(int n)
{
	int sum = n;

	for (int i = 0; i < n; i++)
		sum += abs(sum ^ i) * rand() / (i + 1);
	return sum;
}
int (*volatile copy)(int) = grow;
__attribute__((flatten)) int main(int argc, char **argv)
{
	return (int)spin(40000) + copy(argc) + argv[0][0] + grow(argc);
}
EOS
if ${CC:-cc} -g -O2 -o clone clone.c 2>cc.err && name=$(nm clone | grep -o 'spin\.constprop\.[0-9]*$'); then
	addr=$(nm clone | awk -v name="$name" '$3 == name { print $1 }')
	"$PTUI" probe -x ./clone -V "$name" >ptui.out 2>ptui.err
	expect "a name that only the symbols have: -V" grep -q '@<spin+0>' ptui.out
	expect "... its variables" grep -q 'unsigned int	sum' ptui.out
	"$PTUI" probe -x ./clone -D "$name \$vars" >ptui.out 2>ptui.err
	expect "... -D with variables" grep -q "^p:probe_clone/spin .*/clone:0x0*$(printf %x "0x$addr") .*times=" ptui.out
	"$PTUI" probe -x ./clone -D "$name+4000 \$vars" >ptui.out 2>ptui.err
	expect "... beyond its end" grep -q "no probe point '$name+4000'" ptui.err
	addr=$(nm clone | awk '$3 == "grow" { print $1 }')
	"$PTUI" probe -x ./clone -D 'grow+12' >ptui.out 2>ptui.err
	expect "an offset: the copy of an inlined function" grep -q "/clone:0x0*$(printf %x $((0x$addr + 12)))\$" ptui.out
	expect "... that has the offset" [ "$(wc -l <ptui.out)" -ge 1 ]
	last=$(($(nm -S clone | awk '$4 == "grow" { print "0x" $2 }') - 1))
	"$PTUI" probe -x ./clone -V "grow+$last" >ptui.out 2>ptui.err
	expect "an offset that no inlined place has: one place" [ "$(grep -c '@<' ptui.out)" -eq 1 ]
	expect "... of the function" grep -q "@<grow+$last>" ptui.out
else
	skip "copies of functions" "the compiler makes none"
fi
finish
