# SPDX-License-Identifier: GPL-2.0-or-later
# The filters of ptui report: rows, order, columns and counts as in perf report.
. "$top_srcdir/tests/lib/tap.sh"
. "$top_srcdir/tests/diff/lib.sh"
. "$top_srcdir/tests/diff/report_lib.sh"
need perf root tracefs

recorded user -F 2000 -e cpu-clock:u -g "$work"
recorded events -F 2000 -e cpu-clock,page-faults "$work"
# samples on both CPUs
recorded system -F 500 -a -g --kernel-callchains -- sh -c \
	'taskset -c 0 "$0" spin 200 & taskset -c 1 "$0" spin 200; wait' "$work"
recorded processes -F 2000 -s "$work"

printf 'work\nperf-exec\n' >"$tmp/comms"
printf 'leaf\n\nspin\n' >"$tmp/symbols"
export tmp

each "filters" "$tmp/user.data" --no-children -g none <<'END'
-c work
-c work,perf-exec
-c nobody,work
-c "file://$tmp/comms"
-d work
-d libwork.so
-d "$work"
-d work,libwork.so
-S leaf
-S leaf,spin,library_leaf
-S "file://$tmp/symbols"
-c work -d work
-d work -S leaf
-d work -S leaf -c work
-d work -S leaf,spin -c work,perf-exec
--symbol-filter leaf
--symbol-filter leaf -d work
--percentage relative
--percentage absolute -d work
--percentage relative -d work
--percentage relative -S leaf,spin
--percentage relative -c work -s comm,sym
--percent-limit 5 -d work
-c work -s comm
-c work -s comm,dso -n
-d work -s dso,sym
-S leaf -s sym
-S leaf -s sym -t ,
-c work -F overhead,comm,sym
-c work -F sample,comm,overhead -t '|'
-c work -q
END

each "filters of the kernel" "$tmp/processes.data" --no-children -g none <<'END'
-d '[kernel.kallsyms],work'
-U -S leaf,spin
-U -d '[kernel.kallsyms]'
END

each "filters, with callchains" "$tmp/user.data" --no-children <<'END'
-c work
-S leaf
-d work,libwork.so
-d libwork.so -g caller
END

each "filters, with children" "$tmp/user.data" --children -g none <<'END'
-c work
-c work,perf-exec --percentage relative
-c work --percent-limit 10
END

each "times" "$tmp/user.data" --no-children -g none <<'END'
--time 10%-20%
--time 10%/2
--time 20%/5
--time 0%-30%,50%-60%
--time '10%/1,10%/5'
--time 50%-100%
--time 25%
--time 40%-60% -d work
--time 40%-60% -d work --percentage relative
--time 10%-20% -s dso -n
END
time=$(perf script -i "$tmp/user.data" -F time --ns 2>/dev/null | sort | sed -n '60s/[ :]//gp')
later=$(perf script -i "$tmp/user.data" -F time --ns 2>/dev/null | sort | sed -n '120s/[ :]//gp')
export time later
each "times in seconds" "$tmp/user.data" --no-children -g none <<'END'
--time "$time,"
--time ",$time"
--time "$time,$later"
--time "${time%???},${later%???}"
--time ",$time $later,"
--time "$time,$later" -c work --percentage relative
END
each "times, with children" "$tmp/user.data" --children <<'END'
--time 30%-60% -g none
END

each "two events" "$tmp/events.data" <<'END'
-c work
-c work -s comm,dso
-d work -n
-U -S leaf,spin
--time 20%-70%
--percentage relative -d work
END

each "CPUs" "$tmp/system.data" --no-children -g none <<'END'
-C 0
-C 1
-C 0-1
-C 0,1 -s cpu,comm
-C 0 -s dso -n
-C 0 -d '[kernel.kallsyms]' --percentage relative
-C 0 -F overhead,sample,dso,sym -t '|'
-c work -s comm,cpu,sym
END

pid=$(perf script -i "$tmp/processes.data" -F pid 2>/dev/null | sort | uniq -c | sort -rn | awk 'NR == 1 { print $2 }')
tid=$(perf script -i "$tmp/processes.data" -F tid 2>/dev/null | sort | uniq -c | sort -rn | awk 'NR == 2 { print $2 }')
export pid tid
# With other keys rows have samples of several threads, and perf shows or hides each as its first sample is.
each "processes and threads" "$tmp/processes.data" <<'END'
--pid $pid -s pid
--pid $pid,$tid -s pid,sym
--tid $tid -s pid,dso
--tid $pid,$tid -s pid
--tid $tid -s pid,sym --percentage relative
--pid $pid --tid $pid -s pid
--pid $pid -s pid,sym -c work -n
--tid $tid -s pid -t ,
END

each "numbers" "$tmp/user.data" --no-children -g none <<'END'
--show-total-period
-n --show-total-period
--show-total-period -s dso
--show-total-period -d work --percentage relative
END

all_differ
finish
