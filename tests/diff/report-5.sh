# SPDX-License-Identifier: GPL-2.0-or-later
# ptui report --hierarchy, --ignore-callees and --skip-empty: rows, sums, order, text and widths as in perf report.
. "$top_srcdir/tests/lib/tap.sh"
. "$top_srcdir/tests/diff/lib.sh"
. "$top_srcdir/tests/diff/report_lib.sh"
need perf root tracefs

recorded user -F 2000 -g -e cpu-clock:u "$work"
recorded group -F 2000 -e '{cpu-clock:u,page-faults:u}' "$work"

each "a hierarchy" "$tmp/user.data" --hierarchy <<'END'

--no-children
-g caller
-G --no-children
-g none
-g none -n
-g none -n --show-total-period
-g none -t ,
-g none -t '|' -n
-g none -s dso,sym
-g none -s '{comm,dso},sym'
-g none -s 'comm,{dso,sym}' -n
-g none -s '{comm,dso,sym}'
-g none -s comm
-g none -s +cpu
-g none -s pid,cpu,dso
-g none -s time,'{comm,dso}'
-g none -s cpu,time,sym --ns
-g none -s parent,sym
-g none -p spin
-g none -w 10,5,8
-g none --percent-limit 3
-g none --percent-limit 8 -n -s comm,dso,sym,cpu
-g none --percent-limit 3 -t ,
--percent-limit 20
-C 0 -g none
--time 20%-70% -g none
-q -g none
END

each "a group" "$tmp/group.data" --hierarchy <<'END'

-n
-t ,
-s dso,comm
--percent-limit 2
--group-sort-idx 1
--no-group
END

each "callees" "$tmp/user.data" --no-children <<'END'
--ignore-callees spin
--ignore-callees '^recurse'
--ignore-callees 'spin|recurse' -g none
--ignore-callees spin -s dso -g none
--ignore-callees spin --hierarchy -g none
--ignore-callees 'no such function'
--ignore-callees main -n -t , -g none
END

recorded empty -F 500 -e cpu-clock:u,alignment-faults:u "$work"
each "an event without samples" "$tmp/empty.data" --stdio-color never <<'END'
--no-skip-empty
--skip-empty
--no-skip-empty -t ,
END
"$PTUI" report --stdio -i "$tmp/user.data" --ignore-callees '(' >"$tmp/out" 2>"$tmp/err"
expect "--ignore-callees (: refused" grep -q -e "--ignore-callees: '(' is no regular expression" "$tmp/err"

# perf adds samples that a filter hides to the rows above them, and ptui does not.
"$PTUI" report --stdio --no-group --hierarchy -t '|' -s dso,sym -S leaf -i "$tmp/group.data" >"$tmp/out" 2>"$tmp/err"
expect "-S: the rows above have the samples of that function only" awk -F'|' '
	/^ *[0-9]/ { share[NF ? ++n : n] = $1 + 0 }
	END { exit !(n == 2 && share[1] == share[2] && share[1] > 0 && share[1] < 100) }' \
	<(sed '/^# Samples:.*page-faults/,$d' "$tmp/out")
"$PTUI" report --stdio --hierarchy -F overhead,sym -i "$tmp/group.data" >"$tmp/out" 2>"$tmp/err"
expect "--fields: refused" grep -q -e '--hierarchy cannot be used together with --fields' "$tmp/err"
"$PTUI" report --tui --hierarchy -i "$tmp/group.data" >"$tmp/out" 2>"$tmp/err"
expect "--tui: refused" grep -q -e '--tui cannot be used together with' "$tmp/err"

all_differ
finish
