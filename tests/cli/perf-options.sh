# SPDX-License-Identifier: GPL-2.0-or-later
#
# Each option that the installed perf lists for a command is in the help of ptui's, or refused by name with a reason
# that says more than that it is missing.
. "$top_srcdir/tests/lib/tap.sh"
need perf
export LC_ALL=C HOME=$tmp
unset PTUI_PAGER PAGER
cd "$tmp" || exit 1

# The letter and the name of each option, "-" for none.
perf_options() {
	perf "$1" -h 2>&1 | sed -nE \
		-e 's/^    -(.), --([a-zA-Z0-9_-]+).*/\1 \2/p' -e 's/^        --([a-zA-Z0-9_-]+).*/- \1/p' \
		-e 's/^    -(.)([ [].*)?$/\1 -/p'
}

# Accepted without a line in the help: what perf does by default, ptui does always.
is_default() {
	case $1 in
	"annotate demangle" | "annotate demangle-kernel" | "stat scale" | "stat no-merge" | "inject force") ;;
	*) return 1 ;;
	esac
}

# in_help LETTER NAME
in_help() {
	local name=${2#no-}
	if [ "$2" = - ]; then
		grep -qE -e "^ *-$1( |,|\$)" help
	elif [ "$1" = - ]; then
		grep -qE -e "--(\[no-\])?(no-)?$name([ =[]|\$)" help
	else
		grep -qE -e "-$1, --(\[no-\])?(no-)?$name([ =[]|\$)" help
	fi
}

# refused VERB WORD NAME: by its name, with at least four words.
refused() {
	local status=0
	timeout 20 "$PTUI" "$1" "$2" </dev/null >out 2>err || status=$?
	[ "$status" -ne 129 ] || ! grep -q 'expects a value\|requires a value' err || {
		status=0
		timeout 20 "$PTUI" "$1" "$2" 1 </dev/null >out 2>err || status=$?
	}
	if [ "$status" -ne 129 ]; then
		echo "$2: status $status"
	elif ! grep -qE "^ptui: $1: (--$3|-[A-Za-z]): .*[a-zA-Z]+ .*[a-zA-Z]+ .*[a-zA-Z]+ .*[a-zA-Z]+" err; then
		echo "$2: no reason"
	elif grep -qE "not supported yet|use 'perf |no such option" err; then
		echo "$2: not a reason"
	else
		return 0
	fi
	head -n 2 err
	return 1
}

for verb in record report stat inject probe annotate script diff top list buildid-cache buildid-list evlist archive; do
	perf_options "$verb" >options
	"$PTUI" "$verb" --help >help 2>&1 </dev/null
	bad=
	n_refused=0
	while read -r letter name <&9; do
		in_help "$letter" "$name" && continue
		is_default "$verb $name" && continue
		n_refused=$((n_refused + 1))
		[ "$name" = - ] || why=$(refused "$verb" "--$name" "$name") || bad+="$why
"
		[ "$letter" = - ] || why=$(refused "$verb" "-$letter" "$name") || bad+="$why
"
	done 9<options
	if [ -z "$bad" ]; then
		ok "$verb: $(wc -l <options) options of perf, $n_refused refused with a reason"
	else
		not_ok "$verb: each option of perf is there or refused with a reason"
		note "$bad"
	fi
	case $verb in
	archive | buildid-list | evlist | list) ;;
	*) expect "$verb: perf lists options" [ "$(wc -l <options)" -gt 10 ] ;;
	esac
done
finish
