# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh
#
# What ./run, ./check and .ci/run have in common: the packages, the builds, and
# what is shown of tests.
# $top is the source tree. Looking comes before installing: a machine that has
# all of it is not asked for a password and not sent to the network.

: "${top:?}"

# KIND  what to look for   its package in Debian, Fedora, Arch, openSUSE ("-": can do without)
packages='
build cmd:gcc              gcc               gcc                  gcc           gcc
build file:stdio.h         libc6-dev         glibc-devel          glibc         glibc-devel
build cmd:make             make              make                 make          make
build cmd:autoreconf       autoconf          autoconf             autoconf      autoconf
build cmd:automake         automake          automake             automake      automake
build cmd:autopoint        autopoint         gettext-devel        gettext       gettext-tools
build cmd:msgfmt           gettext           gettext              gettext       gettext-tools
build cmd:pkg-config       pkg-config        pkgconf-pkg-config   pkgconf       pkg-config
build pc:ncursesw          libncurses-dev    ncurses-devel        ncurses       ncurses-devel
build pc:libelf            libelf-dev        elfutils-libelf-devel libelf       libelf-devel
build pc:libdw             libdw-dev         elfutils-devel       libelf        libdw-devel
build pc:libtraceevent     libtraceevent-dev libtraceevent-devel  libtraceevent libtraceevent-devel
build pc:libzstd           libzstd-dev       libzstd-devel        zstd          libzstd-devel
build file:libiberty/demangle.h libiberty-dev -                   -             -
build file:perfmon/pfmlib.h libpfm4-dev    libpfm-devel         -             libpfm-devel
build pc:libbpf           libbpf-dev        libbpf-devel         libbpf        libbpf-devel
build file:dis-asm.h       binutils-dev      binutils-devel       binutils      binutils-devel
build pc:inih              libinih-dev       inih-devel           libinih       libinih-devel
build pc:liblzma           liblzma-dev       xz-devel             xz            xz-devel
build pc:zlib              zlib1g-dev        zlib-devel           zlib          zlib-devel
build file:elfutils/debuginfod.h libdebuginfod-dev elfutils-debuginfod-client-devel libelf libdebuginfod-devel
test  pc:cmocka            libcmocka-dev     libcmocka-devel      cmocka        libcmocka-devel
test  pc:libunwind         libunwind-dev     libunwind-devel      libunwind     libunwind-devel
test  pc:vterm             libvterm-dev      libvterm-devel       libvterm      libvterm-devel
test  share:i18n/locales/zh_CN locales    glibc-locale-source  glibc         glibc-i18ndata
test  cmd:clang-format     clang-format      clang-tools-extra    clang         clang-tools
test  cmd:perf             linux-perf        perf                 perf          perf
test  cmd:debuginfod       debuginfod        elfutils-debuginfod  debuginfod    elfutils-debuginfod
long  cmd:clang            clang             clang                clang         clang
dist  cmd:xz               xz-utils          xz                   xz            xz
'

# One of debian, fedora, arch, suse, or other.
distribution() (
	ID='' ID_LIKE=''
	os_release=${PTUI_OS_RELEASE:-/etc/os-release}
	# shellcheck disable=SC1090
	if [ -r "$os_release" ]; then . "$os_release"; fi
	for word in $ID $ID_LIKE; do
		case $word in
		debian | ubuntu) echo debian; return ;;
		fedora | rhel | centos) echo fedora; return ;;
		arch) echo arch; return ;;
		suse | opensuse*) echo suse; return ;;
		esac
	done
	echo other
)

# is_here cmd:PROGRAM | pc:PKG-CONFIG-MODULE | file:HEADER | share:FILE-OF-/usr/share
is_here() {
	case $1 in
	cmd:*) command -v "${1#*:}" >/dev/null 2>&1 ;;
	pc:*) pkg-config --exists "${1#*:}" >/dev/null 2>&1 ;;
	file:*) [ -e "${PTUI_INCLUDE_DIR:-/usr/include}/${1#*:}" ] ;;
	share:*) [ -e "${PTUI_SHARE_DIR:-/usr/share}/${1#*:}" ] ;;
	esac
}

# missing_packages DISTRIBUTION KIND...: names, on one line; for an unknown
# distribution, what was looked for.
missing_packages() {
	distro=$1
	shift
	echo "$packages" | while read -r kind what debian fedora arch suse; do
		case " $* " in *" $kind "*) ;; *) continue ;; esac
		case $distro in
		debian) name=$debian ;;
		fedora) name=$fedora ;;
		arch) name=$arch ;;
		suse) name=$suse ;;
		*) name=${what#*:} ;;
		esac
		[ -z "$what" ] || [ "$name" = - ] || is_here "$what" || echo "$name"
	done | sort -u | tr '\n' ' ' | sed 's/ $//'
}

as_root() {
	if [ "$(id -u)" -eq 0 ]; then "$@"; else sudo "$@"; fi
}

apt_install() {
	as_root env DEBIAN_FRONTEND=noninteractive apt-get -q -y \
		-o DPkg::Lock::Timeout=120 install --no-install-recommends "$@"
}

# install_missing KIND...: on Debian it installs, elsewhere it says what to install.
install_missing() {
	distro=$(distribution)
	names=$(missing_packages "$distro" "$@")
	[ -n "$names" ] || return 0

	case $distro in
	debian) command="apt-get install $names" ;;
	fedora) command="dnf install $names" ;;
	arch) command="pacman -S $names" ;;
	suse) command="zypper install $names" ;;
	other) command= ;;
	esac
	if [ "$distro" != debian ] ||
	   { [ "$(id -u)" -ne 0 ] && ! command -v sudo >/dev/null; }; then
		echo "ptui: missing: $names${command:+; install with (as root): $command}" >&2
		return 1
	fi

	echo "ptui: installing $names" >&2
	# shellcheck disable=SC2086
	{
		# Package lists that are absent or out of date are fetched, then it is tried again.
		quietly apt_install $names || {
			quietly as_root apt-get -q update && quietly apt_install $names
		} || { show_log; return 1; }
	}
	names=$(missing_packages "$distro" "$@")
	[ -z "$names" ] || {
		echo "ptui: still missing after the installation: $names" >&2
		return 1
	}
}

# --- building ---------------------------------------------------------------

# What a sanitizer and a test need; the rest of the debug information takes a quarter of the build.
only_lines=-g1

log=/dev/null

quietly() { "$@" >>"$log" 2>&1; }

# within SECONDS COMMAND...: ends it and what it has started at the limit; the status is 124 then.
within() {
	limit=$1
	shift
	timeout --kill-after=60 "$limit" "$@" &
	limited=$!
	trap 'kill "$limited"; exit 129' HUP
	trap 'kill "$limited"; exit 130' INT
	trap 'kill "$limited"; exit 143' TERM
	within_status=0
	wait "$limited" || within_status=$?
	trap - HUP INT TERM
	[ "$within_status" -ne 124 ] || echo "ptui: not finished within $limit s: $*" >&2
	return "$within_status"
}

show_log() {
	tail -n 40 "$log" >&2
	echo "ptui: this failed; the whole log is $log" >&2
}

jobs_here() { nproc 2>/dev/null || echo 2; }

# build FOLDER CONFIGURE-ARGUMENT...: makes FOLDER or brings it up to date.
build() {
	build_dir=$top/$1
	shift
	mkdir -p "$build_dir" && start_log "$build_dir/build.log" || return 1
	configured "$@" && quietly within 1800 make -C "$build_dir" -j"$(jobs_here)" && return
	show_log
	return 1
}

# What configure.ac and Makefile.am want anew after this, make does by itself.
configured() {
	[ -x "$top/configure" ] || quietly autoreconf -fi "$top" || return 1
	[ -f "$build_dir/Makefile" ] || (cd "$build_dir" && quietly "$top/configure" "$@")
}

start_log() {
	log=$1
	: >"$log"
}

# --- tests ------------------------------------------------------------------

# count_as pass|fail FOLDER NAME WHAT: a result that no test of make leaves behind.
count_as() {
	mkdir -p "$2/tests" || return 1
	case $1 in
	pass) echo ':test-result: PASS' >"$2/tests/$3.trs" ;;
	fail) echo ':test-result: FAIL' >"$2/tests/$3.trs" ;;
	esac
	case $1 in
	pass) : ;;
	fail) echo "FAIL: tests/$3 - $4" ;;
	esac >"$2/tests/$3.log"
}

# has_failures FOLDER: a test failed, and has said so.
has_failures() {
	grep -rqsE --include='*.trs' '^:test-result: (FAIL|XPASS|ERROR)' "$1/tests"
}

# show_failures FOLDER: the logs of the tests that failed; or, where there is none, of make.
show_failures() {
	failed=$(grep -rslE --include='*.trs' '^:test-result: (FAIL|XPASS|ERROR)' "$1/tests")
	[ -n "$failed" ] || { show_log; return; }
	for trs in $failed; do
		echo "--- ${trs%.trs}.log"
		tail -n 60 "${trs%.trs}.log"
	done
}

# show_first_tries FOLDER: why some had to be tried twice.
show_first_tries() {
	for log_file in $(grep -rlsE --include='*.log' '^# passed at the second try: ' "$1/tests"); do
		echo "--- $log_file (passed at the second try)"
		grep -E '^# (first try|---|passed at)' "$log_file" | tail -n 60
	done
}
