# SPDX-License-Identifier: GPL-2.0-or-later
# No source file is missing in Makefile.am (else it is not compiled, or not in the tarball), and
# none with translatable text in po/POTFILES.in.
. "$top_srcdir/tests/lib/tap.sh"

cd "$top_srcdir" || exit 1

find src ui include tests -name '*.[ch]' | sort >"$tmp/there"
# A unit test's program is named after its source.
tr -s ' \t\\' '\n' <Makefile.am | sed -n \
	-e '/^[a-z]*\/.*\.[ch]$/p' \
	-e 's|^tests/unit/.*/test_[a-z0-9_]*$|&.c|p' | sort -u >"$tmp/listed"
same "every source file is in Makefile.am" "$tmp/there" "$tmp/listed"

sh tools/potfiles >"$tmp/potfiles"
same "po/POTFILES.in is true (if not: tools/potfiles >po/POTFILES.in)" "$tmp/potfiles" po/POTFILES.in
finish
