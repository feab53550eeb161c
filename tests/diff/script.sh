# SPDX-License-Identifier: GPL-2.0-or-later
# ptui script prints what perf script prints: every option and field, on recordings of perf.
. "$top_srcdir/tests/lib/tap.sh"
. "$top_srcdir/tests/diff/lib.sh"
. "$top_srcdir/tests/diff/script_lib.sh"
need perf root tracefs

recorded chains -F 2000 -g "$work"
scripts chains
for options in --ns -G --reltime --deltatime '-F comm,tid,pid,time,event,ip,sym' '-F +pid,+misc,-period' \
	'-F ip,sym,symoff,dso' '-F comm' '-F +flags' '-F hw:time,ip -F sw:time,ip,sym' '--max-stack 2' \
	'--comms work' '--dsos work' '--dsos [kernel.kallsyms]' '--time 10%-20%' '--time 30%/2' '--show-mmap-events' \
	'--show-task-events --show-mmap-events' '-f -G' '--show-kernel-path' '-F -sym,-symoff,-dso' \
	'-F time --ns'; do
	# shellcheck disable=SC2086
	scripts chains $options
done
perf script -i "$tmp/chains.data" -F time,ip,sym >"$tmp/perf.txt" 2>/dev/null
"$PTUI" script -i "$tmp/chains.data" -f time,ip,sym >"$tmp/ptui.txt"
alike "-f LIST is -F LIST" "$tmp/perf.txt" "$tmp/ptui.txt" "${script_meant[@]}"
pid=$("$PTUI" script -i "$tmp/chains.data" -F pid,sym | awk '{ print $1; exit }')
scripts chains --pid "$pid"
scripts chains --tid "$pid"
symbol=$("$PTUI" script -i "$tmp/chains.data" -G -F ip,sym | awk '{ print $2; exit }')
scripts chains -S "$symbol"
first=$("$PTUI" script -i "$tmp/chains.data" -G -F time | sed -n '5s/[ :]//gp')
last=$("$PTUI" script -i "$tmp/chains.data" -G -F time | sed -n '15s/[ :]//gp')
scripts chains --time "$first,$last"
scripts chains --time "$first,"
scripts chains --time ",$first $last,"

recorded two -a -F 500 -e cpu-clock,page-faults "$work"
scripts two
for options in '-C 0' '-C 1,0-0' '-F comm,cpu,event'; do
	# shellcheck disable=SC2086
	scripts two $options
done

recorded trace -a -e 'sched:*' -e 'kmem:kmalloc,raw_syscalls:*' "$work"
scripts trace
for options in '-F time,event,trace' '-F trace:time,event,trace' '-F -trace' '-F +pid' '-C 0 --ns'; do
	# shellcheck disable=SC2086
	scripts trace $options
done

# one sample only: all of it is at each part of its time
recorded one -e sched:sched_process_exec true
scripts one --time 10%-20%

recorded fields -F 1000 -d -W --phys-data --data-page-size --code-page-size "$work"
scripts fields
scripts fields -F +addr,+weight,+phys_addr,+data_page_size,+code_page_size

recorded registers -F 1000 -I --user-regs=ip,sp "$work"
scripts registers
scripts registers -F +iregs,+uregs

recorded other -F 1000 --namespaces --switch-events "$work"
scripts other
for show in namespace switch task lost mmap; do
	scripts other "--show-$show-events"
done

recorded groups -F 1000 --all-cgroups "$work"
scripts groups --show-cgroup-events

recorded clock -F 1000 -k mono "$work"
scripts clock -F +tod
scripts clock -F +tod --ns

"$top_builddir/tests/diff/fields" "$tmp/made.data"
scripts made
scripts made -F +misc,+pid
for fields in ip,brstack ip,dso,brstack ip,sym,brstacksym; do
	scripts made -F "$fields"
done

expect "perf's scripts are refused" sh -c '! "$0" script -i "$1" foo.py 2>"$2" && grep -q Python "$2"' \
	"$PTUI" "$tmp/chains.data" "$tmp/err"
expect "a field that was not recorded is an error" \
	sh -c '! "$0" script -i "$1" -F addr 2>"$2" && grep -q "no field .addr" "$2"' \
	"$PTUI" "$tmp/chains.data" "$tmp/err"
expect "CPUs that were not recorded are an error" \
	sh -c '! "$0" script -i "$1" -C 0 >"$2" 2>&1 && grep -q "no CPU numbers" "$2"' "$PTUI" "$tmp/chains.data" "$tmp/err"
expect "an unknown field is an error with the nearest one" \
	sh -c '! "$0" script -i "$1" -F perriod 2>"$2" && grep -q "did you mean .period" "$2"' \
	"$PTUI" "$tmp/chains.data" "$tmp/err"

finish
