# SPDX-License-Identifier: GPL-2.0-or-later
# Runs each fuzz target on every input of its corpus.
. "$top_srcdir/tests/lib/tap.sh"

for program in "$top_builddir"/tests/fuzz/fuzz_*; do
	if [ ! -f "$program" ] || [ ! -x "$program" ]; then
		continue
	fi
	target=${program##*/fuzz_}
	target=${target%.exe}
	expect "$target" "$program" "$top_srcdir/tests/fuzz/corpus/$target"
done
finish
