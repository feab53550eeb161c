# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# When the output changes; more in tests/cli/record-switch.sh.

effect_switch_output() {
	rec --switch-output=20K --no-buffering -e page-faults -c 20 sh -c 'for i in $(seq 1 40); do /bin/true; done' || return
	! [ -e f.data ] && [ "$(ls f.data.* | wc -l)" -ge 2 ] && grep -q 'ptui record: Dump f.data' err || return
	rm f.data.*
	rec --switch-output -e page-faults -c 1 true && [[ $(ls f.data*) =~ ^f\.data\.[0-9]{16}$ ]] && rm f.data.* || return
	rec --switch-output --no-switch-output true && [ -e f.data ] || return
	for wrong in 10 xx 0s 0K '' 5S 1k; do
		refused --switch-output="$wrong" true && grep -q 'expected signal, a size' err || return
	done
	refused --switch-output=1s -o - true && refused --switch-output -A true && grep -q 'cannot be used together' err || return
	refused --switch-output -o /dev/null true && grep -q 'not a regular file' err
}
effect_switch_max_files() {
	rec --switch-output=10K --switch-max-files=2 --no-buffering -e page-faults -c 20 sh -c 'for i in $(seq 1 60); do /bin/true; done' || return
	[ "$(ls f.data* | wc -l)" -eq 2 ] || return
	# the oldest of those that were printed have gone: all but one
	removed=$(sed -n 's/.* \([0-9]*\) older files were removed.*/\1/p' err)
	sed -nE 's/^\[ ptui record: Dump ([^ ]*) \]$/\1/p' err >printed
	[ "$removed" ] && [ $((removed + 1)) -eq "$(wc -l <printed)" ] && [ -e "$(tail -n 1 printed)" ] || return
	refused --switch-max-files 0 true && refused --switch-max-files some true
}
