# SPDX-License-Identifier: GPL-2.0-or-later
# Prints the texts that ptui prints as remedies, one per line: the arguments of ptui_error_hint(), what
# doctor passes to doctor_report() or writes to f->lift, the advice of the Browser's data quality (ui/model/browser/trust*.c), and the columns `hint` and `without` of the table in kernel/diagnose.c.
# Run with LC_ALL=C on whole files (-v RS='\001').

# Prints the string literals of s, which starts with a bracket, up to the bracket that closes it; the
# first `skip` are left out. Literals with nothing but blanks or PRIu64 between them are one.
function texts(s, skip,    at, depth, text, c) {
	for (at = 1; at <= length(s); at++) {
		c = substr(s, at, 1)
		if (c == "\"") {
			while ((c = substr(s, ++at, 1)) != "\"") {
				text = text c
				if (c == "\\")
					text = text substr(s, ++at, 1)
			}
			continue
		}
		if (c ~ /[ \t\n]/)
			continue
		if (text != "" && match(substr(s, at, 16), /^PRI[a-zA-Z0-9]+/)) {
			text = text "<" substr(s, at, RLENGTH) ">"
			at += RLENGTH - 1
			continue
		}
		if (text ~ /[A-Za-z][A-Za-z]/ && skip-- <= 0)
			print text
		text = ""
		if (c ~ /[({]/)
			depth++
		else if (c ~ /[)}]/ && --depth == 0)
			return
	}
}

# Prints the texts of each place in s that starts with `word`, and goes on as `also`, without the first `skip`.
function calls(s, word, also, skip,    at) {
	while ((at = index(s, word))) {
		s = substr(s, at + length(word) - 1)
		if (substr(s, 1, 200) ~ also)
			texts(substr(s, 1, 2000), skip)
		s = substr(s, 2)
	}
}

{
	calls($0, "ptui_error_hint(", ".")
	calls($0, "SAY(", "^[(](fact|ret), advice,")
	calls($0, "advise(", "^[(]&?f,")
	if ((at = index($0, "*unknown_help("))) {
		help = substr($0, at)
		while ((at = index(help, "_(")) && at < index(help, "\n}")) {
			help = substr(help, at + 1)
			texts(help, 0)
		}
	}
	calls($0, "DOCTOR_SAY(", "^[(][ \t\n]*f->lift,")
	calls($0, "doctor_report(", ".", 1)
	gsub(/#define LIFT_PARANOID[ \t]*\\[ \t\n]*N_/, "LIFT_PARANOID")
	gsub(/\\\n/, "")
	calls($0, "LIFT_PARANOID(", ".")
	if ((at = index($0, "remedies[] = {"))) {
		rows = substr($0, at + 14)
		rows = substr(rows, 1, index(rows, "\n};"))
		while ((at = index(rows, "{"))) {
			row = substr(rows, at)
			texts(row, 1)
			rows = substr(row, index(row, "}") + 1)
		}
	}
}
