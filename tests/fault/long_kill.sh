# SPDX-License-Identifier: GPL-2.0-or-later
# As kill.sh, with more moments.
export PTUI_TEST_KILLS=${PTUI_TEST_KILLS:-40}
. "$top_srcdir/tests/fault/kill.sh"
