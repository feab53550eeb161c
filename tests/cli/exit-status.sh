# SPDX-License-Identifier: GPL-2.0-or-later
# EXIT STATUS of the manual page: each clause of it has a command here that ends with that status, and nothing else
# is in it.
. "$top_srcdir/tests/lib/tap.sh"
unset PTUI_PAGER PAGER PTUI_DEBUG XDG_CONFIG_HOME
export LC_ALL=C.UTF-8 HOME=$tmp PERF_CONFIG=/dev/null
cd "$tmp" || exit 1
complete=yes # all clauses are tested here

"$PTUI" --man | sed -n '/^\.SH "EXIT STATUS"$/,/^\.SH/p' | sed -e 's/\\(aq/'"'"'/g' -e 's/\\-/-/g' >section
awk '/^\\fB[0-9]+\\fR$/ { gsub(/[^0-9]/, ""); status = $0; next }
     status != "" && !/^\./ { print status "|" $0 }' section >documented
expect "the manual page lists statuses" test -s documented

# documented_as STATUS WORDS: they are in the text of that status; removed from what is left of it
cp documented left
documented_as() {
	grep -qF -- "$2" <(sed -n "s/^$1|//p" documented) || { cat documented; return 1; }
	awk -v status="$1" -v words="$2" -F '|' '$1 == status && (at = index($0, words)) {
		$0 = substr($0, 1, at - 1) substr($0, at + length(words))
	} { print }' left >left.new && mv left.new left
}

# ends STATUS WORDS COMMAND...: nothing on stderr with 0, and a reason otherwise
ends() {
	local wanted=$1 words=$2 rc=0
	shift 2
	expect "$wanted: '$words' is documented" documented_as "$wanted" "$words"
	"$@" >out 2>err </dev/null || rc=$?
	expect "$wanted: $words: ${*##*/}" test "$rc" -eq "$wanted"
	case $words in
	"No command" | "'ptui doctor'"*) ;; # what they print says it
	*) expect "$wanted: $words: ${*##*/}: the reason" [ -s err ] ;;
	esac
	[ "$rc" -eq "$wanted" ] || note "status $rc: $(head -n 3 err)"
}

expect "0: 'Success' is documented" documented_as 0 Success
for verb in "" $("$PTUI" --help | sed -n '/^Commands$/,/^$/s/^    \([a-z][a-z-]*\) .*/\1/p'); do
	rc=0
	# shellcheck disable=SC2086
	"$PTUI" $verb --help >out 2>err </dev/null || rc=$?
	expect "0: ptui $verb --help" [ $rc -eq 0 ]
	expect "0: ptui $verb --help: nothing on stderr" [ ! -s err ]
	ends 129 "an unknown option" "$PTUI" $verb --no-such-option
done

# One of each kind of command that reads a recording: a file that does not exist, a file of another kind, one
# without bytes, a directory.
echo text >text.data
: >zero.data
mkdir empty
for verb in annotate archive buildid-list evlist inject report script "stat report"; do
	for file in nosuch.data text.data zero.data empty; do
		# shellcheck disable=SC2086
		ends 255 "Failed; the reason is on standard error" "$PTUI" $verb -i $file
	done
done
ends 255 "Failed; the reason is on standard error" "$PTUI" diff nosuch.data text.data

ends 1 "No command" "$PTUI"
ends 1 "no such command" "$PTUI" nosuch
ends 1 "no such command" "$PTUI" help nosuch
ends 1 "no such command" "$PTUI" --help nosuch
ends 1 "no matching event" "$PTUI" list nosuchevent
ends 1 "a file that is not in the build-id cache" "$PTUI" --buildid-dir "$tmp/cache" buildid-cache --purge "$PTUI"
ends 1 "a file that is not in the build-id cache" "$PTUI" --buildid-dir "$tmp/cache" buildid-cache --remove "$PTUI"

ends 129 "an unknown option" "$PTUI" --no-such-option report
ends 129 "an invalid value" "$PTUI" record -F often true
ends 129 "an invalid value" "$PTUI" report -i nosuch.data -s no-such-key
ends 129 "an invalid value" "$PTUI" script -i nosuch.data -F nosuchfield
ends 129 "an unknown event" "$PTUI" record -e nosuchevent true
ends 129 "an unknown event" "$PTUI" stat -e nosuchevent true
ends 129 "an unknown event" "$PTUI" top -e nosuchevent
expect "129: the head of the text" documented_as 129 "Invalid command line"

# --- what needs a recording

if why=$("$top_builddir/tests/lib/need" perf); then
	expect "a recording" "$PTUI" record -q -e cpu-clock:u -o a.data -- sh -c 'i=0; while [ $i -lt 100000 ]; do i=$((i + 1)); done'
	rc=0
	"$PTUI" report -i a.data >out 2>err || rc=$?
	expect "0: a recording" [ "$rc" -eq 0 ]
	head -c $(($(wc -c <a.data) / 2)) a.data >cut.data
	ends 0 "A recording that is damaged or incomplete is shown as far as it can be read; what is missing is reported on standard error" \
		"$PTUI" report -i cut.data
	# the magic, the header and the events, and nothing else
	head -c 400 a.data >events.data
	for verb in report script annotate; do
		ends 255 "Failed; the reason is on standard error" "$PTUI" $verb -i events.data
	done
	# zeros that a crash of the machine left: they take a part of the time that other damage takes
	"$PTUI" record -q -e cpu-clock:u -o - -- true >zeros.data
	truncate -s 4G zeros.data
	ends 0 "A recording that is damaged or incomplete is shown as far as it can be read; what is missing is reported on standard error" \
		sh -c 'ulimit -t 30; "$0" report -i zeros.data' "$PTUI"
	ends 129 "an option that requires data which the recording does not have" "$PTUI" inject -s -i a.data -o b.data
	ends 255 "Failed; the reason is on standard error" "$PTUI" stat report -i a.data
	ends 255 "Failed; the reason is on standard error" "$PTUI" record -o /nosuch/a.data true
	ends 255 "Failed; the reason is on standard error" "$PTUI" record -o b.data ./nosuchprogram
	ends 255 "Failed; the reason is on standard error" "$PTUI" record -p 2147483647 -o b.data

	# of the command: its status, and its signal
	for verb in "record -q -e cpu-clock:u -o b.data" "stat -e cpu-clock:u -o b.stat" "stat record -e cpu-clock:u -o b.data"; do
		words=$(cut -d' ' -f1 <<<"$verb")
		expect "'ptui $words COMMAND' is documented" grep -qF "'ptui $words COMMAND'" section
		for status in 0 1 7 129 255; do
			rc=0
			# shellcheck disable=SC2086
			"$PTUI" $verb -- sh -c "exit $status" >out 2>err </dev/null || rc=$?
			expect "$verb: the command's status $status" [ $rc -eq $status ]
		done
		for signal in TERM KILL; do
			# shellcheck disable=SC2086
			rc=$(python3 -c 'import subprocess, sys; print(subprocess.call(sys.argv[1:]))' \
				"$PTUI" $verb -- sh -c "kill -$signal \$\$" 2>err </dev/null | tail -n 1)
			expect "$verb: the command's signal $signal" [ "$rc" = "-$(kill -l $signal)" ]
		done
	done
else
	skip "statuses of recordings" "$why" perf
	complete=
fi

# --- doctor: a user without rights, and a kernel that opens no event

if why=$("$top_builddir/tests/lib/need" root); then
	chmod 755 "$tmp"
	cp "$PTUI" ptui
	ends 1 "'ptui doctor': a setting or missing privileges prevent part of what this machine can record" \
		setpriv --reuid 65534 --regid 65534 --clear-groups --inh-caps=-all ./ptui doctor
else
	skip "the status of doctor without rights" "$why" root
	complete=
fi
# A seccomp filter: perf_event_open() is refused, everything else allowed.
cat >refused.py <<-'EOF'
	import ctypes, os, struct, sys
	number = {"x86_64": 298, "aarch64": 241, "riscv64": 241}[os.uname().machine]
	ops = [(0x20, 0, 0, 0), (0x15, 0, 1, number), (0x06, 0, 0, 0x50000 | 1), (0x06, 0, 0, 0x7fff0000)]
	code = ctypes.create_string_buffer(b"".join(struct.pack("HBBI", *op) for op in ops))
	program = struct.pack("HxxxxxxP", len(ops), ctypes.addressof(code))
	libc = ctypes.CDLL(None, use_errno=True)
	if libc.prctl(38, 1, 0, 0, 0) or libc.prctl(22, 2, program, 0, 0):
	    sys.exit("no seccomp filter: " + os.strerror(ctypes.get_errno()))
	os.execv(sys.argv[1], sys.argv[1:])
EOF
if python3 refused.py /bin/true 2>why; then
	ends 255 "'ptui doctor': nothing can be recorded" python3 refused.py "$PTUI" doctor
else
	skip "the status of doctor where nothing can be recorded" "$(tail -n 1 why)"
	complete=
fi

# --- nothing else is documented

if [ -n "$complete" ]; then
	sed -E -e 's/\b(or|and)\b//g' -e 's/[ .,:;]//g' left | grep -vE '^[0-9]+\|$' >more
	expect "no clause is without a test" eval '[ ! -s more ] || ! cat more'
fi
finish
