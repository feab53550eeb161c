# SPDX-License-Identifier: GPL-2.0-or-later
# Replaces the tests of the screens without libvterm: one skipped line for each.
. "$top_srcdir/tests/lib/tap.sh"

for test in "$top_srcdir"/tests/screen/test_*.c; do
	skip "$(basename "$test" .c)" "libvterm (Debian package libvterm-dev) was not there at configure" vterm
done
finish
