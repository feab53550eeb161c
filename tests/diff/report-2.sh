# SPDX-License-Identifier: GPL-2.0-or-later
# The sort keys and columns of ptui report: rows, order, text and widths as in perf report.
. "$top_srcdir/tests/lib/tap.sh"
. "$top_srcdir/tests/diff/lib.sh"
. "$top_srcdir/tests/diff/report_lib.sh"
need perf root tracefs

recorded user -F 2000 -e cpu-clock:u -g "$work"
recorded system -F 500 -a -g --kernel-callchains -- "$work" spin 200

each "keys" "$tmp/user.data" --no-children -g none <<'END'
-s time
-s time,sym
-s time,comm --ns
-s time,dso -n
-s time -t ,
--time-quantum 10ms -s time
--time-quantum 1ms -s time,sym
--time-quantum 1us -s time,sym --ns
--time-quantum 1s -s time,comm
-s cpu
-s socket
-s socket,dso
-s socket,dso -t ,
-s parent
-s parent,sym
-s comm,parent,dso
-s sym,parent -t '|'
-p spin
-p spin -s sym
-p spin -x
-p spin --no-exclude-other
-p 'leaf|spin' -x --percentage relative
-p recurse -F overhead,sym
-p recurse -x -F overhead,sample,sym
-p '^do_' -s dso
-F overhead,symbol_size
-F overhead,sym,symbol_size
-F overhead,symbol_size,sym -t ,
-F sample,symbol_size,dso
-F overhead,sample,period,pid,comm,dso,sym,parent,cpu,socket
-F period,comm,sym
-F overhead,comm -s comm,dso
-F sym,overhead
-s +cpu
-s +time
-F +sample
-F +period,sample
-s +cpu -F +sample
-s dso,sym,comm
-s sym,comm
-s pid,sym
-s OVERHEAD,comm
-s overhead,comm,sym -n
-F overhead,dso -s dso --show-total-period
-s addr
-s addr,sym -n
-s comm,addr
-s dso,addr --hierarchy
END

each "sizes" "$tmp/user.data" --no-children -g none <<'END'
-s dso_size
-s dso_size,dso,sym
END

# before rows of one weight are put in order
usual=("${report_meant[@]}") report_meant=(header_hint tip kernel_size "${report_meant[@]}")
each "size of the kernel" "$tmp/system.data" --no-children -g none <<'END'
-s dso_size,dso
-s dso_size,dso -t ,
END
report_meant=("${usual[@]}")

each "widths" "$tmp/user.data" --no-children -g none <<'END'
-w 10,5,8
-w 0,0,12 -s dso,sym
-w 6 -s sym,dso
-w 12,20,4,30
-w 10,3 -n
-w 9,4 -t ,
-w 1,1,1,1
-w 8,3 -s sym,dso
-w 8,4 -s sym,dso
-w 8,5,2 -s sym,dso
-w 8,3 -s sym,comm -v -d work
-w 8,24 -s sym,comm -v -d work
-w 8,25 -s sym,comm -v -d work
END
# no symbols: no build-id leads to a file
recorded nameless -F 2000 -B -N -e cpu-clock:u "$work"
mkdir "$tmp/empty"
each "widths of addresses" "$tmp/nameless.data" --no-children --symfs "$tmp/empty" -d work,libwork.so <<'END'
-w 8,3 -s sym,dso
-w 8,12 -s sym,dso
END

each "keys, with callchains" "$tmp/user.data" <<'END'
--no-children -p spin
--no-children -p recurse -g caller
--no-children -p leaf -x
--no-children -s parent
-g none -p spin
-g none -p spin -x
-s parent -g none
-g none -w 10,5,8
-s dso -p spin -g none
--no-children -s time -g callee
--no-children -s socket,comm -g caller
END

# of a CPU without samples perf prints nothing
cpu=$(perf script -i "$tmp/system.data" -F cpu 2>/dev/null </dev/null | grep -m1 -o '[0-9]*')
export cpu=$((10#$cpu))
each "CPUs" "$tmp/system.data" --no-children -g none <<'END'
-s cpu
-s cpu,dso
-s cpu,pid
-s socket
-s socket,cpu
-s time,cpu
-s time,cpu,pid
--socket-filter 0 -s socket,comm
--socket-filter 0 -s socket,dso --percentage relative
-C $cpu -s time,cpu --ns
-F overhead,sample,cpu,socket,time
END

all_differ
finish
