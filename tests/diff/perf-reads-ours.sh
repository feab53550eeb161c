# SPDX-License-Identifier: GPL-2.0-or-later
# perf reads what ptui record writes, without a word of complaint, and counts
# the same samples and periods in it as ptui.
. "$top_srcdir/tests/lib/tap.sh"
. "$top_srcdir/tests/diff/lib.sh"
need perf root tracefs
one_at_a_time

# Each event's samples and period, one line an event: "name samples period".

# by_samples: from perf script's one line a sample.
by_samples() {
	awk '{ sub(/^ +/, ""); period = $1; sub(/^[0-9]+ +/, ""); sub(/: *$/, "")
		n[$0]++; sum[$0] += period }
	     END { for (e in n) printf "%s %d %.0f\n", e, n[e], sum[e] }' | sort
}

# by_rows: from a report of the sample column.
by_rows() {
	awk -F '|' '/^# Samples: / { sub(/^.* of events? \x27/, ""); sub(/\x27$/, ""); event = $0; n[event] += 0 }
		    /^# Event count / { sub(/.*: /, ""); sum[event] = $0 }
		    !/^#/ && NF > 1 { n[event] += $2 }
		    END { for (e in n) if (n[e]) printf "%s %d %s\n", e, n[e], sum[e] }' | sort
}

file=$tmp/perf.data

# records LABEL RECORD-OPTION...: and how many samples ptui says it has, in $closing
records() {
	local label=$1
	shift
	if ! "$PTUI" record -o "$file" "$@" >"$tmp/out" 2>"$tmp/record.err"; then
		not_ok "$label: recorded"
		sed 's/^/# /' "$tmp/record.err"
		return 1
	fi
	closing=$(sed -n 's/.* (\([0-9]*\) samples).*/\1/p' "$tmp/record.err")
}

# reads LABEL RECORD-OPTION...
reads() {
	rm -f "$file"
	records "$@" && looks "$1" "$closing"
}

# appends LABEL RECORD-OPTION...: twice into one file
appends() {
	local label=$1 first
	shift
	rm -f "$file"
	records "$label" "$@" && first=$closing && records "$label" -A "$@" && looks "$label" $((first + closing))
}

# pipes LABEL RECORD-OPTION... -- COMMAND...: what is read from a pipe, is read from standard input
pipes() {
	local label=$1
	shift
	if ! "$PTUI" record -o - "$@" 2>"$tmp/record.err" >"$tmp/pipe"; then
		not_ok "$label: recorded"
		sed 's/^/# /' "$tmp/record.err"
		return
	fi
	perf report --no-group "${row_options[@]}" -i - <"$tmp/pipe" 2>"$tmp/err" | by_rows >"$tmp/perf.rows"
	expect "$label: perf report has no complaint" test ! -s "$tmp/err"
	perf script -G -F event,period -i - <"$tmp/pipe" 2>"$tmp/err" | by_samples >"$tmp/perf.samples"
	expect "$label: perf script has no complaint" test ! -s "$tmp/err"
	quiet "$label: ptui report" "$PTUI" report "${row_options[@]}" -i - <"$tmp/pipe"
	by_rows <"$tmp/out" >"$tmp/ptui.rows"
	counts_alike "$label" "$(sed -n 's/.* (\([0-9]*\) samples).*/\1/p' "$tmp/record.err")"
}

# looks LABEL SAMPLES: at the file
looks() {
	local label=$1 said=$2
	quiet "$label: perf report" perf report --stdio -i "$file"
	quiet "$label: perf report, rows" perf report --no-group "${row_options[@]}" -i "$file"
	by_rows <"$tmp/out" >"$tmp/perf.rows"
	quiet "$label: perf script" perf script -i "$file"
	quiet "$label: perf script, samples" perf script -G -F event,period -i "$file"
	by_samples <"$tmp/out" >"$tmp/perf.samples"
	quiet "$label: perf evlist -v" perf evlist -v -i "$file"
	quiet "$label: perf buildid-list" perf buildid-list -i "$file"
	quiet "$label: ptui report" "$PTUI" report "${row_options[@]}" -i "$file"
	by_rows <"$tmp/out" >"$tmp/ptui.rows"
	counts_alike "$label" "$said"
}

counts_alike() { # LABEL SAMPLES
	same "$1: perf script's counts" "$tmp/perf.samples" "$tmp/ptui.rows"
	same "$1: perf report's counts" "$tmp/perf.rows" "$tmp/ptui.rows"
	expect "$1: there are samples, as many as ptui record said ($2)" \
		awk -v said="${2:-none}" '{ n += $(NF - 1) }
			END { print n + 0; exit !(n > 0 && n == said) }' "$tmp/perf.samples"
}

# A process to follow; it ends by itself.
follow() {
	"$work" spin 1000 &
	followed=$!
	reads "$@" -p "$followed" -- sleep 0.2
	kill "$followed" 2>/dev/null
	wait "$followed" 2>/dev/null
}

reads "no event named" -F 2000 -- "$work"
reads "no event named, -g" -F 2000 -g -- "$work"
reads "cpu-clock" -e cpu-clock -F 1000 -- "$work"
reads "cpu-clock -c" -e cpu-clock -c 1000000 -g -- "$work"
reads "page-faults -c 1" -e page-faults -c 1 -- "$work"
reads "two events" -F 2000 -e cpu-clock -e page-faults -- "$work"
reads "two events -g" -F 2000 -g -e cpu-clock,page-faults -- "$work"
reads "a tracepoint" -e sched:sched_switch -- "$work"
reads "a tracepoint and a clock" -g -F 1000 -e sched:sched_switch -e cpu-clock -- "$work"
reads "user only" -F 2000 -e cpu-clock:u -- "$work"
reads "the whole system" -F 500 -ag -- sleep 0.5
reads "a ring a thread" --per-thread -F 2000 -- "$work"
reads "a ring a thread, two events" --per-thread -F 2000 -g -e cpu-clock,page-faults -- "$work"
reads "one CPU" -C 0 -F 500 -g -- "$work" spin 300
reads "a group" -F 2000 -e '{cpu-clock,page-faults}' -- "$work"
reads "without children" -i -F 2000 -g -- "$work"
reads "compressed" -z -F 2000 -g -- "$work"
reads "compressed, a tracepoint and a clock" -z19 -g -F 1000 -e sched:sched_switch -e cpu-clock -- "$work"
reads "compressed, a ring a thread" -z --per-thread -F 2000 -- "$work"
reads "compressed, the whole system" -z -F 500 -ag -- sleep 0.5
appends "appended" -F 2000 -g -- "$work"
appends "appended, a tracepoint and a clock" -g -F 1000 -e sched:sched_switch -e cpu-clock -- "$work"
appends "appended, compressed" -z -F 2000 -g -- "$work"
pipes "a pipe" -F 2000 -g -- "$work"
pipes "a pipe, two events" -F 2000 -g -e cpu-clock,page-faults -- "$work"
pipes "a pipe, a tracepoint and a clock" -g -F 1000 -e sched:sched_switch -e cpu-clock -- "$work"
pipes "a pipe, a ring a thread" --per-thread -F 2000 -- "$work"
pipes "a pipe, the whole system" -F 500 -ag -- sleep 0.5
pipes "a pipe, compressed" -z -g -F 1000 -e sched:sched_switch -e cpu-clock -- "$work"
reads "addresses and sizes of pages" -F 1000 -e cpu-clock -d --phys-data --data-page-size --code-page-size -- "$work"
reads "weight, transaction, CPU, raw data" -F 1000 -e cpu-clock -W --transaction --sample-cpu -R -- "$work"
reads "registers" -F 1000 -e cpu-clock -I --user-regs=ip,sp -- "$work"
reads "stacks" -F 500 -e cpu-clock --call-graph dwarf,1024 -- "$work"
reads "stacks of one of two events" -F 500 -e page-faults/call-graph=dwarf,stack-size=512/ -e cpu-clock -- "$work"
reads "no times" -F 1000 -e cpu-clock --no-timestamp -- "$work"
reads "ids at a fixed place" -F 1000 -e cpu-clock -e page-faults --sample-identifier -g -- "$work"
reads "another clock" -F 1000 -e cpu-clock -k monotonic_raw -- "$work"
reads "each thread's counts" -s -e page-faults -c 1 -- "$work"
reads "all that is told besides" -F 1000 -e cpu-clock --namespaces --switch-events --all-cgroups -- "$work"
reads "told at the end" -F 500 -ag --tail-synthesize -e cpu-clock -- "$work" spin 200
reads "nothing told" -F 1000 --synth no -e cpu-clock -- "$work"
follow "a process" -F 1000
follow "the threads of a process" -F 1000 --per-thread
follow "a process -g" -F 1000 -g
finish
