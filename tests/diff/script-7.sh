# SPDX-License-Identifier: GPL-2.0-or-later
# Fields of ptui script that no machine here records, on made recordings: code between branches, traces of branches,
# events made from a processor trace, metrics of groups. And source code, of these and of a real one.
. "$top_srcdir/tests/lib/tap.sh"
. "$top_srcdir/tests/diff/lib.sh"
. "$top_srcdir/tests/diff/script_lib.sh"
need perf
command -v objdump >/dev/null || skip_all "no objdump"

cat >"$tmp/prog.c" <<'END'
static volatile int sum;
static inline __attribute__((always_inline)) void add(int i)
{
	for (int k = 0; k < 100; k++)
		sum += i * k;	/* tabs	stay */
}
__attribute__((noinline)) int odd(int i)
{
	return i % 3 ? i : -i;
}
__attribute__((noinline)) void call(void)
{
#ifdef __x86_64__
	long result;

	__asm__ volatile("syscall" : "=a"(result) : "a"(39) : "rcx", "r11", "memory");
#endif
}
int main(void)
{
	for (int i = 0; i < 3000000; i++) {
		add(i);
		sum += odd(i);
		if (i % 1000 == 1)
			call();
	}
	return 0;
}
END
${CC:-cc} -g -O1 -o "$tmp/prog" "$tmp/prog.c" 2>/dev/null || skip_all "no compiler"
made() { "$top_builddir/tests/diff/branches" "$1" "$tmp/$2.data" "$tmp/prog"; }

# Runs of the program as a processor may have recorded them, without running it: a conditional jump is taken at random.
objdump -d "$tmp/prog" | awk '
function any(n) { seed = (seed * 1103515245 + 12345) % 2147483648; return int(seed / 65536) % n }
/^[0-9a-f]+ </ { wanted = /<(main|odd|call)>/ }
/^ +[0-9a-f]+:\t/ && wanted {
	split($0, part, "\t")
	addr = part[1]
	gsub(/[ :]/, "", addr)
	order[++n] = addr
	at[addr] = n
	split(part[3], word, " +")
	op[n] = word[1]
	to[n] = word[2]
}
END {
	seed = 7
	for (k = 1; k <= 120; k++) {
		i = 1 + any(n)
		text = ""
		for (steps = depth = taken = 0; steps < 400 && taken < 20; steps++) {
			target = ""
			if (op[i] ~ /^(call|jmp)/ || (op[i] ~ /^j/ && any(2)))
				target = to[i]
			if (op[i] ~ /^call/ && target in at)
				stack[++depth] = order[i + 1]
			if (op[i] ~ /^ret/ && depth)
				target = stack[depth--]
			if (target in at) {
				text = order[i] " " target "\n" text
				taken++
				i = at[target]
			} else if (op[i] ~ /^(ret|jmp)/ || ++i > n)
				break
		}
		if (i > n)
			i = n
		printf "%s. %s\n", text, order[i]
		last = order[i]
	}
	# the entry of the kernel is missing; both ends are there; a sample in the kernel; no branches; a sample where it jumped
	printf "%s %s\nK200 %s\n%s %s\n. %s\n", order[9], order[12], order[5], order[3], order[4], order[14]
	printf "K200 %s\n%s K100\n%s %s\n. %s\n", order[5], order[4], order[2], order[3], order[6]
	printf "%s %s\n%s K100\n. K110\n", order[8], order[2], order[3]
	printf ". %s\n", order[1]
	printf "%s %s\n. %s\n", order[8], order[2], order[8]
}' >"$tmp/runs"
made blocks blocks <"$tmp/runs" && grep -v K "$tmp/runs" | made trace trace || not_ok "recordings are written"

# --- code between branches ---
for options in '-F ip,brstackinsn' '-F ip,brstackinsnlen' '-F time,ip,brstackinsn,srcline' '-F brstackinsn,ip,srccode' \
	'-F ip,brstackinsnlen,srcline,srccode' '-F ip,brstackinsn --max-blocks 3' '-F comm,ip,brstackinsn --max-blocks 1'; do
	# shellcheck disable=SC2086
	scripts blocks $options
done
expect "names, code and ends of blocks" test "$(grep -c '^	odd+*[0-9]*:$\|#.* cycles \[.* IPC$' "$tmp/ptui.txt")" -gt 50
refused() {
	! "$PTUI" script "$@" >/dev/null 2>"$tmp/err" && [ "$(wc -l <"$tmp/err")" = 1 ] && grep -q 'does not have all branches' "$tmp/err"
}
# perf 6.1 has bytes only: the text is that of objdump, but for the targets of jumps; code is found by the end of its address
"$PTUI" script -i "$tmp/blocks.data" -F ip,brstackdisasm >"$tmp/ptui.txt"
awk -F '\t' '$2 ~ /^0000[0-9a-f]+$/ { sub(/ *$/, "", $3); print substr($2, 14) ": " $3 }' "$tmp/ptui.txt" |
	sed -E 's/ +#.*//; s/ +/ /g; /: (call|j[a-z]+) /s/ [0-9a-f]+$//' | sort -u >"$tmp/text"
objdump -d -z -w "$tmp/prog" | sed -nE 's/^ *([0-9a-f]+):\t[^\t]*\t/\1: /p' |
	sed -E 's/ +#.*//; s/ <.*>//; s/ +/ /g; /: (call|j[a-z]+) /s/ [0-9a-f]+$//; s/ $//' |
	awk '{ printf "%3s%s\n", substr($1, length($1) - 3), substr($0, length($1) + 1) }' | sort -u >"$tmp/wanted"
expect "brstackdisasm: instructions as objdump has them" \
	eval '[ "$(wc -l <"$tmp/text")" -gt 10 ] && ! grep -vxFf "$tmp/wanted" "$tmp/text"'
"$PTUI" script -i "$tmp/blocks.data" -F ip,brstackinsn >"$tmp/bytes"
same "brstackdisasm: else as brstackinsn" <(cut -f 1,2,4- "$tmp/bytes") <(cut -f 1,2,4- "$tmp/ptui.txt")
for field in brstackinsn brstackinsnlen brstackdisasm; do
	expect "$field without branch stacks" refused -i "$tmp/trace.data" -F "+$field"
done
expect "srccode without ip" sh -c '! "$1" script -i "$2" -F comm,srccode 2>&1 | grep -v "srccode requires the field ip"' \
	ip "$PTUI" "$tmp/blocks.data"
# branches that no processor wrote
for mode in hostile branch; do
	made $mode $mode
	"$PTUI" script -i "$tmp/$mode.data" -F ip,brstackinsnlen,srcline,srccode >"$tmp/ptui.txt" 2>"$tmp/err"
	expect "$mode: printed" test $? -eq 0
done
expect "code that is none" grep -q '<bad>' "$tmp/ptui.txt"

# --- each branch is a sample ---
for options in '' '-F comm,callindent,dso' '-F +callindent' '-F ip,addr' '-F ip,sym,addr,srcline' '-F +srcline' '-F +srccode' \
	'-F comm,addr,dso' '-F +ipc,+metric' '-F ip,sym,symoff,dso,srcline,srccode'; do
	# shellcheck disable=SC2086
	scripts trace $options
done
"$PTUI" script -i "$tmp/trace.data" >"$tmp/ptui.txt"
expect "the target of a branch" grep -q ' => .* odd+0x' "$tmp/ptui.txt"

# --- source code of a recording ---
recorded lines -F 2000 -e cpu-clock:u -g "$tmp/prog"
for options in '-F ip,sym,srccode -G --dsos prog' '-F +srccode -G --dsos prog' '-F +ipc,+callindent,+synth,+metric'; do
	# shellcheck disable=SC2086
	scripts lines --no-inline $options
done
recorded inlined -F 2000 -e cpu-clock:u --call-graph dwarf "$tmp/prog"
scripts inlined -F ip,sym,srcline --stop-bt main --dsos prog
expect "inlined functions: the line of each, and that of the call" \
	eval 'grep -A 3 "add$" "$tmp/ptui.txt" | grep -A 2 "prog.c:[45] (inlined)$" | grep -q "^  prog.c:2[0-9]$"'
"$PTUI" script -i "$tmp/lines.data" -G -F ip,disasm --dsos prog |
	sed -nE 's/^ *[0-9a-f]+([0-9a-f]{3})\t\t/\1: /p' |
	sed -E 's/ +#.*//; s/ +/ /g; /: (call|j[a-z]+) /s/ [0-9a-f]+$//' | sort -u >"$tmp/text"
expect "disasm: the instruction of the sample" eval '[ -s "$tmp/text" ] && ! grep -vxFf "$tmp/wanted" "$tmp/text"'
sed -i "s/tabs/$(printf '\033')[1m&/" "$tmp/prog.c"
"$PTUI" script -i "$tmp/lines.data" -G -F ip,srccode --dsos prog >"$tmp/ptui.txt"
expect "control characters are escaped" grep -q '^|5        		sum += i \* k;	/\* .x1b\[1mtabs	stay \*/$' "$tmp/ptui.txt"
unreadable() {
	rm -f "$tmp/prog.c"
	"$@" || return
	"$PTUI" script -i "$tmp/lines.data" -G -F ip,srccode --dsos prog >"$tmp/ptui.txt" && [ -s "$tmp/ptui.txt" ] &&
		! grep -q '^|' "$tmp/ptui.txt"
}
expect "a source file that is not there" unreadable true
expect "a pipe instead of a source file" unreadable mkfifo "$tmp/prog.c"
expect "a folder instead of a source file" unreadable mkdir "$tmp/prog.c"

# --- events made from a processor trace ---
"$top_builddir/tests/diff/fields" "$tmp/synth.data" synth
for options in '-F ip,synth' '-F synth:time,ip' '-F comm,tid,time,synth,ip,sym,dso' '-F time,ip,metric'; do
	# shellcheck disable=SC2086
	scripts synth $options
done
"$PTUI" script -i "$tmp/synth.data" >"$tmp/ptui.txt"
expect "payloads are printed by default" grep -q ' IP: 0 payload: 0x6f6c6c6568 hello  ' "$tmp/ptui.txt"

# --- metrics ---
meant_metric_start() { sed -E 's/(.*\tmetric: )+(.*stalled cycles per insn)$/metric: \2/'; }
meant_metric_clock() { sed -E 's/\tmetric: .*(\/sec|GHz)$/\tmetric of the clock/'; }
script_meant=(metric_start metric_clock)
for group in '0:0 0:1' '0:4 0:5' '0:2 0:3' '0:0 0:7' '0:0 0:8' '0:7 0:1' '0:8 0:1' '3:0 3:0x10000' '3:1 3:0x10001' '3:2 3:0x10002' \
	'3:3 3:0x10003' '3:4 3:0x10004' '1:0 1:2' '1:1 0:0' '0:0 1:3' '0:0' '1:0'; do
	# shellcheck disable=SC2086
	"$top_builddir/tests/diff/fields" "$tmp/metric.data" metric $group
	scripts metric -F +metric
done
scripts metric -F time,event,metric
# perf 6.1 computes all metrics of a group by the count of its last member
"$top_builddir/tests/diff/fields" "$tmp/metric.data" metric 1:1 0:0 0:1 0:4 0:5
"$PTUI" script -i "$tmp/metric.data" -F event,period,metric >"$tmp/ptui.txt"
expect "metrics of five events" awk '
	function near(a, b) { return a - b < 0.006 && b - a < 0.006 }
	/metric:/ {
		want = / insn per cycle$/ ? n["instructions"] / n["cycles"] : / of all branches$/ ? 100 * n["branch-misses"] / n["branches"] :
			/ GHz$/ ? n["cycles"] / n["task-clock"] : / G\/sec$/ ? n["branches"] / n["task-clock"] : -1
		bad += !near($2 + 0, want)
		metrics++
		next
	}
	{ sub(/:.*/, "", $2); n[$2] = $1 }
	END { exit bad || metrics != 200 }' "$tmp/ptui.txt"

# names of events that fill the buffer they are in, which is read in pieces
# shellcheck disable=SC2046
"$top_builddir/tests/diff/fields" "$tmp/metric.data" metric $(yes 4:0x11111111111111 | head -n 10)
scripts metric -F time,event

# --- all fields of perf are known ---
perf script -h 2>&1 | tr -d '\n' | tr -s ' ' | sed -nE 's/.*Fields: ([a-z_, -]*) *-f, --force.*/\1/p' | tr -d ' ' | tr ',' '\n' | sort -u >"$tmp/fields"
expect "perf lists its fields" test "$(wc -l <"$tmp/fields")" -gt 35
known_fields() {
	local field bad=0
	while read -r field; do
		"$PTUI" script -i "$tmp/lines.data" -F "+$field" 2>&1 >"$tmp/ptui.txt" | grep 'no such' && bad=1
	done <"$tmp/fields"
	return "$bad"
}
expect "perf's fields are known" known_fields

all_differ
finish
