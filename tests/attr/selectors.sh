# SPDX-License-Identifier: GPL-2.0-or-later
# ptui and perf open the same attrs for the same selector, on other machines: sysfs is fake, and
# every event is opened as a dummy (hook.c). The list is in the file selectors; every second line of
# it is for selectors-2.sh.
. "$top_srcdir/tests/lib/tap.sh"
. "$top_srcdir/tests/diff/lib.sh"
need perf root tracefs

half=${half-0}
hook=$top_builddir/tests/attr/hook.so
units=/sys/bus/event_source/devices
unshare -m true 2>/dev/null || skip_all "mount namespaces are not allowed here"
[ -r "$hook" ] || skip_all "the hook was not built"

# unit MACHINE NAME TYPE [FILE=TEXT]...
unit() {
	local dir=$tmp/$1/$2 file
	mkdir -p "$dir/format" "$dir/events"
	echo "$3" >"$dir/type"
	shift 3
	for file; do
		echo "${file#*=}" >"$dir/${file%%=*}"
	done
}

core_terms=(format/event=config:0-7 format/umask=config:8-15 format/edge=config:18
	format/any=config:21 format/inv=config:23 format/cmask=config:24-31
	format/offcore_rsp=config1:0-63 format/ldat=config1:0-15
	events/cpu-cycles=event=0x3c events/topdown=event=0x00,umask=0x4,period=77
	events/mem-loads=event=0xcd,umask=0x1,ldat=3)
unit intel cpu 4 "${core_terms[@]}"
for n in 0 1; do
	unit intel uncore_imc_$n $((20 + n)) cpumask=0 format/event=config:0-7 format/umask=config:8-15 \
		events/cas_count_read=event=0x04,umask=0x03 events/cas_count_read.unit=MiB \
		events/cas_count_read.scale=6.103515625e-5 events/cas_count_write=event=0x04,umask=0x0c
done
unit intel msr 14 format/event=config:0-63 events/tsc=event=0x00
unit hybrid cpu_core 4 cpus=0 "${core_terms[@]}"
unit hybrid cpu_atom 10 cpus=1 "${core_terms[@]}"
unit amd cpu 4 format/event=config:0-7,32-35 format/umask=config:8-15
unit amd ibs_op 11 format/cnt_ctl=config:19 format/rand_en=config:57
unit amd ibs_fetch 12 format/rand_en=config:57
unit amd amd_l3 13 cpumask=0 format/event=config:0-7 format/umask=config:8-15 \
	events/l3_misses=event=0x4,umask=0x01
unit arm armv8_pmuv3_0 8 cpus=0-1 format/event=config:0-15 format/long=config1:0 \
	events/cpu_cycles=event=0x0011 events/inst_retired=event=0x0008
unit arm smmuv3_pmcg_2b442 15 cpumask=0 format/event=config:0-15 events/transaction=event=0x1
unit arm arm_dsu_0 16 cpumask=0 format/event=config:0-31
for machine in intel hybrid amd arm; do
	unit $machine breakpoint 5
	unit $machine software 1
	unit $machine tracepoint 2
done

# One field a line. perf names a breakpoint by the part before its length.
fields() {
	sed -e '/^# Tip/d' -e 's/{ sample_period, sample_freq }/sample_period_or_freq/' \
		-e 's/: type: /\n\ttype: /' -e 's/: size: /\n\tsize: /' -e 's/, /\n\t/g'
}

# record WHO N OPTION... : on the machine of this namespace
record() {
	local who=$1 n=$2 program=(perf record -B)
	shift 2
	[ "$who" = perf ] || program=("$PTUI" record)
	# AddressSanitizer must not insist on being loaded first
	ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}verify_asan_link_order=0 \
		LD_PRELOAD=$hook "${program[@]}" -a -o "$tmp/$who.$n" "$@" true >"$tmp/$who.$n.out" 2>&1 ||
		echo "status $?" >>"$tmp/$who.$n.out"
	LC_ALL=C perf evlist -v -i "$tmp/$who.$n" 2>>"$tmp/$who.$n.out" | fields >"$tmp/$who.$n.attrs"
}

# in_machine MACHINE OPTION... <lines: all of its recordings, a few at a time.
in_machine() {
	local line selector machine=$1 options=()
	shift
	mount --bind "$tmp/$machine" $units || exit 1
	while IFS=$'\t' read -r n line; do
		options=("$@")
		for selector in $line; do
			options+=(-e "$selector")
		done
		record perf "$n" "${options[@]}" &
		record ptui "$n" "${options[@]}"
		[ $((n % 8)) -ge 2 ] || wait
	done
	wait
}

n=0 section=0 n_selectors=0
while IFS= read -r line; do
	case $line in
	'' | '#'*)
		;;
	'= '*)
		section=$((section + 1))
		echo "${line#= }" >"$tmp/section.$section" ;;
	*)
		n=$((n + 1))
		titles[n]="$(cat "$tmp/section.$section"): $line"
		set -f
		# shellcheck disable=SC2086
		set -- $line
		set +f
		n_selectors=$((n_selectors + $#))
		: >>"$tmp/lines.$section"
		[ $((n % 2)) -ne "$half" ] || printf '%d\t%s\n' $n "$line" >>"$tmp/lines.$section" ;;
	esac
done <"$top_srcdir/tests/attr/selectors"

set -f
for ((i = 1; i <= section; i++)); do
	export -f in_machine record fields
	export tmp units hook PTUI
	# shellcheck disable=SC2046
	unshare -m bash -fc 'in_machine "$@"' in_machine $(cat "$tmp/section.$i") <"$tmp/lines.$i"
done
expect "there are 150 selectors and more: $n_selectors" [ $n_selectors -ge 150 ]
for ((i = 2 - half; i <= n; i += 2)); do
	for who in perf ptui; do
		[ -s "$tmp/$who.$i.attrs" ] || note "$who: $(head -n 5 "$tmp/$who.$i.out")"
	done
	alike "${titles[i]}" "$tmp/perf.$i.attrs" "$tmp/ptui.$i.attrs" attr_size build_id ids_of_sideband \
		breakpoint_name cache_name kind_name unit_order
done
all_differ
n_meant=$(grep -c '^[^#|]*|[^|]*\bselectors\b' "$differences")
expect "at most 2 % of the selectors show a difference that is meant: $n_meant of $n_selectors" \
	[ $((n_meant * 50)) -le $n_selectors ]
finish
