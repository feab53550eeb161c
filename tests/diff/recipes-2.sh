# SPDX-License-Identifier: GPL-2.0-or-later
# The other lines of recipes.sh.
recipes_part=1
. "$top_srcdir/tests/diff/recipes.sh"
