# SPDX-License-Identifier: GPL-2.0-or-later
# No source file is missing in Makefile.am (else it is not compiled, or not in the tarball), and
# none with translatable text in po/POTFILES.in; and the documents name no file that is gone.
. "$top_srcdir/tests/lib/tap.sh"

cd "$top_srcdir" || exit 1

find src ui include tests -name '*.[ch]' | sort >"$tmp/there"
# A unit test's program is named after its source.
tr -s ' \t\\' '\n' <Makefile.am | sed -n \
	-e '/^[a-z]*\/.*\.[ch]$/p' \
	-e 's|^tests/unit/.*/test_[a-z0-9_]*$|&.c|p' | sort -u >"$tmp/listed"
same "every source file is in Makefile.am" "$tmp/there" "$tmp/listed"

# A path begins at the top or at any directory of it; NAME stands for any.
find . -path './build*' -prune -o -path ./.git -prune -o -type f -print >"$tmp/files"
grep -ohE '`[a-z_0-9]+(/[A-Za-z_0-9]+)+\.(c|h|s|sh|cc|list|py|txt)`' HACKING.md README.md | tr -d '`' |
	grep -v NAME | sort -u >"$tmp/named"
while read -r path; do
	grep -q "/${path//./\\.}\$" "$tmp/files" || echo "$path"
done <"$tmp/named" >"$tmp/gone"
expect "the documents name files" test -s "$tmp/named"
same "and all of them are there" /dev/null "$tmp/gone"

sh tools/potfiles >"$tmp/potfiles"
same "po/POTFILES.in is true (if not: tools/potfiles >po/POTFILES.in)" "$tmp/potfiles" po/POTFILES.in
finish
