# SPDX-License-Identifier: GPL-2.0-or-later
# Each header compiles alone: the public ones without any other include, in C and (if there is a
# compiler) C++; others after config.h, as in the build.
. "$top_srcdir/tests/lib/tap.sh"

cd "$top_srcdir" || exit 1

# alone HEADER COMPILER...: a file with only that include.
alone() {
	local header=$1
	shift
	printf '#include "%s"\n#include "%s"\nextern int nothing;\n' "$header" "$header" |
		"$@" -Iinclude -Wall -Wextra -Werror -fsyntax-only -
}

for header in include/ptui/*.h; do
	name=${header#include/}
	# shellcheck disable=SC2086
	expect "$name alone" alone "$name" ${CC:-cc} -std=gnu11 -x c
	if command -v g++ >/dev/null; then
		expect "$name alone in C++" alone "$name" g++ -x c++
	fi
done

# shellcheck disable=SC2086
for header in src/*/*.h; do
	name=${header#src/}
	expect "$name alone" alone "$name" ${CC:-cc} -std=gnu11 -x c ${CORE_CPPFLAGS:-} \
		-I"$top_builddir" -Isrc -include config.h -DLOCALEDIR='""'
done

# shellcheck disable=SC2086
for header in ui/*/*.h; do
	name=${header#ui/}
	expect "$name alone" alone "$name" ${CC:-cc} -std=gnu11 -x c \
		-I"$top_builddir" -I"$top_builddir/base-include" -Iui -include config.h \
		-DLOCALEDIR='""'
done
finish
