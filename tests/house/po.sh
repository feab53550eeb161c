# SPDX-License-Identifier: GPL-2.0-or-later
# Translations: every text of the sources is translated in every language of po/LINGUAS,
# well-formed, and fits its place on the screens.
. "$top_srcdir/tests/lib/tap.sh"

for tool in xgettext msgmerge msgfmt msgattrib; do
	command -v "$tool" >/dev/null || skip_all "$tool is not installed"
done
cd "$top_srcdir" || exit 1
# Two columns for Chinese characters: bash counts characters in such a locale.
export LC_ALL=C.UTF-8

silent() { # FILE
	[ ! -s "$1" ] || { cat "$1"; return 1; }
}

# --- the texts in the sources

options=$(sed -n 's/^XGETTEXT_OPTIONS = //p' po/Makevars)
# shellcheck disable=SC2086
expect "xgettext reads the sources" xgettext $options --default-domain=ptui -f po/POTFILES.in \
	-o "$tmp/ptui.pot" --package-name=ptui --msgid-bugs-address=none
silent "$tmp/expect.out" >/dev/null && ok "and has no doubts" || {
	not_ok "and has no doubts"
	sed 's/^/# /' "$tmp/expect.out"
}

# One line a message: the whole of it.
msgids() { # PO-FILE
	msgattrib --no-wrap --no-location --no-obsolete "$1" | awk '
		/^msgid "/ { text = substr($0, 8, length($0) - 8); reading = 1; next }
		/^"/ { if (reading) text = text substr($0, 2, length($0) - 2); next }
		{ if (reading && text != "") print text; reading = 0; text = "" }'
}

# Options, numbers and paths are not translatable.
msgids "$tmp/ptui.pot" >"$tmp/msgids"
expect "there are texts" test "$(wc -l <"$tmp/msgids")" -gt 100
sed -e 's/%<PRI[A-Za-z0-9]*>//g' -e 's/%[-+#0-9.*]*[hlzjt]*[A-Za-z]//g' "$tmp/msgids" |
	grep -nE -e '^[^A-Za-z]*$' -e '^-{1,2}[a-z-]+$' -e '^[a-z]+[_:][a-z_:]+$' >"$tmp/odd"
expect "all of them are translatable" silent "$tmp/odd"

# A number and its noun agree: each has two forms. Not where the number is a constant, or always above 1;
# "Woken up" is perf's line.
# shellcheck disable=SC2046,SC2086
xgettext $options --default-domain=ptui $(grep -E '^(ui|src/cli)/' po/POTFILES.in) -o "$tmp/screens.pot" 2>/dev/null
msgattrib --no-wrap --no-location "$tmp/screens.pot" | awk '
	/^msgid "/ { id = $0 }
	/^msgid_plural/ { id = "" }
	/^msgstr/ { if (id != "") print id; id = "" }' |
	grep -E '%(<PRI[a-z0-9]+>|[zl]*[ud]) ([a-z]+ )?(bytes|callchains|chunks|events|files|options|places|presets|records|rows|samples|snapshots|times)\b' |
	grep -vF -e 'Woken up %llu times' -e '%d samples a second' -e '%zu events; of the first' -e '%zu options' \
		-e '%zu bytes' -e '%d events at once' -e 'at most %d bytes' -e '%d presets: remove' -e '%zu more options' >"$tmp/numbers"
expect "a number and its noun agree" silent "$tmp/numbers"

# Drawn and printed text is translated; names of files and the like are not.
find src ui -name '*.c' -exec awk '
	/(canvas_text|canvas_cell|canvas_printf|line_head|stack_say|popup_message|popup_menu)\(/ { what = "[A-Za-z][a-z][a-z]" }
	/(ptui_error_(set|errno|hint)|cli_warn)\(/ { what = "[a-z] [a-z]" }
	what != "" {
		line = $0
		gsub(/" PRI[A-Za-z0-9]+ "/, "", line)
		gsub(/(_|N_|Q_)\(("([^"\\]|\\.)*"[, ]*)+/, "", line)
		gsub(/%[-.*0-9]*[a-z]+/, "", line)
		while (match(line, /"([^"\\]|\\.)*"/)) {
			if (substr(line, RSTART, RLENGTH) ~ what)
				print FILENAME ":" FNR ": " $0
			line = substr(line, RSTART + RLENGTH)
		}
		what = ""
	}' {} + >"$tmp/drawn"
expect "all drawn text is translatable" silent "$tmp/drawn"

# --- each language

ls po/*.po 2>/dev/null | sed 's|po/\(.*\)\.po|\1|' | sort >"$tmp/there"
grep -v '^#' po/LINGUAS | tr -s ' ' '\n' | sed '/^$/d' | sort >"$tmp/listed"
same "po/LINGUAS names the translations" "$tmp/there" "$tmp/listed"

width() {
	local narrow=${1//[^ -~À-ÿ“”‘’…·]/}

	echo $((2 * ${#1} - ${#narrow}))
}

# The words next to the keys in the last line of the screens.
hint_words() {
	sed -n 's/^	X([A-Z_]*, "[^"]*", [A-Z]*, N_("\([^"]*\)").*/\1/p' ui/input/requests.h | sort -u
}
hint_words >"$tmp/words"
expect "there are words of requests" test "$(wc -l <"$tmp/words")" -gt 20

translated() { # PO-FILE: "MSGID<TAB>MSGSTR"
	msgattrib --no-wrap --no-location --translated --no-obsolete --no-fuzzy "$1" | awk '
		/^msgid "/ { id = substr($0, 8, length($0) - 8) }
		/^msgstr "/ { print id "\t" substr($0, 9, length($0) - 9) }'
}

too_wide() { # PO-FILE
	local id text room

	translated "$1" >"$tmp/translated"
	while IFS= read -r id; do
		text=$(awk -F '\t' -v id="$id" '$1 == id { print $2; exit }' "$tmp/translated")
		room=$(width "$id")
		[ "$room" -ge 8 ] || room=8
		[ "$(width "$text")" -le "$room" ] || echo "$id: $text"
	done <"$tmp/words"
}

while read -r lang; do
	po=po/$lang.po
	expect "$lang: msgfmt has no warnings" msgfmt -c -o /dev/null "$po"
	msgmerge -q --no-fuzzy-matching "$po" "$tmp/ptui.pot" -o "$tmp/$lang.po"
	msgattrib --untranslated --no-obsolete --no-location "$tmp/$lang.po" >"$tmp/untranslated"
	expect "$lang: every text is translated (make update-po shows what is missing)" \
		silent "$tmp/untranslated"
	msgattrib --only-fuzzy --no-obsolete "$po" >"$tmp/fuzzy"
	expect "$lang: nothing is guessed" silent "$tmp/fuzzy"
	too_wide "$po" >"$tmp/wide"
	expect "$lang: the words beside the keys are short" silent "$tmp/wide"
done <"$tmp/listed"

# --- the command line in each language

too_long() { # FILE: lines that a terminal would break
	local line

	while IFS= read -r line; do
		[ "$(width "$line")" -le 80 ] || echo "$line"
	done <"$1"
}

export PTUI_LOCALEDIR=$top_builddir/locale LOCPATH=$tmp/locale
mkdir -p "$LOCPATH"
# The locale of a language: the country's name is needed to make one.
locale_of() { # LANGUAGE
	case $1 in
	*_*) echo "$1" ;;
	*) echo "$1_${1^^}" ;;
	esac
}

while read -r lang; do
	locale=$(locale_of "$lang")
	if [ ! -s "$PTUI_LOCALEDIR/$lang/LC_MESSAGES/ptui.mo" ] ||
	   ! { localedef -i "$locale" -f UTF-8 "$LOCPATH/$locale.UTF-8" >/dev/null 2>&1 ||
	       [ -e "$LOCPATH/$locale.UTF-8/LC_MESSAGES" ]; }; then
		skip "$lang: the command line" "no translations in this build, or localedef cannot make $locale.UTF-8 (Debian package locales)"
		continue
	fi
	for command in '' record report list help; do
		# shellcheck disable=SC2086
		LC_ALL=$locale.UTF-8 "$PTUI" help $command >"$tmp/help" 2>&1
		"$PTUI" help $command >"$tmp/english"
		expect "$lang: ptui help $command is translated" test "$(cmp "$tmp/help" "$tmp/english")"
		too_long "$tmp/help" >"$tmp/long"
		expect "$lang: ptui help $command fits 80 columns" silent "$tmp/long"
	done
	# as perf and its configuration write them, whatever the locale has between digits
	LC_ALL=$locale.UTF-8 "$PTUI" report --stdio --percent-limit 0.5 -g graph,0.5,caller -i "$tmp/none" 2>"$tmp/numbers"
	expect "$lang: numbers have a decimal point" test $? = 255
	if command -v groff >/dev/null; then
		LC_ALL=$locale.UTF-8 "$PTUI" --man >"$tmp/ptui.1"
		groff -K utf8 -T utf8 -ww -man "$tmp/ptui.1" 2>"$tmp/groff" >/dev/null
		expect "$lang: groff has no warnings about the man page" silent "$tmp/groff"
	else
		skip "$lang: groff has no warnings about the man page" "groff is not installed"
	fi
done <"$tmp/listed"
finish
