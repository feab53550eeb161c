# SPDX-License-Identifier: GPL-2.0-or-later
# The monkey, for longer and from several beginnings. PTUI_MONKEY_SEED, PTUI_MONKEY_KEYS: one of these only.
. "$top_srcdir/tests/lib/tap.sh"
monkey=$top_builddir/tests/screen/test_monkey
[ -x "$monkey" ] || skip_all "there is no monkey without libvterm"
export PTUI_MONKEY_KEYS=${PTUI_MONKEY_KEYS:-60000}
for seed in ${PTUI_MONKEY_SEED:-$(date +%s) 7 4711}; do
	PTUI_MONKEY_SEED=$seed expect "PTUI_MONKEY_SEED=$seed PTUI_MONKEY_KEYS=$PTUI_MONKEY_KEYS" "$monkey"
done
finish
