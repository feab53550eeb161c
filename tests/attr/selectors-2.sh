# SPDX-License-Identifier: GPL-2.0-or-later
# The other half of the list.
half=1
. "$top_srcdir/tests/attr/selectors.sh"
