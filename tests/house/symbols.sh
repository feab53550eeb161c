# SPDX-License-Identifier: GPL-2.0-or-later
# No global name is defined twice: of two objects in our static libraries the linker would silently take the
# first one that defines what is missing.
. "$top_srcdir/tests/lib/tap.sh"
command -v nm >/dev/null || skip_all "there is no nm"

# defined_twice LIBRARY...: "NAME: OBJECT OBJECT..." (common symbols and weak ones as well)
defined_twice() {
	nm -A -g --defined-only "$@" 2>/dev/null | sed -E 's,^[^ ]*/,,' |
		awk 'NF > 2 { sub(/:[^:]*$/, "", $1)
		       where[$NF] = where[$NF] " " $1; n[$NF]++ }
		     END { for (name in n) if (n[name] > 1) print name ":" where[name] }' | sort
}

# --- the check itself

mkdir "$tmp/made"
cd "$tmp/made" || exit 1
echo 'int shared_name(void) { return 1; } static int own(void) { return 2; } int use(void) { return own(); }' >a.c
echo 'int shared_name(void) { return 3; } static int own(void) { return 4; } int other(void) { return own(); }' >b.c
if ${CC:-cc} -c a.c b.c && ar rc liba.a a.o && ar rc libb.a b.o; then
	defined_twice liba.a libb.a >got
	expect "a name in two libraries is found" grep -qE '^shared_name: .*a\.o.* .*b\.o' got
	expect "static functions are not meant" [ "$(wc -l <got)" -eq 1 ]
	ar rc libboth.a a.o b.o
	expect "and one in two objects of a library" test -n "$(defined_twice libboth.a)"
else
	skip "the check itself" "no C compiler"
fi

# --- ours

# Each program of ours and of the tests is made of these. Libraries of tests that are not
# built yet are not looked at.
cd "$top_builddir" || exit 1
ours="libptui-core.a libptui-ui.a"
expect "our libraries have names" test "$(nm -g --defined-only $ours 2>/dev/null | grep -c ' T ')" -gt 1000
# shellcheck disable=SC2086
for also in "" tests/lib/libtest.a tests/screen/libharness.a tests/unit/unwind/libscenes.a ui/ptui-main.o; do
	[ -z "$also" ] || [ -e "$also" ] || continue
	expect "no name is defined twice: $ours $also" eval '[ -z "$(defined_twice $ours $also | tee "$tmp/twice")" ] || ! cat "$tmp/twice"'
done
finish
