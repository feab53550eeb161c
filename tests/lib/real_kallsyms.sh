# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh
# The kernel's /proc/kallsyms, not the copy of tests/lib/copied_kallsyms: to be read before tap.sh.
[ "$(stat -f -c %T /proc/kallsyms)" = proc ] ||
	exec unshare --mount sh -c 'umount /proc/kallsyms; exec "$@"' sh "${BASH:-sh}" "$0" "$@"
