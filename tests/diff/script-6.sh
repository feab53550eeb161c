# SPDX-License-Identifier: GPL-2.0-or-later
# Options of perf script that change which samples are printed, where they end, and where they go.
. "$top_srcdir/tests/lib/tap.sh"
. "$top_srcdir/tests/diff/lib.sh"
. "$top_srcdir/tests/diff/script_lib.sh"
need perf root tracefs

recorded some -e cpu-clock,page-faults,sched:sched_switch -F 500 -g "$work" spin 50
recorded all -a -F 500 -g "$work" spin 50

# --- events that switch ---
on='--switch-on page-faults' off='--switch-off sched:sched_switch' show='--show-on-off-events'
for options in "$on" "$on $show" "$on $off" "$on $off $show"; do
	# shellcheck disable=SC2086
	scripts some -G $options
done
script_meant+=(until_switch_off)
scripts some -G --switch-off page-faults $show
unset 'script_meant[-1]'
none_after() {
	"$PTUI" script -i "$tmp/some.data" -F event --switch-off page-faults >"$tmp/ptui.txt" || return 1
	! grep -q page-faults "$tmp/ptui.txt"
}
expect "--switch-off alone prints nothing after that event" none_after
refused_event() {
	! "$PTUI" script -i "$tmp/some.data" "$1" nothing >"$tmp/ptui.txt" 2>"$tmp/err" || return 1
	grep -q "^ptui: script: $1: the recording has no event 'nothing'" "$tmp/err" && ! [ -s "$tmp/ptui.txt" ]
}
expect "--switch-on an event that is not there" refused_event --switch-on
expect "--switch-off an event that is not there" refused_event --switch-off

# --- ends of callchains ---
for symbols in spin leaf main,leaf nothing; do
	scripts some --stop-bt "$symbols"
	scripts some -F ip,sym --stop-bt "$symbols"
done
expect "there are callchains that end" test "$("$PTUI" script -i "$tmp/some.data" --stop-bt spin |
	awk '/ spin\+/ { at = NR } /^$/ && at && at == NR - 1 { n++ } END { print n + 0 }')" -gt 0
recorded copied -F 500 -e cpu-clock:u --call-graph dwarf "$work" spin 50
scripts copied --no-inline --stop-bt spin

# --- addresses as symbols ---
address=$("$PTUI" script -i "$tmp/some.data" -G -F ip,sym | awk '$2 == "leaf" { print $1; exit }')
for option in "-S $address" "-S 0x$address" "-S main,0x$address" "-S $(printf %x $((0x$address - 15))) --addr-range 16"; do
	# shellcheck disable=SC2086
	scripts some $option -F ip,time,sym
done
expect "an address next to a range" test -z "$("$PTUI" script -i "$tmp/some.data" \
	-S "$(printf %x $((0x$address - 15)))" --addr-range 15 -G -F ip,sym | grep "$address")"

# --- text ---
scripts some -L
scripts all -L -F +cpu
# perf has seen nothing of what other CPUs did before: which names, maps and symbols it knows depends on the order of
# the ring buffers in the file. ptui knows what was there at the time, so that only the records are compared.
unsorted() {
	sed -nE 's/^( \.\.\. thread: ).*:([0-9]+)$/\1\2/p; t; /^ \.+ dso:/d; /^(0x|\.| \.)/p'
}
for label in some all; do
	perf script -i "$tmp/$label.data" --dump-unsorted-raw-trace 2>/dev/null | unsorted >"$tmp/perf.txt"
	"$PTUI" script -i "$tmp/$label.data" --dump-unsorted-raw-trace | unsorted >"$tmp/ptui.txt"
	expect "$label: the raw trace has records" [ "$(grep -c '^0x' "$tmp/perf.txt")" -gt 10 ]
	same "$label: --dump-unsorted-raw-trace" "$tmp/perf.txt" "$tmp/ptui.txt"
done

# --- files by event ---
mkdir "$tmp/perf" "$tmp/ptui"
files_by_event() {
	(cd "$tmp/perf" && ln -s ../some.data . && perf script -i some.data --per-event-dump --show-task-events >out)
	(cd "$tmp/ptui" && ln -s ../some.data . && "$PTUI" script -i some.data --per-event-dump --show-task-events >out)
	[ "$(cd "$tmp/perf" && ls -- *.dump)" = "$(cd "$tmp/ptui" && ls -- *.dump)" ] || return 1
	for file in "$tmp"/perf/*.dump; do
		alike "${file##*/}" "$file" "$tmp/ptui/${file##*/}" "${script_meant[@]}"
	done
	# perf measures files whose end it has not written yet
	sed -i -E 's/^\[ (perf|ptui) script: Wrote [0-9.]+ MB/[ script: Wrote/' "$tmp/perf/out" "$tmp/ptui/out"
	diff "$tmp/perf/out" "$tmp/ptui/out"
}
files_by_event || not_ok "files by event: other names or another summary"
expect "the size of a file" grep -q "Wrote $(awk -v n="$(stat -c %s "$tmp/ptui/some.data.cpu-clock.dump")" \
	'BEGIN { printf "%.3f", n / 1048576 }') MB some.data.cpu-clock.dump" \
	<(cd "$tmp/ptui" && "$PTUI" script -i some.data --per-event-dump)
cannot_write() {
	mkdir "$tmp/ptui/folder" && ln -s ../../some.data "$tmp/ptui/folder/some.data" &&
		mkdir "$tmp/ptui/folder/some.data.cpu-clock.dump" || return 1
	! (cd "$tmp/ptui/folder" && "$PTUI" script -i some.data --per-event-dump 2>err) || return 1
	grep -q "cannot write 'some.data.cpu-clock.dump'" "$tmp/ptui/folder/err"
}
expect "a file that cannot be written" cannot_write

# --- all options of perf script are known, and those that ptui lacks are refused with a reason ---
perf script -h 2>&1 | sed -nE 's/^    (    |-([a-zA-Z])(, )?)?(--([a-z0-9-]+))?([ [].*)?$/\2 \5/p' |
	awk NF >"$tmp/options"
expect "perf script lists its options" test "$(wc -l <"$tmp/options")" -gt 60
known_options() {
	local letter name word bad=0
	while read -r letter name; do
		for word in "$letter" "$name"; do
			case $word in
			'') continue ;;
			?) word=-$word ;;
			*) word=--$word ;;
			esac
			"$PTUI" script -i "$tmp/some.data" "$word" 1 </dev/null >/dev/null 2>"$tmp/err"
			grep -q 'no such option' "$tmp/err" && { cat "$tmp/err"; bad=1; }
		done
	done <"$tmp/options"
	return "$bad"
}
cd "$tmp/ptui" && expect "perf script's options are known" known_options
refused() {
	local word=$1
	shift
	! "$PTUI" script -i "$tmp/some.data" "$@" >/dev/null 2>"$tmp/err" || return 1
	grep -q -- "$word" "$tmp/err" || { cat "$tmp/err"; return 1; }
}
for option in --guest-code --guestkallsyms=x --guestmodules=x --guestmount=x --guestvmlinux=x; do
	expect "$option is refused with a reason" refused guests "$option"
done
for option in --dlfilter=x --dlarg=x --list-dlfilters; do
	expect "$option is refused with a reason" refused libraries "$option"
done
expect "--stitch-lbr without call stacks is refused with a reason" refused 'has call stacks of the LBR with places in it' --stitch-lbr
deep=$tmp/deep.data
"$top_builddir/tests/diff/lbr" "$deep" deep
"$PTUI" script -i "$deep" -F comm,tid,time,ip,sym >"$tmp/short"
for option in "" --stitch-lbr "--stitch-lbr --max-stack 12"; do
	# shellcheck disable=SC2086
	perf script -i "$deep" -F comm,tid,time,ip,sym $option >"$tmp/theirs" 2>"$tmp/err"
	# shellcheck disable=SC2086
	"$PTUI" script -i "$deep" -F comm,tid,time,ip,sym $option >"$tmp/ours" 2>"$tmp/err"
	same "${option:-call stacks of the LBR}: perf's text" "$tmp/theirs" "$tmp/ours"
done
"$PTUI" script -i "$deep" -F comm,tid,time,ip,sym --stitch-lbr >"$tmp/ours"
expect "--stitch-lbr: more callers" [ "$(wc -l <"$tmp/ours")" -gt "$(wc -l <"$tmp/short")" ]

# --- mangled names
if c++ -O1 -w -o "$tmp/cc" "$top_srcdir/tests/diff/unwind_work.cc" 2>"$tmp/err"; then
	recorded mangled -F 1000 "$tmp/cc" sort 60
	for option in --demangle --demangle-kernel --no-demangle; do
		scripts mangled "$option"
	done
	expect "--no-demangle: names as in the file" grep -q ' _Z' "$tmp/ptui.txt"
else
	skip "--no-demangle" "no C++ compiler: $(head -n 1 "$tmp/err")"
fi

expect "--debug-mode is refused with a reason" refused 'sorts samples' --debug-mode
expect "--verbose is refused with a reason" refused PTUI_DEBUG --verbose
expect "--all-cpus is refused with a reason" refused 'ptui record -a' --all-cpus
finish
