# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# Behind tap.sh, to follow what ptui advises:
#
#	remedy "TEXT"		what is followed from here on, as it is in the source
#	complains COMMAND...	it prints that text
#	helped COMMAND...	it succeeds, without it
#
# Both leave what the command printed in out and err. For root, behind fault/lib.sh as well:
#
#	changes SETTING...	sysctls of kernel.* that are put back when the script ends
#	set_to SETTING VALUE
#	recorded OPTION...	ptui record without any right
#	recorded_within LIMIT OPTION...		and with this option of prlimit

# As an extended regular expression: formatted parts match anything.
remedy() {
	remedy=$1
	pattern=$(sed -e 's/[][\.^$*+?(){}|]/\\&/g' \
		-e "s/%<[A-Za-z0-9]*>/.*/g; s/%%/%/g; s/%[-0-9\\.*]*[hlzjt]*[diuxsfc]/.*/g" <<<"$1")
}

complains() {
	rm -f open/f.data
	"$@" >out 2>err </dev/null
	expect "$remedy: printed" grep -qE -- "$pattern" out err
}

helped() {
	rc=0
	rm -f open/f.data
	"$@" >out 2>err </dev/null || rc=$?
	expect "$remedy: helps ($*): status 0" test_status
	expect "$remedy: helps ($*): not printed again" sh -c '! grep -E -- "$1" err' sh "$pattern"
}
test_status() { [ "$rc" -eq 0 ] || { cat err; return 1; }; }

recorded() { as_nobody "$ptui" record -o open/f.data "$@"; }
recorded_within() {
	local limit=$1
	shift
	prlimit "$limit" setpriv --reuid $nobody --regid $nobody --clear-groups --inh-caps=-all \
		env HOME="$tmp/open" "$ptui" record -o open/f.data "$@"
}

changes() {
	local name
	changed="$*"
	for name; do
		cat "/proc/sys/kernel/$name" >"$name.before" 2>/dev/null || skip_all "there is no kernel.$name"
	done
	trap 'put_back; leave' EXIT
	for name; do
		{ cat "$name.before" >"/proc/sys/kernel/$name"; } 2>/dev/null || skip_all "kernel.$name cannot be set here"
	done
}
put_back() {
	local name
	for name in $changed; do
		cat "$tmp/$name.before" >"/proc/sys/kernel/$name"
	done
}
set_to() {
	sysctl -q "kernel.$1=$2" || { not_ok "kernel.$1 is set to $2"; finish; }
}
