# SPDX-License-Identifier: GPL-2.0-or-later
# The rooms include only what they may, and check-layers detects violations.
. "$top_srcdir/tests/lib/tap.sh"

check_layers() { sh "$top_srcdir/tests/check-layers" "$1"; }

expect "every include keeps to src/LAYERS" check_layers "$top_srcdir"

expect "kernel/event_open.c alone opens events" \
	[ "$(cd "$top_srcdir" && grep -rlE -e '(->|\.)perf_event_open\(' src)" = src/kernel/event_open.c ]

# tree: a house of the right shape to break walls in.
tree() {
	rm -rf "$tmp/house"
	mkdir -p "$tmp/house/include/ptui" "$tmp/house/ui/model" "$tmp/house/ui/term" \
		"$tmp/house/src/base" "$tmp/house/src/data" "$tmp/house/src/dso" \
		"$tmp/house/src/machine"
	cp "$top_srcdir/src/LAYERS" "$tmp/house/src/"
	cat >"$tmp/house/src/machine/maps.c" <<-'EOF'
	#include "machine/maps.h"
	#include "data/data.h"
	#include "base/vec.h"
	#include "ptui/error.h"
	#include <string.h>
	/* #include "session/load.h" would be a wall broken, if it were not
	 * a comment; printf( too */
	static const char *text = "printf(stdout) /* ";
	// exit(1)
	int snprintf_is_fine(void) { return q->exit(1); }
	EOF
	echo '#include "ptui/cli.h"' >"$tmp/house/ui/main.c"
	echo '#include "base/hash.h"' >"$tmp/house/ui/term/loop.c"
	echo '#include "ptui/error.h"' >"$tmp/house/include/ptui/data.h"
}

tree
expect "a house in order passes" check_layers "$tmp/house"

# breaks FILE LINE WORDS: LINE added to FILE is found there, in these words.
breaks() {
	tree
	printf 'int first;\n%s\n' "$2" >"$tmp/house/$1"
	if check_layers "$tmp/house" >"$tmp/out"; then
		not_ok "$1: $2"
		note "was not seen"
	elif grep -qF "$1:2: $3" "$tmp/out" && [ "$(wc -l <"$tmp/out")" -eq 1 ]; then
		ok "$1: $2"
	else
		not_ok "$1: $2"
		note "wanted $1:2: $3, got: $(cat "$tmp/out")"
	fi
}

breaks src/data/x.c '#include "machine/machine.h"' 'forbidden: data -> machine ("machine/machine.h")'
breaks src/dso/x.h '# include "base/perf_abi.h"' 'forbidden: dso -> "base/perf_abi.h"'
breaks src/machine/x.c '#include "ptui/cli.h"' 'forbidden: machine -> ptui ("ptui/cli.h")'
breaks src/machine/x.c '#include "maps.h"' 'an include is "room/file.h"'
breaks src/machine/x.c '#include "../data/data.h"' 'an include is "room/file.h"'
breaks src/machine/x.c '#include MAPS_H' 'an include is "room/file.h"'
breaks src/machine/x.c '#include <gelf.h>' 'forbidden: machine -> <gelf.h>'
breaks src/base/x.c '#include "data/data.h"' 'forbidden: base -> data ("data/data.h")'
breaks src/base/x.c '#include <linux/perf_event.h>' 'forbidden: base -> <linux/perf_event.h>'
breaks src/base/x.c '#include <libintl.h>' 'forbidden: base -> <libintl.h>'
breaks ui/main.c '#include "data/data.h"' 'forbidden: ui -> ui/data ("data/data.h")'
breaks ui/term/x.c '#include "base/perf_abi.h"' 'forbidden: ui/term -> "base/perf_abi.h"'
breaks ui/term/x.c '#include "kernel/ops.h"' 'forbidden: ui/term -> ui/kernel ("kernel/ops.h")'
breaks ui/model/x.c '#include <pthread.h>' 'forbidden: ui/model -> <pthread.h>'
breaks ui/model/x.c '#include "base/thread.h"' 'forbidden: ui/model -> "base/thread.h"'
breaks ui/main.c '#include <curses.h>' 'forbidden: ui -> <curses.h>'
breaks ui/term/x.c '#include "ptui/cli.h"' 'forbidden: ui/term -> ptui ("ptui/cli.h")'
breaks include/ptui/x.h '#include "base/vec.h"' 'forbidden: include -> base ("base/vec.h")'
breaks include/ptui/x.h '#include "config.h"' 'an include is "room/file.h"'
breaks src/machine/x.c '	printf("x");' 'only the room(s) cli may print or exit: '
breaks src/machine/x.c 'if (x) exit(1);' 'only the room(s) cli may print or exit: '
breaks src/machine/x.c 'fputs("x", stderr);' 'only the room(s) cli may print or exit: '

expect "ui is compiled with a path to base, and to no other room of src" \
	[ "$(ls "$top_builddir/base-include")" = base ]

tree
mkdir "$tmp/house/src/attic"
echo 'int x;' >"$tmp/house/src/attic/x.c"
check_layers "$tmp/house" >"$tmp/out"
expect "a room that has no rule is named" \
	grep -qF 'src/attic/x.c:1: the room attic is not in src/LAYERS' "$tmp/out"

tree
mkdir "$tmp/house/src/machine/inner"
echo '#include "machine/inner/x.h"' >"$tmp/house/src/machine/inner/x.c"
echo '#include "data/data.h"' >"$tmp/house/src/machine/inner/y.c"
expect "a folder inside a room without a rule of its own follows that room's" \
	check_layers "$tmp/house"
echo 'machine/inner: dso' >>"$tmp/house/src/LAYERS"
check_layers "$tmp/house" >"$tmp/out"
expect "a folder with a rule is a room of its own" \
	grep -qF 'src/machine/inner/y.c:1: forbidden: machine/inner -> data ("data/data.h")' "$tmp/out"
expect "its other includes are allowed" [ "$(wc -l <"$tmp/out")" -eq 1 ]
echo '#include "machine/inner/x.h"' >"$tmp/house/src/machine/x.c"
check_layers "$tmp/house" >"$tmp/out"
expect "the room around it includes it only if its rule allows that" \
	grep -qF 'src/machine/x.c:1: forbidden: machine -> machine/inner ("machine/inner/x.h")' "$tmp/out"

tree
for i in $(seq 41); do : >"$tmp/house/src/dso/f$i.c"; echo >"$tmp/house/src/dso/f$i.c"; done
check_layers "$tmp/house" >"$tmp/out"
expect "a room of more than 40 files is named" \
	grep -qF 'the folder src/dso has more than 40 files' "$tmp/out"

rm "$tmp/house/src/LAYERS"
check_layers "$tmp/house" 2>"$tmp/out"
expect "without rules nothing is taken for good" [ $? -eq 2 ]

finish
