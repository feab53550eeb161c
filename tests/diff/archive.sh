#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# ptui archive: perf and ptui read it where the recorded files are gone; hostile archives are refused.

. "$top_srcdir/tests/lib/tap.sh"
. "$top_srcdir/tests/diff/lib.sh"
need perf
unset DEBUGINFOD_URLS PTUI_PAGER PAGER XDG_CONFIG_HOME
export TMPDIR=$tmp/temp
mkdir "$TMPDIR"
cd "$tmp" || exit 1
type -P zstd >/dev/null || skip_all "no zstd to unpack with"

# A program that goes away, with a function of its own, recorded with callchains.
long=$tmp/$(printf 'a-folder-with-a-long-name-%s/' 1 2 3 4 5 6)
mkdir -p "$long"
cat >prog.c <<'END'
#include <stdlib.h>
volatile char *p;
__attribute__((noinline)) void touches_pages(void) { for (int i = 0; i < 400; i++) { p = malloc(200000); p[0] = 1; p[100000] = 1; } }
int main(void) { touches_pages(); return 0; }
END
${CC:-cc} -g -O1 -fno-omit-frame-pointer -Wl,--build-id -o "$long/prog" prog.c || { not_ok "a compiler"; finish; }
id=$(readelf -n "$long/prog" | sed -n 's/.*Build ID: //p')
in_turn perf record -q -N -g -e page-faults:u -c 1 -o f.data -- "$long/prog" >/dev/null 2>&1

perf report --stdio -i f.data --no-children -g none -F overhead,sample,comm,dso,sym 2>/dev/null | grep -v '^#' | grep . >wanted
expect "the program has samples" grep -q touches_pages wanted

expect "it is made" eval '"$PTUI" archive -i f.data >out 2>err && [ ! -s out ]'
expect "it says how to read it" grep -Eq "^ptui: archive: f.data.tar.zst: .* MB, with [0-9]+ of the files" err
tar tf f.data.tar.zst >names
expect "the recording" grep -qx perf.data names
expect "the program, by its build-id" grep -qx ".debug$(readlink -f "$long")/prog/$id/elf" names
expect "its link" grep -qx ".debug/.build-id/${id:0:2}/${id:2}" names
expect "the C library" grep -q '/libc.so.6/.*/elf' names
nothing_left() { [ -z "$(find . "$TMPDIR" -name 'f.data.tar.zst.*' -o -name 'ptui-archive*')" ] || { find . "$TMPDIR" -name 'f.data.tar*' -o -name 'ptui-archive*'; return 1; }; }
expect "nothing else is left" nothing_left
expect "-a: the same" eval '"$PTUI" archive -a -q -i f.data -o all.tar 2>err && tar tf all.tar | sort | cmp - <(sort names)'
expect "-o X.tar: not compressed" eval '"$PTUI" archive -q -i f.data -o plain.tar 2>err && tar tf plain.tar | sort | cmp - <(sort names)'
expect "-q: no word" test ! -s err

# ---- elsewhere: neither the program nor a cache
"$PTUI" report --stdio -i f.data --no-children -g none >ptui.wanted 2>/dev/null
"$PTUI" script -i f.data -F comm,tid,time,event,ip,sym,dso >script.wanted 2>/dev/null
mv "$long/prog" "$long/gone"
export HOME=$tmp/elsewhere
mkdir -p elsewhere/perf
for archive in f.data.tar.zst plain.tar; do
	"$PTUI" report --stdio -i $archive --no-children -g none >got 2>err
	same "$archive: ptui reads it" ptui.wanted got
	"$PTUI" script -i $archive -F comm,tid,time,event,ip,sym,dso >got 2>err
	same "$archive: ptui script" script.wanted got
	expect "$archive: evlist" eval '"$PTUI" evlist -i $archive | grep -q page-faults'
done
expect "nothing is left of that" nothing_left
# A command that is killed while it reads an archive: its lines do not fit into the pipe, so it waits. A shell
# starts processes in the background with SIGINT ignored, unless it controls jobs.
killed() { # SIGNAL
	local pid status=0
	rm -f lines
	mkfifo lines
	set -m
	"$PTUI" script -D -i f.data.tar.zst >lines 2>err &
	pid=$!
	set +m
	exec 8<lines
	until_so eval '[ -n "$(find "$TMPDIR" -name perf.data -size +0)" ]' && read -r _ <&8 || { cat err; return 1; }
	kill "-$1" "$pid"
	wait "$pid" || status=$?
	exec 8<&-
	[ "$status" -gt 128 ] && until_so nothing_left >/dev/null
}
for signal in INT TERM HUP KILL; do
	expect "nothing is left after SIG$signal" killed $signal
done
tar xf f.data.tar.zst -C elsewhere/perf
perf --buildid-dir "$tmp/elsewhere/perf/.debug" report --stdio -i elsewhere/perf/perf.data --no-children -g none -F overhead,sample,comm,dso,sym 2>/dev/null | grep -v '^#' | grep . >got
same "perf, after tar" wanted got
expect "--unpack" eval '"$PTUI" archive --unpack f.data.tar.zst -o new 2>err'
expect "--unpack: the same as tar" diff -r --no-dereference new elsewhere/perf
expect "--unpack: names it" grep -q "unpacked to new: 'perf --buildid-dir new/.debug report -i new/perf.data'" err
expect "--unpack: not into what exists" eval '! "$PTUI" archive --unpack f.data.tar.zst -o new 2>err && grep -qx "ptui: archive: cannot create new: File exists" err'

# ---- the original is gone: from the cache; or nowhere
"$PTUI" archive -i f.data -o without.tar 2>err
expect "what is missing is said" grep -q "left out .*/prog: no file here has its build-id" err
mv "$long/gone" "$long/prog"
"$PTUI" --buildid-dir "$tmp/cache" buildid-cache -a "$long/prog"
mv "$long/prog" "$long/gone"
echo other >"$long/prog"
"$PTUI" --buildid-dir "$tmp/cache" archive -q -i f.data -o cached.tar 2>err
tar tf cached.tar >names
expect "the copy of the cache" grep -qx ".debug$(readlink -f "$long")/prog/$id/elf" names
chmod u+w "cache$(readlink -f "$long")/prog/$id/elf" && echo broken >"cache$(readlink -f "$long")/prog/$id/elf"
"$PTUI" --buildid-dir "$tmp/cache" archive -i f.data -o broken.tar 2>err
expect "a copy that changed is left out" grep -q "left out .*/prog: no file here has its build-id" err
in_turn perf record -q -B -e page-faults:u -c 1 -o noids.data -- true >/dev/null 2>&1
"$PTUI" archive -i noids.data -o noids.tar 2>err
expect "without build-ids" grep -q "left out .*: the recording has no build-id of it" err

# ---- hostile and damaged ones
bad() {
	local what=$1 pattern=$2 file=$3 got=0
	rm -rf target
	"$PTUI" archive --unpack "$file" -o target >out 2>err || got=$?
	one() { [ "$got" -ne 0 ] && grep -Eq "^ptui: archive: $pattern\$" err && [ "$(wc -l <err)" -eq 1 ] && [ ! -e target ] || { echo "status $got"; cat err; ls -R target; return 1; }; }
	expect "$what" one
}
not_ours="evil.tar is no archive of ptui: '.*' does not belong into one"
mkdir -p evil/.debug/.build-id/aa evil/.debug/x
echo data >evil/perf.data
pack() { tar cf evil.tar --format=ustar -P -C evil "$@"; }
pack perf.data --transform='s,perf.data,../escaped,'
bad "a name with .." "$not_ours" evil.tar
pack perf.data --transform="s,perf.data,$tmp/escaped,"
bad "an absolute name" "$not_ours" evil.tar
pack perf.data --transform='s,perf.data,.debug/../../escaped,'
bad "a name with .. inside" "$not_ours" evil.tar
pack perf.data --transform='s,perf.data,.bashrc,'
bad "another name" "$not_ours" evil.tar
expect "nothing escaped" eval '! ls escaped ../escaped 2>/dev/null'
ln -s "$tmp" evil/.debug/.build-id/aa/bb
pack perf.data .debug/.build-id/aa/bb
bad "an absolute link" "$not_ours" evil.tar
ln -sfn ../../../../out evil/.debug/.build-id/aa/bb
pack perf.data .debug/.build-id/aa/bb
bad "a link that leads out" "$not_ours" evil.tar
ln -sfn ../../x evil/.debug/y
pack perf.data .debug/y
bad "a link at another place" "$not_ours" evil.tar
mkfifo evil/.debug/fifo
pack perf.data .debug/fifo
bad "a pipe" "$not_ours" evil.tar
ln evil/perf.data evil/.debug/hard
pack perf.data .debug/hard
bad "a hard link" "$not_ours" evil.tar
# a file below a link: the link is made last
ln -sfn ../../x evil/.debug/.build-id/aa/bb
pack perf.data .debug/.build-id/aa/bb
mkdir -p evil2/.debug/.build-id/aa/bb && echo x >evil2/.debug/.build-id/aa/bb/f
tar rf evil.tar -P -C evil2 .debug/.build-id/aa/bb/f
bad "a file below a link" "cannot unpack evil.tar to target: File exists" evil.tar
pack perf.data
tar rf evil.tar -P -C evil perf.data
bad "a name that comes twice" "cannot unpack evil.tar to target: File exists" evil.tar
python3 - <<'END' 2>/dev/null || skip "a huge size" "no python3"
h = bytearray(512)
h[0:9] = b'perf.data'; h[100:107] = b'0000644'; h[108:115] = b'0000000'; h[116:123] = b'0000000'
h[124:135] = b'77777777777'; h[136:147] = b'00000000000'; h[156:157] = b'0'; h[257:265] = b'ustar\x0000'
h[148:156] = b'        '
h[148:155] = b'%06o\x00' % sum(h)
pax = b'25 size=9000000000000000\n'
x = bytearray(h); x[156:157] = b'x'; x[124:135] = b'%011o' % len(pax); x[148:156] = b'        '; x[148:155] = b'%06o\x00' % sum(x)
open('evil.tar', 'wb').write(bytes(x) + pax.ljust(512, b'\0') + bytes(h) + b'\0' * 1024)
END
bad "a huge size" "cannot unpack evil.tar to target: No space left on device" evil.tar
head -c 3000 f.data.tar.zst >cut.tar.zst
bad "one that is cut" "cut.tar.zst is damaged, or not an archive of ptui" cut.tar.zst
head -c 3000 plain.tar >cut.tar
bad "one that is cut, not compressed" "cut.tar is damaged, or not an archive of ptui" cut.tar
echo text | zstd -q >text.zst
bad "something else that is compressed" "text.zst is damaged, or not an archive of ptui" text.zst
bad "a text" "prog.c is damaged, or not an archive of ptui" prog.c
bad "a missing one" "cannot open nothing: No such file or directory" nothing
tar cf evil.tar --format=posix -C elsewhere/perf .debug
bad "one without a recording" "evil.tar has no recording in it" evil.tar
"$PTUI" report --stdio -i cut.tar.zst >out 2>err
expect "report of a damaged one" eval '[ $(wc -l <err) -eq 1 ] && grep -q "cut.tar.zst is damaged" err'
expect "which leaves nothing" nothing_left

# ---- errors
error() { # NAME PATTERN WORDS...
	local what=$1 pattern=$2 got=0
	shift 2
	"$PTUI" archive "$@" >out 2>err </dev/null || got=$?
	one() { [ "$got" -ne 0 ] && grep -Eq "^ptui: archive: $pattern\$" err && [ "$(grep -c ^ptui: err)" -eq 1 ] || { echo "status $got"; cat err; return 1; }; }
	expect "$what" one
}
error "a missing recording" "cannot open nothing: No such file or directory" -i nothing
error "no recording" "prog.c is not a perf.data file: .*" -i prog.c
error "a pipe" "a recording from a pipe must be saved first" -i -
error "a folder that is missing" "cannot write no/x.tar: No such file or directory" -i f.data -o no/x.tar
limited() {
	(ulimit -f 8; trap '' XFSZ; exec "$PTUI" archive -q -i f.data -o limited.tar) 2>err && return 1
	[ "$(wc -l <err)" -eq 1 ] && [ -z "$(find . -name 'limited*')" ] || { cat err; ls; return 1; }
}
expect "no part of an archive that does not fit" limited
error "standard output" "an archive cannot be written to standard output: .*" -i f.data -o -
# the recording fits, the files of its DSOs do not
little() {
	(ulimit -f $(($(stat -c %s f.data) / 1024 + 32)); trap '' XFSZ; exec "$PTUI" archive -q -i f.data -o little.tar) 2>err && return 1
	grep -q '^ptui: archive: cannot write little.tar: File too large$' err || { cat err; return 1; }
}
expect "a disk that is too small for DSOs" little

finish
