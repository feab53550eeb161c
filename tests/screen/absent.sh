# SPDX-License-Identifier: GPL-2.0-or-later
# Stands for the tests of the screens where there is no terminal to draw on: one
# line for each of them.
. "$top_srcdir/tests/lib/tap.sh"

for test in "$top_srcdir"/tests/screen/test_*.c; do
	skip "$(basename "$test" .c)" "libvterm (Debian package libvterm-dev) was not there at configure" vterm
done
finish
