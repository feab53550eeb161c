# SPDX-License-Identifier: GPL-2.0-or-later
# The remedies that ptui prints work. Each is in remedies.list, with the test that follows it: here
# those that require no rights.
. "$top_srcdir/tests/lib/tap.sh"
. "$top_srcdir/tests/cli/remedies_lib.sh"
cd "$top_srcdir" || exit 1
list=tests/cli/remedies.list

# --- the list is whole

LC_ALL=C
export LC_ALL
find src ui -name '*.c' -exec awk -v RS='\001' -f tests/cli/remedies.awk {} + | sort -u >"$tmp/texts"
expect "there are remedies" test "$(wc -l <"$tmp/texts")" -gt 50
if command -v xgettext >/dev/null; then
	# Other texts that name what only root does, as warnings do.
	# shellcheck disable=SC2046
	xgettext $(sed -n 's/^XGETTEXT_OPTIONS = //p' po/Makevars) --no-wrap $(grep ^src po/POTFILES.in) -o - 2>/dev/null |
		sed -n 's/^msgid "\(.*\)"$/\1/p' | grep -E 'sudo |sysctl |ulimit|setcap|as root' |
		sort -u - "$tmp/texts" >"$tmp/wanted"
	grep -v '^[[#	]' $list | grep . | sort >"$tmp/listed"
	same "each text is in $list, and no other" "$tmp/wanted" "$tmp/listed"
else
	skip "each text is in $list" "xgettext is not installed"
fi

# not_shown: the texts of the list that their tests do not contain.
not_shown() {
	local line section= text=
	while IFS= read -r line; do
		case $line in
		'' | '#'*) ;;
		'['*) section=${line#[} section=${section%]} text= ;;
		'	'*)
			line=${line#	}
			[[ $text == *"$line"* ]] || echo "not in its text: $line"
			grep -qF -- "$line" "${section#shown by }" || echo "$section: no $line"
			text=
			;;
		*)
			[ -z "$text" ] || echo "no words for: $text"
			text=
			case $section in
			'followed by '*) grep -qF -- "remedy \"${line//\"/\\\"}\"" "${section#followed by }" || echo "$section: no $line" ;;
			'shown by '*) text=$line ;;
			'no remedy: '*) ;;
			*) echo "section [$section]?" ;;
			esac
			;;
		esac
	done <$list
}
not_shown >"$tmp/missing"
expect "each remedy is followed or shown" sh -c '! grep . "$1"' sh "$tmp/missing"

# --- without rights

cd "$tmp" || exit 1
export HOME=$tmp PERF_CONFIG=/dev/null PERF_BUILDID_DIR=$tmp/debug LC_ALL=C.UTF-8
unset PTUI_DEBUG XDG_CONFIG_HOME PTUI_PAGER PAGER

remedy "'ptui record COMMAND' makes it; -i reads another file"
complains "$PTUI" report --stdio
"$PTUI" record -e cpu-clock -- sh -c ': & wait' >/dev/null 2>record.err || {
	skip "$remedy" "nothing can be recorded here: $(cat record.err)"
	finish
}
helped "$PTUI" report --stdio
mv perf.data f.data
complains "$PTUI" report --stdio
helped "$PTUI" report --stdio -i f.data

remedy "'ptui report --help' lists the keys"
complains "$PTUI" report --stdio -i f.data -s zzzzzz
helped "$PTUI" report --help
for key in comm dso sym; do
	helped "$PTUI" report --stdio -i f.data -s "$(grep -owm1 "$key" out)"
done
remedy "'ptui evlist' lists its events"
complains "$PTUI" script -i f.data --switch-on nonsense
helped "$PTUI" evlist -i f.data
helped "$PTUI" script -i f.data --switch-on "$(head -n 1 out)"
remedy "record with %s"
for field in addr time; do
	case $field in
	addr) unneeded=() ;;
	time) unneeded=(--no-timestamp) ;;
	esac
	helped "$PTUI" record "${unneeded[@]}" -e page-faults:u -o less.data -- true
	complains "$PTUI" script -i less.data -F "comm,$field"
	helped "$PTUI" record "$(sed -n 's/.*record with //p' err)" -e page-faults:u -o more.data -- true
	helped "$PTUI" script -i more.data -F "comm,$field"
done
remedy "did you mean '%s'?"
complains "$PTUI" report --stdio -i f.data -s con
helped "$PTUI" report --stdio -i f.data -s "$(sed -n "s/.*did you mean '\(.*\)'?.*/\1/p" err)"
remedy "did you mean %s?"
complains "$PTUI" record -e cpu-clokc -- true
helped "$PTUI" record -e "$(sed -n 's/.*did you mean \(.*\)?.*/\1/p' err)" -- true

remedy "'ptui record --latency' records what it needs"
complains "$PTUI" report --stdio -i f.data --latency
complains "$PTUI" report --stdio -i f.data --parallelism 1
in_company "$PTUI" record -q --latency -e cpu-clock:u -o latency.data -- sh -c 'i=0; while [ $i -lt 20000 ]; do i=$((i + 1)); done' 2>/dev/null
helped "$PTUI" report --stdio -i latency.data --latency
helped "$PTUI" report --stdio -i latency.data --parallelism 1

remedy "put commas between the IDs of several processes, as 'pgrep -d, NAME' does"
sleep 60 &
one=$!
sleep 60 &
two=$!
complains "$PTUI" record -e cpu-clock -p $one $two
helped "$PTUI" record -e cpu-clock -p $one,$two -- true

remedy "'pgrep -d, %.*s' lists the IDs of its processes"
cp "$(command -v sleep)" ptui-idle
./ptui-idle 60 &
three=$!
complains "$PTUI" record -e cpu-clock -p ptui-idle
helped "$PTUI" record -e cpu-clock -p "$(sh -c "$(sed -n "s/.*'\(pgrep.*\)' lists.*/\1/p" err)")" -- true
kill $one $two $three

remedy "'ptui --man' lists them under DEFAULTS"
mkdir -p config/ptui
printf '[record]\n\tnonsense = 1\n' >config/ptui/config
complains env XDG_CONFIG_HOME="$tmp/config" "$PTUI" record -- true
helped "$PTUI" --man
expect "$remedy: they are there" grep -q '^\.SH DEFAULTS\|DEFAULTS' out

remedy "'ptui list metrics metricgroups' lists them"
complains "$PTUI" stat -M nonsense -- true
helped "$PTUI" list metrics metricgroups
helped "$PTUI" stat -M "$(sed -n 's/^  \([a-z].*\)/\1/p' out | head -n 1)" -- true

remedy "without --tui, ptui prints text"
complains "$PTUI" report --tui -i f.data
helped "$PTUI" report -i f.data
expect "$remedy: it is" grep -q Samples out

remedy "without --tui, ptui records without a screen"
complains "$PTUI" record --tui -e cpu-clock -o tui.data -- true
helped "$PTUI" record -e cpu-clock -o tui.data -- true

remedy "its events are %s"
complains "$PTUI" report --stdio --event zzzzzz -i f.data
event=$(sed -n 's/.*its events are \([^,]*\).*/\1/p' err)
helped "$PTUI" report --stdio --event "$event" -i f.data

remedy "use milliseconds, such as 500; -1 to start with events disabled; or ascending time ranges, such as 10-20,30-40"
complains "$PTUI" record -D soon -e cpu-clock -- true
for delay in 500 -1 10-20,30-40; do
	helped "$PTUI" record -D $delay -e cpu-clock -- true
done
remedy "use fd:CTL or fd:CTL,ACK with open file descriptors, or fifo:CTL or fifo:CTL,ACK with paths of FIFOs"
complains "$PTUI" record --control nonsense -e cpu-clock -- true
mkfifo ctl ack
for control in fd:5 fd:5,6 fifo:ctl fifo:ctl,ack; do
	helped "$PTUI" record --control $control -e cpu-clock -- true 5<>ctl 6<>ack
done

remedy "use --overwrite or -M SIZE to keep the last samples until a snapshot is taken, or --switch-output to begin a new file each time"
complains "$PTUI" record --snapshot-when 'cpu-clock > 900G' -e cpu-clock -- true
for way in --overwrite "-M 1M" --switch-output; do
	# shellcheck disable=SC2086
	helped "$PTUI" record $way --snapshot-when 'cpu-clock > 900G' -e cpu-clock -o snap.data -- true
done

remedy "choose another file with -o, or move the directory away"
mkdir d.data
complains "$PTUI" record -e cpu-clock -o d.data -- true
helped "$PTUI" record -e cpu-clock -o e.data -- true
mv d.data away
helped "$PTUI" record -e cpu-clock -o d.data -- true
mkdir d.data.old
complains "$PTUI" record -e cpu-clock -o d.data -- true
mv d.data.old away.old
helped "$PTUI" record -e cpu-clock -o d.data -- true
finish
