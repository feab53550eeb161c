# SPDX-License-Identifier: GPL-2.0-or-later
# ptui probe: probes are added, listed as perf lists them, recorded with their arguments, and deleted.
. "$top_srcdir/tests/lib/tap.sh"
export LC_ALL=C HOME=$tmp PERF_CONFIG=/dev/null
unset PTUI_PAGER PAGER PTUI_DEBUG DEBUGINFOD_URLS
cd "$tmp" || exit 1

same_but_spaces() { grep -q ' a31 *$' wide.0 && cmp <(tr -s ' .' <wide.0) <(tr -s ' .' <wide.9,9) && [ "$(wc -L <wide.9,9)" -lt 5000 ]; }
probe() { rc=0; "$PTUI" probe "$@" >out 2>err </dev/null || rc=$?; }
said() { grep -qE -- "$1" err || { cat out err; return 1; }; }
# The hint is there (literally), and what it advises works: hint WORDS COMMAND...
hint() {
	local words=$1
	shift
	expect "hint: $words" grep -qF -- "$words" err
	expect "... helps" "$@"
}
printed() { grep -qE -- "$1" out || { cat out err; return 1; }; }

# ---- without the kernel ----

probe
expect "nothing to do: status 129, with the usage" [ "$rc" -eq 129 ]
probe -l -d x
expect "two requests exclude each other" [ "$rc" -eq 129 ]
probe --cache --add x
expect "--cache is refused with the reason" said 'there is no probe cache'
probe -x /no/such/file -D main
expect "a file that is not there: one line and status 255" [ "$rc" -eq 255 -a "$(wc -l <err)" -eq 1 ]
expect "... that names it" said "cannot find '/no/such/file': No such file"
probe -x /etc/passwd -D main
expect "a file that is no program" said '/etc/passwd'
probe -x "$PTUI" -D 'work:'
expect "a wrong definition, with the syntax" said "FUNC\[@SRC\]"
probe -x "$PTUI" -F --filter 'a &'
expect "a wrong filter" said "invalid filter 'a &'"
probe -x "$PTUI" --range -l
expect "--range is for --vars" said 'only be used with --vars'

if ! ${CC:-cc} -w -g -O0 -o work "$top_srcdir/tests/diff/probe_work.c" 2>err; then
	skip "probes of a program" "no C compiler: $(head -n 1 err)"
	finish
fi
strip -o stripped work
cp work whole && strip whole -o stripped && objcopy --strip-debug whole symbols
probe -x symbols -D 'sum_nodes list'
expect "no debug information: said, with what helps" said 'has no debug information'
hint 'functions, offsets and registers work without' "$PTUI" probe -x symbols -D 'sum_nodes+4 %di'
for option in -D -a -F; do
	probe -x stripped "$option" main
	expect "a stripped program: $option: said" said "stripped' has neither symbols nor debug information"
	expect "... status 255" [ "$rc" -eq 255 ]
done
hint 'or probe an address' "$PTUI" probe -x stripped -D 0x1139
# Debug information in .dwo files: the same definitions.
for version in 4 5; do
	${CC:-cc} -w -g -gdwarf-$version -O0 -o split "$top_srcdir/tests/diff/probe_work.c" 2>err &&
		cp split one && ${CC:-cc} -w -g -gdwarf-$version -gsplit-dwarf -O0 -o split "$top_srcdir/tests/diff/probe_work.c" 2>err &&
		ls ./*.dwo >names 2>&1 || {
		skip "split debug information" "the compiler makes none: $(head -n 1 err)"
		break
	}
	for definition in 'sum_nodes list->at.x title:string' sum_nodes:9 'probe_work.c:68' 'move p by factor' 'main argc'; do
		probe -x one -D "$definition"
		sed "s/probe_one/probe_split/; s|$tmp/one|$tmp/split|" out >want
		probe -x split -D "$definition"
		expect "DWARF $version in .dwo files: $definition" [ -s want ]
		same "... as in one file" want out
	done
	for view in '-L sum_nodes' '-V sum_nodes' '-L probe_work.c:60-80'; do
		# shellcheck disable=SC2086
		probe -x one $view && cp out want && probe -x split $view
		expect "DWARF $version in .dwo files: $view" [ -s want ]
		same "... as in one file" want out
	done
	rm -f ./*.dwo
	probe -x split -D 'sum_nodes limit'
	expect "a .dwo file that is not there is named" said 'debug information is in other files, which are not here: .*\.dwo'
done
probe -x work -D '%no:marker'
hint 'lists the markers' "$PTUI" list --help
probe -D sdt_shop:sell
hint 'adds a file with its markers' "$PTUI" buildid-cache --add "$top_builddir/tests/unit/dso/test_sdt"
probe -D sdt_shop:sell
expect "a marker by name" printed '^p:sdt_shop/sell .*/test_sdt:0x[0-9a-f]+ '
probe -x work -L nosuch
hint '-F lists the functions' "$PTUI" probe -x work -F
probe -x work -D nosuch
hint '-L the lines that can be probed' "$PTUI" probe -x work -L sum_nodes
probe -x work -D 'sum_nodes nosuch'
hint '-V lists the variables of the place' "$PTUI" probe -x work -V sum_nodes
probe -x work -F 'a ||'
hint 'several are joined by & and |' "$PTUI" probe -x work -F 'a* & !b | c'
probe --cache -D '%a:b'
hint 'for a marker name the file with -x' "$PTUI" probe -x "$top_builddir/tests/unit/dso/test_sdt" -D '%shop:sell'
probe -x work -D '0x1200 argc'
hint 'name the function and an offset, or registers' "$PTUI" probe -x work -D 'main+4 %di'
probe -x work -D 'sum_nodes:1x'
hint "[ARG...]' or 'SRC:LINE [ARG...]'" "$PTUI" probe -x work -D 'probe_work.c:66 sum'
probe -x work -L 'main:x'
hint "or 'SRC[:LINE[+COUNT|-LINE]]'" "$PTUI" probe -x work -L 'probe_work.c:60+5'
${CC:-cc} -w -g -O2 -o fast "$top_srcdir/tests/diff/probe_work.c"
probe -x fast -D 'sum_nodes:2'
hint 'instead' "$PTUI" probe -x fast -D "$(sed -n 's/.*probe at \(.*\) instead/\1/p' err)"
probe -x fast -D 'square twice'
hint 'probe at another line, where -V lists it' "$PTUI" probe -x fast -V square
cat >real.c <<'END'
__attribute__((noinline)) double half(double x) { return x / 2; }
int main(int argc, char **argv) { return (int)half(argc); }
END
${CC:-cc} -w -g -O2 -o real real.c
if [ "$(uname -m)" = x86_64 ]; then
	probe -x real -D 'half x'
	expect "a variable in a register for floating point" said "'x' is in a register that probes cannot read"
fi
probe "$tmp/work" 'main' -n -D 'sum_nodes'
expect "a path before the definition" [ "$rc" -eq 129 ]
probe -D 'sum_nodes limit' -x work
expect "-x after the definition" printed "^p:probe_work/sum_nodes $tmp/work:0x[0-9a-f]+ limit="
probe -x work -D main -D square
expect "two definitions" [ "$(wc -l <out)" -ge 3 ]
probe -x work --no-inlines -D square
expect "--no-inlines of an inlined function" said 'no probe point'
probe -x work --max-probes 2 -D 'sum_nodes;*'
expect "--max-probes" said 'more than 2 addresses'
hint 'allow more with --max-probes' "$PTUI" probe -x work --max-probes 100 -D 'sum_nodes;*'
probe -x work -D 'sum_nodes;limit'
expect "a pattern that no line matches" said "no probe point 'sum_nodes;limit'"
hint 'the pattern has to match a whole line, such as' "$PTUI" probe -x work -D 'sum_nodes;*limit*'
mkdir -p root/usr
cp work root/usr/prog
probe --symfs root -x /usr/prog -D 'sum_nodes limit'
expect "--symfs: the path in the definition is that of the other root" printed "^p:probe_prog/sum_nodes /usr/prog:0x"
cp "$top_srcdir/tests/diff/probe_work.c" gone.c && ${CC:-cc} -w -g -O0 -o gone gone.c && mkdir moved && mv gone.c moved
probe -x gone -L sum_nodes
hint 'name the folder of the sources with --source' "$PTUI" probe -x gone --source moved -L sum_nodes
mkdir src && sed 's/limit--/--limit/' "$top_srcdir/tests/diff/probe_work.c" >src/probe_work.c
probe -x work --source src -L sum_nodes
expect "--source" printed '[0-9]  .*--limit;'
probe -x work -F 'sum* | many'
expect "-F with a filter" [ "$(tr '\n' ' ' <out)" = 'many sum_nodes ' ]
probe -k work -D sum_nodes --bootconfig
expect "--bootconfig" printed "^ftrace.event.kprobes.sum_nodes.probe = 'sum_nodes\+0'$"
probe -x work --bootconfig -D main
expect "--bootconfig has no uprobes" said 'cannot have probes in programs'
probe --target-ns $$ -x "$tmp/work" -D main
expect "--target-ns" printed "^p:probe_work/main /proc/$$/root$tmp/work:0x"
probe -m nosuchmodule -D main
expect "a module that is not there" said "kernel module 'nosuchmodule' was not found"
hint 'name the file: -m /lib/modules/' "$PTUI" probe -m "$tmp/work" -D sum_nodes

"$top_builddir/tests/lib/need" root tracefs >why 2>&1 || { skip "probes in the kernel" "$(cat why)" root; finish; }
tracing=/sys/kernel/tracing
[ -d $tracing/events ] || tracing=/sys/kernel/debug/tracing
[ -w $tracing/uprobe_events ] || { skip "probes in the kernel" "this kernel has no uprobes" tracefs; finish; }

# ---- with it: machine-wide, so under a group of this test's own, removed at every end ----

one_at_a_time
group=ptui_t$$
clean() {
	read -r ended <ended 2>/dev/null
	sed -n "s/^[pr][0-9]*:\(\($group\|${ended:-$group}\)[a-z]*\/[^ ]*\) .*/-:\1/p" $tracing/uprobe_events 2>/dev/null | sort -u |
		while read -r line; do echo "$line" >>$tracing/uprobe_events; done
}
trap 'clean; leave' EXIT
mine() { grep -c "^[pr]:$group/" $tracing/uprobe_events; }

cp $tracing/uprobe_events before
probe -x work -n "$group:dry=sum_nodes"
expect "--dry-run says what it would do" said "^  $group:dry "
expect "... and does nothing" [ "$(mine)" -eq 0 ]
probe -nv -x work "$group:dry=sum_nodes limit"
expect "-v: the file with the debug information" said "work: using debug information from $tmp/work"
expect "-nv: the line that would be written" said "would write to .*/uprobe_events: p:$group/dry $tmp/work:0x[0-9a-f]* limit="
probe -x work -a "$group:sum=sum_nodes limit list->name:string wide=list->wide" 
expect "a probe is added" [ "$rc" -eq 0 -a "$(mine)" -eq 1 ]
printf 'Added new event:\n  %-20s (on sum_nodes in %s with limit name=list->name:string wide=list->wide)\n\n' "$group:sum" "$tmp/work" >want
printf 'You can now use it in all perf tools, such as:\n\n\tptui record -e %s -aR sleep 1\n\n' "$group:sum" >>want
grep -v 'without optimization\|^    ' err >got
same "... and described as perf does" want got
probe -x work -a "$group:sum=main"
expect "a name that exists is refused" said "the event 'sum' already exists"
hint "delete it with 'ptui probe -d" "$PTUI" probe -n -f -x work -a "$group:sum=main"
probe -q -f -x work -a "$group:sum=main"
expect "--force numbers it" grep -q "^p:$group/sum_1 " $tracing/uprobe_events
expect "--quiet" [ ! -s err ]
probe -x work "$group:line=sum_nodes:9" sum weight
expect "words are one definition, a line has several addresses of one event" \
	[ "$(grep -c "^p:$group/line " $tracing/uprobe_events)" -ge 1 ]
probe -q -x work "$group:back=sum_nodes%return" '$retval' -a "$group:glob=main counter exported words[1]:string" \
	-a "$group:bits=sum_nodes list->flag list->count"
expect "several at once" [ "$rc" -eq 0 ]
"$PTUI" record -q -o data -e "$group:sum,$group:back__return,$group:glob,$group:bits" ./work >answer 2>err ||
	{ not_ok "they are recorded"; cat err | sed 's/^/# /'; }
"$PTUI" script -i data -F event,trace >lines 2>err
expect "they are recorded" [ "$(wc -l <lines)" -eq 10 ]
expect "arguments: a string, members, a parameter" grep -q "$group:sum: .* limit=0x3 name=\"first\" wide=1" lines
expect "... a return value" grep -qE "$group:back__return: .* arg1=0x[0-9a-f]+" lines
expect "... variables in static memory" grep -q "$group:glob: .* counter=3 exported=7" lines
expect "... a bit field" grep -q "$group:bits: .* flag=5 count=77" lines
probe -l "$group:*"
expect "-l has all of them" [ "$(cut -d'(' -f1 <out | sort -u | wc -l)" -eq 6 ]
expect "... with the source line" printed "$group:sum_1 +\(on main@.*probe_work.c in $tmp/work\)"
if command -v perf >/dev/null; then
	perf probe -l "$group:*" 2>/dev/null | sort >want
	sort -o got out
	same "... as perf lists them" want got
fi
probe -d "$group:nosuch"
expect "a name that matches nothing: status 255" [ "$rc" -eq 255 ]
expect "... said" said "no probe matches '$group:nosuch'"
hint 'lists the probes' "$PTUI" probe -l
probe -d "$group:sum*"
expect "-d by a glob" [ "$(grep -c "^p:$group/sum" $tracing/uprobe_events)" -eq 0 ]
expect "... says which" said "^Removed event: $group:sum_1$"
expect "... and leaves the others" grep -q "^r:$group/back__return " $tracing/uprobe_events
exec 5<$tracing/events/$group/back__return/format
echo 1 >$tracing/events/$group/back__return/enable
probe -d "$group:back__return"
expect "one that is in use stays, and the reason is said" said 'a recording or trace uses it: end that first'
exec 5<&-
{ sleep 0.1; echo 0 >$tracing/events/$group/back__return/enable; } &
probe -d "$group:back__return"
expect "one that is in use for a moment is deleted" said "^Removed event: $group:back__return$"
wait
probe -x work -a "$group:bad=main +0(+0(%nosuch)):u32"
expect "what the kernel refuses" said 'cannot write .p:'
expect "... with its own word" said 'the kernel says: '
expect "... leaves nothing" [ "$(grep -c "^p:$group/bad" $tracing/uprobe_events)" -eq 0 ]
probe -a "$group:kernel=do_sys_openat2"
if [ -e $tracing/kprobe_events ]; then
	probe -q -d "$group:kernel"
else
	expect "a kernel without kprobes says so" said 'CONFIG_KPROBE_EVENTS'
fi
if setpriv --reuid 65534 --clear-groups true 2>/dev/null; then
	chmod 755 "$tmp"
	setpriv --reuid 65534 --clear-groups "$PTUI" probe -x "$tmp/work" -a main >out 2>err && not_ok "a user may not"
	hint 'probes need root: run it with sudo' "$PTUI" probe -n -x work -a main
fi

# ---- more columns than -w has widths for ----

fields=overhead,overhead_sys,overhead_us,overhead_guest_sys,overhead_guest_us,overhead_children,sample,period,comm,comm_nodigit,dso,symbol,symoff
fields=$fields,pid,cpu,socket,time,parent,symbol_size,srcline,srcfile,dso_size,type,typeoff,typecln,weight,local_weight,ins_lat,local_ins_lat
fields=$fields,p_stage_cyc,local_p_stage_cyc,retire_lat,local_retire_lat,code_page_size,cgroup,cgroup_id,transaction,addr,trace_fields
probe -x work -a "$group:many=main$(printf ' a%s=%%di' {1..31})"
"$PTUI" record -q -g -W -d --code-page-size --transaction --all-cgroups -e "$group:many" -o many.data ./work >out 2>err
for widths in 0 9,9; do "$PTUI" report --stdio -i many.data -g none -F $fields -w $widths >"wide.$widths" 2>err; done
expect "69 columns, -w: those without a width have their own" same_but_spaces

# ---- probes that a killed ptui left: their group names a process that has ended ----
#
# In a pid namespace of its own, of which other tests that run now cannot know anything.

cat >left.sh <<'END'
sh -c 'exit 0' &
ended=ptui_$!_1_$(readlink /proc/self/ns/pid | tr -dc 0-9)
wait $!
echo "$ended" >ended
"$PTUI" probe -l >none.out 2>none.err
echo "p:$ended/one $1" >>$2
echo "p:$ended/two $1" >>$2
"$PTUI" probe -l >left.out 2>left.err
"$PTUI" doctor >doctor.out 2>doctor.err
(ptui() { "$PTUI" "$@"; }; eval "$(sed -n 's/.*as root: \(ptui probe .*\)/\1/p' doctor.out)") 2>/dev/null
"$PTUI" doctor >after.out 2>after.err
END
place=$(sed -n "s|^p:$group/line \([^ ]*\).*|\1|p" $tracing/uprobe_events | head -n 1)
if unshare --pid --fork --mount-proc sh left.sh "$place" $tracing/uprobe_events 2>err; then
	read -r ended <ended
	expect "-l says nothing of leftovers without any" [ ! -s none.err ]
	expect "-l names leftovers" grep -q "^2 probes were left by a ptui that has ended: $ended:one, $ended:two; to remove them: ptui probe -d '$ended:\*'$" left.err
	expect "doctor names them" grep -q "2 probes were left by a ptui that has ended: $ended:one" doctor.out
	expect "... with the command" grep -qF "as root: ptui probe -d '$ended:*'" doctor.out
	expect "... that removes them" [ "$(grep -c "^p:$ended/" $tracing/uprobe_events)" -eq 0 ]
	expect "... and no others" grep -q "^p:$group/line " $tracing/uprobe_events
	expect "... after which doctor says nothing of them" [ "$(grep -c 'left by a ptui' after.out)" -eq 0 ]
else
	skip "probes that a killed ptui left" "no pid namespace can be created"
fi
probe -q -d "$group:*"
expect "all of this test's are gone, the others are there" cmp before $tracing/uprobe_events
finish
