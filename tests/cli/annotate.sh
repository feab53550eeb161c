# SPDX-License-Identifier: GPL-2.0-or-later
#
# ptui annotate: its options, and what it says about functions, files and options that it cannot use.
. "$top_srcdir/tests/lib/tap.sh"
. "$top_srcdir/tests/cli/remedies_lib.sh"
export LC_ALL=C.UTF-8 HOME=$tmp PERF_CONFIG=/dev/null PERF_BUILDID_DIR=$tmp/debug
unset PTUI_PAGER PAGER PTUI_DEBUG XDG_CONFIG_HOME
cd "$tmp" || exit 1

# --- the command line

# refused STATUS PATTERN OPTION...: one line that matches, and nothing on stdout
refused() {
	local want=$1 pattern=$2 rc=0
	shift 2
	"$PTUI" annotate "$@" </dev/null >out 2>err || rc=$?
	[ "$rc" -eq "$want" ] && head -n 1 err | grep -qE "^ptui: annotate: $pattern\$" && [ ! -s out ] && return
	echo "status $rc"
	cat out err
	return 1
}
expect "-M other" refused 129 "-M: expected one of att, intel, not 'masm'" -M masm
expect "--percent-type other" refused 129 "--percent-type: expected one of local-period, .*, not 'most'" --percent-type most
expect "--stdio-color other" refused 129 "--stdio-color: expected one of auto, always, never, not 'red'" --stdio-color red
for cpus in x 1- 3-1 1,,2 ''; do
	expect "-C '$cpus'" refused 129 "-C: expected a list of CPUs such as 0-3,8, not '$cpus'" -C "$cpus"
done
expect "-n --show-total-period" refused 129 '-n cannot be used together with --show-total-period' -n --show-total-period
expect "--prefix-strip alone" refused 129 '--prefix-strip requires --prefix' --prefix-strip 2
for option in --stdio --stdio2 -q -n '-M intel' '-d x' --asm-raw; do
	# shellcheck disable=SC2086
	expect "--tui $option" refused 129 '--tui takes a function and options of the input only: .*' --tui $option
done
expect "two functions" refused 129 "too many functions: unexpected 'b'" a b
expect "--objdump" refused 129 "--objdump: ptui disassembles in its own process, with objdump's library" --objdump /bin/true
expect "--itrace" refused 129 '--itrace: ptui does not decode hardware traces; use perf' --itrace
for option in --data-type --data-type=int --type-stat --insn-stat; do
	expect "$option" refused 129 "${option%=*}: not supported: 'ptui report -s type,typeoff,sym' counts .*" $option
done
expect "--addr2line" refused 129 "--addr2line: not supported: ptui reads debug information itself" --addr2line x
expect "-D" refused 129 "-D: 'ptui script -D' prints the records of a recording" -D
expect "--gtk" refused 129 '--gtk: ptui has a screen .*' --gtk
expect "--no-demangle" refused 129 '--no-demangle: names are always demangled' --no-demangle
expect "no file" refused 255 '.*perf.data.*No such file.*'

known_options() {
	local letter name word bad=0
	while read -r letter name; do
		for word in "${letter:+-$letter}" "${name:+--$name}"; do
			[ -n "$word" ] || continue
			"$PTUI" annotate --stdio -i /nonexistent "$word" 1 </dev/null >out 2>err
			grep -q 'no such option' err && { cat err; bad=1; }
		done
	done <options
	return "$bad"
}
if command -v perf >/dev/null; then
	perf annotate -h 2>&1 | sed -nE 's/^    (-([a-zA-Z])(, )?)?(--([a-z0-9_-]+))?(\[?=.*|[ ].*)?$/\2 \5/p' | grep . >options
	expect "perf annotate lists its options" test "$(wc -l <options)" -gt 30
	expect "perf annotate's options are known" known_options
else
	skip "perf annotate's options are known" "perf is not installed" perf
fi

# --- functions

cc -O1 -g -o work -x c - 2>cc.err <<'END' || skip_all "no C compiler: $(head -n 1 cc.err)"
static volatile unsigned sum;
__attribute__((noinline)) static void busy(void)
{
	for (unsigned i = 0; i < 100000000; i++)
		sum += i;
}
int main(void)
{
	busy();
	return 0;
}
END
"$PTUI" record -q -N -e cpu-clock:u -F 500 -o data -- ./work >/dev/null 2>record.err || {
	skip "functions" "nothing can be recorded here: $(cat record.err)"
	finish
}
"$PTUI" annotate --stdio -i data busy >out 2>err
"$PTUI" annotate --stdio2 -i data busy >out2 2>err2
expect "--stdio2: the text of --stdio" cmp out out2
if grep -q 'built without a disassembler\|cannot be loaded' err; then
	skip "functions" "$(head -n 1 err)"
	finish
fi
expect "a function" grep -q '^ *[0-9.]* :  *[0-9a-f]*:  *j' out
expect "no warnings" test ! -s err
expect "no colours in a file" sh -c "! grep -q '$(printf '\033')' out"
"$PTUI" annotate --stdio -i data busy --stdio-color >out 2>err
expect "--stdio-color: colours everywhere" grep -q "$(printf '\033\\[31m')" out
"$PTUI" annotate --stdio -i data busy --stdio-color never >out 2>err
expect "--stdio-color never" sh -c "! grep -q '$(printf '\033')' out"
"$PTUI" annotate --stdio -i data -v busy >out 2>err
expect "-v: samples by address" grep -qE '^ +[0-9a-f]+: [0-9]+$' out
expect "-v: the source of symbols" grep -q 'using symbols from .*/work' err
sum_is() { awk '/^ +[0-9.]+ : +[0-9a-f]+:/ { n += $1 } END { exit !(n > 99.8 && n < 100.2) }' out; }
"$PTUI" annotate --stdio -i data busy >out 2>err
expect "percentages add up to 100" sum_is
# The samples of busy() in the code and in the list, with the same filter.
same_samples() { # OPTION...
	"$PTUI" annotate --stdio -i data -n "$@" busy >out 2>err &&
		"$PTUI" report --stdio -i data -F sample,sym -s sym "$@" >list 2>>err &&
		[ "$(awk '/^ +[0-9]+ : +[0-9a-f]+:/ { n += $1 } END { print n + 0 }' out)" = \
			"$(awk '$NF == "busy" { print $1 }' list)" ]
}
expect "--time: as in the list" same_samples --time 0%-50%
expect "--comms: as in the list" same_samples --comms work,other
expect "--tid: as in the list" same_samples --tid 1-4000000
expect "--pid: as in the list" same_samples --pid 1-4000000
expect "--comms of nothing" refused 255 "no samples in a function named 'busy'" -i data --comms other busy
expect "--time that is none" refused 129 "--time: .*" -i data --time soon busy
expect "-d of no function" refused 255 "no samples in functions of the DSO 'no-such.so'" -i data -d no-such.so

remedy "'ptui report --stdio -s dso' lists the DSOs"
complains "$PTUI" annotate -i data -d no-such.so
dso=$("$PTUI" report --stdio -s dso -i data 2>/dev/null | awk '/%/ { print $NF; exit }')
helped "$PTUI" annotate -i data -d "$dso"
remedy "'ptui report --stdio' lists the functions"
complains "$PTUI" annotate --stdio -i data zzzzzzzz
helped "$PTUI" report --stdio -i data
helped "$PTUI" annotate --stdio -i data "$(grep -owm1 busy out)"
remedy "record with --sample-cpu"
"$PTUI" record -q -N -e cpu-clock:u -F 500 -o cpu.data --sample-cpu -- ./work >/dev/null 2>record.err
complains "$PTUI" annotate --stdio -i data -C 0
helped "$PTUI" annotate --stdio -i cpu.data -C 0-4095 busy
expect "a function with a typo" refused 255 "no samples in a function named 'bsuy'" -i data bsuy
expect "a function with a typo: another is suggested" grep -q "did you mean 'busy'?" err

# --- the file is gone, or another one, and comes back

mkdir -p copy/"$tmp" && cp work copy/"$tmp"/
mv work gone
"$PTUI" annotate --stdio -i data -d work >out 2>err
expect "the program is gone: no code" test ! -s out
rc=0
"$PTUI" annotate --stdio -i data --symfs copy busy >out 2>err || rc=$?
expect "--symfs: the code is there" grep -q 'Disassembly of work' out
cc -O2 -o work -x c - <<<'int main(void) { return 3; }' 2>cc.err
"$PTUI" annotate --stdio -i data busy >out 2>err
expect "another program: not its code" test ! -s out
rm work && mv gone work

# --- code of a JIT compiler

if [ "$(uname -m)" = x86_64 ]; then
	"$PTUI" record -q -k mono -F 1000 -e cpu-clock:u -o jit.data "$top_builddir/tests/cli/jit" dump "$tmp" >/dev/null 2>err
	"$PTUI" annotate --stdio -i jit.data third >out 2>err
	expect "jitdump: code" grep -qE '^ +[0-9]+\.[0-9]+ : +[0-9a-f]+: .*imul' out
	expect "jitdump: lines" grep -q 'third.js:31' out
	expect "jitdump: percentages add up to 100" sum_is
	rm -f jit-*.dump
	"$PTUI" annotate --stdio -i jit.data third >out 2>err
	expect "jitdump: it is gone" test ! -s out
else
	skip "jitdump: code" "its code is checked on x86-64"
fi

# two functions with names, but no code: one warning

"$PTUI" record -q -N -F 500 -e cpu-clock:u -o map.data -- \
	sh -c 'echo $$ >pid; exec "$0" map /tmp/perf-$$.map' "$top_builddir/tests/cli/jit" 2>record.err </dev/null &
recorder=$!
until_so sh -c 'grep -q late "/tmp/perf-$(cat pid).map"'
sleep 0.5 # some samples of that function
kill -INT $recorder
wait $recorder
"$PTUI" annotate --stdio -i map.data >out 2>err
expect "functions without code: one is named" [ "$(grep -c 'cannot annotate .\(mapped\|late\)' err)" = 1 ]
expect "functions without code: others are mentioned" [ "$(grep -c 'other functions of .* cannot be annotated' err)" = 1 ]
"$PTUI" annotate --stdio -v -i map.data >out 2>err
expect "functions without code: -v lists them" [ "$(grep -c 'cannot annotate .\(mapped\|late\)' err)" = 2 ]
rm -f /tmp/perf-"$(cat pid)".map
finish
