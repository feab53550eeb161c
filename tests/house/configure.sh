# SPDX-License-Identifier: GPL-2.0-or-later
# configure with missing dependencies, and unusual builds.
. "$top_srcdir/tests/lib/tap.sh"

[ ! -e "$top_srcdir/config.status" ] || skip_all "the source tree itself is configured"
unset MAKEFLAGS MAKELEVEL MFLAGS

# lacking MODULE...: a machine without these pkg-config modules.
real=$(command -v pkg-config)
lacking() {
	mkdir -p "$tmp/bin"
	cat >"$tmp/bin/pkg-config" <<-EOF
	#!/bin/sh
	for word; do
		for module in $*; do
			[ "\$word" != "\$module" ] || exit 1
		done
	done
	exec $real "\$@"
	EOF
	chmod +x "$tmp/bin/pkg-config"
}

# configure ARGUMENT...: in a new folder, $tmp/build. Dependencies take half the time, and nothing is built twice.
configure() {
	rm -rf "$tmp/build"
	mkdir "$tmp/build"
	(cd "$tmp/build" && PATH=$tmp/bin:$PATH "$top_srcdir/configure" -q --disable-dependency-tracking "$@") >"$tmp/out" 2>&1
}

lacking libdw libzstd
configure
expect "a library is missing: no build" [ $? -ne 0 ]
grep 'error:' "$tmp/out" >"$tmp/errors"
echo "configure: error: missing: libdw (Debian package libdw-dev), libzstd (Debian package libzstd-dev)" \
	>"$tmp/wanted"
same "all that is missing in one line" "$tmp/wanted" "$tmp/errors"

lacking
configure --enable-sanitizers=nonsense
expect "a sanitizer that does not exist is named" grep -q 'error: .*-fsanitize=nonsense' "$tmp/out"

lacking cmocka
configure --disable-nls --without-libiberty --without-libpfm --without-libbpf --without-libinih \
	--without-liblzma --without-zlib --without-debuginfod
expect "cmocka, gettext, libbpf, libdebuginfod, libiberty, libinih, liblzma, libpfm4 and zlib can be done without" [ $? -eq 0 ]
make -C "$tmp/build" check-local >"$tmp/out" 2>&1
expect "but make check fails" [ $? -ne 0 ]
expect "and names what it requires" \
	grep -q '^make check needs cmocka (Debian package libcmocka-dev)' "$tmp/out"
expect "text without gettext compiles" \
	make -C "$tmp/build" CFLAGS="-O2 -Werror" src/base/libptui_core_a-error.o \
	ui/view/setup/libptui_ui_a-setup_draw.o ui/model/browser/libptui_ui_a-trust.o

lacking
configure --build=x86_64-unknown-linux-gnu --host=riscv64-unknown-linux-gnu CC="${CC:-cc}"
expect "a build for another machine" [ $? -eq 0 ]
# The page of a tarball is in the source tree and is used unchanged.
if [ -e "$top_srcdir/ptui.1" ]; then
	expect "takes the page from the tarball" make -C "$tmp/build" -o "ptui" ptui.1
else
	touch "$tmp/build/ptui"
	make -C "$tmp/build" -o ptui ptui.1 >"$tmp/out" 2>&1
	expect "has no page outside a tarball, and reports that" \
		grep -q '^ptui.1 cannot be made in a cross build' "$tmp/out"
fi
finish
