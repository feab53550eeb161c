# SPDX-License-Identifier: GPL-2.0-or-later
# speedscope reads the text of ptui script, and the same folded to a line per stack: its own importer finds
# the same stacks with the same sums. `make speedscope-package` gets it from the npm registry.
. "$top_srcdir/tests/lib/tap.sh"
package=$top_builddir/speedscope-package/package
command -v node >/dev/null || skip_all "node is not installed"
[ -d "$package" ] || skip_all "speedscope is not there: make speedscope-package, or make check-speedscope"
package=$(cd "$package" && pwd)
cd "$tmp" || exit 1

# Time between samples, in half microseconds, is what the importer gives a stack: half of it to the sample
# before, half to the one after. A thread with one sample gets one second.
cat >fold.awk <<'EOF'
/^[^ \t]/ {
	end_sample()
	match($0, / +[0-9]+ +[0-9]+\.[0-9]+: /)
	who = substr($0, 1, RSTART - 1)
	split(substr($0, RSTART), word, " ")
	who = who " tid: " word[1]
	split(word[2], part, /[.:]/)
	at = part[1] * 1000000 + part[2]
}
/^\t/ {
	dso = line = $0
	sub(/^[ \t]+[0-9a-f]+ /, "", line)
	sub(/.* \(/, "(", dso)
	sub(/ \([^ ]*\)$/, "", line)
	sub(/\+0x[0-9a-f]+$/, "", line)
	stack = ";" (line == "[unknown]" ? "??? " dso : line) stack
}
END {
	end_sample()
	for (who in last)
		weight[last[who]] += count[who] > 1 ? last_at[who] - before[who] : 2000000
	for (stack in samples)
		print stack, samples[stack] >"folded"
	for (stack in weight)
		if (weight[stack])
			printf "%s %d\n", stack, weight[stack] >"weights"
	for (stack in samples)
		sum += samples[stack]
	print sum >"sum"
}
function end_sample() {
	if (who == "")
		return
	samples[who stack]++
	if (count[who]++) {
		weight[last[who]] += at - (count[who] > 2 ? before[who] : last_at[who])
		before[who] = last_at[who]
	}
	last[who] = who stack
	last_at[who] = at
	who = stack = ""
}
EOF

# reads LABEL FILE WANTED UNITS
reads() {
	node "$top_srcdir/tests/cli/speedscope.js" "$package" "$2" "$4" 2>err | LC_ALL=C sort >got
	LC_ALL=C sort "$3" >want
	expect "$1: it has stacks" test -s want
	same "$1: the same stacks with the same sums" want got
	expect "$1: no complaint" test ! -s err
}

"$PTUI" record -q -e page-faults:u -c 1 -g -o data sh -c 'ls / >list; sort list >sorted; exec true'
"$PTUI" script -i data >script 2>err
expect "several threads are recorded" test "$(grep -c '^[^[:space:]]' script)" -gt 50
awk -f fold.awk script
expect "samples: as many as in the report" grep -qE "^# Samples: $(cat sum) +of event" <("$PTUI" report --stdio -i data)
reads "ptui script" script weights 2000000
reads "folded" folded folded 1
finish
