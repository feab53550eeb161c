# SPDX-License-Identifier: GPL-2.0-or-later
# perf record and ptui record (on the command line, and pasted into Setup) open the same events for
# the same line. Every event is opened as a dummy (hook.c); the lines are those of perf record
# in tests/diff/recipes, every other one of them is for recipes-2.sh.
. "$top_srcdir/tests/lib/tap.sh"
. "$top_srcdir/tests/diff/lib.sh"
need perf root tracefs

hook=$top_builddir/tests/attr/hook.so
pasted=$top_builddir/tests/attr/pasted
[ -r "$hook" ] || skip_all "the hook was not built"
export HOME=$tmp XDG_CONFIG_HOME=$tmp

sleep 300 & sleeper=$!
meant=(attr_size build_id dummy_branches ids_of_sideband own_sideband cache_name)

# One field a line.
fields() {
	sed -e '/^# Tip/d' -e 's/{ sample_period, sample_freq }/sample_period_or_freq/' \
		-e 's/: type: /\n\ttype: /' -e 's/: size: /\n\tsize: /' -e 's/, /\n\t/g'
}

# record WHO N PROGRAM WORD...: WHO is perf, ptui or pasted
record() {
	local who=$1 n=$2 folder=$tmp/$1.$2
	shift 2
	mkdir -p "$folder"
	(cd "$folder" && ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}verify_asan_link_order=0 \
		LD_PRELOAD=$hook timeout 50 "$@" >out 2>&1 </dev/null) || echo "status $?" >>"$folder/out"
	[ -s "$folder/perf.data" ] || return 0
	attrs_of "$folder/perf.data" 2>>"$folder/out" | fields >"$folder/attrs"
}

# A command that exits at once, for lines without one: system-wide if they have no target.
end_for() {
	case " $1 " in
	*' sleep '* | *' command '*) ;;
	*' -p '*) echo "-- true" ;;
	*) echo "-a -- true" ;;
	esac
}

# as_typed LINE: with this machine's values for placeholders; as shell input
as_typed() {
	sed -e "s/PID/$sleeper/" -e 's/sleep [0-9]*$/true/' -e 's/command$/true/' <<<"$1"
}

n=0 n_lines=0 recorders=()
while IFS= read -r line; do
	line=${line//perf record /record }
	line=${line//\/tmp\/}
	n_lines=$((n_lines + 1))
	[ $((n_lines % 2)) -eq ${recipes_part:-0} ] || continue
	n=$((n + 1))
	today=${line#* | }
	line=${line%% | *}
	titles[n]=$line
	today[n]=$today
	line=$(as_typed "$line")
	end=$(end_for "$line")
	today=$(as_typed "$today")
	set -f
	if [ "${today[n]}" != - ]; then
		eval "words=(${today#record} $end)"
		record perf $n perf record -B "${words[@]}" &
		recorders+=($!)
	fi
	eval "words=(${line#record} $end)"
	record ptui $n "$PTUI" record "${words[@]}" &
	recorders+=($!)
	if "$pasted" "perf $line" >"$tmp/words" 2>"$tmp/left-out.$n"; then
		mapfile -t words <"$tmp/words"
		[ -z "$end" ] || words+=(-- true)
		record pasted $n "$PTUI" "${words[@]:1}" &
		recorders+=($!)
	else
		mkdir -p "$tmp/pasted.$n"
		cp "$tmp/left-out.$n" "$tmp/pasted.$n/out"
	fi
	set +f
	[ $((n % 4)) -ne 0 ] || { wait "${recorders[@]}"; recorders=(); }
done < <(grep '^perf record' "$top_srcdir/tests/diff/recipes")
[ ${#recorders[@]} -eq 0 ] || wait "${recorders[@]}"
kill $sleeper

n_compared=0
for ((i = 1; i <= n; i++)); do
	for who in ptui pasted; do
		if [ "${today[i]}" = - ]; then
			expect "$who: ${titles[i]}: records" [ -s "$tmp/$who.$i/attrs" ]
		elif [ -s "$tmp/perf.$i/attrs" ]; then
			[ -s "$tmp/$who.$i/attrs" ] || note "$who: $(head -n 5 "$tmp/$who.$i/out")"
			alike "$who: ${titles[i]}" "$tmp/perf.$i/attrs" "$tmp/$who.$i/attrs" "${meant[@]}"
			n_compared=$((n_compared + 1))
		else
			# not supported by this machine: reported, and nothing is recorded
			expect "$who: ${titles[i]}: refused as by perf" [ ! -e "$tmp/$who.$i/perf.data" ]
			expect "$who: ${titles[i]}: reports why" grep -q '[a-z]' "$tmp/$who.$i/out"
		fi
	done
done
expect "most of the lines work here: $n_compared of $((2 * n))" [ $n_compared -ge $n ]
finish
