# SPDX-License-Identifier: GPL-2.0-or-later
# Threads that are created and exit while ptui attaches, and a process that calls exec: each thread
# that exists at the end is counted once, and the recording continues.
. "$top_srcdir/tests/lib/tap.sh"
need perf root
. "$top_srcdir/tests/fault/lib.sh"

ended() { ! kill -0 "$1" 2>/dev/null; }
begun_or_ended() { [ -s f.data ] || ended "$recorder"; }

# counts OPTION...: page faults in marker(), "tid count" a line, sorted.
counts() {
	perf script -i f.data -F tid,ip,sym 2>script.err |
		awk '$3 == "marker" { n[$1]++ } END { for (t in n) print t, n[t] }' | sort
}
# attached MODE N OPTION...: records a storm from the middle of it to its end.
attached() {
	local mode=$1 n=$2
	shift 2
	rm -f f.data
	storm_begin "$mode" "$n"
	timeout 100 "$PTUI" record -e page-faults:u -c 1 -o f.data "$@" -p "$storm_pid" >out 2>err </dev/null &
	recorder=$!
	until_so begun_or_ended
	storm_end
	wait $recorder
	status=$?
	counts >got
}
# All, except for as many as the kernel may hide: see src/record/target/attach.c.
all_but() {
	local off
	off=$(comm -3 wanted got | awk '{ print $1 }' | sort -u | wc -l)
	[ "$(wc -l <wanted)" -gt 1 ] && [ "$off" -le "$1" ] && return
	echo "of $(wc -l <wanted) threads $off are not as they should be (< wanted, > got):"
	diff wanted got
	cat err
	return 1
}
# Or a message that ptui cannot keep up, as on a busy machine.
told_or_all_but() { grep -q 'created faster than ptui can attach to them' err || all_but "$1"; }

attached pool 300
expect "300 threads: the recording ends with them" test $status -eq 0
expect "300 threads: each is counted once" all_but 0
attached pool 300 --per-thread
expect "300 threads, a ring each: status 0" test $status -eq 0
expect "300 threads, a ring each: each is counted once" all_but 0
# In a relay one missed thread hides all that follow it: two of three runs must be complete.
whole=0
for round in 1 2 3; do
	attached relay 150
	expect "threads made in a relay, $round: status 0" test $status -eq 0
	told_or_all_but 1 >why && whole=$((whole + 1)) || sed 's/^/# /' why
done
expect "threads made in a relay: each is counted once, or reported" test $whole -ge 2
for round in 1 2 3; do
	attached parent 150
	expect "threads made in a parent, $round: status 0" test $status -eq 0
	expect "threads made in a parent, $round: each is counted once" told_or_all_but 1
done

# A process that becomes another program is followed.
cat >becomes <<'EOF'
read -r go
exec "$1" pool 3
EOF
mkfifo go
rm -f storm.out
sh becomes "$storm" <go >storm.out &
storm_pid=$!
exec 8>go
rm -f f.data
timeout 100 "$PTUI" record -e page-faults:u -c 1 -o f.data -p "$storm_pid" >out 2>err </dev/null &
recorder=$!
until_so begun_or_ended
echo go >&8
until_so storm_ready
storm_end
wait $recorder
expect "a target that execs: status 0" test $? -eq 0
counts >got
expect "a target that execs: its threads are counted" all_but 0
exec 8>&-

# Threads that exit while ptui attaches to them, and afterwards.
storm_begin relay 5
rm -f f.data
timeout 100 "$PTUI" record -q -e page-faults:u -c 1 -o f.data -p "$storm_pid" -- sleep 0.3 >out 2>err
expect "threads that die: status 0" test $? -eq 0
expect "threads that exit: no message" test ! -s err
expect "threads that die: perf reads it" perf script -i f.data -F tid
storm_end
finish
