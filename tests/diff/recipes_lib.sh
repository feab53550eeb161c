# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# For the scripts that run the lines of tests/diff/recipes, after lib.sh:
#
#	each_recipe VERB FUNCTION	FUNCTION LINE TODAY for each line of "perf VERB"
#	ran WHO LINE			runs LINE with perf or ptui in $tmp/WHO, as a shell would; status in $status,
#					texts in $tmp/WHO/out and err. A line without an end gets Ctrl-C once its
#					events are open
#	both LINE TODAY			runs LINE with ptui while perf runs TODAY; statuses in $ptui_status and $perf_status
#	has_verb VERB			0, or skips all lines of that verb
#
# Of a line only this is replaced: PID by a process of the test, /tmp by the test's own folder, the group of ping's
# probes by $probe_group. The programs that it runs (command, sleep, dd, ping) come from $tmp/bin, and end soon.

recipes=$top_srcdir/tests/diff/recipes
mkdir -p "$tmp/bin" "$tmp/perf" "$tmp/ptui"
cat >"$tmp/bin/command" <<'END'
#!/bin/bash
for ((i = 0; i < 60000; i++)); do :; done
END
printf '#!/bin/bash\nexec %s 0.3\n' "$(type -P sleep)" >"$tmp/bin/sleep"
# shellcheck disable=SC2016
printf '#!/bin/bash\nexec %s "${@/#count=*/count=2000}"\n' "$(type -P dd)" >"$tmp/bin/dd"
chmod +x "$tmp/bin"/{command,sleep,dd}
export PATH=$tmp/bin:$PATH
for who in perf ptui; do
	head -c 300000 /dev/zero >"$tmp/$who/largefile"
done

each_recipe() {
	local line today n=0
	while IFS= read -r line <&8; do
		case $line in "perf $1" | "perf $1 "*) ;; *) continue ;; esac
		today=${line#* | }
		n=$((n + 1))
		[ $((n % ${recipes_parts:-1})) -eq "${recipes_part:-0}" ] || continue
		"$2" "${line%% | *}" "$today"
	done 8<"$recipes"
	expect "there are lines of perf $1" [ $n -gt 0 ]
}

has_verb() {
	"$PTUI" help "$1" >"$tmp/out" 2>"$tmp/err" && return
	no_verb() { skip "$1" "$(tail -n 1 "$tmp/err")"; }
	each_recipe "$1" no_verb
	return 1
}

# Counts are open: the process has file descriptors of perf_event_open(), as many as before.
n_counters() { find "/proc/$1/fd" -lname 'anon_inode:\[perf_event\]' 2>/dev/null | wc -l; }
is_counting() {
	local before=${n_before:-0}
	kill -0 "$1" 2>/dev/null || return 0
	n_before=$(n_counters "$1")
	[ "$n_before" -gt 0 ] && [ "$n_before" -eq "$before" ]
}

# Whether the line ends on its own.
ends() {
	case $1 in
	*' sleep '* | *' command' | *' gzip '* | *' dd '*) ;;
	'perf top '* | 'perf stat '* | 'perf record '*) return 1 ;;
	esac
}

ran() {
	local who=$1 line=${2//PID/$sleeper} pid
	line=${line//\/tmp\//$tmp/$who/}
	line=${line//probe_ping:/${probe_group:-probe_ping}:}
	(
		cd "$tmp/$who" || exit 1
		rm -f perf.data.old
		tool=$who
		[ "$who" = perf ] || tool=$PTUI
		perf() { exec env --default-signal=INT "$tool" "$@"; }
		eval "$line" 8<&-
	) >"$tmp/$who/out" 2>"$tmp/$who/err" </dev/null &
	pid=$!
	if ! ends "$2"; then
		n_before=0
		case $2 in
		'perf top '*) until_so grep -aq 'PerfTop: .*[1-9]' "$tmp/$who/out" ;;
		*) until_so is_counting "$pid" ;;
		esac
		kill -INT "$pid" 2>/dev/null
	fi
	wait "$pid"
	status=$?
}

# perf 6.1 may abort: see one_at_a_time.
both() {
	local aborted=134
	{ ran ptui "$1"; echo "$status" >"$tmp/ptui/status"; } &
	local ptui_run=$!
	for _ in 1 2 3; do
		ran perf "$2"
		[ "$status" -eq $aborted ] || break
	done
	perf_status=$status
	wait $ptui_run
	ptui_status=$(<"$tmp/ptui/status")
}

# One line on standard error that says what is wrong; the rest of it is advice.
says_why() { grep -q '^ptui: .*[a-z]' "$tmp/ptui/err"; }

# refused_as_by_perf LINE: what perf cannot do on this machine, ptui refuses with the reason.
refused_as_by_perf() {
	local why
	if [ "$ptui_status" -eq 0 ]; then
		not_ok "$1: perf refuses it"
		note "perf: $(tail -n 5 "$tmp/perf/err")"
	elif ! says_why; then
		not_ok "$1: says why it is refused"
		note "$(cat "$tmp/ptui/err")"
	else
		why=$(grep -m 1 '^ptui: ' "$tmp/ptui/err")
		skip "$1" "perf cannot, either: ${why#ptui: }"
	fi
}
