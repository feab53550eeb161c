# SPDX-License-Identifier: GPL-2.0-or-later
# ptui diff prints the rows, values and order of perf diff.
. "$top_srcdir/tests/lib/tap.sh"
. "$top_srcdir/tests/diff/lib.sh"
need perf

cd "$tmp" || exit 1
diff_meant=(plt_head_rows unnamed_rows ifunc_slot_rows)

recorded() {
	local label=$1
	shift
	LD_BIND_NOW=1 in_company perf record -q --no-bpf-event -o "$label.data" "$@" >record.out 2>&1 || note "$(cat record.out)"
}

# diffs OPTION... FILE...
diffs() {
	perf diff "$@" >perf.txt 2>perf.err
	"$PTUI" diff "$@" >ptui.txt 2>ptui.err || note "ptui: status $?: $(cat ptui.err)"
	[ "$(wc -l <perf.txt)" -gt 5 ] || { not_ok "$*: perf prints nothing: $(cat perf.err)"; return; }
	alike "$*" perf.txt ptui.txt "${diff_meant[@]}"
}

# Which of a DSO's addresses without a name is shown for all of them.
meant_unnamed_rows() { sed -E 's/\[([.k])\] 0x?[0-9a-f]{16}( *)$/[\1] (address)/'; }

# rows of equal numbers are in the order of their names
meant_plt_head_rows() { meant_plt_head | awk '/\(head of the PLT\)/ { last = last $0 "\n"; next } { print } END { printf "%s", last }' | squeezed; }

# Such rows are left out: their names differ, and so does their place among rows of one value.
meant_ifunc_slot_rows() { sed -E '/\[\.\] [^ ]*@plt *$/d' | squeezed; }

# Slots in .plt.got of what is recorded here. Only one of the addresses without a name is shown: see unnamed_rows.
plt_slots=
read_plt_slots() {
	local file off size addr
	for file in "$work" "${work%/*}/libwork.so"; do
		while read -r off size; do
			for ((addr = 0x$off; addr < 0x$off + 0x$size; addr++)); do
				printf -v plt_slots '%s|0x%016x' "$plt_slots" "$addr"
			done
		done < <(readelf -SW "$file" 2>/dev/null | sed -nE 's/.* \.plt\.got +PROGBITS +[0-9a-f]+ ([0-9a-f]+) ([0-9a-f]+) .*/\1 \2/p')
	done
}
read_plt_slots
plt_got() { printf %s "$plt_slots"; }

# a slot of .plt.got is the same row for both, and other addresses stay
slots() {
	local slot=${plt_slots##*|}
	[ -n "$slot" ] || return 0
	cmp <(echo "  1.00%  [.] $slot" | meant_plt_head) <(echo "  1.00%  [.] free@plt" | meant_plt_head) &&
		echo "  1.00%  [.] 0x0000000000000abc" | meant_plt_head | grep -q abc
}
expect "a filter for slots of .plt.got" slots

recorded one -F 2000 -e cpu-clock:u -e page-faults:u "$work" spin 150
recorded two -F 2000 -e cpu-clock:u -e page-faults:u "$work" share
# without names, and of other functions
strip -o stripped "$work" && cp "${work%/*}/libwork.so" . || not_ok "a stripped program"
recorded three -F 2000 -e cpu-clock:u -e page-faults:u ./stripped
recorded modified -F 2000 -e cpu-clock "$work" spin 150
for files in "one.data two.data" "two.data one.data" "one.data two.data three.data" "three.data three.data"; do
	# shellcheck disable=SC2086
	for options in "" "-c delta" "-c ratio" "-c wdiff:3,2" "-c delta-abs" -p -F "-F -p -c ratio" "-F -c wdiff:1,-2" -b \
		"-b -c ratio" "-o 0" "-s dso" "-s dso,symbol" "-s sym" "-q" "-s comm,dso" "-s pid,dso -c ratio"; do
		diffs $options $files
	done
done
# shellcheck disable=SC2086
diffs -o 2 -c ratio one.data two.data three.data
diffs -o 2 -c ratio three.data two.data one.data
diffs -o 2 one.data two.data three.data
cp one.data perf.data.old
cp two.data perf.data
diffs
diffs three.data
diffs one.data modified.data
diffs --time 0%-80% one.data two.data
# of each file, from its second sample to the one in the middle
half() { perf script -i "$1" -F time --ns 2>/dev/null | awk '{ sub(":", ""); t[NR] = $1 } END { print t[2] "," t[int(NR / 2)] }'; }
diffs -p --time "$(half one.data):$(half two.data)" one.data two.data
# with the key pid no row has samples of several threads, of which perf shows all or none
pid=$(perf script -i one.data -F pid 2>/dev/null | awk 'NR == 1 { print $1 }')
diffs --pid "$pid" -s pid,dso,symbol one.data two.data
diffs --tid "$pid" -s pid,dso,symbol one.data two.data

# With -t nothing is padded; perf pads nevertheless.
perf diff -t ';' one.data two.data 2>/dev/null | sed -E 's/ *; */;/g; s/ *$//; s/^ +//' >perf.txt
"$PTUI" diff -t ';' one.data two.data >ptui.txt
expect "-t: columns by a separator" grep -qE '^[0-9.]+;[-+0-9.%]*;[^; ]+;\[.\] ' ptui.txt
sed -i '/^#/d' perf.txt ptui.txt
alike "-t: the rows of perf" perf.txt ptui.txt "${diff_meant[@]}"

# A filter by one name: its column is left out.
for options in "-d work" "-S spin" "-C work -s comm,dso" "-C work -s comm" "-d work -s dso,sym,comm" "-d work,libc.so.6 -S spin"; do
	# shellcheck disable=SC2086
	diffs $options one.data two.data
done

# Filters leave the rows that remain as they are.
rows_of() { "$PTUI" diff -q -s comm,dso,symbol "$@" one.data two.data; }
rows_of >all.txt
dso=$(awk '{ print $NF ~ /^\[/ ? $0 : $(NF - 2) }' all.txt | sort | uniq -c | sort -rn | awk 'NR == 1 { print $2 }')
rows_of -d "$dso,none" | sort >some.txt
same "-d" <(grep " $dso  *\[.\] " all.txt | sort | sed 's/  */ /g') <(sed 's/  */ /g' some.txt)
symbol=$(awk '{ print $NF }' all.txt | grep -v '^0x' | head -n 1)
rows_of -S "none,$symbol" >some.txt
expect "-S: only that function" eval '[ -s some.txt ] && ! grep -vq " $symbol\$" some.txt'
expect "-C: a command that is not there has no rows" eval '! rows_of -C nobody | grep -q .'
expect "--pid: a process of one file has no rows in the other" eval \
	'"$PTUI" diff -q -o 0 -s comm,dso,symbol --pid "$pid" two.data one.data >some.txt; [ -s some.txt ] && ! grep -q "^ *[0-9.]*%" some.txt'
expect "-C: one that is has" eval 'rows_of -C nobody,work | grep -q .'
expect "--percentage relative: shares of what is left add up" eval \
	'rows_of -o 0 -d "$dso" --percentage relative | awk "/^ +[0-9.]+%/ { n += \$1 } END { rest = n % 100; exit !(n > 99 && (rest < 1 || rest > 99)) }"'

# What callchains change is as in report.
recorded chains -F 1000 -g -e cpu-clock:u "$work" spin 100
for options in "" "--hide-dsos work" "--hide-dsos !work" --collapse-recursion; do
	# shellcheck disable=SC2086
	"$PTUI" report --stdio -q --no-children -g none -F overhead,dso,sym $options -i chains.data |
		sed -E '/^$/d;s/ +/ /g;s/ $//' | sort >perf.txt
	# shellcheck disable=SC2086
	"$PTUI" diff -q -o 0 $options chains.data chains.data | sed -E 's/ \+0\.00%//;s/ +/ /g;s/ $//' | sort >ptui.txt
	same "${options:-without options}: the rows of report" perf.txt ptui.txt
	[ -n "$options" ] || cp ptui.txt whole.txt
	[ "$options" != "--hide-dsos work" ] || expect "--hide-dsos: other rows" eval '! cmp -s whole.txt ptui.txt'
done

# perf cuts the name of a command to the width of its title.
cp "$work" a_long_name
recorded long -F 2000 -e cpu-clock:u ./a_long_name spin 50
expect "names of commands are whole" eval '"$PTUI" diff -s comm one.data long.data | grep -q " a_long_name\$"'

# Mistakes.
refused() {
	local status=0
	"$PTUI" diff "$@" >ptui.txt 2>ptui.err || status=$?
	[ "$status" -eq "$want" ] && [ -s ptui.err ] && [ ! -s ptui.txt ] || { cat ptui.txt ptui.err; false; }
}
want=129
for words in "-c nonsense" "-c wdiff" "-c wdiff:1" "-c cycles one.data two.data" "--stream one.data two.data" "-o 2 one.data two.data" "-o x" "-s nonsense one.data two.data" "--pid x" "--time x" "--hide-dsos=" "--cpu 0 one.data two.data"; do
	# shellcheck disable=SC2086
	expect "$words: refused" refused $words
done
expect "-c nonsense: the option once" eval '! "$PTUI" diff -c nonsense 2>ptui.err; grep -q "^ptui: diff: -c: expected delta, .*, not .nonsense.$" ptui.err'
want=255
expect "a file that is not there" refused one.data none.data
expect "a file that is no recording" refused one.data "$0"
all_differ
finish
