# SPDX-License-Identifier: GPL-2.0-or-later
# Another third of the options.
third=1
. "$top_srcdir/tests/cli/record-effects.sh"
