# SPDX-License-Identifier: GPL-2.0-or-later
# Parsing of ptui record's options: prefixes, negation, conflicts, missing ones. For their effects
# see record-effects.sh.
. "$top_srcdir/tests/lib/tap.sh"
need root
export LC_ALL=C.UTF-8 HOME=$tmp
unset PTUI_DEBUG XDG_CONFIG_HOME
cd "$tmp" || exit 1

run() {
	rc=0
	timeout 60 "$PTUI" record "$@" >out 2>err </dev/null || rc=$?
}
# bad LABEL PATTERN OPTION...: status 129, one sentence, and no file
bad() {
	local label=$1 pattern=$2
	shift 2
	rm -f perf.data
	run "$@"
	if [ "$rc" -eq 129 ] && grep -v '^    ' err | grep -qE -- "^ptui: record: $pattern" &&
		[ "$(grep -vc '^    ' err)" -eq 1 ] && ! [ -e perf.data ]; then
		ok "$label"
	else
		not_ok "$label"
		note "status $rc: $(cat err)"
	fi
}
# fine LABEL OPTION...: accepted without messages; --dry-run saves the recording
fine() {
	local label=$1
	shift
	run --dry-run -e page-faults "$@" true
	if [ "$rc" -eq 0 ] && ! [ -s err ]; then ok "$label"; else not_ok "$label"; note "status $rc: $(cat err)"; fi
}
# told LABEL PATTERN OPTION...: accepted with a message
told() {
	local label=$1 pattern=$2
	shift 2
	run --dry-run -e page-faults "$@" true
	if [ "$rc" -eq 0 ] && grep -qE -- "$pattern" err; then ok "$label"; else not_ok "$label"; note "status $rc: $(cat err)"; fi
}

# perf's options that ptui does not have, by any spelling
for option in --threads --threads=cpu --aio --aio=2 --kcore --off-cpu \
	--clang-path=/bin/clang --clang-opt=-O2 --debuginfod --kco; do
	bad "$option: refused with a reason" '.*not supported: [a-z]+ [a-z]+' "$option" true
done
bad "what is no option at all is another thing" 'no such option --aux-simple' --aux-simple true
fine "what is not there can be taken back" --no-aio --no-kcore --no-threads

bad "a prefix of none" 'no such option --no-such' --no-such true
bad "a prefix of several" '--s is ambiguous: it could be ' --s true
fine "a prefix of one" --strict --trans --switch-ev --name
for option in strict-freq group no-samples all-kernel all-user kernel-callchains user-callchains timestamp period \
	sample-cpu data phys-data data-page-size code-page-size raw-samples weight transaction sample-identifier \
	running-time stat switch-events latency namespaces all-cgroups tail-synthesize call-graph; do
	fine "--no-${option#no-} takes it back" "--no-${option#no-}"
done 2>/dev/null
fine "--bpf-event takes --no-bpf-event back" --no-bpf-event --bpf-event
fine "letters together" -gdPTW
fine "-g, and the command is what comes then" -g

told "-g dwarf, as tutorials have it" '-g takes no value; reading it as --call-graph' -g dwarf
told "-g dwarf,4096" '-g takes no value' -g dwarf,4096
told "chains of one half without chains" 'have no effect without -g' --user-callchains
told "registers that dwarf may need" 'may need registers' --call-graph dwarf --user-regs=ax
told "lbr of the kernel only" 'falling back to frame pointers' --call-graph lbr --all-kernel

bad "--all-user and --all-kernel" '--all-kernel and --all-user cannot be used together' --all-user --all-kernel true
bad "-b and -j" '-j: -b and -j can be given only once' -b -j any true
bad "-F and -c" '-F and -c cannot be used together' -F max -c 5 true
bad "-k twice" '-k: can be given only once' -k mono -k raw true
bad "a clock that is none" "-k: unknown clock 'process'" -k process true
bad "a way to record chains that is none" "--call-graph: unknown callchain method 'gdb'" --call-graph gdb true
bad "fp takes no size" "--call-graph: only dwarf accepts a size" --call-graph fp,8 true
bad "a stack too large" "--call-graph: dwarf expects a stack size of 1 to 65528 bytes" --call-graph dwarf,65529 true
bad "a stack of nothing" "--call-graph: dwarf expects a stack size of 1 to 65528 bytes" --call-graph dwarf,0 true
bad "live comes last" "--call-graph: dwarf expects a stack size of 1 to 65528 bytes, live, or both" --call-graph dwarf,live,512 true
bad "live of frame pointers" "--call-graph: only dwarf accepts a size or live" --call-graph fp,live true
bad "deferred callchains" "--call-graph: deferred user callchains can be read but not recorded: use fp, not 'fp,defer'" --call-graph fp,defer true
bad "a register that is none" "-I: unknown register 'exx'" -Iip,exx true
bad "the registers there are" "-I: available registers: .*SP|-I: available registers: .*sp" '-I?' true
bad "synth" "--synth: cannot synthesize 'maps'" --synth task,maps true
bad "no thread at all" "--num-thread-synthesize: expected a number of threads" --num-thread-synthesize 0 true
bad "no time at all" "--proc-map-timeout expects a number from 1" --proc-map-timeout 0 true

# refused by the kernel
run -e cpu-clock -b true
expect "-b of a software event: refused before anything starts" \
	sh -c "[ $rc -eq 255 ] && grep -q 'a software event has no branch stack' err && ! [ -e perf.data ]"
run --call-graph lbr -e cpu-clock true
expect "--call-graph lbr of a software event" grep -q 'a software event has no branch stack' err
run -k 2 -e cpu-clock true
expect "a clock that the kernel does not take" grep -q 'does not accept this clock' err

"$PTUI" record -h >help
for heading in 'Events and sampling' Callchains 'Sample fields' 'Other records' Target Output; do
	expect "-h has the heading $heading" grep -qx "$heading" help
done
expect "-h does not have what is not there" sh -c '! grep -qE -- "--(aio|kcore|threads)" help'
finish
