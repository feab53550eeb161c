# SPDX-License-Identifier: GPL-2.0-or-later
# ptui script -D, its rarer fields and records, and what folds of its text add up to, as of perf script.
. "$top_srcdir/tests/lib/tap.sh"
. "$top_srcdir/tests/diff/lib.sh"
. "$top_srcdir/tests/diff/script_lib.sh"
need perf root tracefs

# --- records as bytes ---
i=0
for options in '-F 1000' '-F 500 -g -a' '-F 500 --call-graph dwarf,1024' '-F 1000 -I -d -W --phys-data --code-page-size' \
	'-e {cpu-clock,page-faults}:S -F 1000' '-F 500 --namespaces --switch-events --all-cgroups' '-z -F 1000' '-F 500 -i --per-thread'; do
	label=raw$((i += 1))
	# shellcheck disable=SC2086
	recorded "$label" $options "$work" spin 100
	scripts "$label" -D --no-inline
	# the lines of threads and DSOs are those of all samples but for times and CPUs
	[ "$i" -ne 1 ] || for filter in '--dsos nowhere' '--comms nobody' '--pid 1' '--time 10%-40%'; do
		# shellcheck disable=SC2086
		scripts "$label" -D --no-inline $filter
	done
	rm -f "$tmp/$label.data"
done
recorded counts -F 500 -s -n "$work"
scripts counts -D --no-inline
expect "counts of threads are records" grep -q 'PERF_RECORD_READ: [0-9]* [0-9]* ' "$tmp/perf.txt"
# perf report -D: the same records without the lines of samples, and their numbers
perf report -D -i "$tmp/counts.data" 2>/dev/null | sed '1,2{/^#/d}' >"$tmp/perf.txt"
"$PTUI" report -D -i "$tmp/counts.data" >"$tmp/ptui.txt"
same "report -D" "$tmp/perf.txt" "$tmp/ptui.txt"
piped pipe -F 1000 -g "$work" spin 50
scripts pipe -D

# --- rounds ---
# another recording may have marred the maps (HACKING.md, attr.build_id): then perf finds no name
# in the order of the file, in which perf has the maps and names of a process that moves from CPU to CPU too late
cpu=$(taskset -cp $$ | sed 's/.*: \([0-9]*\).*/\1/')
for _ in 1 2 3; do
	(taskset -cp "$cpu" "$BASHPID" >"$tmp/taskset.out" && recorded rounds -m 4 -F 4000 -g "$work" spin 200)
	perf script -F ip,sym -i "$tmp/rounds.data" 2>/dev/null | grep -qw leaf && break
done
scripts rounds --show-round-events

# --- fields ---
"$top_builddir/tests/diff/fields" "$tmp/made.data"
scripts made -F ip,brstackoff
scripts made --show-text-poke-events
script_meant+=(third_latency)
scripts made -D
unset 'script_meant[-1]'
# instructions: of programs, libraries and the vdso; not of the kernel, and not of what is not mapped
scripts made -F ip,insnlen,insn,phys_addr
recorded code -F 2000 -g "$work" spin 100
for options in '-F ip,insnlen,insn' '-G -F +insn' '-F comm,insnlen'; do
	# shellcheck disable=SC2086
	scripts code --no-inline $options
done
expect "there are instructions" grep -q 'ilen: [2-9]' "$tmp/ptui.txt"
piped code-pipe -F 2000 "$work" spin 50
scripts code-pipe -F +insn,+insnlen
# guests in the recording of their host, whose processes have the same ids
"$top_builddir/tests/diff/guests" "$tmp/guests.data"
usual=("${script_meant[@]}") script_meant=(guest_dso)
for options in '' '-F +machine_pid,+vcpu,+addr' '-F machine_pid,ip --show-task-events --show-mmap-events' '-F vcpu,comm,pid,tid' \
	'--comms guest' -D; do
	# shellcheck disable=SC2086
	scripts guests $options
done
script_meant=("${usual[@]}")
threads_of() { "$@" report --stdio -i "$tmp/guests.data" -s comm,pid -F sample,comm,pid 2>/dev/null | sed -n '/^ /s/ *$//p' | sort; }
threads_of perf >"$tmp/perf.txt"
threads_of "$PTUI" >"$tmp/ptui.txt"
expect "there are threads of guests" grep -q 'guest *11:guest' "$tmp/perf.txt"
same "guests: the threads of a report" "$tmp/perf.txt" "$tmp/ptui.txt"
# simpleperf's own records, which perf does not know; their order is that of the file
"$top_builddir/tests/diff/fields" "$tmp/simpleperf.data" simpleperf
"$PTUI" script -D -i "$tmp/simpleperf.data" | sed -n '/PERF_RECORD_SIMPLEPERF/,/^$/p' | sed 's/^.*\]: PERF_/PERF_/' >"$tmp/simpleperf.txt"
expect "records of simpleperf" diff "$tmp/simpleperf.txt" - <<'END'
PERF_RECORD_SIMPLEPERF_CALLCHAIN
... pid:        10
... tid:        11
... chain_type: JOINED_OFFLINE
... time:       12345
... ip_nr:      2
..... ip 0x400000, sp 0x7ff0
..... ip 0x400010, sp 0x8000

PERF_RECORD_SIMPLEPERF_CALLCHAIN
... pid:        10
... tid:        11
... chain_type: UNKNOWN
... time:       12346
... ip_nr:      1000

PERF_RECORD_SIMPLEPERF_UNWINDING_RESULT
... time         12345
... used_time    777
... error_code   3
... error_addr   0x400000
... stack_start  0x7000
... stack_end    0x9000

PERF_RECORD_SIMPLEPERF_DEBUG
... time: 12347
... \nA thing

END
# records of types that came later; perf 6.1 refuses such a file
"$top_builddir/tests/diff/fields" "$tmp/unknown.data" unknown
"$PTUI" script -i "$tmp/unknown.data" >"$tmp/unknown.txt" 2>"$tmp/unknown.err" || note "status $?"
"$PTUI" script -i "$tmp/made.data" >"$tmp/made.txt"
same "records of unknown types: the samples" "$tmp/made.txt" "$tmp/unknown.txt"
expect "records of unknown types: a warning" diff "$tmp/unknown.err" - <<END
ptui: script: $tmp/unknown.data: 12 records of types that this version of ptui does not know were skipped (1 of type 60, 2 of type 90, 1 of type 100, 1 of type 150, 1 of type 200, 1 of type 40000, 1 of type 65536, 1 of type 65537, 3 of other types)
END
"$PTUI" report --stats -i "$tmp/unknown.data" 2>/dev/null | grep UNKNOWN >"$tmp/unknown.txt"
expect "records of unknown types: --stats" diff "$tmp/unknown.txt" - <<END
      UNKNOWN_60 events:          1  ( 1.1%)
      UNKNOWN_90 events:          2  ( 2.1%)
     UNKNOWN_100 events:          1  ( 1.1%)
     UNKNOWN_150 events:          1  ( 1.1%)
     UNKNOWN_200 events:          1  ( 1.1%)
   UNKNOWN_40000 events:          1  ( 1.1%)
   UNKNOWN_65536 events:          1  ( 1.1%)
   UNKNOWN_65537 events:          1  ( 1.1%)
         UNKNOWN events:          3  ( 3.2%)
END
expect "records of unknown types: their bytes" [ "$("$PTUI" script -D -i "$tmp/unknown.data" 2>/dev/null |
	grep -c '^[0-9 ]*0x.*PERF_RECORD_UNKNOWN')" = 12 ]
recorded chains -F 2000 -g "$work" spin 200
script_meant+=(line_of_symbol_file)
scripts chains -F ip,sym,dso,srcline
cat >"$tmp/lines.c" <<'END'
static volatile int sum;
static inline __attribute__((always_inline)) void add(int i)
{
	for (int k = 0; k < 100; k++)
		sum += i * k;
}
int main(void)
{
	for (int i = 0; i < 1000000; i++)
		add(i);
	return 0;
}
END
if ${CC:-cc} -g -O1 -o "$tmp/lines" "$tmp/lines.c" 2>/dev/null; then
	recorded lines -F 2000 -e cpu-clock:u "$tmp/lines"
	scripts lines -F ip,sym,srcline --dsos lines
	scripts lines -F ip,sym,srcline --full-source-path --dsos lines
	expect "lines of the file are known" grep -q '^  .*/lines\.c:5$' "$tmp/ptui.txt"
else
	skip "source lines" "no compiler"
fi
unset 'script_meant[-1]'

# --- maps that replace one another; lines in which ptui knows a function of the PLT are not compared ---
without_plt() { awk 'NR == FNR { if (/@plt/) plt[FNR]; next } !(FNR in plt)' "$tmp/text" "$1"; }
libc=$(ldd "$PTUI" | awk '$1 ~ /^libc\.so/ { print $3 }') libz=$(ldd "$PTUI" | awk '$1 ~ /^libz\.so/ { print $3 }')
for seed in 1 2 3; do
	"$top_builddir/tests/diff/maps" "$tmp/maps.data" $seed "$libc" "$libz"
	for options in '-F comm,time,ip,sym,symoff,dso' '-F ip,sym' '-F ip,dso -G' '-F time,ip,dso --max-stack 3'; do
		# shellcheck disable=SC2086
		perf script -i "$tmp/maps.data" $options >"$tmp/perf.all" 2>/dev/null
		# shellcheck disable=SC2086
		"$PTUI" script --force-names -i "$tmp/maps.data" $options 2>"$tmp/ptui.err" |
			sed 's/ (unverified)//' >"$tmp/text"
		without_plt "$tmp/perf.all" >"$tmp/perf.txt"
		without_plt "$tmp/text" >"$tmp/ptui.txt"
		[ "$(wc -l <"$tmp/perf.txt")" -gt 3000 ] || not_ok "maps $seed: perf prints too little"
		alike "maps $seed: $options" "$tmp/perf.txt" "$tmp/ptui.txt" "${script_meant[@]}"
	done
done

# --- a large file is printed by two threads: as by one ---
"$top_builddir/tests/diff/maps" "$tmp/large.data" 4 "$libc" "$libz" 90000
by_two_threads() {
	"$PTUI" script --force-names -i "$tmp/large.data" "$@" >"$tmp/two.txt" 2>"$tmp/two.err" || return
	taskset -c "$cpu" "$PTUI" script --force-names -i "$tmp/large.data" "$@" >"$tmp/one.txt" 2>"$tmp/one.err" || return
	[ "$(wc -l <"$tmp/one.txt")" -gt 80000 ] && cmp "$tmp/one.txt" "$tmp/two.txt" && cmp "$tmp/one.err" "$tmp/two.err"
}
expect "large enough for threads" [ "$(stat -c %s "$tmp/large.data")" -gt $((8 << 20)) ]
for options in '' '-F ip,sym --max-stack 3' '-F comm,ip,sym,symoff,dso --dsos libc.so.6'; do
	# shellcheck disable=SC2086
	expect "two threads print the same: ${options:-default}" by_two_threads $options
done
expect "a full disk is one error" sh -c '! "$1" script -i "$2" 2>"$3" >/dev/full && [ "$(wc -l <"$3")" -eq 1 ]' \
	full "$PTUI" "$tmp/large.data" "$tmp/full.err"

refused() {
	local word=$1
	shift
	! "$PTUI" script -i "$tmp/chains.data" "$@" >/dev/null 2>"$tmp/err" || return 1
	grep -q -- "$word" "$tmp/err" || { cat "$tmp/err"; return 1; }
}
for option in --call-trace --call-ret-trace=x --insn-trace --itrace=i --xed; do
	expect "$option is refused with a reason" refused "AUX" "$option"
done
expect "--no-itrace is what ptui does" eval '"$PTUI" script --no-itrace -i "$tmp/chains.data" >"$tmp/out"'
expect "the list of perf's scripts is refused" refused Python --list
expect "srcline without ip is refused" refused 'requires the field ip' -F comm,srcline

# --- folded ---
fold() {
	awk '/^\t/ { sub(/\+0x.*/, "", $2); stack = $2 (stack == "" ? "" : ";") stack; next }
		/^$/ { if (stack != "") sum[comm ";" stack] += period; stack = ""; next }
		{ comm = $1; for (i = 2; i <= NF; i++) if ($i ~ /:$/ && $(i + 1) ~ /^[0-9]+$/) period = $(i + 1) }
		END { for (s in sum) print s, sum[s] }' | sort
}
perf script --no-inline -i "$tmp/chains.data" 2>/dev/null >"$tmp/perf.txt"
"$PTUI" script -i "$tmp/chains.data" >"$tmp/ptui.txt"
for who in perf ptui; do
	fold <"$tmp/$who.txt" >"$tmp/$who.folded"
done
cmp -s "$tmp/perf.folded" "$tmp/ptui.folded" || for who in perf ptui; do
	filtered "$tmp/$who.txt" "$tmp/$who.meant" $who "${script_meant[@]}"
	fold <"$tmp/$who.meant" >"$tmp/$who.folded"
done
expect "there are stacks to fold" grep -q 'main;.* [1-9]' "$tmp/perf.folded"
same "the folded stacks have the same sums" "$tmp/perf.folded" "$tmp/ptui.folded"

all_differ
finish
