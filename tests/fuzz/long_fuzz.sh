# SPDX-License-Identifier: GPL-2.0-or-later
# Each fuzzer, for PTUI_TEST_FUZZ seconds (300), from its corpus on.
. "$top_srcdir/tests/lib/tap.sh"
seconds=${PTUI_TEST_FUZZ:-300}

# fuzz PROGRAM CORPUS: what it finds is shown, base64.
fuzz() {
	local program=$top_builddir/tests/fuzz/$1 found
	[ -x "$program" ] || { not_ok "$2: $1 was not built"; return; }
	mkdir "$tmp/$2" "$tmp/$2-found"
	expect "$2: $seconds seconds" "$program" -max_total_time="$seconds" -timeout=20 -rss_limit_mb=2048 -print_final_stats=1 \
		-artifact_prefix="$tmp/$2-found/" "$tmp/$2" "$top_srcdir/tests/fuzz/corpus/$2"
	for found in "$tmp/$2-found"/*; do
		[ ! -f "$found" ] || note "$(basename "$found"): $(base64 -w0 "$found")"
	done
}
fuzz fuzz_data data
fuzz run_condition condition
fuzz run_config config
fuzz run_features features
fuzz run_lines lines
fuzz run_pipe pipe
fuzz run_probe probe
fuzz run_sample sample
fuzz run_selector selector
fuzz run_stat stat
fuzz run_symtab symtab
fuzz run_terminal terminal
fuzz run_tracing tracing
fuzz run_unpack unpack
fuzz run_disasm disasm
fuzz run_unwind unwind
finish
