# SPDX-License-Identifier: GPL-2.0-or-later
# Every C file has the format of .clang-format. Versions of clang-format differ in
# details, so only the one that formatted the tree can check it.
. "$top_srcdir/tests/lib/tap.sh"

version=14
command -v clang-format >/dev/null || skip_all "clang-format is not installed"
clang-format --version | grep -q "version $version\." ||
	skip_all "clang-format is not version $version"

cd "$top_srcdir" || exit 1
find src ui include tests -name '*.[ch]' | sort >"$tmp/files"
expect "there are files" test "$(wc -l <"$tmp/files")" -gt 100
xargs clang-format --dry-run --Werror <"$tmp/files" >"$tmp/out" 2>&1
sed -n 's/^\([^:]*\):.*code should be clang-formatted.*/\1/p' "$tmp/out" | sort -u >"$tmp/bad"
expect "all are formatted (clang-format -i FILE)" test ! -s "$tmp/bad"
sed 's/^/# /' "$tmp/bad"

finish
