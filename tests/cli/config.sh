#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Defaults out of config files: which file beats which, what the command line beats, and mistakes.

. "$top_srcdir/tests/lib/tap.sh"
unset PTUI_PAGER PAGER PTUI_DEBUG XDG_CONFIG_HOME PERF_CONFIG PERF_CONFIG_NOGLOBAL
export HOME=$tmp/home
mkdir -p "$HOME/.config/ptui"
cd "$tmp" || exit 1
"$PTUI" --version >version
[ -e /etc/perfconfig ] && export PERF_CONFIG_NOSYSTEM=1

if ! "$PTUI" record -o f.data -e page-faults -c 1 -g -- true >/dev/null 2>err; then
	skip_all "no recording can be made here: $(head -n 1 err)"
fi

perf_config() { printf '%s\n' "$@" >"$HOME/.perfconfig"; }
ptui_config() { printf '%s\n' "$@" >"$HOME/.config/ptui/config"; }
none() { rm -f "$HOME/.perfconfig" "$HOME/.config/ptui/config"; }
report() {
	rc=0
	"$PTUI" report --stdio -i f.data "$@" >out 2>err </dev/null || rc=$?
}
sorted_by() { grep -E '^# +(Children|Overhead) ' out | grep -E "$1 *\$"; }

report
if sorted_by 'Command +Shared Object +Symbol' >/dev/null; then
	ok "without a config: comm, dso, symbol"
else
	not_ok "without a config: comm, dso, symbol"
	head -n 15 out | sed 's/^/# /'
fi
perf_config '[report]' '	sort_order = dso' '	children = false'
report
expect "perf's own config is read" sorted_by 'Overhead +Shared Object'
expect "without a message" test ! -s err
if command -v perf >/dev/null; then
	perf report --stdio -i f.data >out 2>/dev/null </dev/null
	expect "perf takes it as we do" sorted_by 'Overhead +Shared Object'
fi
report -s sym
expect "the command line beats it" sorted_by 'Overhead +Symbol'
report --children
expect "also for a flag" sorted_by 'Children +Self +Shared Object'
ptui_config 'set theme light' '[report]' 'sort_order = comm'
report
expect "ptui's config beats perf's" sorted_by 'Overhead +Command'
printf '[report]\nsort_order = sym\n' >other
rm "$HOME/.config/ptui/config"
PERF_CONFIG=$tmp/other report
expect "PERF_CONFIG is the one config of perf's" sorted_by 'Children +Self +Symbol'
PERF_CONFIG_NOGLOBAL=yes report
expect "PERF_CONFIG_NOGLOBAL leaves ~/.perfconfig out" sorted_by 'Children +Self +Command +Shared Object +Symbol'
none

ptui_config '[report]' 'percent-limit = 100'
report -s sym --no-children
expect "a limit of 100 % leaves no rows" sh -c '! grep -qE "^ +[0-9.]+%" out'
ptui_config '[call-graph]' 'print-type = none'
report --no-children
expect "no call chains are drawn" sh -c '! grep -q -- "--" out'
ptui_config '[call-graph]' 'order = caller' 'threshold = 0.1' 'print-limit = 3' 'sort-key = function'
report --no-children
expect "the others are taken" test $rc -eq 0 -a ! -s err

none
report -s dso --no-children -g none
dso=$(awk '/^ +[0-9.]+%/ { print $2; exit }' out)
share() { report -s dso --no-children -g none -d "$dso" "$@" && awk '/^ +[0-9.]+%/ { print $1 }' out; }
perf_config '[hist]' '	percentage = relative'
expect "the percentages of $dso alone" [ "$(share)" = 100.00% ]
expect "of all samples" [ "$(share --percentage absolute)" != 100.00% ]
perf_config '[report]' '	skip-empty = false'
report
expect "report.skip-empty is taken" test $rc -eq 0 -a ! -s err
none

# --- each variable of report, hist and call-graph in perf-config(1): NAME|VALUE|OPTIONS|what report then prints;
# !: does not print, err: is the warning
"$PTUI" --man | sed 's/\\-/-/g' >manual
while IFS='|' read -r name value options want; do
	perf_config "[${name%%.*}]" "	${name#*.} = $value"
	eval "report $options"
	case $want in
	!*) expect "$name = $value: not $want" eval '[ $rc -eq 0 ] && [ ! -s err ] && ! grep -qE -e "${want#!}" out' ;;
	err:*) expect "$name = $value: $want" eval '[ $rc -eq 0 ] && grep -qF -e "${want#err:}" err' ;;
	*) expect "$name = $value: $want" eval '[ $rc -eq 0 ] && [ ! -s err ] && grep -qE -e "$want" out' ;;
	esac
	grep -qF "$name" manual || not_ok "$name is in the manual"
done <<'END'
hist.percentage|relative|--no-children -g none -s dso -d "$dso"|^ +100\.00%
hist.percentage|absolute|--no-children -g none -s dso -d "$dso"|!^ +100\.00%
report.sort_order|dso||^# Children +Self +Shared Object
report.percent-limit|100|--no-children -s sym|!^ +[0-9.]+%
report.queue-size|1000||^# Samples
report.children|false||^# Overhead
report.children|true||^# Children
report.group|false||^# Samples
report.skip-empty|true||^# Samples
call-graph.print-type|none|--no-children|!--
call-graph.print-type|graph|--no-children|--
call-graph.print-type|fractal|--no-children|--
call-graph.print-type|flat|--no-children|^ +[0-9.]+%$
call-graph.print-type|folded|--no-children|^[0-9.]+% [^ ]
call-graph.print-type|odd||err:call-graph.print-type: expected one of 
call-graph.order|caller|--no-children|--
call-graph.order|callee|--no-children|--
call-graph.sort-key|function|--no-children|--
call-graph.sort-key|address|--no-children|--
call-graph.sort-key|odd||err:call-graph.sort-key: expected one of function
call-graph.threshold|100|--no-children|^# Samples
call-graph.print-limit|1|--no-children|--
call-graph.record-mode|fp||^# Samples
call-graph.dump-size|4096||^# Samples
END
none

# --- what -g is

chains() { # BITS OPTION...: with the config that there is; BITS are those of the sample and of the stack
	local want=$1 got
	shift
	"$PTUI" record -o b.data -e page-faults "$@" -- true >/dev/null 2>err </dev/null || { cat err; return 1; }
	got=$(PERF_CONFIG=/dev/null perf evlist -v -i b.data 2>/dev/null | grep '^page-faults' |
		grep -oE 'CALLCHAIN|REGS_USER|sample_stack_user: [0-9]+' | sed 's/.*: //' | tr '\n' ' ')
	echo "got '$got'"
	[ "$got" = "${want:+$want }" ]
}
if command -v perf >/dev/null; then
	perf_config '[call-graph]' 'record-mode = dwarf' 'dump-size = 4096'
	expect "call-graph.record-mode alone brings no call chains" chains ''
	expect "it is what -g is" chains 'CALLCHAIN REGS_USER 4096' -g
	expect "--call-graph beats it" chains 'CALLCHAIN' --call-graph fp
	ptui_config '[record]' 'call-graph = dwarf,1024'
	expect "record.call-graph of ptui's config" chains 'CALLCHAIN REGS_USER 1024' -g
	expect "and -g after another mode keeps that" chains 'CALLCHAIN' --call-graph fp -g
	none
	perf_config '[call-graph]' 'record-mode = bogus'
	expect "perf's: a mode that is none is left out" chains 'CALLCHAIN' -g
	expect "perf's: and reported" grep -q 'perfconfig:2: call-graph.record-mode: ' err
	none
fi

# --- build-ids

where() { # WHAT: mmap, table, cache or none, with the config that there is
	local got=none
	rm -rf "$HOME/.debug" cache
	"$PTUI" record -o b.data -e page-faults -c 1 ${2-} -- true >/dev/null 2>err </dev/null || { cat err; return 1; }
	perf evlist -v -i b.data 2>/dev/null | grep -q 'build_id: 1' && got=mmap
	perf report --header-only -i b.data 2>/dev/null | grep 'missing features' | grep -qw BUILD_ID || got=table
	[ -d "$HOME/.debug/.build-id" ] && got=cache
	echo "$got $(head -n 1 err)"
	[ "$got" = "$1" ]
}
if command -v perf >/dev/null; then
	expect "build-ids: in the records of what is mapped" where mmap
	ptui_config '[record]' 'build-id = cache'
	expect "record.build-id = cache" where cache
	expect "-N beats it" where table -N
	expect "--buildid-mmap beats it" where mmap --buildid-mmap
	ptui_config '[record]' 'build-id = cache' '[buildid]' "dir = $tmp/cache"
	expect "buildid.dir" where table
	expect "buildid.dir: perf reads the cache there" sh -c \
		"perf --buildid-dir '$tmp/cache' buildid-cache -l | grep /true"
	ptui_config '[record]' 'build-id = cache' '[buildid]' 'dir = /dev/null'
	expect "buildid.dir = /dev/null: no cache" where table
	none
	perf_config '[record]' 'build-id = no-cache'
	expect "record.build-id = no-cache, of perf" where table
	expect "--buildid-all leaves it so" where table --buildid-all
	ptui_config '[record]' 'build-id = mmap'
	expect "record.build-id = mmap beats it" where mmap
	none
	perf_config '[record]' 'build-id = skip'
	expect "record.build-id = skip" where none
	expect "--buildid-cache beats it" where cache --buildid-cache
	none
	"$PTUI" --buildid-dir "$tmp/other-cache" record --buildid-cache -o b.data -e page-faults -c 1 -- true 2>err
	expect "--buildid-dir" test -d "$tmp/other-cache/.build-id"
	cp "$(type -P sleep)" gone && "$PTUI" --buildid-dir "$tmp/other-cache" record --buildid-cache -o b.data \
		-e page-faults -c 1 -- ./gone 0 2>err
	rm gone
	"$PTUI" --buildid-dir "$tmp/other-cache" report --stdio -i b.data -s dso,sym -v >out 2>err
	expect "a program that is gone is found in the cache" test -n "$(find other-cache -path '*/gone/*/elf')"
fi

# --- mistakes

wrong() { # NAME SENTENCE LINE...
	local name=$1 sentence=$2
	shift 2
	ptui_config "$@"
	report
	expect "$name: reported" grep -qE "^ptui: report: $HOME/.config/ptui/config:$sentence" err
	expect "$name: refused" test $rc -eq 129
	none
}
wrong "a value that is none" "2: report.children: expected true or false, not 'perhaps'\$" \
	'[report]' 'children = perhaps'
wrong "a choice that is none" "3: call-graph.order: expected one of caller, callee, not 'up'\$" \
	'set theme light' '[call-graph]' 'order = up'
wrong "a name that is none" "2: no such setting 'report.sort-order'; did you mean 'report.sort_order'\?\$" \
	'[report]' 'sort-order = comm'
wrong_record() {
	ptui_config "$@"
	! "$PTUI" record -o b.data -e dummy true >out 2>err
	grep -q "config:2: record.build-id: expected one of cache, no-cache, skip, mmap, not 'cash'\$" err
	local rc=$?
	none
	return $rc
}
expect "a place of build-ids that is none" wrong_record '[record]' 'build-id = cash'
wrong "a line that is none" "2: expected \[SECTION\] or, below one, NAME = VALUE\$" '[report]' '[report'

perf_config '[report]' 'children = perhaps' 'sort_order = dso' 'queue-size = 10' '[colors]' 'top = red, default'
report
expect "perf's: an error is reported" grep -qE "$HOME/.perfconfig:2: report.children: expected true or false" err
expect "perf's: but the rest is taken" sorted_by 'Children +Self +Shared Object'
expect "perf's: no other message" test "$(wc -l <err)" -eq 1
perf_config '[report' 'sort_order'
report
expect "perf's: nonsense is no reason to stop" test $rc -eq 0
expect "perf's: and is reported" grep -qE "$HOME/.perfconfig:1: expected \[SECTION\]" err
perf_config '[report]' 'sort_order = nonsense'
report
expect "perf's: a key that is none is left out" test $rc -eq 0
expect "perf's: and reported" grep -q 'report.sort_order: ' err
none
if [ "$(id -u)" -eq 0 ]; then
	perf_config '[report]' 'sort_order = dso'
	chown 65534 "$HOME/.perfconfig"
	if command -v setpriv >/dev/null && chmod 755 "$tmp" && chmod 644 f.data && cp "$PTUI" ptui 2>/dev/null; then
		chown 65533 "$tmp/home"
		setpriv --reuid 65533 --clear-groups ./ptui report --stdio -i f.data >out 2>err </dev/null
		expect "perf's: another user's is not read" grep -q 'owned neither by you nor by root' err
		expect "perf's: nor taken" sorted_by 'Children +Self +Command +Shared Object +Symbol'
	fi
	none
fi

"$PTUI" --man >page
expect "the manual has them" sh -c 'grep -q "^.SH \"DEFAULTS\"" page && grep -q "report.sort_order" page'
finish
