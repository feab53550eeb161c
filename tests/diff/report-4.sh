# SPDX-License-Identifier: GPL-2.0-or-later
# Events side by side in ptui report: groups as recorded, --group, --no-group and --group-sort-idx, as in perf report.
. "$top_srcdir/tests/lib/tap.sh"
. "$top_srcdir/tests/diff/lib.sh"
. "$top_srcdir/tests/diff/report_lib.sh"
need perf root tracefs

recorded group -F 2000 -g -e '{cpu-clock:u,task-clock:u,page-faults:u}' "$work"
recorded named -F 1000 -e 'clocks{cpu-clock:u,page-faults:u},task-clock:u' "$work"
recorded apart -F 1000 -e cpu-clock:u,page-faults:u,sched:sched_wakeup "$work"

each "a group" "$tmp/group.data" <<'END'

--no-children
-g none
-g caller
--no-group -g none
--no-group --no-children
-n -g none
-n --show-total-period --no-children -g none
-t , -g none
-t '|' -n --no-children -g none
-F overhead,sample,sym --no-children -g none
-F sym,period
-s comm -g none
-s dso,sym -g none
-s cpu -g none --no-children
-s parent,sym -g none --no-children
-s time,comm -g none --no-children
-w 12,5,8 -g none
-w 0,0,0,30 -n -g none
--group-sort-idx 0 -g none --no-children
--group-sort-idx 1 -g none --no-children
--group-sort-idx 2 -g none --no-children
--group-sort-idx 2 -n -s sym --no-children
--group-sort-idx 7 -g none --no-children
--percent-limit 1 -g none
--percent-limit 20
-g graph,5 --percent-limit 20
--percent-limit 20 -g graph,5
--percentage relative -d work -g none --no-children
-c work -S leaf -g none --no-children
--time 10%-60% -g none --no-children
--socket-filter 0 -g none --no-children
END

each "a named group and another event" "$tmp/named.data" <<'END'

-n
--no-group
--group
-s dso
END

each "no group" "$tmp/apart.data" <<'END'

--group
--group -n
--group -t ,
--group -s comm
--group --group-sort-idx 2
--no-group
END

# perf leaves rows with callees in the order of the leader.
"$PTUI" report --stdio -g none -i "$tmp/group.data" --group-sort-idx 1 -t '|' >"$tmp/out" 2>"$tmp/err"
expect "--group-sort-idx: by the event's share with callees" awk -F'|' '/^#/ || NF < 5 { next }
	{ split($1, n, "%"); if (++rows > 1 && n[2] + 0 > last) bad = 1; last = n[2] + 0 }
	END { exit bad || rows < 4 }' "$tmp/out"

# What perf has no word for.
"$PTUI" report --stdio -g none -i "$tmp/group.data" --event page-faults:u >"$tmp/out" 2>"$tmp/err"
expect "--event: the event alone" grep -q "^# Samples: .* of event 'page-faults:u'" "$tmp/out"
"$PTUI" report --stdio -g none -i "$tmp/group.data" -c 'no such name' >"$tmp/out" 2>"$tmp/err"
expect "no rows: the columns are there" grep -q '^# *Children  *Self' "$tmp/out"
printf '[report]\n\tgroup = false\n' >"$tmp/perfconfig"
PERF_CONFIG=$tmp/perfconfig "$PTUI" report --stdio -g none -i "$tmp/group.data" >"$tmp/out" 2>"$tmp/err"
expect "report.group = false: one table for each event" test "$(grep -c '^# Samples: ' "$tmp/out")" = 3

# with the letter that says where symbols are from: the file itself, and perf's cache of build-ids
# From a while after exec on: inside it, perf has names for the user part of stacks that ptui does not take for true.
recorded cached -D 20 -F 2000 -g -e cpu-clock "$work"
recorded uncached -N -F 2000 -e cpu-clock "$work"
for recording in cached uncached; do
	each "-v, $recording" "$tmp/$recording.data" -v <<'END'

-n
--no-children -g none
-s sym
-s dso
-s dso,sym -g none
-s sym,dso,comm -g none
-t , -g none
-F sample,sym,dso
--hierarchy -g none
-d work -g none --no-children
-S leaf -g none --no-children
-g none --percent-limit 2 -w 10,10,40
END
	"$PTUI" report --stdio -v -i "$tmp/$recording.data" -s sym -g none >"$tmp/out" 2>/dev/null
	expect "-v, $recording: the kernel and a program" eval 'grep -q "0xffffffff[0-9a-f]* k \[k\]" "$tmp/out" && grep -q "0x[0-9a-f]* *[Bd] \[\.\] leaf" "$tmp/out"'
done
each "-v" "$tmp/cached.data" -v <<'END'
-g caller --no-children
--no-children -g flat
END

each "widths" "$tmp/uncached.data" -n <<'END'
-w 5
-w 5 -t ';'
-s comm,dso -w 3,3,3,3
-s comm,dso -w 5,9,4,12
-s comm,dso -w 20,20 --show-total-period
-s comm,dso -F sample,comm,overhead -w 3,20,4
-s comm,dso -F comm,overhead,period -w 3,3,30
-F sample -w 2
-s pid,cpu,comm -w 5,9,6,6,3
-s pid,cpu -w 5,9,8,9
-s pid,comm -w 5,9,12,3
-s cpu,socket,sym -w 5,9,9,5,8
END
report_meant+=(hidden_before_exec)
each "-U" "$tmp/cached.data" <<'END'
-U
-U --no-children
-U -g fractal,0.5 --no-children
-U -g none
END
unset 'report_meant[-1]'
each "-G and -g" "$tmp/cached.data" <<'END'
-G -g callee --no-children
-g callee -G --no-children
-g graph,3,callee,function,count -G --no-children -s comm,dso
END
each "events without samples in a part" "$tmp/apart.data" <<'END'
--time 0%-20% -s comm
--time 40%-60% -s comm,sym
--time 50%-80% -t ,
--time 80%-100% -n
END
"$PTUI" report --stdio -i "$tmp/apart.data" --time 0,1 >"$tmp/out" 2>"$tmp/err"
expect "no samples are left: a warning" eval 'grep -q "no samples are left by these filters" "$tmp/err" && ! grep -q "^# Samples" "$tmp/out"'
"$PTUI" report --json -i "$tmp/apart.data" --time 0,1 >"$tmp/out" 2>"$tmp/err"
expect "no samples are left: JSON" eval 'grep -q . "$tmp/out" && ! grep -q "overhead" "$tmp/out"'

all_differ
finish
