# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# For the scripts that compare ptui stat with perf stat: masked, and masked fields for CSV and JSON.

# Numbers as "#", as wide as they are. What comes and goes with a number: the error of a mean, the share of a
# multiplexed event, the prefix of a rate.
masked() {
	sed -E -e 's/  \( \+- *[0-9.]+% \)//; s/  \([0-9.]+%\)$//' \
		-e 's/ [KMG]\/sec/ \/sec /; s/([,;\t])[KMG]\/sec/\1\/sec/; s/"[KMG]\/sec/"\/sec/' \
		-e 's/^ +[0-9.]+ \+- [0-9.]+ seconds/# +- # seconds/; s/^ +[0-9.]+ \([-+][0-9.]+\) #+/# (#) #/' \
		-e '/^# started on/s/.*/# started on/; s/^ +# (Table|Final)/# \1/' \
		-e 's/<not counted>  *(ns|msec)/0 \1/' |
		if [ "${1-}" = fields ]; then
			sed -E 's/[0-9]+(\.[0-9]+)?/#/g'
		else
			perl -pe 's/(^|(?<=[ #(]))( *)([0-9][0-9,.]*)/"#" x length("$2$3")/ge'
		fi
}
