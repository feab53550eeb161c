# SPDX-License-Identifier: GPL-2.0-or-later
# ptui report --json and --csv: parsed by python3, and equal to the text report in rows, order, sums and names.
. "$top_srcdir/tests/lib/tap.sh"
unset PTUI_PAGER PAGER PTUI_DEBUG
need root
command -v python3 >/dev/null || skip_all "there is no python3"
cd "$tmp" || exit 1
work=$top_builddir/tests/diff/work

in_company "$PTUI" record -q -F 2000 -g -e '{cpu-clock:u,page-faults:u}' -o perf.data "$work" >record.out 2>&1 ||
	note "record: $(cat record.out)"

# as python: the rows of all events of a text report without callchains, by event
cat >lib.py <<'END'
import csv, json, re, subprocess, sys
ptui, data = sys.argv[1:3]
def run(*options):
    done = subprocess.run([ptui, "report", "--stdio", "-i", data] + list(options), capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout
def text_rows(*options):
    events, name = {}, None
    for line in run("--no-group", "-t", "|", *options).splitlines():
        found = re.match(r"# Samples: .* of events? '(.*)'", line)
        name = found.group(1) if found else name
        if line and not line.startswith("#"):
            events.setdefault(name, []).append([cell.strip() for cell in line.split("|")])
    return events
def csv_rows(*options):
    lines = list(csv.reader(run("--csv", *options).splitlines()))
    events = {}
    for line in lines[1:]:
        assert len(line) == len(lines[0])
        events.setdefault(line[0], []).append(line[1:])
    return lines[0], events
def json_rows(*options):
    return json.loads(run("--json", *options))
END

python() {
	local name=$1 status=0
	{ cat lib.py -; } >test.py
	python3 test.py "$PTUI" perf.data >told 2>&1 || status=$?
	[ $status = 0 ] || note "$(cat told)"
	expect "$name" test $status = 0
}

python "CSV: rows, order and numbers of the text" <<'END'
keys = "overhead,sample,period,comm,dso,sym"
titles, rows = csv_rows("-F", keys, "--no-children")
assert titles == ["event", "overhead_percent", "samples", "period", "comm", "dso", "symbol"], titles
text = text_rows("-F", keys, "--no-children", "-g", "none")
assert sorted(rows) == sorted(text) == ["cpu-clock:u", "page-faults:u"]
for event in text:
    assert len(rows[event]) == len(text[event]) > 1
    for mine, theirs in zip(rows[event], text[event]):
        assert abs(float(mine[0]) - float(theirs[0].rstrip("%"))) < 0.0051, (mine, theirs)
        assert [mine[1], mine[2]] + mine[3:] == theirs[1:], (mine, theirs)
    assert abs(sum(float(row[0]) for row in rows[event]) - 100) < 0.01 * len(rows[event])
END

python "JSON: the sums of the text" <<'END'
keys = "overhead,sample,period,comm,sym"
doc = json_rows("-F", keys, "--no-children", "-g", "none")
text = text_rows("-F", keys, "--no-children", "-g", "none")
assert doc["version"] == 1 and doc["lost_samples"] == 0
assert [event["event"] for event in doc["events"]] == ["cpu-clock:u", "page-faults:u"]
for event in doc["events"]:
    rows, theirs = event["rows"], text[event["event"]]
    assert list(rows[0]) == ["overhead_percent", "samples", "period", "comm", "symbol"], rows[0]
    assert sum(row["samples"] for row in rows) == event["samples"] == sum(int(row[1]) for row in theirs)
    assert sum(row["period"] for row in rows) == event["period"] == sum(int(row[2]) for row in theirs)
    assert [row["symbol"] for row in rows] == [row[4] for row in theirs]
END

python "JSON: callchains add up to their row" <<'END'
def total(nodes):
    return sum(node["period"] for node in nodes)
def check(node):
    assert node["functions"] and all(isinstance(name, str) for name in node["functions"])
    assert total(node["branches"]) <= node["period"]
    for branch in node["branches"]:
        check(branch)
doc = json_rows("-g", "graph,0", "--no-children", "-F", "period,sym")
with_chains = 0
for row in doc["events"][0]["rows"]:
    with_chains += row["callchains"] != []
    assert row["callchains"] == [] or total(row["callchains"]) == row["period"], row
    for node in row["callchains"]:
        check(node)
assert with_chains
END

python "--percent-limit, and numbers of other columns" <<'END'
doc = json_rows("-g", "none", "--no-children", "--percent-limit", "5", "-s", "time,cpu,symbol_size,dso")
rows = doc["events"][0]["rows"]
assert rows and all(row["overhead_percent"] >= 5 for row in rows)
assert all(isinstance(row["time_seconds"], float) for row in rows), rows
assert all(row["symbol_size_bytes"] is None or isinstance(row["symbol_size_bytes"], int) for row in rows)
titles, rows = csv_rows("-F", "overhead_children,overhead,sym", "--children", "-g", "none")
assert titles == ["event", "overhead_children_percent", "overhead_percent", "symbol"]
assert all(float(row[0]) >= float(row[1]) for row in rows["cpu-clock:u"])
END

# A name that needs quotes in CSV and in JSON.
cp "$work" 'a,"b'
in_company "$PTUI" record -q -F 2000 -e cpu-clock:u -o quoted.data './a,"b' >record.out 2>&1
mv quoted.data perf.data
python "quotes" <<'END'
titles, rows = csv_rows("-s", "comm,dso")
assert any(row[1] == 'a,"b' for row in rows["cpu-clock:u"]), rows
doc = json_rows("-s", "comm,dso")
assert any(row["dso"] == 'a,"b' for row in doc["events"][0]["rows"]), doc
END

# --- functions with names as long as those of C++ templates, which differ at their end

long=$(printf 't%.0s' {1..3000})
cat >long.c <<END
int ${long}_a(int n) { volatile int x = 0; while (n--) x++; return x; }
int ${long}_b(int n) { volatile int x = 0; while (n--) x++; return x; }
int main(void) { return ${long}_a(100000000) & ${long}_b(100000000) & 0; }
END
${CC:-cc} -w -g0 -O0 -o long long.c || { not_ok "a compiler"; finish; }
in_company "$PTUI" record -q -F 2000 -e cpu-clock:u -o perf.data ./long >record.out 2>&1 || note "record: $(cat record.out)"
python "long names, in full" <<'END'
names = {"t" * 3000 + end for end in ("_a", "_b")}
titles, rows = csv_rows("-s", "sym")
assert names <= {row[1].split()[-1] for row in rows["cpu-clock:u"]}
assert names <= {row["symbol"].split()[-1] for row in json_rows("-s", "sym")["events"][0]["rows"]}
assert names <= {row[1].split()[-1] for row in text_rows("-s", "sym")["cpu-clock:u"]}
END

refused() {
	local status=0
	"$PTUI" report "$@" -i perf.data >out 2>err || status=$?
	test $status = 129 && ! [ -s out ] && grep -q -e '--json and --csv cannot be used together' err
}
for option in --csv '-t ,' --header --hierarchy --tui; do
	# shellcheck disable=SC2086
	expect "--json $option: refused" refused --json $option
done

# --- one sample that has most of the event count

in_company "$PTUI" record -q -F 2000 -e cpu-clock:u -o even.data "$work" spin 200 >record.out 2>&1 || note "record: $(cat record.out)"
cat >largest.py <<'END'
import struct, sys
data = open("even.data", "rb").read()
period = struct.pack("<Q", 500000)
assert data.count(period) > 100, data.count(period)
open("odd.data", "wb").write(data.replace(period, struct.pack("<Q", 1 << 30), 1))
END
if python3 largest.py 2>err; then
	"$PTUI" report --stdio -i even.data >out 2>err
	expect "even periods: no note" [ ! -s err ]
	"$PTUI" report --stdio -i odd.data >out 2>err
	expect "one huge period: a note" grep -qE "odd.data: one sample of 'cpu-clock:u' has [5-9][0-9]\.[0-9]% of the event count: its period is 1073741824\$" err
	expect "one huge period: nothing else" [ "$(wc -l <err)" = 1 ]
else
	not_ok "more than 100 samples"
	note "$(cat err)"
fi
finish
