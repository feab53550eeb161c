# SPDX-License-Identifier: GPL-2.0-or-later
# ptui list sdt and probe: markers of programs, and probes created from them.
. "$top_srcdir/tests/lib/tap.sh"
unset PTUI_PAGER PAGER PTUI_DEBUG
marked=$(realpath "$top_builddir/tests/unit/dso/test_sdt") # has markers of its own
export HOME=$tmp

list() { rc=0; "$PTUI" list "$@" >"$tmp/out" 2>"$tmp/err" </dev/null || rc=$?; }
has() { grep -qE -- "$1" "$tmp/out" || { cat "$tmp/out" "$tmp/err"; return 1; }; }

list sdt
expect "no cache: no markers, status 1" [ "$rc" -eq 1 ]
expect "... and what adds them" grep -q "'ptui buildid-cache -a FILE' adds those of a file" "$tmp/err"
"$PTUI" --buildid-dir "$tmp/added" buildid-cache -a "$marked"
rc=0
"$PTUI" --buildid-dir "$tmp/added" list sdt >"$tmp/out" 2>"$tmp/err" </dev/null || rc=$?
expect "... added: they are listed" has '^  sdt_shop:sell '
list sdt "$marked"
cat >"$tmp/want" <<-END
	  sdt_bank:open                                      [SDT event]
	  sdt_shop:open                                      [SDT event]
	  sdt_shop:sell                                      [SDT event]
END
same "the markers of a file" "$tmp/want" "$tmp/out"
list --long-desc sdt "$marked"
expect "... with place and arguments" has "^ +\[$marked:0x[0-9a-f]+ 8@%rdi -4@%rsi\]$"
list sdt /etc/passwd "$marked"
same "a file that is none does not hide the others" "$tmp/want" "$tmp/out"
expect "... and is named" grep -q '/etc/passwd is not an ELF file' "$tmp/err"
list sdt "$PTUI"
expect "a file without markers: status 255" [ "$rc" -eq 255 ]
expect "... and the reason" grep -q 'has no markers' "$tmp/err"
list --details sdt "$marked"
expect "a marker without a probe cannot be counted, with the way out" \
	has '^ +make one: sudo ptui probe sdt_shop:sell '

if ! "$top_builddir/tests/lib/need" perf root tracefs >"$tmp/why" 2>&1; then
	skip "perf's cache" "$(cat "$tmp/why")" perf
	skip "a probe that was made" "$(cat "$tmp/why")" tracefs
	finish
fi
perf buildid-cache --add "$marked" >"$tmp/add" 2>&1
perf list sdt 2>/dev/null </dev/null | grep '\[SDT event\]' >"$tmp/perf"
list sdt
same "perf's cache: what perf lists" "$tmp/perf" "$tmp/out"
expect "... which is not nothing" test -s "$tmp/perf"
list 'sdt_shop:*'
expect "a pattern" [ "$(grep -c '^  sdt_shop:' "$tmp/out")" -eq 2 ]

# Probes are machine-wide: one with a unique name, removed again.
one_at_a_time
tracing=/sys/kernel/tracing
[ -d $tracing/events ] || tracing=/sys/kernel/debug/tracing
group=ptui_test_$$
offset=$("$PTUI" list --long-desc sdt "$marked" | sed -n "s|.*\[$marked:\(0x[0-9a-f]*\) 8@.*|\1|p")
if ! echo "p:$group/sold $marked:$offset" >>$tracing/uprobe_events 2>"$tmp/why"; then
	skip "a probe that was made" "this kernel takes no uprobe: $(cat "$tmp/why")" tracefs
	finish
fi
list --long-desc probe
expect "a probe is listed" has "^  $group:sold +\[Tracepoint event\]$"
expect "... with its definition" has "^ +\[p:$group/sold $marked:0x0*${offset#0x}"
list "$group:*"
expect "... by a pattern" has "^  $group:sold "
list
expect "... once" [ "$(grep -c "^  $group:sold " "$tmp/out")" -eq 1 ]
list tracepoint
expect "... among the tracepoints too, as in perf" has "^  $group:sold "
list --details "$group:sold"
expect "... and can be counted" has '^ +can be counted here$'
"$PTUI" record -q -o "$tmp/data" -e "$group:sold" "$marked" >"$tmp/record" 2>&1
perf script -i "$tmp/data" -F event 2>/dev/null >"$tmp/hits"
expect "... and recorded" grep -q "$group:sold" "$tmp/hits"
echo "-:$group/sold" >>$tracing/uprobe_events
finish
