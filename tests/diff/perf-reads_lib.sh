# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# For perf-reads-ours.sh and perf-reads-fields.sh.
. "$top_srcdir/tests/lib/tap.sh"
. "$top_srcdir/tests/diff/lib.sh"
need perf root tracefs

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

# records LABEL RECORD-OPTION...: with the number of samples that ptui prints in $closing
records() {
	local label=$1
	shift
	if ! in_company "$PTUI" record -o "$file" "$@" >"$tmp/out" 2>"$tmp/record.err"; then
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

# pipes LABEL RECORD-OPTION... -- COMMAND...: the reader reads standard input
pipes() {
	local label=$1
	shift
	if ! in_company "$PTUI" record -o - "$@" 2>"$tmp/record.err" >"$tmp/pipe"; then
		not_ok "$label: recorded"
		sed 's/^/# /' "$tmp/record.err"
		return
	fi
	perf report --no-group "${row_options[@]}" -i - <"$tmp/pipe" 2>"$tmp/err" | by_rows >"$tmp/perf.rows"
	expect "$label: perf report has no complaint" test ! -s "$tmp/err"
	perf script -G -F event,period -i - <"$tmp/pipe" 2>"$tmp/err" | by_samples >"$tmp/perf.samples"
	expect "$label: perf script has no complaint" test ! -s "$tmp/err"
	quiet "$label: ptui report" "$PTUI" report --no-group "${row_options[@]}" -i - <"$tmp/pipe"
	by_rows <"$tmp/out" >"$tmp/ptui.rows"
	counts_alike "$label" "$(sed -n 's/.* (\([0-9]*\) samples).*/\1/p' "$tmp/record.err")"
}

# looks LABEL SAMPLES: checks the file
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
	quiet "$label: ptui report" "$PTUI" report --no-group "${row_options[@]}" -i "$file"
	by_rows <"$tmp/out" >"$tmp/ptui.rows"
	counts_alike "$label" "$said"
}

counts_alike() { # LABEL SAMPLES
	same "$1: perf script's counts" "$tmp/perf.samples" "$tmp/ptui.rows"
	same "$1: perf report's counts" "$tmp/perf.rows" "$tmp/ptui.rows"
	expect "$1: there are samples, as many as ptui record reported ($2)" \
		awk -v said="${2:-none}" '{ n += $(NF - 1) }
			END { print n + 0; exit !(n > 0 && n == said) }' "$tmp/perf.samples"
}

# A process to follow, which outlives the recording.
follow() {
	local status=0
	rm -f "$file"
	one_at_a_time
	"$work" spin 60000 &
	followed=$!
	records "$@" -p "$followed" -- sleep 0.2 || status=$?
	next_turn
	kill "$followed" 2>/dev/null
	wait "$followed" 2>/dev/null
	[ $status -ne 0 ] || looks "$1" "$closing"
}
