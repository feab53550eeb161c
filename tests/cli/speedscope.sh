# SPDX-License-Identifier: GPL-2.0-or-later
# speedscope reads the text of ptui script, and the same folded to a line per stack: its own importer finds
# the same stacks with the same sums, and so does its page in a browser, opened as its command line does.
# `make speedscope-package` gets it from the npm registry.
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

# --- the page itself, in Chromium without a window ---
for browser in chromium chromium-browser google-chrome ''; do
	command -v "$browser" >/dev/null && break
done
if [ -z "$browser" ]; then
	skip "the page of speedscope in a browser" "Chromium is not installed"
	finish
	exit
fi
# The texts of the page: its title, buttons, of each thread "N Name Weight", and of each function of the thread shown
# "Total Self Name".
cat >page.awk <<'EOF'
# half microseconds as the page shows them
function shown(halves, s) {
	s = halves / 2e6
	return s >= 1 ? sprintf("%.2fs", s) : s >= 1e-3 ? sprintf("%.2fms", s * 1e3) :
		s >= 1e-6 ? sprintf("%.2fµs", s * 1e6) : sprintf("%.2fns", s * 1e9)
}
function compare(what, got, halves, want, unit) {
	want = shown(halves)
	unit = want
	sub(/^[0-9.]+/, "", unit)
	# a last digit of 5 may be rounded up or down
	print what (got - want < 0.011 && want - got < 0.011 && got ~ "[0-9]" unit "$" ? ": right" :
		" " got " instead of " want)
}
# functions of one name in several files have a row each
FILENAME == "script" {
	if (/^\t/ && before !~ /^\t/) {
		file = name = $0
		sub(/.* /, "", file)
		sub(/^[ \t]+[0-9a-f]+ /, "", name)
		sub(/\+0x[0-9a-f]+ \([^ ]*\)$/, "", name)
		if (name in file_of && file_of[name] != file)
			several[name]
		file_of[name] = file
	}
	before = $0
	next
}
FILENAME == "weights" {
	weight = $NF
	sub(/ [0-9]+$/, "")
	n = split($0, part, ";")
	total[part[1]] += weight
	self[part[1], part[n]] += weight
	next
}
FNR == 1 { title = $0 }
/^\([0-9]+\/[0-9]+\)$/ { thread = before }
part_of == "threads" && k % 3 == 0 && !/^[0-9]+$/ { part_of = "" }
part_of == "threads" && k++ % 3 == 2 { compare("thread " before, $0, total[before]) }
part_of == "functions" && k % 3 == 0 && !/%\)$/ { part_of = "" }
part_of == "functions" && k++ % 3 == 2 && !($0 in several) { compare("function", time, self[thread, $0]) }
/^Total Weight$/ { part_of = "threads"; k = 0 }
/^Symbol Name$/ { part_of = "functions"; k = 0 }
{ before = $0; time = $1 }
END { print title, thread in total ? "shows a thread" : "shows none" }
EOF
# The page at a moment when its table may not be drawn yet.
page() {
	timeout 30 "$browser" --headless --no-sandbox --disable-gpu --user-data-dir="$PWD/browser" --virtual-time-budget=20000 \
		--run-all-compositor-stages-before-draw --dump-dom \
		"file://$package/dist/release/index.html#localProfilePath=$PWD/profile.js&view=sandwich" >page.html 2>browser.err
}
shows() {
	printf 'speedscope.loadFileFromBase64("script", "%s")\n' "$(base64 -w0 script)" >profile.js
	for _ in 1 2 3 4 5; do
		page || return
		grep -q '%)<' page.html && break
	done
	sed 's/<style[^>]*>.*<\/style>//; s/<[^>]*>/\n/g' page.html | sed 's/ *$//; /^$/d; s/&lt;/</g; s/&gt;/>/g; s/&amp;/\&/g' >page.txt
	awk -f page.awk script weights page.txt | sort | uniq -c >page
	cat page
	grep -q '^ *1 script - speedscope shows a thread$' page && ! grep -q ' instead of ' page &&
		[ "$(grep -c '^ *1 thread .*: right$' page)" = "$(cut -d';' -f1 weights | sort -u | wc -l)" ] &&
		awk '/ function: right$/ { n = $1 } END { exit n < 5 }' page
}
expect "the page shows the threads and functions with their times" shows
finish
