# SPDX-License-Identifier: GPL-2.0-or-later
# ./run and ./check detect missing tools, install them on Debian and name them elsewhere. The
# machine is fake: its tools are in $tmp/bin.
. "$top_srcdir/tests/lib/tap.sh"

bin=$tmp/bin
usr_include=$tmp/include
usr_share=$tmp/share
tools="gcc make autoreconf automake autopoint clang-format msgfmt pkg-config perf debuginfod xz"
needed_here="sh cat env sed sort tr mkdir touch tail ln"

# machine UID DISTRIBUTION: one that has everything.
machine() {
	rm -rf "$bin" "$usr_include"
	mkdir -p "$bin" "$usr_include/libiberty" "$usr_include/perfmon" "$usr_include/elfutils" "$usr_share/i18n/locales"
	touch "$usr_share/i18n/locales/zh_CN"
	touch "$usr_include/stdio.h" "$usr_include/dis-asm.h" "$usr_include/libiberty/demangle.h" "$usr_include/perfmon/pfmlib.h" "$usr_include/elfutils/debuginfod.h"
	for tool in $tools; do script "$tool" 'exit 0'; done
	for tool in $needed_here; do ln -s "$(command -v "$tool")" "$bin/$tool"; done
	# Each pkg-config module is a file here.
	mkdir "$bin/pc"
	for pc in ncursesw libelf libdw libunwind libtraceevent libzstd libbpf inih liblzma zlib cmocka vterm; do
		touch "$bin/pc/$pc"
	done
	script pkg-config "[ -e '$bin/pc/'\"\$2\" ]"
	script id "echo $1"
	script sudo "echo \"sudo \$*\" >>'$tmp/calls'; exec \"\$@\""
	script apt-get "echo \"apt-get \$*\" >>'$tmp/calls'"
	echo "ID=$2" >"$tmp/os-release"
	: >"$tmp/calls"
}

script() {
	rm -f "$bin/$1"
	printf '#!/bin/sh\n%s\n' "$2" >"$bin/$1"
	chmod +x "$bin/$1"
}

# setup KIND...: what run and check do first, on that machine.
setup() {
	PATH=$bin PTUI_OS_RELEASE=$tmp/os-release PTUI_INCLUDE_DIR=$usr_include PTUI_SHARE_DIR=$usr_share top=$tmp \
		"$sh" -c '. "$1/tools/setup.sh"; shift; log=/dev/null; install_missing "$@"' \
		setup "$top_srcdir" "$@" >"$tmp/out" 2>&1
}
sh=$(command -v sh)

machine 0 debian
setup build test dist
expect "nothing missing: done" [ $? -eq 0 ]
expect "nothing missing: nothing is called" [ ! -s "$tmp/calls" ]
expect "nothing missing: no message" [ ! -s "$tmp/out" ]

machine 0 debian
rm "$bin/pc/libdw" "$bin/autopoint" "$usr_include/libiberty/demangle.h"
script apt-get "echo \"apt-get \$*\" >>'$tmp/calls'
	touch '$bin/pc/libdw' '$usr_include/libiberty/demangle.h'; ln -s make '$bin/autopoint'"
setup build test
expect "Debian, root: installed" [ $? -eq 0 ]
expect "just what is missing" grep -q 'install --no-install-recommends autopoint libdw-dev libiberty-dev$' "$tmp/calls"
expect "without sudo, without an update" [ "$(wc -l <"$tmp/calls")" -eq 1 ]

machine 0 debian
rm "$bin/pc/cmocka" "$bin/perf"
setup build
expect "a build does not want what only tests want" [ ! -s "$tmp/calls" ]

machine 0 debian
rm "$usr_share/i18n/locales/zh_CN"
setup build test
expect "the data of locales, for tests" grep -q 'install --no-install-recommends locales$' "$tmp/calls"

machine 1000 debian
rm "$bin/pc/libelf"
script apt-get "echo \"apt-get \$*\" >>'$tmp/calls'; touch '$bin/pc/libelf'"
setup build
expect "Debian, not root: through sudo" grep -q '^sudo env DEBIAN_FRONTEND=noninteractive apt-get' "$tmp/calls"

machine 0 debian
rm "$bin/pc/libelf"
script apt-get "echo \"apt-get \$*\" >>'$tmp/calls'
	case \"\$*\" in *update*) touch '$tmp/updated';; *) [ -e '$tmp/updated' ] && touch '$bin/pc/libelf';; esac"
setup build
expect "old package lists: updated, then tried again" [ $? -eq 0 ]
expect "in that order" [ "$(grep -oE 'update|install ' "$tmp/calls" | tr -d ' ' | tr '\n' ' ')" = "install update install " ]

machine 0 debian
rm "$bin/pc/libelf"
script apt-get 'echo "E: no network"; exit 100'
setup build
expect "an installation that fails is a failure" [ $? -eq 1 ]

machine 0 debian
rm "$bin/pc/libelf"
setup build
expect "what is still missing afterwards is reported" \
	grep -qx 'ptui: still missing after the installation: libelf-dev' "$tmp/out"

machine 1000 debian
rm "$bin/sudo" "$bin/pc/libelf"
setup build
expect "no sudo: prints the command in one line" \
	grep -qx 'ptui: missing: libelf-dev; install with (as root): apt-get install libelf-dev' "$tmp/out"
expect "no sudo: nothing is tried" [ ! -s "$tmp/calls" ]

machine 0 fedora
rm "$bin/pc/libelf" "$usr_include/libiberty/demangle.h"
setup build
expect "Fedora: its names, and nothing that can be done without" \
	grep -qx 'ptui: missing: elfutils-libelf-devel; install with (as root): dnf install elfutils-libelf-devel' "$tmp/out"
expect "Fedora: nothing is installed" [ ! -s "$tmp/calls" ]

machine 0 arch
rm "$bin/pc/libelf" "$bin/pc/libdw"
setup build
expect "Arch: one name for two modules, once" grep -q ' pacman -S libelf$' "$tmp/out"

machine 0 opensuse-tumbleweed
rm "$bin/pc/libdw"
setup build
expect "openSUSE: its names" grep -q ' zypper install libdw-devel$' "$tmp/out"

machine 0 haiku
rm "$bin/pc/libdw" "$bin/make"
setup build
expect "elsewhere: what was looked for" grep -qx 'ptui: missing: libdw make' "$tmp/out"

machine 0 'linuxmint
ID_LIKE="ubuntu debian"'
rm "$bin/pc/libdw"
script apt-get "touch '$bin/pc/libdw'"
setup build
expect "a child of Debian is Debian" [ $? -eq 0 ]
finish
